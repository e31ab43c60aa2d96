//! Gives every token of a paragraph its column.
//!
//! A paragraph is a run of items without a blank line or an item that stays as it is between them;
//! within it, what stands below one another in neighbouring lines can be aligned. Columns are found in
//! two steps. First every line gets its indentation, in the text's own columns ([`indent`]). Then all
//! tokens go to the left as far as the style allows, from the left-most one on, but those that were
//! aligned with blanks stay aligned.
//!
//! [`indent`]: super::indent

use super::token::{Kind, NONE, Token};
use crate::outline::OutlineKind;

/// A column: that of a token and so many more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stop {
    pub anchor: usize,
    pub offset: i32,
}

/// A line with at least one token.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Its tokens.
    pub first: usize,
    pub end: usize,
    /// The end of those before the first that spans lines.
    pub plain_end: usize,
    /// The first of them that is no comment, or `NONE`.
    pub code: usize,
    /// The item, as an index into those of the layout.
    pub item: usize,
    /// True if the item begins here.
    pub head: bool,
    /// True if no line with code comes before without a blank line between.
    pub detached: bool,
    /// Where the line begins; none for the first of an item.
    pub stop: Option<Stop>,
}

/// One item of a paragraph: its tokens.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub first: usize,
    pub end: usize,
    pub kind: OutlineKind,
    /// True if something that is not laid out stands between it and the part before.
    pub detached: bool,
}

#[derive(Default)]
pub(super) struct Layout {
    pub tokens: Vec<Token>,
    pub parts: Vec<Part>,
    pub lines: Vec<Line>,
    /// For each token, its line.
    line_of: Vec<usize>,
    /// The first line of each part, and the number of lines.
    part_lines: Vec<usize>,
}

impl Layout {
    pub fn token(&self, index: usize) -> Option<&Token> {
        self.tokens.get(index)
    }

    pub fn line_of(&self, token: usize) -> usize {
        self.line_of.get(token).copied().unwrap_or(NONE)
    }

    fn line(&self, token: usize) -> Option<&Line> {
        self.lines.get(self.line_of(token))
    }

    /// The token that the line of `token` begins with.
    pub fn line_first(&self, token: usize) -> usize {
        self.line(token)
            .map_or(token, |line| if line.head { line.code } else { line.first })
    }

    /// The token behind `token`, if that is on the same line; or else itself.
    pub fn second_of(&self, token: usize) -> usize {
        let same = self.line_of(token + 1) == self.line_of(token) && token != NONE;
        if same { token + 1 } else { token }
    }

    pub fn begins_line(&self, token: usize) -> bool {
        self.line(token).is_some_and(|line| line.code == token)
    }

    /// True if no code follows `token` on its line.
    pub fn ends_line(&self, token: usize) -> bool {
        let Some(line) = self.line(token) else {
            return false;
        };
        let rest = self.tokens.get(token + 1..line.end).unwrap_or_default();
        rest.iter().all(|token| token.kind.is_comment())
    }

    /// True if the columns of the line say nothing.
    pub fn on_free_line(&self, token: usize) -> bool {
        self.line(token)
            .and_then(|line| self.token(line.first))
            .is_some_and(|first| first.free && !first.pinned)
    }

    /// The lines of a part.
    pub fn item_lines(&self, part: usize) -> Option<std::ops::Range<usize>> {
        Some(*self.part_lines.get(part)?..*self.part_lines.get(part + 1)?)
    }

    /// Finds the lines, given where they are broken.
    pub fn find_lines(&mut self) {
        self.lines.clear();
        self.line_of.clear();
        self.part_lines.clear();
        let mut detached = true;
        for (item, part) in self.parts.iter().enumerate() {
            self.part_lines.push(self.lines.len());
            detached |= part.detached;
            let mut headless = true;
            for index in part.first..part.end {
                let Some(token) = self.tokens.get_mut(index) else {
                    break;
                };
                let code = if token.kind.is_comment() { NONE } else { index };
                if index == part.first || token.breaks > 0 {
                    // The breaks before an item's first token are blank lines above it.
                    detached |= token.breaks > usize::from(index != part.first);
                    self.lines.push(Line {
                        first: index,
                        end: index,
                        plain_end: index,
                        code,
                        item,
                        head: false,
                        detached,
                        stop: None,
                    });
                }
                let Some(line) = self.lines.last_mut() else {
                    break;
                };
                if line.code == NONE {
                    line.code = code;
                }
                if line.code == index {
                    line.head = headless;
                    headless = false;
                    line.detached = detached;
                    detached = false;
                }
                if line.plain_end == index && !token.multiline {
                    line.plain_end = index + 1;
                }
                line.end = index + 1;
                self.line_of.push(self.lines.len() - 1);
                token.adjusted = token.raw;
                token.out = token.raw;
                token.out_end = token.raw_end;
                token.pinned = false;
            }
        }
        self.part_lines.push(self.lines.len());
        self.pin();
    }

