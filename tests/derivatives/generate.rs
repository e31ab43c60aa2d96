//! Random cases.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::program::{
    Ability, Case, Condition, Count, Name, ONES, Operator, Place, Shape, TWOS, Term,
};
use crate::tables::{LOOPS, MODES};

/// Derivatives inside of derivatives, and the outermost computation.
const LEVELS: usize = 4;

pub struct Generator {
    rng: StdRng,
    names: usize,
    /// How many terms more the case may have.
    fuel: usize,
    operators: Vec<(Ability, usize, bool)>,
    /// The operator that is being written, and how often it may still call itself.
    open: Option<usize>,
    own_calls: usize,
}

/// What a term can use.
#[derive(Clone)]
struct Scope {
    place: Place,
    /// Each with the level whose numbers it has.
    variables: Vec<(Name, usize)>,
    /// Local functions, each with the number of its parameters and the only place where it can be
    /// called: it has the ability of that.
    functions: Vec<(Name, usize, Place)>,
}

impl Scope {
    fn new(place: Place, parameters: &[Name]) -> Scope {
        let level = place.level();
        Scope {
            place,
            variables: parameters.iter().map(|name| (*name, level)).collect(),
            functions: Vec::new(),
        }
    }

    fn with(&self, names: &[Name]) -> Scope {
        let mut inner = self.clone();
        let level = self.place.level();
        inner
            .variables
            .extend(names.iter().map(|name| (*name, level)));
        inner
    }

    /// The same at another place.
    fn at(&self, place: Place) -> Scope {
        let level = place.level();
        let mut inner = Scope {
            place,
            ..self.clone()
        };
        inner.variables.retain(|(_, at)| *at <= level);
        inner.functions.retain(|(_, _, at)| at.level() <= level);
        inner
    }

