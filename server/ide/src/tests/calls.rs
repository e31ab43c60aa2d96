//! References, highlights, call hierarchy.

use expect_test::{Expect, expect};

use super::fixture::Fixture;
use crate::{Call, Def};

#[test]
fn references_in_all_files() {
    let check = |text: &str| {
        let fixture = Fixture::new(text);
        let analysis = fixture.analysis();
        let found = analysis.references(fixture.cursor(), false);
        let mut found: Vec<String> = found.iter().map(|r| fixture.place(r.at)).collect();
        let mut wanted: Vec<String> = fixture.ranges().iter().map(|r| fixture.place(*r)).collect();
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted);
    };
    check(
        "
include lib
f : {Int}
f! = g! + (let g = 1 in g)
     ^
//- lib.fk
$0g : {Int}
g! = 1
//- b.fk
include lib
h : {Int}
h! = g!
     ^
//- unrelated.fk
g : {Int}
g! = g!
",
    );
    check(
        "
interface St X = get$0 : X
f : <St X>Y -> [St X]Y
f <get -> k> = f (k get!)
   ^^^              ^^^
",
    );
    check(
        "
f : $0X -> X
         ^
g : X -> X
",
    );
}

#[test]
fn library_definitions_have_references_everywhere() {
    let fixture = Fixture::new("include prelude\nf : {Int}\nf! = $0fst (pair 1 2)\n");
    let found = fixture.analysis().references(fixture.cursor(), true);
    let paths: Vec<&str> = found
        .iter()
        .map(|r| r.at.file.path(fixture.files.db()))
        .collect();
    assert!(paths.contains(&"main.fk") && paths.contains(&"library:/prelude.fk"));
}

#[test]
fn highlights() {
    let check = |text: &str, expected: Expect| {
        let fixture = Fixture::new(text);
        let at = fixture.cursor();
        let found = fixture.analysis().highlights(at);
        let lines: Vec<String> = found
            .iter()
            .map(|h| {
                let place = crate::FileRange {
                    file: at.file,
                    range: h.range,
                };
                format!("{:?} {}\n", h.kind, fixture.place(place))
            })
            .collect();
        expected.assert_eq(&lines.concat());
    };
    check(
        "f : Int -> Int\nf $0x = let y = x in {x -> x}; x\n",
        expect![[r#"
        Write main.fk:2:3 `x`
        Read main.fk:2:15 `x`
        Read main.fk:2:30 `x`
    "#]],
    );
    check(
        "
interface St X = get : X | put : X -> Unit
tick : [St Int]Int
tick! = 1
f : [$0St Int]Int
f! = put 1; tick!; get!
",
        expect![[r#"
    Write main.fk:2:11 `St`
    Read main.fk:3:9 `St`
    Read main.fk:5:6 `St`
    Read main.fk:6:6 `put`
    Read main.fk:6:13 `tick`
    Read main.fk:6:20 `get`
"#]],
    );
}

#[test]
fn a_handler_highlights_the_commands_that_it_takes() {
    let fixture = Fixture::new(
        "
interface St X = get : X
h : <St Int>X -> X
h <get -> k> = h (k 1)
h x = x
main : {Int}
main! = h$0 (get! + h (get!) + <St> (h get!) + (<St(s x -> s x)> get!))
",
    );
    let at = fixture.cursor();
    let found = fixture.analysis().highlights(at);
    let found = found.iter().filter(|h| h.range.start() > at.offset);
    let columns: Vec<u32> = found
        .map(|h| u32::from(h.range.start() - at.offset))
        .collect();
    // The first `get`, and the last; the calls of `h` light up as its name.
    assert_eq!(columns, [2, 9, 26, 54]);
}

fn show(fixture: &Fixture, calls: &[Call]) -> String {
    let lines: Vec<String> = calls
        .iter()
        .map(|call| {
            let at: Vec<String> = call.at.iter().map(|at| fixture.place(*at)).collect();
            let item = &call.item;
            format!(
                "{:?} {} {} from {}\n",
                item.kind,
                item.name,
                item.detail,
                at.join(", ")
            )
        })
        .collect();
    lines.concat()
}

#[test]
fn call_hierarchy() {
    let check = |text: &str, expected: Expect| {
        let fixture = Fixture::new(text);
        let analysis = fixture.analysis();
        let item = analysis.call_item(fixture.cursor()).expect("an item");
        let def: Def = item.def;
        let text = format!(
            "{:?} {} {}\nincoming:\n{}outgoing:\n{}",
            item.kind,
            item.name,
            item.detail,
            show(&fixture, &analysis.incoming_calls(def)),
            show(&fixture, &analysis.outgoing_calls(def))
        );
        expected.assert_eq(&text);
    };
    check(
        "
interface St X = get : X
tick : Int -> [St Int]Int
tick x = get! + tick (get!)
handle : <St Int>X -> X
handle <get -> k> = handle (k 1)
handle x = x
main : {Int}
main! = handle (tic$0k 1)
",
        expect![[r#"
    Operator tick [St Int]
    incoming:
    Operator tick [St Int] from main.fk:4:17 `tick`
    Value main [] from main.fk:9:17 `tick`
    outgoing:
    Command get St from main.fk:4:10 `get`, main.fk:4:23 `get`
    Operator tick [St Int] from main.fk:4:17 `tick`
"#]],
    );
    check(
        "
interface St X = ge$0t : X
tick : Int -> [St Int]Int
tick x = get! + tick (get!)
handle : <St Int>X -> X
handle <get -> k> = handle (k 1)
",
        expect![[r#"
    Command get St
    incoming:
    Operator tick [St Int] from main.fk:4:10 `get`, main.fk:4:23 `get`
    outgoing:
    Handler handle [] from main.fk:6:9 `get`
"#]],
    );
}
