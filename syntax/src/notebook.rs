//! Notebooks: Markdown whose code blocks with the word `frank` are the cells of one program.
//!
//! To all who read programs a notebook is a text of the same length, in which nothing but the cells
//! is left and everything else is blank. So every position is one of the Markdown, and nothing is
//! ever made up that a message could point at. What a code block is, CommonMark says: fences of
//! backticks or tildes, in lists and quotes, too; one that nothing closes reaches to the end of what
//! it is in.
//!
//! Each cell is cut into items by itself: an open bracket or comment ends with its cell, and the
//! items of each begin in a column of their own.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::format::{FormatOptions, Formatted, format, format_range};
use crate::outline::{Outline, OutlineItem, split};

/// The word in a fence that makes a block a cell.
const LANGUAGE: &str = "frank";
/// Words behind it that say that the block is only shown.
const SHOWN_ONLY: [&str; 3] = ["ignore", "wrong", "fragment"];
/// What the names of notebooks end in that a search finds.
pub const EXTENSION: &str = ".fk.md";

/// Whether a file of this name is a notebook: Markdown, that is. A search finds those alone whose names
/// end in [`EXTENSION`].
pub fn is_notebook(path: &str) -> bool {
    path.ends_with(".md")
}

/// The notebook of a cell that is a text of its own, as an editor has it: the cell is known by the
/// notebook's path, `#`, and its own name.
pub fn notebook_of(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let end = name
        .find('#')
        .filter(|end| is_notebook(name.split_at(*end).0))?;
    path.get(..path.len() - name.len() + end)
}

/// Whether terms may stand beside items in a file of this name.
pub fn holds_terms(path: &str) -> bool {
    is_notebook(path) || notebook_of(path).is_some()
}

/// A code block that is part of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The whole lines with its code, in bytes of the Markdown.
    pub range: Range<usize>,
    /// The code in them; between two pieces stands what belongs to a list or a quote.
    pieces: Vec<Range<usize>>,
}

impl Cell {
    /// Whether its lines in the Markdown are code and nothing else.
    fn is_plain(&self, text: &str) -> bool {
        let mut end = self.range.start;
        // A piece has no `\r` of a line break.
        let mut is_code = |start: usize, next: usize| {
            let between = text.get(std::mem::replace(&mut end, next)..start);
            between.is_some_and(|between| between.bytes().all(|byte| byte == b'\r'))
        };
        let mut pieces = self.pieces.iter();
        pieces.all(|piece| is_code(piece.start, piece.end))
            && is_code(self.range.end, self.range.end)
    }
}

/// The cells of a notebook, in order.
pub fn cells(text: &str) -> Vec<Cell> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = text.len() - body.len();
    let mut cells = Vec::new();
    let mut open: Option<Vec<Range<usize>>> = None;
    for (event, range) in Parser::new_ext(body, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if is_cell(&info) => {
                open = Some(Vec::new());
            }
            Event::Text(_) => {
                if let Some(pieces) = &mut open {
                    pieces.push(range.start + mark..range.end + mark);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                let pieces = open.take().unwrap_or_default();
                if let (Some(first), Some(last)) = (pieces.first(), pieces.last()) {
                    let before = text.get(..first.start).unwrap_or_default();
                    let start = before.rfind(['\n', '\r']).map_or(mark, |at| at + 1);
                    let range = start..last.end;
                    cells.push(Cell { range, pieces });
                }
            }
            _ => {}
        }
    }
    cells
}

/// Whether a fence with these words behind it begins a cell.
fn is_cell(info: &str) -> bool {
    let mut words = info.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    words.next() == Some(LANGUAGE) && !words.any(|word| SHOWN_ONLY.contains(&word))
}

/// A notebook as a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// As long as the Markdown, with its line breaks, the cells, and blanks.
    pub text: String,
    /// The items, which tile the text. Those of the kind `Other` are terms, to be evaluated in order.
    pub outline: Outline,
}

/// Reads a notebook as a program.
///
/// ```
/// use frank_syntax::notebook::program;
/// use frank_syntax::outline::OutlineKind;
///
/// let read = program("# Twice\n```frank\ntwice : Int -> Int\ntwice n = n + n\ntwice 21\n```\n");
/// let kinds: Vec<OutlineKind> = read.outline.items().iter().map(|item| item.kind).collect();
/// assert_eq!(kinds, [OutlineKind::Signature, OutlineKind::Clause, OutlineKind::Other]);
/// ```
pub fn program(text: &str) -> Program {
    let cells = cells(text);
    let text = without_prose(text, &cells);
    let mut items: Vec<OutlineItem> = Vec::new();
    for cell in &cells {
        let code = text.get(cell.range.clone()).unwrap_or_default();
        for mut item in split(code) {
            let token = item.token_start() + cell.range.start;
            let start = items.last().map_or(0, |last| last.range.end);
            item.range = start..item.range.end + cell.range.start;
            item.token_offset = token - start;
            items.push(item);
        }
    }
    if let Some(last) = items.last_mut() {
        last.range.end = text.len();
    }
    let outline = Outline::of_items(items, text.len());
    Program { text, outline }
}

