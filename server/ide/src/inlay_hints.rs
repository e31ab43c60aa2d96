//! What is not written, shown between the words (LSP `textDocument/inlayHint`): types of
//! variables, abilities and effect arguments that were left out, instances that are added for an
//! argument, and the instance that a command reaches where there are several.

use frank_analysis::db::SourceFile;
use frank_analysis::infer::{Local, Resolved};
use frank_analysis::params::{TypeNamespace, params};
use frank_analysis::program::{RowDef, TermDef, resolve_data, resolve_row};
use frank_analysis::scopes::LocalKind;
use frank_analysis::types::{Adjustment, Ty, TyKind};
use frank_syntax::ast::tree::{self, Node};
use frank_syntax::ast::{
    CompType, Item, ItemKind, NodeId, ParamKind, Symbol, TermId, TermKind, TypeKind,
};
use text_size::{TextRange, TextSize};

use crate::Analysis;
use crate::names::scope_of;
use crate::tokens::contains_word;
use crate::trace::port_of;
use crate::view::{Typed, View, count, innermost_clause};

/// The kinds of hints, each of which can be wanted or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HintKind {
    /// The type of a `let`.
    LetType,
    /// The type of a variable in a clause's patterns.
    ParameterType,
    /// The implicit ability where a signature leaves it out.
    ImplicitAbility,
    /// The instances that a port adds for an argument.
    AddedInstances,
    /// The instance that a command reaches where its interface has several.
    ReachedInstance,
    /// An effect argument that a type leaves out.
    EffectArgument,
}

/// Where hints of a kind are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    Nowhere,
    /// Where they say what neither the line nor the signature says: types of variables in braces and of
    /// computed `let`s, abilities that handlers give their arguments.
    WhereTheyTeach,
    Everywhere,
}

/// Which hints are wanted. By default those that teach, and the one without which code can mislead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HintSettings {
    pub let_types: Shown,
    pub parameter_types: Shown,
    pub implicit_abilities: bool,
    pub added_instances: Shown,
    pub reached_instances: bool,
    pub effect_arguments: bool,
}

impl Default for HintSettings {
    fn default() -> HintSettings {
        HintSettings {
            let_types: Shown::WhereTheyTeach,
            parameter_types: Shown::WhereTheyTeach,
            added_instances: Shown::WhereTheyTeach,
            reached_instances: true,
            ..HintSettings::NONE
        }
    }
}

impl HintSettings {
    /// No hints at all.
    pub const NONE: HintSettings = HintSettings {
        let_types: Shown::Nowhere,
        parameter_types: Shown::Nowhere,
        implicit_abilities: false,
        added_instances: Shown::Nowhere,
        reached_instances: false,
        effect_arguments: false,
    };

    /// Every hint.
    pub const ALL: HintSettings = HintSettings {
        let_types: Shown::Everywhere,
        parameter_types: Shown::Everywhere,
        implicit_abilities: true,
        added_instances: Shown::Everywhere,
        reached_instances: true,
        effect_arguments: true,
    };

    fn any_in_terms(self) -> bool {
        let often = [self.let_types, self.parameter_types, self.added_instances];
        often.iter().any(|shown| *shown != Shown::Nowhere) || self.reached_instances
    }
}

/// A text that is shown and not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlayHint {
    /// Where it is shown, in the file.
    pub at: TextSize,
    pub text: String,
    pub kind: HintKind,
    /// It belongs to what stands before it; else to what stands behind it.
    pub after: bool,
    /// What to write at `at` to say it in the program, where the language lets one say it.
    pub insert: Option<String>,
}

/// Longer types are cut off.
const LONGEST: usize = 40;

impl Analysis {
    /// The hints of the items that a range of a file touches, in the order of the text.
    pub fn inlay_hints(
        &self,
        file: SourceFile,
        range: TextRange,
        settings: HintSettings,
    ) -> Vec<InlayHint> {
        let scope = scope_of(self.db(), file);
        let mut hints = Vec::new();
        for (entry, _) in self.snapshot().items_in(file, range.into()) {
            let view = self.view(scope, entry.item);
            let mut found = Hints {
                view,
                settings,
                hints: Vec::new(),
            };
            found.item();
            hints.extend(found.hints.into_iter().map(|hint| InlayHint {
                at: hint.at + view.start,
                ..hint
            }));
        }
        hints.retain(|hint| range.contains_inclusive(hint.at));
        hints.sort_by_key(|hint| hint.at);
        hints
    }
}

struct Hints<'a> {
    view: View<'a>,
    settings: HintSettings,
    hints: Vec<InlayHint>,
}

