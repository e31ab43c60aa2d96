//! Thunks and operators that are known where they are applied or handed on: every run is one with and without versions
//! for them, with the same value, output, failure, place and number of steps.

use frank_interpreter::{How, Limits, Why};

use crate::specialised::dynamic;
use crate::taken_apart::at_every_step;
use crate::{Compiled, compiled};

/// The loops of the benchmarks, and their other programs with derivatives.
fn benchmark(program: &str, ty: &str, main: &str) -> Compiled {
    compiled(&format!("{program}\nmain : {{{ty}}}\nmain! = {main}\n"))
}

#[test]
fn loops_over_data_know_their_handlers() {
    let loops = include_str!("../benches/programs/loop.fk");
    let realistic = include_str!("../benches/programs/realistic.fk");
    for (program, main) in [
        (loops, "evaluate (let x = c 0.4 in foldLoop 9 x)"),
        (loops, "evaluate (d {x -> foldLoop 9 x} 0.4)"),
        (
            loops,
            "evaluate (d {x -> sumS (map {y -> turn (t x y)} [x, c 1.0])} 0.4)",
        ),
        (
            loops,
            "evaluate (d {x -> foldl p x (map turn [x, c 1.0])} 0.4)",
        ),
        (
            realistic,
            "evaluate (d {x -> likelihood [1.5, 0.5, 1.0] x} 0.4)",
        ),
        (realistic, "evaluate (d {x -> angleAfter 3 x} 0.4)"),
        (realistic, "evaluate (grad {x -> angleAfter 2 x} 0.4)"),
        (
            realistic,
            "evaluate (d {x -> (compose {y -> t y x} {y -> p y x}) x} 0.4)",
        ),
        (
            realistic,
            "evaluate (d {x -> let f = {y -> t y x} in let g = {y -> f (f y)} in
               sumS (map {z -> p (g z) (f z)} [x, x])} 0.4)",
        ),
        (
            realistic,
            "evaluate (sumFloat (concat (jacobian {zs -> map {z -> t z (sumS zs)} zs} [1.0, 2.0])))",
        ),
    ] {
        let compiled = benchmark(program, "[RefState] Float", main);
        assert_eq!(dynamic(&compiled), [], "{main}");
        at_every_step(&compiled);
    }
}

const PROGRAM: &str = "
include prelude

interface Ask = ask : Int -> Int

interface Flip = flip : Bool

data Box = box {Int -> Int}

answering : Int -> <Ask> X -> X
answering n x = x
answering n <ask i -> k> = answering (n + 1) (k (n * i))

both : <Flip> X -> List X
both x = [x]
both <flip -> k> = append (both (k true)) (both (k false))

-- A thunk around a thunk, once more for each round.
wrapped : {Int -> Int} -> Int -> Int
wrapped f 0 = f 1
wrapped f n = wrapped {x -> f (f x + 1)} (n - 1)

-- Two that change their places.
turns : {Int -> Int} -> {Int -> Int} -> Int -> Int -> Int
turns f g 0 x = x
turns f g n x = turns g f (n - 1) (f x)

-- The thunk is kept, too.
kept : {Int -> Int} -> Int -> List Box -> List Box
kept f 0 all = all
kept f n all = kept f (f n) (box f :: all)

opened : List Box -> Int -> Int
opened bs x = foldl {x b -> case b {(box f) -> f x}} x bs

double : Int -> Int
double x = x * 2

fold : Int -> Int -> Int
fold a x = a * 3 + x

-- It calls, so it cannot stand in the place of an application that is not last.
long : Int -> Int
long 0 = 0
long n = 1 + long (n - 1)

-- The last thing that it does is its own loop.
forever : {Int -> Int} -> Int -> Int
forever f n = if (n > 60) {n} {f (n + 1)}

count : Int -> Int
count n = forever {n -> count n} n

-- Functions in an object, which is made again in each round, and handed on as it is.
data Ways = ways {Int -> Int} {Int -> Int -> Int}

