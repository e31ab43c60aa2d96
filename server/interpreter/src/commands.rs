//! The commands in a program's code, for who wants to know what they cost.

use frank_core::Place;

use crate::code::{Code, place_in_program};
use crate::performance::{How, Performed};

/// What became of a command, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandReport {
    pub command: String,
    /// The operator in whose code it is.
    pub operator: String,
    /// Where it stands; of what was put in place of a call, where the call stands in the program,
    /// if it does.
    pub place: Option<Place>,
    /// Whether that is in a file of the library.
    pub in_library: bool,
    pub how: How,
}

impl Code {
    /// How many instructions there are.
    pub fn instructions(&self) -> usize {
        self.instrs.len()
    }

    /// What became of the commands that the code may perform, function by function. A command of an
    /// operator that is compiled for several contexts is there several times.
    pub fn commands(&self) -> Vec<CommandReport> {
        let report = |performed: &Performed| {
            let debug = self.debugs.get(performed.debug as usize);
            let name = debug.and_then(|d| self.names.get(d.name as usize));
            let library = |file| self.library.contains(&file);
            let own = debug.and_then(|d| d.place);
            let place = place_in_program(&self.debugs, performed.debug, library);
            let place = place.or(own);
            CommandReport {
                command: performed.command.clone(),
                operator: name.cloned().unwrap_or_default(),
                place,
                in_library: place.is_some_and(|place| library(place.file)),
                how: performed.how.clone(),
            }
        };
        self.performed.iter().map(report).collect()
    }
}
