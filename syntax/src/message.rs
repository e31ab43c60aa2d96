//! The sentences that say what was expected, and what is there instead.

use std::borrow::Cow;
use std::ops::Range;

use crate::look_alikes::look_alike;
use crate::repair::ErrorState;
use crate::token::{Token, TokenKind};
use crate::visible::{is_joiner, visible};

/// A message about a place, without the place.
pub(crate) struct Sentence {
    pub message: String,
    pub help: Option<String>,
    pub related: Vec<(Range<usize>, String)>,
    /// What to write elsewhere, if the mistake is not where it is seen.
    pub cure: Option<Cure>,
}

/// What was meant, at some distance from where a mistake is seen.
pub(crate) struct Cure {
    /// What to point at.
    pub at: Range<usize>,
    /// What the text takes the place of.
    pub replaced: Range<usize>,
    pub text: &'static str,
    /// What comes behind is read wrongly because of it.
    pub hides_rest: bool,
}

/// What a clause is given that goes on below its patterns without a `=`.
pub(crate) const FORGOTTEN_EQUAL: &str = " =";

/// A sentence about characters that begin no token.
pub(crate) fn bad_characters(characters: &str) -> String {
    let mut chars = characters.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if is_unseen(c) => {
            format!("the character {} has no meaning here", number(c))
        }
        (Some(c), None) => match look_alike(c).filter(|_| !is_familiar(c)) {
            Some(meant) => format!(
                "the character `{c}` ({}) looks like `{meant}`, and has no meaning in Frank",
                number(c)
            ),
            None => format!("the character `{c}` has no meaning in Frank"),
        },
        _ => {
            let shown = characters.chars().take(20);
            if shown.clone().any(is_unseen) {
                let numbers: Vec<String> = shown.map(number).collect();
                return format!("the characters {} have no meaning here", numbers.join(", "));
            }
            let shown: String = shown.collect();
            format!("the characters `{shown}` have no meaning in Frank")
        }
    }
}

/// Whether a character is named by its number, since it cannot be shown.
fn is_unseen(c: char) -> bool {
    c.is_whitespace()
        || is_joiner(c)
        || matches!(visible(c.encode_utf8(&mut [0; 4])), Cow::Owned(_))
}

/// `U+0007`.
fn number(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// Whether a character is known for what it is, and not taken for another one.
fn is_familiar(c: char) -> bool {
    matches!(c, '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '`')
}

/// What to write instead of them.
pub(crate) fn bad_characters_help(characters: &str) -> Option<String> {
    let first = characters.chars().next()?;
    let help = match first {
        '→' => "write `->`",
        '←' => "write `let x = … in …`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        '×' | '·' => "write `*`",
        '÷' => "write `/`",
        _ if first.is_whitespace() => "write an ordinary blank",
        _ if is_unseen(first) => "leave it out",
        _ => {
            return Some(match look_alike(first)? {
                "\"" => "write `\"` around a string".to_owned(),
                "'" => "write `'` around a character".to_owned(),
                meant => format!("write `{meant}`"),
            });
        }
    };
    Some(help.to_owned())
}

