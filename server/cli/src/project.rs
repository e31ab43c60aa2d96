//! The files of a project, as the arguments name them.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::diagnostics::{Code, similar_name};
use frank_analysis::files::Files;
use frank_analysis::program::direct_includes;
use frank_syntax::lines::unified;
use frank_syntax::outline::split;
use frank_syntax::visible::visible;
use frank_workspace::config::{self, Found, Holes};
use frank_workspace::discover::{Links, ProblemKind, Program, discover};
use frank_workspace::disk::System;
use frank_workspace::includes::{Unreadable, load_includes};
use frank_workspace::paths::{absolute, has_key, is_frank, key, program_name};
use frank_workspace::read::{Named, ReadError, read_file, read_source, read_text};
use frank_workspace::watch::Watched;
use frank_workspace::writable::Writable;

use crate::args::ProjectArgs;
use crate::names::Names;
use crate::origins::Origins;
use crate::output::complain;
use crate::source::{Position, Source, Texts};

/// Why links are not followed.
pub const LINK_LOOP: &str = "not searched again: the link leads to a directory around it";
pub const LEADS_OUT: &str = "not searched: the link leads out of the project; what it leads to is \
                             searched if it is named";

/// The path that means standard input.
pub const STDIN_PATH: &str = "-";

/// The files of a project and how they are called.
pub struct Project {
    pub files: Files,
    pub names: Names,
    /// Where parts of the texts come from that a session has put together.
    pub origins: Origins,
    pub config: Found,
    /// What holes count as, whatever the configuration says.
    holes: Option<Holes>,
    args: ProjectArgs,
    paths: Vec<PathBuf>,
    stdin: Option<String>,
    /// The files that the arguments stand for, in their order, as analysis knows them.
    asked: Vec<String>,
    /// Files that could not be read, and what is wrong with the configuration.
    pub problems: Vec<Problem>,
    /// How many programs `.gitignore` and `.ignore` have left out.
    pub left_out: usize,
    /// Unfinished files of this program in the directories that were searched.
    pub drafts: Vec<PathBuf>,
    /// Where included files could be and are not.
    pub absent: HashSet<String>,
    /// Included files that are there and could not be read.
    pub unreadable: Unreadable,
}

/// Trouble with a file as such.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file or directory, as analysis knows it.
    pub file: String,
    /// Where in the file the trouble is, if it is about a part of it.
    pub at: Option<Position>,
    /// What is wrong, in words that follow the file's name.
    pub message: String,
    /// Whether it counts, or is only worth mentioning.
    pub serious: bool,
}

impl Problem {
    /// Trouble with a whole file that counts.
    pub fn new(file: String, message: impl ToString) -> Problem {
        Problem {
            file,
            at: None,
            message: message.to_string(),
            serious: true,
        }
    }

    /// All of it, as a line for people.
    pub fn text(&self, names: &Names) -> String {
        let (name, message) = (names.visible(&self.file), visible(&self.message));
        match self.at {
            Some(at) => format!("{name}:{}:{}: {message}", at.line, at.column),
            None => format!("{name}: {message}"),
        }
    }
}

impl Project {
    /// What is at some paths, read for the first time.
    pub fn open(paths: &[PathBuf], args: &ProjectArgs) -> Project {
        let paths = if paths.is_empty() {
            vec![PathBuf::from(".")]
        } else {
            paths.to_vec()
        };
        let mut project = Project::new(paths, args);
        project.refresh();
        project
    }

    fn new(paths: Vec<PathBuf>, args: &ProjectArgs) -> Project {
        let mut names = Names::new();
        for path in paths
            .iter()
            .filter(|path| !is_stdin(path))
            .chain(&args.include)
        {
            names.learn(path);
        }
        Project {
            files: Files::new(None),
            names,
            origins: Origins::default(),
            config: Found::default(),
            holes: None,
            args: args.clone(),
            paths,
            stdin: None,
            asked: Vec::new(),
            problems: Vec::new(),
            left_out: 0,
            drafts: Vec::new(),
            absent: HashSet::new(),
            unreadable: Unreadable::new(),
        }
    }

