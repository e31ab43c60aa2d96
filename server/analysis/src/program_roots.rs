//! The programs that the user's files make: each root file with all that it includes.

use std::collections::{HashMap, HashSet};

use crate::db::{Db, SourceFile, Workspace};
use crate::program::{direct_includes, scope_files};

/// The roots of the user's programs: the files that no other file includes, and one file of each
/// circle of includes that nothing else includes.
#[salsa::tracked]
pub fn program_roots(db: &dyn Db) -> Vec<SourceFile> {
    let files = Workspace::get(db).files(db);
    let mut included: HashSet<SourceFile> = HashSet::new();
    for file in files.values() {
        included.extend(
            direct_includes(db, *file)
                .iter()
                .copied()
                .filter(|other| other != file),
        );
    }
    let mut roots: Vec<SourceFile> = files
        .values()
        .copied()
        .filter(|file| !included.contains(file))
        .collect();
    let mut covered: HashSet<SourceFile> = roots
        .iter()
        .flat_map(|root| scope_files(db, *root).0.iter().copied())
        .collect();
    for file in files.values() {
        if !covered.contains(file) {
            roots.push(*file);
            covered.extend(scope_files(db, *file).0.iter().copied());
        }
    }
    roots
}

/// The programs that each of the user's files is part of.
#[salsa::tracked]
fn programs_by_file(db: &dyn Db) -> HashMap<SourceFile, Vec<SourceFile>> {
    let mut programs: HashMap<SourceFile, Vec<SourceFile>> = HashMap::new();
    for root in program_roots(db) {
        for file in &scope_files(db, *root).0 {
            programs.entry(*file).or_default().push(*root);
        }
    }
    programs
}

/// The roots of the programs that a file is part of; a library file is a program of its own.
pub fn programs_of(db: &dyn Db, file: SourceFile) -> &[SourceFile] {
    programs_by_file(db).get(&file).map_or(&[], Vec::as_slice)
}
