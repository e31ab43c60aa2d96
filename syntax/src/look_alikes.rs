//! Characters that the language does not have, and what is meant by them.

use crate::visible::{is_directional, is_joiner, is_zero_width};

/// What a character looks like, if it looks like one that the language has.
pub(crate) fn look_alike(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{37e}' | '；' | '︔' => ";",
        '（' | '﹙' | '❨' => "(",
        '）' | '﹚' | '❩' => ")",
        '［' | '⁅' | '❲' => "[",
        '］' | '⁆' | '❳' => "]",
        '｛' | '❴' => "{",
        '｝' | '❵' => "}",
        '，' | '‚' | '٫' | '﹐' => ",",
        '：' | '∶' | '︰' | '։' | '׃' => ":",
        '＝' | '᐀' | '⹀' => "=",
        '＜' | '‹' | '❮' | '˂' => "<",
        '＞' | '›' | '❯' | '˃' => ">",
        '｜' | '∣' | '│' => "|",
        '！' | '\u{1c3}' => "!",
        '＋' | '᛭' => "+",
        '−' | '‐' | '‑' | '‒' | '–' | '—' | '－' | '﹣' | '˗' => "-",
        '＊' | '∗' | '⁎' => "*",
        '／' | '∕' | '⁄' => "/",
        '．' | '․' => ".",
        '＿' => "_",
        '“' | '”' | '„' | '‟' | '«' | '»' | '＂' | '″' => "\"",
        '‘' | '’' | '‛' | '`' | '´' | '＇' | '′' => "'",
        _ => return None,
    })
}

/// What is written in Frank for some characters that other languages or notations have; `None` if that
/// is not known of each of them.
pub(crate) fn meant(characters: &str) -> Option<String> {
    characters
        .chars()
        .map(|c| match c {
            '→' => Some("->"),
            '≤' => Some("<="),
            '≥' => Some(">="),
            '≠' => Some("!="),
            '×' | '·' => Some("*"),
            '÷' => Some("/"),
            _ if c.is_whitespace() => Some(" "),
            _ if is_directional(c) || is_zero_width(c) || is_joiner(c) || c.is_control() => {
                Some("")
            }
            _ => look_alike(c),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_has_to_be_known() {
        assert_eq!(meant("（−\u{a0}\u{200b}≤").as_deref(), Some("(- <="));
        assert_eq!(meant("（§"), None);
    }
}
