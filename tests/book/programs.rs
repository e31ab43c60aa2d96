//! Every Frank block of the book.

use frank_tests::book::{language, option, pages};
use frank_tests::chapters::{check, has_findings};
use frank_tests::fences;

/// What can stand behind `frank` in a fence, apart from a file's name.
const OPTIONS: [&str; 4] = ["", "wrong", "fragment", "examples"];

#[test]
fn programs_do_what_the_book_says() {
    let mut failures = Vec::new();
    let mut count = 0;
    for page in pages().unwrap() {
        for (fence, block) in page.programs().unwrap() {
            count += 1;
            // What is wrong on the page of a finding is compared with that finding elsewhere, by
            // the real command.
            let outcome = match option(&fence) {
                "wrong" if page.name.starts_with("diagnostics/") => Ok(()),
                "wrong" if !has_findings(&block) => Err("nothing is wrong with it".to_owned()),
                "wrong" => Ok(()),
                _ => check(&block),
            };
            if let Err(why) = outcome {
                failures.push(format!("docs/{}:{}: {why}", page.name, block.line));
            }
        }
    }
    assert!(count > 150, "the programs are gone: {count} blocks");
    let total = failures.len();
    assert!(
        failures.is_empty(),
        "{}\n{total} of {count} blocks fail",
        failures.join("\n\n")
    );
}

#[test]
fn every_block_says_what_it_is() {
    let mut failures = Vec::new();
    for page in pages().unwrap() {
        for fence in fences(&page.text) {
            let option = option(&fence);
            let known = match language(&fence) {
                "" => false,
                "frank" => OPTIONS.contains(&option) || option.starts_with("file="),
                _ => option.is_empty() || option.starts_with("file="),
            };
            if !known {
                let info = &fence.info;
                failures.push(format!("docs/{}:{}: `{info}`", page.name, fence.line - 1));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "fences that say nothing known:\n{}",
        failures.join("\n")
    );
}
