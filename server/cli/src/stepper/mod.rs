//! A run to go through by keys, in a terminal.
//!
//! | What | Where |
//! |---|---|
//! | what a person has in view, and what each action does | [`Stepper`] |
//! | which key is which action | `keys.rs` |
//! | how it is drawn | `view.rs` |

mod keys;
mod view;

use std::io;
use std::time::Duration;

use frank_semantics::Semantics;
use frank_semantics::paths::Paths;
use frank_semantics::show::{Limits, Shower};
use frank_semantics::trace::{Ended, Limit, Trace};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::execute::Sources;
use keys::Action;

/// How many states are searched between two looks at the keys.
const SEARCHED_AT_ONCE: usize = 64;

/// How many states a page is.
const PAGE: usize = 20;

/// What a person is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    /// The name of an interface or a command.
    Name,
    /// A text in a state.
    Text,
    /// The number of a state.
    Number,
}

impl Question {
    /// What stands before the answer.
    fn text(self) -> &'static str {
        match self {
            Question::Name => "next command of (an interface, or its name): ",
            Question::Text => "search for: ",
            Question::Number => "state number: ",
        }
    }
}

/// How much of a large term is opened: halvings or doublings of what has room in its pane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Opened(i8);

impl Opened {
    /// No state has so many characters that more doublings would show more.
    const MOST: i8 = 12;

    fn more(self) -> Opened {
        Opened((self.0 + 1).min(Opened::MOST))
    }

    fn less(self) -> Opened {
        Opened((self.0 - 1).max(-Opened::MOST))
    }

    /// The characters that are in view of as many as have room.
    fn of(self, room: usize) -> usize {
        match u32::try_from(self.0) {
            Ok(doublings) => room << doublings,
            Err(_) => room >> self.0.unsigned_abs(),
        }
    }
}

/// A run in a terminal.
pub struct Stepper<'s, 'p> {
    paths: Paths<'s, 'p>,
    ended: &'s Ended,
    /// The operator or the term that is run.
    what: &'s str,
    at: usize,
    /// Where jumps have begun, the last one last.
    before: Vec<usize>,
    /// What is asked for, and the answer so far.
    asked: Option<(Question, String)>,
    /// The last name and the last text that were asked for.
    name: String,
    sought: String,
    /// Lines that the term is moved by, from where the focus is in view.
    moved: isize,
    /// The state that was shown before this one.
    seen: Option<usize>,
    /// How much of a large term is in view, if not all of it.
    folding: Option<Opened>,
    /// What there is to say of the last action.
    message: Option<String>,
    has_help: bool,
}

impl<'s, 'p> Stepper<'s, 'p> {
    /// Stands at the first state of a run.
    pub fn new(semantics: &'s Semantics<'p>, run: &'s Trace, what: &'s str) -> Stepper<'s, 'p> {
        Stepper {
            paths: Paths {
                semantics,
                moments: &run.moments,
            },
            ended: &run.ended,
            what,
            at: 0,
            before: Vec::new(),
            asked: None,
            name: String::new(),
            sought: String::new(),
            moved: 0,
            seen: None,
            folding: Some(Opened::default()),
            message: None,
            has_help: false,
        }
    }

    /// Shows states, from a number on, until the person has seen enough.
    ///
    /// # Errors
    /// The terminal cannot be read or written.
    pub fn run(mut self, sources: &mut Sources<'_>, from: u64, is_colored: bool) -> io::Result<()> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        self.at = from.saturating_sub(1).min(self.paths.last());
        let mut terminal = ratatui::try_init()?;
        let ended = self.follow_keys(&mut terminal, sources, is_colored);
        ratatui::try_restore()?;
        ended
    }

    fn follow_keys(
        &mut self,
        terminal: &mut DefaultTerminal,
        sources: &mut Sources<'_>,
        is_colored: bool,
    ) -> io::Result<()> {
        loop {
            terminal.draw(|frame| view::draw(self, sources, is_colored, frame))?;
            let Event::Key(key) = event::read()? else {
                continue;
            };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            let is_asked = self.asked.is_some();
            match keys::action(key, is_asked) {
                Some(Action::Quit) => return Ok(()),
                Some(Action::Close) if !self.has_help => return Ok(()),
                Some(Action::Answer) => self.answered(&mut || event::poll(Duration::ZERO))?,
                Some(Action::FindNext) => self.find(true, &mut || event::poll(Duration::ZERO))?,
                Some(Action::FindPrevious) => {
                    self.find(false, &mut || event::poll(Duration::ZERO))?;
                }
                Some(action) => self.act(action),
                None => {}
            }
        }
    }

