//! What is to be run for an answer. A plan holds nothing of a snapshot.

use frank_core::Program;

use super::point::{Numeral, Tree};
use super::roles::Number;
use super::shape::Shape;
use crate::laws::Law;

/// A term of a plan: its number among the program's entries, or why it cannot run.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    Ready(usize),
    Refused(String),
}

/// Where a function is evaluated.
#[derive(Debug, Clone)]
pub(super) enum Point {
    /// An argument for each parameter.
    Known(Vec<Tree<Numeral>>),
    /// The point is a term itself, whose value is asked for; with its text, and with what computes.
    Computed(Entry, String, Number),
}

/// What a value is read as.
#[derive(Debug, Clone)]
pub(super) struct Printed {
    pub shape: Shape,
    /// The numbers are those of a way of differentiation, and stand in a list of one.
    pub lifted: bool,
}

/// What is to be run to get a value and its derivatives. Holds no part of a snapshot.
///
/// Its terms begin with bindings of numbers, which are exchanged for those of the point, of its
/// neighbours, and of the variable that is asked about: see `template.rs`.
#[derive(Debug)]
pub struct Plan {
    /// The function, as it is written.
    pub name: String,
    pub(super) at: Point,
    /// The names of the variables.
    pub(super) variables: Vec<String>,
    pub(super) value: Entry,
    pub(super) printed: Printed,
    /// A term for every derivative operator.
    pub(super) derivatives: Vec<(String, Entry)>,
    /// Likewise for every pair of them, where second derivatives are asked for.
    pub(super) seconds: Option<Vec<(String, Entry)>>,
    /// The function's value, to be compared with at other points.
    pub(super) check: Option<Entry>,
    pub(super) program: Program,
    /// What is wrong with the point in the doc comment, where that would have counted.
    pub(super) note: Option<String>,
    /// See [`Analysis::derivative_stamp`](crate::Analysis::derivative_stamp).
    pub stamp: u64,
}

/// An entry that is to be run. Holds no part of a snapshot.
#[derive(Debug)]
pub struct RunPlan {
    pub name: String,
    pub(super) program: Program,
    /// See [`Analysis::run_stamp`](crate::Analysis::run_stamp).
    pub stamp: u64,
}

/// A law in a comment that is to be tried. Holds no part of a snapshot.
#[derive(Debug)]
pub struct LawPlan {
    pub(super) law: Law,
    /// See [`Analysis::law_stamp`](crate::Analysis::law_stamp).
    pub(super) stamp: u64,
}

/// What is asked about a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Question<'a> {
    /// The point, a Frank text for each argument; without one that in the doc comment counts, then
    /// `last`, then 1.
    pub at: Option<&'a [String]>,
    /// The point that was asked about before.
    pub last: Option<&'a [String]>,
    /// Second derivatives, too.
    pub second: bool,
    /// Finite differences beside the derivatives.
    pub check: bool,
}

impl Plan {
    /// The names of the variables.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The numbers of the point, in the order of the variables; none if they are known when it runs only.
    pub(crate) fn point(&self) -> Vec<f64> {
        match &self.at {
            Point::Known(at) => {
                let numbers = at.iter().flat_map(Tree::leaves);
                numbers.map(|number| number.as_float()).collect()
            }
            Point::Computed(..) => Vec::new(),
        }
    }
}
