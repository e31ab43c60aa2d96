//! Gathers what analysis finds, with positions in files.

use std::collections::HashMap;
use std::ops::Range;

use frank_analysis::check::{file_diagnostics, work};
use frank_analysis::db::{ItemSource, SourceFile, TextKind};
use frank_analysis::diagnostics::{Code, Diagnostic, Location, Position as EditPosition, Severity};
use frank_analysis::snapshot::Snapshot;
use frank_ide::Analysis;
use frank_workspace::config::Config;
use frank_workspace::suppress::{Suppressions, may_suppress};

use crate::names::Names;
use crate::parallel::{self, Progress};
use crate::project::Project;
use crate::source::Source;

/// A range of bytes of a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// An index into [`Findings::sources`].
    pub source: usize,
    pub start: usize,
    pub end: usize,
}

/// A diagnostic with its places in files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    pub place: Place,
    pub related: Vec<(Place, String)>,
    pub help: Vec<String>,
    pub fixes: Vec<Fix>,
}

/// A cure as replacements of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    pub edits: Vec<(Place, String)>,
    pub certain: bool,
}

/// All findings in some files.
#[derive(Debug, Default)]
pub struct Findings {
    /// In the order of the files, then of places.
    pub findings: Vec<Finding>,
    /// The texts that the findings point into.
    pub sources: Vec<Source>,
    /// The names of the files that were checked, as analysis knows them.
    pub checked: Vec<String>,
}

impl Findings {
    /// How many findings have a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// The text that a place is in.
    pub fn source(&self, place: &Place) -> &Source {
        static NOWHERE: std::sync::LazyLock<Source> =
            std::sync::LazyLock::new(|| Source::new(String::new(), String::new(), String::new()));
        self.sources.get(place.source).unwrap_or(&NOWHERE)
    }
}

/// Checks files, on all cores.
pub fn check(project: &Project, files: &[SourceFile], progress: &mut Progress) -> Findings {
    check_and(project, files, progress, |_, problem| problem)
}

/// As [`check`], with all cures that there are.
pub fn check_with_cures(
    project: &Project,
    files: &[SourceFile],
    progress: &mut Progress,
) -> Findings {
    check_and(project, files, progress, |snapshot, problem| {
        Analysis::new(snapshot.clone()).cured(problem)
    })
}

fn check_and(
    project: &Project,
    files: &[SourceFile],
    progress: &mut Progress,
    each: impl Fn(&Snapshot, Diagnostic) -> Diagnostic + Sync,
) -> Findings {
    let snapshot = project.files.snapshot();
    let work = work(snapshot.db(), files);
    parallel::map(&snapshot, &work, progress, |snapshot, work| {
        work.run(snapshot.db())
    });
    let config = &project.config.config;
    let found = parallel::map(&snapshot, files, progress, |snapshot, file| {
        let found = check_file(snapshot, *file, config);
        let all = found.into_iter().map(|problem| each(snapshot, problem));
        all.collect::<Vec<_>>()
    });
    let mut places = Places::new(&snapshot, &project.names);
    for problems in found {
        places.add(problems);
    }
    let mut result = places.result;
    result.checked = files
        .iter()
        .map(|file| file.path(snapshot.db()).to_owned())
        .collect();
    result
}

/// The findings in a file that count, in order.
fn check_file(snapshot: &Snapshot, file: SourceFile, config: &Config) -> Vec<Diagnostic> {
    let db = snapshot.db();
    let mut problems = file_diagnostics(db, file);
    if file
        .outline(db)
        .iter()
        .any(|entry| may_suppress(entry.item.text(db)))
    {
        suppress(snapshot, file, &mut problems);
    }
    let mut problems: Vec<Diagnostic> = problems
        .into_iter()
        .filter_map(|problem| config.adjust(problem))
        .collect();
    problems.sort_by_cached_key(|problem| {
        let range = snapshot.range(problem.location);
        (
            range.start(),
            range.end(),
            problem.code,
            problem.message.clone(),
        )
    });
    problems
        .dedup_by(|a, b| a.location == b.location && a.code == b.code && a.message == b.message);
    problems
}

