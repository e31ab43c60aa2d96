//! A server whose client is gone ends, whatever it is doing.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::process::{Child, Command, Stdio};

use frank_protocol_tests::{Client, usual_capabilities};
use serde_json::json;

/// What a server may be doing.
const STATES: [&str; 4] = ["idle", "working", "stallDisk", "hangMainLoop"];

fn busy(client: &mut Client, state: &str) {
    client.open("untitled:a", "include lib\nmain : {Int}\nmain! = tru\n");
    match state {
        "idle" => {
            client.findings("untitled:a");
        }
        "working" => {
            for _ in 0..20 {
                let work = json!({ "do": "work", "millis": 600_000, "urgent": true });
                client.request("frank/selfTest", work);
            }
        }
        state => {
            client.call("frank/selfTest", json!({ "do": state }));
        }
    }
}

#[test]
fn standard_input_is_closed() {
    for state in STATES {
        let mut client = Client::start(&[]);
        busy(&mut client, state);
        client.hang_up();
        assert!(client.ended().success(), "{state}");
    }
}

/// Nothing is written any more, and nothing is read: only the pipe itself knows.
#[cfg(unix)]
#[test]
fn standard_output_is_closed() {
    for state in STATES {
        let mut client = Client::start(&[]);
        busy(&mut client, state);
        client.stop_reading();
        assert!(client.ended().success(), "{state}");
    }
}

/// Somebody else may hold the ends of the pipes that the client had.
#[test]
fn the_clients_process_is_dead() {
    for state in STATES {
        let mut sleeper = sleeper();
        let mut client = Client::spawn(&[]);
        let hello = json!({ "processId": sleeper.id(), "capabilities": usual_capabilities() });
        client.call("initialize", hello);
        client.notify("initialized", json!({}));
        busy(&mut client, state);
        sleeper.kill().unwrap();
        sleeper.wait().unwrap();
        assert!(client.ended().success(), "{state}");
    }
}

#[test]
fn the_clients_process_was_dead_before() {
    let mut sleeper = sleeper();
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    let mut client = Client::spawn(&[]);
    let hello = json!({ "processId": sleeper.id(), "capabilities": usual_capabilities() });
    client.request("initialize", hello);
    assert!(client.ended().success());
}

#[test]
fn no_process_is_no_dead_process() {
    let mut client = Client::spawn(&[]);
    client.call(
        "initialize",
        json!({ "processId": null, "capabilities": usual_capabilities() }),
    );
    client.notify("initialized", json!({}));
    client.open("untitled:a", "main : {Int}\nmain! = tru\n");
    assert_eq!(client.codes("untitled:a"), ["1:FK0101"]);
    assert!(client.shut_down().success());
}

/// A process that does nothing for long.
fn sleeper() -> Child {
    let mut command = Command::new(if cfg!(windows) { "timeout" } else { "sleep" });
    command
        .arg("600")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command.spawn().unwrap()
}
