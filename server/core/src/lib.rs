//! The typed core: what the front end makes of a checked program, and what the interpreter runs.
//!
//! A [`Program`] holds all that one or several entries can reach. Names are resolved to ids,
//! number types and adaptors are decided, sugar is gone. It refers to nothing of the front end.
//!
//! | What | Where |
//! |---|---|
//! | operators with their clauses, or computed by the interpreter | [`Operator`], [`Handler`], [`Builtin`] |
//! | terms: all of them in one arena, so that dropping or comparing a program never recurses | [`Term`], [`Program::terms`] |
//! | patterns of values, of commands, and catch-alls | [`Pattern`], [`ValuePattern`] |
//! | data types and interfaces | [`Data`], [`Constructor`], [`Interface`], [`Command`] |
//! | what a port changes in the ability | [`Port`], [`Adjustment`], [`Renaming`] |
//! | what is run | [`Entry`] |
//! | where things stand in the text | [`Place`], [`File`] |
//! | what things were called | [`Written`] |
//!
//! # Example
//!
//! The term `1 + 2` as an entry:
//!
//! ```
//! use frank_core::{Arithmetic, Entry, Number, Program, Term, Type};
//!
//! let mut program = Program::default();
//! let left = program.terms.alloc(Term::Int(1));
//! let right = program.terms.alloc(Term::Int(2));
//! let sum = program.terms.alloc(Term::Arithmetic {
//!     operator: Arithmetic::Add,
//!     number: Number::Int,
//!     left,
//!     right,
//! });
//! program.entries.push(Entry {
//!     name: "sum".to_owned(),
//!     term: sum,
//!     ty: Type::Int,
//!     locals: 0,
//! });
//!
//! let mut parts = Vec::new();
//! program.direct_parts(sum, &mut |part| parts.push(part));
//! assert_eq!(parts, [left, right]);
//! ```

mod builtin;
mod outside;

use std::collections::HashSet;

use la_arena::{Arena, ArenaMap, Idx};
use serde::{Deserialize, Serialize};

pub use builtin::{Builtin, BuiltinType, Effect};
pub use outside::Outside;

pub type TermId = Idx<Term>;
pub type OperatorId = Idx<Operator>;
pub type DataId = Idx<Data>;
pub type ConstructorId = Idx<Constructor>;
pub type InterfaceId = Idx<Interface>;
pub type CommandId = Idx<Command>;
pub type FileId = Idx<File>;

/// All that one or several entries can reach.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub files: Arena<File>,
    pub data: Arena<Data>,
    pub constructors: Arena<Constructor>,
    pub interfaces: Arena<Interface>,
    pub commands: Arena<Command>,
    pub operators: Arena<Operator>,
    pub terms: Arena<Term>,
    /// Where each term stands, for messages and hooks.
    pub places: ArenaMap<TermId, Place>,
    pub entries: Vec<Entry>,
    /// What the machine itself must know by meaning, not by name.
    pub known: Known,
    /// For who shows the program; no machine needs it.
    pub written: Written,
}

