//! `frank fill`.

use expect_test::expect;
use serde_json::{Value, json};

use crate::support::{Dir, GOOD};

/// Two holes, and an item beside them that does not parse.
const HOLES: &str = "\
-- > twice 3
-- = 6
twice : Int -> Int
twice n = _

both : Int -> Bool -> Int
both n b = twice _more

data = |
";

#[test]
fn what_fits_is_written_for_people() {
    let dir = Dir::new(&[("holes.fk", HOLES)]);
    let run = dir.run("fill holes.fk --at 4");
    // How much was tried in the time is another number each time.
    let (fits, terms) = run.stdout.split_once("whole terms:\n").expect("terms");
    assert!(fits.starts_with("holes.fk:4:11: _ : Int\n  n\n"), "{fits}");
    assert!(
        terms.starts_with("  n + n  (the examples hold)\n"),
        "{terms}"
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn objects_say_the_same() {
    let dir = Dir::new(&[("holes.fk", HOLES)]);
    let all = dir.run("fill holes.fk --format json --timeout 200ms");
    let objects = all.stdout.lines();
    let objects: Vec<Value> = objects
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(objects.len(), 2, "{}", all.stdout);
    let more = &objects[1];
    assert_eq!(more["hole"], "_more");
    assert_eq!(more["inside"], "both");
    assert_eq!(more["type"], "Int");
    assert_eq!(more["file"], "holes.fk");
    let range = json!({ "start": { "line": 7, "column": 18 }, "end": { "line": 7, "column": 23 } });
    assert_eq!(more["range"], range);
    let fits = more["fits"].as_array().expect("fits");
    assert!(
        fits.contains(&json!({ "text": "n", "holes": false })),
        "{more}"
    );
    assert!(
        more["note"].as_str().expect("a note").contains("begun"),
        "{more}"
    );
    // A column anywhere in the hole, or right behind it.
    for column in [18, 20, 23] {
        let one = dir.run(&format!("fill - --at 7:{column} --timeout 1ms"));
        assert_eq!(one.code, 1, "standard input has none");
        let one = dir.run_input(&format!("fill - --at 7:{column} --timeout 1ms"), HOLES);
        assert!(
            one.stdout.starts_with("<stdin>:7:18: _more"),
            "{}",
            one.stdout
        );
    }
}

#[test]
fn where_there_is_no_hole() {
    let dir = Dir::new(&[("good.fk", GOOD), ("holes.fk", HOLES)]);
    dir.run("fill good.fk").expect(expect![[r#"
        stderr: frank: good.fk: there is no hole in this file
        exit 1
    "#]]);
    dir.run("fill holes.fk --at 7:17").expect(expect![[r#"
        stderr: frank: holes.fk: there is no hole there
        exit 1
    "#]]);
    assert_eq!(dir.run("fill gone.fk").code, 2);
    assert_eq!(dir.run("fill .").code, 2);
    for place in ["0", "x", "4:", "4:0", "4:1:1"] {
        let run = dir.run(&format!("fill holes.fk --at {place}"));
        assert_eq!(run.code, 2, "{place}");
        assert!(run.stderr.contains("a place is a line"), "{}", run.stderr);
    }
}
