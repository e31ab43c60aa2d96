//! States as Frank source: variables stand as their values, cells by their names, continuations as `{x -> …}`.
//!
//! [`Shower::state`] puts a state's frames around its focus, from the inside out, which gives a tree; a
//! [`Text`] is that tree in lines, with the places of what is marked. What is more of it than a person reads at once is
//! [folded](Text::folds).

mod fold;
mod names;
mod terms;
mod text;
mod tree;
mod values;

pub use fold::{Fold, READABLE, changed};
pub use text::Text;
pub use values::quoted;

use std::collections::HashMap;

use frank_core::{OperatorId, Program, Term, TermId, Type};
use serde::Serialize;

use crate::owners::Owner;
use crate::rules::Semantics;
use crate::state::{Arg, ArgsId, Call, EnvId, Focus, Frame, FrozenId, Paused, State, Store, Value};
use names::namesakes;
use terms::{arithmetic, bound_by, comparison};
use tree::{Kind, Marks, Tree};

/// How much of a state is written; what is more stands as `…`.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Frames around the focus, and frames of a continuation.
    pub frames: usize,
    /// Parts of terms within each other.
    pub depth: usize,
    /// Parts of terms in all.
    pub parts: usize,
    /// Characters in a line.
    pub width: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            frames: 200,
            depth: 100,
            parts: 5_000,
            width: 100,
        }
    }
}

/// A handler around the focus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Handling {
    /// The interfaces of which it handles an instance, from the left.
    pub interfaces: Vec<String>,
    /// The call that it is, with `□` for the argument in which the focus is.
    pub text: String,
    /// Whether the command at the focus is for it.
    pub takes: bool,
    /// Whether it becomes a part of the continuation: the command at the focus passes it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub captured: bool,
}

/// What stands for the result that a continuation waits for until its name is known; no name is written so.
const HOLE: &str = "□";

/// Writes the states of one run.
pub struct Shower<'s> {
    semantics: &'s Semantics<'s>,
    program: &'s Program,
    store: &'s Store,
    limits: Limits,
    cells: Vec<String>,
    left: usize,
    /// Whether suspended computations and cells stand as such only.
    is_opaque: bool,
    /// How operators of the library are written whose names others have, too.
    namesakes: HashMap<OperatorId, String>,
    /// The operators and commands that have been written, in order: a variable of the name of one must not stand
    /// around it.
    globals: Vec<String>,
    /// The variables that have other names for that reason.
    renamed: HashMap<(Option<Owner>, u32), String>,
}

