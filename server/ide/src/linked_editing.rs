//! Names that change together while they are typed (LSP `textDocument/linkedEditingRange`): those
//! in front of an operator's signature and clauses.

use text_size::TextRange;

use crate::names::{Def, Role};
use crate::{Analysis, FilePosition};

impl Analysis {
    /// The names of an operator's items in this file, if the place is on one of them and there
    /// are several.
    pub fn linked_names(&self, at: FilePosition) -> Option<Vec<TextRange>> {
        let spot = self.spot(at)?;
        let name = spot.name()?;
        let Def::Operator(operator) = name.def else {
            return None;
        };
        if !matches!(name.role, Role::Definition | Role::Clause) {
            return None;
        }
        let db = self.db();
        let items = operator.items(db);
        let mut ranges: Vec<TextRange> = items
            .signatures
            .iter()
            .chain(&items.clauses)
            .filter(|source| source.file(db) == at.file)
            .filter_map(|source| {
                let node = frank_analysis::db::item_name(db, *source)?;
                let view = self.view(spot.view.scope, *source);
                Some(view.range(node) + view.start)
            })
            .collect();
        ranges.sort_by_key(|range| range.start());
        (ranges.len() > 1).then_some(ranges)
    }
}
