//! Entries that need what nobody handles: they can be run, and fail at the first command.

use frank_syntax::ast::{ItemKind, Symbol};
use frank_syntax::outline::OutlineKind;

use super::is_private;
use crate::builtin::answered;
use crate::db::{Db, ItemSource, Origin, SourceFile, item};
use crate::declarations::sound_signature;
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::entries::{is_entry, may_be_entry};
use crate::link::unanswered;
use crate::program::{Definition, InterfaceDef, OperatorDef, operator_items};
use crate::report::catalogue::{catalogues, in_sight, users};
use crate::report::places::result_ability;
use crate::report::words::{count, listed};

/// So many handlers at most are named.
const MOST: usize = 3;

/// The entries of a root file whose ability has more than the host answers.
#[salsa::tracked]
pub fn unhandled_entries(db: &dyn Db, root: SourceFile) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if root.origin(db) != Origin::Workspace {
        return found;
    }
    for entry in root.outline(db) {
        let (OutlineKind::Signature, Some(name)) = (entry.kind, entry.name) else {
            continue;
        };
        // What is cheap to tell is asked first: this goes through all items after each edit of a name.
        if !may_be_entry(name) {
            continue;
        }
        let Some(signature) = sound_signature(db, root, name) else {
            continue;
        };
        if let Some(told) = with_arguments(db, root, name, entry.item) {
            found.push(told);
            continue;
        }
        let row = signature.types.row(signature.computation.ability);
        let beyond = unanswered(db, row);
        let items = operator_items(db, root, name);
        let is_first = items.signatures.first() == Some(&entry.item);
        // Examples in a comment are run on their own.
        let has_example = (entry.item.text(db).lines()).any(|line| line.starts_with("-- >"));
        let is_told = is_first && !items.clauses.is_empty() && !has_example && !is_private(name);
        if beyond.is_empty() || !is_told || !is_entry(db, root, name) {
            continue;
        }
        let operator = OperatorDef(Definition { scope: root, name });
        if let Some((place, node)) = result_ability(db, operator) {
            let at = Location::node(place, node);
            let mut problem = finding(db, at, operator, &beyond);
            problem.rests_on = vec![operator];
            found.push(problem);
        }
    }
    found
}

/// The finding about an entry that takes arguments, which nobody gives it.
fn with_arguments(
    db: &dyn Db,
    root: SourceFile,
    name: Symbol,
    source: ItemSource,
) -> Option<Diagnostic> {
    let items = operator_items(db, root, name);
    let is_told = items.signatures.first() == Some(&source) && !items.clauses.is_empty();
    let is_unused = || users(db, root, name).iter().all(|user| *user == name);
    let ItemKind::Signature { ty, .. } = &item(db, source).kind else {
        return None;
    };
    let first = ty.ports.first()?;
    if !is_told || is_private(name) || !is_unused() {
        return None;
    }
    let at = Location::node(source, first.id);
    let message = format!(
        "`{name}` takes {}, and whoever runs a program gives none",
        count(ty.ports.len(), "arguments")
    );
    let problem = Diagnostic::new(Code::UnhandledEntry, at, message);
    let mut problem = problem.help(format!(
        "what is run takes nothing: `{name} : [Console]Unit`, and below it `{name}! = …`"
    ));
    problem.rests_on = vec![OperatorDef(Definition { scope: root, name })];
    Some(problem)
}

fn finding(
    db: &dyn Db,
    at: Location,
    operator: OperatorDef,
    beyond: &[InterfaceDef],
) -> Diagnostic {
    let (scope, name) = (operator.0.scope, operator.0.name);
    let names: Vec<String> = beyond
        .iter()
        .map(|one| format!("`{}`", one.0.name))
        .collect();
    let all = listed(&names, MOST);
    let answered_once = answered(db);
    let message = match beyond.iter().all(|one| answered_once.contains(one)) {
        true => format!(
            "`{name}` can be run, but has more than one {all}: a command that reaches another than the \
             last ends the run"
        ),
        false => format!(
            "`{name}` can be run, but nobody handles {all}: the first of its commands ends the run"
        ),
    };
    let mut problem = Diagnostic::new(Code::UnhandledEntry, at, message)
        .help(
            "a program's surroundings answer one each of `Console`, `RefState` and `Picture`, and of `File`, `Input`, \
             `Args` and `Clock`, and nothing else",
        );
    for interface in beyond {
        let mut handlers: Vec<String> = Vec::new();
        for catalogue in catalogues(db, scope) {
            for (handled, handler, _) in &catalogue.handlers {
                let shown = format!("`{}`", handler.0.name);
                if handled == interface
                    && *handler != operator
                    && in_sight(db, scope, *handler)
                    && !handlers.contains(&shown)
                {
                    handlers.push(shown);
                }
            }
        }
        let interface = interface.0.name;
        problem = problem.help(match &handlers[..] {
            [] => format!(
                "handle `{interface}` in `{name}`, by an operator with a port `<{interface} …>`"
            ),
            [_] => format!(
                "handle it in `{name}`: {} handles `{interface}`",
                listed(&handlers, MOST)
            ),
            _ => format!(
                "handle it in `{name}`: {} handle `{interface}`",
                listed(&handlers, MOST)
            ),
        });
    }
    problem
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    const ASK: &str =
        "interface Ask = ask : Int\n\nrun : <Ask>X -> X\nrun x = x\nrun <ask -> k> = run (k 1)\n\n";

    fn told(program: &str) -> Vec<String> {
        found(Code::UnhandledEntry, &format!("{ASK}{program}"))
    }

    #[test]
    fn what_nobody_handles_in_an_entry_is_told() {
        assert_eq!(told("main : [Ask]Int\nmain! = ask!\n"), ["[Ask]"]);
        assert_eq!(
            told("main : [Console, Console]Unit\nmain! = ouch 'a'\n"),
            ["[Console, Console]"]
        );
    }

    #[test]
    fn what_somebody_may_handle_is_not() {
        let quiet = [
            // The host answers.
            "main : [Console, RefState]Unit\nmain! = ouch 'a'\n",
            // A helper that runs under a handler.
            "helper : [Ask]Int\nhelper! = ask!\n\nmain : {Int}\nmain! = run helper!\n",
            // A helper that waits for its use.
            "helper : [Ask]Int\nhelper! = ask!\n\nmain : {Int}\nmain! = 1\n",
            // A file for others.
            "helper : [Ask]Int\nhelper! = ask!\n",
            // What has errors is told of those.
            "main : [Ask]Int\nmain! = ask! + \"a\"\n",
        ];
        for program in quiet {
            assert!(told(program).is_empty(), "{program}");
        }
    }
}
