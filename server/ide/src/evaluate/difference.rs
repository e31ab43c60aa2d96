//! Derivatives by finite differences, to hold others against.
//!
//! Central differences at ever smaller steps are extrapolated to the step 0 (Richardson; the error is
//! estimated as in C. J. F. Ridders, "Accurate computation of F'(x) and F'(x)F''(x)", 1982): the
//! error of a central difference is a series in the square of the step. Where a function has a kink
//! this converges to what is no derivative, so one-sided differences are watched, too.

/// A derivative by differences.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    pub estimate: f64,
    /// How far from the derivative the estimate is expected to be at most.
    pub error: f64,
    /// How steep the function is near the point, or how large it is there for each part of the point.
    pub scale: f64,
    /// Why the estimate is none.
    pub trouble: Option<String>,
}

/// How a derivative compares with the differences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Agrees,
    Disagrees,
    /// Why nothing can be said.
    CannotTell(String),
}

/// The most steps that are tried.
const LEVELS: usize = 56;
/// Each step is this part of the one before. Halves would meet the period of a function again and
/// again, if they meet it once.
const RATIO: f64 = 1.0 / 1.7;
/// So many steps have to be looked at, whatever they say.
const LEAST: usize = 7;
/// So many steps after the best estimate show how far rounding scatters.
const LATER: usize = 4;
/// Steps below this part of the number are tiny.
const FINE: f64 = 1e-6;
/// Extrapolation by higher polynomials gains nothing.
const ORDER: usize = 7;
/// Estimates whose error is below this part of the numbers are good enough.
const GOOD: f64 = 1e-11;
/// Estimates whose error is above this part of the numbers say nothing.
const USELESS: f64 = 1e-4;
/// The first step is this part of the number or of 1, whichever is larger.
const FIRST: f64 = 0.1147;
/// Estimated errors are not exact.
const SAFETY: f64 = 10.0;
/// The smallest difference of two numbers.
const SMALLEST: f64 = f64::MIN_POSITIVE * f64::EPSILON;
const UNSETTLED: &str = "the differences do not settle";

impl Difference {
    fn none(why: &str) -> Difference {
        Difference {
            estimate: f64::NAN,
            error: f64::NAN,
            scale: f64::NAN,
            trouble: Some(why.to_owned()),
        }
    }

    /// What is known, or that it is not enough to say anything.
    fn of(estimate: f64, error: f64, scale: f64) -> Difference {
        if error > USELESS * estimate.abs().max(scale) {
            return Difference::none(UNSETTLED);
        }
        Difference {
            estimate,
            error,
            scale,
            trouble: None,
        }
    }

    /// The same, if values were counted in units `up`, and the point in units `across`.
    fn in_units(self, up: f64, across: f64) -> Difference {
        let of = |number: f64| number * up / across;
        Difference {
            estimate: of(self.estimate),
            error: of(self.error),
            scale: of(self.scale),
            trouble: self.trouble,
        }
    }

    /// Compares a derivative with the differences.
    pub fn verdict(&self, derivative: f64) -> Verdict {
        if let Some(trouble) = &self.trouble {
            return Verdict::CannotTell(trouble.clone());
        }
        let size = self.estimate.abs().max(self.scale);
        let size = match derivative.is_finite() {
            true => size.max(derivative.abs()),
            false => size,
        };
        match (derivative - self.estimate).abs() <= SAFETY * self.error + 1e-12 * size {
            true => Verdict::Agrees,
            false => Verdict::Disagrees,
        }
    }
}

/// What is known about one result of the function.
#[derive(Debug, Default)]
struct Tableau {
    last: Vec<f64>,
    /// How many steps gave numbers, without a gap.
    rows: usize,
    /// What came of the last step.
    estimate: Option<f64>,
    /// The best estimate, its error, and the step that it came of.
    best: Option<(f64, f64, f64)>,
    /// So many steps came after it.
    later: usize,
    /// How steep the function is between the places that gave the best estimate.
    around: f64,
    /// One-sided differences differ by so much at the last step.
    bend: Option<f64>,
    /// They did not come together where the best estimate was found.
    has_kink: bool,
    noise: f64,
}

