//! Values that are one derivative, or several, further out than their place.
//!
//! Where a `D A` is needed and an `A` is there, an operator of the shape `X -> [Σ](D X)` may be
//! what is missing. Which operators have that shape is known from signatures; whether one fits,
//! by its ability too, is tried with the types as the checker left them.

use frank_syntax::ast::{Item, Symbol, TermId, TermKind};

use super::catalogue::{Catalogue, catalogues, in_sight};
use super::places::signature_item;
use super::{Reporter, rows};
use crate::db::{Db, ItemSource, Origin, item};
use crate::declarations::signature;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::problem::Expectation;
use crate::infer::{Resolved, infer_operator};
use crate::program::{DataDef, InterfaceDef, OperatorDef, TermDef};
use crate::report::words::article;
use crate::scopes::LocalKind;
use crate::show::show_adaptor;
use crate::surroundings::is_atomic;
use crate::types::{Ability, Adaptor, Arg, Computation, Instance, Ty, TyKind};

/// So many levels at most.
const DEEPEST: usize = 6;
/// So many suggestions at most.
const MOST: usize = 3;
/// So many operators are tried at most.
const EFFORT: u32 = 400;

/// One operator applied, under so many hiding adaptors of an interface.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub operator: OperatorDef,
    pub hidden: Option<(InterfaceDef, usize)>,
}

/// Operators to be applied, the outermost first.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    pub steps: Vec<Step>,
    /// The outermost operator's ability has an instance at the type that is needed, and one at
    /// the type that it takes: it joins two derivatives.
    pub derivative: bool,
}

impl Chain {
    /// The text of the term with the operators applied to it.
    fn applied(&self, term: &str) -> String {
        let mut text = term.to_owned();
        for (i, step) in self.steps.iter().enumerate().rev() {
            text = format!("{} {text}", step.operator.0.name);
            if let Some((interface, times)) = step.hidden {
                let names = vec![interface.0.name.as_str(); times].join(", ");
                text = format!("<{names}> ({text})");
            }
            if i > 0 {
                text = format!("({text})");
            }
        }
        text
    }

    fn cost(&self) -> (usize, usize, usize) {
        let hidden = self
            .steps
            .iter()
            .map(|step| step.hidden.map_or(0, |(_, n)| n))
            .sum();
        (self.steps.len(), hidden, self.applied("").len())
    }
}

/// What is searched for.
struct Search {
    found: Ty,
    operators: Vec<OperatorDef>,
    /// Whether the term may run under adaptors: it performs nothing.
    value: bool,
    effort: u32,
    chains: Vec<Chain>,
}

