//! The place that a refactoring is asked for at, with what is known around it.

use std::collections::HashMap;

use frank_analysis::db::SourceFile;
use frank_analysis::program::{TermDef, resolve_term};
use frank_analysis::scopes::Scopes;
use frank_analysis::surroundings::{Parent, Surroundings};
use frank_analysis::types::TyKind;
use frank_syntax::ast::tree::{Node, path_at};
use frank_syntax::ast::{BinaryOperator, Item, NodeId, Symbol, TermId, TermKind};
use text_size::TextRange;

use super::text::{Level, embedded, spliced, with_parentheses};
use crate::FileRange;
use crate::names::{Def, Occurrence, Role};
use crate::rename::TextEdit;
use crate::tokens::words;
use crate::view::{Typed, View, size, slice};

/// An item, what is known of it, and the part of it that is selected.
pub(super) struct Site<'a> {
    pub view: View<'a>,
    /// There for the clauses of operators.
    pub typed: Option<Typed<'a>>,
    pub names: Vec<Occurrence>,
    pub around: Surroundings,
    pub scopes: Scopes,
    /// Within the item's text, without blanks at its ends; empty for a cursor.
    pub selection: TextRange,
    /// The terms that are names, by the names' nodes.
    name_terms: HashMap<NodeId, TermId>,
}

impl<'a> Site<'a> {
    /// `None` for an item that did not parse.
    pub fn new(view: View<'a>, selection: TextRange) -> Option<Site<'a>> {
        if !view.parsed.errors.is_empty() {
            return None;
        }
        let item = view.item();
        let mut name_terms = HashMap::new();
        for (term, data) in item.terms.iter() {
            if let TermKind::Name(name) = &data.kind {
                name_terms.insert(name.id, term);
            }
        }
        Some(Site {
            typed: view.typed(),
            names: view.names(),
            around: Surroundings::new(item),
            scopes: Scopes::new(view.db(), view.scope, item),
            selection: trimmed(view.text(), selection),
            name_terms,
            view,
        })
    }

    pub fn item(&self) -> &'a Item {
        self.view.item()
    }

