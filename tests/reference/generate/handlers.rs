//! Handlers that answer every command of an instance, so that much of a program can run.

use frank_syntax::ast::Symbol;

use super::{Generator, Operator, epsilon};
use crate::rules::types::{Ability, Adjustment, Computation, Port, Tail, Type};

impl Generator {
    /// Declares a handler for each instance that signatures choose from.
    pub(super) fn handlers(&mut self) {
        for instance in self.common.clone() {
            let result = Type::Rigid(Symbol::new("R"));
            let port = Port {
                adjustments: vec![Adjustment::Add(instance.clone())],
                ty: result.clone(),
            };
            let ty = Computation {
                ports: vec![port],
                ability: Ability::just(Tail::Rigid(epsilon())),
                result,
            };
            let name = self.name("h");
            let shown = self.show_computation(&ty);
            self.item(None, format!("{name} : {{{shown}}}\n"));
            self.handlers.push((self.operators.len(), instance));
            self.operators.push(Operator { name, ty });
        }
    }

    /// Writes the clauses of an operator, if it is such a handler: one for each command, most of
    /// which go on, and one for the value.
    pub(super) fn handler_clauses(&mut self, operator: usize) -> bool {
        let mut all = self.handlers.iter();
        let Some((_, instance)) = all.find(|(one, _)| *one == operator).cloned() else {
            return false;
        };
        self.inside = operator;
        let Operator { name, ty } = self.operators[operator].clone();
        let [port] = &ty.ports[..] else { return false };
        let inside = self
            .adjusted(&ty.ability, port)
            .expect("an instance can be added");
        for command in self.commands(&instance) {
            let mut locals = Vec::new();
            let (pattern, answer) = self.command_pattern(&command, &instance, 0, &mut locals);
            let rest = Computation {
                ports: vec![Port::plain(answer.clone())],
                ability: inside.clone(),
                result: port.ty.clone(),
            };
            let continuation = self.bind(Type::Thunk(Box::new(rest)), &mut locals);
            let body = match self.below(4) {
                0 => self.term(&ty.result, &ty.ability, &locals, 3),
                _ => {
                    let answer = self.atom(&answer, &inside, &locals, 2);
                    format!("{name} ({continuation} {answer})")
                }
            };
            let clause = format!("{name} <{pattern} -> {continuation}> = {body}\n");
            self.item(Some(operator), clause);
        }
        self.item(Some(operator), format!("{name} v = v\n"));
        true
    }
}
