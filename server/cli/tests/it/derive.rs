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
        exit 0
    "#]],
    );
    check(
        "area --at 2,3",
        expect![[r#"
        area 2 3 = 6
        ∂ area 2 3 = [3, 2]  (d, grad, gradc)
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
        exit 0
    "#]],
    );
}

#[test]
fn as_json() {
    check(
        "area --at 2,3 --json",
        expect![[r#"
        {"agree":true,"at":["2","3"],"derivatives":[{"by":"d","values":["3","2"]},{"by":"grad","values":["3","2"]},{"by":"gradc","values":["3","2"]}],"name":"area","value":"6"}
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
        "evaluate",
        expect![[r#"
        stderr: frank: cube.fk: `evaluate` has no derivative: its type is not `X -> … -> [Smooth X]X` for some such interface
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
        stderr: frank: error: loop: the step limit is reached after 10000 steps, in `t`, at library:/ad-paper.fk:47
        exit 3
    "#]],
    );
    check(
        "big --at 2",
        expect![[r#"
        stderr: frank: error: big: `9223372036854775807 * 2` overflows `Int`, at library:/ad-paper.fk:91
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
