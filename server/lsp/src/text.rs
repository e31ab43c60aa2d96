//! Positions in texts, and edits of texts.
//!
//! The protocol counts lines and columns, in the unit that client and server agreed on; the rest
//! of the server counts bytes. Nothing here fails: a position outside the text means the nearest
//! one inside.

use std::borrow::Cow;
use std::ops::Range;

use frank_syntax::outline::TextSource;
use ropey::{Rope, str_utils};
use tower_lsp::ls_types as lsp;

/// The unit of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units; what the protocol means if nothing else is agreed on.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The cheapest unit of those that a client offers.
    pub fn negotiate(offered: Option<&[lsp::PositionEncodingKind]>) -> Encoding {
        let offers = |kind: lsp::PositionEncodingKind| {
            offered.is_some_and(|offered| offered.contains(&kind))
        };
        if offers(lsp::PositionEncodingKind::UTF8) {
            Encoding::Utf8
        } else if offers(lsp::PositionEncodingKind::UTF32) {
            Encoding::Utf32
        } else {
            Encoding::Utf16
        }
    }

    /// The protocol's word for the unit.
    pub fn kind(self) -> lsp::PositionEncodingKind {
        match self {
            Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
            Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
            Encoding::Utf32 => lsp::PositionEncodingKind::UTF32,
        }
    }

    /// The length of a text in this unit.
    pub fn length(self, text: &str) -> u32 {
        let length = match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        };
        narrow(length)
    }

    /// The byte offset of a position: in a line that is too short its end, before the line break;
    /// in a text that is too short its end; inside of a character the character's start.
    pub fn offset(self, text: &Rope, position: lsp::Position) -> usize {
        let line = position.line as usize;
        if line >= text.len_lines() {
            return text.len_bytes();
        }
        let start = text.line_to_char(line);
        let end = content_end(text, line);
        let column = position.character as usize;
        let char = match self {
            Encoding::Utf8 => {
                let byte = text.char_to_byte(start).saturating_add(column);
                text.byte_to_char(byte.min(text.len_bytes()))
            }
            Encoding::Utf16 => {
                let unit = text.char_to_utf16_cu(start).saturating_add(column);
                text.utf16_cu_to_char(unit.min(text.len_utf16_cu()))
            }
            Encoding::Utf32 => start.saturating_add(column),
        };
        text.char_to_byte(char.min(end))
    }

    /// The position of a byte offset, which is taken back to the start of its character and to
    /// the end of the text.
    pub fn position(self, text: &Rope, offset: usize) -> lsp::Position {
        let offset = offset.min(text.len_bytes());
        let (chunk, start, _, lines) = text.chunk_at_byte(offset);
        let end = chunk.floor_char_boundary(offset - start);
        let breaks = str_utils::byte_to_line_idx(chunk, end);
        // Nearly always the line begins in the same piece of the text: then no other one is looked for.
        if let Some(line) = chunk.get(str_utils::line_to_byte_idx(chunk, breaks)..end)
            && breaks > 0
        {
            return lsp::Position::new(narrow(lines + breaks), self.length(line));
        }
        let char = text.byte_to_char(offset);
        let line = text.char_to_line(char);
        let start = text.line_to_char(line);
        let column = match self {
            Encoding::Utf8 => text.char_to_byte(char) - text.char_to_byte(start),
            Encoding::Utf16 => text.char_to_utf16_cu(char) - text.char_to_utf16_cu(start),
            Encoding::Utf32 => char - start,
        };
        lsp::Position::new(narrow(line), narrow(column))
    }

    /// The byte range of a protocol range, whichever of its ends comes first.
    pub fn byte_range(self, text: &Rope, range: lsp::Range) -> Range<usize> {
        let start = self.offset(text, range.start);
        let end = self.offset(text, range.end);
        start.min(end)..start.max(end)
    }

    /// The protocol range of a byte range.
    pub fn range(self, text: &Rope, range: Range<usize>) -> lsp::Range {
        lsp::Range::new(
            self.position(text, range.start),
            self.position(text, range.end),
        )
    }
}

