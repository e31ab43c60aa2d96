//! Uses that fit under an adaptor, and adaptors that do not fit.
//!
//! Candidates come from the instances of the ambient ability, interface by interface, the
//! simplest adaptor first. One is named only if checking the definition again with it takes the
//! problem away and brings no other.

use frank_syntax::ast::{Item, TermId, TermKind};

use super::lift::show_adaptors;
use super::{Reporter, rows};
use crate::db::{ItemSource, item};
use crate::declarations::signature;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::infer::Resolved;
use crate::infer::hypothesis::Change;
use crate::infer::problem::Mark;
use crate::infer::table::{Clash, Table};
use crate::lower_types::counted;
use crate::program::{InterfaceDef, TermDef};
use crate::show::{Show, show_adaptor};
use crate::surroundings::{Parent, is_atomic, is_use};
use crate::types::{Ability, AbilityData, Adaptor, Adjustment, Instance, Tail, TyKind};

/// So many instances of an interface at most are rearranged in every way.
const MOST_TAKEN: u32 = 3;
/// So many adaptors of one interface are considered at most, if they fit by themselves.
const MOST_PER_INTERFACE: usize = 3;
/// So many candidates at most are tried for one use.
const MOST_TRIED: usize = 8;

/// A use that fits under adaptors.
pub struct Adapted {
    /// The use.
    pub term: TermId,
    pub adaptors: Vec<Adaptor>,
    /// The arguments of the use do not fit there; they must be bound before.
    pub arguments_first: bool,
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
        let mut candidates = self.candidates(needed, ambient);
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

    /// The adaptors under which an ability fits the ambient one, the simplest first.
    fn candidates(&mut self, needed: Ability, ambient: Ability) -> Vec<Vec<Adaptor>> {
        let table = &mut self.inference.table;
        let (needs, has) = (table.row(needed), table.row(ambient));
        let exact = needs.tail == has.tail;
        if !exact && !matches!(needs.tail, Tail::Meta(_)) {
            return Vec::new();
        }
        let mut combined = settled(table, &needs, &has, exact);
        // What the needed ability's tail takes may be too much for what it stands for elsewhere.
        if !exact && combined.iter().all(Vec::is_empty) {
            combined = self.hidings(&needs, &has);
            let table = &mut self.inference.table;
            combined.extend(settled(table, &needs, &has, true));
        }
        let table = &mut self.inference.table;
        combined.retain(|adaptors| {
            let before = table.snapshot();
            let inside = adaptors
                .iter()
                .fold(ambient, |inside, one| table.adapted(one, inside));
            let fits = !adaptors.is_empty() && table.unify_abilities(needed, inside).is_ok();
            table.rollback(before);
            fits
        });
        combined
    }

    /// Adaptors that hide what an ability has beyond another one: of each interface, then of all.
    fn hidings(&self, needs: &AbilityData, has: &AbilityData) -> Vec<Vec<Adaptor>> {
        let mut each: Vec<Vec<Adaptor>> = Vec::new();
        for instance in has.instances.iter() {
            let interface = instance.interface;
            if each
                .iter()
                .flatten()
                .any(|known| known.interface == interface)
            {
                continue;
            }
            let count = |row: &AbilityData| rows::instances(row, interface).len();
            let excess = count(has).saturating_sub(count(needs));
            let hide = Adaptor {
                interface,
                taken: 1,
                kept: Vec::new(),
                drops_all: false,
            };
            if excess > 0 {
                each.push(vec![hide; excess.min(MOST_TRIED)]);
            }
        }
        if each.len() > 1 {
            each.push(each.concat());
        }
        each
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
    ) -> Option<(Location, String)> {
        let item = item(self.db, source);
        let body = self.inference.body(source)?;
        let count = |row: &AbilityData| rows::instances(row, interface).len();
        for ancestor in self.surroundings(source).ancestors(term) {
            let TermKind::Adapted { adaptors, .. } = &item.terms[ancestor].kind else {
                continue;
            };
            let ambient = body.ambient.get(ancestor)?;
            let own = adaptors
                .iter()
                .find(|one| one.interface.symbol == interface.0.name);
            if let Some(own) = own
                && count(&self.inference.table.row(*ambient)) > 0
            {
                let resolved = body.adaptors.get(ancestor).into_iter().flatten();
                let shown = resolved
                    .filter(|one| one.interface == interface)
                    .map(show_adaptor)
                    .next();
                let name = shown.unwrap_or_else(|| interface.0.name.to_string());
                return Some((Location::node(source, own.id), name));
            }
        }
        None
    }
}

