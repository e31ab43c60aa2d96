//! Holes: places in a program where a term is still to be written.
//!
//! A hole is `_`, or `_name` where nothing of that name is in scope, in the place of a term. It has whatever type its
//! place turns out to need. It is an error that keeps nothing from running: see [`crate::link`].
//!
//! | Question | Answer |
//! |---|---|
//! | which terms are holes? | [`holes`] |
//! | what is missing there, and what is not decided? | [`sentence`], [`undecided`] |
//! | does a local fit, and how? | [`Probe::fit_of`] |
//! | what could begin a term that fits? | [`Probe::fits`] |
//! | which terms fit? | [`Probe::search`] |

mod adaptors;
mod detours;
mod fit;
mod handled;
mod heads;
mod in_sight;
mod literals;
mod operations;
mod pieces;
mod probe;
mod search;
mod undecided;
mod wanted;
mod written;

use frank_syntax::ast::TermId;

pub use fit::Fit;
pub use heads::HeadKind;
pub use probe::{Probe, Subgoal};
pub use search::{Bounds, Found, Searched};
pub use undecided::undecided;
pub use written::Place;

use crate::diagnostics::{Code, Diagnostic, Location};
use crate::infer::{Body, Inference, Resolved};
use crate::show::{MESSAGE_BUDGET, Show};
use crate::types::TyKind;

/// What is said of a hole of which nothing is known.
pub const SENTENCE: &str = "a hole: a value is missing here";

/// The holes of an item, in the order of its text.
pub fn holes(body: &Body) -> impl Iterator<Item = TermId> + '_ {
    let names = body.names.iter();
    names.filter_map(|(term, resolved)| (*resolved == Resolved::Hole).then_some(term))
}

/// What is missing at a hole: what the checker says of it, and a run that comes to it.
pub fn sentence(inference: &Inference, body: &Body, hole: TermId) -> String {
    match shown_type(inference, body, hole) {
        Some(ty) => format!("a hole: a value of type `{ty}` is missing here"),
        None => SENTENCE.to_owned(),
    }
}

/// The finding about a hole that stands at a place.
pub fn finding(at: Location, sentence: String) -> Diagnostic {
    Diagnostic::new(Code::Hole, at, sentence)
        .help("write a term in its place; what a pattern `_` throws away has no name to be read by")
}

/// The type that a hole's place needs, as text; `None` if nothing is known of it.
pub fn shown_type(inference: &Inference, body: &Body, hole: TermId) -> Option<String> {
    let table = &inference.table;
    let ty = body.types.get(hole).copied()?;
    let is_known =
        table.is_number_meta(ty) || !matches!(table.kind(ty), TyKind::Meta(_) | TyKind::Error);
    let show = Show {
        table,
        values: &inference.rigid_values,
        effects: &inference.rigid_effects,
        budget: MESSAGE_BUDGET,
        metas: None,
    };
    is_known.then(|| show.ty(ty))
}
