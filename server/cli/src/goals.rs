//! What is known of the holes among findings.

use std::collections::{HashMap, HashSet};

use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::{Code, Diagnostic};
use frank_analysis::snapshot::Snapshot;
use frank_ide::{Analysis, FileRange};
use text_size::TextRange;

use crate::parallel::{self, Progress};
use crate::source::SourceRange;

/// Goals by the files and places of their holes.
pub type Goals = HashMap<(SourceFile, TextRange), frank_ide::Goal>;

/// A goal with its places in files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    pub known: frank_ide::Goal,
    /// For each instance of the ability where those are who bring it.
    pub origins: Vec<Vec<Option<SourceRange>>>,
}

impl Goal {
    /// A goal whose places `find` translates.
    pub fn new(known: frank_ide::Goal, mut find: impl FnMut(FileRange) -> SourceRange) -> Goal {
        let instances = known.ability.iter().flat_map(|ability| &ability.instances);
        let origins = instances.map(|instance| {
            let origins = instance.origins.iter();
            origins.map(|origin| origin.at.map(&mut find)).collect()
        });
        Goal {
            origins: origins.collect(),
            known,
        }
    }

    pub fn places_mut(&mut self) -> impl Iterator<Item = &mut SourceRange> {
        self.origins.iter_mut().flatten().flatten()
    }
}

/// The goals of the holes among problems, found on all cores.
pub fn goals(snapshot: &Snapshot, problems: &[Diagnostic], progress: &mut Progress) -> Goals {
    let db = snapshot.db();
    let holes = problems.iter().filter(|problem| problem.code == Code::Hole);
    let files: HashSet<SourceFile> = holes.map(|hole| hole.location.item.file(db)).collect();
    let files: Vec<SourceFile> = files.into_iter().collect();
    let found = parallel::map(snapshot, &files, progress, |snapshot, file| {
        Analysis::new(snapshot.clone()).goals(*file)
    });
    let by_place = |(file, goals): (SourceFile, Vec<frank_ide::Goal>)| {
        let goals = goals.into_iter();
        goals.map(move |goal| ((file, goal.hole.range), goal))
    };
    files.into_iter().zip(found).flat_map(by_place).collect()
}
