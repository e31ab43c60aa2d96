//! Colours by meaning (LSP `textDocument/semanticTokens`).

use std::collections::HashMap;
use std::sync::Arc;

use frank_analysis::db::{Db, ItemSource, Origin, SourceFile, parsed};
use frank_analysis::scopes::LocalKind;
use frank_syntax::ast::tree::{self, Node};
use frank_syntax::ast::{ParamKind, TermKind};
use text_size::{TextRange, TextSize};

use crate::Analysis;
use crate::names::{Def, Occurrence, Role, occurrences, scope_of};
use crate::target::SymbolKind;
use crate::target::operator_kind;
use crate::tokens::{Lexeme, words};
use crate::view::size;

/// What a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    Comment,
    Keyword,
    Number,
    String,
    Char,
    /// `+`, `<=`, `::` and their like.
    Arithmetic,
    /// The name of a file after `include`.
    File,
    Data,
    BuiltinType,
    TypeVariable,
    Interface,
    Alias,
    EffectVariable,
    Constructor,
    Command,
    Operator,
    /// An operator with ports that handle commands.
    Handler,
    /// An operator without ports.
    Value,
    Local,
    /// A variable that a clause's patterns bind.
    Parameter,
    /// The `k` of a command pattern, or the `m` of a catch-all.
    Continuation,
    /// A name for an instance inside an adaptor.
    AdaptorName,
}

/// What else there is to say about a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TokenModifiers {
    /// The name is defined or bound here.
    pub definition: bool,
    /// It belongs to the library that is built in.
    pub library: bool,
    /// A command that is handled here.
    pub handled: bool,
}

/// A coloured word. Never spans lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub range: TextRange,
    pub kind: TokenKind,
    pub modifiers: TokenModifiers,
}

/// The words of one item, looked at as part of a program, relative to its first byte.
#[salsa::tracked]
pub fn item_tokens(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Arc<[Token]> {
    let text = source.text(db);
    let parsed = parsed(db, source);
    let names: HashMap<TextSize, Occurrence> = occurrences(db, scope, source)
        .into_iter()
        .map(|name| (name.range.start(), name))
        .collect();
    let mut operators: HashMap<TextSize, TextRange> = HashMap::new();
    tree::for_each(&parsed.item, |node| {
        if let Node::Term(term) = node
            && let TermKind::Binary { operator_id, .. } = parsed.item.terms[term].kind
        {
            let range = parsed.source_map.range(operator_id);
            operators.insert(range.start(), range);
        }
    });
    let mut tokens = Vec::new();
    for word in words(text) {
        let range = TextRange::new(size(word.range.start), size(word.range.end));
        let plain = |kind| Token {
            range,
            kind,
            modifiers: TokenModifiers::default(),
        };
        if let Some(name) = names.get(&range.start()) {
            let kind = kind_of(db, name);
            // The name of an included file may have several words.
            tokens.push(Token {
                range: name.range,
                kind,
                modifiers: modifiers_of(db, name),
            });
            continue;
        }
        match word.lexeme {
            Lexeme::LineComment => tokens.push(plain(TokenKind::Comment)),
            Lexeme::BlockComment => lines(text, range, TokenKind::Comment, &mut tokens),
            Lexeme::Keyword => tokens.push(plain(TokenKind::Keyword)),
            Lexeme::BuiltinType => tokens.push(plain(TokenKind::BuiltinType)),
            Lexeme::Number => tokens.push(plain(TokenKind::Number)),
            Lexeme::Char => tokens.push(plain(TokenKind::Char)),
            Lexeme::String => lines(text, range, TokenKind::String, &mut tokens),
            Lexeme::Symbol => {
                if let Some(range) = operators.get(&range.start()) {
                    tokens.push(Token {
                        range: *range,
                        ..plain(TokenKind::Arithmetic)
                    });
                }
            }
            Lexeme::Name => {}
        }
    }
    tokens.into()
}

/// A comment or string of several lines, line by line.
fn lines(text: &str, range: TextRange, kind: TokenKind, tokens: &mut Vec<Token>) {
    let mut start = usize::from(range.start());
    for line in crate::view::slice(text, range).split_inclusive('\n') {
        let kept = line.trim_end();
        let lead = kept.len() - kept.trim_start().len();
        if lead < kept.len() {
            let range = TextRange::new(size(start + lead), size(start + kept.len()));
            let modifiers = TokenModifiers::default();
            tokens.push(Token {
                range,
                kind,
                modifiers,
            });
        }
        start += line.len();
    }
}

fn kind_of(db: &dyn Db, name: &Occurrence) -> TokenKind {
    match name.def {
        Def::Operator(operator) => match operator_kind(db, operator) {
            SymbolKind::Handler => TokenKind::Handler,
            SymbolKind::Value => TokenKind::Value,
            _ => TokenKind::Operator,
        },
        Def::Constructor(_) => TokenKind::Constructor,
        Def::Command(_) => TokenKind::Command,
        Def::Data(_) => TokenKind::Data,
        Def::Interface(_) => TokenKind::Interface,
        Def::Alias(_) => TokenKind::Alias,
        Def::Local {
            kind: LocalKind::Let,
            ..
        } => TokenKind::Local,
        Def::Local {
            kind: LocalKind::Pattern,
            ..
        } => TokenKind::Parameter,
        Def::Local { .. } => TokenKind::Continuation,
        Def::TypeVariable {
            kind: ParamKind::Value,
            ..
        } => TokenKind::TypeVariable,
        Def::TypeVariable {
            kind: ParamKind::Effect,
            ..
        } => TokenKind::EffectVariable,
        Def::AdaptorName { .. } => TokenKind::AdaptorName,
        Def::BuiltinType(_) => TokenKind::BuiltinType,
        Def::File(_) => TokenKind::File,
    }
}

fn modifiers_of(db: &dyn Db, name: &Occurrence) -> TokenModifiers {
    TokenModifiers {
        definition: matches!(name.role, Role::Definition | Role::Clause),
        library: name
            .def
            .scope()
            .is_some_and(|scope| scope.origin(db) == Origin::Library),
        handled: name.role == Role::Handle,
    }
}

impl Analysis {
    /// The coloured words of a file, or of the items that a range of it touches, in the order of the
    /// text (`textDocument/semanticTokens`).
    pub fn semantic_tokens(&self, file: SourceFile, range: Option<TextRange>) -> Vec<Token> {
        let mut tokens = Vec::new();
        for (start, item) in self.semantic_tokens_by_item(file, range) {
            let wanted =
                |token: &Token| range.is_none_or(|wanted| wanted.intersect(token.range).is_some());
            let moved = item.iter().map(|token| Token {
                range: token.range + start,
                ..*token
            });
            tokens.extend(moved.filter(wanted));
        }
        tokens
    }

    /// The same, item by item: where each starts, and its words relative to that. Items that did
    /// not change hand out the same words again, so what differs is found without reading them.
    pub fn semantic_tokens_by_item(
        &self,
        file: SourceFile,
        range: Option<TextRange>,
    ) -> Vec<(TextSize, Arc<[Token]>)> {
        let db = self.db();
        let scope = scope_of(db, file);
        let all = TextRange::up_to(size(self.snapshot().length(file)));
        self.snapshot()
            .items_in(file, range.unwrap_or(all).into())
            .map(|(entry, place)| {
                (
                    size(place.range.start),
                    item_tokens(db, scope, entry.item).clone(),
                )
            })
            .collect()
    }
}
