//! What stands around a term: the terms and clauses that it is part of, and the names that they
//! bind. Made for an item when a message about one of its terms needs it.

use frank_syntax::ast::{
    BinaryOperator, Clause, Item, ItemKind, PatternId, PatternKind, Symbol, TermId, TermKind,
};
use la_arena::ArenaMap;

/// What a term is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parent {
    Term(TermId),
    /// The term is the body of a clause of a thunk.
    Clause {
        thunk: TermId,
        index: usize,
    },
}

/// The parents of all terms of an item.
#[derive(Debug)]
pub struct Surroundings {
    parents: ArenaMap<TermId, Parent>,
}

impl Surroundings {
    pub fn new(item: &Item) -> Surroundings {
        let mut parents = ArenaMap::default();
        for (term, data) in item.terms.iter() {
            let mut child = |child: TermId| {
                parents.insert(child, Parent::Term(term));
            };
            match &data.kind {
                TermKind::Apply { head, args } => {
                    child(*head);
                    args.iter().copied().for_each(child);
                }
                TermKind::Adapted { body, .. } => child(*body),
                TermKind::Let { bound, body, .. } => {
                    child(*bound);
                    child(*body);
                }
                TermKind::Sequence { first, second } => {
                    child(*first);
                    child(*second);
                }
                TermKind::Binary { left, right, .. } => {
                    child(*left);
                    child(*right);
                }
                TermKind::Negate(operand) => child(*operand),
                TermKind::List(elements) => elements.iter().copied().for_each(child),
                TermKind::Thunk { clauses } => {
                    for (index, clause) in clauses.iter().enumerate() {
                        parents.insert(clause.body, Parent::Clause { thunk: term, index });
                    }
                }
                TermKind::Name(_)
                | TermKind::Natural(_)
                | TermKind::Float(_)
                | TermKind::Char(_)
                | TermKind::String(_)
                | TermKind::Missing => {}
            }
        }
        Surroundings { parents }
    }

    /// What a term is part of; `None` for the body of an operator's clause.
    pub fn parent(&self, term: TermId) -> Option<Parent> {
        self.parents.get(term).copied()
    }

    /// The terms that a term is part of, from the inside.
    pub fn ancestors(&self, term: TermId) -> impl Iterator<Item = TermId> + '_ {
        let up = |term: &TermId| match self.parent(*term)? {
            Parent::Term(parent) => Some(parent),
            Parent::Clause { thunk, .. } => Some(thunk),
        };
        std::iter::successors(up(&term), move |term| up(term))
    }

    /// The innermost thunk that a term is part of.
    pub fn thunk_around(&self, term: TermId) -> Option<TermId> {
        let mut term = term;
        loop {
            match self.parent(term)? {
                Parent::Term(parent) => term = parent,
                Parent::Clause { thunk, .. } => return Some(thunk),
            }
        }
    }

    /// The call that a term is an argument of, and which one.
    pub fn argument_of(&self, item: &Item, term: TermId) -> Option<(TermId, usize)> {
        let Some(Parent::Term(call)) = self.parent(term) else {
            return None;
        };
        let TermKind::Apply { args, .. } = &item.terms[call].kind else {
            return None;
        };
        let index = args.iter().position(|arg| *arg == term)?;
        Some((call, index))
    }

    /// Whether a use in the place of a term needs parentheses around it.
    pub fn needs_parentheses(&self, item: &Item, term: TermId) -> bool {
        match self.parent(term) {
            Some(Parent::Term(parent)) => {
                matches!(
                    item.terms[parent].kind,
                    TermKind::Apply { .. } | TermKind::Adapted { .. }
                )
            }
            Some(Parent::Clause { .. }) | None => false,
        }
    }

    /// The names of the local variables that a term sees.
    pub fn names_at(&self, item: &Item, term: TermId) -> Vec<Symbol> {
        let mut names = Vec::new();
        let mut child = term;
        loop {
            match self.parent(child) {
                Some(Parent::Term(parent)) => {
                    if let TermKind::Let { name, body, .. } = &item.terms[parent].kind
                        && *body == child
                    {
                        names.push(name.symbol);
                    }
                    child = parent;
                }
                Some(Parent::Clause { thunk, index }) => {
                    if let TermKind::Thunk { clauses } = &item.terms[thunk].kind
                        && let Some(clause) = clauses.get(index)
                    {
                        clause_names(item, clause, &mut names);
                    }
                    child = thunk;
                }
                None => break,
            }
        }
        if let ItemKind::Clause { clause, .. } = &item.kind {
            clause_names(item, clause, &mut names);
        }
        names
    }
}

fn clause_names(item: &Item, clause: &Clause, names: &mut Vec<Symbol>) {
    let mut stack: Vec<PatternId> = clause.patterns.clone();
    while let Some(pattern) = stack.pop() {
        match &item.patterns[pattern].kind {
            PatternKind::Name(name) | PatternKind::CatchAll(name) => names.push(name.symbol),
            PatternKind::Constructor { args, .. } => stack.extend(args),
            PatternKind::Command {
                args, continuation, ..
            } => {
                stack.extend(args);
                names.push(continuation.symbol);
            }
            PatternKind::List(parts) => stack.extend(parts),
            PatternKind::Cons { head, tail } => stack.extend([head, tail]),
            PatternKind::Integer(_)
            | PatternKind::Char(_)
            | PatternKind::String(_)
            | PatternKind::Missing => {}
        }
    }
}

/// Whether a term is a single word or stands in brackets of its own, so that it can be an
/// argument as it is.
pub fn is_atomic(item: &Item, term: TermId) -> bool {
    match &item.terms[term].kind {
        TermKind::Name(_)
        | TermKind::Thunk { .. }
        | TermKind::Natural(_)
        | TermKind::Float(_)
        | TermKind::Char(_)
        | TermKind::String(_)
        | TermKind::List(_)
        | TermKind::Missing => true,
        TermKind::Apply { args, head } => args.is_empty() && is_name(item, *head),
        TermKind::Adapted { .. }
        | TermKind::Let { .. }
        | TermKind::Sequence { .. }
        | TermKind::Binary { .. }
        | TermKind::Negate(_) => false,
    }
}

/// Whether a term is a use: a name, a call, or one of them under adaptors.
pub fn is_use(item: &Item, term: TermId) -> bool {
    matches!(
        item.terms[term].kind,
        TermKind::Name(_) | TermKind::Apply { .. } | TermKind::Adapted { .. }
    )
}

fn is_name(item: &Item, term: TermId) -> bool {
    matches!(item.terms[term].kind, TermKind::Name(_))
}

/// Whether a term is a comparison or arithmetic.
pub fn is_arithmetic(item: &Item, term: TermId) -> bool {
    matches!(
        &item.terms[term].kind,
        TermKind::Binary { operator, .. } if *operator != BinaryOperator::Cons
    )
}

/// Whether a term is a comparison.
pub fn is_comparison(item: &Item, term: TermId) -> bool {
    use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(
        &item.terms[term].kind,
        TermKind::Binary {
            operator: Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual,
            ..
        }
    )
}
