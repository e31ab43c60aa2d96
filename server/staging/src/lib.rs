//! Staged programs: what is left of a smooth Frank program once it has run on names instead of numbers,
//! a graph of operations on floats.
//!
//! [`Graph::read`] reads what the library's `ad-stage` prints, [`Flat`] computes it, and
//! [`emit`] writes it as code.
//!
//! # Example
//!
//! ```
//! use frank_staging::{Function, Graph, Target, Unit, emit};
//!
//! let printed = "graphOf 1 1 [line2 timesE (inputOf 0) (inputOf 0)] [lineOf 0]";
//! let graph = Graph::read(printed)?;
//! assert_eq!(graph.run(&[3.0]), [9.0]);
//! let unit = Unit {
//!     name: "square".to_owned(),
//!     inputs: vec!["x".to_owned()],
//!     functions: vec![Function {
//!         suffix: String::new(),
//!         results: vec!["square x".to_owned()],
//!         graph,
//!     }],
//! };
//! let mut code = Vec::new();
//! emit(Target::Python, &unit, &mut code)?;
//! assert!(String::from_utf8(code)?.contains("def square(x):"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algebra;
mod c;
mod cut;
mod dot;
mod flat;
mod formula;
mod frank;
mod graph;
mod json;
mod names;
mod numbers;
mod python;
mod read;
mod run;
mod rust;
mod straight;
mod unit;
mod wat;

use std::io::{self, Write};

pub use flat::{Flat, Step, WrongPoint};
pub use formula::{Formulas, Style, formulas};
pub use graph::{Binary, Graph, Line, Operand, Unary, Unsound};
pub use numbers::show_float;
pub use read::ReadError;
pub use run::{value1, value2};
pub use unit::{Function, Unit};

/// What a graph is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    C,
    Rust,
    Python,
    /// WebAssembly, as text.
    Wat,
    /// Graphviz.
    Dot,
    /// A program over the library `ad`.
    Frank,
    Json,
    /// Formulas, for LaTeX with `amsmath`.
    Latex,
    /// Formulas as text.
    Formula,
}

/// Writes a unit as code that compiles.
///
/// # Errors
/// Those of the writer.
pub fn emit(target: Target, unit: &Unit, out: &mut dyn Write) -> io::Result<()> {
    match target {
        Target::C => straight::write(&c::C, unit, out),
        Target::Rust => straight::write(&rust::Rust, unit, out),
        Target::Python => straight::write(&python::Python, unit, out),
        Target::Wat => straight::write(&wat::Wat, unit, out),
        Target::Dot => dot::write(unit, out),
        Target::Frank => frank::write(unit, out),
        Target::Json => json::write(unit, out),
        Target::Latex => formula::latex(unit, out),
        Target::Formula => formula::text(unit, out),
    }
}
