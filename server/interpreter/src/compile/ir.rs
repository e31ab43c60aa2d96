//! The form between terms and instructions: blocks of simple statements over variables.
//!
//! Blocks form a tree. A block is used by one predecessor, except a join, which is in scope in
//! the part of the tree that its [`End::With`] opens and may be jumped to from anywhere there.
//! Every variable is assigned once.

use frank_core::{Arithmetic, Builtin, Comparison, Effect, Number};

use super::context::ContextId;
use crate::value::Value;

pub(super) type Var = u32;
pub(super) type BlockId = usize;

/// Where an argument before the last of a known handler's call is: see [`super::states`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The handler, by what is known under it.
    pub under: ContextId,
    /// How many handlers a command passes on its way from here to that one.
    pub depth: u16,
    pub index: u16,
}

/// Where the handler stands whose clause is at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeper {
    /// It is known: how many handlers a command passes on its way there.
    Known(u16),
    /// The machine has found it for the command; the region is the clause's.
    Found(usize),
}

#[derive(Debug, Clone)]
pub(super) enum Statement {
    Static {
        to: Var,
        id: u32,
    },
    Arithmetic {
        to: Var,
        operator: Arithmetic,
        number: Number,
        a: Var,
        b: Var,
    },
    Negate {
        to: Var,
        number: Number,
        a: Var,
    },
    Compare {
        to: Var,
        operator: Comparison,
        number: Number,
        a: Var,
        b: Var,
    },
    Construct {
        to: Var,
        constructor: u32,
        args: Vec<Var>,
    },
    Closure {
        to: Var,
        function: u32,
        captured: Vec<Var>,
    },
    /// All fields of an object, in order.
    Project {
        of: Var,
        fields: Vec<Var>,
    },
    Builtin {
        to: Var,
        builtin: Builtin,
        args: Vec<Var>,
    },
    Reverse {
        to: Var,
        list: Var,
    },
    CatchAll {
        to: Var,
        from: Var,
    },
    PausedArgs {
        of: Var,
        args: Vec<Var>,
    },
    PausedContinuation {
        to: Var,
        from: Var,
    },

    Call {
        to: Var,
        function: u32,
        args: Vec<Var>,
    },
    Apply {
        to: Var,
        head: Var,
        args: Vec<Var>,
    },
    Perform {
        to: Var,
        command: u32,
        args: Vec<Var>,
    },
    /// A cell made, read or written by the machine itself.
    NewCell {
        to: Var,
        from: Var,
    },
    ReadCell {
        to: Var,
        cell: Var,
    },
    WriteCell {
        to: Var,
        cell: Var,
        from: Var,
    },
    /// No clause matches, but `abort` may be handled, and resumed.
    Fail {
        to: Var,
        operator: u32,
        values: Vec<Var>,
    },

    /// An argument before the last of a known handler's call, as it is now. If `takes`, nobody looks at it there before
    /// it is written again.
    ReadState {
        to: Var,
        state: State,
        takes: bool,
    },
    WriteState {
        state: State,
        from: Var,
    },
    /// Counts what a command costs whose clause stands in its place.
    Step,
    Done {
        to: Var,
        index: u16,
    },
    /// The call that follows runs a handler's clauses for a command that goes to it, as if the machine had found it.
    Handling {
        depth: u16,
        slot: u16,
        index: u16,
    },
    Begin,
    SetDone {
        index: u16,
        from: Var,
        region: usize,
    },
    Under,
    /// Drops what stands above a known handler, and its call: what follows is computed where that call was. A command
    /// passes `depth` others on its way there.
    Unwind {
        depth: u16,
    },
    /// `region` is that of the clause that began in place, if it did.
    Capture {
        to: Option<Var>,
        region: Option<usize>,
    },
}

#[derive(Debug, Clone)]
pub(super) enum End {
    /// The block is still being written.
    Open,
    Return(Var),
    Jump {
        join: BlockId,
        args: Vec<Var>,
    },
    /// Opens the scope of a join.
    With {
        join: BlockId,
        inner: BlockId,
    },
    /// Made by the clean-up: what follows is that block, which nothing else leads to.
    Continue(BlockId),
    Switch {
        of: Var,
        cases: Cases,
    },
    /// Made by the clean-up, of a comparison and a switch on it.
    Branch {
        operator: Comparison,
        number: Number,
        a: Var,
        b: Var,
        yes: BlockId,
        no: BlockId,
    },
    TailCall {
        function: u32,
        args: Vec<Var>,
    },
    TailApply {
        head: Var,
        args: Vec<Var>,
    },
    TailPerform {
        command: u32,
        args: Vec<Var>,
    },
    Handle {
        port: u32,
        done: Vec<Var>,
        inner: BlockId,
        after: Option<BlockId>,
    },
    Pause {
        port: u32,
        inner: BlockId,
        after: BlockId,
    },
    Adapt {
        port: u32,
        inner: BlockId,
        after: Option<BlockId>,
    },
    EnterPort {
        head: Var,
        index: u16,
        inner: BlockId,
        after: BlockId,
    },
    LeavePort {
        head: Var,
        index: u16,
        value: Var,
        after: BlockId,
    },
    /// What a clause does when its resumption is over is left below its handler, and `inner` goes on at once.
    Rest {
        keeper: Keeper,
        inner: BlockId,
        after: BlockId,
    },
    Fail {
        operator: u32,
        values: Vec<Var>,
    },
    Reinstall {
        port: u32,
        args: Vec<Var>,
    },
    Pack {
        command: u32,
        args: Vec<Var>,
    },
    WindowReturn(Var),
    WindowLeave,
}

