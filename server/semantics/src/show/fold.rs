//! What of a large state is shown at first: what is near the focus, what has changed, and what fits.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::Text;

/// So many characters of a state a person reads at once. What lines are indented by does not count; a new line counts
/// as some characters do.
pub const READABLE: usize = 900;

/// What is hidden is opened at once if it is at most such a part of what a person reads at once; what is longer is
/// opened piece by piece.
const AT_ONCE: usize = 4;

/// What a new line counts.
const LINE: usize = 24;

/// What stands for what is folded.
const FOLDED: char = '…';

/// What is hidden together. It can lie in another fold, and is hidden there, too, when that is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// A part; or what stands before and behind a part that stays in view, either of which may be empty.
    pub hidden: Vec<Range<usize>>,
}

impl Fold {
    /// The part within that stays in view.
    fn hole(&self) -> Option<Range<usize>> {
        match &self.hidden[..] {
            [before, behind] => Some(before.end..behind.start),
            _ => None,
        }
    }
}

/// A part of a text with the parts in it.
struct Part {
    range: Range<usize>,
    parts: Vec<usize>,
    /// Its characters, as [`READABLE`] counts them.
    all: usize,
    /// Those that are not in smaller parts, with a sign for each of those.
    own: usize,
}

impl Text {
    /// What is hidden of a state at first, if it has more than so many characters. The parts around the focus stay in
    /// view, the innermost and the outermost ones before those between; so does the call of the handler that takes
    /// the command at the focus. Then parts are opened as long as there is room: what touches `changed` first, then
    /// what is nearer to the focus and less deep.
    pub fn folds(&self, readable: usize, changed: Option<&Range<usize>>) -> Vec<Fold> {
        let parts = self.nested();
        if parts.first().is_none_or(|whole| whole.all <= readable) {
            return Vec::new();
        }
        let (way, mut room, mut folds) = self.around_focus(&parts, readable);
        let mut waiting = BinaryHeap::new();
        let mut shut = Vec::new();
        let priority = |at: usize, distance: usize| {
            let meets = |range: &Range<usize>| {
                changed
                    .is_some_and(|changed| range.start <= changed.end && changed.start <= range.end)
            };
            let is_same = !parts.get(at).is_some_and(|part| meets(&part.range));
            Reverse((is_same, distance, at))
        };
        for (distance, at) in way.iter().enumerate() {
            let inner = parts.get(*at).map_or(&[][..], |part| &part.parts);
            let beside = inner.iter().filter(|inner| !way.contains(inner));
            waiting.extend(beside.map(|inner| priority(*inner, distance + 1)));
        }
        while let Some(Reverse((_, distance, at))) = waiting.pop() {
            let Some(part) = parts.get(at) else { continue };
            match room.checked_sub(part.own) {
                Some(left) => {
                    room = left;
                    let inner = part.parts.iter();
                    waiting.extend(inner.map(|inner| priority(*inner, distance + 1)));
                }
                None => shut.push(at),
            }
        }
        while let Some(part) = shut.pop().and_then(|at| parts.get(at)) {
            let hidden = vec![part.range.clone()];
            folds.push(Fold { hidden });
            if part.all > readable / AT_ONCE {
                shut.extend(&part.parts);
            }
        }
        folds
    }

    /// The parts with those in them; the first is the whole text.
    fn nested(&self) -> Vec<Part> {
        // How much stands before each place; blanks behind others count for nothing.
        let mut before = vec![0];
        let (mut count, mut is_blank) = (0_usize, false);
        for c in self.text.chars() {
            count += match c {
                '\n' => LINE,
                ' ' if is_blank => 0,
                _ => 1,
            };
            is_blank = c.is_whitespace();
            before.push(count);
        }
        let length = before.len() - 1;
        let new = |range: Range<usize>| {
            let before = |at: usize| before.get(at).copied().unwrap_or(count);
            let all = before(range.end) - before(range.start);
            let (parts, own) = (Vec::new(), all);
            Part {
                range,
                parts,
                all,
                own,
            }
        };
        let mut nested = vec![new(0..length)];
        let mut open = vec![0];
        for range in &self.parts {
            if *range == (0..length) {
                continue;
            }
            while let Some(outer) = open.last().and_then(|at| nested.get(*at))
                && outer.range.end <= range.start
            {
                open.pop();
            }
            let at = nested.len();
            let part = new(range.clone());
            if let Some(outer) = open.last().and_then(|at| nested.get_mut(*at)) {
                outer.parts.push(at);
                outer.own = (outer.own + 1).saturating_sub(part.all);
            }
            nested.push(part);
            open.push(at);
        }
        nested
    }

