//! Holes beside what is wrong: in calls with too few arguments or too many, and beside operands that are no numbers.

use expect_test::{Expect, expect};
use frank_analysis::diagnostics::Code;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;

use super::fixture::Fixture;
use super::holes::{errors, fits};
use crate::Analysis;

/// The beginnings of programs in which holes are looked at.
const AROUND: &str = "\
include prelude

only : Int -> Bool -> Int
only n b = n

";

/// So many things are offered.
const OFFERED: usize = 24;

/// What gives an `Int` beside [`AROUND`], as it is offered.
const INTS: [&str; 24] = [
    "only _ _",
    "charToInt _",
    "floor _",
    "length _",
    "natToInt _",
    "round _",
    "sum _",
    "truncate _",
    "maxInt _ _",
    "minInt _ _",
    "natToIntFrom _ _",
    "rem _ _",
    "0",
    "1",
    "fail _",
    "fst _",
    "id _",
    "snd _",
    "case _ _",
    "catch _ _",
    "evalState _ _",
    "execState _ _",
    "forEach _ _",
    "fromMaybe _ _",
];

/// What gives a `Float`.
const FLOATS: [&str; 22] = [
    "abs _",
    "acos _",
    "asin _",
    "atan _",
    "cos _",
    "cosh _",
    "exp _",
    "log _",
    "sin _",
    "sinh _",
    "sqrt _",
    "sumFloat _",
    "tan _",
    "tanh _",
    "toFloat _",
    "pow _ _",
    "0.0",
    "1.0",
    "fail _",
    "fst _",
    "id _",
    "snd _",
];

/// What is found in an operator beside the prelude and others, the holes first; and what fits its first hole: what it has of
/// its own, and as much of `others` as is offered behind that. Each fit is put in, and the program must have no other errors
/// then.
fn check(operator: &str, found: Expect, own: &[&str], others: &[&str]) {
    let text = format!("{AROUND}{operator}");
    found.assert_eq(&all_found(&text));
    let fits = fits(&text);
    let without_parentheses = |text: &String| {
        let inner = text.strip_prefix('(');
        let inner = inner.and_then(|inner| inner.strip_suffix(')'));
        inner.unwrap_or(text).to_owned()
    };
    let shown: Vec<String> = fits.iter().map(without_parentheses).collect();
    let expected = own.iter().chain(others).take(OFFERED);
    assert_eq!(shown, expected.copied().collect::<Vec<_>>(), "{operator}");
}

/// What is found, the holes first.
fn all_found(text: &str) -> String {
    [holes_found(text), errors(text)].concat().join("\n")
}

/// What is found about holes.
fn holes_found(text: &str) -> Vec<String> {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text);
    let all = file_diagnostics(files.db(), file).into_iter();
    let holes = all.filter(|problem| problem.code == Code::Hole);
    holes.map(|problem| problem.message).collect()
}

#[test]
fn the_place_of_a_call_without_all_arguments_says_what_is_missing_in_it() {
    check(
        "f : Bool -> Int -> {Int} -> Int\nf b n g = if b {_}\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            `if` takes 3 arguments, but 2 are given"#]],
        &["g!", "n", "f _ _ _"],
        &INTS,
    );
    check(
        "f : Int -> List Bool -> List Int\nf n bs = map {b -> _}\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            `map` takes 2 arguments, but 1 is given"#]],
        &["b", "n"],
        &INTS,
    );
    check(
        "f : Int -> Bool -> Maybe Int\nf n b = just _ b\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            the constructor `just` takes 1 argument, but 2 are given"#]],
        &["n"],
        &INTS,
    );
    check(
        "f : Int -> Bool -> Pair Int Bool\nf n b = pair _\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            the constructor `pair` takes 2 arguments, but 1 is given"#]],
        &["n"],
        &INTS,
    );
    check(
        "f : Int -> Bool -> Maybe Int\nf n b = just b _\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            the constructor `just` takes 1 argument, but 2 are given"#]],
        &["n"],
        &INTS,
    );
}

