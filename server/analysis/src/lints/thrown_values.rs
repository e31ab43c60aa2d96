//! Values that are thrown away: `1; …`. The left side of `;` is evaluated for what it does, and a term
//! that only gives a value does nothing.
//!
//! A value of a type variable is left alone: the caller's type may be `Unit`.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use frank_syntax::ast::{BinaryOperator, Item, TermId, TermKind};

use super::Checked;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::fixes;
use crate::infer::{Body, Resolved};
use crate::performs::Performs;
use crate::program::TermDef;
use crate::types::TyKind;

/// Reports each sequence whose first term does nothing, and is neither a `Unit` nor a computation.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    for (source, body) in &checked.inference.bodies {
        let item = item(checked.db, *source);
        let performs = RefCell::new(Performs::new(checked.db, item, body));
        let is_thrown = |first| {
            is_worth_something(checked, body, first)
                && only_gives_a_value(item, body, &mut performs.borrow_mut(), first)
        };
        // Where values of list elements are thrown away, with the sequences from there on.
        let mut in_lists: HashMap<TermId, Vec<TermId>> = HashMap::new();
        let mut reported: HashSet<TermId> = HashSet::new();
        for (_, data) in item.terms.iter() {
            let TermKind::List(elements) = &data.kind else {
                continue;
            };
            for element in elements {
                let mut rest = sequences(item, *element)
                    .skip_while(|sequence| !first_of(item, *sequence).is_some_and(is_thrown));
                if let Some(begin) = rest.next() {
                    // `[1; 2; 3]` is one mistake.
                    let all: Vec<TermId> = std::iter::once(begin).chain(rest).collect();
                    reported.extend(all.iter().skip(1));
                    in_lists.insert(begin, all);
                }
            }
        }
        for (term, _) in item.terms.iter() {
            if first_of(item, term).is_some_and(is_thrown) && !reported.contains(&term) {
                let elements = in_lists.get(&term).map_or(&[][..], Vec::as_slice);
                found.push(thrown_value(checked, *source, item, body, term, elements));
            }
        }
    }
}

/// The first term of a sequence.
fn first_of(item: &Item, term: TermId) -> Option<TermId> {
    match item.terms[term].kind {
        TermKind::Sequence { first, .. } => Some(first),
        _ => None,
    }
}

/// Whether a term's value says something: it is data that is no `Unit`, a number or a character.
fn is_worth_something(checked: &Checked<'_>, body: &Body, term: TermId) -> bool {
    let Some(ty) = body.types.get(term) else {
        return false;
    };
    match checked.inference.table.kind(*ty) {
        TyKind::Int | TyKind::Float | TyKind::Char => true,
        TyKind::Data(data, _) => data.0.name.as_str() != "Unit",
        // FK0412 is about computations.
        TyKind::Computation(_) | TyKind::Variable(_) | TyKind::Meta(_) | TyKind::Error => false,
    }
}

/// Whether a term performs nothing, runs no computation, and cannot fail as far as its own terms show.
/// That a sum may be too large for an `Int`, or that a called operator may end the run, is no reason to
/// write one.
fn only_gives_a_value(item: &Item, body: &Body, performs: &mut Performs<'_>, term: TermId) -> bool {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        let kind = &item.terms[term].kind;
        match kind {
            TermKind::Apply { head, args } => {
                let gives = match body.names.get(*head) {
                    _ if args.is_empty() => false,
                    Some(Resolved::Definition(TermDef::Constructor(_))) => true,
                    Some(Resolved::Definition(TermDef::Operator(_))) => performs.nothing(term),
                    _ => false,
                };
                if !gives {
                    return false;
                }
                // What is given to an operator to run has been asked of already.
                let is_thunk =
                    |arg: &TermId| matches!(item.terms[*arg].kind, TermKind::Thunk { .. });
                left.extend(args.iter().copied().filter(|arg| !is_thunk(arg)));
                continue;
            }
            TermKind::Binary {
                operator: BinaryOperator::Divide,
                ..
            }
            | TermKind::Adapted { .. }
            | TermKind::Let { .. }
            | TermKind::Sequence { .. }
            | TermKind::Thunk { .. }
            | TermKind::Missing => return false,
            TermKind::Name(_)
            | TermKind::Binary { .. }
            | TermKind::Negate(_)
            | TermKind::Natural(_)
            | TermKind::Float(_)
            | TermKind::Char(_)
            | TermKind::String(_)
            | TermKind::List(_) => {}
        }
        left.extend(kind.sub_terms());
    }
    true
}

/// The sequences that a term is: `1; 2; 3` is one, and so is its `2; 3`.
fn sequences(item: &Item, term: TermId) -> impl Iterator<Item = TermId> + '_ {
    let second = |term: TermId| match item.terms[term].kind {
        TermKind::Sequence { second, .. } => Some(second),
        _ => None,
    };
    std::iter::successors(Some(term), move |term| second(*term))
        .take_while(move |term| second(*term).is_some())
}

