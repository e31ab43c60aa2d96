//! Well-typed programs do not go wrong: generated ones are run, and what comes out has its type.

use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_interpreter::RunErrorKind;
use frank_tests::properties::{Ran, run, run_by_rules};

/// What came of some programs.
#[derive(Debug, Default)]
pub struct Tally {
    /// Programs with an error, which the generator makes now and then.
    pub wrong: usize,
    /// Programs that came to a value, and how many of the values were checked for their type.
    pub values: usize,
    pub checked: usize,
    /// Programs of which the same came by the language's rules.
    pub followed: usize,
    /// Programs that met a limit, or an error that the language knows.
    pub stopped: usize,
}

/// Programs are not run for more steps.
const STEPS: u64 = 20_000;

/// How many rules of the language are applied. One step of the machine is some of them.
const RULES: u64 = 1_000_000;

pub struct Runner {
    files: Files,
    used: usize,
    pub tally: Tally,
}

impl Runner {
    pub fn new() -> Runner {
        Runner {
            files: Files::new(None),
            used: 0,
            tally: Tally::default(),
        }
    }

    /// Runs the `main` of a program, which gives a value of a type; panics if that goes wrong.
    pub fn run(&mut self, text: &str, ty: &str) {
        // What a database has interned stays, so a new one is taken now and then.
        self.used += 1;
        if self.used.is_multiple_of(2000) {
            self.files = Files::new(None);
        }
        let file = self.files.set_text("main.fk", text);
        let ran = run(&self.files, file, STEPS);
        self.follow(text, &ran);
        match ran {
            Ran::Not => self.tally.wrong += 1,
            Ran::Stopped(_) => self.tally.stopped += 1,
            Ran::Value(value) => {
                self.tally.values += 1;
                let Some(term) = as_term(&value) else { return };
                self.tally.checked += 1;
                let again = format!("{text}again : {{{ty}}}\nagain! = {term}\n");
                let file = self.files.set_text("main.fk", &again);
                let findings = file_diagnostics(self.files.db(), file);
                let wrong = findings.iter().find(|finding| finding.is_error());
                assert!(
                    wrong.is_none(),
                    "{value} is no {ty}: {}\n{text}",
                    wrong.map_or("", |finding| &finding.message)
                );
            }
        }
    }
}

impl Runner {
    /// Runs the program that was set last by the language's rules, too: the same has to come of it.
    fn follow(&mut self, text: &str, ran: &Ran) {
        let is_limit = |ran: &Ran| {
            use RunErrorKind::{Memory, Output, Steps, Time};
            matches!(ran, Ran::Stopped(Steps | Memory | Time | Output))
        };
        let Some(file) = self.files.file("main.fk").filter(|_| !is_limit(ran)) else {
            return;
        };
        let followed = run_by_rules(&self.files, file, RULES);
        if !is_limit(&followed) {
            self.tally.followed += 1;
            assert_eq!(
                followed, *ran,
                "by the rules something else comes of\n{text}"
            );
        }
    }
}

/// A value as a term, if it can be written as one: not if there are computations in it, or numbers
/// that have no literals. Numbers below zero need parentheses where they are arguments.
fn as_term(value: &str) -> Option<String> {
    if ["…", "<ref>", "inf", "nan"]
        .iter()
        .any(|word| value.contains(word))
    {
        return None;
    }
    let mut term = String::new();
    let mut quote = None;
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                term.push(c);
                term.extend(chars.next());
                continue;
            }
            (Some(open), _) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '-') => {
                term.push_str("(-");
                while let Some(c) = chars.next_if(|c| c.is_ascii_digit() || ".e-".contains(*c)) {
                    term.push(c);
                }
                term.push(')');
                continue;
            }
            _ => {}
        }
        term.push(c);
    }
    Some(term)
}
