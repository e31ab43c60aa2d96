//! Where to look at a function of one variable so that its graph can be drawn: closer where it bends, and at poles,
//! jumps and edges of its domain, over which no line must go.

use super::clip::within;
use super::height::Seen;

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
/// So often a graph is followed upwards, or downwards, to where it is greatest, or least.
const CLIMB: usize = 80;
/// When it is so many times higher than what was seen at first, it is taken for a pole.
const POLE: f64 = 1e6;
/// A step of a climb has to gain such a part of the height.
const GAIN: f64 = 1e-3;
/// After so many steps that gain nothing a climb is over: a pole may be at either side of the highest point, and so close to
/// it that as many halvings only bring the next point closer.
const PATIENCE: usize = 14;

/// A graph as it is found: points by their places.
#[derive(Debug, Clone)]
pub(super) struct Sampled {
    /// Each with a value, or nan where there is none.
    points: Vec<(f64, f64)>,
    /// From where to where it is worth seeing; nothing if it has no values.
    height: Option<(f64, f64)>,
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
    let last = (FIRST - 1) as f64;
    let place = |i: usize| {
        // Evenly spaced places would see nothing of a wave that fits between them.
        let inner = i > 0 && i < FIRST - 1;
        let moved = if inner {
            0.6 * ((i as f64 * 0.618_034) % 1.0 - 0.5)
        } else {
            0.0
        };
        let part = (i as f64 + moved) / last;
        // Not `from + part * (to - from)`: the ends are met exactly, and nothing overflows.
        from * (1.0 - part) + to * part
    };
    let places: Vec<f64> = (0..FIRST).map(place).collect();
    let values = at(&places)?;
    let closest = (to / 2.0 - from / 2.0) * 2.0 / last / (1 << ROUNDS) as f64;
    let seen = Seen::of(&values);
    let mut found = Sampled {
        points: places.into_iter().zip(values).collect(),
        height: None,
        closest,
    };
    let Some(seen) = seen else {
        return Ok(found);
    };
    let (mut low, mut high) = seen.usual;
    let mut has_low_pole = found.leaves(seen.usual, -1.0) && !found.climb(&seen, -1.0, &mut at)?;
    let has_high_pole = found.leaves(seen.usual, 1.0) && !found.climb(&seen, 1.0, &mut at)?;
    if has_high_pole && !has_low_pole {
        // Who looks close to a pole sees its other side.
        has_low_pole = found.leaves(seen.usual, -1.0) && !found.climb(&seen, -1.0, &mut at)?;
    }
    let ends = |points: &[(f64, f64)], (low, high): (f64, f64)| {
        let finite = points.iter().map(|point| point.1).filter(|y| y.is_finite());
        finite.fold((low, high), |(low, high), y| {
            let low = if has_low_pole { low } else { low.min(y) };
            (low, if has_high_pole { high } else { high.max(y) })
        })
    };
    for _ in 0..ROUNDS {
        (low, high) = ends(&found.points, (low, high));
        let split = bending(&found.points, (low, high), closest);
        let places: Vec<f64> = split.iter().map(|i| middle(&found.points, *i)).collect();
        if places.is_empty() || found.points.len() + places.len() > MOST {
            break;
        }
        found.add(&places, &mut at)?;
    }
    found.height = Some(ends(&found.points, (low, high)));
    Ok(found)
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
        let values = at(&places)?;
        let height = Seen::of(&values).map(|seen| (seen.least, seen.greatest));
        Ok(Sampled {
            points: places.into_iter().zip(values).collect(),
            height,
            closest: 1.0,
        })
    }

    /// From where to where the graph is worth seeing.
    pub fn height(&self) -> Option<(f64, f64)> {
        self.height
    }

    fn add<E>(
        &mut self,
        places: &[f64],
        at: &mut impl FnMut(&[f64]) -> Result<Vec<f64>, E>,
    ) -> Result<(), E> {
        let values = at(places)?;
        self.points.extend(places.iter().copied().zip(values));
        self.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(())
    }

    /// Whether the graph goes beyond two heights, upwards or with a `side` of -1 downwards.
    fn leaves(&self, (low, high): (f64, f64), side: f64) -> bool {
        let mut values = self.points.iter().map(|point| point.1);
        match side > 0.0 {
            true => values.any(|y| y > high),
            false => values.any(|y| y < low),
        }
    }

    /// Follows the graph to its greatest value, or with a `side` of -1 to its least. Whether that is one: `false` at a
    /// pole.
    fn climb<E>(
        &mut self,
        seen: &Seen,
        side: f64,
        at: &mut impl FnMut(&[f64]) -> Result<Vec<f64>, E>,
    ) -> Result<bool, E> {
        let usual = seen.usual.1 - seen.usual.0;
        let mut before = f64::NEG_INFINITY;
        let mut idle = 0;
        for _ in 0..CLIMB {
            let values = self.points.iter().map(|point| side * point.1).enumerate();
            let top = values.filter(|(_, y)| !y.is_nan());
            let Some((i, top)) = top.max_by(|a, b| a.1.total_cmp(&b.1)) else {
                return Ok(true);
            };
            if top == f64::INFINITY || top - before.max(0.0) > f64::MAX / 2.0 {
                return Ok(false);
            }
            let first = if side > 0.0 {
                seen.greatest
            } else {
                -seen.least
            };
            if top.abs() > POLE * first.abs().max(usual) {
                return Ok(false);
            }
            idle = if top - before <= GAIN * usual {
                idle + 1
            } else {
                0
            };
            if idle > PATIENCE {
                return Ok(true);
            }
            before = top;
            let beside = [i.checked_sub(1), Some(i)].into_iter().flatten();
            let places = beside
                .filter(|i| i + 1 < self.points.len())
                .map(|i| middle(&self.points, i));
            let places: Vec<f64> = places.collect();
            self.add(&places, at)?;
        }
        Ok(true)
    }

    /// The pieces of the graph that are between two heights, cut where it has no value and where it jumps.
    pub fn pieces(&self, picture: (f64, f64)) -> Vec<Vec<(f64, f64)>> {
        let mut pieces = Vec::new();
        let mut own: Vec<(f64, f64)> = Vec::new();
        for (i, point) in self.points.iter().enumerate() {
            let cut = !point.1.is_finite() || (i > 0 && self.jumps(i - 1));
            if cut && !own.is_empty() {
                pieces.push(std::mem::take(&mut own));
            }
            if point.1.is_finite() {
                own.push(*point);
            }
        }
        pieces.push(own);
        let seen = pieces.iter().flat_map(|piece| within(piece, picture));
        seen.filter(|piece| !piece.is_empty()).collect()
    }

    /// Whether there is no line from a point to the next one.
    fn jumps(&self, i: usize) -> bool {
        let Some((low, high)) = self.height else {
            return false;
        };
        let rise = |i: usize| {
            let (a, b) = (self.points.get(i)?, self.points.get(i + 1)?);
            Some((b.1 - a.1).abs())
        };
        let (Some(own), Some((a, b))) = (rise(i), self.points.get(i).zip(self.points.get(i + 1)))
        else {
            return false;
        };
        // A pole between them: it leaves what is worth seeing at one side and comes back at the other.
        if (a.1 < low && b.1 > high) || (a.1 > high && b.1 < low) {
            return true;
        }
        if b.0 - a.0 > 3.0 * self.closest || own <= JUMP * (high - low) {
            return false;
        }
        // A point may lie within the jump: then the next interval jumps as well.
        let level = |one: Option<usize>, other: Option<usize>| {
            let rises = [one, other].into_iter().flatten().filter_map(rise);
            rises.filter(|rise| rise.is_finite()).reduce(f64::min)
        };
        let beside = [
            level(i.checked_sub(1), i.checked_sub(2)),
            level(Some(i + 1), Some(i + 2)),
        ];
        beside
            .into_iter()
            .flatten()
            .all(|rise| own > STEEPER * rise)
    }
}