/// What is wrong beside a hole takes nothing from it: the place of the call decides both.
#[test]
fn the_place_of_a_call_says_more_than_what_is_wrong_in_it() {
    for (call, errors) in [
        (
            "if b {undef} {_}",
            expect![[r#"
            a hole: a value of type `Int` is missing here
            there is no definition `undef` in sight"#]],
        ),
        (
            "if b {\"s\"} {_}",
            expect![[r#"
            a hole: a value of type `Int` is missing here
            this has type `String`, but `Int` is needed"#]],
        ),
        (
            "if b {_} {\"s\"}",
            expect![[r#"
            a hole: a value of type `Int` is missing here
            this has type `String`, but `Int` is needed"#]],
        ),
        (
            "catch _ {undef}",
            expect![[r#"
            a hole: a value of type `Int` is missing here
            there is no definition `undef` in sight"#]],
        ),
        (
            "<Unknown> _",
            expect![[r#"
            a hole: a value of type `Int` is missing here
            there is no interface `Unknown`"#]],
        ),
        (
            "id (id (if b {undef 1} {id _}))",
            expect![[r#"
            a hole: a value of type `Int` is missing here
            there is no definition `undef` in sight"#]],
        ),
        (
            "case n { 0 -> if b {'c'} {_} | m -> m }",
            expect![[r#"
            a hole: a value of type `Int` is missing here
            this has type `Char`, but `Int` is needed"#]],
        ),
    ] {
        let text = format!("{AROUND}f : Int -> Bool -> Int\nf n b = {call}\n");
        errors.assert_eq(&all_found(&text));
    }
}

/// Where two arguments are in each other's places, a hole is what its own place would be.
/// What a signature names and nobody knows is no reason to forget the rest of it.
#[test]
fn the_known_parts_of_a_signature_decide_holes() {
    for (operator, type_) in [
        (
            "f : Bool -> Int -> [Abrt]Int\nf b n = if b {n} {_}\n",
            "`Int`",
        ),
        (
            "f : Int -> [State Itm Int, Console]Bool\nf n = only n _; _\n",
            "`Bool`",
        ),
        ("f : Lst Int -> Int -> Int\nf xs n = _\n", "`Int`"),
        (
            "f : Lst Int -> Int -> Int\n\ng : {Int}\ng! = f [1] _\n",
            "`Int`",
        ),
        ("f : Bool -> [Abrt]Int\n\ng : {Int}\ng! = f _\n", "`Bool`"),
    ] {
        let found = holes_found(&format!("{AROUND}{operator}"));
        let expected = format!("a hole: a value of type {type_} is missing here");
        assert!(!found.is_empty(), "{operator}");
        assert!(
            found.iter().all(|one| *one == expected),
            "{operator}: {found:?}"
        );
    }
    // Of what nobody knows nothing is said.
    for operator in [
        "f : Int -> Lst Int\nf n = _\n",
        "f : Int -> Maybe Int Int\nf n = _\n",
        "f : <Abrt>Int -> Int\nf n = _\n",
    ] {
        let found = holes_found(&format!("{AROUND}{operator}"));
        assert_eq!(found, ["a hole: a value is missing here"], "{operator}");
    }
}

#[test]
fn a_hole_in_an_exchanged_argument_is_for_the_other_port() {
    for (call, errors) in [
        (
            "if {_} b {2}",
            expect![[r#"
            a hole: a value of type `Int` is missing here
            the first and the second argument of `if` are the wrong way round"#]],
        ),
        (
            "only b _",
            expect![[r#"
            a hole: a value of type `Int` is missing here
            this has type `Bool`, but `Int` is needed"#]],
        ),
        (
            "only _ n",
            expect![[r#"
            a hole: a value of type `Bool` is missing here
            this has type `Int`, but `Bool` is needed"#]],
        ),
        (
            "only {n} _",
            expect![[r#"
            a hole: a value of type `Bool` is missing here
            a suspended computation stands where a value of type `Int` is needed"#]],
        ),
        (
            "map [1] {x -> _}",
            expect![[r#"
            a hole: a value is missing here
            the first and the second argument of `map` are the wrong way round
            this has type `List _`, but `Int` is needed"#]],
        ),
        (
            "only (only b _) _",
            expect![[r#"
            a hole: a value of type `Int` is missing here
            a hole: a value of type `Bool` is missing here
            this has type `Bool`, but `Int` is needed"#]],
        ),
    ] {
        let text = format!("{AROUND}f : Int -> Bool -> Int\nf n b = {call}\n");
        errors.assert_eq(&all_found(&text));
    }
}

/// Calls within calls, each with a wrong argument beside one with the hole, are checked in no time that doubles with each.
#[test]
fn a_hole_stays_where_two_others_are_exchanged() {
    for (operators, type_) in [
        (
            "o : Unit -> Bool -> Char -> Unit -> Int\no a b c d = 1\n\n\
             f : Unit -> Bool -> Char -> Int\nf u b c = o _ b u c\n",
            "Unit",
        ),
        (
            "p : Int -> Int -> Bool -> Char -> Int\np a b c d = a\n\nf : Int -> Int\nf n = p _ true n 'c'\n",
            "Int",
        ),
        (
            "f : Int -> List (Pair Int Int) -> Maybe Int\nf n ps = lookup n eqInt _\n",
            "List (Pair Int Int)",
        ),
    ] {
        let found = holes_found(&format!("{AROUND}{operators}"));
        let expected = format!("a hole: a value of type `{type_}` is missing here");
        assert_eq!(found, [expected], "{operators}");
    }
}

/// The place of a call with a wrong number of arguments decides its holes, and the call nothing outside of it.
#[test]
fn a_wrong_call_with_a_hole_brings_no_other_errors() {
    let around = "same : X -> Maybe X -> X\nsame x m = x\n\nmk : X -> Maybe X\nmk x = just x\n\n\
                  interface Sm X = sm : X -> X\n\nown : Float -> [Sm X]X\nown x = fail \"\"\n\n\
                  add : Int -> X -> Maybe X -> [Sm X]Maybe X\nadd i x m = m\n\n";
    for (operator, found) in [
        (
            "f : Int -> Int\nf y = let g = {z -> same z (mk true _)} in g y\n",
            expect![[r#"
                a hole: a value is missing here
                `mk` takes 1 argument, but 2 are given"#]],
        ),
        (
            "f : Int -> [Sm X]Maybe X\nf i = add (own _) _\n",
            expect![[r#"
                a hole: a value of type `Float` is missing here
                a hole: a value of type `Maybe X` is missing here
                `add` takes 3 arguments, but 2 are given"#]],
        ),
        (
            "f : Int -> [Sm X]Maybe X\nf i = add (own 2.0) _\n",
            expect![[r#"
                a hole: a value of type `Maybe X` is missing here
                `add` takes 3 arguments, but 2 are given"#]],
        ),
    ] {
        found.assert_eq(&all_found(&format!("{AROUND}{around}{operator}")));
    }
}

#[test]
fn calls_in_calls_with_misplaced_arguments_are_checked_once_each() {
    let depth = 60;
    let text = format!(
        "{AROUND}tri : Int -> Int -> Int -> Int\ntri a b c = a\n\nf : Int -> Int\nf n = {}_{}\n",
        "tri \"s\" 1 (".repeat(depth),
        ")".repeat(depth)
    );
    assert_eq!(
        holes_found(&text),
        ["a hole: a value of type `Int` is missing here"]
    );
    assert_eq!(errors(&text).len(), depth);
}

/// Of too many arguments a hole may be the one that is too many.
#[test]
fn a_hole_among_too_many_arguments_has_the_type_of_the_reading_that_fits_or_none() {
    for (call, lines) in [
        ("if b {\"no\"} {_} {n}", expect!["goal: Int"]),
        ("only n \"s\" _", expect!["goal: Bool"]),
        (
            "only n b _",
            expect![
                "goal: any type: nothing decides its type: `only` takes 2 arguments, and which are too many is not clear"
            ],
        ),
        ("only n n _", expect!["goal: Bool"]),
        (
            "only n n _ _",
            expect![[r#"
            goal: any type: nothing decides its type: `only` takes 2 arguments, and which are too many is not clear
            goal: any type: nothing decides its type: `only` takes 2 arguments, and which are too many is not clear"#]],
        ),
        (
            "fst (abort _)",
            expect!["goal: any type: nothing decides its type: `abort` takes no arguments"],
        ),
        (
            "fromMaybe n (just n _)",
            expect![
                "goal: any type: nothing decides its type: `just` takes 1 argument, and which are too many is not clear"
            ],
        ),
    ] {
        let text = format!("{AROUND}f : Int -> Bool -> [Abort] Int\nf n b = {call}\n");
        let fixture = Fixture::new(&text);
        let analysis = Analysis::new(fixture.files.snapshot());
        let goals = analysis.goals(fixture.main());
        let shown: Vec<String> = goals
            .iter()
            .filter_map(|goal| goal.lines().into_iter().next())
            .collect();
        lines.assert_eq(&shown.join("\n"));
    }
}

#[test]
fn an_operand_beside_a_wrong_one_is_a_number() {
    check(
        "f : Int -> Bool -> Int\nf n b = undef + _\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            there is no definition `undef` in sight"#]],
        &["n", "f _ _"],
        &INTS,
    );
    check(
        "f : Float -> Bool -> Float\nf x b = _ * only 1\n",
        expect![[r#"
            a hole: a value of type `Float` is missing here
            `only` takes 2 arguments, but 1 is given"#]],
        &["x", "f _ _"],
        &FLOATS,
    );
    check(
        "f : Float -> Bool -> Float\nf x b = undef * _ - x\n",
        expect![[r#"
            a hole: a value of type `Float` is missing here
            there is no definition `undef` in sight"#]],
        &["x", "f _ _"],
        &FLOATS,
    );
    check(
        "f : Int -> Bool -> Bool\nf n b = undef < _\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            there is no definition `undef` in sight"#]],
        &["n"],
        &INTS,
    );
    check(
        "f : Int -> Bool -> Int\nf n b = \"one\" + _\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            arithmetic and comparisons take numbers, but this has type `String`"#]],
        &["n", "f _ _"],
        &INTS,
    );
}

/// Where a finding says what is wrong around a hole, the hole has its own finding all the same.
#[test]
fn a_hole_has_its_finding_whatever_is_wrong_around_it() {
    check(
        "f : Bool -> Int\nf b = only \"one\" + _\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            `only` takes 2 arguments, but 1 is given"#]],
        &["f _"],
        &INTS,
    );
    check(
        "f : String -> [Console] Unit\nf s = print \"a\" + _ + s\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            `+` adds numbers, and ends the call of `print`"#]],
        &[],
        &INTS,
    );
}

/// A call that lacks arguments is an operand, too: what is in it is a number of that operation.
#[test]
fn in_a_call_that_is_an_operand_a_hole_is_a_number() {
    for sum in ["if b {_} + 1.0", "1.0 + if b {_}", "undef * (x - if b {_})"] {
        let errors = match sum.contains("undef") {
            false => expect![[r#"
                a hole: a value of type `Float` is missing here
                `if` takes 3 arguments, but 2 are given"#]],
            true => expect![[r#"
                a hole: a value of type `Float` is missing here
                there is no definition `undef` in sight
                `if` takes 3 arguments, but 2 are given"#]],
        };
        check(
            &format!("f : Float -> Bool -> Float\nf x b = {sum}\n"),
            errors,
            &["x", "f _ _"],
            &FLOATS,
        );
    }
    assert_eq!(
        holes_found(&format!(
            "{AROUND}f : Int -> Bool -> Int\nf n b = \"one\" + if b {{_}}\n"
        )),
        ["a hole: a value of type `Int` is missing here"]
    );
}

/// An argument of a call that lacks some need not be for the port at its own place: where that fits better, the hole is what
/// the other ports say; and where they say different things, nothing decides it.
#[test]
fn a_misplaced_argument_says_nothing_of_a_hole() {
    check(
        "pick : Int -> Int -> List Bool -> Int\npick a b xs = a\n\nf : List Bool -> Int\nf bs = pick _ bs\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            `pick` takes 3 arguments, but 2 are given"#]],
        &["f _", "only _ _", "pick _ _ _"],
        &INTS[1..],
    );
    let text = format!("{AROUND}f : List Int -> Int\nf xs = foldr _ xs\n");
    let fixture = Fixture::new(&text);
    let analysis = Analysis::new(fixture.files.snapshot());
    let goals = analysis.goals(fixture.main());
    let shown: Vec<String> = goals.iter().flat_map(|goal| goal.lines()).collect();
    expect![[r#"
        goal: any type: nothing decides its type: `foldr` lacks arguments, and which this one is depends on which are meant
        in sight:
          xs : List Int"#]].assert_eq(&shown.join("\n"));
    assert_eq!(fits(&text), [""; 0]);
}

/// Errors of all kinds beside a hole: each program has one finding about each hole, and what was wrong is still told.
#[test]
fn every_hole_has_one_finding_beside_any_error() {
    let around = "\
data Colour = red | green
interface Ask = ask : Int
two : Int -> Int -> Int
two a b = a + b
loud : String -> [Console] Unit
loud s = print s
";
    // What is written of `g`, and how many holes it has.
    let clauses = [
        ("g : {Int}\ng! = two \"s\" 1 + _", 1),
        ("g : {Int}\ng! = _ + two \"s\" 1", 1),
        ("g : {Int}\ng! = two \"s\" _", 1),
        ("g : {Int}\ng! = two _ 'c'", 1),
        ("g : {Int}\ng! = two _ \"s\" + _", 2),
        ("g : {Int}\ng! = two 1 + _", 1),
        ("g : {Int}\ng! = two 1 2 3 + _", 1),
        ("g : {Int}\ng! = two 1 2 _ + 1", 1),
        ("g : {Int}\ng! = 1 2 + _", 1),
        ("g : {Int}\ng! = undef _ + 1", 1),
        ("g : {Int}\ng! = ask! + _", 1),
        ("g : {Int}\ng! = <Ask> _ + 1", 1),
        ("g : {Int}\ng! = <Unknown> _", 1),
        ("g : {Int}\ng! = loud \"a\"; _", 1),
        ("g : {Int}\ng! = \"a\" + _ + 'c'", 1),
        ("g : {Int}\ng! = 1.0 + 1 + _", 1),
        ("g : {Int}\ng! = [1, 'c', _]", 1),
        ("g : {Int}\ng! = case red { red -> _ | green -> 'c' }", 1),
        (
            "g : {Int}\ng! = case red { red -> 1 | blue -> _ | green -> 'c' }",
            1,
        ),
        (
            "g : {Int}\ng! = case _ { red -> 1 | nothing -> 2 | green -> 3 }",
            1,
        ),
        ("g : {Int}\ng! = red 1 + _", 1),
        ("g : {Int}\ng! = red! + _", 1),
        ("g : {Int}\ng! = let x = two 1 in x + _", 1),
        ("g : {Int}\ng! = let f = {x -> x x} in f _", 1),
        ("g : {Int}\ng! = {_} + 1", 1),
        ("g : {Int}\ng! = {x y -> _} 1", 1),
        ("g : {Int}\ng! = 9223372036854775808 + _", 1),
        ("g : {Int}\ng! = _ == red", 1),
        ("g : {Int}\ng! = -_ + \"s\"", 1),
        ("g : {Int}\ng! = if true {_} {\"s\"}", 1),
        ("g : {Int}\ng! = if _ {1} {\"s\"} + 1", 1),
        ("g : Int -> Int3\ng x = two \"s\" _", 1),
        ("g : {Int}\ng x = _ + 1", 1),
        ("g : Int -> Int\ng x x = _ + x", 1),
        ("g : Int -> Int\ng <ask -> k> = k _", 1),
        ("g : Int -> Int\ng red = _\ng x = _ + \"s\"", 2),
        ("g x = x + _ + \"s\"", 1),
        ("g : {Int}\ng : {Int}\ng! = _ + \"s\"", 1),
        ("g : {Int}\ng! = two _name \"s\" + _name", 2),
        ("g : {Int}\ng! = two (two _) (two \"s\") + two _ 1 2", 2),
        ("g : {Int}\ng! = foldr _ \"s\" + foldr {x y -> _} [1]", 2),
        ("g : {Int}\ng! = _ \"s\" + two 's' 1", 1),
        ("g : {Int}\ng! = (loud _) + 1", 1),
        ("g : {Int}\ng! = map {x -> _} 1 + 1", 1),
    ];
    let mut wrong = Vec::new();
    for (clause, holes) in clauses {
        let text = format!("include prelude\n\n{around}\n{clause}\n");
        let fixture = Fixture::new(&text);
        let unparsed = fixture.analysis().holes_in_broken_items(fixture.main());
        let found = holes_found(&text).len() + unparsed.len();
        if found != holes || errors(&text).is_empty() {
            wrong.push((clause, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What would stand in a hole that takes arguments is not what parentheses are missing around.
#[test]
fn no_parentheses_are_wanted_around_a_hole() {
    for (operator, found) in [
        (
            "f : List Int -> Bool\nf ys = any 1.5 _ ys\n",
            expect![
                "`any` takes 2 arguments, but 3 are given; one is too many: leave it out, or make one of two"
            ],
        ),
        (
            "f : List Int -> Int\nf xs = foldl _ 0 xs 7\n",
            expect![
                "`foldl` takes 3 arguments, but 4 are given; one is too many: leave it out, or make one of two"
            ],
        ),
    ] {
        let text = format!("{AROUND}{operator}");
        let mut files = Files::new(None);
        let file = files.set_text("main.fk", text.as_str());
        let findings = file_diagnostics(files.db(), file).into_iter();
        let errors = findings.filter(|one| one.is_error() && one.code != Code::Hole);
        let told: Vec<String> = errors
            .map(|one| format!("{}; {}", one.message, one.help.join("; ")))
            .collect();
        found.assert_eq(&told.join("\n"));
    }
}
