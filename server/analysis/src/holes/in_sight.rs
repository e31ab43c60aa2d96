//! What is in sight of a hole, by the outermost part of what it gives: what gives something else is not even looked at, in
//! a program of ten thousand operators.

use std::collections::HashMap;
use std::sync::Arc;

use frank_syntax::ast::Symbol;
use frank_syntax::outline::OutlineKind;

use super::adaptors::MOST_NAMED;
use super::heads::{Head, HeadKind};
use super::probe::Probe;
use super::wanted::{Asked, Outermost, Wanted};
use crate::aside::Aside;
use crate::db::{Db, Group, SourceFile};
use crate::declarations::sound_signature;
use crate::groups;
use crate::program::{
    CommandDef, ConstructorDef, DataDef, Definition, InterfaceDef, OperatorDef, TermDef,
    operator_items, scope_files,
};
use crate::report::visible_names;
use crate::types::{Signature, TyKind};

/// The names in sight of a program, each list in the order of the names.
#[derive(Debug, Default)]
struct InSight {
    constructors: HashMap<DataDef, Vec<ConstructorDef>>,
    commands: HashMap<InterfaceDef, Vec<CommandDef>>,
    /// By what a call gives.
    called: HashMap<Outermost, Vec<Operator>>,
    /// By how many ports they have as values.
    values: HashMap<usize, Vec<Operator>>,
}

/// An operator whose type can be relied on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Operator {
    operator: OperatorDef,
    signature: Arc<Signature>,
    /// It gives a value of any type, whatever it is given.
    gives_anything: bool,
}

impl Operator {
    fn name(&self) -> Symbol {
        self.operator.0.name
    }
}

/// Made again when a signature or a declaration changes. An edit of a clause leaves it as it is.
#[salsa::tracked(no_eq)]
fn in_sight(db: &dyn Db, scope: SourceFile) -> Arc<InSight> {
    let (files, libraries) = scope_files(db, scope);
    let own = files.iter().map(|file| (scope, *file));
    let libraries = libraries.iter().map(|library| (*library, *library));
    let mut operators: HashMap<OperatorDef, &Operator> = HashMap::new();
    for (scope, file) in own.chain(libraries) {
        for group in file.groups(db) {
            let kept = operators_of(db, scope, *group);
            let all = kept.get(db, |db| operators_now(db, scope, *group)).iter();
            operators.extend(all.map(|one| (one.operator, one)));
        }
    }
    let mut found = InSight::default();
    for (_, definition) in visible_names(db, scope) {
        match *definition {
            TermDef::Constructor(constructor) => {
                let own = found.constructors.entry(constructor.data).or_default();
                own.push(constructor);
            }
            TermDef::Command(command) => {
                let own = found.commands.entry(command.interface).or_default();
                own.push(command);
            }
            TermDef::Operator(operator) => {
                let Some(one) = operators.get(&operator) else {
                    continue;
                };
                let computation = &one.signature.computation;
                let given = one.signature.types.kind(computation.result);
                if let Some(given) = Outermost::of(given) {
                    let called = found.called.entry(given).or_default();
                    called.push((*one).clone());
                }
                let ports = computation.ports.len();
                found.values.entry(ports).or_default().push((*one).clone());
            }
        }
    }
    Arc::new(found)
}

/// The operators of a group that have a type to rely on. After an edit one group is looked at, not every signature of the
/// program.
#[salsa::tracked]
fn operators_of(db: &dyn Db, scope: SourceFile, group: Group) -> Aside<Arc<[Operator]>> {
    groups::depend(db, scope, group);
    Aside::new(db, |db| operators_now(db, scope, group))
}

