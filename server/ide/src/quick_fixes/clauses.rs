//! Clauses that are missing altogether, or that nothing needs.

use frank_analysis::builtin;
use frank_analysis::declarations::{interface, sound_signature};
use frank_analysis::diagnostics::{At, Edit, Fix, Location, Position};
use frank_analysis::free_names::FreeNames;
use frank_analysis::program::{OperatorDef, TermDef, resolve_term};
use frank_analysis::surroundings::Surroundings;
use frank_syntax::ast::tree::{Node, for_each};
use frank_syntax::ast::{Clause, ItemKind, NodeId, PatternKind, TermKind};
use text_size::TextRange;

use super::{HOLE, replace};
use crate::tokens::words;
use crate::view::{View, size};
use frank_analysis::types::{Command, Interface, Port, Signature, TyKind, usual_names};

/// A clause that can never match goes.
pub(super) fn removed(view: View<'_>, place: TextRange) -> Option<Fix> {
    let item = view.item();
    if let ItemKind::Clause { name, clause } = &item.kind
        && view.range(name.id) == place
    {
        return Some(Fix {
            title: "remove the clause".to_owned(),
            edits: vec![item_removed(view)],
            safe: is_for_the_rest(view, clause),
        });
    }
    let mut found: Option<(TextRange, bool)> = None;
    for_each(item, |node| {
        let Node::Term(term) = node else { return };
        let TermKind::Thunk { clauses } = &item.terms[term].kind else {
            return;
        };
        let pointed = |clause: &Clause| match clause.patterns.first() {
            Some(pattern) => view.range(item.patterns[*pattern].id) == place,
            None => view.range(clause.id) == place,
        };
        // The first clause is always of use.
        for (one, next) in clauses.iter().zip(clauses.iter().skip(1)) {
            if pointed(next) {
                let body = |clause: &Clause| {
                    let range = view.range(item.terms[clause.body].id);
                    crate::refactor::with_parentheses(view.text(), range)
                };
                let end = |clause: &Clause| view.range(clause.id).cover(body(clause)).end();
                let range = TextRange::new(end(one), end(next));
                found = Some((range, is_for_the_rest(view, next)));
            }
        }
    });
    let (range, safe) = found?;
    Some(Fix {
        title: "remove the clause".to_owned(),
        edits: vec![replace(view.source, range, "")],
        safe,
    })
}

/// Whether a clause takes whatever the ones above it leave. Where nothing is left it is of no use; a
/// clause for something in particular may as well be right, and one above it wrong.
fn is_for_the_rest(view: View<'_>, clause: &Clause) -> bool {
    clause
        .patterns
        .iter()
        .all(|pattern| match &view.item().patterns[*pattern].kind {
            PatternKind::Name(name) => !matches!(
                resolve_term(view.db(), view.scope, name.symbol),
                Some(TermDef::Constructor(_))
            ),
            PatternKind::CatchAll(_) => true,
            _ => false,
        })
}

/// The edit that removes an item with the comment right above it.
fn item_removed(view: View<'_>) -> Edit {
    let text = view.text();
    let start = usize::from(view.range(view.item().id).start());
    let above = text.get(..start).unwrap_or_default();
    let from = match above.trim().is_empty() {
        true => 0,
        // What a blank line parts from the item is about something else.
        false => above.rfind("\n\n").map_or(0, |at| at + 1),
    };
    replace(
        view.source,
        TextRange::new(size(from), size(text.len())),
        "",
    )
}

/// An operator that nothing uses goes, with its signature and all clauses.
pub(super) fn operator_removed(view: View<'_>) -> Option<Fix> {
    let operator = view.operator()?;
    let items = operator.items(view.db());
    let all = items.signatures.iter().chain(&items.clauses);
    let edits = all.map(|source| item_removed(view.analysis.view(view.scope, *source)));
    Some(Fix {
        title: format!("remove `{}`", operator.0.name),
        edits: edits.collect(),
        safe: false,
    })
}

