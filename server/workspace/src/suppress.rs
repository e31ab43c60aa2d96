//! Comments that allow a finding: `-- frank: allow FK0301`.
//!
//! Behind code such a comment allows findings that begin on its line. On a line of its own it is
//! about the next line of code; among the comments above an item, about the whole item, and above a
//! signature about the clauses that follow it, too. Several codes are separated by commas or blanks,
//! and what follows them is the reason.

use std::ops::Range;

use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::{Code, Diagnostic, Location};
use frank_analysis::snapshot::Snapshot;
use frank_syntax::lexer::{Kind, lex};
use frank_syntax::outline::{OutlineItem, OutlineKind};
use text_size::{TextRange, TextSize};

/// What the comments of one file allow.
#[derive(Debug, Default)]
pub struct Suppressions {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    code: Result<Code, String>,
    /// Where the code stands.
    at: Range<usize>,
    /// The findings that begin here are allowed.
    reach: Range<usize>,
    used: bool,
    /// It would have been used if no other one were.
    spare: bool,
}

/// A part of a suppression comment that does nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idle {
    pub message: String,
    /// In bytes of the file.
    pub range: Range<usize>,
    /// What it is about, in bytes of the file.
    pub reach: Range<usize>,
    /// Another text there could have what it allows.
    pub is_awaited: bool,
}

const MARK: &str = "frank: allow";

/// Whether a text can have suppression comments at all; cheap, and nearly always false.
pub fn may_suppress(text: &str) -> bool {
    text.contains(MARK)
}

/// Takes the findings in a file away that its comments allow, and adds the comments that allow nothing.
pub(crate) fn suppress(snapshot: &Snapshot, file: SourceFile, problems: &mut Vec<Diagnostic>) {
    let db = snapshot.db();
    let mut entries = file.outline(db).iter();
    if !entries.any(|entry| may_suppress(entry.item.text(db))) {
        return;
    }
    let items: Vec<OutlineItem> = snapshot.items(file).map(|(_, item)| item.clone()).collect();
    let mut suppressions = Suppressions::find(&snapshot.program_text(file), &items);
    let holes: Vec<Location> = problems
        .iter()
        .filter(|problem| problem.code == Code::Hole)
        .map(|problem| problem.location)
        .collect();
    problems.retain(|problem| {
        let start = usize::from(snapshot.range(problem.location).start());
        !suppressions.allows(problem.code, start)
    });
    for idle in suppressions.idle() {
        // What is still to be written may be what the comment is for.
        let item = |offset| snapshot.item_at(file, offset).map(|(entry, _)| entry.item);
        let of = item(idle.reach.start);
        let is_unwritten = |hole: &Location| {
            let start = usize::from(snapshot.range(*hole).start());
            idle.reach.contains(&start) || of == Some(hole.item)
        };
        if idle.is_awaited && holes.iter().any(is_unwritten) {
            continue;
        }
        let Some((entry, item)) = snapshot.item_at(file, idle.range.start) else {
            continue;
        };
        let relative = |offset: usize| {
            let offset = offset.saturating_sub(item.range.start);
            TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX))
        };
        let range = TextRange::new(relative(idle.range.start), relative(idle.range.end));
        let at = Location::range(entry.item, range);
        problems.push(
            Diagnostic::new(Code::UnusedSuppression, at, idle.message)
                .help("remove the code from the comment, or the whole comment"),
        );
    }
}

impl Suppressions {
    /// The suppression comments of a file with these items.
    pub fn find(text: &str, items: &[OutlineItem]) -> Suppressions {
        let mut found = Suppressions::default();
        if !may_suppress(text) {
            return found;
        }
        for (index, item) in items.iter().enumerate() {
            let of_item = item.text(text);
            if !may_suppress(of_item) {
                continue;
            }
            let comments = lex(of_item).filter(|(kind, _)| *kind == Kind::LineComment);
            for (_, comment) in comments {
                let comment = item.range.start + comment.start..item.range.start + comment.end;
                let said = text.get(comment.clone()).unwrap_or_default();
                if let Some(codes) = said.trim_start_matches('-').trim_start().strip_prefix(MARK) {
                    let reach = reach(text, items.get(index..).unwrap_or_default(), &comment);
                    found.codes(codes, comment.end - codes.len(), &reach);
                }
            }
        }
        found
    }

