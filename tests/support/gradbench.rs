//! The evaluations of the benchmark GradBench that scalars can do: their inputs, and the programs in
//! `docs/examples/gradbench` applied to them.

use crate::book::book_root;
use crate::project_root;

/// An evaluation at an input.
#[derive(Debug, Clone)]
pub struct Case {
    /// What GradBench calls it, and the name of its program.
    pub evaluation: &'static str,
    /// Its sizes: nothing is differentiated in them.
    pub whole: Vec<usize>,
    /// Its other numbers.
    pub numbers: Vec<f64>,
    /// What is asked for, as its program names it.
    pub functions: &'static [&'static str],
}

/// What a function of a case has to give.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The case and the function, as `Case::name` has it.
    pub name: String,
    /// How long it took, where that was measured.
    pub nanos: f64,
    pub values: Vec<f64>,
}

/// The functions of an evaluation that has a value and a gradient.
const VALUE_AND_GRADIENT: [&str; 2] = ["primal", "gradient"];
/// Those of a gradient descent within another: the mode outside, and that inside.
const NESTED: [&str; 4] = ["ff", "fr", "rf", "rr"];
/// Those of them that the benchmark measures; the others take minutes elsewhere.
const UNMIXED: [&str; 2] = ["ff", "rr"];

/// The cases of the tests.
pub fn small() -> Vec<Case> {
    let mut random = Random(1);
    vec![
        hello(&mut random),
        hello(&mut random),
        saddle(&mut random, &NESTED),
        particle(random.between(0.0, 0.1), &NESTED),
        ode(&mut random, 1, 1),
        ode(&mut random, 3, 4),
        ode(&mut random, 12, 40),
        llsq(&mut random, 2, 2),
        llsq(&mut random, 9, 4),
        llsq(&mut random, 100, 10),
        lse(&mut random, 1),
        lse(&mut random, 10),
        lse(&mut random, 300),
        det(&mut random, 1),
        det(&mut random, 3),
        det(&mut random, 5),
        gmm(&mut random, 1, 1, 0, 2),
        gmm(&mut random, 2, 3, 0, 10),
        gmm(&mut random, 4, 5, 2, 20),
    ]
}

/// The cases of the benchmark.
pub fn large() -> Vec<Case> {
    let mut random = Random(2);
    vec![
        saddle(&mut random, &UNMIXED),
        particle(0.0, &UNMIXED),
        ode(&mut random, 20, 200),
        llsq(&mut random, 1000, 16),
        lse(&mut random, 1000),
        det(&mut random, 7),
        gmm(&mut random, 2, 5, 0, 500),
    ]
}

fn hello(random: &mut Random) -> Case {
    Case::new("hello", vec![], vec![random.between(-10.0, 10.0)])
}

/// Nearer to 0 the first step is too small to be taken.
fn saddle(random: &mut Random, functions: &'static [&'static str]) -> Case {
    Case {
        functions,
        ..Case::new("saddle", vec![], random.list(2, 0.6, 1.5))
    }
}

fn particle(start: f64, functions: &'static [&'static str]) -> Case {
    Case {
        functions,
        ..Case::new("particle", vec![], vec![start])
    }
}

fn ode(random: &mut Random, variables: usize, steps: usize) -> Case {
    Case::new("ode", vec![steps], random.list(variables, 0.5, 2.0))
}

fn llsq(random: &mut Random, places: usize, coefficients: usize) -> Case {
    let numbers = random.list(coefficients, -1.0, 1.0);
    Case::new("llsq", vec![places, coefficients], numbers)
}

fn lse(random: &mut Random, size: usize) -> Case {
    Case::new("lse", vec![size], random.list(size, -20.0, 800.0))
}

fn det(random: &mut Random, size: usize) -> Case {
    Case::new("det", vec![size], random.list(size * size, -1.0, 1.0))
}

/// In `dimensions`, a number of Gaussians, `m` of the Wishart distribution, a number of points. The
/// numbers are that distribution's gamma, the points, and the parameters.
fn gmm(random: &mut Random, dimensions: usize, gaussians: usize, m: usize, points: usize) -> Case {
    let each = 1 + 2 * dimensions + dimensions * (dimensions - 1) / 2;
    let mut numbers = vec![random.between(0.5, 1.5)];
    numbers.extend(random.list(points * dimensions, -2.0, 2.0));
    numbers.extend(random.list(gaussians * each, -1.0, 1.0));
    Case::new("gmm", vec![dimensions, gaussians, m, points], numbers)
}

impl Case {
    fn new(evaluation: &'static str, whole: Vec<usize>, numbers: Vec<f64>) -> Case {
        Case {
            evaluation,
            whole,
            numbers,
            functions: &VALUE_AND_GRADIENT,
        }
    }

    /// For `peer.py`: the evaluation, the functions, the whole numbers and the others, between tabs.
    pub fn line(&self) -> String {
        let (whole, numbers) = (words(&self.whole), floats(&self.numbers, " "));
        let functions = self.functions.join(" ");
        format!("{}\t{functions}\t{whole}\t{numbers}", self.evaluation)
    }

