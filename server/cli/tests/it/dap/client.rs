//! A client of the Debug Adapter Protocol. It knows nothing of the debugger's insides.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long a test waits for anything.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    seq: i64,
    /// What came besides the answer that was waited for.
    pub events: Vec<Value>,
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Client {
    /// A debugger without a word to it.
    pub fn spawn() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_frank"))
            .arg("dap")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Client {
            input: child.stdin.take(),
            child,
            messages,
            seq: 0,
            events: Vec::new(),
        }
    }

    /// A run that was launched, and has no breakpoints yet.
    pub fn launch(arguments: Value) -> Client {
        let mut client = Client::spawn();
        client.call("initialize", json!({ "adapterID": "frank" }));
        client.call("launch", arguments);
        client.event("initialized");
        client
    }

    pub fn send_raw(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    pub fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.seq += 1;
        let body = json!({
            "seq": self.seq, "type": "request", "command": command, "arguments": arguments,
        });
        let body = body.to_string();
        self.send_raw(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        self.seq
    }

    pub fn next(&mut self) -> Value {
        self.messages.recv_timeout(PATIENCE).expect("a message")
    }

    /// The body of the answer, or the message of what went wrong.
    pub fn try_call(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        let seq = self.send(command, arguments);
        loop {
            let message = self.next();
            if message["type"] != "response" {
                self.events.push(message);
                continue;
            }
            assert_eq!(message["request_seq"], seq, "{message}");
            assert_eq!(message["command"], command, "{message}");
            return match message["success"] == true {
                true => Ok(message["body"].clone()),
                false => Err(message["message"].as_str().unwrap().to_owned()),
            };
        }
    }

    pub fn call(&mut self, command: &str, arguments: Value) -> Value {
        self.try_call(command, arguments)
            .unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// Waits for an event of a name.
    pub fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at)["body"].clone();
            }
            let message = self.next();
            assert_eq!(message["type"], "event", "{message}");
            self.events.push(message);
        }
    }

    /// Sets breakpoints of lines, and gives the lines that they got.
    pub fn lines(&mut self, file: &Path, lines: &[i64]) -> Vec<Value> {
        let breakpoints: Vec<Value> = lines.iter().map(|line| json!({ "line": line })).collect();
        let answer = self.breakpoints(file, json!(breakpoints));
        answer.iter().map(|point| point["line"].clone()).collect()
    }

    pub fn breakpoints(&mut self, file: &Path, breakpoints: Value) -> Vec<Value> {
        let arguments = json!({ "source": { "path": file }, "breakpoints": breakpoints });
        let answer = self.call("setBreakpoints", arguments);
        answer["breakpoints"].as_array().unwrap().clone()
    }

    pub fn filters(&mut self, filters: Value) -> Value {
        self.call(
            "setExceptionBreakpoints",
            json!({ "filters": [], "filterOptions": filters }),
        )
    }

    pub fn configured(&mut self) {
        self.call("configurationDone", Value::Null);
    }

    /// Where the run has stopped: the reason, and the innermost frame.
    pub fn stopped(&mut self) -> (String, String) {
        let event = self.event("stopped");
        let reason = event["reason"].as_str().unwrap().to_owned();
        (reason, self.top())
    }

    /// The innermost frame.
    pub fn top(&mut self) -> String {
        self.stack().first().cloned().unwrap_or_default()
    }

    /// The frames, each with its line.
    pub fn stack(&mut self) -> Vec<String> {
        let answer = self.call("stackTrace", json!({ "threadId": 1 }));
        let frames = answer["stackFrames"].as_array().unwrap().iter();
        frames
            .map(|frame| format!("{}:{}", frame["name"].as_str().unwrap(), frame["line"]))
            .collect()
    }

    /// Moves, and says where the run stops then.
    pub fn go(&mut self, command: &str) -> (String, String) {
        self.call(command, json!({ "threadId": 1 }));
        self.stopped()
    }

    /// A scope of a frame, counted from 1: names with values.
    pub fn scope(&mut self, frame: i64, name: &str) -> Vec<(String, String)> {
        let scopes = self.call("scopes", json!({ "frameId": frame }));
        let scopes = scopes["scopes"].as_array().unwrap();
        let scope = scopes.iter().find(|scope| scope["name"] == name);
        let reference =
            scope.unwrap_or_else(|| panic!("{name}: {scopes:?}"))["variablesReference"].clone();
        let made = self.variables(&reference).into_iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        made.map(|variable| (text(&variable["name"]), text(&variable["value"])))
            .collect()
    }

    pub fn variables(&mut self, reference: &Value) -> Vec<Value> {
        let answer = self.call("variables", json!({ "variablesReference": reference }));
        answer["variables"].as_array().unwrap().clone()
    }

    /// What a term comes to in the innermost frame.
    pub fn evaluate(&mut self, term: &str) -> Result<String, String> {
        let arguments = json!({ "expression": term, "frameId": 1, "context": "repl" });
        let answer = self.try_call("evaluate", arguments)?;
        Ok(answer["result"].as_str().unwrap().to_owned())
    }

    /// All that was printed by now in a category.
    pub fn printed(&self, category: &str) -> String {
        let outputs = self
            .events
            .iter()
            .filter(|event| event["event"] == "output");
        let outputs = outputs.filter(|event| event["body"]["category"] == category);
        outputs
            .map(|event| event["body"]["output"].as_str().unwrap())
            .collect()
    }

    /// Waits for the end of the run, and gives its exit code.
    pub fn ended(&mut self) -> i64 {
        let code = self.event("exited")["exitCode"].as_i64().unwrap();
        self.event("terminated");
        code
    }

    /// Closes the connection; whether the debugger leaves without an error.
    pub fn hang_up(mut self) -> bool {
        self.input = None;
        self.child.wait().unwrap().success()
    }
}

fn read_message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(':') {
            Some((_, value)) => length = value.trim().parse().ok()?,
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
