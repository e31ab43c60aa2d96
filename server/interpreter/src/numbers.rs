//! Numbers as text, and the conversions that can fail.

/// The shortest text that reads back as the same float, always with a point or an exponent; or
/// `inf`, `-inf`, `nan`.
pub fn show_float(x: f64) -> String {
    if x.is_nan() {
        return "nan".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    format!("{x:?}")
}

/// The integer that a float without a fraction is, if `Int` holds it.
pub(crate) fn exact_int(x: f64) -> Option<i64> {
    // 2^63 is a float, the largest `Int` is not.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    (-LIMIT..LIMIT).contains(&x).then_some(x as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_read_back() {
        let cases = [
            (-7.0, "-7.0"),
            (1.5e-7, "1.5e-7"),
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
            (-0.0, "-0.0"),
            (123456.0, "123456.0"),
        ];
        for (x, text) in cases {
            assert_eq!(show_float(x), text);
        }
        for x in [1e16, 1e300, 5e-324, f64::MAX, 123456789012345680.0] {
            let text = show_float(x);
            assert!(text.contains('.') || text.contains('e'), "{text}");
            assert_eq!(text.parse(), Ok(x));
        }
    }

    #[test]
    fn only_what_int_holds_converts() {
        assert_eq!(exact_int(3.0), Some(3));
        assert_eq!(exact_int(-9_223_372_036_854_775_808.0), Some(i64::MIN));
        assert_eq!(exact_int(9_223_372_036_854_775_808.0), None);
        assert_eq!(exact_int(f64::NAN), None);
    }
}