    /// Pins what may not move: the first token of an item with what precedes it on its line, since
    /// its column says that an item begins; and what follows the end of a comment over several lines.
    fn pin(&mut self) {
        for line in &self.lines {
            let mut behind_comment = false;
            let tokens = self
                .tokens
                .get_mut(line.first..line.end)
                .unwrap_or_default();
            for (index, token) in (line.first..).zip(tokens) {
                token.pinned = (line.head && index <= line.code) || behind_comment;
                if !token.kind.is_comment() {
                    behind_comment = false;
                } else if token.multiline {
                    behind_comment = true;
                }
            }
        }
    }

    /// Puts a line at a stop, in the text's columns.
    pub fn attach(&mut self, line: &Line, stop: Stop) {
        let column = self.token(stop.anchor).map_or(0, |anchor| anchor.adjusted) + stop.offset;
        let index = self.line_of(line.first);
        if let Some(line) = self.lines.get_mut(index) {
            line.stop = Some(stop);
        }
        let tokens = self
            .tokens
            .get_mut(line.first..line.end)
            .unwrap_or_default();
        let Some(shift) = tokens.first().map(|first| column - first.raw) else {
            return;
        };
        for token in tokens {
            token.adjusted = token.raw + shift;
            if token.multiline {
                break;
            }
        }
    }

    /// Moves all tokens to their places, but for comments on lines of their own.
    pub fn align(&mut self) {
        let groups = Groups::find(self);
        let mut order: Vec<(i32, usize)> = Vec::with_capacity(self.tokens.len());
        let mut keys: Vec<i32> = vec![i32::MIN; self.lines.len()];
        for index in 0..self.lines.len() {
            let Some(line) = self.lines.get(index).filter(|line| line.code != NONE) else {
                continue;
            };
            let anchor = line.stop.map_or(NONE, |stop| stop.anchor);
            let anchor_line = self
                .line(anchor)
                .filter(|line| line.first == anchor)
                .map(|_| self.line_of(anchor));
            let mut least = match anchor_line {
                Some(line) => keys.get(line).copied().unwrap_or(i32::MIN),
                None => self
                    .token(anchor)
                    .map_or(i32::MIN, |anchor| anchor.adjusted),
            };
            for token in line.first..line.end {
                let Some(adjusted) = self.token(token).map(|token| token.adjusted) else {
                    break;
                };
                let key = adjusted.max(least);
                if token == line.first {
                    if let Some(slot) = keys.get_mut(index) {
                        *slot = key;
                    }
                    least = i32::MIN;
                }
                order.push((key, token));
            }
        }
        order.sort_unstable();
        let mut placed = vec![false; groups.groups.len()];
        for (_, index) in order {
            match groups.of.get(index).copied().unwrap_or(NONE) {
                NONE => {
                    let column = self.place_of(index);
                    self.place(index, column);
                }
                group => {
                    let done = placed
                        .get_mut(group)
                        .map(|placed| std::mem::replace(placed, true));
                    if done == Some(false) {
                        self.place_group(&groups, group);
                    }
                }
            }
        }
    }

    /// The column that a token has by itself.
    fn place_of(&self, index: usize) -> i32 {
        let Some(token) = self.token(index) else {
            return 0;
        };
        let Some(line) = self.line(index) else {
            return token.raw;
        };
        if token.pinned {
            token.raw
        } else if index == line.first {
            let stop = line
                .stop
                .and_then(|stop| Some(self.token(stop.anchor)?.out + stop.offset));
            stop.unwrap_or(token.raw)
        } else {
            let before = self.token(index - 1);
            before.map_or(token.raw, |before| before.out_end + token.gap)
        }
    }