/// Takes the findings away that comments allow, and adds the comments that allow nothing.
fn suppress(snapshot: &Snapshot, file: SourceFile, problems: &mut Vec<Diagnostic>) {
    let mut suppressions = Suppressions::find(&snapshot.text(file));
    problems.retain(|problem| {
        let start = usize::from(snapshot.range(problem.location).start());
        !suppressions.allows(problem.code, start)
    });
    for idle in suppressions.idle() {
        let Some((entry, item)) = snapshot.item_at(file, idle.range.start) else {
            continue;
        };
        let relative = |offset: usize| {
            let offset = offset.saturating_sub(item.range.start);
            text_size::TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX))
        };
        let range = text_size::TextRange::new(relative(idle.range.start), relative(idle.range.end));
        let at = Location::range(entry.item, range);
        problems.push(
            Diagnostic::new(Code::UnusedSuppression, at, idle.message)
                .help("remove the code from the comment, or the whole comment"),
        );
    }
}

/// Turns locations into places, reading each text once.
pub struct Places<'s> {
    snapshot: &'s Snapshot,
    names: &'s Names,
    known: HashMap<Text, usize>,
    pub result: Findings,
}

/// What a source is the text of.
#[derive(PartialEq, Eq, Hash)]
enum Text {
    File(SourceFile),
    Term(ItemSource),
}

/// The name of a term on its own in messages.
pub const TERM: &str = "<term>";

impl<'s> Places<'s> {
    pub fn new(snapshot: &'s Snapshot, names: &'s Names) -> Places<'s> {
        Places {
            snapshot,
            names,
            known: HashMap::new(),
            result: Findings::default(),
        }
    }

    /// Adds diagnostics to the findings.
    pub fn add(&mut self, problems: Vec<Diagnostic>) {
        for problem in problems {
            let finding = self.finding(problem);
            self.result.findings.push(finding);
        }
    }

    fn finding(&mut self, problem: Diagnostic) -> Finding {
        let fixes = problem.fixes.into_iter().map(|fix| Fix {
            title: fix.title,
            certain: fix.certain,
            edits: fix
                .edits
                .into_iter()
                .map(|edit| {
                    let mut place = self.place(edit.location);
                    match edit.position {
                        EditPosition::Replace => {}
                        EditPosition::Before => place.end = place.start,
                        EditPosition::After => place.start = place.end,
                    }
                    (place, edit.text)
                })
                .collect(),
        });
        let fixes = fixes.collect();
        Finding {
            code: problem.code,
            severity: problem.severity,
            message: problem.message,
            place: self.place(problem.location),
            related: problem
                .related
                .into_iter()
                .map(|other| (self.place(other.location), other.message))
                .collect(),
            help: problem.help,
            fixes,
        }
    }

    /// The place of a location.
    pub fn place(&mut self, location: Location) -> Place {
        let Range { start, end } = self.snapshot.range(location).into();
        Place {
            source: self.source(location.item),
            start,
            end,
        }
    }

    fn source(&mut self, item: ItemSource) -> usize {
        let db = self.snapshot.db();
        let text = match item.kind(db) {
            TextKind::Item => Text::File(item.file(db)),
            TextKind::Term => Text::Term(item),
        };
        *self.known.entry(text).or_insert_with_key(|text| {
            self.result.sources.push(match text {
                Text::File(file) => {
                    let path = file.path(db);
                    Source::new(
                        self.names.show(path),
                        path.to_owned(),
                        self.snapshot.text(*file),
                    )
                }
                Text::Term(item) => {
                    Source::new(TERM.to_owned(), TERM.to_owned(), item.text(db).to_owned())
                }
            });
            self.result.sources.len() - 1
        })
    }
}
