//! What would be wrong if the program were a little different.
//!
//! A message should name a fix only if it is one. So the checker can go over a
//! definition again as if a term stood under an adaptor, say; what it finds wrong then is
//! compared with what it found before. This happens for definitions with errors alone.

use std::collections::HashMap;
use std::sync::Arc;

use frank_syntax::ast::{Symbol, TermId, TermKind};

use super::problem::{Expectation, Problem};
use super::readings::Call;
use super::{Checker, Resolved};
use crate::db::ItemSource;
use crate::declarations::known_signature;
use crate::lower_types::plain_type;
use crate::params::{TypeNamespace, params};
use crate::program::{Definition, InterfaceDef, OperatorDef, TermDef};
use crate::scopes::LocalId;
use crate::types::{Ability, Adaptor, Adjustment, Computation, Ty, TyKind};

/// A change of one term, tried out.
#[derive(Debug, Clone)]
pub struct Hypothesis {
    /// The item that the term is in.
    pub source: ItemSource,
    pub term: TermId,
    pub change: Change,
}

/// How a term is changed.
#[derive(Debug, Clone)]
pub enum Change {
    /// `<adaptors> term`
    Adapt(Vec<Adaptor>),
    /// The term, a call, runs under the adaptors, and its arguments where they are: as if they
    /// had been bound by `let` before.
    AdaptCall(Vec<Adaptor>),
    /// Of `<adaptors> term`, the adaptor at this position is not there.
    Unadapt(usize),
    /// The variable of the term, a `let`, has a type of its own at each use.
    Generalise,
    /// The term is of the right type.
    Accept,
    /// Of the term, braces around a term, the inner one alone is there.
    Unbrace,
    /// The term, which takes no arguments, is forced.
    Force,
    /// The term, a continuation, is given what it waits for.
    Resume,
    /// The term runs in an ability of its own, whatever the one around it is.
    Isolate,
    /// The term, the name at the head of a call, is the name of another operator.
    Call(OperatorDef),
    /// In each of these calls two arguments stand in each other's place. The term has no meaning.
    Swap(Swaps),
    /// In this call the argument at the first position stands at the second one, and those between keep
    /// their order. The term has no meaning.
    Move((ItemSource, TermId), usize, usize),
    /// Of the term, a call, its argument at this position alone is there.
    Argument(usize),
    /// The terms, names at the heads of calls, are the name of another operator. The hypothesis' own term has no
    /// meaning.
    CallEach(Arc<[TermId]>, OperatorDef),
    /// The type variable of the operator's signature is the type of another name. The term has no
    /// meaning.
    Mean(Symbol, Symbol),
    /// The operator's signature allows an instance of the interface more, the active one or the
    /// one that is furthest from it. The term has no meaning.
    Allow(InterfaceDef, Side),
    /// The instances of the interface in the ability of the operator's signature have other arguments. The
    /// term has no meaning.
    Loosen(InterfaceDef),
    /// The port of the operator's signature at this position adds an instance of the interface.
    /// The term has no meaning.
    Adjust(InterfaceDef, usize),
    /// The port of the operator's signature at this position takes a computation of so many arguments,
    /// whatever their types are. The term has no meaning.
    Take(usize, usize),
    /// The port of the operator's signature at this position, which takes a computation, runs it and handles
    /// what it may perform. The term has no meaning.
    Unsuspend(usize),
    /// What the declaration of a name says its arguments are is something else. The term has no meaning.
    Amend(TermDef, Amendment),
}

/// What a declaration may say instead, by the positions of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amendment {
    /// The two in each other's place.
    Exchange(usize, usize),
    /// The result of the suspended computation, and not the computation.
    Unsuspend(usize),
    /// A computation that gives it, and not the value.
    Suspend(usize),
    /// A list of it.
    List(usize),
    /// Not there.
    Without(usize),
    /// One more behind the others, of a type without variables, as it is written.
    More(Symbol),
    /// So many, from this one on, as those of one function, which gives the last of them.
    Function(usize, usize),
    /// Whatever the clauses take.
    AnyPort(usize),
    /// A type without variables, as it is written.
    Written(usize, Symbol),
    /// A type without variables, as it is written, as the result.
    Result(Symbol),
    /// Whatever the clauses give.
    AnyResult,
    /// Other arguments for the instance at this position of the ability.
    Instance(usize),
    /// Other arguments for all instances of the ability.
    Instances,
    /// One more instance of an interface in the ability, behind that for `X`: for the type of this port, which
    /// is made of `X`.
    Layer(usize),
    /// The computations in this port may perform what the operator's other ports handle.
    Perform(usize),
    /// For `Float` in this port, what the ability has an instance for.
    Number(usize),
    /// What the data of this port is made of and the ability has an instance for, wherever that data stands.
    Peel(usize),
}