impl Program {
    /// The constructors whose values are matched by a pattern of another one because they stand
    /// for it.
    pub fn standing_for(&self, id: ConstructorId) -> impl Iterator<Item = ConstructorId> + '_ {
        let standing = self.data[self.constructors[id].data].standing.iter();
        let standing = standing.filter(move |(_, other)| *other == id);
        standing.map(|(own, _)| *own)
    }

    /// The constructor as which values of one are printed.
    pub fn shown_as(&self, id: ConstructorId) -> ConstructorId {
        let standing = &self.data[self.constructors[id].data].standing;
        let other = standing.iter().find(|(own, _)| *own == id);
        other.map_or(id, |(_, other)| *other)
    }

    /// Visits the terms directly below a term, those in a thunk's clauses not included.
    pub fn direct_parts(&self, term: TermId, visit: &mut dyn FnMut(TermId)) {
        match &self.terms[term] {
            Term::Int(_)
            | Term::Float(_)
            | Term::Char(_)
            | Term::String(_)
            | Term::Local(_)
            | Term::Operator(_)
            | Term::Command(_)
            | Term::Hole { .. }
            | Term::Thunk(_) => {}
            Term::Construct { args, .. } | Term::List(args) => args.iter().for_each(|t| visit(*t)),
            Term::Apply { head, args } => {
                visit(*head);
                args.iter().for_each(|t| visit(*t));
            }
            Term::Adapted { body, .. } => visit(*body),
            Term::Let { bound, body, .. } | Term::LetMatch { bound, body, .. } => {
                visit(*bound);
                visit(*body);
            }
            Term::Sequence { first, second } => {
                visit(*first);
                visit(*second);
            }
            Term::Arithmetic { left, right, .. } | Term::Compare { left, right, .. } => {
                visit(*left);
                visit(*right);
            }
            Term::Negate { operand, .. } => visit(*operand),
        }
    }

    /// Visits the terms directly below a term, with the bodies of a thunk's clauses.
    pub fn parts(&self, term: TermId, visit: &mut dyn FnMut(TermId)) {
        if let Term::Thunk(handler) = &self.terms[term] {
            for clause in &handler.clauses {
                visit(clause.body);
            }
        }
        self.direct_parts(term, visit);
    }

    /// The operators that a handler mentions, in no order.
    pub fn operators_in(&self, handler: &Handler) -> HashSet<OperatorId> {
        let mut found = HashSet::new();
        let mut queue: Vec<TermId> = handler.clauses.iter().map(|clause| clause.body).collect();
        while let Some(term) = queue.pop() {
            if let Term::Operator(id) = &self.terms[term] {
                found.insert(*id);
            }
            self.parts(term, &mut |t| queue.push(t));
        }
        found
    }
}

/// Something that can be run from outside.
#[derive(Debug, Clone)]
pub struct Entry {
    pub name: String,
    /// A closed term, evaluated under the host's handlers.
    pub term: TermId,
    /// Its type, by which its value is printed.
    pub ty: Type,
    /// How many locals the term binds; they are numbered from zero.
    pub locals: u32,
}

/// How the parts of a program were written, where the rest of it does not say so.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// The names of an operator's locals, by their numbers.
    pub operators: ArenaMap<OperatorId, Vec<String>>,
    /// The names of each entry's locals.
    pub entries: Vec<Vec<String>>,
    /// The variables of each entry that is a law, a computation that takes them; none of another entry.
    pub variables: Vec<Vec<(String, Type)>>,
    /// What stands between the angles of [`Term::Adapted`].
    pub adaptors: ArenaMap<TermId, String>,
}

/// The definitions of the built-in library that the machine makes values of or answers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known {
    pub list: Option<DataId>,
    pub nil: Option<ConstructorId>,
    pub cons: Option<ConstructorId>,
    pub unit: Option<ConstructorId>,
    pub true_: Option<ConstructorId>,
    pub false_: Option<ConstructorId>,
    pub inch: Option<CommandId>,
    pub ouch: Option<CommandId>,
    pub ouint: Option<CommandId>,
    pub new: Option<CommandId>,
    pub read: Option<CommandId>,
    pub write: Option<CommandId>,
    /// The commands of the library's `Picture`, if the program has them, in the order of [`PictureKind::ALL`].
    pub pictures: Option<[CommandId; PictureKind::ALL.len()]>,
    /// The commands of the libraries for files, input, arguments and clocks that the program has, in the order of
    /// [`Outside::ALL`].
    pub outside: [Option<CommandId>; Outside::ALL.len()],
    /// The constructors of the prelude's `Maybe`, if the program has a command that gives one.
    pub nothing: Option<ConstructorId>,
    pub just: Option<ConstructorId>,
    /// Those of its `Either`, in the same case.
    pub left: Option<ConstructorId>,
    pub right: Option<ConstructorId>,
    /// The program's command named `abort`, performed by a failed match where it is handled.
    pub abort: Option<CommandId>,
}

impl Known {
    /// What a command asks of the surroundings, if it is one of [`Outside`].
    pub fn outside(&self, command: CommandId) -> Option<Outside> {
        let mut known = self.outside.into_iter().zip(Outside::ALL);
        known.find_map(|(known, asked)| (known == Some(command)).then_some(asked))
    }

    /// The picture that a command asks for, if it is one of `Picture`.
    pub fn picture(&self, command: CommandId) -> Option<PictureKind> {
        let mut known = self.pictures?.into_iter().zip(PictureKind::ALL);
        known.find_map(|(known, kind)| (known == command).then_some(kind))
    }
}

