//! The server inside of another program: one message at a time, and no thread but the caller's.

#![allow(clippy::indexing_slicing, reason = "JSON has a value for every name")]

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use frank_lsp::embedded::Embedded;
use serde_json::{Value, json};

/// A client of an embedded server.
struct Client {
    server: Embedded,
    came: Rc<RefCell<Vec<Value>>>,
    number: u64,
}

impl Client {
    /// A client whose workspace is one folder; it asks for no settings.
    fn new() -> Client {
        let came: Rc<RefCell<Vec<Value>>> = Rc::default();
        let there = came.clone();
        let send = move |message: String| {
            let message = serde_json::from_str(&message).expect("JSON");
            there.borrow_mut().push(message);
        };
        let mut client = Client {
            server: Embedded::new(send, false),
            came,
            number: 0,
        };
        let folder = json!([{ "uri": "file:///w", "name": "w" }]);
        let params = json!({ "capabilities": {}, "workspaceFolders": folder });
        let answer = client.ask("initialize", params);
        assert!(answer["capabilities"]["hoverProvider"] == true, "{answer}");
        client.tell("initialized", json!({}));
        client
    }

    fn tell(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.server.receive(&message.to_string());
    }

    /// The answer to a request, which is there as soon as the request has been taken.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let id = self.number;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.server.receive(&message.to_string());
        let came = self.came.borrow();
        let answer = came
            .iter()
            .find(|came| came["id"] == id && came.get("method").is_none());
        let answer = answer.unwrap_or_else(|| panic!("no answer to {method}"));
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "frank", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// The codes of what was last said of a file.
    fn findings(&self, uri: &str) -> Vec<String> {
        let came = self.came.borrow();
        let last = came.iter().rev().find(|came| {
            came["method"] == "textDocument/publishDiagnostics" && came["params"]["uri"] == uri
        });
        let last = last.unwrap_or_else(|| panic!("nothing was said of {uri}"));
        let findings = last["params"]["diagnostics"].as_array().expect("a list");
        let codes = findings
            .iter()
            .map(|finding| finding["code"].as_str().expect("a code").to_owned());
        codes.collect()
    }

    fn says(&self, uri: &str) -> bool {
        let came = self.came.borrow();
        came.iter().any(|came| {
            came["method"] == "textDocument/publishDiagnostics" && came["params"]["uri"] == uri
        })
    }
}

const WRONG: &str = "main : {Int}\nmain! = 1 + \"2\"\n";

#[test]
fn a_message_has_all_that_comes_of_it_at_once() {
    let mut client = Client::new();
    let uri = "file:///w/a.fk";
    client.open(uri, WRONG);
    assert_eq!(client.findings(uri), ["FK0210"]);
    let range =
        json!({ "start": { "line": 1, "character": 12 }, "end": { "line": 1, "character": 15 } });
    let change = json!([{ "range": range, "text": "2" }]);
    let document = json!({ "uri": uri, "version": 2 });
    client.tell(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": change }),
    );
    assert_eq!(client.findings(uri), Vec::<String>::new());
    let run = json!({ "command": "frank.run", "arguments": [uri, "main"] });
    let answer = client.ask("workspace/executeCommand", run);
    assert_eq!(answer["value"], "3");
    // A large answer is written by whoever computes it, here too.
    let document = json!({ "textDocument": { "uri": uri } });
    let symbols = client.ask("textDocument/documentSymbol", document);
    assert_eq!(symbols[0]["name"], "main", "{symbols}");
}

#[test]
fn what_is_typed_is_said_when_the_typing_pauses() {
    let mut client = Client::new();
    let uri = "file:///w/a.fk";
    client.open(uri, "main : {Int}\nmain! = 1\n");
    assert!(client.server.wakes_in().is_none());
    let at = json!({ "line": 1, "character": 9 });
    let change = json!([{ "range": { "start": at, "end": at }, "text": " +" }]);
    let document = json!({ "uri": uri, "version": 2 });
    client.tell(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": change }),
    );
    assert_eq!(client.findings(uri), Vec::<String>::new());
    let wait = client.server.wakes_in().expect("something waits");
    std::thread::sleep(wait + Duration::from_millis(1));
    client.server.wake();
    assert_eq!(client.findings(uri), ["FK0001"]);
    assert!(client.server.wakes_in().is_none());
}

