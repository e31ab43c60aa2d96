//! Makes a failing case smaller as long as it fails.

use crate::program::{Case, Condition, Count, Name, Place, Shape, Term};
use crate::tables::{LOOPS, MODES};

/// The smallest case found by putting parts of terms, variables or constants in their places, of
/// those of which something is true.
pub fn shrink(case: &Case, mut holds: impl FnMut(&Case) -> bool) -> Case {
    let mut case = case.clone();
    'again: loop {
        for smaller in smaller(&case) {
            if is_valid(&smaller) && holds(&smaller) {
                case = smaller;
                continue 'again;
            }
        }
        return case;
    }
}

/// Cases that are a little smaller.
fn smaller(case: &Case) -> Vec<Case> {
    let mut found = Vec::new();
    if let Some((_, first)) = case.operators.split_last().filter(|_| !calls_last(case)) {
        let mut fewer = case.clone();
        fewer.operators = first.to_vec();
        found.push(fewer);
    }
    if case.shape == Shape::Jacobian && case.results.len() > 1 {
        for leave in 0..case.results.len() {
            let mut fewer = case.clone();
            fewer.results.remove(leave);
            fewer.weights.remove(leave);
            found.push(fewer);
        }
    }
    let bodies = bodies(case);
    for (body, term) in bodies.iter().enumerate() {
        let mut paths = Vec::new();
        places(term, &mut Vec::new(), &mut paths);
        for path in paths {
            let Some(old) = at(term, &path) else { continue };
            for new in instead(case, old) {
                let mut changed = case.clone();
                if let Some(place) = bodies_mut(&mut changed)
                    .into_iter()
                    .nth(body)
                    .and_then(|term| at_mut(term, &path))
                {
                    *place = new;
                    found.push(changed);
                }
            }
        }
    }
    for (place, value) in case.point.iter().enumerate() {
        if *value != 1.0 {
            let mut changed = case.clone();
            changed.point[place] = 1.0;
            found.push(changed);
        }
    }
    found
}

fn calls_last(case: &Case) -> bool {
    let last = case.operators.len().wrapping_sub(1);
    bodies(case).iter().any(|term| {
        term.any(&mut |term| matches!(term, Term::Call { operator, .. } if *operator == last))
    })
}

fn bodies(case: &Case) -> Vec<&Term> {
    let operators = case.operators.iter();
    let operators = operators.flat_map(|operator| operator.last.iter().chain([&operator.body]));
    case.results.iter().chain(operators).collect()
}

fn bodies_mut(case: &mut Case) -> Vec<&mut Term> {
    let operators = case.operators.iter_mut();
    let operators =
        operators.flat_map(|operator| operator.last.iter_mut().chain([&mut operator.body]));
    case.results.iter_mut().chain(operators).collect()
}

/// The way to each part of a term, outer ones first.
fn places(term: &Term, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    found.push(path.clone());
    for (index, part) in term.parts().into_iter().enumerate() {
        path.push(index);
        places(part, path, found);
        path.pop();
    }
}

fn at<'a>(term: &'a Term, path: &[usize]) -> Option<&'a Term> {
    path.iter()
        .try_fold(term, |term, index| term.parts().into_iter().nth(*index))
}

fn at_mut<'a>(term: &'a mut Term, path: &[usize]) -> Option<&'a mut Term> {
    path.iter()
        .try_fold(term, |term, index| term.parts_mut().into_iter().nth(*index))
}

