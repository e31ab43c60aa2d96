//! Where lines begin and end: behind `\n`, `\r\n`, and a `\r` on its own, as the protocol of editors
//! has it.

/// Where each line of a text begins, in bytes; the first at 0.
pub fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    std::iter::once(0)
        .chain(ends.map(|(at, _)| at + 1))
        .collect()
}

/// The end of the line that a text begins with, before its line break.
pub fn line_end(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_break_counts_once() {
        assert_eq!(line_starts("a\nb\r\nc\rd\r\r\n"), [0, 2, 5, 7, 9, 11]);
        assert_eq!(line_starts(""), [0]);
    }
}
