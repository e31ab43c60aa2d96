//! Commands whose clause drops its continuation, most of them jumps to a handler that is known: each program is run with
//! and without such jumps, with the same value, output, failure, place and number of steps. The values were computed by an
//! interpreter that has nothing in common with the machine.

use frank_interpreter::{How, Limits, RunErrorKind, Why};

use crate::specialised::dynamic;
use crate::taken_apart::at_every_step;
use crate::{Compiled, compiled, error, value};

/// Interfaces, handlers and programs of the tests below.
const DROPS: &str = "
include prelude

interface Raise = raise X : Int -> X

interface Stop = stop X : X | again : Int -> Int

interface Say = say : Int -> Unit

interface Safe = over : Int -> Int -> Int | check : Int -> Unit

-- Exceptions whose value is the clause's.
caught : <Raise> Int -> Int
caught x              = x
caught <raise i -> _> = i

dig : Int -> [Raise] Int
dig 0 = raise 1
dig n = 1 + dig (n - 1)

rounds : Int -> Int -> Int -> Int
rounds 0 depth acc = acc
rounds n depth acc = rounds (n - 1) depth (acc + caught (dig depth))

-- The clause looks at its handler's state, at what was raised, and calls; one clause gives up for good.
tries : Int -> List Int -> <Raise> Int -> Pair Int (List Int)
tries n seen x              = pair x seen
tries 0 seen <raise i -> _> = pair (0 - 1) (i :: seen)
tries n seen <raise i -> _> = tries (n - 1) (i :: seen) (probe (n - 1) (i + 1))

probe : Int -> Int -> [Raise] Int
probe n i = if (i > 6) {i * 100} {dig2 n i}

dig2 : Int -> Int -> [Raise] Int
dig2 0 i = raise i
dig2 n i = i + dig2 (n - 1) (i * 2)

-- A state outside of the handler that drops is what it was when something was raised; one inside is gone.
count : Int -> [State Int, Raise] Int
count 0 = raise get!
count n = put (get! + n); count (n - 1)

outside : Int -> Int
outside n = evalState 0 (let x = caught (count n) in x * 1000 + get!)

inside : Int -> Int
inside n = caught (evalState 5 (count n))

between : Int -> [State Int] Int
between n = let x = caught (evalState (get! * 2) (put (get! + 1); <State> (put 7); count n)) in x * 10 + get!

-- The program writes the state between an exception and the next.
loop : Int -> [State Int] Int
loop 0 = get!
loop n = put (get! + caught (if (even n) {put (get! + 100); raise n} {get!})); loop (n - 1)

even : Int -> Bool
even 0 = true
even 1 = false
even n = even (n - 2)

-- What is told is kept by a handler that resumes; it is dropped with the rest, or not.
told : List Int -> <Say> X -> Pair X (List Int)
told xs x             = pair x xs
told xs <say i -> k> = told (i :: xs) (k unit)

noisy : Int -> [Say, Raise] Int
noisy 0 = say 0; raise 42
noisy n = say n; noisy (n - 1) + 1

firsts : Pair Int (List Int) -> Int
firsts (pair x xs) = x + total xs

total : List Int -> Int
total []        = 0
total (x :: xs) = x + total xs

-- A choice between what raises and what catches, and the other way round.
every : <Choice> X -> List X
every x             = [x]
every <choose -> k> = append (every (k true)) (every (k false))

some : Int -> [Choice, Raise] Int
some 0 = 1
some n = if choose! {1 + some (n - 1)} {if choose! {raise n} {10 * some (n - 1)}}

-- The chosen continuation has the handler with its state, which changes in every way by itself.
logging : Int -> <Raise, Say> X -> Int
logging s x              = s
logging s <raise i -> _> = 0 - s * 10 - i
logging s <say i -> k>  = logging (s * 2 + i) (k unit)

ways : Int -> [Choice, Raise, Say] Int
ways 0 = say 1; 0
ways n = say n; (if choose! {ways (n - 1)} {if (n == 2) {raise n} {say 5; ways (n - 1)}})

-- Two instances: the inner one by itself, the outer one by adaptors.
two : [Raise, Raise] Int
two! = 1 + <Raise(s a b -> s b a)> (raise 7)

hide2 : Int -> [Raise] Int
hide2 n = both (hide n) + raise n

hide : Int -> [Raise, Raise] Int
hide 0 = <Raise> (raise 5)
hide n = 2 * hide (n - 1)

both : <Raise, Raise> Int -> Int
both x                = x
both <raise i -> _>   = i * 2
both <raise.1 i -> _> = i * 3

-- Thunks that raise when they are forced later, under another handler.
delay : Int -> {[Raise] Int}
delay n = {raise n}

force : {Int} -> Int
force t = 1 + t!

mapAll : {Int -> Int} -> List Int -> List Int
mapAll f []        = []
mapAll f (x :: xs) = f x :: mapAll f xs


-- What is raised in a clause is for the handlers outside of it.
rethrow : <Raise> Int -> [Raise] Int
rethrow x              = x
rethrow <raise i -> _> = raise (i * 10)