#[test]
fn files_that_the_client_holds_are_the_workspace() {
    let mut client = Client::new();
    let (main, lib) = ("file:///w/main.fk", "file:///w/lib.fk");
    client.open(main, "include lib\n\nmain : {Int}\nmain! = one!\n");
    assert_eq!(client.findings(main), ["FK0105"]);
    let held = |text: Option<&str>| json!({ "files": [{ "uri": lib, "text": text }] });
    client.tell("frank/files", held(Some("one : {Int}\none! = 1\n")));
    assert_eq!(client.findings(main), Vec::<String>::new());
    client.tell("frank/files", held(Some(WRONG)));
    assert_eq!(client.findings(lib), ["FK0210"]);
    client.tell("frank/files", held(None));
    assert_eq!(client.findings(main), ["FK0105"]);
    let project = json!({ "uri": "file:///w/frank.toml", "text": "include = [\"sub\"]\n" });
    let lib = json!({ "uri": "file:///w/sub/lib.fk", "text": "one : {Int}\none! = 1\n" });
    client.tell("frank/files", json!({ "files": [project, lib] }));
    // Whether the folder that it names is there is not asked of a disk.
    assert!(!client.says("file:///w/frank.toml"));
    client.open(
        "file:///w/other.fk",
        "include lib\n\ntwo : {Int}\ntwo! = one! + 1\n",
    );
    assert_eq!(client.findings("file:///w/other.fk"), Vec::<String>::new());
}

/// Where a file says that `map` is defined.
fn place_of_map(client: &mut Client, uri: &str) -> String {
    client.open(
        uri,
        "include prelude\n\nmain : {List Int}\nmain! = map {n -> n + 1} [1]\n",
    );
    let place =
        json!({ "textDocument": { "uri": uri }, "position": { "line": 3, "character": 9 } });
    let definition = client.ask("textDocument/definition", place);
    let library = definition[0]["uri"]
        .as_str()
        .or_else(|| definition["uri"].as_str());
    let library = library.unwrap_or_else(|| panic!("a place: {definition}"));
    library.to_owned()
}

#[test]
fn the_library_can_be_read() {
    let mut client = Client::new();
    let library = place_of_map(&mut client, "file:///w/a.fk");
    let content = client.ask("workspace/textDocumentContent", json!({ "uri": library }));
    let text = content["text"].as_str().expect("a text");
    assert!(text.contains("\nmap : "), "{library}");
    assert!(!client.says(&library));
}

#[test]
fn a_long_session_writes_no_library_on_a_disk_either() {
    let mut client = Client::new();
    let library = place_of_map(&mut client, "file:///w/a.fk");
    // What is known of texts that are gone is thrown away once it is much, and the library is made anew.
    let many: String = (0..2_000)
        .map(|n| format!("n{n} : {{Int}}\nn{n}! = {n}\n\n"))
        .collect();
    for round in 0..4 {
        let uri = format!("file:///w/many{round}.fk");
        client.open(&uri, &many);
        client.ask(
            "textDocument/documentSymbol",
            json!({ "textDocument": { "uri": uri } }),
        );
        client.tell(
            "textDocument/didClose",
            json!({ "textDocument": { "uri": uri } }),
        );
    }
    assert_eq!(place_of_map(&mut client, "file:///w/b.fk"), library);
}

#[test]
fn what_cannot_be_read_is_answered() {
    let mut client = Client::new();
    for (message, code) in [("{", -32700), ("[]", -32600), ("{\"method\":7}", -32600)] {
        client.server.receive(message);
        let came = client.came.borrow();
        assert_eq!(
            came.last().expect("an answer")["error"]["code"],
            code,
            "{message}"
        );
    }
    client.open("file:///w/a.fk", WRONG);
    assert_eq!(client.findings("file:///w/a.fk"), ["FK0210"]);
}
