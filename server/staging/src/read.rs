//! Reads a graph as a value of the library's type `Graph` is printed.

use std::fmt;

use crate::graph::{Binary, Graph, Line, Operand, Unary};

/// Where a text is not the value of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// In bytes from the beginning.
    pub at: usize,
    pub expected: &'static str,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the value of a graph has {} at byte {}",
            self.expected, self.at
        )
    }
}

impl std::error::Error for ReadError {}

/// Parentheses and commas say nothing that the order of words does not say.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn skip(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_filling = |byte: &&u8| b" \t\n\r(),".contains(byte);
        self.at += rest.iter().take_while(is_filling).count();
    }

    fn word(&mut self) -> &'a str {
        self.skip();
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_end = |byte: u8| b" \t\n\r(),[]".contains(&byte);
        let end = rest.bytes().position(is_end).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn error<T>(&self, expected: &'static str) -> Result<T, ReadError> {
        Err(ReadError {
            at: self.at,
            expected,
        })
    }

    fn bracket(&mut self, bracket: u8) -> bool {
        self.skip();
        let there = self.text.as_bytes().get(self.at) == Some(&bracket);
        self.at += usize::from(there);
        there
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, ReadError> {
        match self.word().parse() {
            Ok(number) => Ok(number),
            Err(_) => self.error("a number"),
        }
    }

    fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError> {
        if !self.bracket(b'[') {
            return self.error("a list");
        }
        let mut all = Vec::new();
        while !self.bracket(b']') {
            all.push(item(self)?);
        }
        Ok(all)
    }

    fn operand(&mut self) -> Result<Operand, ReadError> {
        match self.word() {
            "inputOf" => Ok(Operand::Input(self.number()?)),
            "lineOf" => Ok(Operand::Line(self.number()?)),
            "numberOf" => Ok(Operand::Number(self.number()?)),
            _ => self.error("an operand"),
        }
    }

    fn unary(&mut self) -> Result<Unary, ReadError> {
        let name = self.word();
        match name {
            "powIntE" => return Ok(Unary::PowInt(self.number()?)),
            "powRealE" => return Ok(Unary::PowReal(self.number()?)),
            _ => {}
        }
        match Unary::plain(name) {
            Some(unary) => Ok(unary),
            None => self.error("an operation of one operand"),
        }
    }

    fn binary(&mut self) -> Result<Binary, ReadError> {
        match Binary::named(self.word()) {
            Some(binary) => Ok(binary),
            None => self.error("an operation of two operands"),
        }
    }

    fn line(&mut self) -> Result<Line, ReadError> {
        match self.word() {
            "line1" => Ok(Line::One(self.unary()?, self.operand()?)),
            "line2" => Ok(Line::Two(self.binary()?, self.operand()?, self.operand()?)),
            _ => self.error("a line"),
        }
    }
}

impl Graph {
    /// Reads a value of the library's type `Graph`, as a run prints it.
    ///
    /// # Errors
    /// It is none, or a line needs a later one; with the place.
    pub fn read(text: &str) -> Result<Graph, ReadError> {
        let mut words = Words { text, at: 0 };
        if words.word() != "graphOf" {
            return words.error("`graphOf`");
        }
        let (inputs, initial) = (words.number()?, words.number()?);
        let lines = words.list(Words::line)?;
        let results = words.list(Words::operand)?;
        match Graph::new(inputs, initial, lines, results) {
            Ok(graph) => Ok(graph),
            Err(_) => words.error("lines that need earlier ones alone"),
        }
    }
}
