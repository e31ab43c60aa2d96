//! Cases as texts in Frank.

use std::collections::HashMap;
use std::fmt::Write;

use crate::program::{
    Ability, Case, Condition, Count, Name, One, Operator, Place, Shape, Term, Two,
};
use crate::tables::{JUDGED, LOOPS, MODES};

/// The name of a case's function.
fn function(case: usize) -> String {
    format!("f{case}")
}

/// The definitions of a case, of which the text has several.
pub fn definitions(case: &Case, number: usize) -> String {
    let mut text = String::new();
    for (index, operator) in case.operators.iter().enumerate() {
        define_operator(&mut text, number, index, operator);
    }
    let number_type = number_type(case.ability);
    let list = case.shape != Shape::One;
    let (from, to) = match case.shape {
        Shape::One => (number_type.to_owned(), number_type),
        Shape::Gradient => (format!("(List {number_type})"), number_type),
        Shape::Jacobian => (format!("(List {number_type})"), "(List X)"),
    };
    let name = function(number);
    let place = Place::of(case.ability, false);
    let mut writer = Writer::new(number, &case.parameters, &place);
    let parameters: Vec<String> = case.parameters.iter().map(|x| format!("x{x}")).collect();
    let parameters = match list {
        true => format!("[{}]", parameters.join(", ")),
        false => parameters.join(" "),
    };
    let results: Vec<String> = case
        .results
        .iter()
        .map(|term| writer.term(term, &place))
        .collect();
    let body = match case.shape {
        Shape::Jacobian => format!("[{}]", results.join(", ")),
        Shape::One | Shape::Gradient => results.join(""),
    };
    let ability = ability_type(case.ability);
    let _ = write!(
        text,
        "{name} : {from} -> {ability}{to}\n{name} {parameters} = {body}\n\n"
    );
    text
}

fn define_operator(text: &mut String, number: usize, index: usize, operator: &Operator) {
    let name = format!("h{number}_{index}");
    let counter = operator.last.is_some();
    let number_type = number_type(operator.ability);
    let ports = counter.then_some("Int").into_iter();
    let ports = ports.chain(operator.parameters.iter().map(|_| number_type));
    let ports: String = ports.map(|port| format!("{port} -> ")).collect();
    let ability = ability_type(operator.ability);
    let _ = writeln!(text, "{name} : {ports}{ability}{number_type}");
    let parameters: String = operator
        .parameters
        .iter()
        .map(|x| format!(" x{x}"))
        .collect();
    let place = Place::of(operator.ability, counter);
    let mut writer = Writer::new(number, &operator.parameters, &place);
    let mut body = writer.term(&operator.body, &place);
    let mut head = "";
    if let Some(last) = &operator.last {
        let last = writer.term(last, &place);
        head = " k";
        // Loops come in both spellings.
        if (number + index).is_multiple_of(2) {
            let _ = writeln!(text, "{name} 0{parameters} = {last}");
        } else {
            body = format!("if (k == 0) {{{last}}} {{{body}}}");
        }
    }
    let _ = writeln!(text, "{name}{head}{parameters} = {body}\n");
}

/// The judged terms of a case, each of which gives a list.
pub fn judged(case: &Case, number: usize, term: usize) -> String {
    let judged = &JUDGED[term];
    let list = |numbers: &[f64]| {
        let numbers: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
        format!("[{}]", numbers.join(", "))
    };
    let point = match (case.shape, case.point.as_slice()) {
        (Shape::One, [x]) if *x < 0.0 => format!("({x:?})"),
        (Shape::One, [x]) => format!("{x:?}"),
        (_, point) => list(point),
    };
    let call = judged
        .call
        .replace("@f", &function(number))
        .replace("@a", &point)
        .replace("@w", &list(&case.direction))
        .replace("@v", &list(&case.weights));
    match judged.plain {
        true => format!("[evaluate ({call})]"),
        false => call,
    }
}

fn number_type(ability: Ability) -> &'static str {
    match ability {
        Ability::Smooth | Ability::Cells | Ability::Choice => "X",
        Ability::Checkpoint | Ability::All => "(Prop X)",
    }
}

