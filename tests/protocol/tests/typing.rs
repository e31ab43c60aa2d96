//! Findings on the line that is typed: what only says that it is unfinished waits until the typing
//! pauses.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_protocol_tests::{Client, Scratch, brief, usual_capabilities};
use serde_json::{Value, json};

/// A nested line of some sixty characters, behind a signature.
const LINE: &str = "f x = map {y -> case (pair x y) {(pair a b) -> a + b}} [1, 2, (x * 3)]";
const ABOVE: &str = "include prelude\n\nf : Int -> List Int\n";

fn with_pause(dir: &Scratch, pause: &str, capabilities: Value) -> Client {
    Client::start_with(
        &[dir.path()],
        capabilities,
        json!({ "typing": { "pause": pause } }),
    )
}

/// Types a text at the end of a line.
fn type_at(client: &mut Client, uri: &str, line: usize, column: usize, text: &str) {
    let at = json!({ "line": line, "character": column });
    client.change(
        uri,
        json!([{ "range": { "start": at, "end": at }, "text": text }]),
    );
}

fn save(client: &mut Client, uri: &str) {
    client.notify(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": uri } }),
    );
}

fn shows(client: &mut Client, uri: &str, code: &str) {
    client.until(&format!("{code} is shown"), |client| {
        let found = &client.published[uri].diagnostics;
        found.iter().map(brief).any(|shown| shown.ends_with(code))
    });
}

/// How often the marks of a file change while `LINE` is typed, letter by letter.
fn changes(pause: &str) -> usize {
    let dir = Scratch::new();
    let mut client = with_pause(&dir, pause, usual_capabilities());
    let uri = dir.uri("a.fk");
    client.open(&uri, ABOVE);
    let mut shown = client.codes(&uri);
    let mut changes = 0;
    for (column, letter) in LINE.char_indices() {
        type_at(&mut client, &uri, 3, column, &letter.to_string());
        let now = client.codes(&uri);
        changes += usize::from(now != shown);
        shown = now;
    }
    assert_eq!(shown, [""; 0], "the line is right in the end");
    changes
}

#[test]
fn a_line_that_is_typed_changes_its_marks_hardly_ever() {
    let (held, at_once) = (changes("10m"), changes("0ms"));
    // One: the signature has a clause from the first letters on.
    assert!(held <= 2, "{held} changes");
    assert!(at_once > 10, "{at_once} changes without a pause");
}

#[test]
fn what_was_held_is_shown_after_a_pause() {
    let dir = Scratch::new();
    let mut client = with_pause(&dir, "50ms", usual_capabilities());
    let uri = dir.uri("a.fk");
    client.open(&uri, "main : {Int}\nmain! = 1\n");
    assert_eq!(client.codes(&uri), [""; 0]);
    type_at(&mut client, &uri, 1, 9, " +");
    shows(&mut client, &uri, "FK0001");
}

#[test]
fn saving_and_an_edit_elsewhere_show_what_was_held() {
    let dir = Scratch::new();
    let mut client = with_pause(&dir, "10m", usual_capabilities());
    let uri = dir.uri("a.fk");
    client.open(&uri, "main : {Int}\nmain! = 1\n\nf : {Int}\nf! = 2\n");
    assert!(client.codes(&uri).len() <= 1, "f is not used");
    type_at(&mut client, &uri, 1, 9, " +");
    let codes = client.codes(&uri);
    assert!(!codes.contains(&"1:FK0001".to_owned()), "{codes:?}");
    save(&mut client, &uri);
    shows(&mut client, &uri, "FK0001");
    type_at(&mut client, &uri, 1, 11, " tru");
    let codes = client.codes(&uri);
    assert!(!codes.contains(&"1:FK0101".to_owned()), "{codes:?}");
    type_at(&mut client, &uri, 4, 6, " ");
    let codes = client.codes(&uri);
    assert!(codes.contains(&"1:FK0101".to_owned()), "{codes:?}");
}

#[test]
fn what_more_text_cannot_settle_is_shown_at_once() {
    let dir = Scratch::new();
    let mut client = with_pause(&dir, "10m", usual_capabilities());
    let uri = dir.uri("a.fk");
    client.open(&uri, "main : {Int}\nmain! = 1\n");
    type_at(&mut client, &uri, 1, 9, " §");
    assert_eq!(client.codes(&uri), ["1:FK0007"]);
}

#[test]
fn a_client_that_pulls_is_asked_to_do_so_after_a_pause() {
    let dir = Scratch::new();
    let mut capabilities = usual_capabilities();
    capabilities["textDocument"]["diagnostic"] = json!({ "dynamicRegistration": true });
    capabilities["workspace"]["diagnostics"] = json!({ "refreshSupport": true });
    let mut client = with_pause(&dir, "50ms", capabilities);
    let uri = dir.uri("a.fk");
    client.open(&uri, "main : {Int}\nmain! = 1\n");
    let refreshes = |client: &Client| {
        let requests = client.requests.iter();
        let refreshes =
            requests.filter(|request| request["method"] == "workspace/diagnostic/refresh");
        refreshes.count()
    };
    let pull = |client: &mut Client| {
        client.call(
            "textDocument/diagnostic",
            json!({ "textDocument": { "uri": uri } }),
        )
    };
    pull(&mut client);
    type_at(&mut client, &uri, 1, 9, " +");
    // The server may ask for other reasons, too.
    let shown = loop {
        let before = refreshes(&client);
        let shown = pull(&mut client);
        if shown["items"]
            .as_array()
            .is_some_and(|items| !items.is_empty())
        {
            break shown;
        }
        client.until("a refresh", |client| refreshes(client) > before);
    };
    assert_eq!(brief(&shown["items"][0]), "1:FK0001");
}

#[test]
fn a_line_that_is_begun_is_unfinished_too() {
    let dir = Scratch::new();
    let mut client = with_pause(&dir, "10m", usual_capabilities());
    let uri = dir.uri("a.fk");
    client.open(&uri, "main : {Int}\nmain! = 1\n");
    assert_eq!(client.codes(&uri), [""; 0]);
    let typed = "main! =\n  case (pair 1 2) {\n    (pair a b) -> a +\n      b}\n";
    let range = json!({
        "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 9 },
    });
    client.change(&uri, json!([{ "range": range, "text": "" }]));
    let (mut line, mut column) = (1, 0);
    for letter in typed.chars() {
        type_at(&mut client, &uri, line, column, &letter.to_string());
        (line, column) = match letter {
            '\n' => (line + 1, 0),
            _ => (line, column + 1),
        };
        let codes = client.codes(&uri);
        let syntax = ["FK0001", "FK0002"];
        let red = codes
            .iter()
            .find(|code| syntax.iter().any(|one| code.ends_with(one)));
        assert_eq!(red, None, "behind {letter:?} in line {line}");
    }
}