/// The cases of a switch. A block that is absent is never reached: the pattern is irrefutable.
#[derive(Debug, Clone)]
pub(super) enum Cases {
    Constructor {
        /// Constructor and block.
        cases: Vec<(u32, BlockId)>,
        default: Option<BlockId>,
    },
    /// Characters and integers.
    Word {
        cases: Vec<(Literal, BlockId)>,
        default: BlockId,
    },
    Float {
        value: f64,
        equal: BlockId,
        default: BlockId,
    },
    String {
        id: u32,
        equal: BlockId,
        default: BlockId,
    },
    /// Whether an argument is paused, and at what: command, instance.
    Paused {
        finished: BlockId,
        cases: Vec<((u32, u16), BlockId)>,
        default: BlockId,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Literal {
    Char(char),
    Int(i64),
}

/// What is known of a variable from its assignment alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Unknown,
    /// Never a pointer.
    Plain,
    Constant(Value),
    /// A constant that no word holds, by its static's id.
    Static(u32),
}

#[derive(Debug, Clone)]
pub(super) struct Placed<T> {
    pub what: T,
    pub debug: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Block {
    pub parameters: Vec<Var>,
    pub statements: Vec<Placed<Statement>>,
    pub end: Placed<End>,
}

/// A function in this form.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub parameters: Vec<Var>,
    pub blocks: Vec<Block>,
    pub entry: BlockId,
    pub kinds: Vec<Kind>,
    /// For each clause that resumes in place whether it calls, so that it needs a mark.
    pub regions: Vec<Region>,
    pub debug: u32,
}

impl Body {
    pub fn kind(&self, v: Var) -> Kind {
        self.kinds.get(v as usize).copied().unwrap_or(Kind::Unknown)
    }

    /// The blocks that something leads to, each after the one that does.
    pub fn reached(&self) -> Vec<BlockId> {
        let mut seen = vec![false; self.blocks.len()];
        let mut order = Vec::new();
        let mut queue = vec![self.entry];
        while let Some(block) = queue.pop() {
            if std::mem::replace(at(&mut seen, block), true) {
                continue;
            }
            order.push(block);
            if let Some(block) = self.blocks.get(block) {
                successors(&block.end.what, &mut |next| queue.push(next));
            }
        }
        order
    }
}

/// A clause that resumes in place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Region {
    pub calls: bool,
    pub captures: bool,
}

impl Statement {
    /// The variable it assigns, if it is one.
    pub fn target(&self) -> Option<Var> {
        match self {
            Statement::Static { to, .. }
            | Statement::Arithmetic { to, .. }
            | Statement::Negate { to, .. }
            | Statement::Compare { to, .. }
            | Statement::Construct { to, .. }
            | Statement::Closure { to, .. }
            | Statement::Builtin { to, .. }
            | Statement::Reverse { to, .. }
            | Statement::CatchAll { to, .. }
            | Statement::PausedContinuation { to, .. }
            | Statement::Call { to, .. }
            | Statement::Apply { to, .. }
            | Statement::Perform { to, .. }
            | Statement::NewCell { to, .. }
            | Statement::ReadCell { to, .. }
            | Statement::WriteCell { to, .. }
            | Statement::Fail { to, .. }
            | Statement::ReadState { to, .. }
            | Statement::Done { to, .. } => Some(*to),
            Statement::Capture { to, .. } => *to,
            _ => None,
        }
    }

    /// All variables it assigns.
    pub fn targets(&self) -> Vec<Var> {
        match self {
            Statement::Project { fields: many, .. } | Statement::PausedArgs { args: many, .. } => {
                many.clone()
            }
            other => other.target().into_iter().collect(),
        }
    }

