//! When types and abilities are equal, and what variables have to be for that
//! (docs/language/types.md; docs/language/abilities.md, "Equality of abilities";
//! docs/language/numbers.md).

use std::collections::{HashMap, HashSet};

use super::types::{
    Ability, Adaptor, Adjustment, Arg, Computation, Id, Instance, Port, Tail, Type, Variables,
};

/// Why something is wrong, in a few words.
pub type Checked<T = ()> = Result<T, String>;

fn wrong<T>(why: impl Into<String>) -> Checked<T> {
    Err(why.into())
}

/// What flexible variables have been chosen to be.
#[derive(Debug, Default)]
pub struct Solution {
    types: HashMap<usize, Type>,
    abilities: HashMap<usize, Ability>,
    /// The variables that stand for `Int` or `Float`.
    numbers: HashSet<usize>,
    next: usize,
}

impl Solution {
    /// How many variables there have been.
    pub fn count(&self) -> usize {
        self.next
    }

    fn next(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    pub fn fresh_type(&mut self) -> Type {
        Type::Flexible(self.next())
    }

    pub fn fresh_ability(&mut self) -> Ability {
        Ability::just(Tail::Flexible(self.next()))
    }

    pub fn fresh_name(&mut self, name: &str) -> frank_syntax::ast::Symbol {
        frank_syntax::ast::Symbol::new(&format!("{name}#{}", self.next()))
    }

    /// The type as far as it is known, to its outermost constructor.
    pub fn outermost(&self, ty: &Type) -> Type {
        match ty {
            Type::Flexible(variable) => match self.types.get(variable) {
                Some(chosen) => self.outermost(chosen),
                None => ty.clone(),
            },
            _ => ty.clone(),
        }
    }

    /// The ability with its tail as far as it is known. What a tail stands for goes in front.
    pub fn ability(&self, ability: &Ability) -> Ability {
        match ability.tail {
            Tail::Flexible(variable) => match self.abilities.get(&variable) {
                Some(chosen) => {
                    let mut all = self.ability(chosen);
                    all.instances.extend(ability.instances.iter().cloned());
                    all
                }
                None => ability.clone(),
            },
            Tail::Closed | Tail::Rigid(_) => ability.clone(),
        }
    }

    /// All variables in what a variable stands for now, itself if nothing is chosen.
    pub fn variables_behind(&self, variable: usize) -> Variables {
        let mut found = Variables::default();
        let mut seen = HashSet::new();
        let mut open = vec![variable];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            let mut inside = Variables::default();
            match (self.types.get(&next), self.abilities.get(&next)) {
                (Some(ty), _) => inside.ty(ty),
                (_, Some(ability)) => inside.ability(ability),
                (None, None) => drop(found.flexible.insert(next)),
            }
            found.types.append(&mut inside.types);
            found.tails.append(&mut inside.tails);
            open.extend(inside.flexible);
        }
        found
    }

    fn choose_type(&mut self, variable: usize, ty: Type) -> Checked {
        let mut inside = Variables::default();
        inside.ty(&ty);
        self.occurs(variable, &inside)?;
        if self.numbers.contains(&variable) {
            self.number(&ty)?;
        }
        self.types.insert(variable, ty);
        Ok(())
    }

    fn choose_ability(&mut self, variable: usize, ability: Ability) -> Checked {
        let mut inside = Variables::default();
        inside.ability(&ability);
        self.occurs(variable, &inside)?;
        self.abilities.insert(variable, ability);
        Ok(())
    }

    fn occurs(&self, variable: usize, inside: &Variables) -> Checked {
        let mut inside = inside.flexible.iter();
        if inside.any(|one| self.variables_behind(*one).flexible.contains(&variable)) {
            return wrong("a type would contain itself");
        }
        Ok(())
    }

    /// The type is `Int` or `Float`; which one may be open.
    pub fn number(&mut self, ty: &Type) -> Checked {
        match self.outermost(ty) {
            Type::Int | Type::Float => Ok(()),
            Type::Flexible(variable) => {
                self.numbers.insert(variable);
                Ok(())
            }
            other => wrong(format!("{other:?} is no number")),
        }
    }

    pub fn equal_types(&mut self, a: &Type, b: &Type) -> Checked {
        match (self.outermost(a), self.outermost(b)) {
            (Type::Flexible(a), Type::Flexible(b)) if a == b => Ok(()),
            (Type::Flexible(variable), other) | (other, Type::Flexible(variable)) => {
                self.choose_type(variable, other)
            }
            (Type::Data(a, some), Type::Data(b, others)) if a == b => {
                self.equal_args(&some, &others)
            }
            (Type::Thunk(a), Type::Thunk(b)) => self.equal_computations(&a, &b),
            (a, b) if a == b => Ok(()),
            (a, b) => wrong(format!("{a:?} is not {b:?}")),
        }
    }

    fn equal_args(&mut self, some: &[Arg], others: &[Arg]) -> Checked {
        for pair in some.iter().zip(others) {
            match pair {
                (Arg::Type(a), Arg::Type(b)) => self.equal_types(a, b)?,
                (Arg::Ability(a), Arg::Ability(b)) => self.equal_abilities(a, b)?,
                _ => return wrong("arguments of different kinds"),
            }
        }
        Ok(())
    }

