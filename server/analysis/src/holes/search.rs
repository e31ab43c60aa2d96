//! The search for terms that fit a hole: smaller ones first, each part in the ability that it will be evaluated in.
//!
//! Types and abilities are unified by the checker's own table. What is found has still to be checked as a program
//! (whether a match covers everything, say, is not known here).

use std::rc::Rc;

use super::heads::{Head, HeadKind, with_holes};
use super::probe::{Probe, SearchLocal, Subgoal};
use super::written::{Place, Token, text};
use crate::builtin;
use crate::program::InterfaceDef;
use crate::types::TyKind;

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The largest terms: how many names, literals and cases they have.
    pub size: u32,
    /// So many terms are enough.
    pub most: usize,
    /// So many beginnings are tried at most.
    pub tries: u64,
}

/// A term that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub text: String,
    pub size: u32,
    /// What it begins with.
    pub kind: HeadKind,
    /// How many locals it does not use, of the clause's and of those that it takes apart.
    pub unused: usize,
    /// Whether parts of it are still to be written.
    pub has_holes: bool,
}

/// What a search found, and how far it came.
#[derive(Debug, Clone, Default)]
pub struct Searched {
    /// The smaller ones first.
    pub found: Vec<Found>,
    /// How many beginnings were tried.
    pub tried: u64,
    /// All terms up to this size were looked at.
    pub complete_to: u32,
}

/// So many types are made at most: nothing gives their memory back while the search goes on.
const MOST_TYPES: usize = 2_000_000;

struct Search<'p, 'db> {
    probe: &'p mut Probe<'db>,
    definitions: Rc<Vec<Head>>,
    stop: &'p dyn Fn() -> bool,
    stopped: bool,
    place: Place,
    tokens: Vec<Token>,
    kinds: Vec<HeadKind>,
    goals: Vec<Subgoal>,
    result: Searched,
    bounds: Bounds,
    /// The locals at the hole itself, and which of them are parts of what the clause takes apart.
    own: Rc<Vec<SearchLocal>>,
    types_before: usize,
}

impl<'db> Probe<'db> {
    /// What a term at a hole can begin with, with holes for its parts; the best first. `place` is where
    /// it stands.
    pub fn fits(&mut self, goal: &Subgoal, place: Place) -> Vec<Found> {
        let mut heads = self.own_heads(goal);
        if !self.is_open(goal) {
            let hides = |name: &str| goal.locals.iter().any(|one| one.name == name);
            heads.extend(self.definitions(hides));
        }
        let mut found = Vec::new();
        for head in heads {
            // What is between two holes is for who writes it to say.
            if matches!(head, Head::Infix(_)) || !self.may_fit(&head, goal) {
                continue;
            }
            let begun = self.trial(|probe| probe.begin(&head, goal));
            found.extend(begun.map(|begun| Found {
                text: with_holes(&begun, place),
                size: begun.size + begun.parts.len() as u32,
                kind: begun.kind,
                unused: 0,
                has_holes: !begun.parts.is_empty(),
            }));
        }
        found.extend(self.lifted_locals(goal, place));
        found.sort_by_key(|one| (one.kind, one.size));
        found.dedup_by(|a, b| a.text == b.text);
        found
    }

