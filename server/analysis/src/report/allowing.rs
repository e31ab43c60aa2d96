//! What would have to say that an interface may be used, and how it would.

use std::collections::HashSet;

use frank_syntax::ast::{
    CompType, Item, ItemKind, Symbol, Tail as TailExpr, TermId, TermKind, TypeKind,
};

use super::Reporter;
use super::catalogue::{catalogues, clauses, users};
use super::places::{is_own, result_ability, signature_item};
use super::words::{listed, ordinal};
use crate::builtin;
use crate::db::{ItemSource, item};
use crate::declarations::signature;
use crate::diagnostics::{Diagnostic, Edit, Fix, Location, Position};
use crate::entries::is_entry;
use crate::infer::Resolved;
use crate::params::{TypeNamespace, params};
use crate::program::{Definition, InterfaceDef, OperatorDef, TermDef, resolve_term};
use crate::scopes::Scopes;
use crate::show::{MetaNames, Show};
use crate::surroundings::{Parent, Surroundings};
use crate::types::{AbilityData, Arg, Instance, Tail, TyKind};

/// What would have to say that an interface may be used at a term.
pub(super) enum Sayer {
    /// The signature of the operator that the term is in.
    Own,
    /// The signature of the operator, which gives the computation that the term is in.
    Result,
    /// A port of another definition, or an argument of a constructor, that the term is in.
    Port(TermDef, usize),
}

/// So many callers at most are named.
pub(super) const MOST_CALLERS: usize = 4;

/// If there are this many, not all of them are looked for.
const ALL_CALLERS: usize = 100;

/// So many operators at most are looked at for callers.
const EFFORT: usize = 200;

