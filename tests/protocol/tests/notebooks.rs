//! Notebooks in an editor: whole Markdown files, and cells that are documents of their own.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_protocol_tests::Client;
use serde_json::{Value, json};

const NOTEBOOK: &str = "vscode-notebook-cell:/nowhere/a.fk.md";

fn cell(number: u32) -> String {
    format!("{NOTEBOOK}#W{number}sZmlsZQ%3D%3D")
}

fn run(client: &mut Client, number: u32) -> Value {
    let params = json!({ "textDocument": { "uri": cell(number) } });
    client.call("frank/runCell", params)
}

fn stamp(client: &mut Client, number: u32) -> Value {
    client.call("frank/cells", json!({ "uris": [cell(number)] }))[0]["stamp"].clone()
}

#[test]
fn cells_are_one_program() {
    let mut client = Client::start(&[]);
    client.open(&cell(0), "include prelude\n");
    client.open(&cell(1), "double : Int -> Int\ndouble n = n + n\n");
    client.open(&cell(2), "double 4\n\nmap double [1,\n2]\n");
    let answer = run(&mut client, 2);
    assert_eq!(answer["results"][0]["value"], "8");
    assert_eq!(answer["results"][1]["value"], "[2, 4]");
    assert_eq!(
        answer["results"][1]["range"]["start"],
        json!({ "line": 2, "character": 0 })
    );
    // A definition is found in the cell that it is in.
    let at =
        json!({ "textDocument": { "uri": cell(2) }, "position": { "line": 0, "character": 1 } });
    let found = client.call("textDocument/definition", at.clone());
    let place = found.get(0).unwrap_or(&found);
    let uri = place.get("uri").or(place.get("targetUri")).unwrap();
    assert_eq!(*uri, cell(1));
    let hover = client.call("textDocument/hover", at).to_string();
    assert!(hover.contains("Int -> Int"), "{hover}");
    let answer = run(&mut client, 1);
    assert_eq!(answer["results"], json!([]));
    assert_eq!(answer["errors"], json!([]));
}

#[test]
fn a_changed_definition_makes_those_cells_stale_that_depend_on_it() {
    let mut client = Client::start(&[]);
    client.open(&cell(0), "a : {Int}\na! = 1\n\nb : {Int}\nb! = 2\n");
    client.open(&cell(1), "a!\n");
    client.open(&cell(2), "b!\n");
    let before = [1, 2].map(|number| stamp(&mut client, number));
    assert_eq!(run(&mut client, 1)["stamp"], before[0]);
    client.replace(
        &cell(0),
        "-- words\na : {Int}\na! = 3\n\nb : {Int}\nb! = 2\n",
    );
    let now = [1, 2].map(|number| stamp(&mut client, number));
    assert_ne!(now[0], before[0]);
    assert_eq!(now[1], before[1]);
    // Another cell at the end is no change of what is above.
    client.open(&cell(3), "c : {Int}\nc! = 3\n");
    assert_eq!([1, 2].map(|number| stamp(&mut client, number)), now);
    assert_eq!(stamp(&mut client, 3), Value::Null);
}

#[test]
fn a_cell_says_why_it_has_no_value() {
    let mut client = Client::start(&[]);
    client.open(
        &cell(0),
        "include prelude\n\nloop : Int -> Int\nloop n = loop (n + 1)\n",
    );
    client.open(&cell(1), "print \"said\"; 1\n1 + 'c'\n2\n");
    let answer = run(&mut client, 1);
    assert_eq!(answer["results"].as_array().unwrap().len(), 2, "{answer}");
    assert_eq!(answer["results"][0]["output"], "said");
    assert!(
        answer["results"][1]["error"]
            .as_str()
            .unwrap()
            .contains("Char"),
        "{answer}"
    );
    client.open(&cell(2), "wrong : {Int}\nwrong! = 'c'\n");
    let answer = run(&mut client, 2);
    assert!(
        answer["errors"][0]
            .as_str()
            .unwrap()
            .starts_with("line 2: "),
        "{answer}"
    );
    // A run that takes too long can be interrupted.
    client.open(&cell(3), "loop 0\n");
    let id = client.request(
        "frank/runCell",
        json!({ "textDocument": { "uri": cell(3) } }),
    );
    client.cancel(id);
    let error = client.wait(id).unwrap_err();
    assert_eq!(error["code"], -32800, "{error}");
}

#[test]
fn pictures_stand_where_they_were_drawn() {
    let mut client = Client::start(&[]);
    client.open(&cell(0), "include picture\n");
    let draws = "ouch 'a'; histogram (titled \"Few\") [1.0, 2.0]; ouch 'b'; 3\n";
    client.open(&cell(1), draws);
    let answer = run(&mut client, 1);
    let result = &answer["results"][0];
    assert_eq!(
        (&result["value"], &result["output"]),
        (&json!("3"), &json!("ab"))
    );
    let parts = result["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 3, "{result}");
    assert_eq!(
        (&parts[0], &parts[2]),
        (&json!({ "text": "a" }), &json!({ "text": "b" }))
    );
    // A server that cannot draw says so.
    match (parts[1]["svg"].as_str(), parts[1]["missing"].as_str()) {
        (Some(svg), None) => assert!(svg.starts_with("<svg") && svg.contains("Few"), "{svg}"),
        (None, Some(said)) => assert!(said.contains("\"Few\" is not shown"), "{said}"),
        _ => panic!("{result}"),
    }
}

#[test]
fn a_markdown_file_has_findings_in_its_own_lines() {
    let mut client = Client::start(&[]);
    let uri = "file:///nowhere/b.fk.md";
    client.open(
        uri,
        "# A\n\n```frank\na : {Int}\na! = 'x'\n```\n\n```frank\na! + 1\n```\n",
    );
    let found = client.findings(uri);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0]["range"]["start"],
        json!({ "line": 4, "character": 5 })
    );
    client.change(
        uri,
        json!([
            { "range": { "start": { "line": 4, "character": 5 }, "end": { "line": 4, "character": 8 } }, "text": "1" },
            { "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } }, "text": "\n" }
        ]),
    );
    assert_eq!(client.findings(uri), Vec::<Value>::new());
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 9, "character": 0 } });
    let hover = client.call("textDocument/hover", at).to_string();
    assert!(hover.contains("a : "), "{hover}");
    let format = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = client.call("textDocument/formatting", format);
    assert_eq!(edits, json!([]));
}
