//! `textDocument/semanticTokens/full`, `full/delta`, `range`.
//!
//! The protocol counts every word from the one before. So the words of a group of items are encoded
//! once, counted from the group's start, and kept by the database; a file is its groups in a row,
//! and two answers differ where their groups are not the very same.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use frank_analysis::aside::Aside;
use frank_analysis::db::{Db, Group, ItemSource, SourceFile};
use frank_analysis::groups;
use frank_ide::{Token, TokenKind, item_tokens, scope_of};
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};
use crate::text::Encoding;

/// The protocol's types of words, in the order of their numbers.
const TYPES: &[lsp::SemanticTokenType] = &[
    lsp::SemanticTokenType::COMMENT,
    lsp::SemanticTokenType::KEYWORD,
    lsp::SemanticTokenType::NUMBER,
    lsp::SemanticTokenType::STRING,
    lsp::SemanticTokenType::OPERATOR,
    lsp::SemanticTokenType::NAMESPACE,
    lsp::SemanticTokenType::TYPE,
    lsp::SemanticTokenType::TYPE_PARAMETER,
    lsp::SemanticTokenType::INTERFACE,
    lsp::SemanticTokenType::EVENT,
    lsp::SemanticTokenType::ENUM_MEMBER,
    lsp::SemanticTokenType::METHOD,
    lsp::SemanticTokenType::FUNCTION,
    lsp::SemanticTokenType::MACRO,
    lsp::SemanticTokenType::VARIABLE,
    lsp::SemanticTokenType::PARAMETER,
    lsp::SemanticTokenType::PROPERTY,
];

/// The protocol's modifiers, in the order of their bits. The last three are our own.
const MODIFIERS: &[lsp::SemanticTokenModifier] = &[
    lsp::SemanticTokenModifier::DEFINITION,
    lsp::SemanticTokenModifier::DEFAULT_LIBRARY,
    lsp::SemanticTokenModifier::new("handled"),
    lsp::SemanticTokenModifier::new("continuation"),
    lsp::SemanticTokenModifier::new("nullary"),
];

/// What the numbers mean.
pub fn legend() -> lsp::SemanticTokensLegend {
    lsp::SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: MODIFIERS.to_vec(),
    }
}

/// The number of a type of words, and modifiers that go with it.
fn numbers(kind: TokenKind) -> (u32, u32) {
    match kind {
        TokenKind::Comment => (0, 0),
        TokenKind::Keyword => (1, 0),
        TokenKind::Number => (2, 0),
        TokenKind::String | TokenKind::Char => (3, 0),
        TokenKind::Arithmetic => (4, 0),
        TokenKind::File => (5, 0),
        TokenKind::Data => (6, 0),
        TokenKind::BuiltinType => (6, 0b10),
        TokenKind::TypeVariable => (7, 0),
        TokenKind::Interface | TokenKind::Alias => (8, 0),
        TokenKind::EffectVariable => (9, 0),
        TokenKind::Constructor => (10, 0),
        TokenKind::Command => (11, 0),
        TokenKind::Operator => (12, 0),
        TokenKind::Value => (12, 0b1_0000),
        TokenKind::Handler => (13, 0),
        TokenKind::Local => (14, 0),
        TokenKind::Continuation => (15, 0b1000),
        TokenKind::Parameter => (15, 0),
        TokenKind::AdaptorName => (16, 0),
    }
}

/// The words of an item or a group of items, each counted from the one before, the first from
/// where that begins.
#[derive(Debug, Default, PartialEq, Eq)]
struct Words {
    data: Vec<lsp::SemanticToken>,
    /// The line of the last word, from the beginning.
    last_line: u32,
    /// The column of the last word.
    last_column: u32,
    /// How many lines there are.
    lines: u32,
}

fn item_words(db: &dyn Db, scope: SourceFile, source: ItemSource, encoding: Encoding) -> Words {
    let text = source.text(db);
    let mut words = Words::default();
    let (mut line, mut column, mut seen) = (0, 0, 0);
    let slice = |start: usize, end: usize| text.get(start..end).unwrap_or_default();
    for token in item_tokens(db, scope, source).iter() {
        let (start, end) = (
            usize::from(token.range.start()),
            usize::from(token.range.end()),
        );
        let between = slice(seen, start);
        match breaks(between) {
            (0, _) => column += encoding.length(between),
            (count, rest) => {
                line += count;
                column = encoding.length(rest);
            }
        }
        seen = start;
        let delta_line = line - words.last_line;
        let delta_start = if delta_line == 0 {
            column - words.last_column
        } else {
            column
        };
        let length = encoding.length(slice(start, end));
        words
            .data
            .push(encode(token, delta_line, delta_start, length));
        (words.last_line, words.last_column) = (line, column);
    }
    words.lines = line + breaks(slice(seen, text.len())).0;
    words
}

/// The words of a group of a file's items.
#[salsa::tracked]
fn group_words(
    db: &dyn Db,
    scope: SourceFile,
    group: Group,
    encoding: Encoding,
) -> Aside<Arc<Words>> {
    groups::depend(db, scope, group);
    Aside::new(db, |db| words_now(db, scope, group, encoding))
}

