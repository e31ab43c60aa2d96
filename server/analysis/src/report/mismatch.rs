//! Terms and patterns of another type than their place needs.

use frank_syntax::ast::{BinaryOperator, Item, ItemKind, PatternKind, TermId, TermKind};

use super::ability::lacking;
use super::adaptor::Adapted;
use super::places::{port_node, signature_item};
use super::words::{article, count, listed, ordinal, variables};
use super::{LONGEST_QUOTE, Reporter};
use crate::builtin;
use crate::db::{ItemSource, item};
use crate::declarations::data_type;
use crate::diagnostics::{Code, Diagnostic, Fix, Location};
use crate::fixes;
use crate::infer::hypothesis::Change;
use crate::infer::problem::{Expectation, Mark};
use crate::infer::table::{Clash, Decided};
use crate::infer::{Resolved, ResolvedPattern};
use crate::program::{OperatorDef, TermDef};
use crate::scopes::LocalKind;
use crate::show::Show;
use crate::surroundings::{is_arithmetic, is_comparison};
use crate::types::{Ability, Arg, Computation, Ty, TyKind};

/// So many constructors at most are named in a message.
const MOST_CONSTRUCTORS: usize = 6;

/// A mismatch, taken apart.
#[derive(Clone, Copy)]
pub struct Mismatch<'a> {
    pub mark: Mark,
    pub at: Location,
    pub source: ItemSource,
    /// The term at fault; `None` for a pattern.
    pub term: Option<TermId>,
    pub expected: Ty,
    pub found: Ty,
    pub clash: &'a Clash,
    pub decided: Decided,
    pub origin: Expectation,
    pub ambient: Ability,
}

