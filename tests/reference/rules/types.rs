//! What types and abilities are (docs/language/types.md, docs/language/abilities.md).

use std::collections::{BTreeMap, BTreeSet};

use frank_syntax::ast::Symbol;

/// A data type or an interface: the number of the scope that defines it, and its name there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    pub scope: usize,
    pub name: Symbol,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    Int,
    Float,
    Char,
    Data(Id, Vec<Arg>),
    Thunk(Box<Computation>),
    /// A variable that is equal to itself alone, or a parameter that is yet to be replaced.
    Rigid(Symbol),
    /// A variable that unification may still choose.
    Flexible(usize),
}

/// An argument of a data type or of an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arg {
    Type(Type),
    Ability(Ability),
}

/// `{port -> … -> [ability]result}`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Computation {
    pub ports: Vec<Port>,
    pub ability: Ability,
    pub result: Type,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    pub adjustments: Vec<Adjustment>,
    pub ty: Type,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adjustment {
    Adapt(Adaptor),
    Add(Instance),
}

/// `I(s a b -> s b a)`: takes the `left` right-most instances of `I` away and puts some of them
/// back, each named by its place among them, from the left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adaptor {
    pub interface: Id,
    pub left: usize,
    /// `None` for a right side that is empty: all instances in sight are dropped.
    pub right: Option<Vec<usize>>,
}

/// A tail, and instances in the order written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ability {
    pub tail: Tail,
    pub instances: Vec<Instance>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    Closed,
    Rigid(Symbol),
    Flexible(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub interface: Id,
    pub args: Vec<Arg>,
}

impl Port {
    /// A port without adjustments.
    pub fn plain(ty: Type) -> Port {
        Port {
            adjustments: Vec::new(),
            ty,
        }
    }

    /// The instances that the adjustments add.
    pub fn added(&self) -> impl DoubleEndedIterator<Item = &Instance> {
        self.adjustments.iter().filter_map(|one| match one {
            Adjustment::Add(instance) => Some(instance),
            Adjustment::Adapt(_) => None,
        })
    }
}

impl Ability {
    pub fn just(tail: Tail) -> Ability {
        Ability {
            tail,
            instances: Vec::new(),
        }
    }

    /// The instances of one interface, the active one last.
    pub fn of(&self, interface: Id) -> Vec<&Instance> {
        let all = self.instances.iter();
        all.filter(|instance| instance.interface == interface)
            .collect()
    }

    /// The interfaces that have instances.
    pub fn interfaces(&self) -> BTreeSet<Id> {
        self.instances.iter().map(|one| one.interface).collect()
    }
}

pub fn thunk(ports: Vec<Port>, ability: Ability, result: Type) -> Type {
    Type::Thunk(Box::new(Computation {
        ports,
        ability,
        result,
    }))
}

/// What stands for parameters and rigid variables, value and effect variables apart.
#[derive(Debug, Clone, Default)]
pub struct Replacement {
    pub types: BTreeMap<Symbol, Type>,
    pub abilities: BTreeMap<Symbol, Ability>,
}

impl Replacement {
    pub fn ty(&self, ty: &Type) -> Type {
        match ty {
            Type::Rigid(name) => self.types.get(name).unwrap_or(ty).clone(),
            Type::Data(id, args) => Type::Data(*id, self.args(args)),
            Type::Thunk(it) => Type::Thunk(Box::new(self.computation(it))),
            Type::Int | Type::Float | Type::Char | Type::Flexible(_) => ty.clone(),
        }
    }

    pub fn args(&self, args: &[Arg]) -> Vec<Arg> {
        let one = |arg: &Arg| match arg {
            Arg::Type(ty) => Arg::Type(self.ty(ty)),
            Arg::Ability(ability) => Arg::Ability(self.ability(ability)),
        };
        args.iter().map(one).collect()
    }

    pub fn instance(&self, instance: &Instance) -> Instance {
        Instance {
            interface: instance.interface,
            args: self.args(&instance.args),
        }
    }

    /// What a tail is replaced by goes in front of the instances that are written.
    pub fn ability(&self, ability: &Ability) -> Ability {
        let mut new = match ability.tail {
            Tail::Rigid(name) => self.abilities.get(&name).cloned(),
            Tail::Closed | Tail::Flexible(_) => None,
        }
        .unwrap_or(Ability::just(ability.tail));
        let written = ability.instances.iter();
        new.instances.extend(written.map(|one| self.instance(one)));
        new
    }

    pub fn computation(&self, it: &Computation) -> Computation {
        let adjustment = |one: &Adjustment| match one {
            Adjustment::Adapt(adaptor) => Adjustment::Adapt(adaptor.clone()),
            Adjustment::Add(instance) => Adjustment::Add(self.instance(instance)),
        };
        let port = |port: &Port| Port {
            adjustments: port.adjustments.iter().map(adjustment).collect(),
            ty: self.ty(&port.ty),
        };
        Computation {
            ports: it.ports.iter().map(port).collect(),
            ability: self.ability(&it.ability),
            result: self.ty(&it.result),
        }
    }
}

/// The variables of a type, each once.
#[derive(Debug, Default)]
pub struct Variables {
    pub types: BTreeSet<Symbol>,
    pub tails: BTreeSet<Symbol>,
    pub flexible: BTreeSet<usize>,
}

impl Variables {
    pub fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Int | Type::Float | Type::Char => {}
            Type::Rigid(name) => drop(self.types.insert(*name)),
            Type::Flexible(variable) => drop(self.flexible.insert(*variable)),
            Type::Data(_, args) => self.args(args),
            Type::Thunk(it) => self.computation(it),
        }
    }

    pub fn computation(&mut self, it: &Computation) {
        for port in &it.ports {
            port.added().for_each(|one| self.args(&one.args));
            self.ty(&port.ty);
        }
        self.ability(&it.ability);
        self.ty(&it.result);
    }

    pub fn ability(&mut self, ability: &Ability) {
        match ability.tail {
            Tail::Closed => {}
            Tail::Rigid(name) => drop(self.tails.insert(name)),
            Tail::Flexible(variable) => drop(self.flexible.insert(variable)),
        }
        ability
            .instances
            .iter()
            .for_each(|one| self.args(&one.args));
    }

    fn args(&mut self, args: &[Arg]) {
        for arg in args {
            match arg {
                Arg::Type(ty) => self.ty(ty),
                Arg::Ability(ability) => self.ability(ability),
            }
        }
    }
}
