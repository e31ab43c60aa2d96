//! For which contexts and arguments functions are made.

use frank_core::{CommandId, InterfaceId, OperatorId, TermId};

use super::context::{ContextId, HOST, UNKNOWN};
use super::handlers::is_for;
use super::lost::{FURTHER_VERSIONS, Lost, VERSIONS};
use super::shapes::{CodeId, Shape, Versions};
use super::shared::{Job, Shared};
use crate::code::NONE;

impl Shared<'_> {
    /// The interfaces whose commands are known to be taken in a context, as far as that makes a difference to code.
    pub fn interfaces_of(&self, context: ContextId) -> Vec<InterfaceId> {
        let (mut interfaces, host) = self.contexts.takes(self.program, context);
        if host && !self.cells_are_plain {
            let read = self.program.known.read;
            interfaces.extend(read.map(|c| self.program.commands[c].interface));
        }
        interfaces
    }

    /// As much of a context as matters to an operator, which is then made for it.
    pub fn relevant(&mut self, id: OperatorId, context: ContextId) -> ContextId {
        let versions = self.versions.get(&id);
        if context == UNKNOWN || versions.is_some_and(|versions| versions.contains(&context)) {
            return context;
        }
        let interfaces = self.interfaces_of(context);
        let matters = match context {
            // The machine takes whatever it performs.
            HOST => self.facts.performs(id),
            _ => interfaces
                .iter()
                .any(|interface| self.facts.performers(*interface).contains(&id)),
        };
        if !matters {
            return UNKNOWN;
        }
        let versions = self.versions.entry(id).or_default();
        let is_further = !versions.is_empty();
        let lost = match is_further {
            true if versions.len() >= VERSIONS => Some(Lost::Versions(id)),
            true if self.further_versions >= FURTHER_VERSIONS => Some(Lost::AllVersions),
            _ => None,
        };
        if let Some(lost) = lost {
            self.lost.entry(id).or_insert(lost);
            return UNKNOWN;
        }
        self.further_versions += usize::from(is_further);
        versions.insert(context);
        context
    }

    /// As much of a context as matters to an operator that is handed such arguments.
    pub fn relevant_with(
        &mut self,
        id: OperatorId,
        context: ContextId,
        shapes: &[Shape],
    ) -> ContextId {
        match self.relevant(id, context) {
            UNKNOWN if self.matters_to(context, shapes) => context,
            relevant => relevant,
        }
    }

    /// Whether some code in a list of shapes can perform what a context knows to be handled.
    pub fn matters_to(&mut self, context: ContextId, shapes: &[Shape]) -> bool {
        context != UNKNOWN
            && self.interfaces_of(context).into_iter().any(|interface| {
                let facts = &mut self.facts;
                shapes.iter().any(|s| facts.shape_performs(s, interface))
            })
    }

    /// The function of an operator whose ports are plain for calls in a context, which matters to it, with arguments of
    /// these shapes, if there is or may be one.
    pub fn operator_for(
        &mut self,
        id: OperatorId,
        context: ContextId,
        shapes: Vec<Shape>,
    ) -> Option<u32> {
        let handler = self.facts.handler(id)?;
        let versions = Versions::of(CodeId::Operator(id), context, &shapes);
        let shapes = self.shapes.intern(shapes);
        if let Some(function) = self.specialised.get(&(id, context, shapes)) {
            return Some(*function);
        }
        let is_allowed = self.shapes.allow(versions);
        is_allowed.then(|| self.new_operator(id, handler, context, shapes))
    }

    /// The function of a handler's clauses for a command, called in a context around the handler, where some of the
    /// command's arguments are known code, if there is or may be one.
    pub fn command_for(
        &mut self,
        id: OperatorId,
        command: CommandId,
        seen: u16,
        context: ContextId,
        shapes: Vec<Shape>,
    ) -> Option<u32> {
        let handler = self.facts.handler(id)?;
        if !handler
            .clauses
            .iter()
            .any(|c| is_for(&c.patterns, command, seen))
        {
            return None;
        }
        let context = self.relevant_with(id, context, &shapes);
        let versions = Versions::of(CodeId::Operator(id), context, &shapes);
        let shapes = self.shapes.intern(shapes);
        let job = Job::Command(id, command, seen, NONE, context, shapes);
        if let Some(function) = self.numbers.get(&job) {
            return Some(*function);
        }
        let (name, place) = (self.operator_name(id), self.program.operators[id].place);
        let is_allowed = self.shapes.allow(versions);
        is_allowed.then(|| self.reserve(job, name, Some(place)))
    }

    /// The function of a thunk for applications in a context, where what it captures is of these shapes, if there is
    /// or may be one. It takes the parts of what it captures behind its arguments.
    pub fn thunk_for(
        &mut self,
        term: TermId,
        name: u32,
        context: ContextId,
        shapes: &[Shape],
    ) -> Option<u32> {
        let itself = Shape::Thunk {
            term,
            name,
            captured: shapes.to_vec(),
        };
        let context = match self.matters_to(context, std::slice::from_ref(&itself)) {
            true => context,
            false => UNKNOWN,
        };
        if context == UNKNOWN && !shapes.iter().any(Shape::is_known) {
            return None;
        }
        let shapes = self.shapes.intern(shapes.to_vec());
        let job = Job::Thunk(term, name, context, shapes);
        if let Some(function) = self.numbers.get(&job) {
            return Some(*function);
        }
        let versions = Versions::Code(CodeId::Thunk(term), context);
        let place = self.program.places.get(term).copied();
        let is_allowed = self.shapes.allow(versions);
        is_allowed.then(|| self.reserve(job, name, place))
    }
}