/// Says what was expected at a mistake.
pub(crate) fn unexpected(
    text: &str,
    is_item: bool,
    tokens: &[Token],
    state: &ErrorState,
) -> Sentence {
    let mistake = Mistake {
        text,
        is_item,
        tokens,
        state,
    };
    let mut sentence = Sentence {
        message: mistake.message(),
        help: mistake.help(),
        related: Vec::new(),
        cure: None,
    };
    if let Some(last) = mistake.end_of_head() {
        sentence.message = "a `=` is missing at the end of this line".to_owned();
        sentence.help = Some("it stands between the patterns and the body: `f x = …`".to_owned());
        sentence.cure = Some(Cure {
            at: last.range(),
            replaced: last.end..last.end,
            text: FORGOTTEN_EQUAL,
            hides_rest: true,
        });
        return sentence;
    }
    if let Some(binding) = mistake.open_let() {
        let needs = "this `let` needs an `in`".to_owned();
        if let Some((binding, semicolon)) = mistake.let_with_semicolon() {
            sentence.message = "a binding ends with `in`, not with `;`".to_owned();
            sentence.help = Some("write `let x = … in …`".to_owned());
            sentence.related.push((binding.range(), needs));
            sentence.cure = Some(Cure {
                at: semicolon.range(),
                replaced: semicolon.range(),
                text: " in",
                hides_rest: false,
            });
            return sentence;
        }
        sentence.related.push((binding.range(), needs));
        if let Some(last) = mistake.end_of_binding(binding) {
            sentence.message = "an `in` is missing at the end of this line".to_owned();
            sentence.help = None;
            sentence.cure = Some(Cure {
                at: last.range(),
                replaced: last.end..last.end,
                text: " in",
                hides_rest: false,
            });
        }
    }
    sentence
}

/// A token that cannot come where it stands, with all that is around it.
struct Mistake<'a> {
    text: &'a str,
    is_item: bool,
    tokens: &'a [Token],
    state: &'a ErrorState,
}

