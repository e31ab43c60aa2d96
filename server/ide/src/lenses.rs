//! What can be done with a definition, shown above it (LSP `textDocument/codeLens`).

use std::collections::HashSet;
use std::sync::Arc;

use frank_analysis::aside::Aside;
use frank_analysis::db::{Db, Group, ItemSource, Origin, SourceFile, item_name, parsed};
use frank_analysis::declarations::sound_signature;
use frank_analysis::file_findings::has_errors_somewhere;
use frank_analysis::groups;
use frank_analysis::link;
use frank_analysis::program::{OperatorDef, TermDef, resolve_term, scope_files, scope_index};
use frank_analysis::program_roots::{program_roots, programs_of};
use frank_syntax::ast::Symbol;
use frank_syntax::outline::OutlineKind;
use text_size::{TextRange, TextSize};

use crate::evaluate::{Soundness, is_smooth, tools};
use crate::names::scope_of;
use crate::view::size;
use crate::{Analysis, FilePosition, FileRange};

/// What a lens offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LensKind {
    /// To run an operator without ports.
    Run,
    /// To differentiate a smooth operator.
    Derivative,
    /// To evaluate the application of a derivative operator that stands here; how many others stand
    /// before it in the same operator.
    ClosedDerivative(usize),
    /// To evaluate an example in a comment, and compare, or to try a law there.
    Example,
    /// The handlers of an interface.
    Handlers,
    /// The uses of a definition.
    References,
}

/// Which lenses are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LensSettings {
    pub run: bool,
    pub derivative: bool,
    pub examples: bool,
    pub handlers: bool,
    pub references: bool,
}

/// Something to do, with the place that it is shown above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lens {
    pub range: TextRange,
    /// The definition that it is about; for an application the operator around it, for an example
    /// its term or law.
    pub name: String,
    pub kind: LensKind,
}

/// Places that a lens leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LensPlaces {
    /// `3 references`, `handled by evaluate, diff`.
    pub title: String,
    pub places: Vec<FileRange>,
}

/// So many names of handlers are shown.
const SHOWN_NAMES: usize = 4;

impl Analysis {
    /// The lenses of a file, in the order of the text.
    pub fn lenses(&self, file: SourceFile, wanted: LensSettings) -> Vec<Lens> {
        let db = self.db();
        let scope = scope_of(db, file);
        let starts: Vec<TextSize> = self
            .snapshot()
            .items(file)
            .map(|(_, place)| size(place.range.start))
            .collect();
        let mut lenses = Vec::new();
        for (first, group) in groups::of(db, file) {
            let kept = kept_lenses(db, scope, group, wanted);
            let found = kept.get(db, |db| lenses_now(db, scope, group, wanted));
            let starts = starts.get(first..).unwrap_or_default();
            lenses.extend(found.iter().filter_map(|lens| {
                Some(Lens {
                    range: lens.range + *starts.get(lens.position)?,
                    name: lens.name.to_string(),
                    kind: lens.kind,
                })
            }));
        }
        if wanted.derivative {
            let closed = self.closed_derivatives(file).into_iter();
            lenses.extend(closed.map(|closed| Lens {
                range: closed.range,
                name: closed.inside,
                kind: LensKind::ClosedDerivative(closed.index),
            }));
        }
        if wanted.examples {
            lenses.extend(self.examples(file).into_iter().filter_map(|example| {
                Some(Lens {
                    range: TextRange::new(size(example.at.start), size(example.at.end)),
                    name: example.text()?.to_owned(),
                    kind: LensKind::Example,
                })
            }));
        }
        // What other operators' clauses say is in no group's memory.
        if has_errors_somewhere(db, scope) {
            without_unsound(db, scope, &mut lenses);
        }
        without_doubles(db, scope, &mut lenses);
        if wanted.references {
            let used = self.files_that_use(file);
            lenses.retain(|lens| {
                lens.kind != LensKind::References || is_used(db, &used, Symbol::new(&lens.name))
            });
        }
        lenses.sort_by_key(|lens| lens.range.start());
        lenses
    }

    /// The files in which what a file defines can be used.
    fn files_that_use(&self, file: SourceFile) -> HashSet<SourceFile> {
        let db = self.db();
        let mut files = HashSet::from([file]);
        let roots = match file.origin(db) {
            Origin::Workspace => programs_of(db, file),
            Origin::Library => program_roots(db),
        };
        for root in roots {
            let (own, libraries) = scope_files(db, *root);
            files.extend(own);
            if file.origin(db) == Origin::Library {
                files.extend(libraries);
            }
        }
        files
    }

    /// Where a lens of handlers or references leads to; `at` is where it stands.
    pub fn lens_places(&self, at: FilePosition, kind: LensKind) -> LensPlaces {
        if kind != LensKind::Handlers {
            let found = self.references(at, false);
            let places: Vec<FileRange> = found.into_iter().map(|found| found.at).collect();
            let title = match places.len() {
                1 => "1 reference".to_owned(),
                many => format!("{many} references"),
            };
            return LensPlaces { title, places };
        }
        let targets = self.implementation(at).map(|goto| goto.targets);
        let places: Vec<FileRange> = targets
            .into_iter()
            .flatten()
            .map(|target| target.focus)
            .collect();
        let mut names: Vec<&str> = Vec::new();
        for place in &places {
            let item = self
                .snapshot()
                .item_at(place.file, place.range.start().into());
            if let Some(name) = item.and_then(|(entry, _)| entry.name)
                && !names.contains(&name.as_str())
            {
                names.push(name.as_str());
            }
        }
        let more = if names.len() > SHOWN_NAMES {
            ", …"
        } else {
            ""
        };
        names.truncate(SHOWN_NAMES);
        let title = match names.is_empty() {
            true => "no handlers".to_owned(),
            false => format!("handled by {}{more}", names.join(", ")),
        };
        LensPlaces { title, places }
    }

