//! What mdbook calls while it makes the book: puts the runs into the pages that show some. `docs/build` calls mdbook.
//!
//! The program `frank` is `$FRANK`.
//!
//! `book-preprocessor programs FOLDER` puts what the pages' programs need in a browser into the folder of a book that was
//! made.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use frank_tests::living;
use frank_tests::traces::{preprocess, scratch};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (what, ended) = match &words[..] {
        // A page is HTML, so only a book in HTML has runs; others are not made.
        ["supports", renderer] => return ExitCode::from(u8::from(*renderer != "html")),
        ["programs", folder] => ("the programs of the book", living_parts(Path::new(folder))),
        _ => ("the runs in the book", answer()),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // Standard error may be gone.
            let _ = writeln!(std::io::stderr(), "{what}: {why}");
            ExitCode::FAILURE
        }
    }
}

fn living_parts(folder: &Path) -> Result<(), String> {
    match living::write(folder) {
        Ok(0) => Err("no page has programs".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{}: {error}", folder.display())),
    }
}

fn answer() -> Result<(), String> {
    let frank = std::env::var_os("FRANK").ok_or("$FRANK is not set; `docs/build` sets it")?;
    let mut sent = String::new();
    let read = std::io::stdin().read_to_string(&mut sent);
    read.map_err(|error| error.to_string())?;
    let directory = scratch().map_err(|error| error.to_string())?;
    let book = preprocess(&sent, &PathBuf::from(frank), &directory);
    // What cannot be removed is in the way of nobody.
    let _ = std::fs::remove_dir_all(&directory);
    let written = std::io::stdout().write_all(book?.as_bytes());
    written.map_err(|error| error.to_string())
}
