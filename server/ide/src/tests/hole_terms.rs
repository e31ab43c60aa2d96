//! Whole terms for holes: what is found on request and while somebody types.

use std::time::Duration;

use expect_test::{Expect, expect};

use super::fixture::Fixture;
use super::holes::{errors, first_hole};
use crate::{Analysis, CompletionItem, Filling, Search, without_stops};

/// What completion offers at the first hole of a program when it searches, too: the whole terms alone. Each offer is put
/// in, and the program must have no error but holes then.
fn check_offers(text: &str, expected: Expect) {
    let fixture = Fixture::new(text);
    let analysis = Analysis::new(fixture.files.snapshot());
    let (_, at) = first_hole(&analysis, fixture.main());
    let search = Search {
        filling: Filling {
            time: Duration::from_secs(20),
            tries: 20_000,
            ..Filling::as_you_type()
        },
        patience: None,
        cancelled: &|| false,
    };
    let found = analysis.completions_searched(at, Some(search)).unwrap();
    let before = errors(text);
    let range = std::ops::Range::<usize>::from(found.replace_range);
    let offered = &found.items[..found.hole.unwrap().count];
    for item in offered {
        let mut text = text.to_owned();
        text.replace_range(range.clone(), &without_stops(&item.insert));
        assert_eq!(errors(&text), before, "{}\n{text}", item.label);
    }
    let fits = analysis.fits(at).unwrap();
    let is_new = |item: &&CompletionItem| fits.iter().all(|fit| fit.text != item.label);
    let new = offered.iter().filter(is_new);
    let shown: Vec<&str> = new.map(|item| &*item.label).collect();
    expected.assert_eq(&shown.join("\n"));
}

/// The terms that are found for the first hole of a program.
pub(super) fn check_fill(text: &str, expected: Expect) {
    let fixture = Fixture::new(text);
    let analysis = Analysis::new(fixture.files.snapshot());
    let (_, at) = first_hole(&analysis, fixture.main());
    let filling = Filling {
        time: Duration::from_secs(20),
        size: 7,
        tries: 400_000,
        with_examples: true,
    };
    let filled = analysis.fill(at, filling, &|| false).unwrap();
    let shown: Vec<String> = filled
        .terms
        .iter()
        .take(4)
        .map(|term| format!("{} {:?}", term.text, term.examples_hold))
        .collect();
    expected.assert_eq(&shown.join("\n"));
}