/// Whether an operator is called in a term.
fn calls_operator(item: &Item, body: &Body, term: TermId) -> bool {
    item.terms_in(term)
        .any(|term| match &item.terms[term].kind {
            TermKind::Apply { head, .. } => matches!(
                body.names.get(*head),
                Some(Resolved::Definition(TermDef::Operator(_)))
            ),
            _ => false,
        })
}

/// The finding about a sequence whose first term is thrown away. `elements` are the sequences in it if
/// it is an element of a list, where commas are likely to be meant.
fn thrown_value(
    checked: &Checked<'_>,
    source: ItemSource,
    item: &Item,
    body: &Body,
    sequence: TermId,
    elements: &[TermId],
) -> Diagnostic {
    let nodes = |sequence: &TermId| {
        let first = first_of(item, *sequence)?;
        Some((item.terms[*sequence].id, item.terms[first].id))
    };
    let (whole, first) = nodes(&sequence).unwrap_or((item.id, item.id));
    // What an operator does beside performing, to go on for ever or to fail, is not known.
    let calls = first_of(item, sequence).is_some_and(|first| calls_operator(item, body, first));
    let message = match calls {
        true => "this performs no command, and its value is thrown away",
        false => "this does nothing but give a value, which is thrown away",
    };
    let mut problem = Diagnostic::new(Code::ThrownValue, Location::node(source, first), message);
    let fix = if elements.is_empty() {
        problem = problem.help("leave it out, or do something with its value");
        fixes::leave_out_first(checked.db, source, whole, first)
    } else {
        problem = problem.help("the elements of a list are separated by commas: `[1, 2, 3]`");
        let all: Vec<_> = elements.iter().filter_map(nodes).collect();
        fixes::write_commas(checked.db, source, &all)
    };
    problem.fixes.extend(fix);
    problem
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    /// What is told of the body of an operator with some parameters, in the order of the text.
    fn thrown(body: &str) -> Vec<String> {
        let program = format!(
            "data Box X = box X\n\
             interface Ask = ask : Int\n\
             call : Int -> Int\ncall i = i\n\
             with : {{Int -> Int}} -> Int -> Int\nwith f i = f i\n\
             f : Int -> Float -> Box Int -> X -> Unit -> {{Int}} -> [Ask]Int\n\
             f i x b any nothing g = {body}\n"
        );
        let mut thrown = found(Code::ThrownValue, &program);
        // What is inside comes first, and `b; c` is inside of `a; b; c`.
        thrown.reverse();
        thrown
    }

    #[test]
    fn what_only_gives_a_value_before_a_semicolon() {
        assert_eq!(thrown("i == i + 1; 1"), ["i == i + 1"]);
        assert_eq!(thrown("i; x; b; 1"), ["i", "x", "b"]);
        assert_eq!(
            thrown("'c'; \"s\"; 2.5; (-i); 1"),
            ["'c'", "\"s\"", "2.5", "-i"]
        );
        assert_eq!(
            thrown("[]; [i, 2]; (1 :: [2]); 1"),
            ["[]", "[i, 2]", "1 :: [2]"]
        );
        assert_eq!(
            thrown("box i; (box (box [g])); 1"),
            ["box i", "box (box [g])"]
        );
        assert_eq!(thrown("true; (1; 2); 3"), ["true", "1"]);
        assert_eq!(thrown("case [1; 2; 3] {_ -> 0}"), ["1"]);
        assert_eq!(thrown("case [ask!; 2; 3; 4] {_ -> 0}"), ["2"]);
    }

    #[test]
    fn a_call_that_performs_nothing() {
        assert_eq!(
            thrown("call i; call i + 1; [call 1]; with {y -> y + 1} i; 1"),
            ["call i", "call i + 1", "[call 1]", "with {y -> y + 1} i"]
        );
        assert!(thrown("with {y -> ask!} i; call ask!; with {_ -> g!} i; 1").is_empty());
    }

    #[test]
    fn what_does_something_or_may_do_so() {
        assert!(thrown("ask!; g!; 1").is_empty());
        assert!(thrown("g! + 1; [ask!]; box g!; (g! == 2); (1 :: [ask!]); 1").is_empty());
        assert!(thrown("i / 2; (x / x == x); 1").is_empty());
        assert!(thrown("(let y = 1 in y); (g!; 1); 1").is_empty());
    }

    #[test]
    fn what_gives_nothing_or_perhaps_nothing() {
        assert!(thrown("unit; nothing; any; 1").is_empty());
    }

    #[test]
    fn a_computation_is_another_finding() {
        assert!(thrown("g; call; ask; {1}; 1").is_empty());
    }
}