fn ability_type(ability: Ability) -> &'static str {
    match ability {
        Ability::Smooth => "[Smooth X]",
        Ability::Cells => "[RefState, Smooth X]",
        Ability::Choice => "[Choice, Smooth X]",
        Ability::Checkpoint => "[Checkpoint X [F|], Smooth (Prop X)]",
        Ability::All => "[RefState, Smooth X, Checkpoint X, Smooth (Prop X)]",
    }
}

/// Writes the terms of an operator.
struct Writer {
    number: usize,
    /// The levels at which a variable has a name, with the name.
    names: HashMap<Name, Vec<(usize, String)>>,
}

impl Writer {
    fn new(number: usize, parameters: &[Name], place: &Place) -> Writer {
        let mut writer = Writer {
            number,
            names: HashMap::new(),
        };
        for parameter in parameters {
            writer.bind(*parameter, place);
        }
        writer
    }

    fn bind(&mut self, name: Name, place: &Place) -> String {
        let text = format!("x{name}");
        self.names.insert(name, vec![(place.level(), text.clone())]);
        text
    }

    /// Names as a pattern for a list.
    fn bind_list(&mut self, names: &[Name], place: &Place) -> String {
        let names: Vec<String> = names.iter().map(|name| self.bind(*name, place)).collect();
        format!("[{}]", names.join(", "))
    }

    /// A variable, lifted to the level of the place.
    fn variable(&self, name: Name, place: &Place) -> String {
        let level = place.level();
        let names = self.names.get(&name);
        let nearest = names.and_then(|names| names.iter().rev().find(|(at, _)| *at <= level));
        let (from, text) = nearest.expect("the variable is in scope");
        lifted(text, *from, place)
    }

    /// A term as an argument.
    fn atom(&mut self, term: &Term, place: &Place) -> String {
        let text = self.term(term, place);
        let is_atom = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        match text.chars().all(is_atom) {
            true => text,
            false => format!("({text})"),
        }
    }

    fn atoms(&mut self, terms: &[Term], place: &Place) -> String {
        let terms = terms
            .iter()
            .map(|term| format!(" {}", self.atom(term, place)));
        terms.collect()
    }

    fn list(&mut self, terms: &[Term], place: &Place) -> String {
        let terms: Vec<String> = terms.iter().map(|term| self.term(term, place)).collect();
        format!("[{}]", terms.join(", "))
    }

