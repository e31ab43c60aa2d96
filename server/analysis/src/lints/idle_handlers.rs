//! Handlers for commands that their argument never performs. A continuation that is handed to a handler
//! without being resumed is such an argument, too.

use frank_syntax::ast::{Item, TermId, TermKind};

use super::Checked;
use crate::db::{Db, ItemSource, item};
use crate::declarations::sound_signature;
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::{Body, Resolved};
use crate::performs::Performs;
use crate::program::{InterfaceDef, OperatorDef, TermDef};
use crate::report::places::has_parentheses;
use crate::report::words::{listed, ordinal};
use crate::scopes::LocalKind;
use crate::types::{Adjustment, Port, Ty, TyKind};

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
                if let Some(finding) =
                    unresumed(checked, (*source, item, body), *operator, (port, *arg))
                {
                    found.push(finding);
                    continue;
                }
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
    let interfaces = interfaces_of(declared.computation.ports.get(port)?);
    let idle = !interfaces.is_empty() && interfaces.iter().all(|interface| never(*interface));
    idle.then_some(interfaces)
}

/// The interfaces whose commands a port handles, each once.
fn interfaces_of(port: &Port) -> Vec<InterfaceDef> {
    let mut interfaces: Vec<InterfaceDef> = Vec::new();
    for adjustment in port.adjustments.iter() {
        if let Adjustment::Instance(instance) = adjustment
            && !interfaces.contains(&instance.interface)
        {
            interfaces.push(instance.interface);
        }
    }
    interfaces
}

/// `run k` where `k` is the rest of a computation: what `run` takes is the rest itself, of whatever type,
/// and nothing goes on with it.
fn unresumed(
    checked: &Checked<'_>,
    (source, item, body): (ItemSource, &Item, &Body),
    operator: OperatorDef,
    (port, arg): (usize, TermId),
) -> Option<Diagnostic> {
    let Some(Resolved::Local(local)) = body.names.get(arg) else {
        return None;
    };
    let local = body.locals.get(local.0 as usize)?;
    if !matches!(local.kind, LocalKind::Continuation | LocalKind::CatchAll) {
        return None;
    }
    let declared = sound_signature(checked.db, operator.0.scope, operator.0.name).as_ref()?;
    let taken = declared.computation.ports.get(port)?;
    let interfaces = interfaces_of(taken);
    // A port that takes computations may well keep one for later.
    let takes_anything = matches!(declared.types.kind(taken.ty), TyKind::Variable(_));
    if interfaces.is_empty() || !takes_anything {
        return None;
    }
    let TyKind::Computation(rest) = checked.inference.table.kind(local.ty) else {
        return None;
    };
    let (name, own) = (local.name, operator.0.name);
    let waits_for = rest.ports.first().map(|port| port.ty);
    let at = Location::node(source, item.terms[arg].id);
    let resumed = match waits_for {
        None => Some(format!("{name}!")),
        Some(ty) if !is_unit(checked, ty) => None,
        Some(_) if has_parentheses(checked.db, at) => Some(format!("{name} unit")),
        Some(_) => Some(format!("({name} unit)")),
    };
    let finding = Diagnostic::new(
        Code::IdleHandler,
        at,
        format!(
            "`{name}` is handed over without being resumed: `{own}` handles {} in its {} argument, and nothing \
             runs there",
            listed_names(&interfaces),
            ordinal(port)
        ),
    )
    .related(
        Location::node(source, local.node),
        format!("`{name}` goes on with the computation from here"),
    );
    Some(match resumed {
        Some(resumed) => {
            let title = format!("write `{resumed}`");
            let fix = fixes::replace(at, &resumed, title);
            finding
                .help(format!("write `{resumed}`"))
                .fix(Fix { safe: false, ..fix })
        }
        None => finding.help(format!(
            "write `({name} …)`, with the value that the command gives where it was performed"
        )),
    })
}

fn is_unit(checked: &Checked<'_>, ty: Ty) -> bool {
    matches!(checked.inference.table.kind(ty), TyKind::Data(data, _) if data.0.name.as_str() == "Unit")
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
    fn a_continuation_is_resumed_or_kept() {
        let program = |port: &str, clause: &str| {
            format!(
                "interface Ask = ask : Int | tell : Unit\n\
                 run : <Ask>{port} -> Int\nrun <{clause}\nrun _ = 0\n"
            )
        };
        let told = |port, clause| found(Code::IdleHandler, &program(port, clause));
        assert_eq!(told("X", "tell -> k> = run k"), ["k"]);
        assert_eq!(told("X", "ask -> k> = 1 + run k"), ["k"]);
        assert_eq!(told("X", "m> = run m"), ["m"]);
        assert!(told("X", "tell -> k> = run (k unit)").is_empty());
        assert!(told("X", "m> = run m!").is_empty());
        assert!(told("{Unit -> [Ask] X}", "tell -> k> = 1").is_empty());
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