    /// No files, for now.
    pub fn empty(args: &ProjectArgs) -> Project {
        let mut project = Project::new(Vec::new(), args);
        project.configure();
        project
    }

    /// Reads everything again. Gives the files that came, went or changed.
    pub fn refresh(&mut self) -> BTreeSet<String> {
        self.problems.clear();
        let mut changed = BTreeSet::new();
        if self.configure() {
            changed.extend(self.config.path.as_deref().map(key));
        }
        let mut new: Vec<(String, String)> = Vec::new();
        let mut wanted: HashSet<String> = HashSet::new();
        self.asked.clear();
        let named: Vec<PathBuf> = self.paths.clone();
        if named.iter().any(|path| is_stdin(path)) {
            let (key, text) = (self.names.stdin_key(), self.read_stdin());
            self.asked.push(key.clone());
            wanted.insert(key.clone());
            self.update(key, text, &mut new, &mut changed);
        }
        let paths = named.iter().map(PathBuf::as_path);
        let search = self.args.search.search(Links::InProject);
        let discovery = discover(paths.filter(|path| !is_stdin(path)), search);
        self.left_out = discovery.left_out;
        self.drafts = discovery.drafts;
        for problem in discovery.problems {
            let (message, serious) = match problem.what {
                ProblemKind::Unreadable(error) => (why(&key(&problem.path), &error), true),
                ProblemKind::LinkLoop => (LINK_LOOP.to_owned(), false),
                ProblemKind::LeadsOut => (LEADS_OUT.to_owned(), false),
            };
            self.problems.push(Problem {
                file: key(&problem.path),
                at: None,
                message,
                serious,
            });
        }
        for Program { path, named } in discovery.files {
            let key = key(&path);
            let text = read_file(&System, &path, named);
            if text.is_ok() {
                self.asked.push(key.clone());
            }
            wanted.insert(key.clone());
            self.update(key, text, &mut new, &mut changed);
        }
        // Files that are known because others include them.
        let known: Vec<String> = self.user_files().map(|file| self.path(file)).collect();
        for key in known.into_iter().filter(|key| !wanted.contains(key)) {
            let text = read_source(Path::new(&key));
            self.update(key, text, &mut new, &mut changed);
        }
        let texts: Vec<(String, &str)> = new
            .iter()
            .map(|(key, text)| (key.clone(), text.as_str()))
            .collect();
        if !texts.is_empty() {
            self.files.add(&texts);
        }
        self.follow_includes(&mut changed);
        changed
    }

    /// Reads the configuration that the arguments name, or the nearest one around the first path.
    /// Gives whether it has changed.
    fn configure(&mut self) -> bool {
        let found = match &self.args.config {
            Some(path) => config::load(path, Named::ByUser),
            None => {
                let first = self.paths.iter().find(|path| !is_stdin(path));
                config::find(&directory_of(
                    first.map_or(Path::new("."), PathBuf::as_path),
                ))
            }
        };
        let found = found.unwrap_or_else(|(path, error)| {
            self.serious(key(&path), None, error);
            Found::default()
        });
        let path = found.path.as_deref().map(key).unwrap_or_default();
        let source = Source::new(self.names.show(&path), path, found.text.clone());
        for mistake in &found.mistakes {
            let at = source.position(mistake.range.start);
            self.serious(source.key.clone(), Some(at), &mistake.message);
        }
        let mut include: Vec<String> = Vec::new();
        for dir in self.args.include.clone() {
            if !dir.is_dir() {
                let message = "there is no such directory to include from";
                self.serious(key(&dir), None, message);
            } else if !has_key(&dir) {
                self.serious(key(&dir), None, ReadError::Name);
            }
            include.push(key(&dir));
        }
        include.extend(found.config.include_keys());
        self.files.set_include_dirs(include);
        let changed = found.text != self.config.text;
        self.config = found;
        self.apply_holes();
        changed
    }

    /// Has holes count as something, whatever the configuration says; `None` leaves it to that.
    pub fn set_holes(&mut self, holes: Option<Holes>) {
        self.holes = holes;
        self.apply_holes();
    }

    fn apply_holes(&mut self) {
        if let Some(holes) = self.holes {
            let severity = Some(holes.severity());
            self.config.config.severity.insert(Code::Hole, severity);
        }
    }

