//! Objects that a loop hands to itself, and versions of operators that take them in parts: every run is one with and
//! without such versions, with the same value, output, failure, place and number of steps.

use frank_interpreter::Limits;

use crate::{Compiled, compiled};

/// Data types and operators of the tests below.
const LOOPS: &str = "
include prelude

data Step = slow Int | fast Int Int | still

-- Fibonacci's numbers, in a pair.
fib : Int -> Pair Int Int -> Int
fib 0 (pair a b) = a
fib n (pair a b) = fib (n - 1) (pair b (a + b))

-- The pair as a whole is the value.
last2 : Int -> Pair Int Int -> Pair Int Int
last2 0 both = both
last2 n (pair a b) = last2 (n - 1) (pair b (a + b))

-- It is kept in each round.
all : Int -> Pair Int Int -> List (Pair Int Int) -> List (Pair Int Int)
all 0 both kept = kept
all n both kept = case both {(pair a b) -> all (n - 1) (pair (b * 2) a) (both :: kept)}

-- Handed on as it is.
same : Int -> Pair Int Int -> List (Pair Int Int) -> List (Pair Int Int)
same 0 both kept = kept
same n both kept = same (n - 1) both (both :: kept)

-- Pairs in pairs, which change their places.
turn : Int -> Pair (Pair Int Int) (Pair Int Int) -> Pair (Pair Int Int) (Pair Int Int)
turn 0 x = x
turn n (pair (pair a b) (pair c d)) = turn (n - 1) (pair (pair d a) (pair b (c + 1)))

-- One of several constructors.
walk : Int -> Step -> Int -> Int
walk 0 s sum = case s {(slow i) -> sum + i | (fast i j) -> sum + i * j | still -> sum}
walk n (slow i) sum = walk (n - 1) (fast i (i + 1)) (sum + 1)
walk n (fast i j) sum = if (n == 3) {walk (n - 1) still sum} {walk (n - 1) (slow j) (sum + i)}
walk n still sum = walk (n - 1) (slow n) sum

-- Pairs in pairs without end, which only a signature allows.
grow : Int -> Pair X X -> Int
grow 0 p = 0
grow n p = 1 + grow (n - 1) (pair p p)
";

fn loops(main: &str) -> Compiled {
    compiled(&format!("{LOOPS}\n{main}\n"))
}

/// Runs a program to its end, which gives all that is compared, and ends it at each step before that.
pub fn at_every_step(compiled: &Compiled) {
    let whole = compiled.run(Limits::default(), "").stats.steps;
    assert!(whole > 0);
    for steps in 0..whole {
        compiled.both.run_out_of_steps(&compiled.program, steps);
    }
}

#[test]
fn loops_give_what_they_gave() {
    for (main, expected) in [
        ("fib 30 (pair 0 1)", "832040"),
        ("last2 10 (pair 0 1)", "pair 55 89"),
        ("all 3 (pair 1 2) []", "[pair 2 4, pair 4 1, pair 1 2]"),
        ("same 2 (pair 1 2) []", "[pair 1 2, pair 1 2]"),
        (
            "turn 5 (pair (pair 1 2) (pair 3 4))",
            "pair (pair 5 2) (pair 3 5)",
        ),
        ("walk 6 (slow 2) 0", "11"),
        ("grow 9 (pair 1 2)", "9"),
    ] {
        let ty = match main.split(' ').next() {
            Some("last2") => "Pair Int Int",
            Some("all" | "same") => "List (Pair Int Int)",
            Some("turn") => "Pair (Pair Int Int) (Pair Int Int)",
            _ => "Int",
        };
        let compiled = loops(&format!("main : {{{ty}}}\nmain! = {main}"));
        let ran = compiled.run(Limits::default(), "");
        assert_eq!(ran.value.unwrap(), expected, "{main}");
        at_every_step(&compiled);
    }
}

/// A loop under a handler that resumes it twice, and one that ends in a failure whose message shows the object.
#[test]
fn what_interrupts_a_loop_is_the_same() {
    for main in [
        "main : {List Int}
main! = both (choose 4 (pair 0 1))

interface Flip = flip : Bool

both : <Flip> X -> List X
both x = [x]
both <flip -> k> = append (both (k true)) (both (k false))

choose : Int -> Pair Int Int -> [Flip] Int
choose 0 (pair a b) = a
choose n (pair a b) = choose (n - 1) (if flip! {pair b (a + b)} {pair (a * 2) b})",
        "main : {Int}
main! = down 3 (pair 1 2)

down : Int -> Pair Int Int -> Int
down n (pair 1 b) = down (n - 1) (pair b (n + b))
down n (pair 2 b) = down (n - 1) (pair (n - b) 7)",
        "main : {Int}
main! = over 3 (pair 1 0)

over : Int -> Pair Int Int -> Int
over n (pair a b) = over (n - 1) (pair (a / n) (a + b))",
    ] {
        at_every_step(&loops(main));
    }
}

/// What a loop only hands to itself is not made in each round.
#[test]
fn a_loop_makes_no_object() {
    let most = |rounds: u32| {
        let main = format!("main : {{Int}}\nmain! = fib {rounds} (pair 0 1)");
        let ran = loops(&main).run(Limits::default(), "");
        (ran.stats.peak_objects, ran.value.is_ok())
    };
    assert_eq!(most(5), most(60));
}
