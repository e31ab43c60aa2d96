//! Abilities that lack something, or differ.

use std::collections::HashSet;

use frank_syntax::ast::{
    CompType, Item, ItemKind, NodeId, Symbol, Tail as TailExpr, TermId, TermKind, TypeKind,
};

use super::adaptor::Adapted;
use super::catalogue::{catalogues, clauses, in_sight, users};
use super::places::{is_own, port_node, result_ability, signature_item, visible_names};
use super::words::{listed, ordinal};
use super::{Reporter, rows};
use crate::builtin;
use crate::db::{ItemSource, item};
use crate::declarations::signature;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position, Related};
use crate::entries::is_entry;
use crate::fixes;
use crate::infer::hypothesis::{Change, Hypothesis};
use crate::infer::problem::{Mark, Problem};
use crate::infer::table::Clash;
use crate::infer::{Resolved, infer_operator_if};
use crate::lower_types::counted;
use crate::params::{TypeNamespace, params};
use crate::program::{CommandDef, Definition, InterfaceDef, OperatorDef, TermDef, resolve_term};
use crate::scopes::{LocalKind, Scopes};
use crate::show::{MetaNames, Show};
use crate::surroundings::{Parent, Surroundings};
use crate::types::{Ability, AbilityData, Arg, Instance, Signature, Tail, Ty, TyKind};

/// So many callers at most are named.
const MOST_CALLERS: usize = 4;
/// So many calls around a term at most are tried out with another operator.
const MOST_AROUND: usize = 3;
/// If there are this many, not all of them are looked for.
const ALL_CALLERS: usize = 100;
/// So many related places at most does one finding have.
pub(super) const MOST_RELATED: usize = 8;
/// So many operators at most are looked at for callers.
const EFFORT: usize = 200;

/// What would have to say that an interface may be used at a term.
enum Sayer {
    /// The signature of the operator that the term is in.
    Own,
    /// The signature of the operator, which gives the computation that the term is in.
    Result,
    /// A port of another definition, or an argument of a constructor, that the term is in.
    Port(TermDef, usize),
}

/// A call whose ability does not fit the ambient one.
#[derive(Clone, Copy)]
pub struct Unfit<'a> {
    pub mark: Mark,
    pub at: Location,
    pub source: ItemSource,
    pub head: TermId,
    pub definition: Option<TermDef>,
    pub needed: Ability,
    pub ambient: Ability,
    pub clash: &'a Clash,
}

