//! What many messages cost, and how that grows with their number.
//!
//! `cargo bench -p frank-protocol-tests --bench growth` prints for each kind of flood what twice as many
//! messages take, and the exponent: 1 is linear, 2 quadratic. Words choose among the kinds.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::{Duration, Instant};

use frank_protocol_tests::{Client, Scratch, framed, usual_capabilities};
use serde_json::{Value, json};

/// A kind of flood: its name, the most messages, and what it does with some number of them.
type Flood = (&'static str, usize, fn(usize) -> Duration);

const FLOODS: [Flood; 4] = [
    ("didClose, of files that are gone", 10_000, |count| {
        closes(count, false)
    }),
    ("didClose, of files on disk", 10_000, |count| {
        closes(count, true)
    }),
    ("hovers, then their cancels", 100_000, cancels),
    ("files touched at once", 10_000, touches),
];

const TEXT: &str = "main : {Int}\nmain! = 1\n";

fn main() {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|word| name.contains(word));
    for (name, most, flood) in FLOODS.into_iter().filter(|flood| is_chosen(flood.0)) {
        let counts = [most / 4, most / 2, most];
        let times = counts.map(|count| flood(count).as_secs_f64());
        println!("{name}");
        for (index, (count, time)) in counts.iter().zip(times).enumerate() {
            let exponent = match index {
                0 => String::new(),
                index => format!("  exponent {:.2}", libm::log2(time / times[index - 1])),
            };
            println!("  {count:>7} in {:>9.1} ms{exponent}", time * 1e3);
        }
    }
}

fn hover(uri: &str) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 1 } })
}

/// Files are closed; then something is asked about one that is open.
fn closes(count: usize, on_disk: bool) -> Duration {
    let dir = Scratch::new();
    let mut client = Client::start(&[dir.path()]);
    let open = dir.uri("open.fk");
    client.open(&open, TEXT);
    let uris: Vec<String> = (0..count)
        .map(|number| {
            let name = format!("f{number}.fk");
            let uri = dir.uri(&name);
            if on_disk {
                dir.write(&name, TEXT);
            }
            client.open(&uri, TEXT);
            uri
        })
        .collect();
    client.findings(uris.last().unwrap());
    client.call("textDocument/hover", hover(&open));
    let begin = Instant::now();
    for uri in &uris {
        client.close(uri);
    }
    client.call("textDocument/hover", hover(&open));
    begin.elapsed()
}

/// Questions are asked and taken back, all before the first answer; then one counts.
fn cancels(count: usize) -> Duration {
    let mut client = Client::start(&[]);
    client.open("untitled:a", TEXT);
    client.findings("untitled:a");
    // The workers have something to do meanwhile.
    let busy: Vec<i64> = (0..3)
        .map(|_| {
            let work = json!({ "do": "work", "millis": 600_000, "urgent": true });
            client.request("frank/selfTest", work)
        })
        .collect();
    // All of it is written before the clock runs: what the client takes for that is not the server's.
    let first = 1 << 20;
    let asked = (first..first + count as i64).map(|id| {
        let params = hover("untitled:a");
        let method = "textDocument/hover";
        framed(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    });
    let mut flood: String = asked.collect();
    let cancelled = (first..first + count as i64).chain(busy);
    flood.extend(cancelled.map(|id| {
        let params = json!({ "id": id });
        framed(&json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": params }))
    }));
    let begin = Instant::now();
    client.send_raw(&flood);
    client.call("textDocument/hover", hover("untitled:a"));
    begin.elapsed()
}

/// The client tells that files have changed; the last one has other findings then.
fn touches(count: usize) -> Duration {
    let dir = Scratch::new();
    for number in 0..count {
        dir.write(&format!("f{number}.fk"), TEXT);
    }
    let last = dir.write("f0.fk", "main : {Int}\nmain! = tru\n");
    let mut client = Client::start_with(&[dir.path()], usual_capabilities(), Value::Null);
    let has = |client: &Client, count: usize| {
        let published = client.published.get(&last);
        published.map_or(0, |published| published.diagnostics.len()) == count
    };
    client.until("the finding", |client| has(client, 1));
    dir.write("f0.fk", TEXT);
    let changes = (0..count).rev().map(|number| {
        let uri = dir.uri(&format!("f{number}.fk"));
        json!({ "uri": uri, "type": 2 })
    });
    let changes: Vec<Value> = changes.collect();
    let begin = Instant::now();
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": changes }),
    );
    client.until("no finding", |client| has(client, 0));
    begin.elapsed()
}
