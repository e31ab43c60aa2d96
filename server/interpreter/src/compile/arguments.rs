//! Arguments of calls that are handed on in parts, and parameters that are made of them: see [`super::shapes`].

use frank_core::{Adjustment, CommandId, InterfaceId, OperatorBody, OperatorId, Program};

use super::context::{ContextId, Taker};
use super::ir::{End, Kind, State, Statement, Var, successors};
use super::known_code::KnownCode;
use super::lower::Lower;
use super::shapes::{Apart, DEPTH, PARAMETERS, Shape, Thunk};
use super::shared::id_of;
use super::{deep, raw, small};
use crate::value::Value;

/// In how many blocks a state that was written is sought.
const BLOCKS: usize = 16;

/// A function that a command calls in the place of a search for its handler.
pub(super) struct CommandVersion {
    /// The handler's name.
    pub handler: String,
    /// Says where the handler is found.
    pub handling: Statement,
    pub function: u32,
    pub args: Vec<Var>,
}

impl Lower<'_, '_> {
    /// What is known of a variable that is to be an argument, or that code which is handed on has captured.
    pub fn shape(&mut self, var: Var, apart: Apart) -> Shape {
        let var = self.origin(var);
        if apart.objects > 0
            && self.is_taken_apart(var)
            && let Some((constructor, fields)) = self.made.get(&var).cloned()
        {
            let inner = Apart {
                objects: apart.objects - 1,
                ..apart
            };
            let fields = fields.iter().map(|field| self.shape(*field, inner));
            return Shape::Object {
                constructor,
                fields: fields.collect(),
            };
        }
        // Thunks that capture one another would come to too many otherwise.
        let code = self.known_code(var).filter(|code| match code {
            KnownCode::Thunk(thunk) => apart.code > 0 && thunk.captured.len() <= PARAMETERS,
            KnownCode::Operator(_) => true,
        });
        match (code, self.kinds.get(var as usize)) {
            (Some(KnownCode::Operator(id)), _) => Shape::Operator(id),
            (Some(KnownCode::Thunk(thunk)), _) => Shape::Thunk {
                term: thunk.term,
                name: thunk.name,
                captured: self.captured_shapes(&thunk, apart),
            },
            (None, Some(Kind::Plain | Kind::Constant(_))) => Shape::Plain,
            (None, _) => Shape::Unknown,
        }
    }

    /// The variable that was made an object of where one holds a field of it, or the same.
    pub fn origin(&self, mut var: Var) -> Var {
        while let Some(origin) = self.fields.get(&var) {
            var = *origin;
        }
        var
    }

    /// Whether a variable holds an object made here that may be handed over in parts.
    pub fn is_taken_apart(&mut self, var: Var) -> bool {
        let made = self.made.get(&self.origin(var));
        let constructor = made.filter(|(_, fields)| !fields.is_empty());
        constructor.is_some_and(|(id, _)| !self.shared.facts.contains_itself(id_of(*id)))
    }

    /// Whether a variable holds code that is known, or an object made here that has some in it.
    fn holds_code(&mut self, var: Var, deepest: usize) -> bool {
        if self.known_code(var).is_some() {
            return true;
        }
        let made = self.made.get(&self.origin(var));
        let fields = made
            .filter(|_| deepest > 0)
            .map(|(_, fields)| fields.clone());
        let mut fields = fields.into_iter().flatten();
        fields.any(|field| self.holds_code(field, deepest - 1))
    }

    /// What is known of what a thunk captures.
    pub fn captured_shapes(&mut self, thunk: &Thunk, apart: Apart) -> Vec<Shape> {
        let inner = Apart {
            objects: apart.captured,
            code: apart.code.saturating_sub(1),
            ..apart
        };
        let captured = thunk.captured.iter();
        captured.map(|v| deep(|| self.shape(*v, inner))).collect()
    }

