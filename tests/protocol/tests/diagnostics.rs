//! Findings, told and asked for.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use frank_protocol_tests::{Client, Scratch};

#[test]
fn findings_come_and_go_as_one_types() {
    let dir = Scratch::new();
    let mut client = Client::start(&[dir.path()]);
    let uri = dir.uri("a.fk");
    client.open(&uri, "main : {Int}\nmain! = 1 + tru\n");
    assert_eq!(client.codes(&uri), ["1:FK0101"]);
    client.replace(&uri, "main : {Int}\nmain! = 1 + 2\n");
    assert_eq!(client.codes(&uri), [""; 0]);
    assert!(client.shut_down().success());
}
