//! What operators are for differentiation, by their types alone.

use std::sync::Arc;

use frank_analysis::builtin::{console, ref_state};
use frank_analysis::db::{Db, SourceFile};
use frank_analysis::declarations::sound_signature;
pub(super) use frank_analysis::derivatives::roles::{same, subject};
use frank_analysis::program::{
    DataDef, Definition, InterfaceDef, OperatorDef, TermDef, resolve_term, scope_index,
};
use frank_analysis::types::{
    Adjustment, Arg, Computation, Instance, Port, Signature, Ty, TyKind, Types,
};
use frank_syntax::ast::Symbol;
use frank_syntax::outline::OutlineKind;

/// The numbers that an evaluator computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    Int,
    Float,
}

/// What an operator is for differentiation. `Smooth` stands for whatever interface it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SmoothRole {
    /// `X -> … -> [Smooth X] X`: every port and the result one variable, and an active instance
    /// at it; the interfaces that this can be, the right-most first.
    Smooth {
        interfaces: Vec<InterfaceDef>,
        arity: usize,
    },
    /// `{(D X) -> [Σ] (D X)} -> X -> [Smooth X] X` with `Smooth (D X)` active in Σ.
    Derivative {
        interface: InterfaceDef,
    },
    /// `<Smooth N> X -> X` at a number type N.
    Evaluator {
        interface: InterfaceDef,
        number: Number,
    },
    /// `<Compare (D X)> Y -> … Y`: a handler for the numbers of a way of differentiation.
    Handler {
        interface: InterfaceDef,
        numbers: DataDef,
    },
    /// `N -> [Smooth X] X`
    Constant {
        interface: InterfaceDef,
        number: Number,
    },
    Other,
}

/// The role of an operator.
#[salsa::tracked]
pub(crate) fn smooth_role(db: &dyn Db, scope: SourceFile, name: Symbol) -> SmoothRole {
    match sound_signature(db, scope, name) {
        Some(signature) => role(db, signature),
        None => SmoothRole::Other,
    }
}

/// The interfaces whose active instance is at a type, the right-most first.
pub(super) fn active_at(types: &Types, instances: &[Instance], ty: Ty) -> Vec<InterfaceDef> {
    let mut seen: Vec<InterfaceDef> = Vec::new();
    let mut found = Vec::new();
    for instance in instances.iter().rev() {
        if seen.contains(&instance.interface) {
            continue;
        }
        seen.push(instance.interface);
        if subject(instance).is_some_and(|own| same(types, own, ty)) {
            found.push(instance.interface);
        }
    }
    found
}

pub(super) fn number(types: &Types, ty: Ty) -> Option<Number> {
    match types.kind(ty) {
        TyKind::Int => Some(Number::Int),
        TyKind::Float => Some(Number::Float),
        _ => None,
    }
}

pub(super) fn is_variable(types: &Types, ty: Ty) -> bool {
    matches!(types.kind(ty), TyKind::Variable(_))
}

fn role(db: &dyn Db, signature: &Signature) -> SmoothRole {
    let types = &signature.types;
    let Computation {
        ports,
        ability,
        result,
    } = &signature.computation;
    let own = &types.row(*ability).instances;
    let plain = ports.iter().all(|port| port.adjustments.is_empty());
    if !is_variable(types, *result) {
        return SmoothRole::Other;
    }
    let host = [console(db), ref_state(db)];
    let only_host = |except: Option<InterfaceDef>| {
        own.iter()
            .all(|i| Some(i.interface) == except || host.contains(&i.interface))
    };
    if let [Port { adjustments, ty }] = &ports[..]
        && let [Adjustment::Instance(added)] = &adjustments[..]
    {
        let interface = added.interface;
        let Some(at) = subject(added).filter(|_| same(types, *ty, *result)) else {
            return SmoothRole::Other;
        };
        return match (number(types, at), types.kind(at)) {
            (Some(number), _) if only_host(None) => SmoothRole::Evaluator { interface, number },
            (_, TyKind::Data(data, args)) => match &args[..] {
                [Arg::Type(inner)] if is_variable(types, *inner) => SmoothRole::Handler {
                    interface,
                    numbers: *data,
                },
                _ => SmoothRole::Other,
            },
            _ => SmoothRole::Other,
        };
    }
    let interfaces = active_at(types, own, *result);
    let Some(first) = interfaces.first().copied() else {
        return SmoothRole::Other;
    };
    if !plain {
        return SmoothRole::Other;
    }
    match &ports[..] {
        [] => SmoothRole::Other,
        [port] if number(types, port.ty).is_some() && only_host(Some(first)) => {
            match number(types, port.ty) {
                Some(number) => SmoothRole::Constant {
                    interface: first,
                    number,
                },
                None => SmoothRole::Other,
            }
        }
        [function, point] if same(types, point.ty, *result) => {
            if same(types, function.ty, *result) {
                return SmoothRole::Smooth {
                    interfaces,
                    arity: 2,
                };
            }
            match lifted(types, function.ty, *result) {
                Some(inner) if inner.contains(&first) && only_host(Some(first)) => {
                    SmoothRole::Derivative { interface: first }
                }
                _ => SmoothRole::Other,
            }
        }
        ports if ports.iter().all(|port| same(types, port.ty, *result)) => SmoothRole::Smooth {
            interfaces,
            arity: ports.len(),
        },
        _ => SmoothRole::Other,
    }
}

