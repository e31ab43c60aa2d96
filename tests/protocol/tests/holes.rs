//! Holes: hints, goals, what fits, whole terms, ways from one to the next.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::{Duration, Instant};

use frank_protocol_tests::{Client, Fixture, Scratch, usual_capabilities};
use serde_json::{Value, json};

const URI: &str = "untitled:Untitled-1";

const LOGGED: &str = "\
include prelude

interface Log = log : Int -> Unit

note : Int -> {Int -> [Log]Int} -> [Log]Int
note n f = $0log n; $1_rest$2 + 1

main : {Int}
main! = case 'λ' { _ -> $3_ }$4
";

fn open(marked: &str, capabilities: Value) -> (Client, Fixture) {
    let mut client = Client::start_with(&[], capabilities, Value::Null);
    let fixture = Fixture::new(marked);
    client.open(URI, &fixture.text);
    (client, fixture)
}

fn with_fill() -> Value {
    let mut capabilities = usual_capabilities();
    capabilities["experimental"] = json!({ "frankFill": true });
    capabilities
}

fn actions(client: &mut Client, fixture: &Fixture, mark: char) -> Vec<Value> {
    let at = fixture.at(mark);
    let params = json!({
        "textDocument": { "uri": URI },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [] },
    });
    let answer = client.call("textDocument/codeAction", params);
    answer.as_array().unwrap().clone()
}

#[test]
fn holes_are_hints_unless_the_configuration_says_otherwise() {
    let (mut client, _) = open(LOGGED, usual_capabilities());
    let severities = |client: &mut Client, uri: &str| -> Vec<Value> {
        let found = client.findings(uri).into_iter();
        let holes = found.filter(|one| one["code"] == "FK0109");
        holes.map(|one| one["severity"].clone()).collect()
    };
    assert_eq!(severities(&mut client, URI), [4, 4]);

    let text = "main : {Int}\nmain! = _\n";
    for (config, severity) in [
        ("holes = 'deny'\n", 1),
        ("holes = 'allow'\n", 4),
        ("holes = 'allow'\n[severity]\nFK0109 = 'warning'\n", 2),
    ] {
        let dir = Scratch::with(&[("frank.toml", config), ("main.fk", text)]);
        let mut client = Client::start(&[dir.path()]);
        let uri = dir.uri("main.fk");
        client.open(&uri, text);
        assert_eq!(severities(&mut client, &uri), [severity], "{config}");
    }
}

#[test]
fn a_goal_is_data_and_text() {
    let (mut client, fixture) = open(LOGGED, usual_capabilities());
    // In the hole, at its beginning and right behind it.
    for mark in ['1', '2'] {
        let goal = client.call("frank/goal", fixture.position(URI, mark));
        assert_eq!(goal["name"], "_rest");
        assert_eq!(goal["type"], "Int");
        assert_eq!(goal["inside"], "note");
        assert_eq!(goal["undecided"], Value::Null);
        assert_eq!(goal["range"], fixture.range('1', '2'));
        let log = &goal["ability"]["instances"][0];
        assert_eq!(log["instance"], "Log");
        assert_eq!(log["by"][0]["location"]["uri"], URI);
        let local = |name: &str| {
            let mut locals = goal["locals"].as_array().unwrap().iter();
            locals.find(|one| one["name"] == name).unwrap().clone()
        };
        assert_eq!(
            local("n"),
            json!({ "name": "n", "type": "Int", "continuation": false, "fit": "as it is", "written": "n" })
        );
        assert_eq!(local("f")["written"], "f _");
        assert!(goal["text"].as_str().unwrap().starts_with("goal: Int\n"));
        let info = client.call("frank/info", fixture.position(URI, mark));
        assert_eq!(info["goal"], goal);
        let text = info["text"].as_str().unwrap();
        assert!(
            text.contains("Hole\n") && text.contains("n : Int: fits as `n`"),
            "{text}"
        );
    }
    // Nothing is in sight at the other one.
    let info = client.call("frank/info", fixture.position(URI, '3'));
    assert_eq!(info["goal"]["locals"], json!([]));
    assert!(!info["text"].as_str().unwrap().contains("Hole"), "{info}");
    let none = client.call("frank/goal", fixture.position(URI, '0'));
    assert_eq!(none, Value::Null);
    let info = client.call("frank/info", fixture.position(URI, '0'));
    assert_eq!(info["goal"], Value::Null);
}

