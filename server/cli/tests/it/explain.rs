//! `frank explain` and `frank completions`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use frank_analysis::diagnostics::{Code, PAGES, book};

use crate::support::Dir;

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).expect("a workspace").to_owned()
}

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
    let found = dir.run("explain lift");
    assert_eq!(found.code, 0);
    let first = found.stdout.lines().next().unwrap_or_default();
    assert!(first.starts_with("FK0202"), "{}", found.stdout);
    let several = dir.run("explain handler never performed").stdout;
    assert!(several.starts_with("FK0408"), "{several}");
    assert_eq!(dir.run("explain zzz").code, 2);
    let unknown = dir.run("explain FK0003x");
    assert_eq!(
        unknown.whole(),
        "stderr: frank: there is no code FK0003x: did you mean FK0003? `frank explain` lists all\nexit 2\n"
    );
}

/// The codes that `frank check` finds in a program, a line of output each.
fn codes(program: &str) -> Vec<String> {
    let dir = Dir::new(&[("main.fk", program)]);
    let run = dir.run("check --format json main.fk");
    let found = run.stdout.lines().map(|line| {
        let finding: serde_json::Value = serde_json::from_str(line).expect("an object");
        finding["code"].as_str().expect("a code").to_owned()
    });
    found.collect()
}

/// The exit code of evaluating the derivatives of a program's `f`.
fn derives(program: &str) -> i32 {
    let dir = Dir::new(&[("main.fk", program)]);
    dir.run("derive main.fk f --at 3").code
}

#[test]
fn the_wrong_programs_are_wrong_and_the_right_ones_right() {
    let mut failures = Vec::new();
    for code in Code::ALL {
        let (wrong, right) = book::programs(*code);
        assert!(!wrong.is_empty() && !right.is_empty(), "{}", code.as_str());
        let found: BTreeSet<String> = codes(&wrong).into_iter().collect();
        let expected = match code.marks().evaluated {
            true => {
                let evaluated = [(&wrong, 1), (&right, 0)];
                if !evaluated
                    .iter()
                    .all(|(program, exit)| derives(program) == *exit)
                {
                    failures.push(format!("{}, evaluated", code.as_str()));
                }
                BTreeSet::new()
            }
            false => BTreeSet::from([code.as_str().to_owned()]),
        };
        if found != expected {
            failures.push(format!("{}, wrong: {found:?}", code.as_str()));
        }
        let found = codes(&right);
        if !found.is_empty() {
            failures.push(format!("{}, right: {found:?}", code.as_str()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// `UPDATE_EXPECT=1` writes the pages.
#[test]
fn the_book_has_a_page_for_every_code() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value != "0");
    let mut wanted = vec![(format!("{PAGES}/README.md"), book::index())];
    wanted.extend(
        Code::ALL
            .iter()
            .map(|code| (code.page(), book::page(*code))),
    );
    let mut stale = Vec::new();
    for (path, page) in &wanted {
        let file = root().join(path);
        if std::fs::read_to_string(&file).ok().as_ref() == Some(page) {
            continue;
        }
        if update {
            std::fs::create_dir_all(file.parent().expect("a directory")).expect("writable");
            std::fs::write(&file, page).expect("writable");
        } else {
            stale.push(path);
        }
    }
    assert!(
        stale.is_empty(),
        "not up to date (UPDATE_EXPECT=1 writes them): {stale:?}"
    );
    let pages = std::fs::read_dir(root().join(PAGES)).expect("a directory");
    assert_eq!(pages.count(), wanted.len(), "there are pages for no code");
}

#[test]
fn an_explanation_reads_well() {
    let dir = Dir::new(&[]);
    dir.run("explain FK0109").expect(expect_test::expect![[r#"
        FK0109 (error): A hole: a term is missing

        `_` in the place of a term is a hole: a term that is still to be written. So is `_name`, where nothing has that name. The message says which
        type the place needs.

        Wrong:

            next : Int -> Int
            next n = _ + 1

        Write the term. An editor shows at a hole what is in sight, which ability the term may use, and what fits there.

        Right:

            next : Int -> Int
            next n = n + 1

        In a pattern `_` is no hole: it says that a value is not needed, and binds nothing that could be read.

        A hole keeps nothing from running. A run that comes to one ends there, with this message and the exit code 3. `frank check --holes allow`,
        or `holes = "allow"` in `frank.toml`, counts holes as hints.

        https://github.com/frank-tools/frank/blob/main/docs/diagnostics/FK0109.md
        exit 0
    "#]]);
}
