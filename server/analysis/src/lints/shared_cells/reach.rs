//! What runs under a handler: the arguments of its calls, and all that they lead to.

use std::collections::{HashMap, HashSet};

use frank_syntax::ast::{Item, Symbol, TermId, TermKind};

use crate::db::{Db, SourceFile, item};
use crate::declarations::sound_signature;
use crate::derivatives::parts::Parts;
use crate::diagnostics::Location;
use crate::groups;
use crate::infer::{Body, Inference, Resolved, infer_operator};
use crate::program::{Definition, InterfaceDef, OperatorDef, TermDef};
use crate::surroundings::{Parent, Surroundings};
use crate::types::{Signature, TyKind};

/// The names that a program's own operators mention, in the order of the program.
pub struct Mentions {
    of: HashMap<Symbol, Vec<Symbol>>,
    by: HashMap<Symbol, Vec<Symbol>>,
}

impl Mentions {
    pub fn new(db: &dyn Db, scope: SourceFile) -> Mentions {
        let (mut of, mut by): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        for (user, name) in groups::all_facts(db, scope).flat_map(|facts| &facts.mentions) {
            of.entry(*user).or_default().push(*name);
            by.entry(*name).or_default().push(*user);
        }
        Mentions { of, by }
    }

    /// The names that an operator mentions.
    pub fn of(&self, operator: Symbol) -> &[Symbol] {
        self.of.get(&operator).map_or(&[], Vec::as_slice)
    }

    /// Whether an operator mentions a name.
    pub fn has(&self, operator: Symbol, name: Symbol) -> bool {
        self.of(operator).contains(&name)
    }

    /// The operators that mention a name, but for one of that name.
    fn by(&self, name: Symbol) -> impl Iterator<Item = Symbol> + '_ {
        let all = self.by.get(&name).into_iter().flatten();
        all.copied().filter(move |user| *user != name)
    }
}

/// What may run under a handler.
pub enum Reach {
    /// Who knows what.
    Anything,
    Within {
        /// The terms in the arguments of its calls.
        places: HashSet<Location>,
        /// The operators that these lead to.
        operators: HashSet<Symbol>,
    },
}

impl Reach {
    /// What may run under a program's own handler, or a library's operator that leads to one.
    ///
    /// Where an argument of its calls has a function from elsewhere in it, the operator that calls
    /// it counts as a handler, too: what it runs is in its own clauses, or comes with its own
    /// arguments.
    pub fn new(db: &dyn Db, root: SourceFile, handler: Symbol, mentions: &Mentions) -> Reach {
        let mut places: HashSet<Location> = HashSet::new();
        let mut operators: HashSet<Symbol> = HashSet::new();
        // It may have handlers in its clauses.
        let mut open = vec![handler];
        let mut handlers = vec![handler];
        let mut known = HashSet::from([handler]);
        while let Some(handler) = handlers.pop() {
            // Whoever runs the program may call it.
            if mentions.by(handler).next().is_none() {
                return Reach::Anything;
            }
            let own = mentions.has(handler, handler).then_some(handler);
            for user in mentions.by(handler).chain(own) {
                let handled = handled(db, root, user, handler);
                if handled.unknown {
                    return Reach::Anything;
                }
                places.extend(&handled.places);
                open.extend(&handled.names);
                if handled.given && known.insert(user) {
                    open.push(user);
                    handlers.extend(handled.takes_arguments.then_some(user));
                }
            }
        }
        while let Some(name) = open.pop() {
            if operators.insert(name) {
                if fetches(db, root, name) {
                    return Reach::Anything;
                }
                open.extend(mentions.of(name));
            }
        }
        Reach::Within { places, operators }
    }

    /// Whether a term of an operator may run there.
    pub fn covers(&self, operator: Symbol, at: Location) -> bool {
        match self {
            Reach::Anything => true,
            Reach::Within { places, operators } => {
                operators.contains(&operator) || places.contains(&at)
            }
        }
    }
}

/// Whether whoever runs the program may handle an operator's commands of an interface: it, or what
/// calls it, is called by nothing else and lets them through.
pub fn is_open(
    db: &dyn Db,
    root: SourceFile,
    operator: Symbol,
    interface: InterfaceDef,
    mentions: &Mentions,
) -> bool {
    let mut open = vec![operator];
    let mut seen: HashSet<Symbol> = HashSet::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name) {
            continue;
        }
        let before = open.len();
        open.extend(mentions.by(name));
        let performs = |signature: &Signature| {
            let row = signature.types.row(signature.computation.ability);
            row.instances.iter().any(|own| own.interface == interface)
        };
        let signature = sound_signature(db, root, name).as_ref();
        if open.len() == before && signature.is_none_or(|signature| performs(signature)) {
            return true;
        }
    }
    false
}

