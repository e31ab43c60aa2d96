//! Counts, times and amounts of memory as users write them.

use std::time::Duration;

/// A number of steps: digits, with `_` between them where one likes.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let number = text.replace('_', "").parse();
    number.map_err(|_| format!("`{text}` is no count: write a natural number such as `1_000_000`"))
}

/// A time: a number with the unit `ms`, `s` or `m`; without one it means seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("", 1.0)];
    let found = with_unit(text, &units).and_then(|time| Duration::try_from_secs_f64(time).ok());
    found.ok_or_else(|| {
        format!("`{text}` is no time: write a number with `ms`, `s` or `m`, such as `10s`")
    })
}

/// An amount of memory: a number with the unit `KiB`, `MiB` or `GiB` (also `K`, `M`, `G`); without
/// one it means bytes.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let units = [
        ("K", 1024.0),
        ("M", 1024.0 * 1024.0),
        ("G", 1024.0 * 1024.0 * 1024.0),
        ("", 1.0),
    ];
    let plain = text
        .strip_suffix("iB")
        .or_else(|| text.strip_suffix('B'))
        .unwrap_or(text);
    let found = with_unit(plain, &units).filter(|bytes| *bytes < 9_223_372_036_854_775_808.0);
    // Below 2^63, and a fraction of a byte is none.
    found.map(|bytes| bytes as u64).ok_or_else(|| {
        format!("`{text}` is no amount of memory: write a number with `KiB`, `MiB` or `GiB`, such as `2GiB`")
    })
}

fn with_unit(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (number, unit) = units
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
    let number: f64 = number.trim().replace('_', "").parse().ok()?;
    (number >= 0.0 && number.is_finite()).then_some(number * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_bytes("10K"), Ok(10240));
        assert_eq!(parse_bytes("2GiB"), Ok(2 << 30));
        for bad in ["", "x", "-1", "inf", "nan", "1e400"] {
            assert!(
                parse_duration(bad).is_err() && parse_bytes(bad).is_err(),
                "{bad}"
            );
        }
    }
}
