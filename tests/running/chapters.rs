//! The values, outputs and failures that the conformance chapters name.

use frank_interpreter::Limits;
use frank_tests::chapters::unquoted;
use frank_tests::{blocks, files_under, project_root};

use crate::compiled_files;

#[test]
fn values_and_outputs() {
    let mut failures = Vec::new();
    let mut count = 0;
    for path in files_under(&project_root().join("tests/conformance"), "md") {
        let chapter = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for block in blocks(&chapter) {
            let root = &block.files[block.files.len() - 1].1;
            let mark = |mark: &str| {
                root.lines()
                    .find_map(|l| l.trim().strip_prefix(mark).map(|v| v.trim().to_owned()))
            };
            let value = mark("-- value:");
            let output = mark("-- output:").map(|o| unquoted(&o).unwrap());
            let input = mark("-- input:")
                .map(|i| unquoted(&i).unwrap())
                .unwrap_or_default();
            let fails = root.lines().any(|l| l.trim().starts_with("-- fails"));
            if value.is_none() && output.is_none() && !fails {
                continue;
            }
            count += 1;
            let found = match compiled_files(&block.files) {
                Ok(compiled) => compiled.run(
                    Limits {
                        steps: Some(100_000_000),
                        ..Limits::default()
                    },
                    &input,
                ),
                Err(why) => {
                    failures.push(format!("{name}:{}: {why}", block.line));
                    continue;
                }
            };
            let as_expected = match &found.value {
                Ok(found) => !fails && value.as_ref().is_none_or(|v| v == found),
                Err(error) => fails && !error.is_limit(),
            };
            if !as_expected || found.output != output.clone().unwrap_or_default() {
                failures.push(format!(
                    "{name}:{}: value {value:?}, output {output:?}, fails: {fails}; found {:?}, {:?}",
                    block.line, found.value, found.output
                ));
            }
        }
    }
    assert!(count > 400, "the chapters are gone: {count} runs");
    let total = failures.len();
    assert!(
        failures.is_empty(),
        "{}\n{total} of {count} runs fail",
        failures.join("\n")
    );
}
