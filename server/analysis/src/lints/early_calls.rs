//! Calls that run too early: `if c abort! {…}`, where `abort!` ends everything before `if` decides.
//!
//! A call that gives whatever type its place needs, as `abort!` does, never gives a value. In the place of a
//! suspended computation it checks, and runs instead of being handed on.

use frank_syntax::ast::{Item, TermId, TermKind};
use text_size::{TextRange, TextSize};

use super::Checked;
use crate::db::{Db, ItemSource, item};
use crate::declarations::{interface, sound_signature};
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::{Body, Resolved};
use crate::program::TermDef;
use crate::report::places::has_parentheses;
use crate::types::{Arg, TyKind};

/// So many letters of a call at most are written in a message.
const LONGEST: usize = 30;

/// Reports each argument of an operator that never gives the computation that is needed.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    for (source, body) in &checked.inference.bodies {
        let item = item(checked.db, *source);
        for (_, data) in item.terms.iter() {
            let TermKind::Apply { head, args } = &data.kind else {
                continue;
            };
            let Some(Resolved::Definition(TermDef::Operator(operator))) = body.names.get(*head)
            else {
                continue;
            };
            let (scope, name) = (operator.0.scope, operator.0.name);
            let Some(signature) = sound_signature(checked.db, scope, name) else {
                continue;
            };
            for (port, arg) in signature.computation.ports.iter().zip(args) {
                let is_suspended = matches!(signature.types.kind(port.ty), TyKind::Computation(_));
                if is_suspended && never_gives(checked.db, item, body, *arg) {
                    found.push(early_call(checked.db, *source, item, *arg, name.as_str()));
                }
            }
        }
    }
}

/// Whether a term is a call of what gives any type, whatever it is given.
fn never_gives(db: &dyn Db, item: &Item, body: &Body, term: TermId) -> bool {
    let head = match &item.terms[term].kind {
        TermKind::Apply { head, .. } => *head,
        TermKind::Adapted { body: inner, .. } => return never_gives(db, item, body, *inner),
        _ => return false,
    };
    match body.names.get(head) {
        Some(Resolved::Definition(TermDef::Command(command))) => {
            let owner = command.interface.0;
            let Some(declared) = interface(db, owner.scope, owner.name) else {
                return false;
            };
            let of_interface = declared.params.values().count() as u32;
            let command = declared.commands.get(command.index as usize);
            command.is_some_and(|command| {
                let taken = command.args.iter().copied();
                let own = declared.types.unmentioned_result(command.result, taken);
                own.is_some_and(|own| own >= of_interface)
            })
        }
        Some(Resolved::Definition(TermDef::Operator(operator))) => {
            let (scope, name) = (operator.0.scope, operator.0.name);
            sound_signature(db, scope, name)
                .as_ref()
                .is_some_and(|signature| {
                    let computation = &signature.computation;
                    let ports = computation.ports.iter();
                    let adjusted = ports.clone().flat_map(|port| port.added());
                    let mut handled = adjusted.flat_map(|instance| instance.args.iter());
                    let row = signature.types.row(computation.ability);
                    let mut performed = row.instances.iter().flat_map(|one| one.args.iter());
                    let taken = ports.map(|port| port.ty);
                    let types = &signature.types;
                    let own = types.unmentioned_result(computation.result, taken);
                    own.is_some_and(|own| {
                        // What the ability is about decides the type.
                        let is_free = |arg: &Arg| match arg {
                            Arg::Type(ty) => !types.mentions(*ty, own),
                            Arg::Ability(_) => true,
                        };
                        handled.all(is_free) && performed.all(is_free)
                    })
                })
        }
        _ => false,
    }
}

fn early_call(
    db: &dyn Db,
    source: ItemSource,
    item: &Item,
    term: TermId,
    operator: &str,
) -> Diagnostic {
    let mut at = Location::node(source, item.terms[term].id);
    let text = |at: Location| {
        let range = std::ops::Range::<usize>::from(at.in_item(db));
        source.text(db).get(range).unwrap_or_default()
    };
    let call = text(at);
    let what = match call.chars().count() <= LONGEST && !call.contains('\n') {
        true => format!("`{call}`"),
        false => "this".to_owned(),
    };
    let message = format!("{what} runs here, before `{operator}` can decide whether it is to run");
    let written = format!("{{{call}}}");
    if has_parentheses(db, at) {
        at = with_parentheses(db, at);
    }
    let title = match what.as_str() {
        "this" => "put braces around it".to_owned(),
        _ => format!("write `{written}`"),
    };
    Diagnostic::new(Code::EarlyCall, at, message)
        .help(format!(
            "`{operator}` takes a suspended computation: put braces around it"
        ))
        // What the program does is another thing then.
        .fix(Fix {
            safe: false,
            ..fixes::replace(at, &written, title)
        })
}

/// A place with the parentheses that stand directly around it.
fn with_parentheses(db: &dyn Db, at: Location) -> Location {
    let (range, text) = (at.in_item(db), at.item.text(db));
    let before = text.get(..range.start().into()).unwrap_or_default();
    let behind = text.get(range.end().into()..).unwrap_or_default();
    let (open, close) = (before.rfind('('), behind.find(')'));
    let size = |at: usize| TextSize::try_from(at).unwrap_or_default();
    match (open, close) {
        (Some(open), Some(close)) => {
            let end = range.end() + size(close + 1);
            Location::range(at.item, TextRange::new(size(open), end))
        }
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    const DECLARED: &str = "interface Abort = abort X : X\n\
         interface Ask A = ask : A | pick X : X -> X -> X\n\
         fail : Int -> [Abort]X\nfail n = abort!\n\
         choose : Bool -> {X} -> {X} -> X\nchoose true a b = a!\nchoose false a b = b!\n";

    fn told(body: &str) -> Vec<String> {
        let program = format!("{DECLARED}f : Bool -> [Abort, Ask {{Int}}]Int\nf c = {body}\n");
        found(Code::EarlyCall, &program)
    }

    #[test]
    fn what_never_gives_a_value_runs_too_early() {
        assert_eq!(told("choose c abort! {1}"), ["abort!"]);
        assert_eq!(told("choose c {1} (fail 3)"), ["(fail 3)"]);
    }

    #[test]
    fn what_gives_a_computation_does_not() {
        assert!(told("choose c {abort!} {fail 2}").is_empty());
        assert!(told("choose c ask! {2}").is_empty());
        assert!(told("choose c (pick {1} {2}) {2}").is_empty());
        assert!(told("abort! + fail 2").is_empty());
    }
}