/// No finding is about a hole beside an open bracket, and its quick fixes are there.
#[test]
fn a_hole_in_a_broken_clause_has_quick_fixes() {
    let marked = "f : Int -> Int\nf x = (g $1_$2\n\ng : Int -> Int\ng x = $3_\n";
    let (mut client, fixture) = open(marked, usual_capabilities());
    let titled = |client: &mut Client, mark: char, title: &str| -> Vec<Value> {
        let all = actions(client, &fixture, mark).into_iter();
        all.filter(|action| action["title"] == title).collect()
    };
    let [action] = &titled(&mut client, '1', "Write `x`")[..] else {
        panic!("the local is offered once");
    };
    assert_eq!(action["kind"], "quickfix");
    assert_eq!(action["diagnostics"], Value::Null);
    let edit = action["edit"].to_string();
    assert!(edit.contains("\"newText\":\"x\""), "{edit}");
    // Elsewhere the finding has them, and nothing is offered twice.
    assert_eq!(titled(&mut client, '3', "Write `x`").len(), 1);
}

#[test]
fn the_next_hole_is_round_the_end() {
    let (mut client, fixture) = open(LOGGED, usual_capabilities());
    let mut from = |mark: char, forwards: Value| {
        let mut params = fixture.position(URI, mark);
        params["forwards"] = forwards;
        client.call("frank/nextHole", params)["range"]["start"].clone()
    };
    let (first, second) = (fixture.at('1'), fixture.at('3'));
    assert_eq!(from('0', json!(true)), first);
    assert_eq!(from('1', json!(true)), second);
    assert_eq!(from('4', json!(true)), first);
    assert_eq!(from('4', json!(false)), second);
    assert_eq!(from('3', json!(false)), first);
    assert_eq!(from('0', json!(false)), second);

    let mut params = fixture.position(URI, '0');
    assert_eq!(
        client.call("frank/nextHole", params.clone())["name"],
        "_rest"
    );
    client.replace(URI, "main : {Int}\nmain! = 1\n");
    params["position"] = json!({ "line": 0, "character": 0 });
    assert_eq!(client.call("frank/nextHole", params), Value::Null);
}

#[test]
fn from_a_file_without_holes_the_way_leads_to_the_next_file_that_has_some() {
    let full = "main : {Int}\nmain! = 1\n";
    let dir = Scratch::with(&[
        ("a.fk", "one : {Int}\none! = _first + _last\n"),
        ("b.fk", full),
        ("c.fk", "two : {Int}\ntwo! = _only\n"),
        ("d.fk", full),
    ]);
    let mut client = Client::start(&[dir.path()]);
    for file in ["b.fk", "d.fk"] {
        client.open(&dir.uri(file), full);
    }
    // Folders are read in the meantime.
    let end = Instant::now() + Duration::from_secs(60);
    let some = |answer: Value| answer.as_array().is_some_and(|all| all.len() == 3);
    while !some(client.call("frank/holes", json!({}))) && Instant::now() < end {}

    let from = |client: &mut Client, file: &str, forwards: bool| {
        let mut params = json!({ "textDocument": { "uri": dir.uri(file) }, "forwards": forwards });
        params["position"] = json!({ "line": 0, "character": 0 });
        let hole = client.call("frank/nextHole", params);
        let uri = hole["uri"].as_str().unwrap_or_default();
        let file = uri.rsplit('/').next().unwrap_or_default();
        format!("{file} {}", hole["name"])
    };
    assert_eq!(from(&mut client, "b.fk", true), "c.fk \"_only\"");
    assert_eq!(from(&mut client, "b.fk", false), "a.fk \"_last\"");
    // Round the end.
    assert_eq!(from(&mut client, "d.fk", true), "a.fk \"_first\"");
    assert_eq!(from(&mut client, "d.fk", false), "c.fk \"_only\"");
    client.replace(&dir.uri("d.fk"), "main : {Int}\nmain! = _mine\n");
    assert_eq!(from(&mut client, "d.fk", true), "d.fk \"_mine\"");
}

