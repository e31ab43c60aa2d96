//! What is wrong with operators, declarations, files and programs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use frank_syntax::ast::{ItemKind, NodeId, Symbol};
use frank_syntax::outline::OutlineKind;
use frank_syntax::parse::SyntaxErrorKind;
use text_size::{TextRange, TextSize};

use crate::coverage;
use crate::db::{Db, ItemSource, Origin, SourceFile, Workspace, item, parsed};
use crate::declarations::{declaration_problems, signature_problems};
use crate::derivatives;
use crate::diagnostics::{Code, Diagnostic, Location, Severity, similar_name};
use crate::groups;
use crate::infer::{Inference, infer_operator, infer_term};
use crate::params::TypeNamespace;
use crate::program::{
    Definition, OperatorDef, TermDef, direct_includes, operator_items, resolve_include,
    scope_files, scope_index,
};
use crate::report;
use crate::unused;

/// What is wrong with an operator: its signature and its clauses.
#[salsa::tracked]
pub fn operator_diagnostics(db: &dyn Db, scope: SourceFile, name: Symbol) -> Arc<[Diagnostic]> {
    let operator = OperatorDef(Definition { scope, name });
    let mut problems = signature_problems(db, scope, name);
    if let Some(mut inference) = infer_operator(db, operator) {
        problems.extend(report::diagnostics(
            db,
            scope,
            Some(operator),
            &mut inference,
        ));
        problems.extend(missing_half(db, operator, &inference));
        problems.extend(coverage::diagnostics(db, Some(operator), &inference));
        problems.extend(unused::diagnostics(db, scope, Some(operator), &inference));
        problems.extend(derivatives::diagnostics(db, scope, &inference));
    }
    problems.into()
}

