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
        .expect(expect![[r#"
            map : {X -> Y} -> List X -> List Y
              library:/prelude.fk:246:1; include prelude
            exit 0
        "#]]);
    dir.run_with(&["find", "Maybe X -> {X} -> X", "--limit", "3"])
        .expect(expect![[r#"
            fromMaybe : X -> Maybe X -> X
              library:/prelude.fk:153:1; include prelude; isomorphic: thunk
            catch : <Abort> X -> {X} -> X
              library:/prelude.fk:528:1; include prelude; isomorphic: maybe
            const : X -> {Y -> X}
              library:/prelude.fk:109:1; include prelude; general: Y = Maybe X

            2 more, with `--limit 5`
            exit 0
        "#]]);
    dir.run_with(&["find", "[Console]Unit", "--library-only"])
        .expect(expect![[r#"
            ouch : Char -> [Console]Unit
              library:/builtin.fk:31:21; command of Console; applied
            ouint : Int -> [Console]Unit
              library:/builtin.fk:32:21; command of Console; applied
            print : String -> [Console] Unit
              library:/prelude.fk:710:1; include prelude; applied
            printLine : String -> [Console] Unit
              library:/prelude.fk:714:1; include prelude; applied
            printInt : Int -> [Console] Unit
              library:/prelude.fk:718:1; include prelude; applied
            exit 0
        "#]]);
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
        .expect(expect![[r#"
            area : Shape -> Float
              shapes.fk:7:1
            exit 0
        "#]]);
    dir.run_with(&["find", "<Draw> X -> …", "shapes.fk"])
        .expect(expect![[r#"
            sketch : <Draw> X -> X
              shapes.fk:14:1
            exit 0
        "#]]);
    dir.run_with(&["find", "Shape -> _", "--format", "json", "--limit", "2"])
        .expect(expect![[r#"
            {"name":"area","kind":"operator","type":"Shape -> Float","of":null,"file":"shapes.fk","line":7,"column":1,"library":false,"include":"shapes","fit":"exact","why":null}
            {"name":"just","kind":"constructor","type":"X -> Maybe X","of":"Maybe","file":"library:/prelude.fk","line":8,"column":26,"library":true,"include":"prelude","fit":"general","why":"X = Shape"}
            exit 0
        "#]]);
    // Where nothing declares it, it is a variable.
    dir.run_with(&["find", "Shape -> Float", "sub", "--limit", "1"])
        .expect(expect![[r#"
            toFloat : Int -> Float
              library:/builtin.fk:67:1; special: Shape = Int

            21 more, with `--limit 22`
            exit 0
        "#]]);
}

#[test]
fn what_is_wrong_with_the_type_is_shown_in_it() {
    let dir = Dir::new(&[]);
    dir.run_with(&["find", "Lsit X -> Int"])
        .expect(expect![[r#"
            stderr: error[FK0102]: there is no data type `Lsit`, and a type variable takes no arguments
            stderr:  --> <type>:1:1
            stderr:   |
            stderr: 1 | Lsit X -> Int
            stderr:   | ^^^^
            stderr:   |
            stderr:   = help: did you mean `List`?
            exit 2
        "#]]);
    dir.run_with(&["find", "{X -> Int"]).expect(expect![[r#"
        stderr: error[FK0002]: this `{` is never closed
        stderr:  --> <type>:1:1
        stderr:   |
        stderr: 1 | {X -> Int
        stderr:   | ^
        stderr:   |
        stderr:   = help: `}` is needed before the end
        exit 2
    "#]]);
    dir.run_with(&["find", ""]).expect(expect![[r#"
        stderr: error: there is no type to look for
        stderr:  --> <type>:1:1
        stderr:   |
        stderr: 1 |
        stderr:   | ^
        stderr:   |
        stderr:   = help: write it as in a signature: `List X -> Int`, `<Abort> X -> …`, `[Console]Unit`
        exit 2
    "#]]);
    dir.run_with(&["find", "Boolean -> Boolean", "--limit", "1"])
        .expect(expect![[r#"
            id : X -> X
              library:/prelude.fk:102:1; include prelude

            74 more, with `--limit 75`
            stderr: hint[FK0410]: `Boolean` is a type variable here, for there is no type of that name
            stderr:  --> <type>:1:1
            stderr:   |
            stderr: 1 | Boolean -> Boolean
            stderr:   | ^^^^^^^
            stderr:   |
            stderr:   = help: if the data type is meant, write `Bool`
            exit 0
        "#]]);
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
        .expect(expect![[r#"
            stderr: frank: nothing has this type, or one that says the same; the nearest is `area : Shape -> Float`, shapes.fk:7:1
            exit 1
        "#]]);
    dir.run_with(&["find", "Shape -> Nat", "--library-only"])
        .expect(expect![[r#"
            suc : Nat -> Nat
              library:/prelude.fk:17:19; include prelude; constructor of Nat; special: Shape = Nat
            intToNat : Int -> Nat
              library:/prelude.fk:190:1; include prelude; special: Shape = Int
            exit 0
        "#]]);
    dir.run_with(&["find", "Ref Nat -> Ref Char -> Ref Bool -> Nat"])
        .expect(expect![[r#"
            stderr: frank: nothing has this type, or one that says the same
            exit 1
        "#]]);
}
