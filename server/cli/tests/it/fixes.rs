//! `frank check --fix`.

use crate::support::{BAD, Dir};

#[test]
fn nothing_certain_changes_nothing() {
    let dir = Dir::new(&[("a.fk", BAD)]);
    let run = dir.run("check --fix");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert_eq!(dir.read("a.fk"), BAD);
    let shown = dir.run("check --fix --diff");
    assert_eq!(shown.whole(), "exit 1\n");
}

#[test]
fn arguments_that_do_not_go_together() {
    let dir = Dir::new(&[("a.fk", BAD)]);
    assert_eq!(dir.run("check --diff").code, 2);
    assert_eq!(dir.run("check --fix --watch").code, 2);
    assert_eq!(dir.run_input("check --fix -", BAD).code, 2);
}
