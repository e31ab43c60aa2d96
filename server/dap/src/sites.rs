//! Where evaluation can be stopped: the terms that begin on a line, and how terms contain each other.

use std::collections::BTreeMap;

use frank_core::{OperatorBody, OperatorId, Program, Term, TermId};

use crate::texts::Text;

/// Of a term: the body that it belongs to, and its place in the order in which that body is gone through.
#[derive(Debug, Clone, Copy, Default)]
struct Extent {
    enter: u32,
    exit: u32,
}

/// The terms of a program, by how they contain each other.
pub struct Sites {
    extents: Vec<Extent>,
    /// For each file: the terms that are outermost where they begin, by the offsets at which they do.
    outermost: Vec<BTreeMap<u32, TermId>>,
}

pub fn raw(term: TermId) -> usize {
    term.into_raw().into_u32() as usize
}

impl Sites {
    pub fn new(program: &Program) -> Sites {
        let mut sites = Sites {
            extents: vec![Extent::default(); program.terms.len()],
            outermost: vec![BTreeMap::new(); program.files.len()],
        };
        let mut clock = 0;
        for (_, operator) in program.operators.iter() {
            if let OperatorBody::Handler(handler) = &operator.body {
                for clause in &handler.clauses {
                    sites.body(program, clause.body, &mut clock);
                }
            }
        }
        for term in program.terms.values() {
            if let Term::Thunk(handler) = term {
                for clause in &handler.clauses {
                    sites.body(program, clause.body, &mut clock);
                }
            }
        }
        for entry in &program.entries {
            sites.body(program, entry.term, &mut clock);
        }
        sites
    }

    /// Goes through a body, those of suspended computations in it left out.
    fn body(&mut self, program: &Program, root: TermId, clock: &mut u32) {
        let mut waiting = vec![(root, true)];
        while let Some((term, enters)) = waiting.pop() {
            *clock += 1;
            let Some(extent) = self.extents.get_mut(raw(term)) else {
                continue;
            };
            if !enters {
                extent.exit = *clock;
                continue;
            }
            extent.enter = *clock;
            waiting.push((term, false));
            if let Some(place) = program.places.get(term)
                && let Some(file) = self
                    .outermost
                    .get_mut(place.file.into_raw().into_u32() as usize)
            {
                // What is around comes first.
                file.entry(place.start).or_insert(term);
            }
            let first = waiting.len();
            program.direct_parts(term, &mut |part| waiting.push((part, true)));
            waiting.get_mut(first..).unwrap_or_default().reverse();
        }
    }

    /// Whether a term is a part of another one, or that one.
    pub fn contains(&self, around: TermId, part: TermId) -> bool {
        let of = |term: TermId| self.extents.get(raw(term)).copied().unwrap_or_default();
        let (around, part) = (of(around), of(part));
        around.enter <= part.enter && part.exit <= around.exit && part.enter > 0
    }

    /// Whether a term belongs to a clause of an operator itself, not to a suspended computation in it.
    pub fn is_in_clause(&self, program: &Program, operator: OperatorId, term: TermId) -> bool {
        match &program.operators[operator].body {
            OperatorBody::Handler(handler) => {
                let mut bodies = handler.clauses.iter().map(|clause| clause.body);
                bodies.any(|body| self.contains(body, term))
            }
            OperatorBody::Builtin(_) => false,
        }
    }

    /// The terms that begin between two offsets of a file, from left to right.
    pub fn between(&self, file: usize, from: usize, to: usize) -> impl Iterator<Item = TermId> {
        let all = self.outermost.get(file).into_iter();
        all.flat_map(move |file| file.range(from as u32..to as u32).map(|(_, term)| *term))
    }

    /// The term at which a breakpoint of a line, or of a column in it, stops: the first that begins there; else the
    /// first that begins on one of the next lines. Lines and columns count from 0.
    pub fn at(
        &self,
        file: usize,
        text: &Text,
        line: usize,
        column: Option<usize>,
    ) -> Option<TermId> {
        let from = text.offset(line, column.unwrap_or(0));
        let end = text.offset(line + 1, 0).max(from);
        let here = self.between(file, from, end).next();
        let whole = || self.between(file, text.offset(line, 0), end).last();
        let later = || self.between(file, end, u32::MAX as usize).next();
        here.or_else(|| column.and_then(|_| whole())).or_else(later)
    }
}
