//! Findings of files that are not open, in a workspace of many programs.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_protocol_tests::{Client, Scratch, brief, usual_capabilities};
use serde_json::{Value, json};

/// A program and so much text that only a few of its size are kept beside what is open.
fn large(program: &str) -> String {
    format!("{program}{}", "-- and so on\n".repeat(60_000))
}

fn workspace() -> Scratch {
    let uses = large("include lib\nmain : {Int}\nmain! = one!\n");
    let wrong = large("main : {Int}\nmain! = 1 + tru\n");
    let twice = large("a : Int -> Int\na x = x\nmain : {Int}\nmain! = a \"1\"\n");
    Scratch::with(&[
        ("lib.fk", "one : {Int}\none! = 1\n"),
        ("uses.fk", &uses),
        ("wrong.fk", &wrong),
        ("twice.fk", &twice),
    ])
}

fn codes(client: &Client, uri: &str) -> Vec<String> {
    let published = client.published.get(uri);
    let published = published.map_or(&[][..], |published| &published.diagnostics);
    published.iter().map(brief).collect()
}

fn touched(client: &mut Client, uri: &str) {
    let changes = json!({ "changes": [{ "uri": uri, "type": 2 }] });
    client.notify("workspace/didChangeWatchedFiles", changes);
}

/// How often the server has asked to pull findings again.
fn refreshes(client: &Client) -> usize {
    let requests = client.requests.iter();
    requests
        .filter(|request| request["method"] == "workspace/diagnostic/refresh")
        .count()
}

#[test]
fn closed_programs_have_findings_that_follow_the_files() {
    let dir = workspace();
    let mut client = Client::start(&[dir.path()]);
    let [lib, uses, wrong, twice] =
        ["lib.fk", "uses.fk", "wrong.fk", "twice.fk"].map(|name| dir.uri(name));
    client.until("both are wrong", |client| {
        codes(client, &wrong) == ["1:FK0101"] && codes(client, &twice) == ["3:FK0201"]
    });
    assert_eq!(codes(&client, &uses), [""; 0]);
    let place = &client.published[&twice].diagnostics[0]["relatedInformation"][0]["location"];
    assert_eq!(
        place["uri"],
        json!(twice),
        "other places are told in the files"
    );

    // What a closed file includes is changed on the disk.
    dir.write("lib.fk", "two : {Int}\ntwo! = 1\n");
    touched(&mut client, &lib);
    client.until("a name is missing", |client| {
        codes(client, &uses) == ["2:FK0101"]
    });
    // And in the editor.
    client.open(&lib, "two : {Int}\ntwo! = 1\n");
    client.replace(&lib, "one : {Int}\none! = \"1\"\n");
    client.until("the name is there", |client| {
        codes(client, &uses).is_empty()
    });
    assert_eq!(client.codes(&lib), ["1:FK0201"]);
    client.close(&lib);
    client.until("the disk counts again", |client| {
        codes(client, &uses) == ["2:FK0101"] && codes(client, &lib).is_empty()
    });

    // One of them is opened, mended and closed; nothing is told of the others meanwhile.
    let before = client.publications;
    client.open(&wrong, &large("main : {Int}\nmain! = 1 + 1\n"));
    assert_eq!(client.codes(&wrong), [""; 0]);
    client.close(&wrong);
    client.until("the disk counts again", |client| {
        codes(client, &wrong) == ["1:FK0101"] && client.published[&wrong].version.is_none()
    });
    assert_eq!(client.publications, before + 2);

    // Settings count there, too.
    let project = dir.write("frank.toml", "[severity]\nFK0101 = \"off\"\n");
    let changes = json!({ "changes": [{ "uri": project, "type": 1 }] });
    client.notify("workspace/didChangeWatchedFiles", changes);
    client.until("names are allowed to be missing", |client| {
        codes(client, &wrong).is_empty() && codes(client, &uses).is_empty()
    });
    assert_eq!(codes(&client, &twice), ["3:FK0201"]);
}

#[test]
fn findings_of_closed_programs_can_be_pulled() {
    let dir = workspace();
    let mut capabilities = usual_capabilities();
    capabilities["textDocument"]["diagnostic"] = json!({ "dynamicRegistration": false });
    capabilities["workspace"]["diagnostics"] = json!({ "refreshSupport": true });
    let mut client = Client::start_with(&[dir.path()], capabilities, Value::Null);
    let pull = |client: &mut Client, known: &Value| -> Vec<(String, Value)> {
        let params = json!({ "previousResultIds": known });
        let report = client.call("workspace/diagnostic", params);
        let items = report["items"].as_array().unwrap().iter();
        let mut items: Vec<(String, Value)> = items
            .map(|item| (item["uri"].as_str().unwrap().to_owned(), item.clone()))
            .collect();
        items.sort_by(|(one, _), (other, _)| one.cmp(other));
        items
    };
    let [lib, uses, wrong, twice] =
        ["lib.fk", "uses.fk", "wrong.fk", "twice.fk"].map(|name| dir.uri(name));
    let uris = |items: &[(String, Value)]| -> Vec<(String, String)> {
        let kind = |item: &Value| item["kind"].as_str().unwrap().to_owned();
        let items = items.iter();
        items.map(|(uri, item)| (uri.clone(), kind(item))).collect()
    };
    let (full, unchanged) = ("full".to_owned(), "unchanged".to_owned());
    let both = [(twice.clone(), full.clone()), (wrong.clone(), full.clone())];
    // As an editor does: whenever the server says that there may be something else. It says so for the
    // settings, too, which may come before the files.
    let mut refreshed = 0;
    let first = loop {
        client.until("there is something else to pull", |client| {
            refreshes(client) > refreshed
        });
        refreshed = refreshes(&client);
        let found = pull(&mut client, &json!([]));
        if uris(&found) == both {
            break found;
        }
    };
    assert_eq!(brief(&first[0].1["items"][0]), "3:FK0201");
    let ids = |items: &[(String, Value)]| -> Value {
        let items = items.iter();
        items
            .map(|(uri, item)| json!({ "uri": uri, "value": item["resultId"] }))
            .collect()
    };
    let again = pull(&mut client, &ids(&first));
    let both = [
        (twice.clone(), unchanged.clone()),
        (wrong.clone(), unchanged.clone()),
    ];
    assert_eq!(uris(&again), both);
    // Another client knows nothing of them.
    assert_eq!(pull(&mut client, &json!([])), first);

    dir.write("lib.fk", "two : {Int}\ntwo! = 1\n");
    touched(&mut client, &lib);
    let missing = pull(&mut client, &ids(&first));
    let all = [
        (twice, unchanged.clone()),
        (uses.clone(), full.clone()),
        (wrong, unchanged),
    ];
    assert_eq!(uris(&missing), all);
    dir.write("lib.fk", "one : {Int}\none! = 1\n");
    touched(&mut client, &lib);
    let mended = pull(&mut client, &ids(&missing));
    let of_uses = mended.iter().find(|(uri, _)| *uri == uses).unwrap();
    assert_eq!(
        (&of_uses.1["kind"], &of_uses.1["items"]),
        (&json!(full), &json!([]))
    );
}
