//! What stands around a term: the terms and clauses that it is part of. Made for an item when a
//! message about one of its terms needs it.

use frank_syntax::ast::{BinaryOperator, Item, TermId, TermKind};
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
    /// Looks at every term of an item once.
    pub fn new(item: &Item) -> Surroundings {
        let mut parents = ArenaMap::default();
        for (term, data) in item.terms.iter() {
            let parts = data.kind.parts();
            for child in parts.direct() {
                parents.insert(child, Parent::Term(term));
            }
            for (index, clause) in parts.clauses.iter().enumerate() {
                parents.insert(clause.body, Parent::Clause { thunk: term, index });
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
