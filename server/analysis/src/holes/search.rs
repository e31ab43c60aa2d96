//! The search for terms that fit a hole: smaller ones first, each part in the ability that it will be evaluated in.
//!
//! Types and abilities are unified by the checker's own table. What is found has still to be checked as a program
//! (whether a match covers everything, say, is not known here).

use std::collections::HashMap;
use std::rc::Rc;

use super::detours::Detours;
use super::heads::{COMPARISONS, Extent, Head, HeadKind, with_holes};
use super::pieces::{Piece, Whole, ended};
use super::probe::{Probe, SearchLocal, Subgoal};
use super::wanted::Asked;
use super::written::{Place, Token, text};
use crate::builtin;
use crate::program::InterfaceDef;
use crate::types::TyKind;

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The largest terms: how many names, literals and cases they have. A call that can give a value of any type
    /// counts as three.
    pub size: u32,
    /// So many terms are kept, the likeliest.
    pub most: usize,
    /// So many beginnings are tried at most.
    pub tries: u64,
}

/// Something that fits as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub text: String,
    pub size: u32,
    /// What it begins with.
    pub kind: HeadKind,
    /// Whether parts of it are still to be written.
    pub has_holes: bool,
}

/// What a search found, and how far it came.
#[derive(Debug, Clone, Default)]
pub struct Searched {
    /// Whole terms, the likeliest first.
    pub found: Vec<Found>,
    /// How many there were.
    pub count: usize,
    /// How many beginnings were tried.
    pub tried: u64,
    /// All terms up to this size were looked at.
    pub complete_to: u32,
}

/// So many types are made at most: nothing gives their memory back while the search goes on.
const MOST_TYPES: usize = 2_000_000;

struct Search<'p, 'db> {
    probe: &'p mut Probe<'db>,
    /// What is in sight, by what it is asked for.
    definitions: HashMap<Asked, Rc<Vec<(Head, Extent)>>>,
    detours: Detours,
    stop: &'p dyn Fn() -> bool,
    stopped: bool,
    place: Place,
    /// The term as far as it is known.
    pieces: Vec<Piece>,
    /// What its other parts must be, the next one last.
    goals: Vec<Subgoal>,
    /// Each with what it costs.
    found: Vec<(u32, Found)>,
    result: Searched,
    bounds: Bounds,
    /// The locals at the hole itself, and which of them are parts of what the clause takes apart.
    own: Rc<Vec<SearchLocal>>,
    /// What must be at the hole itself.
    whole: &'p Subgoal,
    types_before: usize,
}

