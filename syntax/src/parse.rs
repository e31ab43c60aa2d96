//! Parses one item.

use std::ops::Range;

use text_size::{TextRange, TextSize};

use crate::ast::{Item, ItemKind, SourceMap};
use crate::cst::Tree;
use crate::diagnose::{self, Diagnosis};
use crate::error::{Replacement, SyntaxError, SyntaxErrorKind};
use crate::repair::HOLE;
use crate::token::{Cutter, TokenKind};
use crate::{lower, token};

/// What parsing an item gives: all of it, always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedItem {
    pub item: Item,
    pub source_map: SourceMap,
    pub errors: Vec<SyntaxError>,
}

/// What a text is to be parsed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Item,
    Term,
}

impl Entry {
    /// The first token of such a text for the parser.
    fn marker(self) -> TokenKind {
        match self {
            Entry::Item => TokenKind::ItemMarker,
            Entry::Term => TokenKind::TermMarker,
        }
    }
}

/// Parses one item, with the blanks and comments around it. All ranges are relative to the start of
/// `text`. A text without a token gives `ItemKind::Broken` and no error.
///
/// The item has the kind and the name that its [outline](crate::outline) says, however broken it is.
pub fn parse_item(text: &str) -> ParsedItem {
    parse(text, Entry::Item)
}

/// Parses a term on its own; layout does not matter. Gives `ItemKind::Term`, always.
pub fn parse_term(text: &str) -> ParsedItem {
    parse(text, Entry::Term)
}

/// Parses a type on its own, as a signature has it behind its colon; layout does not matter. A type that a
/// signature would need braces around, as `Maybe X`, may do without. Gives `ItemKind::Signature`, always, with the
/// name `_` that stands nowhere.
pub fn parse_type(text: &str) -> ParsedItem {
    let plain = parse_between("_ : ", text, "");
    if plain.errors.is_empty() {
        return plain;
    }
    let braced = parse_between("_ : {", text, "}");
    // The braces have to belong together: `X} -> {Y` has none of them.
    let is_whole = match &braced.item.kind {
        ItemKind::Signature { ty, .. } => ty.ports.is_empty(),
        _ => false,
    };
    match braced.errors.is_empty() && is_whole {
        true => braced,
        false => plain,
    }
}

/// Parses an item of which only the middle is there to point at.
fn parse_between(start: &str, text: &str, end: &str) -> ParsedItem {
    let blank = |c: char| matches!(c, '\n' | '\r');
    let text = text.replace(blank, " ");
    let mut parsed = parse_item(&format!("{start}{text}{end}"));
    move_into(&mut parsed, start.len(), text.len());
    parsed
}

/// Parses a term of which only so many bytes at its start are there to point at.
pub(crate) fn parse_term_within(text: &str, length: usize) -> ParsedItem {
    let mut parsed = parse_term(text);
    move_into(&mut parsed, 0, length);
    parsed
}

/// Moves all places by so many bytes to the left, and into a text of some length. Nothing is replaced there.
fn move_into(parsed: &mut ParsedItem, start: usize, length: usize) {
    let size = |length: usize| TextSize::try_from(length).unwrap_or_default();
    let (start, length) = (size(start), size(length));
    let moved = |place: TextSize| place.checked_sub(start).unwrap_or_default().min(length);
    let moved = |range: TextRange| TextRange::new(moved(range.start()), moved(range.end()));
    parsed.source_map.change(moved);
    for error in &mut parsed.errors {
        error.range = moved(error.range);
        for (range, _) in &mut error.related {
            *range = moved(*range);
        }
        error.replacement = None;
    }
}

fn parse(text: &str, entry: Entry) -> ParsedItem {
    if let Some(place) = token::too_long(text) {
        return refused(text, entry, place);
    }
    let mut cutter = Cutter::new(text, entry == Entry::Item);
    if !has_control_character(text)
        && let Some(tree) = Tree::parse(entry.marker(), &mut cutter)
    {
        let lowered = lower::lower(&tree, text, None);
        let wanted = entry == Entry::Item || matches!(lowered.item.kind, ItemKind::Term(_));
        if wanted {
            let mut errors = lowered.errors;
            if cutter.unclosed_comment.is_some() {
                errors.extend(diagnose::unclosed_comment(text, entry == Entry::Item));
            }
            return ParsedItem {
                item: lowered.item,
                source_map: lowered.source_map,
                errors: without_consequences(errors, text),
            };
        }
    }
    let mut parsed = parse_broken(text, entry);
    parsed.errors = without_consequences(parsed.errors, text);
    parsed
}