checked : Int -> <Safe> X -> [Raise] X
checked s x               = x
checked s <over x 0 -> _> = raise (x + s)
checked s <over x y -> k> = checked (s + 1) (k (x - y))
checked s <check 0 -> _>  = raise s
checked s <check i -> k>  = checked (s + i) (k unit)

work : Int -> [Safe] Int
work n = check n; let x = over 100 n in x + work (n - 1)

-- The last call of a clause leaves nothing behind.
retry : Int -> <Raise> Int -> Int
retry n x              = x
retry 0 <raise i -> _> = i
retry n <raise i -> _> = retry (n - 1) (1 + raise (i + 1))

-- An exception out of a handler's own argument, and out of many handlers.
nest : Int -> Int -> [Raise] Int
nest 0 x = raise x
nest n x = evalState n (put (get! + x); let s = get! in <State> (rethrow (nest (n - 1) (s + 1))))

-- Commands of one handler, of which one resumes, one drops and one resumes later.
steps : Int -> <Stop> Int -> Int
steps s x             = x + s
steps s <stop -> _>   = s
steps s <again 0 -> _> = s * 100
steps s <again i -> k> = let r = steps (s + i) (k i) in r + 1

-- One clause drops, the other resumes twice.
either2 : <Stop> Int -> Int
either2 x              = x
either2 <stop -> _>    = 0
either2 <again 0 -> _> = 100
either2 <again i -> k> = either2 (k i) + either2 (k 1)

walk : Int -> [Stop] Int
walk n = if (n > 4) {stop!} {let x = again n in walk (x + 1)}

walk0 : Int -> [Stop] Int
walk0 n = if (n < 0) {stop!} {let x = again n in walk0 (x - 1)}
";

fn drops(ty: &str, main: &str) -> Compiled {
    compiled(&format!("{DROPS}\nmain : {{{ty}}}\nmain! = {main}\n"))
}

#[test]
fn what_is_dropped_does_not_go_on() {
    for (ty, main, expected) in [
        (
            "List Int",
            "[rounds 20 0 0, rounds 10 3 5, caught (dig 100), caught (1 + 1)]",
            "[20, 15, 1, 2]",
        ),
        (
            "Pair Int (List Int)",
            "tries 4 [] (probe 3 1)",
            "pair 900 [8]",
        ),
        (
            "List (Pair Int (List Int))",
            "[tries 0 [] (probe 3 1), tries 9 [] (probe 2 2), tries 2 [9] (probe 0 1)]",
            "[pair -1 [8], pair 900 [8], pair -1 [5, 4, 1, 9]]",
        ),
        (
            "List Int",
            "[outside 0, outside 5, inside 0, inside 4, evalState 3 (between 4)]",
            "[0, 15015, 5, 15, 177]",
        ),
        (
            "List Int",
            "[evalState 1 (loop 5), caught (evalState 2 (loop 6))]",
            "[28, 84]",
        ),
        (
            "Pair Int (List Int)",
            "told [] (caught (noisy 3))",
            "pair 42 [0, 1, 2, 3]",
        ),
        (
            "List Int",
            "[caught (firsts (told [] (noisy 3))), firsts (told [] (caught (noisy 2)))]",
            "[42, 45]",
        ),
        (
            "List Int",
            "every (caught (some 3))",
            "[4, 1, 12, 2, 21, 1, 101, 3, 30, 1, 110, 2, 200, 1, 1000]",
        ),
        ("Int", "caught (total (every (some 3)))", "1"),
        (
            "List Int",
            "every (logging 1 (ways 3))",
            "[51, 111, -122, 131, 271, -322]",
        ),
        ("Int", "logging 1 (total (every (ways 3)))", "-2152"),
        (
            "List Int",
            "[both two!, both (hide 2), caught (both (raise 3)), caught (1 + caught (hide2 3))]",
            "[21, 15, 6, 4]",
        ),
        (
            "List Int",
            "[caught (force {raise 3}), caught (2 * force {raise 4}), caught (total (mapAll {x -> if (x > 2) {raise x} {x * 10}} [1, 2, 3])), caught (total (mapAll {x -> x * 2} [1, 2]))]",
            "[3, 4, 3, 6]",
        ),
        (
            "List Int",
            "let t = delay 8 in [caught t!, caught (rethrow (<Raise(s a b -> s b)> t!)), caught (1 + t!), caught (total (map {x -> if (x == 2) {t!} {x}} [1, 2, 3]))]",
            "[8, 80, 8, 8]",
        ),
        (
            "List Int",
            "[caught (rethrow (dig 3)), caught (checked 4 (work 3)), caught (checked 0 (check 1; over 3 0)), caught (checked 0 (check 0; 3)), caught (checked 2 (check 5; over 9 2))]",
            "[10, 13, 4, 0, 7]",
        ),
        (
            "List Int",
            "[retry 50 (raise 1), retry 0 (raise 1), retry 7 (3 + 1)]",
            "[51, 1, 4]",
        ),
        (
            "List Int",
            "[caught (nest 0 3), caught (nest 4 1)]",
            "[3, 150000]",
        ),
        (
            "List Int",
            "[steps 1 (walk 1), steps 0 (walk 4), steps 2 (walk 9), steps 1 (walk0 3), steps 5 (3 + again 0)]",
            "[15, 5, 2, 703, 500]",
        ),
    ] {
        let compiled = drops(ty, main);
        let ran = compiled.run(Limits::default(), "");
        assert_eq!(ran.value.unwrap(), expected, "{main}");
        at_every_step(&compiled);
    }
}

