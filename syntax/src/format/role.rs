//! What the tokens of an item are to each other: brackets, operators, and the blanks that the style
//! asks for between two of them.
//!
//! The formatter decides this from the tokens, since a tree says more than it needs and takes longer
//! to make. What it decides counts for items without syntax errors only.

use super::token::{Bracket, Kind, NONE, Token};
use crate::outline::OutlineKind;

/// What the tokens inside a bracket are part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Type,
    /// The patterns of a clause; behind its `->` or `=` there is a term.
    Pattern,
    Term,
    /// `<…>` before a term.
    Adaptors,
}

struct Frame {
    opener: usize,
    mode: Mode,
}

/// Finds the brackets and the roles of the tokens of one item, which are those from `first` on.
/// Gives false if brackets do not match, which is a syntax error.
pub(super) fn assign(tokens: &mut [Token], first: usize, kind: OutlineKind) -> bool {
    let mode = match kind {
        OutlineKind::Clause => Mode::Pattern,
        _ => Mode::Type,
    };
    let mut frames = vec![Frame { opener: NONE, mode }];
    let mut previous = None;
    for index in first..tokens.len() {
        let Some(token) = tokens.get(index) else {
            break;
        };
        let read = token.kind;
        if read.is_comment() {
            set_parent(tokens, index, frames.last());
            continue;
        }
        let outermost = frames.len() == 1;
        let Some(top) = frames.last_mut() else {
            return false;
        };
        let opener = tokens.get(top.opener).map(|token| token.kind);
        let inner = top.mode;
        let mut pushed = None;
        let mut popped = false;
        let mut role = read;
        match read {
            Kind::Open(Bracket::Round) => {
                let shape = match (inner, opener) {
                    (Mode::Adaptors, _) => true,
                    (Mode::Type, Some(Kind::Open(Bracket::Angle))) => is_shape(tokens, index + 1),
                    _ => false,
                };
                if shape {
                    role = Kind::Open(Bracket::Shape);
                }
                pushed = Some(inner);
            }
            Kind::Open(Bracket::Brace) => {
                pushed = Some(match inner {
                    Mode::Type => Mode::Type,
                    _ => clause_mode(tokens, index + 1),
                });
                if inner == Mode::Type && previous == Some(Kind::Close(Bracket::Square)) {
                    role = Kind::Open(Bracket::TypeBrace);
                }
            }
            Kind::Open(_) => pushed = Some(inner),
            Kind::Close(_) => popped = true,
            Kind::Less if inner != Mode::Term || !previous.is_some_and(Kind::ends_operand) => {
                role = Kind::Open(Bracket::Angle);
                pushed = Some(if inner == Mode::Term {
                    Mode::Adaptors
                } else {
                    inner
                });
            }
            Kind::Greater if opener == Some(Kind::Open(Bracket::Angle)) => {
                role = Kind::Close(Bracket::Angle);
                popped = true;
            }
            Kind::Less | Kind::Greater => role = Kind::Operator,
            Kind::Arrow if opener == Some(Kind::Open(Bracket::Brace)) && inner == Mode::Pattern => {
                top.mode = Mode::Term;
            }
            Kind::Equals if outermost && inner == Mode::Pattern => top.mode = Mode::Term,
            Kind::Bar => match opener {
                Some(Kind::Open(Bracket::Square | Bracket::Angle)) => role = Kind::InnerBar,
                Some(Kind::Open(Bracket::Brace)) if inner != Mode::Type => {
                    top.mode = clause_mode(tokens, index + 1);
                }
                _ => {}
            },
            Kind::Minus => {
                let operator = inner == Mode::Term && previous.is_some_and(Kind::ends_operand);
                role = if operator {
                    Kind::Operator
                } else {
                    Kind::Negate
                };
            }
            Kind::Unknown => return false,
            _ => {}
        }
        if popped {
            let Some(frame) = frames.pop_if(|frame| frame.opener != NONE) else {
                return false;
            };
            let Some(open) = tokens.get_mut(frame.opener) else {
                return false;
            };
            let Some(bracket) = closed_by(open.kind, role) else {
                return false;
            };
            open.partner = index;
            let parent = open.parent;
            if let Some(token) = tokens.get_mut(index) {
                token.kind = Kind::Close(bracket);
                token.parent = parent;
                token.partner = frame.opener;
            }
            role = Kind::Close(bracket);
        } else {
            set_parent(tokens, index, frames.last());
            if let Some(token) = tokens.get_mut(index) {
                token.kind = role;
            }
            if let Some(mode) = pushed {
                frames.push(Frame {
                    opener: index,
                    mode,
                });
            }
        }
        previous = Some(role);
    }
    if frames.len() != 1 {
        return false;
    }
    set_gaps(tokens, first, kind);
    true
}

fn set_parent(tokens: &mut [Token], index: usize, frame: Option<&Frame>) {
    if let Some(token) = tokens.get_mut(index) {
        token.parent = frame.map_or(NONE, |frame| frame.opener);
    }
}

