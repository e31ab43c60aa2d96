//! Several rules at once, where nobody looks at the states between.
//!
//! Most rules move the focus from one part of a term to the next. Where the parts are numbers, variables, operations on
//! them and constructors, what they come to is known without states: [`Semantics::advance_far`] goes on from there, and
//! counts the rules that it has left out. The states that it gives are those that the rules give.

use frank_core::{Program, Term, TermId};

use crate::rules::{Rule, Semantics, Step};
use crate::state::{Arg, ArgsId, Call, EnvId, Focus, Frame, StackId, State, Value};

/// Larger terms are evaluated rule by rule, so that a run can be interrupted.
const LARGEST: u32 = 4_096;

/// The terms that come to a value by rules that do nothing but compute.
#[derive(Debug, Default)]
pub struct Simple {
    /// By a term's number: by how many rules it does; 0 for all other terms.
    rules: Vec<u32>,
}

impl Simple {
    /// The simple terms of a program in which no term is one to stop at.
    pub fn new(program: &Program, is_stop: impl Fn(TermId) -> bool) -> Simple {
        let mut simple = Simple {
            rules: vec![0; program.terms.len()],
        };
        // Parts have smaller numbers or larger ones than what they are parts of: each is looked at when its own are done.
        let mut known = vec![false; program.terms.len()];
        for (root, _) in program.terms.iter() {
            let mut waiting = vec![(root, false)];
            while let Some((term, parts_done)) = waiting.pop() {
                let number = number(term);
                if known.get(number) != Some(&false) {
                    continue;
                }
                if parts_done {
                    let rules = match is_stop(term) {
                        true => 0,
                        false => simple.count(program, term).unwrap_or(0),
                    };
                    if let (Some(own), Some(known)) =
                        (simple.rules.get_mut(number), known.get_mut(number))
                    {
                        (*own, *known) = (rules, true);
                    }
                } else {
                    waiting.push((term, true));
                    program.direct_parts(term, &mut |part| waiting.push((part, false)));
                }
            }
        }
        simple
    }

    /// By how many rules a term comes to a value; `None` if that is not known without states.
    fn of(&self, term: TermId) -> Option<u32> {
        self.rules
            .get(number(term))
            .copied()
            .filter(|rules| *rules > 0)
    }

    /// The same, of a term whose parts are known.
    fn count(&self, program: &Program, term: TermId) -> Option<u32> {
        let rules = match &program.terms[term] {
            Term::Int(_)
            | Term::Float(_)
            | Term::Char(_)
            | Term::Local(_)
            | Term::Operator(_)
            | Term::Command(_)
            | Term::Thunk(_) => 1,
            Term::Arithmetic { left, right, .. } | Term::Compare { left, right, .. } => {
                self.of(*left)? + self.of(*right)? + 3
            }
            Term::Negate { operand, .. } => self.of(*operand)? + 2,
            Term::Construct { args, .. } | Term::List(args) => {
                let parts = args.iter().map(|arg| Some(self.of(*arg)? + 1));
                1 + parts.sum::<Option<u32>>()?
            }
            _ => return None,
        };
        (rules <= LARGEST).then_some(rules)
    }
}

fn number(term: TermId) -> usize {
    term.into_raw().into_u32() as usize
}

