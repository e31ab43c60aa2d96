//! Numbers as they stand on a lens or behind a line, where four digits say enough.

/// So many significant digits are shown.
const DIGITS: usize = 4;

/// A text with its floating-point numbers rounded to four significant digits. Integers, and what stands
/// in quotes, stay as they are.
pub fn few_digits(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_word = false;
    let mut in_quotes = false;
    while let Some(first) = rest.chars().next() {
        let length = match first.is_ascii_digit() && !in_word && !in_quotes {
            true => number_length(rest),
            false => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        match first.is_ascii_digit() && !in_word && !in_quotes {
            true => out.push_str(&rounded(token)),
            false => out.push_str(token),
        }
        in_quotes ^= first == '"';
        in_word = first.is_alphanumeric() || matches!(first, '_' | '\'' | '.');
        rest = behind;
    }
    out
}

/// The bytes of the number that a text begins with: digits, a fraction, an exponent.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.bytes().take_while(u8::is_ascii_digit).count()
    };
    let mut end = digits(0);
    if text.get(end..).is_some_and(|rest| rest.starts_with('.')) && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    let exponent = text.get(end..).unwrap_or_default();
    if let Some(power) = exponent.strip_prefix(['e', 'E']) {
        let sign = usize::from(power.starts_with(['-', '+']));
        if digits(end + 1 + sign) > end + 1 + sign {
            end = digits(end + 1 + sign);
        }
    }
    end
}

fn rounded(number: &str) -> String {
    if !number.contains(['.', 'e', 'E']) {
        return number.to_owned();
    }
    let (mantissa, power) = match number.find(['e', 'E']) {
        Some(at) => number.split_at(at),
        None => (number, ""),
    };
    let Ok(value) = mantissa.parse::<f64>() else {
        return number.to_owned();
    };
    let whole = mantissa.find('.').unwrap_or(mantissa.len());
    // Zeros in front are no significant digits.
    let zeros = mantissa
        .bytes()
        .filter(|byte| *byte != b'.')
        .take_while(|byte| *byte == b'0')
        .count();
    let places = (DIGITS + zeros).saturating_sub(whole).max(1);
    let long = mantissa.len() > whole + 1 + places;
    match long {
        true => {
            let short = format!("{value:.places$}");
            let short = short.trim_end_matches('0');
            let point = if short.ends_with('.') { "0" } else { "" };
            format!("{short}{point}{power}")
        }
        false => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::few_digits;

    #[test]
    fn four_digits_say_enough() {
        for (text, short) in [
            ("main = 3.141592653589793", "main = 3.142"),
            (
                "f.2 x1 = [0.3333333333333333, 2.0]",
                "f.2 x1 = [0.3333, 2.0]",
            ),
            ("12345.6789", "12345.7"),
            ("0.000123456", "0.0001235"),
            ("1.23456789e-7 and 1e100", "1.235e-7 and 1e100"),
            ("2.00000001", "2.0"),
            (
                "1234567 \"1.23456\" x1.23456",
                "1234567 \"1.23456\" x1.23456",
            ),
            ("-0.1234567", "-0.1235"),
            ("0.0", "0.0"),
        ] {
            assert_eq!(few_digits(text), short);
        }
    }
}
