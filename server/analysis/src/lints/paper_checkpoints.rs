//! Checkpoints that `reversec` and `gradc` of the library `ad-paper` may come upon. Those are the
//! paper's own, printed as they are, and give wrong derivatives for most programs with checkpoints.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use frank_syntax::ast::{Symbol, TermKind};

use crate::db::{Db, Origin, SourceFile, has_syntax_errors, item};
use crate::derivatives::included;
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::groups;
use crate::infer::{Resolved, infer_operator};
use crate::program::{Definition, OperatorDef, TermDef, operator_items, resolve_term};

/// The paper's operators that handle checkpoints.
const HANDLERS: [&str; 2] = ["gradc", "reversec"];

/// The user's checkpoints in a program that uses the paper's handlers for them.
///
/// What a handler comes upon was made by operators that a caller of it calls, whether it is given
/// as a function, as a value, or performed: an entry from which a run begins calls both. So every
/// checkpoint counts that is called, somehow, by what calls, somehow, a handler.
#[salsa::tracked]
pub fn checkpoints(db: &dyn Db, root: SourceFile) -> Vec<Diagnostic> {
    let Some(paper) = included(db, root, "ad-paper") else {
        return Vec::new();
    };
    let checkpoint = Symbol::new("checkpoint");
    let is_papers = |name: Symbol| {
        resolve_term(db, root, name).is_some_and(|definition| definition.scope() == paper)
    };
    let handlers: Vec<Symbol> = HANDLERS
        .into_iter()
        .map(Symbol::new)
        .filter(|name| is_papers(*name))
        .collect();
    if root.origin(db) != Origin::Workspace || !is_papers(checkpoint) || handlers.is_empty() {
        return Vec::new();
    }
    let mut calls: HashMap<Symbol, Vec<Symbol>> = HashMap::new();
    let mut callers: HashMap<Symbol, Vec<Symbol>> = HashMap::new();
    // In the order of the program, each once.
    let mut setting: Vec<Symbol> = Vec::new();
    let mut handling: Vec<(Symbol, Vec<(Symbol, Location)>)> = Vec::new();
    for (user, name) in groups::all_facts(db, root).flat_map(|facts| &facts.mentions) {
        calls.entry(*user).or_default().push(*name);
        callers.entry(*name).or_default().push(*user);
        if *name == checkpoint && !setting.contains(user) {
            setting.push(*user);
        }
        if handlers.contains(name) && handling.iter().all(|(known, _)| known != user) {
            handling.push((*user, uses(db, root, *user).clone()));
        }
    }
    // A local variable may have a handler's name.
    handling.retain(|(_, uses)| !uses.is_empty());
    let mut handler_of: BTreeMap<Symbol, &(Symbol, Location)> = BTreeMap::new();
    // The nearest use is the one to show: what a handler's user calls itself comes first.
    for upwards in [false, true] {
        for (user, uses) in &handling {
            let Some(first) = uses.first() else { continue };
            let mut from = BTreeSet::from([*user]);
            if upwards {
                from = closure(from, &callers);
            }
            for operator in closure(from, &calls) {
                handler_of.entry(operator).or_insert(first);
            }
        }
    }
    let mut found = Vec::new();
    for operator in setting {
        let Some((handler, at)) = handler_of.get(&operator) else {
            continue;
        };
        for source in &operator_items(db, root, operator).clauses {
            if has_syntax_errors(db, *source) {
                continue;
            }
            for (_, term) in item(db, *source).terms.iter() {
                if matches!(&term.kind, TermKind::Name(name) if name.symbol == checkpoint) {
                    let at_checkpoint = Location::node(*source, term.id);
                    found.push(finding(at_checkpoint, *handler, *at));
                }
            }
        }
    }
    found
}

fn finding(checkpoint: Location, handler: Symbol, used: Location) -> Diagnostic {
    Diagnostic::new(
        Code::PaperCheckpoint,
        checkpoint,
        format!(
            "this checkpoint can make the derivative wrong, in silence: the paper's `{handler}` \
             does not handle every checkpoint right"
        ),
    )
    .related(used, format!("`{handler}` of `ad-paper` is used here"))
    .help("`include ad` instead, whose checkpoints are right")
}

/// The names that some names lead to, themselves included.
fn closure(from: BTreeSet<Symbol>, edges: &HashMap<Symbol, Vec<Symbol>>) -> BTreeSet<Symbol> {
    let mut open: Vec<Symbol> = from.iter().copied().collect();
    let mut seen = from;
    while let Some(name) = open.pop() {
        for next in edges.get(&name).into_iter().flatten() {
            if seen.insert(*next) {
                open.push(*next);
            }
        }
    }
    seen
}

/// Where the clauses of an operator mention one of the paper's handlers.
#[salsa::tracked]
fn uses(db: &dyn Db, root: SourceFile, name: Symbol) -> Vec<(Symbol, Location)> {
    let mut found = Vec::new();
    let Some(paper) = included(db, root, "ad-paper") else {
        return found;
    };
    let operator = OperatorDef(Definition { scope: root, name });
    let Some(inference) = infer_operator(db, operator) else {
        return found;
    };
    for (source, body) in &inference.bodies {
        for (term, resolved) in body.names.iter() {
            if let Resolved::Definition(TermDef::Operator(OperatorDef(used))) = resolved
                && used.scope == paper
                && HANDLERS.contains(&used.name.as_str())
            {
                let node = item(db, *source).terms[term].id;
                found.push((used.name, Location::node(*source, node)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn a_checkpoint_of_the_papers_handlers() {
        assert_eq!(
            found(
                Code::PaperCheckpoint,
                "include ad-paper\n\nf : [RefState] Int\nf! = evaluate (gradc {x -> checkpoint {t x x}} 3)\n"
            ),
            ["checkpoint"]
        );
        assert!(found(Code::PaperCheckpoint, "include ad\n\nf : [RefState] Float\nf! = evaluate (gradc {x -> checkpoint {t x x}} 3)\n").is_empty());
    }
}
