//! Quick fixes that need more than the place of the finding: the program's handlers, a whole clause,
//! the library. Fixes that the checker can make by itself come with the finding.

mod arguments;
mod clauses;
mod handlers;
mod safe;
mod slips;

use frank_analysis::db::{ItemSource, Origin, item_name};
use frank_analysis::diagnostics::{
    At, Code, Definer, Diagnostic, Edit, Fix, Location, Position, Severity,
};
use frank_analysis::link::has_errors;
use frank_syntax::ast::NodeId;
use frank_syntax::outline::OutlineKind;
use text_size::{TextRange, TextSize};

pub use safe::{Applied, apply_safe_fixes};

use crate::rename::TextEdit;
use crate::view::{View, size, slice};
use crate::{Analysis, FilePosition, FileRange};

/// What stands where something is still to be written. Nothing can be read from it, so the checker
/// points at it.
pub(crate) const HOLE: &str = "_";

impl Analysis {
    /// A finding with all its fixes, the most likely first.
    pub fn with_quick_fixes(&self, mut problem: Diagnostic) -> Diagnostic {
        let source = problem.location.item;
        if source.file(self.db()).origin(self.db()) == Origin::Library {
            return problem;
        }
        let mut more = self.more_fixes(&problem);
        if problem.undecided {
            more.append(&mut problem.fixes);
        }
        problem.fixes.extend(more);
        if problem.fixes.len() > 1 || problem.severity == Severity::Hint {
            for fix in &mut problem.fixes {
                fix.safe = false;
            }
        }
        problem
    }

    /// The edits of a fix, as bytes of their files.
    pub fn edits_of(&self, fix: &Fix) -> Vec<TextEdit> {
        let edit = |edit: &Edit| TextEdit {
            at: FileRange {
                file: edit.location.item.file(self.db()),
                range: edit.replaced(self.snapshot().range(edit.location)),
            },
            text: edit.text.clone(),
        };
        fix.edits.iter().map(edit).collect()
    }

    /// Where in its file the fixes of a finding are offered: at its own place, which comes first; those
    /// for clauses that an operator or a computation in braces lacks at each of its clauses, since one
    /// may be written anywhere among them.
    pub fn offered_at(&self, problem: &Diagnostic) -> Vec<TextRange> {
        let own = self.snapshot().range(problem.location);
        let source = problem.location.item;
        let file = source.file(self.db());
        let name = item_name(self.db(), source).map(At::Node);
        let is_of_operator =
            problem.code == Code::MissingPatterns && name == Some(problem.location.at);
        let operator = self.view_of(source).operator().filter(|_| is_of_operator);
        let clauses = operator.map(|operator| self.clauses(operator));
        let clauses = clauses.into_iter().flatten().map(|clause| clause.full);
        let clauses = clauses.filter(|clause| clause.file == file);
        let in_braces = (problem.code == Code::MissingPatterns && !is_of_operator)
            .then(|| clauses::in_braces(self.view_of(source), problem.location.at))
            .flatten();
        [own]
            .into_iter()
            .chain(clauses.map(|clause| clause.range))
            .chain(in_braces.into_iter().flatten())
            .collect()
    }