impl Mistake<'_> {
    fn accepts(&self, kind: TokenKind) -> bool {
        let automaton = &self.state.automaton;
        if automaton.accepts(kind) {
            return true;
        }
        // In braces an empty token comes first.
        let mut clause = automaton.trial();
        clause.feed(TokenKind::BodyStart) && clause.accepts(kind)
    }

    fn found(&self) -> Option<Token> {
        self.tokens.get(self.state.at).copied()
    }

    fn before(&self, distance: usize) -> Option<Token> {
        self.state
            .at
            .checked_sub(distance)
            .and_then(|at| self.tokens.get(at))
            .copied()
    }

    fn kind_before(&self, distance: usize) -> Option<TokenKind> {
        self.before(distance).map(|token| token.kind)
    }

    fn first_kind(&self) -> Option<TokenKind> {
        self.tokens.first().map(|token| token.kind)
    }

    fn text_of(&self, token: Token) -> &str {
        self.text.get(token.range()).unwrap_or_default()
    }

    /// The token's text in quotation marks, or what it is.
    fn quote(&self, token: Token) -> String {
        let text = self.text_of(token);
        match token.kind {
            TokenKind::String if text.chars().count() > 20 => "a string".to_owned(),
            _ if token.kind.is_reserved() && token.kind != TokenKind::BuiltinType => {
                format!("the keyword `{text}`")
            }
            _ if text.chars().count() > 40 => {
                let start: String = text.chars().take(40).collect();
                format!("`{start}…`")
            }
            _ => format!("`{text}`"),
        }
    }

    fn found_text(&self) -> String {
        match self.found() {
            Some(token) => self.quote(token),
            None => format!("the end of the {}", self.whole()),
        }
    }

    fn whole(&self) -> &'static str {
        if self.is_item { "item" } else { "term" }
    }

    /// `after …`, for the token in front of the mistake.
    fn after(&self) -> String {
        match self.before(1) {
            Some(token) => format!(" after {}", self.quote(token)),
            None => String::new(),
        }
    }

    /// The `let` whose `in` is expected where something else stands.
    fn open_let(&self) -> Option<Token> {
        if !self.accepts(TokenKind::In) {
            return None;
        }
        let open = self
            .state
            .open
            .last()
            .and_then(|&at| self.tokens.get(at))
            .copied();
        open.filter(|token| token.kind == TokenKind::Let)
    }

    /// The last token of what a `let` binds, if a line behind it begins in its column or before that.
    fn end_of_binding(&self, binding: Token) -> Option<Token> {
        let column = |token: &Token| {
            let before = self.text.get(..token.start).unwrap_or_default();
            before.len() - before.rfind('\n').map_or(0, |end| end + 1)
        };
        let lines = self.tokens.windows(2).take(self.state.at);
        let mut ends = lines.filter_map(|pair| match pair {
            [last, next] => {
                let between = self.text.get(last.end..next.start)?;
                let is_end = last.start > binding.start && between.contains('\n');
                (is_end && column(next) <= column(&binding)).then_some(*last)
            }
            _ => None,
        });
        ends.next()
    }

    /// The first `let` without `in` whose value a `;` ends, at the end of its line if it has lines below, and
    /// that `;`.
    fn let_with_semicolon(&self) -> Option<(Token, Token)> {
        let open = self.state.open.iter().rev();
        let tokens = open.filter_map(|&at| self.tokens.get(at));
        let lets = tokens.take_while(|token| token.kind == TokenKind::Let);
        let with_semicolon = lets.filter_map(|&binding| {
            let semicolon = self.semicolon_of(binding)?;
            let last = self.end_of_binding(binding);
            last.is_none_or(|last| last == semicolon)
                .then_some((binding, semicolon))
        });
        with_semicolon.last()
    }

    /// The first `;` behind the value of a `let`, before the mistake.
    fn semicolon_of(&self, binding: Token) -> Option<Token> {
        let mut depth = 0_usize;
        let from = self
            .tokens
            .partition_point(|token| token.start <= binding.start);
        for token in self.tokens.get(from..self.state.at)? {
            match token.kind {
                TokenKind::Semicolon if depth == 0 => return Some(*token),
                TokenKind::Let => depth += 1,
                TokenKind::In => depth = depth.checked_sub(1)?,
                kind if kind.closer().is_some() => depth += 1,
                kind if kind.is_closer() => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        None
    }

    /// True in the patterns of an operator's clause.
    fn in_head(&self) -> bool {
        let before = self.tokens.get(..self.state.at).unwrap_or_default();
        self.is_item
            && self.first_kind() == Some(TokenKind::Name)
            && !before
                .iter()
                .any(|token| matches!(token.kind, TokenKind::Equal | TokenKind::Colon))
    }

    /// The last token on the line of a clause's name, if the clause goes on below it without a `=`.
    fn end_of_head(&self) -> Option<Token> {
        let is_broken = |pair: &[Token]| match pair {
            [last, next] => {
                let between = self.text.get(last.end..next.start);
                between.is_some_and(|between| between.contains('\n'))
            }
            _ => false,
        };
        let first_line = self.tokens.windows(2).position(is_broken)?;
        let head = self.tokens.get(..=first_line)?;
        let opened = head.iter().filter(|token| token.kind.closer().is_some());
        let closed = head.iter().filter(|token| token.kind.is_closer());
        let is_whole = head.len() > 1 && opened.count() == closed.count();
        // Guards stand on lines of their own.
        let next = self.tokens.get(first_line + 1);
        let is_guard = next.is_some_and(|next| next.kind == TokenKind::Bar);
        let is_below = self.state.at > first_line && !is_guard;
        (self.in_head() && is_below && is_whole).then(|| head.last().copied())?
    }

    fn message(&self) -> String {
        let found = self.found_text();
        if self.state.at == 0 {
            return match (self.is_item, self.found()) {
                (true, Some(token)) => format!(
                    "an item begins with a name, `data`, `interface` or `include`, not with {}",
                    self.quote(token)
                ),
                (true, None) => "expected an item".to_owned(),
                (false, _) => format!("expected a term, found {found}"),
            };
        }
        let name = self.tokens.first().map_or("", |&token| self.text_of(token));
        if self.in_head() && self.state.at == 1 {
            return match self.found().map(|token| token.kind) {
                Some(TokenKind::Equal) => {
                    format!("expected `!` or patterns between `{name}` and `=`")
                }
                _ => format!("expected `:`, `!` or a pattern after `{name}`, found {found}"),
            };
        }
        if self.in_head() && self.accepts(TokenKind::Equal) {
            return match self.kind_before(1) {
                Some(TokenKind::Bang) => format!("expected `=` after `{name}!`, found {found}"),
                _ => format!("expected `=` after the patterns of `{name}`, found {found}"),
            };
        }
        let expected = self.expected();
        format!("expected {expected}{}, found {found}", self.after())
    }

    /// What could come, in the language's terms.
    fn expected(&self) -> String {
        use TokenKind::*;
        if self.accepts(Semicolon) {
            return self.behind_term();
        }
        let opened = self
            .kind_before(1)
            .is_some_and(|kind| kind.closer().is_some());
        if self.accepts(Let) || self.accepts(Float) {
            return match self.kind_before(1) {
                Some(LeftBrace) if opened => "a clause or `}`".to_owned(),
                Some(LeftBracket) if opened => "a term or `]`".to_owned(),
                _ => "a term".to_owned(),
            };
        }
        if self.accepts(BuiltinType) {
            return self.types();
        }
        if self.accepts(String) {
            let ends = self.list([
                Equal,
                Arrow,
                RightParenthesis,
                RightBracket,
                Greater,
                Comma,
                ColonColon,
            ]);
            return match self.accepts(Arrow) {
                true if !self.in_command_pattern() => "`->`, or a further pattern,".to_owned(),
                _ if ends.is_empty() => "a pattern".to_owned(),
                _ => either(std::iter::once("a pattern".to_owned()).chain(ends)),
            };
        }
        if self.accepts(Name)
            && ![Equal, Arrow, RightBracket, Colon]
                .iter()
                .any(|&kind| self.accepts(kind))
        {
            return self.name();
        }
        let mut choices = Vec::new();
        if self.accepts(Name) {
            choices.push(match self.first_kind() {
                Some(Data | Interface) => "a parameter".to_owned(),
                _ => "a name".to_owned(),
            });
        }
        if self.accepts(ModuleName) {
            choices.push("the name of a file".to_owned());
        }
        if self.accepts(Natural) {
            choices.push("a number".to_owned());
        }
        choices.extend(self.list([
            Equal,
            Colon,
            Arrow,
            In,
            RightParenthesis,
            RightBracket,
            RightBrace,
            Greater,
            Bar,
            Comma,
            ColonColon,
            LeftBrace,
        ]));
        if self.accepts(ItemEnd) {
            choices.push(format!("the end of the {}", self.whole()));
        }
        either(choices)
    }

    /// Behind a whole term: what closes the part that it stands in, or a continuation.
    fn behind_term(&self) -> String {
        use TokenKind::*;
        let mut choices = self.list([RightParenthesis, Comma, RightBracket, Bar, RightBrace, In]);
        if self.accepts(ItemEnd) {
            choices.push(format!("the end of the {}", self.whole()));
        }
        choices.push("an operator".to_owned());
        either(choices)
    }

    fn types(&self) -> String {
        use TokenKind::*;
        let mut choices = self.list([
            Arrow,
            RightParenthesis,
            RightBrace,
            RightBracket,
            Greater,
            Bar,
            Comma,
        ]);
        if self.accepts(ItemEnd) {
            choices.push(format!("the end of the {}", self.whole()));
        }
        match self.kind_before(1) {
            // A type could only be an argument here.
            _ if !choices.is_empty()
                && self
                    .kind_before(1)
                    .is_none_or(|kind| kind.closer().is_none()) =>
            {
                either(choices)
            }
            _ => "a type".to_owned(),
        }
    }

    /// What kind of name.
    fn name(&self) -> String {
        use TokenKind::*;
        let name = match (self.kind_before(1), self.first_kind()) {
            (Some(Data), _) => "the name of a data type",
            (Some(Interface), _) => "the name of an interface",
            (Some(Let), _) => "the name that `let` binds",
            (Some(Bar | Equal), Some(Data)) => "a constructor",
            (Some(Bar | Equal), Some(Interface)) => "a command",
            (Some(Less), _) if self.accepts(Greater) => "an adaptor or `>`",
            (Some(Less), _) => "a command, or a name for the computation,",
            (Some(Arrow), _) if self.in_command_pattern() => "a name for the continuation",
            (Some(LeftParenthesis), _) if self.in_head() => "a constructor",
            (Some(Comma | Bar), _) => "the name of an interface",
            _ => "a name",
        };
        name.to_owned()
    }

    /// True between the `<` and the `>` of a command pattern.
    fn in_command_pattern(&self) -> bool {
        let before = self.tokens.get(..self.state.at).unwrap_or_default();
        let mut kinds = before.iter().rev().map(|token| token.kind);
        let open = kinds.find(|kind| {
            use TokenKind::*;
            matches!(kind, Less | Greater | Bar | LeftBrace | Equal | Semicolon)
        });
        open == Some(TokenKind::Less)
    }

    /// Those of `kinds` that could come, in quotation marks.
    fn list<const N: usize>(&self, kinds: [TokenKind; N]) -> Vec<String> {
        let possible = kinds.into_iter().filter(|&kind| self.accepts(kind));
        possible
            .map(|kind| format!("`{}`", kind.grammar_name()))
            .collect()
    }

    fn help(&self) -> Option<String> {
        use TokenKind::*;
        let found = self.found();
        let name = self.tokens.first().map_or("", |&token| self.text_of(token));
        let help = match found.map(|token| token.kind) {
            Some(Equal) if self.in_head() && self.state.at == 1 => {
                let pattern = if name == "x" { "y" } else { "x" };
                format!(
                    "patterns stand in front of `=`, as in `{name} {pattern} = …`; an operator without arguments is defined by `{name}! = …`"
                )
            }
            Some(Equal) if self.accepts(Semicolon) => {
                "write `==` to compare, or `let x = … in …` to name".to_owned()
            }
            Some(Bar | Equal | Arrow | Semicolon | Plus | Minus | Star | Slash | Let | In)
                if self.state.at == 0 =>
            {
                "indent the line if it belongs to the item above".to_owned()
            }
            Some(ColonColon) if !self.accepts(Float) && self.accepts(RightParenthesis) => {
                "each `::` of a pattern needs parentheses: `(a :: (b :: c))`".to_owned()
            }
            Some(Float) if self.accepts(String) && !self.accepts(Float) => {
                "no pattern is a float: bind it to a name and compare that".to_owned()
            }
            Some(Greater) if self.accepts(Arrow) && self.in_command_pattern() => {
                "the continuation needs a name: `<c x -> k>`; `<m>` matches any computation"
                    .to_owned()
            }
            Some(Arrow) if self.accepts(RightParenthesis) && self.accepts(Semicolon) => {
                "clauses stand in braces: `{x -> …}`".to_owned()
            }
            Some(Arrow) if self.accepts(RightParenthesis) && self.first_kind() != Some(Data) => {
                "the type of a function has braces: `{A -> B}`".to_owned()
            }
            Some(Let) if self.accepts(Float) => "put the `let` in parentheses".to_owned(),
            Some(Comma) if self.accepts(String) && !self.accepts(Float) => {
                "patterns are separated by blanks".to_owned()
            }
            Some(kind) if kind.is_reserved() && self.accepts(Name) => {
                format!("`{}` is a reserved word", kind_text(self, found))
            }
            None if self.open_let().is_some() => "write `let x = … in …`".to_owned(),
            _ => return None,
        };
        Some(help)
    }
}

fn kind_text<'a>(place: &'a Mistake<'_>, token: Option<Token>) -> &'a str {
    token.map_or("", |token| place.text_of(token))
}

/// `a`, `a or b`, `a, b or c`.
fn either(choices: impl IntoIterator<Item = String>) -> String {
    let mut choices: Vec<String> = choices.into_iter().collect();
    let Some(last) = choices.pop() else {
        return "something else".to_owned();
    };
    if choices.is_empty() {
        last
    } else {
        format!("{} or {last}", choices.join(", "))
    }
}