#[cfg(test)]
mod tests {
    use super::super::height::together;
    use super::*;

    type Line = Vec<(f64, f64)>;
    type Function = fn(f64) -> f64;

    fn pieces(of: impl Fn(f64) -> f64, range: (f64, f64)) -> (Vec<Line>, (f64, f64)) {
        let sampled = sample(range, |places| {
            Ok::<_, ()>(places.iter().map(|x| of(*x)).collect())
        });
        let sampled = sampled.expect("nothing fails");
        let height = together(sampled.height(), None).expect("there are values");
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
        // Wherever they lie between the points that are looked at.
        for i in 0..300 {
            let from = -2.0 - f64::from(i) * 0.013;
            let (found, (low, high)) = pieces(|x| 1.0 / (x * (x - 3.0)), (from, 4.0));
            assert!(low > -200.0 && high < 200.0, "{low} to {high}, from {from}");
            let cut = is_cut_at(&found, 0.0) && is_cut_at(&found, 3.0);
            assert!(cut, "from {from}");
        }
        let (found, _) = pieces(libm::tan, (-4.5, 4.5));
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn a_jump_is_not_bridged_and_a_steep_slope_is() {
        let (found, _) = pieces(|x| if x < 0.7 { -1.0 } else { 1.0 }, (-3.0, 3.0));
        assert_eq!(found.len(), 2);
        assert!(is_cut_at(&found, 0.7));
        let (found, _) = pieces(|x| libm::tanh(200.0 * (x - 0.7)), (-3.0, 3.0));
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
        let (_, (low, high)) = pieces(|_| 0.0, (-3.0, 3.0));
        assert!(low <= -1.0 && high >= 1.0, "{low} to {high}");
        let (found, (low, high)) = pieces(|_| 1e9, (-3.0, 3.0));
        assert!(low < 1e9 && high > 1e9);
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn what_has_no_pole_is_seen_whole() {
        let whole: [(Function, (f64, f64), f64, f64); 4] = [
            (|x| libm::exp(-x * x), (-50.0, 50.0), 0.0, 1.0),
            (|x| 1.0 / (1.0 + x * x), (-100.0, 100.0), 0.0, 1.0),
            (|x| libm::exp(-x), (0.0, 50.0), 0.0, 1.0),
            (libm::exp, (-10.0, 10.0), 0.0, 22026.0),
        ];
        for (of, range, least, greatest) in whole {
            let (_, (low, high)) = pieces(of, range);
            assert!(low <= least && high >= 0.999 * greatest, "{low} to {high}");
        }
    }

    #[test]
    fn a_jump_at_a_point_is_not_bridged() {
        let (found, _) = pieces(|x| if x == 0.0 { 0.0 } else { x.signum() }, (-3.0, 3.0));
        assert!(is_cut_at(&found, 0.0), "{}", found.len());
        let (found, _) = pieces(|x| if x < -3.0 { -1.0 } else { 1.0 }, (-5.0, -1.0));
        assert!(is_cut_at(&found, -3.0));
    }

    #[test]
    fn a_pole_with_one_sign_leaves_the_picture() {
        let (found, (_, high)) = pieces(|x| 1.0 / ((x - 0.1234) * (x - 0.1234)), (-3.0, 3.0));
        assert!(high < 1e4, "{high}");
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_wave_between_even_places_is_seen() {
        let (_, (low, high)) = pieces(|x| libm::sin(32.0 * std::f64::consts::PI * x), (-3.0, 3.0));
        assert!(low < -0.99 && high > 0.99, "{low} to {high}");
    }

    #[test]
    fn the_greatest_ranges_do_not_overflow() {
        let (found, _) = pieces(|x| x, (-f64::MAX, f64::MAX));
        assert!(found.iter().flatten().all(|(x, y)| x == y && x.is_finite()));
    }
}
