//! Ever larger parts around a place (LSP `textDocument/selectionRange`).

use text_size::TextRange;

use crate::tokens::words;
use crate::view::{size, slice};
use crate::{Analysis, FilePosition};

impl Analysis {
    /// The ranges around a place, the smallest first, each within the next: the word, the term,
    /// with its parentheses, and so on to the item and the whole file (`textDocument/selectionRange`).
    pub fn selections(&self, at: FilePosition) -> Vec<TextRange> {
        let whole = TextRange::up_to(size(self.snapshot().length(at.file)));
        let Some(spot) = self.spot(at) else {
            return vec![whole];
        };
        let view = spot.view;
        let text = view.text();
        let mut found: Vec<TextRange> = Vec::new();
        let words = words(text);
        let word = words.iter().find(|word| {
            word.range.start <= usize::from(spot.offset)
                && usize::from(spot.offset) < word.range.end
        });
        let word = word.or_else(|| {
            words
                .iter()
                .find(|word| word.range.end == usize::from(spot.offset))
        });
        found.extend(word.map(|word| TextRange::new(size(word.range.start), size(word.range.end))));
        for node in spot.path().into_iter().rev() {
            let range = view.range(node.id(view.item()));
            if range.contains_inclusive(spot.offset) && !range.is_empty() {
                found.push(range);
                found.extend(bracketed(text, range));
            }
        }
        let token = view.place().map_or(0, |place| place.token_offset);
        let end = text.trim_end().len();
        if token < end {
            found.push(TextRange::new(size(token), size(end)));
        }
        found.push(TextRange::up_to(size(text.len())));
        let mut nested: Vec<TextRange> = Vec::new();
        for range in found {
            match nested.last() {
                Some(last) if range == *last || !range.contains_range(*last) => {}
                _ => nested.push(range),
            }
        }
        let mut nested: Vec<TextRange> =
            nested.into_iter().map(|range| range + view.start).collect();
        if nested.last().is_none_or(|last| *last != whole) {
            nested.push(whole);
        }
        nested
    }
}

/// A range with the brackets directly around it, and what is between them.
fn bracketed(text: &str, range: TextRange) -> Vec<TextRange> {
    let before = text.get(..usize::from(range.start())).unwrap_or_default();
    let after = text.get(usize::from(range.end())..).unwrap_or_default();
    let (inner_start, inner_end) = (
        before.trim_end().len(),
        after.len() - after.trim_start().len(),
    );
    let inside = TextRange::new(size(inner_start), range.end() + size(inner_end));
    let open = before.trim_end().chars().next_back();
    let close = after.trim_start().chars().next();
    match (open, close) {
        (Some('('), Some(')')) | (Some('['), Some(']')) | (Some('{'), Some('}')) => {
            let one = size(1);
            let outside = TextRange::new(inside.start() - one, inside.end() + one);
            debug_assert!(slice(text, outside).len() >= 2);
            vec![inside, outside]
        }
        _ => Vec::new(),
    }
}
