//! What was defined in an interactive session: a file in memory that includes another one.

use std::path::{Path, PathBuf};

use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::{Code, Diagnostic, Severity};
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::program::{resolve_include, scope_files, scope_index};
use frank_analysis::snapshot::Snapshot;
use frank_syntax::ast::Symbol;
use frank_syntax::outline::{OutlineItem, OutlineKind, split};
use frank_workspace::paths::key;

use crate::args::ProjectArgs;
use crate::findings::Findings;
use crate::output::visible_path;
use crate::project::Project;
use crate::repl::input::aligned;

/// The name of the session's own file; it is in the directory of the loaded file, so that
/// includes mean there what they mean to that.
const NAME: &str = "<repl>";
/// The directory of the session's file if no file is loaded.
const NOWHERE: &str = "repl:";

/// The files of a session and what was defined in it.
pub struct Definitions {
    pub project: Project,
    args: ProjectArgs,
    loaded: Option<PathBuf>,
    key: String,
    /// The session's own items.
    items: Vec<Item>,
    /// The definitions that were given last, good or bad, and the items before them.
    last: Option<(String, Vec<Item>)>,
}

#[derive(Debug, Clone)]
struct Item {
    kind: OutlineKind,
    name: Option<Symbol>,
    text: String,
}

impl Definitions {
    /// A session with a file's definitions, or with the prelude.
    pub fn new(file: Option<&Path>, args: &ProjectArgs) -> Result<Definitions, String> {
        let mut include = "prelude".to_owned();
        let mut own_key = format!("{NOWHERE}/{NAME}");
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
            }],
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

    /// Reads all files again, and keeps what was defined in the session.
    pub fn reload(&mut self) -> Result<(), String> {
        let mut again = Definitions::new(self.loaded.as_deref(), &self.args)?;
        again.items.extend(self.items.drain(..).skip(1));
        again.publish();
        *self = again;
        Ok(())
    }

    /// The session's own definitions.
    pub fn own_text(&self) -> String {
        self.items
            .iter()
            .skip(1)
            .map(|item| item.text.as_str())
            .collect()
    }

    fn text(&self) -> String {
        self.items.iter().map(|item| item.text.as_str()).collect()
    }

    fn publish(&mut self) {
        let text = self.text();
        self.project.files.set_text(&self.key, &text);
        self.project.load_includes();
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
    /// adds nothing then; or warnings and the signatures that were found out.
    pub fn define(&mut self, text: &str) -> Result<(Findings, Vec<String>), Findings> {
        let text = aligned(text);
        let new: Vec<Item> = split(&text)
            .iter()
            .map(|item| item_of(item, &text))
            .collect();
        let old = self.items.clone();
        self.last = Some((text.clone(), old.clone()));
        let replaces = |item: &Item| {
            new.iter().any(|other| match other.kind {
                OutlineKind::Clause | OutlineKind::Other => false,
                OutlineKind::Signature => {
                    matches!(item.kind, OutlineKind::Signature | OutlineKind::Clause)
                        && item.name == other.name
                }
                _ => (item.kind, item.name) == (other.kind, other.name),
            })
        };
        let first = self.items.remove(0);
        self.items.retain(|item| !replaces(item));
        self.items.insert(0, first);
        let added = self.items.len();
        self.items.extend(new);
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
        let (errors, warnings) = self.findings(new_start);
        if errors.findings.is_empty() {
            return Ok((warnings, signatures));
        }
        self.items = old;
        self.publish();
        Err(errors)
    }

    /// Adds a line to the definitions that were given last, if it makes good ones of them: who pastes
    /// into a terminal that does not say so gives one line after the other.
    pub fn go_on(&mut self, line: &str) -> Option<(Findings, Vec<String>)> {
        let last = self.last.clone()?;
        let (text, before) = &last;
        let now = std::mem::replace(&mut self.items, before.clone());
        match self.define(&format!("{text}  {line}")) {
            Ok(found) => Some(found),
            Err(_) => {
                self.items = now;
                self.last = Some(last);
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

    /// The errors in the session's file, and the warnings from an offset on that matter in one.
    fn findings(&self, from: usize) -> (Findings, Findings) {
        let snapshot = self.project.files.snapshot();
        let (mut errors, mut warnings) = (Vec::new(), Vec::new());
        for problem in self.diagnostics(&snapshot) {
            let start = usize::from(snapshot.range(problem.location).start());
            // Clauses may follow, and so may uses.
            let early = problem.code.marks().unfinished;
            match problem.severity {
                Severity::Error => errors.push(problem),
                Severity::Warning if start >= from && !early => warnings.push(problem),
                _ => {}
            }
        }
        let placed = |found| Findings::of(&snapshot, &self.project.names, found);
        (placed(errors), placed(warnings))
    }
}

fn is_signature(item: &OutlineItem) -> bool {
    item.kind == OutlineKind::Signature
}

fn item_of(item: &OutlineItem, text: &str) -> Item {
    let mut text = item.text(text).trim_matches('\n').to_owned();
    text.push('\n');
    Item {
        kind: item.kind,
        name: item.name,
        text,
    }
}