again : Ways -> Int -> Int -> Int
again (ways f g) 0 x = f x
again (ways f g) n x = again (ways f g) (n - 1) (g x (f n))

on : Ways -> Int -> Int -> Int
on ws 0 x = case ws {(ways f _) -> f x}
on ws n x = case ws {(ways f g) -> on ws (n - 1) (g x (f n))}

swapped : Ways -> Int -> Int
swapped (ways f g) 0 = f (g 1 2)
swapped (ways f g) n = swapped (ways {x -> g x n} {x y -> f (x - y)}) (n - 1)

-- Pairs that thunks have captured, taken apart or not.
within : Pair Int Int -> List Int -> [Ask] Int
within both xs = foldl {sum x -> case both {(pair a b) -> sum * a + b * ask x}} 0 xs

keeping : Pair Int Int -> List Int -> [Ask] (List (Pair Int Int))
keeping both xs = foldl {all x -> case both {(pair a b) -> if (a + ask x > b) {both :: all} {all}}} [] xs

-- Of operators that are handed pairs which are made there.
moved : Pair Int Int -> Int -> [Ask] (Pair Int Int)
moved (pair a b) n = let far = pair (a + ask n) (b * n) in if (n == 7) {pair b a} {far}

moving : Int -> Pair Int Int -> [Ask] (Pair Int Int)
moving 0 at = at
moving n at = moving (n - 1) (moved at n)

apart : Pair Int Int -> [Ask] Int
apart (pair 1 b) = b
apart (pair a 2) = 10 / (a - ask 1)

-- A thunk that handles.
handling : {<Ask> Int -> Int} -> Int -> Int
handling f n = f (ask n + n)
";

fn program(ty: &str, main: &str) -> Compiled {
    compiled(&format!("{PROGRAM}\nmain : {{{ty}}}\nmain! = {main}\n"))
}

#[test]
fn code_that_is_known_gives_what_it_gave() {
    for (ty, main, expected) in [
        ("Int", "wrapped double 3", "510"),
        ("Int", "turns double {x -> x + 1} 5 1", "14"),
        (
            "Int",
            "let n = 7 in turns {x -> x + n} {x -> x * n} 4 1",
            "441",
        ),
        ("Int", "opened (kept {x -> x - 1} 9 []) 100", "91"),
        ("Int", "foldl fold 1 [1, 2, 3]", "45"),
        ("Int", "foldl {a x -> a + long x} 1 [1, 2, 3]", "7"),
        ("List Int", "map double (map long [3, 4])", "[6, 8]"),
        (
            "List Int",
            "map {x -> sum (map {y -> x * y} [1, 2])} [3, 4]",
            "[9, 12]",
        ),
        ("Int", "count 1", "61"),
        (
            "Int",
            "answering 3 (foldl {a x -> a + ask x} 0 [1, 2, 3])",
            "26",
        ),
        (
            "List Int",
            "answering 3 (map {x -> ask x} [1, 2, 3])",
            "[3, 8, 15]",
        ),
        ("List Int", "answering 3 (map ask [1, 2, 3])", "[3, 8, 15]"),
        (
            "List Int",
            "answering 3 (map {x -> answering x (ask 1) + ask x} [1, 2])",
            "[4, 10]",
        ),
        (
            "List Int",
            "answering 3 (map {x -> answering x ((<Ask> (ask 1)) + ask x)} [1, 2])",
            "[4, 8]",
        ),
        (
            "Int",
            "evalState 1 (foldl {a x -> put (get! + x); a + get!} 0 [1, 2, 3])",
            "13",
        ),
        (
            "List (List Int)",
            "both (map {x -> if flip! {x} {0 - x}} [1, 2])",
            "[[1, 2], [1, -2], [-1, 2], [-1, -2]]",
        ),
        ("Int", "again (ways {x -> x + 1} {x y -> x * y}) 3 2", "49"),
        (
            "Int",
            "answering 2 (again (ways {x -> ask x} {x y -> x - ask y}) 2 9)",
            "-138",
        ),
        ("Int", "on (ways double {x y -> x * y}) 3 2", "192"),
        (
            "Int",
            "answering 2 (on (ways {x -> ask x} {x y -> x - ask y}) 2 9)",
            "-138",
        ),
        ("Int", "swapped (ways double {x y -> x * y}) 5", "-90"),
        (
            "Int",
            "answering 2 (within (pair 3 4) [1, 2, 3] + within (pair (ask 1) 2) [4])",
            "240",
        ),
        (
            "List (Pair Int Int)",
            "answering 2 (keeping (pair 1 9) [1, 3, 4])",
            "[pair 1 9, pair 1 9]",
        ),
        (
            "Pair Int Int",
            "answering 2 (moving 8 (pair 3 (ask 1)))",
            "pair 156 19440",
        ),
        (
            "Int",
            "answering 3 (apart (pair 1 5) + apart (pair 8 2))",
            "7",
        ),
        (
            "List Int",
            "both (let at = pair 1 2 in foldl {sum x -> case at {(pair a b) -> if flip! {sum + a} {sum * b + x}}} 1 [1, 2])",
            "[3, 6, 4, 8]",
        ),
        ("Int", "(compose {x -> x - 1} {x -> x * 3}) 5", "14"),
        (
            "Int",
            "answering 2 ((compose {x -> ask x} {x -> ask (x + 1)}) 4)",
            "30",
        ),
        (
            "Int",
            "answering 2 (handling {x -> x + 1 | <ask i -> k> -> i} 5)",
            "5",
        ),
    ] {
        let compiled = program(ty, main);
        let ran = compiled.run(Limits::default(), "");
        assert_eq!(ran.value.unwrap(), expected, "{main}");
        at_every_step(&compiled);
    }
}

