//! `runStaged`: what it computes, what it says of wrong graphs, and that the limits hold for it.

use frank_interpreter::{Limits, RunErrorKind};

use crate::{compiled, error, value};

/// Every operation of the library, on two numbers.
const OPERATIONS: &str = "
include ad-stage

data Operations = operations (List Unary) (List Binary)

known : {Operations}
known! = operations
  [ negateE, recipE, powIntE 3, powIntE (-2), powRealE 0.5, powRealE (-1.5), expE, logE, sqrtE, sinE, cosE, tanE,
    asinE, acosE, atanE, sinhE, coshE, tanhE, sigmoidE, softplusE, reluE, absE, signE, stepE, positiveE ]
  [ plusE, minusE, timesE, divideE, powE, minE, maxE, aboveE, scaleE ]

points : {List Float}
points! = [ 0.0, -0.0, 1.0, -1.0, 0.3, -2.7, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 5.0e-324, 1.0e308, 40.0, -40.0 ]

pairs : {List (Pair Float Float)}
pairs! = concat (map {x -> map {y -> pair x y} points!} points!)

onHand : {Graph}
onHand! = case known! {(operations us bs) ->
  let lines = append (map {u -> line1 u (inputOf 0)} us) (map {b -> line2 b (inputOf 0) (inputOf 1)} bs) in
  graphOf 2 (length lines) lines (map {i -> lineOf i} (range 0 (length lines - 1)))}

byHand : Float -> Float -> List Float
byHand x y = case known! {(operations us bs) ->
  append (map {u -> value1 u x} us) (map {b -> value2 b x y} bs)}
";

#[test]
fn every_operation_gives_what_evaluate_gives() {
    let text = format!(
        "{OPERATIONS}
count : List Bool -> Int
count bs = length (filter id bs)

main : {{Pair Int Int}}
main! =
  let g = onHand! in
  let same = concat (map {{(pair x y) -> zipWith sameFloat (runStaged g [x, y]) (byHand x y)}} pairs!) in
  pair (length same) (count same)
"
    );
    assert_eq!(value(&text), "pair 5746 5746");
}

#[test]
fn gradients_give_what_evaluate_gives() {
    let text = format!(
        "{OPERATIONS}
f : X -> X -> [Smooth X] X
f x y = p (divide (sinS (t x y)) (p (c 1.5) (expS (n x)))) (t (maxS x y) (powS (absS x) y))

main : [RefState] Bool
main! =
  let g = stageGrad ieee 2 {{[x, y] -> f x y}} in
  all id (concat (map {{(pair x y) -> zipWith sameFloat (runStaged g [x, y])
    (evaluate (case (valueGradList {{[x, y] -> f x y}} [x, y]) {{(pair z dz) -> z :: dz}}))}} pairs!))
"
    );
    assert_eq!(value(&text), "true");
}

#[test]
fn a_wrong_graph_is_told() {
    let cases = [
        (
            "graphOf 2 0 [] [inputOf 0]",
            "[1]",
            "`runStaged`: the graph has 2 inputs, and one number is given",
        ),
        (
            "graphOf 1 0 [] []",
            "[1, 2, 3]",
            "`runStaged`: the graph has one input, and 3 numbers are given",
        ),
        (
            "graphOf 1 1 [line1 expE (lineOf 0)] []",
            "[1]",
            "`runStaged`: line 0 needs line 0, and a line can need earlier ones alone",
        ),
        (
            "graphOf 1 1 [line2 plusE (inputOf 0) (inputOf 4)] []",
            "[1]",
            "`runStaged`: line 0 needs input 4, and there is one input, number 0",
        ),
        (
            "graphOf 1 0 [] [lineOf 3]",
            "[1]",
            "`runStaged`: a result is line 3, and there is no line",
        ),
        (
            "graphOf 1 0 [] [inputOf (-1)]",
            "[1]",
            "`runStaged`: there is no input -1",
        ),
        (
            "graphOf (-1) 0 [] []",
            "[]",
            "`runStaged`: a graph has no -1 inputs",
        ),
        (
            "graphOf 1 7 [] []",
            "[1]",
            "`runStaged`: 7 lines are said to be of the initial program, and the graph has 0",
        ),
    ];
    for (graph, point, expected) in cases {
        let text = format!(
            "include ad-stage\nmain : {{List Float}}\nmain! = runStaged ({graph}) {point}\n"
        );
        let error = error(&text);
        assert_eq!(error.message, expected);
        assert_eq!(error.kind, RunErrorKind::Failed);
        let place = error.caller.or(error.place).unwrap();
        let at = &text[place.start as usize..place.end as usize];
        assert!(at.starts_with("runStaged"), "{at}");
    }
}

