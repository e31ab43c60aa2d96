//! Commands whose handlers are known: what stands in their place, and what must not. Every run of
//! [`Compiled::run`] is one in both ways, with the same value, output, failure and number of steps.

use frank_interpreter::{How, Limits, RunErrorKind, Why};

use crate::{Compiled, compiled, error, value};

/// The commands whose handler is searched for, and why.
pub fn dynamic(compiled: &Compiled) -> Vec<(String, Why)> {
    let commands = compiled.both.specialised.commands();
    assert!(!commands.is_empty());
    commands
        .into_iter()
        .filter_map(|report| match report.how {
            How::Inlined(_) | How::Dropped(_) | How::Direct(..) | How::Instruction => None,
            How::Partly(_, why) | How::Performed(why) => Some((report.command, why)),
        })
        .collect()
}

/// Runs a program with every limit of steps up to the number that it needs: where it ends, too,
/// nothing may be another.
fn at_every_step(compiled: &Compiled) {
    let whole = compiled.run(Limits::default(), "").stats.steps;
    assert!(whole > 0);
    for steps in 0..=whole.min(1_500) {
        let limits = Limits {
            steps: Some(steps),
            ..Limits::default()
        };
        compiled.run(limits, "");
    }
}

/// The loop of the benchmarks.
fn turns(main: &str) -> Compiled {
    let program = include_str!("../benches/programs/loop.fk");
    compiled(&format!(
        "{program}\nmain : {{[RefState] Float}}\nmain! = {main}\n"
    ))
}

#[test]
fn derivatives_perform_nothing() {
    for main in [
        "evaluate (let x = c 0.4 in tailLoop 50 x)",
        "evaluate (deepLoop 50 (c 0.4))",
        "evaluate (d {x -> tailLoop 50 x} 0.4)",
        "evaluate (d {x -> deepLoop 50 x} 0.4)",
        "evaluate (d {x -> tanhS (powi (sinS x) 3)} 0.4)",
        "evaluate (d {x -> divide (expS x) (sqrtS (minus x (c 0.1)))} 0.4)",
    ] {
        let compiled = turns(main);
        assert_eq!(dynamic(&compiled), [], "{main}");
        at_every_step(&compiled);
    }
}

#[test]
fn other_modes_give_the_same() {
    for main in [
        "evaluate (d2 {x -> tailLoop 20 x} 0.4)",
        "evaluate (d {x -> t x (d {y -> p (lift x) y} (c 1))} 0.4)",
        "evaluate (d {x -> foldLoop 20 x} 0.4)",
        "evaluate (grad {x -> tailLoop 20 x} 0.4)",
        "evaluate (grad {x -> p (powS x (c 2.5)) (maxS x (c 1))} 0.4)",
        "checkpointed 4 5 0.4",
    ] {
        at_every_step(&turns(main));
    }
}

/// Interfaces and handlers of the tests below.
const ASK: &str = "
include prelude

interface Ask = tell : Int -> Int | first : List Int -> Int

inner : <Ask> X -> X
inner x = x
inner <tell i -> k> = inner (k (i + 1))
inner <first xs -> k> = inner (k 0)

outer : <Ask> X -> X
outer x = x
outer <tell i -> k> = outer (k (0 - i))
outer <first (x :: _) -> k> = outer (k (100 / x))

three : [Ask] (List Int)
three! = let a = tell 1 in let b = tell a in let c = tell b in [a, b, c]

work : Int -> [Ask] Int
work 0 = tell 0
work n = let x = tell n in x + work (n - 1)
";

fn ask(text: &str) -> Compiled {
    compiled(&format!("{ASK}{text}"))
}

/// What follows a command may run under other handlers than what precedes it.
#[test]
fn handlers_that_are_not_deep_are_not_relied_on() {
    let text = "
once : <Ask> X -> [Ask] X
once x = x
once <tell i -> k> = <Ask(s a -> s a a)> (k (i * 100))
once <first xs -> k> = <Ask(s a -> s a a)> (k 1)

even : <Ask> X -> X
even x = x
even <tell i -> k> = odd (k (i * 2))
even <first xs -> k> = odd (k 2)

odd : <Ask> X -> X
odd x = x
odd <tell i -> k> = even (k (i * 3))
odd <first xs -> k> = even (k 3)

later : <Ask> X -> {[Ask] X}
later x = {x}
later <tell i -> k> = {k (i + 7)}
later <first xs -> k> = {k 7}

plain : {List Int}
plain! = let f = later three! in outer f!

nested : {List Int}
nested! = let f = later (inner three!) in inner f!

main : {List (List Int)}
main! = [outer (once three!), outer (once (inner three!)), inner (once three!),
  even three!, odd three!, inner [work 3], outer [work 3], plain!, nested!,
  inner (once (let x = tell 5 in [x, work 3]))]
";
    let compiled = ask(text);
    assert_eq!(
        compiled.run(Limits::default(), "").value.unwrap(),
        "[[100, -100, 100], [2, 3, 4], [100, 101, 102], [2, 6, 12], [3, 6, 18], [10], [-6], [8, -8, 8], \
         [2, 3, 4], [500, 10]]"
    );
    at_every_step(&compiled);
}

