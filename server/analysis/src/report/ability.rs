//! Abilities that lack something, or differ.

use frank_syntax::ast::{ItemKind, NodeId, ParamKind, Symbol, Tail as TailExpr, TermId};

use super::adaptor::{Adapted, Hidden};
use super::allowing::Sayer;
use super::candidates::{arguments, silent_computations};
use super::catalogue::{catalogues, in_sight};
use super::places::{is_own, port_node, signature_item};
use super::words::{listed, ordinal};
use super::{Reporter, rows};
use crate::db::{ItemSource, item};
use crate::declarations::signature;
use crate::diagnostics::{Code, Diagnostic, Location, Related};
use crate::entries::is_entry;
use crate::fixes;
use crate::infer::Resolved;
use crate::infer::hypothesis::{Change, Side};
use crate::infer::problem::Mark;
use crate::infer::table::{Clash, Table};
use crate::lower_types::counted;
use crate::params::{TypeNamespace, params};
use crate::program::{CommandDef, Definition, InterfaceDef, TermDef};
use crate::scopes::LocalKind;
use crate::surroundings::Parent;
use crate::types::{Ability, AbilityData, Arg, Instance, Port, Signature, Tail, TyKind, Types};

/// So many related places at most does one finding have.
pub(super) const MOST_RELATED: usize = 8;
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
        let have = self.inference.table.row(ambient);
        if let Some(other) = of_one_name(&have, interface) {
            let what = format!("the command `{}`", command.name);
            return Some(self.two_interfaces(at, &what, interface, other));
        }
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
        let missing = lacking(&need, &have).map(|one| self.unmatched(one, &need, &have));
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
        // Where there are too few instances, one is missing, and the one that is there is not for two.
        let lacks = self.lacks_instances(&need, &have);
        if let (Some(call), false, false) = (call, absent, lacks)
            && let Some(adapted) = self.missing_adaptor(unfit.mark, source, call, needed, ambient)
        {
            return Some(self.fits_adapted(unfit, &adapted, &shown));
        }
        let Some(instance) = missing else {
            return Some(self.abilities_differ(unfit, &shown, &need, &have));
        };
        let interface = instance.interface;
        if let Some(other) = of_one_name(&have, interface) {
            return Some(self.two_interfaces(at, &shown, interface, other));
        }
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
        let is_allowable = self.allowable.contains(&interface);
        if self.is_local(source, head)
            && !is_allowable
            && let Some(hidden) = self.hidden_by(source, head, interface)
        {
            let without = self.try_out(source, hidden.under, Change::Unadapt(hidden.index));
            if without.is_some_and(|trial| trial.solves(unfit.mark)) {
                return Some(hides(problem, &hidden, interface));
            }
        }
        if let Some(call) = call
            && let Some(finding) = self.unhandled_rest(&problem, unfit, call, interface)
        {
            return Some(finding);
        }
        // Where braces are handed on to run here, their ability is that of the signature.
        let is_allowable = is_allowable
            || self.suspended_without(source, head, interface).is_some()
                && self.would_allow(source, head, interface, unfit.mark);
        if self.is_local(source, head) && !is_allowable {
            return Some(self.runs_elsewhere(problem, source, head, interface));
        }
        self.cures_of_missing(problem, head, &instance, &shown)
    }

    /// The message where an ability has another interface of the name of the one that is needed.
    fn two_interfaces(
        &self,
        at: Location,
        what: &str,
        needed: InterfaceDef,
        here: InterfaceDef,
    ) -> Diagnostic {
        let name = needed.0.name;
        let of = |one: InterfaceDef| match one.0.scope == self.scope {
            true => "the program's own".to_owned(),
            false => {
                let path = one.0.scope.path(self.db);
                let file = path.rsplit('/').next().unwrap_or(path);
                format!("that of `{}`", file.trim_end_matches(".fk"))
            }
        };
        let problem = Diagnostic::new(
            Code::MissingAbility,
            at,
            format!(
                "two interfaces are called `{name}`: {what} needs {}, and the one here is {}",
                of(needed),
                of(here)
            ),
        );
        let is_own = needed.0.scope == self.scope || here.0.scope == self.scope;
        problem.help(match is_own {
            true => "give the program's own another name, or leave it out and use the other one",
            false => "the two files do not go together: include one of them",
        })
    }

    /// Whether an ability that is closed, or ends as the needed one does, has fewer instances of an interface.
    fn lacks_instances(&self, need: &AbilityData, have: &AbilityData) -> bool {
        need.instances.iter().any(|instance| {
            let count = |row| rows::instances(row, instance.interface).len();
            (1..count(need)).contains(&count(have))
        })
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
            problem.rests_on_signatures.push(operator);
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
            let handlers = self.handlers_of(instance);
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
        self.local_kind(source, term) == Some(LocalKind::Continuation)
    }

    /// What a term that is the name of a local variable names.
    pub(super) fn local_kind(&self, source: ItemSource, term: TermId) -> Option<LocalKind> {
        let body = self.inference.body(source)?;
        let Resolved::Local(local) = body.names.get(term)? else {
            return None;
        };
        Some(body.locals.get(local.0 as usize)?.kind)
    }

    /// Whether an instance more in the operator's signature solves a problem.
    fn would_allow(
        &mut self,
        source: ItemSource,
        term: TermId,
        interface: InterfaceDef,
        problem: Mark,
    ) -> bool {
        let allowed = Change::Allow(interface, Side::Active);
        let trial = self.try_out(source, term, allowed);
        let solves = trial.is_some_and(|trial| trial.solves(problem));
        if solves {
            self.allowable.insert(interface);
        }
        solves
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
    pub(super) fn cures_of_missing(
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
        let problem = self.handled_again(problem, (source, term), interface);
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
        if let Some(hidden) = self.hidden_by(source, term, interface)
            && !allowable
        {
            return Some(hides(problem, &hidden, interface));
        }
        let handlers = self.handlers_of(instance);
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
                // What data may hold is said once, however much is put into it.
                if matches!(definition, TermDef::Constructor(_)) {
                    let key = (interface, definition, index);
                    if let Some(first) = self.lacking_within.get(&key).copied() {
                        self.needs_it_too(first, &problem, what, interface);
                        return None;
                    }
                    self.lacking_within.insert(key, self.found.len());
                }
                if let Some(written) = self.data_that_may(definition, index, instance) {
                    return Some(problem.help(written));
                }
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
                if let Some(first) = self.lacking.get(&interface).copied()
                    && self.needs_it_too(first, &problem, what, interface)
                {
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

    /// Adds a place to the finding that tells of what is lacking there, too, if there is that finding.
    fn needs_it_too(
        &mut self,
        first: usize,
        problem: &Diagnostic,
        what: &str,
        interface: InterfaceDef,
    ) -> bool {
        let Some(first) = self.found.get_mut(first) else {
            return false;
        };
        if first.related.len() < MOST_RELATED {
            first.related.push(Related {
                location: problem.location,
                message: format!("{what} needs `{}` here, too", interface.0.name),
            });
        }
        true
    }

    /// How a type is written whose data holds computations that may use an instance, where these may do what the
    /// data's last, implicit parameter says.
    fn data_that_may(
        &self,
        definition: TermDef,
        index: usize,
        instance: &Instance,
    ) -> Option<String> {
        let TermDef::Constructor(constructor) = definition else {
            return None;
        };
        let Definition { scope, name } = constructor.data.0;
        let params = params(self.db, scope, name, TypeNamespace::Data);
        let implicit = (Symbol::implicit_effect(), ParamKind::Effect);
        let (last, others) = params.all.split_last()?;
        let plain = others.iter().all(|(_, kind)| *kind == ParamKind::Value);
        let (source, arguments) = arguments(self.db, definition)?;
        let argument = arguments.get(index)?;
        let silent = silent_computations(item(self.db, source), argument.ty);
        if *last != implicit || !plain || silent.is_empty() {
            return None;
        }
        let others: String = others.iter().map(|(one, _)| format!(" {one}")).collect();
        let needed = self.show().instance(instance);
        Some(format!(
            "what is suspended in a `{name}` may do what stands last behind that name: write `{name}{others} \
             [{needed}]` in the type of what this is put into"
        ))
    }

    /// Of the interface of an instance that is lacking, the first one needed that is not here.
    fn unmatched(&self, lacking: &Instance, need: &AbilityData, have: &AbilityData) -> Instance {
        let show = self.show();
        let here = rows::instances(have, lacking.interface);
        let mut here: Vec<String> = here.iter().map(|one| show.instance(one)).collect();
        let mut needed = rows::instances(need, lacking.interface);
        needed.retain(|one| {
            let known = here.iter().position(|other| *other == show.instance(one));
            known.map(|known| here.remove(known)).is_none()
        });
        needed.first().unwrap_or(lacking).clone()
    }

    /// The operators in sight with a port that adds an instance of an interface.
    fn handlers(&self, interface: InterfaceDef) -> Vec<String> {
        self.handlers_if(interface, |_, _| true)
    }

    /// The operators in sight that would handle an instance, and do not need it themselves.
    fn handlers_of(&self, instance: &Instance) -> Vec<String> {
        self.handlers_if(instance.interface, |signature, port| {
            let types = &signature.types;
            let is_alike = |one: &Instance| {
                one.interface == instance.interface
                    && agree(types, &one.args, &self.inference.table, &instance.args)
            };
            let own = &types.row(signature.computation.ability).instances;
            let added = port.added().find(|added| is_alike(added));
            added.is_some_and(|added| {
                let mut own = own.iter().filter(|one| one.interface == added.interface);
                !own.any(|one| is_same(types, &one.args, &added.args))
            })
        })
    }

    fn handlers_if(
        &self,
        interface: InterfaceDef,
        is_meant: impl Fn(&Signature, &Port) -> bool,
    ) -> Vec<String> {
        let mut names = Vec::new();
        for catalogue in catalogues(self.db, self.scope) {
            for (handled, operator, position) in &catalogue.handlers {
                let name = format!("`{}`", operator.0.name);
                let is_known = *handled != interface
                    || !in_sight(self.db, self.scope, *operator)
                    || names.contains(&name);
                let declared = signature(self.db, operator.0.scope, operator.0.name).as_ref();
                let port = declared.and_then(|declared| {
                    let port = declared.computation.ports.get(*position as usize)?;
                    Some((declared, port))
                });
                if let (false, Some((declared, port))) = (is_known, port)
                    && is_meant(declared, port)
                {
                    names.push(name);
                }
            }
        }
        names
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

/// Says that an adaptor hides the interface that is missing.
fn hides(problem: Diagnostic, hidden: &Hidden, interface: InterfaceDef) -> Diagnostic {
    let name = interface.0.name;
    problem
        .related(
            hidden.place,
            format!("`<{}>` hides `{name}` from it here", hidden.adaptor),
        )
        .help(format!(
            "let the adaptor hide less, or use `{name}` outside of it"
        ))
}

/// Whether arguments in a signature, whose variables stand for anything, can be those that a checker knows.
fn agree(types: &Types, declared: &[Arg], table: &Table, known: &[Arg]) -> bool {
    declared.iter().zip(known).all(|pair| match pair {
        (Arg::Type(a), Arg::Type(b)) => match (types.kind(*a), table.kind(*b)) {
            (TyKind::Variable(_) | TyKind::Error, _) | (_, TyKind::Meta(_) | TyKind::Error) => true,
            (TyKind::Data(one, declared), TyKind::Data(other, known)) => {
                one == other && agree(types, declared, table, known)
            }
            (TyKind::Computation(_), TyKind::Computation(_)) => true,
            (one, other) => one == other,
        },
        _ => true,
    })
}

/// Whether arguments in a signature are the same.
fn is_same(types: &Types, some: &[Arg], others: &[Arg]) -> bool {
    some.iter().zip(others).all(|pair| match pair {
        (Arg::Type(a), Arg::Type(b)) => match (types.kind(*a), types.kind(*b)) {
            (TyKind::Data(one, some), TyKind::Data(other, others)) => {
                one == other && is_same(types, some, others)
            }
            (one, other) => one == other,
        },
        _ => true,
    })
}

/// Another interface in an ability that has the name of one which it has not.
fn of_one_name(have: &AbilityData, interface: InterfaceDef) -> Option<InterfaceDef> {
    let mut there = have.instances.iter().map(|one| one.interface);
    let is_there = there.clone().any(|one| one == interface);
    there
        .find(|one| *one != interface && one.0.name == interface.0.name)
        .filter(|_| !is_there)
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
