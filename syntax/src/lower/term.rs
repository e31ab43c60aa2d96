//! Terms.

use text_size::{TextRange, TextSize};

use super::Lowering;
use crate::ast::{BinaryOperator, Clause, FloatBits, Term, TermId, TermKind};
use crate::error::{Replacement, SyntaxError, SyntaxErrorKind};
use crate::language::Kind;
use crate::lexer;
use crate::literal;
use crate::stack::ensure_sufficient_stack;

impl Lowering<'_> {
    /// The current node as a term. Parentheses are no terms: what is in them is.
    pub(super) fn term(&mut self, kind: Kind) -> TermId {
        match kind {
            Kind::Variable => match self.name() {
                Some(name) => self.terms.alloc(Term {
                    id: name.id,
                    kind: TermKind::Name(name),
                }),
                None => self.missing_term(),
            },
            Kind::Natural => {
                let value = literal::natural(self.node_text());
                if value.is_none() {
                    self.number_too_large();
                }
                self.leaf(TermKind::Natural(value))
            }
            Kind::Float => {
                let value: f64 = self.node_text().parse().unwrap_or(f64::INFINITY);
                if value.is_infinite() {
                    self.number_too_large();
                }
                self.leaf(TermKind::Float(FloatBits::new(value)))
            }
            Kind::Character => {
                let value = self.character();
                self.leaf(value.map_or(TermKind::Missing, TermKind::Char))
            }
            Kind::String => {
                let value = self.string();
                self.leaf(TermKind::String(value))
            }
            // Terms nest as deep as the longest chain of `;`, which is no limit at all.
            _ => ensure_sufficient_stack(|| match kind {
                Kind::ParenthesizedTerm => {
                    let inside = self.terms_inside().into_iter().next();
                    inside.unwrap_or_else(|| self.missing_term())
                }
                Kind::Adapted => self.adapted(),
                Kind::BinaryOperation => self.operation(),
                Kind::Let => self.let_term(),
                _ => {
                    let id = self.id();
                    let kind = self.composite(kind);
                    self.terms.alloc(Term { id, kind })
                }
            }),
        }
    }

    fn leaf(&mut self, kind: TermKind) -> TermId {
        let id = self.id();
        self.terms.alloc(Term { id, kind })
    }

    fn composite(&mut self, kind: Kind) -> TermKind {
        match kind {
            Kind::Application => {
                let mut head = None;
                let mut args = Vec::new();
                self.children(|this, kind| {
                    if !kind.is_term() {
                    } else if head.is_none() {
                        head = Some(this.head(kind, HeadOf::Call));
                    } else {
                        args.push(this.term(kind));
                    }
                });
                let head = head.unwrap_or_else(|| self.missing_term());
                TermKind::Apply { head, args }
            }
            Kind::Force => {
                let mut head = None;
                self.children(|this, kind| {
                    if kind.is_term() {
                        head = Some(this.head(kind, HeadOf::Call));
                    }
                });
                let head = head.unwrap_or_else(|| self.missing_term());
                TermKind::Apply {
                    head,
                    args: Vec::new(),
                }
            }
            Kind::Sequence => {
                let (first, second) = self.two_terms();
                TermKind::Sequence { first, second }
            }
            Kind::Negation => {
                let operand = self.terms_inside().into_iter().next();
                TermKind::Negate(operand.unwrap_or_else(|| self.missing_term()))
            }
            Kind::List => TermKind::List(self.terms_inside()),
            Kind::Thunk => {
                let mut clauses: Vec<Clause> = Vec::new();
                self.children(|this, kind| {
                    if kind == Kind::Clause {
                        clauses.push(this.clause(|_| {}));
                    }
                });
                TermKind::Thunk { clauses }
            }
            _ => TermKind::Missing,
        }
    }

    fn terms_inside(&mut self) -> Vec<TermId> {
        let mut terms = Vec::new();
        self.children(|this, kind| {
            if kind.is_term() {
                terms.push(this.term(kind));
            }
        });
        terms
    }

    fn two_terms(&mut self) -> (TermId, TermId) {
        let mut terms = self.terms_inside().into_iter();
        let first = terms.next().unwrap_or_else(|| self.missing_term());
        let second = terms.next().unwrap_or_else(|| self.missing_term());
        (first, second)
    }

    /// `a + b + c` and the like, however long, without recursion to the left.
    fn operation(&mut self) -> TermId {
        let whole = self.node;
        // From the outermost in, each the left operand of the one before.
        let mut operations = Vec::new();
        let mut left = None;
        while let Some(node) = self.node {
            operations.push((node, self.id()));
            self.node = self.tree.first_child(node);
            let kind = self.node.map_or(Kind::Other, |left| self.tree.kind(left));
            if kind != Kind::BinaryOperation {
                left = Some(self.term(kind));
                break;
            }
        }
        while let Some((node, id)) = operations.pop() {
            self.node = Some(node);
            let kind = self.binary(left);
            left = Some(self.terms.alloc(Term { id, kind }));
        }
        self.node = whole;
        left.unwrap_or_else(|| self.missing_term())
    }

    /// The current operation, whose left operand is known.
    fn binary(&mut self, left: Option<TermId>) -> TermKind {
        let mut operator = None;
        let mut right = None;
        self.children(|this, kind| {
            if let Some(binary) = binary_operator(kind) {
                operator = Some((binary, this.id()));
            } else if kind.is_term() && operator.is_some() {
                right = Some(this.term(kind));
            }
        });
        let left = left.unwrap_or_else(|| self.missing_term());
        let right = right.unwrap_or_else(|| self.missing_term());
        match operator {
            Some((operator, operator_id)) => TermKind::Binary {
                operator,
                operator_id,
                left,
                right,
            },
            None => TermKind::Missing,
        }
    }

    fn let_term(&mut self) -> TermId {
        let id = self.id();
        let mut name = None;
        let mut terms = Vec::with_capacity(2);
        self.children(|this, kind| match kind {
            Kind::Name => name = this.name(),
            _ if kind.is_term() => terms.push(this.term(kind)),
            _ => {}
        });
        let mut terms = terms.into_iter();
        let bound = terms.next().unwrap_or_else(|| self.missing_term());
        let body = terms.next().unwrap_or_else(|| self.missing_term());
        let kind = match name {
            Some(name) => TermKind::Let { name, bound, body },
            None => TermKind::Sequence {
                first: bound,
                second: body,
            },
        };
        self.terms.alloc(Term { id, kind })
    }

    /// `<adaptors> u`. In `<I> f x` the grammar takes the whole application for `u`, to say more
    /// about it than that `x` was not expected.
    fn adapted(&mut self) -> TermId {
        let id = self.id();
        let mut adaptors = Vec::new();
        let mut body = None;
        self.children(|this, kind| match kind {
            Kind::Adaptor => adaptors.extend(this.adaptor()),
            Kind::Application => {
                let mut argument = None;
                let mut heads = 0;
                this.children(|this, kind| {
                    if kind.is_term() {
                        heads += 1;
                        if heads == 2 {
                            argument = Some(this.range());
                        }
                    }
                });
                body = Some(this.term(kind));
                if let Some(range) = argument {
                    let message =
                        "an adapted operator needs parentheses before it can have arguments";
                    let help =
                        "write `<I> (f x)` to adapt the call, or `(<I> f) x` to adapt `f` alone";
                    this.error_with_help(SyntaxErrorKind::Unexpected, range, message, help);
                }
            }
            _ if kind.is_term() => body = Some(this.head(kind, HeadOf::Adaptors)),
            _ => {}
        });
        let body = body.unwrap_or_else(|| self.missing_term());
        self.terms.alloc(Term {
            id,
            kind: TermKind::Adapted { adaptors, body },
        })
    }

    /// The current node as a term that is applied or adapted: a name, or a use in parentheses.
    fn head(&mut self, kind: Kind, of: HeadOf) -> TermId {
        let range = self.range();
        let known = self.errors.len();
        let head = self.term(kind);
        let term = &self.terms[head];
        let unclosed = |error: &SyntaxError| {
            matches!(
                error.kind,
                SyntaxErrorKind::UnclosedString | SyntaxErrorKind::UnclosedChar
            )
        };
        // What follows it may be what it was meant to end before.
        if self.errors.iter().skip(known).any(unclosed) {
            return head;
        }
        let what = match &term.kind {
            TermKind::Name(_)
            | TermKind::Apply { .. }
            | TermKind::Adapted { .. }
            | TermKind::Missing => return head,
            TermKind::Thunk { .. } => "a suspended computation in braces",
            TermKind::Natural(_) | TermKind::Float(_) => "a number",
            TermKind::Char(_) => "a character",
            TermKind::String(_) => "a string",
            TermKind::List(_) => "a list",
            _ => "this term",
        };
        if of == HeadOf::Adaptors {
            let message =
                format!("{what} cannot be adapted: only a name can, or a use in parentheses");
            let help = "an adaptor stands before what performs commands: `<I> f!`, or `<I> (f x)`";
            self.error_with_help(SyntaxErrorKind::NotAHead, range, message, help);
            return head;
        }
        if self.ends_line(range) {
            let message = "a `;`, a `,` or an operator is missing at the end of this line";
            let help =
                format!("without it the next line's terms are arguments, and {what} takes none");
            self.error_with_help(SyntaxErrorKind::NotAHead, range, message, help);
            return head;
        }
        if let Some(inner) = self.forced_braces(range, head) {
            let forced = TextRange::new(range.start(), range.end() + TextSize::of('!'));
            self.errors.push(SyntaxError {
                kind: SyntaxErrorKind::NotAHead,
                range: forced,
                message: "braces suspend, and `!` computes at once: here they undo each other"
                    .to_owned(),
                related: Vec::new(),
                help: Some("leave out the braces and the `!`".to_owned()),
                replacement: Some(Replacement {
                    range: forced,
                    text: format!("({inner})"),
                    safe: true,
                    uses: Vec::new(),
                }),
            });
            return head;
        }
        let message = format!("{what} cannot be applied: only a name can, or a use in parentheses");
        if matches!(term.kind, TermKind::Thunk { .. }) {
            let help = "give it a name: `let f = {…} in f x`";
            self.error_with_help(SyntaxErrorKind::NotAHead, range, message, help);
        } else {
            let help =
                "an operator between the two may be missing, or parentheses around an argument";
            self.error_with_help(SyntaxErrorKind::NotAHead, range, message, help);
        }
        head
    }

    /// What stands in braces that take no argument, if `!` follows them.
    fn forced_braces(&self, range: TextRange, term: TermId) -> Option<&str> {
        let TermKind::Thunk { clauses } = &self.terms[term].kind else {
            return None;
        };
        let [clause] = &clauses[..] else {
            return None;
        };
        let rest = self.text.get(range.end().into()..)?;
        let inner = self.text.get(range.start().into()..range.end().into())?;
        let inner = inner.strip_prefix('{')?.strip_suffix('}')?.trim();
        let is_plain =
            clause.patterns.is_empty() && !inner.is_empty() && !inner.contains(['\n', '|']);
        (is_plain && rest.starts_with('!') && !rest.starts_with("!=")).then_some(inner)
    }

    /// Whether nothing but blanks and comments stands between a term and the end of its line.
    fn ends_line(&self, range: TextRange) -> bool {
        let rest = self.text.get(range.end().into()..).unwrap_or_default();
        let mut tokens = lexer::lex(rest).take_while(|(kind, _)| kind.is_trivia());
        tokens.any(|(_, blank)| rest.get(blank).is_some_and(|blank| blank.contains('\n')))
    }

    // Literals

    pub(super) fn number_too_large(&mut self) {
        let range = self.range();
        self.error(
            SyntaxErrorKind::NumberTooLarge,
            range,
            "this number does not fit in 64 bits",
        );
    }

    /// The current string literal's value.
    pub(super) fn string(&mut self) -> String {
        let literal = self.literal();
        if !literal.closed {
            let range = self.open_literal();
            let help = "write `\"` before the end of the line";
            self.error_with_help(
                SyntaxErrorKind::UnclosedString,
                range,
                "this string has no end",
                help,
            );
        }
        literal.value
    }

    /// The current character literal's value; `None` after an error.
    pub(super) fn character(&mut self) -> Option<char> {
        let literal = self.literal();
        let range = self.range();
        if !literal.closed {
            let range = self.open_literal();
            let help = "write `'` behind the character";
            self.error_with_help(
                SyntaxErrorKind::UnclosedChar,
                range,
                "this character has no end",
                help,
            );
            return None;
        }
        let mut chars = literal.value.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Some(c),
            (None, _) => {
                self.error(
                    SyntaxErrorKind::Unexpected,
                    range,
                    "between these quotation marks a character is missing",
                );
                None
            }
            _ => {
                let message = "only one character can stand between single quotation marks";
                let help = "a string has double quotation marks";
                self.error_with_help(SyntaxErrorKind::Unexpected, range, message, help);
                None
            }
        }
    }

    /// Where the current literal stands, which its line ends: without the `\r` of the line's end.
    fn open_literal(&self) -> TextRange {
        let range = self.range();
        match self.node_text().ends_with('\r') {
            true => TextRange::new(range.start(), range.end() - TextSize::of('\r')),
            false => range,
        }
    }

    fn literal(&mut self) -> literal::Literal {
        let literal = literal::unescape(self.node_text());
        let start = self.range().start();
        let size = |bytes: usize| TextSize::new(u32::try_from(bytes).unwrap_or(u32::MAX));
        for error in &literal.errors {
            let range = TextRange::new(
                start + size(error.range.start),
                start + size(error.range.end),
            );
            self.error(SyntaxErrorKind::BadEscape, range, error.message);
        }
        literal
    }
}

/// What a term is the head of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeadOf {
    Call,
    Adaptors,
}

fn binary_operator(kind: Kind) -> Option<BinaryOperator> {
    Some(match kind {
        Kind::Plus => BinaryOperator::Add,
        Kind::Minus => BinaryOperator::Subtract,
        Kind::Star => BinaryOperator::Multiply,
        Kind::Slash => BinaryOperator::Divide,
        Kind::Less => BinaryOperator::Less,
        Kind::Greater => BinaryOperator::Greater,
        Kind::LessEqual => BinaryOperator::LessEqual,
        Kind::GreaterEqual => BinaryOperator::GreaterEqual,
        Kind::EqualEqual => BinaryOperator::Equal,
        Kind::NotEqual => BinaryOperator::NotEqual,
        Kind::Cons => BinaryOperator::Cons,
        _ => return None,
    })
}
