//! What was defined in an interactive session: a file in memory that includes another one. Where it defines
//! what that one or another of the user's files does, the session holds those files without it, so that
//! what depends on it sees the session's.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use frank_analysis::db::{Origin, SourceFile};
use frank_analysis::diagnostics::{Code, Diagnostic, Severity};
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::interrupt::{Interrupted, until};
use frank_analysis::program::{resolve_include, scope_files, scope_index};
use frank_analysis::snapshot::Snapshot;
use frank_syntax::ast::Symbol;
use frank_syntax::outline::{OutlineItem, OutlineKind, split};
use frank_workspace::config::Holes;
use frank_workspace::paths::key;

use crate::args::ProjectArgs;
use crate::findings::Findings;
use crate::origins::InCell;
use crate::output::visible_path;
use crate::project::Project;
use crate::repl::input::aligned;

/// The name of the session's own file; it is in the directory of the loaded file, so that
/// includes mean there what they mean to that, or in the current one.
const NAME: &str = "<repl>";

/// The files of a session and what was defined in it.
pub struct Definitions {
    pub project: Project,
    args: ProjectArgs,
    loaded: Option<PathBuf>,
    key: String,
    /// The session's own items.
    items: Vec<Item>,
    /// The texts of files that the session holds without some of their definitions, by their keys.
    whole: BTreeMap<String, String>,
    /// The definitions that were given last, good or bad, and the items before them.
    last: Option<(String, Vec<Item>)>,
}

/// What came of definitions.
pub struct Defined {
    pub warnings: Findings,
    /// The signatures that were found out.
    pub signatures: Vec<String>,
    /// The names that files define, too, and no longer mean what they say.
    pub replaced: Vec<Symbol>,
}

#[derive(Debug, Clone)]
struct Item {
    kind: OutlineKind,
    name: Option<Symbol>,
    text: String,
    /// Where it was written, if that can be shown.
    origin: Option<InCell>,
}

impl Definitions {
    /// A session with a file's definitions, or with the prelude.
    pub fn new(file: Option<&Path>, args: &ProjectArgs) -> Result<Definitions, String> {
        let mut include = "prelude".to_owned();
        let mut own_key = key(Path::new(NAME));
        let project = match file {
            None => Project::empty(args),
            Some(file) => {
                if file.is_dir() {
                    return Err(format!("{}: this is a directory", visible_path(file)));
                }
                let project = Project::open(&[file.to_owned()], args);
                if project.asked().is_empty() {
                    let problems = project.problems.iter();
                    let problems = problems.map(|problem| problem.text(&project.names));
                    return Err(problems.collect::<Vec<_>>().join("\n"));
                }
                let path = key(file);
                let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
                own_key = format!("{directory}/{NAME}");
                include = name.strip_suffix(".fk").unwrap_or_default().to_owned();
                project
            }
        };
        let mut definitions = Definitions {
            project,
            args: args.clone(),
            loaded: file.map(Path::to_owned),
            key: own_key,
            items: vec![Item {
                kind: OutlineKind::Include,
                name: Some(Symbol::new(&include)),
                text: format!("include {include}\n"),
                origin: None,
            }],
            whole: BTreeMap::new(),
            last: None,
        };
        definitions.publish();
        let understood = split(&definitions.text())
            .first()
            .and_then(|item| item.name);
        if understood != Some(Symbol::new(&include)) {
            let name = visible_path(file.unwrap_or(Path::new("")));
            return Err(format!(
                "{name}: only a file that can be included can be loaded: rename it to words with `-` between them, and `.fk`"
            ));
        }
        Ok(definitions)
    }

    /// The file that was loaded.
    pub fn loaded(&self) -> Option<&Path> {
        self.loaded.as_deref()
    }

    /// Reads all files again, and keeps what was defined in the session. What it included that is no longer there is
    /// taken back, so that what is wrong now is said of the names that are missing; gives these files' names.
    pub fn reload(&mut self) -> Result<Vec<Symbol>, String> {
        let mut again = Definitions::new(self.loaded.as_deref(), &self.args)?;
        again.items.extend(self.items.drain(..).skip(1));
        again.publish();
        let taken_back = again.without_files();
        if !taken_back.is_empty() {
            again.items.retain(|item| {
                item.kind != OutlineKind::Include
                    || !item.name.is_some_and(|name| taken_back.contains(&name))
            });
            again.publish();
        }
        *self = again;
        Ok(taken_back)
    }

    /// The names of the session's own includes for which there is no file.
    fn without_files(&self) -> Vec<Symbol> {
        let (db, scope) = (self.project.files.db(), self.scope());
        let own = self.items.iter().skip(1);
        let includes = own.filter(|item| item.kind == OutlineKind::Include);
        let names = includes.filter_map(|item| item.name);
        names
            .filter(|name| resolve_include(db, scope, *name).is_none())
            .collect()
    }