    fn term(&mut self, term: &Term, place: &Place) -> String {
        match term {
            Term::Variable(name) => self.variable(*name, place),
            Term::Constant(value) if *value < 0.0 => format!("c ({value:?})"),
            Term::Constant(value) => format!("c {value:?}"),
            Term::Counter => "c (toFloat k)".to_owned(),
            Term::One(one, a) => self.one(*one, a, place),
            Term::Two(two, a, b) => {
                let (a, b) = (self.atom(a, place), self.atom(b, place));
                match two {
                    Two::Plus => format!("p {a} {b}"),
                    Two::Minus => format!("minus {a} {b}"),
                    Two::Times => format!("t {a} {b}"),
                    Two::Divide => format!("divide {a} (p (c 1) (square {b}))"),
                    Two::Power => format!("powS (p (c 1) (square {a})) (sinS {b})"),
                    Two::Min => format!("minS {a} {b}"),
                    Two::Max => format!("maxS {a} {b}"),
                }
            }
            Term::Let(name, a, b) => {
                let a = self.term(a, place);
                let name = self.bind(*name, place);
                format!("let {name} = {a} in {}", self.term(b, place))
            }
            Term::Then(a, b) => {
                // A `let` to the left of it would take it in.
                format!("{}; {}", self.atom(a, place), self.term(b, place))
            }
            Term::If(condition, a, b) => {
                let condition = match condition {
                    Condition::Holds(true) => "1.5 > 0.5".to_owned(),
                    Condition::Holds(false) => "1.5 < 0.5".to_owned(),
                    Condition::CounterIs(number) => format!("k == {number}"),
                    Condition::CounterAbove(number) => format!("k > {number}"),
                };
                let (a, b) = (self.term(a, place), self.term(b, place));
                format!("if ({condition}) {{{a}}} {{{b}}}")
            }
            Term::Choose(a, b) => {
                let (a, b) = (self.term(a, place), self.term(b, place));
                format!("if choose! {{{a}}} {{{b}}}")
            }
            Term::Call {
                operator,
                count,
                arguments,
            } => {
                let name = format!("h{}_{operator}", self.number);
                let count = match count {
                    Count::None => String::new(),
                    Count::Of(count) => format!(" {count}"),
                    Count::Less => " (k - 1)".to_owned(),
                };
                format!("{name}{count}{}", self.atoms(arguments, place))
            }
            Term::Function {
                name,
                parameters,
                body,
                rest,
            } => {
                let bound = parameters.iter().map(|name| self.bind(*name, place));
                let bound: Vec<String> = bound.collect();
                let body = self.term(body, place);
                let name = self.bind(*name, place);
                let rest = self.term(rest, place);
                format!("let {name} = {{{} -> {body}}} in {rest}", bound.join(" "))
            }
            Term::Apply(name, arguments) => {
                format!("x{name}{}", self.atoms(arguments, place))
            }
            Term::Fold {
                sum,
                element,
                body,
                first,
                list,
            } => {
                let (first, list) = (self.atom(first, place), self.list(list, place));
                let (sum, element) = (self.bind(*sum, place), self.bind(*element, place));
                let body = self.term(body, place);
                format!("foldl {{{sum} {element} -> {body}}} {first} {list}")
            }
            Term::Sum(list) => format!("sumS {}", self.list(list, place)),
            Term::Dot(left, right) => {
                let (left, right) = (self.list(left, place), self.list(right, place));
                format!("dot {left} {right}")
            }
            Term::Checkpoint(a) => {
                format!("checkpoint {{{}}}", self.term(a, &place.in_checkpoint()))
            }
            Term::Remat {
                results,
                names,
                rest,
            } => {
                let results = self.list(results, place);
                let names: Vec<String> = names.iter().map(|name| self.bind(*name, place)).collect();
                let rest = self.term(rest, place);
                format!(
                    "case (remat {{{results}}}) {{[{}] -> {rest}}}",
                    names.join(", ")
                )
            }
            Term::Steps {
                repeat,
                count,
                state,
                step,
                first,
                names,
                rest,
            } => {
                let first = self.list(first, place);
                let state = self.bind_list(state, place);
                let step = self.list(step, place);
                let call = LOOPS[*repeat]
                    .call
                    .replace("@n", &count.to_string())
                    .replace("@f", &format!("{{{state} -> {step}}}"))
                    .replace("@p", &first);
                let names = self.bind_list(names, place);
                format!("case ({call}) {{{names} -> {}}}", self.term(rest, place))
            }
            Term::Derivative {
                mode,
                variables,
                body,
                point,
                direction,
                lifts_first,
            } => {
                let mode = &MODES[*mode];
                let (list_point, direction) =
                    (self.list(point, place), self.list(direction, place));
                let point = match point.as_slice() {
                    [point] if !mode.list => self.atom(point, place),
                    _ => list_point,
                };
                let inner = place.in_derivative(mode);
                let names: Vec<String> = variables
                    .iter()
                    .map(|name| self.bind(*name, &inner))
                    .collect();
                let names = match mode.list {
                    true => format!("[{}]", names.join(", ")),
                    false => names.join(" "),
                };
                // Nothing can be lifted inside of a checkpoint.
                let mut has_checkpoint =
                    |term: &Term| matches!(term, Term::Checkpoint(_) | Term::Remat { .. });
                let lifts_first = *lifts_first || body.any(&mut has_checkpoint);
                let lifts = match lifts_first {
                    true => self.lift_first(body, &inner),
                    false => Vec::new(),
                };
                let mut text = String::new();
                for (name, lifted) in &lifts {
                    let level = inner.level();
                    let quotes = "'".repeat(level);
                    let bound = format!("x{name}{quotes}");
                    let _ = write!(text, "let {bound} = {lifted} in ");
                    if let Some(names) = self.names.get_mut(name) {
                        names.push((level, bound));
                    }
                }
                text += &self.term(body, &inner);
                for (name, _) in &lifts {
                    if let Some(names) = self.names.get_mut(name) {
                        names.pop();
                    }
                }
                mode.call
                    .replace("@f", &format!("{{{names} -> {text}}}"))
                    .replace("@p", &point)
                    .replace("@w", &direction)
            }
            Term::Below(a) => {
                let outer = place.below();
                let mode = place.levels[place.level()].mode;
                let mode = mode.expect("there is a level below");
                let names = self.names.clone();
                for names in self.names.values_mut() {
                    names.retain(|(level, _)| *level <= outer.level());
                }
                let is_use = !matches!(**a, Term::Let(..) | Term::Then(..) | Term::Function { .. });
                let mut a = self.term(a, &outer);
                self.names = names;
                // Only calls can be adapted.
                if !is_use {
                    a = format!("id ({a})");
                }
                let checkpoint = if mode.checkpoints { ", Checkpoint" } else { "" };
                format!("{} (<Smooth{checkpoint}> ({a}))", mode.lift)
            }
        }
    }

