//! Changes of a program, made ready to be offered: laid out in the formatter's style, and tried out
//! on a copy of the program, which must not have any finding that the program does not have.

use std::collections::{BTreeMap, HashMap, HashSet};

use frank_analysis::check::operator_diagnostics;
use frank_analysis::db::{Database, Db, SourceFile, Workspace};
use frank_analysis::diagnostics::{Code, Diagnostic};
use frank_analysis::file_findings::file_diagnostics_in;
use frank_analysis::files::Files;
use frank_analysis::lints;
use frank_analysis::program::scope_files;
use frank_analysis::program_roots::programs_of;
use frank_syntax::ast::Symbol;
use frank_syntax::format::{FormatOptions, format_range};
use frank_syntax::outline::OutlineKind;
use salsa::Database as _;
use text_size::TextRange;

use super::text::push;
use crate::rename::{Refusal, TextEdit};
use crate::view::{by_place, size};
use crate::{Analysis, FileRange, lock};

/// A part of a file and what it becomes.
struct Region {
    old: std::ops::Range<usize>,
    text: String,
}

impl Analysis {
    /// The first of some ways to make a change that leaves the program as right as it was, as edits
    /// in the formatter's style. Once one fails, the next are only of use if a finding of the kind
    /// `unless` made it fail, where there is one.
    pub(super) fn first_sound(
        &self,
        candidates: Vec<Vec<TextEdit>>,
        unless: Option<Code>,
    ) -> Result<Vec<TextEdit>, Refusal> {
        let mut refusal = None;
        for edits in candidates {
            let regions = self.laid_out(&edits);
            match self.try_out_regions(&regions, &[]) {
                Ok(()) => return Ok(edits_of(self, regions)),
                Err((code, why)) => {
                    refusal = refusal.or(Some(why));
                    if unless.is_some_and(|unless| unless != code) {
                        break;
                    }
                }
            }
        }
        Err(refusal.unwrap_or_else(|| Refusal("there is nothing to change here".to_owned())))
    }

    /// Whether edits leave no finding that was not there before, those of a kind in `allowed` aside.
    pub(crate) fn brings_nothing(&self, edits: &[TextEdit], allowed: &[Code]) -> bool {
        self.try_out_regions(&self.laid_out(edits), allowed).is_ok()
    }

    /// The edited items of each file, formatted.
    fn laid_out(&self, edits: &[TextEdit]) -> HashMap<SourceFile, Vec<Region>> {
        let mut by_file: BTreeMap<&str, (SourceFile, Vec<&TextEdit>)> = BTreeMap::new();
        for edit in edits {
            let path = edit.at.file.path(self.db());
            let file = by_file.entry(path).or_insert((edit.at.file, Vec::new()));
            file.1.push(edit);
        }
        by_file
            .into_values()
            .map(|(file, edits)| (file, self.laid_out_file(file, edits)))
            .collect()
    }

    fn laid_out_file(&self, file: SourceFile, mut edits: Vec<&TextEdit>) -> Vec<Region> {
        let text = self.snapshot().text(file);
        edits.sort_by_key(|edit| (edit.at.range.start(), edit.at.range.end()));
        // The items that are touched, each run of neighbours once.
        let mut regions: Vec<std::ops::Range<usize>> = Vec::new();
        for edit in &edits {
            let whole = self.items_around(file, &text, edit.at.range.into());
            match regions.last_mut() {
                Some(last) if whole.start <= last.end => last.end = last.end.max(whole.end),
                _ => regions.push(whole),
            }
        }
        // The whole text as it becomes, and where the regions are in it.
        let mut new = String::with_capacity(text.len() + 64);
        let mut done = 0;
        let mut moved = Vec::new();
        let mut edits = edits.into_iter().peekable();
        for region in &regions {
            new.push_str(text.get(done..region.start).unwrap_or_default());
            let start = new.len();
            let mut part = String::new();
            let mut at = region.start;
            while let Some(edit) =
                edits.next_if(|edit| usize::from(edit.at.range.start()) <= region.end)
            {
                let range = std::ops::Range::<usize>::from(edit.at.range);
                push(&mut part, text.get(at..range.start).unwrap_or_default());
                push(&mut part, &edit.text);
                at = at.max(range.end);
            }
            push(&mut part, text.get(at..region.end).unwrap_or_default());
            new.push_str(&part);
            moved.push(start..new.len());
            done = region.end;
        }
        new.push_str(text.get(done..).unwrap_or_default());
        let options = FormatOptions::default();
        regions
            .into_iter()
            .zip(moved)
            .map(|(old, range)| {
                let formatted = format_range(&new, range.clone(), &options);
                let mut part = String::new();
                let mut done = range.start;
                for edit in formatted.edits {
                    let inside = range.start <= edit.range.start && edit.range.end <= range.end;
                    if inside && done <= edit.range.start {
                        part.push_str(new.get(done..edit.range.start).unwrap_or_default());
                        part.push_str(&edit.text);
                        done = edit.range.end;
                    }
                }
                part.push_str(new.get(done..range.end).unwrap_or_default());
                Region { old, text: part }
            })
            .collect()
    }

