//! The host of a run that somebody has granted something.

use frank_interpreter::{Answers, Host, Input, Reply, Request, Script, picture::Picture};

/// Nothing to read, what is printed and drawn is kept, and what is asked of files goes to who answers that, if anybody
/// does.
pub(super) struct Granting<'a> {
    pub script: Script,
    pub answers: Option<&'a dyn Answers>,
}

impl Host for Granting<'_> {
    fn inch(&mut self) -> Input {
        self.script.inch()
    }

    fn ouch(&mut self, c: char) -> Result<(), String> {
        self.script.ouch(c)
    }

    fn picture(&mut self, picture: Picture) -> Result<(), String> {
        self.script.picture(picture)
    }

    fn answer(&mut self, request: &Request, most: usize) -> Result<Reply, String> {
        match self.answers {
            Some(answers) => answers.answer(request, most),
            None => self.script.answer(request, most),
        }
    }
}
