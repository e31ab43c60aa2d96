//! Whether a type fits the one that is looked for, and how well: by the checker's own unification, on a table in
//! which the query's variables stand still, and on one in which they give way.

use std::collections::HashSet;

use frank_syntax::ast::Symbol;
use frank_syntax::stack::ensure_sufficient_stack;

use super::query::{Open, Query};
use super::shape::Shape;
use crate::infer::table::Table;
use crate::show::{MESSAGE_BUDGET, MetaNames, Show};
use crate::types::{
    Ability, Adjustment, Arg, Computation, Port, Replacement, Signature, Tail, Ty, TyKind,
};

/// How something fits a query, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fit {
    /// It has the type, whatever its variables are called.
    Exact,
    /// The arguments stand in another order.
    Order,
    /// The type says the same in another way.
    Isomorphic,
    /// The type is an instance of its own.
    General,
    /// It takes arguments, and gives what was asked for.
    Applied,
    /// It needs more of the ability than the type says, or handles more.
    Effects,
    /// Its type is an instance of the one that was asked for.
    Special,
}

impl Fit {
    /// The one word for it.
    pub fn word(self) -> &'static str {
        match self {
            Fit::Exact => "exact",
            Fit::Order => "order",
            Fit::Isomorphic => "isomorphic",
            Fit::General => "general",
            Fit::Applied => "applied",
            Fit::Effects => "effects",
            Fit::Special => "special",
        }
    }
}

/// How types are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Straight,
    /// Arguments may change places.
    Permuted,
    /// So they may, and the flat types count.
    Flat,
}

/// How well something fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub fit: Fit,
    /// How many arguments there are that were not asked for.
    more: usize,
    form: Form,
    /// How large the types are that variables stand for.
    cost: usize,
    /// What tells the two types apart: `X = Int`, `thunk, unit`; empty if nothing does.
    pub detail: String,
}

impl Match {
    /// Less is better.
    pub fn rank(&self) -> impl Ord + use<> {
        (self.fit, self.more, self.form, self.cost)
    }
}

/// A search for a place for every argument takes so many steps at most.
const MOST_STEPS: usize = 3_000;

/// A table with more types than this is made anew.
const MOST_TYPES: usize = 100_000;

/// Compares types with one query.
pub struct Matcher<'q> {
    query: &'q Query,
    /// The query's variables are equal to themselves alone.
    rigid: Side,
    /// They can stand for anything.
    flexible: Side,
}

struct Side {
    table: Table,
    is_rigid: bool,
    straight: Computation,
    flat: Computation,
    /// What the query's variables are.
    values: Vec<Ty>,
    effects: Vec<Ability>,
}

impl<'q> Matcher<'q> {
    pub fn new(query: &'q Query) -> Matcher<'q> {
        Matcher {
            query,
            rigid: Side::new(query, true),
            flexible: Side::new(query, false),
        }
    }

    /// How a type fits the query; `None` if it does not.
    pub fn fit(&mut self, own: &Shape) -> Option<Match> {
        let query = self.query;
        for side in [&mut self.rigid, &mut self.flexible] {
            if side.table.types.len() > MOST_TYPES {
                *side = Side::new(query, side.is_rigid);
            }
            let forms = [Form::Straight, Form::Permuted, Form::Flat];
            let best = forms
                .into_iter()
                .filter_map(|form| side.fit(query, own, form));
            let best = best.min_by_key(Match::rank);
            if best.is_some() {
                return best;
            }
        }
        None
    }
}

impl Side {
    fn new(query: &Query, is_rigid: bool) -> Side {
        let mut table = Table::default();
        let signature = &query.shape.straight;
        let stays = |name: &Symbol| is_rigid && !Query::is_any(*name);
        let mut values = Vec::with_capacity(signature.values.len());
        for (number, name) in signature.values.iter().enumerate() {
            values.push(match stays(name) {
                true => table.types.ty(TyKind::Variable(number as u32)),
                false => table.fresh(),
            });
        }
        let mut effects = Vec::with_capacity(signature.effects.len());
        for (number, name) in signature.effects.iter().enumerate() {
            effects.push(match stays(name) {
                true => {
                    let nothing = table.empty.clone();
                    table.types.ability(Tail::Variable(number as u32), nothing)
                }
                false => table.fresh_ability(),
            });
        }
        let with = Replacement {
            values: &values,
            effects: &effects,
        };
        let mut copy = |signature: &Signature| {
            let computation = &signature.computation;
            table
                .types
                .copy_computation(&signature.types, computation, with)
        };
        Side {
            straight: copy(&query.shape.straight),
            flat: copy(&query.shape.flat),
            table,
            is_rigid,
            values,
            effects,
        }
    }

