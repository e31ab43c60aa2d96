//! Says what is wrong with a text that does not parse.
//!
//! The first mistake gets the best sentence there is. Of what follows only that is reported which
//! no other mistake can have caused: brackets, strings and comments that are still open, characters
//! that belong to nothing, and tokens that cannot come where the text had long been right again.

use std::ops::Range;

use text_size::{TextRange, TextSize};

use crate::error::{Replacement, SyntaxError, SyntaxErrorKind};
use crate::literal;
use crate::look_alikes;
use crate::message;
use crate::repair::{self, ErrorState, Repair, Repaired, RepairedText};
use crate::token::{self, NESTING_LIMIT, Token, TokenKind, Tokens};

/// What is wrong with a text, and what it should have been.
pub(crate) struct Diagnosis {
    pub errors: Vec<SyntaxError>,
    pub repaired: RepairedText,
}

/// Diagnoses the text of an item, or of a term on its own.
pub(crate) fn diagnose(text: &str, is_item: bool) -> Diagnosis {
    let tokens = token::tokens(text, is_item);
    let repaired = repair::repair(&tokens, is_item);
    let lexical = lexical_mistakes(text, &tokens);
    let partners = partners(&repaired.tokens);
    let mut reporter = Reporter {
        text,
        is_item,
        lexical,
        partners,
        errors: Vec::new(),
    };
    reporter.characters(&tokens);
    reporter.comment(&tokens);
    reporter.nesting(&tokens);
    reporter.misplaced(&repaired);
    reporter.brackets(&repaired);
    let bad: Vec<Token> = tokens
        .list
        .iter()
        .filter(|token| token.kind == TokenKind::Bad)
        .copied()
        .collect();
    let end = tokens.too_deep.unwrap_or(text.len());
    let repaired = RepairedText::new(text, end, &repaired.tokens, &repaired.repairs, &bad);
    let mut errors = reporter.errors;
    errors.sort_by_key(|error| error.range.start());
    Diagnosis { errors, repaired }
}

/// The error of an unclosed comment, in a text that parses otherwise.
pub(crate) fn unclosed_comment(text: &str, is_item: bool) -> Option<SyntaxError> {
    let tokens = token::tokens(text, is_item);
    let mut reporter = Reporter {
        text,
        is_item,
        lexical: Vec::new(),
        partners: Vec::new(),
        errors: Vec::new(),
    };
    reporter.comment(&tokens);
    reporter.errors.pop()
}

/// Where literals and comments begin that have no end, and where characters stand that belong to
/// nothing: what comes behind them may be wrong because of them.
fn lexical_mistakes(text: &str, tokens: &Tokens) -> Vec<usize> {
    let is_mistake = |token: &&Token| match token.kind {
        TokenKind::Bad => true,
        TokenKind::String | TokenKind::Character => {
            !literal::unescape(text.get(token.range()).unwrap_or_default()).closed
        }
        _ => false,
    };
    let mut places: Vec<usize> = tokens
        .list
        .iter()
        .filter(is_mistake)
        .map(|token| token.start)
        .collect();
    places.extend(tokens.unclosed_comment);
    places.extend(tokens.too_deep);
    places
}

/// Which tokens are brackets that have their counterpart, whatever stands between the two. A closing
/// bracket that fits an outer opening one leaves the inner ones without.
fn partners(tokens: &[Token]) -> Vec<bool> {
    let mut partners = vec![false; tokens.len()];
    let mut open: Vec<(usize, TokenKind)> = Vec::new();
    let mut open_of_kind = [0usize; 3];
    let index = |closer: TokenKind| match closer {
        TokenKind::RightParenthesis => 0,
        TokenKind::RightBracket => 1,
        _ => 2,
    };
    let mut pair = |at: usize| {
        if let Some(place) = partners.get_mut(at) {
            *place = true;
        }
    };
    for (at, token) in tokens.iter().enumerate() {
        if let Some(closer) = token.kind.closer() {
            open.push((at, closer));
            if let Some(count) = open_of_kind.get_mut(index(closer)) {
                *count += 1;
            }
        } else if token.kind.is_closer()
            && open_of_kind
                .get(index(token.kind))
                .is_some_and(|&count| count > 0)
        {
            while let Some((opener, closer)) = open.pop() {
                if let Some(count) = open_of_kind.get_mut(index(closer)) {
                    *count -= 1;
                }
                if closer == token.kind {
                    pair(opener);
                    pair(at);
                    break;
                }
            }
        }
    }
    partners
}

