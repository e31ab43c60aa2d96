//! What a function takes and gives, as far as it can be differentiated: numbers, and lists and
//! records of them; and what it takes beside them, which is held fixed.

use std::sync::Arc;

use frank_analysis::builtin::list;
use frank_analysis::db::{Db, SourceFile, item};
use frank_analysis::declarations::{data_type, sound_signature};
use frank_analysis::program::{
    ConstructorDef, DataDef, InterfaceDef, OperatorDef, TermDef, resolve_term,
};
use frank_analysis::types::{Arg, Instance, Replacement, Signature, Ty, TyKind, Types};
use frank_syntax::ast::{Item, ItemKind, PatternId, PatternKind, Symbol};

use super::roles::{self, Number, SmoothRole, smooth_role};

/// Records within records deeper than this are no data that anybody writes down.
const DEEPEST: usize = 16;

/// The shape of an argument or of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A number that can be differentiated in, or that has a derivative.
    Number,
    List(Box<Shape>),
    /// Data with one constructor, such as `pair`.
    Record(ConstructorDef, Vec<Shape>),
    /// A type without such numbers, which is held fixed.
    Fixed(Fixed),
}

/// Types of arguments that are held fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fixed {
    Int,
    Float,
    Char,
    Bool,
    /// `String` is one, too.
    List,
    Other,
}

/// A function that can be differentiated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SmoothFunction {
    pub parameters: Vec<Shape>,
    pub result: Shape,
    /// The interfaces whose active instance is at the numbers, the right-most first.
    pub interfaces: Vec<InterfaceDef>,
    /// The numbers are those of a way of differentiation, such as `Prop X`, by their data type.
    pub numbers: Option<DataDef>,
    /// Of those the numbers within, if they are not any: `Float` of `Prop Float`.
    pub within: Option<Number>,
    /// The interfaces that its ability has.
    pub needs: Vec<InterfaceDef>,
}

impl Shape {
    /// Whether there is a number in it to differentiate in.
    pub fn is_smooth(&self) -> bool {
        match self {
            Shape::Number => true,
            Shape::List(inner) => inner.is_smooth(),
            Shape::Record(_, fields) => fields.iter().any(Shape::is_smooth),
            Shape::Fixed(_) => false,
        }
    }

    /// Whether nothing else is in it.
    fn is_all_smooth(&self) -> bool {
        match self {
            Shape::Number => true,
            Shape::List(inner) => inner.is_all_smooth(),
            Shape::Record(_, fields) => fields.iter().all(Shape::is_all_smooth),
            Shape::Fixed(_) => false,
        }
    }
}

/// What there is to differentiate in an operator; `None` if it is no function of numbers, lists
/// and records of one type, with an active instance at that type.
///
/// `scope` is the program whose terms apply it.
#[salsa::tracked]
pub(crate) fn smooth_function(
    db: &dyn Db,
    scope: SourceFile,
    own: SourceFile,
    name: Symbol,
) -> Option<SmoothFunction> {
    match smooth_role(db, own, name) {
        SmoothRole::Smooth { .. } | SmoothRole::Other => {}
        _ => return None,
    }
    let signature = sound_signature(db, own, name).as_ref()?;
    let computation = &signature.computation;
    if computation.ports.is_empty() || computation.ports.iter().any(|p| !p.adjustments.is_empty()) {
        return None;
    }
    let row = signature.types.row(computation.ability).instances.clone();
    row.iter().rev().find_map(|instance| {
        let number = roles::subject(instance)?;
        function_at(db, scope, signature, &row, number)
    })
}

fn function_at(
    db: &dyn Db,
    scope: SourceFile,
    signature: &Signature,
    row: &[Instance],
    number: Ty,
) -> Option<SmoothFunction> {
    let interfaces = roles::active_at(&signature.types, row, number);
    let (numbers, within) = match signature.types.kind(number) {
        TyKind::Variable(_) => (None, None),
        TyKind::Data(data, args) => match &args[..] {
            [Arg::Type(inner)] => {
                let within = roles::number(&signature.types, *inner);
                if within.is_none() && !roles::is_variable(&signature.types, *inner) {
                    return None;
                }
                (Some(*data), within)
            }
            _ => return None,
        },
        _ => return None,
    };
    let mut shapes = Shapes {
        db,
        scope,
        types: signature.types.clone(),
        number,
    };
    let computation = &signature.computation;
    let parameters: Vec<Shape> = computation
        .ports
        .iter()
        .map(|port| shapes.of(port.ty, 0))
        .collect::<Option<_>>()?;
    let result = shapes.of(computation.result, 0)?;
    let fits =
        !interfaces.is_empty() && parameters.iter().any(Shape::is_smooth) && result.is_all_smooth();
    fits.then(|| SmoothFunction {
        parameters,
        result,
        interfaces,
        numbers,
        within,
        needs: row.iter().map(|instance| instance.interface).collect(),
    })
}

struct Shapes<'db> {
    db: &'db dyn Db,
    scope: SourceFile,
    types: Types,
    number: Ty,
}

