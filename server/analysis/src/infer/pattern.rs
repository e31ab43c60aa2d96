//! Clauses and patterns.

use std::collections::HashMap;
use std::sync::Arc;

use frank_syntax::ast::{Clause, Name, NodeId, PatternId, PatternKind, Symbol};
use frank_syntax::stack::ensure_sufficient_stack;

use super::instantiate::split_args;
use super::problem::{ClauseHead, Expectation, Problem};
use super::table::Occurs;
use super::{Checker, ResolvedPattern};
use crate::declarations::interface;
use crate::program::{CommandDef, ConstructorDef, TermDef};
use crate::scopes::LocalId;
use crate::types::{Ability, Adjustment, Computation, Port, Replacement, Tail, Ty, TyKind};

/// The variables of one clause, and the rigid ones that its command patterns brought.
#[derive(Default)]
struct Bound {
    names: HashMap<Symbol, NodeId>,
    rigid: Vec<RigidOfCommand>,
    /// A pattern is missing or spare, so that nobody knows which variables the body may have.
    is_wrong: bool,
}

struct RigidOfCommand {
    node: NodeId,
    command: CommandDef,
    name: Symbol,
    wanted: Occurs,
}

impl Checker<'_> {
    /// Checks a clause against a computation type. `judged` is false where the type is made up
    /// because something around the clause is wrong.
    pub(super) fn clause(
        &mut self,
        clause: &Clause,
        computation: &Computation,
        head: ClauseHead,
        judged: bool,
    ) {
        let item = self.item;
        let wanted = computation.ports.len();
        let counted = clause.patterns.len() == wanted;
        if !counted {
            let extra = clause
                .patterns
                .get(wanted)
                .map(|pattern| item.patterns[*pattern].id);
            let start = match head {
                ClauseHead::Operator(name) => name,
                ClauseHead::Thunk(_) => clause.id,
            };
            let ty = match head {
                ClauseHead::Thunk(_) => {
                    let computation = Arc::new(computation.clone());
                    Some(self.table.types.ty(TyKind::Computation(computation)))
                }
                ClauseHead::Operator(_) => None,
            };
            self.report(Problem::PatternCount {
                source: self.source,
                node: extra.unwrap_or(start),
                head,
                wanted,
                given: clause.patterns.len(),
                ty,
            });
        }
        let outer = self.bound.len();
        let mut bound = Bound::default();
        let spare = Port {
            adjustments: Arc::from([]),
            ty: self.table.error,
        };
        let patterns = match head {
            ClauseHead::Thunk(thunk) => self.arguments_of(thunk, &clause.patterns),
            ClauseHead::Operator(_) => clause.patterns.clone(),
        };
        for (index, pattern) in patterns.iter().enumerate() {
            // Which port a pattern is meant for is known only if there are as many.
            let (port, judged) = match computation.ports.get(index) {
                Some(port) if counted => (port, judged),
                _ => (&spare, false),
            };
            self.pattern(*pattern, port, computation.ability, &mut bound, judged);
        }
        let origin = match head {
            ClauseHead::Operator(_) => Expectation::Result,
            ClauseHead::Thunk(thunk) => Expectation::ThunkResult { thunk },
        };
        if counted && !bound.is_wrong {
            self.check(clause.body, computation.result, computation.ability, origin);
        } else {
            // The body may well mention variables that are missing, or mean others than there are.
            let around = std::mem::replace(&mut self.lacks_patterns, true);
            let error = self.table.error;
            let lenient = self.lenient(computation.ability);
            self.check(clause.body, error, lenient, origin);
            self.lacks_patterns = around;
        }
        for rigid in bound.rigid {
            let escapes = self.mentioned_outside(rigid.wanted, computation, outer);
            if escapes {
                self.report(Problem::Escape {
                    source: self.source,
                    node: rigid.node,
                    command: rigid.command,
                    variable: rigid.name,
                });
            }
        }
    }

    fn mentioned_outside(
        &mut self,
        wanted: Occurs,
        computation: &Computation,
        outer: usize,
    ) -> bool {
        let mut types: Vec<Ty> = vec![computation.result];
        let mut abilities = vec![computation.ability];
        for port in &computation.ports {
            types.push(port.ty);
            for adjustment in port.adjustments.iter() {
                let Adjustment::Instance(instance) = adjustment else {
                    continue;
                };
                let (values, effects) = split_args(&instance.args);
                types.extend(values);
                abilities.extend(effects);
            }
        }
        let around = self.bound.iter().take(outer);
        let locals = around.filter_map(|local| self.body.locals.get(local.0 as usize));
        types.extend(locals.map(|local| local.ty));
        types.into_iter().any(|ty| self.table.occurs(wanted, ty))
            || abilities
                .into_iter()
                .any(|a| self.table.ability_mentions(wanted, a))
    }

    fn pattern(
        &mut self,
        pattern: PatternId,
        port: &Port,
        ability: Ability,
        bound: &mut Bound,
        judged: bool,
    ) {
        let item = self.item;
        match &item.patterns[pattern].kind {
            PatternKind::Command {
                name,
                index,
                args,
                continuation,
            } => {
                self.body.pattern_types.insert(pattern, port.ty);
                self.command_pattern(
                    pattern,
                    (*name, *index),
                    args,
                    *continuation,
                    port,
                    ability,
                    bound,
                    judged,
                );
            }
            PatternKind::CatchAll(name) => {
                self.body.pattern_types.insert(pattern, port.ty);
                let inside = self.table.adjusted(&port.adjustments, ability);
                let thunk = Computation {
                    ports: Vec::new(),
                    ability: inside,
                    result: port.ty,
                };
                let ty = self.table.types.ty(TyKind::Computation(Arc::new(thunk)));
                let local = self.bind_name(pattern, *name, ty, bound);
                self.body
                    .patterns
                    .insert(pattern, ResolvedPattern::CatchAll(local));
            }
            _ => self.value_pattern(pattern, port.ty, bound),
        }
    }

    /// Gives the local that a pattern binds, if it does, its type.
    fn bind_name(
        &mut self,
        pattern: PatternId,
        name: Name,
        ty: Ty,
        bound: &mut Bound,
    ) -> Option<LocalId> {
        let local = self.body.scopes.bound_by_pattern(pattern)?;
        let mut ty = ty;
        if let Some(first) = bound.names.get(&name.symbol).copied() {
            bound.is_wrong = true;
            ty = self.table.error;
            self.report(Problem::BoundTwice {
                source: self.source,
                node: name.id,
                first,
                name: name.symbol,
            });
        } else {
            bound.names.insert(name.symbol, name.id);
        }
        self.bind_local(local, ty);
        Some(local)
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one construct")]
    fn command_pattern(
        &mut self,
        pattern: PatternId,
        (name, index): (Name, u32),
        args: &[PatternId],
        continuation: Name,
        port: &Port,
        ability: Ability,
        bound: &mut Bound,
        judged: bool,
    ) {
        let known = self.definition(name.symbol);
        let Some(TermDef::Command(command)) = known else {
            if known.is_none() {
                let problem = Problem::UnknownName {
                    source: self.source,
                    node: name.id,
                    name: name.symbol,
                    scope: Vec::new(),
                    pattern: true,
                };
                self.report(problem);
            } else {
                let problem = Problem::NotACommand {
                    source: self.source,
                    node: name.id,
                    name: name.symbol,
                    known,
                };
                self.report(problem);
            }
            self.unjudged_command(pattern, args, continuation, bound);
            return;
        };
        let definition = command.interface.0;
        let Some(declared) = interface(self.db, definition.scope, definition.name) else {
            self.unjudged_command(pattern, args, continuation, bound);
            return;
        };
        let mut own = port
            .added()
            .rev()
            .filter(|instance| instance.interface == command.interface);
        let Some(instance) = own.nth(index as usize) else {
            if judged && self.table.kind(port.ty) != &TyKind::Error {
                self.report(Problem::NotHandled {
                    source: self.source,
                    node: name.id,
                    command,
                    index,
                    added: port.added().map(|instance| instance.interface).collect(),
                    unknown: false,
                });
            }
            self.unjudged_command(pattern, args, continuation, bound);
            return;
        };
        let Some(types) = declared.commands.get(command.index as usize) else {
            self.unjudged_command(pattern, args, continuation, bound);
            return;
        };
        let (mut values, mut effects) = split_args(&instance.args);
        let node = self.item.patterns[pattern].id;
        for (name, kind) in &types.params.all {
            let wanted = match kind {
                frank_syntax::ast::ParamKind::Value => {
                    let index = self.rigid_values.len() as u32;
                    // Another of the name may be around.
                    let shown = if self.rigid_values.contains(name) {
                        Symbol::new(&format!("{}.{name}", command.name))
                    } else {
                        *name
                    };
                    values.push(self.rigid_value(shown));
                    Occurs::Rigid(index)
                }
                frank_syntax::ast::ParamKind::Effect => {
                    let index = self.rigid_effects.len() as u32;
                    effects.push(self.rigid_effect(*name));
                    Occurs::Tail(Tail::Variable(index))
                }
            };
            bound.rigid.push(RigidOfCommand {
                node,
                command,
                name: *name,
                wanted,
            });
        }
        let with = Replacement {
            values: &values,
            effects: &effects,
        };
        let arg_types: Vec<Ty> = types
            .args
            .iter()
            .map(|arg| self.table.types.copy(&declared.types, *arg, with))
            .collect();
        let result = self.table.types.copy(&declared.types, types.result, with);
        let (arg_types, result) = self.amend_command(TermDef::Command(command), arg_types, result);
        if args.len() != arg_types.len() {
            let extra = args
                .get(arg_types.len())
                .map(|arg| self.item.patterns[*arg].id);
            self.report(Problem::CommandArguments {
                source: self.source,
                node: extra.unwrap_or(name.id),
                command,
                wanted: arg_types.len(),
                given: args.len(),
            });
            bound.is_wrong = true;
        }
        let counted = args.len() == arg_types.len();
        for (i, arg) in args.iter().enumerate() {
            let ty = arg_types.get(i).filter(|_| counted).copied();
            let ty = ty.unwrap_or(self.table.error);
            self.value_pattern(*arg, ty, bound);
        }
        let inside = self.table.adjusted(&port.adjustments, ability);
        let resumed = Computation {
            ports: vec![Port {
                adjustments: Arc::from([]),
                ty: result,
            }],
            ability: inside,
            result: port.ty,
        };
        let ty = self.table.types.ty(TyKind::Computation(Arc::new(resumed)));
        let local = self.bind_name(pattern, continuation, ty, bound);
        self.body.patterns.insert(
            pattern,
            ResolvedPattern::Command {
                command,
                continuation: local,
            },
        );
    }

    /// A command pattern that is wrong as a whole still binds its variables.
    fn unjudged_command(
        &mut self,
        pattern: PatternId,
        args: &[PatternId],
        continuation: Name,
        bound: &mut Bound,
    ) {
        let error = self.table.error;
        for arg in args {
            self.value_pattern(*arg, error, bound);
        }
        self.bind_name(pattern, continuation, error, bound);
    }

    fn value_pattern(&mut self, pattern: PatternId, ty: Ty, bound: &mut Bound) {
        ensure_sufficient_stack(|| self.value_pattern_here(pattern, ty, bound));
    }

    fn value_pattern_here(&mut self, pattern: PatternId, ty: Ty, bound: &mut Bound) {
        let item = self.item;
        self.table.at = Some(item.patterns[pattern].id);
        self.body.pattern_types.insert(pattern, ty);
        match &item.patterns[pattern].kind {
            PatternKind::Missing => {}
            PatternKind::Name(name) => match self.definition(name.symbol) {
                Some(TermDef::Constructor(constructor)) => {
                    self.constructor_pattern(pattern, *name, constructor, &[], ty, bound);
                }
                _ => self.variable(pattern, *name, ty, bound),
            },
            PatternKind::Constructor { name, args } => match self.definition(name.symbol) {
                Some(TermDef::Constructor(constructor)) => {
                    self.constructor_pattern(pattern, *name, constructor, args, ty, bound);
                }
                _ if args.is_empty() => {
                    self.not_a_constructor(pattern, *name, true);
                    self.variable(pattern, *name, ty, bound);
                }
                known => {
                    if known.is_some() || name.symbol.is_wildcard() {
                        self.not_a_constructor(pattern, *name, false);
                    } else {
                        self.report(Problem::UnknownName {
                            source: self.source,
                            node: name.id,
                            name: name.symbol,
                            scope: Vec::new(),
                            pattern: true,
                        });
                    }
                    let error = self.table.error;
                    for arg in args {
                        self.value_pattern(*arg, error, bound);
                    }
                }
            },
            PatternKind::Integer(_) => {
                let number = self.table.fresh_number();
                self.expect_pattern(pattern, ty, number);
            }
            PatternKind::Char(_) => {
                let char = self.table.char;
                self.expect_pattern(pattern, ty, char);
            }
            PatternKind::String(_) => {
                let string = self.string();
                self.expect_pattern(pattern, ty, string);
            }
            PatternKind::List(elements) => {
                let element = self.table.fresh();
                let list = self.list_of(element);
                let element = match self.expect_pattern(pattern, ty, list) {
                    true => element,
                    false => self.table.error,
                };
                for part in elements {
                    self.value_pattern(*part, element, bound);
                }
            }
            PatternKind::Cons { head, tail } => {
                let element = self.table.fresh();
                let list = self.list_of(element);
                let (element, list) = match self.expect_pattern(pattern, ty, list) {
                    true => (element, list),
                    false => (self.table.error, self.table.error),
                };
                self.value_pattern(*head, element, bound);
                self.value_pattern(*tail, list, bound);
            }
            // Only ports have these patterns; the grammar allows them nowhere else.
            PatternKind::Command { .. } | PatternKind::CatchAll(_) => {}
        }
    }

    fn variable(&mut self, pattern: PatternId, name: Name, ty: Ty, bound: &mut Bound) {
        let resolved = match self.bind_name(pattern, name, ty, bound) {
            Some(local) => ResolvedPattern::Binds(local),
            None => ResolvedPattern::Wildcard,
        };
        self.body.patterns.insert(pattern, resolved);
    }

    fn not_a_constructor(&mut self, pattern: PatternId, name: Name, bare: bool) {
        self.report(Problem::NotAConstructor {
            source: self.source,
            pattern,
            node: name.id,
            name: name.symbol,
            bare,
        });
    }

    /// Reports a pattern that does not match values of a type. Gives whether it does: if not, nobody knows
    /// what its parts are.
    fn expect_pattern(&mut self, pattern: PatternId, expected: Ty, found: Ty) -> bool {
        let unified = self.table.unify(expected, found);
        let fits = unified.is_ok();
        if let Err(clash) = unified {
            let ambient = self
                .table
                .types
                .ability(Tail::Error, self.table.empty.clone());
            self.report(Problem::Mismatch {
                source: self.source,
                node: self.item.patterns[pattern].id,
                term: None,
                expected,
                found,
                clash,
                decided: self.table.decided,
                origin: Expectation::Free,
                ambient,
            });
        }
        fits
    }

    fn constructor_pattern(
        &mut self,
        pattern: PatternId,
        name: Name,
        constructor: ConstructorDef,
        args: &[PatternId],
        ty: Ty,
        bound: &mut Bound,
    ) {
        self.body
            .patterns
            .insert(pattern, ResolvedPattern::Constructor(constructor));
        let Some(made) = self.constructor(constructor) else {
            return;
        };
        if args.len() != made.fields.len() {
            let extra = args
                .get(made.fields.len())
                .map(|arg| self.item.patterns[*arg].id);
            self.report(Problem::ConstructorArguments {
                source: self.source,
                node: extra.unwrap_or(name.id),
                constructor,
                wanted: made.fields.len(),
                given: args.len(),
                pattern: true,
            });
            bound.is_wrong = true;
        }
        // Which field a pattern is meant for is known only if there are as many.
        let counted = args.len() == made.fields.len();
        let fits = counted && self.expect_pattern(pattern, ty, made.data);
        for (i, arg) in args.iter().enumerate() {
            let field = made.fields.get(i).filter(|_| fits);
            let field = field.copied().unwrap_or(self.table.error);
            self.value_pattern(*arg, field, bound);
        }
    }
}
