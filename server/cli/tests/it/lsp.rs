//! `frank lsp`: only that it serves; what it answers is tested elsewhere.

use std::io::{BufRead, BufReader, Read, Write};

use crate::support::Dir;

fn message(text: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

#[test]
fn it_serves_and_ends() {
    let dir = Dir::new(&[]);
    let mut child = dir.command("lsp --stdio").spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    let initialize =
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    stdin
        .write_all(message(initialize).as_bytes())
        .expect("it reads");
    let mut length = 0;
    loop {
        let mut header = String::new();
        stdout.read_line(&mut header).expect("it answers");
        match header.trim().strip_prefix("Content-Length: ") {
            Some(count) => length = count.parse().expect("a number"),
            None if header.trim().is_empty() => break,
            None => {}
        }
    }
    let mut answer = vec![0; length];
    stdout.read_exact(&mut answer).expect("a whole answer");
    assert!(String::from_utf8_lossy(&answer).contains("\"capabilities\""));
    for next in [
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"exit"}"#,
    ] {
        stdin.write_all(message(next).as_bytes()).expect("it reads");
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn only_this_machine_is_served() {
    let run = Dir::new(&[]).run("lsp --tcp 0.0.0.0:0");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("listen on 127.0.0.1"), "{}", run.stderr);
}
