//! A random graph of smooth operations, the same in every run, as a Frank program and in Rust.

use std::fmt::Write;

use crate::native::Number;

/// How many operations the graph has.
pub const OPERATIONS: u64 = 300;
/// How far back operands are sought.
const REACH: u64 = 12;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Plus,
    Times,
    Sine,
}

/// An operation and which of the numbers before it are its operands.
pub struct Node {
    operation: Operation,
    operands: [usize; 2],
}

/// The nodes in order; the first number is the graph's variable.
pub fn graph() -> Vec<Node> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) % below
    };
    let mut nodes = Vec::new();
    for i in 0..OPERATIONS {
        // A sum is the operand of a sine, so that numbers stay small.
        let operation = match nodes.last() {
            Some(Node {
                operation: Operation::Plus,
                ..
            }) => Operation::Sine,
            _ if i + 1 == OPERATIONS => Operation::Sine,
            _ => [Operation::Plus, Operation::Times, Operation::Sine][random(3) as usize],
        };
        let mut operand = || (i - random(REACH.min(i + 1))) as usize;
        let mut operands = [operand(), operand()];
        if operation == Operation::Sine {
            operands = [i as usize; 2];
        }
        nodes.push(Node {
            operation,
            operands,
        });
    }
    nodes
}

/// The sum of what the graph gives, so many times, at the same number. On what it gave it would
/// come to rest, and its derivative would vanish.
pub fn frank() -> String {
    let mut text = String::from(
        "include ad\n\n\
         graphs : Int -> X -> [Smooth X] X\n\
         graphs n x = graphsFrom n x (c 0)\n\n\
         graphsFrom : Int -> X -> X -> [Smooth X] X\n\
         graphsFrom 0 x sum = sum\n\
         graphsFrom n x sum = graphsFrom (n - 1) x (p sum (graph x))\n\n\
         graph : X -> [Smooth X] X\n\
         graph x0 =\n",
    );
    let nodes = graph();
    for (i, node) in nodes.iter().enumerate() {
        let [a, b] = node.operands;
        let term = match node.operation {
            Operation::Plus => format!("p x{a} x{b}"),
            Operation::Times => format!("t x{a} x{b}"),
            Operation::Sine => format!("sinS x{a}"),
        };
        let _ = writeln!(text, "  let x{} = {term} in", i + 1);
    }
    let _ = writeln!(text, "  x{}", nodes.len());
    text
}

/// The same in Rust.
pub fn evaluate<T: Number>(nodes: &[Node], rounds: u64, x: T) -> T {
    let mut values = vec![x; nodes.len() + 1];
    let mut sum = x.constant(0.0);
    for _ in 0..rounds {
        for (i, node) in nodes.iter().enumerate() {
            let (a, b) = (values[node.operands[0]], values[node.operands[1]]);
            values[i + 1] = match node.operation {
                Operation::Plus => a + b,
                Operation::Times => a * b,
                Operation::Sine => a.sine(),
            };
        }
        sum = sum + values[nodes.len()];
    }
    sum
}
