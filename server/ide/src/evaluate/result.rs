//! Results of evaluations, and how they are shown on one line.

use frank_interpreter::picture::Picture;

use super::difference::{Difference, Verdict};
use super::point::Tree;
use super::template;

/// The path of a file, and bytes in it.
pub type InFile = (String, std::ops::Range<u32>);

/// A run that gave no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationError {
    /// One sentence.
    pub message: String,
    /// The path of the file and the bytes in it where it stopped, as they were when it was planned.
    pub place: Option<InFile>,
    /// Other places that the message speaks of, with what is there.
    pub related: Vec<(InFile, &'static str)>,
    /// The calls and handlers around it, the innermost first, with what each is. At most
    /// `MOST_FRAMES`.
    pub stack: Vec<(InFile, String)>,
    /// A limit ended it, or the user cancelled it.
    pub limit: bool,
    /// It came to a hole, a place where the program is still to be written.
    pub hole: bool,
}

impl EvaluationError {
    /// One that has no place in a program.
    pub(crate) fn said(message: &str) -> EvaluationError {
        EvaluationError {
            message: message.to_owned(),
            place: None,
            related: Vec::new(),
            stack: Vec::new(),
            limit: false,
            hole: false,
        }
    }

    /// Whether two runs failed in the same words where the innermost call is the same: which of the calls on the way
    /// there have frames depends on the handlers around them, and the place is the first of them that is not in a library.
    pub fn is_like(&self, other: &EvaluationError) -> bool {
        self.message == other.message && self.innermost() == other.innermost()
    }

    fn innermost(&self) -> Option<&InFile> {
        let frames = self.stack.iter().map(|(place, _)| place);
        frames.chain(&self.place).next()
    }
}

/// So many calls and handlers around a failure at most are told.
pub const MOST_FRAMES: usize = 8;

/// What one derivative operator found, or one of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derivative {
    /// The operator's name; for a second derivative those of both, `d of grad`.
    pub by: String,
    /// The derivative of each number of the result in each variable, as Frank prints numbers; a
    /// second one in each variable and each variable.
    pub values: Result<Vec<String>, EvaluationError>,
}

/// Finite differences beside derivatives, in the same order.
#[derive(Debug, Clone, PartialEq)]
pub struct Checks {
    /// Differences of values.
    pub first: Result<Vec<Difference>, EvaluationError>,
    /// Differences of first derivatives, with the operator that found those.
    pub second: Option<Result<(String, Vec<Difference>), EvaluationError>>,
}

/// The value of a function at a point with its derivatives there.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivativeResult {
    /// The function, as it is written.
    pub name: String,
    /// The arguments, as they are written.
    pub at: Vec<String>,
    /// The names of the variables: `x`, and `xs.2` for the second number of a list.
    pub variables: Vec<String>,
    /// The shape of the arguments.
    pub(super) point: Vec<Tree<()>>,
    /// The shape of the value, if there is one.
    pub(super) result: Option<Tree<()>>,
    /// The value as Frank prints it.
    pub value: Result<String, EvaluationError>,
    /// What each derivative operator in scope found, in the order of the program.
    pub derivatives: Vec<Derivative>,
    /// Second derivatives, if they were asked for.
    pub seconds: Option<Vec<Derivative>>,
    /// Finite differences, if they were asked for.
    pub checks: Option<Checks>,
    /// What is wrong with the point in the doc comment, where that would have counted.
    pub note: Option<String>,
    /// The stamp of the plan: the result is stale when it is no longer that of the operator.
    pub stamp: u64,
}

/// Derivatives that are the same but for rounding, with the operators that found them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group<'a> {
    pub by: Vec<&'a str>,
    pub values: &'a [String],
}

/// The result of running an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct RunResult {
    pub name: String,
    /// The value as Frank prints it.
    pub value: Result<String, EvaluationError>,
    /// What it printed on the way.
    pub output: String,
    /// The pictures that it asked for, each with the length of the output before it.
    pub pictures: Vec<(usize, Picture)>,
    /// How many steps the interpreter took, and how long it took for them.
    pub steps: u64,
    pub millis: u64,
    /// The stamp of the plan: the result is stale when it is no longer that of the operator.
    pub stamp: u64,
}

