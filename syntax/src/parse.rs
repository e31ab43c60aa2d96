//! Parses one item.

use std::cell::RefCell;

use text_size::TextRange;
use tree_sitter::{Parser, Tree};

use crate::ast::{Item, SourceMap};
use crate::language::language;
use crate::lower;

/// What parsing an item gives: all of it, always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedItem {
    pub item: Item,
    pub source_map: SourceMap,
    pub errors: Vec<SyntaxError>,
}

/// A sentence that says what was expected, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub kind: SyntaxErrorKind,
    pub range: TextRange,
    pub message: String,
    /// Other places that explain the error, such as the bracket that is still open.
    pub related: Vec<(TextRange, String)>,
    /// What to do.
    pub help: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SyntaxErrorKind {
    /// Something else was expected here.
    Unexpected,
    UnclosedBracket,
    UnopenedBracket,
    UnclosedString,
    UnclosedChar,
    UnclosedComment,
    BadEscape,
    BadCharacter,
    NumberTooLarge,
    NestedTooDeeply,
    LeftOfItemColumn,
    /// `{…} y`, `3 x`: only a name or a use in parentheses can be applied.
    NotAHead,
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
pub fn parse_item(text: &str) -> ParsedItem {
    parse(text, Entry::Item)
}

/// Parses a term on its own; layout does not matter. Gives `ItemKind::Term` unless there is none.
pub fn parse_term(text: &str) -> ParsedItem {
    parse(text, Entry::Term)
}

fn parse(text: &str, entry: Entry) -> ParsedItem {
    let lowered = match tree_of(text, entry) {
        Some(tree) => lower::lower(&tree, text, 1),
        // Parsing stops early only when asked to.
        None => lower::broken(),
    };
    let mut lowered = lowered;
    if let Some(tree) = &tree_of(text, entry)
        && tree.root_node().has_error()
    {
        lowered.errors.insert(0, first_error(tree));
    }
    ParsedItem { item: lowered.item, source_map: lowered.source_map, errors: lowered.errors }
}

/// The tree of `text` behind the marker of `entry`.
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
        let mut read = |byte: usize, _| match byte.checked_sub(1) {
            None => entry.marker(),
            Some(byte) => text.as_bytes().get(byte..).unwrap_or_default(),
        };
        parser.parse_with_options(&mut read, None, None)
    })
}

fn first_error(tree: &Tree) -> SyntaxError {
    let mut node = tree.root_node();
    'descend: loop {
        for index in 0..node.child_count() {
            if let Some(child) = node.child(index)
                && (child.has_error() || child.is_missing())
            {
                node = child;
                continue 'descend;
            }
        }
        break;
    }
    let position = |byte: usize| text_size::TextSize::new(byte.saturating_sub(1) as u32);
    SyntaxError {
        kind: SyntaxErrorKind::Unexpected,
        range: TextRange::new(position(node.start_byte()), position(node.end_byte())),
        message: "this was not expected here".to_owned(),
        related: Vec::new(),
        help: None,
    }
}
