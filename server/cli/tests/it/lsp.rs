//! `frank lsp`: only that it serves; what it answers is tested elsewhere.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command};

use crate::support::Dir;

/// A server that serves on its standard input and output.
pub struct Server {
    pub child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    /// Starts one, and waits until it is initialized.
    pub fn start(dir: &Dir) -> (Server, String) {
        Server::start_with(dir.command("lsp --stdio"))
    }

    /// The same with a command of the test's own.
    pub fn start_with(mut command: Command) -> (Server, String) {
        let mut child = command.spawn().expect("it starts");
        let mut server = Server {
            input: child.stdin.take().expect("piped"),
            output: BufReader::new(child.stdout.take().expect("piped")),
            child,
        };
        server.send(r#""id":1,"method":"initialize","params":{"capabilities":{}}"#);
        let answer = server.until(r#""id":1"#);
        server.send(r#""method":"initialized","params":{}"#);
        (server, answer)
    }

    /// Sends a message, which is given without what all of them have.
    pub fn send(&mut self, message: &str) {
        let text = format!(r#"{{"jsonrpc":"2.0",{message}}}"#);
        let message = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        self.input.write_all(message.as_bytes()).expect("it reads");
    }

    /// The next message that has a word.
    pub fn until(&mut self, word: &str) -> String {
        loop {
            let mut length = 0;
            loop {
                let mut header = String::new();
                self.output.read_line(&mut header).expect("it answers");
                match header.trim().strip_prefix("Content-Length: ") {
                    Some(count) => length = count.parse().expect("a number"),
                    None if header.trim().is_empty() => break,
                    None => {}
                }
            }
            let mut message = vec![0; length];
            self.output.read_exact(&mut message).expect("all of it");
            let message = String::from_utf8(message).expect("text");
            if message.contains(word) {
                return message;
            }
        }
    }

    /// Takes leave, and gives what was said on standard error.
    pub fn said(mut self) -> String {
        self.send(r#""id":0,"method":"shutdown""#);
        self.send(r#""method":"exit""#);
        let mut said = String::new();
        let mut stream = self.child.stderr.take().expect("piped");
        stream.read_to_string(&mut said).expect("text");
        self.child.wait().expect("it ends");
        said
    }

    /// Takes leave, and gives the exit code.
    pub fn end(mut self) -> Option<i32> {
        self.send(r#""id":0,"method":"shutdown""#);
        self.send(r#""method":"exit""#);
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn it_serves_and_ends() {
    let (server, answer) = Server::start(&Dir::new(&[]));
    assert!(answer.contains("\"capabilities\""));
    assert_eq!(server.end(), Some(0));
}

#[test]
fn only_this_machine_is_served() {
    let run = Dir::new(&[]).run("lsp --tcp 0.0.0.0:0");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("listen on 127.0.0.1"), "{}", run.stderr);
}

/// What an operator is granted that somebody runs in an editor is said where the server is started, and nowhere else: no
/// setting that a workspace could have does it.
#[test]
fn files_are_granted_on_its_command_line() {
    let program = "include file\n\nmain : [File] String\nmain! = readFile \"in/a.txt\"\n";
    let dir = Dir::new(&[("main.fk", program), ("in/a.txt", "granted")]);
    let uri = format!("file://{}/main.fk", dir.path().display());
    let said = |options: &str, settings: &str| {
        let (mut server, _) = Server::start_with(dir.command(&format!("lsp --stdio {options}")));
        server.send(&format!(
            r#""method":"workspace/didChangeConfiguration","params":{{"settings":{settings}}}"#
        ));
        let text = serde_json::Value::from(program);
        server.send(&format!(
            r#""method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"{uri}","languageId":"frank","version":1,"text":{text}}}}}"#
        ));
        server.send(&format!(
            r#""id":2,"method":"workspace/executeCommand","params":{{"command":"frank.run","arguments":["{uri}","main"]}}"#
        ));
        let answer = server.until(r#""id":2"#);
        assert_eq!(server.end(), Some(0));
        answer
    };
    let granted = said("--read in", "{}");
    assert!(granted.contains("\\\"granted\\\""), "{granted}");
    let elsewhere = said("--read out", "{}");
    assert!(
        elsewhere.contains("this run may not read it"),
        "{elsewhere}"
    );
    let wishes = r#"{"frank":{"run":{"read":["in"]},"read":["in"]}}"#;
    for settings in ["{}", wishes] {
        let refused = said("", settings);
        assert!(refused.contains("is not granted here"), "{refused}");
    }
}
