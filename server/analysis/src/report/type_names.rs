//! Type variables that are meant to be types: `int` in the place of `Int`, `X` in the place of `Prop X`.

use std::collections::HashMap;

use frank_syntax::ast::{NodeId, Symbol, TypeKind};

use super::Reporter;
use super::ability::MOST_RELATED;
use super::places::signature_item;
use super::roots::{Gathered, place};
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::hypothesis::Change;
use crate::infer::problem::{Expectation, Mark, Problem};
use crate::lower_types::misspelt_type;
use crate::program::DataDef;
use crate::types::{Arg, Ty, TyKind};

/// Problems in which a type variable stands for data of it, or the reverse.
#[derive(Default)]
struct Confusion {
    marks: Vec<Mark>,
    /// The variable is needed, and data of it is there.
    as_needed: bool,
    /// Data of it is needed, and the variable is there.
    as_given: bool,
}

impl Reporter<'_> {
    /// Finds the variables of the signature whose names are nearly those of types, and with which the
    /// clauses would be right if they were.
    pub(super) fn misspelt_types(&mut self, problems: &[Problem]) {
        let Some(operator) = self.operator else {
            return;
        };
        let Some((source, _)) = signature_item(self.db, operator) else {
            return;
        };
        for variable in self.inference.rigid_values.clone() {
            let Some(ty) = misspelt_type(self.db, self.scope, variable) else {
                continue;
            };
            let places = self.type_places(source, variable);
            let Some((body, any)) = self.any_term() else {
                return;
            };
            let Some(trial) = self.try_out(body, any, Change::Mean(variable, ty)) else {
                return;
            };
            if trial.introduced > 0 || trial.solved.is_empty() {
                continue;
            }
            let Some(mut finding) = type_variable(source, &places, variable, ty) else {
                continue;
            };
            let solved = problems
                .iter()
                .filter(|problem| trial.solved.contains(&problem.mark()));
            for problem in solved.take(MOST_RELATED) {
                let note = format!("`{ty}` would fit here, and not any type");
                finding = finding.related(place(self.db, problem), note);
            }
            self.found.push(finding);
            self.settled.extend(trial.solved);
        }
    }

    /// Terms of type `X` where a `Prop X` is needed, and the reverse: the signature has `X` for a type that
    /// is made of it, once.
    pub(super) fn bare_variables(&self, problems: &[Problem], gathered: &mut Gathered) {
        let mut confused: HashMap<(u32, DataDef), Confusion> = HashMap::new();
        for problem in problems {
            let Problem::Mismatch {
                source,
                term,
                expected,
                found,
                origin,
                ..
            } = problem
            else {
                continue;
            };
            // What else is of these types may be lifted, or use another instance.
            let is_declared = matches!(
                origin,
                Expectation::Result | Expectation::ThunkResult { .. }
            ) || term
                .is_some_and(|term| self.port_of_variable(*source, term).is_some());
            if !is_declared {
                continue;
            }
            let (wanted, given) = (self.bare(*expected, *found), self.bare(*found, *expected));
            let Some(pair) = wanted.or(given) else {
                continue;
            };
            let known = confused.entry(pair).or_default();
            known.marks.push(problem.mark());
            known.as_needed |= wanted.is_some();
            known.as_given |= given.is_some();
        }
        for confusion in confused.into_values() {
            // In one direction alone, a value is converted.
            if let ([first, rest @ ..], true, true) = (
                &confusion.marks[..],
                confusion.as_needed,
                confusion.as_given,
            ) {
                gathered.follow(*first, rest.iter().copied());
            }
        }
    }

    /// The variable that one type is, and the data type of it that the other one is.
    fn bare(&self, variable: Ty, data: Ty) -> Option<(u32, DataDef)> {
        let table = &self.inference.table;
        let (TyKind::Variable(index), TyKind::Data(def, args)) =
            (table.kind(variable), table.kind(data))
        else {
            return None;
        };
        let is_it =
            |arg: &Arg| matches!(arg, Arg::Type(ty) if table.head(*ty) == table.head(variable));
        args.iter().any(is_it).then_some((*index, *def))
    }

    /// Any term of the operator, for changes that are about all of it.
    pub(super) fn any_term(&self) -> Option<(ItemSource, frank_syntax::ast::TermId)> {
        self.inference.bodies.iter().find_map(|(source, _)| {
            let (term, _) = item(self.db, *source).terms.iter().next()?;
            Some((*source, term))
        })
    }

    /// Where a name stands for a type in an item, in the order of the text.
    fn type_places(&self, source: ItemSource, wanted: Symbol) -> Vec<NodeId> {
        let types = item(self.db, source).types.iter();
        let mut places: Vec<NodeId> = types
            .filter_map(|(_, ty)| match &ty.kind {
                TypeKind::Name { name, .. } if name.symbol == wanted => Some(name.id),
                _ => None,
            })
            .collect();
        places.sort_by_key(|node| Location::node(source, *node).in_item(self.db).start());
        places
    }
}

fn type_variable(
    source: ItemSource,
    places: &[NodeId],
    variable: Symbol,
    ty: Symbol,
) -> Option<Diagnostic> {
    let at = Location::node(source, *places.first()?);
    let edits = places.iter().map(|node| Edit {
        location: Location::node(source, *node),
        position: Position::Replace,
        text: ty.to_string(),
    });
    let problem = Diagnostic::new(
        Code::UnknownType,
        at,
        format!("there is no type `{variable}`, so it is a type variable here, which stands for any type"),
    )
    .may_follow_from(variable)
    .help(format!("did you mean `{ty}`?"))
    .fix(Fix {
        title: format!("write `{ty}`"),
        edits: edits.collect(),
        safe: true,
    });
    Some(problem)
}
