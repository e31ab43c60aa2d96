//! From the tree of one item to its typed view, in one walk.
//!
//! The grammar is wider than the language in places where a parser would only have a poor sentence;
//! what it lets through is checked here. A tree with errors is lowered, too: parts that the parser
//! could not make sense of are `Missing`, and whoever lowers says nothing about them.

use std::collections::HashSet;
use std::ops::Range;

use crate::ast::{
    Clause, CommandDecl, CompType, ConstructorDecl, Item, ItemKind, Name, NodeId, Param, ParamKind,
    Pattern, PatternId, PatternKind, Peg, SourceMap, Symbol, Term, TermId, TermKind, TypeExpr,
    TypeId, TypeKind,
};
use crate::cst::{NodeIndex, Tree};
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::language::Kind;
use crate::outline::{self, OutlineKind};
use crate::repair::{HOLE, RepairedText};
use la_arena::Arena;
use text_size::{TextRange, TextSize};

mod pattern;
mod term;
mod types;

/// What lowering gives; the item's parts are complete even if `kind` is `Broken`.
pub(crate) struct Lowered {
    pub item: Item,
    pub source_map: SourceMap,
    pub errors: Vec<SyntaxError>,
}

/// Lowers the tree of a text; `repaired` says where the parts of a repaired text belong.
pub(crate) fn lower(tree: &Tree, text: &str, repaired: Option<&RepairedText>) -> Lowered {
    let mut lowering = Lowering {
        text,
        repaired,
        tree,
        node: None,
        map: SourceMap::with_capacity(tree.count(|_| true) + 1),
        terms: Arena::with_capacity(tree.count(Kind::is_term)),
        patterns: Arena::new(),
        types: Arena::with_capacity(tree.count(Kind::is_type)),
        parenthesised: HashSet::new(),
        errors: Vec::new(),
    };
    // The item's id comes first; its range is known now, its kind at the end.
    let id = lowering.map.push(TextRange::default());
    debug_assert_eq!(id, NodeId(0));
    let (kind, range) = lowering.root();
    let Lowering {
        mut map,
        terms,
        patterns,
        types,
        errors,
        ..
    } = lowering;
    map.set(id, range);
    Lowered {
        item: Item {
            id,
            kind,
            terms,
            patterns,
            types,
        },
        source_map: map,
        errors,
    }
}

/// An item of which nothing is known.
pub(crate) fn broken() -> Lowered {
    let mut source_map = SourceMap::default();
    let id = source_map.push(TextRange::default());
    let (terms, patterns, types) = Default::default();
    Lowered {
        item: Item {
            id,
            kind: ItemKind::Broken,
            terms,
            patterns,
            types,
        },
        source_map,
        errors: Vec::new(),
    }
}

impl Lowered {
    /// Gives a broken item the kind that its text begins like, should it have got another one.
    pub(crate) fn restore_kind(&mut self, text: &str, is_item: bool) {
        if !is_item {
            if !matches!(self.item.kind, ItemKind::Term(_)) {
                let id = self.source_map.push(TextRange::default());
                self.item.kind = ItemKind::Term(self.item.terms.alloc(Term {
                    id,
                    kind: TermKind::Missing,
                }));
            }
            return;
        }
        let outline = outline::split(text).into_iter().next();
        let kind = outline
            .as_ref()
            .map_or(OutlineKind::Other, |outline| outline.kind);
        let has_kind = match (kind, &self.item.kind) {
            (OutlineKind::Data, ItemKind::Data { .. })
            | (OutlineKind::Interface, ItemKind::Interface { .. } | ItemKind::Alias { .. })
            | (OutlineKind::Include, ItemKind::Include { .. })
            | (OutlineKind::Signature, ItemKind::Signature { .. })
            | (OutlineKind::Clause, ItemKind::Clause { .. }) => true,
            // Without a name there is nothing to define.
            (OutlineKind::Data | OutlineKind::Interface | OutlineKind::Include, _) => false,
            (_, ItemKind::Broken) => kind == OutlineKind::Other,
            _ => false,
        };
        if has_kind {
            return;
        }
        self.item.kind = ItemKind::Broken;
        let Some((outline, symbol)) =
            outline.and_then(|outline| outline.name.map(|name| (outline, name)))
        else {
            return;
        };
        // The name is the first token of these two.
        let size = |position: usize| TextSize::new(u32::try_from(position).unwrap_or(u32::MAX));
        let start = size(outline.token_offset);
        let range = TextRange::at(start, size(symbol.as_str().len()));
        let rest = TextRange::empty(range.end());
        match kind {
            OutlineKind::Signature => {
                let name = Name {
                    id: self.source_map.push(range),
                    symbol,
                };
                let id = self.source_map.push(rest);
                let ty = self.item.types.alloc(TypeExpr {
                    id,
                    kind: TypeKind::Missing,
                });
                let ty = CompType {
                    id,
                    ports: Vec::new(),
                    peg: Peg { ability: None, ty },
                };
                self.item.kind = ItemKind::Signature { name, ty };
            }
            OutlineKind::Clause => {
                let name = Name {
                    id: self.source_map.push(range),
                    symbol,
                };
                let id = self.source_map.push(rest);
                let body = self.item.terms.alloc(Term {
                    id,
                    kind: TermKind::Missing,
                });
                let clause = Clause {
                    id,
                    patterns: Vec::new(),
                    body,
                };
                self.item.kind = ItemKind::Clause { name, clause };
            }
            _ => {}
        }
    }
}

