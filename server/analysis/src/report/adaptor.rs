//! Uses that fit under an adaptor, and adaptors that do not fit.
//!
//! Candidates come from the instances of the ambient ability, interface by interface, the
//! simplest adaptor first. One is named only if checking the definition again with it takes the
//! problem away and brings no other.

use frank_syntax::ast::{Item, TermId, TermKind};

use super::lift::show_adaptors;
use super::selections::{MOST_TRIED, fitting, hides_all, selections};
use super::{Reporter, rows};
use crate::db::{ItemSource, item, parsed};
use crate::declarations::signature;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::Resolved;
use crate::infer::hypothesis::Change;
use crate::infer::problem::Mark;
use crate::infer::table::Clash;
use crate::lower_types::counted;
use crate::program::{InterfaceDef, TermDef};
use crate::show::{Show, show_adaptor};
use crate::surroundings::{Parent, is_atomic, is_use};
use crate::types::{Ability, AbilityData, Adaptor, Adjustment, Instance, TyKind};

/// A use that fits under adaptors.
pub struct Adapted {
    /// The use.
    pub term: TermId,
    pub adaptors: Vec<Adaptor>,
    /// The arguments of the use do not fit there; they must be bound before.
    pub arguments_first: bool,
}

/// An adaptor that hides an interface from what runs under it.
pub(super) struct Hidden {
    pub(super) place: Location,
    /// As it is written.
    pub(super) adaptor: String,
    /// The term with its adaptors, and which of them it is.
    pub(super) under: TermId,
    pub(super) index: usize,
}

