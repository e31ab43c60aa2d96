//! Examples in comments.
//!
//! A line of a comment that begins with `>` begins an example: a term. A line with `=` directly below
//! is the value that the term should have. Lines that are indented more than the line with `>` go on
//! with the term or the value above them:
//!
//! ```text
//! -- > append [1]
//! --     [2, 3]
//! -- = [1, 2, 3]
//! ```
//!
//! A line that begins with `for all x :` begins a law, an example for all values of its variables:
//!
//! ```text
//! -- for all xs : List Int. rev (rev xs) == xs
//! ```
//!
//! Without a value the term has to be a correct one that can be evaluated. A value that is not
//! directly below a term would never be compared with anything, so it is a mistake.

use std::ops::Range;

use frank_analysis::db::SourceFile;
use frank_analysis::snapshot::Snapshot;
use frank_syntax::law;
use frank_syntax::lexer::{Kind, lex};

use crate::Analysis;

/// What a mark in a comment begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The text behind the mark, with the lines that go on with it, in bytes of the file.
    pub at: Range<usize>,
    pub what: What,
}

/// The value that an example should have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    pub text: String,
    /// Where it stands, behind its mark, in bytes of the file.
    pub at: Range<usize>,
}

impl Expected {
    /// Whether a value, as it is printed, is the one that is meant: blanks, line breaks, parentheses around all of it, and
    /// how a number is written make no difference.
    pub fn is(&self, value: &str) -> bool {
        self.text == value || without_parentheses(words(&self.text)) == words(value)
    }
}

/// A piece of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Word<'t> {
    Text(&'t str),
    Int(u64),
    Float(f64),
}

/// What a value is written with, without the blanks and comments between.
fn words(text: &str) -> Vec<Word<'_>> {
    let tokens = lex(text).filter(|(kind, _)| !kind.is_trivia());
    let words = tokens.map(|(kind, range)| {
        let written = text.get(range).unwrap_or_default();
        match kind {
            Kind::Natural => natural(written).map_or(Word::Text(written), Word::Int),
            Kind::Float => written.parse().map_or(Word::Text(written), Word::Float),
            _ => Word::Text(written),
        }
    });
    words.collect()
}

/// The value of a literal such as `12` or `0xff`.
fn natural(written: &str) -> Option<u64> {
    let hexadecimal = written
        .strip_prefix("0x")
        .or_else(|| written.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => written.parse().ok(),
    }
}

/// A value without parentheses around the whole of it.
fn without_parentheses(mut words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    while let [Word::Text("("), inner @ .., Word::Text(")")] = &words[..] {
        let mut depth = 0_usize;
        let closes = inner.iter().all(|word| {
            match word {
                Word::Text("(") => depth += 1,
                Word::Text(")") if depth == 0 => return false,
                Word::Text(")") => depth -= 1,
                _ => {}
            }
            true
        });
        if !closes {
            break;
        }
        words = inner.to_vec();
    }
    words
}

/// What there is to do for an [`Example`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Evaluate a term, and compare with a value if there is one.
    Evaluate {
        term: String,
        value: Option<Expected>,
    },
    /// Try a law; its text is all of it, from `for all` on.
    Law(String),
    /// Complain about a value without a term.
    StrayValue(String),
}

impl Example {
    /// Its term, unless it is a law or a stray value.
    pub fn term(&self) -> Option<&str> {
        match &self.what {
            What::Evaluate { term, .. } => Some(term),
            What::Law(_) | What::StrayValue(_) => None,
        }
    }

    /// Its term, or the law that it is; nothing of a stray value.
    pub fn text(&self) -> Option<&str> {
        match &self.what {
            What::Evaluate { term, .. } => Some(term),
            What::Law(law) => Some(law),
            What::StrayValue(_) => None,
        }
    }

    pub fn is_law(&self) -> bool {
        matches!(self.what, What::Law(_))
    }

    /// The value that its term should have.
    pub fn expected(&self) -> Option<&Expected> {
        match &self.what {
            What::Evaluate { value, .. } => value.as_ref(),
            What::Law(_) | What::StrayValue(_) => None,
        }
    }

    /// The lines of the example, from its mark on.
    pub fn whole(&self) -> Range<usize> {
        let end = self.expected().map_or(self.at.end, |value| value.at.end);
        self.at.start..end
    }