impl Reporter<'_> {
    /// Adds the signature that would have to say so, the edit, and the callers that it concerns.
    pub(super) fn say_so(&mut self, mut problem: Diagnostic, instance: &Instance) -> Diagnostic {
        let interface = instance.interface;
        let name = interface.0.name;
        let Some(operator) = self.operator else {
            return problem.help(format!("handle `{name}` around this"));
        };
        let text = self.written_instance(operator, instance);
        let Some((place, node)) = result_ability(self.db, operator) else {
            return problem.help(format!(
                "give `{}` a signature that allows `{name}`",
                operator.0.name
            ));
        };
        problem = problem.related(
            Location::node(place, node),
            format!(
                "the signature of `{}` would have to allow `{name}` here",
                operator.0.name
            ),
        );
        let is_entry = is_entry(self.db, operator.0.scope, operator.0.name);
        problem = problem.help(if is_entry && !self.is_answered_by_host(interface) {
            format!(
                "in the ability of `{}` it would do no good: nobody would handle a `{text}` there",
                operator.0.name
            )
        } else {
            format!("add `{text}` to the ability of `{}`", operator.0.name)
        });
        let callers = self.callers(operator, interface);
        let (fixes, is_whole) = self.allow(operator, &callers, interface, &text);
        problem.fixes.extend(fixes);
        // What a caller is to do about it is not for an editor to say.
        problem.undecided |= !is_whole;
        if !callers.is_empty() {
            let calls: Vec<String> = callers
                .iter()
                .map(|(caller, via)| format!("`{caller}` calls `{via}`"))
                .collect();
            let whose = if calls.len() == 1 {
                "its signature"
            } else {
                "their signatures"
            };
            problem = problem.help(format!(
                "{}: {whose} would have to allow `{name}`, too, or they handle it",
                listed(&calls, MOST_CALLERS)
            ));
            for (caller, via) in callers.iter().take(MOST_CALLERS) {
                let caller_def = OperatorDef(Definition {
                    scope: operator.0.scope,
                    name: *caller,
                });
                if let Some((place, node)) = result_ability(self.db, caller_def) {
                    problem = problem.related(
                        Location::node(place, node),
                        format!("`{caller}`, which calls `{via}`"),
                    );
                }
            }
        }
        problem
    }

    /// An instance as the operator's signature would write it.
    fn written_instance(&self, operator: OperatorDef, instance: &Instance) -> String {
        let definition = instance.interface.0;
        let declared = params(
            self.db,
            definition.scope,
            definition.name,
            TypeNamespace::Row,
        );
        let signature = signature(self.db, operator.0.scope, operator.0.name).as_ref();
        let known = signature.map_or(&[][..], |signature| &signature.values[..]);
        let table = &self.inference.table;
        let mut names = MetaNames::default();
        for ((param, _), arg) in declared.all.iter().zip(instance.args.iter()) {
            match arg {
                Arg::Type(ty) => {
                    if let TyKind::Meta(meta) = table.kind(*ty)
                        && !table.is_number_meta(*ty)
                    {
                        let mut name = param.to_string();
                        while known.iter().any(|known| known.as_str() == name) {
                            name.push('\'');
                        }
                        names.values.insert(*meta, name);
                    }
                }
                Arg::Ability(ability) => {
                    if let Tail::Meta(meta) = table.row(*ability).tail {
                        names
                            .effects
                            .insert(meta, Symbol::implicit_effect().to_string());
                    }
                }
            }
        }
        let show = Show {
            metas: Some(&names),
            ..self.show()
        };
        show.instance(instance)
    }

    /// The edits that add an instance to the ability of an operator's signature: to those of its
    /// callers as well, the entries aside, as nobody handles what an entry's ability has; or to its
    /// own alone. Neither is safe: the user decides what a program may do. Also whether the first
    /// of them is all that is needed.
    fn allow(
        &self,
        operator: OperatorDef,
        callers: &[(Symbol, Symbol)],
        interface: InterfaceDef,
        text: &str,
    ) -> (Vec<Fix>, bool) {
        let own = match self.allow_in(operator, text) {
            Some(own) if !text.contains(['_', '…']) => own,
            _ => return (Vec::new(), true),
        };
        let by_host = self.is_answered_by_host(interface);
        let scope = operator.0.scope;
        let alone = Fix {
            title: format!("add `{text}` to the ability of `{}`", operator.0.name),
            edits: vec![own.clone()],
            safe: false,
        };
        let mut names = vec![format!("`{}`", operator.0.name)];
        let mut edits = vec![own];
        for (caller, _) in callers {
            let caller = OperatorDef(Definition {
                scope,
                name: *caller,
            });
            let Some(declared) = signature(self.db, scope, caller.0.name) else {
                continue;
            };
            let is_entry = declared.computation.ports.is_empty();
            if is_entry && !by_host {
                continue;
            }
            if let Some(edit) = self.allow_in(caller, text) {
                names.push(format!("`{}`", caller.0.name));
                edits.push(edit);
            }
        }
        let is_whole = names.len() == callers.len() + 1 && callers.len() < ALL_CALLERS;
        if names.len() == 1 || callers.len() >= ALL_CALLERS {
            return (vec![alone], is_whole);
        }
        let all = Fix {
            title: format!(
                "add `{text}` to the abilities of {}",
                listed(&names, MOST_CALLERS)
            ),
            edits,
            safe: false,
        };
        (vec![all, alone], is_whole)
    }

    pub(super) fn is_answered_by_host(&self, interface: InterfaceDef) -> bool {
        interface == builtin::console(self.db) || interface == builtin::ref_state(self.db)
    }

    pub(super) fn allow_in(&self, operator: OperatorDef, text: &str) -> Option<Edit> {
        let (source, item) = signature_item(self.db, operator)?;
        let ItemKind::Signature { ty, .. } = &item.kind else {
            return None;
        };
        if !is_own(self.db, source) {
            return None;
        }
        self.add_instance(source, item, ty, text)
    }

    fn add_instance(
        &self,
        source: ItemSource,
        item: &Item,
        ty: &CompType,
        text: &str,
    ) -> Option<Edit> {
        let edit = |node, position, text| Edit {
            location: Location::node(source, node),
            position,
            text,
        };
        let Some(ability) = &ty.peg.ability else {
            let node = item.types[ty.peg.ty].id;
            if self.is_parenthesised_node(source, node) {
                return None;
            }
            return Some(edit(node, Position::Before, format!("[{text}] ")));
        };
        if let Some(last) = ability.instances.last() {
            return Some(edit(last.id, Position::After, format!(", {text}")));
        }
        let whole = match ability.tail {
            TailExpr::Closed => format!("[0|{text}]"),
            TailExpr::Implicit => format!("[{text}]"),
            TailExpr::Named(name) => format!("[{}|{text}]", name.symbol),
        };
        Some(edit(ability.id, Position::Replace, whole))
    }

    /// Whose type decides what a term may do.
    pub(super) fn sayer(&self, source: ItemSource, term: TermId, interface: InterfaceDef) -> Sayer {
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        let Some(body) = self.inference.body(source) else {
            return Sayer::Own;
        };
        let mut inside = term;
        while let Some(thunk) = surroundings.thunk_around(inside) {
            inside = thunk;
            if self.is_given(item, &surroundings, thunk) {
                return Sayer::Result;
            }
            let Some((call, index)) = surroundings.argument_of(item, thunk) else {
                continue;
            };
            let TermKind::Apply { head, .. } = &item.terms[call].kind else {
                continue;
            };
            let Some(Resolved::Definition(definition)) = body.names.get(*head) else {
                continue;
            };
            match definition {
                TermDef::Operator(operator) => {
                    let declared = signature(self.db, operator.0.scope, operator.0.name).as_ref();
                    let Some(declared) = declared else { continue };
                    let Some(port) = declared.computation.ports.get(index) else {
                        continue;
                    };
                    let own = declared.types.row(declared.computation.ability).tail;
                    if let TyKind::Computation(taken) = declared.types.kind(port.ty) {
                        let row = declared.types.row(taken.ability);
                        let has = |row: &AbilityData| {
                            row.instances.iter().any(|one| one.interface == interface)
                        };
                        // What the operator itself performs is no part of the port's ε.
                        let kept =
                            has(declared.types.row(declared.computation.ability)) && !has(row);
                        if row.tail != own || row.tail == Tail::Closed || kept {
                            return Sayer::Port(*definition, index);
                        }
                    }
                }
                TermDef::Command(_) | TermDef::Constructor(_) => {
                    return Sayer::Port(*definition, index);
                }
            }
        }
        Sayer::Own
    }

    /// Whether the operator's own signature allows an interface.
    pub(super) fn allows(&self, interface: InterfaceDef) -> bool {
        self.operator
            .is_some_and(|operator| !self.lacks(operator.0.name, interface))
    }

    /// Whether a thunk is what the operator gives.
    fn is_given(&self, item: &Item, surroundings: &Surroundings, thunk: TermId) -> bool {
        let mut term = thunk;
        loop {
            match surroundings.parent(term) {
                None => return self.result_computation().is_some(),
                Some(Parent::Term(parent)) => match &item.terms[parent].kind {
                    TermKind::Let { body, .. } if *body == term => term = parent,
                    TermKind::Sequence { second, .. } if *second == term => term = parent,
                    _ => return false,
                },
                Some(Parent::Clause { .. }) => return false,
            }
        }
    }

    /// The computation type that the operator's signature gives as its result.
    fn result_computation(&self) -> Option<(ItemSource, &Item, &CompType)> {
        let (source, item) = signature_item(self.db, self.operator?)?;
        let ItemKind::Signature { ty, .. } = &item.kind else {
            return None;
        };
        match &item.types[ty.peg.ty].kind {
            TypeKind::Computation(given) => Some((source, item, given)),
            _ => None,
        }
    }

    /// Adds that the computation that the operator gives would have to allow an instance.
    pub(super) fn say_so_in_result(&self, problem: Diagnostic, instance: &Instance) -> Diagnostic {
        let (Some(operator), Some((source, item, given))) =
            (self.operator, self.result_computation())
        else {
            return problem;
        };
        let name = operator.0.name;
        let interface = instance.interface.0.name;
        let text = self.written_instance(operator, instance);
        let problem = problem
            .related(
                Location::node(source, given.id),
                format!(
                    "the computation that `{name}` gives would have to allow `{interface}` here"
                ),
            )
            .help(format!(
                "add `{text}` to the ability of the computation that `{name}` gives"
            ));
        let edit = self.add_instance(source, item, given, &text);
        match edit.filter(|_| is_own(self.db, source) && !text.contains(['_', '…'])) {
            Some(edit) => problem.fix(Fix {
                title: format!("add `{text}` to the ability of what `{name}` gives"),
                edits: vec![edit],
                safe: false,
            }),
            None => problem,
        }
    }

    /// Adds that the port that takes the computation would have to allow an instance, where the operator
    /// itself does.
    pub(super) fn say_so_in_port(
        &self,
        problem: Diagnostic,
        definition: TermDef,
        index: usize,
        instance: &Instance,
    ) -> Diagnostic {
        let TermDef::Operator(operator) = definition else {
            return problem;
        };
        let name = instance.interface.0.name;
        let Some((source, item)) = signature_item(self.db, operator) else {
            return problem;
        };
        let ItemKind::Signature { ty, .. } = &item.kind else {
            return problem;
        };
        let own = ty.peg.ability.iter().flat_map(|ability| &ability.instances);
        let Some(written) = own.clone().find(|one| one.interface.symbol == name) else {
            return problem;
        };
        let Some(port) = ty.ports.get(index) else {
            return problem;
        };
        let TypeKind::Computation(taken) = &item.types[port.ty].kind else {
            return problem;
        };
        let range = Location::node(source, written.id).in_item(self.db);
        let text = source
            .text(self.db)
            .get(std::ops::Range::<usize>::from(range));
        let Some(text) = text.filter(|_| is_own(self.db, source)) else {
            return problem;
        };
        let problem = problem.help(format!(
            "`{}` has `{text}` in its own ability, which its argument has not: add `{text}` to the \
             ability of that port",
            operator.0.name
        ));
        // What runs the argument is written for what it may do now.
        let mut problem = problem;
        problem.undecided = true;
        match self.add_instance(source, item, taken, text) {
            Some(edit) => problem.fix(Fix {
                title: format!(
                    "add `{text}` to the {} port of `{}`",
                    ordinal(index),
                    operator.0.name
                ),
                edits: vec![edit],
                safe: false,
            }),
            None => problem,
        }
    }

    /// The operators that call one, directly or not, and whose signatures lack an interface; with
    /// the operator that each of them calls.
    fn callers(&self, operator: OperatorDef, interface: InterfaceDef) -> Vec<(Symbol, Symbol)> {
        let scope = operator.0.scope;
        let mut found: Vec<(Symbol, Symbol)> = Vec::new();
        let mut seen: HashSet<Symbol> = HashSet::from([operator.0.name]);
        let mut work = vec![operator.0.name];
        let mut next = 0;
        while let Some(callee) = work.get(next).copied() {
            next += 1;
            if next > EFFORT || found.len() >= ALL_CALLERS {
                break;
            }
            for caller in users(self.db, scope, callee) {
                if seen.contains(caller) || !self.lacks(*caller, interface) {
                    continue;
                }
                if self.calls_unhandled(*caller, callee, interface) {
                    seen.insert(*caller);
                    found.push((*caller, callee));
                    work.push(*caller);
                }
            }
        }
        found
    }

    pub(super) fn lacks(&self, operator: Symbol, interface: InterfaceDef) -> bool {
        let scope = self
            .operator
            .map_or(self.scope, |operator| operator.0.scope);
        let Some(signature) = signature(self.db, scope, operator) else {
            return false;
        };
        let row = signature.types.row(signature.computation.ability);
        row.instances
            .iter()
            .all(|instance| instance.interface != interface)
    }

    /// Whether an operator calls another one outside of all handlers of an interface.
    fn calls_unhandled(&self, caller: Symbol, callee: Symbol, interface: InterfaceDef) -> bool {
        let scope = self
            .operator
            .map_or(self.scope, |operator| operator.0.scope);
        clauses(self.db, scope, caller).iter().any(|source| {
            let item = item(self.db, *source);
            let mut known = None;
            item.terms.iter().any(|(term, data)| {
                if !matches!(&data.kind, TermKind::Name(name) if name.symbol == callee) {
                    return false;
                }
                let (surroundings, scopes) = known.get_or_insert_with(|| {
                    let scopes = Scopes::new(self.db, scope, item);
                    (Surroundings::new(item), scopes)
                });
                if scopes.read_by(term).is_some() {
                    return false;
                }
                let mut ancestors = std::iter::once(term).chain(surroundings.ancestors(term));
                !ancestors.any(|ancestor| {
                    let Some((call, index)) = surroundings.argument_of(item, ancestor) else {
                        return false;
                    };
                    let TermKind::Apply { head, .. } = &item.terms[call].kind else {
                        return false;
                    };
                    let TermKind::Name(head) = &item.terms[*head].kind else {
                        return false;
                    };
                    match resolve_term(self.db, scope, head.symbol) {
                        Some(TermDef::Operator(handler)) => {
                            catalogues(self.db, scope).any(|known| {
                                known.handlers.contains(&(interface, handler, index as u32))
                            })
                        }
                        _ => false,
                    }
                })
            })
        })
    }
}
