//! Parts of a project that include nothing of each other, each with a database of its own. What is found
//! out about a program is many times larger than its text; so a part's database is dropped as soon
//! as its findings have been gathered.

use std::collections::HashMap;

use crate::db::{EventCallback, SourceFile, Workspace};
use crate::files::Files;
use crate::program::direct_includes;
use crate::snapshot::Snapshot;

/// Programs in parts that include nothing of each other, of at most `most` bytes of text unless a single
/// program has more. Programs are as [`connected`] gives them.
pub fn parts(
    snapshot: &Snapshot,
    programs: Vec<Vec<SourceFile>>,
    most: usize,
) -> Vec<Vec<SourceFile>> {
    let mut parts: Vec<Vec<SourceFile>> = Vec::new();
    let mut room = 0;
    for connected in programs {
        let size: usize = connected.iter().map(|file| snapshot.length(*file)).sum();
        match parts.last_mut() {
            Some(part) if size <= room => part.extend(connected),
            _ => {
                parts.push(connected);
                room = most;
            }
        }
        room = room.saturating_sub(size);
    }
    parts
}

/// Files, each with those of them that it includes or that include it, however indirectly.
pub fn connected(snapshot: &Snapshot, all: &[SourceFile]) -> Vec<Vec<SourceFile>> {
    let mut beside: HashMap<SourceFile, Vec<SourceFile>> = HashMap::new();
    for file in all {
        for included in direct_includes(snapshot.db(), *file) {
            beside.entry(*file).or_default().push(*included);
            beside.entry(*included).or_default().push(*file);
        }
    }
    // The library belongs to everybody, and connects nothing.
    let mut left: HashMap<SourceFile, usize> = all.iter().copied().zip(0..).collect();
    let mut found = Vec::new();
    for file in all {
        let mut open: Vec<(SourceFile, usize)> = left.remove_entry(file).into_iter().collect();
        let mut group = Vec::new();
        while let Some((file, position)) = open.pop() {
            group.push((position, file));
            let beside = beside.get(&file).into_iter().flatten();
            open.extend(beside.filter_map(|other| left.remove_entry(other)));
        }
        if !group.is_empty() {
            group.sort_unstable_by_key(|(position, _)| *position);
            found.push(group.into_iter().map(|(_, file)| file).collect());
        }
    }
    found
}

/// Some files alone, which include none but each other, with the same settings; and how they are
/// known there, in the same order. `events` is called with the events of their database.
pub fn alone(
    snapshot: &Snapshot,
    some: &[SourceFile],
    events: Option<EventCallback>,
) -> (Files, Vec<SourceFile>) {
    let db = snapshot.db();
    let workspace = Workspace::get(db);
    let mut copy = Files::new(events);
    copy.set_include_dirs(workspace.include_dirs(db).to_vec());
    copy.set_verbose(workspace.verbose(db));
    let texts: Vec<String> = some.iter().map(|file| snapshot.text(*file)).collect();
    let texts: Vec<(String, &str)> = some
        .iter()
        .map(|file| file.path(db).to_owned())
        .zip(texts.iter().map(String::as_str))
        .collect();
    let known = copy.add(&texts);
    (copy, known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_includes_something_stays_with_it() {
        let most = 10_000;
        let large = |head: &str| format!("{head}\na : {{Int}}\na! = 1\n{}", "-- …\n".repeat(most));
        let mut files = Files::new(None);
        let (one, two) = (large("include prelude"), large("include prelude"));
        let texts = [
            ("d/one.fk".to_owned(), one.as_str()),
            ("d/uses.fk".to_owned(), "include two\n"),
            ("d/small.fk".to_owned(), "b : {Int}\nb! = 1\n"),
            ("d/two.fk".to_owned(), two.as_str()),
        ];
        let all = files.add(&texts);
        let paths = |part: &Vec<SourceFile>| -> Vec<String> {
            let paths = part.iter().map(|file| file.path(files.db()).to_owned());
            paths.collect()
        };
        let snapshot = files.snapshot();
        let parts = parts(&snapshot, connected(&snapshot, &all), most);
        let parts: Vec<Vec<String>> = parts.iter().map(paths).collect();
        assert_eq!(
            parts,
            [
                vec!["d/one.fk"],
                vec!["d/uses.fk", "d/two.fk"],
                vec!["d/small.fk"]
            ]
        );
    }
}
