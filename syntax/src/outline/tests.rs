#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use proptest::prelude::*;

use super::*;

/// One line for each item: its kind, name, flags and text.
fn shown(text: &str) -> Vec<String> {
    let items = split(text);
    check_tiling(text, &items);
    items
        .iter()
        .map(|item| {
            let name = item.name.map_or("_", |name| name.as_str());
            let left = if item.left_of_column { " left" } else { "" };
            let unclosed = if item.unclosed_comment {
                " unclosed"
            } else {
                ""
            };
            format!(
                "{:?} {name}{left}{unclosed} {:?}",
                item.kind,
                item.text(text)
            )
        })
        .collect()
}

fn check_tiling(text: &str, items: &[OutlineItem]) {
    let mut end = 0;
    for item in items {
        assert_eq!(item.range.start, end, "{text:?}");
        assert!(
            item.range.start + item.token_offset < item.range.end,
            "{text:?}"
        );
        assert!(text.is_char_boundary(item.range.end), "{text:?}");
        end = item.range.end;
    }
    assert!(items.is_empty() || end == text.len(), "{text:?}");
}

#[track_caller]
fn check(text: &str, expect: &[&str]) {
    assert_eq!(shown(text), expect);
}

#[test]
fn no_tokens_no_items() {
    check("", &[]);
    check("\n  \n", &[]);
    check("\u{feff}", &[]);
    check("-- only\n{-- comments --}\n", &[]);
}

#[test]
fn kinds_and_names() {
    check(
        "data Maybe X = nothing | just X\n\
         interface Smooth X = ap0 : Op0 -> X\n\
         interface A = [B, C]\n\
         include ad-paper\n\
         f : Int -> Int\n\
         f x = x\n\
         main! = f 3\n\
         main!= 3\n\
         g <m>= 3\n\
         g (x :: [y, 'z', \"=\"]) -1 <c.2 x -> k> = x\n",
        &[
            "Data Maybe \"data Maybe X = nothing | just X\\n\"",
            "Interface Smooth \"interface Smooth X = ap0 : Op0 -> X\\n\"",
            "Interface A \"interface A = [B, C]\\n\"",
            "Include ad-paper \"include ad-paper\\n\"",
            "Signature f \"f : Int -> Int\\n\"",
            "Clause f \"f x = x\\n\"",
            "Clause main \"main! = f 3\\n\"",
            "Clause main \"main!= 3\\n\"",
            "Clause g \"g <m>= 3\\n\"",
            "Clause g \"g (x :: [y, 'z', \\\"=\\\"]) -1 <c.2 x -> k> = x\\n\"",
        ],
    );
}

#[test]
fn kinds_of_what_is_broken() {
    let kind = |text: &str| {
        let items = split(text);
        assert_eq!(items.len(), 1, "{text:?}");
        (items[0].kind, items[0].name.map(|name| name.as_str()))
    };
    assert_eq!(kind("f"), (OutlineKind::Other, Some("f")));
    assert_eq!(kind("f x y"), (OutlineKind::Other, Some("f")));
    assert_eq!(kind("f = 3"), (OutlineKind::Clause, Some("f")));
    assert_eq!(kind("f (x = 3"), (OutlineKind::Clause, Some("f")));
    assert_eq!(kind("f x == y"), (OutlineKind::Other, Some("f")));
    assert_eq!(kind("f x <= y"), (OutlineKind::Other, Some("f")));
    assert_eq!(kind("f (let x = 3 in x)"), (OutlineKind::Other, Some("f")));
    assert_eq!(kind("f :: x"), (OutlineKind::Other, Some("f")));
    assert_eq!(
        kind("f {-- : --} -- =\n  : Int"),
        (OutlineKind::Signature, Some("f"))
    );
    assert_eq!(kind("let x = 3 in x"), (OutlineKind::Other, None));
    assert_eq!(kind("String : Int"), (OutlineKind::Other, None));
    assert_eq!(kind("(f x)"), (OutlineKind::Other, None));
    assert_eq!(kind("42"), (OutlineKind::Other, None));
    assert_eq!(kind("data"), (OutlineKind::Data, None));
    assert_eq!(kind("data Int = x"), (OutlineKind::Data, None));
    assert_eq!(kind("include"), (OutlineKind::Include, None));
    assert_eq!(kind("include a -b"), (OutlineKind::Include, Some("a")));
    assert_eq!(kind("include a-- b"), (OutlineKind::Include, Some("a")));
    assert_eq!(kind("data' x = 3"), (OutlineKind::Clause, Some("data'")));
    assert_eq!(kind("é' x = 3"), (OutlineKind::Clause, Some("é'")));
}

