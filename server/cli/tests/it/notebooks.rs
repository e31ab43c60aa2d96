//! Notebooks, `*.fk.md`, as programs.

use expect_test::expect;

use crate::support::Dir;

const NOTEBOOK: &str = "# Squares — an *example*

Some words, and a list:

- one
  ```frank
  include prelude
  ```

```frank
-- > square 3
-- = 9
square : Int -> Int
square n = n * n
```

Now it is used:

```frank
square 12
map square [1,
2, 3]
```

```sh
this is no cell
```
";

#[test]
fn a_search_finds_notebooks_and_checks_them() {
    let dir = Dir::new(&[
        ("a/good.fk.md", NOTEBOOK),
        ("a/readme.md", "# No program\n"),
    ]);
    dir.run("check a").expect(expect![[r#"
        checked 1 file: no errors
        exit 0
    "#]]);
}

#[test]
fn findings_stand_where_the_markdown_has_them() {
    let wrong = NOTEBOOK
        .replace("square 12", "square 'x'")
        .replace("n * n", "n * m");
    let dir = Dir::new(&[("wrong.fk.md", &wrong)]);
    dir.run("check").expect(expect![[r#"
        error[FK0101]: there is no definition `m` in sight
          --> wrong.fk.md:14:16
           |
        14 | square n = n * m
           |                ^
           |
           = help: define it (`m : …` and `m … = …`), or bind it as a variable around this

        error[FK0201]: this has type `Char`, but `Int` is needed
          --> wrong.fk.md:20:8
           |
        13 | square : Int -> Int
           |          --- `Int` is required here: the first port of `square`
        ...
        20 | square 'x'
           |        ^^^

        checked 1 file: 2 errors
        exit 1
    "#]]);
}

#[test]
fn what_is_defined_twice_is_an_error() {
    let text = "```frank\na : {Int}\na! = 1\n```\n\nAgain:\n\n```frank\na : {Int}\na! = 2\n```\n";
    let dir = Dir::new(&[("twice.fk.md", text)]);
    dir.run("check").expect(expect![[r#"
        error[FK0106]: `a` is defined twice
         --> twice.fk.md:9:1
          |
        2 | a : {Int}
          | - `a` is defined here first
        ...
        9 | a : {Int}
          | ^
          |
          = help: rename or remove one of the two

        checked 1 file: 1 error
        exit 1
    "#]]);
}

#[test]
fn broken_markdown_is_read_as_far_as_it_goes() {
    let open = "# A\n\n```frank\na : {Int}\na! = (1\n```\n\n~~~ frank\r\na! + 'c'\r\n";
    let dir = Dir::new(&[("open.fk.md", open)]);
    dir.run("check").expect(expect![[r#"
        error[FK0002]: this `(` is never closed
         --> open.fk.md:5:6
          |
        5 | a! = (1
          |      ^- `)` is needed before the end

        error[FK0201]: this has type `Char`, but `Int` is needed
         --> open.fk.md:9:6
          |
        9 | a! + 'c'
          |    - ^^^
          |    |
          |    both operands of `+` have one number type

        checked 1 file: 2 errors
        exit 1
    "#]]);
}

#[test]
fn all_terms_are_run_in_order() {
    let text = NOTEBOOK.to_owned()
        + "```frank\nprint \"said\\n\"; 7\n```\n\nWithout value:\n\n```frank\nhead []\n```\n\n```frank\n1\n```\n";
    let dir = Dir::new(&[("a.fk.md", NOTEBOOK), ("b.fk.md", &text)]);
    dir.run("run a.fk.md").expect(expect![[r#"
        144
        [1, 4, 9]
        exit 0
    "#]]);
    dir.run("run b.fk.md").expect(expect![[r#"
        144
        [1, 4, 9]
        said
        7
        stderr: frank: warning: the term at b.fk.md:35 needs `Abort`, which nobody handles here
        stderr: error: nobody handles the command `abort` of `Abort` here
        stderr:    --> b.fk.md:35:1
        stderr:     |
        stderr:  35 | head []
        stderr:     | ^^^^^^^
        stderr:     |
        stderr:    ::: library:/prelude.fk:379:17
        stderr:     |
        stderr: 379 | head []       = abort!
        stderr:     |                 ^^^^^^
        stderr:     |
        stderr:     = note: the stack, from the inside:
        stderr:             in `head`, library:/prelude.fk:379:17
        exit 3
    "#]]);
    dir.run("run a.fk.md --entry main").expect(expect![[r#"
        stderr: frank: there is no operator `main` to run; `--entry NAME` runs another one
        exit 2
    "#]]);
}

#[test]
fn terms_that_reach_errors_can_be_left_out() {
    let text = "```frank\na : {Int}\na! = 'x'\n```\n```frank\n1 + 1\n```\n```frank\na!\n```\n```frank\n3\n```\n";
    let dir = Dir::new(&[("a.fk.md", text)]);
    dir.run("run a.fk.md --despite-errors").expect(expect![[r#"
            2
            3
            stderr: frank: a.fk.md:9: `a` cannot run: it, or something that it uses, has errors
            exit 1
        "#]]);
}

#[test]
fn a_notebook_without_terms_runs_its_main() {
    let dir = Dir::new(&[("a.fk.md", "```frank\nmain : {Int}\nmain! = 5\n```\n")]);
    dir.run("run a.fk.md").expect(expect![[r#"
        5
        exit 0
    "#]]);
}

#[test]
fn examples_in_cells_are_tested() {
    let dir = Dir::new(&[("a.fk.md", &NOTEBOOK.replace("= 9", "= 8"))]);
    dir.run("test").expect(expect![[r#"
        a.fk.md:11:6: square 3
          should be 8
          but is    9

        1 example in 1 file: 1 failed
        exit 1
    "#]]);
}

#[test]
fn cells_alone_are_formatted() {
    let text = "#   A\n\n\n\n* b\n\n```frank\nf:Int->Int\nf x=x\n```\n\n\n";
    let dir = Dir::new(&[("a.fk.md", text), ("b.fk.md", &text.replace('\n', "\r\n"))]);
    dir.run("fmt --check").expect(expect![[r#"
        a.fk.md
        b.fk.md
        exit 1
    "#]]);
    dir.run("fmt").expect(expect![[r#"
        stderr: frank: formatted 2 files
        exit 0
    "#]]);
    let formatted = "#   A\n\n\n\n* b\n\n```frank\nf : Int -> Int\nf x = x\n```\n\n\n";
    assert_eq!(dir.read("a.fk.md"), formatted);
    assert_eq!(dir.read("b.fk.md"), formatted.replace('\n', "\r\n"));
}

#[test]
fn fixes_change_cells_alone() {
    let text = "# Words\n\nÄ `map` here.\n\n```frank\ndouble : List Int -> List Int\ndouble xs = map {x -> x + x} xs\n```\n\n> end\n";
    let dir = Dir::new(&[("a.fk.md", text)]);
    dir.run("check --fix").expect(expect![[r#"
        checked 1 file: no errors
        stderr: frank: fixed 1 finding in 1 file
        exit 0
    "#]]);
    expect![[r#"
        # Words

        Ä `map` here.

        ```frank
        include prelude

        double : List Int -> List Int
        double xs = map {x -> x + x} xs
        ```

        > end
    "#]]
    .assert_eq(&dir.read("a.fk.md"));
}

/// Of a program that takes derivatives itself a copy is made.
#[test]
fn derivatives_are_taken_in_a_notebook() {
    let text = "# A\n```frank\ninclude ad\n\ncube : X -> [Smooth X] X\ncube x = t x (t x x)\n\nslope : X -> [Smooth X] X\nslope x = d cube x\n```\ntext\n\n```frank\nevaluate (d cube 2)";
    let dir = Dir::new(&[("a.fk.md", text)]);
    dir.run("derive a.fk.md slope --at 2").expect(expect![[r#"
            slope 2.0 = 12.0
            ∂ slope 2.0 = 12.0  (d, grad, gradc, gradm)
            exit 0
        "#]]);
    dir.run("derive a.fk.md cube --at 2 --emit formula")
        .expect(expect![[r#"
            cube = x³
            ∂cube/∂x = 3·x²
            exit 0
        "#]]);
    dir.run("run a.fk.md").expect(expect![[r#"
        12.0
        exit 0
    "#]]);
}