/// The kinds of pictures that a program can ask for, a command of `Picture` each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureKind {
    Plot,
    Scatter,
    Histogram,
    Image,
}

impl PictureKind {
    /// All of them, in the order of their commands.
    pub const ALL: [PictureKind; 4] = [
        PictureKind::Plot,
        PictureKind::Scatter,
        PictureKind::Histogram,
        PictureKind::Image,
    ];

    /// The name of its command.
    pub fn name(self) -> &'static str {
        match self {
            PictureKind::Plot => "plot",
            PictureKind::Scatter => "scatter",
            PictureKind::Histogram => "histogram",
            PictureKind::Image => "image",
        }
    }
}

#[derive(Debug, Clone)]
pub struct File {
    pub path: String,
    /// One of the library's own: nobody who runs a program wrote it.
    pub library: bool,
}

/// A range of bytes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    #[serde(with = "numbers")]
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

#[derive(Debug, Clone)]
pub struct Data {
    pub name: String,
    pub constructors: Vec<ConstructorId>,
    /// The few constructors that stand for another one, with that one: patterns of that one match
    /// their values, too, which are printed as its own. They have its fields, and may have more.
    pub standing: Vec<(ConstructorId, ConstructorId)>,
}

#[derive(Debug, Clone)]
pub struct Constructor {
    pub name: String,
    pub data: DataId,
    /// Its position among the constructors of its data type.
    pub tag: u32,
    /// The types of its arguments; parameters of the data type are `Type::Parameter`.
    pub fields: Vec<Type>,
}

#[derive(Debug, Clone)]
pub struct Interface {
    pub name: String,
    pub commands: Vec<CommandId>,
}

#[derive(Debug, Clone)]
pub struct Command {
    pub name: String,
    pub interface: InterfaceId,
    pub arity: u32,
}

/// As much of a type as printing a value needs, or making one up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    Int,
    Float,
    Char,
    Data(DataId, Vec<Type>),
    /// A parameter of the data type around it.
    Parameter(u32),
    /// A suspended computation, printed as `{…}`.
    Computation,
    /// A type that was never decided; no value of it can matter.
    Unknown,
}