#[test]
fn comments_belong_to_the_item_below_but_trailing_ones_above() {
    check(
        "\n-- about f\nf : Int -- more\n  -- inside\n\n{-- about\n g --}\ng : Int\n\n-- end\n",
        &[
            "Signature f \"\\n-- about f\\nf : Int -- more\\n\"",
            "Signature g \"  -- inside\\n\\n{-- about\\n g --}\\ng : Int\\n\\n-- end\\n\"",
        ],
    );
    check(
        "f : Int {-- a\n{-- b --}\n--} -- c\n  {-- d --} g : Int\n",
        &["Signature f \"f : Int {-- a\\n{-- b --}\\n--} -- c\\n  {-- d --} g : Int\\n\""],
    );
    check(
        "f : Int {-- a\n--} {-- b\n--}\ng : Int",
        &[
            "Signature f \"f : Int {-- a\\n--} {-- b\\n--}\\n\"",
            "Signature g \"g : Int\"",
        ],
    );
}

#[test]
fn a_token_behind_the_end_of_a_comment_can_begin_an_item() {
    check(
        "    f : Int {-- a\n--} g : Int {-- b --}\n    h : Int",
        &[
            "Signature f \"    f : Int {-- a\\n--}\"",
            "Signature g \" g : Int {-- b --}\\n\"",
            "Signature h \"    h : Int\"",
        ],
    );
    check(
        "   f : Int\n--{-- é\n{-- é --}   ",
        &["Signature f \"   f : Int\\n--{-- é\\n{-- é --}   \""],
    );
    check(
        "{-- é --} f : Int\n           g : Int\n",
        &["Signature f \"{-- é --} f : Int\\n           g : Int\\n\""],
    );
    check(
        "{-- é --} f! = 1\n          -- x\n          g! = 2\n          h! = 3",
        &[
            "Clause f \"{-- é --} f! = 1\\n\"",
            "Clause g \"          -- x\\n          g! = 2\\n\"",
            "Clause h \"          h! = 3\"",
        ],
    );
}

#[test]
fn other_lines_continue_the_item() {
    check(
        "f : Int\n -> Int\ng! =\n\n  1\n",
        &[
            "Signature f \"f : Int\\n -> Int\\n\"",
            "Clause g \"g! =\\n\\n  1\\n\"",
        ],
    );
    check(
        "f : Int\n-> Int",
        &["Signature f \"f : Int\\n\"", "Other _ \"-> Int\""],
    );
}

#[test]
fn the_first_token_gives_the_column() {
    check(
        "\n\t\u{b}f : Int\n  g : Int\n h : Int\n   i",
        &[
            "Signature f \"\\n\\t\\u{b}f : Int\\n\"",
            "Signature g \"  g : Int\\n\"",
            "Signature h left \" h : Int\\n   i\"",
        ],
    );
}

#[test]
fn byte_order_mark_and_crlf() {
    check(
        "\u{feff}f : Int\r\n\r\ng : Int\r\n",
        &[
            "Signature f \"\\u{feff}f : Int\\r\\n\"",
            "Signature g \"\\r\\ng : Int\\r\\n\"",
        ],
    );
}

