//! Nothing gets in the way: order, cancellation, many requests, panics, mute clients, the end.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use frank_protocol_tests::{Client, Fixture, Scratch, usual_capabilities};
use serde_json::{Value, json};

const URI: &str = "untitled:Untitled-1";

fn fixture() -> Fixture {
    Fixture::new("double : Int -> Int\ndouble x = x + x\n\nmain : {Int}\nmain! = dou$0ble 4\n")
}

fn work(client: &mut Client, millis: u64, urgent: bool) -> i64 {
    client.request(
        "frank/selfTest",
        json!({ "do": "work", "millis": millis, "urgent": urgent }),
    )
}

#[test]
fn messages_count_in_their_order() {
    let mut client = Client::start(&[]);
    client.open(URI, "a : {Int}\n");
    // The client does not wait for anything, and asks after each change what the text is.
    let mut asked = Vec::new();
    let mut expected = String::from("a : {Int}\n");
    for i in 0..300 {
        let line = format!("-- {i}\n");
        client.change(
            URI,
            json!([{ "range": {
            "start": { "line": i, "character": 0 }, "end": { "line": i, "character": 0 },
        }, "text": line }]),
        );
        let at = expected.lines().take(i).map(|line| line.len() + 1).sum();
        expected.insert_str(at, &line);
        asked.push(client.request("frank/selfTest", json!({ "do": "text", "uri": URI })));
    }
    for (version, id) in (2..).zip(asked) {
        let answer = client.wait(id).unwrap();
        // An edit interrupts a request, which is answered for a later text then.
        assert!(
            answer["version"].as_i64().unwrap() >= version,
            "an answer is about what was there when it was asked for"
        );
    }
    let answer = client.call("frank/selfTest", json!({ "do": "text", "uri": URI }));
    assert_eq!(answer["document"], expected);
    assert_eq!(answer["version"], 301);
}

#[test]
fn messages_before_the_answer_to_initialize_count() {
    let mut client = Client::spawn(&[]);
    let hello = client.request(
        "initialize",
        json!({ "capabilities": usual_capabilities() }),
    );
    client.notify("initialized", json!({}));
    client.open(URI, "main : {Int}\nmain! = tru\n");
    client.wait(hello).unwrap();
    assert_eq!(client.codes(URI), ["1:FK0101"]);
}

