//! Folders, files that change outside, settings, the library.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::path::Path;
use std::time::Duration;

use frank_protocol_tests::{Client, Fixture, Scratch, brief, uri, usual_capabilities};
use serde_json::{Value, json};

const BAD: &str = "main : {Int}\nmain! = 1 + tru\n";

fn watched(client: &mut Client, changes: &[(&str, u8)]) {
    let changes: Vec<Value> = changes
        .iter()
        .map(|(uri, kind)| json!({ "uri": uri, "type": kind }))
        .collect();
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": changes }),
    );
}

fn published<'c>(client: &'c Client, uri: &str) -> &'c [Value] {
    client
        .published
        .get(uri)
        .map_or(&[], |published| &published.diagnostics)
}

#[test]
fn files_that_change_outside_are_followed() {
    let dir = Scratch::with(&[("main.fk", "include lib\nmain : {Int}\nmain! = one!\n")]);
    let mut client = Client::start(&[dir.path()]);
    let main = dir.uri("main.fk");
    client.until("what it includes is not there", |client| {
        published(client, &main).len() == 1
    });
    // It is asked to watch, since it can.
    client.until("watchers", |client| {
        client
            .requests
            .iter()
            .any(|request| request["method"] == "client/registerCapability")
    });
    let lib = dir.write("lib.fk", "one : {Int}\none! = 1\n");
    watched(&mut client, &[(&lib, 1)]);
    client.until("it is there", |client| published(client, &main).is_empty());
    dir.write("lib.fk", "two : {Int}\ntwo! = 1\n");
    watched(&mut client, &[(&lib, 2)]);
    client.until("it has other definitions", |client| {
        published(client, &main).len() == 1
    });
    // Renamed: gone here, there there.
    dir.remove("lib.fk");
    let moved = dir.write("sub/lib.fk", "one : {Int}\none! = tru\n");
    watched(&mut client, &[(&lib, 3), (&moved, 1)]);
    client.until("the moved file is checked", |client| {
        published(client, &moved).len() == 1
    });
    client.until("the include leads nowhere", |client| {
        published(client, &main)
            .first()
            .is_some_and(|problem| problem["code"] == "FK0105")
    });
    // A whole directory is gone.
    std::fs::remove_dir_all(dir.path().join("sub")).unwrap();
    watched(&mut client, &[(&dir.uri("sub"), 3)]);
    client.until("nothing is said of files that are gone", |client| {
        published(client, &moved).is_empty()
    });
    // A whole directory comes.
    dir.write("new/x.fk", BAD);
    watched(&mut client, &[(&dir.uri("new"), 1)]);
    client.until("what is in it is checked", |client| {
        published(client, &dir.uri("new/x.fk")).len() == 1
    });
}

