//! Runs, with machine code of what is hot or without.
//!
//! A program built without the feature `native` never does, whatever it is told.

use frank_interpreter::{Ended, Host, Limits, Machine, finish};

#[cfg(feature = "native")]
use crate::environment::MachineCode;
use crate::prepared::Prepared;

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
