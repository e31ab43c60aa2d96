//! `frank dap`: the debugger.

use std::io;
use std::path::{Path, PathBuf};

use frank_analysis::check::{inference, term_inference};
use frank_analysis::db::SourceFile;
use frank_analysis::entries::MAIN;
use frank_analysis::infer::Inference;
use frank_analysis::link::{
    EntryPoint, Linked, TERM_PATH, link_with_origins, local_types, local_types_of_term, unanswered,
};
use frank_analysis::program::OperatorDef;
use frank_analysis::snapshot::Snapshot;
use frank_core::{OperatorId, Program};
use frank_dap::{Launch, Loaded, Programs, Source};
use frank_syntax::visible::visible;
use la_arena::ArenaMap;

use crate::Outcome;
use crate::args::{DapArgs, ProjectArgs};
use crate::commands::run::{Choosing, entry};
use crate::execute::{self, term_errors};
use crate::findings::Findings;
use crate::output::visible_path;
use crate::project::Project;
use crate::report::human;

/// How an operator is chosen in a configuration.
const BY_LAUNCH: Choosing = Choosing {
    other: |name| format!("\"entry\": \"{name}\""),
    call: "`\"term\"` takes a call of it with some",
};

/// Serves until the client leaves.
pub fn run(args: &DapArgs) -> io::Result<Outcome> {
    let mut debugged = Debugged {
        args: args.project.clone(),
        opened: None,
    };
    frank_dap::serve(io::stdin(), io::stdout(), &mut debugged)?;
    Ok(Outcome::Success)
}

/// The programs of a session.
struct Debugged {
    args: ProjectArgs,
    opened: Option<Opened>,
}

/// A project with what is run of it.
struct Opened {
    project: Project,
    scope: SourceFile,
    point: EntryPoint,
    operators: ArenaMap<OperatorId, OperatorDef>,
}

/// Findings as they are printed for people.
fn text_of(findings: &Findings) -> String {
    let mut out = Vec::new();
    // Nothing fails that writes to memory.
    let _ = human::write(&mut out, findings, false);
    String::from_utf8_lossy(&out).trim_end().to_owned()
}

/// The project of a file, without errors.
fn open(launch: &Launch, args: &ProjectArgs) -> Result<(Project, SourceFile), String> {
    let path = &launch.program;
    if path.as_os_str().is_empty() {
        return Err("`program` has to name the file that is run".to_owned());
    }
    if path.is_dir() {
        return Err(format!(
            "{}: this is a directory, and a run needs a file",
            visible_path(path)
        ));
    }
    let mut args = args.clone();
    args.include.extend(launch.include.iter().cloned());
    let project = Project::open(std::slice::from_ref(path), &args);
    let serious = project.problems.iter().filter(|problem| problem.serious);
    let serious: Vec<String> = serious
        .map(|problem| problem.text(&project.names))
        .collect();
    if !serious.is_empty() {
        return Err(serious.join("\n"));
    }
    let asked = project.asked();
    let scope = asked
        .first()
        .ok_or_else(|| format!("{}: this is no Frank file", visible_path(path)))?;
    let errors = execute::errors(&project);
    if !errors.findings.is_empty() {
        return Err(text_of(&errors));
    }
    Ok((project, *scope))
}

/// What a run needs and nobody answers.
fn unhandled(snapshot: &Snapshot, what: &str, inference: &Inference) -> Option<String> {
    let computation = inference.computation.as_ref()?;
    let missing = unanswered(snapshot.db(), &inference.table.row(computation.ability));
    let names: Vec<String> = missing
        .iter()
        .map(|interface| format!("`{}`", interface.0.name))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "warning: {what} needs {}, which nobody handles here",
            names.join(", ")
        )
    })
}

/// The texts of a program's files.
fn sources(project: &Project, program: &Program, term: Option<&str>) -> Vec<Source> {
    let files = program.files.values();
    files
        .map(|file| {
            let found = project.files.file(&file.path);
            let library = project.files.library_file(&file.path);
            let name = Path::new(&file.path).file_name();
            let name = name.map_or_else(
                || file.path.clone(),
                |name| name.to_string_lossy().into_owned(),
            );
            if file.path == TERM_PATH {
                let text = term.unwrap_or_default().to_owned();
                return Source {
                    name,
                    path: None,
                    text,
                };
            }
            let is_own = !file.library && found.is_some();
            Source {
                name,
                path: is_own.then(|| PathBuf::from(&file.path)),
                text: found
                    .or(library)
                    .map_or_else(String::new, |file| project.files.text(file)),
            }
        })
        .collect()
}

impl Programs for Debugged {
    fn load(&mut self, launch: &Launch) -> Result<Loaded, String> {
        let (mut project, scope) = open(launch, &self.args)?;
        if launch.term.is_some() && launch.entry.is_some() {
            return Err("`entry` and `term` exclude each other".to_owned());
        }
        let term = launch
            .term
            .as_ref()
            .map(|text| project.files.term(scope, text));
        let snapshot = project.files.snapshot();
        let db = snapshot.db();
        let (point, warning) = match term {
            Some(source) => {
                let errors = term_errors(&snapshot, scope, source);
                if !errors.is_empty() {
                    let found = Findings::of(&snapshot, &project.names, errors);
                    return Err(text_of(&found));
                }
                let warning = unhandled(&snapshot, "the term", term_inference(db, scope, source));
                (EntryPoint::Term { scope, source }, warning)
            }
            None => {
                let name = launch.entry.as_deref().unwrap_or(MAIN);
                let operator = entry(&snapshot, scope, name, &BY_LAUNCH)?;
                let inference = inference(db, operator.0.scope, operator.0.name);
                let what = format!("`{}`", visible(name));
                let warning = inference
                    .as_ref()
                    .and_then(|inference| unhandled(&snapshot, &what, inference));
                (EntryPoint::Operator(operator), warning)
            }
        };
        let linked = link_with_origins(db, &[point]).map_err(|error| error.to_string())?;
        let Linked { program, operators } = linked;
        drop(snapshot);
        let sources = sources(&project, &program, launch.term.as_deref());
        self.opened = Some(Opened {
            project,
            scope,
            point,
            operators,
        });
        Ok(Loaded {
            program,
            sources,
            warnings: warning.into_iter().collect(),
        })
    }

    fn extended(&mut self, term: &str) -> Result<Program, String> {
        let Some(opened) = &mut self.opened else {
            return Err("no program is being run".to_owned());
        };
        let scope = opened.scope;
        let source = opened.project.files.term(scope, term);
        let snapshot = opened.project.files.snapshot();
        let errors = term_errors(&snapshot, scope, source);
        if let Some(error) = errors.first() {
            return Err(visible(&error.message).into_owned());
        }
        let points = [opened.point, EntryPoint::Term { scope, source }];
        let linked =
            link_with_origins(snapshot.db(), &points).map_err(|error| error.to_string())?;
        Ok(linked.program)
    }

    fn types(&mut self, operator: Option<OperatorId>) -> Vec<String> {
        let Some(opened) = &self.opened else {
            return Vec::new();
        };
        let snapshot = opened.project.files.snapshot();
        let db = snapshot.db();
        match (operator, opened.point) {
            (Some(id), _) => {
                let def = opened.operators.get(id);
                def.map_or_else(Vec::new, |def| local_types(db, *def))
            }
            (None, EntryPoint::Term { scope, source }) => local_types_of_term(db, scope, source),
            (None, EntryPoint::Operator(_)) => Vec::new(),
        }
    }
}
