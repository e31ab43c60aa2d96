//! The page with the example programs and what they print, made from their files. `UPDATE_EXPECT=1`
//! writes it.

use std::fmt::Write;

use expect_test::expect_file;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_interpreter::Limits;
use frank_syntax::format::{FormatOptions, format};
use frank_syntax::outline::split;
use frank_tests::book::book_root;
use frank_tests::run::run_main;

/// The names of the examples, in the order in which their list has them.
fn names() -> Vec<String> {
    let list = std::fs::read_to_string(book_root().join("examples/README.md")).unwrap();
    let links = list.split("](").skip(1);
    links
        .map(|rest| rest.split(')').next().unwrap().to_owned())
        .filter(|target| target.ends_with(".fk"))
        .collect()
}

/// What `frank run` shows of a program; nothing if it has errors. Pictures are shown where it can draw, and stand for
/// any lines here.
fn shown(name: &str, text: &str) -> Option<String> {
    let mut files = Files::new(None);
    let root = files.set_text(name, text);
    if file_diagnostics(files.db(), root)
        .iter()
        .any(|p| p.is_error())
    {
        return None;
    }
    let outcome = run_main(&files, root, "", Limits::default());
    let mut shown = outcome.output;
    if !shown.is_empty() && !shown.ends_with('\n') {
        shown.push('\n');
    }
    if text.lines().any(|line| line == "include picture") {
        shown = "…\n".to_owned();
    }
    Some(shown + &outcome.value.ok()?)
}

#[test]
fn the_page_of_programs() {
    let mut page =
        "# The programs\n\nThe examples as a whole, with what running them gives.\n".to_owned();
    for name in names() {
        let text = std::fs::read_to_string(book_root().join("examples").join(&name)).unwrap();
        // The comment at the top is the text, the rest the program.
        let start = split(&text)[0].token_start();
        let (comments, program) = text.split_at(start);
        let program = format(program, &FormatOptions::default()).apply(program);
        let prose: Vec<&str> = comments
            .lines()
            .filter_map(|line| line.strip_prefix("-- "))
            .collect();
        let _infallible = write!(
            page,
            "\n## {}\n\n{}\n\n```frank,file={name}\n{}\n```\n",
            name.trim_end_matches(".fk"),
            prose.join("\n"),
            program.trim_end()
        );
        let (command, output) = match shown(&name, &text) {
            Some(output) => (format!("frank run {name}"), output),
            None => (format!("frank check {name}"), "…".to_owned()),
        };
        let _infallible = write!(page, "\n```console\n$ {command}\n{output}\n```\n");
    }
    expect_file!["../../docs/examples/programs.md"].assert_eq(&page);
}
