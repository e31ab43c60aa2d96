//! `frank check --fix`.

use expect_test::expect;

use crate::support::{BAD, Dir};

#[test]
fn nothing_safe_changes_nothing() {
    let dir = Dir::new(&[("a.fk", BAD)]);
    let run = dir.run("check --fix");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert_eq!(dir.read("a.fk"), BAD);
    for shown in [dir.run("check --fix --diff"), dir.run("check --diff")] {
        assert_eq!(shown.whole(), "exit 1\n");
    }
}

#[test]
fn arguments_that_do_not_go_together() {
    let dir = Dir::new(&[("a.fk", BAD)]);
    assert_eq!(dir.run("check --diff --watch").code, 2);
    assert_eq!(dir.run("check --fix --watch").code, 2);
    for args in [
        "check --diff --format json",
        "check --fix --diff --format sarif",
        "check --diff --baseline base.json --update-baseline",
    ] {
        let run = dir.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args}");
    }
    assert_eq!(dir.run_input("check --fix -", BAD).code, 2);
}

/// The paper's mistake twice, slips of all kinds in two files, and items that do not parse beside them.
const MAIN: &str = "\
include shapes
include ad-paper

broken = (((

-- The outer variable needs `lift`.
main : {Int}
main! = evaluate (d {x -> t x (d {y -> p x y} (c 1))} (c 1)) + one

other : {Int}
other! = evaluate (d {x -> t x (d {y -> p x y} (c 1))} (c one!)) + twcie 2

data = |
";

const SHAPES: &str = "\
one : {Int}
one! = 1

twice : Int -> Int
twice n = n + n

data Shape = round Float | flat

area : Shape -> Float
area (round r) = r * r * toFloat 1.5
area flat      = 0
area _         = 1

untold x = twice (one! + x)
";

#[test]
fn safe_fixes_in_several_files() {
    let files = [("main.fk", MAIN), ("shapes.fk", SHAPES)];
    let dir = Dir::new(&files);
    // Lines of a difference that are empty in both texts are a blank.
    let shown = dir.run("check --diff").whole().replace("\n \n", "\n\n");
    expect![[r#"
        --- a/main.fk
        +++ b/main.fk
        @@ -5,9 +5,9 @@

         -- The outer variable needs `lift`.
         main : {Int}
        -main! = evaluate (d {x -> t x (d {y -> p x y} (c 1))} (c 1)) + one
        +main! = evaluate (d {x -> t x (d {y -> p (lift x) y} (c 1))} (c 1)) + one!

         other : {Int}
        -other! = evaluate (d {x -> t x (d {y -> p x y} (c 1))} (c one!)) + twcie 2
        +other! = evaluate (d {x -> t x (d {y -> p (lift x) y} (c 1))} (c one!)) + twice 2

         data = |
        --- a/shapes.fk
        +++ b/shapes.fk
        @@ -11,4 +11,5 @@
         area flat      = 0
         area _         = 1

        +untold : Int -> Int
         untold x = twice (one! + x)
        exit 1
    "#]]
    .assert_eq(&shown);
    assert_eq!(dir.read("main.fk"), MAIN);
    let run = dir.run("check --fix");
    assert_eq!(run.code, 1);
    expect![[r#"
        frank: fixed 5 findings in 2 files
    "#]]
    .assert_eq(&run.stderr);
    expect![[r#"
        include shapes
        include ad-paper

        broken = (((

        -- The outer variable needs `lift`.
        main : {Int}
        main! = evaluate (d {x -> t x (d {y -> p (lift x) y} (c 1))} (c 1)) + one!

        other : {Int}
        other! = evaluate (d {x -> t x (d {y -> p (lift x) y} (c 1))} (c one!)) + twice 2

        data = |
    "#]]
    .assert_eq(&dir.read("main.fk"));
    expect![[r#"
        one : {Int}
        one! = 1

        twice : Int -> Int
        twice n = n + n

        data Shape = round Float | flat

        area : Shape -> Float
        area (round r) = r * r * toFloat 1.5
        area flat      = 0
        area _         = 1

        untold : Int -> Int
        untold x = twice (one! + x)
    "#]]
    .assert_eq(&dir.read("shapes.fk"));
    // What is left has no safe fix.
    let again = dir.run("check --fix");
    assert_eq!((again.code, again.stderr.as_str()), (1, ""));
}

/// What a person has to decide stays: which of two names was meant, what a program may do, which of
/// two clauses is wrong, what an unused definition is for, and whether a thunk was to run.
#[test]
fn doubtful_cures_are_left_alone() {
    let texts = [
        "fold : Int -> Int\nfold x = x\n\ngold : Int -> Int\ngold x = x\n\nmain : {Int}\nmain! = bold (fold 1 + gold 2)\n",
        "interface Ask = ask : Int\n\nmain : {Int}\nmain! = with 1 f!\n\nf : [0] Int\nf! = ask!\n\nwith : Int -> <Ask> X -> X\nwith n <ask -> k> = with n (k n)\nwith _ x = x\n",
        "f : Bool -> Int\nf ture = 1\nf false = 2\n\nmain : {Int}\nmain! = f true\n",
        "main : {Int}\nmain! = 1\n\nlater : Int -> Int\nlater x = x\n",
        "include prelude\n\nmain : [Console] Int\nmain! = let say = {print \"a\"} in say; 1\n",
        "interface Ask = ask : Int\n\nfirst : <Ask> Int -> Int\nfirst <ask -> k> = 0\nfirst x = x\n\nmain : {Int}\nmain! = first ask!\n",
    ];
    // Where a conversion belongs in a quotient.
    let texts = texts
        .into_iter()
        .chain(["half : Int -> Float\nhalf n = n / 2\n\nmain : {Float}\nmain! = half 7\n"]);
    for text in texts {
        let dir = Dir::new(&[("a.fk", text)]);
        let run = dir.run("check --fix");
        assert_ne!(run.stdout, "checked 1 file: no errors\n", "{text}");
        assert_eq!(run.stderr, "", "{text}");
        assert_eq!(dir.read("a.fk"), text);
    }
}

/// A fix that does not go with the others does not keep them from being applied.
#[test]
fn cures_that_bring_something_else_are_taken_back() {
    // `f` is there, and takes two arguments.
    let mut text = "func : Int -> Int -> Int\nfunc x y = x + y\n\n".to_owned();
    for n in 0..40 {
        let bad = n % 7 == 3;
        let term = if bad { "fucn 1" } else { "fucn 1 2" };
        text += &format!("value{n} : {{Int}}\nvalue{n}! = {term}\n\n");
    }
    let dir = Dir::new(&[("a.fk", &text)]);
    let run = dir.run("check --fix");
    assert_eq!(
        run.stderr,
        "frank: fixed 34 findings in 1 file\n\
         frank: left 6 findings: their fixes would bring others\n"
    );
    assert_eq!(dir.read("a.fk").matches("func 1 2").count(), 34);
    assert_eq!(dir.read("a.fk").matches("fucn 1\n").count(), 6);
}

/// However many fixes do not go, the others are applied, and what is left is said.
#[test]
fn much_to_do_is_done() {
    let mut text = "func : Int -> Int -> Int\nfunc x y = x + y\n\n".to_owned();
    for n in 0..240 {
        let term = if n % 2 == 0 { "fucn 1" } else { "fucn 1 2" };
        text += &format!("value{n} : {{Int}}\nvalue{n}! = {term}\n\n");
    }
    let dir = Dir::new(&[("a.fk", &text)]);
    let run = dir.run("check --fix");
    assert_eq!(
        run.stderr,
        "frank: fixed 120 findings in 1 file\n\
         frank: left 120 findings: their fixes would bring others\n"
    );
    assert_eq!(dir.read("a.fk").matches("func 1 2").count(), 120);
}

/// A fix that makes an error in another file is not applied.
#[test]
fn neighbours_count() {
    let lib = "shape x = x + 1\n";
    let main = "include lib\n\nmain : {Int}\nmain! = shape 'a'\n";
    let dir = Dir::new(&[("lib.fk", lib), ("main.fk", main)]);
    let run = dir.run("check --fix");
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (1, "frank: left one finding: its fix would bring others\n")
    );
    assert_eq!(dir.read("lib.fk"), lib);
    // Where all is well with it, it is made.
    dir.write("main.fk", main.replace("'a'", "2"));
    let run = dir.run("check --fix");
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (0, "frank: fixed 1 finding in 1 file\n")
    );
    assert_eq!(dir.read("lib.fk"), "shape : Int -> Int\nshape x = x + 1\n");
}

/// A difference ends as the check would that it stands for.
#[test]
fn a_difference_has_the_verdict_of_the_check() {
    let dir = Dir::new(&[("a.fk", "later : {Int}\n"), ("bad.fk", BAD)]);
    for (args, code) in [
        ("check --diff a.fk", 0),
        ("check --diff a.fk --warnings deny", 1),
        ("check --fix --diff a.fk --warnings deny", 1),
        ("check --diff a.fk nothing.fk", 2),
        ("check --diff bad.fk nothing.fk", 1),
        ("check --diff bad.fk --baseline base.json", 1),
    ] {
        assert_eq!(dir.run(args).code, code, "{args}");
    }
    assert!(!dir.path().join("base.json").exists());
    assert_eq!(dir.run("check bad.fk --baseline base.json").code, 0);
    assert_eq!(dir.run("check --diff bad.fk --baseline base.json").code, 0);
}

/// `patch` finds files whose names have blanks, and files elsewhere.
#[cfg(unix)]
#[test]
fn differences_can_be_applied() {
    let text = "untold x = x + 1\n";
    let dir = Dir::new(&[("a b.fk", text), ("sub/c.txt", "")]);
    let patch = dir.run("check --diff").stdout;
    assert!(
        patch.starts_with("--- a/a b.fk\t\n+++ b/a b.fk\t\n"),
        "{patch}"
    );
    let mut elsewhere = dir.command_with(&["check", "--diff", "../a b.fk"]);
    elsewhere.current_dir(dir.path().join("sub"));
    let patch = crate::support::finish(elsewhere, "").stdout;
    let root = dir.path().canonicalize().expect("a directory");
    let name = format!("--- a{}/a b.fk\t\n", root.display());
    assert!(patch.starts_with(&name), "{patch}");
}
