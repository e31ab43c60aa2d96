//! What an edit makes analysis do again, seen through salsa's events; and that the outcome is
//! always what a check from scratch finds.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod random_edits;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use expect_test::expect;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_analysis::link::{EntryPoint, link};
use frank_analysis::program::{Definition, OperatorDef};
use frank_syntax::ast::Symbol;

/// Files with a record of the queries that ran.
struct Recorded {
    files: Files,
    events: Arc<Mutex<Vec<String>>>,
}

impl Recorded {
    fn new(texts: &[(&str, &str)]) -> Recorded {
        let events: Arc<Mutex<Vec<String>>> = Arc::default();
        let record = events.clone();
        let mut files = Files::new(Some(Box::new(move |event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                record.lock().unwrap().push(format!("{database_key:?}"));
            }
        })));
        for (path, text) in texts {
            files.set_text(path, text);
        }
        let recorded = Recorded { files, events };
        recorded.errors();
        recorded.executed();
        recorded
    }

    /// How many errors there are in all files.
    fn errors(&self) -> usize {
        let mut count = 0;
        for path in ["lib.fk", "main.fk"] {
            let Some(file) = self.files.file(path) else {
                continue;
            };
            let found = file_diagnostics(self.files.db(), file);
            count += found.iter().filter(|problem| problem.is_error()).count();
        }
        count
    }

    /// How often each query ran since the last time.
    fn executed(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for event in self.events.lock().unwrap().drain(..) {
            let query = event.split('(').next().unwrap_or_default().to_owned();
            *counts.entry(query).or_insert(0) += 1;
        }
        counts
    }

    /// Replaces the first occurrence of `old` in a file.
    fn replace(&mut self, path: &str, old: &str, new: &str) {
        let file = self.files.file(path).unwrap();
        let text = self.files.text(file);
        let start = text.find(old).unwrap();
        let edited = text.replacen(old, new, 1);
        self.files
            .edit(file, edited.as_str(), start..start + old.len(), new.len());
    }

    /// The queries that ran for an edit, once the diagnostics are known again.
    fn after(&mut self, path: &str, old: &str, new: &str) -> BTreeMap<String, usize> {
        self.replace(path, old, new);
        self.errors();
        self.executed()
    }
}

fn times(executed: &BTreeMap<String, usize>, query: &str) -> usize {
    executed.get(query).copied().unwrap_or(0)
}

const MAIN: &str = "\
include lib

-- The first operator.
one : Int -> Int
one x = twice (x + 1)

two : Int -> Int
two x = one (one x)

three : {Int}
three! = two 3 + four!

four : {Int}
four! = 4
";

const LIB: &str = "\
twice : Int -> Int
twice x = x + x

unrelated : Int -> Int
unrelated x = x
";

fn recorded() -> Recorded {
    let recorded = Recorded::new(&[("lib.fk", LIB), ("main.fk", MAIN)]);
    assert_eq!(recorded.errors(), 0);
    recorded
}

#[test]
fn editing_a_body_checks_that_operator_again_and_nothing_else() {
    let mut files = recorded();
    let executed = files.after("main.fk", "x + 1", "x + 10");
    assert_eq!(times(&executed, "operator_diagnostics"), 1, "{executed:?}");
    assert_eq!(times(&executed, "parsed"), 1, "{executed:?}");
    for query in [
        "scope_index",
        "resolved",
        "declared_signature",
        "operator_items",
    ] {
        assert_eq!(times(&executed, query), 0, "{query}: {executed:?}");
    }
}

#[test]
fn editing_a_body_asks_nothing_about_the_whole_program_again() {
    let mut files = recorded();
    files.after(
        "main.fk",
        "four!\n",
        "four!\n\nmain : {Int}\nmain! = three! + one 1\n",
    );
    let executed = files.after("main.fk", "x + 1", "x + 10");
    for query in [
        "unused_operators",
        "words_in_broken_items",
        "duplicates",
        "declarations",
        "meaning",
    ] {
        assert_eq!(times(&executed, query), 0, "{query}: {executed:?}");
    }
}

