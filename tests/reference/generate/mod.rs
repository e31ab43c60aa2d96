//! Random programs, made along the rules: data types, interfaces, handlers, adaptors, and
//! operators over them, most of them well typed. Everything that is written has a ground type, so
//! that no unification is needed: of what may stand in a place, something is chosen that matches
//! the type and the ability that the place asks for.

use frank_syntax::ast::Symbol;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::rules::types::{Ability, Arg, Computation, Id, Instance, Tail, Type};

mod handlers;
mod items;
mod matching;
mod show;
mod terms;

/// A data type, with its constructors.
struct Data {
    id: Id,
    params: Vec<Param>,
    /// Whether the last parameter is an ε that is not written.
    gained: bool,
    constructors: Vec<(String, Vec<Type>)>,
}

struct Interface {
    id: Id,
    params: Vec<Param>,
    gained: bool,
    commands: Vec<Command>,
}

#[derive(Clone)]
struct Command {
    name: String,
    /// Its own parameters.
    params: Vec<Param>,
    args: Vec<Type>,
    result: Type,
}

#[derive(Clone, PartialEq)]
struct Param {
    name: Symbol,
    is_effect: bool,
}

#[derive(Clone)]
struct Operator {
    name: String,
    ty: Computation,
}

/// The variables that a type may mention.
#[derive(Clone, Default)]
struct Scope {
    types: Vec<Symbol>,
    tails: Vec<Symbol>,
}

/// A local variable.
#[derive(Clone)]
struct Local {
    name: String,
    ty: Type,
}

/// The text of an item; of a clause, also the number of its operator.
#[derive(Clone)]
struct Item {
    text: String,
    clause_of: Option<usize>,
}

pub struct Generator {
    rng: StdRng,
    data: Vec<Data>,
    interfaces: Vec<Interface>,
    operators: Vec<Operator>,
    /// Instances that signatures choose from again and again, so that their abilities often fit.
    common: Vec<Instance>,
    /// The operators that handle one instance whole, with the instance.
    handlers: Vec<(usize, Instance)>,
    names: usize,
    /// One of the commands has the name `abort`.
    has_abort: bool,
    /// One in so many terms is of a type that its place does not ask for.
    slip: usize,
    /// Whether operators do without loops, and mostly without recursion.
    ends: bool,
    /// The operator that a clause is being written for.
    inside: usize,
    items: Vec<Item>,
}

fn id(name: &str) -> Id {
    Id {
        scope: 0,
        name: Symbol::new(name),
    }
}

fn plain(name: &str) -> Type {
    Type::Data(id(name), Vec::new())
}

fn list(element: Type) -> Type {
    Type::Data(id("List"), vec![Arg::Type(element)])
}

fn epsilon() -> Symbol {
    Symbol::implicit_effect()
}

impl Generator {
    /// A generator that has made a program; a seed makes the same one again.
    pub fn new(seed: u64) -> Generator {
        Generator::made(seed, false)
    }

    /// As [`new`](Generator::new), with a program that mostly comes to an end when it runs: apart
    /// from handlers, operators call only those that are declared later.
    pub fn that_ends(seed: u64) -> Generator {
        Generator::made(seed, true)
    }

    fn made(seed: u64, ends: bool) -> Generator {
        let x = Symbol::new("X");
        let built_in = |name: &str, params: &[Symbol], constructors| Data {
            id: id(name),
            params: params
                .iter()
                .map(|name| Param {
                    name: *name,
                    is_effect: false,
                })
                .collect(),
            gained: false,
            constructors,
        };
        let none = |name: &str| (name.to_owned(), Vec::new());
        let cons = (
            "cons".to_owned(),
            vec![Type::Rigid(x), list(Type::Rigid(x))],
        );
        let mut generator = Generator {
            rng: StdRng::seed_from_u64(seed),
            data: vec![
                built_in("Unit", &[], vec![none("unit")]),
                built_in("Bool", &[], vec![none("true"), none("false")]),
                built_in("List", &[x], vec![none("nil"), cons]),
            ],
            interfaces: Vec::new(),
            operators: Vec::new(),
            common: Vec::new(),
            handlers: Vec::new(),
            names: 0,
            has_abort: false,
            slip: 0,
            ends,
            inside: 0,
            items: Vec::new(),
        };
        generator.items();
        generator
    }

