//! What a piece of input consists of. A line that is typed is one thing; a paste may be definitions, terms
//! and commands in a row.

use frank_syntax::lines::line_starts;
use frank_syntax::outline::{OutlineKind, split};

use super::words::Growing;

/// One of the things that are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// What is behind the colon.
    Command(String),
    /// Items that belong together, since they follow one another.
    Definitions(String),
    Term(String),
}

/// An entry with where what it holds begins in the text as [`aligned`] has it, in bytes, and how many lines of the text
/// stand before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub entry: Entry,
    pub at: usize,
    pub lines: usize,
}

/// What a text asks for, in order. Its items may be indented, as long as all are.
pub fn entries(text: &str) -> Vec<Asked> {
    let mut entries = Vec::new();
    let (mut before, mut growing) = (String::new(), Growing::default());
    // How many lines and bytes stand before those.
    let mut first = (0, 0);
    let mut at = 0;
    for (number, line) in aligned(text).split_inclusive('\n').enumerate() {
        match line.strip_prefix(':') {
            Some(command) if !growing.is_incomplete(&before) => {
                add_items(&mut entries, &std::mem::take(&mut before), first);
                growing = Growing::default();
                first = (number + 1, at + line.len());
                let blanks = command.len() - command.trim_start().len();
                entries.push(Asked {
                    entry: Entry::Command(command.trim().to_owned()),
                    at: at + ":".len() + blanks,
                    lines: number + 1,
                });
            }
            _ => before.push_str(line),
        }
        at += line.len();
    }
    add_items(&mut entries, &before, first);
    entries
}

/// The definitions and terms of a text without commands, before which so many lines and bytes stand.
fn add_items(entries: &mut Vec<Asked>, text: &str, (first, bytes): (usize, usize)) {
    let items = split(text);
    let starts = items.iter().map(|item| item.range.start);
    let ends = starts.clone().skip(1).chain([text.len()]);
    let from = entries.len();
    let mut growing = Growing::default();
    // The lines before this part.
    let mut above = first + breaks(text.get(..items.first().map_or(0, |item| item.range.start)));
    for (item, (start, end)) in items.iter().zip(starts.zip(ends)) {
        let part = text.get(start..end).unwrap_or_default();
        let lines = above + part.trim_end().lines().count();
        above += breaks(Some(part));
        let is_term = item.kind == OutlineKind::Other;
        let last = entries.get_mut(from..).and_then(<[Asked]>::last_mut);
        match last {
            Some(Asked {
                entry: Entry::Definitions(before) | Entry::Term(before),
                lines: own,
                ..
            }) if growing.is_incomplete(before) => {
                before.push_str(part);
                *own = lines;
            }
            Some(Asked {
                entry: Entry::Definitions(before),
                lines: own,
                ..
            }) if !is_term => {
                before.push_str(part);
                *own = lines;
            }
            _ => {
                let entry = match is_term {
                    true => Entry::Term(part.to_owned()),
                    false => Entry::Definitions(part.to_owned()),
                };
                let at = bytes + start;
                growing = Growing::default();
                entries.push(Asked { entry, at, lines });
            }
        }
    }
    for asked in entries.iter_mut().skip(from) {
        if let Entry::Definitions(text) | Entry::Term(text) = &mut asked.entry {
            // Blank lines belong to what follows them.
            let blanks = ['\n', ' ', '\t'];
            asked.at += text.len() - text.trim_start_matches(blanks).len();
            *text = text.trim_matches(blanks).to_owned();
        }
    }
}

/// How many lines end in a text.
fn breaks(text: Option<&str>) -> usize {
    text.unwrap_or_default().matches('\n').count()
}

/// A text whose items begin in the first column.
pub fn aligned(text: &str) -> String {
    let lines = aligned_lines(text);
    lines.flat_map(|(_, line)| [line, "\n"]).collect()
}

/// The lines of a text whose items begin in the first column, each with where it begins in the given one.
pub fn aligned_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = line_starts(text);
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    let lines = starts.into_iter().zip(ends);
    // Behind the last line break there is no line.
    let lines = lines.filter(|(start, end)| start < end);
    let lines = lines.map(|(start, end)| {
        let line = text.get(start..end).unwrap_or_default();
        (start, line.trim_end_matches(['\r', '\n']))
    });
    let lines: Vec<(usize, &str)> = lines.collect();
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let first = lines.iter().find(|(_, line)| !line.trim().is_empty());
    let column = first.map_or(0, |(_, line)| blanks(line));
    lines.into_iter().map(move |(start, line)| {
        let cut = column.min(blanks(line));
        (start + cut, line.get(cut..).unwrap_or_default())
    })
}

/// Whether a line can only go on with what is before it: no item begins with blanks or a bar.
pub fn goes_on(line: &str) -> bool {
    line.starts_with([' ', '\t', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definitions(text: &str) -> Entry {
        Entry::Definitions(text.to_owned())
    }

    fn term(text: &str) -> Entry {
        Entry::Term(text.to_owned())
    }

    fn asked(text: &str) -> Vec<Entry> {
        entries(text).into_iter().map(|asked| asked.entry).collect()
    }

    #[test]
    fn a_paste_is_taken_apart() {
        let pasted = "  data T = a\n         | b\n\n  f : T -> Int\n  f a = 1\n  f b =\n    2\n\n  f a\n  f b\n  :type f\n  g x = x\n";
        assert_eq!(
            asked(pasted),
            [
                definitions("data T = a\n       | b\n\nf : T -> Int\nf a = 1\nf b =\n  2"),
                term("f a"),
                term("f b"),
                Entry::Command("type f".to_owned()),
                definitions("g x = x"),
            ]
        );
    }

    #[test]
    fn lines_end_as_everywhere() {
        assert_eq!(asked("1\r2\r\n3"), [term("1"), term("2"), term("3")]);
        let lines: Vec<_> = aligned_lines("  a\r\n\r    b\n").collect();
        assert_eq!(lines, [(2, "a"), (5, ""), (8, "  b")]);
    }

    #[test]
    fn a_bracket_holds_lines_together() {
        let pasted = "map {x ->\nx + 1}\n  [1,\n:: 2]\n3";
        assert_eq!(
            asked(pasted),
            [term("map {x ->\nx + 1}\n  [1,\n:: 2]"), term("3")]
        );
        assert_eq!(asked("-- nothing\n"), []);
    }

    #[test]
    fn what_stands_behind_an_entry_is_known() {
        let pasted = "f : Int\nf! = 1\n\ng (\n1)\n: type f\n\nread!\nabc\n";
        let lines: Vec<usize> = entries(pasted).iter().map(|asked| asked.lines).collect();
        assert_eq!(lines, [2, 5, 6, 8, 9]);
        let starts = entries(pasted).into_iter();
        let starts = starts.map(|asked| pasted.get(asked.at..).unwrap_or_default());
        let words = starts.map(|text| text.split(['\n', ' ']).next().unwrap_or_default());
        let words: Vec<&str> = words.collect();
        assert_eq!(words, ["f", "g", "type", "read!", "abc"]);
    }
}
