//! The operators that are tried. One more is one more line.

use crate::program::{Ability, Shape};

/// A derivative as it is written inside of functions.
#[derive(Debug, PartialEq)]
pub struct Mode {
    /// The term: `@f` is the function, `@p` the point and `@w` the direction.
    pub call: &'static str,
    /// The operator that makes a number of the computation around one of the function.
    pub lift: &'static str,
    /// Whether the function takes a list.
    pub list: bool,
    /// Whether it needs cells.
    pub cells: bool,
    /// Whether the function may have checkpoints.
    pub checkpoints: bool,
}

impl Mode {
    /// Whether the direction is computed before the point.
    pub fn direction_first(&self) -> bool {
        matches!((self.call.find("@w"), self.call.find("@p")), (Some(w), Some(p)) if w < p)
    }
}

const fn forward(call: &'static str, list: bool) -> Mode {
    Mode {
        call,
        lift: "lift",
        list,
        cells: false,
        checkpoints: false,
    }
}

const fn reverse(call: &'static str, list: bool) -> Mode {
    Mode {
        call,
        lift: "liftr",
        list,
        cells: true,
        checkpoints: false,
    }
}

/// Taylor series.
const fn series(call: &'static str, list: bool) -> Mode {
    Mode {
        lift: "liftTaylor",
        ..forward(call, list)
    }
}

/// Reverse mode without cells.
const fn pure_reverse(call: &'static str, list: bool) -> Mode {
    Mode {
        lift: "liftm",
        ..forward(call, list)
    }
}

const fn checkpointed(call: &'static str, list: bool) -> Mode {
    Mode {
        checkpoints: true,
        ..reverse(call, list)
    }
}

/// One that stands here more often is written more often.
pub static MODES: &[Mode] = &[
    forward("d @f @p", false),
    forward("dv (valueDiff @f @p)", false),
    forward("directional @f @p @w", true),
    reverse("grad @f @p", false),
    reverse("dot @w (gradList @f @p)", true),
    reverse("dot @w (snd (valueGradList @f @p))", true),
    reverse(
        "case (gradLater @f @p) {(pair _ back) -> back (c 1)}",
        false,
    ),
    checkpointed("gradc @f @p", false),
    checkpointed("gradc @f @p", false),
    checkpointed("gradc @f @p", false),
    checkpointed("dot @w (gradcList @f @p)", true),
    pure_reverse("gradm @f @p", false),
    pure_reverse("gradm @f @p", false),
    pure_reverse("dot @w (gradmList @f @p)", true),
    pure_reverse("dot @w (snd (valueGradmList @f @p))", true),
    series("nthDerivative 1 @f @p", false),
    series("sumS (take 1 (rev (taylorAlong 1 @f @p @w)))", true),
];

/// A loop: `@n` is the number of steps, `@f` the step and `@p` the numbers that it begins with.
#[derive(Debug)]
pub struct Loop {
    pub call: &'static str,
    /// Whether it is for functions with checkpoints only.
    pub checkpoints: bool,
}

const fn checkpointed_loop(call: &'static str) -> Loop {
    Loop {
        call,
        checkpoints: true,
    }
}

pub static LOOPS: &[Loop] = &[
    Loop {
        call: "plainSteps @n @f @p",
        checkpoints: false,
    },
    checkpointed_loop("bisect @n @f @p"),
    checkpointed_loop("bisectTo 1 @n @f @p"),
    checkpointed_loop("bisectTo 2 @n @f @p"),
    checkpointed_loop("revolve 1 @n @f @p"),
    checkpointed_loop("revolve 3 @n @f @p"),
];

