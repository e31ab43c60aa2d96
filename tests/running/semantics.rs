//! The operational semantics and the fast machine, each against the other: every program of the chapters that runs.

use frank_interpreter::{Limits, Machine, RunErrorKind, Script};
use frank_semantics::Semantics;
use frank_semantics::show::{self, Shower};
use frank_semantics::trace::run;
use frank_tests::{blocks, files_under, project_root};

use crate::{Compiled, compiled_files};

/// Rules that are applied at most. The few programs that take more are compared by other tests.
const STEPS: u64 = 3_000_000;

/// What a run came to: its output, and its value or the kind of its error with the message.
#[derive(Debug, PartialEq)]
struct Came {
    output: String,
    to: Result<String, (RunErrorKind, String)>,
}

fn by_semantics(compiled: &Compiled, input: &str) -> Came {
    let program = &compiled.program;
    let mut semantics = Semantics::new(program, input);
    let first = semantics.start(0).unwrap();
    let limits = show::Limits {
        frames: 10,
        depth: 10_000,
        parts: 1 << 20,
        width: usize::MAX,
    };
    let (ended, last) = run(&mut semantics, first, STEPS);
    let mut shower = Shower::new(&semantics, limits);
    let to = ended.map(|value| shower.value(value, &program.entries[0].ty));
    Came {
        output: semantics.store.text(last.printed),
        to: to.map_err(|stuck| (stuck.kind, stuck.message)),
    }
}

fn by_machine(compiled: &Compiled, input: &str) -> Came {
    let mut host = Script::new(input);
    let limits = Limits {
        steps: Some(STEPS),
        ..Limits::default()
    };
    let mut machine = Machine::new(&compiled.code, 0, limits, &mut host);
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
        .map(shown)
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
            let (expected, found) = (by_machine(&compiled, input), by_semantics(&compiled, input));
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
