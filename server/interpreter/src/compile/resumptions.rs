//! Clauses that resume in place.
//!
//! A clause that ends in `h … (k v)`, where `h` is the operator itself, all before it does not
//! mention `k` and the handled argument is the last, computes its new arguments and returns `v` to
//! the program. The handler has stayed. If the clause has work left behind `h … (k v)`, such as
//! `x :: h (k unit)`, it does the same, and leaves a frame for that work below the handler, where
//! the value of `h … (k v)` comes to when the program has ended. Any other clause first captures
//! `k`. Where only some branches resume in one of these ways, the others capture when they are reached.

use frank_core::{Local, OperatorId, Term, TermId};

use super::handlers::InPlace;
use super::ir::{End, Keeper, Region, State, Statement, Var};
use super::lower::{Destination, Lower, Resting};
use super::small;
use super::terms::Facts;
use crate::code::NONE;

impl<'p> Lower<'_, 'p> {
    /// Lowers `h … (k v)` in place, if this is one.
    pub fn resume(&mut self, id: OperatorId, args: &'p [TermId], scope: usize) -> bool {
        let Some(clauses) = &self.clauses else {
            return false;
        };
        let Some(place) = &clauses.place else {
            return false;
        };
        let Some((value, done_terms)) =
            resumption(&mut self.shared.facts, clauses.operator, id, args, place)
        else {
            return false;
        };
        let window = clauses.window.is_some();
        let (abort_passes, under) = (clauses.abort_passes, clauses.under);
        let join = clauses.direct.as_ref().map(|direct| direct.join);
        self.set_done(done_terms, scope);
        // What commands `v` performs the handler takes, unless it performs none.
        let quiet = is_quiet(&mut self.shared.facts, value, abort_passes);
        let result = match quiet {
            true => Some(self.value(value, scope)),
            false => self.value_without_calls(value, scope, under),
        };
        match result {
            Some(result) if join.is_some() => self.direct_result(result),
            Some(result) if window => self.end(End::WindowReturn(result)),
            Some(result) => self.end(End::Return(result)),
            None => {
                self.note_call();
                self.push(Statement::Under);
                self.tail_in(value, scope, under);
            }
        }
        true
    }

    /// Gives the handler that stays the arguments before the last with which a clause resumes.
    fn set_done(&mut self, done_terms: &'p [TermId], scope: usize) {
        let Some(clauses) = &self.clauses else {
            return;
        };
        let Some(place) = &clauses.place else {
            return;
        };
        let (last, region, under) = (clauses.last, place.region, clauses.under);
        let done = clauses.done.clone();
        let state = clauses.direct.as_ref().map(|direct| (under, direct.depth));
        let mut changed = Vec::new();
        for (i, term) in done_terms.iter().enumerate().take(last) {
            let new = self.value(*term, scope);
            if done.get(i) != Some(&new) {
                changed.push((small(i as u32), new));
            }
        }
        for (index, from) in changed {
            self.push(match state {
                Some((under, depth)) => {
                    let state = State {
                        under,
                        depth,
                        index,
                    };
                    Statement::WriteState { state, from }
                }
                None => Statement::SetDone {
                    index,
                    from,
                    region,
                },
            });
        }
    }

    /// Whether a term in which a body ends has a single resumption in it, and computes something of its value; so
    /// nothing need be captured. It is remembered which it is.
    pub fn comes_to_resume(&mut self, term: TermId) -> bool {
        let Some(clauses) = &self.clauses else {
            return false;
        };
        let Some(place) = &clauses.place else {
            return false;
        };
        if clauses
            .direct
            .as_ref()
            .is_some_and(|direct| !direct.located)
        {
            return false;
        }
        let (operator, passes) = (clauses.operator, clauses.abort_passes);
        let found = resumption_before(&mut self.shared.facts, operator, term, place, passes);
        if let Some(place) = self.clauses.as_mut().and_then(|c| c.place.as_mut()) {
            place.resumption = found;
        }
        found.is_some()
    }

    /// Lowers the resumption that a clause has work left after, if this is it: what follows is left below the handler,
    /// and gets its value.
    pub fn resume_and_go_on(
        &mut self,
        term: TermId,
        id: OperatorId,
        args: &'p [TermId],
        scope: usize,
    ) -> Option<Var> {
        let clauses = self.clauses.as_ref()?;
        let place = clauses.place.as_ref()?;
        if place.resumption != Some(term) {
            return None;
        }
        let (value, done) = resumption(&mut self.shared.facts, clauses.operator, id, args, place)?;
        let (region, rest_scope) = (place.region, clauses.scope);
        let direct = clauses.direct.as_ref().map(|direct| direct.depth);
        self.set_done(done, scope);
        self.resting = Some(Resting {
            scope: rest_scope,
            calls: self.calls,
        });
        self.frame_site = NONE;
        self.at(term, scope);
        // It counts what the application of a continuation does.
        self.push(Statement::Step);
        let result = self.fresh();
        let after = self.block(vec![result]);
        let inner = self.block(Vec::new());
        let keeper = direct.map_or(Keeper::Found(region), Keeper::Known);
        self.end(End::Rest {
            keeper,
            inner,
            after,
        });
        self.current = inner;
        let value = self.value(value, scope);
        match direct {
            Some(_) => self.direct_result(value),
            None => self.end(End::Return(value)),
        }
        self.current = after;
        // When it runs, the handler is gone.
        self.seen = Some(self.context);
        if let Some(place) = self.clauses.as_mut().and_then(|c| c.place.as_mut()) {
            place.resumption = None;
        }
        Some(result)
    }

    /// A clause that might resume in place, with a region of its own.
    pub fn in_place(
        &mut self,
        operator: OperatorId,
        body: TermId,
        continuation: Option<Local>,
    ) -> Option<InPlace> {
        let local = continuation?;
        let mut place = InPlace {
            continuation,
            mentions: self.shared.facts.mentions(body, local),
            region: self.regions.len(),
            rests: false,
            resumption: None,
        };
        let passes = self.clauses.as_ref().is_some_and(|c| c.abort_passes);
        let facts = &mut self.shared.facts;
        place.rests = facts.some_tail(body, &mut |facts, term| {
            resumption_before(facts, operator, term, &place, passes).is_some()
        });
        if !place.rests && !resumes(facts, operator, body, &place) {
            return None;
        }
        self.regions.push(Region::default());
        Some(place)
    }

    /// Lowers the body of a clause in the place of its command. Gives whether it resumes there and
    /// calls nothing; if not, what was written is of no use.
    pub fn resumes_at_once(
        &mut self,
        operator: OperatorId,
        body: TermId,
        continuation: Option<Local>,
        scope: usize,
    ) -> bool {
        let Some(place) = self.in_place(operator, body, continuation) else {
            return false;
        };
        let region = place.region;
        let direct = self.clauses.as_ref().and_then(|c| c.direct.as_ref());
        let performer = direct.filter(|_| place.rests).map(|d| d.performer);
        if let Some(clauses) = &mut self.clauses {
            clauses.place = Some(place);
        }
        let around = self.stand_in(scope, performer);
        self.tail(body, scope, Destination::Resume);
        self.stand_in(scope, around);
        let place = self.clauses.as_mut().and_then(|c| c.place.take());
        if place.is_some_and(|place| place.resumption.is_some()) {
            return false;
        }
        let found = self.regions.get(region).copied().unwrap_or_default();
        !found.calls && !found.captures
    }

    /// Has a scope's code, and the frame that the machine would have for it, stand elsewhere, if that is said. Gives
    /// where it stood.
    fn stand_in(&mut self, scope: usize, site: Option<u32>) -> Option<u32> {
        let site = site?;
        self.frame_site = site;
        let scope = self.scopes.get_mut(scope)?;
        Some(std::mem::replace(&mut scope.site, site))
    }
}

