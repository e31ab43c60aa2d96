//! The texts of a program, with lines and columns as a client counts them.

use std::path::{Path, PathBuf};

use frank_core::{FileId, Place};
use frank_syntax::lines::line_starts;

use crate::programs::Source;

/// How a client counts lines and columns.
#[derive(Debug, Clone, Copy)]
pub struct Counting {
    pub first_line: i64,
    pub first_column: i64,
}

/// A range as the client counts it; columns in UTF-16 units, the end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub line: i64,
    pub column: i64,
    pub end_line: i64,
    pub end_column: i64,
}

/// A text with the places of its lines.
pub struct Text {
    pub source: Source,
    starts: Vec<usize>,
}

impl Text {
    /// The line of an offset, from 0.
    pub fn line(&self, offset: usize) -> usize {
        let before = self.starts.partition_point(|start| *start <= offset);
        before.saturating_sub(1)
    }

    /// The column of an offset, from 0, in UTF-16 units.
    fn column(&self, offset: usize) -> i64 {
        let start = self.starts.get(self.line(offset)).copied().unwrap_or(0);
        let before = self.source.text.get(start..offset).unwrap_or_default();
        before.encode_utf16().count() as i64
    }

    /// The offset of a column, in UTF-16 units from 0, of a line; the end of the line if it is shorter.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.starts.get(line).copied();
        let start = start.unwrap_or(self.source.text.len());
        let end = self.starts.get(line + 1).copied();
        let end = end.unwrap_or(self.source.text.len());
        let text = self.source.text.get(start..end).unwrap_or_default();
        let mut units = 0;
        for (at, c) in text.char_indices() {
            if units >= column {
                return start + at;
            }
            units += c.len_utf16();
        }
        end
    }

    /// Whether something stands at an offset, not a blank.
    pub fn is_word(&self, offset: usize) -> bool {
        let rest = self.source.text.get(offset..).unwrap_or_default();
        rest.chars().next().is_some_and(|c| !c.is_whitespace())
    }

    pub fn span(&self, place: Place, counting: Counting) -> Span {
        let (start, end) = (place.start as usize, place.end as usize);
        Span {
            line: self.line(start) as i64 + counting.first_line,
            column: self.column(start) + counting.first_column,
            end_line: self.line(end) as i64 + counting.first_line,
            end_column: self.column(end) + counting.first_column,
        }
    }
}

/// All texts, by the files of the program.
pub struct Texts {
    texts: Vec<Text>,
}

impl Texts {
    pub fn new(sources: Vec<Source>) -> Texts {
        let texts = sources.into_iter().map(|source| Text {
            starts: line_starts(&source.text),
            source,
        });
        Texts {
            texts: texts.collect(),
        }
    }

    pub fn of(&self, file: FileId) -> Option<&Text> {
        self.texts.get(file.into_raw().into_u32() as usize)
    }

    pub fn all(&self) -> impl Iterator<Item = (usize, &Text)> {
        self.texts.iter().enumerate()
    }

    /// The number of the file at a path, which may be written in another way.
    pub fn at(&self, path: &Path) -> Option<usize> {
        let whole = |path: &Path| std::fs::canonicalize(path).ok();
        let asked = whole(path);
        let is = |own: &PathBuf| own == path || (asked.is_some() && whole(own) == asked);
        let mut texts = self.texts.iter();
        texts.position(|text| text.source.path.as_ref().is_some_and(is))
    }
}
