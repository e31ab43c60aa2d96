//! Types, abilities and adjustments (language reference, section 4).
//!
//! Types live in an arena, [`Types`]. A signature is an arena of its own, whose variables stand
//! for whatever a use puts in their place; the checker copies it into the arena of the
//! definition it is at work on. Sharing is kept, so types that double with every step stay small.

use std::sync::Arc;

use frank_syntax::ast::{ParamKind, Symbol};
use frank_syntax::stack::ensure_sufficient_stack;
use la_arena::{Arena, Idx};

use crate::program::{DataDef, InterfaceDef};

/// A type in an arena. It means nothing without its [`Types`].
pub type Ty = Idx<TyKind>;
/// An ability in an arena. It means nothing without its [`Types`].
pub type Ability = Idx<AbilityData>;

/// What a type is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TyKind {
    Int,
    Float,
    Char,
    Data(DataDef, Arc<[Arg]>),
    Computation(Arc<Computation>),
    /// In a signature: a variable to be replaced. In the checker: a rigid one, equal to itself
    /// alone.
    Variable(u32),
    /// A flexible variable of the checker.
    Meta(u32),
    /// The type of something that is wrong already; it agrees with every type.
    Error,
}

/// What fills a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg {
    Type(Ty),
    Ability(Ability),
}

/// A suspended computation's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Computation {
    pub ports: Vec<Port>,
    pub ability: Ability,
    pub result: Ty,
}

impl Computation {
    /// Whether some port changes the ability in which its argument is evaluated.
    pub fn adjusts(&self) -> bool {
        self.ports.iter().any(|port| !port.adjustments.is_empty())
    }
}

/// What a computation takes: `<Σ>A`, a type and what it changes in the ability in which the argument
/// is evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    pub adjustments: Arc<[Adjustment]>,
    pub ty: Ty,
}

impl Port {
    /// The instances that the port adds, in the order written.
    pub fn added(&self) -> impl DoubleEndedIterator<Item = &Instance> {
        self.adjustments
            .iter()
            .filter_map(|adjustment| match adjustment {
                Adjustment::Instance(instance) => Some(instance),
                Adjustment::Adaptor(_) => None,
            })
    }

    /// The same, each with the number that a pattern names it by: how many others of its interface stand to its right.
    pub fn numbered(&self) -> Vec<(&Instance, u32)> {
        let added: Vec<&Instance> = self.added().collect();
        let number = |place: usize, instance: &Instance| {
            let others = added.iter().skip(place + 1);
            let others = others.filter(|other| other.interface == instance.interface);
            others.count() as u32
        };
        let places = added.iter().enumerate();
        let numbered = places.map(|(place, instance)| (*instance, number(place, instance)));
        numbered.collect()
    }

    /// The interfaces that its adjustments are about.
    pub fn interfaces(&self) -> impl Iterator<Item = InterfaceDef> + '_ {
        self.adjustments.iter().map(|adjustment| match adjustment {
            Adjustment::Instance(instance) => instance.interface,
            Adjustment::Adaptor(adaptor) => adaptor.interface,
        })
    }
}

/// One part of what a port changes in the ability: it adds an instance, or rearranges those there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adjustment {
    Instance(Instance),
    Adaptor(Adaptor),
}

/// An interface with arguments for its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub interface: InterfaceDef,
    pub args: Arc<[Arg]>,
}

/// An adaptor with its names resolved to positions from the right, as the typed core has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adaptor {
    pub interface: InterfaceDef,
    pub taken: u32,
    pub kept: Vec<u32>,
    /// Nothing stands on the right: every instance in sight is dropped. Once that is known,
    /// `taken` is their number; in a port, where types are compared, this is false then.
    pub drops_all: bool,
}

/// What there is to the left of an ability's written instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tail {
    Closed,
    Variable(u32),
    Meta(u32),
    /// The tail of an ability that is wrong already; it agrees with every ability.
    Error,
}

/// An ability: a row of instances, the active one of each interface right-most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbilityData {
    pub tail: Tail,
    pub instances: Arc<[Instance]>,
}

/// The arena that types and abilities live in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Types {
    tys: Arena<TyKind>,
    abilities: Arena<AbilityData>,
}

impl Types {
    /// Makes a type; one more even if there is an equal one.
    pub fn ty(&mut self, kind: TyKind) -> Ty {
        self.tys.alloc(kind)
    }

    pub fn ability(&mut self, tail: Tail, instances: Arc<[Instance]>) -> Ability {
        self.abilities.alloc(AbilityData { tail, instances })
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.tys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tys.is_empty()
    }

    pub fn kind(&self, ty: Ty) -> &TyKind {
        &self.tys[ty]
    }

