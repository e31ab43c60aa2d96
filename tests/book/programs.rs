//! Every Frank block of the book.

use frank_tests::book::{file_name, has_option, language, options, pages};
use frank_tests::chapters::{check, check_last, has_findings, has_syntax_errors};
use frank_tests::fences;

use frank_syntax::format::{FormatOptions, format};

/// What can stand behind `frank` in a fence, apart from a file's name.
const OPTIONS: [&str; 4] = ["wrong", "layout", "fragment", "examples"];

#[test]
fn programs_do_what_the_book_says() {
    let mut failures = Vec::new();
    let mut count = 0;
    for page in pages().unwrap() {
        for (fence, block) in page.programs().unwrap() {
            count += 1;
            // What is wrong on the page of a finding is compared with that finding elsewhere, by
            // the real command.
            let outcome = match has_option(&fence, "wrong") {
                false if file_name(&fence).is_some() => check_last(&block),
                false => check(&block),
                true if page.name.starts_with("diagnostics/") || has_findings(&block) => Ok(()),
                true => Err("nothing is wrong with it".to_owned()),
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

/// A fragment is some items, a term, a type or an ability, of which it need not be known what they are about.
#[test]
fn fragments_can_be_read() {
    let mut failures = Vec::new();
    let mut count = 0;
    for page in pages().unwrap() {
        let fences = fences(&page.text).into_iter();
        for fence in fences.filter(|fence| has_option(fence, "fragment")) {
            count += 1;
            let indented = fence.body.replace('\n', "\n  ");
            let readings = [
                fence.body.clone(),
                format!("term! =\n  {indented}\n"),
                format!("type :\n  {indented}\n"),
                format!("ability :\n  {indented} Unit\n"),
            ];
            if readings.iter().all(|reading| has_syntax_errors(reading)) {
                failures.push(format!("docs/{}:{}", page.name, fence.line));
            }
        }
    }
    assert!(count > 100, "the fragments are gone: {count}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn programs_are_formatted() {
    let mut failures = Vec::new();
    for page in pages().unwrap() {
        for (fence, _) in page.programs().unwrap() {
            let formatted = format(&fence.body, &FormatOptions::default());
            if !formatted.is_unchanged() && !has_option(&fence, "layout") {
                let text = formatted.apply(&fence.body);
                failures.push(format!("docs/{}:{}:\n{text}", page.name, fence.line));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "these should be\n{}",
        failures.join("\n")
    );
}

#[test]
fn every_block_says_what_it_is() {
    let mut failures = Vec::new();
    for page in pages().unwrap() {
        for fence in fences(&page.text) {
            let frank = language(&fence) == "frank";
            let mut options = options(&fence);
            let known = options
                .all(|option| option.starts_with("file=") || frank && OPTIONS.contains(&option));
            let named = file_name(&fence) != Some("");
            if !known || !named || language(&fence).is_empty() {
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
