//! Applies the fixes that are certain (`frank check --fix`).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use frank_analysis::diagnostics::Severity;

use crate::Outcome;
use crate::args::{CheckArgs, Color};
use crate::commands::check;
use crate::diff;
use crate::findings::{self, Findings};
use crate::output::{colored, complain, count};
use crate::parallel::Progress;
use crate::project::Project;

/// A fix can bring another one to light; after so many times they only chase each other.
const ROUNDS: usize = 20;

/// Replacements in the files of a project, by the names that analysis knows them under.
type Edits = BTreeMap<String, Vec<(Range<usize>, String)>>;

/// Fixes what is certain, then reports what is left; or shows what it would do.
pub fn run(project: &mut Project, args: &CheckArgs, color: Color) -> io::Result<Outcome> {
    let mut originals: BTreeMap<String, String> = BTreeMap::new();
    let mut current = check_all(project);
    let before = check::outcome(&current, false, false);
    let mut fixed = 0;
    for _ in 0..ROUNDS {
        let fixes = certain_fixes(project, &current);
        if let Some(next) = apply(project, &fixes, &current, &mut originals) {
            fixed += fixes.len();
            current = next;
            continue;
        }
        // One of them does not do what it promises, or disturbs another.
        let single = |fix| apply(project, std::slice::from_ref(fix), &current, &mut originals);
        let Some(next) = fixes.iter().find_map(single) else {
            break;
        };
        fixed += 1;
        current = next;
    }
    originals.retain(|key, old| text(project, key) != *old);
    if args.diff {
        let stdout = io::stdout();
        let colored = colored(color, &stdout);
        let mut out = stdout.lock();
        for (key, old) in &originals {
            diff::write(
                &mut out,
                project.names.relative(key),
                old,
                &text(project, key),
                colored,
            )?;
        }
        let unusable = project.report_problems();
        return Ok(if unusable {
            before.max(Outcome::Findings)
        } else {
            before
        });
    }
    let mut written = true;
    for key in originals.keys() {
        if let Err(error) = fs::write(Path::new(key), text(project, key)) {
            complain(format_args!("{}: {error}", project.names.show(key)));
            written = false;
        }
    }
    if fixed > 0 {
        let (findings, files) = (count(fixed, "finding"), count(originals.len(), "file"));
        complain(format_args!("fixed {findings} in {files}"));
    }
    let outcome = check::check(project, args, color)?;
    Ok(if written || outcome != Outcome::Success {
        outcome
    } else {
        Outcome::Unusable
    })
}

fn check_all(project: &Project) -> Findings {
    findings::check_with_cures(
        project,
        &project.all(),
        &mut Progress::new(false, "checking"),
    )
}

fn text(project: &Project, key: &str) -> String {
    project
        .files
        .file(key)
        .map(|file| project.files.text(file))
        .unwrap_or_default()
}

/// The fixes that are certain and do not touch each other.
fn certain_fixes(project: &Project, findings: &Findings) -> Vec<Edits> {
    let mut taken: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
    let mut chosen = Vec::new();
    for finding in &findings.findings {
        let Some(fix) = finding.fixes.iter().find(|fix| fix.certain) else {
            continue;
        };
        let mut edits = Edits::new();
        for (place, text) in &fix.edits {
            let key = findings.source(place).key.clone();
            edits
                .entry(key)
                .or_default()
                .push((place.start..place.end, text.clone()));
        }
        let free = edits.iter().all(|(key, edits)| {
            let taken = taken.get(key.as_str()).map_or(&[][..], Vec::as_slice);
            project.files.file(key).is_some()
                && edits.iter().all(|(new, _)| {
                    taken
                        .iter()
                        .all(|old| new.end < old.start || old.end < new.start)
                })
        });
        if free {
            for (place, _) in &fix.edits {
                let key = findings.source(place).key.as_str();
                taken.entry(key).or_default().push(place.start..place.end);
            }
            chosen.push(edits);
        }
    }
    chosen
}

/// Applies fixes and checks again. Gives what is found then, or takes everything back if not each
/// of them has mended something, or there are more errors than before.
fn apply(
    project: &mut Project,
    fixes: &[Edits],
    before: &Findings,
    originals: &mut BTreeMap<String, String>,
) -> Option<Findings> {
    if fixes.is_empty() {
        return None;
    }
    let mut edits = Edits::new();
    for (key, new) in fixes.iter().flatten() {
        edits
            .entry(key.clone())
            .or_default()
            .extend(new.iter().cloned());
    }
    let mut old: BTreeMap<&str, String> = BTreeMap::new();
    for (key, edits) in &mut edits {
        let mut new = text(project, key);
        old.insert(key, new.clone());
        edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        for (range, replacement) in edits {
            new.replace_range(range.clone(), replacement);
        }
        project.files.set_text(key, &new);
    }
    let after = check_all(project);
    let better = after.findings.len() + fixes.len() <= before.findings.len()
        && after.count(Severity::Error) <= before.count(Severity::Error);
    for (key, old) in old {
        if better {
            originals.entry(key.to_owned()).or_insert(old);
        } else {
            project.files.set_text(key, &old);
        }
    }
    better.then_some(after)
}
