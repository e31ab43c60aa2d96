//! Runs programs in both ways in which they can be compiled, specialised and not, and, with the feature `native`, as
//! machine code: nothing but their cost may differ.

use frank_core::Program;
use frank_interpreter::{
    Code, CompileError, Limits, Machine, Progress, RunError, RunErrorKind, Script, Specialise,
    Stats, compile_with,
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
    let machine = Machine::new(code, 0, limits, &mut host);
    let (value, stats) = end(program, machine, u64::MAX, longest);
    Ran {
        output: host.output,
        value,
        stats,
    }
}

/// Runs one code as machine code, all of which is made before, so many steps at a time.
#[cfg(feature = "native")]
pub fn run_native(
    program: &Program,
    code: &Code,
    input: &str,
    limits: Limits,
    steps: u64,
    longest: usize,
) -> Ran {
    use frank_native::{Eagerness, Native};
    let mut host = Script::new(input);
    let mut native = Native::new(code, Eagerness::All);
    let machine = Machine::new(code, 0, limits, &mut host).with_backend(&mut native);
    let (value, stats) = end(program, machine, steps, longest);
    Ran {
        output: host.output,
        value,
        stats,
    }
}

/// Runs a machine to its end, so many steps at a time.
fn end(
    program: &Program,
    mut machine: Machine<'_>,
    steps: u64,
    longest: usize,
) -> (Result<String, Box<RunError>>, Stats) {
    let value = loop {
        match machine.run_for(steps) {
            Ok(Progress::Running) => {}
            Ok(Progress::Done(value)) => break Ok(value),
            Err(error) => break Err(error),
        }
    };
    let stats = machine.stats();
    let value = value.map(|value| match program.entries.first() {
        Some(entry) => machine.show(program, &entry.ty, value, longest),
        None => "there is no entry".to_owned(),
    });
    (value, stats)
}

impl Both {
    /// Runs the first entry in both ways.
    ///
    /// # Panics
    /// Where something else comes of them: another value or output, another failure, or one
    /// elsewhere, another number of steps. What ends for want of time or memory is not compared.
    pub fn run(&self, program: &Program, input: &str, limits: Limits, longest: usize) -> Ran {
        let plain = run_one(program, &self.plain, input, limits.clone(), longest);
        let ran = run_one(program, &self.specialised, input, limits.clone(), longest);
        compare(&ran, &plain);
        #[cfg(feature = "native")]
        for (code, machine) in [(&self.specialised, &ran), (&self.plain, &plain)] {
            // A number of steps that meets the borders of machine code everywhere, if the run is short.
            let steps = match machine.stats.steps {
                ..20_000 => 7,
                _ => u64::MAX,
            };
            let native = run_native(program, code, input, limits.clone(), steps, longest);
            compare(&native, machine);
            if !chance(&native) && !chance(machine) {
                let objects = |ran: &Ran| (ran.stats.captures, ran.stats.peak_objects);
                assert_eq!(objects(&native), objects(machine), "other objects");
            }
        }
        ran
    }
}

/// Where two runs differ that must not.
fn compare(ran: &Ran, plain: &Ran) {
    if !chance(plain) && !chance(ran) {
        assert_eq!(ran.output, plain.output, "another output");
        assert_eq!(outcome(ran), outcome(plain), "another outcome");
        assert_eq!(
            ran.stats.steps, plain.stats.steps,
            "another number of steps"
        );
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
