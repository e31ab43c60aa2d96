//! The text of the terms about one function: its value, and its derivatives by an operator.

use frank_analysis::program::InterfaceDef;
use frank_syntax::ast::Symbol;

use super::point::{Numeral, Tree};
use super::roles::Number;
use super::shape::Shape;
use super::template;

pub(super) const NO_CONSTANTS: &str =
    "it has several variables, and nothing in scope makes constants";

/// What is needed to write the terms about one function.
pub(super) struct Writer<'a, 'n> {
    pub at: &'a [Tree<Numeral>],
    /// The name, or the text of a function.
    pub function: &'a str,
    pub result: &'a Shape,
    pub evaluator: Symbol,
    /// What handles the other interfaces of plain numbers.
    pub handlers: Vec<Symbol>,
    pub number: Number,
    pub constant: Option<Symbol>,
    pub names: template::Names<'n>,
    /// For each variable its number; then what chooses it.
    pub numbers: Vec<String>,
}

impl Writer<'_, '_> {
    /// The number that a term of plain numbers gives.
    fn evaluated(&self, term: String) -> String {
        format!("{} ({})", self.evaluator, handled(&self.handlers, term))
    }

    fn bind_numbers(&self, names: &[String]) -> String {
        let all = names.iter().map(|name| template::number(name, self.number));
        all.collect()
    }

    fn bind_choices(&mut self, names: &[String]) -> String {
        let (own, other) = (self.names.fresh(), self.names.fresh());
        let all = names
            .iter()
            .map(|name| template::choice(name, (&own, &other)));
        all.collect()
    }

    fn call(&self, leaf: impl FnMut(usize) -> String) -> String {
        format!("{} {}", self.function, arguments(self.at, leaf))
    }

    /// The call within a derivative operator, given the terms for its numbers.
    fn within(&mut self, around: &Around, numbers: &[String]) -> String {
        let call = match around.adaptors.is_empty() {
            true => self.call(|i| numbers.get(i).cloned().unwrap_or_default()),
            false => {
                // The numbers are made outside, where there is more to make them with.
                let names = self.names.some(numbers.len());
                let pairs = names.iter().zip(numbers);
                let bound: String = pairs
                    .map(|(name, number)| format!("let {name} = {number} in "))
                    .collect();
                let call = self.call(|i| names.get(i).cloned().unwrap_or_default());
                format!("{bound}{} ({call})", around.adaptors)
            }
        };
        handled(&around.handlers, call)
    }

    /// The value of a function of plain numbers.
    pub fn value(&self) -> String {
        let numbers = &self.numbers;
        let call = self.call(|i| numbers.get(i).cloned().unwrap_or_default());
        format!("{}{}", self.bind_numbers(numbers), self.evaluated(call))
    }

    /// The value of a function whose numbers are those of a way of differentiation: what comes of
    /// it on the way, in a list.
    pub fn lifted_value(&mut self, by: Symbol, around: &Around) -> Option<String> {
        let (variable, cell) = (self.names.fresh(), self.names.fresh());
        let numbers = self.numbers.clone();
        let first = numbers.first()?;
        let constant = self.constant;
        let mut each = vec![variable.clone()];
        for number in numbers.iter().skip(1) {
            each.push(format!("({} {number})", constant?));
        }
        let call = self.within(around, &each);
        let term = format!("{by} {{{variable} -> write {cell} [{call}]; {variable}}} {first}");
        Some(format!(
            "{}let {cell} = new [] in {}; read {cell}",
            self.bind_numbers(&numbers),
            self.evaluated(term)
        ))
    }

    /// A binding that selects a number of the result, and the call of it; nothing where the result
    /// is a number.
    fn selected(&mut self, call: &str) -> (String, String) {
        match self.result {
            Shape::Number => (String::new(), call.to_owned()),
            shape => {
                let (name, own) = (self.names.fresh(), self.names.fresh());
                let binding = template::selection(&name, shape, &own);
                (binding, format!("{name} ({call})"))
            }
        }
    }

    /// The derivative of one number of the result in one variable.
    pub fn first(&mut self, by: Symbol, around: &Around) -> Result<String, String> {
        let numbers = self.numbers.clone();
        let variable = self.names.fresh();
        let bindings = self.bind_numbers(&numbers);
        if let [only] = &numbers[..] {
            let call = self.within(around, std::slice::from_ref(&variable));
            let (selection, call) = self.selected(&call);
            let term = self.evaluated(format!("{by} {{{variable} -> {call}}} {only}"));
            return Ok(format!("{bindings}{selection}{term}"));
        }
        let constant = self.constant.ok_or(NO_CONSTANTS)?;
        let choices = self.names.some(numbers.len());
        let point = self.names.fresh();
        let bindings = [
            bindings,
            self.bind_choices(&choices),
            template::number(&point, self.number),
        ];
        let each: Vec<String> = choices
            .iter()
            .zip(&numbers)
            .map(|(choice, number)| format!("({choice} {variable} ({constant} {number}))"))
            .collect();
        let call = self.within(around, &each);
        let (selection, call) = self.selected(&call);
        let term = self.evaluated(format!("{by} {{{variable} -> {call}}} {point}"));
        Ok(format!("{}{selection}{term}", bindings.concat()))
    }