impl Type {
    /// The type with others for its parameters, in their order.
    pub fn instance(&self, given: &[Type]) -> Type {
        match self {
            Type::Parameter(position) => {
                let given = given.get(*position as usize);
                given.cloned().unwrap_or(Type::Unknown)
            }
            Type::Data(data, args) => {
                let args = args.iter().map(|arg| arg.instance(given)).collect();
                Type::Data(*data, args)
            }
            other => other.clone(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Operator {
    pub name: String,
    pub place: Place,
    pub body: OperatorBody,
}

#[derive(Debug, Clone)]
pub enum OperatorBody {
    Handler(Handler),
    Builtin(Builtin),
}

/// What stands between braces, or the clauses of an operator: ports and clauses tried in order.
#[derive(Debug, Clone)]
pub struct Handler {
    /// One for each argument.
    pub ports: Vec<Port>,
    pub clauses: Vec<Clause>,
    /// For an operator: how many locals its clauses bind, numbered from zero. A thunk's locals
    /// are numbered within the operator around it, and it may use any that are in scope there.
    pub locals: u32,
}

/// What the argument's ability differs in from the ambient one, left to right.
#[derive(Debug, Clone, Default)]
pub struct Port {
    pub adjustments: Vec<Adjustment>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adjustment {
    /// A new right-most instance, whose commands the clauses handle.
    Add(InterfaceId),
    Rename(Renaming),
}

/// An adaptor, read from the ability around it to the one under it: the `taken` right-most
/// instances of the interface are replaced by the selection `kept`, instances further left stay.
///
/// Instances are counted from the right, the active one is 0. `kept[i]` is the instance around
/// the adaptor that the i-th instance from the right under the adaptor stands for. So `<I>` is
/// `taken: 1, kept: []`; `I(s a b -> s b)` is `taken: 2, kept: [0]`; the swap `I(s a b -> s b a)`
/// is `taken: 2, kept: [1, 0]`. A command for the i-th instance that leaves the adaptor is meant
/// for instance `kept[i]` around it, or `i - kept.len() + taken` if `i` is not among the kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renaming {
    pub interface: InterfaceId,
    pub taken: u32,
    pub kept: Vec<u32>,
}

#[derive(Debug, Clone)]
pub struct Clause {
    pub place: Place,
    /// One for each port.
    pub patterns: Vec<Pattern>,
    pub body: TermId,
}

/// A local variable: its number within the operator or entry. No two binders of one operator
/// share a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local(pub u32);

#[derive(Debug, Clone)]
pub enum Pattern {
    Value(ValuePattern),
    /// `<c.index p… -> k>`: the command of the index-th instance, from the right, of those of
    /// its interface that the port adds.
    Command {
        command: CommandId,
        index: u32,
        args: Vec<ValuePattern>,
        /// `None` for `_`.
        continuation: Option<Local>,
    },
    /// `<m>`; `None` for `<_>`.
    CatchAll(Option<Local>),
}

#[derive(Debug, Clone)]
pub enum ValuePattern {
    /// `_`
    Any,
    Bind(Local),
    Int(i64),
    Float(f64),
    Char(char),
    String(String),
    Constructor(ConstructorId, Vec<ValuePattern>),
}

/// A list of many patterns is as deep: what is in one another is dropped one by one, whatever the stack has.
impl Drop for ValuePattern {
    fn drop(&mut self) {
        let ValuePattern::Constructor(_, args) = self else {
            return;
        };
        let mut rest = std::mem::take(args);
        while let Some(mut pattern) = rest.pop() {
            if let ValuePattern::Constructor(_, args) = &mut pattern {
                rest.append(args);
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    Int,
    Float,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
}

#[derive(Debug, Clone)]
pub enum Term {
    Int(i64),
    Float(f64),
    Char(char),
    String(String),
    Local(Local),
    /// An operator as a value.
    Operator(OperatorId),
    /// A command as a value.
    Command(CommandId),
    Construct {
        constructor: ConstructorId,
        args: Vec<TermId>,
    },
    /// `[a, b, …]`, evaluated from left to right.
    List(Vec<TermId>),
    Thunk(Handler),
    /// The head is evaluated first; `args` is empty for `f!`.
    Apply {
        head: TermId,
        args: Vec<TermId>,
    },
    /// Adaptors apply from left to right, as `renamings` are in order.
    Adapted {
        renamings: Vec<Renaming>,
        body: TermId,
    },
    Let {
        local: Local,
        bound: TermId,
        body: TermId,
    },
    /// `let x = a in b` where `x` is a constructor: a match that may fail.
    LetMatch {
        pattern: ValuePattern,
        bound: TermId,
        body: TermId,
    },
    Sequence {
        first: TermId,
        second: TermId,
    },
    Arithmetic {
        operator: Arithmetic,
        number: Number,
        left: TermId,
        right: TermId,
    },
    Compare {
        operator: Comparison,
        number: Number,
        left: TermId,
        right: TermId,
    },
    Negate {
        number: Number,
        operand: TermId,
    },
    /// A place where a term is still missing: a run that comes to it ends there.
    Hole {
        /// As it is written, `_` or `_name`.
        name: String,
        /// A sentence that says what is missing.
        message: String,
    },
}

/// Ids in what is kept of a program: as numbers.
mod numbers {
    use la_arena::{Idx, RawIdx};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T, S: Serializer>(id: &Idx<T>, to: S) -> Result<S::Ok, S::Error> {
        id.into_raw().into_u32().serialize(to)
    }

    pub(super) fn deserialize<'de, T, D: Deserializer<'de>>(from: D) -> Result<Idx<T>, D::Error> {
        Ok(Idx::from_raw(RawIdx::from_u32(u32::deserialize(from)?)))
    }
}

#[cfg(test)]
mod tests {
    use la_arena::RawIdx;

    use super::{ConstructorId, ValuePattern};

    #[test]
    fn a_deep_pattern_is_dropped_on_a_small_stack() {
        let drop_it = || {
            let cons = ConstructorId::from_raw(RawIdx::from_u32(0));
            let mut list = ValuePattern::Any;
            for _ in 0..100_000 {
                list = ValuePattern::Constructor(cons, vec![ValuePattern::Any, list]);
            }
            drop(list);
        };
        let small = std::thread::Builder::new().stack_size(64 * 1024);
        small.spawn(drop_it).unwrap().join().unwrap();
    }
}
