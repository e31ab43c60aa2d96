//! Handlers for commands that their argument never performs. A continuation that is handed to a handler
//! without being resumed is such an argument, too.

use frank_syntax::ast::{Item, ItemKind, PatternId, PatternKind, Symbol, TermId, TermKind};

use super::Checked;
use crate::builtin;
use crate::db::{Db, ItemSource, Origin, item};
use crate::declarations::sound_signature;
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::hypothesis::{Change, Hypothesis, Order};
use crate::infer::{Body, Resolved, infer_operator, infer_operator_if, infer_term_if};
use crate::performs::Performs;
use crate::program::{InterfaceDef, OperatorDef, TermDef};
use crate::report::places::has_parentheses;
use crate::report::words::{listed, ordinal};
use crate::scopes::LocalKind;
use crate::surroundings::is_atomic;
use crate::types::{Adjustment, Port, TyKind};

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
                let handled = handled_by(checked, *operator, port);
                let mut all = handled.iter();
                if handled.is_empty() || !all.all(|interface| performs.never(*arg, *interface)) {
                    continue;
                }
                let here = (&**item, body);
                if is_ended_argument(checked, here, *arg, &handled) {
                    continue;
                }
                // Of several computations that are handled together one may have ended: it is a value.
                let mut others = (0..).zip(args).filter(|(other, _)| *other != port);
                let is_paired = is_atomic(item, *arg)
                    && others.any(|(other, arg)| {
                        let handled = handled_by(checked, *operator, other);
                        let mut all = handled.iter();
                        all.any(|interface| !performs.never(*arg, *interface))
                    });
                let place = Location::node(*source, item.terms[*arg].id);
                let finding = suspended(checked, &mut performs, here, *arg, &handled);
                let takes_anything = takes_anything(checked, *operator, port);
                let mut finding = match finding {
                    // What is suspended is of the type that is asked for.
                    Some(_) if !takes_anything => continue,
                    Some(suspended) if suspended.would_do(checked, *source, *arg) => {
                        suspended.argument(checked.db, place, *operator, port, &handled)
                    }
                    // A handler that calls itself may well have come to the end.
                    _ if Some(*operator) == checked.operator || is_paired => continue,
                    _ => {
                        let at = Location::node(*source, item.terms[*head].id);
                        idle_handler(at, place, *operator, port, &handled)
                    }
                };
                finding.rests_on = reached(checked.db, operators_in(item, body, *arg));
                found.push(finding);
            }
        }
    }
}

/// So many operators at most are looked at that a term may come to.
const MOST_REACHED: usize = 64;

