//! Comments that allow findings.

use expect_test::expect;

use crate::support::Dir;

#[test]
fn findings_are_allowed() {
    let dir = Dir::new(&[(
        "a.fk",
        "a : {Int}\na! = 'x' -- frank: allow FK0201 for a while\n\n-- frank: allow FK0201, FK0202\nb : {Int}\nb! = 'y'\n\n\
         -- frank: allow FK0403, FK0201\nc : {Int}\n",
    )]);
    dir.run("check").expect(expect![[r#"
        warning[FK0411]: there is no FK0202 here to allow
         --> a.fk:4:25
          |
        4 | -- frank: allow FK0201, FK0202
          |                         ^^^^^^
          |
          = help: remove the code from the comment, or the whole comment

        warning[FK0411]: there is no FK0201 here to allow
         --> a.fk:8:25
          |
        8 | -- frank: allow FK0403, FK0201
          |                         ^^^^^^
          |
          = help: remove the code from the comment, or the whole comment

        checked 1 file: no errors, 2 warnings
        exit 0
    "#]]);
    assert_eq!(dir.run("check --warnings deny").code, 1);
}

#[test]
fn even_syntax_errors() {
    let dir = Dir::new(&[("a.fk", "main : {Int}\n-- frank: allow FK0002\nmain! = (1\n")]);
    assert_eq!(
        dir.run("check").whole(),
        "checked 1 file: no errors\nexit 0\n"
    );
}

/// Of two comments that allow the same finding one is there for nothing.
#[test]
fn spare_comments_are_reported() {
    let dir = Dir::new(&[(
        "a.fk",
        "-- frank: allow FK0201\na : {Int}\na! = 'x' -- frank: allow FK0201\n\n-- frank: allow FK0403, FK0403\nb : {Int}\n",
    )]);
    dir.run("check").expect(expect![[r#"
        warning[FK0411]: FK0201 is allowed here already
         --> a.fk:3:26
          |
        3 | a! = 'x' -- frank: allow FK0201
          |                          ^^^^^^
          |
          = help: remove the code from the comment, or the whole comment

        warning[FK0411]: FK0403 is allowed here already
         --> a.fk:5:25
          |
        5 | -- frank: allow FK0403, FK0403
          |                         ^^^^^^
          |
          = help: remove the code from the comment, or the whole comment

        checked 1 file: no errors, 2 warnings
        exit 0
    "#]]);
}

/// Findings that are about the whole program stand in an item all the same.
#[test]
fn findings_about_derivatives_are_allowed() {
    let dir = Dir::new(&[
        (
            "paper.fk",
            "include ad-paper\n\n-- frank: allow FK0413 right for this one\nslope : [RefState] Int\n\
             slope! = evaluate (gradc {x -> checkpoint {t x x}} 3)\n",
        ),
        (
            "cells.fk",
            "include ad\n\nslopes : [RefState] (List Float)\n\
             slopes! = allChoices (evaluate (grad {x -> if choose! {x} {t x x}} 2)) -- frank: allow FK0414\n",
        ),
        (
            "numbers.fk",
            "include ad\n\n-- frank: allow FK0415\nkept : Ref (Dual Float) -> [RefState] Float\n\
             kept r = evaluate (d {x -> write r x; x} 3)\n",
        ),
        (
            "lists.fk",
            "include ad\n\nslope : [0] Float\n\
             slope! = evaluate (directional {xs -> dot xs xs} [1, 2] [1]) -- frank: allow FK0416\n",
        ),
    ]);
    dir.run("check --warnings deny").expect(expect![[r#"
        checked 4 files: no errors
        exit 0
    "#]]);
}

/// What is still to be written may have what the comment is for.
#[test]
fn beside_a_hole_a_comment_may_wait_for_its_finding() {
    let text = "\
f : Int -> Int
-- frank: allow FK0405
f x = _

-- frank: allow FK0405
g : Int -> Int
g 0 = 0
g x = x + _

-- frank: allow FK0405
h : Int -> Int
h x = x
";
    let run = Dir::new(&[("a.fk", text)]).run("check --holes allow a.fk");
    let idle = run.whole().matches("warning[FK0411]").count();
    assert_eq!((run.code, idle), (0, 1), "{}", run.whole());
    assert!(run.whole().contains("--> a.fk:10:"), "{}", run.whole());
}
