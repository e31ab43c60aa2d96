//! Arithmetic on what is no number, where an interface in the ability says how its values are computed with.
//!
//! `x * x` cannot be decided where `x` is any `X`. Under `Smooth X` it is written `t x x`, by the operators
//! of the differentiation library or of the paper's own program.

use frank_syntax::ast::{BinaryOperator, Item, Symbol, TermId, TermKind};

use super::Reporter;
use super::mismatch::Mismatch;
use super::words::article;
use crate::db::{ItemSource, item};
use crate::declarations::signature;
use crate::derivatives::library;
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::fixes;
use crate::infer::problem::{Expectation, Mark};
use crate::infer::table::Clash;
use crate::program::{TermDef, resolve_data, resolve_term};
use crate::surroundings::{is_arithmetic, is_atomic, is_comparison};
use crate::types::{Ability, Arg, Ty, TyKind};

/// The operators that stand for signs, the paper's name first.
fn names_of(operator: BinaryOperator) -> &'static [&'static str] {
    match operator {
        BinaryOperator::Add => &["p", "plus"],
        BinaryOperator::Subtract => &["minus"],
        BinaryOperator::Multiply => &["t", "times"],
        BinaryOperator::Divide => &["divide"],
        BinaryOperator::Less => &["lessS"],
        BinaryOperator::LessEqual => &["atMostS"],
        BinaryOperator::Greater => &["greaterS"],
        BinaryOperator::GreaterEqual => &["atLeastS"],
        BinaryOperator::Equal => &["equalS"],
        BinaryOperator::NotEqual => &["notEqualS"],
        BinaryOperator::Cons => &[],
    }
}

/// The operators that stand for a sign before a number.
const NEGATION: &[&str] = &["n", "negate"];

/// An expression that is written with operators instead.
struct Rewriting {
    source: ItemSource,
    number: Ty,
    ambient: Ability,
}