/// Whether a text was right for so long after a mistake that the next one is another: the mistake
/// was a single token, and a part of the program that it stood in has ended since.
fn is_right_again(before: (&ErrorState, &Repair), next: &ErrorState, tokens: &[Token]) -> bool {
    let (state, repair) = before;
    let is_small = repair.inserted.len() + usize::from(repair.deleted) == 1;
    let keeps_brackets = |kind: TokenKind| kind.closer().is_none() && !kind.is_closer();
    let left_out = tokens.get(repair.at).filter(|_| repair.deleted);
    let is_plain = repair.inserted.iter().copied().all(keeps_brackets)
        && left_out.is_none_or(|token| keeps_brackets(token.kind));
    let between = tokens.get(state.at..next.at).unwrap_or_default();
    if !is_small || !is_plain || between.len() < RIGHT_TOKENS {
        return false;
    }
    let mut depth = 0_i32;
    between.iter().any(|token| {
        if token.kind.closer().is_some() {
            depth += 1;
        } else if token.kind.is_closer() {
            depth -= 1;
        }
        let ends = matches!(
            token.kind,
            TokenKind::Bar | TokenKind::Comma | TokenKind::Semicolon
        );
        depth < 0 || (depth == 0 && ends)
    })
}

/// So many tokens at least stand between two mistakes that are told apart.
const RIGHT_TOKENS: usize = 4;

/// How many errors of one kind are reported for one item.
const SAME_ERRORS: usize = 10;

struct Reporter<'t> {
    text: &'t str,
    is_item: bool,
    lexical: Vec<usize>,
    /// For every token, whether it is a bracket that has its counterpart.
    partners: Vec<bool>,
    errors: Vec<SyntaxError>,
}

