//! A small client of the protocol, for tests.
//!
//! It starts the real server, writes and reads real messages, and knows nothing of the server's
//! insides. What the server says of its own accord is kept until a test asks for it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that is wrong ends"
)]

mod cursor;

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub use cursor::Fixture;

/// How long a test waits for anything.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server and the client's end of the connection.
pub struct Client {
    /// The server, if it is this client's own.
    child: Option<Child>,
    input: Option<Box<dyn Write + Send>>,
    /// What `initializationOptions` say besides what a test has in them.
    token: Option<String>,
    messages: Receiver<Value>,
    next_id: i64,
    answers: HashMap<i64, Value>,
    /// Answers to requests whose ids are texts.
    pub named_answers: HashMap<String, Value>,
    /// Notifications other than findings, in order.
    pub notifications: VecDeque<Value>,
    /// Requests of the server's, in order.
    pub requests: Vec<Value>,
    /// What was published last for each URI.
    pub published: HashMap<String, Published>,
    /// How many times findings were published.
    pub publications: usize,
    /// The answer to `workspace/configuration`; without one the server's requests have no answer.
    pub settings: Option<Value>,
    /// Whether the server's requests are answered at all.
    pub answers_requests: bool,
    pub capabilities: Value,
    /// While this is false, what the server writes is not even read.
    pub reading: Arc<AtomicBool>,
    /// Nothing is read any more, and the reading end is closed.
    deaf: Arc<AtomicBool>,
    versions: HashMap<String, i64>,
}

/// Findings of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    pub version: Option<i64>,
    pub diagnostics: Vec<Value>,
}

/// The command that starts the server.
pub fn server() -> Command {
    match std::env::var("FRANK_SERVER") {
        Ok(command) => {
            let mut words = command.split_whitespace();
            let mut command = Command::new(words.next().unwrap());
            command.args(words);
            command
        }
        Err(_) => {
            let this = std::env::current_exe().unwrap();
            let target = this
                .ancestors()
                .find(|dir| dir.ends_with("deps"))
                .unwrap()
                .parent()
                .unwrap();
            Command::new(target.join("frank-server-under-test"))
        }
    }
}

/// What most clients can do.
pub fn usual_capabilities() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-16"] },
        "textDocument": {
            "publishDiagnostics": {
                "relatedInformation": true,
                "codeDescriptionSupport": true,
                "versionSupport": true,
                "tagSupport": { "valueSet": [1, 2] },
            },
            "hover": { "contentFormat": ["markdown", "plaintext"] },
            "completion": { "completionItem": {
                "snippetSupport": true,
                "labelDetailsSupport": true,
                "documentationFormat": ["markdown"],
                "resolveSupport": { "properties": ["documentation", "detail"] },
            } },
            "definition": { "linkSupport": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "codeAction": {
                "codeActionLiteralSupport": {
                    "codeActionKind": { "valueSet": ["quickfix", "refactor", "source.fixAll"] },
                },
                "dataSupport": true,
                "resolveSupport": { "properties": ["edit"] },
            },
            "rename": { "prepareSupport": true },
            "semanticTokens": {
                "requests": { "range": true, "full": { "delta": true } },
                "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"],
            },
            "inlayHint": { "dynamicRegistration": false },
        },
        "workspace": {
            "configuration": true,
            "workspaceFolders": true,
            "didChangeWatchedFiles": { "dynamicRegistration": true },
            "didChangeConfiguration": { "dynamicRegistration": true },
            "workspaceEdit": { "documentChanges": true },
            "codeLens": { "refreshSupport": true },
            "inlayHint": { "refreshSupport": true },
            "semanticTokens": { "refreshSupport": true },
        },
        "window": { "workDoneProgress": true },
    })
}

impl Client {
    /// Starts a server, without a word to it.
    pub fn spawn(arguments: &[&str]) -> Client {
        let mut command = server();
        command.args(arguments);
        Client::spawn_as(command)
    }