/// The index of the first character of a line's break, or of its end if it has none.
fn content_end(text: &Rope, line: usize) -> usize {
    let start = text.line_to_char(line);
    if line + 1 >= text.len_lines() {
        return text.len_chars();
    }
    let mut end = text.line_to_char(line + 1);
    while end > start && matches!(text.get_char(end - 1), Some('\n' | '\r')) {
        end -= 1;
    }
    end
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The bytes `old` of a text were replaced by `new_length` bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub old: Range<usize>,
    pub new_length: usize,
}

impl Edit {
    /// Where an offset of the old text is in the new one. What was replaced becomes the start of
    /// what replaced it.
    pub fn moved(&self, offset: usize) -> usize {
        if offset >= self.old.end && !(self.old.is_empty() && offset == self.old.start) {
            offset - self.old.len() + self.new_length
        } else {
            offset.min(self.old.start)
        }
    }
}

/// Puts `new` in the place of a byte range and gives what changed: nothing but the part in which
/// old and new differ, or `None` if there is no such part.
pub fn replace(text: &mut Rope, range: Range<usize>, new: &str) -> Option<Edit> {
    let (range, new) = trim(text, range, new);
    if range.is_empty() && new.is_empty() {
        return None;
    }
    let chars = text.byte_to_char(range.start)..text.byte_to_char(range.end);
    text.remove(chars.clone());
    text.insert(chars.start, new);
    Some(Edit {
        old: range,
        new_length: new.len(),
    })
}

/// Takes from both ends what an edit leaves as it was. Editors send whole documents after an undo
/// or a format, and the words that stay must keep what is known about them.
fn trim<'n>(text: &Rope, range: Range<usize>, new: &'n str) -> (Range<usize>, &'n str) {
    let old = text.byte_slice(range.clone());
    let mut start = 0;
    for chunk in old.chunks() {
        let same = common_prefix(
            chunk.as_bytes(),
            new.as_bytes().get(start..).unwrap_or_default(),
        );
        start += same;
        if same < chunk.len() {
            break;
        }
    }
    while !new.is_char_boundary(start) || !is_boundary(text, range.start + start) {
        start -= 1;
    }
    let most = old.len_bytes().min(new.len()) - start;
    let mut end = 0;
    let (mut chunks, _, _, _) = old.chunks_at_byte(old.len_bytes());
    // At the end of the slice the iterator stands on or behind the last chunk.
    while chunks.next().is_some() {}
    while let Some(chunk) = chunks.prev() {
        let rest = new
            .as_bytes()
            .get(start..new.len() - end)
            .unwrap_or_default();
        let same = common_suffix(chunk.as_bytes(), rest).min(most - end);
        end += same;
        if same < chunk.len() {
            break;
        }
    }
    while !new.is_char_boundary(new.len() - end) || !is_boundary(text, range.end - end) {
        end -= 1;
    }
    let new = new.get(start..new.len() - end).unwrap_or_default();
    (range.start + start..range.end - end, new)
}

fn is_boundary(text: &Rope, byte: usize) -> bool {
    byte <= text.len_bytes() && text.char_to_byte(text.byte_to_char(byte)) == byte
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    a.iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count()
}

/// A rope as analysis reads it.
pub struct RopeText<'r>(pub &'r Rope);

