//! Which arguments a clause matches, and what its variables are then.

use frank_core::{ConstructorId, Pattern, ValuePattern};

use crate::rules::Semantics;
use crate::state::{Arg, Data, EnvId, Value};

impl Semantics<'_> {
    /// Whether a pattern matches an argument; its variables are added to `env`.
    pub(crate) fn matches(&mut self, pattern: &Pattern, arg: Arg, env: &mut Option<EnvId>) -> bool {
        match (pattern, arg) {
            (Pattern::Value(pattern), Arg::Value(value)) => self.matches_value(pattern, value, env),
            (
                Pattern::Command {
                    command,
                    index,
                    args,
                    continuation,
                },
                Arg::Paused(id),
            ) => {
                let paused = self.store.paused[id];
                if paused.command != *command || paused.slot != *index {
                    return false;
                }
                let values = self.store.values(paused.args);
                let mut pairs = args.iter().zip(values);
                if !pairs.all(|(pattern, value)| self.matches_value(pattern, value, env)) {
                    return false;
                }
                if let Some(local) = continuation {
                    let value = Value::Continuation(id);
                    *env = self.store.bind(*env, *local, value);
                }
                true
            }
            (Pattern::CatchAll(local), arg) => {
                if let Some(local) = local {
                    let value = match arg {
                        Arg::Paused(id) => Value::Paused(id),
                        Arg::Value(value) => Value::Finished(self.store.data.alloc(Data {
                            constructor: None,
                            args: vec![value],
                        })),
                    };
                    *env = self.store.bind(*env, *local, value);
                }
                true
            }
            _ => false,
        }
    }

    /// The same for a value. What is still to be compared waits in a list: a pattern may be as deep as a text allows.
    pub(crate) fn matches_value(
        &mut self,
        pattern: &ValuePattern,
        value: Value,
        env: &mut Option<EnvId>,
    ) -> bool {
        let mut waiting = Vec::new();
        let mut next = Some((pattern, value));
        while let Some((pattern, value)) = next.take().or_else(|| waiting.pop()) {
            let matches = match (pattern, value) {
                (ValuePattern::Constructor(wanted, patterns), Value::Data(id)) => {
                    let Data { constructor, args } = &self.store.data[id];
                    waiting.extend(patterns.iter().zip(args.iter().copied()).rev());
                    constructor.is_some_and(|own| self.stands_for(own, *wanted))
                }
                (ValuePattern::Any, _) => true,
                (ValuePattern::Bind(local), value) => {
                    *env = self.store.bind(*env, *local, value);
                    true
                }
                (ValuePattern::Int(wanted), Value::Int(i)) => *wanted == i,
                (ValuePattern::Float(wanted), Value::Float(x)) => *wanted == x,
                (ValuePattern::Char(wanted), Value::Char(c)) => *wanted == c,
                (ValuePattern::String(text), value) => self.is_text(value, text),
                _ => false,
            };
            if !matches {
                return false;
            }
        }
        true
    }

    /// Whether a constructor is another one, or stands for it.
    fn stands_for(&self, own: ConstructorId, wanted: ConstructorId) -> bool {
        own == wanted || self.program.standing_for(wanted).any(|other| other == own)
    }

    fn is_text(&self, value: Value, text: &str) -> bool {
        let mut rest = value;
        for wanted in text.chars() {
            let Some((Value::Char(c), tail)) = self.uncons(rest) else {
                return false;
            };
            if c != wanted {
                return false;
            }
            rest = tail;
        }
        self.uncons(rest).is_none()
    }

    /// The first item of a list and the rest of it.
    pub fn uncons(&self, list: Value) -> Option<(Value, Value)> {
        let Value::Data(id) = list else {
            return None;
        };
        let Data { constructor, args } = &self.store.data[id];
        match (&args[..], *constructor == self.program.known.cons) {
            ([item, rest], true) => Some((*item, *rest)),
            _ => None,
        }
    }
}
