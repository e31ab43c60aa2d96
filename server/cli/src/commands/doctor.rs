//! `frank doctor`: which program this is, what it found, what is wrong and how to mend it.

use std::io::{self, Write};
use std::path::Path;

use annotate_snippets::renderer::{AnsiColor, Style};
use serde_json::json;

use crate::Outcome;
use crate::args::{AnswerFormat, Color, DoctorArgs};
use crate::doctor::{Examined, Folders, Standing, examine};
use crate::output::{colored, complain, stdout};

/// Looks, and says what there is.
pub fn run(args: &DoctorArgs, color: Color) -> io::Result<Outcome> {
    let directory = args.directory.as_deref().unwrap_or(Path::new("."));
    if !directory.is_dir() {
        complain(format_args!(
            "{}: there is no such directory",
            crate::output::visible_path(directory)
        ));
        return Ok(Outcome::Unusable);
    }
    let Some(folders) = Folders::of_user() else {
        complain(format_args!(
            "the system does not say where your home directory is: set the variable HOME"
        ));
        return Ok(Outcome::Unusable);
    };
    let examined = examine(directory, &folders);
    let mut out = stdout();
    for one in &examined {
        match args.format {
            AnswerFormat::Human => human(&mut out, one, colored(color, &io::stdout()))?,
            AnswerFormat::Json => {
                let object = json!({
                    "standing": one.standing.word(), "what": one.what, "said": one.said, "mend": one.mend,
                });
                writeln!(out, "{object}")?;
            }
        }
    }
    let wrong = examined.iter().any(|one| one.standing == Standing::Wrong);
    Ok(match wrong {
        true => Outcome::Findings,
        false => Outcome::Success,
    })
}

fn human(out: &mut impl Write, one: &Examined, colored: bool) -> io::Result<()> {
    let style = match one.standing {
        _ if !colored => Style::new(),
        Standing::Fine => AnsiColor::Green.on_default(),
        Standing::Note => AnsiColor::Yellow.on_default(),
        Standing::Wrong => AnsiColor::Red.on_default().bold(),
    };
    let word = one.standing.word();
    writeln!(out, "{style}{word:5}{style:#}  {}: {}", one.what, one.said)?;
    match &one.mend {
        Some(mend) => writeln!(out, "       {mend}"),
        None => Ok(()),
    }
}
