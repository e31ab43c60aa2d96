//! Numbers as the crate that draws can compute with them: it takes spans below its own precision for none, and what is
//! wider than all numbers has no span. Such axes are drawn with all numbers times a power of ten, and their ticks say
//! what they were.

use std::borrow::Cow;
use std::sync::Arc;

use frank_ide::plot::{Drawn, Plot, Shown};
use kuva::render::layout::TickFormat;

use crate::ticks::{is_true, shown};

/// Axes whose spans are between these are drawn as they are.
const USUAL: (f64, f64) = (1e-9, 1e15);

type Range = (f64, f64);

/// An axis, and the power of ten that its numbers are divided by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    power: i32,
    range: Range,
}

impl Scale {
    /// Of an axis that goes from one number to another.
    pub fn of(range: Range) -> Scale {
        let half = range.1 / 2.0 - range.0 / 2.0;
        let usual = USUAL.0 / 2.0 <= half && half <= USUAL.1 / 2.0;
        let power = libm::floor(libm::log10(half));
        let power = match usual || !power.is_finite() {
            true => 0,
            false => power as i32,
        };
        Scale { power, range }
    }

    fn is_none(self) -> bool {
        self.power == 0
    }

    /// A number as it is drawn.
    pub fn down(self, value: f64) -> f64 {
        times(value, -self.power)
    }

    /// The ends of the axis as they are drawn.
    pub fn ends(self) -> Range {
        (self.down(self.range.0), self.down(self.range.1))
    }

    /// How what is drawn is written beside the axis.
    pub fn ticks(self) -> TickFormat {
        TickFormat::Custom(Arc::new(move |drawn| {
            let value = times(drawn, self.power);
            match is_true(drawn, self.down(value), self.ends()) {
                true => shown(value, self.range),
                false => String::new(),
            }
        }))
    }

    fn all(self, values: &mut [f64]) {
        for value in values {
            *value = self.down(*value);
        }
    }
}

/// A number times a power of ten. Not all of them are numbers, but their halves are.
fn times(value: f64, power: i32) -> f64 {
    if power == 0 {
        return value;
    }
    let half = power / 2;
    value * libm::exp10(f64::from(half)) * libm::exp10(f64::from(power - half))
}

fn down_both(points: &mut [(f64, f64)], (right, up): (Scale, Scale)) {
    for (x, y) in points {
        (*x, *y) = (right.down(*x), up.down(*y));
    }
}

/// A plot with the numbers that are drawn, and what they are of those that were: to the right, upwards, and, of a
/// surface, out of the picture.
pub fn plot(plot: &Plot) -> (Cow<'_, Plot>, (Scale, Scale, Scale)) {
    let (right, up) = (Scale::of(plot.x), Scale::of(plot.y));
    let out = match plot.shown {
        Shown::Surface { z, .. } => Scale::of(z),
        Shown::Curves(_) => up,
    };
    let scales = (right, up, out);
    if right.is_none() && up.is_none() && out.is_none() {
        return (Cow::Borrowed(plot), scales);
    }
    let mut drawn = plot.clone();
    drawn.at = right.down(drawn.at);
    (drawn.x, drawn.y) = (right.ends(), up.ends());
    match &mut drawn.shown {
        Shown::Curves(curves) => {
            for curve in curves {
                for piece in &mut curve.pieces {
                    down_both(piece, (right, up));
                }
                curve.at = curve.at.map(|y| up.down(y));
            }
        }
        Shown::Surface {
            xs,
            ys,
            at,
            rows,
            z,
            ..
        } => {
            right.all(xs);
            up.all(ys);
            rows.iter_mut().for_each(|row| out.all(row));
            *z = out.ends();
            *at = up.down(*at);
        }
    }
    (Cow::Owned(drawn), scales)
}

/// What a program draws between axes with the numbers that are drawn; `ranges` are those of its points. An image's
/// numbers are colours, and a histogram's heights are counts.
pub fn drawn(drawn: &Drawn, (x, y): (Range, Range)) -> (Cow<'_, Drawn>, (Scale, Scale)) {
    let scales = (Scale::of(x), Scale::of(y));
    let (right, up) = scales;
    if right.is_none() && up.is_none() {
        return (Cow::Borrowed(drawn), scales);
    }
    let mut own = drawn.clone();
    match &mut own {
        Drawn::Lines(all) | Drawn::Points(all) => {
            for one in all {
                down_both(&mut one.points, scales);
            }
        }
        Drawn::Histogram { edges, .. } => right.all(edges),
        Drawn::Image(_) => {}
    }
    (Cow::Owned(own), scales)
}