/// What came of a law.
#[derive(Debug, Clone, PartialEq)]
pub struct LawResult {
    /// With how many values it was tried, or for which it does not hold, and where that ended.
    pub held: Result<u32, EvaluationError>,
    /// The stamp of the plan: the result is stale when it is no longer that of the law.
    pub stamp: u64,
}

/// Rounding errors below this part of a number do not count as disagreement.
const TOLERANCE: f64 = 1e-9;
/// Nor do those below this part of 1, or of the function's value: where terms cancel, what is left
/// is rounding.
const FLOOR: f64 = 1e-13;

/// Whether two numbers differ by no more than rounding, in computations with numbers of a size.
fn agree(a: &str, b: &str, size: f64) -> bool {
    if a == b {
        return true;
    }
    // Integers are exact.
    if a.parse::<i64>().is_ok() && b.parse::<i64>().is_ok() {
        return false;
    }
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) if a.is_finite() && b.is_finite() => {
            (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()) + FLOOR * size.max(1.0)
        }
        // What is the same was found above, but for how it is written.
        (Ok(a), Ok(b)) => (a.is_nan() && b.is_nan()) || a == b,
        _ => false,
    }
}

/// More names of operators than these are counted only.
const MOST_NAMES: usize = 6;

fn listed(names: &[&str]) -> String {
    match names {
        [one] => (*one).to_owned(),
        [first, ..] if names.len() > MOST_NAMES => {
            format!("{first} and {} others agree", names.len() - 1)
        }
        several => format!("{} agree", several.join(", ")),
    }
}

impl DerivativeResult {
    /// The call that was evaluated.
    pub fn call(&self) -> String {
        format!("{} {}", self.name, self.at.join(" "))
    }

    /// Whether all operators that found derivatives found the same; `None` if none found any.
    pub fn agrees(&self) -> Option<bool> {
        let found = self.derivatives.iter().any(|one| one.values.is_ok());
        found.then(|| !self.disagrees())
    }

    /// Whether no derivative differs from the finite differences; `None` if there is nothing to
    /// compare.
    pub fn passes_check(&self) -> Option<bool> {
        let checks = self.checks.as_ref()?;
        let mut seconds = checks.second.iter();
        let failed = checks.first.is_err() || seconds.any(Result::is_err);
        let complete = !failed && self.agrees().is_some();
        let passes = !self.fails_check();
        (complete || !passes).then_some(passes)
    }

    /// Whether two derivative operators gave different numbers.
    pub fn disagrees(&self) -> bool {
        let seconds = self.seconds.iter().flatten();
        self.groups(&self.derivatives).len() > 1 || self.groups(seconds).len() > 1
    }

    /// Whether a derivative is not what finite differences give.
    pub fn fails_check(&self) -> bool {
        let wrong = |all: &[Derivative], second| {
            let found = all.iter().filter_map(|one| one.values.as_ref().ok());
            let mut verdicts = found.flat_map(|values| self.verdicts(values, second));
            verdicts.any(|verdict| verdict == Verdict::Disagrees)
        };
        wrong(&self.derivatives, false) || self.seconds.as_ref().is_some_and(|all| wrong(all, true))
    }

