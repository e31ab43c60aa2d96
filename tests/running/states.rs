//! Handlers that keep a state in arguments of their own: each program is run with its states in registers where that is
//! done, and without, with the same value, output, failure, place and number of steps. The values were computed by an
//! interpreter that has nothing in common with the machine.

use frank_interpreter::{How, Limits, RunErrorKind, Why};

use crate::specialised::dynamic;
use crate::taken_apart::at_every_step;
use crate::{Compiled, compiled, error};

/// Interfaces, handlers and loops of the tests below.
const STATES: &str = "
include prelude

interface Emit = emit : Int -> Unit

interface Tick = tick : Int -> Int | reset : Unit

interface Parse = item : Char | stuck X : X | branch : Bool

countdown : [State Int] Int
countdown! = let i = get! in if (i == 0) {i} {put (i - 1); countdown!}

-- Not a loop: there is work left.
climb : Int -> [State Int] Int
climb 0 = get!
climb n = put (get! + n); n * climb (n - 1) + get!

deep : Int -> [State Int] Int
deep 0 = get!
deep n = put (get! + 1); deep (n - 1) + 1

from : Int -> Int -> [Emit] Unit
from i n = if (i > n) {unit} {emit i; from (i + 1) n}

sumOf : Int -> <Emit> Unit -> Int
sumOf s unit          = s
sumOf s <emit x -> k> = sumOf (s + x) (k unit)

-- Several states, which change places; a pattern that looks at one.
turns : Int -> List Int -> Int -> <Tick> X -> Pair X (List Int)
turns a xs b x = pair x (a :: b :: xs)
turns a xs b <tick i -> k> = turns b (i :: xs) (a + 1) (k (a * 10 + b))
turns 0 xs b <reset -> k> = turns 0 [] b (k unit)
turns a xs b <reset -> k> = turns 0 xs (a + b) (k unit)

ticks : Int -> [Tick] Int
ticks 0 = tick 0
ticks n = let x = tick n in if (x > 12) {reset!; ticks (n - 1)} {ticks (n - 1)}

-- The state is changed by each command, before what it is resumed with is computed.
late : Int -> <State Int> X -> Pair X Int
late s x            = pair x s
late s <get -> k>   = late (s + 1) (k s)
late s <put n -> k> = late (n + 100) (k (drop2 get!))

drop2 : Int -> Unit
drop2 n = unit

each : <Choice> X -> List X
each x             = [x]
each <choose -> k> = append (each (k true)) (each (k false))

-- Where a choice is made twice, after and before the state has changed.
pick : Int -> [State Int, Choice] Int
pick 0 = get!
pick n = put (get! * 2); if choose! {put (get! + 1)} {unit}; pick (n - 1)

-- Two counters of one interface: the right one by itself, the left one by adaptors.
two : Int -> [State Int, State Int] Int
two 0 = get! * 1000 + <State(s a b -> s b a)> get!
two n = put (get! + n); let x = <State(s a b -> s b a)> get! in let y = x + 1 in <State(s a b -> s b a)> (put y); two (n - 1)

hidden : Int -> [State Int, State Int] Int
hidden 0 = <State> get!
hidden n = let x = <State> get! in let y = x + n in <State> (put y); put (get! * 2 + x); hidden (n - 1)

-- A thunk as a state.
grow : Int -> [State {Int -> Int}] Int
grow 0 = let f = get! in <State> (f 3)
grow n = let f = get! in put {x -> f x + n}; grow (n - 1)

-- A pair as a state.
fibs : Int -> [State (Pair Int Int)] Int
fibs 0 = case get! {(pair a b) -> a}
fibs n = case get! {(pair a b) -> put (pair b (a + b))}; fibs (n - 1)

-- A handler that takes its state apart, and one branch that writes it as a whole.
interface Reg = load : Pair Int Int | store : Pair Int Int -> Unit

