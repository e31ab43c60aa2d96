//! Arrays: what they take, when they are changed in place, and how their operations end.

use frank_interpreter::{Limits, RunErrorKind};

use crate::{compiled, error, value};

const MIB: usize = 1 << 20;

/// Runs within so many bytes.
fn within(memory: usize, text: &str) -> Result<String, RunErrorKind> {
    let limits = Limits {
        memory,
        ..Limits::default()
    };
    let ran = compiled(text).run(limits, "");
    ran.value.map_err(|error| error.kind)
}

#[test]
fn ten_million_floats_take_80_mb() {
    let text = "include array\nmain : {Float}\nmain! = at 9999999 (fill 10000000 0.5)\n";
    assert_eq!(within(80_000_000 + MIB, text), Ok("0.5".to_owned()));
    assert_eq!(within(79_000_000, text), Err(RunErrorKind::Memory));
    let ran = compiled(text).run(Limits::default(), "");
    assert!(ran.stats.peak_bytes < 80_000_000 + MIB as u64);
}

#[test]
fn wide_integers_take_eight_bytes_too() {
    let text = "include array\nmain : {Int}\n\
                main! = at 999 (tabulate 1000000 {i -> 9000000000000000000 + i})\n";
    assert_eq!(within(9 * MIB, text), Ok("9000000000000000999".to_owned()));
}

#[test]
fn what_no_memory_holds_is_refused() {
    for size in ["1000000000000", "9000000000000000000"] {
        let text = format!("include array\nmain : {{Int}}\nmain! = size (fill {size} 'x')\n");
        assert_eq!(within(100 * MIB, &text), Err(RunErrorKind::Memory));
    }
}

/// There is room for one array and not for two.
#[test]
fn what_nobody_else_has_is_changed_in_place() {
    let unique = "include array\n\
                  ones : Int -> Array Float -> Array Float\n\
                  ones 0 xs = xs\n\
                  ones n xs = ones (n - 1) (set (n - 1) 1.0 xs)\n\
                  main : {Float}\n\
                  main! = foldA {x y -> x + y} 0.0 (ones 1000000 (fill 1000000 0.0))\n";
    assert_eq!(within(12 * MIB, unique), Ok("1000000.0".to_owned()));
    let kept = "include array\n\
                main : {Float}\n\
                main! = let xs = fill 1000000 0.0 in let ys = set 0 1.0 xs in at 0 xs + at 0 ys\n";
    assert_eq!(within(12 * MIB, kept), Err(RunErrorKind::Memory));
    assert_eq!(within(20 * MIB, kept), Ok("1.0".to_owned()));
}

#[test]
fn operations_on_each_item_need_no_second_copy() {
    let text = "include array\n\
                main : {Int}\n\
                main! = foldA {x y -> x + y} 0 (mapA {x -> x + 1} (tabulate 500000 {i -> i}))\n";
    assert_eq!(within(10 * MIB, text), Ok("125000250000".to_owned()));
}

#[test]
fn the_memory_of_dropped_arrays_is_used_again() {
    let text = "include array\n\
                loop : Int -> Int -> Int\n\
                loop 0 s = s\n\
                loop n s = loop (n - 1) (s + size (fill 100000 n))\n\
                main : {Int}\n\
                main! = loop 1000 0\n";
    assert_eq!(within(2 * MIB, text), Ok("100000000".to_owned()));
}

/// Items that are objects die with their array, whatever its size, and arrays with the objects that have them.
#[test]
fn items_die_with_their_array() {
    let text = "include array\n\
                loop : Int -> Int -> Int\n\
                loop 0 s = s\n\
                loop n s = loop (n - 1) (s + size (tabulate 20000 {i -> just (fill 1 [i])}))\n\
                main : {Int}\n\
                main! = loop 50 0\n";
    assert_eq!(within(8 * MIB, text), Ok("1000000".to_owned()));
}

