//! What is wrong with files and programs: the findings of their items, gathered.

use std::collections::HashSet;
use std::sync::Arc;

use frank_syntax::ast::{ItemKind, NodeId, Symbol};
use frank_syntax::outline::OutlineKind;
use text_size::{TextRange, TextSize};

use crate::aside::Aside;
use crate::check::operator_diagnostics;
use crate::db::{
    Db, Group, ItemSource, OutlineEntry, SourceFile, TextKind, Workspace, has_syntax_errors, item,
    item_name, parsed,
};
use crate::declarations::{declaration_problems, law_problems};
use crate::diagnostics::{Code, Diagnostic, Location, Severity, similar_names};
use crate::fixes;
use crate::groups;
use crate::infer::infer_term;
use crate::link::{has_errors, has_wrong_signature};
use crate::lints::{self, Checked};
use crate::neighbours::{files_beside, names_beside};
use crate::params::TypeNamespace;
use crate::program::{TermDef, operator_items, resolve_include, scope_files, scope_index};
use crate::program_roots::programs_of;
use crate::report;
use crate::report::syntax::syntax_error;

/// The findings in one group of a file's items, as part of one program. Consequences of other
/// errors ([`has_cause`]) are among them.
#[salsa::tracked]
fn group_diagnostics(
    db: &dyn Db,
    root: SourceFile,
    file: SourceFile,
    group: Group,
) -> Aside<Vec<Diagnostic>> {
    groups::depend(db, root, group);
    let problems = Aside::new(db, |db| problems_in_group(db, root, file, group));
    // A checker that has nothing to say has looked at nothing else.
    if !problems.perhaps_outdated().is_empty() {
        groups::everything(db, root);
        // Of names that nothing defines it has looked for files that might.
        names_beside(db, file);
    }
    problems
}

fn problems_in_group(
    db: &dyn Db,
    root: SourceFile,
    file: SourceFile,
    group: Group,
) -> Vec<Diagnostic> {
    let mut problems: Vec<Diagnostic> = Vec::new();
    let here = |problem: &&Diagnostic| problem.location.item.file(db) == file;
    for entry in group.entries(db).iter() {
        if entry.item.kind(db) == TextKind::Cell {
            problems.extend(left_of_column(db, entry));
            problems.extend(term_diagnostics(db, root, entry.item).iter().cloned());
            continue;
        }
        if !parsed(db, entry.item).errors.is_empty() || entry.left_of_column {
            problems.extend(left_of_column(db, entry));
            problems.extend(syntax_diagnostics(db, root, entry.item));
        }
        lints::check_text(db, entry.item, &mut problems);
        let Some(name) = entry.name else { continue };
        match entry.kind {
            OutlineKind::Signature | OutlineKind::Clause => {
                if first_in_file(db, root, file, name) == Some(entry.item) {
                    let all = operator_diagnostics(db, root, name);
                    problems.extend(all.iter().filter(here).cloned());
                }
            }
            OutlineKind::Data => {
                let all = declaration_problems(db, root, name, TypeNamespace::Data);
                problems.extend(first_only(all, entry.item));
            }
            OutlineKind::Interface => {
                let all = declaration_problems(db, root, name, TypeNamespace::Row);
                problems.extend(first_only(all, entry.item));
            }
            OutlineKind::Include | OutlineKind::Other => {}
        }
    }
    problems.retain(|problem| !is_consequence(db, problem));
    problems
}

/// The item of a file that answers for an operator: its first signature there, else its first
/// clause there.
fn first_in_file(
    db: &dyn Db,
    root: SourceFile,
    file: SourceFile,
    name: Symbol,
) -> Option<ItemSource> {
    let items = operator_items(db, root, name);
    let mut all = items.signatures.iter().chain(&items.clauses).copied();
    all.find(|source| source.file(db) == file)
}

/// Whether anything in a program has an error, the library aside. Known at once where the findings of all its
/// files are.
pub fn has_errors_somewhere(db: &dyn Db, root: SourceFile) -> bool {
    let is_error = |problem: &Diagnostic| problem.severity == Severity::Error;
    let (files, _) = scope_files(db, root);
    duplicates(db, root).iter().any(is_error)
        || files.iter().any(|file| {
            let mut groups = file.groups(db).iter().copied();
            include_problems(db, *file).iter().any(is_error)
                || groups.any(|group| {
                    let kept = group_diagnostics(db, root, *file, group);
                    let all = kept.get(db, |db| problems_in_group(db, root, *file, group));
                    all.iter().any(is_error)
                })
        })
}

/// The findings in one file as part of one program, whose root is `root`.
pub fn file_diagnostics_in(db: &dyn Db, root: SourceFile, file: SourceFile) -> Vec<Diagnostic> {
    let mut problems: Vec<Diagnostic> = include_problems(db, file).clone();
    let here = |problem: &&Diagnostic| problem.location.item.file(db) == file;
    problems.extend(duplicates(db, root).iter().filter(here).cloned());
    let of_program = lints::check_program(db, root).filter(here);
    problems.extend(
        of_program
            .filter(|problem| !has_cause(db, root, problem))
            .cloned(),
    );
    for group in file.groups(db).iter().copied() {
        let kept = group_diagnostics(db, root, file, group);
        let all = kept
            .get(db, |db| problems_in_group(db, root, file, group))
            .iter();
        problems.extend(all.filter(|problem| !has_cause(db, root, problem)).cloned());
    }
    report::broken_off::told_once(db, file, &mut problems);
    report::once::tell_once(&mut problems);
    problems
}