    /// The evaluation, its sizes or else its numbers, and the function, as `peer.py` writes them.
    pub fn name(&self, function: &str) -> String {
        let size = match self.whole.is_empty() {
            true => floats(&self.numbers, " "),
            false => words(&self.whole),
        };
        format!("{} {size} {function}", self.evaluation)
    }

    /// A program whose value is the list of what a function gives: the names and texts of its
    /// files, the root last.
    pub fn program(&self, function: &str) -> std::io::Result<Vec<(String, String)>> {
        let mut files = example(self.evaluation)?;
        if let Some((_, root)) = files.last_mut() {
            // The example's own `main` stands at its end.
            root.truncate(root.find("\nmain :").unwrap_or(root.len()));
            let term = self.term(function);
            root.push_str(&format!(
                "\nmain : [RefState] (List Float)\nmain! = {term}\n"
            ));
        }
        Ok(files)
    }

    /// The term for a function, which gives a list.
    fn term(&self, function: &str) -> String {
        let sizes = words(&self.whole);
        let xs = list(&self.numbers);
        let x = format!("({})", floats(&self.numbers, " "));
        // What comes before the variables, and they.
        let (given, variables) = match self.evaluation {
            "hello" | "particle" => (String::new(), x),
            "saddle" | "lse" => (String::new(), xs),
            "llsq" => (words(self.whole.get(..1).unwrap_or_default()), xs),
            "gmm" => self.gmm(),
            _ => (sizes.clone(), xs),
        };
        match (self.evaluation, function) {
            ("det", "primal") => format!("[evaluate (primal (rowsOf {sizes} {variables}))]"),
            ("ode", "primal") => format!("evaluate (primal {given} {variables})"),
            ("hello", "gradient") => format!("[gradient {variables}]"),
            (_, "primal") => format!("[evaluate (primal {given} {variables})]"),
            _ => format!("{function} {given} {variables}"),
        }
    }

    /// What is given of a mixture, and its parameters.
    fn gmm(&self) -> (String, String) {
        let &[dimensions, gaussians, m, points] = self.whole.as_slice() else {
            return Default::default();
        };
        let (gamma, rest) = self.numbers.split_at(1);
        let (data, parameters) = rest.split_at(points * dimensions);
        let rows: Vec<String> = data.chunks(dimensions).map(list).collect();
        let known = format!(
            "(given {dimensions} {gaussians} {} {m} [{}])",
            floats(gamma, " "),
            rows.join(", ")
        );
        (known, list(parameters))
    }
}

/// The program of an evaluation: the names and texts of its files, the root last.
pub fn example(evaluation: &str) -> std::io::Result<Vec<(String, String)>> {
    let names = ["descent", evaluation].map(|name| format!("{name}.fk"));
    let files = names.into_iter().map(|name| {
        let text = std::fs::read_to_string(book_root().join("examples/gradbench").join(&name))?;
        Ok((name, text))
    });
    files.collect()
}

/// What `autograd` gave, as it is stored.
pub fn references() -> std::io::Result<Vec<Reference>> {
    let text = std::fs::read_to_string(project_root().join("tests/gradbench/references.txt"))?;
    Ok(text.lines().filter_map(Reference::parse).collect())
}

impl Reference {
    /// A line of `peer.py`.
    pub fn parse(line: &str) -> Option<Reference> {
        let mut parts = line.split('\t');
        let name = parts.next()?.to_owned();
        let nanos = parts.next()?.parse().ok()?;
        let values = parts.next()?.split(' ').map(|word| word.parse().ok());
        let values = values.collect::<Option<_>>()?;
        Some(Reference {
            name,
            nanos,
            values,
        })
    }

    /// How values differ from these, if they do.
    pub fn compare(&self, values: &[f64]) -> Result<(), String> {
        if values.len() != self.values.len() {
            let (ours, theirs) = (values.len(), self.values.len());
            return Err(format!("{}: {ours} values, not {theirs}", self.name));
        }
        let greatest = self.values.iter().fold(0.0_f64, |y, x| y.max(x.abs()));
        for (i, (ours, theirs)) in values.iter().zip(&self.values).enumerate() {
            let near = (ours - theirs).abs() <= 1e-9 * greatest;
            if !near {
                return Err(format!("{}: {ours} at {i}, not {theirs}", self.name));
            }
        }
        Ok(())
    }
}

/// The numbers in a text that `frank` shows: a list of them.
pub fn shown_numbers(text: &str) -> Option<Vec<f64>> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    inside.split(", ").map(|word| word.parse().ok()).collect()
}

fn list(numbers: &[f64]) -> String {
    format!("[{}]", floats(numbers, ", "))
}

fn floats(numbers: &[f64], between: &str) -> String {
    let words: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
    words.join(between)
}

fn words(sizes: &[usize]) -> String {
    let words: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    words.join(" ")
}

/// The generator of the inputs, which no version of a crate changes: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number with three digits after the point.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        ((low + share * (high - low)) * 1000.0).round() / 1000.0
    }

    fn list(&mut self, length: usize, low: f64, high: f64) -> Vec<f64> {
        (0..length).map(|_| self.between(low, high)).collect()
    }
}
