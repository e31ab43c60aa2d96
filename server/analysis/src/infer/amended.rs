//! Declarations as they would be with other arguments, tried out.

use std::sync::Arc;

use super::Checker;
use super::hypothesis::{Amendment, Change};
use crate::lower_types::closed_type;
use crate::params::{TypeNamespace, params};
use crate::program::{Definition, InterfaceDef, TermDef};
use crate::types::{Ability, Arg, Computation, Instance, Port, Ty, TyKind};

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
            Amendment::Without(index) => {
                if index < ports.len() {
                    ports.remove(index);
                }
            }
            Amendment::More(text) => {
                let written = closed_type(self.db, self.scope, text, &mut self.table.types);
                let more = written.map(|ty| Port {
                    adjustments: Arc::from([]),
                    ty,
                });
                ports.extend(more);
            }
            Amendment::Function(first, count) => {
                if let Some((last, taken)) = ports
                    .get(first..first + count)
                    .and_then(|ports| ports.split_last())
                {
                    let function = Computation {
                        ports: taken.to_vec(),
                        ability,
                        result: last.ty,
                    };
                    let function = TyKind::Computation(Arc::new(function));
                    let function = Port {
                        adjustments: Arc::from([]),
                        ty: self.table.types.ty(function),
                    };
                    ports.splice(first..first + count, [function]);
                }
            }
            Amendment::AnyPort(index) => {
                if let Some(port) = ports.get_mut(index) {
                    port.ty = self.table.fresh();
                }
            }
            Amendment::Written(index, text) => {
                let written = closed_type(self.db, self.scope, text, &mut self.table.types);
                if let (Some(port), Some(ty)) = (ports.get_mut(index), written) {
                    port.ty = ty;
                }
            }
            Amendment::Result(text) => {
                let written = closed_type(self.db, self.scope, text, &mut self.table.types);
                declared.result = written.unwrap_or(declared.result);
            }
            Amendment::Perform(index) => {
                let handled: Vec<Instance> = ports.iter().flat_map(Port::added).cloned().collect();
                if let Some(port) = ports.get(index).map(|port| port.ty) {
                    let performing = self.performing(port, &handled);
                    if let Some(port) = ports.get_mut(index) {
                        port.ty = performing;
                    }
                }
            }
            Amendment::AnyResult => declared.result = self.table.fresh(),
            Amendment::Instance(index) => self.loosen(declared, Some(index)),
            Amendment::Instances => self.loosen(declared, None),
            Amendment::Layer(index) => {
                let layered = ports
                    .get(index)
                    .and_then(|port| self.layered(ability, port.ty));
                declared.ability = layered.unwrap_or(ability);
            }
            Amendment::Number(index) => {
                let number = self.number_of(ability);
                if let (Some(port), Some(number)) = (ports.get_mut(index), number) {
                    port.ty = self.with_numbers(port.ty, number);
                }
            }
            Amendment::Peel(index) => {
                if let Some(whole) = ports.get(index).map(|port| port.ty)
                    && let Some((_, part)) = self.part_with_instance(ability, whole)
                {
                    let table = &self.table;
                    let peeled = |ty: Ty| match table.kind(ty) == table.kind(whole) {
                        true => part,
                        false => ty,
                    };
                    for port in ports.iter_mut() {
                        port.ty = peeled(port.ty);
                    }
                    declared.result = peeled(declared.result);
                }
            }
        }
    }

    /// A type whose computations may perform the commands of these instances, too, if they have none of their
    /// own.
    fn performing(&mut self, ty: Ty, added: &[Instance]) -> Ty {
        let kind = match self.table.kind(ty).clone() {
            TyKind::Computation(computation)
                if self.table.row(computation.ability).instances.is_empty() =>
            {
                let ability = computation.ability;
                TyKind::Computation(Arc::new(Computation {
                    ability: self.table.types.extended(ability, added.to_vec()),
                    ..(*computation).clone()
                }))
            }
            TyKind::Data(data, args) => {
                let args = args.iter().map(|arg| match arg {
                    Arg::Type(ty) => Arg::Type(self.performing(*ty, added)),
                    Arg::Ability(_) => *arg,
                });
                TyKind::Data(data, args.collect())
            }
            kind => kind,
        };
        self.table.types.ty(kind)
    }

    /// Gives an instance of a computation's ability other arguments, or all of them.
    fn loosen(&mut self, declared: &mut Computation, only: Option<usize>) {
        let row = self.table.row(declared.ability);
        let mut instances = row.instances.to_vec();
        for (index, instance) in instances.iter_mut().enumerate() {
            if only.is_none_or(|only| only == index) {
                let Definition { scope, name } = instance.interface.0;
                let params = params(self.db, scope, name, TypeNamespace::Row);
                *instance = self.table.fresh_instance(instance.interface, params);
            }
        }
        declared.ability = self.table.types.ability(row.tail, instances.into());
    }

    /// An ability with one more instance of the interface that it has for what a type is made of.
    fn layered(&mut self, ability: Ability, ty: Ty) -> Option<Ability> {
        let (outer, _) = self.part_with_instance(ability, ty)?;
        let inner = Instance {
            interface: outer,
            args: Arc::from([Arg::Type(ty)]),
        };
        Some(self.table.types.extended(ability, vec![inner]))
    }

    /// The type that the caller chooses and an ability has an instance for.
    fn number_of(&self, ability: Ability) -> Option<Ty> {
        let row = self.table.row(ability);
        row.instances.iter().find_map(|one| match &one.args[..] {
            [Arg::Type(ty)] => match self.table.kind(*ty) {
                TyKind::Variable(_) | TyKind::Meta(_) => Some(*ty),
                _ => None,
            },
            _ => None,
        })
    }

    /// A type with other numbers for each `Float` in its data.
    fn with_numbers(&mut self, ty: Ty, number: Ty) -> Ty {
        match self.table.kind(ty).clone() {
            TyKind::Float => number,
            TyKind::Data(data, args) => {
                let args: Vec<Arg> = args
                    .iter()
                    .map(|arg| match arg {
                        Arg::Type(part) => Arg::Type(self.with_numbers(*part, number)),
                        Arg::Ability(_) => *arg,
                    })
                    .collect();
                self.table.types.ty(TyKind::Data(data, args.into()))
            }
            _ => ty,
        }
    }

    /// What data is made of, if an ability has an instance of an interface for that.
    fn part_with_instance(&self, ability: Ability, ty: Ty) -> Option<(InterfaceDef, Ty)> {
        let TyKind::Data(_, parts) = self.table.kind(ty) else {
            return None;
        };
        let plain = |arg: &Arg| match arg {
            Arg::Type(ty) => match self.table.kind(*ty) {
                TyKind::Data(..) | TyKind::Computation(_) | TyKind::Error => None,
                plain => Some(plain),
            },
            Arg::Ability(_) => None,
        };
        let is_part = |arg: &Arg| {
            let arg = plain(arg);
            arg.is_some() && parts.iter().any(|part| plain(part) == arg)
        };
        self.table
            .row(ability)
            .instances
            .iter()
            .find_map(|one| match &one.args[..] {
                [arg @ Arg::Type(part)] if is_part(arg) => Some((one.interface, *part)),
                _ => None,
            })
    }

    /// As [`Checker::amend`], for arguments that are values.
    pub(super) fn amend_values(&mut self, definition: TermDef, values: Vec<Ty>) -> Vec<Ty> {
        let result = self.table.error;
        self.amend_command(definition, values, result).0
    }

    /// As [`Checker::amend`], for what a handler is given: a command's arguments, and what it gives back.
    pub(super) fn amend_command(
        &mut self,
        definition: TermDef,
        values: Vec<Ty>,
        result: Ty,
    ) -> (Vec<Ty>, Ty) {
        if self.amendment_of(definition).is_none() {
            return (values, result);
        }
        let plain = |ty| Port {
            adjustments: Arc::from([]),
            ty,
        };
        let mut declared = Computation {
            ports: values.into_iter().map(plain).collect(),
            ability: self.table.fresh_ability(),
            result,
        };
        self.amend(definition, &mut declared);
        let values = declared.ports.into_iter().map(|port| port.ty).collect();
        (values, declared.result)
    }

    fn amendment_of(&self, definition: TermDef) -> Option<Amendment> {
        match self.hypothesis.as_ref()?.change {
            Change::Amend(amended, amendment) if amended == definition => Some(amendment),
            _ => None,
        }
    }
}
