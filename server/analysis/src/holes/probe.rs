//! What is known around a hole, in a form in which things can be tried: each try is taken back.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use frank_syntax::ast::{Item, ItemKind, Name, NodeId, PatternKind, TermId, TermKind};

use super::holes;
use super::literals::Literals;
use super::undecided::miscount;
use crate::db::{Db, ItemSource, SourceFile, item};
use crate::declarations::sound_signature;
use crate::infer::table::Table;
use crate::infer::{Body, Inference, Resolved, ResolvedPattern, infer_operator};
use crate::program::{CommandDef, Definition, InterfaceDef, OperatorDef, TermDef};
use crate::report::visible_names;
use crate::scopes::LocalId;
use crate::surroundings::{Parent, Surroundings};
use crate::types::{Ability, Port, Signature, Ty, TyKind};

/// A local variable that a term at the hole may use.
#[derive(Debug, Clone)]
pub(super) struct SearchLocal {
    pub name: String,
    pub ty: Ty,
    /// A part of what the clause takes apart, or what a computation in braces takes: smaller than the arguments.
    pub is_part: bool,
    /// Of two locals the one that is bound first has the smaller number.
    pub order: isize,
    /// Whether the clause uses it elsewhere, or may do so at another hole, so that nothing is missing where the term does not.
    pub is_used: bool,
}

/// What a term must be.
#[derive(Debug, Clone)]
pub struct Subgoal {
    pub ty: Ty,
    /// The ability in which it is evaluated.
    pub ambient: Ability,
    pub(super) locals: Rc<Vec<SearchLocal>>,
    /// The operation that it is an operand of.
    pub(super) operand_of: Option<(&'static str, Side)>,
    /// Whether it is evaluated when the operator at hand is called, and not perhaps later.
    pub(super) at_once: bool,
    /// The command that the clause is for, if there is one.
    pub(super) handled: Option<CommandDef>,
    /// The variable with which a call of the operator itself, that the hole is in, would be the call that runs already.
    pub(super) unchanged: Option<String>,
}

/// Of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Subgoal {
    /// What a part of a term must be, where the same locals are in sight.
    pub(super) fn part(&self, ty: Ty, ambient: Ability) -> Subgoal {
        Subgoal {
            ty,
            ambient,
            locals: self.locals.clone(),
            operand_of: None,
            at_once: self.at_once,
            handled: self.handled,
            unchanged: None,
        }
    }

    /// Whether a term would make the operator call itself with what it was given, and never end.
    pub(super) fn goes_round_with(&self, term: &str) -> bool {
        self.unchanged.as_deref() == Some(term)
    }
}

/// An operator that has holes, with a table of types that is its own.
pub struct Probe<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) scope: SourceFile,
    pub(super) operator: OperatorDef,
    inference: Inference,
    /// The operators that lift, once somebody has asked.
    lifting: Option<Vec<(String, Arc<Signature>)>>,
    /// The literals that a term may have.
    pub(super) literals: Literals,
}