/// The text with blanks in the place of all that is in no cell.
fn without_prose(text: &str, cells: &[Cell]) -> String {
    let mut program = String::with_capacity(text.len());
    let mut end = 0;
    for piece in cells.iter().flat_map(|cell| &cell.pieces) {
        blank(text.get(end..piece.start).unwrap_or_default(), &mut program);
        program.push_str(text.get(piece.clone()).unwrap_or_default());
        end = piece.end;
    }
    blank(text.get(end..).unwrap_or_default(), &mut program);
    program
}

/// As many blanks as a text has bytes, with its line breaks.
fn blank(text: &str, blanks: &mut String) {
    blanks.extend(text.bytes().map(|byte| match byte {
        b'\n' | b'\r' => char::from(byte),
        _ => ' ',
    }));
}

/// A notebook with another cell at its end. What is above stands where it stood.
pub fn with_cell(text: &str, code: &str) -> String {
    // Where a block is open at the end it has to be closed first.
    let fences = ["", "```\n", "~~~\n"];
    let with = |closing: &str| format!("{text}\n\n{closing}```{LANGUAGE}\n{code}\n```\n");
    let wanted = format!("{code}\n");
    let has_it = |text: &String| {
        let cells = cells(text);
        let last = cells.last().and_then(|cell| text.get(cell.range.clone()));
        last == Some(&wanted)
    };
    let mut texts = fences.map(with).into_iter();
    texts.find(has_it).unwrap_or_else(|| with(""))
}

/// Formats a file: of a notebook the cells, each by itself. Terms stay as they are, and so do cells in lists
/// and quotes, whose lines belong to these, too.
pub fn format_file(path: &str, text: &str, options: &FormatOptions) -> Formatted {
    format_part(path, text, 0..text.len(), options)
}

