//! Compares `docs/architecture.md` with the source: what it names exists, it names every folder, and
//! files use each other in no circles but those that it names. And scripts import files that are there.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod circles;

use std::collections::BTreeSet;
use std::path::Path;

use frank_tests::{files_under, project_root};

/// Folders with the source of the program.
const SOURCES: [&str; 17] = [
    "syntax/src",
    "server/core/src",
    "server/analysis/src",
    "server/interpreter/src",
    "server/semantics/src",
    "server/staging/src",
    "server/dap/src",
    "server/framing/src",
    "server/library/src",
    "server/workspace/src",
    "server/ide/src",
    "server/lsp/src",
    "server/mcp/src",
    "server/kernel/src",
    "server/web/src",
    "server/plot/src",
    "server/cli/src",
];

fn page() -> String {
    std::fs::read_to_string(project_root().join("docs/architecture.md")).unwrap()
}

/// What stands in backticks, outside of fenced blocks.
fn quoted(text: &str) -> Vec<&str> {
    let mut outside = true;
    let lines = text.lines().filter(|line| {
        let fence = line.starts_with("```");
        outside ^= fence;
        outside && !fence
    });
    lines
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect()
}

/// The section under a heading.
fn section<'t>(page: &'t str, heading: &str) -> &'t str {
    let (_, rest) = page
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("docs/architecture.md has no section `{heading}`"));
    rest.split("\n## ").next().unwrap_or_default()
}

#[test]
fn every_path_leads_somewhere() {
    let root = project_root();
    let page = page();
    let paths: BTreeSet<&str> = quoted(&page)
        .into_iter()
        .filter(|name| name.contains('/') && !name.contains([' ', '<', '*']))
        // A method of the protocol.
        .filter(|name| !name.starts_with("workspace/"))
        .collect();
    assert!(paths.len() > 60, "the paths are gone: {}", paths.len());
    let missing: Vec<&&str> = paths
        .iter()
        .filter(|path| !root.join(path).exists())
        .collect();
    assert!(
        missing.is_empty(),
        "docs/architecture.md names what is not there: {missing:?}"
    );
}

/// Names of functions and types are written with the file that has them: `file.rs: name`.
#[test]
fn every_name_is_in_its_file() {
    let root = project_root();
    let page = page();
    let mut count = 0;
    let mut missing = Vec::new();
    for (path, name) in quoted(&page)
        .into_iter()
        .filter_map(|name| name.split_once(": "))
    {
        count += 1;
        let text = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        let kinds = ["fn", "struct", "enum", "trait", "const", "type", "mod"];
        let last = name.rsplit("::").next().unwrap_or(name);
        let defined = kinds.iter().any(|kind| {
            let wanted = format!("{kind} {last}");
            text.match_indices(&wanted).any(|(at, _)| {
                let next = text[at + wanted.len()..].chars().next();
                !next.is_some_and(|c| c.is_alphanumeric() || c == '_')
            })
        });
        if !defined {
            missing.push(format!("{path}: {name}"));
        }
    }
    assert!(count > 20, "the names are gone: {count}");
    assert!(
        missing.is_empty(),
        "docs/architecture.md names what is not there: {missing:#?}"
    );
}

#[test]
fn every_folder_of_the_source_is_in_the_code_map() {
    let root = project_root();
    let page = page();
    let named: BTreeSet<&str> = quoted(section(&page, "## Code map")).into_iter().collect();
    let mut missing = BTreeSet::new();
    for source in SOURCES {
        for file in files_under(&root.join(source), "rs") {
            let folder = file.parent().and_then(|dir| dir.strip_prefix(&root).ok());
            let folder = folder.unwrap_or(Path::new("")).to_string_lossy();
            let folder = folder.replace('\\', "/");
            if !folder.ends_with("/tests") && !named.contains(&*folder) {
                missing.insert(folder);
            }
        }
    }
    assert!(
        missing.is_empty(),
        "say in the code map of docs/architecture.md what is in {missing:?}"
    );
}

#[test]
fn files_use_each_other_in_no_circles() {
    let root = project_root();
    let page = page();
    let section = section(&page, "## Circles");
    let mut named: BTreeSet<BTreeSet<String>> = section
        .split("\n- ")
        .skip(1)
        .map(|entry| {
            let files = quoted(entry).into_iter();
            files
                .filter(|name| name.ends_with(".rs"))
                .map(str::to_owned)
                .collect()
        })
        .collect();
    let mut unnamed = Vec::new();
    for source in SOURCES {
        for circle in circles::of(&root, source) {
            if !named.remove(&circle) {
                unnamed.push(circle);
            }
        }
    }
    assert!(
        unnamed.is_empty(),
        "these files use each other: {unnamed:#?}\nLet one of them be below the other. Only where a \
         recursion of the language stands behind it, name the circle in docs/architecture.md."
    );
    assert!(
        named.is_empty(),
        "docs/architecture.md names circles that are none any more: {named:#?}"
    );
}

/// Scripts are run late in a long check, or only by a browser: a file that was moved would be missed there.
#[test]
fn scripts_import_what_is_there() {
    let root = project_root();
    let mut imports = 0;
    let mut missing = Vec::new();
    for folder in ["editors", "tests", "server/web"] {
        for extension in ["mjs", "ts"] {
            for file in files_under(&root.join(folder), extension) {
                if file
                    .components()
                    .any(|part| part.as_os_str() == "node_modules")
                {
                    continue;
                }
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                for path in relative_imports(&text) {
                    imports += 1;
                    let there = file.with_file_name("").join(path);
                    if !there.is_file() && !there.with_extension("ts").is_file() {
                        missing.push(format!("{}: {path}", file.display()));
                    }
                }
            }
        }
    }
    assert!(imports > 100, "the imports are gone: {imports}");
    assert!(missing.is_empty(), "imported and not there: {missing:#?}");
}

/// The files beside it that a script imports, as it writes them.
fn relative_imports(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| line.starts_with("import ") || line.starts_with("} from "))
        .filter_map(|line| line.split('\'').nth(1))
        .filter(|path| path.starts_with('.'))
}
