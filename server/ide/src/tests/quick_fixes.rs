//! Every fix, applied: the finding is gone and there is no new one but holes, on its own, nested in
//! other terms, and beside items that did not parse.

use std::fmt::Write;

use expect_test::{Expect, expect};
use frank_analysis::diagnostics::{Code, Diagnostic};
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_analysis::snapshot::Snapshot;

use super::fixture::Fixture;
use crate::Analysis;

fn found(files: &Files, file: frank_analysis::db::SourceFile) -> Vec<Diagnostic> {
    let mut found = file_diagnostics(files.db(), file);
    found.sort_by_key(|problem| files.range(problem.location).start());
    found
}

/// A program after each fix of its first finding of a kind, with the findings that are left.
fn fixes(code: Code, text: &str) -> String {
    let fixture = Fixture::new(text);
    let file = fixture.main();
    let analysis = Analysis::new(fixture.files.snapshot());
    let problems = found(&fixture.files, file);
    let problem = problems
        .iter()
        .find(|problem| problem.code == code)
        .unwrap_or_else(|| panic!("{problems:#?}"));
    let fixed = analysis.with_quick_fixes(problem.clone());
    let mut out = String::new();
    for fix in &fixed.fixes {
        let mut edits = analysis.edits_of(fix);
        edits.sort_by_key(|edit| edit.at.range.start());
        let mut text = fixture.files.text(file);
        for edit in edits.iter().rev() {
            text.replace_range(std::ops::Range::<usize>::from(edit.at.range), &edit.text);
        }
        let safe = if fix.safe { " (safe)" } else { "" };
        let _ = writeln!(out, "{}{safe}", fix.title);
        let mut after = Files::new(None);
        let file = after.set_text("main.fk", &text);
        let left = found(&after, file);
        // The finding as such must be gone, whatever else there is.
        let same = |other: &&Diagnostic| other.code == code && other.message == problem.message;
        let before = problems.iter().filter(same).count();
        assert!(
            left.iter().filter(same).count() < before,
            "{}\n{text}\n{left:#?}",
            fix.title
        );
        let new = left.iter().filter(|left| {
            let known =
                |other: &Diagnostic| other.code == left.code && other.message == left.message;
            left.code != Code::Hole && !problems.iter().any(known)
        });
        for new in new {
            let _ = writeln!(out, "! {} {}", new.code.as_str(), new.message);
        }
        out.push_str(&text);
        out.push('\n');
    }
    out
}

fn check(code: Code, text: &str, expected: Expect) {
    expected.assert_eq(&fixes(code, text));
}

/// The titles of the fixes of a program's first finding of a kind.
fn titles(code: Code, text: &str) -> Vec<String> {
    let fixture = Fixture::new(text);
    let problems = found(&fixture.files, fixture.main());
    let problem = problems.iter().find(|problem| problem.code == code);
    let problem = problem
        .unwrap_or_else(|| panic!("{text}: {problems:#?}"))
        .clone();
    let fixed = Analysis::new(fixture.files.snapshot()).with_quick_fixes(problem);
    fixed.fixes.into_iter().map(|fix| fix.title).collect()
}

/// The titles of the fixes of a program with `term` as it is, nested, and among broken items; each is
/// applied.
fn same_everywhere(code: Code, before: &str, ty: &str, term: &str) {
    let plain = format!("{before}\nmain : {ty}\nmain! = {term}\n");
    let nested = format!(
        "{before}\nmain : {ty}\nmain! = let here = 1 in case here {{there -> case (here + there) {{_ -> ({term})}}}}\n"
    );
    let broken = format!("broken = (((\n{plain}data = |\n");
    let expected = titles(code, &plain);
    assert!(!expected.is_empty(), "{plain}");
    for text in [&plain, &nested, &broken] {
        fixes(code, text);
        assert_eq!(titles(code, text), expected, "{text}");
    }
}

const STATE: &str = "\
interface State X = get : X | put : X -> Unit

state : S -> <State S>X -> X
state s <get -> k>   = state s (k s)
state _ <put t -> k> = state t (k unit)
state _ x            = x
";

