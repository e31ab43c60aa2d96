//! Why a type is needed, or there, where nothing that is written as a type says so: what decided it.

use frank_syntax::ast::{Symbol, TermId, TermKind};

use super::Reporter;
use super::mismatch::Mismatch;
use super::places::{declaration_of_data, is_own};
use crate::builtin;
use crate::db::{ItemSource, Origin, item};
use crate::declarations::signature;
use crate::diagnostics::{Diagnostic, Location};
use crate::infer::table::{Clash, Decision};
use crate::program::TermDef;
use crate::show::MetaNames;
use crate::surroundings::is_arithmetic;
use crate::types::{Adjustment, Arg, Ty, TyKind};

impl Reporter<'_> {
    /// Adds the places that decided the types of a mismatch.
    pub(super) fn reasons(&self, mut problem: Diagnostic, mismatch: Mismatch<'_>) -> Diagnostic {
        let source = mismatch.source;
        let mut seen = vec![mismatch.at];
        // What is around the place is told by where the expectation comes from.
        if let Some(term) = mismatch.term {
            let item = item(self.db, source);
            let surroundings = self.surroundings(source);
            let around = surroundings.ancestors(term);
            seen.extend(around.map(|term| Location::node(source, item.terms[term].id)));
        }
        seen.extend(problem.related.iter().map(|related| related.location));
        let decided = mismatch.decided;
        for decision in [decided.expected, decided.found].into_iter().flatten() {
            let at = Location::node(source, decision.node);
            if seen.contains(&at) {
                continue;
            }
            seen.push(at);
            if let Some(reason) = self.reason(mismatch, decision) {
                problem = problem.related(at, reason);
            }
        }
        problem
    }

    /// What a call decides by what it performs.
    fn ability_of_call(&self, source: ItemSource, term: TermId, this: &str) -> Option<String> {
        let TermKind::Apply { head, .. } = &item(self.db, source).terms[term].kind else {
            return None;
        };
        let ty = *self.inference.body(source)?.types.get(*head)?;
        let TyKind::Computation(function) = self.inference.table.kind(ty) else {
            return None;
        };
        let row = self.inference.table.row(function.ability);
        let ability = self.ability(function.ability);
        (!row.instances.is_empty()).then(|| format!("{this} needs the ability `{ability}`"))
    }

    /// What a term or a pattern decides by standing where it stands.
    fn reason(&self, mismatch: Mismatch<'_>, decision: Decision) -> Option<String> {
        let (source, node) = (mismatch.source, decision.node);
        let item = item(self.db, source);
        let body = self.inference.body(source)?;
        let Some(term) = self.term_at(Location::node(source, node)) else {
            let mut patterns = item.patterns.iter();
            let (pattern, _) = patterns.find(|(_, pattern)| pattern.id == node)?;
            let ty = *body.pattern_types.get(pattern)?;
            return Some(format!(
                "this pattern matches values of type `{}`",
                self.ty(ty)
            ));
        };
        let text = self.term_text(source, term);
        let this = text.map_or_else(|| "this".to_owned(), |text| format!("`{text}`"));
        if is_arithmetic(item, term) || matches!(item.terms[term].kind, TermKind::Negate(_)) {
            return Some(format!("{this} computes with numbers"));
        }
        let ty = *body.types.get(term)?;
        if decision.by_place {
            let shown = self.ty(ty);
            let types = [mismatch.expected, mismatch.found].map(|ty| self.ty(ty));
            if !types.iter().any(|ty| ty.contains(&shown)) {
                return self.ability_of_call(source, term, &this);
            }
            let call = self.surroundings(source).argument_of(item, term);
            return Some(match call.map(|(call, _)| &item.terms[call].kind) {
                Some(TermKind::Apply { head, .. }) => {
                    let name = self.head_text(source, *head, self.definition_of(source, *head));
                    format!("{name} needs {this} to have type `{shown}` here")
                }
                _ => format!("{this} has to have type `{shown}` here"),
            });
        }
        let is_number = matches!(item.terms[term].kind, TermKind::Natural(_));
        let what = if is_number {
            "a number".to_owned()
        } else {
            format!("which has type `{}`", self.ty(ty))
        };
        if let Some((call, index)) = self.surroundings(source).argument_of(item, term)
            && let TermKind::Apply { head, .. } = &item.terms[call].kind
            && let Some(definition) = self.definition_of(source, *head)
        {
            let name = definition.name();
            return Some(
                match self.decided_instance(source, *head, definition, index) {
                    Some((interface, instance)) => format!(
                        "the `{interface}` of `{name}` is `{instance}`, since {this} is given here, {what}"
                    ),
                    None => format!("`{name}` is given {this} here, {what}"),
                },
            );
        }
        Some(if is_number {
            format!("{this} is a number")
        } else {
            format!("{this} has type `{}`", self.ty(ty))
        })
    }

    /// The instance that an operator handles at the type of its argument at a position: the name of
    /// its interface, and the instance as it is at this use.
    fn decided_instance(
        &self,
        source: ItemSource,
        head: TermId,
        definition: TermDef,
        index: usize,
    ) -> Option<(Symbol, String)> {
        let TermDef::Operator(operator) = definition else {
            return None;
        };
        let declared = signature(self.db, operator.0.scope, operator.0.name).as_ref()?;
        let port = declared.computation.ports.get(index)?;
        let TyKind::Variable(own) = declared.types.kind(port.ty) else {
            return None;
        };
        let is_decided = |arg: &Arg| match arg {
            Arg::Type(ty) => declared.types.kind(*ty) == &TyKind::Variable(*own),
            Arg::Ability(_) => false,
        };
        let ports = declared.computation.ports.iter().enumerate();
        let (port, adjustment) = ports
            .flat_map(|(port, known)| {
                known
                    .adjustments
                    .iter()
                    .enumerate()
                    .map(move |(i, one)| (port, i, one))
            })
            .find_map(|(port, i, one)| match one {
                Adjustment::Instance(instance) if instance.args.iter().any(is_decided) => {
                    Some((port, i))
                }
                _ => None,
            })?;
        let used = *self.inference.body(source)?.types.get(head)?;
        let TyKind::Computation(used) = self.inference.table.kind(used) else {
            return None;
        };
        match used.ports.get(port)?.adjustments.get(adjustment)? {
            Adjustment::Instance(instance) => {
                Some((instance.interface.0.name, self.show().instance(instance)))
            }
            Adjustment::Adaptor(_) => None,
        }
    }

    /// Adds which two types of one name do not agree, if that is so.
    pub(super) fn two_of_one_name(&self, problem: Diagnostic, clash: &Clash) -> Diagnostic {
        let table = &self.inference.table;
        let Clash::Types(wanted, given) = clash else {
            return problem;
        };
        let (TyKind::Data(wanted, _), TyKind::Data(given, _)) =
            (table.kind(*wanted), table.kind(*given))
        else {
            return problem;
        };
        let name = wanted.0.name;
        if given.0.name != name {
            return problem;
        }
        let whose = |scope: crate::db::SourceFile| match scope.origin(self.db) {
            Origin::Workspace => "the program's own",
            Origin::Library => "the one that comes with Frank",
        };
        let mut problem = problem.help(format!(
            "the `{name}` that is needed is {}, and the one that is there is {}",
            whose(wanted.0.scope),
            whose(given.0.scope)
        ));
        problem
            .message
            .push_str(&format!(": two types are named `{name}`"));
        let list = builtin::list(self.db);
        if [wanted, given].contains(&&list) {
            problem = problem.help(format!(
                "`[…]`, `::` and strings are always of the `{name}` that comes with Frank: give the \
                 program's own another name, or write its constructors"
            ));
        }
        for data in [wanted, given] {
            if let Some((place, node)) = declaration_of_data(self.db, *data)
                && is_own(self.db, place)
            {
                problem = problem.related(
                    Location::node(place, node),
                    format!("the program's own `{name}`"),
                );
            }
        }
        problem
    }

    /// Names for the flexible variables of types: `a`, `b`, …
    pub(super) fn named_metas(&self, types: &[Ty]) -> MetaNames {
        let table = &self.inference.table;
        let mut names = MetaNames {
            elided: true,
            ..MetaNames::default()
        };
        let mut work: Vec<Ty> = types.iter().rev().copied().collect();
        let mut seen = std::collections::HashSet::new();
        while let Some(ty) = work.pop() {
            let ty = table.head(ty);
            if !seen.insert(ty) {
                continue;
            }
            match table.types.kind(ty) {
                TyKind::Meta(meta) => {
                    let letter = u32::from('a') + (names.values.len() as u32) % 26;
                    let letter = char::from_u32(letter).unwrap_or('a');
                    names
                        .values
                        .entry(*meta)
                        .or_insert_with(|| letter.to_string());
                }
                TyKind::Data(_, args) => {
                    work.extend(args.iter().rev().filter_map(|arg| match arg {
                        Arg::Type(ty) => Some(*ty),
                        Arg::Ability(_) => None,
                    }))
                }
                TyKind::Computation(computation) => {
                    work.push(computation.result);
                    work.extend(computation.ports.iter().rev().map(|port| port.ty));
                }
                _ => {}
            }
        }
        names
    }
}
