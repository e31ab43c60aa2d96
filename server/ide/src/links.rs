//! Links to included files (LSP `textDocument/documentLink`).

use frank_analysis::db::SourceFile;
use frank_analysis::db::item_name;
use frank_analysis::program::resolve_include;
use frank_syntax::outline::OutlineKind;
use text_size::TextRange;

use crate::Analysis;

/// A text that leads to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The name of the included file.
    pub range: TextRange,
    pub target: SourceFile,
}

impl Analysis {
    /// The includes of a file that lead somewhere.
    pub fn links(&self, file: SourceFile) -> Vec<Link> {
        let db = self.db();
        let includes = self
            .snapshot()
            .items(file)
            .filter(|(e, _)| e.kind == OutlineKind::Include);
        includes
            .filter_map(|(entry, _)| {
                let target = resolve_include(db, file, entry.name?)?;
                let name = item_name(db, entry.item)?;
                let view = self.view_of(entry.item);
                Some(Link {
                    range: view.range(name) + view.start,
                    target,
                })
            })
            .collect()
    }

    /// The files that an `include` in a file can name, with the names, for completion.
    pub(crate) fn includable(&self, file: SourceFile) -> Vec<(String, SourceFile)> {
        use frank_analysis::db::Workspace;
        let db = self.db();
        let workspace = Workspace::get(db);
        let own = file.path(db).rsplit_once('/').map(|(dir, _)| dir);
        let dirs: Vec<&str> = own
            .into_iter()
            .chain(workspace.include_dirs(db).iter().map(String::as_str))
            .collect();
        let mut found: Vec<(String, SourceFile)> = Vec::new();
        for (path, other) in workspace.files(db).iter() {
            let (dir, name) = match path.rsplit_once('/') {
                Some((dir, name)) => (Some(dir), name),
                None => (None, path.as_str()),
            };
            let reachable = match dir {
                Some(dir) => dirs.contains(&dir),
                None => own.is_none(),
            };
            if let Some(name) = name.strip_suffix(".fk")
                && reachable
                && *other != file
            {
                found.push((name.to_owned(), *other));
            }
        }
        for (name, other) in workspace.library(db).iter() {
            if !found.iter().any(|(known, _)| known == name.as_str()) {
                found.push((name.to_string(), *other));
            }
        }
        found
    }
}
