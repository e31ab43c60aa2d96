//! Flexible variables, unification and what adaptors do to abilities (language reference,
//! section 4 "Abilities", "Adjustments", "Adaptors").

use std::collections::HashSet;
use std::sync::Arc;

use frank_syntax::ast::{NodeId, ParamKind};
use frank_syntax::stack::ensure_sufficient_stack;

use crate::program::InterfaceDef;
use crate::types::{
    Ability, AbilityData, Adaptor, Adjustment, Arg, Computation, Instance, Params, Replacement,
    Signature, Tail, Ty, TyKind, Types,
};

/// Why two types do not agree, at the innermost place where they differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clash {
    /// Two types with different heads.
    Types(Ty, Ty),
    /// The variable would stand for a type that contains it.
    Infinite {
        variable: Ty,
        within: Ty,
    },
    InfiniteAbility {
        variable: Ability,
        within: Ability,
    },
    NotANumber(Ty),
    PortCount(Ty, Ty),
    Adjustments(Ty, Ty),
    Abilities(Ability, Ability),
}

pub type Unified = Result<(), Clash>;

#[derive(Debug, Clone, Copy, Default)]
struct Meta {
    bound: Option<Ty>,
    /// Only `Int` and `Float` fit.
    number: bool,
    /// What first decided something about it.
    decided: Option<Decision>,
}

/// What flexible variables stand for, by their numbers. The table hands the numbers out, so there
/// is an entry for each.
struct Bindings<T>(Vec<T>);

impl<T> Bindings<T> {
    fn add(&mut self, binding: T) -> u32 {
        self.0.push(binding);
        self.0.len() as u32 - 1
    }
}

#[allow(clippy::indexing_slicing, reason = "numbers come from `add` alone")]
impl<T> std::ops::Index<u32> for Bindings<T> {
    type Output = T;

    fn index(&self, number: u32) -> &T {
        &self.0[number as usize]
    }
}

#[allow(clippy::indexing_slicing, reason = "numbers come from `add` alone")]
impl<T> std::ops::IndexMut<u32> for Bindings<T> {
    fn index_mut(&mut self, number: u32) -> &mut T {
        &mut self.0[number as usize]
    }
}

enum Undo {
    /// A variable, and what was known of it before.
    Meta(u32, Meta),
    BoundEffect(u32),
}

/// A point to come back to, as whoever has one must: until then all is written down that is to be undone.
#[derive(Debug)]
#[must_use]
pub struct Snapshot(usize);

/// What decided something about a flexible variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// A term or a pattern.
    pub node: NodeId,
    /// It is what the place of the node needs, and not what stands there.
    pub by_place: bool,
}

/// What decided the two types of a clash, where variables stand for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Decided {
    pub expected: Option<Decision>,
    pub found: Option<Decision>,
}

/// The types of the definition at work, with its flexible variables.
pub struct Table {
    pub types: Types,
    metas: Bindings<Meta>,
    effect_metas: Bindings<Option<Ability>>,
    /// What has been done since the first of the snapshots at hand.
    undo: Vec<Undo>,
    /// How many snapshots are at hand.
    snapshots: usize,
    /// Steps that the unification at work has taken.
    steps: u32,
    /// The pairs that it has seen, once it has taken so many that it may be going in circles.
    seen: HashSet<(Ty, Ty)>,
    visited: Visited,
    /// What is being checked: the node that decides what is decided now.
    pub at: Option<NodeId>,
    /// What decided the two types of the latest clash.
    pub decided: Decided,
    pub int: Ty,
    pub float: Ty,
    pub char: Ty,
    pub error: Ty,
    pub empty: Arc<[Instance]>,
}

/// After so many steps unification remembers which pairs it has compared, so that types whose
/// trees are exponentially larger than their graphs are compared as graphs.
const PATIENCE: u32 = 2_000;

impl Default for Table {
    fn default() -> Table {
        let mut types = Types::default();
        let int = types.ty(TyKind::Int);
        let float = types.ty(TyKind::Float);
        let char = types.ty(TyKind::Char);
        let error = types.ty(TyKind::Error);
        Table {
            types,
            metas: Bindings(Vec::new()),
            effect_metas: Bindings(Vec::new()),
            undo: Vec::new(),
            snapshots: 0,
            steps: 0,
            seen: HashSet::new(),
            visited: Visited::default(),
            at: None,
            decided: Decided::default(),
            int,
            float,
            char,
            error,
            empty: Arc::from([]),
        }
    }
}

