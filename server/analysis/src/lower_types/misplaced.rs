//! Arguments of types that belong to another one: parentheses, commas or brackets are missing.

use frank_syntax::ast::{
    ConstructorDecl, InstanceExpr, Item, Name, ParamKind, Peg, Symbol, TypeArg, TypeId, TypeKind,
};
use frank_syntax::stack::ensure_sufficient_stack;
use text_size::{TextRange, TextSize};

use super::Lowering;
use crate::db::parsed;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::params::{TypeNamespace, params};
use crate::program::{RowDef, resolve_data, resolve_row};
use crate::types::Ty;

/// A constructor with more arguments is taken as it is written.
const MOST_ARGUMENTS: usize = 50;

impl Lowering<'_> {
    /// The finding about `List Maybe Int`: a type among the arguments takes those behind it that are too many.
    pub(super) fn nested_arguments(
        &self,
        item: &Item,
        name: Name,
        wanted: usize,
        args: &[TypeArg],
    ) -> Option<Diagnostic> {
        let surplus = args.len().checked_sub(wanted).filter(|more| *more > 0)?;
        let (inner, first, last) = args
            .iter()
            .take(wanted)
            .zip(args.iter().skip(surplus))
            .find_map(|(first, last)| {
                let TypeArg::Type(ty) = first else {
                    return None;
                };
                let TypeKind::Name { name, args, .. } = &item.types[*ty].kind else {
                    return None;
                };
                let data = resolve_data(self.db, self.scope, name.symbol)?;
                let params = params(self.db, data.0.scope, name.symbol, TypeNamespace::Data);
                (args.is_empty() && params.all.len() == surplus).then_some((
                    name.symbol,
                    first,
                    last,
                ))
            })?;
        let [start, end] = [first, last]
            .map(|arg| Location::node(self.source, self.arg_node(item, arg)).in_item(self.db));
        let at = Location::range(self.source, start.cover(end));
        Some(
            Diagnostic::new(
                Code::WrongTypeArguments,
                at,
                format!("`{inner}` and what it takes need parentheses: together they are one argument of `{}`", name.symbol),
            )
            .fix(fixes::around(at, "(", ")", "put parentheses around it")),
        )
    }

    /// The finding about `[State Int Abort]`: what an interface cannot take is an instance of its own.
    pub(super) fn instances_without_commas(
        &self,
        item: &Item,
        expr: &InstanceExpr,
    ) -> Option<Diagnostic> {
        let mut next = self.instance_arguments(expr.interface)?;
        let mut begins = Vec::new();
        while next < expr.args.len() {
            let TypeArg::Type(ty) = expr.args.get(next)? else {
                return None;
            };
            let TypeKind::Name { name, args, .. } = &item.types[*ty].kind else {
                return None;
            };
            let is_type = resolve_data(self.db, self.scope, name.symbol).is_some();
            if is_type || !args.is_empty() {
                return None;
            }
            begins.push((next, *name));
            next += 1 + self.instance_arguments(*name)?;
        }
        let (_, first) = begins.first()?;
        let comma = |(index, _): &(usize, Name)| {
            let before = index
                .checked_sub(1)
                .and_then(|before| expr.args.get(before));
            let before = before.map_or(expr.interface.id, |arg| self.arg_node(item, arg));
            Edit {
                location: Location::node(self.source, before),
                position: Position::After,
                text: ",".to_owned(),
            }
        };
        let message = format!(
            "`{}` is an interface, too: instances are separated by commas",
            first.symbol
        );
        let at = Location::node(self.source, first.id);
        Some(
            Diagnostic::new(Code::WrongTypeArguments, at, message)
                .help("write a comma before it")
                .fix(Fix {
                    title: "write a comma before it".to_owned(),
                    edits: begins.iter().map(comma).collect(),
                    safe: true,
                }),
        )
    }

    /// How many arguments an instance of an interface or of an alias has.
    fn instance_arguments(&self, name: Name) -> Option<usize> {
        let scope = match resolve_row(self.db, self.scope, name.symbol)? {
            RowDef::Interface(interface) => interface.0.scope,
            RowDef::Alias(alias) => alias.0.scope,
        };
        let params = params(self.db, scope, name.symbol, TypeNamespace::Row);
        let is_value = |(_, kind): &&(_, ParamKind)| *kind == ParamKind::Value;
        // An ability among the arguments may be left out.
        let all_values = params.all.iter().filter(is_value).count() == params.all.len();
        all_values.then_some(params.all.len())
    }

    /// `A -> List Int [Console]`: the ability stands in front of the result's type. Gives the type that the
    /// result has without it.
    pub(super) fn ability_behind(&mut self, item: &Item, peg: &Peg) -> Option<Ty> {
        let expr = &item.types[peg.ty];
        let TypeKind::Name {
            name,
            args,
            parenthesised: false,
        } = &expr.kind
        else {
            return None;
        };
        let (TypeArg::Ability(ability), own) = args.split_last()? else {
            return None;
        };
        let data = resolve_data(self.db, self.scope, name.symbol)?;
        let params = params(self.db, data.0.scope, name.symbol, TypeNamespace::Data);
        let takes_abilities = params
            .all
            .iter()
            .any(|(_, kind)| *kind == ParamKind::Effect);
        if peg.ability.is_some() || takes_abilities || own.len() != params.all.len() {
            return None;
        }
        let at = Location::node(self.source, ability.id);
        let map = &parsed(self.db, self.source).source_map;
        let text = |range| {
            let range = std::ops::Range::<usize>::from(range);
            self.source.text(self.db).get(range).unwrap_or_default()
        };
        let whole = map.range(expr.id);
        let performed = text(map.range(ability.id));
        let last = own.last().map_or(name.id, |arg| self.arg_node(item, arg));
        let given = text(TextRange::new(whole.start(), map.range(last).end()));
        let meant = format!("{performed}{given}");
        self.problems.push(
            Diagnostic::new(
                Code::WrongTypeArguments,
                at,
                "an ability stands before the result's type",
            )
            .help(format!("write `{meant}`"))
            .fix(fixes::replace(
                Location::range(self.source, whole),
                &meant,
                format!("write `{meant}`"),
            )),
        );
        self.ability(item, ability);
        Some(self.named(item, expr.id, *name, own, false))
    }

    /// `node Tree X X Tree X`, whose types with arguments lack their parentheses: reports that, and gives the
    /// number of arguments that is meant.
    pub fn constructor_without_parentheses(
        &mut self,
        item: &Item,
        constructor: &ConstructorDecl,
    ) -> Option<usize> {
        if constructor.args.len() > MOST_ARGUMENTS {
            return None;
        }
        let mut meant = Vec::new();
        let mut first_wrong = None;
        let mut next = 0;
        while next < constructor.args.len() {
            let (text, end) = self.with_arguments(item, &constructor.args, next)?;
            let is_atom = end == next + 1;
            if !is_atom {
                first_wrong.get_or_insert((next, end));
            }
            let is_applied = |ty: &TypeId| matches!(&item.types[*ty].kind, TypeKind::Name { args, .. } if !args.is_empty());
            let has_arguments = !is_atom || constructor.args.get(next).is_some_and(is_applied);
            meant.push(match has_arguments {
                true => format!("({text})"),
                false => text,
            });
            next = end;
        }
        let (first, end) = first_wrong?;
        let place = |index: usize| {
            let ty = constructor.args.get(index)?;
            Some(Location::node(self.source, item.types[*ty].id).in_item(self.db))
        };
        let at = Location::range(
            self.source,
            place(first)?.cover(place(end.checked_sub(1)?)?),
        );
        let all = place(0)?.cover(place(constructor.args.len().checked_sub(1)?)?);
        let all = self.with_parentheses(all);
        let (wrong, _) = self.with_arguments(item, &constructor.args, first)?;
        let message = format!(
            "`({wrong})` needs its parentheses: without them each name is an argument of `{}` by itself",
            constructor.name.symbol
        );
        let text = meant.join(" ");
        let written = format!("{} {text}", constructor.name.symbol);
        self.problems.push(
            Diagnostic::new(Code::WrongTypeArguments, at, message)
                .help(format!("write `{written}`"))
                .fix(fixes::replace(
                    Location::range(self.source, all),
                    &text,
                    format!("write `{written}`"),
                )),
        );
        Some(meant.len())
    }

    /// A range with the parentheses that belong to what stands at its ends.
    fn with_parentheses(&self, range: TextRange) -> TextRange {
        let text = self.source.text(self.db);
        let (before, after) = (
            text.get(..range.start().into()),
            text.get(range.end().into()..),
        );
        let opens = before.is_some_and(|before| before.ends_with('('));
        let closes = after.is_some_and(|after| after.starts_with(')'));
        let one = |is_there| TextSize::from(u32::from(is_there));
        TextRange::new(range.start() - one(opens), range.end() + one(closes))
    }

    /// The type among those of a constructor that begins at a place, with the arguments that it lacks taken
    /// from those behind it, and where it ends.
    fn with_arguments(&self, item: &Item, all: &[TypeId], at: usize) -> Option<(String, usize)> {
        let expr = &item.types[*all.get(at)?];
        let text = {
            let map = &parsed(self.db, self.source).source_map;
            let range = std::ops::Range::<usize>::from(map.range(expr.id));
            self.source.text(self.db).get(range)?.to_owned()
        };
        let wanted = match &expr.kind {
            TypeKind::Name {
                name,
                args,
                parenthesised: false,
            } if args.is_empty() => self.value_parameters(name.symbol),
            _ => 0,
        };
        let mut written = text;
        let mut end = at + 1;
        for _ in 0..wanted {
            let inner = ensure_sufficient_stack(|| self.with_arguments(item, all, end));
            let (argument, next) = inner?;
            let argument = match next == end + 1 {
                true => argument,
                false => format!("({argument})"),
            };
            written = format!("{written} {argument}");
            end = next;
        }
        Some((written, end))
    }

    /// How many types a data type takes; 0 where that is not clear.
    fn value_parameters(&self, name: Symbol) -> usize {
        let data = match self.values.contains_key(&name) {
            true => None,
            false => resolve_data(self.db, self.scope, name),
        };
        let Some(data) = data else { return 0 };
        let params = params(self.db, data.0.scope, name, TypeNamespace::Data);
        let is_value = |(_, kind): &(_, ParamKind)| *kind == ParamKind::Value;
        match params.all.iter().all(is_value) {
            true => params.all.len(),
            false => 0,
        }
    }
}
