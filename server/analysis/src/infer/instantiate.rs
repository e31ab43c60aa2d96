//! Declarations at fresh arguments: what a use of a constructor or a command begins with.

use std::sync::Arc;

use frank_syntax::ast::ParamKind;

use super::table::Table;
use crate::program::{ConstructorDef, DataDef};
use crate::types::{
    Ability, Arg, Command, Computation, DataType, Interface, Params, Port, Replacement, Ty, TyKind,
};

/// Fresh flexible variables for parameters.
pub struct FreshArgs {
    pub values: Vec<Ty>,
    pub effects: Vec<Ability>,
    /// All of them, in the order of the parameters.
    pub args: Arc<[Arg]>,
}

/// A constructor at fresh arguments of its data type.
pub struct Instantiated {
    pub fields: Vec<Ty>,
    pub data: Ty,
}

impl Instantiated {
    /// The constructor as what takes its fields and gives the data.
    pub fn as_computation(&self, ability: Ability) -> Computation {
        let plain = |ty: &Ty| Port {
            adjustments: Arc::from([]),
            ty: *ty,
        };
        Computation {
            ports: self.fields.iter().map(plain).collect(),
            ability,
            result: self.data,
        }
    }
}

/// What a command of an instance takes and gives.
pub struct Performed {
    pub args: Vec<Ty>,
    pub result: Ty,
}

impl Table {
    /// Fresh variables, one for each parameter.
    pub fn fresh_args(&mut self, params: &Params) -> FreshArgs {
        let (mut values, mut effects) = (Vec::new(), Vec::new());
        let args = params.all.iter().map(|(_, kind)| match kind {
            ParamKind::Value => {
                let ty = self.fresh();
                values.push(ty);
                Arg::Type(ty)
            }
            ParamKind::Effect => {
                let ability = self.fresh_ability();
                effects.push(ability);
                Arg::Ability(ability)
            }
        });
        let args = args.collect();
        FreshArgs {
            values,
            effects,
            args,
        }
    }

    /// A constructor of a data type that is declared so; `None` if it has no such constructor.
    pub fn constructor(
        &mut self,
        declared: &DataType,
        constructor: ConstructorDef,
    ) -> Option<Instantiated> {
        let ConstructorDef { data, index, .. } = constructor;
        let own = declared.constructors.get(index as usize)?;
        let (data, with) = self.data(declared, data);
        let with = with.replacement();
        let fields = own.fields.iter();
        let fields = fields
            .map(|field| self.types.copy(&declared.types, *field, with))
            .collect();
        Some(Instantiated { fields, data })
    }

    /// A data type at fresh arguments, with these.
    pub fn data(&mut self, declared: &DataType, def: DataDef) -> (Ty, FreshArgs) {
        let fresh = self.fresh_args(&declared.params);
        let ty = self.types.ty(TyKind::Data(def, fresh.args.clone()));
        (ty, fresh)
    }

    /// A command of the instance with these arguments, its own parameters fresh.
    pub fn command(&mut self, declared: &Interface, command: &Command, args: &[Arg]) -> Performed {
        let own = self.fresh_args(&command.params);
        let (mut values, mut effects) = split_args(args);
        values.extend(own.values);
        effects.extend(own.effects);
        let with = Replacement {
            values: &values,
            effects: &effects,
        };
        let args = command.args.iter();
        Performed {
            args: args
                .map(|arg| self.types.copy(&declared.types, *arg, with))
                .collect(),
            result: self.types.copy(&declared.types, command.result, with),
        }
    }
}

impl FreshArgs {
    /// What the parameters become.
    pub fn replacement(&self) -> Replacement<'_> {
        Replacement {
            values: &self.values,
            effects: &self.effects,
        }
    }
}

/// The arguments of each kind, in order.
pub(crate) fn split_args(args: &[Arg]) -> (Vec<Ty>, Vec<Ability>) {
    let mut values = Vec::new();
    let mut effects = Vec::new();
    for arg in args {
        match arg {
            Arg::Type(ty) => values.push(*ty),
            Arg::Ability(ability) => effects.push(*ability),
        }
    }
    (values, effects)
}
