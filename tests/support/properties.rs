//! What holds of every text whatever, for fuzzing and for tests with random input: each function
//! panics where it does not.

use std::path::Path;
use std::time::Duration;

use frank_analysis::db::SourceFile;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_analysis::infer::infer_operator;
use frank_analysis::link::{EntryPoint, link, unanswered};
use frank_analysis::program::{Definition, OperatorDef};
use frank_core::Program;
use frank_interpreter::{Limits, RunErrorKind};
use frank_lsp::framing::{self, Headers};
use frank_semantics::show::{self, Shower};
use frank_semantics::{Semantics, trace};
use frank_syntax::ast::Symbol;
use frank_syntax::format::{FormatOptions, format};
use frank_syntax::lines::unified;
use frank_syntax::outline::split;
use frank_syntax::parse::parse_item;
use frank_workspace::config;
use rand::RngExt;
use rand::rngs::StdRng;

use crate::both;
use crate::mutate::edit;

/// Items follow one another and hold the whole text, and errors stand inside their items.
pub fn parses(text: &str) {
    let mut end = 0;
    for item in split(text) {
        assert!(item.range.start >= end, "items overlap");
        end = item.range.end;
        let source = text
            .get(item.range.clone())
            .expect("items end between characters");
        for error in parse_item(source).errors {
            let range = std::ops::Range::<usize>::from(error.range);
            assert!(
                source.get(range).is_some(),
                "{error:?} is not inside its item"
            );
        }
    }
    assert!(end <= text.len(), "an item goes beyond the text");
}

/// A formatted text has the same items, and stays as it is when it is formatted again.
pub fn formats(text: &str) {
    let options = FormatOptions::default();
    let once = format(text, &options).apply(text);
    let twice = format(&once, &options).apply(&once);
    assert_eq!(once, twice, "formatting goes on");
    let (before, after) = (split(text), split(&once));
    assert_eq!(before.len(), after.len(), "formatting changes the items");
    for (old, new) in before.iter().zip(&after) {
        let (old, new) = (parse_item(old.text(text)), parse_item(new.text(&once)));
        assert_eq!(old.item, new.item, "formatting changes an item");
    }
}

/// A client's bytes become messages that everybody can read, wherever a connection cuts them.
pub fn frames(text: &str) {
    let bytes = text.as_bytes();
    for headers in [Headers::Any, Headers::Own] {
        let whole = framing::read([bytes], headers);
        for size in [1, 7] {
            let cut = framing::read(bytes.chunks(size), headers);
            assert_eq!(cut, whole, "pieces of {size} bytes are read otherwise");
        }
        let mut rest = std::str::from_utf8(&whole).expect("messages are UTF-8");
        while !rest.is_empty() {
            let (header, bodies) = rest.split_once("\r\n\r\n").expect("a header ends");
            let length = header.strip_prefix("Content-Length: ").map(str::parse);
            let Some(Ok(length)) = length else {
                panic!("{header:?} is no header");
            };
            let (body, others) = bodies.split_at(length);
            let message: serde_json::Value = serde_json::from_str(body).expect("a message is JSON");
            assert_eq!(message.get("jsonrpc"), Some(&"2.0".into()), "{body}");
            rest = others;
        }
    }
}

/// A project's settings are understood, or their mistakes stand inside the text.
pub fn configures(text: &str) {
    let (_, mistakes) = config::parse(text, Path::new("/project"));
    for mistake in mistakes {
        assert!(text.get(mistake.range.clone()).is_some(), "{mistake:?}");
    }
}

/// Findings stand inside the text.
pub fn checks(text: &str) {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text);
    for finding in file_diagnostics(files.db(), file).iter() {
        let range = std::ops::Range::<usize>::from(files.range(finding.location));
        assert!(
            text.get(range.clone()).is_some(),
            "{finding:?} stands at {range:?}"
        );
    }
}

