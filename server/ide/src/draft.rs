//! An item as it would be with a name where the cursor is. What is being written rarely parses, so
//! a few ways to end it are tried, and the first that parses is looked at.

use std::ops::Range;

use frank_analysis::db::{ItemSource, SourceFile, TextKind};
use frank_analysis::infer::{Body, Inference, infer_clause, infer_draft_term};
use frank_analysis::program::{Definition, OperatorDef};
use frank_analysis::scopes::{Binder, Scopes};
use frank_analysis::types::{Computation, Ty, TyKind};
use frank_syntax::ast::tree::{Node, path_at};
use frank_syntax::ast::{Item, ItemKind, NodeId, Symbol};
use frank_syntax::parse::{ParsedItem, parse_item, parse_term};
use text_size::{TextRange, TextSize};

use crate::names::scope_of;
use crate::tokens::{Lexeme, Word, is_name_part, is_name_start, words};
use crate::view::{innermost_clause, show, size};
use crate::{Analysis, FilePosition};

/// The name that stands for what is not written yet.
const PLACEHOLDER: &str = "cursor'here";

/// Whether the name at the cursor is looked at as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// It is being written, so it says nothing yet.
    Unfinished,
    /// It counts; a name is put only where there is none.
    Kept,
}

/// Where the cursor is, in the text alone.
pub(crate) struct Cursor {
    pub scope: SourceFile,
    /// The item that the text belongs to.
    pub source: ItemSource,
    /// Its text; with the blanks behind it if the cursor is there.
    pub text: String,
    /// The name around the cursor, within the text; empty if there is none.
    pub name: Range<usize>,
    /// The cursor, within the text.
    pub offset: usize,
    /// Where the text begins in the file.
    pub start: TextSize,
    /// The name would begin a new item.
    pub item_start: bool,
    /// The cursor is in or right behind a number.
    pub in_number: bool,
}

impl Cursor {
    /// The part of the name that stands before the cursor.
    pub fn prefix(&self) -> &str {
        self.text
            .get(self.name.start..self.offset)
            .unwrap_or_default()
    }

    /// In an include, takes the whole path for the name.
    pub fn take_whole_path(&mut self) {
        let is_code =
            |word: &Word| !matches!(word.lexeme, Lexeme::BlockComment | Lexeme::LineComment);
        let before = self.before();
        let first = words(before).into_iter().find(is_code);
        if first.is_none_or(|first| first.text(before) != "include") {
            return;
        }
        let path_before = self.text.get(..self.offset).unwrap_or_default();
        let path_after = self.text.get(self.offset..).unwrap_or_default();
        let written = path_before.rsplit(char::is_whitespace).next();
        let start = self.offset - written.map_or(0, str::len);
        let length = path_after
            .find(char::is_whitespace)
            .unwrap_or(path_after.len());
        self.name = start..self.offset + length;
    }

    /// The text before the name.
    pub fn before(&self) -> &str {
        self.text.get(..self.name.start).unwrap_or_default()
    }

    /// The text behind the name.
    pub fn after(&self) -> &str {
        self.text.get(self.name.end..).unwrap_or_default()
    }

    /// The range of the name before the cursor, in the file.
    pub fn insert_range(&self) -> TextRange {
        TextRange::new(size(self.name.start), size(self.offset)) + self.start
    }

    /// The range of the whole name, in the file.
    pub fn replace_range(&self) -> TextRange {
        TextRange::new(size(self.name.start), size(self.name.end)) + self.start
    }
}

/// The item with a name at the cursor.
pub(crate) struct Draft {
    pub scope: SourceFile,
    pub source: ItemSource,
    pub parsed: ParsedItem,
    /// The place of the name in the text.
    pub offset: TextSize,
    scopes: Scopes,
    inference: Option<Inference>,
}