/// What can stand in the place of a term.
fn instead(case: &Case, term: &Term) -> Vec<Term> {
    let mut found = Vec::new();
    if matches!(term, Term::Variable(_)) {
        return found;
    }
    if let Term::Constant(value) = term {
        if *value != 1.0 {
            found.push(Term::Constant(1.0));
        }
        return found;
    }
    found.extend(term.parts().into_iter().cloned());
    match term {
        Term::Let(name, value, rest) => found.push(replaced(rest, &[(*name, value)])),
        Term::Call {
            operator,
            arguments,
            count,
        } => {
            let called = &case.operators[*operator];
            let known: Vec<_> = called.parameters.iter().copied().zip(arguments).collect();
            if !matches!(count, Count::Less) {
                let bodies = [&called.body].into_iter().chain(&called.last);
                found.extend(bodies.map(|body| replaced(body, &known)));
            }
            if let Count::Of(2..) = count {
                found.push(Term::Call {
                    operator: *operator,
                    count: Count::Of(1),
                    arguments: arguments.clone(),
                });
            }
        }
        Term::Sum(list) => found.extend(shorter(list).map(Term::Sum)),
        Term::Fold {
            sum,
            element,
            body,
            first,
            list,
        } => found.extend(shorter(list).map(|list| Term::Fold {
            sum: *sum,
            element: *element,
            body: body.clone(),
            first: first.clone(),
            list,
        })),
        Term::Steps { count: 1.., .. } => {
            let mut fewer = term.clone();
            if let Term::Steps { count, .. } = &mut fewer {
                *count -= 1;
            }
            found.push(fewer);
        }
        Term::If(Condition::CounterIs(_) | Condition::CounterAbove(_), a, b) => {
            found.push(Term::If(Condition::Holds(true), a.clone(), b.clone()));
        }
        _ => {}
    }
    found.push(Term::Constant(1.0));
    let operators = case.operators.iter();
    let parameters = operators.flat_map(|operator| &operator.parameters);
    let parameters = case.parameters.iter().chain(parameters);
    found.extend(parameters.copied().map(Term::Variable));
    found
}

fn shorter(list: &[Term]) -> impl Iterator<Item = Vec<Term>> {
    (0..list.len()).map(|leave| {
        let mut list = list.to_vec();
        list.remove(leave);
        list
    })
}

/// A term with terms in the place of variables.
fn replaced(term: &Term, by: &[(Name, &Term)]) -> Term {
    if let Term::Variable(name) = term {
        let found = by.iter().find(|(other, _)| other == name);
        return found.map_or_else(|| term.clone(), |(_, term)| (*term).clone());
    }
    let mut term = term.clone();
    for part in term.parts_mut() {
        *part = replaced(part, by);
    }
    term
}

/// Whether a case keeps to the rules by which cases are made.
fn is_valid(case: &Case) -> bool {
    let operators = case.operators.iter().enumerate();
    let mut bodies = operators.flat_map(|(index, operator)| {
        let last = operator.last.iter().map(|last| (last, false));
        let body = (&operator.body, operator.last.is_some());
        last.chain([body])
            .map(move |(term, counter)| (index, operator, term, counter))
    });
    let operators_valid = bodies.all(|(index, operator, term, counter)| {
        let place = Place::of(operator.ability, counter);
        Rules::new(case, index, &operator.parameters).holds(term, &place)
    });
    let place = Place::of(case.ability, false);
    operators_valid
        && case.results.iter().all(|term| {
            Rules::new(case, case.operators.len(), &case.parameters).holds(term, &place)
        })
}

/// What is known while the parts of an operator are looked at.
struct Rules<'a> {
    case: &'a Case,
    /// The operator's own place: it can call those before it.
    index: usize,
    bound: Vec<Name>,
    parameters: &'a [Name],
    /// Variables with their levels, and functions with their parameters and places.
    variables: Vec<(Name, usize)>,
    functions: Vec<(Name, usize, Place)>,
}

