//! Objects that are arguments, taken apart before the call.
//!
//! A loop that hands a pair or a dual number to itself would make an object in each round, to take it apart in the
//! next. So an operator that calls itself has versions for arguments whose constructors are known at the call: such
//! a version has the fields for parameters. Where it needs the object as a whole it makes one, there ([`super::objects`]).
//!
//! Only objects of data types that do not contain themselves are taken apart, so that no list is; and only
//! parameters that change from round to round, since whatever hands on one and the same object has it made already.

use std::collections::HashMap;
use std::rc::Rc;

use frank_core::{
    ConstructorId, DataId, Handler, OperatorId, Pattern, Program, Term, Type, ValuePattern,
};

use super::context::ContextId;
use super::deep;
use super::ir::{Kind, Var};
use super::lower::Lower;
use super::shared::id_of;
use super::terms::Facts;

/// How deep objects are taken apart, and how many parameters may come of that.
const DEPTH: usize = 3;
const PARAMETERS: usize = 12;
/// How many such versions one operator in one context has, and all of a program.
const VERSIONS_OF_OPERATOR: usize = 4;
const VERSIONS: usize = 40;

/// What a call knows of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Unknown,
    /// Never a pointer.
    Plain,
    Object {
        constructor: u32,
        fields: Vec<Shape>,
    },
}

/// What a call knows of all its arguments; a number of [`Shapes`].
pub(super) type ShapesId = u32;

/// Nothing.
pub(super) const ANY: ShapesId = 0;

/// The versions that there are.
pub(super) struct Shapes {
    known: Vec<Rc<[Shape]>>,
    ids: HashMap<Rc<[Shape]>, ShapesId>,
    versions: HashMap<(OperatorId, ContextId), usize>,
    all_versions: usize,
}

impl Shapes {
    pub fn new() -> Shapes {
        let any: Rc<[Shape]> = Rc::from([]);
        Shapes {
            known: vec![any.clone()],
            ids: HashMap::from([(any, ANY)]),
            versions: HashMap::new(),
            all_versions: 0,
        }
    }

    /// The shapes of a version's arguments; none for [`ANY`].
    pub fn of(&self, id: ShapesId) -> Rc<[Shape]> {
        let known = self.known.get(id as usize);
        known.cloned().unwrap_or_else(|| Rc::from([]))
    }

    /// The number of some arguments' shapes.
    pub fn intern(&mut self, shapes: Vec<Shape>) -> ShapesId {
        let shapes: Rc<[Shape]> = shapes.into();
        match self.ids.get(&shapes) {
            Some(id) => *id,
            None => {
                let id = self.known.len() as ShapesId;
                self.known.push(shapes.clone());
                self.ids.insert(shapes, id);
                id
            }
        }
    }

    /// Whether an operator may have one more version; if so it is counted.
    pub fn allow(&mut self, operator: OperatorId, context: ContextId) -> bool {
        let versions = self.versions.entry((operator, context)).or_default();
        let allowed = *versions < VERSIONS_OF_OPERATOR && self.all_versions < VERSIONS;
        if allowed {
            *versions += 1;
            self.all_versions += 1;
        }
        allowed
    }
}

impl Facts<'_> {
    /// For each parameter of an operator whether some call of it in its own clauses may hand it something else; none
    /// of them if its ports change the ability.
    pub fn changing(&mut self, operator: OperatorId) -> Rc<[bool]> {
        if let Some(known) = self.changing.get(&operator) {
            return known.clone();
        }
        let found = match self.handler(operator) {
            Some(handler) if handler.ports.iter().all(|p| p.adjustments.is_empty()) => {
                changing(self.program(), operator, handler)
            }
            _ => Vec::new(),
        };
        let found: Rc<[bool]> = found.into();
        self.changing.insert(operator, found.clone());
        found
    }

    /// Whether values of a constructor's data type have values of the same type in them.
    fn contains_itself(&mut self, constructor: ConstructorId) -> bool {
        let program = self.program();
        let data = program.constructors[constructor].data;
        *self
            .containing_themselves
            .entry(data)
            .or_insert_with(|| contains_itself(program, data))
    }
}