impl Analysis {
    /// What is around the cursor as text; `None` inside of comments and literals.
    pub(crate) fn cursor(&self, at: FilePosition) -> Option<Cursor> {
        let db = self.db();
        let scope = scope_of(db, at.file);
        let offset = usize::from(at.offset);
        let (entry, place) = self.snapshot().item_at(at.file, offset)?;
        let column = self
            .snapshot()
            .items(at.file)
            .next()
            .map_or(0, |(first, place)| {
                column_of(first.item.text(db), place.token_offset)
            });
        let own = entry.item.text(db);
        let cursor = offset.checked_sub(place.range.start)?.min(own.len());
        if !own.is_char_boundary(cursor) {
            return None;
        }
        let mut found = Cursor {
            scope,
            source: entry.item,
            text: own.to_owned(),
            name: name_around(own, cursor),
            offset: cursor,
            start: size(place.range.start),
            item_start: false,
            in_number: inside_number(own, cursor),
        };
        if inside_literal(own, cursor) {
            return None;
        }
        let own_column = column_of(own, found.name.start);
        let blank_before = own.get(..found.name.start).is_some_and(|before| {
            before
                .rsplit('\n')
                .next()
                .is_some_and(|line| line.trim().is_empty())
        });
        found.item_start = blank_before && own_column <= column;
        // The blanks under an item belong to the next one, but what is written there, further
        // to the right, will go on with the one above.
        if cursor < place.token_offset && !found.item_start && found.name.is_empty() {
            let all: Vec<_> = self
                .snapshot()
                .items_in(
                    at.file,
                    place.range.start.saturating_sub(1)..place.range.start,
                )
                .collect();
            let above = all
                .iter()
                .find(|(_, other)| other.range.end == place.range.start);
            if let Some((above, above_place)) = above {
                let before = above.item.text(db);
                found.text = format!("{before}{}", own.get(..cursor).unwrap_or_default());
                found.offset = found.text.len();
                found.name = found.offset..found.offset;
                found.start = size(above_place.range.start);
                found.source = above.item;
            }
        }
        Some(found)
    }

    /// The item at a place with a name in it, parsed and checked.
    pub(crate) fn draft(&self, cursor: &Cursor, written: Written) -> Draft {
        let before = cursor.before();
        let after = cursor.after();
        let own = cursor.text.get(cursor.name.clone()).unwrap_or_default();
        let name = match written {
            Written::Unfinished => PLACEHOLDER,
            Written::Kept if own.is_empty() && !name_fits_after(before) => "",
            Written::Kept if own.is_empty() => PLACEHOLDER,
            Written::Kept => own,
        };
        let head = format!("{before}{name}");
        let offset = size(before.len());
        let is_cell = cursor.source.kind(self.db()) == TextKind::Cell;
        let parse = match is_cell {
            true => parse_term,
            false => parse_item,
        };
        let mut best: Option<(usize, ParsedItem)> = None;
        for text in endings(&head, after) {
            let parsed = parse(&text);
            let depth = match path_at(&parsed.item, &parsed.source_map, offset) {
                path if matches!(path.last(), Some(Node::Name(_))) => path.len(),
                _ => 0,
            };
            let is_term = matches!(parsed.item.kind, ItemKind::Term(_));
            let clean = parsed.errors.is_empty() && is_term == is_cell;
            let rank = if clean && (depth > 0 || name.is_empty()) {
                usize::MAX
            } else {
                depth
            };
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, parsed));
            }
            if rank == usize::MAX {
                break;
            }
        }
        let (_, parsed) = best.unwrap_or_else(|| (0, parse(&head)));
        let operator = match &parsed.item.kind {
            ItemKind::Clause { name, .. } => Some(OperatorDef(Definition {
                scope: cursor.scope,
                name: name.symbol,
            })),
            _ => None,
        };
        let (db, scope, source) = (self.db(), cursor.scope, cursor.source);
        let inference = match operator {
            Some(operator) => Some(infer_clause(db, operator, source, &parsed.item)),
            None => is_cell.then(|| infer_draft_term(db, scope, source, &parsed.item)),
        };
        Draft {
            scope: cursor.scope,
            source: cursor.source,
            offset,
            scopes: Scopes::new(self.db(), cursor.scope, &parsed.item),
            parsed,
            inference,
        }
    }
}