/// An item of which no tree is made, since the tree might take all memory there is.
fn refused(text: &str, entry: Entry, place: Range<usize>) -> ParsedItem {
    let mut lowered = lower::broken();
    lowered.restore_kind(text, entry == Entry::Item);
    let size = |at: usize| TextSize::try_from(at).unwrap_or_default();
    let limit = token::LENGTH_LIMIT;
    let error = SyntaxError {
        kind: SyntaxErrorKind::TooLong,
        range: TextRange::new(size(place.start), size(place.end)),
        message: format!("an item has {limit} words and symbols at most, and this one goes on"),
        related: Vec::new(),
        help: Some("give parts of it a name of their own".to_owned()),
        replacement: None,
    };
    ParsedItem {
        item: lowered.item,
        source_map: lowered.source_map,
        errors: vec![error],
    }
}

/// Leaves out what stands on the line of a literal without an end, up to its start: where a quotation mark
/// is missing, strings and what is between them have changed places.
fn without_consequences(errors: Vec<SyntaxError>, text: &str) -> Vec<SyntaxError> {
    use SyntaxErrorKind::{UnclosedChar, UnclosedString};
    let is_open = |error: &SyntaxError| matches!(error.kind, UnclosedString | UnclosedChar);
    let lines: Vec<std::ops::RangeInclusive<usize>> = errors
        .iter()
        .filter(|error| is_open(error))
        .map(|error| {
            let start = usize::from(error.range.start());
            let before = text.get(..start).unwrap_or_default();
            before.rfind('\n').map_or(0, |end| end + 1)..=start
        })
        .collect();
    if lines.is_empty() {
        return errors;
    }
    let on_line = |error: &SyntaxError| {
        let start = usize::from(error.range.start());
        lines.iter().any(|line| line.contains(&start))
    };
    errors
        .into_iter()
        .filter(|error| is_open(error) || !on_line(error))
        .collect()
}

/// Parses a text that has errors: says what they are, and parses what the text should have been.
fn parse_broken(text: &str, entry: Entry) -> ParsedItem {
    let Diagnosis {
        mut errors,
        repaired,
    } = diagnose::diagnose(text, entry == Entry::Item);
    let mut cutter = Cutter::new(&repaired.text, entry == Entry::Item).with_holes(HOLE);
    let mut lowered = match Tree::parse(entry.marker(), &mut cutter) {
        Some(tree) => lower::lower(&tree, &repaired.text, Some(&repaired)),
        None => lower::broken(),
    };
    lowered.restore_kind(text, entry == Entry::Item);
    // What the lowering finds out of place in a repaired text may be the repair's doing; what is
    // wrong inside a token is not.
    let inside_token = |error: &SyntaxError| {
        use SyntaxErrorKind::*;
        matches!(
            error.kind,
            UnclosedString | UnclosedChar | BadEscape | NumberTooLarge
        )
    };
    let is_first = errors.is_empty();
    errors.extend(
        lowered
            .errors
            .into_iter()
            .filter(|error| is_first || inside_token(error)),
    );
    if errors.is_empty() {
        // What is in order but for such a character has it in a string or a character literal.
        let control = text.char_indices().find(|(_, c)| *c < '\t');
        errors.push(match control {
            Some((at, c)) => {
                let start = TextSize::try_from(at).unwrap_or_default();
                let escape = format!("\\{}", u32::from(c));
                let range = TextRange::at(start, TextSize::of(c));
                SyntaxError {
                    kind: SyntaxErrorKind::BadCharacter,
                    range,
                    message: format!(
                        "the control character U+{:04X} stands here as it is",
                        u32::from(c)
                    ),
                    related: Vec::new(),
                    help: Some(format!("write `{escape}`")),
                    replacement: Some(Replacement::perhaps(range, escape)),
                }
            }
            None => SyntaxError {
                kind: SyntaxErrorKind::BadCharacter,
                range: lowered.source_map.range(lowered.item.id),
                message: "this cannot be parsed".to_owned(),
                related: Vec::new(),
                help: None,
                replacement: None,
            },
        });
    }
    errors.sort_by_key(|error| error.range.start());
    ParsedItem {
        item: lowered.item,
        source_map: lowered.source_map,
        errors,
    }
}

/// Whether a text has a character that none may have, even in a comment or a string.
fn has_control_character(text: &str) -> bool {
    text.bytes().any(|byte| byte < b'\t')
}

#[cfg(test)]
mod against_library;
#[cfg(test)]
mod tests;
