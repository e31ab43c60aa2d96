//! The typed view of one item.
//!
//! An [`Item`] says what an item means and nothing about where its parts stand: two texts that
//! differ in blanks and comments alone have equal items. Every part that a message may point at
//! carries a [`NodeId`]; the [`SourceMap`] beside the item turns it into a range. Parts that the
//! text lacks are there as `Missing`, so that whatever was written is kept.

pub mod tree;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::BuildHasherDefault;

use la_arena::{Arena, Idx};
use text_size::TextRange;
use ustr::Ustr;

/// An interned identifier. Comparing two is comparing two pointers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(Ustr);

/// A map by symbols. A symbol knows its hash since it was interned.
pub type SymbolMap<V> = HashMap<Symbol, V, BuildHasherDefault<ustr::IdentityHasher>>;

/// A set of symbols, as [`SymbolMap`].
pub type SymbolSet = HashSet<Symbol, BuildHasherDefault<ustr::IdentityHasher>>;

impl Symbol {
    /// Interns `text`.
    pub fn new(text: &str) -> Symbol {
        Symbol(Ustr::from(text))
    }

    /// The identifier's text.
    pub fn as_str(self) -> &'static str {
        self.0.as_str()
    }

    /// A number that depends on the text alone.
    pub fn number(self) -> u64 {
        self.0.precomputed_hash()
    }

    /// The name of the implicit effect variable, which `[]` in a parameter list also names.
    pub fn implicit_effect() -> Symbol {
        Symbol::new("ε")
    }

    /// True for `_`, which binds nothing and cannot be read.
    pub fn is_wildcard(self) -> bool {
        self.as_str() == "_"
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A part of an item that has a place in the text; an index into the item's [`SourceMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Where the parts of one item stand, relative to the item's first byte.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceMap {
    ranges: Vec<TextRange>,
}

impl SourceMap {
    /// An empty map that has room for so many nodes.
    pub(crate) fn with_capacity(nodes: usize) -> SourceMap {
        SourceMap {
            ranges: Vec::with_capacity(nodes),
        }
    }

    /// Records the range of a new node.
    pub fn push(&mut self, range: TextRange) -> NodeId {
        let id = NodeId(u32::try_from(self.ranges.len()).unwrap_or(u32::MAX));
        self.ranges.push(range);
        id
    }

    /// Changes the range of `node`, for a node whose end is known later than its start.
    pub(crate) fn set(&mut self, node: NodeId, range: TextRange) {
        if let Some(place) = self.ranges.get_mut(node.0 as usize) {
            *place = range;
        }
    }

    /// Changes the ranges of all nodes.
    pub(crate) fn change(&mut self, change: impl Fn(TextRange) -> TextRange) {
        for range in &mut self.ranges {
            *range = change(*range);
        }
    }

    /// The range of `node`, relative to the item's first byte; empty at the start for a node of
    /// another item.
    pub fn range(&self, node: NodeId) -> TextRange {
        self.ranges
            .get(node.0 as usize)
            .copied()
            .unwrap_or_default()
    }

    /// All nodes with their ranges.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, TextRange)> + '_ {
        self.ranges
            .iter()
            .enumerate()
            .map(|(i, range)| (NodeId(i as u32), *range))
    }
}

pub type TermId = Idx<Term>;
pub type PatternId = Idx<Pattern>;
pub type TypeId = Idx<TypeExpr>;

/// A name where it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    pub id: NodeId,
    pub symbol: Symbol,
}