    /// The variables of the computation around that a function uses, each lifted.
    fn lift_first(&self, body: &Term, place: &Place) -> Vec<(Name, String)> {
        let mut used = Vec::new();
        body.any(&mut |term| {
            if let Term::Variable(name) = term
                && let Some(names) = self.names.get(name)
                && names.iter().all(|(level, _)| *level < place.level())
                && !used.contains(name)
            {
                used.push(*name);
            }
            false
        });
        let lifted = used.into_iter();
        lifted
            .map(|name| (name, self.variable(name, place)))
            .collect()
    }

    fn one(&mut self, one: One, a: &Term, place: &Place) -> String {
        let x = self.atom(a, place);
        let above_one = format!("(p (c 1) (square {x}))");
        let half_sin = format!("(t (c 0.5) (sinS {x}))");
        match one {
            One::Negate => format!("n {x}"),
            One::Square => format!("square {x}"),
            One::Power(power) => format!("powi {x} {power}"),
            One::Sin => format!("sinS {x}"),
            One::Cos => format!("cosS {x}"),
            One::Tanh => format!("tanhS {x}"),
            One::Atan => format!("atanS {x}"),
            One::Sigmoid => format!("sigmoid {x}"),
            One::Softplus => format!("softplus {x}"),
            One::Relu => format!("relu {x}"),
            One::Abs => format!("absS {x}"),
            One::Sign => format!("signS {x}"),
            One::Bell => format!("recip {above_one}"),
            One::PowerOfBell => format!("powi {above_one} (-2)"),
            One::RealPower => format!("powr {above_one} 1.5"),
            One::LogSquare => format!("logS {above_one}"),
            One::Hypot => format!("sqrtS {above_one}"),
            One::ExpSin => format!("expS (sinS {x})"),
            One::TanSin => format!("tanS (sinS {x})"),
            One::SinhSin => format!("sinhS (sinS {x})"),
            One::CoshSin => format!("coshS (sinS {x})"),
            One::AsinSin => format!("asinS {half_sin}"),
            One::AcosSin => format!("acosS {half_sin}"),
        }
    }
}

/// A variable of one level as a number of the place, above it or the same.
fn lifted(variable: &str, from: usize, place: &Place) -> String {
    let level = place.level();
    if from == level {
        return variable.to_owned();
    }
    let lift = place.levels[level].mode.map_or("", |mode| mode.lift);
    if from + 1 == level {
        return format!("{lift} {variable}");
    }
    // A lift needs no checkpoints, but has to leave the number's own operations alone.
    let inner = lifted(variable, from, &place.below());
    format!("{lift} (<Smooth> ({inner}))")
}