impl Tableau {
    /// A value on either side of `x`, `step` away from it, and the one there. Small values are
    /// multiples of `smallest`.
    fn add(
        &mut self,
        (x, step): (f64, f64),
        (scale, smallest): (f64, f64),
        (before, middle, after): (f64, f64, f64),
    ) {
        let central = (after - before) / (2.0 * step);
        if !central.is_finite() {
            // What was found farther away says nothing about what is here.
            *self = Tableau::default();
            return;
        }
        // Where a function is flat at tiny steps alone, rounding in between has swallowed them.
        let flat = before == middle && middle == after && step < FINE;
        if flat && self.best.is_some_and(|(estimate, ..)| estimate != 0.0) {
            self.later += 1;
            self.noise = f64::INFINITY;
            return;
        }
        let largest = before.abs().max(after.abs()).max(middle.abs());
        let farther = (after - middle).abs().max((middle - before).abs());
        let slope = farther / step;
        // What is computed at a number is at best the rounded value at a number as near as rounding
        // can tell apart: where the function is steep, that outweighs the rounding of its values.
        let rounding = f64::EPSILON * (largest + slope * x.abs()) + smallest.min(largest);
        self.noise = 4.0 * rounding / step;
        let bend = ((after - middle) - (middle - before)).abs() / step;
        let earlier = self.bend.replace(bend);
        let mut row = vec![central];
        let mut factor = 1.0 / (RATIO * RATIO);
        let mut own: Option<(f64, f64)> = None;
        for before in self.last.iter().take(ORDER - 1) {
            let Some(now) = row.last().copied() else {
                break;
            };
            let next = now + (now - before) / (factor - 1.0);
            let error = (next - now).abs().max((next - before).abs()) + self.noise;
            if own.is_none_or(|(_, least)| error < least) {
                own = Some((next, error));
            }
            row.push(next);
            factor /= RATIO * RATIO;
        }
        self.last = row;
        self.rows += 1;
        let Some((estimate, error)) = own else { return };
        // Among many estimates some are next to each other by chance.
        let earlier_estimate = self.estimate.replace(estimate);
        let error = match earlier_estimate {
            Some(earlier) => error.max((estimate - earlier).abs()),
            None => error,
        };
        if self.rows < LEAST {
            return;
        }
        // At large steps all differences of what is bounded are small, and so are their errors.
        let part =
            |estimate: f64, error: f64| error / estimate.abs().max(scale).max(f64::MIN_POSITIVE);
        self.later += 1;
        // The rounding of what is computed in between shows in how later estimates scatter, the
        // more the smaller their steps are.
        if let Some((best, least, at)) = &mut self.best {
            *least = least.max((estimate - *best).abs() * (step / *at));
        }
        if self
            .best
            .is_none_or(|(best, least, _)| part(estimate, error) < part(best, least))
        {
            self.best = Some((estimate, error, step));
            self.later = 0;
            self.around = slope;
            self.has_kink = earlier.is_some_and(|earlier| bend > 0.8 * earlier)
                && bend > 32.0 * self.noise
                && bend > 1e-7 * estimate.abs();
        }
    }

    fn is_done(&self, scale: f64) -> bool {
        let Some((estimate, error, _)) = self.best else {
            return false;
        };
        if self.later < LATER {
            return false;
        }
        // Rounding outweighs what smaller steps would gain.
        let drowned = self.noise > 100.0 * error;
        drowned || error <= GOOD * estimate.abs().max(scale)
    }

    fn end(&self, scale: f64) -> Difference {
        let Some((estimate, error, _)) = self.best else {
            return Difference::none("it has no values on both sides of the point");
        };
        let found = Difference::of(estimate, error, scale.max(self.around));
        match self.has_kink && found.trouble.is_none() {
            true => Difference::none("it has a kink or a jump at the point"),
            false => found,
        }
    }
}

/// A power of two near a number, to count in: so nothing that is computed in between is too large
/// or too small.
fn unit(number: f64) -> f64 {
    let power =
        f64::from_bits(number.abs().max(f64::MIN_POSITIVE).to_bits() & f64::INFINITY.to_bits());
    match power.is_finite() && number != 0.0 {
        true => power,
        false => 1.0,
    }
}

