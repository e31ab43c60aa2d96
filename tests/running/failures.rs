//! Errors say what went wrong, where, with which values, and on the way from where.

use frank_interpreter::{FrameKind, Limits, RunErrorKind};

use crate::{compiled, error, value};

/// The text of a program that an error points at.
fn pointed(text: &str) -> (RunErrorKind, String, String) {
    let error = error(text);
    let place = error.place.unwrap();
    let at = text[place.start as usize..place.end as usize].to_owned();
    (error.kind, error.message, at)
}

#[test]
fn arithmetic() {
    let cases = [
        ("9223372036854775807 + 1", RunErrorKind::Overflow),
        ("0 - 9223372036854775807 - 2", RunErrorKind::Overflow),
        ("4611686018427387904 * 2", RunErrorKind::Overflow),
        (
            "(0 - 9223372036854775807 - 1) / (0 - 1)",
            RunErrorKind::Overflow,
        ),
        ("1 / 0", RunErrorKind::DivisionByZero),
    ];
    for (term, kind) in cases {
        let text = format!("main : {{Int}}\nmain! = 1 + ({term})\n");
        let (found, message, at) = pointed(&text);
        assert_eq!(found, kind, "{term}: {message}");
        assert!(term.contains(&at), "{term}: {at}");
    }
}

#[test]
fn wide_integers_compute() {
    let cases = [
        ("9223372036854775806 + 1", "9223372036854775807"),
        ("0 - 9223372036854775807 - 1", "-9223372036854775808"),
        ("140737488355327 + 1", "140737488355328"),
        ("140737488355328 - 1", "140737488355327"),
        ("3037000499 * 3037000499", "9223372030926249001"),
        ("9223372036854775807 / 3", "3074457345618258602"),
        ("(0 - 7) / 2", "-3"),
        ("-(140737488355328 - 1)", "-140737488355327"),
    ];
    for (term, expected) in cases {
        assert_eq!(
            value(&format!("main : {{Int}}\nmain! = {term}\n")),
            expected
        );
    }
    let text = "
data Pair X Y = pair X Y
f : Int -> Int
f 9223372036854775807 = 1
f 140737488355328 = 2
f 3 = 3
f n = n
main : {List Int}
main! = let big = 9223372036854775807 in
  [f big, f (140737488355327 + 1), f 3, f (big - 1), f 4]
";
    assert_eq!(value(text), "[1, 2, 3, 9223372036854775806, 4]");
    let text = "
main : {List Bool}
main! = let big = 4611686018427387904 in
  [big < big + 1, big == big, big - 1 >= big, big != 1, 1 < big]
";
    assert_eq!(value(text), "[true, true, false, true, true]");
}

#[test]
fn no_clause_matches() {
    let text = "
data T = a | b Int Char | c T
f : T -> List Char -> Int
f a [] = 1
main : {Int}
main! = f (c (b 1 'x')) \"hi\"
";
    let error = error(text);
    assert_eq!(error.kind, RunErrorKind::NoMatch);
    assert_eq!(error.message, "no clause of `f` matches");
    assert_eq!(error.values, ["c (b 1 'x')", "\"hi\""]);
}

/// It is at what has the clauses, and not at one of them, in every way of running: `value` and `error` compare these.
#[test]
fn no_clause_matches_all_of_it() {
    let place = |text: &str| {
        let at = error(text).place.unwrap();
        text[at.start as usize..at.end as usize].to_owned()
    };
    let operator = "
f : Int -> Int
f 1 = 2
f 3 = 4
main : {Int}
main! = f 5 + f 6
";
    assert_eq!(place(operator), "f");
    // The constructor is known beforehand where a handler's clause resumes with it.
    let case = "
data D = none | some Int
interface Ask = ask : Int
answer : {<Ask>X -> X}
answer <ask -> k> = answer (k (case none {(some x) -> x}))
answer x = x
main : {Int}
main! = answer (ask! + 1)
";
    assert_eq!(place(case), "{(some x) -> x}");
}

#[test]
fn no_clause_for_a_command() {
    let text = "
interface Ask = ask : Int -> Int | tell : Int -> Unit
answer : Char -> <Ask>X -> X
answer _ x = x
answer c <ask 0 -> k> = answer c (k 0)
main : {Int}
main! = answer 'c' (ask 0 + ask 1)
";
    let error = error(text);
    assert_eq!(error.kind, RunErrorKind::NoMatch);
    assert_eq!(error.message, "no clause of `answer` matches");
}

/// A failed match performs `abort` where that is handled, and its handler may resume.
#[test]
fn abort() {
    let text = "
interface Abort = abort X : X
safe : <Abort>Int -> Int
safe x = x
safe <abort -> k> = 0 - 1
f : Int -> [Abort]Int
f 1 = 2
g : Int -> Int
g 1 = 2
main : {List Int}
main! = [safe (f 1 + 10), safe (10 + f 2), safe (case 3 {4 -> 5})]
";
    assert_eq!(value(text), "[12, -1, -1]");
    // Around the match nobody handles it.
    let text = "
interface Abort = abort X : X
safe : <Abort>Int -> Int
safe x = x
safe <abort -> k> = 0 - 1
f : Int -> Int
f 1 = 2
main : {Int}
main! = f 2 + safe 1
";
    assert_eq!(error(text).kind, RunErrorKind::NoMatch);
}