    /// The session's own definitions.
    pub fn own_text(&self) -> String {
        self.items
            .iter()
            .skip(1)
            .map(|item| item.text.as_str())
            .collect()
    }

    /// The names that the session defines, each once.
    pub fn own_names(&self) -> Vec<Symbol> {
        let mut seen = HashSet::new();
        let own = self.items.iter().skip(1);
        let defined = own.filter(|item| item.kind != OutlineKind::Include);
        let names = defined.filter_map(|item| item.name);
        names.filter(|name| seen.insert(*name)).collect()
    }

    fn text(&self) -> String {
        self.items.iter().map(|item| item.text.as_str()).collect()
    }

    /// Where the items come from, by where they stand now.
    fn origins(&self) -> Vec<(Range<usize>, InCell)> {
        let mut start = 0;
        let placed = self.items.iter().filter_map(|item| {
            let range = start..start + item.text.len();
            start = range.end;
            Some((range, item.origin.clone()?))
        });
        placed.collect()
    }

    fn publish(&mut self) {
        let text = self.text();
        self.project.files.set_text(&self.key, &text);
        self.project.origins.set(&self.key, self.origins());
        self.project.load_includes();
        let hidden = self.hidden();
        for (key, whole) in self.files() {
            let left = without(&whole, |item| hidden.have(item.kind, item.name));
            let known = self.project.files.file(&key);
            if known.is_none_or(|file| self.project.files.text(file) != left) {
                self.project.files.set_text(&key, &left);
            }
            if left == whole {
                self.whole.remove(&key);
            } else {
                self.whole.insert(key, whole);
            }
        }
    }

    /// The user's files that the session includes, by their keys, with their whole texts.
    fn files(&self) -> Vec<(String, String)> {
        let db = self.project.files.db();
        let (own, _) = scope_files(db, self.scope());
        let others = own
            .iter()
            .filter(|file| file.origin(db) == Origin::Workspace && *file.path(db) != self.key);
        let whole = others.map(|file| {
            let key = file.path(db).to_owned();
            let text = self.whole.get(&key).cloned();
            let text = text.unwrap_or_else(|| self.project.files.text(*file));
            (key, text)
        });
        whole.collect()
    }

    /// The names that files define and the session does, too.
    fn replaced(&self) -> HashSet<Symbol> {
        let hidden = self.hidden();
        let mut names = HashSet::new();
        for whole in self.whole.values() {
            let items = split(whole).into_iter();
            let found = items.filter(|item| hidden.have(item.kind, item.name));
            names.extend(found.filter_map(|item| item.name));
        }
        names
    }

    /// What the session defines, so that other files do not.
    fn hidden(&self) -> Replaced {
        let own = self.items.iter().skip(1);
        Replaced::by(own.filter(|own| own.kind != OutlineKind::Include))
    }

    /// The signatures that files have for new clauses of operators to which the session has none.
    fn signatures_of_files(&self, new: &[Item]) -> HashMap<Symbol, Item> {
        let signed: HashSet<Symbol> = self
            .items
            .iter()
            .chain(new)
            .filter(|item| item.kind == OutlineKind::Signature)
            .filter_map(|item| item.name)
            .collect();
        let unsigned: HashSet<Symbol> = new
            .iter()
            .filter(|item| item.kind == OutlineKind::Clause)
            .filter_map(|item| item.name.filter(|name| !signed.contains(name)))
            .collect();
        let mut found = HashMap::new();
        if unsigned.is_empty() {
            return found;
        }
        for (_, text) in self.files() {
            for item in split(&text).iter().filter(|item| is_signature(item)) {
                let Some(name) = item.name.filter(|name| unsigned.contains(name)) else {
                    continue;
                };
                found.entry(name).or_insert_with(|| {
                    let mut own = item_of(item, &text, None);
                    // What is said of it in the file stays there.
                    own.text = own
                        .text
                        .lines()
                        .filter(|line| !line.trim_start().starts_with("--"))
                        .flat_map(|line| [line, "\n"])
                        .collect();
                    own
                });
            }
        }
        found
    }

    /// The scope of the session.
    pub fn scope(&self) -> SourceFile {
        let known = self.project.files.file(&self.key);
        known.unwrap_or_else(|| unreachable!("the session's file is added first"))
    }

    /// A file that the session includes, directly or through another one, by the name that includes it; the
    /// one that the session began with if the name is empty.
    pub fn included(&self, name: &str) -> Option<SourceFile> {
        let db = self.project.files.db();
        let name = match name.is_empty() {
            true => self.items.first()?.name?,
            false => Symbol::new(name),
        };
        let (own, libraries) = scope_files(db, self.scope());
        let mut from = own.iter().chain(libraries);
        from.find_map(|file| resolve_include(db, *file, name))
    }

