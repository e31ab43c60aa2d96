//! The values of pictures, for who looks whether they can be drawn.

use frank_interpreter::picture::Values;

use crate::rules::Semantics;
use crate::state::Value;

impl Values for Semantics<'_> {
    type Value = Value;

    fn field(&self, value: Value, index: usize) -> Option<Value> {
        let Value::Data(id) = value else {
            return None;
        };
        self.store.data[id].args.get(index).copied()
    }

    fn float(&self, value: Value) -> f64 {
        match value {
            Value::Float(x) => x,
            _ => f64::NAN,
        }
    }

    fn char(&self, value: Value) -> char {
        match value {
            Value::Char(c) => c,
            _ => char::REPLACEMENT_CHARACTER,
        }
    }
}
