//! What the layout of a line shows: a `;` that is missing at its end, and a `-` that belongs to a number.

use frank_syntax::ast::{BinaryOperator, TermId, TermKind};
use frank_syntax::lexer::lex;
use text_size::{TextRange, TextSize};

use super::Reporter;
use super::mismatch::Mismatch;
use crate::db::{ItemSource, item, parsed};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::problem::Expectation;
use crate::surroundings::Parent;
use crate::types::TyKind;

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

    /// `f -1` and `f -x`, where `f (-1)` is meant: the function is the first operand of a `-` that touches what
    /// comes behind it.
    pub(super) fn negative_argument(&self, mismatch: &Mismatch<'_>) -> Option<Diagnostic> {
        let Expectation::Operand { operation } = mismatch.origin else {
            return None;
        };
        let TyKind::Computation(function) = self.inference.table.kind(mismatch.found) else {
            return None;
        };
        let item = item(self.db, mismatch.source);
        let TermKind::Binary {
            operator: BinaryOperator::Subtract,
            operator_id,
            left,
            right,
        } = item.terms[operation].kind
        else {
            return None;
        };
        let is_number = matches!(
            item.terms[right].kind,
            TermKind::Natural(_) | TermKind::Float(_)
        );
        let is_name = matches!(item.terms[right].kind, TermKind::Name(_));
        let map = &parsed(self.db, mismatch.source).source_map;
        let (minus, number) = (map.range(operator_id), map.range(item.terms[right].id));
        let before = mismatch.source.text(self.db).get(..minus.start().into());
        let is_apart = before.is_some_and(|before| before.ends_with(char::is_whitespace));
        let is_meant = (is_number || (is_name && is_apart)) && minus.end() == number.start();
        if function.ports.is_empty() || mismatch.term != Some(left) || !is_meant {
            return None;
        }
        let at = Location::range(mismatch.source, TextRange::new(minus.start(), number.end()));
        let text = source_text(self, mismatch.source, minus.start(), number.end());
        Some(
            Diagnostic::new(
                Code::NotANumber,
                at,
                "a negative argument needs parentheses",
            )
            .help(format!("write `({text})`; without them `-` subtracts"))
            .fix(fixes::around(at, "(", ")", "put parentheses around it")),
        )
    }
}

/// A call has too many arguments, or what takes none has some.
fn code_of(surplus: usize) -> Code {
    match surplus {
        0 => Code::NotAFunction,
        _ => Code::WrongArgumentCount,
    }
}

fn source_text(
    reporter: &Reporter<'_>,
    source: ItemSource,
    start: TextSize,
    end: TextSize,
) -> String {
    let text = source.text(reporter.db);
    text.get(start.into()..end.into())
        .unwrap_or_default()
        .to_owned()
}
