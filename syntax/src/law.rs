//! Laws: `for all x : Int, ys : List Int. term`.
//!
//! A law has two readings, the types of its variables and a computation that takes them. Each is an item of its own, whose
//! places are those of the law: the text is changed byte by byte, and then parsed as everything else is.

use std::ops::Range;

use crate::lexer::{Kind, lex};
use crate::parse::{ParsedItem, parse_term, parse_term_within, parse_type};

/// What a law begins with.
const BEGINNING: &str = "for all ";

/// The parts of a law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Law {
    /// The variables, at least one.
    pub variables: Vec<Variable>,
    /// Where the `.` is that ends them.
    dot: usize,
}

/// A variable of a law, as ranges of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub name: Range<usize>,
    ty: Range<usize>,
}

/// A token that means something.
type Token<'t> = (Kind, &'t str, usize);

fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let all = lex(text).filter(|(kind, _)| !kind.is_trivia());
    all.map(|(kind, range)| {
        let start = range.start;
        (kind, text.get(range).unwrap_or_default(), start)
    })
}

/// Whether a line begins a law: `for all`, one name or several, and a colon. Everything else is prose.
pub fn begins(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(BEGINNING) else {
        return false;
    };
    let is_name = |kind: Kind| matches!(kind, Kind::Name | Kind::BuiltinType);
    let (mut names, mut commas) = (0, 0);
    for (kind, word, _) in tokens(rest) {
        match word {
            ":" => return names > 0 && (commas == 0 || commas + 1 == names),
            "," => commas += 1,
            _ if is_name(kind) => names += 1,
            _ => return false,
        }
    }
    false
}

/// Reads a law, from `for all` on.
///
/// # Errors
/// The variables are not said as they should be; with a sentence that says how.
pub fn read(text: &str) -> Result<Law, String> {
    let form = "a law is written `-- for all x : Int, ys : List Int. term`";
    let tokens: Vec<Token> = tokens(text).collect();
    let mut rest = tokens.as_slice();
    if let [(_, "for", _), (_, "all", _), others @ ..] = rest {
        rest = others;
    }
    let mut variables = Vec::new();
    loop {
        let [(Kind::Name, name, at), (_, ":", _), others @ ..] = rest else {
            let found = rest.first().map_or_else(
                || "the law ends".to_owned(),
                |(_, found, _)| match rest.get(1) {
                    Some((_, after, _)) => format!("`{found} {after}` stands"),
                    None => format!("`{found}` stands"),
                },
            );
            return Err(format!(
                "a variable and its type, `x : Int`, should be where {found}: {form}"
            ));
        };
        rest = others;
        let start = rest.first().map_or(text.len(), |(_, _, start)| *start);
        let mut depth = 0_usize;
        let mut end = start;
        let ended = loop {
            let [(kind, word, at), others @ ..] = rest else {
                return Err(format!(
                    "the type of `{name}` should end with `,` or `.`, and the law ends: {form}"
                ));
            };
            rest = others;
            match (kind, *word) {
                (Kind::Open, _) | (_, "<") => depth += 1,
                (Kind::Close, _) | (_, ">") => depth = depth.saturating_sub(1),
                (_, "->") if depth == 0 => {
                    return Err(format!(
                        "`{name}` is said to be a function: write its type with braces, `{{…}}`, \
                         and a law that does without it, for no functions are made up"
                    ));
                }
                (_, "," | ".") if depth == 0 => break (*word, *at),
                _ => {}
            }
            end = at + word.len();
        };
        if start >= end {
            return Err(format!("there is no type behind `{name} :`: {form}"));
        }
        variables.push(Variable {
            name: *at..at + name.len(),
            ty: start..end,
        });
        if let (".", dot) = ended {
            return Ok(Law { variables, dot });
        }
    }
}

impl Law {
    /// The names of the variables in the law's text.
    pub fn names<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let all = self.variables.iter();
        all.map(move |one| text.get(one.name.clone()).unwrap_or_default())
    }
}