fn changing(program: &Program, operator: OperatorId, handler: &Handler) -> Vec<bool> {
    let mut found = vec![false; handler.ports.len()];
    for clause in &handler.clauses {
        let mut queue = vec![clause.body];
        while let Some(term) = queue.pop() {
            if let Term::Apply { head, args } = &program.terms[term]
                && matches!(&program.terms[*head], Term::Operator(id) if *id == operator)
            {
                for ((arg, pattern), changes) in
                    args.iter().zip(&clause.patterns).zip(found.iter_mut())
                {
                    let same = matches!(
                        (&program.terms[*arg], pattern),
                        (Term::Local(given), Pattern::Value(ValuePattern::Bind(own))) if given == own
                    );
                    *changes |= !same;
                }
            }
            program.parts(term, &mut |part| queue.push(part));
        }
    }
    found
}

fn contains_itself(program: &Program, data: DataId) -> bool {
    let mut seen = Vec::new();
    let mut queue = vec![data];
    while let Some(next) = queue.pop() {
        let fields = program.data[next].constructors.iter();
        let mut types: Vec<&Type> = fields
            .flat_map(|constructor| &program.constructors[*constructor].fields)
            .collect();
        while let Some(ty) = types.pop() {
            let Type::Data(inner, arguments) = ty else {
                continue;
            };
            if *inner == data {
                return true;
            }
            types.extend(arguments);
            if !seen.contains(inner) {
                seen.push(*inner);
                queue.push(*inner);
            }
        }
    }
    false
}

impl Lower<'_, '_> {
    /// What is known of a variable that is to be an argument.
    fn shape(&mut self, var: Var, depth: usize) -> Shape {
        let made = self.made.get(&var).filter(|(_, fields)| !fields.is_empty());
        if let Some((constructor, fields)) = made.cloned()
            && depth < DEPTH
            && !self.shared.facts.contains_itself(id_of(constructor))
        {
            let fields = fields.iter().map(|field| self.shape(*field, depth + 1));
            return Shape::Object {
                constructor,
                fields: fields.collect(),
            };
        }
        match self.kinds.get(var as usize) {
            Some(Kind::Plain | Kind::Constant(_)) => Shape::Plain,
            _ => Shape::Unknown,
        }
    }

    /// The version of an operator for what a call knows of its arguments, and the arguments that it takes, if there
    /// is one.
    pub fn taken_apart(&mut self, id: OperatorId, args: &[Var]) -> Option<(u32, Vec<Var>)> {
        if !self.shared.specialise {
            return None;
        }
        let changing = self.shared.facts.changing(id);
        let mut shapes = Vec::new();
        let mut parameters = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let shape = match changing.get(i) {
                Some(true) => self.shape(*arg, 0),
                _ => Shape::Unknown,
            };
            self.parts(*arg, &shape, &mut parameters);
            shapes.push(shape);
        }
        let any = shapes.iter().any(|s| matches!(s, Shape::Object { .. }));
        if !any || args.len() != changing.len() || parameters.len() > PARAMETERS {
            return None;
        }
        let function = self.shared.operator_for(id, self.context, shapes)?;
        Some((function, parameters))
    }

    /// The variables that are handed on in the place of one of that shape.
    fn parts(&self, var: Var, shape: &Shape, to: &mut Vec<Var>) {
        match (shape, self.made.get(&var)) {
            (Shape::Object { fields: shapes, .. }, Some((_, fields))) => {
                for (field, shape) in fields.iter().zip(shapes) {
                    self.parts(*field, shape, to);
                }
            }
            _ => to.push(var),
        }
    }

    /// A parameter of that shape, made of parameters that are added.
    pub fn parameter(&mut self, shape: &Shape, parameters: &mut Vec<Var>) -> Var {
        let parameter = match shape {
            Shape::Unknown => self.fresh(),
            Shape::Plain => self.var(Kind::Plain),
            Shape::Object {
                constructor,
                fields,
            } => {
                let fields = fields.iter();
                let fields = fields.map(|field| deep(|| self.parameter(field, parameters)));
                let fields = fields.collect();
                return self.construct(*constructor, fields);
            }
        };
        parameters.push(parameter);
        parameter
    }
}