    /// For each local that has cases, its name and a case over it with holes.
    pub fn splits(&mut self, goal: &Subgoal, place: Place) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for local in goal.locals.iter() {
            let head = Head::Case(local.clone());
            let begun = self.trial(|probe| probe.begin(&head, goal));
            found.extend(begun.map(|begun| (local.name.clone(), with_holes(&begun, place))));
        }
        found
    }

    /// The operators that handle some of what the ability has and give what a goal needs: their names, what they handle, and a call of
    /// each with holes.
    pub fn handlings(&mut self, goal: &Subgoal, place: Place) -> Vec<(String, String, String)> {
        let hides = |name: &str| goal.locals.iter().any(|one| one.name == name);
        let here = self.interfaces(goal.ambient);
        let mut found = Vec::new();
        for head in self.definitions(hides) {
            let Head::Operator {
                name,
                signature,
                as_value: false,
                ..
            } = &head
            else {
                continue;
            };
            let ports = signature.computation.ports.iter();
            let added = ports.flat_map(|port| port.added().map(|one| one.interface));
            let added: Vec<InterfaceDef> = added.collect();
            let is_here = added.iter().any(|interface| here.contains(interface));
            if !is_here || !self.may_fit(&head, goal) {
                continue;
            }
            let begun = self.trial(|probe| probe.begin(&head, goal));
            found.extend(
                begun.map(|begun| (name.to_string(), named(&added), with_holes(&begun, place))),
            );
        }
        found
    }

    /// A name that no local of a goal has.
    pub fn free_variable(&mut self, goal: &Subgoal) -> String {
        let any = self.table().fresh();
        let mut locals = goal.locals.as_ref().clone();
        self.bind(any, &mut locals)
    }

    /// Looks for whole terms that fit, until `stop` says so.
    pub fn search(
        &mut self,
        goal: &Subgoal,
        place: Place,
        bounds: Bounds,
        stop: &dyn Fn() -> bool,
    ) -> Searched {
        let hides = |name: &str| goal.locals.iter().any(|one| one.name == name);
        let mut definitions = self.definitions(hides);
        definitions.retain(|head| !self.says_nothing(head));
        let types_before = self.table().types.len();
        let mut search = Search {
            definitions: Rc::new(definitions),
            stop,
            stopped: false,
            place,
            tokens: Vec::new(),
            kinds: Vec::new(),
            goals: Vec::new(),
            result: Searched::default(),
            bounds,
            own: goal.locals.clone(),
            types_before,
            probe: self,
        };
        for size in 1..=bounds.size {
            search.goals.push(goal.clone());
            search.go(size);
            search.goals.clear();
            if search.stopped {
                break;
            }
            search.result.complete_to = size;
        }
        search.result
    }

    /// Whether a head is of no use in a search: `case`, which is a form of its own, and what gives a value of any type
    /// whatever it is given, such as `fail`.
    fn says_nothing(&self, head: &Head) -> bool {
        let Head::Operator {
            name, signature, ..
        } = head
        else {
            return false;
        };
        let taken = signature.computation.ports.iter().map(|port| port.ty);
        let result = signature.computation.result;
        let is_variable = matches!(signature.types.kind(result), TyKind::Variable(_));
        is_variable && *name == builtin::case(self.db).0.name
            || signature.types.unmentioned_result(result, taken).is_some()
    }

    /// Whether nothing is known of what a goal must be.
    fn is_open(&mut self, goal: &Subgoal) -> bool {
        let is_number = self.table().is_number_meta(goal.ty);
        !is_number && matches!(self.table().kind(goal.ty), TyKind::Meta(_) | TyKind::Error)
    }
}

impl Search<'_, '_> {
    /// Finds terms that together have the size `left` for all goals that wait.
    fn go(&mut self, left: u32) {
        let made = self.probe.table().types.len();
        let is_full = self.result.found.len() >= self.bounds.most
            || self.result.tried >= self.bounds.tries
            || made.saturating_sub(self.types_before) > MOST_TYPES;
        if self.stopped || is_full || (self.stop)() {
            self.stopped = true;
            return;
        }
        let Some(goal) = self.goals.pop() else {
            if left == 0 {
                self.emit();
            }
            return;
        };
        // Each of the others needs something, too.
        if left as usize > self.goals.len() {
            self.begin(&goal, left);
        }
        self.goals.push(goal);
    }

