//! Numbers at axes: short, and no two alike.

/// More digits no number needs to be told from its neighbours.
const MOST_DIGITS: i32 = 17;
/// A number that is as far as this part of its axis from where it stands is not written there.
const AWAY: f64 = 0.01;

/// Whether a tick is where its number belongs. Where an axis has only a few numbers some ticks are between two of them,
/// and would have the same.
pub fn is_true(tick: f64, belongs: f64, (from, to): (f64, f64)) -> bool {
    (tick - belongs).abs() <= AWAY * (to - from).abs()
}

/// A number at an axis that goes from one value to another, with as many digits as tell it from its neighbours; with an
/// exponent where it is very large or small.
pub fn shown(value: f64, (from, to): (f64, f64)) -> String {
    // A tick at the end of a widest axis may stand where there are no numbers any more.
    if !value.is_finite() {
        return String::new();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = from.abs().max(to.abs());
    // The whole of it may be more than any number.
    let half = to / 2.0 - from / 2.0;
    // What is nearly 0 between others is what is left of rounding.
    if value.abs() / 2.0 < 1e-9 * half {
        return "0".to_owned();
    }
    let apart = libm::log10(size / 2.0 / half).ceil();
    let digits = if apart.is_finite() {
        apart as i32 + 3
    } else {
        MOST_DIGITS
    };
    let digits = digits.clamp(3, MOST_DIGITS) as usize;
    let scientific = format!("{value:.*e}", digits - 1);
    let Ok(rounded) = scientific.parse::<f64>() else {
        return scientific;
    };
    let exponent = libm::log10(rounded.abs());
    if (-4.0..7.0).contains(&exponent) {
        return rounded.to_string();
    }
    format!("{rounded:e}")
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn numbers_are_short_and_told_apart() {
        let at = [
            (-7.5, (-10.0, 10.0), "-7.5"),
            (0.30000000000000004, (0.0, 1.0), "0.3"),
            (1e-17, (-1.0, 1.0), "0"),
            (3e25, (0.0, 5e25), "3e25"),
            (-25000.0, (-1e5, 1e5), "-25000"),
            (2.5e-7, (0.0, 1e-6), "2.5e-7"),
            (5e307, (-1e308, 1e308), "5e307"),
            (f64::INFINITY, (1e308, 1.7e308), ""),
            (0.0, (0.0, 1e-323), "0"),
            (5e-324, (0.0, 5e-324), "5e-324"),
            (
                1.0000000000000002,
                (1.0, 1.0000000000000004),
                "1.0000000000000002",
            ),
            (
                10000000001.0,
                (10000000000.0, 10000000002.0),
                "1.0000000001e10",
            ),
        ];
        for (value, range, expected) in at {
            assert_eq!(shown(value, range), expected);
        }
    }
}
