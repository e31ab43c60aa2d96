//! The bodies of operators: terms, patterns and clauses.

use frank_core as core;
use frank_syntax::ast::{
    AdaptorExpr, AdaptorShape, BinaryOperator, Clause, Item, ItemKind, Name, NodeId, Pattern,
    PatternId, PatternKind, Symbol, TermId, TermKind,
};
use frank_syntax::stack::ensure_sufficient_stack;

use super::LinkError;
use super::fragment::FragmentBuilder;
use crate::builtin;
use crate::db::{ItemSource, SourceFile, item};
use crate::holes;
use crate::infer::{Body, Inference, Resolved, ResolvedPattern};
use crate::program::TermDef;
use crate::scopes::LocalId;
use crate::truth_values::truth_values;
use crate::types::{Ty, TyKind};

/// Lowers the terms of one item.
pub(super) struct BodyLowering<'a, 'db> {
    out: &'a mut FragmentBuilder<'db>,
    /// The scope in which the item's names are looked up.
    scope: SourceFile,
    inference: &'a Inference,
    item: &'db Item,
    /// What the item's places have for a file.
    file: core::FileId,
    body: &'a Body,
    /// What is added to the body's local numbers to make them the operator's.
    first_local: u32,
}

impl<'a, 'db> BodyLowering<'a, 'db> {
    pub(super) fn new(
        out: &'a mut FragmentBuilder<'db>,
        scope: SourceFile,
        inference: &'a Inference,
        source: ItemSource,
        body: &'a Body,
        first_local: u32,
    ) -> BodyLowering<'a, 'db> {
        let item = item(out.db, source);
        let file = out.item(source);
        BodyLowering {
            out,
            scope,
            inference,
            item,
            file,
            body,
            first_local,
        }
    }

    fn broken(&self) -> LinkError {
        let name = match &self.item.kind {
            ItemKind::Clause { name, .. } | ItemKind::Signature { name, .. } => name.symbol,
            _ => Symbol::new("this term"),
        };
        LinkError::Broken(name)
    }

    fn place(&self, node: NodeId) -> core::Place {
        FragmentBuilder::place(self.file, node)
    }

    fn local(&self, local: LocalId) -> core::Local {
        core::Local(self.first_local + local.0)
    }

    fn is_float(&self, ty: Option<&Ty>) -> bool {
        ty.is_some_and(|ty| matches!(self.inference.table.kind(*ty), TyKind::Float))
    }

    fn number(&self, ty: Option<&Ty>) -> core::Number {
        if self.is_float(ty) {
            core::Number::Float
        } else {
            core::Number::Int
        }
    }

    pub(super) fn term(&mut self, term: TermId) -> Result<core::TermId, LinkError> {
        ensure_sufficient_stack(|| {
            let lowered = self.lowered(term)?;
            let place = self.place(self.item.terms[term].id);
            let lowered = self.out.term(lowered, place);
            if let TermKind::Adapted { adaptors, .. } = &self.item.terms[term].kind {
                let written: Vec<String> = adaptors.iter().map(written).collect();
                self.out.adaptors(lowered, written.join(", "));
            }
            Ok(lowered)
        })
    }

    fn terms(&mut self, terms: &[TermId]) -> Result<Vec<core::TermId>, LinkError> {
        terms.iter().map(|term| self.term(*term)).collect()
    }

