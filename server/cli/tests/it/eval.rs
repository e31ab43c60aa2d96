//! `frank eval`.

use expect_test::expect;

use crate::support::Dir;

#[test]
fn terms_with_the_prelude() {
    let dir = Dir::new(&[("prelude.fk", "this is not read")]);
    for (term, value) in [
        ("1 + 2", "3"),
        ("-7", "-7"),
        ("map {x -> x * 2} [1, 2, 3]", "[2, 4, 6]"),
        ("\"a\\n\"", "\"a\\n\""),
        ("let x = 1.5 in\n  x / 2.0", "0.75"),
        ("{x -> x}", "{…}"),
        ("new 1", "<ref>"),
    ] {
        let run = dir.run_with(&["eval", term]);
        assert_eq!(run.whole(), format!("{value}\nexit 0\n"), "{term}");
    }
}

#[test]
fn terms_in_a_file() {
    let dir = Dir::new(&[
        ("a.fk", "include b\n\ntwice : Int -> Int\ntwice n = n + n\n"),
        ("b.fk", "three : {Int}\nthree! = 3\n"),
        ("bad.fk", "x : {Int}\nx! = 'x'\n"),
    ]);
    assert_eq!(
        dir.run_with(&["eval", "a.fk", "twice three!"]).whole(),
        "6\nexit 0\n"
    );
    assert_eq!(dir.run_with(&["eval", "bad.fk", "1"]).code, 1);
    assert_eq!(dir.run_with(&["eval", "nothing.fk", "1"]).code, 2);
    assert_eq!(dir.run_with(&["eval"]).code, 2);
    dir.run_with(&["eval", "a.fk", "twice 'x'"])
        .expect(expect![[r#"
            stderr: error[FK0201]: this has type `Char`, but `Int` is needed
            stderr:  --> <term>:1:7
            stderr:   |
            stderr: 1 | twice 'x'
            stderr:   |       ^^^
            stderr:   |
            stderr:  ::: a.fk:3:9
            stderr:   |
            stderr: 3 | twice : Int -> Int
            stderr:   |         --- `Int` is required here: the first port of `twice`
            stderr: 
            exit 1
        "#]]);
}

#[test]
fn failures_point_into_the_term() {
    let dir = Dir::new(&[]);
    dir.run_with(&["eval", "let x = 1 in\n10 / (x - 1)"])
        .expect(expect![[r#"
            stderr: error: division by zero in `10 / 0`
            stderr:  --> <term>:2:1
            stderr:   |
            stderr: 2 | 10 / (x - 1)
            stderr:   | ^^^^^^^^^^^^
            stderr:   |
            stderr:   = note: with 10, 0
            stderr:   = note: the stack, from the inside:
            stderr:           in the term
            exit 3
        "#]]);
    dir.run_with(&["eval", "get!"]).expect(expect![[r#"
        stderr: frank: warning: the term needs `State`, which nobody handles here
        stderr: error: nobody handles the command `get` of `State` here
        stderr:  --> <term>:1:1
        stderr:   |
        stderr: 1 | get!
        stderr:   | ^^^^
        stderr:   |
        stderr:   = note: the stack, from the inside:
        stderr:           in the term
        exit 3
    "#]]);
    dir.run_with(&["eval", "(1 +"]).expect(expect![[r#"
        stderr: error[FK0001]: expected a term after `+`, found the end of the term
        stderr:  --> <term>:1:4
        stderr:   |
        stderr: 1 | (1 +
        stderr:   | -  ^
        stderr:   | |
        stderr:   | this `(` is open
        stderr: 
        exit 1
    "#]]);
}

#[test]
fn limits_and_input() {
    let dir = Dir::new(&[]);
    let run = dir.run_with(&["eval", "--steps", "100", "length (range 0 100000)"]);
    assert_eq!(run.code, 3);
    let mut command = dir.command_with(&["eval", "[inch!, inch!]"]);
    command.env("TERM", "dumb");
    assert_eq!(
        crate::support::finish(command, "xy").whole(),
        "\"xy\"\nexit 0\n"
    );
}