fn words_now(db: &dyn Db, scope: SourceFile, group: Group, encoding: Encoding) -> Arc<Words> {
    let mut all = Words::default();
    let mut cursor = Cursor::default();
    for entry in group.entries(db).iter() {
        let words = item_words(db, scope, entry.item, encoding);
        cursor.append(&words, &mut all.data);
        if !words.data.is_empty() {
            all.last_line = all.lines + words.last_line;
            all.last_column = words.last_column;
        }
        all.lines += words.lines;
    }
    Arc::new(all)
}

/// How many line breaks a text has, and what follows the last one.
fn breaks(text: &str) -> (u32, &str) {
    let bytes = text.as_bytes();
    let mut count = 0;
    let mut rest = text;
    for (at, byte) in bytes.iter().enumerate() {
        let ends_line = match byte {
            b'\n' => true,
            // With a line feed behind it, that one counts.
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends_line {
            count += 1;
            rest = text.get(at + 1..).unwrap_or_default();
        }
    }
    (count, rest)
}

fn encode(token: &Token, delta_line: u32, delta_start: u32, length: u32) -> lsp::SemanticToken {
    let (token_type, mut modifiers) = numbers(token.kind);
    let flags = [
        token.modifiers.definition,
        token.modifiers.library,
        token.modifiers.handled,
    ];
    for (bit, flag) in flags.into_iter().enumerate() {
        modifiers |= u32::from(flag) << bit;
    }
    lsp::SemanticToken {
        delta_line,
        delta_start,
        length,
        token_type,
        token_modifiers_bitset: modifiers,
    }
}

/// Where the first word of the next words is counted from.
#[derive(Debug, Clone, Copy, Default)]
struct Cursor {
    /// Lines from the last word to where they begin.
    lines: u32,
    /// The column of the last word, if it is on that very line.
    column: u32,
}

impl Cursor {
    /// Puts words behind those before.
    fn append(&mut self, words: &Words, data: &mut Vec<lsp::SemanticToken>) {
        let Some((first, rest)) = words.data.split_first() else {
            self.skip(words);
            return;
        };
        let mut first = *first;
        if first.delta_line == 0 && self.lines == 0 {
            first.delta_start = first.delta_start.saturating_sub(self.column);
        }
        first.delta_line += self.lines;
        data.push(first);
        data.extend_from_slice(rest);
        self.skip(words);
    }

    fn skip(&mut self, words: &Words) {
        if words.data.is_empty() {
            self.lines += words.lines;
        } else {
            self.lines = words.lines - words.last_line;
            self.column = words.last_column;
        }
    }
}

/// The tokens of each document that the client has.
#[derive(Default)]
pub struct Memory {
    sent: Mutex<HashMap<lsp::Uri, Arc<Sent>>>,
}

struct Sent {
    id: String,
    groups: Vec<Arc<Words>>,
}

impl Memory {
    /// Forgets a document.
    pub fn forget(&self, uri: &lsp::Uri) {
        self.sent
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(uri);
    }

    fn last(&self, uri: &lsp::Uri) -> Option<Arc<Sent>> {
        self.sent
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(uri)
            .cloned()
    }

    fn remember(
        &self,
        snapshot: &RequestSnapshot,
        uri: &lsp::Uri,
        groups: Vec<Arc<Words>>,
    ) -> String {
        let id = format!("{}", snapshot.revision);
        let sent = Arc::new(Sent {
            id: id.clone(),
            groups,
        });
        self.sent
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(uri.clone(), sent);
        id
    }
}

fn words_of(snapshot: &RequestSnapshot, file: SourceFile) -> Vec<Arc<Words>> {
    let db = snapshot.db();
    let scope = scope_of(db, file);
    let encoding = snapshot.documents.encoding;
    let groups = file.groups(db).iter();
    groups
        .map(|group| {
            let kept = group_words(db, scope, *group, encoding);
            let words = kept.get(db, |db| words_now(db, scope, *group, encoding));
            words.clone()
        })
        .collect()
}

pub fn full(
    snapshot: &RequestSnapshot,
    target: &Target,
    memory: &Memory,
) -> Answer<Option<lsp::SemanticTokensResult>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let groups = words_of(snapshot, target.file);
    let mut data = Vec::with_capacity(count(&groups));
    let mut cursor = Cursor::default();
    for words in &groups {
        cursor.append(words, &mut data);
    }
    let result_id = Some(memory.remember(snapshot, &document.uri, groups));
    Ok(Some(lsp::SemanticTokensResult::Tokens(
        lsp::SemanticTokens { result_id, data },
    )))
}

