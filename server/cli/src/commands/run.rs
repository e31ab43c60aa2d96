//! `frank run`: runs a program.

use std::io;

use frank_analysis::check::{inference, term_inference};
use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::diagnostics::similar_name;
use frank_analysis::entries::MAIN;
use frank_analysis::link::EntryPoint;
use frank_analysis::program::{OperatorDef, TermDef, resolve_term, scope_index};
use frank_analysis::snapshot::Snapshot;
use frank_syntax::ast::Symbol;
use frank_syntax::visible::visible;

use crate::Outcome;
use crate::args::{Color, RunArgs};
use crate::environment::{self, MachineCode};
use crate::execute::{self, Interrupt, Session, limits};
use crate::gallery::Gallery;
use crate::granted::Granted;
use crate::output::{complain, visible_path};
use crate::performance;
use crate::prepared::Prepared;
use crate::project::Project;

/// Checks a file, then runs its entry.
pub fn run(args: &RunArgs, color: Color) -> io::Result<Outcome> {
    let Some((project, scope)) = open(&args.file, &args.project) else {
        return Ok(Outcome::Unusable);
    };
    let granted = Granted::new(&args.grants.read, &args.grants.write, &args.arguments);
    let gallery = match Gallery::new(&args.pictures, color) {
        Ok(gallery) => gallery,
        Err(reason) => {
            complain(format_args!("{reason}"));
            return Ok(Outcome::Unusable);
        }
    };
    let unusable = project.report_problems();
    let errors = execute::errors(&project);
    let is_sound = errors.findings.is_empty() && !unusable;
    let snapshot = project.files.snapshot();
    let terms: Vec<ItemSource> = snapshot.cell_terms(scope).collect();
    if args.entry.is_none() && !terms.is_empty() {
        if is_sound || args.despite_errors {
            return run_terms(&project, scope, &terms, args, (color, &gallery, &granted));
        }
        execute::refuse(&errors, color)?;
        return Ok(match errors.findings.is_empty() {
            true => Outcome::Unusable,
            false => Outcome::Findings,
        });
    }
    let name = args.entry.as_deref().unwrap_or(MAIN);
    let found = entry(&snapshot, scope, name, &BY_OPTION);
    if !is_sound && !args.despite_errors {
        if errors.findings.is_empty() {
            return Ok(Outcome::Unusable);
        }
        execute::refuse(&errors, color)?;
        let reaches_none = |operator| prepared(&snapshot, &[operator], args).is_ok();
        if found.is_ok_and(|operator| reaches_none(EntryPoint::Operator(operator))) {
            let name = visible(name);
            complain(format_args!(
                "`{name}` reaches no error: `--despite-errors` runs it all the same"
            ));
        }
        return Ok(Outcome::Findings);
    }
    let operator = match found {
        Ok(operator) => operator,
        Err(reason) => {
            complain(format_args!("{reason}"));
            return Ok(Outcome::Unusable);
        }
    };
    let prepared = match prepared(&snapshot, &[EntryPoint::Operator(operator)], args) {
        Ok(prepared) => prepared,
        Err(reason) => {
            execute::refuse(&errors, color)?;
            complain(format_args!("{reason}"));
            return Ok(Outcome::Findings);
        }
    };
    if args.explain_performance {
        performance::write(&project, &prepared)?;
        return Ok(Outcome::Success);
    }
    if let Some(inference) = inference(snapshot.db(), operator.0.scope, operator.0.name) {
        execute::warn_about_unhandled(&snapshot, &format!("`{name}`"), inference);
    }
    session(
        &project,
        &Interrupt::listen(),
        args,
        (color, &gallery, &granted),
    )
    .run(&prepared, 0, None, None)
}

