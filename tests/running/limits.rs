//! Every limit ends a run soon, with an error that says which and where.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use frank_interpreter::{Limits, Machine, Progress, RunErrorKind, Script};

use crate::compiled;

const LOOP: &str = "loop : Int -> Int\nloop n = loop (n + 1)\nmain : {Int}\nmain! = loop 0\n";

/// Runs to a limit; gives which, and how long it took.
fn stopped(text: &str, limits: Limits) -> (RunErrorKind, Duration, String) {
    let compiled = compiled(text);
    let start = Instant::now();
    let ran = compiled.run(limits, "");
    let error = ran.value.unwrap_err();
    assert!(error.is_limit(), "{error:#?}");
    assert!(error.place.is_some(), "{error:#?}");
    (error.kind, start.elapsed(), ran.output)
}

#[test]
fn steps() {
    let limits = Limits {
        steps: Some(100_000),
        ..Limits::default()
    };
    let ran = compiled(LOOP).run(limits, "");
    assert_eq!(ran.value.unwrap_err().kind, RunErrorKind::Steps);
    assert_eq!(ran.stats.steps, 100_000);
}

#[test]
fn time() {
    let limits = Limits {
        time: Some(Duration::from_millis(200)),
        ..Limits::default()
    };
    let (kind, took, _) = stopped(LOOP, limits);
    assert_eq!(kind, RunErrorKind::Time);
    assert!(
        took >= Duration::from_millis(200) && took < Duration::from_millis(1000),
        "{took:?}"
    );
}

#[test]
fn cancellation() {
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        cancelled: Some(flag.clone()),
        ..Limits::default()
    };
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        flag.store(true, Ordering::Relaxed);
    });
    let (kind, took, _) = stopped(LOOP, limits);
    other.join().unwrap();
    assert_eq!(kind, RunErrorKind::Cancelled);
    assert!(took < Duration::from_millis(1000), "{took:?}");
}

#[test]
fn a_value_is_not_written_out_after_an_interruption() {
    for main in [
        "range 0 100000",
        "\"x\" :: map {_ -> \"λ\"} (range 0 100000)",
        "array (range 0 100000)",
    ] {
        let ty = if main.starts_with('a') {
            "Array Int"
        } else if main.starts_with('r') {
            "List Int"
        } else {
            "List String"
        };
        let text = format!("include array\nmain : {{{ty}}}\nmain! = {main}\n");
        let compiled = compiled(&text);
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            cancelled: Some(flag.clone()),
            ..Limits::default()
        };
        let mut host = Script::new("");
        let mut machine = Machine::new(&compiled.both.plain, 0, limits, &mut host);
        let value = loop {
            match machine.run_for(1 << 20).unwrap() {
                Progress::Running => {}
                Progress::Done(value) => break value,
            }
        };
        let ty = &compiled.program.entries[0].ty;
        let show = |machine: &mut Machine| machine.show(&compiled.program, ty, value, usize::MAX);
        assert!(show(&mut machine).unwrap().len() > 500_000, "{main}");
        flag.store(true, Ordering::Relaxed);
        assert_eq!(
            show(&mut machine).unwrap_err().kind,
            RunErrorKind::Cancelled,
            "{main}"
        );
    }
}

#[test]
fn output() {
    let text =
        "loop : {[Console]Int}\nloop! = ouch 'λ'; loop!\nmain : {[Console]Int}\nmain! = loop!\n";
    let limits = Limits {
        output: Some(1001),
        ..Limits::default()
    };
    let (kind, _, output) = stopped(text, limits);
    assert_eq!(kind, RunErrorKind::Output);
    assert_eq!(output.len(), 1000);
}

/// Allocation of every kind ends at the memory limit.
#[test]
fn memory() {
    let programs = [
        // A list.
        "grow : List Int -> Int\ngrow xs = grow (1 :: xs)\nmain : {Int}\nmain! = grow []\n",
        // Integers that fit into no word.
        "grow : List Int -> Int -> Int\ngrow xs n = grow (n :: xs) (n + 1)\n\
         main : {Int}\nmain! = grow [] 1000000000000000000\n",
        // Thunks.
        "grow : {Int} -> Int\ngrow f = grow {f! + 1}\nmain : {Int}\nmain! = grow {1}\n",
        // Cells.
        "grow : List (Ref Int) -> [RefState]Int\ngrow xs = grow (new 1 :: xs)\n\
         main : {[RefState]Int}\nmain! = grow []\n",
        // Handlers.
        "interface Ask = ask : Int\nanswer : <Ask>X -> X\nanswer x = x\n\
         answer <ask -> k> = answer (k 1)\ngrow : Int -> Int\ngrow n = answer (grow (n + 1))\n\
         main : {Int}\nmain! = grow 0\n",
        // Adaptors.
        "interface Ask = ask : Int\nanswer : <Ask>X -> X\nanswer x = x\n\
         answer <ask -> k> = answer (k 1)\ngrow : {[Ask]Int}\ngrow! = <Ask(s x -> s x)> grow!\n\
         main : {Int}\nmain! = answer grow!\n",
    ];
    for text in programs {
        let limits = Limits {
            memory: 50 << 20,
            ..Limits::default()
        };
        let compiled = compiled(text);
        let ran = compiled.run(limits, "");
        let error = ran.value.unwrap_err();
        assert_eq!(error.kind, RunErrorKind::Memory, "{text}");
        assert!(ran.stats.peak_bytes <= 50 << 20, "{text}: {:?}", ran.stats);
        assert!(error.place.is_some());
    }
}

/// A run that drops something huge is stopped in time, too.
#[test]
fn dropping_does_not_delay() {
    let text = "
make : Int -> List Int -> List Int
make 0 xs = xs
make n xs = make (n - 1) (n :: xs)
head : List Int -> Int
head (x :: _) = x
head [] = 0
loop : Int -> Int
loop n = loop (head (make 5000000 []))
main : {Int}
main! = loop 0
";
    let compiled = compiled(text);
    for millis in [50, 150, 250] {
        let limits = Limits {
            time: Some(Duration::from_millis(millis)),
            ..Limits::default()
        };
        let start = Instant::now();
        let ran = compiled.run(limits, "");
        assert_eq!(ran.value.unwrap_err().kind, RunErrorKind::Time);
        let late = start.elapsed() - Duration::from_millis(millis);
        assert!(late < Duration::from_millis(500), "{late:?}");
    }
}

/// Memory of what is dropped is used again.
#[test]
fn garbage_is_collected() {
    let text = "
make : Int -> List Int -> List Int
make 0 xs = xs
make n xs = make (n - 1) (n :: xs)
sum : List Int -> Int -> Int
sum [] n = n
sum (x :: xs) n = sum xs (n + x)
loop : Int -> Int -> Int
loop 0 n = n
loop i n = loop (i - 1) (n + sum (make 10000 []) 0)
main : {Int}
main! = loop 100 0
";
    let limits = Limits {
        memory: 2 << 20,
        ..Limits::default()
    };
    assert_eq!(compiled(text).run(limits, "").value.unwrap(), "5000500000");
}
