use expect_test::{Expect, expect};

use super::fixture::Fixture;

fn check(fixture: &str, expected: Expect) {
    let fixture = Fixture::new(fixture);
    let help = fixture.analysis().signature_help(fixture.cursor());
    let mut out = String::new();
    for call in help.map_or_else(Vec::new, |help| help.calls) {
        let mut label = call.label.clone();
        if let Some(port) = call.ports.get(call.active) {
            label.insert(usize::from(port.end()), '»');
            label.insert(usize::from(port.start()), '«');
        }
        out.push_str(&format!("{label} [{}]", call.active));
        if let Some(here) = &call.here {
            out.push_str(&format!(" here {here}"));
        }
        out.push('\n');
    }
    expected.assert_eq(&out);
}

const STATE: &str = "include prelude
state : S -> <State S>X -> X
state _ x = x
";

#[test]
fn the_port_at_the_cursor() {
    check(
        &format!("{STATE}main : {{Int}}\nmain! = state $01 2\n"),
        expect![[r#"
        state : «S» -> <State S>X -> X [0] here _ -> <State _>Int -> Int
    "#]],
    );
    check(
        &format!("{STATE}main : {{Int}}\nmain! = state 1 $0\n"),
        expect![[r#"
        state : S -> «<State S>X» -> X [1] here Int -> <State Int>Int -> Int
    "#]],
    );
    check(
        &format!("{STATE}main : {{Int}}\nmain! = state 1 (get! + $0)\n"),
        expect![[r#"
        state : S -> «<State S>X» -> X [1] here Int -> <State Int>Int -> Int
    "#]],
    );
    check(
        &format!("{STATE}main : {{Int}}\nmain! = state 1 (pair $0"),
        expect![[r#"
        pair «X» Y : Pair X Y [0]
        state : S -> «<State S>X» -> X [1] here Int -> <State Int>Int -> Int
    "#]],
    );
    check(
        &format!("{STATE}main : {{Int}}\nmain! = state (fst (pair 1 2$0)) 2\n"),
        expect![[r#"
        pair X «Y» : Pair X Y [1]
        fst : «Pair X Y» -> X [0] here Pair Int Int -> Int
        state : «S» -> <State S>X -> X [0] here Int -> <State Int>Int -> Int
    "#]],
    );
    check(
        &format!("{STATE}main : {{Int}}\nmain! = state 1 (put$0 2)\n"),
        expect![[r#"
        put : «Int» -> [State Int]Unit [0]
        state : S -> «<State S>X» -> X [1] here Int -> <State Int>Unit -> Unit
    "#]],
    );
    check(
        &format!("{STATE}main : {{Int}}\nmain! = state 1 (let x = put $0 in x)\n"),
        expect![[r#"
        put : «Int» -> [State Int]Unit [0]
        state : S -> «<State S>X» -> X [1] here Int -> <State Int>Unit -> Unit
    "#]],
    );
}

#[test]
fn locals_constructors_and_adapted_heads() {
    check(
        "f : {Int -> Char -> Int} -> Int\nf g = g 1 $0\n",
        expect![[r#"
        g : Int -> «Char» -> Int [1]
    "#]],
    );
    check(
        "data T X = mk X (T X) {X -> Int}\nf : {T Int}\nf! = mk 1 $0\n",
        expect![[r#"
        mk X «(T X)» {X -> Int} : T X [1]
    "#]],
    );
    check(
        "include ad\nf : X -> [Smooth X, Smooth (Dual X)](Dual X)\nf x = (<Smooth> p) x $0\n",
        expect![[r#"
        p : X -> «X» -> [Smooth X]X [1] here Dual X -> Dual X -> [Smooth X, Smooth (Dual X)]Dual X
    "#]],
    );
}

#[test]
fn nothing_where_nothing_is_called() {
    check("f : {Int}\nf! = $01\n", expect![[""]]);
    check("f : Int -> Int\nf x = x $0+ 1\n", expect![[""]]);
    check("-- f $0\nf : {Int}\n", expect![[""]]);
}