/// The derivatives of all results of a function in one variable at `x`.
///
/// `middle` has the results at `x`; `at` gives them at another number, or says that it cannot.
/// With `whole` steps are integers, and the function is one of integers.
///
/// # Errors
/// What `at` says where it fails in a way that nothing else would change.
pub(super) fn differences<E>(
    x: f64,
    middle: &[f64],
    whole: bool,
    mut at: impl FnMut(f64) -> Result<Option<Vec<f64>>, E>,
) -> Result<Vec<Difference>, E> {
    if !x.is_finite() {
        let why = "the point is not finite";
        return Ok(middle.iter().map(|_| Difference::none(why)).collect());
    }
    let mut tableaus: Vec<Tableau> = middle.iter().map(|_| Tableau::default()).collect();
    let length = x.abs().max(1.0);
    if whole {
        let scales: Vec<f64> = middle.iter().map(|y| y.abs() / length).collect();
        return whole_differences(x, middle, &scales, at);
    }
    let across = unit(length);
    let ups: Vec<f64> = middle.iter().map(|y| unit(*y)).collect();
    let each = middle.iter().zip(&ups);
    let scales: Vec<f64> = each
        .map(|(y, up)| y.abs() / up / (length / across))
        .collect();
    let mut step = FIRST * length;
    for _ in 0..LEVELS {
        let (low, high) = (x - step, x + step);
        // The step as it comes to be by rounding.
        let width = (high - low) / 2.0;
        if width == 0.0 {
            break;
        }
        let missing = || vec![f64::NAN; middle.len()];
        let before = at(low)?.unwrap_or_else(missing);
        let after = at(high)?.unwrap_or_else(missing);
        let values = before.iter().zip(middle).zip(&after);
        let tableaus_with = tableaus.iter_mut().zip(scales.iter().zip(&ups));
        for ((tableau, (scale, up)), ((before, middle), after)) in tableaus_with.zip(values) {
            let values = (before / up, middle / up, after / up);
            tableau.add(
                (x / across, width / across),
                (*scale, SMALLEST / up),
                values,
            );
        }
        let mut all = tableaus.iter().zip(&scales);
        if all.all(|(tableau, scale)| tableau.is_done(*scale)) {
            break;
        }
        step *= RATIO;
    }
    let ends = tableaus.iter().zip(scales.iter().zip(&ups)).zip(middle);
    Ok(ends
        .map(
            |((tableau, (scale, up)), middle)| match middle.is_finite() {
                true => tableau.end(*scale).in_units(*up, across),
                false => Difference::none("the value is not finite"),
            },
        )
        .collect())
}

/// A function of integers that is differentiated is a polynomial: differences at the steps 1, 2, 3,
/// … give its derivative exactly as soon as there are as many as half its degree.
fn whole_differences<E>(
    x: f64,
    middle: &[f64],
    scales: &[f64],
    mut at: impl FnMut(f64) -> Result<Option<Vec<f64>>, E>,
) -> Result<Vec<Difference>, E> {
    /// Polynomials of twice that degree have their derivatives.
    const STEPS: u32 = 9;
    let mut last: Vec<Vec<f64>> = middle.iter().map(|_| Vec::new()).collect();
    let mut best: Vec<Option<(f64, f64)>> = middle.iter().map(|_| None).collect();
    for k in 1..=STEPS {
        let step = f64::from(k);
        let (Some(before), Some(after)) = (at(x - step)?, at(x + step)?) else {
            break;
        };
        let values = before
            .iter()
            .zip(&after)
            .zip(last.iter_mut().zip(&mut best));
        for ((before, after), (last, best)) in values {
            let mut row = vec![(after - before) / (2.0 * step)];
            // Neville's scheme in the square of the step.
            for (n, before) in last.iter().enumerate() {
                let Some(now) = row.last().copied() else {
                    break;
                };
                let earlier = step - (n as f64 + 1.0);
                let finer = earlier / step;
                let ratio = finer * finer;
                row.push(now + (now - before) / (ratio - 1.0));
            }
            if let [.., before, now] = &row[..]
                && best.is_none_or(|(_, error)| (now - before).abs() <= error)
            {
                *best = Some((*now, (now - before).abs()));
            }
            *last = row;
        }
    }
    Ok(best
        .iter()
        .zip(scales)
        .map(|(best, scale)| match best {
            Some((estimate, error)) => Difference::of(*estimate, *error, *scale),
            None => Difference::none("it has no values on both sides of the point"),
        })
        .collect())
}
