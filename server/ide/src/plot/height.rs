//! From where to where a picture goes upwards.

/// What part of a graph's points is left out of account at each end at first: they may shoot up at a pole.
const OUTLIERS: f64 = 0.05;
/// How far beyond the other points the graph may go and be shown whole, as a part of their height.
const BEYOND: f64 = 0.75;
/// How much higher than a function its derivatives may make a picture, at each end.
const MOST_HIGHER: f64 = 3.0;
/// The distance of graphs from the picture's edges, as a part of its height.
const MARGIN: f64 = 0.04;

/// What was seen of a graph at places that are nearly evenly spaced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Seen {
    pub least: f64,
    pub greatest: f64,
    /// Without what may shoot up at a pole.
    pub usual: (f64, f64),
}

impl Seen {
    /// Nothing if no value is finite.
    pub fn of(values: &[f64]) -> Option<Seen> {
        let mut finite: Vec<f64> = values.iter().copied().filter(|y| y.is_finite()).collect();
        finite.sort_by(f64::total_cmp);
        let last = finite.len().checked_sub(1)?;
        let at = |i: usize| finite.get(i).copied().unwrap_or_default();
        let left_out = (last as f64 * OUTLIERS) as usize;
        let (low, high) = (at(left_out), at(last - left_out));
        let (least, greatest) = (at(0), at(last));
        let more = BEYOND * (high - low);
        let usual = match high > low {
            true => (least.max(low - more), greatest.min(high + more)),
            false => (least, greatest),
        };
        Some(Seen {
            least,
            greatest,
            usual,
        })
    }
}

/// The height of a picture of graphs that are worth seeing from their heights' ends to the others.
pub(super) fn all(heights: impl Iterator<Item = (f64, f64)>) -> Option<(f64, f64)> {
    heights.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// The height of a picture of a function and its derivatives: such that the function can still be seen, and nothing
/// lies on the picture's edge.
pub(super) fn together(
    function: Option<(f64, f64)>,
    derivatives: Option<(f64, f64)>,
) -> Option<(f64, f64)> {
    let function = function.map(widened);
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

/// A line that is level, but for rounding, gets some height.
fn widened((low, high): (f64, f64)) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    match high - low > 1e-12 * size {
        true => (low, high),
        false if size == 0.0 => (-1.0, 1.0),
        false => (low - 0.1 * size, high + 0.1 * size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_seen_beside_its_steep_derivative() {
        let (low, high) = together(Some((-1.0, 1.0)), Some((-1e6, 1e6))).expect("a height");
        assert!(low > -10.0 && high < 10.0, "{low} to {high}");
        let (low, high) = together(Some((-1.0, 1.0)), Some((-0.5, 3.0))).expect("a height");
        assert!(low < -1.0 && high > 3.0 && high < 3.5, "{low} to {high}");
    }
}