/// What a judged term has to give.
#[derive(Debug, Clone, Copy)]
pub enum Wanted {
    /// The derivative of this order of the first result in the first parameter.
    Order(usize),
    /// The value and the derivatives up to this order.
    Orders(usize),
    /// The derivative of this order, for every way to choose.
    Choices(usize),
    /// The value, and the derivative times each of these.
    Weighted(&'static [f64]),
    /// The derivative of each result in each parameter, one result after the other.
    Jacobian,
    /// The results, and the jacobian.
    ValueJacobian,
    /// The derivative of each result in the direction.
    Directional,
    /// The results, and their derivatives in the direction.
    ValueDirectional,
    /// The results, and the derivative of their weighted sum in each parameter.
    ValueWeighted,
    /// The same, and the second part thrice: as it is, ten times, and as it is.
    ValueWeightedThrice,
    Hessian,
    /// The Hessian times the direction.
    HessianVector,
}

/// A term that is judged: `@f` is the function, `@a` the point, `@w` the direction, `@v` the
/// weights of the results.
#[derive(Debug)]
pub struct Judged {
    pub call: &'static str,
    pub wanted: Wanted,
    pub shape: Shape,
    /// The functions that it takes.
    pub of: &'static [Ability],
    /// Whether it stands under `evaluate` and gives one number.
    pub plain: bool,
}

/// Any function without checkpoints.
const ANY: &[Ability] = &[Ability::Smooth, Ability::Cells];
/// Functions that can stand inside of a checkpoint.
const PURE: &[Ability] = &[Ability::Smooth];
const CHOICE: &[Ability] = &[Ability::Choice];
/// Functions with checkpoints.
const CHECKPOINTS: &[Ability] = &[Ability::Checkpoint, Ability::All];
/// Functions with checkpoints that can stand inside of one.
const CHECKPOINT: &[Ability] = &[Ability::Checkpoint];

const fn one(call: &'static str, order: usize, of: &'static [Ability]) -> Judged {
    Judged {
        call,
        wanted: Wanted::Order(order),
        shape: Shape::One,
        of,
        plain: true,
    }
}

const fn list(call: &'static str, wanted: Wanted, shape: Shape, of: &'static [Ability]) -> Judged {
    Judged {
        call,
        wanted,
        shape,
        of,
        plain: false,
    }
}

pub static JUDGED: &[Judged] = &[
    one("@f @a", 0, ANY),
    one("d @f @a", 1, ANY),
    one("grad @f @a", 1, ANY),
    one("gradc @f @a", 1, ANY),
    one("gradc {x -> checkpoint {@f x}} @a", 1, PURE),
    one(
        "gradc {x -> let y = checkpoint {@f x} in checkpoint {p x y}; y} @a",
        1,
        PURE,
    ),
    one("gradc {x -> checkpoint {@f (checkpoint {x})}} @a", 1, PURE),
    one("gradc {x -> sumS (remat {[@f x]})} @a", 1, ANY),
    one("dv (valueDiff @f @a)", 1, ANY),
    one(
        "fst (gradPair {z -> t (@f (fst z)) (snd z)} (pair @a 1))",
        1,
        ANY,
    ),
    one("fst (grad2 {x y -> t (@f x) y} @a 1)", 1, ANY),
    one("d {x -> d @f x} @a", 2, ANY),
    one("d2 @f @a", 2, ANY),
    one("d {x -> grad @f x} @a", 2, ANY),
    one("grad {x -> d @f x} @a", 2, ANY),
    one("grad {x -> grad @f x} @a", 2, ANY),
    one("gradc {x -> d @f x} @a", 2, ANY),
    one("gradc {x -> grad @f x} @a", 2, ANY),
    one("gradc {x -> gradc {y -> checkpoint {@f y}} x} @a", 2, PURE),
    one("gradc {x -> checkpoint {d @f x}} @a", 2, PURE),
    one("d {x -> gradc @f x} @a", 2, ANY),
    one("gradm @f @a", 1, ANY),
    one("d {x -> gradm @f x} @a", 2, ANY),
    one("gradm {x -> d @f x} @a", 2, ANY),
    one("gradm {x -> gradm @f x} @a", 2, ANY),
    one("grad {x -> gradm @f x} @a", 2, ANY),
    one("gradc {x -> checkpoint {gradm @f x}} @a", 2, PURE),
    one(
        "gradc {x -> case (remat {[x, gradm @f x]}) {[_, y] -> y}} @a",
        2,
        PURE,
    ),
    one("d3 @f @a", 3, ANY),
    one("nthDerivative 2 @f @a", 2, ANY),
    list(
        "evaluate (derivatives 3 @f @a)",
        Wanted::Orders(3),
        Shape::One,
        ANY,
    ),
    one("d {x -> nthDerivative 2 @f x} @a", 3, ANY),
    one("grad {x -> nthDerivative 1 @f x} @a", 2, ANY),
    one("gradm {x -> nthDerivative 1 @f x} @a", 2, ANY),
    one("gradc {x -> checkpoint {nthDerivative 1 @f x}} @a", 2, PURE),
    one(
        "nthDerivative 1 {x -> gradc {y -> checkpoint {@f y}} x} @a",
        2,
        PURE,
    ),
    one("nthDerivative 1 {x -> gradm @f x} @a", 2, ANY),
    one(
        "gradc {x -> sumS (bisectTo 1 3 {ys -> rev ys} [liftr 0, @f x, liftr 0])} @a",
        1,
        ANY,
    ),
    one("d {x -> grad {y -> d @f y} x} @a", 3, ANY),
    one("grad {x -> gradc {y -> checkpoint {d @f y}} x} @a", 3, PURE),
    list(
        "evaluate (case (gradLater @f @a) {(pair y back) -> [y, back 1, back 10, back 1]})",
        Wanted::Weighted(&[1.0, 10.0, 1.0]),
        Shape::One,
        ANY,
    ),
    one("gradc @f @a", 1, CHECKPOINTS),
    one("gradc {x -> checkpoint {@f x}} @a", 1, CHECKPOINT),
    one("gradc {x -> @f (checkpoint {x})} @a", 1, CHECKPOINTS),
    one(
        "gradc {x -> case (remat {[@f x, x]}) {[y, _] -> y}} @a",
        1,
        CHECKPOINTS,
    ),
    one("gradm {x -> gradc @f x} @a", 2, CHECKPOINTS),
    one("nthDerivative 1 {x -> gradc @f x} @a", 2, CHECKPOINTS),
    one("nthDerivative 2 {x -> gradc @f x} @a", 3, CHECKPOINTS),
    list(
        "evaluate (case (valueGradc @f @a) {(pair y g) -> [y, g]})",
        Wanted::Orders(1),
        Shape::One,
        CHECKPOINTS,
    ),
    one("d {x -> gradc @f x} @a", 2, CHECKPOINTS),
    one("grad {x -> gradc @f x} @a", 2, CHECKPOINTS),
    one("gradc {x -> gradc @f x} @a", 2, CHECKPOINTS),
    one("d {x -> d {y -> gradc @f y} x} @a", 3, CHECKPOINTS),
    list(
        "allChoices (evaluate (@f @a))",
        Wanted::Choices(0),
        Shape::One,
        CHOICE,
    ),
    list(
        "allChoices (evaluate (d @f @a))",
        Wanted::Choices(1),
        Shape::One,
        CHOICE,
    ),
    list(
        "evaluate (allChoices (d @f @a))",
        Wanted::Choices(1),
        Shape::One,
        CHOICE,
    ),
    list(
        "allChoices (evaluate (gradm @f @a))",
        Wanted::Choices(1),
        Shape::One,
        CHOICE,
    ),
    list(
        "allChoices (evaluate (nthDerivative 2 @f @a))",
        Wanted::Choices(2),
        Shape::One,
        CHOICE,
    ),
    list(
        "evaluate (allChoices (gradm @f @a))",
        Wanted::Choices(1),
        Shape::One,
        CHOICE,
    ),
    list(
        "allChoices (evaluate (d {x -> gradm @f x} @a))",
        Wanted::Choices(2),
        Shape::One,
        CHOICE,
    ),
    list(
        "allChoices (evaluate (gradm {x -> gradm @f x} @a))",
        Wanted::Choices(2),
        Shape::One,
        CHOICE,
    ),
    list("[evaluate (@f @a)]", Wanted::Order(0), Shape::Gradient, ANY),
    list(
        "[evaluate (directional @f @a @w)]",
        Wanted::Directional,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (gradList @f @a)",
        Wanted::Jacobian,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (gradcList @f @a)",
        Wanted::Jacobian,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (gradmList @f @a)",
        Wanted::Jacobian,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (case (valueGradList @f @a) {(pair y g) -> y :: g})",
        Wanted::ValueJacobian,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (concat (hessian @f @a))",
        Wanted::Hessian,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (take 1 (rev (taylorAlong 1 @f @a @w)))",
        Wanted::Directional,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (hvprf @f @a @w)",
        Wanted::HessianVector,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (hvprr @f @a @w)",
        Wanted::HessianVector,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (hvpff @f @a @w)",
        Wanted::HessianVector,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (hvpc @f @a @w)",
        Wanted::HessianVector,
        Shape::Gradient,
        CHECKPOINTS,
    ),
    list(
        "evaluate (hvp @f @a @w)",
        Wanted::HessianVector,
        Shape::Gradient,
        ANY,
    ),
    list(
        "evaluate (gradcList @f @a)",
        Wanted::Jacobian,
        Shape::Gradient,
        CHECKPOINTS,
    ),
    list(
        "evaluate (case (valueGradcList @f @a) {(pair y g) -> y :: g})",
        Wanted::ValueJacobian,
        Shape::Gradient,
        CHECKPOINTS,
    ),
    list(
        "evaluate (concat (jacobian {xs -> gradcList @f xs} @a))",
        Wanted::Hessian,
        Shape::Gradient,
        CHECKPOINTS,
    ),
    list(
        "evaluate (case (transpose (map {y -> [v y, dv y]} (jvp @f @a @w))) {[ys, dys] -> append ys dys})",
        Wanted::ValueDirectional,
        Shape::Jacobian,
        ANY,
    ),
    list(
        "evaluate (concat (jacobian @f @a))",
        Wanted::Jacobian,
        Shape::Jacobian,
        ANY,
    ),
    list(
        "evaluate (concat (jacobianr @f @a))",
        Wanted::Jacobian,
        Shape::Jacobian,
        ANY,
    ),
    list(
        "evaluate (case (vjp @f @a @v) {(pair ys g) -> append ys g})",
        Wanted::ValueWeighted,
        Shape::Jacobian,
        ANY,
    ),
    list(
        "evaluate (case (pullback @f @a) {(pair ys back) -> \
         concat [ys, back @v, back (map {w -> 10 * w} @v), back @v]})",
        Wanted::ValueWeightedThrice,
        Shape::Jacobian,
        ANY,
    ),
];
