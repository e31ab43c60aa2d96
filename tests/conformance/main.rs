//! Runs the chapters: every block is checked, its errors must stand on the lines that say so, and
//! its value and output must be the ones that it names.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

use frank_tests::chapters::check;
use frank_tests::{blocks, files_under, project_root};

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