impl Table {
    pub fn fresh(&mut self) -> Ty {
        self.meta(false)
    }

    /// A flexible variable for `Int` or `Float`.
    pub fn fresh_number(&mut self) -> Ty {
        self.meta(true)
    }

    /// Makes room for so many flexible variables at once.
    pub fn reserve(&mut self, count: usize) {
        self.metas.0.reserve(count);
    }

    fn meta(&mut self, number: bool) -> Ty {
        let index = self.metas.add(Meta {
            bound: None,
            number,
            decided: if number { self.decision(false) } else { None },
        });
        self.types.ty(TyKind::Meta(index))
    }

    pub fn fresh_ability(&mut self) -> Ability {
        let tail = self.fresh_tail();
        self.types.ability(tail, self.empty.clone())
    }

    fn fresh_tail(&mut self) -> Tail {
        Tail::Meta(self.effect_metas.add(None))
    }

    /// A signature's type at fresh flexible variables.
    pub fn instantiate(&mut self, signature: &Signature) -> Computation {
        let values: Vec<Ty> = signature.values.iter().map(|_| self.fresh()).collect();
        let effects: Vec<Ability> = signature
            .effects
            .iter()
            .map(|_| self.fresh_ability())
            .collect();
        let with = Replacement {
            values: &values,
            effects: &effects,
        };
        self.types
            .copy_computation(&signature.types, &signature.computation, with)
    }

    /// An instance at fresh arguments.
    pub fn fresh_instance(&mut self, interface: InterfaceDef, params: &Params) -> Instance {
        let args = params.all.iter().map(|(_, kind)| match kind {
            ParamKind::Value => Arg::Type(self.fresh()),
            ParamKind::Effect => Arg::Ability(self.fresh_ability()),
        });
        Instance {
            interface,
            args: args.collect(),
        }
    }

    pub fn snapshot(&mut self) -> Snapshot {
        self.snapshots += 1;
        Snapshot(self.undo.len())
    }

    /// Forgets every binding made since the snapshot.
    pub fn rollback(&mut self, snapshot: Snapshot) {
        while self.undo.len() > snapshot.0 {
            match self.undo.pop() {
                Some(Undo::Meta(meta, before)) => self.metas[meta] = before,
                Some(Undo::BoundEffect(meta)) => self.effect_metas[meta] = None,
                None => {}
            }
        }
        self.give_up(snapshot);
    }

    /// Leaves everything as it is.
    pub fn give_up(&mut self, _: Snapshot) {
        self.snapshots = self.snapshots.saturating_sub(1);
        if self.snapshots == 0 {
            self.undo.clear();
        }
    }

    fn note(&mut self, undo: Undo) {
        if self.snapshots > 0 {
            self.undo.push(undo);
        }
    }

    /// The type that `ty` stands for, as far as its head is known.
    pub fn head(&self, mut ty: Ty) -> Ty {
        while let TyKind::Meta(meta) = self.types.kind(ty) {
            match self.metas[*meta].bound {
                Some(bound) => ty = bound,
                None => break,
            }
        }
        ty
    }

    /// As [`Table::head`]; and makes every variable on the way there stand for it directly, so that
    /// long chains of variables are walked once.
    pub fn find(&mut self, ty: Ty) -> Ty {
        let root = self.head(ty);
        let mut decided = None;
        let mut next = ty;
        while let TyKind::Meta(meta) = *self.types.kind(next) {
            match self.metas[meta].bound {
                Some(bound) if bound != root => {
                    decided = decided.or_else(|| self.decider(next));
                    self.change(meta, |meta| {
                        meta.bound = Some(root);
                        meta.decided = meta.decided.or(decided);
                    });
                    next = bound;
                }
                _ => break,
            }
        }
        root
    }

    /// The kind of the type that `ty` stands for.
    pub fn kind(&self, ty: Ty) -> &TyKind {
        self.types.kind(self.head(ty))
    }

