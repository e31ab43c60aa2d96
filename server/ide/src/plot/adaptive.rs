//! Where to look at a function of one variable so that its graph can be drawn: closer where it bends, and at poles,
//! jumps and edges of its domain, over which no line must go.

/// So many points, evenly spaced, are looked at first.
const FIRST: usize = 97;
/// So often intervals are halved.
const ROUNDS: usize = 8;
/// Points beyond which nothing more is looked at.
const MOST: usize = 2_000;
/// How far a graph may bend between two points, as a part of the visible height: less than a pixel.
const BEND: f64 = 0.001;
/// A jump over so great a part of the visible height may be one, if nothing smaller is nearby.
const JUMP: f64 = 0.02;
/// How many times the steps beside it a jump has to be.
const STEEPER: f64 = 6.0;
/// What part of a graph's points is left out of account at each end when its height is chosen.
const OUTLIERS: f64 = 0.05;
/// How far beyond the other points the graph may go and be shown whole, as a part of their height.
const BEYOND: f64 = 0.75;

/// How much higher than a function its derivatives may make a picture, at each end.
const MOST_HIGHER: f64 = 3.0;
/// The distance of graphs from the picture's edges, as a part of its height.
const MARGIN: f64 = 0.04;

/// A graph as it is found: points by their places.
#[derive(Debug, Clone)]
pub(super) struct Sampled {
    /// Each with a value, or nan where there is none.
    pub points: Vec<(f64, f64)>,
    /// Evenly spaced ones of these alone.
    even: Vec<f64>,
    /// No two points are closer than this.
    closest: f64,
}