    fn fit(&mut self, query: &Query, own: &Shape, form: Form) -> Option<Match> {
        let (wanted, own_type) = match form {
            Form::Straight | Form::Permuted => (&self.straight, &own.straight),
            Form::Flat if query.shape.rules.is_empty() && own.rules.is_empty() => return None,
            Form::Flat => (&self.flat, &own.flat),
        };
        let wanted = wanted.clone();
        let more = own_type
            .computation
            .ports
            .len()
            .checked_sub(wanted.ports.len())?;
        let is_open = query.open != Open::No;
        let must_perform = is_open || !self.is_rigid;
        if more > 0 && !is_open || must_perform && !performs(&own.straight, &query.shape.straight) {
            return None;
        }
        let before = self.table.snapshot();
        let values: Vec<Ty> = own_type.values.iter().map(|_| self.table.fresh()).collect();
        let effects = own_type.effects.iter().map(|_| self.table.fresh_ability());
        let effects: Vec<Ability> = effects.collect();
        let with = Replacement {
            values: &values,
            effects: &effects,
        };
        let types = &mut self.table.types;
        let found = types.copy_computation(&own_type.types, &own_type.computation, with);
        let mut goals = vec![Goal::Ports(Ports {
            wanted: wanted.ports,
            own: found.ports,
            is_open,
            may_add: !self.is_rigid,
        })];
        if !query.any_ability {
            goals.push(Goal::Abilities(wanted.ability, found.ability));
        }
        if !query.any_result {
            goals.push(Goal::Types(wanted.result, found.result));
        }
        let mut search = Search {
            table: &mut self.table,
            is_ordered: form == Form::Straight,
            left: MOST_STEPS,
            handles_more: false,
        };
        let agree = search.solve(goals);
        let handles_more = search.handles_more;
        let found = agree.then_some(()).and_then(|()| {
            let own_variables = Variables {
                names: (&own_type.values, &own_type.effects),
                values: &values,
                effects: &effects,
            };
            self.judged(query, own, own_variables, (form, more, handles_more))
        });
        self.table.rollback(before);
        found
    }