    /// The items that an edit touches. Where the paragraph around them is in the formatter's style, so
    /// that what is aligned in it is aligned on purpose, it is looked at as a whole; and an item that
    /// comes to stand where another one was belongs to it, too.
    fn items_around(
        &self,
        file: SourceFile,
        text: &str,
        at: std::ops::Range<usize>,
    ) -> std::ops::Range<usize> {
        let all: Vec<_> = self
            .snapshot()
            .items(file)
            .map(|(_, place)| place)
            .collect();
        let touched =
            |range: &std::ops::Range<usize>| range.start < at.end || range.start <= at.start;
        let first = all.partition_point(|place| place.range.end <= at.start);
        let first = first.min(all.len().saturating_sub(1));
        let end = all
            .partition_point(|place| touched(&place.range))
            .max(first + 1);
        let begins = |index: usize| {
            all.get(index).is_none_or(|place| {
                let own = place.text(text).trim_start_matches([' ', '\t', '\r']);
                place.range.start == 0 || own.starts_with('\n')
            })
        };
        let start = (0..=first).rev().find(|index| begins(*index)).unwrap_or(0);
        let last = (end..=all.len())
            .find(|index| begins(*index))
            .unwrap_or(end);
        let whole = |first: usize, end: usize| {
            let start = all.get(first).map_or(at.start, |place| place.range.start);
            let end = end.checked_sub(1).and_then(|last| all.get(last));
            start.min(at.start)..end.map_or(at.end, |place| place.range.end).max(at.end)
        };
        let paragraph = whole(start, last);
        let options = FormatOptions::default();
        let in_style = format_range(text, paragraph.clone(), &options).is_unchanged();
        let region = if in_style {
            paragraph
        } else {
            whole(first, end)
        };
        // What is behind an item that goes may come to begin the file.
        match region.end == at.end && !at.is_empty() {
            true => region.start..whole(last, last + 1).end.max(region.end),
            false => region,
        }
    }

    /// The roots of the programs that have one of some files.
    pub(crate) fn programs_of_files(
        &self,
        files: impl Iterator<Item = SourceFile>,
    ) -> Vec<SourceFile> {
        let db = self.db();
        let mut roots: Vec<SourceFile> = Vec::new();
        for file in files {
            match programs_of(db, file) {
                [] => roots.push(file),
                programs => roots.extend(programs),
            }
        }
        roots.sort_by_key(|root| root.path(db));
        roots.dedup();
        roots
    }

