//! What the layout of a line shows: a `;` that is missing at its end, a comma that is missing between two elements, and
//! a `-` that belongs to a number.

use frank_syntax::ast::{BinaryOperator, NodeId, TermId, TermKind};
use frank_syntax::lexer::lex;
use text_size::{TextRange, TextSize};

use super::Reporter;
use crate::db::{ItemSource, item, parsed};
use crate::declarations::constructor_arity;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::problem::{Expectation, Mark, Problem};
use crate::program::{TermDef, resolve_term};
use crate::surroundings::Parent;
use crate::types::{Ty, TyKind};

impl Reporter<'_> {
    /// The finding about a call whose arguments from the position `surplus` on are too many, if a comma or a `;` is
    /// missing before these.
    pub(super) fn missing_between(
        &mut self,
        source: ItemSource,
        head: TermId,
        surplus: usize,
    ) -> Option<Diagnostic> {
        let comma = self.missing_comma(source, head, surplus);
        comma.or_else(|| self.missing_semicolon(source, head, surplus))
    }

    /// The name of a constructor that is called with the argument at a place, or that stands there.
    pub(super) fn called_constructor(
        &self,
        source: ItemSource,
        node: NodeId,
        pattern: bool,
    ) -> Option<TermId> {
        let term = self
            .term_at(Location::node(source, node))
            .filter(|_| !pattern)?;
        let Some(Parent::Term(call)) = self.surroundings(source).parent(term) else {
            return None;
        };
        match &item(self.db, source).terms[call].kind {
            TermKind::Apply { head, .. } => Some(*head),
            _ => None,
        }
    }

    /// The finding about a call whose arguments from the position `surplus` on are too many, if these
    /// begin a line: a `;` is missing before them.
    fn missing_semicolon(
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

    /// The finding about a call in a list whose arguments from the position `surplus` on are too many, if these
    /// are meant as elements: they begin a line, or are of the type of what the call gives.
    fn missing_comma(
        &mut self,
        source: ItemSource,
        head: TermId,
        surplus: usize,
    ) -> Option<Diagnostic> {
        let surroundings = self.surroundings(source);
        let call = match surroundings.parent(head)? {
            Parent::Term(call) => call,
            Parent::Clause { .. } => return None,
        };
        let item = item(self.db, source);
        let TermKind::Apply { args, .. } = &item.terms[call].kind else {
            return None;
        };
        let is_element = match surroundings.parent(call)? {
            Parent::Term(list) => matches!(item.terms[list].kind, TermKind::List(_)),
            Parent::Clause { .. } => false,
        };
        let first = *args.get(surplus)?;
        let before = match surplus.checked_sub(1) {
            Some(last) => *args.get(last)?,
            None => head,
        };
        let (before, _) = self.whole(source, before)?;
        let (behind, _) = self.whole(source, first)?;
        let text = source.text(self.db);
        let (end, start) = (
            before.in_item(self.db).end(),
            behind.in_item(self.db).start(),
        );
        let between = text.get(std::ops::Range::<usize>::from(TextRange::new(end, start)))?;
        if !is_element || !(between.contains('\n') || self.gives_same(source, head, first)) {
            return None;
        }
        // What is wrong with the elements that it hides is seen then.
        self.settled
            .extend(self.ill_counted(source, args.get(surplus..)?));
        let at = Location::range(source, behind.in_item(self.db));
        Some(
            Diagnostic::new(
                code_of(surplus),
                at,
                "a `,` is missing before this element of the list",
            )
            .help("without it what stands here is an argument of the element before")
            .fix(Fix {
                title: "write `,`".to_owned(),
                edits: vec![Edit {
                    location: before,
                    position: Position::After,
                    text: ",".to_owned(),
                }],
                safe: false,
            }),
        )
    }

    /// Whether a term is a value of the data that a constructor makes, or as a literal of a literal's kind.
    fn gives_same(&self, source: ItemSource, head: TermId, other: TermId) -> bool {
        let item = item(self.db, source);
        let constructor = |term| match self.definition_of(source, term) {
            Some(TermDef::Constructor(constructor)) => Some(constructor.data),
            _ => match &item.terms[term].kind {
                TermKind::Name(name) => match resolve_term(self.db, self.scope, name.symbol) {
                    Some(TermDef::Constructor(constructor)) => Some(constructor.data),
                    _ => None,
                },
                _ => None,
            },
        };
        let (one, two) = (&item.terms[head].kind, &item.terms[other].kind);
        let is_literal = matches!(
            one,
            TermKind::List(_) | TermKind::Natural(_) | TermKind::Float(_) | TermKind::String(_)
        );
        let of_one_kind = std::mem::discriminant(one) == std::mem::discriminant(two);
        is_literal && of_one_kind
            || constructor(head).is_some_and(|data| constructor(other) == Some(data))
    }

    /// The marks of constructors among arguments that lack their own.
    fn ill_counted(&self, source: ItemSource, args: &[TermId]) -> Vec<Mark> {
        let item = item(self.db, source);
        let at = |term: &TermId| item.terms[*term].id;
        let nodes: Vec<NodeId> = args.iter().map(at).collect();
        let is_it = |mark: &&Mark| mark.0 == source && nodes.contains(&mark.1);
        self.base.iter().filter(is_it).copied().collect()
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

    pub(super) fn type_of(&self, source: ItemSource, term: TermId) -> Option<Ty> {
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
