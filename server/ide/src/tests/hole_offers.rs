//! What is offered at holes: in items that do not parse, in which order, and for several instances of an interface.

use expect_test::{Expect, expect};
use frank_analysis::files::Files;
use frank_analysis::holes::Bounds;

use super::fixture::Fixture;
use super::hole_terms::check_fill;
use super::holes::{check_fits, errors, first_hole, fits};
use crate::holes::Known;
use crate::{Analysis, FilePosition};

/// The quick fixes that an editor gets at the first hole of a program without a finding about it. Each is put in, and the
/// program must have the errors that it has.
fn check_broken(text: &str, expected: Expect) {
    let fixture = Fixture::new(text);
    let analysis = Analysis::new(fixture.files.snapshot());
    let (_, at) = first_hole(&analysis, fixture.main());
    let before = errors(text);
    let fixes = analysis.fixes_of_hole_in_broken_item(at);
    for fix in &fixes {
        let mut edits = analysis.edits_of(fix);
        edits.sort_by_key(|edit| edit.at.range.start());
        let mut after = text.to_owned();
        for edit in edits.iter().rev() {
            after.replace_range(std::ops::Range::<usize>::from(edit.at.range), &edit.text);
        }
        assert_eq!(errors(&after), before, "{}\n{after}", fix.title);
    }
    let shown: Vec<&str> = fixes.iter().map(|fix| &*fix.title).collect();
    expected.assert_eq(&shown.join("\n"));
}