pub fn delta(
    snapshot: &RequestSnapshot,
    target: &Target,
    known: &str,
    memory: &Memory,
) -> Answer<Option<lsp::SemanticTokensFullDeltaResult>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let Some(last) = memory.last(&document.uri).filter(|last| last.id == known) else {
        return Ok(full(snapshot, target, memory)?.map(|result| match result {
            lsp::SemanticTokensResult::Tokens(tokens) => tokens.into(),
            lsp::SemanticTokensResult::Partial(partial) => lsp::SemanticTokens {
                result_id: None,
                data: partial.data,
            }
            .into(),
        }));
    };
    let groups = words_of(snapshot, target.file);
    let edits = difference(&last.groups, &groups);
    let result_id = Some(memory.remember(snapshot, &document.uri, groups));
    let delta = lsp::SemanticTokensDelta { result_id, edits };
    Ok(Some(lsp::SemanticTokensFullDeltaResult::TokensDelta(delta)))
}

fn count(groups: &[Arc<Words>]) -> usize {
    groups.iter().map(|words| words.data.len()).sum()
}

/// The edits that make one list of words of another.
fn difference(old: &[Arc<Words>], new: &[Arc<Words>]) -> Vec<lsp::SemanticTokensEdit> {
    let mut edits = Vec::new();
    let mut cursor = Cursor::default();
    let mut passed = 0;
    let mut counted = 0;
    for (in_old, in_new) in differing(old, new) {
        for words in old.get(passed..in_old.start).unwrap_or_default() {
            cursor.skip(words);
            counted += words.data.len();
        }
        let before = between(cursor, old, &in_old);
        let after = between(cursor, new, &in_new);
        edits.extend(edit(counted, &before, &after));
        for words in old.get(in_old.clone()).unwrap_or_default() {
            cursor.skip(words);
            counted += words.data.len();
        }
        passed = in_old.end;
    }
    edits
}

/// The groups that differ, in runs, each with its place in both lists. Behind a run is a group that
/// has words, or nothing.
fn differing(old: &[Arc<Words>], new: &[Arc<Words>]) -> Vec<(Range<usize>, Range<usize>)> {
    if old.len() != new.len() {
        let (before, after) = common(old, new, Arc::ptr_eq);
        return vec![(before..old.len() - after, before..new.len() - after)];
    }
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (i, (old, new)) in old.iter().zip(new).enumerate() {
        let is_same = Arc::ptr_eq(old, new);
        match runs.last_mut() {
            Some(run) if run.end == i && (!is_same || new.data.is_empty()) => run.end += 1,
            _ if is_same => {}
            _ => runs.push(i..i + 1),
        }
    }
    runs.into_iter().map(|run| (run.clone(), run)).collect()
}

/// How many elements two lists share at their beginnings, and how many behind those at their ends.
fn common<T>(old: &[T], new: &[T], same: impl Fn(&T, &T) -> bool) -> (usize, usize) {
    let pairs = old.iter().zip(new);
    let before = pairs.take_while(|(old, new)| same(old, new)).count();
    let most = old.len().min(new.len()) - before;
    let pairs = old.iter().rev().zip(new.iter().rev()).take(most);
    let after = pairs.take_while(|(old, new)| same(old, new)).count();
    (before, after)
}

/// The edit behind so many words that makes some words of others, most of which are the same.
fn edit(
    counted: usize,
    old: &[lsp::SemanticToken],
    new: &[lsp::SemanticToken],
) -> Option<lsp::SemanticTokensEdit> {
    let (start, end) = common(old, new, lsp::SemanticToken::eq);
    let inserted = new.get(start..new.len() - end).unwrap_or_default();
    let deleted = old.len() - end - start;
    let number = |words: usize| u32::try_from(words * 5).unwrap_or(u32::MAX);
    (deleted > 0 || !inserted.is_empty()).then(|| lsp::SemanticTokensEdit {
        start: number(counted + start),
        delete_count: number(deleted),
        data: Some(inserted.to_vec()),
    })
}

/// The words of some groups, and the first word behind them, which is counted from the last one
/// among them.
fn between(
    mut cursor: Cursor,
    groups: &[Arc<Words>],
    range: &Range<usize>,
) -> Vec<lsp::SemanticToken> {
    let mut data = Vec::new();
    for words in groups.get(range.clone()).unwrap_or_default() {
        cursor.append(words, &mut data);
    }
    for words in groups.get(range.end..).unwrap_or_default() {
        if let Some(first) = words.data.first() {
            let alone = Words {
                data: vec![*first],
                ..Words::default()
            };
            cursor.append(&alone, &mut data);
            break;
        }
        cursor.skip(words);
    }
    data
}

pub fn range(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<lsp::SemanticTokensRangeResult>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let db = snapshot.db();
    let scope = scope_of(db, target.file);
    let encoding = snapshot.documents.encoding;
    let mut data = Vec::new();
    let mut cursor = Cursor::default();
    for (number, (entry, place)) in snapshot
        .analysis
        .snapshot()
        .items_in(target.file, target.range())
        .enumerate()
    {
        if number == 0 {
            cursor.lines = encoding.position(&document.text, place.range.start).line;
        }
        cursor.append(&item_words(db, scope, entry.item, encoding), &mut data);
    }
    let tokens = lsp::SemanticTokens {
        result_id: None,
        data,
    };
    Ok(Some(lsp::SemanticTokensRangeResult::Tokens(tokens)))
}
