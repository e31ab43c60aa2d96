//! Texts: what the client says is what the server has.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_protocol_tests::{Client, Fixture, Scratch, usual_capabilities};
use frank_syntax::lines::unified;
use serde_json::{Value, json};

/// The server's text of a document.
fn text(client: &mut Client, uri: &str) -> String {
    let answer = client.call("frank/selfTest", json!({ "do": "text", "uri": uri }));
    let document = answer["document"].as_str().unwrap().to_owned();
    // A text of nothing but blanks has no items; a carriage return on its own is read as a line feed.
    let analysis = answer["analysis"].as_str().unwrap();
    assert!(
        analysis == unified(&document) || analysis.is_empty(),
        "{analysis:?} is not {document:?}"
    );
    document
}

fn edit(start: (u32, u32), end: (u32, u32), text: &str) -> Value {
    json!({
        "range": {
            "start": { "line": start.0, "character": start.1 },
            "end": { "line": end.0, "character": end.1 },
        },
        "text": text,
    })
}

fn with_encodings(encodings: &[&str]) -> Client {
    let mut capabilities = usual_capabilities();
    capabilities["general"]["positionEncodings"] = json!(encodings);
    Client::start_with(&[], capabilities, Value::Null)
}

#[test]
fn encodings_are_negotiated() {
    for (offered, agreed, column) in [
        (&["utf-16", "utf-8"][..], "utf-8", 14),
        (&["utf-32", "utf-16"], "utf-32", 11),
        (&["utf-16"], "utf-16", 12),
        (&[], "utf-16", 12),
    ] {
        let mut client = with_encodings(offered);
        assert_eq!(client.capabilities["positionEncoding"], agreed);
        let uri = "untitled:Untitled-1";
        client.open(uri, "a : {Int}\na! = \"𝒳\" + b\n");
        let found = client.findings(uri);
        let unknown = found
            .iter()
            .find(|problem| problem["code"] == "FK0101")
            .expect("b");
        assert_eq!(
            unknown["range"]["start"],
            json!({ "line": 1, "character": column }),
            "{agreed}"
        );
        client.change(uri, json!([edit((1, column), (1, column + 1), "1")]));
        assert_eq!(
            text(&mut client, uri),
            "a : {Int}\na! = \"𝒳\" + 1\n",
            "{agreed}"
        );
    }
}

#[test]
fn changes_are_applied_in_order() {
    let mut client = Client::start(&[]);
    let uri = "untitled:Untitled-1";
    client.open(uri, "one\r\ntwo\r\nthree\r\n");
    client.change(
        uri,
        json!([
            edit((0, 0), (0, 3), "1"),
            edit((1, 0), (1, 0), "before "),
            edit((1, 3), (2, 2), "X\r\nY"),
            edit((9, 0), (9, 9), "end"),
        ]),
    );
    assert_eq!(text(&mut client, uri), "1\r\nbefX\r\nYree\r\nend");
    // Overlapping, the second in what the first has made; ends before starts; an empty change.
    client.change(
        uri,
        json!([
            edit((0, 0), (1, 2), "ab\ncd"),
            edit((1, 1), (0, 1), "-"),
            edit((0, 0), (0, 0), "")
        ]),
    );
    assert_eq!(text(&mut client, uri), "a-dfX\r\nYree\r\nend");
    client.replace(uri, "whole\n");
    client.change(
        uri,
        json!([{ "text": "" }, { "text": "a\n" }, edit((0, 1), (0, 1), "b")]),
    );
    assert_eq!(text(&mut client, uri), "ab\n");
    client.change(uri, json!([]));
    assert_eq!(text(&mut client, uri), "ab\n");
}

#[test]
fn many_changes_at_once() {
    let mut client = Client::start(&[]);
    let uri = "untitled:Untitled-1";
    let lines: String = (0..500)
        .map(|i| format!("f{i} : Int -> Int\nf{i} x = x\n"))
        .collect();
    client.open(uri, &lines);
    let changes: Vec<Value> = (0..500)
        .map(|i| edit((2 * i + 1, 0), (2 * i + 1, 0), "{-- --} "))
        .collect();
    client.change(uri, json!(changes));
    let expected: String = (0..500)
        .map(|i| format!("f{i} : Int -> Int\n{{-- --}} f{i} x = x\n"))
        .collect();
    assert_eq!(text(&mut client, uri), expected);
}