    /// Where an operator of a file's program is declared in that file: its signature, or its first
    /// clause.
    pub fn operator_place(&self, file: SourceFile, name: &str) -> Option<TextRange> {
        let source = self.operator_item(file, name)?;
        let view = self.view(scope_of(self.db(), file), source);
        Some(view.file_range(view.item().id).range)
    }

    /// The item of a file that declares an operator of its program.
    pub(crate) fn operator_item(&self, file: SourceFile, name: &str) -> Option<ItemSource> {
        let db = self.db();
        let operator = operator_named(db, scope_of(db, file), Symbol::new(name))?;
        let items = operator.items(db);
        let mut all = items.signatures.iter().chain(&items.clauses).copied();
        all.find(|source| source.file(db) == file)
    }
}

/// What reaches an error does not run.
fn without_unsound(db: &dyn Db, scope: SourceFile, lenses: &mut Vec<Lens>) {
    let mut soundness = Soundness::new(db);
    lenses.retain(|lens| {
        let runs = matches!(
            lens.kind,
            LensKind::Run | LensKind::Derivative | LensKind::ClosedDerivative(_)
        );
        !runs
            || operator_named(db, scope, Symbol::new(&lens.name))
                .is_none_or(|operator| !soundness.reaches_errors(operator))
    });
}

/// Of definitions with one name only the first means anything, and nobody knows whether it is meant.
fn without_doubles(db: &dyn Db, scope: SourceFile, lenses: &mut Vec<Lens>) {
    let index = scope_index(db, scope);
    let doubled: HashSet<&str> = index.repeated().map(|(name, _)| name.as_str()).collect();
    let mut seen = HashSet::new();
    lenses.retain(|lens| match lens.kind {
        LensKind::Example => true,
        _ if !doubled.contains(lens.name.as_str()) => true,
        LensKind::Handlers | LensKind::References => seen.insert((lens.name.clone(), lens.kind)),
        _ => false,
    });
}

/// A lens of an item in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ItemLens {
    /// Which item of the group it belongs to.
    position: usize,
    /// Its place, from the item's first byte.
    range: TextRange,
    name: Symbol,
    kind: LensKind,
}

#[salsa::tracked]
fn kept_lenses(
    db: &dyn Db,
    scope: SourceFile,
    group: Group,
    wanted: LensSettings,
) -> Aside<Arc<[ItemLens]>> {
    groups::depend(db, scope, group);
    if wanted.derivative {
        tools(db, scope);
    }
    Aside::new(db, |db| lenses_now(db, scope, group, wanted))
}

fn lenses_now(
    db: &dyn Db,
    scope: SourceFile,
    group: Group,
    wanted: LensSettings,
) -> Arc<[ItemLens]> {
    let mut found = Vec::new();
    for (position, entry) in group.entries(db).iter().enumerate() {
        let Some(name) = entry.name else { continue };
        let kinds: &[(bool, LensKind)] = match entry.kind {
            OutlineKind::Signature => &[
                (wanted.run && is_entry(db, scope, name), LensKind::Run),
                (
                    wanted.derivative && is_smooth(db, scope, name),
                    LensKind::Derivative,
                ),
                (wanted.references, LensKind::References),
            ],
            OutlineKind::Interface => &[
                (wanted.handlers, LensKind::Handlers),
                (wanted.references, LensKind::References),
            ],
            OutlineKind::Data => &[(wanted.references, LensKind::References)],
            _ => continue,
        };
        if kinds.iter().all(|(wanted, _)| !wanted) {
            continue;
        }
        let Some(node) = item_name(db, entry.item) else {
            continue;
        };
        let range = parsed(db, entry.item).source_map.range(node);
        let kinds = kinds.iter().filter(|(wanted, _)| *wanted);
        found.extend(kinds.map(|(_, kind)| ItemLens {
            position,
            range,
            name,
            kind: *kind,
        }));
    }
    found.into()
}

/// Whether a name is used in some files.
fn is_used(db: &dyn Db, files: &HashSet<SourceFile>, name: Symbol) -> bool {
    let mut files = files.iter();
    files.any(|file| groups::used_names(db, *file).contains(&name))
}

/// Whether an operator can run by itself, if it is sound: without ports or an ability that nobody
/// handles.
fn is_entry(db: &dyn Db, scope: SourceFile, name: Symbol) -> bool {
    let Some(operator) = operator_named(db, scope, name) else {
        return false;
    };
    let Some(signature) = sound_signature(db, scope, name) else {
        return false;
    };
    let row = signature.types.row(signature.computation.ability);
    let handled = link::unanswered(db, row).is_empty();
    signature.computation.ports.is_empty() && handled && !operator.items(db).clauses.is_empty()
}

fn operator_named(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<OperatorDef> {
    match resolve_term(db, scope, name)? {
        TermDef::Operator(operator) => Some(operator),
        _ => None,
    }
}
