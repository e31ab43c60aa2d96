//! Floats as text that reads back as the same float, bit for bit but for what a `nan` holds.

/// A float, given how a language writes the infinite one and what is no number; a sign stands in parentheses.
pub(crate) fn in_parentheses(number: f64, infinity: &str, nan: &str) -> String {
    let text = plain(number.abs(), infinity, nan);
    match number.is_sign_negative() && !number.is_nan() {
        true => format!("(-{text})"),
        false => text,
    }
}

/// A float with its sign in front.
pub(crate) fn plain(number: f64, infinity: &str, nan: &str) -> String {
    if number.is_nan() {
        nan.to_owned()
    } else if number.is_infinite() {
        let sign = if number < 0.0 { "-" } else { "" };
        format!("{sign}{infinity}")
    } else {
        // The shortest text that reads back; always with a point or an exponent.
        format!("{number:?}")
    }
}

/// A float as Frank shows it: the shortest text that reads back as the same, always with a point or an exponent; or
/// `inf`, `-inf`, `nan`.
pub fn show_float(number: f64) -> String {
    plain(number, "inf", "nan")
}

/// A float for people, as Frank shows it, but for a whole one, which has no point: `3`, `0.5`, `1e20`, `-inf`, `nan`.
pub(crate) fn short(number: f64) -> String {
    match number.fract() == 0.0 && number.abs() < 1e15 {
        true => format!("{number:.0}"),
        false => show_float(number),
    }
}

/// The same for LaTeX, where an exponent is a power of ten.
pub(crate) fn latex(number: f64) -> String {
    let text = short(number);
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", &*text),
    };
    let written = match (size, size.split_once('e')) {
        ("inf", _) => "\\infty".to_owned(),
        ("nan", _) => "\\mathrm{nan}".to_owned(),
        (_, Some(("1", exponent))) => format!("10^{{{exponent}}}"),
        (_, Some((digits, exponent))) => format!("{digits} \\cdot 10^{{{exponent}}}"),
        (_, None) => size.to_owned(),
    };
    format!("{sign}{written}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_numbers_as_frank_shows_them() {
        let cases = [
            (3.0, "3", "3"),
            (-0.5, "-0.5", "-0.5"),
            (1e20, "1e20", "10^{20}"),
            (-2.5e-7, "-2.5e-7", "-2.5 \\cdot 10^{-7}"),
            (f64::INFINITY, "inf", "\\infty"),
            (f64::NEG_INFINITY, "-inf", "-\\infty"),
            (f64::NAN, "nan", "\\mathrm{nan}"),
            (-f64::NAN, "nan", "\\mathrm{nan}"),
        ];
        for (number, text, typeset) in cases {
            assert_eq!((&*short(number), &*latex(number)), (text, typeset));
        }
    }

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
}