/// After each of some edits, analysis knows what it would know from scratch.
pub fn follows_edits(text: &str, rng: &mut StdRng, edits: usize) {
    const LIB: &str = "twice : Int -> Int\ntwice x = x + x\n";
    let mut text = text.to_owned();
    let mut files = Files::new(None);
    files.verify();
    files.set_text("lib.fk", LIB);
    let file = files.set_text("main.fk", &text);
    let mut undo: Vec<String> = Vec::new();
    for step in 0..edits {
        if rng.random_range(0..12) == 0
            && let Some(earlier) = undo.pop()
        {
            files.edit(file, earlier.as_str(), 0..text.len(), earlier.len());
            text = earlier;
        } else {
            let (range, new) = edit(rng, &text);
            let mut edited = text.clone();
            edited.replace_range(range.clone(), &new);
            undo.push(std::mem::replace(&mut text, edited));
            files.edit(file, text.as_str(), range, new.len());
        }
        let mut fresh = Files::new(None);
        fresh.set_text("lib.fk", LIB);
        let fresh_file = fresh.set_text("main.fk", &text);
        // A file of nothing but blanks and comments has no items.
        if !file.outline(files.db()).is_empty() {
            assert_eq!(files.text(file), unified(&text), "step {step}");
        }
        let groups = file.groups(files.db()).iter();
        let grouped = groups.flat_map(|group| group.entries(files.db()).iter());
        assert!(grouped.eq(file.outline(files.db())), "step {step}");
        let (here, there) = (reported(&files, file), reported(&fresh, fresh_file));
        assert_eq!(here, there, "step {step} in\n{text}");
    }
}

/// Everything that is reported about a file, in an order of its own.
fn reported(files: &Files, file: SourceFile) -> Vec<String> {
    let mut all: Vec<String> = file_diagnostics(files.db(), file)
        .iter()
        .map(|problem| {
            let related: Vec<String> = problem
                .related
                .iter()
                .map(|r| format!("{:?} {}", files.range(r.location), r.message))
                .collect();
            let range = files.range(problem.location);
            format!(
                "{range:?} {:?} {} {related:?} {:?}",
                problem.code, problem.message, problem.help
            )
        })
        .collect();
    all.sort();
    all
}

/// What came of running a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ran {
    /// It has errors, no `main`, or one that needs more than the host has.
    Not,
    /// The value of `main`, as it is printed.
    Value(String),
    /// A limit, or an error that the language knows.
    Stopped(RunErrorKind),
}

/// A program without errors whose `main` needs nothing but the host's own commands comes to a
/// value, to an error that the language knows, or to a limit.
pub fn does_not_go_wrong(text: &str) {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text);
    run(&files, file, 200_000);
}

/// A program without errors whose `main` needs nothing but the host's own commands.
fn program(files: &Files, file: SourceFile) -> Option<Program> {
    let findings = file_diagnostics(files.db(), file);
    if findings.iter().any(|finding| finding.is_error()) {
        return None;
    }
    let main = OperatorDef(Definition {
        scope: file,
        name: Symbol::new("main"),
    });
    let inference = infer_operator(files.db(), main)?;
    let computation = inference.computation.as_ref()?;
    let needed = unanswered(files.db(), &inference.table.row(computation.ability));
    if !needed.is_empty() {
        return None;
    }
    link(files.db(), &[EntryPoint::Operator(main)]).ok()
}

/// What a run reads.
const INPUT: &str = "some input\n";

/// Runs `main` for so many steps at most, and panics where that goes wrong.
pub fn run(files: &Files, file: SourceFile, steps: u64) -> Ran {
    let Some(program) = program(files, file) else {
        return Ran::Not;
    };
    let both = both::compile(&program).expect("what checks can be compiled");
    let limits = Limits {
        steps: Some(steps),
        time: Some(Duration::from_secs(5)),
        memory: 128 << 20,
        output: Some(1 << 20),
        ..Limits::default()
    };
    if program.entries.is_empty() {
        return Ran::Not;
    }
    match both.run(&program, INPUT, limits, 10_000).value {
        Ok(value) => Ran::Value(value),
        Err(error) => {
            let wrong = matches!(error.kind, RunErrorKind::Internal | RunErrorKind::Unhandled);
            assert!(!wrong, "{error} in\n{}", files.text(file));
            Ran::Stopped(error.kind)
        }
    }
}

/// Runs `main` by the rules of the language, so many of them at most.
pub fn run_by_rules(files: &Files, file: SourceFile, rules: u64) -> Ran {
    let Some(program) = program(files, file) else {
        return Ran::Not;
    };
    let mut semantics = Semantics::new(&program, INPUT);
    let Some((first, entry)) = semantics.start(0).zip(program.entries.first()) else {
        return Ran::Not;
    };
    match trace::run(&mut semantics, first, rules) {
        (Ok(value), _) => {
            let limits = show::Limits {
                parts: 10_000,
                ..show::Limits::default()
            };
            Ran::Value(Shower::new(&semantics, limits).value(value, &entry.ty))
        }
        (Err(stuck), _) => Ran::Stopped(stuck.kind),
    }
}
