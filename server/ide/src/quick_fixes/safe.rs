//! Applies all safe fixes at once, for `frank check --fix` and for editors that fix a file on saving.
//!
//! The finding says whether a fix is the only one. Whether it makes no other error is found out by
//! trying: the fixes are applied, the programs are checked again, and a fix that brings a new finding
//! is taken back. It stays if the new finding has a safe fix as well: one mistake can hide another. An
//! item that did not parse hides everything about what it defines, so there a fix may bring to light
//! warnings, and errors elsewhere.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use frank_analysis::db::{Db, ItemSource, Origin, SourceFile, Workspace, has_syntax_errors};
use frank_analysis::diagnostics::{Code, Diagnostic, Fix, PossibleCause, Severity};
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_analysis::snapshot::Snapshot;
use frank_syntax::ast::{Symbol, TermKind};
use frank_syntax::lexer::{Kind, lex};
use frank_syntax::parse::parse_term;
use similar::DiffTag;
use similar::algorithms::{Capture, Compact, Replace, myers};

use super::HOLE;
use crate::Analysis;
use crate::refactor::{key, smallest_edit};
use crate::rename::TextEdit;

/// After so many attempts without success, an answer that somebody waits for is given with what has been
/// fixed by then.
const ATTEMPTS: usize = 200;
/// How many new findings in a row a fix may bring, each with a safe fix of its own.
const FOLLOWED: usize = 8;

impl Analysis {
    /// The edits of a file by all safe fixes of its findings, and of the findings that appear then.
    /// `check` gives the findings in a file that count. Fixes that edit other files, or make a
    /// finding anywhere in the file's programs, are left out.
    pub fn safe_edits(
        &self,
        file: SourceFile,
        check: impl Fn(&Snapshot, SourceFile) -> Vec<Diagnostic>,
    ) -> Vec<TextEdit> {
        let found = check(self.snapshot(), file);
        if !found.iter().any(|problem| self.safe_fix(problem).is_some()) {
            return Vec::new();
        }
        let path = file.path(self.db()).to_owned();
        let old = self.snapshot().text(file);
        let roots = self.programs_of_files(std::iter::once(file));
        let mut copy = self.copy_of(&roots, |file| self.snapshot().text(file));
        let check_all = |copy: &Files| self.found_in(copy, &check);
        let may_edit = |other: &str| other == path;
        apply_within(&mut copy, check_all, may_edit, Some(ATTEMPTS));
        let new = copy
            .file(&path)
            .map_or_else(String::new, |file| copy.text(file));
        line_edits(file, &old, &new)
    }

    /// Whether an editor may prefer a fix: it leaves nothing to be written, and, where a text did not parse, what
    /// comes to light with it is no error, or one with a safe fix that is sound as well.
    pub fn is_sound(&self, problem: &Diagnostic, fix: &Fix) -> bool {
        // Fixes of what was checked are made by those who know what follows.
        let is_checked = !problem.code.declaration().marks.unparsed;
        if is_checked && !fix.edits.iter().any(|edit| has_hole(&edit.text)) {
            return true;
        }
        // What fills a hole was tried already, and all that could be wrong with it are the holes it leaves.
        if problem.code == Code::Hole {
            return !fix.edits.iter().any(|edit| leaves_hole(&edit.text));
        }
        let file = problem.location.item.file(self.db());
        let roots = self.programs_of_files(std::iter::once(file));
        let mut copy = self.copy_of(&roots, |file| self.snapshot().text(file));
        let errors = |snapshot: &Snapshot, file: SourceFile| match file.origin(snapshot.db()) {
            Origin::Library => Vec::new(),
            _ => file_diagnostics(snapshot.db(), file)
                .into_iter()
                .filter(Diagnostic::is_error)
                .collect(),
        };
        let mut check = |copy: &Files| self.found_in(copy, errors);
        let found = check(&copy);
        let mut round = Round::of(&copy, &found);
        round.add(&copy, self.attempt(problem, fix));
        round.apply(&mut copy, &mut check, &|_| true, &mut Some(1)) > 0
    }

    /// What `check` gives for all files of a copy of some programs.
    fn found_in(
        &self,
        copy: &Files,
        check: impl Fn(&Snapshot, SourceFile) -> Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        // The copy knows nothing of edits that wait for this answer.
        salsa::Database::unwind_if_revision_cancelled(self.db());
        let snapshot = copy.snapshot();
        let files = Workspace::get(snapshot.db()).files(snapshot.db());
        files
            .values()
            .flat_map(|file| check(&snapshot, *file))
            .collect()
    }

