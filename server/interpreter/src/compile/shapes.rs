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
    ConstructorId, DataId, Handler, OperatorId, Pattern, Program, Term, TermId, Type, ValuePattern,
};

use super::context::ContextId;
use super::ir::Var;
use super::terms::{Facts, is_plain};

/// How many such versions one operator in one context has, and all of a program.
const VERSIONS_OF_OPERATOR: usize = 4;
const VERSIONS: usize = 40;
/// The same of versions for code that is known.
const VERSIONS_FOR_CODE: usize = 16;
const ALL_VERSIONS_FOR_CODE: usize = 64;

/// How deep objects are taken apart, how deep code is followed that captures code, and how many parameters may come of
/// that. `hessian` needs four of the second: the thunk of `map` captures that of `jacobian`, and so on.
pub(super) const DEPTH: usize = 3;
const CODE_DEPTH: usize = 6;
pub(super) const PARAMETERS: usize = 12;

/// What of a variable's value is handed over in parts.
#[derive(Clone, Copy)]
pub(super) struct Apart {
    /// How deep it is taken apart if it is an object.
    pub objects: usize,
    /// How deep code is followed that captures code.
    pub code: usize,
    /// How deep the objects are taken apart that code captures.
    pub captured: usize,
}

impl Apart {
    /// For something that is handed over because it changes, with the objects that code captures and without: there are
    /// limits that only the latter may keep.
    pub const CHANGING: [Apart; 2] = [Apart::of(DEPTH, DEPTH), Apart::of(DEPTH, 0)];
    /// The same for something that is handed on as it is.
    pub const AS_IT_IS: [Apart; 2] = [Apart::of(0, DEPTH), Apart::of(0, 0)];

    const fn of(objects: usize, captured: usize) -> Apart {
        Apart {
            objects,
            code: CODE_DEPTH,
            captured,
        }
    }
}

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
    /// The value of an operator whose ports are plain: nothing needs to be handed over.
    Operator(OperatorId),
    /// A thunk whose ports are plain, and what it captures; the name is that of whose terms it belongs to.
    Thunk {
        term: TermId,
        name: u32,
        captured: Vec<Shape>,
    },
}

impl Shape {
    /// Whether it is code that can be called.
    pub fn is_code(&self) -> bool {
        matches!(self, Shape::Operator(_) | Shape::Thunk { .. })
    }

    /// Whether it is code or an object that is handed over in parts.
    pub fn is_known(&self) -> bool {
        self.is_code() || matches!(self, Shape::Object { .. })
    }
}

/// What versions are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Versions {
    /// For objects that are taken apart.
    Objects(CodeId, ContextId),
    /// For code that is known.
    Code(CodeId, ContextId),
}

impl Versions {
    /// Those of something for arguments of such shapes.
    pub fn of(code: CodeId, context: ContextId, shapes: &[Shape]) -> Versions {
        match shapes.iter().any(Shape::is_code) {
            true => Versions::Code(code, context),
            false => Versions::Objects(code, context),
        }
    }
}

/// A thunk as it was made.
#[derive(Debug)]
pub(super) struct Thunk {
    pub term: TermId,
    /// Whose terms it belongs to.
    pub name: u32,
    pub captured: Vec<Var>,
}

/// Code by where it stands in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum CodeId {
    Thunk(TermId),
    Operator(OperatorId),
}

/// What a call knows of all its arguments; a number of [`Shapes`].
pub(super) type ShapesId = u32;

/// Nothing.
pub(super) const ANY: ShapesId = 0;

/// The versions that there are.
pub(super) struct Shapes {
    known: Vec<Rc<[Shape]>>,
    ids: HashMap<Rc<[Shape]>, ShapesId>,
    versions: HashMap<Versions, usize>,
    /// How many there are of objects, and of code.
    all_versions: usize,
    all_for_code: usize,
}

impl Shapes {
    pub fn new() -> Shapes {
        let any: Rc<[Shape]> = Rc::from([]);
        Shapes {
            known: vec![any.clone()],
            ids: HashMap::from([(any, ANY)]),
            versions: HashMap::new(),
            all_versions: 0,
            all_for_code: 0,
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

    /// Whether there may be one more of some versions; if so it is counted.
    pub fn allow(&mut self, versions: Versions) -> bool {
        let (all, most, most_of_all) = match versions {
            Versions::Objects(..) => (&mut self.all_versions, VERSIONS_OF_OPERATOR, VERSIONS),
            Versions::Code(..) => (
                &mut self.all_for_code,
                VERSIONS_FOR_CODE,
                ALL_VERSIONS_FOR_CODE,
            ),
        };
        let count = self.versions.entry(versions).or_default();
        let allowed = *count < most && *all < most_of_all;
        if allowed {
            *count += 1;
            *all += 1;
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
            Some(handler) if is_plain(handler) => changing(self.program(), operator, handler),
            _ => Vec::new(),
        };
        let found: Rc<[bool]> = found.into();
        self.changing.insert(operator, found.clone());
        found
    }

    /// Whether values of a constructor's data type have values of the same type in them.
    pub fn contains_itself(&mut self, constructor: ConstructorId) -> bool {
        let program = self.program();
        let data = program.constructors[constructor].data;
        *self
            .containing_themselves
            .entry(data)
            .or_insert_with(|| contains_itself(program, data))
    }
}

/// The same of its clauses, whatever its ports do.
pub(super) fn changing(program: &Program, operator: OperatorId, handler: &Handler) -> Vec<bool> {
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