#[test]
fn failures_in_known_code_are_where_they_were() {
    for main in [
        "foldl {a x -> a / x} 1 [1, 0]",
        "foldl {a x -> 1 + long (a / x)} 1 [1, 0]",
        "sum (map {x -> case x {1 -> 2}} [1, 2])",
        "let f = {x -> long (10 / x)} in f 1 + f 0",
        "let f = {1 -> 2} in f 1 + f 0",
        "let f = {x -> fail \"no\"} in f 0 + f 1",
        "foldl {a x -> if (x == 2) {fail \"two\"} {a + x}} 0 [1, 2]",
        "round (evaluate (sumS (map {v -> sumS (hvp {xs -> sumS xs} [1.0] v)} [[1.0], [1.0, 2.0]])))",
        "let f = {x -> unwrapped x} in map f [1, 0]; 1",
        "answering 3 (foldl {a x -> ask a / x} 1 [1, 0])",
        "turns {x -> 10 / x} {x -> x - 5} 4 2",
        "wrapped {x -> 10 / (x - 1)} 3",
        "answering 1 (apart (pair 1 3) + apart (pair 3 3))",
        "answering 1 (apart (pair 1 2) / 0)",
        "answering 3 (apart (pair 3 2))",
        "on (ways {x -> 10 / (x - 2)} {x y -> x + y}) 4 1",
        "again (ways {1 -> 2} {x y -> x + y}) 1 1",
        "(compose {x -> 10 / x} {x -> x - 1}) 1",
    ] {
        let text = format!(
            "{PROGRAM}\ninclude ad\n\nunwrapped : Int -> Int\nunwrapped 1 = 2\n\nmain : {{[RefState] Int}}\nmain! = {main}\n"
        );
        let compiled = compiled(&text);
        let ran = compiled.run(Limits::default(), "");
        assert!(ran.value.is_err(), "{main}");
        at_every_step(&compiled);
    }
}

