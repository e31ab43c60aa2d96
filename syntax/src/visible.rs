//! Characters that nobody sees, and text from elsewhere as it can be shown to people.
//!
//! A name, a setting or a line of a program may hold characters that move a terminal's cursor, change
//! the order in which text is drawn, or draw nothing. Everything that is shown goes through here.

use std::borrow::Cow;

/// Whether a character changes the direction in which text is drawn, so that a line can be read in
/// another order than the one in which it is written.
pub fn is_directional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a character takes no room and has no place in a word of any script. The joiners U+200C and
/// U+200D are not among these: some scripts and pictures are written with them.
pub fn is_zero_width(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'
        | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character joins its neighbours, or keeps them apart, in scripts that are written so.
pub fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Whether a character is not shown as it is: a control character, line breaks included, or one of
/// those above.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || is_directional(c)
        || is_zero_width(c)
        // To some these are line breaks; and what is no character at all.
        || matches!(c, '\u{2028}' | '\u{2029}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// A line of a program as it can be drawn: each character that is not to be seen has another one in
/// its place, so that columns stay as they are.
pub fn drawn(line: &str) -> Cow<'_, str> {
    replaced(
        line,
        |c| is_hidden(c) && c != '\t',
        |c, shown| {
            shown.push(match u32::from(c) {
                control @ ..0x20 => char::from_u32(0x2400 + control).unwrap_or(' '),
                0x7f => '\u{2421}',
                _ => char::REPLACEMENT_CHARACTER,
            });
        },
    )
}

/// A text on one line as it can be shown to people: what is not to be seen is written as an escape,
/// line breaks included.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// A text of several lines as it can be shown to people; its line breaks and tabs stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

fn escaped(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    replaced(text, hidden, |c, shown| shown.extend(c.escape_default()))
}

fn replaced(
    text: &str,
    hidden: impl Fn(char) -> bool,
    replace: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match hidden(c) {
            true => replace(c, &mut shown),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_escaped() {
        assert_eq!(
            visible("ä 汉 e\u{301} 👩\u{200d}🔬"),
            "ä 汉 e\u{301} 👩\u{200d}🔬"
        );
        assert_eq!(
            visible("a\n\u{1b}[31m\u{9b}1m\u{202e}\u{200b}\u{7f}"),
            "a\\n\\u{1b}[31m\\u{9b}1m\\u{202e}\\u{200b}\\u{7f}"
        );
        assert_eq!(drawn("\ta\u{1b}\u{9b}\u{7f}"), "\ta␛\u{fffd}␡");
        assert_eq!(visible_lines("a\n\tb\r\u{2028}"), "a\n\tb\\r\\u{2028}");
    }
}