fn operators_now(db: &dyn Db, scope: SourceFile, group: Group) -> Arc<[Operator]> {
    let signatures = group.entries(db).iter();
    let signatures = signatures.filter(|entry| entry.kind == OutlineKind::Signature);
    let found = signatures.filter_map(|entry| {
        let name = entry.name?;
        let first = operator_items(db, scope, name).signatures.first();
        if first != Some(&entry.item) {
            return None;
        }
        let signature = sound_signature(db, scope, name).clone()?;
        let result = signature.computation.result;
        let taken = signature.computation.ports.iter().map(|port| port.ty);
        let gives_anything = signature.types.unmentioned_result(result, taken).is_some();
        Some(Operator {
            operator: OperatorDef(Definition { scope, name }),
            signature,
            gives_anything,
        })
    });
    found.collect()
}

impl Probe<'_> {
    /// The definitions in sight that may begin a term that is wanted. `hides` says whether a local hides a name.
    pub(super) fn definitions(&self, hides: impl Fn(&str) -> bool, wanted: &Wanted) -> Vec<Head> {
        let mut heads = self.named(&hides, wanted.asked);
        heads.extend(self.commands(&hides, wanted));
        heads.sort_by_key(Head::kind);
        heads
    }

    /// The commands that an ability offers, also behind adaptors.
    pub(super) fn commands(&self, hides: impl Fn(&str) -> bool, wanted: &Wanted) -> Vec<Head> {
        let all = in_sight(self.db, self.scope);
        let mut heads = Vec::new();
        for (interface, instances) in wanted.interfaces() {
            let own = all.commands.get(&interface).into_iter().flatten();
            for command in own.filter(|command| !hides(command.name.as_str())) {
                let dropped = 0..instances.min(MOST_NAMED + 1);
                heads.extend(dropped.map(|dropped| Head::Command {
                    command: *command,
                    dropped,
                }));
            }
        }
        heads
    }

    /// The constructors and operators in sight that may give what is asked for.
    pub(super) fn named(&self, hides: impl Fn(&str) -> bool, asked: Asked) -> Vec<Head> {
        let all = in_sight(self.db, self.scope);
        let is_seen = |one: &&Operator| !hides(one.name().as_str());
        let (constructors, mut called): (Vec<ConstructorDef>, Vec<&Operator>) = match asked {
            Asked::Anything => (
                all.constructors.values().flatten().copied().collect(),
                all.called.values().flatten().filter(is_seen).collect(),
            ),
            Asked::Number | Asked::Value { .. } | Asked::One(_) => {
                let own = match asked {
                    Asked::One(Outermost::Data(data)) => all.constructors.get(&data),
                    _ => None,
                };
                let called = asked.outermost().into_iter();
                let called = called.filter_map(|outermost| all.called.get(&outermost));
                (
                    own.into_iter().flatten().copied().collect(),
                    called.flatten().filter(is_seen).collect(),
                )
            }
        };
        if asked == Asked::Anything {
            called.sort_by_key(|one| one.name().as_str());
        }
        let values = match asked {
            Asked::Value { ports } => all.values.get(&ports),
            _ => None,
        };
        let values = values.into_iter().flatten().filter(is_seen);
        let constructors = constructors.into_iter();
        let mut constructors: Vec<ConstructorDef> = constructors
            .filter(|one| !hides(one.name.as_str()))
            .collect();
        constructors.sort_by_key(|one| one.name.as_str());
        let mut heads: Vec<Head> = constructors.into_iter().map(Head::Constructor).collect();
        let called = called.into_iter();
        heads.extend(called.map(|one| self.operator_head(one, false)));
        heads.extend(values.map(|one| self.operator_head(one, true)));
        heads.sort_by_key(Head::kind);
        heads
    }

    fn operator_head(&self, one: &Operator, as_value: bool) -> Head {
        let given = one.signature.computation.result;
        let kind = if one.operator == self.operator {
            HeadKind::Itself
        } else if !as_value && matches!(one.signature.types.kind(given), TyKind::Variable(_)) {
            HeadKind::Generic
        } else if one.operator.0.scope == self.scope {
            HeadKind::Operator
        } else {
            HeadKind::Library
        };
        Head::Operator {
            name: one.name(),
            operator: one.operator,
            signature: one.signature.clone(),
            kind,
            as_value,
            gives_anything: one.gives_anything,
        }
    }
}
