//! Clauses that have work left when their resumption is over. Nothing is captured for them: what is left stands below the
//! handler, and the program that performed goes on. Each program is run with and without known handlers, and ended at
//! each step. What is expected was computed by an interpreter that has nothing in common with the machine; derivatives,
//! by hand.

use frank_interpreter::{Limits, RunErrorKind};

use crate::specialised::dynamic;
use crate::taken_apart::at_every_step;
use crate::{Compiled, compiled, error};

/// Interfaces, handlers and programs of the tests below.
const RESTS: &str = "
include prelude

interface Ask = say : Int -> Int | first : List Int -> Int

interface Give = give : Int -> Unit

-- A list of what is yielded: the rest of the clause is a constructor.
gather : <Give> X -> List Int
gather x = []
gather <give i -> k> = i :: gather (k unit)

-- The result of the resumption is looked at, and more is performed by then.
twice : <Give> X -> [Give] Int
twice x = 1
twice <give i -> k> = let n = twice (k unit) in give (i * n); n + 1

-- A state, which the rest has as it was and the program as it will be.
running : Int -> <Ask> Int -> [Give] Int
running s x = x * 1000 + s
running s <say i -> k> = let r = running (s + i) (k (s * 10)) in give s; r + i
running s <first xs -> k> = running (s + 1) (k (case xs {[] -> 0 - 1 | (x :: _) -> x}))

-- Resumes once on one way, twice on another, and not on a third.
ways : <Ask> Int -> Int
ways x = x
ways <say i -> k> =
  if (i > 2) {let a = ways (k 1) in a * 2 + ways (k (0 - 1))}
    {if (i < 0) {i} {100 + ways (k (i + 1))}}
ways <first xs -> k> = let r = ways (k (length xs)) in if (r > 50) {r - 50} {r}

-- The resumption stands in an argument under another handler.
under : <Ask> Int -> Int
under x = x
under <say i -> k> = 7 + sumOf (giveTwice (under (<Give> (k (i * 2)))))
under <first xs -> k> = sumOf (let r = under (<Give> (k 3)) in give r; give r)

sumOf : <Give> X -> Int
sumOf x = 0
sumOf <give i -> k> = i + sumOf (k unit)

giveTwice : Int -> [Give] Unit
giveTwice i = give i; give (i + 1)

-- Hands on to `gather`.
through : <Give> X -> List Int
through <m> = gather m!

-- Hands on past another instance.
interface Other = other : Int -> Int

both : <Other, Ask> Int -> [Ask] Int
both x = x
both <other i -> k> = let r = both (k (i * 3)) in r + say r
both <say i -> k> = let r = both (k (i + 5)) in r - 1
both <first xs -> k> = let x = first xs in both (k x)

asked : <Ask> Int -> [Ask] Int
asked <m> = both (<Other> m!)

each : <Choice> X -> List X
each x = [x]
each <choose -> k> = append (each (k true)) (each (k false))

-- Fails when the program has ended.
late : <Ask> Int -> Int
late x = x
late <say i -> k> = let r = late (k (i + 1)) in r / (i - 3)
late <first (x :: _) -> k> = let r = late (k x) in case (r - x) {1 -> 5 | 2 -> 6}

up : Int -> Int -> [Give] Unit
up i n = if (i > n) {unit} {give i; up (i + 1) n}

deepUp : Int -> [Give] Int
deepUp 0 = 0
deepUp n = give n; 1 + deepUp (n - 1)

three : [Ask] Int
three! = let a = say 1 in let b = say a in a * 100 + b * 10 + first [4, 5]

choosing : [Choice, Ask] Int
choosing! = let a = say 1 in let b = if choose! {say 2} {first [8]} in a * 10 + b + (if choose! {0} {say b})

total : List Int -> Int
total xs = foldl {a b -> a + b} 0 xs
";

fn rests(ty: &str, main: &str) -> Compiled {
    compiled(&format!("{RESTS}\nmain : {{{ty}}}\nmain! = {main}\n"))
}

/// Runs a program, to its end and to each step before it; gives its value and how many continuations it captured.
fn shown(compiled: &Compiled) -> (String, u64) {
    let ran = compiled.run(Limits::default(), "");
    at_every_step(compiled);
    (ran.value.unwrap(), ran.stats.captures)
}