#[test]
fn breaking_a_body_is_reported_until_it_is_mended() {
    let mut files = recorded();
    let executed = files.after("main.fk", "two 3", "two 'c'");
    assert_eq!(times(&executed, "operator_diagnostics"), 1, "{executed:?}");
    assert_eq!(files.errors(), 1);
    let executed = files.after("main.fk", "two 'c'", "two 3");
    assert_eq!(times(&executed, "operator_diagnostics"), 1, "{executed:?}");
    assert_eq!(files.errors(), 0);
}

#[test]
fn text_and_comments_above_change_nothing() {
    let mut files = recorded();
    for (old, new) in [
        ("include lib\n", "include lib\n\n\n"),
        (
            "-- The first operator.",
            "-- The first operator,\n-- with more to say of it.",
        ),
        ("four : {Int}", "-- The last one.\nfour : {Int}"),
    ] {
        let executed = files.after("main.fk", old, new);
        assert_eq!(
            times(&executed, "operator_diagnostics"),
            0,
            "{new:?}: {executed:?}"
        );
        assert_eq!(times(&executed, "scope_index"), 0, "{new:?}: {executed:?}");
    }
}

#[test]
fn a_comment_inside_a_body_moves_positions_and_changes_no_type() {
    let mut files = recorded();
    files.after("main.fk", "two 3 + four!", "two 'c' + four!");
    let place = |files: &Recorded| {
        let file = files.files.file("main.fk").unwrap();
        let found = file_diagnostics(files.files.db(), file);
        let range = files.files.range(found.first().unwrap().location);
        files.files.text(file)[range].to_owned()
    };
    assert_eq!(place(&files), "'c'");
    let executed = files.after("main.fk", "three! = two", "three! = {-- here --}\n  two");
    assert_eq!(times(&executed, "operator_diagnostics"), 0, "{executed:?}");
    assert_eq!(place(&files), "'c'");
}

#[test]
fn editing_a_signature_checks_its_users_again() {
    let mut files = recorded();
    let executed = files.after("main.fk", "one : Int -> Int", "one : Int -> Char");
    // `one` itself and its only user, `two`.
    assert_eq!(times(&executed, "operator_diagnostics"), 2, "{executed:?}");
    // Its clause and its call agree, so the signature alone is the mistake.
    assert_eq!(files.errors(), 1);
    let executed = files.after("lib.fk", "twice : Int -> Int", "twice : Int -> [0]Int");
    assert_eq!(times(&executed, "operator_diagnostics"), 2, "{executed:?}");
}

#[test]
fn another_file_stays_untouched() {
    let mut files = recorded();
    let executed = files.after("lib.fk", "unrelated x = x", "unrelated x = x + 1");
    assert_eq!(times(&executed, "operator_diagnostics"), 1, "{executed:?}");
    assert_eq!(times(&executed, "parsed"), 1, "{executed:?}");
}

#[test]
fn a_new_item_checks_itself_only() {
    let mut files = recorded();
    let executed = files.after(
        "main.fk",
        "four : {Int}",
        "five : {Int}\nfive! = 5\n\nfour : {Int}",
    );
    assert_eq!(times(&executed, "operator_diagnostics"), 1, "{executed:?}");
    assert_eq!(times(&executed, "parsed"), 2, "{executed:?}");
    assert_eq!(files.errors(), 0);
}

#[test]
fn moving_an_item_checks_nothing_again() {
    let mut files = recorded();
    let file = files.files.file("main.fk").unwrap();
    let text = files.files.text(file);
    let item = "four : {Int}\nfour! = 4\n";
    let moved = text
        .replace(item, "")
        .replace("two : Int", &format!("{item}\ntwo : Int"));
    files.files.set_text("main.fk", &moved);
    assert_eq!(files.errors(), 0);
    let executed = files.executed();
    assert_eq!(times(&executed, "operator_diagnostics"), 0, "{executed:?}");
}

/// Links an operator, and says how often each query ran for it.
fn linked(files: &Recorded, name: &str) -> BTreeMap<String, usize> {
    files.executed();
    let scope = files.files.file("main.fk").unwrap();
    let name = Symbol::new(name);
    let entry = EntryPoint::Operator(OperatorDef(Definition { scope, name }));
    let program = link(files.files.db(), &[entry]).unwrap();
    assert_eq!(program.entries.len(), 1);
    files.executed()
}