/// What `close` closes, given the kind of the bracket that is open.
fn closed_by(open: Kind, close: Kind) -> Option<Bracket> {
    match (open, close) {
        (Kind::Open(bracket @ (Bracket::Round | Bracket::Shape)), Kind::Close(Bracket::Round))
        | (Kind::Open(bracket @ Bracket::Square), Kind::Close(Bracket::Square))
        | (
            Kind::Open(bracket @ (Bracket::Brace | Bracket::TypeBrace)),
            Kind::Close(Bracket::Brace),
        )
        | (Kind::Open(bracket @ Bracket::Angle), Kind::Close(Bracket::Angle)) => Some(bracket),
        _ => None,
    }
}

/// The kinds of the tokens from `from` on that are no comments.
fn code(tokens: &[Token], from: usize) -> impl Iterator<Item = Kind> + '_ {
    let tokens = tokens.get(from..).unwrap_or_default();
    tokens
        .iter()
        .map(|token| token.kind)
        .filter(|kind| !kind.is_comment())
}

/// True if the parenthesis in front of `from`, within adjustments, holds the shape of an adaptor.
fn is_shape(tokens: &[Token], from: usize) -> bool {
    let mut kinds = code(tokens, from).skip_while(|&kind| kind == Kind::Name);
    kinds.next() == Some(Kind::Arrow)
}

/// Whether a clause that begins at `from` begins with patterns, which it does if `->` ends them.
fn clause_mode(tokens: &[Token], from: usize) -> Mode {
    let mut depth = 0usize;
    let mut kinds = code(tokens, from);
    let mut kind = kinds.next();
    if kind == Some(Kind::Bang) {
        return if kinds.next() == Some(Kind::Arrow) {
            Mode::Pattern
        } else {
            Mode::Term
        };
    }
    loop {
        match kind {
            Some(Kind::Arrow) if depth == 0 => return Mode::Pattern,
            Some(Kind::Open(Bracket::Round | Bracket::Square)) => depth += 1,
            Some(Kind::Close(Bracket::Round | Bracket::Square)) if depth > 0 => depth -= 1,
            None
            | Some(
                Kind::Open(_)
                | Kind::Close(_)
                | Kind::Bar
                | Kind::Semicolon
                | Kind::Equals
                | Kind::Colon
                | Kind::Bang,
            ) => return Mode::Term,
            _ => {}
        }
        kind = kinds.next();
    }
}

/// Sets the blanks between tokens that stand on one line.
fn set_gaps(tokens: &mut [Token], first: usize, kind: OutlineKind) {
    let mut previous = None;
    // What stands in front of the ability that ended last.
    let mut before_ability = None;
    for index in first..tokens.len() {
        let Some(token) = tokens.get(index) else {
            break;
        };
        let mut gap = previous.map_or(0, |previous| gap_between(previous, token.kind));
        if token.kind == Kind::Open(Bracket::TypeBrace) && gap > 0 {
            let top = token.parent == NONE;
            let port = code(tokens, token.partner.saturating_add(1)).next() == Some(Kind::Arrow);
            let peg = match before_ability {
                _ if top && kind != OutlineKind::Signature => false,
                Some(
                    Kind::Arrow
                    | Kind::Open(Bracket::Brace | Bracket::TypeBrace)
                    | Kind::Close(Bracket::Angle),
                ) => !port,
                _ => false,
            };
            gap = i32::from(peg);
        }
        if token.kind == Kind::Close(Bracket::Square) {
            before_ability = code_before(tokens, token.partner, first);
        }
        previous = Some(token.kind);
        if let Some(token) = tokens.get_mut(index) {
            token.gap = gap;
        }
    }
}

/// The kind of the last token before `index` that is no comment.
fn code_before(tokens: &[Token], index: usize, first: usize) -> Option<Kind> {
    let before = tokens.get(first..index)?;
    before
        .iter()
        .rev()
        .map(|token| token.kind)
        .find(|kind| !kind.is_comment())
}

/// The blanks between two tokens of these kinds.
fn gap_between(left: Kind, right: Kind) -> i32 {
    match (left, right) {
        // Behind `{` this is not only style: `{--` opens another kind of comment.
        (_, Kind::LineComment) => 1,
        (Kind::Open(_), _) | (_, Kind::Close(_) | Kind::Comma | Kind::Semicolon) => 0,
        (Kind::BlockComment, _) | (_, Kind::BlockComment) => 1,
        (left, Kind::Bang) => i32::from(!left.ends_operand()),
        (Kind::Dot | Kind::InnerBar, _)
        | (_, Kind::Dot | Kind::InnerBar | Kind::Open(Bracket::Shape)) => 0,
        // Two of them in a row would make a comment.
        (Kind::Negate, Kind::Negate | Kind::Operator | Kind::Arrow | Kind::Minus) => 1,
        (Kind::Negate, _) => 0,
        _ => 1,
    }
}
