//! JSON in which everything is to be seen.

use std::borrow::Cow;

use frank_syntax::visible::visible_lines;

/// A document that says the same, with escapes for what JSON allows in strings and a terminal would
/// obey, or not show. The document itself is a text of ordinary characters and line breaks.
pub fn visible(document: &str) -> Cow<'_, str> {
    if matches!(visible_lines(document), Cow::Borrowed(_)) {
        return Cow::Borrowed(document);
    }
    let mut shown = String::with_capacity(document.len() + 16);
    for c in document.chars() {
        let mut bytes = [0; 4];
        match visible_lines(c.encode_utf8(&mut bytes)) {
            Cow::Borrowed(same) => shown += same,
            Cow::Owned(_) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    shown += &format!("\\u{unit:04x}");
                }
            }
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_said_stays_the_same() {
        let text = "ä\u{9b}\u{7f}\u{202e}\u{e0041}\n";
        let document = serde_json::to_string(text).expect("JSON");
        let shown = super::visible(&document);
        assert_eq!(shown, r#""ä\u009b\u007f\u202e\udb40\udc41\n""#);
        assert_eq!(serde_json::from_str::<String>(&shown).expect("JSON"), text);
    }
}
