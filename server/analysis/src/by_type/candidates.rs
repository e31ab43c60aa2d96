//! What a search by type can find: operators, constructors and commands, each with its type.

use std::collections::HashMap;
use std::sync::Arc;

use frank_syntax::ast::{ParamKind, Symbol};
use frank_syntax::outline::OutlineKind;

use super::shape::{Key, Outline};
use crate::db::{Db, Group, OutlineEntry, SourceFile, Workspace};
use crate::declarations::{data_type, interface, sound_signature};
use crate::program::{
    CommandDef, ConstructorDef, DataDef, Definition, InterfaceDef, OperatorDef, TermDef, data_item,
    operator_items, row_item,
};
use crate::types::{
    Ability, Arg, Computation, Instance, Params, Port, Replacement, Signature, Tail, Ty, TyKind,
    Types,
};

/// Something that can be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub def: TermDef,
    pub outline: Arc<Outline>,
}

/// What the items of a group define in a scope, as far as their types can be relied on, in their order.
#[salsa::tracked]
pub fn candidates(db: &dyn Db, scope: SourceFile, group: Group) -> Arc<[Candidate]> {
    let home = Workspace::get(db).builtin(db);
    let mut known: HashMap<Key, Arc<Outline>> = HashMap::new();
    let entries = group.entries(db).iter();
    let defined = entries.flat_map(|entry| defined(db, scope, entry));
    let found = defined.filter_map(|def| {
        let outline = Outline::of(&*type_of(db, def)?, home)?;
        let outline = known
            .entry(outline.key)
            .or_insert_with(|| Arc::new(outline))
            .clone();
        Some(Candidate { def, outline })
    });
    found.collect()
}

/// What an item defines, if it is the one that counts.
fn defined(db: &dyn Db, scope: SourceFile, entry: &OutlineEntry) -> Vec<TermDef> {
    let Some(name) = entry.name else {
        return Vec::new();
    };
    let definition = Definition { scope, name };
    match entry.kind {
        OutlineKind::Signature => {
            let first = operator_items(db, scope, name).signatures.first();
            let counts = first == Some(&entry.item);
            let def = TermDef::Operator(OperatorDef(definition));
            counts.then_some(def).into_iter().collect()
        }
        OutlineKind::Data if data_item(db, scope, name) == Some(entry.item) => {
            let data = data_type(db, scope, name).as_ref();
            let all = data.into_iter().flat_map(|data| data.constructors.iter());
            let def = |(index, name): (usize, Symbol)| ConstructorDef {
                data: DataDef(definition),
                index: index as u32,
                name,
            };
            let names = all.map(|constructor| constructor.name).enumerate();
            names.map(def).map(TermDef::Constructor).collect()
        }
        OutlineKind::Interface if row_item(db, scope, name) == Some(entry.item) => {
            let declared = interface(db, scope, name).as_ref();
            let all = declared.into_iter().flat_map(|one| one.commands.iter());
            let def = |(index, name): (usize, Symbol)| CommandDef {
                interface: InterfaceDef(definition),
                index: index as u32,
                name,
            };
            let names = all.map(|command| command.name).enumerate();
            names.map(def).map(TermDef::Command).collect()
        }
        _ => Vec::new(),
    }
}

/// The type of what is defined: of a constructor that of a computation that makes a value of it, of a command
/// that of performing it. `None` where it is not known.
pub fn type_of(db: &dyn Db, def: TermDef) -> Option<Arc<Signature>> {
    match def {
        TermDef::Operator(operator) => {
            let Definition { scope, name } = operator.0;
            sound_signature(db, scope, name).clone()
        }
        TermDef::Constructor(constructor) => of_constructor(db, constructor).map(Arc::new),
        TermDef::Command(command) => of_command(db, command).map(Arc::new),
    }
}

