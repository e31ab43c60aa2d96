use expect_test::{Expect, expect};

use super::fixture::Fixture;
use crate::Info;

/// What is known at the cursor, places as text.
fn check(fixture: &str, expected: Expect) {
    let fixture = Fixture::new(fixture);
    let info = fixture.analysis().info(fixture.cursor());
    let shown = info.map_or_else(|| "nothing\n".to_owned(), |info| shown(&fixture, &info));
    expected.assert_eq(&shown);
}

fn shown(fixture: &Fixture, info: &Info) -> String {
    let mut out: Vec<String> = info.types.clone();
    if let Some(stack) = &info.ability {
        for instance in &stack.instances {
            let active = if instance.active { " (active)" } else { "" };
            out.push(format!("{}{active}", instance.shown));
            out.extend(instance.origins.iter().map(|origin| {
                let at = origin.at.map(|at| format!(" at {}", fixture.place(at)));
                format!("  {}{}", origin.text, at.unwrap_or_default())
            }));
        }
        out.extend(stack.rest.clone());
    }
    if let Some(adaptor) = &info.adaptor {
        out.push(format!(
            "{}: {} | {}",
            adaptor.shown, adaptor.around, adaptor.under
        ));
    }
    out.extend(info.inside.as_ref().map(|name| format!("inside {name}")));
    out.push(String::new());
    out.join("\n")
}

const STATE: &str = "\
include prelude
state : S -> <State S>X -> X
state _ x = x
state s <get -> k> = state s (k s)
state _ <put s -> k> = state s (k unit)
";

#[test]
fn an_instance_is_traced_to_its_handler() {
    check(
        &format!("{STATE}main : {{Int}}\nmain! = state 1 (g$0et!; 2)\n"),
        expect![[r#"
            interface State S = get : S
            here : [State Int]Int
            State Int (active)
              handled by state at main.fk:7:9 `state`
            ε
            inside main
        "#]],
    );
}

#[test]
fn what_a_signature_brings_comes_from_callers() {
    check(
        &format!(
            "{STATE}tick : [State Int]Int\ntick! = $0get!\n\nmain : {{Int}}\nmain! = state 1 (tick!)\n"
        ),
        expect![[r#"
            interface State S = get : S
            here : [State Int]Int
            State Int (active)
              by the signature of tick, from its callers at main.fk:6:1 `tick`
              handled by state in main, possibly at main.fk:10:9 `state`
            ε
            inside tick
        "#]],
    );
}

#[test]
fn an_adaptor_in_front_is_told_with_both_sides() {
    check(
        "include ad-paper
f : X -> [Smooth X, Smooth (Dual X)] (Dual X)
f x = dual x (<Smooth> (ap0 ($0constE 1)))
",
        expect![[r#"
            constE Int : Nullary
            Smooth X (active)
              by the signature of f, from its callers at main.fk:2:1 `f`
            ε
            <Smooth>: Smooth (Dual X), then Smooth X; ε | Smooth X; ε
            inside f
        "#]],
    );
}

#[test]
fn where_nothing_has_a_type_the_operator_is_known() {
    check(
        "f$0 : Int -> Int\nf x = x\n",
        expect![[r#"
        f : Int -> Int
        inside f
    "#]],
    );
    check(
        "$0",
        expect![[r#"
        nothing
    "#]],
    );
}