    /// Whether `ty` is a flexible variable that only numbers fit.
    pub fn is_number_meta(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Meta(meta) if self.metas[*meta].number)
    }

    /// The ability with everything that its tail has come to stand for.
    pub fn row(&self, ability: Ability) -> AbilityData {
        let mut row = self.types.row(ability).clone();
        while let Tail::Meta(meta) = row.tail {
            let Some(bound) = self.effect_metas[meta] else {
                break;
            };
            let outer = self.types.row(bound);
            row.tail = outer.tail;
            if row.instances.is_empty() {
                row.instances = outer.instances.clone();
            } else if !outer.instances.is_empty() {
                row.instances = outer
                    .instances
                    .iter()
                    .chain(row.instances.iter())
                    .cloned()
                    .collect();
            }
        }
        row
    }

    fn change(&mut self, meta: u32, change: impl FnOnce(&mut Meta)) {
        self.note(Undo::Meta(meta, self.metas[meta]));
        change(&mut self.metas[meta]);
    }

    fn bind(&mut self, meta: u32, ty: Ty) {
        self.change(meta, |meta| meta.bound = Some(ty));
    }

    fn decision(&self, by_place: bool) -> Option<Decision> {
        self.at.map(|node| Decision { node, by_place })
    }

    /// What first decided something about a variable, or about one that it stands for.
    fn decider(&self, mut ty: Ty) -> Option<Decision> {
        while let TyKind::Meta(meta) = self.types.kind(ty) {
            let meta = &self.metas[*meta];
            if meta.decided.is_some() {
                return meta.decided;
            }
            ty = meta.bound?;
        }
        None
    }

    fn bind_effect(&mut self, meta: u32, ability: Ability) {
        self.effect_metas[meta] = Some(ability);
        self.note(Undo::BoundEffect(meta));
    }

    /// Makes two types equal, or leaves everything as it was and says why they cannot be.
    pub fn unify(&mut self, a: Ty, b: Ty) -> Unified {
        self.attempt(|table| table.unify_types(a, b))
    }

    /// Makes two abilities equal, or leaves everything as it was.
    pub fn unify_abilities(&mut self, a: Ability, b: Ability) -> Unified {
        self.attempt(|table| table.unify_rows(a, b))
    }

    /// Makes the instances of one interface in two abilities equal, from the active ones outwards as far as both go; or
    /// leaves everything as it was, and gives `false`.
    pub fn agree(&mut self, a: &[Instance], b: &[Instance]) -> bool {
        let mut pairs = a.iter().rev().zip(b.iter().rev());
        self.attempt(|table| pairs.try_for_each(|(x, y)| table.unify_args(&x.args, &y.args)))
            .is_ok()
    }

    fn attempt(&mut self, work: impl FnOnce(&mut Table) -> Unified) -> Unified {
        self.steps = 0;
        self.decided = Decided::default();
        if !self.seen.is_empty() {
            self.seen = HashSet::new();
        }
        let snapshot = self.snapshot();
        let result = work(self);
        match result {
            Ok(()) => self.give_up(snapshot),
            Err(_) => self.rollback(snapshot),
        }
        result
    }

    fn unify_types(&mut self, expected: Ty, found: Ty) -> Unified {
        let (a, b) = (self.find(expected), self.find(found));
        let unified = self.unify_found(a, b);
        if let Err(Clash::Types(..) | Clash::NotANumber(_)) = unified
            && self.decided == Decided::default()
        {
            self.decided = Decided {
                expected: self.decider(expected),
                found: self.decider(found),
            };
        }
        unified
    }

    fn unify_found(&mut self, a: Ty, b: Ty) -> Unified {
        if a == b {
            return Ok(());
        }
        self.steps += 1;
        if self.steps > PATIENCE && !self.seen.insert((a, b)) {
            return Ok(());
        }
        match (self.types.kind(a), self.types.kind(b)) {
            (TyKind::Meta(x), TyKind::Meta(y)) => {
                let (x, y) = (*x, *y);
                if x != y {
                    if self.metas[x].number && !self.metas[y].number {
                        let decided = self.metas[x].decided;
                        self.change(y, |meta| {
                            meta.number = true;
                            meta.decided = meta.decided.or(decided);
                        });
                    }
                    self.bind(x, b);
                }
                Ok(())
            }
            (TyKind::Meta(meta), _) => self.solve(*meta, (a, b), self.decision(false)),
            (_, TyKind::Meta(meta)) => self.solve(*meta, (b, a), self.decision(true)),
            (TyKind::Error, _) | (_, TyKind::Error) => Ok(()),
            (TyKind::Int, TyKind::Int)
            | (TyKind::Float, TyKind::Float)
            | (TyKind::Char, TyKind::Char) => Ok(()),
            (TyKind::Variable(x), TyKind::Variable(y)) if x == y => Ok(()),
            (TyKind::Data(x, xs), TyKind::Data(y, ys)) if x == y && xs.len() == ys.len() => {
                let (xs, ys) = (xs.clone(), ys.clone());
                ensure_sufficient_stack(|| self.unify_args(&xs, &ys))
            }
            (TyKind::Computation(x), TyKind::Computation(y)) => {
                let (x, y) = (x.clone(), y.clone());
                ensure_sufficient_stack(|| self.unify_computations((a, &x), (b, &y)))
            }
            _ => Err(Clash::Types(a, b)),
        }
    }

    fn solve(&mut self, meta: u32, (variable, ty): (Ty, Ty), decided: Option<Decision>) -> Unified {
        if self.metas[meta].number
            && !matches!(
                self.types.kind(ty),
                TyKind::Int | TyKind::Float | TyKind::Error
            )
        {
            return Err(Clash::NotANumber(ty));
        }
        if self.occurs(Occurs::Meta(meta), ty) {
            return Err(Clash::Infinite {
                variable,
                within: ty,
            });
        }
        self.change(meta, |meta| {
            meta.bound = Some(ty);
            meta.decided = meta.decided.or(decided);
        });
        Ok(())
    }

    fn unify_args(&mut self, xs: &[Arg], ys: &[Arg]) -> Unified {
        for pair in xs.iter().zip(ys) {
            match pair {
                (Arg::Type(x), Arg::Type(y)) => self.unify_types(*x, *y)?,
                (Arg::Ability(x), Arg::Ability(y)) => self.unify_rows(*x, *y)?,
                // Arguments were matched with their parameters' kinds when they were lowered.
                _ => {}
            }
        }
        Ok(())
    }

    fn unify_computations(&mut self, a: (Ty, &Computation), b: (Ty, &Computation)) -> Unified {
        let (ty_a, a) = a;
        let (ty_b, b) = b;
        if a.ports.len() != b.ports.len() {
            return Err(Clash::PortCount(ty_a, ty_b));
        }
        for (x, y) in a.ports.iter().zip(&b.ports) {
            if !self.unify_adjustments(&x.adjustments, &y.adjustments)? {
                return Err(Clash::Adjustments(ty_a, ty_b));
            }
            self.unify_types(x.ty, y.ty)?;
        }
        self.unify_rows(a.ability, b.ability)?;
        self.unify_types(a.result, b.result)
    }

    /// `Ok(false)` where the adjustments have different shapes.
    fn unify_adjustments(&mut self, a: &[Adjustment], b: &[Adjustment]) -> Result<bool, Clash> {
        let split = |adjustments: &[Adjustment]| {
            let mut instances = Vec::new();
            let mut adaptors = Vec::new();
            for adjustment in adjustments {
                match adjustment {
                    Adjustment::Instance(instance) => instances.push(instance.clone()),
                    Adjustment::Adaptor(adaptor) => adaptors.push(adaptor.clone()),
                }
            }
            (instances, adaptors)
        };
        if a.is_empty() && b.is_empty() {
            return Ok(true);
        }
        let (instances_a, adaptors_a) = split(a);
        let (instances_b, adaptors_b) = split(b);
        if adaptors_a != adaptors_b {
            return Ok(false);
        }
        let (a, b) = (group(&instances_a), group(&instances_b));
        let Some(pairs) = matched(&a, &b) else {
            return Ok(false);
        };
        for (x, y) in pairs {
            self.unify_args(&x.args, &y.args)?;
        }
        Ok(true)
    }

    fn unify_rows(&mut self, a: Ability, b: Ability) -> Unified {
        if a == b {
            return Ok(());
        }
        let (row_a, row_b) = (self.row(a), self.row(b));
        let clash = Err(Clash::Abilities(a, b));
        if row_a.tail == Tail::Error || row_b.tail == Tail::Error {
            return Ok(());
        }
        // The common case: an operator's own ε takes all there is.
        match (row_a.tail, row_b.tail) {
            (Tail::Meta(meta), tail) if row_a.instances.is_empty() && tail != row_a.tail => {
                return self.solve_effect(meta, a, b);
            }
            (tail, Tail::Meta(meta)) if row_b.instances.is_empty() && tail != row_b.tail => {
                return self.solve_effect(meta, b, a);
            }
            _ => {}
        }
        let (groups_a, groups_b) = (group(&row_a.instances), group(&row_b.instances));
        if row_a.tail == row_b.tail {
            let Some(pairs) = matched(&groups_a, &groups_b) else {
                return clash;
            };
            for (x, y) in pairs {
                self.unify_args(&x.args, &y.args)?;
            }
            return Ok(());
        }
        let beyond_a = beyond(&groups_b, &groups_a);
        let beyond_b = beyond(&groups_a, &groups_b);
        match (row_a.tail, row_b.tail) {
            (Tail::Meta(x), Tail::Meta(y)) => {
                self.unify_suffixes(&groups_a, &groups_b)?;
                let tail = self.fresh_tail();
                let left = self.types.ability(tail, beyond_b.into());
                let right = self.types.ability(tail, beyond_a.into());
                self.solve_effect(x, a, left)?;
                self.solve_effect(y, b, right)
            }
            (Tail::Meta(x), tail) if beyond_a.is_empty() => {
                self.unify_suffixes(&groups_a, &groups_b)?;
                let rest = self.types.ability(tail, beyond_b.into());
                self.solve_effect(x, a, rest)
            }
            (tail, Tail::Meta(y)) if beyond_b.is_empty() => {
                self.unify_suffixes(&groups_a, &groups_b)?;
                let rest = self.types.ability(tail, beyond_a.into());
                self.solve_effect(y, b, rest)
            }
            _ => clash,
        }
    }

    fn unify_suffixes(&mut self, a: &Groups, b: &Groups) -> Unified {
        for (interface, xs) in a {
            let Some((_, ys)) = b.iter().find(|(other, _)| other == interface) else {
                continue;
            };
            let pairs: Vec<_> = xs.iter().rev().zip(ys.iter().rev()).collect();
            for (x, y) in pairs.into_iter().rev() {
                self.unify_args(&x.args, &y.args)?;
            }
        }
        Ok(())
    }

    fn solve_effect(&mut self, meta: u32, variable: Ability, ability: Ability) -> Unified {
        // Unifying the instances' arguments may have bound it meanwhile.
        if let Some(bound) = self.effect_metas[meta] {
            return self.unify_rows(bound, ability);
        }
        let row = self.row(ability);
        if row.tail == Tail::Meta(meta) && row.instances.is_empty() {
            return Ok(());
        }
        if self.ability_mentions(Occurs::Tail(Tail::Meta(meta)), ability) {
            return Err(Clash::InfiniteAbility {
                variable,
                within: ability,
            });
        }
        self.bind_effect(meta, ability);
        Ok(())
    }

    /// Whether a type mentions a variable.
    pub fn occurs(&mut self, wanted: Occurs, ty: Ty) -> bool {
        self.walk(wanted, |walk| walk.ty(ty))
    }

    /// Whether an ability mentions a variable.
    pub fn ability_mentions(&mut self, wanted: Occurs, ability: Ability) -> bool {
        self.walk(wanted, |walk| walk.ability(ability))
    }

    /// Whether a part of a type is a variable that is not decided yet.
    pub fn is_open(&mut self, ty: Ty) -> bool {
        self.occurs(Occurs::AnyMeta, ty)
    }

    fn walk(&mut self, wanted: Occurs, look: impl FnOnce(&mut Walk<'_>) -> bool) -> bool {
        let mut visited = std::mem::take(&mut self.visited);
        visited.begin(self.types.len());
        let found = look(&mut Walk {
            table: self,
            wanted,
            visited: &mut visited,
        });
        self.visited = visited;
        found
    }

    /// Extends a flexible ability until it has `count` instances of an interface. Gives `false`
    /// where it has too few and its tail is fixed.
    pub fn extend_to(
        &mut self,
        ability: Ability,
        interface: InterfaceDef,
        params: &Params,
        count: u32,
    ) -> bool {
        let row = self.row(ability);
        let has = row
            .instances
            .iter()
            .filter(|i| i.interface == interface)
            .count() as u32;
        if has >= count {
            return true;
        }
        match row.tail {
            Tail::Meta(meta) => {
                let missing: Vec<Instance> = (has..count)
                    .map(|_| self.fresh_instance(interface, params))
                    .collect();
                let tail = self.fresh_tail();
                let longer = self.types.ability(tail, missing.into());
                self.bind_effect(meta, longer);
                true
            }
            Tail::Error | Tail::Closed | Tail::Variable(_) => false,
        }
    }

    /// The ability under an adaptor that is valid in `ability`.
    pub fn adapted(&mut self, adaptor: &Adaptor, ability: Ability) -> Ability {
        let row = self.row(ability);
        let own = |instance: &&Instance| instance.interface == adaptor.interface;
        let list: Vec<&Instance> = row.instances.iter().filter(own).collect();
        let rest = list.len().saturating_sub(adaptor.taken as usize);
        let kept = adaptor.kept.iter().rev();
        let chosen = kept.filter_map(|i| {
            list.len()
                .checked_sub(1 + *i as usize)
                .and_then(|i| list.get(i))
        });
        let mut renewed: Vec<Instance> = list.iter().take(rest).map(|i| (*i).clone()).collect();
        renewed.extend(chosen.map(|i| (*i).clone()));
        // The renewed instances keep the places of the old ones, for the eye of whoever reads
        // the ability: `[State, Smooth, Console]` stays in that order.
        let mut renewed = renewed.into_iter();
        let mut instances = Vec::with_capacity(row.instances.len());
        let mut left = list.len();
        for instance in row.instances.iter() {
            if instance.interface != adaptor.interface {
                instances.push(instance.clone());
                continue;
            }
            left -= 1;
            if left == 0 {
                instances.extend(renewed.by_ref());
            } else {
                instances.extend(renewed.next());
            }
        }
        self.types.ability(row.tail, instances.into())
    }

    /// The ability that a port's argument has in the ambient one. Adaptors that do not fit are
    /// skipped; whoever calls this has checked them.
    pub fn adjusted(&mut self, adjustments: &[Adjustment], ability: Ability) -> Ability {
        let mut ability = ability;
        let mut added: Vec<Instance> = Vec::new();
        for adjustment in adjustments {
            match adjustment {
                Adjustment::Instance(instance) => added.push(instance.clone()),
                Adjustment::Adaptor(adaptor) => {
                    if !added.is_empty() {
                        ability = self.appended(ability, std::mem::take(&mut added));
                    }
                    ability = self.adapted(adaptor, ability);
                }
            }
        }
        if added.is_empty() {
            ability
        } else {
            self.appended(ability, added)
        }
    }

    /// The fewest instances that a port has to add for its argument to perform what it does, `performed`, in an ability;
    /// `None` where that is not what keeps it from it. Makes the abilities agree otherwise.
    pub fn added(&mut self, performed: Ability, ability: Ability) -> Option<Vec<Instance>> {
        let around = self.row(ability);
        let mut added = Vec::new();
        if around.tail != Tail::Error {
            let can_grow = matches!(around.tail, Tail::Meta(_));
            let around = group(&around.instances);
            for (interface, own) in group(&self.row(performed).instances) {
                let outside = around.iter().find(|(other, _)| *other == interface);
                let outside = outside.map_or(&[][..], |(_, outside)| outside);
                let kept = (0..=own.len()).rev().find(|kept| {
                    let outer = own.get(..*kept).unwrap_or_default();
                    (can_grow || outer.len() <= outside.len()) && self.agree(outer, outside)
                });
                added.extend(own.into_iter().skip(kept.unwrap_or(0)));
            }
        }
        let instances = added.iter().cloned().map(Adjustment::Instance);
        let adjustments: Vec<Adjustment> = instances.collect();
        let inside = self.adjusted(&adjustments, ability);
        self.unify_abilities(performed, inside).ok()?;
        Some(added)
    }

    fn appended(&mut self, ability: Ability, added: Vec<Instance>) -> Ability {
        let row = self.row(ability);
        let all: Vec<Instance> = row.instances.iter().cloned().chain(added).collect();
        self.types.ability(row.tail, all.into())
    }
}