impl Reporter<'_> {
    /// The message for a term that an operator in sight lifts to the type that is needed.
    pub(super) fn missing_lift(
        &mut self,
        at: Location,
        source: ItemSource,
        term: TermId,
        (expected, found): (Ty, Ty),
        ambient: Ability,
        origin: Expectation,
    ) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let chains = self.lift_chains(source, item, term, expected, found, ambient);
        let best = chains.first()?;
        if best.derivative
            && let Some(inner) = self.taken_out_of(source, item, term, expected)
        {
            let problem = self.taken_out(at, source, term, (expected, found), inner);
            return Some(self.origin(problem, source, origin, expected));
        }
        let text = self.term_text(source, term);
        let (wanted, given) = self.two(expected, found);
        let (short, applied) = match &text {
            Some(text) => (
                format!("`{text}`"),
                best.applied(&argument(item, term, text)),
            ),
            None => ("this".to_owned(), best.applied("(…)")),
        };
        let literal = is_number(item, term);
        let constants = if literal {
            self.constant_operators(source, term, expected, ambient)
        } else {
            Vec::new()
        };
        if let Some(unused) = self.unused_of(source, term, expected)
            && text.is_some()
            && best.derivative
            && constants.is_empty()
        {
            // With the lift the result would not depend on what is differentiated.
            let problem = Diagnostic::new(
                Code::MissingLift,
                at,
                format!(
                    "{short} is {}, and {} is needed here; `{unused}` is one, and is not used",
                    article(&given),
                    article(&wanted)
                ),
            )
            .help(format!(
                "write `{unused}`, or `{applied}` if this is to be a constant here"
            ));
            let lifted = self.lift_fix(source, item, term, best);
            let problem = problem.fix(Fix {
                safe: false,
                ..fixes::rename(at, unused.as_str())
            });
            let problem = problem.fix(Fix {
                safe: false,
                ..lifted
            });
            let problem = self.bound_outside(problem, source, term, true, &given);
            let problem = self.computes_with(problem, source, item, term, expected, best);
            return Some(self.origin(problem, source, origin, expected));
        }
        let message = match (constants.first(), best.derivative) {
            (Some(constant), _) => format!(
                "this is a number, but {} is needed; `{} {}` makes one of it",
                article(&wanted),
                constant.0.name,
                text.as_deref().unwrap_or("…"),
            ),
            (None, true) => {
                format!(
                    "{short} belongs to the outer derivative; `{applied}` brings it into this one"
                )
            }
            (None, false) => {
                format!(
                    "{short} has type `{given}`, but `{wanted}` is needed; `{applied}` makes one of it"
                )
            }
        };
        let mut problem = Diagnostic::new(Code::MissingLift, at, message);
        if best.derivative && constants.is_empty() {
            problem = problem.help(format!(
                "{short} is {}, and {} is needed here",
                article(&given),
                article(&wanted)
            ));
        }
        for constant in &constants {
            problem =
                problem.fix(self.applied_fix(source, item, term, constant.0.name.as_str(), 0));
        }
        let shown = MOST.saturating_sub(constants.len());
        for (i, chain) in chains.iter().take(shown).enumerate() {
            let also = i > 0 || !constants.is_empty();
            if let (true, Some(text)) = (also, &text) {
                let applied = chain.applied(&argument(item, term, text));
                problem = problem.help(format!("`{applied}` would do, too"));
            }
            problem = problem.fix(self.lift_fix(source, item, term, chain));
        }
        problem = self.bound_outside(problem, source, term, best.derivative, &given);
        problem = self.computes_with(problem, source, item, term, expected, best);
        Some(self.origin(problem, source, origin, expected))
    }

    pub(super) fn lift_chains(
        &mut self,
        source: ItemSource,
        item: &Item,
        term: TermId,
        expected: Ty,
        found: Ty,
        ambient: Ability,
    ) -> Vec<Chain> {
        let table = &self.inference.table;
        let fits = matches!(table.kind(expected), TyKind::Data(..))
            && !matches!(table.kind(found), TyKind::Error | TyKind::Meta(_));
        if !fits || table.row(ambient).tail == crate::types::Tail::Error {
            return Vec::new();
        }
        let hidden = self.locals_at(source, term);
        let mut operators = Vec::new();
        for catalogue in catalogues(self.db, self.scope) {
            operators.extend(catalogue.lifts.iter().copied());
        }
        operators.retain(|operator| {
            in_sight(self.db, self.scope, *operator)
                && !hidden.contains(&operator.0.name)
                // An operator's own clauses need something else to make its result of.
                && Some(*operator) != self.operator
        });
        let mut search = Search {
            found,
            operators,
            value: performs_nothing(item, term, self.inference.body(source)),
            effort: EFFORT,
            chains: Vec::new(),
        };
        self.search(&mut search, expected, ambient, &mut Vec::new(), None);
        let mut chains = search.chains;
        let sound: Vec<bool> = chains.iter().map(|chain| self.is_sound(chain)).collect();
        let any = sound.contains(&true);
        let mut each = sound.into_iter();
        chains.retain(|_| each.next() == Some(true) || !any);
        chains.sort_by_key(|chain| {
            let later = chain
                .steps
                .iter()
                .any(|step| self.comes_later(step.operator));
            (!chain.derivative, later, chain.cost())
        });
        chains
    }

    /// Whether the operators of a chain have no findings of their own. The library's have none.
    fn is_sound(&self, chain: &Chain) -> bool {
        chain.steps.iter().all(|step| {
            let operator = step.operator;
            operator.0.scope.origin(self.db) == Origin::Library
                || infer_operator(self.db, operator).is_some_and(|known| known.is_sound())
        })
    }

    /// Whether an operator is defined below the one at work, in the same file.
    fn comes_later(&self, operator: OperatorDef) -> bool {
        let first = |operator: OperatorDef| signature_item(self.db, operator).map(|(item, _)| item);
        let (Some(other), Some(own)) = (first(operator), self.operator.and_then(first)) else {
            return false;
        };
        let file = own.file(self.db);
        let outline = file.outline(self.db);
        let place = |wanted| outline.iter().position(|entry| entry.item == wanted);
        other.file(self.db) == file && place(other) > place(own)
    }

    /// Goes from the type that is needed back to the one that is there.
    fn search(
        &mut self,
        search: &mut Search,
        wanted: Ty,
        ambient: Ability,
        steps: &mut Vec<Step>,
        derivative: Option<bool>,
    ) {
        let shortest = search.chains.iter().map(|chain| chain.steps.len()).min();
        let limit = shortest.unwrap_or(DEEPEST).min(DEEPEST);
        if steps.len() >= limit || search.chains.len() >= 2 * MOST {
            return;
        }
        for operator in search.operators.clone() {
            let Some(left) = search.effort.checked_sub(1) else {
                return;
            };
            search.effort = left;
            let before = self.inference.table.snapshot();
            if let Some(made) = self.made_by(operator, wanted)
                && let Some(port) = made.ports.first().map(|port| port.ty)
                && let Some((inside, hidden)) = self.hiding(search, made.ability, ambient)
            {
                let derivative =
                    derivative.unwrap_or_else(|| self.joins(made.ability, port, wanted));
                steps.push(Step { operator, hidden });
                if self.inference.table.unify(port, search.found).is_ok() {
                    search.chains.push(Chain {
                        steps: steps.clone(),
                        derivative,
                    });
                } else if matches!(self.inference.table.kind(port), TyKind::Data(..)) {
                    self.search(search, port, inside, steps, Some(derivative));
                }
                steps.pop();
            }
            self.inference.table.rollback(before);
        }
    }

    /// An operator's type at the use that gives `wanted`.
    fn made_by(&mut self, operator: OperatorDef, wanted: Ty) -> Option<Computation> {
        let signature = signature(self.db, operator.0.scope, operator.0.name).as_ref()?;
        let made = self.inference.table.instantiate(signature);
        self.inference.table.unify(made.result, wanted).ok()?;
        Some(made)
    }

    /// The ability that a use runs in: the ambient one, or the one under the fewest hiding
    /// adaptors of one interface that let it fit.
    fn hiding(
        &mut self,
        search: &Search,
        needed: Ability,
        ambient: Ability,
    ) -> Option<(Ability, Option<(InterfaceDef, usize)>)> {
        if self
            .inference
            .table
            .unify_abilities(needed, ambient)
            .is_ok()
        {
            return Some((ambient, None));
        }
        if !search.value {
            return None;
        }
        let needs = self.inference.table.row(needed);
        let has = self.inference.table.row(ambient);
        let mut tried: Vec<InterfaceDef> = Vec::new();
        for instance in needs.instances.iter() {
            let interface = instance.interface;
            if tried.contains(&interface) {
                continue;
            }
            tried.push(interface);
            let hide = Adaptor {
                interface,
                taken: 1,
                kept: Vec::new(),
                drops_all: false,
            };
            let mut inside = ambient;
            for times in 1..rows::instances(&has, interface).len() {
                inside = self.inference.table.adapted(&hide, inside);
                if self.inference.table.unify_abilities(needed, inside).is_ok() {
                    return Some((inside, Some((interface, times))));
                }
            }
        }
        None
    }

    /// Whether an ability has instances at both types.
    fn joins(&self, ability: Ability, inner: Ty, outer: Ty) -> bool {
        let show = self.show();
        let row = self.inference.table.row(ability);
        let at = |ty: Ty| {
            row.instances.iter().any(|instance| {
                instance.args.iter().any(|arg| match arg {
                    Arg::Type(arg) => show.ty(*arg) == show.ty(ty),
                    Arg::Ability(_) => false,
                })
            })
        };
        at(inner) && at(outer)
    }

    /// The operators that make a constant of a number literal.
    pub(super) fn constant_operators(
        &mut self,
        source: ItemSource,
        term: TermId,
        expected: Ty,
        ambient: Ability,
    ) -> Vec<OperatorDef> {
        let hidden = self.locals_at(source, term);
        let mut operators: Vec<OperatorDef> = Vec::new();
        for Catalogue { constants, .. } in catalogues(self.db, self.scope) {
            operators.extend(constants.iter().copied());
        }
        operators.retain(|operator| {
            if !in_sight(self.db, self.scope, *operator) || hidden.contains(&operator.0.name) {
                return false;
            }
            let before = self.inference.table.snapshot();
            let number = self.inference.table.fresh_number();
            let fits = self.made_by(*operator, expected).is_some_and(|made| {
                let table = &mut self.inference.table;
                table.unify_abilities(made.ability, ambient).is_ok()
                    && made
                        .ports
                        .first()
                        .is_some_and(|port| table.unify(port.ty, number).is_ok())
            });
            self.inference.table.rollback(before);
            fits
        });
        // The library may have a short and a long name for one operator.
        operators.sort_by_key(|operator| operator.0.name.as_str().len());
        operators.truncate(1);
        operators
    }

    fn lift_fix(&mut self, source: ItemSource, item: &Item, term: TermId, chain: &Chain) -> Fix {
        let applied = chain.applied("");
        let closing = applied.chars().filter(|c| *c == ')').count();
        let start = applied.trim_end_matches(')').trim_end().to_owned();
        self.applied_fix(source, item, term, &start, closing)
    }

    /// Puts an operator before a term, with parentheses as the term and its place need them.
    /// `start` may open `open` parentheses, which are closed behind the term.
    pub(super) fn applied_fix(
        &mut self,
        source: ItemSource,
        item: &Item,
        term: TermId,
        start: &str,
        open: usize,
    ) -> Fix {
        let at = Location::node(source, item.terms[term].id);
        let parenthesised = self.is_parenthesised(source, term);
        let place = !parenthesised && self.surroundings(source).needs_parentheses(item, term);
        let own = !is_atomic(item, term);
        let mut before = String::new();
        let mut after = String::new();
        if place {
            before.push('(');
        }
        before.push_str(start);
        before.push(' ');
        if own {
            before.push('(');
            after.push(')');
        }
        after.push_str(&")".repeat(open));
        if place {
            after.push(')');
        }
        let mut edits = vec![Edit {
            location: at,
            position: Position::Before,
            text: before.clone(),
        }];
        if !after.is_empty() {
            edits.push(Edit {
                location: at,
                position: Position::After,
                text: after,
            });
        }
        let title = match self.term_text(source, term) {
            Some(text) => {
                let inner = argument(item, term, &text);
                format!("write `{start} {inner}{}`", ")".repeat(open))
            }
            None => format!("write `{start} …{}`", ")".repeat(open)),
        };
        Fix {
            title,
            edits,
            safe: true,
        }
    }

    /// The variable in sight of a term that has a type, and that nothing reads.
    fn unused_of(&mut self, source: ItemSource, term: TermId, ty: Ty) -> Option<Symbol> {
        let body = self.inference.body(source)?;
        let seen = body.scopes.seen_at(term);
        let unused = seen.filter(|binder| !binder.is_used && !binder.is_shadowed);
        let unused: Vec<(Symbol, Ty)> = unused
            .filter_map(|binder| {
                let local = body.scopes.bound_at(binder.name.id)?;
                let local = body.locals.get(local.0 as usize)?;
                Some((binder.name.symbol, local.ty))
            })
            .collect();
        let fitting = unused
            .into_iter()
            .find(|(_, known)| !self.is_unknown(*known) && self.agree(*known, ty));
        fitting.map(|(name, _)| name)
    }

    /// Where the variable at fault is bound.
    fn bound_outside(
        &self,
        problem: Diagnostic,
        source: ItemSource,
        term: TermId,
        derivative: bool,
        given: &str,
    ) -> Diagnostic {
        let Some(body) = self.inference.body(source) else {
            return problem;
        };
        let Some(Resolved::Local(local)) = body.names.get(term) else {
            return problem;
        };
        let Some(local) = body.locals.get(local.0 as usize) else {
            return problem;
        };
        if !derivative || matches!(local.kind, LocalKind::Continuation | LocalKind::CatchAll) {
            return problem;
        }
        problem.related(
            Location::node(source, local.node),
            format!("`{}` is bound here, {}", local.name, article(given)),
        )
    }

    /// The call whose argument computes with the type that is needed.
    pub(super) fn computes_with(
        &self,
        problem: Diagnostic,
        source: ItemSource,
        item: &Item,
        term: TermId,
        expected: Ty,
        chain: &Chain,
    ) -> Diagnostic {
        if !chain.derivative {
            return problem;
        }
        let surroundings = self.surroundings(source);
        let mut inside = term;
        while let Some(thunk) = surroundings.thunk_around(inside) {
            inside = thunk;
            let Some((call, index)) = surroundings.argument_of(item, thunk) else {
                continue;
            };
            let TermKind::Apply { head, .. } = &item.terms[call].kind else {
                continue;
            };
            if let Some(TermDef::Operator(operator)) = self.definition_of(source, *head)
                && let TyKind::Data(data, _) = self.inference.table.kind(expected)
                && makes_numbers(self.db, operator, index, *data)
            {
                return problem.related(
                    Location::node(source, item.terms[*head].id),
                    format!(
                        "this `{}` computes with `{}`s",
                        operator.0.name,
                        self.ty(expected)
                    ),
                );
            }
        }
        problem
    }
}

