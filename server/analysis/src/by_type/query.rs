//! A type that is looked for, from its text.

use frank_syntax::ast::{CompType, Item, ItemKind, Name, Symbol, TypeId, TypeKind};
use frank_syntax::error::SyntaxError;
use text_size::{TextRange, TextSize};

use super::shape::{Outline, Shape};
use crate::db::{Db, ItemSource, SourceFile, Workspace, parsed};
use crate::diagnostics::Diagnostic;
use crate::lower_types::Lowering;
use crate::report::syntax::code;
use crate::types::{Computation, Signature, Ty, TyKind, Types};

/// What stands for any arguments and any result, once it is a name.
const REST: &str = "___";

/// The ways to write it, of as many bytes.
const RESTS: [&str; 2] = ["…", "..."];

/// Something that is wrong with a query, or worth mentioning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The code of the finding that it would be in a program, if there is one.
    pub code: Option<&'static str>,
    /// Where, in bytes of the query.
    pub range: TextRange,
    pub message: String,
    pub help: Vec<String>,
}

/// Whether what is found may take more arguments than the query says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    No,
    /// The query says so, by `…`.
    Asked,
    /// The query has no arguments: what is applied gives such a value, too.
    Value,
}

/// A type that is looked for.
#[derive(Debug)]
pub struct Query {
    pub shape: Shape,
    pub outline: Outline,
    pub open: Open,
    pub any_result: bool,
    pub any_ability: bool,
    /// What may have been meant otherwise.
    pub notes: Vec<Mistake>,
}

/// The text of a query as [`crate::snapshot::Snapshot::ty`] takes it: without the name of a signature in front, and
/// with a name for `…`. Places in it stay where they are.
pub fn type_text(query: &str) -> String {
    let mut text = query.to_owned();
    for rest in RESTS {
        text = text.replace(rest, REST);
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let name = text.trim_start();
    let behind = name.trim_start_matches(is_part);
    let colon = behind.trim_start();
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if is_name && colon.starts_with(':') && !colon.starts_with("::") {
        let start = text.len() - colon.len() + 1;
        let rest = text.get(start..).unwrap_or_default();
        text = format!("{}{rest}", " ".repeat(start));
    }
    text
}

/// Whether a name stands for what `…` is written for.
fn is_rest_name(name: Symbol) -> bool {
    let name = name.as_str();
    name.len() >= REST.len() && name.bytes().all(|byte| byte == b'_')
}

impl Query {
    /// Reads a query. Its names are looked up in `scope`, and then in the scopes that are searched, of which there
    /// is at least one.
    ///
    /// # Errors
    ///
    /// What is wrong with the query.
    pub fn read<'a>(
        db: &'a dyn Db,
        scope: SourceFile,
        searched: &'a [SourceFile],
        source: ItemSource,
    ) -> Result<Query, Vec<Mistake>> {
        let length = TextSize::of(source.text(db));
        let mistake = |range, message: &str, help: &[&str]| Mistake {
            code: None,
            range,
            message: message.to_owned(),
            help: help.iter().map(|&help| help.to_owned()).collect(),
        };
        let whole = TextRange::up_to(length);
        if source.text(db).trim().is_empty() {
            let help =
                "write it as in a signature: `List X -> Int`, `<Abort> X -> …`, `[Console]Unit`";
            return Err(vec![mistake(
                whole,
                "there is no type to look for",
                &[help],
            )]);
        }
        let parsed = parsed(db, source);
        if !parsed.errors.is_empty() {
            return Err(parsed.errors.iter().map(of_syntax).collect());
        }
        let item = &*parsed.item;
        let ItemKind::Signature { ty, .. } = &item.kind else {
            return Err(vec![mistake(whole, "this is not a type", &[])]);
        };
        if let Some(name) = misplaced_rest(item, ty) {
            let message = "`…` stands for other arguments of the whole type, or for any result";
            let help = "within a type `_` stands for any type";
            let range = parsed.source_map.range(name.id);
            return Err(vec![mistake(range, message, &[help])]);
        }
        let mut lowering = Lowering::of_query(db, scope, searched, source);
        let computation = lowering.computation(item, ty);
        let problems = std::mem::take(&mut lowering.problems);
        let (errors, notes): (Vec<_>, Vec<_>) =
            problems.into_iter().partition(Diagnostic::is_error);
        let told = |all: Vec<Diagnostic>| all.into_iter().map(|one| of_finding(db, one));
        if !errors.is_empty() {
            return Err(told(errors).collect());
        }
        let mut signature = Signature {
            types: lowering.types,
            computation,
            values: lowering.value_names,
            effects: lowering.effect_names,
        };
        let takes_others = take_rest(&mut signature);
        let any_result = is_rest(&signature, signature.computation.result);
        let shape = Shape::new(&signature, Workspace::get(db).builtin(db));
        let shape = shape.ok_or_else(|| {
            vec![mistake(
                whole,
                "the type is too large to be looked for",
                &[],
            )]
        })?;
        Ok(Query {
            outline: shape.outline(),
            open: match signature.computation.ports.is_empty() {
                _ if takes_others || any_result => Open::Asked,
                true => Open::Value,
                false => Open::No,
            },
            any_result,
            any_ability: any_result && ty.peg.ability.is_none(),
            notes: told(notes).collect(),
            shape,
        })
    }

    /// Whether a variable of the query stands for anything.
    pub fn is_any(name: Symbol) -> bool {
        name.is_wildcard() || is_rest_name(name)
    }

    /// Queries that ask for less, with the result left open, or one of the arguments.
    pub fn relaxed(&self, home: SourceFile) -> Vec<Query> {
        let straight = &self.shape.straight;
        let count = straight.computation.ports.len();
        let relaxed = [count].into_iter().chain(0..count).filter_map(|at| {
            let mut signature = straight.clone();
            let any = any_of(&mut signature);
            match signature.computation.ports.get_mut(at) {
                Some(port) => port.ty = any,
                None => signature.computation.result = any,
            }
            let shape = Shape::new(&signature, home)?;
            Some(Query {
                outline: shape.outline(),
                shape,
                open: self.open,
                any_result: self.any_result || at == count,
                any_ability: self.any_ability,
                notes: Vec::new(),
            })
        });
        relaxed.collect()
    }
}