impl<'db> Probe<'db> {
    /// Checks the operator again; `None` if there is none.
    pub fn new(db: &'db dyn Db, operator: OperatorDef) -> Option<Probe<'db>> {
        let inference = infer_operator(db, operator)?;
        Some(Probe {
            db,
            scope: operator.0.scope,
            operator,
            inference,
            lifting: None,
            literals: Literals::default(),
        })
    }

    /// The operator that is probed.
    pub fn operator(&self) -> OperatorDef {
        self.operator
    }

    /// What the checker knows of a clause.
    pub fn body(&self, source: ItemSource) -> Option<&Body> {
        self.inference.body(source)
    }

    /// What a hole of a clause must be; `None` if it is no hole.
    pub fn goal(&self, source: ItemSource, hole: TermId) -> Option<Subgoal> {
        let body = self.inference.body(source)?;
        if body.names.get(hole) != Some(&Resolved::Hole) {
            return None;
        }
        let clause = item(self.db, source);
        let around = Surroundings::new(clause);
        let whole = whole_arguments(clause);
        let has_others = holes(body).any(|other| other != hole);
        let used: HashSet<LocalId> = body
            .names
            .iter()
            .filter_map(|(_, resolved)| match resolved {
                Resolved::Local(local) => Some(*local),
                _ => None,
            })
            .collect();
        let mut locals = Vec::new();
        for (distance, binder) in body.scopes.seen_at(hole).enumerate() {
            let local = body.locals.iter().find(|one| one.node == binder.name.id);
            if let Some(local) = local
                && !local.name.is_wildcard()
            {
                locals.push(SearchLocal {
                    name: local.name.to_string(),
                    ty: local.ty,
                    is_part: !whole.contains(&local.node),
                    order: -distance.cast_signed(),
                    is_used: has_others
                        || body
                            .scopes
                            .bound_at(local.node)
                            .is_some_and(|local| used.contains(&local)),
                });
            }
        }
        Some(Subgoal {
            ty: body.types.get(hole).copied()?,
            ambient: body.ambient.get(hole).copied()?,
            // Of several readings of a call none is there to say what fits.
            locals: match miscount(self.db, &self.inference, clause, &around, body, hole).is_some()
            {
                true => Rc::default(),
                false => Rc::new(locals),
            },
            operand_of: None,
            at_once: around.thunk_around(hole).is_none(),
            handled: handled(clause, body),
            unchanged: self.unchanged(clause, &around, body, hole),
        })
    }

    /// The variable of a clause that would make the call of the operator itself, that a hole is an argument of, the call that
    /// runs already: all other arguments are what the clause was given. One that performs anything may be meant to go round.
    fn unchanged(
        &self,
        item: &Item,
        around: &Surroundings,
        body: &Body,
        hole: TermId,
    ) -> Option<String> {
        let (ItemKind::Clause { clause, .. }, Some(Parent::Term(parent))) =
            (&item.kind, around.parent(hole))
        else {
            return None;
        };
        let TermKind::Apply { head, args } = &item.terms[parent].kind else {
            return None;
        };
        let is_own =
            body.names.get(*head) == Some(&Resolved::Definition(TermDef::Operator(self.operator)));
        if !is_own || args.len() != clause.patterns.len() || self.performs() {
            return None;
        }
        let mut found = None;
        for (arg, pattern) in args.iter().zip(&clause.patterns) {
            let PatternKind::Name(name) = &item.patterns[*pattern].kind else {
                return None;
            };
            let given = body.scopes.bound_at(name.id)?;
            if *arg == hole {
                let seen = |name: &Name| body.scopes.sees(hole, name);
                found = seen(name).then(|| name.symbol.to_string());
            } else if body.names.get(*arg) != Some(&Resolved::Local(given)) {
                return None;
            }
        }
        found
    }

    /// Whether the operator may perform anything, by its signature: a command, or what it is given.
    fn performs(&self) -> bool {
        let table = &self.inference.table;
        self.inference.computation.as_ref().is_none_or(|own| {
            let given = |port: &Port| {
                !port.adjustments.is_empty()
                    || matches!(table.kind(port.ty), TyKind::Computation(_))
            };
            !table.row(own.ability).instances.is_empty() || own.ports.iter().any(given)
        })
    }

    /// Lets terms have the numbers of an item, too.
    pub fn admit_numbers_of(&mut self, item: &Item) {
        for (_, term) in item.terms.iter() {
            self.literals.admit(&term.kind);
        }
    }

    /// Lets terms have a natural number, too.
    pub fn admit_natural(&mut self, number: u64) {
        self.literals.admit(&TermKind::Natural(Some(number)));
    }

    pub(super) fn table(&mut self) -> &mut Table {
        &mut self.inference.table
    }

    /// Tries something, and leaves the types as they were.
    pub(super) fn trial<T>(&mut self, attempt: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.table().snapshot();
        let result = attempt(self);
        self.table().rollback(before);
        result
    }

    /// The interfaces of an ability, each once.
    pub(super) fn interfaces(&self, ability: Ability) -> Vec<InterfaceDef> {
        let mut found = Vec::new();
        for instance in self.inference.table.row(ability).instances.iter() {
            if !found.contains(&instance.interface) {
                found.push(instance.interface);
            }
        }
        found
    }

    /// The operators in sight named `lift…` that take one value.
    pub(super) fn lifting_operators(&mut self) -> Vec<(String, Arc<Signature>)> {
        let (db, scope) = (self.db, self.scope);
        let lifting = self.lifting.get_or_insert_with(|| {
            let named = visible_names(db, scope).iter();
            let named = named.filter(|(name, _)| name.as_str().starts_with("lift"));
            let signatures = named.filter_map(|(_, definition)| match definition {
                TermDef::Operator(operator) => {
                    let Definition { scope, name } = operator.0;
                    let signature = sound_signature(db, scope, name).clone()?;
                    let takes_one = signature.computation.ports.len() == 1;
                    takes_one.then(|| (name.to_string(), signature))
                }
                _ => None,
            });
            signatures.collect()
        });
        lifting.clone()
    }
}

/// The command that a clause of an operator is for, if there is one.
fn handled(item: &Item, body: &Body) -> Option<CommandDef> {
    let ItemKind::Clause { clause, .. } = &item.kind else {
        return None;
    };
    let mut patterns = clause.patterns.iter();
    patterns.find_map(|pattern| match body.patterns.get(*pattern) {
        Some(ResolvedPattern::Command { command, .. }) => Some(*command),
        _ => None,
    })
}

/// The variables that are the whole patterns of an operator's ports.
fn whole_arguments(item: &Item) -> Vec<NodeId> {
    let ItemKind::Clause { clause, .. } = &item.kind else {
        return Vec::new();
    };
    let patterns = clause.patterns.iter();
    let names = patterns.filter_map(|pattern| match &item.patterns[*pattern].kind {
        PatternKind::Name(name) | PatternKind::CatchAll(name) => Some(name.id),
        _ => None,
    });
    names.collect()
}