impl Hints<'_> {
    fn push(&mut self, at: TextSize, text: String, kind: HintKind, after: bool) {
        self.hints.push(InlayHint {
            at,
            text,
            kind,
            after,
            insert: None,
        });
    }

    fn end(&self, node: NodeId) -> TextSize {
        self.view.range(node).end()
    }

    fn item(&mut self) {
        let item: &Item = self.view.item();
        match &item.kind {
            ItemKind::Clause { .. } if self.settings.any_in_terms() => {
                if let Some(typed) = self.view.typed() {
                    self.terms(&typed, item);
                }
            }
            ItemKind::Signature { .. }
            | ItemKind::Data { .. }
            | ItemKind::Interface { .. }
            | ItemKind::Alias { .. }
                if self.settings.implicit_abilities || self.settings.effect_arguments =>
            {
                self.types(item);
            }
            _ => {}
        }
    }

    // Types

    fn types(&mut self, item: &Item) {
        let mut found: Vec<(NodeId, TypeUse<'_>)> = Vec::new();
        tree::for_each(item, |node| match node {
            Node::Computation(computation) => {
                found.push((computation.id, TypeUse::Computation(computation)))
            }
            Node::Type(ty) => {
                if let TypeKind::Name { name, args, .. } = &item.types[ty].kind {
                    let given = args.len();
                    found.push((item.types[ty].id, TypeUse::Data(name.symbol, given)));
                }
            }
            Node::Instance(instance) => {
                let given = instance.args.len();
                found.push((instance.id, TypeUse::Row(instance.interface.symbol, given)));
            }
            _ => {}
        });
        for (node, written) in found {
            match written {
                TypeUse::Computation(computation) => self.implicit_ability(item, computation),
                TypeUse::Data(name, given) => {
                    let data = resolve_data(self.view.db(), self.view.scope, name);
                    if let Some(data) = data {
                        self.effect_argument(node, data.0.scope, name, TypeNamespace::Data, given);
                    }
                }
                TypeUse::Row(name, given) => {
                    let scope = match resolve_row(self.view.db(), self.view.scope, name) {
                        Some(RowDef::Interface(interface)) => interface.0.scope,
                        Some(RowDef::Alias(alias)) => alias.0.scope,
                        None => continue,
                    };
                    self.effect_argument(node, scope, name, TypeNamespace::Row, given);
                }
            }
        }
    }

    fn implicit_ability(&mut self, item: &Item, computation: &CompType) {
        if !self.settings.implicit_abilities || computation.peg.ability.is_some() {
            return;
        }
        let written = &item.types[computation.peg.ty];
        if let TypeKind::Missing = written.kind {
            return;
        }
        let at = self.view.range(written.id).start();
        // A type in parentheses begins before its name.
        let text = self.view.text();
        let before = text.get(..usize::from(at)).unwrap_or_default();
        let parens = before.len() - before.trim_end_matches('(').len();
        let at = at - crate::view::size(parens);
        self.hints.push(InlayHint {
            at,
            text: "[ε|]".to_owned(),
            kind: HintKind::ImplicitAbility,
            after: false,
            insert: Some("[ε|]".to_owned()),
        });
    }

    fn effect_argument(
        &mut self,
        node: NodeId,
        scope: SourceFile,
        name: Symbol,
        namespace: TypeNamespace,
        given: usize,
    ) {
        if !self.settings.effect_arguments {
            return;
        }
        let declared = params(self.view.db(), scope, name, namespace);
        let last = declared.all.last();
        if given + 1 == declared.all.len()
            && last.is_some_and(|(_, kind)| *kind == ParamKind::Effect)
        {
            let text = " [ε|]".to_owned();
            self.hints.push(InlayHint {
                at: self.end(node),
                insert: Some(text.clone()),
                text,
                kind: HintKind::EffectArgument,
                after: true,
            });
        }
    }

    // Terms

    fn terms(&mut self, typed: &Typed<'_>, item: &Item) {
        for local in &typed.body().locals {
            let (wanted, kind) = match local.kind {
                LocalKind::Let => (self.settings.let_types, HintKind::LetType),
                _ => (self.settings.parameter_types, HintKind::ParameterType),
            };
            let shown = match wanted {
                Shown::Nowhere => false,
                Shown::WhereTheyTeach => self.type_teaches(typed, local),
                Shown::Everywhere => true,
            };
            if shown {
                self.type_of(typed, local.node, local.ty, kind);
            }
        }
        tree::for_each(item, |node| {
            let Node::Term(term) = node else { return };
            match &item.terms[term].kind {
                TermKind::Apply { head, args }
                    if self.settings.added_instances != Shown::Nowhere =>
                {
                    for (position, arg) in args.iter().enumerate() {
                        self.added(typed, *head, position, item.terms[*arg].id);
                    }
                }
                TermKind::Name(name) if self.settings.reached_instances => {
                    self.reached(typed, term, name.id);
                }
                _ => {}
            }
        });
    }

    /// Whether the type of a variable is said neither by the signature above nor by its own line.
    fn type_teaches(&self, typed: &Typed<'_>, local: &Local) -> bool {
        let path = tree::path_at(
            self.view.item(),
            self.view.map(),
            self.view.range(local.node).start(),
        );
        let item = self.view.item();
        let computed = match local.kind {
            LocalKind::Let => path.iter().rev().find_map(|node| match node {
                Node::Term(term) => match &item.terms[*term].kind {
                    TermKind::Let { bound, .. } => Some(!says_its_type(&item.terms[*bound].kind)),
                    _ => None,
                },
                _ => None,
            }),
            _ => innermost_clause(&path).map(|(_, braces)| braces.is_some()),
        };
        computed.unwrap_or(false) && !self.on_line(local.node, &typed.ty(local.ty))
    }

    /// Whether the line of a node names the interfaces of all that a port does.
    fn names_all(&self, node: NodeId, added: &[String]) -> bool {
        added.iter().all(|one| {
            let interface = one.split([' ', '(']).next().unwrap_or_default();
            self.on_line(node, interface)
        })
    }

    /// Whether the line of a node has a text, as words.
    fn on_line(&self, node: NodeId, text: &str) -> bool {
        let (before, behind) = self
            .view
            .text()
            .split_at(self.view.range(node).start().into());
        let before = before.rsplit('\n').next().unwrap_or_default();
        let behind = behind.split('\n').next().unwrap_or_default();
        contains_word(&format!("{before}{behind}"), text)
    }

    fn type_of(&mut self, typed: &Typed<'_>, node: NodeId, ty: Ty, kind: HintKind) {
        // What nothing is known of needs no hint.
        if matches!(
            typed.inference.table.kind(ty),
            TyKind::Error | TyKind::Meta(_)
        ) {
            return;
        }
        let at = self.end(node);
        self.push(at, format!(" : {}", shortened(typed.ty(ty))), kind, true);
    }

    fn added(&mut self, typed: &Typed<'_>, head: TermId, position: usize, arg: NodeId) {
        let Some(port) = port_of(typed, head, position) else {
            return;
        };
        let show = typed.show();
        let added: Vec<String> = port
            .adjustments
            .iter()
            .map(|adjustment| match adjustment {
                Adjustment::Instance(instance) => show.instance(instance),
                Adjustment::Adaptor(adaptor) => frank_analysis::show::show_adaptor(adaptor),
            })
            .collect();
        let repeats = self.settings.added_instances == Shown::WhereTheyTeach
            && (is_own(typed, head) || self.names_all(arg, &added));
        if added.is_empty() || repeats {
            return;
        }
        let range = self.view.range(arg);
        let before = self
            .view
            .text()
            .get(..usize::from(range.start()))
            .unwrap_or_default();
        let parens = before.len() - before.trim_end_matches('(').len();
        let at = range.start() - crate::view::size(parens);
        self.push(
            at,
            format!("<{}> ", shortened(added.join(", "))),
            HintKind::AddedInstances,
            false,
        );
    }

    fn reached(&mut self, typed: &Typed<'_>, term: TermId, node: NodeId) {
        let Some(Resolved::Definition(TermDef::Command(command))) = typed.body().names.get(term)
        else {
            return;
        };
        let Some(ability) = typed.body().ambient.get(term) else {
            return;
        };
        let row = typed.row(*ability);
        if count(&row.instances, command.interface) < 2 {
            return;
        }
        let active = row
            .instances
            .iter()
            .rev()
            .find(|i| i.interface == command.interface);
        if let Some(active) = active {
            let text = format!("‹{}›", shortened(typed.show().instance(active)));
            let at = self.end(node);
            self.push(at, text, HintKind::ReachedInstance, true);
        }
    }
}

/// Whether the head of a call is the operator around it, whose ports its signature shows.
fn is_own(typed: &Typed<'_>, head: TermId) -> bool {
    match typed.body().names.get(head) {
        Some(Resolved::Definition(TermDef::Operator(operator))) => {
            Some(*operator) == typed.view.operator()
        }
        _ => false,
    }
}

/// Whether the value of a `let` says of what type it is.
fn says_its_type(value: &TermKind) -> bool {
    matches!(
        value,
        TermKind::Natural(_)
            | TermKind::Float(_)
            | TermKind::Char(_)
            | TermKind::String(_)
            | TermKind::Thunk { .. }
    )
}

/// What is written in a type that can leave something out.
enum TypeUse<'a> {
    Computation(&'a CompType),
    Data(Symbol, usize),
    Row(Symbol, usize),
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