#[test]
fn positions_follow_edits_that_come_before_the_answer() {
    let mut client = Client::start(&[]);
    let uri = "untitled:Untitled-1";
    let fixture =
        Fixture::new("double : Int -> Int\ndouble x = x + x\nmain : {Int}\nmain! = dou$0ble 4\n");
    client.open(uri, &fixture.text);
    let mut asked = Vec::new();
    for i in 0..30 {
        asked.push((
            i,
            client.request("textDocument/hover", fixture.position(uri, '0')),
        ));
        // The text is moved down, then back up.
        let change = if i % 2 == 0 {
            edit((0, 0), (0, 0), "\n\n")
        } else {
            edit((0, 0), (2, 0), "")
        };
        client.change(uri, json!([change]));
        if i % 2 == 0 {
            client.change(uri, json!([edit((0, 0), (2, 0), "")]));
            client.change(uri, json!([edit((0, 0), (0, 0), "\n\n")]));
        }
    }
    for (i, id) in asked {
        // Every other request was sent for a text that is two lines further down.
        let answer = client.wait(id).unwrap();
        let contents = answer["contents"]["value"].as_str().unwrap_or_default();
        if i % 2 == 0 {
            assert!(contents.contains("double : Int -> Int"), "{i}: {answer}");
        }
    }
}

#[test]
fn closed_files_are_what_is_on_disk() {
    let dir = Scratch::with(&[
        ("a.fk", "include b\nmain : {Int}\nmain! = b!\n"),
        ("b.fk", "b : {Int}\nb! = 1\n"),
    ]);
    let mut client = Client::start(&[dir.path()]);
    let (a, b) = (dir.uri("a.fk"), dir.uri("b.fk"));
    client.open(&a, "include b\nmain : {Int}\nmain! = b!\n");
    assert_eq!(client.codes(&a), [""; 0]);
    client.open(&b, "c : {Int}\nc! = 1\n");
    client.until("the unsaved b counts", |client| {
        client
            .published
            .get(&a)
            .is_some_and(|published| published.diagnostics.len() == 1)
    });
    client.close(&b);
    client.until("the saved b counts", |client| {
        client
            .published
            .get(&a)
            .is_some_and(|published| published.diagnostics.is_empty())
    });
    assert_eq!(text(&mut client, &b), "b : {Int}\nb! = 1\n");
}

#[test]
fn a_change_of_what_is_not_open_does_nothing() {
    let mut client = Client::start(&[]);
    client.change("untitled:Untitled-9", json!([{ "text": "x" }]));
    client.close("untitled:Untitled-9");
    let error = client
        .try_call(
            "textDocument/hover",
            json!({
                "textDocument": { "uri": "untitled:Untitled-9" },
                "position": { "line": 0, "character": 0 },
            }),
        )
        .unwrap_err();
    assert_eq!(error["code"], -32602);
    client.open("untitled:Untitled-9", "a : {Int}\na! = 1\n");
    assert_eq!(client.codes("untitled:Untitled-9"), [""; 0]);
}

/// A request about a document that was closed meanwhile is not one about what is opened next.
#[test]
fn requests_do_not_outlive_their_document() {
    let uri = "untitled:Untitled-1";
    let mut client = Client::start(&[]);
    let long = "-- A long line.\n".repeat(100);
    for _ in 0..20 {
        client.open(uri, &long);
        // All that answers is busy for a while.
        let busy: Vec<i64> = (0..3)
            .map(|_| {
                let params = json!({ "do": "work", "millis": 20, "urgent": true });
                client.request("frank/selfTest", params)
            })
            .collect();
        let params = json!({
            "textDocument": { "uri": uri },
            "position": { "line": 99, "character": 3 },
            "ch": "\n",
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        let late = client.request("textDocument/onTypeFormatting", params);
        client.close(uri);
        client.open(uri, "a : {Int}\n");
        for id in busy {
            client.wait(id).unwrap();
        }
        if let Err(error) = client.wait(late) {
            assert!(
                [-32801, -32602].contains(&error["code"].as_i64().unwrap()),
                "{error}"
            );
        }
        client.close(uri);
    }
}

/// Whatever was in a file and is gone is forgotten, and nobody notices when.
#[test]
fn what_is_gone_takes_no_memory() {
    let mut client = Client::start(&[]);
    let (uri, other) = ("untitled:Untitled-1", "untitled:Untitled-2");
    client.open(other, "a : {Int}\na! = b!\n");
    client.open(uri, "");
    let mut sizes = Vec::new();
    for round in 0..300 {
        let items = (0..50).map(|i| format!("f{round}x{i} : {{Int}}\nf{round}x{i}! = {i}\n"));
        let items: String = items.collect();
        client.replace(uri, &items);
        client.findings(uri);
        sizes.push(client.memory());
    }
    assert_eq!(client.codes(other), ["1:FK0101"]);
    client.change(other, json!([edit((1, 5), (1, 7), "1")]));
    assert_eq!(client.codes(other), [""; 0]);
    assert_eq!(text(&mut client, other), "a : {Int}\na! = 1\n");
    client.replace(uri, "b : {Int}\nb! = 'c'\n");
    assert_eq!(client.codes(uri), ["1:FK0201"]);
    // Where the system does not say how much memory there is, nothing is compared.
    if let (Some(early), Some(late)) = (sizes[99], sizes[299]) {
        assert!(late < early + early / 4, "{early} KiB, then {late} KiB");
    }
}