/// If an application is `h … (k v)`: `v`, and the other arguments.
fn resumption<'p>(
    facts: &mut Facts<'p>,
    operator: OperatorId,
    head: OperatorId,
    args: &'p [TermId],
    place: &InPlace,
) -> Option<(TermId, &'p [TermId])> {
    if head != operator {
        return None;
    }
    let (last, done) = args.split_last()?;
    let Term::Apply { head, args: inner } = &facts.program().terms[*last] else {
        return None;
    };
    let Term::Local(local) = &facts.program().terms[*head] else {
        return None;
    };
    let [value] = inner.as_slice() else {
        return None;
    };
    let handler = facts.handler(operator)?;
    let plain = |facts: &Facts<'p>, i: usize, term: TermId| {
        handler
            .ports
            .get(i)
            .is_some_and(|p| p.adjustments.is_empty())
            || facts.is_value(term)
    };
    let fits = Some(*local) == place.continuation
        && args.len() == handler.ports.len()
        && !place.mentions.contains(value)
        && done
            .iter()
            .enumerate()
            .all(|(i, term)| !place.mentions.contains(term) && plain(facts, i, *term));
    fits.then_some((*value, done))
}

/// The same of a term.
fn is_resumption(
    facts: &mut Facts<'_>,
    operator: OperatorId,
    term: TermId,
    place: &InPlace,
) -> Option<TermId> {
    let program = facts.program();
    let Term::Apply { head, args } = &program.terms[term] else {
        return None;
    };
    let Term::Operator(id) = &program.terms[*head] else {
        return None;
    };
    resumption(facts, operator, *id, args, place).map(|(value, _)| value)
}