    pub fn row(&self, ability: Ability) -> &AbilityData {
        &self.abilities[ability]
    }

    /// Whether a type variable stands in a type, the arguments of its abilities left aside.
    pub fn mentions(&self, ty: Ty, variable: u32) -> bool {
        ensure_sufficient_stack(|| match self.kind(ty) {
            TyKind::Data(_, args) => args.iter().any(|arg| match arg {
                Arg::Type(ty) => self.mentions(*ty, variable),
                Arg::Ability(_) => false,
            }),
            TyKind::Computation(computation) => {
                let mut ports = computation.ports.iter();
                ports.any(|port| self.mentions(port.ty, variable))
                    || self.mentions(computation.result, variable)
            }
            TyKind::Variable(own) => *own == variable,
            TyKind::Int | TyKind::Float | TyKind::Char | TyKind::Meta(_) | TyKind::Error => false,
        })
    }

    /// The variable that a result is if no argument mentions it: then it can be of any type.
    pub fn unmentioned_result(
        &self,
        result: Ty,
        mut taken: impl Iterator<Item = Ty>,
    ) -> Option<u32> {
        match self.kind(result) {
            TyKind::Variable(own) if !taken.any(|ty| self.mentions(ty, *own)) => Some(*own),
            _ => None,
        }
    }

    /// The data types that are named in any of the types.
    pub fn data(&self) -> impl Iterator<Item = DataDef> + '_ {
        self.tys.values().filter_map(|kind| match kind {
            TyKind::Data(data, _) => Some(*data),
            _ => None,
        })
    }

    /// The interfaces that are named in any of the types and abilities.
    pub fn interfaces(&self) -> impl Iterator<Item = InterfaceDef> + '_ {
        let rows = self.abilities.values();
        let performed = rows.flat_map(|row| row.instances.iter().map(|one| one.interface));
        let adjusted = self.tys.values().flat_map(|kind| match kind {
            TyKind::Computation(computation) => &computation.ports[..],
            _ => &[],
        });
        performed.chain(adjusted.flat_map(Port::interfaces))
    }
}

/// What the variables of a copied type become.
#[derive(Debug, Clone, Copy)]
pub struct Replacement<'a> {
    pub values: &'a [Ty],
    pub effects: &'a [Ability],
}

impl Types {
    /// Copies `ty` of `from`, a type without metas, and replaces its variables. A variable that
    /// has no replacement stays.
    pub fn copy(&mut self, from: &Types, ty: Ty, with: Replacement<'_>) -> Ty {
        ensure_sufficient_stack(|| match from.kind(ty) {
            TyKind::Variable(index) => match with.values.get(*index as usize) {
                Some(value) => *value,
                None => self.ty(TyKind::Variable(*index)),
            },
            TyKind::Data(def, args) => {
                let args = self.copy_args(from, args, with);
                self.ty(TyKind::Data(*def, args))
            }
            TyKind::Computation(computation) => {
                let computation = self.copy_computation(from, computation, with);
                self.ty(TyKind::Computation(Arc::new(computation)))
            }
            other => self.ty(other.clone()),
        })
    }

    pub fn copy_computation(
        &mut self,
        from: &Types,
        computation: &Computation,
        with: Replacement<'_>,
    ) -> Computation {
        Computation {
            ports: computation
                .ports
                .iter()
                .map(|port| Port {
                    adjustments: self.copy_adjustments(from, &port.adjustments, with),
                    ty: self.copy(from, port.ty, with),
                })
                .collect(),
            ability: self.copy_ability(from, computation.ability, with),
            result: self.copy(from, computation.result, with),
        }
    }

    fn copy_adjustments(
        &mut self,
        from: &Types,
        adjustments: &Arc<[Adjustment]>,
        with: Replacement<'_>,
    ) -> Arc<[Adjustment]> {
        adjustments
            .iter()
            .map(|adjustment| match adjustment {
                Adjustment::Instance(instance) => {
                    Adjustment::Instance(self.copy_instance(from, instance, with))
                }
                Adjustment::Adaptor(adaptor) => Adjustment::Adaptor(adaptor.clone()),
            })
            .collect()
    }

    pub fn copy_instance(
        &mut self,
        from: &Types,
        instance: &Instance,
        with: Replacement<'_>,
    ) -> Instance {
        Instance {
            interface: instance.interface,
            args: self.copy_args(from, &instance.args, with),
        }
    }

