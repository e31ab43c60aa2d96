//! A debugging session: requests are taken one after the other, and between two stretches of a run.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, TryRecvError};

use frank_interpreter::RunErrorKind;
use frank_interpreter::picture::not_shown;
use frank_semantics::{Semantics, Stuck};
use serde_json::{Value as Json, json};

use crate::connection::{Client, Incoming, listen};
use crate::evaluate::{self, printed_since};
use crate::goals::{Driver, Goal};
use crate::history::{Ended, History, Limits};
use crate::messages::{InitializeArguments, Request};
use crate::points::{Piece, no_term};
use crate::programs::{Launch, Loaded, Programs};
use crate::stopped::{Stopped, capabilities};
use crate::stops::{Stop, Why};
use crate::texts::Counting;

/// How many rules are applied between two looks at the requests: a few milliseconds.
const SLICE: u64 = 1 << 16;

/// The most rules that a condition, a watch or a line of the console may take.
pub const TERM_STEPS: u64 = 1_000_000;

/// What ends the input of a program, typed as a line of the console.
const END_OF_INPUT: [&str; 2] = ["^D", "\u{4}"];

/// What a run does at the moment.
pub enum Doing {
    /// The client has not said yet that it has set its breakpoints.
    Configuring,
    Standing,
    Going(Goal),
    /// For a line of input; then on.
    Waiting(Goal),
    Over,
}

/// Serves one client until it leaves.
///
/// # Errors
/// The client cannot be written to.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write,
    programs: &mut dyn Programs,
) -> io::Result<()> {
    let requests = listen(input);
    let mut client = Client::new(output);
    let mut counting = Counting {
        first_line: 1,
        first_column: 1,
    };
    while let Ok(incoming) = requests.incoming.recv() {
        let request = match incoming {
            Incoming::Request(request) => request,
            Incoming::Unreadable(reason) => {
                unreadable(&mut client, &reason)?;
                continue;
            }
        };
        match request.command.as_str() {
            "initialize" => {
                let asked = InitializeArguments::of(&request);
                if let Some(format) = asked.path_format.filter(|format| format != "path") {
                    let format = frank_syntax::visible::visible(&format);
                    let reason = format!("files are named by their paths, not as `{format}`");
                    client.answer(&request, Err(reason))?;
                    continue;
                }
                counting = Counting {
                    first_line: i64::from(asked.lines_start_at_1),
                    first_column: i64::from(asked.columns_start_at_1),
                };
                client.answer(&request, Ok(capabilities()))?;
            }
            "launch" => {
                let loaded = Launch::read(&request.arguments)
                    .and_then(|launch| Ok((programs.load(&launch)?, launch.text_read()?, launch)));
                match loaded {
                    Err(reason) => {
                        client.answer(&request, Err(reason))?;
                        client.event("terminated", json!({}))?;
                    }
                    Ok((loaded, input, launch)) => {
                        client.answer(&request, Ok(Json::Null))?;
                        let Loaded {
                            program,
                            sources,
                            warnings,
                        } = loaded;
                        for warning in warnings {
                            client.output("console", &format!("{warning}\n"))?;
                        }
                        let semantics =
                            Semantics::new(&program, input.as_deref().unwrap_or_default());
                        let usual = Limits::default();
                        let limits = Limits {
                            steps: launch.steps.unwrap_or(usual.steps),
                            memory: launch.memory.unwrap_or(usual.memory),
                        };
                        let Some(history) =
                            History::new(semantics, limits, requests.is_last.clone())
                        else {
                            client.event("terminated", json!({}))?;
                            continue;
                        };
                        let mut session = Session {
                            client: &mut client,
                            requests: &requests.incoming,
                            programs,
                            stopped: Stopped::new(history, sources, counting),
                            doing: Doing::Configuring,
                            is_interactive: input.is_none(),
                            launch,
                            printed: 0,
                            furthest: 0,
                            found: None,
                        };
                        session.client.event("initialized", json!({}))?;
                        return session.run();
                    }
                }
            }
            "disconnect" => return client.answer(&request, Ok(Json::Null)),
            "attach" => {
                let reason = "there is nothing to attach to: a run begins with `launch`";
                client.answer(&request, Err(reason.to_owned()))?;
            }
            _ => {
                let reason = format!(
                    "`{}` comes after `launch`",
                    frank_syntax::visible::visible(&request.command)
                );
                client.answer(&request, Err(reason))?;
            }
        }
    }
    Ok(())
}

