//! Gathers what analysis finds, with positions in files.

use std::collections::HashMap;

use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::diagnostics::{Code, Diagnostic, Location, Severity};
use frank_analysis::file_findings::work;
use frank_analysis::files::Files;
use frank_analysis::link::TERM_PATH;
use frank_analysis::parts::{alone, connected, parts};
use frank_analysis::snapshot::Snapshot;
use frank_ide::Analysis;
use frank_workspace::Settings;
use frank_workspace::config::{Config, Holes};
use frank_workspace::includes::Unreadable;
use text_size::TextRange;

use crate::goals::{self, Goal, Goals};
use crate::names::Names;
use crate::origins::Origins;
use crate::parallel::{self, Progress};
use crate::project::Project;
use crate::source::Source;
pub use crate::source::SourceRange;

/// A diagnostic with its places in files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    pub place: SourceRange,
    pub related: Vec<(SourceRange, String)>,
    pub help: Vec<String>,
    pub fixes: Vec<Fix>,
    /// What is known of the hole that it is about, where somebody wants to know that.
    pub goal: Option<Goal>,
}

impl Finding {
    /// The severity that counts: where warnings are denied, they are errors.
    pub fn level(&self, deny_warnings: bool) -> Severity {
        match self.severity {
            Severity::Warning if deny_warnings => Severity::Error,
            severity => severity,
        }
    }
}

impl Finding {
    fn places_mut(&mut self) -> impl Iterator<Item = &mut SourceRange> {
        let fixes = self.fixes.iter_mut();
        let edits = fixes.flat_map(|fix| fix.edits.iter_mut().map(|(place, _)| place));
        let related = self.related.iter_mut().map(|(place, _)| place);
        let goal = self.goal.iter_mut().flat_map(Goal::places_mut);
        let own = std::iter::once(&mut self.place);
        own.chain(related).chain(edits).chain(goal)
    }
}

/// A fix as replacements of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    pub edits: Vec<(SourceRange, String)>,
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
    /// Diagnostics with their places in files.
    pub fn of(snapshot: &Snapshot, names: &Names, problems: Vec<Diagnostic>) -> Findings {
        Findings::with_goals(snapshot, names, problems, Goals::new())
    }

    /// As [`Findings::of`], with the goals of holes.
    fn with_goals(
        snapshot: &Snapshot,
        names: &Names,
        problems: Vec<Diagnostic>,
        goals: Goals,
    ) -> Findings {
        let mut places = Places::new(snapshot, names, goals);
        for problem in problems {
            let finding = places.finding(problem);
            places.result.findings.push(finding);
        }
        places.result
    }

    /// The findings of several, in their order.
    fn joined(all: impl Iterator<Item = Findings>) -> Findings {
        let mut joined = Findings::default();
        let mut known: HashMap<String, usize> = HashMap::new();
        for one in all {
            let mut numbers = Vec::with_capacity(one.sources.len());
            for source in one.sources {
                let next = joined.sources.len();
                let number = *known.entry(source.key.clone()).or_insert(next);
                if number == next {
                    joined.sources.push(source);
                }
                numbers.push(number);
            }
            joined
                .findings
                .extend(one.findings.into_iter().map(|mut finding| {
                    for place in finding.places_mut() {
                        place.source = numbers.get(place.source).copied().unwrap_or_default();
                    }
                    finding
                }));
        }
        joined
    }

    /// The same, with places in the texts where what stands there was written.
    pub fn at_origins(mut self, origins: &Origins) -> Findings {
        let sources = &mut self.sources;
        for place in self.findings.iter_mut().flat_map(Finding::places_mut) {
            let range = place.start..place.end;
            let source = sources.get(place.source);
            let found = source.and_then(|source| origins.of(&source.key, &range));
            let Some((cell, range)) = found else {
                continue;
            };
            let source = Source::of_cell(sources, cell);
            (place.source, place.start, place.end) = (source, range.start, range.end);
        }
        self
    }

    /// The errors among them.
    pub fn errors(mut self) -> Findings {
        self.findings
            .retain(|finding| finding.severity == Severity::Error);
        self
    }

    /// The errors among them, and the holes whatever they count as.
    pub fn errors_and_holes(mut self) -> Findings {
        for finding in &mut self.findings {
            if finding.code == Code::Hole {
                finding.severity = Severity::Error;
            }
        }
        self.errors()
    }

    /// The errors among them that keep a program from running: holes do not.
    pub fn that_keep_from_running(self) -> Findings {
        let mut errors = self.errors();
        errors.findings.retain(|finding| finding.code != Code::Hole);
        errors
    }

    /// How many findings have a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// The text that a place is in.
    pub fn source(&self, place: &SourceRange) -> &Source {
        static NOWHERE: std::sync::LazyLock<Source> =
            std::sync::LazyLock::new(|| Source::new(String::new(), String::new(), String::new()));
        self.sources.get(place.source).unwrap_or(&NOWHERE)
    }
}

/// Files are checked in parts of about so many bytes of text.
const PART: usize = 2 << 20;

/// Checks files, on all cores.
pub fn check(project: &Project, files: &[SourceFile], progress: &mut Progress) -> Findings {
    check_with(project, files, false, progress)
}

