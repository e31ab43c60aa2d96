//! The scanner that finds where items begin.
//!
//! It reads every byte of a file, so it steps over most tokens as over bytes that are not special;
//! the tokens that could hide those are the lexer's.

use crate::lexer::{Kind, comment_brackets, is_name_part, lex, literal, name_end};

/// Where an item begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start {
    /// The end of the item before.
    pub boundary: usize,
    /// The item's first token.
    pub token: usize,
    pub left_of_column: bool,
}

/// What the part of a line that is still to be read can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineState {
    /// No token on this line yet.
    Fresh,
    /// No token on this line yet, but it begins with the end of a comment that belongs to the item
    /// above, and so does the line if no token follows.
    Trailing,
    /// After a token.
    Inside,
}

/// Reads a text once, from left to right, and gives the starts of its items.
///
/// The text may be a window of a longer one. Then a scan that would have to look beyond the window
/// to be sure stops, and [`Scanner::is_cut_off`] is true.
pub(super) struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// False if more text follows that the scanner cannot see.
    complete: bool,
    cut_off: bool,
    position: usize,
    /// Where column 0 of the current line is.
    line_start: usize,
    line: LineState,
    depth: usize,
    /// The item column, known from the first token on.
    column: Option<usize>,
    /// The end of the current item, should no further token belong to it.
    item_end: usize,
    /// True if the current item is known to begin at the next token, wherever that stands.
    forced: bool,
    /// True if the item that is being read has an unclosed comment.
    unclosed_here: bool,
    /// The `{--` that nothing closes, from some place on; found at most once for a text, since
    /// looking for the end of each of them anew would take quadratic time.
    unclosed: Option<Vec<usize>>,
}

