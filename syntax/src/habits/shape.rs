//! Shapes of tokens.
//!
//! A shape is written as a text of pieces with blanks between them:
//!
//! | piece | stands for |
//! |---|---|
//! | `…` | any tokens, whole brackets among them; at the end, all up to the bracket that closes them |
//! | `NAME` | a name |
//! | `COMMAND` | the name of a command of the program |
//! | `NAMES` | one name or several |
//! | `CAPITAL`, `SMALL` | a name that begins with a capital letter, and with a small one |
//! | `FILE` | the name behind `include` |
//! | `TOKEN` | any token, or a bracket with what is in it |
//! | `NUMBER`, `LITERAL` | a number; a number, a string or a character |
//! | `CHARACTER` | a character, or what a quotation mark begins |
//! | `WORD` | a name or the name of a built-in type |
//! | `ATOM` | a name, a literal, or brackets with what is in them |
//! | `ATOMS` | one or several names, literals, built-in types, or brackets with what is in them |
//! | `OPERATOR` | an operator of the language |
//! | `COMPARISON` | an operator that compares |
//! | `BEGIN` | no token: something begins here, since an opening bracket, `=`, `;` and so on stand before |
//! | `APART` | no token: what comes behind it touches no name and no number, and is in no adaptor |
//! | `END` | no token: a bracket closes here, or the text ends |
//! | `~` | no token: what stands before it touches what comes behind it |
//! | `BLANK` | no token: blanks stand here |
//! | `LINE` | no token: a line begins |
//! | `«`, `»` | no token: what is between them is pointed at |
//! | `≈word` | a name that is one slip away from being spelled like that |
//! | anything else | one token or several that touch each other, spelled like that; `¦` stands between spellings |

use std::ops::Range;

use super::Place;
use crate::token::{Token, TokenKind};

/// So many tokens at most does a `…` in the middle of a shape stand for.
const GAP: usize = 400;

/// A bracket of more tokens is no part of a habit.
const LONGEST_BRACKET: usize = 4_000;

/// A text cut into tokens.
pub(super) struct View<'t> {
    pub text: &'t str,
    pub tokens: Vec<Token>,
    is_item: bool,
    /// The `=` of a clause.
    pub equal: Option<usize>,
    /// See [`super::Suspect::declared`].
    pub declared: Option<&'t str>,
    /// See [`super::Suspect::arguments`].
    pub arguments: Option<&'t super::Arguments<'t>>,
}

/// The tokens that have a shape.
pub(super) struct Match {
    pub tokens: Range<usize>,
    /// What to point at: what stands between `«` and `»`, else what the shape spells first, or all if
    /// that is a bracket.
    pub mark: Range<usize>,
    /// The first tokens that the shape spells.
    pub sign: Range<usize>,
    /// The tokens that the shape spells, names and literals.
    pub words: Vec<usize>,
    /// What each `…`, `NAMES`, `NAME`, `WORD`, `NUMBER` and `ATOM` stands for.
    pub parts: Vec<Range<usize>>,
}

impl Match {
    /// The words that show the habit, unless they are names in the program: the first that the shape
    /// spells, and those in brackets that are pointed at.
    pub fn own_words<'t>(&self, view: &'t View<'_>) -> impl Iterator<Item = &'t str> {
        let in_brackets = match view.kind(self.mark.start) {
            Some(TokenKind::LeftBracket) => self.mark.clone(),
            _ => 0..0,
        };
        let first = self.sign.clone().take(1);
        let names = first.chain(in_brackets);
        let is_name = move |at: &usize| view.kind(*at) == Some(TokenKind::Name);
        names.filter(is_name).map(move |at| view.spelling(at))
    }
}

/// A shape that was read.
pub(super) struct Shape {
    pub pieces: Vec<&'static str>,
}

impl Shape {
    pub fn new(written: &'static str) -> Shape {
        Shape {
            pieces: written.split_whitespace().collect(),
        }
    }

