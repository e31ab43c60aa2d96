//! Depth is bounded by memory alone.

use frank_interpreter::{Limits, RunErrorKind};

use crate::{compiled, value};

const MILLIONS: &str = "
count : Int -> Int
count 0 = 0
count n = 1 + count (n - 1)
";

#[test]
fn recursion_ten_million_deep() {
    let text = format!("{MILLIONS}main : {{Int}}\nmain! = count 10000000\n");
    assert_eq!(value(&text), "10000000");
}

#[test]
fn recursion_without_end_reaches_the_memory_limit() {
    let text = "f : Int -> Int\nf n = 1 + f (n + 1)\nmain : {Int}\nmain! = f 0\n";
    let limits = Limits {
        memory: 64 << 20,
        ..Limits::default()
    };
    let ran = compiled(text).run(limits, "");
    assert_eq!(ran.value.unwrap_err().kind, RunErrorKind::Memory);
    assert!(ran.stats.peak_bytes <= 64 << 20);
}

/// Calls in tail position leave nothing behind, whatever they go through.
#[test]
fn tail_calls_take_no_space() {
    let text = "
data Pair X Y = pair X Y
if : Bool -> {X} -> {X} -> X
if true t _ = t!
if false _ e = e!
even : Int -> Bool
even n = if (n == 0) {true} {odd (n - 1)}
odd : Int -> Bool
odd n = case n {0 -> false | n -> (even) (n - 1)}
apply : {Int -> Bool} -> Int -> Bool
apply f n = f n
loop : Int -> Bool
loop 0 = apply {n -> even n} 1000001
loop n = apply loop (n - 1)
main : {Bool}
main! = loop 1000000
";
    let ran = compiled(text).run(
        Limits {
            memory: 1 << 20,
            ..Limits::default()
        },
        "",
    );
    assert_eq!(ran.value.unwrap(), "false");
}

/// A handler that resumes in the last place may do so for ever.
#[test]
fn handling_takes_no_space() {
    let text = "
interface State S = get : S | put : S -> Unit
state : S -> <State S>X -> X
state _ x = x
state s <get -> k> = state s (k s)
state _ <put s -> k> = state s (k unit)
interface Tick = tick : Unit
ticks : <Tick>X -> [State Int]X
ticks x = x
ticks <tick -> k> = put (get! + 1); ticks (k unit)
loop : Int -> [Tick]Unit
loop 0 = unit
loop n = tick!; loop (n - 1)
main : {Int}
main! = state 0 (ticks (loop 1000000); get!)
";
    let ran = compiled(text).run(
        Limits {
            memory: 1 << 20,
            ..Limits::default()
        },
        "",
    );
    assert_eq!(ran.value.unwrap(), "1000000");
}

/// Nor does one that leaves its place to another, as a scheduler does.
#[test]
fn captured_continuations_in_turn_take_no_space() {
    let text = "
interface Yield = yield : Unit
turns : <Yield>Unit -> <Yield>Unit -> Int -> Int
turns <yield -> k> <yield -> l> n = turns (l unit) (k unit) (n + 1)
turns unit <m> n = n
turns <m> unit n = n
loop : Int -> [Yield]Unit
loop 0 = unit
loop n = yield!; loop (n - 1)
main : {Int}
main! = turns (loop 300001) (loop 300000) 0
";
    let ran = compiled(text).run(
        Limits {
            memory: 1 << 20,
            ..Limits::default()
        },
        "",
    );
    assert_eq!(ran.value.unwrap(), "300000");
}

/// Handlers nested a million deep: entered, seen through, left.
#[test]
fn handlers_nested_deep() {
    let text = "
interface Ask = ask : Int
answer : Int -> <Ask>X -> X
answer _ x = x
answer n <ask -> k> = answer n (k n)
nest : Int -> [Ask]Int
nest 0 = ask!
nest n = answer n (nest (n - 1)) + 1
main : {Int}
main! = answer 7 (nest 300000)
";
    assert_eq!(value(text), "300001");
}

