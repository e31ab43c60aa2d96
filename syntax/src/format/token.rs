//! The tokens of an item, comments included, with their columns.

use crate::outline::scan::{comment_length, is_blank, is_name_part, literal, name_end};
use crate::outline::{OutlineItem, OutlineKind};

/// Stands for "no token" where an index of one is stored.
pub(super) const NONE: usize = usize::MAX;

/// What a token is to the formatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A name, and every word that stands where a name could.
    Name,
    /// `data`, `interface` and `include`.
    Keyword,
    Let,
    In,
    Number,
    /// A string or a character.
    Text,
    LineComment,
    BlockComment,
    Open(Bracket),
    Close(Bracket),
    /// `<`, `>`, which may yet turn out to be brackets.
    Less,
    Greater,
    Equals,
    Arrow,
    /// `|` between clauses, constructors or commands.
    Bar,
    /// `|` within an ability or adjustments.
    InnerBar,
    Comma,
    Semicolon,
    Colon,
    Bang,
    Dot,
    /// `-` before an operand or between two.
    Minus,
    /// `-` before an operand.
    Negate,
    /// `*`, `::`, … and a `-`, `<` or `>` between operands.
    Operator,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Bracket {
    Round,
    /// The parentheses of an adaptor's shape.
    Shape,
    Square,
    Brace,
    /// The braces of a computation type that has an ability in front.
    TypeBrace,
    Angle,
}

impl Kind {
    pub fn is_comment(self) -> bool {
        matches!(self, Kind::LineComment | Kind::BlockComment)
    }

    pub fn is_open(self) -> bool {
        matches!(self, Kind::Open(_))
    }

    pub fn is_close(self) -> bool {
        matches!(self, Kind::Close(_))
    }

    /// True if an operand may end here, so that `-` and `<` are operators behind it.
    pub fn ends_operand(self) -> bool {
        match self {
            Kind::Name | Kind::Number | Kind::Text | Kind::Bang => true,
            Kind::Close(bracket) => bracket != Bracket::Angle,
            _ => false,
        }
    }
}

/// A token. Columns count characters from the start of the line.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// Bytes of the file.
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
    /// The bracket that encloses the token; of a bracket, the one around it. An index, or `NONE`.
    pub parent: usize,
    /// The other one of a pair of brackets.
    pub partner: usize,
    /// Line breaks in front of it; more than one make a blank line.
    pub breaks: usize,
    /// The blanks in front of it, if something precedes it on its line, that the style asks for.
    pub gap: i32,
    /// The blanks that are there.
    pub raw_gap: i32,
    pub raw: i32,
    /// The column behind it, on its last line.
    pub raw_end: i32,
    /// True if it spans lines.
    pub multiline: bool,
    /// True if its column in the text says nothing: there are tabs, or the line break is new.
    pub free: bool,
    /// True if the line break in front of it is new.
    pub broken: bool,
    /// True if it stays in its column, with the blanks that are in front of it.
    pub pinned: bool,
    /// The column once the line has its indentation.
    pub adjusted: i32,
    /// The column in the formatted text, and that behind the token.
    pub out: i32,
    pub out_end: i32,
}

impl Token {
    /// The column behind the token if it begins in `column`.
    pub fn end_from(&self, column: i32) -> i32 {
        if self.multiline {
            self.raw_end
        } else {
            column + self.raw_end - self.raw
        }
    }
}

/// Appends the tokens of `item`. Nothing is known about brackets and roles yet.
pub(super) fn read(file: &str, item: &OutlineItem, tokens: &mut Vec<Token>) {
    let text = item.text(file);
    let bom = if item.range.start == 0 && text.starts_with('\u{feff}') {
        3
    } else {
        0
    };
    let head = item.kind == OutlineKind::Clause;
    let file_name = item.kind == OutlineKind::Include;
    let mut reader = Reader {
        text,
        position: bom,
        column: 0,
        head,
        file_name: false,
    };
    loop {
        let gap = reader.blanks();
        let start = reader.position;
        let column = reader.column;
        let Some(mut kind) = reader.token() else {
            return;
        };
        if file_name && !kind.is_comment() && !reader.file_name {
            kind = Kind::Keyword;
            reader.file_name = true;
        }
        let spelling = text.get(start..reader.position).unwrap_or_default();
        let last_line = spelling.bytes().rposition(|byte| byte == b'\n');
        let width = |text: &str| text.chars().count() as i32;
        let (multiline, end) = match last_line {
            Some(line) => (true, width(spelling.get(line + 1..).unwrap_or_default())),
            None => (false, column + width(spelling)),
        };
        reader.column = end;
        tokens.push(Token {
            start: item.range.start + start,
            end: item.range.start + reader.position,
            kind,
            parent: NONE,
            partner: NONE,
            breaks: gap.breaks,
            gap: 0,
            raw_gap: gap.width,
            raw: column,
            raw_end: end,
            multiline,
            free: gap.tabs && gap.breaks > 0,
            broken: false,
            pinned: false,
            adjusted: column,
            out: column,
            out_end: end,
        });
    }
}

