//! Byte order marks, and the three ways in which lines end: a text means the same, and every place in it
//! has the same line and column.

use crate::support::Dir;

const PROGRAM: &str = "include prelude\n\n-- about it\nmain : {Int}\n-- frank: allow FK0101\nmain! = unknown\n-- and\n\nf : Int -> Int\nf x = y\n";

fn findings(program: &str) -> String {
    let dir = Dir::new(&[("a.fk", program)]);
    let check = |args: &str| dir.run(&format!("check {args} a.fk")).whole();
    let forms = [
        "",
        "--format json",
        "--format github",
        "--format sarif",
        "--format junit",
    ];
    forms.map(check).concat()
}

#[test]
fn lines_end_alike_everywhere() {
    let expected = findings(PROGRAM);
    assert!(expected.contains("a.fk:10:7"), "{expected}");
    assert!(!expected.contains("unknown"), "{expected}");
    for end in ["\r\n", "\r"] {
        assert_eq!(findings(&PROGRAM.replace('\n', end)), expected, "{end:?}");
        let marked = format!("\u{feff}{}", PROGRAM.replace('\n', end));
        assert_eq!(
            findings(&marked),
            expected,
            "{end:?} behind a byte order mark"
        );
    }
}

#[test]
fn a_carriage_return_ends_a_comment() {
    let dir = Dir::new(&[("a.fk", "main : {Int}\nmain! = 1 -- one\r  + 'a'\n")]);
    let run = dir.run("check a.fk");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("a.fk:3:5"), "{}", run.stdout);
}

#[test]
fn the_formatter_writes_line_feeds_and_keeps_a_byte_order_mark() {
    let dir = Dir::new(&[
        ("a.fk", "\u{feff}include prelude\r\rf:{Int}\r"),
        ("b.fk", "f : Int\r"),
    ]);
    assert_eq!(dir.run("fmt --check").stdout, "a.fk\nb.fk\n");
    assert_eq!(dir.run("fmt").code, 0);
    assert_eq!(dir.read("a.fk"), "\u{feff}include prelude\n\nf : {Int}\n");
    assert_eq!(dir.read("b.fk"), "f : Int\n");
    assert_eq!(dir.run("fmt --check").whole(), "exit 0\n");
}

#[test]
fn a_byte_order_mark_in_a_session_is_no_text() {
    let dir = Dir::new(&[]);
    let run = dir.run_input("repl", "\u{feff}f : {Int}\nf! = 2\nf!\n");
    assert!(
        run.stdout.ends_with("2\n") && run.stderr.is_empty(),
        "{run:?}"
    );
    assert_eq!(dir.run_with(&["eval", "\u{feff}1 + 1"]).stdout, "2\n");
}
