//! Trees as text, with the places of what is marked.

use std::ops::Range;

use pretty::{Arena, DocAllocator, DocBuilder, Render, RenderAnnotated};

use super::tree::{Kind, Marks, Tree};

/// A state as Frank source. Ranges count characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    /// What the next rule is about.
    pub focus: Range<usize>,
    /// What has become, or becomes, a continuation.
    pub frozen: Vec<Range<usize>>,
    /// From the command at the focus up to the handler that takes it: the continuation that it gets.
    pub captured: Option<Range<usize>>,
    /// The parts that can be folded, each before those in it.
    pub parts: Vec<Range<usize>>,
}

/// What a place takes without parentheses: the weaker an operator binds, the lower its level.
type Level = u8;

const ANYTHING: Level = 0;
const LET: Level = 1;
const SEQUENCE: Level = 2;
const CONS: Level = 3;
const COMPARE: Level = 4;
const ADD: Level = 5;
const MULTIPLY: Level = 6;
const NEGATE: Level = 7;
const ADAPTED: Level = 8;
const CALL: Level = 9;
const ATOM: Level = 10;

/// Shorter parts are not folded: a reader would save nothing.
const SHORT: usize = 24;

/// So many items of a list are folded or opened together.
const TOGETHER: usize = 20;

/// The blanks that a part stands to the right of what it is part of.
const INDENT: isize = 2;

/// No line begins with more blanks: what is so deep that it would have more is not read more easily for them, and a
/// state of a deep recursion would be blanks for the most part.
const DEEPEST: usize = 40;

impl Text {
    /// A tree in lines of at most so many characters, where it can be broken.
    pub(super) fn of(tree: &Tree, width: usize) -> Text {
        let arena = Arena::new();
        let doc = doc(&arena, tree, ANYTHING).group();
        let mut writer = Writer::default();
        // Nothing that the writer does can fail.
        let _ = doc.into_doc().render_raw(width, &mut writer);
        let mut text = writer.out;
        text.parts
            .sort_by_key(|part| (part.start, std::cmp::Reverse(part.end)));
        text.parts.dedup();
        text
    }
}

type Doc<'a> = DocBuilder<'a, Arena<'a, Marks>, Marks>;

/// A tree where trees of at least a level need no parentheses. Trees are only as deep as the limits allow.
fn doc<'a>(arena: &'a Arena<'a, Marks>, tree: &'a Tree, least: Level) -> Doc<'a> {
    let inner = match &tree.kind {
        Kind::Atom(text) => arena.text(text.as_str()),
        Kind::Call(parts) => call(arena, parts),
        Kind::Infix(sign, left, right) => {
            let own = level(&tree.kind);
            // `::` associates to the right, all others to the left.
            let (before, after) = match *sign {
                "::" => (own + 1, own),
                _ => (own, own + 1),
            };
            doc(arena, left, before)
                .append(format!(" {sign}"))
                .append(arena.line().append(doc(arena, right, after)).nest(INDENT))
                .group()
        }
        Kind::Negate(operand) => {
            // `--` would begin a comment.
            let is_negative = matches!(&operand.kind, Kind::Atom(text) if text.starts_with('-'));
            let operand = match is_negative {
                true => doc(arena, operand, ANYTHING).parens(),
                false => doc(arena, operand, CALL),
            };
            arena.text("-").append(operand)
        }
        Kind::Sequence(first, second) => doc(arena, first, SEQUENCE)
            .append(";")
            .append(arena.line())
            .append(doc(arena, second, LET)),
        Kind::Let(pattern, bound, body) => arena
            .text(format!("let {pattern} ="))
            .append(
                arena
                    .line()
                    .append(doc(arena, bound, CONS))
                    .nest(INDENT)
                    .group(),
            )
            .append(" in")
            .append(arena.line())
            .append(doc(arena, body, ANYTHING)),
        Kind::Adapted(adaptors, body) => arena
            .text(format!("<{adaptors}> "))
            .append(doc(arena, body, ATOM)),
        Kind::List(items) => arena
            .text("[")
            .append(list(arena, items).nest(1).group())
            .append("]"),
        Kind::Braces(clauses) => braces(arena, clauses),
        Kind::Continuation(result, body) => arena
            .text(format!("{{{result} ->"))
            .append(arena.line().append(doc(arena, body, ATOM)).nest(INDENT))
            .append("}")
            .group(),
    };
    let whole = match level(&tree.kind) < least {
        true => arena.text("(").append(inner.nest(1)).append(")").group(),
        false => inner,
    };
    let is_short = matches!(&tree.kind, Kind::Atom(text) if text.len() < SHORT);
    match is_short && tree.marks == Marks::default() {
        true => whole,
        false => whole.annotate(tree.marks),
    }
}

