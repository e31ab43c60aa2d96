//! Derivatives of tensors against differences of values, which share nothing with them but the operations.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use crate::{error, value};

/// Functions of `x`, of a shape, whose result is a number.
const FUNCTIONS: &[(&str, &str)] = &[
    ("[3]", "sumT (timesT x x)"),
    ("[2, 3]", "sumT (matmul x (transposeT x))"),
    ("[2, 3]", "meanT (mapT tanhE (matmul (transposeT x) x))"),
    ("[2, 3]", "sumT (timesT (sumAxisT 0 x) (sumAxisT 1 x))"),
    (
        "[2, 3]",
        "sumT (divideT x (plusT (timesT x x) (constT (scalarOf 2.0))))",
    ),
    (
        "[2, 3]",
        "sumT (mapT (powIntE 3) (reshapeT [3, 2] (minusT x (sumAxisT 1 x))))",
    ),
    (
        "[2, 2]",
        "sumT (timesT (gatherT (array [1, 0, 1]) x) (gatherT (array [0, 0, 1]) x))",
    ),
    (
        "[2, 1, 3]",
        "sumT (timesT (permuteT [2, 0, 1] x) (constT (tensor [2, 1] (array [0.3, 0.7]))))",
    ),
    ("[2, 3]", "sumT (mapT logE (sumAxisT 1 (mapT expE x)))"),
    (
        "[4]",
        "sumT (elementwise (t (sigmoid x) (p (sinS x) (c 2))))",
    ),
    (
        "[3]",
        "sumT (timesT (stretchT [2, 3] x) (constT (tensor [2, 3] (array [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))))",
    ),
    ("[]", "timesT (mapT expE x) x"),
    ("[2, 2]", "sumT (zipT \"maxT\" maxE x (transposeT x))"),
];

fn volume(shape: &str) -> usize {
    let sizes = shape.trim_matches(['[', ']']).split(',');
    let sizes = sizes.filter(|size| !size.trim().is_empty());
    sizes
        .map(|size| size.trim().parse::<usize>().unwrap())
        .product()
}

fn tensor(shape: &str, xs: &[f64]) -> String {
    let items: Vec<String> = xs.iter().map(|x| format!("({x:?})")).collect();
    format!("(tensor {shape} (array [{}]))", items.join(", "))
}

/// The numbers of what a program gives, in the order in which they are printed.
fn numbers(function: &str, main: &str) -> Vec<f64> {
    let text = format!(
        "include ad-tensor\nf : X -> [SmoothT X] X\nf x = {function}\n\
         main : {{[RefState] List (Array Float)}}\nmain! = {main}\n"
    );
    let shown = value(&text);
    let words = shown.split(|c: char| !(c.is_alphanumeric() || "-+.".contains(c)));
    words.filter_map(|word| word.parse().ok()).collect()
}

fn near(x: f64, y: f64) -> bool {
    (x - y).abs() <= 1e-6 * (1.0 + x.abs() + y.abs())
}

/// Of a function at a point its slopes by differences, and what each mode says they are.
fn slopes(function: &str, shape: &str, xs: &[f64]) -> [Vec<f64>; 4] {
    let size = xs.len();
    let here = tensor(shape, xs);
    let step = 1e-5;
    let points = (0..size).flat_map(|i| [step, -step].map(|d| (i, d)));
    let points: Vec<String> = points
        .map(|(i, d)| {
            let mut moved = xs.to_vec();
            moved[i] += d;
            tensor(shape, &moved)
        })
        .collect();
    let along = (0..size).map(|i| {
        let mut unit = vec![0.0; size];
        unit[i] = 1.0;
        tensor(shape, &unit)
    });
    let along: Vec<String> = along.collect();
    // One program with one place for each mode: the library is compiled for each of them.
    let all = numbers(
        function,
        &format!(
            "concat [ \
             map {{y -> itemsT (valueT (f y))}} [{}], \
             [itemsT (valueT (gradT {{x -> f x}} {here}))], \
             map {{u -> itemsT (valueT (snd (jvpT {{x -> f x}} {here} u)))}} [{}], \
             map {{x -> itemsT x}} (valueT (snd (valueGradcListT \
             {{(x :: _) -> plusT (checkpointT {{sumT (f x)}}) zeroT! | _ -> zeroT!}} [{here}]))) ]",
            points.join(", "),
            along.join(", ")
        ),
    );
    assert_eq!(all.len(), 5 * size, "{function}");
    let (values, found) = all.split_at(2 * size);
    let differences = values
        .chunks(2)
        .map(|pair| (pair[0] - pair[1]) / (2.0 * step));
    let mut found = found.chunks(size).map(<[f64]>::to_vec);
    [
        differences.collect(),
        found.next().unwrap(),
        found.next().unwrap(),
        found.next().unwrap(),
    ]
}

