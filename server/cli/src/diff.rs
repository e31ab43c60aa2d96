//! Differences between two texts, for people and for `patch`.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use frank_syntax::visible::{visible, visible_lines};
use similar::{ChangeTag, TextDiff};

use crate::args::Color;
use crate::output::colored;

const REMOVED: &str = "\x1b[31m";
const ADDED: &str = "\x1b[32m";
const PLACE: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";

/// Who reads a difference.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    pub colored: bool,
    /// People read it on a terminal.
    pub terminal: bool,
}

impl Reader {
    /// Who reads standard output.
    pub fn of_stdout(color: Color) -> Reader {
        let stdout = io::stdout();
        Reader {
            colored: colored(color, &stdout),
            terminal: stdout.is_terminal(),
        }
    }
}

/// The name of a file as `patch` reads it: one with characters that are not to be seen is quoted, as
/// in C; one with blanks is ended by a tab, since it would end with the first of them.
fn quoted(name: &str) -> String {
    if matches!(visible(name), Cow::Borrowed(_)) {
        let end = if name.contains(' ') { "\t" } else { "" };
        return format!("{name}{end}");
    }
    let mut quoted = String::from("\"");
    for c in name.chars() {
        match visible(c.encode_utf8(&mut [0; 4])) {
            Cow::Borrowed(shown) => {
                if matches!(c, '"' | '\\') {
                    quoted.push('\\');
                }
                quoted += shown;
            }
            Cow::Owned(_) => {
                let mut bytes = [0; 4];
                let octal = c.encode_utf8(&mut bytes).bytes();
                quoted.extend(octal.map(|byte| format!("\\{byte:03o}")));
            }
        }
    }
    quoted + "\""
}

/// Writes what changes between two versions of a file, in the unified form; nothing if nothing does.
/// `name` is from the directory on in which `patch -p1` is to find it; an absolute one is from `/` on.
/// Text goes out as it is, for `patch`, unless people read it on a terminal.
pub fn write(
    out: &mut dyn Write,
    name: &str,
    old: &str,
    new: &str,
    reader: Reader,
) -> io::Result<()> {
    if old == new {
        return Ok(());
    }
    let paint = |color: &'static str| {
        if reader.colored {
            (color, PLAIN)
        } else {
            ("", "")
        }
    };
    // For `patch`, a carriage return by itself ends no line.
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let diff = TextDiff::from_slices(&old, &new);
    let name = name.trim_start_matches('/');
    writeln!(
        out,
        "--- {}\n+++ {}",
        quoted(&format!("a/{name}")),
        quoted(&format!("b/{name}"))
    )?;
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        let (start, end) = paint(PLACE);
        writeln!(out, "{start}{}{end}", hunk.header())?;
        for change in hunk.iter_changes() {
            let (start, end) = match change.tag() {
                ChangeTag::Delete => paint(REMOVED),
                ChangeTag::Insert => paint(ADDED),
                ChangeTag::Equal => ("", ""),
            };
            let line = change.value();
            let (text, line_break) = match line.strip_suffix('\n') {
                Some(text) => (text, "\n"),
                None => (line, "\n\\ No newline at end of file\n"),
            };
            let text = match reader.terminal {
                true => visible_lines(text),
                false => Cow::Borrowed(text),
            };
            write!(out, "{start}{}{text}{end}{line_break}", change.tag())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn names_are_what_patch_reads() {
        assert_eq!(quoted("a/b c"), "a/b c\t");
        assert_eq!(
            quoted("a/\u{1b}\"\n\u{202e}"),
            r#""a/\033\"\012\342\200\256""#
        );
    }

    #[test]
    fn unified() {
        let plain = Reader {
            colored: false,
            terminal: false,
        };
        let styled = Reader {
            colored: true,
            terminal: true,
        };
        let mut out = Vec::new();
        write(&mut out, "a.fk", "a\nb\nc\n", "a\nB\nc", plain).expect("a vector takes everything");
        expect![[r#"
            --- a/a.fk
            +++ b/a.fk
            @@ -1,3 +1,3 @@
             a
            -b
            -c
            +B
            +c
            \ No newline at end of file
        "#]]
        .assert_eq(&String::from_utf8(out).expect("text"));
        let mut out = Vec::new();
        write(&mut out, "a.fk", "a\rb\r", "a\nb\n", plain).expect("a vector takes everything");
        assert!(
            String::from_utf8(out)
                .expect("text")
                .ends_with("@@ -1 +1,2 @@\n-a\rb\r\n\\ No newline at end of file\n+a\n+b\n")
        );
        let mut nothing = Vec::new();
        write(&mut nothing, "a.fk", "a", "a", styled).expect("a vector takes everything");
        assert!(nothing.is_empty());
    }
}