    /// The names that a term may use.
    pub fn names(&self) -> Vec<String> {
        let db = self.project.files.db();
        let index = scope_index(db, self.scope());
        let libraries = index
            .libraries
            .iter()
            .flat_map(|library| scope_index(db, *library).term_names());
        index
            .term_names()
            .chain(libraries)
            .map(|name| name.to_string())
            .collect()
    }

    /// Adds definitions, in place of those of the same names. Gives what is wrong with them, and
    /// adds nothing then; or warnings and the signatures that were found out. `origin` is where they begin, if that
    /// can be shown.
    pub fn define(&mut self, text: &str, origin: Option<InCell>) -> Result<Defined, Findings> {
        let text = aligned(text);
        let new: Vec<Item> = split(&text)
            .iter()
            .map(|item| item_of(item, &text, origin.as_ref()))
            .collect();
        let old = self.items.clone();
        self.last = Some((text.clone(), old.clone()));
        let (replaced, errors) = (self.replaced(), self.errors());
        // What is in a cell is all there, and a line may be followed by others.
        let is_whole = origin.is_some();
        let first = self.items.remove(0);
        let gone = Replaced::by(&new);
        self.items.retain(|item| !gone.have(item.kind, item.name));
        self.items.insert(0, first);
        let added = self.items.len();
        let mut of_files = self.signatures_of_files(&new);
        for item in new {
            // Clauses for an operator of a file are all that it is to have.
            if let (OutlineKind::Clause, Some(name)) = (item.kind, item.name) {
                self.items.extend(of_files.remove(&name));
            }
            self.items.push(item);
        }
        self.publish();
        let mut signatures = Vec::new();
        while let Some(signature) = self.missing_signature() {
            let name = signature.split(' ').next().map(Symbol::new);
            let at = self
                .items
                .iter()
                .position(|item| item.kind == OutlineKind::Clause && item.name == name);
            let item = Item {
                kind: OutlineKind::Signature,
                name,
                text: format!("{signature}\n"),
                origin: None,
            };
            self.items.insert(at.unwrap_or(added), item);
            signatures.push(signature);
            self.publish();
        }
        let new_start: usize = self
            .items
            .iter()
            .take(added)
            .map(|item| item.text.len())
            .sum();
        let mut now: Vec<Symbol> = self.replaced().difference(&replaced).copied().collect();
        now.sort_unstable();
        let (errors, warnings) = self.findings(new_start, is_whole, &errors);
        if errors.findings.is_empty() {
            return Ok(Defined {
                warnings,
                signatures,
                replaced: now,
            });
        }
        self.items = old;
        self.publish();
        Err(errors)
    }

    /// The same until the flag is set. What was interrupted adds nothing.
    ///
    /// # Errors
    /// The definitions were not checked to the end.
    pub fn define_until(
        &mut self,
        asked: &Arc<AtomicBool>,
        text: &str,
        origin: Option<InCell>,
    ) -> Result<Result<Defined, Findings>, Interrupted> {
        let defined = until(asked, || self.define(text, origin));
        // What was there before is kept for lines that go on, and no line goes on with what was interrupted.
        if defined.is_err()
            && let Some((_, old)) = self.last.take()
        {
            self.items = old;
            self.publish();
        }
        defined
    }

    /// Adds a line to the definitions that were given last, if it makes good ones of them: who pastes
    /// into a terminal that does not say so gives one line after the other.
    pub fn go_on(&mut self, line: &str) -> Option<Defined> {
        let last = self.last.clone()?;
        let (text, before) = &last;
        let now = std::mem::replace(&mut self.items, before.clone());
        match self.define(&format!("{text}  {line}"), None) {
            Ok(found) => Some(found),
            Err(_) => {
                self.items = now;
                // The line behind this one may be what is missing.
                self.last = Some((format!("{text}  {line}\n"), before.clone()));
                self.publish();
                None
            }
        }
    }

    /// Says that something else was asked for meanwhile.
    pub fn end_definitions(&mut self) {
        self.last = None;
    }

    fn diagnostics(&self, snapshot: &Snapshot) -> Vec<Diagnostic> {
        file_diagnostics(snapshot.db(), self.scope())
    }

    /// The signature that is written above clauses without one, if that is all that is wrong.
    fn missing_signature(&self) -> Option<String> {
        let snapshot = self.project.files.snapshot();
        let problems = self.diagnostics(&snapshot);
        let missing = problems
            .iter()
            .find(|problem| problem.code == Code::MissingSignature)?;
        // Another fix gives the clause the name of an operator that is there.
        let mut edits = missing.fixes.iter().flat_map(|fix| &fix.edits);
        let signature = edits.find(|edit| split(&edit.text).iter().any(is_signature))?;
        Some(signature.text.trim_end().to_owned())
    }

