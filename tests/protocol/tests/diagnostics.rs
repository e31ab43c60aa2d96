//! Findings, published and asked for.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::HashMap;

use frank_protocol_tests::{Client, Fixture, Scratch, brief, usual_capabilities};
use serde_json::{Value, json};

const GOOD: &str = "main : {Int}\nmain! = 1 + 2\n";
const BAD: &str = "main : {Int}\nmain! = 1 + tru\n";

fn pulling() -> Value {
    let mut capabilities = usual_capabilities();
    capabilities["textDocument"]["diagnostic"] = json!({ "dynamicRegistration": true });
    capabilities["workspace"]["diagnostics"] = json!({ "refreshSupport": true });
    capabilities
}

#[test]
fn findings_come_and_go_as_one_types() {
    let dir = Scratch::new();
    let mut client = Client::start(&[dir.path()]);
    let uri = dir.uri("a.fk");
    client.open(&uri, BAD);
    assert_eq!(client.codes(&uri), ["1:FK0101"]);
    client.replace(&uri, GOOD);
    assert_eq!(client.codes(&uri), [""; 0]);
    client.replace(&uri, BAD);
    assert_eq!(client.codes(&uri), ["1:FK0101"]);
    client.close(&uri);
    client.until("the findings of a file that is gone are gone", |client| {
        client.published[&uri].diagnostics.is_empty()
    });
    assert!(client.shut_down().success());
}

#[test]
fn findings_are_whole() {
    let mut client = Client::start(&[]);
    let uri = "untitled:a";
    client.open(
        uri,
        "main : {Int}\nmain! = 1\nmain : {Int}\n\nk : Int -> Int -> Int\nk x unused = x\n",
    );
    let findings = client.findings(uri);
    let twice = findings
        .iter()
        .find(|finding| finding["code"] == "FK0106")
        .expect("a duplicate");
    assert_eq!(twice["severity"], 1);
    assert_eq!(twice["source"], "frank");
    assert_eq!(
        twice["range"]["start"],
        json!({ "line": 2, "character": 0 })
    );
    assert_eq!(twice["range"]["end"], json!({ "line": 2, "character": 4 }));
    let page = twice["codeDescription"]["href"].as_str().unwrap();
    assert!(page.ends_with("/docs/diagnostics/FK0106.md"), "{page}");
    let first = &twice["relatedInformation"][0]["location"];
    assert_eq!(first["uri"], uri);
    assert_eq!(
        first["range"]["start"],
        json!({ "line": 0, "character": 0 })
    );
}

#[test]
fn what_is_not_needed_is_marked() {
    let mut client = Client::start(&[]);
    let uri = "untitled:a";
    client.open(uri, "f : Int -> Int\nf x = x\nf y = y\n");
    let findings = client.findings(uri);
    let idle = findings.iter().find(|finding| finding["code"] == "FK0402");
    // Whether the checker already reports it is not this crate's matter.
    if let Some(idle) = idle {
        assert_eq!(idle["tags"], json!([1]));
    }
}

#[test]
fn a_client_that_knows_little_is_sent_little() {
    let mut client = Client::start_with(&[], json!({}), Value::Null);
    let uri = "untitled:a";
    client.open(uri, "main : {Int}\nmain! = 1\nmain : {Int}\n");
    let findings = client.findings(uri);
    let twice = &findings[0];
    assert_eq!(twice["codeDescription"], Value::Null);
    assert_eq!(twice["relatedInformation"], Value::Null);
    assert!(
        twice["message"].as_str().unwrap().contains("(line 1)"),
        "{twice}"
    );
    // It can do nothing, so it is asked for nothing.
    client.listen(std::time::Duration::from_millis(200));
    assert_eq!(client.requests, [Value::Null; 0]);
}

#[test]
fn files_that_include_a_changed_file_follow() {
    let dir = Scratch::with(&[
        ("main.fk", "include sub\nmain : {Int}\nmain! = twice 1\n"),
        ("sub.fk", "include deep\n"),
        ("deep.fk", "twice : Int -> Int\ntwice x = x + x\n"),
    ]);
    let mut client = Client::start(&[dir.path()]);
    let (main, deep) = (dir.uri("main.fk"), dir.uri("deep.fk"));
    client.open(&deep, "twice : Int -> Int\ntwice x = x + x\n");
    assert_eq!(client.codes(&deep), [""; 0]);
    let has = |count: usize| {
        let main = main.clone();
        move |client: &Client| {
            client
                .published
                .get(&main)
                .map_or(0, |published| published.diagnostics.len())
                == count
        }
    };
    client.replace(&deep, "thrice : Int -> Int\nthrice x = x + x\n");
    client.until("a name is gone", has(1));
    client.replace(&deep, "twice : Int -> Int\ntwice x = x + x\n");
    client.until("the name is back", has(0));
    client.replace(&deep, "twice : Int -> Int -> Int\ntwice x y = x + y\n");
    client.until("the signature is another", has(1));
    let problem = &client.published[&main].diagnostics[0];
    assert_eq!(problem["code"], "FK0204");
}

