//! Runs programs in both ways in which they can be compiled, specialised and not, and, with the feature `native`, as
//! machine code: nothing but their cost may differ. Specialised, they are run of their image, as `frank build` keeps
//! it, so that nothing may get lost in there, either.

use frank_core::Program;
use frank_interpreter::{
    Code, CompileError, Limits, Machine, Progress, RunError, RunErrorKind, Script, Specialise,
    Stats, compile_with, read_image, write_image,
};

/// The code of a program in both ways.
pub struct Both {
    /// What the image of the specialised code has.
    kept: (Program, Code),
    pub specialised: Code,
    pub plain: Code,
    #[cfg(feature = "native")]
    native: [native::MachineCode; 2],
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
    let plain = compile_with(program, Specialise::No)?;
    Ok(Both {
        #[cfg(feature = "native")]
        native: [&specialised, &plain].map(native::MachineCode::new),
        kept,
        specialised,
        plain,
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
    let value = value.and_then(|value| match program.entries.first() {
        Some(entry) => machine.show(program, &entry.ty, value, longest),
        None => Ok("there is no entry".to_owned()),
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
        let ran = run_one(&self.kept.0, &self.kept.1, input, limits.clone(), longest);
        compare(&ran, &plain);
        #[cfg(feature = "native")]
        for (native, machine) in self.native.iter().zip([&ran, &plain]) {
            if !chance(machine) {
                native.compare(program, input, limits.clone(), longest, machine);
            }
        }
        ran
    }

    /// Runs the first entry in both ways, for fewer steps than it takes. Where it stands then is what it would do next;
    /// making an object that the one takes apart at once is done by the other alone, so the place is not compared.
    ///
    /// # Panics
    /// Where one of them ends otherwise, or they have put out something else.
    pub fn run_out_of_steps(&self, program: &Program, steps: u64) {
        let limits = || Limits {
            steps: Some(steps),
            ..Limits::default()
        };
        let [ran, plain] = [(&self.kept.0, &self.kept.1), (program, &self.plain)]
            .map(|(program, code)| run_one(program, code, "", limits(), 1 << 20));
        for ran in [&ran, &plain] {
            let error = ran.value.as_ref().expect_err("a run with too few steps");
            assert_eq!(error.kind, RunErrorKind::Steps);
        }
        assert_eq!(ran.output, plain.output, "another output");
        assert_eq!(
            ran.stats.steps, plain.stats.steps,
            "another number of steps"
        );
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

/// All of a program as machine code.
#[cfg(feature = "native")]
mod native {
    use std::cell::{OnceCell, RefCell};

    use frank_core::Program;
    use frank_interpreter::{Code, Limits, Machine, Script};
    use frank_native::{Eagerness, Native};

    use super::{Ran, chance, compare, end};

    /// Made when it is run first.
    pub struct MachineCode {
        code: Code,
        made: OnceCell<RefCell<Native>>,
    }

    impl MachineCode {
        pub fn new(code: &Code) -> MachineCode {
            MachineCode {
                code: code.clone(),
                made: OnceCell::new(),
            }
        }

        /// Runs it, and compares it with the run of the abstract machine. Nothing may differ, not even the number of
        /// objects. A short run is cut into so few steps at a time that machine code is left and entered everywhere.
        pub fn compare(
            &self,
            program: &Program,
            input: &str,
            limits: Limits,
            longest: usize,
            machine: &Ran,
        ) {
            let made = || RefCell::new(Native::new(&self.code, Eagerness::All));
            let mut native = self.made.get_or_init(made).borrow_mut();
            let pieces: &[u64] = match machine.stats.steps {
                ..20_000 => &[1, 7, u64::MAX],
                _ => &[u64::MAX],
            };
            for steps in pieces {
                let mut host = Script::new(input);
                let run = Machine::new(&self.code, 0, limits.clone(), &mut host);
                let (value, stats) = end(program, run.with_backend(&mut *native), *steps, longest);
                let ran = Ran {
                    output: host.output,
                    value,
                    stats,
                };
                compare(&ran, machine);
                if !chance(&ran) {
                    let objects = |ran: &Ran| (ran.stats.captures, ran.stats.peak_objects);
                    assert_eq!(objects(&ran), objects(machine), "other objects");
                }
            }
        }
    }
}
