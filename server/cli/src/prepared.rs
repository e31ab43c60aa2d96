//! Programs that are ready to run.

use frank_core::Program;
use frank_interpreter::Code;

use crate::environment::{MachineCode, machine_code};

/// A program that is ready to run.
pub struct Prepared {
    program: Program,
    code: Code,
    pub machine_code: MachineCode,
}

impl Prepared {
    pub fn new(program: Program, code: Code) -> Prepared {
        Prepared {
            program,
            code,
            machine_code: machine_code(),
        }
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    pub fn code(&self) -> &Code {
        &self.code
    }
}
