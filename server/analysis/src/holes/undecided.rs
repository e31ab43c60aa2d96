//! What nothing decides of the type that a hole's place needs, and why.

use std::cmp::Ordering;

use frank_syntax::ast::{Item, TermId, TermKind};

use crate::db::Db;
use crate::declarations::data_type;
use crate::infer::{Body, Inference, Resolved};
use crate::program::TermDef;
use crate::report::words::count;
use crate::show::MESSAGE_BUDGET;
use crate::surroundings::{Parent, Surroundings};
use crate::types::{AbilityData, Arg, Ty, TyKind};

/// Why nothing decides the type that a hole's place needs, or a part of it; `None` if all of it is decided.
pub fn undecided(
    db: &dyn Db,
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
            TermKind::Apply { head, args } if args.contains(&hole) => {
                let miscount = miscount(db, inference, item, surroundings, body, hole);
                match (name(*head), miscount) {
                    (Some(name), Some(Miscount::TooMany { taken: 0 })) => {
                        format!("`{name}` takes no arguments")
                    }
                    (Some(name), Some(Miscount::TooMany { taken })) => format!(
                        "`{name}` takes {}, and which are too many is not clear",
                        count(taken, "arguments")
                    ),
                    (Some(name), Some(Miscount::TooFew)) => format!(
                        "`{name}` lacks arguments, and which this one is depends on which are meant"
                    ),
                    (Some(name), None) => format!("`{name}` takes any there"),
                    (None, _) => "what it is an argument of takes any".to_owned(),
                }
            }
            TermKind::Apply { .. } => "nothing says what it gives".to_owned(),
            _ => "nothing around it says more".to_owned(),
        },
        Some(Parent::Clause { .. }) | None => "nothing around it says more".to_owned(),
    };
    Some(format!("nothing decides {what}: {why}"))
}

/// What is wrong with the number of a call's arguments.
pub(super) enum Miscount {
    TooFew,
    TooMany { taken: usize },
}

/// What is wrong with the number of arguments of the call that a hole is one of, if nothing is known of the hole for that.
pub(super) fn miscount(
    db: &dyn Db,
    inference: &Inference,
    item: &Item,
    surroundings: &Surroundings,
    body: &Body,
    hole: TermId,
) -> Option<Miscount> {
    let Some(Parent::Term(parent)) = surroundings.parent(hole) else {
        return None;
    };
    let TermKind::Apply { head, args } = &item.terms[parent].kind else {
        return None;
    };
    let place = args.iter().position(|arg| *arg == hole)?;
    let ty = body.types.get(hole).copied()?;
    let table = &inference.table;
    let is_unknown = matches!(table.kind(ty), TyKind::Meta(_) | TyKind::Error);
    if !is_unknown || table.is_number_meta(ty) {
        return None;
    }
    let taken = taken(db, inference, body, *head)?;
    if let Some(TyKind::Computation(called)) = body.types.get(*head).map(|head| table.kind(*head))
        && let Some(port) = called.ports.get(place)
        && table.head(port.ty) == table.head(ty)
    {
        // What takes any value takes this one.
        return None;
    }
    match taken.cmp(&args.len()) {
        Ordering::Less => Some(Miscount::TooMany { taken }),
        Ordering::Greater => Some(Miscount::TooFew),
        Ordering::Equal => None,
    }
}

/// How many arguments what is called takes, if that is known.
fn taken(db: &dyn Db, inference: &Inference, body: &Body, head: TermId) -> Option<usize> {
    if let Some(Resolved::Definition(TermDef::Constructor(made))) = body.names.get(head) {
        let declared = data_type(db, made.data.0.scope, made.data.0.name).as_ref()?;
        let constructor = declared.constructors.get(made.index as usize)?;
        return Some(constructor.fields.len());
    }
    match inference.table.kind(*body.types.get(head)?) {
        TyKind::Computation(called) => Some(called.ports.len()),
        _ => None,
    }
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