#[test]
fn a_cancelled_request_stops() {
    let mut client = Client::start(&[]);
    client.open(URI, &fixture().text);
    // All workers are busy with what would take far longer than the test.
    let busy: Vec<i64> = (0..6).map(|_| work(&mut client, 600_000, true)).collect();
    for id in &busy {
        client.cancel(*id);
    }
    for id in busy {
        assert_eq!(client.wait(id).unwrap_err()["code"], -32800);
    }
    let answer = client.call("textDocument/hover", fixture().position(URI, '0'));
    assert!(
        answer["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("double : Int -> Int")
    );
}

#[test]
fn an_edit_interrupts_what_takes_long() {
    let mut client = Client::start(&[]);
    client.open(URI, &fixture().text);
    let slow: Vec<i64> = (0..4).map(|_| work(&mut client, 700, false)).collect();
    std::thread::sleep(Duration::from_millis(50));
    let start = Instant::now();
    client.replace(URI, "main : {Int}\nmain! = tru\n");
    assert_eq!(client.codes(URI), ["1:FK0101"]);
    assert!(
        start.elapsed() < Duration::from_millis(500),
        "{:?}",
        start.elapsed()
    );
    for id in slow {
        client.wait(id).unwrap();
    }
}

#[test]
fn what_is_not_urgent_does_not_delay_what_is() {
    let mut client = Client::start(&[]);
    client.open(URI, &fixture().text);
    client.findings(URI);
    let slow: Vec<i64> = (0..100)
        .map(|_| work(&mut client, 600_000, false))
        .collect();
    // They take minutes, longer than anybody waits for this.
    client.call("textDocument/hover", fixture().position(URI, '0'));
    for id in slow {
        client.cancel(id);
    }
}

#[test]
fn a_thousand_requests_at_once() {
    let mut client = Client::start(&[]);
    let fixture = fixture();
    client.open(URI, &fixture.text);
    let document = json!({ "textDocument": { "uri": URI } });
    let mut asked = Vec::new();
    for i in 0..1000 {
        let id = match i % 5 {
            0 => client.request("textDocument/hover", fixture.position(URI, '0')),
            1 => client.request("textDocument/definition", fixture.position(URI, '0')),
            2 => client.request("textDocument/semanticTokens/full", document.clone()),
            3 => client.request("textDocument/documentSymbol", document.clone()),
            _ => client.request("workspace/symbol", json!({ "query": "d" })),
        };
        asked.push(id);
        if i == 500 {
            client.replace(URI, &format!("{}\n", fixture.text));
        }
    }
    let start = Instant::now();
    for id in asked {
        client.wait(id).unwrap();
    }
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    client.replace(URI, "main : {Int}\nmain! = tru\n");
    assert_eq!(client.codes(URI), ["1:FK0101"]);
}

#[test]
fn a_panic_is_the_end_of_one_request() {
    let mut client = Client::start(&[]);
    let fixture = fixture();
    client.open(URI, &fixture.text);
    for _ in 0..10 {
        let error = client
            .try_call("frank/selfTest", json!({ "do": "panic" }))
            .unwrap_err();
        assert_eq!(error["code"], -32603);
        let answer = client.call("textDocument/hover", fixture.position(URI, '0'));
        assert!(
            answer["contents"]["value"]
                .as_str()
                .unwrap()
                .contains("double : Int -> Int")
        );
    }
    // Where everything is owned, everything is built up anew.
    client.call("frank/selfTest", json!({ "do": "panicMainLoop" }));
    let answer = client.call("frank/selfTest", json!({ "do": "text", "uri": URI }));
    assert_eq!(
        (&answer["document"], &answer["version"]),
        (&json!(fixture.text), &json!(1))
    );
    let answer = client.call("textDocument/hover", fixture.position(URI, '0'));
    assert!(
        answer["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("double : Int -> Int")
    );
    client.change(
        URI,
        json!([{ "range": {
        "start": { "line": 4, "character": 8 }, "end": { "line": 4, "character": 14 },
    }, "text": "tru" }]),
    );
    // That an operator is not used is not told beside an error of `main`.
    assert_eq!(client.codes(URI), ["4:FK0101"]);
    assert!(client.shut_down().success());
}

#[test]
fn a_client_that_answers_nothing_wedges_nothing() {
    let dir = Scratch::with(&[("b.fk", "b : {Int}\nb! = 1\n")]);
    let mut client = Client::spawn(&[]);
    client.answers_requests = false;
    client.initialize(&[dir.path()], usual_capabilities(), Value::Null);
    let fixture = fixture();
    client.open(URI, &fixture.text);
    for i in 0..300 {
        client.replace(URI, &format!("{}-- {i}\n", fixture.text));
        let toml = dir.write("frank.toml", &format!("[limits]\nsteps = {i}\n"));
        client.notify(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": [{ "uri": toml, "type": 2 }] }),
        );
        client.notify(
            "workspace/didChangeConfiguration",
            json!({ "settings": null }),
        );
        client.call("textDocument/hover", fixture.position(URI, '0'));
    }
    client.replace(URI, "main : {Int}\nmain! = tru\n");
    assert_eq!(client.codes(URI), ["1:FK0101"]);
    let refreshes = client
        .requests
        .iter()
        .filter(|request| request["method"].as_str().unwrap().ends_with("/refresh"));
    assert!(
        refreshes.count() <= 4,
        "what is not answered is not asked again and again"
    );
    assert!(client.shut_down().success());
}

#[test]
fn nonsense_is_answered_with_errors() {
    let mut client = Client::start(&[]);
    client.open(URI, &fixture().text);
    let nonsense = [
        (
            "textDocument/hover",
            json!({ "textDocument": { "uri": URI } }),
            -32602,
        ),
        ("textDocument/hover", json!([1, 2]), -32602),
        (
            "textDocument/hover",
            json!({
                "textDocument": { "uri": "no uri at all" }, "position": { "line": 0, "character": 0 },
            }),
            -32602,
        ),
        ("frank/noSuchMethod", json!({}), -32601),
    ];
    for (method, params, code) in nonsense {
        let error = client.try_call(method, params).unwrap_err();
        assert_eq!(error["code"], code, "{method}: {error}");
    }
    client.notify("textDocument/didChange", json!({ "textDocument": 1 }));
    client.notify("textDocument/didOpen", json!(null));
    client.notify("$/whatever", json!({}));
    client.send_raw("Content-Length: 9\r\n\r\n{\"broken\"");
    assert_eq!(client.wait(-1).unwrap_err()["code"], -32700);
    for (line, character) in [(99, 0), (0, 99), (4_000_000_000u32, 4_000_000_000u32)] {
        let place = json!({
            "textDocument": { "uri": URI }, "position": { "line": line, "character": character },
        });
        client.call("textDocument/hover", place);
    }
    assert_eq!(client.codes(URI), [""; 0]);
}

/// `tower-lsp` ends a connection at a message that is nested 127 deep.
#[test]
fn messages_of_any_depth_are_answered() {
    let mut client = Client::start(&[]);
    for depth in [100, 126, 127, 128, 10_000, 1_000_000] {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let body = format!(r#"{{"jsonrpc":"2.0","id":"deep","method":"frank/x","params":{deep}}}"#);
        client.send_raw(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        client.until("an answer with the request's own id", |client| {
            client.named_answers.contains_key("deep")
        });
        let error = client.named_answers.remove("deep").unwrap()["error"].take();
        let code = if depth < 120 { -32601 } else { -32700 };
        assert_eq!(error["code"], code, "{depth}: {error}");
        if depth > 120 {
            let why = "the message cannot be read: lists and objects are nested deeper than 120";
            assert_eq!(error["message"], why);
        }
        // What is no request has no number to be answered under.
        let body = format!(r#"{{"jsonrpc":"2.0","method":"$/x","params":{deep}}}"#);
        client.send_raw(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        if depth > 120 {
            assert_eq!(client.wait(-1).unwrap_err()["code"], -32700);
        }
    }
    client.open(URI, "main : {Int}\nmain! = tru\n");
    assert_eq!(client.codes(URI), ["1:FK0101"]);
}

/// Nor can `tower-lsp` read a number that no `f64` holds, which readers that look for little pass over.
/// An editor that counts characters in halves may send one half of an emoji.
#[test]
fn half_a_character_is_text() {
    let mut client = Client::start(&[]);
    client.open(URI, "-- x\n");
    let body = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{URI}","version":2}},
        "contentChanges":[{{"range":{{"start":{{"line":0,"character":3}},"end":{{"line":0,"character":4}}}},
        "text":"\ud83d y"}}]}}}}"#
    );
    client.send_raw(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    let answer = client.call("frank/selfTest", json!({ "do": "text", "uri": URI }));
    assert_eq!(answer["document"], "-- \u{fffd} y\n");
}

#[test]
fn messages_with_any_numbers_are_answered() {
    let mut client = Client::start(&[]);
    client.open(URI, "main : {Int}\nmain! = tru\n");
    for number in ["1e999", "-444.4E255444", &"9".repeat(400)] {
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":7000,"method":"frank/x","params":[{number}]}}"#);
        client.send_raw(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        let error = client.wait(7000).unwrap_err();
        let why = "the message cannot be read: a number is larger than any that a program can hold";
        assert_eq!(error["message"], why, "{number}");
    }
    assert_eq!(client.codes(URI), ["1:FK0101"]);
}

#[test]
fn what_is_no_uri_is_told() {
    let mut client = Client::start(&[]);
    let bad = json!({ "textDocument": { "uri": "C:\\a b.fk" }, "position": {} });
    let error = client.try_call("textDocument/hover", bad).unwrap_err();
    assert_eq!(error["code"], -32602);
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("`C:\\a b.fk` is no URI: "), "{message}");
    client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": "C:\\a b.fk" } }),
    );
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": "%", "type": 1 }] }),
    );
    client.notify("textDocument/didChange", json!({ "textDocument": 1 }));
    for start in [
        "textDocument/didClose counts for nothing: `C:\\a b.fk` is no URI: ",
        "workspace/didChangeWatchedFiles counts for nothing: `%` is no URI: ",
        "textDocument/didChange counts for nothing: ",
    ] {
        client.until(start, |client| {
            client.notifications.iter().any(|message| {
                message["method"] == "window/logMessage"
                    && message["params"]["message"]
                        .as_str()
                        .unwrap()
                        .starts_with(start)
            })
        });
    }
}

