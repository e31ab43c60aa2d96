//! Where evaluation can be stopped: the terms that begin on a line, and how terms contain each other.

use std::collections::BTreeMap;

use frank_core::{OperatorBody, OperatorId, Program, Term, TermId};
use frank_syntax::outline::{OutlineKind, split};
use frank_syntax::visible::visible;

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
    /// For each file: the terms that are outermost where they begin, by the offsets at which they do, with those at
    /// which they end.
    outermost: Vec<BTreeMap<u32, (TermId, u32)>>,
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
                file.entry(place.start).or_insert((term, place.end));
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
        all.flat_map(move |file| {
            let here = file.range(from as u32..to as u32);
            here.map(|(_, (term, _))| *term)
        })
    }

    /// The innermost of the terms that begin behind an offset and have another one in them.
    fn around(&self, file: usize, from: usize, at: usize) -> Option<TermId> {
        let begun = self.outermost.get(file)?.range(from as u32..=at as u32);
        let mut holding = begun.rev().filter(|(_, (_, end))| at < *end as usize);
        holding.next().map(|(_, (term, _))| *term)
    }

    /// The term at which a breakpoint of a line, or of a column in it, stops: the first that begins there; else the
    /// first that begins on one of the next lines. It does not leave an operator that the run does not reach. Lines and
    /// columns count from 0.
    ///
    /// # Errors
    /// There is none: why, in a few words.
    pub fn at(
        &self,
        file: usize,
        text: &Text,
        line: usize,
        column: Option<usize>,
    ) -> Result<TermId, String> {
        let from = text.offset(line, column.unwrap_or(0));
        let end = text.offset(line + 1, 0).max(from);
        let is_in_word = text.is_word(from);
        let start = text.offset(line, 0);
        let around = || self.around(file, start, from);
        let here = match column {
            Some(_) if is_in_word => around(),
            _ => None,
        };
        let here = here.or_else(|| self.between(file, from, end).next());
        let whole = || self.between(file, text.offset(line, 0), end).last();
        if let Some(term) = here.or_else(|| column.and_then(|_| whole())) {
            return Ok(term);
        }
        let items = split(&text.source.text).into_iter();
        let evaluated = items.filter(|item| {
            let is_evaluated = matches!(item.kind, OutlineKind::Clause | OutlineKind::Other);
            is_evaluated && item.range.end > from
        });
        for item in evaluated {
            let mut later = self.between(file, end.max(item.range.start), item.range.end.max(end));
            if let Some(term) = later.next() {
                return Ok(term);
            }
            let is_reached = self.between(file, item.range.start, item.range.end).next();
            if let (None, Some(name)) = (is_reached, item.name) {
                let name = visible(name.as_str());
                return Err(format!("the run does not reach `{name}`"));
            }
        }
        Err("nothing is evaluated on this line or below it".to_owned())
    }
}
