//! Whether runs make machine code of what is hot.
//!
//! A program built without the feature `native` never does, whatever it is told.

use frank_interpreter::{Ended, Host, Limits, Machine, finish};

use crate::execute::Prepared;

/// When a run makes machine code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachineCode {
    Never,
    /// Of functions in which much time is spent.
    Hot,
    /// Of all functions, before the run begins: for tests.
    All,
}

/// What the environment says: `FRANK_NATIVE` is 0 for never, `all` for all.
pub fn machine_code() -> MachineCode {
    match std::env::var_os("FRANK_NATIVE") {
        Some(value) if value == "0" => MachineCode::Never,
        Some(value) if value == "all" => MachineCode::All,
        _ => MachineCode::Hot,
    }
}

/// Runs an entry of a program; see [`frank_interpreter::run`].
pub fn run(
    prepared: &Prepared,
    entry: usize,
    limits: Limits,
    host: &mut dyn Host,
    longest: usize,
    pause: impl FnMut(),
) -> Ended {
    let (program, code) = (prepared.program(), prepared.code());
    #[cfg(feature = "native")]
    {
        use frank_native::{Eagerness, Native};
        let eagerness = match prepared.machine_code {
            MachineCode::Never => None,
            MachineCode::Hot => Some(Eagerness::Hot),
            MachineCode::All => Some(Eagerness::All),
        };
        if let Some(eagerness) = eagerness {
            let mut native = Native::new(code, eagerness);
            let machine = Machine::new(code, entry, limits, host).with_backend(&mut native);
            return finish(machine, program, entry, longest, pause);
        }
    }
    let machine = Machine::new(code, entry, limits, host);
    finish(machine, program, entry, longest, pause)
}
