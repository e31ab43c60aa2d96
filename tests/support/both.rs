//! Runs programs in both ways in which they can be compiled, specialised and not: nothing but their
//! cost may differ.

use frank_core::Program;
use frank_interpreter::{
    Code, CompileError, Limits, Machine, RunError, RunErrorKind, Script, Specialise, Stats,
    compile_with,
};

/// The code of a program in both ways.
pub struct Both {
    pub specialised: Code,
    pub plain: Code,
}

/// What became of a run.
#[derive(Debug)]
pub struct Ran {
    pub output: String,
    pub value: Result<String, Box<RunError>>,
    pub stats: Stats,
}

/// Compiles a program in both ways.
///
/// # Errors
/// Of a program that is too large.
pub fn compile(program: &Program) -> Result<Both, CompileError> {
    Ok(Both {
        specialised: compile_with(program, Specialise::Yes)?,
        plain: compile_with(program, Specialise::No)?,
    })
}

/// Runs one code; of a value, so many bytes at most are shown.
pub fn run_one(program: &Program, code: &Code, input: &str, limits: Limits, longest: usize) -> Ran {
    let mut host = Script::new(input);
    let mut machine = Machine::new(code, 0, limits, &mut host);
    let value = machine.run();
    let stats = machine.stats();
    let value = value.map(|value| match program.entries.first() {
        Some(entry) => machine.show(program, &entry.ty, value, longest),
        None => "there is no entry".to_owned(),
    });
    drop(machine);
    Ran {
        output: host.output,
        value,
        stats,
    }
}

impl Both {
    /// Runs the first entry in both ways.
    ///
    /// # Panics
    /// Where something else comes of them: another value or output, another failure, or one
    /// elsewhere, another number of steps. What ends for want of time or memory is not compared.
    pub fn run(&self, program: &Program, input: &str, limits: Limits, longest: usize) -> Ran {
        let plain = run_one(program, &self.plain, input, limits.clone(), longest);
        let ran = run_one(program, &self.specialised, input, limits, longest);
        if !chance(&plain) && !chance(&ran) {
            assert_eq!(ran.output, plain.output, "another output");
            assert_eq!(outcome(&ran), outcome(&plain), "another outcome");
            assert_eq!(
                ran.stats.steps, plain.stats.steps,
                "another number of steps"
            );
        }
        ran
    }
}

/// Whether a run was ended by what may differ.
fn chance(ran: &Ran) -> bool {
    use RunErrorKind::{Cancelled, Memory, Time};
    let kind = ran.value.as_ref().err().map(|error| error.kind);
    matches!(kind, Some(Time | Memory | Cancelled))
}

/// What has to be the same.
fn outcome(ran: &Ran) -> Result<&str, impl PartialEq + std::fmt::Debug> {
    ran.value.as_deref().map_err(|error| {
        (
            error.kind,
            &error.message,
            error.place,
            error.caller,
            &error.related,
            &error.values,
        )
    })
}
