//! The machine can be run a step at a time and looked at in between.

use frank_interpreter::{Limits, Machine, Progress, Script};

use crate::compiled;

const TEXT: &str = "
interface State S = get : S | put : S -> Unit
state : S -> <State S>X -> X
state _ x = x
state s <get -> k> = state s (k s)
state _ <put s -> k> = state s (k unit)
interface Tick = tick : Unit
ticks : <Tick>X -> [State Int]X
ticks x = x
ticks <tick -> k> = let n = get! in put (n + 1); ticks (k unit)
loop : Int -> [Tick, State Int]Int
loop 0 = <Tick> get!
loop n = tick!; loop (n - 1)
main : {Int}
main! = state 10 (ticks (loop 5))
";

/// However it is cut into steps, a run comes to the same value in the same number of steps.
#[test]
fn steps_of_any_size_give_the_same() {
    let compiled = compiled(TEXT);
    let whole = compiled.run(Limits::default(), "");
    assert_eq!(whole.value.unwrap(), "15");
    for size in [1, 2, 3, 7, 100] {
        let mut host = Script::new("");
        let mut machine = Machine::new(&compiled.both.specialised, 0, Limits::default(), &mut host);
        let mut slices = 0;
        let value = loop {
            match machine.run_for(size).unwrap() {
                Progress::Running => slices += 1,
                Progress::Done(value) => break value,
            }
            assert!(machine.place().is_some());
        };
        assert!(slices <= whole.stats.steps / size + 1);
        assert_eq!(machine.stats().steps, whole.stats.steps);
        let ty = &compiled.program.entries[0].ty;
        assert_eq!(
            machine.show(&compiled.program, ty, value, 100).unwrap(),
            "15"
        );
    }
}

#[test]
fn the_handlers_can_be_read() {
    let compiled = compiled(TEXT);
    let mut host = Script::new("");
    // Adaptors around what is known to call nothing are not entered.
    let mut machine = Machine::new(&compiled.both.plain, 0, Limits::default(), &mut host);
    let mut deepest = Vec::new();
    while machine.step().unwrap() == Progress::Running {
        let handlers = machine.handlers();
        if handlers.len() > deepest.len() {
            deepest = handlers;
        }
        let (stack, more) = machine.stack(100);
        assert!(!stack.is_empty() && !more);
    }
    let shown: Vec<(Option<&str>, u32, String)> = deepest
        .iter()
        .map(|h| {
            (
                h.operator.as_deref(),
                h.argument,
                h.adds.join(",") + "|" + &h.renames.join(","),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (None, 0, "|Tick".to_owned()),
            (Some("ticks"), 0, "Tick|".to_owned()),
            (Some("state"), 1, "State|".to_owned()),
        ]
    );
    assert!(deepest.iter().all(|h| h.place.is_some()));
}

/// The step limit counts what the statistics count.
#[test]
fn a_step_less_is_too_few() {
    let compiled = compiled(TEXT);
    let steps = compiled.run(Limits::default(), "").stats.steps;
    let limited = |steps| {
        compiled.run(
            Limits {
                steps: Some(steps),
                ..Limits::default()
            },
            "",
        )
    };
    assert!(limited(steps).value.is_ok());
    assert!(limited(steps - 1).value.is_err());
}
