//! Numbers of one derivative that another one may come to see: functions to differentiate that
//! reach a place outside of them where their own numbers can be kept. Types tell derivatives
//! inside of one another apart, but not those that follow one another.

use std::collections::{HashMap, HashSet};

use frank_syntax::ast::{BinaryOperator, Clause, Item, ItemKind, Symbol, TermId, TermKind};

use super::Checked;
use crate::db::{Db, ItemSource, item};
use crate::derivatives::parts::Parts;
use crate::derivatives::roles::{Takes, Use, role_of};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::infer::{Body, Inference, Resolved, ResolvedPattern};
use crate::performs::Performs;
use crate::program::{InterfaceDef, TermDef};
use crate::report::words::article;
use crate::scopes::{LocalId, LocalKind};
use crate::show::{MESSAGE_BUDGET, MetaNames, Show};
use crate::surroundings::{Parent, Surroundings};
use crate::types::{Computation, Instance, Ty, TyKind};

/// Reports the functions to differentiate that reach such a place.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    let (db, inference) = (checked.db, checked.inference);
    for (source, body) in &inference.bodies {
        in_item(db, *source, item(db, *source), body, inference, found);
    }
}

fn in_item(
    db: &dyn Db,
    source: ItemSource,
    item: &Item,
    body: &Body,
    inference: &Inference,
    found: &mut Vec<Diagnostic>,
) {
    let mut siblings: Option<Siblings<'_>> = None;
    for (_, term) in item.terms.iter() {
        let TermKind::Apply { head, args } = &term.kind else {
            continue;
        };
        let Some(Resolved::Definition(TermDef::Operator(operator))) = body.names.get(*head) else {
            continue;
        };
        let Some(role) = role_of(db, *operator) else {
            continue;
        };
        let Some(used) = Use::new(role, inference, body, *head) else {
            continue;
        };
        let siblings =
            siblings.get_or_insert_with(|| Siblings::new(db, source, item, body, inference));
        for port in &role.differentiated {
            let (Takes::Function, Some(arg), Some(like)) =
                (port.takes, args.get(port.port), used.function(port))
            else {
                continue;
            };
            let numbers = used.numbers(port);
            if numbers
                .iter()
                .any(|number| is_marked(db, inference, *number))
            {
                continue;
            }
            let mut around = used.around();
            around.retain(|instance| !role.interfaces.contains(&instance.interface));
            let differentiated = Differentiates {
                operator: operator.0.name,
                at: Location::node(source, item.terms[*head].id),
                numbers,
                around,
            };
            for function in siblings.functions(*arg, like) {
                if matches!(item.terms[function].kind, TermKind::Thunk { .. }) {
                    siblings.variables(function, &differentiated, found);
                }
                siblings.commands(function, &differentiated, found);
            }
        }
    }
}

/// Whether numbers are those of `ad-debug`, which carry a mark, and are refused in another run.
fn is_marked(db: &dyn Db, inference: &Inference, number: Ty) -> bool {
    matches!(
        inference.table.kind(number),
        TyKind::Data(data, _) if crate::derivatives::library(db, "ad-debug") == Some(data.0.scope)
    )
}

/// A use of an operator that differentiates functions.
struct Differentiates {
    operator: Symbol,
    at: Location,
    /// The types of its numbers.
    numbers: Vec<Ty>,
    /// The instances that are handled outside of it.
    around: Vec<Instance>,
}

/// Where a variable has its value from.
enum ValueSource {
    /// A `let`, from this term.
    Let(TermId),
    /// A pattern of a function that is an argument beside these.
    Beside(Vec<TermId>),
    /// A pattern of the operator's clause.
    Caller,
}

/// The finder at work on one item.
struct Siblings<'a> {
    source: ItemSource,
    item: &'a Item,
    body: &'a Body,
    inference: &'a Inference,
    parts: Parts<'a>,
    performs: Performs<'a>,
    surroundings: Surroundings,
    value_sources: HashMap<LocalId, ValueSource>,
}

