//! Staged programs: a graph of the library's `ad-stage` is made flat once, and kept for the next run of it.

#![allow(clippy::indexing_slicing)] // A graph that is run has been put at the front.

use std::ops::Range;

use frank_staging::{Binary, Flat, Graph, Line, Operand, Unary, WrongPoint};

use super::Machine;
use crate::backend::GraphCode;
use crate::error::{RunErrorKind, Stop};
use crate::heap::OutOfMemory;
use crate::value::Value;

/// So many operations of a graph count as one step.
const OPERATIONS: usize = 16;

/// Machine code is made of so many operations at once: between two such parts the machine looks at its limits.
const PART: usize = 1000;

/// So many graphs are kept.
const MOST: usize = 8;

/// The flat graphs that are kept.
#[derive(Default)]
pub(super) struct Staged {
    /// What was run last comes first.
    kept: Vec<Kept>,
    /// The bytes that they take.
    bytes: usize,
    /// The most that they have taken, which the heap does not get back.
    pub granted: usize,
}

/// A flat graph, and what it was made of. It owns these values, so nothing else can get their handles. The outer
/// constructor may be another one at each run, so it does not count.
struct Kept {
    key: Key,
    flat: Flat,
    /// How often it was run.
    runs: u64,
    /// Machine code for its first operations, a part each. It counts to no limit, as that of functions does not.
    parts: Vec<Box<dyn GraphCode>>,
    /// Whether there may be machine code for more.
    can_have_more: bool,
}

impl Kept {
    /// Computes all operations, by machine code as far as there is some.
    fn compute(&mut self) {
        self.runs += 1;
        let numbers = self.flat.numbers();
        let computed = self.parts.iter().take_while(|part| part.compute(numbers));
        let computed = computed.count() * PART;
        self.flat.compute_from(computed);
    }

    /// The operations that machine code is to be made of next.
    fn next_part(&self, runs: u64) -> Option<Range<usize>> {
        let first = self.parts.len() * PART;
        let all = self.flat.operations();
        let wanted = self.can_have_more && self.runs >= runs && first < all;
        wanted.then(|| first..all.min(first + PART))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    inputs: i64,
    initial: i64,
    lines: Value,
    results: Value,
}

fn failed(what: impl std::fmt::Display) -> Box<Stop> {
    Stop::new(RunErrorKind::Failed, format!("`runStaged`: {what}"))
}

impl Machine<'_> {
    /// The results of a graph for a list of numbers; both are looked at only.
    pub(super) fn run_staged(&mut self, graph: Value, xs: Value) -> Result<Value, Box<Stop>> {
        let field = |i| self.heap.get(graph.handle(), i);
        let key = Key {
            inputs: self.heap.as_int(field(0)),
            initial: self.heap.as_int(field(1)),
            lines: field(2),
            results: field(3),
        };
        match self.staged.kept.iter().position(|kept| kept.key == key) {
            Some(0) => {}
            Some(place) => self.staged.kept[..=place].rotate_right(1),
            None => self.keep_flat(key)?,
        }
        let kept = &mut self.staged.kept[0];
        let flat = &mut kept.flat;
        let (mut count, mut rest) = (0, xs);
        while rest.is_constructed() {
            let words = self.heap.slice(rest.handle(), 2);
            let (first, others) = (Value(words[0]), Value(words[1]));
            flat.set(count, first.as_float());
            count += 1;
            rest = others;
        }
        if count != flat.inputs() {
            return Err(failed(WrongPoint {
                numbers: count,
                inputs: flat.inputs(),
            }));
        }
        kept.compute();
        let flat = &kept.flat;
        self.owed += (flat.operations() / OPERATIONS) as u64;
        let words = self.code.words;
        let mut list = words.nil;
        for i in (0..flat.results()).rev() {
            let cell = self.heap.alloc(2, words.cons)?;
            let cons = self.heap.slice_mut(cell, 2);
            cons[0] = Value::float(flat.result(i)).0;
            cons[1] = list.0;
            list = Value::constructed(words.cons_tag, cell);
        }
        Ok(list)
    }

    /// Makes machine code of a part of a graph that was run often.
    pub(super) fn compile_graph(&mut self) {
        let Some(backend) = &mut self.backend else {
            return;
        };
        let runs = backend.runs_of_graph();
        let mut kept = self.staged.kept.iter_mut();
        let next = kept.find_map(|kept| kept.next_part(runs).map(|part| (kept, part)));
        if let Some((kept, part)) = next {
            match backend.graph(&kept.flat, part) {
                Some(code) => kept.parts.push(code),
                None => kept.can_have_more = false,
            }
        }
    }