/// What the checker found out about an operator, for questions about its terms. Only the latest
/// are kept: an editor asks about few operators at a time.
#[salsa::tracked(no_eq, lru = 64)]
pub fn inference(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Arc<Inference>> {
    infer_operator(db, OperatorDef(Definition { scope, name })).map(Arc::new)
}

/// As [`inference`], for a term on its own.
#[salsa::tracked(no_eq, lru = 16)]
pub fn term_inference(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Arc<Inference> {
    Arc::new(infer_term(db, scope, source))
}

/// A signature without clauses, or clauses without a signature.
fn missing_half(db: &dyn Db, operator: OperatorDef, inference: &Inference) -> Option<Diagnostic> {
    let (scope, name) = (operator.0.scope, operator.0.name);
    let items = operator.items(db);
    match (items.signatures.first(), items.clauses.first()) {
        (Some(signature), None) if scope.origin(db) == Origin::Workspace => {
            if crate::db::has_syntax_errors(db, *signature) {
                return None;
            }
            let at = Location::node(*signature, item_name(db, *signature)?);
            if coverage::needs_no_clauses(db, inference) {
                return None;
            }
            Some(
                Diagnostic::new(
                    Code::SignatureWithoutClauses,
                    at,
                    format!("`{name}` has a signature and no clauses"),
                )
                .help(format!("write its clauses: `{name} … = …`"))
                // A clause that did not parse may be the one that is missing.
                .excused_by(name),
            )
        }
        (None, Some(clause)) => {
            let definition = scope_index(db, scope).terms.get(&name)?.first()?;
            // Clauses of a constructor or a command are a second definition, reported as such.
            if !matches!(definition.def, TermDef::Operator(_)) {
                return None;
            }
            let at = Location::node(*clause, item_name(db, *clause)?);
            let mut problem = Diagnostic::new(
                Code::MissingSignature,
                at,
                format!("the operator `{name}` has clauses and no signature"),
            )
            .excused_by(name);
            if let Some(other) = misspelt_operator(db, scope, name) {
                problem = problem
                    .help(format!("did you mean `{other}`, whose signature is there?"))
                    .fix(crate::fixes::rename(at, other.as_str()));
            }
            if let Some(signature) = crate::inferred::signature(db, scope, inference) {
                let line = format!("{name} : {signature}");
                problem = problem.help(format!("write its signature: `{line}`")).fix(
                    crate::fixes::insert_above(*clause, &line, format!("write `{line}`")),
                );
            } else {
                problem = problem.help(format!("write its signature above: `{name} : …`"));
            }
            Some(problem)
        }
        _ => None,
    }
}

/// The operator with a signature that a clause's name is likely a misspelling of.
fn misspelt_operator(db: &dyn Db, scope: SourceFile, name: Symbol) -> Option<Symbol> {
    let operators = scope_index(db, scope).operators.iter();
    let declared: Vec<Symbol> = operators
        .filter(|(_, items)| !items.signatures.is_empty())
        .map(|(name, _)| *name)
        .collect();
    let similar = similar_name(name.as_str(), declared.iter().map(|name| name.as_str()))?;
    declared
        .iter()
        .copied()
        .find(|name| name.as_str() == similar)
}

/// The name that an item defines or adds to, where it is written.
pub fn item_name(db: &dyn Db, source: ItemSource) -> Option<NodeId> {
    match &item(db, source).kind {
        ItemKind::Data { name, .. }
        | ItemKind::Interface { name, .. }
        | ItemKind::Alias { name, .. }
        | ItemKind::Include { name }
        | ItemKind::Signature { name, .. }
        | ItemKind::Clause { name, .. } => Some(name.id),
        ItemKind::Term(_) | ItemKind::Broken => None,
    }
}

/// What is wrong with a term on its own.
#[salsa::tracked]
pub fn term_diagnostics(db: &dyn Db, scope: SourceFile, source: ItemSource) -> Arc<[Diagnostic]> {
    let mut problems = syntax_diagnostics(db, source, false);
    if problems.is_empty() {
        let mut inference = infer_term(db, scope, source);
        problems.extend(report::diagnostics(db, scope, None, &mut inference));
        problems.extend(coverage::diagnostics(db, None, &inference));
        problems.retain(|problem| !is_excused(db, scope, problem));
    }
    problems.into()
}

fn syntax_diagnostics(db: &dyn Db, source: ItemSource, left_of_column: bool) -> Vec<Diagnostic> {
    let parsed = parsed(db, source);
    let mut problems = Vec::new();
    if left_of_column {
        let range = parsed.source_map.range(parsed.item.id);
        let text: &str = source.text(db);
        let first = text
            .get(usize::from(range.start())..)
            .and_then(|rest| rest.chars().next());
        let width = first.map_or(TextSize::from(0), TextSize::of);
        let start = TextRange::at(range.start(), width.min(range.len()));
        problems.push(
            Diagnostic::new(
                Code::LeftOfItemColumn,
                Location::range(source, start),
                "this stands to the left of the column in which the file's items begin",
            )
            .help("let every item of a file begin in the column of the first one"),
        );
    }
    for error in parsed.errors.iter() {
        let code = match error.kind {
            SyntaxErrorKind::Unexpected => Code::UnexpectedToken,
            SyntaxErrorKind::UnclosedBracket => Code::UnclosedBracket,
            SyntaxErrorKind::UnopenedBracket => Code::UnopenedBracket,
            SyntaxErrorKind::UnclosedString | SyntaxErrorKind::UnclosedChar => {
                Code::UnclosedLiteral
            }
            SyntaxErrorKind::UnclosedComment => Code::UnclosedComment,
            SyntaxErrorKind::BadEscape => Code::BadEscape,
            SyntaxErrorKind::BadCharacter => Code::BadCharacter,
            SyntaxErrorKind::NumberTooLarge => Code::NumberTooLarge,
            SyntaxErrorKind::NestedTooDeeply => Code::NestedTooDeeply,
            SyntaxErrorKind::LeftOfItemColumn => Code::LeftOfItemColumn,
            SyntaxErrorKind::NotAHead => Code::NotAHead,
        };
        let at = Location::range(source, error.range);
        let mut problem = Diagnostic::new(code, at, error.message.clone());
        for (range, message) in &error.related {
            problem = problem.related(Location::range(source, *range), message.clone());
        }
        if let Some(help) = &error.help {
            problem = problem.help(help.clone());
        }
        problems.push(problem);
    }
    problems
}

/// The words in the items of a scope that did not parse.
#[salsa::tracked]
fn words_in_broken_items(db: &dyn Db, scope: SourceFile) -> HashSet<Symbol> {
    let facts = groups::all_facts(db, scope);
    facts
        .flat_map(|facts| facts.words_in_broken.iter().copied())
        .collect()
}

/// Whether a scope includes a file that does not exist.
#[salsa::tracked(returns(copy))]
fn lacks_includes(db: &dyn Db, scope: SourceFile) -> bool {
    let (files, _) = scope_files(db, scope);
    files.iter().any(|file| {
        let includes = file
            .outline(db)
            .iter()
            .filter(|entry| entry.kind == OutlineKind::Include);
        includes
            .filter_map(|entry| entry.name)
            .any(|name| resolve_include(db, *file, name).is_none())
    })
}

/// Whether a finding is one only because of an item that did not parse or a file that is not
/// there, where something is reported already. A name that looks misspelt is reported even so.
fn is_excused(db: &dyn Db, scope: SourceFile, problem: &Diagnostic) -> bool {
    problem.excuse.is_some_and(|excuse| {
        words_in_broken_items(db, scope).contains(&excuse.name)
            || (excuse.lacks_includes && lacks_includes(db, scope))
    })
}

/// The library file that defines a term of this name.
pub fn library_with(db: &dyn Db, name: Symbol) -> Option<Symbol> {
    let library = Workspace::get(db).library(db).iter();
    let mut defining =
        library.filter(|(_, file)| scope_index(db, **file).terms.contains_key(&name));
    defining.next().map(|(library, _)| *library)
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
    for (name, entries) in &index.terms {
        let place = |entry: &crate::program::TermEntry| {
            Some((
                entry.item,
                entry.node.or_else(|| item_name(db, entry.item))?,
            ))
        };
        let Some((first, rest)) = entries.split_first() else {
            continue;
        };
        let is_operator = matches!(first.def, TermDef::Operator(_));
        let clauses = index
            .operators
            .get(name)
            .map_or(&[][..], |items| &items.clauses);
        // Most names have one definition, whose item must not even be looked at: this query would
        // run again with every edit of any item.
        if rest.is_empty() && (is_operator || clauses.is_empty()) {
            continue;
        }
        let Some(first_place) = place(first) else {
            continue;
        };
        for entry in rest {
            if let Some(again) = place(entry) {
                report(*name, first_place, again);
            }
        }
        if let (Some(clause), true, false) = (clauses.first(), rest.is_empty(), is_operator)
            && let Some(node) = item_name(db, *clause)
        {
            report(*name, first_place, (*clause, node));
        }
    }
    for items in [&index.data, &index.interfaces] {
        for (name, sources) in items {
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
                    report(*name, (*first, first_name), (*again, node));
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
            if resolve_include(db, file, name).is_some()
                || crate::db::has_syntax_errors(db, entry.item)
            {
                return None;
            }
            let at = Location::node(entry.item, item_name(db, entry.item)?);
            let mut problem = Diagnostic::new(
                Code::UnknownInclude,
                at,
                format!("there is no file `{name}.fk` to include"),
            );
            let library = Workspace::get(db).library(db);
            let known = library.keys().map(|name| name.as_str());
            let similar = crate::diagnostics::similar_names(name.as_str(), known);
            if !similar.is_empty() {
                problem = crate::fixes::did_you_mean(problem, at, &similar);
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

/// The roots of the user's programs: the files that no other file includes, and one file of each
/// circle of includes that nothing else includes.
#[salsa::tracked]
pub fn program_roots(db: &dyn Db) -> Vec<SourceFile> {
    let files = Workspace::get(db).files(db);
    let mut included: HashSet<SourceFile> = HashSet::new();
    for file in files.values() {
        included.extend(
            direct_includes(db, *file)
                .iter()
                .copied()
                .filter(|other| other != file),
        );
    }
    let mut roots: Vec<SourceFile> = files
        .values()
        .copied()
        .filter(|file| !included.contains(file))
        .collect();
    let mut covered: HashSet<SourceFile> = roots
        .iter()
        .flat_map(|root| scope_files(db, *root).0.iter().copied())
        .collect();
    for file in files.values() {
        if !covered.contains(file) {
            roots.push(*file);
            covered.extend(scope_files(db, *file).0.iter().copied());
        }
    }
    roots
}

/// The programs that each of the user's files is part of.
#[salsa::tracked]
fn programs_by_file(db: &dyn Db) -> HashMap<SourceFile, Vec<SourceFile>> {
    let mut programs: HashMap<SourceFile, Vec<SourceFile>> = HashMap::new();
    for root in program_roots(db) {
        for file in &scope_files(db, *root).0 {
            programs.entry(*file).or_default().push(*root);
        }
    }
    programs
}

/// The roots of the programs that a file is part of; a library file is a program of its own.
pub fn programs_of(db: &dyn Db, file: SourceFile) -> &[SourceFile] {
    programs_by_file(db).get(&file).map_or(&[], Vec::as_slice)
}

/// The findings in one group of a file's items, as part of one program.
#[salsa::tracked]
fn group_diagnostics(
    db: &dyn Db,
    root: SourceFile,
    file: SourceFile,
    group: usize,
) -> Arc<[Diagnostic]> {
    groups::depend(db, root, file, group);
    let problems = groups::aside(db, |db| problems_in_group(db, root, file, group));
    if problems.is_empty() {
        return Arc::from([]);
    }
    groups::everything(db, root);
    let all = problems.into_iter();
    all.filter(|problem| !is_excused(db, root, problem))
        .collect()
}

fn problems_in_group(
    db: &dyn Db,
    root: SourceFile,
    file: SourceFile,
    group: usize,
) -> Vec<Diagnostic> {
    let mut problems: Vec<Diagnostic> = Vec::new();
    let here = |problem: &&Diagnostic| problem.location.item.file(db) == file;
    for entry in groups::entries(db, file, group) {
        if !parsed(db, entry.item).errors.is_empty() || entry.left_of_column {
            problems.extend(syntax_diagnostics(db, entry.item, entry.left_of_column));
        }
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

/// The findings in a program that are about how its operators depend on each other.
pub fn program_diagnostics(db: &dyn Db, root: SourceFile) -> impl Iterator<Item = &Diagnostic> {
    let unused = unused::unused_operators(db, root).iter();
    unused
        .chain(derivatives::paper::checkpoints(db, root))
        .chain(derivatives::resumed::gradients(db, root))
}

/// The findings in one file as part of one program, without positions in the file.
pub fn file_diagnostics_in(db: &dyn Db, root: SourceFile, file: SourceFile) -> Vec<Diagnostic> {
    let mut problems: Vec<Diagnostic> = include_problems(db, file).clone();
    let here = |problem: &&Diagnostic| problem.location.item.file(db) == file;
    problems.extend(duplicates(db, root).iter().filter(here).cloned());
    problems.extend(program_diagnostics(db, root).filter(here).cloned());
    for group in 0..groups::count(db, file) {
        problems.extend(group_diagnostics(db, root, file, group).iter().cloned());
    }
    problems
}

/// Pieces of work that together find out all that [`file_diagnostics`] tells about some files;
/// to be done in any order, on any number of threads, each with a clone of the database.
pub fn work(db: &dyn Db, files: &[SourceFile]) -> Vec<Work> {
    let mut work = Vec::new();
    for file in files {
        for root in programs_of(db, *file) {
            let groups = 0..groups::count(db, *file);
            work.extend(groups.map(|group| Work {
                root: *root,
                file: *file,
                group,
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
    group: usize,
}

impl Work {
    /// Finds out what there is to tell, for later.
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
    problem.code > Code::NotAHead
        && problem.code != Code::DuplicateDefinition
        && crate::db::has_syntax_errors(db, problem.location.item)
}

/// All findings in a file, each once however many programs share it, in no particular order.
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

/// How many findings of each severity there are.
pub fn tally<'a>(problems: impl IntoIterator<Item = &'a Diagnostic>) -> BTreeMap<Severity, usize> {
    let mut counts = BTreeMap::new();
    for problem in problems {
        *counts.entry(problem.severity).or_insert(0) += 1;
    }
    counts
}

/// The operator whose definitions a file's items belong to, with the program it is checked in.
pub fn operators_of(db: &dyn Db, root: SourceFile, file: SourceFile) -> Vec<OperatorDef> {
    let mut seen = HashSet::new();
    let outline = file.outline(db).iter();
    let names =
        outline.filter(|entry| matches!(entry.kind, OutlineKind::Signature | OutlineKind::Clause));
    names
        .filter_map(|entry| entry.name)
        .filter(|name| seen.insert(*name))
        .filter(|name| !operator_items(db, root, *name).signatures.is_empty())
        .map(|name| OperatorDef(Definition { scope: root, name }))
        .collect()
}
