//! A whole run of a program, which lets others act in between.

use frank_core::{Place, Program, Type};

use crate::{Code, Host, Limits, Machine, Progress, RunError, Stats};

/// How many steps run before `pause` is called.
const SLICE: u64 = 1 << 18;

/// How a run ended.
pub struct Ended {
    /// The value as a Frank term.
    pub value: Result<String, Box<RunError>>,
    pub stats: Stats,
    /// Where the lines of a graph stand in the program, if the machine was told to keep that: see [`Machine::origins`].
    pub origins: Vec<Option<Place>>,
}

/// Runs an entry of a program, which `code` is the code of, to its end. Calls `pause` now and then. Of
/// a value, `longest` bytes at most are shown.
pub fn run(
    program: &Program,
    code: &Code,
    entry: usize,
    limits: Limits,
    host: &mut dyn Host,
    longest: usize,
    pause: impl FnMut(),
) -> Ended {
    let machine = Machine::new(code, entry, limits, host);
    finish(machine, program, entry, longest, pause)
}

/// Runs a machine, made for an entry of the program, to its end; see [`run`].
pub fn finish(
    mut machine: Machine<'_>,
    program: &Program,
    entry: usize,
    longest: usize,
    mut pause: impl FnMut(),
) -> Ended {
    let value = loop {
        match machine.run_for(SLICE) {
            Ok(Progress::Running) => pause(),
            Ok(Progress::Done(value)) => break Ok(value),
            Err(error) => break Err(error),
        }
    };
    let value = value.and_then(|value| {
        let entry = program.entries.get(entry);
        let ty = entry.map_or(&Type::Unknown, |entry| &entry.ty);
        machine.show(program, ty, value, longest)
    });
    Ended {
        value,
        stats: machine.stats(),
        origins: machine.origins(),
    }
}