#[test]
fn a_program_that_goes_on_twice_has_two_arrays() {
    let text = "include array\n\
                interface Coin = coin : Bool\n\
                both : <Coin> X -> List X\n\
                both x = [x]\n\
                both <coin -> k> = append (both (k true)) (both (k false))\n\
                main : {List (Array Int)}\n\
                main! = both (tabulate 2 {i -> if coin! {i} {0 - i - 1}})\n";
    assert_eq!(
        value(text),
        "[array [0, 1], array [0, -2], array [-1, 1], array [-1, -2]]"
    );
}

#[test]
fn a_state_of_a_handler_is_not_changed_behind_its_back() {
    let text = "include array\n\
                main : {Pair (Array Int) Int}\n\
                main! = evalState (fill 3 0) (put (set 1 5 get!);\n\
                \x20 let old = get! in put (set 1 6 old); pair get! (at 1 old))\n";
    assert_eq!(value(text), "pair (array [0, 6, 0]) 5");
}

#[test]
fn positions_that_an_array_does_not_have() {
    let cases = [
        (
            "at 3 (array [1, 2, 3])",
            "`at` of item 3, and the array has 3 items, 0 to 2",
        ),
        (
            "at (-1) (array [1])",
            "`at` of item -1, and the array has 1 item, number 0",
        ),
        (
            "at 0 (slice 0 0 (array [1]))",
            "`at` of item 0, and the array has none",
        ),
        (
            "size (set 2 0 (fill 2 0))",
            "`set` of item 2, and the array has 2 items, 0 to 1",
        ),
        (
            "size (slice 1 3 (fill 2 0))",
            "`slice` of 3 from item 1 on, and the array has 2 items",
        ),
        (
            "size (slice 0 (-1) (fill 1 0))",
            "`slice` of -1 from item 0 on, and the array has 1 item",
        ),
        (
            "size (fill (-2) 'x')",
            "`fill` of -2 items: an array has 0 or more",
        ),
    ];
    for (term, message) in cases {
        let text = format!("include array\nmain : {{Int}}\nmain! = {term}\n");
        let error = error(&text);
        assert_eq!(error.message, message);
        let place = error.place.unwrap();
        let at = &text[place.start as usize..place.end as usize];
        assert!(term.contains(at) && !at.is_empty(), "{term}: {at}");
    }
}

/// Operations on many items are paid for in steps.
#[test]
fn long_operations_count_as_steps() {
    let text = "include array\n\
                often : Int -> Int\n\
                often 0 = 0\n\
                often n = size (fill 1000000 n) + often (n - 1)\n\
                main : {Int}\n\
                main! = often 3\n";
    let limits = Limits {
        steps: Some(10_000),
        ..Limits::default()
    };
    let ran = compiled(text).run(limits, "");
    assert_eq!(ran.value.unwrap_err().kind, RunErrorKind::Steps);
    let ran = compiled(text).run(Limits::default(), "");
    assert!(ran.stats.steps > 100_000, "{}", ran.stats.steps);
}

/// Two names of one array, both changed.
#[test]
fn what_others_have_stays_as_it_is() {
    let text = "include array\n\
                twice : Array Int -> List (Array Int)\n\
                twice xs = [set 0 1 xs, xs, set 0 2 (set 1 3 xs), xs]\n\
                main : {List (Array Int)}\n\
                main! = twice (fill 2 0)\n";
    assert_eq!(
        value(text),
        "[array [1, 0], array [0, 0], array [2, 3], array [0, 0]]"
    );
    // Through variables that hold operators.
    let text = "include array\n\
                main : {Pair (Array Int) (Array Int)}\n\
                main! = let f = {xs -> set 0 9 xs} in let xs = fill 1 0 in pair (f xs) xs\n";
    assert_eq!(value(text), "pair (array [9]) (array [0])");
    let text = "include array\n\
                main : {List (Array Int)}\n\
                main! = zipWith {i xs -> set i 7 xs} [0, 1] (let xs = fill 2 0 in [xs, xs])\n";
    assert_eq!(value(text), "[array [7, 0], array [0, 7]]");
}