impl Reporter<'_> {
    /// The message for arithmetic on a type variable that operators in sight can do.
    pub(super) fn arithmetic_on_variable(
        &mut self,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Option<Diagnostic> {
        let number = self.computed_with(mismatch)?;
        let source = mismatch.source;
        let item = item(self.db, source);
        let whole = match mismatch.origin {
            Expectation::Operand { operation } => self.whole_expression(source, item, operation),
            _ if is_expression(item, term) => self.whole_expression(source, item, term),
            _ => return None,
        };
        let rewriting = Rewriting {
            source,
            number,
            ambient: mismatch.ambient,
        };
        if !self.has_operand(&rewriting, item, whole) {
            return None;
        }
        let text = self.rewritten(&rewriting, item, whole)?;
        self.settle_within(mismatch, item, whole);
        let at = Location::node(source, item.terms[whole].id);
        let title = format!("write `{text}`");
        let name = self.ty(number);
        let is_it = self.inference.table.head(mismatch.found) == self.inference.table.head(number);
        let problem = match is_it {
            true => Diagnostic::new(
                Code::NotANumber,
                mismatch.at,
                format!("arithmetic and comparisons take numbers, but this has type `{name}`"),
            ),
            false => Diagnostic::new(
                Code::NotANumber,
                at,
                format!(
                    "arithmetic and comparisons take numbers, and {} is none",
                    article(&name)
                ),
            ),
        };
        let why = match self.inference.table.kind(number) {
            TyKind::Variable(_) => format!(
                "`{name}` stands for every type, and the ability here says how it is computed with"
            ),
            _ => format!(
                "the ability here says how {} is computed with",
                article(&name)
            ),
        };
        Some(
            problem
                .help(format!("{why}: write `{text}`"))
                .fix(fixes::replace(at, &text, title)),
        )
    }

    /// The type that is no number where numbers are computed with, if an instance in the ability is at it.
    fn computed_with(&self, mismatch: Mismatch<'_>) -> Option<Ty> {
        let number = match *mismatch.clash {
            Clash::NotANumber(number) => number,
            _ if self.is_number(mismatch.expected) => mismatch.found,
            _ if self.is_number(mismatch.found) => mismatch.expected,
            _ => return None,
        };
        let table = &self.inference.table;
        let is_made = matches!(table.kind(number), TyKind::Variable(_) | TyKind::Data(..));
        let number = table.head(number);
        let is_at = |arg: &Arg| matches!(arg, Arg::Type(ty) if table.head(*ty) == number || table.kind(*ty) == table.kind(number));
        let row = table.row(mismatch.ambient);
        let mut instances = row.instances.iter();
        let has_instance = instances.any(|instance| instance.args.iter().any(is_at));
        (is_made && has_instance).then_some(number)
    }

    /// Whether a value of the type stands in an expression.
    fn has_operand(&mut self, way: &Rewriting, item: &Item, term: TermId) -> bool {
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            match &item.terms[term].kind {
                TermKind::Binary { left, right, .. } => work.extend([*left, *right]),
                TermKind::Negate(operand) => work.push(*operand),
                TermKind::Natural(_) | TermKind::Float(_) => {}
                _ => {
                    let body = self.inference.body(way.source);
                    let ty = body.and_then(|body| body.types.get(term)).copied();
                    if ty.is_some_and(|ty| !self.is_unknown(ty) && self.agree(ty, way.number)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The largest arithmetic expression around one.
    fn whole_expression(&self, source: ItemSource, item: &Item, operation: TermId) -> TermId {
        let surroundings = self.surroundings(source);
        let around = surroundings.ancestors(operation);
        around
            .take_while(|term| is_expression(item, *term))
            .last()
            .unwrap_or(operation)
    }

    /// The problems of other operands go with the expression.
    fn settle_within(&mut self, mismatch: Mismatch<'_>, item: &Item, whole: TermId) {
        let source = mismatch.source;
        let surroundings = self.surroundings(source);
        let is_operand = |term: TermId| {
            let around = surroundings.ancestors(term);
            let mut around = around.take_while(|one| is_expression(item, *one));
            term == whole || around.any(|one| one == whole)
        };
        let (_, _, kind) = mismatch.mark;
        let operands = self.base.iter().filter(|(place, node, other)| {
            let at = Location::node(*place, *node);
            *place == source && *other == kind && self.term_at(at).is_some_and(is_operand)
        });
        let operands: Vec<Mark> = operands.copied().collect();
        self.settled.extend(operands);
    }

    /// An expression in the words of operators; `None` where one is not in sight or does not fit.
    fn rewritten(&mut self, way: &Rewriting, item: &Item, term: TermId) -> Option<String> {
        match &item.terms[term].kind {
            TermKind::Binary {
                operator,
                left,
                right,
                ..
            } => {
                let name = self.operator_for(way, names_of(*operator), 2)?;
                let left = self.argument(way, item, *left)?;
                let right = self.argument(way, item, *right)?;
                Some(format!("{name} {left} {right}"))
            }
            TermKind::Negate(operand) => {
                let name = self.operator_for(way, NEGATION, 1)?;
                let operand = self.argument(way, item, *operand)?;
                Some(format!("{name} {operand}"))
            }
            TermKind::Natural(_) | TermKind::Float(_) => self.constant(way, term),
            _ => {
                let ty = *self.inference.body(way.source)?.types.get(term)?;
                if self.is_number(ty) {
                    let is_word = is_atomic(item, term);
                    return self.constant(way, term).filter(|_| is_word);
                }
                let fits = self.agree(ty, way.number);
                self.term_text(way.source, term).filter(|_| fits)
            }
        }
    }

    /// A number as a value of the type.
    fn constant(&mut self, way: &Rewriting, term: TermId) -> Option<String> {
        let constants = self.constant_operators(way.source, term, way.number, way.ambient);
        let text = self.term_text(way.source, term)?;
        Some(format!("{} {text}", constants.first()?.0.name))
    }

    /// A part of an expression as an argument.
    fn argument(&mut self, way: &Rewriting, item: &Item, term: TermId) -> Option<String> {
        let text = self.rewritten(way, item, term)?;
        // A constant is a call.
        let is_word =
            is_atomic(item, term) && !text.contains(' ') || text.starts_with(['(', '[', '{']);
        Some(if is_word { text } else { format!("({text})") })
    }

    /// The first of some names that means an operator on so many values of the type.
    fn operator_for(
        &mut self,
        way: &Rewriting,
        names: &[&'static str],
        ports: usize,
    ) -> Option<&'static str> {
        names.iter().copied().find(|name| {
            let known = resolve_term(self.db, self.scope, Symbol::new(name));
            let Some(TermDef::Operator(operator)) = known else {
                return false;
            };
            let declared = signature(self.db, operator.0.scope, operator.0.name).as_ref();
            let Some(declared) = declared else {
                return false;
            };
            let table = &mut self.inference.table;
            let before = table.snapshot();
            let made = table.instantiate(declared);
            let takes = made.ports.len() == ports
                && made
                    .ports
                    .iter()
                    .all(|port| table.unify(port.ty, way.number).is_ok());
            let fits = takes && table.unify_abilities(made.ability, way.ambient).is_ok();
            table.rollback(before);
            fits
        })
    }

    /// How a comparison is written with the operators of `ad-compare`, with constants for the numbers in it.
    fn comparison_by_call(&self, source: ItemSource, operation: TermId) -> Option<String> {
        let item = item(self.db, source);
        let TermKind::Binary {
            operator,
            left,
            right,
            ..
        } = &item.terms[operation].kind
        else {
            return None;
        };
        let instead = names_of(*operator).first()?;
        let operand = |term: TermId| {
            let text = self.term_text(source, term);
            let text = text.unwrap_or_else(|| "…".to_owned());
            let is_literal = |term: TermId| {
                let kind = &item.terms[term].kind;
                matches!(kind, TermKind::Natural(_) | TermKind::Float(_))
            };
            let is_number = match &item.terms[term].kind {
                TermKind::Negate(of) => is_literal(*of),
                TermKind::Name(_) => {
                    let body = self.inference.body(source);
                    body.and_then(|body| body.types.get(term))
                        .is_some_and(|ty| self.is_number(*ty))
                }
                _ => is_literal(term),
            };
            match (is_number, is_atomic(item, term)) {
                (true, true) => format!("(c {text})"),
                (true, false) => format!("(c ({text}))"),
                (false, true) => text,
                (false, false) => format!("({text})"),
            }
        };
        Some(format!("{instead} {} {}", operand(*left), operand(*right)))
    }

    /// How the values of numbers of the differentiation library are compared: by the handler of `ad-compare` for
    /// them.
    pub(super) fn compared_as_numbers(
        &self,
        source: ItemSource,
        operation: TermId,
        ty: Ty,
    ) -> Option<String> {
        let TyKind::Data(data, _) = self.inference.table.kind(ty) else {
            return None;
        };
        let handler = Symbol::new(&format!("compare{}", data.0.name));
        let comparing = library(self.db, "ad-compare")?;
        // Other data may have the same name, as that of `ad-paper`.
        if resolve_data(self.db, comparing, data.0.name) != Some(*data) {
            return None;
        }
        resolve_term(self.db, comparing, handler)?;
        let call = self.comparison_by_call(source, operation)?;
        Some(format!(
            "the values of such numbers are compared by `{call}`, from `ad-compare`, where `{handler}` stands \
             around what is differentiated, and `compareFloat` around all of it"
        ))
    }

    /// What to do where a type variable is computed with and nothing in the ability says how.
    pub(super) fn undecided_number(&self, name: Symbol, mismatch: Mismatch<'_>) -> String {
        let item = item(self.db, mismatch.source);
        let row = self.inference.table.row(mismatch.ambient);
        let number = match mismatch.clash {
            Clash::NotANumber(number) => self.inference.table.head(*number),
            _ => self.inference.table.head(mismatch.found),
        };
        let is_at =
            |arg: &Arg| matches!(arg, Arg::Type(ty) if self.inference.table.head(*ty) == number);
        let is_computed_with = row
            .instances
            .iter()
            .any(|instance| instance.args.iter().any(is_at));
        match mismatch.origin {
            Expectation::Operand { operation }
                if is_computed_with && is_comparison(item, operation) =>
            {
                let Some(call) = self.comparison_by_call(mismatch.source, operation) else {
                    return String::new();
                };
                format!(
                    "to compare values of any `{name}`, include `ad-compare`, add `Compare {name}` to the \
                     ability in the signature, and write `{call}`; `compareFloat` and `compareDual` handle it"
                )
            }
            _ => format!(
                "`{name}` stands for every type, so it cannot be decided whether the numbers are \
                 `Int` or `Float`: write one of them instead of `{name}` in the signature"
            ),
        }
    }
}

/// Whether a term is arithmetic, a comparison or a negation.
fn is_expression(item: &Item, term: TermId) -> bool {
    is_arithmetic(item, term) || matches!(item.terms[term].kind, TermKind::Negate(_))
}
