//! Holes: from a key to the goals of a whole file, and what fits at one in a large program.
//!
//! `cargo bench -p frank-tests --bench holes` prints a table: the median of several edits, each another one, beside
//! the findings of the same edit. What is answered is compared with what must come out.

use std::time::{Duration, Instant};

use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_ide::{Analysis, FilePosition, Filling, Search};
use frank_tests::generate::program;

const HOLES: usize = 200;
const EDITS: usize = 11;
/// Of the operator with a hole in a large program, but for what it gives.
const SIGNATURE: &str = "\nhole : Int -> List Int -> ";

fn main() {
    println!("{:<44} {:>10} {:>10}", "", "findings", "answer");
    let mut text = String::from("include prelude\n");
    for number in 0..HOLES {
        text.push_str(&format!(
            "\nf{number} : Int -> List Int -> [State Int]Maybe Int\nf{number} n xs = put (n + 1); just (n * _)\n"
        ));
    }
    let (findings, goals) = measured(&text, "put (n + ", |analysis, file| {
        let goals = analysis.goals(file);
        assert_eq!(goals.len(), HOLES);
        for goal in &goals {
            assert_eq!(goal.hole.ty.as_deref(), Some("Int"));
            assert_eq!(goal.locals.len(), 2);
            let outer = goal.locals.last().and_then(|local| local.use_shown());
            assert_eq!(outer.as_deref(), Some("n"));
        }
    });
    row("goals of 200 holes, from a key", findings, goals);
    for lines in [1_000, 100_000] {
        let mut text = program(lines);
        text.push_str(&format!("{SIGNATURE}Int \nhole n xs = n + 1 + _\n"));
        let hole = text.len() - 2;
        let (findings, fits) = measured(&text, "hole n xs = n + ", |analysis, file| {
            let at = FilePosition::new(file, hole);
            let fits = analysis.fits(at).unwrap_or_default();
            assert_eq!(fits.first().map(|fit| &*fit.text), Some("n"));
        });
        row(&format!("what fits, in {lines} lines"), findings, fits);
        let search = || Search {
            filling: Filling::as_you_type(),
            patience: None,
            cancelled: &|| false,
        };
        for (name, search) in [
            ("completion there", None),
            ("the same, with a search of 50 ms", Some(search())),
        ] {
            let (findings, completed) = measured(&text, "hole n xs = n + ", |analysis, file| {
                let at = FilePosition::new(file, hole);
                let found = analysis.completions_searched(at, search);
                let first = found.and_then(|found| Some(found.items.first()?.label.clone()));
                assert_eq!(first.as_deref(), Some("n"));
            });
            row(name, findings, completed);
        }
    }
}

fn row(name: &str, findings: Duration, answer: Duration) {
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{name:<44} {:>8.2}ms {:>8.2}ms",
        millis(findings),
        millis(answer)
    );
}

/// The median times from an edit of one digit behind `near` to the findings, and from there to an answer.
fn measured(
    text: &str,
    near: &str,
    answer: impl Fn(&Analysis, frank_analysis::db::SourceFile),
) -> (Duration, Duration) {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text);
    file_diagnostics(files.db(), file);
    let at = text.rfind(near).expect("the place of the edit") + near.len();
    let (mut findings, mut answers) = (Vec::new(), Vec::new());
    let mut text = text.to_owned();
    // Whoever asks about a hole has just written the signature, too.
    if let Some(at) = text.rfind(SIGNATURE).map(|at| at + SIGNATURE.len()) {
        for result in ["Bool", "Int "] {
            text.replace_range(at..at + 4, result);
            files.edit(file, text.as_str(), at..at + 4, 4);
            file_diagnostics(files.db(), file);
        }
    }
    for edit in 0..EDITS {
        text.replace_range(at..=at, &(edit % 9 + 1).to_string());
        let begin = Instant::now();
        files.edit(file, text.as_str(), at..at + 1, 1);
        file_diagnostics(files.db(), file);
        findings.push(begin.elapsed());
        let analysis = Analysis::new(files.snapshot());
        answer(&analysis, file);
        answers.push(begin.elapsed());
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times.get(times.len() / 2).copied().unwrap_or_default()
    };
    (median(&mut findings), median(&mut answers))
}