fn unreadable<W: Write>(client: &mut Client<W>, reason: &str) -> io::Result<()> {
    let reason = frank_syntax::visible::visible(reason);
    client.output(
        "console",
        &format!("what came is no request, and is passed over: {reason}\n"),
    )
}

impl InitializeArguments {
    fn of(request: &Request) -> InitializeArguments {
        serde_json::from_value(request.arguments.clone()).unwrap_or_default()
    }
}

/// A session with a program.
pub struct Session<'s, 'p, W> {
    pub client: &'s mut Client<W>,
    requests: &'s Receiver<Incoming>,
    pub programs: &'s mut dyn Programs,
    pub stopped: Stopped<'p>,
    pub doing: Doing,
    /// Whether input is typed in the console.
    is_interactive: bool,
    launch: Launch,
    /// How many characters of the output were shown.
    printed: usize,
    /// The clock of the latest state that the run has come to: what lies before is not logged again.
    furthest: u64,
    /// On the way back: the latest state so far that is worth a stop, and why.
    found: Option<(u64, Why)>,
}

impl<W: Write> Session<'_, '_, W> {
    /// Takes requests, and runs in between.
    fn run(&mut self) -> io::Result<()> {
        loop {
            let incoming = match self.doing {
                Doing::Going(_) => match self.requests.try_recv() {
                    Ok(incoming) => Some(incoming),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => return Ok(()),
                },
                _ => match self.requests.recv() {
                    Ok(incoming) => Some(incoming),
                    Err(_) => return Ok(()),
                },
            };
            match incoming {
                Some(Incoming::Request(request)) => {
                    if self.take(&request)? {
                        return Ok(());
                    }
                }
                Some(Incoming::Unreadable(reason)) => unreadable(self.client, &reason)?,
                None => self.go()?,
            }
        }
    }

    /// Begins to run when the breakpoints are set.
    pub fn configured(&mut self) -> io::Result<()> {
        match self.launch.stop_on_entry && !self.launch.no_debug {
            true => self.stop(Why::Entry),
            false => {
                // The first state may have a breakpoint, too.
                self.doing = Doing::Going(Goal::On);
                self.stopped.effective(self.launch.no_debug);
                match self.stopped.at_first() {
                    Some(stop) => self.come_to(stop),
                    None => Ok(()),
                }
            }
        }
    }

    /// Lets the run go.
    pub fn start(&mut self, goal: Goal) {
        self.stopped.leave();
        self.found = None;
        self.doing = Doing::Going(goal);
    }

    /// Runs for a stretch.
    fn go(&mut self) -> io::Result<()> {
        let Doing::Going(mut goal) = std::mem::replace(&mut self.doing, Doing::Standing) else {
            return Ok(());
        };
        if let Goal::Back { steps, until } = goal {
            return self.go_back(steps, until);
        }
        let Some(mut history) = self.stopped.history.take() else {
            return Ok(());
        };
        let mut driver = Driver {
            stops: &self.stopped.stops,
            goal: &mut goal,
            found: None,
        };
        let is_stopped = history.forward(SLICE, &mut driver);
        let found = driver.found;
        let ended = history.ended.clone();
        self.stopped.history = Some(history);
        self.show_output()?;
        self.doing = Doing::Going(goal);
        match (is_stopped, found, ended) {
            (true, Some(stop), _) => self.come_to(stop)?,
            (_, _, Some(ended)) => self.end(ended)?,
            (true, None, None) => self.stop(Why::Step)?,
            (false, _, None) => {}
        }
        if let Some(history) = &self.stopped.history {
            self.furthest = self.furthest.max(history.clock());
        }
        Ok(())
    }