/// One item of a file with everything in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The whole item, without the blanks and comments around it.
    pub id: NodeId,
    pub kind: ItemKind,
    pub terms: Arena<Term>,
    pub patterns: Arena<Pattern>,
    pub types: Arena<TypeExpr>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemKind {
    /// `data D X… = ctor | …`
    Data {
        name: Name,
        params: Vec<Param>,
        constructors: Vec<ConstructorDecl>,
    },
    /// `interface I X… = command | …`
    Interface {
        name: Name,
        params: Vec<Param>,
        commands: Vec<CommandDecl>,
    },
    /// `interface I X… = [J, …]`
    Alias {
        name: Name,
        params: Vec<Param>,
        instances: Vec<InstanceExpr>,
    },
    /// `include name`, the parts of the name joined by `-`.
    Include { name: Name },
    /// `f : …`; braces that were left out are there.
    Signature { name: Name, ty: CompType },
    /// `f p… = t` or `f! = t`
    Clause { name: Name, clause: Clause },
    /// A term on its own, as `frank eval` and the REPL take it.
    Term(TermId),
    /// Nothing that can be recognised; the parser reported why.
    Broken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    pub name: Name,
    pub kind: ParamKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// Stands for a value type.
    Value,
    /// Stands for an ability; written `[E]`, or `[]` for the implicit ε.
    Effect,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstructorDecl {
    pub id: NodeId,
    pub name: Name,
    pub args: Vec<TypeId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandDecl {
    pub id: NodeId,
    pub name: Name,
    pub params: Vec<Param>,
    pub args: Vec<TypeId>,
    pub result: TypeId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeExpr {
    pub id: NodeId,
    pub kind: TypeKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeKind {
    /// `D R…`, `X`, and the built-in `String`, `Int`, `Char`.
    Name {
        name: Name,
        args: Vec<TypeArg>,
        /// True for `(D)`, where a data type is meant even if a parameter has its name.
        parenthesised: bool,
    },
    Computation(CompType),
    Missing,
}

/// A computation type; `[Σ]{A -> B}` and `{A -> [Σ]B}` give the same one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompType {
    pub id: NodeId,
    pub ports: Vec<Port>,
    pub peg: Peg,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    pub id: NodeId,
    pub adjustments: Vec<Adjustment>,
    pub ty: TypeId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adjustment {
    Adaptor(AdaptorExpr),
    Instance(InstanceExpr),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peg {
    /// `None` where no ability is written, which means `[ε|]`.
    pub ability: Option<AbilityExpr>,
    pub ty: TypeId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbilityExpr {
    pub id: NodeId,
    pub tail: Tail,
    pub instances: Vec<InstanceExpr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// `[0]` and `[0|…]`
    Closed,
    /// No tail is written: the implicit ε.
    Implicit,
    /// `[E|…]`
    Named(Name),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstanceExpr {
    pub id: NodeId,
    pub interface: Name,
    pub args: Vec<TypeArg>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeArg {
    Type(TypeId),
    Ability(AbilityExpr),
}

/// `I` or `I(s a b -> s b a)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdaptorExpr {
    pub id: NodeId,
    pub interface: Name,
    /// `None` for the bare `I`, which is `I(s x -> s)`.
    pub shape: Option<AdaptorShape>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdaptorShape {
    /// The name of the rest, on the left.
    pub rest: Name,
    /// The names of the right-most instances, the active one last.
    pub left: Vec<Name>,
    /// Everything on the right, the rest included.
    pub right: Vec<Name>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The term without parentheses around it.
    pub id: NodeId,
    pub kind: TermKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermKind {
    Name(Name),
    /// `f x…`, and `f!` with no arguments.
    Apply {
        head: TermId,
        args: Vec<TermId>,
    },
    /// `<adaptors> body`
    Adapted {
        adaptors: Vec<AdaptorExpr>,
        body: TermId,
    },
    Let {
        name: Name,
        bound: TermId,
        body: TermId,
    },
    /// `first; second`
    Sequence {
        first: TermId,
        second: TermId,
    },
    /// `operator_id` is the place of the operator's symbol.
    Binary {
        operator: BinaryOperator,
        operator_id: NodeId,
        left: TermId,
        right: TermId,
    },
    Negate(TermId),
    /// `{clause | …}`
    Thunk {
        clauses: Vec<Clause>,
    },
    /// A natural number; `None` if it does not fit in 64 bits.
    Natural(Option<u64>),
    Float(FloatBits),
    Char(char),
    String(String),
    List(Vec<TermId>),
    Missing,
}

/// A float literal, compared by its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatBits(pub u64);

impl FloatBits {
    pub fn new(value: f64) -> FloatBits {
        FloatBits(value.to_bits())
    }

    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    Cons,
}

impl BinaryOperator {
    /// The operator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Less => "<",
            BinaryOperator::Greater => ">",
            BinaryOperator::LessEqual => "<=",
            BinaryOperator::GreaterEqual => ">=",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Cons => "::",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    pub id: NodeId,
    /// Empty for `!`, and for a clause in braces that has no patterns.
    pub patterns: Vec<PatternId>,
    pub body: TermId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    pub id: NodeId,
    pub kind: PatternKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternKind {
    /// A variable, `_`, or a constructor without arguments.
    Name(Name),
    /// `(c p…)`
    Constructor {
        name: Name,
        args: Vec<PatternId>,
    },
    /// A number with its sign; `None` if it does not fit in 64 bits.
    Integer(Option<i64>),
    Char(char),
    String(String),
    List(Vec<PatternId>),
    /// `(head :: tail)`
    Cons {
        head: PatternId,
        tail: PatternId,
    },
    /// `<c.index p… -> k>`
    Command {
        name: Name,
        index: u32,
        args: Vec<PatternId>,
        continuation: Name,
    },
    /// `<m>`
    CatchAll(Name),
    Missing,
}
