//! Frank's names as names of other languages.

/// A name of ASCII letters, digits and `_` that begins with no digit. Different names stay different.
pub(crate) fn ascii(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '_' => text.push(letter),
            '0'..='9' if !text.is_empty() => text.push(letter),
            '\'' => text.push_str("_prime"),
            other => text.push_str(&format!("_u{:x}_", u32::from(other))),
        }
    }
    text
}

/// A name that is none of the words that a language keeps for itself.
pub(crate) fn unless_taken(name: String, taken: &[&str]) -> String {
    match taken.contains(&name.as_str()) {
        true => format!("{name}_"),
        false => name,
    }
}
