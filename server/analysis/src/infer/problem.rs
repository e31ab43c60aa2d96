//! What can be wrong with a term, in terms of the checker. [`crate::report`] makes messages of it
//! when everything else is known.

use std::collections::HashSet;

use frank_syntax::ast::{NodeId, PatternId, Symbol, TermId};

use super::table::{Clash, Decided};
use crate::db::ItemSource;
use crate::program::{CommandDef, ConstructorDef, InterfaceDef, TermDef};
use crate::types::{Ability, Adaptor, Instance, Ty};

/// Where an expected type comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expectation {
    /// From nowhere: any type will do.
    Free,
    /// The index-th argument of the application `call`.
    Argument { call: TermId, index: usize },
    /// The index-th argument of a constructor.
    Field {
        constructor: ConstructorDef,
        index: usize,
    },
    /// What the clauses of the operator give.
    Result,
    /// What the clauses of a thunk give, as its place needs.
    ThunkResult { thunk: TermId },
    /// The other operand, which comes first.
    Operand { operation: TermId },
    /// An element of a list, after the first ones.
    Element { list: TermId },
    /// The value of a `let` that must be a constructor.
    LetMatch,
}

/// What a clause belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClauseHead {
    /// The operator; the name where the clause begins.
    Operator(NodeId),
    /// A thunk.
    Thunk(TermId),
}

/// What is wrong, with the item it is wrong in.
#[derive(Debug, Clone)]
pub enum Problem {
    UnknownName {
        source: ItemSource,
        node: NodeId,
        name: Symbol,
        scope: Vec<Symbol>,
        pattern: bool,
    },
    /// A place where a term is still missing, and is to be found by its type.
    Hole {
        source: ItemSource,
        node: NodeId,
    },
    Shadowed {
        source: ItemSource,
        node: NodeId,
        definition: TermDef,
    },
    BoundTwice {
        source: ItemSource,
        node: NodeId,
        first: NodeId,
        name: Symbol,
    },
    Mismatch {
        source: ItemSource,
        node: NodeId,
        /// The term at fault; `None` for a pattern.
        term: Option<TermId>,
        expected: Ty,
        found: Ty,
        clash: Clash,
        /// Where the types that differ come from, if something else in the item decided them.
        decided: Decided,
        origin: Expectation,
        ambient: Ability,
    },
    /// A thunk where a value is needed.
    ThunkForValue {
        source: ItemSource,
        term: TermId,
        expected: Ty,
    },
    ConstructorArguments {
        source: ItemSource,
        node: NodeId,
        constructor: ConstructorDef,
        wanted: usize,
        given: usize,
        pattern: bool,
    },
    /// A constructor forced with `!`.
    ConstructorForced {
        source: ItemSource,
        node: NodeId,
        constructor: ConstructorDef,
    },
    ArgumentCount {
        source: ItemSource,
        node: NodeId,
        head: TermId,
        definition: Option<TermDef>,
        function: Ty,
        wanted: usize,
        given: usize,
    },
    NotAFunction {
        source: ItemSource,
        head: TermId,
        found: Ty,
        given: usize,
    },
    NoInstance {
        source: ItemSource,
        node: NodeId,
        /// The command's name.
        term: TermId,
        command: CommandDef,
        /// The instance that would have been used, its arguments decided by the use.
        instance: Instance,
        ambient: Ability,
    },
    Ability {
        source: ItemSource,
        node: NodeId,
        head: TermId,
        definition: Option<TermDef>,
        needed: Ability,
        ambient: Ability,
        clash: Clash,
    },
    InvalidAdaptor {
        source: ItemSource,
        node: NodeId,
        adaptor: Adaptor,
        ambient: Ability,
    },
    /// The adaptor of a port does not fit where the operator is called.
    InvalidPortAdaptor {
        source: ItemSource,
        node: NodeId,
        adaptor: Adaptor,
        ambient: Ability,
        definition: Option<TermDef>,
    },
    /// An adaptor that makes no sense by itself; the message is made already.
    Adaptor(Box<crate::diagnostics::Diagnostic>),
    PatternCount {
        source: ItemSource,
        node: NodeId,
        head: ClauseHead,
        wanted: usize,
        given: usize,
        ty: Option<Ty>,
    },
    NotAConstructor {
        source: ItemSource,
        pattern: PatternId,
        node: NodeId,
        name: Symbol,
        bare: bool,
    },
    NotACommand {
        source: ItemSource,
        node: NodeId,
        name: Symbol,
        known: Option<TermDef>,
    },
    NotHandled {
        source: ItemSource,
        node: NodeId,
        command: CommandDef,
        index: u32,
        added: Vec<InterfaceDef>,
        /// The port's type is not known yet.
        unknown: bool,
    },
    CommandArguments {
        source: ItemSource,
        node: NodeId,
        command: CommandDef,
        wanted: usize,
        given: usize,
    },
    Escape {
        source: ItemSource,
        node: NodeId,
        command: CommandDef,
        variable: Symbol,
    },
    NumberTooLarge {
        source: ItemSource,
        node: NodeId,
    },
}

