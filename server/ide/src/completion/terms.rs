//! Terms: variables, definitions, keywords, thunks that fit.

use frank_analysis::declarations::{constructor_arity, interface, signature};
use frank_analysis::infer::table::Table;
use frank_analysis::types::{AbilityData, Arg, Computation, Instance, Tail, Ty, TyKind, Types};
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{TermId, TermKind};

use super::{CompletionItem, CompletionKind, List};
use crate::Analysis;
use crate::draft::{Cursor, Draft};
use crate::names::Def;
use crate::target::SymbolKind;

/// How well a type fits the expected one; the order is that of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Exact,
    /// The heads agree.
    Partly,
    /// It is a variable, or nothing is expected.
    Maybe,
    No,
}

impl Fit {
    fn rank(self) -> u32 {
        match self {
            Fit::Exact => 0,
            Fit::Partly => 2,
            Fit::Maybe => 4,
            Fit::No => 8,
        }
    }
}

/// Where a type lives, and what its variables stand for.
#[derive(Clone, Copy)]
enum Typed<'a> {
    /// In the definition at work.
    Here(&'a Table),
    /// In a signature, whose variables may stand for anything.
    Signature(&'a Types),
    /// In an interface, whose parameters an instance of the definition at work fills.
    Interface(&'a Types, &'a [Arg]),
}

impl<'a> Typed<'a> {
    fn kind(self, ty: Ty) -> &'a TyKind {
        match self {
            Typed::Here(table) => table.kind(ty),
            Typed::Signature(types) | Typed::Interface(types, _) => types.kind(ty),
        }
    }
}

/// Compares the expected type with one that is offered.
fn fit(table: &Table, expected: Ty, found: Typed<'_>, ty: Ty, depth: u32) -> Fit {
    if depth == 0 {
        return Fit::Maybe;
    }
    let wanted = table.kind(expected);
    if let (Typed::Interface(_, args), TyKind::Variable(index)) = (found, found.kind(ty)) {
        let mut values = args.iter().filter_map(|arg| match arg {
            Arg::Type(ty) => Some(*ty),
            Arg::Ability(_) => None,
        });
        return match values.nth(*index as usize) {
            Some(value) => fit(table, expected, Typed::Here(table), value, depth - 1),
            None => Fit::Maybe,
        };
    }
    if let TyKind::Meta(_) | TyKind::Error = wanted {
        let number = table.is_number_meta(expected);
        return match found.kind(ty) {
            TyKind::Int | TyKind::Float if number => Fit::Exact,
            TyKind::Variable(_) | TyKind::Meta(_) | TyKind::Error => Fit::Maybe,
            _ if number => Fit::No,
            _ => Fit::Maybe,
        };
    }
    match (wanted, found.kind(ty)) {
        (_, TyKind::Meta(_) | TyKind::Error) => Fit::Maybe,
        (_, TyKind::Variable(_)) if matches!(found, Typed::Signature(_)) => Fit::Maybe,
        (TyKind::Variable(x), TyKind::Variable(y)) if x == y => Fit::Exact,
        (TyKind::Int, TyKind::Int)
        | (TyKind::Float, TyKind::Float)
        | (TyKind::Char, TyKind::Char) => Fit::Exact,
        (TyKind::Data(x, xs), TyKind::Data(y, ys)) if x == y => {
            let pairs = xs.iter().zip(ys.iter()).filter_map(|pair| match pair {
                (Arg::Type(x), Arg::Type(y)) => Some(fit(table, *x, found, *y, depth - 1)),
                _ => None,
            });
            match pairs.max().unwrap_or(Fit::Exact) {
                Fit::No => Fit::No,
                Fit::Exact => Fit::Exact,
                Fit::Partly | Fit::Maybe => Fit::Partly,
            }
        }
        (TyKind::Computation(x), TyKind::Computation(y)) if x.ports.len() == y.ports.len() => {
            let results = fit(table, x.result, found, y.result, depth - 1);
            let ports = x.ports.iter().zip(&y.ports);
            let ports = ports.map(|(x, y)| fit(table, x.ty, found, y.ty, depth - 1));
            match ports.chain([results]).max().unwrap_or(Fit::Exact) {
                Fit::No => Fit::No,
                Fit::Exact => Fit::Exact,
                Fit::Partly | Fit::Maybe => Fit::Partly,
            }
        }
        _ => Fit::No,
    }
}