#[test]
fn all_holes_are_listed_those_of_closed_and_broken_files_too() {
    let dir = Scratch::with(&[
        (
            "main.fk",
            "include lib\n\nmain : {Int}\nmain! = twice _what\n",
        ),
        ("lib.fk", "twice : Int -> Int\ntwice n = n + _\n"),
        (
            "sub/broken.fk",
            "f : Int -> Int\nf x = )\n\ng : {Float}\ng! = _ * 2.0\n",
        ),
    ]);
    let mut client = Client::start(&[dir.path()]);
    let uri = dir.uri("main.fk");
    client.open(&uri, "include lib\n\nmain : {Int}\nmain! = twice _what\n");
    let listed = |answer: Value| -> Vec<String> {
        let holes = answer.as_array().unwrap().clone().into_iter();
        let shown = holes.map(|hole| {
            let file = hole["uri"]
                .as_str()
                .unwrap()
                .rsplit('/')
                .next()
                .unwrap()
                .to_owned();
            let (name, ty, inside) = (&hole["name"], &hole["type"], &hole["inside"]);
            format!("{file} {name} : {ty} in {inside}")
        });
        shown.collect()
    };
    assert_eq!(
        listed(client.call("frank/holes", json!({ "textDocument": { "uri": uri } }))),
        ["main.fk \"_what\" : \"Int\" in \"main\""]
    );
    let mut all = listed(client.call("frank/holes", json!({})));
    // Folders are read in the meantime.
    let end = Instant::now() + Duration::from_secs(60);
    while all.len() < 3 && Instant::now() < end {
        all = listed(client.call("frank/holes", json!({})));
    }
    assert_eq!(
        all,
        [
            "lib.fk \"_\" : \"Int\" in \"twice\"",
            "main.fk \"_what\" : \"Int\" in \"main\"",
            "broken.fk \"_\" : \"Float\" in \"g\"",
        ]
    );
}

#[test]
fn what_fits_comes_first_and_takes_the_place_of_the_hole() {
    let (mut client, fixture) = open(LOGGED, usual_capabilities());
    let first = |client: &mut Client, mark: char| -> Vec<Value> {
        let answer = client.call("textDocument/completion", fixture.position(URI, mark));
        answer["items"].as_array().unwrap().clone()
    };
    for mark in ['1', '2'] {
        let items = first(&mut client, mark);
        assert_eq!(items[0]["label"], "n");
        assert_eq!(items[0]["filterText"], "_rest");
        assert_eq!(items[0]["textEdit"]["range"], fixture.range('1', '2'));
        let called = items.iter().find(|item| item["label"] == "f _").unwrap();
        assert_eq!(called["textEdit"]["newText"], "f ${1:_}");
        assert_eq!(called["insertTextFormat"], 2);
    }
    let mut plain = usual_capabilities();
    plain["textDocument"]["completion"]["completionItem"]["snippetSupport"] = json!(false);
    let (mut client, _) = open(LOGGED, plain);
    let items = first(&mut client, '2');
    let called = items.iter().find(|item| item["label"] == "f _").unwrap();
    assert_eq!(called["textEdit"]["newText"], "f _");
}

