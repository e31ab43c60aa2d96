//! Terms as they are written, with what is marked in them.

use std::collections::HashSet;

/// A part of a term.
#[derive(Debug)]
pub(super) struct Tree {
    pub kind: Kind,
    pub marks: Marks,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub focus: bool,
    pub frozen: bool,
    pub captured: bool,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// What never needs parentheses.
    Atom(String),
    /// A head with its arguments; a head alone is forced: `f!`.
    Call(Vec<Tree>),
    Infix(&'static str, Box<Tree>, Box<Tree>),
    Negate(Box<Tree>),
    Sequence(Box<Tree>, Box<Tree>),
    Let(String, Box<Tree>, Box<Tree>),
    Adapted(String, Box<Tree>),
    List(Vec<Tree>),
    /// The patterns and the body of each clause.
    Braces(Vec<(String, Tree)>),
    /// What its result is called, and the argument that it is the rest of, in parentheses as it stood.
    Continuation(String, Box<Tree>),
}

impl Tree {
    pub fn new(kind: Kind) -> Tree {
        let marks = Marks::default();
        Tree { kind, marks }
    }

    pub fn atom(text: &str) -> Tree {
        Tree::new(Kind::Atom(text.to_owned()))
    }

    pub fn call(parts: Vec<Tree>) -> Tree {
        Tree::new(Kind::Call(parts))
    }

    /// All that is written without parts.
    pub fn atoms(&self) -> HashSet<&str> {
        let mut found = HashSet::new();
        let mut waiting = vec![self];
        while let Some(tree) = waiting.pop() {
            if let Kind::Atom(text) = &tree.kind {
                found.insert(text.as_str());
            }
            waiting.extend(tree.parts());
        }
        found
    }

    /// Puts a name where a hole is.
    pub fn fill(&mut self, hole: &str, name: &str) {
        let mut waiting = vec![self];
        while let Some(tree) = waiting.pop() {
            match &mut tree.kind {
                Kind::Atom(text) if text == hole => *text = name.to_owned(),
                Kind::Atom(_) => {}
                Kind::Call(parts) | Kind::List(parts) => waiting.extend(parts),
                Kind::Infix(_, first, second)
                | Kind::Sequence(first, second)
                | Kind::Let(_, first, second) => waiting.extend([&mut **first, &mut **second]),
                Kind::Negate(part) | Kind::Adapted(_, part) | Kind::Continuation(_, part) => {
                    waiting.push(part);
                }
                Kind::Braces(clauses) => waiting.extend(clauses.iter_mut().map(|(_, body)| body)),
            }
        }
    }

    fn parts(&self) -> Vec<&Tree> {
        match &self.kind {
            Kind::Atom(_) => Vec::new(),
            Kind::Call(parts) | Kind::List(parts) => parts.iter().collect(),
            Kind::Infix(_, first, second)
            | Kind::Sequence(first, second)
            | Kind::Let(_, first, second) => vec![first, second],
            Kind::Negate(part) | Kind::Adapted(_, part) | Kind::Continuation(_, part) => vec![part],
            Kind::Braces(clauses) => clauses.iter().map(|(_, body)| body).collect(),
        }
    }
}