/// The clauses in braces that a finding about all of them stands for: at their first pattern, or at the
/// `case` that they are given to.
pub(super) fn in_braces(view: View<'_>, at: At) -> Option<Vec<TextRange>> {
    let At::Node(node) = at else { return None };
    let item = view.item();
    let around = Surroundings::new(item);
    let (_, clauses) = item
        .terms
        .iter()
        .filter_map(|(term, data)| match &data.kind {
            TermKind::Thunk { clauses } => Some((term, clauses)),
            _ => None,
        })
        .find(|(term, clauses)| {
            let first = clauses.first().and_then(|clause| clause.patterns.first());
            let call = around.argument_of(item, *term).map(|(call, _)| call);
            let head = call.and_then(|call| match &item.terms[call].kind {
                TermKind::Apply { head, .. } => Some(*head),
                _ => None,
            });
            first.is_some_and(|first| item.patterns[*first].id == node)
                || head.is_some_and(|head| item.terms[head].id == node)
        })?;
    let ranges = clauses
        .iter()
        .map(|clause| view.range(clause.id) + view.start);
    Some(ranges.collect())
}

/// What to write behind a signature that has no clauses: those of a handler where a port adds something to handle, and
/// a first clause.
pub(super) fn written(view: View<'_>) -> Vec<Fix> {
    let handler = handler(view);
    let why_not = match handler {
        Handler::TooMany(Some(count)) => format!(" alone: a handler has {count} clauses"),
        Handler::TooMany(None) => {
            " alone: a handler has more clauses than can be counted".to_owned()
        }
        Handler::None | Handler::Clauses(_) => String::new(),
    };
    let all = match handler {
        Handler::Clauses(clauses) => {
            let title = match clauses.len() {
                1 => "write the clause of the handler".to_owned(),
                count => format!("write the {count} clauses of the handler"),
            };
            Some(behind(view, &clauses, title))
        }
        Handler::None | Handler::TooMany(_) => None,
    };
    let first = first_clause(view).map(|clause| {
        let title = format!("write `{clause}`{why_not}");
        behind(view, &[clause], title)
    });
    all.into_iter().chain(first).collect()
}

/// Clauses behind the item.
fn behind(view: View<'_>, clauses: &[String], title: String) -> Fix {
    let lines = clauses.iter().map(|clause| format!("\n{clause}"));
    Fix {
        title,
        edits: vec![Edit {
            location: Location::node(view.source, NodeId(0)),
            position: Position::After,
            text: lines.collect(),
        }],
        safe: false,
    }
}

fn first_clause(view: View<'_>) -> Option<String> {
    let operator = view.operator()?;
    let name = operator.0.name;
    let signature = sound_signature(view.db(), operator.0.scope, name).as_ref()?;
    let mut names = free_names(view);
    let mut head = name.to_string();
    for port in &signature.computation.ports {
        head.push(' ');
        head.push_str(&names.next(view.db(), usual_names(signature.types.kind(port.ty))));
    }
    if signature.computation.ports.is_empty() {
        head.push('!');
    }
    Some(format!("{head} = {HOLE}"))
}

/// A command that a port adds, as a clause names it.
struct Handled<'a> {
    declared: &'a Interface,
    command: &'a Command,
    /// `.1` behind the name, where it is not the active instance.
    number: String,
}

/// So many clauses are written for an operator with several ports that handle.
const MOST_COMBINATIONS: usize = 128;

/// What an operator without clauses is given as a handler.
enum Handler {
    /// It is none.
    None,
    Clauses(Vec<String>),
    /// So many, if that can be counted.
    TooMany(Option<usize>),
}