/// The adaptors that make the instances of each interface fit by themselves. `exact` says that none may be
/// left over.
fn settled(
    table: &mut Table,
    needs: &AbilityData,
    has: &AbilityData,
    exact: bool,
) -> Vec<Vec<Adaptor>> {
    let before = table.snapshot();
    let mut interfaces: Vec<InterfaceDef> = Vec::new();
    for instance in has.instances.iter().chain(needs.instances.iter()) {
        if !interfaces.contains(&instance.interface) {
            interfaces.push(instance.interface);
        }
    }
    // Each interface is settled by itself; what it decides about types holds for the next.
    let mut combined: Vec<Vec<Adaptor>> = vec![Vec::new()];
    for interface in interfaces {
        let wanted = rows::instances(needs, interface);
        let given = rows::instances(has, interface);
        if agree(table, &wanted, &given, exact) {
            continue;
        }
        let mut fitting = Vec::new();
        for adaptors in selections(interface, given.len() as u32) {
            let inner = table.snapshot();
            let rearranged = rearranged(table, &given, &adaptors);
            let fits = agree(table, &wanted, &rearranged, exact);
            table.rollback(inner);
            if fits {
                fitting.push(adaptors);
                if fitting.len() >= MOST_PER_INTERFACE {
                    break;
                }
            }
        }
        combined = combined
            .iter()
            .flat_map(|before| {
                fitting
                    .iter()
                    .map(move |more| before.iter().chain(more).cloned().collect::<Vec<Adaptor>>())
            })
            .take(MOST_TRIED)
            .collect();
    }
    table.rollback(before);
    combined
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

/// Whether an ability's instances of one interface fit those that are needed.
fn agree(table: &mut Table, needed: &[Instance], given: &[Instance], exact: bool) -> bool {
    let fits = needed.len() == given.len() || (!exact && needed.len() < given.len());
    let start = given.len().saturating_sub(needed.len());
    let suffix = given.get(start..).unwrap_or_default();
    if !fits {
        return false;
    }
    let left = table.types.ability(Tail::Closed, needed.into());
    let right = table.types.ability(Tail::Closed, suffix.into());
    table.unify_abilities(left, right).is_ok()
}

/// The instances of one interface under adaptors.
fn rearranged(table: &mut Table, given: &[Instance], adaptors: &[Adaptor]) -> Vec<Instance> {
    let ability = table.types.ability(Tail::Closed, given.into());
    let inside = adaptors
        .iter()
        .fold(ability, |inside, one| table.adapted(one, inside));
    table.row(inside).instances.to_vec()
}

fn hides_all(adaptors: &[Adaptor], count: u32) -> bool {
    adaptors.iter().all(|one| one.kept.is_empty())
        && adaptors.iter().map(|one| one.taken).sum::<u32>() >= count
}

/// All that adaptors on one interface can do with so many instances in sight, the simplest first:
/// hide, then swap, drop and copy.
fn selections(interface: InterfaceDef, count: u32) -> Vec<Vec<Adaptor>> {
    let hide = Adaptor {
        interface,
        taken: 1,
        kept: Vec::new(),
        drops_all: false,
    };
    let mut all: Vec<Vec<Adaptor>> = (1..=count.min(8))
        .map(|times| vec![hide.clone(); times as usize])
        .collect();
    let mut others: Vec<(u32, Adaptor)> = Vec::new();
    for taken in 1..=count.min(MOST_TAKEN) {
        let mut longest: Vec<Vec<u32>> = vec![Vec::new()];
        let mut kept = Vec::new();
        for _ in 0..=taken {
            longest = longest
                .iter()
                .flat_map(|before| {
                    (0..taken)
                        .map(move |next| before.iter().copied().chain([next]).collect::<Vec<u32>>())
                })
                .collect();
            kept.extend(longest.iter().cloned());
        }
        for kept in kept {
            if let Some(class) = class(taken, &kept) {
                others.push((
                    class,
                    Adaptor {
                        interface,
                        taken,
                        kept,
                        drops_all: false,
                    },
                ));
            }
        }
    }
    others.sort_by_key(|(class, adaptor)| (*class, adaptor.taken, adaptor.kept.len()));
    all.extend(others.into_iter().map(|(_, adaptor)| vec![adaptor]));
    all
}

/// How simple a selection is; `None` if it does nothing or can be said with fewer names.
fn class(taken: u32, kept: &[u32]) -> Option<u32> {
    // `kept` counts from the right, so its last is the left-most.
    let rest_stays = kept.last() == Some(&(taken - 1))
        && !kept.iter().rev().skip(1).any(|one| *one == taken - 1);
    if kept.is_empty() || (rest_stays && taken > 1) || (taken == 1 && kept == [0]) {
        return None;
    }
    let copies = (0..taken).any(|one| kept.iter().filter(|other| **other == one).count() > 1);
    let in_order = kept.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
    Some(match (copies, kept.len() == taken as usize, in_order) {
        (false, true, _) => 0,
        (false, false, true) => 1,
        (false, false, false) => 2,
        (true, ..) => 3,
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;
    use crate::program::{Definition, InterfaceDef};
    use frank_syntax::ast::Symbol;

    #[test]
    fn simple_adaptors_come_first() {
        let files = Files::new(None);
        let mut files = files;
        let scope = files.set_text("a.fk", "");
        let interface = InterfaceDef(Definition {
            scope,
            name: Symbol::new("I"),
        });
        let shown: Vec<String> = selections(interface, 2)
            .iter()
            .map(|adaptors| show_adaptors(adaptors))
            .collect();
        assert_eq!(
            shown.join(" "),
            "<I> <I, I> <I(s a b -> s b a)> <I(s a b -> s b)> <I(s a -> s a a)> \
             <I(s a b -> s b b)> <I(s a b -> s a a)> <I(s a b -> s b b b)> <I(s a b -> s b a b)> \
             <I(s a b -> s a a b)> <I(s a b -> s b b a)> <I(s a b -> s a b a)> \
             <I(s a b -> s b a a)> <I(s a b -> s a a a)>"
        );
    }
}