    /// Whether a text has all that the shape spells: without it, no tokens of the text have the shape.
    pub fn may_be_in(&self, text: &str) -> bool {
        let is_exact = |piece: &&&str| spells(piece) && misspelt(piece).is_none();
        let mut spelled = self.pieces.iter().filter(is_exact);
        spelled.all(|piece| piece.split('¦').any(|spelling| text.contains(spelling)))
    }

    /// The tokens from `start` on, if they have the shape.
    pub fn find(&self, view: &View<'_>, start: usize) -> Option<Match> {
        let mut found = Match {
            tokens: start..start,
            mark: start..start,
            sign: start..start,
            words: Vec::new(),
            parts: Vec::new(),
        };
        let end = view.matches(&self.pieces, start, &mut found)?;
        found.tokens = start..end;
        if found.mark.is_empty() {
            let is_bracket = view.kind(found.sign.start).is_some_and(opens);
            found.mark = match is_bracket || found.sign.is_empty() {
                true => start..end,
                false => found.sign.clone(),
            };
        }
        Some(found)
    }
}

/// Whether a piece is the name of a kind of token, or of a place between tokens.
pub(super) fn is_word(piece: &str) -> bool {
    piece.chars().all(|c| c.is_ascii_uppercase())
}

/// Whether a piece spells tokens.
fn spells(piece: &str) -> bool {
    !is_word(piece) && !matches!(piece, "…" | "«" | "»" | "~")
}

/// The word that a piece stands for misspellings of.
fn misspelt(piece: &str) -> Option<&str> {
    piece.strip_prefix('≈')
}

