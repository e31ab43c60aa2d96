//! What is known of the handlers around code while it is lowered.
//!
//! A context is a list of nodes that commands see, the innermost first: handlers whose operator is
//! known, adaptors, and below them the host or something unknown. A function is made once for each
//! context that matters to it. Whatever runs in a frame of such a function sees those nodes, since
//! a handler is in a context only if it is *deep*: its clauses put a continuation back under it and
//! nowhere else ([`super::deep_handlers`]). Handlers below the known ones may do as they like: they
//! capture the known ones together with the frames that know of them.

use std::collections::HashMap;

use frank_core::{
    Adjustment, InterfaceId, OperatorBody, OperatorId, Program, Renaming, Term, TermId,
};

pub(super) type ContextId = u32;

/// Nothing is known.
pub(super) const UNKNOWN: ContextId = 0;
/// No handler of the program is around.
pub(super) const HOST: ContextId = 1;
/// How many nodes may be known. Recursion under handlers of its own would not end otherwise.
pub(super) const DEEPEST: u32 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Layer {
    Unknown,
    Host,
    /// The last argument of a call of the operator.
    Handler(OperatorId, ContextId),
    /// A term under adaptors.
    Adaptors(TermId, ContextId),
}

/// Who takes a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taker {
    Unknown,
    /// The machine itself.
    Host,
    Handler {
        operator: OperatorId,
        /// How many instances of the interface its port adds to the right of the one meant.
        seen: u32,
        /// The index with which the command comes to the port.
        index: u32,
        /// What is known under the handler, and around it.
        under: ContextId,
        outside: ContextId,
    },
}

pub(super) struct Contexts {
    layers: Vec<(Layer, u32)>,
    ids: HashMap<Layer, ContextId>,
}

impl Contexts {
    pub fn new() -> Contexts {
        Contexts {
            layers: vec![(Layer::Unknown, 0), (Layer::Host, 0)],
            ids: HashMap::new(),
        }
    }

    fn layer(&self, context: ContextId) -> Layer {
        self.layers
            .get(context as usize)
            .map_or(Layer::Unknown, |(layer, _)| *layer)
    }

    fn push(&mut self, layer: Layer, outside: ContextId) -> ContextId {
        if let Some(id) = self.ids.get(&layer) {
            return *id;
        }
        let depth = self.layers.get(outside as usize).map_or(0, |(_, d)| d + 1);
        if depth > DEEPEST {
            return UNKNOWN;
        }
        let id = self.layers.len() as ContextId;
        self.layers.push((layer, depth));
        self.ids.insert(layer, id);
        id
    }

    /// Whether nothing more is known under handlers and adaptors in a context.
    pub fn is_deepest(&self, context: ContextId) -> bool {
        let depth = self.layers.get(context as usize).map(|(_, depth)| *depth);
        depth.is_some_and(|depth| depth >= DEEPEST)
    }

    /// What is known under a handler in a context.
    pub fn under(&mut self, operator: OperatorId, outside: ContextId) -> ContextId {
        self.push(Layer::Handler(operator, outside), outside)
    }

    /// What is known under the adaptors of a term. With nothing known around them nothing is.
    pub fn adapted(&mut self, term: TermId, outside: ContextId) -> ContextId {
        match outside {
            UNKNOWN => UNKNOWN,
            _ => self.push(Layer::Adaptors(term, outside), outside),
        }
    }

    /// Who takes a command of the active instance of an interface. It is sought as the machine
    /// does: see `Machine::find`.
    pub fn taker(&self, program: &Program, from: ContextId, interface: InterfaceId) -> Taker {
        let mut context = from;
        let mut index = 0_u32;
        loop {
            match self.layer(context) {
                Layer::Unknown => return Taker::Unknown,
                Layer::Host if index == 0 => return Taker::Host,
                Layer::Host => return Taker::Unknown,
                Layer::Handler(operator, outside) => {
                    let (mut seen, comes) = (0, index);
                    for adjustment in adjustments(program, operator).iter().rev() {
                        match adjustment {
                            Adjustment::Add(added) if *added == interface => {
                                if index == 0 {
                                    return Taker::Handler {
                                        operator,
                                        seen,
                                        index: comes,
                                        under: context,
                                        outside,
                                    };
                                }
                                index -= 1;
                                seen += 1;
                            }
                            Adjustment::Rename(renaming) if renaming.interface == interface => {
                                index = renamed(renaming, index);
                            }
                            _ => {}
                        }
                    }
                    context = outside;
                }
                Layer::Adaptors(term, outside) => {
                    if let Term::Adapted { renamings, .. } = &program.terms[term] {
                        let own = renamings.iter().rev().filter(|r| r.interface == interface);
                        index = own.fold(index, |index, renaming| renamed(renaming, index));
                    }
                    context = outside;
                }
            }
        }
    }

    /// How many handlers stand between a place and a handler that is known there, by what is known under it.
    pub fn depth(&self, mut from: ContextId, under: ContextId) -> Option<u16> {
        let mut depth = 0;
        loop {
            match self.layer(from) {
                Layer::Handler(..) if from == under => return Some(depth),
                Layer::Handler(_, outside) => {
                    depth += 1;
                    from = outside;
                }
                Layer::Adaptors(_, outside) => from = outside,
                Layer::Unknown | Layer::Host => return None,
            }
        }
    }

    /// The handlers that are known at a place, each with what is known under it, the innermost first.
    pub fn handlers(&self, mut from: ContextId) -> Vec<(OperatorId, ContextId)> {
        let mut handlers = Vec::new();
        loop {
            from = match self.layer(from) {
                Layer::Handler(operator, outside) => {
                    handlers.push((operator, from));
                    outside
                }
                Layer::Adaptors(_, outside) => outside,
                Layer::Unknown | Layer::Host => return handlers,
            };
        }
    }

    /// The interfaces whose commands some node of a context is known to take, and whether the host
    /// is known to be around it.
    pub fn takes(&self, program: &Program, mut context: ContextId) -> (Vec<InterfaceId>, bool) {
        let mut interfaces = Vec::new();
        loop {
            context = match self.layer(context) {
                Layer::Unknown => return (interfaces, false),
                Layer::Host => return (interfaces, true),
                Layer::Handler(operator, outside) => {
                    let added = adjustments(program, operator)
                        .iter()
                        .filter_map(|a| match a {
                            Adjustment::Add(interface) => Some(*interface),
                            Adjustment::Rename(_) => None,
                        });
                    interfaces.extend(added);
                    outside
                }
                Layer::Adaptors(_, outside) => outside,
            };
        }
    }
}

/// Which instance around adaptors one within stands for.
pub(super) fn renamed(renaming: &Renaming, index: u32) -> u32 {
    match renaming.kept.get(index as usize) {
        Some(meant) => *meant,
        None => index - renaming.kept.len() as u32 + renaming.taken,
    }
}

/// What an operator's last port changes in the ability.
fn adjustments(program: &Program, operator: OperatorId) -> &[Adjustment] {
    match &program.operators[operator].body {
        OperatorBody::Handler(handler) => {
            handler.ports.last().map_or(&[], |port| &port.adjustments)
        }
        OperatorBody::Builtin(_) => &[],
    }
}
