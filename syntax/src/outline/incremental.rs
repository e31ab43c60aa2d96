//! Follows the edits of a text.

use std::borrow::Cow;
use std::ops::Range;

use super::scan::{Scanner, Start};
use super::{OutlineItem, head, split_with_column};

/// A text that can be read in parts, such as a rope.
pub trait TextSource {
    /// The length of the text in bytes.
    fn len(&self) -> usize;

    /// True if the text has no characters.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of `range`, which lies within the text and begins and ends between characters.
    fn slice(&self, range: Range<usize>) -> Cow<'_, str>;
}

impl TextSource for str {
    fn len(&self) -> usize {
        str::len(self)
    }

    fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        Cow::Borrowed(self.get(range).unwrap_or_default())
    }
}

impl<T: TextSource + ?Sized> TextSource for &T {
    fn len(&self) -> usize {
        T::len(self)
    }

    fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        T::slice(self, range)
    }
}

impl TextSource for String {
    fn len(&self) -> usize {
        String::len(self)
    }

    fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        TextSource::slice(self.as_str(), range)
    }
}

/// What an edit did to the items of a text: those with the indices `old` are gone, those with the
/// indices `new` are there instead. Both begin with the same index. The text of all other items is
/// what it was. If both hold one item, that is the one that was edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineChange {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The items of a text that changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    items: Vec<OutlineItem>,
    column: usize,
    length: usize,
}

impl Outline {
    /// Splits a whole text.
    pub fn new(text: &str) -> Outline {
        let (items, column) = split_with_column(text);
        Outline {
            items,
            column,
            length: text.len(),
        }
    }

    /// Of a text whose items are found in another way than by reading it from its start: those of a
    /// [notebook](crate::notebook). It cannot follow edits.
    pub(crate) fn of_items(items: Vec<OutlineItem>, length: usize) -> Outline {
        Outline {
            items,
            column: 0,
            length,
        }
    }

    /// The items, in order; always what [`super::split`] gives for the text, if that is no notebook.
    pub fn items(&self) -> &[OutlineItem] {
        &self.items
    }

    /// The item column, in characters.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The index of the item that `offset` is in. The end of the text is in the last item.
    pub fn item_at(&self, offset: usize) -> Option<usize> {
        let last = self.items.len().checked_sub(1)?;
        Some(
            self.items
                .partition_point(|item| item.range.end <= offset)
                .min(last),
        )
    }

    /// Takes an edit over: the bytes `edited` of the old text were replaced by `new_length` bytes, which
    /// made it `text`. Reads the items around the edit again, and more of the text only if the edit
    /// changed where later items begin. `text` is asked for ranges that begin and end where the edit
    /// or an item does.
    pub fn edit(
        &mut self,
        text: &(impl TextSource + ?Sized),
        edited: Range<usize>,
        new_length: usize,
    ) -> OutlineChange {
        let edit = Edit { edited, new_length };
        match self.scan_around(text, &edit) {
            Some(scanned) => self.splice(scanned, &edit),
            None => {
                let old = std::mem::replace(self, Outline::new(&text.slice(0..text.len())));
                change(&old.items, &self.items, 0, &edit)
            }
        }
    }

    /// Reads the items around an edit again. `None` if the edit has moved the item column, or does
    /// not fit to the text.
    fn scan_around(&self, text: &(impl TextSource + ?Sized), edit: &Edit) -> Option<Scanned> {
        let last = self.items.len().checked_sub(1)?;
        if edit.edited.end > self.length || text.len() != edit.moved(self.length) {
            return None;
        }
        // An edit can change where the item begins that it is in, and so where the one above ends,
        // but nothing further up. Only a comment that nothing closes depends on all that follows.
        let touched = self
            .items
            .partition_point(|item| item.range.end < edit.edited.start)
            .min(last);
        let above = touched.saturating_sub(1);
        let unclosed = self
            .items
            .iter()
            .take(above)
            .position(|item| item.unclosed_comment);
        let first = unclosed.unwrap_or(above);
        let below = self
            .items
            .partition_point(|item| item.range.start < edit.edited.end);
        // The window grows by doubling until the scan finds a place where an item begins as it did
        // before, so that all of it together takes linear time.
        let mut further = 2;
        loop {
            let window_end = self
                .items
                .get(below + further)
                .map(|item| edit.moved(item.range.start));
            match self.scan_window(text, edit, first, window_end) {
                Window::TooSmall => further *= 2,
                Window::ColumnMoved => return None,
                Window::Done(scanned) => return Some(scanned),
            }
        }
    }

