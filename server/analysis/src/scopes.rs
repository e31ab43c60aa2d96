//! The locals of an item: what binds them, where they are seen, and which names read them.
//!
//! Each clause opens a scope with all that its patterns bind, each `let` one for its body. Which
//! local a name reads depends on no type, but on the definitions of the program: a constructor's
//! name in a value pattern or a `let` matches and binds nothing, and what is bound under the name
//! of a constructor or a command elsewhere cannot be read, for they mean themselves everywhere.

use std::collections::HashSet;
use std::iter::successors;
use std::ops::Range;

use frank_syntax::ast::{
    Clause, Item, ItemKind, Name, NodeId, PatternId, PatternKind, Symbol, SymbolMap, TermId,
    TermKind,
};
use la_arena::{Arena, ArenaMap, Idx};

use crate::db::{Db, SourceFile};
use crate::program::{TermDef, resolve_term};

/// A local variable's number within its item, in the order of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocalId(pub u32);

/// What binds a local variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LocalKind {
    Let,
    Pattern,
    /// The `k` of a command pattern.
    Continuation,
    /// The `m` of a catch-all.
    CatchAll,
}

/// The place that binds a local variable.
#[derive(Debug, Clone, Copy)]
pub struct Binder {
    pub name: Name,
    pub kind: LocalKind,
    /// It has the name of a constructor or a command, so that no name reads it.
    pub is_shadowed: bool,
    /// A name reads it.
    pub is_used: bool,
}

/// What a clause or a `let` binds, inside of what is around it.
#[derive(Debug)]
struct Scope {
    around: Option<Idx<Scope>>,
    binders: Range<u32>,
}

/// The scopes of one item.
#[derive(Debug, Default)]
pub struct Scopes {
    scopes: Arena<Scope>,
    binders: Vec<Binder>,
    /// The innermost scope around each term, if there is one.
    around: ArenaMap<TermId, Idx<Scope>>,
    patterns: ArenaMap<PatternId, LocalId>,
    lets: ArenaMap<TermId, LocalId>,
    reads: ArenaMap<TermId, LocalId>,
}

impl Scopes {
    /// The scopes of an item, where names mean what they do in the program with the root `scope`. An
    /// item that is no clause and no term has none.
    pub fn new(db: &dyn Db, scope: SourceFile, item: &Item) -> Scopes {
        Scopes::with(item, |name| resolve_term(db, scope, name))
    }

    /// The scopes of an item, where `definition` says what a name means that is no local; for an item
    /// that is part of no program.
    pub fn with(item: &Item, definition: impl FnMut(Symbol) -> Option<TermDef>) -> Scopes {
        let mut builder = Builder {
            item,
            definition,
            // Growing would take half as much again for a moment.
            made: Scopes {
                around: ArenaMap::with_capacity(item.terms.len()),
                reads: ArenaMap::with_capacity(item.terms.len()),
                ..Scopes::default()
            },
            here: None,
            visible: SymbolMap::default(),
            hidden: Vec::new(),
            open: Vec::new(),
        };
        match &item.kind {
            ItemKind::Clause { clause, .. } => builder.open.push(Step::Clause(clause)),
            ItemKind::Term(term) => builder.open.push(Step::Term(*term)),
            _ => {}
        }
        builder.run();
        builder.made
    }

    /// All that is bound, in the order of the text; the position is the number in [`LocalId`].
    pub fn binders(&self) -> &[Binder] {
        &self.binders
    }

    /// What binds a local; `None` for one of another item.
    pub fn binder(&self, local: LocalId) -> Option<&Binder> {
        self.binders.get(local.0 as usize)
    }

    /// The local that is bound by the name at a node.
    pub fn bound_at(&self, binder: NodeId) -> Option<LocalId> {
        let position = self.binders.iter().position(|one| one.name.id == binder)?;
        Some(LocalId(position as u32))
    }

    /// The local that a pattern itself binds, its parts aside.
    pub fn bound_by_pattern(&self, pattern: PatternId) -> Option<LocalId> {
        self.patterns.get(pattern).copied()
    }

    /// The local that a `let` binds.
    pub fn bound_by_let(&self, term: TermId) -> Option<LocalId> {
        self.lets.get(term).copied()
    }

    /// The local that a term, a name, reads; `None` if it means a definition, or nothing.
    pub fn read_by(&self, term: TermId) -> Option<LocalId> {
        self.reads.get(term).copied()
    }

    /// The names that read a local, in no order.
    pub fn reads_of(&self, local: LocalId) -> impl Iterator<Item = TermId> + '_ {
        let reads = self.reads.iter();
        reads.filter_map(move |(term, read)| (*read == local).then_some(term))
    }

    /// The locals around a term, the innermost first; those that another hides are among them.
    fn around(&self, term: TermId) -> impl Iterator<Item = &Binder> + '_ {
        let innermost = self.around.get(term).copied();
        let scopes = successors(innermost, |scope| self.scopes[*scope].around);
        scopes
            .flat_map(|scope| self.scopes[scope].binders.clone().rev())
            .filter_map(|local| self.binder(LocalId(local)))
            .filter(|binder| !binder.is_shadowed)
    }

    /// The locals that a name in the place of a term can read, the innermost first.
    pub fn seen_at(&self, term: TermId) -> impl Iterator<Item = &Binder> + '_ {
        let mut known = HashSet::new();
        self.around(term)
            .filter(move |binder| known.insert(binder.name.symbol))
    }

    /// The local that a name would read in the place of a term.
    pub fn local_at(&self, term: TermId, name: Symbol) -> Option<&Binder> {
        self.around(term).find(|binder| binder.name.symbol == name)
    }

    /// Whether a name in the place of a term would read the local that `binder` binds.
    pub fn sees(&self, term: TermId, binder: &Name) -> bool {
        self.local_at(term, binder.symbol)
            .is_some_and(|local| local.name.id == binder.id)
    }

    /// The names of the locals that a name in the place of a term can read, the innermost first.
    pub fn names_at(&self, term: TermId) -> Vec<Symbol> {
        self.seen_at(term)
            .map(|binder| binder.name.symbol)
            .collect()
    }
}