    /// The parts around the focus from the inside out, the room that is left beside those that stay in view, and folds
    /// of the others.
    fn around_focus(&self, parts: &[Part], readable: usize) -> (Vec<usize>, usize, Vec<Fold>) {
        let holds = |outer: &Range<usize>, inner: &Range<usize>| {
            outer.start <= inner.start && inner.end <= outer.end
        };
        let around = parts.iter().enumerate().rev();
        let way: Vec<usize> = around
            .filter(|(_, part)| holds(&part.range, &self.focus))
            .map(|(at, _)| at)
            .collect();
        let own = |position: usize| {
            let part = way.get(position).and_then(|at| parts.get(*at));
            part.map_or(0, |part| part.own)
        };
        let mut room = readable;
        let mut is_shown = vec![false; way.len()];
        let mut show = |position: usize, least: usize| {
            let left = room
                .checked_sub(own(position))
                .filter(|left| *left >= least);
            let shown = is_shown.get_mut(position);
            match (left, shown) {
                (_, Some(true)) => true,
                (Some(left), Some(shown)) => {
                    room = left;
                    *shown = true;
                    true
                }
                _ => false,
            }
        };
        // The handler's call is the innermost part with something around what is captured.
        let handler = self.captured.as_ref().and_then(|captured| {
            way.iter().position(|at| {
                let part = parts.get(*at).map(|part| &part.range);
                part.is_some_and(|part| holds(part, captured) && part != captured)
            })
        });
        show(0, 0);
        if let Some(handler) = handler {
            show(handler, 0);
        }
        // From the inside out, then from the outside in.
        let inner = (1..way.len()).find(|position| !show(*position, readable / 2));
        if inner.is_some() {
            let _ = (0..way.len())
                .rev()
                .find(|position| !show(*position, readable / 3));
        }
        if let Some(first) = is_shown.first_mut() {
            *first = true;
        }
        let range = |position: usize| {
            let part = way.get(position).and_then(|at| parts.get(*at));
            part.map(|part| part.range.clone())
        };
        let mut folds = Vec::new();
        let mut position = 1;
        while position < way.len() {
            let hidden = is_shown.iter().skip(position);
            let hidden = hidden.take_while(|is_shown| !**is_shown).count();
            if let (1.., Some(inner), Some(outer)) =
                (hidden, range(position - 1), range(position + hidden - 1))
            {
                let hidden = vec![outer.start..inner.start, inner.end..outer.end];
                folds.push(Fold { hidden });
            }
            position += hidden + 1;
        }
        (way, room, folds)
    }

    /// The text without what is hidden, with a sign in its place. What stands in a hole is indented as the sign is.
    #[must_use]
    pub fn folded(&self, folds: &[Fold]) -> Text {
        let mut hidden: Vec<&Range<usize>> = folds.iter().flat_map(|fold| &fold.hidden).collect();
        hidden.sort_by_key(|range| (range.start, Reverse(range.end)));
        let mut hidden = hidden.into_iter().peekable();
        let shifts = self.shifts(folds);
        let mut text = String::new();
        let mut count = 0;
        let mut end = 0;
        // Blanks that are left out of the line.
        let mut shift = 0;
        // Where each character of the whole text stands now.
        let mut places = Vec::new();
        for (at, c) in self.text.chars().enumerate() {
            while let Some(range) = hidden.next_if(|range| range.start <= at) {
                // One that lies in what is hidden already says nothing more.
                if at >= end && range.end > at {
                    text.push(FOLDED);
                    count += 1;
                }
                end = end.max(range.end);
            }
            if at < end {
                places.push(count - 1);
                continue;
            }
            places.push(count);
            if c == ' ' && shift > 0 {
                shift -= 1;
                continue;
            }
            shift = 0;
            if c == '\n' {
                let around = shifts.iter().filter(|(hole, _)| hole.contains(&at));
                shift = around.map(|(_, shift)| shift).sum();
            }
            text.push(c);
            count += 1;
        }
        let place = |at: usize| places.get(at).copied().unwrap_or(count);
        let moved = |range: &Range<usize>| match range.end.checked_sub(1) {
            Some(last) if !range.is_empty() => place(range.start)..(place(last) + 1).min(count),
            _ => place(range.start)..place(range.start),
        };
        Text {
            text,
            focus: moved(&self.focus),
            frozen: self.frozen.iter().map(moved).collect(),
            captured: self.captured.as_ref().map(moved),
            parts: Vec::new(),
        }
    }
}