    /// The version of an operator whose ports are plain for a call, and what it takes: the arguments and the states
    /// that it is handed.
    pub fn version(&mut self, id: OperatorId, args: Vec<Var>) -> (u32, Vec<Var>) {
        if let Some(found) = self.taken_apart(id, &args) {
            return found;
        }
        let relevant = self.shared.relevant(id, self.context);
        let states = self.states_handed(id, relevant);
        let function = self.shared.operator_in(id, self.context);
        (function, [args, states].concat())
    }

    /// The version of an operator for what a call knows of its arguments and states, and what it takes of them, if
    /// there is one.
    fn taken_apart(&mut self, id: OperatorId, args: &[Var]) -> Option<(u32, Vec<Var>)> {
        if !self.shared.specialise {
            return None;
        }
        let changing = self.shared.facts.changing(id);
        if args.len() != changing.len() {
            return None;
        }
        let limits = Apart::CHANGING.into_iter();
        let mut limits = limits.filter_map(|apart| self.taken_apart_so(id, args, &changing, apart));
        limits.next()
    }

    fn taken_apart_so(
        &mut self,
        id: OperatorId,
        args: &[Var],
        changing: &[bool],
        apart: Apart,
    ) -> Option<(u32, Vec<Var>)> {
        let mut shapes = Vec::new();
        let mut parameters = Vec::new();
        for (arg, changes) in args.iter().zip(changing) {
            let shape = match *changes || self.holds_code(*arg, DEPTH) {
                true => self.shape(*arg, apart),
                false => Shape::Unknown,
            };
            self.parts(*arg, &shape, &mut parameters);
            shapes.push(shape);
        }
        let context = self.shared.relevant_with(id, self.context, &shapes);
        for state in self.states_handed(id, context) {
            // It is handed over because it changes.
            let shape = self.shape(state, apart);
            self.parts(state, &shape, &mut parameters);
            shapes.push(shape);
        }
        if !shapes.iter().any(Shape::is_known) || parameters.len() > PARAMETERS {
            return None;
        }
        let function = self.shared.operator_for(id, context, shapes)?;
        Some((function, parameters))
    }

    /// The version of a known handler's clauses for a command that is handed known code, if there is one.
    pub fn command_version(&mut self, command: CommandId, args: &[Var]) -> Option<CommandVersion> {
        if !args.iter().any(|arg| self.known_code(*arg).is_some()) {
            return None;
        }
        let program = self.shared.program;
        let interface = program.commands[command].interface;
        let taker = self.shared.contexts.taker(program, self.context, interface);
        let Taker::Handler {
            operator,
            seen,
            index,
            under,
            outside,
        } = taker
        else {
            return None;
        };
        let depth = self.shared.contexts.depth(self.seen?, under)?;
        let slot = slot(program, operator, interface, seen)?;
        let seen = small(seen);
        let mut versions = Apart::AS_IT_IS.into_iter().filter_map(|apart| {
            let mut shapes = Vec::new();
            let mut parameters = Vec::new();
            for arg in args {
                let shape = match self.known_code(*arg) {
                    Some(_) => self.shape(*arg, apart),
                    None => Shape::Unknown,
                };
                self.parts(*arg, &shape, &mut parameters);
                shapes.push(shape);
            }
            let shared = &mut self.shared;
            let allowed = parameters.len() <= PARAMETERS;
            let function =
                allowed.then(|| shared.command_for(operator, command, seen, outside, shapes));
            Some((function??, parameters))
        });
        let (function, args) = versions.next()?;
        Some(CommandVersion {
            handler: program.operators[operator].name.clone(),
            handling: Statement::Handling {
                depth,
                slot,
                index: small(index),
            },
            function,
            args,
        })
    }

