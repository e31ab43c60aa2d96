//! `frank fmt`.

use expect_test::expect;

use crate::support::Dir;

const UGLY: &str = "f:Int->  Int\nf x=x+1   \n";
const PRETTY: &str = "f : Int -> Int\nf x = x + 1\n";

#[test]
fn files_are_formatted() {
    let dir = Dir::new(&[("a.fk", UGLY), ("sub/b.fk", PRETTY), ("c.txt", UGLY)]);
    let run = dir.run("fmt");
    assert_eq!(run.whole(), "stderr: frank: formatted 1 file\nexit 0\n");
    assert_eq!(
        (dir.read("a.fk").as_str(), dir.read("c.txt").as_str()),
        (PRETTY, UGLY)
    );
    assert_eq!(dir.run("fmt").whole(), "exit 0\n");
}

#[test]
fn looking_changes_nothing() {
    let dir = Dir::new(&[("a.fk", UGLY), ("b.fk", PRETTY)]);
    assert_eq!(dir.run("fmt --check").whole(), "a.fk\nexit 1\n");
    dir.run("fmt --diff").expect(expect![[r#"
        --- a/a.fk
        +++ b/a.fk
        @@ -1,2 +1,2 @@
        -f:Int->  Int
        -f x=x+1   
        +f : Int -> Int
        +f x = x + 1
        exit 0
    "#]]);
    assert_eq!(dir.run("fmt --check --diff a.fk").code, 1);
    assert_eq!(dir.run("fmt --check b.fk").whole(), "exit 0\n");
    assert_eq!(dir.read("a.fk"), UGLY);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let dir = Dir::new(&[]);
    assert_eq!(
        dir.run_input("fmt -", UGLY).whole(),
        format!("{PRETTY}exit 0\n")
    );
    assert_eq!(dir.run_input("fmt -", PRETTY).stdout, PRETTY);
    assert_eq!(
        dir.run_input("fmt --check -", UGLY).whole(),
        "<stdin>\nexit 1\n"
    );
    assert_eq!(dir.run_input("fmt -", b"\xff").code, 2);
}

/// Standard input is written to standard output, files in their places.
#[test]
fn standard_input_and_files() {
    let dir = Dir::new(&[("a.fk", UGLY)]);
    let both = dir.run_input("fmt --check - a.fk", UGLY);
    assert_eq!((both.code, both.stdout.as_str()), (1, "<stdin>\na.fk\n"));
    assert_eq!(dir.run_input("fmt - a.fk", UGLY).stdout, PRETTY);
    assert_eq!(dir.read("a.fk"), PRETTY);
}

#[test]
fn broken_items_stay_and_others_are_formatted() {
    let dir = Dir::new(&[("a.fk", "g x=(x\n\nf:Int->Int\n")]);
    assert_eq!(dir.run("fmt").code, 0);
    assert_eq!(dir.read("a.fk"), "g x=(x\n\nf : Int -> Int\n");
    // That there are errors is for `frank check` to say.
    assert_eq!(dir.run("fmt --check").whole(), "exit 0\n");
}

#[test]
fn unreadable_files_are_named() {
    let dir = Dir::new(&[("a.fk", UGLY)]);
    dir.write("b.fk", b"\xff");
    let run = dir.run("fmt a.fk b.fk nothing.fk");
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("b.fk: this is not UTF-8")
            && run.stderr.contains("nothing.fk: there is no")
    );
    assert_eq!(dir.read("a.fk"), PRETTY);
    dir.write("a.fk", UGLY);
    assert_eq!(dir.run("fmt --check a.fk b.fk").code, 1);
}