#[test]
fn the_end_is_clean() {
    let started = |busy: bool| {
        let mut client = Client::start(&[]);
        client.open(URI, &fixture().text);
        if busy {
            for _ in 0..20 {
                work(&mut client, 600_000, true);
            }
        }
        client
    };
    for busy in [false, true] {
        assert!(started(busy).shut_down().success());

        // `exit` without `shutdown` is an error.
        let mut client = started(busy);
        client.notify("exit", Value::Null);
        assert_eq!(client.ended().code(), Some(1));

        // A client that is gone is no error of the server's.
        let mut client = started(busy);
        client.hang_up();
        assert!(client.ended().success());

        // After a shutdown nothing is answered any more, but for that.
        let mut client = started(busy);
        client.call("shutdown", Value::Null);
        let error = client
            .try_call("textDocument/hover", fixture().position(URI, '0'))
            .unwrap_err();
        assert_eq!(error["code"], -32600);
        client.notify("exit", Value::Null);
        assert!(client.ended().success());
    }
}

#[test]
fn a_client_that_reads_nothing_loses_only_time() {
    let mut client = Client::start(&[]);
    let bad: String = (0..200)
        .map(|i| format!("f{i} : {{Int}}\nf{i}! = unknown{i}\n"))
        .collect();
    client.open(URI, &bad);
    client.findings(URI);
    client.reading.store(false, Ordering::Relaxed);
    // Far more findings than fit into the pipe, while nobody reads.
    for i in 0..300 {
        client.replace(URI, &format!("{bad}-- {i}\n"));
    }
    std::thread::sleep(Duration::from_millis(300));
    client.reading.store(true, Ordering::Relaxed);
    let findings = client.findings(URI);
    assert_eq!(findings.len(), 200);
    assert!(client.shut_down().success());
}
