//! Applies the fixes that are safe (`frank check --fix`), or shows them (`--diff`).

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use frank_analysis::db::SourceFile;
use frank_ide::Applied;
use frank_workspace::disk::System;
use frank_workspace::read::read_source;
use frank_workspace::write::{remove_drafts, replace};

use crate::Outcome;
use crate::args::{CheckArgs, Color};
use crate::diff;
use crate::findings;
use crate::output::{self, complain, count};
use crate::parallel::Progress;
use crate::project::{Problem, Project};
use crate::verdict::{check, verdict};

/// Texts of files, by what analysis knows the files as.
type Texts = BTreeMap<String, String>;

/// Applies the safe fixes, then reports what is left; or shows what it would change.
pub fn run(project: &mut Project, args: &CheckArgs, color: Color) -> io::Result<Outcome> {
    let mut progress = Progress::new(false, "checking");
    let before = findings::check(project, &project.all(), &mut progress);
    let old = texts(project);
    let (outside, refused) = refused(project, args, &old, &mut progress);
    let Applied { fixed, left } = fix(project, &old, &mut progress, |path| !outside.contains(path));
    let new = texts(project);
    let changed: Vec<(&String, &String, &String)> = old
        .iter()
        .filter_map(|(path, old)| Some((path, old, new.get(path)?)))
        .filter(|(_, old, new)| old != new)
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
    remove_drafts(&System, &project.drafts);
    let mut unwritten = refused;
    let mut written = 0;
    for (path, old, new) in &changed {
        match replace(&System, Path::new(path), old, new) {
            Ok(()) => written += 1,
            Err(error) => {
                // What counts is what the file has now.
                if let Ok(now) = read_source(Path::new(path)) {
                    project.files.set_text(path, &now);
                }
                unwritten.insert((*path).clone(), error.to_string());
            }
        }
    }
    if written < changed.len() {
        let fixed = count(written, "file");
        complain(format_args!("fixed {fixed} of {}", changed.len()));
    } else if fixed > 0 {
        let (findings, files) = (count(fixed, "finding"), count(written, "file"));
        complain(format_args!("fixed {findings} in {files}"));
    }
    if left > 0 {
        let (findings, whose) = match left {
            1 => ("one finding".to_owned(), "its fix"),
            left => (count(left, "finding"), "their fixes"),
        };
        complain(format_args!("left {findings}: {whose} would bring others"));
    }
    let unwritten = unwritten.into_iter();
    let unwritten = unwritten.map(|(path, why)| Problem::new(path, why));
    project.problems.extend(unwritten);
    check(project, args, color, &mut output::stdout())
}

/// Applies the safe fixes in the files that may be changed, in memory.
fn fix(
    project: &mut Project,
    old: &Texts,
    progress: &mut Progress,
    may_change: impl Fn(&str) -> bool,
) -> Applied {
    let files: Vec<SourceFile> = project.all();
    let (config, unreadable) = (&project.config.config, &project.unreadable);
    frank_ide::apply_safe_fixes(
        &mut project.files,
        |all| findings::diagnostics(all, config, unreadable, &files, progress),
        |path| old.contains_key(path) && may_change(path),
    )
}

/// The files that are not to be changed; and those that safe fixes would change, with the reasons.
fn refused(
    project: &mut Project,
    args: &CheckArgs,
    old: &Texts,
    progress: &mut Progress,
) -> (BTreeSet<String>, Texts) {
    let mut writable = project.writable();
    if let Some(directory) = &args.fix_below {
        writable = writable.only_below(directory);
    }
    let outside = old
        .keys()
        .filter_map(|path| Some((path.clone(), writable.outside(Path::new(path))?)));
    let outside: BTreeMap<String, PathBuf> = outside.collect();
    let mut refused = Texts::new();
    if !outside.is_empty() {
        fix(project, old, progress, |path| outside.contains_key(path));
        let new = texts(project);
        for (path, real) in &outside {
            let Some(text) = old.get(path).filter(|text| new.get(path) != Some(text)) else {
                continue;
            };
            project.files.set_text(path, text);
            let real = output::visible_path(real);
            let reason = match args.fix_below {
                Some(_) => format!("not fixed: outside of what may be changed, at {real}"),
                None => format!(
                    "not fixed: outside of the project, at {real}; name it to have it fixed"
                ),
            };
            refused.insert(path.clone(), reason);
        }
    }
    (outside.into_keys().collect(), refused)
}

/// The texts of all files.
fn texts(project: &Project) -> Texts {
    let files = project.all().into_iter().map(|file| {
        let path = file.path(project.files.db()).to_owned();
        (path, project.files.text(file))
    });
    files.collect()
}