#[test]
fn each_cure_works_wherever_the_finding_is() {
    let same = same_everywhere;
    let double = "double : Int -> Int -> Int\ndouble x y = x + y\n";
    let pair = "data Two X = two X X\n\nfirst : Two X -> X\nfirst (two x _) = x\n";
    same(Code::UnknownName, double, "{Int}", "duoble 1 2");
    same(Code::UnknownName, double, "{Int}", "fst (pare 1 2)");
    same(Code::WrongArgumentCount, double, "{Int}", "double 1");
    same(Code::WrongArgumentCount, double, "{Int}", "double!");
    same(Code::ConstructorArguments, pair, "{Two Int}", "two 1");
    same(Code::ConstructorArguments, pair, "{Int}", "first (two)");
    same(Code::ConstructorArguments, "", "{Bool}", "true!");
    same(
        Code::ForgottenForce,
        "one : {Int}\none! = 1\n",
        "{Int}",
        "one + 1",
    );
    same(Code::MissingAbility, STATE, "{Int}", "get! + 1");
    same(Code::MissingPatterns, "", "{Int}", "case true {true -> 1}");
    same(
        Code::UnreachableClause,
        "",
        "{Int}",
        "case true {true -> 1 | _ -> 2 | false -> 3}",
    );
    same(
        Code::TypeMismatch,
        "run : {Int} -> Int\nrun f = f!\n",
        "{Int}",
        "run (1 + 2)",
    );
    same(
        Code::MissingLift,
        "include ad-paper\n",
        "{Int}",
        "evaluate (d {x -> t x (d {y -> p x y} (c 1))} (c 1))",
    );
}

/// A program of several items, by itself, among others of the same kind that are right, and among
/// broken ones: it has the same fixes, and each works.
fn same_beside(code: Code, text: &str) {
    let expected = titles(code, text);
    assert!(!expected.is_empty(), "{text}");
    let others = "data Other = other Int\n\nfine : Other -> Int\nfine (other x) = x\n";
    for text in [
        text.to_owned(),
        format!("{text}\n{others}"),
        format!("{text}\nbroken = (((\ndata = |\n"),
        format!("broken : {{Int ->\n\n{text}\ninterface = =\nx ) y\n"),
    ] {
        fixes(code, &text);
        assert_eq!(titles(code, &text), expected, "{text}");
    }
}

#[test]
fn each_cure_works_beside_broken_items() {
    let same = same_beside;
    let paper = "interface Ask X = ask : X\n\nuse : Int -> [Ask Int] Int\nuse n = n + ask!\n\n";
    same(
        Code::MissingAdaptor,
        &format!("{paper}main : Int -> [Ask Int, Ask Bool] Int\nmain x = use x\n"),
    );
    same(
        Code::MissingAdaptor,
        &format!(
            "{paper}main : Int -> [Ask Int, Ask Bool] Int\nmain x = 1 + case x {{y -> use (y + 2)}}\n"
        ),
    );
    same(
        Code::MissingAbility,
        &format!("{paper}one : Int -> Int\none x = use x\n\ntwo : Int -> Int\ntwo x = one x\n"),
    );
    same(
        Code::MissingPatterns,
        "interface Ask = ask : Int | tell : Int -> Unit\n\nh : <Ask> X -> X\nh <ask -> k> = h (k 1)\n",
    );
    same(Code::MissingPatterns, "f : Bool -> Int\nf true = 1\n");
    same(
        Code::MissingSignature,
        "f x = g x + 1\n\ng : Int -> Int\ng x = x\n",
    );
    same(Code::SignatureWithoutClauses, "f : Bool -> Int\n");
    same(
        Code::UnknownType,
        "data Colour = red\n\ndata Wall = wall Coluor\n",
    );
    same(
        Code::LikelyMisspeltType,
        "data Colour = red\n\nf : Coluor -> Int\nf _ = 1\n",
    );
    same(
        Code::UnknownInterface,
        "interface Speak = say : Int\n\nf : Int -> [Spaek] Int\nf x = x\n",
    );
    same(
        Code::UnknownInterface,
        "interface Speak = say : Int\n\nf : Int -> [Speak] Int\nf x = <Spaek> x\n",
    );
    same(
        Code::UnknownInclude,
        "include preldue\n\nmain : {Int}\nmain! = sum [1]\n",
    );
    same(
        Code::UnknownName,
        "f : Bool -> Int\nf (tru x) = 1\nf _ = 2\n",
    );
    same(
        Code::UnknownName,
        "interface Ask = ask : Int\n\nh : <Ask> X -> X\nh <aks -> k> = h (k 1)\nh x = x\n",
    );
    same(
        Code::UnusedVariable,
        "main : {Int}\nmain! = case 1 {x -> 2}\n",
    );
    same(
        Code::UnreachableClause,
        "f : Bool -> Int\nf true = 1\nf false = 2\nf _ = 3\n",
    );
    same(Code::NotAConstructor, "f : Int -> Int\nf (x) = x\n");
    same(Code::WrongPatternCount, "f : Int -> Int -> Int\nf x = x\n");
    same(
        Code::ConstructorArguments,
        "data Two = two Int Int\n\nf : Two -> Int\nf (two x) = x\n",
    );
    same(
        Code::NumberTooLarge,
        "main : {Float}\nmain! = 1.0 + 9999999999999999999\n",
    );
}

