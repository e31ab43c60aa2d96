//! Values that are made up: as terms of the core, and as text.

use frank_core::{ConstructorId, Program, Term, TermId};
use frank_interpreter::show_float;
use frank_semantics::show::quoted;

/// A value for a variable of a law.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Int(i64),
    Float(f64),
    Char(char),
    /// A list of characters.
    String(Vec<char>),
    /// Another list.
    List(Vec<Value>),
    Made(ConstructorId, Vec<Value>),
}

impl Value {
    /// Whether two are the same to the last bit: `0.0` and `-0.0` are not.
    pub fn is(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Float(x), Value::Float(y)) => x.to_bits() == y.to_bits(),
            _ => self == other,
        }
    }

    /// The value as a term of a program.
    pub fn term(&self, program: &mut Program) -> TermId {
        let all = |values: &[Value], program: &mut Program| -> Vec<TermId> {
            values.iter().map(|value| value.term(program)).collect()
        };
        let term = match self {
            Value::Int(number) => Term::Int(*number),
            Value::Float(number) => Term::Float(*number),
            Value::Char(c) => Term::Char(*c),
            Value::String(chars) => Term::String(chars.iter().collect()),
            Value::List(values) => Term::List(all(values, program)),
            Value::Made(constructor, fields) => Term::Construct {
                constructor: *constructor,
                args: all(fields, program),
            },
        };
        program.terms.alloc(term)
    }

    /// The value as a program has it. `inside`: as an argument, in parentheses if need be.
    pub fn text(&self, program: &Program, inside: bool) -> String {
        let (text, is_atom) = match self {
            Value::Int(number) => (number.to_string(), *number >= 0),
            Value::Float(number) => (show_float(*number), !number.is_sign_negative()),
            Value::Char(c) => (quoted(&[*c], '\''), true),
            Value::String(chars) => (quoted(chars, '"'), true),
            Value::List(values) => {
                let all = values.iter().map(|value| value.text(program, false));
                (format!("[{}]", all.collect::<Vec<_>>().join(", ")), true)
            }
            Value::Made(constructor, fields) => {
                let mut text = program.constructors[*constructor].name.clone();
                for field in fields {
                    text.push(' ');
                    text += &field.text(program, true);
                }
                (text, fields.is_empty())
            }
        };
        match inside && !is_atom {
            true => format!("({text})"),
            false => text,
        }
    }
}
