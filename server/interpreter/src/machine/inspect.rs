//! Looking at a machine: places, the stack, handlers, values as text.

use frank_core::{Place, Program, Type};

use super::{Machine, ResultValue};
use crate::code::{MARK, NONE, Step, place_in_program};
use crate::error::{Frame, FrameKind, RunError, RunErrorKind, Stop};
use crate::print;
use crate::value::{Value, View};

/// How many frames an error shows.
const TRACE: usize = 200;
/// How much of a value an error shows.
const VALUE: usize = 2000;
/// So many parts of continuations are looked at for a place.
const MOST_LOOKED_AT: usize = 100_000;

/// A handler or adaptor that has been entered, as a stepper shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandlerInfo {
    /// The operator or thunk that handles; nothing for adaptors.
    pub operator: Option<String>,
    /// Which of its arguments is being computed, from zero.
    pub argument: u32,
    /// The interfaces of the instances that the argument's port adds, left to right.
    pub adds: Vec<String>,
    /// The interfaces whose instances are renamed.
    pub renames: Vec<String>,
    /// Where the operator is defined, or the adaptors stand.
    pub place: Option<Place>,
    /// Whether a command performed now can see it.
    pub visible: bool,
}

impl Machine<'_> {
    /// The term that the machine is at, if its code has a text.
    pub fn place(&self) -> Option<Place> {
        let debug = self.code.debug_of.get(self.pc)?;
        self.code.debugs.get(*debug as usize)?.place
    }

    fn frame(&self, debug: u32, what: FrameKind) -> Frame {
        let debug = self.code.debugs.get(debug as usize);
        let name = debug
            .and_then(|d| self.code.names.get(d.name as usize))
            .cloned();
        Frame {
            name: name.unwrap_or_default(),
            place: debug.and_then(|d| d.place),
            what,
        }
    }

    /// The handlers and adaptors that have been entered, the innermost first.
    pub fn handlers(&self) -> Vec<HandlerInfo> {
        let mut visible = self.visible;
        let mut infos = Vec::new();
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let seen = visible == at + 1;
            if seen {
                visible = at - (node.skip as usize).min(at);
            }
            let Some(port) = self.code.ports.get(node.port as usize) else {
                continue;
            };
            let mut adds = Vec::new();
            let mut renames = Vec::new();
            for step in &port.steps {
                let (list, interface) = match step {
                    Step::Add { interface, .. } => (&mut adds, interface),
                    Step::Rename { interface, .. } => (&mut renames, interface),
                };
                list.extend(self.code.interfaces.get(*interface as usize).cloned());
            }
            let frame = self.frame(port.debug, FrameKind::Handler);
            infos.push(HandlerInfo {
                operator: (port.function != NONE).then_some(frame.name),
                argument: port.position.into(),
                adds,
                renames,
                place: frame.place,
                visible: seen,
            });
        }
        infos
    }

    /// At most so many calls and handlers of the stack, the innermost first, and whether there
    /// are more.
    pub fn stack(&self, most: usize) -> (Vec<Frame>, bool) {
        let mut frames = Vec::new();
        // Joins and marks are not shown, so they are counted, too.
        let ends_early = self.walk(8 * most + 64, &mut |debug, what| {
            frames.push(self.frame(debug, what));
            frames.len() <= most
        });
        frames.truncate(most);
        (frames, ends_early)
    }

    /// The innermost call on the stack that stands in the program, not in the library.
    pub(super) fn call_in_program(&self) -> Option<Place> {
        self.call_in_program_within(usize::MAX).0
    }

    /// The same among so many calls and handlers at most; and how many were looked at.
    pub(super) fn call_in_program_within(&self, most: usize) -> (Option<Place>, usize) {
        let (mut found, mut looked_at) = (None, 0);
        self.walk(most, &mut |debug, what| {
            looked_at += 1;
            // The place of a handler is its definition, which called nothing.
            if what != FrameKind::Handler {
                let library = |file| self.code.library.contains(&file);
                found = place_in_program(&self.code.debugs, debug, library);
            }
            found.is_none()
        });
        (found, looked_at)
    }

    /// Where a continuation waits: its innermost call in the program. Where that is the library's, and holds a
    /// continuation itself, as a handler's does that asks another one, it is where that one waits.
    pub(super) fn waiting_in_program(&self, continuation: Value) -> Option<Place> {
        let library = |file| self.code.library.contains(&file);
        // What comes next is on top.
        let mut rest = vec![continuation];
        for _ in 0..MOST_LOOKED_AT {
            match rest.pop()?.view() {
                View::Continuation(object) => rest.extend(self.stack_of(object)),
                View::Frame(frame) | View::Waiting(frame) => {
                    let site = self.code.sites.get(self.heap.info(frame) as usize);
                    let place = site
                        .and_then(|site| place_in_program(&self.code.debugs, site.debug, library));
                    if place.is_some() {
                        return place;
                    }
                    let (below, held) = self.heap.words(frame).split_first()?;
                    rest.push(Value(*below));
                    let held = held.iter().map(|word| Value(*word));
                    rest.extend(held.filter(|value| value.is_continuation()));
                }
                View::Join(join) => {
                    rest.push(self.heap.get(join, 1));
                    rest.push(self.heap.get(join, 0));
                }
                _ => {}
            }
        }
        None
    }

    /// Visits what stands on the stack, the innermost first, until `visit` says that it is enough
    /// or so many parts have been looked at. Gives whether there may be more.
    fn walk(&self, most: usize, visit: &mut dyn FnMut(u32, FrameKind) -> bool) -> bool {
        if let Some(debug) = self.code.debug_of.get(self.pc)
            && !visit(*debug, FrameKind::Call)
        {
            return true;
        }
        let mut nodes = self.nodes.iter().rev();
        // What is left of the segment at hand, what comes next on top.
        let mut rest = vec![self.u, self.k];
        for _ in 0..most {
            match rest.pop().map(Value::view) {
                Some(View::Frame(frame)) => {
                    rest.push(self.heap.get(frame, 0));
                    let site = self.heap.info(frame);
                    let debug = self.code.sites.get(site as usize).map(|s| s.debug);
                    let shown = site != MARK && !self.is_entrance(site);
                    if let Some(debug) = debug.filter(|_| shown)
                        && !visit(debug, FrameKind::Call)
                    {
                        return true;
                    }
                }
                Some(View::Join(join)) => {
                    rest.push(self.heap.get(join, 1));
                    rest.push(self.heap.get(join, 0));
                }
                Some(_) => {}
                None => {
                    let Some(node) = nodes.next() else {
                        return false;
                    };
                    if let Some(port) = self.code.ports.get(node.port as usize) {
                        let what = match port.function {
                            NONE => FrameKind::Adaptors,
                            _ => FrameKind::Handler,
                        };
                        if !visit(port.debug, what) {
                            return true;
                        }
                    }
                    rest = vec![node.u, node.k];
                }
            }
        }
        true
    }

    /// Whether a frame only holds the arguments that were done before a handler's.
    fn is_entrance(&self, site: u32) -> bool {
        // Such sites are made last, one for each port.
        let sites = self.code.sites.len() as u32;
        let entrances = self.code.ports.iter().filter(|p| p.enter != NONE).count() as u32;
        site >= sites - entrances.min(sites)
    }

    /// An error where the machine stands.
    pub(super) fn error(&self, stop: Stop) -> Box<RunError> {
        let (trace, trace_ends_early) = self.stack(TRACE);
        let place = self.place();
        let in_library = place.is_some_and(|place| self.code.library.contains(&place.file));
        let mut error = Box::new(RunError {
            kind: stop.kind,
            message: stop.message,
            place,
            caller: stop.caller,
            related: stop.related,
            values: stop.values,
            trace,
            trace_ends_early,
        });
        // A limit is reached anywhere; no call is to blame.
        if error.caller.is_none() && in_library && !error.is_limit() {
            error.caller = self.call_in_program();
        }
        error
    }

    /// A result as a Frank term, by its type; at most about so many bytes of it, then `…`. It can be large, so the limits
    /// of the run hold here, too.
    pub fn show(
        &mut self,
        program: &Program,
        ty: &Type,
        value: ResultValue,
        most: usize,
    ) -> Result<String, Box<RunError>> {
        let mut stopped = None;
        let text = self.timed(|machine| {
            let mut go_on = || {
                stopped = machine.check_limits().err();
                stopped.is_none()
            };
            let (code, heap) = (machine.code, &machine.heap);
            print::by_type(code, heap, program, ty, value.0, most, &mut go_on)
        });
        match stopped {
            None => Ok(text),
            Some(stop) => Err(self.error(*stop)),
        }
    }

    /// A value whose type is not known as a Frank term.
    pub(super) fn show_unknown(&self, value: Value) -> String {
        match value.view() {
            View::Argument(object) => {
                let (command, seen) = self.paused_at(object);
                let mut text = String::from("<");
                text += self
                    .code
                    .command_names
                    .get(command as usize)
                    .map_or("", String::as_str);
                if seen > 0 {
                    text += &format!(".{seen}");
                }
                for arg in self.paused_args(object) {
                    text.push(' ');
                    text += &print::untyped(self.code, &self.heap, arg, VALUE, true);
                }
                text + " -> …>"
            }
            _ => print::untyped(self.code, &self.heap, value, VALUE, false),
        }
    }
}

impl RunError {
    /// Whether a limit ended the run, or someone from outside.
    pub fn is_limit(&self) -> bool {
        matches!(
            self.kind,
            RunErrorKind::Steps
                | RunErrorKind::Time
                | RunErrorKind::Memory
                | RunErrorKind::Output
                | RunErrorKind::Cancelled
        )
    }
}