/// Blanks where a text has anything but what is kept.
fn blanked<'r>(text: &str, kept: impl Iterator<Item = &'r Range<usize>>) -> Vec<u8> {
    let mut bytes: Vec<u8> = text
        .bytes()
        .map(|b| if b == b'\n' { b } else { b' ' })
        .collect();
    for range in kept {
        if let (Some(to), Some(from)) = (bytes.get_mut(range.clone()), text.get(range.clone())) {
            to.copy_from_slice(from.as_bytes());
        }
    }
    bytes
}

fn put(bytes: &mut [u8], at: usize, what: &str) {
    for (byte, new) in bytes.iter_mut().skip(at).zip(what.bytes()) {
        *byte = new;
    }
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}

/// The types of a law's variables, `Int -> List Int`, where they stand in it. `None` of what is no law.
pub fn types_of(text: &str) -> Option<String> {
    let law = read(text).ok()?;
    let mut bytes = blanked(text, law.variables.iter().map(|one| &one.ty));
    for pair in law.variables.windows(2) {
        // Between two types there is a comma at least, a name and a colon.
        if let [before, _] = pair {
            put(&mut bytes, before.ty.end, "->");
        }
    }
    bytes.truncate(law.dot);
    Some(text_of(bytes))
}

/// The signature of a test of a law: `Int -> List Int -> Bool`. Of what is no law, the type that it would be.
pub fn parse_law_types(text: &str) -> ParsedItem {
    match types_of(text) {
        Some(types) => parse_type(&format!("{types}-> Bool")),
        None => parse_type(text),
    }
}

/// The term of a law, where it stands in it. `None` of what is no law.
pub fn term_of(text: &str) -> Option<String> {
    let law = read(text).ok()?;
    let body = law.dot + 1..text.len();
    Some(text_of(blanked(text, [&body].into_iter())))
}

/// The computation that takes a law's variables: `{x ys -> term}`. Of what is no law, the term that it would be.
pub fn parse_law(text: &str) -> ParsedItem {
    let Ok(law) = read(text) else {
        return parse_term(text);
    };
    let body = law.dot + 1..text.len();
    let names = law.variables.iter().map(|one| &one.name);
    let mut bytes = blanked(text, names.chain([&body]));
    if let (Some(first), Some(last)) = (law.variables.first(), law.variables.last()) {
        put(&mut bytes, first.name.start.saturating_sub(1), "{");
        // Behind the last name there is a colon at least, a type and the dot.
        put(&mut bytes, last.name.end, "->");
        put(&mut bytes, law.dot, "(");
    }
    // A comment at the end goes no further than its line.
    parse_term_within(&format!("{}\n)}}", text_of(bytes)), text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_a_law() {
        for law in [
            "for all x : Int. x == x",
            "for all x y: Int",
            "for all x, y : Int. x",
        ] {
            assert!(begins(law), "{law}");
        }
        for prose in [
            "for all elements; stops",
            "for all values, but two: these",
            "for all x in ys: these",
            "for all : x",
            "for alls : Int. x",
            "for all",
        ] {
            assert!(!begins(prose), "{prose}");
        }
    }

    #[test]
    fn a_law_has_two_readings() {
        let text = "for all x:Int,é : List (Pair Int {Int -> Int}) . x == é -- why";
        assert!(parse_law(text).errors.is_empty());
        assert!(parse_law_types(text).errors.is_empty());
        let law = read(text).unwrap();
        assert_eq!(law.names(text).collect::<Vec<_>>(), ["x", "é"]);
    }

    #[test]
    fn mistakes_are_where_they_are_written() {
        let text = "for all x : Int. x == )";
        let errors = parse_law(text).errors;
        assert_eq!(usize::from(errors[0].range.start()), text.len() - 1);
        let text = "for all x : List (Int. x == x";
        assert!(read(text).unwrap_err().contains("should end"));
    }

    #[test]
    fn what_is_no_law() {
        for (text, wanted) in [
            ("for all x y : Int. x", "`x y` stands"),
            ("for all x : Int", "the law ends"),
            ("for all x : . x", "no type behind"),
            ("for all x : Int -> Int. x", "a function"),
            ("for all x : Int, 3 : Int. x", "`3 :` stands"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(wanted), "{text}: {message}");
            parse_law(text);
            parse_law_types(text);
        }
    }
}
