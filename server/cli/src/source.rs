//! Texts with their lines.

use std::ops::Range;

use frank_syntax::lines::line_starts;

use crate::origins::{Cell, Origins};
use crate::output::visible_name;

/// A place in a text as people count: both from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// A range as people count, and as objects have it; `end` is the first position behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Positions {
    pub start: Position,
    pub end: Position,
}

/// Where the texts come from that places of a program are in.
pub trait Texts {
    /// The text of a file, given as the core has it; nothing where it is not known.
    fn source(&self, path: &str) -> Option<Source>;

    /// Where parts of the texts come from, if some were put together.
    fn origins(&self) -> Option<&Origins> {
        None
    }
}

/// A text that findings point into.
#[derive(Debug)]
pub struct Source {
    /// The file's name in messages.
    pub name: String,
    /// The file's name as analysis knows it.
    pub key: String,
    pub text: String,
    /// Where each line begins, in bytes.
    lines: Vec<usize>,
    ascii: bool,
}

const BYTE_ORDER_MARK: char = '\u{feff}';

impl Source {
    pub fn new(name: String, key: String, text: String) -> Source {
        let lines = line_starts(&text);
        let ascii = text.is_ascii();
        Source {
            name,
            key,
            text,
            lines,
            ascii,
        }
    }

    /// The number of a cell's text among sources, to which it is added where it is not yet one.
    pub fn of_cell(sources: &mut Vec<Source>, cell: &Cell) -> usize {
        let is_known = |source: &Source| source.key == cell.name && source.text == cell.text;
        sources.iter().position(is_known).unwrap_or_else(|| {
            // No file has its key.
            let (name, key) = (cell.name.clone(), cell.name.clone());
            sources.push(Source::new(name, key, cell.text.clone()));
            sources.len() - 1
        })
    }

    /// The file's name as it can be shown to people.
    pub fn shown(&self) -> String {
        visible_name(&self.name)
    }

    /// The index, from 0, of the line that an offset is in.
    pub fn line(&self, offset: usize) -> usize {
        self.lines
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// The bytes of a line, without its line break and without a byte order mark.
    pub fn line_range(&self, line: usize) -> Range<usize> {
        let start = self.lines.get(line).copied().unwrap_or(self.text.len());
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..end).unwrap_or_default();
        let shorter = text
            .trim_end_matches(['\r', '\n'])
            .trim_start_matches(BYTE_ORDER_MARK);
        let start = start
            + if text.starts_with(BYTE_ORDER_MARK) {
                BYTE_ORDER_MARK.len_utf8()
            } else {
                0
            };
        start..start + shorter.len()
    }

    /// Where a range of bytes is.
    pub fn positions(&self, range: Range<usize>) -> Positions {
        Positions {
            start: self.position(range.start),
            end: self.position(range.end),
        }
    }

    pub fn position(&self, offset: usize) -> Position {
        let line = self.line(offset);
        let start = self.line_range(line).start.min(offset);
        let column = if self.ascii {
            offset - start
        } else {
            self.text
                .get(start..offset)
                .unwrap_or_default()
                .chars()
                .count()
        };
        Position {
            line: line + 1,
            column: column + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = Source::new(
            String::new(),
            String::new(),
            "\u{feff}aä→b\r\nc\n".to_owned(),
        );
        let at = |offset| {
            let Position { line, column } = source.position(offset);
            (line, column)
        };
        assert_eq!(
            [at(3), at(4), at(6), at(9), at(10), at(12), at(13), at(14)],
            [
                (1, 1),
                (1, 2),
                (1, 3),
                (1, 4),
                (1, 5),
                (2, 1),
                (2, 2),
                (3, 1)
            ]
        );
        assert_eq!(source.line_range(0), 3..10);
        assert_eq!(source.line_range(1), 12..13);
        assert_eq!(source.line_range(2), 14..14);
    }
}

/// A range of bytes of a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceRange {
    /// An index into the sources of some findings.
    pub source: usize,
    pub start: usize,
    pub end: usize,
}
