//! Parses one item.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};

use text_size::{TextRange, TextSize};
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::ast::{Item, ItemKind, SourceMap};
use crate::diagnose::{self, Diagnosis};
use crate::error::{Replacement, SyntaxError, SyntaxErrorKind};
use crate::language::language;
use crate::{lower, token};

/// What parsing an item gives: all of it, always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedItem {
    pub item: Item,
    pub source_map: SourceMap,
    pub errors: Vec<SyntaxError>,
}

/// What a text is to be parsed as. The first character that the parser sees says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Item,
    Term,
}

impl Entry {
    fn marker(self) -> &'static [u8] {
        match self {
            Entry::Item => b"\x01",
            Entry::Term => b"\x02",
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

fn parse(text: &str, entry: Entry) -> ParsedItem {
    if let Some(place) = token::too_long(text) {
        return refused(text, entry, place);
    }
    let prescan = Prescan::of(text);
    if prescan.may_parse
        && let Some(tree) = tree_of(text, entry)
        && !tree.root_node().has_error()
    {
        let lowered = lower::lower(&tree, text, None);
        let wanted = entry == Entry::Item || matches!(lowered.item.kind, ItemKind::Term(_));
        if wanted && !includes_no_name(&lowered.item.kind) {
            let mut errors = lowered.errors;
            if prescan.has_comment {
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

/// Leaves out what stands on the line of a literal without an end: where a quotation mark is
/// missing, strings and what is between them have changed places.
fn without_consequences(errors: Vec<SyntaxError>, text: &str) -> Vec<SyntaxError> {
    use SyntaxErrorKind::{UnclosedChar, UnclosedString};
    let is_open = |error: &SyntaxError| matches!(error.kind, UnclosedString | UnclosedChar);
    let lines: Vec<std::ops::Range<usize>> = errors
        .iter()
        .filter(|error| is_open(error))
        .map(|error| {
            let start = usize::from(error.range.start());
            let before = text.get(..start).unwrap_or_default();
            before.rfind('\n').map_or(0, |end| end + 1)..start
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

/// Whether the name of an included file has a character that no name has: the scanner, which reads
/// such names, knows no letters beyond ASCII and takes everything there for one.
fn includes_no_name(kind: &ItemKind) -> bool {
    let ItemKind::Include { name } = kind else {
        return false;
    };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '-');
    !name.symbol.as_str().chars().all(is_part)
}

/// Parses a text that has errors: says what they are, and parses what the text should have been.
fn parse_broken(text: &str, entry: Entry) -> ParsedItem {
    let Diagnosis {
        mut errors,
        repaired,
    } = diagnose::diagnose(text, entry == Entry::Item);
    let mut lowered = match tree_of(&repaired.text, entry) {
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

/// What one look at the bytes of a text shows.
struct Prescan {
    /// False if the parser need not try: brackets may nest too deeply, or there are characters that
    /// only this crate puts into a text.
    may_parse: bool,
    /// True if there may be a block comment.
    has_comment: bool,
}

impl Prescan {
    fn of(text: &str) -> Prescan {
        let mut brackets = 0usize;
        let mut controls = 0usize;
        for &byte in text.as_bytes() {
            brackets += usize::from(matches!(byte, b'(' | b'[' | b'{'));
            controls += usize::from(byte < b'\t');
        }
        let nests = || token::tokens(text, true).too_deep.is_some();
        let may_parse = controls == 0 && (brackets <= token::NESTING_LIMIT || !nests());
        Prescan {
            may_parse,
            has_comment: brackets > 0 && text.contains("{--"),
        }
    }
}

/// The tree of `text` behind the marker of `entry`; `None` as soon as it is clear that there is an
/// error.
fn tree_of(text: &str, entry: Entry) -> Option<Tree> {
    thread_local! {
        static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
    }
    PARSER.with_borrow_mut(|parser| {
        let parser = parser.get_or_insert_with(|| {
            let mut parser = Parser::new();
            // The build makes the parser for this version of the library.
            parser.set_language(&language()).ok();
            parser
        });
        // A byte order mark is no text; as many blanks keep the places of what follows.
        let mark = if text.starts_with('\u{feff}') {
            "   "
        } else {
            ""
        };
        let mut read = |byte: usize, _| match byte.checked_sub(1) {
            None => entry.marker(),
            Some(byte) if byte < mark.len() => mark.as_bytes().get(byte..).unwrap_or_default(),
            Some(byte) => text.as_bytes().get(byte..).unwrap_or_default(),
        };
        let mut stop_at_error = |state: &ParseState| match state.has_error() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let options = ParseOptions::new().progress_callback(&mut stop_at_error);
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}

#[cfg(test)]
mod tests;