    fn begin(&mut self, goal: &Subgoal, left: u32) {
        let own = self.probe.own_heads(goal).into_iter();
        // A handler is for people to write: its continuations say nothing here.
        for head in own.filter(|head| !matches!(head, Head::Clauses)) {
            self.enter(&head, goal, left);
        }
        if self.probe.is_open(goal) {
            return;
        }
        let definitions = self.definitions.clone();
        for head in definitions.iter() {
            if self.stopped {
                return;
            }
            self.enter(head, goal, left);
        }
        // A case of a case is for people to write.
        let in_case = self
            .tokens
            .iter()
            .any(|one| matches!(one, Token::Case { .. }));
        if left >= 3 && !in_case {
            for local in goal.locals.clone().iter() {
                self.enter(&Head::Case(local.clone()), goal, left);
            }
        }
    }

    /// Begins with a head, and goes on with its parts.
    fn enter(&mut self, head: &Head, goal: &Subgoal, left: u32) {
        if !self.probe.may_fit(head, goal) {
            return;
        }
        let before = self.probe.table().snapshot();
        self.result.tried += 1;
        if let Some(begun) = self.probe.begin(head, goal)
            && let Some(left) = left.checked_sub(begun.size)
        {
            let waiting = self.goals.len();
            self.goals.extend(begun.parts.into_iter().rev());
            self.tokens.push(begun.token);
            self.kinds.push(begun.kind);
            self.go(left);
            self.kinds.pop();
            self.tokens.pop();
            self.goals.truncate(waiting);
        }
        self.probe.table().rollback(before);
    }

    /// Notes the term that the tokens are.
    fn emit(&mut self) {
        if self.is_endless() {
            return;
        }
        let uses = |name: &str| {
            self.tokens.iter().any(|token| match token {
                Token::Use { name: used, .. } => used == name,
                Token::Case { subject, .. } => subject == name,
                _ => false,
            })
        };
        let bound = self.tokens.iter().flat_map(|token| match token {
            Token::Case { variables, .. } => &variables[..],
            _ => &[],
        });
        let own = self.own.iter().map(|local| &local.name);
        let unused = own.chain(bound).filter(|name| !uses(name)).count();
        let mut tokens = self.tokens.clone();
        let mut ignored = 0;
        for token in &mut tokens {
            if let Token::Braces { variables } = token {
                for name in variables.iter_mut().filter(|name| !uses(name)) {
                    "_".clone_into(name);
                    ignored += 1;
                }
            }
        }
        let size = self.tokens.len() as u32 + ignored;
        self.result.found.push(Found {
            text: text(&tokens, self.place),
            size,
            kind: self.kinds.first().copied().unwrap_or(HeadKind::Form),
            unused,
            has_holes: false,
        });
    }

    /// Whether the operator calls itself with no argument that is a part of what it was given.
    fn is_endless(&self) -> bool {
        let calls = self.kinds.iter().enumerate();
        let mut own = calls.filter(|(_, kind)| **kind == HeadKind::Itself);
        own.any(|(at, _)| {
            let is_part = |name: &String| {
                let own = self.own.iter().find(|local| local.name == *name);
                own.is_none_or(|local| local.is_part)
            };
            let count = self.tokens.get(at).map_or(0, Token::parts);
            let mut start = at + 1;
            let mut gets_smaller = false;
            for _ in 0..count {
                if let Some(Token::Use {
                    name,
                    arguments: 0,
                    forced: false,
                    ..
                }) = self.tokens.get(start)
                {
                    gets_smaller |= is_part(name);
                }
                start = self.end_of(start);
            }
            !gets_smaller
        })
    }

    /// Where the term that begins at a token ends.
    fn end_of(&self, start: usize) -> usize {
        let (mut at, mut open) = (start, 1_usize);
        while let Some(token) = self.tokens.get(at).filter(|_| open > 0) {
            open = open - 1 + token.parts();
            at += 1;
        }
        at
    }
}

/// Interfaces in words.
fn named(interfaces: &[InterfaceDef]) -> String {
    let names = interfaces.iter();
    let names: Vec<String> = names.map(|one| format!("`{}`", one.0.name)).collect();
    names.join(" and ")
}
