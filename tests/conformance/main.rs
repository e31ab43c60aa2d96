//! Runs the chapters: every block is checked, its errors must stand on the lines that say so, and
//! its value and output must be the ones that it names.

use std::collections::BTreeSet;

use frank_analysis::check::file_diagnostics;
use frank_analysis::files::Files;
use frank_tests::{Block, blocks, files_under, project_root};

/// The lines that a block marks with `-- error`, as file names and line numbers from 1.
fn expected_errors(block: &Block) -> BTreeSet<(String, usize)> {
    let mut expected = BTreeSet::new();
    for (name, text) in &block.files {
        for (i, line) in text.lines().enumerate() {
            if line.contains("-- error") {
                expected.insert((name.clone(), i + 1));
            } else if line.trim_start().starts_with("-- ^ error") {
                expected.insert((name.clone(), i));
            }
        }
    }
    expected
}

fn check_block(block: &Block) -> Result<(), String> {
    let mut files = Files::new(None);
    for (name, text) in &block.files {
        files.set_text(name, text);
    }
    let mut found = BTreeSet::new();
    let mut messages = Vec::new();
    for (name, text) in &block.files {
        let Some(file) = files.file(name) else { continue };
        for problem in file_diagnostics(files.db(), file).iter().filter(|p| p.is_error()) {
            let start = usize::from(files.range(problem.location).start());
            let line = text[..start.min(text.len())].matches('\n').count() + 1;
            found.insert((name.clone(), line));
            messages.push(format!("  {name}:{line}: {}: {}", problem.code.as_str(), problem.message));
        }
    }
    let expected = expected_errors(block);
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "errors expected at {expected:?}, found at {found:?}\n{}\n{}",
        messages.join("\n"),
        block.files.iter().map(|(n, t)| format!("--- {n}\n{t}")).collect::<String>()
    ))
}

#[test]
fn chapters() {
    let mut failures = Vec::new();
    let mut count = 0;
    for path in files_under(&project_root().join("tests/conformance"), "md") {
        let chapter = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for block in blocks(&chapter) {
            count += 1;
            if let Err(why) = check_block(&block) {
                failures.push(format!("{name}:{}: {why}", block.line));
            }
        }
    }
    assert!(count > 300, "the chapters are gone: {count} blocks");
    let total = failures.len();
    assert!(failures.is_empty(), "{}\n{total} of {count} blocks fail", failures.join("\n\n"));
}
