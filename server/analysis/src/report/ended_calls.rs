//! Calls that end too soon: in `if x > y {a} {b}` the operator ends the call of `if`; and too late: in
//! `f g x` the call of `f` takes the argument of `g`.

use frank_syntax::ast::{BinaryOperator, NodeId, Symbol, TermId, TermKind};

use text_size::TextRange;

use super::roots::place;
use super::words::{count, listed};
use super::{LONGEST_QUOTE, Reporter};
use crate::builtin;
use crate::db::{Db, ItemSource, item};
use crate::declarations::{data_type, signature};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::hypothesis::Change;
use crate::infer::problem::{Expectation, Mark, Problem};
use crate::program::{ConstructorDef, Definition, TermDef, resolve_term};
use crate::surroundings::{Parent, is_arithmetic, is_atomic, is_comparison};
use crate::truth_values::truth_values;
use crate::types::{Ty, TyKind};

/// A call with too few arguments, an operator behind it, and the rest behind that.
struct EndedCall {
    operation: TermId,
    operator: Location,
    symbol: &'static str,
    /// The argument before the operator and what stands behind it: with it they should be one argument.
    operands: [TermId; 2],
    /// The arguments that the call has not got.
    rest: Vec<TermId>,
}

/// So many calls at most are written out in a message.
const MOST_SHOWN: usize = 3;