    /// The run has come to something that is worth a stop: stands there, or logs, or goes on.
    fn come_to(&mut self, stop: Stop) -> io::Result<()> {
        let clock = self.stopped.clock();
        let is_new = clock > self.furthest || clock == 0;
        if let Some(why) = self.why(&stop, is_new, false)? {
            return self.stop(why);
        }
        // A state that is no breakpoint after all may still be the end of a step.
        let is_end = match &self.doing {
            Doing::Going(Goal::Into | Goal::Within(_)) => self.stopped.is_step(),
            Doing::Going(Goal::Rule) => true,
            _ => false,
        };
        match is_end {
            true => self.stop(Why::Step),
            false => Ok(()),
        }
    }

    /// Why to stand at a state, if its breakpoints want that; those that log do so if the state is a new one.
    fn why(&mut self, stop: &Stop, is_new: bool, is_back: bool) -> io::Result<Option<Why>> {
        self.stopped.leave();
        match stop {
            Stop::Effect(effect, command) => {
                let name = self.stopped.command(*command);
                Ok(Some(Why::Effect(*effect, name)))
            }
            Stop::Site(term) => {
                let mut hit = Vec::new();
                for index in self.stopped.points_at(*term) {
                    let Some(point) = self.stopped.points.get_mut(index) else {
                        continue;
                    };
                    let (id, wanted) = (point.id, point.wanted.clone());
                    if let Some(condition) = &wanted.condition
                        && !self.holds(condition, id, is_new)?
                    {
                        continue;
                    }
                    let clock = self.stopped.clock();
                    if let (Some(hits), Some(point)) =
                        (wanted.hits, self.stopped.points.get_mut(index))
                    {
                        let hit = match is_back {
                            true => point.hit_before(clock),
                            false => Some(point.hit(clock)),
                        };
                        if hit.is_some_and(|hit| !hits.counts(hit)) {
                            continue;
                        }
                    }
                    match &wanted.log {
                        None => hit.push(id),
                        Some(message) if is_new => self.log(message)?,
                        Some(_) => {}
                    }
                }
                Ok(Some(Why::Breakpoint(hit.clone())).filter(|_| !hit.is_empty()))
            }
        }
    }

    /// Whether a condition holds; one that cannot be evaluated is told, and stops.
    fn holds(&mut self, condition: &str, id: i64, is_new: bool) -> io::Result<bool> {
        let outcome = self.evaluate(condition, None);
        match outcome {
            Ok(outcome) if outcome.truth.is_some() => Ok(outcome.truth == Some(true)),
            other => {
                let reason = match other {
                    Ok(outcome) => format!("it is {}, not `true` or `false`", outcome.shown),
                    Err(reason) => reason,
                };
                if is_new {
                    let text = format!(
                        "the condition of breakpoint {id} says neither yes nor no: {reason}\n"
                    );
                    self.client.output("important", &text)?;
                }
                Ok(true)
            }
        }
    }

    /// Writes a log point's message, with what stands in its braces evaluated.
    fn log(&mut self, message: &[Piece]) -> io::Result<()> {
        let mut text = String::new();
        for piece in message {
            text += &match piece {
                Piece::Text(text) => text.clone(),
                Piece::Term(term) => match self.evaluate(term, None) {
                    Ok(outcome) => outcome.shown,
                    Err(reason) => format!("{{{term}: {reason}}}"),
                },
            };
        }
        self.client.output("console", &format!("{text}\n"))
    }

