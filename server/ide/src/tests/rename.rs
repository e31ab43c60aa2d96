use expect_test::{Expect, expect};

use super::fixture::Fixture;

/// Renames at the cursor to `new`; compares all files after the edits, or the refusal.
fn check(fixture: &str, new: &str, expected: Expect) {
    let fixture = Fixture::new(fixture);
    let analysis = fixture.analysis();
    let mut out = String::new();
    match analysis.rename(fixture.cursor(), new) {
        Err(refusal) => out = format!("refused: {refusal}\n"),
        Ok(edits) => {
            for (path, file) in &fixture.sources {
                let mut text = fixture.files.text(*file);
                for edit in edits.iter().rev().filter(|edit| edit.at.file == *file) {
                    text.replace_range(std::ops::Range::<usize>::from(edit.at.range), &edit.text);
                }
                if fixture.sources.len() > 1 {
                    out.push_str(&format!("//- {path}\n"));
                }
                out.push_str(&text);
            }
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn locals_and_operators() {
    check(
        "f : Int -> Int\nf x$0 = let y = x in {x -> x}; x + y\n",
        "z",
        expect![[r#"
        f : Int -> Int
        f z = let y = z in {x -> x}; z + y
    "#]],
    );
    check(
        "f : Int -> Int\nf x = f$0 (x - 1)\ng : {Int}\ng! = f 1\nf 0 = 1\n",
        "h",
        expect![[r#"
        h : Int -> Int
        h x = h (x - 1)
        g : {Int}
        g! = h 1
        h 0 = 1
    "#]],
    );
}

#[test]
fn across_files() {
    check(
        "
include lib
f : {T}
f! = mk 1
//- lib.fk
data T = m$0k Int
g : T -> Int
g (mk x) = x
//- other.fk
include lib
h : {T}
h! = mk 2
",
        "make",
        expect![[r#"
    //- main.fk

    include lib
    f : {T}
    f! = make 1
    //- lib.fk
    data T = make Int
    g : T -> Int
    g (make x) = x
    //- other.fk
    include lib
    h : {T}
    h! = make 2
"#]],
    );
}

#[test]
fn interfaces_commands_types_and_variables() {
    check(
        "
interface S$0t X = get : X
data St = st
f : {<St X> Y -> [St Int]Y}
f <get -> k> = <St> f (k 1)
",
        "State",
        expect![[r#"

    interface State X = get : X
    data St = st
    f : {<State X> Y -> [State Int]Y}
    f <get -> k> = <State> f (k 1)
"#]],
    );
    check(
        "data D $0X = d X (D X)\ndata E X = e X\n",
        "Y",
        expect![[r#"
        data D Y = d Y (D Y)
        data E X = e X
    "#]],
    );
    check(
        "f : X -> {X -> [E$0|]Y} -> [E|]Y\n",
        "F",
        expect![[r#"
        f : X -> {X -> [F|]Y} -> [F|]Y
    "#]],
    );
    check(
        "interface I = i : Int\nf : {[I, I]Int}\nf! = <I(s a b -> s b a$0)> i!\n",
        "c",
        expect![[r#"
        interface I = i : Int
        f : {[I, I]Int}
        f! = <I(s c b -> s b c)> i!
    "#]],
    );
}

#[test]
fn conflicts_are_refused() {
    check(
        "f : {Int}\nf! = 1\ng$0 : {Int}\ng! = f!\n",
        "f",
        expect![[r#"
        refused: `f` is defined already, in `main.fk`
    "#]],
    );
    check(
        "f : Int -> Int\nf x = let y$0 = 1 in x + y\n",
        "x",
        expect![[r#"
        refused: with that name, `x` in `main.fk`, line 2 would mean something else
    "#]],
    );
    check(
        "f : Int -> Int\nf x = g! + x\ng$0 : {Int}\ng! = 1\n",
        "x",
        expect![[r#"
        refused: with that name, `g` in `main.fk`, line 2 would mean something else
    "#]],
    );
    check(
        "include prelude\nf : {Int}\nf! = fst (pair 1 2)\ng$0 : {Int}\ng! = 1\n",
        "fst",
        expect![[r#"
        refused: with that name, `fst` in `main.fk`, line 3 would mean something else
    "#]],
    );
    check(
        "f : T -> X\ndata T$0 = t\n",
        "X",
        expect![[r#"
        refused: with that name, `X` in `main.fk`, line 1 would mean something else
    "#]],
    );
    check(
        "f : Int -> Int\nf y = 1\ndata T = t$0\n",
        "y",
        expect![[r#"
        refused: with that name, `y` in `main.fk`, line 2 would mean something else
    "#]],
    );
    check(
        "f : Int -> Int\nf $0y = 1\n",
        "let",
        expect![[r#"
        refused: `let` is a reserved word
    "#]],
    );
    check(
        "f : Int -> Int\nf $0y = 1\n",
        "a b",
        expect![[r#"
        refused: `a b` is no name: names begin with a letter or `_`, and go on with letters, digits, `_` and `'`
    "#]],
    );
}

#[test]
fn what_is_built_in_cannot_change() {
    check(
        "include prelude\nf : {Int}\nf! = $0fst (pair 1 2)\n",
        "first",
        expect![[r#"
        refused: `fst` is defined in `library:/prelude.fk`, which is built in and cannot be changed
    "#]],
    );
    check(
        "f : {$0Int}\n",
        "Nat",
        expect![[r#"
        refused: `Int` is built into the language
    "#]],
    );
    check(
        "include $0prelude\n",
        "x",
        expect![[r#"
        refused: an `include` follows the name of its file; rename the file instead
    "#]],
    );
    check(
        "f : {[$0ε|]Int}\n",
        "E",
        expect![[r#"
        refused: `ε` is the name of the implicit effect variable; it cannot change
    "#]],
    );
    check(
        "f : {Int}$0\n",
        "E",
        expect![[r#"
        refused: there is no name here that could be changed
    "#]],
    );
}

#[test]
fn broken_items_keep_what_they_have() {
    check(
        "f : Int -> Int\nf x = (g x\ng$0 : Int -> Int\ng = \n",
        "h",
        expect![[r#"
        f : Int -> Int
        f x = (h x
        h : Int -> Int
        h = 
    "#]],
    );
}
