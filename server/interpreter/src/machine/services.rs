//! What the machine does itself: the host's commands, builtins, matches that fail.
#![allow(clippy::indexing_slicing)] // Every index is one that the compile phase made.

use frank_core::Builtin;

use super::Machine;
use super::run::Next;
use crate::code::{NONE, Service, StaticArg, StaticValue, WINDOW};
use crate::error::{RunErrorKind, Stop};
use crate::heap::OutOfMemory;
use crate::host::Input;
use crate::math;
use crate::numbers;
use crate::print;
use crate::text;
use crate::value::Value;

/// So many bytes of a text are made a list between two looks at the limits.
const PIECE: usize = 1 << 16;

impl Machine<'_> {
    /// Answers a command that nobody in the program handles, with its arguments in the window.
    /// The host has one instance of each of its interfaces.
    pub(super) fn serve(&mut self, command: u32, instance: u32) -> Result<Value, Box<Stop>> {
        let service = self.code.commands[command as usize].service;
        let first = self.registers[WINDOW as usize];
        if instance > 0 {
            return Err(self.unhandled(command));
        }
        match service {
            Service::Read => {
                let value = self.heap.dup(self.heap.get(first.handle(), 0));
                self.heap.drop(first);
                Ok(value)
            }
            Service::Write => {
                let value = self.registers[WINDOW as usize + 1];
                let old = self.heap.get(first.handle(), 0);
                self.heap.set(first.handle(), 0, value);
                self.heap.drop(old);
                self.heap.drop(first);
                Ok(self.code.words.unit)
            }
            Service::New => Ok(self.new_cell(first)?),
            Service::Ouch => {
                let c = first.as_char();
                self.print(c.len_utf8() as u64)?;
                self.host.ouch(c).map_err(host_failed)?;
                Ok(self.code.words.unit)
            }
            Service::Ouint => {
                let i = self.heap.as_int(first);
                self.print(i.to_string().len() as u64)?;
                self.host.ouint(i).map_err(host_failed)?;
                self.heap.drop(first);
                Ok(self.code.words.unit)
            }
            Service::Inch => match self.host.inch() {
                Input::Char(c) => Ok(Value::char(c)),
                Input::End => Err(Stop::new(
                    RunErrorKind::EndOfInput,
                    "`inch` at the end of the input",
                )),
                Input::Cancelled => Err(interrupted()),
                Input::Failed(message) => Err(host_failed(message)),
            },
            Service::Picture(kind) => self.draw(kind),
            Service::Outside(asked) => self.ask(asked),
            Service::None => Err(self.unhandled(command)),
        }
    }

    /// A cell that holds a value.
    #[inline(always)]
    pub(super) fn new_cell(&mut self, value: Value) -> Result<Value, OutOfMemory> {
        let cell = self.heap.alloc(1, 0)?;
        self.heap.set(cell, 0, value);
        self.heap.count_reference();
        Ok(Value::reference(cell))
    }

    #[cold]
    fn unhandled(&self, command: u32) -> Box<Stop> {
        let name = self
            .code
            .command_names
            .get(command as usize)
            .map_or("", String::as_str);
        let interface = self.code.commands[command as usize].interface;
        let interface = self
            .code
            .interfaces
            .get(interface as usize)
            .map_or("", String::as_str);
        let message = format!("nobody handles the command `{name}` of `{interface}` here");
        Stop::new(RunErrorKind::Unhandled, message)
    }

    fn print(&mut self, bytes: u64) -> Result<(), Box<Stop>> {
        if let Some(limit) = self.limits.output
            && self.printed + bytes > limit
        {
            return Err(Stop::new(
                RunErrorKind::Output,
                "the output limit is reached",
            ));
        }
        self.printed += bytes;
        Ok(())
    }

    /// No clause matches: `abort`, if that is handled here, and an error otherwise.
    #[cold]
    pub(super) fn fail(&mut self, id: u32, site: u32) -> Result<Next, Box<Stop>> {
        let code = self.code;
        let failed = &code.failed_matches[id as usize];
        if let Some(abort) = code.abort {
            let interface = code.commands[abort as usize].interface;
            if self.find(interface, 0, self.visible).is_ok() {
                for operand in &failed.values {
                    if operand.flag() {
                        self.heap.drop(self.registers[operand.register()]);
                    }
                }
                if site != NONE {
                    self.push_frame(site)?;
                }
                return self.perform(abort, 0, self.visible, 0);
            }
        }
        let name = code
            .names
            .get(failed.operator as usize)
            .map_or("", String::as_str);
        let values: Vec<String> = failed
            .values
            .iter()
            .map(|operand| self.show_unknown(self.registers[operand.register()]))
            .collect();
        let message = format!("no clause of `{name}` matches");
        Err(Stop::with(RunErrorKind::NoMatch, message, values))
    }

    /// A built-in operator. Its arguments are looked at only; behind them stands anything.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        args: [Value; Builtin::MOST_ARGUMENTS],
    ) -> Result<Value, Box<Stop>> {
        let [a, b, c] = args;
        let float = |f: fn(f64) -> f64| Value::float(f(a.as_float()));
        let truth = |holds: bool| match holds {
            true => self.code.words.true_,
            false => self.code.words.false_,
        };
        Ok(match builtin {
            Builtin::Case => {
                return Err(Stop::new(
                    RunErrorKind::Internal,
                    "`case` is no instruction",
                ));
            }
            Builtin::EqualChars => truth(a == b),
            Builtin::IsAlphaNum => truth(a.as_char().is_alphanumeric()),
            Builtin::Sin => float(math::sin),
            Builtin::Cos => float(math::cos),
            Builtin::Tan => float(math::tan),
            Builtin::Exp => float(math::exp),
            Builtin::Log => float(math::log),
            Builtin::Sqrt => float(f64::sqrt),
            Builtin::Tanh => float(math::tanh),
            Builtin::Pow => Value::float(math::pow(a.as_float(), b.as_float())),
            Builtin::Abs => float(f64::abs),
            Builtin::IsNaN => truth(a.as_float().is_nan()),
            Builtin::Asin => float(math::asin),
            Builtin::Acos => float(math::acos),
            Builtin::Atan => float(math::atan),
            Builtin::Sinh => float(math::sinh),
            Builtin::Cosh => float(math::cosh),
            Builtin::ToFloat => Value::float(self.heap.as_int(a) as f64),
            Builtin::Round => self.convert(builtin, a, f64::round)?,
            Builtin::Floor => self.convert(builtin, a, f64::floor)?,
            Builtin::Truncate => self.convert(builtin, a, f64::trunc)?,
            Builtin::ShowInt => {
                let text = self.heap.as_int(a).to_string();
                self.string(&text)?
            }
            Builtin::ShowFloat => self.string(&frank_staging::show_float(a.as_float()))?,
            Builtin::CharToInt => Value::small_int(a.code_point() as u64),
            Builtin::IntToChar => {
                let i = self.heap.as_int(a);
                match u32::try_from(i).ok().and_then(char::from_u32) {
                    Some(c) => Value::char(c),
                    None => {
                        let message = format!("`intToChar` of {i}, which is no character");
                        let values = vec![i.to_string()];
                        return Err(Stop::with(RunErrorKind::Conversion, message, values));
                    }
                }
            }
            Builtin::Array => self.array_of(a)?,
            Builtin::ToList => self.list_of(a)?,
            Builtin::Size => self.heap.int(self.heap.items(a).len() as i64)?,
            Builtin::At => self.item_at(a, b)?,
            Builtin::Set => self.with_item(a, b, c)?,
            Builtin::Fill => self.filled(a, b)?,
            Builtin::Slice => self.part_of(a, b, c)?,
            Builtin::MapFloats
            | Builtin::ZipFloats
            | Builtin::ProductFloats
            | Builtin::StretchFloats
            | Builtin::SumFloats
            | Builtin::PermuteFloats
            | Builtin::GatherFloats
            | Builtin::ScatterFloats => self.tensor(builtin, args)?,
            Builtin::BitAnd
            | Builtin::BitOr
            | Builtin::BitXor
            | Builtin::ShiftLeft
            | Builtin::ShiftRight => {
                let (x, y) = (self.heap.as_int(a), self.heap.as_int(b));
                match numbers::bits(builtin, x, y) {
                    Ok(result) => self.heap.int(result)?,
                    Err(message) => {
                        let values = vec![x.to_string(), y.to_string()];
                        return Err(Stop::with(RunErrorKind::Conversion, message, values));
                    }
                }
            }
            Builtin::IsLetter => truth(a.as_char().is_alphabetic()),
            Builtin::IsUpper => truth(a.as_char().is_uppercase()),
            Builtin::IsLower => truth(a.as_char().is_lowercase()),
            Builtin::IsSpace => truth(a.as_char().is_whitespace()),
            Builtin::ToUpper => {
                let text: String = print::chars(&self.heap, a).collect();
                self.string(&text.to_uppercase())?
            }
            Builtin::ToLower => {
                let text: String = print::chars(&self.heap, a).collect();
                self.string(&text.to_lowercase())?
            }
            Builtin::FloatsOf => {
                let text: String = print::chars(&self.heap, a).collect();
                match text::parse_float(&text) {
                    Some(number) => {
                        let words = self.code.words;
                        let one = [Value::float(number), words.nil];
                        Value::constructed(words.cons_tag, self.heap.object(&one, words.cons)?)
                    }
                    None => self.code.words.nil,
                }
            }
            Builtin::ShowFloatTo => {
                let digits = self.heap.as_int(a);
                match text::show_float_to(digits, b.as_float()) {
                    Ok(text) => self.string(&text)?,
                    Err(message) => {
                        let values = vec![digits.to_string()];
                        return Err(Stop::with(RunErrorKind::Conversion, message, values));
                    }
                }
            }
            Builtin::RunStaged => self.run_staged(a, b)?,
            Builtin::Fail => {
                let message = print::failure(print::chars(&self.heap, a));
                return Err(Stop::new(RunErrorKind::Failed, message));
            }
            Builtin::FailAt => {
                let message = print::failure(print::chars(&self.heap, b));
                let mut stop = Stop::new(RunErrorKind::Failed, message);
                stop.caller = self.waiting_in_program(a);
                return Err(stop);
            }
            Builtin::Hole => {
                let message: String = print::chars(&self.heap, a).collect();
                return Err(Stop::new(RunErrorKind::Hole, message));
            }
            Builtin::Origin => {
                let mark = self.origin();
                self.heap.int(mark)?
            }
            Builtin::WrittenFor => self.note(|origins, heap| origins.write_for(heap.as_int(a))),
            Builtin::NoteNode => self.note(|origins, heap| origins.node(heap.as_int(a))),
            Builtin::NoteLine => {
                self.note(|origins, heap| origins.line(heap.as_int(a), heap.as_int(b)))
            }
            Builtin::NewRun => {
                let mark = self.runs.begin(self.call_in_program());
                self.heap.int(mark)?
            }
            Builtin::ForeignNumber => {
                let (own, other) = (self.heap.as_int(a), self.heap.as_int(b));
                return Err(self.runs.foreign(own, other));
            }
        })
    }

    fn convert(
        &mut self,
        builtin: Builtin,
        x: Value,
        f: fn(f64) -> f64,
    ) -> Result<Value, Box<Stop>> {
        let x = x.as_float();
        match numbers::exact_int(f(x)) {
            Some(i) => Ok(self.heap.int(i)?),
            None => {
                let shown = frank_staging::show_float(x);
                let name = builtin.name();
                let message = format!("`{name}` of {shown}, which no `Int` holds");
                Err(Stop::with(RunErrorKind::Conversion, message, vec![shown]))
            }
        }
    }

    // --- constants that are objects ---

    /// A copy of a constant that no word holds, made if this is its first use.
    #[inline(always)]
    pub(super) fn static_value(&mut self, id: u32) -> Result<Value, OutOfMemory> {
        let value = self.statics[id as usize];
        if value.is_bottom() {
            return self.make_static(id);
        }
        Ok(self.heap.dup(value))
    }

    #[cold]
    fn make_static(&mut self, id: u32) -> Result<Value, OutOfMemory> {
        let code = self.code;
        // What a constant consists of is made before it.
        let mut wanted = vec![id];
        while let Some(id) = wanted.last().copied() {
            let StaticValue::Construct { args, .. } = &code.statics[id as usize] else {
                break;
            };
            let missing = args.iter().find_map(|arg| match arg {
                StaticArg::Static(id) if self.statics[*id as usize].is_bottom() => Some(*id),
                _ => None,
            });
            match missing {
                Some(missing) => wanted.push(missing),
                None => break,
            }
        }
        while let Some(id) = wanted.pop() {
            if !self.statics[id as usize].is_bottom() {
                continue;
            }
            let value = match &code.statics[id as usize] {
                StaticValue::String(s) => self.string(s)?,
                StaticValue::Wide(i) => self.heap.int(*i)?,
                StaticValue::Closure { function } => {
                    Value::closure(self.heap.object(&[], *function)?)
                }
                StaticValue::Construct { constructor, args } => {
                    let missing = args.iter().find_map(|arg| match arg {
                        StaticArg::Static(id) if self.statics[*id as usize].is_bottom() => {
                            Some(*id)
                        }
                        _ => None,
                    });
                    if let Some(missing) = missing {
                        wanted.push(id);
                        wanted.push(missing);
                        continue;
                    }
                    let mut words = Vec::with_capacity(args.len());
                    for arg in args {
                        words.push(match arg {
                            StaticArg::Constant(value) => *value,
                            StaticArg::Static(id) => self.heap.dup(self.statics[*id as usize]),
                        });
                    }
                    let tag = code.constructors[*constructor as usize].tag;
                    Value::constructed(tag, self.heap.object(&words, *constructor)?)
                }
            };
            self.statics[id as usize] = value;
        }
        Ok(self.heap.dup(self.statics[id as usize]))
    }

    /// A text as a list of characters.
    pub(super) fn string(&mut self, text: &str) -> Result<Value, OutOfMemory> {
        let nil = self.code.words.nil;
        self.string_before(text, nil)
    }

    /// A text from outside as a list of characters: it can be long, so the limits hold meanwhile.
    pub(super) fn long_string(&mut self, text: &str) -> Result<Value, Box<Stop>> {
        let mut list = self.code.words.nil;
        let mut rest = text;
        while !rest.is_empty() {
            self.check_limits()?;
            let cut = rest.floor_char_boundary(rest.len().saturating_sub(PIECE));
            let (before, piece) = rest.split_at(cut);
            list = self.string_before(piece, list)?;
            rest = before;
        }
        Ok(list)
    }

    /// The characters of a text in front of a list.
    fn string_before(&mut self, text: &str, mut list: Value) -> Result<Value, OutOfMemory> {
        let words = self.code.words;
        for c in text.chars().rev() {
            let cell = self.heap.object(&[Value::char(c), list], words.cons)?;
            list = Value::constructed(words.cons_tag, cell);
        }
        Ok(list)
    }
}

/// The run ends because the user does not want it to go on.
#[cold]
pub(super) fn interrupted() -> Box<Stop> {
    Stop::new(RunErrorKind::Cancelled, "the run was interrupted")
}

#[cold]
pub(super) fn host_failed(message: String) -> Box<Stop> {
    Stop::new(RunErrorKind::Host, message)
}
