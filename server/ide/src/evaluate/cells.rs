//! The terms of notebooks: each is evaluated where it stands, with all definitions of its notebook.

use std::hash::{DefaultHasher, Hash, Hasher};

use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::diagnostics::Location;
use frank_syntax::ast::NodeId;
use text_size::TextRange;

use super::RunPlan;
use super::planning::of_source;
use super::stamp::term_stamp;
use crate::Analysis;
use crate::names::scope_of;
use crate::rename::Refusal;

/// A term of a cell.
#[derive(Debug)]
pub struct CellTerm {
    /// Where it stands in its file.
    pub range: TextRange,
    /// How to evaluate it, or why that cannot be done.
    pub plan: Result<RunPlan, Refusal>,
}

pub(super) fn terms(analysis: &Analysis, file: SourceFile) -> Vec<CellTerm> {
    let db = analysis.db();
    let scope = scope_of(db, file);
    let term = |source: ItemSource| {
        let name = source.text(db).trim();
        CellTerm {
            range: analysis.snapshot().range(Location::node(source, NodeId(0))),
            plan: of_source(analysis, scope, source, name),
        }
    };
    analysis.snapshot().cell_terms(file).map(term).collect()
}

pub(super) fn stamp(analysis: &Analysis, file: SourceFile) -> Option<u64> {
    let db = analysis.db();
    let scope = scope_of(db, file);
    let stamps = analysis.snapshot().cell_terms(file);
    let stamps: Vec<u64> = stamps.map(|term| term_stamp(db, scope, term)).collect();
    if stamps.is_empty() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    stamps.hash(&mut hasher);
    Some(hasher.finish())
}
