//! `frank.toml`, and many files at once.

use std::time::Instant;

use expect_test::expect;

use crate::support::{BAD, Dir, GOOD, WARNING};

#[test]
fn severities_and_include_paths() {
    let dir = Dir::new(&[
        (
            "frank.toml",
            "include = [\"lib\"]\n[severity]\nFK0403 = \"error\"\n",
        ),
        ("lib/two.fk", "two : {Int}\ntwo! = 2\n"),
        ("src/a.fk", "include two\nmain : {Int}\nmain! = two!\n"),
        ("src/b.fk", WARNING),
    ]);
    assert_eq!(dir.run("check src/a.fk").code, 0);
    let run = dir.run("check src/b.fk");
    assert_eq!(run.code, 1);
    assert!(run.stdout.starts_with("error[FK0403]"), "{}", run.stdout);
    // Found from the first path, wherever the command runs.
    let mut elsewhere = dir.command_with(&["check", "a.fk"]);
    elsewhere.current_dir(dir.path().join("src"));
    assert_eq!(crate::support::finish(elsewhere, "").code, 0);
    dir.write(
        "other.toml",
        "[severity]\nFK0403 = \"off\"\nFK0105 = \"off\"\n",
    );
    assert_eq!(dir.run("check --config other.toml src/b.fk").code, 0);
    dir.write("hint.toml", "[severity]\nFK0403 = \"hint\"\n");
    let hint = dir.run("check --config hint.toml src/b.fk --warnings deny");
    assert_eq!(hint.code, 0);
    assert!(
        hint.stdout.starts_with("hint[FK0403]") && hint.stdout.ends_with(": no errors, 1 hint\n")
    );
}

#[test]
fn mistakes_in_the_configuration_are_named_and_the_rest_counts() {
    let dir = Dir::new(&[
        (
            "frank.toml",
            "inclde = []\n[severity]\nFK0403 = \"off\"\nFK9 = \"off\"\n",
        ),
        ("a.fk", WARNING),
    ]);
    dir.run("check a.fk --warnings deny").expect(expect![[r#"
        checked 1 file: no errors
        stderr: frank: frank.toml:1:1: there is no setting `inclde`: did you mean `include`?
        stderr: frank: frank.toml:4:1: there is no code `FK9`: codes look like `FK0201`
        exit 2
    "#]]);
    // A program's errors are errors with any configuration.
    dir.write("a.fk", BAD);
    assert_eq!(dir.run("check a.fk").code, 1);
}

/// A configuration that is there and cannot be read is not passed over.
#[cfg(unix)]
#[test]
fn a_configuration_that_cannot_be_read() {
    let dir = Dir::new(&[("a.fk", GOOD)]);
    let path = dir.path().join("frank.toml");
    std::os::unix::fs::symlink("nowhere.toml", &path).expect("a link");
    dir.run("check").expect(expect![[r#"
        checked 1 file: no errors
        stderr: frank: frank.toml: there is no such file or directory
        exit 2
    "#]]);
    std::fs::remove_file(&path).expect("there was one");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo").success());
    dir.run("check").expect(expect![[r#"
        checked 1 file: no errors
        stderr: frank: frank.toml: this is neither a file nor a directory
        exit 2
    "#]]);
}

#[test]
fn many_files() {
    let dir = Dir::new(&[]);
    for i in 0..300 {
        let text: String = (0..20)
            .map(|j| format!("f{j} : Int -> Int\nf{j} n = n + {j}\n\n"))
            .collect();
        dir.write(
            &format!("d{}/f{i}.fk", i % 7),
            format!("include prelude\n\n{text}"),
        );
    }
    dir.write("d3/bad.fk", BAD);
    let start = Instant::now();
    let run = dir.run("check --format json");
    assert_eq!((run.code, run.stdout.lines().count()), (1, 1));
    // Generous: this is about mistakes that make it a hundred times slower.
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    assert_eq!(
        dir.run("check d3/bad.fk d4").stdout.lines().last(),
        Some("checked 44 files: 1 error")
    );
    dir.write("good.fk", GOOD);
    assert_eq!(
        dir.run("check good.fk good.fk ./good.fk").stdout,
        "checked 1 file: no errors\n"
    );
}
