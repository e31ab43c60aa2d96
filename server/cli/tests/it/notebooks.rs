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
    dir.run("check").expect(expect![[r#""#]]);
}

#[test]
fn what_is_defined_twice_is_an_error() {
    let text = "```frank\na : Int\na! = 1\n```\n\nAgain:\n\n```frank\na : Int\na! = 2\n```\n";
    let dir = Dir::new(&[("twice.fk.md", text)]);
    dir.run("check").expect(expect![[r#""#]]);
}

#[test]
fn broken_markdown_is_read_as_far_as_it_goes() {
    let open = "# A\n\n```frank\na : Int\na! = (1\n```\n\n~~~ frank\r\na! + 'c'\r\n";
    let dir = Dir::new(&[("open.fk.md", open)]);
    dir.run("check").expect(expect![[r#""#]]);
}

#[test]
fn all_terms_are_run_in_order() {
    let text = NOTEBOOK.to_owned()
        + "```frank\nprint \"said\\n\"; 7\n```\n\nWithout value:\n\n```frank\nhead []\n```\n\n```frank\n1\n```\n";
    let dir = Dir::new(&[("a.fk.md", NOTEBOOK), ("b.fk.md", &text)]);
    dir.run("run a.fk.md").expect(expect![[r#""#]]);
    dir.run("run b.fk.md").expect(expect![[r#""#]]);
    dir.run("run a.fk.md --entry main").expect(expect![[r#""#]]);
}

#[test]
fn terms_that_reach_errors_can_be_left_out() {
    let text = "```frank\na : Int\na! = 'x'\n```\n```frank\n1 + 1\n```\n```frank\na!\n```\n```frank\n3\n```\n";
    let dir = Dir::new(&[("a.fk.md", text)]);
    dir.run("run a.fk.md --despite-errors")
        .expect(expect![[r#""#]]);
}

#[test]
fn a_notebook_without_terms_runs_its_main() {
    let dir = Dir::new(&[("a.fk.md", "```frank\nmain : {Int}\nmain! = 5\n```\n")]);
    dir.run("run a.fk.md").expect(expect![[r#""#]]);
}

#[test]
fn examples_in_cells_are_tested() {
    let dir = Dir::new(&[("a.fk.md", &NOTEBOOK.replace("= 9", "= 8"))]);
    dir.run("test").expect(expect![[r#""#]]);
}

#[test]
fn cells_alone_are_formatted() {
    let text = "#   A\n\n\n\n* b\n\n```frank\nf:Int->Int\nf x=x\n```\n\n\n";
    let dir = Dir::new(&[("a.fk.md", text), ("b.fk.md", &text.replace('\n', "\r\n"))]);
    dir.run("fmt --check").expect(expect![[r#""#]]);
    dir.run("fmt").expect(expect![[r#""#]]);
    let formatted = "#   A\n\n\n\n* b\n\n```frank\nf : Int -> Int\nf x = x\n```\n\n\n";
    assert_eq!(dir.read("a.fk.md"), formatted);
    assert_eq!(dir.read("b.fk.md"), formatted.replace('\n', "\r\n"));
}

#[test]
fn fixes_change_cells_alone() {
    let text = "# Words\n\nÄ `map` here.\n\n```frank\ndouble : List Int -> List Int\ndouble xs = map {x -> x + x} xs\n```\n\n> end\n";
    let dir = Dir::new(&[("a.fk.md", text)]);
    dir.run("check --fix").expect(expect![[r#""#]]);
    expect![[r#""#]].assert_eq(&dir.read("a.fk.md"));
}

/// Of a program that takes derivatives itself a copy is made.
#[test]
fn derivatives_are_taken_in_a_notebook() {
    let text = "# A\n```frank\ninclude ad\n\ncube : X -> [Smooth X] X\ncube x = t x (t x x)\n\nslope : X -> [Smooth X] X\nslope x = d cube x\n```\ntext\n\n```frank\nevaluate (d cube 2)";
    let dir = Dir::new(&[("a.fk.md", text)]);
    dir.run("derive a.fk.md slope --at 2")
        .expect(expect![[r#""#]]);
    dir.run("derive a.fk.md cube --at 2 --emit formula")
        .expect(expect![[r#""#]]);
    dir.run("run a.fk.md").expect(expect![[r#""#]]);
}
