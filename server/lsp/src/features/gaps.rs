//! The `_` that a change leaves to be filled in: the command that selects it once the change is made.

use std::ops::Range;

use frank_ide::{TextEdit, holes_in};
use frank_syntax::lexer::lex;
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use crate::commands::{SELECT, place_arguments};
use crate::documents::Document;
use crate::request_snapshot::{RequestSnapshot, Target};

/// Selects, once edits are made, the first gap that they leave in the file on the line asked about or below
/// it, or the last one above. `None` if there is none, or the client cannot show it.
pub fn to_gap(
    snapshot: &RequestSnapshot,
    document: &Document,
    target: &Target,
    edits: &[TextEdit],
) -> Option<lsp::Command> {
    let gaps = |new: &str, old: &str| gap_in(new, old).into_iter().collect();
    selected(snapshot, document, target, edits, gaps)
}

/// As [`to_gap`], for the patterns of a new last port.
pub fn to_port(
    snapshot: &RequestSnapshot,
    document: &Document,
    target: &Target,
    edits: &[TextEdit],
) -> Option<lsp::Command> {
    selected(snapshot, document, target, edits, |new, _| ports_in(new))
}

fn selected(
    snapshot: &RequestSnapshot,
    document: &Document,
    target: &Target,
    edits: &[TextEdit],
    gaps_in: impl Fn(&str, &str) -> Vec<Range<usize>>,
) -> Option<lsp::Command> {
    if !snapshot.capabilities.shows_documents {
        return None;
    }
    let own = edits.iter().filter(|edit| edit.at.file == target.file);
    let mut own: Vec<&TextEdit> = own.collect();
    own.sort_by_key(|edit| edit.at.range.start());
    let old = document.text.to_string();
    let mut text = String::new();
    let mut gaps: Vec<Range<usize>> = Vec::new();
    let mut done = 0;
    for edit in own {
        let replaced = Range::<usize>::from(edit.at.range);
        text.push_str(old.get(done..replaced.start).unwrap_or_default());
        let before = old.get(replaced.clone()).unwrap_or_default();
        let start = text.len();
        let found = gaps_in(&edit.text, before).into_iter();
        gaps.extend(found.map(|gap| start + gap.start..start + gap.end));
        text.push_str(&edit.text);
        done = replaced.end;
    }
    text.push_str(old.get(done..).unwrap_or_default());
    let text = Rope::from_str(&text);
    let asked = target.range().start.min(document.text.len_bytes());
    let line = document.text.byte_to_line(asked);
    let mut near = gaps
        .iter()
        .filter(|gap| text.byte_to_line(gap.start) >= line);
    let gap = near.next().or(gaps.last())?.clone();
    let place = lsp::Location {
        uri: document.uri.clone(),
        range: snapshot.documents.encoding.range(&text, gap),
    };
    Some(lsp::Command {
        title: "Select what is to be filled in".to_owned(),
        command: SELECT.to_owned(),
        arguments: Some(place_arguments(&place)),
    })
}

/// The last patterns of clauses that are `_`.
fn ports_in(text: &str) -> Vec<Range<usize>> {
    let tokens = lex(text).filter(|(kind, _)| !kind.is_trivia());
    let words: Vec<Range<usize>> = tokens.map(|(_, range)| range).collect();
    let word = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
    let ends = words.iter().skip(1).map(word).chain(["="]);
    let last = words.iter().zip(ends);
    last.filter(|(range, next)| word(range) == "_" && *next == "=")
        .map(|(range, _)| range.clone())
        .collect()
}

