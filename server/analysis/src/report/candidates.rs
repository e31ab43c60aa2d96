//! What a declaration may say instead of what it says: what is written in another order or in another shape, and
//! what its clauses or its uses agree on.

use frank_syntax::ast::{
    InstanceExpr, Item, ItemKind, NodeId, Symbol, TermId, TermKind, TypeArg, TypeId, TypeKind,
};

use super::places::{declaration, signature_item};
use super::users::{User, bettered};
use crate::db::{Db, ItemSource, item};
use crate::declarations::signature;
use crate::infer::Inference;
use crate::infer::hypothesis::Amendment;
use crate::infer::problem::{Expectation, Problem};
use crate::program::{OperatorDef, TermDef};
use crate::show::{MESSAGE_BUDGET, Show};
use crate::types::{Arg, Instance, Ty, TyKind};

/// So many arguments of a declaration at most are tried out.
const MOST_ARGUMENTS: usize = 4;

/// An argument as a declaration has it.
pub struct Argument {
    pub node: NodeId,
    pub ty: TypeId,
    /// The port changes the ability in which the argument is evaluated.
    pub is_adjusted: bool,
}

/// The arguments of a declaration, where they are written.
pub fn arguments(db: &dyn Db, definition: TermDef) -> Option<(ItemSource, Vec<Argument>)> {
    let (source, _) = declaration(db, definition)?;
    let plain = |item: &Item, args: &[TypeId]| {
        let argument = |ty: &TypeId| Argument {
            node: item.types[*ty].id,
            ty: *ty,
            is_adjusted: false,
        };
        args.iter().map(argument).collect()
    };
    let item = item(db, source);
    match (definition, &item.kind) {
        (TermDef::Operator(operator), _) => {
            let (source, item) = signature_item(db, operator)?;
            let ItemKind::Signature { ty, .. } = &item.kind else {
                return None;
            };
            let ports = ty.ports.iter().map(|port| Argument {
                node: port.id,
                ty: port.ty,
                is_adjusted: !port.adjustments.is_empty(),
            });
            Some((source, ports.collect()))
        }
        (TermDef::Constructor(one), ItemKind::Data { constructors, .. }) => {
            let declared = constructors.get(one.index as usize)?;
            Some((source, plain(item, &declared.args)))
        }
        (TermDef::Command(one), ItemKind::Interface { commands, .. }) => {
            let declared = commands.get(one.index as usize)?;
            Some((source, plain(item, &declared.args)))
        }
        _ => None,
    }
}

/// The other declarations that are worth a try.
pub(super) fn candidates(db: &dyn Db, definition: TermDef) -> Option<(ItemSource, Vec<Amendment>)> {
    let (source, arguments) = arguments(db, definition)?;
    let item = item(db, source);
    let count = arguments.len().min(MOST_ARGUMENTS);
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let mut all: Vec<Amendment> = pairs.map(|(a, b)| Amendment::Exchange(a, b)).collect();
    all.extend(other_counts(db, definition, item, &arguments));
    for (index, argument) in arguments.iter().enumerate().take(count) {
        if arguments.iter().any(|other| other.is_adjusted)
            && !argument.is_adjusted
            && !silent_computations(item, argument.ty).is_empty()
        {
            all.push(Amendment::Perform(index));
        }
        match &item.types[argument.ty].kind {
            TypeKind::Computation(suspended)
                if suspended.ports.is_empty() && suspended.peg.ability.is_none() =>
            {
                all.push(Amendment::Unsuspend(index));
            }
            TypeKind::Name { .. } if !argument.is_adjusted => {
                // What a computation in data or an interface may do is a parameter of these.
                if matches!(definition, TermDef::Operator(_)) {
                    all.push(Amendment::Suspend(index));
                }
                all.push(Amendment::List(index));
                if let TermDef::Operator(operator) = definition
                    && !floats(item, argument.ty).is_empty()
                    && chosen_number(db, operator).is_some()
                {
                    all.push(Amendment::Number(index));
                }
                if instance_within(item, argument.ty).is_some() {
                    all.push(Amendment::Layer(index));
                    let is_first = !all.iter().any(|one| matches!(one, Amendment::Peel(_)));
                    all.extend(is_first.then_some(Amendment::Peel(index)));
                }
            }
            _ => {}
        }
    }
    Some((source, all))
}