impl<'s> Shower<'s> {
    /// Cells get their names from all that the run has made by now.
    pub fn new(semantics: &'s Semantics<'s>, limits: Limits) -> Shower<'s> {
        let mut shower = Shower {
            semantics,
            program: semantics.program,
            store: &semantics.store,
            limits,
            cells: Vec::new(),
            left: 0,
            is_opaque: false,
            namesakes: namesakes(semantics.program),
            globals: Vec::new(),
            renamed: HashMap::new(),
        };
        shower.cells = shower.cell_names();
        shower
    }

    /// A state as text.
    pub fn state(&mut self, state: &State) -> Text {
        self.left = self.limits.parts;
        self.globals.clear();
        let mut tree = self.focus(state);
        let taker = self.semantics.taker(state);
        let mut next = state.stack;
        let mut frames = 0;
        // A value is at the focus together with the frame that has a rule for it.
        if let (Focus::Value(_), Some(id)) = (state.focus, next) {
            let below = self.store.stacks[id];
            if below.frame.reduces() {
                tree.marks = Marks::default();
                tree = self.around(below.frame, tree);
                tree.marks.focus = true;
                next = below.rest;
            }
        }
        while let Some(id) = next {
            let below = self.store.stacks[id];
            if frames == self.limits.frames {
                tree = Tree::call(vec![Tree::atom("…"), tree]);
                break;
            }
            tree.marks.captured |= taker == next;
            tree = self.around(below.frame, tree);
            next = below.rest;
            frames += 1;
        }
        Text::of(&tree, self.limits.width)
    }

    /// A value as a run prints it: suspended computations as `{…}`, cells as `<ref>`.
    /// Its type says whether an empty list is a text.
    pub fn value(&mut self, value: Value, ty: &Type) -> String {
        self.left = self.limits.parts;
        self.is_opaque = true;
        let tree = self.typed(value, ty, 0);
        self.is_opaque = false;
        Text::of(&tree, usize::MAX).text
    }

    /// The handlers around the focus, the innermost first: a command meets them in this order.
    pub fn handlers(&mut self, state: &State) -> Vec<Handling> {
        let taker = self.semantics.taker(state);
        let mut handlers = Vec::new();
        let mut next = state.stack;
        while let Some(id) = next {
            let below = self.store.stacks[id];
            let interfaces: Vec<String> = match below.frame {
                Frame::Argument { head, done, .. } => {
                    let handled = self.semantics.handled(head, done);
                    handled
                        .map(|id| self.program.interfaces[id].name.clone())
                        .collect()
                }
                _ => Vec::new(),
            };
            if !interfaces.is_empty() {
                if handlers.len() == self.limits.frames {
                    break;
                }
                self.left = self.limits.parts;
                let tree = self.around(below.frame, Tree::atom(HOLE));
                handlers.push(Handling {
                    interfaces,
                    text: Text::of(&tree, usize::MAX).text,
                    takes: taker == Some(id),
                    captured: false,
                });
            }
            next = below.rest;
        }
        if let Some(taker) = handlers.iter().position(|handler| handler.takes) {
            for passed in handlers.iter_mut().take(taker) {
                passed.captured = true;
            }
        }
        handlers
    }

    /// A value in a line, as a part of a state; its type says whether an empty list is a text.
    pub fn brief(&mut self, value: Value, ty: &Type) -> String {
        self.left = self.limits.parts;
        let tree = self.typed(value, ty, 0);
        Text::of(&tree, usize::MAX).text
    }

    /// A call with the arguments that are done and, if it waits for one, a `□` for that, in a line.
    pub fn brief_call(&mut self, head: Value, done: Option<ArgsId>, waits: bool) -> String {
        self.left = self.limits.parts;
        let mut parts = vec![self.shown(head, 1)];
        for arg in self.store.list(done) {
            parts.push(self.arg(arg));
        }
        if waits {
            parts.push(Tree::atom(HOLE));
        }
        Text::of(&Tree::call(parts), usize::MAX).text
    }

    /// The command that is on its way to its handler, in a line.
    pub fn performed(&mut self, state: &State) -> Option<String> {
        matches!(state.focus, Focus::Command(_)).then(|| self.brief_focus(state))
    }

    /// What the next rule is about, in a line.
    pub fn brief_focus(&mut self, state: &State) -> String {
        self.left = self.limits.parts;
        let tree = match state.focus {
            Focus::Command(performed) => self.call(performed.written),
            _ => self.focus(state),
        };
        Text::of(&tree, usize::MAX).text
    }

    /// The name of a cell.
    pub fn cell(&self, index: usize) -> &str {
        self.cells.get(index).map_or("cell", String::as_str)
    }

    fn focus(&mut self, state: &State) -> Tree {
        let mut tree = match state.focus {
            Focus::Term(term, env) => self.term(term, env, 0),
            Focus::Value(value) => self.shown(value, 0),
            Focus::Done(value) => {
                let ty = self.program.entries.first().map(|entry| &entry.ty);
                self.typed(value, ty.unwrap_or(&Type::Unknown), 0)
            }
            Focus::Call(call) => self.call(call),
            Focus::Command(performed) => {
                let mut command = self.call(performed.written);
                command.marks.focus = true;
                let mut frozen = self.plug(performed.frozen, command);
                frozen.marks.frozen = true;
                return frozen;
            }
        };
        tree.marks.focus = true;
        tree
    }

    /// A call whose arguments are done.
    fn call(&mut self, call: Call) -> Tree {
        let mut parts = vec![self.shown(call.head, 1)];
        for arg in self.store.list(call.args) {
            parts.push(self.arg(arg));
        }
        Tree::call(parts)
    }

    fn arg(&mut self, arg: Arg) -> Tree {
        match arg {
            Arg::Value(value) => self.shown(value, 1),
            Arg::Paused(id) => {
                let mut tree = self.paused(self.store.paused[id]);
                tree.marks.frozen = true;
                tree
            }
        }
    }

    fn paused(&mut self, paused: Paused) -> Tree {
        let command = self.call(paused.written);
        self.plug(paused.frozen, command)
    }

    /// Frozen frames with something in their hole.
    fn plug(&mut self, frozen: Option<FrozenId>, hole: Tree) -> Tree {
        let mut tree = hole;
        for (count, frame) in self.store.frames(frozen).into_iter().rev().enumerate() {
            if count == self.limits.frames {
                return Tree::call(vec![Tree::atom("…"), tree]);
            }
            tree = self.around(frame, tree);
        }
        tree
    }

    /// A frame with something in its hole.
    fn around(&mut self, frame: Frame, hole: Tree) -> Tree {
        let kind = match (frame, &self.program.terms[frame.term()]) {
            (Frame::Head { env, .. }, Term::Apply { args, .. }) => {
                let mut parts = vec![hole];
                parts.extend(args.iter().map(|arg| self.term(*arg, env, 1)));
                Kind::Call(parts)
            }
            (
                Frame::Argument {
                    env, head, done, ..
                },
                Term::Apply { args, .. },
            ) => {
                let mut parts = vec![self.shown(head, 1)];
                for arg in self.store.list(done) {
                    parts.push(self.arg(arg));
                }
                parts.push(hole);
                let rest = args.iter().skip(self.store.count(done) + 1);
                parts.extend(rest.map(|arg| self.term(*arg, env, 1)));
                Kind::Call(parts)
            }
            (Frame::Part { env, done, .. }, Term::Construct { constructor, args }) => {
                let parts = self.around_part(args, env, done, hole);
                self.constructed(*constructor, parts)
            }
            (Frame::Part { env, done, .. }, Term::List(args)) => {
                Kind::List(self.around_part(args, env, done, hole))
            }
            (Frame::Adaptors { term, .. }, _) => Kind::Adapted(self.adaptors(term), Box::new(hole)),
            (Frame::Let { term, env }, Term::Let { local, body, .. }) => {
                let body = self.scoped(term, &[*local], |own| own.term(*body, env, 1));
                Kind::Let(self.name(term, *local), Box::new(hole), Box::new(body))
            }
            (Frame::Let { term, env }, Term::LetMatch { pattern, body, .. }) => {
                let body = self.scoped(term, &bound_by(pattern), |own| own.term(*body, env, 1));
                let pattern = self.value_pattern(term, pattern, 0);
                Kind::Let(pattern, Box::new(hole), Box::new(body))
            }
            (Frame::Sequence { env, .. }, Term::Sequence { second, .. }) => {
                let second = self.term(*second, env, 1);
                Kind::Sequence(Box::new(hole), Box::new(second))
            }
            (
                Frame::Left { env, .. },
                Term::Arithmetic {
                    operator, right, ..
                },
            ) => {
                let right = self.term(*right, env, 1);
                arithmetic(*operator, hole, right)
            }
            (
                Frame::Left { env, .. },
                Term::Compare {
                    operator, right, ..
                },
            ) => {
                let right = self.term(*right, env, 1);
                comparison(*operator, hole, right)
            }
            (Frame::Right { left, .. }, Term::Arithmetic { operator, .. }) => {
                arithmetic(*operator, self.shown(left, 1), hole)
            }
            (Frame::Right { left, .. }, Term::Compare { operator, .. }) => {
                comparison(*operator, self.shown(left, 1), hole)
            }
            (Frame::Negate { .. }, _) => Kind::Negate(Box::new(hole)),
            // No other frame stands for a term of another kind.
            _ => return hole,
        };
        Tree::new(kind)
    }

    fn around_part(
        &mut self,
        args: &[TermId],
        env: Option<EnvId>,
        done: Option<ArgsId>,
        hole: Tree,
    ) -> Vec<Tree> {
        let mut parts = Vec::with_capacity(args.len());
        for arg in self.store.list(done) {
            parts.push(self.arg(arg));
        }
        parts.push(hole);
        let rest = args.iter().skip(self.store.count(done) + 1);
        parts.extend(rest.map(|arg| self.term(*arg, env, 1)));
        parts
    }
}