/// The gap that is written in the place of another text: the body of a clause, or an argument. Other `_`
/// are patterns.
fn gap_in(text: &str, before: &str) -> Option<Range<usize>> {
    if is_hole(before) {
        return holes_in(text).first().map(|hole| (*hole).into());
    }
    let tokens = lex(text).filter(|(kind, _)| !kind.is_trivia());
    let words: Vec<Range<usize>> = tokens.map(|(_, range)| range).collect();
    let word = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
    let is_gap = |range: &Range<usize>| word(range) == "_";
    let bodies = words.windows(2).find_map(|pair| match pair {
        [sign, gap] if matches!(word(sign), "=" | "->") && is_gap(gap) => Some(gap.clone()),
        _ => None,
    });
    let is_argument = |number: usize| {
        let mut depth = 0_u32;
        for later in words.iter().skip(number + 1) {
            // The clause ends where the next one begins.
            if text
                .get(..later.start)
                .is_some_and(|before| before.ends_with('\n'))
            {
                return true;
            }
            match word(later) {
                "|" if depth == 0 => return true,
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth == 0 => return true,
                ")" | "]" | "}" => depth -= 1,
                // What stands in front of these is a pattern.
                "->" | "=" if depth == 0 => return false,
                _ => {}
            }
        }
        true
    };
    let arguments = || {
        let was_there = lex(before).any(|(_, range)| before.get(range) == Some("_"));
        // A name that nothing needs becomes a lone `_`.
        let is_name = !before.is_empty() && words.len() == 1;
        let mut all = words.iter().enumerate();
        let found = all.find(|(number, range)| is_gap(range) && is_argument(*number));
        found
            .map(|(_, range)| range.clone())
            .filter(|_| !was_there && !is_name)
    };
    bodies.or_else(arguments)
}

/// Whether a text is `_` or `_name` alone. What takes its place is a term, unless it is `_` itself, a pattern.
fn is_hole(text: &str) -> bool {
    let mut tokens = lex(text);
    let is_word = tokens
        .next()
        .is_some_and(|(_, range)| range.end == text.len());
    is_word && text.starts_with('_')
}

#[cfg(test)]
mod tests {
    use super::{gap_in, ports_in};

    fn gap(text: &str, before: &str) -> Option<usize> {
        gap_in(text, before).map(|range| range.start)
    }

    #[test]
    fn gaps_are_bodies_and_arguments() {
        assert_eq!(gap("\nf _ = _", ""), Some(7));
        assert_eq!(gap(" _ _", ""), Some(1));
        assert_eq!(gap(" _)", ""), Some(1));
        assert_eq!(
            gap("evalState _ (case x {y -> put y})", "case x {y -> put y}"),
            Some(10)
        );
    }

    #[test]
    fn what_takes_the_place_of_a_hole_may_have_others() {
        assert_eq!(gap("just _", "_"), Some(5));
        assert_eq!(gap("(f _ {_ -> _})", "_rest"), Some(3));
        assert_eq!(gap("{_ -> _}", "_"), Some(6));
        assert_eq!(gap("case _ {x -> _}", "_"), Some(5));
        assert_eq!(gap("just x", "_"), None);
    }

    #[test]
    fn a_clause_that_is_split_leaves_one_in_its_first_clause() {
        assert_eq!(gap("[] = _\nlen (x :: xs)", "xs"), Some(5));
        assert_eq!(gap("[] _ = g n _\nf (x :: xs)", "xs"), Some(11));
        assert_eq!(gap("[] -> 1 + _ | (x :: ys)", "ys"), Some(10));
        assert_eq!(gap("true = 1 + _\nf false = 1 + _\nf (g _)", "b"), Some(11));
        assert_eq!(gap("a -> 1 + _ | b _ -> 1 + _ | c", "x"), Some(9));
    }

    #[test]
    fn new_ports_are_last_patterns() {
        assert_eq!(
            ports_in("Unit -> Int\nf _ _ = g _ 1\nf n _"),
            [16..17, 30..31]
        );
    }

    #[test]
    fn patterns_are_no_gaps() {
        assert_eq!(gap("_", "unused"), None);
        assert_eq!(gap("{_ -> 1}", "{x -> 1}"), None);
        assert_eq!(gap("<put _ -> k>", "<put -> k>"), None);
        assert_eq!(gap("f _ x", "f _"), None);
    }
}