/// Whether an operator lets the computation that it takes compute with a type of numbers: by an instance
/// in the ability of that computation, or by one that its port adds.
fn makes_numbers(db: &dyn Db, operator: OperatorDef, index: usize, numbers: DataDef) -> bool {
    let declared = signature(db, operator.0.scope, operator.0.name).as_ref();
    let Some((declared, port)) =
        declared.and_then(|declared| Some((declared, declared.computation.ports.get(index)?)))
    else {
        return false;
    };
    let is_at = |instance: &Instance| {
        instance.args.iter().any(|arg| match arg {
            Arg::Type(ty) => {
                matches!(declared.types.kind(*ty), TyKind::Data(data, _) if *data == numbers)
            }
            Arg::Ability(_) => false,
        })
    };
    let in_ability = match declared.types.kind(port.ty) {
        TyKind::Computation(taken) => {
            let row = declared.types.row(taken.ability);
            row.instances.iter().any(is_at)
        }
        _ => false,
    };
    in_ability || port.added().any(is_at)
}

/// The text of a term as an argument.
pub(super) fn argument(item: &Item, term: TermId, text: &str) -> String {
    if is_atomic(item, term) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

fn is_number(item: &Item, term: TermId) -> bool {
    match &item.terms[term].kind {
        TermKind::Natural(_) | TermKind::Float(_) => true,
        TermKind::Negate(operand) => is_number(item, *operand),
        _ => false,
    }
}

/// Whether a term is a value as it stands, so that it may run under any adaptor.
fn performs_nothing(item: &Item, term: TermId, body: Option<&crate::infer::Body>) -> bool {
    match &item.terms[term].kind {
        TermKind::Name(_) => {
            matches!(
                body.and_then(|body| body.names.get(term)),
                Some(Resolved::Local(_))
            )
        }
        _ => is_number(item, term),
    }
}

/// Adaptors as they are written in front of a term.
pub(super) fn show_adaptors(adaptors: &[Adaptor]) -> String {
    let each: Vec<String> = adaptors.iter().map(show_adaptor).collect();
    format!("<{}>", each.join(", "))
}
