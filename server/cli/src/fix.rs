//! Applies the fixes that are safe (`frank check --fix`), or shows them (`--diff`).

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use frank_analysis::db::SourceFile;

use crate::Outcome;
use crate::args::{CheckArgs, Color};
use crate::diff;
use crate::findings;
use crate::output::{self, complain, count};
use crate::parallel::Progress;
use crate::project::Project;
use crate::verdict::{check, verdict};

/// Applies the safe fixes, then reports what is left; or shows what it would change.
pub fn run(project: &mut Project, args: &CheckArgs, color: Color) -> io::Result<Outcome> {
    let mut progress = Progress::new(false, "checking");
    let before = findings::check(project, &project.all(), &mut progress);
    let files: Vec<SourceFile> = project.all();
    let (config, unreadable) = (&project.config.config, &project.unreadable);
    let old: BTreeMap<String, String> = files
        .iter()
        .map(|file| {
            let path = file.path(project.files.db()).to_owned();
            (path, project.files.text(*file))
        })
        .collect();
    let fixed = frank_ide::apply_safe_fixes(
        &mut project.files,
        |all| findings::diagnostics(all, config, unreadable, &files, &mut progress),
        |path| old.contains_key(path),
    );
    let changed: Vec<(&String, &String, String)> = old
        .iter()
        .map(|(path, old)| (path, old, text(project, path)))
        .filter(|(_, old, new)| *old != new)
        .collect();
    if args.diff {
        let reader = diff::Reader::of_stdout(color);
        let mut out = output::stdout();
        for (path, old, new) in &changed {
            diff::write(&mut out, project.names.relative(path), old, new, reader)?;
        }
        out.flush()?;
        return Ok(verdict(project, args, before));
    }
    let mut written = true;
    for (path, _, new) in &changed {
        if let Err(error) = fs::write(Path::new(path), new) {
            complain(format_args!("{}: {error}", project.names.visible(path)));
            written = false;
        }
    }
    if fixed > 0 {
        let (findings, files) = (count(fixed, "finding"), count(changed.len(), "file"));
        complain(format_args!("fixed {findings} in {files}"));
    }
    let outcome = check(project, args, color, &mut output::stdout())?;
    Ok(if written || outcome != Outcome::Success {
        outcome
    } else {
        Outcome::Unusable
    })
}

fn text(project: &Project, path: &str) -> String {
    project
        .files
        .file(path)
        .map(|file| project.files.text(file))
        .unwrap_or_default()
}
