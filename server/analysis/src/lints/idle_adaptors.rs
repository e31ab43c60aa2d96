//! Adaptors that change nothing: they leave the instances as they are, or nothing under them performs a
//! command of their interface.

use frank_syntax::ast::{AdaptorExpr, NodeId, TermId, TermKind};
use text_size::TextSize;

use super::Checked;
use crate::db::{ItemSource, item, parsed};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::hypothesis::{Change, Hypothesis, Order};
use crate::infer::{Body, Resolved, infer_operator_if, infer_term_if};
use crate::performs::Performs;
use crate::program::{InterfaceDef, OperatorDef, TermDef};
use crate::show::show_adaptor;
use crate::types::Adaptor;

/// Reports the adaptors without which a use means the same.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    for (source, body) in &checked.inference.bodies {
        let item = item(checked.db, *source);
        let mut performs = Performs::new(checked.db, item, body);
        for (term, data) in item.terms.iter() {
            let TermKind::Adapted {
                adaptors,
                body: inner,
            } = &data.kind
            else {
                continue;
            };
            let resolved = body.adaptors.get(term).map_or(&[][..], Vec::as_slice);
            for index in idle(resolved, |interface| performs.never(*inner, interface)) {
                let (Some(expr), Some(adaptor)) = (adaptors.get(index), resolved.get(index)) else {
                    continue;
                };
                if can_go(checked, *source, term, index) {
                    let at = Location::node(*source, expr.id);
                    let fix = without_adaptor(checked, *source, term, adaptors, index, *inner);
                    let mut finding = idle_adaptor(at, adaptor);
                    finding = match exchanged(checked, *source, expr) {
                        // Nobody writes that on purpose: it is the order that is wrong.
                        Some((swapped, text)) => {
                            finding.undecided = true;
                            finding
                                .help(format!("or exchange the instances: `{text}`"))
                                .fix(swapped)
                                .fix(Fix { safe: false, ..fix })
                        }
                        None => finding.fix(fix),
                    };
                    // What is wrong in what is called may be why nothing is seen to need the adaptor.
                    finding.rests_on = called(body);
                    found.push(finding);
                }
            }
        }
    }
}

/// The operators that an item names.
fn called(body: &Body) -> Vec<OperatorDef> {
    let names = body.names.iter().filter_map(|(_, name)| match name {
        Resolved::Definition(TermDef::Operator(operator)) => Some(*operator),
        _ => None,
    });
    let mut called: Vec<OperatorDef> = Vec::new();
    for operator in names {
        if !called.contains(&operator) {
            called.push(operator);
        }
    }
    called
}

/// Whether everything is well without an adaptor that seems to do nothing.
fn can_go(checked: &Checked<'_>, source: ItemSource, term: TermId, index: usize) -> bool {
    let change = Change::Unadapt(index);
    let hypothesis = Some(Hypothesis {
        source,
        term,
        change,
    });
    let without = match checked.operator {
        Some(operator) => infer_operator_if(checked.db, operator, Order::default(), hypothesis),
        None => Some(infer_term_if(
            checked.db,
            checked.scope,
            source,
            Order::default(),
            hypothesis,
        )),
    };
    without.is_some_and(|without| without.is_sound())
}

/// The edit that takes an adaptor out of a use.
fn without_adaptor(
    checked: &Checked<'_>,
    source: ItemSource,
    term: TermId,
    adaptors: &[AdaptorExpr],
    index: usize,
    body: TermId,
) -> Fix {
    let item = item(checked.db, source);
    let text = source.text(checked.db);
    let map = &parsed(checked.db, source).source_map;
    let of = |node: NodeId| {
        let range = map.range(node);
        text.get(range.start().into()..range.end().into())
            .unwrap_or_default()
    };
    let others: Vec<&str> = adaptors
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != index)
        .map(|(_, adaptor)| of(adaptor.id))
        .collect();
    let at = item.terms[term].id;
    let new = if others.is_empty() {
        of(item.terms[body].id).to_owned()
    } else {
        // What follows the adaptors stays as it is, parentheses included.
        let after = map.range(adaptors.last().map_or(at, |last| last.id)).end();
        let rest = text
            .get(after.into()..map.range(at).end().into())
            .unwrap_or_default();
        format!("<{}{rest}", others.join(", "))
    };
    let title = "leave the adaptor out".to_owned();
    fixes::replace(Location::node(source, at), &new, title)
}

