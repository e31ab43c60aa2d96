//! What stands between the segments of the stack, and how a command is with its handler.
//!
//! The layout is fixed where machine code looks at it: see `backend.rs`.

use crate::value::Value;

/// A handler or adaptor that has been entered.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The interface it adds an instance of, if that is all it does; as its port says.
    pub interface: u32,
    /// Its port; `NONE` for a node that only leads elsewhere.
    pub port: u32,
    /// How many of the nodes below it cannot be seen from it: those that a clause which resumes
    /// in place stands on, but not under.
    pub skip: u32,
    /// A finished argument enters the operator, with the arguments before it from the frame `k`
    /// if there are any. If not, the value returns to `k`, and a paused argument, too.
    pub direct: bool,
    /// There are no arguments before it, so `k` is where the call itself returns to.
    pub entered: bool,
    /// The frames of the segment below, and what follows them.
    pub k: Value,
    pub u: Value,
}

/// Where in a [`Node`] lies what machine code looks at, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct NodeLayout {
    pub interface: usize,
    pub port: usize,
    pub skip: usize,
    pub direct: usize,
    pub entered: usize,
    pub k: usize,
}

impl Node {
    /// For back ends.
    pub const LAYOUT: NodeLayout = NodeLayout {
        interface: std::mem::offset_of!(Node, interface),
        port: std::mem::offset_of!(Node, port),
        skip: std::mem::offset_of!(Node, skip),
        direct: std::mem::offset_of!(Node, direct),
        entered: std::mem::offset_of!(Node, entered),
        k: std::mem::offset_of!(Node, k),
    };
}

/// The node that handles a command.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    pub node: usize,
    /// Which of the instances that its port adds is meant.
    pub slot: usize,
    /// The index that the command came with.
    pub index: u32,
}

/// How to go on when a clause in the window ends.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Where its value goes; `NONE` if the command is in tail position.
    pub site: u32,
    /// Where the command's clauses begin outside of the window.
    pub function: u32,
    pub count: u8,
}