impl<'a> Rules<'a> {
    fn new(case: &'a Case, index: usize, parameters: &'a [Name]) -> Rules<'a> {
        Rules {
            case,
            index,
            bound: parameters.to_vec(),
            parameters,
            variables: Vec::new(),
            functions: Vec::new(),
        }
    }

    fn holds(mut self, term: &Term, place: &Place) -> bool {
        let level = place.level();
        let parameters = self.parameters.iter();
        self.variables = parameters.map(|name| (*name, level)).collect();
        self.term(term, place)
    }

    /// A term where some more names are bound, which must be new ones.
    fn with(&mut self, names: &[Name], place: &Place, term: &Term) -> bool {
        self.all_with(names, place, std::slice::from_ref(term))
    }

    fn all_with(&mut self, names: &[Name], place: &Place, terms: &[Term]) -> bool {
        if names.iter().any(|name| self.bound.contains(name)) {
            return false;
        }
        self.bound.extend(names);
        let before = self.variables.len();
        let level = place.level();
        self.variables
            .extend(names.iter().map(|name| (*name, level)));
        let holds = self.all(terms, place);
        self.variables.truncate(before);
        holds
    }

    /// A term at another place.
    fn elsewhere(&mut self, names: &[Name], place: &Place, term: &Term) -> bool {
        let (variables, functions) = (self.variables.clone(), self.functions.clone());
        self.variables.retain(|(_, level)| *level <= place.level());
        self.functions
            .retain(|(_, _, at)| at.level() <= place.level());
        let holds = self.with(names, place, term);
        (self.variables, self.functions) = (variables, functions);
        holds
    }

    fn all(&mut self, terms: &[Term], place: &Place) -> bool {
        terms.iter().all(|term| self.term(term, place))
    }

    fn term(&mut self, term: &Term, place: &Place) -> bool {
        match term {
            Term::Variable(name) => self.variables.iter().any(|(other, _)| other == name),
            Term::Constant(_) => true,
            Term::Counter => place.counter,
            Term::One(_, a) => self.term(a, place),
            Term::Two(_, a, b) | Term::Then(a, b) => self.term(a, place) && self.term(b, place),
            Term::Let(name, a, b) => self.term(a, place) && self.with(&[*name], place, b),
            Term::If(condition, a, b) => {
                let counter = !matches!(condition, Condition::Holds(_));
                (place.counter || !counter) && self.term(a, place) && self.term(b, place)
            }
            Term::Choose(a, b) => place.choice && self.term(a, place) && self.term(b, place),
            Term::Call {
                operator,
                count,
                arguments,
            } => self.calls(*operator, *count, place) && self.all(arguments, place),
            Term::Function {
                name,
                parameters,
                body,
                rest,
            } => {
                if !self.with(parameters, place, body) || self.bound.contains(name) {
                    return false;
                }
                self.bound.push(*name);
                self.functions
                    .push((*name, parameters.len(), place.clone()));
                let holds = self.term(rest, place);
                self.functions.pop();
                holds
            }
            Term::Apply(name, arguments) => {
                self.functions
                    .contains(&(*name, arguments.len(), place.clone()))
                    && self.all(arguments, place)
            }
            Term::Fold {
                sum,
                element,
                body,
                first,
                list,
            } => {
                self.term(first, place)
                    && self.all(list, place)
                    && self.with(&[*sum, *element], place, body)
            }
            Term::Sum(list) => self.all(list, place),
            Term::Dot(left, right) => self.all(left, place) && self.all(right, place),
            Term::Checkpoint(a) => {
                place.has_checkpoint() && self.elsewhere(&[], &place.in_checkpoint(), a)
            }
            Term::Remat {
                results,
                names,
                rest,
            } => place.has_remat() && self.all(results, place) && self.with(names, place, rest),
            Term::Steps {
                repeat,
                state,
                step,
                first,
                names,
                rest,
                ..
            } => {
                place.has_loop(&LOOPS[*repeat])
                    && self.all(first, place)
                    && self.all_with(state, place, step)
                    && self.with(names, place, rest)
            }
            Term::Derivative {
                mode,
                variables,
                body,
                point,
                direction,
                ..
            } => {
                let mode = &MODES[*mode];
                place.has_mode(mode)
                    && self.all(point, place)
                    && self.all(direction, place)
                    && self.elsewhere(variables, &place.in_derivative(mode), body)
            }
            Term::Below(a) => place.has_below() && self.elsewhere(&[], &place.below(), a),
        }
    }

    fn calls(&self, operator: usize, count: Count, place: &Place) -> bool {
        let Some(called) = self.case.operators.get(operator) else {
            return false;
        };
        let counter = called.last.is_some();
        place.calls(called.ability)
            && match count {
                Count::None => !counter && operator < self.index,
                Count::Of(_) => counter && operator < self.index,
                Count::Less => counter && operator <= self.index && place.counter,
            }
    }
}