#[test]
fn inside_brackets_only_a_name_in_the_column_begins_an_item() {
    check(
        "f! = {\n1 |\n}\ng! = 2",
        &["Clause f \"f! = {\\n1 |\\n}\\n\"", "Clause g \"g! = 2\""],
    );
    check(
        "f! = ([{\ng : Int\n}\nh : Int",
        &[
            "Clause f \"f! = ([{\\n\"",
            "Signature g \"g : Int\\n\"",
            "Other _ \"}\\n\"",
            "Signature h \"h : Int\"",
        ],
    );
    check(
        "f! = )))(\n  x\n)\n_g! = 1",
        &[
            "Clause f \"f! = )))(\\n  x\\n)\\n\"",
            "Clause _g \"_g! = 1\"",
        ],
    );
    check(
        "f! = (\nét! = 1\n",
        &["Clause f \"f! = (\\n\"", "Clause ét \"ét! = 1\\n\""],
    );
    check(
        "  f! = (\n )\n  g! = 1",
        &["Clause f \"  f! = (\\n )\\n\"", "Clause g \"  g! = 1\""],
    );
    // To the left of the column layout does not matter there.
    check(
        "  f! = (\n x)\n  g! = 1",
        &["Clause f \"  f! = (\\n x)\\n\"", "Clause g \"  g! = 1\""],
    );
}

#[test]
fn literals_hide_brackets_and_comments() {
    let one = |text: &str| {
        let text = format!("{text}\n)\n");
        let items = split(&text);
        assert_eq!(items.len(), 2, "{text:?}: {items:?}");
    };
    for literal in [
        "\"({[\"",
        "\"{--\"",
        "\"--\" x",
        "\"\\\"(\"",
        "'('",
        "'\"'",
        "'\\'' '('",
        "'{'",
        "\"(",
        "'(",
        "x' '('",
        "x'' \"(\"",
        "42'('",
        "0xff'('",
        "2.0e3'('",
        "2e3'('",
        "1.5e-3'('",
        "2x' '('",
        "²'('",
        "'a''('",
        "→'('",
        "\"\\^\\\" '('",
        "é' '('",
        "\"\\\n  \\(\"",
        "\"\\ \\(\"",
        "\"a\\\n(\" )",
        "'\\ ('",
    ] {
        one(&format!("f! = {literal}"));
    }
    // Here the bracket is one.
    for term in [
        "x'(' ",
        "x' ( '",
        "\"a\\\n  (\"",
        "'a' (",
        "\"\" (",
        "\"\\^\" (\"",
    ] {
        let text = format!("f! = {term}\n)\n");
        assert_eq!(split(&text).len(), 1, "{text:?}");
    }
}

#[test]
fn what_follows_a_string_gap_is_not_the_first_on_its_line() {
    check(
        "  f! = \"\\\n\\\"g\n  h! = 1",
        &[
            "Clause f \"  f! = \\\"\\\\\\n\\\\\\\"g\\n\"",
            "Clause h \"  h! = 1\"",
        ],
    );
}

#[test]
fn comments_nest_and_hide_everything() {
    check(
        "{-- {-- ( --} \" --}f! = 1\n",
        &["Clause f \"{-- {-- ( --} \\\" --}f! = 1\\n\""],
    );
    check(
        "f! = 1 -- {-- ( \"\ng! = 2",
        &[
            "Clause f \"f! = 1 -- {-- ( \\\"\\n\"",
            "Clause g \"g! = 2\"",
        ],
    );
    check(
        "f! = 1 {----} \n)",
        &["Clause f \"f! = 1 {----} \\n\"", "Other _ \")\""],
    );
    // `{--}` and `{---}` open a comment and do not close it.
    check(
        "f! = 1 {--}( --}\n)",
        &["Clause f \"f! = 1 {--}( --}\\n\"", "Other _ \")\""],
    );
    check(
        "f! = 1 {---}( --}\n)",
        &["Clause f \"f! = 1 {---}( --}\\n\"", "Other _ \")\""],
    );
}

#[test]
fn an_unclosed_comment_hides_the_rest_of_its_item() {
    check(
        "f! = 1 {-- x\n  g --} (\n-- h\n\ng! = 2 {-- x --}\nh! = 3 {--",
        &[
            "Clause f \"f! = 1 {-- x\\n  g --} (\\n\"",
            "Clause g \"-- h\\n\\ng! = 2 {-- x --}\\n\"",
            "Clause h unclosed \"h! = 3 {--\"",
        ],
    );
    check(
        "f! = 1\n\n{-- x\n  {-- y --}\n-- h\n\ng! = 2 {-- x --}\nh! = 3",
        &[
            "Clause f unclosed \"f! = 1\\n\\n{-- x\\n  {-- y --}\\n-- h\\n\\n\"",
            "Clause g \"g! = 2 {-- x --}\\n\"",
            "Clause h \"h! = 3\"",
        ],
    );
    // Brackets recover at names only, as everywhere.
    check(
        "f! = ({--\n3\ng",
        &["Clause f unclosed \"f! = ({--\\n3\\n\"", "Other g \"g\""],
    );
    check(
        "f! = {--\n3\ng",
        &[
            "Clause f unclosed \"f! = {--\\n\"",
            "Other _ \"3\\n\"",
            "Other g \"g\"",
        ],
    );
}