fn of_constructor(db: &dyn Db, constructor: ConstructorDef) -> Option<Signature> {
    let Definition { scope, name } = constructor.data.0;
    let data = data_type(db, scope, name).as_ref()?;
    let own = data.constructors.get(constructor.index as usize)?;
    let mut named = Named::new(data.types.clone(), &[&data.params]);
    let args = named.args(&data.params);
    let ability = named.implicit(Vec::new());
    let result = named.types.ty(TyKind::Data(constructor.data, args));
    Some(named.signature(&own.fields, ability, result))
}

fn of_command(db: &dyn Db, command: CommandDef) -> Option<Signature> {
    let Definition { scope, name } = command.interface.0;
    let declared = interface(db, scope, name).as_ref()?;
    let own = declared.commands.get(command.index as usize)?;
    let mut named = Named::new(declared.types.clone(), &[&declared.params, &own.params]);
    let args = named.args(&declared.params);
    let instance = Instance {
        interface: command.interface,
        args,
    };
    let ability = named.implicit(vec![instance]);
    Some(named.signature(&own.args, ability, own.result))
}

/// The types of a declaration, with the names of its variables.
struct Named {
    types: Types,
    values: Vec<Symbol>,
    effects: Vec<Symbol>,
}

impl Named {
    fn new(types: Types, params: &[&Params]) -> Named {
        Named {
            types,
            values: params.iter().flat_map(|params| params.values()).collect(),
            effects: params.iter().flat_map(|params| params.effects()).collect(),
        }
    }

    /// Parameters as arguments for themselves. They are numbered first.
    fn args(&mut self, params: &Params) -> Arc<[Arg]> {
        let (mut values, mut effects) = (0.., 0..);
        let args = params.all.iter().filter_map(|(_, kind)| match kind {
            ParamKind::Value => {
                let ty = self.types.ty(TyKind::Variable(values.next()?));
                Some(Arg::Type(ty))
            }
            ParamKind::Effect => {
                let tail = Tail::Variable(effects.next()?);
                Some(Arg::Ability(self.types.ability(tail, Arc::from([]))))
            }
        });
        args.collect()
    }

    /// The ability `[ε|…]`.
    fn implicit(&mut self, instances: Vec<Instance>) -> Ability {
        let name = Symbol::implicit_effect();
        let known = self.effects.iter().position(|effect| *effect == name);
        let number = known.unwrap_or_else(|| {
            self.effects.push(name);
            self.effects.len() - 1
        });
        let tail = Tail::Variable(number as u32);
        self.types.ability(tail, instances.into())
    }

    fn signature(mut self, args: &[Ty], ability: Ability, result: Ty) -> Signature {
        // A declaration is an arena for all of its members; of the others nothing is kept.
        let ports = args.iter().map(|ty| Port {
            adjustments: Arc::from([]),
            ty: *ty,
        });
        let computation = Computation {
            ports: ports.collect(),
            ability,
            result,
        };
        let all = std::mem::take(&mut self.types);
        let nothing = Replacement {
            values: &[],
            effects: &[],
        };
        let computation = self.types.copy_computation(&all, &computation, nothing);
        Signature {
            types: self.types,
            computation,
            values: self.values,
            effects: self.effects,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_type::shape::Shape;
    use crate::files::Files;

    /// What is seen of a type without a copy of it is what its shape has.
    #[test]
    fn outlines_are_those_of_shapes() {
        let mut files = Files::new(None);
        let text = "interface Abort = aborting : {Int}\n\ndata P X Y = p X Y\n\nf : <Abort>P Int X -> Unit -> [Abort]X\n";
        let own = files.set_text("main.fk", text);
        let db = files.db();
        let workspace = Workspace::get(db);
        let home = workspace.builtin(db);
        let library = workspace.library(db).values().copied();
        let mut compared = 0;
        for file in library.chain([own, home]) {
            for group in file.groups(db) {
                for entry in group.entries(db).iter() {
                    for def in defined(db, file, entry) {
                        let Some(ty) = type_of(db, def) else { continue };
                        let whole = Shape::new(&ty, home).map(|shape| shape.outline());
                        assert_eq!(Outline::of(&ty, home), whole, "{def:?}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 500, "{compared}");
    }
}
