//! The operators in scope that fixes can use, found by their signatures.

use std::collections::HashMap;
use std::sync::Arc;

use frank_syntax::ast::Symbol;

use crate::db::{Db, ItemSource, SourceFile};
use crate::declarations::sound_signature;
use crate::groups;
use crate::program::{
    Definition, InterfaceDef, OperatorDef, TermDef, operator_items, resolve_term, scope_index,
};
use crate::types::{Adjustment, Arg, Computation, Instance, Signature, TyKind, Types};

/// The operators of one scope that fixes are made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// Those of the shape `X -> [Σ](D X)`.
    pub lifts: Vec<OperatorDef>,
    /// Those that make an `X` of a number, where an instance in their ability says what `X` is:
    /// `Int -> [I X]X`.
    pub constants: Vec<OperatorDef>,
    /// Those with a port that adds an instance of an interface, with the port's position.
    pub handlers: Vec<(InterfaceDef, OperatorDef, u32)>,
}

/// The catalogue of a scope's own operators.
#[salsa::tracked]
pub fn catalogue(db: &dyn Db, scope: SourceFile) -> Arc<Catalogue> {
    let mut found = Catalogue::default();
    let index = scope_index(db, scope);
    let mut names: Vec<Symbol> = index.operators().map(|(name, _)| name).collect();
    names.sort_unstable_by_key(|name| name.as_str());
    for name in names {
        let operator = OperatorDef(Definition { scope, name });
        if resolve_term(db, scope, name) != Some(TermDef::Operator(operator)) {
            continue;
        }
        let Some(signature) = sound_signature(db, scope, name) else {
            continue;
        };
        if is_lift(signature) {
            found.lifts.push(operator);
        }
        if is_constant(signature) {
            found.constants.push(operator);
        }
        for (position, port) in signature.computation.ports.iter().enumerate() {
            let mut seen = Vec::new();
            for adjustment in port.adjustments.iter() {
                if let Adjustment::Instance(instance) = adjustment
                    && !seen.contains(&instance.interface)
                {
                    seen.push(instance.interface);
                    found
                        .handlers
                        .push((instance.interface, operator, position as u32));
                }
            }
        }
    }
    Arc::new(found)
}

/// The catalogues of a program and of the libraries it includes, its own first.
pub fn catalogues(db: &dyn Db, scope: SourceFile) -> impl Iterator<Item = &Catalogue> {
    let index = scope_index(db, scope);
    let scopes = std::iter::once(scope).chain(index.libraries.iter().copied());
    scopes.map(move |scope| &**catalogue(db, scope))
}

/// Whether an operator is what its name means in a scope.
pub fn in_sight(db: &dyn Db, scope: SourceFile, operator: OperatorDef) -> bool {
    resolve_term(db, scope, operator.0.name) == Some(TermDef::Operator(operator))
}

fn is_lift(signature: &Signature) -> bool {
    let Computation { ports, result, .. } = &signature.computation;
    let [port] = &ports[..] else { return false };
    let TyKind::Variable(x) = signature.types.kind(port.ty) else {
        return false;
    };
    if !port.adjustments.is_empty() {
        return false;
    }
    let TyKind::Data(_, args) = signature.types.kind(*result) else {
        return false;
    };
    let mut values = args.iter().filter_map(|arg| match arg {
        Arg::Type(ty) => Some(*ty),
        Arg::Ability(_) => None,
    });
    let first = values.next().map(|ty| signature.types.kind(ty));
    first == Some(&TyKind::Variable(*x)) && values.next().is_none()
}

fn is_constant(signature: &Signature) -> bool {
    let Computation {
        ports,
        result,
        ability,
    } = &signature.computation;
    let [port] = &ports[..] else { return false };
    let number = matches!(signature.types.kind(port.ty), TyKind::Int | TyKind::Float);
    let TyKind::Variable(x) = signature.types.kind(*result) else {
        return false;
    };
    number
        && port.adjustments.is_empty()
        && signature
            .types
            .row(*ability)
            .instances
            .iter()
            .any(|i| is_at(&signature.types, i, *x))
}

fn is_at(types: &Types, instance: &Instance, variable: u32) -> bool {
    instance.args.iter().any(|arg| match arg {
        Arg::Type(ty) => types.kind(*ty) == &TyKind::Variable(variable),
        Arg::Ability(_) => false,
    })
}

/// The operators of a scope whose clauses mention each name, in the order of the program. Locals
/// that hide an operator are not told apart from it.
#[salsa::tracked]
fn mentioned_by(db: &dyn Db, scope: SourceFile) -> Arc<HashMap<Symbol, Vec<Symbol>>> {
    let mut users: HashMap<Symbol, Vec<Symbol>> = HashMap::new();
    for (user, name) in groups::all_facts(db, scope).flat_map(|facts| &facts.mentions) {
        let known = users.entry(*name).or_default();
        if known.last() != Some(user) {
            known.push(*user);
        }
    }
    Arc::new(users)
}

/// The operators of a scope that mention a name.
#[salsa::tracked]
pub fn users(db: &dyn Db, scope: SourceFile, name: Symbol) -> Vec<Symbol> {
    let mut users = mentioned_by(db, scope)
        .get(&name)
        .cloned()
        .unwrap_or_default();
    let mut seen = std::collections::HashSet::new();
    users.retain(|user| seen.insert(*user));
    users
}

/// The clauses of an operator.
pub fn clauses(db: &dyn Db, scope: SourceFile, name: Symbol) -> &[ItemSource] {
    &operator_items(db, scope, name).clauses
}