/// Calls, each with the positions of the two of its arguments that are exchanged. `a :: b` has two, too, and
/// so may a clause in braces have two patterns.
pub type Swaps = HashMap<(ItemSource, TermId), (usize, usize)>;

/// Where an instance is added to those of an ability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Active,
    Outer,
}

/// In which order a checker learns. What is right is right in every order; what is wrong shows at
/// other places, and where it shows fewest times is closest to the mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Order {
    /// What a call's place needs is known before its arguments are checked.
    pub results_first: bool,
    /// Arguments are checked from the last to the first.
    pub backwards: bool,
}

impl Order {
    /// The orders to try beside the language's own.
    pub const OTHERS: [Order; 3] = [
        Order {
            results_first: true,
            backwards: false,
        },
        Order {
            results_first: false,
            backwards: true,
        },
        Order {
            results_first: true,
            backwards: true,
        },
    ];
}

/// What a `let` that has been generalised needs for its uses.
#[derive(Debug, Clone)]
pub(super) struct Generalised {
    pub local: LocalId,
    pub bound: TermId,
    pub ability: Ability,
}

impl Checker<'_> {
    /// The change that is to be tried out at a term, if it is this one's turn.
    pub(super) fn change_at(&mut self, term: TermId) -> Option<Change> {
        let hypothesis = self.hypothesis.as_ref()?;
        if let Change::CallEach(heads, operator) = &hypothesis.change
            && hypothesis.source == self.source
            && heads.contains(&term)
        {
            return Some(Change::Call(*operator));
        }
        let here = hypothesis.source == self.source && hypothesis.term == term;
        let here = here
            && matches!(
                hypothesis.change,
                Change::Adapt(_)
                    | Change::Accept
                    | Change::Isolate
                    | Change::Unbrace
                    | Change::Call(_)
                    | Change::Force
                    | Change::Resume
                    | Change::Argument(_)
            );
        if !here {
            return None;
        }
        self.hypothesis.take().map(|hypothesis| hypothesis.change)
    }

    /// The adaptors under which a call alone is to be tried out.
    pub(super) fn call_adaptors(&mut self, call: TermId) -> Option<Vec<Adaptor>> {
        let hypothesis = self.hypothesis.as_ref()?;
        let here = hypothesis.source == self.source && hypothesis.term == call;
        match &hypothesis.change {
            Change::AdaptCall(adaptors) if here => Some(adaptors.clone()),
            _ => None,
        }
    }

    /// The arguments of a call as they are to be tried out, or the patterns of a clause in braces.
    pub(super) fn arguments_of<T: Clone>(&self, call: TermId, args: &[T]) -> Vec<T> {
        let mut args = args.to_vec();
        if let Some(hypothesis) = self.hypothesis.as_ref()
            && let Change::Move(moved, from, to) = &hypothesis.change
            && *moved == (self.source, call)
            && let Some(places) = args.get_mut(*from.min(to)..=*from.max(to))
        {
            match from < to {
                true => places.rotate_left(1),
                false => places.rotate_right(1),
            }
        }
        if let Some(hypothesis) = self.hypothesis.as_ref()
            && let Change::Swap(swaps) = &hypothesis.change
            && let Some((a, b)) = swaps.get(&(self.source, call))
            && a.max(b) < &args.len()
        {
            args.swap(*a, *b);
        }
        args
    }

    /// The adaptor of an adapted use that is to be tried out without.
    pub(super) fn left_out(&self, term: TermId) -> Option<usize> {
        let hypothesis = self.hypothesis.as_ref()?;
        let here = hypothesis.source == self.source && hypothesis.term == term;
        match hypothesis.change {
            Change::Unadapt(index) if here => Some(index),
            _ => None,
        }
    }

    /// Whether a `let` is to be tried out with a type for each of its uses.
    pub(super) fn is_generalised(&self, term: TermId) -> bool {
        self.hypothesis.as_ref().is_some_and(|hypothesis| {
            matches!(hypothesis.change, Change::Generalise)
                && hypothesis.source == self.source
                && hypothesis.term == term
        })
    }

    /// Checks a term with a change.
    pub(super) fn check_changed(
        &mut self,
        change: Change,
        term: TermId,
        expected: Ty,
        ability: Ability,
        origin: Expectation,
    ) {
        match change {
            Change::Adapt(adaptors) => {
                let inside = self.under(&adaptors, term, ability);
                self.check(term, expected, inside, origin);
            }
            Change::Accept => self.check_unjudged(term, ability),
            Change::Unbrace => {
                if let TermKind::Thunk { clauses } = &self.item.terms[term].kind
                    && let [clause] = &clauses[..]
                {
                    self.check(clause.body, expected, ability, origin);
                }
            }
            Change::Force => {
                let function = self.infer(term, ability);
                let TyKind::Computation(computation) = self.table.kind(function).clone() else {
                    return;
                };
                let call = Call {
                    term,
                    head: term,
                    function,
                    args: &[],
                    needed: None,
                };
                self.apply(call, &computation, ability);
                self.expect(term, expected, computation.result, ability, origin);
            }
            Change::Resume => {
                let function = self.infer(term, ability);
                if let TyKind::Computation(computation) = self.table.kind(function).clone() {
                    self.expect(term, expected, computation.result, ability, origin);
                }
            }
            Change::Isolate => {
                let inside = self.table.fresh_ability();
                self.check(term, expected, inside, origin);
            }
            Change::Argument(index) => {
                if let TermKind::Apply { args, .. } = &self.item.terms[term].kind
                    && let Some(argument) = args.get(index)
                {
                    self.check(*argument, expected, ability, origin);
                }
            }
            Change::AdaptCall(_)
            | Change::Call(_)
            | Change::CallEach(..)
            | Change::Move(..)
            | Change::Unadapt(_)
            | Change::Generalise
            | Change::Swap(..)
            | Change::Mean(..)
            | Change::Allow(..)
            | Change::Adjust(..)
            | Change::Take(..)
            | Change::Loosen(..)
            | Change::Unsuspend(..)
            | Change::Amend(..) => {}
        }
    }

    /// The type that a type variable is tried out as, if it is this one's turn.
    pub(super) fn meant(&mut self, variable: Symbol) -> Option<Ty> {
        let Some(Change::Mean(name, ty)) = self.hypothesis.as_ref().map(|known| &known.change)
        else {
            return None;
        };
        if *name != variable {
            return None;
        }
        plain_type(self.db, self.scope, *ty, &mut self.table.types)
    }

    /// The operands of `a :: b` as they are to be tried out.
    pub(super) fn operands_of(
        &self,
        term: TermId,
        left: TermId,
        right: TermId,
    ) -> (TermId, TermId) {
        let Some(Change::Swap(swaps)) = self.hypothesis.as_ref().map(|known| &known.change) else {
            return (left, right);
        };
        match swaps.contains_key(&(self.source, term)) {
            true => (right, left),
            false => (left, right),
        }
    }

    /// The type of a name that is tried out as that of another operator.
    pub(super) fn other_operator(&mut self, term: TermId, operator: OperatorDef) -> Ty {
        let definition = TermDef::Operator(operator);
        self.body
            .names
            .insert(term, Resolved::Definition(definition));
        match known_signature(self.db, operator.0.scope, operator.0.name) {
            Some(signature) => {
                let computation = self.table.instantiate(signature);
                let computation = TyKind::Computation(Arc::new(computation));
                self.table.types.ty(computation)
            }
            None => self.table.error,
        }
    }

    /// The operator's type as it is to be tried out.
    pub(super) fn allowing(&mut self, computation: Computation) -> Computation {
        let (interface, place) = match self.hypothesis.as_ref().map(|known| &known.change) {
            Some(Change::Allow(interface, side)) => (*interface, Err(*side)),
            Some(Change::Adjust(interface, port)) => (*interface, Ok(*port)),
            Some(Change::Take(port, arguments)) => {
                return self.taking(computation, *port, *arguments);
            }
            Some(Change::Loosen(interface)) => return self.loosened(computation, *interface),
            Some(Change::Unsuspend(port)) => return self.running(computation, *port),
            _ => return computation,
        };
        let params = params(
            self.db,
            interface.0.scope,
            interface.0.name,
            TypeNamespace::Row,
        );
        let instance = self.table.fresh_instance(interface, params);
        let mut computation = computation;
        match place {
            Ok(port) => {
                if let Some(port) = computation.ports.get_mut(port) {
                    let mut adjustments = port.adjustments.to_vec();
                    adjustments.push(Adjustment::Instance(instance));
                    port.adjustments = adjustments.into();
                }
            }
            Err(side) => {
                let row = self.table.row(computation.ability);
                let mut instances = row.instances.to_vec();
                match side {
                    Side::Active => instances.push(instance),
                    Side::Outer => instances.insert(0, instance),
                }
                computation.ability = self.table.types.ability(row.tail, instances.into());
            }
        }
        computation
    }

    /// The operator's type with a port that takes a computation, whatever is known of its types.
    fn taking(&mut self, own: Computation, port: usize, arguments: usize) -> Computation {
        let taken = Computation {
            ports: (0..arguments).map(|_| self.plain_port()).collect(),
            ability: own.ability,
            result: self.table.fresh(),
        };
        let ty = self.table.types.ty(TyKind::Computation(Arc::new(taken)));
        let mut own = own;
        if let Some(port) = own.ports.get_mut(port) {
            port.ty = ty;
        }
        own
    }

    /// The operator's type with any arguments of an interface in its ability.
    fn loosened(&mut self, own: Computation, interface: InterfaceDef) -> Computation {
        let Definition { scope, name } = interface.0;
        let params = params(self.db, scope, name, TypeNamespace::Row);
        let row = self.table.row(own.ability);
        let instances =
            row.instances
                .iter()
                .map(|instance| match instance.interface == interface {
                    true => self.table.fresh_instance(interface, params),
                    false => instance.clone(),
                });
        let instances: Vec<_> = instances.collect();
        let ability = self.table.types.ability(row.tail, instances.into());
        Computation { ability, ..own }
    }

    /// The operator's type with a port that runs the computation which it takes.
    fn running(&mut self, own: Computation, port: usize) -> Computation {
        let mut own = own;
        if let Some(port) = own.ports.get_mut(port)
            && let TyKind::Computation(taken) = self.table.kind(port.ty).clone()
        {
            let row = self.table.row(taken.ability);
            let instances = row.instances.iter().cloned();
            port.adjustments = instances.map(Adjustment::Instance).collect();
            port.ty = taken.result;
        }
        own
    }

    /// The ability under adaptors, which must fit.
    pub(super) fn under(
        &mut self,
        adaptors: &[Adaptor],
        term: TermId,
        ability: Ability,
    ) -> Ability {
        let mut inside = ability;
        for adaptor in adaptors {
            if self.fits(adaptor, inside) {
                inside = self.table.adapted(adaptor, inside);
            } else {
                self.report(Problem::InvalidAdaptor {
                    source: self.source,
                    node: self.item.terms[term].id,
                    adaptor: adaptor.clone(),
                    ambient: inside,
                });
                inside = self.lenient(inside);
            }
        }
        inside
    }

    /// The type of one use of a variable whose `let` has been generalised.
    pub(super) fn generalised_use(&mut self, local: LocalId) -> Option<Ty> {
        let generalised = self.generalised.as_ref();
        let generalised = generalised.filter(|one| one.local == local)?.clone();
        let ty = self.table.fresh();
        self.check(
            generalised.bound,
            ty,
            generalised.ability,
            Expectation::Free,
        );
        Some(ty)
    }
}