    /// Does what needs no patience.
    fn act(&mut self, action: Action) {
        self.message = None;
        let paths = self.paths;
        let at = self.at;
        match action {
            Action::Next => self.go(
                Some(at + 1).filter(|next| *next <= paths.last()),
                "this is the last state",
            ),
            Action::Back => self.go(at.checked_sub(1), "this is the first state"),
            Action::PageDown => self.go(Some((at + PAGE).min(paths.last())), ""),
            Action::PageUp => self.go(Some(at.saturating_sub(PAGE)), ""),
            Action::First => self.jump(Some(0), ""),
            Action::Last => self.jump(Some(paths.last()), ""),
            Action::NextCommand => self.jump(
                paths.next_command(at, None),
                "no command is performed after this state",
            ),
            Action::PreviousCommand => {
                self.jump(
                    paths.previous_command(at, None),
                    "no command is performed before this state",
                );
            }
            Action::Handled => self.jump(paths.answer(at), "no handler answers after this state"),
            Action::Over => self.jump(paths.over(at).or(Some(paths.last())), ""),
            Action::Out => self.jump(paths.out(at).or(Some(paths.last())), ""),
            Action::Made => self.jump(
                paths.made(at),
                "where numbers, characters and names come from is not kept",
            ),
            Action::Return => {
                let began = self.before.pop();
                self.go(began, "there was no jump");
            }
            Action::Down => self.moved += 1,
            Action::Up => self.moved -= 1,
            Action::Fold => {
                self.folding = match self.folding {
                    Some(_) => None,
                    None => Some(Opened::default()),
                };
                self.moved = 0;
            }
            Action::More => {
                self.folding = self.folding.map(Opened::more);
                self.moved = 0;
            }
            Action::Less => {
                self.folding = Some(self.folding.unwrap_or_default().less());
                self.moved = 0;
            }
            Action::Help => self.has_help = !self.has_help,
            Action::Ask(question) => self.asked = Some((question, String::new())),
            Action::Write(c) => {
                if let Some((_, answer)) = &mut self.asked {
                    answer.push(c);
                }
            }
            Action::Erase => {
                if let Some((_, answer)) = &mut self.asked {
                    answer.pop();
                }
            }
            Action::Complete => self.complete(),
            Action::Dismiss | Action::Close => {
                self.asked = None;
                self.has_help = false;
            }
            Action::Quit | Action::Answer | Action::FindNext | Action::FindPrevious => {}
        }
    }

    /// Goes to a state, or says why there is none.
    fn go(&mut self, to: Option<usize>, otherwise: &str) {
        match to {
            Some(to) => {
                self.seen = Some(self.at);
                self.at = to;
                self.moved = 0;
            }
            None => self.message = Some(otherwise.to_owned()),
        }
    }

    /// As [`go`](Stepper::go), and one can return.
    fn jump(&mut self, to: Option<usize>, otherwise: &str) {
        if to.is_some_and(|to| to != self.at) {
            self.before.push(self.at);
        }
        self.go(to, otherwise);
    }

    /// Takes the answer to what was asked.
    fn answered(&mut self, is_interrupted: &mut dyn FnMut() -> io::Result<bool>) -> io::Result<()> {
        self.message = None;
        let Some((question, answer)) = self.asked.take() else {
            return Ok(());
        };
        match question {
            Question::Name => {
                // Nothing asks for the same once more.
                if !answer.is_empty() {
                    self.name = answer;
                }
                let name = self.name.clone();
                if !self.names().contains(&name.as_str()) {
                    self.message = Some(format!(
                        "the program has no interface and no command `{name}`"
                    ));
                } else {
                    let otherwise = format!("no command of `{name}` is performed after this state");
                    self.jump(self.paths.next_command(self.at, Some(&name)), &otherwise);
                }
            }
            Question::Text => {
                if !answer.is_empty() {
                    self.sought = answer;
                }
                self.find(true, is_interrupted)?;
            }
            Question::Number => match answer.parse::<usize>() {
                Ok(number) if (1..=self.paths.moments.len()).contains(&number) => {
                    self.jump(Some(number - 1), "");
                }
                _ => {
                    let most = self.paths.moments.len();
                    self.message = Some(format!(
                        "a number from 1 to {most} is expected, not `{answer}`"
                    ));
                }
            },
        }
        Ok(())
    }