#[test]
fn the_host_handles_one_instance_of_console() {
    let text = "main : {[Console, Console]Unit}\nmain! = <Console> (ouch 'x')\n";
    assert_eq!(error(text).kind, RunErrorKind::Unhandled);
    let text = "interface Ask = ask : Int\nmain : {[Ask]Int}\nmain! = 1 + ask!\n";
    let error = error(text);
    assert_eq!(error.kind, RunErrorKind::Unhandled);
    assert_eq!(
        error.message,
        "nobody handles the command `ask` of `Ask` here"
    );
}

#[test]
fn input() {
    let text = "
main : {[Console]Int}
main! = let a = inch! in let b = inch! in ouch b; ouch a; main!
";
    let ran = compiled(text).run(Limits::default(), "abcde");
    assert_eq!(ran.output, "badc");
    assert_eq!(ran.value.unwrap_err().kind, RunErrorKind::EndOfInput);
}

#[test]
fn the_trace_shows_calls_and_handlers() {
    let text = "
interface Ask = ask : Int
answer : Int -> <Ask>Int -> Int
answer _ x = x
answer n <ask -> k> = answer n (k n)
count : Int -> [Ask]Int
count 0 = 1 / (ask! - ask!)
count n = 1 + count (n - 1)
main : {Int}
main! = 1 + answer 5 (count 3)
";
    let error = error(text);
    assert_eq!(error.kind, RunErrorKind::DivisionByZero);
    let frames: Vec<(&str, FrameKind)> = error
        .trace
        .iter()
        .map(|f| (f.name.as_str(), f.what))
        .collect();
    assert_eq!(
        frames,
        [
            ("count", FrameKind::Call),
            ("count", FrameKind::Call),
            ("count", FrameKind::Call),
            ("count", FrameKind::Call),
            ("answer", FrameKind::Handler),
            ("main", FrameKind::Call),
        ]
    );
    assert!(!error.trace_ends_early);
}

#[test]
fn conversions() {
    for term in [
        "round 1.0e19",
        "floor (0.0 / 0.0)",
        "truncate (-1.0e300)",
        "intToChar (0 - 1)",
    ] {
        let ty = if term.starts_with("int") {
            "Char"
        } else {
            "Int"
        };
        let text = format!("main : {{{ty}}}\nmain! = {term}\n");
        assert_eq!(error(&text).kind, RunErrorKind::Conversion, "{term}");
    }
    assert_eq!(
        value("main : {List Int}\nmain! = [round 2.5, floor (-1.5), truncate (-1.5)]\n"),
        "[3, -2, -1]"
    );
}