/// Declarations with fewer arguments: without a `Unit` that nobody gives, and with a function for several of them.
fn other_counts(
    db: &dyn Db,
    definition: TermDef,
    item: &Item,
    arguments: &[Argument],
) -> Vec<Amendment> {
    let is_unit = |argument: &Argument| match &item.types[argument.ty].kind {
        TypeKind::Name { name, args, .. } => args.is_empty() && name.symbol.as_str() == "Unit",
        _ => false,
    };
    let units = arguments.iter().enumerate().take(MOST_ARGUMENTS);
    let units = units.filter(|(_, argument)| is_unit(argument));
    let mut all: Vec<Amendment> = units.map(|(index, _)| Amendment::Without(index)).collect();
    if let TermDef::Operator(operator) = definition {
        let clause = operator.items(db).clauses.first();
        let patterns = clause.and_then(|clause| match &crate::db::item(db, *clause).kind {
            ItemKind::Clause { clause, .. } => Some(clause.patterns.len()),
            _ => None,
        });
        let surplus = patterns.and_then(|patterns| arguments.len().checked_sub(patterns));
        if let (Some(patterns), Some(surplus @ 1..MOST_ARGUMENTS)) = (patterns, surplus) {
            let functions = (0..patterns).take(MOST_ARGUMENTS);
            all.extend(functions.map(|first| Amendment::Function(first, surplus + 1)));
        }
    }
    all
}

/// The results of the computations in a type that are written without an ability, outermost ones alone.
pub fn silent_computations(item: &Item, ty: TypeId) -> Vec<NodeId> {
    match &item.types[ty].kind {
        TypeKind::Computation(computation) if computation.peg.ability.is_none() => {
            vec![item.types[computation.peg.ty].id]
        }
        TypeKind::Name { args, .. } => {
            let types = args.iter().filter_map(|arg| match arg {
                TypeArg::Type(ty) => Some(*ty),
                TypeArg::Ability(_) => None,
            });
            types.flat_map(|ty| silent_computations(item, ty)).collect()
        }
        TypeKind::Computation(_) | TypeKind::Missing => Vec::new(),
    }
}

/// Where `Float` stands in a type, outside of computations.
pub fn floats(item: &Item, ty: TypeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut work = vec![ty];
    while let Some(ty) = work.pop() {
        let TypeKind::Name { name, args, .. } = &item.types[ty].kind else {
            continue;
        };
        if args.is_empty() && name.symbol.as_str() == "Float" {
            found.push(item.types[ty].id);
        }
        work.extend(args.iter().filter_map(|arg| match arg {
            TypeArg::Type(ty) => Some(*ty),
            TypeArg::Ability(_) => None,
        }));
    }
    found
}

/// The numbers that the ability of an operator's signature has an instance for, if they are a type variable.
pub fn chosen_number(db: &dyn Db, operator: OperatorDef) -> Option<Symbol> {
    let (_, item) = signature_item(db, operator)?;
    let declared = signature(db, operator.0.scope, operator.0.name).as_ref()?;
    written_instances(db, operator)?
        .into_iter()
        .find_map(
            |(written, known)| match (&written.args[..], &known.args[..]) {
                ([TypeArg::Type(ty)], [Arg::Type(one)])
                    if matches!(declared.types.kind(*one), TyKind::Variable(_)) =>
                {
                    match &item.types[*ty].kind {
                        TypeKind::Name { name, .. } => Some(name.symbol),
                        _ => None,
                    }
                }
                _ => None,
            },
        )
}

