//! The rules of the splitter once more, written for clarity: no windows, no tables, quadratic. The
//! tests compare the two.

#![allow(clippy::indexing_slicing)]

/// Where the first tokens of the items of `text` stand.
pub(super) fn starts(text: &str) -> Vec<usize> {
    let mut chars: Vec<(usize, char)> = text.char_indices().collect();
    if chars.first().is_some_and(|&(_, c)| c == '\u{feff}') {
        chars.remove(0);
    }
    let mut starts = Vec::new();
    let mut column = None;
    let mut depth = 0;
    let mut at = 0;
    // The characters since the start of the line, and whether a token was among them.
    let mut here = 0;
    let mut seen = false;
    let is = |at: usize, what: &str| {
        chars[at.min(chars.len())..]
            .iter()
            .map(|c| c.1)
            .take(what.len())
            .eq(what.chars())
    };
    let blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{b}' | '\u{c}');
    let named = |c: char| c == '_' || !c.is_ascii() || c.is_alphabetic();
    let letter = |c: char| c == '_' || c.is_alphabetic();
    while let Some(&(offset, c)) = chars.get(at) {
        let mut end = at + 1;
        if is(at, "--") {
            while chars.get(end).is_some_and(|c| c.1 != '\n') {
                end += 1;
            }
        } else if is(at, "{--") {
            if let Some(close) = close(&chars, at) {
                end = close;
            } else {
                if column.is_none() {
                    column = Some(here);
                    starts.push(offset);
                }
                // Line by line, until a token stands in the column.
                loop {
                    while chars.get(end - 1).is_some_and(|c| c.1 != '\n') {
                        end += 1;
                    }
                    if end >= chars.len() {
                        return starts;
                    }
                    let mut first = end;
                    while chars.get(first).is_some_and(|c| blank(c.1) && c.1 != '\n') {
                        first += 1;
                    }
                    let Some(&(_, c)) = chars.get(first) else {
                        return starts;
                    };
                    if Some(first - end) == column
                        && c != '\n'
                        && !is(first, "--")
                        && !is(first, "{--")
                        && (depth == 0 || named(c))
                    {
                        break;
                    }
                    end += 1;
                }
            }
        } else if !blank(c) {
            if !seen {
                seen = true;
                let column = *column.get_or_insert(here);
                if starts.is_empty()
                    || (depth == 0 && here <= column)
                    || (here == column && named(c))
                {
                    starts.push(offset);
                    depth = 0;
                }
            }
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = if depth == 0 { 0 } else { depth - 1 },
                '"' | '\'' => end = literal(&chars, at),
                _ if letter(c) => {
                    while chars
                        .get(end)
                        .is_some_and(|c| c.1 == '\'' || c.1.is_alphanumeric() || c.1 == '_')
                    {
                        end += 1;
                    }
                }
                _ if c.is_ascii_digit() => end = number(&chars, at),
                _ => {}
            }
        }
        for &(_, c) in &chars[at..end.min(chars.len())] {
            here += 1;
            if c == '\n' {
                here = 0;
                seen = matches!(chars[at].1, '"');
            }
        }
        at = end;
    }
    starts
}

fn close(chars: &[(usize, char)], open: usize) -> Option<usize> {
    let text: String = chars[open..].iter().map(|c| c.1).collect();
    let mut depth = 0;
    let mut rest = text.as_str();
    let mut at = open;
    while let Some(first) = rest.chars().next() {
        let mut step = first.len_utf8();
        at += 1;
        if rest.starts_with("{--") {
            depth += 1;
            step = 3;
            at += 2;
        } else if rest.starts_with("--}") {
            depth -= 1;
            step = 3;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        }
        rest = &rest[step..];
    }
    None
}

fn literal(chars: &[(usize, char)], open: usize) -> usize {
    let get = |at: usize| chars.get(at).map_or('\n', |c| c.1);
    let quote = get(open);
    let mut at = open + 1;
    loop {
        match get(at) {
            '\n' => return at.min(chars.len()),
            c if c == quote => return at + 1,
            '\\' if quote == '"'
                && get(at + 1).is_ascii_whitespace() | (get(at + 1) == '\u{b}') =>
            {
                let mut end = at + 1;
                while chars
                    .get(end)
                    .is_some_and(|c| c.1.is_ascii_whitespace() || c.1 == '\u{b}')
                {
                    end += 1;
                }
                if chars.get(end).is_some_and(|c| c.1 == '\\') {
                    at = end + 1;
                } else {
                    at += 1;
                }
            }
            '\\' if get(at + 1) == '^' && ('@'..='_').contains(&get(at + 2)) => at += 3,
            '\\' if get(at + 1) != '\n' => at += 2,
            _ => at += 1,
        }
    }
}

/// The end of a number, as far as that matters for a `'` behind it.
fn number(chars: &[(usize, char)], start: usize) -> usize {
    let get = |at: usize| chars.get(at).map_or('\n', |c| c.1);
    let run = |from: usize, radix: u32| (from..).take_while(|&at| get(at).is_digit(radix)).count();
    for (mark, radix) in [('x', 16), ('X', 16), ('o', 8), ('O', 8)] {
        if get(start) == '0' && get(start + 1) == mark && run(start + 2, radix) > 0 {
            return start + 2 + run(start + 2, radix);
        }
    }
    let mut end = start + run(start, 10);
    if get(end) == '.' && run(end + 1, 10) > 0 {
        end += 1 + run(end + 1, 10);
    }
    let sign = usize::from(matches!(get(end + 1), '+' | '-'));
    if matches!(get(end), 'e' | 'E') && run(end + 1 + sign, 10) > 0 {
        end += 1 + sign + run(end + 1 + sign, 10);
    }
    end
}