/// Whether a name differs from a word by one slip: a letter too many, too few or another one, or two
/// neighbours that are exchanged.
pub(super) fn is_slip(name: &str, word: &str) -> bool {
    let (name, word): (Vec<char>, Vec<char>) = (name.chars().collect(), word.chars().collect());
    let same = |(a, b): &(&char, &char)| a == b;
    let before = name.iter().zip(&word).take_while(same).count();
    let rest = |all: &[char]| all.get(before..).unwrap_or_default().to_vec();
    let (name, word) = (rest(&name), rest(&word));
    let behind = (name.iter().rev().zip(word.iter().rev()))
        .take_while(same)
        .count();
    let own = name.get(..name.len() - behind).unwrap_or_default();
    let other = word.get(..word.len() - behind).unwrap_or_default();
    match (own, other) {
        ([], [_]) | ([_], []) | ([_], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

fn opens(kind: TokenKind) -> bool {
    kind.closer().is_some()
}

impl<'t> View<'t> {
    pub fn new(text: &'t str, tokens: Vec<Token>, is_item: bool) -> View<'t> {
        let mut view = View {
            text,
            tokens,
            is_item,
            equal: None,
            declared: None,
            arguments: None,
        };
        view.equal = (0..view.tokens.len()).find(|&at| view.kind(at) == Some(TokenKind::Equal));
        view
    }

    pub fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub fn spelling(&self, at: usize) -> &'t str {
        let range = self.tokens.get(at).map_or(0..0, Token::range);
        self.text.get(range).unwrap_or_default()
    }

    /// The bytes from the first to the last of some tokens.
    pub fn range(&self, tokens: Range<usize>) -> Range<usize> {
        let start = self
            .tokens
            .get(tokens.start)
            .map_or(self.text.len(), |token| token.start);
        let last = tokens.end.checked_sub(1).and_then(|at| self.tokens.get(at));
        start..last.map_or(start, |token| token.end.max(start))
    }

    /// The text of some tokens.
    pub fn slice(&self, tokens: Range<usize>) -> &'t str {
        self.text.get(self.range(tokens)).unwrap_or_default()
    }

    /// The token that a byte of the text is in, or the next one; the number of tokens at the end.
    pub fn token_at(&self, at: usize) -> Option<usize> {
        let found = self.tokens.partition_point(|token| token.end <= at);
        // An error at the end of a text stands at its last token.
        Some(found.min(self.tokens.len().checked_sub(1)?))
    }

    pub fn touches(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        matches!((before, self.tokens.get(at)), (Some(before), Some(token)) if before.end == token.start)
    }

    /// How many characters stand before a token on its line.
    pub fn column(&self, at: usize) -> usize {
        let start = self.range(at..at).start;
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        before.get(line..).unwrap_or_default().chars().count()
    }

    pub fn begins_line(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let between = match (before, self.tokens.get(at)) {
            (Some(before), Some(token)) => self.text.get(before.end..token.start),
            _ => None,
        };
        between.is_some_and(|between| between.contains('\n'))
    }

    /// Whether the token `at` stands in some part of the item.
    pub fn is_in(&self, at: usize, place: Place) -> bool {
        use TokenKind::{Colon, ColonColon, Data, Interface};
        let first = self.kind(0);
        let declares = self.is_item && matches!(first, Some(Data | Interface));
        let signs = self.is_item && matches!(self.kind(1), Some(Colon | ColonColon));
        let behind_equal = self.equal.is_some_and(|equal| at > equal);
        match place {
            Place::Anywhere => true,
            Place::Start => self.is_item && at == 0,
            Place::Declaration => declares,
            Place::Types => signs && !declares,
            Place::Head => {
                let names = self.is_item && first == Some(TokenKind::Name);
                names && !signs && !behind_equal
            }
            Place::Body => !self.is_item || (!declares && !signs && behind_equal),
        }
    }

    /// The end of the bracket at `at`, behind what closes it.
    fn bracket_end(&self, at: usize) -> Option<usize> {
        let mut depth = 0usize;
        for next in at..self.tokens.len().min(at + LONGEST_BRACKET) {
            match self.kind(next) {
                Some(kind) if opens(kind) => depth += 1,
                Some(kind) if kind.is_closer() => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(next + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The next token at this depth: behind a bracket, if one opens. `None` where one closes.
    pub fn next(&self, at: usize) -> Option<usize> {
        match self.kind(at)? {
            kind if opens(kind) => self.bracket_end(at),
            kind if kind.is_closer() => None,
            _ => Some(at + 1),
        }
    }

    /// The token before this one at this depth: the one that opens it, if a bracket closes there.
    pub fn previous(&self, at: usize) -> Option<usize> {
        let mut before = at.checked_sub(1)?;
        let mut depth = 0usize;
        loop {
            match self.kind(before)? {
                kind if kind.is_closer() => depth += 1,
                kind if opens(kind) => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(before);
            }
            before = before.checked_sub(1)?;
        }
    }

    /// Where what goes on at `at` ends, at the same depth: at a closing bracket, the text's end, or a
    /// token of these.
    pub fn end(&self, mut at: usize, ends: &[TokenKind]) -> usize {
        while let Some(kind) = self.kind(at)
            && !ends.contains(&kind)
            && let Some(next) = self.next(at)
        {
            at = next;
        }
        at
    }

    /// The end of the tokens that have the shape of some pieces.
    fn matches(&self, pieces: &[&str], at: usize, found: &mut Match) -> Option<usize> {
        let Some((&piece, rest)) = pieces.split_first() else {
            return Some(at);
        };
        match piece {
            "…" => return self.gap(rest, at, found),
            "«" => found.mark = at..at,
            "»" => found.mark.end = at,
            _ => {}
        }
        if matches!(piece, "«" | "»") {
            return self.matches(rest, at, found);
        }
        let end = self.piece(piece, at)?;
        let spells = spells(piece);
        if spells && found.sign.is_empty() {
            found.sign = at..end;
        }
        if spells || matches!(piece, "NAME" | "CAPITAL" | "SMALL" | "LITERAL") {
            found.words.extend(at..end);
        }
        if is_word(piece) && end > at {
            found.parts.push(at..end);
        }
        self.matches(rest, end, found)
    }

    /// `…`, and what comes behind it.
    fn gap(&self, rest: &[&str], start: usize, found: &mut Match) -> Option<usize> {
        if matches!(rest, [] | ["»"]) {
            let end = self.end(start, &[]);
            found.parts.push(start..end);
            return self.matches(rest, end, found);
        }
        let mut at = start;
        let known = (found.sign.clone(), found.words.len(), found.parts.len());
        for _ in 0..GAP {
            found.parts.push(start..at);
            if let Some(end) = self.matches(rest, at, found) {
                return Some(end);
            }
            found.sign = known.0.clone();
            found.words.truncate(known.1);
            found.parts.truncate(known.2);
            at = self.next(at)?;
        }
        None
    }

    /// The end of a piece that begins at `at`.
    fn piece(&self, piece: &str, at: usize) -> Option<usize> {
        use TokenKind::*;
        let kind = self.kind(at);
        let one = |is: bool| is.then_some(at + 1);
        match piece {
            "NAME" => one(kind == Some(Name)),
            "CAPITAL" => {
                one(kind == Some(Name) && self.spelling(at).starts_with(char::is_uppercase))
            }
            "SMALL" => one(kind == Some(Name) && self.spelling(at).starts_with(char::is_lowercase)),
            "COMMAND" => {
                let name = self.spelling(at);
                let takes = self.arguments.and_then(|arguments| arguments(name));
                one(kind == Some(Name) && takes.is_some())
            }
            "TOKEN" => self.next(at),
            "FILE" => one(kind == Some(ModuleName)),
            "NAMES" => {
                let names = self.tokens.get(at..)?.iter();
                let count = names.take_while(|token| token.kind == Name).count();
                (count > 0).then_some(at + count)
            }
            "NUMBER" => one(matches!(kind, Some(Natural | Float))),
            "LITERAL" => one(matches!(kind, Some(Natural | Float | String | Character))),
            "CHARACTER" => one(kind == Some(Character)),
            "WORD" => one(matches!(kind, Some(Name | BuiltinType))),
            "ATOM" => match kind? {
                kind if opens(kind) => self.bracket_end(at),
                Name | Natural | Float | String | Character => Some(at + 1),
                _ => None,
            },
            "ATOMS" => {
                let mut end = at;
                while let Some(next) = match self.kind(end) {
                    Some(BuiltinType) => Some(end + 1),
                    _ => self.piece("ATOM", end),
                } {
                    end = next;
                }
                (end > at).then_some(end)
            }
            "COMPARISON" => one(kind.is_some_and(is_comparison)),
            "OPERATOR" => one(kind.is_some_and(|kind| {
                is_comparison(kind) || matches!(kind, Plus | Minus | Star | Slash | ColonColon)
            })),
            "BEGIN" => {
                let before = at.checked_sub(1).and_then(|before| self.kind(before));
                before.is_none_or(begins).then_some(at)
            }
            "APART" => {
                let before = at.checked_sub(1).and_then(|before| self.kind(before));
                let is_word = matches!(before, Some(Name | Natural | Float));
                let touches = self.touches(at) && is_word;
                (!touches && before != Some(Less)).then_some(at)
            }
            "END" => kind.is_none_or(TokenKind::is_closer).then_some(at),
            "LINE" => self.begins_line(at).then_some(at),
            "BLANK" => (!self.touches(at)).then_some(at),
            "~" => self.touches(at).then_some(at),
            _ => match misspelt(piece) {
                Some(word) => one(kind == Some(Name) && is_slip(self.spelling(at), word)),
                None => piece
                    .split('¦')
                    .find_map(|spelling| self.spelled(spelling, at)),
            },
        }
    }

    /// The end of the tokens that touch each other and are spelled like this.
    fn spelled(&self, piece: &str, start: usize) -> Option<usize> {
        let mut rest = piece;
        let mut at = start;
        while !rest.is_empty() {
            if at > start && !self.touches(at) {
                return None;
            }
            let spelling = self.spelling(at);
            if spelling.is_empty() {
                return None;
            }
            rest = rest.strip_prefix(spelling)?;
            at += 1;
        }
        Some(at)
    }
}

fn is_comparison(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Less | Greater | LessEqual | GreaterEqual | EqualEqual | BangEqual
    )
}

/// Whether a term begins behind such a token.
pub(super) fn begins(kind: TokenKind) -> bool {
    use TokenKind::*;
    opens(kind) || matches!(kind, Equal | Semicolon | In | Comma | Arrow | Bar | Colon)
}
