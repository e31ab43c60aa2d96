//! The functions of floats whose last digit IEEE 754 leaves open.
//!
//! `f64`'s own methods call the C library of the system, and those of two systems differ: in a
//! tenth of all values of `exp`, for one. These are plain Rust, the same for every target, so that
//! a program has the same value everywhere. Arithmetic, `sqrt`, `abs`, rounding, and the
//! conversions to and from text are exact or correctly rounded by themselves.

pub(crate) use libm::{acos, asin, atan, cos, cosh, exp, log, pow, sin, sinh, tan, tanh};

#[cfg(test)]
mod tests {
    use super::*;

    type Function = fn(f64) -> f64;

    /// The bits of results are the same whatever runs this test.
    #[test]
    fn values_are_the_same_everywhere() {
        let functions: [(&str, Function); 11] = [
            ("acos", acos),
            ("asin", asin),
            ("atan", atan),
            ("cos", cos),
            ("cosh", cosh),
            ("exp", exp),
            ("log", log),
            ("sin", sin),
            ("sinh", sinh),
            ("tan", tan),
            ("tanh", tanh),
        ];
        // Steps that meet no pattern of the argument reductions.
        let points: Vec<f64> = (-2000..2000).map(|i| f64::from(i) * 0.031_415_7).collect();
        let mut shown = String::new();
        for (name, function) in functions {
            let bits = points.iter().map(|x| function(*x));
            shown += &format!("{name} {:016x}\n", digest(bits));
        }
        let powers = points
            .iter()
            .flat_map(|x| [0.5, 1.7, -2.3, 3.0].map(|y| pow(x.abs(), y)));
        shown += &format!("pow {:016x}\n", digest(powers));
        expect_test::expect![[r#"
            acos a60d1d6dac5f2829
            asin 23ed6d88177dd258
            atan df39e813aa40358f
            cos e32bb1fdc642364a
            cosh c9391975a82ccb85
            exp 23fcfe2b25deef29
            log c9cdf1f24f9ee987
            sin 5c1de3ce2f0376d4
            sinh 64934f2399778fc0
            tan 2d3dc74fbd4e4f12
            tanh 57ffa18a29770ec0
            pow b0ed4d9a4399cc58
        "#]]
        .assert_eq(&shown);
    }

    /// FNV-1a over the bits; all `nan`s are one, since nothing in a program tells them apart.
    fn digest(values: impl Iterator<Item = f64>) -> u64 {
        values
            .map(|x| {
                if x.is_nan() {
                    f64::NAN.to_bits()
                } else {
                    x.to_bits()
                }
            })
            .flat_map(u64::to_le_bytes)
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }

    #[test]
    fn edges_are_those_of_ieee() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let cases = [
            (exp(-inf), 0.0),
            (exp(1000.0), inf),
            (exp(0.0), 1.0),
            (log(0.0), -inf),
            (log(1.0), 0.0),
            (pow(nan, 0.0), 1.0),
            (pow(1.0, nan), 1.0),
            (pow(-8.0, 3.0), -512.0),
            (pow(0.0, -1.0), inf),
            (pow(-0.0, -1.0), -inf),
            (tanh(1000.0), 1.0),
            (tanh(-inf), -1.0),
            (atan(inf), std::f64::consts::FRAC_PI_2),
            (cosh(-inf), inf),
            (sinh(-inf), -inf),
            (sin(-0.0), -0.0),
            (cos(0.0), 1.0),
            (asin(1.0), std::f64::consts::FRAC_PI_2),
            (acos(1.0), 0.0),
        ];
        for (i, (found, expected)) in cases.into_iter().enumerate() {
            assert_eq!(found.to_bits(), expected.to_bits(), "case {i}: {found}");
        }
        for undefined in [
            log(-1.0),
            pow(-8.0, 0.5),
            asin(2.0),
            acos(2.0),
            sin(inf),
            tan(nan),
        ] {
            assert!(undefined.is_nan());
        }
    }
}
