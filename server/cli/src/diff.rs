//! Differences between two texts, for people and for `patch`.

use std::io::{self, Write};

use similar::{ChangeTag, TextDiff};

const REMOVED: &str = "\x1b[31m";
const ADDED: &str = "\x1b[32m";
const PLACE: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";

/// Writes what changes between two versions of a file, in the unified form; nothing if nothing does.
/// `name` is from the directory on in which `patch -p1` is to find it; an absolute one is from `/` on.
pub fn write(
    out: &mut dyn Write,
    name: &str,
    old: &str,
    new: &str,
    colored: bool,
) -> io::Result<()> {
    if old == new {
        return Ok(());
    }
    let paint = |color: &'static str| if colored { (color, PLAIN) } else { ("", "") };
    let diff = TextDiff::from_lines(old, new);
    let name = name.trim_start_matches('/');
    // `patch` takes a name to end with its first blank, unless a tab ends it.
    let end = if name.contains(' ') { "\t" } else { "" };
    writeln!(out, "--- a/{name}{end}\n+++ b/{name}{end}")?;
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
    fn unified() {
        let mut out = Vec::new();
        write(&mut out, "a.fk", "a\nb\nc\n", "a\nB\nc", false).expect("a vector takes everything");
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
        let mut nothing = Vec::new();
        write(&mut nothing, "a.fk", "a", "a", true).expect("a vector takes everything");
        assert!(nothing.is_empty());
    }
}
