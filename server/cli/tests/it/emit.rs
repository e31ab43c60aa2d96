//! `frank derive --emit`: code that compiles, runs, and computes what the interpreter computes.

use std::fmt::Write as _;
use std::process::Command;

use expect_test::expect;

use crate::support::{Dir, finish};

/// What is compared to the last bit: values and derivatives of these.
const EXACT: &str = "\
include ad

rational : X -> X -> [Smooth X] X
rational x y = sqrtS (p (t x x) (divide (minus x (c 0.3)) (p (absS y) (c 1.5))))

corners : X -> X -> [Smooth X] X
corners x y = sumS [relu x, absS y, minS x y, maxS y x, signS x, n (t x y), recip y, powi x 2, minus (c 0) x]

-- Longer than a function of the code is.
long' : X -> X -> [Smooth X] X
long' x y = steps 700 x y

steps : Int -> X -> X -> [Smooth X] X
steps 0 x _ = x
steps i x y = steps (i - 1) (p (t (t x x) (c 0.5)) (divide y (p (c 1.1) (t x x)))) y
";

/// What is compared within a unit in the last place, or two: values of these.
const CLOSE: &str = "
functions : X -> X -> [Smooth X] (List X)
functions x y = [
  expS x, logS x, sinS x, cosS x, tanS x, asinS x, acosS x, atanS x, sinhS x, coshS x, tanhS x, powS x y, powi x 3,
  powr x 1.5, powr x (-2.5)]
";

const SCALARS: [&str; 3] = ["rational", "corners", "long'"];

/// Points: what is at the edges of floats, and a thousand in between.
fn points() -> Vec<[f64; 2]> {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        5e-324,
        1e308,
    ];
    let mut points: Vec<[f64; 2]> = edges.iter().flat_map(|x| edges.map(|y| [*x, y])).collect();
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    points.extend((0..1_000).map(|_| [next() * 8.0 - 4.0, next() * 8.0 - 4.0]));
    points
}

/// A float as a Frank term.
fn term(x: f64) -> String {
    match x {
        x if x.is_nan() => "(0.0 / 0.0)".to_owned(),
        x if x.is_infinite() => format!("({}1.0 / 0.0)", if x > 0.0 { "" } else { "-" }),
        x => format!("({x:?})"),
    }
}

/// What the interpreter computes: a row for each point, of all that is compared.
fn interpreted(dir: &Dir) -> Vec<Vec<f64>> {
    let list: Vec<String> = points()
        .iter()
        .map(|[x, y]| format!("[{}, {}]", term(*x), term(*y)))
        .collect();
    let scalars = SCALARS.map(|name| {
        format!(
            "evaluate (case (valueGradList {{[x, y] -> {name} x y}} xs) {{(pair y dy) -> y :: dy}})"
        )
    });
    let main = format!(
        "\nmain : [RefState] (List (List Float))\nmain! = map {{xs -> concat [{}, case xs {{[x, y] -> evaluate \
         (functions x y)}}]}} [{}]\n",
        scalars.join(", "),
        list.join(", ")
    );
    dir.write("main.fk", format!("{EXACT}{CLOSE}{main}"));
    let run = dir.run("run main.fk");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let rows = run.stdout.trim().trim_matches(['[', ']']).split("], [");
    rows.map(|row| row.split(", ").map(|x| x.parse().unwrap()).collect())
        .collect()
}

/// How many floats lie between two; none if both are no number.
fn apart(x: f64, y: f64) -> u64 {
    if x.is_nan() && y.is_nan() {
        return 0;
    }
    let place = |x: f64| {
        let bits = x.to_bits() as i64;
        if bits < 0 { i64::MIN - bits } else { bits }
    };
    match x == y {
        // Zeros of different signs are neighbours.
        true => u64::from(x.is_sign_negative() != y.is_sign_negative()),
        false if x.is_nan() || y.is_nan() => u64::MAX,
        false => place(x).abs_diff(place(y)),
    }
}

/// Compares what compiled code printed, a line of bits for each float, with the interpreter.
fn compare(printed: &str, expected: &[Vec<f64>]) {
    let bits = printed.lines().map(|line| u64::from_str_radix(line, 16));
    let mut found = bits.map(|bits| f64::from_bits(bits.unwrap()));
    for (point, row) in points().iter().zip(expected) {
        for (i, expected) in row.iter().enumerate() {
            let found = found.next().expect("a float for each");
            let allowed = match i.checked_sub(3 * SCALARS.len()) {
                None => 0,
                // Libraries of C are off by two in hyperbolic functions.
                Some(8..=10) => 2,
                Some(_) => 1,
            };
            assert!(
                apart(found, *expected) <= allowed,
                "at {point:?}, number {i}: {found:?} is not {expected:?}"
            );
        }
    }
    assert_eq!(found.next(), None);
}