    /// Evaluates a term in an entry of the stack, the innermost if none is named.
    pub fn evaluate(
        &mut self,
        term: &str,
        frame: Option<i64>,
    ) -> Result<evaluate::Outcome, String> {
        if let Some(reason) = no_term(term) {
            return Err(reason);
        }
        let entry = self.stopped.entry(frame);
        let Some(history) = self.stopped.history.take() else {
            return Err("there is no run".to_owned());
        };
        let compiled = &mut self.stopped.compiled;
        let asked = (term, entry.as_ref(), TERM_STEPS);
        let (history, outcome) = evaluate::evaluate(history, self.programs, compiled, asked);
        self.stopped.history = Some(history);
        outcome
    }

    /// Goes back over one stretch of the history.
    fn go_back(&mut self, steps: bool, until: u64) -> io::Result<()> {
        let Some(start) = self
            .stopped
            .history
            .as_ref()
            .and_then(|history| history.stretch_before(until.saturating_sub(1)))
        else {
            self.go_to(0);
            return self.stop(Why::Entry);
        };
        self.go_to(start);
        self.found = None;
        loop {
            let mut goal = Goal::Back { steps, until };
            let Some(mut history) = self.stopped.history.take() else {
                return Ok(());
            };
            let left = until.saturating_sub(1).saturating_sub(history.clock());
            let mut driver = Driver {
                stops: &self.stopped.stops,
                goal: &mut goal,
                found: None,
            };
            let is_stopped = left > 0 && history.forward(left, &mut driver);
            let found = driver.found;
            let clock = history.clock();
            self.stopped.history = Some(history);
            if self.is_left() {
                return Ok(());
            }
            if !is_stopped {
                break;
            }
            let mut why = match found {
                Some(stop) => self.why(&stop, false, true)?,
                None => None,
            };
            if why.is_none() && steps && self.stopped.is_step() {
                why = Some(Why::Step);
            }
            if let Some(why) = why {
                self.found = Some((clock, why));
            }
        }
        match self.found.take() {
            Some((clock, why)) => {
                self.go_to(clock);
                self.stop(why)
            }
            None => {
                let until = start + 1;
                self.doing = Doing::Going(Goal::Back { steps, until });
                if start == 0 {
                    self.go_to(0);
                    return self.stop(Why::Entry);
                }
                Ok(())
            }
        }
    }

    /// Whether nobody waits for what the run does.
    fn is_left(&self) -> bool {
        let history = self.stopped.history.as_ref();
        history.is_some_and(History::is_left)
    }

    /// Goes to a state that the run has gone through.
    pub fn go_to(&mut self, clock: u64) {
        if let Some(history) = &mut self.stopped.history {
            history.go_to(clock);
        }
    }

    /// Shows what the program has printed since the last time.
    fn show_output(&mut self) -> io::Result<()> {
        let Some(history) = &self.stopped.history else {
            return Ok(());
        };
        let text = printed_since(&history.semantics, &history.now, self.printed);
        if text.is_empty() {
            return Ok(());
        }
        self.printed += text.chars().count();
        self.client.output("stdout", &text)
    }

    /// The run does not go on.
    fn end(&mut self, ended: Ended) -> io::Result<()> {
        match ended {
            Ended::Stuck(stuck)
                if stuck.kind == RunErrorKind::EndOfInput && self.is_interactive =>
            {
                let doing = std::mem::replace(&mut self.doing, Doing::Standing);
                let Doing::Going(goal) = doing else {
                    return Ok(());
                };
                self.doing = Doing::Waiting(goal);
                self.client.output(
                    "console",
                    "the program waits for input: type a line here; ^D as a line ends the input\n",
                )
            }
            Ended::Stuck(stuck) => match self.stopped.stops_at_failure && !self.launch.no_debug {
                // A second attempt to go on ends the session.
                true if !self.stopped.is_failure_seen => {
                    self.stopped.is_failure_seen = true;
                    self.stop(Why::Failed(stuck.message))
                }
                _ => {
                    self.show_failure(&stuck)?;
                    self.exit(3)
                }
            },
            Ended::Steps => self.stop(Why::Limit(
                "the step limit is reached; `steps` in the configuration sets it".to_owned(),
            )),
            Ended::Memory => self.stop(Why::Limit(
                "the memory limit is reached; `memory` in the configuration sets it".to_owned(),
            )),
            Ended::Done => {
                let value = self.stopped.value();
                if self.stopped.stops_at_end && !self.launch.no_debug && !self.stopped.is_end_seen {
                    self.stopped.is_end_seen = true;
                    return self.stop(Why::Ended(value));
                }
                let line = if self.stopped.is_line_open() {
                    "\n"
                } else {
                    ""
                };
                self.client.output("stdout", &format!("{line}{value}\n"))?;
                self.exit(0)
            }
        }
    }

