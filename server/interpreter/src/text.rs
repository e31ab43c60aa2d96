//! Numbers as text, for the operators of the library `text`.

use frank_staging::show_float;

/// So many digits can be asked for behind the point; every `Float` is exact with fewer.
const MOST_DIGITS: i64 = 1100;

/// The number that a text is: what the language has for a float or a decimal natural number, with a `-` in front or
/// without, or `inf`, `-inf` and `nan`. The nearest `Float`; nothing where that would be infinite.
pub fn parse_float(text: &str) -> Option<f64> {
    let (negative, size) = match text.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, text),
    };
    let number = match size {
        "inf" => f64::INFINITY,
        "nan" if !negative => f64::NAN,
        _ if is_decimal(size) => size
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())?,
        _ => return None,
    };
    Some(if negative { -number } else { number })
}

/// Digits, perhaps a point with digits behind it, perhaps an exponent.
fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (size, exponent) = match text.split_once(['e', 'E']) {
        Some((size, exponent)) => (size, Some(exponent)),
        None => (text, None),
    };
    let signless = |exponent: &str| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    exponent.is_none_or(signless)
        && match size.split_once('.') {
            Some((whole, fraction)) => digits(whole) && digits(fraction),
            None => digits(size),
        }
}

/// A float with so many digits behind the point, rounded from its exact value; halves go to the even digit.
///
/// # Errors
/// A sentence about a count of digits that is negative or too large.
pub fn show_float_to(digits: i64, number: f64) -> Result<String, String> {
    match usize::try_from(digits) {
        Ok(places) if digits <= MOST_DIGITS => Ok(match number.is_finite() {
            true => format!("{number:.places$}"),
            false => show_float(number),
        }),
        _ => Err(format!(
            "`showFloatTo` with {digits} digits behind the point, of which there can be 0 to {MOST_DIGITS}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_read_back() {
        for number in [
            0.1,
            -0.0,
            1e300,
            5e-324,
            f64::MAX,
            1.0 / 3.0,
            f64::NEG_INFINITY,
        ] {
            let read = parse_float(&show_float(number));
            assert_eq!(read.map(f64::to_bits), Some(number.to_bits()), "{number:?}");
        }
        assert!(parse_float("nan").is_some_and(f64::is_nan));
    }

    #[test]
    fn what_is_no_number_is_none() {
        let wrong = [
            "", "-", "1.", ".5", "1e", "1e+", "+1", "--1", " 1", "1 ", "1_0", "infinity", "-nan",
            "1e999", "0x1.0", "١",
        ];
        for text in wrong {
            assert_eq!(parse_float(text), None, "{text}");
        }
    }

    #[test]
    fn digits_behind_the_point_are_rounded_from_the_exact_value() {
        let shown = |digits, number| show_float_to(digits, number).unwrap_or_default();
        assert_eq!(shown(2, 2.675), "2.67");
        assert_eq!(shown(0, 2.5), "2");
        assert_eq!(shown(3, -1.0), "-1.000");
        assert_eq!(shown(3, f64::INFINITY), "inf");
        assert!(show_float_to(-1, 1.0).is_err());
        assert!(show_float_to(MOST_DIGITS + 1, 1.0).is_err());
    }
}