    /// The files of some programs, with texts of their own, on which things can be tried.
    pub(crate) fn copy_of(
        &self,
        roots: &[SourceFile],
        text: impl Fn(SourceFile) -> String,
    ) -> Files {
        let db = self.db();
        let mut files: Vec<SourceFile> = roots
            .iter()
            .flat_map(|root| scope_files(db, *root).0.iter().copied())
            .collect();
        files.sort_by_key(|file| file.path(db));
        files.dedup();
        let texts: Vec<(String, String)> = files
            .into_iter()
            .map(|file| (file.path(db).to_owned(), text(file)))
            .collect();
        let mut copy = Files::new(None);
        copy.set_include_dirs(Workspace::get(db).include_dirs(db).to_vec());
        let borrowed: Vec<(String, &str)> = texts
            .iter()
            .map(|(path, text)| (path.clone(), text.as_str()))
            .collect();
        copy.add(&borrowed);
        copy
    }

    /// Checks what changes in a copy of the programs that it is part of.
    fn try_out_regions(
        &self,
        changes: &HashMap<SourceFile, Vec<Region>>,
        allowed: &[Code],
    ) -> Result<(), (Code, Refusal)> {
        let db = self.db();
        let roots = self.programs_of_files(changes.keys().copied());
        // A copy that is being changed when this answer is cancelled is not used again.
        let mut copy = self.take_copy(&roots);
        let mut changed = Vec::new();
        for (file, regions) in changes {
            if let Some(own) = copy.file(file.path(db)) {
                changed.push((own, self.snapshot().text(*file), regions));
            }
        }
        for (file, text, regions) in &changed {
            put(&mut copy, *file, text, regions);
        }
        let found = self.compared(&roots, &copy, changes, allowed);
        for (file, text, regions) in &changed {
            take_back(&mut copy, *file, text, regions);
        }
        *lock(&self.tried) = Some((roots, copy));
        found
    }

    /// A copy of some programs as they are, the one that was used last where it is of them.
    fn take_copy(&self, roots: &[SourceFile]) -> Files {
        match lock(&self.tried).take() {
            Some((own, copy)) if own == roots => copy,
            _ => self.copy_of(roots, |file| self.snapshot().text(file)),
        }
    }

    /// Whether a changed copy of some programs has no finding that they do not have.
    fn compared(
        &self,
        roots: &[SourceFile],
        copy: &Files,
        changes: &HashMap<SourceFile, Vec<Region>>,
        allowed: &[Code],
    ) -> Result<(), (Code, Refusal)> {
        let db = self.db();
        for root in roots.iter().copied() {
            let Some(new_root) = copy.file(root.path(db)) else {
                continue;
            };
            let mut names: HashSet<Symbol> = HashSet::new();
            let mut whole: Vec<(SourceFile, SourceFile)> = Vec::new();
            for file in changes.keys() {
                let Some(new_file) = copy.file(file.path(db)) else {
                    continue;
                };
                let declares = changed_names(db, *file, copy.db(), new_file, &mut names);
                if declares {
                    whole.push((*file, new_file));
                }
            }
            // The copy knows nothing of edits that wait for this answer.
            self.db().unwind_if_revision_cancelled();
            let mut before = findings(db, root, &names);
            let mut after = findings(copy.db(), new_root, &names);
            for (old, new) in whole {
                before.extend(keys(&file_diagnostics_in(db, root, old)));
                after.extend(keys(&file_diagnostics_in(copy.db(), new_root, new)));
            }
            if let Some((code, message)) = after
                .into_iter()
                .find(|finding| !allowed.contains(&finding.0) && !before.contains(finding))
            {
                let why = match code {
                    Code::MissingPatterns => {
                        "the clauses would no longer take everything".to_owned()
                    }
                    _ => message,
                };
                return Err((code, Refusal(format!("this cannot be changed here: {why}"))));
            }
        }
        Ok(())
    }
}

/// Changes regions of a file, whose text is `text`.
fn put(copy: &mut Files, file: SourceFile, text: &str, regions: &[Region]) {
    let mut text = text.to_owned();
    for region in regions.iter().rev() {
        text.replace_range(region.old.clone(), &region.text);
        copy.edit(file, text.as_str(), region.old.clone(), region.text.len());
    }
}

