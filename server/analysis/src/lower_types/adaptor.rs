//! Adaptors, their names looked up.

use std::collections::HashMap;

use frank_syntax::ast::{AdaptorExpr, Adjustment, ItemKind, Symbol};

use super::row_names;
use crate::db::{Db, ItemSource, SourceFile, item};
use crate::diagnostics::{Code, Diagnostic, Location, similar_names};
use crate::fixes;
use crate::program::{
    InterfaceDef, OperatorDef, RowDef, TermDef, operator_items, resolve_row, resolve_term,
};
use crate::types::Adaptor;

/// An adaptor whose names are looked up.
pub struct ResolvedAdaptor {
    /// `None` where the adaptor makes no sense.
    pub adaptor: Option<Adaptor>,
    /// The interface whose instances it is about, if there is such an interface.
    pub interface: Option<InterfaceDef>,
    pub problems: Vec<Diagnostic>,
}

/// Resolves the names of an adaptor; what it does to an ability is not looked at.
pub fn adaptor_of(
    db: &dyn Db,
    scope: SourceFile,
    source: ItemSource,
    expr: &AdaptorExpr,
) -> ResolvedAdaptor {
    let mut problems = Vec::new();
    let name = expr.interface;
    let at = |node| Location::node(source, node);
    let interface = match resolve_row(db, scope, name.symbol) {
        Some(RowDef::Interface(interface)) => interface,
        Some(RowDef::Alias(_)) => {
            problems.push(
                Diagnostic::new(
                    Code::AliasInAdaptor,
                    at(name.id),
                    format!(
                        "`{}` is an alias, and an adaptor names an interface",
                        name.symbol
                    ),
                )
                .help("adapt the interfaces that the alias stands for, one by one"),
            );
            return ResolvedAdaptor {
                adaptor: None,
                interface: None,
                problems,
            };
        }
        None => {
            let mut problem = Diagnostic::new(
                Code::UnknownInterface,
                at(name.id),
                format!("there is no interface `{}`", name.symbol),
            );
            let names = row_names(db, scope);
            let known = names.iter().map(|name| name.as_str());
            let mut similar = similar_names(name.symbol.as_str(), known.clone());
            if similar.is_empty() {
                // `Read` for `Reader`.
                similar.extend(known.filter(|known| known.starts_with(name.symbol.as_str())));
            }
            problem = match command_interface(db, scope, name.symbol) {
                Some(interface) => of_command(problem, at(name.id), name.symbol, interface),
                None if let Some(interface) = handled_by(db, scope, name.symbol) => problem
                    .help(format!(
                        "`{}` is an operator, which handles `{interface}`: write `{interface}`",
                        name.symbol
                    ))
                    .fix(fixes::rename(at(name.id), interface.as_str())),
                None => crate::fixes::did_you_mean(problem, at(name.id), &similar),
            };
            problems.push(problem);
            return ResolvedAdaptor {
                adaptor: None,
                interface: None,
                problems,
            };
        }
    };
    let Some(shape) = &expr.shape else {
        let adaptor = Adaptor {
            interface,
            taken: 1,
            kept: Vec::new(),
            drops_all: false,
        };
        return ResolvedAdaptor {
            interface: Some(interface),
            adaptor: Some(adaptor),
            problems,
        };
    };
    let mut left: HashMap<Symbol, u32> = HashMap::new();
    let count = shape.left.len() as u32;
    for (i, name) in shape.left.iter().enumerate() {
        if left.insert(name.symbol, count - 1 - i as u32).is_some()
            || name.symbol == shape.rest.symbol
        {
            problems.push(
                Diagnostic::new(
                    Code::RepeatedAdaptorName,
                    at(name.id),
                    format!(
                        "the adaptor names `{}` twice; the right-most place counts",
                        name.symbol
                    ),
                )
                .help("give every instance on the left a name of its own"),
            );
        }
    }
    let Some((first, chosen)) = shape.right.split_first() else {
        let adaptor = Adaptor {
            interface,
            taken: count,
            kept: Vec::new(),
            drops_all: true,
        };
        return ResolvedAdaptor {
            interface: Some(interface),
            adaptor: Some(adaptor),
            problems,
        };
    };
    if first.symbol != shape.rest.symbol {
        problems.push(
            Diagnostic::new(
                Code::MalformedAdaptor,
                at(first.id),
                format!(
                    "the right side of an adaptor begins with the rest, `{}`, but this is `{}`",
                    shape.rest.symbol, first.symbol
                ),
            )
            .related(at(shape.rest.id), "the rest is named here")
            .help(format!(
                "write `{}` first, and then the instances that are to be there",
                shape.rest.symbol
            )),
        );
        return ResolvedAdaptor {
            interface: Some(interface),
            adaptor: None,
            problems,
        };
    }
    let mut kept = Vec::with_capacity(chosen.len());
    for name in chosen.iter().rev() {
        match left.get(&name.symbol) {
            Some(position) => kept.push(*position),
            None => {
                let named: Vec<String> = shape
                    .left
                    .iter()
                    .map(|name| format!("`{}`", name.symbol))
                    .collect();
                let help = match named.is_empty() {
                    true => "the left side names no instance to choose from".to_owned(),
                    false => format!("choose among {}", named.join(", ")),
                };
                problems.push(
                    Diagnostic::new(
                        Code::MalformedAdaptor,
                        at(name.id),
                        format!(
                            "`{}` is not among the instances that the left side names",
                            name.symbol
                        ),
                    )
                    .help(help),
                );
                return ResolvedAdaptor {
                    interface: Some(interface),
                    adaptor: None,
                    problems,
                };
            }
        }
    }
    let adaptor = Adaptor {
        interface,
        taken: count,
        kept,
        drops_all: false,
    };
    ResolvedAdaptor {
        interface: Some(interface),
        adaptor: Some(adaptor),
        problems,
    }
}

/// The interface of a command, which stands in no ability itself.
pub(super) fn command_interface(
    db: &dyn Db,
    scope: SourceFile,
    name: Symbol,
) -> Option<InterfaceDef> {
    match resolve_term(db, scope, name)? {
        TermDef::Command(command) => Some(command.interface),
        TermDef::Operator(_) | TermDef::Constructor(_) => None,
    }
}

/// The interface that the first port of an operator adds, as its signature writes it.
fn handled_by(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Symbol> {
    let TermDef::Operator(OperatorDef(definition)) = resolve_term(db, scope, name)? else {
        return None;
    };
    let items = operator_items(db, definition.scope, definition.name);
    let ItemKind::Signature { ty, .. } = &item(db, *items.signatures.first()?).kind else {
        return None;
    };
    let mut added = ty.ports.iter().flat_map(|port| &port.adjustments);
    let interface = added.find_map(|adjustment| match adjustment {
        Adjustment::Instance(instance) => Some(instance.interface.symbol),
        Adjustment::Adaptor(_) => None,
    })?;
    let known = resolve_row(db, scope, interface)?;
    matches!(known, RowDef::Interface(_)).then_some(interface)
}

/// Of a command's name where an interface is needed, which interface it is of.
pub(super) fn of_command(
    problem: Diagnostic,
    at: Location,
    command: Symbol,
    interface: InterfaceDef,
) -> Diagnostic {
    let name = interface.0.name;
    problem
        .help(format!(
            "`{command}` is a command of `{name}`: write `{name}`"
        ))
        .fix(fixes::rename(at, name.as_str()))
}
