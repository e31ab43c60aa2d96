//! Values where a suspended computation is needed, and the other way round.

use frank_syntax::ast::{BinaryOperator, ItemKind, PatternId, TermId, TermKind};

use super::Reporter;
use super::catalogue::{clauses, users};
use super::mismatch::{Mismatch, last_of};
use super::places::result_node;
use super::words::article;
use crate::builtin;
use crate::db::{ItemSource, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::problem::Expectation;
use crate::infer::table::Clash;
use crate::program::{Definition, OperatorDef, TermDef};
use crate::surroundings::Parent;
use crate::types::{Computation, TyKind};

impl Reporter<'_> {
    /// `lift x` where `x` has the type that is needed already.
    pub(super) fn needless_call(
        &mut self,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Option<Diagnostic> {
        let Expectation::Argument { call, .. } = mismatch.origin else {
            return None;
        };
        let source = mismatch.source;
        let item = item(self.db, source);
        let TermKind::Apply { head, args } = &item.terms[call].kind else {
            return None;
        };
        let body = self.inference.body(source)?;
        let gives = body.types.get(call).copied()?;
        let Some(TermDef::Operator(operator)) = self.definition_of(source, *head) else {
            return None;
        };
        let lifts = super::catalogue::catalogues(self.db, self.scope)
            .any(|catalogue| catalogue.lifts.contains(&operator));
        if args.len() != 1 || !lifts || self.is_unknown(gives) || self.is_unknown(mismatch.found) {
            return None;
        }
        if !self.agree(gives, mismatch.found) {
            return None;
        }
        let name = operator.0.name;
        let text = self.term_text(source, term);
        let (wanted, given) = self.two(gives, mismatch.found);
        let what = text
            .as_ref()
            .map_or_else(|| "this".to_owned(), |text| format!("`{text}`"));
        let problem = Diagnostic::new(
            Code::TypeMismatch,
            mismatch.at,
            format!(
                "{what} needs no `{name}`: it is {} already",
                article(&given)
            ),
        )
        .help(format!(
            "leave out `{name}`, which would make {} of {}",
            article(&wanted),
            article(&self.ty(mismatch.expected))
        ));
        Some(match text {
            Some(text) => {
                let whole = Location::node(source, item.terms[call].id);
                let title = format!("write `{text}`");
                problem.fix(fixes::replace(whole, &text, title))
            }
            None => problem,
        })
    }

    /// `f` where `f!` is meant.
    pub(super) fn forgotten_force(
        &mut self,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Option<Diagnostic> {
        let TyKind::Computation(computation) = self.inference.table.kind(mismatch.found) else {
            return None;
        };
        let computation = computation.clone();
        if !computation.ports.is_empty() || self.is_unknown(mismatch.expected) {
            return None;
        }
        let item = item(self.db, mismatch.source);
        if matches!(item.terms[term].kind, TermKind::Thunk { .. }) {
            return None;
        }
        let fits = match mismatch.clash {
            // The number that is needed is not known to be one once it is decided otherwise.
            Clash::NotANumber(_) => {
                self.is_number(computation.result) || self.is_unknown(computation.result)
            }
            _ => self.agree(computation.result, mismatch.expected),
        };
        if !fits {
            return None;
        }
        let text = self.term_text(mismatch.source, term);
        let name = text.map_or_else(|| "this".to_owned(), |text| format!("`{text}`"));
        let result = if self.is_unknown(computation.result) {
            mismatch.expected
        } else {
            computation.result
        };
        let result = match self.is_unknown(result) {
            true => "its result is needed here".to_owned(),
            false => format!("its result, {}, is needed here", article(&self.ty(result))),
        };
        let problem = Diagnostic::new(
            Code::ForgottenForce,
            mismatch.at,
            format!("{name} is a suspended computation; {result}"),
        )
        .help("write `!` after it to run the computation here");
        let simple = matches!(item.terms[term].kind, TermKind::Name(_));
        let edit = |position, text: &str| Edit {
            location: mismatch.at,
            position,
            text: text.to_owned(),
        };
        let edits = if simple {
            vec![edit(Position::After, "!")]
        } else {
            vec![edit(Position::Before, "("), edit(Position::After, ")!")]
        };
        Some(problem.fix(Fix {
            title: "run it with `!`".to_owned(),
            edits,
            safe: true,
        }))
    }

    /// `case f {…}` where `case f! {…}` is meant: a pattern tells.
    pub(super) fn forgotten_force_of_matched(
        &mut self,
        mismatch: Mismatch<'_>,
    ) -> Option<Diagnostic> {
        let item = item(self.db, mismatch.source);
        let is_matched = |pattern: &PatternId| {
            Location::node(mismatch.source, item.patterns[*pattern].id) == mismatch.at
        };
        let (thunk, _) = item.terms.iter().find(|(_, term)| match &term.kind {
            TermKind::Thunk { clauses } => clauses
                .iter()
                .any(|clause| clause.patterns.iter().any(is_matched)),
            _ => false,
        })?;
        let Some(Parent::Term(call)) = self.surroundings(mismatch.source).parent(thunk) else {
            return None;
        };
        let TermKind::Apply { head, args } = &item.terms[call].kind else {
            return None;
        };
        let [matched, last] = args[..] else {
            return None;
        };
        let is_case = self.definition_of(mismatch.source, *head)
            == Some(TermDef::Operator(builtin::case(self.db)));
        if !is_case || last != thunk {
            return None;
        }
        let of_matched = Mismatch {
            at: Location::node(mismatch.source, item.terms[matched].id),
            term: Some(matched),
            expected: mismatch.found,
            found: mismatch.expected,
            ..mismatch
        };
        self.forgotten_force(of_matched, matched)
    }

    /// The operator that a term calls, if one of its clauses gives a value where its signature has braces: those
    /// may be what is too much.
    pub(super) fn giving_values(&self, source: ItemSource, term: TermId) -> Option<OperatorDef> {
        let TermKind::Apply { head, .. } = &item(self.db, source).terms[term].kind else {
            return None;
        };
        let Some(TermDef::Operator(operator)) = self.definition_of(source, *head) else {
            return None;
        };
        let Definition { scope, name } = operator.0;
        let mut clauses = clauses(self.db, scope, name).iter();
        let gives_value = clauses.any(|source| {
            let item = item(self.db, *source);
            let ItemKind::Clause { clause, .. } = &item.kind else {
                return false;
            };
            let last = last_of(item, clause.body);
            matches!(
                item.terms[last].kind,
                TermKind::Binary { .. }
                    | TermKind::Negate(_)
                    | TermKind::Natural(_)
                    | TermKind::Float(_)
                    | TermKind::Char(_)
                    | TermKind::String(_)
                    | TermKind::List(_)
            )
        });
        (gives_value && Some(operator) != self.operator).then_some(operator)
    }

    /// Braces around a term that is to be suspended, with all that runs before it there.
    pub(super) fn in_braces(
        &self,
        problem: Diagnostic,
        source: ItemSource,
        term: TermId,
    ) -> Diagnostic {
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        let mut whole = term;
        while let Some(Parent::Term(around)) = surroundings.parent(whole) {
            match &item.terms[around].kind {
                TermKind::Sequence { second: last, .. } | TermKind::Let { body: last, .. }
                    if *last == whole =>
                {
                    whole = around;
                }
                _ => break,
            }
        }
        // Of a choice all may be meant: what runs before it would run in any case.
        let is_branch = matches!(surroundings.parent(whole), Some(Parent::Clause { .. }));
        let inner = Location::node(source, item.terms[whole].id);
        let title = "put braces around it";
        // Parentheses are not needed in braces.
        let fix = match self.whole(source, whole) {
            Some((at, _)) if at.in_item(self.db) != inner.in_item(self.db) => {
                let range = std::ops::Range::<usize>::from(inner.in_item(self.db));
                let text = source.text(self.db).get(range).unwrap_or_default();
                fixes::replace(at, &format!("{{{text}}}"), title.to_owned())
            }
            _ => fixes::around(inner, "{", "}", title),
        };
        let problem = Diagnostic {
            location: inner,
            ..problem
        };
        problem
            .help("a suspended computation is needed: put braces around this, `{…}`")
            .fix(Fix {
                safe: fix.safe && !is_branch,
                ..fix
            })
    }

    /// Whether a term is an operand of `/`.
    pub(super) fn is_divided(&self, source: ItemSource, term: TermId) -> bool {
        let Some(Parent::Term(parent)) = self.surroundings(source).parent(term) else {
            return false;
        };
        matches!(
            item(self.db, source).terms[parent].kind,
            TermKind::Binary {
                operator: BinaryOperator::Divide,
                ..
            }
        )
    }

    /// Where the braces around the result in the signature may be what is wrong.
    pub(super) fn or_without_braces(&self, problem: Diagnostic) -> Diagnostic {
        let result = self
            .operator
            .and_then(|operator| result_node(self.db, operator));
        let Some((place, node)) = result else {
            return problem;
        };
        let at = Location::node(place, node);
        let range = std::ops::Range::<usize>::from(at.in_item(self.db));
        let text = place.text(self.db).get(range).unwrap_or_default();
        let inner = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        let Some(inner) = inner.map(str::trim).filter(|inner| !inner.contains("->")) else {
            return problem;
        };
        let help = format!(
            "or leave out the braces in the signature, `{inner}`: then a call gives it at once"
        );
        let mut problem = problem.help(help);
        // What its callers make of it says which of the two is meant.
        if self.is_mentioned() {
            problem.undecided = true;
            for fix in &mut problem.fixes {
                fix.safe = false;
            }
        }
        problem
    }

    /// Whether another operator of the program mentions this one.
    pub(super) fn is_mentioned(&self) -> bool {
        self.operator.is_some_and(|operator| {
            let Definition { scope, name } = operator.0;
            users(self.db, scope, name).iter().any(|user| *user != name)
        })
    }

    /// Whether what is needed is a computation of what is there.
    pub(super) fn braces_would_do(&mut self, wanted: &Computation, mismatch: Mismatch<'_>) -> bool {
        // A computation whose ability alone does not fit is no result of another one.
        let is_suspended = self.is_unknown(wanted.result)
            && matches!(
                self.inference.table.kind(mismatch.found),
                TyKind::Computation(_)
            );
        wanted.ports.is_empty()
            && !is_suspended
            && !self.is_unknown(mismatch.found)
            && self.agree(wanted.result, mismatch.found)
    }
}
