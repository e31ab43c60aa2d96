//! Arrays: a new one for each that differs, so that states stay as they are.

use frank_core::{Builtin, TermId};
use frank_interpreter::{RunErrorKind, arrays};

use crate::rules::{Semantics, Stuck};
use crate::state::{Data, Value};

/// The most items of an array that somebody steps through.
pub(crate) const MOST: i64 = 1 << 20;

impl Semantics<'_> {
    /// An operator on arrays.
    pub(crate) fn array(
        &mut self,
        term: TermId,
        builtin: Builtin,
        args: &[Value],
    ) -> Result<Value, Stuck> {
        let failed = |message: String| self.stuck(term, RunErrorKind::Failed, message);
        match (builtin, args) {
            (Builtin::Array, [list]) => {
                let mut items = Vec::new();
                let mut rest = *list;
                while let Some((item, tail)) = self.uncons(rest) {
                    items.push(item);
                    rest = tail;
                }
                Ok(self.array_of(items))
            }
            (Builtin::ToList, [Value::Array(id)]) => {
                let items = self.store.data[*id].args.clone();
                self.list(items).ok_or_else(|| self.meaningless(term))
            }
            (Builtin::Size, [Value::Array(id)]) => {
                Ok(Value::Int(self.store.data[*id].args.len() as i64))
            }
            (Builtin::At, [Value::Int(index), Value::Array(id)]) => {
                let items = &self.store.data[*id].args;
                let item = usize::try_from(*index).ok().and_then(|i| items.get(i));
                let missing = || failed(arrays::no_item("at", *index, items.len()));
                item.copied().ok_or_else(missing)
            }
            (Builtin::Set, [Value::Int(index), item, Value::Array(id)]) => {
                let mut items = self.store.data[*id].args.clone();
                let size = items.len();
                match usize::try_from(*index).ok().and_then(|i| items.get_mut(i)) {
                    Some(place) => *place = *item,
                    None => return Err(failed(arrays::no_item("set", *index, size))),
                }
                Ok(self.array_of(items))
            }
            (Builtin::Fill, [Value::Int(size), item]) => match *size {
                0..=MOST => {
                    let size = usize::try_from(*size).unwrap_or_default();
                    Ok(self.array_of(vec![*item; size]))
                }
                ..0 => Err(failed(arrays::no_size(*size))),
                _ => {
                    let message = "an array of more items than can be stepped through";
                    Err(self.stuck(term, RunErrorKind::Memory, message.to_owned()))
                }
            },
            (Builtin::Slice, [Value::Int(from), Value::Int(count), Value::Array(id)]) => {
                let items = &self.store.data[*id].args;
                let range = arrays::part(*from, *count, items.len());
                match range.and_then(|range| items.get(range)) {
                    Some(part) => {
                        let part = part.to_vec();
                        Ok(self.array_of(part))
                    }
                    None => Err(failed(arrays::no_part(*from, *count, items.len()))),
                }
            }
            _ => Err(self.meaningless(term)),
        }
    }

    pub(crate) fn array_of(&mut self, items: Vec<Value>) -> Value {
        Value::Array(self.store.data.alloc(Data {
            constructor: None,
            args: items,
        }))
    }
}