/// As [`check`], with the goals of holes or without.
pub fn check_with(
    project: &Project,
    files: &[SourceFile],
    with_goals: bool,
    progress: &mut Progress,
) -> Findings {
    let db = project.files.db();
    let path = |file: &SourceFile| file.path(db).to_owned();
    let snapshot = project.files.snapshot();
    let parts = parts(&snapshot, connected(&snapshot, files), PART);
    let (config, unreadable) = (&project.config.config, &project.unreadable);
    let reading = Reading {
        config,
        unreadable,
        every_hole: with_goals,
    };
    let placed = |snapshot: &Snapshot, problems: Vec<Diagnostic>, progress: &mut Progress| {
        let goals = match with_goals {
            true => goals::goals(snapshot, &problems, progress),
            false => Goals::new(),
        };
        Findings::with_goals(snapshot, &project.names, problems, goals)
    };
    let mut result = if parts.len() <= 1 {
        let found = by_file(&project.files, &reading, files, progress);
        let found = found.into_iter().flatten().collect();
        placed(&snapshot, found, progress)
    } else {
        let mut found: HashMap<SourceFile, Findings> = HashMap::new();
        for (number, part) in parts.iter().enumerate() {
            progress.part(number, parts.len());
            let (alone, own) = alone(&snapshot, part, None);
            let snapshot = alone.snapshot();
            let problems = by_file(&alone, &reading, &own, progress);
            for (file, problems) in part.iter().zip(problems) {
                found.insert(*file, placed(&snapshot, problems, progress));
            }
        }
        Findings::joined(files.iter().filter_map(|file| found.remove(file)))
    };
    result.checked = files.iter().map(path).collect();
    result
}

/// What there is to find in files and counts by a configuration, in the order of the files and places.
pub fn diagnostics(
    all: &Files,
    config: &Config,
    unreadable: &Unreadable,
    files: &[SourceFile],
    progress: &mut Progress,
) -> Vec<Diagnostic> {
    let reading = Reading {
        config,
        unreadable,
        every_hole: false,
    };
    by_file(all, &reading, files, progress)
        .into_iter()
        .flatten()
        .collect()
}

/// What is found in files, and how it counts.
struct Reading<'r> {
    config: &'r Config,
    unreadable: &'r Unreadable,
    /// Whether the holes of clauses that do not parse are told of, too. Such a clause has another finding anyway.
    every_hole: bool,
}

/// As [`diagnostics`], for each file.
fn by_file(
    all: &Files,
    reading: &Reading<'_>,
    files: &[SourceFile],
    progress: &mut Progress,
) -> Vec<Vec<Diagnostic>> {
    let snapshot = all.snapshot();
    let work = work(snapshot.db(), files);
    parallel::map(&snapshot, &work, progress, |snapshot, work| {
        work.run(snapshot.db())
    });
    let settings = Settings {
        configs: &[reading.config],
        holes: Holes::Deny,
        unreadable: reading.unreadable,
        may_suppress: true,
    };
    parallel::map(&snapshot, files, progress, |snapshot, file| {
        let more = match reading.every_hole {
            true => Analysis::new(snapshot.clone()).holes_in_broken_items(*file),
            false => Vec::new(),
        };
        frank_workspace::findings(snapshot, *file, more, &settings)
    })
}

/// Turns locations into places, reading each text once.
struct Places<'s> {
    snapshot: &'s Snapshot,
    names: &'s Names,
    known: HashMap<Text, usize>,
    goals: Goals,
    result: Findings,
}

/// What a source is the text of.
#[derive(PartialEq, Eq, Hash)]
enum Text {
    File(SourceFile),
    Term(ItemSource),
}

/// The name of a term on its own in messages, and what the core calls its text.
pub const TERM: &str = TERM_PATH;

impl<'s> Places<'s> {
    fn new(snapshot: &'s Snapshot, names: &'s Names, goals: Goals) -> Places<'s> {
        Places {
            snapshot,
            names,
            known: HashMap::new(),
            goals,
            result: Findings::default(),
        }
    }

    fn finding(&mut self, problem: Diagnostic) -> Finding {
        let goal = self.goal(&problem);
        let fixes = problem.fixes.into_iter().map(|fix| Fix {
            title: fix.title,
            edits: fix
                .edits
                .into_iter()
                .map(|edit| {
                    let range = edit.replaced(self.snapshot.range(edit.location));
                    (self.range(edit.location.item, range), edit.text)
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
            goal,
        }
    }

    /// What is known of the hole that a problem is about.
    fn goal(&mut self, problem: &Diagnostic) -> Option<Goal> {
        if problem.code != Code::Hole {
            return None;
        }
        let file = problem.location.item.file(self.snapshot.db());
        let range = self.snapshot.range(problem.location);
        let goal = self.goals.remove(&(file, range))?;
        Some(Goal::new(goal, |place| SourceRange {
            source: self.text(Text::File(place.file)),
            start: place.range.start().into(),
            end: place.range.end().into(),
        }))
    }

    /// The place of a location.
    fn place(&mut self, location: Location) -> SourceRange {
        self.range(location.item, self.snapshot.range(location))
    }

    fn range(&mut self, item: ItemSource, range: TextRange) -> SourceRange {
        SourceRange {
            source: self.source(item),
            start: range.start().into(),
            end: range.end().into(),
        }
    }

    fn source(&mut self, item: ItemSource) -> usize {
        let db = self.snapshot.db();
        let text = match item.kind(db).is_in_file() {
            true => Text::File(item.file(db)),
            false => Text::Term(item),
        };
        self.text(text)
    }

    fn text(&mut self, text: Text) -> usize {
        let db = self.snapshot.db();
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