    /// The states that an operator in a context that matters to it is handed where the code at hand calls it.
    fn states_handed(&mut self, id: OperatorId, relevant: ContextId) -> Vec<Var> {
        let states = self.shared.states_for(id, relevant);
        let mut values = Vec::new();
        for state in states.iter() {
            if let Some(written) = self.last_written(*state) {
                values.push(written);
                continue;
            }
            match self.shared.contexts.depth(self.context, state.under) {
                Some(depth) => {
                    let state = State { depth, ..*state };
                    values.push(self.read_state(state, true));
                }
                None => self
                    .shared
                    .fail("a handler that is not around a call".to_owned()),
            }
        }
        values
    }

    /// What was last written to a state, if that is known here and nobody can have looked at it since.
    fn last_written(&self, wanted: State) -> Option<Var> {
        let mut block = self.current;
        for _ in 0..BLOCKS {
            for statement in self.blocks.get(block)?.statements.iter().rev() {
                match &statement.what {
                    Statement::WriteState { state, from }
                        if (state.under, state.index) == (wanted.under, wanted.index) =>
                    {
                        return Some(*from);
                    }
                    other if other.looks_at_states() => return None,
                    _ => {}
                }
            }
            let mut before = None;
            for (i, other) in self.blocks.iter().enumerate() {
                let leads_here = match &other.end.what {
                    End::With { inner: next, .. }
                    | End::Jump { join: next, .. }
                    | End::Continue(next) => *next == block,
                    end @ (End::Switch { .. } | End::Branch { .. }) => {
                        let mut found = false;
                        successors(end, &mut |next| found |= next == block);
                        found
                    }
                    _ => false,
                };
                if leads_here && before.replace(i).is_some() {
                    return None;
                }
            }
            block = before?;
        }
        None
    }

    /// The variables that are handed on in the place of one of that shape.
    pub fn parts(&self, var: Var, shape: &Shape, to: &mut Vec<Var>) {
        let var = self.origin(var);
        let (parts, shapes) = match shape {
            // It is known to whoever is called.
            Shape::Operator(_) => return,
            Shape::Object { fields, .. } => (self.made.get(&var).map(|(_, f)| f), fields),
            Shape::Thunk { captured, .. } => {
                let thunk = self.thunks.get(&var);
                (thunk.map(|thunk| &thunk.captured), captured)
            }
            Shape::Unknown | Shape::Plain => return to.push(var),
        };
        for (part, shape) in parts.into_iter().flatten().zip(shapes) {
            self.parts(*part, shape, to);
        }
    }

    /// A parameter of that shape, made of parameters that are added.
    pub fn parameter(&mut self, shape: &Shape, parameters: &mut Vec<Var>) -> Var {
        let parameter = match shape {
            Shape::Unknown => self.fresh(),
            Shape::Plain => self.var(Kind::Plain),
            Shape::Object {
                constructor,
                fields,
            } => {
                let fields = fields.iter();
                let fields = fields.map(|field| deep(|| self.parameter(field, parameters)));
                let fields = fields.collect();
                return self.construct(*constructor, fields);
            }
            Shape::Operator(id) => return self.constant(Value::operator(raw(*id))),
            Shape::Thunk {
                term,
                name,
                captured,
            } => {
                let captured = captured.iter();
                let captured = captured.map(|part| deep(|| self.parameter(part, parameters)));
                let captured = captured.collect();
                return self.closure_of(*term, *name, captured);
            }
        };
        parameters.push(parameter);
        parameter
    }
}

/// Which of the instances that an operator's last port adds has so many of its interface to the right.
fn slot(program: &Program, operator: OperatorId, interface: InterfaceId, seen: u32) -> Option<u16> {
    let OperatorBody::Handler(handler) = &program.operators[operator].body else {
        return None;
    };
    let added = handler.ports.last()?.adjustments.iter();
    let added = added.filter_map(|adjustment| match adjustment {
        Adjustment::Add(added) => Some(*added),
        Adjustment::Rename(_) => None,
    });
    let own = added.enumerate().filter(|(_, added)| *added == interface);
    let own: Vec<usize> = own.map(|(slot, _)| slot).collect();
    let slot = own.iter().rev().nth(seen as usize)?;
    Some(small(*slot as u32))
}