/// Pieces of work that together compute what [`file_diagnostics`] reports about some files. They
/// can be done in any order, on any number of threads, each with a clone of the database.
pub fn work(db: &dyn Db, files: &[SourceFile]) -> Vec<Work> {
    let mut work = Vec::new();
    for file in files {
        for root in programs_of(db, *file) {
            let groups = file.groups(db).iter();
            work.extend(groups.map(|group| Work {
                root: *root,
                file: *file,
                group: *group,
            }));
        }
    }
    work
}

/// A piece of [`work`].
#[derive(Debug, Clone, Copy)]
pub struct Work {
    root: SourceFile,
    file: SourceFile,
    group: Group,
}

impl Work {
    /// Computes the findings of the group; salsa keeps them for later.
    pub fn run(self, db: &dyn Db) {
        group_diagnostics(db, self.root, self.file, self.group);
    }
}

fn first_only(all: &[Diagnostic], source: ItemSource) -> impl Iterator<Item = Diagnostic> + '_ {
    all.iter()
        .filter(move |problem| problem.location.item == source)
        .cloned()
}

/// Whether a finding about types stands in an item that did not parse.
fn is_consequence(db: &dyn Db, problem: &Diagnostic) -> bool {
    !problem.code.marks().unparsed && has_syntax_errors(db, problem.location.item)
}

/// All findings in a file, each once however many programs share it, in no particular order. For
/// findings in the order of the text, sort by [`Snapshot::range`](crate::snapshot::Snapshot::range).
pub fn file_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    let roots = programs_of(db, file);
    for root in roots {
        for problem in file_diagnostics_in(db, *root, file) {
            let known = roots.len() > 1
                && all
                    .iter()
                    .any(|other| other.location == problem.location && other.code == problem.code);
            if !known {
                all.push(problem);
            }
        }
    }
    all
}