/// Items of files that nobody looks at are forgotten while the next files are checked.
#[test]
fn all_of_many_files_are_checked() {
    let operators: String = (0..1_000)
        .map(|n| format!("f{n} : {{Int}}\nf{n}! = {n}\n"))
        .collect();
    let name = |n: usize| format!("file{n:02}.fk");
    let files: Vec<(String, String)> = (0..20)
        .map(|n| {
            (
                name(n),
                format!("{operators}g : {{Int}}\ng! = f{n}! + tru\n"),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let dir = Scratch::with(&files);
    let mut client = Client::start(&[dir.path()]);
    client.until("each file has one finding", |client| {
        (0..20).all(|n| published(client, &dir.uri(&name(n))).len() == 1)
    });
    // What has been forgotten is there again for those who ask.
    for n in [0, 19] {
        let uri = dir.uri(&name(n));
        let wrong = format!("{operators}g : {{Int}}\ng! = tru + fals\n");
        client.open(&uri, &wrong);
        client.until("two findings", |client| published(client, &uri).len() == 2);
    }
}

/// An included file that is there and cannot be read is no file that is not there.
#[test]
fn includes_of_unreadable_files_say_why() {
    let dir = Scratch::with(&[
        ("main.fk", "include broken\nmain : {Int}\nmain! = one!\n"),
        ("folder.fk/x.txt", ""),
        ("other.fk", "include folder\n"),
    ]);
    let broken = dir.path().join("broken.fk");
    std::fs::write(&broken, b"one : {Int} -- \xff\n").unwrap();
    let mut client = Client::start(&[dir.path()]);
    let (main, other) = (dir.uri("main.fk"), dir.uri("other.fk"));
    let says = |client: &mut Client, uri: &str, message: &str| {
        client.until(message, |client| {
            let said = published(client, uri).first();
            said.is_some_and(|said| said["message"].as_str().unwrap().starts_with(message))
        });
    };
    let not_utf8 = "`broken.fk` cannot be included: this is not UTF-8: the mistake is at byte 15";
    says(&mut client, &main, not_utf8);
    let directory = "`folder.fk` cannot be included: this is a directory";
    says(&mut client, &other, directory);
    let uri = dir.write("broken.fk", "one : {Int}\none! = 1\n");
    watched(&mut client, &[(&uri, 2)]);
    client.until("it can be read", |client| {
        published(client, &main).is_empty()
    });
    std::fs::write(&broken, b"one\0").unwrap();
    watched(&mut client, &[(&uri, 2)]);
    let binary = "`broken.fk` cannot be included: this is no text: byte 3 is 0";
    says(&mut client, &main, binary);
    dir.remove("broken.fk");
    watched(&mut client, &[(&uri, 3)]);
    says(
        &mut client,
        &main,
        "there is no file `broken.fk` to include",
    );
}

#[test]
fn what_is_open_is_what_the_editor_says() {
    let dir = Scratch::with(&[("a.fk", BAD)]);
    let mut client = Client::start(&[dir.path()]);
    let a = dir.uri("a.fk");
    client.open(&a, "main : {Int}\nmain! = 1\n");
    client.findings(&a);
    dir.write("a.fk", "main : {Int}\nmain! = nonsense\n");
    watched(&mut client, &[(&a, 2)]);
    dir.remove("a.fk");
    watched(&mut client, &[(&a, 3)]);
    client.replace(&a, "main : {Int}\nmain! = 2\n");
    assert_eq!(client.codes(&a), [""; 0]);
}

#[test]
fn folders_come_and_go() {
    let first = Scratch::with(&[("a.fk", BAD)]);
    let second = Scratch::with(&[("b.fk", BAD), ("c.fk", "include b\n")]);
    let mut client = Client::start(&[first.path()]);
    let (a, b) = (first.uri("a.fk"), second.uri("b.fk"));
    client.until("the first folder", |client| {
        published(client, &a).len() == 1
    });
    let change = |added: &[&Path], removed: &[&Path]| {
        let list = |paths: &[&Path]| -> Vec<Value> {
            paths
                .iter()
                .map(|path| json!({ "uri": uri(path), "name": "x" }))
                .collect()
        };
        json!({ "event": { "added": list(added), "removed": list(removed) } })
    };
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        change(&[second.path()], &[]),
    );
    client.until("the second folder", |client| {
        published(client, &b).len() == 1
    });
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        change(&[], &[first.path()]),
    );
    client.until("the first is gone", |client| {
        published(client, &a).is_empty()
    });
    // A file of it that is open stays.
    client.open(&a, BAD);
    client.findings(&a);
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        change(&[first.path()], &[second.path()]),
    );
    client.until("the second is gone", |client| {
        published(client, &b).is_empty()
    });
    assert_eq!(published(&client, &a).len(), 1);
}

#[test]
fn a_file_without_a_folder_has_its_includes_and_settings() {
    let dir = Scratch::with(&[
        ("frank.toml", "include = ['../lib']\n"),
        ("p/main.fk", ""),
        ("p/near.fk", "near : {Int}\nnear! = far!\ninclude far\n"),
        ("p/other.fk", BAD),
    ]);
    dir.write("frank.toml", "include = ['lib']\n");
    dir.write("lib/far.fk", "far : {Int}\nfar! = 1\n");
    let mut client = Client::start(&[]);
    let main = dir.uri("p/main.fk");
    client.open(&main, "include near\nmain : {Int}\nmain! = near!\n");
    assert_eq!(client.codes(&main), [""; 0]);
    // What it has nothing to do with is nobody's business.
    client.listen(Duration::from_millis(100));
    assert!(!client.published.contains_key(&dir.uri("p/other.fk")));
    client.close(&main);
}