    fn attempt(&self, problem: &Diagnostic, fix: &Fix) -> Attempt {
        let written = |edit: TextEdit| {
            let path = edit.at.file.path(self.db()).to_owned();
            (path, edit.at.range.into(), edit.text)
        };
        Attempt {
            key: key_in(self.db(), problem),
            subject: subject_in(self.db(), problem),
            edits: self.edits_of(fix).into_iter().map(written).collect(),
            unparsed: None,
        }
    }

    /// The fix of a finding, if it is safe.
    fn safe_fix(&self, problem: &Diagnostic) -> Option<Fix> {
        // Looking for more fixes takes time; with one that is not safe, none is the only one.
        if problem.severity == Severity::Hint || problem.fixes.iter().any(|fix| !fix.safe) {
            return None;
        }
        let fixed = self.with_quick_fixes(problem.clone());
        fixed.fixes.into_iter().find(|fix| fix.safe)
    }
}

/// What has become of the safe fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// How many findings were fixed.
    pub fixed: usize,
    /// How many were left, since their fixes would bring other findings.
    pub left: usize,
}

/// Applies the safe fixes of all findings in files that `may_edit` allows, and of the findings that
/// appear then, however many there are. `check` gives all findings that count; in the end there is none
/// that was not there before, but for those that an item hid which did not parse.
pub fn apply_safe_fixes(
    files: &mut Files,
    check: impl FnMut(&Files) -> Vec<Diagnostic>,
    may_edit: impl Fn(&str) -> bool,
) -> Applied {
    apply_within(files, check, may_edit, None)
}

/// As [`apply_safe_fixes`], until so many attempts in a row have failed.
fn apply_within(
    files: &mut Files,
    mut check: impl FnMut(&Files) -> Vec<Diagnostic>,
    may_edit: impl Fn(&str) -> bool,
    patience: Option<usize>,
) -> Applied {
    let mut fixed = 0;
    // Each round leaves fewer syntax errors, or as many and fewer other findings: there is a last one.
    loop {
        let found = check(files);
        let round = Round::new(files, &found, &may_edit);
        let mut attempts = patience;
        let accepted = round.apply(files, &mut check, &may_edit, &mut attempts);
        fixed += accepted;
        if accepted == 0 || attempts == Some(0) {
            let left = round.fixes.len().saturating_sub(accepted);
            return Applied { fixed, left };
        }
    }
}

/// What findings are compared by: the file, the code and the message. Places move.
type Key = (String, Code, String);

fn key_in(db: &dyn Db, problem: &Diagnostic) -> Key {
    let (code, message) = key(problem);
    let file = problem.location.item.file(db);
    (file.path(db).to_owned(), code, message)
}

/// What a finding is about: a file, and the first name in the item, such as that of an operator.
type Subject = (String, String);

fn subject_in(db: &dyn Db, problem: &Diagnostic) -> Subject {
    let item = problem.location.item;
    let text = item.text(db);
    let mut tokens = lex(text);
    let name = tokens.find(|(kind, _)| *kind == Kind::Name);
    let name = name.and_then(|(_, range)| text.get(range));
    let path = item.file(db).path(db);
    (path.to_owned(), name.unwrap_or_default().to_owned())
}

/// Whether a text may leave something to be written.
fn has_hole(text: &str) -> bool {
    lex(text).any(|(_, range)| text.get(range) == Some(HOLE))
}

/// Whether a term has holes in it; what is none, may.
fn leaves_hole(text: &str) -> bool {
    let parsed = parse_term(text);
    let mut terms = parsed.item.terms.iter();
    let is_hole =
        |term: &TermKind| matches!(term, TermKind::Name(name) if name.symbol.is_wildcard());
    !parsed.errors.is_empty() || terms.any(|(_, term)| is_hole(&term.kind))
}

/// How often there is each finding.
type Counts = HashMap<Key, usize>;

/// The findings that a fix may leave.
struct Allowed {
    /// Those that were there before, and are not fixed.
    counts: Counts,
    /// The items that did not parse before.
    unparsed: Vec<Unparsed>,
    /// How often the edited files had each word before.
    words: Rc<BTreeMap<String, Words>>,
}

/// How often a text has each of its words.
type Words = HashMap<String, usize>;