    fn lowered(&mut self, term: TermId) -> Result<core::Term, LinkError> {
        let item = self.item;
        let ty = self.body.types.get(term);
        Ok(match &item.terms[term].kind {
            TermKind::Missing => return Err(self.broken()),
            TermKind::Natural(value) => {
                let value = value.ok_or_else(|| self.broken())?;
                if self.is_float(ty) {
                    core::Term::Float(value as f64)
                } else {
                    core::Term::Int(i64::try_from(value).map_err(|_| self.broken())?)
                }
            }
            TermKind::Float(bits) => core::Term::Float(bits.value()),
            TermKind::Char(char) => core::Term::Char(*char),
            TermKind::String(text) => core::Term::String(text.clone()),
            TermKind::List(elements) => core::Term::List(self.terms(elements)?),
            TermKind::Name(name) => self.name(term, name.symbol)?,
            TermKind::Apply { head, args } => {
                if let (Some(constructor), false) = (self.constructor_at(*head), args.is_empty()) {
                    core::Term::Construct {
                        constructor,
                        args: self.terms(args)?,
                    }
                } else {
                    core::Term::Apply {
                        head: self.term(*head)?,
                        args: self.terms(args)?,
                    }
                }
            }
            TermKind::Adapted { body, .. } => {
                let adaptors = self.body.adaptors.get(term).ok_or_else(|| self.broken())?;
                let renamings = adaptors.iter().map(|a| self.out.renaming(a)).collect();
                core::Term::Adapted {
                    renamings,
                    body: self.term(*body)?,
                }
            }
            TermKind::Let { bound, body, .. } => {
                let resolved = self.body.lets.get(term).cloned();
                let bound = self.term(*bound)?;
                let body = self.term(*body)?;
                match resolved.ok_or_else(|| self.broken())? {
                    ResolvedPattern::Binds(local) => core::Term::Let {
                        local: self.local(local),
                        bound,
                        body,
                    },
                    ResolvedPattern::Constructor(constructor) => {
                        let constructor = self.out.constructor(constructor);
                        let pattern = core::ValuePattern::Constructor(constructor, Vec::new());
                        core::Term::LetMatch {
                            pattern,
                            bound,
                            body,
                        }
                    }
                    _ => core::Term::LetMatch {
                        pattern: core::ValuePattern::Any,
                        bound,
                        body,
                    },
                }
            }
            TermKind::Sequence { first, second } => core::Term::Sequence {
                first: self.term(*first)?,
                second: self.term(*second)?,
            },
            TermKind::Negate(operand) => self.negation(term, *operand)?,
            TermKind::Binary {
                operator: BinaryOperator::Cons,
                left,
                right,
                ..
            } => {
                let constructor = self.out.constructor(builtin::cons(self.out.db));
                let args = vec![self.term(*left)?, self.term(*right)?];
                core::Term::Construct { constructor, args }
            }
            TermKind::Binary {
                operator,
                left,
                right,
                ..
            } => {
                let number = self.number(self.body.numbers.get(term));
                let (left, right) = (self.term(*left)?, self.term(*right)?);
                match binary(*operator, number, left, right) {
                    compared @ core::Term::Compare { .. } => self.truth_value(term, compared)?,
                    arithmetic => arithmetic,
                }
            }
            TermKind::Thunk { clauses } => core::Term::Thunk(self.thunk(term, clauses)?),
        })
    }

    /// A comparison gives the truth values of the program, which may be its own.
    fn truth_value(&mut self, term: TermId, compared: core::Term) -> Result<core::Term, LinkError> {
        let db = self.out.db;
        let truth = truth_values(db, self.scope);
        if truth.true_ == builtin::true_(db) {
            return Ok(compared);
        }
        let place = self.place(self.item.terms[term].id);
        let mut clauses = Vec::with_capacity(2);
        for (given, own) in [
            (builtin::true_(db), truth.true_),
            (builtin::false_(db), truth.false_),
        ] {
            let given = self.out.constructor(given);
            let constructor = self.out.constructor(own);
            let own = core::Term::Construct {
                constructor,
                args: Vec::new(),
            };
            let value = core::ValuePattern::Constructor(given, Vec::new());
            let body = self.out.term(own, place);
            clauses.push(core::Clause {
                place,
                patterns: vec![core::Pattern::Value(value)],
                body,
            });
        }
        let ports = vec![core::Port::default()];
        let choose = core::Term::Thunk(core::Handler {
            ports,
            clauses,
            locals: 0,
        });
        let case = self.out.operator(builtin::operator(db, "case"));
        let head = self.out.term(core::Term::Operator(case), place);
        let args = vec![self.out.term(compared, place), self.out.term(choose, place)];
        Ok(core::Term::Apply { head, args })
    }

