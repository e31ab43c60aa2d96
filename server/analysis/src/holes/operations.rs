//! Operations that say what a smaller one says, or the same the other way round.
//!
//! | Operation | What is kept |
//! |---|---|
//! | `x - x`, `x / x`, `x < x` | `0`, `1`, `false` |
//! | `1 + 1`, where `2` may be written; `1 < 2` | what it comes to |
//! | `x - (0 - y)`, `x + (0 - y)` | `x + y`, `x - y` |
//! | `(x + y) + z` | `x + (y + z)` |
//! | `1 + x`, `y + x`, `f x + y`, `y > x`, `maxInt 1 x` | the same the other way round: the local that is bound first, others, literals |
//! | `charToInt (intToChar x)`, `floor 1.0` | `x`, `1` |
//! | `maxInt x x`; `eqInt x y`, whose clause is an operation | `x`; `x == y` |

use frank_syntax::ast::{
    BinaryOperator, Clause, Item, ItemKind, PatternId, PatternKind, Symbol, TermId, TermKind,
};

use super::heads::{COMPARISONS, Head, HeadKind};
use super::literals::Literals;
use super::pieces::Whole;
use super::written::{Place, text};
use crate::db::{Db, Origin, item};
use crate::program::{OperatorDef, TermDef, resolve_term};
use crate::types::{Signature, TyKind};

/// Whether an operation is known without its operands, comes to a smaller one, or is to be written the other way round.
pub(super) fn is_needless_operation(
    literals: &Literals,
    operator: &str,
    left: Whole<'_>,
    right: Whole<'_>,
) -> bool {
    let compares = COMPARISONS.contains(&operator);
    let takes_any_order = compares || is_sum(operator);
    (compares || matches!(operator, "-" | "/")) && left.is_equal(right) && !left.performs()
        || is_of_literals(literals, operator, left, right)
        || matches!(operator, "+" | "-") && is_negated(right)
        || is_sum(operator) && is_wrong_chain(operator, left, right)
        || takes_any_order && is_swapped(left, right)
}

/// Whether an operation takes its operands in any order and any grouping.
fn is_sum(operator: &str) -> bool {
    matches!(operator, "+" | "*")
}

/// Whether both operands are literals, and the value can be written as one.
fn is_of_literals(literals: &Literals, operator: &str, left: Whole<'_>, right: Whole<'_>) -> bool {
    let (Some(left), Some(right)) = (literal(left), literal(right)) else {
        return false;
    };
    if COMPARISONS.contains(&operator) {
        return true;
    }
    let natural = |left: u64, right: u64| match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        _ => None,
    };
    let float = |left: f64, right: f64| match operator {
        "+" => Some(left + right),
        "-" => Some(left - right),
        "*" => Some(left * right),
        _ => None,
    };
    let value = match (left.parse(), right.parse()) {
        (Ok(left), Ok(right)) => natural(left, right).map(|value| value.to_string()),
        _ => match (left.parse(), right.parse()) {
            (Ok(left), Ok(right)) => float(left, right).map(|value| format!("{value:?}")),
            _ => None,
        },
    };
    value.is_some_and(|value| literals.has(&value))
}

fn literal(term: Whole<'_>) -> Option<&'static str> {
    match term.head() {
        Some(Head::Literal(text)) => Some(text),
        _ => None,
    }
}

/// Whether a term is `0 - x`.
fn is_negated(term: Whole<'_>) -> bool {
    let (Some(Head::Infix("-")), [zero, _]) = (term.head(), &term.parts()[..]) else {
        return false;
    };
    matches!(literal(*zero), Some("0" | "0.0"))
}

/// Whether a chain is not grouped from the right, or not in order.
fn is_wrong_chain(operator: &str, left: Whole<'_>, right: Whole<'_>) -> bool {
    let is_link =
        |term: Whole<'_>| matches!(term.head(), Some(Head::Infix(own)) if *own == operator);
    let next = right.parts().first().copied().filter(|_| is_link(right));
    is_link(left) || next.is_some_and(|next| is_swapped(left, next))
}

/// Whether two operands, which may stand in any order, stand the other way round: the locals come first, in the order in
/// which they are bound, and literals last.
fn is_swapped(left: Whole<'_>, right: Whole<'_>) -> bool {
    match (Operand::of(left), Operand::of(right)) {
        (Operand::Local(left), Operand::Local(right)) => left > right,
        (Operand::Literal(left), Operand::Literal(right)) => left > right,
        // What does something stays where it is.
        (Operand::Other, Operand::Other) if left.performs() || right.performs() => false,
        (Operand::Other, Operand::Other) => order(left) > order(right),
        (left, right) => left > right,
    }
}

/// The kinds of operands, in their order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Operand {
    Local(isize),
    Other,
    Literal(&'static str),
}

impl Operand {
    fn of(term: Whole<'_>) -> Operand {
        match term.head() {
            Some(Head::Local {
                local,
                as_value: true,
            }) => Operand::Local(local.order),
            Some(Head::Literal(text)) => Operand::Literal(text),
            _ => Operand::Other,
        }
    }
}

/// The order of operands that are no names: by the first local that each reads, then the smaller one.
fn order(term: Whole<'_>) -> (isize, usize, String) {
    let locals = term.all().iter().filter_map(|piece| match &piece.head {
        Head::Local { local, .. } => Some(local.order),
        _ => None,
    });
    (
        locals.min().unwrap_or(isize::MAX),
        term.size(),
        text(term.tokens(), Place::Argument),
    )
}

/// What takes back what another operator of the library has made.
const BACK: [(&str, &str); 4] = [
    ("charToInt", "intToChar"),
    ("floor", "toFloat"),
    ("round", "toFloat"),
    ("truncate", "toFloat"),
];
/// What makes a literal of a literal.
const OF_LITERALS: [&str; 4] = ["floor", "round", "toFloat", "truncate"];

/// Whether a call makes a number again of what was made of it, or a literal of a literal.
pub(super) fn is_conversion_back(call: Whole<'_>) -> bool {
    let library = |term: Whole<'_>| match term.head() {
        Some(Head::Operator {
            name,
            kind: HeadKind::Library,
            as_value: false,
            ..
        }) => Some(name.as_str()),
        _ => None,
    };
    let (Some(outer), [arg]) = (library(call), &call.parts()[..]) else {
        return false;
    };
    let inner = library(*arg);
    OF_LITERALS.contains(&outer) && literal(*arg).is_some()
        || inner.is_some_and(|inner| BACK.contains(&(outer, inner)))
}

