//! What is known at one place: the item there, its names, and what the checker found out.

use std::cmp::Ordering;
use std::sync::Arc;

use frank_analysis::check::{inference, term_inference};
use frank_analysis::db::{Database, Db, ItemSource, Parsed, SourceFile, parsed};
use frank_analysis::infer::{Body, Inference};
use frank_analysis::program::{Definition, InterfaceDef, OperatorDef};
use frank_analysis::show::Show;
use frank_analysis::types::{Ability, AbilityData, Computation, Instance, Ty, TyKind};
use frank_syntax::ast::tree::{Node, path_at};
use frank_syntax::ast::{Clause, Item, ItemKind, NodeId, SourceMap, TermId};
use frank_syntax::outline::OutlineItem;
use text_size::{TextRange, TextSize};

use crate::names::{Occurrence, occurrences, scope_of};
use crate::{Analysis, FilePosition, FileRange};

/// How many nodes of a type an answer shows at most.
pub(crate) const SHOWN: usize = 120;

/// An item looked at as part of a program.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub analysis: &'a Analysis,
    pub scope: SourceFile,
    pub source: ItemSource,
    pub parsed: &'a Parsed,
    /// The offset of the item's first byte in its file.
    pub start: TextSize,
}

/// A place inside an item.
pub(crate) struct Spot<'a> {
    pub view: View<'a>,
    /// From the item's first byte.
    pub offset: TextSize,
}

impl Analysis {
    /// An item as part of a program.
    pub(crate) fn view(&self, scope: SourceFile, source: ItemSource) -> View<'_> {
        let parsed = parsed(self.db(), source);
        View {
            analysis: self,
            scope,
            source,
            parsed,
            start: self.snapshot().start(source),
        }
    }

    /// An item as part of the first program that its file belongs to.
    pub(crate) fn view_of(&self, source: ItemSource) -> View<'_> {
        self.view(scope_of(self.db(), source.file(self.db())), source)
    }

    /// The item at a place. Where two meet, the one above counts if the place is right behind a
    /// word of it.
    pub(crate) fn spot(&self, at: FilePosition) -> Option<Spot<'_>> {
        let (entry, place) = self.snapshot().item_at(at.file, usize::from(at.offset))?;
        let view = self.view(scope_of(self.db(), at.file), entry.item);
        let offset = usize::from(at.offset).checked_sub(place.range.start)?;
        Some(Spot {
            view,
            offset: size(offset.min(place.range.len())),
        })
    }
}

pub(crate) fn size(bytes: usize) -> TextSize {
    TextSize::new(u32::try_from(bytes).unwrap_or(u32::MAX))
}

impl<'a> View<'a> {
    pub fn db(&self) -> &'a Database {
        self.analysis.db()
    }

    pub fn item(&self) -> &'a Item {
        &self.parsed.item
    }

    pub fn map(&self) -> &'a SourceMap {
        &self.parsed.source_map
    }

    pub fn text(&self) -> &'a str {
        self.source.text(self.db())
    }

    /// The item's range and tokens in its file.
    pub fn place(&self) -> Option<&'a OutlineItem> {
        self.analysis.snapshot().place(self.source)
    }

    /// The range of a node, relative to the item.
    pub fn range(&self, node: NodeId) -> TextRange {
        self.map().range(node)
    }

    /// The range of a node in its file.
    pub fn file_range(&self, node: NodeId) -> FileRange {
        FileRange {
            file: self.source.file(self.db()),
            range: self.range(node) + self.start,
        }
    }

    /// The text of a node.
    pub fn node_text(&self, node: NodeId) -> &'a str {
        slice(self.text(), self.range(node))
    }

    /// The names of the item.
    pub fn names(&self) -> Vec<Occurrence> {
        occurrences(self.db(), self.scope, self.source)
    }

    /// The operator that the item is a part of.
    pub fn operator(&self) -> Option<OperatorDef> {
        match &self.item().kind {
            ItemKind::Signature { name, .. } | ItemKind::Clause { name, .. } => {
                Some(OperatorDef(Definition {
                    scope: self.scope,
                    name: name.symbol,
                }))
            }
            _ => None,
        }
    }

    /// What the checker found out about the operator that the item is a clause of, or about the term that it is.
    pub fn typed(&self) -> Option<Typed<'a>> {
        let inference = match &self.item().kind {
            ItemKind::Clause { .. } => {
                let operator = self.operator()?;
                inference(self.db(), operator.0.scope, operator.0.name).as_ref()?
            }
            ItemKind::Term(_) => term_inference(self.db(), self.scope, self.source),
            _ => return None,
        };
        let index = inference
            .bodies
            .iter()
            .position(|(source, _)| *source == self.source)?;
        Some(Typed {
            view: *self,
            inference: inference.clone(),
            index,
        })
    }
}

