//! What evaluating gave, and how it is said on one line.

/// A run that gave no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// One sentence.
    pub message: String,
    /// The path of the file and the bytes in it where it stopped, as they were when it was planned.
    pub place: Option<(String, std::ops::Range<u32>)>,
    /// A limit ended it, or someone who did not want to wait.
    pub limit: bool,
}

/// What one derivative operator found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derivative {
    /// The operator's name.
    pub by: String,
    /// The derivative in each variable, as Frank prints numbers.
    pub values: Result<Vec<String>, Failure>,
}

/// The value of a function at a point with its derivatives there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivativeResult {
    /// The function, as it is written.
    pub name: String,
    pub at: Vec<String>,
    pub value: Result<String, Failure>,
    pub derivatives: Vec<Derivative>,
    /// The stamp of the plan: the result is stale when it is no longer that of the operator.
    pub stamp: u64,
}

/// What running an entry gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunResult {
    pub name: String,
    pub value: Result<String, Failure>,
    pub output: String,
    pub steps: u64,
    pub millis: u64,
    pub stamp: u64,
}

/// Rounding errors below this part of a number do not count as disagreement.
const TOLERANCE: f64 = 1e-9;

fn agree(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => {
            (a.is_nan() && b.is_nan()) || (a - b).abs() <= TOLERANCE * (1.0 + a.abs().max(b.abs()))
        }
        _ => false,
    }
}

fn gradient(values: &[String]) -> String {
    match values {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}

impl DerivativeResult {
    /// Whether two derivative operators gave different numbers.
    pub fn disagrees(&self) -> bool {
        let mut found = self
            .derivatives
            .iter()
            .filter_map(|d| d.values.as_ref().ok());
        let Some(first) = found.next() else {
            return false;
        };
        found.any(|other| {
            other.len() != first.len() || !first.iter().zip(other).all(|(a, b)| agree(a, b))
        })
    }

    /// `cube 2 = -7 · ∂ = 12 (d, grad, gradc agree)`. What is wrong is said, not left out.
    pub fn label(&self, stale: bool) -> String {
        let mut out = match &self.value {
            Ok(value) => format!("{} {} = {value}", self.name, self.at.join(" ")),
            Err(failure) => format!("{} {}: {}", self.name, self.at.join(" "), failure.message),
        };
        let fine: Vec<&Derivative> = self
            .derivatives
            .iter()
            .filter(|derivative| derivative.values.is_ok())
            .collect();
        let failed: Vec<String> = self
            .derivatives
            .iter()
            .filter_map(|d| Some(format!("{}: {}", d.by, d.values.as_ref().err()?.message)))
            .collect();
        if self.value.is_err() && fine.is_empty() {
            // That there is no derivative either goes without saying.
        } else if self.disagrees() {
            let each: Vec<String> = fine
                .iter()
                .filter_map(|d| Some(format!("{} = {}", d.by, gradient(d.values.as_ref().ok()?))))
                .collect();
            out.push_str(&format!(" · ∂ disagree: {}", each.join(", ")));
            if !failed.is_empty() {
                out.push_str(&format!(" ({})", failed.join("; ")));
            }
        } else if let Some(first) = fine.first().and_then(|d| d.values.as_ref().ok()) {
            let names: Vec<&str> = fine
                .iter()
                .map(|derivative| derivative.by.as_str())
                .collect();
            let agree = if names.len() > 1 { " agree" } else { "" };
            let mut notes = vec![format!("{}{agree}", names.join(", "))];
            notes.extend(failed);
            out.push_str(&format!(
                " · ∂ = {} ({})",
                gradient(first),
                notes.join("; ")
            ));
        } else if !failed.is_empty() {
            out.push_str(&format!(" · no ∂ ({})", failed.join("; ")));
        }
        if stale {
            out.push_str(" (stale)");
        }
        out
    }
}

impl RunResult {
    /// `main = 42 · prints "hello"`, or why there is no value.
    pub fn label(&self, stale: bool) -> String {
        let mut out = match &self.value {
            Ok(value) => format!("{} = {}", self.name, crate::text::excerpt(value)),
            Err(failure) => format!("{}: {}", self.name, failure.message),
        };
        if !self.output.is_empty() {
            let printed = crate::text::excerpt(self.output.trim_end());
            out.push_str(&format!(" · prints \"{printed}\""));
        }
        if stale {
            out.push_str(" (stale)");
        }
        out
    }
}
