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
    pub text: String,
}

/// Where a text begins in the cell that it stands in, in bytes.
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
            let moved = offset.min(part.end) - part.start + origin.at;
            moved.min(origin.cell.text.len())
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
            let (name, text) = (name.to_owned(), text.to_owned());
            Arc::new(Cell { name, text })
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
}