/// Takes changes of regions of a file back, so that its text is `old` again.
fn take_back(copy: &mut Files, file: SourceFile, old: &str, regions: &[Region]) {
    let mut text = copy.text(file);
    // Those before a region have their old lengths by then.
    for region in regions {
        let range = region.old.start..region.old.start + region.text.len();
        let before = old.get(region.old.clone()).unwrap_or_default();
        text.replace_range(range.clone(), before);
        copy.edit(file, text.as_str(), range, before.len());
    }
}

/// Collects the operators whose items differ; gives whether a declaration does, or an item is wrong.
fn changed_names(
    db: &Database,
    old: SourceFile,
    new_db: &Database,
    new: SourceFile,
    names: &mut HashSet<Symbol>,
) -> bool {
    let mut texts: HashMap<&str, i32> = HashMap::new();
    for entry in old.outline(db) {
        *texts.entry(entry.item.text(db)).or_default() += 1;
    }
    for entry in new.outline(new_db) {
        *texts.entry(entry.item.text(new_db)).or_default() -= 1;
    }
    let mut declares = false;
    let mut look = |kind: OutlineKind, name: Option<Symbol>, text: &str| {
        if texts.get(text).is_some_and(|count| *count == 0) {
            return;
        }
        match (kind, name) {
            (OutlineKind::Signature | OutlineKind::Clause, Some(name)) => {
                names.insert(name);
            }
            _ => declares = true,
        }
    };
    for entry in old.outline(db) {
        look(entry.kind, entry.name, entry.item.text(db));
    }
    for entry in new.outline(new_db) {
        look(entry.kind, entry.name, entry.item.text(new_db));
    }
    // What is as it was need not be parsed again.
    let is_other = |text: &str| texts.get(text).is_none_or(|count| *count != 0);
    declares
        || new.outline(new_db).iter().any(|entry| {
            is_other(entry.item.text(new_db))
                && frank_analysis::db::has_syntax_errors(new_db, entry.item)
        })
}

fn findings(db: &dyn Db, root: SourceFile, names: &HashSet<Symbol>) -> HashSet<(Code, String)> {
    let operators = names
        .iter()
        .flat_map(|name| keys(operator_diagnostics(db, root, *name)));
    let whole = lints::check_program(db, root).map(key);
    operators.chain(whole).collect()
}

fn keys(problems: &[Diagnostic]) -> Vec<(Code, String)> {
    problems.iter().map(key).collect()
}

/// What findings are compared by. The message about missing clauses has examples, which change with
/// the clauses, so it does not count.
pub(crate) fn key(problem: &Diagnostic) -> (Code, String) {
    match problem.code {
        Code::MissingPatterns => (problem.code, String::new()),
        code => (code, problem.message.clone()),
    }
}

/// Edits that replace as little of each region as may be, in the order of the files.
fn edits_of(analysis: &Analysis, changes: HashMap<SourceFile, Vec<Region>>) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    for (file, regions) in changes {
        let text = analysis.snapshot().text(file);
        let new = regions
            .into_iter()
            .filter_map(|region| smallest_edit(file, &text, region.old, &region.text));
        edits.extend(new);
    }
    let db = analysis.db();
    edits.sort_by(|a, b| by_place(db, a.at, b.at));
    edits
}

/// The edit that puts `new` in place of a range of a file's text, without what the two have in common
/// at their ends; `None` if they are the same.
pub(crate) fn smallest_edit(
    file: SourceFile,
    text: &str,
    range: std::ops::Range<usize>,
    new: &str,
) -> Option<TextEdit> {
    let old = text.get(range.clone()).unwrap_or_default();
    let start: usize = old
        .chars()
        .zip(new.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let (old, new) = (
        old.get(start..).unwrap_or_default(),
        new.get(start..).unwrap_or_default(),
    );
    let end: usize = old
        .chars()
        .rev()
        .zip(new.chars().rev())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let range = range.start + start..range.end - end;
    let new = new.get(..new.len() - end).unwrap_or_default();
    (!range.is_empty() || !new.is_empty()).then(|| TextEdit {
        at: FileRange {
            file,
            range: TextRange::new(size(range.start), size(range.end)),
        },
        text: new.to_owned(),
    })
}