/// Whether what an ability has can be performed where a term is, as far as that is known.
fn can_perform(draft: &Draft, term: Option<TermId>, ability: &AbilityData) -> bool {
    let here = term.and_then(|term| {
        let ambient = draft.body()?.ambient.get(term)?;
        Some(draft.inference()?.table.row(*ambient))
    });
    here.is_none_or(|here| {
        // An ability that is still to be found may have anything.
        matches!(here.tail, Tail::Meta(_) | Tail::Error)
            || ability.instances.iter().all(|needed| {
                let mut found = here.instances.iter();
                found.any(|found| found.interface == needed.interface)
            })
    })
}

/// What nobody handles comes behind what is of another type.
const UNHANDLED: u32 = 4;

/// How deep types are compared.
const DEPTH: u32 = 6;

/// What is expected where a term is being written.
struct Expected<'d> {
    table: Option<&'d Table>,
    ty: Option<Ty>,
    /// The term is the head of a call with so many arguments.
    arguments: Option<usize>,
    /// The term is an argument, so a call in it needs parentheses.
    argument: bool,
}

impl Expected<'_> {
    /// How well something of a type fits, and whether it has to be called or forced for that.
    fn judge(&self, found: Typed<'_>, ty: Ty) -> (Fit, Option<usize>) {
        let (Some(table), Some(expected)) = (self.table, self.ty) else {
            let ports = match found.kind(ty) {
                TyKind::Computation(computation) => Some(computation.ports.len()),
                _ => None,
            };
            return (Fit::Maybe, ports);
        };
        if let Some(wanted) = self.arguments {
            return match found.kind(ty) {
                TyKind::Computation(c) if c.ports.len() == wanted => {
                    (fit(table, expected, found, c.result, DEPTH), None)
                }
                TyKind::Computation(_) => (Fit::No, None),
                _ => (Fit::No, None),
            };
        }
        let plain = fit(table, expected, found, ty, DEPTH);
        if let TyKind::Computation(computation) = found.kind(ty) {
            let called = fit(table, expected, found, computation.result, DEPTH);
            let expects_thunk = matches!(table.kind(expected), TyKind::Computation(_));
            if called < plain || (called == plain && !expects_thunk) {
                return (called, Some(computation.ports.len()));
            }
        }
        (plain, None)
    }
}

impl Analysis {
    /// What can stand in the place of a term.
    pub(super) fn terms(&self, draft: &Draft, term: TermId, cursor: &Cursor, list: &mut List<'_>) {
        let item = draft.item();
        let path = draft.path();
        let outer = path.iter().rev().filter_map(|node| match node {
            Node::Term(outer) if *outer != term => Some(*outer),
            _ => None,
        });
        let outer = outer.map(|outer| (outer, &item.terms[outer].kind)).next();
        let body = draft.body();
        let type_of = |term| body.and_then(|body| body.types.get(term)).copied();
        let mut expected = Expected {
            table: draft.inference().map(|inference| &inference.table),
            ty: type_of(term),
            arguments: None,
            argument: false,
        };
        match outer {
            Some((call, TermKind::Apply { head, args })) if *head == term => {
                expected.ty = type_of(call);
                expected.arguments = Some(args.len());
            }
            Some((_, TermKind::Apply { .. })) => {
                let before = cursor.before().trim_end();
                expected.argument = !before.ends_with('(');
            }
            _ => {}
        }
        self.locals(draft, &expected, list);
        self.definitions(draft, term, &expected, list);
        if expected.arguments.is_none() {
            self.thunks(draft, &expected, list);
            list.keyword("let", "let ${1:x} = $2 in $0", 12);
        }
        // Without a blank: Enter behind the whole word is to end the line.
        list.keyword("in", "in", 14);
    }

