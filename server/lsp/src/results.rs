//! Results of evaluations, which are shown until there is a newer one.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use frank_analysis::db::SourceFile;
use frank_ide::Analysis;
use frank_ide::evaluate::{self, DerivativeResult, LawResult, RunResult};

/// What kind of thing is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EvaluationKind {
    /// An operator without ports.
    Run,
    /// A smooth operator.
    Derivative,
    /// An application of a derivative operator, by its number in the operator around it.
    Closed(usize),
    /// An example in a comment.
    Example,
    /// A law in a comment.
    Law,
}

/// What a result is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject {
    /// What the file is known by.
    pub key: Arc<str>,
    /// The operator, for an application the one around it, for an example its term, for a law all of it.
    pub name: String,
    pub kind: EvaluationKind,
}

/// The result of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Run(RunResult),
    /// One for each point.
    Derivative(Vec<DerivativeResult>),
    Law(LawResult),
}

impl Outcome {
    /// One line for a lens or a hint.
    pub fn label(&self, stale: bool) -> String {
        match self {
            Outcome::Run(result) => result.label(stale),
            Outcome::Derivative(results) => evaluate::label(results, stale),
            Outcome::Law(result) => result.label(stale),
        }
    }

    fn stamp(&self) -> u64 {
        match self {
            Outcome::Run(result) => result.stamp,
            Outcome::Derivative(results) => results.first().map_or(0, |result| result.stamp),
            Outcome::Law(result) => result.stamp,
        }
    }
}

/// The last result for each subject. Cheap to clone behind an `Arc`.
#[derive(Debug, Clone, Default)]
pub struct Results {
    known: HashMap<Subject, Arc<Outcome>>,
    /// How many results there have been.
    count: u64,
}

impl Results {
    /// Puts a result in the place of an older one.
    pub fn insert(&mut self, subject: Subject, outcome: Outcome) {
        self.known.insert(subject, Arc::new(outcome));
        self.count += 1;
    }

    /// Forgets what is known about some files.
    pub fn forget(&mut self, gone: impl Fn(&Arc<str>) -> bool) {
        self.known.retain(|subject, _| !gone(&subject.key));
    }

    /// The result for a subject.
    pub fn get(&self, subject: &Subject) -> Option<&Outcome> {
        self.known.get(subject).map(|outcome| &**outcome)
    }

    /// All results, in no order.
    pub fn all(&self) -> impl Iterator<Item = (&Subject, &Outcome)> {
        let all = self.known.iter();
        all.map(|(subject, outcome)| (subject, &**outcome))
    }

    /// What the files are known by that there are results for; one may come more than once.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(|subject| &*subject.key)
    }

    /// The results for a file, in an order of their own.
    pub fn of_file(&self, key: &str) -> Vec<(&Subject, &Outcome)> {
        let own = self
            .known
            .iter()
            .filter(|(subject, _)| &*subject.key == key);
        let mut own: Vec<_> = own
            .map(|(subject, outcome)| (subject, &**outcome))
            .collect();
        own.sort_by_key(|(subject, _)| *subject);
        own
    }

    /// The point at which a derivative was evaluated last.
    pub fn last_point(&self, subject: &Subject) -> Option<&[String]> {
        match self.get(subject)? {
            Outcome::Derivative(results) => Some(&results.last()?.at),
            Outcome::Run(_) | Outcome::Law(_) => None,
        }
    }

    /// A number that changes when there is a new result, or one goes out of date.
    pub fn state(&self, analysis: &Analysis) -> u64 {
        if self.known.is_empty() {
            return self.count;
        }
        let mut subjects: Vec<&Subject> = self.known.keys().collect();
        subjects.sort();
        let mut hasher = DefaultHasher::new();
        self.count.hash(&mut hasher);
        for subject in subjects {
            let file = analysis.snapshot().file(&subject.key);
            let stale = file
                .zip(self.get(subject))
                .map(|(file, outcome)| is_stale(analysis, file, subject, outcome));
            stale.hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// Whether something that a result depends on has changed since.
pub fn is_stale(
    analysis: &Analysis,
    file: SourceFile,
    subject: &Subject,
    outcome: &Outcome,
) -> bool {
    let name = &subject.name;
    let now = match subject.kind {
        EvaluationKind::Run => analysis.run_stamp(file, name),
        EvaluationKind::Derivative | EvaluationKind::Closed(_) => {
            analysis.derivative_stamp(file, name)
        }
        EvaluationKind::Example => analysis.term_stamp(file, name),
        EvaluationKind::Law => analysis.law_stamp(file, name),
    };
    now != outcome.stamp()
}
