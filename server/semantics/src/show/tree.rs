//! Terms as they are written, with what is marked in them.

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
}
