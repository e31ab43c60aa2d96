//! How long a user waits, measured at the client's end of the protocol.
//!
//! `cargo bench -p frank-protocol-tests` prints a table for programs of several sizes in one file and
//! in many. `-- 1000 100x100` chooses the sizes (lines, or files x lines), and `-- keys questions
//! edits` what is done: text typed, questions asked right after a key, 10,000 edits, which show
//! what becomes of the memory.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::{Duration, Instant};

use frank_protocol_tests::{Client, Scratch, usual_capabilities};
use frank_tests::generate::program;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// What is published of a program without a mistake.
const NONE: [Value; 0] = [];

/// How many samples of each kind.
const SAMPLES: usize = 200;

struct Session {
    client: Client,
    uri: String,
    lines: Vec<String>,
    random: SmallRng,
    /// Holds the files of the workspace.
    _dir: Scratch,
}

/// The parts of a session; the last one takes minutes.
const PARTS: [&str; 3] = ["keys", "questions", "edits"];

fn main() {
    let mut sizes: Vec<(usize, usize)> = Vec::new();
    let mut parts: Vec<String> = Vec::new();
    for argument in std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
    {
        if PARTS.contains(&argument.as_str()) {
            parts.push(argument);
        } else if let Some((files, lines)) = argument.split_once('x') {
            sizes.push((files.parse().unwrap(), lines.parse().unwrap()));
        } else {
            sizes.push((1, argument.parse().unwrap()));
        }
    }
    if sizes.is_empty() {
        sizes = vec![(1, 1_000), (1, 10_000), (1, 100_000), (1_000, 100)];
    }
    if parts.is_empty() {
        parts = vec!["keys".to_owned(), "questions".to_owned()];
    }
    start();
    for (files, lines) in sizes {
        measure(files, lines, &parts);
    }
}

/// From nothing to the first findings of a small file.
fn start() {
    let mut times = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        let mut client = Client::start(&[]);
        client.open(
            "untitled:a",
            "include prelude\nmain : {Int}\nmain! = fst (pair 1 2) + tru\n",
        );
        assert_eq!(client.findings("untitled:a").len(), 1);
        times.push(start.elapsed());
        client.shut_down();
    }
    report("start to first findings", times);
}

fn measure(files: usize, lines: usize, parts: &[String]) {
    let part = |name: &str| parts.iter().any(|part| part == name);
    println!("\n{files} file(s) of {lines} lines");
    let dir = Scratch::new();
    let text = program(lines);
    for i in 1..files {
        dir.write(&format!("f{i}.fk"), &text);
    }
    let uri = dir.write("main.fk", &text);
    let begin = Instant::now();
    let mut client = Client::start_with(&[dir.path()], usual_capabilities(), Value::Null);
    client.open(&uri, &text);
    client.findings(&uri);
    println!(
        "{:<32} {:>9.2} ms",
        "open to findings",
        begin.elapsed().as_secs_f64() * 1e3
    );
    let lines = text.lines().map(str::to_owned).collect();
    let mut session = Session {
        client,
        uri,
        lines,
        random: SmallRng::seed_from_u64(7),
        _dir: dir,
    };
    session.settle();
    session.report_memory("memory, opened");
    if part("keys") {
        session.keystrokes();
        session.broken_keystrokes();
        session.new_items();
        session.report_memory("memory, edited");
    }
    if part("questions") {
        session.requests();
        session.report_memory("memory, asked everything");
    }
    if part("edits") {
        let before = session.resident();
        for _ in 0..10_000 {
            let (line, column) = session.place("a * 2");
            session.insert(line, column, "");
            session.type_at(line, column);
        }
        session.settle();
        let after = session.resident();
        let growth = 100.0 * (after as f64 / before as f64 - 1.0);
        println!(
            "{:<32} {after:>9} MiB ({growth:+.1} %)",
            "after 10,000 edits"
        );
    }
}

impl Session {
    /// Waits until nothing happens any more.
    fn settle(&mut self) {
        let params = json!({ "query": "main" });
        self.client.call("workspace/symbol", params);
        self.client.listen(Duration::from_millis(300));
    }

    /// A random place of some text of the program, right before it.
    fn place(&mut self, text: &str) -> (usize, usize) {
        loop {
            let line = self.random.random_range(0..self.lines.len());
            if self.lines[line].starts_with("--") {
                continue;
            }
            if let Some(column) = self.lines[line].find(text) {
                return (line, column);
            }
        }
    }

    fn insert(&mut self, line: usize, column: usize, text: &str) {
        let at = json!({ "line": line, "character": column });
        let uri = self.uri.clone();
        self.client.change(
            &uri,
            json!([{ "range": { "start": at, "end": at }, "text": text }]),
        );
        self.lines[line].insert_str(column, text);
    }

    fn delete(&mut self, line: usize, column: usize, length: usize) {
        let start = json!({ "line": line, "character": column });
        let end = json!({ "line": line, "character": column + length });
        let uri = self.uri.clone();
        self.client.change(
            &uri,
            json!([{ "range": { "start": start, "end": end }, "text": "" }]),
        );
        self.lines[line].replace_range(column..column + length, "");
    }

    /// Types a character and takes it back.
    fn type_at(&mut self, line: usize, column: usize) {
        self.insert(line, column, "1");
        self.delete(line, column, 1);
    }

    fn findings(&mut self) -> Vec<Value> {
        let uri = self.uri.clone();
        self.client.findings(&uri)
    }