impl Text {
    /// The holes of folds, with how much further to the left than in the whole text their lines begin.
    fn shifts(&self, folds: &[Fold]) -> Vec<(Range<usize>, usize)> {
        let mut columns = Vec::new();
        let mut column = 0_usize;
        for c in self.text.chars() {
            columns.push(column);
            column = if c == '\n' { 0 } else { column + 1 };
        }
        let column = |at: usize| columns.get(at).copied().unwrap_or(0);
        let shifts = folds.iter().filter_map(|fold| {
            let hole = fold.hole()?;
            let start = fold.hidden.first()?.start;
            let shift = column(hole.start).saturating_sub(column(start) + 1);
            Some((hole, shift))
        });
        shifts.collect()
    }
}

/// The characters of a text that stand between what it begins and what it ends with as another one does.
pub fn changed(before: &str, now: &str) -> Range<usize> {
    let pairs = before.chars().zip(now.chars());
    let start = pairs.take_while(|(one, other)| one == other).count();
    let (before_left, length) = (before.chars().count() - start, now.chars().count());
    let pairs = before.chars().rev().zip(now.chars().rev());
    let most = before_left.min(length - start);
    let same = pairs.take(most).take_while(|(one, other)| one == other);
    start..length - same.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `f (g … (…)) (h …)`, in which brackets are parts.
    fn text(text: &str, focus: &str) -> Text {
        let mut open = Vec::new();
        let mut parts = Vec::new();
        for (at, c) in text.chars().enumerate() {
            match c {
                '(' => open.push(at),
                ')' => parts.push(open.pop().expect("it is open")..at + 1),
                _ => {}
            }
        }
        parts.sort_by_key(|part: &Range<usize>| (part.start, Reverse(part.end)));
        let start = text.find(focus).expect("the focus");
        let start = text[..start].chars().count();
        Text {
            text: text.to_owned(),
            focus: start..start + focus.chars().count(),
            parts,
            ..Text::default()
        }
    }

    #[test]
    fn what_is_short_is_whole() {
        assert_eq!(text("f (g x) (h y)", "x").folds(100, None), []);
    }

    #[test]
    fn the_focus_stays_and_what_is_far_goes() {
        let text = text("f (g x) (h (k 12345678901234567890))", "x");
        let folded = text.folded(&text.folds(20, None));
        assert_eq!(folded.text, "f (g x) (h …)");
        assert_eq!(folded.focus, 5..6);
        // What has changed comes first.
        let large = "f (a 11111111) (b 22222222) (c x)";
        let text = self::text(large, "x");
        let changed = changed("f (a 11111111) (b 2222) (c x)", large);
        let folded = text.folded(&text.folds(24, Some(&changed)));
        assert_eq!(folded.text, "f … (b 22222222) (c x)");
    }

    #[test]
    fn between_inside_and_outside() {
        let deep = "1 + (2 + (3 + (4 + (5 + (6 + (7 + (8 + (9 + x))))))))";
        let text = text(deep, "x");
        let folds = text.folds(30, None);
        let folded = text.folded(&folds);
        assert_eq!(folded.text, "1 + …(8 + (9 + x))…");
        let focus: String = folded
            .text
            .chars()
            .skip(folded.focus.start)
            .take(1)
            .collect();
        assert_eq!(focus, "x");
        // The call of the handler stays in view.
        let mut text = text;
        let start = deep.find("(5").expect("a part");
        text.captured = Some(start..deep.len() - 3);
        let folded = text.folded(&text.folds(30, None));
        assert!(folded.text.contains("(4 + …"), "{}", folded.text);
    }

    #[test]
    fn what_is_in_a_hole_is_not_far_to_the_right() {
        let deep = "1 +\n  (2 +\n     (3 +\n        (4 +\n           (5 +\n              x))))";
        let text = text(deep, "x");
        let folded = text.folded(&text.folds(100, None));
        assert_eq!(folded.text, "1 +\n  …(5 +\n      x)…");
        let focus: String = folded
            .text
            .chars()
            .skip(folded.focus.start)
            .take(1)
            .collect();
        assert_eq!(focus, "x");
    }

    #[test]
    fn a_hidden_text_in_a_hidden_text() {
        let text = text("f (g (h 1)) x", "x");
        let folds = text.folds(4, None);
        assert_eq!(folds.len(), 2, "{folds:?}");
        assert_eq!(text.folded(&folds).text, "f … x");
    }

    #[test]
    fn what_has_changed() {
        assert_eq!(changed("f 1 x", "f 22 x"), 2..4);
        assert_eq!(changed("aa", "aaa"), 2..3);
        assert_eq!(changed("é", "é"), 1..1);
        assert_eq!(changed("", "ab"), 0..2);
    }
}
