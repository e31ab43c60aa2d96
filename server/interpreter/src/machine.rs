//! The abstract machine.
//!
//! Its state is the code it is at, the registers, and the stack. The stack is a list of segments,
//! one for each handler or adaptor that has been entered; a segment is a chain of frames on the
//! heap, each holding what its function needs when a value comes back. Between two segments
//! stands a [`Node`]: which port it is, where the segment under it goes on, and which nodes a
//! command performed outside it can see. See the crate's documentation for the rules.

mod arrays;
mod calls;
mod effects;
mod for_backend;
mod inspect;
mod origins;
mod outside;
mod pictures;
mod run;
mod runs;
mod services;
mod staged;
mod tensors;
mod unwinding;
mod values;

use web_time::Instant;

use crate::backend::Backend;
use crate::code::{Code, NONE, REGISTERS, Reg};
use crate::error::{RunError, RunErrorKind, Stop};
use crate::heap::Heap;
use crate::host::{Host, Limits, Stats};
use crate::nodes::{Found, Node, Nodes, Window};
use crate::picture::Tally;
use crate::value::Value;

pub use inspect::HandlerInfo;

/// How many steps pass between two looks at the clock and the other limits. A prime, so that of a loop not the same place is
/// looked at each time.
const PATIENCE: u64 = 2039;

/// The most words of a run's heap that are kept for the next one: 64 MiB.
const KEPT: usize = 1 << 23;

/// What a run has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The steps asked for are over.
    Running,
    /// The entry's value; see [`Machine::show`].
    Done(ResultValue),
}

/// A value of a machine, to be shown by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultValue(pub(crate) Value);

/// Where the machine stands between two instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ready,
    Done(Value),
    Failed,
}

/// A run of one entry.
pub struct Machine<'a> {
    code: &'a Code,
    host: &'a mut dyn Host,
    limits: Limits,
    registers: Box<[Value; REGISTERS]>,
    heap: Heap,
    nodes: Nodes,
    /// The frames of the innermost segment.
    k: Value,
    /// What follows them in the same segment.
    u: Value,
    /// How many nodes a command sees, the innermost last.
    visible: usize,
    /// The node that handles the command whose clauses run, until they begin or capture.
    handling: Found,
    /// The command being performed while its clauses run in the window.
    window: Window,
    statics: Vec<Value>,
    backend: Option<&'a mut dyn Backend>,
    /// What has ended the run while it did something for machine code.
    ended: Option<Result<Value, Box<Stop>>>,
    runs: runs::Runs,
    staged: staged::Staged,
    /// Where the operations of graphs stand, if anybody wants to know.
    origins: Option<Box<origins::Origins>>,
    /// The instruction that performed the last command.
    performed: usize,
    /// Steps that are done and not yet counted.
    owed: u64,
    pc: usize,
    state: State,
    started: Option<Instant>,
    /// Wall time of the parts of the run that are over.
    elapsed: std::time::Duration,
    steps: u64,
    captures: u64,
    printed: u64,
    pictures: Tally,
}

/// Register numbers come from the compile phase and have fifteen bits.
#[inline(always)]
fn at(r: Reg) -> usize {
    (r as usize) & (REGISTERS - 1)
}

