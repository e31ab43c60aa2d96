//! Where lines begin and end: behind `\n`, `\r\n`, and a `\r` on its own, as the protocol of editors
//! has it.

use std::borrow::Cow;
use std::ops::Range;

use crate::outline::TextSource;

/// Where each line of a text begins, in bytes; the first at 0.
pub fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    std::iter::once(0)
        .chain(ends.map(|(at, _)| at + 1))
        .collect()
}

/// Whether the byte at a place of a text is a `\r` on its own; `after` is what follows the text.
fn is_lone(bytes: &[u8], at: usize, after: Option<u8>) -> bool {
    bytes.get(at) == Some(&b'\r') && bytes.get(at + 1).copied().or(after) != Some(b'\n')
}

/// Where a text has a `\r` on its own.
pub fn lone_returns(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    (0..bytes.len()).filter(|at| is_lone(bytes, *at, None))
}

/// A text with `\n` in the place of every `\r` on its own, so that all lines end with `\n` and nothing
/// stands anywhere else. What reads programs reads such a text.
pub fn unified(text: &str) -> Cow<'_, str> {
    unified_before(Cow::Borrowed(text), || None)
}

/// As [`unified`], for a part of a text; `after` is the byte behind it, and is asked if that matters.
fn unified_before(text: Cow<'_, str>, after: impl FnOnce() -> Option<u8>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let after = bytes
        .last()
        .filter(|last| **last == b'\r')
        .and_then(|_| after());
    if !(0..bytes.len()).any(|at| is_lone(bytes, at, after)) {
        return text;
    }
    let characters = text.char_indices();
    let unified = characters.map(|(at, c)| if is_lone(bytes, at, after) { '\n' } else { c });
    Cow::Owned(unified.collect())
}

/// A text that is read as [`unified`], whatever it is kept in.
pub struct Unified<'t, T: ?Sized>(pub &'t T);

impl<T: TextSource + ?Sized> Unified<'_, T> {
    /// The bytes that change with an edit of some: a `\r` before them may have been on its own, or be so
    /// now.
    pub fn edited(&self, edited: Range<usize>) -> Range<usize> {
        match edited.start.checked_sub(1) {
            Some(before) if self.0.slice(before..edited.start) == "\r" => before..edited.end,
            _ => edited,
        }
    }
}

impl<T: TextSource + ?Sized> TextSource for Unified<'_, T> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        let end = range.end;
        let after = || self.0.slice(end..end + 1).bytes().next();
        unified_before(self.0.slice(range), after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_break_counts_once() {
        assert_eq!(line_starts("a\nb\r\nc\rd\r\r\n"), [0, 2, 5, 7, 9, 11]);
        assert_eq!(line_starts(""), [0]);
        assert_eq!(unified("a\nb\r\nc\rd\r\r\n\r"), "a\nb\r\nc\nd\n\r\n\n");
        assert!(matches!(unified("ä\r\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_part_of_a_text_is_read_as_in_the_whole() {
        let text = "a\rb\r\nc\r";
        let whole = unified(text);
        let parts = Unified(text);
        for end in 0..=text.len() {
            for start in 0..=end {
                assert_eq!(parts.slice(start..end), whole[start..end], "{start}..{end}");
            }
        }
        // What is behind a `\r` decides on it.
        assert_eq!((parts.edited(2..2), parts.edited(1..2)), (1..2, 1..2));
    }
}