    /// How two types fit that agree now. Types that have to give way to each other are no answer: nearly all do.
    fn judged(
        &self,
        query: &Query,
        shape: &Shape,
        own: Variables<'_>,
        (form, more, handles_more): (Form, usize, bool),
    ) -> Option<Match> {
        let asked = Variables {
            names: (&query.shape.straight.values, &query.shape.straight.effects),
            values: &self.values,
            effects: &self.effects,
        };
        let table = &self.table;
        let names = match self.is_rigid {
            true => named(table, [own, asked]),
            false => named(table, [asked, own]),
        };
        let show = Show {
            table,
            values: asked.names.0,
            effects: asked.names.1,
            budget: MESSAGE_BUDGET,
            metas: Some(&names),
        };
        let instance_of_own = own.bound(table);
        let instance_of_asked = asked.bound(table);
        let cost = instance_of_own.cost + instance_of_asked.cost;
        let is_applied = more > 0 && query.open == Open::Value;
        let (fit, detail) = if !self.is_rigid && instance_of_asked.values {
            if instance_of_own.values {
                return None;
            }
            (Fit::Special, asked.shown(&show))
        } else if !self.is_rigid && instance_of_asked.effects {
            if instance_of_own.values && asked.take_arguments(table) {
                return None;
            }
            (Fit::Effects, asked.shown(&show))
        } else if handles_more {
            (Fit::Effects, "handles more".to_owned())
        } else if is_applied {
            (Fit::Applied, own.shown(&show))
        } else if instance_of_own.values || instance_of_own.effects {
            (Fit::General, own.shown(&show))
        } else {
            match form {
                Form::Straight => (Fit::Exact, String::new()),
                Form::Permuted => (Fit::Order, String::new()),
                Form::Flat => {
                    let apart = shape.rules.between(query.shape.rules);
                    (Fit::Isomorphic, apart.join(", "))
                }
            }
        };
        Some(Match {
            fit,
            more,
            form,
            cost,
            detail,
        })
    }
}

/// Whether something needs every interface that is written in an ability: what takes any ability does not do what
/// was asked for.
fn performs(own: &Signature, asked: &Signature) -> bool {
    let instances = |signature: &Signature| {
        let row = signature.types.row(signature.computation.ability);
        row.instances.clone()
    };
    let own = instances(own);
    let mut asked = instances(asked).to_vec().into_iter();
    asked.all(|asked| own.iter().any(|own| own.interface == asked.interface))
}

/// Two types or abilities that have to agree, or arguments that need places.
#[derive(Clone)]
enum Goal {
    Types(Ty, Ty),
    Abilities(Ability, Ability),
    Ports(Ports),
}

#[derive(Clone)]
struct Ports {
    wanted: Vec<Port>,
    own: Vec<Port>,
    /// There may be more of their own.
    is_open: bool,
    /// They may add more instances than is wanted.
    may_add: bool,
}

struct Search<'t> {
    table: &'t mut Table,
    is_ordered: bool,
    left: usize,
    handles_more: bool,
}