/// A clause for each command that a port adds, which goes on under the same handler, and one for the values; where
/// several ports add some, one for each combination. What a command gives is a hole but where there is one value of its
/// type.
fn handler(view: View<'_>) -> Handler {
    let Some((operator, signature, handled)) = handled(view) else {
        return Handler::None;
    };
    let handling = handled.iter().filter(|commands| !commands.is_empty());
    let mut forms = handled.iter().map(|commands| commands.len() + 1);
    let count = forms.try_fold(1, usize::checked_mul);
    match handling.count() {
        0 => return Handler::None,
        1 => {}
        _ if count.is_none_or(|count| count > MOST_COMBINATIONS) => return Handler::TooMany(count),
        _ => {}
    }
    // For each port a command, or none where its argument is finished; that of all values is the last.
    let mut combinations: Vec<Vec<Option<&Handled<'_>>>> = vec![Vec::new()];
    for commands in &handled {
        let longer = combinations.iter().flat_map(|before| {
            let each = commands.iter().map(Some).chain([None]);
            each.map(move |one| before.iter().copied().chain([one]).collect())
        });
        combinations = longer.collect();
    }
    let clauses = combinations
        .iter()
        .map(|paused| clause_of(view, operator, signature, paused));
    Handler::Clauses(clauses.collect())
}

/// An operator with its signature and the commands that each of its ports adds.
fn handled(view: View<'_>) -> Option<(OperatorDef, &Signature, Vec<Vec<Handled<'_>>>)> {
    let operator = view.operator()?;
    let signature = sound_signature(view.db(), operator.0.scope, operator.0.name).as_ref()?;
    let ports = signature.computation.ports.iter();
    let handled: Option<Vec<_>> = ports.map(|port| commands_of(view, port)).collect();
    Some((operator, signature, handled?))
}

/// The commands that a port adds.
fn commands_of<'a>(view: View<'a>, port: &Port) -> Option<Vec<Handled<'a>>> {
    let mut found = Vec::new();
    for (instance, index) in port.numbered() {
        let owner = instance.interface.0;
        let declared = interface(view.db(), owner.scope, owner.name).as_ref()?;
        found.extend(declared.commands.iter().map(|command| Handled {
            declared,
            command,
            number: match index {
                0 => String::new(),
                index => format!(".{index}"),
            },
        }));
    }
    Some(found)
}

/// The clause for arguments of which these are paused at a command, and the others finished.
fn clause_of(
    view: View<'_>,
    operator: OperatorDef,
    signature: &Signature,
    paused: &[Option<&Handled<'_>>],
) -> String {
    let name = operator.0.name;
    let ports = &signature.computation.ports;
    let mut names = free_names(view);
    let values: Vec<Option<String>> = ports
        .iter()
        .zip(paused)
        .map(|(port, paused)| match paused {
            Some(_) => None,
            None => Some(names.next(view.db(), usual_names(signature.types.kind(port.ty)))),
        })
        .collect();
    let (mut patterns, mut arguments) = (String::new(), String::new());
    for (value, paused) in values.iter().zip(paused) {
        let Some(Handled {
            declared,
            command,
            number,
        }) = paused
        else {
            let value = value.as_deref().unwrap_or(HOLE);
            patterns.push_str(&format!(" {value}"));
            arguments.push_str(&format!(" {value}"));
            continue;
        };
        let args = command.args.iter().map(|ty| {
            let name = names.next(view.db(), usual_names(declared.types.kind(*ty)));
            format!(" {name}")
        });
        let args: String = args.collect();
        let k = names.next(view.db(), &["k"]);
        let given = match declared.types.kind(command.result) {
            TyKind::Data(data, _) if *data == builtin::unit(view.db()).data => "unit",
            _ => HOLE,
        };
        patterns.push_str(&format!(" <{}{number}{args} -> {k}>", command.name));
        arguments.push_str(&format!(" ({k} {given})"));
    }
    if paused.iter().any(Option::is_some) {
        return format!("{name}{patterns} = {name}{arguments}");
    }
    let result = signature.types.kind(signature.computation.result);
    let handling = ports.iter().position(|port| port.added().next().is_some());
    let given = handling.and_then(|at| {
        let same = signature.types.kind(ports.get(at)?.ty) == result;
        values.get(at)?.as_deref().filter(|_| same)
    });
    format!("{name}{patterns} = {}", given.unwrap_or(HOLE))
}

/// Names for the variables of a clause, which nothing in sight has.
fn free_names(view: View<'_>) -> FreeNames {
    let text = view.text();
    let taken = words(text);
    let taken = taken.iter().map(|word| word.text(text).to_owned());
    FreeNames::new(view.scope, taken)
}
