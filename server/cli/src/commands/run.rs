//! `frank run`: runs a program.

use std::io;

use frank_analysis::check::inference;
use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::similar_name;
use frank_analysis::link::EntryPoint;
use frank_analysis::program::{OperatorDef, TermDef, resolve_term, scope_index};
use frank_analysis::snapshot::Snapshot;
use frank_syntax::ast::Symbol;
use frank_syntax::visible::visible;

use crate::Outcome;
use crate::args::{Color, RunArgs};
use crate::execute::{self, Interrupt, Session, limits};
use crate::output::{complain, visible_path};
use crate::project::Project;

/// Checks a file, then runs its entry.
pub fn run(args: &RunArgs, color: Color) -> io::Result<Outcome> {
    let Some((project, scope)) = open(&args.file, &args.project) else {
        return Ok(Outcome::Unusable);
    };
    if let Err(outcome) = execute::check(&project, color)? {
        return Ok(outcome);
    }
    let snapshot = project.files.snapshot();
    let Some(operator) = entry(&snapshot, scope, &args.entry) else {
        return Ok(Outcome::Unusable);
    };
    if let Some(inference) = inference(snapshot.db(), operator.0.scope, operator.0.name) {
        execute::warn_about_unhandled(&snapshot, &format!("`{}`", args.entry), inference);
    }
    let session = Session {
        project: &project,
        interrupt: &Interrupt::listen(),
        limits: limits(&args.limits, &project.config.config.limits),
        stats: args.stats,
        color,
    };
    session.run_entry(&snapshot, EntryPoint::Operator(operator), None)
}

/// The project of a single file, and that file. Says what is wrong if there is none.
pub fn open(
    file: &std::path::Path,
    args: &crate::args::ProjectArgs,
) -> Option<(Project, SourceFile)> {
    if file.is_dir() {
        complain(format_args!(
            "{}: this is a directory, and a run needs a file",
            visible_path(file)
        ));
        return None;
    }
    let project = Project::open(&[file.to_owned()], args);
    let asked = project.asked();
    match asked.first() {
        Some(scope) => Some((project, *scope)),
        None => {
            project.report_problems();
            None
        }
    }
}

/// The operator to run. Says what is wrong if there is none.
fn entry(snapshot: &Snapshot, scope: SourceFile, name: &str) -> Option<OperatorDef> {
    let db = snapshot.db();
    let (symbol, name) = (Symbol::new(name), &*visible(name));
    match resolve_term(db, scope, symbol) {
        Some(TermDef::Operator(operator)) => {
            let inference = inference(db, operator.0.scope, operator.0.name);
            let ports = inference
                .as_ref()
                .and_then(|inference| Some(inference.computation.as_ref()?.ports.len()));
            if ports.is_none_or(|ports| ports == 0) {
                return Some(operator);
            }
            complain(format_args!(
                "`{name}` cannot be run: it takes arguments; try `frank eval`"
            ));
            None
        }
        Some(_) => {
            complain(format_args!("`{name}` is no operator, so it cannot be run"));
            None
        }
        None => {
            let index = scope_index(db, scope);
            let operators: Vec<&str> = index.operators().map(|(name, _)| name.as_str()).collect();
            let similar = similar_name(name, operators.iter().copied());
            let advice = match similar {
                Some(similar) => format!("; did you mean `--entry {similar}`?"),
                None => "; `--entry NAME` runs another one".to_owned(),
            };
            complain(format_args!("there is no operator `{name}` to run{advice}"));
            None
        }
    }
}
