//! The values of literals.

use std::ops::Range;

use crate::lexer::{blanks, is_blank};

/// A mistake inside a string or character literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LiteralError {
    /// Where, in bytes from the start of the literal.
    pub range: Range<usize>,
    pub message: &'static str,
}

/// What a string or character literal stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Literal {
    pub value: String,
    /// False if the closing quotation mark is not there.
    pub closed: bool,
    pub errors: Vec<LiteralError>,
}

/// The names that an escape can give a character below 32, in order.
const CONTROL_NAMES: [&str; 32] = [
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR",
    "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC",
    "FS", "GS", "RS", "US",
];

/// Reads a literal with its quotation marks; the escapes are Haskell's.
pub(crate) fn unescape(literal: &str) -> Literal {
    let mut chars = literal.chars();
    let quote = chars.next();
    let mut position = quote.map_or(0, char::len_utf8);
    let mut result = Literal {
        value: String::with_capacity(literal.len()),
        closed: false,
        errors: Vec::new(),
    };
    loop {
        let rest = literal.get(position..).unwrap_or_default();
        let Some(c) = rest.chars().next() else { break };
        if Some(c) == quote {
            result.closed = true;
            break;
        }
        if c != '\\' {
            result.value.push(c);
            position += c.len_utf8();
            continue;
        }
        let body = rest.get(1..).unwrap_or_default();
        let (escape, length) = escape(body, quote == Some('"'));
        match escape {
            Ok(Some(c)) => result.value.push(c),
            Ok(None) => {}
            Err(message) => {
                result.errors.push(LiteralError {
                    range: position..position + 1 + length,
                    message,
                });
                result.value.push(char::REPLACEMENT_CHARACTER);
            }
        }
        position += 1 + length;
    }
    result
}

/// Reads an escape behind its backslash: what it stands for, and its length.
fn escape(body: &str, in_string: bool) -> (Result<Option<char>, &'static str>, usize) {
    const UNKNOWN: &str = "there is no such escape; a backslash itself is written `\\\\`";
    let Some(first) = body.chars().next() else {
        return (Err("a character is missing behind this backslash"), 0);
    };
    let simple = match first {
        'a' => Some('\u{7}'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\u{b}'),
        '\\' | '"' | '\'' => Some(first),
        _ => None,
    };
    if simple.is_some() {
        return (Ok(simple), 1);
    }
    match first {
        '&' if in_string => (Ok(None), 1),
        '^' => match body.chars().nth(1) {
            Some(c @ '@'..='_') => (Ok(char::from_u32(c as u32 - '@' as u32)), 2),
            _ => (
                Err("`\\^` needs one of `@`, `A` to `Z`, `[`, `\\`, `]`, `^`, `_` behind it"),
                1,
            ),
        },
        '0'..='9' => number(body, 0, 10),
        'x' | 'X' => number(body, 1, 16),
        'o' | 'O' => number(body, 1, 8),
        'A'..='Z' => {
            if body.starts_with("DEL") {
                return (Ok(Some('\u{7f}')), 3);
            }
            if body.starts_with("SP") {
                return (Ok(Some(' ')), 2);
            }
            // The longest name counts: `\SOH` is not `\SO` and `H`.
            let name = (0u32..)
                .zip(CONTROL_NAMES)
                .filter(|(_, name)| body.starts_with(name));
            match name.max_by_key(|(_, name)| name.len()) {
                Some((code, name)) => (Ok(char::from_u32(code)), name.len()),
                None => (Err(UNKNOWN), 1),
            }
        }
        _ if in_string && is_blank(first) => {
            let blanks = blanks(body);
            match body.get(blanks..).unwrap_or_default().starts_with('\\') {
                true => (Ok(None), blanks + 1),
                false => (
                    Err("a gap in a string ends with a second backslash"),
                    blanks,
                ),
            }
        }
        _ => (Err(UNKNOWN), first.len_utf8()),
    }
}

/// Reads the number of a character, whose digits begin behind `prefix` bytes.
fn number(body: &str, prefix: usize, radix: u32) -> (Result<Option<char>, &'static str>, usize) {
    let digits = body.get(prefix..).unwrap_or_default();
    let digits: &str = digits
        .split(|c: char| !c.is_digit(radix))
        .next()
        .unwrap_or_default();
    if digits.is_empty() {
        return (Err("digits are missing in this escape"), prefix);
    }
    let character = u32::from_str_radix(digits, radix)
        .ok()
        .and_then(char::from_u32);
    (
        character
            .map(Some)
            .ok_or("there is no character of this number"),
        prefix + digits.len(),
    )
}

/// The value of a natural literal; `None` if it does not fit in 64 bits.
pub(crate) fn natural(text: &str) -> Option<u64> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
        && !digits.is_empty()
    {
        return u64::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = text.strip_prefix("0o").or_else(|| text.strip_prefix("0O"))
        && !digits.is_empty()
    {
        return u64::from_str_radix(digits, 8).ok();
    }
    text.parse().ok()
}