/// An item that does not parse.
#[derive(Clone)]
struct Unparsed {
    /// What it defines.
    name: Symbol,
    /// All words in it: it may define any of them.
    words: Rc<HashSet<String>>,
}

/// Replacements in a file, by its path.
type Edits = Vec<(String, Range<usize>, String)>;

/// A fix that is tried.
struct Attempt {
    /// The finding that it is for.
    key: Key,
    subject: Subject,
    edits: Edits,
    /// The finding's item if that did not parse, and what it hid may come to light.
    unparsed: Option<Unparsed>,
}

/// The fixes that are tried for the findings of one check.
struct Round {
    found: Counts,
    /// No two touch each other.
    fixes: Vec<Attempt>,
    /// The texts without any of the fixes.
    texts: BTreeMap<String, String>,
    /// What is said of these texts in [`Allowed`].
    words: OnceCell<Rc<BTreeMap<String, Words>>>,
}

impl Round {
    fn new<'p>(
        files: &Files,
        problems: impl IntoIterator<Item = &'p Diagnostic>,
        may_edit: &impl Fn(&str) -> bool,
    ) -> Round {
        let problems: Vec<&Diagnostic> = problems.into_iter().collect();
        let analysis = Analysis::new(files.snapshot());
        let mut round = Round::of(files, problems.iter().copied());
        let mut taken: HashMap<String, BTreeMap<usize, usize>> = HashMap::new();
        for problem in problems {
            if !may_edit(problem.location.item.file(files.db()).path(files.db())) {
                continue;
            }
            let Some(fix) = analysis.safe_fix(problem) else {
                continue;
            };
            let mut attempt = analysis.attempt(problem, &fix);
            let free = |(path, range, _): &(String, Range<usize>, String)| {
                let before = taken
                    .get(path)
                    .and_then(|taken| taken.range(..=range.end).next_back());
                let touches = before.is_some_and(|(_, end)| *end >= range.start);
                may_edit(path) && files.file(path).is_some() && !touches
            };
            if !attempt.edits.iter().all(free) {
                continue;
            }
            for (path, range, _) in &attempt.edits {
                let taken = taken.entry(path.clone()).or_default();
                taken.insert(range.start, range.end);
            }
            // What another language's words mean is guessed, and types tell whether it was.
            if problem.code != Code::OtherLanguage {
                attempt.unparsed = unparsed(files.db(), problem.location.item);
            }
            round.add(files, attempt);
        }
        round
    }

    /// What was found, without a fix.
    fn of<'p>(files: &Files, problems: impl IntoIterator<Item = &'p Diagnostic>) -> Round {
        let mut found = Counts::new();
        for problem in problems {
            *found.entry(key_in(files.db(), problem)).or_default() += 1;
        }
        Round {
            found,
            fixes: Vec::new(),
            texts: BTreeMap::new(),
            words: OnceCell::new(),
        }
    }

    fn add(&mut self, files: &Files, attempt: Attempt) {
        for (path, _, _) in &attempt.edits {
            if let (false, Some(file)) = (self.texts.contains_key(path), files.file(path)) {
                self.texts.insert(path.clone(), files.text(file));
            }
        }
        self.fixes.push(attempt);
    }

    /// Applies as many of the fixes as go together. Gives how many.
    fn apply(
        &self,
        files: &mut Files,
        check: &mut impl FnMut(&Files) -> Vec<Diagnostic>,
        may_edit: &impl Fn(&str) -> bool,
        attempts: &mut Option<usize>,
    ) -> usize {
        let mut accepted: Vec<usize> = Vec::new();
        // All at once; where that is not well, in parts.
        let mut work: Vec<Vec<usize>> = vec![(0..self.fixes.len()).collect()];
        while let Some(next) = work.pop() {
            if next.is_empty() || *attempts == Some(0) {
                continue;
            }
            let tried: Vec<usize> = accepted.iter().copied().chain(next.clone()).collect();
            self.write(files, &tried);
            let after = check(files);
            let allowed = self.left(&tried);
            let new = others(files, &after, &allowed);
            if new.is_empty() {
                accepted = tried;
                continue;
            }
            *attempts = attempts.map(|left| left.saturating_sub(1));
            match follow(files, &new, &allowed, check, may_edit) {
                // The texts are others now: what is left is for the next round.
                Ok(more) => return tried.len() + more,
                Err(subjects) => work.extend(self.parts(next, &subjects)),
            }
        }
        self.write(files, &accepted);
        accepted.len()
    }

    /// The parts in which to try some fixes that do not go together, the last one first. Most fixes bring findings
    /// in their own item alone, so those in the items with what is left are told from the others.
    fn parts(&self, fixes: Vec<usize>, left: &HashSet<Subject>) -> Vec<Vec<usize>> {
        let subject = |fix: &usize| self.fixes.get(*fix).map(|fix| &fix.subject);
        let is_left = |fix: &usize| subject(fix).is_some_and(|subject| left.contains(subject));
        let (mut suspects, others): (Vec<usize>, Vec<usize>) = fixes.into_iter().partition(is_left);
        if !others.is_empty() && !suspects.is_empty() {
            return vec![suspects, others];
        }
        // Alone in its item, and among such: it is the reason.
        let mut in_item: HashMap<&Subject, usize> = HashMap::new();
        for subject in suspects.iter().filter_map(subject) {
            *in_item.entry(subject).or_default() += 1;
        }
        let is_alone =
            |fix: &usize| subject(fix).is_some_and(|subject| in_item.get(subject) == Some(&1));
        suspects.retain(|fix| !is_alone(fix));
        let mut first = if others.is_empty() { suspects } else { others };
        if first.len() < 2 {
            return Vec::new();
        }
        let second = first.split_off(first.len() / 2);
        vec![second, first]
    }

    /// Gives the files the texts with some of the fixes.
    fn write(&self, files: &mut Files, fixes: &[usize]) {
        let mut edits: BTreeMap<&str, Vec<(&Range<usize>, &str)>> = BTreeMap::new();
        for fix in fixes.iter().filter_map(|index| self.fixes.get(*index)) {
            for (path, range, text) in &fix.edits {
                edits.entry(path).or_default().push((range, text));
            }
        }
        for (path, old) in &self.texts {
            let mut here = edits.remove(path.as_str()).unwrap_or_default();
            here.sort_by_key(|(range, _)| (range.start, range.end));
            let mut new = String::with_capacity(old.len());
            let mut done = 0;
            for (range, text) in here {
                new.push_str(old.get(done..range.start).unwrap_or_default());
                new.push_str(text);
                done = range.end.max(done);
            }
            new.push_str(old.get(done..).unwrap_or_default());
            files.set_text(path, &new);
        }
    }

    /// What some of the fixes may leave: the findings without those that they are for.
    fn left(&self, fixes: &[usize]) -> Allowed {
        let words = self.words.get_or_init(|| {
            let texts = self.texts.iter();
            Rc::new(
                texts
                    .map(|(path, text)| (path.clone(), counted(text)))
                    .collect(),
            )
        });
        let mut left = Allowed {
            counts: self.found.clone(),
            unparsed: Vec::new(),
            words: words.clone(),
        };
        for fix in fixes.iter().filter_map(|index| self.fixes.get(*index)) {
            if let Some(count) = left.counts.get_mut(&fix.key) {
                *count = count.saturating_sub(1);
            }
            left.unparsed.extend(fix.unparsed.clone());
        }
        left
    }
}