#[test]
fn what_is_left_is_done_last_first() {
    for (main, value) in [
        ("gather (up 1 6)", "[1, 2, 3, 4, 5, 6]"),
        ("gather (twice (up 1 5))", "[5, 8, 9, 8, 5]"),
        ("gather (gather (up 1 3); give 8)", "[8]"),
        (
            "[total (gather (map {i -> give i} (range 1 20))), length (gather (deepUp 30))]",
            "[210, 30]",
        ),
        (
            "[late (say 1 + 8), late (say 5 + 7), late (first [4] + 1 - 4 + 4)]",
            "[-2, 2, 5]",
        ),
    ] {
        assert_eq!(
            shown(&rests("List Int", main)),
            (value.to_owned(), 0),
            "{main}"
        );
    }
}

/// What is left has the handler's state as it was.
#[test]
fn handlers_with_states() {
    for (main, value) in [
        ("gather (running 1 three!)", "[2, 1]"),
        (
            "gather (give (running 2 (running 3 (say 4 + first [6]) + say 5)))",
            "[3, 2, 36032012]",
        ),
    ] {
        assert_eq!(
            shown(&rests("List Int", main)),
            (value.to_owned(), 0),
            "{main}"
        );
    }
}

/// Clauses that resume twice, not at all, or elsewhere on some ways.
#[test]
fn only_some_ways_leave_a_rest() {
    for (main, value) in [
        (
            "[ways three!, ways (say 3 + say 1), ways (say 1 + say (0 - 4)), ways (first [1, 2, 3] + say 5)]",
            "[382, 307, 96, 10]",
        ),
        (
            "[under three!, under (say 3), under (first [] + say 1)]",
            "[1968, 20, 36]",
        ),
    ] {
        assert_eq!(shown(&rests("List Int", main)).0, value, "{main}");
    }
}

/// Others resume twice what has left a rest, further out or further in: each has its own.
#[test]
fn several_resumptions_share_no_rest() {
    for (ty, main, value) in [
        ("List Int", "each (ways choosing!)", "[223, 270, 121, 173]"),
        ("List Int", "[ways (total (each choosing!))]", "[621]"),
        (
            "List Int",
            "gather (each (running 1 choosing!))",
            "[2, 1, 4, 2, 1, 1, 3, 1]",
        ),
        (
            "List (List Int)",
            "each (gather (running 1 choosing!))",
            "[[2, 1], [4, 2, 1], [1], [3, 1]]",
        ),
        (
            "List Int",
            "gather (each (give 3; if choose! {give 4; 1} {give 5; 2}))",
            "[3, 4, 5]",
        ),
        (
            "List (List Int)",
            "each (gather (give 3; if choose! {give 4; 1} {give 5; 2}))",
            "[[3, 4], [3, 5]]",
        ),
    ] {
        assert_eq!(shown(&rests(ty, main)).0, value, "{main}");
    }
}

/// A handler that hands everything on to another is entered as that one.
#[test]
fn handlers_that_hand_on() {
    for (main, value) in [
        (
            "[total (through (up 1 10)), total (through unit), total (through (map {i -> give i} [3, 4]))]",
            "[55, 0, 7]",
        ),
        ("[ways (asked three!), ways (asked 3)]", "[660, 3]"),
        ("[ways (asked (both (other 4 + say 1)))]", "[38]"),
    ] {
        assert_eq!(shown(&rests("List Int", main)).0, value, "{main}");
    }
    let through = rests("List Int", "through (up 1 10)");
    assert_eq!(dynamic(&through), []);
    assert_eq!(shown(&through).1, 0);
}

/// What is left fails where it is written, once the program has ended.
#[test]
fn what_is_left_may_fail() {
    for (main, kind) in [
        ("late (say 1 + say 3)", RunErrorKind::DivisionByZero),
        ("late (first [] + 1)", RunErrorKind::NoMatch),
        ("late (first [2] + 100)", RunErrorKind::NoMatch),
        ("ways (late (say 7 + first [2]))", RunErrorKind::NoMatch),
    ] {
        let text = format!("{RESTS}\nmain : {{Int}}\nmain! = {main}\n");
        at_every_step(&compiled(&text));
        assert_eq!(error(&text).kind, kind, "{main}");
    }
}