/// Ways to go on behind the name at the cursor.
fn endings(head: &str, after: &str) -> Vec<String> {
    let closed = format!("{head}{}", closers(head));
    let mut texts = vec![format!("{head}{after}"), closed.clone()];
    // The head of a clause has no `=` yet.
    texts.push(format!("{closed} = x"));
    // A clause in braces has no body yet.
    texts.push(format!("{head} -> x{}", closers(head)));
    if open_brackets(head).last() == Some(&"<") {
        let rest = head.strip_suffix(PLACEHOLDER).unwrap_or(head);
        // An adaptor without what it adapts, a command pattern in a head or in braces.
        texts.push(format!(
            "{head}> x{}",
            closers(rest.trim_end().strip_suffix('<').unwrap_or(rest))
        ));
        texts.push(format!("{head} -> k> = x"));
        let outer = rest.trim_end().strip_suffix('<').unwrap_or(rest);
        texts.push(format!("{head} -> k> -> x{}", closers(outer)));
    }
    texts
}

/// Whether a name stands for what is not written yet.
pub(crate) fn is_placeholder(name: Symbol) -> bool {
    name.as_str() == PLACEHOLDER
}

/// Whether a text has the `=` of a clause.
pub(crate) fn has_equals(text: &str) -> bool {
    words(text)
        .iter()
        .any(|word| word.lexeme == Lexeme::Symbol && word.text(text) == "=")
}

/// What closes the brackets that a text leaves open.
fn closers(text: &str) -> String {
    let mut out = String::new();
    for symbol in open_brackets(text).iter().rev() {
        out.push_str(match *symbol {
            "(" => ")",
            "[" => "]",
            "{" => "}",
            _ => ">",
        });
    }
    out
}

/// The brackets that a text leaves open. A `<` is one where an operand may begin, and in heads and
/// signatures.
pub(crate) fn open_brackets(text: &str) -> Vec<&str> {
    let mut open: Vec<&str> = Vec::new();
    let mut before: Option<&str> = None;
    let mut in_body = false;
    let is_signature = is_signature(text);
    for word in words(text) {
        let symbol = word.text(text);
        match (word.lexeme, symbol) {
            (Lexeme::LineComment | Lexeme::BlockComment, _) => continue,
            (Lexeme::Symbol, "=") => in_body = true,
            (Lexeme::Symbol, "(" | "[" | "{") => open.push(symbol),
            (Lexeme::Symbol, "<") if is_signature || !in_body || operand_may_begin(before) => {
                open.push("<");
            }
            (Lexeme::Symbol, ">") if open.last() == Some(&"<") => {
                open.pop();
            }
            (Lexeme::Symbol, ")") => close(&mut open, "("),
            (Lexeme::Symbol, "]") => close(&mut open, "["),
            (Lexeme::Symbol, "}") => close(&mut open, "{"),
            _ => {}
        }
        before = Some(symbol);
    }
    open
}

fn close(open: &mut Vec<&str>, bracket: &str) {
    if let Some(position) = open.iter().rposition(|other| *other == bracket) {
        open.truncate(position);
    }
}

/// Whether a term can begin behind a word.
fn operand_may_begin(before: Option<&str>) -> bool {
    match before {
        None => true,
        Some(word) => {
            matches!(
                word,
                "=" | "("
                    | "["
                    | "{"
                    | "|"
                    | "->"
                    | ","
                    | ";"
                    | "in"
                    | "+"
                    | "-"
                    | "*"
                    | "/"
                    | "::"
                    | "<="
                    | ">="
                    | "=="
                    | "!="
                    | "<"
            )
        }
    }
}

/// Whether an item's text begins with a name and a colon, or declares something.
pub(crate) fn is_signature(text: &str) -> bool {
    let mut found = words(text)
        .into_iter()
        .filter(|word| !matches!(word.lexeme, Lexeme::LineComment | Lexeme::BlockComment));
    let first = found.next();
    let second = found.next();
    let text_of = |word: &Option<Word>| word.as_ref().map(|w| w.text(text).to_owned());
    matches!(text_of(&first).as_deref(), Some("data" | "interface"))
        || text_of(&second).as_deref() == Some(":")
}

