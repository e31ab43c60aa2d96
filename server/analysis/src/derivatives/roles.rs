//! Operators that differentiate, by their types alone: what they are given computes with numbers
//! of their own, `Dual X` or `Prop X`, whose smooth operations they answer.

use std::sync::Arc;

use frank_syntax::ast::{Symbol, TermId};

use crate::builtin;
use crate::db::{Db, SourceFile};
use crate::declarations::{data_type, interface, sound_signature};
use crate::infer::table::Table;
use crate::infer::{Body, Inference};
use crate::program::{DataDef, InterfaceDef, OperatorDef};
use crate::types::{AbilityData, Arg, Computation, Instance, Ty, TyKind, Types};

/// What an operator differentiates: the argument at a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differentiated {
    pub port: usize,
    /// Where the numbers stand: the instances at them, counted from the right, in the ability of
    /// the function that the port takes, or among the instances that it adds to its argument's.
    numbers: Vec<usize>,
    pub takes: Takes,
    /// The numbers hold cells.
    pub has_cells: bool,
}

/// What an operator differentiates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A function on the numbers, or several in a list or the like.
    Function,
    /// A computation with them.
    Computation,
}

/// What an operator's signature says of differentiation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    pub differentiated: Vec<Differentiated>,
    /// How many instances the signature writes in its own ability.
    pub own: usize,
    /// The interfaces that the signature writes.
    pub interfaces: Vec<InterfaceDef>,
    /// It makes cells.
    pub makes_cells: bool,
}

impl Role {
    /// Whether the derivative is gathered in cells.
    pub fn gathers_in_cells(&self) -> bool {
        self.makes_cells && self.differentiated.iter().any(|port| port.has_cells)
    }
}

/// The role of an operator that differentiates.
#[salsa::tracked]
pub fn role(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Arc<Role>> {
    let signature = sound_signature(db, scope, name).as_ref()?;
    let types = &signature.types;
    let Computation { ports, ability, .. } = &signature.computation;
    let own = &types.row(*ability).instances;
    let mut interfaces: Vec<InterfaceDef> = own.iter().map(|own| own.interface).collect();
    let mut differentiated = Vec::new();
    for (index, port) in ports.iter().enumerate() {
        let added: Vec<Instance> = port.added().cloned().collect();
        let (instances, function, takes) = if added.is_empty() {
            let Some(function) = function_in(&|ty| types.kind(ty), port.ty) else {
                continue;
            };
            let row = types.row(function.ability);
            (row.instances.to_vec(), Some(function), Takes::Function)
        } else {
            (added, None, Takes::Computation)
        };
        let mut numbers = Vec::new();
        let mut has_cells = false;
        for (position, instance) in instances.iter().rev().enumerate() {
            let Some((at, data)) = number(types, instance) else {
                continue;
            };
            let of_interface = |own: &&Instance| own.interface == instance.interface;
            let mut outside = own.iter().filter(of_interface);
            let same_outside = |own: &Instance| {
                number(types, own).is_some_and(|(outer, _)| same(types, outer, at))
            };
            // The numbers that these are made of may have their operations answered as well.
            let is_part = |inner: &Instance| {
                subject(inner)
                    .is_some_and(|part| !same(types, part, at) && mentions(types, at, part))
            };
            let mut beside = instances.iter().filter(of_interface);
            // The operations on these numbers are answered by those on others.
            let answers = is_arithmetic(db, instance.interface)
                && (outside.clone().next().is_some() || beside.any(is_part))
                && !outside.any(same_outside);
            let given = function.is_none_or(|function| {
                let mut ports = function.ports.iter();
                ports.any(|port| mentions(types, port.ty, at))
            });
            if answers && given {
                numbers.push(position);
                has_cells |= holds_cell(db, data);
            }
        }
        interfaces.extend(instances.iter().map(|instance| instance.interface));
        if !numbers.is_empty() {
            differentiated.push(Differentiated {
                port: index,
                numbers,
                takes,
                has_cells,
            });
        }
    }
    let cells = builtin::ref_state(db);
    (!differentiated.is_empty()).then(|| {
        Arc::new(Role {
            differentiated,
            own: own.len(),
            interfaces,
            makes_cells: own.iter().any(|own| own.interface == cells),
        })
    })
}

/// The role of an operator.
pub fn role_of(db: &dyn Db, operator: OperatorDef) -> Option<&Role> {
    role(db, operator.0.scope, operator.0.name).as_deref()
}

/// Whether an interface has operations: a command that makes one of its numbers of others.
fn is_arithmetic(db: &dyn Db, of: InterfaceDef) -> bool {
    let Some(declared) = interface(db, of.0.scope, of.0.name) else {
        return false;
    };
    let types = &declared.types;
    let number = |ty: Ty| matches!(types.kind(ty), TyKind::Variable(0));
    declared.commands.iter().any(|command| {
        number(command.result)
            && command
                .args
                .iter()
                .any(|arg| mentions(types, *arg, command.result))
    })
}

/// The function that a type has, itself or as what a list or the like consists of.
fn function_in<'t>(kind: &impl Fn(Ty) -> &'t TyKind, ty: Ty) -> Option<&'t Computation> {
    match kind(ty) {
        TyKind::Computation(function) => Some(function),
        TyKind::Data(_, args) => args.iter().find_map(|arg| match arg {
            Arg::Type(part) => function_in(kind, *part),
            Arg::Ability(_) => None,
        }),
        _ => None,
    }
}