    fn moved(mut self, by: usize) -> Example {
        let moved = |range: &Range<usize>| range.start + by..range.end + by;
        self.at = moved(&self.at);
        if let What::Evaluate {
            value: Some(value), ..
        } = &mut self.what
        {
            value.at = moved(&value.at);
        }
        self
    }
}

/// The examples in the comments above a file's items and at its end.
pub fn examples_in(snapshot: &Snapshot, file: SourceFile) -> Vec<Example> {
    let mut found = Vec::new();
    for (entry, item) in snapshot.items(file) {
        let text = entry.item.text(snapshot.db());
        let comments = text.get(..item.token_offset).unwrap_or_default();
        let here = examples(comments).into_iter();
        found.extend(here.map(|example| example.moved(item.range.start)));
        // Those at the end of the file, or of a cell of a notebook.
        let last = closing_comments(text.get(item.token_offset..).unwrap_or_default());
        let closing = examples(last).into_iter();
        found.extend(closing.map(|example| example.moved(item.range.end - last.len())));
    }
    found
}

impl Analysis {
    /// The examples in the comments of a file, in the order of the text.
    pub fn examples(&self, file: SourceFile) -> Vec<Example> {
        examples_in(self.snapshot(), file)
    }
}

/// The example that following lines may still belong to.
struct Open {
    at: Range<usize>,
    /// How far its mark is indented.
    indent: usize,
    term: String,
    value: Option<Expected>,
    /// It is no term but a law, which has no value.
    is_law: bool,
}

/// The comments that a file ends with, below all of its items.
fn closing_comments(text: &str) -> &str {
    let mut start = text.len();
    for line in text.split_inclusive('\n').rev() {
        let said = line.trim();
        if !said.is_empty() && !said.starts_with("--") {
            break;
        }
        start -= line.len();
    }
    text.get(start..).unwrap_or_default()
}

/// The examples in some lines of comments, in their order.
fn examples(comments: &str) -> Vec<Example> {
    let mut reader = Reader::default();
    let mut offset = 0;
    for line in comments.split_inclusive('\n') {
        match line.trim().strip_prefix("--") {
            Some(said) => reader.line(said, offset + line.len() - line.trim_start().len() + 2),
            None => reader.close(),
        }
        offset += line.len();
    }
    reader.close();
    reader.found
}

#[derive(Default)]
struct Reader {
    found: Vec<Example>,
    open: Option<Open>,
    /// The last example has no value, though lines above this one may have been meant to be it.
    wants_value: bool,
}

