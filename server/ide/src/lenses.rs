//! What can be done with a definition, shown above it (LSP `textDocument/codeLens`).

use frank_analysis::builtin::{console, ref_state};
use frank_analysis::db::{ItemSource, SourceFile, item_name};
use frank_analysis::declarations::sound_signature;
use frank_analysis::link::has_errors;
use frank_analysis::program::{OperatorDef, TermDef, resolve_term};
use frank_syntax::ast::Symbol;
use frank_syntax::outline::OutlineKind;
use text_size::TextRange;

use crate::names::scope_of;
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
    /// The handlers of an interface.
    Handlers,
    /// The uses of a definition.
    References,
}

/// Which lenses are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LensSettings {
    pub run: bool,
    pub derivative: bool,
    pub handlers: bool,
    pub references: bool,
}

/// Something to do, with the place that it is shown above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lens {
    pub range: TextRange,
    /// The definition that it is about; for an application the operator around it.
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
        let mut lenses = Vec::new();
        for (entry, _) in self.snapshot().items(file) {
            let Some(name) = entry.name else { continue };
            let kinds: &[(bool, LensKind)] = match entry.kind {
                OutlineKind::Signature => &[
                    (wanted.run && self.is_entry(scope, name), LensKind::Run),
                    (
                        wanted.derivative && self.smooth_operator(file, name.as_str()).is_some(),
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
            let range = self.view(scope, entry.item).file_range(node).range;
            let kinds = kinds.iter().filter(|(wanted, _)| *wanted);
            lenses.extend(kinds.map(|(_, kind)| Lens {
                range,
                name: name.to_string(),
                kind: *kind,
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
        lenses.sort_by_key(|lens| lens.range.start());
        lenses
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
        let operator = operator_named(self, scope_of(db, file), Symbol::new(name))?;
        let items = operator.items(db);
        let mut all = items.signatures.iter().chain(&items.clauses).copied();
        all.find(|source| source.file(db) == file)
    }

    /// Whether an operator can run by itself: without ports, errors or an ability that nobody
    /// handles.
    fn is_entry(&self, scope: SourceFile, name: Symbol) -> bool {
        let db = self.db();
        let Some(operator) = operator_named(self, scope, name) else {
            return false;
        };
        let Some(signature) = sound_signature(db, scope, name) else {
            return false;
        };
        let mut answered = vec![console(db), ref_state(db)];
        let row = signature.types.row(signature.computation.ability);
        let handled = row.instances.iter().all(|instance| {
            let known = answered.iter().position(|i| *i == instance.interface);
            known.map(|i| answered.swap_remove(i)).is_some()
        });
        signature.computation.ports.is_empty()
            && handled
            && !operator.items(db).clauses.is_empty()
            && !has_errors(db, operator)
    }
}

fn operator_named(analysis: &Analysis, scope: SourceFile, name: Symbol) -> Option<OperatorDef> {
    match resolve_term(analysis.db(), scope, name)? {
        TermDef::Operator(operator) => Some(operator),
        _ => None,
    }
}