/// Of an adaptor that gives two instances or more as they are, the last two the other way round, and how that
/// is written.
fn exchanged(
    checked: &Checked<'_>,
    source: ItemSource,
    expr: &AdaptorExpr,
) -> Option<(Fix, String)> {
    let shape = expr.shape.as_ref()?;
    let [.., one, other] = &shape.right[..] else {
        return None;
    };
    if one.symbol == shape.rest.symbol {
        return None;
    }
    let place = |node| Location::node(source, node);
    let edit = |at, text: &str| Edit {
        location: place(at),
        position: Position::Replace,
        text: text.to_owned(),
    };
    let range = |node| place(node).in_item(checked.db);
    let whole = range(expr.id);
    let text = source.text(checked.db);
    let part = |start: TextSize, end: TextSize| text.get(start.into()..end.into());
    let written = format!(
        "<{}{}{}{}{}>",
        part(whole.start(), range(one.id).start())?,
        other.symbol,
        part(range(one.id).end(), range(other.id).start())?,
        one.symbol,
        part(range(other.id).end(), whole.end())?
    );
    let fix = Fix {
        title: format!("write `{written}`"),
        edits: vec![
            edit(one.id, other.symbol.as_str()),
            edit(other.id, one.symbol.as_str()),
        ],
        safe: false,
    };
    Some((fix, written))
}

/// The adaptors of one use that do nothing, by their positions.
fn idle(adaptors: &[Adaptor], mut never: impl FnMut(InterfaceDef) -> bool) -> Vec<usize> {
    let mut idle = Vec::new();
    for (index, adaptor) in adaptors.iter().enumerate() {
        let identity = !adaptor.drops_all
            && adaptor.kept.len() == adaptor.taken as usize
            && adaptor
                .kept
                .iter()
                .enumerate()
                .all(|(i, kept)| *kept == i as u32);
        if identity || never(adaptor.interface) {
            idle.push(index);
        }
    }
    idle
}

fn idle_adaptor(at: Location, adaptor: &Adaptor) -> Diagnostic {
    let name = adaptor.interface.0.name;
    let identity = adaptor.kept.len() == adaptor.taken as usize && !adaptor.kept.is_empty();
    let why = if identity {
        format!("it leaves the instances of `{name}` as they are")
    } else {
        format!("what runs under it performs no command of `{name}`")
    };
    Diagnostic::new(
        Code::IdleAdaptor,
        at,
        format!(
            "the adaptor `{}` changes nothing: {why}",
            show_adaptor(adaptor)
        ),
    )
    .help("leave it out")
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn an_adaptor_for_nothing_is_reported() {
        assert_eq!(
            found(
                Code::IdleAdaptor,
                "interface State S = get : S | put : S -> Unit\nf : [State Int] Int\nf! = <State(s a -> s a)> get!\n"
            ),
            ["State(s a -> s a)"]
        );
        assert_eq!(
            found(
                Code::IdleAdaptor,
                "interface State S = get : S | put : S -> Unit\ntwo : {Int}\ntwo! = 2\nf : [State Int] Int\nf! = <State> two!\n"
            ),
            ["State"]
        );
    }

    #[test]
    fn one_that_reaches_another_instance_is_not() {
        assert!(found(Code::IdleAdaptor, "interface State S = get : S | put : S -> Unit\nf : [State Int, State Int] Int\nf! = <State> get!\n").is_empty());
    }
}