#[test]
fn all_files_of_the_workspace_are_checked() {
    let dir = Scratch::with(&[
        ("a.fk", BAD),
        ("sub/b.fk", BAD),
        ("good.fk", GOOD),
        (".git/x.fk", BAD),
    ]);
    let mut client = Client::start(&[dir.path()]);
    let (a, b) = (dir.uri("a.fk"), dir.uri("sub/b.fk"));
    client.until("both bad files", |client| {
        client.published.contains_key(&a) && client.published.contains_key(&b)
    });
    client.listen(std::time::Duration::from_millis(100));
    assert_eq!(client.published.len(), 2, "{:?}", client.published);
    assert_eq!(client.published[&a].version, None);
}

#[test]
fn broken_files_have_findings_where_they_are_broken() {
    let mut client = Client::start(&[]);
    let uri = "untitled:a";
    client.open(uri, "a : {Int}\na! = (1 + \nb : {Int}\nb! = \"x\nc : {Int}\nc! = 1 + tru\nd : {Int}\nd! = 1\n{-- open\n");
    let codes = client.codes(uri);
    assert!(
        codes.contains(&"5:FK0101".to_owned()),
        "the sound part is checked: {codes:?}"
    );
    for (line, code) in [(1, "FK0001"), (3, "FK0004"), (8, "FK0005")] {
        assert!(
            codes.contains(&format!("{line}:{code}")),
            "{line}:{code}: {codes:?}"
        );
    }
    client.open("untitled:empty", "");
    assert_eq!(client.codes("untitled:empty"), [""; 0]);
    client.open("untitled:comment", "-- nothing\n");
    assert_eq!(client.codes("untitled:comment"), [""; 0]);
}

#[test]
fn findings_can_be_pulled() {
    let dir = Scratch::with(&[("a.fk", BAD), ("b.fk", BAD)]);
    let mut client = Client::start_with(&[dir.path()], pulling(), Value::Null);
    let (a, b) = (dir.uri("a.fk"), dir.uri("b.fk"));
    client.open(&a, BAD);
    let pull = |client: &mut Client, known: Option<&str>| {
        client.call(
            "textDocument/diagnostic",
            json!({ "textDocument": { "uri": a }, "previousResultId": known }),
        )
    };
    let first = pull(&mut client, None);
    assert_eq!(first["kind"], "full");
    assert_eq!(brief(&first["items"][0]), "1:FK0101");
    let id = first["resultId"].as_str().unwrap().to_owned();
    let second = pull(&mut client, Some(&id));
    assert_eq!(
        (&second["kind"], second["resultId"].as_str()),
        (&json!("unchanged"), Some(&*id))
    );
    client.replace(&a, GOOD);
    let third = pull(&mut client, Some(&id));
    assert_eq!(
        (&third["kind"], &third["items"]),
        (&json!("full"), &json!([]))
    );

    client.until("all files are found", |client| {
        client
            .requests
            .iter()
            .any(|request| request["method"] == "workspace/diagnostic/refresh")
    });
    let report = client.call("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let items = report["items"].as_array().unwrap();
    let by_uri: HashMap<&str, &Value> = items
        .iter()
        .map(|item| (item["uri"].as_str().unwrap(), item))
        .collect();
    assert_eq!(brief(&by_uri[&*b]["items"][0]), "1:FK0101");
    let id = &by_uri[&*b]["resultId"];
    let known = json!({ "previousResultIds": [{ "uri": b, "value": id }] });
    let again = client.call("workspace/diagnostic", known.clone());
    assert_eq!(again["items"][0]["kind"], "unchanged");
    dir.remove("b.fk");
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": b, "type": 3 }] }),
    );
    let gone = client.call("workspace/diagnostic", known);
    assert_eq!(gone["items"][0]["items"], json!([]));
    // What is pulled is not published as well.
    client.listen(std::time::Duration::from_millis(200));
    assert!(
        client
            .published
            .get(&a)
            .is_none_or(|published| published.diagnostics.is_empty())
    );
    assert!(
        client
            .published
            .get(&b)
            .is_none_or(|published| published.diagnostics.is_empty())
    );
}

#[test]
fn comments_and_settings_change_severities() {
    let dir = Scratch::with(&[("frank.toml", "[severity]\nFK0101 = 'warning'\n")]);
    let mut client = Client::start(&[dir.path()]);
    let uri = dir.uri("a.fk");
    client.open(&uri, BAD);
    assert_eq!(client.findings(&uri)[0]["severity"], 2);
    let allowed = Fixture::new("main : {Int}\nmain! = 1 + tru -- frank: allow $0FK0101$1\n");
    client.replace(&uri, &allowed.text);
    assert_eq!(client.codes(&uri), [""; 0]);
    client.replace(&uri, &allowed.text.replace("tru ", "2 "));
    let idle = client.findings(&uri);
    assert_eq!(idle[0]["code"], "FK0411");
    dir.write("frank.toml", "[severity]\nFK0101 = 'off'\nFK0411 = 'off'\n");
    let toml = dir.uri("frank.toml");
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": toml, "type": 2 }] }),
    );
    client.until("the finding is turned off", |client| {
        client.published[&uri].diagnostics.is_empty()
    });
    dir.write("frank.toml", "[severity]\nFK0101 = 'loud'\n");
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": toml, "type": 2 }] }),
    );
    client.until("the mistake is published", |client| {
        client
            .published
            .get(&toml)
            .is_some_and(|published| published.diagnostics.len() == 1)
    });
    dir.write("frank.toml", "");
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": toml, "type": 2 }] }),
    );
    client.until("the mistake is gone", |client| {
        client.published[&toml].diagnostics.is_empty()
    });
}
