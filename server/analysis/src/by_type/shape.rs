//! Types as a search sees them: data types and interfaces go by their names, whichever file declares them, and
//! beside the type as it is written there is the flat one, in which types that say the same in other ways are one.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use frank_syntax::ast::Symbol;
use frank_syntax::stack::ensure_sufficient_stack;

use crate::db::SourceFile;
use crate::program::{DataDef, Definition, InterfaceDef};
use crate::types::{
    Ability, Adaptor, Adjustment, Arg, Computation, Instance, Port, Signature, Tail, Ty, TyKind,
    Types,
};

/// Types with more parts than this are not searched.
const MOST_PARTS: usize = 2_000;

/// The ways in which types say the same, each a bit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rules(u8);

impl Rules {
    /// `{X}` for `X`, and `{[I]X}` for `<I>X`.
    const THUNK: Rules = Rules(1);
    /// `X -> {Y -> Z}` for `X -> Y -> Z`.
    const CURRIED: Rules = Rules(2);
    /// `Pair X Y -> Z` for `X -> Y -> Z`.
    const PAIR: Rules = Rules(4);
    /// `Unit -> X` for `X`.
    const UNIT: Rules = Rules(8);
    /// `[Abort]X` for `Maybe X`, and `<Abort>X -> Y` for `Maybe X -> Y`.
    const MAYBE: Rules = Rules(16);

    const NAMES: [(Rules, &'static str); 5] = [
        (Rules::THUNK, "thunk"),
        (Rules::CURRIED, "curried"),
        (Rules::PAIR, "pair"),
        (Rules::UNIT, "unit"),
        (Rules::MAYBE, "maybe"),
    ];

    fn add(&mut self, rule: Rules) {
        self.0 |= rule.0;
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What tells two types apart that are flat one type: a word for each rule.
    pub fn between(self, other: Rules) -> Vec<&'static str> {
        let apart = match self.0 ^ other.0 {
            0 => self.0,
            apart => apart,
        };
        let names = Rules::NAMES.into_iter();
        let names = names.filter(|(rule, _)| apart & rule.0 != 0);
        names.map(|(_, name)| name).collect()
    }
}

/// A type to be searched for, or to be found.
#[derive(Debug, Clone)]
pub struct Shape {
    /// As it is written. Definitions have the scope of the built-in ones, whoever declares them, so that names alone
    /// are compared.
    pub straight: Signature,
    /// The same variables in the flat type.
    pub flat: Signature,
    /// What has been made flat.
    pub rules: Rules,
}

impl Shape {
    /// The shape of a type; `None` if something in it is wrong, or if it is too large. `home` is the file of the
    /// built-in definitions.
    pub fn new(signature: &Signature, home: SourceFile) -> Option<Shape> {
        let (straight, _) = walked(signature, home, false)?;
        let (flat, rules) = walked(signature, home, true)?;
        Some(Shape {
            straight,
            flat,
            rules,
        })
    }

    /// What has to be known to pass most types over.
    pub fn outline(&self) -> Outline {
        Outline {
            key: key(&self.straight),
            straight: Heads::new(&self.straight),
            flat: Heads::new(&self.flat),
        }
    }
}

/// A number for a type that is the same for equal ones, whatever their variables are called.
pub type Key = (u64, u64);

/// A type at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub key: Key,
    straight: Heads,
    flat: Heads,
}

impl Outline {
    /// Whether a type that is looked for may be this one. `open` says whether this one may take more arguments,
    /// `any_result` whether it may have any result.
    pub fn may_fit(&self, wanted: &Outline, open: bool, any_result: bool) -> bool {
        let fits = |wanted: &Heads, own: &Heads| own.may_fit(wanted, open, any_result);
        fits(&wanted.straight, &self.straight) || fits(&wanted.flat, &self.flat)
    }
}

impl Outline {
    /// As [`Shape::outline`], without a copy of most types; `None` where there is no shape.
    pub fn of(signature: &Signature, home: SourceFile) -> Option<Outline> {
        let mut look = Look {
            types: &signature.types,
            left: MOST_PARTS,
            is_sound: true,
            is_flat: true,
        };
        look.computation(&signature.computation);
        if !look.is_sound {
            return None;
        }
        if !look.is_flat {
            return Some(Shape::new(signature, home)?.outline());
        }
        let heads = Heads::new(signature);
        Some(Outline {
            key: key(signature),
            straight: heads.clone(),
            flat: heads,
        })
    }
}

/// A look at a type, whether it is one without wrong parts, not too large, and flat already.
struct Look<'a> {
    types: &'a Types,
    left: usize,
    is_sound: bool,
    /// `true` is certain.
    is_flat: bool,
}