/// Whether some branch of a clause's body ends in `h … (k v)`.
fn resumes(facts: &mut Facts<'_>, operator: OperatorId, body: TermId, place: &InPlace) -> bool {
    facts.some_tail(body, &mut |facts, term| {
        is_resumption(facts, operator, term, place).is_some()
    })
}

/// Whether a value to resume with performs nothing that the handler would take.
fn is_quiet(facts: &mut Facts<'_>, value: TermId, abort_passes: bool) -> bool {
    facts.is_value(value) || (abort_passes && facts.is_leaf(value))
}

/// The resumption `h … (k v)` in a term in which a body ends, if there is one that surely is evaluated where the term
/// stands, once, and before the rest of the term; and nothing else mentions `k`.
fn resumption_before(
    facts: &mut Facts<'_>,
    operator: OperatorId,
    term: TermId,
    place: &InPlace,
    abort_passes: bool,
) -> Option<TermId> {
    let program = facts.program();
    let mentions = |term: &TermId| place.mentions.contains(term);
    let mut next = match &program.terms[term] {
        Term::Let { bound, body, .. } | Term::LetMatch { bound, body, .. } => {
            (mentions(bound) && !mentions(body)).then_some(*bound)?
        }
        Term::Sequence { first, second } => {
            (mentions(first) && !mentions(second)).then_some(*first)?
        }
        _ if is_resumption(facts, operator, term, place).is_some() => return None,
        _ => term,
    };
    loop {
        if let Some(value) = is_resumption(facts, operator, next, place) {
            return is_quiet(facts, value, abort_passes).then_some(next);
        }
        let mut parts = Vec::new();
        match &program.terms[next] {
            Term::Thunk(_) | Term::Adapted { .. } | Term::LetMatch { .. } => return None,
            Term::Apply { head, args } => {
                let plain = |i: usize| match &program.terms[*head] {
                    Term::Command(_) => true,
                    Term::Operator(id) => facts.handler(*id).is_none_or(|handler| {
                        let port = handler.ports.get(i);
                        port.is_some_and(|port| port.adjustments.is_empty())
                    }),
                    _ => false,
                };
                if args
                    .iter()
                    .enumerate()
                    .any(|(i, arg)| mentions(arg) && !plain(i))
                {
                    return None;
                }
                parts.extend(args);
            }
            _ => program.direct_parts(next, &mut |part| parts.push(part)),
        }
        parts.retain(mentions);
        match parts.as_slice() {
            [only] => next = *only,
            _ => return None,
        }
    }
}
