//! The commands that the book shows, run in the order of their page, in a directory with the page's
//! files. `UPDATE_EXPECT=1` writes what they print into the pages.
//!
//! In what is shown, `…` stands for anything, on its own line for any number of lines.

use std::path::Path;
use std::process::{Command, Stdio};

use frank_tests::book::{Page, keep, language, pages};
use frank_tests::fences;

use crate::support::{Dir, finish};

/// A command, and what the page shows of its output.
struct Shown {
    /// The line of the page that the command is on.
    line: usize,
    command: String,
    output: String,
}

/// The commands of a block: lines that begin with `$ `, with what follows them.
fn shown(line: usize, body: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    for (i, text) in body.lines().enumerate() {
        match (text.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push(Shown {
                line: line + i,
                command: command.to_owned(),
                output: String::new(),
            }),
            (None, Some(last)) => last.output += &format!("{text}\n"),
            (None, None) => panic!("line {}: output without a command", line + i),
        }
    }
    commands
}

/// What a command prints on both streams, in a shell that finds `frank`.
fn run(dir: &Dir, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_frank"));
    let mut path = binary.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(dir.path())
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    finish(shell, "").stdout
}

/// Whether an output is what is shown.
fn fits(shown: &str, output: &str) -> bool {
    let Some((before, after)) = shown.split_once('…') else {
        return shown == output;
    };
    let Some(rest) = output.strip_prefix(before) else {
        return false;
    };
    let own_line = before.is_empty() || before.ends_with('\n');
    let ends = rest
        .char_indices()
        .map(|(i, _)| i)
        .chain([rest.len()])
        .take_while(|end| own_line || !rest[..*end].contains('\n'));
    // Line breaks around a `…` on its own line go with it.
    let after = match own_line {
        true => after.strip_prefix('\n').unwrap_or(after),
        false => after,
    };
    ends.into_iter()
        .filter(|end| !own_line || *end == 0 || rest[..*end].ends_with('\n'))
        .any(|end| fits(after, &rest[end..]))
}

/// What is shown with the differences mended, or nothing if there are none.
fn check(page: &Page, failures: &mut Vec<String>, count: &mut usize) -> Option<String> {
    let dir = Dir::new(&[]);
    let mut files = page.inherited().expect("pages that continue pages");
    for (name, text) in &files {
        dir.write(name, text);
    }
    let mut lines: Vec<String> = page.text.lines().map(str::to_owned).collect();
    let mut mended = Vec::new();
    for fence in fences(&page.text) {
        keep(&mut files, &fence);
        if let Some(name) = frank_tests::book::file_name(&fence) {
            dir.write(name, &fence.body);
        }
        if language(&fence) != "console" {
            continue;
        }
        for shown in shown(fence.line, &fence.body) {
            *count += 1;
            let output = run(&dir, &shown.command);
            let output = match output.is_empty() || output.ends_with('\n') {
                true => output,
                false => output + "\n",
            };
            if !fits(&shown.output, &output) {
                failures.push(format!(
                    "docs/{}:{}: $ {}\n{output}--- but shown is\n{}",
                    page.name, shown.line, shown.command, shown.output
                ));
                mended.push((shown.line, shown.output.lines().count(), output));
            }
        }
    }
    for (line, length, output) in mended.iter().rev() {
        let output = output.lines().map(str::to_owned);
        lines.splice(*line..line + length, output);
    }
    (!mended.is_empty()).then(|| lines.join("\n") + "\n")
}

#[test]
fn commands_print_what_the_book_shows() {
    let mut failures = Vec::new();
    let mut count = 0;
    for page in pages().expect("the book") {
        let mended = check(&page, &mut failures, &mut count);
        if let (Some(mended), Ok("1")) = (mended, std::env::var("UPDATE_EXPECT").as_deref()) {
            std::fs::write(&page.path, mended).expect("the page");
        }
    }
    assert!(count > 20, "the commands are gone: {count}");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn dots_stand_for_anything() {
    assert!(fits("a\n…\nb\n", "a\nx\ny\nb\n") && fits("a\n…\nb\n", "a\nb\n"));
    assert!(fits("a, …\n", "a, b, c\n") && fits("in … ms\n", "in 3 ms\n"));
    assert!(fits("…\n", "a\nb\n") && fits("a\n…\n", "a\n"));
    assert!(!fits("a …\nb\n", "a x\ny\nb\n") && !fits("a\n…\nb\n", "a\nxb\n"));
    assert!(!fits("a\n", "a\nb\n") && !fits("a\n…\n", "b\n"));
}
