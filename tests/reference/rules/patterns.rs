//! Checking patterns (docs/language/patterns.md).

use frank_syntax::ast::{Name, PatternId, PatternKind, Symbol};

use super::declare::replacement;
use super::names::Meaning;
use super::solve::Checked;
use super::terms::{Checker, Locals};
use super::types::{Ability, Port, Tail, Type, Variables, thunk};

impl Checker<'_> {
    /// The pattern of a port of a computation with this ability. Binds variables, and collects the
    /// unknown types of commands.
    pub fn port_pattern(
        &mut self,
        id: PatternId,
        port: &Port,
        ability: &Ability,
        bound: &mut Locals,
        unknown: &mut Variables,
    ) -> Checked {
        let item = self.item;
        match &item.patterns[id].kind {
            PatternKind::Command {
                name,
                index,
                args,
                continuation,
            } => {
                let world = self.world;
                let name = name.symbol;
                let meaning = world.find_term(self.scope, name);
                let Some(Meaning::Command(interface, number)) = meaning else {
                    return Err(format!("{name} is no command"));
                };
                let mut added = port.added().rev().filter(|one| one.interface == interface);
                let Some(instance) = added.nth(*index as usize) else {
                    return Err(format!("the port does not add {name}.{index}"));
                };
                let row = world.row(interface);
                let command = &row.commands[number];
                let mut parameters = replacement(&row.params, &instance.args);
                for param in &command.params {
                    let own = self.solution.fresh_name(param.name.as_str());
                    if param.is_effect {
                        unknown.tails.insert(own);
                        let own = Ability::just(Tail::Rigid(own));
                        parameters.abilities.insert(param.name, own);
                    } else {
                        unknown.types.insert(own);
                        parameters.types.insert(param.name, Type::Rigid(own));
                    }
                }
                if args.len() != command.args.len() {
                    return Err(format!("a wrong number of patterns for {name}"));
                }
                for (arg, ty) in args.iter().zip(&command.args) {
                    self.value_pattern(*arg, &parameters.ty(ty), bound)?;
                }
                let rest = self.adjusted(ability, port)?;
                let answer = Port::plain(parameters.ty(&command.result));
                bind(
                    continuation.symbol,
                    thunk(vec![answer], rest, port.ty.clone()),
                    bound,
                )
            }
            PatternKind::CatchAll(name) => {
                let rest = self.adjusted(ability, port)?;
                bind(name.symbol, thunk(Vec::new(), rest, port.ty.clone()), bound)
            }
            _ => self.value_pattern(id, &port.ty, bound),
        }
    }

    fn value_pattern(&mut self, id: PatternId, ty: &Type, bound: &mut Locals) -> Checked {
        let item = self.item;
        match &item.patterns[id].kind {
            PatternKind::Name(name) => self.name_pattern_once(name, ty, bound),
            PatternKind::Constructor { name, args } => {
                let Some((data, number)) = self.constructor(name.symbol) else {
                    return Err(format!("{} is no constructor", name.symbol));
                };
                let fields = self.fields(data, number, args.len(), ty)?;
                let mut pairs = args.iter().zip(&fields);
                pairs.try_for_each(|(arg, field)| self.value_pattern(*arg, field, bound))
            }
            PatternKind::Integer(_) => self.solution.number(ty),
            PatternKind::Char(_) => self.solution.equal_types(&Type::Char, ty),
            PatternKind::String(_) => self.solution.equal_types(&self.world.string(), ty),
            PatternKind::List(elements) => {
                let element = self.list_of(ty)?;
                let mut elements = elements.iter();
                elements.try_for_each(|one| self.value_pattern(*one, &element, bound))
            }
            PatternKind::Cons { head, tail } => {
                let element = self.list_of(ty)?;
                self.value_pattern(*head, &element, bound)?;
                self.value_pattern(*tail, &self.world.list(element), bound)
            }
            PatternKind::Command { .. } | PatternKind::CatchAll(_) => {
                Err("only a port has such a pattern".to_owned())
            }
            PatternKind::Missing => Err("a pattern is missing".to_owned()),
        }
    }

    fn name_pattern_once(&mut self, name: &Name, ty: &Type, bound: &mut Locals) -> Checked {
        if bound.contains_key(&name.symbol) && self.constructor(name.symbol).is_none() {
            return Err(format!("{} is bound twice", name.symbol));
        }
        self.name_pattern(name.symbol, ty, bound)
    }

    /// A name alone: a constructor without arguments, the wildcard, or a variable.
    pub fn name_pattern(&mut self, name: Symbol, ty: &Type, bound: &mut Locals) -> Checked {
        match self.constructor(name) {
            Some((data, number)) => self.fields(data, number, 0, ty).map(drop),
            None if name.is_wildcard() => Ok(()),
            None => {
                bound.insert(name, ty.clone());
                Ok(())
            }
        }
    }
}

/// Binds a variable that no constructor can hide.
fn bind(name: Symbol, ty: Type, bound: &mut Locals) -> Checked {
    if !name.is_wildcard() && bound.insert(name, ty).is_some() {
        return Err(format!("{name} is bound twice"));
    }
    Ok(())
}