    /// Tells why the run has no value, with its place.
    fn show_failure(&mut self, stuck: &Stuck) -> io::Result<()> {
        let mut body = json!({ "category": "stderr", "output": format!("{}\n", stuck.message) });
        let place = stuck.place.and_then(|place| self.stopped.place(place));
        if let (Some((span, source)), Some(body)) = (place, body.as_object_mut()) {
            body.extend([
                ("source".to_owned(), json!(source)),
                ("line".to_owned(), json!(span.line)),
                ("column".to_owned(), json!(span.column)),
            ]);
        }
        self.client.event("output", body)
    }

    /// Ends the session for the client.
    pub fn exit(&mut self, code: i64) -> io::Result<()> {
        self.doing = Doing::Over;
        let history = self.stopped.history.as_ref();
        let drawn = history.map_or(0, |history| history.now.pictures.pictures);
        if let Some(sentence) = not_shown(drawn) {
            self.client.output("console", &format!("{sentence}\n"))?;
        }
        self.client.event("exited", json!({ "exitCode": code }))?;
        self.client.event("terminated", json!({}))
    }

    /// The run stands, and the client is told why.
    pub fn stop(&mut self, why: Why) -> io::Result<()> {
        self.doing = Doing::Standing;
        self.stopped.arrive(&why);
        let (reason, description, ids) = match why {
            Why::Entry => ("entry", "at the start of the run".to_owned(), Vec::new()),
            Why::Step => ("step", self.stopped.rule(), Vec::new()),
            Why::Pause => ("pause", "paused".to_owned(), Vec::new()),
            Why::Breakpoint(ids) => ("breakpoint", "at a breakpoint".to_owned(), ids),
            Why::Effect(effect, command) => ("exception", effect.says(&command), Vec::new()),
            Why::Failed(message) => ("exception", message, Vec::new()),
            Why::Ended(value) => (
                "exception",
                format!("the run ends with {value}"),
                Vec::new(),
            ),
            Why::Limit(message) => {
                self.client.output("important", &format!("{message}\n"))?;
                ("pause", message, Vec::new())
            }
        };
        let text = match reason {
            "exception" => Some(description.clone()),
            _ => None,
        };
        self.client.event(
            "stopped",
            json!({
                "reason": reason, "description": description, "text": text, "threadId": 1,
                "allThreadsStopped": true, "hitBreakpointIds": ids,
            }),
        )
    }

    /// A line that was typed for the program.
    pub fn typed(&mut self, line: &str) {
        let Doing::Waiting(goal) = std::mem::replace(&mut self.doing, Doing::Standing) else {
            return;
        };
        match END_OF_INPUT.contains(&line.trim_end()) {
            true => self.is_interactive = false,
            false => {
                if let Some(history) = &mut self.stopped.history {
                    history.semantics.feed(&format!("{line}\n"));
                }
            }
        }
        if let Some(history) = &mut self.stopped.history {
            history.ended = None;
        }
        self.doing = Doing::Going(goal);
    }

    /// Stops a run that goes on.
    pub fn pause(&mut self) -> io::Result<()> {
        match self.doing {
            Doing::Going(_) | Doing::Waiting(_) => self.stop(Why::Pause),
            _ => Ok(()),
        }
    }
}
