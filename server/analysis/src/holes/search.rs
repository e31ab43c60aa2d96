//! The search for terms that fit a hole: smaller ones first, each part in the ability that it will be evaluated in.
//!
//! Types and abilities are unified by the checker's own table. What is found has still to be checked as a program
//! (whether a match covers everything, say, is not known here).

use std::rc::Rc;

use super::heads::{Head, HeadKind, with_holes};
use super::probe::{Probe, SearchLocal, Subgoal};
use super::written::{Token, text};
use crate::types::TyKind;

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The largest terms: how many names, literals and cases they have.
    pub size: u32,
    /// So many terms are enough.
    pub most: usize,
}

/// A term that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub text: String,
    pub size: u32,
    /// What it begins with.
    pub kind: HeadKind,
    /// How many locals of the clause it does not use.
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
    definitions: Vec<Head>,
    stop: &'p dyn Fn() -> bool,
    stopped: bool,
    is_argument: bool,
    tokens: Vec<Token>,
    kinds: Vec<HeadKind>,
    goals: Vec<Subgoal>,
    result: Searched,
    most: usize,
    /// The locals at the hole itself, and which of them are parts of what the clause takes apart.
    own: Rc<Vec<SearchLocal>>,
    types_before: usize,
}

impl<'db> Probe<'db> {
    /// What a term at a hole can begin with, with holes for its parts; the best first. `is_argument` says that a
    /// call there needs parentheses.
    pub fn fits(&mut self, goal: &Subgoal, is_argument: bool) -> Vec<Found> {
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
                text: with_holes(&begun, is_argument),
                size: begun.size + begun.parts.len() as u32,
                kind: begun.kind,
                unused: 0,
                has_holes: !begun.parts.is_empty(),
            }));
        }
        found.sort_by_key(|one| (one.kind, one.size));
        found.dedup_by(|a, b| a.text == b.text);
        found
    }

    /// Looks for whole terms that fit, until `stop` says so.
    pub fn search(
        &mut self,
        goal: &Subgoal,
        is_argument: bool,
        bounds: Bounds,
        stop: &dyn Fn() -> bool,
    ) -> Searched {
        let hides = |name: &str| goal.locals.iter().any(|one| one.name == name);
        let definitions = self.definitions(hides);
        let types_before = self.table().types.len();
        let mut search = Search {
            definitions,
            stop,
            stopped: false,
            is_argument,
            tokens: Vec::new(),
            kinds: Vec::new(),
            goals: Vec::new(),
            result: Searched::default(),
            most: bounds.most,
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
        let is_full = self.result.found.len() >= self.most
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
        for head in self.probe.own_heads(goal) {
            self.enter(&head, goal, left);
        }
        if self.probe.is_open(goal) {
            return;
        }
        let definitions = std::mem::take(&mut self.definitions);
        for head in &definitions {
            if self.stopped {
                break;
            }
            self.enter(head, goal, left);
        }
        self.definitions = definitions;
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
        let unused = self.own.iter().filter(|local| !uses(&local.name)).count();
        let size = self.tokens.len() as u32;
        self.result.found.push(Found {
            text: text(&self.tokens, self.is_argument),
            size,
            kind: self.kinds.first().copied().unwrap_or(HeadKind::Form),
            unused,
            has_holes: false,
        });
    }

    /// Whether the operator calls itself with nothing smaller than what it was given.
    fn is_endless(&self) -> bool {
        let calls = self.kinds.iter().enumerate();
        let mut own = calls.filter(|(_, kind)| **kind == HeadKind::Itself);
        own.any(|(at, _)| {
            let rest = self.tokens.get(at + 1..).unwrap_or_default();
            let is_part = |name: &String| {
                let whole = self.own.iter().find(|local| local.name == *name);
                whole.is_none_or(|local| local.is_part)
            };
            // Its arguments are what comes next, and whatever comes behind those.
            !rest.iter().any(|token| {
                matches!(token, Token::Use { name, arguments: 0, forced: false, .. } if is_part(name))
            })
        })
    }
}