regs : Pair Int Int -> <Reg> X -> Pair X (Pair Int Int)
regs p x = pair x p
regs p <load -> k> = regs p (k p)
regs (pair a b) <store (pair c d) -> k> = regs (pair (a + c) d) (k unit)

spin : Int -> [Reg] Int
spin 0 = case load! {(pair a b) -> a - b}
spin n = store (pair n 1); if (n == 3) {store (pair 5 5)} {unit}; spin (n - 1)

keep : Int -> List (Pair Int Int) -> [Reg] (List (Pair Int Int))
keep 0 kept = kept
keep n kept = store (pair 1 n); let p = load! in store p; keep (n - 1) (p :: kept)

-- Loops that call each other, and one in a loop under a handler of its own.
even : Int -> [State Int] Int
even 0 = get!
even n = put (get! + 1); odd (n - 1)

odd : Int -> [State Int] Int
odd 0 = 0 - get!
odd n = put (get! * 2); even (n - 1)

nested : Int -> [State Int] Int
nested 0 = get!
nested n = put (evalState (get! + 1) (even 3) + get!); nested (n - 1)

-- An abort in the middle; the state is read after it.
seek : Int -> [State Int, Abort] Int
seek n = let s = get! in put (s + n); if (s > 20) {abort!} {seek (n + 1)}

tried : <Abort> Int -> Int
tried x            = x
tried <abort -> _> = 0 - 1

around : [State Int] Int
around! = tried (seek 1) * 100 + get!

-- A parser: states that are matched, drops, choices that are resumed twice.
data Result = parsed Int String | failed

parse : String -> <Parse> Int -> Result
parse s x                   = parsed x s
parse s <stuck -> k>        = failed
parse []        <item -> k> = failed
parse (x :: xs) <item -> k> = parse xs (k x)
parse s <branch -> k>       = case (parse s (k true)) { failed -> parse s (k false)
                                                      | result -> result }

this : Char -> [Parse] Unit
this x = if (eqc item! x) {unit} {stuck!}

expression : [Parse] Int
expression! =
  let x = summand! in
  if branch! {this '+'; x + expression!} {x}

summand : [Parse] Int
summand! = if branch! {this '('; let x = expression! in this ')'; x}
                   {this '1'; 1}

-- Work that a clause of another handler does with a state around it.
logged : <Tick> X -> [State Int] X
logged x            = x
logged <tick i -> k> = put (get! + i); logged (k (get! * 2))
logged <reset -> k> = let s = get! in put 0; let r = logged (k unit) in put (s + get!); r

-- Three ways to end: last, before something, in a failure of the caller.
say : Int -> [State Int, Console] Int
say 0 = get!
say n = put (get! + n); print \".\"; say (n - 1)
";

fn states(ty: &str, main: &str) -> Compiled {
    compiled(&format!(
        "{STATES}\nmain : {{[Console] {ty}}}\nmain! = {main}\n"
    ))
}