    fn negation(&mut self, term: TermId, operand: TermId) -> Result<core::Term, LinkError> {
        let number = self.number(self.body.numbers.get(term));
        if let (TermKind::Natural(Some(value)), core::Number::Int) =
            (&self.item.terms[operand].kind, number)
            && *value == i64::MAX as u64 + 1
        {
            return Ok(core::Term::Int(i64::MIN));
        }
        Ok(core::Term::Negate {
            number,
            operand: self.term(operand)?,
        })
    }

    fn constructor_at(&mut self, head: TermId) -> Option<core::ConstructorId> {
        match self.body.names.get(head) {
            Some(Resolved::Definition(TermDef::Constructor(constructor))) => {
                Some(self.out.constructor(*constructor))
            }
            _ => None,
        }
    }

    fn name(&mut self, term: TermId, name: Symbol) -> Result<core::Term, LinkError> {
        let resolved = self
            .body
            .names
            .get(term)
            .copied()
            .ok_or_else(|| self.broken())?;
        Ok(match resolved {
            Resolved::Local(local) => core::Term::Local(self.local(local)),
            Resolved::Unknown => return Err(self.broken()),
            Resolved::Hole => core::Term::Hole {
                name: name.to_string(),
                message: holes::sentence(self.inference, self.body, term),
            },
            Resolved::Definition(TermDef::Operator(operator)) => {
                core::Term::Operator(self.out.operator(operator))
            }
            Resolved::Definition(TermDef::Command(command)) => {
                core::Term::Command(self.out.command(command))
            }
            Resolved::Definition(TermDef::Constructor(constructor)) => {
                let constructor = self.out.constructor(constructor);
                core::Term::Construct {
                    constructor,
                    args: Vec::new(),
                }
            }
        })
    }

    fn thunk(&mut self, term: TermId, clauses: &[Clause]) -> Result<core::Handler, LinkError> {
        let ty = *self.body.thunks.get(term).ok_or_else(|| self.broken())?;
        let ports = match self.inference.table.kind(ty).clone() {
            TyKind::Computation(computation) => computation
                .ports
                .iter()
                .map(|port| self.out.port(port))
                .collect(),
            // `{}` where any type will do.
            _ if clauses.is_empty() => Vec::new(),
            _ => return Err(self.broken()),
        };
        let mut lowered = Vec::with_capacity(clauses.len());
        for clause in clauses {
            lowered.push(self.clause(clause)?);
        }
        Ok(core::Handler {
            ports,
            clauses: lowered,
            locals: 0,
        })
    }

    pub(super) fn clause(&mut self, clause: &Clause) -> Result<core::Clause, LinkError> {
        let mut patterns = Vec::with_capacity(clause.patterns.len());
        for pattern in &clause.patterns {
            patterns.push(self.pattern(*pattern)?);
        }
        let body = self.term(clause.body)?;
        let place = self.place(clause.id);
        Ok(core::Clause {
            place,
            patterns,
            body,
        })
    }

    fn pattern(&mut self, pattern: PatternId) -> Result<core::Pattern, LinkError> {
        let item = self.item;
        let Pattern { kind, .. } = &item.patterns[pattern];
        let resolved = self.body.patterns.get(pattern).cloned();
        Ok(match (kind, resolved) {
            (
                PatternKind::Command { index, args, .. },
                Some(ResolvedPattern::Command {
                    command,
                    continuation,
                }),
            ) => core::Pattern::Command {
                command: self.out.command(command),
                index: *index,
                args: self.value_patterns(args)?,
                continuation: continuation.map(|local| self.local(local)),
            },
            (PatternKind::Command { .. }, _) => return Err(self.broken()),
            (PatternKind::CatchAll(_), Some(ResolvedPattern::CatchAll(local))) => {
                core::Pattern::CatchAll(local.map(|local| self.local(local)))
            }
            _ => core::Pattern::Value(self.value_pattern(pattern)?),
        })
    }

    fn value_patterns(&mut self, all: &[PatternId]) -> Result<Vec<core::ValuePattern>, LinkError> {
        all.iter()
            .map(|pattern| self.value_pattern(*pattern))
            .collect()
    }

    fn value_pattern(&mut self, pattern: PatternId) -> Result<core::ValuePattern, LinkError> {
        ensure_sufficient_stack(|| self.value_pattern_here(pattern))
    }

