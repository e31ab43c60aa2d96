//! Type variables that are meant to be types: `int` in the place of `Int`.

use frank_syntax::ast::{NodeId, Symbol, TypeKind};

use super::Reporter;
use super::ability::MOST_RELATED;
use super::places::signature_item;
use super::roots::place;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::hypothesis::Change;
use crate::infer::problem::Problem;
use crate::lower_types::misspelt_type;

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

    /// Any term of the operator, for changes that are about all of it.
    fn any_term(&self) -> Option<(ItemSource, frank_syntax::ast::TermId)> {
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