    fn keystrokes(&mut self) {
        let mut first = Vec::new();
        let mut more = Vec::new();
        while more.len() < SAMPLES {
            // Some keystrokes at one place, then somewhere else.
            let (line, column) = self.place("a * 2");
            let column = column + "a * 2".len();
            for i in 0..6 {
                let start = Instant::now();
                self.insert(line, column, "0");
                assert_eq!(self.findings(), NONE);
                if i == 0 {
                    first.push(start.elapsed())
                } else {
                    more.push(start.elapsed())
                }
            }
            self.delete(line, column, 6);
            self.findings();
        }
        report("keystroke to findings", more);
        report("  the first in an operator", first);
    }

    fn broken_keystrokes(&mut self) {
        let mut times = Vec::new();
        while times.len() < SAMPLES {
            let (line, column) = self.place("(f y x)");
            let start = Instant::now();
            self.insert(line, column, "(");
            assert!(!self.findings().is_empty());
            times.push(start.elapsed());
            let start = Instant::now();
            self.delete(line, column, 1);
            assert_eq!(self.findings(), NONE);
            times.push(start.elapsed());
        }
        report("a bracket opened and taken back", times);
    }

    fn new_items(&mut self) {
        let mut times = Vec::new();
        while times.len() < SAMPLES / 4 {
            let (line, _) = self.place("run");
            if !self.lines[line].starts_with("run") {
                continue;
            }
            let start = Instant::now();
            self.insert(line, 0, "x");
            assert!(!self.findings().is_empty());
            times.push(start.elapsed());
            let start = Instant::now();
            self.delete(line, 0, 1);
            assert_eq!(self.findings(), NONE);
            times.push(start.elapsed());
        }
        report("a definition's name edited", times);
    }

    /// Requests, each right after a keystroke.
    fn requests(&mut self) {
        let uri = self.uri.clone();
        let document = json!({ "textDocument": { "uri": uri } });
        let provides = |client: &Client, name: &str| !client.capabilities[name].is_null();
        let mut id = Value::Null;
        if provides(&self.client, "semanticTokensProvider") {
            let start = Instant::now();
            id = self
                .client
                .call("textDocument/semanticTokens/full", document.clone())["resultId"]
                .take();
            report("semantic tokens, all", vec![start.elapsed()]);
        }
        for (title, method, provider) in [
            ("hover", "textDocument/hover", "hoverProvider"),
            (
                "completion",
                "textDocument/completion",
                "completionProvider",
            ),
            (
                "signature help",
                "textDocument/signatureHelp",
                "signatureHelpProvider",
            ),
            (
                "definition",
                "textDocument/definition",
                "definitionProvider",
            ),
            (
                "highlight",
                "textDocument/documentHighlight",
                "documentHighlightProvider",
            ),
            (
                "code actions",
                "textDocument/codeAction",
                "codeActionProvider",
            ),
            (
                "inlay hints of a screen",
                "textDocument/inlayHint",
                "inlayHintProvider",
            ),
            (
                "semantic tokens of a screen",
                "textDocument/semanticTokens/range",
                "semanticTokensProvider",
            ),
            (
                "semantic tokens, delta",
                "textDocument/semanticTokens/full/delta",
                "semanticTokensProvider",
            ),
            ("code lenses", "textDocument/codeLens", "codeLensProvider"),
            (
                "document symbols",
                "textDocument/documentSymbol",
                "documentSymbolProvider",
            ),
            (
                "folding",
                "textDocument/foldingRange",
                "foldingRangeProvider",
            ),
            (
                "workspace symbols",
                "workspace/symbol",
                "workspaceSymbolProvider",
            ),
            (
                "references",
                "textDocument/references",
                "referencesProvider",
            ),
        ] {
            if !provides(&self.client, provider) {
                continue;
            }
            let whole =
                method.ends_with("Symbol") || method.ends_with("Range") || method.ends_with("Lens");
            let count = if whole || title == "references" {
                SAMPLES / 10
            } else {
                SAMPLES
            };
            let mut times = Vec::new();
            while times.len() < count {
                let (line, column) = self.place("a * 2");
                let column = column + "a * 2".len();
                self.insert(line, column, "0");
                let mut params = document.clone();
                params["position"] = json!({ "line": line, "character": column - 5 });
                params["range"] = json!({
                    "start": { "line": line.saturating_sub(30), "character": 0 },
                    "end": { "line": line + 30, "character": 0 },
                });
                params["context"] = match title {
                    "code actions" => json!({ "diagnostics": [] }),
                    "references" => json!({ "includeDeclaration": true }),
                    _ => Value::Null,
                };
                params["previousResultId"] = id.clone();
                params["query"] = json!("tot");
                let start = Instant::now();
                let mut answer = self.client.call(method, params);
                times.push(start.elapsed());
                if method.ends_with("delta") {
                    id = answer["resultId"].take();
                }
                self.delete(line, column, 1);
                self.findings();
            }
            report(title, times);
        }
    }

    fn report_memory(&self, when: &str) {
        println!("{when:<32} {:>9} MiB", self.resident());
    }

    /// Resident memory of the server in MiB.
    fn resident(&self) -> u64 {
        let status = format!("/proc/{}/status", self.client.process());
        let status = std::fs::read_to_string(status).unwrap_or_default();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .unwrap_or_default();
        line.split_whitespace()
            .nth(1)
            .and_then(|kib| kib.parse::<u64>().ok())
            .unwrap_or(0)
            / 1024
    }
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: f64| {
        let index = (times.len() as f64 * part) as usize;
        times[index.min(times.len() - 1)].as_secs_f64() * 1e3
    };
    println!(
        "{what:<32} {:>9.2} ms median {:>9.2} ms p99 {:>9.2} ms most",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}
