//! Makes a program smaller as long as something stays true of it.

use frank_syntax::outline::split;

/// The smallest text found by leaving out items, then lines, then words.
pub fn shrink(text: &str, mut holds: impl FnMut(&str) -> bool) -> String {
    let mut text = text.to_owned();
    for cut in [items, lines, words] {
        let mut parts = cut(&text);
        let mut size = parts.len().div_ceil(2);
        while size > 0 {
            let mut start = 0;
            while start < parts.len() {
                let end = (start + size).min(parts.len());
                let mut fewer = parts.clone();
                fewer.drain(start..end);
                if holds(&fewer.concat()) {
                    parts = fewer;
                } else {
                    start = end;
                }
            }
            size /= 2;
        }
        text = parts.concat();
    }
    text
}

fn items(text: &str) -> Vec<String> {
    let items = split(text);
    items
        .iter()
        .map(|item| item.text(text).to_owned())
        .collect()
}

fn lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_owned).collect()
}

/// Words and signs, each with the blanks behind it.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in text.chars() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let joins = (is_word(c) && is_word(before))
            || c.is_whitespace()
            || matches!((before, c), ('-', '>') | (':', ':'));
        match words.last_mut() {
            Some(word) if joins => word.push(c),
            _ => words.push(c.to_string()),
        }
        before = c;
    }
    words
}