impl Reporter<'_> {
    /// Finds calls that an operator ends before all arguments are there, where those that are missing
    /// stand behind it. All that is wrong in the operation follows from that.
    pub(super) fn ended_calls(&mut self, problems: &[Problem]) {
        for problem in problems {
            let (source, head, wanted, given, code) = match problem {
                Problem::ArgumentCount {
                    source,
                    head,
                    wanted,
                    given,
                    ..
                } => (source, Some(*head), wanted, given, Code::WrongArgumentCount),
                Problem::ConstructorArguments {
                    source,
                    node,
                    wanted,
                    given,
                    pattern: false,
                    ..
                } => {
                    let head = self.term_at(Location::node(*source, *node));
                    (source, head, wanted, given, Code::ConstructorArguments)
                }
                _ => continue,
            };
            let Some(head) = head else { continue };
            let missing = wanted.saturating_sub(*given);
            let Some(ended) = self.ended_call(*source, head, missing) else {
                continue;
            };
            let name = self.head_text(*source, head, self.definition_of(*source, head));
            let symbol = ended.symbol;
            let mut finding = Diagnostic::new(
                code,
                ended.operator,
                format!(
                    "`{symbol}` ends the call of {name}, which takes {}",
                    count(*wanted, "arguments")
                ),
            )
            .help(format!(
                "an argument with an operator in it stands in parentheses: `(a {symbol} b)`"
            ));
            let is_suspended = |term: &TermId| {
                matches!(
                    item(self.db, *source).terms[*term].kind,
                    TermKind::Thunk { .. }
                )
            };
            // Whether the rest fits is not known.
            finding.undecided = !ended.rest.iter().all(is_suspended);
            self.settled
                .extend(self.problems_in(*source, ended.operation, problems));
            self.found
                .push(match self.in_parentheses(*source, ended.operands) {
                    Some(fix) => finding.fix(fix),
                    None => finding,
                });
        }
    }

    /// Whether a term is a suspended computation without ports.
    fn gives_suspended(&self, source: ItemSource, term: TermId) -> bool {
        let ty = self
            .inference
            .body(source)
            .and_then(|body| body.types.get(term).copied());
        ty.is_some_and(|ty| {
            matches!(self.inference.table.kind(ty), TyKind::Computation(given) if given.ports.is_empty())
        })
    }

    /// Finds `not x > y` and `put x + 1`: the operation should be the argument, and its operand is what the call
    /// gives.
    pub(super) fn ended_by_operators(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::Mismatch {
                source,
                term: Some(term),
                origin,
                ..
            } = problem
            else {
                continue;
            };
            let call = match origin {
                Expectation::Argument { call, .. } => *call,
                _ => *term,
            };
            if self.settled.contains(&problem.mark()) {
                continue;
            }
            if let Some((finding, operation)) = self.ended_by_plus(*source, call) {
                self.settled
                    .extend(self.problems_in(*source, operation, problems));
                self.found.push(finding);
                continue;
            }
            let Some(ended) = self.ended_by_operator(*source, call) else {
                continue;
            };
            // What the call gives may be run for a number.
            if self.gives_suspended(*source, call)
                && let Some(trial) = self.try_out(*source, call, Change::Force)
                && trial.solves(problem.mark())
            {
                continue;
            }
            let TermKind::Apply { head, .. } = &item(self.db, *source).terms[call].kind else {
                continue;
            };
            let name = self.head_text(*source, *head, self.definition_of(*source, *head));
            let symbol = ended.symbol;
            let finding = Diagnostic::new(
                Code::TypeMismatch,
                ended.operator,
                format!(
                    "`{symbol}` ends the call of {name}, so that its operand is what {name} gives, which is no \
                     number"
                ),
            )
            .help(format!(
                "an argument with an operator in it stands in parentheses: `(a {symbol} b)`"
            ));
            self.settled
                .extend(self.problems_in(*source, ended.operation, problems));
            self.found
                .push(match self.in_parentheses(*source, ended.operands) {
                    // Numbers may as well be meant to be computed with behind the call.
                    Some(fix) => finding.fix(Fix {
                        safe: is_comparison(item(self.db, *source), ended.operation),
                        ..fix
                    }),
                    None => finding,
                });
        }
    }

    /// Finds `queue f x :: b` and `put n :: ns`: the element and the list should be the last argument.
    pub(super) fn ended_by_cons(&mut self, problems: &[Problem]) {
        for problem in problems {
            let Problem::Mismatch {
                source,
                term: Some(last),
                expected,
                origin: Expectation::Argument { .. } | Expectation::Field { .. },
                ..
            } = problem
            else {
                continue;
            };
            let Some((call, cons)) = self.call_before_cons(*source, *last) else {
                continue;
            };
            let item = item(self.db, *source);
            let (
                TermKind::Apply { head, .. },
                TermKind::Binary {
                    operator_id, right, ..
                },
            ) = (&item.terms[call].kind, &item.terms[cons].kind)
            else {
                continue;
            };
            // Of the right kind it would be the whole that is meant.
            let inside = self.problems_in(*source, cons, problems);
            let is_settled = self.settled.contains(&problem.mark());
            if is_settled || inside.len() < 2 || !self.is_list(*expected) {
                continue;
            }
            let name = self.head_text(*source, *head, self.definition_of(*source, *head));
            let mut finding = Diagnostic::new(
                Code::TypeMismatch,
                Location::node(*source, *operator_id),
                format!("`::` ends the call of {name}, whose last argument is a list"),
            )
            .help("an argument with an operator in it stands in parentheses: `(x :: xs)`");
            let fix = self.in_parentheses(*source, [*last, *right]);
            finding.fixes.extend(fix);
            self.settled.extend(inside);
            self.found.push(finding);
        }
    }

    /// The call that a term is the last argument of, and the `::` behind it.
    fn call_before_cons(&self, source: ItemSource, last: TermId) -> Option<(TermId, TermId)> {
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        let (call, index) = surroundings.argument_of(item, last)?;
        let (TermKind::Apply { args, .. }, Parent::Term(cons)) =
            (&item.terms[call].kind, surroundings.parent(call)?)
        else {
            return None;
        };
        let is_left = matches!(
            &item.terms[cons].kind,
            TermKind::Binary { operator: BinaryOperator::Cons, left, .. } if *left == call
        );
        let is_last = index + 1 == args.len();
        // The text is looked at last: who has read it is asked again after each edit of a comment.
        (is_left && is_last && !self.is_parenthesised(source, call)).then_some((call, cons))
    }

    fn is_list(&self, ty: Ty) -> bool {
        matches!(self.inference.table.kind(ty), TyKind::Data(data, _) if *data == builtin::list(self.db))
    }

    /// Finds `node l y insert x r`: an argument that is a call lacks its parentheses.
    pub(super) fn unparenthesised_calls(&mut self, problems: &[Problem]) {
        for problem in problems {
            let (Problem::ConstructorArguments {
                source,
                node,
                wanted,
                given,
                pattern: false,
                ..
            }
            | Problem::ArgumentCount {
                source,
                node,
                wanted,
                given,
                ..
            }) = problem
            else {
                continue;
            };
            let Some(surplus) = given.checked_sub(*wanted).filter(|surplus| *surplus > 0) else {
                continue;
            };
            let item = item(self.db, *source);
            let extra = self.term_at(Location::node(*source, *node));
            let surroundings = self.surroundings(*source);
            let Some((call, _)) = extra.and_then(|extra| surroundings.argument_of(item, extra))
            else {
                continue;
            };
            let TermKind::Apply { head, args } = &item.terms[call].kind else {
                continue;
            };
            let inner: Vec<&[TermId]> = args
                .windows(surplus + 1)
                .enumerate()
                .filter(|(index, part)| {
                    part.first().is_some_and(|first| {
                        let named = &item.terms[*first];
                        // A constructor without its arguments is nothing that could be an argument.
                        bare_constructor(problems, *source, named.id) == Some(surplus)
                            || (matches!(named.kind, TermKind::Name(_))
                                && !self.is_hole(*source, *first)
                                && self.takes(*source, *first) == surplus
                                && !self.may_be_argument(*source, *head, *index, *first))
                    })
                })
                .map(|(_, part)| part)
                .collect();
            let [[first, .., last]] = inner[..] else {
                let code = match problem {
                    Problem::ArgumentCount { .. } => Code::WrongArgumentCount,
                    _ => Code::ConstructorArguments,
                };
                if let Some(finding) = self.several_calls(*source, call, *wanted, code) {
                    self.settled
                        .extend(self.problems_in(*source, call, problems));
                    self.found.push(finding);
                }
                continue;
            };
            let name = self.head_text(*source, *head, self.definition_of(*source, *head));
            let callee = self.head_text(*source, *first, self.definition_of(*source, *first));
            let (Some((from, _)), Some((to, _))) =
                (self.whole(*source, *first), self.whole(*source, *last))
            else {
                continue;
            };
            let (range, end) = (from.in_item(self.db), to.in_item(self.db).end());
            let text = source.text(self.db);
            let text = text.get(range.start().into()..end.into());
            let text =
                text.filter(|text| !text.contains('\n') && text.chars().count() <= LONGEST_QUOTE);
            let takes = count(*wanted, "arguments");
            let message = match (text, *wanted) {
                (Some(text), 1) => {
                    format!("{name} takes {takes}, which is `{text}`: it needs parentheses")
                }
                (Some(text), _) => {
                    format!(
                        "{name} takes {takes}, and `{text}` is one of them: it needs parentheses"
                    )
                }
                (None, _) => {
                    format!(
                        "{name} takes {takes}, and {callee} with what stands behind it is one of them"
                    )
                }
            };
            let finding = Diagnostic::new(
                match problem {
                    Problem::ArgumentCount { .. } => Code::WrongArgumentCount,
                    _ => Code::ConstructorArguments,
                },
                Location::range(*source, TextRange::new(range.start(), end)),
                message,
            );
            let rest = self.handled_behind(*source, call, *first, problems);
            let (finding, last) = match rest {
                Some((rest, performed)) => {
                    self.settled.extend(performed);
                    let help = format!(
                        "what {name} is to handle stands in the parentheses, all of the sequence: `({callee} …; …)`",
                        callee = callee.replace('`', "")
                    );
                    (finding.help(help), rest)
                }
                None => (
                    finding
                        .help("an argument that is a call itself stands in parentheses: `f (g x)`"),
                    *last,
                ),
            };
            let last = &last;
            let fix = self.in_parentheses(*source, [*first, *last]);
            self.settled
                .extend(self.problems_in(*source, call, problems));
            self.found.push(match fix {
                Some(fix) => finding.fix(fix),
                None => finding,
            });
        }
    }

    /// The finding about `node f l x f r`, whose arguments are `wanted` many if those that are calls have their
    /// parentheses.
    fn several_calls(
        &mut self,
        source: ItemSource,
        call: TermId,
        wanted: usize,
        code: Code,
    ) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let TermKind::Apply { head, args } = &item.terms[call].kind else {
            return None;
        };
        let mut calls: Vec<[TermId; 2]> = Vec::new();
        let (mut index, mut at) = (0, 0);
        while let Some(first) = args.get(at) {
            let takes = match item.terms[*first].kind {
                TermKind::Name(_)
                    if !self.is_hole(source, *first)
                        && !self.may_be_argument(source, *head, index, *first) =>
                {
                    self.takes(source, *first)
                }
                _ => 0,
            };
            if takes > 0 {
                let inner = args.get(at + 1..=at + takes)?;
                // An operator is hardly an argument of such a call.
                let mut inner = inner.iter().enumerate();
                if inner.any(|(index, arg)| {
                    self.takes(source, *arg) > 0
                        && !self.may_be_argument(source, *first, index, *arg)
                }) {
                    return None;
                }
                calls.push([*first, *args.get(at + takes)?]);
            }
            index += 1;
            at += takes + 1;
        }
        if index != wanted || calls.len() < 2 {
            return None;
        }
        let (mut shown, mut edits) = (Vec::new(), Vec::new());
        let mut whole: Option<TextRange> = None;
        let source_text = source.text(self.db);
        for [first, last] in &calls {
            let (from, _) = self.whole(source, *first)?;
            let (to, _) = self.whole(source, *last)?;
            let range = from.in_item(self.db).cover(to.in_item(self.db));
            let text = source_text.get(range.start().into()..range.end().into())?;
            if text.chars().count() > LONGEST_QUOTE {
                return None;
            }
            shown.push(format!("`({text})`"));
            edits.extend(self.in_parentheses(source, [*first, *last])?.edits);
            whole = Some(whole.map_or(range, |before| before.cover(range)));
        }
        let whole = whole?;
        // On the next line a `;` may be missing.
        let text = source_text.get(whole.start().into()..whole.end().into())?;
        if text.contains('\n') {
            return None;
        }
        let name = self.head_text(source, *head, self.definition_of(source, *head));
        let finding = Diagnostic::new(
            code,
            Location::range(source, whole),
            format!(
                "{name} takes {}, and those that are calls themselves need parentheses",
                count(wanted, "arguments")
            ),
        );
        let written = listed(&shown, MOST_SHOWN);
        Some(finding.help(format!("write {written}")).fix(Fix {
            title: "put parentheses around the arguments that are calls".to_owned(),
            edits,
            safe: false,
        }))
    }

    /// The rest of a sequence that begins with a call, if the call would handle what that performs in the
    /// argument that begins at a term, and the problems about it.
    fn handled_behind(
        &self,
        source: ItemSource,
        call: TermId,
        first: TermId,
        problems: &[Problem],
    ) -> Option<(TermId, Vec<Mark>)> {
        let item = item(self.db, source);
        let Parent::Term(sequence) = self.surroundings(source).parent(call)? else {
            return None;
        };
        let TermKind::Sequence { first: own, second } = &item.terms[sequence].kind else {
            return None;
        };
        let TermKind::Apply { head, args } = &item.terms[call].kind else {
            return None;
        };
        let index = args.iter().position(|arg| *arg == first)?;
        let ty = self.inference.body(source)?.types.get(*head)?;
        let TyKind::Computation(function) = self.inference.table.kind(*ty) else {
            return None;
        };
        let port = function.ports.get(index)?;
        let behind = self.problems_in(source, *second, problems);
        let performed = problems.iter().filter(|problem| {
            behind.contains(&problem.mark())
                && self
                    .missing_interface(problem)
                    .is_some_and(|missing| port.added().any(|one| one.interface == missing))
        });
        let performed: Vec<Mark> = performed.map(Problem::mark).collect();
        (*own == call && !performed.is_empty()).then_some((*second, performed))
    }

    /// The finding about `print "n = " + showInt n`, and the addition.
    fn ended_by_plus(&self, source: ItemSource, call: TermId) -> Option<(Diagnostic, TermId)> {
        let terms = &item(self.db, source).terms;
        let TermKind::Apply { head, args } = &terms[call].kind else {
            return None;
        };
        let last = *args.last()?;
        let Some(Parent::Term(operation)) = self.surroundings(source).parent(call) else {
            return None;
        };
        let TermKind::Binary {
            operator: BinaryOperator::Add,
            operator_id,
            left,
            right,
        } = &terms[operation].kind
        else {
            return None;
        };
        let body = self.inference.body(source)?;
        let is_string = |term: TermId| {
            let ty = body.types.get(term);
            matches!(terms[term].kind, TermKind::String(_))
                || ty.is_some_and(|ty| self.is_string(*ty))
        };
        let gives = body
            .types
            .get(*head)
            .map(|ty| self.inference.table.kind(*ty));
        let gives_string =
            matches!(gives, Some(TyKind::Computation(own)) if self.is_string(own.result));
        if *left != call || gives_string || !is_string(last) || self.is_parenthesised(source, call)
        {
            return None;
        }
        let name = self.head_text(source, *head, self.definition_of(source, *head));
        let finding = Diagnostic::new(
            Code::NotANumber,
            Location::node(source, *operator_id),
            format!("`+` adds numbers, and ends the call of {name}"),
        );
        let (_, first) = self.whole(source, last)?;
        let (_, second) = self.whole(source, *right)?;
        let is_word =
            is_atomic(item(self.db, source), *right) || self.is_parenthesised(source, *right);
        let second = if is_word {
            second
        } else {
            format!("({second})")
        };
        let text = format!("(append {first} {second})");
        let finding = finding.help(format!(
            "the prelude's `append` puts strings together: `{text}`"
        ));
        let known = resolve_term(self.db, self.scope, Symbol::new("append"));
        let (start, _) = self.whole(source, last)?;
        let (end, _) = self.whole(source, *right)?;
        let range = start.in_item(self.db).cover(end.in_item(self.db));
        Some(match known {
            Some(TermDef::Operator(_)) => {
                let title = format!("write `{text}`");
                let fix = fixes::replace(Location::range(source, range), &text, title);
                (finding.fix(fix), operation)
            }
            _ => (finding, operation),
        })
    }

    /// The operation whose left side begins with a call that gives no number, and that could take the
    /// operation: a comparison where it takes a truth value, arithmetic where it takes a number.
    fn ended_by_operator(&self, source: ItemSource, call: TermId) -> Option<EndedCall> {
        let terms = &item(self.db, source).terms;
        let TermKind::Apply { head, args } = &terms[call].kind else {
            return None;
        };
        let last = *args.last()?;
        let body = self.inference.body(source)?;
        let table = &self.inference.table;
        let TyKind::Computation(function) = table.kind(*body.types.get(*head)?) else {
            return None;
        };
        let truth = TyKind::Data(truth_values(self.db, self.scope).data, [].into());
        let takes = function.ports.get(args.len().checked_sub(1)?)?;
        let takes_truth = table.kind(takes.ty) == &truth;
        let gives_number = self.is_number(function.result) || self.is_unknown(function.result);
        if gives_number || !(takes_truth || self.is_number(takes.ty)) {
            return None;
        }
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        let mut left_part = call;
        let mut ended: Option<EndedCall> = None;
        for operation in surroundings.ancestors(call) {
            let TermKind::Binary {
                operator,
                operator_id,
                left,
                right,
            } = &terms[operation].kind
            else {
                break;
            };
            let is_left = *left == left_part && !self.is_parenthesised(source, left_part);
            if !is_left || !is_arithmetic(item, operation) {
                break;
            }
            match (is_comparison(item, operation), &mut ended) {
                (false, Some(ended)) => {
                    ended.operation = operation;
                    ended.operands = [last, *right];
                }
                (is_truth, None) if is_truth == takes_truth => {
                    ended = Some(EndedCall {
                        operation,
                        operator: Location::node(source, *operator_id),
                        symbol: operator.symbol(),
                        operands: [last, *right],
                        rest: Vec::new(),
                    });
                }
                (false, None) => {}
                (true, _) => break,
            }
            left_part = operation;
        }
        ended
    }

    fn ended_call(&self, source: ItemSource, head: TermId, missing: usize) -> Option<EndedCall> {
        if missing == 0 {
            return None;
        }
        let terms = &item(self.db, source).terms;
        let surroundings = self.surroundings(source);
        let parent = |term| match surroundings.parent(term)? {
            Parent::Term(parent) => Some(parent),
            Parent::Clause { .. } => None,
        };
        let call = parent(head)?;
        let TermKind::Apply { args: given, .. } = &terms[call].kind else {
            return None;
        };
        let mut operation = parent(call)?;
        let mut left_part = call;
        // In `if x + 1 > y {a} {b}` the rest is behind the second operator.
        loop {
            let TermKind::Binary {
                operator,
                operator_id,
                left,
                right,
            } = &terms[operation].kind
            else {
                return None;
            };
            if *left != left_part || self.is_parenthesised(source, left_part) {
                return None;
            }
            match &terms[*right].kind {
                TermKind::Apply {
                    head: operand,
                    args: rest,
                } if rest.len() >= missing
                    && !self.is_parenthesised(source, *right)
                    && !self.takes_arguments(source, *operand) =>
                {
                    // In `if f x < n {a} {b}` the argument before the operator is a call of its own.
                    let own = rest.len() - missing;
                    let first = *given.get(given.len().checked_sub(own + 1)?)?;
                    if own > 0 && self.takes(source, first) != own {
                        return None;
                    }
                    return Some(EndedCall {
                        operation,
                        operator: Location::node(source, *operator_id),
                        symbol: operator.symbol(),
                        operands: [first, *operand],
                        rest: rest.clone(),
                    });
                }
                _ => (left_part, operation) = (operation, parent(operation)?),
            }
        }
    }

    /// Whether a term is a function: with arguments behind it, it is called.
    fn takes_arguments(&self, source: ItemSource, term: TermId) -> bool {
        self.takes(source, term) > 0
    }

    /// Whether a function may be meant as the argument of a call at a position, as `map` takes one.
    fn may_be_argument(
        &mut self,
        source: ItemSource,
        head: TermId,
        index: usize,
        function: TermId,
    ) -> bool {
        let Some(body) = self.inference.body(source) else {
            return true;
        };
        // Where any value may stand, a function does seldom.
        if self.takes_anything(source, head, index) {
            return false;
        }
        let (called, own) = (body.types.get(head), body.types.get(function));
        let port = called.and_then(|ty| match self.inference.table.kind(*ty) {
            TyKind::Computation(computation) => Some(computation.ports.get(index)?.ty),
            _ => None,
        });
        match (port, own.copied()) {
            (Some(port), Some(own)) => self.agree(port, own),
            // Of a constructor the fields are declared.
            _ => match self.definition_of(source, head) {
                Some(TermDef::Constructor(constructor)) => {
                    holds_computation(self.db, constructor, index)
                }
                _ => true,
            },
        }
    }

    /// Whether the signature of the operator that is called has a type variable at a position.
    fn takes_anything(&self, source: ItemSource, head: TermId, index: usize) -> bool {
        let Some(TermDef::Operator(operator)) = self.definition_of(source, head) else {
            return false;
        };
        let Definition { scope, name } = operator.0;
        let declared = signature(self.db, scope, name).as_ref();
        declared.is_some_and(|declared| {
            let port = declared.computation.ports.get(index);
            port.is_some_and(|port| matches!(declared.types.kind(port.ty), TyKind::Variable(_)))
        })
    }

    /// How many arguments a term takes.
    fn takes(&self, source: ItemSource, term: TermId) -> usize {
        let body = self.inference.body(source);
        let ty = body.and_then(|body| body.types.get(term));
        ty.map_or(0, |ty| match self.inference.table.kind(*ty) {
            TyKind::Computation(computation) => computation.ports.len(),
            _ => 0,
        })
    }

    /// The problems in a term, and those about it.
    pub(super) fn problems_in(
        &self,
        source: ItemSource,
        term: TermId,
        problems: &[Problem],
    ) -> Vec<Mark> {
        let whole = Location::node(source, item(self.db, source).terms[term].id).in_item(self.db);
        let inside = problems
            .iter()
            .filter(|problem| {
                let at = place(self.db, problem);
                at.item == source && whole.contains_range(at.in_item(self.db))
            })
            .map(Problem::mark);
        inside.collect()
    }

    /// Puts parentheses around what reaches from one term to another.
    pub(super) fn in_parentheses(
        &self,
        source: ItemSource,
        [first, last]: [TermId; 2],
    ) -> Option<Fix> {
        let edit = |term, position, text: &str| {
            let (location, _) = self.whole(source, term)?;
            Some(Edit {
                location,
                position,
                text: text.to_owned(),
            })
        };
        Some(Fix {
            title: "put parentheses around the argument".to_owned(),
            edits: vec![
                edit(first, Position::Before, "(")?,
                edit(last, Position::After, ")")?,
            ],
            safe: false,
        })
    }
}

/// Whether a constructor's argument is a computation.
fn holds_computation(db: &dyn Db, constructor: ConstructorDef, index: usize) -> bool {
    let data = constructor.data.0;
    let declared = data_type(db, data.scope, data.name).as_ref();
    declared.is_none_or(|declared| {
        let fields = declared.constructors.get(constructor.index as usize);
        let field = fields.and_then(|one| one.fields.get(index));
        field.is_some_and(|field| matches!(declared.types.kind(*field), TyKind::Computation(_)))
    })
}

/// How many arguments a constructor takes that stands at a node without any.
fn bare_constructor(problems: &[Problem], at: ItemSource, place: NodeId) -> Option<usize> {
    problems.iter().find_map(|problem| match problem {
        Problem::ConstructorArguments {
            source,
            node,
            wanted,
            given: 0,
            pattern: false,
            ..
        } if (*source, *node) == (at, place) => Some(*wanted),
        _ => None,
    })
}
