//! What is asked again after an edit of a large file.

use std::time::{Duration, Instant};

use frank_analysis::db::SourceFile;
use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_ide::{Analysis, LensSettings};
use frank_tests::generate::program;

/// How often each edit is made.
const SAMPLES: usize = 10;

/// The findings after a key in a text, behind the first place in its second half that reads
/// `near`, and so many bytes into it.
pub fn key(text: &str, near: &str, into: usize) -> Duration {
    edited(text, near, into, "1", findings)
}

/// The findings after another letter in the name that a definition has.
pub fn name(lines: usize) -> Duration {
    edited(&program(lines), "\ninsert", 7, "z", findings)
}

/// The findings after another letter in a constructor's type.
pub fn declaration(lines: usize) -> Duration {
    edited(&program(lines), " Int -> Int | total", 4, "z", findings)
}

/// The lenses after a key in a clause.
pub fn lenses(lines: usize) -> Duration {
    edited(&program(lines), "a * 2", 5, "1", |files, file| {
        let wanted = LensSettings {
            run: true,
            derivative: true,
            examples: true,
            handlers: true,
            references: true,
        };
        Analysis::new(files.snapshot()).lenses(file, wanted).len()
    })
}

/// The contents of a file after a key in a clause.
pub fn symbols(lines: usize) -> Duration {
    edited(&program(lines), "a * 2", 5, "1", |files, file| {
        Analysis::new(files.snapshot()).document_symbols(file).len()
    })
}

fn findings(files: &Files, file: SourceFile) -> usize {
    file_diagnostics(files.db(), file).len()
}

/// The median time of a question after something has been written or taken back.
fn edited(
    text: &str,
    near: &str,
    into: usize,
    written: &str,
    question: fn(&Files, SourceFile) -> usize,
) -> Duration {
    let middle = text.len() / 2;
    let place = text.get(middle..).and_then(|rest| rest.find(near));
    let at = middle + into + place.expect("the text has such a place");
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", text);
    question(&files, file);
    let mut text = text.to_owned();
    let mut times = Vec::with_capacity(2 * SAMPLES);
    for _ in 0..SAMPLES {
        for (new, old) in [(written, ""), ("", written)] {
            text.replace_range(at..at + old.len(), new);
            let start = Instant::now();
            files.edit(file, text.as_str(), at..at + old.len(), new.len());
            std::hint::black_box(question(&files, file));
            times.push(start.elapsed());
        }
    }
    times.sort();
    times.get(SAMPLES).copied().unwrap_or_default()
}
