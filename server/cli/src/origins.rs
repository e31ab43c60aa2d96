//! Where the parts of a text come from that was put together: a session's file consists of what stands in a notebook's
//! cells, and what is said of it is to be read there.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A text that others have parts of.
#[derive(Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its name in messages.
    pub name: String,
    /// As it was written.
    pub text: String,
    /// Where the lines begin of what is read of it, and where that is in the text: blanks may be left out before them,
    /// and line breaks that take two bytes.
    lines: Vec<(usize, usize)>,
}

impl Cell {
    /// A cell with the lines that are read of its text, each with where it begins there. Each is read with a line
    /// break of one byte.
    #[cfg(any(test, feature = "kernel"))]
    pub fn new<'l>(
        name: String,
        text: &str,
        lines: impl Iterator<Item = (usize, &'l str)>,
    ) -> Cell {
        let mut read = 0;
        let lines = lines.map(|(written, line)| {
            let start = read;
            read += line.len() + 1;
            (start, written)
        });
        Cell {
            name,
            lines: lines.collect(),
            text: text.to_owned(),
        }
    }

    /// Where it is written what is read from an offset on.
    fn written(&self, read: usize) -> usize {
        let after = self.lines.partition_point(|(start, _)| *start <= read);
        let line = self.lines.get(..after).and_then(<[_]>::last);
        let written = line.map_or(read, |(start, written)| written + (read - start));
        written.min(self.text.len())
    }
}

/// Where a text begins in what is read of the cell that it stands in, in bytes.
#[derive(Debug, Clone)]
pub struct InCell {
    pub cell: Arc<Cell>,
    pub at: usize,
}

impl InCell {
    /// The origin of what stands so many bytes behind it.
    pub fn behind(&self, bytes: usize) -> InCell {
        InCell {
            cell: self.cell.clone(),
            at: self.at + bytes,
        }
    }
}

/// The origins of parts of texts.
#[derive(Debug, Default)]
pub struct Origins {
    /// By the key of a text, its parts and where each begins in a cell.
    parts: HashMap<String, Vec<(Range<usize>, InCell)>>,
}

impl Origins {
    /// Says where all parts of a text come from.
    pub fn set(&mut self, key: &str, parts: Vec<(Range<usize>, InCell)>) {
        self.parts.insert(key.to_owned(), parts);
    }

    /// The cell that a range of a text comes from, and the range in that; it ends with the part in which it begins.
    pub fn of(&self, key: &str, range: &Range<usize>) -> Option<(&Arc<Cell>, Range<usize>)> {
        let parts = self.parts.get(key)?;
        let inside = |(part, _): &&(Range<usize>, InCell)| {
            part.contains(&range.start) || part.start == range.start
        };
        let (part, origin) = parts.iter().find(inside)?;
        let moved = |offset: usize| {
            origin
                .cell
                .written(offset.min(part.end) - part.start + origin.at)
        };
        let end = range.end.max(range.start);
        Some((&origin.cell, moved(range.start)..moved(end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_together_is_found_where_it_was_written() {
        let cell = |name: &str, text: &str| {
            let lines = text.split_inclusive('\n').scan(0, |at, line| {
                let start = *at;
                *at += line.len();
                Some((start, line.trim_end()))
            });
            Arc::new(Cell::new(name.to_owned(), text, lines))
        };
        let (one, two) = (cell("one", "a\nb\n"), cell("two", "\n\nc\nd"));
        let origin = |cell: &Arc<Cell>, at| InCell {
            cell: cell.clone(),
            at,
        };
        let mut origins = Origins::default();
        // The first line of the text is nobody's, and the last line break is not in the cell.
        let parts = vec![(2..4, origin(&one, 2)), (4..8, origin(&two, 2))];
        origins.set("x\nb\nc\nd\n", parts);
        let found = |range: Range<usize>| {
            let found = origins.of("x\nb\nc\nd\n", &range);
            found.map(|(cell, range)| (cell.name.clone(), range))
        };
        assert_eq!(found(0..1), None);
        assert_eq!(found(2..3), Some(("one".to_owned(), 2..3)));
        assert_eq!(found(6..7), Some(("two".to_owned(), 4..5)));
        assert_eq!(found(6..8), Some(("two".to_owned(), 4..5)));
        assert_eq!(found(2..7), Some(("one".to_owned(), 2..4)));
        assert_eq!(origins.of("y", &(2..3)), None);
    }

    #[test]
    fn what_is_not_read_is_passed_over() {
        let cell = Cell::new(
            "one".to_owned(),
            "  a\r\n    b",
            [(2, "a"), (7, "  b")].into_iter(),
        );
        let at = 0;
        let mut origins = Origins::default();
        let origin = InCell {
            cell: Arc::new(cell),
            at,
        };
        origins.set("a\n  b\n", vec![(0..6, origin)]);
        let found = |range: Range<usize>| Some(origins.of("a\n  b\n", &range)?.1);
        assert_eq!(found(0..1), Some(2..3));
        assert_eq!(found(4..5), Some(9..10));
        assert_eq!(found(5..6), Some(10..10));
    }
}
