//! Where a definition is used (LSP `textDocument/references`).

use std::collections::HashSet;

use frank_analysis::db::{ItemSource, Origin, SourceFile};
use frank_analysis::groups::groups_naming;
use frank_analysis::program::{resolve_include, scope_files};
use frank_analysis::program_roots::{program_roots, programs_of};
use frank_syntax::ast::Symbol;
use frank_syntax::outline::OutlineKind;

use crate::names::{Def, Occurrence, Role, occurrences, scope_of};
use crate::target::declaration;
use crate::tokens::contains_word;
use crate::view::by_place;
use crate::{Analysis, FilePosition, FileRange};

/// A place that names a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    pub at: FileRange,
    pub role: Role,
}

/// A name somewhere, with the item and the program in which it means what it means.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub scope: SourceFile,
    pub source: ItemSource,
    pub name: Occurrence,
}

impl Analysis {
    /// All places that name what stands at a place, in all files, in the order of the files
    /// (`textDocument/references`); nothing if no name stands there.
    /// Declarations are left out unless asked for; the heads of an operator's clauses count as
    /// such.
    pub fn references(&self, at: FilePosition, declarations: bool) -> Vec<Reference> {
        let Some(def) = self
            .spot(at)
            .and_then(|spot| spot.name())
            .map(|name| name.def)
        else {
            return Vec::new();
        };
        self.references_of(def, declarations)
    }

    /// All places that name a definition.
    pub fn references_of(&self, def: Def, declarations: bool) -> Vec<Reference> {
        let mut found: Vec<Reference> = self
            .uses(def)
            .into_iter()
            .filter(|found| {
                declarations || !matches!(found.name.role, Role::Definition | Role::Clause)
            })
            .map(|found| Reference {
                at: self.in_file(found.source, found.name.range),
                role: found.name.role,
            })
            .collect();
        found.sort_by(|a, b| by_place(self.db(), a.at, b.at));
        found
    }

    /// All names of a definition, declarations included, in every program that knows it.
    pub(crate) fn uses(&self, def: Def) -> Vec<Found> {
        let mut found = Vec::new();
        self.for_each_use(def, |use_| {
            found.push(use_);
            true
        });
        found
    }

    /// Calls `visit` with each name of a definition until it gives `false`.
    pub(crate) fn for_each_use(&self, def: Def, mut visit: impl FnMut(Found) -> bool) {
        let db = self.db();
        if let Some((source, _)) = declaration(db, def)
            && def.scope().is_none()
        {
            let scope = scope_of(db, source.file(db));
            for name in occurrences(db, scope, source) {
                if name.def == def
                    && !visit(Found {
                        scope,
                        source,
                        name,
                    })
                {
                    return;
                }
            }
            return;
        }
        let word = match def {
            Def::File(file) => {
                self.includes_of(file, visit);
                return;
            }
            Def::BuiltinType(name) => name.as_str(),
            _ => match self.name_of(def) {
                Some(word) => word,
                None => return,
            },
        };
        let mut seen = HashSet::new();
        for scope in self.programs_to_look_at(def) {
            let wanted = if def
                .scope()
                .is_some_and(|s| s.origin(db) == Origin::Workspace)
            {
                def.in_scope(scope)
            } else {
                def
            };
            let groups = groups_naming(db, scope, Symbol::new(word)).iter();
            for entry in groups.flat_map(|group| group.entries(db).iter()) {
                if !contains_word(entry.item.text(db), word) {
                    continue;
                }
                for name in occurrences(db, scope, entry.item) {
                    if name.def == wanted
                        && seen.insert((entry.item, name.node))
                        && !visit(Found {
                            scope,
                            source: entry.item,
                            name,
                        })
                    {
                        return;
                    }
                }
            }
        }
    }

    /// The programs whose own files may name a definition, files of the library by themselves among them.
    fn programs_to_look_at(&self, def: Def) -> Vec<SourceFile> {
        let db = self.db();
        let own = declaration(db, def).map(|(source, _)| source.file(db));
        let in_workspace = own.is_some_and(|file| file.origin(db) == Origin::Workspace);
        let roots = match own {
            Some(file) if in_workspace => programs_of(db, file),
            _ => program_roots(db),
        };
        let mut programs = Vec::new();
        let mut seen = HashSet::new();
        for root in roots {
            let (_, libraries) = scope_files(db, *root);
            if !in_workspace && own.is_some_and(|own| !libraries.contains(&own)) {
                continue;
            }
            programs.push(*root);
            if !in_workspace {
                let new = libraries.iter().filter(|library| seen.insert(**library));
                programs.extend(new);
            }
        }
        programs.extend(own.filter(|own| !in_workspace && !seen.contains(own)));
        programs
    }

    fn includes_of(&self, included: SourceFile, mut visit: impl FnMut(Found) -> bool) {
        let db = self.db();
        for root in program_roots(db) {
            for file in &scope_files(db, *root).0 {
                let includes = file
                    .outline(db)
                    .iter()
                    .filter(|entry| entry.kind == OutlineKind::Include);
                for entry in includes {
                    let names = entry.name.and_then(|name| resolve_include(db, *file, name));
                    if names != Some(included) {
                        continue;
                    }
                    for name in occurrences(db, *root, entry.item) {
                        if !visit(Found {
                            scope: *root,
                            source: entry.item,
                            name,
                        }) {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// The name of a definition.
    pub(crate) fn name_of(&self, def: Def) -> Option<&'static str> {
        Some(match def {
            Def::Operator(def) => def.0.name.as_str(),
            Def::Constructor(def) => def.name.as_str(),
            Def::Command(def) => def.name.as_str(),
            Def::Data(def) => def.0.name.as_str(),
            Def::Interface(def) => def.0.name.as_str(),
            Def::Alias(def) => def.0.name.as_str(),
            Def::BuiltinType(name) => name.as_str(),
            Def::Local { item, binder, .. }
            | Def::TypeVariable { item, binder, .. }
            | Def::AdaptorName { item, binder } => {
                let names = self.view_of(item).names();
                names.iter().find(|name| name.node == binder)?.name.as_str()
            }
            Def::File(_) => return None,
        })
    }
}