impl Reporter<'_> {
    /// The message for a command whose interface is not in the ability; `None` where the same
    /// signature has been found to lack it.
    pub(super) fn no_instance(
        &mut self,
        mark: Mark,
        at: Location,
        term: TermId,
        command: CommandDef,
        instance: &Instance,
        ambient: Ability,
    ) -> Option<Diagnostic> {
        let interface = command.interface;
        if let Some(finding) = self.another_around(mark, at.item, term, interface) {
            return Some(finding);
        }
        let what = format!("the command `{}`", command.name);
        let message = format!(
            "{what} needs an instance of `{}`, and the ability here, `{}`, has none",
            interface.0.name,
            self.ability(ambient)
        );
        let problem = Diagnostic::new(Code::MissingAbility, at, message);
        self.cures_of_missing(problem, term, instance, &what)
    }

    /// The message for a call whose ability does not fit; `None` where the same signature has
    /// been found to lack what it needs.
    pub(super) fn ability_clash(&mut self, unfit: Unfit<'_>) -> Option<Diagnostic> {
        let Unfit {
            at,
            source,
            head,
            definition,
            needed,
            ambient,
            ..
        } = unfit;
        // What a command that is not declared well gives is not known, nor what goes on with it.
        if self.waits_for_anything(source, head) {
            return None;
        }
        let table = &self.inference.table;
        let (need, have) = (table.row(needed), table.row(ambient));
        let missing = lacking(&need, &have).cloned();
        let shown = self.head_text(source, head, definition);
        let call = self
            .surroundings(source)
            .parent(head)
            .and_then(|parent| match parent {
                Parent::Term(call) => Some(call),
                Parent::Clause { .. } => None,
            });
        let absent = missing
            .as_ref()
            .is_some_and(|instance| rows::instances(&have, instance.interface).is_empty());
        if let (Some(call), Some(instance), false) = (call, &missing, absent)
            && self.is_continuation(source, head)
        {
            let problem = Diagnostic::new(Code::MissingAbility, at, String::new());
            let interface = instance.interface;
            if let Some(finding) = self.unhandled_rest(&problem, unfit, call, interface) {
                return Some(finding);
            }
        }
        if let (Some(call), false) = (call, absent)
            && let Some(adapted) = self.missing_adaptor(unfit.mark, source, call, needed, ambient)
        {
            return Some(self.fits_adapted(unfit, &adapted, &shown));
        }
        let Some(instance) = missing else {
            return Some(self.abilities_differ(unfit, &shown, &need, &have));
        };
        let interface = instance.interface;
        let finding = self
            .another_operator(unfit.mark, source, head, interface)
            .or_else(|| self.another_around(unfit.mark, source, head, interface));
        if finding.is_some() {
            return finding;
        }
        let there = rows::instances(&have, interface).len();
        let here = self.ability(ambient);
        let message = if there == 0 {
            format!(
                "{shown} needs an instance of `{}`, and the ability here, `{here}`, has none",
                interface.0.name
            )
        } else {
            format!(
                "{shown} needs {}, and the ability here, `{here}`, has {there}",
                counted(
                    rows::instances(&need, interface).len() as u32,
                    interface.0.name
                ),
            )
        };
        let mut problem = Diagnostic::new(Code::MissingAbility, at, message);
        if there > 0 {
            problem = problem.help(rows::draw(&self.show(), ["needed", "here"], &need, &have));
        }
        let others = self.others_lacking(&need, &have, interface);
        if !others.is_empty() {
            problem = problem.help(format!("it needs {}, too", listed(&others, others.len())));
            problem.undecided = true;
            if let Some(around) = self.ended_by_evaluation(&need, interface) {
                problem = problem.help(around);
            }
        }
        if let Some(call) = call
            && let Some(finding) = self.unhandled_rest(&problem, unfit, call, interface)
        {
            return Some(finding);
        }
        if self.is_local(source, head) && !self.allowable.contains(&interface) {
            return Some(self.runs_elsewhere(problem, source, head, interface));
        }
        self.cures_of_missing(problem, head, &instance, &shown)
    }

    fn fits_adapted(&mut self, unfit: Unfit<'_>, adapted: &Adapted, shown: &str) -> Diagnostic {
        let hides = adapted
            .adaptors
            .iter()
            .all(|adaptor| adaptor.kept.is_empty());
        let (need, here) = (self.ability(unfit.needed), self.ability(unfit.ambient));
        let (why, verb) = if hides {
            let why = format!("{shown} runs in the ability `{need}`, and here it is `{here}`");
            (why, "hides what is too much")
        } else {
            let why = format!("{shown} needs the ability `{need}`, and here it is `{here}`");
            (why, "rearranges it")
        };
        self.adapted_message(unfit.at, unfit.source, adapted, unfit.ambient, (&why, verb))
    }

    fn abilities_differ(
        &mut self,
        unfit: Unfit<'_>,
        shown: &str,
        need: &AbilityData,
        have: &AbilityData,
    ) -> Diagnostic {
        let message = format!(
            "{shown} needs the ability `{}`, and the ability here is `{}`",
            self.ability(unfit.needed),
            self.ability(unfit.ambient)
        );
        let mut problem = Diagnostic::new(Code::AbilityMismatch, unfit.at, message);
        problem = problem.help(rows::draw(&self.show(), ["needed", "here"], need, have));
        // An `X` for a `Prop X` in the signature is why it does not fit.
        if let Some(TermDef::Operator(operator)) = unfit.definition
            && Some(operator) != self.operator
            && self.is_made_of_active(need, have)
        {
            problem.rests_on.push(operator);
        }
        // So is a `State String` for a `State Int`.
        if let Some(TermDef::Operator(operator)) = unfit.definition
            && Some(operator) != self.operator
        {
            problem.rests_on_signature = Some(operator);
        }
        if let Clash::InfiniteAbility { .. } | Clash::Infinite { .. } = unfit.clash {
            problem.code = Code::InfiniteType;
            return problem.help("to make them equal, one would have to contain itself");
        }
        let show = self.show();
        match (need.tail, have.tail) {
            (Tail::Closed, other) if other != Tail::Closed => problem.help(
                "the ability that is needed is closed: it allows nothing but what it lists, and \
                 this may run where more is allowed",
            ),
            (other, Tail::Closed) if !matches!(other, Tail::Closed | Tail::Meta(_)) => {
                problem.help("the ability here is closed: it allows nothing but what it lists")
            }
            (Tail::Variable(a), Tail::Variable(b)) if a != b => {
                let name = |index: u32| {
                    show.effects
                        .get(index as usize)
                        .map_or("_", |name| name.as_str())
                };
                problem.help(format!(
                    "`{}` and `{}` stand for abilities that need not be the same",
                    name(a),
                    name(b)
                ))
            }
            _ => self.other_instances(problem, need, have),
        }
    }

    /// Whether an instance that is needed is one of data of the type that the active one is of: `Smooth (Prop X)`
    /// where there is `Smooth X`.
    fn is_made_of_active(&self, need: &AbilityData, have: &AbilityData) -> bool {
        let table = &self.inference.table;
        let is_made_of = |(data, part): (&Arg, &Arg)| {
            let (Arg::Type(data), Arg::Type(part)) = (data, part) else {
                return false;
            };
            let TyKind::Data(_, args) = table.kind(*data) else {
                return false;
            };
            let is_part =
                |arg: &Arg| matches!(arg, Arg::Type(ty) if table.kind(*ty) == table.kind(*part));
            args.iter().any(is_part)
        };
        need.instances.iter().any(|needed| {
            let mut active = have.instances.iter().rev();
            let active = active.find(|one| one.interface == needed.interface);
            active.is_some_and(|active| needed.args.iter().zip(active.args.iter()).any(is_made_of))
        })
    }

    /// Which instances have other arguments, and what handles those that are needed.
    fn other_instances(
        &self,
        mut problem: Diagnostic,
        need: &AbilityData,
        have: &AbilityData,
    ) -> Diagnostic {
        let show = self.show();
        let mut seen: Vec<InterfaceDef> = Vec::new();
        for instance in need.instances.iter().rev() {
            if seen.contains(&instance.interface) {
                continue;
            }
            seen.push(instance.interface);
            let active = have
                .instances
                .iter()
                .rev()
                .find(|i| i.interface == instance.interface);
            let Some(active) = active else { continue };
            let (wanted, given) = (show.instance(instance), show.instance(active));
            if wanted == given {
                continue;
            }
            problem = problem.help(format!(
                "the active `{}` here is `{given}`",
                instance.interface.0.name
            ));
            let handlers = self.handlers(instance.interface);
            if !handlers.is_empty() {
                problem = problem.help(format!(
                    "to run it here, handle a `{wanted}` around it, with {}",
                    handlers_text(&handlers)
                ));
            }
        }
        problem
    }

    /// Whether a term is a local variable.
    fn is_local(&self, source: ItemSource, term: TermId) -> bool {
        let resolved = self
            .inference
            .body(source)
            .and_then(|body| body.names.get(term));
        matches!(resolved, Some(Resolved::Local(_)))
    }

    /// The instances that are needed of interfaces beside this one of which there is none.
    fn others_lacking(
        &self,
        need: &AbilityData,
        have: &AbilityData,
        interface: InterfaceDef,
    ) -> Vec<String> {
        let show = self.show();
        let is_absent = |one: &&Instance| {
            one.interface != interface && rows::instances(have, one.interface).is_empty()
        };
        let absent = need.instances.iter().filter(is_absent);
        let mut all: Vec<String> = absent
            .map(|one| format!("`{}`", show.instance(one)))
            .collect();
        all.dedup();
        all
    }

    /// What to say where a derivative is not evaluated: `evaluate` handles the smooth numbers that it needs.
    fn ended_by_evaluation(&self, need: &AbilityData, lacking: InterfaceDef) -> Option<String> {
        let evaluate = "`evaluate`".to_owned();
        let handled = need.instances.iter().find(|one| {
            one.interface != lacking && self.handlers(one.interface).contains(&evaluate)
        })?;
        Some(format!(
            "`evaluate (…)` around it handles `{}`",
            self.show().instance(handled)
        ))
    }

    /// Whether a term is a continuation that takes whatever it is given, since its command's type is wrong.
    fn waits_for_anything(&self, source: ItemSource, term: TermId) -> bool {
        if !self.is_continuation(source, term) {
            return false;
        }
        let table = &self.inference.table;
        let body = self.inference.body(source);
        let ty = body.and_then(|body| body.types.get(term));
        ty.is_some_and(|ty| match table.kind(*ty) {
            TyKind::Computation(rest) => {
                let port = rest.ports.first();
                port.is_some_and(|port| matches!(table.kind(port.ty), TyKind::Error))
            }
            _ => false,
        })
    }

    /// Whether a term is the continuation of a command.
    pub(super) fn is_continuation(&self, source: ItemSource, term: TermId) -> bool {
        let Some(body) = self.inference.body(source) else {
            return false;
        };
        let Some(Resolved::Local(local)) = body.names.get(term) else {
            return false;
        };
        let local = body.locals.get(local.0 as usize);
        local.is_some_and(|local| local.kind == LocalKind::Continuation)
    }

    /// Where the ability of the operator's signature has an effect variable of this name.
    fn tail_named(&self, wanted: Symbol) -> Option<(ItemSource, NodeId)> {
        let (source, item) = signature_item(self.db, self.operator?)?;
        let ItemKind::Signature { ty, .. } = &item.kind else {
            return None;
        };
        match &ty.peg.ability.as_ref()?.tail {
            TailExpr::Named(name) if name.symbol == wanted => Some((source, name.id)),
            _ => None,
        }
    }

    /// What can be done where an instance is missing: say so in a signature, or handle it.
    fn cures_of_missing(
        &mut self,
        problem: Diagnostic,
        term: TermId,
        instance: &Instance,
        what: &str,
    ) -> Option<Diagnostic> {
        let source = problem.location.item;
        let interface = instance.interface;
        let name = interface.0.name;
        let mut problem = problem;
        problem
            .rests_on
            .extend(self.handling(source, term, interface));
        let allowable = self.allowable.contains(&interface);
        if let Some((place, tail)) = self.tail_named(name) {
            let problem = problem
                .related(
                    Location::node(place, tail),
                    format!("`{name}` is an effect variable here, since a bar follows it"),
                )
                .help("instances are separated by commas");
            return Some(match fixes::comma_for_bar(self.db, place, tail) {
                Some(fix) => problem.fix(fix),
                None => problem,
            });
        }
        if let Some((place, adaptor)) = self.hidden_by(source, term, interface)
            && !allowable
        {
            return Some(
                problem
                    .related(place, format!("`<{adaptor}>` hides `{name}` from it here"))
                    .help(format!(
                        "let the adaptor hide less, or use `{name}` outside of it"
                    )),
            );
        }
        let handlers = self.handlers(interface);
        let handled = (!handlers.is_empty()).then(|| {
            let verb = if handlers.len() == 1 {
                "handles"
            } else {
                "handle"
            };
            format!("{} {verb} `{name}`", listed(&handlers, 3))
        });
        let sayer = match self.sayer(source, term, interface) {
            // An instance more would get there, but the one that is there already would not.
            Sayer::Port(definition, index) if !allowable || self.allows(interface) => {
                Sayer::Port(definition, index)
            }
            _ if allowable => Sayer::Own,
            sayer => sayer,
        };
        Some(match sayer {
            Sayer::Result => {
                let problem = self.say_so_in_result(problem, instance);
                match handled {
                    Some(handled) => problem.help(format!("or handle it in there: {handled}")),
                    None => problem,
                }
            }
            Sayer::Port(definition, index) => {
                let owner = definition.name();
                let problem = match port_node(self.db, definition, index) {
                    Some((place, node)) if is_own(self.db, place) => problem.related(
                        Location::node(place, node),
                        format!(
                            "the {} port of `{owner}` says here what its argument may do",
                            ordinal(index)
                        ),
                    ),
                    _ => problem,
                };
                let problem = self.say_so_in_port(problem, definition, index, instance);
                problem.help(match handled {
                    Some(handled) => format!(
                        "or handle `{name}` inside of the argument of `{owner}` ({handled}), or do this \
                         outside of it"
                    ),
                    None => format!(
                        "the argument of `{owner}` may not use `{name}`: do this outside of it"
                    ),
                })
            }
            Sayer::Own => {
                // One signature lacks it: that is one mistake, however often it shows.
                if let Some(first) = self.lacking.get(&interface)
                    && let Some(first) = self.found.get_mut(*first)
                {
                    if first.related.len() < MOST_RELATED {
                        let note = format!("{what} needs `{name}` here, too");
                        first.related.push(Related {
                            location: problem.location,
                            message: note,
                        });
                    }
                    return None;
                }
                if self.operator.is_some() {
                    self.lacking.insert(interface, self.found.len());
                }
                let by_host = self.is_answered_by_host(interface);
                let is_entry = self
                    .operator
                    .is_some_and(|operator| is_entry(self.db, operator.0.scope, operator.0.name));
                if is_entry && !by_host {
                    // It would check, and nobody would handle it.
                    let problem = problem.help(match handled {
                        Some(handled) => format!("handle it around this: {handled}"),
                        None => format!("handle `{name}` around this: no operator in sight does"),
                    });
                    let mut problem = self.say_so(problem, instance);
                    problem.undecided = true;
                    return Some(problem);
                }
                let problem = self.say_so(problem, instance);
                match handled {
                    Some(handled) => problem.help(format!("or handle it around this: {handled}")),
                    None if by_host => {
                        problem.help(format!("`{name}` is answered by whoever runs the program"))
                    }
                    None => problem,
                }
            }
        })
    }

    /// Adds the signature that would have to say so, the edit, and the callers that it concerns.
    fn say_so(&mut self, mut problem: Diagnostic, instance: &Instance) -> Diagnostic {
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
                "with `{text}` in the ability of `{}` it would check, and nobody would handle it",
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

    fn is_answered_by_host(&self, interface: InterfaceDef) -> bool {
        interface == builtin::console(self.db) || interface == builtin::ref_state(self.db)
    }

    fn allow_in(&self, operator: OperatorDef, text: &str) -> Option<Edit> {
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

    /// The operators in sight with a port that adds an instance of an interface.
    fn handlers(&self, interface: InterfaceDef) -> Vec<String> {
        let mut names = Vec::new();
        for catalogue in catalogues(self.db, self.scope) {
            for (handled, operator, _) in &catalogue.handlers {
                let name = format!("`{}`", operator.0.name);
                if *handled == interface
                    && in_sight(self.db, self.scope, *operator)
                    && !names.contains(&name)
                {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Whose type decides what a term may do.
    fn sayer(&self, source: ItemSource, term: TermId, interface: InterfaceDef) -> Sayer {
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
    fn allows(&self, interface: InterfaceDef) -> bool {
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
    fn say_so_in_result(&self, problem: Diagnostic, instance: &Instance) -> Diagnostic {
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
    fn say_so_in_port(
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

    /// As [`Self::another_operator`], for the calls that take the computations which a term is in.
    fn another_around(
        &mut self,
        mark: Mark,
        source: ItemSource,
        term: TermId,
        interface: InterfaceDef,
    ) -> Option<Diagnostic> {
        let surroundings = self.surroundings(source);
        let item = item(self.db, source);
        let calls = surroundings
            .ancestors(term)
            .filter_map(|around| surroundings.argument_of(item, around));
        let heads: Vec<TermId> = calls
            .filter_map(|(call, _)| match &item.terms[call].kind {
                TermKind::Apply { head, .. } => Some(*head),
                _ => None,
            })
            .take(MOST_AROUND)
            .collect();
        heads
            .into_iter()
            .find_map(|head| self.another_operator(mark, source, head, interface))
    }

    /// An operator like the one that is called, but for what the computation that it takes may use: `gradc`
    /// for `grad`. The mark is that of the problem that it solves.
    fn another_operator(
        &mut self,
        mark: Mark,
        source: ItemSource,
        head: TermId,
        interface: InterfaceDef,
    ) -> Option<Diagnostic> {
        let own = self.operator?;
        let Some(TermDef::Operator(called)) = self.definition_of(source, head) else {
            return None;
        };
        let at = Location::node(source, item(self.db, source).terms[head].id);
        let declared = signature(self.db, called.0.scope, called.0.name).as_ref()?;
        // What the host answers can be added to the signature as well.
        let by_host = self.is_answered_by_host(interface);
        let candidates = visible_names(self.db, self.scope)
            .iter()
            .filter_map(|(_, definition)| {
                let TermDef::Operator(other) = *definition else {
                    return None;
                };
                let known = signature(self.db, other.0.scope, other.0.name).as_ref()?;
                is_alike(declared, known, interface, by_host).then_some(other)
            });
        let candidates: Vec<OperatorDef> = candidates.filter(|other| *other != called).collect();
        for other in candidates.into_iter().take(MOST_CALLERS) {
            self.trials = self.trials.checked_sub(1)?;
            let hypothesis = Hypothesis {
                source,
                term: head,
                change: Change::Call(other),
            };
            let tried = infer_operator_if(self.db, own, self.order, Some(hypothesis))?;
            // An adaptor may be missing further in, which shows once the right operator is there.
            let introduced: Vec<&Problem> = tried
                .problems
                .iter()
                .filter(|problem| !self.base.contains(&problem.mark()))
                .collect();
            let is_first_step = match introduced[..] {
                [] => false,
                [Problem::Ability { .. }] => true,
                _ => continue,
            };
            let left = tried.problems.iter().find(|problem| problem.mark() == mark);
            let host = match left {
                Some(Problem::Ability {
                    needed, ambient, ..
                }) => {
                    let (need, have) = (tried.table.row(*needed), tried.table.row(*ambient));
                    match lacking(&need, &have) {
                        Some(one) if self.is_answered_by_host(one.interface) => Some(one.interface),
                        _ => continue,
                    }
                }
                Some(_) => continue,
                None => None,
            };
            let (wrong, right) = (called.0.name, other.0.name);
            let mut edits = vec![Edit {
                location: at,
                position: Position::Replace,
                text: right.to_string(),
            }];
            let mut title = format!("write `{right}`");
            if let Some(host) = host {
                let text = host.0.name.to_string();
                edits.push(self.allow_in(own, &text)?);
                title.push_str(&format!(
                    " and add `{text}` to the ability of `{}`",
                    own.0.name
                ));
            }
            let name = interface.0.name;
            let marks = tried.problems.iter().map(Problem::mark);
            let left: HashSet<Mark> = marks.collect();
            self.settled.extend(self.base.difference(&left).copied());
            let mut problem = Diagnostic::new(
                Code::MissingAbility,
                at,
                format!(
                    "what `{wrong}` is given here uses `{name}`, which `{wrong}` does not handle; \
                     `{right}` does"
                ),
            )
            .help(format!("write `{right}`"));
            problem.undecided = is_first_step;
            if let Some(host) = host {
                problem = problem.help(format!(
                    "`{right}` needs `{}`, which is answered by whoever runs the program",
                    host.0.name
                ));
            }
            return Some(problem.fix(Fix {
                title,
                edits,
                safe: false,
            }));
        }
        None
    }

    /// The suspended computation that a term is in, where a type that is known there is what lacks an
    /// interface, and the ability around it has it or not.
    fn suspended_without(
        &self,
        source: ItemSource,
        term: TermId,
        interface: InterfaceDef,
    ) -> Option<(Location, String)> {
        let thunk = self.surroundings(source).thunk_around(term)?;
        let body = self.inference.body(source)?;
        let ty = *body.types.get(thunk)?;
        let TyKind::Computation(computation) = self.inference.table.kind(ty) else {
            return None;
        };
        let row = self.inference.table.row(computation.ability);
        let has = |row: &AbilityData| row.instances.iter().any(|one| one.interface == interface);
        let is_needed = !matches!(row.tail, Tail::Meta(_) | Tail::Error) && !has(&row);
        let node = item(self.db, source).terms[thunk].id;
        is_needed.then(|| (Location::node(source, node), self.ty(ty)))
    }

    /// A computation that is run where its handler is not.
    fn runs_elsewhere(
        &self,
        problem: Diagnostic,
        source: ItemSource,
        term: TermId,
        interface: InterfaceDef,
    ) -> Diagnostic {
        let name = interface.0.name;
        if let Some((thunk, ty)) = self.suspended_without(source, term, interface) {
            return problem
                .related(
                    thunk,
                    format!("what is suspended here must have the type `{ty}`"),
                )
                .help(format!(
                    "that type allows no `{name}`: give it `[{name}]` where it is written, or run this \
                     outside of the braces"
                ));
        }
        let handlers = self.handlers(interface);
        let problem = problem.help(
            "a computation meets the handlers around the place where it is run, not those where \
             it was written",
        );
        if handlers.is_empty() {
            problem.help(format!(
                "run it where `{name}` is handled, or in an ability that has it"
            ))
        } else {
            problem.help(format!(
                "run it inside of a handler, such as {}, or in an ability that has `{name}`",
                handlers_text(&handlers)
            ))
        }
    }
}

/// Whether an operator takes what another one takes, and lets the computations that it takes use
/// an interface that the other one's may not.
fn is_alike(one: &Signature, other: &Signature, interface: InterfaceDef, by_host: bool) -> bool {
    let allows = |signature: &Signature| {
        signature.computation.ports.iter().any(|port| {
            let TyKind::Computation(taken) = signature.types.kind(port.ty) else {
                return false;
            };
            let row = signature.types.row(taken.ability);
            row.instances
                .iter()
                .any(|instance| instance.interface == interface)
        })
    };
    let ports = one.computation.ports.iter().zip(&other.computation.ports);
    let mut ports = ports.map(|(a, b)| takes_the_same((one, a.ty), (other, b.ty), by_host));
    one.computation.ports.len() == other.computation.ports.len()
        && !allows(one)
        && allows(other)
        && ports.all(|same| same)
}

/// Whether two ports take computations that give data, or the same data if `exactly` is so, or both take none.
fn takes_the_same(one: (&Signature, Ty), other: (&Signature, Ty), exactly: bool) -> bool {
    let taken = |(signature, ty): (&Signature, Ty)| match signature.types.kind(ty) {
        TyKind::Computation(taken) => Some(match signature.types.kind(taken.result) {
            TyKind::Data(data, _) => Some(*data),
            _ => None,
        }),
        _ => None,
    };
    match (taken(one), taken(other)) {
        (Some(Some(a)), Some(Some(b))) => !exactly || a == b,
        (a, b) => a == b,
    }
}

/// `a`, `a or b`, `a, b or c`
fn handlers_text(handlers: &[String]) -> String {
    match handlers
        .get(..handlers.len().min(3))
        .and_then(<[String]>::split_last)
    {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}

/// The first instance that an ability needs and another, which is not flexible, has too few of.
pub(super) fn lacking<'a>(need: &'a AbilityData, have: &AbilityData) -> Option<&'a Instance> {
    if matches!(have.tail, Tail::Meta(_) | Tail::Error) {
        return None;
    }
    let of = |list: &[Instance], wanted: &Instance| {
        list.iter()
            .filter(|other| other.interface == wanted.interface)
            .count()
    };
    need.instances.iter().enumerate().find_map(|(i, instance)| {
        let earlier = need.instances.get(..i).unwrap_or_default();
        (of(earlier, instance) >= of(&have.instances, instance)).then_some(instance)
    })
}
