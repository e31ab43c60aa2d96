//! `frank build`: makes an executable of a program.

use std::env::consts::EXE_SUFFIX;
use std::io::{self, Read};
use std::path::PathBuf;

use frank_analysis::check::inference;
use frank_analysis::inferred;
use frank_analysis::link::{EntryPoint, unanswered};
use frank_analysis::program::OperatorDef;
use frank_analysis::snapshot::Snapshot;
use frank_core::{Program, Term};
use frank_interpreter::{RunError, RunErrorKind, write_image};
use frank_workspace::disk::System;
use frank_workspace::paths::program_name;
use frank_workspace::write::write_program;

use crate::Outcome;
use crate::args::{BuildArgs, Color};
use crate::commands::run::{Choosing, by_option, entry, open};
use crate::environment;
use crate::executable::contents::{self, Bounds, Contents, Text};
use crate::executable::seal::{Sealed, own_file};
use crate::execute::{self, Sources, limits};
use crate::output::{colored, complain, stderr, visible_path};
use crate::project::{Project, is_stdin};
use crate::targets::refusal;

/// How an operator is chosen with which an executable begins.
const BY_OPTION: Choosing = Choosing {
    other: by_option,
    call: "an executable begins with an operator that takes none, such as `main : {Int}`, which may call it",
};

/// Checks a file, then writes an executable that does what a run of it does.
pub fn run(args: &BuildArgs, color: Color) -> io::Result<Outcome> {
    let Some(output) = output(args) else {
        complain(format_args!(
            "a program from standard input has no name: `--output PATH` says what to call the executable"
        ));
        return Ok(Outcome::Unusable);
    };
    let mut granted = args.grants.read.iter().chain(&args.grants.write);
    if let Some(path) = granted.find(|path| path.to_str().is_none()) {
        return Ok(unusable(&format!(
            "{}: an executable can be granted what has a path in UTF-8; a directory above it may have one",
            visible_path(path)
        )));
    }
    let Some((project, scope)) = open(&args.file, &args.project) else {
        return Ok(Outcome::Unusable);
    };
    // An executable with a hole in it would be of no use.
    let errors = execute::errors_and_holes(&project);
    if let Err(outcome) = execute::check_for(&project, &errors, color)? {
        return Ok(outcome);
    }
    let snapshot = project.files.snapshot();
    let operator = match entry(&snapshot, scope, &args.entry, &BY_OPTION) {
        Ok(operator) => operator,
        Err(reason) => return Ok(unusable(&reason)),
    };
    let entries = [EntryPoint::Operator(operator)];
    let specialise = environment::specialise(args.no_specialise);
    let prepared = match execute::prepare_with(&snapshot, &entries, specialise) {
        Ok(prepared) => prepared,
        Err(reason) => {
            complain(format_args!("{reason}"));
            return Ok(Outcome::Findings);
        }
    };
    if refuse_holes(&project, prepared.program(), color)? {
        return Ok(Outcome::Findings);
    }
    if let Some(reason) = refusal(&project, &output, "the executable") {
        return Ok(unusable(&reason));
    }
    let mut program = prepared.program().clone();
    let texts = contents::detach(&mut program, &project);
    let contents = contents(args, &project, &snapshot, operator, texts);
    let image = write_image(&program, prepared.code()).map_err(|error| error.to_string());
    let bytes = image.and_then(|image| contents::write(&contents, &image));
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(reason) => return Ok(unusable(&format!("the program cannot be kept: {reason}"))),
    };
    let mut frank = Vec::new();
    if let Err(error) = own_file().and_then(|mut file| file.read_to_end(&mut frank)) {
        let reason = format!(
            "an executable is a copy of `frank`, which cannot read its own file: {error}; who builds has \
             to be allowed to read it"
        );
        return Ok(unusable(&reason));
    }
    let Some(sealed) = Sealed::new(&frank, &bytes) else {
        let reason = "an executable is a copy of `frank`, and this one was changed by who packed or \
                      installed it, so that no copy of it could find the program";
        return Ok(unusable(reason));
    };
    if let Err(error) = write_program(&System, &output, &sealed.parts()) {
        return Ok(unusable(&format!("{}: {error}", visible_path(&output))));
    }
    if let Some(inference) = inference(snapshot.db(), operator.0.scope, operator.0.name) {
        execute::warn_about_unhandled(&snapshot, &format!("`{}`", args.entry), inference);
    }
    Ok(Outcome::Success)
}

/// Whether a program has holes, which settings and comments may have kept from being told. Shows them then, as a run
/// that comes to one does.
fn refuse_holes(project: &Project, program: &Program, color: Color) -> io::Result<bool> {
    let holes = program.terms.iter().filter_map(|(term, kind)| match kind {
        Term::Hole { message, .. } => Some((message, program.places.get(term).copied())),
        _ => None,
    });
    let mut sources = Sources {
        texts: project,
        term: None,
        sources: Vec::new(),
    };
    let colored = colored(color, &io::stderr());
    let mut any = false;
    for (message, place) in holes {
        let error = RunError::new(RunErrorKind::Hole, message.clone(), place);
        sources.write_error(&mut stderr(), program, &error, colored)?;
        any = true;
    }
    Ok(any)
}

fn unusable(reason: &str) -> Outcome {
    complain(format_args!("{reason}"));
    Outcome::Unusable
}

/// Where the executable goes. Nothing if neither the user nor the file's name says so.
fn output(args: &BuildArgs) -> Option<PathBuf> {
    if let Some(output) = &args.output {
        return Some(output.clone());
    }
    if is_stdin(&args.file) {
        return None;
    }
    let mut name = program_name(&args.file)?.to_owned();
    name.push(EXE_SUFFIX);
    Some(PathBuf::from(name))
}

fn contents(
    args: &BuildArgs,
    project: &Project,
    snapshot: &Snapshot,
    operator: OperatorDef,
    texts: Vec<Text>,
) -> Contents {
    let (ty, abilities) = signature(snapshot, operator);
    let named = project.asked().first().map(|file| {
        let path = file.path(snapshot.db());
        project.names.show(path)
    });
    Contents {
        file: named.unwrap_or_default(),
        entry: args.entry.clone(),
        ty,
        abilities,
        read: args.grants.read.clone(),
        write: args.grants.write.clone(),
        limits: Bounds::of(&limits(&args.limits, &project.config.config.limits)),
        texts,
    }
}

/// An operator's type, and the interfaces that it needs and the host answers.
fn signature(snapshot: &Snapshot, operator: OperatorDef) -> (String, Vec<String>) {
    let db = snapshot.db();
    let found = inference(db, operator.0.scope, operator.0.name).as_ref();
    let Some((found, computation)) = found.and_then(|one| Some((one, one.computation.as_ref()?)))
    else {
        return (String::new(), Vec::new());
    };
    let ty = inferred::shown(db, operator.0.scope, found).unwrap_or_default();
    let row = found.table.row(computation.ability);
    let mut beyond = unanswered(db, &row);
    let mut granted = Vec::new();
    for instance in row.instances.iter() {
        match beyond.iter().position(|one| *one == instance.interface) {
            Some(at) => {
                beyond.swap_remove(at);
            }
            None => granted.push(instance.interface.0.name.to_string()),
        }
    }
    let ty = ty.strip_prefix("[]").unwrap_or(&ty);
    (format!("{{{ty}}}"), granted)
}
