//! Terms with bindings in front whose values are exchanged before each run.
//!
//! `let a1 = 1.0 in let w1 = {x k -> k} in … evaluate (d {x -> f (w1 x (c a1)) …} a1)` is checked and
//! lowered once, and then run for every variable at every point: a number of the point is put in the
//! place of `1.0`, and the body of `w1` becomes `x` where the first variable is asked about. Which
//! binding means what is known by its position.

use frank_analysis::db::{Database, SourceFile};
use frank_analysis::program::resolve_term;
use frank_core::{ConstructorId, Entry, Local, Pattern, Program, Term, TermId, Type, ValuePattern};
use frank_syntax::ast::Symbol;

use super::point::{Numeral, Tree};
use super::roles::Number;
use super::shape::Shape;

/// Names for variables that mean nothing else in the program.
pub(super) struct Names<'a> {
    db: &'a Database,
    scope: SourceFile,
    next: usize,
}

impl<'a> Names<'a> {
    pub fn new(db: &'a Database, scope: SourceFile) -> Names<'a> {
        Names { db, scope, next: 0 }
    }

    /// Another name.
    pub fn fresh(&mut self) -> String {
        loop {
            let name = match self.next {
                0 => "x".to_owned(),
                1 => "y".to_owned(),
                2 => "z".to_owned(),
                n => format!("x{}", n - 2),
            };
            self.next += 1;
            if resolve_term(self.db, self.scope, Symbol::new(&name)).is_none() {
                return name;
            }
        }
    }

    pub fn some(&mut self, how_many: usize) -> Vec<String> {
        (0..how_many).map(|_| self.fresh()).collect()
    }
}

/// A binding of a number.
pub(super) fn number(name: &str, number: Number) -> String {
    let some = match number {
        Number::Int => "1",
        Number::Float => "1.0",
    };
    format!("let {name} = {some} in ")
}

/// A binding of a function that gives one of its two arguments; which, is decided later.
pub(super) fn choice(name: &str, (own, other): (&str, &str)) -> String {
    format!("let {name} = {{{own} {other} -> {other}}} in ")
}

/// A binding of a function that gives one number of its argument; which, is decided later.
pub(super) fn selection(name: &str, shape: &Shape, own: &str) -> String {
    format!("let {name} = {{{} -> {own}}} in ", first(shape, own))
}

/// A pattern for the first number in a shape.
fn first(shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Number | Shape::Fixed(_) => name.to_owned(),
        Shape::List(inner) => format!("({} :: _)", first(inner, name)),
        Shape::Record(constructor, fields) => {
            let mut text = format!("({}", constructor.name);
            let at = fields.iter().position(Shape::is_smooth);
            for (i, field) in fields.iter().enumerate() {
                text.push(' ');
                match Some(i) == at {
                    true => text.push_str(&first(field, name)),
                    false => text.push('_'),
                }
            }
            text.push(')');
            text
        }
    }
}

/// A step from data to a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Element(usize),
    Field(usize),
}

/// The ways to all numbers of a value, in the order of its text.
pub(super) fn paths<T>(tree: &Tree<T>) -> Vec<Vec<Step>> {
    fn go<T>(tree: &Tree<T>, path: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
        let (inner, is_list) = match tree {
            Tree::Leaf(_) => {
                found.push(path.clone());
                return;
            }
            Tree::Fixed(_) => return,
            Tree::List(inner) => (inner, true),
            Tree::Record(_, inner) => (inner, false),
        };
        for (i, tree) in inner.iter().enumerate() {
            path.push(if is_list {
                Step::Element(i)
            } else {
                Step::Field(i)
            });
            go(tree, path, found);
            path.pop();
        }
    }
    let mut found = Vec::new();
    go(tree, &mut Vec::new(), &mut found);
    found
}

/// What a part is called behind the name of the whole: `.2`, or `.2.1` of what is in a part.
pub(super) fn named(path: &[Step]) -> String {
    let steps = path.iter().map(|step| match step {
        Step::Element(i) | Step::Field(i) => format!(".{}", i + 1),
    });
    steps.collect()
}

/// The `n`-th binding in front of an entry's term.
fn binding(program: &Program, entry: usize, n: usize) -> Option<TermId> {
    let mut term = program.entries.get(entry)?.term;
    for _ in 0..n {
        let Term::Let { body, .. } = &program.terms[term] else {
            return None;
        };
        term = *body;
    }
    match &program.terms[term] {
        Term::Let { bound, .. } => Some(*bound),
        _ => None,
    }
}

/// Puts a number into a binding made by [`number`].
pub(super) fn put(program: &mut Program, entry: usize, n: usize, value: Numeral) -> Option<()> {
    let bound = binding(program, entry, n)?;
    program.terms[bound] = value.term();
    Some(())
}