/// What is taken out of a list may be any thunk.
#[test]
fn code_that_is_not_known_is_called_as_ever() {
    let main = "answering 2 (foldl {a f -> a + f!} 0 [{ask 1}, {ask 2}])";
    let compiled = program("Int", main);
    assert_eq!(compiled.run(Limits::default(), "").value.unwrap(), "8");
    at_every_step(&compiled);
    let unknown = |(_, why): &(String, Why)| *why == Why::Unknown;
    assert!(dynamic(&compiled).iter().all(unknown));
    assert!(!dynamic(&compiled).is_empty());
}

/// Commands that are handed thunks, for clauses that run them before they resume, afterwards, or twice.
const RUN: &str = "
include prelude

interface Ask = ask : Int -> Int

interface Run = run : {[Ask] Int} -> Int

answering : Int -> <Ask> X -> X
answering n x = x
answering n <ask i -> k> = answering (n + 1) (k (n + i))

running : Int -> <Run> Int -> [Ask] Int
running n x = x + n
running n <run m -> k> =
  let y = answering n (<Ask(s a b -> s b)> m!) in
  let z = running (n + y) (k (y + ask n)) in
  z + answering z (<Ask(s a b -> s b)> m!)

twice : <Run> Int -> Int
twice x = x
twice <run m -> k> = let y = answering 1 m! in twice (k y) + twice (k 2)

-- Its other clause wants any command.
one : Int -> <Run> Int -> Int
one _ x = x
one 0 <run m -> _> = 7
one n <m> = one (n - 1) m! + n

work : Int -> [Run] Int
work 0 = run {ask 5}
work n = let x = run {let y = ask n in y + ask (y + 1)} in x + work (n - 1)
";

#[test]
fn clauses_know_the_thunks_that_commands_are_handed() {
    let checkpointed = benchmark(
        include_str!("../benches/programs/loop.fk"),
        "[RefState] Float",
        "checkpointed 3 4 0.4",
    );
    assert_eq!(dynamic(&checkpointed), []);
    let direct = How::Direct("reversec".to_owned(), Why::Clause("reversec".to_owned()));
    let commands = checkpointed.both.specialised.commands();
    let mut checkpoints = commands.iter().filter(|c| c.command == "checkpoint");
    assert!(checkpoints.all(|c| c.how == direct));
    assert!(commands.iter().any(|c| c.command == "checkpoint"));
    at_every_step(&checkpointed);
    for main in [
        "answering 1 (running 2 (<Ask> (work 1)))",
        "twice (work 2)",
        "twice (answering 3 (running 1 (<Run, Ask> (work 1))))",
        "answering 3 (running 1 (twice (<Run, Ask> (work 1)) + <Ask> (work 1)))",
    ] {
        let compiled = benchmark(RUN, "Int", main);
        for (command, why) in dynamic(&compiled) {
            assert_eq!(command, "run", "{main}: {why}");
        }
        at_every_step(&compiled);
    }
    at_every_step(&benchmark(RUN, "Int", "one 2 (work 2)"));
}

/// What takes apart the objects that it is given, and gives some that are taken apart, makes none.
#[test]
fn objects_that_thunks_capture_and_operators_give_are_not_made() {
    let program = format!(
        "{}
iter : Int -> {{X -> X}} -> X -> X
iter 0 f x = x
iter n f x = iter (n - 1) f (f x)
",
        include_str!("../benches/programs/realistic.fk")
    );
    for (main, most) in [
        ("evaluate (d {x -> angleAfter 20 x} 0.4)", 5),
        (
            "evaluate (d {x -> iter 20 {y -> t (p y x) (c 0.3)} x} 0.4)",
            2,
        ),
    ] {
        let compiled = benchmark(&program, "[RefState] Float", main);
        assert_eq!(dynamic(&compiled), [], "{main}");
        let stats = compiled.run(Limits::default(), "").stats;
        assert!(stats.peak_objects <= most, "{main}: {stats:?}");
    }
}
