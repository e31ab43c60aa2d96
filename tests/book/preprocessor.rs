//! What mdbook calls while it makes the book: puts the runs into the pages that show some. `docs/build` calls mdbook.
//!
//! The program `frank` is `$FRANK`.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use frank_tests::traces::{preprocess, scratch};

fn main() -> ExitCode {
    // `supports RENDERER`: a page is HTML, so only a book in HTML has runs; others are not made.
    if std::env::args().nth(1).as_deref() == Some("supports") {
        let is_html = std::env::args().nth(2).as_deref() == Some("html");
        return ExitCode::from(u8::from(!is_html));
    }
    match answer() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // Standard error may be gone.
            let _ = writeln!(std::io::stderr(), "the runs in the book: {why}");
            ExitCode::FAILURE
        }
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