impl<'t> Scanner<'t> {
    /// Scans a file from its beginning. More text follows unless it is `complete`.
    pub fn new(text: &'t str, complete: bool) -> Scanner<'t> {
        let start = if text.starts_with('\u{feff}') {
            '\u{feff}'.len_utf8()
        } else {
            0
        };
        Scanner {
            text,
            bytes: text.as_bytes(),
            complete,
            cut_off: false,
            position: start,
            line_start: start,
            line: LineState::Fresh,
            depth: 0,
            column: None,
            item_end: 0,
            forced: true,
            unclosed_here: false,
            unclosed: None,
        }
    }

    /// Scans a part of a file that begins where an item other than the first begins. More text
    /// follows it unless it is `complete`.
    pub fn resume(text: &'t str, column: usize, complete: bool) -> Scanner<'t> {
        Scanner {
            column: Some(column),
            position: 0,
            line_start: 0,
            ..Scanner::new(text, complete)
        }
    }

    /// The item column; 0 before there was a token.
    pub fn column(&self) -> usize {
        self.column.unwrap_or(0)
    }

    /// True if the window ended too early to tell what follows.
    pub fn is_cut_off(&self) -> bool {
        self.cut_off
    }

    /// True if an unclosed comment hides the end of the item before the start that was given last,
    /// or of the last item if there was no further start.
    pub fn take_unclosed(&mut self) -> bool {
        std::mem::take(&mut self.unclosed_here)
    }

    /// Finds the next token that begins an item; `None` at the end of the text.
    pub fn next_start(&mut self) -> Option<Start> {
        loop {
            let found = match self.line {
                LineState::Inside => {
                    self.rest_of_line();
                    None
                }
                LineState::Fresh | LineState::Trailing => self.line(),
            };
            if found.is_some() {
                return found;
            }
            if self.position >= self.bytes.len() {
                self.cut_off |= !self.complete;
                return None;
            }
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Reads blanks and comments up to the first token of a line, over as many lines as it takes.
    fn line(&mut self) -> Option<Start> {
        while let Some(byte) = self.byte(self.position) {
            match byte {
                b'\n' => {
                    self.position += 1;
                    self.line_start = self.position;
                    if self.line == LineState::Trailing {
                        self.item_end = self.position;
                        self.line = LineState::Fresh;
                    }
                }
                _ if is_blank(byte) => self.position += 1,
                b'-' if self.byte(self.position + 1) == Some(b'-') => self.line_comment(),
                b'{' if self.opens_comment(self.position) => {
                    if let Some(start) = self.block_comment() {
                        return Some(start);
                    }
                }
                _ => return self.first_token(byte),
            }
        }
        None
    }

    /// Decides about a token that is the first on its line, and steps behind its first byte unless
    /// that is one that [`Scanner::rest_of_line`] has to see.
    fn first_token(&mut self, byte: u8) -> Option<Start> {
        let token = self.position;
        if !self.complete && token + 3 > self.bytes.len() {
            // It may yet turn out to be a comment.
            self.position = self.bytes.len();
            self.cut_off = true;
            return None;
        }
        self.line = LineState::Inside;
        let at = self.column_of(token);
        let column = *self.column.get_or_insert(at);
        let begins = self.forced
            || match self.depth {
                0 => at <= column,
                _ => at == column && begins_name(byte),
            };
        if !begins {
            return None;
        }
        let start = Start {
            boundary: self.item_end,
            token,
            left_of_column: at < column,
        };
        self.forced = false;
        self.depth = 0;
        Some(start)
    }

    /// Reads the tokens of a line, up to the line's end or to that of a comment or string that ends
    /// on a later line.
    fn rest_of_line(&mut self) {
        // A quotation mark belongs to a name before it, but not across the end of a literal.
        let mut floor = self.position;
        loop {
            let rest = self.bytes.get(self.position..).unwrap_or_default();
            let Some(skipped) = rest.iter().position(|&byte| is_special(byte)) else {
                self.position = self.bytes.len();
                return;
            };
            self.position += skipped;
            match self.byte(self.position) {
                Some(b'\n') => {
                    self.position += 1;
                    self.line_start = self.position;
                    self.item_end = self.position;
                    self.line = LineState::Fresh;
                    return;
                }
                Some(b'-') if self.byte(self.position + 1) == Some(b'-') => self.line_comment(),
                Some(b'{') if self.opens_comment(self.position) => {
                    self.block_comment();
                    if self.line != LineState::Inside {
                        return;
                    }
                    floor = self.position;
                }
                Some(b'(' | b'[' | b'{') => {
                    self.depth += 1;
                    self.position += 1;
                }
                Some(b')' | b']' | b'}') => {
                    self.depth = self.depth.saturating_sub(1);
                    self.position += 1;
                }
                Some(b'"') => {
                    self.quoted();
                    floor = self.position;
                }
                Some(b'\'') => {
                    if self.continues_name(floor) {
                        self.position = name_end(self.text, self.position);
                    } else {
                        self.quoted();
                        floor = self.position;
                    }
                }
                _ => self.position += 1,
            }
        }
    }

    fn opens_comment(&self, at: usize) -> bool {
        self.bytes.get(at..at + 3) == Some(b"{--")
    }

    /// Steps to the end of the line.
    fn line_comment(&mut self) {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        self.position += rest
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(rest.len());
    }

    /// Steps behind a block comment, or over what an unclosed one hides. Gives a start only for an
    /// unclosed comment above the first token of a file.
    fn block_comment(&mut self) -> Option<Start> {
        let open = self.position;
        if let Some(end) = self.comment_end(open) {
            self.position = end;
            let inner = self.bytes.get(open..end).unwrap_or_default();
            if let Some(line) = inner.iter().rposition(|&byte| byte == b'\n') {
                self.line_start = open + line + 1;
                if self.line != LineState::Fresh {
                    self.line = LineState::Trailing;
                    self.item_end = end;
                }
            }
            return None;
        }
        if !self.complete {
            self.cut_off = true;
            self.position = self.bytes.len();
            return None;
        }
        if self.column.is_none() {
            // Stands for the first token, and is seen again as part of its item.
            self.column = Some(self.column_of(open));
            self.forced = false;
            self.line = LineState::Inside;
            return Some(Start {
                boundary: 0,
                token: open,
                left_of_column: false,
            });
        }
        self.unclosed_here = true;
        self.position = self.recovery(open);
        self.line_start = self.position;
        self.item_end = self.position;
        self.line = LineState::Fresh;
        None
    }

    /// The start of the first line below `open` that has a token in the item column; inside
    /// brackets, a name.
    fn recovery(&self, open: usize) -> usize {
        let column = self.column();
        let mut position = open;
        loop {
            let rest = self.bytes.get(position..).unwrap_or_default();
            let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
                return self.bytes.len();
            };
            position += end + 1;
            let line = self.bytes.get(position..).unwrap_or_default();
            let blanks = line
                .iter()
                .take(column + 1)
                .take_while(|&&byte| is_blank(byte))
                .count();
            let token = position + blanks;
            let Some(byte) = self.byte(token) else {
                continue;
            };
            let is_comment =
                self.opens_comment(token) || self.bytes.get(token..token + 2) == Some(b"--");
            if blanks == column
                && byte != b'\n'
                && !is_comment
                && (self.depth == 0 || begins_name(byte))
            {
                return position;
            }
        }
    }

    /// The end of the comment that opens at `open`; `None` if nothing closes it.
    fn comment_end(&mut self, open: usize) -> Option<usize> {
        if let Some(unclosed) = &self.unclosed
            && unclosed.binary_search(&open).is_ok()
        {
            return None;
        }
        let mut depth = 0usize;
        let end = comment_brackets(self.bytes, open, |bracket| {
            depth = if bracket.opens { depth + 1 } else { depth - 1 };
            depth == 0
        });
        if end.is_none() && self.complete && self.unclosed.is_none() {
            let mut stack = Vec::new();
            comment_brackets(self.bytes, open, |bracket| {
                if bracket.opens {
                    stack.push(bracket.start);
                } else {
                    stack.pop();
                }
                false
            });
            self.unclosed = Some(stack);
        }
        end
    }

    /// Steps behind the string or character that begins here.
    fn quoted(&mut self) {
        let literal = literal(self.bytes, self.position);
        self.position = literal.end;
        if let Some(line) = literal.line_start {
            self.line_start = line;
        }
        self.cut_off |= literal.cut_off(self.bytes) && !self.complete;
    }

    /// The characters between the start of the line and `at`.
    fn column_of(&self, at: usize) -> usize {
        let line = self.bytes.get(self.line_start..at).unwrap_or_default();
        line.iter().filter(|&&byte| !is_continuation(byte)).count()
    }

    /// True if the `'` at the current position is part of a name that begins at `floor` or later.
    fn continues_name(&self, floor: usize) -> bool {
        let before = self.text.get(floor..self.position).unwrap_or_default();
        let run = before.trim_end_matches(is_name_part);
        let word = before.get(run.len()..).unwrap_or_default();
        // A name may follow a number without a blank, as in `2x'`; the digit of `²'` begins none.
        let last = lex(word).last().map(|(kind, _)| kind);
        matches!(last, Some(Kind::Name | Kind::Keyword | Kind::BuiltinType))
    }
}

fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'\n' | b'-' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"' | b'\''
    )
}

/// True for the first byte of a name or keyword. Characters beyond ASCII count as letters: whether
/// they are is a matter of the item that they stand in.
fn begins_name(byte: u8) -> bool {
    byte == b'_' || byte >= 0x80 || byte.is_ascii_alphabetic()
}

/// A blank within a line.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// True for all bytes of a character but the first.
fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}