/// The findings beyond those that are allowed.
fn others<'p>(files: &Files, problems: &'p [Diagnostic], allowed: &Allowed) -> Vec<&'p Diagnostic> {
    let mut counts = allowed.counts.clone();
    let is_other = |problem: &&Diagnostic| match counts.get_mut(&key_in(files.db(), problem)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => {
            !was_hidden(files, problem, &allowed.unparsed)
                && !was_unused(files, problem, &allowed.words)
        }
    };
    // What a hint is about was there before, behind the mistake.
    let problems = problems
        .iter()
        .filter(|problem| problem.severity != Severity::Hint);
    problems.filter(is_other).collect()
}

/// Whether a finding could not be seen while some items did not parse: it stands where something is
/// mentioned that they define, or is about a name that they might have defined. An error in such an item
/// itself may be the fix's.
fn was_hidden(files: &Files, problem: &Diagnostic, unparsed: &[Unparsed]) -> bool {
    if unparsed.is_empty() || problem.code.marks().unparsed {
        return false;
    }
    let (_, subject) = subject_in(files.db(), problem);
    let is_own = |item: &Unparsed| item.name.as_str() == subject;
    if problem.is_error() && unparsed.iter().any(is_own) {
        return false;
    }
    let here = words(problem.location.item.text(files.db()));
    unparsed.iter().any(|item| {
        let may_define = |cause: PossibleCause| item.words.contains(cause.name.as_str());
        here.contains(item.name.as_str()) || problem.cause.is_some_and(may_define)
    })
}