/// What is wrong with a term on its own.
#[salsa::tracked]
pub fn term_diagnostics(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Arc<[Diagnostic]> {
    let mut problems = syntax_diagnostics(db, scope, source);
    let of_law = match source.kind(db) {
        TextKind::Law { types } => {
            problems.extend(syntax_diagnostics(db, scope, types));
            law_problems(db, scope, types)
        }
        _ => &[],
    };
    if problems.is_empty() {
        problems.extend_from_slice(of_law);
        let mut inference = infer_term(db, scope, source);
        problems.extend(report::diagnostics(db, scope, None, &mut inference));
        let checked = Checked {
            db,
            scope,
            operator: None,
            inference: &inference,
        };
        lints::check(&checked, &mut problems);
        report::habits::instead(db, scope, &mut problems);
        problems.retain(|problem| !has_cause(db, scope, problem));
        report::once::tell_once(&mut problems);
    }
    lints::check_text(db, source, &mut problems);
    problems.into()
}

/// What is wrong with where an item begins.
fn left_of_column(db: &dyn Db, entry: &OutlineEntry) -> Option<Diagnostic> {
    if !entry.left_of_column {
        return None;
    }
    let parsed = parsed(db, entry.item);
    let range = parsed.source_map.range(parsed.item.id);
    let first = entry.item.text(db).get(usize::from(range.start())..);
    let first = first.and_then(|rest| rest.chars().next());
    let width = first.map_or(TextSize::from(0), TextSize::of);
    let start = TextRange::at(range.start(), width.min(range.len()));
    let problem = Diagnostic::new(
        Code::LeftOfItemColumn,
        Location::range(entry.item, start),
        "this stands to the left of the column in which the file's items begin",
    );
    Some(problem.help("let every item of a file begin in the column of the first one"))
}

fn syntax_diagnostics(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Vec<Diagnostic> {
    let errors = report::habits::syntax_errors(db, scope, source);
    let errors = errors.iter();
    let problems = errors.filter_map(|error| syntax_error(db, scope, source, error));
    problems.collect()
}

/// The words in the items of a scope that did not parse.
#[salsa::tracked]
fn words_in_broken_items(db: &dyn Db, scope: SourceFile) -> HashSet<Symbol> {
    let facts = groups::all_facts(db, scope);
    facts
        .flat_map(|facts| facts.words_in_broken.iter().copied())
        .collect()
}

/// Whether a scope includes a file that does not exist, or one whose name cannot be read.
#[salsa::tracked(returns(copy))]
fn lacks_includes(db: &dyn Db, scope: SourceFile) -> bool {
    let (files, _) = scope_files(db, scope);
    let is_broken = groups::all_facts(db, scope).any(|facts| facts.breaks_include);
    is_broken
        || files.iter().any(|file| {
            let includes = file
                .outline(db)
                .iter()
                .filter(|entry| entry.kind == OutlineKind::Include);
            includes
                .filter_map(|entry| entry.name)
                .any(|name| resolve_include(db, *file, name).is_none())
        })
}

/// The constructors of data types, and the commands of interfaces, that are declared already under the same name.
#[salsa::tracked]
fn declared_again(db: &dyn Db, scope: SourceFile) -> HashSet<Symbol> {
    let index = scope_index(db, scope);
    let again = index.repeated().flat_map(|(_, named)| {
        named
            .data
            .iter()
            .skip(1)
            .chain(named.interfaces.iter().skip(1))
    });
    let mut names = HashSet::new();
    for source in again {
        match &item(db, *source).kind {
            ItemKind::Data { constructors, .. } => {
                names.extend(constructors.iter().map(|one| one.name.symbol));
            }
            ItemKind::Interface { commands, .. } => {
                names.extend(commands.iter().map(|one| one.name.symbol));
            }
            _ => {}
        }
    }
    names
}

/// Whether a finding may only be a consequence of an item that did not parse, of a file that
/// does not exist, or of a declaration. Those are reported already. A name that looks misspelt is reported even so.
fn has_cause(db: &dyn Db, scope: SourceFile, problem: &Diagnostic) -> bool {
    let mut below = problem.rests_on.iter();
    let mut signatures = problem.rests_on_signatures.iter();
    problem.told_elsewhere
        || below.any(|operator| has_errors(db, *operator))
        || signatures.any(|operator| has_wrong_signature(db, *operator))
        || problem.cause.is_some_and(|cause| {
            words_in_broken_items(db, scope).contains(&cause.name)
                || declared_again(db, scope).contains(&cause.name)
                || (cause.lacks_includes && lacks_includes(db, scope))
        })
}

/// Names of a scope that are defined more than once.
#[salsa::tracked]
fn duplicates(db: &dyn Db, scope: SourceFile) -> Vec<Diagnostic> {
    let index = scope_index(db, scope);
    let mut problems = Vec::new();
    let mut report = |name: Symbol, first: (ItemSource, NodeId), again: (ItemSource, NodeId)| {
        problems.push(
            Diagnostic::new(
                Code::DuplicateDefinition,
                Location::node(again.0, again.1),
                format!("`{name}` is defined twice"),
            )
            .related(
                Location::node(first.0, first.1),
                format!("`{name}` is defined here first"),
            )
            .help("rename or remove one of the two"),
        );
    };
    for (name, named) in index.repeated() {
        let place = |entry: &crate::program::TermEntry| {
            Some((
                entry.item,
                entry.node.or_else(|| item_name(db, entry.item))?,
            ))
        };
        let Some((first, rest)) = named.terms.split_first() else {
            continue;
        };
        let is_operator = matches!(first.def, TermDef::Operator(_));
        let clauses = &named.operator.clauses;
        // An item that is defined once must not even be looked at: this query would run again with
        // every edit of it.
        if rest.is_empty() && (is_operator || clauses.is_empty()) {
            continue;
        }
        let Some(first_place) = place(first) else {
            continue;
        };
        for entry in rest {
            if let Some(again) = place(entry) {
                report(name, first_place, again);
            }
        }
        if let (Some(clause), true, false) = (clauses.first(), rest.is_empty(), is_operator)
            && let Some(node) = item_name(db, *clause)
        {
            report(name, first_place, (*clause, node));
        }
    }
    for (name, named) in index.repeated() {
        for sources in [&named.data, &named.interfaces] {
            let Some((first, rest)) = sources.split_first() else {
                continue;
            };
            if rest.is_empty() {
                continue;
            }
            let Some(first_name) = item_name(db, *first) else {
                continue;
            };
            for again in rest {
                if let Some(node) = item_name(db, *again) {
                    report(name, (*first, first_name), (*again, node));
                }
            }
        }
    }
    problems
}

/// Includes of a file that lead nowhere.
#[salsa::tracked]
fn include_problems(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let includes = file
        .outline(db)
        .iter()
        .filter(|entry| entry.kind == OutlineKind::Include);
    includes
        .filter_map(|entry| {
            let name = entry.name?;
            if resolve_include(db, file, name).is_some() || has_syntax_errors(db, entry.item) {
                return None;
            }
            let at = Location::node(entry.item, item_name(db, entry.item)?);
            let mut problem = Diagnostic::new(
                Code::UnknownInclude,
                at,
                format!("there is no file `{name}.fk` to include"),
            );
            let library = Workspace::get(db).library(db);
            let near = files_beside(db, file);
            let near = near.iter().map(|(name, _)| name.as_str());
            let known = library.keys().map(|name| name.as_str()).chain(near);
            let similar = similar_names(name.as_str(), known);
            if !similar.is_empty() {
                problem = fixes::did_you_mean(problem, at, &similar);
            } else {
                let names: Vec<String> = library.keys().map(|name| format!("`{name}`")).collect();
                problem = problem.help(format!(
                    "it was looked for beside this file, on the include paths, and in the \
                     library, which has {}",
                    names.join(", ")
                ));
            }
            Some(problem)
        })
        .collect()
}