/// The name around or beside a place.
fn name_around(text: &str, cursor: usize) -> Range<usize> {
    let before = text.get(..cursor).unwrap_or_default();
    let after = text.get(cursor..).unwrap_or_default();
    let mut start = cursor;
    for (i, c) in before.char_indices().rev() {
        if !is_name_part(c) {
            break;
        }
        start = i;
    }
    // Digits and quotation marks can only go on with a name.
    while let Some(first) = text.get(start..cursor).and_then(|name| name.chars().next())
        && !is_name_start(first)
    {
        start += first.len_utf8();
        if first.is_numeric() || first == '\'' {
            // `12ab` is a number and then a name, which nobody is writing.
            start = cursor;
        }
    }
    let end = match start < cursor || after.chars().next().is_some_and(is_name_start) {
        true => cursor + after.find(|c| !is_name_part(c)).unwrap_or(after.len()),
        false => cursor,
    };
    start..end
}

fn column_of(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or_default();
    before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
}

/// Whether a place is inside of a comment, a string or a character.
fn inside_literal(text: &str, cursor: usize) -> bool {
    words(text).iter().any(|word| match word.lexeme {
        Lexeme::LineComment => word.range.start < cursor && cursor <= word.range.end,
        Lexeme::BlockComment | Lexeme::String | Lexeme::Char => {
            word.range.start < cursor
                && (cursor < word.range.end || (!word.closed && cursor == word.range.end))
        }
        _ => false,
    })
}

/// Whether a place is in or right behind a number.
fn inside_number(text: &str, cursor: usize) -> bool {
    let mut numbers = words(text)
        .into_iter()
        .filter(|word| word.lexeme == Lexeme::Number);
    numbers.any(|word| word.range.start < cursor && cursor <= word.range.end)
}

/// Whether a name can stand behind a text without running into what is there.
fn name_fits_after(before: &str) -> bool {
    before
        .chars()
        .next_back()
        .is_none_or(|c| c.is_whitespace() || "([{<,|;=+-*/>:".contains(c))
}

impl Draft {
    pub fn item(&self) -> &Item {
        &self.parsed.item
    }

    /// The nodes around the name at the cursor, the innermost last.
    pub fn path(&self) -> Vec<Node<'_>> {
        path_at(&self.parsed.item, &self.parsed.source_map, self.offset)
    }

    pub fn inference(&self) -> Option<&Inference> {
        self.inference.as_ref()
    }

    pub fn body(&self) -> Option<&Body> {
        self.inference.as_ref()?.body(self.source)
    }

    /// The computation type that a type stands for.
    pub fn computation(&self, ty: Ty) -> Option<&Computation> {
        match self.inference()?.table.kind(ty) {
            TyKind::Computation(computation) => Some(computation),
            _ => None,
        }
    }

    pub fn ty_text(&self, ty: Ty) -> String {
        self.inference()
            .map_or_else(|| "_".to_owned(), |inference| show(inference).ty(ty))
    }

    /// The type of a local.
    pub fn local_type(&self, binder: NodeId) -> Option<Ty> {
        self.body()?
            .locals
            .iter()
            .find(|local| local.node == binder)
            .map(|local| local.ty)
    }

    /// The names that the body of the clause at the cursor sees.
    pub fn names_in_clause(&self) -> Vec<Symbol> {
        let path = self.path();
        let clause = innermost_clause(&path);
        clause.map_or_else(Vec::new, |(clause, _)| self.scopes.names_at(clause.body))
    }

    /// The variables in scope at the cursor, the innermost first, each name once.
    pub fn locals(&self) -> impl Iterator<Item = &Binder> {
        let innermost = self.path().into_iter().rev().find_map(|node| match node {
            Node::Term(term) => Some(term),
            _ => None,
        });
        innermost
            .into_iter()
            .flat_map(|term| self.scopes.seen_at(term))
    }
}
