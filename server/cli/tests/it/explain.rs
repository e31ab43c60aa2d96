//! `frank explain` and `frank completions`.

use crate::support::Dir;

#[test]
fn codes_are_explained() {
    let dir = Dir::new(&[]);
    let run = dir.run("explain fk0202");
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.starts_with("FK0202") && run.stdout.contains("derivative"),
        "{}",
        run.stdout
    );
    let all = dir.run("explain");
    assert!(
        all.stdout.lines().count() > 50 && all.stdout.contains("FK0301"),
        "{}",
        all.stdout
    );
    let unknown = dir.run("explain FK0003x");
    assert_eq!(
        unknown.whole(),
        "stderr: frank: there is no code FK0003x; did you mean FK0003? `frank explain` lists all\nexit 2\n"
    );
}

#[test]
fn shells_are_helped() {
    let dir = Dir::new(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = dir.run(&format!("completions {shell}"));
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("explain"), "{shell}");
    }
    assert_eq!(dir.run("completions strange").code, 2);
}
