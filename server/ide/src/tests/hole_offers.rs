//! What is offered at holes: in items that do not parse, in which order, and for several instances of an interface.

use expect_test::{Expect, expect};

use super::fixture::Fixture;
use super::hole_terms::check_fill;
use super::holes::{check_fits, errors, first_hole};
use crate::Analysis;

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
            eqInt n 12 Some(true)
            n > 2 Some(true)
            n >= 12 Some(true)
            n == 12 Some(true)"#]],
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
