//! Runs programs: the values and outputs that the chapters name, depth, limits, the hooks.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that is wrong ends"
)]

mod arrays;
mod chapters;
mod depth;
mod dropped;
mod effects;
mod failures;
mod integers;
mod known_code;
mod limits;
mod paper;
mod pictures;
mod rests;
mod semantics;
mod space;
mod specialised;
mod staged;
mod states;
mod stepping;
mod stretch;
mod taken_apart;
mod tensors;

use frank_analysis::file_findings::file_diagnostics;
use frank_analysis::files::Files;
use frank_analysis::link::{EntryPoint, link};
use frank_analysis::program::{TermDef, resolve_term};
use frank_core::Program;
use frank_interpreter::{Limits, RunError};
use frank_syntax::ast::Symbol;
use frank_tests::both::{self, Both, Ran};

/// A program that has been checked and compiled, with one entry.
pub struct Compiled {
    pub program: Program,
    pub both: Both,
}

/// Checks and compiles files; the last one is the root.
pub fn compiled_files(files: &[(String, String)]) -> Result<Compiled, String> {
    let mut texts = Files::new(None);
    for (name, text) in files {
        texts.set_text(name, text);
    }
    let root = texts.file(&files[files.len() - 1].0).unwrap();
    let db = texts.db();
    if let Some(problem) = file_diagnostics(db, root)
        .iter()
        .find(|p| p.keeps_from_running())
    {
        return Err(problem.message.clone());
    }
    let Some(TermDef::Operator(main)) = resolve_term(db, root, Symbol::new("main")) else {
        return Err("there is no `main`".to_owned());
    };
    let program = link(db, &[EntryPoint::Operator(main)]).map_err(|e| e.to_string())?;
    let both = both::compile(&program).map_err(|e| e.to_string())?;
    Ok(Compiled { program, both })
}

pub fn compiled(text: &str) -> Compiled {
    compiled_files(&[("main.fk".to_owned(), text.to_owned())]).unwrap()
}

impl Compiled {
    pub fn run(&self, limits: Limits, input: &str) -> Ran {
        self.both.run(&self.program, input, limits, 1 << 20)
    }
}

/// Runs a program without limits other than memory.
pub fn run(text: &str) -> Ran {
    compiled(text).run(Limits::default(), "")
}

/// The value of a program that must have one.
pub fn value(text: &str) -> String {
    match run(text).value {
        Ok(value) => value,
        Err(error) => panic!("{error:#?}"),
    }
}

/// The error of a program that must fail.
pub fn error(text: &str) -> Box<RunError> {
    match run(text).value {
        Ok(value) => panic!("a value: {value}"),
        Err(error) => error,
    }
}
