//! The ability at a term as a stack of instances, with who handles each: the host, a handler around, or whoever calls.

use frank_analysis::entries::is_entry;
use frank_syntax::ast::{NodeId, TermId};

use crate::names::Def;
use crate::trace::Receivers;
use crate::view::{Typed, View};
use crate::{Analysis, FileRange};

/// An ability as a stack of instances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    /// By interface, the active instance of each first.
    pub instances: Vec<StackInstance>,
    /// What there is besides, in words.
    pub rest: Option<String>,
}

/// An instance of an interface in an ability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackInstance {
    pub shown: String,
    /// Commands of its interface reach it.
    pub active: bool,
    /// Who brings it, and so handles its commands.
    pub origins: Vec<Origin>,
}

/// Who brings an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// In words, without a mark.
    pub text: String,
    pub at: Option<FileRange>,
}

impl Analysis {
    /// The ability that a term runs in, as a stack.
    pub(crate) fn stack(&self, view: View<'_>, typed: &Typed<'_>, term: TermId) -> Option<Stack> {
        let row = typed.row(*typed.body().ambient.get(term)?);
        let node = view.item().terms[term].id;
        let mut instances = Vec::new();
        let mut seen = Vec::new();
        for first in row.instances.iter().rev() {
            if seen.contains(&first.interface) {
                continue;
            }
            seen.push(first.interface);
            let all = row.instances.iter().rev();
            let own = all.filter(|instance| instance.interface == first.interface);
            instances.extend(own.enumerate().map(|(index, instance)| StackInstance {
                shown: typed.show().instance(instance),
                active: index == 0,
                origins: self.origins(
                    typed,
                    node,
                    &self.receivers(typed, node, first.interface, index),
                ),
            }));
        }
        Some(Stack {
            rest: crate::text::tail(&typed.show(), &row),
            instances,
        })
    }

    /// Who brings an instance to a node, in words.
    fn origins(&self, typed: &Typed<'_>, node: NodeId, found: &Receivers) -> Vec<Origin> {
        let mut origins = Vec::new();
        let own = typed.view.operator().filter(|_| found.through_signature);
        if let Some(operator) = own {
            let name = operator.0.name;
            // A run begins at an entry: nobody is around it but the host.
            let from = match is_entry(self.db(), operator.0.scope, name) {
                true if found.host.is_empty() => ", and nobody handles it where a run begins",
                true => "",
                false => ", from its callers",
            };
            origins.push(Origin {
                text: format!("by the signature of {name}{from}"),
                at: self
                    .declared(Def::Operator(operator))
                    .map(|target| target.focus),
            });
        }
        for receiver in &found.handlers {
            let inside = receiver
                .inside
                .map(|inside| format!(" in {}", inside.0.name));
            let possibly = if receiver.possible { ", possibly" } else { "" };
            origins.push(Origin {
                text: format!(
                    "handled by {}{}{possibly}",
                    receiver.name,
                    inside.unwrap_or_default()
                ),
                at: Some(receiver.at),
            });
        }
        for operator in &found.host {
            origins.push(Origin {
                text: format!(
                    "answered by the host, where {} is the entry",
                    operator.0.name
                ),
                at: self
                    .declared(Def::Operator(*operator))
                    .map(|target| target.focus),
            });
        }
        if found.elsewhere {
            origins.push(Origin {
                text: "handled where this computation is run".to_owned(),
                at: Some(typed.view.file_range(node)),
            });
        }
        if found.more {
            origins.push(Origin {
                text: "and possibly by others".to_owned(),
                at: None,
            });
        }
        if origins.is_empty() {
            origins.push(Origin {
                text: "nobody here handles it".to_owned(),
                at: None,
            });
        }
        origins
    }
}
