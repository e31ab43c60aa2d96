//! Mistakes in a declaration, told once there, and not wherever the name is used.

use frank_syntax::ast::{ItemKind, Symbol, TermKind};

use super::Reporter;
use super::amendments::{Amended, Argument, amended, arguments, is_contested};
use super::places::{result_node, signature_item};
use super::roots::place;
use super::words::ordinal;
use crate::changes::names_in;
use crate::db::item;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::hypothesis::{Amendment, Change};
use crate::infer::problem::Problem;
use crate::program::{TermDef, named, resolve_term};

/// So many names at most are asked whether their declaration is the mistake.
const MOST_NAMES: usize = 24;

impl Reporter<'_> {
    /// Finds what is wrong because a declaration is, which everything else reads in another way.
    pub(super) fn wrong_declarations(&mut self, problems: &[Problem]) {
        let Some(operator) = self.operator else {
            return;
        };
        for name in self.own_names(problems) {
            let Some(found) = amended(self.db, self.scope, name) else {
                continue;
            };
            let Some((source, any)) = self.any_term() else {
                return;
            };
            let change = Change::Amend(found.definition, found.amendment);
            let Some(trial) = self.try_out(source, any, change) else {
                return;
            };
            let first = problems.iter().find(|problem| trial.solves(problem.mark()));
            let (Some(first), Some(mut finding)) = (first, self.amendment(found)) else {
                continue;
            };
            if found.teller != operator {
                finding = Diagnostic {
                    told_elsewhere: true,
                    ..Diagnostic::new(finding.code, place(self.db, first), finding.message)
                };
            }
            self.found.push(finding);
            self.settled.extend(trial.solved);
        }
    }

    /// The names of the program's own in the clauses with problems, that of the operator first.
    fn own_names(&self, problems: &[Problem]) -> Vec<Symbol> {
        let mut names: Vec<Symbol> = self.operator.iter().map(|one| one.0.name).collect();
        let mut seen = Vec::new();
        for problem in problems.iter().filter(|problem| problem.is_error()) {
            let source = problem.source();
            if seen.contains(&source) || names.len() >= MOST_NAMES {
                continue;
            }
            seen.push(source);
            let is_own = |name: &Symbol| {
                resolve_term(self.db, self.scope, *name)
                    .is_some_and(|definition| definition.scope() == self.scope)
            };
            let mut here: Vec<Symbol> = names_in(item(self.db, source))
                .into_iter()
                .filter(is_own)
                .collect();
            here.sort_unstable();
            here.retain(|name| !names.contains(name));
            names.extend(here);
        }
        names.truncate(MOST_NAMES);
        names
    }

    fn amendment(&self, amended: &Amended) -> Option<Diagnostic> {
        let definition = amended.definition;
        let name = definition.name();
        let (source, arguments) = arguments(self.db, definition)?;
        let at = |argument: &Argument| Location::node(source, argument.node);
        let text = |location: Location| {
            let range = std::ops::Range::<usize>::from(location.in_item(self.db));
            source.text(self.db).get(range)
        };
        let (what, takers, givers) = match definition {
            TermDef::Operator(_) => ("port", "clauses", "calls"),
            TermDef::Constructor(_) => ("argument", "patterns", "uses"),
            TermDef::Command(_) => ("argument", "handlers", "uses"),
        };
        let problem = match amended.amendment {
            Amendment::Exchange(a, b) => {
                let (first, second) = (at(arguments.get(a)?), at(arguments.get(b)?));
                let message = format!(
                    "the {} and the {} {what} of `{name}` are the wrong way round: its \
                     {takers} and its {givers} have them in the other order",
                    ordinal(a),
                    ordinal(b)
                );
                let edit = |location, text: &str| Edit {
                    location,
                    position: Position::Replace,
                    text: text.to_owned(),
                };
                let fix = Fix {
                    title: "exchange the two types".to_owned(),
                    edits: vec![edit(first, text(second)?), edit(second, text(first)?)],
                    safe: true,
                };
                Diagnostic::new(Code::TypeMismatch, first, message)
                    .help(format!(
                        "exchange the two types, `{}` and `{}`",
                        text(first)?,
                        text(second)?
                    ))
                    .fix(fix)
            }
            Amendment::Unsuspend(index) => {
                let place = at(arguments.get(index)?);
                let message = format!(
                    "the {} {what} of `{name}` is a suspended computation here, and a value for \
                     its {takers} and its {givers}",
                    ordinal(index)
                );
                let inner = text(place)?.strip_prefix('{')?.strip_suffix('}')?.trim();
                let inner = self.as_argument(definition, inner);
                Diagnostic::new(Code::TypeMismatch, place, message)
                    .help(format!("leave out the braces: `{inner}`"))
                    .fix(fixes::replace(place, &inner, format!("write `{inner}`")))
            }
            Amendment::Suspend(index) => {
                let place = at(arguments.get(index)?);
                let message = format!(
                    "the {} {what} of `{name}` is a value here, and a suspended computation for \
                     its {takers} and its {givers}",
                    ordinal(index)
                );
                let ability = self.ability_text(definition);
                let written = format!("{{{ability}{}}}", text(place)?);
                Diagnostic::new(Code::TypeMismatch, place, message)
                    .help(format!("write braces around it: `{written}`"))
                    .fix(fixes::replace(
                        place,
                        &written,
                        format!("write `{written}`"),
                    ))
            }
            Amendment::List(index) => {
                let place = at(arguments.get(index)?);
                let one = text(place)?;
                let (written, many) = match one {
                    "Char" => ("String".to_owned(), "a `String`"),
                    _ if one.contains(' ') && !one.starts_with('(') => {
                        (format!("List ({one})"), "a list of these")
                    }
                    _ => (format!("List {one}"), "a list of these"),
                };
                let message = format!(
                    "the {} {what} of `{name}` is `{one}` here, and {many} for its \
                     {takers} and its {givers}",
                    ordinal(index)
                );
                let written = self.as_argument(definition, &written);
                Diagnostic::new(Code::TypeMismatch, place, message)
                    .help(format!("write `{written}`"))
                    .fix(fixes::replace(
                        place,
                        &written,
                        format!("write `{written}`"),
                    ))
            }
            Amendment::Result(ty) => {
                let TermDef::Operator(operator) = definition else {
                    return None;
                };
                let (source, node) = result_node(self.db, operator)?;
                let place = Location::node(source, node);
                let message = format!(
                    "`{name}` gives `{}` here, and `{ty}` for its clauses and its calls",
                    text(place)?
                );
                Diagnostic::new(Code::TypeMismatch, place, message)
                    .help(format!("write `{ty}`"))
                    .fix(fixes::replace(place, ty.as_str(), format!("write `{ty}`")))
            }
        };
        Some(
            problem
                .related(amended.taken, "this would be right then")
                .related(amended.given, "this would be right then, too"),
        )
    }

    /// A type as it can stand behind a constructor.
    fn as_argument(&self, definition: TermDef, ty: &str) -> String {
        match definition {
            TermDef::Constructor(_) if ty.contains(' ') => format!("({ty})"),
            _ => ty.to_owned(),
        }
    }

    /// The ability that is written in an operator's signature, for a computation that it runs.
    fn ability_text(&self, definition: TermDef) -> String {
        let TermDef::Operator(operator) = definition else {
            return String::new();
        };
        let written = signature_item(self.db, operator).and_then(|(source, item)| {
            let ItemKind::Signature { ty, .. } = &item.kind else {
                return None;
            };
            let at = Location::node(source, ty.peg.ability.as_ref()?.id);
            let range = std::ops::Range::<usize>::from(at.in_item(self.db));
            source.text(self.db).get(range)
        });
        written.unwrap_or_default().to_owned()
    }

    /// A fix at the use of a name is no certain one while what takes its arguments is wrong itself: the
    /// declaration may be the mistake.
    pub(super) fn leave_contested(&mut self) {
        let mut found = std::mem::take(&mut self.found);
        for finding in &mut found {
            let is_safe = finding.is_error() && finding.fixes.iter().any(|fix| fix.safe);
            let called = is_safe.then(|| self.called_at(finding.location)).flatten();
            if called.is_some_and(|name| self.is_contested_name(name)) {
                finding.undecided = true;
                for fix in &mut finding.fixes {
                    fix.safe = false;
                }
            }
        }
        self.found = found;
    }

    /// What is found of an operator that is defined twice is told with that: nobody knows which of the two
    /// was meant.
    pub(super) fn leave_duplicates(&mut self) {
        let is_twice = |name: Symbol| {
            named(self.db, self.scope, name).is_some_and(|named| named.terms.len() > 1)
        };
        let own = self.operator.is_some_and(|own| is_twice(own.0.name));
        let told: Vec<bool> = self
            .found
            .iter()
            .map(|finding| match finding.code {
                Code::WrongPatternCount | Code::TypeMismatch => own,
                Code::WrongArgumentCount => {
                    own || self.called_at(finding.location).is_some_and(is_twice)
                }
                _ => false,
            })
            .collect();
        for (finding, told) in self.found.iter_mut().zip(told) {
            finding.told_elsewhere |= told;
        }
    }

    /// The name of what is called around a place, and has its arguments there.
    fn called_at(&self, at: Location) -> Option<Symbol> {
        let term = self.term_at(at)?;
        let item = self.item(at.item);
        let surroundings = self.surroundings(at.item);
        let mut around = std::iter::once(term).chain(surroundings.ancestors(term));
        let call = around.find_map(|term| match &item.terms[term].kind {
            TermKind::Apply { head, args } if !args.is_empty() => Some(*head),
            _ => None,
        })?;
        match (self.definition_of(at.item, call), &item.terms[call].kind) {
            (Some(definition), _) => Some(definition.name()),
            // Constructors are checked, and their names are not kept.
            (None, TermKind::Name(name)) => Some(name.symbol),
            _ => None,
        }
    }

    fn is_contested_name(&self, name: Symbol) -> bool {
        let is_self = self.operator.is_some_and(|own| own.0.name == name);
        !is_self && is_contested(self.db, self.scope, name)
    }
}
