//! Executables of programs: a copy of this one, with a program behind it.
//!
//! `frank build` makes them ([`seal::Seal`], [`contents::Contents`]). Every start of this program looks
//! whether it is one, in its own memory; only one that is reads its file.

pub mod contents;
mod info;
pub mod seal;

use std::fmt;
use std::io;
use std::path::Path;

use frank_interpreter::read_image;

use crate::Outcome;
use crate::args::Color;
use crate::execute::{Interrupt, Session};
use crate::gallery::Gallery;
use crate::granted::Granted;
use crate::output::{complain, visible_path};
use crate::prepared::Prepared;
use contents::Contents;

/// Why an executable cannot do what was built into it, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unusable {
    /// It cannot be read; the reason.
    Closed(String),
    /// It has so many bytes, of so many.
    Cut(u64, u64),
    /// What was built into it is not what is there.
    Changed,
    /// It was built by such a version.
    Version(String),
    /// What is there cannot be understood; the reason.
    Content(String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const AGAIN: &str = "build it or copy it again";
        match self {
            Unusable::Closed(reason) => write!(
                f,
                "this program cannot read its own file: {reason}; who starts it has to be allowed to \
                 read it"
            ),
            Unusable::Cut(there, whole) => write!(
                f,
                "this program is damaged: its file has {there} bytes, and had {whole} when it was \
                 built; {AGAIN}"
            ),
            Unusable::Changed => write!(
                f,
                "this program is damaged: its code is not what was built into it; {AGAIN}"
            ),
            Unusable::Version(version) => write!(
                f,
                "this program was built by frank {version}, and frank {} cannot run it; build it again",
                contents::VERSION
            ),
            Unusable::Content(reason) => {
                write!(f, "this program is damaged: {reason}; {AGAIN}")
            }
        }
    }
}

/// Does what was built into this executable, if anything was.
pub fn run_built() -> Option<io::Result<Outcome>> {
    let bytes = match seal::own_contents() {
        Ok(None) => return None,
        Ok(Some(bytes)) => bytes,
        Err(reason) => return Some(refuse(&reason)),
    };
    let ended = match contents::read(&bytes) {
        Ok((contents, image)) => run(&contents, image),
        Err(reason) => refuse(&reason),
    };
    Some(ended)
}

fn refuse(reason: &Unusable) -> io::Result<Outcome> {
    complain(format_args!("{reason}"));
    Ok(Outcome::Unusable)
}

fn run(contents: &Contents, image: &[u8]) -> io::Result<Outcome> {
    let (program, code) = match read_image(image) {
        Ok(read) => read,
        Err(error) => return refuse(&Unusable::Content(error.to_string())),
    };
    // All other arguments are the program's.
    let mut args = std::env::args_os().skip(1);
    if let (Some(only), None) = (args.next(), args.next())
        && let Some(form) = info::asked(&only)
    {
        info::write(contents, &code, image.len(), form)?;
        return Ok(Outcome::Success);
    }
    let arguments: Result<Vec<String>, _> = std::env::args_os()
        .skip(1)
        .map(std::ffi::OsString::into_string)
        .collect();
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(argument) => {
            let argument = visible_path(Path::new(&argument));
            complain(format_args!("an argument is no text in UTF-8: {argument}"));
            return Ok(Outcome::Unusable);
        }
    };
    let granted = Granted::new(&contents.read, &contents.write, &arguments).when_built();
    let session = Session {
        texts: contents,
        interrupt: &Interrupt::listen(),
        limits: contents.limits.limits(),
        gallery: &Gallery::on_terminal(Color::Auto),
        granted: Some(&granted),
        stats: false,
        color: Color::Auto,
    };
    session.run(&Prepared::new(program, code), 0, None, None)
}
