//! A run that stands, with what was asked about it: its breakpoints, its stack, its variables.

use std::path::Path;

use frank_core::{CommandId, OperatorBody, Place, TermId};
use frank_semantics::state::Focus;
use serde_json::{Value as Json, json};

use crate::evaluate::Compiled;
use crate::frames::{self, Entry, Kind};
use crate::history::History;
use crate::messages::{
    Breakpoint, BreakpointLocationsArguments, Scope, ScopesArguments, SetBreakpointsArguments,
    SetExceptionBreakpointsArguments, SetFunctionBreakpointsArguments, Source, StackFrame,
    StackTraceArguments,
};
use crate::points::{Hits, Piece, Point, Wanted, no_term};
use crate::sites::Sites;
use crate::stops::{Effect, EffectStop, Stop, Stops, Why, commands, is_step};
use crate::texts::{Counting, Span, Texts};
use crate::variables::{LocalTypes, Node, Nodes, shower};

/// The filter for runs that fail, and that for runs that come to their value.
const FAILED: &str = "failed";
const ENDED: &str = "ended";

/// The one thread that a run has.
pub const THREAD: i64 = 1;

/// The most frames that are listed at once where a client names no number: more than any stack that a person looks at,
/// and few enough to be there at once.
const LEVELS: usize = 50_000;

/// What the debugger can do.
pub fn capabilities() -> Json {
    let condition = "commands or interfaces, such as: State, yield";
    let mut filters: Vec<Json> = vec![json!({
        "filter": FAILED, "label": "Failures", "default": true,
        "description": "No clause matches, nobody handles a command, or an operation has no result.",
    })];
    filters.extend(Effect::ALL.iter().map(|effect| {
        json!({
            "filter": effect.id(), "label": effect.label(), "description": effect.description(),
            "default": false, "supportsCondition": true, "conditionDescription": condition,
        })
    }));
    filters.push(json!({
        "filter": ENDED, "label": "Run Ended", "default": false,
        "description": "The run has come to its value; from there one can go back.",
    }));
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsExceptionOptions": false,
        "supportsExceptionFilterOptions": true,
        "supportsExceptionInfoRequest": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsTerminateRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsSetVariable": false,
        "exceptionBreakpointFilters": filters,
    })
}

/// A run with what was asked about it.
pub struct Stopped<'p> {
    /// Away only while something is done with it.
    pub history: Option<History<'p>>,
    pub texts: Texts,
    pub sites: Sites,
    pub stops: Stops,
    pub points: Vec<Point>,
    pub compiled: Compiled,
    pub stops_at_failure: bool,
    pub stops_at_end: bool,
    pub is_failure_seen: bool,
    pub is_end_seen: bool,
    counting: Counting,
    next_id: i64,
    pub nodes: Nodes,
    pub types: LocalTypes,
    /// The stack, as far as it was asked for; and whether there is more of it.
    entries: Option<(Vec<Entry>, bool)>,
    /// What to say of an exception.
    pub exception: Option<(String, String)>,
}