/// Variables to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occurs {
    /// A flexible variable of a type.
    Meta(u32),
    /// Any of those.
    AnyMeta,
    Tail(Tail),
    /// A rigid variable of a type.
    Rigid(u32),
}

/// Which types the walk at work has been at.
#[derive(Default)]
struct Visited {
    walk: u32,
    /// The number of the last walk that was at each type.
    last: Vec<u32>,
}

impl Visited {
    fn begin(&mut self, types: usize) {
        self.last.resize(types, 0);
        self.walk = self.walk.wrapping_add(1);
    }

    /// True at the first visit.
    fn first(&mut self, ty: Ty) -> bool {
        match self.last.get_mut(u32::from(ty.into_raw()) as usize) {
            Some(last) => std::mem::replace(last, self.walk) != self.walk,
            None => true,
        }
    }
}

struct Walk<'a> {
    table: &'a Table,
    wanted: Occurs,
    visited: &'a mut Visited,
}

impl Walk<'_> {
    fn ty(&mut self, ty: Ty) -> bool {
        let ty = self.table.head(ty);
        match self.table.types.kind(ty) {
            TyKind::Int | TyKind::Float | TyKind::Char | TyKind::Error => false,
            TyKind::Variable(variable) => self.wanted == Occurs::Rigid(*variable),
            TyKind::Meta(meta) => match self.wanted {
                Occurs::AnyMeta => true,
                wanted => wanted == Occurs::Meta(*meta),
            },
            TyKind::Data(_, args) if args.is_empty() => false,
            TyKind::Data(_, args) => self.visit(ty, |walk| args.iter().any(|arg| walk.arg(arg))),
            TyKind::Computation(computation) => self.visit(ty, |walk| {
                let ports = computation.ports.iter();
                let mut parts = ports.map(|port| {
                    let mut added = port.adjustments.iter();
                    added.any(|adjustment| match adjustment {
                        Adjustment::Instance(instance) => walk.instance(instance),
                        Adjustment::Adaptor(_) => false,
                    }) || walk.ty(port.ty)
                });
                parts.any(|mentions| mentions)
                    || walk.ability(computation.ability)
                    || walk.ty(computation.result)
            }),
        }
    }

    fn visit(&mut self, ty: Ty, inside: impl FnOnce(&mut Self) -> bool) -> bool {
        if !self.visited.first(ty) {
            return false;
        }
        ensure_sufficient_stack(|| inside(self))
    }

    fn arg(&mut self, arg: &Arg) -> bool {
        match arg {
            Arg::Type(ty) => self.ty(*ty),
            Arg::Ability(ability) => self.ability(*ability),
        }
    }

    fn instance(&mut self, instance: &Instance) -> bool {
        instance.args.iter().any(|arg| self.arg(arg))
    }

    fn ability(&mut self, ability: Ability) -> bool {
        let row = self.table.row(ability);
        self.wanted == Occurs::Tail(row.tail) || row.instances.iter().any(|i| self.instance(i))
    }
}

