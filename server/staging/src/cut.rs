//! Cuts a graph into parts that compilers take: what later parts need is kept in numbered slots.

use std::ops::Range;

use crate::graph::{Graph, Operand};

/// So many operations a function has at most. Compilers take time that grows faster than the length.
pub(crate) const LONGEST: usize = 1_000;

/// A graph in parts.
pub(crate) struct Cut {
    /// The lines of each part, in order; one at least.
    pub parts: Vec<Range<usize>>,
    /// For each line the slot that keeps it for later parts, if they need it.
    slots: Vec<Option<u32>>,
    /// How many slots there are.
    pub size: usize,
}

impl Cut {
    /// Cuts a graph into parts of at most `longest` lines. A slot is used again once no later part needs what is
    /// in it.
    pub fn new(graph: &Graph, longest: usize) -> Cut {
        let count = graph.lines().len();
        let longest = longest.max(1);
        let parts: Vec<Range<usize>> = match count {
            0 => std::iter::once(0..0).collect(),
            _ => (0..count)
                .step_by(longest)
                .map(|start| start..count.min(start + longest))
                .collect(),
        };
        let mut last: Vec<usize> = (0..count).map(|line| line / longest).collect();
        for (i, line) in graph.lines().iter().enumerate() {
            for operand in line.operands() {
                if let Operand::Line(of) = operand
                    && let Some(last) = last.get_mut(of)
                {
                    *last = (*last).max(i / longest);
                }
            }
        }
        let mut slots = vec![None; count];
        let mut free = Vec::new();
        let mut ending: Vec<Vec<u32>> = vec![Vec::new(); parts.len()];
        let mut size = 0u32;
        for (part, lines) in parts.iter().enumerate() {
            for line in lines.clone() {
                let Some(last) = last.get(line).copied().filter(|last| *last > part) else {
                    continue;
                };
                let slot = free.pop().unwrap_or_else(|| {
                    size += 1;
                    size - 1
                });
                if let (Some(own), Some(ending)) = (slots.get_mut(line), ending.get_mut(last)) {
                    *own = Some(slot);
                    ending.push(slot);
                }
            }
            free.extend(ending.get_mut(part).map(std::mem::take).unwrap_or_default());
        }
        Cut {
            parts,
            slots,
            size: size as usize,
        }
    }

    /// The slot that keeps a line for later parts.
    pub fn slot(&self, line: usize) -> Option<u32> {
        self.slots.get(line).copied().flatten()
    }
}

/// The results that are ready after each line, and those that need no line.
pub(crate) struct Ready {
    at: Vec<(usize, usize)>,
    /// Results that are inputs or numbers, with their places.
    pub without: Vec<(usize, Operand)>,
}

impl Ready {
    pub fn new(graph: &Graph) -> Ready {
        let mut at = Vec::new();
        let mut without = Vec::new();
        for (place, result) in graph.results().iter().enumerate() {
            match *result {
                Operand::Line(line) => at.push((line, place)),
                other => without.push((place, other)),
            }
        }
        at.sort_unstable();
        Ready { at, without }
    }

    /// The places of the results that a line is.
    pub fn after(&self, line: usize) -> impl Iterator<Item = usize> {
        let start = self.at.partition_point(|(of, _)| *of < line);
        let rest = self.at.get(start..).unwrap_or_default().iter();
        rest.take_while(move |(of, _)| *of == line)
            .map(|(_, place)| *place)
    }
}