    /// Terms where nothing is known of the place.
    pub(super) fn terms_anywhere(&self, draft: &Draft, list: &mut List<'_>) {
        let expected = Expected {
            table: None,
            ty: None,
            arguments: None,
            argument: false,
        };
        self.definition_names(draft, None, &expected, list);
        list.keyword("let", "let ${1:x} = $2 in $0", 12);
        list.keyword("in", "in", 14);
    }

    fn locals(&self, draft: &Draft, expected: &Expected<'_>, list: &mut List<'_>) {
        let table = draft.inference().map(|inference| &inference.table);
        for (distance, local) in draft.locals().enumerate() {
            let name = local.name.symbol.as_str();
            let ty = draft.local_type(local.name.id);
            let detail = ty.map(|ty| draft.ty_text(ty));
            let (fit, ports) = match (ty, table) {
                (Some(ty), Some(table)) => expected.judge(Typed::Here(table), ty),
                _ => (Fit::Maybe, None),
            };
            let rank = fit.rank() + (distance as u32).min(1);
            let label = match ports {
                Some(0) => format!("{name}!"),
                _ => name.to_owned(),
            };
            list.name(
                &label,
                CompletionKind::Symbol(SymbolKind::Local),
                detail,
                rank,
            );
        }
    }

    fn definitions(
        &self,
        draft: &Draft,
        term: TermId,
        expected: &Expected<'_>,
        list: &mut List<'_>,
    ) {
        self.definition_names(draft, Some(term), expected, list);
    }

    fn definition_names(
        &self,
        draft: &Draft,
        term: Option<TermId>,
        expected: &Expected<'_>,
        list: &mut List<'_>,
    ) {
        let mut found = Vec::new();
        self.term_names(draft.scope, |name, def, distance| {
            if let Some(class) = list.fits(name.as_str()) {
                found.push((class, distance, def));
            }
        });
        // Types are looked at for the best names only; a list of thousands helps nobody.
        // They come by name, and the sort is stable.
        found.sort_by_key(|(class, distance, _)| (*class, *distance));
        for (_, distance, def) in found.into_iter().take(2 * super::MOST_ITEMS) {
            if let Some(mut item) = self.definition_item(draft, term, def, expected) {
                item.rank += distance;
                list.push(item);
            }
        }
    }