    /// The local functions that can be called.
    fn functions(&self) -> Vec<(Name, usize)> {
        let here = self.functions.iter().filter(|(_, _, at)| *at == self.place);
        here.map(|(name, parameters, _)| (*name, *parameters))
            .collect()
    }
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Leaf,
    One,
    Two,
    Let,
    Then,
    If,
    Choose,
    Call,
    Own,
    Function,
    Apply,
    Fold,
    Sum,
    Dot,
    Checkpoint,
    Remat,
    Steps,
    Derivative,
    Below,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator {
            rng: StdRng::seed_from_u64(seed),
            names: 0,
            fuel: 0,
            operators: Vec::new(),
            open: None,
            own_calls: 0,
        }
    }

    fn below(&mut self, end: usize) -> usize {
        self.rng.random_range(0..end)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// One of these, as often as the number beside it says.
    fn weighted<T: Copy>(&mut self, of: &[(usize, T)]) -> T {
        let mut rest = self.below(of.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in of {
            if rest < *weight {
                return *choice;
            }
            rest -= weight;
        }
        unreachable!("the rest is smaller than the sum")
    }

    fn number(&mut self) -> f64 {
        f64::from(self.rng.random_range(-12..=12)) / 8.0
    }

    fn new_names(&mut self, count: usize) -> Vec<Name> {
        self.names += count;
        (self.names - count..self.names).collect()
    }

    /// So many of what an operator takes.
    fn new_parameters(&mut self) -> Vec<Name> {
        let count = 1 + self.below(3);
        self.new_names(count)
    }

    pub fn case(&mut self) -> Case {
        self.names = 0;
        self.operators.clear();
        let ability = self.weighted(&[
            (7, Ability::Smooth),
            (4, Ability::Cells),
            (1, Ability::Choice),
            (5, Ability::Checkpoint),
            (5, Ability::All),
        ]);
        let checkpoints = matches!(ability, Ability::Checkpoint | Ability::All);
        let shape = match (ability, self.below(10)) {
            (Ability::Choice, _) => Shape::One,
            (_, 0 | 1) => Shape::Gradient,
            (_, 2) if !checkpoints => Shape::Jacobian,
            _ => Shape::One,
        };
        let mut operators = Vec::new();
        for _ in 0..self.pick(&[0, 0, 1, 1, 2, 3]) {
            operators.push(self.operator(ability));
        }
        let parameters = match shape {
            Shape::One => 1,
            Shape::Gradient | Shape::Jacobian => 2 + self.below(2),
        };
        let parameters = self.new_names(parameters);
        let results = match shape {
            Shape::One | Shape::Gradient => 1,
            Shape::Jacobian => 1 + self.below(3),
        };
        let scope = Scope::new(Place::of(ability, false), &parameters);
        self.fuel = 10 + self.below(30);
        let depth = 4 + self.below(3);
        let results: Vec<Term> = (0..results).map(|_| self.term(&scope, depth)).collect();
        let mut numbers = |count: usize| (0..count).map(|_| self.number()).collect();
        Case {
            operators,
            ability,
            shape,
            point: numbers(parameters.len()),
            direction: numbers(parameters.len()),
            weights: numbers(results.len()),
            parameters,
            results,
        }
    }

    /// An operator that functions of some ability can call.
    fn operator(&mut self, caller: Ability) -> Operator {
        let ability = match caller {
            Ability::Smooth => Ability::Smooth,
            Ability::All => self.pick(&[
                Ability::Smooth,
                Ability::Cells,
                Ability::Checkpoint,
                Ability::All,
            ]),
            other => self.pick(&[Ability::Smooth, other, other]),
        };
        let parameters = self.new_parameters();
        let counter = self.rng.random_bool(0.5);
        self.fuel = 4 + self.below(14);
        self.open = Some(self.operators.len());
        let last = counter.then(|| {
            let scope = Scope::new(Place::of(ability, false), &parameters);
            self.term(&scope, 2)
        });
        let scope = Scope::new(Place::of(ability, counter), &parameters);
        self.operators.push((ability, parameters.len(), counter));
        self.own_calls = if counter {
            1 + usize::from(self.below(4) == 0)
        } else {
            0
        };
        let mut body = self.term(&scope, 4);
        if counter && self.own_calls == 1 && self.rng.random_bool(0.8) {
            body = self.join_own(body, ability, &scope);
        }
        self.own_calls = 0;
        self.open = None;
        Operator {
            ability,
            parameters,
            last,
            body,
        }
    }

    /// A term made of two.
    fn join(&mut self, a: Term, b: Term) -> Term {
        let two = self.pick(&TWOS);
        match self.rng.random_bool(0.5) {
            true => Term::Two(two, Box::new(a), Box::new(b)),
            false => Term::Two(two, Box::new(b), Box::new(a)),
        }
    }

    /// A loop: a term together with what the operator gives for the next counter, which may be
    /// under a checkpoint.
    fn join_own(&mut self, body: Term, ability: Ability, scope: &Scope) -> Term {
        let place = &scope.place;
        let inner = place.in_checkpoint();
        let checkpoint = place.has_checkpoint() && inner.calls(ability);
        let own = match checkpoint && self.rng.random_bool(0.5) {
            true => Term::Checkpoint(Box::new(self.own_call(&scope.at(inner), 2))),
            false => self.own_call(scope, 2),
        };
        self.join(body, own)
    }

    fn boxed(&mut self, scope: &Scope, depth: usize) -> Box<Term> {
        Box::new(self.term(scope, depth))
    }

    fn terms(&mut self, count: usize, scope: &Scope, depth: usize) -> Vec<Term> {
        (0..count).map(|_| self.term(scope, depth)).collect()
    }

    fn leaf(&mut self, scope: &Scope) -> Term {
        let constants = 1 + usize::from(scope.variables.is_empty()) * 7;
        let counter = usize::from(scope.place.counter);
        match self.weighted(&[(8 - constants, 0), (constants, 1), (counter, 2)]) {
            0 => {
                // The variables of the innermost function are what matters most.
                let count = scope.variables.len();
                let last = self.below(3) > 0;
                let index = if last {
                    count - 1 - self.below(count.min(2))
                } else {
                    self.below(count)
                };
                Term::Variable(scope.variables[index].0)
            }
            1 => Term::Constant(f64::from(self.rng.random_range(-8..=8)) / 4.0),
            _ => Term::Counter,
        }
    }

    fn condition(&mut self, scope: &Scope) -> Condition {
        let number = self.rng.random_range(0..3);
        match (scope.place.counter, self.below(5)) {
            (true, 0 | 1) => Condition::CounterIs(number),
            (true, 2 | 3) => Condition::CounterAbove(number),
            (_, choice) => Condition::Holds(choice % 2 == 0),
        }
    }

    fn kind(&mut self, scope: &Scope, depth: usize) -> Kind {
        if depth == 0 || self.fuel == 0 {
            return Kind::Leaf;
        }
        self.fuel -= 1;
        let place = &scope.place;
        let when = |holds: bool, weight: usize| if holds { weight } else { 0 };
        let callable = !self.callable(place).is_empty();
        let own = self.own_calls > 0 && self.operators.last().is_some_and(|own| place.calls(own.0));
        self.weighted(&[
            (12, Kind::Leaf),
            (18, Kind::One),
            (26, Kind::Two),
            (8, Kind::Let),
            (3, Kind::Then),
            (4, Kind::If),
            (when(place.choice, 16), Kind::Choose),
            (when(callable, 12), Kind::Call),
            (when(own, 10), Kind::Own),
            (3, Kind::Function),
            (when(!scope.functions().is_empty(), 10), Kind::Apply),
            (2, Kind::Fold),
            (2, Kind::Sum),
            (2, Kind::Dot),
            (when(place.has_checkpoint(), 24), Kind::Checkpoint),
            (when(place.has_remat(), 6), Kind::Remat),
            (if place.has_remat() { 6 } else { 2 }, Kind::Steps),
            (when(place.levels.len() < LEVELS, 8), Kind::Derivative),
            (when(place.has_below(), 5), Kind::Below),
        ])
    }

    /// The operators that can be called at a place, without the one that is being written.
    fn callable(&self, place: &Place) -> Vec<usize> {
        let open = self.open;
        let all = self.operators.iter().enumerate();
        let callable =
            all.filter(|(index, (ability, ..))| place.calls(*ability) && open != Some(*index));
        callable.map(|(index, _)| index).collect()
    }

    fn own_call(&mut self, scope: &Scope, depth: usize) -> Term {
        self.own_calls -= 1;
        let operator = self.operators.len() - 1;
        let count = self.operators[operator].1;
        Term::Call {
            operator,
            count: Count::Less,
            arguments: self.terms(count, scope, depth.min(2)),
        }
    }

    fn term(&mut self, scope: &Scope, depth: usize) -> Term {
        let kind = self.kind(scope, depth);
        let depth = depth.saturating_sub(1);
        let place = &scope.place;
        match kind {
            Kind::Leaf => self.leaf(scope),
            Kind::One => Term::One(self.pick(&ONES), self.boxed(scope, depth)),
            Kind::Two => {
                let two = self.pick(&TWOS);
                Term::Two(two, self.boxed(scope, depth), self.boxed(scope, depth))
            }
            Kind::Let => {
                let name = self.new_names(1);
                let value = self.boxed(scope, depth);
                Term::Let(name[0], value, self.boxed(&scope.with(&name), depth))
            }
            Kind::Then => Term::Then(self.boxed(scope, depth), self.boxed(scope, depth)),
            Kind::If => {
                let condition = self.condition(scope);
                Term::If(
                    condition,
                    self.boxed(scope, depth),
                    self.boxed(scope, depth),
                )
            }
            Kind::Choose => Term::Choose(self.boxed(scope, depth), self.boxed(scope, depth)),
            Kind::Call => {
                let callable = self.callable(place);
                let operator = self.pick(&callable);
                let (_, parameters, counter) = self.operators[operator];
                let count = match (counter, place.counter && self.rng.random_bool(0.5)) {
                    (false, _) => Count::None,
                    (true, true) => Count::Less,
                    (true, false) => Count::Of(self.rng.random_range(0..4)),
                };
                Term::Call {
                    operator,
                    count,
                    arguments: self.terms(parameters, scope, depth),
                }
            }
            Kind::Own => self.own_call(scope, depth),
            Kind::Function => {
                let name = self.new_names(1)[0];
                let parameters = self.new_parameters();
                let body = self.boxed(&scope.with(&parameters), depth);
                let mut known = scope.clone();
                known
                    .functions
                    .push((name, parameters.len(), place.clone()));
                // A function that is not used is of little use.
                let arguments = self.terms(parameters.len(), scope, depth);
                let rest = self.term(&known, depth);
                let rest = self.join(Term::Apply(name, arguments), rest);
                Term::Function {
                    name,
                    parameters,
                    body,
                    rest: Box::new(rest),
                }
            }
            Kind::Apply => {
                let (name, parameters) = self.pick(&scope.functions());
                Term::Apply(name, self.terms(parameters, scope, depth))
            }
            Kind::Fold => {
                let names = self.new_names(2);
                let count = self.below(4);
                Term::Fold {
                    sum: names[0],
                    element: names[1],
                    body: self.boxed(&scope.with(&names), depth),
                    first: self.boxed(scope, depth),
                    list: self.terms(count, scope, depth),
                }
            }
            Kind::Sum => {
                let count = self.below(4);
                Term::Sum(self.terms(count, scope, depth))
            }
            Kind::Dot => {
                let count = 1 + self.below(3);
                let left = self.terms(count, scope, depth);
                Term::Dot(left, self.terms(count, scope, depth))
            }
            Kind::Checkpoint => {
                let inner = scope.at(place.in_checkpoint());
                Term::Checkpoint(self.boxed(&inner, depth))
            }
            Kind::Remat => {
                let count = 1 + self.below(3);
                let names = self.new_names(count);
                Term::Remat {
                    results: self.terms(count, scope, depth),
                    rest: self.boxed(&scope.with(&names), depth),
                    names,
                }
            }
            Kind::Steps => {
                let loops = (0..LOOPS.len()).filter(|repeat| place.has_loop(&LOOPS[*repeat]));
                let loops: Vec<usize> = loops.collect();
                let size = 1 + self.below(2);
                let (state, names) = (self.new_names(size), self.new_names(size));
                Term::Steps {
                    repeat: self.pick(&loops),
                    count: self.pick(&[0, 1, 2, 3, 3, 5, 9, 13]),
                    step: self.terms(size, &scope.with(&state), depth.min(2)),
                    first: self.terms(size, scope, depth),
                    rest: self.boxed(&scope.with(&names), depth),
                    state,
                    names,
                }
            }
            Kind::Derivative => self.derivative(scope, depth),
            Kind::Below => Term::Below(self.boxed(&scope.at(place.below()), depth)),
        }
    }

    fn derivative(&mut self, scope: &Scope, depth: usize) -> Term {
        let modes = (0..MODES.len()).filter(|mode| scope.place.has_mode(&MODES[*mode]));
        let modes: Vec<usize> = modes.collect();
        let mode = self.pick(&modes);
        let list = MODES[mode].list;
        let count = if list { 1 + self.below(3) } else { 1 };
        let variables = self.new_names(count);
        let inner = scope.at(scope.place.in_derivative(&MODES[mode]));
        let body = self.boxed(&inner.with(&variables), depth.max(3));
        let mut argument = || {
            let number = self.number();
            match self.rng.random_bool(0.3) {
                true => Term::Constant(number),
                false => self.term(scope, depth.min(2)),
            }
        };
        let point = (0..count).map(|_| argument()).collect();
        let direction = (0..count).filter(|_| list).map(|_| argument()).collect();
        Term::Derivative {
            mode,
            variables,
            body,
            point,
            direction,
            lifts_first: self.rng.random_bool(0.5),
        }
    }
}