/// Continuations that are dropped, resumed twice, and resumed with work left.
#[test]
fn deep_handlers_of_every_kind() {
    let text = "
all : <Choice> X -> List X
all x = [x]
all <choose -> k> = append (all (k true)) (all (k false))

drop : <Choice> Int -> Int
drop x = x
drop <choose -> _> = 0 - 1

back : <Choice> Int -> Int
back x = x
back <choose -> k> = let x = back (k true) in x * 2 + back (k false)

ways : [Choice, Ask] Int
ways! = let a = if choose! {tell 1} {tell 2} in
  let b = if choose! {tell a} {a} in tell (a + b)

double : <Ask> X -> [Ask] X
double x = x
double <tell i -> k> = let r = tell (i * 2) in double (k r)
double <first xs -> k> = let r = first xs in double (k r)

nest : Int -> Int -> [Ask] Int
nest 0 x = tell x
nest n x = tell (double (nest (n - 1) (x + 1)))

main : {List Int}
main! = append (inner (all ways!)) (append (all (inner ways!)) [
  drop (inner ways!), inner (drop ways!), inner (back ways!), back (inner ways!), inner (back (double ways!)),
  inner (nest 3 1), outer (nest 9 1), outer (inner (double (nest 2 5)))])
";
    let compiled = ask(text);
    assert!(compiled.run(Limits::default(), "").value.is_ok());
    at_every_step(&compiled);
}

/// An instance is the one that ports and adaptors say.
#[test]
fn instances_and_adaptors() {
    let text = "
interface Say = say : Int -> Int

both : <Say, Say> X -> X
both x = x
both <say i -> k> = both (k (i + 1))
both <say.1 i -> k> = both (k (i + 1000))

pick : [Say, Say] Int
pick! = say 1 * 3 + <Say(s a b -> s b a)> pickTwo! + <Say> (say 4)

pickTwo : [Say, Say] Int
pickTwo! = say 2 * 5 + <Say(s a b -> s a)> (say 3)

main : {Int}
main! = both pick!
";
    let compiled = compiled(&format!("include prelude\n{text}"));
    // 2·3, 1002·5, then 4 by the right one again and 1004 by the left one.
    assert_eq!(compiled.run(Limits::default(), "").value.unwrap(), "6024");
    assert_eq!(dynamic(&compiled), []);
    at_every_step(&compiled);
}

/// What fails in a clause that stands in the place of its command fails where it is written.
#[test]
fn failures_are_where_they_were() {
    let failing = "
through : <Ask> X -> [Ask] X
through x = x
through <tell i -> k> = let r = tell (i * 3) in through (k r)
through <first (x :: _) -> k> = let r = first [x] in through (k r)

";
    let main = |term: &str| format!("{ASK}{failing}main : {{Int}}\nmain! = {term}\n");
    let kind = |term: &str| {
        let text = main(term);
        at_every_step(&compiled(&text));
        error(&text).kind
    };
    assert_eq!(
        kind("outer (through (tell 1 + first [5] + first [0] + tell 2))"),
        RunErrorKind::DivisionByZero
    );
    assert_eq!(
        kind("outer (through (tell 4611686018427387904))"),
        RunErrorKind::Overflow
    );
    assert_eq!(
        kind("outer (through (tell 1 + first [] + tell 2))"),
        RunErrorKind::NoMatch
    );
    assert_eq!(value(&main("outer (through (first [7]))")), "14");
}

/// Handlers of a state of their own, so many, and what performs under all of them in its turn.
fn many_handlers(count: usize, main: &str) -> Compiled {
    let mut text = "
include prelude

interface S X = get : X | put : X -> Unit

bump : Int -> [S Int] Int
bump 0 = get!
bump n = put (get! + n); bump (n - 1)
"
    .to_owned();
    for i in 0..count {
        text += &format!(
            "
h{i} : Y -> <S Y>X -> X
h{i} _ x = x
h{i} s <get -> k> = h{i} s (k s)
h{i} _ <put s -> k> = h{i} s (k unit)
"
        );
    }
    compiled(&format!("{text}\nmain : {main}\n"))
}

#[test]
fn what_a_main_performs_goes_to_the_machine_however_large_it_is() {
    for count in [2, 6, 12] {
        let lets = (0..count).map(|i| format!("let a{i} = h{i} 1 (bump 3) in ouint a{i}"));
        let lets: Vec<String> = lets.collect();
        let main = format!("[Console] Unit\nmain! = {}", lets.join("; "));
        let compiled = many_handlers(count, &main);
        for (command, why) in dynamic(&compiled) {
            assert_eq!((command.as_str(), why), ("ouint", Why::Host), "{count}");
        }
        assert_eq!(
            compiled.run(Limits::default(), "").output,
            "7".repeat(count)
        );
    }
}

#[test]
fn a_limit_says_which_it_is() {
    let nested = |count: usize| {
        let inner = "bump 3".to_owned();
        let all = (0..count).fold(inner, |inner, i| format!("h{i} {i} ({inner})"));
        let compiled = many_handlers(count, &format!("{{Int}}\nmain! = {all}"));
        assert!(compiled.run(Limits::default(), "").value.is_ok());
        dynamic(&compiled)
    };
    assert_eq!(nested(8), []);
    let unknown = nested(9);
    assert!(!unknown.is_empty());
    assert!(
        unknown.iter().all(|(_, why)| *why == Why::Depth(8)),
        "{unknown:?}"
    );

    let calls: Vec<String> = (0..20).map(|i| format!("h{i} {i} (bump 3)")).collect();
    let main = format!("{{Int}}\nmain! = {}", calls.join(" + "));
    let unknown = dynamic(&many_handlers(20, &main));
    assert!(!unknown.is_empty());
    let versions = Why::Versions("bump".to_owned(), 16);
    assert!(
        unknown.iter().all(|(_, why)| *why == versions),
        "{unknown:?}"
    );
}
