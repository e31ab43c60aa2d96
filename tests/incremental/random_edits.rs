//! Random edits of real programs: after each, analysis must know what it would know from scratch.

use frank_analysis::check::file_diagnostics;
use frank_analysis::db::SourceFile;
use frank_analysis::files::Files;
use frank_tests::{files_under, project_root};
use proptest::test_runner::{Config, RngAlgorithm, TestRng};
use rand::RngExt;

/// Everything that is told about a file, in an order of its own.
fn told(files: &Files, file: SourceFile) -> Vec<String> {
    let mut all: Vec<String> = file_diagnostics(files.db(), file)
        .iter()
        .map(|problem| {
            let related: Vec<String> = problem
                .related
                .iter()
                .map(|r| format!("{:?} {}", files.range(r.location), r.message))
                .collect();
            let range = files.range(problem.location);
            format!(
                "{range:?} {:?} {} {related:?} {:?}",
                problem.code, problem.message, problem.help
            )
        })
        .collect();
    all.sort();
    all
}

const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "!",
    "|",
    "->",
    " = ",
    ": ",
    ";",
    ", ",
    "\n",
    "\n\n",
    "  ",
    "x",
    "c 1",
    "lift ",
    "<Smooth> ",
    "<Smooth(s a b -> s b)> ",
    "1",
    "'a'",
    "\"s",
    "\"",
    "{--",
    "--}",
    "-- ",
    "let y = x in ",
    "unit",
    "[Smooth X]",
    "f : Int -> Int\n",
    "f x = x\n",
    "data T = a | b Int\n",
    "interface I X = cmd : X -> X\n",
    "include prelude\n",
    "main! = 1\n",
    "\u{e9}",
    "\t",
    "\r\n",
    "include lib\n",
];

/// Makes one random edit; gives the edited range and the new text.
fn edit(rng: &mut TestRng, text: &str) -> (std::ops::Range<usize>, String) {
    let boundary = |mut offset: usize| {
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    let start = boundary(rng.random_range(0..=text.len()));
    match rng.random_range(0..10) {
        // Types something.
        0..=4 => (
            start..start,
            PIECES[rng.random_range(0..PIECES.len())].to_owned(),
        ),
        // Deletes something.
        5..=6 => {
            let end = boundary((start + rng.random_range(1..12)).min(text.len())).max(start);
            (start..end, String::new())
        }
        // Pastes a line from elsewhere over something.
        7 => {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let line = lines
                .get(rng.random_range(0..lines.len().max(1)))
                .copied()
                .unwrap_or("");
            (start..start, line.to_owned())
        }
        // Deletes a line.
        8 => {
            let from = text[..start].rfind('\n').map_or(0, |i| i + 1);
            let to = text[start..]
                .find('\n')
                .map_or(text.len(), |i| start + i + 1);
            (from..to, String::new())
        }
        // Replaces a piece by another.
        _ => {
            let end = boundary((start + rng.random_range(0..6)).min(text.len())).max(start);
            (
                start..end,
                PIECES[rng.random_range(0..PIECES.len())].to_owned(),
            )
        }
    }
}

fn programs() -> Vec<String> {
    let root = project_root();
    let mut paths = files_under(&root.join("docs/examples"), "fk");
    paths.push(root.join("server/library/ad-paper.fk"));
    paths
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

#[test]
fn random_edits_lead_where_a_fresh_check_leads() {
    let _ = Config::default();
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let lib = "twice : Int -> Int\ntwice x = x + x\n";
    for program in programs() {
        let mut text = program.clone();
        let mut files = Files::new(None);
        files.set_text("lib.fk", lib);
        let file = files.set_text("main.fk", &text);
        let mut undo: Vec<String> = Vec::new();
        for step in 0..150 {
            if rng.random_range(0..12) == 0
                && let Some(earlier) = undo.pop()
            {
                files.edit(file, earlier.as_str(), 0..text.len(), earlier.len());
                text = earlier;
            } else {
                let (range, new) = edit(&mut rng, &text);
                let mut edited = text.clone();
                edited.replace_range(range.clone(), &new);
                undo.push(std::mem::replace(&mut text, edited));
                files.edit(file, text.as_str(), range, new.len());
            }
            let mut fresh = Files::new(None);
            fresh.set_text("lib.fk", lib);
            let fresh_file = fresh.set_text("main.fk", &text);
            // A file of nothing but blanks and comments has no items.
            if !file.outline(files.db()).is_empty() {
                assert_eq!(files.text(file), text, "step {step}");
            }
            let (here, there) = (told(&files, file), told(&fresh, fresh_file));
            assert_eq!(here, there, "step {step} in\n{text}");
        }
    }
}