struct Lowering<'t> {
    text: &'t str,
    repaired: Option<&'t RepairedText>,
    tree: &'t Tree,
    /// The node at hand; `None` for the whole.
    node: Option<NodeIndex>,
    map: SourceMap,
    terms: Arena<Term>,
    patterns: Arena<Pattern>,
    types: Arena<TypeExpr>,
    /// The computation types that stand in parentheses, which an ability in front does not reach.
    parenthesised: HashSet<TypeId>,
    errors: Vec<SyntaxError>,
}

impl<'t> Lowering<'t> {
    // The tree

    /// The range of the current node in the text.
    fn range(&self) -> TextRange {
        let range = self.range_here();
        let Some(repaired) = self.repaired else {
            return range;
        };
        let original = |position: TextSize| {
            let original = repaired.original(position.into());
            TextSize::new(u32::try_from(original).unwrap_or(u32::MAX))
        };
        let (start, end) = (original(range.start()), original(range.end()));
        TextRange::new(start, end.max(start))
    }

    /// The range of the current node in what was parsed.
    fn range_here(&self) -> TextRange {
        match self.node {
            Some(node) => self.tree.range(node),
            None => TextRange::up_to(TextSize::of(self.text)),
        }
    }

    /// The text of the current node.
    fn node_text(&self) -> &'t str {
        let range: Range<usize> = self.range_here().into();
        self.text.get(range).unwrap_or_default()
    }

    /// Calls `visit` with each child of the current node in turn as the current one.
    fn children(&mut self, mut visit: impl FnMut(&mut Self, Kind)) {
        let parent = self.node;
        let mut next = match parent {
            Some(parent) => self.tree.first_child(parent),
            None => self.tree.first(),
        };
        while let Some(child) = next {
            self.node = Some(child);
            visit(self, self.tree.kind(child));
            next = self.tree.next_sibling(child);
        }
        self.node = parent;
    }

    /// True if no sibling stands behind the current node.
    fn is_last(&self) -> bool {
        let next = self.node.and_then(|node| self.tree.next_sibling(node));
        next.is_none()
    }

    /// A node id for the current node.
    fn id(&mut self) -> NodeId {
        let range = self.range();
        self.map.push(range)
    }

    /// A node id for something that is not there, where the current node ends.
    fn id_at_end(&mut self) -> NodeId {
        let end = self.range().end();
        self.map.push(TextRange::empty(end))
    }

    /// The current node as a name; `None` if it is there for want of one.
    fn name(&mut self) -> Option<Name> {
        let text = self.node_text();
        if text.starts_with(HOLE) || text.is_empty() {
            return None;
        }
        let symbol = Symbol::new(text);
        Some(Name {
            id: self.id(),
            symbol,
        })
    }

    fn error(&mut self, kind: SyntaxErrorKind, range: TextRange, message: impl Into<String>) {
        self.errors.push(SyntaxError {
            kind,
            range,
            message: message.into(),
            related: Vec::new(),
            help: None,
            replacement: None,
        });
    }

    fn error_with_help(
        &mut self,
        kind: SyntaxErrorKind,
        range: TextRange,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let help = Some(help.into());
        self.errors.push(SyntaxError {
            kind,
            range,
            message: message.into(),
            related: Vec::new(),
            help,
            replacement: None,
        });
    }

    // What is not there

    fn missing_term(&mut self) -> TermId {
        let id = self.id_at_end();
        self.terms.alloc(Term {
            id,
            kind: TermKind::Missing,
        })
    }

    fn missing_pattern(&mut self) -> PatternId {
        let id = self.id_at_end();
        self.patterns.alloc(Pattern {
            id,
            kind: PatternKind::Missing,
        })
    }

    fn missing_type(&mut self) -> TypeId {
        let id = self.id_at_end();
        self.types.alloc(TypeExpr {
            id,
            kind: TypeKind::Missing,
        })
    }

    // Items

    /// Lowers the first item or term that the tree holds; gives its range as well.
    fn root(&mut self) -> (ItemKind, TextRange) {
        let mut found = None;
        self.children(|this, kind| {
            if found.is_some() {
                return;
            }
            let range = this.range();
            found = this.item(kind).map(|kind| (kind, range));
        });
        found.unwrap_or_else(|| (ItemKind::Broken, self.range()))
    }

    /// The current node as an item; `None` if it is none, or has no name.
    fn item(&mut self, kind: Kind) -> Option<ItemKind> {
        match kind {
            Kind::DataDeclaration => self.data(),
            Kind::InterfaceDeclaration => self.interface(),
            Kind::AliasDeclaration => self.alias(),
            Kind::IncludeDirective => {
                let mut name = None;
                self.children(|this, kind| {
                    if kind == Kind::ModuleName {
                        name = this.name();
                    }
                });
                Some(ItemKind::Include { name: name? })
            }
            Kind::Signature => self.signature(),
            Kind::OperatorClause => self.operator_clause(),
            _ if kind.is_term() => Some(ItemKind::Term(self.term(kind))),
            _ => None,
        }
    }

    fn data(&mut self) -> Option<ItemKind> {
        let mut name = None;
        let mut params = Vec::new();
        let mut constructors = Vec::new();
        self.children(|this, kind| match kind {
            Kind::Name => name = this.name(),
            Kind::TypeParameter | Kind::EffectParameter => params.extend(this.param(kind)),
            Kind::Constructor => constructors.extend(this.constructor()),
            _ => {}
        });
        Some(ItemKind::Data {
            name: name?,
            params,
            constructors,
        })
    }

    fn constructor(&mut self) -> Option<ConstructorDecl> {
        let id = self.id();
        let mut name = None;
        let mut args = Vec::new();
        self.children(|this, kind| match kind {
            Kind::Name => name = this.name(),
            _ if kind.is_type() => args.push(this.ty(kind)),
            _ => {}
        });
        Some(ConstructorDecl {
            id,
            name: name?,
            args,
        })
    }

    fn interface(&mut self) -> Option<ItemKind> {
        let mut name = None;
        let mut params = Vec::new();
        let mut commands = Vec::new();
        self.children(|this, kind| match kind {
            Kind::Name => name = this.name(),
            Kind::TypeParameter | Kind::EffectParameter => params.extend(this.param(kind)),
            Kind::Command => commands.extend(this.command()),
            _ => {}
        });
        Some(ItemKind::Interface {
            name: name?,
            params,
            commands,
        })
    }

    fn command(&mut self) -> Option<CommandDecl> {
        let id = self.id();
        let mut name = None;
        let mut params = Vec::new();
        let mut args = Vec::new();
        let mut ability = None;
        self.children(|this, kind| match kind {
            Kind::Name => name = this.name(),
            Kind::TypeParameter | Kind::EffectParameter => params.extend(this.param(kind)),
            Kind::Ability => ability = Some(this.ability()),
            _ if kind.is_type() => {
                let ty = this.ty(kind);
                if let Some(ability) = ability.take() {
                    this.attach_or_report(ability, ty);
                }
                args.push(ty);
            }
            _ => {}
        });
        let result = args.pop().unwrap_or_else(|| self.missing_type());
        Some(CommandDecl {
            id,
            name: name?,
            params,
            args,
            result,
        })
    }

    fn alias(&mut self) -> Option<ItemKind> {
        let mut name = None;
        let mut params = Vec::new();
        let mut instances = Vec::new();
        self.children(|this, kind| match kind {
            Kind::Name => name = this.name(),
            Kind::TypeParameter | Kind::EffectParameter => params.extend(this.param(kind)),
            Kind::Instance => instances.extend(this.instance()),
            _ => {}
        });
        Some(ItemKind::Alias {
            name: name?,
            params,
            instances,
        })
    }

    fn param(&mut self, kind: Kind) -> Option<Param> {
        if kind == Kind::TypeParameter {
            return Some(Param {
                name: self.name()?,
                kind: ParamKind::Value,
            });
        }
        let mut name = None;
        self.children(|this, kind| {
            if kind == Kind::Name {
                name = this.name();
            }
        });
        let name = name.unwrap_or_else(|| Name {
            id: self.id(),
            symbol: Symbol::implicit_effect(),
        });
        Some(Param {
            name,
            kind: ParamKind::Effect,
        })
    }

    fn signature(&mut self) -> Option<ItemKind> {
        let mut name = None;
        self.children(|this, kind| {
            if kind == Kind::Name {
                name = this.name();
            }
        });
        let ty = self.signature_type();
        Some(ItemKind::Signature { name: name?, ty })
    }

    fn operator_clause(&mut self) -> Option<ItemKind> {
        let mut name = None;
        let clause = self.clause(|this| name = this.name());
        Some(ItemKind::Clause {
            name: name?,
            clause,
        })
    }

    /// The current node as a clause, of an operator or in braces.
    fn clause(&mut self, mut on_name: impl FnMut(&mut Self)) -> Clause {
        let id = self.id();
        let mut patterns = Vec::new();
        let mut body = None;
        self.children(|this, kind| {
            if kind == Kind::Name {
                on_name(this);
            } else if this.is_last() {
                body = Some(this.term(kind));
            } else if kind.is_pattern() {
                patterns.push(this.pattern(kind));
            }
        });
        let body = body.unwrap_or_else(|| self.missing_term());
        Clause { id, patterns, body }
    }
}
