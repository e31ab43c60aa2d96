//! Arguments of calls that are handed on in parts, and parameters that are made of them: see [`super::shapes`].

use frank_core::OperatorId;

use super::deep;
use super::ir::{Kind, Var};
use super::lower::Lower;
use super::shapes::Shape;
use super::shared::id_of;

/// How deep objects are taken apart, and how many parameters may come of that.
const DEPTH: usize = 3;
const PARAMETERS: usize = 12;

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

    /// The version of an operator for what a call knows of its arguments, and the arguments that it takes, if there
    /// is one.
    pub fn taken_apart(&mut self, id: OperatorId, args: &[Var]) -> Option<(u32, Vec<Var>)> {
        if !self.shared.specialise {
            return None;
        }
        let changing = self.shared.facts.changing(id);
        let mut shapes = Vec::new();
        let mut parameters = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let shape = match changing.get(i) {
                Some(true) => self.shape(*arg, 0),
                _ => Shape::Unknown,
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