impl Look<'_> {
    fn ty(&mut self, ty: Ty) {
        self.is_sound &= self.left > 0;
        self.left = self.left.saturating_sub(1);
        if !self.is_sound || !self.is_flat {
            return;
        }
        ensure_sufficient_stack(|| match self.types.kind(ty) {
            TyKind::Data(data, args) => {
                self.is_flat &= !matches!(data.0.name.as_str(), "Unit" | "Pair");
                self.args(args);
            }
            TyKind::Computation(_) => self.is_flat = false,
            kind => self.is_sound &= *kind != TyKind::Error,
        });
    }

    fn args(&mut self, args: &[Arg]) {
        for arg in args {
            match arg {
                Arg::Type(ty) => self.ty(*ty),
                Arg::Ability(ability) => self.ability(*ability),
            }
        }
    }

    fn instance(&mut self, instance: &Instance) {
        self.is_flat &= instance.interface.0.name.as_str() != "Abort";
        self.args(&instance.args);
    }

    fn ability(&mut self, ability: Ability) {
        let row = self.types.row(ability);
        self.is_sound &= row.tail != Tail::Error;
        row.instances.iter().for_each(|one| self.instance(one));
    }

    fn computation(&mut self, computation: &Computation) {
        for port in &computation.ports {
            for adjustment in port.adjustments.iter() {
                if let Adjustment::Instance(instance) = adjustment {
                    self.instance(instance);
                }
            }
            self.ty(port.ty);
        }
        self.ability(computation.ability);
        self.ty(computation.result);
    }
}

/// The outermost parts of a type's arguments and of its result, as numbers; 0 is a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Heads {
    ports: Box<[u32]>,
    result: u32,
}

impl Heads {
    fn new(signature: &Signature) -> Heads {
        let head = |ty: Ty| match signature.types.kind(ty) {
            TyKind::Variable(_) | TyKind::Meta(_) | TyKind::Error => 0,
            TyKind::Int => 1,
            TyKind::Float => 2,
            TyKind::Char => 3,
            TyKind::Computation(_) => 4,
            TyKind::Data(data, _) => data.0.name.number() as u32 | 8,
        };
        let computation = &signature.computation;
        Heads {
            ports: computation.ports.iter().map(|port| head(port.ty)).collect(),
            result: head(computation.result),
        }
    }

    fn may_fit(&self, wanted: &Heads, open: bool, any_result: bool) -> bool {
        let agree = |a: u32, b: u32| a == b || a == 0 || b == 0;
        let count = match open {
            true => self.ports.len() >= wanted.ports.len(),
            false => self.ports.len() == wanted.ports.len(),
        };
        // What gives anything whatever is no answer to what gives something.
        let result = any_result
            || agree(self.result, wanted.result)
                && (!open || self.result != 0 || wanted.result == 0);
        let has = |all: &[u32], one: u32| all.iter().any(|other| agree(*other, one));
        count
            && result
            && wanted.ports.iter().all(|port| has(&self.ports, *port))
            && (open || self.ports.iter().all(|port| has(&wanted.ports, *port)))
    }
}

fn walked(signature: &Signature, home: SourceFile, flat: bool) -> Option<(Signature, Rules)> {
    let mut walk = Walk {
        from: &signature.types,
        to: Types::default(),
        home,
        flat,
        rules: Rules::default(),
        left: MOST_PARTS,
        is_sound: true,
    };
    let computation = walk.computation(&signature.computation);
    let signature = Signature {
        types: walk.to,
        computation,
        values: signature.values.clone(),
        effects: signature.effects.clone(),
    };
    walk.is_sound.then_some((signature, walk.rules))
}

/// Copies a type.
struct Walk<'a> {
    from: &'a Types,
    to: Types,
    home: SourceFile,
    /// Whether the copy is the flat type.
    flat: bool,
    rules: Rules,
    /// How many parts the type may still have.
    left: usize,
    /// Whether nothing in it is wrong, and it is not too large.
    is_sound: bool,
}

