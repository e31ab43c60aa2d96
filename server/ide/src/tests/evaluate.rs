use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use expect_test::{Expect, expect};
use frank_interpreter::Limits;

use super::fixture::Fixture;
use crate::evaluate::{Number, Question};

/// What a lens says after the derivative of an operator of `main.fk` was evaluated at a point
/// (numbers with blanks between them; nothing lets the operator choose), or why it is not.
fn derivative(fixture: &Fixture, name: &str, at: &str) -> String {
    asked(fixture, name, at, Question::default())
}

/// The same for a question with more in it than a point.
fn asked(fixture: &Fixture, name: &str, at: &str, question: Question<'_>) -> String {
    let at = [at.to_owned()];
    let at = (!at[0].is_empty()).then_some(&at[..]);
    let question = Question { at, ..question };
    let plan = fixture
        .analysis()
        .derivative_plan(fixture.main(), name, &question);
    match plan {
        Ok(plan) => plan.run(&Limits::default(), |_, _| {}).label(false),
        Err(refusal) => format!("refused: {refusal}"),
    }
}

fn check(text: &str, name: &str, at: &str, expected: Expect) {
    expected.assert_eq(&derivative(&Fixture::new(text), name, at));
}

/// What a lens says after an entry of `main.fk` was run, or why it was not.
fn run(text: &str, name: &str, expected: Expect) {
    let fixture = Fixture::new(text);
    let said = match fixture.analysis().run_plan(fixture.main(), name) {
        Ok(plan) => {
            let limits = Limits {
                steps: Some(100_000),
                ..Limits::default()
            };
            plan.run(&limits, || {}).label(false)
        }
        Err(refusal) => format!("refused: {refusal}"),
    };
    expected.assert_eq(&said);
}

const CUBE: &str = "include ad-paper
f : X -> [Smooth X]X
f x = p (c 1) (p (t (t x x) x) (n (t (c 4) (c 4))))
";