/// Operators, and those of the program's own that their clauses mention: what these lack, what calls them lacks, too.
fn reached(db: &dyn Db, mut operators: Vec<OperatorDef>) -> Vec<OperatorDef> {
    let mut next = 0;
    while let Some(operator) = operators.get(next).copied()
        && operators.len() < MOST_REACHED
    {
        next += 1;
        if operator.0.scope.origin(db) == Origin::Library {
            continue;
        }
        let Some(known) = infer_operator(db, operator) else {
            continue;
        };
        for (_, body) in &known.bodies {
            for (_, resolved) in body.names.iter() {
                if let Resolved::Definition(TermDef::Operator(other)) = resolved
                    && !operators.contains(other)
                {
                    operators.push(*other);
                }
            }
        }
    }
    operators
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

/// Whether a term is the variable of a port that adds one of some interfaces: its clause is not for what still performs
/// their commands, which is told where clauses are missing.
fn is_ended_argument(
    checked: &Checked<'_>,
    (item, body): (&Item, &Body),
    term: TermId,
    handled: &[InterfaceDef],
) -> bool {
    let (Some(operator), Some(Resolved::Local(local))) = (checked.operator, body.names.get(term))
    else {
        return false;
    };
    let (ItemKind::Clause { clause, .. }, Some(local)) =
        (&item.kind, body.locals.get(local.0 as usize))
    else {
        return false;
    };
    let is_bound = |pattern: &PatternId| match item.patterns[*pattern].kind {
        PatternKind::Name(name) => name.id == local.node,
        _ => false,
    };
    let port = clause.patterns.iter().position(is_bound);
    port.is_some_and(|port| {
        let added = handled_by(checked, operator, port);
        handled.iter().all(|interface| added.contains(interface))
    })
}

/// The interfaces that a port of an operator adds.
fn handled_by(checked: &Checked<'_>, operator: OperatorDef, port: usize) -> Vec<InterfaceDef> {
    let declared = sound_signature(checked.db, operator.0.scope, operator.0.name).as_ref();
    let port = declared.and_then(|declared| declared.computation.ports.get(port));
    port.map_or_else(Vec::new, interfaces_of)
}

/// Whether a port takes values of any type.
fn takes_anything(checked: &Checked<'_>, operator: OperatorDef, port: usize) -> bool {
    let declared = sound_signature(checked.db, operator.0.scope, operator.0.name).as_ref();
    declared.is_some_and(|declared| {
        let port = declared.computation.ports.get(port);
        port.is_some_and(|port| matches!(declared.types.kind(port.ty), TyKind::Variable(_)))
    })
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
    let interfaces = handled_by(checked, operator, port);
    // A port that takes computations may well keep one for later.
    if interfaces.is_empty() || !takes_anything(checked, operator, port) {
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
        Some(ty) if !builtin::is_unit(checked.db, checked.inference.table.kind(ty)) => None,
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

/// What would perform the commands, if it ran.
#[derive(Clone, Copy)]
enum Suspended {
    /// Braces around it.
    Braces,
    /// It is a name.
    Name(Symbol),
}

/// How an argument suspends what performs some of the commands that are handled.
fn suspended(
    checked: &Checked<'_>,
    performs: &mut Performs<'_>,
    (item, body): (&Item, &Body),
    arg: TermId,
    handled: &[InterfaceDef],
) -> Option<Suspended> {
    match &item.terms[arg].kind {
        TermKind::Thunk { clauses } => match &clauses[..] {
            [clause] if clause.patterns.is_empty() => {
                let mut all = handled.iter();
                all.any(|interface| !performs.never(clause.body, *interface))
                    .then_some(Suspended::Braces)
            }
            _ => None,
        },
        TermKind::Name(name) => {
            let table = &checked.inference.table;
            let TyKind::Computation(own) = table.kind(*body.types.get(arg)?) else {
                return None;
            };
            let row = table.row(own.ability);
            let mut instances = row.instances.iter();
            let performed = instances.any(|instance| handled.contains(&instance.interface));
            (own.ports.is_empty() && performed).then_some(Suspended::Name(name.symbol))
        }
        _ => None,
    }
}

impl Suspended {
    /// Whether the definition would check if it ran.
    fn would_do(self, checked: &Checked<'_>, source: ItemSource, term: TermId) -> bool {
        let change = match self {
            Suspended::Braces => Change::Unbrace,
            Suspended::Name(_) => Change::Force,
        };
        let hypothesis = Some(Hypothesis {
            source,
            term,
            change,
        });
        let (db, order) = (checked.db, Order::default());
        let changed = match checked.operator {
            Some(operator) => infer_operator_if(db, operator, order, hypothesis),
            None => Some(infer_term_if(db, checked.scope, source, order, hypothesis)),
        };
        changed.is_some_and(|changed| changed.is_sound())
    }

    fn argument(
        self,
        db: &dyn Db,
        arg: Location,
        operator: OperatorDef,
        port: usize,
        interfaces: &[InterfaceDef],
    ) -> Diagnostic {
        let what = match self {
            Suspended::Braces => "the braces suspend this".to_owned(),
            Suspended::Name(name) => format!("`{name}` is a suspended computation"),
        };
        let message = format!(
            "{what}: `{}` handles {} in its {} argument, and what is suspended does not run there",
            operator.0.name,
            listed_names(interfaces),
            ordinal(port)
        );
        let finding = Diagnostic::new(Code::IdleHandler, arg, message);
        let (mut finding, fix) = match self {
            Suspended::Braces => (
                finding.help("leave out the braces"),
                fixes::leave_out_braces(db, arg),
            ),
            Suspended::Name(name) => {
                let forced = format!("{name}!");
                let title = format!("write `{forced}`");
                let fix = fixes::replace(arg, &forced, title);
                (finding.help(format!("write `{forced}`")), Some(fix))
            }
        };
        // What the handler gives is of another type then.
        finding
            .fixes
            .extend(fix.map(|fix| Fix { safe: false, ..fix }));
        finding
    }
}

fn listed_names(interfaces: &[InterfaceDef]) -> String {
    let names: Vec<String> = interfaces
        .iter()
        .map(|interface| format!("`{}`", interface.0.name))
        .collect();
    listed(&names, 3)
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
    fn one_of_two_that_are_handled_together_may_have_ended() {
        let program = |first: &str| {
            format!(
                "interface A = a : Int\ninterface B = b : Int\n\
                 both : <A>Int -> <B>Int -> Int\nboth <a -> k> <m> = both (k 1) m!\n\
                 both <m> <b -> k> = both m! (k 2)\nboth x y = x + y\n\
                 f : {{Int}}\nf! = both {first} 5\n"
            )
        };
        assert!(found(Code::IdleHandler, &program("(a! + 1)")).is_empty());
        assert_eq!(found(Code::IdleHandler, &program("1")), ["both", "both"]);
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
