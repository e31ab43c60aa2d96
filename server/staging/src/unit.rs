//! What is written as code together.

use crate::graph::Graph;

/// A function and its derivatives, to be written as code.
#[derive(Debug, Clone)]
pub struct Unit {
    /// The operator's name, as in Frank.
    pub name: String,
    /// The names of its variables, such as `x` and `xs.1`.
    pub inputs: Vec<String>,
    pub functions: Vec<Function>,
}

/// One function of a unit: from all the variables to its results.
#[derive(Debug, Clone)]
pub struct Function {
    /// What comes after the unit's name, such as `_derivatives`; letters, digits and `_`.
    pub suffix: String,
    /// What each result is, in words or symbols: one for each result of the graph.
    pub results: Vec<String>,
    pub graph: Graph,
}