#[test]
fn linking_again_lowers_what_was_edited_and_nothing_else() {
    let mut files = recorded();
    // `three`, `two`, `one`, `twice` and `four`.
    let executed = linked(&files, "three");
    assert_eq!(times(&executed, "lowered_operator"), 5, "{executed:?}");
    let executed = linked(&files, "three");
    assert_eq!(times(&executed, "lowered_operator"), 0, "{executed:?}");
    files.after("main.fk", "x + 1", "x + 10");
    let executed = linked(&files, "three");
    assert_eq!(times(&executed, "lowered_operator"), 1, "{executed:?}");
    // What is edited above moves the others; what is not reached does not count.
    for (path, old, new) in [
        ("main.fk", "include lib\n", "include lib\n\n\n"),
        ("lib.fk", "unrelated x = x", "unrelated x = x + 1"),
    ] {
        files.after(path, old, new);
        let executed = linked(&files, "three");
        assert_eq!(times(&executed, "lowered_operator"), 0, "{executed:?}");
    }
}

const PAPER: &str = "\
include ad-paper

square : Prop X -> [Checkpoint X [F|], Smooth (Prop X)](Prop X)
square x = checkpoint {t x x}

other : Int -> Int
other x = x + 1

slope : {Prop X -> [RefState, Smooth X, Checkpoint X, Smooth (Prop X)](Prop X)}
     -> X -> [RefState, Smooth X]X
slope f x = gradc f x

start : [RefState]{Int}
start! = evaluate (slope {x -> <Smooth(s a b -> s b)> (square x)} 3)
";

const RESUMED: &str = "\
include ad

interface Toss = toss : Bool

other : Int -> Int
other x = x + 1

both : <Toss>X -> List X
both x           = [x]
both <toss -> k> = both (k true)

once : <Toss>X -> List X
once x           = [x]
once <toss -> k> = once (k true)

start : [RefState]{List Float}
start! = both (evaluate (grad {x -> if toss! {x} {t x x}} 2))

apart : [RefState]{List Float}
apart! = both (if toss! {1.0} {2.0})
";

fn codes(files: &Recorded) -> Vec<&'static str> {
    let file = files.files.file("main.fk").unwrap();
    let found = file_diagnostics(files.files.db(), file);
    found.iter().map(|problem| problem.code.as_str()).collect()
}

/// What is found of an operator may lie in the clauses of another one.
#[test]
fn findings_about_derivatives_follow_the_clauses_that_make_them() {
    let mut files = Recorded::new(&[("main.fk", PAPER)]);
    assert_eq!(codes(&files), ["FK0413"]);
    files.replace("main.fk", "gradc f x", "grad {y -> t y y} x");
    assert_eq!(codes(&files), ["FK0405"]);
    files.replace("main.fk", "grad {y -> t y y} x", "gradc f x");
    assert_eq!(codes(&files), ["FK0413"]);
    let mut files = Recorded::new(&[("main.fk", RESUMED)]);
    assert!(codes(&files).is_empty());
    let more = "append (both (k true)) (both (k false))";
    files.replace("main.fk", "both (k true)", more);
    assert_eq!(codes(&files), ["FK0414"]);
    // The handler stands around something else, and comes back through another operator.
    files.replace("main.fk", "both (evaluate", "once (evaluate");
    assert!(codes(&files).is_empty());
    let through = "{case start! {(x :: _) -> x | _ -> 0.0}})";
    files.replace("main.fk", "{2.0})", through);
    assert_eq!(codes(&files), ["FK0414"]);
    files.replace("main.fk", through, "{2.0})");
    assert!(codes(&files).is_empty());
    files.replace("main.fk", "once (evaluate", "both (evaluate");
    assert_eq!(codes(&files), ["FK0414"]);
    files.replace("main.fk", more, "both (k true)");
    assert!(codes(&files).is_empty());
}