    fn value_pattern_here(&mut self, pattern: PatternId) -> Result<core::ValuePattern, LinkError> {
        let item = self.item;
        Ok(match &item.patterns[pattern].kind {
            PatternKind::Name(_) | PatternKind::Constructor { .. } => {
                match self.body.patterns.get(pattern).cloned() {
                    Some(ResolvedPattern::Binds(local)) => {
                        core::ValuePattern::Bind(self.local(local))
                    }
                    Some(ResolvedPattern::Wildcard) => core::ValuePattern::Any,
                    Some(ResolvedPattern::Constructor(constructor)) => {
                        let constructor = self.out.constructor(constructor);
                        let args = match &item.patterns[pattern].kind {
                            PatternKind::Constructor { args, .. } => self.value_patterns(args)?,
                            _ => Vec::new(),
                        };
                        core::ValuePattern::Constructor(constructor, args)
                    }
                    _ => return Err(self.broken()),
                }
            }
            PatternKind::Integer(value) => {
                let value = value.ok_or_else(|| self.broken())?;
                if self.is_float(self.body.pattern_types.get(pattern)) {
                    core::ValuePattern::Float(value as f64)
                } else {
                    core::ValuePattern::Int(value)
                }
            }
            PatternKind::Char(char) => core::ValuePattern::Char(*char),
            PatternKind::String(text) => core::ValuePattern::String(text.clone()),
            PatternKind::List(elements) => {
                let nil = self.out.constructor(builtin::nil(self.out.db));
                let cons = self.out.constructor(builtin::cons(self.out.db));
                let mut lowered = core::ValuePattern::Constructor(nil, Vec::new());
                for element in elements.iter().rev() {
                    let head = self.value_pattern(*element)?;
                    lowered = core::ValuePattern::Constructor(cons, vec![head, lowered]);
                }
                lowered
            }
            PatternKind::Cons { head, tail } => {
                let cons = self.out.constructor(builtin::cons(self.out.db));
                let args = vec![self.value_pattern(*head)?, self.value_pattern(*tail)?];
                core::ValuePattern::Constructor(cons, args)
            }
            PatternKind::Command { .. } | PatternKind::CatchAll(_) | PatternKind::Missing => {
                return Err(self.broken());
            }
        })
    }
}

fn binary(
    operator: BinaryOperator,
    number: core::Number,
    left: core::TermId,
    right: core::TermId,
) -> core::Term {
    use core::{Arithmetic, Comparison};
    let arithmetic = |operator| core::Term::Arithmetic {
        operator,
        number,
        left,
        right,
    };
    let compare = |operator| core::Term::Compare {
        operator,
        number,
        left,
        right,
    };
    match operator {
        BinaryOperator::Add => arithmetic(Arithmetic::Add),
        BinaryOperator::Subtract => arithmetic(Arithmetic::Subtract),
        BinaryOperator::Multiply => arithmetic(Arithmetic::Multiply),
        BinaryOperator::Divide => arithmetic(Arithmetic::Divide),
        BinaryOperator::Less => compare(Comparison::Less),
        BinaryOperator::Greater => compare(Comparison::Greater),
        BinaryOperator::LessEqual => compare(Comparison::LessEqual),
        BinaryOperator::GreaterEqual => compare(Comparison::GreaterEqual),
        BinaryOperator::Equal => compare(Comparison::Equal),
        BinaryOperator::NotEqual | BinaryOperator::Cons => compare(Comparison::NotEqual),
    }
}

/// An adaptor in the form that the formatter gives it.
fn written(adaptor: &AdaptorExpr) -> String {
    let interface = adaptor.interface.symbol;
    let Some(AdaptorShape { rest, left, right }) = &adaptor.shape else {
        return interface.to_string();
    };
    let names = |names: &mut dyn Iterator<Item = &Name>| -> String {
        let names: Vec<&str> = names.map(|name| name.symbol.as_str()).collect();
        names.join(" ")
    };
    let before = names(&mut std::iter::once(rest).chain(left));
    format!("{interface}({before} -> {})", names(&mut right.iter()))
}
