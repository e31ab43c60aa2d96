//! Runs programs as the command line does, on the interpreter alone.

use frank_analysis::db::SourceFile;
use frank_analysis::files::Files;
use frank_analysis::link::{EntryPoint, link};
use frank_analysis::program::{Definition, OperatorDef};
use frank_interpreter::Limits;
use frank_syntax::ast::Symbol;

use crate::both;

/// What a run printed, and its value or why it has none.
pub struct Outcome {
    pub output: String,
    pub value: Result<String, String>,
}

/// Runs the `main` of a program that was checked.
pub fn run_main(files: &Files, root: SourceFile, input: &str, limits: Limits) -> Outcome {
    let fail = |message: String| Outcome {
        output: String::new(),
        value: Err(message),
    };
    let main = OperatorDef(Definition {
        scope: root,
        name: Symbol::new("main"),
    });
    let program = match link(files.db(), &[EntryPoint::Operator(main)]) {
        Ok(program) => program,
        Err(error) => return fail(error.to_string()),
    };
    let both = match both::compile(&program) {
        Ok(both) => both,
        Err(error) => return fail(format!("{error:?}")),
    };
    let ran = both.run(&program, input, limits, usize::MAX);
    Outcome {
        output: ran.output,
        value: ran.value.map_err(|error| error.message),
    }
}