#[test]
fn states_are_what_they_were() {
    for (ty, main, expected) in [
        ("Int", "evalState 9 countdown!", "0"),
        ("Pair Int Int", "runState 3 (climb 4)", "pair 845 13"),
        ("Int", "sumOf 0 (from 1 10)", "55"),
        (
            "Pair Int (List Int)",
            "turns 1 [] 2 (ticks 6)",
            "pair 9 [9, 1, 0, 1, 2, 3, 4, 5, 6]",
        ),
        (
            "Pair Int (List Int)",
            "turns 0 [] 0 (reset!; ticks 3)",
            "pair 12 [2, 2, 0, 1, 2, 3]",
        ),
        (
            "Pair Int Int",
            "late 1 (put 5; get! + get!)",
            "pair 213 108",
        ),
        (
            "List Int",
            "each (evalState 1 (pick 3))",
            "[15, 14, 13, 12, 11, 10, 9, 8]",
        ),
        (
            "List (Pair Int Int)",
            "each (runState 1 (pick 2))",
            "[pair 7 7, pair 6 6, pair 5 5, pair 4 4]",
        ),
        (
            "Pair (List Int) Int",
            "runState 1 (each (pick 3))",
            "pair [15, 15, 31, 31, 127, 127, 255, 255] 255",
        ),
        ("Int", "evalState 1 (evalState 2 (two 3))", "8004"),
        (
            "Pair (Pair Int Int) Int",
            "runState 1 (runState 2 (hidden 3))",
            "pair (pair 7 34) 7",
        ),
        ("Int", "evalState {x -> x * 2} (grow 4)", "16"),
        ("Int", "evalState (pair 0 1) (fibs 20)", "6765"),
        (
            "Pair Int (Pair Int Int)",
            "regs (pair 1 2) (spin 5)",
            "pair 20 (pair 21 1)",
        ),
        (
            "Pair (List (Pair Int Int)) (Pair Int Int)",
            "regs (pair 1 2) (keep 3 [])",
            "pair [pair 11 1, pair 5 2, pair 2 3] (pair 22 1)",
        ),
        ("Int", "evalState 1 (even 7)", "-23"),
        ("Pair Int Int", "runState 1 (nested 3)", "pair -6 -6"),
        ("Pair Int Int", "runState 3 around!", "pair -69 31"),
        (
            "Pair Int Int",
            "runState 3 (tried (evalState 4 (seek 2)))",
            "pair -1 3",
        ),
        ("Int", "tried (evalState 4 (seek 2))", "-1"),
        ("Result", "parse \"1+(1+1)+1\" expression!", "parsed 4 \"\""),
        ("Result", "parse \"1+(1+\" expression!", "parsed 1 \"+(1+\""),
        (
            "Pair Int Int",
            "runState 5 (logged (ticks 4))",
            "pair 12 15",
        ),
        (
            "Pair (Pair Int (List Int)) Int",
            "runState 5 (turns 1 [] 2 (put (get! + tick 3); ticks (get! / 4)))",
            "pair (pair 71 [1, 8, 0, 1, 2, 3, 4, 3]) 17",
        ),
        ("Int", "evalState 2 (say 3)", "8"),
    ] {
        let compiled = states(ty, main);
        let ran = compiled.run(Limits::default(), "");
        assert_eq!(ran.value.unwrap(), expected, "{main}");
        at_every_step(&compiled);
    }
}

/// Nothing is performed where the handler is known, and its clause only computes and resumes.
#[test]
fn known_states_are_read_and_written_in_place() {
    for main in [
        "evalState 9 countdown!",
        "evalState 3 (climb 4)",
        "sumOf 0 (from 1 10)",
        "evalState 1 (evalState 2 (two 3))",
        "evalState 1 (evalState 2 (hidden 3))",
        "evalState (pair 0 1) (fibs 20)",
        "evalState 1 (nested 3)",
    ] {
        assert_eq!(dynamic(&states("Int", main)), [], "{main}");
    }
    // One clause drops, the other resumes: both stand there.
    let compiled = states("Result", "parse \"1+1\" expression!");
    let commands = compiled.both.specialised.commands();
    let mut items = commands.iter().filter(|report| report.command == "item");
    assert!(items.all(|report| matches!(report.how, How::Inlined(_))));
}

/// A clause that resumes last runs above handlers that it does not see, so it looks for the state.
#[test]
fn states_around_a_clause_in_its_own_place_are_looked_for() {
    let compiled = compiled(
        "
include prelude

interface Want = want : Int -> Int

shifted : <Want> X -> [State Int] X
shifted x = x
shifted <want i -> k> = let s = get! in shifted (k (s + i))

three : {X} -> List X
three f = [f!, f!, f!]

-- The command stands in a thunk, which does not know its handlers.
main : {List Int}
main! = evalState 4 (shifted (evalState 7 (<State> (three {want 1; want 2}))))
",
    );
    assert_eq!(
        compiled.run(Limits::default(), "").value.unwrap(),
        "[6, 6, 6]"
    );
    let reason = ("get".to_owned(), Why::State("evalState".to_owned()));
    assert!(dynamic(&compiled).contains(&reason));
    at_every_step(&compiled);
}

