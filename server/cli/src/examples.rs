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
//! Without a value the term has to be a correct one that can be evaluated. A value that is not
//! directly below a term would never be compared with anything, so it is a mistake.

/// What a mark in a comment begins.
#[derive(Debug, PartialEq, Eq)]
pub struct Example {
    /// Where the text behind the mark begins, in bytes of the comments.
    pub start: usize,
    pub what: What,
}

/// What there is to do for an [`Example`].
#[derive(Debug, PartialEq, Eq)]
pub enum What {
    /// Evaluate a term, and compare with a value if there is one.
    Evaluate { term: String, value: Option<String> },
    /// Complain about a value without a term.
    StrayValue(String),
}

/// The example that following lines may still belong to.
struct Open {
    start: usize,
    /// How far its mark is indented.
    indent: usize,
    term: String,
    value: Option<String>,
}

/// The comments that a file ends with, below all of its items.
pub fn closing_comments(text: &str) -> &str {
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
pub fn examples(comments: &str) -> Vec<Example> {
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
        let start = start + said.len() - behind(1).len();
        match &mut self.open {
            Some(open) if indent > open.indent && !text.is_empty() => {
                let part = open.value.as_mut().unwrap_or(&mut open.term);
                *part += "\n";
                *part += text.trim_end();
            }
            Some(open) if open.value.is_none() && text.starts_with('=') => {
                open.value = Some(behind(1).to_owned());
            }
            _ if text.starts_with('>') => {
                self.close();
                self.open = Some(Open {
                    start,
                    indent,
                    term: behind(1).to_owned(),
                    value: None,
                });
            }
            _ => {
                self.close();
                if is_value(text) && (indent == 1 || self.wants_value) {
                    self.wants_value = false;
                    self.found.push(Example {
                        start,
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
            start: open.start,
            what: What::Evaluate {
                term: open.term,
                value: open.value,
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
            let at = comments.get(example.start..).unwrap_or_default();
            let at = at.lines().next().unwrap_or_default();
            match example.what {
                What::Evaluate { term, value } => format!("{at:?}: {term:?} {value:?}\n"),
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
    fn what_is_none() {
        check(
            "-- ======\n-- => a\n-- =\n--- > b\n-- x * y\n--   = y * x\n{-- > c --}\n",
            expect![""],
        );
    }
}
