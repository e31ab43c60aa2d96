//! The configurations of clients that the book shows start a server that answers.

use std::path::Path;

use frank_tests::book::{book_root, language};
use frank_tests::fences;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::client::Client;
use crate::support::{Dir, GOOD};

#[tokio::test]
async fn configurations_work() {
    let page = std::fs::read_to_string(book_root().join("mcp.md")).expect("the page");
    let dir = Dir::new(&[("good.fk", GOOD)]);
    let mut count = 0;
    for fence in fences(&page) {
        if language(&fence) != "jsonc" {
            continue;
        }
        let config: Value = serde_json::from_str(&fence.body).expect("JSON");
        let kinds = ["servers", "mcpServers", "context_servers"];
        let servers = kinds.iter().find_map(|kind| config[*kind].as_object());
        for server in servers.expect("servers").values() {
            count += 1;
            let place = dir.path().to_str().unwrap();
            let word = |word: &Value| {
                let word = word.as_str().expect("a string");
                word.replace("${workspaceFolder}", place)
                    .replace("/home/me/project", place)
            };
            let binary = Path::new(env!("CARGO_BIN_EXE_frank")).parent().unwrap();
            let mut command = Command::new(word(&server["command"]));
            command
                .args(
                    server["args"]
                        .as_array()
                        .expect("arguments")
                        .iter()
                        .map(word),
                )
                .current_dir(dir.path())
                .env("PATH", binary);
            let client = Client::of(&mut command).await;
            let good = client.object("check", json!({ "path": "good.fk" })).await;
            assert_eq!(good["findings"], json!([]));
        }
    }
    assert!(count >= 3, "{count} configurations");
}
