//! Where things come from (LSP `textDocument/definition`, `declaration`, `typeDefinition`,
//! `implementation`).

use frank_analysis::db::item;
use frank_analysis::db::item_name;
use frank_analysis::program::OperatorDef;
use frank_analysis::types::{Ty, TyKind};
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{ItemKind, NodeId};

use crate::names::{Def, Occurrence, Role};
use crate::target::Target;
use crate::view::{Spot, Typed};
use crate::{Analysis, FilePosition, FileRange};

/// What "go to" found: the name that was asked about and where it leads. Where it leads nowhere, the
/// answer is `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goto {
    /// The name at the cursor.
    pub origin: FileRange,
    pub targets: Vec<Target>,
}

impl Analysis {
    /// The definition of the name at a place; for an operator its clauses, from a clause's head
    /// its signature (`textDocument/definition`).
    pub fn definition(&self, at: FilePosition) -> Option<Goto> {
        let spot = self.spot(at)?;
        let name = spot.name()?;
        let targets = match name.def {
            Def::Operator(operator) if name.role != Role::Clause => self.clauses(operator),
            _ => Vec::new(),
        };
        let targets = match targets.is_empty() {
            true => self.declared(name.def).into_iter().collect(),
            false => targets,
        };
        self.found(&spot, name, targets)
    }

    /// The declaration of the name at a place: for an operator its signature
    /// (`textDocument/declaration`).
    pub fn declaration(&self, at: FilePosition) -> Option<Goto> {
        let spot = self.spot(at)?;
        let name = spot.name()?;
        let targets = self.declared(name.def).into_iter().collect();
        self.found(&spot, name, targets)
    }

    /// The data type of the term, pattern or name at a place; of a computation, that of its
    /// result (`textDocument/typeDefinition`).
    pub fn type_definition(&self, at: FilePosition) -> Option<Goto> {
        let spot = self.spot(at)?;
        let name = spot.name();
        if let Some(name) = name {
            let direct = match name.def {
                Def::Constructor(constructor) => Some(Def::Data(constructor.data)),
                Def::Command(command) if name.role != Role::Use => {
                    Some(Def::Interface(command.interface))
                }
                Def::Data(_) | Def::Interface(_) | Def::Alias(_) => Some(name.def),
                _ => None,
            };
            if let Some(def) = direct {
                let targets = self.declared(def).into_iter().collect();
                return self.found(&spot, name, targets);
            }
        }
        let (ty, typed, node) = type_at(&spot, name)?;
        let def = data_of(&typed, ty)?;
        let targets: Vec<Target> = self.declared(def).into_iter().collect();
        let origin = typed.view.file_range(node);
        (!targets.is_empty()).then_some(Goto { origin, targets })
    }

    /// What implements the name at a place: for a command or an interface the clauses that handle
    /// it, for a data type its constructors, for an operator its clauses
    /// (`textDocument/implementation`).
    pub fn implementation(&self, at: FilePosition) -> Option<Goto> {
        let spot = self.spot(at)?;
        let name = spot.name()?;
        let targets = self.implementations(name.def);
        self.found(&spot, name, targets)
    }

    /// The targets of [`Analysis::implementation`] for a definition.
    pub(crate) fn implementations(&self, def: Def) -> Vec<Target> {
        let db = self.db();
        match def {
            Def::Operator(operator) => self.clauses(operator),
            Def::Command(_) => self.handling(def),
            Def::Interface(interface) => {
                let Some(source) = interface.item(db) else {
                    return Vec::new();
                };
                let names = self.view(interface.0.scope, source).names();
                let commands = names
                    .iter()
                    .filter(|name| name.role == Role::Definition)
                    .filter(|name| matches!(name.def, Def::Command(_)));
                let mut targets: Vec<Target> =
                    commands.flat_map(|name| self.handling(name.def)).collect();
                targets.sort_by_key(|t| (t.full.file.path(db).to_owned(), t.full.range.start()));
                targets.dedup();
                targets
            }
            Def::Data(data) => {
                let Some(source) = data.item(db) else {
                    return Vec::new();
                };
                match &item(db, source).kind {
                    ItemKind::Data { constructors, .. } => constructors
                        .iter()
                        .map(|c| self.target(source, c.name.id))
                        .collect(),
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// The command patterns of a command.
    fn handling(&self, command: Def) -> Vec<Target> {
        let handled = self
            .uses(command)
            .into_iter()
            .filter(|found| found.name.role == Role::Handle);
        handled
            .map(|found| {
                let view = self.view(found.scope, found.source);
                let path = frank_syntax::ast::tree::path_at(
                    view.item(),
                    view.map(),
                    found.name.range.start(),
                );
                let clause = path.iter().rev().find_map(|node| match node {
                    Node::Clause(clause) => Some(clause.id),
                    _ => None,
                });
                Target {
                    full: view.file_range(clause.unwrap_or(found.name.node)),
                    focus: view.file_range(found.name.node),
                }
            })
            .collect()
    }

    /// The clauses of an operator.
    pub(crate) fn clauses(&self, operator: OperatorDef) -> Vec<Target> {
        let db = self.db();
        let clauses = operator.items(db).clauses.iter();
        clauses
            .filter_map(|source| Some(self.target(*source, item_name(db, *source)?)))
            .collect()
    }

    fn found(&self, spot: &Spot<'_>, name: Occurrence, targets: Vec<Target>) -> Option<Goto> {
        let origin = spot.view.file_range(name.node);
        (!targets.is_empty()).then_some(Goto { origin, targets })
    }
}

/// The type of what stands at a place: of the local there, of the term, of the pattern.
pub(crate) fn type_at<'a>(
    spot: &Spot<'a>,
    name: Option<Occurrence>,
) -> Option<(Ty, Typed<'a>, NodeId)> {
    let typed = spot.view.typed()?;
    if let Some(Occurrence {
        def: Def::Local { binder, .. },
        node,
        ..
    }) = name
        && let Some(ty) = typed.local_type(binder)
    {
        return Some((ty, typed, node));
    }
    let item = spot.view.item();
    let found = spot.path().into_iter().rev().find_map(|node| match node {
        Node::Term(term) => {
            let ty = typed.body().types.get(term).copied();
            // The head of a call stands for what the call gives.
            ty.map(|ty| (ty, item.terms[term].id))
        }
        Node::Pattern(pattern) => {
            let ty = typed.body().pattern_types.get(pattern).copied();
            ty.map(|ty| (ty, item.patterns[pattern].id))
        }
        _ => None,
    })?;
    Some((found.0, typed, found.1))
}

/// The data type that values of a type, or the results of a computation, belong to.
fn data_of(typed: &Typed<'_>, ty: Ty) -> Option<Def> {
    match typed.inference.table.kind(ty) {
        TyKind::Data(data, _) => Some(Def::Data(*data)),
        TyKind::Computation(computation) => match typed.inference.table.kind(computation.result) {
            TyKind::Data(data, _) => Some(Def::Data(*data)),
            _ => None,
        },
        _ => None,
    }
}