/// Another entry that is as this one, but for the numbers in some of its bindings made by [`number`]: each with its
/// place. What follows the bindings is shared.
pub(super) fn with_numbers(
    program: &mut Program,
    entry: usize,
    numbers: &[(usize, Numeral)],
) -> Option<Entry> {
    let mut term = program.entries.get(entry)?.term;
    let mut passed = Vec::new();
    for _ in 0..=numbers.iter().map(|(at, _)| *at).max()? {
        let Term::Let { local, bound, body } = &program.terms[term] else {
            return None;
        };
        passed.push((term, *local, *bound));
        term = *body;
    }
    for (at, (old, local, own)) in passed.into_iter().enumerate().rev() {
        let number = numbers.iter().find(|(changed, _)| *changed == at);
        let bound = number.map(|(_, number)| program.terms.alloc(number.term()));
        let bound = bound.unwrap_or(own);
        let body = term;
        term = program.terms.alloc(Term::Let { local, bound, body });
        if let Some(place) = program.places.get(old).copied() {
            program.places.insert(term, place);
        }
    }
    let entry = program.entries.get(entry)?.clone();
    Some(Entry { term, ..entry })
}

/// Makes a binding by [`choice`] give its first argument, or else its second.
pub(super) fn choose(program: &mut Program, entry: usize, n: usize, own: bool) -> Option<()> {
    let bound = binding(program, entry, n)?;
    let Term::Thunk(handler) = &program.terms[bound] else {
        return None;
    };
    let clause = handler.clauses.first()?;
    let at = if own { 0 } else { 1 };
    let Some(Pattern::Value(ValuePattern::Bind(local))) = clause.patterns.get(at) else {
        return None;
    };
    let (body, local) = (clause.body, *local);
    program.terms[body] = Term::Local(local);
    Some(())
}

/// Makes a binding by [`selection`] give the number at the end of a path. `ty` is the type of what
/// it selects from.
pub(super) fn select(
    program: &mut Program,
    entry: usize,
    n: usize,
    ty: &Type,
    path: &[Step],
) -> Option<()> {
    let bound = binding(program, entry, n)?;
    let known = program.known.cons?;
    let Term::Thunk(handler) = &program.terms[bound] else {
        return None;
    };
    let clause = handler.clauses.first()?;
    let Some(Pattern::Value(pattern)) = clause.patterns.first() else {
        return None;
    };
    let local = bound_in(pattern)?;
    let new = pattern_to(program, known, ty, path, local)?;
    let Term::Thunk(handler) = &mut program.terms[bound] else {
        return None;
    };
    let clause = handler.clauses.first_mut()?;
    clause.patterns = vec![Pattern::Value(new)];
    Some(())
}

fn bound_in(pattern: &ValuePattern) -> Option<Local> {
    match pattern {
        ValuePattern::Bind(local) => Some(*local),
        ValuePattern::Constructor(_, args) => args.iter().find_map(bound_in),
        _ => None,
    }
}

fn pattern_to(
    program: &Program,
    cons: ConstructorId,
    ty: &Type,
    path: &[Step],
    local: Local,
) -> Option<ValuePattern> {
    let Some((step, rest)) = path.split_first() else {
        return Some(ValuePattern::Bind(local));
    };
    let Type::Data(data, args) = ty else {
        return None;
    };
    match step {
        Step::Element(i) => {
            let inner = pattern_to(program, cons, args.first()?, rest, local)?;
            let mut pattern = ValuePattern::Constructor(cons, vec![inner, ValuePattern::Any]);
            for _ in 0..*i {
                pattern = ValuePattern::Constructor(cons, vec![ValuePattern::Any, pattern]);
            }
            Some(pattern)
        }
        Step::Field(i) => {
            let constructor = *program.data[*data].constructors.first()?;
            let fields = &program.constructors[constructor].fields;
            let ty = filled(fields.get(*i)?, args);
            let inner = pattern_to(program, cons, &ty, rest, local)?;
            let mut patterns = vec![ValuePattern::Any; fields.len()];
            *patterns.get_mut(*i)? = inner;
            Some(ValuePattern::Constructor(constructor, patterns))
        }
    }
}

/// A field's type in data with these arguments.
fn filled(ty: &Type, args: &[Type]) -> Type {
    match ty {
        Type::Parameter(n) => args.get(*n as usize).cloned().unwrap_or(Type::Unknown),
        Type::Data(data, inner) => {
            let inner = inner.iter().map(|ty| filled(ty, args)).collect();
            Type::Data(*data, inner)
        }
        other => other.clone(),
    }
}
