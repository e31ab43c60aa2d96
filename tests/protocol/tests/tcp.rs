//! Clients that connect: who is let in, and what one of them is to the others.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::io::{Read, Write};
use std::net::TcpStream;

use frank_protocol_tests::{Client, Listener, Scratch, framed, usual_capabilities};
use serde_json::{Value, json};

const BAD: &str = "main : {Int}\nmain! = tru\n";

fn initialize(token: Option<&str>) -> Value {
    let options = token.map(|token| json!({ "token": token }));
    json!({ "jsonrpc": "2.0", "id": "first", "method": "initialize", "params": {
        "processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": options,
    } })
}

/// A whole session after the first message: opens a program and runs it.
fn session() -> String {
    let open = json!({ "textDocument": {
        "uri": "untitled:a", "languageId": "frank", "version": 1, "text": "main : {Int}\nmain! = 42\n",
    } });
    let run = json!({ "command": "frank.run", "arguments": ["untitled:a", "main"] });
    let messages = [
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "workspace/executeCommand", "params": run }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "shutdown" }),
        json!({ "jsonrpc": "2.0", "method": "exit" }),
    ];
    messages.iter().map(framed).collect()
}

/// The server still serves who knows the token.
fn serves(server: &Listener) {
    let mut client = Client::connect(server);
    client.initialize(&[], usual_capabilities(), json!({}));
    client.open("untitled:x", BAD);
    assert_eq!(client.codes("untitled:x"), ["1:FK0101"]);
}

#[test]
fn who_knows_the_token_is_served() {
    let server = Listener::spawn(&[]);
    let mut client = Client::connect(&server);
    client.initialize(&[], usual_capabilities(), json!({}));
    client.open("untitled:a", "main : {Int}\nmain! = 42\n");
    let run = json!({ "command": "frank.run", "arguments": ["untitled:a", "main"] });
    let answer = client.call("workspace/executeCommand", run);
    assert!(answer.to_string().contains("42"), "{answer}");
}

#[test]
fn without_the_token_nothing_is_done() {
    let server = Listener::spawn(&[]);
    let longer = format!("{}0", server.token);
    for (token, found) in [
        (None, "found none"),
        (Some(""), "found another one"),
        (Some(&server.token[1..]), "found another one"),
        (Some(&longer), "found another one"),
    ] {
        let answers = server.tell(&(framed(&initialize(token)) + &session()));
        assert!(answers.contains("\"id\":\"first\""), "{answers}");
        let why = format!("expected the server's token in `initializationOptions.token`, {found}");
        assert!(answers.contains(&why), "{answers}");
        assert_eq!(answers.matches("Content-Length").count(), 1, "{answers}");
    }
    // Who begins with anything else has no answer at all.
    assert_eq!(server.tell(&session()), "");
    let hover = json!({ "jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {} });
    assert_eq!(server.tell(&framed(&hover)), "");
    assert_eq!(server.tell("Content-Length: 3\r\n\r\n{]}"), "");
    serves(&server);
}

/// What a page of a browser can send begins with a line of HTTP.
#[test]
fn other_protocols_are_cut_off() {
    let server = Listener::spawn(&[]);
    let good = framed(&initialize(Some(&server.token))) + &session();
    for before in [
        "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n",
        "OPTIONS / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "Host: 127.0.0.1\r\n",
        "\r\n\r\nX: y\r\n",
        "\u{0}\n",
    ] {
        assert_eq!(server.tell(&format!("{before}{good}")), "", "{before}");
    }
    // Nor later on.
    let mut client = Client::connect(&server);
    client.initialize(&[], usual_capabilities(), json!({}));
    client.send_raw("X-Other: 1\r\nContent-Length: 2\r\n\r\n{}");
    client.cut_off();
    serves(&server);
}

/// However many connect and say nothing, or half a header, who knows the token gets in.
#[test]
fn who_says_nothing_makes_room() {
    let server = Listener::spawn(&[]);
    let mut idle: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            stream.write_all(b"Content-Len").unwrap();
            stream
        })
        .collect();
    serves(&server);
    let mut rest = Vec::new();
    // The first ones have been cut off, with or without a word of the system's.
    let _ = idle[0].read_to_end(&mut rest);
    assert!(rest.is_empty());
}

#[test]
fn a_token_can_be_in_a_file() {
    let dir = Scratch::with(&[("token", "a token of one's own\n"), ("short", "secret\n")]);
    let file = dir.path().join("token");
    let mut server = Listener::spawn(&["--token-file", file.to_str().unwrap()]);
    server.token = "a token of one's own".to_owned();
    serves(&server);
    for name in ["short", "nowhere"] {
        let file = dir.path().join(name);
        let arguments = [
            "--tcp",
            "127.0.0.1:0",
            "--token-file",
            file.to_str().unwrap(),
        ];
        assert!(!Client::spawn(&arguments).ended().success());
    }
}

#[test]
fn clients_are_served_at_once_and_each_for_itself() {
    let server = Listener::spawn(&[]);
    // Those who say nothing, or not all, keep nobody out.
    let idle: Vec<_> = (0..100).map(|_| server.connect()).collect();
    let dir = Scratch::with(&[("a.fk", "a : {Int}\na! = 1\n")]);
    let connected = || {
        let mut client = Client::connect(&server);
        client.initialize(&[dir.path()], usual_capabilities(), json!({}));
        client
    };
    let (mut first, mut second) = (connected(), connected());
    let uri = dir.uri("a.fk");
    first.open(&uri, BAD);
    second.open(&uri, "main : {Int}\nmain! = 1\n");
    assert_eq!(first.codes(&uri), ["1:FK0101"]);
    assert_eq!(second.codes(&uri), [""; 0]);
    // What one of them leaves with, or without, is nothing to the other.
    first.call("shutdown", Value::Null);
    first.notify("exit", Value::Null);
    first.cut_off();
    let mut rude = connected();
    rude.notify("exit", Value::Null);
    rude.cut_off();
    drop(connected());
    second.replace(&uri, BAD);
    assert_eq!(second.codes(&uri), ["1:FK0101"]);
    serves(&server);
    drop(idle);
}