/// For `{(D X) -> [Σ] (D X)}` at the variable X: the interfaces that are active at `D X` in Σ.
fn lifted(types: &Types, function: Ty, variable: Ty) -> Option<Vec<InterfaceDef>> {
    let TyKind::Computation(computation) = types.kind(function) else {
        return None;
    };
    let [port] = &computation.ports[..] else {
        return None;
    };
    if !port.adjustments.is_empty() || !same(types, port.ty, computation.result) {
        return None;
    }
    let TyKind::Data(_, args) = types.kind(port.ty) else {
        return None;
    };
    let mut at = args.iter().filter_map(|arg| match arg {
        Arg::Type(ty) => Some(*ty),
        Arg::Ability(_) => None,
    });
    let first = at.next()?;
    if at.next().is_some() || !same(types, first, variable) {
        return None;
    }
    let row = types.row(computation.ability);
    Some(active_at(types, &row.instances, port.ty))
}

/// The operators of a program that differentiation needs, the program's own first, each file's
/// in order. Only those that their names mean in the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tools {
    pub evaluators: Vec<(OperatorDef, InterfaceDef, Number)>,
    pub derivatives: Vec<(OperatorDef, InterfaceDef)>,
    pub constants: Vec<(OperatorDef, InterfaceDef, Number)>,
    pub handlers: Vec<(OperatorDef, InterfaceDef, DataDef)>,
}

impl Tools {
    /// What evaluates one of some interfaces, if possible one that there are derivatives for.
    pub fn evaluator(
        &self,
        wanted: &[InterfaceDef],
    ) -> Option<&(OperatorDef, InterfaceDef, Number)> {
        let of = |wanted: &InterfaceDef| self.evaluators.iter().find(|(_, own, _)| own == wanted);
        let has_derivative = |wanted: &&InterfaceDef| {
            let mut derivatives = self.derivatives.iter();
            derivatives.any(|(_, own)| own == *wanted)
        };
        let mut found = wanted.iter().filter(has_derivative).filter_map(of);
        found.next().or_else(|| wanted.iter().find_map(of))
    }
}

fn role_of(db: &dyn Db, operator: OperatorDef) -> &SmoothRole {
    smooth_role(db, operator.0.scope, operator.0.name)
}

/// The operators of some kind that their names mean in a program, the program's own first, each
/// file's in order.
pub(super) fn operators(
    db: &dyn Db,
    scope: SourceFile,
    wanted: impl Fn(OperatorDef) -> bool,
) -> Vec<OperatorDef> {
    let mut found = Vec::new();
    let index = scope_index(db, scope);
    for own in std::iter::once(scope).chain(index.libraries.iter().copied()) {
        for file in &scope_index(db, own).files {
            let signatures = file
                .outline(db)
                .iter()
                .filter(|e| e.kind == OutlineKind::Signature);
            for name in signatures.filter_map(|entry| entry.name) {
                let operator = OperatorDef(Definition { scope: own, name });
                // Which definition a name means is asked of those alone that matter.
                if wanted(operator)
                    && resolve_term(db, scope, name) == Some(TermDef::Operator(operator))
                {
                    found.push(operator);
                }
            }
        }
    }
    found
}

/// The tools that a program has in scope.
#[salsa::tracked]
pub(crate) fn tools(db: &dyn Db, scope: SourceFile) -> Arc<Tools> {
    let mut tools = Tools::default();
    let has_role = |operator: OperatorDef| *role_of(db, operator) != SmoothRole::Other;
    for operator in operators(db, scope, has_role) {
        match *role_of(db, operator) {
            SmoothRole::Derivative { interface } => {
                tools.derivatives.push((operator, interface));
            }
            SmoothRole::Evaluator { interface, number } => {
                tools.evaluators.push((operator, interface, number));
            }
            SmoothRole::Constant { interface, number } => {
                tools.constants.push((operator, interface, number));
            }
            SmoothRole::Handler { interface, numbers } => {
                tools.handlers.push((operator, interface, numbers));
            }
            SmoothRole::Smooth { .. } | SmoothRole::Other => {}
        }
    }
    Arc::new(tools)
}