#[test]
fn fixes_put_the_cursor_into_the_first_hole_that_they_leave() {
    let mut capabilities = usual_capabilities();
    capabilities["window"]["showDocument"] = json!({ "support": true });
    let (mut client, fixture) = open(LOGGED, capabilities);
    let offered = actions(&mut client, &fixture, '1');
    let titled = |title: &str| {
        let mut all = offered.iter();
        all.find(|action| action["title"] == title)
            .unwrap_or_else(|| panic!("no {title} in {offered:#?}"))
    };
    assert!(titled("Write `n`").get("command").is_none());
    let called = titled("Write `f _`");
    assert_eq!(called["command"]["command"], "frank.select");
    let place = &called["command"]["arguments"][1];
    let start = fixture.at('1');
    let character = start["character"].as_u64().unwrap() + 2;
    assert_eq!(
        place["start"],
        json!({ "line": start["line"], "character": character })
    );
    // Only those get the action that know what to do.
    assert!(
        offered
            .iter()
            .all(|action| action["command"]["command"] != "frank.fill")
    );
    let (mut client, fixture) = open(LOGGED, with_fill());
    let offered = actions(&mut client, &fixture, '1');
    let fill = offered
        .iter()
        .find(|action| action["title"] == "Fill `_rest`…");
    let fill = fill.unwrap_or_else(|| panic!("{offered:#?}"));
    assert_eq!(fill["command"]["command"], "frank.fill");
    assert_eq!(fill["command"]["arguments"], json!([URI, fixture.at('1')]));
    assert!(
        actions(&mut client, &fixture, '0')
            .iter()
            .all(|one| one["command"]["command"] != "frank.fill")
    );
}

const HALF: &str = "\
-- > half 4
-- = 2
half : Int -> Int
half n = $0_
";

#[test]
fn terms_fill_a_hole() {
    let (mut client, fixture) = open(HALF, usual_capabilities());
    let found = client.call("frank/fill", fixture.position(URI, '0'));
    assert_eq!(found["range"]["start"], fixture.at('0'));
    assert_eq!(found["examples"], 1);
    assert!(found["millis"].as_u64().unwrap() < 20_000, "{found}");
    assert!(
        found["note"]
            .as_str()
            .unwrap()
            .contains("run on one example"),
        "{found}"
    );
    let first = &found["terms"][0];
    assert_eq!(first["examplesHold"], true, "{found}");
    // It does what is said of it.
    client.replace(
        URI,
        &fixture.text.replace('_', first["text"].as_str().unwrap()),
    );
    let checked = client.call(
        "workspace/executeCommand",
        json!({ "command": "frank.check", "arguments": [URI, 0] }),
    );
    assert_eq!(checked["right"], true, "{checked}");
    assert_eq!(
        client.call("frank/fill", fixture.position(URI, '0')),
        Value::Null
    );
}

#[test]
fn a_search_holds_up_nothing_and_can_be_given_up() {
    // Nothing small fits, and the library has much to try.
    let text = "include ad\ninclude prelude\n\n-- > f (just 1) [2]\n-- = 77\n\
                f : Maybe Int -> List Int -> Int\nf m xs = $0_\n\n$1other : {Int}\nother! = 1\n";
    let (mut client, fixture) = open(text, usual_capabilities());
    client.call("frank/goal", fixture.position(URI, '0'));
    let searching = client.request("frank/fill", fixture.position(URI, '0'));
    let begun = Instant::now();
    let edit = json!([{ "range": fixture.range('1', '1'), "text": "-- more\n" }]);
    client.change(URI, edit);
    let hover = client.call("textDocument/hover", fixture.position(URI, '0'));
    let waited = begun.elapsed();
    assert_ne!(hover, Value::Null);
    assert!(
        waited < Duration::from_secs(1),
        "a hover behind an edit took {waited:?}"
    );
    // It was interrupted, and has begun again.
    let found = client.wait(searching).unwrap();
    assert_eq!(found["range"]["start"], fixture.at('0'));
    let searching = client.request("frank/fill", fixture.position(URI, '0'));
    let begun = Instant::now();
    client.cancel(searching);
    let refused = client.wait(searching).unwrap_err();
    assert_eq!(refused["code"], -32800, "{refused}");
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
}