    /// Starts a server by a command.
    pub fn spawn_as(mut command: Command) -> Client {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        if std::env::var_os("FRANK_SHOW").is_none() {
            command.stderr(Stdio::null());
        }
        let mut child = command.spawn().expect("the server starts");
        let output = child.stdout.take().unwrap();
        let input = child.stdin.take().unwrap();
        let mut client = Client::over(output, input);
        client.child = Some(child);
        client
    }

    /// Connects with a server that listens.
    pub fn connect(server: &Listener) -> Client {
        let stream = server.connect();
        let mut client = Client::over(stream.try_clone().unwrap(), Hangup(stream));
        client.token = Some(server.token.clone());
        client
    }

    fn over(output: impl Read + Send + 'static, input: impl Write + Send + 'static) -> Client {
        let (sender, messages) = channel();
        let reading = Arc::new(AtomicBool::new(true));
        let may_read = reading.clone();
        let deaf = Arc::new(AtomicBool::new(false));
        let is_deaf = deaf.clone();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                while !may_read.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(5));
                }
                let Some(message) = read_message(&mut output) else {
                    return;
                };
                if sender.send(message).is_err() || is_deaf.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        Client {
            child: None,
            input: Some(Box::new(input)),
            token: None,
            messages,
            next_id: 1,
            answers: HashMap::new(),
            named_answers: HashMap::new(),
            notifications: VecDeque::new(),
            requests: Vec::new(),
            published: HashMap::new(),
            publications: 0,
            settings: None,
            answers_requests: true,
            capabilities: Value::Null,
            reading,
            deaf,
            versions: HashMap::new(),
        }
    }

    /// Starts a server for some folders with a usual client.
    pub fn start(folders: &[&Path]) -> Client {
        Client::start_with(folders, usual_capabilities(), Value::Null)
    }

    /// Starts a server for some folders.
    pub fn start_with(folders: &[&Path], capabilities: Value, options: Value) -> Client {
        let mut client = Client::spawn(&[]);
        client.initialize(folders, capabilities, options);
        client
    }

    /// Says hello, and that the answer has come.
    pub fn initialize(&mut self, folders: &[&Path], capabilities: Value, options: Value) {
        self.hello(folders, capabilities, options);
        self.notify("initialized", json!({}));
    }

    /// Says hello, and waits for the answer.
    pub fn hello(&mut self, folders: &[&Path], capabilities: Value, mut options: Value) {
        if let Some(token) = &self.token {
            options["token"] = json!(token);
        }
        // A test types in no time; one about pauses says how long they are.
        if options.get("typing").is_none() {
            options["typing"] = json!({ "pause": "0ms" });
        }
        let folders: Vec<Value> = folders
            .iter()
            .map(|path| json!({ "uri": uri(path), "name": "test" }))
            .collect();
        let result = self.call(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": null,
                "capabilities": capabilities,
                "workspaceFolders": folders,
                "initializationOptions": options,
            }),
        );
        self.capabilities = result["capabilities"].clone();
    }

    /// Writes a message.
    pub fn send(&mut self, message: &Value) {
        self.send_raw(&framed(message));
    }

    /// Writes bytes.
    pub fn send_raw(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the connection is open");
        // A server that is gone is noticed where an answer is missing.
        let _ = input.write_all(text.as_bytes());
        let _ = input.flush();
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request, to be waited for later.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        let message = match params {
            Value::Null => json!({ "jsonrpc": "2.0", "id": id, "method": method }),
            params => json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }),
        };
        self.send(&message);
        id
    }

    /// Cancels a request.
    pub fn cancel(&mut self, id: i64) {
        self.notify("$/cancelRequest", json!({ "id": id }));
    }

    /// Waits for the answer to a request: its result, or its error.
    pub fn wait(&mut self, id: i64) -> Result<Value, Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(mut answer) = self.answers.remove(&id) {
                return match answer.get_mut("error") {
                    Some(error) => Err(error.take()),
                    None => Ok(answer["result"].take()),
                };
            }
            assert!(self.pump(deadline), "no answer to request {id}");
        }
    }

    /// Sends a request and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.try_call(method, params)
            .unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a request and waits for its answer.
    pub fn try_call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.request(method, params);
        self.wait(id)
    }

    /// Takes one message; false if none comes in time.
    pub fn pump(&mut self, deadline: Instant) -> bool {
        let patience = deadline.saturating_duration_since(Instant::now());
        match self.messages.recv_timeout(patience) {
            Ok(message) => {
                self.take(message);
                true
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }

    /// Takes all messages that come within a time.
    pub fn listen(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while Instant::now() < deadline {
            self.pump(deadline);
        }
    }

    /// Waits until something holds.
    pub fn until(&mut self, what: &str, mut holds: impl FnMut(&Client) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds(self) {
            assert!(self.pump(deadline), "{what}: {:#?}", self.published);
        }
    }

    fn take(&mut self, message: Value) {
        let method = message
            .get("method")
            .and_then(Value::as_str)
            .map(str::to_owned);
        match (method, message.get("id")) {
            (None, Some(Value::String(id))) => {
                self.named_answers.insert(id.clone(), message);
            }
            (None, Some(id)) => {
                // What cannot be read has no number of its own.
                let id = id.as_i64().unwrap_or(-1);
                self.answers.insert(id, message);
            }
            (Some(method), Some(id)) => {
                let id = id.clone();
                let result = match method.as_str() {
                    "workspace/configuration" => json!([self.settings.clone()]),
                    _ => Value::Null,
                };
                self.requests.push(message);
                if self.answers_requests {
                    self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
                }
            }
            (Some(method), None) if method == "textDocument/publishDiagnostics" => {
                let params = &message["params"];
                let uri = params["uri"].as_str().unwrap().to_owned();
                let diagnostics = params["diagnostics"].as_array().unwrap().clone();
                let version = params["version"].as_i64();
                self.publications += 1;
                self.published.insert(
                    uri,
                    Published {
                        version,
                        diagnostics,
                    },
                );
            }
            (Some(_), None) => self.notifications.push_back(message),
            (None, None) => panic!("no message of the protocol: {message}"),
        }
    }

    /// Opens a document.
    pub fn open(&mut self, uri: &str, text: &str) {
        self.versions.insert(uri.to_owned(), 1);
        self.notify(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "frank", "version": 1, "text": text } }),
        );
    }

    /// Changes a document and gives its new version.
    pub fn change(&mut self, uri: &str, changes: Value) -> i64 {
        let version = self.versions.entry(uri.to_owned()).or_insert(0);
        *version += 1;
        let version = *version;
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes }),
        );
        version
    }

    /// Replaces a document's whole text.
    pub fn replace(&mut self, uri: &str, text: &str) -> i64 {
        self.change(uri, json!([{ "text": text }]))
    }

    /// Closes a document.
    pub fn close(&mut self, uri: &str) {
        self.versions.remove(uri);
        self.notify(
            "textDocument/didClose",
            json!({ "textDocument": { "uri": uri } }),
        );
    }

    /// Waits for the findings of a version of a document.
    pub fn findings(&mut self, uri: &str) -> Vec<Value> {
        let version = self.versions.get(uri).copied();
        self.until(&format!("findings of {uri} at {version:?}"), |client| {
            client
                .published
                .get(uri)
                .is_some_and(|published| published.version == version)
        });
        self.published[uri].diagnostics.clone()
    }

    /// The codes of a document's findings, with their lines.
    pub fn codes(&mut self, uri: &str) -> Vec<String> {
        self.findings(uri).iter().map(brief).collect()
    }

    /// Shuts the server down as a client should.
    pub fn shut_down(mut self) -> ExitStatus {
        self.call("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.ended()
    }

    /// Closes the connection.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// Closes the end that reads what the server writes.
    pub fn stop_reading(&mut self) {
        self.deaf.store(true, Ordering::Relaxed);
        // Who waits for a message comes back with the answer.
        self.request("frank/noSuchMethod", Value::Null);
        self.cut_off();
    }

    /// Waits for the server's end.
    pub fn ended(&mut self) -> ExitStatus {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            if let Some(status) = self.child.as_mut().unwrap().try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "the server does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until the server has closed the connection.
    pub fn cut_off(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match self.messages.recv_timeout(Duration::from_millis(100)) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        panic!("the connection is still open");
    }

    /// The server's process.
    pub fn process(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// The memory that the server takes, in KiB, where the system says it.
    pub fn memory(&self) -> Option<u64> {
        memory_of(self.process())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Ended already, or of no use any more.
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The writing end of a connection; dropping it closes the connection, whoever else has it.
struct Hangup(TcpStream);

impl Write for Hangup {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl Drop for Hangup {
    fn drop(&mut self) {
        // It may be closed already.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// A server that listens on an address.
pub struct Listener {
    child: Child,
    pub address: String,
    /// What clients show; empty if a file says it.
    pub token: String,
}

impl Listener {
    /// Starts one.
    pub fn spawn(arguments: &[&str]) -> Listener {
        let mut command = server();
        command.args(["--tcp", "127.0.0.1:0"]).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut line = |start: &str| {
            let line = said.next().unwrap().unwrap();
            line.strip_prefix(start).expect(&line).to_owned()
        };
        let address = line("listening on ");
        let token = match arguments.contains(&"--token-file") {
            true => String::new(),
            false => line("token "),
        };
        // What else it says is of no interest, but it must be able to say it.
        std::thread::spawn(move || said.for_each(drop));
        Listener {
            child,
            address,
            token,
        }
    }

    /// The server's process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// A connection, without a word.
    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).expect("somebody listens")
    }

    /// Sends bytes and gives everything that is answered until the connection is closed.
    pub fn tell(&self, text: &str) -> String {
        let mut stream = self.connect();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // It may be closed before all is sent.
        let _ = stream.write_all(text.as_bytes());
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                panic!("the connection is still open")
            }
            _ => String::from_utf8(answer).unwrap(),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Ended already, or of no use any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The memory that a process takes, in KiB, where the system says it.
pub fn memory_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A message as it is sent.
pub fn framed(message: &Value) -> String {
    let text = message.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

/// A finding as `line:code`, the line counted from 0.
pub fn brief(diagnostic: &Value) -> String {
    let line = &diagnostic["range"]["start"]["line"];
    format!("{line}:{}", diagnostic["code"].as_str().unwrap_or("-"))
}

fn read_message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("the server writes JSON"))
}

/// The URI of a path.
pub fn uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.to_str().unwrap().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(byte.into());
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// A directory that is gone when the test ends.
pub struct Scratch {
    dir: PathBuf,
}

impl Scratch {
    /// An empty directory.
    pub fn new() -> Scratch {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("frank-protocol-{}-{number}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&dir).unwrap();
        Scratch {
            dir: dir.canonicalize().unwrap(),
        }
    }

    /// A directory with some files.
    pub fn with(files: &[(&str, &str)]) -> Scratch {
        let scratch = Scratch::new();
        for (name, text) in files {
            scratch.write(name, text);
        }
        scratch
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Writes a file and gives its URI.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        uri(&path)
    }

    /// Removes a file.
    pub fn remove(&self, name: &str) {
        std::fs::remove_file(self.dir.join(name)).unwrap();
    }

    /// The URI of a file, which need not exist.
    pub fn uri(&self, name: &str) -> String {
        uri(&self.dir.join(name))
    }
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left in the directory for temporary files does no harm.
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}
