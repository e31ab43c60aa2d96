//! What a session answers, to whoever asks: definitions are kept, and commands say what is known. How a term runs is
//! the asker's affair, since it may read and print.

use std::io;

use frank_analysis::check::term_inference;
use frank_analysis::db::ItemSource;
use frank_analysis::diagnostics::similar_name;
use frank_analysis::inferred;
use frank_analysis::interrupt::Interrupted;
use frank_ide::plot::PlotQuestion;
use frank_interpreter::Limits;
use frank_syntax::ast::Symbol;
use frank_syntax::visible::{visible, visible_lines};

use super::commands::{COMMANDS, Command};
use super::definitions::{Defined, Definitions};
use super::known::{contents, info};
use crate::Outcome;
use crate::args::LimitArgs;
use crate::commands::{derive, plot};
use crate::execute::{self, Interrupt};
use crate::findings::{Findings, TERM};
use crate::front::Front;
use crate::origins::InCell;

/// A session, for [`Front`]s of all kinds.
pub struct Answerer {
    pub definitions: Definitions,
    /// Definitions that were refused since something else was last asked for: what comes behind them may be what
    /// they lack, when a file is pasted or piped in.
    pub refused: String,
    pub limits: LimitArgs,
    pub interrupt: Interrupt,
}

impl Answerer {
    /// The limits of a run.
    pub fn limits(&self) -> Limits {
        execute::limits(&self.limits, &self.definitions.project.config.config.limits)
    }

    /// Keeps definitions, and shows what is to be said of them. Gives whether they are kept.
    /// `origin` is where they begin, if that can be shown.
    pub fn define(
        &mut self,
        text: &str,
        origin: Option<InCell>,
        front: &mut dyn Front,
    ) -> io::Result<bool> {
        let flag = self.interrupt.flag();
        if !self.refused.is_empty() {
            let together = format!("{}{text}\n", self.refused);
            let found = self.definitions.define_until(&flag, &together, None);
            if let Ok(Ok(defined)) = found {
                self.refused.clear();
                show_defined(&defined, front)?;
                return Ok(true);
            }
        }
        match self.definitions.define_until(&flag, text, origin) {
            Err(Interrupted) => {
                front.complain(format_args!("interrupted: nothing was defined"))?;
                Ok(false)
            }
            Ok(Ok(defined)) => {
                show_defined(&defined, front)?;
                Ok(true)
            }
            Ok(Err(errors)) => {
                self.refused.push_str(&format!("{text}\n"));
                front.findings(&errors)?;
                Ok(false)
            }
        }
    }

    /// The command that a word stands for. If it stands for none, or something stands behind it that it does not
    /// take, that is said.
    pub fn command(
        &self,
        word: &str,
        rest: &str,
        front: &mut dyn Front,
    ) -> io::Result<Option<Command>> {
        let Some(command) = Command::of(word) else {
            front.complain(format_args!(
                "there is no command `:{}`; `:help` shows all",
                visible(word)
            ))?;
            return Ok(None);
        };
        if command.takes_nothing() && !rest.is_empty() {
            front.complain(format_args!(
                "`:{}` takes nothing, and `{}` stands behind it",
                command.name(),
                visible(rest)
            ))?;
            return Ok(None);
        }
        Ok(Some(command))
    }

    /// `:list`.
    pub fn list(&self, front: &mut dyn Front) -> io::Result<()> {
        front.answer(&visible_lines(&self.definitions.own_text()))
    }

    /// `:info`. Gives whether there is something of that name.
    pub fn info(&self, name: &str, front: &mut dyn Front) -> io::Result<bool> {
        if name.is_empty() {
            front.complain(format_args!("`:info` takes a name"))?;
            return Ok(false);
        }
        if let Some(text) = info(&self.definitions, name) {
            front.page(&text)?;
            return Ok(true);
        }
        let names = self.definitions.names();
        let similar = similar_name(name, names.iter().map(String::as_str));
        let hint = similar.map(|name| format!("; did you mean `{name}`?"));
        front.complain(format_args!(
            "there is no definition `{}` in sight{}",
            visible(name),
            hint.unwrap_or_default()
        ))?;
        Ok(false)
    }

    /// `:browse`. Gives whether the file is there.
    pub fn browse(&self, name: &str, front: &mut dyn Front) -> io::Result<bool> {
        let Some(file) = self.definitions.included(name) else {
            front.complain(format_args!(
                "no file `{}` is included; `:browse` alone shows the loaded one",
                visible(name)
            ))?;
            return Ok(false);
        };
        let lines = contents(&self.definitions, file).into_iter();
        let lines = lines.map(|line| format!("{}\n", visible(&line)));
        front.answer(&lines.collect::<String>())?;
        Ok(true)
    }

