//! Runs the chapters: every block is checked, its errors must stand on the lines that say so, and
//! its value and output must be the ones that it names.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

use frank_core::Builtin;
use frank_tests::chapters::check;
use frank_tests::{Block, blocks, files_under, project_root};

#[test]
fn chapters() {
    let mut failures = Vec::new();
    let mut count = 0;
    for path in files_under(&project_root().join("tests/conformance"), "md") {
        let chapter = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for block in blocks(&chapter) {
            count += 1;
            if let Err(why) = check(&block) {
                failures.push(format!("{name}:{}: {why}", block.line));
            }
        }
    }
    assert!(count > 300, "the chapters are gone: {count} blocks");
    let total = failures.len();
    assert!(
        failures.is_empty(),
        "{}\n{total} of {count} blocks fail",
        failures.join("\n\n")
    );
}

/// What a built-in operator computes is shown by a program of a chapter.
#[test]
fn every_built_in_is_in_a_chapter() {
    // The library's own, for derivatives with marks and for the places of a graph's operations; and what no program
    // can name.
    const HIDDEN: [Builtin; 7] = [
        Builtin::NewRun,
        Builtin::Origin,
        Builtin::WrittenFor,
        Builtin::NoteNode,
        Builtin::NoteLine,
        Builtin::ForeignNumber,
        Builtin::Hole,
    ];
    let chapters = files_under(&project_root().join("tests/conformance"), "md");
    let texts = chapters
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap());
    let blocks: Vec<Block> = texts.flat_map(|text| blocks(&text)).collect();
    for builtin in Builtin::ALL
        .iter()
        .filter(|builtin| !HIDDEN.contains(builtin))
    {
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let uses = |text: &str| {
            text.split(|c| !is_name(c))
                .any(|word| word == builtin.name())
        };
        let mut texts = blocks.iter().flat_map(|block| &block.files);
        assert!(
            texts.any(|(_, text)| uses(text)),
            "write a block in tests/conformance that runs `{}`",
            builtin.name()
        );
    }
}