impl Shapes<'_> {
    fn of(&mut self, ty: Ty, depth: usize) -> Option<Shape> {
        if roles::same(&self.types, ty, self.number) {
            return Some(Shape::Number);
        }
        if self.is_closed(ty, 0) {
            return Some(Shape::Fixed(self.fixed(ty)));
        }
        if depth > DEEPEST {
            return None;
        }
        let TyKind::Data(data, args) = self.types.kind(ty).clone() else {
            return None;
        };
        if data == list(self.db) {
            let [Arg::Type(inner)] = &args[..] else {
                return None;
            };
            return Some(Shape::List(Box::new(self.of(*inner, depth + 1)?)));
        }
        let declared = data_type(self.db, data.0.scope, data.0.name).as_ref()?;
        let [constructor] = &declared.constructors[..] else {
            return None;
        };
        let def = ConstructorDef {
            data,
            index: 0,
            name: constructor.name,
        };
        // It is written in the program's terms.
        if resolve_term(self.db, self.scope, def.name) != Some(TermDef::Constructor(def)) {
            return None;
        }
        let values: Vec<Ty> = args
            .iter()
            .filter_map(|arg| match arg {
                Arg::Type(ty) => Some(*ty),
                Arg::Ability(_) => None,
            })
            .collect();
        let effects: Vec<_> = args
            .iter()
            .filter_map(|arg| match arg {
                Arg::Ability(ability) => Some(*ability),
                Arg::Type(_) => None,
            })
            .collect();
        let with = Replacement {
            values: &values,
            effects: &effects,
        };
        let fields: Vec<Ty> = constructor
            .fields
            .iter()
            .map(|field| self.types.copy(&declared.types, *field, with))
            .collect();
        let fields = fields
            .into_iter()
            .map(|field| self.of(field, depth + 1))
            .collect::<Option<Vec<Shape>>>()?;
        Some(Shape::Record(def, fields))
    }

    /// Whether a type is data all through, without variables.
    fn is_closed(&self, ty: Ty, depth: usize) -> bool {
        match self.types.kind(ty) {
            TyKind::Int | TyKind::Float | TyKind::Char => true,
            TyKind::Data(_, args) if depth <= DEEPEST => args.iter().all(|arg| match arg {
                Arg::Type(ty) => self.is_closed(*ty, depth + 1),
                Arg::Ability(_) => false,
            }),
            _ => false,
        }
    }

    fn fixed(&self, ty: Ty) -> Fixed {
        match self.types.kind(ty) {
            TyKind::Int => Fixed::Int,
            TyKind::Float => Fixed::Float,
            TyKind::Char => Fixed::Char,
            TyKind::Data(data, _) if *data == list(self.db) => Fixed::List,
            TyKind::Data(data, _) if frank_analysis::builtin::true_(self.db).data == *data => {
                Fixed::Bool
            }
            _ => Fixed::Other,
        }
    }
}

/// The data type of the numbers that a derivative operator's function has, and the interfaces that
/// its ability has.
pub(crate) fn function_of(
    db: &dyn Db,
    operator: OperatorDef,
) -> Option<(DataDef, Vec<InterfaceDef>)> {
    let signature = sound_signature(db, operator.0.scope, operator.0.name).as_ref()?;
    let function = signature.computation.ports.first()?;
    let TyKind::Computation(function) = signature.types.kind(function.ty) else {
        return None;
    };
    let TyKind::Data(data, _) = signature.types.kind(function.result) else {
        return None;
    };
    let row = signature.types.row(function.ability);
    let needs = row.instances.iter().map(|instance| instance.interface);
    Some((*data, needs.collect()))
}

/// The data type `D` of an operator `X -> [Smooth X, Smooth (D X)] (D X)`.
fn lift_of(db: &dyn Db, operator: OperatorDef) -> Option<DataDef> {
    let signature = sound_signature(db, operator.0.scope, operator.0.name).as_ref()?;
    let (types, computation) = (&signature.types, &signature.computation);
    let [port] = &computation.ports[..] else {
        return None;
    };
    let TyKind::Data(data, args) = types.kind(computation.result) else {
        return None;
    };
    let fits = port.adjustments.is_empty()
        && roles::is_variable(types, port.ty)
        && matches!(&args[..], [Arg::Type(inner)] if roles::same(types, *inner, port.ty));
    fits.then_some(*data)
}

/// The operators of a program that could make a number one of a way of differentiation, with the
/// data type of its numbers; the program's own first.
#[salsa::tracked]
pub(crate) fn lifts(db: &dyn Db, scope: SourceFile) -> Vec<(OperatorDef, DataDef)> {
    roles::operators(db, scope, |operator| lift_of(db, operator).is_some())
        .into_iter()
        .filter_map(|operator| Some((operator, lift_of(db, operator)?)))
        .collect()
}

/// The names of an operator's variables, by those of its first clause; `#1` for an argument that
/// has no name there.
pub(crate) fn names_of(db: &dyn Db, operator: OperatorDef) -> Names {
    let clause = operator.items(db).clauses.first().copied();
    let item = clause.map(|source| item(db, source));
    let patterns = match item.map(|item| &item.kind) {
        Some(ItemKind::Clause { clause, .. }) => clause.patterns.clone(),
        _ => Vec::new(),
    };
    Names {
        item: item.cloned(),
        patterns,
    }
}

/// See [`names_of`].
pub(crate) struct Names {
    item: Option<Arc<Item>>,
    patterns: Vec<PatternId>,
}

impl Names {
    /// The pattern for an argument.
    pub fn pattern(&self, argument: usize) -> Option<PatternId> {
        self.patterns.get(argument).copied()
    }

    /// The name that a pattern gives to all that it matches.
    pub fn bound(&self, pattern: Option<PatternId>) -> Option<String> {
        match &self.item.as_ref()?.patterns[pattern?].kind {
            PatternKind::Name(name) if name.symbol.as_str() != "_" => Some(name.symbol.to_string()),
            _ => None,
        }
    }

    /// The pattern for a field of a record.
    pub fn field(&self, pattern: Option<PatternId>, field: usize) -> Option<PatternId> {
        match &self.item.as_ref()?.patterns[pattern?].kind {
            PatternKind::Constructor { args, .. } => args.get(field).copied(),
            _ => None,
        }
    }
}