#[test]
fn completion_offers_whole_terms() {
    check_offers(
        "\
include prelude

each : {X -> [E|]Y} -> List X -> [E|]List Y
each f [] = []
each f (x :: xs) = _
",
        expect![[r#"
            each (const (f x)) xs
            each {_ -> f x} xs
            map {_ -> f x} xs
            each f xs
            each (compose f {_ -> x}) xs
            map f xs"#]],
    );
    check_offers(
        "\
interface State X = get : X | put : X -> Unit

next : {Int -> Int} -> [State Int]Int
next f = _more
",
        expect![[r#"
            <State> (f 0)
            <State> (f 1)
            <State> (f (f 0))
            <State> (f (f 1))
            <State> (f (f (f 0)))
            <State> (f (f (f 1)))"#]],
    );
}

/// Where a large file has taken the time, the list is told to be asked for again.
#[test]
fn completion_that_is_late_is_incomplete() {
    let fixture = Fixture::new("half : Int -> Int\nhalf n = _\n");
    let analysis = Analysis::new(fixture.files.snapshot());
    let (_, at) = first_hole(&analysis, fixture.main());
    let answer = |patience| {
        let search = Search {
            filling: Filling {
                time: Duration::from_secs(20),
                tries: 20_000,
                ..Filling::as_you_type()
            },
            patience,
            cancelled: &|| false,
        };
        let found = analysis.completions_searched(at, Some(search)).unwrap();
        let has_terms = found.items.iter().any(|item| item.label == "n + n");
        (found.incomplete, has_terms)
    };
    assert_eq!(answer(Some(Duration::ZERO)), (true, false));
    // What a search has found that came to no end is not all.
    assert_eq!(answer(Some(Duration::MAX)), (true, true));
    // Who has asked again is told what there is.
    assert_eq!(answer(None), (false, true));
}

#[test]
fn terms_are_found() {
    check_fill(
        "\
compose : {Y -> Z} -> {X -> Y} -> X -> Z
compose f g x = _
",
        expect!["f (g x) None"],
    );
    check_fill(
        "\
-- > twice 4
-- = 8
-- > twice 1
-- = 2
twice : Int -> Int
twice n = _
",
        expect![[r#"
            n + n Some(true)
            n * 2 Some(true)
            n * (4 / 2) Some(true)
            (n * 4) / 2 Some(true)"#]],
    );
    check_fill(
        "\
each : {X -> [E|]Y} -> List X -> [E|]List Y
each f [] = []
each f (x :: xs) = _
",
        expect![[r#"
            f x :: each f xs None
            each {_ -> f x} xs None
            f x :: each {_ -> f x} xs None
            each f xs None"#]],
    );
}

#[test]
fn numbers_lead_from_examples_to_their_values() {
    check_fill(
        "\
-- > more 4
-- = 14
-- > more 1
-- = 11
more : Int -> Int
more n = _
",
        expect![[r#"
            n + 10 Some(true)
            n Some(false)
            n + n Some(false)
            n + 1 Some(false)"#]],
    );
    check_fill(
        "\
-- > steps 3
-- = 36
-- > steps 1
-- = 12
steps : Int -> Int
steps n = _
",
        expect![[r#"
            n * 12 Some(true)
            n + (n * 11) Some(true)
            n Some(false)
            n + n Some(false)"#]],
    );
}

#[test]
fn numbers_are_compared() {
    check_fill(
        "\
-- > isLess 1 2
-- = true
-- > isLess 2 1
-- = false
-- > isLess 2 2
-- = false
isLess : Int -> Int -> Bool
isLess a b = _
",
        expect![[r#"
            a < b Some(true)
            b > (a * a) Some(true)
            a <= (b - a) Some(true)
            a <= (b - 1) Some(true)"#]],
    );
    check_fill(
        "\
-- > isCheap 5
-- = true
-- > isCheap 50
-- = false
isCheap : Int -> Bool
isCheap price = _
",
        expect![[r#"
            price < 50 Some(true)
            price <= 5 Some(true)
            price == 5 Some(true)
            price != 50 Some(true)"#]],
    );
    check_fill(
        "\
isPositive : Float -> Bool
isPositive x = _
",
        expect![[r#"
            isNaN x None
            isNaN (abs x) None
            isNaN (acos x) None
            isNaN (asin x) None"#]],
    );
}

/// What is short is told, also where it leaves much unused.
#[test]
fn short_terms_are_told() {
    let fixture = Fixture::new("include prelude\n\nsafe : Int -> Int -> Maybe Int\nsafe n m = _\n");
    let analysis = Analysis::new(fixture.files.snapshot());
    let (_, at) = first_hole(&analysis, fixture.main());
    let filling = Filling {
        time: Duration::from_secs(20),
        tries: 100_000,
        ..Filling::on_request()
    };
    let filled = analysis.fill(at, filling, &|| false).unwrap();
    let shown: Vec<&str> = filled.terms.iter().map(|term| &*term.text).collect();
    expect![[r#"
        just (n + m)
        just (m - n)
        just (n - m)
        just (n * m)
        just (m / n)
        just (n / m)
        just (maxInt n m)
        just (minInt n m)
        just (rem m n)
        just (rem n m)
        nothing
        just m
        just n"#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn that_no_example_holds_is_told() {
    let note = |examples: &str| {
        let fixture = Fixture::new(&format!("{examples}f : Char -> Char\nf c = _\n"));
        let analysis = Analysis::new(fixture.files.snapshot());
        let (_, at) = first_hole(&analysis, fixture.main());
        let filling = Filling {
            time: Duration::from_secs(20),
            size: 2,
            ..Filling::on_request()
        };
        let note = analysis.fill(at, filling, &|| false).unwrap().note();
        note.split_once("; ").unwrap().1.to_owned()
    };
    expect!["3 fit"].assert_eq(&note(""));
    expect!["3 fit, run on one example"].assert_eq(&note("-- > f 'a'\n-- = 'a'\n"));
    expect!["3 fit, run on one example; no term within 2 parts makes the example hold"]
        .assert_eq(&note("-- > f 'a'\n-- = 'b'\n"));
}

/// A handler goes on by its continuation.
#[test]
fn clauses_of_handlers_are_found() {
    check_fill(
        "\
interface State X = get : X | put : X -> Unit

state : S -> <State S>X -> X
state _ <put s -> k> = state s (k unit)
state s <get -> k>   = _
state _ x            = x
",
        expect![[r#"
            state s (k s) None
            state k (state s (<State(s a b -> s b)> (k s))) None
            state s (k (state k (<State> get!))) None"#]],
    );
}

#[test]
fn numbers_are_divided() {
    check_fill(
        "-- > q 8 4\n-- = 2\n-- > q 27 3\n-- = 9\nq : Int -> Int -> Int\nq a b = _\n",
        expect![[r#"
            a / b Some(true)
            (a + 1) / b Some(true)
            floor (toFloat a / toFloat b) Some(true)
            floor (abs (toFloat (a / b))) Some(true)"#]],
    );
}

/// A variable that the clause uses already is not missing in the term.
#[test]
fn what_is_used_elsewhere_need_not_be_used_again() {
    check_fill(
        "\
-- > isSeven 7
-- = true
-- > isSeven 5
-- = false
isSeven : Int -> Bool
isSeven n = n - 7 == _
",
        expect![[r#"
            0 Some(true)
            (7 - n) Some(true)
            (1 / n) Some(true)
            (5 / n) Some(true)"#]],
    );
}

/// An example that ends in the other hole says nothing of this one.
#[test]
fn examples_that_end_in_another_hole_are_open() {
    let text = |examples: &str| {
        format!(
            "include prelude\n\n{examples}sd : Int -> Int -> Maybe Int\nsd a b = if (b == 0) {{_}} {{_}}\n"
        )
    };
    check_fill(
        &text("-- > sd 6 2\n-- = just 3\n"),
        expect![[r#"
            nothing None
            just b None
            just a None
            just 0 None"#]],
    );
    check_fill(
        &text("-- > sd 6 2\n-- = just 3\n-- > sd 1 0\n-- = nothing\n"),
        expect![[r#"
            nothing None
            attempt (b + abort!) None
            attempt (a + abort!) None
            attempt (b - abort!) None"#]],
    );
    check_fill(
        &text("-- > sd 1 0\n-- = nothing\n"),
        expect![[r#"
            nothing Some(true)
            attempt (b + abort!) Some(true)
            attempt (a + abort!) Some(true)
            attempt (b - abort!) Some(true)"#]],
    );
}

#[test]
fn no_handler_stands_around_a_continuation_that_is_not_resumed() {
    check_fill(
        "\
interface Yield X = yield : X -> Unit

g : Int -> <Yield X>Y -> List X
g i <yield x -> k> = _
g i y              = []
",
        expect![[r#"
            x :: g i (k unit) None
            g i (k unit) None
            x :: g 0 (k unit) None
            x :: g 1 (k unit) None"#]],
    );
}

/// An example that cannot be run is not held against the terms: what is said of the search says why.
#[test]
fn an_example_that_cannot_be_run_is_left_out() {
    let note = |text: &str| {
        let fixture = Fixture::new(text);
        let analysis = Analysis::new(fixture.files.snapshot());
        let (_, at) = first_hole(&analysis, fixture.main());
        let filling = Filling {
            time: Duration::from_secs(20),
            tries: 2_000,
            ..Filling::on_request()
        };
        let filled = analysis.fill(at, filling, &|| false).unwrap();
        let first = filled.terms.first().unwrap();
        let note = filled.note();
        let told = note.split_once(" fit").unwrap().1;
        format!("{} {:?}{told}", first.text, first.examples_hold)
    };
    let unreadable = note(
        "\
-- > more (4
-- = 5
-- > more 7
-- = 8
more : Int -> Int
more n = _
",
    );
    expect!["n + 1 Some(true), run on one example; the example `more (4` cannot be run: this `(` is never closed"].assert_eq(&unreadable);
    let ill_typed = note(
        "\
-- > more 'a'
-- = 5
more : Int -> Int
more n = _
",
    );
    expect![
        "n None; the example `more 'a'` cannot be run: this has type `Char`, but `Int` is needed"
    ]
    .assert_eq(&ill_typed);
    let endless = note(
        "\
-- > turn (spin 1) 2
-- = 5
turn : Int -> Int -> Int
turn n m = _

spin : Int -> Int
spin n = spin n
",
    );
    expect![
        "n + m None, run on one example; with 601 of them an example did not end within its limits"
    ]
    .assert_eq(&endless);
    // The others count all the same.
    let first_endless = note(
        "\
include prelude

-- > more (spin true)
-- = 5
-- > more 4
-- = 14
more : Int -> Int
more n = _

spin : Bool -> Int
spin b = spin b
",
    );
    let told = first_endless.split(',').next();
    assert_eq!(told, Some("n + 10 None"));
}