#[test]
fn the_papers_program() {
    check(
        CUBE,
        "f",
        "2",
        expect![[r#"f 2 = -7 · ∂ = 12 (d, grad, gradc agree)"#]],
    );
    check(
        CUBE,
        "f",
        "-2",
        expect![[r#"f -2 = -23 · ∂ = 12 (d, grad, gradc agree)"#]],
    );
    check(
        CUBE,
        "f",
        "",
        expect![[r#"f 1 = -14 · ∂ = 3 (d, grad, gradc agree)"#]],
    );
}

#[test]
fn floats_print_as_frank_prints_them() {
    let text = "include ad
f : X -> [Smooth X]X
f x = sinS (expS x)
";
    check(
        text,
        "f",
        "0",
        expect![
            "f 0.0 = 0.8414709848078965 · ∂ = 0.5403023058681398 (d, grad, gradc, gradm agree)"
        ],
    );
    check(
        text,
        "f",
        "1.5e-3",
        expect![
            "f 0.0015 = 0.8422810980303168 · ∂ = 0.539847708522082 (d, grad, gradc, gradm agree)"
        ],
    );
}

#[test]
fn several_arguments_give_a_gradient() {
    let text = "include ad
f : X -> X -> X -> [Smooth X]X
f x y z = p (t x (t y y)) z
";
    check(
        text,
        "f",
        "2 3 4",
        expect!["f 2.0 3.0 4.0 = 22.0 · ∂ = [9.0, 12.0, 1.0] (d, grad, gradc, gradm agree)"],
    );
    check(
        text,
        "f",
        "2 3",
        expect![[r#"refused: `f` takes 3 numbers, and 2 are given"#]],
    );
}

/// An interface for sums and products with a handler for integers.
const OWN: &str = "
data Twin A = twin A A
interface Ring A = num : Int -> A | add : A -> A -> A | mul : A -> A -> A
compute : <Ring Int> B -> B
compute x = x
compute <num i -> k> = compute (k i)
compute <add x y -> k> = compute (k (x + y))
compute <mul x y -> k> = compute (k (x * y))
forwards : <Ring (Twin A)> B -> [Ring A]B
forwards x = x
forwards <num i -> k> = let r = twin (num i) (num 0) in forwards (k r)
forwards <add (twin x dx) (twin y dy) -> k> =
  let r = twin (add x y) (add dx dy) in forwards (k r)
forwards <mul (twin x dx) (twin y dy) -> k> =
  let r = twin (mul x y) (add (mul dx y) (mul x dy)) in forwards (k r)
second : Twin A -> A
second (twin _ x) = x
slope : {(Twin A) -> [Ring A, Ring (Twin A)](Twin A)} -> A -> [Ring A]A
slope g x = second (forwards (g (twin x (<Ring> (num 1)))))
";

#[test]
fn roles_are_found_by_types_under_any_name() {
    let text =
        format!("{OWN}poly : A -> A -> [Ring A]A\npoly x y = add (num 7) (mul x (mul x y))\n");
    check(
        &text,
        "poly",
        "3 5",
        expect![
            "poly 3 5 = 52 · no ∂ (slope: it has several variables, and nothing in scope makes constants)"
        ],
    );
}

#[test]
fn gradients_need_a_way_to_make_constants() {
    let text = format!(
        "{OWN}fixed : Int -> [Ring A]A
fixed i = num i
poly : A -> A -> [Ring A]A
poly x y = add (num 7) (mul x (mul x y))
"
    );
    check(
        &text,
        "poly",
        "3 5",
        expect!["poly 3 5 = 52 · ∂ = [30, 9] (slope)"],
    );
}

#[test]
fn operators_that_disagree_are_reported() {
    let text = format!(
        "{CUBE}
wrong : {{(Dual X) -> [Smooth X, Smooth (Dual X)](Dual X)}} -> X -> [Smooth X]X
wrong g x = p (c 1) (d g x)
"
    );
    check(
        &text,
        "f",
        "2",
        expect!["f 2 = -7 · ∂ disagree: wrong = 13, d = 12, grad = 12, gradc = 12"],
    );
    let fixture = Fixture::new(&text);
    let plan = fixture
        .analysis()
        .derivative_plan(fixture.main(), "f", &Question::default())
        .expect("a plan");
    assert!(plan.run(&Limits::default(), |_, _| {}).disagrees());
}

#[test]
fn rounding_is_no_disagreement() {
    let text = "include ad
f : X -> [Smooth X]X
f x = divide (sinS (t x x)) (p (expS x) (c 3))
";
    let fixture = Fixture::new(text);
    let at = ["0.7".to_owned()];
    let plan = fixture.analysis().derivative_plan(
        fixture.main(),
        "f",
        &Question {
            at: Some(&at),
            ..Question::default()
        },
    );
    assert!(
        !plan
            .expect("a plan")
            .run(&Limits::default(), |_, _| {})
            .disagrees()
    );
}

#[test]
fn points_come_from_comments_and_from_the_last_time() {
    let text = "include ad-paper
-- Grows fast.
-- | at 3
f : X -> [Smooth X]X
f x = t x x
g : X -> X -> [Smooth X]X
g x y = t x y
";
    check(
        text,
        "f",
        "",
        expect![[r#"f 3 = 9 · ∂ = 6 (d, grad, gradc agree)"#]],
    );
    let fixture = Fixture::new(text);
    let last = ["4".to_owned(), "5".to_owned()];
    let said = |name: &str| {
        let plan = fixture.analysis().derivative_plan(
            fixture.main(),
            name,
            &Question {
                last: Some(&last),
                ..Question::default()
            },
        );
        plan.expect("a plan")
            .run(&Limits::default(), |_, _| {})
            .label(true)
    };
    expect![[r#"g 4 5 = 20 · ∂ = [5, 4] (d, grad, gradc agree) (stale)"#]].assert_eq(&said("g"));
    let smooth = fixture
        .analysis()
        .smooth_operator(fixture.main(), "f")
        .expect("smooth");
    assert_eq!(smooth.point, Some(vec!["3".to_owned()]));
    assert_eq!((smooth.arity, smooth.number), (1, Number::Int));
    assert_eq!(smooth.derivatives, ["d", "grad", "gradc"]);
}

#[test]
fn smooth_operators_of_a_file() {
    let text = "include ad
a : X -> [Smooth X]X
a x = x
b : X -> Y -> [Smooth X]X
b x y = x
e : X -> [Smooth Y]X
e x = x
g : Float -> [Smooth X]X
g x = c x
h : {X -> [Smooth X]X}
h x = x
i : List X -> [Smooth X]X
i x = c 1
j : X -> [Smooth X, Smooth (Dual X)]X
j x = x
k : X -> [Console, Smooth X]X
k x = ouint 1; x
";
    let fixture = Fixture::new(text);
    let analysis = fixture.analysis();
    let names: Vec<String> = ["a", "b", "e", "g", "h", "i", "j", "k"]
        .iter()
        .filter_map(|name| analysis.smooth_operator(fixture.main(), name))
        .map(|operator| format!("{} {}", operator.name, operator.arity))
        .collect();
    assert_eq!(names, ["a 1", "h 1", "i 1", "k 1"]);
}

#[test]
fn what_cannot_be_evaluated_is_refused_with_the_reason() {
    let text = "include ad
interface Ask = ask : Float
a : X -> [Console, Smooth X]X
a x = ouint 1; x
b : X -> [Ask, Smooth X]X
b x = t x (c ask!)
e : X -> [Smooth X]X
e x = t x nothing
f : X -> [Smooth X]X
f x = e x
g : X -> X
g x = x
h : X -> [Smooth X]X
i : X -> [Smooth X]X
i x = p x x
";
    check(
        text,
        "a",
        "",
        expect!["refused: `a` cannot be evaluated: it uses the `Console`"],
    );
    check(
        text,
        "b",
        "",
        expect!["refused: `b` cannot be evaluated: it needs `Ask`, which nobody handles"],
    );
    check(
        text,
        "e",
        "",
        expect!["refused: `e` has errors: this has type `Maybe _`, but `X` is needed"],
    );
    check(
        text,
        "f",
        "",
        expect!["refused: `f` cannot be evaluated: `e`, which it needs, has errors"],
    );
    check(
        text,
        "g",
        "",
        expect![
            "refused: `g` has no derivative: it asks for no smooth operations on its numbers, as `X -> [Smooth X] X` does; it is `g : X -> X`"
        ],
    );
    check(text, "h", "", expect!["refused: `h` has no clauses"]);
    check(text, "i", "one", expect!["refused: `one` is no number"]);
    check(
        text,
        "nobody",
        "",
        expect!["refused: there is no operator `nobody`"],
    );
    let paper = "include ad-paper\nf : X -> [Smooth X]X\nf x = x\n";
    check(
        paper,
        "f",
        "1.5",
        expect!["refused: the derivative is computed on `Int`, and `1.5` is no integer"],
    );
}

#[test]
fn what_lacks_a_tool_is_refused_with_the_reason() {
    let smooth = "interface Smooth X = half : X -> X\nf : X -> [Smooth X]X\nf x = half x\n";
    check(
        smooth,
        "f",
        "",
        expect![
            "refused: nothing in scope evaluates `Smooth`: a handler such as `evaluate : <Smooth Float>X -> X` would"
        ],
    );
    let text = format!(
        "{smooth}value : <Smooth Int>X -> X\nvalue x = x\nvalue <half x -> k> = value (k (x / 2))\n"
    );
    check(
        &text,
        "f",
        "8",
        expect![
            "refused: there is no derivative operator for `Smooth` in scope: one has a type such as `{D X -> [Smooth X, Smooth (D X)] (D X)} -> X -> [Smooth X] X`"
        ],
    );
}

#[test]
fn limits_say_where_it_stopped() {
    let text = "include ad-paper
loop : X -> [Smooth X]X
loop x = loop (t x x)
one : X -> [Smooth X]X
one x = loop (c 1)
";
    let fixture = Fixture::new(text);
    let plan = fixture
        .analysis()
        .derivative_plan(fixture.main(), "one", &Question::default())
        .expect("a plan");
    let limits = Limits {
        steps: Some(10_000),
        ..Limits::default()
    };
    let result = plan.run(&limits, |_, _| {});
    expect!["one 1: the step limit is reached after 10000 steps, in `loop`"]
        .assert_eq(&result.label(false));
    let failure = result.value.expect_err("it does not end");
    assert!(failure.limit);
    let (path, range) = failure.place.expect("a place");
    let range = range.start as usize..range.end as usize;
    assert_eq!(path, "main.fk");
    assert_eq!(&fixture.files.text(fixture.main())[range], "loop (t x x)");
}

#[test]
fn failures_in_the_library_are_shown_at_the_call_in_the_program() {
    let text = "include ad
one : X -> [Smooth X]X
one x = directional {xs -> sumS xs} [x, x] [x]
";
    let fixture = Fixture::new(text);
    let plan = fixture
        .analysis()
        .derivative_plan(fixture.main(), "one", &Question::default())
        .expect("a plan");
    let result = plan.run(&Limits::default(), |_, _| {});
    let failure = result.value.expect_err("the lists differ");
    assert_eq!(
        failure.message,
        "`directional`: the direction must have as many numbers as the point: 2, not 1"
    );
    let (path, range) = failure.place.expect("a place");
    let range = range.start as usize..range.end as usize;
    assert_eq!(path, "main.fk");
    assert_eq!(
        &fixture.files.text(fixture.main())[range],
        "directional {xs -> sumS xs} [x, x] [x]"
    );
}

#[test]
fn evaluating_can_be_cancelled() {
    let text = "include ad-paper\nloop : X -> [Smooth X]X\nloop x = loop x\n";
    let fixture = Fixture::new(text);
    let plan = fixture
        .analysis()
        .derivative_plan(fixture.main(), "loop", &Question::default())
        .expect("a plan");
    let limits = Limits {
        cancelled: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    let result = plan.run(&limits, |_, _| {});
    expect!["loop 1: the run was interrupted after 0 steps"].assert_eq(&result.label(false));
}

#[test]
fn progress_is_reported() {
    let fixture = Fixture::new(CUBE);
    let plan = fixture
        .analysis()
        .derivative_plan(fixture.main(), "f", &Question::default())
        .expect("a plan");
    let mut seen = Vec::new();
    plan.run(&Limits::default(), |done, total| seen.push((done, total)));
    seen.dedup();
    assert_eq!(seen, [(0, 4), (1, 4), (2, 4), (3, 4)]);
}

#[test]
fn applications_that_stand_in_a_program() {
    let text = "include ad
sq : X -> [Smooth X]X
sq x = t x x
main : {Float}
main! = let y = 3 in evaluate (p (d {x -> t x x} (c 2)) (grad sq 5))
gradOf : X -> [RefState, Smooth X]X
gradOf y = grad {x -> t x (liftr y)} (c 1)
nested : {Float}
nested! = evaluate (d {x -> t x (d {y -> p (lift x) y} (c 1))} (c 1))
";
    let fixture = Fixture::new(text);
    let analysis = fixture.analysis();
    let said: Vec<String> = analysis
        .closed_derivatives(fixture.main())
        .into_iter()
        .map(|closed| {
            let written =
                &fixture.files.text(fixture.main())[std::ops::Range::<usize>::from(closed.range)];
            let said = match analysis.closed_plan(&closed, &Question::default()) {
                Ok(plan) => plan.run(&Limits::default(), |_, _| {}).label(false),
                Err(refusal) => format!("refused: {refusal}"),
            };
            format!("{} {}: {written}\n  {said}\n", closed.inside, closed.index)
        })
        .collect();
    expect![[r#"
        main 0: d {x -> t x x} (c 2)
          {x -> t x x} 2.0 = 4.0 · ∂ = 4.0 (d, grad, gradc, gradm agree)
        main 1: grad sq 5
          sq 5 = 25.0 · ∂ = 10.0 (d, grad, gradc, gradm agree)
        nested 0: d {x -> t x (d {y -> p (lift x) y} (c 1))} (c 1)
          {x -> t x (d {y -> p (lift x) y} (c 1))} 1.0 = 1.0 · ∂ = 1.0 (d, grad, gradc, gradm agree)
    "#]]
    .assert_eq(&said.concat());
}

#[test]
fn a_users_own_variables_are_not_captured() {
    let text = "include ad
x : Float
y : {Float}
x! = 1.5
y! = 2.5
f : X -> X -> [Smooth X]X
f a b = t a (p b (c y!))
";
    check(
        text,
        "f",
        "2 3",
        expect!["f 2.0 3.0 = 11.0 · ∂ = [5.5, 2.0] (d, grad, gradc, gradm agree)"],
    );
}

#[test]
fn entries_run() {
    let text = "include prelude
main : [Console]Int
main! = printLine \"hello\"; 6 * 7
quiet : {List Int}
quiet! = [1, 2]
asks : [State Int]Int
asks! = get!
takes : Int -> Int
takes x = x
loop : {Int}
loop! = loop!
zero : {Int}
zero! = 1 / (1 - 1)
broken : {Int}
broken! = nothing 1 2
uses : {Int}
uses! = broken!
reads : [Console]Char
reads! = inch!
";
    run(text, "main", expect![[r#"main = 42 · prints "hello""#]]);
    run(text, "quiet", expect!["quiet = [1, 2]"]);
    run(
        text,
        "asks",
        expect!["refused: `asks` needs `State`, which nobody handles"],
    );
    run(
        text,
        "takes",
        expect!["refused: `takes` takes arguments, so it cannot run by itself"],
    );
    run(
        text,
        "loop",
        expect!["loop: the step limit is reached after 100000 steps, in `loop`"],
    );
    run(text, "zero", expect!["zero: division by zero in `1 / 0`"]);
    run(
        text,
        "broken",
        expect![
            "refused: `broken` has errors: the constructor `nothing` takes no arguments, but 2 are given"
        ],
    );
    run(
        text,
        "uses",
        expect!["refused: `broken`, which it needs, has errors"],
    );
    run(
        text,
        "reads",
        expect!["reads: `inch` at the end of the input"],
    );
}

#[test]
fn results_are_stale_when_what_they_depend_on_changes() {
    let text = "include ad-paper
half : X -> [Smooth X]X
half x = t x x
f : X -> [Smooth X]X
f x = half (half x)
other : {Int}
other! = 1
main : {Int}
main! = evaluate (f 2)
";
    let mut fixture = Fixture::new(text);
    let file = fixture.main();
    let stamps = |fixture: &Fixture| {
        let analysis = fixture.analysis();
        (
            analysis.derivative_stamp(file, "f"),
            analysis.run_stamp(file, "main"),
        )
    };
    let mut change = |from: &str, to: &str| {
        let before = stamps(&fixture);
        let text = fixture.files.text(file);
        let at = text.find(from).expect("the text");
        let new = text.replacen(from, to, 1);
        fixture
            .files
            .edit(file, new.as_str(), at..at + from.len(), to.len());
        let after = stamps(&fixture);
        (before.0 != after.0, before.1 != after.1)
    };
    assert_eq!(change("other! = 1", "other! = 2"), (false, false));
    assert_eq!(
        change("\nf x =", "\n-- A comment.\nf   x ="),
        (false, false)
    );
    assert_eq!(change("other : {Int}\nother! = 2\n", ""), (false, false));
    assert_eq!(change("half x = t x x", "half x = p x x"), (true, true));
    assert_eq!(change("(f 2)", "(f 3)"), (false, true));
    let tool = "wrong : {(Dual X) -> [Smooth X, Smooth (Dual X)](Dual X)} -> X -> [Smooth X]X\nwrong g x = x\n";
    assert_eq!(
        change("half : X", &format!("{tool}half : X")),
        (true, false)
    );
    assert_eq!(change("wrong g x = x", "wrong g x = p x x"), (true, false));
    // Now another operator has the name.
    assert!(change("half : X", "p : X -> X -> [Smooth X]X\np x y = x\nhalf : X").0);
}

/// The same with second derivatives and finite differences.
fn check_all(text: &str, name: &str, at: &str, expected: Expect) {
    let question = Question {
        second: true,
        check: true,
        ..Question::default()
    };
    expected.assert_eq(&asked(&Fixture::new(text), name, at, question));
}

/// Two derivative operators keep what is expected short.
const TWO: &str = "include ad
gradc : {Unit}
gradc! = unit
gradm : {Unit}
gradm! = unit
";

const DATA: &str = "include ad
gradc : {Unit}
gradc! = unit
gradm : {Unit}
gradm! = unit
sumSquares : List X -> [Smooth X] X
sumSquares xs = dot xs xs
area : Pair X X -> [Smooth X] X
area (pair w h) = t w h
scaled : X -> List X -> [Smooth X] (List X)
scaled k xs = map {x -> t k x} xs
data Model X = model X (List (Pair X X))
loss : Model X -> Bool -> [Smooth X] X
loss (model k ps) twice =
  p k (sumS (map {z -> if twice {t (c 2) (t (fst z) (snd z))} {snd z}} ps))
power : Int -> Float -> X -> [Smooth X] X
power n k x = t (c k) (powi x n)
named : String -> List Float -> X -> [Smooth X] X
named s ks x = case s {\"sin\" -> sinS x | _ -> t (c (nth 1 ks 7.0)) x}
nth : Int -> List Float -> Float -> Float
nth _ [] k = k
nth 0 (k :: _) _ = k
nth n (_ :: ks) k = nth (n - 1) ks k
";

#[test]
fn lists_and_records_are_differentiated() {
    check(
        DATA,
        "sumSquares",
        "[1, 2, 3]",
        expect!["sumSquares [1.0, 2.0, 3.0] = 14.0 · ∂ = [2.0, 4.0, 6.0] (d, grad agree)"],
    );
    check(
        DATA,
        "sumSquares",
        "",
        expect!["sumSquares [1.0, 1.0] = 2.0 · ∂ = [2.0, 2.0] (d, grad agree)"],
    );
    check(
        DATA,
        "sumSquares",
        "[]",
        expect![
            "refused: there is no number at that point for `sumSquares` to be differentiated in"
        ],
    );
    check(
        DATA,
        "area",
        "pair 2 -3",
        expect!["area (pair 2.0 -3.0) = -6.0 · ∂ = pair -3.0 2.0 (d, grad agree)"],
    );
    check(
        DATA,
        "area",
        "(pair 2 (-3))",
        expect!["area (pair 2.0 -3.0) = -6.0 · ∂ = pair -3.0 2.0 (d, grad agree)"],
    );
    check(
        DATA,
        "scaled",
        "2 [3, 4]",
        expect![
            "scaled 2.0 [3.0, 4.0] = [6.0, 8.0] · ∂ = [[3.0, [2.0, 0.0]], [4.0, [0.0, 2.0]]] (d, grad agree)"
        ],
    );
    check(
        DATA,
        "loss",
        "model 1 [pair 2 3, pair 4 5] true",
        expect![
            "loss (model 1.0 [pair 2.0 3.0, pair 4.0 5.0]) true = 53.0 · ∂ = model 1.0 [pair 6.0 4.0, pair 10.0 8.0] (d, grad agree)"
        ],
    );
    check(
        DATA,
        "loss",
        "(model 1 [(pair 2 3), pair 4 5]), false",
        expect![
            "loss (model 1.0 [pair 2.0 3.0, pair 4.0 5.0]) false = 9.0 · ∂ = model 1.0 [pair 0.0 1.0, pair 0.0 1.0] (d, grad agree)"
        ],
    );
}

#[test]
fn what_has_no_variable_is_held_fixed() {
    check(
        DATA,
        "power",
        "3 0.5 2",
        expect!["power 3 0.5 2.0 = 4.0 · ∂ = 6.0 (d, grad agree)"],
    );
    check(
        DATA,
        "power",
        "-1 -0.5 2",
        expect!["power (-1) (-0.5) 2.0 = -0.25 · ∂ = 0.125 (d, grad agree)"],
    );
    check(
        DATA,
        "power",
        "2 inf 2",
        expect!["power 2 (1.0 / 0.0) 2.0 = inf · ∂ = inf (d, grad agree)"],
    );
    check(
        DATA,
        "power",
        "",
        expect!["power 1 1 1.0 = 1.0 · ∂ = 1.0 (d, grad agree)"],
    );
    check(
        DATA,
        "named",
        "\"sin\" [] 0",
        expect![[r#"named "sin" [] 0.0 = 0.0 · ∂ = 1.0 (d, grad agree)"#]],
    );
    check(
        DATA,
        "named",
        "\"other, (thing\" (map toFloat (range 1 5)) 3",
        expect![[
            r#"named "other, (thing" (map toFloat (range 1 5)) 3.0 = 6.0 · ∂ = 2.0 (d, grad agree)"#
        ]],
    );
    check(
        DATA,
        "power",
        "true 2 2",
        expect!["refused: `power` cannot be evaluated: this has type `Bool`, but `Int` is needed"],
    );
}

#[test]
fn points_that_do_not_fit_are_refused() {
    check(
        DATA,
        "sumSquares",
        "1",
        expect!["refused: `1` stands where a list such as `[1, 2]` is needed"],
    );
    check(
        DATA,
        "sumSquares",
        "[1, 2",
        expect!["refused: `]` is needed, where the end stands"],
    );
    check(
        DATA,
        "sumSquares",
        "[1, two]",
        expect!["refused: `two` is no number"],
    );
    check(
        DATA,
        "area",
        "1 2",
        expect!["refused: `1` stands where `pair` with 2 arguments is needed"],
    );
    check(
        DATA,
        "area",
        "pair 1",
        expect!["refused: the end stands where a number is needed"],
    );
    check(
        DATA,
        "scaled",
        "1",
        expect!["refused: `scaled` takes 2 arguments, and 1 is given"],
    );
    check(
        DATA,
        "scaled",
        "1 [2] 3",
        expect!["refused: `scaled` takes 2 arguments, and 3 are given"],
    );
    check(
        DATA,
        "named",
        "",
        expect![[
            r#"refused: `named` takes arguments that only you can choose: say at which point, as in `-- | at 2 "text"` above it"#
        ]],
    );
    check(
        DATA,
        "named",
        "\"open",
        expect![[r#"refused: a `"` in `"open` is not closed"#]],
    );
    check(
        DATA,
        "power",
        "",
        expect!["power 1 1 1.0 = 1.0 · ∂ = 1.0 (d, grad agree)"],
    );
}

#[test]
fn second_derivatives() {
    let text = format!(
        "{TWO}f : X -> X -> [Smooth X] X
f x y = t (t x x) (sinS y)
g : X -> [Smooth X] X
g x = expS (t (c 2) x)
h : List X -> [Smooth X] (Pair X X)
h [x, y] = pair (t x y) (powi x 3)
"
    );
    check_all(
        &text,
        "g",
        "0",
        expect![
            "g 0.0 = 1.0 · ∂ = 2.0 (d, grad agree) · ∂² = 4.0 (d of d, grad of d, d of grad, grad of grad agree) · differences agree"
        ],
    );
    check_all(
        &text,
        "f",
        "2 1",
        expect![
            "f 2.0 1.0 = 3.365883939231586 · ∂ = [3.365883939231586, 2.161209223472559] (d, grad agree) · ∂² = [[1.682941969615793, 2.161209223472559], [2.161209223472559, -3.365883939231586]] (d of d, grad of d, d of grad, grad of grad agree) · differences agree"
        ],
    );
    check_all(
        &text,
        "h",
        "[2, 3]",
        expect![
            "h [2.0, 3.0] = pair 6.0 8.0 · ∂ = pair [3.0, 2.0] [12.0, 0.0] (d, grad agree) · ∂² = pair [[0.0, 1.0], [1.0, 0.0]] [[12.0, 0.0], [0.0, 0.0]] (d of d, grad of d, d of grad, grad of grad agree) · differences agree"
        ],
    );
    check_all(
        "include ad-paper
f : X -> X -> [Smooth X] X
f x y = t (t x x) (t x y)
",
        "f",
        "2 3",
        expect![
            "f 2 3 = 24 · ∂ = [36, 8] (d, grad, gradc agree) · ∂² = [[36, 12], [12, 0]] (d of d, grad of d, gradc of d agree) · differences agree"
        ],
    );
}

#[test]
fn differences_find_what_all_operators_do_wrong() {
    let own = OWN.replace("add (mul dx y) (mul x dy)", "add (mul dx y) (mul x dx)");
    let text = format!("{own}poly : A -> [Ring A]A\npoly x = mul (mul x x) x\n");
    let question = Question {
        check: true,
        ..Question::default()
    };
    expect!["poly 3 = 27 · ∂ = 72 (slope) · differences disagree with ∂/∂x = 72 (slope)"]
        .assert_eq(&asked(&Fixture::new(&text), "poly", "3", question));
}

#[test]
fn differences_know_what_they_cannot_tell() {
    let text = format!(
        "{TWO}kink : X -> [Smooth X] X
kink x = p (absS x) x
root : X -> [Smooth X] X
root x = sqrtS x
jump : X -> [Smooth X] X
jump x = t (step x) (c 3)
near : X -> [Smooth X] X
near x = p (absS (minus x (c 1.001))) (logS x)
flat : X -> [Smooth X] X
flat x = powi x 4
wave : X -> [Smooth X] X
wave x = sinS (t (c 1000) x)
least : X -> [Smooth X] X
least x = minS x (c 2)
tiny : X -> [Smooth X] X
tiny x = t (c 1.0e-20) (sinS x)
step : X -> [Smooth X] X
step x = p (c 0.5) (t (c 0.5) (divide (absS x) x))
"
    );
    let question = Question {
        check: true,
        ..Question::default()
    };
    let mut said = String::new();
    for (name, at) in [
        ("kink", "0"),
        ("kink", "1e-6"),
        ("root", "0"),
        ("root", "1e-12"),
        ("root", "-1"),
        ("near", "1"),
        ("near", "1.001"),
        ("near", "1e-9"),
        ("flat", "0"),
        ("wave", "0"),
        ("wave", "1e6"),
        ("tiny", "1"),
        ("least", "2"),
        ("kink", "nan"),
        ("kink", "inf"),
        ("kink", "-inf"),
    ] {
        said += &asked(&Fixture::new(&text), name, at, question);
        said.push('\n');
    }
    expect![[r#"
        kink 0.0 = 0.0 · ∂ = 1.0 (d, grad agree) · differences cannot tell: it has a kink or a jump at the point
        kink 1e-6 = 2e-6 · ∂ = 2.0 (d, grad agree) · differences agree
        root 0.0 = 0.0 · ∂ = inf (d, grad agree) · differences cannot tell: it has no values on both sides of the point
        root 1e-12 = 1e-6 · ∂ = 500000.0 (d, grad agree) · differences agree
        root -1.0 = nan · ∂ = nan (d, grad agree) · differences cannot tell: the value is not finite
        near 1.0 = 0.0009999999999998899 · ∂ = 0.0 (d, grad agree) · differences agree
        near 1.001 = 0.0009995003330834232 · ∂ = 0.9990009990009991 (d, grad agree) · differences cannot tell: it has a kink or a jump at the point
        near 1e-9 = -19.72226583794641 · ∂ = 999999998.9999999 (d, grad agree) · differences agree
        flat 0.0 = 0.0 · ∂ = 0.0 (d, grad agree) · differences agree
        wave 0.0 = 0.0 · ∂ = 1000.0 (d, grad agree) · differences agree
        wave 1000000.0 = 0.5458434494486996 · ∂ = 837.8871813639024 (d, grad agree) · differences agree
        tiny 1.0 = 8.414709848078965e-21 · ∂ = 5.4030230586813976e-21 (d, grad agree) · differences agree
        least 2.0 = 2.0 · ∂ = 0.5 (d, grad agree) · differences cannot tell: it has a kink or a jump at the point
        kink nan = nan · ∂ = nan (d, grad agree) · differences cannot tell: the point is not finite
        kink inf = inf · ∂ = 2.0 (d, grad agree) · differences cannot tell: the point is not finite
        kink -inf = nan · ∂ = 0.0 (d, grad agree) · differences cannot tell: the point is not finite
    "#]].assert_eq(&said);
}

#[test]
fn differences_count_with_the_rounding_of_the_argument() {
    let tool = "wrong : {(Dual X) -> [Smooth X, Smooth (Dual X)](Dual X)} -> X -> [Smooth X]X
wrong g x = t (c 1.0001) (d g x)
";
    let text = format!(
        "{TWO}steep : X -> [Smooth X] X
steep x = sinS (t (c 1.0e9) x)
steeper : X -> [Smooth X] X
steeper x = sinS (t (c 1.0e15) x)
small : X -> [Smooth X] X
small x = t (c 1.0e-300) (sinS x)
least : X -> [Smooth X] X
least x = t (c 1.0e-318) (sinS x)
none : X -> [Smooth X] X
none x = t (c 0) x
far : X -> [Smooth X] X
far x = minus (p x (c 1.0e9)) (c 1.0e9)
square : X -> [Smooth X] X
square x = t x x
"
    );
    let question = Question {
        check: true,
        ..Question::default()
    };
    let mut said = String::new();
    for (name, at) in [
        ("steep", "1"),
        ("steep", "1e6"),
        ("steeper", "1"),
        ("small", "1"),
        ("small", "1e300"),
        ("least", "1"),
        ("none", "1"),
        ("far", "1"),
        ("square", "1e150"),
        ("square", "1e-150"),
    ] {
        for tools in ["", tool] {
            let fixture = Fixture::new(&format!("{text}{tools}"));
            let label = asked(&fixture, name, at, question);
            let (_, verdict) = label.rsplit_once(" · ").expect("a verdict");
            said += &format!("{name} {at}: {verdict}\n");
        }
    }
    expect![[r#"
        steep 1: differences agree
        steep 1: differences disagree with ∂/∂x = 837970970.0820388 (wrong)
        steep 1e6: differences cannot tell: the differences do not settle
        steep 1e6: differences cannot tell: the differences do not settle
        steeper 1: differences cannot tell: the differences do not settle
        steeper 1: differences cannot tell: the differences do not settle
        small 1: differences agree
        small 1: differences disagree with ∂/∂x = 5.403563360987265e-301 (wrong)
        small 1e300: differences cannot tell: the differences do not settle
        small 1e300: differences cannot tell: the differences do not settle
        least 1: differences cannot tell: the differences do not settle
        least 1: differences cannot tell: the differences do not settle
        none 1: differences agree
        none 1: differences agree
        far 1: differences cannot tell: the differences do not settle
        far 1: differences cannot tell: the differences do not settle
        square 1e150: differences agree
        square 1e150: differences disagree with ∂/∂x = 2.0002e150 (wrong)
        square 1e-150: differences agree
        square 1e-150: differences agree
    "#]]
    .assert_eq(&said);
}

#[test]
fn functions_with_checkpoints() {
    let text = "f : Prop X -> [Checkpoint X [F|], Smooth (Prop X)] (Prop X)
f x = checkpoint {t x x}
g : Prop X -> List (Prop X) -> [RefState, Smooth X, Checkpoint X, Smooth (Prop X)] (Prop X)
g k xs = t k (checkpoint {sumP xs})
sumP : List (Prop X) -> [Smooth (Prop X)] (Prop X)
sumP [] = c 0
sumP (x :: xs) = p x (sumP xs)
inside : X -> [RefState, Smooth X] X
inside x = gradc {y -> checkpoint {t y y}} x
main : {Int}
main! = 1
closed : []{Int}
closed! = evaluate (gradc {x -> checkpoint {t x x}} 3)
plain : X -> [Smooth X] X
plain x = t x x
gradm : {Unit}
gradm! = unit
";
    let question = Question {
        second: true,
        check: true,
        ..Question::default()
    };
    let mut said = String::new();
    for library in ["ad", "ad-paper"] {
        let mut text = format!("include {library}\n{text}");
        if library == "ad" {
            text = text.replace("[]{Int}\nclosed", "[]{Float}\nclosed");
        }
        let fixture = Fixture::new(&text);
        for (name, at) in [
            ("f", "3"),
            ("g", "2 [3, 4]"),
            ("inside", "3"),
            ("plain", "3"),
        ] {
            said += &asked(&fixture, name, at, question);
            said.push('\n');
        }
        for closed in fixture.analysis().closed_derivatives(fixture.main()) {
            said += &match fixture.analysis().closed_plan(&closed, &question) {
                Ok(plan) => plan.run(&Limits::default(), |_, _| {}).label(false),
                Err(refusal) => format!("refused: {refusal}"),
            };
            said.push('\n');
        }
    }
    expect![[r#"
        f 3.0 = 9.0 · ∂ = 6.0 (gradc) · ∂² = 2.0 (d of gradc, grad of gradc, gradc of gradc agree) · differences agree
        g 2.0 [3.0, 4.0] = 14.0 · ∂ = [7.0, [2.0, 2.0]] (gradc) · ∂² = [[0.0, [1.0, 1.0]], [[1.0, [0.0, 0.0]], [1.0, [0.0, 0.0]]]] (d of gradc, grad of gradc, gradc of gradc agree) · differences agree
        inside 3.0 = 6.0 · ∂ = 2.0 (d, grad, gradc agree) · ∂² = 0.0 (d of d and 8 others agree) · differences agree
        plain 3.0 = 9.0 · ∂ = 6.0 (d, grad, gradc agree) · ∂² = 2.0 (d of d and 8 others agree) · differences agree
        {x -> checkpoint {t x x}} 3 = 9.0 · ∂ = 6.0 (gradc) · ∂² = 2.0 (d of gradc, grad of gradc, gradc of gradc agree) · differences agree
        refused: `f` cannot be evaluated: code with checkpoints is differentiated by the `gradc` of `include ad` alone, since the paper's is wrong for most of it: see "Where the paper's checkpoints fail"
        refused: `g` cannot be evaluated: code with checkpoints is differentiated by the `gradc` of `include ad` alone, since the paper's is wrong for most of it: see "Where the paper's checkpoints fail"
        inside 3 = 6 · ∂ = 2 (d, grad agree; gradc: code with checkpoints is differentiated by the `gradc` of `include ad` alone, since the paper's is wrong for most of it: see "Where the paper's checkpoints fail") · ∂² = 0 (d of d, grad of d, d of grad, grad of grad agree) · differences agree
        plain 3 = 9 · ∂ = 6 (d, grad, gradc agree) · ∂² = 2 (d of d and 8 others agree) · differences agree
        refused: `gradc`: code with checkpoints is differentiated by the `gradc` of `include ad` alone, since the paper's is wrong for most of it: see "Where the paper's checkpoints fail"
    "#]].assert_eq(&said);
}

/// An operator whose type leaves its surroundings less than its derivative operator offers.
#[test]
fn checkpoints_under_closed_and_concrete_types() {
    let text = "include ad
closed : Prop X -> [Checkpoint X, Smooth (Prop X)] (Prop X)
closed x = let y = t x x in checkpoint {t y y}
open : Prop X -> List (Prop X) -> [E|Checkpoint X [E|], Smooth (Prop X)] (Prop X)
open k xs = t k (checkpoint {sumS xs})
concrete : Prop Float -> [Checkpoint Float, Smooth (Prop Float)] (Prop Float)
concrete x = let y = t x x in checkpoint {t y y}
data Other X = other X
lost : Other X -> [Smooth (Other X)] (Other X)
lost x = t x x
";
    let fixture = Fixture::new(text);
    let mut said = String::new();
    for (name, at) in [
        ("closed", "3"),
        ("open", "2 [3, 4]"),
        ("concrete", "3"),
        ("lost", "3"),
    ] {
        let question = Question {
            second: name != "concrete",
            check: true,
            ..Question::default()
        };
        said += &asked(&fixture, name, at, question);
        said.push('\n');
    }
    let question = Question {
        second: true,
        ..Question::default()
    };
    said += &asked(&fixture, "concrete", "3", question);
    expect![[r#"
        closed 3.0 = 81.0 · ∂ = 108.0 (gradc) · ∂² = 108.0 (d of gradc, grad of gradc, gradc of gradc, gradm of gradc agree) · differences agree
        open 2.0 [3.0, 4.0] = 14.0 · ∂ = [7.0, [2.0, 2.0]] (gradc) · ∂² = [[0.0, [1.0, 1.0]], [[1.0, [0.0, 0.0]], [1.0, [0.0, 0.0]]]] (d of gradc, grad of gradc, gradc of gradc, gradm of gradc agree) · differences agree
        concrete 3.0 = 81.0 · ∂ = 108.0 (gradc) · differences agree
        refused: `lost` cannot be evaluated: no derivative operator in scope computes with numbers `Other X`
        concrete 3.0 = 81.0 · ∂ = 108.0 (gradc) · no ∂² (d of grad: `concrete` is a function of the numbers of first derivatives alone: write a variable such as `X` for `Float` in its type)"#]].assert_eq(&said);
}

#[test]
fn comparisons_are_handled() {
    let text = "include ad-compare
f : X -> [Smooth X, Compare X] X
f x = if (lessS x (c 0)) {t x x} {powi x 3}
g : List X -> X -> [Compare X, Smooth X] X
g xs k = if (lessS k (c 0)) {k} {t k (dot xs xs)}
gradc : {Unit}
gradc! = unit
";
    check_all(
        text,
        "f",
        "-3",
        expect![
            "f -3.0 = 9.0 · ∂ = -6.0 (d, grad, gradm agree) · ∂² = 2.0 (d of d and 8 others agree) · differences agree"
        ],
    );
    check_all(
        text,
        "f",
        "2",
        expect![
            "f 2.0 = 8.0 · ∂ = 12.0 (d, grad, gradm agree) · ∂² = 12.0 (d of d and 8 others agree) · differences agree"
        ],
    );
    check_all(
        text,
        "g",
        "[2] 3",
        expect![
            "g [2.0] 3.0 = 12.0 · ∂ = [[12.0], 4.0] (d, grad, gradm agree) · ∂² = [[[[6.0], 4.0]], [[4.0], 0.0]] (d of d and 8 others agree) · differences agree"
        ],
    );
    let own = "include ad
interface Compare X = less : X -> X -> Bool
f : X -> [Smooth X, Compare X] X
f x = if (less x (c 0)) {t x x} {x}
";
    check(
        own,
        "f",
        "1",
        expect![
            "refused: `f` cannot be evaluated: it needs `Compare`, which nothing in scope handles: an operator such as `<Compare Float> Y -> Y` would, with `<Compare (D X)> Y -> [Compare X] Y` for the numbers `D X` of a derivative operator"
        ],
    );
    let half = format!(
        "{own}compare : <Compare Float> Y -> Y
compare y = y
compare <less a b -> k> = compare (k (a < b))
"
    );
    check(
        &half,
        "f",
        "1",
        expect![
            "f 1.0 = 1.0 · no ∂ (d: nothing in scope handles `Compare` for its numbers: an operator such as `<Compare (Dual X)> Y -> [Compare X] Y` would; grad: nothing in scope handles `Compare` for its numbers: an operator such as `<Compare (Prop X)> Y -> [Compare X] Y` would; gradc: nothing in scope handles `Compare` for its numbers: an operator such as `<Compare (Prop X)> Y -> [Compare X] Y` would; gradm: nothing in scope handles `Compare` for its numbers: an operator such as `<Compare (PropM X)> Y -> [Compare X] Y` would)"
        ],
    );
}

#[test]
fn what_is_no_smooth_function_is_refused_with_its_type() {
    let text = "include ad
none : {Float}
none! = 1.0
plain : Float -> [Smooth Float] Float
plain x = t x x
pure : X -> X
pure x = x
mixed : X -> Y -> [Smooth X] Y
mixed x y = y
";
    for (name, expected) in [
        (
            "none",
            expect![
                "refused: `none` has no derivative: it takes no argument to be differentiated in; it is `none : {Float}`"
            ],
        ),
        (
            "plain",
            expect![
                "refused: `plain` has no derivative: its numbers are `Float`, and a derivative operator gives it numbers of its own: write a variable such as `X` for them; it is `plain : Float -> [Smooth Float] Float`"
            ],
        ),
        (
            "pure",
            expect![
                "refused: `pure` has no derivative: it asks for no smooth operations on its numbers, as `X -> [Smooth X] X` does; it is `pure : X -> X`"
            ],
        ),
        (
            "mixed",
            expect![
                "refused: `mixed` has no derivative: its arguments and its result have to be numbers of one type, such as the `X` of `[Smooth X]`, or lists of them, or data with one constructor; it is `mixed : X -> Y -> [Smooth X] Y`"
            ],
        ),
        (
            "evaluate",
            expect![
                "refused: `evaluate` has no derivative: it handles the commands of an argument; it is `evaluate : <Smooth Float> X -> X`"
            ],
        ),
    ] {
        check(text, name, "", expected);
    }
}

#[test]
fn points_in_comments_that_cannot_be_read_are_reported() {
    let text = "include ad
-- | at [1
f : X -> [Smooth X]X
f x = t x x
-- Evaluated
-- at any place.
g : X -> [Smooth X]X
g x = t x x
{-- | at ] --}
h : X -> [Smooth X]X
h x = t x x
";
    check(
        text,
        "h",
        "",
        expect![[
            r#"h 1.0 = 1.0 · ∂ = 2.0 (d, grad, gradc, gradm agree) · `| at ]` says no point: `]` stands where a number is needed"#
        ]],
    );
    check(
        text,
        "f",
        "",
        expect![
            "f 1.0 = 1.0 · ∂ = 2.0 (d, grad, gradc, gradm agree) · `| at [1` says no point: `[` stands where a number is needed"
        ],
    );
    check(
        text,
        "f",
        "2",
        expect!["f 2.0 = 4.0 · ∂ = 4.0 (d, grad, gradc, gradm agree)"],
    );
    check(
        text,
        "g",
        "",
        expect!["g 1.0 = 1.0 · ∂ = 2.0 (d, grad, gradc, gradm agree)"],
    );
    let fixture = Fixture::new(text);
    let smooth = fixture.analysis().smooth_operator(fixture.main(), "f");
    assert_eq!(smooth.expect("smooth").point, None);
}

#[test]
fn empty_lists_keep_their_place() {
    let text = format!("{TWO}f : List X -> X -> [Smooth X] X\nf xs k = t k k\n");
    check(
        &text,
        "f",
        "[] 3",
        expect!["f [] 3.0 = 9.0 · ∂ = [[], 6.0] (d, grad agree)"],
    );
}

#[test]
fn nan_and_infinite_derivatives_are_compared() {
    let tool = "wrong : {(Dual X) -> [Smooth X, Smooth (Dual X)](Dual X)} -> X -> [Smooth X]X
wrong g x = p (c 1) (d g x)
";
    let text = format!(
        "{TWO}{tool}f : X -> [Smooth X] X
f x = sqrtS x
g : X -> [Smooth X] X
g x = logS x
"
    );
    // All are infinite, or none is a number.
    check(
        &text,
        "f",
        "0",
        expect!["f 0.0 = 0.0 · ∂ = inf (wrong, d, grad agree)"],
    );
    check(
        &text,
        "g",
        "nan",
        expect!["g nan = nan · ∂ = nan (wrong, d, grad agree)"],
    );
    check(
        &text,
        "g",
        "inf",
        expect!["g inf = inf · ∂ disagree: wrong = 1.0, d = 0.0, grad = 0.0"],
    );
    check(
        &text,
        "g",
        "-inf",
        expect!["g -inf = nan · ∂ disagree: wrong = 1.0, d = -0.0, grad = 0.0"],
    );
    let text = format!(
        "{TWO}wrong : {{(Dual X) -> [Smooth X, Smooth (Dual X)](Dual X)}} -> X -> [Smooth X]X
wrong g x = t (c 5) (sinS x)
f : X -> [Smooth X] X
f x = sqrtS x
"
    );
    check(
        &text,
        "f",
        "0",
        expect!["f 0.0 = 0.0 · ∂ disagree: wrong = 0.0, d = inf, grad = inf"],
    );
}

#[test]
fn integers_differ_by_one_or_agree() {
    let text = format!(
        "{CUBE}
wrong : {{(Dual X) -> [Smooth X, Smooth (Dual X)](Dual X)}} -> X -> [Smooth X]X
wrong g x = p (c 1) (d g x)
big : X -> [Smooth X]X
big x = t (c 1000000000000) x
"
    );
    check(
        &text,
        "big",
        "2",
        expect![
            "big 2 = 2000000000000 · ∂ disagree: wrong = 1000000000001, d = 1000000000000, grad = 1000000000000, gradc = 1000000000000"
        ],
    );
}

/// A program of two derivatives, the second of which uses a number of the first.
const SIBLINGS: &str = "include ad
include ad-custom

both : {Dual X -> [RefState, Fwd X] Dual X} -> {Dual X -> [RefState, Fwd X] Dual X}
    -> X -> [RefState, Smooth X] X
both f g x =
  d f x;
  d g x

leak : X -> [RefState, Smooth X] X
leak x =
  let r = new (dual x x) in
  both {y -> write r y; t y y} {y -> t y (read r)} x

value : X -> [RefState, Smooth X] X
value x =
  let r = new x in
  both {y -> write r (v y); t y y} {y -> t y (lift (read r))} x

grads : X -> [RefState, Smooth X] X
grads x =
  let r = new (prop x (new x)) in
  grad {y -> write r y; t y y} x;
  gradc {y -> t y (checkpoint {t y y}); t y (read r)} x

customs : X -> [RefState, Smooth X] X
customs x =
  let r = new (dual x x) in
  both {y -> write r (custom {a -> t a a} {a -> t (c 2) a} y); t y y}
       {y -> t y (read r)} x

inside : X -> [RefState, Smooth X] X
inside x =
  let r = new (prop x (new x)) in
  gradc {y -> sumS (remat {let z = checkpoint {t y y} in write r z; [z]})} x;
  gradc {y -> t y (read r)} x

constants : X -> [RefState, Smooth X] X
constants x =
  let r = new (prop x (new x)) in
  gradc {y -> write r (checkpoint {t (c 2) (c 2)}); t y y} x;
  gradc {y -> t y (read r)} x

chained : X -> [RefState, Smooth X] X
chained x =
  let a = valueDiff {y -> t y y} x in
  let b = valueDiff {y -> expS y} x in
  dv (diff (t a b))

tapes : X -> [RefState, Smooth X] X
tapes x =
  let r = new (propm x 0) in
  gradm {y -> write r y; t y y} x;
  gradm {y -> t y (read r)} x
";

#[test]
fn a_derivative_refuses_the_numbers_of_another() {
    let fixture = Fixture::new(SIBLINGS);
    for name in ["leak", "grads", "customs", "inside", "tapes"] {
        let plan = fixture
            .analysis()
            .derivative_plan(fixture.main(), name, &Question::default());
        let result = plan.unwrap().run(&Limits::default(), |_, _| {});
        assert!(result.derivatives.iter().all(|one| one.values.is_err()));
        let failure = result.value.unwrap_err();
        assert!(
            failure
                .message
                .starts_with("a number of another derivative")
        );
        let lines: Vec<_> = failure
            .related
            .iter()
            .map(|((path, range), what)| {
                assert_eq!(path, "main.fk");
                let line = SIBLINGS[range.start as usize..].lines().next();
                (line.unwrap_or_default().trim(), *what)
            })
            .collect();
        let (own, other) = match name {
            "leak" | "customs" => ("d g x", "d f x;"),
            "inside" => (
                "gradc {y -> t y (read r)} x",
                "gradc {y -> sumS (remat {let z = checkpoint {t y y} in write r z; [z]})} x;",
            ),
            "grads" => (
                "gradc {y -> t y (checkpoint {t y y}); t y (read r)} x",
                "grad {y -> write r y; t y y} x;",
            ),
            _ => (
                "gradm {y -> t y (read r)} x",
                "gradm {y -> write r y; t y y} x;",
            ),
        };
        let expected = [
            (own, "this derivative came upon it"),
            (other, "this derivative made it"),
        ];
        assert_eq!(lines, expected);
    }
}

#[test]
fn a_value_may_go_from_one_derivative_to_another() {
    check(
        SIBLINGS,
        "value",
        "3",
        expect![[r"value 3.0 = 3.0 · ∂ = 1.0 (d, grad, gradc, gradm agree)"]],
    );
    check(
        SIBLINGS,
        "constants",
        "3",
        expect![[r"constants 3.0 = 4.0 · ∂ = 0.0 (d, grad, gradc, gradm agree)"]],
    );
    check(
        SIBLINGS,
        "chained",
        "1",
        expect![[
            r"chained 1.0 = 8.154845485377137 · ∂ = 19.02797279921332 (d, grad, gradc, gradm agree)"
        ]],
    );
}