/// Runs the terms of a notebook in order, until one fails. One that reaches errors is left out, with the reason.
fn run_terms(
    project: &Project,
    scope: SourceFile,
    terms: &[ItemSource],
    args: &RunArgs,
    around: (Color, &Gallery, &Granted),
) -> io::Result<Outcome> {
    let snapshot = project.files.snapshot();
    let of_term = |source: &ItemSource| EntryPoint::Term {
        scope,
        source: *source,
    };
    if args.explain_performance {
        let all: Vec<EntryPoint> = terms.iter().map(of_term).collect();
        match prepared(&snapshot, &all, args) {
            Ok(prepared) => performance::write(project, &prepared)?,
            Err(reason) => {
                complain(format_args!("{reason}"));
                return Ok(Outcome::Findings);
            }
        }
        return Ok(Outcome::Success);
    }
    let interrupt = Interrupt::listen();
    let session = session(project, &interrupt, args, around);
    let mut all = Outcome::Success;
    for term in terms {
        let place = project.place(*term);
        match prepared(&snapshot, &[of_term(term)], args) {
            Ok(prepared) => {
                let what = format!("the term at {place}");
                let inference = term_inference(snapshot.db(), scope, *term);
                execute::warn_about_unhandled(&snapshot, &what, inference);
                let outcome = session.run(&prepared, 0, None, None)?;
                if outcome != Outcome::Success {
                    return Ok(outcome);
                }
            }
            Err(reason) => {
                complain(format_args!("{place}: {reason}"));
                all = Outcome::Findings;
            }
        }
    }
    Ok(all)
}

fn session<'s>(
    project: &'s Project,
    interrupt: &'s Interrupt,
    args: &RunArgs,
    (color, gallery, granted): (Color, &'s Gallery, &'s Granted),
) -> Session<'s> {
    Session {
        texts: project,
        interrupt,
        limits: limits(&args.limits, &project.config.config.limits),
        gallery,
        granted: Some(granted),
        stats: args.stats,
        color,
    }
}

fn prepared(
    snapshot: &Snapshot,
    entries: &[EntryPoint],
    args: &RunArgs,
) -> Result<Prepared, String> {
    let specialise = environment::specialise(args.no_specialise);
    let mut prepared = execute::prepare_with(snapshot, entries, specialise)?;
    if args.no_native {
        prepared.machine_code = MachineCode::Never;
    }
    Ok(prepared)
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

/// How an operator is chosen.
pub struct Choosing {
    /// How another one is named.
    pub other: fn(&str) -> String,
    /// How one is called that takes arguments.
    pub call: &'static str,
}

/// On the command line of `frank run`.
pub const BY_OPTION: Choosing = Choosing {
    other: by_option,
    call: "try `frank eval`",
};

/// How another operator is named on a command line.
pub fn by_option(name: &str) -> String {
    format!("--entry {name}")
}

/// The operator to run, or why there is none.
pub fn entry(
    snapshot: &Snapshot,
    scope: SourceFile,
    name: &str,
    choosing: &Choosing,
) -> Result<OperatorDef, String> {
    let db = snapshot.db();
    let (symbol, name) = (Symbol::new(name), &*visible(name));
    match resolve_term(db, scope, symbol) {
        Some(TermDef::Operator(operator)) => {
            let inference = inference(db, operator.0.scope, operator.0.name);
            let ports = inference
                .as_ref()
                .and_then(|inference| Some(inference.computation.as_ref()?.ports.len()));
            match ports.is_none_or(|ports| ports == 0) {
                true => Ok(operator),
                false => Err(format!(
                    "`{name}` cannot be run: it takes arguments; {}",
                    choosing.call
                )),
            }
        }
        Some(_) => Err(format!("`{name}` is no operator, so it cannot be run")),
        None => {
            let index = scope_index(db, scope);
            let operators: Vec<&str> = index.operators().map(|(name, _)| name.as_str()).collect();
            let similar = similar_name(name, operators.iter().copied());
            let advice = match similar {
                Some(similar) => format!("; did you mean `{}`?", (choosing.other)(similar)),
                None => format!("; `{}` runs another one", (choosing.other)("NAME")),
            };
            Err(format!("there is no operator `{name}` to run{advice}"))
        }
    }
}