/// What is still to be walked over.
enum Step<'a> {
    Term(TermId),
    Clause(&'a Clause),
    /// The `let` whose bound term has been walked over.
    Let(TermId),
    /// The end of a scope.
    Leave {
        around: Option<Idx<Scope>>,
        hidden: usize,
    },
}

/// One walk over an item, with an explicit stack: `let x = a in let y = b in …` is as deep as it
/// is long.
struct Builder<'a, D> {
    item: &'a Item,
    definition: D,
    made: Scopes,
    /// The scope at work.
    here: Option<Idx<Scope>>,
    /// The innermost local of each name.
    visible: SymbolMap<LocalId>,
    /// What `visible` held before each binding, to go back to.
    hidden: Vec<(Symbol, Option<LocalId>)>,
    open: Vec<Step<'a>>,
}

impl<'a, D: FnMut(Symbol) -> Option<TermDef>> Builder<'a, D> {
    fn run(&mut self) {
        while let Some(step) = self.open.pop() {
            match step {
                Step::Term(term) => self.term(term),
                Step::Clause(clause) => self.clause(clause),
                Step::Let(term) => self.body_of_let(term),
                Step::Leave { around, hidden } => {
                    self.here = around;
                    for (name, before) in self.hidden.drain(hidden..).rev() {
                        match before {
                            Some(before) => self.visible.insert(name, before),
                            None => self.visible.remove(&name),
                        };
                    }
                }
            }
        }
    }

    fn term(&mut self, term: TermId) {
        if let Some(here) = self.here {
            self.made.around.insert(term, here);
        }
        match &self.item.terms[term].kind {
            TermKind::Name(name) => {
                if let Some(local) = self.visible.get(&name.symbol).copied() {
                    self.made.reads.insert(term, local);
                    if let Some(binder) = self.made.binders.get_mut(local.0 as usize) {
                        binder.is_used = true;
                    }
                }
            }
            TermKind::Let { bound, .. } => {
                self.open.push(Step::Let(term));
                self.open.push(Step::Term(*bound));
            }
            kind => {
                let parts = kind.parts();
                let clauses = parts.clauses.iter().rev().map(Step::Clause);
                self.open.extend(clauses);
                self.open.extend(parts.direct().rev().map(Step::Term));
            }
        }
    }

    fn body_of_let(&mut self, term: TermId) {
        let TermKind::Let { name, body, .. } = &self.item.terms[term].kind else {
            return;
        };
        let mark = self.made.binders.len();
        let hidden = self.hidden.len();
        if let Some(local) = self.bind(*name, LocalKind::Let) {
            self.made.lets.insert(term, local);
        }
        self.enter(mark, hidden, *body);
    }

    fn clause(&mut self, clause: &Clause) {
        let mark = self.made.binders.len();
        let hidden = self.hidden.len();
        for pattern in self.item.patterns_of(clause) {
            let kind = &self.item.patterns[pattern].kind;
            let Some(name) = kind.binder() else { continue };
            let kind = match kind {
                PatternKind::Command { .. } => LocalKind::Continuation,
                PatternKind::CatchAll(_) => LocalKind::CatchAll,
                _ => LocalKind::Pattern,
            };
            if let Some(local) = self.bind(*name, kind) {
                self.made.patterns.insert(pattern, local);
            }
        }
        self.enter(mark, hidden, clause.body);
    }

    /// Goes on with a term, for which the binders from `mark` on have been made.
    fn enter(&mut self, mark: usize, hidden: usize, body: TermId) {
        let end = self.made.binders.len();
        if end > mark {
            let around = self.here;
            self.open.push(Step::Leave { around, hidden });
            self.here = Some(self.made.scopes.alloc(Scope {
                around,
                binders: mark as u32..end as u32,
            }));
        }
        self.open.push(Step::Term(body));
    }

    /// Binds a name; gives `None` where it binds nothing.
    fn bind(&mut self, name: Name, kind: LocalKind) -> Option<LocalId> {
        if name.symbol.is_wildcard() {
            return None;
        }
        let is_shadowed = match (self.definition)(name.symbol) {
            Some(TermDef::Constructor(_)) => match kind {
                LocalKind::Let | LocalKind::Pattern => return None,
                LocalKind::Continuation | LocalKind::CatchAll => true,
            },
            Some(TermDef::Command(_)) => true,
            Some(TermDef::Operator(_)) | None => false,
        };
        let local = LocalId(self.made.binders.len() as u32);
        self.made.binders.push(Binder {
            name,
            kind,
            is_shadowed,
            is_used: false,
        });
        if !is_shadowed {
            let before = self.visible.insert(name.symbol, local);
            self.hidden.push((name.symbol, before));
        }
        Some(local)
    }
}
