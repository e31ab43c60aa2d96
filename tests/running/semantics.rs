//! The operational semantics and the fast machine, each against the other: every program of the chapters that runs.

use frank_interpreter::{Limits, Machine, RunErrorKind, Script};
use frank_semantics::Semantics;
use frank_semantics::show::{self, Shower};
use frank_semantics::state::{Focus, State};
use frank_semantics::trace::run;
use frank_tests::{blocks, files_under, project_root};

use crate::{Compiled, compiled_files};

/// Rules that are applied at most. The few programs that take more are compared by other tests.
const STEPS: u64 = 3_000_000;

/// Rules that are applied at most where dropping after every few of them makes each run slow.
const FEW: u64 = 20_000;

/// What a run came to: its output, and its value or the kind of its error with the message.
#[derive(Debug, PartialEq)]
struct Came {
    output: String,
    to: Result<String, (RunErrorKind, String)>,
}

fn by_semantics(compiled: &Compiled, input: &str, steps: u64) -> Came {
    let program = &compiled.program;
    let mut semantics = Semantics::new(program, input);
    let first = semantics.start(0).unwrap();
    let limits = show::Limits {
        frames: 10,
        depth: 10_000,
        parts: 1 << 20,
        width: usize::MAX,
    };
    let (ended, last) = run(&mut semantics, first, steps);
    let mut shower = Shower::new(&semantics, limits);
    let to = ended.map(|value| shower.value(value, &program.entries[0].ty));
    Came {
        output: semantics.store.text(last.printed),
        to: to.map_err(|stuck| (stuck.kind, stuck.message)),
    }
}

/// As [`by_semantics`]; what nobody needs is dropped after every few rules.
fn by_collected_semantics(compiled: &Compiled, input: &str) -> Came {
    let program = &compiled.program;
    let mut semantics = Semantics::new(program, input);
    let mut state = semantics.start(0).unwrap();
    let first = state.clone();
    let mut kept = vec![first];
    let to = loop {
        match semantics.step(&state) {
            Ok((_, next)) => state = next,
            Err(stuck) => break Err((stuck.kind, stuck.message)),
        }
        if let Focus::Done(value) = state.focus {
            break Ok(value);
        }
        if semantics.clock.is_multiple_of(97) {
            // A state from before stays what it was, too.
            kept.truncate(3);
            kept.push(state.clone());
            let mut roots: Vec<&mut State> = kept.iter_mut().collect();
            roots.push(&mut state);
            semantics.store.collect(&mut roots, std::iter::empty());
        }
    };
    let output = semantics.store.text(state.printed);
    // From the state in the middle the run comes to the same.
    let middle = kept.pop().unwrap();
    let (again, last) = run(&mut semantics, middle, STEPS);
    assert_eq!(semantics.store.text(last.printed), output);
    assert_eq!(again.is_ok(), to.is_ok());
    let limits = show::Limits {
        frames: 10,
        depth: 10_000,
        parts: 1 << 20,
        width: usize::MAX,
    };
    let mut shower = Shower::new(&semantics, limits);
    let mut shown = |value| shower.value(value, &program.entries[0].ty);
    if let (Ok(again), Ok(value)) = (&again, &to) {
        assert_eq!(shown(*again), shown(*value));
    }
    Came {
        output,
        to: to.map(shown),
    }
}

fn by_machine(compiled: &Compiled, input: &str) -> Came {
    let mut host = Script::new(input);
    let limits = Limits {
        steps: Some(STEPS),
        ..Limits::default()
    };
    let mut machine = Machine::new(&compiled.both.specialised, 0, limits, &mut host);
    let value = machine.run();
    let shown = |value| {
        machine.show(
            &compiled.program,
            &compiled.program.entries[0].ty,
            value,
            1 << 20,
        )
    };
    let to = value
        .and_then(shown)
        .map_err(|error| (error.kind, error.message));
    drop(machine);
    Came {
        output: host.output,
        to,
    }
}

#[test]
fn both_machines_agree_on_the_chapters() {
    let mut differences = Vec::new();
    let mut count = 0;
    for path in files_under(&project_root().join("tests/conformance"), "md") {
        let chapter = std::fs::read_to_string(&path).unwrap();
        for block in blocks(&chapter) {
            let Ok(compiled) = compiled_files(&block.files) else {
                continue;
            };
            let input = "3 4\nsome input\n";
            let (expected, found) = (
                by_machine(&compiled, input),
                by_semantics(&compiled, input, STEPS),
            );
            if matches!(found.to, Err((RunErrorKind::Steps, _))) {
                continue;
            }
            count += 1;
            if expected != found {
                let (path, line) = (path.display(), block.line);
                differences.push(format!("{path}:{line}: {expected:?}\n  but {found:?}"));
            }
        }
    }
    assert!(count > 500, "the chapters are gone: {count} runs");
    assert!(
        differences.is_empty(),
        "{} of {count}:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

#[test]
fn what_nobody_needs_can_be_dropped() {
    let mut count = 0;
    for path in files_under(&project_root().join("tests/conformance"), "md") {
        let chapter = std::fs::read_to_string(&path).unwrap();
        for block in blocks(&chapter) {
            let Ok(compiled) = compiled_files(&block.files) else {
                continue;
            };
            let input = "3 4\nsome input\n";
            let whole = by_semantics(&compiled, input, FEW);
            if matches!(whole.to, Err((RunErrorKind::Steps, _))) {
                continue;
            }
            count += 1;
            assert_eq!(
                by_collected_semantics(&compiled, input),
                whole,
                "{}",
                path.display()
            );
        }
    }
    assert!(count > 50, "the programs are gone: {count}");
}
