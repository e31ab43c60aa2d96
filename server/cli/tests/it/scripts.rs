//! What the book has for shells and editors' settings: scripts can be read, their commands exist with the
//! options that they are given, and settings are ones that there are. Workflows, hooks and editors'
//! configurations are tried by the scripts in `tests/action` and `tests/editors`.

use std::collections::BTreeSet;
use std::process::Command;

use frank_tests::book::{Page, book_root, language, pages};
use frank_tests::{fences, project_root};
use serde_json::Value;

use crate::support::Dir;

/// The pages of the book and the front page.
fn all_pages() -> Vec<Page> {
    let mut all = pages().expect("the book");
    let path = project_root().join("README.md");
    all.push(Page {
        name: "../README.md".to_owned(),
        text: std::fs::read_to_string(&path).expect("the front page"),
        path,
    });
    all
}

/// The blocks in a language, with where they are.
fn blocks(wanted: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for page in all_pages() {
        for fence in fences(&page.text) {
            if language(&fence) == wanted {
                found.push((format!("docs/{}:{}", page.name, fence.line), fence.body));
            }
        }
    }
    found
}

/// The simple commands of a script, each in words, without what is assigned in front of them.
fn commands(script: &str) -> Vec<Vec<&str>> {
    let joined = script.lines().map(|line| match line.find(" #") {
        Some(comment) => &line[..comment],
        None => line,
    });
    let parts = joined.flat_map(|line| line.split(['|', ';', '(', ')']));
    let parts = parts.flat_map(|part| part.split("&&"));
    parts
        .map(|part| {
            let words = part.split_whitespace();
            words.skip_while(|word| word.contains('=')).collect()
        })
        .filter(|words: &Vec<&str>| !words.is_empty())
        .collect()
}

/// The names that cargo accepts in this workspace, as `--package NAME`, `--test NAME` and the like.
fn cargo_names() -> BTreeSet<(String, String)> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(project_root())
        .output()
        .expect("cargo");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata");
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    let mut names = BTreeSet::new();
    for package in metadata["packages"].as_array().expect("packages") {
        names.insert(("package".to_owned(), text(&package["name"])));
        for target in package["targets"].as_array().expect("targets") {
            for kind in target["kind"].as_array().expect("kinds") {
                names.insert((text(kind), text(&target["name"])));
            }
        }
    }
    names
}

#[test]
fn scripts_can_be_read() {
    let scripts = blocks("sh");
    assert!(scripts.len() > 20, "the scripts are gone");
    let dir = Dir::new(&[]);
    for (place, script) in scripts {
        dir.write("script", &script);
        let output = Command::new("sh")
            .args(["-n", "script"])
            .current_dir(dir.path())
            .output()
            .expect("a shell");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{place}: {complaint}");
    }
}

#[test]
fn commands_of_scripts_have_the_options_they_are_given() {
    let dir = Dir::new(&[]);
    let mut count = 0;
    for (place, script) in blocks("sh") {
        for words in commands(&script) {
            let ["frank", command, options @ ..] = &words[..] else {
                continue;
            };
            count += 1;
            let help = dir.run(&format!("{command} --help"));
            assert_eq!(help.code, 0, "{place}: there is no `frank {command}`");
            for option in options.iter().filter(|word| word.starts_with("--")) {
                let known = help.stdout.split([' ', ',', '\n', '=']);
                assert!(
                    known.into_iter().any(|word| word == *option),
                    "{place}: `frank {command}` has no {option}"
                );
            }
        }
    }
    assert!(count > 5, "the commands are gone: {count}");
}

#[test]
fn cargo_knows_what_scripts_name() {
    let names = cargo_names();
    let mut count = 0;
    for (place, script) in blocks("sh") {
        for words in commands(&script) {
            if words.first() != Some(&"cargo") {
                continue;
            }
            count += 1;
            for pair in words.windows(2) {
                let kind = match pair[0] {
                    "-p" | "--package" => "package",
                    "--test" => "test",
                    "--bench" => "bench",
                    "--example" => "example",
                    "--path" => {
                        let path = project_root().join(pair[1]).join("Cargo.toml");
                        assert!(path.is_file(), "{place}: there is no {}", path.display());
                        continue;
                    }
                    _ => continue,
                };
                let name = (kind.to_owned(), pair[1].to_owned());
                assert!(
                    names.contains(&name),
                    "{place}: there is no {kind} {}",
                    pair[1]
                );
            }
        }
    }
    assert!(count > 5, "the commands are gone: {count}");
}

#[test]
fn settings_are_ones_that_there_are() {
    let manifest = book_root().join("../editors/vscode/package.json");
    let manifest = std::fs::read_to_string(manifest).expect("the extension's manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let sections = manifest["contributes"]["configuration"]
        .as_array()
        .expect("sections of settings");
    let known = |name: &str| {
        let mut of_sections = sections.iter().map(|section| &section["properties"]);
        of_sections.any(|properties| properties.get(name).is_some())
    };
    assert!(known("frank.server.path"), "the extension has no settings");
    let examples = blocks("json");
    assert!(!examples.is_empty(), "the settings are gone");
    for (place, example) in examples {
        // Settings are shown without the braces around the whole file.
        let example: Value = serde_json::from_str(&format!("{{{example}}}"))
            .unwrap_or_else(|why| panic!("{place}: {why}"));
        for name in example.as_object().expect("an object").keys() {
            let own = name.starts_with("frank.");
            assert!(!own || known(name), "{place}: {name}");
        }
    }
}