#[test]
fn rests_may_be_many() {
    let main = "[length (gather (up 1 300000)), total (gather (deepUp 0; up 1 1000))]";
    let ran = rests("List Int", main).run(Limits::default(), "");
    assert_eq!(ran.value.unwrap(), "[300000, 500500]");
    assert_eq!(ran.stats.captures, 0);
}

/// Programs to differentiate.
const DERIVATIVES: &str = "
include ad

cubic : X -> [Smooth X] X
cubic x = divide (t x (t x x)) (p x (c 2))

cubics : Int -> X -> [Smooth X] X
cubics 0 x = x
cubics n x = cubics (n - 1) (divide (c 1) (minus (c 1.3) (t (c 0.8) x)))

each : <Choice> X -> List X
each x = [x]
each <choose -> k> = append (each (k true)) (each (k false))

two : X -> [Choice, Smooth X] X
two x = if choose! {t x x} {t (c 3) x}
";

fn derivative(ty: &str, main: &str) -> Compiled {
    let cells = if ty.is_empty() { "Float" } else { ty };
    compiled(&format!(
        "{DERIVATIVES}\nmain : {{[RefState] {cells}}}\nmain! = {main}\n"
    ))
}

/// x^3 / (x + 2) at 3 has the derivatives 4.32, 1.872 and 0.0768.
#[test]
fn derivatives_in_one_another() {
    for (main, expected) in [
        ("evaluate (grad {x -> cubic x} 3)", 4.32),
        ("evaluate (gradc {x -> cubic x} 3)", 4.32),
        ("evaluate (gradc {x -> checkpoint {cubic x}} 3)", 4.32),
        ("evaluate (d {x -> grad {y -> cubic y} x} 3)", 1.872),
        ("evaluate (grad {x -> d {y -> cubic y} x} 3)", 1.872),
        ("evaluate (grad {x -> grad {y -> cubic y} x} 3)", 1.872),
        ("evaluate (gradc {x -> grad {y -> cubic y} x} 3)", 1.872),
        (
            "evaluate (grad {x -> gradc {y -> checkpoint {cubic y}} x} 3)",
            1.872,
        ),
        (
            "evaluate (d {x -> grad {y -> grad {w -> cubic w} y} x} 3)",
            0.0768,
        ),
        (
            "evaluate (grad {x -> grad {y -> d {w -> cubic w} y} x} 3)",
            0.0768,
        ),
        (
            "evaluate (grad {x -> grad {y -> grad {w -> cubic w} y} x} 3)",
            0.0768,
        ),
        (
            "evaluate (grad {x -> t x (grad {y -> p (liftr x) y} (c 1))} 2)",
            1.0,
        ),
    ] {
        let compiled = derivative("", main);
        let value: f64 = shown(&compiled).0.parse().unwrap();
        assert!((value - expected).abs() < 1e-12, "{main}: {value}");
    }
}

/// The operations of a differentiated program are done where they stand, and nothing is captured for them.
#[test]
fn gradients_capture_nothing() {
    for main in [
        "evaluate (grad {x -> cubics 30 x} 0.4)",
        "evaluate (gradc {x -> cubics 30 x} 0.4)",
        "evaluate (grad {x -> p (sinS x) (powi x 3)} 0.4)",
    ] {
        let compiled = derivative("", main);
        assert_eq!(dynamic(&compiled), [], "{main}");
        assert_eq!(shown(&compiled).1, 0, "{main}");
    }
}

/// x^2 and 3 x at 2 have the derivatives 4 and 3; the ways around `grad` share the cell of x.
#[test]
fn gradients_and_several_resumptions() {
    for (ty, main, value) in [
        (
            "List Float",
            "each (evaluate (grad {x -> two x} 2))",
            "[4.0, 7.0]",
        ),
        (
            "List Float",
            "evaluate (each (grad {x -> two x} 2))",
            "[4.0, 7.0]",
        ),
        (
            "Float",
            "evaluate (grad {x -> sumS (each (two x))} 2)",
            "7.0",
        ),
        (
            "Float",
            "evaluate (grad {x -> sumS (each (p (two x) (two x)))} 2)",
            "28.0",
        ),
    ] {
        assert_eq!(shown(&derivative(ty, main)).0, value, "{main}");
    }
}
