//! Files, input by lines, arguments and clocks: read from the heap, then the host's.

#![allow(clippy::indexing_slicing)] // The commands have at most two arguments in the window.

use frank_core::Outside;

use super::Machine;
use super::services::{host_failed, interrupted};
use crate::code::WINDOW;
use crate::error::Stop;
use crate::heap::OutOfMemory;
use crate::host::{Input, Reply, Request};
use crate::print;
use crate::value::Value;

/// A text with so many bytes for each byte of the memory would not fit as a list: each of its characters has four bytes
/// at most, and takes 24 there at least.
const LIST_OF_TEXT: usize = 6;

impl Machine<'_> {
    /// Answers a command that asks something of the surroundings, whose arguments are in the window.
    pub(super) fn ask(&mut self, asked: Outside) -> Result<Value, Box<Stop>> {
        let plain = asked.tried().unwrap_or(asked);
        let texts = match plain {
            Outside::NextLine => return self.next_line(),
            Outside::ReadAll => return self.read_all(),
            Outside::ReadFile | Outside::FileExists | Outside::ListFolder => 1,
            Outside::WriteFile | Outside::AppendFile => 2,
            _ => 0,
        };
        let mut given = [String::new(), String::new()];
        for (i, text) in given.iter_mut().enumerate().take(texts) {
            let value = self.registers[WINDOW as usize + i];
            *text = print::chars(&self.heap, value).collect();
            self.heap.drop(value);
        }
        let [path, text] = given;
        let request = Request {
            asked: plain,
            path,
            text,
        };
        let reply = self.host.answer(&request, self.longest_text());
        let words = self.code.words;
        match reply {
            Ok(reply) if plain == asked => self.replied(reply),
            Ok(reply) => {
                let given = self.replied(reply)?;
                let right = self.heap.object(&[given], words.right)?;
                Ok(Value::constructed(words.right_tag, right))
            }
            Err(reason) if plain == asked => Err(host_failed(reason)),
            Err(reason) => {
                let reason = self.string(&reason)?;
                let left = self.heap.object(&[reason], words.left)?;
                Ok(Value::constructed(words.left_tag, left))
            }
        }
    }

    /// What a command gives that is answered so.
    fn replied(&mut self, reply: Reply) -> Result<Value, Box<Stop>> {
        Ok(match reply {
            Reply::Unit => self.code.words.unit,
            Reply::Truth(true) => self.code.words.true_,
            Reply::Truth(false) => self.code.words.false_,
            Reply::Number(number) => Value::float(number),
            Reply::Text(text) => self.long_string(&text)?,
            Reply::Texts(texts) => self.strings(&texts)?,
            Reply::TooLong => return Err(OutOfMemory.into()),
        })
    }

    /// So many bytes a text may have before it is known that its list does not fit the memory.
    fn longest_text(&self) -> usize {
        self.limits.memory / LIST_OF_TEXT
    }

    fn next_line(&mut self) -> Result<Value, Box<Stop>> {
        let Some(line) = self.read_until(Some('\n'))? else {
            return Ok(self.code.words.nothing);
        };
        let line = self.string(line.strip_suffix('\r').unwrap_or(&line))?;
        let words = self.code.words;
        Ok(Value::constructed(
            words.just_tag,
            self.heap.object(&[line], words.just)?,
        ))
    }

    fn read_all(&mut self) -> Result<Value, Box<Stop>> {
        let text = self.read_until(None)?.unwrap_or_default();
        self.long_string(&text)
    }

    /// The input to a character, which is no part of it, or to the end; nothing if it is at its end.
    fn read_until(&mut self, last: Option<char>) -> Result<Option<String>, Box<Stop>> {
        let mut text = String::new();
        loop {
            match self.host.inch() {
                Input::Char(c) if Some(c) == last => return Ok(Some(text)),
                Input::Char(c) => text.push(c),
                Input::End => return Ok((!text.is_empty()).then_some(text)),
                Input::Cancelled => return Err(interrupted()),
                Input::Failed(message) => return Err(host_failed(message)),
            }
            if text.len() > self.longest_text() {
                return Err(OutOfMemory.into());
            }
        }
    }

    /// Texts as a list of lists of characters.
    fn strings(&mut self, texts: &[String]) -> Result<Value, OutOfMemory> {
        let words = self.code.words;
        let mut list = words.nil;
        for text in texts.iter().rev() {
            let text = self.string(text)?;
            let cell = self.heap.object(&[text, list], words.cons)?;
            list = Value::constructed(words.cons_tag, cell);
        }
        Ok(list)
    }
}