/// Whether an operator is not used that was not before, either: nobody said so beside an error.
fn was_unused(files: &Files, problem: &Diagnostic, before: &BTreeMap<String, Words>) -> bool {
    let file = problem.location.item.file(files.db());
    let (_, name) = subject_in(files.db(), problem);
    let had = before.get(file.path(files.db()));
    problem.code == Code::UnusedOperator
        && had.is_none_or(|had| had.get(&name) == counted(&files.text(file)).get(&name))
}

/// What is known of an item that does not parse; `None` for one that does.
fn unparsed(db: &dyn Db, source: ItemSource) -> Option<Unparsed> {
    if !has_syntax_errors(db, source) {
        return None;
    }
    let mut entries = source.file(db).outline(db).iter();
    Some(Unparsed {
        name: entries.find(|entry| entry.item == source)?.name?,
        words: Rc::new(words(source.text(db))),
    })
}

fn words(text: &str) -> HashSet<String> {
    counted(text).into_keys().collect()
}

fn counted(text: &str) -> Words {
    let tokens = lex(text).filter(|(kind, _)| !kind.is_trivia());
    let mut counts = Words::new();
    for word in tokens.filter_map(|(_, at)| text.get(at)) {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    counts
}

/// Fixes the findings that appeared after a fix, and those that appear then, until only the allowed
/// ones are left. Gives how many were fixed, or where findings are without a safe fix.
fn follow(
    files: &mut Files,
    new: &[&Diagnostic],
    allowed: &Allowed,
    check: &mut impl FnMut(&Files) -> Vec<Diagnostic>,
    may_edit: &impl Fn(&str) -> bool,
) -> Result<usize, HashSet<Subject>> {
    let mut new: Vec<Diagnostic> = new.iter().map(|problem| (*problem).clone()).collect();
    let mut fixed = 0;
    for _ in 0..FOLLOWED {
        if new.is_empty() {
            return Ok(fixed);
        }
        let round = Round::new(files, &new, may_edit);
        if round.fixes.len() < new.len() {
            let mut left: HashSet<Subject> = subjects(files, &new).collect();
            for fix in &round.fixes {
                left.remove(&fix.subject);
            }
            return Err(left);
        }
        let all: Vec<usize> = (0..round.fixes.len()).collect();
        round.write(files, &all);
        fixed += all.len();
        let after = check(files);
        new = others(files, &after, allowed)
            .into_iter()
            .cloned()
            .collect();
    }
    match new.is_empty() {
        true => Ok(fixed),
        false => Err(subjects(files, &new).collect()),
    }
}

fn subjects(files: &Files, problems: &[Diagnostic]) -> impl Iterator<Item = Subject> {
    problems
        .iter()
        .map(|problem| subject_in(files.db(), problem))
}

/// Edits that make one text of another, each within the lines that differ.
fn line_edits(file: SourceFile, old: &str, new: &str) -> Vec<TextEdit> {
    let (old_lines, new_lines) = (lines(old), lines(new));
    // Where lines begin, and the end of the last one.
    let starts = |lines: &[&str]| -> Vec<usize> {
        let ends = lines.iter().scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        });
        std::iter::once(0).chain(ends).collect()
    };
    let (old_starts, new_starts) = (starts(&old_lines), starts(&new_lines));
    let part = |starts: &[usize], range: Range<usize>| {
        let at = |line: usize| starts.get(line).copied().unwrap_or_default();
        at(range.start)..at(range.end)
    };
    // One algorithm, said here: a choice at run time would link them all, for browsers as well.
    let mut found = Compact::new(Replace::new(Capture::new()), &old_lines[..], &new_lines[..]);
    let (olds, news) = (0..old_lines.len(), 0..new_lines.len());
    let Ok(()) = myers::diff(&mut found, &old_lines[..], olds, &new_lines[..], news);
    let ops = found.into_inner().into_inner().into_ops();
    ops.iter()
        .filter(|op| op.tag() != DiffTag::Equal)
        .filter_map(|op| {
            let before = part(&old_starts, op.old_range());
            let after = part(&new_starts, op.new_range());
            let new = new.get(after).unwrap_or_default();
            smallest_edit(file, old, before, new)
        })
        .collect()
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}
