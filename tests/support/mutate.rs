//! Changes to programs such as people make, and such as nobody would.

use std::ops::Range;

use rand::{Rng, RngExt};

const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "!",
    "|",
    "->",
    " = ",
    ": ",
    ";",
    ", ",
    "\n",
    "\n\n",
    "  ",
    "x",
    "c 1",
    "lift ",
    "<Smooth> ",
    "<Smooth(s a b -> s b)> ",
    "1",
    "'a'",
    "\"s",
    "\"",
    "{--",
    "--}",
    "-- ",
    "let y = x in ",
    "unit",
    "[Smooth X]",
    "f : Int -> Int\n",
    "f x = x\n",
    "data T = a | b Int\n",
    "interface I X = cmd : X -> X\n",
    "include prelude\n",
    "main! = 1\n",
    "\u{e9}",
    "\t",
    "\r\n",
    "include lib\n",
];

fn piece(rng: &mut impl Rng) -> &'static str {
    PIECES
        .get(rng.random_range(0..PIECES.len()))
        .copied()
        .unwrap_or_default()
}

/// One random edit, as somebody makes who types, deletes and pastes: gives the edited range and the
/// new text.
pub fn edit(rng: &mut impl Rng, text: &str) -> (Range<usize>, String) {
    let boundary = |mut offset: usize| {
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    let start = boundary(rng.random_range(0..=text.len()));
    match rng.random_range(0..10) {
        // Types something.
        0..=4 => (start..start, piece(rng).to_owned()),
        // Deletes something.
        5..=6 => {
            let end = boundary((start + rng.random_range(1..12)).min(text.len())).max(start);
            (start..end, String::new())
        }
        // Pastes a line from elsewhere over something.
        7 => {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let line = lines
                .get(rng.random_range(0..lines.len().max(1)))
                .copied()
                .unwrap_or("");
            (start..start, line.to_owned())
        }
        // Deletes a line.
        8 => {
            let (before, after) = text.split_at(start);
            let from = before.rfind('\n').map_or(0, |i| i + 1);
            let to = after.find('\n').map_or(text.len(), |i| start + i + 1);
            (from..to, String::new())
        }
        // Replaces a piece by another.
        _ => {
            let end = boundary((start + rng.random_range(0..6)).min(text.len())).max(start);
            (start..end, piece(rng).to_owned())
        }
    }
}

/// A text with some of its tokens dropped, doubled, swapped or replaced by others of its own or of
/// `other`. Most results still look like programs, and some still are.
pub fn change_tokens(rng: &mut impl Rng, text: &str, other: &str) -> String {
    let mut all = tokens(text);
    let others = tokens(other);
    for _ in 0..rng.random_range(1..=3) {
        if all.is_empty() {
            break;
        }
        let at = rng.random_range(0..all.len());
        let elsewhere = rng.random_range(0..all.len());
        match rng.random_range(0..6) {
            0 => {
                all.remove(at);
            }
            1 => all.insert(elsewhere, all.get(at).copied().unwrap_or_default()),
            2 => all.swap(at, elsewhere),
            3 | 4 if !others.is_empty() => {
                let new = others.get(rng.random_range(0..others.len())).copied();
                if let (Some(place), Some(new)) = (all.get_mut(at), new) {
                    *place = new;
                }
            }
            _ => {
                let new = all.get(elsewhere).copied();
                if let (Some(place), Some(new)) = (all.get_mut(at), new) {
                    *place = new;
                }
            }
        }
    }
    all.concat()
}

/// Cuts a text into words, blanks and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' || c == '\'' => 1,
        ' ' => 2,
        '-' | '>' | '<' | '=' | ':' => 3,
        _ => 0,
    };
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match kind(first) {
            0 => first.len_utf8(),
            k => rest.find(|c| kind(c) != k).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        all.push(token);
        rest = after;
    }
    all
}