/// Looks at a function between two places. `at` gives its value at each of some places; nan where it has none.
///
/// # Errors
/// What `at` gives as one ends it all.
pub(super) fn sample<E>(
    (from, to): (f64, f64),
    mut at: impl FnMut(&[f64]) -> Result<Vec<f64>, E>,
) -> Result<Sampled, E> {
    let place = |i: usize| {
        let part = i as f64 / (FIRST - 1) as f64;
        // Not `from + part * (to - from)`: the ends are met exactly, and nothing overflows.
        from * (1.0 - part) + to * part
    };
    let places: Vec<f64> = (0..FIRST).map(place).collect();
    let even = at(&places)?;
    let mut points: Vec<(f64, f64)> = places.into_iter().zip(even.iter().copied()).collect();
    let closest = (to / 2.0 - from / 2.0) * 2.0 / (FIRST - 1) as f64 / (1 << ROUNDS) as f64;
    for _ in 0..ROUNDS {
        let height = visible([&even[..]].into_iter());
        let Some((low, high)) = height else {
            break;
        };
        let split = bending(&points, (low, high), closest);
        let places: Vec<f64> = split.iter().map(|i| middle(&points, *i)).collect();
        if places.is_empty() || points.len() + places.len() > MOST {
            break;
        }
        let found = at(&places)?;
        points.extend(places.into_iter().zip(found));
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    Ok(Sampled {
        points,
        even,
        closest,
    })
}

fn middle(points: &[(f64, f64)], i: usize) -> f64 {
    let at = |i: usize| points.get(i).map_or(0.0, |point| point.0);
    at(i) / 2.0 + at(i + 1) / 2.0
}

/// Which intervals between neighbouring points must be halved.
fn bending(points: &[(f64, f64)], (low, high): (f64, f64), closest: f64) -> Vec<usize> {
    let mut split = vec![false; points.len()];
    let mut mark = |i: usize| {
        if let Some(one) = split.get_mut(i) {
            *one = true;
        }
    };
    let clamped = |y: f64| y.clamp(low - (high - low), high + (high - low));
    for (i, three) in points.windows(3).enumerate() {
        let [(x0, y0), (x1, y1), (x2, y2)] = *three else {
            continue;
        };
        let chord = y0 + (y2 - y0) * ((x1 - x0) / (x2 - x0));
        let outside = |above: bool| {
            let all = [y0, y1, y2];
            all.iter().all(|y| if above { *y > high } else { *y < low })
        };
        let bends = !outside(true) && !outside(false) && {
            // Of what is far beyond the picture only that it leaves it matters.
            let far = (clamped(y1) - clamped(chord)).abs() > BEND * (high - low);
            far || y0.is_finite() != y1.is_finite() || y1.is_finite() != y2.is_finite()
        };
        if bends {
            mark(i);
            mark(i + 1);
        }
    }
    let wide = |i: &usize| {
        let pair = points.get(*i).zip(points.get(i + 1));
        pair.is_some_and(|(a, b)| (b.0 - a.0) > 1.5 * closest)
    };
    (0..points.len().saturating_sub(1))
        .filter(|i| split.get(*i) == Some(&true))
        .filter(wide)
        .collect()
}

impl Sampled {
    /// Looks at a function of whole numbers, at each of them between two places.
    ///
    /// # Errors
    /// What `at` gives as one.
    pub fn at_whole<E>(
        (from, to): (f64, f64),
        mut at: impl FnMut(&[f64]) -> Result<Vec<f64>, E>,
    ) -> Result<Sampled, E> {
        let first = from.ceil();
        let count = (to.floor() - first + 1.0).max(0.0) as usize;
        let places: Vec<f64> = (0..count).map(|i| first + i as f64).collect();
        let even = at(&places)?;
        Ok(Sampled {
            points: places.into_iter().zip(even.iter().copied()).collect(),
            even,
            closest: 1.0,
        })
    }

    /// The graph's values at evenly spaced places.
    pub fn even(&self) -> &[f64] {
        &self.even
    }

    /// The pieces of the graph, cut where it has no value and where it jumps.
    pub fn pieces(&self, (low, high): (f64, f64)) -> Vec<Vec<(f64, f64)>> {
        let mut pieces = Vec::new();
        let mut own: Vec<(f64, f64)> = Vec::new();
        for (i, point) in self.points.iter().enumerate() {
            let cut = !point.1.is_finite() || (i > 0 && self.jumps(i - 1, (low, high)));
            if cut && !own.is_empty() {
                pieces.push(std::mem::take(&mut own));
            }
            if point.1.is_finite() {
                own.push(*point);
            }
        }
        pieces.push(own);
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }

    /// Whether there is no line from a point to the next one.
    fn jumps(&self, i: usize, (low, high): (f64, f64)) -> bool {
        let rise = |i: usize| {
            let (a, b) = (self.points.get(i)?, self.points.get(i + 1)?);
            Some((b.0 - a.0, b.1 - a.1))
        };
        let (Some((width, own)), Some((a, b))) = (
            rise(i),
            self.points
                .get(i)
                .zip(self.points.get(i + 1))
                .map(|(a, b)| (a.1, b.1)),
        ) else {
            return false;
        };
        // A pole between them: it leaves the picture at one side and comes back at the other.
        if (a < low && b > high) || (a > high && b < low) {
            return true;
        }
        if width > 3.0 * self.closest || own.abs() <= JUMP * (high - low) {
            return false;
        }
        let beside = [i.checked_sub(1), Some(i + 1)].into_iter().flatten();
        beside.filter_map(rise).all(|(other, rise)| {
            rise.is_finite() && own.abs() > STEEPER * rise.abs() * (width / other).max(1.0)
        })
    }
}

/// The height at which graphs are shown, by their values at evenly spaced places: whole where that is not too much,
/// else without what shoots up at a pole. Nothing if there are no values.
pub(super) fn visible<'a>(graphs: impl Iterator<Item = &'a [f64]>) -> Option<(f64, f64)> {
    let heights = graphs.filter_map(|values| {
        let mut finite: Vec<f64> = values.iter().copied().filter(|y| y.is_finite()).collect();
        finite.sort_by(f64::total_cmp);
        let last = finite.len().checked_sub(1)?;
        let at = |i: usize| finite.get(i).copied().unwrap_or_default();
        let left_out = (last as f64 * OUTLIERS) as usize;
        let (low, high) = (at(left_out), at(last - left_out));
        let (least, greatest) = (at(0), at(last));
        let more = BEYOND * (high - low);
        match high > low {
            true => Some((least.max(low - more), greatest.min(high + more))),
            false => Some((least, greatest)),
        }
    });
    let (low, high) = heights.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    let size = low.abs().max(high.abs());
    // A line that is level but for rounding.
    match high - low > 1e-12 * size {
        true => Some((low, high)),
        false if size == 0.0 => Some((-1.0, 1.0)),
        false => Some((low - 0.1 * size, high + 0.1 * size)),
    }
}