impl<'a> Machine<'a> {
    /// A machine that stands before the first instruction of an entry, counted as in the program.
    /// An entry that does not exist is an error when it is run.
    pub fn new(
        code: &'a Code,
        entry: usize,
        limits: Limits,
        host: &'a mut dyn Host,
    ) -> Machine<'a> {
        let mut registers: Box<[Value; REGISTERS]> = {
            let all = vec![Value::BOTTOM; REGISTERS].into_boxed_slice();
            match all.try_into() {
                Ok(registers) => registers,
                // The length is the one that was asked for.
                Err(_) => Box::new([Value::BOTTOM; REGISTERS]),
            }
        };
        let constants = (crate::code::WINDOW - crate::code::CONSTANTS) as usize;
        for (i, constant) in code.constants.iter().take(constants).enumerate() {
            if let Some(slot) = registers.get_mut(crate::code::CONSTANTS as usize + i) {
                *slot = *constant;
            }
        }
        let function = code
            .entries
            .get(entry)
            .and_then(|f| code.functions.get(*f as usize));
        let fixed = REGISTERS * 8;
        Machine {
            heap: Heap::new(limits.memory.saturating_sub(fixed)),
            registers,
            nodes: Nodes::default(),
            k: Value::BOTTOM,
            u: Value::BOTTOM,
            visible: 0,
            handling: Found::default(),
            window: Window {
                site: NONE,
                function: NONE,
                count: 0,
            },
            statics: vec![Value::BOTTOM; code.statics.len()],
            backend: None,
            ended: None,
            runs: runs::Runs::default(),
            staged: staged::Staged::default(),
            origins: None,
            performed: NONE as usize,
            owed: 0,
            pc: function.map_or(NONE as usize, |f| f.pc as usize),
            state: State::Ready,
            started: None,
            elapsed: std::time::Duration::ZERO,
            steps: 0,
            captures: 0,
            printed: 0,
            pictures: Tally::default(),
            code,
            host,
            limits,
        }
    }

    /// Lets a back end make machine code of what is hot, if it is one for the same program. Whatever the run does
    /// stays the same.
    pub fn with_backend(mut self, backend: &'a mut dyn Backend) -> Machine<'a> {
        self.backend = backend.is_for(self.code).then_some(backend);
        if let Some(backend) = &mut self.backend {
            self.heap.set_prepare(backend.prepare());
            self.heap.set_memory(std::mem::take(backend.kept_memory()));
        }
        self
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// Whatever ends the run without a value: see [`RunErrorKind`].
    pub fn run(&mut self) -> Result<ResultValue, Box<RunError>> {
        loop {
            if let Progress::Done(value) = self.run_for(u64::MAX)? {
                return Ok(value);
            }
        }
    }

    /// Runs for a number of steps (calls, commands, resumptions) or to the end. Between two calls
    /// the machine can be looked at: [`Machine::place`], [`Machine::handlers`],
    /// [`Machine::stack`].
    ///
    /// # Errors
    /// As [`Machine::run`]. A run that has failed stays failed.
    pub fn run_for(&mut self, steps: u64) -> Result<Progress, Box<RunError>> {
        match self.state {
            State::Done(value) => return Ok(Progress::Done(ResultValue(value))),
            State::Failed => {
                let stop = Stop::new(RunErrorKind::Internal, "the run has already failed");
                return Err(self.error(*stop));
            }
            State::Ready => {}
        }
        match self.timed(|machine| machine.run_slices(steps)) {
            Ok(Progress::Done(value)) => {
                self.state = State::Done(value.0);
                Ok(Progress::Done(value))
            }
            Ok(Progress::Running) => Ok(Progress::Running),
            Err(stop) => {
                self.state = State::Failed;
                Err(self.error(*stop))
            }
        }
    }

    /// One step; see [`Machine::run_for`].
    ///
    /// # Errors
    /// As [`Machine::run_for`].
    pub fn step(&mut self) -> Result<Progress, Box<RunError>> {
        self.run_for(1)
    }

    fn run_slices(&mut self, steps: u64) -> Result<Progress, Box<Stop>> {
        if self.pc >= self.code.instrs.len() {
            return Err(Stop::new(RunErrorKind::Internal, "there is no such entry"));
        }
        let mut left = steps;
        loop {
            self.check_limits()?;
            let allowed = match self.limits.steps {
                Some(limit) => limit.saturating_sub(self.steps),
                None => u64::MAX,
            };
            if left == 0 {
                return Ok(Progress::Running);
            }
            if allowed == 0 {
                return Err(Stop::new(RunErrorKind::Steps, "the step limit is reached"));
            }
            let slice = left.min(allowed).min(PATIENCE);
            let mut fuel = slice;
            let value = self.execute(&mut fuel);
            let used = slice - fuel + std::mem::take(&mut self.owed);
            self.steps += used;
            left = left.saturating_sub(used);
            if used >= PATIENCE
                && let Some(backend) = &mut self.backend
            {
                let innermost = self.visible.checked_sub(1);
                let handler = innermost.and_then(|at| self.nodes.get(at)).copied();
                backend.sample(self.code, self.pc, handler);
                self.compile_graph();
            }
            if let Some(value) = value? {
                return Ok(Progress::Done(ResultValue(value)));
            }
        }
    }

    /// Some work whose time counts to the run's.
    fn timed<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.started = Some(Instant::now());
        let result = work(self);
        if let Some(started) = self.started.take() {
            self.elapsed += started.elapsed();
        }
        result
    }

    fn check_limits(&self) -> Result<(), Box<Stop>> {
        use std::sync::atomic::Ordering;
        if let Some(cancelled) = &self.limits.cancelled
            && cancelled.load(Ordering::Relaxed)
        {
            return Err(Stop::new(
                RunErrorKind::Cancelled,
                "the run was interrupted",
            ));
        }
        if let Some(limit) = self.limits.time
            && self.time() >= limit
        {
            return Err(Stop::new(RunErrorKind::Time, "the time limit is reached"));
        }
        Ok(())
    }

    /// Leaves to the heap what nodes and flat graphs do not take of the memory.
    fn account(&mut self) {
        let outside = self.outside_heap();
        self.heap
            .set_limit(self.limits.memory.saturating_sub(outside));
    }

    /// The bytes that the machine has taken beside the heap.
    fn outside_heap(&self) -> usize {
        self.nodes.granted() * size_of::<Node>() + REGISTERS * 8 + self.staged.granted
    }

    fn time(&self) -> std::time::Duration {
        self.elapsed
            + self
                .started
                .map_or(std::time::Duration::ZERO, |s| s.elapsed())
    }

    /// What the run used so far.
    pub fn stats(&self) -> Stats {
        Stats {
            steps: self.steps,
            captures: self.captures,
            peak_cells: self.heap.peak_references(),
            peak_objects: self.heap.peak_objects(),
            peak_bytes: (self.heap.peak_bytes() + self.outside_heap()) as u64,
            millis: self.time().as_millis() as u64,
        }
    }

    /// How many cells and how many objects of any kind are live now. What died most recently may
    /// still be counted.
    pub fn live(&self) -> (u64, u64) {
        (self.heap.references(), self.heap.objects())
    }
}

impl Drop for Machine<'_> {
    /// Leaves its memory to the next run of the same back end.
    fn drop(&mut self) {
        if let Some(backend) = &mut self.backend {
            let memory = std::mem::replace(&mut self.heap, Heap::new(0)).into_memory();
            if memory.len() <= KEPT {
                *backend.kept_memory() = memory;
            }
        }
    }
}