/// Brackets that are open before the hole and behind it, and one that nothing opens.
#[test]
fn a_hole_beside_an_open_bracket_has_its_quick_fixes() {
    let rest = "\n\ng : Int -> Int\ng x = x\n";
    check_broken(
        &format!("f : Int -> Int\nf x = (g _{rest}"),
        expect![[r#"
        write `x`
        write `(f _)`
        write `(g _)`
        write `(charToInt _)`
        write `(floor _)`
        write `(round _)`
        write `(truncate _)`
        write `0`
        bind a value with `let y = _`"#]],
    );
    check_broken(
        &format!("f : Int -> Int\nf x = g _ + (g x{rest}"),
        expect![[r#"
            write `x`
            write `(f _)`
            write `(g _)`
            write `(charToInt _)`
            write `(floor _)`
            write `(round _)`
            write `(truncate _)`
            write `0`
            bind a value with `let y = _`"#]],
    );
    check_broken(
        &format!("f : Int -> Int\nf x = g (x + _)){rest}"),
        expect![[r#"
            write `x`
            write `f _`
            write `g _`
            write `charToInt _`
            write `floor _`
            write `round _`
            write `truncate _`
            write `0`
            bind a value with `let y = _`"#]],
    );
    check_broken(
        &format!("f : List Int -> List Int\nf xs = [1, _{rest}"),
        expect![[r#"
            write `g _`
            write `charToInt _`
            write `floor _`
            write `round _`
            write `truncate _`
            write `0`
            write `1`
            split `xs` into its cases
            bind a value with `let x = _`"#]],
    );
    check_broken(
        &format!("f : List Int -> List Int\nf xs = case xs {{ [] -> _ | (y :: ys) -> ys{rest}"),
        expect![[r#"
            write `xs`
            write `[]`
            write `_ :: _`
            write `f _`
            split `xs` into its cases
            bind a value with `let x = _`"#]],
    );
    check_broken(
        "f : Int -> Int\nf x = _ + (3 *\n",
        expect![[r#"
        write `x`
        write `f _`
        write `charToInt _`
        write `floor _`
        write `round _`
        write `truncate _`
        write `0`
        write `1`
        bind a value with `let y = _`"#]],
    );
    // Elsewhere they come with the finding.
    check_broken("f : Int -> Int\nf x = _ + 3\n", expect![[""]]);
}

/// Findings about them are there for those who list all holes, but for what is read as another language's text.
#[test]
fn holes_in_broken_items_are_found() {
    let fixture = Fixture::new(
        "\
f : Int -> Int
f n = _ + (3 *

g : Int -> Int
g n = match n with | _ -> _

h : Int -> Int
h n = _
",
    );
    let analysis = fixture.analysis();
    let found = analysis
        .holes_in_broken_items(fixture.main())
        .into_iter()
        .map(|finding| {
            (
                analysis.snapshot().range(finding.location).start(),
                finding.message,
            )
        });
    let found: Vec<_> = found.collect();
    assert_eq!(
        found,
        [(
            21.into(),
            "a hole: a value of type `Int` is missing here".to_owned()
        )]
    );
}

/// The texts of the terms up to a size that a search finds for the first hole of a program, all of them.
fn searched(text: &str, size: u32) -> Vec<String> {
    let fixture = Fixture::new(text);
    let analysis = Analysis::new(fixture.files.snapshot());
    let (_, at) = first_hole(&analysis, fixture.main());
    let hole = analysis.hole_at(at).unwrap();
    let Known {
        mut probe,
        goal,
        place,
    } = Known::of(&analysis, &hole).unwrap();
    let bounds = Bounds {
        size,
        most: 100_000,
        tries: 1_000_000,
    };
    let searched = probe.search(&goal, place, bounds, &|| false);
    assert_eq!(searched.complete_to, size);
    searched.found.into_iter().map(|one| one.text).collect()
}

/// Of the terms up to a size some must be found, and others must not.
fn check_searched(text: &str, size: u32, expected: &[&str], others: &[&str]) {
    let found = searched(text, size);
    for one in expected {
        assert!(found.iter().any(|text| text == one), "{one}: {found:?}");
    }
    for one in others {
        assert!(!found.iter().any(|text| text == one), "{one}: {found:?}");
    }
}

/// What is the same the other way round is offered once.
#[test]
fn of_two_orders_one_is_offered() {
    check_fill(
        "\
include prelude

-- > isDozen 12
-- = true
-- > isDozen 2
-- = false
isDozen : Int -> Bool
isDozen n = _
",
        expect![[r#"
            n > 2 Some(true)
            n >= 12 Some(true)
            n == 12 Some(true)
            n != 2 Some(true)"#]],
    );
    check_fill(
        "\
include prelude

-- > most 1 2
-- = 2
-- > most 5 2
-- = 5
most : Int -> Int -> Int
most a b = _
",
        expect![[r#"
            maxInt a b Some(true)
            minInt (a * b) 5 Some(true)
            rem 5 (a + b) Some(true)
            b + rem 3 a Some(true)"#]],
    );
    check_fill(
        "\
-- > three 1 2 4
-- = 7
-- > three 1 1 1
-- = 3
three : Int -> Int -> Int -> Int
three a b c = _
",
        expect![[r#"
            a + (b + c) Some(true)
            b + (c + 1) Some(true)
            c + (b - a) Some(false)
            c + (a - b) Some(false)"#]],
    );
}

/// What would only make the operator call itself again comes behind the likeliest others, unless something is performed in
/// each round.
#[test]
fn a_call_that_never_ends_comes_late() {
    check_fits(
        "down : Int -> Int\ndown n = down _\n",
        expect![[r#"
            (down _)
            (charToInt _)
            (floor _)
            (round _)
            n
            (truncate _)
            0
            1
            (fail _)
            (case _ _)"#]],
    );
    check_fill(
        "down : Int -> Int\ndown n = down _\n",
        expect![[r#"
        (n + n) None
        (n + 1) None
        (n - 1) None
        (0 - n) None"#]],
    );
    check_fits(
        "to : Int -> List Int -> List Int\nto n xs = to n _\n",
        expect![[r#"
            []
            (_ :: _)
            (to _ _)
            (fail _)
            xs
            (case _ _)"#]],
    );
}

#[test]
fn a_loop_that_performs_may_go_round() {
    check_fits(
        "include prelude\n\nloop : Int -> [Console] Int\nloop n = printInt n; loop _\n",
        expect![[r#"
            n
            (loop _)
            (charToInt _)
            (floor _)
            (length _)
            (natToInt _)
            (round _)
            (sum _)
            (truncate _)
            (maxInt _ _)
            (minInt _ _)
            (natToIntFrom _ _)
            (rem _ _)
            0
            1
            (fail _)
            (fst _)
            (id _)
            (snd _)
            (case _ _)
            (catch _ _)
            (evalState _ _)
            (execState _ _)
            (forEach _ _)"#]],
    );
    check_fits(
        "forever : {X} -> Y\nforever m = m!; forever _\n",
        expect![[r#"
            m
            {_}
            (forever _)
            (fail _)
            (case _ _)"#]],
    );
}

/// A variable may be meant for the other hole.
#[test]
fn beside_another_hole_small_terms_come_first() {
    check_fill(
        "\
include prelude

within : Int -> Int -> Int -> Int
within lo hi x = if (x < _) {_} {x}
",
        expect![[r#"
            x None
            hi None
            lo None
            0 None"#]],
    );
}

/// Of two offers of a kind the one that leaves nothing unused comes first, and so does the one whose value is not thrown away.
#[test]
fn what_is_warned_of_comes_later() {
    let titles = |text: &str| {
        let fixture = Fixture::new(text);
        let analysis = Analysis::new(fixture.files.snapshot());
        let (_, at) = first_hole(&analysis, fixture.main());
        let fixes = analysis.hole_fixes(at).into_iter();
        fixes.map(|fix| fix.title).collect::<Vec<_>>().join("\n")
    };
    expect![[r#"
        write `just _`
        write `nothing`
        write `safe _`
        write `attempt _`
        write `firstChoice _`
        write `find _ _`
        write `firstOf _ _`
        write `lookup _ _ _`
        bind a value with `let x = _`"#]]
    .assert_eq(&titles(
        "include prelude\n\nsafe : Int -> Maybe Int\nsafe n = _\n",
    ));
    expect![[r#"
        write `y`
        write `x`
        write `f _ _`
        write `charToInt _`
        write `floor _`
        write `round _`
        write `truncate _`
        write `0`
        bind a value with `let z = _`"#]]
    .assert_eq(&titles("f : Int -> Int -> Int\nf x y = x * _\n"));
    check_fill(
        "f : Int -> {Int} -> Int\nf n g = _; n\n",
        expect![[r#"
        g! None
        g None
        n None"#]],
    );
}

/// Each instance of an interface has its commands, under the adaptors that bring it to the top.
#[test]
fn commands_of_all_instances_are_offered() {
    let state = "interface State X = get : X | put : X -> Unit\n\n";
    check_fits(
        &format!("{state}f : [State Int, State Char] Int\nf! = _\n"),
        expect![[r#"
            <State> get!
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
        &format!("{state}f : Int -> [State Int, State Char] Unit\nf n = _\n"),
        expect![[r#"
            unit
            put _
            <State> (put _)
            f _
            fail _
            case _ _"#]],
    );
    check_fits(
        &format!(
            "{state}f : {{[State Float, State Int]Int}} -> [State Int, State Char, State Float] Int\nf g = _\n"
        ),
        expect![[r#"
            <State(s a b c -> s c a)> g!
            <State, State> get!
            f _
            charToInt _
            floor _
            round _
            truncate _
            0
            1
            fail _
            case _ _"#]],
    );
}

/// An edit anywhere in the program is known at the next question.
#[test]
fn what_fits_follows_edits() {
    let mut files = Files::new(None);
    files.verify();
    let mut text = "\
f : Int -> Int
f n = _

g : Int -> Int
g n = n

data Tree = t
"
    .to_owned();
    let file = files.set_text("main.fk", text.as_str());
    let mut after = |old: &str, new: &str| {
        let at = text.find(old).unwrap();
        text.replace_range(at..at + old.len(), new);
        files.edit(file, text.as_str(), at..at + old.len(), new.len());
        let hole = FilePosition::new(file, text.find('_').unwrap());
        let fits = Analysis::new(files.snapshot()).fits(hole).unwrap();
        let fits = fits.into_iter().map(|fit| fit.text);
        let own = fits.filter(|text| text.starts_with(['g', 'h', 'n']));
        own.collect::<Vec<String>>().join(", ")
    };
    assert_eq!(after("g n = n", "g n = 1"), "n, g _");
    assert_eq!(after("g : Int -> Int", "g : Int -> Tree"), "n");
    assert_eq!(
        after("g : Int -> Tree", "g : Tree -> Int -> Int"),
        "n, g _ _"
    );
    assert_eq!(after("data Tree = t", "data Tree X = t"), "n");
    assert_eq!(after("data Tree X = t", "data Tree = t"), "n, g _ _");
    assert_eq!(after("g : Tree", "h : Tree"), "n, h _ _");
    // The first signature of a name counts.
    assert_eq!(after("f :", "h : Char\n\nf :"), "n");
    assert_eq!(after("h : Char\n\n", ""), "n, h _ _");
    assert_eq!(after("data Tree = t", "data Tree = t | h"), "n, h _ _");
    assert_eq!(after("h : Tree -> Int -> Int\n", ""), "n");
}

/// However many instances of one interface there are.
#[test]
fn adaptors_are_found_among_many_instances_of_one_interface() {
    let state = "interface State X = get : X | put : X -> Unit\n\n";
    let fits_of = |instances: &str, needed: &str| {
        let text = format!("{state}f : {{[{needed}]Int}} -> [{instances}] Int\nf g = _\n");
        let found = fits(&text).into_iter();
        found
            .filter(|text| text.contains("State"))
            .collect::<Vec<String>>()
    };
    let five = "State Int, State Char, State Float, State String, State (List Int)";
    assert_eq!(
        fits_of(five, "State Int"),
        ["<State(s a b c d -> s)> g!", "<State(s a b c d -> s)> get!"]
    );
    assert_eq!(
        fits_of(five, "State Float, State Int"),
        [
            "<State(s a b c d e -> s c a)> g!",
            "<State(s a b c d -> s)> get!"
        ]
    );
    let six = "State Char, State Int, State Float, State String, State (List Int), State Unit";
    assert_eq!(
        fits_of(six, "State Unit, State Int, State Char"),
        [
            "<State(s a b c d e f -> s f b a)> g!",
            "<State(s a b c d -> s)> get!"
        ]
    );
    // All of them in another order.
    assert_eq!(
        fits_of(
            six,
            "State Unit, State (List Int), State String, State Float, State Int, State Char"
        ),
        [
            "<State(s a b c d e f -> s f e d c b a)> g!",
            "<State(s a b c d -> s)> get!"
        ]
    );
}

/// A name says what braces around a call of it say, unless it handles what the call is given.
#[test]
fn what_has_a_name_is_not_written_in_braces() {
    check_searched(
        "include prelude\n\nf : {Int -> Int} -> {Int} -> List Int -> List Int\nf g h xs = map _ xs\n",
        2,
        &["g", "id", "(const h!)", "{n -> n}"],
        &["{n -> g n}", "{n -> id n}"],
    );
    check_searched("f : {Int} -> {Int}\nf h = _\n", 2, &["h", "{0}"], &["{h!}"]);
    check_searched(
        "interface Ask = ask : Int\n\nf : {<Ask> Int -> Int} -> {Int -> Int}\nf h = _\n",
        2,
        &["{n -> h n}"],
        &["h"],
    );
}

/// A handler around a command alone gives what its clauses say.
#[test]
fn what_comes_of_a_command_is_offered_without_its_handler() {
    check_searched(
        "\
interface Ask = ask : Int
interface Cell = get : Int | put : Int -> Int
interface Stop = stop : Int

catch : <Stop> Int -> {Int} -> Int
catch x            _ = x
catch <stop -> _> h = h!

run : Int -> <Ask> Int -> Int
run _ x = x
run n <ask -> k> = run n (k n)

eval : Int -> <Cell> Int -> Int
eval _ x = x
eval n <get -> k> = eval n (k n)
eval _ <put n -> k> = eval n (k n)

more : Int -> <Ask> Int -> Int
more n <ask -> k> = more n (k (n + n))
more _ x = x

f : Int -> {Int} -> Int
f x h = _
",
        3,
        &["x", "h!", "more x ask!"],
        &[
            "catch stop! {x}",
            "catch stop! h",
            "eval x get!",
            "eval x (put x)",
            "run x ask!",
        ],
    );
}

/// An operator whose clause is an operation says nothing else; and of two values that are the same one is the greater one.
#[test]
fn an_operation_is_offered_without_an_operator_that_is_that() {
    check_searched(
        "include prelude\n\nf : Int -> Int -> Bool\nf n m = _\n",
        3,
        &["n == m", "n < m"],
        &["eqInt n m", "eqInt n 1", "eqInt n n"],
    );
    check_searched(
        "include prelude\n\nf : Int -> Int -> Int\nf n m = _\n",
        3,
        &["maxInt n m"],
        &["maxInt n n", "minInt m m"],
    );
}

#[test]
fn what_is_called_is_offered_as_a_quick_fix() {
    let fixture = Fixture::new("include prelude\n\nmain : {Int}\nmain! = _ 4 (put 1; get!)\n");
    let analysis = Analysis::new(fixture.files.snapshot());
    let (_, at) = first_hole(&analysis, fixture.main());
    let fixes = analysis.hole_fixes(at);
    let shown: Vec<&str> = fixes.iter().map(|fix| &*fix.title).collect();
    assert_eq!(shown, ["write `evalState`", "write `execState`"]);
}

#[test]
fn parentheses_that_are_there_are_enough() {
    for (body, expected) in [
        ("evalState n ( _ )", "charToInt _"),
        ("evalState n _", "(charToInt _)"),
    ] {
        let fits = fits(&format!(
            "include prelude\n\nf : Int -> Int\nf n = {body}\n"
        ));
        assert!(fits.iter().any(|fit| fit == expected), "{body}: {fits:?}");
    }
}
