//! Conversions of numbers that can fail.

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
    fn only_what_int_holds_converts() {
        assert_eq!(exact_int(3.0), Some(3));
        assert_eq!(exact_int(-9_223_372_036_854_775_808.0), Some(i64::MIN));
        assert_eq!(exact_int(9_223_372_036_854_775_808.0), None);
        assert_eq!(exact_int(f64::NAN), None);
    }
}