/// The part of a text that a range covers, as far as it does.
pub(crate) fn slice(text: &str, range: TextRange) -> &str {
    text.get(std::ops::Range::<usize>::from(range))
        .unwrap_or_default()
}

impl<'a> Spot<'a> {
    /// The nodes around the place, the innermost last.
    pub fn path(&self) -> Vec<Node<'a>> {
        path_at(self.view.item(), self.view.map(), self.offset)
    }

    /// The name at the place. Where two meet, the one that begins there counts.
    pub fn name(&self) -> Option<Occurrence> {
        name_at(self.view.names(), self.offset)
    }
}

/// The name at an offset. Where two meet, the one that begins there counts.
pub(crate) fn name_at(names: Vec<Occurrence>, offset: TextSize) -> Option<Occurrence> {
    let mut touching = names
        .into_iter()
        .filter(|name| name.range.contains_inclusive(offset));
    let first = touching.next()?;
    match first.range.contains(offset) {
        true => Some(first),
        false => touching
            .find(|name| name.range.contains(offset))
            .or(Some(first)),
    }
}

/// A clause of an operator with what the checker found out.
#[derive(Clone)]
pub(crate) struct Typed<'a> {
    pub view: View<'a>,
    pub inference: Arc<Inference>,
    index: usize,
}

impl<'a> Typed<'a> {
    pub fn body(&self) -> &Body {
        static EMPTY: std::sync::LazyLock<Body> = std::sync::LazyLock::new(Body::default);
        self.inference
            .bodies
            .get(self.index)
            .map_or(&EMPTY, |(_, body)| body)
    }

    pub fn show(&self) -> Show<'_> {
        show(&self.inference)
    }

    pub fn ty(&self, ty: Ty) -> String {
        self.show().ty(ty)
    }

    /// The computation type that `ty` stands for.
    pub fn computation(&self, ty: Ty) -> Option<&Computation> {
        match self.inference.table.kind(ty) {
            TyKind::Computation(computation) => Some(computation),
            _ => None,
        }
    }

    /// An ability with all that its tail stands for.
    pub fn row(&self, ability: Ability) -> AbilityData {
        self.inference.table.row(ability)
    }

    /// The name that a place of the item holds, where it is a local.
    pub fn local_type(&self, binder: NodeId) -> Option<Ty> {
        self.body()
            .locals
            .iter()
            .find(|local| local.node == binder)
            .map(|local| local.ty)
    }
}

/// Shows the types of an operator's clauses in its signature's names.
pub(crate) fn show(inference: &Inference) -> Show<'_> {
    Show {
        table: &inference.table,
        values: &inference.rigid_values,
        effects: &inference.rigid_effects,
        budget: SHOWN,
        metas: None,
    }
}

/// How many instances of an interface a row has.
pub(crate) fn count(instances: &[Instance], interface: InterfaceDef) -> usize {
    instances
        .iter()
        .filter(|instance| instance.interface == interface)
        .count()
}

/// The innermost clause on a path into an item, with the braces that it stands in; an operator's own
/// clause stands in none.
pub(crate) fn innermost_clause<'a>(path: &[Node<'a>]) -> Option<(&'a Clause, Option<TermId>)> {
    let position = path
        .iter()
        .rposition(|node| matches!(node, Node::Clause(_)))?;
    let Some(Node::Clause(clause)) = path.get(position) else {
        return None;
    };
    let thunk = match path.get(position.checked_sub(1)?) {
        Some(Node::Term(term)) => Some(*term),
        _ => None,
    };
    Some((clause, thunk))
}

/// The order of places: by the paths of their files, then by where they start.
pub(crate) fn by_place(db: &dyn Db, a: FileRange, b: FileRange) -> Ordering {
    let path = a.file.path(db).cmp(b.file.path(db));
    path.then(a.range.start().cmp(&b.range.start()))
}