/// The instances of each interface, in order.
pub type Groups = Vec<(InterfaceDef, Vec<Instance>)>;

/// Sorts instances by interface; each interface's stay in order.
pub fn group(instances: &[Instance]) -> Groups {
    let mut groups: Groups = Vec::new();
    for instance in instances {
        match groups
            .iter_mut()
            .find(|(interface, _)| *interface == instance.interface)
        {
            Some((_, list)) => list.push(instance.clone()),
            None => groups.push((instance.interface, vec![instance.clone()])),
        }
    }
    groups
}

/// The pairs of instances of two rows that have equally many of each interface.
fn matched(a: &Groups, b: &Groups) -> Option<Vec<(Instance, Instance)>> {
    if a.len() != b.len() {
        return None;
    }
    let mut pairs = Vec::new();
    for (interface, xs) in a {
        let (_, ys) = b.iter().find(|(other, _)| other == interface)?;
        if xs.len() != ys.len() {
            return None;
        }
        pairs.extend(xs.iter().cloned().zip(ys.iter().cloned()));
    }
    Some(pairs)
}

/// What `longer` has to the left beyond `shorter`, interface by interface.
fn beyond(shorter: &Groups, longer: &Groups) -> Vec<Instance> {
    let mut rest = Vec::new();
    for (interface, list) in longer {
        let other = shorter.iter().find(|(other, _)| other == interface);
        let common = other.map_or(0, |(_, list)| list.len());
        rest.extend(list.iter().take(list.len().saturating_sub(common)).cloned());
    }
    rest
}