    fn definition_item(
        &self,
        draft: &Draft,
        term: Option<TermId>,
        def: Def,
        expected: &Expected<'_>,
    ) -> Option<CompletionItem> {
        let db = self.db();
        let name = self.name_of(def)?;
        let kind = self.symbol_kind(def);
        let mut types;
        let mut is_unhandled = false;
        let (fit, ports, detail) = match def {
            Def::Operator(operator) => {
                let declared = signature(db, operator.0.scope, operator.0.name).as_ref();
                match declared {
                    Some(declared) => {
                        let detail = crate::text::of_signature(declared, |show| {
                            show.signature(&declared.computation)
                        });
                        types = declared.types.clone();
                        let ty = types.ty(TyKind::Computation(declared.computation.clone().into()));
                        let (fit, ports) = expected.judge(Typed::Signature(&types), ty);
                        let ability = types.row(declared.computation.ability);
                        is_unhandled = !can_perform(draft, term, ability);
                        let fit = match is_unhandled {
                            true => Fit::No,
                            false => fit,
                        };
                        (fit, ports, Some(detail))
                    }
                    None => (Fit::Maybe, None, None),
                }
            }
            Def::Constructor(constructor) => {
                let fields = constructor_arity(db, constructor)?;
                let same = match (expected.table, expected.ty) {
                    (Some(table), Some(ty)) => match table.kind(ty) {
                        TyKind::Data(data, _) if *data == constructor.data => Fit::Exact,
                        TyKind::Meta(_) | TyKind::Error => Fit::Maybe,
                        _ => Fit::No,
                    },
                    _ => Fit::Maybe,
                };
                let detail = crate::text::constructor(db, constructor);
                let fit = match expected.arguments {
                    Some(wanted) if wanted != fields => Fit::No,
                    _ => same,
                };
                (fit, (fields > 0).then_some(fields), Some(detail))
            }
            Def::Command(command) => {
                let declared = interface(db, command.interface.0.scope, command.interface.0.name);
                let declared = declared.as_ref()?;
                let own = declared.commands.get(command.index as usize)?;
                types = declared.types.clone();
                let ports = own.args.iter();
                let ports = ports.map(|ty| frank_analysis::types::Port {
                    adjustments: [].into(),
                    ty: *ty,
                });
                let ability = types.ability(Tail::Closed, [].into());
                let computation = Computation {
                    ports: ports.collect(),
                    ability,
                    result: own.result,
                };
                let ty = types.ty(TyKind::Computation(computation.into()));
                let row = term.and_then(|term| {
                    let ability = draft.body()?.ambient.get(term)?;
                    Some(draft.inference()?.table.row(*ability))
                });
                let own = |instance: &&Instance| instance.interface == command.interface;
                let active = row.as_ref().map(|row| row.instances.iter().rev().find(own));
                let (fit, ports) = match active {
                    Some(Some(active)) => {
                        expected.judge(Typed::Interface(&types, &active.args), ty)
                    }
                    // A command whose interface is not there would be an error.
                    Some(None) => {
                        is_unhandled = true;
                        (Fit::No, expected.judge(Typed::Signature(&types), ty).1)
                    }
                    None => expected.judge(Typed::Signature(&types), ty),
                };
                (fit, ports, Some(crate::text::command(db, command)))
            }
            _ => return None,
        };
        let detail = detail.map(|detail| crate::symbols::on_one_line(&detail));
        let (label, insert, snippet) = match ports {
            Some(0) if expected.arguments.is_none() && !matches!(def, Def::Constructor(_)) => {
                (format!("{name}!"), format!("{name}!"), false)
            }
            Some(_) if expected.argument && expected.arguments.is_none() => {
                (name.to_owned(), format!("({name} $0)"), true)
            }
            _ => (name.to_owned(), name.to_owned(), false),
        };
        Some(CompletionItem {
            label,
            kind: CompletionKind::Symbol(kind),
            detail,
            insert,
            snippet,
            // What can be written and does not fit may be a part of what will.
            rank: fit.rank() + 2 + if is_unhandled { UNHANDLED } else { 0 },
            documented: true,
        })
    }

    /// A computation in braces, where one is expected: with its variables, and with a clause for
    /// each constructor of its only argument.
    fn thunks(&self, draft: &Draft, expected: &Expected<'_>, list: &mut List<'_>) {
        let (Some(table), Some(ty)) = (expected.table, expected.ty) else {
            return;
        };
        let TyKind::Computation(computation) = table.kind(ty) else {
            return;
        };
        let handles = computation
            .ports
            .iter()
            .any(|port| !port.adjustments.is_empty());
        let detail = draft.ty_text(ty);
        if computation.ports.is_empty() {
            list.snippet("{…}".to_owned(), "{", &detail, "{$0}".to_owned(), 1);
            return;
        }
        if !handles {
            let names: Vec<String> = (1..=computation.ports.len())
                .map(|i| format!("${{{i}:x{i}}}"))
                .collect();
            let names = match &names[..] {
                [_] => vec!["${1:x}".to_owned()],
                _ => names,
            };
            let insert = format!("{{{} -> $0}}", names.join(" "));
            list.snippet("{x -> …}".to_owned(), "{", &detail, insert, 1);
        }
        if let [port] = &computation.ports[..]
            && !handles
            && let TyKind::Data(data, _) = table.kind(port.ty)
        {
            let clauses = self.constructor_clauses(draft.scope, *data);
            if !clauses.is_empty() {
                let label = format!("{{ all cases of {} }}", data.0.name);
                let insert = format!("{{ {} }}", clauses.join("\n  | "));
                list.snippet(label, "{", &detail, insert, 2);
            }
        }
        if let [port] = &computation.ports[..]
            && handles
        {
            let clauses = self.clauses_in_braces(draft, port, &Default::default(), true);
            let label = format!("{{ all {} clauses }}", clauses.len());
            let insert = format!("{{ {} }}", clauses.join("\n  | "));
            list.snippet(label, "{", &detail, insert, 1);
        }
    }
}