    fn place(&mut self, index: usize, column: i32) {
        if let Some(token) = self.tokens.get_mut(index) {
            token.out = column;
            token.out_end = token.end_from(column);
        }
    }

    /// Puts aligned tokens into one column: the first that has room for all of them. If they stood
    /// right behind something in the line above or below, they keep to that.
    fn place_group(&mut self, groups: &Groups, index: usize) {
        let Some(group) = groups.groups.get(index) else {
            return;
        };
        let Some(adjusted) = group
            .members
            .first()
            .and_then(|&first| self.token(first))
            .map(|token| token.adjusted)
        else {
            return;
        };
        let natural = group
            .members
            .iter()
            .map(|&member| self.place_of(member))
            .max();
        let lines = group.members.iter().map(|&member| self.line_of(member));
        let (above, below) = (lines.clone().min(), lines.max());
        let above = above.and_then(|line| self.neighbour_above(line));
        let below = below.and_then(|line| self.neighbour_below(line));
        let support = [above, below]
            .into_iter()
            .flatten()
            .filter_map(|line| {
                let line = self.lines.get(line)?;
                let tokens = self.tokens.get(line.first..line.plain_end)?;
                let count = tokens.partition_point(|token| token.adjusted < adjusted);
                let before = tokens.get(count.checked_sub(1)?)?;
                let ends = before.adjusted + before.raw_end - before.raw + 1 == adjusted;
                let free = tokens.get(count).is_none_or(|after| after.gap > 0);
                (ends && free).then_some(before.out_end + 1)
            })
            .max();
        let column = natural.max(support).unwrap_or(adjusted);
        for &member in &group.members {
            self.place(member, column);
        }
    }

    /// The line with code above `line`, if no blank line is between.
    fn neighbour_above(&self, line: usize) -> Option<usize> {
        if self.lines.get(line)?.detached {
            return None;
        }
        (0..line).rev().find(|&above| {
            self.lines
                .get(above)
                .is_some_and(|above| above.code != NONE)
        })
    }

    fn neighbour_below(&self, line: usize) -> Option<usize> {
        let below = (line + 1..self.lines.len()).find(|&below| {
            self.lines
                .get(below)
                .is_some_and(|below| below.code != NONE)
        })?;
        self.lines
            .get(below)
            .is_some_and(|below| !below.detached)
            .then_some(below)
    }

    /// Puts the comments that have lines of their own above what they are about.
    pub fn place_comments(&mut self) {
        let mut below: Option<(usize, usize)> = None;
        for index in (0..self.lines.len()).rev() {
            let Some(line) = self.lines.get(index).cloned() else {
                break;
            };
            if line.code != NONE {
                below = Some((line.item, line.code));
                continue;
            }
            let head = self.item_column(line.item);
            let column = match below {
                Some((item, code)) if item == line.item => self.comment_column(code),
                _ => head,
            };
            for token in line.first..line.end {
                let column = if token == line.first {
                    column
                } else {
                    self.place_of(token)
                };
                self.place(token, column);
            }
        }
    }

    fn item_column(&self, item: usize) -> i32 {
        let mut lines = self.item_lines(item).unwrap_or_default();
        let head = lines.find_map(|line| self.lines.get(line).filter(|line| line.head));
        head.and_then(|line| self.token(line.code))
            .map_or(0, |token| token.raw)
    }

    /// The column of a comment above the line that begins with `code`.
    fn comment_column(&self, code: usize) -> i32 {
        let Some(below) = self.token(code) else {
            return 0;
        };
        let Kind::Close(_) = below.kind else {
            // A line may begin with a comment, too.
            return self
                .token(self.line_first(code))
                .map_or(below.out, |first| first.out);
        };
        // As far to the right as the last line inside of the bracket.
        let inside = (0..self.line_of(code))
            .rev()
            .map_while(|above| self.lines.get(above))
            .take_while(|above| above.first > below.partner)
            .take(64)
            .find(|above| {
                self.token(above.code)
                    .is_some_and(|token| token.parent == below.partner)
            });
        let inside = inside
            .and_then(|above| self.token(above.first))
            .map(|token| token.out);
        inside.unwrap_or(below.out + 2)
    }
}