/// What an operator's clauses give a handler to handle.
#[derive(Debug, Default, PartialEq, Eq)]
struct Handled {
    /// The terms.
    places: Vec<Location>,
    /// The names of operators in them.
    names: Vec<Symbol>,
    /// There are variables for functions in them.
    given: bool,
    /// They may be arguments of the operator.
    takes_arguments: bool,
    /// They may come from anywhere, or the handler does.
    unknown: bool,
}

#[salsa::tracked]
fn handled(db: &dyn Db, root: SourceFile, user: Symbol, handler: Symbol) -> Handled {
    let mut handled = Handled::default();
    let scope = root;
    let operator = OperatorDef(Definition { scope, name: user });
    let inference = infer_operator(db, operator).filter(Inference::is_sound);
    let Some(inference) = inference else {
        handled.unknown = true;
        return handled;
    };
    let computation = inference.computation.as_ref();
    handled.takes_arguments = computation.is_none_or(|computation| !computation.ports.is_empty());
    for (source, body) in &inference.bodies {
        let item = item(db, *source);
        let surroundings = Surroundings::new(item);
        for (term, data) in item.terms.iter() {
            let is_handler = matches!(&data.kind, TermKind::Name(name) if name.symbol == handler)
                && !matches!(body.names.get(term), Some(Resolved::Local(_)));
            if !is_handler {
                continue;
            }
            let Some(call) = call_of(item, &surroundings, term) else {
                handled.unknown = true;
                continue;
            };
            let mut parts = Parts::new(db, &inference.table);
            // What it gives may handle something as well.
            let gives_handler = |ty| match inference.table.kind(ty) {
                TyKind::Computation(called) => {
                    matches!(inference.table.kind(called.result), TyKind::Computation(given) if !given.ports.is_empty())
                }
                _ => true,
            };
            handled.unknown |= body.types.get(term).is_none_or(|ty| gives_handler(*ty));
            for term in item.terms_in(call) {
                // A handler calls itself with the rest of what it handles.
                if user != handler {
                    let at = Location::node(*source, item.terms[term].id);
                    handled.places.push(at);
                }
                match body.names.get(term) {
                    Some(Resolved::Definition(TermDef::Operator(operator))) => {
                        handled.names.push(operator.0.name);
                    }
                    Some(Resolved::Definition(TermDef::Command(_))) => {
                        handled.unknown |= fetches_at(&mut parts, &inference, body, term);
                    }
                    Some(Resolved::Local(local)) if user != handler => {
                        let local = body.locals.get(local.0 as usize);
                        handled.given |= local.is_none_or(|local| parts.has_function(local.ty));
                    }
                    _ => {}
                }
            }
        }
    }
    handled
}

/// The call that a name is at the head of.
fn call_of(item: &Item, surroundings: &Surroundings, name: TermId) -> Option<TermId> {
    let mut head = name;
    loop {
        let Some(Parent::Term(parent)) = surroundings.parent(head) else {
            return None;
        };
        match &item.terms[parent].kind {
            TermKind::Adapted { .. } => head = parent,
            TermKind::Apply { head: called, .. } if *called == head => return Some(parent),
            _ => return None,
        }
    }
}

/// Whether an operator has functions from commands: from cells, from a state.
#[salsa::tracked(returns(copy))]
fn fetches(db: &dyn Db, root: SourceFile, name: Symbol) -> bool {
    let scope = root;
    let Some(inference) = infer_operator(db, OperatorDef(Definition { scope, name })) else {
        return false;
    };
    let mut parts = Parts::new(db, &inference.table);
    inference.bodies.iter().any(|(source, body)| {
        let item = item(db, *source);
        item.terms.iter().any(|(term, _)| {
            let definition = body.names.get(term);
            matches!(definition, Some(Resolved::Definition(TermDef::Command(_))))
                && fetches_at(&mut parts, &inference, body, term)
        })
    })
}

/// Whether what a command gives may have functions in it.
fn fetches_at(parts: &mut Parts<'_>, inference: &Inference, body: &Body, command: TermId) -> bool {
    match body.types.get(command).map(|ty| inference.table.kind(*ty)) {
        Some(TyKind::Computation(called)) => parts.has_function(called.result),
        _ => true,
    }
}
