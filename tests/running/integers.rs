//! Integers that a loop hands to itself, of which some fit into a word of the machine and others do not: every run is one
//! of the machine and one of machine code, with the same value, failure, place and number of steps.

use frank_interpreter::{Limits, RunErrorKind};

use crate::taken_apart::at_every_step;
use crate::{Compiled, compiled};

/// 2⁴⁷, the first integer that no word holds.
const WIDE: i64 = 1 << 47;

const LOOPS: &str = "
include prelude

-- The sum of n numbers from x on.
sum : Int -> Int -> Int -> Int
sum 0 x total = total
sum n x total = sum (n - 1) (x + 1) (total + x)

double : Int -> Int -> Int
double 0 x = x
double n x = double (n - 1) (x * 2)

halve : Int -> Int -> Int
halve 0 x = x
halve n x = halve (n - 1) (x / 2)

-- The two change places in each round.
swap : Int -> Int -> Int -> Int
swap 0 x y = x - y
swap n x y = swap (n - 1) (y + 1) (x - 1)

-- One is only handed on until the end.
keep : Int -> Int -> Int -> Int
keep 0 x y = x + y
keep n x y = keep (n - 1) x (y + 1)

-- What comes back to a frame is added there.
deep : Int -> Int -> Int
deep 0 x = x
deep n x = n + deep (n - 1) (x + 1)

-- Two values come back.
fib : Int -> Int -> Int
fib 0 x = x
fib 1 x = x + 1
fib n x = fib (n - 1) x + fib (n - 2) x

-- They come out of a list, and the last one goes on as it is.
last : Int -> List Int -> Int
last x [] = x
last x (y :: ys) = last y ys

greatest : Int -> List Int -> Int
greatest x [] = x
greatest x (y :: ys) = if (x < y) {greatest y ys} {greatest (x + 0) ys}

-- Which clause it is depends on integers that fit, and on one that does not.
steps : Int -> Int -> Int
steps 3 n = steps 4 (n + 1)
steps 4 n = steps 140737488355328 (n * 2)
steps 140737488355328 n = steps 7 (n * 3)
steps 7 n = n
steps x n = steps (x + 1) n

-- A state that is counted up, and read when all is over.
counted : Int -> [State Int] Int
counted 0 = get!
counted n = put (get! + n); counted (n - 1)

-- The same integer as a number, and as a value of any type.
both : Int -> X -> Int -> Pair X Int
both 0 x n = pair x n
both m x n = both (m - 1) x (n + 1)

negated : Int -> Int -> Int
negated 0 x = x
negated n x = negated (n - 1) (0 - x)
";

fn loops(ty: &str, main: &str) -> Compiled {
    compiled(&format!("{LOOPS}\nmain : [Console] {ty}\nmain! = {main}\n"))
}

fn check(main: &str, expected: i64) {
    check_as("Int", main, &expected.to_string());
}

fn check_as(ty: &str, main: &str, expected: &str) {
    let compiled = loops(ty, main);
    let ran = compiled.run(Limits::default(), "");
    assert_eq!(ran.value.unwrap(), expected, "{main}");
    at_every_step(&compiled);
}

/// A literal in brackets, as negative ones need.
fn lit(i: i64) -> String {
    format!("({i})")
}

#[test]
fn sums_grow_beyond_a_word() {
    for start in [0, WIDE - 3, WIDE - 1, WIDE, -WIDE, -WIDE - 2, 1 << 60] {
        let total = (0..6).map(|i| start + i).sum::<i64>();
        check(&format!("sum 6 {} 0", lit(start)), total);
    }
    check(&format!("sum 6 (-3) {}", lit(WIDE - 1)), WIDE - 4);
    check(&format!("sum 6 (-3) {}", lit(-WIDE)), -WIDE - 3);
}

#[test]
fn products_and_quotients_cross_the_border() {
    for x in [1, -1, 3, -3] {
        check(&format!("double 55 {}", lit(x)), x << 55);
        check(&format!("halve 12 {}", lit(x << 55)), x << 43);
    }
    // The least integer that fits has no positive one beside it.
    check(&format!("negated 1 {}", lit(-WIDE)), WIDE);
    check(&format!("negated 2 {}", lit(-WIDE)), -WIDE);
    check(&format!("halve 1 {}", lit(-WIDE)), -WIDE / 2);
}

#[test]
fn what_changes_its_place_may_be_wide() {
    for (n, x, y) in [
        (5, WIDE, 1),
        (6, 1, WIDE),
        (5, WIDE, -WIDE),
        (4, WIDE - 2, 0),
    ] {
        let (mut a, mut b) = (x, y);
        for _ in 0..n {
            (a, b) = (b + 1, a - 1);
        }
        check(&format!("swap {n} {} {}", lit(x), lit(y)), a - b);
    }
}

#[test]
fn what_is_handed_on_may_be_wide() {
    for x in [0, 1, -1, WIDE - 1, WIDE, -WIDE, -WIDE - 1] {
        check(&format!("keep 5 {} 1", lit(x)), x + 6);
        check(&format!("keep 5 1 {}", lit(x)), x + 6);
    }
}

#[test]
fn what_comes_back_may_be_wide() {
    for x in [0, WIDE - 12, WIDE - 1, WIDE, -WIDE] {
        check(&format!("deep 5 {}", lit(x)), x + 20);
    }
    check(&format!("fib 7 {}", lit(WIDE / 20)), WIDE / 20 * 21 + 13);
    check(&format!("fib 4 {}", lit(WIDE)), WIDE * 5 + 3);
}

#[test]
fn what_is_taken_out_of_an_object_may_be_wide() {
    let list = format!("[1, {}, 2, {}, 5]", lit(WIDE), lit(-WIDE));
    check(&format!("last 0 {list}"), 5);
    check(&format!("last 0 (append {list} [{}])", lit(WIDE)), WIDE);
    check(&format!("greatest 0 {list}"), WIDE);
    check(
        &format!("evalState {} (counted 4)", lit(WIDE - 5)),
        WIDE + 5,
    );
    for x in [7, WIDE] {
        let main = format!("both 3 {} {}", lit(x), lit(x));
        check_as("(Pair Int Int)", &main, &format!("pair {x} {}", x + 3));
    }
}

#[test]
fn clauses_ask_for_integers() {
    check("steps 1 1", 12);
    check(&format!("steps {} 1", lit(WIDE - 2)), 3);
    check("steps 7 1", 1);
}

/// Where a sum is too large, and where a step is one too many.
#[test]
fn failures_are_the_same() {
    for main in [
        "double 70 1",
        "sum 4 9223372036854775805 0",
        "deep 4 9223372036854775800",
        "swap 1 1 9223372036854775807",
    ] {
        let compiled = loops("Int", main);
        let error = compiled.run(Limits::default(), "").value.unwrap_err();
        assert_eq!(error.kind, RunErrorKind::Overflow, "{main}: {error:#?}");
        assert!(error.place.is_some(), "{error:#?}");
        at_every_step(&compiled);
    }
}
