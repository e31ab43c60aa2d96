//! Declarations as they would be with other arguments, tried out.

use std::sync::Arc;

use super::Checker;
use super::hypothesis::{Amendment, Change};
use crate::lower_types::plain_type;
use crate::program::TermDef;
use crate::types::{Computation, Port, Ty, TyKind};

impl Checker<'_> {
    /// Changes the type of a declared name as it is to be tried out.
    pub(super) fn amend(&mut self, definition: TermDef, declared: &mut Computation) {
        let Some(amendment) = self.amendment_of(definition) else {
            return;
        };
        let ability = declared.ability;
        let ports = &mut declared.ports;
        match amendment {
            Amendment::Exchange(a, b) => {
                if a.max(b) < ports.len() {
                    ports.swap(a, b);
                }
            }
            Amendment::Unsuspend(index) => {
                if let Some(port) = ports.get_mut(index)
                    && let TyKind::Computation(taken) = self.table.kind(port.ty)
                {
                    port.ty = taken.result;
                }
            }
            Amendment::Suspend(index) => {
                if let Some(port) = ports.get_mut(index) {
                    let suspended = Computation {
                        ports: Vec::new(),
                        ability,
                        result: port.ty,
                    };
                    let suspended = TyKind::Computation(Arc::new(suspended));
                    port.ty = self.table.types.ty(suspended);
                }
            }
            Amendment::List(index) => {
                if let Some(port) = ports.get_mut(index) {
                    port.ty = self.list_of(port.ty);
                }
            }
            Amendment::Result(name) => {
                if let Some(ty) = plain_type(self.db, self.scope, name, &mut self.table.types) {
                    declared.result = ty;
                }
            }
        }
    }

    /// As [`Checker::amend`], for arguments that are values.
    pub(super) fn amend_values(&mut self, definition: TermDef, values: Vec<Ty>) -> Vec<Ty> {
        if self.amendment_of(definition).is_none() {
            return values;
        }
        let plain = |ty| Port {
            adjustments: Arc::from([]),
            ty,
        };
        let mut declared = Computation {
            ports: values.into_iter().map(plain).collect(),
            ability: self.table.fresh_ability(),
            result: self.table.error,
        };
        self.amend(definition, &mut declared);
        declared.ports.into_iter().map(|port| port.ty).collect()
    }

    fn amendment_of(&self, definition: TermDef) -> Option<Amendment> {
        match self.hypothesis.as_ref()?.change {
            Change::Amend(amended, amendment) if amended == definition => Some(amendment),
            _ => None,
        }
    }
}