impl Reporter<'_> {
    /// The adaptors that would let a call fit whose ability does not.
    pub(super) fn missing_adaptor(
        &mut self,
        mark: Mark,
        source: ItemSource,
        call: TermId,
        needed: Ability,
        ambient: Ability,
    ) -> Option<Adapted> {
        let mut candidates = fitting(&mut self.inference.table, needed, ambient);
        let item = item(self.db, source);
        // The sort is stable: the simplest come first among those that keep what is added.
        candidates.sort_by_key(|adaptors| self.hides_added(source, item, call, adaptors));
        for adaptors in candidates.iter().take(MOST_TRIED) {
            let change = Change::Adapt(adaptors.clone());
            let trial = self.try_out(source, call, change)?;
            if trial.solves(mark) {
                self.settled.extend(trial.solved);
                return Some(Adapted {
                    term: call,
                    adaptors: adaptors.clone(),
                    arguments_first: false,
                });
            }
        }
        for adaptors in candidates.into_iter().take(2) {
            let trial = self.try_out(source, call, Change::AdaptCall(adaptors.clone()))?;
            if trial.solves(mark) {
                self.settled.extend(trial.solved);
                return Some(Adapted {
                    term: call,
                    adaptors,
                    arguments_first: true,
                });
            }
        }
        None
    }

    /// The adaptors that would give a use another instance, so that its type fits: that of the
    /// term itself, or of the call whose argument it is. With `several`, only what takes other
    /// problems away as well.
    pub(super) fn other_instance(
        &mut self,
        mark: Mark,
        source: ItemSource,
        term: TermId,
        clash: &Clash,
        several: bool,
    ) -> Option<Adapted> {
        let item = item(self.db, source);
        let call = self
            .surroundings(source)
            .argument_of(item, term)
            .map(|(call, _)| call);
        let uses = [Some(term).filter(|term| is_use(item, *term)), call];
        let differing = self.differing(clash);
        for term in uses.into_iter().flatten() {
            let Some(ambient) = self.inference.body(source)?.ambient.get(term).copied() else {
                continue;
            };
            let row = self.inference.table.row(ambient);
            let mut interfaces = self.interfaces_of(source, item, term);
            interfaces.extend(differing.iter().copied());
            interfaces.dedup();
            for interface in interfaces {
                let count = rows::instances(&row, interface).len() as u32;
                let differs = differing.contains(&interface);
                if count < 2 && !(differs && count > 0) {
                    continue;
                }
                // Only which instance is the active one matters for most uses.
                let all = selections(interface, count);
                let useful = all
                    .into_iter()
                    .filter(|adaptors| differs || !hides_all(adaptors, count));
                for adaptors in useful.take(MOST_TRIED) {
                    let trial = self.try_out(source, term, Change::Adapt(adaptors.clone()))?;
                    if trial.solves(mark) && (!several || trial.solved.len() > 1) {
                        self.settled.extend(trial.solved);
                        return Some(Adapted {
                            term,
                            adaptors,
                            arguments_first: false,
                        });
                    }
                }
            }
        }
        None
    }

    /// The interfaces that two abilities have different numbers of instances of, where types differ in
    /// an ability.
    fn differing(&self, clash: &Clash) -> Vec<InterfaceDef> {
        let Clash::Abilities(a, b) = clash else {
            return Vec::new();
        };
        let table = &self.inference.table;
        let (a, b) = (table.row(*a), table.row(*b));
        let mut found: Vec<InterfaceDef> = Vec::new();
        for instance in a.instances.iter().chain(b.instances.iter()) {
            let interface = instance.interface;
            let count = |row: &AbilityData| rows::instances(row, interface).len();
            if !found.contains(&interface) && count(&a) != count(&b) {
                found.push(interface);
            }
        }
        found
    }

    /// The interfaces that the head of a use performs commands of.
    pub(super) fn interfaces_of(
        &self,
        source: ItemSource,
        item: &Item,
        term: TermId,
    ) -> Vec<InterfaceDef> {
        let mut head = term;
        loop {
            match &item.terms[head].kind {
                TermKind::Apply { head: inner, .. } => head = *inner,
                TermKind::Adapted { body, .. } => head = *body,
                _ => break,
            }
        }
        let resolved = self
            .inference
            .body(source)
            .and_then(|body| body.names.get(head));
        let mut interfaces = Vec::new();
        match resolved {
            Some(Resolved::Definition(TermDef::Command(command))) => {
                interfaces.push(command.interface);
            }
            Some(Resolved::Definition(TermDef::Operator(operator))) => {
                let signature = signature(self.db, operator.0.scope, operator.0.name).as_ref();
                let Some(signature) = signature else {
                    return interfaces;
                };
                let row = signature.types.row(signature.computation.ability);
                for instance in row.instances.iter() {
                    if !interfaces.contains(&instance.interface) {
                        interfaces.push(instance.interface);
                    }
                }
            }
            _ => {}
        }
        interfaces
    }

    /// Whether adaptors hide an instance that the call around a use adds for its argument: what the
    /// use is to perform is meant for that call.
    fn hides_added(
        &self,
        source: ItemSource,
        item: &Item,
        term: TermId,
        adaptors: &[Adaptor],
    ) -> bool {
        let hides = |interface: InterfaceDef| {
            adaptors
                .iter()
                .any(|one| one.interface == interface && one.kept.first() != Some(&0))
        };
        let Some(body) = self.inference.body(source) else {
            return false;
        };
        let surroundings = self.surroundings(source);
        let mut inside = term;
        loop {
            if let Some((call, index)) = surroundings.argument_of(item, inside)
                && let TermKind::Apply { head, .. } = &item.terms[call].kind
                && let Some(ty) = body.types.get(*head)
                && let TyKind::Computation(called) = self.inference.table.kind(*ty)
                && let Some(port) = called.ports.get(index)
                && port.added().any(|instance| hides(instance.interface))
            {
                return true;
            }
            match surroundings.parent(inside) {
                Some(Parent::Term(parent)) => inside = parent,
                Some(Parent::Clause { .. }) | None => return false,
            }
        }
    }

    /// The message for a use that fits under adaptors. `why` says what does not fit now, `verb`
    /// what the adapted use does.
    pub(super) fn adapted_message(
        &mut self,
        at: Location,
        source: ItemSource,
        adapted: &Adapted,
        ambient: Ability,
        (why, verb): (&str, &str),
    ) -> Diagnostic {
        let item = item(self.db, source);
        if let Some(finding) = self.adapted_name(at, source, adapted) {
            return finding;
        }
        let shown = show_adaptors(&adapted.adaptors);
        let text = self.term_text(source, adapted.term);
        let whole = match &text {
            Some(text) if is_atomic(item, adapted.term) => format!("{shown} {text}"),
            Some(text) => format!("{shown} ({text})"),
            None => format!("{shown} (…)"),
        };
        let message = if adapted.arguments_first {
            format!("{why}; `{shown}` {verb}, but the arguments must stay outside of it")
        } else {
            format!("{why}; `{whole}` {verb}")
        };
        let mut problem = Diagnostic::new(Code::MissingAdaptor, at, message);
        for change in self.rearrangements(&adapted.adaptors, ambient) {
            problem = problem.help(change);
        }
        if adapted.arguments_first {
            return problem.help(format!(
                "bind the arguments first, `let x = … in {shown} (… x)`: what runs under an \
                 adaptor does not see the instances that it hides"
            ));
        }
        let fix = self.adapt_fix(source, item, adapted, &whole);
        problem.fix(fix)
    }

    /// The finding about `(<I> f) x`, where `<I> (f x)` is meant: the name alone performs nothing.
    fn adapted_name(
        &self,
        at: Location,
        source: ItemSource,
        adapted: &Adapted,
    ) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let TermKind::Apply { head, args } = &item.terms[adapted.term].kind else {
            return None;
        };
        let TermKind::Adapted { adaptors, body } = &item.terms[*head].kind else {
            return None;
        };
        let performs_nothing = |arg: &TermId| {
            matches!(
                item.terms[*arg].kind,
                TermKind::Name(_)
                    | TermKind::Natural(_)
                    | TermKind::Float(_)
                    | TermKind::Char(_)
                    | TermKind::String(_)
            )
        };
        let (first, last) = (args.first()?, args.last()?);
        if !adapted.arguments_first || !args.iter().all(performs_nothing) {
            return None;
        }
        let resolved = self.inference.body(source)?.adaptors.get(*head)?;
        let is_same = resolved.len() == adaptors.len() && *resolved == adapted.adaptors;
        let name = self.term_text(source, *body)?;
        let map = &parsed(self.db, source).source_map;
        let start = map.range(item.terms[*first].id).start();
        let end = map.range(item.terms[*last].id).end();
        let args = source.text(self.db).get(start.into()..end.into())?;
        let shown = show_adaptors(&adapted.adaptors);
        let whole = format!("{shown} ({name} {args})");
        let message = format!("`{shown}` adapts `{name}` alone here, which performs nothing");
        let call = Location::node(source, item.terms[adapted.term].id);
        let fix = fixes::replace(call, &whole, format!("write `{whole}`"));
        is_same.then(|| {
            Diagnostic::new(Code::MissingAdaptor, at, message)
                .help(format!("it is the call that performs: write `{whole}`"))
                .fix(Fix { safe: false, ..fix })
        })
    }

    /// What adaptors do to the instances of each interface that they name.
    fn rearrangements(&mut self, adaptors: &[Adaptor], ambient: Ability) -> Vec<String> {
        let before = self.inference.table.row(ambient);
        let table = &mut self.inference.table;
        let inside = adaptors
            .iter()
            .fold(ambient, |inside, one| table.adapted(one, inside));
        let after = self.inference.table.row(inside);
        let show = self.show();
        let mut seen: Vec<InterfaceDef> = Vec::new();
        let mut lines = Vec::new();
        for adaptor in adaptors {
            if seen.contains(&adaptor.interface) {
                continue;
            }
            seen.push(adaptor.interface);
            let (under, here) = (
                rows::instances(&after, adaptor.interface),
                rows::instances(&before, adaptor.interface),
            );
            let name = adaptor.interface.0.name;
            let here = rows::list(&show, &here);
            lines.push(if under.is_empty() {
                format!("under it there is no `{name}`, and here there is `{here}`")
            } else {
                let under = rows::list(&show, &under);
                format!(
                    "under it the instances of `{name}` are `{under}`, and here they are `{here}`"
                )
            });
        }
        lines
    }

    fn adapt_fix(
        &mut self,
        source: ItemSource,
        item: &Item,
        adapted: &Adapted,
        whole: &str,
    ) -> Fix {
        let term = adapted.term;
        let title = format!("write `{whole}`");
        // Adaptors that are there already take the new ones in.
        if let Some(Parent::Term(parent)) = self.surroundings(source).parent(term)
            && let TermKind::Adapted { adaptors, .. } = &item.terms[parent].kind
            && let Some(last) = adaptors.last()
        {
            let more: Vec<String> = adapted.adaptors.iter().map(show_adaptor).collect();
            let text = format!(", {}", more.join(", "));
            let at = Location::node(source, last.id);
            let edit = Edit {
                location: at,
                position: Position::After,
                text,
            };
            return Fix {
                title,
                edits: vec![edit],
                safe: false,
            };
        }
        let shown = show_adaptors(&adapted.adaptors);
        Fix {
            title,
            // It is the simplest one that fits, and another one may fit, too.
            safe: false,
            ..self.applied_fix(source, item, term, &shown, 0)
        }
    }

    /// The message for an adaptor that names instances that are not there.
    pub(super) fn invalid_adaptor(
        &self,
        at: Location,
        adaptor: &Adaptor,
        ambient: Ability,
        of_port: Option<Option<TermDef>>,
    ) -> Diagnostic {
        let interface = adaptor.interface.0.name;
        let row = self.inference.table.row(ambient);
        let there = rows::instances(&row, adaptor.interface);
        let has = match there.len() {
            0 => "none".to_owned(),
            n => n.to_string(),
        };
        let names = counted(adaptor.taken, interface);
        let here = self.ability(ambient);
        let message = match of_port {
            None => format!("the adaptor names {names}, and the ability here, `{here}`, has {has}"),
            Some(definition) => {
                let name =
                    definition.map_or("the callee".to_owned(), |d| format!("`{}`", d.name()));
                format!(
                    "{name} adapts this argument by `<{}>`, which names {names}, and the ability \
                     here, `{here}`, has {has}",
                    show_adaptor(adaptor),
                )
            }
        };
        let mut problem = Diagnostic::new(Code::InvalidAdaptor, at, message);
        if !there.is_empty() || adaptor.taken > 1 {
            problem = problem.help(draw(&self.show(), adaptor, &there));
        }
        problem.help(match (of_port, there.is_empty()) {
            (Some(_), _) => {
                format!("call it where there are instances of `{interface}` for it to rearrange")
            }
            (None, true) => format!("leave it out: there is no `{interface}` here to rearrange"),
            (None, false) => "name fewer instances, or leave the adaptor out".to_owned(),
        })
    }

    pub(super) fn show(&self) -> Show<'_> {
        Show {
            table: &self.inference.table,
            values: &self.inference.rigid_values,
            effects: &self.inference.rigid_effects,
            budget: self.budget,
            metas: Some(&self.metas),
        }
    }

    /// An adaptor around a term hides all instances of an interface from it: where it stands.
    pub(super) fn hidden_by(
        &self,
        source: ItemSource,
        term: TermId,
        interface: InterfaceDef,
    ) -> Option<Hidden> {
        let item = item(self.db, source);
        let body = self.inference.body(source)?;
        let count = |row: &AbilityData| rows::instances(row, interface).len();
        for ancestor in self.surroundings(source).ancestors(term) {
            let TermKind::Adapted { adaptors, .. } = &item.terms[ancestor].kind else {
                continue;
            };
            let ambient = body.ambient.get(ancestor)?;
            let mut own = adaptors.iter().enumerate();
            let own = own.find(|(_, one)| one.interface.symbol == interface.0.name);
            if let Some((index, own)) = own
                && count(&self.inference.table.row(*ambient)) > 0
            {
                let resolved = body.adaptors.get(ancestor).into_iter().flatten();
                let shown = resolved
                    .filter(|one| one.interface == interface)
                    .map(show_adaptor)
                    .next();
                let name = shown.unwrap_or_else(|| interface.0.name.to_string());
                return Some(Hidden {
                    place: Location::node(source, own.id),
                    adaptor: name,
                    under: ancestor,
                    index,
                });
            }
        }
        None
    }
}