/// The items of a list; those behind the first ones are a part of their own, which can be folded.
fn list<'a>(arena: &'a Arena<'a, Marks>, items: &'a [Tree]) -> Doc<'a> {
    let mut rest: Option<Doc<'a>> = None;
    for some in items.chunks(TOGETHER).rev() {
        let between = arena.text(",").append(arena.line());
        let some = some.iter().map(|item| doc(arena, item, CONS));
        let some = arena.intersperse(some, between.clone());
        rest = Some(match rest {
            None => some,
            Some(rest) => some.append(between).append(rest.annotate(Marks::default())),
        });
    }
    rest.unwrap_or_else(|| arena.nil())
}

/// `f a…`, or `f!`.
fn call<'a>(arena: &'a Arena<'a, Marks>, parts: &'a [Tree]) -> Doc<'a> {
    let Some((head, args)) = parts.split_first() else {
        return arena.nil();
    };
    let head = doc(arena, head, ATOM);
    if args.is_empty() {
        return head.append("!");
    }
    let args = args
        .iter()
        .map(|arg| arena.line().append(doc(arena, arg, ATOM)));
    head.append(arena.concat(args).nest(INDENT)).group()
}

fn braces<'a>(arena: &'a Arena<'a, Marks>, clauses: &'a [(String, Tree)]) -> Doc<'a> {
    let clauses = clauses.iter().map(|(patterns, body)| {
        let body = doc(arena, body, ANYTHING);
        match patterns.is_empty() {
            true => body.group(),
            false => arena
                .text(format!("{patterns} ->"))
                .append(arena.line().append(body).nest(INDENT))
                .group(),
        }
    });
    let between = arena.line().append("| ");
    arena
        .text("{")
        .append(arena.intersperse(clauses, between).nest(1).group())
        .append("}")
}

fn level(kind: &Kind) -> Level {
    match kind {
        Kind::Let(..) => LET,
        Kind::Sequence(..) => SEQUENCE,
        Kind::Infix(sign, ..) => match *sign {
            "::" => CONS,
            "+" | "-" => ADD,
            "*" | "/" => MULTIPLY,
            _ => COMPARE,
        },
        Kind::Negate(_) => NEGATE,
        Kind::Adapted(..) => ADAPTED,
        Kind::Call(parts) if parts.len() > 1 => CALL,
        Kind::Call(_)
        | Kind::Atom(_)
        | Kind::List(_)
        | Kind::Braces(_)
        | Kind::Continuation(..) => ATOM,
    }
}

#[derive(Default)]
struct Writer {
    out: Text,
    /// Characters written so far.
    count: usize,
    /// Where each marked part that is being written began.
    begun: Vec<(usize, Marks)>,
    /// The blanks at the beginning of a line that has nothing else yet.
    blanks: Option<usize>,
}

impl Render for Writer {
    type Error = std::convert::Infallible;

    fn write_str(&mut self, text: &str) -> Result<usize, Self::Error> {
        let mut kept = text;
        match self.blanks {
            Some(before) if text.bytes().all(|byte| byte == b' ') => {
                let most = text.len().min(DEEPEST.saturating_sub(before));
                kept = text.get(..most).unwrap_or_default();
                self.blanks = Some(before + kept.len());
            }
            _ => self.blanks = text.ends_with('\n').then_some(0),
        }
        self.count += kept.chars().count();
        self.out.text.push_str(kept);
        Ok(text.len())
    }

    fn fail_doc(&self) -> Self::Error {
        unreachable!("no document fails")
    }
}

impl<'a> RenderAnnotated<'a, Marks> for Writer {
    fn push_annotation(&mut self, marks: &'a Marks) -> Result<(), Self::Error> {
        self.begun.push((self.count, *marks));
        Ok(())
    }

    fn pop_annotation(&mut self) -> Result<(), Self::Error> {
        if let Some((start, marks)) = self.begun.pop() {
            let range = start..self.count;
            if range.len() >= SHORT {
                self.out.parts.push(range.clone());
            }
            if marks.frozen {
                self.out.frozen.push(range.clone());
            }
            if marks.captured {
                self.out.captured = Some(range.clone());
            }
            if marks.focus {
                self.out.focus = range;
            }
        }
        Ok(())
    }
}
