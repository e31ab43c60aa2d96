//! Text that terms become: how tightly terms hold together, and where one needs parentheses.

use frank_analysis::surroundings::{Parent, Surroundings};
use frank_syntax::ast::{BinaryOperator, Item, TermId, TermKind};
use text_size::{TextRange, TextSize};

use crate::tokens::is_name_part;
use crate::view::slice;

/// How tightly a term holds together, the loosest first (language reference, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Let,
    Sequence,
    Cons,
    Compare,
    Add,
    Multiply,
    Negate,
    /// A call with arguments, or a use under adaptors.
    Use,
    /// `f!` and `(f x)!`.
    Nullary,
    /// A literal, or what has brackets of its own.
    Atom,
    Name,
}

impl Level {
    pub fn of(item: &Item, term: TermId) -> Level {
        match &item.terms[term].kind {
            TermKind::Name(_) => Level::Name,
            TermKind::Apply { args, .. } if args.is_empty() => Level::Nullary,
            TermKind::Apply { .. } | TermKind::Adapted { .. } => Level::Use,
            TermKind::Let { .. } => Level::Let,
            TermKind::Sequence { .. } => Level::Sequence,
            TermKind::Binary { operator, .. } => Level::operator(*operator),
            TermKind::Negate(_) => Level::Negate,
            TermKind::Thunk { .. }
            | TermKind::Natural(_)
            | TermKind::Float(_)
            | TermKind::Char(_)
            | TermKind::String(_)
            | TermKind::List(_)
            | TermKind::Missing => Level::Atom,
        }
    }

    fn operator(operator: BinaryOperator) -> Level {
        match operator {
            BinaryOperator::Multiply | BinaryOperator::Divide => Level::Multiply,
            BinaryOperator::Add | BinaryOperator::Subtract => Level::Add,
            BinaryOperator::Cons => Level::Cons,
            _ => Level::Compare,
        }
    }

    /// The next tighter level among those of operators.
    fn tighter(self) -> Level {
        match self {
            Level::Cons => Level::Compare,
            Level::Compare => Level::Add,
            Level::Add => Level::Multiply,
            _ => Level::Negate,
        }
    }
}

/// What a place in a term takes without parentheses.
enum Context {
    /// A term that holds together at least so tightly.
    Bare(Level),
    /// What is applied; `forced` if to no arguments.
    Head { forced: bool },
    /// What stands under adaptors.
    Adapted,
}

fn context(item: &Item, around: &Surroundings, term: TermId) -> Context {
    let Some(Parent::Term(parent)) = around.parent(term) else {
        return Context::Bare(Level::Let);
    };
    match &item.terms[parent].kind {
        TermKind::Apply { head, args } if *head == term => Context::Head {
            forced: args.is_empty(),
        },
        TermKind::Apply { .. } => Context::Bare(Level::Nullary),
        TermKind::Adapted { .. } => Context::Adapted,
        TermKind::Sequence { first, .. } if *first == term => Context::Bare(Level::Cons),
        TermKind::Binary { operator, left, .. } => {
            let level = Level::operator(*operator);
            let bare = match operator {
                BinaryOperator::Cons if *left != term => Level::Cons,
                BinaryOperator::Cons => Level::Compare,
                _ if *left == term && level != Level::Compare => level,
                _ => level.tighter(),
            };
            Context::Bare(bare)
        }
        TermKind::Negate(_) => Context::Bare(Level::Negate),
        _ => Context::Bare(Level::Let),
    }
}

/// `text`, which holds together at `level`, as it must be written in the place of a term; `None` if
/// the grammar has no such thing there.
pub(super) fn embedded(
    item: &Item,
    around: &Surroundings,
    term: TermId,
    text: &str,
    level: Level,
) -> Option<String> {
    let parenthesised = match context(item, around, term) {
        Context::Bare(least) => level < least,
        Context::Head { .. } | Context::Adapted
            if matches!(level, Level::Atom) || level < Level::Use =>
        {
            return None;
        }
        Context::Head { forced: true } => level < Level::Name,
        Context::Head { forced: false } | Context::Adapted => level < Level::Nullary,
    };
    Some(match parenthesised {
        true => format!("({text})"),
        false => text.to_owned(),
    })
}

/// As [`embedded`], for an argument.
pub(super) fn as_argument(text: &str, level: Level) -> String {
    match level < Level::Nullary {
        true => format!("({text})"),
        false => text.to_owned(),
    }
}

/// A range with all the parentheses that stand directly around it.
pub(crate) fn with_parentheses(text: &str, range: TextRange) -> TextRange {
    let mut range = range;
    loop {
        let before = text.get(..usize::from(range.start())).unwrap_or_default();
        let after = text.get(usize::from(range.end())..).unwrap_or_default();
        let (open, close) = (before.trim_end(), after.trim_start());
        if !open.ends_with('(') || !close.starts_with(')') {
            return range;
        }
        let start = TextSize::of(open) - TextSize::of('(');
        let end = range.end() + TextSize::of(after) - TextSize::of(close) + TextSize::of(')');
        range = TextRange::new(start, end);
    }
}

/// A part of a text with replacements made in it. Of two that overlap the outer one counts. Blanks
/// keep apart what would become one token.
pub(super) fn spliced(text: &str, range: TextRange, edits: &[(TextRange, String)]) -> String {
    let mut edits: Vec<&(TextRange, String)> = edits
        .iter()
        .filter(|(at, _)| range.contains_range(*at))
        .collect();
    edits.sort_by_key(|(at, _)| (at.start(), std::cmp::Reverse(at.end())));
    let mut out = String::new();
    let mut end = range.start();
    for (at, new) in edits {
        if at.start() < end {
            continue;
        }
        push(&mut out, slice(text, TextRange::new(end, at.start())));
        push(&mut out, new);
        end = at.end();
    }
    push(&mut out, slice(text, TextRange::new(end, range.end())));
    out
}

/// Adds text behind other text, with a blank between where the two would run into each other.
pub(super) fn push(out: &mut String, text: &str) {
    let (before, after) = (out.chars().next_back(), text.chars().next());
    if let (Some(before), Some(after)) = (before, after) {
        let symbol = |c: char| "+-*/<>=!:|".contains(c);
        let word = is_name_part(before) && is_name_part(after);
        // A force belongs to what it stands behind.
        let symbols = symbol(before) && symbol(after) && after != '!';
        if word || symbols {
            out.push(' ');
        }
    }
    out.push_str(text);
}

/// The comments in a text that holds nothing else but blanks and a few tokens, each on a line of its
/// own.
pub(super) fn comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('-').filter(|_| rest.contains("--")) {
        let block = at > 0
            && rest
                .get(at - 1..)
                .is_some_and(|rest| rest.starts_with("{--"));
        let Some(comment) = rest.get(if block { at - 1 } else { at }..) else {
            break;
        };
        let length = match (block, comment.starts_with("--")) {
            (true, _) => comment.find("--}").map_or(comment.len(), |end| end + 3),
            (false, true) => comment.find('\n').unwrap_or(comment.len()),
            (false, false) => {
                rest = comment.get(1..).unwrap_or_default();
                continue;
            }
        };
        out.push_str(comment.get(..length).unwrap_or_default());
        out.push('\n');
        rest = comment.get(length..).unwrap_or_default();
    }
    out
}