/// Draws the instances that are there above the names that an adaptor gives them.
fn draw(show: &Show<'_>, adaptor: &Adaptor, there: &[Instance]) -> String {
    let taken = adaptor.taken as usize;
    let columns = taken.max(there.len());
    let mut lines = [String::from("here      "), String::from("it names  ")];
    for i in 0..columns {
        let instance = (i + there.len())
            .checked_sub(columns)
            .and_then(|i| there.get(i));
        let name = (i + taken).checked_sub(columns).map(|i| {
            char::from_u32('a' as u32 + i as u32 % 26)
                .unwrap_or('a')
                .to_string()
        });
        let above = instance.map_or_else(|| "-".to_owned(), |instance| show.instance(instance));
        let below = name.unwrap_or_else(|| "(rest)".to_owned());
        let width = above.chars().count().max(below.chars().count());
        let separator = if i == 0 { "" } else { ", " };
        lines[0].push_str(&format!("{separator}{above:width$}"));
        lines[1].push_str(&format!("{separator}{below:width$}"));
    }
    let name = |from_right: u32| {
        let from_left = adaptor.taken.saturating_sub(1 + from_right);
        char::from_u32('a' as u32 + from_left % 26).unwrap_or('a')
    };
    let after: Vec<String> = adaptor
        .kept
        .iter()
        .rev()
        .map(|kept| name(*kept).to_string())
        .collect();
    let after = if after.is_empty() {
        "none of them".to_owned()
    } else {
        after.join(", ")
    };
    format!(
        "{}\n{}\nunder it  {after}",
        lines[0].trim_end(),
        lines[1].trim_end()
    )
}

impl Reporter<'_> {
    /// What a port does to the ability of its argument, in words; `None` if it does nothing.
    pub(super) fn added_by(&self, adjustments: &[Adjustment]) -> Option<String> {
        let show = self.show();
        let added: Vec<String> = adjustments
            .iter()
            .filter_map(|adjustment| match adjustment {
                Adjustment::Instance(instance) => Some(format!("`{}`", show.instance(instance))),
                Adjustment::Adaptor(_) => None,
            })
            .collect();
        (!added.is_empty()).then(|| super::words::listed(&added, 3))
    }
}