impl Semantics<'_> {
    /// A state that follows by at least one rule and at most `most`, as many as are known without the states between;
    /// with the last of the rules.
    ///
    /// # Errors
    /// As those of [`step`](Semantics::step).
    pub fn advance_far(&mut self, state: State, simple: &Simple, most: u64) -> Step {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let clock = self.clock;
        let led = match state.focus {
            Focus::Term(term, env) => self.evaluate_far(state.stack, (term, env), simple, most),
            Focus::Value(value) => state
                .stack
                .and_then(|top| self.give_far(top, value, simple, most)),
            _ => None,
        };
        match led {
            Some((rules, rule, focus, stack)) => {
                self.clock = clock + u64::from(rules);
                Ok((
                    rule,
                    State {
                        focus,
                        stack,
                        ..state
                    },
                ))
            }
            None => self.advance(state),
        }
    }

    fn evaluate_far(
        &mut self,
        stack: Option<StackId>,
        (term, env): (TermId, Option<EnvId>),
        simple: &Simple,
        most: u32,
    ) -> Option<Led> {
        if let Some(rules) = simple.of(term) {
            let value = (rules <= most).then(|| self.simple_value(term, env))??;
            let rule = match &self.program.terms[term] {
                Term::Arithmetic { .. } | Term::Compare { .. } | Term::Negate { .. } => {
                    Rule::Compute
                }
                _ => Rule::Focus,
            };
            return Some((rules, rule, Focus::Value(value), stack));
        }
        match &self.program.terms[term] {
            Term::Apply { head, .. } => {
                // The frame of the head, the head, and its value's way into the call.
                let rules = simple.of(*head)? + 2;
                let head = self.simple_value(*head, env)?;
                self.argue_far(stack, (term, env, head), None, rules, simple, most)
            }
            Term::Let { local, bound, body } => {
                let rules = simple.of(*bound)? + 2;
                let value = (rules <= most).then(|| self.simple_value(*bound, env))??;
                let env = self.store.bind(env, *local, value);
                Some((rules, Rule::Let, Focus::Term(*body, env), stack))
            }
            _ => None,
        }
    }

    fn give_far(&mut self, top: StackId, value: Value, simple: &Simple, most: u32) -> Option<Led> {
        let below = self.store.stacks[top];
        match below.frame {
            Frame::Head { term, env } => {
                self.argue_far(below.rest, (term, env, value), None, 1, simple, most)
            }
            Frame::Argument {
                term,
                env,
                head,
                done,
            } => {
                let done = self.store.append(done, Arg::Value(value));
                self.argue_far(below.rest, (term, env, head), done, 1, simple, most)
            }
            Frame::Left { term, env } => {
                let (Term::Arithmetic { right, .. } | Term::Compare { right, .. }) =
                    &self.program.terms[term]
                else {
                    return None;
                };
                let rules = simple.of(*right)? + 2;
                let right = (rules <= most).then(|| self.simple_value(*right, env))??;
                let result = self.operation(term, value, right).ok()?;
                Some((rules, Rule::Compute, Focus::Value(result), below.rest))
            }
            _ => None,
        }
    }

    /// Goes on with the arguments of a call that are simple, after so many rules.
    fn argue_far(
        &mut self,
        stack: Option<StackId>,
        (term, env, head): (TermId, Option<EnvId>, Value),
        mut done: Option<ArgsId>,
        mut rules: u32,
        simple: &Simple,
        most: u32,
    ) -> Option<Led> {
        let Term::Apply { args, .. } = &self.program.terms[term] else {
            return None;
        };
        let mut left = args.iter().skip(self.store.count(done));
        let rule = Rule::Focus;
        loop {
            let Some(next) = left.next() else {
                let focus = Focus::Call(Call {
                    head,
                    args: done,
                    term,
                    env,
                });
                return (rules <= most).then_some((rules, rule, focus, stack));
            };
            let more = simple.of(*next).map(|more| rules + more + 1);
            let value = match more.filter(|more| *more <= most) {
                Some(_) => self.simple_value(*next, env),
                None => None,
            };
            let (Some(more), Some(value)) = (more, value) else {
                let frame = Frame::Argument {
                    term,
                    env,
                    head,
                    done,
                };
                let stack = self.store.push(stack, frame);
                let focus = Focus::Term(*next, env);
                return (rules <= most).then_some((rules, rule, focus, stack));
            };
            done = self.store.append(done, Arg::Value(value));
            rules = more;
        }
    }

    /// What a simple term comes to; nothing if it comes to none, which the rules tell then.
    fn simple_value(&mut self, term: TermId, env: Option<EnvId>) -> Option<Value> {
        match &self.program.terms[term] {
            Term::Arithmetic { left, right, .. } | Term::Compare { left, right, .. } => {
                let left = self.simple_value(*left, env)?;
                let right = self.simple_value(*right, env)?;
                self.operation(term, left, right).ok()
            }
            Term::Negate { operand, .. } => {
                let operand = self.simple_value(*operand, env)?;
                self.negation(term, operand).ok()
            }
            Term::Construct { constructor, args } if !args.is_empty() => {
                let values = args.iter().map(|arg| self.simple_value(*arg, env));
                let values = values.collect::<Option<Vec<Value>>>()?;
                Some(self.construct(*constructor, values))
            }
            Term::List(args) if !args.is_empty() => {
                let values = args.iter().map(|arg| self.simple_value(*arg, env));
                let values = values.collect::<Option<Vec<Value>>>()?;
                self.list(values)
            }
            _ => self.value_of(term, env),
        }
    }
}

/// Where several rules lead: how many, the last one, and the focus and the frames after it.
type Led = (u32, Rule, Focus, Option<StackId>);