    /// Derivatives by what was found: all in one group if they agree, else a group for each
    /// different one.
    pub fn groups<'a>(
        &self,
        derivatives: impl IntoIterator<Item = &'a Derivative>,
    ) -> Vec<Group<'a>> {
        let size = self.size();
        let found: Vec<(&str, &[String])> = derivatives
            .into_iter()
            .filter_map(|one| Some((one.by.as_str(), &one.values.as_ref().ok()?[..])))
            .collect();
        let same = |a: &[String], b: &[String]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b, size))
        };
        let mut groups: Vec<Group<'a>> = Vec::new();
        let all_agree = found
            .first()
            .is_none_or(|(_, first)| found.iter().all(|(_, other)| same(first, other)));
        for (by, values) in found {
            // Of numbers that differ by rounding alone the first is shown.
            let fits = |group: &&mut Group<'_>| all_agree || group.values == values;
            match groups.iter_mut().find(fits) {
                Some(group) => group.by.push(by),
                None => groups.push(Group {
                    by: vec![by],
                    values,
                }),
            }
        }
        groups
    }

    /// How large the numbers of the value are.
    fn size(&self) -> f64 {
        let words = self.value.as_deref().unwrap_or_default();
        let words = words.split(|c: char| c.is_whitespace() || "[](),".contains(c));
        let numbers = words.filter_map(|word| word.parse::<f64>().ok());
        numbers
            .filter(|number| number.is_finite())
            .fold(0.0, |size, number| number.abs().max(size))
    }

    /// How each derivative compares with the finite differences; nothing where there are none.
    pub fn verdicts(&self, values: &[String], second: bool) -> Vec<Verdict> {
        let Some(differences) = self.differences(second) else {
            return Vec::new();
        };
        let pairs = values.iter().zip(differences);
        pairs
            .map(|(text, difference)| difference.verdict(text.parse().unwrap_or(f64::NAN)))
            .collect()
    }

    /// The finite differences for the first or the second derivatives, if there are some.
    pub fn differences(&self, second: bool) -> Option<&[Difference]> {
        let checks = self.checks.as_ref()?;
        match second {
            false => checks.first.as_deref().ok(),
            true => Some(&checks.second.as_ref()?.as_ref().ok()?.1[..]),
        }
    }

    /// The names of the numbers of the result: `f.2`; of a single one that is no part, nothing.
    pub fn results(&self) -> Vec<String> {
        let paths = self.result.as_ref().map(template::paths);
        let paths = paths.unwrap_or_else(|| vec![Vec::new()]).into_iter();
        paths
            .map(|path| {
                let part = template::named(&path);
                match part.is_empty() {
                    true => part,
                    false => format!("{}{part}", self.name),
                }
            })
            .collect()
    }

    /// What the derivatives are: `∂/∂x`, and of several results `∂f.2/∂xs.1`.
    pub fn labels(&self, second: bool) -> Vec<String> {
        let mut found = Vec::new();
        for of in self.results() {
            for outer in &self.variables {
                match second {
                    false => found.push(format!("∂{of}/∂{outer}")),
                    true => found.extend(
                        self.variables
                            .iter()
                            .map(|inner| format!("∂²{of}/∂{outer}∂{inner}")),
                    ),
                }
            }
        }
        found
    }

    /// First derivatives in the shape of the value, each in the shape of the point.
    pub fn gradient(&self, values: &[String]) -> String {
        let mut next = values.iter();
        let mut next = |_| next.next().cloned().unwrap_or_default();
        self.in_results(&mut |argument| self.in_point(argument, &mut next))
    }

    /// Second derivatives: for each variable a gradient.
    pub fn hessian(&self, values: &[String]) -> String {
        let mut next = values.iter();
        let mut next = |_| next.next().cloned().unwrap_or_default();
        let mut row = |argument| self.in_point(argument, &mut next);
        self.in_results(&mut |argument| self.in_point(argument, &mut row))
    }

    /// `each` gets whether it stands in the place of an argument.
    fn in_results(&self, each: &mut dyn FnMut(bool) -> String) -> String {
        match &self.result {
            Some(tree) => tree.text(false, &mut |(), argument| each(argument)),
            None => each(false),
        }
    }

    fn in_point(&self, argument: bool, each: &mut dyn FnMut(bool) -> String) -> String {
        let smooth: Vec<&Tree<()>> = self
            .point
            .iter()
            .filter(|tree| !matches!(tree, Tree::Fixed(_)))
            .collect();
        let only = smooth.len() == 1;
        let texts: Vec<String> = smooth
            .iter()
            .map(|tree| tree.text(argument && only, &mut |(), argument| each(argument)))
            .collect();
        match &texts[..] {
            [one] => one.clone(),
            several => format!("[{}]", several.join(", ")),
        }
    }

    /// `cube 2 = -7 · ∂ = 12 (d, grad, gradc agree)`. What is wrong is said, not left out.
    pub fn label(&self, stale: bool) -> String {
        let mut out = match &self.value {
            Ok(value) => format!("{} = {value}", self.call()),
            Err(failure) => format!("{}: {}", self.call(), failure.message),
        };
        let failed = self.derivatives.iter().all(|one| one.values.is_err());
        // Without a value there is no derivative either.
        if !(self.value.is_err() && failed) {
            out += &self.part("∂", &self.derivatives, &|values| self.gradient(values));
            if let Some(seconds) = &self.seconds {
                out += &self.part("∂²", seconds, &|values| self.hessian(values));
            }
        }
        out += &self.check_part();
        if let Some(note) = &self.note {
            out += &format!(" · {note}");
        }
        if stale {
            out.push_str(" (stale)");
        }
        out
    }

    fn part(
        &self,
        sign: &str,
        derivatives: &[Derivative],
        shown: &dyn Fn(&[String]) -> String,
    ) -> String {
        let failed: Vec<String> = derivatives
            .iter()
            .filter_map(|d| Some(format!("{}: {}", d.by, d.values.as_ref().err()?.message)))
            .collect();
        match &self.groups(derivatives)[..] {
            [] if failed.is_empty() => String::new(),
            [] => format!(" · no {sign} ({})", failed.join("; ")),
            [group] => {
                let mut notes = vec![listed(&group.by)];
                notes.extend(failed);
                format!(" · {sign} = {} ({})", shown(group.values), notes.join("; "))
            }
            _ => {
                let each: Vec<String> = derivatives
                    .iter()
                    .filter_map(|d| Some(format!("{} = {}", d.by, shown(d.values.as_ref().ok()?))))
                    .collect();
                let mut out = format!(" · {sign} disagree: {}", each.join(", "));
                if !failed.is_empty() {
                    out.push_str(&format!(" ({})", failed.join("; ")));
                }
                out
            }
        }
    }

    /// What the differences say, in a few words.
    fn check_part(&self) -> String {
        let Some(checks) = &self.checks else {
            return String::new();
        };
        let mut failures = checks.first.as_ref().err().into_iter();
        let second = checks
            .second
            .as_ref()
            .and_then(|second| second.as_ref().err());
        if let Some(failure) = failures.next().or(second) {
            return format!(" · no differences ({})", failure.message);
        }
        let seconds = self.seconds.iter().flatten().map(|one| (one, true));
        let all = self
            .derivatives
            .iter()
            .map(|one| (one, false))
            .chain(seconds);
        let (mut checked, mut unknown) = (0, None);
        for (one, second) in all {
            let Ok(values) = &one.values else { continue };
            let labels = self.labels(second);
            let verdicts = self.verdicts(values, second);
            for ((verdict, value), label) in verdicts.iter().zip(values).zip(&labels) {
                checked += 1;
                match verdict {
                    Verdict::Agrees => {}
                    Verdict::Disagrees => {
                        let by = &one.by;
                        return format!(" · differences disagree with {label} = {value} ({by})");
                    }
                    Verdict::CannotTell(why) => unknown = unknown.or(Some(why.clone())),
                }
            }
        }
        match unknown {
            _ if checked == 0 => String::new(),
            Some(why) => format!(" · differences cannot tell: {why}"),
            None => " · differences agree".to_owned(),
        }
    }
}