/// Runs a graph of so many operations again and again.
fn runs(operations: usize, times: usize) -> String {
    format!(
        "include ad-stage
again : Int -> Float -> Graph -> Float
again 0 x _ = x
again i x g = again (i - 1) (sum (runStaged g [x])) g

sum : List Float -> Float
sum xs = foldl {{x y -> x + y}} 0.0 xs

main : [RefState] Float
main! = again {times} 0.5 (stage {{x -> steps {operations} x}})

steps : Int -> X -> [Smooth X] X
steps 0 x = x
steps i x = steps (i - 1) (sinS x)
"
    )
}

#[test]
fn operations_are_counted_as_steps() {
    let steps = |times| {
        let compiled = compiled(&runs(1_600, times));
        let ran = compiled.run(Limits::default(), "");
        ran.value.unwrap();
        ran.stats.steps
    };
    let each = (steps(2_000) - steps(1_000)) / 1_000;
    assert!((100..150).contains(&each), "{each}");
    let limits = Limits {
        steps: Some(200_000),
        ..Limits::default()
    };
    let ran = compiled(&runs(1_600, 1_000_000)).run(limits, "");
    assert_eq!(ran.value.unwrap_err().kind, RunErrorKind::Steps);
    assert!(
        (200_000..210_000).contains(&ran.stats.steps),
        "{}",
        ran.stats.steps
    );
}

#[test]
fn many_graphs_take_no_more_memory_than_a_few() {
    let text = "
include ad-stage
many : Int -> Float -> [RefState] Float
many 0 x = x
many i x = many (i - 1) (case (runStaged (stage {y -> powi (t y (c (toFloat i))) 3}) [x]) {[z] -> if (z > 1) {0.5} {z}})
main : [RefState] Float
main! = many 3000 0.5
";
    let ran = compiled(text).run(Limits::default(), "");
    ran.value.unwrap();
    assert!(ran.stats.peak_bytes < 8 << 20, "{}", ran.stats.peak_bytes);
}

/// Two graphs in turn, of three parts for machine code and of one, often enough for it to be made.
#[test]
fn what_is_run_often_gives_what_evaluate_gives() {
    let text = "
include ad-stage
wave : Int -> X -> [Smooth X] X
wave 0 x = x
wave i x = wave (i - 1) (p (sinS x) (t (c 0.001) (cosS (n x))))

slope : X -> [Smooth X] X
slope x = wave 3 (t x (wave 1 x))

agree : Int -> Float -> Graph -> Graph -> Bool
agree 0 _ _ _ = true
agree i x f g =
  case (pair (runStaged f [x]) (runStaged g [x]))
    { (pair [y] [z]) ->
        if (y == evaluate (wave 600 x)) {if (z == evaluate (slope x)) {agree (i - 1) (0.9 * z + 0.2) f g} {false}} {false} }

main : [RefState] Bool
main! = agree 700 0.5 (stage {x -> wave 600 x}) (stage {x -> slope x})
";
    assert_eq!(value(text), "true");
}

#[test]
fn a_graph_beyond_the_memory_limit_is_told() {
    let text = |main: &str| {
        format!(
            "
include ad-stage
lines : Int -> List Line -> List Line
lines 0 ls = ls
lines i ls = lines (i - 1) (line1 sinE (inputOf 0) :: ls)
graph : {{Graph}}
graph! = graphOf 1 0 (lines 200000 []) [lineOf 7]
main : {{List Float}}
main! = {main}
"
        )
    };
    // There is room for the graph, and little more.
    let made = compiled(&text("case graph! {_ -> [1.0]}")).run(Limits::default(), "");
    made.value.unwrap();
    let memory = made.stats.peak_bytes as usize + (1 << 20);
    let limits = Limits {
        memory,
        ..Limits::default()
    };
    let ran = compiled(&text("runStaged graph! [1]")).run(limits, "");
    assert_eq!(ran.value.unwrap_err().kind, RunErrorKind::Memory);
    assert!(
        ran.stats.peak_bytes as usize <= memory,
        "{}",
        ran.stats.peak_bytes
    );
}

/// A handler that will not answer blames the place of the command, through other handlers.
#[test]
fn the_place_of_a_command_is_told() {
    let text = "include ad-compare
include ad-stage

smaller : X -> X -> [Smooth X, Compare X] X
smaller x y =
  if (lessS x y) {x} {y}

main : [RefState] Graph
main! = refuseCompare (stageGrad ieee 2 {xs -> compareProp (foldl {x y -> smaller x y} (c 1) xs)})
";
    let error = error(text);
    let place = error.caller.unwrap();
    assert_eq!(&text[place.start as usize..place.end as usize], "lessS x y");
}