/// The instance in a signature's ability that is for what the type of a port is made of.
pub fn instance_within(item: &Item, ty: TypeId) -> Option<&InstanceExpr> {
    let ItemKind::Signature { ty: signature, .. } = &item.kind else {
        return None;
    };
    let TypeKind::Name { args, .. } = &item.types[ty].kind else {
        return None;
    };
    let name = |arg: &TypeArg| match arg {
        TypeArg::Type(ty) => match &item.types[*ty].kind {
            TypeKind::Name { name, args, .. } if args.is_empty() => Some(name.symbol),
            _ => None,
        },
        TypeArg::Ability(_) => None,
    };
    let parts: Vec<Symbol> = args.iter().filter_map(name).collect();
    let mut instances = signature.peg.ability.as_ref()?.instances.iter();
    instances.find(|one| match &one.args[..] {
        [arg] => name(arg).is_some_and(|name| parts.contains(&name)),
        _ => false,
    })
}

/// The instances that are written in an operator's ability, each beside what it stands for. `None` where the two are
/// not as many: an alias stands for several.
fn written_instances(
    db: &dyn Db,
    operator: OperatorDef,
) -> Option<Vec<(&InstanceExpr, &Instance)>> {
    let (_, item) = signature_item(db, operator)?;
    let ItemKind::Signature { ty, .. } = &item.kind else {
        return None;
    };
    let declared = signature(db, operator.0.scope, operator.0.name).as_ref()?;
    let row = declared.types.row(declared.computation.ability);
    let written = &ty.peg.ability.as_ref()?.instances;
    let same = written.len() == row.instances.len();
    same.then(|| written.iter().zip(row.instances.iter()).collect())
}

/// The instances that are written in an operator's ability, each with other arguments. Aliases stand for
/// several.
fn other_instances(db: &dyn Db, operator: OperatorDef) -> Vec<Amendment> {
    let Some(written) = written_instances(db, operator).filter(|all| all.len() <= MOST_ARGUMENTS)
    else {
        return Vec::new();
    };
    let instances = written.iter().map(|(_, instance)| instance).enumerate();
    let is_plain = |arg: &Arg| matches!(arg, Arg::Type(_));
    let with_arguments = instances
        .filter(|(_, instance)| !instance.args.is_empty() && instance.args.iter().all(is_plain));
    let mut all: Vec<Amendment> = with_arguments
        .map(|(index, _)| Amendment::Instance(index))
        .collect();
    if all.len() > 1 {
        all.push(Amendment::Instances);
    }
    all
}

/// The instances that are written in an operator's ability, each with other abilities as arguments.
pub(super) fn other_abilities(db: &dyn Db, operator: OperatorDef) -> Vec<Amendment> {
    let Some(written) = written_instances(db, operator).filter(|all| all.len() <= MOST_ARGUMENTS)
    else {
        return Vec::new();
    };
    let takes_ability = |arg: &Arg| matches!(arg, Arg::Ability(_));
    let instances = written.iter().map(|(_, instance)| instance).enumerate();
    instances
        .filter(|(_, instance)| {
            !instance.args.is_empty() && instance.args.iter().all(takes_ability)
        })
        .map(|(index, _)| Amendment::Instance(index))
        .collect()
}

/// What an operator's clauses give instead of what is declared.
fn other_results(db: &dyn Db, operator: OperatorDef, own: &User) -> Option<Amendment> {
    let is_result = |problem: &Problem| {
        matches!(
            problem,
            Problem::Mismatch {
                origin: Expectation::Result | Expectation::ThunkResult { .. },
                ..
            }
        )
    };
    let any = Amendment::AnyResult;
    let known = bettered(db, TermDef::Operator(operator), any, own)?;
    let result = known.computation.as_ref()?.result;
    if let Some(text) = closed_text(&known, result) {
        return Some(Amendment::Result(text));
    }
    // Of a type that the caller chooses, and of one without arguments, much else is as likely.
    let declared = signature(db, operator.0.scope, operator.0.name).as_ref()?;
    let result = declared.types.kind(declared.computation.result);
    let has_arguments = matches!(result, TyKind::Data(_, args) if !args.is_empty());
    let is_plain = has_arguments && own.inference.problems.iter().any(is_result);
    is_plain.then_some(any)
}

