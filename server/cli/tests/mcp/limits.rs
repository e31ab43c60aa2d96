//! Runs that would not end do, and say so.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Client;
use crate::support::Dir;

/// Loops without end: one that computes, one that prints, one that takes memory.
pub const ENDLESS: &str = "\
include prelude

main : {Int}
main! = loop 0

loop : Int -> Int
loop n = loop (n + 1)

chatter : [Console] Int
chatter! = ouch 'x'; chatter!

grow : {Int}
grow! = length (longer [])

longer : List Int -> List Int
longer xs = longer (cons 1 xs)
";

fn dir() -> Dir {
    Dir::new(&[("endless.fk", ENDLESS)])
}

/// How a run ended, and what was said.
fn ended(object: &Value) -> (&str, &str) {
    let text = |name: &str| object[name].as_str().unwrap();
    (text("ended"), text("messages"))
}

#[tokio::test]
async fn a_call_bounds_its_run() {
    let dir = dir();
    let client = Client::start(dir.path(), &[]).await;
    for (limit, says) in [
        (json!({ "seconds": 0.2 }), "the time limit is reached"),
        (json!({ "steps": 100 }), "the step limit is reached"),
        (
            json!({ "entry": "grow", "megabytes": 8 }),
            "the memory limit is reached",
        ),
    ] {
        let mut arguments = limit.clone();
        arguments["path"] = json!("endless.fk");
        let stopped = client.failure("run", arguments.clone()).await;
        let (how, messages) = ended(&stopped);
        assert_eq!(how, "failed", "{limit}");
        assert!(messages.contains(says), "{messages}");
        // It says where.
        assert!(messages.contains("endless.fk:"), "{messages}");
        // A state that the run does not reach.
        arguments["from"] = json!(1_000_000_000);
        let stepped = client.failure("step", arguments).await;
        assert!(
            stepped["messages"].as_str().unwrap().contains("limit"),
            "{stepped}"
        );
    }
    let term = json!({ "term": "loop 0", "path": "endless.fk", "seconds": 0.2 });
    let stopped = client.failure("eval", term).await;
    assert!(ended(&stopped).1.contains("the time limit"), "{stopped}");
}

#[tokio::test]
async fn the_server_bounds_all_runs() {
    let dir = dir();
    dir.write(
        "frank.toml",
        "[limits]\nsteps = 100000000000\ntimeout = \"10m\"\n",
    );
    let limits = ["--timeout=200ms", "--memory=16MiB"];
    let client = Client::start(dir.path(), &limits).await;
    let arguments = json!({ "path": "endless.fk", "seconds": 3600, "megabytes": 1_000_000 });
    let stopped = client.failure("run", arguments).await;
    assert!(ended(&stopped).1.contains("the time limit"), "{stopped}");
    let client = Client::start(dir.path(), &["--steps=1000"]).await;
    let arguments = json!({ "path": "endless.fk", "steps": 1_000_000_000_000_u64 });
    let stopped = client.failure("run", arguments).await;
    assert!(ended(&stopped).1.contains("the step limit"), "{stopped}");
}

#[tokio::test]
async fn what_is_printed_is_bounded() {
    let dir = dir();
    let client = Client::start(dir.path(), &[]).await;
    let arguments = json!({ "path": "endless.fk", "entry": "chatter" });
    let stopped = client.failure("run", arguments).await;
    let (how, messages) = ended(&stopped);
    assert_eq!(how, "stopped");
    assert!(messages.contains("wrote more than 256 KiB"), "{messages}");
    let output = stopped["output"].as_str().unwrap();
    assert_eq!(output, "x".repeat(256 << 10));
}

#[tokio::test]
async fn calls_that_are_answered_do_not_wait_for_others() {
    let dir = dir();
    let client = Client::start(dir.path(), &[]).await;
    let eval = async |term: &str| client.object("eval", json!({ "term": term })).await;
    let (one, two) = tokio::join!(eval("1 + 1"), eval("2 + 2"));
    assert_eq!((&one["value"], &two["value"]), (&json!("2"), &json!("4")));
    // More than there are processors: all have their turn.
    let endless = json!({ "path": "endless.fk", "seconds": 0.1 });
    let count = std::thread::available_parallelism().unwrap().get() * 2 + 1;
    let mut calls = Vec::new();
    for _ in 0..count {
        calls.push(client.failure("run", endless.clone()));
    }
    let all = tokio::time::timeout(Duration::from_secs(120), join(calls));
    for stopped in all.await.expect("each has its turn") {
        assert!(ended(&stopped).1.contains("the time limit"), "{stopped}");
    }
}

/// What some futures give, all of which go on meanwhile.
async fn join<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut futures: Vec<_> = futures.into_iter().map(Box::pin).collect();
    let mut outputs: Vec<Option<F::Output>> = futures.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (future, output) in futures.iter_mut().zip(&mut outputs) {
            if output.is_none()
                && let std::task::Poll::Ready(value) = future.as_mut().poll(context)
            {
                *output = Some(value);
            }
        }
        match outputs.iter().all(Option::is_some) {
            true => std::task::Poll::Ready(()),
            false => std::task::Poll::Pending,
        }
    })
    .await;
    outputs.into_iter().flatten().collect()
}