/// The numbers that an instance is at, if they are of a data type over others.
fn number(types: &Types, instance: &Instance) -> Option<(Ty, DataDef)> {
    let at = subject(instance)?;
    let TyKind::Data(data, args) = types.kind(at) else {
        return None;
    };
    let over = args.iter().any(|arg| matches!(arg, Arg::Type(_)));
    over.then_some((at, *data))
}

/// The only type that an instance is at; an ability that it is at as well does not matter.
pub fn subject(instance: &Instance) -> Option<Ty> {
    let mut types = instance.args.iter().filter_map(|arg| match arg {
        Arg::Type(ty) => Some(*ty),
        Arg::Ability(_) => None,
    });
    let first = types.next()?;
    types.next().is_none().then_some(first)
}

/// Whether two types of one arena, in which no variable stands for another type, are the same.
pub fn same(types: &Types, a: Ty, b: Ty) -> bool {
    if a == b {
        return true;
    }
    match (types.kind(a), types.kind(b)) {
        (TyKind::Data(x, xs), TyKind::Data(y, ys)) => {
            x == y
                && xs.len() == ys.len()
                && xs.iter().zip(ys.iter()).all(|pair| match pair {
                    (Arg::Type(x), Arg::Type(y)) => same(types, *x, *y),
                    (Arg::Ability(_), Arg::Ability(_)) => true,
                    _ => false,
                })
        }
        (TyKind::Computation(_), _) | (TyKind::Error, _) => false,
        (a, b) => a == b,
    }
}

/// Whether a type is written with another in it.
fn mentions(types: &Types, ty: Ty, part: Ty) -> bool {
    same(types, ty, part)
        || match types.kind(ty) {
            TyKind::Data(_, args) => args
                .iter()
                .any(|arg| matches!(arg, Arg::Type(ty) if mentions(types, *ty, part))),
            _ => false,
        }
}

/// Whether a constructor of a data type has a cell in it.
fn holds_cell(db: &dyn Db, data: DataDef) -> bool {
    let Some(declared) = data_type(db, data.0.scope, data.0.name) else {
        return false;
    };
    let reference = builtin::reference(db);
    let is_cell = |field: &Ty| matches!(declared.types.kind(*field), TyKind::Data(data, _) if *data == reference);
    let mut fields = declared.constructors.iter().flat_map(|all| &all.fields);
    fields.any(is_cell)
}

/// A use of an operator that differentiates.
pub struct Use<'a> {
    pub role: &'a Role,
    /// The type of the operator here.
    pub computation: &'a Computation,
    table: &'a Table,
}

impl<'a> Use<'a> {
    /// The use of an operator with this role by a term of a body; `None` if the term's type is no
    /// computation's.
    pub fn new(
        role: &'a Role,
        inference: &'a Inference,
        body: &Body,
        head: TermId,
    ) -> Option<Use<'a>> {
        let table = &inference.table;
        match table.kind(*body.types.get(head)?) {
            TyKind::Computation(computation) => Some(Use {
                role,
                computation,
                table,
            }),
            _ => None,
        }
    }

    /// The types that the numbers have here.
    pub fn numbers(&self, port: &Differentiated) -> Vec<Ty> {
        let Some(at) = self.computation.ports.get(port.port) else {
            return Vec::new();
        };
        let instances: Vec<Instance> = match port.takes {
            Takes::Computation => at.added().cloned().collect(),
            Takes::Function => match self.function(port) {
                Some(function) => self.table.row(function.ability).instances.to_vec(),
                None => return Vec::new(),
            },
        };
        let from_right = |position: &usize| subject(instances.iter().rev().nth(*position)?);
        port.numbers.iter().filter_map(from_right).collect()
    }

    /// The type of the functions that a port takes here.
    pub fn function(&self, port: &Differentiated) -> Option<&'a Computation> {
        let at = self.computation.ports.get(port.port)?;
        function_in(&|ty| self.table.kind(ty), at.ty)
    }

    /// What lies around the operator here, its own instances left out.
    pub fn around(&self) -> Vec<Instance> {
        let AbilityData { instances, .. } = self.table.row(self.computation.ability);
        let count = instances.len().saturating_sub(self.role.own);
        instances.iter().take(count).cloned().collect()
    }
}