    /// `:derive`. Gives whether all of it was found out, and nothing is wrong with it.
    pub fn derive(&self, words: &str, front: &mut dyn Front) -> io::Result<bool> {
        if words.is_empty() {
            front.complain(format_args!(
                "`:derive` takes the name of an operator, and a point"
            ))?;
            return Ok(false);
        }
        let (name, point) = words.split_once(' ').unwrap_or((words, ""));
        let point = Some(point.trim().to_owned()).filter(|point| !point.is_empty());
        let at: Vec<String> = point.into_iter().collect();
        let asked = derive::Asked {
            name,
            at: &at,
            second: false,
            check: false,
            json: false,
        };
        let scope = self.definitions.scope();
        let project = &self.definitions.project;
        let limits = self.limits();
        let shown = derive::show(project, scope, &asked, &limits, &self.interrupt, front)?;
        if let Err(refusal) = &shown {
            front.complain(format_args!("{refusal}"))?;
        }
        Ok(shown == Ok(Outcome::Success))
    }

    /// `:plot`. Gives whether there is a picture.
    pub fn plot(&self, words: &str, front: &mut dyn Front) -> io::Result<bool> {
        let words: Vec<&str> = words.split_whitespace().collect();
        let number = |text: &str| text.parse::<f64>().ok();
        let (name, from, to) = match words[..] {
            [name] => (name, None, None),
            [name, from, to] if number(from).is_some() && number(to).is_some() => {
                (name, number(from), number(to))
            }
            _ => {
                front.complain(format_args!(
                    "`:plot` takes the name of an operator, and the first and the last value of its variable"
                ))?;
                return Ok(false);
            }
        };
        let question = PlotQuestion {
            from,
            to,
            order: 1,
            ..PlotQuestion::default()
        };
        let scope = self.definitions.scope();
        let asked = (name, &[][..], question);
        let project = &self.definitions.project;
        match plot::find(project, scope, asked, &self.limits(), &self.interrupt) {
            Ok(found) => {
                front.plot(&found)?;
                return Ok(true);
            }
            Err(plot::Trouble::Refused(reason)) => front.complain(format_args!("{reason}"))?,
            Err(plot::Trouble::Failed(reason)) => {
                front.fail(format_args!("{reason}"))?;
            }
            Err(plot::Trouble::Interrupted) => {}
        }
        Ok(false)
    }

    /// A term in the scope of the session; `origin` is where it begins, if that can be shown.
    pub fn term(&mut self, text: &str, origin: Option<InCell>) -> ItemSource {
        let scope = self.definitions.scope();
        let project = &mut self.definitions.project;
        // What another term had is not its own.
        let parts = origin.map(|origin| (0..text.len(), origin));
        project.origins.set(TERM, parts.into_iter().collect());
        project.files.term(scope, text)
    }

    /// `:type`. Gives whether the term has one. `origin` is where that begins, if it can be shown.
    pub fn show_type(
        &mut self,
        text: &str,
        origin: Option<InCell>,
        front: &mut dyn Front,
    ) -> io::Result<bool> {
        let term = self.term(text, origin);
        let scope = self.definitions.scope();
        let project = &self.definitions.project;
        let snapshot = project.files.snapshot();
        let errors = execute::term_errors(&snapshot, scope, term);
        if !errors.is_empty() {
            let errors = Findings::of(&snapshot, &project.names, errors);
            front.findings(&errors.at_origins(&project.origins))?;
            return Ok(false);
        }
        let inference = term_inference(snapshot.db(), scope, term);
        let Some(ty) = inferred::shown(snapshot.db(), scope, inference) else {
            front.complain(format_args!("the type cannot be shown"))?;
            return Ok(false);
        };
        // That a term needs no ability goes without saying.
        let ty = ty.strip_prefix("[]").unwrap_or(&ty);
        front.answer(&format!("{} : {ty}\n", visible_lines(text)))?;
        Ok(true)
    }
}

/// `:help`, without the commands that do not make sense to who asks.
pub fn help(front: &mut dyn Front, without: &[Command]) -> io::Result<()> {
    let mut text =
        "Type a term to evaluate it, or a definition to keep it. Commands can be shortened:\n"
            .to_owned();
    let width = COMMANDS
        .iter()
        .map(|(_, written, _)| written.chars().count());
    let width = width.max().unwrap_or(0);
    let shown = COMMANDS.iter();
    for (_, written, what) in shown.filter(|(command, _, _)| !without.contains(command)) {
        text.push_str(&format!("  {written:width$} {what}\n"));
    }
    front.answer(&text)
}

/// Shows what came of definitions.
pub fn show_defined(defined: &Defined, front: &mut dyn Front) -> io::Result<()> {
    for signature in &defined.signatures {
        front.answer(&format!("{signature}\n"))?;
    }
    if !defined.replaced.is_empty() {
        front.complain(format_args!(
            "until {}, this takes the place of what the files call {}",
            front.fresh_start(),
            listed(&defined.replaced)
        ))?;
    }
    front.findings(&defined.warnings)
}

/// Says which files' definitions are gone with the files.
pub fn show_taken_back(includes: &[Symbol], front: &mut dyn Front) -> io::Result<()> {
    for name in includes {
        front.complain(format_args!(
            "`include {name}` is taken back: there is no such file any more; once there is, say it again"
        ))?;
    }
    Ok(())
}

/// Names as a list: `` `f`, `g` ``.
pub fn listed(names: &[Symbol]) -> String {
    let names = names.iter().map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}