impl<'p> Stopped<'p> {
    pub fn new(
        history: History<'p>,
        sources: Vec<crate::Source>,
        counting: Counting,
    ) -> Stopped<'p> {
        let sites = Sites::new(history.semantics.program);
        Stopped {
            history: Some(history),
            texts: Texts::new(sources),
            sites,
            stops: Stops::default(),
            points: Vec::new(),
            compiled: Compiled::default(),
            stops_at_failure: true,
            stops_at_end: false,
            is_failure_seen: false,
            is_end_seen: false,
            counting,
            next_id: 1,
            nodes: Nodes::default(),
            types: LocalTypes::default(),
            entries: None,
            exception: None,
        }
    }

    pub fn clock(&self) -> u64 {
        self.history.as_ref().map_or(0, History::clock)
    }

    /// What was said of the state is no longer so.
    pub fn leave(&mut self) {
        self.nodes.clear();
        self.entries = None;
        self.exception = None;
    }

    /// The run stands at a state.
    pub fn arrive(&mut self, why: &Why) {
        self.leave();
        self.exception = match why {
            Why::Effect(effect, command) => Some((effect.id().to_owned(), effect.says(command))),
            Why::Failed(message) => Some((FAILED.to_owned(), message.clone())),
            Why::Ended(value) => Some((ENDED.to_owned(), format!("the run ends with {value}"))),
            _ => None,
        };
    }

    /// What stops the run from now on; nothing if nothing shall.
    pub fn effective(&mut self, no_debug: bool) {
        let Some(history) = &self.history else { return };
        if no_debug {
            self.stops = Stops::default();
        }
        let points = self.points.iter().filter(|_| !no_debug);
        let terms = points.flat_map(|point| point.terms.iter().copied());
        self.stops.set_terms(history.semantics.program, terms);
    }

    /// Whether the first state is worth a stop: no rule has led there.
    pub fn at_first(&self) -> Option<Stop> {
        let history = self.history.as_ref()?;
        let Focus::Term(term, _) = history.now.focus else {
            return None;
        };
        let is_point = self.points.iter().any(|point| point.terms.contains(&term));
        (is_point && history.clock() == 0).then_some(Stop::Site(term))
    }

    /// The breakpoints at a term.
    pub fn points_at(&self, term: TermId) -> Vec<usize> {
        let all = self.points.iter().enumerate();
        let here = all.filter(|(_, point)| point.terms.contains(&term));
        here.map(|(index, _)| index).collect()
    }

    pub fn command(&self, command: CommandId) -> String {
        let history = self.history.as_ref();
        history.map_or_else(String::new, |history| {
            history.semantics.program.commands[command].name.clone()
        })
    }

    pub fn is_step(&self) -> bool {
        let history = self.history.as_ref();
        history.is_some_and(|history| is_step(&history.semantics, history.rule, &history.now))
    }

    /// The rule that led to the state, for a person.
    pub fn rule(&self) -> String {
        let rule = self.history.as_ref().and_then(|history| history.rule);
        rule.map_or_else(
            || "at the start of the run".to_owned(),
            |rule| format!("after the rule {}", rule.name()),
        )
    }

    /// Whether what the run has printed does not end with the end of a line.
    pub fn is_line_open(&self) -> bool {
        let history = self.history.as_ref();
        let printed = history.and_then(|history| {
            let last = history.now.printed?;
            Some(history.semantics.store.output[last].char)
        });
        printed.is_some_and(|last| last != '\n')
    }

    /// The value of a run that has come to one.
    pub fn value(&self) -> String {
        let Some(history) = &self.history else {
            return String::new();
        };
        let Focus::Done(value) = history.now.focus else {
            return String::new();
        };
        let limits = frank_semantics::show::Limits {
            frames: 10,
            depth: 10_000,
            parts: 100_000,
            width: usize::MAX,
        };
        let mut shower = frank_semantics::show::Shower::new(&history.semantics, limits);
        let entry = history.semantics.program.entries.first();
        entry.map_or_else(String::new, |entry| shower.value(value, &entry.ty))
    }

    /// The stack, at least `most` entries of it if there are as many.
    pub fn entries(&mut self, most: usize) -> (&[Entry], bool) {
        let Some(history) = &self.history else {
            return (&[], false);
        };
        let is_enough =
            matches!(&self.entries, Some((entries, more)) if !more || entries.len() >= most);
        if !is_enough {
            let entries = frames::stack(&history.semantics, &self.sites, &history.now, most);
            self.entries = Some(entries);
        }
        match &self.entries {
            Some((entries, more)) => (entries, *more),
            None => (&[], false),
        }
    }

    /// The entry of the stack that a client knows by a number; the innermost if it names none.
    pub fn entry(&mut self, frame: Option<i64>) -> Option<Entry> {
        let index = frame.map_or(Some(0), |id| usize::try_from(id).ok()?.checked_sub(1))?;
        let (entries, _) = self.entries(index + 1);
        entries.get(index).cloned()
    }

    pub fn source(&self, file: usize) -> Option<Source> {
        let (_, text) = self.texts.all().find(|(index, _)| *index == file)?;
        let own = &text.source;
        let reference = match own.path {
            Some(_) => None,
            None => Some(file as i64 + 1),
        };
        Some(Source {
            name: Some(own.name.clone()),
            path: own
                .path
                .as_ref()
                .map(|path| path.to_string_lossy().into_owned()),
            source_reference: reference,
            presentation_hint: reference.map(|_| "deemphasize".to_owned()),
            origin: reference.map(|_| "the library".to_owned()),
        })
    }

    /// The number of the file that a client means.
    pub fn file(&self, source: &Source) -> Option<usize> {
        if let Some(reference) = source.source_reference.filter(|reference| *reference > 0) {
            let index = usize::try_from(reference).ok()?.checked_sub(1)?;
            return self
                .texts
                .all()
                .any(|(own, _)| own == index)
                .then_some(index);
        }
        self.texts.at(Path::new(source.path.as_ref()?))
    }

    pub fn span(&self, term: TermId) -> Option<(Span, usize)> {
        let history = self.history.as_ref()?;
        let place = *history.semantics.program.places.get(term)?;
        let text = self.texts.of(place.file)?;
        Some((
            text.span(place, self.counting),
            place.file.into_raw().into_u32() as usize,
        ))
    }

    /// A place in the program as the client knows it.
    pub fn place(&self, place: Place) -> Option<(Span, Source)> {
        let span = self.texts.of(place.file)?.span(place, self.counting);
        Some((
            span,
            self.source(place.file.into_raw().into_u32() as usize)?,
        ))
    }

    /// The terms that begin in lines, as the client counts them.
    fn sites_in(&self, file: usize, first: i64, last: i64) -> Vec<TermId> {
        let Some((_, text)) = self.texts.all().find(|(index, _)| *index == file) else {
            return Vec::new();
        };
        let line = |line: i64| usize::try_from(line - self.counting.first_line).unwrap_or(0);
        let (from, to) = (text.offset(line(first), 0), text.offset(line(last) + 1, 0));
        self.sites.between(file, from, to.max(from)).collect()
    }

    fn add_point(
        &mut self,
        source: Option<usize>,
        wanted: Wanted,
        terms: Vec<TermId>,
        why_none: &str,
    ) -> Breakpoint {
        let id = self.next_id;
        self.next_id += 1;
        let span = match source {
            Some(_) => terms.first().and_then(|term| self.span(*term)),
            None => None,
        };
        let verified = !terms.is_empty();
        let answer = Breakpoint {
            id: Some(id),
            verified,
            message: (!verified).then(|| why_none.to_owned()),
            line: span.map(|(span, _)| span.line),
            column: span.map(|(span, _)| span.column),
        };
        self.points.push(Point {
            id,
            source,
            terms,
            wanted,
            hits: Vec::new(),
        });
        answer
    }

    pub fn set_breakpoints(&mut self, asked: &SetBreakpointsArguments) -> Json {
        let file = self.file(&asked.source);
        if let Some(file) = file {
            self.points.retain(|point| point.source != Some(file));
        }
        let mut answers = Vec::new();
        for point in &asked.breakpoints {
            let hits = match point.hit_condition.as_deref().map(Hits::read).transpose() {
                Ok(hits) => hits,
                Err(reason) => {
                    answers.push(Breakpoint::refused(reason));
                    continue;
                }
            };
            if let Some(reason) = no_condition(&point.condition) {
                answers.push(Breakpoint::refused(reason));
                continue;
            }
            let log = some(&point.log_message).map(|message| Piece::read(&message));
            let log = match log.transpose() {
                Ok(log) => log,
                Err(reason) => {
                    answers.push(Breakpoint::refused(reason));
                    continue;
                }
            };
            let first_line = self.counting.first_line;
            let Ok(line) = usize::try_from(point.line.saturating_sub(first_line)) else {
                let reason = format!("there is no line {}: the first is {first_line}", point.line);
                answers.push(Breakpoint::refused(reason));
                continue;
            };
            let first = self.counting.first_column;
            let column = point
                .column
                .and_then(|column| usize::try_from(column - first).ok());
            let text = file.and_then(|file| self.texts.all().nth(file));
            let term = match text {
                Some((file, text)) => self.sites.at(file, text, line, column),
                None => Err("the run does not use this file".to_owned()),
            };
            let wanted = Wanted {
                condition: some(&point.condition),
                hits,
                log,
            };
            let (terms, why_none) = match term {
                Ok(term) => (vec![term], String::new()),
                Err(reason) => (Vec::new(), reason),
            };
            answers.push(self.add_point(file, wanted, terms, &why_none));
        }
        self.effective(false);
        json!({ "breakpoints": answers })
    }

    pub fn set_function_breakpoints(&mut self, asked: &SetFunctionBreakpointsArguments) -> Json {
        self.points.retain(|point| point.source.is_some());
        let mut answers = Vec::new();
        for point in &asked.breakpoints {
            let Some(history) = &self.history else { break };
            let mut terms = Vec::new();
            for operator in history.semantics.program.operators.values() {
                if let OperatorBody::Handler(handler) = &operator.body
                    && operator.name == point.name.trim()
                {
                    terms.extend(handler.clauses.iter().map(|clause| clause.body));
                }
            }
            if let Some(reason) = no_condition(&point.condition) {
                answers.push(Breakpoint::refused(reason));
                continue;
            }
            match point.hit_condition.as_deref().map(Hits::read).transpose() {
                Err(reason) => answers.push(Breakpoint::refused(reason)),
                Ok(hits) => {
                    let wanted = Wanted {
                        condition: some(&point.condition),
                        hits,
                        log: None,
                    };
                    let why_none =
                        "the run reaches no operator of this name that is written in Frank";
                    answers.push(self.add_point(None, wanted, terms, why_none));
                }
            }
        }
        self.effective(false);
        json!({ "breakpoints": answers })
    }

    pub fn set_exception_breakpoints(&mut self, asked: &SetExceptionBreakpointsArguments) -> Json {
        let plain = asked.filters.iter().map(|filter| (filter.as_str(), None));
        let with = asked.filter_options.iter();
        let with = with.map(|option| (option.filter_id.as_str(), some(&option.condition)));
        let (mut effects, mut answers) = (Vec::new(), Vec::new());
        (self.stops_at_failure, self.stops_at_end) = (false, false);
        for (filter, condition) in plain.chain(with) {
            let problem = match (filter, Effect::named(filter), &self.history) {
                (FAILED, _, _) => {
                    self.stops_at_failure = true;
                    None
                }
                (ENDED, _, _) => {
                    self.stops_at_end = true;
                    None
                }
                (_, Some(effect), Some(history)) => {
                    let program = history.semantics.program;
                    match condition
                        .map(|condition| commands(program, &condition))
                        .transpose()
                    {
                        Ok(commands) => {
                            effects.push(EffectStop { effect, commands });
                            None
                        }
                        Err(reason) => Some(reason),
                    }
                }
                _ => Some("there is no such filter".to_owned()),
            };
            let id = self.next_id;
            self.next_id += 1;
            answers.push(Breakpoint {
                id: Some(id),
                verified: problem.is_none(),
                message: problem,
                ..Breakpoint::default()
            });
        }
        if let Some(history) = &self.history {
            self.stops.set_effects(history.semantics.program, effects);
        }
        json!({ "breakpoints": answers })
    }

    pub fn breakpoint_locations(&self, asked: &BreakpointLocationsArguments) -> Json {
        let file = self.file(&asked.source);
        let last = asked.end_line.unwrap_or(asked.line);
        let terms = file.map(|file| self.sites_in(file, asked.line, last));
        let spans = terms
            .into_iter()
            .flatten()
            .filter_map(|term| self.span(term));
        let places = spans.map(|(span, _)| json!({ "line": span.line, "column": span.column }));
        json!({ "breakpoints": places.collect::<Vec<Json>>() })
    }

    pub fn stack_trace(&mut self, asked: &StackTraceArguments) -> Result<Json, String> {
        if let Some(thread) = asked.thread_id.filter(|thread| *thread != THREAD) {
            return Err(format!(
                "there is no thread {thread}: the run is thread {THREAD}"
            ));
        }
        let number = |number: Option<i64>| number.and_then(|number| usize::try_from(number).ok());
        let start = number(asked.start_frame).unwrap_or(0);
        let levels = number(asked.levels)
            .filter(|levels| *levels > 0)
            .unwrap_or(LEVELS);
        let (entries, more) = self.entries(start.saturating_add(levels).saturating_add(1));
        let total = entries.len() + usize::from(more);
        let shown: Vec<Entry> = entries.iter().skip(start).take(levels).cloned().collect();
        let Some(history) = &self.history else {
            return Ok(json!({ "stackFrames": [] }));
        };
        let mut shower = shower(&history.semantics);
        let mut listed = Vec::with_capacity(shown.len());
        for (index, entry) in shown.iter().enumerate() {
            let span = self.span(entry.place);
            let source = span.and_then(|(_, file)| self.source(file));
            let span = span.map(|(span, _)| span);
            listed.push(StackFrame {
                id: (start + index) as i64 + 1,
                name: frames::title(&mut shower, &history.semantics, entry),
                source: source.filter(|_| entry.kind != Kind::Frozen),
                line: span.map_or(0, |span| span.line),
                column: span.map_or(0, |span| span.column),
                end_line: span.map(|span| span.end_line),
                end_column: span.map(|span| span.end_column),
                presentation_hint: match entry.kind {
                    Kind::Body => "normal",
                    Kind::Handler { .. } => "subtle",
                    Kind::Frozen => "label",
                },
            });
        }
        Ok(json!({ "stackFrames": listed, "totalFrames": total }))
    }

    pub fn scopes(&mut self, asked: &ScopesArguments) -> Result<Json, String> {
        let Some(entry) = self.entry(Some(asked.frame_id)) else {
            return Err(no_frame(asked.frame_id));
        };
        let mut scopes = Vec::new();
        let mut add = |name, presentation_hint, variables_reference| {
            scopes.push(Scope {
                name,
                presentation_hint,
                variables_reference,
                expensive: false,
            });
        };
        if let Kind::Handler { head, done } = entry.kind {
            add(
                "Handler",
                Some("arguments"),
                self.nodes.add(Node::Handler(head, done)),
            );
        }
        if entry.kind != Kind::Frozen {
            add(
                "Locals",
                Some("locals"),
                self.nodes.add(Node::Locals(entry.env, entry.term)),
            );
        }
        let Some(history) = &self.history else {
            return Ok(json!({ "scopes": scopes }));
        };
        if asked.frame_id == 1 {
            let focus = shower(&history.semantics).brief_focus(&history.now);
            let rule = history.rule.map_or("start", |rule| rule.name());
            let made = vec![
                crate::variables::plain("focus", focus),
                crate::variables::plain("rule", rule.to_owned()),
                crate::variables::plain("rules applied", history.clock().to_string()),
            ];
            add("State", None, self.nodes.add(Node::Made(made)));
        }
        if !history.now.cells.is_empty() {
            add("Cells", Some("registers"), self.nodes.add(Node::Cells));
        }
        Ok(json!({ "scopes": scopes }))
    }
}

/// What is said of a frame that is not on the stack.
pub fn no_frame(id: i64) -> String {
    format!("there is no frame {id} here: `stackTrace` lists those that there are")
}

/// Why a condition is no term, if it is none.
fn no_condition(condition: &Option<String>) -> Option<String> {
    let reason = no_term(&some(condition)?)?;
    Some(format!("the condition {reason}"))
}

/// A text that says something.
fn some(text: &Option<String>) -> Option<String> {
    text.clone().filter(|text| !text.trim().is_empty())
}