/// As many calls as it takes, and either number where there are two.
#[test]
fn lifts_and_numbers() {
    check(
        Code::MissingLift,
        "include ad-paper\n\nmain : {Int}\nmain! = evaluate (d {x -> d {y -> d {z -> t (p x (lift y)) z} (c 1)} (c 1)} (c 1))\n",
        expect![[r#"
            write `lift (<Smooth> (lift x))` (safe)
            include ad-paper

            main : {Int}
            main! = evaluate (d {x -> d {y -> d {z -> t (p (lift (<Smooth> (lift x))) (lift y)) z} (c 1)} (c 1)} (c 1))

        "#]],
    );
    let same = same_everywhere;
    same(
        Code::MissingLift,
        "include ad-paper\n",
        "{Int}",
        "evaluate (d {x -> d {y -> d {z -> t x z} (c 1)} (c 1)} (c 1))",
    );
    let half = "half : Float -> Float\nhalf x = x / 2\n\nplain : Int -> Int\nplain x = x\n";
    same(Code::TypeMismatch, half, "{Float}", "half (plain 1)");
    same(Code::TypeMismatch, half, "{Int}", "plain (half 1)");
    same(Code::TypeMismatch, half, "{Int}", "plain 2.0");
    same(Code::TypeMismatch, half, "{Int}", "plain 2.5");
}

/// Every caller that would lack the interface, or this signature alone; the entries stay.
#[test]
fn signatures_of_all_callers() {
    check(
        Code::MissingAbility,
        "interface Ask = ask : Int\n\none : Int -> Int\none x = x + ask!\n\ntwo : Int -> Int\ntwo x = one x\n\nmain : {Int}\nmain! = two 1\n",
        expect![[r#"
            add `Ask` to the abilities of `one` and `two`
            ! FK0301 `two` needs an instance of `Ask`, and the ability here, `[]`, has none
            interface Ask = ask : Int

            one : Int -> [Ask] Int
            one x = x + ask!

            two : Int -> [Ask] Int
            two x = one x

            main : {Int}
            main! = two 1

            add `Ask` to the ability of `one`
            ! FK0301 `one` needs an instance of `Ask`, and the ability here, `[]`, has none
            interface Ask = ask : Int

            one : Int -> [Ask] Int
            one x = x + ask!

            two : Int -> Int
            two x = one x

            main : {Int}
            main! = two 1

        "#]],
    );
}

#[test]
fn a_mark_too_many() {
    let same = same_everywhere;
    same(Code::NotAFunction, "", "{Int}", "(case 1 {x -> x! + 1})");
    let inc = "inc : Int -> Int\ninc x = x + 1\n";
    same(Code::NotAComputation, inc, "{Int}", "inc {1 + 2}");
    same(Code::NotAComputation, inc, "{Int}", "inc {3}");
    let ask = "interface Ask = ask : Int\n\nten : Int -> Int\nten x = x\n";
    same(Code::InvalidAdaptor, ask, "{[0] Int}", "<Ask> (ten 1)");
    same(
        Code::ConstructorArguments,
        "include prelude\n",
        "{List (Maybe Int)}",
        "map just [1]",
    );
    same_beside(
        Code::WrongPatternCount,
        "interface Put = put : Int -> Unit\n\nh : <Put> X -> X\nh <put -> k> = h (k unit)\nh x = x\n",
    );
    check(
        Code::ConstructorArguments,
        "include prelude\n\nmain : {List (Maybe Int)}\nmain! = map just [1]\n",
        expect![[r#"
            write `{x -> just x}`
            include prelude

            main : {List (Maybe Int)}
            main! = map {x -> just x} [1]

            write a hole for the missing argument
            ! FK0201 this has type `Maybe _`, but `{Int -> Maybe Int}` is needed
            include prelude

            main : {List (Maybe Int)}
            main! = map (just _) [1]

        "#]],
    );
}

#[test]
fn missing_clauses_are_written() {
    check(
        Code::MissingPatterns,
        "data Shape = circle Int | box Int Int | dot\n\narea : Shape -> Int\narea (circle r) = r * r -- about\n\nmain : {Int}\nmain! = area dot\n",
        expect![[r#"
            write the 2 missing clauses
            data Shape = circle Int | box Int Int | dot

            area : Shape -> Int
            area (circle r) = r * r -- about
            area (box n m) = _
            area dot = _

            main : {Int}
            main! = area dot

        "#]],
    );
    check(
        Code::MissingPatterns,
        "interface State X = get : X | put : X -> Unit\n\nstate : S -> <State S>X -> X\nstate s <get -> k> = state s (k s)\n",
        expect![[r#"
            write the 2 missing clauses
            interface State X = get : X | put : X -> Unit

            state : S -> <State S>X -> X
            state s <get -> k> = state s (k s)
            state s x = _
            state s <put x -> k> = _

        "#]],
    );
    check(
        Code::MissingPatterns,
        "f : List Int -> Int\nf xs = case xs {\n  (x :: _) -> x\n}\n",
        expect![[r#"
            write the missing clause
            f : List Int -> Int
            f xs = case xs {
              (x :: _) -> x
            | [] -> _
            }

        "#]],
    );
    check(
        Code::SignatureWithoutClauses,
        "f : List Int -> {Int -> Int} -> Int\n\nmain : {Int}\nmain! = f [] {x -> x}\n",
        expect![[r#"
            write `f xs g = _`
            f : List Int -> {Int -> Int} -> Int
            f xs g = _

            main : {Int}
            main! = f [] {x -> x}

        "#]],
    );
    check(
        Code::SignatureWithoutClauses,
        "interface Ask X = ask : X\ninterface Tell X = tell : X -> Unit\n\nrun : S -> <Ask S, Tell S> X -> X\n\nmain : {Int}\nmain! = run 2 (tell 3; ask!)\n",
        expect![[r#"
            write the 3 clauses of the handler
            interface Ask X = ask : X
            interface Tell X = tell : X -> Unit

            run : S -> <Ask S, Tell S> X -> X
            run x <ask -> k> = run x (k _)
            run x <tell y -> k> = run x (k unit)
            run x y = y

            main : {Int}
            main! = run 2 (tell 3; ask!)

            write `run x y = _`
            ! FK0401 `run` has no clauses for 2 cases, such as `run _ <ask -> k>`
            interface Ask X = ask : X
            interface Tell X = tell : X -> Unit

            run : S -> <Ask S, Tell S> X -> X
            run x y = _

            main : {Int}
            main! = run 2 (tell 3; ask!)

        "#]],
    );
    check(
        Code::SignatureWithoutClauses,
        "include prelude\n\ninterface Send X = send : X -> Unit\ninterface Receive X = receive : X\n\npipe : <Send X> Unit -> <Receive X> Y -> [Abort] Y\n",
        expect![[r#"
            write the 4 clauses of the handler
            include prelude

            interface Send X = send : X -> Unit
            interface Receive X = receive : X

            pipe : <Send X> Unit -> <Receive X> Y -> [Abort] Y
            pipe <send x -> k> <receive -> k1> = pipe (k unit) (k1 _)
            pipe <send y -> k> x = pipe (k unit) x
            pipe x <receive -> k> = pipe x (k _)
            pipe x y = _

            write `pipe x y = _`
            ! FK0401 `pipe` has no clauses for 2 cases, such as `pipe _ <receive -> k>`
            include prelude

            interface Send X = send : X -> Unit
            interface Receive X = receive : X

            pipe : <Send X> Unit -> <Receive X> Y -> [Abort] Y
            pipe x y = _

        "#]],
    );
    // So many combinations that their number is none that a machine counts to.
    let ports = "<A> Int -> ".repeat(70);
    let many = format!("interface A = a : Int\n\nmany : {ports}Int\n");
    let offered = fixes(Code::SignatureWithoutClauses, &many);
    assert!(!offered.contains("clauses of the handler"), "{offered}");
    assert!(
        offered.contains("alone: a handler has more clauses than can be counted"),
        "{offered}"
    );
    // Seven commands and what comes to a value, and the same again: 64, and with a third port 512.
    let commands: Vec<String> = (0..7).map(|n| format!("c{n} : Int")).collect();
    let seven = format!("interface A = {}\n\n", commands.join(" | "));
    let offered = fixes(
        Code::SignatureWithoutClauses,
        &format!("{seven}f : <A> Int -> <A> Int -> Int\n"),
    );
    assert!(
        offered.contains("write the 64 clauses of the handler"),
        "{offered}"
    );
    let offered = fixes(
        Code::SignatureWithoutClauses,
        &format!("{seven}f : <A> Int -> <A> Int -> <A> Int -> Int\n"),
    );
    assert!(
        offered.contains("write `f n m i = _` alone: a handler has 512 clauses"),
        "{offered}"
    );
    check(
        Code::MissingSignature,
        "main : {Int}\nmain! = twice {x -> x + 1} 1\n\ntwice f x = f (f x)\n",
        expect![[r#"
            write `twice : {X -> X} -> X -> X` (safe)
            main : {Int}
            main! = twice {x -> x + 1} 1

            twice : {X -> X} -> X -> X
            twice f x = f (f x)

        "#]],
    );
}

#[test]
fn handlers_in_scope() {
    check(
        Code::MissingAbility,
        "include prelude\n\nmain : {Maybe Int}\nmain! = just (1 + abort!)\n",
        expect![[r#"
            handle `Abort` with `catch`
            include prelude

            main : {Maybe Int}
            main! = catch (just (1 + abort!)) _

            add `Abort` to the ability of `main`
            ! FK0421 `main` can be run, but nobody handles `Abort`: the first of its commands ends the run
            include prelude

            main : {[Abort] Maybe Int}
            main! = just (1 + abort!)

        "#]],
    );
    check(
        Code::MissingAbility,
        &format!(
            "{STATE}\nnext : [State Int]Int\nnext! = get!\n\nmain : {{Int}}\nmain! = next! + 1\n"
        ),
        expect![[r#"
            handle `State` with `state`
            interface State X = get : X | put : X -> Unit

            state : S -> <State S>X -> X
            state s <get -> k>   = state s (k s)
            state _ <put t -> k> = state t (k unit)
            state _ x            = x

            next : [State Int]Int
            next! = get!

            main : {Int}
            main! = state _ (next! + 1)

            add `State Int` to the ability of `main`
            ! FK0406 the operator `state` is never used
            ! FK0421 `main` can be run, but nobody handles `State`: the first of its commands ends the run
            interface State X = get : X | put : X -> Unit

            state : S -> <State S>X -> X
            state s <get -> k>   = state s (k s)
            state _ <put t -> k> = state t (k unit)
            state _ x            = x

            next : [State Int]Int
            next! = get!

            main : {[State Int] Int}
            main! = next! + 1

        "#]],
    );
}

#[test]
fn what_is_not_needed_goes() {
    check(
        Code::UnreachableClause,
        "f : Bool -> Int\nf true = 1\nf _ = 2\n-- Never.\nf false = 3\n\nmain : {Int}\nmain! = f true\n",
        expect![[r#"
            remove the clause
            f : Bool -> Int
            f true = 1
            f _ = 2

            main : {Int}
            main! = f true

        "#]],
    );
    check(
        Code::UnusedOperator,
        "main : {Int}\nmain! = 1\n\n-- Adds one.\nhelper : Int -> Int\nhelper 0 = 1\nhelper n = n + 1\n",
        expect![[r#"
            remove `helper`
            main : {Int}
            main! = 1

        "#]],
    );
    check(
        Code::UnusedVariable,
        "main : {Int}\nmain! = let x = 1 in 2\n",
        expect![[r#"
            write `_` (safe)
            main : {Int}
            main! = let _ = 1 in 2

        "#]],
    );
    check(
        Code::IdleAdaptor,
        "interface Ask = ask : Int\n\nf : Int -> [Ask]Int\nf x = <Ask> (g x) + ask!\n\ng : Int -> Int\ng x = x\n",
        expect![[r#"
            leave the adaptor out (safe)
            interface Ask = ask : Int

            f : Int -> [Ask]Int
            f x = g x + ask!

            g : Int -> Int
            g x = x

        "#]],
    );
}

#[test]
fn small_slips() {
    check(
        Code::UnknownName,
        "-- Sums.\nmain : {Int}\nmain! = sum (map {x -> x} [1])\n\nsum : List Int -> Int\nsum [] = 0\nsum (x :: xs) = x + sum xs\n",
        expect![[r#"
            write `include prelude` (safe)
            include prelude

            -- Sums.
            main : {Int}
            main! = sum (map {x -> x} [1])

            sum : List Int -> Int
            sum [] = 0
            sum (x :: xs) = x + sum xs

        "#]],
    );
    check(
        Code::NumberTooLarge,
        "main : {Float}\nmain! = 1.0 + 9999999999999999999\n",
        expect![[r#"
            write `9999999999999999999.0` (safe)
            main : {Float}
            main! = 1.0 + 9999999999999999999.0

        "#]],
    );
    check(
        Code::WrongPatternCount,
        "f : Int -> Int -> Int\nf x = 1\n\ng : Int -> Int\ng! = 1\n",
        expect![[r#"
            write `_` for the missing pattern
            ! FK0405 the parameter `x` of `f` is never used
            f : Int -> Int -> Int
            f x _ = 1

            g : Int -> Int
            g! = 1

        "#]],
    );
    check(
        Code::LeftOfItemColumn,
        "  main : {Int}\n main! = 1\n",
        expect![[r#"
            move it to the column of the other items (safe)
              main : {Int}
              main! = 1

        "#]],
    );
    check(
        Code::NotAConstructor,
        "f : Int -> Int\nf (x) = x\n",
        expect![[r#"
            leave out the parentheses (safe)
            f : Int -> Int
            f x = x

        "#]],
    );
}

#[test]
fn safe_fixes_do_not_disturb_one_another() {
    let text = "one : {Int}\none! = 1\n\nmain : {Int}\nmain! = let x = 2 in one + oen!\n";
    let fixture = Fixture::new(text);
    let analysis = Analysis::new(fixture.files.snapshot());
    let check = |snapshot: &Snapshot, file| file_diagnostics(snapshot.db(), file);
    let edits = analysis.safe_edits(fixture.main(), check);
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(std::ops::Range::<usize>::from(edit.at.range), &edit.text);
    }
    expect![[r#"
        one : {Int}
        one! = 1

        main : {Int}
        main! = let _ = 2 in one! + one!
    "#]]
    .assert_eq(&text);
}

/// An editor prefers a fix of a text that does not parse only if what it makes is right, or has safe fixes that make it
/// so; and none that leaves a hole.
#[test]
fn what_an_editor_prefers_checks() {
    let first_fix_is_sound = |text: &str| {
        let fixture = Fixture::new(text);
        let analysis = Analysis::new(fixture.files.snapshot());
        let problems = file_diagnostics(fixture.files.db(), fixture.main());
        let problem = analysis.with_quick_fixes(problems.first().expect("a finding").clone());
        let fix = problem.fixes.first().expect("a fix");
        analysis.is_sound(&problem, fix)
    };
    let add = "add : Int -> Int -> Int\nadd a b = a + b\n\nmain : {Int}\nmain! = ";
    assert!(first_fix_is_sound(&format!("{add}add(1, 2)\n")));
    // The second mistake has a safe fix, too.
    assert!(first_fix_is_sound(
        "include prelude\n\nmain : {Int}\nmain! = fromMaybe 0 $ just $ 1\n"
    ));
    assert!(!first_fix_is_sound(&format!("{add}add('a', 2)\n")));
    assert!(!first_fix_is_sound(&format!("{add}sub(1, 2)\n")));
    assert!(!first_fix_is_sound(
        "include prelude\n\nmain : {[RefState]Int}\nmain! = x := 1; 2\n"
    ));
    assert!(!first_fix_is_sound(
        "include sub/x\n\nmain : {Int}\nmain! = 1\n"
    ));
    // A hole.
    assert!(!first_fix_is_sound(&format!("{add}add 1\n")));
}

/// How often a program is checked does not grow with the number of operators that have a habit of another language
/// inside of another, also where the fixes of some do not check.
#[test]
fn habits_of_many_operators_are_fixed_together() {
    let checks_of = |count: usize| {
        let operators: String = (0..count)
            .map(|n| {
                let call = match n % 2 {
                    0 => "rem x 2 == 0",
                    _ => "rem(x) == 0",
                };
                format!("f{n} : Int -> Bool\nf{n} x = {call} && x > 1 || x /= 7\n\n")
            })
            .collect();
        let mut fixture = Fixture::new(&format!("include prelude\n\n{operators}"));
        let (file, mut checks) = (fixture.main(), 0);
        let check = |files: &frank_analysis::files::Files| {
            checks += 1;
            file_diagnostics(files.db(), file)
        };
        let fixed = crate::apply_safe_fixes(&mut fixture.files, check, |_| true);
        let text = fixture.files.text(file);
        let written = "= orElse (andThen (rem x 2 == 0) {x > 1}) {x != 7}";
        assert_eq!(text.matches(written).count(), count / 2, "{text}");
        assert_eq!(fixed.left, count / 2);
        checks
    };
    assert_eq!(checks_of(8), checks_of(32));
}

#[test]
fn all_swapped_calls_of_a_definition_are_fixed_at_once() {
    let calls: String = (0..100)
        .map(|n| format!("  let _ = take \"a\" {n} in\n"))
        .collect();
    let text = format!(
        "take : Int -> String -> Int\ntake n _ = n\n\nmain : {{Int}}\nmain! =\n{calls}  1\n"
    );
    let mut fixture = Fixture::new(&text);
    let (file, mut checks) = (fixture.main(), 0);
    let check = |files: &frank_analysis::files::Files| {
        checks += 1;
        file_diagnostics(files.db(), file)
    };
    let fixed = crate::apply_safe_fixes(&mut fixture.files, check, |_| true);
    // One check finds them, one that all are right, one that there is no more.
    assert_eq!((fixed.fixed, fixed.left, checks), (100, 0, 3));
    assert!(fixture.files.text(file).contains("take 99 \"a\""));
}

/// Beside an error nobody says that an operator is not used: saying so then is no consequence of a fix.
#[test]
fn what_was_unused_keeps_no_fix_back() {
    let text = "\
include ad
cube : X -> [Smooth X]X
cube x = t (t x x) x
main : {Int}
main! = evaluate (d {x -> t x (d {y -> p x y} (c 1))} (c 1))
";
    let mut fixture = Fixture::new(text);
    let file = fixture.main();
    let check = |files: &frank_analysis::files::Files| file_diagnostics(files.db(), file);
    let fixed = crate::apply_safe_fixes(&mut fixture.files, check, |_| true);
    assert_eq!((fixed.fixed, fixed.left), (1, 0));
    assert!(fixture.files.text(file).contains("p (lift x) y"));
}
