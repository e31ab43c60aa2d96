//! Who calls whom (LSP `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls`,
//! `callHierarchy/outgoingCalls`). Operators call operators and perform commands; the handlers of
//! a command are what it calls.

use std::collections::HashMap;

use frank_analysis::declarations::signature;
use frank_analysis::program::OperatorDef;

use crate::names::{Def, Role};
use crate::target::{SymbolKind, Target};
use crate::{Analysis, FilePosition, FileRange};

/// An operator or a command in a call hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallItem {
    pub def: Def,
    pub name: String,
    pub kind: SymbolKind,
    /// The ability that an operator needs, or the interface of a command.
    pub detail: String,
    pub target: Target,
}

/// A caller or a callee, with the places of the calls in the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub item: CallItem,
    pub at: Vec<FileRange>,
}

impl Analysis {
    /// The operator or command at a place (`textDocument/prepareCallHierarchy`).
    pub fn call_item(&self, at: FilePosition) -> Option<CallItem> {
        let name = self.spot(at)?.name()?;
        self.call_item_of(name.def)
    }

    fn call_item_of(&self, def: Def) -> Option<CallItem> {
        let (name, detail) = match def {
            Def::Operator(operator) => (operator.0.name, self.own_ability(operator)),
            Def::Command(command) => (command.name, Some(command.interface.0.name.to_string())),
            _ => return None,
        };
        Some(CallItem {
            def,
            name: name.to_string(),
            kind: self.symbol_kind(def),
            detail: detail.unwrap_or_default(),
            target: self.declared(def)?,
        })
    }

    /// The ability that an operator's signature gives it, as text; the implicit one is `[]`.
    pub(crate) fn own_ability(&self, operator: OperatorDef) -> Option<String> {
        let signature = signature(self.db(), operator.0.scope, operator.0.name).as_ref()?;
        Some(crate::text::of_signature(signature, |show| {
            show.ability(signature.computation.ability)
        }))
    }

    /// The operators that use an operator or perform a command (`callHierarchy/incomingCalls`).
    pub fn incoming_calls(&self, def: Def) -> Vec<Call> {
        let mut calls: Vec<(OperatorDef, Vec<FileRange>)> = Vec::new();
        let mut known: HashMap<OperatorDef, usize> = HashMap::new();
        self.for_each_use(def, |found| {
            let view = self.view(found.scope, found.source);
            if found.name.role == Role::Use
                && let Some(caller) = view.operator()
            {
                let next = calls.len();
                let index = *known.entry(caller).or_insert(next);
                if index == next {
                    calls.push((caller, Vec::new()));
                }
                if let Some((_, places)) = calls.get_mut(index) {
                    places.push(view.file_range(found.name.node));
                }
            }
            true
        });
        self.with_items(
            calls
                .into_iter()
                .map(|(caller, at)| (Def::Operator(caller), at)),
        )
    }

    /// What the clauses of an operator use and perform; for a command, the operators that handle
    /// it (`callHierarchy/outgoingCalls`).
    pub fn outgoing_calls(&self, def: Def) -> Vec<Call> {
        let mut calls: Vec<(Def, Vec<FileRange>)> = Vec::new();
        let mut add =
            |def: Def, at: FileRange| match calls.iter_mut().find(|(known, _)| *known == def) {
                Some((_, places)) => places.push(at),
                None => calls.push((def, vec![at])),
            };
        match def {
            Def::Operator(operator) => {
                for source in &operator.items(self.db()).clauses {
                    let view = self.view(operator.0.scope, *source);
                    for name in view.names() {
                        let called = matches!(name.def, Def::Operator(_) | Def::Command(_));
                        if called && name.role == Role::Use {
                            add(name.def, view.file_range(name.node));
                        }
                    }
                }
            }
            Def::Command(_) => self.for_each_use(def, |found| {
                let view = self.view(found.scope, found.source);
                if found.name.role == Role::Handle
                    && let Some(handler) = view.operator()
                {
                    add(Def::Operator(handler), view.file_range(found.name.node));
                }
                true
            }),
            _ => {}
        }
        self.with_items(calls)
    }

    fn with_items(&self, calls: impl IntoIterator<Item = (Def, Vec<FileRange>)>) -> Vec<Call> {
        let calls = calls.into_iter();
        calls
            .filter_map(|(def, at)| {
                Some(Call {
                    item: self.call_item_of(def)?,
                    at,
                })
            })
            .collect()
    }
}
