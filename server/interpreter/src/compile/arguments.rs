//! Arguments of calls that are handed on in parts, and parameters that are made of them: see [`super::shapes`].

use frank_core::OperatorId;

use super::deep;
use super::ir::{End, Kind, State, Statement, Var, successors};
use super::lower::Lower;
use super::shapes::Shape;
use super::shared::id_of;

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
        match self.kinds.get(var as usize) {
            Some(Kind::Plain | Kind::Constant(_)) => Shape::Plain,
            _ => Shape::Unknown,
        }
    }

    /// The version of an operator whose ports are plain for a call, and what it takes: the arguments and the states
    /// that it is handed.
    pub fn version(&mut self, id: OperatorId, args: Vec<Var>) -> (u32, Vec<Var>) {
        let states = self.states_handed(id);
        self.taken_apart(id, &args, &states).unwrap_or_else(|| {
            let function = self.shared.operator_in(id, self.context);
            (function, [args, states].concat())
        })
    }

    /// The version of an operator for what a call knows of its arguments and states, and what it takes of them, if
    /// there is one.
    fn taken_apart(
        &mut self,
        id: OperatorId,
        args: &[Var],
        states: &[Var],
    ) -> Option<(u32, Vec<Var>)> {
        if !self.shared.specialise {
            return None;
        }
        let changing = self.shared.facts.changing(id);
        let mut shapes = Vec::new();
        let mut parameters = Vec::new();
        for (i, arg) in args.iter().chain(states).enumerate() {
            // States are handed over because they change.
            let shape = match changing.get(i) {
                Some(false) => Shape::Unknown,
                Some(true) | None => self.shape(*arg, 0),
            };
            self.parts(*arg, &shape, &mut parameters);
            shapes.push(shape);
        }
        let any = shapes.iter().any(|s| matches!(s, Shape::Object { .. }));
        if !any || args.len() != changing.len() || parameters.len() > PARAMETERS {
            return None;
        }
        let function = self.shared.operator_for(id, self.context, shapes)?;
        Some((function, parameters))
    }

    /// The states that an operator is handed where the code at hand calls it.
    fn states_handed(&mut self, id: OperatorId) -> Vec<Var> {
        let states = self.shared.states_in(id, self.context);
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
    fn parts(&self, var: Var, shape: &Shape, to: &mut Vec<Var>) {
        match (shape, self.made.get(&var)) {
            (Shape::Object { fields: shapes, .. }, Some((_, fields))) => {
                for (field, shape) in fields.iter().zip(shapes) {
                    self.parts(*field, shape, to);
                }
            }
            _ => to.push(var),
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
        };
        parameters.push(parameter);
        parameter
    }
}
