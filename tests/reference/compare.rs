//! Puts one program to both checkers and compares what they say.
//!
//! What is compared is as much as does not depend on how far a checker gets in a clause that is
//! wrong: the same declarations and the same clauses have to be wrong, however many errors each has.
//! Where declarations are wrong, only they are compared, because clauses that use them may or may
//! not be judged then; the parser, which both share, has its own tests, so programs that do not
//! parse are not compared.
//!
//! A mistake that shows in several declarations, or in several clauses of an operator is reported once. So which clauses are wrong
//! is asked of the analysis itself, before it makes messages; and the messages have to report each of
//! them: by an error in it, or by a note in it of another error of the same operator.

use std::collections::{BTreeSet, HashMap};

use frank_analysis::db::ItemSource;
use frank_analysis::diagnostics::Code;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_analysis::infer::infer_operator;
use frank_analysis::program::{Definition, OperatorDef};
use frank_analysis::program_roots::programs_of;
use frank_syntax::ast::Symbol;
use frank_syntax::lexer::{Kind, lex};
use frank_syntax::outline::OutlineKind;
use frank_tests::project_root;

use crate::rules::{Fault, Reference, TOO_MANY, Verdict, roots};

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

/// After so many notes a message does not go on to name places of the same mistake.
const MOST_NOTES: usize = 8;

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
    /// error says what each of them finds if they disagree.
    pub fn compare(&mut self, program: &[(String, String)]) -> Result<Agreement, String> {
        let mut declarations = BTreeSet::new();
        let mut clauses = BTreeSet::new();
        let mut faults_there = Vec::new();
        for root in roots(program) {
            let (into, faults) = match self.reference.judge(program, root) {
                Verdict::NoProgram => return Ok(Agreement::NoProgram),
                Verdict::Declarations(faults) => (&mut declarations, faults),
                Verdict::Clauses(faults) => (&mut clauses, faults),
            };
            into.extend(faults.iter().map(|one| (one.file.clone(), one.item)));
            faults_there.extend(faults);
        }
        let analysis = self.analyse(program);
        let found: BTreeSet<Place> = analysis
            .findings
            .iter()
            .map(|one| one.place.clone())
            .collect();
        if declarations.is_empty() && clauses.is_empty() && found.is_empty() {
            return Ok(Agreement::Right);
        }
        let (expected, here, unreported) = if declarations.is_empty() {
            let wrong = self.wrong_clauses(&analysis);
            let mut unreported = wrong.clone();
            unreported.retain(|place| !analysis.reports(place));
            // A port that does not say what it handles is the mistake, not the callers that rely on it.
            let at = |place: &Place| {
                let mut faults = faults_there.iter();
                faults.find(|one| (&one.file, one.item) == (&place.0, place.1))
            };
            unreported
                .retain(|place| !at(place).is_some_and(|fault| analysis.tells_of_port(fault)));
            // Nor is a call that has as many arguments as the clauses have patterns: the signature is.
            unreported
                .retain(|place| !at(place).is_some_and(|fault| analysis.tells_of_clauses(fault)));
            // Nor is what rests on a signature in which a variable should be a type: that is mended first.
            unreported.retain(|place| !analysis.rests_on_signature(place));
            // Nor is a computation that is handed to a clause which applies it: the signature, which says that it is a
            // value, is.
            unreported
                .retain(|place| !at(place).is_some_and(|fault| analysis.tells_of_applied(fault)));
            unreported.extend(found.difference(&wrong).cloned());
            (clauses, wrong, unreported)
        } else {
            // A clause is none of the declarations, unless it is one without a signature.
            let mut declared = found;
            let of_clauses = analysis.findings.iter().filter(|one| one.in_clause);
            for one in of_clauses.filter(|one| !declarations.contains(&one.place)) {
                declared.remove(&one.place);
            }
            let told = faults_there
                .iter()
                .filter(|one| analysis.tells_of_cause(one));
            let told: Vec<Place> = told.map(|one| (one.file.clone(), one.item)).collect();
            declarations.retain(|place| declared.contains(place) || !told.contains(place));
            (declarations, declared, BTreeSet::new())
        };
        if expected == here && unreported.is_empty() {
            return Ok(Agreement::Wrong);
        }
        let texts = program
            .iter()
            .map(|(name, text)| format!("--- {name}\n{text}"));
        let messages = analysis.findings.iter().map(|one| one.message.as_str());
        let messages: Vec<&str> = messages.collect();
        Err(format!(
            "{}\nthe reference: {expected:?}\n  {faults_there:?}\nthe analysis: {here:?}\n  {}\n\
             no message reports these, or they are not wrong: {unreported:?}",
            texts.collect::<String>(),
            messages.join("\n  ")
        ))
    }

    /// As [`compare`](Judges::compare), for a program of one file.
    pub fn compare_text(&mut self, text: &str) -> Result<Agreement, String> {
        self.compare(&[("main.fk".to_owned(), text.to_owned())])
    }

    /// What the analysis says about all files of a program.
    fn analyse(&mut self, program: &[(String, String)]) -> Analysis {
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
        let mut items = HashMap::new();
        for (name, _) in program {
            let file = self.files.file(name).expect("the file was set");
            for (index, entry) in file.outline(db).iter().enumerate() {
                let is_of_operator =
                    matches!(entry.kind, OutlineKind::Signature | OutlineKind::Clause);
                let item = Item {
                    place: (name.clone(), index),
                    operator: entry.name.filter(|_| is_of_operator),
                    declares: entry.name.filter(|_| !is_of_operator),
                    is_clause: entry.kind == OutlineKind::Clause,
                    text: entry.item.text(db).to_owned(),
                };
                items.insert(entry.item, item);
            }
        }
        let mut findings = Vec::new();
        for (name, _) in program {
            let file = self.files.file(name).expect("the file was set");
            for problem in file_diagnostics(db, file) {
                if !problem.is_error() {
                    continue;
                }
                let item = &items[&problem.location.item];
                let related = problem.related.iter();
                let all: Vec<&Item> = related
                    .filter_map(|one| items.get(&one.location.item))
                    .collect();
                let noted = all.iter().filter(|one| one.operator == item.operator);
                let noted: Vec<&Item> = noted.copied().collect();
                // A declaration that is the mistake is one of what takes its arguments.
                let mut related = problem.related.iter();
                let right = ["this would be right then", "this would fit then"];
                let is_right = |said: &str| right.iter().any(|right| said.starts_with(right));
                let taken = related.find(|one| is_right(&one.message));
                let taken = taken.and_then(|one| items.get(&one.location.item));
                let tells = problem.cause.is_some() || taken.is_some();
                let for_cause = all.iter().filter(|_| tells);
                // A variable of a signature that should be a type is the mistake of the clause that shows it.
                let names_no_type = problem.code == Code::UnknownType
                    && problem.message.contains("is a type variable");
                // As is a port of a signature whose commands no clause can handle.
                let handles_nothing = problem.code == Code::CommandNotHandled && !item.is_clause;
                let shows_in_clause = names_no_type || handles_nothing;
                let mut clauses = noted.iter().filter(|one| one.is_clause);
                let item = match clauses.next() {
                    Some(clause) if shows_in_clause => clause,
                    _ => taken.unwrap_or(item),
                };
                findings.push(Finding {
                    notes: noted.iter().map(|one| one.place.clone()).collect(),
                    with_cause: for_cause.map(|one| one.place.clone()).collect(),
                    // Of those who use a wrong declaration it names one.
                    is_full: problem.related.len() >= MOST_NOTES || taken.is_some(),
                    place: item.place.clone(),
                    operator: item.operator,
                    declares: item.declares,
                    in_clause: item.is_clause,
                    names_no_type,
                    applies_value: problem.code == Code::NotAFunction
                        && noted.iter().any(|one| !one.is_clause),
                    message: format!(
                        "{}: {} {}",
                        item.place.1,
                        problem.code.as_str(),
                        problem.message
                    ),
                });
            }
        }
        Analysis { items, findings }
    }

    /// The clauses that the analysis finds wrong before it makes messages.
    fn wrong_clauses(&self, analysis: &Analysis) -> BTreeSet<Place> {
        let db = self.files.db();
        let mut wrong = BTreeSet::new();
        for name in &self.names {
            let file = self.files.file(name).expect("the file was set");
            let operators: BTreeSet<Symbol> = file
                .outline(db)
                .iter()
                .filter_map(|entry| analysis.items[&entry.item].operator)
                .collect();
            for root in programs_of(db, file) {
                for name in &operators {
                    let definition = Definition {
                        scope: *root,
                        name: *name,
                    };
                    let Some(inference) = infer_operator(db, OperatorDef(definition)) else {
                        continue;
                    };
                    let errors = inference.problems.iter().filter(|one| one.is_error());
                    let items = errors.filter_map(|one| analysis.items.get(&one.source()));
                    wrong.extend(items.map(|item| item.place.clone()));
                }
            }
        }
        wrong
    }
}