impl<'a> Siblings<'a> {
    fn new(
        db: &'a dyn Db,
        source: ItemSource,
        item: &'a Item,
        body: &'a Body,
        inference: &'a Inference,
    ) -> Siblings<'a> {
        Siblings {
            source,
            item,
            body,
            inference,
            parts: Parts::new(db, &inference.table),
            performs: Performs::new(db, item, body),
            surroundings: Surroundings::new(item),
            value_sources: value_sources(item, body),
        }
    }

    fn at(&self, term: TermId) -> Location {
        Location::node(self.source, self.item.terms[term].id)
    }

    fn show(&self, ty: Ty) -> String {
        let metas = MetaNames {
            elided: true,
            ..MetaNames::default()
        };
        let show = Show {
            table: &self.inference.table,
            values: &self.inference.rigid_values,
            effects: &self.inference.rigid_effects,
            budget: MESSAGE_BUDGET,
            metas: Some(&metas),
        };
        show.ty(ty)
    }

    /// The functions that an argument gives to be differentiated, as far as this item says which:
    /// those that are written there, in a list or the like, above in a `let`, or beside a function
    /// that is called with them; and names of operators, and of what the operator is given.
    fn functions(&mut self, arg: TermId, like: &Computation) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut open = vec![arg];
        let mut seen: HashSet<TermId> = HashSet::new();
        // Something else may stand beside them.
        let mut mixed = false;
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match &self.item.terms[term].kind {
                TermKind::Thunk { .. } => found.push(term),
                TermKind::Name(_) => match self.body.names.get(term) {
                    Some(Resolved::Local(local)) => match self.value_sources.get(local) {
                        Some(ValueSource::Let(bound)) => open.push(*bound),
                        Some(ValueSource::Beside(others)) => {
                            mixed = true;
                            open.extend(others);
                        }
                        Some(ValueSource::Caller) => found.push(term),
                        None => {}
                    },
                    Some(Resolved::Definition(TermDef::Operator(_) | TermDef::Command(_))) => {
                        found.push(term);
                    }
                    _ => {}
                },
                TermKind::List(elements) => open.extend(elements),
                TermKind::Binary {
                    operator: BinaryOperator::Cons,
                    left,
                    right,
                    ..
                } => open.extend([*left, *right]),
                TermKind::Apply { head, args } => {
                    let head = self.body.names.get(*head);
                    if let Some(Resolved::Definition(TermDef::Constructor(_))) = head {
                        mixed = true;
                        open.extend(args);
                    }
                }
                TermKind::Let { body, .. } => open.push(*body),
                TermKind::Sequence { second, .. } => open.push(*second),
                _ => {}
            }
        }
        if mixed {
            let Siblings { body, parts, .. } = self;
            found.retain(|function| {
                let thunk = body.thunks.get(*function);
                let ty = thunk.or_else(|| body.types.get(*function));
                ty.is_some_and(|ty| parts.alike(*ty, like))
            });
        }
        found.sort_by_key(|function| self.item.terms[*function].id);
        found
    }

    /// The function that a `let` gives a name.
    fn bound_function(&self, local: LocalId) -> Option<TermId> {
        match self.value_sources.get(&local) {
            Some(ValueSource::Let(bound))
                if matches!(self.item.terms[*bound].kind, TermKind::Thunk { .. }) =>
            {
                Some(*bound)
            }
            _ => None,
        }
    }

    /// The variables from outside of a function that can keep its numbers, or bring numbers that
    /// are not its own.
    fn variables(&mut self, function: TermId, by: &Differentiates, found: &mut Vec<Diagnostic>) {
        let operator = by.operator;
        for (local, uses) in self.outer_variables(function, &by.numbers) {
            let Some(variable) = self.body.locals.get(local.0 as usize) else {
                continue;
            };
            let name = variable.name;
            let kept = |number: &&Ty| self.parts.has_cell_for(variable.ty, **number);
            let (used, message, advice) = if let Some(number) = by.numbers.iter().find(kept) {
                let Some(used) = uses.first() else { continue };
                let message = format!(
                    "`{name}` outlives this `{operator}` and can keep its numbers, {}: another \
                     derivative would take them for its own",
                    article(&self.show(*number))
                );
                let advice = [
                    "make the cell inside of the function".to_owned(),
                    self.values_only(*number),
                ];
                (*used, message, advice)
            } else if let Some((used, number)) = self.brought(local, &uses, &by.numbers) {
                let message = format!(
                    "this `{operator}` did not make the number in `{name}`, {}, and would take it \
                     for one of its own",
                    article(&self.show(number))
                );
                (used, message, [lifted(), self.values_only(number)])
            } else {
                continue;
            };
            let problem = Diagnostic::new(Code::SharedNumbers, self.at(used), message)
                .related(by.at, format!("`{operator}` differentiates this function"))
                .related(
                    Location::node(self.source, variable.node),
                    match variable.kind {
                        LocalKind::Let => format!("`{name}` is made here, outside of the function"),
                        _ => format!("`{name}` comes from outside of the function"),
                    },
                );
            add(found, advice.into_iter().fold(problem, Diagnostic::help));
        }
    }

    /// A use of a variable with numbers in it that may go into the function's own arithmetic.
    fn brought(&mut self, local: LocalId, uses: &[TermId], numbers: &[Ty]) -> Option<(TermId, Ty)> {
        let ty = self.body.locals.get(local.0 as usize)?.ty;
        let number = *numbers.iter().find(|own| {
            self.parts.carries(ty, **own)
                || match self.bound_function(local) {
                    Some(written) => self.suspends(written, **own),
                    None => self.parts.brings(ty, **own),
                }
        })?;
        let used = uses.iter().find(|used| self.goes_on(**used, number))?;
        Some((*used, number))
    }

    /// Whether what a name stands for, or gives when it is called, may go on as a number; not if
    /// only its value is taken, as in `v x`.
    fn goes_on(&mut self, name: TermId, number: Ty) -> bool {
        let mut term = name;
        while let Some(Parent::Term(parent)) = self.surroundings.parent(term) {
            match &self.item.terms[parent].kind {
                TermKind::Apply { head, .. } if *head == term => {}
                TermKind::Adapted { .. } => {}
                _ => break,
            }
            term = parent;
        }
        let Some((call, _)) = self.surroundings.argument_of(self.item, term) else {
            return true;
        };
        let TermKind::Apply { head, .. } = &self.item.terms[call].kind else {
            return true;
        };
        let head = self.body.types.get(*head);
        match head.map(|ty| self.inference.table.kind(*ty)) {
            Some(TyKind::Computation(applied)) => self.parts.has(applied.result, number),
            _ => true,
        }
    }

    /// Whether a function without arguments gives a number that is written out with a derivative:
    /// what follows its value is not 0.
    fn suspends(&mut self, function: TermId, number: Ty) -> bool {
        let TermKind::Thunk { clauses } = &self.item.terms[function].kind else {
            return false;
        };
        let [Clause { patterns, body, .. }] = &clauses[..] else {
            return false;
        };
        let result = result(self.item, *body);
        let TermKind::Apply { head, args } = &self.item.terms[result].kind else {
            return false;
        };
        let Some(Resolved::Definition(TermDef::Constructor(constructor))) =
            self.body.names.get(*head)
        else {
            return false;
        };
        let TyKind::Data(data, _) = self.inference.table.kind(number) else {
            return false;
        };
        let is_written = |arg: &TermId| match &self.item.terms[*arg].kind {
            TermKind::Negate(_) => true,
            TermKind::Natural(value) => *value != Some(0),
            TermKind::Float(value) => value.value() != 0.0,
            _ => false,
        };
        patterns.is_empty() && constructor.data == *data && args.iter().skip(1).any(is_written)
    }

    /// The interfaces whose handlers around a function can keep its numbers, or give it others.
    fn commands(&mut self, function: TermId, by: &Differentiates, found: &mut Vec<Diagnostic>) {
        let operator = by.operator;
        let is_name = matches!(self.item.terms[function].kind, TermKind::Name(_));
        let mut seen: HashSet<InterfaceDef> = HashSet::new();
        // The right-most instance is the one that commands mean.
        for instance in by.around.iter().rev() {
            let interface = instance.interface;
            if !seen.insert(interface) || self.performs.function_never(function, interface) {
                continue;
            }
            let each = by.numbers.iter();
            let mut each = each.map(|number| (*number, self.parts.passes(instance, *number)));
            let Some((number, passes)) = each.find(|(_, passes)| passes.out || passes.back) else {
                continue;
            };
            let mut written = self.commands_in(function, interface);
            if !passes.out && !written.is_empty() {
                written.retain(|command| self.goes_on(*command, number));
                if written.is_empty() {
                    continue;
                }
            }
            let at = written.first().copied().or(is_name.then_some(function));
            let name = interface.0.name;
            let shown = article(&self.show(number));
            let (message, advice) = if passes.out {
                let message = format!(
                    "`{name}` is handled outside of this `{operator}`, and its handler can keep \
                     the numbers, {shown}: another derivative would take them for its own"
                );
                (message, [handle_inside(name), self.values_only(number)])
            } else {
                let message = format!(
                    "`{name}` is handled outside of this `{operator}`, which did not make the \
                     number that comes from there, {shown}, and would take it for one of its own"
                );
                (message, [lifted(), self.values_only(number)])
            };
            let place = at.map_or(by.at, |term| self.at(term));
            let mut problem = Diagnostic::new(Code::SharedNumbers, place, message);
            if at.is_some() {
                let differentiates = format!("`{operator}` differentiates this function");
                problem = problem.related(by.at, differentiates);
            }
            add(found, advice.into_iter().fold(problem, Diagnostic::help));
        }
    }

    /// Advice to let nothing but values out.
    fn values_only(&self, number: Ty) -> String {
        let value = match self.inference.table.kind(number) {
            TyKind::Data(data, _) => match data.0.name.as_str() {
                "Dual" => Some("v"),
                "Prop" => Some("fwd"),
                _ => None,
            },
            _ => None,
        };
        match value {
            Some(value) => format!("or keep values only, such as `{value} x`"),
            None => "or keep values only".to_owned(),
        }
    }

    /// The commands of an interface that a function is written with, the first one first.
    fn commands_in(&self, function: TermId, wanted: InterfaceDef) -> Vec<TermId> {
        let all = self.item.terms_in(function);
        all.filter(|term| {
            matches!(
                self.body.names.get(*term),
                Some(Resolved::Definition(TermDef::Command(command)))
                    if command.interface == wanted
            )
        })
        .collect()
    }

    /// The variables that a function uses and does not bind, each with its uses. Of one that
    /// stands for a function written above, also those that that one uses; of one that an operator
    /// has made, those that it has made it of.
    fn outer_variables(&mut self, function: TermId, numbers: &[Ty]) -> Vec<(LocalId, Vec<TermId>)> {
        let mut found: Vec<(LocalId, Vec<TermId>)> = Vec::new();
        let mut bound: HashSet<LocalId> = HashSet::new();
        let mut open = vec![function];
        let mut known: HashSet<TermId> = HashSet::from([function]);
        while let Some(function) = open.pop() {
            let mut terms: Vec<TermId> = self.item.terms_in(function).collect();
            for term in &terms {
                self.bound_at(*term, &mut bound);
            }
            while let Some(term) = terms.pop() {
                let Some(Resolved::Local(local)) = self.body.names.get(term) else {
                    continue;
                };
                match found.iter_mut().find(|(own, _)| own == local) {
                    Some((_, uses)) => uses.push(term),
                    None => found.push((*local, vec![term])),
                }
                let Some(ValueSource::Let(made)) = self.value_sources.get(local) else {
                    continue;
                };
                if !known.insert(*made) {
                    continue;
                }
                match &self.item.terms[*made].kind {
                    TermKind::Thunk { .. } => open.push(*made),
                    TermKind::Apply { args, .. } if self.computes_with(*local, numbers) => {
                        for arg in args {
                            match &self.item.terms[*arg].kind {
                                TermKind::Thunk { .. } => open.push(*arg),
                                TermKind::Name(_) => terms.push(*arg),
                                _ => {}
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        found.retain(|(local, _)| !bound.contains(local));
        for (_, uses) in &mut found {
            uses.sort_by_key(|term| self.item.terms[*term].id);
        }
        found.sort_by_key(|(_, uses)| uses.first().map(|term| self.item.terms[*term].id));
        found
    }

    /// Whether a variable stands for a function that takes or gives numbers.
    fn computes_with(&mut self, local: LocalId, numbers: &[Ty]) -> bool {
        let Some(ty) = self.body.locals.get(local.0 as usize).map(|local| local.ty) else {
            return false;
        };
        matches!(self.inference.table.kind(ty), TyKind::Computation(_))
            && numbers.iter().any(|number| self.parts.has(ty, *number))
    }

    /// The variables that a term binds.
    fn bound_at(&self, term: TermId, bound: &mut HashSet<LocalId>) {
        let scopes = &self.body.scopes;
        bound.extend(scopes.bound_by_let(term));
        for clause in self.item.terms[term].kind.clauses() {
            let patterns = self.item.patterns_of(clause);
            bound.extend(patterns.filter_map(|pattern| scopes.bound_by_pattern(pattern)));
        }
    }
}

/// Where the variables of an item have their values from.
fn value_sources(item: &Item, body: &Body) -> HashMap<LocalId, ValueSource> {
    let mut value_sources = HashMap::new();
    let mut clause_of = |clause: &Clause, origin: &dyn Fn() -> ValueSource| {
        for pattern in item.patterns_of(clause) {
            if let Some(ResolvedPattern::Binds(local)) = body.patterns.get(pattern) {
                value_sources.insert(*local, origin());
            }
        }
    };
    if let ItemKind::Clause { clause, .. } = &item.kind {
        clause_of(clause, &|| ValueSource::Caller);
    }
    for (_, term) in item.terms.iter() {
        let TermKind::Apply { args, .. } = &term.kind else {
            continue;
        };
        for function in args {
            let TermKind::Thunk { clauses } = &item.terms[*function].kind else {
                continue;
            };
            let others = || args.iter().copied().filter(|arg| arg != function).collect();
            for clause in clauses {
                clause_of(clause, &|| ValueSource::Beside(others()));
            }
        }
    }
    for (term, data) in item.terms.iter() {
        if let TermKind::Let { bound, .. } = &data.kind
            && let Some(ResolvedPattern::Binds(local)) = body.lets.get(term)
        {
            value_sources.insert(*local, ValueSource::Let(*bound));
        }
    }
    value_sources
}

/// Adds a finding, unless one stands at its place: a function may be differentiated twice.
fn add(found: &mut Vec<Diagnostic>, problem: Diagnostic) {
    let mut known = found.iter();
    if !known.any(|known| known.code == problem.code && known.location == problem.location) {
        found.push(problem);
    }
}

/// Advice for numbers that come from outside.
fn lifted() -> String {
    "a number of a derivative around this one is lifted, in the ability that has both".to_owned()
}

/// Advice for commands that are handled outside.
fn handle_inside(interface: Symbol) -> String {
    format!("handle `{interface}` inside of the function")
}

/// The term whose value is that of another one, once variables are bound and commands are done.
pub fn result(item: &Item, term: TermId) -> TermId {
    let mut result = term;
    loop {
        match &item.terms[result].kind {
            TermKind::Let { body, .. } => result = *body,
            TermKind::Sequence { second, .. } => result = *second,
            _ => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn a_number_kept_for_the_next_derivative() {
        assert_eq!(
            found(
                Code::SharedNumbers,
                "include ad\n\nf : [RefState] Float\nf! = let r = new (dual 0.0 0.0) in evaluate (d {x -> write r x; t x x} 3)\n"
            ),
            ["r"]
        );
        assert!(found(Code::SharedNumbers, "include ad\n\nf : [RefState] Float\nf! = let r = new 0.0 in evaluate (d {x -> write r (v x); t x x} 3)\n").is_empty());
    }
}
