//! Terms.

use std::sync::Arc;

use frank_syntax::ast::{BinaryOperator, Clause, Name, NodeId, TermId, TermKind};
use frank_syntax::stack::ensure_sufficient_stack;

use super::hole::Beside;
use super::hypothesis::{Change, Generalised};
use super::instantiate::Instantiated;
use super::problem::{ClauseHead, Expectation, Problem};
use super::readings::{Call, Place, Reading};
use super::{Checker, Resolved, ResolvedPattern};
use crate::builtin;
use crate::declarations::{data_type, interface, known_signature};
use crate::program::{CommandDef, ConstructorDef, TermDef};
use crate::truth_values::truth_values;
use crate::types::{Ability, Arg, Computation, Port, Tail, Ty, TyKind};

impl Checker<'_> {
    pub(super) fn node(&self, term: TermId) -> NodeId {
        self.item.terms[term].id
    }

    /// Checks a term against a type in an ability.
    pub(super) fn check(
        &mut self,
        term: TermId,
        expected: Ty,
        ability: Ability,
        origin: Expectation,
    ) {
        ensure_sufficient_stack(|| {
            self.check_here(term, expected, ability, origin);
        });
    }

    fn check_here(&mut self, term: TermId, expected: Ty, ability: Ability, origin: Expectation) {
        if let Some(change) = self.change_at(term) {
            return self.check_changed(change, term, expected, ability, origin);
        }
        let item = self.item;
        self.enter(term, expected, ability);
        match &item.terms[term].kind {
            TermKind::Missing => {}
            TermKind::Let { name, bound, body } => {
                self.check_let(term, *name, *bound, *body, expected, ability, origin);
            }
            TermKind::Sequence { first, second } => {
                let any = self.table.fresh();
                self.check(*first, any, ability, Expectation::Free);
                self.check(*second, expected, ability, origin);
            }
            TermKind::Natural(value) => {
                if value.is_none_or(|value| value > i64::MAX as u64) {
                    let node = self.node(term);
                    // The parser reports what does not fit in 64 bits at all.
                    if value.is_some() {
                        self.report(Problem::NumberTooLarge {
                            source: self.source,
                            node,
                        });
                    }
                }
                let number = self.table.fresh_number();
                self.expect(term, expected, number, ability, origin);
            }
            TermKind::Float(_) => {
                let float = self.table.float;
                self.expect(term, expected, float, ability, origin);
            }
            TermKind::Char(_) => {
                let char = self.table.char;
                self.expect(term, expected, char, ability, origin);
            }
            TermKind::String(_) => {
                let string = self.string();
                self.expect(term, expected, string, ability, origin);
            }
            TermKind::List(elements) => {
                let element = self.expect_list(term, expected, ability, origin);
                for (i, part) in elements.iter().enumerate() {
                    let origin = if i == 0 {
                        Expectation::Free
                    } else {
                        Expectation::Element { list: term }
                    };
                    self.check(*part, element, ability, origin);
                }
            }
            TermKind::Binary {
                operator: BinaryOperator::Cons,
                left,
                right,
                ..
            } => {
                let (left, right) = self.operands_of(term, *left, *right);
                self.check_cons(term, left, right, expected, ability, origin);
            }
            TermKind::Binary { .. } => self.check_operation(term, expected, ability, origin),
            TermKind::Negate(operand) => {
                let number = self.table.fresh_number();
                self.body.numbers.insert(term, number);
                match &item.terms[*operand].kind {
                    // `-9223372036854775808` is an `Int`, though its digits alone are not.
                    TermKind::Natural(Some(value)) if *value == i64::MAX as u64 + 1 => {
                        self.body.ambient.insert(*operand, ability);
                        self.body.types.insert(*operand, number);
                    }
                    _ => self.check(
                        *operand,
                        number,
                        ability,
                        Expectation::Operand { operation: term },
                    ),
                }
                let sound = !self.misfits(&[*operand]);
                let result = if sound { number } else { self.table.error };
                self.expect(term, expected, result, ability, origin);
            }
            TermKind::Thunk { clauses } => self.check_thunk(term, clauses, expected, ability),
            TermKind::Name(_) | TermKind::Apply { .. } | TermKind::Adapted { .. } => {
                if let Some((constructor, name, args)) = self.constructor_use(term) {
                    let (name, args) = (name, args.to_vec());
                    self.check_constructor(
                        term,
                        constructor,
                        name,
                        &args,
                        expected,
                        ability,
                        origin,
                    );
                } else {
                    // What is wrong beside a hole says less of it than the place of the whole call.
                    let known = self.order.results_first
                        || self.is_written_case(term)
                        || self.has_holes(term);
                    self.place = Place {
                        wanted: known.then_some(expected),
                        needed: Some(expected),
                    };
                    let holes = self.holes;
                    let found = self.infer(term, ability);
                    // Where a term is wrong its place still says what it should be.
                    let wrong = matches!(self.table.kind(found), TyKind::Error);
                    let decided = wrong && self.holes > holes && self.place_of_call(term, expected);
                    self.body
                        .types
                        .insert(term, if wrong { expected } else { found });
                    // A number that holes are, too, is not unknown.
                    if !decided {
                        self.expect(term, expected, found, ability, origin);
                    }
                }
            }
        }
    }

    /// Notes what the place of a term needs.
    fn enter(&mut self, term: TermId, expected: Ty, ability: Ability) {
        self.table.at = Some(self.node(term));
        self.body.ambient.insert(term, ability);
        self.body.types.insert(term, expected);
    }

    /// Whether a term is `case a {…}`, of which `let` is another form: what its place needs is known
    /// in the clauses (docs/language/inference.md).
    pub(super) fn is_written_case(&mut self, term: TermId) -> bool {
        let item = self.item;
        let terms = &item.terms;
        let TermKind::Apply { head, args } = &terms[term].kind else {
            return false;
        };
        let [_, clauses] = &args[..] else {
            return false;
        };
        let (TermKind::Name(name), TermKind::Thunk { .. }) =
            (&terms[*head].kind, &terms[*clauses].kind)
        else {
            return false;
        };
        let case = TermDef::Operator(builtin::case(self.db));
        self.body.scopes.read_by(*head).is_none() && self.definition(name.symbol) == Some(case)
    }

    /// Unifies what a term's place needs with what the term is.
    pub(super) fn expect(
        &mut self,
        term: TermId,
        expected: Ty,
        found: Ty,
        ambient: Ability,
        origin: Expectation,
    ) {
        let node = self.node(term);
        self.table.at = Some(node);
        if let Err(clash) = self.table.unify(expected, found) {
            self.body.types.insert(term, found);
            self.report(Problem::Mismatch {
                source: self.source,
                node,
                term: Some(term),
                expected,
                found,
                clash,
                decided: self.table.decided,
                origin,
                ambient,
            });
        }
    }

    pub(super) fn string(&mut self) -> Ty {
        let args = Arc::from([Arg::Type(self.table.char)]);
        self.table
            .types
            .ty(TyKind::Data(builtin::list(self.db), args))
    }

    pub(super) fn list_of(&mut self, element: Ty) -> Ty {
        let args = Arc::from([Arg::Type(element)]);
        self.table
            .types
            .ty(TyKind::Data(builtin::list(self.db), args))
    }

    /// Unifies the expected type with a list; gives the type of its elements.
    fn expect_list(
        &mut self,
        term: TermId,
        expected: Ty,
        ambient: Ability,
        origin: Expectation,
    ) -> Ty {
        let element = self.table.fresh();
        let list = self.list_of(element);
        self.expect(term, expected, list, ambient, origin);
        element
    }

    /// `a :: b :: c`, however long, without recursion to the right.
    fn check_cons(
        &mut self,
        term: TermId,
        left: TermId,
        right: TermId,
        expected: Ty,
        ability: Ability,
        origin: Expectation,
    ) {
        let item = self.item;
        let element = self.expect_list(term, expected, ability, origin);
        let list = self.list_of(element);
        self.check(left, element, ability, Expectation::Free);
        let mut rest = right;
        while let TermKind::Binary {
            operator: BinaryOperator::Cons,
            left,
            right,
            ..
        } = &item.terms[rest].kind
        {
            self.body.ambient.insert(rest, ability);
            self.body.types.insert(rest, list);
            self.check(*left, element, ability, Expectation::Element { list: term });
            rest = *right;
        }
        self.check(rest, list, ability, Expectation::Element { list: term });
    }

    /// `a + b + c` and the like, however long, without recursion to the left.
    fn check_operation(
        &mut self,
        term: TermId,
        expected: Ty,
        ability: Ability,
        origin: Expectation,
    ) {
        // From the outermost in, each the first operand of the one before; with their number types.
        let first_operand = |term: &TermId| self.operation(*term).map(|(_, first, _)| first);
        let length = std::iter::successors(Some(term), first_operand).count();
        self.table.reserve(length);
        let mut operations: Vec<(TermId, Ty)> = Vec::with_capacity(length);
        let mut beside = Beside::default();
        let mut term = term;
        loop {
            let number = self.table.fresh_number();
            self.body.numbers.insert(term, number);
            operations.push((term, number));
            let Some((_, first, _)) = self.operation(term) else {
                return;
            };
            if self.operation(first).is_none() || self.change_at(first).is_some() {
                let origin = Expectation::Operand { operation: term };
                let own = self.first_operand(first, number, &mut beside);
                self.check(first, own, ability, origin);
                break;
            }
            self.enter(first, number, ability);
            term = first;
        }
        while let Some((term, number)) = operations.pop() {
            let Some((operator, first, second)) = self.operation(term) else {
                return;
            };
            // What is no number is so for both operands.
            let sound = !self.misfits(&[first]);
            let wanted = if sound { number } else { self.table.error };
            let origin_of_operand = Expectation::Operand { operation: term };
            let own = self.second_operand(second, wanted, &mut beside);
            let known = self.problems.len();
            self.check(second, own, ability, origin_of_operand);
            if !sound {
                self.forget_misfits(known, &[second]);
            }
            self.operands_known(number, &mut beside);
            let result = match operator {
                BinaryOperator::Add
                | BinaryOperator::Subtract
                | BinaryOperator::Multiply
                | BinaryOperator::Divide => wanted,
                _ => {
                    // What comes out says nothing of the operands.
                    beside = Beside::default();
                    let truth = truth_values(self.db, self.scope);
                    self.table.types.ty(TyKind::Data(truth.data, Arc::from([])))
                }
            };
            let (expected, origin) = match operations.last() {
                Some((around, number)) => (*number, Expectation::Operand { operation: *around }),
                None => (expected, origin),
            };
            self.expect(term, expected, result, ability, origin);
        }
        self.holes_beside(beside, expected);
    }

    /// Arithmetic or a comparison: its operator, and its operands in the order in which they are checked.
    fn operation(&self, term: TermId) -> Option<(BinaryOperator, TermId, TermId)> {
        match self.item.terms[term].kind {
            TermKind::Binary {
                operator,
                left,
                right,
                ..
            } if operator != BinaryOperator::Cons => Some(match self.order.backwards {
                true => (operator, right, left),
                false => (operator, left, right),
            }),
            _ => None,
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one construct")]
    fn check_let(
        &mut self,
        term: TermId,
        name: Name,
        bound: TermId,
        body: TermId,
        expected: Ty,
        ability: Ability,
        origin: Expectation,
    ) {
        let value = self.table.fresh();
        self.check(bound, value, ability, Expectation::Free);
        let resolved = if let Some(local) = self.body.scopes.bound_by_let(term) {
            self.bind_local(local, value);
            if self.is_generalised(term) {
                self.generalised = Some(Generalised {
                    local,
                    bound,
                    ability,
                });
            }
            ResolvedPattern::Binds(local)
        } else if let Some(TermDef::Constructor(constructor)) = self.definition(name.symbol) {
            self.match_constructor(name, constructor, value);
            ResolvedPattern::Constructor(constructor)
        } else {
            ResolvedPattern::Wildcard
        };
        self.body.lets.insert(term, resolved);
        self.check(body, expected, ability, origin);
        if self.is_generalised(term) {
            self.generalised = None;
        }
    }

    /// `let x = …` where `x` is a constructor.
    fn match_constructor(&mut self, name: Name, constructor: ConstructorDef, value: Ty) {
        let Some(made) = self.constructor(constructor) else {
            return;
        };
        if !made.fields.is_empty() {
            self.report(Problem::ConstructorArguments {
                source: self.source,
                node: name.id,
                constructor,
                wanted: made.fields.len(),
                given: 0,
                pattern: true,
            });
        }
        if let Err(clash) = self.table.unify(value, made.data) {
            let ambient = self.table.fresh_ability();
            self.report(Problem::Mismatch {
                source: self.source,
                node: name.id,
                term: None,
                expected: value,
                found: made.data,
                clash,
                decided: self.table.decided,
                origin: Expectation::LetMatch,
                ambient,
            });
        }
    }

    fn check_thunk(&mut self, term: TermId, clauses: &[Clause], expected: Ty, ability: Ability) {
        let _ = ability;
        let head = ClauseHead::Thunk(term);
        let expected = self.table.head(expected);
        match self.table.types.kind(expected).clone() {
            TyKind::Computation(computation) => {
                self.body.thunks.insert(term, expected);
                for clause in clauses {
                    self.clause(clause, &computation, head, true);
                }
            }
            TyKind::Meta(_) => {
                self.body.thunks.insert(term, expected);
                for clause in clauses {
                    let fresh = self.plain_computation(clause.patterns.len());
                    self.clause(clause, &fresh, head, true);
                    let ty = self.table.types.ty(TyKind::Computation(Arc::new(fresh)));
                    self.body.thunks.insert(term, ty);
                    if let Err(clash) = self.table.unify(expected, ty) {
                        let ambient = ability;
                        self.report(Problem::Mismatch {
                            source: self.source,
                            node: clause.id,
                            term: Some(term),
                            expected,
                            found: ty,
                            clash,
                            decided: self.table.decided,
                            origin: Expectation::Free,
                            ambient,
                        });
                    }
                }
            }
            kind => {
                if kind != TyKind::Error {
                    self.report(Problem::ThunkForValue {
                        source: self.source,
                        term,
                        expected,
                    });
                }
                for clause in clauses {
                    let unknown = self.error_computation(clause.patterns.len());
                    self.clause(clause, &unknown, head, false);
                }
            }
        }
    }

    pub(super) fn constructor(&mut self, constructor: ConstructorDef) -> Option<Instantiated> {
        let data = constructor.data;
        let declared = data_type(self.db, data.0.scope, data.0.name).as_ref()?;
        let mut made = self.table.constructor(declared, constructor)?;
        made.fields = self.amend_values(TermDef::Constructor(constructor), made.fields);
        Some(made)
    }

    /// A constructor by itself or applied to arguments.
    fn constructor_use(&mut self, term: TermId) -> Option<(ConstructorDef, NodeId, &[TermId])> {
        let item = self.item;
        let (head, args): (TermId, &[TermId]) = match &item.terms[term].kind {
            TermKind::Name(_) => (term, &[]),
            TermKind::Apply { head, args } if !args.is_empty() => (*head, args),
            _ => return None,
        };
        let TermKind::Name(name) = item.terms[head].kind else {
            return None;
        };
        if self.body.scopes.read_by(head).is_some() {
            return None;
        }
        match self.definition(name.symbol) {
            Some(TermDef::Constructor(constructor)) => Some((constructor, name.id, args)),
            _ => None,
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one construct")]
    fn check_constructor(
        &mut self,
        term: TermId,
        constructor: ConstructorDef,
        name: NodeId,
        args: &[TermId],
        expected: Ty,
        ability: Ability,
        origin: Expectation,
    ) {
        let definition = TermDef::Constructor(constructor);
        let head = match &self.item.terms[term].kind {
            TermKind::Apply { head, .. } => *head,
            _ => term,
        };
        self.body
            .names
            .insert(head, Resolved::Definition(definition));
        let Some(made) = self.constructor(constructor) else {
            return;
        };
        if head != term {
            self.body.ambient.insert(head, ability);
            self.body.types.insert(head, made.data);
        }
        if args.len() != made.fields.len() {
            let extra = args.get(made.fields.len()).map(|arg| self.node(*arg));
            self.report(Problem::ConstructorArguments {
                source: self.source,
                node: extra.unwrap_or(name),
                constructor,
                wanted: made.fields.len(),
                given: args.len(),
                pattern: false,
            });
        } else {
            self.expect(term, expected, made.data, ability, origin);
        }
        let args = self.arguments_of(term, args);
        let holes = self.holes;
        let reading = match args.len() == made.fields.len() {
            true => Reading::InOrder,
            false => {
                let call = Call {
                    term,
                    head,
                    function: made.data,
                    args: &args,
                    needed: Some(expected),
                };
                self.reading(&call, &made.as_computation(ability), ability)
            }
        };
        for index in self.positions(args.len()) {
            let Some(arg) = args.get(index) else { continue };
            match reading.port(index).and_then(|port| made.fields.get(port)) {
                Some(field) => {
                    self.check(
                        *arg,
                        *field,
                        ability,
                        Expectation::Field { constructor, index },
                    );
                }
                None => self.check_unjudged(*arg, ability),
            }
        }
        if args.len() != made.fields.len() && self.holes > holes {
            self.decided_by_place(expected, made.data);
        }
    }

    /// Whether one of the terms has just been found to be of another type than it should be.
    pub(super) fn misfits(&self, terms: &[TermId]) -> bool {
        let last = self.problems.iter().rev();
        last.take_while(|problem| problem.source() == self.source)
            .any(|problem| self.is_misfit(problem, terms))
    }

    fn is_misfit(&self, problem: &Problem, terms: &[TermId]) -> bool {
        matches!(
            problem,
            Problem::Mismatch { source, term: Some(term), .. }
                if *source == self.source && terms.contains(term)
        )
    }

    /// Forgets that terms are of other types than they should be, if it was found since there were
    /// so many problems.
    pub(super) fn forget_misfits(&mut self, since: usize, terms: &[TermId]) {
        let found = self.problems.split_off(since.min(self.problems.len()));
        for problem in found {
            if !self.is_misfit(&problem, terms) {
                self.problems.push(problem);
            }
        }
    }

    /// The positions of so many arguments, as the order goes through them.
    pub(super) fn positions(&self, count: usize) -> Vec<usize> {
        let mut positions: Vec<usize> = (0..count).collect();
        if self.order.backwards {
            positions.reverse();
        }
        positions
    }

    /// Checks a term whose place is wrong, for what is wrong in the term itself.
    pub(super) fn check_unjudged(&mut self, term: TermId, ability: Ability) {
        let ability = self.lenient(ability);
        if self.body.scopes.read_by(term).is_some() {
            // What it is stays known: other uses of the variable may be right.
            self.infer(term, ability);
            return;
        }
        let error = self.table.error;
        self.check(term, error, ability, Expectation::Free);
    }

    /// The type of a use.
    pub(super) fn infer(&mut self, term: TermId, ability: Ability) -> Ty {
        let ty = ensure_sufficient_stack(|| self.infer_here(term, ability));
        self.body.ambient.insert(term, ability);
        self.body.types.insert(term, ty);
        ty
    }

    fn infer_here(&mut self, term: TermId, ability: Ability) -> Ty {
        if let Some(change) = self.change_at(term) {
            self.place.needed = None;
            if let Change::Call(operator) = change {
                return self.other_operator(term, operator);
            }
            let ty = self.table.fresh();
            self.check_changed(change, term, ty, ability, Expectation::Free);
            return ty;
        }
        let item = self.item;
        let place = std::mem::take(&mut self.place);
        match &item.terms[term].kind {
            TermKind::Name(name) => self.infer_name(term, *name, ability),
            TermKind::Apply { head, args } => {
                self.infer_application(term, *head, args, ability, place)
            }
            TermKind::Adapted { adaptors, body } => {
                let (adapted, sound) = self.adapt(term, adaptors, ability);
                if self.constructor_use(*body).is_some() {
                    let ty = self.table.fresh();
                    self.check(*body, ty, adapted, Expectation::Free);
                    return ty;
                }
                self.place = place;
                let ty = self.infer(*body, adapted);
                // Under another adaptor it may well be of another type.
                if sound || self.is_hole(*body) {
                    ty
                } else {
                    self.table.error
                }
            }
            TermKind::Missing => self.table.error,
            // The parser has reported a head that is no use.
            _ => {
                let any = self.table.fresh();
                self.check(term, any, ability, Expectation::Free);
                any
            }
        }
    }

    fn infer_name(&mut self, term: TermId, name: Name, ability: Ability) -> Ty {
        if name.symbol.is_wildcard() {
            return self.hole(term, name);
        }
        if let Some(local) = self.body.scopes.read_by(term) {
            self.body.names.insert(term, Resolved::Local(local));
            if let Some(ty) = self.generalised_use(local) {
                return ty;
            }
            let local = self.body.locals.get(local.0 as usize);
            return local.map_or(self.table.error, |local| local.ty);
        }
        let definition = self.definition(name.symbol);
        if definition.is_none() && name.symbol.as_str().starts_with('_') {
            return self.hole(term, name);
        }
        let resolved = definition.map_or(Resolved::Unknown, Resolved::Definition);
        self.body.names.insert(term, resolved);
        match definition {
            Some(TermDef::Command(command)) => self.infer_command(term, name, command, ability),
            Some(TermDef::Operator(operator)) => {
                let (scope, symbol) = (operator.0.scope, operator.0.name);
                if Some(operator) == self.operator
                    && let Some(own) = self.own_type
                {
                    return own;
                }
                match known_signature(self.db, scope, symbol) {
                    Some(signature) => {
                        let mut computation = self.table.instantiate(signature);
                        self.amend(TermDef::Operator(operator), &mut computation);
                        if Some(operator) == self.operator {
                            computation = self.allowing(computation);
                        }
                        let computation = Arc::new(computation);
                        self.table.types.ty(TyKind::Computation(computation))
                    }
                    None => self.table.error,
                }
            }
            // `nil!`: only a constructor as the head of `!` is inferred.
            Some(TermDef::Constructor(constructor)) => {
                let node = name.id;
                self.report(Problem::ConstructorForced {
                    source: self.source,
                    node,
                    constructor,
                });
                self.table.error
            }
            None => {
                let scope = self.body.scopes.names_at(term);
                self.report(Problem::UnknownName {
                    source: self.source,
                    node: name.id,
                    name: name.symbol,
                    scope,
                    pattern: false,
                });
                if self.draft {
                    self.table.fresh()
                } else {
                    self.table.error
                }
            }
        }
    }

    fn infer_command(
        &mut self,
        term: TermId,
        name: Name,
        command: CommandDef,
        ability: Ability,
    ) -> Ty {
        let definition = command.interface.0;
        let Some(declared) = interface(self.db, definition.scope, definition.name) else {
            return self.table.error;
        };
        let Some(types) = declared.commands.get(command.index as usize) else {
            return self.table.error;
        };
        if !self
            .table
            .extend_to(ability, command.interface, &declared.params, 1)
        {
            // The command's own shape is known all the same.
            let instance = self
                .table
                .fresh_instance(command.interface, &declared.params);
            if self.table.row(ability).tail != Tail::Error {
                self.report(Problem::NoInstance {
                    source: self.source,
                    node: name.id,
                    term,
                    command,
                    instance: instance.clone(),
                    ambient: ability,
                });
            }
            let lenient = self.lenient(ability);
            return self.command_type(command, declared, types, &instance.args, lenient);
        }
        let row = self.table.row(ability);
        let own = |i: &&crate::types::Instance| i.interface == command.interface;
        let Some(active) = row.instances.iter().rev().find(own) else {
            return self.table.error;
        };
        self.command_type(command, declared, types, &active.args, ability)
    }

    /// The type of a command of the instance with these arguments, its own parameters fresh.
    fn command_type(
        &mut self,
        definition: CommandDef,
        declared: &crate::types::Interface,
        command: &crate::types::Command,
        args: &[Arg],
        ability: Ability,
    ) -> Ty {
        let performed = self.table.command(declared, command, args);
        let ports = performed.args.into_iter().map(|ty| Port {
            adjustments: Arc::from([]),
            ty,
        });
        let ports = ports.collect();
        let result = performed.result;
        let mut computation = Computation {
            ports,
            ability,
            result,
        };
        self.amend(TermDef::Command(definition), &mut computation);
        let computation = TyKind::Computation(Arc::new(computation));
        self.table.types.ty(computation)
    }
}