#[test]
fn gradients_are_slopes() {
    FUNCTIONS.par_iter().for_each(|(shape, function)| {
        let mut random = StdRng::seed_from_u64(26 + function.len() as u64);
        let xs: Vec<f64> = (0..volume(shape))
            .map(|_| random.random_range(-1.5..1.5))
            .collect();
        let [slopes, reverse, forward, checkpointed] = slopes(function, shape, &xs);
        for (mode, found) in [
            ("reverse", reverse),
            ("forward", forward),
            ("checkpointed", checkpointed),
        ] {
            for (found, slope) in found.iter().zip(&slopes) {
                assert!(
                    near(*found, *slope),
                    "{function} at {xs:?}: {mode} gives {found} for {slope}"
                );
            }
        }
    });
}

/// Forward mode over reverse mode: the gradient's derivative in a direction is the Hessian's product with it.
#[test]
fn modes_nest() {
    let function = "sumT (mapT (powIntE 3) x)";
    let found = numbers(
        function,
        "[itemsT (valueT (snd (jvpT {x -> gradT {y -> f y} x} (tensor [2] (array [2.0, 3.0])) \
         (tensor [2] (array [1.0, 10.0])))))]",
    );
    assert_eq!(found, [12.0, 180.0]);
}

#[test]
fn shapes_that_do_not_fit() {
    let cases = [
        (
            "plusT (fill2 [2, 3]) (fill2 [2])",
            "`plusT` of shapes [2, 3] and [2], which do not fit",
        ),
        (
            "matmul (fill2 [2, 3]) (fill2 [2, 3])",
            "`matmul` of shapes [2, 3] and [2, 3], which do not fit",
        ),
        (
            "matmul (fill2 [3]) (fill2 [3, 1])",
            "`matmul` of shapes [3] and [3, 1], which do not fit",
        ),
        (
            "reshapeT [4] (fill2 [2, 3])",
            "`reshapeT` of shapes [2, 3] and [4], which do not fit",
        ),
        (
            "gradT {x -> timesT x x} (fill2 [2])",
            "`gradT` of a function whose result has shape [2]: it has to be a number, of shape []",
        ),
        (
            "permuteT [1, 1] (fill2 [2, 3])",
            "`permuteT` of shape [2, 3] by [1, 1], which is no order of its axes",
        ),
        (
            "stretchT [3] (fill2 [2])",
            "`stretchT` of shapes [2] and [3], which do not fit",
        ),
        (
            "gatherT (array [2]) (fill2 [2, 3])",
            "`gatherT` of position 2 of shape [2, 3], whose first axis counts from 0",
        ),
    ];
    for (term, message) in cases {
        let text = format!(
            "include ad-tensor\nfill2 : List Int -> Tensor Float\n\
             fill2 s = tensor s (fill (volume s) 2.0)\n\
             main : {{[RefState] Tensor Float}}\nmain! = valueT ({term})\n"
        );
        let error = error(&text);
        assert_eq!(error.message, message);
        let caller = error.caller.unwrap();
        let at = &text[caller.start as usize..caller.end as usize];
        assert!(
            text[text.find("main!").unwrap()..].contains(at),
            "{term}: {at}"
        );
    }
}

#[test]
fn there_is_no_tensor_with_a_size_below_zero() {
    let text = "include ad-tensor\nmain : {Tensor Float}\n\
        main! = tensor [-1, -4] (array [1.0, 2.0, 3.0, 4.0])\n";
    let message = error(text).message;
    assert_eq!(message, "`tensor` of shape [-1, -4]: no size is below zero");
}

#[test]
fn rows_without_numbers_are_gathered() {
    let text = "include ad-tensor\nmain : {Tensor Float}\n\
        main! = valueT (gatherT (array [0, 1, 1]) (constT (tensor [2, 0] (array []))))\n";
    assert_eq!(value(text), "tensorOf [3, 0] (array [])");
}