impl Search<'_> {
    /// Whether all goals can be reached at once; what has been unified for that stays.
    fn solve(&mut self, mut goals: Vec<Goal>) -> bool {
        while let Some(goal) = goals.pop() {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            match goal {
                Goal::Abilities(wanted, own) => {
                    if self.table.unify_abilities(wanted, own).is_err() {
                        return false;
                    }
                }
                Goal::Types(wanted, own) => {
                    let (wanted, own) = (self.table.find(wanted), self.table.find(own));
                    let pair = match (self.table.kind(wanted), self.table.kind(own)) {
                        (TyKind::Computation(wanted), TyKind::Computation(own))
                            if !self.is_ordered && wanted.ports.len() == own.ports.len() =>
                        {
                            Some((wanted.clone(), own.clone()))
                        }
                        _ => None,
                    };
                    match pair {
                        Some((wanted, own)) => {
                            goals.push(Goal::Ports(Ports {
                                wanted: wanted.ports.clone(),
                                own: own.ports.clone(),
                                is_open: false,
                                may_add: false,
                            }));
                            goals.push(Goal::Abilities(wanted.ability, own.ability));
                            goals.push(Goal::Types(wanted.result, own.result));
                        }
                        None if self.table.unify(wanted, own).is_err() => return false,
                        None => {}
                    }
                }
                Goal::Ports(ports) => match ports.wanted.split_first() {
                    None if ports.own.is_empty() || ports.is_open => {}
                    None => return false,
                    Some((first, rest)) => return self.place(first, rest, &ports, &goals),
                },
            }
        }
        true
    }

    /// Tries the places of one argument, with all that is left to reach then.
    fn place(&mut self, first: &Port, rest: &[Port], ports: &Ports, goals: &[Goal]) -> bool {
        let choices = match self.is_ordered && !ports.is_open {
            true => 1,
            false => ports.own.len(),
        };
        for (number, own) in ports.own.iter().enumerate().take(choices) {
            let before = self.table.snapshot();
            let handled_more = self.handles_more;
            // What takes anything is no answer to what takes something, among others.
            let takes_any = ports.is_open && self.is_open(own.ty) && !self.is_open(first.ty);
            if !takes_any && self.adjust_alike(first, own, ports.may_add) {
                let others = ports.own.iter().enumerate();
                let others = others.filter(|(other, _)| match self.is_ordered {
                    true => *other > number,
                    false => *other != number,
                });
                let mut left = goals.to_vec();
                left.push(Goal::Ports(Ports {
                    wanted: rest.to_vec(),
                    own: others.map(|(_, port)| port.clone()).collect(),
                    ..*ports
                }));
                left.push(Goal::Types(first.ty, own.ty));
                if ensure_sufficient_stack(|| self.solve(left)) {
                    self.table.give_up(before);
                    return true;
                }
            }
            self.handles_more = handled_more;
            self.table.rollback(before);
        }
        false
    }

    fn is_open(&self, ty: Ty) -> bool {
        matches!(self.table.kind(ty), TyKind::Meta(_) | TyKind::Variable(_))
    }

    /// Whether two ports do the same to the ability, or, if `may_add` says so, the second one more.
    fn adjust_alike(&mut self, wanted: &Port, own: &Port, may_add: bool) -> bool {
        if wanted.adjustments.is_empty() && own.adjustments.is_empty() {
            return true;
        }
        let mut bare = |port: &Port| {
            let (ty, nothing) = (self.table.int, self.table.empty.clone());
            let adjustments = port.adjustments.clone();
            let computation = Computation {
                ports: vec![Port { adjustments, ty }],
                ability: self.table.types.ability(Tail::Closed, nothing),
                result: ty,
            };
            self.table.types.ty(TyKind::Computation(computation.into()))
        };
        let (a, b) = (bare(wanted), bare(own));
        if self.table.unify(a, b).is_ok() {
            return true;
        }
        if !may_add || wanted.adjustments.is_empty() {
            return false;
        }
        self.handles_more = true;
        let mut free: Vec<&Adjustment> = own.adjustments.iter().collect();
        wanted.adjustments.iter().rev().all(|adjustment| {
            let position = free.iter().rposition(|own| self.is_one(adjustment, own));
            position.map(|position| free.remove(position)).is_some()
        })
    }

    fn is_one(&mut self, wanted: &Adjustment, own: &Adjustment) -> bool {
        let (Adjustment::Instance(wanted), Adjustment::Instance(own)) = (wanted, own) else {
            return wanted == own;
        };
        let types = &mut self.table.types;
        let wanted = types.ability(Tail::Closed, [wanted.clone()].into());
        let own = types.ability(Tail::Closed, [own.clone()].into());
        self.table.unify_abilities(wanted, own).is_ok()
    }
}

/// The variables of a type, with what stands for them in a table.
#[derive(Clone, Copy)]
struct Variables<'a> {
    names: (&'a [Symbol], &'a [Symbol]),
    values: &'a [Ty],
    effects: &'a [Ability],
}

/// Whether variables stand for more than variables.
#[derive(Default)]
struct Bound {
    values: bool,
    effects: bool,
    cost: usize,
}