/// Tokens of neighbouring lines that stand in one column because somebody put blanks there.
struct Group {
    members: Vec<usize>,
    /// True if one of them has more blanks in front than it needs.
    wide: bool,
}

struct Groups {
    groups: Vec<Group>,
    /// For each token its group, or `NONE`.
    of: Vec<usize>,
}

/// What can be aligned with what.
fn column_class(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::Name
        | Kind::Keyword
        | Kind::Let
        | Kind::Number
        | Kind::Text
        | Kind::Negate
        | Kind::Open(_) => Some(Kind::Name),
        Kind::LineComment | Kind::BlockComment => Some(Kind::LineComment),
        Kind::Close(_) | Kind::Comma | Kind::Semicolon | Kind::Unknown => None,
        kind => Some(kind),
    }
}

impl Groups {
    fn find(layout: &Layout) -> Groups {
        let mut groups = Groups {
            groups: Vec::new(),
            of: vec![NONE; layout.tokens.len()],
        };
        let mut above: Option<&Line> = None;
        for line in layout.lines.iter().filter(|line| line.code != NONE) {
            // Nobody aligned anything with a line that was not there.
            let broken = layout.token(line.first).is_some_and(|first| first.broken);
            if let Some(above) = above.filter(|_| !line.detached && !broken) {
                groups.join(layout, above, line);
            }
            above = Some(line).filter(|_| !broken);
        }
        let mut of = groups.of;
        for (index, group) in groups.groups.iter().enumerate() {
            if !group.wide {
                for &member in &group.members {
                    if let Some(slot) = of.get_mut(member).filter(|slot| **slot == index) {
                        *slot = NONE;
                    }
                }
            }
        }
        Groups {
            groups: groups.groups,
            of,
        }
    }

    /// The tokens of a line that can be aligned.
    fn candidates<'l>(
        layout: &'l Layout,
        line: &Line,
    ) -> impl Iterator<Item = (usize, &'l Token, Kind)> {
        let first = line.first;
        let tokens = layout
            .tokens
            .get(line.first..line.plain_end)
            .unwrap_or_default();
        (first..)
            .zip(tokens)
            .skip(1)
            .filter(|(_, token)| !token.pinned)
            .filter_map(|(index, token)| Some((index, token, column_class(token.kind)?)))
    }

    fn join(&mut self, layout: &Layout, above: &Line, below: &Line) {
        // A signature says nothing that a clause or an `include` says; comments behind them may be a table.
        let kind = |line: &Line| layout.parts.get(line.item).map(|part| part.kind);
        let related = kind(above) == kind(below);
        let lowers = Groups::candidates(layout, below);
        let lowers = lowers.filter(|(_, token, _)| related || token.kind.is_comment());
        let mut uppers = Groups::candidates(layout, above).peekable();
        for (lower, lower_token, lower_class) in lowers {
            while uppers
                .next_if(|(_, upper, _)| upper.adjusted < lower_token.adjusted)
                .is_some()
            {}
            let Some(&(upper, upper_token, upper_class)) = uppers.peek() else {
                return;
            };
            if upper_token.adjusted != lower_token.adjusted || upper_class != lower_class {
                continue;
            }
            // Behind a bracket is a blank only for the sake of what stands behind a `|` or `,` below.
            let behind_bracket = |index: usize| {
                layout
                    .token(index - 1)
                    .is_some_and(|before| before.kind.is_open())
            };
            let behind_separator = lower == below.first + 1
                && layout
                    .token(below.first)
                    .is_some_and(|first| matches!(first.kind, Kind::Bar | Kind::Comma));
            if behind_bracket(lower) || (behind_bracket(upper) && !behind_separator) {
                continue;
            }
            let group = match self.of.get(upper).copied() {
                Some(NONE) | None => {
                    let wide = upper_token.raw_gap > upper_token.gap;
                    self.groups.push(Group {
                        members: vec![upper],
                        wide,
                    });
                    self.groups.len() - 1
                }
                Some(group) => group,
            };
            if let Some(joined) = self.groups.get_mut(group) {
                joined.members.push(lower);
                joined.wide |= lower_token.raw_gap > lower_token.gap;
            }
            for token in [upper, lower] {
                if let Some(slot) = self.of.get_mut(token) {
                    *slot = group;
                }
            }
        }
    }
}