/// What the uses of a constructor or a command give for its arguments, and need as its result, and should not.
pub(super) fn of_uses(db: &dyn Db, definition: TermDef, users: &[User]) -> Vec<Amendment> {
    let mut all: Vec<Amendment> = Vec::new();
    for user in users {
        for problem in &user.inference.problems {
            if is_one_more(problem, definition) {
                let types = ["Int", "Float", "String", "Char", "Bool"].map(Symbol::new);
                let own = match definition {
                    TermDef::Constructor(one) => Some(one.data.0.name),
                    TermDef::Operator(_) | TermDef::Command(_) => None,
                };
                return own.into_iter().chain(types).map(Amendment::More).collect();
            }
            let Problem::Mismatch {
                source,
                term,
                expected,
                found,
                origin,
                ..
            } = problem
            else {
                continue;
            };
            let item = item(db, *source);
            if term.is_some_and(|term| is_use(item, term, definition.name())) {
                let needed = closed_text(&user.inference, *expected);
                all.extend(needed.map(Amendment::Result));
            }
            let index = match *origin {
                Expectation::Argument { call, index } => {
                    if !is_use(item, call, definition.name()) {
                        continue;
                    }
                    index
                }
                Expectation::Field { constructor, index }
                    if TermDef::Constructor(constructor) == definition =>
                {
                    index
                }
                _ => continue,
            };
            let written = closed_text(&user.inference, *found);
            all.extend(written.map(|text| Amendment::Written(index, text)));
        }
    }
    let mut seen = Vec::new();
    all.retain(|one| {
        let is_new = !seen.contains(one) && seen.len() < MOST_ARGUMENTS;
        seen.extend(is_new.then_some(*one));
        is_new
    });
    all
}

/// Whether a constructor or a command has one argument more in a use than it is declared with.
fn is_one_more(problem: &Problem, declared: TermDef) -> bool {
    let (used, wanted, given) = match problem {
        Problem::ConstructorArguments {
            constructor,
            wanted,
            given,
            ..
        } => (TermDef::Constructor(*constructor), *wanted, *given),
        Problem::CommandArguments {
            command,
            wanted,
            given,
            ..
        } => (TermDef::Command(*command), *wanted, *given),
        Problem::ArgumentCount {
            definition: Some(used @ TermDef::Command(_)),
            wanted,
            given,
            ..
        } => (*used, *wanted, *given),
        _ => return false,
    };
    used == declared && wanted + 1 == given
}

/// Whether a term is a name, or what its call gives.
fn is_use(item: &Item, term: TermId, name: Symbol) -> bool {
    match &item.terms[term].kind {
        TermKind::Name(used) => used.symbol == name,
        TermKind::Apply { head, .. } => is_use(item, *head, name),
        TermKind::Adapted { body, .. } => is_use(item, *body, name),
        _ => false,
    }
}

/// What an operator's clauses say instead of its signature: another result, other arguments of instances, other
/// ports.
pub(super) fn of_clauses(db: &dyn Db, operator: OperatorDef, own: &User) -> Vec<Amendment> {
    let mut all: Vec<Amendment> = other_results(db, operator, own).into_iter().collect();
    all.extend(other_instances(db, operator));
    all.extend(taken_types(db, operator, own));
    all
}

/// What the clauses take for a port, where they agree.
fn taken_types(db: &dyn Db, operator: OperatorDef, own: &User) -> Vec<Amendment> {
    let of_port = |index: usize| {
        let amendment = Amendment::AnyPort(index);
        let known = bettered(db, TermDef::Operator(operator), amendment, own)?;
        let port = known.computation.as_ref()?.ports.get(index)?;
        closed_text(&known, port.ty).map(|text| Amendment::Written(index, text))
    };
    let count = arguments(db, TermDef::Operator(operator)).map_or(0, |(_, ports)| ports.len());
    (0..count.min(MOST_ARGUMENTS)).filter_map(of_port).collect()
}

/// A type as it is written, if nothing in it is open and it holds no computations.
fn closed_text(inference: &Inference, ty: Ty) -> Option<Symbol> {
    let show = Show {
        table: &inference.table,
        values: &[],
        effects: &[],
        budget: MESSAGE_BUDGET,
        metas: None,
    };
    let text = show.ty(ty);
    (!text.contains(['_', '…', '{', '['])).then(|| Symbol::new(&text))
}
