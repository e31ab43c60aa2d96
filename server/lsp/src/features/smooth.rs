//! `frank/smooth`: what there is to know about an operator before it is differentiated.

use serde::Serialize;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

/// A smooth operator.
#[derive(Debug, Serialize)]
pub struct Smooth {
    /// How many arguments it takes, those included that are held fixed.
    arity: usize,
    /// The point that its comment names, a text for each argument.
    point: Option<Vec<String>>,
    /// The operators that differentiate it.
    derivatives: Vec<String>,
}

/// About the operator of a name in a file's program; `None` if nothing differentiates it.
pub fn smooth(snapshot: &RequestSnapshot, target: &Target, name: &str) -> Answer<Option<Smooth>> {
    let operator = snapshot.analysis.smooth_operator(target.file, name);
    Ok(operator.map(|operator| Smooth {
        arity: operator.arity,
        point: operator.point,
        derivatives: operator.derivatives,
    }))
}