/// The height of a picture of a function and its derivatives: such that the function can still be seen, and nothing
/// lies on the picture's edge.
pub(super) fn together(
    function: Option<(f64, f64)>,
    derivatives: Option<(f64, f64)>,
) -> Option<(f64, f64)> {
    let (low, high) = match (function, derivatives) {
        (Some((low, high)), Some((least, greatest))) => {
            let more = MOST_HIGHER * (high - low);
            (
                low.min(least.max(low - more)),
                high.max(greatest.min(high + more)),
            )
        }
        (one, other) => one.or(other)?,
    };
    let margin = MARGIN * (high - low);
    let (wider_low, wider_high) = (low - margin, high + margin);
    match wider_low.is_finite() && wider_high.is_finite() {
        true => Some((wider_low, wider_high)),
        false => Some((low, high)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(of: impl Fn(f64) -> f64, range: (f64, f64)) -> (Vec<Vec<(f64, f64)>>, (f64, f64)) {
        let sampled = sample(range, |places| {
            Ok::<_, ()>(places.iter().map(|x| of(*x)).collect())
        });
        let sampled = sampled.expect("nothing fails");
        let height = visible([sampled.even()].into_iter()).expect("there are values");
        (sampled.pieces(height), height)
    }

    /// No piece spans a place.
    fn is_cut_at(pieces: &[Vec<(f64, f64)>], x: f64) -> bool {
        pieces.iter().all(|piece| {
            let ends = piece.first().zip(piece.last());
            ends.is_some_and(|(a, b)| b.0 <= x || a.0 >= x)
        })
    }

    #[test]
    fn a_pole_is_not_bridged_and_does_not_flatten_the_rest() {
        for shift in [0.0, 0.1234567, 1.0 / 3.0] {
            let (found, (low, high)) = pieces(|x| 1.0 / (x - shift), (-3.0, 3.0));
            assert_eq!(found.len(), 2, "at {shift}");
            assert!(is_cut_at(&found, shift), "at {shift}");
            assert!(low > -60.0 && high < 60.0, "{low} to {high}");
        }
        let (found, _) = pieces(f64::tan, (-4.5, 4.5));
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn a_jump_is_not_bridged_and_a_steep_slope_is() {
        let (found, _) = pieces(|x| if x < 0.7 { -1.0 } else { 1.0 }, (-3.0, 3.0));
        assert_eq!(found.len(), 2);
        assert!(is_cut_at(&found, 0.7));
        let (found, _) = pieces(|x| (200.0 * (x - 0.7)).tanh(), (-3.0, 3.0));
        assert_eq!(found.len(), 1);
        let (found, _) = pieces(f64::floor, (-2.5, 2.5));
        assert_eq!(found.len(), 6);
    }

    #[test]
    fn a_graph_ends_where_its_domain_does() {
        let (found, _) = pieces(f64::sqrt, (-1.0, 1.0));
        let first = found.first().and_then(|piece| piece.first());
        let (x, _) = first.copied().expect("there is a piece");
        assert!((0.0..1e-3).contains(&x), "begins at {x}");
    }

    #[test]
    fn a_kink_between_two_points_is_met() {
        let (found, _) = pieces(|x| (x - 0.01234).abs(), (-3.0, 3.0));
        let least = found
            .iter()
            .flatten()
            .map(|(_, y)| *y)
            .fold(f64::MAX, f64::min);
        assert!(least < 1e-3, "the least value drawn is {least}");
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn what_is_level_has_some_height() {
        let (_, height) = pieces(|_| 0.0, (-3.0, 3.0));
        assert_eq!(height, (-1.0, 1.0));
        let (found, (low, high)) = pieces(|_| 1e9, (-3.0, 3.0));
        assert!(low < 1e9 && high > 1e9);
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn a_function_is_seen_beside_its_steep_derivative() {
        let (low, high) = together(Some((-1.0, 1.0)), Some((-1e6, 1e6))).expect("a height");
        assert!(low > -10.0 && high < 10.0, "{low} to {high}");
        let (low, high) = together(Some((-1.0, 1.0)), Some((-0.5, 3.0))).expect("a height");
        assert!(low < -1.0 && high > 3.0 && high < 3.5, "{low} to {high}");
    }

    #[test]
    fn the_greatest_ranges_do_not_overflow() {
        let (found, _) = pieces(|x| x, (-f64::MAX, f64::MAX));
        assert!(found.iter().flatten().all(|(x, y)| x == y && x.is_finite()));
    }
}
