//! Which local each name reads. In what is shown, `x#0` binds the first local, or reads it.

use frank_analysis::db::parsed;
use frank_analysis::files::Files;
use frank_analysis::scopes::{LocalId, Scopes};
use frank_syntax::ast::{NodeId, TermKind};

const DECLARED: &str = "data Bit = off | on
interface Ask = ask : Int
";

/// The last item of a program with the numbers of its locals.
fn numbered(item: &str) -> String {
    let mut files = Files::new(None);
    let file = files.set_text("main.fk", &format!("{DECLARED}{item}\n"));
    let db = files.db();
    let source = file.outline(db).last().expect("an item").item;
    let parsed = parsed(db, source);
    let item = &parsed.item;
    let scopes = Scopes::new(db, file, item);
    let end = |node: NodeId| usize::from(parsed.source_map.range(node).end());
    let mut marks: Vec<(usize, LocalId)> = Vec::new();
    for (number, binder) in scopes.binders().iter().enumerate() {
        marks.push((end(binder.name.id), LocalId(number as u32)));
        let reads = scopes.reads_of(LocalId(number as u32));
        assert_eq!(reads.count() > 0, binder.is_used);
    }
    for (term, data) in item.terms.iter() {
        if let (TermKind::Name(name), Some(local)) = (&data.kind, scopes.read_by(term)) {
            assert_eq!(
                scopes.local_at(term, name.symbol).map(|seen| seen.name.id),
                scopes.binder(local).map(|binder| binder.name.id)
            );
            marks.push((end(name.id), local));
        }
    }
    marks.sort_by_key(|(at, _)| *at);
    let mut text = source.text(db).trim().to_owned();
    for (at, LocalId(number)) in marks.into_iter().rev() {
        text.insert_str(at, &format!("#{number}"));
    }
    text
}

#[test]
fn the_innermost_local_is_read() {
    assert_eq!(
        numbered("f x = g {x -> g x} x {g -> g x}"),
        "f x#0 = g {x#1 -> g x#1} x#0 {g#2 -> g#2 x#0}"
    );
}

#[test]
fn a_let_is_not_seen_by_what_it_binds() {
    assert_eq!(
        numbered("f x = let x = x in let y = x in y + x"),
        "f x#0 = let x#1 = x#0 in let y#2 = x#1 in y#2 + x#1"
    );
}

#[test]
fn constructors_and_wildcards_bind_nothing() {
    assert_eq!(
        numbered("f on (x :: _) = let off = x in let _ = on in g off x"),
        "f on (x#0 :: _) = let off = x#0 in let _ = on in g off x#0"
    );
}

#[test]
fn what_is_named_like_a_command_is_not_read() {
    assert_eq!(
        numbered("f ask = g ask {ask -> ask!}"),
        "f ask#0 = g ask {ask#1 -> ask!}"
    );
}

#[test]
fn continuations_and_computations_are_locals() {
    assert_eq!(
        numbered("f <ask -> k> = g {<m> -> k m!} {<tell x -> x> -> x}"),
        "f <ask -> k#0> = g {<m#1> -> k#0 m#1!} {<tell x#2 -> x#3> -> x#3}"
    );
}
