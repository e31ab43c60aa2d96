//! Arguments of calls that are handed on in parts, and parameters that are made of them: see [`super::shapes`].

use frank_core::{Adjustment, CommandId, InterfaceId, OperatorBody, OperatorId, Program};

use super::context::{ContextId, Taker};
use super::ir::{End, Kind, State, Statement, Var, successors};
use super::known_code::KnownCode;
use super::lower::Lower;
use super::shapes::Shape;
use super::shared::id_of;
use super::{deep, raw, small};
use crate::value::Value;

/// How deep objects are taken apart, and how many parameters may come of that.
const DEPTH: usize = 3;
const PARAMETERS: usize = 12;
/// In how many blocks a state that was written is sought.
const BLOCKS: usize = 16;

impl Lower<'_, '_> {
    /// What is known of a variable that is to be an argument.
    fn shape(&mut self, var: Var, depth: usize) -> Shape {
        let made = self.made.get(&var).filter(|(_, fields)| !fields.is_empty());
        if let Some((constructor, fields)) = made.cloned()
            && depth < DEPTH
            && !self.shared.facts.contains_itself(id_of(constructor))
        {
            let fields = fields.iter().map(|field| self.shape(*field, depth + 1));
            return Shape::Object {
                constructor,
                fields: fields.collect(),
            };
        }
        self.captured_shape(var, depth)
    }

    /// What is known of a variable that a thunk captures, or that is handed on as it is: objects are not taken apart,
    /// since they are made already.
    pub fn captured_shape(&mut self, var: Var, depth: usize) -> Shape {
        let code = match depth < DEPTH {
            true => self.known_code(var),
            false => None,
        };
        match (code, self.kinds.get(var as usize)) {
            (Some(KnownCode::Operator(id)), _) => Shape::Operator(id),
            (Some(KnownCode::Thunk(thunk)), _) => {
                let captured = thunk.captured.iter();
                let captured = captured.map(|v| self.captured_shape(*v, depth + 1));
                Shape::Thunk {
                    term: thunk.term,
                    name: thunk.name,
                    captured: captured.collect(),
                }
            }
            (None, Some(Kind::Plain | Kind::Constant(_))) => Shape::Plain,
            (None, _) => Shape::Unknown,
        }
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
        let mut shapes = Vec::new();
        let mut parameters = Vec::new();
        for (arg, changes) in args.iter().zip(changing.iter()) {
            let shape = match (changes, self.known_code(*arg)) {
                (true, _) | (_, Some(_)) => self.shape(*arg, 0),
                (false, None) => Shape::Unknown,
            };
            self.parts(*arg, &shape, &mut parameters);
            shapes.push(shape);
        }
        let context = self.shared.relevant_with(id, self.context, &shapes);
        for state in self.states_handed(id, context) {
            // It is handed over because it changes.
            let shape = self.shape(state, 0);
            self.parts(state, &shape, &mut parameters);
            shapes.push(shape);
        }
        let any = |s: &Shape| s.is_code() || matches!(s, Shape::Object { .. });
        if !shapes.iter().any(any) || parameters.len() > PARAMETERS {
            return None;
        }
        let function = self.shared.operator_for(id, context, shapes)?;
        Some((function, parameters))
    }

    /// The version of a known handler's clauses for a command that is handed known code: where the handler is found, the
    /// function to be called then, and what that takes, if there is one.
    pub fn command_version(
        &mut self,
        command: CommandId,
        args: &[Var],
    ) -> Option<(Statement, u32, Vec<Var>)> {
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
        let mut shapes = Vec::new();
        let mut parameters = Vec::new();
        for arg in args {
            let shape = match self.known_code(*arg) {
                Some(_) => self.captured_shape(*arg, 0),
                None => Shape::Unknown,
            };
            self.parts(*arg, &shape, &mut parameters);
            shapes.push(shape);
        }
        if parameters.len() > PARAMETERS {
            return None;
        }
        let seen = small(seen);
        let function = self
            .shared
            .command_for(operator, command, seen, outside, shapes)?;
        let handling = Statement::Handling {
            depth,
            slot,
            index: small(index),
        };
        Some((handling, function, parameters))
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