    fn codes(&mut self, text: &str, start: usize, reach: &Range<usize>) {
        let mut rest = 0;
        let mut any = false;
        loop {
            let after = text.get(rest..).unwrap_or_default();
            let word_start = rest + after.len() - after.trim_start_matches([' ', '\t', ',']).len();
            let word = text.get(word_start..).unwrap_or_default();
            let length = word
                .find(|c: char| !c.is_alphanumeric())
                .unwrap_or(word.len());
            let word = word.get(..length).unwrap_or_default();
            // Whatever does not look like a code begins the reason.
            let looks_like_code = word
                .get(..2)
                .is_some_and(|start| start.eq_ignore_ascii_case("fk"))
                && word
                    .get(2..)
                    .is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()));
            if !looks_like_code {
                if !any {
                    let at = start + word_start..start + word_start + length;
                    self.add(
                        Err(
                            "this comment allows nothing: it names no code such as `FK0301`"
                                .to_owned(),
                        ),
                        at,
                        reach,
                    );
                }
                return;
            }
            any = true;
            let code =
                Code::parse(word).ok_or_else(|| format!("there is no code `{word}` to allow"));
            self.add(code, start + word_start..start + word_start + length, reach);
            rest = word_start + length;
        }
    }

    fn add(&mut self, code: Result<Code, String>, at: Range<usize>, reach: &Range<usize>) {
        self.entries.push(Entry {
            code,
            at,
            reach: reach.clone(),
            used: false,
            spare: false,
        });
    }

    /// Whether a finding that begins at `offset` is allowed. The first comment that allows it does
    /// so; another one is there for nothing, unless it allows something else.
    pub fn allows(&mut self, code: Code, offset: usize) -> bool {
        let mut allowed = false;
        for entry in &mut self.entries {
            if entry.code.as_ref() == Ok(&code) && entry.reach.contains(&offset) {
                if allowed {
                    entry.spare = true;
                } else {
                    entry.used = true;
                }
                allowed = true;
            }
        }
        allowed
    }

    /// The comments that allow nothing, once all findings were asked about. A comment for what only an
    /// evaluation finds is not among them: it may be found later.
    pub fn idle(&self) -> impl Iterator<Item = Idle> + '_ {
        let evaluated =
            |entry: &Entry| entry.code.as_ref().is_ok_and(|code| code.marks().evaluated);
        self.entries
            .iter()
            .filter(move |entry| !entry.used && (entry.spare || !evaluated(entry)))
            .map(|entry| Idle {
                message: match &entry.code {
                    Ok(code) if entry.spare => {
                        format!("{} is allowed here already", code.as_str())
                    }
                    Ok(code) => format!("there is no {} here to allow", code.as_str()),
                    Err(message) => message.clone(),
                },
                range: entry.at.clone(),
                reach: entry.reach.clone(),
                is_awaited: entry.code.is_ok() && !entry.spare,
            })
    }
}

/// What a comment in the first one of some items is about.
fn reach(text: &str, items: &[OutlineItem], comment: &Range<usize>) -> Range<usize> {
    if let Some(item) = items
        .first()
        .filter(|item| comment.start < item.token_start())
    {
        let belongs = |other: &&OutlineItem| {
            item.kind == OutlineKind::Signature
                && other.kind == OutlineKind::Clause
                && other.name == item.name
        };
        let last = items
            .iter()
            .skip(1)
            .take_while(belongs)
            .last()
            .unwrap_or(item);
        return item.token_start()..last.range.end;
    }
    let before = text.get(..comment.start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let own_line = before
        .get(line_start..)
        .is_some_and(|before| before.trim().is_empty());
    if !own_line {
        return line_start..comment.end;
    }
    // The next line that is neither blank nor a comment.
    let mut start = comment.end;
    for line in text
        .get(comment.end..)
        .unwrap_or_default()
        .split_inclusive('\n')
    {
        let said = line.trim();
        if !said.is_empty() && !said.starts_with("--") {
            return start..start + line.len();
        }
        start += line.len();
    }
    start..start
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use frank_syntax::outline::split;

    fn check(text: &str, expect: Expect) {
        let found = Suppressions::find(text, &split(text));
        let lines: Vec<String> = found
            .entries
            .iter()
            .map(|entry| {
                let code = entry
                    .code
                    .as_ref()
                    .map_or_else(String::clone, |code| code.as_str().to_owned());
                format!(
                    "{code}: {:?}\n",
                    text.get(entry.reach.clone()).unwrap_or_default()
                )
            })
            .collect();
        expect.assert_eq(&lines.concat());
    }

    #[test]
    fn reaches() {
        check(
            "-- frank: allow FK0301\n-- more\na : Int\n\na! = 1\na! = 2\nb! = f x -- frank: allow FK0302, FK0303 because\n\
             \x20 -- frank: allow FK0201 FK0405\n\n  -- other\n  y\nb = z\n",
            expect![[r#"
                FK0301: "a : Int\n\na! = 1\na! = 2\n"
                FK0302: "b! = f x -- frank: allow FK0302, FK0303 because"
                FK0303: "b! = f x -- frank: allow FK0302, FK0303 because"
                FK0201: "  y\n"
                FK0405: "  y\n"
            "#]],
        );
    }

    #[test]
    fn only_comments_count() {
        check(
            "a! = \"-- frank: allow FK0301\" '\"' x' -- frank: allow FK0302\n{-- {-- --} -- frank: allow FK0303\n--} b\n",
            expect![[r#"
                FK0302: "a! = \"-- frank: allow FK0301\" '\"' x' -- frank: allow FK0302"
            "#]],
        );
    }

    /// What looks like a comment in a string would otherwise silence a mistake beside it.
    #[test]
    fn strings_go_on_behind_gaps_and_control_escapes() {
        check(
            "a! = f \"x\\\n  \\ -- frank: allow FK0101\" y\nb! = \"\\^\\\" -- frank: allow FK0302\n",
            expect![[r#"
                FK0302: "b! = \"\\^\\\" -- frank: allow FK0302"
            "#]],
        );
    }

    #[test]
    fn idle_ones_are_known() {
        let text =
            "a! = 1 -- frank: allow FK0201, FK0417, FK9999\nb! = 2 -- frank: allow everything\n";
        let mut found = Suppressions::find(text, &split(text));
        assert!(!found.allows(Code::TypeMismatch, 60));
        let idle: Vec<String> = found.idle().map(|idle| idle.message).collect();
        assert_eq!(
            idle,
            [
                "there is no FK0201 here to allow",
                "there is no code `FK9999` to allow",
                "this comment allows nothing: it names no code such as `FK0301`"
            ]
        );
        assert!(found.allows(Code::TypeMismatch, 5));
        assert_eq!(found.idle().count(), 2);
    }
}