impl Reader {
    /// Reads a line of a comment: what is behind its `--`, and where that begins.
    fn line(&mut self, said: &str, start: usize) {
        let text = said.trim_start();
        // `-->` is as good as `-- >`.
        let indent = (said.len() - text.len()).max(1);
        let behind = |mark: usize| text.get(mark..).unwrap_or_default().trim();
        // What is behind the mark ends with the line's last letter.
        let end = start + said.trim_end().len();
        let at = end - behind(1).len()..end;
        match &mut self.open {
            Some(open) if indent > open.indent && !text.is_empty() => {
                let (part, range) = match &mut open.value {
                    Some(value) => (&mut value.text, &mut value.at),
                    None => (&mut open.term, &mut open.at),
                };
                *part += "\n";
                *part += text.trim_end();
                range.end = end;
            }
            Some(open) if !open.is_law && open.value.is_none() && text.starts_with('=') => {
                open.value = Some(Expected {
                    text: behind(1).to_owned(),
                    at,
                });
            }
            _ if text.starts_with('>') => {
                self.close();
                self.open = Some(Open {
                    at,
                    indent,
                    term: behind(1).to_owned(),
                    value: None,
                    is_law: false,
                });
            }
            _ if law::begins(text) => {
                self.close();
                self.open = Some(Open {
                    at: end - text.trim_end().len()..end,
                    indent,
                    term: text.trim_end().to_owned(),
                    value: None,
                    is_law: true,
                });
            }
            _ => {
                self.close();
                if is_value(text) && (indent == 1 || self.wants_value) {
                    self.wants_value = false;
                    self.found.push(Example {
                        at,
                        what: What::StrayValue(behind(1).to_owned()),
                    });
                }
            }
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        self.wants_value = open.value.is_none();
        self.found.push(Example {
            at: open.at,
            what: match open.is_law {
                true => What::Law(open.term),
                false => What::Evaluate {
                    term: open.term,
                    value: open.value,
                },
            },
        });
    }
}

/// Whether a line looks like a value, and not like a rule under a heading or an arrow.
fn is_value(text: &str) -> bool {
    let value = text.strip_prefix('=');
    value.is_some_and(|value| !value.trim().is_empty() && !value.starts_with(['=', '>']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(comments: &str, expect: Expect) {
        let lines = examples(comments).into_iter().map(|example| {
            let at = comments.get(example.at).unwrap_or_default();
            let at = at.lines().next().unwrap_or_default();
            match example.what {
                What::Evaluate { term, value } => {
                    let value = value.map(|value| {
                        assert!(
                            comments
                                .get(value.at)
                                .is_some_and(|text| !text.ends_with(' '))
                        );
                        value.text
                    });
                    format!("{at:?}: {term:?} {value:?}\n")
                }
                What::Law(law) => format!("{at:?}: law {law:?}\n"),
                What::StrayValue(value) => format!("{at:?}: stray {value:?}\n"),
            }
        });
        expect.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn terms_and_values() {
        check(
            "-- Text.\n-- > a\n-- = 1\n-- > b\n-- > c\n--   d\n--\n-- > let x = 1 in\n--     x\n-- = [1,\n--   2]\n",
            expect![[r#"
                "a": "a" Some("1")
                "b": "b" None
                "c": "c\nd" None
                "let x = 1 in": "let x = 1 in\nx" Some("[1,\n2]")
            "#]],
        );
    }

    #[test]
    fn a_value_can_be_written_in_more_than_one_way() {
        let is = |text: &str, value: &str| {
            let (text, at) = (text.to_owned(), 0..0);
            Expected { text, at }.is(value)
        };
        for (written, value) in [
            ("[1,2]", "[1, 2]"),
            ("[1,\n   2]", "[1, 2]"),
            ("(just 2)", "just 2"),
            ("((pair  1 2))", "pair 1 2"),
            ("1.0e3", "1000.0"),
            ("0xff", "255"),
            ("-0x10", "-16"),
        ] {
            assert!(is(written, value), "{written}");
        }
        for (written, value) in [
            ("[1, 2]", "[12]"),
            ("1", "1.0"),
            ("(f 1) (g 2)", "f 1) (g 2"),
            ("\"a b\"", "\"ab\""),
            ("", "1"),
        ] {
            assert!(!is(written, value), "{written}");
        }
    }

    #[test]
    fn all_layouts() {
        check(
            "-->a\r\n--=1\r\n\r\n--   > b\r\n--   = 2\r\n  -- > c 1\n  --   > 2\n  -- = true\n",
            expect![[r#"
                "a": "a" Some("1")
                "b": "b" Some("2")
                "c 1": "c 1\n> 2" Some("true")
            "#]],
        );
    }

    #[test]
    fn values_without_terms() {
        check(
            "-- = 0\n-- > a\n--\n-- = 1\n-- > b\n-- text\n--   = 2\n-- > c\n\n-- = 3\n-- > d\n-- = 4\n-- = 5\n",
            expect![[r#"
                "0": stray "0"
                "a": "a" None
                "1": stray "1"
                "b": "b" None
                "2": stray "2"
                "c": "c" None
                "3": stray "3"
                "d": "d" Some("4")
                "5": stray "5"
            "#]],
        );
    }

    #[test]
    fn laws() {
        check(
            "-- for all x : Int. x == x\n-- > a\n-- for all x : Int,\n--   y : Int.\n--     x == y\n-- = 1\n-- for all x in y:\n",
            expect![[r#"
                "for all x : Int. x == x": law "for all x : Int. x == x"
                "a": "a" None
                "for all x : Int,": law "for all x : Int,\ny : Int.\nx == y"
                "1": stray "1"
            "#]],
        );
        check(
            "-- which is so for all elements: no law\n-- for all elements, but two: none\n",
            expect![""],
        );
    }

    #[test]
    fn what_is_none() {
        check(
            "-- ======\n-- => a\n-- =\n--- > b\n-- x * y\n--   = y * x\n{-- > c --}\n",
            expect![""],
        );
    }
}