/// What an operator's only clause makes of its two arguments.
#[derive(Clone, Copy)]
pub(super) enum Joins {
    /// An operation: `f x y = x == y`.
    ByOperation(BinaryOperator),
    /// One of them, whichever comes first in their order: `f x y = if (x < y) {x} {y}` for integers.
    Choosing,
}

impl Joins {
    /// Of an operator; `None` if its clauses do anything else.
    pub fn of(db: &dyn Db, operator: OperatorDef, signature: &Signature) -> Option<Joins> {
        let scope = operator.0.scope;
        let [source] = operator.items(db).clauses[..] else {
            return None;
        };
        let item = item(db, source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return None;
        };
        let variables = two_variables(item, clause)?;
        let reads = |term: TermId| match &item.terms[term].kind {
            TermKind::Name(name) if variables.contains(&name.symbol) => Some(name.symbol),
            _ => None,
        };
        let both = |left: TermId, right: TermId| {
            reads(left)
                .zip(reads(right))
                .filter(|(left, right)| left != right)
        };
        match &item.terms[clause.body].kind {
            TermKind::Binary {
                operator,
                left,
                right,
                ..
            } if *operator != BinaryOperator::Cons => {
                let (left, _) = both(*left, *right)?;
                let joins = Joins::ByOperation(*operator);
                let in_order = variables.first() == Some(&left);
                (in_order || joins.takes_any_order()).then_some(joins)
            }
            TermKind::Apply { head, args } => {
                let mut ports = signature.computation.ports.iter();
                let (true, [condition, yes, no]) = (
                    ports.all(|port| matches!(signature.types.kind(port.ty), TyKind::Int)),
                    &args[..],
                ) else {
                    return None;
                };
                let TermKind::Binary {
                    operator,
                    left,
                    right,
                    ..
                } = &item.terms[*condition].kind
                else {
                    return None;
                };
                use BinaryOperator::{Greater, GreaterEqual, Less, LessEqual};
                let is_library_if = |head: TermId| match &item.terms[head].kind {
                    TermKind::Name(name) if name.symbol.as_str() == "if" => {
                        let meant = resolve_term(db, scope, name.symbol);
                        matches!(meant, Some(TermDef::Operator(own)) if own.0.scope.origin(db) == Origin::Library)
                    }
                    _ => false,
                };
                let (yes, no) = in_braces(item, *yes).zip(in_braces(item, *no))?;
                let chooses = is_library_if(*head)
                    && matches!(operator, Less | Greater | LessEqual | GreaterEqual)
                    && both(*left, *right).is_some()
                    && both(yes, no).is_some();
                chooses.then_some(Joins::Choosing)
            }
            _ => None,
        }
    }

    fn takes_any_order(self) -> bool {
        use BinaryOperator::{Add, Equal, Multiply, NotEqual};
        match self {
            Joins::ByOperation(operator) => matches!(operator, Add | Multiply | Equal | NotEqual),
            Joins::Choosing => true,
        }
    }

    /// Whether a call with these arguments says what the operation or one of them says, or is to be written the other way
    /// round.
    pub fn is_needless(self, left: Whole<'_>, right: Whole<'_>) -> bool {
        let says_less = match self {
            // No operation is looked for that has a literal or another operation on its left.
            Joins::ByOperation(_) => {
                !matches!(left.head(), Some(Head::Literal(_) | Head::Infix(_)))
            }
            Joins::Choosing => left.is_equal(right) && !left.performs(),
        };
        says_less || self.takes_any_order() && is_swapped(left, right)
    }
}

/// The variables of a clause that has two patterns, each of them a variable.
fn two_variables(item: &Item, clause: &Clause) -> Option<[Symbol; 2]> {
    let name = |pattern: PatternId| match &item.patterns[pattern].kind {
        PatternKind::Name(name) => Some(name.symbol),
        _ => None,
    };
    match clause.patterns[..] {
        [left, right] => Some([name(left)?, name(right)?]),
        _ => None,
    }
}

/// The term of `{term}`.
fn in_braces(item: &Item, term: TermId) -> Option<TermId> {
    match &item.terms[term].kind {
        TermKind::Thunk { clauses } => match &clauses[..] {
            [clause] if clause.patterns.is_empty() => Some(clause.body),
            _ => None,
        },
        _ => None,
    }
}