#[test]
fn an_unclosed_comment_above_all_tokens_is_an_item() {
    check(
        "\n{-- x\n  y\nf : Int",
        &[
            "Other _ unclosed \"\\n{-- x\\n  y\\n\"",
            "Signature f \"f : Int\"",
        ],
    );
    check("{--", &["Other _ unclosed \"{--\""]);
}

#[test]
fn bad_input_takes_linear_time() {
    let started = std::time::Instant::now();
    for unit in [
        "f! = 1 {-- x\n",
        "{--",
        "\"\\\n",
        "x'''",
        "((((",
        "'",
        "\"\\ ",
        "f! = '\\\n",
        "{-- --} {--\nf\n",
        "\n  ",
        "0x'",
    ] {
        let text = unit.repeat(2_000_000 / unit.len());
        check_tiling(&text, &split(&text));
    }
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn doc_comments() {
    let doc = |text: &str| doc_comment(text);
    assert_eq!(doc("f : Int"), None);
    assert_eq!(doc("-- far\n\nf : Int -- x"), None);
    assert_eq!(doc("-- near\nf : Int"), Some("near".into()));
    assert_eq!(doc("\n-- a\n-- b\r\n--c\nf"), Some("a\nb\nc".into()));
    assert_eq!(
        doc("-- | a\n--   b\n--\n-- - c\nf"),
        Some("a\n  b\n\n- c".into())
    );
    assert_eq!(doc("-- no\n\n{-- yes --}\nf"), Some("yes".into()));
    assert_eq!(
        doc("{-- | a\n    b\n\n      c\n--}\nf"),
        Some("a\nb\n\n  c".into())
    );
    assert_eq!(doc("{-- a {-- b --} --} f"), Some("a {-- b --}".into()));
    assert_eq!(doc("-----------\nf"), None);
    assert_eq!(doc("-----------\n-- a\n------\nf"), Some("a".into()));
    assert_eq!(doc("\u{feff}-- a\nf"), Some("a".into()));
    assert_eq!(doc("{-- a\n\n{-- b"), Some("a\n\n{-- b".into()));
}

/// What a change may not touch is as it was, and the rest is what a whole split gives.
fn check_edit(outline: &mut Outline, text: &mut String, at: Range<usize>, insert: &str) {
    let before = outline.clone();
    let old_text = text.clone();
    text.replace_range(at.clone(), insert);
    let change = outline.edit(text.as_str(), at.clone(), insert.len());
    assert_eq!(
        *outline,
        Outline::new(text),
        "{old_text:?} {at:?} {insert:?}"
    );
    assert_eq!(change.old.start, change.new.start);
    let (old, new) = (before.items(), outline.items());
    for (old, new) in old[..change.old.start].iter().zip(new) {
        assert_eq!(old, new);
    }
    assert_eq!(old.len() - change.old.end, new.len() - change.new.end);
    for (old, new) in old[change.old.end..].iter().zip(&new[change.new.end..]) {
        assert_eq!(
            (old.kind, old.name, old.left_of_column),
            (new.kind, new.name, new.left_of_column)
        );
        assert_eq!(
            old.text(&old_text),
            new.text(text),
            "{old_text:?} {at:?} {insert:?}"
        );
    }
}

#[test]
fn a_local_edit_replaces_one_item() {
    let mut text: String = (0..100)
        .map(|i| format!("f{i} : Int\nf{i}! = {i}\n\n"))
        .collect();
    let mut outline = Outline::new(&text);
    let at = text.find("f50! = ").unwrap() + 7;
    text.insert_str(at, "g (");
    let change = outline.edit(text.as_str(), at..at, 3);
    assert_eq!(
        change,
        OutlineChange {
            old: 101..102,
            new: 101..102
        }
    );
    assert_eq!(outline, Outline::new(&text));
}

#[test]
fn an_edit_reads_little() {
    struct Counting<'t>(&'t str, std::cell::Cell<usize>);
    impl TextSource for Counting<'_> {
        fn len(&self) -> usize {
            self.0.len()
        }
        fn slice(&self, range: Range<usize>) -> std::borrow::Cow<'_, str> {
            self.1.set(self.1.get() + range.len());
            TextSource::slice(self.0, range)
        }
    }
    let mut text: String = (0..10_000)
        .map(|i| format!("f{i} : Int\nf{i}! = {i}\n\n"))
        .collect();
    let mut outline = Outline::new(&text);
    for insert in ["x", "\n", "(", "\"", "g : Int\n", "}", "{", "--", "  "] {
        let at = text.find("f5000! = ").unwrap() + 9;
        text.insert_str(at, insert);
        let source = Counting(&text, std::cell::Cell::new(0));
        outline.edit(&source, at..at, insert.len());
        assert!(source.1.get() < 300, "{insert:?}: {}", source.1.get());
        assert_eq!(outline, Outline::new(&text));
    }
}