/// A variable of its own that stands for anything.
fn any_of(signature: &mut Signature) -> Ty {
    let number = signature.values.len() as u32;
    signature.values.push(Symbol::new("_"));
    signature.types.ty(TyKind::Variable(number))
}

fn of_syntax(error: &SyntaxError) -> Mistake {
    let related = error.related.iter().map(|(_, message)| message.clone());
    Mistake {
        code: Some(code(error.kind).as_str()),
        range: error.range,
        // A type on its own is read as a signature.
        message: error
            .message
            .replace(REST, "…")
            .replace("the end of the item", "the end of the type")
            .replace("expected a type after `:`", "expected a type"),
        help: related.chain(error.help.clone()).collect(),
    }
}

fn of_finding(db: &dyn Db, finding: Diagnostic) -> Mistake {
    let help = finding.help.into_iter();
    // Nobody defines a type to look for it.
    let help = help.filter(|help| !help.starts_with("define "));
    Mistake {
        code: Some(finding.code.as_str()),
        range: finding.location.in_item(db),
        message: finding.message.replace(REST, "…"),
        help: help.collect(),
    }
}

/// A `…` that is neither an argument nor the result.
fn misplaced_rest(item: &Item, ty: &CompType) -> Option<Name> {
    let ports = ty.ports.iter().filter(|port| port.adjustments.is_empty());
    let places: Vec<TypeId> = ports.map(|port| port.ty).chain([ty.peg.ty]).collect();
    let mut misplaced = item.types.iter().filter_map(|(id, ty)| match &ty.kind {
        TypeKind::Name { name, args, .. } if is_rest_name(name.symbol) => {
            let is_place = places.contains(&id) && args.is_empty();
            (!is_place).then_some(*name)
        }
        _ => None,
    });
    misplaced.next()
}

fn is_rest(signature: &Signature, ty: Ty) -> bool {
    let name = |types: &Types| match types.kind(ty) {
        TyKind::Variable(number) => signature.values.get(*number as usize).copied(),
        _ => None,
    };
    name(&signature.types).is_some_and(is_rest_name)
}

/// Takes the arguments out of a type that stand for any. Gives whether there are any.
fn take_rest(signature: &mut Signature) -> bool {
    let Computation { ports, .. } = &signature.computation;
    let (rest, kept): (Vec<_>, Vec<_>) = ports
        .iter()
        .cloned()
        .partition(|port| is_rest(signature, port.ty));
    signature.computation.ports = kept;
    !rest.is_empty()
}
