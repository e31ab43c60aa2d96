//! Holes: goals, and fits that check when they are put in.

use expect_test::{Expect, expect};
use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::Code;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;

use super::fixture::Fixture;
use crate::{Analysis, FilePosition, GoalLocal, Hole};

/// The goals of all holes of a program.
fn check(text: &str, expected: Expect) {
    let fixture = Fixture::new(text);
    let analysis = Analysis::new(fixture.files.snapshot());
    let goals = analysis.goals(fixture.main());
    let shown: Vec<String> = goals
        .iter()
        .map(|goal| {
            format!(
                "{} in {}\n{}\n",
                goal.hole.name,
                goal.hole.inside,
                goal.lines().join("\n")
            )
        })
        .collect();
    expected.assert_eq(&shown.join("\n"));
}

/// The first hole of a file, and its place.
pub(super) fn first_hole(analysis: &Analysis, file: SourceFile) -> (Hole, FilePosition) {
    let hole = analysis.holes(file).remove(0);
    let offset = hole.range.start();
    (hole, FilePosition { file, offset })
}

/// What fits the first hole of a program. Each fit is put in, and the program must have no error but holes then.
pub(super) fn check_fits(text: &str, expected: Expect) {
    expected.assert_eq(&fits(text).join("\n"));
}

/// The same, to look at.
pub(super) fn fits(text: &str) -> Vec<String> {
    let fixture = Fixture::new(text);
    let analysis = Analysis::new(fixture.files.snapshot());
    let (hole, at) = first_hole(&analysis, fixture.main());
    let fits = analysis.fits(at).unwrap();
    let file = fixture.main();
    let before = errors(&fixture.files.text(file));
    for fit in &fits {
        let mut text = fixture.files.text(file);
        text.replace_range(std::ops::Range::<usize>::from(hole.range), &fit.text);
        assert_eq!(errors(&text), before, "{}\n{text}", fit.text);
    }
    fits.into_iter().map(|fit| fit.text).collect()
}

/// The quick fixes of the first hole of a program that split a variable into clauses. Every fix of the hole is put in,
/// and the program must have no error but holes then.
fn check_splits(text: &str, expected: Expect) {
    let fixture = Fixture::new(text);
    let analysis = Analysis::new(fixture.files.snapshot());
    let file = fixture.main();
    let (_, at) = first_hole(&analysis, file);
    let before = errors(text);
    let mut shown = String::new();
    for fix in analysis.hole_fixes(at) {
        let mut edits = analysis.edits_of(&fix);
        edits.sort_by_key(|edit| edit.at.range.start());
        let mut after = text.to_owned();
        for edit in edits.iter().rev() {
            after.replace_range(std::ops::Range::<usize>::from(edit.at.range), &edit.text);
        }
        assert_eq!(errors(&after), before, "{}\n{after}", fix.title);
        if fix.title.ends_with("into clauses") {
            let lines = after
                .lines()
                .filter(|line| !text.lines().any(|old| old == *line));
            let lines: String = lines.map(|line| format!("    {line}\n")).collect();
            shown.push_str(&format!("{}\n{lines}", fix.title));
        }
    }
    expected.assert_eq(&shown);
}

/// The errors of a program but its holes.
pub(super) fn errors(text: &str) -> Vec<String> {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text);
    let found = file_diagnostics(files.db(), file).into_iter();
    let found = found.filter(|problem| problem.is_error() && problem.code != Code::Hole);
    found.map(|problem| problem.message).collect()
}

