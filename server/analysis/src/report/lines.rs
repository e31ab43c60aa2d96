//! What the layout of a line shows: a `;` that is missing at its end, and a `-` that belongs to a number.

use frank_syntax::ast::{BinaryOperator, TermId, TermKind};
use frank_syntax::lexer::lex;
use text_size::{TextRange, TextSize};

use super::Reporter;
use crate::db::{ItemSource, item, parsed};
use crate::declarations::constructor_arity;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::problem::{Expectation, Problem};
use crate::program::TermDef;
use crate::surroundings::Parent;
use crate::types::{Ty, TyKind};

impl Reporter<'_> {
    /// The finding about a call whose arguments from the position `surplus` on are too many, if these
    /// begin a line: a `;` is missing before them.
    pub(super) fn missing_semicolon(
        &self,
        source: ItemSource,
        head: TermId,
        surplus: usize,
    ) -> Option<Diagnostic> {
        let parent = self.surroundings(source).parent(head);
        let Some(Parent::Term(call)) = parent else {
            return None;
        };
        let item = item(self.db, source);
        let TermKind::Apply { args, .. } = &item.terms[call].kind else {
            return None;
        };
        let map = &parsed(self.db, source).source_map;
        let first = map.range(item.terms[*args.get(surplus)?].id).start();
        let last = self.end_of_line_before(source, first)?;
        let at = Location::range(source, last);
        let semicolon = Edit {
            location: at,
            position: Position::After,
            text: ";".to_owned(),
        };
        let problem = Diagnostic::new(
            code_of(surplus),
            at,
            "a `;` is missing at the end of this line",
        );
        Some(
            problem
                .help("without it the next line's terms are arguments of this one")
                .fix(Fix {
                    title: "write `;`".to_owned(),
                    edits: vec![semicolon],
                    safe: true,
                }),
        )
    }

    /// The last token of the line before `at`, if only parentheses stand between its end and `at`.
    fn end_of_line_before(&self, source: ItemSource, at: TextSize) -> Option<TextRange> {
        let text = source.text(self.db);
        let before = text.get(..at.into())?;
        let tokens: Vec<_> = lex(before).filter(|(kind, _)| !kind.is_trivia()).collect();
        let mut tokens = tokens.iter().rev();
        let mut next = before.len();
        let range = loop {
            let (_, range) = tokens.next()?;
            let between = before.get(range.end..next)?;
            if between.contains('\n') {
                break range;
            }
            if before.get(range.clone()) != Some("(") {
                return None;
            }
            next = range.start;
        };
        let size = |at: usize| TextSize::try_from(at).ok();
        Some(TextRange::new(size(range.start)?, size(range.end)?))
    }

    /// Finds `f -1`, `f x -1` and `f -x y`, where `f (-1)` and so on is meant: the left operand of a `-` that touches
    /// what comes behind it lacks arguments. All that is wrong in the operation follows from that.
    pub(super) fn negative_arguments(&mut self, problems: &[Problem]) {
        for problem in problems {
            let term = match problem {
                Problem::ArgumentCount { head, .. } | Problem::NotAFunction { head, .. } => *head,
                Problem::ConstructorArguments {
                    source,
                    node,
                    pattern: false,
                    ..
                } => match self.term_at(Location::node(*source, *node)) {
                    Some(term) => term,
                    None => continue,
                },
                Problem::Mismatch {
                    term: Some(term),
                    origin: Expectation::Operand { .. },
                    ..
                } => *term,
                _ => continue,
            };
            let source = problem.source();
            if self.settled.contains(&problem.mark()) {
                continue;
            }
            let surroundings = self.surroundings(source);
            let mut around = surroundings.ancestors(term);
            let negative = around.find_map(|operation| {
                let finding = self.negative_argument(source, operation)?;
                Some((operation, finding))
            });
            if let Some((operation, finding)) = negative {
                self.settled
                    .extend(self.problems_in(source, operation, problems));
                self.found.push(finding);
            }
        }
    }

    /// The finding about a subtraction whose right operand is meant as a negative argument of what stands on its left.
    fn negative_argument(&self, source: ItemSource, operation: TermId) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let TermKind::Binary {
            operator: BinaryOperator::Subtract,
            operator_id,
            left,
            right,
        } = item.terms[operation].kind
        else {
            return None;
        };
        // In `f -x * 2` what is behind the sign is an operand of what is subtracted.
        let mut behind = right;
        while let TermKind::Binary { left, .. } = item.terms[behind].kind {
            behind = left;
        }
        let argument = match &item.terms[behind].kind {
            TermKind::Apply { head, .. } => *head,
            _ => behind,
        };
        let is_number = matches!(
            item.terms[argument].kind,
            TermKind::Natural(_) | TermKind::Float(_)
        );
        let is_name = matches!(item.terms[argument].kind, TermKind::Name(_));
        // In `2 * f -1` what is before the sign is an operand of what is subtracted from.
        let mut before = left;
        while let TermKind::Binary { right, .. } = item.terms[before].kind {
            before = right;
        }
        let (function, given) = match &item.terms[before].kind {
            TermKind::Apply { head, args } => (*head, args.len()),
            _ => (before, 0),
        };
        let ports = match self.definition_of(source, function) {
            Some(TermDef::Constructor(constructor)) => constructor_arity(self.db, constructor)?,
            _ => match self.inference.table.kind(self.type_of(source, function)?) {
                TyKind::Computation(computation) => computation.ports.len(),
                _ => return None,
            },
        };
        let missing = ports.checked_sub(given)?;
        let map = &parsed(self.db, source).source_map;
        let (minus, operand) = (map.range(operator_id), map.range(item.terms[argument].id));
        let text = source.text(self.db);
        let before = text.get(..minus.start().into())?;
        let is_apart = before.ends_with(char::is_whitespace);
        let touches = minus.end() == operand.start();
        let is_sign = touches && (is_apart && is_name || is_number && (is_apart || given == 0));
        // Formatted, the sign stands apart from its number.
        let is_meant = is_sign && missing > 0 || is_number && is_apart && missing == 1;
        let range = TextRange::new(minus.start(), operand.end());
        let written = format!("(-{})", text.get(std::ops::Range::<usize>::from(operand))?);
        is_meant.then(|| {
            let at = Location::range(source, range);
            let message = "a negative argument needs parentheses";
            Diagnostic::new(Code::NotANumber, at, message)
                .help(format!("write `{written}`; without them `-` subtracts"))
                .fix(Fix {
                    safe: is_sign,
                    ..fixes::replace(at, &written, format!("write `{written}`"))
                })
        })
    }

    fn type_of(&self, source: ItemSource, term: TermId) -> Option<Ty> {
        let body = self.inference.body(source)?;
        body.types.get(term).copied()
    }
}

/// A call has too many arguments, or what takes none has some.
fn code_of(surplus: usize) -> Code {
    match surplus {
        0 => Code::NotAFunction,
        _ => Code::WrongArgumentCount,
    }
}