/// A state that is only in registers when the run ends, or that a message shows.
#[test]
fn failures_with_states() {
    let kind = |ty: &str, main: &str| {
        let compiled = states(ty, main);
        at_every_step(&compiled);
        compiled.run(Limits::default(), "").value.unwrap_err().kind
    };
    for (main, expected) in [
        (
            "sumOf 9223372036854775800 (from 1 10)",
            RunErrorKind::Overflow,
        ),
        (
            "evalState 5 (put (get! / (get! - 5)); get!)",
            RunErrorKind::DivisionByZero,
        ),
        (
            "evalState 0 (countdown! / get!)",
            RunErrorKind::DivisionByZero,
        ),
        (
            "tried (evalState 4 (seek 2)) / evalState 0 countdown!",
            RunErrorKind::DivisionByZero,
        ),
    ] {
        assert_eq!(kind("Int", main), expected, "{main}");
    }
    let some = "
include prelude

-- Only some states and commands have clauses.
some : Int -> List Int -> <State Int> X -> X
some _ _ x            = x
some 1 xs <get -> k>   = some 2 (1 :: xs) (k 7)
some n (_ :: xs) <put 7 -> k> = some (n - 1) xs (k unit)
";
    for main in [
        "get! + get!",
        "put get!; put get!; get!",
        "get! + (put 8; get!)",
    ] {
        let compiled = compiled(&format!(
            "{some}\nmain : {{Int}}\nmain! = some 1 [] ({main})\n"
        ));
        let ran = compiled.run(Limits::default(), "");
        match main {
            "put get!; put get!; get!" => assert_eq!(ran.value.unwrap(), "7"),
            _ => assert_eq!(ran.value.unwrap_err().kind, RunErrorKind::NoMatch),
        }
    }
    let values = error(&format!(
        "{some}\nmain : {{Int}}\nmain! = some 1 [] (get! + get!)\n"
    ))
    .values;
    assert_eq!(values, ["2", "[1]", "{…}"]);
}

/// An abort that is performed where no clause matches sees the state as it is then.
#[test]
fn an_abort_of_a_failed_match_sees_the_state() {
    let compiled = compiled(
        "
include prelude

small : [State Int, Abort] Int
small! = put (get! + 1); case get! {3 -> small! | 1 -> small! | 2 -> small!}

tried : <Abort> Int -> Int
tried x            = x
tried <abort -> _> = 10

main : {Pair Int Int}
main! = runState 0 (tried small! + get!)
",
    );
    assert_eq!(
        compiled.run(Limits::default(), "").value.unwrap(),
        "pair 14 4"
    );
    at_every_step(&compiled);
}

/// What a loop has in registers is not kept by the handler's call as well, and nothing is captured.
#[test]
fn loops_with_states_need_no_room() {
    let of = |main: &str| {
        let ran = states("Int", main).run(Limits::default(), "");
        assert_eq!(ran.stats.captures, 0, "{main}");
        (ran.stats.peak_objects, ran.value.unwrap())
    };
    let peak = |main: &str| of(main).0;
    assert_eq!(
        peak("evalState 50 countdown!"),
        peak("evalState 5000 countdown!")
    );
    assert_eq!(peak("sumOf 0 (from 1 50)"), peak("sumOf 0 (from 1 5000)"));
    assert_eq!(
        peak("evalState (pair 0 1) (fibs 5)"),
        peak("evalState (pair 0 1) (fibs 60)")
    );
    assert_eq!(of("evalState 1 (deep 100000)").1, "200001");
}