#[test]
fn a_goal_has_type_ability_and_locals() {
    check(
        "\
include prelude

interface Log = log : Int -> Unit

note : Int -> {Int -> [Log]Int} -> {String} -> [Log]Int
note n f s = log n; _ + n

main : {Int}
main! = case (just 1) { (just x) -> _rest | nothing -> 0 }
",
        expect![[r#"
            _ in note
            goal: Int
            ability here, the active instance of each interface first:
              Log: by the signature of note, from its callers
              [ε]: from whoever calls
            in sight:
              s : {[]String}
              f : {Int -> [Log]Int}: fits as `f _`
              n : Int: fits as `n`

            _rest in main
            goal: Int
            ability here: [ε]
            in sight:
              x : Int: fits as `x`
        "#]],
    );
}

/// Around what is wrong nothing is said of the ability: it is not known.
#[test]
fn an_ability_that_is_not_known_is_not_told() {
    let text = "\
include prelude

total : List (Pair Int Int) -> Int
total [] = 0
total (pair n price :: rest) = _
";
    check(
        text,
        expect![[r#"
        _ in total
        goal: any type: nothing decides its type: nothing around it says more
        in sight:
          rest : _: fits as `rest`
          price : _: fits as `price`
          n : _: fits as `n`
    "#]],
    );
}

/// What is written for a local checks where the hole is.
#[test]
fn locals_are_lifted() {
    let text = "\
include prelude
include ad

at : X -> [Fwd X] (Dual X)
at x = d {y -> y} _

counted : {Int -> Int} -> {Int} -> [State Int] Int
counted f g = put 1; _
";
    check(
        text,
        expect![[r#"
        _ in at
        goal: Dual X
        ability here, the active instance of each interface first:
          Smooth (Dual X): by the signature of at, from its callers
          Smooth X: by the signature of at, from its callers
          [ε]: from whoever calls
        in sight:
          x : X: fits as `lift x`

        _ in counted
        goal: Int
        ability here, the active instance of each interface first:
          State Int: by the signature of counted, from its callers
          [ε]: from whoever calls
        in sight:
          g : {[]Int}: fits as `<State> g!`
          f : {Int -> Int}: fits as `<State> (f _)`
    "#]],
    );
    let fixture = Fixture::new(text);
    let analysis = fixture.analysis();
    let file = fixture.main();
    for goal in analysis.goals(file) {
        for shown in goal.locals.iter().filter_map(GoalLocal::use_shown) {
            let mut text = fixture.files.text(file);
            text.replace_range(
                std::ops::Range::<usize>::from(goal.hole.range),
                &format!("({shown})"),
            );
            assert_eq!(errors(&text), [""; 0], "{text}");
        }
    }
}

#[test]
fn a_continuation_is_named() {
    check(
        "\
state : S -> <State S>X -> X
state _ <put s -> k> = state s (k unit)
state s <get -> k>   = _
state _ x            = x

interface State X = get : X | put : X -> Unit
",
        expect![[r#"
            _ in state
            goal: X
            ability here: [ε]
            in sight:
              k : {S -> [State S]X}, the continuation
              s : S
        "#]],
    );
}

#[test]
fn what_is_not_decided_is_told() {
    check(
        "\
f : Int -> Int
f x = let y = _ in _; x

g : Int -> Int
g x = ignore _

ignore : X -> Int
ignore _ = 1
",
        expect![[r#"
            _ in f
            goal: any type: nothing decides its type: `y` is used nowhere that says what it is
            ability here: [ε]
            in sight:
              x : Int: fits as `x`

            _ in f
            goal: any type: nothing decides its type: its value is thrown away
            ability here: [ε]
            in sight:
              y : _: fits as `y`
              x : Int: fits as `x`

            _ in g
            goal: any type: nothing decides its type: `ignore` takes any there
            ability here: [ε]
            in sight:
              x : Int: fits as `x`
        "#]],
    );
}

#[test]
fn a_broken_item_has_goals_and_others_too() {
    check(
        "\
f : Int -> List Int
f x = x :: _ )

g : Float -> Float
g x = x * _
",
        expect![[r#"
            _ in f
            goal: List Int
            ability here: [ε]
            in sight:
              x : Int

            _ in g
            goal: Float
            ability here: [ε]
            in sight:
              x : Float: fits as `x`
        "#]],
    );
}

#[test]
fn fits_check_when_they_are_put_in() {
    check_fits(
        "\
interface State X = get : X | put : X -> Unit

step : Int -> {Int} -> {Int -> Int} -> [State Int]Int
step n later next = n + _
",
        expect![[r#"
            n
            <State> later!
            <State> (next _)
            get!
            step _ _ _
            charToInt _
            floor _
            round _
            truncate _
            0
            1
            fail _
            case _ _"#]],
    );
    check_fits(
        "\
include prelude

safe : Int -> Maybe Int
safe n = _
",
        expect![[r#"
            nothing
            just _
            safe _
            attempt _
            firstChoice _
            find _ _
            firstOf _ _
            lookup _ _ _
            fail _
            fst _
            id _
            snd _
            case _ _
            catch _ _
            evalState _ _
            execState _ _
            forEach _ _
            fromMaybe _ _
            runReader _ _
            either _ _ _
            foldl _ _ _
            foldr _ _ _
            if _ _ _
            maybe _ _ _"#]],
    );
    check_fits(
        "\
interface Ask X = ask : X
interface Tell X = tell : X -> Unit

with : {<Ask Int, Tell Int> X -> X} -> X
with h = h (tell 1; fail \"\")

main : {Int}
main! = with _
",
        expect![[r#"
            { <ask -> k> -> _ | <tell n -> k> -> _ | n -> _ }
            (fail _)
            (with _)
            (case _ _)"#]],
    );
    check_fits(
        "\
include prelude

all : List Int -> List Int
all xs = map _ xs
",
        expect![[r#"
            {n -> _}
            id
            (const _)
            (compose _ _)
            (fail _)
            (fst _)
            (id _)
            (snd _)
            (case _ _)
            (catch _ _)
            (evalState _ _)
            (execState _ _)
            (forEach _ _)
            (fromMaybe _ _)
            (runReader _ _)
            (either _ _ _)
            (foldl _ _ _)
            (foldr _ _ _)
            (if _ _ _)
            (maybe _ _ _)"#]],
    );
}

/// What only calls itself never ends, unless it is called later.
#[test]
fn an_operator_without_ports_is_not_its_own_body() {
    let offers = |text: &str, call: &str| {
        let fixture = Fixture::new(text);
        let analysis = Analysis::new(fixture.files.snapshot());
        let (_, at) = first_hole(&analysis, fixture.main());
        let fits = analysis.fits(at).unwrap();
        fits.iter().any(|fit| fit.text == call)
    };
    let other = "other : {Int}\nother! = 1\n\ng : {Int}\n";
    assert!(!offers(&format!("{other}g! = _\n"), "g!"));
    assert!(!offers(&format!("{other}g! = 1 + _\n"), "g!"));
    assert!(offers(&format!("{other}g! = _\n"), "other!"));
    assert!(offers(
        &format!("{other}g! = later {{_}}\n\nlater : {{Int}} -> Int\nlater f = 1\n"),
        "g!"
    ));
}

#[test]
fn variables_are_split_into_clauses() {
    check_splits(
        "\
len : List X -> Int
len xs = _
",
        expect![[r#"
            split `xs` into clauses
                len [] = _
                len (x :: xs) = _
        "#]],
    );
    // Several parameters, and other reads of the one that is split.
    check_splits(
        "\
include prelude

data Shape = circle Int | square Int Int | dot

area : Shape -> Maybe Shape -> Int -> List Shape -> Pair Int (List Shape)
area s m n x = pair (n + _) (s :: x)
",
        expect![[r#"
            split `x` into clauses
                area s m n [] = pair (n + _) (s :: [])
                area s m n (x :: xs) = pair (n + _) (s :: x :: xs)
            split `m` into clauses
                area s nothing n x = pair (n + _) (s :: x)
                area s (just y) n x = pair (n + _) (s :: x)
            split `s` into clauses
                area (circle i) m n x = pair (n + _) (circle i :: x)
                area (square i n1) m n x = pair (n + _) (square i n1 :: x)
                area dot m n x = pair (n + _) (dot :: x)
        "#]],
    );
    // Variables within patterns, and of clauses in braces. A number or a letter has no constructors.
    check_splits(
        "\
sums : List (List Int) -> Char -> Int
sums [] c = 0
sums (xs :: rest) c = case rest {ys -> _}
",
        expect![[r#"
            split `ys` into clauses
                sums (xs :: rest) c = case rest {[] -> _ | (x :: ys) -> _}
            split `rest` into clauses
                sums (xs :: []) c = case [] {ys -> _}
                sums (xs :: (x :: zs)) c = case (x :: zs) {ys -> _}
            split `xs` into clauses
                sums ([] :: rest) c = case rest {ys -> _}
                sums ((x :: xs) :: rest) c = case rest {ys -> _}
        "#]],
    );
}

#[test]
fn what_handles_is_split_into_clauses() {
    check_splits(
        "\
interface State X = get : X | put : X -> Unit

data Step = stop | go Int

state : Step -> <State Step>Int -> Int
state s <put t -> k> = _
state s <m>          = 0
",
        expect![[r#"
            split `t` into clauses
                state s <put stop -> k> = _
                state s <put (go n) -> k> = _
            split `s` into clauses
                state stop <put t -> k> = _
                state (go n) <put t -> k> = _
        "#]],
    );
    check_splits(
        "\
interface State X = get : X | put : X -> Unit

state : Int -> <State Int>Bool -> Int
state s <m> = state s (_; m!)
",
        expect![[r#"
            split `<m>` into clauses
                state s x = state s (_; x)
                state s <get -> k> = state s (_; k get!)
                state s <put x -> k> = state s (_; k (put x))
        "#]],
    );
}

/// A type without constructors has no clause, and what is hidden cannot be matched.
#[test]
fn what_has_no_constructors_is_not_split() {
    check_splits(
        "\
data Void =

absurd : Void -> Int
absurd v = _
",
        expect![[""]],
    );
    check_splits(
        "\
f : Bool -> {Int -> Int} -> String -> X -> Int
f b g s x = let b = 1 in _
",
        expect![[r#"
            split `s` into clauses
                f b g [] x = let b = 1 in _
                f b g (y :: xs) x = let b = 1 in _
        "#]],
    );
}

/// What the arguments of a hole perform is handled by what comes into its place.
#[test]
fn a_hole_that_is_called_handles_what_its_arguments_perform() {
    let wrong = |text: &str| {
        let mut files = Files::new(None);
        let file = files.set_text("main.fk", text);
        let found = file_diagnostics(files.db(), file).into_iter();
        let found = found.filter(|problem| problem.is_error());
        found.map(|problem| problem.message).collect::<Vec<_>>()
    };
    let counted = "\
include prelude

main : {Int}
main! = _ 4 (put (get! + 1); get!)
";
    assert_eq!(
        wrong(counted),
        ["a hole: a value of type `{Int -> <State Int>Int -> Int}` is missing here"]
    );
    check(
        counted,
        expect![[r#"
        _ in main
        goal: {Int -> <State Int>Int -> Int}
        ability here: [ε]
    "#]],
    );
    check_fits(
        counted,
        expect![[r#"
        evalState
        execState"#]],
    );
    let resumed = "\
interface State X = get : X | put : X -> Unit

run : S -> <State S> X -> X
run _ <put s -> k> = _ s (k unit)
run s <get -> k> = run s (k s)
run _ x = x
";
    check(
        resumed,
        expect![[r#"
        _ in run
        goal: {S -> <State S>X -> X}
        ability here: [ε]
        in sight:
          k : {Unit -> [State S]X}, the continuation
          s : S
    "#]],
    );
    check_fits(resumed, expect!["run"]);
    // The instance of the ability, and one more.
    check(
        "\
include prelude

f : [State Int] Int
f! = _ (put true; <State> (put 3); get!) (put 4)

g : {Int} -> Int
g x = _ (_ (_ (put x!; get!)))
",
        expect![[r#"
            _ in f
            goal: {<State Bool>Bool -> Unit -> [State Int]Int}
            ability here, the active instance of each interface first:
              State Int: by the signature of f, from its callers
              [ε]: from whoever calls

            _ in g
            goal: {<State Int>_ -> Int} (nothing decides what is written `_` in its type: nothing says what it gives)
            ability here: [ε]
            in sight:
              x : {[]Int}

            _ in g
            goal: {_ -> [State Int]_} (nothing decides what is written `_` in its type: nothing says what it gives)
            ability here, the active instance of each interface first:
              State Int: handled by _
              [ε]: from whoever calls
            in sight:
              x : {[]Int}

            _ in g
            goal: {Int -> [State Int]_} (nothing decides what is written `_` in its type: nothing says what it gives)
            ability here, the active instance of each interface first:
              State Int: handled by _
              [ε]: from whoever calls
            in sight:
              x : {[]Int}
        "#]],
    );
    // What no port can make right is told.
    let kept = "\
include prelude

f : {[]Int} -> [State Int] Int
f x = _ x!
";
    expect![[r#"
        a hole: a value of type `{Int -> [State Int]Int}` is missing here
        `x` runs in the ability `[]`, and here it is `[State Int]`; `<State> x!` hides what is too much"#]].assert_eq(&wrong(kept).join("\n"));
}

/// What comes in by a signature comes in so through the computations that are run meanwhile, too.
#[test]
fn origins_through_what_runs_a_computation() {
    check(
        "\
interface Pg = pg : Int

run : {[Pg] X} -> [Pg] X
run x = x!

unwritten : {[Pg] X} -> [Pg] X

f : [Pg] Int
f! = run {_}

g : [Pg] Int
g! = unwritten {_}
",
        expect![[r#"
            _ in f
            goal: Int
            ability here, the active instance of each interface first:
              Pg: by the signature of f, from its callers
              [ε]: from whoever calls

            _ in g
            goal: Int
            ability here, the active instance of each interface first:
              Pg: by the signature of g, from its callers
              [ε]: from whoever calls
        "#]],
    );
    check(
        "\
include prelude
include ad-paper

h : X -> [Smooth X] X
h k = d {y -> t _ y} k

twice : X -> [Smooth X] X
twice k = d {y -> d {z -> t _ z} y} k

main : {Int}
main! = evaluate (grad {y -> t y _} 3)
",
        expect![[r#"
            _ in h
            goal: Dual X
            ability here, the active instance of each interface first:
              Smooth (Dual X): handled by diff in d, possibly
              Smooth X: by the signature of h, from its callers
              [ε]: from whoever calls
            in sight:
              y : Dual X: fits as `y`
              k : X: fits as `lift k`

            _ in twice
            goal: Dual (Dual X)
            ability here, the active instance of each interface first:
              Smooth (Dual (Dual X)): handled by diff in d, possibly
              Smooth (Dual X): handled by diff in d, possibly
              Smooth X: by the signature of twice, from its callers
              [ε]: from whoever calls
            in sight:
              z : Dual (Dual X): fits as `z`
              y : Dual X: fits as `lift y`
              k : X

            _ in main
            goal: Prop Int
            ability here, the active instance of each interface first:
              Smooth (Prop Int): handled by reverse in grad, possibly
              Smooth Int: handled by evaluate, possibly
              RefState: by the signature of main; answered by the host, where main is the entry
              [whatever else is there]: from whoever calls
            in sight:
              y : Prop Int: fits as `y`
        "#]],
    );
}

/// What is offered in a file that several programs include fits in all of them.
#[test]
fn in_an_included_file_what_all_programs_have_is_offered() {
    let text = "\
half : Int -> Int
half n = _ / 2
//- a.fk
include main
include ad

secret : Int -> Int
secret n = n

main : {Int}
main! = secret (half 4)
//- b.fk
include main

main : {Int}
main! = half 2
";
    let fixture = Fixture::new(text);
    let analysis = fixture.analysis();
    let (_, at) = first_hole(&analysis, fixture.main());
    let fits = analysis.fits(at).unwrap();
    let shown: Vec<&str> = fits.iter().map(|fit| &*fit.text).collect();
    expect![[r#"
        n
        half _
        charToInt _
        floor _
        round _
        truncate _
        0
        1
        fail _
        case _ _"#]]
    .assert_eq(&shown.join("\n"));
}

/// Several adaptors, of all kinds of uses.
#[test]
fn uses_are_adapted() {
    let each = [
        "\
interface Ak X = ak : X
interface St X = gt : X | pt : X -> Unit

f : {Int} -> {[Ak Int]Int} -> {[St Char, St Int]Int} -> [Ak Int, St Int, St Char] Int
f e g m = _

",
        "\
interface St X = gt : X

f : {[St Int]Int} -> [St Int, St Char, St Float] Int
f g = _
",
        "\
interface St X = gt : X

f : {[St Float, St Int, St Char]Char} -> [St Int, St Char, St Float] Char
f g = _
",
        "\
interface St X = gt : X

f : {[St Char, St Float]Char} -> [St Char, St Int, St Float] Char
f g = _
",
        "\
interface St X = gt : X

tick : [St Int] Int
tick! = gt!

tock : Char -> [St Int] Int
tock _ = gt!

f : [St Int, St Char] Int
f! = _
",
        "\
include ad-paper

a : Int -> Int
a x = evaluate (d {y -> t y (d {z -> p _ z} (c 1))} x)
",
        "\
include ad-paper

a : X -> [Smooth X] X
a x = d {y -> lift _} x
",
    ];
    let expected = [
        expect![[r#"
            <Ak, St(s a b -> s b a)> m!
            <St, St> g!
            <Ak, St, St> e!
            ak!
            <St> gt!
            f _ _ _
            charToInt _
            floor _
            round _
            truncate _
            0
            1
            fail _
            case _ _"#]],
        expect![[r#"
            <St, St> g!
            <St, St> gt!
            f _
            charToInt _
            floor _
            round _
            truncate _
            0
            1
            fail _
            case _ _"#]],
        expect![[r#"
            <St(s a b c -> s c a b)> g!
            <St> gt!
            f _
            intToChar _
            fail _
            case _ _"#]],
        expect![[r#"
            <St(s a b -> s b)> g!
            <St, St> gt!
            f _
            intToChar _
            fail _
            case _ _"#]],
        expect![[r#"
            <St> gt!
            <St> tick!
            <St> (tock _)
            charToInt _
            floor _
            round _
            truncate _
            0
            1
            fail _
            case _ _"#]],
        expect![[r#"
            z
            (lift y)
            (dual _ _)
            (ap0 _)
            (ap1 _ _)
            (ap2 _ _ _)
            (lift _)
            (c _)
            (diff _)
            (dv _)
            (evaluate _)
            (fail _)
            (fwd _)
            (n _)
            (op0 _)
            (v _)
            (case _ _)
            (d _ _)
            (der1 _ _)
            (evaluatet _ _)
            (op1 _ _)
            (p _ _)
            (t _ _)
            (der2L _ _ _)"#]],
        expect![[r#"
            x
            (<Smooth> (ap0 _))
            (<Smooth> (ap1 _ _))
            (<Smooth> (ap2 _ _ _))
            (<Smooth> (a _))
            (<Smooth> (c _))
            (diff _)
            (dv _)
            (evaluate _)
            (fail _)
            (fwd _)
            (<Smooth> (n _))
            (<Smooth> (op0 _))
            (v _)
            (case _ _)
            (<Smooth> (d _ _))
            (<Smooth> (der1 _ _))
            (evaluatet _ _)
            (<Smooth> (op1 _ _))
            (<Smooth> (p _ _))
            (<Smooth> (t _ _))
            (<Smooth> (der2L _ _ _))
            (<Smooth> (der2R _ _ _))
            (<Smooth> (op2 _ _ _))"#]],
    ];
    for (text, expected) in each.into_iter().zip(expected) {
        check_fits(text, expected);
    }
}
