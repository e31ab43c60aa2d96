//! Trees on one line.

use std::ops::Range;

use super::tree::{Kind, Tree};

/// A state as Frank source, on one line. Ranges count characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    /// What the next rule is about.
    pub focus: Range<usize>,
    /// What has become, or becomes, a continuation.
    pub frozen: Vec<Range<usize>>,
}

/// What a place takes without parentheses: the weaker an operator binds, the lower its level.
type Level = u8;

const ANYTHING: Level = 0;
const LET: Level = 1;
const SEQUENCE: Level = 2;
const OPERAND: Level = 3;
const CONS: Level = 3;
const COMPARE: Level = 4;
const ADD: Level = 5;
const MULTIPLY: Level = 6;
const NEGATE: Level = 7;
const ADAPTED: Level = 8;
const CALL: Level = 9;
const ATOM: Level = 10;

impl Text {
    pub(super) fn of(tree: &Tree) -> Text {
        let mut writer = Writer::default();
        writer.tree(tree, ANYTHING);
        writer.out
    }
}

#[derive(Default)]
struct Writer {
    out: Text,
    /// Characters written so far.
    count: usize,
}

impl Writer {
    fn push(&mut self, text: &str) {
        self.count += text.chars().count();
        self.out.text.push_str(text);
    }

    /// Writes a tree where trees of at least a level need no parentheses. Trees are as deep as the limits allow.
    fn tree(&mut self, tree: &Tree, least: Level) {
        let start = self.count;
        let level = level(&tree.kind);
        let parenthesized = level < least;
        if parenthesized {
            self.push("(");
        }
        self.kind(&tree.kind);
        if parenthesized {
            self.push(")");
        }
        if tree.marks.focus {
            self.out.focus = start..self.count;
        }
        if tree.marks.frozen {
            self.out.frozen.push(start..self.count);
        }
    }

    fn kind(&mut self, kind: &Kind) {
        match kind {
            Kind::Atom(text) => self.push(text),
            Kind::Call(parts) => self.call(parts),
            Kind::Infix(sign, left, right) => {
                let level = level(kind);
                // `::` associates to the right, comparisons to none, all others to the left.
                let (before, after) = match *sign {
                    "::" => (level + 1, level),
                    _ => (level, level + 1),
                };
                self.tree(left, before);
                self.push(&format!(" {sign} "));
                self.tree(right, after);
            }
            Kind::Negate(operand) => {
                self.push("-");
                self.tree(operand, CALL);
            }
            Kind::Sequence(first, second) => {
                self.tree(first, SEQUENCE);
                self.push("; ");
                self.tree(second, LET);
            }
            Kind::Let(pattern, bound, body) => {
                self.push(&format!("let {pattern} = "));
                self.tree(bound, OPERAND);
                self.push(" in ");
                self.tree(body, ANYTHING);
            }
            Kind::Adapted(adaptors, body) => {
                self.push(&format!("<{adaptors}> "));
                self.tree(body, ATOM);
            }
            Kind::List(items) => {
                self.push("[");
                for (position, item) in items.iter().enumerate() {
                    if position > 0 {
                        self.push(", ");
                    }
                    self.tree(item, OPERAND);
                }
                self.push("]");
            }
            Kind::Braces(clauses) => {
                self.push("{");
                for (position, (patterns, body)) in clauses.iter().enumerate() {
                    if position > 0 {
                        self.push(" | ");
                    }
                    if !patterns.is_empty() {
                        self.push(&format!("{patterns} -> "));
                    }
                    self.tree(body, ANYTHING);
                }
                self.push("}");
            }
        }
    }

    fn call(&mut self, parts: &[Tree]) {
        for (position, part) in parts.iter().enumerate() {
            if position > 0 {
                self.push(" ");
            }
            self.tree(part, ATOM);
        }
        if let [_] = parts {
            self.push("!");
        }
    }
}

fn level(kind: &Kind) -> Level {
    match kind {
        Kind::Let(..) => LET,
        Kind::Sequence(..) => SEQUENCE,
        Kind::Infix(sign, ..) => match *sign {
            "::" => CONS,
            "+" | "-" => ADD,
            "*" | "/" => MULTIPLY,
            _ => COMPARE,
        },
        Kind::Negate(_) => NEGATE,
        Kind::Adapted(..) => ADAPTED,
        Kind::Call(parts) if parts.len() > 1 => CALL,
        Kind::Call(_) | Kind::Atom(_) | Kind::List(_) | Kind::Braces(_) => ATOM,
    }
}
