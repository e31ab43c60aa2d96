//! The formatter.
//!
//! It keeps the line breaks of the author and changes nothing but blanks: those between tokens, the
//! indentation of lines, those at the ends of lines, and blank lines. `docs/formatting.md` says which
//! it wants and why. Items with syntax errors stay as they are.
//!
//! What it does to one item can depend on the neighbours, since columns that were aligned stay
//! aligned; so it works on *paragraphs*, runs of items without a blank line between them. Formatting a
//! part of a file gives that part of what formatting the file gives.

use std::ops::Range;

use crate::outline::{OutlineItem, OutlineKind, split};
use crate::parse::parse_item;
use indent::find_columns;
use layout::{Layout, Part};

#[cfg(test)]
mod generate;
mod indent;
mod layout;
#[cfg(test)]
mod properties;
mod role;
#[cfg(test)]
mod tests;
mod token;
mod wrap;

/// What can be chosen. There is one style; only the length of lines is a matter of the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatOptions {
    /// Lines with code beyond this column are broken, where that is possible.
    pub columns: usize,
}

impl Default for FormatOptions {
    fn default() -> FormatOptions {
        FormatOptions { columns: 100 }
    }
}

/// The bytes `range` of the old text become `text`. Both are blanks and line breaks only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatEdit {
    pub range: Range<usize>,
    pub text: String,
}

/// What formatting changes: edits in the order of the text, none touching another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Formatted {
    pub edits: Vec<FormatEdit>,
}

impl Formatted {
    /// True if the text was formatted already.
    pub fn is_unchanged(&self) -> bool {
        self.edits.is_empty()
    }

    /// The formatted text, given the text that was formatted.
    pub fn apply(&self, text: &str) -> String {
        apply(&self.edits, text, 0)
    }
}

/// The text with the edits, which are relative to `base`, made.
fn apply(edits: &[FormatEdit], text: &str, base: usize) -> String {
    let mut formatted = String::with_capacity(text.len() + 16);
    let mut end = 0;
    for edit in edits {
        let range = edit.range.start.saturating_sub(base)..edit.range.end.saturating_sub(base);
        formatted.push_str(text.get(end..range.start).unwrap_or_default());
        formatted.push_str(&edit.text);
        end = range.end;
    }
    formatted.push_str(text.get(end..).unwrap_or_default());
    formatted
}

/// Formats a whole file.
///
/// ```
/// use frank_syntax::format::{FormatOptions, format};
///
/// let text = "f:Int->  Int\nf x=x+1   \n";
/// let formatted = format(text, &FormatOptions::default());
/// assert_eq!(formatted.apply(text), "f : Int -> Int\nf x = x + 1\n");
/// ```
pub fn format(text: &str, options: &FormatOptions) -> Formatted {
    let items = split(text);
    if items.is_empty() {
        return Formatted {
            edits: format_comments(text),
        };
    }
    format_items(text, &items, 0..items.len(), options)
}

/// Formats the items of a file that have a token or a comment in `range`; with an empty range, the item
/// that it is in.
pub fn format_range(text: &str, range: Range<usize>, options: &FormatOptions) -> Formatted {
    let items = split(text);
    if items.is_empty() {
        return Formatted {
            edits: format_comments(text),
        };
    }
    let last = items.len() - 1;
    let first = items
        .partition_point(|item| item.range.end <= range.start)
        .min(last);
    let end = items
        .partition_point(|item| item.range.start < range.end)
        .max(first + 1);
    format_items(text, &items, first..end, options)
}

/// Formats some of the items of a file, given all of them.
pub fn format_items(
    text: &str,
    items: &[OutlineItem],
    wanted: Range<usize>,
    options: &FormatOptions,
) -> Formatted {
    let newline = newline_of(text);
    let formatter = Formatter {
        text,
        items,
        newline,
        width: i32::try_from(options.columns).unwrap_or(i32::MAX),
    };
    let mut edits = Vec::new();
    let mut first = paragraph_start(text, items, wanted.start);
    while first < wanted.end.min(items.len()) {
        let end = paragraph_end(text, items, first);
        formatter.paragraph(first..end, &wanted, &mut edits);
        first = end;
    }
    Formatted { edits }
}

