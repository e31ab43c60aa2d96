//! Who is told what a command found: people at a terminal, or a notebook.

use std::fmt;
use std::io::{self, Write};

use frank_ide::plot::Plot;

use crate::args::Color;
use crate::commands::plot;
use crate::execute;
use crate::findings::Findings;
use crate::markdown;
use crate::output::{self, colored};

/// Shows answers. Foreign text in them is visible already, but in findings.
pub trait Front {
    /// What was asked for: whole lines.
    fn answer(&mut self, lines: &str) -> io::Result<()>;
    /// A sentence about what was asked for.
    fn complain(&mut self, sentence: fmt::Arguments<'_>) -> io::Result<()>;
    /// A sentence about why there is no answer.
    fn fail(&mut self, sentence: fmt::Arguments<'_>) -> io::Result<()>;
    /// What it takes to forget what was defined.
    fn fresh_start(&self) -> &'static str;
    /// Findings, with the lines that they are about.
    fn findings(&mut self, found: &Findings) -> io::Result<()>;
    /// A text in Markdown.
    fn page(&mut self, markdown: &str) -> io::Result<()>;
    fn plot(&mut self, plot: &Plot) -> io::Result<()>;
}

/// Standard output has the answers, standard error the rest.
pub struct Streams(pub Color);

impl Front for Streams {
    fn answer(&mut self, lines: &str) -> io::Result<()> {
        output::stdout().write_all(lines.as_bytes())
    }

    fn complain(&mut self, sentence: fmt::Arguments<'_>) -> io::Result<()> {
        output::complain(sentence);
        Ok(())
    }

    fn fail(&mut self, sentence: fmt::Arguments<'_>) -> io::Result<()> {
        self.complain(format_args!("error: {sentence}"))
    }

    fn fresh_start(&self) -> &'static str {
        "`:load`"
    }

    fn findings(&mut self, found: &Findings) -> io::Result<()> {
        execute::refuse(found, self.0)
    }

    fn page(&mut self, markdown: &str) -> io::Result<()> {
        let colored = colored(self.0, &io::stdout());
        let text = markdown::render(markdown, output::width(), colored);
        self.answer(&text)
    }

    fn plot(&mut self, plot: &Plot) -> io::Result<()> {
        match plot::for_terminal(plot, self.0) {
            Ok(picture) => output::stdout().write_all(&picture),
            Err(reason) => self.complain(format_args!("{reason}")),
        }
    }
}