/// A continuation that holds a deep stack is captured, dropped and resumed at once.
#[test]
fn deep_continuations() {
    let text = "
interface Choice = choose : Bool
first : <Choice>X -> X
first x = x
first <choose -> k> = first (k true)
both : <Choice>Int -> Int
both x = x
both <choose -> k> = both (k true) - both (k false)
deep : Int -> [Choice]Int
deep 0 = case choose! {true -> 1 | false -> 0}
deep n = 1 + deep (n - 1)
main : {List Int}
main! = [first (deep 1000000), both (deep 1000000)]
";
    assert_eq!(value(text), "[1000001, 1]");
}

/// A stack that is captured again and again at every depth costs the same at every depth.
#[test]
fn capturing_does_not_depend_on_depth() {
    let text = "
interface Tick = tick : Int
ticks : <Tick>X -> X
ticks x = x
ticks <tick -> k> = let r = ticks (k 1) in r
deep : Int -> [Tick]Int
deep 0 = 0
deep n = deep (n - 1) + tick!
main : {Int}
main! = ticks (deep 300000)
";
    assert_eq!(value(text), "300000");
}

#[test]
fn deep_values_are_made_compared_printed_and_dropped() {
    let text = "
data Nat = zero | suc Nat
make : Int -> Nat -> Nat
make 0 n = n
make i n = make (i - 1) (suc n)
size : Nat -> Int -> Int
size zero i = i
size (suc n) i = size n (i + 1)
main : {Int}
main! = let big = make 3000000 zero in size big 0
";
    assert_eq!(value(text), "3000000");
    let printed = value(
        "
data Nat = zero | suc Nat
make : Int -> Nat -> Nat
make 0 n = n
make i n = make (i - 1) (suc n)
main : {Nat}
main! = make 1000000 zero
",
    );
    assert!(printed.starts_with("suc (suc (suc"));
    assert!(printed.ends_with('…'));
}

/// Terms and patterns as deep as they may be written.
#[test]
fn deep_programs_compile() {
    let sum = vec!["1"; 4_000].join(" + ");
    assert_eq!(value(&format!("main : {{Int}}\nmain! = {sum}\n")), "4000");
    let nested = format!("{}1{}", "(1 + ".repeat(900), ")".repeat(900));
    assert_eq!(value(&format!("main : {{Int}}\nmain! = {nested}\n")), "901");
    let list = vec!["7"; 50_000].join(", ");
    let text = format!(
        "len : List X -> Int -> Int\nlen [] n = n\nlen (_ :: xs) n = len xs (n + 1)\n\
         main : {{Int}}\nmain! = len [{list}] 0\n"
    );
    assert_eq!(value(&text), "50000");
    let ifs: String = (0..900)
        .map(|i| format!("if (x == {i}) {{x + 1}} {{"))
        .collect();
    let text = format!(
        "include prelude\nf : Int -> Int\nf x = {ifs}0{}\nmain : {{Int}}\nmain! = f 899 + f 900\n",
        "}".repeat(900)
    );
    assert_eq!(value(&text), "900");
    let lets: String = (0..3_000)
        .map(|i| format!("let x{} = x{i} + 1 in ", i + 1))
        .collect();
    let text = format!("main : {{Int}}\nmain! = let x0 = 0 in {lets}x3000\n");
    assert_eq!(value(&text), "3000");
    let cases: String = (0..5_000).map(|i| format!("f {i} = {}\n", i + 1)).collect();
    let text = format!("f : Int -> Int\n{cases}f x = 0\nmain : {{Int}}\nmain! = f 4999 + f 5000\n");
    assert_eq!(value(&text), "5000");
}

/// Lists in patterns are looked at once, whether or not their elements demand anything, and what a
/// missing clause would be is not written out in full.
#[test]
fn long_patterns_are_checked_and_matched() {
    let list = |element: &str| format!("[{}]", vec![element; 20_000].join(", "));
    let text = format!(
        "f : List Int -> Int\nf {} = 1\nf {} = 2\nf _ = 3\n\
         main : {{Int}}\nmain! = f {} * 100 + f {} * 10 + f [7]\n",
        list("7"),
        list("_"),
        list("7"),
        list("8"),
    );
    assert_eq!(value(&text), "123");
    let text = format!(
        "f : List Int -> Int\nf {} = 1\nmain : {{Int}}\nmain! = f {}\n",
        list("7"),
        list("7"),
    );
    assert_eq!(value(&text), "1");
}
