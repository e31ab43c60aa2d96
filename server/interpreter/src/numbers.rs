//! What is computed with numbers and can fail: conversions, operations on bits.

use frank_core::Builtin;

/// The integer that a float without a fraction is, if `Int` holds it.
pub(crate) fn exact_int(x: f64) -> Option<i64> {
    // 2^63 is a float, the largest `Int` is not.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    (-LIMIT..LIMIT).contains(&x).then_some(x as i64)
}

/// An operation on the bits of integers in two's complement. Bits that are shifted out are gone; what comes in from the
/// left repeats the sign.
///
/// # Errors
/// A sentence about a shift by less than 0 or more than 63 bits.
pub fn bits(operation: Builtin, x: i64, y: i64) -> Result<i64, String> {
    let by = || match u32::try_from(y) {
        Ok(by) if by < i64::BITS => Ok(by),
        _ => Err(format!(
            "`{}` by {y} bits, and an `Int` can be shifted by 0 to 63",
            operation.name()
        )),
    };
    Ok(match operation {
        Builtin::BitOr => x | y,
        Builtin::BitXor => x ^ y,
        Builtin::ShiftLeft => x << by()?,
        Builtin::ShiftRight => x >> by()?,
        _ => x & y,
    })
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