    /// Reads the text from item `first` on, up to `window_end` at most; without one, to its end.
    fn scan_window(
        &self,
        text: &(impl TextSource + ?Sized),
        edit: &Edit,
        first: usize,
        window_end: Option<usize>,
    ) -> Window {
        let Some(first_item) = self.items.get(first) else {
            return Window::ColumnMoved;
        };
        let base = first_item.range.start;
        let window = text.slice(base..window_end.unwrap_or(text.len()));
        let complete = window_end.is_none();
        let mut scanner = match first {
            0 => Scanner::new(&window, complete),
            _ => Scanner::resume(&window, self.column, complete),
        };
        let mut current = scanner.next_start();
        if scanner.is_cut_off() {
            return Window::TooSmall;
        }
        if first == 0 && scanner.column() != self.column {
            return Window::ColumnMoved;
        }
        if first > 0
            && let Some(start) = &mut current
        {
            // The window may begin in the middle of a line.
            start.left_of_column = first_item.left_of_column;
        }
        let mut new = Vec::new();
        while let Some(start) = current {
            let next = scanner.next_start();
            if scanner.is_cut_off() {
                return Window::TooSmall;
            }
            let end = next.map_or(window.len(), |next| next.boundary);
            let mut item = head::item(&window, start, end, scanner.take_unclosed());
            item.range = item.range.start + base..item.range.end + base;
            new.push(item);
            if let Some(old_end) = next.and_then(|next| self.resumes(edit, base, next)) {
                return Window::Done(Scanned {
                    first,
                    old_end,
                    new,
                });
            }
            current = next;
        }
        Window::Done(Scanned {
            first,
            old_end: self.items.len(),
            new,
        })
    }

    /// The index of the old item that begins where `start` says, if from there on all is as it was.
    fn resumes(&self, edit: &Edit, base: usize, start: Start) -> Option<usize> {
        let old_start = edit.before(start.boundary + base)?;
        let index = self
            .items
            .binary_search_by_key(&old_start, |item| item.range.start)
            .ok()?;
        let item = self.items.get(index)?;
        let same_token = item.token_offset == start.token - start.boundary;
        (same_token && item.left_of_column == start.left_of_column).then_some(index)
    }

    /// Puts the items that were read again in the place of the old ones.
    fn splice(&mut self, scanned: Scanned, edit: &Edit) -> OutlineChange {
        let Scanned {
            first,
            old_end,
            new,
        } = scanned;
        let replaced = self.items.get(first..old_end).unwrap_or_default();
        let change = change(replaced, &new, first, edit);
        for item in self.items.iter_mut().skip(old_end) {
            item.range = edit.moved(item.range.start)..edit.moved(item.range.end);
        }
        self.length = edit.moved(self.length);
        self.items.splice(first..old_end, new);
        change
    }
}

/// The bytes of the old text that were replaced, and by how many.
struct Edit {
    edited: Range<usize>,
    new_length: usize,
}

impl Edit {
    /// Where an offset behind the edit is now.
    fn moved(&self, old: usize) -> usize {
        old.saturating_sub(self.edited.end) + self.edited.start + self.new_length
    }

    /// Where an offset was before the edit; `None` unless it is behind the edit.
    fn before(&self, new: usize) -> Option<usize> {
        Some(new.checked_sub(self.edited.start + self.new_length)? + self.edited.end)
    }
}

/// Items that were read again: the old ones from `first` to `old_end` become `new`.
struct Scanned {
    first: usize,
    old_end: usize,
    new: Vec<OutlineItem>,
}

enum Window {
    Done(Scanned),
    /// What follows the window matters.
    TooSmall,
    ColumnMoved,
}

/// The items that differ between `old` and `new`, both of which begin with the item `first`.
fn change(old: &[OutlineItem], new: &[OutlineItem], first: usize, edit: &Edit) -> OutlineChange {
    let above = old
        .iter()
        .zip(new)
        .take_while(|(old, new)| old.range.end <= edit.edited.start && old == new)
        .count();
    let most = old.len().min(new.len()) - above;
    let below = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(most)
        .take_while(|(old, new)| {
            let moved = edit.moved(old.range.start)..edit.moved(old.range.end);
            old.range.start >= edit.edited.end
                && **new
                    == OutlineItem {
                        range: moved,
                        ..(*old).clone()
                    }
        })
        .count();
    OutlineChange {
        old: first + above..first + old.len() - below,
        new: first + above..first + new.len() - below,
    }
}
