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
mod wanted;
mod written;

use frank_syntax::ast::{Item, TermId, TermKind};

pub use fit::Fit;
pub use heads::HeadKind;
pub use probe::{Probe, Subgoal};
pub use search::{Bounds, Found, Searched};
pub use written::Place;

use crate::diagnostics::{Code, Diagnostic, Location};
use crate::infer::{Body, Inference, Resolved};
use crate::show::{MESSAGE_BUDGET, Show};
use crate::surroundings::{Parent, Surroundings};
use crate::types::{AbilityData, Arg, Ty, TyKind};

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

/// Why nothing decides the type that a hole's place needs, or a part of it; `None` if all of it is decided.
pub fn undecided(
    inference: &Inference,
    item: &Item,
    surroundings: &Surroundings,
    body: &Body,
    hole: TermId,
) -> Option<String> {
    let ty = body.types.get(hole).copied()?;
    let mut budget = MESSAGE_BUDGET;
    if !mentions_undecided(inference, ty, &mut budget) {
        return None;
    }
    let what = match inference.table.kind(ty) {
        TyKind::Meta(_) | TyKind::Error => "its type",
        _ => "what is written `_` in its type",
    };
    let name = |term: TermId| match &item.terms[term].kind {
        TermKind::Name(name) => Some(name.symbol),
        _ => None,
    };
    let why = match surroundings.parent(hole) {
        Some(Parent::Term(parent)) => match &item.terms[parent].kind {
            TermKind::Sequence { first, .. } if *first == hole => {
                "its value is thrown away".to_owned()
            }
            TermKind::Let { name, bound, .. } if *bound == hole => {
                format!("`{}` is used nowhere that says what it is", name.symbol)
            }
            TermKind::Apply { head, args } if args.contains(&hole) => match name(*head) {
                Some(name) if is_ambiguous(inference, item, surroundings, body, hole) => {
                    format!(
                        "`{name}` lacks arguments, and which this one is depends on which are meant"
                    )
                }
                Some(head) => format!("`{head}` takes any there"),
                None => "what it is an argument of takes any".to_owned(),
            },
            TermKind::Apply { .. } => "nothing says what it gives".to_owned(),
            _ => "nothing around it says more".to_owned(),
        },
        Some(Parent::Clause { .. }) | None => "nothing around it says more".to_owned(),
    };
    Some(format!("nothing decides {what}: {why}"))
}

/// Whether a hole is an argument of a call that lacks others, and of no known type for that.
fn is_ambiguous(
    inference: &Inference,
    item: &Item,
    surroundings: &Surroundings,
    body: &Body,
    hole: TermId,
) -> bool {
    let Some(Parent::Term(parent)) = surroundings.parent(hole) else {
        return false;
    };
    let TermKind::Apply { head, args } = &item.terms[parent].kind else {
        return false;
    };
    let table = &inference.table;
    let (Some(function), Some(own)) = (body.types.get(*head), body.types.get(hole)) else {
        return false;
    };
    let (TyKind::Computation(called), TyKind::Meta(_) | TyKind::Error) =
        (table.kind(*function), table.kind(*own))
    else {
        return false;
    };
    let place = args.iter().position(|arg| *arg == hole);
    let port = place.and_then(|place| called.ports.get(place));
    // What takes any value takes this one.
    let is_any = port.is_some_and(|port| table.head(port.ty) == table.head(*own));
    called.ports.len() > args.len() && !is_any && !table.is_number_meta(*own)
}

fn mentions_undecided(inference: &Inference, ty: Ty, budget: &mut usize) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    let table = &inference.table;
    match table.kind(ty) {
        TyKind::Meta(_) => !table.is_number_meta(ty),
        TyKind::Error => true,
        TyKind::Data(_, args) => any_undecided(inference, args, budget),
        TyKind::Computation(computation) => {
            let ports = computation.ports.iter();
            let mut types = ports
                .clone()
                .map(|port| port.ty)
                .chain([computation.result]);
            let mut added = ports.flat_map(|port| port.added());
            let row = inference.table.row(computation.ability);
            types.any(|ty| mentions_undecided(inference, ty, budget))
                || added.any(|one| any_undecided(inference, &one.args, budget))
                || any_in_row(inference, &row, budget)
        }
        TyKind::Int | TyKind::Float | TyKind::Char | TyKind::Variable(_) => false,
    }
}

/// As [`mentions_undecided`], of what a data type or an interface is applied to.
fn any_undecided(inference: &Inference, args: &[Arg], budget: &mut usize) -> bool {
    args.iter().any(|arg| match arg {
        Arg::Type(ty) => mentions_undecided(inference, *ty, budget),
        Arg::Ability(ability) => any_in_row(inference, &inference.table.row(*ability), budget),
    })
}

/// As [`mentions_undecided`], of the instances of an ability. What else it has is for whoever runs it to say.
fn any_in_row(inference: &Inference, row: &AbilityData, budget: &mut usize) -> bool {
    let mut instances = row.instances.iter();
    instances.any(|one| any_undecided(inference, &one.args, budget))
}
