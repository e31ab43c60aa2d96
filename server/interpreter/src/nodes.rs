//! What stands between the segments of the stack, and how a command is with its handler.
//!
//! The layout is fixed where machine code looks at it: see `backend.rs`.

use std::collections::TryReserveError;
use std::ops::{Deref, DerefMut};

use crate::room::reserve;
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

/// The nodes of a stack, the innermost last. There is room for more, which machine code fills itself.
#[derive(Debug, Default)]
pub struct Nodes {
    room: Vec<Node>,
    count: usize,
}

impl Nodes {
    /// All that there is room for.
    pub fn room(&mut self) -> &mut [Node] {
        &mut self.room
    }

    /// Of how many there is room.
    #[inline(always)]
    pub fn granted(&self) -> usize {
        self.room.len()
    }

    /// Makes room for so many; there will never be more than `most`.
    pub fn grant(&mut self, wanted: usize, most: usize) -> Result<(), TryReserveError> {
        reserve(&mut self.room, wanted, most)?;
        self.room.resize(wanted, Node::NONE);
        Ok(())
    }

    /// There are so many of those that there is room for.
    pub fn set_count(&mut self, count: usize) {
        self.count = count.min(self.room.len());
    }

    /// Another one, for which there is room.
    #[inline(always)]
    pub fn push(&mut self, node: Node) {
        if let Some(next) = self.room.get_mut(self.count) {
            *next = node;
            self.count += 1;
        }
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<Node> {
        let last = self.last().copied()?;
        self.count -= 1;
        Some(last)
    }

    #[inline(always)]
    pub fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }
}

impl Deref for Nodes {
    type Target = [Node];

    #[inline(always)]
    fn deref(&self) -> &[Node] {
        self.room.get(..self.count).unwrap_or_default()
    }
}

impl DerefMut for Nodes {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Node] {
        self.room.get_mut(..self.count).unwrap_or_default()
    }
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
    pub u: usize,
}

impl Node {
    /// What stands where there is room for one.
    const NONE: Node = Node {
        interface: 0,
        port: 0,
        skip: 0,
        direct: false,
        entered: false,
        k: Value::BOTTOM,
        u: Value::BOTTOM,
    };

    /// For back ends.
    pub const LAYOUT: NodeLayout = NodeLayout {
        interface: std::mem::offset_of!(Node, interface),
        port: std::mem::offset_of!(Node, port),
        skip: std::mem::offset_of!(Node, skip),
        direct: std::mem::offset_of!(Node, direct),
        entered: std::mem::offset_of!(Node, entered),
        k: std::mem::offset_of!(Node, k),
        u: std::mem::offset_of!(Node, u),
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