    pub fn text(&self) -> &'a str {
        self.view.text()
    }

    pub fn scope(&self) -> SourceFile {
        self.view.scope
    }

    pub fn kind(&self, term: TermId) -> &'a TermKind {
        &self.item().terms[term].kind
    }

    /// The range of a term without parentheses around it.
    pub fn inner(&self, term: TermId) -> TextRange {
        self.view.range(self.item().terms[term].id)
    }

    /// The range of a term with all parentheses around it.
    pub fn outer(&self, term: TermId) -> TextRange {
        with_parentheses(self.text(), self.inner(term))
    }

    pub fn slice(&self, range: TextRange) -> &'a str {
        slice(self.text(), range)
    }

    /// A part of the item with replacements made.
    pub fn spliced(&self, range: TextRange, edits: &[(TextRange, String)]) -> String {
        spliced(self.text(), range, edits)
    }

    /// `text` as it must be written in the place of a term.
    pub fn embedded(&self, term: TermId, text: &str, level: Level) -> Option<String> {
        embedded(self.item(), &self.around, term, text, level)
    }

    /// The nodes around the beginning of the selection, the innermost last.
    pub fn path(&self) -> Vec<Node<'a>> {
        path_at(self.item(), self.view.map(), self.selection.start())
    }

    /// The term that is selected, with or without parentheses around it.
    pub fn selected_term(&self) -> Option<TermId> {
        if self.selection.is_empty() {
            return None;
        }
        let mut terms = self.item().terms.iter().map(|(term, _)| term);
        terms.find(|term| {
            let (inner, outer) = (self.inner(*term), self.outer(*term));
            outer.contains_range(self.selection)
                && self.selection.contains_range(inner)
                && with_parentheses(self.text(), self.selection) == outer
        })
    }

    /// The name at the cursor, or the one that is selected.
    pub fn name(&self) -> Option<Occurrence> {
        if self.selection.is_empty() {
            return crate::view::name_at(self.names.clone(), self.selection.start());
        }
        let mut names = self.names.iter();
        names.find(|name| name.range == self.selection).copied()
    }

    /// The term that a name is.
    pub fn name_term(&self, name: &Occurrence) -> Option<TermId> {
        self.name_terms.get(&name.node).copied()
    }

    /// The terms that read a local variable, in the order of the text.
    pub fn reads(&self, binder: NodeId) -> Vec<TermId> {
        let local = self.scopes.bound_at(binder).into_iter();
        let mut reads: Vec<TermId> = local.flat_map(|one| self.scopes.reads_of(one)).collect();
        reads.sort_by_key(|read| self.inner(*read).start());
        reads
    }

    /// The local variables that a part of the item reads and does not bind, each once, in order.
    pub fn free_locals(&self, range: TextRange) -> Vec<Occurrence> {
        let mut found: Vec<Occurrence> = Vec::new();
        for name in self.names_in(range) {
            if let Def::Local { binder, .. } = name.def
                && !range.contains_range(self.view.range(binder))
                && found.iter().all(|other| other.def != name.def)
            {
                found.push(*name);
            }
        }
        found
    }

    pub fn names_in(&self, range: TextRange) -> impl Iterator<Item = &Occurrence> {
        self.names
            .iter()
            .filter(move |name| range.contains_range(name.range))
    }

    /// The names of the variables that are bound within a part of the item.
    pub fn bound_in(&self, range: TextRange) -> Vec<Symbol> {
        let binds = |name: &&Occurrence| {
            name.role == Role::Definition && matches!(name.def, Def::Local { .. })
        };
        self.names_in(range)
            .filter(binds)
            .map(|name| name.name)
            .collect()
    }

    /// A name that nothing in the item is called, and no definition in sight: the first that is free
    /// of `wanted`, else the last of them with a number.
    pub fn fresh(&self, wanted: &[&str], taken: &[String]) -> String {
        self.fresh_but(None, wanted, taken)
    }

    /// As [`Site::fresh`], for a variable whose place new ones take: wherever it is read nothing hides its name,
    /// which may be taken again.
    pub fn fresh_for(&self, replaced: Symbol, wanted: &[&str], taken: &[String]) -> String {
        self.fresh_but(Some(replaced), wanted, taken)
    }

    fn fresh_but(&self, replaced: Option<Symbol>, wanted: &[&str], taken: &[String]) -> String {
        let words: Vec<&str> = words(self.text())
            .into_iter()
            .filter_map(|word| self.text().get(word.range))
            .collect();
        let is_replaced = |name: &str| replaced.is_some_and(|own| own.as_str() == name);
        let free = |name: &String| {
            let is_new = !words.contains(&name.as_str())
                && resolve_term(self.view.db(), self.scope(), Symbol::new(name)).is_none();
            !taken.contains(name) && (is_new || is_replaced(name))
        };
        let last = wanted.last().copied().unwrap_or("x");
        let numbered = (1..).map(|n| format!("{last}{n}"));
        let mut names = wanted.iter().map(|name| (*name).to_owned()).chain(numbered);
        names.find(free).unwrap_or_default()
    }

    /// An edit of the item.
    pub fn edit(&self, range: TextRange, text: impl Into<String>) -> TextEdit {
        TextEdit {
            at: FileRange {
                file: self.view.source.file(self.view.db()),
                range: range + self.view.start,
            },
            text: text.into(),
        }
    }

    /// What a term that is the name of a definition means.
    pub fn definition(&self, term: TermId) -> Option<TermDef> {
        let TermKind::Name(name) = self.kind(term) else {
            return None;
        };
        let mut names = self.names.iter();
        match names.find(|other| other.node == name.id)?.def {
            Def::Operator(operator) => Some(TermDef::Operator(operator)),
            Def::Constructor(constructor) => Some(TermDef::Constructor(constructor)),
            Def::Command(command) => Some(TermDef::Command(command)),
            _ => None,
        }
    }

    /// Whether a term is a value as it stands: to evaluate it does nothing, and it makes no
    /// difference when and how often that happens.
    pub fn is_value(&self, term: TermId) -> bool {
        let mut left = vec![term];
        while let Some(term) = left.pop() {
            match self.kind(term) {
                TermKind::Name(_)
                | TermKind::Natural(_)
                | TermKind::Float(_)
                | TermKind::Char(_)
                | TermKind::String(_)
                | TermKind::Thunk { .. } => {}
                TermKind::List(elements) => left.extend(elements),
                TermKind::Binary {
                    operator: BinaryOperator::Cons,
                    left: head,
                    right: tail,
                    ..
                } => left.extend([*head, *tail]),
                TermKind::Negate(operand)
                    if matches!(
                        self.kind(*operand),
                        TermKind::Natural(_) | TermKind::Float(_)
                    ) => {}
                TermKind::Apply { head, args } if !args.is_empty() => {
                    if !matches!(self.definition(*head), Some(TermDef::Constructor(_))) {
                        return false;
                    }
                    left.extend(args);
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether a part of a term is the first in it that does anything when the term is evaluated,
    /// exactly once, and in the same ability.
    pub fn evaluated_first(&self, part: TermId, parent: TermId) -> bool {
        match self.kind(parent) {
            TermKind::Apply { head, .. } if *head == part => true,
            TermKind::Apply { head, args } => {
                let before = args.iter().take_while(|arg| **arg != part);
                let index = before.clone().count();
                self.is_value(*head)
                    && before.copied().all(|arg| self.is_value(arg))
                    && self.is_plain_argument(*head, index)
            }
            TermKind::Let { bound, .. } => *bound == part || self.is_value(*bound),
            TermKind::Sequence { first, .. } => *first == part || self.is_value(*first),
            TermKind::Binary { left, .. } => *left == part || self.is_value(*left),
            TermKind::Negate(_) => true,
            TermKind::List(elements) => {
                let mut before = elements.iter().take_while(|element| **element != part);
                before.all(|element| self.is_value(*element))
            }
            _ => false,
        }
    }

    /// Whether an argument is evaluated in the ability around the call.
    fn is_plain_argument(&self, head: TermId, index: usize) -> bool {
        if let Some(TermDef::Constructor(_)) = self.definition(head) {
            return true;
        }
        let Some(typed) = &self.typed else {
            return false;
        };
        let computation = typed
            .body()
            .types
            .get(head)
            .map(|ty| typed.inference.table.kind(*ty));
        match computation {
            Some(TyKind::Computation(computation)) => computation
                .ports
                .get(index)
                .is_some_and(|port| port.adjustments.is_empty()),
            _ => false,
        }
    }

    /// Whether a part of a term, however deep, is the first that does anything in it.
    pub fn comes_first(&self, part: TermId, whole: TermId) -> bool {
        let mut part = part;
        while part != whole {
            match self.around.parent(part) {
                Some(Parent::Term(parent)) if self.evaluated_first(part, parent) => part = parent,
                _ => return false,
            }
        }
        true
    }

    /// Replacements that write the natural numbers in a part of the item that are `Float`s as such,
    /// so that they stay `Float`s wherever they come to stand.
    pub fn explicit_floats(&self, range: TextRange) -> Vec<(TextRange, String)> {
        let Some(typed) = &self.typed else {
            return Vec::new();
        };
        let naturals = self.item().terms.iter().filter_map(|(term, data)| {
            let TermKind::Natural(Some(value)) = data.kind else {
                return None;
            };
            let at = self.view.range(data.id);
            let ty = typed.body().types.get(term)?;
            let float = matches!(typed.inference.table.kind(*ty), TyKind::Float);
            (float && range.contains_range(at)).then(|| (at, format!("{value}.0")))
        });
        naturals.collect()
    }
}

/// A range without the blanks at its ends.
fn trimmed(text: &str, range: TextRange) -> TextRange {
    if range.is_empty() {
        return range;
    }
    let selected = slice(text, range);
    let start = selected.len() - selected.trim_start().len();
    let end = selected.trim_end().len();
    match start < end {
        true => TextRange::new(range.start() + size(start), range.start() + size(end)),
        false => TextRange::empty(range.start()),
    }
}