impl Reporter<'_> {
    /// The message for a mismatch.
    pub(super) fn mismatch(&mut self, mismatch: Mismatch<'_>) -> Diagnostic {
        let Mismatch {
            at,
            source,
            expected,
            found,
            origin,
            ..
        } = mismatch;
        let (types, ambient) = ((expected, found), mismatch.ambient);
        let is_infinite = matches!(
            mismatch.clash,
            Clash::Infinite { .. } | Clash::InfiniteAbility { .. }
        );
        if is_infinite {
            // A number of an outer derivative is one of itself's derivative here.
            let lift = mismatch
                .term
                .and_then(|term| self.missing_lift(at, source, term, types, ambient, origin));
            return lift.unwrap_or_else(|| {
                // Its types have names of their own, which no other sentence knows.
                self.infinite(mismatch)
            });
        }
        let Some(term) = mismatch.term else {
            return self.pattern_mismatch(mismatch);
        };
        if let Some(problem) = self.given_back(mismatch, term) {
            return problem;
        }
        if let Some(problem) = self.unresumed(mismatch, term) {
            return problem;
        }
        if let Some(problem) = self.forgotten_force(mismatch, term) {
            if let Some(bound) = self.unforced_let(mismatch, term) {
                return bound;
            }
            if let Some(before) = self.given_back_before(mismatch, term) {
                return before;
            }
            let mut problem = problem;
            problem.rests_on.extend(self.giving_values(source, term));
            return self.origin(problem, source, origin, expected);
        }
        if let Some(problem) = self.needless_call(mismatch, term) {
            return problem;
        }
        if let Some(problem) = self.arithmetic_on_variable(mismatch, term) {
            return problem;
        }
        let lift = self.missing_lift(at, source, term, types, ambient, origin);
        // Several values that are out of place in one call are a sign that the call is.
        if let Some(adapted) =
            self.other_instance(mismatch.mark, source, term, mismatch.clash, lift.is_some())
        {
            let problem = self.uses_another_instance(mismatch, term, &adapted);
            return self.origin(problem, source, origin, expected);
        }
        if let Some(problem) = lift {
            return problem;
        }
        if let Clash::Abilities(needed, given) = mismatch.clash {
            let table = &self.inference.table;
            let extra = lacking(&table.row(*given), &table.row(*needed)).map(|one| one.interface);
            let other =
                extra.and_then(|extra| self.another_around(mismatch.mark, source, term, extra));
            if let Some(problem) = other {
                return problem;
            }
            if let Some(problem) = self.handed_on_without(mismatch, (*needed, *given), term) {
                return self.origin(problem, source, origin, expected);
            }
        }
        if let Some(problem) = self.monomorphic_let(mismatch, term) {
            return problem;
        }
        let mut problem = self.plain_mismatch(mismatch);
        if let (Expectation::Argument { call, index }, TyKind::Computation(_)) =
            (origin, self.inference.table.kind(found))
            && !matches!(self.inference.table.kind(expected), TyKind::Computation(_))
            && let TermKind::Apply { head, .. } = &item(self.db, source).terms[call].kind
            && let Some(definition) = self.definition_of(source, *head)
        {
            problem.rests_on.extend(self.applying(definition, index));
        }
        problem
            .rests_on_signatures
            .extend(self.signatures_of(source, term, origin));
        let problem = self.what_to_do(problem, mismatch, term);
        let problem = self.converted(problem, mismatch, term);
        let problem = self.named_as_pattern(problem, mismatch);
        let problem = self.lists_in_map(problem, mismatch);
        let problem = self.made_by_a_call(problem, mismatch, term);
        let problem = self.origin(problem, source, origin, expected);
        self.reasons(problem, mismatch)
    }

    /// The operators whose signatures say what a term is, and what its place needs.
    fn signatures_of(
        &self,
        source: ItemSource,
        term: TermId,
        origin: Expectation,
    ) -> Vec<OperatorDef> {
        let item = item(self.db, source);
        let call = match origin {
            Expectation::Argument { call, .. } => match &item.terms[call].kind {
                TermKind::Apply { head, .. } => Some(*head),
                _ => None,
            },
            _ => None,
        };
        let own = match &item.terms[term].kind {
            TermKind::Apply { head, .. } => *head,
            _ => term,
        };
        let heads = [Some(own), call].into_iter().flatten();
        let named = heads.filter_map(|head| match self.definition_of(source, head) {
            Some(TermDef::Operator(operator)) => Some(operator),
            _ => None,
        });
        named
            .filter(|operator| Some(*operator) != self.operator)
            .collect()
    }

    /// The message for a use whose type fits under an adaptor.
    fn uses_another_instance(
        &mut self,
        mismatch: Mismatch<'_>,
        term: TermId,
        adapted: &Adapted,
    ) -> Diagnostic {
        let Mismatch {
            at,
            source,
            expected,
            found,
            ..
        } = mismatch;
        let (wanted, given) = self.two(expected, found);
        let why = format!("this has type `{given}`, but `{wanted}` is needed");
        let ambient = self
            .inference
            .body(source)
            .and_then(|b| b.ambient.get(adapted.term));
        let ambient = ambient.copied().unwrap_or(mismatch.ambient);
        let verb = if adapted.term == term {
            "fits"
        } else {
            "takes it"
        };
        self.adapted_message(at, source, adapted, ambient, (&why, verb))
    }

    /// Two types that differ, as text.
    pub(super) fn two(&self, expected: Ty, found: Ty) -> (String, String) {
        self.show().difference(expected, found)
    }

    fn infinite(&self, mismatch: Mismatch<'_>) -> Diagnostic {
        let names = self.named_metas(&[mismatch.expected, mismatch.found]);
        let show = Show {
            metas: Some(&names),
            ..self.show()
        };
        let (wanted, given) = show.difference(mismatch.expected, mismatch.found);
        let what = match mismatch.clash {
            Clash::Infinite { variable, within } => format!(
                "this would need a type that contains itself: `{}` = `{}`",
                show.ty(*variable),
                show.ty(*within)
            ),
            _ => "this would need an ability that contains itself".to_owned(),
        };
        Diagnostic::new(Code::InfiniteType, mismatch.at, what)
            .help(format!("it has type `{given}`, and `{wanted}` is needed"))
            .help(
                "often an argument is missing or one too many, or a value is applied to itself; \
                 a data type of your own can contain itself",
            )
    }

    /// The type of a name as the signature of the operator that it names says it.
    fn as_written(&self, source: ItemSource, term: TermId) -> Option<String> {
        let Some(TermDef::Operator(operator)) = self.definition_of(source, term) else {
            return None;
        };
        let (place, signature) = signature_item(self.db, operator)?;
        let ItemKind::Signature { ty, .. } = &signature.kind else {
            return None;
        };
        let range = Location::node(place, ty.id).in_item(self.db);
        let text = place.text(self.db);
        let text = text.get(std::ops::Range::<usize>::from(range))?;
        let is_short = !text.contains('\n') && text.chars().count() <= LONGEST_QUOTE;
        is_short.then(|| match text.starts_with('{') && ty.ports.is_empty() {
            true => text.to_owned(),
            false => format!("{{{text}}}"),
        })
    }

    fn plain_mismatch(&self, mismatch: Mismatch<'_>) -> Diagnostic {
        let Mismatch {
            at,
            expected,
            found,
            clash,
            origin,
            ..
        } = mismatch;
        let (wanted, given) = self.two(expected, found);
        let given = match mismatch.term {
            Some(term) if given.contains('_') => {
                self.as_written(mismatch.source, term).unwrap_or(given)
            }
            _ => given,
        };
        let problem = match clash {
            Clash::NotANumber(not) if matches!(origin, Expectation::Operand { .. }) => {
                Diagnostic::new(
                    Code::NotANumber,
                    at,
                    format!(
                        "arithmetic and comparisons take numbers, but this has type `{}`",
                        self.ty(*not)
                    ),
                )
            }
            Clash::NotANumber(_) if self.is_number(expected) => Diagnostic::new(
                Code::TypeMismatch,
                at,
                format!("this has type `{given}`, but a number is needed"),
            ),
            Clash::NotANumber(_) if self.is_number(found) => {
                let what = match mismatch.term {
                    Some(term) if is_arithmetic(item(self.db, mismatch.source), term) => {
                        "this gives a number"
                    }
                    _ => "this is a number",
                };
                Diagnostic::new(
                    Code::TypeMismatch,
                    at,
                    format!("{what}, but a value of type `{wanted}` is needed"),
                )
            }
            _ => Diagnostic::new(
                Code::TypeMismatch,
                at,
                format!("this has type `{given}`, but `{wanted}` is needed"),
            ),
        };
        let problem = self.two_of_one_name(problem, clash);
        let table = &self.inference.table;
        let not_a_number = match clash {
            Clash::NotANumber(not) => table.kind(*not),
            _ => &TyKind::Error,
        };
        if let (TyKind::Variable(index), Code::NotANumber) = (not_a_number, problem.code)
            && let Some(name) = self.inference.rigid_values.get(*index as usize)
        {
            return problem.help(self.undecided_number(*name, mismatch));
        }
        self.inner_difference(problem, mismatch)
    }

    /// Says where two large types differ.
    fn inner_difference(&self, problem: Diagnostic, mismatch: Mismatch<'_>) -> Diagnostic {
        let table = &self.inference.table;
        let (expected, found) = (mismatch.expected, mismatch.found);
        match mismatch.clash {
            Clash::Types(a, b)
                if table.head(*a) != table.head(expected)
                    && table.head(*b) != table.head(found) =>
            {
                let (a, b) = self.two(*a, *b);
                problem.help(format!(
                    "they differ where one has `{a}` and the other `{b}`"
                ))
            }
            Clash::NotANumber(other) if !self.is_number(expected) && !self.is_number(found) => {
                problem.help(format!(
                    "they differ where one has a number and the other `{}`",
                    self.ty(*other)
                ))
            }
            Clash::Abilities(a, b) => problem.help(super::rows::draw(
                &self.show(),
                ["needed", "given"],
                &table.row(*a),
                &table.row(*b),
            )),
            Clash::PortCount(a, b) => {
                let ports = |ty: Ty| match table.kind(ty) {
                    TyKind::Computation(computation) => computation.ports.len(),
                    _ => 0,
                };
                if let Some(help) = self.taken_together(
                    *a,
                    ports(*b),
                    mismatch
                        .term
                        .and_then(|term| self.term_text(mismatch.source, term)),
                ) {
                    return problem.help(help);
                }
                problem.help(format!(
                    "the one takes {}, the other {}",
                    count(ports(*a), "arguments"),
                    count(ports(*b), "arguments")
                ))
            }
            Clash::Adjustments(..) => problem.help("their ports adjust the ability differently"),
            _ => problem,
        }
    }

    pub(super) fn is_unknown(&self, ty: Ty) -> bool {
        matches!(
            self.inference.table.kind(ty),
            TyKind::Meta(_) | TyKind::Error
        )
    }

    pub(super) fn is_number(&self, ty: Ty) -> bool {
        matches!(self.inference.table.kind(ty), TyKind::Int | TyKind::Float)
            || self.inference.table.is_number_meta(ty)
    }

    /// Whether two types could be equal.
    pub(super) fn agree(&mut self, a: Ty, b: Ty) -> bool {
        let table = &mut self.inference.table;
        let before = table.snapshot();
        let agree = table.unify(a, b).is_ok();
        table.rollback(before);
        agree
    }

    /// What the head of a call names.
    pub(super) fn definition_of(&self, source: ItemSource, head: TermId) -> Option<TermDef> {
        match self.inference.body(source)?.names.get(head)? {
            Resolved::Definition(definition) => Some(*definition),
            _ => None,
        }
    }

    /// A `let`-bound function that is used at two types.
    fn monomorphic_let(&mut self, mismatch: Mismatch<'_>, term: TermId) -> Option<Diagnostic> {
        let source = mismatch.source;
        let item = item(self.db, source);
        let head = match mismatch.origin {
            Expectation::Argument { call, .. } => match &item.terms[call].kind {
                TermKind::Apply { head, .. } => *head,
                _ => return None,
            },
            _ => match &item.terms[term].kind {
                TermKind::Apply { head, .. } => *head,
                _ => term,
            },
        };
        let body = self.inference.body(source)?;
        let Some(Resolved::Local(local)) = body.names.get(head) else {
            return None;
        };
        let bound = body.locals.get(local.0 as usize)?;
        let (name, node) = (bound.name, bound.node);
        let is_function = matches!(self.inference.table.kind(bound.ty), TyKind::Computation(_));
        if bound.kind != LocalKind::Let || !is_function {
            return None;
        }
        let let_term = body
            .lets
            .iter()
            .find_map(|(term, resolved)| match resolved {
                ResolvedPattern::Binds(other) if other == local => Some(term),
                _ => None,
            })?;
        let own = self.ty(bound.ty);
        let trial = self.try_out(source, let_term, Change::Generalise)?;
        if !trial.solves(mismatch.mark) {
            return None;
        }
        self.settled.extend(trial.solved);
        let (wanted, given) = self.two(mismatch.expected, mismatch.found);
        Some(
            Diagnostic::new(
                Code::TypeMismatch,
                mismatch.at,
                format!(
                    "this has type `{given}`, but `{wanted}` is needed: `{name}` has one type for \
                     all its uses"
                ),
            )
            .related(
                Location::node(source, node),
                format!("`{name}` is bound by `let` here, and its uses make it `{own}`"),
            )
            .help(format!(
                "define `{name}` as an operator with a signature: a signature's type variables \
                 stand for other types at each use"
            )),
        )
    }

    fn pattern_mismatch(&mut self, mismatch: Mismatch<'_>) -> Diagnostic {
        let Mismatch {
            at,
            source,
            expected,
            found,
            clash,
            ..
        } = mismatch;
        if let Some(finding) = self.forgotten_force_of_matched(mismatch) {
            return finding;
        }
        let (wanted, given) = self.two(expected, found);
        let problem = match clash {
            Clash::NotANumber(_) if self.is_number(expected) => Diagnostic::new(
                Code::TypeMismatch,
                at,
                format!("this pattern matches values of type `{given}`, but a number is matched"),
            ),
            Clash::NotANumber(_) if self.is_number(found) => Diagnostic::new(
                Code::TypeMismatch,
                at,
                format!("this pattern is a number, and values of type `{wanted}` are matched"),
            ),
            _ => Diagnostic::new(
                Code::TypeMismatch,
                at,
                format!("this pattern matches values of type `{given}`, but `{wanted}` is matched"),
            ),
        };
        let problem = self.inner_difference(problem, mismatch);
        let problem = self.two_of_one_name(problem, clash);
        let problem = self.other_quotes(problem, mismatch);
        let problem = self.named_as_constructor(problem, mismatch);
        let problem = self.constructors_instead(problem, mismatch);
        let mut problem = self.reasons(problem, mismatch);
        // A pattern of a port: the signature says what is matched.
        if let (Some(operator), ItemKind::Clause { clause, .. }) =
            (self.operator, &item(self.db, source).kind)
        {
            let patterns = &item(self.db, source).patterns;
            let index = clause
                .patterns
                .iter()
                .position(|pattern| Location::node(source, patterns[*pattern].id) == at);
            if let Some(index) = index
                && let Some((place, node)) = port_node(self.db, TermDef::Operator(operator), index)
            {
                problem = problem.related(
                    Location::node(place, node),
                    format!(
                        "the {} port of `{}` takes `{wanted}`",
                        ordinal(index),
                        operator.0.name
                    ),
                );
            }
        }
        problem
    }

    /// Names the constructors of what is matched, where those of other data stand in the pattern.
    fn constructors_instead(&self, problem: Diagnostic, mismatch: Mismatch<'_>) -> Diagnostic {
        let table = &self.inference.table;
        let (TyKind::Data(wanted, _), TyKind::Data(given, _)) =
            (table.kind(mismatch.expected), table.kind(mismatch.found))
        else {
            return problem;
        };
        let is_said = !problem.help.is_empty() || !problem.fixes.is_empty();
        let declared = data_type(self.db, wanted.0.scope, wanted.0.name).as_ref();
        let (Some(declared), false) = (declared, is_said || wanted == given) else {
            return problem;
        };
        let constructors = declared.constructors.iter();
        let names: Vec<String> = constructors.map(|one| format!("`{}`", one.name)).collect();
        let has = match names.len() {
            1 => "the constructor",
            2..=MOST_CONSTRUCTORS => "the constructors",
            _ => return problem,
        };
        problem.help(format!(
            "`{}` has {has} {}",
            wanted.0.name,
            listed(&names, MOST_CONSTRUCTORS)
        ))
    }

    /// A string pattern for a character, and the reverse.
    fn other_quotes(&self, problem: Diagnostic, mismatch: Mismatch<'_>) -> Diagnostic {
        let mut patterns = item(self.db, mismatch.source).patterns.iter();
        let literal = patterns.find_map(|(_, pattern)| {
            let here = Location::node(mismatch.source, pattern.id) == mismatch.at;
            here.then_some(&pattern.kind)
        });
        let is_char = self.inference.table.kind(mismatch.expected) == &TyKind::Char;
        let (text, help) = match literal {
            Some(PatternKind::String(text))
                if is_char && text.chars().count() == 1 && text != "'" && text != "\\" =>
            {
                let help = "a `Char` stands in single quotes, a `String` in double ones";
                (format!("'{text}'"), help)
            }
            Some(PatternKind::Char(char))
                if self.is_string(mismatch.expected) && *char != '"' && *char != '\\' =>
            {
                let help = "a `String` stands in double quotes, a `Char` in single ones";
                (format!("\"{char}\""), help)
            }
            _ => return problem,
        };
        let title = format!("write `{text}`");
        problem
            .help(help)
            .fix(fixes::replace(mismatch.at, &text, title))
    }

    /// What a beginner is likely to have meant.
    fn what_to_do(
        &mut self,
        mut problem: Diagnostic,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Diagnostic {
        let Mismatch {
            at,
            source,
            expected,
            found,
            origin,
            ..
        } = mismatch;
        let item = item(self.db, source);
        let literal = &item.terms[term].kind;
        let wanted = self.inference.table.kind(expected).clone();
        let given = self.inference.table.kind(found).clone();
        if matches!(wanted, TyKind::Data(..))
            && let Some(constant) = self.constant_of(mismatch, term)
        {
            return self.made_of_a_number(problem, (source, term), constant);
        }
        match (&wanted, &given) {
            (TyKind::Float, TyKind::Int) => self.made_a_float(problem, source, term),
            (TyKind::Int, TyKind::Float) => {
                if let Some(rounded) = self.rounded_result(&problem, source, term, origin) {
                    return rounded;
                }
                // A conversion that rounds is for the author to choose.
                problem.undecided = !matches!(literal, TermKind::Float(_));
                problem.fixes.extend(match literal {
                    TermKind::Float(bits) if bits.value().fract() == 0.0 && bits.value() < 1e15 => {
                        let number = bits.value().to_string();
                        // `7 / 2` is another number than `7 / 2.0` was meant to be.
                        vec![Fix {
                            safe: !self.is_divided(source, term),
                            ..fixes::replace(at, &number, format!("write `{number}`"))
                        }]
                    }
                    _ => ["round", "floor", "truncate"]
                        .map(|name| self.applied_fix(source, item, term, name, 0))
                        .into(),
                });
                problem.help(
                    "numbers are never converted silently: `round`, `floor` and `truncate` make an \
                     `Int` of a `Float`",
                )
            }
            (TyKind::Computation(wanted), _) if self.braces_would_do(wanted, mismatch) => {
                let problem = self.in_braces(problem, source, term);
                match origin {
                    Expectation::Result => self.or_without_braces(problem),
                    _ => problem,
                }
            }
            (TyKind::Computation(wanted), given)
                if !wanted.ports.is_empty() && !matches!(given, TyKind::Computation(_)) =>
            {
                let names = variables(wanted.ports.len());
                problem.help(format!("a function is needed, such as `{{{names} -> …}}`"))
            }
            (TyKind::Computation(wanted), TyKind::Computation(given))
                if wanted.ports.len() == given.ports.len() =>
            {
                if let Some(exchanged) = self.handed_in_order(&problem, mismatch, (wanted, given)) {
                    return exchanged;
                }
                let problem = self.port_for_another(problem, mismatch, term);
                let problem = self.handed_for_one_number(problem, wanted, given);
                self.handed_for_strings(problem, mismatch, (wanted, given))
            }
            (_, TyKind::Computation(given)) if !given.ports.is_empty() => {
                self.arguments_left(problem, item, term, given)
            }
            (_, TyKind::Char) if problem.code == Code::NotANumber => match mismatch.origin {
                Expectation::Operand { operation } if is_comparison(item, operation) => {
                    match &item.terms[operation].kind {
                        TermKind::Binary {
                            operator: BinaryOperator::Equal | BinaryOperator::NotEqual,
                            ..
                        } => problem.help("characters are compared by `eqc`"),
                        _ => problem.help(
                            "characters have no order, and their numbers do: `charToInt c <= charToInt 'z'`",
                        ),
                    }
                }
                _ => problem,
            },
            (_, TyKind::Data(..))
                if problem.code == Code::NotANumber
                    && !self.is_string(found)
                    && let Expectation::Operand { operation } = origin
                    && is_comparison(item, operation) =>
            {
                self.compared_by(problem, (found, operation))
            }
            _ if problem.code == Code::NotANumber && self.is_string(found) => {
                match mismatch.origin {
                    Expectation::Operand { operation } if is_comparison(item, operation) => {
                        problem.help("strings are compared by `eqString`, from the prelude")
                    }
                    _ => problem.help("strings are put together by the prelude's `append`"),
                }
            }
            (_, TyKind::Char) if self.is_string(expected) => match literal {
                TermKind::Char(char) if *char != '"' && *char != '\\' => problem
                    .help("a `String` stands in double quotes, a `Char` in single ones")
                    .fix(fixes::replace(
                        at,
                        &format!("\"{char}\""),
                        format!("write `\"{char}\"`"),
                    )),
                _ => problem
                    .help("a `String` is a list of characters: `[…]` makes a list of this one"),
            },
            (TyKind::Char, _) if self.is_string(found) => match literal {
                TermKind::String(text)
                    if text.chars().count() == 1 && text != "'" && text != "\\" =>
                {
                    problem
                        .help("a `Char` stands in single quotes, a `String` in double ones")
                        .fix(fixes::replace(
                            at,
                            &format!("'{text}'"),
                            format!("write `'{text}'`"),
                        ))
                }
                _ => {
                    problem.help("a `String` is a list of characters, and one character is needed")
                }
            },
            (TyKind::Data(list, args), _)
                if *list == builtin::list(self.db) && self.is_element(args, found) =>
            {
                let mut problem = problem
                    .help("a list is needed: `[…]` makes one of this")
                    .fix(Fix {
                        safe: false,
                        ..fixes::around(at, "[", "]", "make a list of it")
                    });
                // A 0 where something begins is meant as nothing.
                if matches!(literal, TermKind::Natural(Some(0))) {
                    problem = problem
                        .help("`[]` is the empty list")
                        .fix(fixes::rename(at, "[]"));
                    problem.undecided = true;
                }
                problem
            }
            (TyKind::Variable(index), _) => self.rigid(problem, *index, mismatch, term),
            (_, TyKind::Variable(_)) if problem.code == Code::NotANumber => problem,
            (_, TyKind::Variable(index)) => {
                let Some(name) = self.inference.rigid_values.get(*index as usize) else {
                    return problem;
                };
                problem.help(format!(
                    "`{name}` stands for a type that the caller chooses, so it need not be {}",
                    article(&self.ty(expected))
                ))
            }
            _ => problem,
        }
    }

    /// The operator that makes what is needed of a term that is a literal number.
    fn constant_of(&mut self, mismatch: Mismatch<'_>, term: TermId) -> Option<OperatorDef> {
        let source = mismatch.source;
        let is_literal = matches!(
            item(self.db, source).terms[term].kind,
            TermKind::Natural(_) | TermKind::Float(_)
        );
        let (expected, ambient) = (mismatch.expected, mismatch.ambient);
        let constants =
            is_literal.then(|| self.constant_operators(source, term, expected, ambient));
        constants?.first().copied()
    }

    fn made_of_a_number(
        &mut self,
        problem: Diagnostic,
        (source, term): (ItemSource, TermId),
        constant: OperatorDef,
    ) -> Diagnostic {
        let name = constant.0.name;
        let fix = self.applied_fix(source, item(self.db, source), term, name.as_str(), 0);
        problem
            .help(format!("`{name}` makes one of a number"))
            .fix(fix)
    }

    fn rigid(
        &mut self,
        problem: Diagnostic,
        index: u32,
        mismatch: Mismatch<'_>,
        term: TermId,
    ) -> Diagnostic {
        let Some(name) = self.inference.rigid_values.get(index as usize).copied() else {
            return problem;
        };
        let source = mismatch.source;
        if let Some(constant) = self.constant_of(mismatch, term) {
            return self.made_of_a_number(problem, (source, term), constant);
        }
        problem.help(match name.as_str().split_once('.') {
            Some((command, _)) => format!(
                "`{name}` is the type that `{command}` was used at, which differs at every use"
            ),
            None => format!(
                "`{name}` stands for a type that the caller chooses: only values that came in as \
                 `{name}` have it"
            ),
        })
    }

    fn arguments_left(
        &self,
        problem: Diagnostic,
        item: &Item,
        term: TermId,
        given: &Computation,
    ) -> Diagnostic {
        let left = count(given.ports.len(), "arguments");
        let name = match &item.terms[term].kind {
            TermKind::Name(name) => format!("`{}`", name.symbol),
            _ => "it".to_owned(),
        };
        problem.help(format!("{name} still takes {left}"))
    }

    pub(super) fn is_string(&self, ty: Ty) -> bool {
        match self.inference.table.kind(ty) {
            TyKind::Data(list, args) if *list == builtin::list(self.db) => match args.first() {
                Some(Arg::Type(element)) => self.inference.table.kind(*element) == &TyKind::Char,
                _ => false,
            },
            _ => false,
        }
    }

    fn is_element(&mut self, args: &[Arg], found: Ty) -> bool {
        match args.first() {
            Some(Arg::Type(element)) => {
                !self.is_unknown(*element) && !self.is_unknown(found) && self.agree(*element, found)
            }
            _ => false,
        }
    }
}

/// The term whose value a term gives: behind `let`s and what runs before, in the first clause of a `case`.
pub(super) fn last_of(item: &Item, term: TermId) -> TermId {
    let mut last = term;
    loop {
        last = match &item.terms[last].kind {
            TermKind::Sequence { second: end, .. } | TermKind::Let { body: end, .. } => *end,
            TermKind::Apply { head, args } => {
                let is_case = matches!(&item.terms[*head].kind, TermKind::Name(name) if name.symbol.as_str() == "case");
                let clauses = args.last().map(|last| &item.terms[*last].kind);
                match clauses {
                    Some(TermKind::Thunk { clauses }) if is_case => match clauses.first() {
                        Some(clause) => clause.body,
                        None => return last,
                    },
                    _ => return last,
                }
            }
            _ => return last,
        };
    }
}