/// Formats what touches a range of a file.
pub fn format_part(
    path: &str,
    text: &str,
    range: Range<usize>,
    options: &FormatOptions,
) -> Formatted {
    if !is_notebook(path) {
        return match range == (0..text.len()) {
            true => format(text, options),
            false => format_range(text, range, options),
        };
    }
    let mut formatted = Formatted::default();
    let touched = |cell: &Cell| cell.range.start <= range.end && range.start <= cell.range.end;
    for cell in cells(text)
        .iter()
        .filter(|cell| cell.is_plain(text) && touched(cell))
    {
        let base = cell.range.start;
        let code = text.get(cell.range.clone()).unwrap_or_default();
        let start = range.start.saturating_sub(base);
        let wanted = start..(range.end - base).min(code.len());
        let edits = match wanted == (0..code.len()) {
            true => format(code, options).edits,
            false => format_range(code, wanted, options).edits,
        };
        formatted.edits.extend(edits.into_iter().map(|mut edit| {
            edit.range = edit.range.start + base..edit.range.end + base;
            edit
        }));
    }
    formatted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The code of the cells, and the items with what stands before their first tokens left out.
    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let Program {
            text: code,
            outline,
        } = program(text);
        assert_eq!(code.len(), text.len());
        let of = |range: Range<usize>| code.get(range).expect("a range").to_owned();
        let found = cells(text).into_iter().map(|cell| of(cell.range));
        let items = outline.items().iter();
        let items = items.map(|item| of(item.token_start()..item.range.end).trim().to_owned());
        (found.collect(), items.collect())
    }

    fn codes(text: &str) -> Vec<String> {
        read(text).0
    }

    #[test]
    fn only_blocks_of_the_language_are_cells() {
        let text = "# A\n\n```frank\na : Int\n```\n\n```sh\nls\n```\n~~~ frank,file=b.fk\nb : Int\n~~~\n\
                    ```frank,ignore\nc : Int\n```\n```frankly\nd\n```\n    ```frank\n    e\n    ```\n\
                    ````markdown\n```frank\nf\n```\n````\n`frank` ```frank g```\n```Frank\nh\n```\n";
        assert_eq!(codes(text), ["a : Int\n", "b : Int\n"]);
        assert_eq!(codes("no cells\n"), [""; 0]);
        assert_eq!(codes(""), [""; 0]);
    }

    #[test]
    fn a_block_that_nothing_closes_reaches_to_the_end() {
        let text = "```frank\na : Int\na! = 1\n# B\n";
        assert_eq!(codes(text), ["a : Int\na! = 1\n# B\n"]);
        assert_eq!(codes("text\n\n```frank"), [""; 0]);
        assert_eq!(codes("> ```frank\n> a : Int\n\nb\n"), ["  a : Int\n"]);
    }

    #[test]
    fn fences_may_be_indented_and_in_lists_and_quotes() {
        let text = "1. one\n   ```frank\n   a : Int\n   a! =\n     1\n   ```\n> ~~~frank\n> b : Int\n> b! = 2\n> ~~~\n\
                    \x20 ```frank\n  c : Int\n  ```\n";
        let (_, items) = read(text);
        assert_eq!(
            items,
            ["a : Int", "a! =\n     1", "b : Int", "b! = 2", "c : Int"]
        );
        let left: Vec<bool> = program(text)
            .outline
            .items()
            .iter()
            .map(|item| item.left_of_column)
            .collect();
        assert_eq!(left, [false; 5]);
    }

    #[test]
    fn all_line_ends_and_a_mark_at_the_start_are_read() {
        let text =
            "\u{feff}```frank\r\na : Int\r\na! = 1\r\n```\r\né\r\n\r\n```frank\r\na!\r\n```\r\n";
        let (cells, items) = read(text);
        assert_eq!(cells, ["a : Int\r\na! = 1\r\n", "a!\r\n"]);
        assert_eq!(items, ["a : Int", "a! = 1", "a!"]);
        let tabs = "```frank\nf : Int\nf! =\n\t1\n```\n";
        assert_eq!(codes(tabs), ["f : Int\nf! =\n\t1\n"]);
        let in_list = "-\t```frank\n\tf : Int\n\t```\n";
        assert_eq!(read(in_list).1, ["f : Int"]);
    }

    #[test]
    fn what_is_open_ends_with_its_cell() {
        let text =
            "```frank\na (\n```\n```frank\nb\n```\n{--\n```frank\n{-- c\n```\n```frank\nd\n```\n";
        assert_eq!(read(text).1, ["a (", "b", "{-- c", "d"]);
    }

    #[test]
    fn the_items_of_a_notebook_tile_it() {
        let text = "# A\n```frank\n-- about a\na : Int\n-- end\n```\n```frank\n-- none\n```\n```frank\na\n```\nend\n";
        let read = program(text);
        let ranges: Vec<Range<usize>> = read
            .outline
            .items()
            .iter()
            .map(|item| item.range.clone())
            .collect();
        assert_eq!(ranges.len(), 2);
        assert_eq!((ranges[0].start, ranges[1].end), (0, text.len()));
        assert_eq!(ranges[0].end, ranges[1].start);
        assert!(read.text[ranges[0].clone()].ends_with("-- end\n"));
    }

    #[test]
    fn cells_that_are_texts_know_their_notebook() {
        assert_eq!(notebook_of("/a/b.fk.md#W0s"), Some("/a/b.fk.md"));
        assert_eq!(notebook_of("/a/b.fk.md#"), Some("/a/b.fk.md"));
        assert_eq!(notebook_of("/a.md#b/c.fk"), None);
        assert_eq!(notebook_of("/a/b.fk#c"), None);
    }

    #[test]
    fn a_cell_can_be_added_at_the_end() {
        for text in [
            "",
            "# A",
            "```frank\na\n```",
            "```frank\na",
            "~~~frank\na\n",
            "> ```frank\n> a",
            "```\n```frank\n",
        ] {
            let with = with_cell(text, "include ad");
            let codes = codes(&with);
            assert_eq!(codes.last().expect("a cell"), "include ad\n", "{with}");
            assert!(with.starts_with(text));
            assert_eq!(cells(text).len() + 1, codes.len(), "{with}");
        }
    }

    #[test]
    fn cells_are_formatted_and_nothing_else() {
        let text = "#  A\n\n\n\n```frank\nf:Int->  Int\nf x=x+1   \n\nf   2\n```\n*  b\n\n   ```frank\n   g:Int\n   ```\n\n\
                    ```frank\ng!=f 1";
        let formatted = format_file("a.md", text, &FormatOptions::default()).apply(text);
        let wanted = "#  A\n\n\n\n```frank\nf : Int -> Int\nf x = x + 1\n\nf   2\n```\n*  b\n\n   ```frank\n   g:Int\n   ```\n\n\
                      ```frank\ng! = f 1\n";
        assert_eq!(formatted, wanted);
        assert!(format_file("a.md", wanted, &FormatOptions::default()).is_unchanged());
    }

    proptest! {
        #[test]
        fn every_markdown_is_read(parts in proptest::collection::vec(prop_oneof![
            Just("```frank\n"), Just("```\n"), Just("~~~frank\r\n"), Just("~~~\n"), Just("````\n"), Just("\t"),
            Just("  "), Just("> "), Just("- "), Just("1. "), Just("a : Int\n"), Just("a! = (\n"), Just("é\r\n"),
            Just("{-- "), Just("--}\n"), Just("\n"), Just("\u{feff}"), Just("\r"), Just("<!--\n"), Just("-->\n"), Just("\0"),
        ], 0..24)) {
            let text = parts.concat();
            let read = program(&text);
            prop_assert_eq!(read.text.len(), text.len());
            let mut end = 0;
            for item in read.outline.items() {
                prop_assert_eq!(item.range.start, end);
                prop_assert!(read.text.is_char_boundary(item.token_start()));
                end = item.range.end;
            }
            prop_assert!(end == text.len() || end == 0);
            // Formatting leaves everything but the cells.
            let formatted = format_file("a.md", &text, &FormatOptions::default());
            for edit in &formatted.edits {
                let inside = |cell: Cell| cell.range.start <= edit.range.start && edit.range.end <= cell.range.end;
                prop_assert!(cells(&text).into_iter().any(inside));
            }
        }
    }
}
