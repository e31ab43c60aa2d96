//! Folding, selections, links, linked names, symbols.

use expect_test::{Expect, expect};
use text_size::TextRange;

use super::fixture::Fixture;
use crate::{DocumentSymbol, FileRange};

fn visible(text: &str) -> String {
    text.replace('\n', "⏎")
}

fn check_folds(fixture: &str, expected: Expect) {
    let fixture = Fixture::new(fixture);
    let file = fixture.main();
    let folds = fixture.analysis().folds(file);
    let lines: Vec<String> = folds
        .iter()
        .map(|fold| {
            let at = FileRange {
                file,
                range: fold.range,
            };
            format!("{:?} {}\n", fold.kind, visible(&fixture.place(at)))
        })
        .collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn folds() {
    check_folds(
        "include prelude
include ad

-- One
-- two.
f : Int
 -> Int
f x =
  case x {
    0 -> [
      1,
      2]
  }
{-- a
b --}
g : {Int}
",
        expect![[r#"
            Includes main.fk:1:8 ` prelude⏎include ad`
            Comment main.fk:4:7 `⏎-- two.`
            Region main.fk:6:8 `⏎ -> Int⏎f x =⏎  case x {⏎    0 -> [⏎      1,⏎      2]⏎  }`
            Region main.fk:6:8 `⏎ -> Int`
            Region main.fk:8:6 `⏎  case x {⏎    0 -> [⏎      1,⏎      2]⏎  }`
            Region main.fk:9:11 `⏎    0 -> [⏎      1,⏎      2]⏎  `
            Region main.fk:10:11 `⏎      1,⏎      2`
            Comment main.fk:14:6 `⏎b --}`
        "#]],
    );
    check_folds("f x = (\n\n", expect![[""]]);
}

fn check_selections(fixture: &str, expected: Expect) {
    let fixture = Fixture::new(fixture);
    let at = fixture.cursor();
    let ranges = fixture.analysis().selections(at);
    let lines: Vec<String> = ranges
        .iter()
        .map(|range| {
            visible(&fixture.text(FileRange {
                file: at.file,
                range: *range,
            })) + "\n"
        })
        .collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn selections() {
    check_selections(
        "-- c\nf : Int -> Int\nf x = g (h [x$0y, z]) {y -> y}\n",
        expect![[r#"
        xy
        [xy, z]
        h [xy, z]
        (h [xy, z])
        g (h [xy, z]) {y -> y}
        f x = g (h [xy, z]) {y -> y}
        f x = g (h [xy, z]) {y -> y}⏎
        -- c⏎f : Int -> Int⏎f x = g (h [xy, z]) {y -> y}⏎
    "#]],
    );
    check_selections(
        "f : List (May$0be X) -> Int\n",
        expect![[r#"
        Maybe
        Maybe X
        (Maybe X)
        List (Maybe X)
        List (Maybe X) -> Int
        f : List (Maybe X) -> Int
        f : List (Maybe X) -> Int⏎
    "#]],
    );
    check_selections(
        "f x = ($0",
        expect![[r#"
        (
        f x = (
    "#]],
    );
}

fn check_symbols(fixture: &str, expected: Expect) {
    fn show(fixture: &Fixture, symbols: &[DocumentSymbol], depth: usize, out: &mut String) {
        for symbol in symbols {
            let focus = FileRange {
                file: fixture.main(),
                range: symbol.focus,
            };
            let detail = symbol
                .detail
                .as_deref()
                .map_or(String::new(), |d| format!(" : {d}"));
            out.push_str(&format!(
                "{}{:?} {}{detail} ({})\n",
                "  ".repeat(depth),
                symbol.kind,
                symbol.name,
                fixture.place(focus)
            ));
            assert!(symbol.range.contains_range(symbol.focus));
            for child in &symbol.children {
                assert!(symbol.range.contains_range(child.range));
            }
            show(fixture, &symbol.children, depth + 1, out);
        }
    }
    let fixture = Fixture::new(fixture);
    let mut out = String::new();
    show(
        &fixture,
        &fixture.analysis().document_symbols(fixture.main()),
        0,
        &mut out,
    );
    expected.assert_eq(&out);
}

#[test]
fn document_symbols() {
    check_symbols(
        "
include prelude
data Tree X = leaf | node (Tree X) X
interface St S = rd : S | wr X : S -> X -> Unit
interface Both = [St Int, St Char]
state : S -> <St S>X -> X
state s <rd -> k> = state s (k s)
state _ x         = x
main : {Int}
main! = 1
op0 : Int -> Int
op1 : Int -> Int
op0 x = x
op1 x = x
broken (
",
        expect![[r#"
            Data Tree (main.fk:3:6 `Tree`)
              Constructor leaf (main.fk:3:15 `leaf`)
              Constructor node : (Tree X) X (main.fk:3:22 `node`)
            Interface St (main.fk:4:11 `St`)
              Command rd : S (main.fk:4:18 `rd`)
              Command wr : S -> X -> Unit (main.fk:4:27 `wr`)
            Alias Both (main.fk:5:11 `Both`)
            Handler state : S -> <St S>X -> X (main.fk:6:1 `state`)
              Handler state s <rd -> k> (main.fk:7:1 `state`)
              Handler state _ x (main.fk:8:1 `state`)
            Value main : {Int} (main.fk:9:1 `main`)
            Operator op0 : Int -> Int (main.fk:11:1 `op0`)
            Operator op1 : Int -> Int (main.fk:12:1 `op1`)
            Operator op0 (main.fk:13:1 `op0`)
            Operator op1 (main.fk:14:1 `op1`)
        "#]],
    );
}

#[test]
fn workspace_symbols() {
    let fixture = Fixture::new(
        "
data Tree X = leaf | node (Tree X) X
evalState : {Int}
state : {Int}
stale : {Int}
//- b.fk
interface State S = get : S
",
    );
    let analysis = fixture.analysis();
    let check = |query: &str, expected: Expect| {
        let found = analysis.workspace_symbols(query, 10);
        let lines: Vec<String> = found
            .iter()
            .map(|s| format!("{:?} {} {:?}\n", s.kind, s.name, s.container))
            .collect();
        expected.assert_eq(&lines.concat());
    };
    check(
        "state",
        expect![[r#"
        Value state None
        Interface State None
        Value evalState None
    "#]],
    );
    check(
        "sae",
        expect![[r#"
        Interface State None
        Value stale None
        Value state None
        Value evalState None
    "#]],
    );
    check(
        "node",
        expect![[r#"
        Constructor node Some("Tree")
    "#]],
    );
}

#[test]
fn links() {
    let fixture = Fixture::new(
        "include lib\n  ^^^\ninclude ad-paper\ninclude nowhere\n//- lib.fk\nx : {Int}\n",
    );
    let analysis = fixture.analysis();
    let links = analysis.links(fixture.main());
    let shown: Vec<String> = links
        .iter()
        .map(|link| {
            let text = fixture.text(FileRange {
                file: fixture.main(),
                range: link.range,
            });
            format!("{text} -> {}", link.target.path(fixture.files.db()))
        })
        .collect();
    assert_eq!(shown, ["lib -> lib.fk", "ad-paper -> library:/ad-paper.fk"]);
}

#[test]
fn linked_names() {
    let check = |text: &str| {
        let fixture = Fixture::new(text);
        let found = fixture
            .analysis()
            .linked_names(fixture.cursor())
            .unwrap_or_default();
        let wanted: Vec<TextRange> = fixture.marks.iter().map(|(at, _)| at.range).collect();
        assert_eq!(found, wanted);
    };
    check("f : Int -> Int\n^\nf$0 0 = f 1\n^\ng x = f x\nf x = x\n^\n");
    check("f : Int -> Int\nf 0 = f$0 1\n");
    check("f$0 : Int -> Int\n");
}

#[test]
fn a_string_of_several_lines_is_coloured_as_one() {
    let fixture = Fixture::new(
        r#"main : {List String}
main! = ["a\
    \ -- b", "\^\", "c"] -- d
"#,
    );
    let file = fixture.main();
    let tokens = fixture.analysis().semantic_tokens(file, None);
    let lines: Vec<String> = tokens
        .iter()
        .map(|token| {
            let at = FileRange {
                file,
                range: token.range,
            };
            format!("{:?} {}\n", token.kind, visible(&fixture.place(at)))
        })
        .collect();
    expect![[r#"
        Value main.fk:1:1 `main`
        Data main.fk:1:9 `List`
        BuiltinType main.fk:1:14 `String`
        Value main.fk:2:1 `main`
        String main.fk:2:10 `"a\`
        String main.fk:3:5 `\ -- b"`
        String main.fk:3:14 `"\^\"`
        String main.fk:3:21 `"c"`
        Comment main.fk:3:26 `-- d`
    "#]]
    .assert_eq(&lines.concat());
}