impl Variables<'_> {
    fn values(&self) -> impl Iterator<Item = (Symbol, Ty)> {
        self.names
            .0
            .iter()
            .copied()
            .zip(self.values.iter().copied())
    }

    fn effects(&self) -> impl Iterator<Item = (Symbol, Ability)> {
        self.names
            .1
            .iter()
            .copied()
            .zip(self.effects.iter().copied())
    }

    fn bound(&self, table: &Table) -> Bound {
        let mut bound = Bound::default();
        let mut seen = HashSet::new();
        let values = self.values().filter(|(name, _)| !Query::is_any(*name));
        for (_, ty) in values {
            let ty = table.head(ty);
            let is_new = match table.types.kind(ty) {
                TyKind::Variable(variable) => seen.insert((true, *variable)),
                TyKind::Meta(meta) => seen.insert((false, *meta)),
                _ => false,
            };
            if !is_new {
                bound.values = true;
                bound.cost += size(table, ty);
            }
        }
        let mut seen = HashSet::new();
        let effects = self.effects().filter(|(name, _)| !Query::is_any(*name));
        for (_, ability) in effects {
            let row = table.row(ability);
            let is_bare = row.instances.is_empty() && row.tail != Tail::Closed;
            if !is_bare || !seen.insert(row.tail) {
                bound.effects = true;
                bound.cost += 1 + row.instances.len();
            }
        }
        bound
    }

    /// Whether effect variables stand for instances with arguments.
    fn take_arguments(&self, table: &Table) -> bool {
        let mut effects = self.effects.iter();
        effects.any(|ability| {
            let row = table.row(*ability);
            let mut instances = row.instances.iter();
            instances.any(|instance| !instance.args.is_empty())
        })
    }

    /// What the variables stand for that do not stand for themselves: `X = Int`.
    fn shown(&self, show: &Show<'_>) -> String {
        let values = self.values().filter(|(name, _)| !Query::is_any(*name));
        let values = values.filter_map(|(name, ty)| {
            let text = show.ty(ty);
            let is_variable = matches!(show.table.kind(ty), TyKind::Meta(_) | TyKind::Variable(_));
            (!is_variable || text != name.as_str()).then(|| format!("{name} = {text}"))
        });
        let effects = self.effects().filter(|(name, _)| !Query::is_any(*name));
        let effects = effects.filter_map(|(name, ability)| {
            let row = show.table.row(ability);
            if row.instances.is_empty() && row.tail != Tail::Closed {
                return None;
            }
            let text = show.row(&row);
            Some(match name == Symbol::implicit_effect() {
                true => text,
                false => format!("{name} = {text}"),
            })
        });
        values.chain(effects).collect::<Vec<_>>().join(", ")
    }
}

/// Names for the flexible variables: those of the first type, and then those of the second one.
fn named(table: &Table, types: [Variables<'_>; 2]) -> MetaNames {
    let mut names = MetaNames {
        elided: true,
        ..MetaNames::default()
    };
    let [first, second] = types;
    let taken: HashSet<&str> = first.names.0.iter().map(|name| name.as_str()).collect();
    let own = first.values().map(|named| (named, false));
    let others = second.values().map(|named| (named, true));
    for ((name, ty), is_other) in own.chain(others) {
        if let TyKind::Meta(meta) = table.kind(ty) {
            let name = match Query::is_any(name) {
                true => "_",
                false => name.as_str(),
            };
            let prime = if is_other && taken.contains(name) {
                "'"
            } else {
                ""
            };
            let known = names.values.entry(*meta);
            known.or_insert_with(|| format!("{name}{prime}"));
        }
    }
    for (name, ability) in types.iter().flat_map(Variables::effects) {
        if let Tail::Meta(meta) = table.row(ability).tail {
            let effects = names.effects.entry(meta);
            effects.or_insert_with(|| name.to_string());
        }
    }
    names
}

/// So many parts of a type are counted at most.
const MOST_COUNTED: usize = 100;

/// How many parts a type has.
fn size(table: &Table, ty: Ty) -> usize {
    let mut count = 0;
    let mut left = vec![ty];
    while let Some(ty) = left.pop()
        && count < MOST_COUNTED
    {
        count += 1;
        match table.kind(ty) {
            TyKind::Data(_, args) => left.extend(args.iter().filter_map(|arg| match arg {
                Arg::Type(ty) => Some(*ty),
                Arg::Ability(_) => None,
            })),
            TyKind::Computation(computation) => {
                left.extend(computation.ports.iter().map(|port| port.ty));
                left.push(computation.result);
            }
            _ => {}
        }
    }
    count
}
