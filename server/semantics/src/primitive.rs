//! Numbers and characters: what is computed, and not by clauses.

use frank_core::{Arithmetic, Builtin, Comparison, Number, Term, TermId};
use frank_interpreter::{RunErrorKind, bits, failure, parse_float, show_float, show_float_to};

use crate::rules::{Semantics, Stuck};
use crate::state::{State, Value};

impl Semantics<'_> {
    /// An operation on two operands.
    pub(crate) fn operation(
        &mut self,
        term: TermId,
        left: Value,
        right: Value,
    ) -> Result<Value, Stuck> {
        match (&self.program.terms[term], left, right) {
            (Term::Arithmetic { operator, .. }, Value::Int(x), Value::Int(y)) => {
                self.integer(term, *operator, x, y)
            }
            (Term::Arithmetic { operator, .. }, Value::Float(x), Value::Float(y)) => {
                Ok(Value::Float(match operator {
                    Arithmetic::Add => x + y,
                    Arithmetic::Subtract => x - y,
                    Arithmetic::Multiply => x * y,
                    Arithmetic::Divide => x / y,
                }))
            }
            (Term::Compare { operator, .. }, Value::Int(x), Value::Int(y)) => {
                self.truth(term, holds(*operator, &x, &y))
            }
            (Term::Compare { operator, .. }, Value::Float(x), Value::Float(y)) => {
                self.truth(term, holds(*operator, &x, &y))
            }
            _ => Err(self.meaningless(term)),
        }
    }

    fn integer(&self, term: TermId, operator: Arithmetic, x: i64, y: i64) -> Result<Value, Stuck> {
        let (result, sign) = match operator {
            Arithmetic::Add => (x.checked_add(y), "+"),
            Arithmetic::Subtract => (x.checked_sub(y), "-"),
            Arithmetic::Multiply => (x.checked_mul(y), "*"),
            Arithmetic::Divide if y == 0 => {
                let message = format!("division by zero in `{} / 0`", operand(x));
                return Err(self.stuck(term, RunErrorKind::DivisionByZero, message));
            }
            Arithmetic::Divide => (x.checked_div(y), "/"),
        };
        result.map(Value::Int).ok_or_else(|| {
            let message = format!("`{} {sign} {}` overflows `Int`", operand(x), operand(y));
            self.stuck(term, RunErrorKind::Overflow, message)
        })
    }

    pub(crate) fn negation(&self, term: TermId, operand: Value) -> Result<Value, Stuck> {
        match (&self.program.terms[term], operand) {
            (Term::Negate { number, .. }, Value::Int(x)) if *number == Number::Int => {
                x.checked_neg().map(Value::Int).ok_or_else(|| {
                    let message = format!("`-({x})` overflows `Int`");
                    self.stuck(term, RunErrorKind::Overflow, message)
                })
            }
            (Term::Negate { .. }, Value::Float(x)) => Ok(Value::Float(-x)),
            _ => Err(self.meaningless(term)),
        }
    }

    fn truth(&mut self, term: TermId, holds: bool) -> Result<Value, Stuck> {
        let known = &self.program.known;
        let constructor = if holds { known.true_ } else { known.false_ };
        let constructor = constructor.ok_or_else(|| self.meaningless(term))?;
        Ok(self.construct(constructor, Vec::new()))
    }

    /// An operator that is not written in Frank.
    pub(crate) fn builtin(
        &mut self,
        state: &mut State,
        term: TermId,
        builtin: Builtin,
        args: &[Value],
    ) -> Result<Value, Stuck> {
        let float = |f: fn(f64) -> f64, x: f64| Ok(Value::Float(f(x)));
        match (builtin, args) {
            (Builtin::EqualChars, [Value::Char(a), Value::Char(b)]) => self.truth(term, a == b),
            (Builtin::IsAlphaNum, [Value::Char(c)]) => self.truth(term, c.is_alphanumeric()),
            (Builtin::CharToInt, [Value::Char(c)]) => Ok(Value::Int(i64::from(u32::from(*c)))),
            (Builtin::IntToChar, [Value::Int(i)]) => {
                let c = u32::try_from(*i).ok().and_then(char::from_u32);
                c.map(Value::Char).ok_or_else(|| {
                    let message = format!("`intToChar` of {i}, which is no character");
                    self.stuck(term, RunErrorKind::Conversion, message)
                })
            }
            (Builtin::ToFloat, [Value::Int(i)]) => Ok(Value::Float(*i as f64)),
            (Builtin::Round, [Value::Float(x)]) => self.convert(term, builtin, *x, x.round()),
            (Builtin::Floor, [Value::Float(x)]) => self.convert(term, builtin, *x, x.floor()),
            (Builtin::Truncate, [Value::Float(x)]) => self.convert(term, builtin, *x, x.trunc()),
            (Builtin::ShowInt, [Value::Int(i)]) => self.text(term, &i.to_string()),
            (Builtin::ShowFloat, [Value::Float(x)]) => self.text(term, &show_float(*x)),
            (Builtin::Sin, [Value::Float(x)]) => float(libm::sin, *x),
            (Builtin::Cos, [Value::Float(x)]) => float(libm::cos, *x),
            (Builtin::Tan, [Value::Float(x)]) => float(libm::tan, *x),
            (Builtin::Asin, [Value::Float(x)]) => float(libm::asin, *x),
            (Builtin::Acos, [Value::Float(x)]) => float(libm::acos, *x),
            (Builtin::Atan, [Value::Float(x)]) => float(libm::atan, *x),
            (Builtin::Sinh, [Value::Float(x)]) => float(libm::sinh, *x),
            (Builtin::Cosh, [Value::Float(x)]) => float(libm::cosh, *x),
            (Builtin::Tanh, [Value::Float(x)]) => float(libm::tanh, *x),
            (Builtin::Exp, [Value::Float(x)]) => float(libm::exp, *x),
            (Builtin::Log, [Value::Float(x)]) => float(libm::log, *x),
            (Builtin::Sqrt, [Value::Float(x)]) => float(f64::sqrt, *x),
            (Builtin::Abs, [Value::Float(x)]) => float(f64::abs, *x),
            (Builtin::Pow, [Value::Float(x), Value::Float(y)]) => {
                Ok(Value::Float(libm::pow(*x, *y)))
            }
            (Builtin::IsNaN, [Value::Float(x)]) => self.truth(term, x.is_nan()),
            (
                Builtin::Array
                | Builtin::ToList
                | Builtin::Size
                | Builtin::At
                | Builtin::Set
                | Builtin::Fill
                | Builtin::Slice,
                _,
            ) => self.array(term, builtin, args),
            (
                Builtin::MapFloats
                | Builtin::ZipFloats
                | Builtin::ProductFloats
                | Builtin::StretchFloats
                | Builtin::SumFloats
                | Builtin::PermuteFloats
                | Builtin::GatherFloats
                | Builtin::ScatterFloats,
                _,
            ) => self.tensor(term, builtin, args),
            (
                Builtin::BitAnd
                | Builtin::BitOr
                | Builtin::BitXor
                | Builtin::ShiftLeft
                | Builtin::ShiftRight,
                [Value::Int(x), Value::Int(y)],
            ) => bits(builtin, *x, *y)
                .map(Value::Int)
                .map_err(|message| self.stuck(term, RunErrorKind::Conversion, message)),
            (Builtin::IsLetter, [Value::Char(c)]) => self.truth(term, c.is_alphabetic()),
            (Builtin::IsUpper, [Value::Char(c)]) => self.truth(term, c.is_uppercase()),
            (Builtin::IsLower, [Value::Char(c)]) => self.truth(term, c.is_lowercase()),
            (Builtin::IsSpace, [Value::Char(c)]) => self.truth(term, c.is_whitespace()),
            (Builtin::ToUpper, [text]) => {
                let upper = self.read_text(*text).to_uppercase();
                self.text(term, &upper)
            }
            (Builtin::ToLower, [text]) => {
                let lower = self.read_text(*text).to_lowercase();
                self.text(term, &lower)
            }
            (Builtin::FloatsOf, [text]) => {
                let number = parse_float(&self.read_text(*text)).map(Value::Float);
                let list = self.list(number.into_iter().collect());
                list.ok_or_else(|| self.meaningless(term))
            }
            (Builtin::ShowFloatTo, [Value::Int(digits), Value::Float(x)]) => {
                let text = show_float_to(*digits, *x);
                let text =
                    text.map_err(|message| self.stuck(term, RunErrorKind::Conversion, message))?;
                self.text(term, &text)
            }
            (Builtin::RunStaged, [graph, xs]) => {
                let results = self.run_staged(*graph, *xs);
                let results = results.ok_or_else(|| self.meaningless(term))?;
                let results = results.map_err(|reason| {
                    let message = format!("`runStaged`: {reason}");
                    self.stuck(term, RunErrorKind::Failed, message)
                })?;
                let results = results.into_iter().map(Value::Float).collect();
                self.list(results).ok_or_else(|| self.meaningless(term))
            }
            (Builtin::Fail, [text]) | (Builtin::FailAt, [_, text]) => {
                let message = failure(self.read_text(*text).chars());
                Err(self.stuck(term, RunErrorKind::Failed, message))
            }
            (Builtin::Hole, [text]) => {
                let message = self.read_text(*text);
                Err(self.stuck(term, RunErrorKind::Hole, message))
            }
            // Whoever steps through a program asks for no places.
            (Builtin::Origin, _) => Ok(Value::Int(0)),
            (Builtin::WrittenFor | Builtin::NoteNode | Builtin::NoteLine, _) => Ok(self.unit()),
            (Builtin::NewRun, _) => {
                state.runs += 1;
                Ok(Value::Int(state.runs))
            }
            (Builtin::ForeignNumber, _) => {
                let message = "a number of another derivative".to_owned();
                Err(self.stuck(term, RunErrorKind::Failed, message))
            }
            _ => Err(self.meaningless(term)),
        }
    }

    fn convert(&self, term: TermId, builtin: Builtin, x: f64, whole: f64) -> Result<Value, Stuck> {
        // 2^63 is a float, the largest `Int` is not.
        const LIMIT: f64 = 9_223_372_036_854_775_808.0;
        match (-LIMIT..LIMIT).contains(&whole) {
            true => Ok(Value::Int(whole as i64)),
            false => {
                let (name, shown) = (builtin.name(), show_float(x));
                let message = format!("`{name}` of {shown}, which no `Int` holds");
                Err(self.stuck(term, RunErrorKind::Conversion, message))
            }
        }
    }

    pub(crate) fn text(&mut self, term: TermId, text: &str) -> Result<Value, Stuck> {
        let list = self.list(text.chars().map(Value::Char).collect());
        list.ok_or_else(|| self.meaningless(term))
    }

    /// The characters of a list.
    fn read_text(&self, list: Value) -> String {
        let mut text = String::new();
        let mut rest = list;
        while let Some((Value::Char(c), tail)) = self.uncons(rest) {
            text.push(c);
            rest = tail;
        }
        text
    }
}

fn holds<N: PartialOrd>(operator: Comparison, x: &N, y: &N) -> bool {
    match operator {
        Comparison::Less => x < y,
        Comparison::Greater => x > y,
        Comparison::LessEqual => x <= y,
        Comparison::GreaterEqual => x >= y,
        Comparison::Equal => x == y,
        Comparison::NotEqual => x != y,
    }
}

/// An integer as an operand in a message.
fn operand(x: i64) -> String {
    match x < 0 {
        true => format!("({x})"),
        false => x.to_string(),
    }
}
