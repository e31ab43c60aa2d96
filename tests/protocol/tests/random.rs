//! A client that does anything at any time. What the server says in the end is what a fresh server
//! says about the same files.
//!
//! `FRANK_SOAK=3600 cargo test -p frank-protocol-tests --test random --release -- --nocapture` goes
//! on for that many seconds with one server that has two clients, and its memory has to stay what it is.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use frank_protocol_tests::{Client, Listener, Scratch, memory_of, usual_capabilities};
use frank_tests::{files_under, mutate, project_root};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// How many things a client does where nothing says how long to go on.
const STEPS: usize = 400;

const NAMES: [&str; 5] = ["main.fk", "lib.fk", "other.fk", "sub/deep.fk", "new.fk"];

const AT_A_PLACE: [&str; 18] = [
    "frank/info",
    "frank/goal",
    "frank/nextHole",
    "frank/fill",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/documentHighlight",
    "textDocument/signatureHelp",
    "textDocument/prepareRename",
    "textDocument/prepareCallHierarchy",
    "textDocument/linkedEditingRange",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/onTypeFormatting",
];

const ABOUT_A_FILE: [&str; 8] = [
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
    "textDocument/codeLens",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "textDocument/diagnostic",
    "textDocument/formatting",
    "textDocument/inlayHint",
];

/// What is compared in the end.
const COMPARED: [&str; 6] = [
    "textDocument/diagnostic",
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
    "textDocument/codeLens",
    "textDocument/foldingRange",
    "textDocument/inlayHint",
];

struct Session {
    client: Client,
    dir: Scratch,
    random: StdRng,
    samples: Vec<String>,
    /// What is on disk, and what is open with its text.
    disk: BTreeMap<&'static str, String>,
    open: BTreeMap<&'static str, String>,
    waiting: Vec<(i64, String)>,
}

/// The position of an offset, in UTF-16. A line ends with `\n`, `\r\n`, or a `\r` on its own.
fn position(text: &str, offset: usize) -> Value {
    let bytes = text.as_bytes();
    let ends_line = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let line = (0..offset).filter(ends_line).count();
    let start = (0..offset).rev().find(ends_line).map_or(0, |at| at + 1);
    json!({ "line": line, "character": text[start..offset].encode_utf16().count() })
}

/// The offset, or the one before it if it is inside of a line's end, where no position is.
fn outside_of_line_ends(text: &str, offset: usize) -> usize {
    let is_inside = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
    offset - usize::from(is_inside)
}

fn everything() -> Value {
    json!({
        "start": { "line": 0, "character": 0 },
        "end": { "line": 1_000_000, "character": 0 },
    })
}

/// Programs that are small enough to be read whole.
fn samples() -> Vec<String> {
    let examples = files_under(&project_root().join("docs/examples"), "fk");
    let texts = examples
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    let mut samples: Vec<String> = texts.collect();
    samples.push("include lib\ninclude other\nmain : {Int}\nmain! = two! + three!\n".to_owned());
    samples.push("two : {Int}\ntwo! = 2\n".to_owned());
    samples.push("include lib\nthree : {Int}\nthree! = 1 + two!\n".to_owned());
    samples
}

impl Session {
    fn start(client: Client, seed: u64) -> Session {
        let dir = Scratch::new();
        let mut session = Session {
            client,
            dir,
            random: StdRng::seed_from_u64(seed),
            samples: samples(),
            disk: BTreeMap::new(),
            open: BTreeMap::new(),
            waiting: Vec::new(),
        };
        for name in &NAMES[..3] {
            let text = session.sample();
            session.dir.write(name, &text);
            session.disk.insert(name, text);
        }
        session
            .client
            .initialize(&[session.dir.path()], usual_capabilities(), Value::Null);
        session
    }

    fn sample(&mut self) -> String {
        self.samples[self.random.random_range(0..self.samples.len())].clone()
    }