/// What is between two tokens.
#[derive(Default)]
struct Gap {
    breaks: usize,
    /// Blanks on the last line.
    width: i32,
    /// True if those are not only spaces.
    tabs: bool,
}

struct Reader<'t> {
    text: &'t str,
    position: usize,
    column: i32,
    /// True up to the `=` of a clause: there `!=` and `>=` are two tokens.
    head: bool,
    /// True behind `include`, where names have hyphens in them.
    file_name: bool,
}

impl Reader<'_> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.position + ahead).copied()
    }

    fn blanks(&mut self) -> Gap {
        let mut gap = Gap::default();
        while let Some(byte) = self.byte(0) {
            if byte == b'\n' {
                self.column = 0;
                gap = Gap {
                    breaks: gap.breaks + 1,
                    ..Gap::default()
                };
            } else if is_blank(byte) {
                self.column += 1;
                gap.width += 1;
                gap.tabs |= byte != b' ';
            } else {
                break;
            }
            self.position += 1;
        }
        gap
    }

    /// Steps over a token.
    fn token(&mut self) -> Option<Kind> {
        let rest = self.text.get(self.position..)?;
        let first = rest.chars().next()?;
        let (kind, length) = match first {
            '-' if rest.starts_with("--") => {
                let line = rest.find('\n').unwrap_or(rest.len());
                let said = rest.get(..line).unwrap_or_default();
                (
                    Kind::LineComment,
                    said.trim_end_matches(|c: char| c.is_ascii() && is_blank(c as u8))
                        .len(),
                )
            }
            '{' if rest.starts_with("{--") => (Kind::BlockComment, comment_length(rest)),
            '"' | '\'' => (Kind::Text, literal(rest.as_bytes(), 0).end),
            '0'..='9' => (Kind::Number, number_length(rest)),
            _ if first == '_' || first.is_alphabetic() => {
                let mut length = name_end(rest, 0);
                while self.file_name
                    && let Some(part) = rest.get(length..).and_then(|rest| rest.strip_prefix('-'))
                    && part.starts_with(|c: char| c == '_' || c.is_alphabetic())
                {
                    length = name_end(rest, length + 1);
                }
                (word(rest.get(..length).unwrap_or_default()), length)
            }
            _ if is_name_part(first) => (Kind::Unknown, name_end(rest, 0)),
            _ => self.symbol(first),
        };
        self.position += length;
        Some(kind)
    }

    fn symbol(&mut self, first: char) -> (Kind, usize) {
        let pair = (first, self.byte(1));
        match pair {
            ('-', Some(b'>')) => (Kind::Arrow, 2),
            (':', Some(b':')) | ('<', Some(b'=')) | ('=', Some(b'=')) => (Kind::Operator, 2),
            ('>' | '!', Some(b'=')) if !self.head => (Kind::Operator, 2),
            ('-', _) => (Kind::Minus, 1),
            (':', _) => (Kind::Colon, 1),
            ('<', _) => (Kind::Less, 1),
            ('>', _) => (Kind::Greater, 1),
            ('!', _) => (Kind::Bang, 1),
            ('=', _) => {
                self.head = false;
                (Kind::Equals, 1)
            }
            ('+' | '*' | '/', _) => (Kind::Operator, 1),
            ('(', _) => (Kind::Open(Bracket::Round), 1),
            (')', _) => (Kind::Close(Bracket::Round), 1),
            ('[', _) => (Kind::Open(Bracket::Square), 1),
            (']', _) => (Kind::Close(Bracket::Square), 1),
            ('{', _) => (Kind::Open(Bracket::Brace), 1),
            ('}', _) => (Kind::Close(Bracket::Brace), 1),
            ('|', _) => (Kind::Bar, 1),
            (',', _) => (Kind::Comma, 1),
            (';', _) => (Kind::Semicolon, 1),
            ('.', _) => (Kind::Dot, 1),
            _ => (Kind::Unknown, first.len_utf8()),
        }
    }
}

fn word(word: &str) -> Kind {
    match word {
        "let" => Kind::Let,
        "in" => Kind::In,
        "data" | "interface" => Kind::Keyword,
        _ => Kind::Name,
    }
}

/// The length of the number that `text` begins with.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize, digit: fn(&u8) -> bool| {
        from + bytes
            .get(from..)
            .unwrap_or_default()
            .iter()
            .take_while(|byte| digit(byte))
            .count()
    };
    match (bytes.first(), bytes.get(1)) {
        (Some(b'0'), Some(b'x' | b'X')) if run(2, u8::is_ascii_hexdigit) > 2 => {
            return run(2, u8::is_ascii_hexdigit);
        }
        (Some(b'0'), Some(b'o' | b'O')) if run(2, |byte| matches!(byte, b'0'..=b'7')) > 2 => {
            return run(2, |byte| matches!(byte, b'0'..=b'7'));
        }
        _ => {}
    }
    let mut end = run(0, u8::is_ascii_digit);
    let fraction = run(end + 1, u8::is_ascii_digit);
    if bytes.get(end) == Some(&b'.') && fraction > end + 1 {
        end = fraction;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let digits = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = run(digits, u8::is_ascii_digit);
        if exponent > digits {
            end = exponent;
        }
    }
    end
}
