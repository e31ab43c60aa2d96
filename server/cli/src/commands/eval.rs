//! `frank eval`: evaluates a term.

use std::io;
use std::path::Path;

use frank_analysis::db::SourceFile;

use crate::Outcome;
use crate::args::{Color, EvalArgs, ProjectArgs};
use crate::commands::run::open;
use crate::execute::{self, Interrupt, Session, limits};
use crate::gallery::Gallery;
use crate::output::complain;
use crate::project::Project;

/// What stands for the file of a term that is evaluated without one. Nothing is beside it.
const PRELUDE_KEY: &str = "prelude:/scope.fk";
const PRELUDE_SCOPE: &str = "include prelude\n";

/// Checks a term in the scope of a file, then runs it.
pub fn run(args: &EvalArgs, color: Color) -> io::Result<Outcome> {
    let (file, text) = match &args.words[..] {
        [file, term] => (Some(Path::new(file)), term),
        [term] => (None, term),
        _ => return Ok(Outcome::Unusable),
    };
    let gallery = match Gallery::new(&args.pictures, color) {
        Ok(gallery) => gallery,
        Err(reason) => {
            complain(format_args!("{reason}"));
            return Ok(Outcome::Unusable);
        }
    };
    let opened = match file {
        Some(file) => open(file, &args.project),
        None => Some(with_prelude(&args.project)),
    };
    let Some((mut project, scope)) = opened else {
        return Ok(Outcome::Unusable);
    };
    if file.is_some()
        && let Err(outcome) = execute::check(&project, color)?
    {
        return Ok(outcome);
    }
    let term = project.files.term(scope, text);
    let snapshot = project.files.snapshot();
    let session = Session {
        texts: &project,
        interrupt: &Interrupt::listen(),
        limits: limits(&args.limits, &project.config.config.limits),
        gallery: &gallery,
        granted: None,
        stats: args.stats,
        color,
    };
    session.run_term(&project.names, &snapshot, scope, term, None)
}

/// A project with no files of the user's, and a scope in which the prelude is known.
pub fn with_prelude(args: &ProjectArgs) -> (Project, SourceFile) {
    let mut project = Project::empty(args);
    let scope = project.files.set_text(PRELUDE_KEY, PRELUDE_SCOPE);
    (project, scope)
}
