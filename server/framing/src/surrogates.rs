//! Halves of characters in JSON.
//!
//! JavaScript counts characters beyond the first 65,536 as two halves, and writes a half alone, as an editor may send it
//! of an emoji that is cut in two, as an escape that means no character. Most readers of JSON refuse such a message.

/// Replaces halves of characters that stand alone in the strings of some JSON by U+FFFD, which counts as they do. The
/// bytes may be no JSON; their number stays.
pub fn mend_surrogates(json: &mut [u8]) {
    let mut at = 0;
    while let Some(next) = escape(json, at) {
        at = next + ESCAPE;
        match half(json, next) {
            Some(Half::First) if half(json, at) == Some(Half::Second) => at += ESCAPE,
            Some(_) => {
                if let Some(place) = json.get_mut(next..at) {
                    place.copy_from_slice(b"\\ufffd");
                }
            }
            // One of another kind: `\\` may be followed by a `u`.
            None => at = next + 2,
        }
    }
}

/// The length of `\u0000`.
const ESCAPE: usize = 6;

#[derive(PartialEq, Eq)]
enum Half {
    First,
    Second,
}

/// Where the next escape begins.
fn escape(json: &[u8], from: usize) -> Option<usize> {
    let mut rest = json.get(from..)?.iter();
    Some(from + rest.position(|byte| *byte == b'\\')?)
}

/// The half of a character that an escape stands for.
fn half(json: &[u8], at: usize) -> Option<Half> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    match code {
        0xd800..0xdc00 => Some(Half::First),
        0xdc00..0xe000 => Some(Half::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_alone_are_replaced() {
        for (written, mended) in [
            (r#"["\ud83d\ude00"]"#, r#"["\ud83d\ude00"]"#),
            (r#"["\ud83d x"]"#, r#"["\ufffd x"]"#),
            (
                r#"["\uDE00\ud83d\uD83D\uDE00"]"#,
                r#"["\ufffd\ufffd\uD83D\uDE00"]"#,
            ),
            (r#"["\ud83d\u0041\n\u00e9"]"#, r#"["\ufffd\u0041\n\u00e9"]"#),
            (r#"["\\ud83d", "\\\ud83d"]"#, r#"["\\ud83d", "\\\ufffd"]"#),
            (r#"{"\udc00": 1}"#, r#"{"\ufffd": 1}"#),
            (r#""\ud8"#, r#""\ud8"#),
            (r#""\u+d83""#, r#""\u+d83""#),
            ("\\", "\\"),
        ] {
            let mut bytes = written.as_bytes().to_vec();
            mend_surrogates(&mut bytes);
            assert_eq!(String::from_utf8(bytes).unwrap(), mended, "{written}");
        }
    }
}