    fn serious(&mut self, file: String, at: Option<Position>, message: impl ToString) {
        let problem = Problem {
            at,
            ..Problem::new(file, message)
        };
        // A file may be named, and included, too.
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Reads what the known files include and is not known yet, and forgets nothing.
    pub fn load_includes(&mut self) {
        self.absent = self.read_includes(&mut BTreeSet::new());
    }

    /// Reads the files that others include. Gives where they could be and are not.
    fn read_includes(&mut self, changed: &mut BTreeSet<String>) -> HashSet<String> {
        let from: Vec<SourceFile> = self.user_files().collect();
        let loaded = load_includes(&mut self.files, &from, |path| read_source(Path::new(path)));
        for file in &loaded.files {
            changed.insert(self.path(*file));
        }
        for (path, error) in &loaded.unreadable {
            self.serious(path.clone(), None, error);
        }
        self.unreadable = loaded.unreadable;
        loaded.absent
    }

    fn follow_includes(&mut self, changed: &mut BTreeSet<String>) {
        self.absent = self.read_includes(changed);
        // What nothing includes any more goes.
        let mut reached: HashSet<SourceFile> = HashSet::new();
        let mut next: Vec<SourceFile> = self.asked();
        while let Some(file) = next.pop() {
            if reached.insert(file) {
                next.extend(direct_includes(self.files.db(), file).iter().copied());
            }
        }
        let gone: Vec<SourceFile> = self
            .user_files()
            .filter(|file| !reached.contains(file))
            .collect();
        for path in gone
            .into_iter()
            .map(|file| self.path(file))
            .collect::<Vec<_>>()
        {
            self.files.remove(&path);
            changed.insert(path);
        }
    }

    /// Takes over what was read of a file.
    fn update(
        &mut self,
        key: String,
        text: Result<String, ReadError>,
        new: &mut Vec<(String, String)>,
        changed: &mut BTreeSet<String>,
    ) {
        match (text, self.files.file(&key)) {
            (Ok(text), Some(file)) => {
                let kept = self.files.text(file);
                // Of a file that has comments alone nothing is kept.
                let same = kept == unified(&text) || (kept.is_empty() && split(&text).is_empty());
                if !same {
                    self.files.set_text(&key, &text);
                    changed.insert(key);
                }
            }
            (Ok(text), None) => {
                changed.insert(key.clone());
                new.push((key, text));
            }
            (Err(error), file) => {
                let named = self.asked.contains(&key) || file.is_none();
                if file.is_some() {
                    self.files.remove(&key);
                    changed.insert(key.clone());
                }
                // That an included file is gone is a finding at its `include`.
                if named || error != ReadError::NotFound {
                    let message = why(&key, &error);
                    self.serious(key, None, message);
                }
            }
        }
    }

    fn read_stdin(&mut self) -> Result<String, ReadError> {
        if let Some(text) = &self.stdin {
            return Ok(text.clone());
        }
        let text = read_text(std::io::stdin().lock(), 0)?;
        self.stdin = Some(text.clone());
        Ok(text)
    }

    fn user_files(&self) -> impl Iterator<Item = SourceFile> + '_ {
        let workspace = frank_analysis::db::Workspace::get(self.files.db());
        workspace.files(self.files.db()).values().copied()
    }

    /// The files that the arguments stand for.
    pub fn asked(&self) -> Vec<SourceFile> {
        self.asked
            .iter()
            .filter_map(|key| self.files.file(key))
            .collect()
    }

    /// All files of the user's: those asked for in the order of the arguments, then what they include.
    pub fn all(&self) -> Vec<SourceFile> {
        let mut all = self.asked();
        let asked: HashSet<SourceFile> = all.iter().copied().collect();
        all.extend(self.user_files().filter(|file| !asked.contains(file)));
        all
    }

    fn path(&self, file: SourceFile) -> String {
        file.path(self.files.db()).to_owned()
    }

    /// Reports everything that is wrong with the files as such. Gives whether any of it counts.
    pub fn report_problems(&self) -> bool {
        report(&self.problems, &self.names)
    }