/// Writes the code of all the functions, a file each; gives their names.
fn emitted(dir: &Dir, language: &str, ending: &str) -> Vec<String> {
    dir.write("functions.fk", format!("{EXACT}{CLOSE}"));
    let names = SCALARS.iter().copied().chain(["functions"]);
    names
        .map(|name| {
            let file = format!("{}.{ending}", name.replace('\'', "_prime"));
            let arguments = [
                "derive",
                "functions.fk",
                name,
                "--emit",
                language,
                "-o",
                &file,
            ];
            let run = dir.run_with(&arguments);
            assert_eq!((run.code, run.stderr.as_str()), (0, ""));
            file
        })
        .collect()
}

/// Runs a compiler, which has to have nothing to say.
fn compile(dir: &Dir, compiler: &str, arguments: &[&str]) {
    let run = Command::new(compiler)
        .args(arguments)
        .current_dir(dir.path())
        .output()
        .expect("a compiler");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!((run.status.code(), said.as_str()), (Some(0), ""));
}

fn run(dir: &Dir, program: &str) -> String {
    let run = finish(
        crate::support::command(dir.path().join(program), &[], dir.path()),
        "",
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.stdout
}

/// The points as bits, in the braces or brackets of a language.
fn bits(open: char, close: char) -> String {
    let mut text = String::new();
    for [x, y] in points() {
        let (x, y) = (x.to_bits(), y.to_bits());
        writeln!(text, "{open}{x:#x}, {y:#x}{close},").unwrap();
    }
    text
}

#[cfg(unix)]
#[test]
fn c_computes_what_the_interpreter_computes() {
    let dir = Dir::new(&[]);
    let expected = interpreted(&dir);
    let files = emitted(&dir, "c", "c");
    let main = format!(
        "#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n\
         void frank_rational_derivatives(const double x[2], double y[3]);\n\
         void frank_corners_derivatives(const double x[2], double y[3]);\n\
         void frank_long_prime_derivatives(const double x[2], double y[3]);\n\
         void frank_functions(const double x[2], double y[15]);\n\
         static const uint64_t points[][2] = {{\n{}}};\n\
         static void show(const double *y, int n) {{\n  for (int i = 0; i < n; i++) {{\n    uint64_t bits;\n    \
         memcpy(&bits, &y[i], 8);\n    printf(\"%llx\\n\", (unsigned long long)bits);\n  }}\n}}\n\
         int main(void) {{\n  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {{\n    \
         double x[2], y[64];\n    memcpy(x, points[i], 16);\n    \
         frank_rational_derivatives(x, y); show(y, 3);\n    \
         frank_corners_derivatives(x, y); show(y, 3);\n    \
         frank_long_prime_derivatives(x, y); show(y, 3);\n    \
         frank_functions(x, y); show(y, 15);\n  }}\n}}\n",
        bits('{', '}')
    );
    dir.write("main.c", main);
    let mut arguments = vec!["-std=c11", "-Wall", "-Wextra", "-O1", "-ffp-contract=off"];
    arguments.extend(files.iter().map(String::as_str));
    arguments.extend(["main.c", "-o", "main", "-lm"]);
    compile(&dir, "cc", &arguments);
    compare(&run(&dir, "main"), &expected);
}

#[test]
fn rust_computes_what_the_interpreter_computes() {
    let dir = Dir::new(&[]);
    let expected = interpreted(&dir);
    let files = emitted(&dir, "rust", "rs");
    let modules: String = files
        .iter()
        .map(|file| format!("mod {};\n", file.trim_end_matches(".rs")))
        .collect();
    let main = format!(
        "// Values without derivatives are not called here.\n#![allow(dead_code)]\n{modules}\n\
         static POINTS: &[[u64; 2]] = &[\n{}];\n\n\
         fn show(y: &[f64]) {{\n    for y in y {{\n        println!(\"{{:x}}\", y.to_bits());\n    }}\n}}\n\n\
         fn main() {{\n    for point in POINTS {{\n        let x = point.map(f64::from_bits);\n        \
         let mut y = [0.0; 3];\n        rational::rational_derivatives(&x, &mut y);\n        show(&y);\n        \
         corners::corners_derivatives(&x, &mut y);\n        show(&y);\n        \
         long_prime::long_prime_derivatives(&x, &mut y);\n        show(&y);\n        \
         let mut y = [0.0; 15];\n        functions::functions(&x, &mut y);\n        show(&y);\n    }}\n}}\n",
        bits('[', ']')
    );
    dir.write("main.rs", main);
    let arguments = ["--edition", "2024", "-O", "main.rs", "-o", "main"];
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    compile(&dir, &rustc, &arguments);
    compare(&run(&dir, "main"), &expected);
}

/// What is written as Frank is the same program once more: values and derivatives of it are the same.
#[test]
fn frank_is_the_same_program() {
    let dir = Dir::new(&[("functions.fk", EXACT)]);
    let run = dir.run("derive functions.fk rational --emit frank -o staged.fk");
    run.expect(expect![[r#"
        exit 0
    "#]]);
    dir.run("check staged.fk").expect(expect![[r#"
        checked 1 file: no errors
        exit 0
    "#]]);
    let value = |file: &str, name: &str| {
        let run = dir.run_with(&["derive", file, name, "--at", "0.7", "--at", "-2"]);
        assert_eq!(run.code, 0, "{}", run.whole());
        run.stdout
    };
    let plain = value("functions.fk", "rational");
    dir.write(
        "both.fk",
        "include staged\n\nboth : X -> X -> [Smooth X] X\nboth x y = sumS (rationalStaged [x, y])\n",
    );
    assert_eq!(value("both.fk", "both"), plain.replace("rational", "both"));
}

#[test]
fn second_derivatives_and_fast_math() {
    let dir = Dir::new(&[(
        "cube.fk",
        "include ad\n\ncube : X -> [Smooth X] X\ncube x = t x (t x x)\n",
    )]);
    dir.run("derive cube.fk cube --order 2 --fast-math --emit python")
        .expect(expect![[r#"
            # cube, staged by frank.
            import math


            def cube(x):
                # x[0] = x
                # y[0] = cube
                y = [0.0] * 1
                v0 = x[0] * x[0]
                v1 = x[0] * v0
                y[0] = v1
                return y


            def cube_derivatives(x):
                # x[0] = x
                # y[0] = cube
                # y[1] = ∂cube/∂x
                # y[2] = ∂²cube/∂x∂x
                y = [0.0] * 3
                v0 = x[0] * x[0]
                v1 = x[0] + x[0]
                v2 = x[0] * v0
                y[0] = v2
                v3 = v0 + v0
                v4 = v1 + v1
                v5 = v0 + v3
                y[1] = v5
                v6 = v1 + v4
                y[2] = v6
                return y


            exit 0
        "#]]);
}

#[test]
fn formulas() {
    let text = "include ad\n\ncube : X -> [Smooth X] X\ncube x = t x (t x x)\n\n\
                wave : X -> X -> [Smooth X] X\nwave a b = divide (sinS (t a b)) (p (c 1) (expS b))\n\n\
                loop : X -> Int -> [Smooth X] X\nloop x i = if (i == 0) {x} {loop (sinS x) (i - 1)}\n\n\
                twice : X -> Int -> [Smooth X] X\n\
                twice x i = if (i == 0) {x} {twice (p (sinS x) (cosS x)) (i - 1)}\n";
    let dir = Dir::new(&[("formulas.fk", text)]);
    let check = |arguments: &str| dir.run(&format!("derive formulas.fk {arguments}")).whole();
    expect![[r#"
        cube = x³
        ∂cube/∂x = 3·x²
        ∂²cube/∂x∂x = 6·x
        exit 0
    "#]]
    .assert_eq(&check("cube --order 2 --emit formula"));
    expect![[r#"
        wave = sin(a·b)/(exp(b) + 1)
        ∂wave/∂a = b·cos(a·b)/(exp(b) + 1)
        ∂wave/∂b = a·cos(a·b)/(exp(b) + 1) - sin(a·b)·exp(b)/(exp(b) + 1)²
        exit 0
    "#]]
    .assert_eq(&check("wave --emit formula"));
    expect![[r#"
        \begin{align*}
          \mathit{cube} &= x^{3} \\
          \frac{\partial \mathit{cube}}{\partial x} &= 3 x^{2} \\
        \end{align*}
        exit 0
    "#]]
    .assert_eq(&check("cube --emit latex"));
    let large = check("loop --at 1 --at 400 --emit formula");
    assert!(large.starts_with(
        "loop is too large for a formula: 1199 operations. These are the first 20.\nv0 = sin(x)\n"
    ));
    assert!(large.ends_with("\n…\nexit 0\n"), "{large}");
    // Few operations can make a formula of any length.
    let long = check("twice --at 1 --at 15 --emit formula");
    assert!(
        long.starts_with("twice is too large for a formula: 1"),
        "{long}"
    );
}

/// Numbers that are none of the usual are written as Frank shows them, and as LaTeX typesets them.
#[test]
fn formulas_have_all_numbers() {
    let text = "include ad\n\n\
                more : X -> [Smooth X] X\nmore x = p x (c (1.0 / 0.0))\n\n\
                less : X -> [Smooth X] X\nless x = expS (t (c (-1.0 / 0.0)) x)\n\n\
                none : X -> [Smooth X] X\nnone x = t x (c (0.0 / 0.0))\n\n\
                raised : X -> [Smooth X] X\nraised x = p (powr x (0.0 / 0.0)) (powr x (-1.0 / 0.0))\n\n\
                sizes : X -> [Smooth X] X\nsizes x = minus (t (c 1e300) x) (c 2.5e-7)\n\n\
                loop : X -> Int -> [Smooth X] X\n\
                loop x i = if (i == 0) {minus x (c (1.0 / 0.0))} {loop (t (c 2e20) (sqrtS x)) (i - 1)}\n";
    let dir = Dir::new(&[("numbers.fk", text)]);
    let check = |arguments: &str| {
        let run = dir.run(&format!("derive numbers.fk {arguments}"));
        assert_eq!((run.code, &*run.stderr), (0, ""));
        run.stdout
    };
    let names = ["more", "less", "none", "raised", "sizes"];
    let all = |format: &str| {
        names
            .map(|name| check(&format!("{name} --emit {format}")))
            .concat()
    };
    expect![[r#"
        more = x + inf
        ∂more/∂x = 1
        less = exp(-inf·x)
        ∂less/∂x = -inf·exp(-inf·x)
        none = nan·x
        ∂none/∂x = nan
        raised = x^nan + 1/x^inf
        ∂raised/∂x = nan·x^nan - inf/x^inf
        sizes = 1e300·x - 2.5e-7
        ∂sizes/∂x = 1e300
    "#]]
    .assert_eq(&all("formula"));
    let latex = all("latex").replace("\\begin{align*}\n", "");
    expect![[r#"
          \mathit{more} &= x + \infty \\
          \frac{\partial \mathit{more}}{\partial x} &= 1 \\
          \mathit{less} &= e^{-\infty x} \\
          \frac{\partial \mathit{less}}{\partial x} &= -\infty e^{-\infty x} \\
          \mathit{none} &= \mathrm{nan} x \\
          \frac{\partial \mathit{none}}{\partial x} &= \mathrm{nan} \\
          \mathit{raised} &= x^{\mathrm{nan}} + \frac{1}{x^{\infty}} \\
          \frac{\partial \mathit{raised}}{\partial x} &= \mathrm{nan} x^{\mathrm{nan}} - \frac{\infty}{x^{\infty}} \\
          \mathit{sizes} &= 10^{300} x - 2.5 \cdot 10^{-7} \\
          \frac{\partial \mathit{sizes}}{\partial x} &= 10^{300} \\
    "#]].assert_eq(&latex.replace("\\end{align*}\n", "").replace("  \\", "\\"));
    let large = check("loop --at 1 --at 400 --emit latex");
    let first: Vec<&str> = large.lines().take(6).collect();
    expect![[r#"
        % loop is too large for a formula: 2000 operations. These are the first 20.
        \begin{align*}
          v_{0} &= \sqrt{x} \\
          v_{1} &= 2 \cdot 10^{20} v_{0} \\
          v_{2} &= \sqrt{v_{1}} \\
          v_{3} &= 2 \cdot 10^{20} v_{2} \\"#]]
    .assert_eq(&first.join("\n"));
    let graph = check("raised --emit dot");
    for label in ["label=\"·^nan\"", "label=\"·^-inf\""] {
        assert!(graph.contains(label), "{graph}");
    }
}

/// There is no graph, and no formula, of nothing.
#[test]
fn a_result_without_numbers_is_refused() {
    let text = "include ad\n\nempty : X -> [Smooth X] (List X)\nempty x = []\n\n\
                tail : List X -> [Smooth X] (List X)\ntail (x :: xs) = xs\ntail [] = []\n";
    let dir = Dir::new(&[("empty.fk", text)]);
    for (name, at) in [("empty", "1"), ("tail", "[1]")] {
        for format in [
            "c", "rust", "python", "wat", "dot", "frank", "latex", "formula", "json",
        ] {
            let run = dir.run(&format!(
                "derive empty.fk {name} --at {at} --emit {format} -o out"
            ));
            let said = format!(
                "frank: error: {name} cannot be staged: its result has no number at that point; choose one at which \
                 it has some\n"
            );
            assert_eq!(
                (run.code, run.stdout, run.stderr),
                (3, String::new(), said),
                "{format}"
            );
        }
    }
    assert!(!dir.path().join("out").exists());
    let run = dir.run("derive empty.fk tail --at [1,2] --emit formula");
    assert_eq!(run.code, 0, "{}", run.whole());
    let run = dir.run("plot empty.fk empty --format json");
    let said = "frank: error: there is nothing to draw: the result of `empty` has no number at that point; choose one \
                at which it has some\n";
    assert_eq!((run.code, &*run.stderr), (3, said));
}

const ODD: &str = "\
include ad-compare

paired : Pair X X -> List X -> Int -> [Smooth X] (Pair X (List X))
paired (pair a b) xs i = pair (powi a i) (map {x -> t x b} xs)

branching : X -> [Compare X, Smooth X] X
branching x = if (lessS x (c 0)) {n x} {x}

constant' : X -> [Compare X, Smooth X] X
constant' x = if (lessS (c 1) (c 2)) {n x} {x}

saved : Prop X -> [Checkpoint X [F|], Smooth (Prop X)] (Prop X)
saved x = checkpoint {t x x}

endless : X -> [Smooth X] X
endless x = endless (t x x)

plain : Float -> Float
plain x = x
";

#[test]
fn shapes_checkpoints_and_comparisons() {
    let dir = Dir::new(&[("odd.fk", ODD)]);
    let lines = |arguments: &[&str]| {
        let run = dir.run_with(&[&["derive", "odd.fk"], arguments].concat());
        run.whole()
    };
    expect![[r#"
        include ad

        -- The results of `paired`: paired.1, paired.2.
        -- x0 = a
        -- x1 = b
        -- x2 = xs.1
        pairedStaged : List X -> [Smooth X] (List X)
        pairedStaged [x0, x1, x2] =
          let v0 = ap1 (powIntE 3) x0 in
          let v1 = t x1 x2 in
          [v0, v1]
    "#]]
    .assert_eq(
        &lines(&[
            "paired", "--at", "pair 2 3", "--at", "[5]", "--at", "3", "--emit", "frank",
        ])
        .split_inclusive('\n')
        .take(11)
        .collect::<String>(),
    );
    for name in ["constant'", "saved"] {
        let code = lines(&[name, "--emit", "c"]);
        assert!(code.ends_with("exit 0\n"), "{code}");
    }
    expect![[r#"
        stderr: frank: error: branching cannot be staged: a comparison depends on the numbers of the second stage, and a graph goes one way for all of them; `minS`, `maxS`, `absS` and `relu` choose in the graph, at odd.fk:7
        exit 3
    "#]]
    .assert_eq(&lines(&["branching", "--emit", "c"]));
}

#[test]
fn what_cannot_be_staged_is_refused() {
    let own = "include ad-paper\n\nf : X -> [Smooth X] X\nf x = t x x\n";
    let dir = Dir::new(&[("odd.fk", ODD), ("own.fk", own)]);
    let check = |arguments: &str| dir.run(&format!("derive {arguments}")).whole();
    expect![[r#"
        stderr: frank: own.fk: `f` cannot be staged: its operations are those of another `Smooth` than the library's `ad` has, which is the one that is staged; a program that includes `ad` and calls its operations can be
        exit 2
    "#]]
    .assert_eq(&check("own.fk f --emit c"));
    expect![[r#"
        stderr: frank: odd.fk: `plain` has no derivative: it asks for no smooth operations on its numbers, as `X -> [Smooth X] X` does; it is `plain : Float -> Float`
        exit 2
    "#]]
    .assert_eq(&check("odd.fk plain --emit c"));
    expect![[r#"
        stderr: frank: odd.fk: `--emit` writes code for all points, and `--at` says how long lists are and what is held fixed: it takes one point, and here are 2
        exit 2
    "#]]
    .assert_eq(&check("odd.fk endless --at 1 --at 2 --emit c"));
    let endless = check("odd.fk endless --steps 10000 --emit c");
    assert!(
        endless.starts_with("stderr: frank: error: endless cannot be staged: ")
            && endless.ends_with("exit 3\n"),
        "{endless}"
    );
}

#[test]
fn the_program_itself_is_not_overwritten() {
    let text = "include ad\n\ncube : X -> [Smooth X] X\ncube x = t x (t x x)\n";
    let dir = Dir::new(&[("cube.fk", text)]);
    for command in [
        "derive cube.fk cube --emit c",
        "plot cube.fk cube --format json",
    ] {
        let run = dir.run(&format!("{command} -o cube.fk"));
        assert_eq!(run.code, 2, "{}", run.whole());
        assert!(
            run.stderr.contains("this is a file of the program"),
            "{}",
            run.whole()
        );
        assert_eq!(dir.read("cube.fk"), text);
    }
}

/// What the code needs beside the functions takes none of their names.
#[test]
fn operators_are_called_as_what_the_code_needs() {
    let text = "include ad\n\nsign : X -> [Smooth X] X\nsign x = signS x\n\n\
                _log : X -> [Smooth X] X\n_log x = logS (logS x)\n";
    let dir = Dir::new(&[("names.fk", text)]);
    let emitted = |arguments: &str| {
        let run = dir.run(&format!("derive names.fk {arguments}"));
        assert_eq!(run.code, 0, "{}", run.whole());
        run.stdout
    };
    dir.write("sign.c", emitted("sign --emit c"));
    compile(&dir, "cc", &["-std=c11", "-Wall", "-c", "sign.c"]);
    let python = emitted("_log --emit python");
    assert_eq!(python.matches("def _log(").count(), 1, "{python}");
    assert!(python.contains("def _log_("), "{python}");
}

/// What numbers stand alone for is written without parentheses, of which `rustc` warns.
#[test]
fn rust_has_nothing_to_warn_of() {
    let text = "include ad\n\nnumbers : X -> [Smooth X] (List X)\nnumbers x = [c (-1.0 / 0.0), c (-2.5), \
                minS x (c (-1)), powS x (c (-2)), minus (c (-1)) x, divide x (c (-3))]\n";
    let dir = Dir::new(&[("numbers.fk", text)]);
    let run = dir.run("derive numbers.fk numbers --emit rust -o numbers.rs");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let arguments = ["--edition", "2024", "--crate-type", "lib", "-D", "warnings"];
    compile(&dir, &rustc, &[&arguments[..], &["numbers.rs"]].concat());
    let code = dir.read("numbers.rs");
    assert!(code.contains(" = -f64::INFINITY;"), "{code}");
}

#[test]
fn what_nobody_has_said_is_told() {
    let text = "include ad\n\npower : Int -> List X -> [Smooth X] X\npower n xs = powi (sumS xs) n\n\n\
                -- | at 3 [1, 2]\ncubed : Int -> List X -> [Smooth X] X\ncubed n xs = power n xs\n\n\
                _ : X -> [Smooth X] X\n_ x = t x x\n";
    let dir = Dir::new(&[("power.fk", text)]);
    let check = |arguments: &str| dir.run(&format!("derive power.fk {arguments}")).whole();
    expect![[r#"
        power = xs.1 + xs.2
        ∂power/∂xs.1 = 1
        ∂power/∂xs.2 = 1
        stderr: frank: power is staged for `n` = 1, `xs` of length 2: `--at`, or a line `-- | at …` above it, says it otherwise
        exit 0
    "#]]
    .assert_eq(&check("power --emit formula"));
    for said in [
        "cubed --emit formula",
        "power --at 3 --at [1,2] --emit formula",
    ] {
        let whole = check(said);
        assert!(!whole.contains("stderr"), "{whole}");
    }
    expect![[r#"
        stderr: frank: power.fk: an operator called `_` cannot be evaluated: in a term `_` is a hole. Give it another name
        exit 2
    "#]]
    .assert_eq(&check("_ --emit formula"));
}

/// Results that share nothing cost what they cost alone, and of one with an infinite slope the others know nothing.
#[test]
fn each_of_many_results_has_its_own_part() {
    let text = "include ad\n\nmany : Int -> X -> [Smooth X] (List X)\n\
                many k x = map {i -> sinS (t x (c (toFloat i)))} (range 1 k)\n\n\
                apart : X -> [Smooth X] (List X)\napart x = [logS x, t x x]\n";
    let dir = Dir::new(&[("many.fk", text)]);
    let run = dir.run("derive many.fk many --at 1500 --at 1.5 --steps 2000000 --emit json");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let lines = json["functions"][1]["lines"].as_array().unwrap();
    assert!(lines.len() < 8 * 1500, "{}", lines.len());
    assert_eq!(
        json["functions"][1]["results"].as_array().unwrap().len(),
        3000
    );
    let run = dir.run("derive many.fk apart --emit python");
    assert_eq!(run.code, 0);
    assert!(!run.stdout.contains("* 0.0"), "{}", run.stdout);
}

/// Where a limit is met, what takes less is written.
#[test]
fn a_limit_leaves_the_values() {
    let text = "include ad\n\nrounds : X -> X -> Int -> [Smooth X] X\nrounds x y 0 = t x y\n\
                rounds x y i = rounds (sinS (t x y)) y (i - 1)\n";
    let dir = Dir::new(&[("rounds.fk", text)]);
    let emitted = |steps: u64, order: u8| {
        dir.run(&format!(
            "derive rounds.fk rounds --at 0.5 --at 2 --at 100 --steps {steps} --order {order} --emit c"
        ))
    };
    let needed = |order: u8| {
        (0..)
            .map(|i| 1000 << i)
            .find(|steps| emitted(*steps, order).code == 0)
    };
    let (first, second) = (needed(1).unwrap(), needed(2).unwrap());
    assert!(first < second);
    let run = emitted(first, 2);
    assert_eq!(run.code, 3);
    assert!(
        run.stdout
            .contains("frank_rounds_derivatives(const double x[2], double y[3])"),
        "{}",
        run.stdout
    );
    assert!(
        run.stderr
            .contains("rounds: the code has no second derivatives: the step limit is reached"),
        "{}",
        run.stderr
    );
    let few = (1..)
        .map(|i| first - 500 * i)
        .find(|steps| emitted(*steps, 1).code == 3)
        .unwrap();
    let run = emitted(few, 1);
    assert!(
        run.stdout
            .contains("void frank_rounds(const double x[2], double y[1])"),
        "{}",
        run.whole()
    );
    assert!(!run.stdout.contains("_derivatives"), "{}", run.stdout);
    assert!(
        run.stderr.contains(
            "rounds: the code has its values alone, without derivatives: the step limit is reached"
        ),
        "{}",
        run.stderr
    );
}

/// What a graph cannot have is refused with its place, and with what there is instead, in every way to a graph.
#[test]
fn what_compares_is_refused_everywhere_with_its_place() {
    let sign = "include ad-compare\n\n\
                sign : X -> [Compare X, Smooth X] X\nsign x = if (lessS x (c 0)) {n x} {x}\n\n\
                below : X -> X -> [Compare X, Smooth X] Bool\nbelow x y = lessS x y\n\n\
                other : X -> [Compare X, Smooth X] X\nother x = if (below x (c 0)) {n x} {x}\n";
    let runs = "include ad-stage\n\nmain : [RefState] (List Float)\n\
                main! = runStaged (refuseCompare (stage {x -> if (lessS x (c 0)) {n x} {x}})) [2]\n";
    let dir = Dir::new(&[("sign.fk", sign), ("runs.fk", runs)]);
    let refused = |command: &str, place: &str| {
        let run = dir.run(command);
        assert_eq!((run.code, &*run.stdout), (3, ""), "{}", run.whole());
        for part in [
            "a comparison depends on the numbers",
            "`minS`, `maxS`, `absS` and `relu` choose",
            place,
        ] {
            assert!(run.stderr.contains(part), "{command}: {}", run.stderr);
        }
    };
    let languages = [
        "c", "rust", "python", "wat", "dot", "frank", "latex", "formula", "svg", "json",
    ];
    for language in languages {
        for (name, place) in [("sign", "sign.fk:4"), ("other", "sign.fk:7")] {
            refused(&format!("derive sign.fk {name} --emit {language}"), place);
        }
    }
    refused("derive sign.fk sign --order 2 --emit c", "sign.fk:4");
    refused("run runs.fk", "runs.fk:4:51");
}

#[cfg(feature = "plot")]
mod drawn {
    use crate::support::Dir;

    /// The titles of a picture's nodes, a line each.
    fn titles(svg: &str) -> Vec<String> {
        let parts = svg.split("<title>").skip(1);
        let title = |part: &str| part.split("</title>").next().unwrap().replace('\n', "; ");
        parts.map(title).collect()
    }

    const PROGRAM: &str = "\
include ad

wave : X -> X -> [Smooth X] X
wave x a = t a (sinS x)

twice : X -> [Smooth X] X
twice x =
  let y = wave x x in
  t y y

norm : List X -> [Smooth X] X
norm xs = sqrtS (dot xs xs)

both : X -> X -> [Smooth X] (Pair X X)
both x y = pair (expS x) (t x y)

steps : Int -> X -> [Smooth X] X
steps 0 x = x
steps i x = steps (i - 1) (p (sinS x) (c 0.5))

saved : Prop X -> [RevC X] (Prop X)
saved x = t x (checkpoint {cosS x})
";

    fn nodes(arguments: &str) -> Vec<String> {
        let dir = Dir::new(&[("wave.fk", PROGRAM)]);
        let run = dir.run(&format!("derive wave.fk {arguments} --emit svg"));
        assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.whole());
        titles(&run.stdout)
    }

    #[track_caller]
    fn has(nodes: &[String], parts: &[&str]) {
        let found = |node: &&String| parts.iter().all(|part| node.contains(part));
        assert!(
            nodes.iter().any(|node| found(&node)),
            "{parts:?}: {nodes:#?}"
        );
    }

    /// Each operation names where it stands, and what carries its derivative back names that, too.
    #[test]
    fn nodes_name_their_places() {
        let sine = [
            "sin of x",
            "initial program, wave.fk:4:17",
            "cos of x",
            "secondary program, back from wave.fk:4:17",
        ];
        let all = nodes("wave --fast-math");
        has(&all, &sine[..2]);
        has(&all, &sine[2..]);
        // The last one of its operator has no frame on the stack.
        has(&all, &["a × v0", "initial program, wave.fk:4:12"]);
        let all = nodes("twice");
        has(&all, &sine[..2]);
        has(&all, &sine[2..]);
        has(&all, &["v1 × v1", "initial program, wave.fk:9:3"]);
        has(&all, &["v1 + v3", "back from wave.fk:9:3"]);
        // All that the library does there is that call's.
        let all = nodes("norm --at [1,2]");
        has(&all, &["v0 + v1", "initial program, wave.fk:12:18"]);
        has(&all, &["0.5 ÷ v3", "back from wave.fk:12:11"]);
    }

    #[test]
    fn nodes_have_places_of_every_kind_of_derivative() {
        let kinds = [
            ("both", ["exp of x", "x × y"], ["15:18", "15:27"]),
            ("wave --order 2", ["sin of x", "a × v0"], ["4:17", "4:12"]),
            ("saved", ["cos of x", "sin of x"], ["22:28", "22:28"]),
        ];
        for (arguments, operations, places) in kinds {
            let all = nodes(arguments);
            for (operation, place) in operations.iter().zip(places) {
                has(&all, &[operation, &format!("wave.fk:{place}")]);
            }
            let mut of_program = all.iter().filter(|node| node.contains(" program"));
            assert!(of_program.all(|node| node.contains("wave.fk:")), "{all:#?}");
        }
    }

    /// A folded node names the places of most of its operations.
    #[test]
    fn folded_nodes_name_their_places() {
        let dir = Dir::new(&[("wave.fk", PROGRAM)]);
        let arguments = [
            "derive", "wave.fk", "steps", "--at", "1500 0.5", "--emit", "svg",
        ];
        let run = dir.run_with(&arguments);
        assert_eq!(run.code, 0, "{}", run.whole());
        let all = titles(&run.stdout);
        has(
            &all,
            &["1,500 sin in the initial program; 1,500 at wave.fk:19:31"],
        );
        has(
            &all,
            &[
                "1,500 cos in the secondary program",
                "1,500 at wave.fk:19:31",
            ],
        );
        assert!(run.stdout.contains("data-place=\"0\""));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_staging() {
    use std::io::{BufRead, BufReader};

    let endless =
        "include ad\n\nendless : Int -> X -> [Smooth X] X\nendless n x = endless n (t x x)\n";
    let dir = Dir::new(&[("e.fk", endless)]);
    for format in ["c", "latex", "json"] {
        let asked = format!("derive e.fk endless --emit {format} -o out");
        let mut child = dir.command(&asked).spawn().expect("it starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
        // For which numbers it is staged is said before that begins.
        let mut said = String::new();
        stderr.read_line(&mut said).expect("it says something");
        assert!(said.contains("is staged for"), "{said}");
        crate::support::interrupt(&child);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{format}");
        assert!(!dir.path().join("out").exists(), "{format}");
    }
}