    /// Makes a graph flat, and keeps it before the others.
    fn keep_flat(&mut self, key: Key) -> Result<(), Box<Stop>> {
        // What nothing but this list of graphs has is never run again.
        let heap = &self.heap;
        let is_dead = |value: Value| value.is_pointer() && heap.is_unique(value.handle());
        let (dead, alive): (Vec<Kept>, Vec<Kept>) = std::mem::take(&mut self.staged.kept)
            .into_iter()
            .partition(|kept| is_dead(kept.key.lines) || is_dead(kept.key.results));
        self.staged.kept = alive;
        dead.into_iter().for_each(|kept| self.forget(kept));
        while self.staged.kept.len() >= MOST {
            self.forget_last();
        }
        // Its size is known before it is made. A line has at most two numbers of its own.
        let (lines, results) = (self.length(key.lines), self.length(key.results));
        let numbers = lines
            .saturating_mul(3)
            .saturating_add(usize::try_from(key.inputs).unwrap_or_default());
        let most = Flat::bytes_for(lines, numbers, results);
        let graph = lines.saturating_mul(size_of::<Line>());
        while !self.has_room(most.saturating_add(graph)) {
            if self.staged.kept.is_empty() {
                return Err(OutOfMemory.into());
            }
            self.forget_last();
        }
        let flat = Flat::new(&self.graph(key)?).ok_or(OutOfMemory)?;
        self.staged.bytes += flat.bytes();
        self.staged.granted = self.staged.granted.max(self.staged.bytes);
        self.account();
        for value in [key.lines, key.results] {
            self.heap.dup(value);
        }
        let kept = Kept {
            key,
            flat,
            runs: 0,
            parts: Vec::new(),
            can_have_more: true,
        };
        self.staged.kept.insert(0, kept);
        Ok(())
    }

    fn forget_last(&mut self) {
        if let Some(last) = self.staged.kept.pop() {
            self.forget(last);
        }
    }

    fn forget(&mut self, kept: Kept) {
        self.staged.bytes -= kept.flat.bytes();
        for value in [kept.key.lines, kept.key.results] {
            self.heap.drop(value);
        }
    }

    /// Whether so many bytes more stay within the limit.
    pub(super) fn has_room(&self, more: usize) -> bool {
        let wanted = self.staged.bytes.saturating_add(more);
        let used = self.heap.bytes() + self.outside_heap() - self.staged.granted;
        wanted <= self.staged.granted || used.saturating_add(wanted) <= self.limits.memory
    }

    pub(super) fn length(&self, list: Value) -> usize {
        self.items(list).count()
    }

    pub(super) fn items(&self, list: Value) -> impl Iterator<Item = Value> {
        let cell = |list: Value| list.is_constructed().then_some(list);
        let cells = std::iter::successors(cell(list), move |list| {
            cell(self.heap.get(list.handle(), 1))
        });
        cells.map(|list| self.heap.get(list.handle(), 0))
    }

    /// A graph, as the library's types say it.
    fn graph(&self, key: Key) -> Result<Graph, Box<Stop>> {
        let size = |number: i64, what: &str| {
            usize::try_from(number).map_err(|_| failed(format!("a graph has no {number} {what}")))
        };
        let lines: Result<Vec<Line>, _> =
            self.items(key.lines).map(|line| self.line(line)).collect();
        let results: Result<Vec<Operand>, _> = self
            .items(key.results)
            .map(|one| self.operand(one))
            .collect();
        let initial = size(key.initial, "lines of the initial program")?;
        Graph::new(size(key.inputs, "inputs")?, initial, lines?, results?).map_err(failed)
    }

    pub(super) fn name_of(&self, value: Value) -> &str {
        let constructor = self
            .code
            .constructors
            .get(self.constructor_of(value) as usize);
        constructor.map_or("", |constructor| &constructor.name)
    }

    fn line(&self, line: Value) -> Result<Line, Box<Stop>> {
        let field = |i| self.heap.get(line.handle(), i);
        match self.name_of(line) {
            "line1" => Ok(Line::One(self.unary(field(0))?, self.operand(field(1))?)),
            _ => {
                let binary = Binary::named(self.name_of(field(0))).ok_or_else(unknown)?;
                let (x, y) = (self.operand(field(1))?, self.operand(field(2))?);
                Ok(Line::Two(binary, x, y))
            }
        }
    }

    pub(super) fn unary(&self, unary: Value) -> Result<Unary, Box<Stop>> {
        match self.name_of(unary) {
            "powIntE" => {
                let exponent = self.heap.get(unary.handle(), 0);
                Ok(Unary::PowInt(self.heap.as_int(exponent)))
            }
            "powRealE" => {
                let exponent = self.heap.get(unary.handle(), 0);
                Ok(Unary::PowReal(exponent.as_float()))
            }
            name => Unary::plain(name).ok_or_else(unknown),
        }
    }

    fn operand(&self, operand: Value) -> Result<Operand, Box<Stop>> {
        let field = self.heap.get(operand.handle(), 0);
        let place = |what: &str| {
            let place = self.heap.as_int(field);
            usize::try_from(place).map_err(|_| failed(format!("there is no {what} {place}")))
        };
        match self.name_of(operand) {
            "inputOf" => Ok(Operand::Input(place("input")?)),
            "lineOf" => Ok(Operand::Line(place("line")?)),
            _ => Ok(Operand::Number(field.as_float())),
        }
    }
}

#[cold]
pub(super) fn unknown() -> Box<Stop> {
    Stop::new(
        RunErrorKind::Internal,
        "an operation of `ad` that is unknown",
    )
}