    /// Which files may be changed without being asked about.
    pub fn writable(&self) -> Writable {
        let named = self.paths.iter().filter(|path| !is_stdin(path));
        Writable::around(named.map(PathBuf::as_path))
    }

    /// The directories that matter to what is checked, and the files that the arguments name.
    pub fn watched(&self) -> Watched {
        let named = self.paths.iter().filter(|path| !is_stdin(path));
        let files = named.clone().chain(&self.args.config);
        let files = files.map(|path| absolute(path)).collect();
        let mut all: BTreeSet<PathBuf> = named.map(|path| directory_of(path)).collect();
        let known = self.user_files().map(|file| self.path(file));
        let unread = self.absent.iter().chain(self.unreadable.keys()).cloned();
        for file in known.chain(unread) {
            all.extend(Path::new(&file).parent().map(Path::to_owned));
        }
        all.extend(
            self.config
                .path
                .as_deref()
                .and_then(Path::parent)
                .map(Path::to_owned),
        );
        all.retain(|directory| directory.is_dir());
        Watched {
            directories: all,
            files,
        }
    }
}

impl Project {
    /// Where an item begins, as a file and a line for people.
    pub fn place(&self, item: ItemSource) -> String {
        let snapshot = self.files.snapshot();
        let path = item.file(snapshot.db()).path(snapshot.db());
        let start = snapshot.place(item).map_or(0, |place| place.token_start());
        let line = self.source(path).map(|source| source.position(start).line);
        format!("{}:{}", self.names.visible(path), line.unwrap_or(1))
    }
}

impl Texts for Project {
    fn source(&self, path: &str) -> Option<Source> {
        let file = self.files.file(path);
        let file = file.or_else(|| self.files.library_file(path))?;
        let (name, text) = (self.names.show(path), self.files.text(file));
        Some(Source::new(name, path.to_owned(), text))
    }

    fn origins(&self) -> Option<&Origins> {
        Some(&self.origins)
    }
}

/// Reports problems to people. Gives whether any of them counts.
pub fn report(problems: &[Problem], names: &Names) -> bool {
    for problem in problems {
        complain(format_args!("{}", problem.text(names)));
    }
    problems.iter().any(|problem| problem.serious)
}

/// Why a file cannot be read, with what its name may be a misspelling of.
fn why(key: &str, error: &ReadError) -> String {
    let similar = match error {
        ReadError::NotFound => similar_file(key),
        _ => None,
    };
    let advice = similar.map(|name| format!(": did you mean `{name}`?"));
    format!("{error}{}", advice.unwrap_or_default())
}

/// The name of a file beside one that is not there, if that is a misspelling of it.
fn similar_file(key: &str) -> Option<String> {
    let path = Path::new(key);
    let entries = std::fs::read_dir(path.parent()?).ok()?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let programs = paths.filter(|path| is_frank(path));
    let named = programs.filter_map(|path| {
        let file = path.file_name()?.to_str()?.to_owned();
        Some((program_name(&path)?.to_str()?.to_owned(), file))
    });
    let named: Vec<(String, String)> = named.collect();
    let names = named.iter().map(|(name, _)| name.as_str());
    let similar = similar_name(program_name(path)?.to_str()?, names)?.to_owned();
    let mut named = named.into_iter();
    named.find_map(|(name, file)| (name == similar).then_some(file))
}

pub fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN_PATH)
}

/// A directory, or the one that a file is in.
fn directory_of(path: &Path) -> PathBuf {
    let path = absolute(path);
    if path.is_dir() {
        path
    } else {
        path.parent().unwrap_or(Path::new("/")).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_is_new() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let write = |name: &str, text: &str| {
            std::fs::write(dir.path().join(name), text).expect("a file");
        };
        write("a.fk", "\u{feff}-- about a\na : {Int}\n\n-- end");
        write("comments.fk", "-- nothing else\n");
        write("empty.fk", "");
        let mut project = Project::open(&[dir.path().to_owned()], &ProjectArgs::default());
        assert_eq!(project.refresh(), BTreeSet::new());
        write("comments.fk", "b : {Int}\n");
        assert_eq!(project.refresh().len(), 1);
        assert_eq!(project.refresh(), BTreeSet::new());
    }
}