#[test]
fn editing_another_body_asks_nothing_about_derivatives_again() {
    for text in [PAPER, RESUMED] {
        let mut files = Recorded::new(&[("main.fk", text)]);
        let executed = files.after("main.fk", "x + 1", "x + 10");
        assert_eq!(times(&executed, "operator_diagnostics"), 1, "{executed:?}");
        for query in ["checkpoints", "uses", "gradients", "runs"] {
            assert_eq!(times(&executed, query), 0, "{query}: {executed:?}");
        }
    }
}

/// The queries that run for an edit of a program of 3,000 lines.
fn after_in_large(old: &str, new: &str) -> BTreeMap<String, usize> {
    let text = frank_tests::generate::program(3_000);
    let mut files = Recorded::new(&[("main.fk", &text)]);
    // What is done once for a kind of edit is not what is counted.
    files.after("main.fk", old, new);
    files.after("main.fk", new, old);
    files.after("main.fk", old, new)
}

#[test]
fn another_name_asks_those_alone_who_asked_for_it() {
    let executed = after_in_large("insert20 : Int", "inserted20 : Int");
    // The operator under both names, and the only other one that mentions it.
    assert_eq!(times(&executed, "operator_diagnostics"), 3, "{executed:?}");
    assert_eq!(times(&executed, "parsed"), 1, "{executed:?}");
    for query in ["meaning", "group_diagnostics", "kept_facts"] {
        assert!(times(&executed, query) <= 3, "{query}: {executed:?}");
    }
}

#[test]
fn a_new_item_leaves_the_groups_behind_it_alone() {
    let new = "added : Int -> Int\nadded x = x + 1\n\ninsert20 : Int";
    let executed = after_in_large("insert20 : Int", new);
    assert_eq!(times(&executed, "operator_diagnostics"), 1, "{executed:?}");
    for query in ["group_diagnostics", "kept_facts", "names", "kept_helpers"] {
        assert_eq!(times(&executed, query), 1, "{query}: {executed:?}");
    }
}

#[test]
fn groups_are_cut_and_joined_as_items_come_and_go() {
    let mut files = Recorded::new(&[("main.fk", "a : Int -> Int\na x = x\n")]);
    let many: String = (0..400)
        .map(|n| format!("f{n} : Int -> Int\nf{n} x = a x\n"))
        .collect();
    let sizes = |files: &Recorded| -> Vec<usize> {
        let db = files.files.db();
        let file = files.files.file("main.fk").unwrap();
        let groups = file.groups(db).iter();
        groups.map(|group| group.entries(db).len()).collect()
    };
    files.replace("main.fk", "a : Int", &format!("{many}a : Int"));
    assert_eq!(sizes(&files).iter().sum::<usize>(), 802);
    assert!(sizes(&files).iter().all(|size| (32..=128).contains(size)));
    files.replace("main.fk", &many, "");
    assert_eq!(sizes(&files), [2]);
    assert_eq!(files.errors(), 0);
}

#[test]
fn another_declaration_asks_those_alone_who_mention_it() {
    let executed = after_in_large("tick20 : Int", "tick20 : Char");
    assert_eq!(times(&executed, "operator_diagnostics"), 2, "{executed:?}");
    assert_eq!(times(&executed, "group_diagnostics"), 1, "{executed:?}");
    assert_eq!(times(&executed, "parsed"), 1, "{executed:?}");
}

#[test]
fn an_operator_in_many_groups_is_looked_through_once() {
    let clauses: String = (0..400).map(|n| format!("f {n} = {n}\n")).collect();
    let text = format!("f : Int -> Int\n{clauses}f n = n\n");
    let mut files = Recorded::new(&[("main.fk", &text)]);
    let executed = files.after("main.fk", "f 300 = 300", "f 300 = 301");
    for query in ["operator_diagnostics", "whole_operator", "names", "parsed"] {
        assert_eq!(times(&executed, query), 1, "{query}: {executed:?}");
    }
    // What stands in one group is wrong because of another one.
    files.after("main.fk", "f 7 = 7", "f n = 7");
    let found = file_diagnostics(files.files.db(), files.files.file("main.fk").unwrap());
    let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    expect!["this clause leaves nothing to the 393 below it, which match everything by themselves"]
        .assert_eq(&messages.join("\n"));
    files.after("main.fk", "f n = 7", "f 7 = 7");
    assert!(codes(&files).is_empty());
}
