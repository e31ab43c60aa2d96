//! `frank derive`.

use expect_test::{Expect, expect};

use crate::support::{BAD, Dir};

const CUBE: &str = "\
include ad-paper

-- | at 3
f : X -> [Smooth X]X
f x = p (c 1) (p (t (t x x) x) (n (t (c 4) (c 4))))

area : X -> X -> [Smooth X]X
area x y = t x y

loop : X -> [Smooth X]X
loop x = loop (t x x)

loud : X -> [Console, Smooth X]X
loud x = ouint 1; x

big : X -> [Smooth X]X
big x = t (c 9223372036854775807) x
";

fn check(arguments: &str, expected: Expect) {
    let dir = Dir::new(&[("cube.fk", CUBE)]);
    expected.assert_eq(&dir.run(&format!("derive cube.fk {arguments}")).whole());
}

#[test]
fn value_and_derivatives() {
    check(
        "f --at 2",
        expect![[r#"
        f 2 = -7
        ∂ f 2 = 12  (d, grad, gradc)
        exit 0
    "#]],
    );
    check(
        "f --at -2",
        expect![[r#"
        f -2 = -23
        ∂ f -2 = 12  (d, grad, gradc)
        exit 0
    "#]],
    );
    check(
        "area --at 2 --at 3",
        expect![[r#"
        area 2 3 = 6
        ∂ area 2 3 = [3, 2]  (d, grad, gradc)
          ∂/∂x = 3
          ∂/∂y = 2
        exit 0
    "#]],
    );
    check(
        "area --at 2,3",
        expect![[r#"
        area 2 3 = 6
        ∂ area 2 3 = [3, 2]  (d, grad, gradc)
          ∂/∂x = 3
          ∂/∂y = 2
        exit 0
    "#]],
    );
}

#[test]
fn without_a_point() {
    check(
        "f",
        expect![[r#"
        f 3 = 12
        ∂ f 3 = 27  (d, grad, gradc)
        exit 0
    "#]],
    );
    check(
        "area",
        expect![[r#"
        area 1 1 = 1
        ∂ area 1 1 = [1, 1]  (d, grad, gradc)
          ∂/∂x = 1
          ∂/∂y = 1
        exit 0
    "#]],
    );
}

#[test]
fn as_json() {
    check(
        "area --at 2,3 --json",
        expect![[r#"
        {"agree":true,"at":["2","3"],"derivatives":[{"by":"d","values":["3","2"]},{"by":"grad","values":["3","2"]},{"by":"gradc","values":["3","2"]}],"name":"area","value":"6","variables":["x","y"]}
        exit 0
    "#]],
    );
}

#[test]
fn library_operators_have_derivatives() {
    let dir = Dir::new(&[("a.fk", "include ad\n")]);
    expect![[r#"
        sigmoid 0.0 = 0.5
        ∂ sigmoid 0.0 = 0.25  (d, grad, gradc, gradm)
        exit 0
    "#]]
    .assert_eq(&dir.run("derive a.fk sigmoid --at 0").whole());
}

#[test]
fn what_is_refused() {
    check(
        "loud",
        expect![[r#"
        stderr: frank: cube.fk: `loud` cannot be evaluated: it uses the `Console`
        exit 2
    "#]],
    );
    check(
        "area --at 1",
        expect![[r#"
        stderr: frank: cube.fk: `area` takes 2 numbers, and 1 is given
        exit 2
    "#]],
    );
    check(
        "f --at one",
        expect![[r#"
        stderr: frank: cube.fk: `one` is no number
        exit 2
    "#]],
    );
    check(
        "f --at 1.5",
        expect![[r#"
        stderr: frank: cube.fk: the derivative is computed on `Int`, and `1.5` is no integer
        exit 2
    "#]],
    );
    check(
        "nobody",
        expect![[r#"
        stderr: frank: cube.fk: there is no operator `nobody`
        exit 2
    "#]],
    );
    check(
        "aera",
        expect![[r#"
        stderr: frank: cube.fk: there is no operator `aera`: did you mean `area`?
        exit 2
    "#]],
    );
    check(
        "evaluate",
        expect![[r#"
            stderr: frank: cube.fk: `evaluate` has no derivative: it handles the commands of an argument; it is `evaluate : <Smooth Int> X -> X`
            exit 2
        "#]],
    );
    let dir = Dir::new(&[("bad.fk", BAD)]);
    let refused = dir.run("derive bad.fk main").whole();
    assert!(refused.ends_with("exit 1\n"), "{refused}");
}

#[test]
fn what_has_no_value() {
    check(
        "loop --at 1 --steps 10_000",
        expect![[r#"
            stderr: frank: error: loop: the step limit is reached after 10000 steps, in `t`, at library:/ad-paper.fk:48
            exit 3
        "#]],
    );
    check(
        "big --at 2",
        expect![[r#"
            stderr: frank: error: big: `9223372036854775807 * 2` overflows `Int`, at library:/ad-paper.fk:92
            exit 3
        "#]],
    );
}

#[test]
fn disagreement() {
    let wrong = "
wrong : {(Dual X) -> [Smooth X, Smooth (Dual X)](Dual X)} -> X -> [Smooth X]X
wrong g x = p (c 1) (d g x)
";
    let dir = Dir::new(&[("a.fk", &format!("{CUBE}{wrong}"))]);
    expect![[r#"
        f 2 = -7
        ∂ f 2 = 13  (wrong)
        ∂ f 2 = 12  (d, grad, gradc)
        stderr: frank: error: the derivative operators disagree
        exit 1
    "#]]
    .assert_eq(&dir.run("derive a.fk f --at 2").whole());
}

const FLOATS: &str = "\
include ad
gradc : {Unit}
gradc! = unit
gradm : {Unit}
gradm! = unit

-- | at [1, 2] 3
energy : List X -> X -> [Smooth X] X
energy xs k = t k (dot xs xs)

power : Int -> X -> [Smooth X] X
power n x = powi x n

polar : Pair X X -> [Smooth X] (Pair X X)
polar (pair r phi) = pair (t r (cosS phi)) (t r (sinS phi))

kink : X -> [Smooth X] X
kink x = absS x

data One X = one X

scaled : Pair Int X -> [Smooth X] X
scaled (pair n x) = powi x n

only : One X -> [Smooth X] (One X)
only (one x) = one (powi x 3)

long : List X -> [Smooth X] X
long xs = sumS xs
";

fn check_floats(arguments: &[&str], expected: Expect) {
    let dir = Dir::new(&[("a.fk", FLOATS)]);
    let arguments: Vec<&str> = ["derive", "a.fk"]
        .into_iter()
        .chain(arguments.iter().copied())
        .collect();
    expected.assert_eq(&dir.run_with(&arguments).whole());
}

#[test]
fn lists_and_pairs() {
    check_floats(
        &["energy"],
        expect![[r#"
        energy [1.0, 2.0] 3.0 = 15.0
        ∂ energy [1.0, 2.0] 3.0 = [[6.0, 12.0], 5.0]  (d, grad)
          ∂/∂xs.1 = 6.0
          ∂/∂xs.2 = 12.0
          ∂/∂k    = 5.0
        exit 0
    "#]],
    );
    check_floats(
        &["energy", "--at", "[1]", "--at", "-2"],
        expect![[r#"
        energy [1.0] -2.0 = -2.0
        ∂ energy [1.0] -2.0 = [[-4.0], 1.0]  (d, grad)
          ∂/∂xs.1 = -4.0
          ∂/∂k    = 1.0
        exit 0
    "#]],
    );
    check_floats(
        &["polar", "--at", "pair 2 0", "--order", "2"],
        expect![[r#"
            polar (pair 2.0 0.0) = pair 2.0 0.0
            ∂ polar (pair 2.0 0.0) = pair (pair 1.0 -0.0) (pair 0.0 2.0)  (d, grad)
              ∂polar.1/∂r   = 1.0
              ∂polar.1/∂phi = -0.0
              ∂polar.2/∂r   = 0.0
              ∂polar.2/∂phi = 2.0
            ∂² polar (pair 2.0 0.0)  (d of d, grad of d, d of grad, grad of grad)
              ∂²polar.1     r   phi
              r           0.0  -0.0
              phi        -0.0  -2.0
              ∂²polar.2    r   phi
              r          0.0   1.0
              phi        1.0  -0.0
            exit 0
        "#]],
    );
    check_floats(
        &["energy", "--at", "1 2"],
        expect![[r#"
        stderr: frank: a.fk: `1` stands where a list such as `[1, 2]` is needed
        exit 2
    "#]],
    );
    let many = format!("[{}]", vec!["1"; 30].join(","));
    check_floats(
        &["long", "--at", &many],
        expect![[r#"
        long [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0] = 30.0
        ∂ long [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0] = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]  (d, grad)
          ∂/∂xs.1  = 1.0
          ∂/∂xs.2  = 1.0
          ∂/∂xs.3  = 1.0
          ∂/∂xs.4  = 1.0
          ∂/∂xs.5  = 1.0
          ∂/∂xs.6  = 1.0
          ∂/∂xs.7  = 1.0
          ∂/∂xs.8  = 1.0
          ∂/∂xs.9  = 1.0
          ∂/∂xs.10 = 1.0
          ∂/∂xs.11 = 1.0
          ∂/∂xs.12 = 1.0
          ∂/∂xs.13 = 1.0
          ∂/∂xs.14 = 1.0
          ∂/∂xs.15 = 1.0
          ∂/∂xs.16 = 1.0
          ∂/∂xs.17 = 1.0
          ∂/∂xs.18 = 1.0
          ∂/∂xs.19 = 1.0
          ∂/∂xs.20 = 1.0
          ∂/∂xs.21 = 1.0
          ∂/∂xs.22 = 1.0
          ∂/∂xs.23 = 1.0
          ∂/∂xs.24 = 1.0
          … and 6 more
        exit 0
    "#]],
    );
}

#[test]
fn several_points() {
    check_floats(
        &["power", "--at", "3 2", "--at", "3 nan", "--at", "-1,inf"],
        expect![[r#"
            power 3 2.0 = 8.0
            ∂ power 3 2.0 = 12.0  (d, grad)
            power 3 nan = nan
            ∂ power 3 nan = nan  (d, grad)
            power (-1) inf = 0.0
            ∂ power (-1) inf = -0.0  (d, grad)
            exit 0
        "#]],
    );
    check_floats(
        &["kink", "--at", "1", "--at", "-inf"],
        expect![[r#"
        kink 1.0 = 1.0
        ∂ kink 1.0 = 1.0  (d, grad)
        kink -inf = inf
        ∂ kink -inf = -1.0  (d, grad)
        exit 0
    "#]],
    );
    check_floats(
        &["power", "--at", "3 2", "--at", "3"],
        expect![[r#"
        stderr: frank: a.fk: `power` takes 2 arguments, and 3 are given
        exit 2
    "#]],
    );
    check_floats(
        &["power", "--at", "3 2", "--at", "2 1", "--json"],
        expect![[r#"
            {"agree":true,"at":["3","2.0"],"derivatives":[{"by":"d","values":["12.0"]},{"by":"grad","values":["12.0"]}],"name":"power","value":"8.0","variables":["x"]}
            {"agree":true,"at":["2","1.0"],"derivatives":[{"by":"d","values":["2.0"]},{"by":"grad","values":["2.0"]}],"name":"power","value":"1.0","variables":["x"]}
            exit 0
        "#]],
    );
}

#[test]
fn finite_differences() {
    check_floats(
        &["energy", "--check"],
        expect![[r#"
            energy [1.0, 2.0] 3.0 = 15.0
            ∂ energy [1.0, 2.0] 3.0 = [[6.0, 12.0], 5.0]  (d, grad)
              ∂/∂xs.1 = 6.0   differences agree: 6.000000000000296 ± 4e-12
              ∂/∂xs.2 = 12.0  differences agree: 11.999999999999785 ± 4e-12
              ∂/∂k    = 5.0   differences agree: 4.999999999999962 ± 2e-12
            exit 0
        "#]],
    );
    check_floats(
        &["kink", "--at", "0", "--check"],
        expect![[r#"
        kink 0.0 = 0.0
        ∂ kink 0.0 = 0.0  (d, grad)
          ∂/∂x = 0.0  differences cannot tell: it has a kink or a jump at the point
        exit 0
    "#]],
    );
    check_floats(
        &["kink", "--at", "0", "--check", "--json"],
        expect![[r#"
        {"agree":true,"at":["0.0"],"checked":true,"derivatives":[{"by":"d","differences":[{"says":"cannot tell","why":"it has a kink or a jump at the point"}],"values":["0.0"]},{"by":"grad","differences":[{"says":"cannot tell","why":"it has a kink or a jump at the point"}],"values":["0.0"]}],"name":"kink","value":"0.0","variables":["x"]}
        exit 0
    "#]],
    );
    let wrong = FLOATS.replace(
        "include ad\n",
        "include ad
wrong : {(Dual X) -> [Smooth X, Smooth (Dual X)](Dual X)} -> X -> [Smooth X]X
wrong g x = p (c 1) (d g x)
",
    );
    let dir = Dir::new(&[("a.fk", &wrong)]);
    expect![[r#"
        power 2 3.0 = 9.0
        ∂ power 2 3.0 = 7.0  (wrong)
          ∂/∂x = 7.0  differences DISAGREE: 6.0 ± 2e-12
        ∂ power 2 3.0 = 6.0  (d, grad)
          ∂/∂x = 6.0  differences agree: 6.0 ± 2e-12
        stderr: frank: error: the derivative operators disagree
        stderr: frank: error: a derivative is not what the finite differences give
        exit 1
    "#]]
    .assert_eq(&dir.run("derive a.fk power --at 2 --at 3 --check").whole());
}

#[test]
fn points_that_say_nothing() {
    for nothing in ["", " , "] {
        let dir = Dir::new(&[("cube.fk", CUBE)]);
        let said = dir.run_with(&["derive", "cube.fk", "area", "--at", nothing]);
        expect![[r#"
            stderr: frank: cube.fk: no point is given: `area` takes 2 numbers, such as `1 1`
            exit 2
        "#]]
        .assert_eq(&said.whole());
    }
    let broken = CUBE.replace("-- | at 3", "-- | at [1");
    let dir = Dir::new(&[("cube.fk", &broken)]);
    expect![[r#"
        f 1 = -14
        ∂ f 1 = 3  (d, grad, gradc)
        stderr: frank: warning: `| at [1` says no point: `[` stands where a number is needed; the point is 1
        exit 0
    "#]].assert_eq(&dir.run("derive cube.fk f").whole());
}

#[test]
fn what_has_failed_does_not_agree() {
    check(
        "big --at 2 --json",
        expect![[r#"
        {"agree":null,"at":["2"],"derivatives":[{"by":"d","error":"`9223372036854775807 * 2` overflows `Int`","values":[]},{"by":"grad","error":"`9223372036854775807 * 2` overflows `Int`","values":[]},{"by":"gradc","error":"`9223372036854775807 * 2` overflows `Int`","values":[]}],"name":"big","value":null,"variables":["x"]}
        stderr: frank: error: big: `9223372036854775807 * 2` overflows `Int`, at library:/ad-paper.fk:92
        exit 3
    "#]],
    );
    check(
        "big --at 2 --json --check",
        expect![[r#"
            {"agree":null,"at":["2"],"checked":null,"derivatives":[{"by":"d","error":"`9223372036854775807 * 2` overflows `Int`","values":[]},{"by":"grad","error":"`9223372036854775807 * 2` overflows `Int`","values":[]},{"by":"gradc","error":"`9223372036854775807 * 2` overflows `Int`","values":[]}],"name":"big","value":null,"variables":["x"]}
            stderr: frank: error: big: `9223372036854775807 * 2` overflows `Int`, at library:/ad-paper.fk:92
            exit 3
        "#]],
    );
}

#[test]
fn shapes_are_kept() {
    check_floats(
        &["scaled", "--at", "pair 3 2"],
        expect![[r#"
        scaled (pair 3 2.0) = 8.0
        ∂ scaled (pair 3 2.0) = pair _ 12.0  (d, grad)
        exit 0
    "#]],
    );
    check_floats(
        &["only", "--at", "one 2", "--order", "2"],
        expect![[r#"
        only (one 2.0) = one 8.0
        ∂ only (one 2.0) = one (one 12.0)  (d, grad)
        ∂² only (one 2.0) = one (one (one 12.0))  (d of d, grad of d, d of grad, grad of grad)
        exit 0
    "#]],
    );
}

#[test]
fn hessians_are_matrices() {
    check_floats(
        &["energy", "--order", "2"],
        expect![[r#"
        energy [1.0, 2.0] 3.0 = 15.0
        ∂ energy [1.0, 2.0] 3.0 = [[6.0, 12.0], 5.0]  (d, grad)
          ∂/∂xs.1 = 6.0
          ∂/∂xs.2 = 12.0
          ∂/∂k    = 5.0
        ∂² energy [1.0, 2.0] 3.0  (d of d, grad of d, d of grad, grad of grad)
                xs.1  xs.2    k
          xs.1   6.0   0.0  2.0
          xs.2   0.0   6.0  4.0
          k      2.0   4.0  0.0
        exit 0
    "#]],
    );
    let many = format!("[{}]", vec!["1"; 26].join(","));
    let dir = Dir::new(&[("a.fk", FLOATS)]);
    let said = dir.run_with(&["derive", "a.fk", "long", "--order", "2", "--at", &many]);
    assert!(said.whole().contains("… and 2 more rows and columns"));
}

#[test]
fn checkpoints_are_not_left_to_the_paper() {
    let text = "
f : Prop X -> [Checkpoint X [F|], Smooth (Prop X)] (Prop X)
f x = let y = t x x in checkpoint {t y y}
g : X -> [RefState, Smooth X] X
g x = gradc f x
";
    for library in ["ad", "ad-paper"] {
        let dir = Dir::new(&[("a.fk", &format!("include {library}\n{text}"))]);
        for name in ["f", "g"] {
            let said = dir.run(&format!("derive a.fk {name} --at 3")).whole();
            let refused = said.contains("Where the paper's checkpoints fail");
            assert_eq!(refused, library == "ad-paper", "{said}");
        }
    }
}
