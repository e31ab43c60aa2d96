//! The protocol as bytes: what is no message, what is none of a client's, and what the streams carry.

use serde_json::{Value, json};

use crate::support::{Dir, GOOD, Run};

pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"by hand","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;

/// What is answered to some lines, until they end.
fn answers(lines: &[&[u8]]) -> (Run, Vec<Value>) {
    let dir = Dir::new(&[("good.fk", GOOD)]);
    let input = lines.join(&b"\n"[..]);
    let run = dir.run_input("mcp", [&input[..], b"\n"].concat());
    let answers = run.stdout.lines();
    let answers =
        answers.map(|line| serde_json::from_str(line).expect("only messages are written"));
    let answers = answers.collect();
    (run, answers)
}

fn with_id(answers: &[Value], id: u64) -> &Value {
    let found = answers.iter().find(|answer| answer["id"] == json!(id));
    found.unwrap_or_else(|| panic!("no answer to {id}: {answers:?}"))
}

#[test]
fn requests_through_a_pipe_are_answered() {
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"explain","arguments":{"code":"FK0201"}}}"#;
    let lines = [INITIALIZE, INITIALIZED, LIST, call].map(str::as_bytes);
    let (run, answers) = answers(&lines);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    let first = &with_id(&answers, 1)["result"];
    assert_eq!(first["protocolVersion"], "2025-06-18");
    assert_eq!(first["serverInfo"]["name"], "frank");
    assert!(
        with_id(&answers, 7)["result"]["tools"]
            .as_array()
            .unwrap()
            .len()
            > 5
    );
    assert_eq!(with_id(&answers, 2)["result"]["isError"], false);
}

#[test]
fn garbage_changes_nothing() {
    let long = [b"\"".to_vec(), vec![b'x'; 20 << 20]].concat();
    let deep = vec![b'['; 100_000];
    let garbage: [&[u8]; 11] = [
        b"",
        b"hello",
        b"\xff\xfe\x00",
        b"{\"jsonrpc\":\"2.0\",",
        b"[]",
        b"null",
        b"{}",
        b"{\"jsonrpc\":\"2.0\",\"id\":3}",
        b"Content-Length: 12\r",
        &long,
        &deep,
    ];
    let mut lines = vec![INITIALIZE.as_bytes(), INITIALIZED.as_bytes()];
    lines.extend(garbage);
    lines.push(LIST.as_bytes());
    let (run, after) = answers(&lines);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(with_id(&after, 7)["result"]["tools"].is_array());
    assert_eq!(refusals(&after).len(), 8, "{after:?}");
    // Before the handshake, too.
    let mut lines = garbage[..5].to_vec();
    lines.extend([INITIALIZE, LIST].map(str::as_bytes));
    let (run, before) = answers(&lines);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(with_id(&before, 7)["result"]["tools"].is_array());
}

/// The answers to what is no message, in their order.
fn refusals(answers: &[Value]) -> Vec<(i64, &str)> {
    let refusals = answers
        .iter()
        .filter(|answer| answer.get("id") == Some(&Value::Null));
    let refusals = refusals.map(|answer| {
        let error = &answer["error"];
        (
            error["code"].as_i64().unwrap(),
            error["message"].as_str().unwrap(),
        )
    });
    refusals.collect()
}

/// A client that waits for an answer gets one, and the server goes on.
#[test]
fn what_is_no_message_is_answered() {
    let no_json = "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":";
    let lines = [INITIALIZE, INITIALIZED, no_json, "[1]", "hello", LIST].map(str::as_bytes);
    let (run, answers) = answers(&lines);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    let begin = "a message is a JSON object on a line, and this is ";
    let said: Vec<(i64, &str)> = refusals(&answers)
        .into_iter()
        .map(|(code, message)| (code, message.strip_prefix(begin).unwrap()))
        .collect();
    assert_eq!(
        said,
        [
            (
                -32700,
                "no JSON: EOF while parsing a value at line 1 column 33"
            ),
            (-32600, "an array"),
            (-32700, "no JSON: expected value at line 1 column 1"),
        ]
    );
    assert!(with_id(&answers, 7)["result"]["tools"].is_array());
}

/// The last line counts without its end, too.
#[test]
fn a_last_line_needs_no_end() {
    let dir = Dir::new(&[]);
    let run = dir.run_input("mcp", [INITIALIZE, INITIALIZED, LIST].join("\n"));
    let last = run.stdout.lines().last().unwrap();
    let answer: Value = serde_json::from_str(last).unwrap();
    assert_eq!(answer["id"], 7, "{}", run.stdout);
}

#[test]
fn wrong_requests_are_told() {
    let wrong = [
        (2, r#""method":"tools/destroy""#),
        (3, r#""method":"tools/call""#),
        (4, r#""method":"tools/call","params":{"name":7}"#),
        (
            5,
            r#""method":"tools/call","params":{"name":"check","arguments":[]}"#,
        ),
        (
            6,
            r#""method":"resources/read","params":{"uri":"file:///etc/passwd"}"#,
        ),
    ];
    let lines = wrong.map(|(id, rest)| format!(r#"{{"jsonrpc":"2.0","id":{id},{rest}}}"#));
    let mut all = vec![INITIALIZE.as_bytes()];
    all.extend(lines.iter().map(String::as_bytes));
    let (run, answers) = answers(&all);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for (id, rest) in wrong {
        let answer = with_id(&answers, id);
        assert!(answer["error"]["code"].is_i64(), "{rest}: {answer}");
    }
}

#[test]
fn a_client_that_says_nothing_ends_it() {
    let dir = Dir::new(&[]);
    let run = dir.run("mcp");
    assert_eq!((run.code, &*run.stdout, &*run.stderr), (0, "", ""));
    let run = dir.run_input("mcp", format!("{INITIALIZED}\n"));
    assert_eq!((run.code, &*run.stdout), (2, ""));
    assert!(run.stderr.contains("has to begin with"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_served_is_said() {
    let dir = Dir::new(&[("good.fk", GOOD)]);
    for path in ["gone", "good.fk"] {
        let run = dir.run(&format!("mcp {path}"));
        assert_eq!(run.code, 2, "{path}");
        let says = format!("frank: {path} cannot be served: ");
        assert!(run.stderr.starts_with(&says), "{}", run.stderr);
    }
}

/// Revisions in which there is no handshake: each request says what it needs.
#[test]
fn requests_may_stand_alone() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "by hand", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let list =
        json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": { "_meta": meta } });
    let (run, answers) = answers(&[list.to_string().as_bytes()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let tools = &with_id(&answers, 7)["result"]["tools"];
    assert!(tools.is_array(), "{answers:?}");
}
