//! Puts one program to both checkers and compares what they say.
//!
//! What is compared is as much as does not depend on how far a checker gets in an item that is
//! wrong, or on what it takes for granted about it: which items have errors, and how many or which
//! errors an item has, is not compared. Where declarations are wrong, only they are compared,
//! because clauses that use them may or may not be judged then; the parser, which both share, has
//! its own tests, so programs that do not parse are not compared.

use std::collections::BTreeSet;

use frank_analysis::check::file_diagnostics;
use frank_analysis::diagnostics::Code;
use frank_analysis::files::Files;
use frank_syntax::outline::OutlineKind;
use frank_tests::project_root;

use crate::rules::{Reference, Verdict, roots};

/// How far two checkers agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    NoProgram,
    Right,
    Wrong,
}

pub struct Judges {
    pub reference: Reference,
    files: Files,
    names: BTreeSet<String>,
    used: usize,
}

/// An item: its file and its number there.
type Place = (String, usize);

impl Judges {
    pub fn new() -> Judges {
        Judges {
            reference: Reference::new(&project_root().join("server/library")),
            files: Files::new(None),
            names: BTreeSet::new(),
            used: 0,
        }
    }

    /// Compares what the checkers say about a program of some files, each a name and a text. An
    /// error tells what they say if they disagree.
    pub fn compare(&mut self, program: &[(String, String)]) -> Result<Agreement, String> {
        let mut declarations = BTreeSet::new();
        let mut clauses = BTreeSet::new();
        let mut told = Vec::new();
        for root in roots(program) {
            match self.reference.judge(program, root) {
                Verdict::NoProgram => return Ok(Agreement::NoProgram),
                Verdict::Declarations(faults) => {
                    declarations.extend(faults.iter().map(|one| (one.file.clone(), one.item)));
                    told.extend(faults);
                }
                Verdict::Clauses(faults) => {
                    clauses.extend(faults.iter().map(|one| (one.file.clone(), one.item)));
                    told.extend(faults);
                }
            }
        }
        let found = self.analysis(program);
        let mut found_here: BTreeSet<Place> = found.iter().map(|one| one.place.clone()).collect();
        let mut expected = clauses;
        if !declarations.is_empty() {
            // A clause is an item of its own, and none of the declarations, unless it is one
            // without a signature.
            let clauses = found.iter().filter(|one| one.in_clause);
            for one in clauses.filter(|one| !declarations.contains(&one.place)) {
                found_here.remove(&one.place);
            }
            expected = declarations;
        }
        // What a signature's ability lacks is told once; the operator's other clauses that need
        // it may have no error of their own.
        for lacking in found.iter().filter(|one| one.code == Code::MissingAbility) {
            expected
                .retain(|place| found_here.contains(place) || !lacking.siblings.contains(place));
        }
        // So is any other mistake that shows in several clauses, with the others in its notes.
        for one in &found {
            expected.retain(|place| found_here.contains(place) || !one.notes.contains(place));
        }
        if expected == found_here {
            let right = expected.is_empty();
            return Ok(if right {
                Agreement::Right
            } else {
                Agreement::Wrong
            });
        }
        let texts = program
            .iter()
            .map(|(name, text)| format!("--- {name}\n{text}"));
        let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
        Err(format!(
            "{}\nthe reference: {expected:?}\n  {told:?}\nthe analysis: {found_here:?}\n  {}",
            texts.collect::<String>(),
            messages.join("\n  ")
        ))
    }

    /// As [`compare`](Judges::compare), for a program of one file.
    pub fn compare_text(&mut self, text: &str) -> Result<Agreement, String> {
        self.compare(&[("main.fk".to_owned(), text.to_owned())])
    }

    /// What the analysis says about all files of a program.
    fn analysis(&mut self, program: &[(String, String)]) -> Vec<Finding> {
        // What a database has interned stays, so a new one is taken now and then.
        self.used += 1;
        if self.used.is_multiple_of(2000) {
            self.files = Files::new(None);
            self.names.clear();
        }
        let names: BTreeSet<String> = program.iter().map(|(name, _)| name.clone()).collect();
        for old in self.names.difference(&names) {
            self.files.remove(old);
        }
        for (name, text) in program {
            self.files.set_text(name, text);
        }
        self.names = names;
        let db = self.files.db();
        let mut findings = Vec::new();
        for (name, _) in program {
            let file = self.files.file(name).expect("the file was set");
            let outline = file.outline(db);
            for problem in file_diagnostics(db, file) {
                if !problem.is_error() {
                    continue;
                }
                let mut entries = outline.iter().enumerate();
                let found = entries.find(|(_, entry)| entry.item == problem.location.item);
                let (index, entry) = found.expect("errors stand in items");
                let noted = problem.related.iter().filter_map(|related| {
                    let mut entries = outline.iter().enumerate();
                    let is_noted = |entry: &OutlineKind| *entry == OutlineKind::Clause;
                    let found = entries.find(|(_, entry)| {
                        entry.item == related.location.item && is_noted(&entry.kind)
                    });
                    found.map(|(index, _)| (name.clone(), index))
                });
                let all = outline.iter().enumerate();
                let siblings = all.filter(|(_, other)| {
                    other.kind == OutlineKind::Clause && other.name == entry.name
                });
                findings.push(Finding {
                    notes: noted.collect(),
                    place: (name.clone(), index),
                    siblings: siblings.map(|(index, _)| (name.clone(), index)).collect(),
                    code: problem.code,
                    in_clause: entry.kind == OutlineKind::Clause,
                    message: format!("{index}: {} {}", problem.code.as_str(), problem.message),
                });
            }
        }
        findings
    }
}

struct Finding {
    place: Place,
    code: Code,
    /// The clauses of an operator that the item is part of.
    siblings: Vec<Place>,
    /// The other clauses that it mentions.
    notes: Vec<Place>,
    in_clause: bool,
    message: String,
}
