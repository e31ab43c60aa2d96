//! Places in a cell: the protocol counts characters, Rust bytes.

/// Where a character is, in bytes; the end of the text for one behind it.
pub fn to_bytes(text: &str, characters: usize) -> usize {
    let found = text.char_indices().nth(characters);
    found.map_or(text.len(), |(at, _)| at)
}

/// How many characters stand before a place.
pub fn to_characters(text: &str, bytes: usize) -> usize {
    let starts = text.char_indices().take_while(|(at, _)| *at < bytes);
    starts.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_exchanged() {
        let text = "∂𝑥 + f";
        for (characters, bytes) in [(0, 0), (1, 3), (2, 7), (6, 11), (7, 11), (70, 11)] {
            assert_eq!(to_bytes(text, characters), bytes.min(text.len()));
        }
        assert_eq!(to_characters(text, text.len()), 6);
        assert_eq!(to_characters(text, 7), 2);
    }
}