impl Walk<'_> {
    fn at_home(&self, definition: Definition) -> Definition {
        Definition {
            scope: self.home,
            ..definition
        }
    }

    fn ty(&mut self, ty: Ty) -> Ty {
        self.is_sound &= self.left > 0;
        self.left = self.left.saturating_sub(1);
        if !self.is_sound {
            return self.to.ty(TyKind::Error);
        }
        ensure_sufficient_stack(|| match self.from.kind(ty) {
            TyKind::Data(data, args) => {
                let data = DataDef(self.at_home(data.0));
                let args = self.args(args);
                self.to.ty(TyKind::Data(data, args))
            }
            TyKind::Computation(computation) => {
                let computation = self.computation(computation);
                self.to.ty(TyKind::Computation(Arc::new(computation)))
            }
            kind => {
                self.is_sound &= *kind != TyKind::Error;
                self.to.ty(kind.clone())
            }
        })
    }

    fn args(&mut self, args: &[Arg]) -> Arc<[Arg]> {
        let args = args.iter().map(|arg| match arg {
            Arg::Type(ty) => Arg::Type(self.ty(*ty)),
            Arg::Ability(ability) => Arg::Ability(self.ability(*ability)),
        });
        args.collect()
    }

    fn instance(&mut self, instance: &Instance) -> Instance {
        Instance {
            interface: InterfaceDef(self.at_home(instance.interface.0)),
            args: self.args(&instance.args),
        }
    }

    fn ability(&mut self, ability: Ability) -> Ability {
        let row = self.from.row(ability);
        self.is_sound &= row.tail != Tail::Error;
        let instances = row.instances.iter().map(|one| self.instance(one)).collect();
        self.to.ability(row.tail, instances)
    }

    fn computation(&mut self, computation: &Computation) -> Computation {
        let mut ports = Vec::with_capacity(computation.ports.len());
        for port in &computation.ports {
            let adjustments = port.adjustments.iter().map(|adjustment| match adjustment {
                Adjustment::Instance(instance) => Adjustment::Instance(self.instance(instance)),
                Adjustment::Adaptor(adaptor) => Adjustment::Adaptor(Adaptor {
                    interface: InterfaceDef(self.at_home(adaptor.interface.0)),
                    ..adaptor.clone()
                }),
            });
            let adjustments = adjustments.collect();
            let port = Port {
                adjustments,
                ty: self.ty(port.ty),
            };
            match self.flat {
                true => self.flat_port(port, &mut ports),
                false => ports.push(port),
            }
        }
        let mut copied = Computation {
            ports,
            ability: self.ability(computation.ability),
            result: self.ty(computation.result),
        };
        if self.flat {
            self.flat_peg(&mut copied);
        }
        copied
    }

    /// What an argument is in the flat type: none, one or several. The parts of its type are flat.
    fn flat_port(&mut self, mut port: Port, into: &mut Vec<Port>) {
        while port.adjustments.is_empty() {
            match self.to.kind(port.ty).clone() {
                TyKind::Data(data, args) if is(data.0, "Unit", &args, 0) => {
                    self.rules.add(Rules::UNIT);
                    return;
                }
                TyKind::Data(data, args) if is(data.0, "Pair", &args, 2) => {
                    self.rules.add(Rules::PAIR);
                    let parts = args.iter().filter_map(|arg| match arg {
                        Arg::Type(ty) => Some(*ty),
                        Arg::Ability(_) => None,
                    });
                    for ty in parts {
                        let adjustments = Arc::from([]);
                        let part = Port { adjustments, ty };
                        ensure_sufficient_stack(|| self.flat_port(part, into));
                    }
                    return;
                }
                TyKind::Computation(thunk) if thunk.ports.is_empty() => {
                    let row = self.to.row(thunk.ability);
                    // An action is there for what it does.
                    if row.instances.is_empty() && self.is_unit(thunk.result) {
                        break;
                    }
                    self.rules.add(Rules::THUNK);
                    let added = row.instances.iter().cloned().map(Adjustment::Instance);
                    port = Port {
                        adjustments: added.collect(),
                        ty: thunk.result,
                    };
                }
                _ => break,
            }
        }
        if let [Adjustment::Instance(instance)] = &port.adjustments[..]
            && is(instance.interface.0, "Abort", &instance.args, 0)
        {
            port = Port {
                adjustments: Arc::from([]),
                ty: self.maybe(port.ty),
            };
        }
        into.push(port);
    }

    /// Makes flat what a computation gives.
    fn flat_peg(&mut self, computation: &mut Computation) {
        while let TyKind::Computation(inner) = self.to.kind(computation.result).clone() {
            let is_pure = |ability: Ability| self.to.row(ability).instances.is_empty();
            if is_pure(computation.ability) {
                computation.ability = inner.ability;
            } else if !is_pure(inner.ability) {
                break;
            }
            self.rules.add(match inner.ports.is_empty() {
                true => Rules::THUNK,
                false => Rules::CURRIED,
            });
            computation.ports.extend(inner.ports.iter().cloned());
            computation.result = inner.result;
        }
        let row = self.to.row(computation.ability).clone();
        // A thunk that does something else, too, is what a port adds: `{[Choice, Abort]X}` for `<Choice, Abort>X`.
        if computation.ports.is_empty() && row.instances.len() > 1 {
            return;
        }
        let is_abort = |one: &Instance| is(one.interface.0, "Abort", &one.args, 0);
        if let Some(position) = row.instances.iter().rposition(is_abort) {
            let mut instances = row.instances.to_vec();
            instances.remove(position);
            computation.ability = self.to.ability(row.tail, instances.into());
            computation.result = self.maybe(computation.result);
        }
    }

    fn is_unit(&self, ty: Ty) -> bool {
        matches!(self.to.kind(ty), TyKind::Data(data, args) if is(data.0, "Unit", args, 0))
    }

    /// `Maybe X`, which stands for what may abort.
    fn maybe(&mut self, ty: Ty) -> Ty {
        self.rules.add(Rules::MAYBE);
        let name = Symbol::new("Maybe");
        let scope = self.home;
        let data = DataDef(Definition { scope, name });
        self.to.ty(TyKind::Data(data, Arc::from([Arg::Type(ty)])))
    }
}

