//! Runs programs as the command line does, on the interpreter alone.

use frank_analysis::db::SourceFile;
use frank_analysis::files::Files;
use frank_analysis::link::{EntryPoint, link};
use frank_analysis::program::{Definition, OperatorDef};
use frank_interpreter::{Limits, Machine, Script, compile};
use frank_syntax::ast::Symbol;

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
    let code = match compile(&program) {
        Ok(code) => code,
        Err(error) => return fail(format!("{error:?}")),
    };
    let mut host = Script::new(input);
    let mut machine = Machine::new(&code, 0, limits, &mut host);
    let value = match (machine.run(), program.entries.first()) {
        (Ok(result), Some(entry)) => Ok(machine.show(&program, &entry.ty, result, usize::MAX)),
        (Ok(_), None) => Err("there is no entry".to_owned()),
        (Err(error), _) => Err(error.message.clone()),
    };
    drop(machine);
    Outcome {
        output: host.output,
        value,
    }
}