/// Pieces that are likely to interact.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "f",
        "g' ",
        "data D = c",
        "let",
        "x'",
        "'",
        "\"",
        "\\",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "{--",
        "--}",
        "--",
        "-",
        " ",
        "  ",
        "\n",
        "\n",
        "\n",
        "\n\n",
        "\nf x = 1\n",
        "\nf : Int\n",
        "\n  g\n",
        "\r\n",
        "\t",
        ":",
        "=",
        "!",
        "1",
        "0xf",
        "2.0e3",
        "é",
        "→",
        "\u{feff}",
        "{-- c --}",
        "{-- a\n b --} ",
        "-- c\n",
        "\"\\\n  \\\"",
        "'a'",
        "\n)",
        "\\^",
        "|",
    ])
}

fn source(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..most).prop_map(|pieces| pieces.concat())
}

/// A program whose items are mostly whole.
fn program() -> impl Strategy<Value = String> {
    let item = prop_oneof![
        4 => prop::sample::select(vec![
            "f : Int\n", "f x = g x\n", "-- c\ng! = {x -> (x)}\n", "\n{-- c --}\nh : Int\n", "data D = c\n  | d\n\n",
            "i! = \"(\" -- c\n", "j! = [1,\n 2]\n", "k! = 1 {-- a\n b --}\n", "l! = (\n", "m! = x' 'c'\n",
        ]).prop_map(str::to_owned),
        1 => source(6),
    ];
    (
        prop::sample::select(vec!["", "", " ", "\n", "-- c\n"]),
        prop::collection::vec(item, 0..12),
    )
        .prop_map(|(start, items)| start.to_owned() + &items.concat())
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn items_tile_any_text(text in source(40)) {
        check_tiling(&text, &split(&text));
    }

    #[test]
    fn the_rules_hold(text in prop_oneof![source(30), program()]) {
        let items = split(&text);
        let starts: Vec<usize> = items.iter().map(OutlineItem::token_start).collect();
        prop_assert_eq!(starts, super::reference::starts(&text), "{:?}", text);
    }

    #[test]
    fn an_item_is_the_same_on_its_own(text in program()) {
        for item in split(&text) {
            // Behind the end of a comment, or with another column, there is another layout.
            let alone = item.text(&text);
            let items = split(alone);
            if item.left_of_column || alone.starts_with('\u{feff}') || (item.range.start > 0 && !text[..item.range.start].ends_with('\n')) {
                continue;
            }
            prop_assert_eq!(items.len(), 1, "{:?}", alone);
            prop_assert_eq!((items[0].kind, items[0].name, items[0].token_offset), (item.kind, item.name, item.token_offset));
        }
    }

    #[test]
    fn edits_give_what_a_split_gives(
        text in prop_oneof![source(40), program()],
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, source(4)), 1..8),
    ) {
        let mut text = text;
        let mut outline = Outline::new(&text);
        for (at, length, insert) in edits {
            let start = boundary(&text, at.index(text.len() + 1));
            let end = boundary(&text, start + length).max(start);
            check_edit(&mut outline, &mut text, start..end, &insert);
        }
    }
}