/// Results at several points on one line, which says at its end whether they are stale.
pub fn label(results: &[DerivativeResult], stale: bool) -> String {
    let last = results.len().saturating_sub(1);
    let labels = results.iter().enumerate();
    let labels: Vec<String> = labels
        .map(|(i, result)| result.label(stale && i == last))
        .collect();
    labels.join("; ")
}

impl LawResult {
    /// `✓ holds for 100 values`, or `✗ is false for x = 0`.
    pub fn label(&self, stale: bool) -> String {
        let said = match &self.held {
            Ok(1) => "✓ holds for one value".to_owned(),
            Ok(tries) => format!("✓ holds for {tries} values"),
            Err(failure) => format!("✗ {}", failure.message),
        };
        match stale {
            true => format!("{said} (stale)"),
            false => said,
        }
    }
}

impl RunResult {
    /// `main = 42 · prints "hello" · draws 2 pictures`, or why there is no value.
    pub fn label(&self, stale: bool) -> String {
        let mut out = match &self.value {
            Ok(value) => format!("{} = {}", self.name, crate::text::excerpt(value)),
            Err(failure) => format!("{}: {}", self.name, failure.message),
        };
        if !self.output.is_empty() {
            let printed = crate::text::excerpt(self.output.trim_end());
            out.push_str(&format!(" · prints \"{printed}\""));
        }
        match self.pictures.len() {
            0 => {}
            1 => out.push_str(" · draws a picture"),
            many => out.push_str(&format!(" · draws {many} pictures")),
        }
        if stale {
            out.push_str(" (stale)");
        }
        out
    }
}
