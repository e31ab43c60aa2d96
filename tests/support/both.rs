//! Runs programs in both ways in which they can be compiled, specialised and not: nothing but their
//! cost may differ. Specialised, they are run of their image, as `frank build` keeps it, so that nothing
//! may get lost in there, either.

use frank_core::Program;
use frank_interpreter::{
    Code, CompileError, Limits, Machine, RunError, RunErrorKind, Script, Specialise, Stats,
    compile_with, read_image, write_image,
};

/// The code of a program in both ways.
pub struct Both {
    /// What the image of the specialised code has.
    kept: (Program, Code),
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
///
/// # Panics
/// Where the code has no image, or another one than what is read of it.
pub fn compile(program: &Program) -> Result<Both, CompileError> {
    let specialised = compile_with(program, Specialise::Yes)?;
    let image = write_image(program, &specialised).expect("what is compiled has an image");
    let kept = read_image(&image).expect("what was written can be read");
    let again = write_image(&kept.0, &kept.1).expect("what was read can be written");
    assert!(again == image, "the image of an image is another one");
    Ok(Both {
        kept,
        specialised,
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
        let ran = run_one(&self.kept.0, &self.kept.1, input, limits, longest);
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