fn is(definition: Definition, name: &str, args: &[Arg], count: usize) -> bool {
    definition.name.as_str() == name && args.len() == count
}

/// Goes over a type and numbers its variables in the order in which they come.
struct Hashed<'a> {
    types: &'a Types,
    hashers: [DefaultHasher; 2],
    values: Vec<u32>,
    effects: Vec<u32>,
}

fn key(signature: &Signature) -> Key {
    let mut hashed = Hashed {
        types: &signature.types,
        hashers: [DefaultHasher::new(), DefaultHasher::new()],
        values: Vec::new(),
        effects: Vec::new(),
    };
    let [_, second] = &mut hashed.hashers;
    second.write_u8(1);
    hashed.computation(&signature.computation);
    let [first, second] = hashed.hashers;
    (first.finish(), second.finish())
}

/// The position of a variable among those seen so far.
fn number(seen: &mut Vec<u32>, variable: u32) -> usize {
    let known = seen.iter().position(|one| *one == variable);
    known.unwrap_or_else(|| {
        seen.push(variable);
        seen.len() - 1
    })
}

impl Hashed<'_> {
    fn word(&mut self, word: impl Hash) {
        for hasher in &mut self.hashers {
            word.hash(hasher);
        }
    }

    fn ty(&mut self, ty: Ty) {
        ensure_sufficient_stack(|| match self.types.kind(ty) {
            TyKind::Int => self.word(1),
            TyKind::Float => self.word(2),
            TyKind::Char => self.word(3),
            TyKind::Error | TyKind::Meta(_) => self.word(4),
            TyKind::Variable(variable) => {
                let number = number(&mut self.values, *variable);
                self.word((5, number));
            }
            TyKind::Data(data, args) => {
                self.word((6, data.0.name.number(), args.len()));
                self.args(args);
            }
            TyKind::Computation(computation) => {
                self.word(7);
                self.computation(computation);
            }
        });
    }

    fn args(&mut self, args: &[Arg]) {
        for arg in args {
            match arg {
                Arg::Type(ty) => self.ty(*ty),
                Arg::Ability(ability) => self.ability(*ability),
            }
        }
    }

    fn instance(&mut self, instance: &Instance) {
        self.word((instance.interface.0.name.number(), instance.args.len()));
        self.args(&instance.args);
    }

    fn ability(&mut self, ability: Ability) {
        let row = self.types.row(ability);
        match row.tail {
            Tail::Variable(variable) => {
                let number = number(&mut self.effects, variable);
                self.word((8, number));
            }
            Tail::Closed | Tail::Meta(_) | Tail::Error => self.word(9),
        }
        self.word(row.instances.len());
        for instance in row.instances.iter() {
            self.instance(instance);
        }
    }

    fn computation(&mut self, computation: &Computation) {
        self.word(computation.ports.len());
        for port in &computation.ports {
            self.word(port.adjustments.len());
            for adjustment in port.adjustments.iter() {
                match adjustment {
                    Adjustment::Instance(instance) => {
                        self.word(10);
                        self.instance(instance);
                    }
                    Adjustment::Adaptor(adaptor) => {
                        let name = adaptor.interface.0.name.number();
                        self.word((11, name, adaptor.taken, adaptor.drops_all));
                        self.word(&adaptor.kept);
                    }
                }
            }
            self.ty(port.ty);
        }
        self.ability(computation.ability);
        self.ty(computation.result);
    }
}
