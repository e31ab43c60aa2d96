//! A disk that hangs, or holds what is no file: nothing waits for it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::path::Path;
use std::process::Command;

use frank_protocol_tests::{Client, Fixture, Scratch, server, usual_capabilities};
use serde_json::{Value, json};

fn stalled(folders: &[&Path]) -> Client {
    let mut client = Client::start(folders);
    client.call("frank/selfTest", json!({ "do": "stallDisk" }));
    client
}

/// Whether a published finding of a file begins with something.
fn says(client: &Client, uri: &str, start: &str) -> bool {
    let published = client.published.get(uri).into_iter();
    let mut findings = published.flat_map(|published| &published.diagnostics);
    findings.any(|finding| finding["message"].as_str().unwrap().starts_with(start))
}

/// Edits and questions have answers while no read of the disk ever ends.
#[test]
fn a_disk_that_never_answers_holds_nothing_up() {
    let dir = Scratch::with(&[("lib.fk", "one : {Int}\none! = 1\n")]);
    let mut client = stalled(&[]);
    let main = dir.uri("main.fk");
    let fixture = Fixture::new("include lib\nmain : {Int}\nmai$0n! = one! + tru\n");
    client.open(&main, &fixture.text);
    client.until("the include is not read yet", |client| {
        says(
            client,
            &main,
            "`lib.fk` cannot be included: the disk has not answered",
        )
    });
    let hover = client.call("textDocument/hover", fixture.position(&main, '0'));
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("main")
    );
    let touched = json!({ "changes": [
        { "uri": dir.uri("lib.fk"), "type": 2 }, { "uri": dir.uri("frank.toml"), "type": 1 },
    ] });
    client.notify("workspace/didChangeWatchedFiles", touched);
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "include": ["../x"] } }),
    );
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({ "event": { "added": [{ "uri": dir.uri(""), "name": "x" }], "removed": [] } }),
    );
    client.open(&dir.uri("other.fk"), "include main\n");
    client.close(&dir.uri("other.fk"));
    client.replace(&main, "main : {Int}\nmain! = tru\n");
    assert_eq!(client.codes(&main), ["1:FK0101"]);
    assert!(client.shut_down().success());
}

#[test]
fn a_disk_that_never_answers_does_not_keep_the_server() {
    let mut client = stalled(&[]);
    client.open("untitled:a", "include lib\n");
    client.hang_up();
    assert!(client.ended().success());
}

#[test]
fn a_main_loop_that_hangs_does_not_keep_the_server() {
    let mut client = Client::start(&[]);
    client.call("frank/selfTest", json!({ "do": "hangMainLoop" }));
    // Nobody takes these.
    client.request("shutdown", Value::Null);
    client.hang_up();
    client.ended();
}

/// A pipe that a repository holds as a file: who opens it waits for a writer.
#[cfg(unix)]
#[test]
fn pipes_in_place_of_files_hold_nothing_up() {
    let dir = Scratch::new();
    for name in ["lib.fk", "frank.toml"] {
        let made = Command::new("mkfifo").arg(dir.path().join(name)).status();
        assert!(made.unwrap().success());
    }
    std::os::unix::fs::symlink("/dev/ptmx", dir.path().join("tty.fk")).unwrap();
    let mut client = Client::start(&[dir.path()]);
    let main = dir.uri("main.fk");
    client.open(
        &main,
        "include lib\ninclude tty\nmain : {Int}\nmain! = tru\n",
    );
    for name in ["lib", "tty"] {
        client.until("the include cannot be read", |client| {
            says(client, &main, &format!("`{name}.fk` cannot be included: "))
        });
    }
    client.until("nor can the settings", |client| {
        says(client, &dir.uri("frank.toml"), "this file cannot be read: ")
    });
    client.replace(&main, "main : {Int}\nmain! = tru\n");
    assert_eq!(client.codes(&main), ["1:FK0101"]);
    client.hang_up();
    assert!(client.ended().success());
}

/// The library is written for editors to open. A home directory may be on a disk that does not answer.
#[cfg(unix)]
#[test]
fn a_cache_that_does_not_answer_holds_nothing_up() {
    let cache = Scratch::new();
    let start = || {
        let mut command = server();
        command.env("XDG_CACHE_HOME", cache.path());
        let mut client = Client::spawn_as(command);
        client.initialize(&[], usual_capabilities(), Value::Null);
        client.open("untitled:a", "main : {Int}\nmain! = tru\n");
        assert_eq!(client.codes("untitled:a"), ["1:FK0101"]);
        client
    };
    start();
    let library = std::fs::read_dir(cache.path().join("frank")).unwrap();
    for file in library.map(|library| library.unwrap().path().join("prelude.fk")) {
        std::fs::remove_file(&file).unwrap();
        assert!(Command::new("mkfifo").arg(file).status().unwrap().success());
    }
    start();
}

/// What was read before a change does not count after it.
#[test]
fn the_last_word_counts() {
    let dir = Scratch::with(&[("lib.fk", "one : {Int}\none! = 1\n")]);
    let mut client = Client::start_with(&[dir.path()], usual_capabilities(), Value::Null);
    let (main, lib) = (dir.uri("main.fk"), dir.uri("lib.fk"));
    client.open(&main, "include lib\nmain : {Int}\nmain! = one!\n");
    for round in 0..40 {
        // Written, reported, opened, closed and written again without waiting for anything.
        let (old, new) = (format!("a{round}"), format!("b{round}"));
        dir.write("lib.fk", &format!("{old} : {{Int}}\n{old}! = 1\n"));
        let touched = json!({ "changes": [{ "uri": lib, "type": 2 }] });
        client.notify("workspace/didChangeWatchedFiles", touched.clone());
        if round % 2 == 0 {
            client.open(&lib, "c : {Int}\nc! = 1\n");
            client.close(&lib);
        }
        dir.write("lib.fk", &format!("{new} : {{Int}}\n{new}! = 1\n"));
        client.notify("workspace/didChangeWatchedFiles", touched);
        let text = format!("include lib\nmain : {{Int}}\nmain! = {new}!\n");
        client.replace(&main, &text);
        client.until("the last text counts", |client| {
            client.published.get(&main).is_some_and(|published| {
                published.version == Some(round + 2) && published.diagnostics.is_empty()
            })
        });
    }
}
