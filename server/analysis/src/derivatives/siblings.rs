//! Numbers of one derivative that another one may come to see: functions to differentiate that
//! reach a place outside of them where their own numbers can be kept. Types tell derivatives
//! inside of one another apart, but not those that follow one another.

use std::collections::HashSet;

use frank_syntax::ast::{Clause, Item, PatternId, PatternKind, TermId, TermKind};

use super::parts::Parts;
use super::roles::{Takes, Use, role_of};
use crate::db::{Db, ItemSource};
use crate::declarations::interface;
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::infer::{Body, Inference, LocalId, LocalSort, Resolved, ResolvedPattern};
use crate::performs::Performs;
use crate::program::{InterfaceDef, TermDef};
use crate::report::words::article;
use crate::show::{MESSAGE_BUDGET, MetaNames, Show};
use crate::types::{Arg, Instance, Ty, TyKind};

pub fn diagnostics(
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
        // Its operators mark their numbers, and refuse those of another run.
        if super::library(db, "ad-debug") == Some(operator.0.scope) {
            continue;
        }
        let Some(used) = body
            .types
            .get(*head)
            .and_then(|ty| Use::new(role, &inference.table, *ty))
        else {
            continue;
        };
        let siblings =
            siblings.get_or_insert_with(|| Siblings::new(db, source, item, body, inference));
        for port in &role.differentiated {
            let (Takes::Function, Some(arg)) = (port.takes, args.get(port.port)) else {
                continue;
            };
            let Some(function) = siblings.literal(*arg) else {
                continue;
            };
            let by = Location::node(source, item.terms[*head].id);
            let numbers = used.numbers(port);
            siblings.variables(operator.0.name.as_str(), by, function, &numbers, found);
            let mut around = used.around();
            around.retain(|instance| !role.interfaces.contains(&instance.interface));
            siblings.commands(
                operator.0.name.as_str(),
                by,
                function,
                &numbers,
                &around,
                found,
            );
        }
    }
}