    /// The second derivative of one number of the result in two variables. `lift` makes numbers of
    /// the outer derivative constants of the inner one.
    pub fn second(
        &mut self,
        (outer, outside): (Symbol, &Around),
        (inner, inside): (Symbol, &Around),
        lift: Option<Symbol>,
    ) -> Result<String, String> {
        let numbers = self.numbers.clone();
        let (x, y) = (self.names.fresh(), self.names.fresh());
        let bindings = self.bind_numbers(&numbers);
        if let [only] = &numbers[..] {
            let call = self.within(inside, std::slice::from_ref(&y));
            let (selection, call) = self.selected(&call);
            // Only the handlers are for another derivative operator.
            let own = handled(&outside.handlers, format!("{inner} {{{y} -> {call}}} {x}"));
            let term = self.evaluated(format!("{outer} {{{x} -> {own}}} {only}"));
            return Ok(format!("{bindings}{selection}{term}"));
        }
        let constant = self.constant.ok_or(NO_CONSTANTS)?;
        let lift = lift.ok_or_else(|| {
            format!(
                "it has several variables, and nothing in scope makes numbers from around `{inner}` \
                 constants in it"
            )
        })?;
        let choices = self.names.some(numbers.len());
        let inner_choices = self.names.some(numbers.len());
        let (point, start, own) = (self.names.fresh(), self.names.fresh(), self.names.fresh());
        let bindings = [
            bindings,
            self.bind_choices(&choices),
            self.bind_choices(&inner_choices),
            template::number(&point, self.number),
            template::selection(&start, &Shape::List(Box::new(Shape::Number)), &own),
        ];
        let outer_numbers = self.names.some(numbers.len());
        let mut given = String::new();
        for ((name, choice), number) in outer_numbers.iter().zip(&choices).zip(&numbers) {
            given += &format!("let {name} = {choice} {x} ({constant} {number}) in ");
        }
        let each: Vec<String> = inner_choices
            .iter()
            .zip(&outer_numbers)
            .map(|(choice, number)| format!("({choice} {y} ({lift} {number}))"))
            .collect();
        let call = self.within(inside, &each);
        let (selection, call) = self.selected(&call);
        let outer_numbers = outer_numbers.join(", ");
        let own = format!("{given}{inner} {{{y} -> {call}}} ({start} [{outer_numbers}])");
        let own = handled(&outside.handlers, own);
        let term = self.evaluated(format!("{outer} {{{x} -> {own}}} {point}"));
        Ok(format!("{}{selection}{term}", bindings.concat()))
    }
}

/// What stands around a function within a derivative operator.
#[derive(Debug, Clone, Default)]
pub(super) struct Around {
    /// Adaptors that leave it the instances that it knows.
    pub adaptors: String,
    /// What handles the other interfaces of the operator's numbers.
    pub handlers: Vec<Symbol>,
}

/// Adaptors from an ability to one with fewer instances: `<RefState, Smooth(s a b -> s b)>`.
pub(super) fn adaptors(offered: &[InterfaceDef], wanted: &[InterfaceDef]) -> String {
    let mut seen = Vec::new();
    let mut found = Vec::new();
    let count = |of: InterfaceDef, all: &[InterfaceDef]| all.iter().filter(|i| **i == of).count();
    for interface in offered {
        if seen.contains(interface) {
            continue;
        }
        seen.push(*interface);
        let (have, keep) = (count(*interface, offered), count(*interface, wanted));
        if have <= keep {
            continue;
        }
        let names: Vec<String> = (1..=have).map(|i| format!(" a{i}")).collect();
        let kept = names.get(have - keep..).unwrap_or_default();
        let name = interface.0.name;
        found.push(format!("{name}(s{} -> s{})", names.concat(), kept.concat()));
    }
    match found.is_empty() {
        true => String::new(),
        false => format!("<{}>", found.join(", ")),
    }
}

fn handled(handlers: &[Symbol], term: String) -> String {
    handlers
        .iter()
        .fold(term, |term, handler| format!("{handler} ({term})"))
}

/// The arguments of a call, given the text for each number.
fn arguments(at: &[Tree<Numeral>], mut leaf: impl FnMut(usize) -> String) -> String {
    let mut next = 0;
    let texts: Vec<String> = at
        .iter()
        .map(|tree| {
            tree.text(true, &mut |_, _| {
                next += 1;
                leaf(next - 1)
            })
        })
        .collect();
    texts.join(" ")
}