/// The first line break of a file decides about all of them.
fn newline_of(text: &str) -> &'static str {
    match text.find('\n').and_then(|line| line.checked_sub(1)) {
        Some(before) if text.as_bytes().get(before) == Some(&b'\r') => "\r\n",
        _ => "\n",
    }
}

/// True if a blank line, or the beginning of the file, comes before the item's first comment or token.
fn begins_paragraph(text: &str, item: &OutlineItem) -> bool {
    let text = item.text(text);
    item.range.start == 0 || text.trim_start_matches(is_blank).starts_with('\n')
}

fn paragraph_start(text: &str, items: &[OutlineItem], index: usize) -> usize {
    let begins = |&index: &usize| {
        items
            .get(index)
            .is_none_or(|item| begins_paragraph(text, item))
    };
    (0..=index).rev().find(begins).unwrap_or(0)
}

fn paragraph_end(text: &str, items: &[OutlineItem], start: usize) -> usize {
    let begins = |&index: &usize| {
        items
            .get(index)
            .is_none_or(|item| begins_paragraph(text, item))
    };
    (start + 1..items.len()).find(begins).unwrap_or(items.len())
}

/// A blank within a line.
fn is_blank(c: char) -> bool {
    c != '\n' && crate::lexer::is_blank(c)
}

struct Formatter<'t> {
    text: &'t str,
    items: &'t [OutlineItem],
    newline: &'static str,
    width: i32,
}

impl Formatter<'_> {
    /// Formats the items of a paragraph; keeps the edits of the wanted ones.
    fn paragraph(&self, items: Range<usize>, wanted: &Range<usize>, edits: &mut Vec<FormatEdit>) {
        let mut kept: Vec<bool> = items.clone().map(|item| self.is_kept(item)).collect();
        let mut changes = self.lay_out(&items, &kept);
        if changes.iter().all(Vec::is_empty) {
            return;
        }
        // Only now it pays to parse: most of what is formatted has been so before.
        let mut broken = false;
        for (item, kept) in items.clone().zip(&mut kept) {
            if !*kept
                && !self
                    .items
                    .get(item)
                    .is_some_and(|item| parse_item(item.text(self.text)).errors.is_empty())
            {
                *kept = true;
                broken = true;
            }
        }
        if broken {
            changes = self.lay_out(&items, &kept);
        }
        for (item, changes) in items.zip(changes) {
            if wanted.contains(&item) && self.is_faithful(item, &changes) {
                edits.extend(changes);
            }
        }
    }

    /// True for items that stay as they are and need no look for that: what begins or ends in the
    /// middle of a line, and what has an error in its layout.
    fn is_kept(&self, index: usize) -> bool {
        let Some(item) = self.items.get(index) else {
            return true;
        };
        let at_line_start =
            |at: usize| at == 0 || self.text.get(..at).is_some_and(|text| text.ends_with('\n'));
        item.left_of_column
            || item.unclosed_comment
            || item.kind == OutlineKind::Other
            || !at_line_start(item.range.start)
            || (index + 1 < self.items.len() && !at_line_start(item.range.end))
    }

    /// The edits of each item of a paragraph; none for those that are `kept`.
    fn lay_out(&self, items: &Range<usize>, kept: &[bool]) -> Vec<Vec<FormatEdit>> {
        let mut layout = Layout::default();
        let mut parts = Vec::new();
        let mut detached = true;
        for (index, kept) in items.clone().zip(kept) {
            let Some(item) = self.items.get(index).filter(|_| !kept) else {
                detached = true;
                continue;
            };
            let first = layout.tokens.len();
            token::read(self.text, item, &mut layout.tokens);
            if !role::assign(&mut layout.tokens, first, item.kind) {
                layout.tokens.truncate(first);
                detached = true;
                continue;
            }
            layout.parts.push(Part {
                first,
                end: layout.tokens.len(),
                kind: item.kind,
                detached,
            });
            parts.push(index);
            detached = false;
        }
        find_columns(&mut layout);
        while wrap::wrap(&mut layout, self.width) {
            find_columns(&mut layout);
        }
        let mut edits = vec![Vec::new(); kept.len()];
        for (part, &index) in layout.parts.iter().zip(&parts) {
            if let Some(edits) = edits.get_mut(index - items.start) {
                self.part_edits(&layout, part, index, edits);
            }
        }
        edits
    }

    /// The edits that give the tokens of an item their places.
    fn part_edits(&self, layout: &Layout, part: &Part, index: usize, edits: &mut Vec<FormatEdit>) {
        let Some(item) = self.items.get(index) else {
            return;
        };
        let start = if item.range.start == 0 && self.text.starts_with('\u{feff}') {
            3
        } else {
            item.range.start
        };
        let mut end = start;
        let mut column = 0;
        for number in part.first..part.end {
            let Some(token) = layout.token(number) else {
                break;
            };
            let gap = self.text.get(end..token.start).unwrap_or_default();
            let lines = if number == part.first {
                token.breaks.min(usize::from(item.range.start > 0))
            } else {
                token.breaks.min(2)
            };
            let mut blanks = self.newline.repeat(lines);
            if token.pinned {
                blanks.push_str(gap.rsplit('\n').next().unwrap_or_default());
            } else {
                let from = if token.breaks > 0 || number == part.first {
                    0
                } else {
                    column
                };
                blanks.extend(std::iter::repeat_n(
                    ' ',
                    usize::try_from(token.out - from).unwrap_or(0),
                ));
            }
            if blanks != gap {
                edits.push(FormatEdit {
                    range: end..token.start,
                    text: blanks,
                });
            }
            end = token.end;
            column = token.out_end;
        }
        if self.text.get(end..item.range.end) != Some(self.newline) {
            edits.push(FormatEdit {
                range: end..item.range.end,
                text: self.newline.to_owned(),
            });
        }
    }

    /// True if the edits change no token of the item. They never do; a formatter that took something
    /// away would be worse than none.
    fn is_faithful(&self, index: usize, edits: &[FormatEdit]) -> bool {
        let Some(item) = self.items.get(index) else {
            return false;
        };
        if edits.is_empty() {
            return true;
        }
        let old = item.text(self.text);
        let new = apply(edits, old, item.range.start);
        let faithful = same_tokens(old, &new, item);
        debug_assert!(faithful, "{old:?} became {new:?}");
        faithful
    }
}

