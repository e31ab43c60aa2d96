//! Search by type: what has a type, or one that says nearly the same.
//!
//! A [`Query`] is a type as in a signature. It is compared with the types of operators, constructors and commands
//! (`candidates`) by the checker's own unification (`matching`): as it is, with its arguments in another order,
//! and flat (`shape`), where a thunk is a value and a pair two arguments. What is equal up to the names of
//! variables is compared once, and what cannot fit by its outermost parts not at all.

mod candidates;
mod matching;
mod query;
mod shape;

use std::collections::HashMap;
use std::sync::Arc;

use crate::db::{Db, SourceFile, Workspace};
use crate::program::TermDef;
use crate::types::Signature;
use matching::Matcher;
pub use matching::{Fit, Match};
pub use query::{Mistake, Query, type_text};
use shape::{Key, Shape};

/// Something that fits a query.
#[derive(Debug, Clone)]
pub struct Found {
    pub def: TermDef,
    /// The file that defines it.
    pub file: SourceFile,
    pub fit: Arc<Match>,
}

/// What fits a query in some files, each with the scope in which it is looked at; best first, else in the order of
/// the files.
pub fn search(db: &dyn Db, query: &Query, files: &[(SourceFile, SourceFile)]) -> Vec<Found> {
    let home = Workspace::get(db).builtin(db);
    let mut matcher = Matcher::new(query);
    let mut known: HashMap<Key, Option<Arc<Match>>> = HashMap::new();
    let mut found = Vec::new();
    for (file, scope) in files {
        let groups = file.groups(db).iter();
        for candidate in groups.flat_map(|group| candidates::candidates(db, *scope, *group).iter())
        {
            let outline = &candidate.outline;
            let is_open = query.open != query::Open::No;
            if !outline.may_fit(&query.outline, is_open, query.any_result) {
                continue;
            }
            let fit = known.entry(outline.key).or_insert_with(|| {
                let shape = Shape::new(&*type_of(db, candidate.def)?, home)?;
                matcher.fit(&shape).map(Arc::new)
            });
            found.extend(fit.clone().map(|fit| Found {
                def: candidate.def,
                file: *file,
                fit,
            }));
        }
    }
    found.sort_by_key(|found| found.fit.rank());
    found
}

/// What fits a query of which one argument, or the result, is left open, if that is not a matter of variables.
pub fn nearest(db: &dyn Db, query: &Query, files: &[(SourceFile, SourceFile)]) -> Option<Found> {
    let relaxed = query.relaxed(Workspace::get(db).builtin(db));
    let best = relaxed
        .iter()
        .filter_map(|query| search(db, query, files).into_iter().next());
    let best = best.filter(|found| found.fit.fit <= Fit::Isomorphic);
    best.min_by_key(|found| found.fit.rank())
}

/// The type of something that was found.
pub fn type_of(db: &dyn Db, def: TermDef) -> Option<Arc<Signature>> {
    candidates::type_of(db, def)
}
