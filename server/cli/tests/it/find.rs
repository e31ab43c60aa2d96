//! `frank find`.

use expect_test::expect;

use crate::support::Dir;

const SHAPES: &str = "include prelude\n\n\
                      data Shape = circle Float | square Float\n\n\
                      interface Draw = draw : Shape -> Unit\n\n\
                      area : Shape -> Float\n\
                      area (circle r) = 3.14 * r * r\n\
                      area (square a) = a * a\n\n\
                      areas : List Shape -> List Float\n\
                      areas = map area\n\n\
                      sketch : <Draw> X -> X\n\
                      sketch x = x\n\
                      sketch <draw _ -> k> = sketch (k unit)\n";

#[test]
fn what_has_a_type_is_found_with_its_place_and_its_include() {
    let dir = Dir::new(&[]);
    dir.run_with(&["find", "{X -> [E|]Y} -> List X -> [E|]List Y"])
        .expect(expect![[""]]);
    dir.run_with(&["find", "Maybe X -> {X} -> X", "--limit", "3"])
        .expect(expect![[""]]);
    dir.run_with(&["find", "[Console]Unit", "--library-only"])
        .expect(expect![[""]]);
}

#[test]
fn files_are_searched_broken_ones_too() {
    let dir = Dir::new(&[
        ("shapes.fk", SHAPES),
        (
            "sub/broken.fk",
            "area : Shape -> \n)))\nround! : Float -> Int\n",
        ),
    ]);
    dir.run_with(&["find", "Shape -> Float"])
        .expect(expect![[""]]);
    dir.run_with(&["find", "<Draw> X -> …", "shapes.fk"])
        .expect(expect![[""]]);
    dir.run_with(&["find", "Shape -> _", "--format", "json"])
        .expect(expect![[""]]);
    dir.run_with(&["find", "Shape -> Float", "sub"])
        .expect(expect![[""]]);
}

#[test]
fn what_is_wrong_with_the_type_is_shown_in_it() {
    let dir = Dir::new(&[]);
    dir.run_with(&["find", "Lsit X -> Int"])
        .expect(expect![[""]]);
    dir.run_with(&["find", "{X -> Int"]).expect(expect![[""]]);
    dir.run_with(&["find", ""]).expect(expect![[""]]);
    dir.run_with(&["find", "Boolean -> Boolean", "--limit", "1"])
        .expect(expect![[""]]);
    assert_eq!(dir.run_with(&["find"]).code, 2);
    assert_eq!(dir.run_with(&["find", "Int", "--limit", "0"]).code, 2);
    assert_eq!(dir.run_with(&["find", "Int", "nothing.fk"]).code, 2);
    let deep = "{".repeat(10_000);
    assert_eq!(dir.run_with(&["find", &deep]).code, 2);
}

#[test]
fn nothing_is_said_in_a_sentence() {
    let dir = Dir::new(&[("shapes.fk", SHAPES)]);
    dir.run_with(&["find", "Shape -> Nat"])
        .expect(expect![[""]]);
    dir.run_with(&["find", "Shape -> Nat", "--library-only"])
        .expect(expect![[""]]);
    dir.run_with(&["find", "Ref Nat -> Ref Char -> Ref Bool -> Nat"])
        .expect(expect![[""]]);
}