    fn more_fixes(&self, problem: &Diagnostic) -> Vec<Fix> {
        let view = self.view_of(problem.location.item);
        let place = problem.location.in_item(self.db());
        match problem.code {
            Code::UnknownName | Code::UnknownType | Code::UnknownInterface => {
                let definer = problem.cause.and_then(|cause| cause.file);
                let included = definer.and_then(|definer| self.included(view, definer));
                included.into_iter().collect()
            }
            Code::MisspeltConstructor => {
                let definer = problem.cause.and_then(|cause| cause.file);
                let included = definer.and_then(|definer| self.included(view, definer));
                // The program checks without it, and would mean something else.
                included
                    .map(|fix| Fix { safe: false, ..fix })
                    .into_iter()
                    .collect()
            }
            Code::WrongArgumentCount | Code::ConstructorArguments => {
                let rest_later = arguments::rest_later(view, place)
                    .filter(|fix| self.brings_nothing(&self.edits_of(fix), &[]));
                if let Some(fix) = rest_later {
                    return vec![fix];
                }
                let function = slips::constructor_function(view, place);
                let holes = arguments::terms(view, place)
                    .or_else(|| arguments::constructor_pattern(view, place));
                function
                    .filter(|fix| self.brings_nothing(&self.edits_of(fix), &[]))
                    .into_iter()
                    .chain(holes)
                    .collect()
            }
            Code::WrongPatternCount => {
                if let Some(fix) = slips::command_pattern(view, place) {
                    return vec![fix];
                }
                // It is missing where the others fit then.
                let mut all = arguments::patterns(view, place);
                let fitting = all
                    .iter()
                    .position(|fix| self.brings_nothing(&self.edits_of(fix), &[]));
                all.drain(..)
                    .nth(fitting.unwrap_or(0))
                    .into_iter()
                    .collect()
            }
            Code::NotAFunction => slips::forced_value(view, place).into_iter().collect(),
            Code::NotAComputation => slips::braces(view, place).into_iter().collect(),
            Code::InvalidAdaptor => slips::adaptor(view, place).into_iter().collect(),
            Code::NumberTooLarge => number(view, place).into_iter().collect(),
            Code::LeftOfItemColumn => self.moved(view).into_iter().collect(),
            Code::MissingAbility | Code::AbilityMismatch => handlers::around(view, place)
                .into_iter()
                // A handler may well give something of another type.
                .filter(|fix| self.brings_nothing(&self.edits_of(fix), &[Code::Hole]))
                .collect(),
            // Several of them are shadowed by one that stands too early.
            Code::UnreachableClause if !problem.fixes.is_empty() => Vec::new(),
            Code::UnreachableClause => {
                // What is wrong with the clauses before may be why this one is not reached.
                let is_wrong = view
                    .operator()
                    .is_some_and(|one| has_errors(self.db(), one));
                let removed = clauses::removed(view, place).into_iter();
                let unasked = |fix: Fix| Fix {
                    // A variable in front of it may be meant as a constructor, or stand too early.
                    safe: fix.safe && !is_wrong && problem.cause.is_none(),
                    ..fix
                };
                removed.map(unasked).collect()
            }
            Code::Hole => {
                let at = FilePosition {
                    file: view.source.file(self.db()),
                    offset: place.start() + view.start,
                };
                self.hole_fixes(at)
            }
            Code::UnusedOperator => clauses::operator_removed(view).into_iter().collect(),
            Code::SignatureWithoutClauses => clauses::written(view),
            Code::UnusedSuppression => suppression(view, place).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// An `include` of the file that defines an unknown name, if that is what it would lead to.
    fn included(&self, view: View<'_>, definer: Definer) -> Option<Fix> {
        let db = self.db();
        let included = match definer {
            Definer::Library(file) | Definer::Beside(file) => file,
            Definer::Shadowed { .. } => return None,
        };
        let file = view.source.file(db);
        let (first, _) = self.snapshot().items(file).next()?;
        let blank = match first.kind {
            OutlineKind::Include => "",
            _ => "\n",
        };
        // An include may well stand first, above what comments the first definition.
        let at = Location::range(first.item, TextRange::default());
        let has_text_above = first.item.text(db).starts_with(char::is_whitespace);
        let at = if has_text_above {
            Location::node(first.item, NodeId(0))
        } else {
            at
        };
        Some(Fix {
            title: format!("write `include {included}`"),
            edits: vec![Edit {
                location: at,
                position: Position::Before,
                text: format!("include {included}\n{blank}"),
            }],
            safe: true,
        })
    }

    /// An item where the others begin.
    fn moved(&self, view: View<'_>) -> Option<Fix> {
        let file = view.source.file(self.db());
        let (first, place) = self.snapshot().items(file).next()?;
        let wanted = column(first.item.text(self.db()), place.token_offset);
        let own = view.place()?;
        let here = column(view.text(), own.token_offset);
        let missing = wanted.checked_sub(here)?;
        let at = size(own.token_offset);
        Some(Fix {
            title: "move it to the column of the other items".to_owned(),
            edits: vec![insert(view, at, " ".repeat(missing))],
            safe: true,
        })
    }
}

fn column(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or_default();
    before.len() - before.rfind('\n').map_or(0, |line| line + 1)
}

/// A number that is too large for an `Int`, as a `Float`.
fn number(view: View<'_>, place: TextRange) -> Option<Fix> {
    let digits = slice(view.text(), place);
    (!digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())).then(|| Fix {
        title: format!("write `{digits}.0`"),
        edits: vec![insert(view, place.end(), ".0".to_owned())],
        safe: true,
    })
}

/// A comment that allows nothing goes; what else stands on its line stays.
fn suppression(view: View<'_>, place: TextRange) -> Option<Fix> {
    let text = view.text();
    let before = text.get(..usize::from(place.start()))?;
    let comment = before.rfind("--")?;
    let line = before.rfind('\n').map_or(0, |line| line + 1);
    let end = text
        .get(comment..)?
        .find('\n')
        .map_or(text.len(), |end| comment + end);
    // Only a comment that says nothing else.
    let rest = text.get(comment..end)?;
    let words = rest
        .trim_start_matches(['-', ' '])
        .strip_prefix("frank:")?
        .trim();
    let words = words.strip_prefix("allow")?;
    let mut codes = words.split([' ', ',']).filter(|word| !word.is_empty());
    if comment < line || codes.clone().count() != 1 || codes.any(|code| !code.starts_with("FK")) {
        return None;
    }
    let own_line = text.get(line..comment)?.trim().is_empty();
    let (start, end) = match own_line {
        true => (line, (end + 1).min(text.len())),
        false => (text.get(..comment)?.trim_end().len(), end),
    };
    Some(Fix {
        title: "remove the comment".to_owned(),
        edits: vec![replace(
            view.source,
            TextRange::new(size(start), size(end)),
            "",
        )],
        safe: true,
    })
}

fn insert(view: View<'_>, at: TextSize, text: String) -> Edit {
    replace(view.source, TextRange::empty(at), &text)
}

fn replace(source: ItemSource, range: TextRange, text: &str) -> Edit {
    Edit {
        location: Location {
            item: source,
            at: At::Range(range),
        },
        position: Position::Replace,
        text: text.to_owned(),
    }
}
