//! Breakpoints as they were asked for.

use frank_core::TermId;

/// A breakpoint of a line or an operator.
#[derive(Debug, Clone)]
pub struct Point {
    pub id: i64,
    /// The number of the file that it is in; none for one of an operator.
    pub source: Option<usize>,
    /// Where it stops.
    pub terms: Vec<TermId>,
    pub wanted: Wanted,
    /// When the run has come there, and the condition held: how many rules had been applied each time, in order.
    pub hits: Vec<u64>,
}

impl Point {
    /// Which hit it is that the run comes to after so many rules, from 1. The same one has the same number when the run
    /// comes there again.
    pub fn hit(&mut self, clock: u64) -> u64 {
        let at = match self.hits.binary_search(&clock) {
            Ok(at) => at,
            Err(at) => {
                self.hits.insert(at, clock);
                at
            }
        };
        at as u64 + 1
    }

    /// The same on the way back; nothing for one that was not counted, since the breakpoint was not there.
    pub fn hit_before(&self, clock: u64) -> Option<u64> {
        let at = self.hits.binary_search(&clock).ok()?;
        Some(at as u64 + 1)
    }
}

/// When it stops, or what it does instead.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub condition: Option<String>,
    pub hits: Option<Hits>,
    pub log: Option<Vec<Piece>>,
}

/// A part of a log message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// A term in braces, of which the value is written.
    Term(String),
}

impl Piece {
    /// Reads a log message: `{term}` stands for a value, `{{` and `}}` for braces.
    ///
    /// # Errors
    /// A brace is not closed, or there is no term in it: which, in a sentence.
    pub fn read(message: &str) -> Result<Vec<Piece>, String> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut rest = message;
        while let Some((before, after)) = rest.split_once('{') {
            text += &before.replace("}}", "}");
            if let Some(after) = after.strip_prefix('{') {
                text.push('{');
                rest = after;
                continue;
            }
            let (term, after) = term_in_braces(after)?;
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            pieces.push(Piece::Term(term.to_owned()));
            rest = after;
        }
        text += &rest.replace("}}", "}");
        pieces.push(Piece::Text(text));
        Ok(pieces)
    }
}

/// The term that stands before a closing brace, and what stands behind that. The term may have braces itself.
fn term_in_braces(text: &str) -> Result<(&str, &str), String> {
    let mut ends = text.match_indices('}');
    let mut first_reason = None;
    let found = ends.find_map(|(end, _)| {
        let (term, after) = (text.get(..end)?, text.get(end + 1..)?);
        match no_term(term) {
            None => Some((term, after)),
            Some(reason) => {
                first_reason.get_or_insert(reason);
                None
            }
        }
    });
    found.ok_or_else(|| {
        first_reason.unwrap_or_else(|| {
            "a `{` of the log message is not closed: `{term}` writes a value, and `{{` a brace"
                .to_owned()
        })
    })
}

/// Why a text is no term, if it is none.
pub fn no_term(text: &str) -> Option<String> {
    let parsed = frank_syntax::parse::parse_term(text.trim());
    let error = parsed.errors.first()?;
    Some(format!(
        "`{}` is no term: {}",
        frank_syntax::visible::visible(text.trim()),
        error.message
    ))
}

/// Which hits count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hits {
    Exactly(u64),
    AtLeast(u64),
    MoreThan(u64),
    Every(u64),
}

impl Hits {
    /// Reads `3`, `== 3`, `>= 3`, `> 3` or `% 3`.
    ///
    /// # Errors
    /// It is none of these: what is expected, in a sentence.
    pub fn read(text: &str) -> Result<Hits, String> {
        let text = text.trim();
        type Made = fn(u64) -> Hits;
        let prefixes: [(&str, Made); 5] = [
            (">=", Hits::AtLeast),
            ("==", Hits::Exactly),
            (">", Hits::MoreThan),
            ("%", Hits::Every),
            ("", Hits::Exactly),
        ];
        let read = prefixes.iter().find_map(|(prefix, hits)| {
            let number = text.strip_prefix(prefix)?.trim().parse().ok()?;
            Some(hits(number))
        });
        read.filter(|hits| !matches!(hits, Hits::Every(0) | Hits::Exactly(0)))
            .ok_or_else(|| {
                let text = frank_syntax::visible::visible(text);
                format!("`{text}` does not say which hits count: write `3`, `>= 3`, `> 3` or `% 3`")
            })
    }

    /// Whether the hit of a number, from 1, counts.
    pub fn counts(self, hit: u64) -> bool {
        match self {
            Hits::Exactly(wanted) => hit == wanted,
            Hits::AtLeast(least) => hit >= least,
            Hits::MoreThan(most) => hit > most,
            Hits::Every(each) => hit.is_multiple_of(each),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_conditions_are_read() {
        let counted = |text: &str| -> Vec<u64> {
            let hits = Hits::read(text).expect("a hit condition");
            (1..=6).filter(|hit| hits.counts(*hit)).collect()
        };
        assert_eq!(counted("3"), [3]);
        assert_eq!(counted(" == 3"), [3]);
        assert_eq!(counted(">= 3"), [3, 4, 5, 6]);
        assert_eq!(counted(">3"), [4, 5, 6]);
        assert_eq!(counted("% 3 "), [3, 6]);
        for wrong in ["", "x", "% 0", "0", "== 0", "< 3", "-1"] {
            assert!(Hits::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn log_messages_are_read() {
        let text = |text: &str| Piece::Text(text.to_owned());
        let term = |term: &str| Piece::Term(term.to_owned());
        assert_eq!(
            Piece::read("n is {n + 1}, {{}}"),
            Ok(vec![text("n is "), term("n + 1"), text(", {}")])
        );
        assert_eq!(
            Piece::read(r#"{"a}b{c"}; {case n {0 -> 1}}"#),
            Ok(vec![
                text(""),
                term(r#""a}b{c""#),
                text("; "),
                term("case n {0 -> 1}"),
                text(""),
            ])
        );
        for wrong in ["{", "a {n", "{1 +}", "{}"] {
            assert!(Piece::read(wrong).is_err(), "{wrong}");
        }
    }
}