/// A place that a problem stands at, with its kind: what tells problems of two runs apart.
pub type Mark = (ItemSource, NodeId, std::mem::Discriminant<Problem>);

/// The marks of problems.
pub fn marks(problems: &[Problem]) -> HashSet<Mark> {
    problems.iter().map(Problem::mark).collect()
}

impl Problem {
    /// The item that the problem is in.
    pub fn source(&self) -> ItemSource {
        match self {
            Problem::UnknownName { source, .. }
            | Problem::Hole { source, .. }
            | Problem::Shadowed { source, .. }
            | Problem::BoundTwice { source, .. }
            | Problem::Mismatch { source, .. }
            | Problem::ThunkForValue { source, .. }
            | Problem::ConstructorArguments { source, .. }
            | Problem::ConstructorForced { source, .. }
            | Problem::ArgumentCount { source, .. }
            | Problem::NotAFunction { source, .. }
            | Problem::NoInstance { source, .. }
            | Problem::Ability { source, .. }
            | Problem::InvalidAdaptor { source, .. }
            | Problem::InvalidPortAdaptor { source, .. }
            | Problem::PatternCount { source, .. }
            | Problem::NotAConstructor { source, .. }
            | Problem::NotACommand { source, .. }
            | Problem::NotHandled { source, .. }
            | Problem::CommandArguments { source, .. }
            | Problem::Escape { source, .. }
            | Problem::NumberTooLarge { source, .. } => *source,
            Problem::Adaptor(diagnostic) => diagnostic.location.item,
        }
    }

    /// Whether the program is wrong. Some problems are but worth a warning.
    pub fn is_error(&self) -> bool {
        match self {
            Problem::Shadowed { .. } => false,
            Problem::Adaptor(diagnostic) => diagnostic.is_error(),
            _ => true,
        }
    }

    /// What tells the problem from others, however the types around it turn out.
    pub fn mark(&self) -> Mark {
        // A term's number serves where no node is at hand: the kind of problem keeps them apart.
        let of_term = |term: &TermId| NodeId(term.into_raw().into_u32());
        let node = match self {
            Problem::UnknownName { node, .. }
            | Problem::Hole { node, .. }
            | Problem::Shadowed { node, .. }
            | Problem::BoundTwice { node, .. }
            | Problem::Mismatch { node, .. }
            | Problem::ConstructorArguments { node, .. }
            | Problem::ConstructorForced { node, .. }
            | Problem::ArgumentCount { node, .. }
            | Problem::NoInstance { node, .. }
            | Problem::Ability { node, .. }
            | Problem::InvalidAdaptor { node, .. }
            | Problem::InvalidPortAdaptor { node, .. }
            | Problem::PatternCount { node, .. }
            | Problem::NotAConstructor { node, .. }
            | Problem::NotACommand { node, .. }
            | Problem::NotHandled { node, .. }
            | Problem::CommandArguments { node, .. }
            | Problem::Escape { node, .. }
            | Problem::NumberTooLarge { node, .. } => *node,
            Problem::ThunkForValue { term, .. } | Problem::NotAFunction { head: term, .. } => {
                of_term(term)
            }
            Problem::Adaptor(diagnostic) => match diagnostic.location.at {
                crate::diagnostics::At::Node(node) => node,
                crate::diagnostics::At::Range(range) => NodeId(range.start().into()),
            },
        };
        (self.source(), node, std::mem::discriminant(self))
    }

    /// Whether the problem may be gone once the variables around it are the right ones.
    pub fn depends_on_variables(&self) -> bool {
        matches!(
            self,
            Problem::UnknownName { pattern: false, .. }
                | Problem::Mismatch { .. }
                | Problem::ThunkForValue { .. }
                | Problem::ArgumentCount { .. }
                | Problem::NotAFunction { .. }
                | Problem::NoInstance { .. }
                | Problem::Ability { .. }
                | Problem::PatternCount { .. }
        )
    }

    /// Whether the problem is one of a pattern or a clause, so that nothing can be said about
    /// which values the clauses match.
    pub fn concerns_patterns(&self) -> bool {
        match self {
            Problem::UnknownName { pattern, .. }
            | Problem::ConstructorArguments { pattern, .. } => *pattern,
            Problem::Mismatch { term, origin, .. } => {
                term.is_none() || matches!(origin, Expectation::LetMatch)
            }
            // What is forced and no computation may be one as the pattern should have been: `<m>`.
            Problem::NotAFunction { given, .. } => *given == 0,
            Problem::PatternCount { .. }
            | Problem::NotAConstructor { .. }
            | Problem::NotACommand { .. }
            | Problem::NotHandled { .. }
            | Problem::CommandArguments { .. } => true,
            _ => false,
        }
    }
}