    pub fn copy_args(
        &mut self,
        from: &Types,
        args: &Arc<[Arg]>,
        with: Replacement<'_>,
    ) -> Arc<[Arg]> {
        args.iter()
            .map(|arg| match arg {
                Arg::Type(ty) => Arg::Type(self.copy(from, *ty, with)),
                Arg::Ability(ability) => Arg::Ability(self.copy_ability(from, *ability, with)),
            })
            .collect()
    }

    /// Copies an ability; what its tail becomes goes to the left of its own instances.
    pub fn copy_ability(
        &mut self,
        from: &Types,
        ability: Ability,
        with: Replacement<'_>,
    ) -> Ability {
        let row = from.row(ability);
        let replacement = match row.tail {
            Tail::Variable(index) => with.effects.get(index as usize).copied(),
            _ => None,
        };
        let own = row
            .instances
            .iter()
            .map(|i| self.copy_instance(from, i, with));
        let own: Vec<Instance> = own.collect();
        match replacement {
            Some(replacement) if own.is_empty() => replacement,
            Some(replacement) => self.extended(replacement, own),
            None => self.ability(row.tail, own.into()),
        }
    }

    /// `ability` with `instances` added on the right.
    pub fn extended(&mut self, ability: Ability, instances: Vec<Instance>) -> Ability {
        let row = self.row(ability).clone();
        if row.instances.is_empty() {
            return self.ability(row.tail, instances.into());
        }
        let all: Vec<Instance> = row.instances.iter().cloned().chain(instances).collect();
        self.ability(row.tail, all.into())
    }
}

/// A quantified type: what an operator's signature says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    pub types: Types,
    pub computation: Computation,
    /// The names of the value variables, by their numbers.
    pub values: Vec<Symbol>,
    /// The names of the effect variables, by their numbers.
    pub effects: Vec<Symbol>,
}

impl Signature {
    /// The interfaces that are named in it.
    pub fn interfaces(&self) -> impl Iterator<Item = InterfaceDef> + '_ {
        let ports = self.computation.ports.iter();
        ports
            .flat_map(Port::interfaces)
            .chain(self.types.interfaces())
    }
}

/// The parameters of a data type, an interface or an alias, a gained `[ε]` last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    pub all: Vec<(Symbol, ParamKind)>,
    /// How many of them are written.
    pub written: usize,
}

impl Params {
    pub fn values(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.of(ParamKind::Value)
    }

    pub fn effects(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.of(ParamKind::Effect)
    }

    fn of(&self, kind: ParamKind) -> impl Iterator<Item = Symbol> + '_ {
        self.all
            .iter()
            .filter(move |(_, k)| *k == kind)
            .map(|(name, _)| *name)
    }
}

/// A data type: its value parameters are the variables of its fields, numbered in order, and so
/// are its effect parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataType {
    pub types: Types,
    pub params: Arc<Params>,
    pub constructors: Vec<Constructor>,
    /// The few constructors, by their numbers, that stand for another one, with that one: its
    /// patterns match their values as well. Its fields are the first ones of theirs.
    pub standing: Vec<(u32, u32)>,
}

/// A constructor of a [`DataType`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constructor {
    pub name: Symbol,
    pub fields: Vec<Ty>,
}

impl DataType {
    /// The constructor that one of them stands for.
    pub fn stands_for(&self, constructor: u32) -> Option<u32> {
        let mut standing = self.standing.iter();
        let (_, other) = standing.find(|(own, _)| *own == constructor)?;
        Some(*other)
    }

    /// The constructors whose values a pattern of one of them matches, by their numbers: itself
    /// first, then those that stand for it.
    pub fn matched_by(&self, constructor: u32) -> impl Iterator<Item = u32> + '_ {
        let others = self.standing.iter();
        let others = others.filter(move |(_, other)| *other == constructor);
        std::iter::once(constructor).chain(others.map(|(own, _)| *own))
    }
}

/// An interface. In a command's types the interface's parameters are numbered first, then the
/// command's own, each kind by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    pub types: Types,
    pub params: Arc<Params>,
    pub commands: Vec<Command>,
}

/// A command of an [`Interface`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub name: Symbol,
    /// The command's own parameters.
    pub params: Arc<Params>,
    pub args: Vec<Ty>,
    pub result: Ty,
}

/// Names that values of a type often have, the first ones first; behind the last come numbered ones.
pub fn usual_names(kind: &TyKind) -> &'static [&'static str] {
    match kind {
        TyKind::Int => &["n", "m", "i", "n"],
        TyKind::Char => &["c", "d", "c"],
        TyKind::Computation(_) => &["f", "g", "h", "f"],
        TyKind::Data(data, _) if data.0.name.as_str() == "List" => &["xs", "ys", "zs", "xs"],
        _ => &["x", "y", "z", "w", "x"],
    }
}
