//! Checking terms, from left to right (docs/language/inference.md, docs/language/terms.md,
//! docs/language/numbers.md).

use std::collections::HashMap;

use frank_syntax::ast::{BinaryOperator, Clause, Item, Symbol, TermId, TermKind};

use super::adapt::{adapted, adjusted};
use super::declare::{adaptor_of, replacement};
use super::names::{Meaning, Param, World};
use super::solve::{Checked, Solution};
use super::types::{
    Ability, Arg, Computation, Id, Instance, Port, Replacement, Type, Variables, thunk,
};

/// The types of local variables.
pub type Locals = HashMap<Symbol, Type>;

/// Checks the terms of one item.
pub struct Checker<'a> {
    pub world: &'a World,
    pub scope: usize,
    pub item: &'a Item,
    pub solution: Solution,
}

impl Checker<'_> {
    /// A term against the type that its place asks for, in the ambient ability.
    pub fn check(
        &mut self,
        id: TermId,
        wanted: &Type,
        ambient: &Ability,
        locals: &Locals,
    ) -> Checked {
        let item = self.item;
        match &item.terms[id].kind {
            TermKind::Name(name) => match self.constructor(name.symbol) {
                Some((data, number)) => self.construct(data, number, &[], wanted, ambient, locals),
                None => self.check_use(id, wanted, ambient, locals),
            },
            TermKind::Apply { head, args } => match &item.terms[*head].kind {
                TermKind::Name(name) => match self.constructor(name.symbol) {
                    Some(_) if args.is_empty() => Err(format!("{} cannot run", name.symbol)),
                    Some((data, number)) => {
                        self.construct(data, number, args, wanted, ambient, locals)
                    }
                    None if self.is_case(name.symbol, locals) => match &args[..] {
                        [value, clauses] => {
                            self.case(*head, *value, *clauses, wanted, ambient, locals)
                        }
                        _ => self.check_use(id, wanted, ambient, locals),
                    },
                    None => self.check_use(id, wanted, ambient, locals),
                },
                _ => self.check_use(id, wanted, ambient, locals),
            },
            TermKind::Adapted { adaptors, body } if self.makes_data(*body) => {
                let under = self.under(adaptors, ambient)?;
                self.check(*body, wanted, &under, locals)
            }
            TermKind::Adapted { .. } => self.check_use(id, wanted, ambient, locals),
            TermKind::Let { name, bound, body } => {
                let ty = self.solution.fresh_type();
                self.check(*bound, &ty, ambient, locals)?;
                let mut inner = locals.clone();
                self.name_pattern(name.symbol, &ty, &mut inner)?;
                self.check(*body, wanted, ambient, &inner)
            }
            TermKind::Sequence { first, second } => {
                let any = self.solution.fresh_type();
                self.check(*first, &any, ambient, locals)?;
                self.check(*second, wanted, ambient, locals)
            }
            TermKind::Binary {
                operator: BinaryOperator::Cons,
                left,
                right,
                ..
            } => {
                let element = self.list_of(wanted)?;
                self.check(*left, &element, ambient, locals)?;
                self.check(*right, &self.world.list(element), ambient, locals)
            }
            TermKind::Binary {
                operator,
                left,
                right,
                ..
            } => {
                let number = match operator {
                    BinaryOperator::Add
                    | BinaryOperator::Subtract
                    | BinaryOperator::Multiply
                    | BinaryOperator::Divide => wanted.clone(),
                    _ => {
                        let truth = self.world.truth(self.scope);
                        self.solution.equal_types(&truth, wanted)?;
                        self.solution.fresh_type()
                    }
                };
                self.solution.number(&number)?;
                self.check(*left, &number, ambient, locals)?;
                self.check(*right, &number, ambient, locals)
            }
            TermKind::Negate(inner) => {
                self.solution.number(wanted)?;
                match &item.terms[*inner].kind {
                    // The least `Int`, though the digits alone are none.
                    TermKind::Natural(Some(value)) if *value == 1 << 63 => Ok(()),
                    _ => self.check(*inner, wanted, ambient, locals),
                }
            }
            TermKind::Thunk { clauses } => self.suspended(clauses, wanted, locals),
            TermKind::Natural(Some(value)) if *value >= 1 << 63 => {
                Err("a number does not fit in 64 bits".to_owned())
            }
            TermKind::Natural(_) => self.solution.number(wanted),
            TermKind::Float(_) => self.solution.equal_types(&Type::Float, wanted),
            TermKind::Char(_) => self.solution.equal_types(&Type::Char, wanted),
            TermKind::String(_) => self.solution.equal_types(&self.world.string(), wanted),
            TermKind::List(elements) => {
                let element = self.list_of(wanted)?;
                let mut elements = elements.iter();
                elements.try_for_each(|one| self.check(*one, &element, ambient, locals))
            }
            TermKind::Missing => Err("a term is missing".to_owned()),
        }
    }

    /// The type wanted is that of a list; gives its elements'.
    pub fn list_of(&mut self, wanted: &Type) -> Checked<Type> {
        let element = self.solution.fresh_type();
        let list = self.world.list(element.clone());
        self.solution.equal_types(&list, wanted)?;
        Ok(element)
    }

    pub fn constructor(&self, name: Symbol) -> Option<(Id, usize)> {
        match self.world.find_term(self.scope, name) {
            Some(Meaning::Constructor(data, number)) => Some((data, number)),
            _ => None,
        }
    }

    /// The fields of a constructor at fresh parameters, once its data type is the one wanted.
    pub fn fields(
        &mut self,
        data: Id,
        number: usize,
        count: usize,
        wanted: &Type,
    ) -> Checked<Vec<Type>> {
        let world = self.world;
        let declared = world.data(data);
        let constructor = &declared.constructors[number];
        let (args, replacement) = fresh_args(&mut self.solution, &declared.params);
        self.solution.equal_types(&Type::Data(data, args), wanted)?;
        if count != constructor.fields.len() {
            return Err(format!(
                "a wrong number of arguments of {}",
                constructor.name
            ));
        }
        let fields = constructor.fields.iter();
        Ok(fields.map(|field| replacement.ty(field)).collect())
    }

    fn construct(
        &mut self,
        data: Id,
        number: usize,
        args: &[TermId],
        wanted: &Type,
        ambient: &Ability,
        locals: &Locals,
    ) -> Checked {
        let fields = self.fields(data, number, args.len(), wanted)?;
        let mut pairs = args.iter().zip(&fields);
        pairs.try_for_each(|(arg, field)| self.check(*arg, field, ambient, locals))
    }

    /// Whether a name is that of the built-in `case`.
    fn is_case(&self, name: Symbol, locals: &Locals) -> bool {
        let case = self
            .world
            .find_term(self.world.builtin, Symbol::new("case"));
        !locals.contains_key(&name)
            && case.is_some()
            && self.world.find_term(self.scope, name) == case
    }

    /// `case a {…}`: in clauses that are written out the type that is wanted is known.
    fn case(
        &mut self,
        head: TermId,
        value: TermId,
        clauses: TermId,
        wanted: &Type,
        ambient: &Ability,
        locals: &Locals,
    ) -> Checked {
        let case = self.infer(head, ambient, locals)?;
        let is_written = matches!(self.item.terms[clauses].kind, TermKind::Thunk { .. });
        if let (Type::Thunk(case), true) = (&case, is_written) {
            self.solution.equal_types(&case.result, wanted)?;
        }
        let ty = self.apply(&case, &[value, clauses], ambient, locals)?;
        self.solution.equal_types(&ty, wanted)
    }

    fn check_use(
        &mut self,
        id: TermId,
        wanted: &Type,
        ambient: &Ability,
        locals: &Locals,
    ) -> Checked {
        let ty = self.infer(id, ambient, locals)?;
        self.solution.equal_types(&ty, wanted)
    }

    /// The type of a use. Terms of other sorts are checked against a type that is still open.
    fn infer(&mut self, id: TermId, ambient: &Ability, locals: &Locals) -> Checked<Type> {
        let item = self.item;
        match &item.terms[id].kind {
            TermKind::Name(name) if self.constructor(name.symbol).is_none() => {
                self.name(name.symbol, ambient, locals)
            }
            TermKind::Apply { head, args } if !self.is_constructor(*head) => {
                let head = self.infer(*head, ambient, locals)?;
                self.apply(&head, args, ambient, locals)
            }
            TermKind::Adapted { adaptors, body } => {
                let under = self.under(adaptors, ambient)?;
                self.infer(*body, &under, locals)
            }
            _ => {
                let open = self.solution.fresh_type();
                self.check(id, &open, ambient, locals)?;
                Ok(open)
            }
        }
    }

    /// Whether a term is a constructor, with or without arguments.
    fn makes_data(&self, id: TermId) -> bool {
        match &self.item.terms[id].kind {
            TermKind::Apply { head, .. } => self.is_constructor(*head),
            _ => self.is_constructor(id),
        }
    }

    fn is_constructor(&self, id: TermId) -> bool {
        match &self.item.terms[id].kind {
            TermKind::Name(name) => self.constructor(name.symbol).is_some(),
            _ => false,
        }
    }

    /// A variable has its one type, an operator its signature at fresh variables, a command the
    /// type that the active instance gives it.
    fn name(&mut self, name: Symbol, ambient: &Ability, locals: &Locals) -> Checked<Type> {
        if name.is_wildcard() {
            return Err("the wildcard cannot be read".to_owned());
        }
        let meaning = self.world.find_term(self.scope, name);
        match (meaning, locals.get(&name)) {
            (Some(Meaning::Command(interface, number)), _) => {
                self.command(interface, number, ambient)
            }
            (_, Some(local)) => Ok(local.clone()),
            (Some(Meaning::Operator(operator)), None) => {
                let Some(signature) = &self.world.operator(operator).ty else {
                    return Err(format!("{name} has no signature"));
                };
                let signature = Type::Thunk(Box::new(signature.clone()));
                Ok(instantiated(&mut self.solution, &signature))
            }
            _ => Err(format!("there is no {name}")),
        }
    }

    fn command(&mut self, interface: Id, number: usize, ambient: &Ability) -> Checked<Type> {
        let world = self.world;
        let row = world.row(interface);
        let command = &row.commands[number];
        let active = self.solution.active(ambient, interface, |solution| {
            fresh_instance(world, solution, interface)
        })?;
        let mut parameters = replacement(&row.params, &active.args);
        let (_, own) = fresh_args(&mut self.solution, &command.params);
        parameters.types.extend(own.types);
        parameters.abilities.extend(own.abilities);
        let args = command.args.iter();
        let ports = args.map(|ty| Port::plain(parameters.ty(ty))).collect();
        let ability = self.solution.ability(ambient);
        Ok(thunk(ports, ability, parameters.ty(&command.result)))
    }

    /// The ability of what is applied must be the ambient one. Then each argument is checked under
    /// its port's adjustments.
    fn apply(
        &mut self,
        head: &Type,
        args: &[TermId],
        ambient: &Ability,
        locals: &Locals,
    ) -> Checked<Type> {
        let it = match self.solution.outermost(head) {
            Type::Thunk(it) => *it,
            open @ Type::Flexible(_) => {
                let it = self.open_computation(args.len(), ambient.clone());
                let known = Type::Thunk(Box::new(it.clone()));
                self.solution.equal_types(&open, &known)?;
                it
            }
            other => return Err(format!("{other:?} cannot be applied")),
        };
        self.solution.equal_abilities(&it.ability, ambient)?;
        if args.len() != it.ports.len() {
            return Err("a wrong number of arguments".to_owned());
        }
        for (arg, port) in args.iter().zip(&it.ports) {
            let inside = self.adjusted(ambient, port)?;
            self.check(*arg, &port.ty, &inside, locals)?;
        }
        Ok(it.result)
    }

    /// A computation of plain ports whose types are open.
    fn open_computation(&mut self, ports: usize, ability: Ability) -> Computation {
        let ports = (0..ports).map(|_| Port::plain(self.solution.fresh_type()));
        Computation {
            ports: ports.collect(),
            ability,
            result: self.solution.fresh_type(),
        }
    }

    fn under(
        &mut self,
        adaptors: &[frank_syntax::ast::AdaptorExpr],
        ambient: &Ability,
    ) -> Checked<Ability> {
        let world = self.world;
        let mut ability = self.solution.ability(ambient);
        for adaptor in adaptors {
            let adaptor = adaptor_of(world, self.scope, adaptor)?;
            let fresh = |solution: &mut Solution, id| fresh_instance(world, solution, id);
            ability = adapted(&mut self.solution, &ability, &adaptor, &fresh)?;
        }
        Ok(ability)
    }

    pub fn adjusted(&mut self, around: &Ability, port: &Port) -> Checked<Ability> {
        let world = self.world;
        let fresh = |solution: &mut Solution, id| fresh_instance(world, solution, id);
        adjusted(&mut self.solution, around, port, &fresh)
    }

    /// A suspended computation, clause by clause. Where no type is known yet, each clause has plain
    /// ports and an open ability, and its type is then made the same as the one wanted.
    fn suspended(&mut self, clauses: &[Clause], wanted: &Type, locals: &Locals) -> Checked {
        match self.solution.outermost(wanted) {
            Type::Thunk(it) => {
                let mut clauses = clauses.iter();
                clauses.try_for_each(|clause| self.clause(clause, &it, locals))
            }
            open @ Type::Flexible(_) => {
                for clause in clauses {
                    let ability = self.solution.fresh_ability();
                    let it = self.open_computation(clause.patterns.len(), ability);
                    self.clause(clause, &it, locals)?;
                    self.solution
                        .equal_types(&Type::Thunk(Box::new(it)), &open)?;
                }
                Ok(())
            }
            other => Err(format!("a computation is no {other:?}")),
        }
    }

    /// A clause of an operator or of a suspended computation: one pattern for each port, and a body
    /// of the peg's type in the peg's ability.
    pub fn clause(&mut self, clause: &Clause, it: &Computation, locals: &Locals) -> Checked {
        if clause.patterns.len() != it.ports.len() {
            return Err("a wrong number of patterns".to_owned());
        }
        let before = self.solution.count();
        let mut bound = Locals::new();
        let mut unknown = Variables::default();
        for (pattern, port) in clause.patterns.iter().zip(&it.ports) {
            self.port_pattern(*pattern, port, &it.ability, &mut bound, &mut unknown)?;
        }
        let mut inner = locals.clone();
        inner.extend(bound);
        self.check(clause.body, &it.result, &it.ability, &inner)?;
        // The parameters of a command must not leave the clause: nothing that was there before may
        // have come to stand for them.
        for variable in 0..before {
            let behind = self.solution.variables_behind(variable);
            let escaped = behind.types.intersection(&unknown.types).count();
            if escaped + behind.tails.intersection(&unknown.tails).count() > 0 {
                return Err("a command's own type leaves its clause".to_owned());
            }
        }
        Ok(())
    }
}

/// Fresh arguments for some parameters.
pub fn fresh_args(solution: &mut Solution, params: &[Param]) -> (Vec<Arg>, Replacement) {
    let fresh = params.iter().map(|param| {
        if param.is_effect {
            Arg::Ability(solution.fresh_ability())
        } else {
            Arg::Type(solution.fresh_type())
        }
    });
    let args: Vec<Arg> = fresh.collect();
    let replacement = replacement(params, &args);
    (args, replacement)
}

fn fresh_instance(world: &World, solution: &mut Solution, interface: Id) -> Instance {
    let (args, _) = fresh_args(solution, &world.row(interface).params);
    Instance { interface, args }
}

/// A signature with fresh variables for its own.
fn instantiated(solution: &mut Solution, signature: &Type) -> Type {
    let mut variables = Variables::default();
    variables.ty(signature);
    let mut replacement = Replacement::default();
    for name in variables.types {
        replacement.types.insert(name, solution.fresh_type());
    }
    for name in variables.tails {
        replacement.abilities.insert(name, solution.fresh_ability());
    }
    replacement.ty(signature)
}
