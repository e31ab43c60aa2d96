use expect_test::{Expect, expect};
use text_size::TextRange;

use super::fixture::Fixture;
use crate::{HintSettings, Shown};

/// The text with its hints written into it, in guillemets.
fn check(settings: HintSettings, fixture: &str, expected: Expect) {
    let fixture = Fixture::new(fixture);
    let file = fixture.main();
    let mut text = fixture.files.text(file);
    let all = TextRange::up_to(text_size::TextSize::of(text.as_str()));
    for hint in fixture
        .analysis()
        .inlay_hints(file, all, settings)
        .into_iter()
        .rev()
    {
        let mark = if hint.insert.is_some() { "+" } else { "" };
        text.insert_str(usize::from(hint.at), &format!("«{mark}{}»", hint.text));
    }
    expected.assert_eq(&text);
}

const NESTED: &str = "include ad-paper
f : X -> [Smooth X, Smooth (Dual X)] (Dual X)
f x = dual x (<Smooth> (ap0 (constE 1)))
g : X -> [Smooth X, Smooth (Dual X)] (Dual X)
g x = ap0 (constE 1)
";

#[test]
fn what_can_mislead_is_shown_by_default() {
    check(
        HintSettings::default(),
        NESTED,
        expect![[r#"
        include ad-paper
        f : X -> [Smooth X, Smooth (Dual X)] (Dual X)
        f x = dual x (<Smooth> (ap0 (constE 1)))
        g : X -> [Smooth X, Smooth (Dual X)] (Dual X)
        g x = ap0«‹Smooth (Dual X)›» (constE 1)
    "#]],
    );
}

#[test]
fn types_of_variables() {
    let settings = HintSettings {
        let_types: Shown::Everywhere,
        parameter_types: Shown::Everywhere,
        ..HintSettings::NONE
    };
    check(
        settings,
        "include prelude
state : S -> <State S>X -> X
state s <get -> k> = let r = pair s 1 in state (fst r) (k s)
state _ <put s -> k> = state s (k unit)
state _ <m> = let f = {x y -> x} in let unit = m! in m!
f : List Int -> Int
f (x :: _) = case [x] {[y] -> y | zs -> 0}
",
        expect![[r#"
    include prelude
    state : S -> <State S>X -> X
    state s« : S» <get -> k« : {S -> [State S]X}»> = let r« : Pair S Int» = pair s 1 in state (fst r) (k s)
    state _ <put s« : S» -> k« : {Unit -> [State S]X}»> = state s (k unit)
    state _ <m« : {[State S]X}»> = let f« : {_ -> _ -> [_|]_}» = {x y -> x} in let unit = m! in m!
    f : List Int -> Int
    f (x« : Int» :: _) = case [x] {[y« : Int»] -> y | zs« : List Int» -> 0}
"#]],
    );
}

#[test]
fn abilities_and_effect_arguments() {
    let settings = HintSettings {
        implicit_abilities: true,
        effect_arguments: true,
        ..HintSettings::NONE
    };
    check(
        settings,
        "interface Co = fork : {[Co]Int} -> Int
data Job = job {Int -> (List Int)}
f : Job -> {Job} -> (List Job)
g : <Co>X -> [Co]X
",
        expect![[r#"
    interface Co = fork : {[Co«+ [ε|]»]Int} -> Int
    data Job = job {Int -> «+[ε|]»(List Int)}
    f : Job«+ [ε|]» -> {«+[ε|]»Job«+ [ε|]»} -> «+[ε|]»(List Job«+ [ε|]»)
    g : <Co«+ [ε|]»>X -> [Co«+ [ε|]»]X
"#]],
    );
}

#[test]
fn instances_that_are_added() {
    let settings = HintSettings {
        added_instances: Shown::Everywhere,
        ..HintSettings::NONE
    };
    check(
        settings,
        "include prelude
f : {Int}
f! = evalState 1 (evalState 'x' (<State> get!))
g : {<State(s a -> s a a)|>X -> [State Int]X}
g x = x
h : [State Int]Int
h! = g (get!)
",
        expect![[r#"
    include prelude
    f : {Int}
    f! = evalState 1 «<State Int> »(evalState 'x' «<State Char> »(<State> get!))
    g : {<State(s a -> s a a)|>X -> [State Int]X}
    g x = x
    h : [State Int]Int
    h! = g «<State(s a -> s a a)> »(get!)
"#]],
    );
}

#[test]
fn broken_items_have_hints_where_they_can() {
    check(
        HintSettings::ALL,
        "f : Int -> \nf x = let y = x in (\ng : Int -> Int\ng x = let y = x in (y",
        expect![[r#"
        f : Int -> 
        f x = let y = x in (
        g : Int -> «+[ε|]»Int
        g x« : Int» = let y« : Int» = x in (y"#]],
    );
}

#[test]
fn by_default_they_teach_and_repeat_nothing() {
    check(
        HintSettings::default(),
        "include ad
main : {Float}
main! = evaluate (d {x -> t x (d {y -> p (lift x) y} (c 1))} (c 1))

count : Int -> Int
count n = evalState n (let old = get! in let one = 1 in put (old + one); get!)

same : Int -> <State Int>X -> X
same n m = let f = {x -> x} in evalState n m

state : S -> <State S>X -> X
state _ x = x
state s <get -> k> = state s (k s)
",
        expect![[r#"
            include ad
            main : {Float}
            main! = evaluate «<Smooth Float> »(d {x« : Dual Float» -> t x (d {y« : Dual (Dual Float)» -> p (lift x) y} (c 1))} (c 1))

            count : Int -> Int
            count n = evalState n «<State Int> »(let old« : Int» = get! in let one = 1 in put (old + one); get!)

            same : Int -> <State Int>X -> X
            same n m = let f = {x -> x} in evalState n «<State Int> »m

            state : S -> <State S>X -> X
            state _ x = x
            state s <get -> k> = state s (k s)
        "#]],
    );
}
