//! What belongs together in one file (LSP `textDocument/documentHighlight`).

use frank_syntax::ast::tree::{self, Node};
use frank_syntax::ast::{Item, ItemKind, TermId, TermKind};
use text_size::TextRange;

use crate::names::{Def, Occurrence, Role, scope_of};
use crate::tokens::contains_word;
use crate::view::{Spot, View, count};
use crate::{Analysis, FilePosition};

/// So many commands of one call are followed to their handlers.
const MOST_TRACED: usize = 64;

/// How a place relates to what is highlighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HighlightKind {
    /// It names it.
    Text,
    /// It reads a variable, uses an instance, performs a command.
    Read,
    /// It binds a variable, defines a name, handles a command.
    Write,
}

/// A place that lights up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Highlight {
    /// In the file that was asked about.
    pub range: TextRange,
    pub kind: HighlightKind,
}

impl Analysis {
    /// The places of the file that belong to the name at a place. On an interface in an ability
    /// or an adjustment these are the terms of the operator that use it as well; on a handler
    /// that is called, the commands that it takes there.
    pub fn highlights(&self, at: FilePosition) -> Vec<Highlight> {
        let Some(spot) = self.spot(at) else {
            return Vec::new();
        };
        let Some(name) = spot.name() else {
            return Vec::new();
        };
        let mut found = self.same_name(at, name.def);
        match name.def {
            Def::Interface(_) if name.role == Role::Use => self.users(&spot, name, &mut found),
            Def::Operator(_) if name.role == Role::Use => self.taken(&spot, name, &mut found),
            _ => {}
        }
        found.sort_by_key(|highlight| (highlight.range.start(), highlight.range.end()));
        found.dedup_by_key(|highlight| highlight.range);
        found
    }

    /// The names of a definition in one file.
    fn same_name(&self, at: FilePosition, def: Def) -> Vec<Highlight> {
        let db = self.db();
        let scope = scope_of(db, at.file);
        let word = self.name_of(def);
        let local = match def {
            Def::Local { item, .. }
            | Def::TypeVariable { item, .. }
            | Def::AdaptorName { item, .. } => Some(item),
            _ => None,
        };
        let mut found = Vec::new();
        for (entry, _) in self.snapshot().items(at.file) {
            let here = match (local, word) {
                (Some(item), _) => item == entry.item,
                (None, Some(word)) => contains_word(entry.item.text(db), word),
                (None, None) => true,
            };
            if here {
                let view = self.view(scope, entry.item);
                found.extend(
                    view.names()
                        .into_iter()
                        .filter(|name| name.def == def)
                        .map(|name| Highlight {
                            range: name.range + view.start,
                            kind: kind(name.role),
                        }),
                );
            }
        }
        found
    }

    /// The commands that a handler takes where it is called.
    fn taken(&self, spot: &Spot<'_>, name: Occurrence, found: &mut Vec<Highlight>) {
        let Some(typed) = spot.view.typed() else {
            return;
        };
        let view = spot.view;
        let item = view.item();
        let head = view.file_range(name.node);
        // The outermost call with this name at its head.
        let call = spot.path().into_iter().find_map(|node| match node {
            Node::Term(term) => match &item.terms[term].kind {
                TermKind::Apply { head, .. }
                    if crate::trace::name_of_use(item, *head) == name.node =>
                {
                    Some(term)
                }
                _ => None,
            },
            _ => None,
        });
        let Some(call) = call else { return };
        let inside = view.range(item.terms[call].id);
        let commands = view.names().into_iter().filter(|other| {
            matches!(other.def, Def::Command(_))
                && other.role == Role::Use
                && inside.contains_range(other.range)
        });
        for other in commands.take(MOST_TRACED) {
            let Def::Command(command) = other.def else {
                continue;
            };
            let receivers = self.receivers(&typed, other.node, command.interface, 0);
            if receivers
                .handlers
                .iter()
                .any(|receiver| receiver.at == head)
            {
                let range = other.range + view.start;
                found.push(Highlight {
                    range,
                    kind: HighlightKind::Read,
                });
            }
        }
    }

    /// The terms of an operator that use an interface: its commands, and the calls of operators
    /// whose own ability names it.
    fn users(&self, spot: &Spot<'_>, name: Occurrence, found: &mut Vec<Highlight>) {
        let Def::Interface(interface) = name.def else {
            return;
        };
        let Some(operator) = spot.view.operator() else {
            return;
        };
        for source in &operator.items(self.db()).clauses {
            if source.file(self.db()) != spot.view.source.file(self.db()) {
                continue;
            }
            let view = self.view(spot.view.scope, *source);
            for name in view.names() {
                let uses = match name.def {
                    Def::Command(command) => command.interface == interface,
                    _ => false,
                };
                if uses {
                    let range = name.range + view.start;
                    found.push(Highlight {
                        range,
                        kind: kind(name.role),
                    });
                }
            }
            for head in heads_needing(&view, |instances| count(instances, interface) > 0) {
                let range = view.range(view.item().terms[head].id) + view.start;
                found.push(Highlight {
                    range,
                    kind: HighlightKind::Read,
                });
            }
        }
    }
}

/// The heads of calls to operators whose signature names instances that are wanted.
fn heads_needing(
    view: &View<'_>,
    wanted: impl Fn(&[frank_analysis::types::Instance]) -> bool,
) -> Vec<TermId> {
    use frank_analysis::declarations::signature;
    let mut heads = Vec::new();
    let names = view.names();
    let item: &Item = view.item();
    if !matches!(item.kind, ItemKind::Clause { .. }) {
        return heads;
    }
    tree::for_each(item, |node| {
        let Node::Term(term) = node else { return };
        let node = item.terms[term].id;
        let operator = names.iter().find_map(|name| match name.def {
            Def::Operator(operator) if name.node == node && name.role == Role::Use => {
                Some(operator)
            }
            _ => None,
        });
        let Some(operator) = operator else { return };
        if let Some(signature) = signature(view.db(), operator.0.scope, operator.0.name) {
            let row = signature.types.row(signature.computation.ability);
            if wanted(&row.instances) {
                heads.push(term);
            }
        }
    });
    heads
}

fn kind(role: Role) -> HighlightKind {
    match role {
        Role::Definition | Role::Clause | Role::Handle => HighlightKind::Write,
        Role::Use => HighlightKind::Read,
        Role::Match => HighlightKind::Text,
    }
}