impl Reporter<'_> {
    fn push(&mut self, kind: SyntaxErrorKind, range: Range<usize>, message: String) -> &mut Self {
        self.errors.push(SyntaxError {
            kind,
            range: text_range(range),
            message,
            related: Vec::new(),
            help: None,
            replacement: None,
        });
        self
    }

    fn help(&mut self, help: impl Into<String>) -> &mut Self {
        if let Some(error) = self.errors.last_mut() {
            error.help = Some(help.into());
        }
        self
    }

    fn related(&mut self, range: Range<usize>, message: impl Into<String>) -> &mut Self {
        if let Some(error) = self.errors.last_mut() {
            error.related.push((text_range(range), message.into()));
        }
        self
    }

    /// Reports runs of characters that begin no token.
    fn characters(&mut self, tokens: &Tokens) {
        let bad = tokens
            .list
            .iter()
            .filter(|token| token.kind == TokenKind::Bad);
        let mut runs: Vec<Range<usize>> = Vec::new();
        for token in bad {
            match runs.last_mut() {
                Some(run) if run.end == token.start => run.end = token.end,
                _ => runs.push(token.range()),
            }
        }
        for run in runs.into_iter().take(SAME_ERRORS) {
            let characters = self.text.get(run.clone()).unwrap_or_default().to_owned();
            self.push(
                SyntaxErrorKind::BadCharacter,
                run,
                message::bad_characters(&characters),
            );
            if let Some(help) = message::bad_characters_help(&characters) {
                self.help(help);
            }
            if let Some(error) = self.errors.last_mut() {
                error.replacement = look_alikes::meant(&characters)
                    .map(|meant| Replacement::perhaps(error.range, meant));
            }
        }
    }

    fn comment(&mut self, tokens: &Tokens) {
        if let Some(start) = tokens.unclosed_comment {
            let message = "this comment has no end".to_owned();
            self.push(SyntaxErrorKind::UnclosedComment, start..start + 3, message);
            self.help("write `--}` where it ends; every `{--` inside it needs one of its own");
        }
    }

    fn nesting(&mut self, tokens: &Tokens) {
        if let Some(start) = tokens.too_deep {
            let message = format!("brackets are nested more than {NESTING_LIMIT} deep");
            self.push(SyntaxErrorKind::NestedTooDeeply, start..start + 1, message);
            self.help("give parts of this a name of their own");
        }
    }

    /// Reports tokens that cannot come where they stand, unless that has another cause.
    fn misplaced(&mut self, repaired: &Repaired) {
        let tokens = &repaired.tokens;
        let mut before: Option<(&ErrorState, &Repair)> = None;
        for (state, repair) in repaired.states.iter().zip(&repaired.repairs) {
            let place = tokens
                .get(state.at)
                .map_or(self.text.len(), |token| token.start);
            if self.lexical.iter().any(|&mistake| mistake < place) {
                return;
            }
            if self.is_closer_missing(repair) || self.is_closer_too_much(repair, tokens) {
                return;
            }
            if before.is_some_and(|before| !is_right_again(before, state, tokens)) {
                return;
            }
            let sentence = message::unexpected(self.text, self.is_item, tokens, state);
            let range = match &sentence.cure {
                Some(cure) => cure.at.clone(),
                None => self.range_at(tokens, state.at),
            };
            let kind = match state.at < tokens.len() || sentence.cure.is_some() {
                true => SyntaxErrorKind::Unexpected,
                false => SyntaxErrorKind::BrokenOff,
            };
            self.push(kind, range, sentence.message);
            let hides_rest = sentence.cure.as_ref().is_some_and(|cure| cure.hides_rest);
            if let (Some(cure), Some(error)) = (sentence.cure, self.errors.last_mut()) {
                error.replacement = Some(Replacement {
                    safe: true,
                    ..Replacement::perhaps(text_range(cure.replaced), cure.text.to_owned())
                });
            }
            if let Some(help) = sentence.help {
                self.help(help);
            }
            for (range, message) in sentence.related {
                self.related(range, message);
            }
            if hides_rest {
                return;
            }
            before = Some((state, repair));
        }
    }

    /// Reports brackets that nothing closes or opens. Those that are open at one place are one mistake.
    fn brackets(&mut self, repaired: &Repaired) {
        let tokens = &repaired.tokens;
        let mut reported = 0;
        let mut opener_deleted = false;
        let mut told_at = None;
        for repair in &repaired.repairs {
            let token = tokens.get(repair.at);
            let place = token.map_or(self.text.len(), |token| token.start);
            for &opener in &repair.openers {
                let Some(opener) = tokens
                    .get(opener)
                    .copied()
                    .filter(|_| !self.has_partner(opener))
                else {
                    continue;
                };
                // A string without an end may hide the closing bracket.
                let hidden = self
                    .lexical
                    .iter()
                    .any(|&mistake| opener.start < mistake && mistake < place);
                if hidden || reported >= SAME_ERRORS {
                    continue;
                }
                if told_at == Some(place) {
                    self.related(opener.range(), "nor is this one");
                    continue;
                }
                // Where a line breaks off, both a term and a bracket may be missing.
                if let Some(error) = self.misplaced_at(tokens, repair.at) {
                    let message = format!("this `{}` is open", opener.kind.grammar_name());
                    error.related.push((text_range(opener.range()), message));
                    continue;
                }
                told_at = Some(place);
                reported += 1;
                let closer = opener.kind.closer().map_or("", TokenKind::grammar_name);
                let message = format!("this `{}` is never closed", opener.kind.grammar_name());
                self.push(SyntaxErrorKind::UnclosedBracket, opener.range(), message);
                let here = match token {
                    Some(token) if token.kind.is_closer() && repair.deleted => {
                        format!("`{closer}` is needed here")
                    }
                    Some(_) => format!("`{closer}` is needed before this"),
                    None => format!("`{closer}` is needed before the end"),
                };
                self.related(self.range_at(tokens, repair.at), here);
            }
            let Some(token) = token.filter(|_| repair.deleted) else {
                continue;
            };
            if token.kind.closer().is_some() {
                opener_deleted = true;
            } else if self.is_closer_too_much(repair, tokens)
                && !opener_deleted
                && reported < SAME_ERRORS
                && !self.lexical.iter().any(|&mistake| mistake < token.start)
            {
                reported += 1;
                let message = format!("nothing opens this `{}`", token.kind.grammar_name());
                let mut openers = TokenKind::ALL.iter().copied();
                let opener = openers.find(|kind| kind.closer() == Some(token.kind));
                let opener = opener.map_or("", TokenKind::grammar_name);
                self.push(SyntaxErrorKind::UnopenedBracket, token.range(), message)
                    .help(format!(
                        "leave it out, or write the `{opener}` that it closes"
                    ));
            }
        }
    }

    /// What has been said of the token `at` as one that cannot come there.
    fn misplaced_at(&mut self, tokens: &[Token], at: usize) -> Option<&mut SyntaxError> {
        let range = text_range(self.range_at(tokens, at));
        let mut errors = self.errors.iter_mut();
        let is_misplaced = |kind| {
            matches!(
                kind,
                SyntaxErrorKind::Unexpected | SyntaxErrorKind::BrokenOff
            )
        };
        errors.find(|error| is_misplaced(error.kind) && error.range == range)
    }

    /// True if a repair leaves out a closing bracket and puts none in its place.
    fn is_closer_too_much(&self, repair: &Repair, tokens: &[Token]) -> bool {
        let is_closer = tokens
            .get(repair.at)
            .is_some_and(|token| token.kind.is_closer());
        repair.deleted && is_closer && repair.inserted.is_empty() && !self.has_partner(repair.at)
    }

    /// True if the first thing that a repair puts in is a closing bracket that is really missing.
    fn is_closer_missing(&self, repair: &Repair) -> bool {
        let is_closer = repair.inserted.first().is_some_and(|kind| kind.is_closer());
        is_closer
            && repair
                .openers
                .first()
                .is_some_and(|&opener| !self.has_partner(opener))
    }

    fn has_partner(&self, at: usize) -> bool {
        self.partners.get(at).copied().unwrap_or(false)
    }

    /// The range of the token `at`; of the end, the last character.
    fn range_at(&self, tokens: &[Token], at: usize) -> Range<usize> {
        match (tokens.get(at), tokens.last()) {
            (Some(token), _) => token.range(),
            (None, Some(last)) => {
                let text = self.text.get(last.range()).unwrap_or_default();
                last.end - text.chars().next_back().map_or(0, char::len_utf8)..last.end
            }
            (None, None) => {
                let end = self.text.trim_end().len();
                end..end
            }
        }
    }
}

fn text_range(range: Range<usize>) -> TextRange {
    let size = |position: usize| TextSize::new(u32::try_from(position).unwrap_or(u32::MAX));
    TextRange::new(size(range.start), size(range.end))
}