/// The finder at work on one item.
struct Siblings<'a> {
    db: &'a dyn Db,
    source: ItemSource,
    item: &'a Item,
    body: &'a Body,
    inference: &'a Inference,
    parts: Parts<'a>,
    performs: Performs<'a>,
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
            db,
            source,
            item,
            body,
            inference,
            parts: Parts::new(db, &inference.table),
            performs: Performs::new(db, item, body),
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

    /// The function that is written at a term, or above it in a `let`.
    fn literal(&self, term: TermId) -> Option<TermId> {
        match &self.item.terms[term].kind {
            TermKind::Thunk { .. } => Some(term),
            TermKind::Name(_) => match self.body.names.get(term) {
                Some(Resolved::Local(local)) => self.bound_function(*local),
                _ => None,
            },
            _ => None,
        }
    }

    /// The function that a `let` gives a name.
    fn bound_function(&self, local: LocalId) -> Option<TermId> {
        self.item.terms.iter().find_map(|(term, data)| {
            let TermKind::Let { bound, .. } = &data.kind else {
                return None;
            };
            let Some(ResolvedPattern::Binds(own)) = self.body.lets.get(term) else {
                return None;
            };
            let is_function = matches!(self.item.terms[*bound].kind, TermKind::Thunk { .. });
            (*own == local && is_function).then_some(*bound)
        })
    }

    /// The variables from outside of a function that can keep its numbers, or are such numbers of
    /// another derivative.
    fn variables(
        &mut self,
        operator: &str,
        by: Location,
        function: TermId,
        numbers: &[Ty],
        found: &mut Vec<Diagnostic>,
    ) {
        for (local, uses) in self.outer_variables(function) {
            let Some(variable) = self.body.locals.get(local.0 as usize) else {
                continue;
            };
            let name = variable.name;
            let kept = |number: &&Ty| self.parts.has_cell_for(variable.ty, **number);
            let (used, message, advice) = if let Some(number) = numbers.iter().find(kept) {
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
            } else if let Some((used, number)) = self.brought(variable.ty, &uses, numbers) {
                let message = format!(
                    "this `{operator}` did not make the number in `{name}`, {}, and would take it \
                     for one of its own",
                    article(&self.show(number))
                );
                let advice = [
                    "a number of a derivative around this one is lifted, in the ability that \
                     has both"
                        .to_owned(),
                    self.values_only(number),
                ];
                (used, message, advice)
            } else {
                continue;
            };
            let mut problem = Diagnostic::new(Code::SharedNumbers, self.at(used), message)
                .related(by, format!("`{operator}` differentiates this function"))
                .related(
                    Location::node(self.source, variable.node),
                    match variable.sort {
                        LocalSort::Let => format!("`{name}` is made here, outside of the function"),
                        _ => format!("`{name}` comes from outside of the function"),
                    },
                );
            for advice in advice {
                problem = problem.help(advice);
            }
            found.push(problem);
        }
    }

    /// A use of a variable with numbers of a type in it that may go into the function's own
    /// arithmetic; not one that only their values are taken from, as in `v x`.
    fn brought(&mut self, ty: Ty, uses: &[TermId], numbers: &[Ty]) -> Option<(TermId, Ty)> {
        let number = *numbers.iter().find(|own| self.parts.carries(ty, **own))?;
        let used = uses.iter().find(|used| {
            let parent = self
                .item
                .terms
                .iter()
                .find_map(|(_, term)| match &term.kind {
                    TermKind::Apply { head, args } if args.contains(*used) => Some(*head),
                    _ => None,
                });
            let head = parent.and_then(|head| self.body.types.get(head));
            match head.map(|ty| self.inference.table.kind(*ty)) {
                Some(TyKind::Computation(applied)) => self.parts.carries(applied.result, number),
                _ => true,
            }
        })?;
        Some((*used, number))
    }

    /// The interfaces whose handlers around a function can keep its numbers.
    fn commands(
        &mut self,
        operator: &str,
        by: Location,
        function: TermId,
        numbers: &[Ty],
        around: &[Instance],
        found: &mut Vec<Diagnostic>,
    ) {
        let mut seen: HashSet<InterfaceDef> = HashSet::new();
        // The right-most instance is the one that commands mean.
        for instance in around.iter().rev() {
            let interface = instance.interface;
            if !seen.insert(interface) || self.performs.function_never(function, interface) {
                continue;
            }
            let kept = |number: &&Ty| self.hands_out(instance, **number);
            let Some(number) = numbers.iter().find(kept) else {
                continue;
            };
            let name = interface.0.name;
            let at = self.command_in(function, interface);
            let problem = Diagnostic::new(
                Code::SharedNumbers,
                at.map_or(by, |term| self.at(term)),
                format!(
                    "`{name}` is handled outside of this `{operator}`, and its handler can keep \
                     the numbers, {}: another derivative would take them for its own",
                    article(&self.show(*number))
                ),
            )
            .help(format!("handle `{name}` inside of the function"))
            .help(self.values_only(*number));
            found.push(match at {
                Some(_) => {
                    problem.related(by, format!("`{operator}` differentiates this function"))
                }
                None => problem,
            });
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

    /// Whether a command of an instance takes something with numbers of a type in it.
    fn hands_out(&mut self, instance: &Instance, number: Ty) -> bool {
        let definition = instance.interface.0;
        let Some(declared) = interface(self.db, definition.scope, definition.name) else {
            return false;
        };
        let values = instance.args.iter().filter_map(|arg| match arg {
            Arg::Type(ty) => Some(*ty),
            Arg::Ability(_) => None,
        });
        let values: Vec<Ty> = values.collect();
        (0..).zip(values).any(|(index, value)| {
            let mut args = declared.commands.iter().flat_map(|command| &command.args);
            let taken = args.any(|arg| mentions_variable(&declared.types, *arg, index));
            taken && self.parts.has(value, number)
        })
    }

    /// The first command of an interface that a function is written with.
    fn command_in(&self, function: TermId, wanted: InterfaceDef) -> Option<TermId> {
        let is_command = |term: &TermId| {
            matches!(
                self.body.names.get(*term),
                Some(Resolved::Definition(TermDef::Command(command)))
                    if command.interface == wanted
            )
        };
        inside(self.item, function).into_iter().find(is_command)
    }

    /// The variables that a function uses and does not bind, each with its uses. Of one that
    /// stands for a function written above, those that that one uses.
    fn outer_variables(&self, function: TermId) -> Vec<(LocalId, Vec<TermId>)> {
        let mut found: Vec<(LocalId, Vec<TermId>)> = Vec::new();
        let mut bound: HashSet<LocalId> = HashSet::new();
        let mut open = vec![function];
        let mut known: HashSet<TermId> = HashSet::from([function]);
        while let Some(function) = open.pop() {
            let terms = inside(self.item, function);
            for term in &terms {
                self.bound_at(*term, &mut bound);
            }
            for term in terms {
                let Some(Resolved::Local(local)) = self.body.names.get(term) else {
                    continue;
                };
                if let Some(other) = self.bound_function(*local) {
                    if known.insert(other) {
                        open.push(other);
                    }
                } else if let Some((_, uses)) = found.iter_mut().find(|(own, _)| own == local) {
                    uses.push(term);
                } else {
                    found.push((*local, vec![term]));
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

    /// The variables that a term binds.
    fn bound_at(&self, term: TermId, bound: &mut HashSet<LocalId>) {
        if let Some(ResolvedPattern::Binds(local)) = self.body.lets.get(term) {
            bound.insert(*local);
        }
        if let TermKind::Thunk { clauses } = &self.item.terms[term].kind {
            for clause in clauses {
                for pattern in patterns(self.item, clause) {
                    if let Some(
                        ResolvedPattern::Binds(local)
                        | ResolvedPattern::CatchAll(Some(local))
                        | ResolvedPattern::Command {
                            continuation: Some(local),
                            ..
                        },
                    ) = self.body.patterns.get(pattern)
                    {
                        bound.insert(*local);
                    }
                }
            }
        }
    }
}

/// Whether a declared type mentions a variable by its number.
fn mentions_variable(types: &crate::types::Types, ty: Ty, index: u32) -> bool {
    match types.kind(ty) {
        TyKind::Variable(variable) => *variable == index,
        TyKind::Data(_, args) => args.iter().any(|arg| match arg {
            Arg::Type(ty) => mentions_variable(types, *ty, index),
            Arg::Ability(_) => false,
        }),
        TyKind::Computation(computation) => {
            let ports = computation.ports.iter().map(|port| port.ty);
            ports
                .chain([computation.result])
                .any(|part| mentions_variable(types, part, index))
        }
        _ => false,
    }
}

/// All patterns of a clause.
fn patterns(item: &Item, clause: &Clause) -> Vec<PatternId> {
    let mut all = Vec::new();
    let mut open = clause.patterns.clone();
    while let Some(pattern) = open.pop() {
        all.push(pattern);
        match &item.patterns[pattern].kind {
            PatternKind::Constructor { args, .. } | PatternKind::Command { args, .. } => {
                open.extend(args);
            }
            PatternKind::List(parts) => open.extend(parts),
            PatternKind::Cons { head, tail } => open.extend([head, tail]),
            _ => {}
        }
    }
    all
}

/// A term and all terms in it.
pub fn inside(item: &Item, term: TermId) -> Vec<TermId> {
    let mut all = Vec::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        all.push(term);
        match &item.terms[term].kind {
            TermKind::Apply { head, args } => open.extend(args.iter().chain([head])),
            TermKind::Adapted { body, .. } => open.push(*body),
            TermKind::Let { bound, body, .. } => open.extend([body, bound]),
            TermKind::Sequence { first, second } => open.extend([second, first]),
            TermKind::Binary { left, right, .. } => open.extend([right, left]),
            TermKind::Negate(operand) => open.push(*operand),
            TermKind::List(elements) => open.extend(elements),
            TermKind::Thunk { clauses } => open.extend(clauses.iter().map(|clause| clause.body)),
            TermKind::Name(_)
            | TermKind::Natural(_)
            | TermKind::Float(_)
            | TermKind::Char(_)
            | TermKind::String(_)
            | TermKind::Missing => {}
        }
    }
    all
}