/// How the commands of a program are performed, without repetition.
fn commands(compiled: &Compiled) -> Vec<(String, How)> {
    let commands = compiled.both.specialised.commands().into_iter();
    let mut commands: Vec<_> = commands.map(|c| (c.command, c.how)).collect();
    commands.sort_by_key(|(command, how)| (command.clone(), format!("{how:?}")));
    commands.dedup();
    commands
}

#[test]
fn a_command_whose_clause_drops_is_a_jump() {
    let dropped =
        |command: &str, handler: &str| (command.to_owned(), How::Dropped(handler.to_owned()));
    let inlined =
        |command: &str, handler: &str| (command.to_owned(), How::Inlined(handler.to_owned()));
    for (ty, main, expected) in [
        ("Int", "rounds 5 5 0", vec![dropped("raise", "caught")]),
        (
            "Pair Int (List Int)",
            "tries 0 [] (dig 3)",
            vec![dropped("raise", "tries")],
        ),
        (
            "Int",
            "outside 5",
            vec![
                inlined("get", "evalState"),
                inlined("put", "evalState"),
                dropped("raise", "caught"),
            ],
        ),
        (
            "Int",
            "both (hide 3) + both two!",
            vec![dropped("raise", "both")],
        ),
        (
            "Int",
            "caught (checked 4 (work 3))",
            // Where clauses of one command do the one or the other, it is told as those that resume.
            vec![
                inlined("check", "checked"),
                inlined("over", "checked"),
                dropped("raise", "caught"),
            ],
        ),
    ] {
        let compiled = drops(ty, main);
        assert_eq!(commands(&compiled), expected, "{main}");
        let stats = compiled.run(Limits::default(), "").stats;
        assert_eq!(stats.captures, 0, "{main}");
    }
}

/// Of a thunk that is in a list nobody knows under which handlers it is forced.
#[test]
fn what_is_not_known_is_looked_for() {
    let compiled = drops(
        "Int",
        "sum (map {t -> caught t! + caught (1 + t!)} (map delay [8]))",
    );
    assert!(dynamic(&compiled).contains(&("raise".to_owned(), Why::Unknown)));
    let compiled = drops("Int", "let t = delay 8 in caught t! + caught (1 + t!)");
    assert_eq!(dynamic(&compiled), []);
    let compiled = drops("Int", "either2 (walk 1)");
    let handler = || "either2".to_owned();
    let partly = How::Partly(handler(), Why::Clause(handler()));
    assert!(commands(&compiled).contains(&("again".to_owned(), partly)));
}

#[test]
fn depth_and_repetition_cost_nothing_else() {
    let ran = drops("Int", "rounds 3 200000 0").run(Limits::default(), "");
    assert_eq!(ran.value.unwrap(), "3");
    assert!(ran.stats.peak_objects < 200_100, "{:?}", ran.stats);
    // The clause ends in a call under its own handler, again and again.
    let ran = drops("Int", "retry 100000 (raise 1)").run(Limits::default(), "");
    assert_eq!(ran.value.unwrap(), "100001");
    assert!(ran.stats.peak_objects < 100, "{:?}", ran.stats);
}

/// What a clause does when it has dropped the rest fails where it stands, called from where its handler was.
#[test]
fn failures_of_such_clauses_are_where_they_were() {
    let program = "
picky : List Int -> <Raise> Int -> Int
picky xs x                   = x
picky xs <raise 0 -> _>      = headOf xs
picky xs <raise i -> _>      = 1000 / (i - 5)

headOf : List Int -> Int
headOf (x :: _) = x

deep : Int -> Int -> [Raise] Int
deep 0 i = raise i
deep n i = n * deep (n - 1) i

outer : Int -> Int
outer i = 1 + picky [] (deep 3 i)
";
    for (i, kind, failing) in [
        (0, RunErrorKind::NoMatch, "headOf"),
        (5, RunErrorKind::DivisionByZero, "picky"),
    ] {
        let text = format!("{DROPS}{program}\nmain : {{Int}}\nmain! = 1 + outer {i}\n");
        at_every_step(&compiled(&text));
        let failed = error(&text);
        assert_eq!(failed.kind, kind);
        // `outer` stands in the place of its call.
        let names: Vec<&str> = failed.trace.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, [failing, "outer"]);
    }
    let text = format!("{DROPS}{program}\nmain : {{Int}}\nmain! = 1 + outer 7\n");
    assert_eq!(value(&text), "502");
}