#[test]
fn the_editors_settings_count() {
    let dir = Scratch::with(&[("lib/far.fk", "far : {Int}\nfar! = 1\n")]);
    let mut client = Client::spawn(&[]);
    client.settings = Some(json!({ "include": ["lib"], "severity": { "FK0101": "hint" } }));
    client.initialize(&[dir.path()], usual_capabilities(), Value::Null);
    let a = dir.uri("a.fk");
    client.open(&a, "include far\nmain : {Int}\nmain! = far! + tru\n");
    client.until("the settings count", |client| {
        let found = published(client, &a);
        found.len() == 1 && found[0]["severity"] == 4
    });
    client.settings = Some(json!({ "include": 7, "severity": {} }));
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": null }),
    );
    client.until("the new settings count", |client| {
        let found = published(client, &a);
        found.iter().any(|problem| problem["severity"] == 1)
    });
    client.until("a mistake is shown", |client| {
        client.notifications.iter().any(|message| {
            message["method"] == "window/showMessage"
                && message["params"]["message"]
                    .as_str()
                    .unwrap()
                    .contains("`include`")
        })
    });
}

#[test]
fn an_old_extension_is_told_so() {
    let shown = |version: &str| {
        let options = json!({ "extension": version, "severity": { "FK0101": "warning" } });
        let mut client = Client::start_with(&[], usual_capabilities(), options);
        client.settings = None;
        client.open("untitled:a", BAD);
        client.findings("untitled:a");
        let messages = client
            .notifications
            .iter()
            .filter(|message| message["method"] == "window/showMessage");
        messages
            .map(|message| message["params"]["message"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let told = shown("0.0.9");
    assert!(
        matches!(&told[..], [one] if one.contains("has version 0.0.9")),
        "{told:?}"
    );
    // Neither is its version a setting that there is not.
    assert!(shown(env!("CARGO_PKG_VERSION")).is_empty());
}

#[test]
fn settings_come_in_every_way_that_clients_know() {
    // With the first message, and with every change, for clients that are not asked.
    let mut capabilities = usual_capabilities();
    capabilities["workspace"]["configuration"] = json!(false);
    let options = json!({ "severity": { "FK0101": "warning" } });
    let mut client = Client::start_with(&[], capabilities, options);
    let uri = "untitled:a";
    client.open(uri, BAD);
    assert_eq!(client.findings(uri)[0]["severity"], 2);
    let settings = json!({ "settings": { "frank": { "severity": { "FK0101": "off" } } } });
    client.notify("workspace/didChangeConfiguration", settings);
    client.until("the new settings count", |client| {
        published(client, uri).is_empty()
    });
}

#[test]
fn library_files_open_everywhere_and_are_read_only() {
    let mut client = Client::start(&[]);
    let a = "untitled:a";
    let fixture = Fixture::new("include prelude\nmain : {Int}\nmain! = f$0st (pair 1 2)\n");
    client.open(a, &fixture.text);
    client.findings(a);
    let links = client.call("textDocument/definition", fixture.position(a, '0'));
    let prelude = links[0]["targetUri"].as_str().unwrap().to_owned();
    assert!(
        prelude.starts_with("file:///") && prelude.ends_with("/prelude.fk"),
        "{prelude}"
    );
    let path = Path::new(prelude.strip_prefix("file://").unwrap());
    let text = std::fs::read_to_string(path).unwrap();
    assert!(std::fs::metadata(path).unwrap().permissions().readonly());
    // In the library, everything works but changing it.
    client.open(&prelude, &text);
    let line = text
        .lines()
        .position(|line| line.starts_with("fst :"))
        .unwrap();
    let place = json!({
        "textDocument": { "uri": prelude }, "position": { "line": line, "character": 1 },
    });
    let hover = client.call("textDocument/hover", place.clone());
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("fst :"),
        "{hover}"
    );
    let found = client.call(
        "textDocument/references",
        json!({
            "textDocument": { "uri": prelude }, "position": { "line": line, "character": 1 },
            "context": { "includeDeclaration": false },
        }),
    );
    assert!(
        found
            .as_array()
            .unwrap()
            .iter()
            .any(|place| place["uri"] == a),
        "{found}"
    );
    let error = client
        .try_call(
            "textDocument/rename",
            json!({
                "textDocument": { "uri": prelude },
                "position": { "line": line, "character": 1 },
                "newName": "first",
            }),
        )
        .unwrap_err();
    assert_eq!(error["code"], -32803);
    assert!(!client.published.contains_key(&prelude));
    client.close(&prelude);
    client.call("textDocument/hover", place);
}

#[test]
fn a_program_of_ones_own_in_a_library_name() {
    let dir = Scratch::with(&[("prelude.fk", "own : {Int}\nown! = 1\n")]);
    let mut client = Client::start(&[dir.path()]);
    let a = dir.uri("a.fk");
    client.open(&a, "include prelude\nmain : {Int}\nmain! = own!\n");
    assert_eq!(client.codes(&a), [""; 0]);
}

#[test]
fn what_a_search_leaves_out_is_left_out_when_it_comes() {
    let dir = Scratch::with(&[
        (".gitignore", "gen/\n"),
        ("gen/a.fk", BAD),
        (".#main.fk", BAD),
        ("main.fk", BAD),
    ]);
    let mut client = Client::start(&[dir.path()]);
    let main = dir.uri("main.fk");
    client.until("the folder is searched", |client| {
        published(client, &main).len() == 1
    });
    let left_out = ["gen/b.fk", "._main.fk", ".#other.fk"].map(|name| dir.write(name, BAD));
    let changes: Vec<(&str, u8)> = left_out.iter().map(|uri| (&**uri, 1)).collect();
    watched(&mut client, &changes);
    let last = dir.write("last.fk", BAD);
    watched(&mut client, &[(&last, 1)]);
    client.until("the last one is found", |client| {
        published(client, &last).len() == 1
    });
    let found = client.published.iter();
    let mut found: Vec<&str> = found
        .filter(|(_, published)| !published.diagnostics.is_empty())
        .map(|(uri, _)| &**uri)
        .collect();
    found.sort();
    assert_eq!(found, [&*last, &*main]);
}

#[test]
fn rules_may_change() {
    let dir = Scratch::with(&[
        ("main.fk", "include used\n\nf : {Int}\nf! = used!\n"),
        ("gen/used.fk", "used : {Int}\nused! = 1\n"),
        ("frank.toml", "include = [\"gen\"]\n"),
        ("gen/bad.fk", BAD),
        ("open.fk", BAD),
    ]);
    let mut client = Client::start(&[dir.path()]);
    let (bad, open) = (dir.uri("gen/bad.fk"), dir.uri("open.fk"));
    client.open(&open, BAD);
    client.until("the folder is searched", |client| {
        published(client, &bad).len() == 1
    });
    let rules = dir.write(".gitignore", "gen/\nopen.fk\n");
    watched(&mut client, &[(&rules, 1)]);
    client.until("what is left out has no findings", |client| {
        published(client, &bad).is_empty()
    });
    // What is included stays, and what is open until it is closed.
    let symbols = client.call("workspace/symbol", json!({ "query": "used" }));
    assert_eq!(symbols[0]["name"], "used");
    assert_eq!(published(&client, &open).len(), 1);
    client.close(&open);
    client.until("what is left out has no findings", |client| {
        published(client, &open).is_empty()
    });
    dir.write(".gitignore", "");
    watched(&mut client, &[(&rules, 2)]);
    client.until("all are found again", |client| {
        published(client, &bad).len() == 1 && published(client, &open).len() == 1
    });
}

#[test]
fn a_large_folder_is_searched_with_progress() {
    let dir = Scratch::new();
    for i in 0..600 {
        dir.write(
            &format!("d{}/f{i}.fk", i % 7),
            &format!("f{i} : {{Int}}\nf{i}! = {i}\n"),
        );
    }
    dir.write("last.fk", BAD);
    let mut client = Client::start(&[dir.path()]);
    let last = dir.uri("last.fk");
    client.until("all files are checked", |client| {
        published(client, &last).len() == 1
    });
    client.until("the progress is shown and over", |client| {
        let of = |kind: &str| {
            client.notifications.iter().any(|message| {
                message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind
            })
        };
        of("begin") && of("end")
    });
    let symbols = client.call("workspace/symbol", json!({ "query": "f599" }));
    assert_eq!(symbols[0]["name"], "f599");
}

fn without_watching() -> Value {
    let mut capabilities = usual_capabilities();
    capabilities["workspace"]["didChangeWatchedFiles"] = Value::Null;
    capabilities
}

/// An included file that can be read no more is told at the include, whoever watches.
#[test]
fn an_included_file_that_becomes_unreadable_is_told() {
    for capabilities in [usual_capabilities(), without_watching()] {
        let dir = Scratch::with(&[
            ("main.fk", "include lib\nmain : {Int}\nmain! = one!\n"),
            ("lib.fk", "one : {Int}\none! = 1\n"),
        ]);
        let mut client = Client::start_with(&[dir.path()], capabilities, Value::Null);
        let (main, lib) = (dir.uri("main.fk"), dir.uri("lib.fk"));
        client.open(&main, "include lib\nmain : {Int}\nmain! = one!\n");
        client.until("all is well", |client| {
            client.published.contains_key(&main) && published(client, &main).is_empty()
        });
        let path = dir.path().join("lib.fk");
        let tell = |client: &mut Client, start: &str| {
            watched(client, &[(&lib, 2)]);
            client.until(start, |client| {
                let mut said = published(client, &main).iter();
                said.any(|said| said["message"].as_str().unwrap().starts_with(start))
            });
        };
        std::fs::write(&path, b"one : {Int} -- \xff\n").unwrap();
        tell(
            &mut client,
            "`lib.fk` cannot be included: this is not UTF-8",
        );
        std::fs::write(&path, "one : {Int}\none! = tru\n").unwrap();
        watched(&mut client, &[(&lib, 2)]);
        client.until("it is read again", |client| {
            published(client, &lib).len() == 1
        });
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        tell(
            &mut client,
            "`lib.fk` cannot be included: this is a directory",
        );
    }
}

/// A folder that is removed and made anew, as a branch without it does, is followed.
#[test]
fn a_folder_that_is_made_anew_is_noticed() {
    for watches in [true, false] {
        let dir = Scratch::new();
        let capabilities = match watches {
            true => usual_capabilities(),
            false => without_watching(),
        };
        let root = dir.path().join("root");
        dir.write("root/a.fk", BAD);
        let mut client = Client::start_with(&[&root], capabilities, Value::Null);
        let (a, b) = (dir.uri("root/a.fk"), dir.uri("root/b.fk"));
        client.until("what is in it", |client| published(client, &a).len() == 1);
        for _ in 0..3 {
            std::fs::remove_dir_all(&root).unwrap();
            if watches {
                watched(&mut client, &[(&uri(&root), 3)]);
            }
            client.until("nothing is in it", |client| {
                published(client, &a).is_empty()
            });
            dir.write("root/frank.toml", "[severity]\nFK0101 = 'hint'\n");
            dir.write("root/a.fk", BAD);
            if watches {
                watched(&mut client, &[(&uri(&root), 1)]);
            }
            client.until("what is in the new one", |client| {
                let found = published(client, &a);
                found.len() == 1 && found[0]["severity"] == 4
            });
            // And what changes in it.
            dir.write("root/b.fk", BAD);
            if watches {
                watched(&mut client, &[(&b, 1)]);
            }
            client.until("a new file", |client| published(client, &b).len() == 1);
        }
    }
}

/// Where the client cannot watch, nothing that changes after the first look at a folder is missed.
#[test]
fn what_changes_while_the_server_starts_is_noticed() {
    let dir = Scratch::with(&[("root/a.fk", BAD)]);
    let root = dir.path().join("root");
    let a = dir.uri("root/a.fk");
    let mut client = Client::spawn(&[]);
    client.hello(&[&root], without_watching(), Value::Null);
    // A request shows that the client has the answer, so that findings are told.
    client.call("workspace/symbol", json!({ "query": "main" }));
    client.until("what is in it", |client| published(client, &a).len() == 1);
    std::fs::remove_dir_all(&root).unwrap();
    client.notify("initialized", json!({}));
    client.until("nothing is in it", |client| {
        published(client, &a).is_empty()
    });
}

/// While a folder is searched, what is known of files that are not open stays where it is.
#[test]
fn findings_stay_while_a_folder_is_searched() {
    let dir = Scratch::with(&[("a.fk", BAD), ("b.fk", "one : {Int}\none! = 1\n")]);
    let mut client = Client::start(&[dir.path()]);
    let (a, b) = (dir.uri("a.fk"), dir.uri("b.fk"));
    client.open(&b, "one : {Int}\none! = 1\n");
    client.until("the finding", |client| published(client, &a).len() == 1);
    for number in 0..2000 {
        dir.write(&format!("sub/f{number}.fk"), "two : {Int}\ntwo! = 2\n");
    }
    let last = dir.write("sub/last.fk", BAD);
    watched(&mut client, &[(&uri(&dir.path().join("sub")), 1)]);
    while published(&client, &last).is_empty() {
        client.change(&b, json!([{ "text": "one : {Int}\none! = 1\n" }]));
        client.call(
            "textDocument/documentSymbol",
            json!({ "textDocument": { "uri": b } }),
        );
        assert_eq!(published(&client, &a).len(), 1, "it has not changed");
    }
}

/// A project may lower the limits of runs; what it asks for beyond is told where it asks.
#[test]
fn a_project_raises_no_limits() {
    let dir = Scratch::with(&[
        (
            "frank.toml",
            "[limits]\nsteps = 1000\ntimeout = '100000m'\n",
        ),
        (
            "a.fk",
            "main : {Int}\nmain! = count 1000000\ncount : Int -> Int\ncount 0 = 0\ncount n = count (n - 1)\n",
        ),
    ]);
    let mut client = Client::start(&[dir.path()]);
    let toml = dir.uri("frank.toml");
    client.until("the warning", |client| {
        let found = published(client, &toml);
        found.len() == 1 && found[0]["severity"] == 2 && found[0]["range"]["start"]["line"] == 2
    });
    let message = published(&client, &toml)[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("in this editor a run has 10s at most"),
        "{message}"
    );
    let a = dir.uri("a.fk");
    client.until("the program", |client| {
        !client.requests.is_empty() || client.published.contains_key(&a)
    });
    client.open(
        &a,
        &std::fs::read_to_string(dir.path().join("a.fk")).unwrap(),
    );
    client.findings(&a);
    let run = json!({ "command": "frank.run", "arguments": [a, "main"] });
    let answer = client.try_call("workspace/executeCommand", run);
    assert!(
        format!("{answer:?}").contains("1000 steps")
            || format!("{answer:?}").contains("1,000 steps"),
        "{answer:?}"
    );
    client.settings = Some(json!({ "limits": { "timeout": "200000m" } }));
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": null }),
    );
    client.until("the user allows it", |client| {
        published(client, &toml).is_empty()
    });
}

/// The server itself notices what happens on disk if the client does not report it.
#[test]
fn clients_that_cannot_watch_are_no_worse_off() {
    let dir = Scratch::with(&[("lib.fk", "two : {Int}\ntwo! = 2\n")]);
    let mut client = Client::start_with(&[dir.path()], without_watching(), Value::Null);
    let uri = dir.uri("main.fk");
    client.open(&uri, "include lib\nmain : {Int}\nmain! = two!\n");
    let finds = |client: &mut Client, what: &str, expected: &[&str]| {
        client.until(what, |client| {
            let published = client.published.get(&uri);
            published.is_some_and(|published| {
                let codes: Vec<String> = published.diagnostics.iter().map(brief).collect();
                codes == expected
            })
        });
    };
    finds(&mut client, "no findings", &[]);
    // It may begin to watch only now.
    let deadline = std::time::Instant::now() + frank_protocol_tests::PATIENCE;
    let mut text = "two : {Int}\ntwo! = 2\n".to_owned();
    while client.published[&uri].diagnostics.is_empty() {
        assert!(std::time::Instant::now() < deadline, "a changed file");
        text.insert(0, '\n');
        dir.write("lib.fk", &text.replace("two", "three"));
        client.listen(std::time::Duration::from_millis(200));
    }
    finds(&mut client, "a changed file", &["2:FK0101"]);
    dir.write("lib.fk", &text);
    finds(&mut client, "a file changed back", &[]);
    std::fs::rename(dir.path().join("lib.fk"), dir.path().join("gone.fk")).unwrap();
    finds(&mut client, "a renamed file", &["0:FK0105"]);
    std::fs::rename(dir.path().join("gone.fk"), dir.path().join("lib.fk")).unwrap();
    finds(&mut client, "a file renamed back", &[]);
    std::fs::remove_file(dir.path().join("lib.fk")).unwrap();
    finds(&mut client, "a deleted file", &["0:FK0105"]);
}
