//! Holes beside what is wrong: in calls with too few arguments or too many, and beside operands that are no numbers.

use expect_test::{Expect, expect};
use frank_analysis::diagnostics::Code;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;

use super::holes::{check_fits, errors};

/// What is found in an operator beside the prelude and others, the holes first; and what fits its first hole. Each fit is
/// put in, and the program must have no other errors then.
fn check(operator: &str, found: Expect, fits: Expect) {
    let text = format!(
        "\
include prelude

only : Int -> Bool -> Int
only n b = n

{operator}"
    );
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text.as_str());
    let all = file_diagnostics(files.db(), file).into_iter();
    let holes = all.filter(|problem| problem.code == Code::Hole);
    let holes: Vec<String> = holes.map(|problem| problem.message).collect();
    found.assert_eq(&[holes, errors(&text)].concat().join("\n"));
    check_fits(&text, fits);
}

#[test]
fn the_place_of_a_call_without_all_arguments_says_what_is_missing_in_it() {
    check(
        "f : Bool -> Int -> {Int} -> Int\nf b n g = if b {_}\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            `if` takes 3 arguments, but 2 are given"#]],
        expect![[r#"
            g!
            n
            f _ _ _
            only _ _
            charToInt _
            floor _
            length _
            natToInt _
            round _
            sum _
            truncate _
            maxInt _ _
            minInt _ _
            natToIntFrom _ _
            rem _ _
            0
            1
            fail _
            fst _
            id _
            snd _
            case _ _
            catch _ _
            evalState _ _"#]],
    );
    check(
        "f : Int -> List Bool -> List Int\nf n bs = map {b -> _}\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            `map` takes 2 arguments, but 1 is given"#]],
        expect![[r#"
            b
            n
            only _ _
            charToInt _
            floor _
            length _
            natToInt _
            round _
            sum _
            truncate _
            maxInt _ _
            minInt _ _
            natToIntFrom _ _
            rem _ _
            0
            1
            fail _
            fst _
            id _
            snd _
            case _ _
            catch _ _
            evalState _ _
            execState _ _"#]],
    );
    check(
        "f : Int -> Bool -> Maybe Int\nf n b = just _ b\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            the constructor `just` takes 1 argument, but 2 are given"#]],
        expect![[r#"
            n
            (only _ _)
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
    check(
        "f : Int -> Bool -> Pair Int Bool\nf n b = pair _\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            the constructor `pair` takes 2 arguments, but 1 is given"#]],
        expect![[r#"
            n
            (only _ _)
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
    // What is there already says more than the place.
    check(
        "f : Int -> Bool -> Int\nf n b = if b {\"no\"} {_} {n}\n",
        expect![[r#"
            a hole: a value of type `String` is missing here
            `if` takes 3 arguments, but 4 are given"#]],
        expect![[r#"
            []
            _ :: _
            allChoices _
            collect _
            concat _
            rev _
            showBool _
            showFloat _
            showInt _
            allChoicesOnto _ _
            append _ _
            collectOnto _ _
            drop _ _
            filter _ _
            firstYields _ _
            join _ _
            map _ _
            mergeAll _ _
            revOnto _ _
            showList _ _
            sort _ _
            take _ _
            firstYieldsOnto _ _ _
            merge _ _ _"#]],
    );
}

#[test]
fn an_operand_beside_a_wrong_one_is_a_number() {
    check(
        "f : Int -> Bool -> Int\nf n b = undef + _\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            there is no definition `undef` in sight"#]],
        expect![[r#"
            n
            f _ _
            only _ _
            charToInt _
            floor _
            length _
            natToInt _
            round _
            sum _
            truncate _
            maxInt _ _
            minInt _ _
            natToIntFrom _ _
            rem _ _
            0
            1
            fail _
            fst _
            id _
            snd _
            case _ _
            catch _ _
            evalState _ _
            execState _ _"#]],
    );
    check(
        "f : Float -> Bool -> Float\nf x b = _ * only 1\n",
        expect![[r#"
            a hole: a value of type `Float` is missing here
            `only` takes 2 arguments, but 1 is given"#]],
        expect![[r#"
            x
            f _ _
            abs _
            acos _
            asin _
            atan _
            cos _
            cosh _
            exp _
            log _
            sin _
            sinh _
            sqrt _
            sumFloat _
            tan _
            tanh _
            toFloat _
            pow _ _
            0.0
            1.0
            fail _
            fst _
            id _
            snd _"#]],
    );
    check(
        "f : Float -> Bool -> Float\nf x b = undef * _ - x\n",
        expect![[r#"
            a hole: a value of type `Float` is missing here
            there is no definition `undef` in sight"#]],
        expect![[r#"
            x
            f _ _
            abs _
            acos _
            asin _
            atan _
            cos _
            cosh _
            exp _
            log _
            sin _
            sinh _
            sqrt _
            sumFloat _
            tan _
            tanh _
            toFloat _
            pow _ _
            0.0
            1.0
            fail _
            fst _
            id _
            snd _"#]],
    );
    check(
        "f : Int -> Bool -> Bool\nf n b = undef < _\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            there is no definition `undef` in sight"#]],
        expect![[r#"
            n
            only _ _
            charToInt _
            floor _
            length _
            natToInt _
            round _
            sum _
            truncate _
            maxInt _ _
            minInt _ _
            natToIntFrom _ _
            rem _ _
            0
            1
            fail _
            fst _
            id _
            snd _
            case _ _
            catch _ _
            evalState _ _
            execState _ _
            forEach _ _"#]],
    );
    check(
        "f : Int -> Bool -> Int\nf n b = \"one\" + _\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            arithmetic and comparisons take numbers, but this has type `String`"#]],
        expect![[r#"
            n
            f _ _
            only _ _
            charToInt _
            floor _
            length _
            natToInt _
            round _
            sum _
            truncate _
            maxInt _ _
            minInt _ _
            natToIntFrom _ _
            rem _ _
            0
            1
            fail _
            fst _
            id _
            snd _
            case _ _
            catch _ _
            evalState _ _
            execState _ _"#]],
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
        expect![[r#"
            f _
            only _ _
            charToInt _
            floor _
            length _
            natToInt _
            round _
            sum _
            truncate _
            maxInt _ _
            minInt _ _
            natToIntFrom _ _
            rem _ _
            0
            1
            fail _
            fst _
            id _
            snd _
            case _ _
            catch _ _
            evalState _ _
            execState _ _
            forEach _ _"#]],
    );
    check(
        "f : String -> [Console] Unit\nf s = print \"a\" + _ + s\n",
        expect![[r#"
            a hole: a value of type `Int` is missing here
            `+` adds numbers, and ends the call of `print`"#]],
        expect![[r#"
            only _ _
            charToInt _
            floor _
            length _
            natToInt _
            round _
            sum _
            truncate _
            maxInt _ _
            minInt _ _
            natToIntFrom _ _
            rem _ _
            0
            1
            fail _
            fst _
            id _
            snd _
            case _ _
            catch _ _
            evalState _ _
            execState _ _
            forEach _ _
            fromMaybe _ _"#]],
    );
}
