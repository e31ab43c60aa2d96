//! Clauses, of operators and in braces, and what they have in common.

use frank_analysis::db::{ItemSource, has_syntax_errors};
use frank_analysis::types::Port;
use frank_syntax::ast::{Clause, ItemKind, PatternId, PatternKind, TermId, TermKind};
use text_size::TextRange;

use super::site::Site;
use crate::view::innermost_clause;

/// The clause that a place is in.
#[derive(Clone, Copy)]
pub(super) struct ClauseSite<'a> {
    pub clause: &'a Clause,
    /// The braces around it; `None` for a clause of an operator.
    pub thunk: Option<TermId>,
    /// Which of the thunk's clauses it is.
    pub index: usize,
}

impl<'a> ClauseSite<'a> {
    /// The innermost clause around the selection.
    pub fn at(site: &Site<'a>) -> Option<ClauseSite<'a>> {
        let (clause, thunk) = innermost_clause(&site.path())?;
        let index = match thunk.map(|thunk| site.kind(thunk)) {
            Some(TermKind::Thunk { clauses }) => {
                clauses.iter().position(|other| other.id == clause.id)?
            }
            _ => 0,
        };
        Some(ClauseSite {
            clause,
            thunk,
            index,
        })
    }

    /// The clause with all that belongs to it.
    pub fn range(&self, site: &Site<'_>) -> TextRange {
        match self.thunk {
            None => site.view.range(site.item().id),
            Some(_) => site
                .view
                .range(self.clause.id)
                .cover(site.outer(self.clause.body)),
        }
    }

    /// The clauses beside it, itself included, in order.
    pub fn siblings(&self, site: &Site<'a>) -> &'a [Clause] {
        match self.thunk.map(|thunk| site.kind(thunk)) {
            Some(TermKind::Thunk { clauses }) => clauses,
            _ => std::slice::from_ref(self.clause),
        }
    }

    /// The port that a pattern of the clause stands for.
    pub fn port(&self, site: &Site<'_>, index: usize) -> Option<Port> {
        let typed = site.typed.as_ref()?;
        let computation = match self.thunk {
            Some(thunk) => typed.computation(*typed.body().thunks.get(thunk)?)?,
            None => typed.inference.computation.as_ref()?,
        };
        computation.ports.get(index).cloned()
    }

    /// Clauses in the place of one.
    pub fn joined(&self, site: &Site<'_>, clauses: &[String]) -> String {
        match self.thunk {
            None => {
                let range = self.range(site);
                let before = site
                    .text()
                    .get(..usize::from(range.start()))
                    .unwrap_or_default();
                let column = before.len() - before.rfind('\n').map_or(0, |line| line + 1);
                clauses.join(&format!("\n{}", " ".repeat(column)))
            }
            Some(thunk) => clauses.join(match self.is_on_lines(site, thunk, clauses) {
                true => "\n | ",
                false => " | ",
            }),
        }
    }

    /// Whether the clauses in braces stand, or had better stand, on lines of their own.
    fn is_on_lines(&self, site: &Site<'_>, thunk: TermId, clauses: &[String]) -> bool {
        let siblings = self.siblings(site);
        let between = siblings
            .iter()
            .zip(siblings.iter().skip(1))
            .any(|(one, next)| {
                let gap = TextRange::new(
                    site.view.range(one.id).end(),
                    site.view
                        .range(next.id)
                        .start()
                        .max(site.view.range(one.id).end()),
                );
                site.slice(gap).contains('\n')
            });
        let alone = siblings.len() == 1 && site.slice(site.inner(thunk)).contains('\n');
        let long: usize = clauses
            .iter()
            .map(|clause| clause.chars().count() + 3)
            .sum();
        between || alone || long > 70
    }
}

/// A clause of an operator, as an item of its own.
pub(super) struct OperatorClause<'a> {
    pub site: Site<'a>,
    pub clause: &'a Clause,
}

/// The clauses of the operator that a site belongs to, in order; `None` if one did not parse.
pub(super) fn operator_clauses<'a>(site: &Site<'a>) -> Option<Vec<OperatorClause<'a>>> {
    let operator = site.view.operator()?;
    let items = operator.items(site.view.db());
    items
        .clauses
        .iter()
        .map(|source| operator_clause(site, *source))
        .collect()
}

fn operator_clause<'a>(site: &Site<'a>, source: ItemSource) -> Option<OperatorClause<'a>> {
    if has_syntax_errors(site.view.db(), source) {
        return None;
    }
    let view = site.view.analysis.view(site.scope(), source);
    let ItemKind::Clause { clause, .. } = &view.item().kind else {
        return None;
    };
    Some(OperatorClause {
        site: Site::new(view, TextRange::default())?,
        clause,
    })
}

/// The variable that a pattern is; `None` for a wildcard and for anything else.
pub(super) fn variable(site: &Site<'_>, pattern: PatternId) -> Option<frank_syntax::ast::Name> {
    match &site.item().patterns[pattern].kind {
        PatternKind::Name(name) if is_bound(site, name) => Some(*name),
        _ => None,
    }
}

/// Whether a name in a pattern is bound there.
fn is_bound(site: &Site<'_>, name: &frank_syntax::ast::Name) -> bool {
    site.names.iter().any(|other| {
        other.node == name.id
            && matches!(other.def, crate::names::Def::Local { binder, .. } if binder == name.id)
    })
}

/// Whether a pattern is `_`.
pub(super) fn is_wildcard(site: &Site<'_>, pattern: PatternId) -> bool {
    matches!(&site.item().patterns[pattern].kind, PatternKind::Name(name) if name.symbol.is_wildcard())
}

/// Whether a pattern is a variable or `_`.
pub(super) fn takes_all_values(site: &Site<'_>, pattern: PatternId) -> bool {
    is_wildcard(site, pattern) || variable(site, pattern).is_some()
}