/// What the analysis says about a program.
struct Analysis {
    items: HashMap<ItemSource, Item>,
    findings: Vec<Finding>,
}

struct Item {
    place: Place,
    /// The operator that it is part of, or the type or interface that it declares.
    operator: Option<Symbol>,
    declares: Option<Symbol>,
    is_clause: bool,
    text: String,
}

/// An error.
struct Finding {
    place: Place,
    operator: Option<Symbol>,
    /// The type or the interface that its item declares.
    declares: Option<Symbol>,
    in_clause: bool,
    /// A variable of the operator's signature should be a type.
    names_no_type: bool,
    /// A clause applies a value that a port has in the signature.
    applies_value: bool,
    /// The other items of the operator that it mentions.
    notes: Vec<Place>,
    /// The items in which the same name is unknown, which is told once in a file.
    with_cause: Vec<Place>,
    /// It has so many notes that it does not go on to mention others.
    is_full: bool,
    message: String,
}

impl Finding {
    /// Whether it says that its cause shows in an item, or does not go on to say where it shows.
    fn has_cause_at(&self, place: &Place) -> bool {
        self.with_cause.contains(place) || (self.is_full && !self.with_cause.is_empty())
    }
}

impl Analysis {
    /// Whether an item names an operator in whose signature a variable is found that should be a type: what is said of
    /// its uses waits until that is right.
    fn rests_on_signature(&self, place: &Place) -> bool {
        self.uses_what(place, |one| one.names_no_type)
    }