impl<'db> Probe<'db> {
    /// What a term at a hole can begin with, with holes for its parts; the best first, `most` of them. `place` is where
    /// it stands.
    pub fn fits(&mut self, goal: &Subgoal, place: Place, most: usize) -> Vec<Found> {
        let mut heads = self.own_heads(goal);
        if !self.is_open(goal) {
            let hides = |name: &str| goal.locals.iter().any(|one| one.name == name);
            let wanted = self.wanted(goal);
            heads.extend(self.definitions(hides, &wanted));
        }
        // What is between two holes is for who writes it to say.
        heads.retain(|head| !matches!(head, Head::Infix(_)) && !calls_only_itself(head, goal));
        let heads = heads.into_iter().map(|head| (self.extent(&head), head));
        let mut heads: Vec<(Extent, Head)> = heads.collect();
        heads.sort_by_key(|(extent, head)| (head.kind(), extent.least()));
        let mut found = self.lifted_locals(goal, place);
        // What all that are left come behind: the least of the last one, and how many come before it.
        let (mut last, mut before) = (None, 0);
        for (extent, head) in heads {
            let least = (head.kind(), extent.least());
            let is_before = |one: &&Found| (one.kind, one.size) <= least;
            if last != Some(least) {
                (last, before) = (Some(least), found.iter().filter(is_before).count());
            }
            if before >= most {
                break;
            }
            let known = found.len();
            let begun = self.trial(|probe| probe.begin(&head, goal));
            found.extend(begun.map(|begun| Found {
                text: with_holes(&begun, place),
                // An adaptor in front is something to read, too.
                size: extent.own.max(1 + u32::from(begun.token.is_adapted()))
                    + begun.parts.len() as u32,
                kind: head.kind(),
                has_holes: !begun.parts.is_empty(),
            }));
            before += found.iter().skip(known).filter(is_before).count();
        }
        found.sort_by_key(|one| (one.kind, one.size));
        found.dedup_by(|a, b| a.text == b.text);
        let round = found.iter().position(|one| goal.goes_round_with(&one.text));
        if let Some(round) = round {
            let one = found.remove(round);
            found.insert(BEFORE_ENDLESS.min(found.len()), one);
        }
        found.truncate(most);
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
        let wanted = self.wanted(goal);
        let mut found = Vec::new();
        for head in self.definitions(hides, &wanted) {
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
            if !is_here {
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
    pub fn search<'s>(
        &'s mut self,
        goal: &'s Subgoal,
        place: Place,
        bounds: Bounds,
        stop: &'s dyn Fn() -> bool,
    ) -> Searched {
        let types_before = self.table().types.len();
        let mut search = Search {
            definitions: HashMap::new(),
            detours: Detours::default(),
            stop,
            stopped: false,
            place,
            pieces: Vec::new(),
            goals: Vec::new(),
            found: Vec::new(),
            result: Searched::default(),
            bounds,
            own: goal.locals.clone(),
            whole: goal,
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
        search.keep_likeliest();
        let found = search.found.into_iter();
        Searched {
            found: found.map(|(_, found)| found).collect(),
            ..search.result
        }
    }

    /// Whether a head is of no use in a search: `case`, which is a form of its own, and what gives a value of any type
    /// whatever it is given, such as `fail`.
    fn says_nothing(&self, head: &Head) -> bool {
        let Head::Operator {
            name,
            signature,
            gives_anything,
            ..
        } = head
        else {
            return false;
        };
        let result = signature.types.kind(signature.computation.result);
        *gives_anything
            || matches!(result, TyKind::Variable(_)) && *name == builtin::case(self.db).0.name
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
        let is_full = self.result.tried >= self.bounds.tries
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
        self.begin(&goal, left);
        self.goals.push(goal);
    }

    fn begin(&mut self, goal: &Subgoal, left: u32) {
        let wanted = self.probe.wanted(goal);
        let own = self.probe.own_heads(goal).into_iter();
        // A handler is for people to write: its continuations say nothing here.
        for head in own.filter(|head| !matches!(head, Head::Clauses)) {
            let extent = self.probe.extent(&head);
            self.enter(&head, extent, goal, left);
        }
        if self.probe.is_open(goal) {
            return;
        }
        let commands = self.probe.commands(|name| self.is_hidden(name), &wanted);
        for head in commands {
            let extent = self.probe.extent(&head);
            self.enter(&head, extent, goal, left);
        }
        let others = self.goals.len() as u32;
        for (head, extent) in self.named(wanted.asked).iter() {
            if self.stopped {
                return;
            }
            // All that are left are as large.
            if extent.least() + others > left {
                break;
            }
            self.enter(head, *extent, goal, left);
        }
        // A case of a case is for people to write.
        let mut around = self.pieces.iter();
        if !around.any(|piece| matches!(piece.head, Head::Case(_))) {
            for local in goal.locals.clone().iter() {
                let head = Head::Case(local.clone());
                let extent = self.probe.extent(&head);
                self.enter(&head, extent, goal, left);
            }
        }
    }

    /// Whether a local at the hole hides a name.
    fn is_hidden(&self, name: &str) -> bool {
        self.own.iter().any(|one| one.name == name)
    }

    /// The definitions that may give what is asked for, the smallest first.
    fn named(&mut self, asked: Asked) -> Rc<Vec<(Head, Extent)>> {
        if let Some(known) = self.definitions.get(&asked) {
            return known.clone();
        }
        let mut heads = self.probe.named(|name| self.is_hidden(name), asked);
        heads.retain(|head| !self.probe.says_nothing(head));
        let heads = heads.into_iter().map(|head| {
            let extent = self.probe.extent(&head);
            (head, extent)
        });
        let mut heads: Vec<(Head, Extent)> = heads.collect();
        heads.sort_by_key(|(_, extent)| extent.least());
        let heads = Rc::new(heads);
        self.definitions.insert(asked, heads.clone());
        heads
    }

    /// Begins with a head, and goes on with its parts.
    fn enter(&mut self, head: &Head, extent: Extent, goal: &Subgoal, left: u32) {
        // Each of the other goals needs something, too; and the last one all that is left.
        let others = self.goals.len() as u32;
        let is_too_small = extent.parts == 0 && others == 0 && extent.own < left;
        if extent.least() + others > left || is_too_small {
            return;
        }
        let before = self.probe.table().snapshot();
        self.result.tried += 1;
        if let Some(begun) = self.probe.begin(head, goal) {
            let waiting = self.goals.len();
            self.goals.extend(begun.parts.into_iter().rev());
            self.pieces.push(Piece {
                head: head.clone(),
                token: begun.token,
            });
            if !self.is_endless() && !self.detours.is_one(self.probe, &self.pieces) {
                self.go(left - extent.own);
            }
            self.pieces.pop();
            self.goals.truncate(waiting);
        }
        self.probe.table().rollback(before);
    }

    /// Notes the term that the pieces are.
    fn emit(&mut self) {
        self.result.count += 1;
        let uses = |name: &str| self.pieces.iter().any(|piece| piece.token.reads(name));
        let bound = self.pieces.iter().flat_map(|piece| match &piece.token {
            Token::Case { variables, .. } => &variables[..],
            _ => &[],
        });
        // What the clause uses elsewhere may be there for that alone.
        let missing = |is_used| match is_used {
            true => NAME,
            false => UNUSED,
        };
        let own = self.own.iter().map(|local| (&local.name, local.is_used));
        let all = own.chain(bound.map(|name| (name, false)));
        let unused = all.filter(|(name, _)| !uses(name));
        let unused: u32 = unused.map(|(_, is_used)| missing(is_used)).sum();
        let mut tokens: Vec<Token> = self.pieces.iter().map(|one| one.token.clone()).collect();
        let mut ignored = 0;
        for token in &mut tokens {
            if let Token::Braces { variables } = token {
                for name in variables.iter_mut().filter(|name| !uses(name)) {
                    "_".clone_into(name);
                    ignored += 1;
                }
            }
        }
        let costs: u32 = self.pieces.iter().map(cost).sum();
        // What a clause has taken apart is there to be used.
        let text = text(&tokens, self.place);
        let endless = match self.whole.goes_round_with(&text) {
            true => ENDLESS,
            false => 0,
        };
        let cost = costs + NAME * ignored + unused + endless;
        let found = Found {
            text,
            size: tokens.len() as u32 + ignored,
            kind: self
                .pieces
                .first()
                .map_or(HeadKind::Form, |piece| piece.head.kind()),
            has_holes: false,
        };
        self.found.push((cost, found));
        if self.found.len() >= 2 * self.bounds.most {
            self.keep_likeliest();
        }
    }

    /// Sorts what was found, and forgets what is of no use.
    fn keep_likeliest(&mut self) {
        self.found.sort_by_key(|(cost, found)| (*cost, found.kind));
        self.found.truncate(self.bounds.most);
    }

    /// Whether a call of the operator itself has just ended that has no argument that is a part of what it was given, or
    /// one that performs just what the clause is for.
    fn is_endless(&self) -> bool {
        // A continuation goes on with what is left to be done.
        let gets_smaller = |arg: &Whole<'_>| match arg.head() {
            Some(Head::Local { local, .. }) => local.is_part,
            _ => false,
        };
        let ended = ended(&self.pieces);
        let mut own = ended.iter().filter(|term| {
            let kind = term.head().map(Head::kind);
            kind == Some(HeadKind::Itself)
        });
        let goes_round = |call: &Whole<'_>| {
            let mut inner = call.all().iter();
            inner.any(|piece| match piece.head {
                Head::Command {
                    command,
                    dropped: 0,
                } => self.whole.handled == Some(command),
                _ => false,
            })
        };
        own.any(|call| !call.parts().iter().any(gets_smaller) || goes_round(call))
    }
}

/// Whether an operator without ports would be its own body, and never end.
fn calls_only_itself(head: &Head, goal: &Subgoal) -> bool {
    match head {
        Head::Operator {
            kind: HeadKind::Itself,
            as_value: false,
            signature,
            ..
        } => goal.at_once && signature.computation.ports.is_empty(),
        _ => false,
    }
}

/// What a name costs in the order of what is found.
const NAME: u32 = 4;
/// And a local that is not used: as much as some names.
const UNUSED: u32 = 4 * NAME;
/// And what makes the operator call itself for ever: more than all that is left out otherwise.
const ENDLESS: u32 = 16 * NAME;
/// Of what fits, so many stand before what would make the operator call itself with what it was given.
const BEFORE_ENDLESS: usize = 4;

/// What a head costs: the less it says of what it gives, the more; and an adaptor is something to read, too.
fn cost(piece: &Piece) -> u32 {
    let own = match (&piece.head, piece.head.kind()) {
        (_, HeadKind::Generic) => 2 * NAME,
        (_, HeadKind::Library) => NAME + 1,
        // Any two numbers can be compared.
        (Head::Infix(operator), _) if COMPARISONS.contains(operator) => NAME + 2,
        // It fails where the second operand is zero, and is asked for less often.
        (Head::Infix("/"), _) => NAME + 1,
        _ => NAME,
    };
    match piece.token.is_adapted() {
        true => own + NAME,
        false => own,
    }
}

/// Interfaces in words.
fn named(interfaces: &[InterfaceDef]) -> String {
    let names = interfaces.iter();
    let names: Vec<String> = names.map(|one| format!("`{}`", one.0.name)).collect();
    names.join(" and ")
}
