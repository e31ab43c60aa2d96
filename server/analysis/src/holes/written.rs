//! Terms that are found, as text.

use frank_syntax::ast::{Item, TermId, TermKind};

use crate::surroundings::{Parent, Surroundings};

/// A piece of a term, in the order in which its parts are found: what it begins, then each part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// `name`, `name!` if it is forced, or a call with so many arguments; adaptors in front, as they are written, if there are some.
    Use {
        name: String,
        adaptors: Option<String>,
        arguments: usize,
        forced: bool,
    },
    /// A literal.
    Literal(&'static str),
    /// `{x y -> …}`, with one part.
    Braces { variables: Vec<String> },
    /// `{ pattern -> … | … }`, with a part for each pattern.
    Clauses { patterns: Vec<String> },
    /// Two parts, with an operator between.
    Infix(&'static str),
    /// `case subject { pattern -> … | … }`, with a part for each pattern.
    Case {
        subject: String,
        patterns: Vec<String>,
        /// What the patterns bind.
        variables: Vec<String>,
    },
    /// A part that is still to be written.
    Hole,
}

impl Token {
    /// How many parts follow.
    pub fn parts(&self) -> usize {
        match self {
            Token::Use { arguments, .. } => *arguments,
            Token::Literal(_) | Token::Hole => 0,
            Token::Braces { .. } => 1,
            Token::Infix(_) => 2,
            Token::Clauses { patterns } | Token::Case { patterns, .. } => patterns.len(),
        }
    }

    /// Whether adaptors stand in front.
    pub fn is_adapted(&self) -> bool {
        matches!(
            self,
            Token::Use {
                adaptors: Some(_),
                ..
            }
        )
    }

    /// Whether it reads a local.
    pub fn reads(&self, name: &str) -> bool {
        match self {
            Token::Use { name: used, .. } => used == name,
            Token::Case { subject, .. } => subject == name,
            _ => false,
        }
    }
}

/// Where a term stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Anything can stand there as it is.
    Free,
    /// Beside an operator.
    Operand,
    /// Behind `::`.
    Rest,
    /// Of a call, or under an adaptor.
    Argument,
}

impl Place {
    /// The place of a term in an item.
    pub fn of(item: &Item, surroundings: &Surroundings, term: TermId) -> Place {
        match surroundings.parent(term) {
            Some(Parent::Term(parent)) => match item.terms[parent].kind {
                TermKind::Apply { .. } | TermKind::Adapted { .. } => Place::Argument,
                TermKind::Binary { .. } | TermKind::Negate(_) => Place::Operand,
                _ => Place::Free,
            },
            Some(Parent::Clause { .. }) | None => Place::Free,
        }
    }
}

/// The text of a term, with parentheses around it where its place wants them.
pub(super) fn text<'t>(tokens: impl IntoIterator<Item = &'t Token>, place: Place) -> String {
    let mut out = String::new();
    let tokens: Vec<&Token> = tokens.into_iter().collect();
    write(&mut tokens.iter(), place, &mut out);
    out
}

type Rest<'r> = std::slice::Iter<'r, &'r Token>;

fn write(rest: &mut Rest<'_>, place: Place, out: &mut String) {
    let Some(token) = rest.next().copied() else {
        out.push('_');
        return;
    };
    if *token == Token::Infix("::") && is_list(rest.clone()) {
        write_list(rest, out);
        return;
    }
    let needs_parentheses = match token {
        Token::Use {
            adaptors,
            arguments,
            ..
        } => place == Place::Argument && (*arguments > 0 || adaptors.is_some()),
        Token::Infix("::") if place == Place::Rest => false,
        Token::Infix(_) | Token::Case { .. } => place != Place::Free,
        Token::Literal(_) | Token::Braces { .. } | Token::Clauses { .. } | Token::Hole => false,
    };
    if needs_parentheses {
        out.push('(');
    }
    match token {
        Token::Use {
            name,
            adaptors,
            arguments,
            forced,
        } => {
            if let Some(adaptors) = adaptors {
                out.push_str(&format!("<{adaptors}> "));
            }
            let wrapped = adaptors.is_some() && *arguments > 0;
            if wrapped {
                out.push('(');
            }
            out.push_str(name);
            if *forced {
                out.push('!');
            }
            for _ in 0..*arguments {
                out.push(' ');
                write(rest, Place::Argument, out);
            }
            if wrapped {
                out.push(')');
            }
        }
        Token::Literal(text) => out.push_str(text),
        Token::Hole => out.push('_'),
        Token::Braces { variables } => {
            out.push('{');
            if !variables.is_empty() {
                out.push_str(&variables.join(" "));
                out.push_str(" -> ");
            }
            write(rest, Place::Free, out);
            out.push('}');
        }
        Token::Infix(operator) => {
            write(rest, Place::Operand, out);
            out.push_str(&format!(" {operator} "));
            let last = match *operator {
                "::" => Place::Rest,
                _ => Place::Operand,
            };
            write(rest, last, out);
        }
        Token::Clauses { patterns } => write_clauses(patterns, rest, out),
        Token::Case {
            subject, patterns, ..
        } => {
            out.push_str(&format!("case {subject} "));
            write_clauses(patterns, rest, out);
        }
    }
    if needs_parentheses {
        out.push(')');
    }
}

/// Whether what follows a `::` ends in `[]`.
fn is_list(mut rest: Rest<'_>) -> bool {
    loop {
        let mut open = 1;
        while open > 0 {
            let Some(token) = rest.next() else {
                return false;
            };
            open = open - 1 + token.parts();
        }
        match rest.next() {
            Some(Token::Literal("[]")) => return true,
            Some(Token::Infix("::")) => {}
            _ => return false,
        }
    }
}

/// What follows a `::`, up to `[]`, as a list.
fn write_list(rest: &mut Rest<'_>, out: &mut String) {
    out.push('[');
    write(rest, Place::Free, out);
    while rest
        .next()
        .is_some_and(|token| **token == Token::Infix("::"))
    {
        out.push_str(", ");
        write(rest, Place::Free, out);
    }
    out.push(']');
}

/// Clauses in braces.
fn write_clauses(patterns: &[String], rest: &mut Rest<'_>, out: &mut String) {
    out.push_str("{ ");
    for (index, pattern) in patterns.iter().enumerate() {
        if index > 0 {
            out.push_str(" | ");
        }
        out.push_str(&format!("{pattern} -> "));
        write(rest, Place::Free, out);
    }
    out.push_str(" }");
}