    /// The program.
    pub fn program(&self) -> String {
        self.items.iter().map(|item| item.text.as_str()).collect()
    }

    /// The program with another clause in the place of one of its own, in which one term of so
    /// many is of a type that its place does not ask for.
    pub fn variant(&mut self, slip: usize) -> String {
        self.slip = slip;
        let at = self.below(self.items.len());
        let mut later = (at..self.items.len()).chain(0..at);
        let found = later.find_map(|at| Some((at, self.items[at].clause_of?)));
        let (at, operator) = found.expect("a program has clauses");
        let mut items = self.items.clone();
        items[at].text = self.operator_clause(operator);
        items.iter().map(|item| item.text.as_str()).collect()
    }

    /// The program with a `main` that runs some of it, and the type of what `main` gives.
    pub fn with_main(&mut self) -> (String, String) {
        let ty = self.ty(&Scope::default(), 2);
        let ability = Ability::just(Tail::Rigid(epsilon()));
        self.inside = 0;
        let body = self.term(&ty, &ability, &[], 6);
        let ty = self.show(&ty);
        let program = self.program();
        (format!("{program}main : {{{ty}}}\nmain! = {body}\n"), ty)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.rng.random_range(0..limit.max(1))
    }

    /// Whether a clause may use an operator.
    fn may_use(&self, operator: usize) -> bool {
        let is_handler = || self.handlers.iter().any(|(one, _)| *one == operator);
        let loops = self.operators[operator].name == "loop";
        !self.ends || (!loops && (operator > self.inside || operator == 0 || is_handler()))
    }

    /// True once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        times > 0 && self.below(times) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let at = self.below(from.len());
        from.get(at).cloned()
    }

    fn name(&mut self, begin: &str) -> String {
        self.names += 1;
        format!("{begin}{}", self.names)
    }

    /// A type over some variables.
    fn ty(&mut self, scope: &Scope, depth: usize) -> Type {
        match self.below(10) {
            0..=1 => Type::Int,
            2 => Type::Char,
            3..=5 if !scope.types.is_empty() => {
                Type::Rigid(self.pick(&scope.types).expect("there are some"))
            }
            6..=7 if depth > 0 => Type::Thunk(Box::new(self.computation(scope, depth - 1))),
            8 if depth > 0 => Type::Float,
            _ if depth > 0 => {
                let at = self.below(self.data.len());
                let (id, params) = (self.data[at].id, self.data[at].params.clone());
                Type::Data(id, self.args(&params, scope, depth - 1))
            }
            _ => plain("Unit"),
        }
    }

    fn args(&mut self, params: &[Param], scope: &Scope, depth: usize) -> Vec<Arg> {
        let mut args = Vec::new();
        for param in params {
            args.push(if param.is_effect {
                Arg::Ability(self.ability(scope, depth, 4))
            } else {
                Arg::Type(self.ty(scope, depth))
            });
        }
        args
    }

    /// An ability of up to so many instances, fewer most times.
    fn ability(&mut self, scope: &Scope, depth: usize, limit: usize) -> Ability {
        let tail = match self.below(12) {
            0 => Tail::Closed,
            _ => self.pick(&scope.tails).map_or(Tail::Closed, Tail::Rigid),
        };
        let count = match depth {
            0 => 0,
            _ => self.below(limit),
        };
        let instances = (0..count)
            .filter_map(|_| self.instance(scope, depth))
            .collect();
        matching::sorted(Ability { tail, instances })
    }

    fn instance(&mut self, scope: &Scope, depth: usize) -> Option<Instance> {
        if self.below(4) > 0
            && let Some(common) = self.pick(&self.common.clone())
        {
            return Some(common);
        }
        let at = self.below(self.interfaces.len());
        let interface = self.interfaces.get(at)?;
        let (interface, params) = (interface.id, interface.params.clone());
        let args = self.args(&params, scope, depth.saturating_sub(1));
        Some(Instance { interface, args })
    }
}
