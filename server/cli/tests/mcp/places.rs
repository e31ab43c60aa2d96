//! Which files calls may name, and which may be changed.

use serde_json::{Value, json};

use crate::client::Client;
use crate::support::{Dir, GOOD};

/// A program with a finding whose fix is safe.
pub const FIXABLE: &str = "\
choose : Bool -> Int
choose true  = 1
choose false = 2
choose _     = 3
";

#[tokio::test]
async fn nothing_outside_is_read() {
    let dir = Dir::new(&[("secret.fk", GOOD), ("served/good.fk", GOOD)]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.fk", dir.path().join("served/link.fk")).unwrap();
    let client = Client::start(&dir.path().join("served"), &["--allow-write"]).await;
    let secret = dir.path().join("secret.fk");
    let mut outside = vec![
        ("../secret.fk", "has a `..`"),
        (secret.to_str().unwrap(), "is outside"),
        ("/etc/passwd", "is outside"),
    ];
    if cfg!(unix) {
        outside.push(("link.fk", "is outside"));
    }
    for (path, says) in outside {
        for (tool, mut arguments) in [
            ("check", json!({})),
            ("fix", json!({})),
            ("fix", json!({ "write": true })),
            ("holes", json!({})),
            ("fill", json!({})),
            ("find", json!({ "type": "Int" })),
            ("run", json!({})),
            ("eval", json!({ "term": "main!" })),
            ("step", json!({})),
            ("derive", json!({ "name": "main" })),
            ("test", json!({})),
            ("fmt", json!({})),
            ("fmt", json!({ "write": true })),
        ] {
            arguments["path"] = json!(path);
            let refusal = client.refusal(tool, arguments).await;
            assert!(refusal.contains(says), "{tool} {path}: {refusal}");
        }
    }
    let inside = dir.path().join("served/good.fk");
    let whole = json!({ "path": inside.to_str().unwrap() });
    client.object("check", whole).await;
}

#[tokio::test]
async fn nothing_is_written_unless_it_is_allowed() {
    let wide = "main   : {Int}\nmain!  =  6*7\n";
    let dir = Dir::new(&[("wide.fk", wide), ("fixable.fk", FIXABLE)]);
    let client = Client::start(dir.path(), &[]).await;
    for (tool, path) in [("fmt", "wide.fk"), ("fix", "fixable.fk"), ("fix", ".")] {
        let write = json!({ "path": path, "write": true });
        let refusal = client.refusal(tool, write).await;
        assert!(refusal.contains("`--allow-write`"), "{refusal}");
    }
    assert_eq!(dir.read("wide.fk"), wide);
    assert_eq!(dir.read("fixable.fk"), FIXABLE);
}

#[tokio::test]
async fn files_are_changed_where_that_is_allowed() {
    let wide = "main   : {Int}\nmain!  =  6*7\n";
    let dir = Dir::new(&[("served/wide.fk", wide), ("served/fixable.fk", FIXABLE)]);
    let client = Client::start(&dir.path().join("served"), &["--allow-write"]).await;
    for tool in ["fmt", "fix"] {
        let hints = client.tool(tool).annotations.clone().unwrap();
        assert_eq!(hints.read_only_hint, Some(false), "{tool}");
        assert_eq!(hints.destructive_hint, Some(true), "{tool}");
        let schema = Value::Object((*client.tool(tool).input_schema).clone());
        assert_eq!(schema["properties"]["write"]["type"], "boolean", "{tool}");
    }
    let reads = client.tool("run").annotations.clone().unwrap();
    assert_eq!(reads.read_only_hint, Some(true));
    // Without being asked to, they still only look.
    client.object("fmt", json!({ "path": "wide.fk" })).await;
    client.object("fix", json!({ "path": "fixable.fk" })).await;
    assert_eq!(dir.read("served/wide.fk"), wide);
    assert_eq!(dir.read("served/fixable.fk"), FIXABLE);
    let text = json!({ "text": wide, "write": true });
    let refusal = client.refusal("fmt", text).await;
    assert_eq!(refusal, "`write` needs a `path`: a text is no file");
    let said = client
        .object("fmt", json!({ "path": ".", "write": true }))
        .await;
    assert!(
        said["messages"]
            .as_str()
            .unwrap()
            .contains("formatted 1 file"),
        "{said}"
    );
    assert_eq!(dir.read("served/wide.fk"), "main : {Int}\nmain! = 6 * 7\n");
    let left = json!({ "path": "fixable.fk", "write": true });
    let left = client.object("fix", left).await;
    assert_eq!(left["findings"], json!([]));
    let fixed = dir.read("served/fixable.fk");
    assert!(!fixed.contains("= 3"), "{fixed}");
    // Files are replaced as wholes, and nothing else is left there.
    let entries = std::fs::read_dir(dir.path().join("served")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["fixable.fk", "wide.fk"]);
}

/// The project may be larger than what is served: what else it has stays as it is.
#[tokio::test]
async fn nothing_outside_is_fixed() {
    let config = "include = [\"lib\"]\n";
    let dir = Dir::new(&[
        ("frank.toml", config),
        ("lib/outer.fk", FIXABLE),
        ("served/user.fk", "include outer\n"),
    ]);
    let client = Client::start(&dir.path().join("served"), &["--allow-write"]).await;
    let fix = json!({ "path": "user.fk", "write": true });
    let said = client.failure("fix", fix).await;
    let messages = said["messages"].as_str().unwrap();
    assert!(messages.contains("not fixed: outside"), "{messages}");
    assert_eq!(dir.read("lib/outer.fk"), FIXABLE);
}
