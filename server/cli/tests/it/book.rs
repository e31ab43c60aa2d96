//! The commands that the book and the project's front page show, run in the order of their page, in a
//! directory with the page's files. `UPDATE_EXPECT=1` writes what they print into the pages.
//!
//! In what is shown, `…` stands for anything, on its own line for any number of lines.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use frank_tests::book::{Page, book_root, file_name, language, pages};
use frank_tests::traces;
use frank_tests::{fences, project_root};

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
fn run(dir: &Path, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_frank"));
    let mut path = binary.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(dir)
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

/// Runs a page's commands in a directory. Gives the page as it should be, if it is not.
fn check(page: &Page, dir: &Path, failures: &mut Vec<String>, count: &mut usize) -> Option<String> {
    let write = |name: &str, text: &str| {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    };
    for (name, text) in page.inherited().expect("pages that continue pages") {
        write(&name, &text);
    }
    let mut lines: Vec<String> = page.text.lines().map(str::to_owned).collect();
    let mut mended = Vec::new();
    for fence in fences(&page.text) {
        if let Some(name) = file_name(&fence) {
            write(name, &fence.body);
        }
        if language(&fence) != "console" {
            continue;
        }
        for shown in shown(fence.line, &fence.body) {
            *count += 1;
            let output = run(dir, &shown.command);
            let output = match output.is_empty() || output.ends_with('\n') {
                true => output,
                false => output + "\n",
            };
            if !fits(&shown.output, &output) {
                failures.push(format!(
                    "{}:{}: $ {}\n{output}--- but shown is\n{}",
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
    let readme = project_root().join("README.md");
    let readme = Page {
        text: std::fs::read_to_string(&readme).expect("the page"),
        path: readme,
        name: "../README.md".to_owned(),
    };
    for page in pages().expect("the book").into_iter().chain([readme]) {
        // The commands of the front page are about the project itself.
        let scratch = Dir::new(&[]);
        let dir = match page.name.starts_with("../") {
            true => project_root(),
            false => scratch.path().to_owned(),
        };
        let mended = check(&page, &dir, &mut failures, &mut count);
        if let (Some(mended), Ok("1")) = (mended, std::env::var("UPDATE_EXPECT").as_deref()) {
            std::fs::write(&page.path, mended).expect("the page");
        }
    }
    assert!(count > 20, "the commands are gone: {count}");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The example that learns from a file prints what its page shows.
#[test]
fn digits_are_read_as_their_page_says() {
    let dir = book_root().join("examples/digits");
    let page = std::fs::read_to_string(dir.join("README.md")).expect("the page");
    let mut blocks = fences(&page).into_iter().filter(|f| language(f) == "text");
    let (command, shown) = (blocks.next().expect("a command"), blocks.next());
    let output = run(&dir, command.body.trim());
    assert_eq!(output, shown.expect("its output").body);
}

/// The names in a help text that begin its lines, in the part with a title.
fn listed<'h>(help: &'h str, title: &str) -> Vec<&'h str> {
    let (_, part) = help.split_once(title).unwrap_or_default();
    let part = part.split("\n\n").next().unwrap_or_default();
    let words = part
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    words.collect()
}

/// All options that a text has, with `--`.
fn options(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words
        .filter(|word| word.starts_with("--") && word.contains(char::is_alphabetic))
        .collect()
}

#[test]
fn the_book_has_every_command_and_option() {
    let page = std::fs::read_to_string(book_root().join("cli.md")).expect("the page");
    let (common, _) = page
        .split_once("\n## frank check\n")
        .expect("a chapter on check");
    let dir = Dir::new(&[]);
    let help = dir.run("--help").stdout;
    let commands = listed(&help, "Commands:\n");
    assert!(commands.len() > 8, "{help}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        let (_, section) = page
            .split_once(&format!("\n## frank {command}\n"))
            .unwrap_or_else(|| panic!("docs/cli.md says nothing about `frank {command}`"));
        let section = section.split("\n## ").next().unwrap_or_default();
        let help = dir.run(&format!("{command} --help")).stdout;
        for option in options(&help) {
            assert!(
                section.contains(option) || common.contains(option),
                "docs/cli.md says nothing about `frank {command} {option}`"
            );
        }
        for option in options(section) {
            assert!(
                help.contains(option),
                "there is no `frank {command} {option}`"
            );
        }
    }
}

/// The exit codes of the page are those of `frank --help`.
#[test]
fn the_book_has_every_exit_code() {
    let page = std::fs::read_to_string(book_root().join("cli.md")).expect("the page");
    let (_, table) = page.split_once("\n## Exit codes\n").expect("exit codes");
    let table = table.split("\n## ").next().unwrap_or_default();
    let documented: BTreeSet<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next())
        .filter(|code| code.chars().all(|c| c.is_ascii_digit()))
        .collect();
    let help = Dir::new(&[]).run("--help").stdout;
    let (_, said) = help.split_once("Exit codes: ").expect("exit codes");
    let said: BTreeSet<&str> = said
        .split(|c: char| !c.is_ascii_digit())
        .filter(|code| !code.is_empty())
        .collect();
    assert_eq!(documented, said);
}

#[test]
fn dots_stand_for_anything() {
    assert!(fits("a\n…\nb\n", "a\nx\ny\nb\n") && fits("a\n…\nb\n", "a\nb\n"));
    assert!(fits("a, …\n", "a, b, c\n") && fits("in … ms\n", "in 3 ms\n"));
    assert!(fits("…\n", "a\nb\n") && fits("a\n…\n", "a\n"));
    assert!(!fits("a …\nb\n", "a x\ny\nb\n") && !fits("a\n…\nb\n", "a\nxb\n"));
    assert!(!fits("a\n", "a\nb\n") && !fits("a\n…\n", "b\n"));
}

/// The states of a run, and how it ends, as they stand in the page that shows it.
fn states(html: &str) -> serde_json::Value {
    let (_, data) = html.split_once("id=\"states\">").expect("a page of states");
    let (data, _) = data.split_once("</script>").expect("an element that ends");
    serde_json::from_str(data).expect("JSON")
}

/// Each chapter of the tutorial shows a run, and each run that a page shows has states.
#[test]
fn the_runs_in_the_book_have_states() {
    let frank = Path::new(env!("CARGO_BIN_EXE_frank"));
    let mut with_runs = BTreeSet::new();
    for page in pages().unwrap() {
        for trace in traces::traces(&page.text) {
            let dir = Dir::new(&[]);
            let html = traces::html(&page, &trace, frank, dir.path()).unwrap();
            let run = states(&html);
            let count = run["states"].as_array().map_or(0, Vec::len);
            assert!(
                count > 5,
                "docs/{}:{}: {count} states",
                page.name,
                trace.line
            );
            assert_eq!(
                run.get("failure"),
                None,
                "docs/{}:{}",
                page.name,
                trace.line
            );
            with_runs.insert(page.name.clone());
        }
    }
    let chapters = pages().unwrap().into_iter().map(|page| page.name);
    let chapters =
        chapters.filter(|name| name.starts_with("tutorial/") && name != "tutorial/README.md");
    let without: Vec<String> = chapters.filter(|name| !with_runs.contains(name)).collect();
    assert!(without.is_empty(), "no run in {}", without.join(", "));
}

/// The book as mdbook gets it back: the page of the run stands in the chapter, on one line, and holds its states.
#[test]
fn a_run_stands_in_its_chapter() {
    let text = "# A\n\n```frank,file=a.fk\nmain : {Int}\nmain! = 1 + 2\n```\n\n<!-- trace: a.fk -->\n\nEnd\n";
    let book = serde_json::json!([{}, { "items": [
        { "Chapter": { "path": "a.md", "content": "no run", "sub_items": [
            { "Chapter": { "path": "b.md", "content": text, "sub_items": [] } },
        ] } },
        "Separator",
    ] }]);
    let frank = Path::new(env!("CARGO_BIN_EXE_frank"));
    let dir = Dir::new(&[]);
    let made = traces::preprocess(&book.to_string(), frank, dir.path()).unwrap();
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    assert_eq!(made["items"][0]["Chapter"]["content"], "no run");
    let inner = &made["items"][0]["Chapter"]["sub_items"][0]["Chapter"]["content"];
    let frames = inner
        .as_str()
        .unwrap()
        .lines()
        .filter(|line| line.starts_with("<iframe "));
    let frames: Vec<&str> = frames.collect();
    let [frame] = frames[..] else {
        panic!("{frames:?}")
    };
    let (_, page) = frame.split_once("srcdoc=\"").unwrap();
    let (page, _) = page.split_once('"').unwrap();
    let page = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#10;", "\n"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(page.to_owned(), |page, (escaped, plain)| {
        page.replace(escaped, plain)
    });
    assert_eq!(states(&page)["states"].as_array().map(Vec::len), Some(3));
    // What is not there is told, with its place.
    let book = book.to_string().replace("trace: a.fk", "trace: b.fk");
    let why = traces::preprocess(&book, frank, dir.path()).unwrap_err();
    assert_eq!(why, "docs/b.md:8: no block above is the file `b.fk`");
}
