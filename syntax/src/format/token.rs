//! The tokens of an item, comments included, with their columns.

use crate::lexer::{self, included_name_end, is_blank};
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
            } else if is_blank(char::from(byte)) {
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
        let (kind, mut length) = lexer::first(rest)?;
        let token = rest.get(..length).unwrap_or_default();
        let kind = match kind {
            lexer::Kind::LineComment => {
                length = token.trim_end_matches(is_blank).len();
                Kind::LineComment
            }
            lexer::Kind::BlockComment { .. } => Kind::BlockComment,
            lexer::Kind::String(_) | lexer::Kind::Character(_) => Kind::Text,
            lexer::Kind::Natural | lexer::Kind::Float => Kind::Number,
            lexer::Kind::Name | lexer::Kind::Keyword | lexer::Kind::BuiltinType => {
                if self.file_name {
                    length = included_name_end(rest, length);
                }
                match rest.get(..length).unwrap_or_default() {
                    "let" => Kind::Let,
                    "in" => Kind::In,
                    "data" | "interface" => Kind::Keyword,
                    _ => Kind::Name,
                }
            }
            lexer::Kind::Symbol if self.head && matches!(token, "!=" | ">=") => {
                length = 1;
                symbol(token.get(..1).unwrap_or_default())
            }
            lexer::Kind::Open | lexer::Kind::Close | lexer::Kind::Symbol => symbol(token),
            // There are no blanks here.
            lexer::Kind::Blank | lexer::Kind::Unknown => Kind::Unknown,
        };
        if kind == Kind::Equals {
            self.head = false;
        }
        self.position += length;
        Some(kind)
    }
}

fn symbol(symbol: &str) -> Kind {
    match symbol {
        "->" => Kind::Arrow,
        "-" => Kind::Minus,
        ":" => Kind::Colon,
        "<" => Kind::Less,
        ">" => Kind::Greater,
        "!" => Kind::Bang,
        "=" => Kind::Equals,
        "(" => Kind::Open(Bracket::Round),
        ")" => Kind::Close(Bracket::Round),
        "[" => Kind::Open(Bracket::Square),
        "]" => Kind::Close(Bracket::Square),
        "{" => Kind::Open(Bracket::Brace),
        "}" => Kind::Close(Bracket::Brace),
        "|" => Kind::Bar,
        "," => Kind::Comma,
        ";" => Kind::Semicolon,
        "." => Kind::Dot,
        _ => Kind::Operator,
    }
}