/// True if `old` and `new` have the same tokens and comments, which make one item.
fn same_tokens(old: &str, new: &str, item: &OutlineItem) -> bool {
    let read = |text: &str| {
        let mut tokens = Vec::new();
        let item = OutlineItem {
            range: 0..text.len(),
            ..item.clone()
        };
        token::read(text, &item, &mut tokens);
        tokens
    };
    let (old_tokens, new_tokens) = (read(old), read(new));
    let same = old_tokens.len() == new_tokens.len()
        && old_tokens.iter().zip(&new_tokens).all(|(before, after)| {
            old.get(before.start..before.end) == new.get(after.start..after.end)
        });
    let (old_items, new_items) = (split(old).len(), split(new).len());
    same && old_items == new_items
}

/// Formats a text that has comments only: their columns stay.
fn format_comments(text: &str) -> Vec<FormatEdit> {
    let newline = newline_of(text);
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let item = OutlineItem {
        range: 0..text.len(),
        token_offset: 0,
        kind: OutlineKind::Other,
        name: None,
        left_of_column: false,
        unclosed_comment: false,
    };
    let mut tokens = Vec::new();
    token::read(text, &item, &mut tokens);
    let mut edits = Vec::new();
    let mut end = start;
    for (index, token) in tokens.iter().enumerate() {
        let gap = text.get(end..token.start).unwrap_or_default();
        let lines = if index == 0 { 0 } else { token.breaks.min(2) };
        let blanks = newline.repeat(lines) + gap.rsplit('\n').next().unwrap_or_default();
        if blanks != gap {
            edits.push(FormatEdit {
                range: end..token.start,
                text: blanks,
            });
        }
        end = token.end;
    }
    let last = if tokens.is_empty() { "" } else { newline };
    if text.get(end..) != Some(last) {
        edits.push(FormatEdit {
            range: end..text.len(),
            text: last.to_owned(),
        });
    }
    edits
}
