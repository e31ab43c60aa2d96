//! Operators and commands that make what is needed of what is there: `new n`, `await p`, `c 1.0`.

use frank_syntax::ast::{BinaryOperator, ParamKind, Symbol, TermId, TermKind};

use super::Reporter;
use super::mismatch::Mismatch;
use super::places::visible_names;
use super::rows;
use super::words::{article, listed};
use crate::db::item;
use crate::declarations::{interface, sound_signature};
use crate::diagnostics::{Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::split_args;
use crate::program::{CommandDef, Definition, OperatorDef, TermDef};
use crate::surroundings::is_comparison;
use crate::truth_values::truth_values;
use crate::types::{Arg, Computation, Port, Replacement, Ty, TyKind};

/// Of more than so many nobody knows which is meant.
const MOST: usize = 3;

/// Data of these types is made in so many ways that none is more likely than others.
const COMMON: &[&str] = &["List", "Bool", "Unit", "Pair", "Maybe"];

/// How an operator compares two values.
#[derive(Debug, Clone, Copy)]
enum Compared {
    /// They are all that it takes.
    Whole,
    /// What compares two of their items stands before them.
    ByItems,
}

impl Reporter<'_> {
    /// Names what is in sight and makes what is needed of a term, where nothing else has been said of it.
    pub(super) fn made_by_a_call(
        &mut self,
        problem: Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Diagnostic {
        let (found, needed) = (mismatch.found, mismatch.expected);
        // Of a number that is being differentiated, parts have lost the derivative.
        let is_differentiated = {
            let shown = self.ty(found);
            let row = self.inference.table.row(mismatch.ambient);
            let mut args = row.instances.iter().flat_map(|one| one.args.iter());
            args.any(|arg| matches!(arg, Arg::Type(ty) if self.ty(*ty) == shown))
        };
        if is_differentiated {
            return problem;
        }
        let is_said = !problem.help.is_empty() || !problem.fixes.is_empty();
        if is_said || !(self.is_special(found) || self.is_special(needed)) {
            return problem;
        }
        let hidden = self.locals_at(mismatch.source, term);
        let names = visible_names(self.db, self.scope).iter();
        let is_possible = |(name, definition): &&(Symbol, TermDef)| {
            let is_own =
                matches!(definition, TermDef::Operator(one) if Some(*one) == self.operator);
            !is_own && !hidden.contains(name)
        };
        let possible: Vec<(Symbol, TermDef)> = names.filter(is_possible).copied().collect();
        let mut fitting: Vec<(Symbol, TermDef)> = possible
            .into_iter()
            .filter(|(_, definition)| self.makes(*definition, mismatch))
            .collect();
        // What the program itself defines is likelier.
        let is_own = |one: &(Symbol, TermDef)| one.1.scope() == self.scope;
        if fitting.iter().any(is_own) {
            fitting.retain(is_own);
        }
        let names: Vec<String> = fitting
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let makes = match names.len() {
            0 => return problem,
            1 => "makes",
            2..=MOST => "make",
            _ => return problem,
        };
        let problem = problem.help(format!(
            "{} {makes} {} of it",
            listed(&names, MOST),
            article(&self.ty(needed))
        ));
        match &fitting[..] {
            [(name, _)] => self.applied(problem, mismatch, term, name.as_str()),
            _ => problem,
        }
    }

    /// Names the operators in sight that compare two values of a type.
    pub(super) fn compared_by(
        &mut self,
        problem: Diagnostic,
        (ty, operation): (Ty, TermId),
    ) -> Diagnostic {
        let is_truth = matches!(self.inference.table.kind(ty), TyKind::Data(data, _)
            if *data == truth_values(self.db, self.scope).data);
        if is_truth {
            return self.compared_truths(problem, operation);
        }
        let names = visible_names(self.db, self.scope).iter();
        let operators: Vec<OperatorDef> = names
            .filter_map(|(_, definition)| match definition {
                TermDef::Operator(operator) => Some(*operator),
                TermDef::Constructor(_) | TermDef::Command(_) => None,
            })
            .collect();
        let mut named = |compared| -> Vec<String> {
            let operators = operators.iter().copied();
            let comparing = operators.filter(|one| self.compares(*one, ty, compared));
            comparing.map(|one| format!("`{}`", one.0.name)).collect()
        };
        let (whole, by_items) = (named(Compared::Whole), named(Compared::ByItems));
        let is_few = |names: &[String]| (1..=MOST).contains(&names.len());
        if is_few(&whole) {
            let names = listed(&whole, MOST);
            return problem.help(format!("two of these are compared by {names}"));
        }
        if is_few(&by_items) {
            let names = listed(&by_items, MOST);
            return problem.help(format!(
                "two of these are compared by {names}, whose first argument compares two of their items"
            ));
        }
        let by_value = self.compared_as_numbers(problem.location.item, operation, ty);
        problem.help(by_value.unwrap_or_else(|| {
            "these are compared by an operator with a clause for each constructor".to_owned()
        }))
    }

    /// How truth values are compared, and that `0 < x < 10` compares one.
    fn compared_truths(&self, problem: Diagnostic, operation: TermId) -> Diagnostic {
        let source = problem.location.item;
        let item = item(self.db, source);
        let TermKind::Binary {
            left,
            right,
            operator,
            operator_id,
        } = &item.terms[operation].kind
        else {
            return problem;
        };
        let text = |term: TermId| {
            self.term_text(source, term)
                .unwrap_or_else(|| "…".to_owned())
        };
        let is_truth_value = self.definition_of(source, *right).is_some_and(|definition| {
            let truth = truth_values(self.db, self.scope);
            matches!(definition, TermDef::Constructor(one) if [truth.true_, truth.false_].contains(&one))
        });
        if let TermKind::Binary { right: middle, .. } = &item.terms[*left].kind
            && is_comparison(item, *left)
            && !self.is_parenthesised(source, *left)
            && !is_truth_value
        {
            let shown = |node| {
                let range = Location::node(source, node).in_item(self.db);
                let text = source
                    .text(self.db)
                    .get(range.start().into()..range.end().into());
                text.unwrap_or_default()
            };
            let both = format!(
                "and ({}) ({} {} {})",
                text(*left),
                text(*middle),
                shown(*operator_id),
                text(*right)
            );
            let at = Location::node(source, item.terms[operation].id);
            let problem = problem.help(format!(
                "a comparison gives a truth value: `{both}`, with the prelude's `and`, compares twice"
            ));
            return match both.contains('…') {
                true => problem,
                false => problem.fix(Fix {
                    safe: false,
                    ..fixes::replace(at, &both, format!("write `{both}`"))
                }),
            };
        }
        match operator {
            BinaryOperator::Equal => problem.help(
                "`b == true` is `b`; of two truth values, `if a {b} {not b}`, from the prelude, says whether \
                 they are equal",
            ),
            BinaryOperator::NotEqual => problem.help(
                "`b != true` is `not b`; of two truth values, `if a {not b} {b}`, from the prelude, says \
                 whether they differ",
            ),
            _ => problem.help("truth values have no order"),
        }
    }

    /// Whether an operator compares two values of a type.
    fn compares(&mut self, operator: OperatorDef, ty: Ty, compared: Compared) -> bool {
        let Definition { scope, name } = operator.0;
        let Some(declared) = sound_signature(self.db, scope, name).as_ref() else {
            return false;
        };
        let types = &declared.types;
        let computation = &declared.computation;
        let gives_bool = |computation: &Computation| match types.kind(computation.result) {
            TyKind::Data(data, _) => data.0.name.as_str() == "Bool",
            _ => false,
        };
        let takes_data = |port: &Port| matches!(types.kind(port.ty), TyKind::Data(..));
        let values = match (&computation.ports[..], compared) {
            ([..], Compared::Whole) => &computation.ports[..],
            ([items, values @ ..], Compared::ByItems)
                if matches!(types.kind(items.ty), TyKind::Computation(one)
                    if one.ports.len() == 2 && gives_bool(one)) =>
            {
                values
            }
            _ => return false,
        };
        if values.len() != 2 || !gives_bool(computation) || !values.iter().all(takes_data) {
            return false;
        }
        let table = &mut self.inference.table;
        let before = table.snapshot();
        let ports = table.instantiate(declared).ports;
        let mut last = ports.iter().rev().take(values.len());
        let fits = last.all(|port| table.unify(port.ty, ty).is_ok());
        table.rollback(before);
        fits
    }

    /// Whether a type is data that few operators make or take.
    fn is_special(&self, ty: Ty) -> bool {
        match self.inference.table.kind(ty) {
            TyKind::Data(data, _) => !COMMON.contains(&data.0.name.as_str()),
            _ => false,
        }
    }

    /// Whether what a definition makes of what is there is what is needed, in the ability here.
    fn makes(&mut self, definition: TermDef, mismatch: Mismatch<'_>) -> bool {
        let before = self.inference.table.snapshot();
        let made = match definition {
            TermDef::Operator(operator) => {
                let Definition { scope, name } = operator.0;
                sound_signature(self.db, scope, name)
                    .as_ref()
                    .filter(|declared| declared.computation.ports.len() == 1)
                    // What gives whatever is needed makes nothing of it: `fail`.
                    .filter(|declared| {
                        let result = declared.types.kind(declared.computation.result);
                        !matches!(result, TyKind::Variable(_))
                    })
                    .and_then(|declared| {
                        let made = self.inference.table.instantiate(declared);
                        let table = &self.inference.table;
                        let (need, have) = (table.row(made.ability), table.row(mismatch.ambient));
                        let mut needed = need.instances.iter();
                        let is_here =
                            needed.all(|one| !rows::instances(&have, one.interface).is_empty());
                        let port = made
                            .ports
                            .first()
                            .filter(|port| port.adjustments.is_empty());
                        Some((port.filter(|_| is_here)?.ty, made.result))
                    })
            }
            TermDef::Command(command) => self.made_by_command(command, mismatch),
            TermDef::Constructor(_) => None,
        };
        let table = &mut self.inference.table;
        let fits = made.is_some_and(|(port, result)| {
            let open = |ty| matches!(table.kind(ty), TyKind::Meta(_));
            // What makes anything of anything, or the same of anything, tells nothing.
            let tells = !(open(port) && (open(result) || !holds(table.kind(result))));
            tells
                && table.unify(port, mismatch.found).is_ok()
                && table.unify(result, mismatch.expected).is_ok()
        });
        table.rollback(before);
        fits
    }

    /// What a command of the active instance of its interface takes and gives, if it takes one argument.
    fn made_by_command(&mut self, command: CommandDef, mismatch: Mismatch<'_>) -> Option<(Ty, Ty)> {
        let Definition { scope, name } = command.interface.0;
        let declared = interface(self.db, scope, name).as_ref()?;
        let own = declared.commands.get(command.index as usize)?;
        let [taken] = own.args[..] else {
            return None;
        };
        let table = &mut self.inference.table;
        let row = table.row(mismatch.ambient);
        let active = row
            .instances
            .iter()
            .rfind(|one| one.interface == command.interface)?;
        let (mut values, mut effects) = split_args(&active.args);
        for (_, kind) in &own.params.all {
            match kind {
                ParamKind::Value => values.push(table.fresh()),
                ParamKind::Effect => effects.push(table.fresh_ability()),
            }
        }
        let with = Replacement {
            values: &values,
            effects: &effects,
        };
        let types = &mut table.types;
        let taken = types.copy(&declared.types, taken, with);
        Some((taken, types.copy(&declared.types, own.result, with)))
    }
}

/// Whether a type holds others.
fn holds(kind: &TyKind) -> bool {
    matches!(kind, TyKind::Data(_, args) if args.iter().any(|arg| matches!(arg, Arg::Type(_))))
}
