//! Pictures: read from the heap, then the host's.

#![allow(clippy::indexing_slicing)] // A command of `Picture` has two arguments in the window.

use frank_core::PictureKind;

use super::Machine;
use crate::code::WINDOW;
use crate::error::{RunErrorKind, Stop};
use crate::heap::{Heap, OutOfMemory};
use crate::picture::{Picture, Values, read};
use crate::value::Value;

impl Values for Heap {
    type Value = Value;

    fn field(&self, value: Value, index: usize) -> Option<Value> {
        value
            .is_constructed()
            .then(|| self.get(value.handle(), index))
    }

    fn float(&self, value: Value) -> f64 {
        value.as_float()
    }

    fn char(&self, value: Value) -> char {
        value.as_char()
    }
}

impl Machine<'_> {
    /// Shows the picture that a command asks for, whose arguments are in the window.
    pub(super) fn draw(&mut self, kind: PictureKind) -> Result<Value, Box<Stop>> {
        let arguments = [0, 1].map(|i| self.registers[WINDOW as usize + i]);
        let picture = read(kind, arguments, &self.heap);
        for argument in arguments {
            self.heap.drop(argument);
        }
        let wrong = |reason: String| Stop::new(RunErrorKind::Failed, reason);
        let picture = picture.map_err(wrong)?;
        self.pictures.count(&picture).map_err(wrong)?;
        self.pay_for(&picture)?;
        let shown = self.host.picture(picture);
        shown.map_err(|message| Stop::new(RunErrorKind::Host, message))?;
        Ok(self.code.words.unit)
    }

    /// Counts what drawing a picture takes to the limits, before anybody draws it.
    fn pay_for(&mut self, picture: &Picture) -> Result<(), Box<Stop>> {
        let (bytes, steps) = picture.cost();
        if !self.has_room(bytes) {
            return Err(OutOfMemory.into());
        }
        self.owed += steps;
        match self.limits.steps {
            Some(most) if self.steps + self.owed > most => {
                Err(Stop::new(RunErrorKind::Steps, "the step limit is reached"))
            }
            _ => Ok(()),
        }
    }
}
