//! Fragments of the core as parts of a program.
#![allow(clippy::indexing_slicing)] // Every id is one that the fragment itself gave out.

use frank_core as core;
use frank_syntax::ast::{NodeId, SourceMap};
use frank_syntax::stack::ensure_sufficient_stack;
use la_arena::{ArenaMap, Idx, RawIdx};

/// Copies the parts of one fragment, with the program's ids for the fragment's.
#[derive(Default)]
pub(super) struct Copier<'db> {
    /// The number of the fragment's first term in the program.
    pub first_term: u32,
    /// The file that each item is in, where the item starts there, and where its nodes are.
    pub items: ArenaMap<core::FileId, (core::FileId, u32, &'db SourceMap)>,
    pub data: ArenaMap<core::DataId, core::DataId>,
    pub constructors: ArenaMap<core::ConstructorId, core::ConstructorId>,
    pub interfaces: ArenaMap<core::InterfaceId, core::InterfaceId>,
    pub commands: ArenaMap<core::CommandId, core::CommandId>,
    pub operators: ArenaMap<core::OperatorId, core::OperatorId>,
}

impl Copier<'_> {
    pub fn place(&self, place: core::Place) -> core::Place {
        let (file, start, source_map) = self.items[place.file];
        let range = source_map.range(NodeId(place.start));
        core::Place {
            file,
            start: start + u32::from(range.start()),
            end: start + u32::from(range.end()),
        }
    }

    pub fn term_id(&self, id: core::TermId) -> core::TermId {
        Idx::from_raw(RawIdx::from_u32(self.first_term + id.into_raw().into_u32()))
    }

    fn term_ids(&self, ids: &[core::TermId]) -> Vec<core::TermId> {
        ids.iter().map(|id| self.term_id(*id)).collect()
    }

    pub fn ty(&self, ty: &core::Type) -> core::Type {
        ensure_sufficient_stack(|| match ty {
            core::Type::Data(data, args) => {
                let args = args.iter().map(|ty| self.ty(ty)).collect();
                core::Type::Data(self.data[*data], args)
            }
            core::Type::Int
            | core::Type::Float
            | core::Type::Char
            | core::Type::Parameter(_)
            | core::Type::Computation
            | core::Type::Unknown => ty.clone(),
        })
    }

    pub fn term(&self, term: &core::Term) -> core::Term {
        use core::Term;
        match term {
            Term::Int(_) | Term::Float(_) | Term::Char(_) | Term::String(_) | Term::Local(_) => {
                term.clone()
            }
            Term::Operator(operator) => Term::Operator(self.operators[*operator]),
            Term::Command(command) => Term::Command(self.commands[*command]),
            Term::Construct { constructor, args } => Term::Construct {
                constructor: self.constructors[*constructor],
                args: self.term_ids(args),
            },
            Term::List(elements) => Term::List(self.term_ids(elements)),
            Term::Thunk(handler) => Term::Thunk(self.handler(handler)),
            Term::Apply { head, args } => Term::Apply {
                head: self.term_id(*head),
                args: self.term_ids(args),
            },
            Term::Adapted { renamings, body } => Term::Adapted {
                renamings: renamings.iter().map(|one| self.renaming(one)).collect(),
                body: self.term_id(*body),
            },
            Term::Let { local, bound, body } => Term::Let {
                local: *local,
                bound: self.term_id(*bound),
                body: self.term_id(*body),
            },
            Term::LetMatch {
                pattern,
                bound,
                body,
            } => Term::LetMatch {
                pattern: self.value_pattern(pattern),
                bound: self.term_id(*bound),
                body: self.term_id(*body),
            },
            Term::Sequence { first, second } => Term::Sequence {
                first: self.term_id(*first),
                second: self.term_id(*second),
            },
            Term::Arithmetic {
                operator,
                number,
                left,
                right,
            } => Term::Arithmetic {
                operator: *operator,
                number: *number,
                left: self.term_id(*left),
                right: self.term_id(*right),
            },
            Term::Compare {
                operator,
                number,
                left,
                right,
            } => Term::Compare {
                operator: *operator,
                number: *number,
                left: self.term_id(*left),
                right: self.term_id(*right),
            },
            Term::Hole { .. } => term.clone(),
            Term::Negate { number, operand } => Term::Negate {
                number: *number,
                operand: self.term_id(*operand),
            },
        }
    }

    pub fn handler(&self, handler: &core::Handler) -> core::Handler {
        core::Handler {
            ports: handler.ports.iter().map(|port| self.port(port)).collect(),
            clauses: handler.clauses.iter().map(|one| self.clause(one)).collect(),
            locals: handler.locals,
        }
    }

    fn port(&self, port: &core::Port) -> core::Port {
        let adjustments = port.adjustments.iter().map(|adjustment| match adjustment {
            core::Adjustment::Add(interface) => core::Adjustment::Add(self.interfaces[*interface]),
            core::Adjustment::Rename(renaming) => core::Adjustment::Rename(self.renaming(renaming)),
        });
        core::Port {
            adjustments: adjustments.collect(),
        }
    }

    fn renaming(&self, renaming: &core::Renaming) -> core::Renaming {
        core::Renaming {
            interface: self.interfaces[renaming.interface],
            taken: renaming.taken,
            kept: renaming.kept.clone(),
        }
    }

    fn clause(&self, clause: &core::Clause) -> core::Clause {
        core::Clause {
            place: self.place(clause.place),
            patterns: clause.patterns.iter().map(|p| self.pattern(p)).collect(),
            body: self.term_id(clause.body),
        }
    }

    fn pattern(&self, pattern: &core::Pattern) -> core::Pattern {
        match pattern {
            core::Pattern::Value(value) => core::Pattern::Value(self.value_pattern(value)),
            core::Pattern::Command {
                command,
                index,
                args,
                continuation,
            } => core::Pattern::Command {
                command: self.commands[*command],
                index: *index,
                args: self.value_patterns(args),
                continuation: *continuation,
            },
            core::Pattern::CatchAll(local) => core::Pattern::CatchAll(*local),
        }
    }

    fn value_patterns(&self, patterns: &[core::ValuePattern]) -> Vec<core::ValuePattern> {
        patterns.iter().map(|p| self.value_pattern(p)).collect()
    }

    fn value_pattern(&self, pattern: &core::ValuePattern) -> core::ValuePattern {
        use core::ValuePattern;
        ensure_sufficient_stack(|| match pattern {
            ValuePattern::Constructor(constructor, args) => ValuePattern::Constructor(
                self.constructors[*constructor],
                self.value_patterns(args),
            ),
            ValuePattern::Any
            | ValuePattern::Bind(_)
            | ValuePattern::Int(_)
            | ValuePattern::Float(_)
            | ValuePattern::Char(_)
            | ValuePattern::String(_) => pattern.clone(),
        })
    }
}