    /// Whether a computation is no value of the type that a port has, and a clause of an operator that the item names is
    /// told to apply a value from a port.
    fn tells_of_applied(&self, fault: &Fault) -> bool {
        let place = (fault.file.clone(), fault.item);
        let is_of_computation = fault.reason.starts_with("a computation is no ")
            || fault.reason.starts_with("Thunk(") && fault.reason.contains(") is not ");
        is_of_computation && self.uses_what(&place, |one| one.applies_value)
    }

    /// Whether an item names another operator of which something is found.
    fn uses_what(&self, place: &Place, is_found: impl Fn(&Finding) -> bool) -> bool {
        let mut items = self.items.values();
        let Some(item) = items.find(|item| item.place == *place) else {
            return false;
        };
        let names: BTreeSet<&str> = lex(&item.text)
            .filter_map(|(kind, range)| (kind == Kind::Name).then(|| &item.text[range]))
            .collect();
        let mut findings = self.findings.iter();
        findings.any(|one| {
            let is_named = one
                .operator
                .is_some_and(|name| names.contains(name.as_str()));
            is_found(one) && is_named && item.operator != one.operator
        })
    }

    /// Whether a fault follows from what an error says of another item: a missing file may define
    /// any name, and aliases in a circle are told of once.
    fn tells_of_cause(&self, fault: &Fault) -> bool {
        let mut messages = self.findings.iter().map(|one| &one.message);
        // How many more arguments a declaration takes is open where its head lacks parameters.
        if let Some(name) = fault.reason.strip_suffix(TOO_MANY) {
            let lacks = format!("among the parameters of `{name}`");
            let mut findings = self.findings.iter();
            // Another mistake of the declaration may be told in its place.
            let is_wrong_itself = |one: &Finding| {
                one.declares
                    .is_some_and(|declared| declared.as_str() == name)
            };
            return messages.any(|message| message.contains(&lacks))
                || findings.any(is_wrong_itself);
        }
        match fault.reason.strip_suffix(" is defined through itself") {
            Some(alias) => messages.any(|message| {
                message.contains("FK0113") && message.contains(&format!("`{alias}`"))
            }),
            None => {
                let is_unknown = fault.reason.starts_with("there is no ")
                    || fault.reason.ends_with(" takes no arguments");
                let place = (fault.file.clone(), fault.item);
                let mut findings = self.findings.iter();
                is_unknown
                    && (messages.any(|message| message.contains("FK0105"))
                        || findings.any(|one| one.has_cause_at(&place)))
            }
        }
    }

    /// Whether an instance is missing that a port does not add whose commands it handles.
    fn tells_of_port(&self, fault: &Fault) -> bool {
        let prefixes = ["there are too few ", "too few ", "different numbers of "];
        let mut prefixes = prefixes.iter();
        prefixes
            .find_map(|prefix| fault.reason.strip_prefix(prefix))
            .is_some_and(|interface| {
                let mut messages = self.findings.iter().map(|one| &one.message);
                messages.any(|message| {
                    message.contains("FK0306") && message.contains(&format!("`{interface}`"))
                })
            })
    }

    /// Whether the clauses of an operator are told to have another number of patterns than its signature, where
    /// a call has another number of arguments.
    fn tells_of_clauses(&self, fault: &Fault) -> bool {
        let mut messages = self.findings.iter().map(|one| &one.message);
        fault.reason == "a wrong number of arguments"
            && messages.any(|message| {
                message.contains("FK0207") && message.contains("but this clause has")
            })
    }

    /// Whether an error stands in an item, or has a note there.
    fn reports(&self, place: &Place) -> bool {
        let mut items = self.items.values();
        let operator = items
            .find(|item| item.place == *place)
            .and_then(|item| item.operator);
        self.findings.iter().any(|one| {
            one.place == *place
                || one.notes.contains(place)
                || one.has_cause_at(place)
                || (one.is_full && one.operator == operator)
        })
    }
}