/// `fail` ends the run with its text, where the call stands.
#[test]
fn fail_shows_its_text() {
    let text = "
include prelude
half : Int -> Int
half n = if (n / 2 * 2 == n) {n / 2} {fail (append \"odd: \" (showInt n))}
main : {List Int}
main! = map half [4, 7]
";
    let (kind, message, at) = pointed(text);
    assert_eq!((kind, message.as_str()), (RunErrorKind::Failed, "odd: 7"));
    assert_eq!(at, "fail (append \"odd: \" (showInt n))");
    assert_eq!(error(text).caller, None);
}

/// What is not to be printed stands as it would in a program.
#[test]
fn fail_escapes_its_text() {
    let cases = [
        (r#""red \ESC[31m\nbell\a""#, r"red \ESC[31m\nbell\a"),
        (r#""it's a \"λ\" \\ 😀""#, r#"it's a "λ" \\ 😀"#),
        (r#""\8238x\SO\&H""#, r"\8238x\SO\&H"),
        (r#""""#, "`fail`, without a text"),
    ];
    for (literal, shown) in cases {
        let text = format!("main : {{Int}}\nmain! = fail {literal}\n");
        assert_eq!(error(&text).message, shown);
    }
    let long = "
include prelude
main : {Int}
main! = fail (concat (map {_ -> \"0123456789\"} (range 1 1000)))
";
    let message = error(long).message;
    assert!(message.starts_with("0123456789"));
    assert!(message.ends_with('…') && message.len() < 2100, "{message}");
}

/// It is no value that could be left out, and gives none of whatever type is wanted.
#[test]
fn fail_happens() {
    let terms = [
        "let x = fail \"here\" in 1",
        "fail \"here\"; 1",
        "1 + fail \"here\"",
        "case (fail \"here\") {(cons _ _) -> 1 | nil -> 2}",
        "let f = fail in f \"here\"",
        "case [fail \"here\"] {_ -> 1}",
    ];
    for term in terms {
        let text = format!("main : {{Int}}\nmain! = {term}\n");
        let error = error(&text);
        assert_eq!(
            (error.kind, error.message.as_str()),
            (RunErrorKind::Failed, "here"),
            "{term}"
        );
    }
}

/// No handler takes it, not even that of `abort`.
#[test]
fn fail_is_no_command() {
    let text = "
include prelude
main : {Maybe Int}
main! = attempt (1 + fail \"here\")
";
    assert_eq!(error(text).kind, RunErrorKind::Failed);
}

/// Where the library's own code cannot go on, the error names the call of the program as well.
#[test]
fn failures_in_the_library_name_the_call_in_the_program() {
    let called = |text: &str| {
        let error = error(text);
        let at = error.caller.map(|place| {
            let range = place.start as usize..place.end as usize;
            text.get(range).unwrap().to_owned()
        });
        (error.message, at)
    };
    let lists = [
        (
            "directional {xs -> sumS xs} [1, 2] [1]",
            "`directional`: the direction must have as many numbers as the point: 2, not 1",
        ),
        (
            "jvp {xs -> xs} [1, 2, 3] [1]",
            "`jvp`: the direction must have as many numbers as the point: 3, not 1",
        ),
        (
            "hvp {xs -> sumS xs} [1, 2] [1, 2, 3]",
            "`hvp`: the vector must have as many numbers as the point: 2, not 3",
        ),
        (
            "vjp {xs -> [sumS xs, dot xs xs]} [1, 2] []",
            "`vjp`: there must be as many weights as results: 2, not 0",
        ),
    ];
    for (call, message) in lists {
        let types = match call.split(' ').next() {
            Some("directional") => "Float",
            Some("jvp") => "List (Dual Float)",
            Some("hvp") => "List Float",
            _ => "Pair (List Float) (List Float)",
        };
        // At the end of the entry, within an operator, in a thunk that the library calls.
        let programs = [
            format!("main : {{[RefState] ({types})}}\nmain! = evaluate ({call})\n"),
            format!(
                "main : {{[RefState] Unit}}\nmain! = f!; unit\nf : {{[RefState] ({types})}}\nf! = evaluate ({call})\n"
            ),
            format!(
                "main : {{[RefState] (List ({types}))}}\nmain! = map {{_ -> evaluate ({call})}} [1]\n"
            ),
        ];
        for program in programs {
            let text = format!("include ad\n{program}");
            assert_eq!(
                called(&text),
                (message.to_owned(), Some(call.to_owned())),
                "{text}"
            );
        }
    }
    // Other failures do the same; what the library does in place of calls is no obstacle.
    let text = "
include prelude
main : {Int}
main! = 1 + sum [9223372036854775807, 1]
";
    let (message, at) = called(text);
    assert!(message.contains("overflow"), "{message}");
    assert_eq!(at.as_deref(), Some("sum [9223372036854775807, 1]"));
    // A program's own file is never the library.
    let text = "main : {Int}\nmain! = 1 / 0\n";
    assert_eq!(called(text).1, None);
}

/// The weights of a pullback are checked when its function is called.
#[test]
fn a_pullback_counts_its_weights() {
    let text = "
include ad
main : {[RefState] (List Float)}
main! = case (evaluate (pullback {xs -> [sumS xs, dot xs xs]} [1, 2])) {
  (pair ys _) -> evaluate (weigh [1, 2, 3])}
weigh : List Float -> [RefState, Smooth Float] (List Float)
weigh ws = case (pullback {xs -> [sumS xs, dot xs xs]} [1, 2]) {(pair _ back) -> back ws}
";
    let error = error(text);
    assert_eq!(error.kind, RunErrorKind::Failed);
    assert_eq!(
        error.message,
        "`pullback`: its function needs as many weights as results: 2, not 3"
    );
}

/// A hole ends a run where it is come to, whoever needs what would stand there, and nowhere else.
#[test]
fn holes() {
    let reached = [
        "let x = _here in 3",
        "_here; 3",
        "first 3 _here",
        "first 3 (first 1 _here)",
        "1 + _here",
        "evalState 2 (put 3; _here)",
        "evalState _here 3",
        "count 3",
        "case (just 1) {(just x) -> _here | nothing -> 2}",
        "attemptOr {abort!}",
    ];
    let defined = "
include prelude

first : X -> Y -> X
first x y = x

count : Int -> Int
count 0 = _here
count n = count (n - 1)

attemptOr : {[Abort]Int} -> Int
attemptOr f = case (attempt f!) {(just x) -> x | nothing -> _here}
";
    for term in reached {
        let text = format!("{defined}\nmain : {{Int}}\nmain! = {term}\n");
        let (kind, message, at) = pointed(&text);
        assert_eq!(kind, RunErrorKind::Hole, "{term}: {message}");
        assert_eq!(at, "_here", "{term}");
        assert!(message.starts_with("a hole: a value "), "{message}");
    }
    let passed = [
        ("case (just 1) {(just x) -> x | nothing -> _here}", "1"),
        ("evalState 2 (let f = {_ -> _here} in get!)", "2"),
        ("attemptOr {4}", "4"),
    ];
    for (term, expected) in passed {
        let text = format!("{defined}\nmain : {{Int}}\nmain! = {term}\n");
        assert_eq!(value(&text), expected, "{term}");
    }
}