    fn name(&mut self) -> &'static str {
        NAMES[self.random.random_range(0..NAMES.len())]
    }

    /// One of the files that are open, if there is one.
    fn open_name(&mut self) -> Option<&'static str> {
        let names: Vec<&'static str> = self.open.keys().copied().collect();
        (!names.is_empty()).then(|| names[self.random.random_range(0..names.len())])
    }

    fn offset(&mut self, text: &str) -> usize {
        let mut offset = self.random.random_range(0..=text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    fn ask(&mut self, method: &str, params: Value) {
        let id = self.client.request(method, params.clone());
        self.waiting.push((id, format!("{method} {params}")));
    }

    /// Waits for an answer: a request may be refused or given up, but the server has no trouble.
    fn wait(&mut self, id: i64, what: &str) {
        if let Err(error) = self.client.wait(id) {
            let code = error["code"].as_i64().unwrap();
            assert_ne!(code, -32603, "{what}: {error}");
            assert_ne!(code, -32700, "{what}: {error}");
        }
    }

    fn settle(&mut self) {
        for (id, what) in std::mem::take(&mut self.waiting) {
            self.wait(id, &what);
        }
    }

    fn step(&mut self) {
        match self.random.random_range(0..100) {
            0..=7 => self.open_one(),
            8..=9 => {
                if let Some(name) = self.open_name() {
                    self.open.remove(name);
                    self.client.close(&self.dir.uri(name));
                }
            }
            10..=44 => self.edit(),
            45..=47 => {
                if let Some(name) = self.open_name() {
                    let text = self.sample();
                    self.client.replace(&self.dir.uri(name), &text);
                    self.open.insert(name, text);
                }
            }
            48..=55 => self.touch(),
            56..=77 => self.ask_at_a_place(),
            78..=88 => self.ask_about_a_file(),
            89..=90 => {
                let id = self
                    .client
                    .request("workspace/symbol", json!({ "query": "di" }));
                self.waiting.push((id, "workspace/symbol".to_owned()));
                let types = ["List X -> X", "[Console]Unit", "{X ->", "Dual X -> …"];
                let ty = types[self.random.random_range(0..types.len())];
                let id = self
                    .client
                    .request("frank/findByType", json!({ "type": ty }));
                self.waiting.push((id, "frank/findByType".to_owned()));
            }
            91..=94 => self.evaluate(),
            95..=96 => {
                let settings = json!({ "hints": { "types": self.random.random_bool(0.5) } });
                self.client.settings = Some(settings);
                let params = json!({ "settings": null });
                self.client
                    .notify("workspace/didChangeConfiguration", params);
            }
            97 => {
                if let Some((id, _)) = self.waiting.last() {
                    let id = *id;
                    self.client.cancel(id);
                }
            }
            _ => self.settle(),
        }
        if self.waiting.len() > 40 {
            self.settle();
        }
    }

    fn open_one(&mut self) {
        let name = self.name();
        if self.open.contains_key(name) {
            return;
        }
        let text = match self.disk.get(name) {
            Some(text) => text.clone(),
            None => self.sample(),
        };
        self.client.open(&self.dir.uri(name), &text);
        self.open.insert(name, text);
    }

    fn edit(&mut self) {
        let Some(name) = self.open_name() else { return };
        let mut text = self.open[name].clone();
        let mut changes = Vec::new();
        for _ in 0..self.random.random_range(1..4) {
            let (range, new) = mutate::edit(&mut self.random, &text);
            let outside = |offset| outside_of_line_ends(&text, offset);
            let range = outside(range.start)..outside(range.end);
            let (start, end) = (position(&text, range.start), position(&text, range.end));
            changes.push(json!({ "range": { "start": start, "end": end }, "text": new }));
            text.replace_range(range, &new);
        }
        // Nobody has a file that doubles and doubles.
        if text.len() > 20_000 {
            text = self.sample();
            changes = vec![json!({ "text": text })];
        }
        self.client
            .change(&self.dir.uri(name), Value::Array(changes));
        self.open.insert(name, text);
    }

    /// Changes files outside of the editor.
    fn touch(&mut self) {
        let name = self.name();
        let uri = self.dir.uri(name);
        let kind = match (self.disk.contains_key(name), self.random.random_range(0..4)) {
            (true, 0) => {
                self.dir.remove(name);
                self.disk.remove(name);
                3
            }
            (known, _) => {
                let text = self.sample();
                self.dir.write(name, &text);
                self.disk.insert(name, text);
                if known { 2 } else { 1 }
            }
        };
        let changes = json!([{ "uri": uri, "type": kind }]);
        self.client.notify(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": changes }),
        );
    }

    fn ask_at_a_place(&mut self) {
        let Some(name) = self.open_name() else { return };
        let text = self.open[name].clone();
        let at = self.offset(&text);
        let method = AT_A_PLACE[self.random.random_range(0..AT_A_PLACE.len())];
        let params = json!({
            "textDocument": { "uri": self.dir.uri(name) },
            "position": position(&text, at),
            "context": { "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
            "newName": "renamed",
            "ch": "\n",
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        self.ask(method, params);
    }

    fn ask_about_a_file(&mut self) {
        let Some(name) = self.open_name() else { return };
        let method = ABOUT_A_FILE[self.random.random_range(0..ABOUT_A_FILE.len())];
        let params = json!({
            "textDocument": { "uri": self.dir.uri(name) },
            "range": everything(),
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        self.ask(method, params);
    }

    fn evaluate(&mut self) {
        let Some(name) = self.open_name() else { return };
        let uri = self.dir.uri(name);
        let what = ["main", "bump", "cube", "f", "two"][self.random.random_range(0..5)];
        let command = ["frank.run", "frank.derivative"][self.random.random_range(0..2)];
        let params = json!({ "command": command, "arguments": [uri, what] });
        // What goes wrong in a run can only be understood with the programs as they were.
        let programs = format!(
            "{what} of {uri}, with {:#?} on disk and {:#?} open",
            self.disk, self.open
        );
        let id = self.client.request("workspace/executeCommand", params);
        self.waiting.push((id, format!("{command} {programs}")));
    }

    /// What the server says about every open file.
    fn answers(client: &mut Client, uris: &[String]) -> Vec<(String, Value)> {
        let mut answers = Vec::new();
        for uri in uris {
            for method in COMPARED {
                let params = json!({ "textDocument": { "uri": uri }, "range": everything() });
                let mut answer = client.call(method, params);
                if let Some(id) = answer.get_mut("resultId") {
                    id.take();
                }
                if let Some(items) = answer.get_mut("items").and_then(Value::as_array_mut) {
                    // So does it know what failed.
                    items.retain(|item| item["source"] != "frank run");
                }
                if method == "textDocument/codeLens" {
                    // What was evaluated only the old one knows.
                    for lens in answer.as_array_mut().unwrap() {
                        lens["command"]["title"].take();
                    }
                }
                answers.push((format!("{method} {uri}"), answer));
            }
        }
        answers
    }

    /// Compares the server with a fresh one.
    fn compare(&mut self, seed: u64) {
        self.settle();
        self.client.settings = Some(json!({ "hints": { "results": false } }));
        self.client.notify(
            "workspace/didChangeConfiguration",
            json!({ "settings": null }),
        );
        let mut fresh = Client::spawn(&[]);
        fresh.settings.clone_from(&self.client.settings);
        fresh.initialize(&[self.dir.path()], usual_capabilities(), Value::Null);
        let mut uris = Vec::new();
        for (name, text) in &self.open {
            uris.push(self.dir.uri(name));
            fresh.open(&self.dir.uri(name), text);
        }
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let here = Session::answers(&mut self.client, &uris);
            let there = Session::answers(&mut fresh, &uris);
            if here == there {
                break;
            }
            // The fresh one may not have read the folder yet.
            if Instant::now() > deadline {
                for ((what, here), (_, there)) in here.iter().zip(&there) {
                    assert_eq!(here, there, "seed {seed}: {what} of {:#?}", self.open);
                }
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(fresh.shut_down().success());
    }
}

/// The median of some figures.
fn median(samples: &[u64]) -> u64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

/// Memory stays what it is: after a first quarter, in which caches fill, it goes up and down, and
/// the last quarter has a tenth more than the second at most.
fn stays_flat(samples: &[u64]) {
    let quarter = samples.len() / 4;
    assert!(
        quarter > 0,
        "memory is known on Linux alone, and after some time"
    );
    let (early, late) = (
        median(&samples[quarter..2 * quarter]),
        median(&samples[samples.len() - quarter..]),
    );
    println!("memory: {early} KiB in the second quarter, {late} KiB in the last one");
    assert!(late * 10 <= early * 11, "memory grows: {samples:?}");
}

#[test]
fn anything_at_any_time() {
    let soak: Option<u64> = std::env::var("FRANK_SOAK").ok().map(|s| s.parse().unwrap());
    match soak {
        None => {
            for seed in 0..10 {
                let mut session = Session::start(Client::spawn(&[]), seed);
                for _ in 0..STEPS {
                    session.step();
                }
                session.compare(seed);
                assert!(session.client.shut_down().success());
            }
        }
        Some(seconds) => {
            let seed = match std::env::var("FRANK_SEED") {
                Ok(seed) => seed.parse().unwrap(),
                Err(_) => std::process::id().into(),
            };
            let (server, mut sessions) = two_clients(seed);
            let end = Instant::now() + Duration::from_secs(seconds);
            let mut steps = 0;
            let mut samples = Vec::new();
            while Instant::now() < end {
                steps += take_turns(&mut sessions, 1000, seed);
                if let Some(memory) = memory_of(server.process()) {
                    println!("seed {seed}: {steps} steps, {memory} KiB");
                    samples.push(memory);
                }
            }
            stays_flat(&samples);
        }
    }
}

/// Two clients of one server have nothing to do with each other.
#[test]
fn anything_at_any_time_by_two_clients() {
    for seed in 100..103 {
        let (_server, mut sessions) = two_clients(seed);
        take_turns(&mut sessions, STEPS, seed);
    }
}

/// A server that listens, with two clients.
fn two_clients(seed: u64) -> (Listener, [Session; 2]) {
    let server = Listener::spawn(&[]);
    let sessions = [0, 1].map(|number| Session::start(Client::connect(&server), 2 * seed + number));
    (server, sessions)
}

/// Has each session take some steps, compares what the server says to each, and gives how many steps
/// there were.
fn take_turns(sessions: &mut [Session; 2], steps: usize, seed: u64) -> usize {
    for _ in 0..steps {
        sessions.iter_mut().for_each(Session::step);
    }
    for session in sessions.iter_mut() {
        session.compare(seed);
    }
    steps * sessions.len()
}