    /// The variables it reads, with repetitions.
    pub fn operands(&mut self) -> Vec<&mut Var> {
        match self {
            Statement::Static { .. }
            | Statement::ReadState { .. }
            | Statement::Done { .. }
            | Statement::Step
            | Statement::Handling { .. }
            | Statement::Begin
            | Statement::Under
            | Statement::Unwind { .. }
            | Statement::Capture { .. } => Vec::new(),
            Statement::Arithmetic { a, b, .. } | Statement::Compare { a, b, .. } => vec![a, b],
            Statement::Negate { a, .. } => vec![a],
            Statement::Construct { args, .. }
            | Statement::Closure { captured: args, .. }
            | Statement::Builtin { args, .. }
            | Statement::Call { args, .. }
            | Statement::Perform { args, .. }
            | Statement::Fail { values: args, .. } => args.iter_mut().collect(),
            Statement::Apply { head, args, .. } => std::iter::once(head).chain(args).collect(),
            Statement::Project { of, .. } | Statement::PausedArgs { of, .. } => vec![of],
            Statement::WriteCell { cell, from, .. } => vec![cell, from],
            Statement::NewCell { from, .. }
            | Statement::ReadCell { cell: from, .. }
            | Statement::Reverse { list: from, .. }
            | Statement::CatchAll { from, .. }
            | Statement::PausedContinuation { from, .. }
            | Statement::WriteState { from, .. }
            | Statement::SetDone { from, .. } => vec![from],
        }
    }

    /// Whether its only effect is to assign variables.
    pub fn is_pure(&self) -> bool {
        match self {
            Statement::Arithmetic { number, .. } => *number == Number::Float,
            Statement::Negate { number, .. } => *number == Number::Float,
            Statement::Static { .. }
            | Statement::Compare { .. }
            | Statement::Construct { .. }
            | Statement::Closure { .. }
            | Statement::Project { .. }
            | Statement::Reverse { .. }
            | Statement::CatchAll { .. }
            | Statement::PausedArgs { .. }
            | Statement::PausedContinuation { .. }
            | Statement::ReadState { .. }
            | Statement::Done { .. } => true,
            Statement::Builtin { builtin, .. } => builtin.effect() == Effect::Pure,
            _ => false,
        }
    }

    /// Whether states of handlers may be looked at there, or other handlers are seen behind it.
    pub fn looks_at_states(&self) -> bool {
        self.is_call()
            || matches!(
                self,
                Statement::Begin
                    | Statement::Under
                    | Statement::SetDone { .. }
                    | Statement::Capture { .. }
            )
    }

    /// Whether it may run code of other functions, so that registers do not survive it.
    pub fn is_call(&self) -> bool {
        matches!(
            self,
            Statement::Call { .. }
                | Statement::Apply { .. }
                | Statement::Perform { .. }
                | Statement::Fail { .. }
        )
    }
}

impl End {
    pub fn operands(&mut self) -> Vec<&mut Var> {
        match self {
            End::Return(v) | End::WindowReturn(v) => vec![v],
            End::Jump { args, .. }
            | End::TailCall { args, .. }
            | End::TailPerform { args, .. }
            | End::Reinstall { args, .. }
            | End::Pack { args, .. }
            | End::Fail { values: args, .. }
            | End::Handle { done: args, .. } => args.iter_mut().collect(),
            End::TailApply { head, args } => std::iter::once(head).chain(args).collect(),
            End::Switch { of, .. } => vec![of],
            End::Branch { a, b, .. } => vec![a, b],
            End::EnterPort { head, .. } => vec![head],
            End::LeavePort { head, value, .. } => vec![head, value],
            End::Open
            | End::With { .. }
            | End::Continue(_)
            | End::Pause { .. }
            | End::Adapt { .. }
            | End::Rest { .. }
            | End::WindowLeave => Vec::new(),
        }
    }
}

/// The blocks that an end leads to, joins that it jumps to not included.
pub(super) fn successors(end: &End, visit: &mut dyn FnMut(BlockId)) {
    match end {
        End::With { join, inner } => {
            visit(*inner);
            visit(*join);
        }
        End::Continue(next) => visit(*next),
        End::Switch { cases, .. } => match cases {
            Cases::Constructor { cases, default } => {
                cases.iter().for_each(|(_, b)| visit(*b));
                default.iter().for_each(|b| visit(*b));
            }
            Cases::Word { cases, default } => {
                cases.iter().for_each(|(_, b)| visit(*b));
                visit(*default);
            }
            Cases::Float { equal, default, .. } | Cases::String { equal, default, .. } => {
                visit(*equal);
                visit(*default);
            }
            Cases::Paused {
                finished,
                cases,
                default,
            } => {
                visit(*finished);
                cases.iter().for_each(|(_, b)| visit(*b));
                visit(*default);
            }
        },
        End::Branch { yes, no, .. } => {
            visit(*yes);
            visit(*no);
        }
        End::Handle { inner, after, .. } | End::Adapt { inner, after, .. } => {
            visit(*inner);
            after.iter().for_each(|b| visit(*b));
        }
        End::Pause { inner, after, .. }
        | End::EnterPort { inner, after, .. }
        | End::Rest { inner, after, .. } => {
            visit(*inner);
            visit(*after);
        }
        _ => {}
    }
}

/// What is kept for a block or a variable of a body.
pub(super) fn at<T>(items: &mut [T], index: usize) -> &mut T {
    // `items` has one for each of the body's.
    #[allow(clippy::indexing_slicing)]
    &mut items[index]
}