    /// Port by port, and then the pegs.
    fn equal_computations(&mut self, a: &Computation, b: &Computation) -> Checked {
        if a.ports.len() != b.ports.len() {
            return wrong("different numbers of ports");
        }
        for (a, b) in a.ports.iter().zip(&b.ports) {
            if adaptors_by_interface(a) != adaptors_by_interface(b) {
                return wrong("different adaptors");
            }
            self.equal_instances(
                &a.added().cloned().collect::<Vec<_>>(),
                &b.added().cloned().collect::<Vec<_>>(),
            )?;
            self.equal_types(&a.ty, &b.ty)?;
        }
        self.equal_abilities(&a.ability, &b.ability)?;
        self.equal_types(&a.result, &b.result)
    }

    /// The same number of instances of each interface, equal one by one.
    fn equal_instances(&mut self, some: &[Instance], others: &[Instance]) -> Checked {
        let of = |all: &[Instance], id: Id| -> Vec<Instance> {
            let all = all.iter();
            all.filter(|one| one.interface == id).cloned().collect()
        };
        let both = some.iter().chain(others);
        let interfaces: std::collections::BTreeSet<Id> = both.map(|one| one.interface).collect();
        for interface in interfaces {
            let (some, others) = (of(some, interface), of(others, interface));
            if some.len() != others.len() {
                return wrong(format!("different numbers of {}", interface.name));
            }
            for (a, b) in some.iter().zip(&others) {
                self.equal_args(&a.args, &b.args)?;
            }
        }
        Ok(())
    }

    /// First the tails are chosen, so that both abilities have one tail and equally many instances
    /// of each interface; then the instances have to be equal.
    pub fn equal_abilities(&mut self, a: &Ability, b: &Ability) -> Checked {
        let (a, b) = (self.ability(a), self.ability(b));
        match (a.tail, b.tail) {
            (left, right) if left == right => {}
            (Tail::Flexible(left), Tail::Flexible(right)) => {
                let mut beyond_b = self.fresh_ability();
                let mut beyond_a = beyond_b.clone();
                beyond_b.instances = beyond(&a, &b);
                beyond_a.instances = beyond(&b, &a);
                self.choose_ability(left, beyond_a)?;
                self.choose_ability(right, beyond_b)?;
            }
            (Tail::Flexible(variable), _) => self.take_rest(variable, &a, &b)?,
            (_, Tail::Flexible(variable)) => self.take_rest(variable, &b, &a)?,
            (left, right) => return wrong(format!("the tail {left:?} is not {right:?}")),
        }
        let (a, b) = (self.ability(&a), self.ability(&b));
        self.equal_instances(&a.instances, &b.instances)
    }

    /// The flexible tail of `open` becomes what `fixed` has beyond it; the other way round there
    /// must be nothing.
    fn take_rest(&mut self, variable: usize, open: &Ability, fixed: &Ability) -> Checked {
        if let Some(one) = beyond(open, fixed).first() {
            return wrong(format!("too few {}", one.interface.name));
        }
        let instances = beyond(fixed, open);
        let tail = fixed.tail;
        self.choose_ability(variable, Ability { tail, instances })
    }

    /// The active instance of an interface. An open ability gets one with fresh arguments, which
    /// `fresh` makes.
    pub fn active(
        &mut self,
        ability: &Ability,
        interface: Id,
        fresh: impl FnMut(&mut Solution) -> Instance,
    ) -> Checked<Instance> {
        let ability = self.at_least(ability, interface, 1, fresh)?;
        let all = ability.of(interface);
        all.last()
            .map(|one| (*one).clone())
            .ok_or_else(|| format!("there is no {}", interface.name))
    }

    /// The ability, with so many instances of an interface or more; an open one gets what it
    /// lacks, at its tail.
    pub fn at_least(
        &mut self,
        ability: &Ability,
        interface: Id,
        wanted: usize,
        mut fresh: impl FnMut(&mut Solution) -> Instance,
    ) -> Checked<Ability> {
        let ability = self.ability(ability);
        let lacking = wanted.saturating_sub(ability.of(interface).len());
        if lacking == 0 {
            return Ok(ability);
        }
        let Tail::Flexible(variable) = ability.tail else {
            return wrong(format!("there are too few {}", interface.name));
        };
        let mut longer = self.fresh_ability();
        longer.instances = (0..lacking).map(|_| fresh(self)).collect();
        self.choose_ability(variable, longer)?;
        Ok(self.ability(&ability))
    }
}

/// What `a` has to the left beyond `b`, interface by interface.
fn beyond(a: &Ability, b: &Ability) -> Vec<Instance> {
    let mut rest = Vec::new();
    for interface in a.interfaces() {
        let (of_a, of_b) = (a.of(interface), b.of(interface));
        let longer_by = of_a.len().saturating_sub(of_b.len());
        rest.extend(of_a.into_iter().take(longer_by).cloned());
    }
    rest
}

/// The adaptors of a port. Those of different interfaces may stand in any order.
fn adaptors_by_interface(port: &Port) -> Vec<&Adaptor> {
    let all = port.adjustments.iter().filter_map(|one| match one {
        Adjustment::Adapt(adaptor) => Some(adaptor),
        Adjustment::Add(_) => None,
    });
    let mut all: Vec<&Adaptor> = all.collect();
    all.sort_by_key(|adaptor| adaptor.interface);
    all
}
