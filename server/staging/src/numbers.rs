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