impl TextSource for RopeText<'_> {
    fn len(&self) -> usize {
        self.0.len_bytes()
    }

    fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        match self.0.get_byte_slice(range) {
            Some(slice) => slice.into(),
            None => Cow::Borrowed(""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(line: u32, character: u32) -> lsp::Position {
        lsp::Position::new(line, character)
    }

    #[test]
    fn columns_count_in_the_negotiated_unit() {
        let text = Rope::from_str("a\n∂𝒳x\r\nlast");
        for (encoding, before_x) in [
            (Encoding::Utf8, 7),
            (Encoding::Utf16, 3),
            (Encoding::Utf32, 2),
        ] {
            assert_eq!(encoding.position(&text, 9), at(1, before_x), "{encoding:?}");
            assert_eq!(encoding.offset(&text, at(1, before_x)), 9, "{encoding:?}");
            assert_eq!(
                encoding.offset(&text, at(1, 99)),
                10,
                "{encoding:?}: before the break"
            );
            assert_eq!(
                encoding.offset(&text, at(9, 0)),
                16,
                "{encoding:?}: past the end"
            );
            assert_eq!(encoding.position(&text, 16), at(2, 4), "{encoding:?}");
        }
        assert_eq!(
            Encoding::Utf16.offset(&text, at(1, 2)),
            5,
            "inside of a surrogate pair"
        );
        assert_eq!(
            Encoding::Utf8.offset(&text, at(1, 5)),
            5,
            "inside of a character"
        );
    }

    #[test]
    fn only_the_protocols_line_breaks_break_lines() {
        let text = Rope::from_str("a\u{2028}b\u{b}c\rd\r\ne");
        assert_eq!(text.len_lines(), 3);
    }

    #[test]
    fn a_whole_document_is_reduced_to_what_differs() {
        let mut text = Rope::from_str("first\nsecond\nthird\n");
        let length = text.len_bytes();
        let edit = replace(&mut text, 0..length, "first\nseceend\nthird\n");
        assert_eq!(
            edit,
            Some(Edit {
                old: 9..10,
                new_length: 2
            })
        );
        let length = text.len_bytes();
        assert_eq!(
            replace(&mut text, 0..length, "first\nseceend\nthird\n"),
            None
        );
    }

    #[test]
    fn offsets_follow_edits() {
        let edit = Edit {
            old: 4..6,
            new_length: 5,
        };
        assert_eq!(
            [3, 4, 5, 6, 7].map(|offset| edit.moved(offset)),
            [3, 4, 4, 9, 10]
        );
        let insertion = Edit {
            old: 4..4,
            new_length: 2,
        };
        assert_eq!([3, 4, 5].map(|offset| insertion.moved(offset)), [3, 4, 7]);
    }

    fn text() -> impl Strategy<Value = String> {
        proptest::collection::vec(
            prop_oneof![
                Just("a"),
                Just("b"),
                Just("∂"),
                Just("𝒳"),
                Just("é"),
                Just("\n"),
                Just("\r\n")
            ],
            0..40,
        )
        .prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn replacing_is_what_a_string_does(old in text(), new in text(), from in 0usize..40, to in 0usize..40) {
            let boundary = |mut byte: usize| {
                byte = byte.min(old.len());
                while !old.is_char_boundary(byte) { byte -= 1; }
                byte
            };
            let (from, to) = (boundary(from), boundary(to));
            let range = from.min(to)..from.max(to);
            let mut expected = old.clone();
            expected.replace_range(range.clone(), &new);
            let mut rope = Rope::from_str(&old);
            let edit = replace(&mut rope, range, &new);
            prop_assert_eq!(rope.to_string(), expected.clone());
            let same = old == expected;
            prop_assert_eq!(edit.is_none(), same);
            if let Some(edit) = edit {
                prop_assert_eq!(old.len() - edit.old.len() + edit.new_length, expected.len());
                prop_assert_eq!(&old[..edit.old.start], &expected[..edit.old.start]);
            }
        }

        #[test]
        fn a_position_counts_the_lines_and_columns_before(text in text(), times in 1usize..200) {
            let text = text.repeat(times);
            let rope = Rope::from_str(&text);
            for (offset, _) in text.char_indices().step_by(1 + times / 4) {
                let inside_break = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                let before = &text[..offset - usize::from(inside_break)];
                let unified = before.replace("\r\n", "\n").replace('\r', "\n");
                let lines: Vec<&str> = unified.split('\n').collect();
                let line = u32::try_from(lines.len() - 1).unwrap();
                let column = lines.last().unwrap().chars().map(char::len_utf16).sum::<usize>();
                let column = u32::try_from(column).unwrap() + u32::from(inside_break);
                prop_assert_eq!(Encoding::Utf16.position(&rope, offset), lsp::Position::new(line, column));
            }
        }

        #[test]
        fn positions_and_offsets_agree(text in text()) {
            let rope = Rope::from_str(&text);
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                for (offset, _) in text.char_indices() {
                    let position = encoding.position(&rope, offset);
                    let back = encoding.offset(&rope, position);
                    // The middle of a line break is no place of its own.
                    let inside_break = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                    prop_assert_eq!(back, if inside_break { offset - 1 } else { offset });
                }
            }
        }
    }
}