    /// The errors in the session and in the user's files, each by its file, its kind and its message.
    fn errors(&self) -> HashSet<(String, Code, String)> {
        let snapshot = self.project.files.snapshot();
        let own = self.diagnostics(&snapshot).into_iter();
        let own = own.filter(Diagnostic::keeps_from_running);
        let known = own.chain(self.problems_of_files(&snapshot));
        known.map(|problem| known_by(&snapshot, &problem)).collect()
    }

    /// The errors in the user's files that the session includes.
    fn problems_of_files(&self, snapshot: &Snapshot) -> Vec<Diagnostic> {
        let files = self.files().into_iter();
        let files = files.filter_map(|(key, _)| self.project.files.file(&key));
        files
            .flat_map(|file| file_diagnostics(snapshot.db(), file))
            .filter(Diagnostic::keeps_from_running)
            .collect()
    }

    /// The errors from an offset on, and those anywhere else that were not `known`, which come when files are read
    /// again; and the warnings from the offset on that matter in a session, with the holes, at which a run ends.
    /// If what stands there `is_whole`, nothing follows that belongs to it.
    fn findings(
        &self,
        from: usize,
        is_whole: bool,
        known: &HashSet<(String, Code, String)>,
    ) -> (Findings, Findings) {
        let snapshot = self.project.files.snapshot();
        let (mut errors, mut warnings) = (Vec::new(), Vec::new());
        for mut problem in self.diagnostics(&snapshot) {
            let start = usize::from(snapshot.range(problem.location).start());
            // Clauses may follow, and so may uses.
            let early = match problem.code {
                Code::SignatureWithoutClauses => !is_whole,
                code => code.marks().unfinished,
            };
            match problem.severity {
                Severity::Error
                    if problem.keeps_from_running()
                        && (start >= from || !known.contains(&known_by(&snapshot, &problem))) =>
                {
                    errors.push(problem);
                }
                Severity::Error if start >= from => {
                    problem.severity = Holes::Allow.severity();
                    warnings.push(problem);
                }
                Severity::Warning if start >= from && !early => warnings.push(problem),
                _ => {}
            }
        }
        let others = self.problems_of_files(&snapshot).into_iter();
        errors.extend(others.filter(|other| !known.contains(&known_by(&snapshot, other))));
        let placed = |found| {
            let found = Findings::of(&snapshot, &self.project.names, found);
            found.at_origins(&self.project.origins)
        };
        (placed(errors), placed(warnings))
    }
}

/// What gives way to new items: what they define, too, and the clauses below their signatures.
struct Replaced(HashSet<(OutlineKind, Option<Symbol>)>);

impl Replaced {
    fn by<'i>(new: impl IntoIterator<Item = &'i Item>) -> Replaced {
        let new = new.into_iter();
        let new = new.filter(|item| !matches!(item.kind, OutlineKind::Clause | OutlineKind::Other));
        Replaced(new.map(|item| (item.kind, item.name)).collect())
    }

    /// Whether an item of a kind and a name is among it.
    fn have(&self, kind: OutlineKind, name: Option<Symbol>) -> bool {
        let by = match kind {
            OutlineKind::Clause => OutlineKind::Signature,
            kind => kind,
        };
        self.0.contains(&(by, name))
    }
}

/// What tells an error from others while lines move.
fn known_by(snapshot: &Snapshot, problem: &Diagnostic) -> (String, Code, String) {
    let file = problem.location.item.file(snapshot.db());
    let path = file.path(snapshot.db()).to_owned();
    (path, problem.code, problem.message.to_string())
}

/// A text with blanks in the place of some of its items, so that the others stay where they are.
fn without(text: &str, goes: impl Fn(&OutlineItem) -> bool) -> String {
    let mut left = String::with_capacity(text.len());
    let mut done = 0;
    for item in split(text).iter().filter(|item| goes(item)) {
        let start = item.range.start + item.token_offset;
        left.push_str(text.get(done..start).unwrap_or_default());
        let own = text.get(start..item.range.end).unwrap_or_default();
        left.extend(own.chars().map(|c| if c == '\n' { c } else { ' ' }));
        done = item.range.end;
    }
    left + text.get(done..).unwrap_or_default()
}

fn is_signature(item: &OutlineItem) -> bool {
    item.kind == OutlineKind::Signature
}

/// An item of a text that begins at an origin.
fn item_of(item: &OutlineItem, text: &str, origin: Option<&InCell>) -> Item {
    let whole = item.text(text);
    let blank = whole.len() - whole.trim_start_matches('\n').len();
    let origin = origin.map(|origin| origin.behind(item.range.start + blank));
    let mut text = whole.trim_matches('\n').to_owned();
    text.push('\n');
    Item {
        kind: item.kind,
        name: item.name,
        text,
        origin,
    }
}