    /// Goes to the next state, or the one before, in which the text stands that is searched for.
    fn find(
        &mut self,
        is_forward: bool,
        is_interrupted: &mut dyn FnMut() -> io::Result<bool>,
    ) -> io::Result<()> {
        self.message = None;
        if self.sought.is_empty() {
            self.message = Some("`/` asks for a text to search for".to_owned());
            return Ok(());
        }
        let limits = Limits {
            width: usize::from(u16::MAX),
            ..Limits::default()
        };
        let mut shower = Shower::new(self.paths.semantics, limits);
        let mut at = self.at;
        for searched in 1.. {
            let next = match is_forward {
                true => Some(at + 1).filter(|next| *next <= self.paths.last()),
                false => at.checked_sub(1),
            };
            let moment = next.and_then(|next| Some((next, self.paths.moments.get(next)?)));
            let Some((next, moment)) = moment else {
                break;
            };
            at = next;
            if shower.state(&moment.state).text.contains(&self.sought) {
                self.jump(Some(at), "");
                return Ok(());
            }
            if searched % SEARCHED_AT_ONCE == 0 && is_interrupted()? {
                self.message = Some(format!(
                    "searched as far as state {}, `n` and `N` go on from there",
                    at + 1
                ));
                self.jump(Some(at), "");
                return Ok(());
            }
        }
        let side = if is_forward { "after" } else { "before" };
        self.message = Some(format!(
            "`{}` stands in no state {side} this one",
            self.sought
        ));
        Ok(())
    }

    /// The names of all interfaces and commands.
    fn names(&self) -> Vec<&'p str> {
        let program = self.paths.semantics.program;
        let interfaces = program
            .interfaces
            .values()
            .map(|interface| &*interface.name);
        let mut names: Vec<&str> = interfaces.collect();
        names.extend(program.commands.values().map(|command| &*command.name));
        names
    }

    /// Completes a name, if only one begins so.
    fn complete(&mut self) {
        let names = self.names();
        let Some((Question::Name, answer)) = &mut self.asked else {
            return;
        };
        let mut fitting: Vec<&str> = names
            .iter()
            .map(AsRef::as_ref)
            .filter(|name: &&str| name.starts_with(answer.as_str()))
            .collect();
        fitting.sort_unstable();
        let (Some(first), Some(last)) = (fitting.first(), fitting.last()) else {
            self.message = Some("no command and no interface begins like that".to_owned());
            return;
        };
        // What all of them begin with is what the first and the last have in common.
        let common = first.chars().zip(last.chars()).take_while(|(a, b)| a == b);
        *answer = common.map(|(c, _)| c).collect();
        self.message = (fitting.len() > 1).then(|| fitting.join("  "));
    }

    /// Whether the run has states beyond the last one.
    fn goes_on(&self) -> bool {
        matches!(self.ended, Ended::Cut(_))
    }

    /// What is to be said at the last state: how the run ended.
    fn end(&self) -> Option<String> {
        if self.at < self.paths.last() {
            return None;
        }
        Some(match self.ended {
            Ended::Value(_) => "this is the value".to_owned(),
            Ended::Stuck(stuck) => stuck.message.clone(),
            Ended::Cut(Limit::States) => "the run goes on; `--states` keeps more states".to_owned(),
            Ended::Cut(Limit::Steps) => "the run goes on; `--steps` allows more rules".to_owned(),
            Ended::Cut(Limit::Memory) => "the run goes on; `--memory` allows more".to_owned(),
            Ended::Cut(Limit::Time) => "the run goes on; `--timeout` allows more".to_owned(),
        })
    }
}
