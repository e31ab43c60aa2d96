//! Handlers for commands that their argument never performs.

use frank_syntax::ast::{Item, TermId, TermKind};

use super::Checked;
use crate::db::{Db, item};
use crate::declarations::sound_signature;
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::{Body, Resolved};
use crate::performs::Performs;
use crate::program::{InterfaceDef, OperatorDef, TermDef};
use crate::report::words::{listed, ordinal};
use crate::types::Adjustment;

/// Reports the calls of handlers whose argument performs none of the commands that are handled.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    for (source, body) in &checked.inference.bodies {
        let item = item(checked.db, *source);
        let mut performs = Performs::new(checked.db, item, body);
        for (_, term) in item.terms.iter() {
            let TermKind::Apply { head, args } = &term.kind else {
                continue;
            };
            let Some(Resolved::Definition(TermDef::Operator(operator))) = body.names.get(*head)
            else {
                continue;
            };
            for (port, arg) in args.iter().enumerate() {
                let never = |interface| performs.never(*arg, interface);
                if let Some(interfaces) = handled_for_nothing(checked, *operator, port, never) {
                    let at = Location::node(*source, item.terms[*head].id);
                    let place = Location::node(*source, item.terms[*arg].id);
                    let inside = suspended(item, *arg);
                    let is_suspended = inside.is_some_and(|inside| {
                        let mut all = interfaces.iter();
                        all.any(|interface| !performs.never(inside, *interface))
                    });
                    let mut finding = match is_suspended {
                        true => suspended_argument(checked.db, place, *operator, port, &interfaces),
                        false => idle_handler(at, place, *operator, port, &interfaces),
                    };
                    finding.rests_on = operators_in(item, body, *arg);
                    found.push(finding);
                }
            }
        }
    }
}

/// The operators that a term mentions. While one of them is wrong, its signature may lack what it
/// performs.
fn operators_in(item: &Item, body: &Body, term: TermId) -> Vec<OperatorDef> {
    let mut operators = Vec::new();
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        if let Some(Resolved::Definition(TermDef::Operator(operator))) = body.names.get(term)
            && !operators.contains(operator)
        {
            operators.push(*operator);
        }
        let parts = item.terms[term].kind.parts();
        work.extend(parts.direct());
        work.extend(parts.clauses.iter().map(|clause| clause.body));
    }
    operators
}

/// The interfaces that a port adds, if none of them is ever used by the argument.
fn handled_for_nothing(
    checked: &Checked<'_>,
    operator: OperatorDef,
    port: usize,
    mut never: impl FnMut(InterfaceDef) -> bool,
) -> Option<Vec<InterfaceDef>> {
    // A handler that calls itself may well have come to the end.
    if Some(operator) == checked.operator {
        return None;
    }
    let declared = sound_signature(checked.db, operator.0.scope, operator.0.name).as_ref()?;
    let port = declared.computation.ports.get(port)?;
    let mut interfaces: Vec<InterfaceDef> = Vec::new();
    for adjustment in port.adjustments.iter() {
        if let Adjustment::Instance(instance) = adjustment
            && !interfaces.contains(&instance.interface)
        {
            interfaces.push(instance.interface);
        }
    }
    let idle = !interfaces.is_empty() && interfaces.iter().all(|interface| never(*interface));
    idle.then_some(interfaces)
}

/// What braces suspend, if a term is nothing but braces around it.
fn suspended(item: &Item, term: TermId) -> Option<TermId> {
    match &item.terms[term].kind {
        TermKind::Thunk { clauses } => match &clauses[..] {
            [clause] if clause.patterns.is_empty() => Some(clause.body),
            _ => None,
        },
        _ => None,
    }
}

fn listed_names(interfaces: &[InterfaceDef]) -> String {
    let names: Vec<String> = interfaces
        .iter()
        .map(|interface| format!("`{}`", interface.0.name))
        .collect();
    listed(&names, 3)
}

fn suspended_argument(
    db: &dyn Db,
    arg: Location,
    operator: OperatorDef,
    port: usize,
    interfaces: &[InterfaceDef],
) -> Diagnostic {
    let names = listed_names(interfaces);
    let mut finding = Diagnostic::new(
        Code::IdleHandler,
        arg,
        format!(
            "the braces suspend this: `{}` handles {} in its {} argument, and what is suspended does not run \
             there",
            operator.0.name,
            names,
            ordinal(port)
        ),
    )
    .help("leave out the braces");
    // What the handler gives is of another type then.
    let fix = fixes::leave_out_braces(db, arg);
    finding
        .fixes
        .extend(fix.map(|fix| Fix { safe: false, ..fix }));
    finding
}

fn idle_handler(
    at: Location,
    arg: Location,
    operator: OperatorDef,
    port: usize,
    interfaces: &[InterfaceDef],
) -> Diagnostic {
    let names = listed_names(interfaces);
    Diagnostic::new(
        Code::IdleHandler,
        at,
        format!(
            "`{}` handles {names}, but its {} argument never performs a command of it",
            operator.0.name,
            ordinal(port)
        ),
    )
    .related(arg, format!("this performs no command of {names}"))
    .help("leave the handler out, or perform in its argument what it is to handle")
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn what_has_errors_may_perform_more_than_its_signature_says() {
        let program = |own: &str| {
            format!(
                "interface Ask = ask : Int\nrun : <Ask>X -> X\nrun x = x\nrun <ask -> k> = run (k 1)\n\
                 f : {{Int}}\nf! = {own}\n\nmain : {{Int}}\nmain! = run f!\n"
            )
        };
        assert!(found(Code::IdleHandler, &program("ask!")).is_empty());
        assert_eq!(found(Code::IdleHandler, &program("1")), ["run"]);
    }

    #[test]
    fn a_handler_of_commands_that_are_never_performed() {
        assert_eq!(
            found(
                Code::IdleHandler,
                "interface State S = get : S | put : S -> Unit\nrun : S -> <State S>X -> X\nrun _ x = x\nrun s <get -> k> = run s (k s)\nrun _ <put s -> k> = run s (k unit)\nf : {Int}\nf! = run 1 2\n"
            ),
            ["run"]
        );
        assert!(found(Code::IdleHandler, "interface State S = get : S | put : S -> Unit\nrun : S -> <State S>X -> X\nrun _ x = x\nrun s <get -> k> = run s (k s)\nrun _ <put s -> k> = run s (k unit)\nf : {Int}\nf! = run 1 get!\n").is_empty());
    }
}
