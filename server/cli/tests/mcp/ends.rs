//! What was started ends: when its call is cancelled, when the client leaves, when the server is stopped.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::client::Client;
use crate::limits::ENDLESS;
use crate::support::Dir;

/// Longer than any of this takes: what is waited for does not come.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many processes there are in a directory: those that the server has started there.
fn processes(directory: &Path) -> usize {
    let directory = directory.canonicalize().unwrap();
    let all = fs::read_dir("/proc").unwrap().flatten();
    let is_there = |path: &Path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == directory);
    all.filter(|entry| is_there(&entry.path())).count()
}

/// Waits until there are so many.
async fn until(directory: &Path, count: usize) {
    let waiting = async {
        while processes(directory) != count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(waited.is_ok(), "{} processes", processes(directory));
}

async fn started() -> (Dir, Client) {
    let dir = Dir::new(&[("endless.fk", ENDLESS)]);
    let client = Client::start(dir.path(), &["--timeout=10m"]).await;
    (dir, client)
}

#[tokio::test]
async fn a_cancelled_call_ends_its_process() {
    let (dir, client) = started().await;
    let call = client.call("run", json!({ "path": "endless.fk" }));
    // A call that is dropped is cancelled.
    tokio::select! {
        answer = call => panic!("it ended: {answer:?}"),
        () = until(dir.path(), 1) => {}
    }
    until(dir.path(), 0).await;
    // The server goes on.
    let two = client.object("eval", json!({ "term": "1 + 1" })).await;
    assert_eq!(two["value"], "2");
}

/// What waits for its turn is not started any more.
#[tokio::test]
async fn a_cancelled_call_gives_its_place_to_others() {
    let (dir, client) = started().await;
    let count = std::thread::available_parallelism().unwrap().get();
    let endless = json!({ "path": "endless.fk" });
    let calls = async {
        let call = || client.call("run", endless.clone());
        let mut calls: Vec<_> = (0..count + 3).map(|_| Box::pin(call())).collect();
        std::future::poll_fn(|context| {
            let mut ended = calls.iter_mut().map(|call| call.as_mut().poll(context));
            match ended.any(|poll| poll.is_ready()) {
                true => std::task::Poll::Ready(()),
                false => std::task::Poll::Pending,
            }
        })
        .await;
    };
    tokio::select! {
        () = calls => panic!("one of them ended"),
        () = until(dir.path(), count) => {}
    }
    let two = client.object("eval", json!({ "term": "1 + 1" })).await;
    assert_eq!(two["value"], "2");
    until(dir.path(), 0).await;
}

#[tokio::test]
async fn when_the_client_leaves_all_ends() {
    let (dir, mut client) = started().await;
    let call = client.call("run", json!({ "path": "endless.fk" }));
    tokio::select! {
        answer = call => panic!("it ended: {answer:?}"),
        () = until(dir.path(), 1) => {}
    }
    client.service.cancel().await.expect("it leaves");
    let status = tokio::time::timeout(PATIENCE, client.child.wait()).await;
    assert!(status.expect("it ends").unwrap().success());
    until(dir.path(), 0).await;
}

/// The call goes on while the client's end of the pipe closes.
#[tokio::test]
async fn an_open_call_does_not_keep_the_server() {
    use tokio::io::AsyncWriteExt;
    let dir = Dir::new(&[("endless.fk", ENDLESS)]);
    let mut server = tokio::process::Command::new(env!("CARGO_BIN_EXE_frank"))
        .arg("mcp")
        .arg(dir.path())
        .arg("--timeout=10m")
        .current_dir("/")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let first = crate::protocol::INITIALIZE;
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"path":"endless.fk"}}}"#;
    input
        .write_all(format!("{first}\n{call}\n").as_bytes())
        .await
        .unwrap();
    until(dir.path(), 1).await;
    drop(input);
    let output = tokio::time::timeout(PATIENCE, server.wait_with_output()).await;
    assert!(output.expect("it ends").unwrap().status.success());
    until(dir.path(), 0).await;
}

#[tokio::test]
async fn a_server_that_is_stopped_leaves_nothing() {
    let (dir, mut client) = started().await;
    let pid = client.child.id().unwrap().cast_signed();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    let call = client.try_call("run", json!({ "path": "endless.fk" }));
    let stop = async {
        until(dir.path(), 1).await;
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    };
    let (answer, ()) = tokio::join!(call, stop);
    answer.expect_err("it was stopped");
    let status = tokio::time::timeout(PATIENCE, client.child.wait()).await;
    assert_eq!(status.expect("it ends").unwrap().code(), Some(130));
    until(dir.path(), 0).await;
}
