//! How the targets change their input: half the time as a fuzzer does, half the time by whole
//! tokens, so that many inputs get past the parser.

use frank_tests::mutate::change_tokens;
use libfuzzer_sys::fuzzer_mutate;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Changes the first `size` bytes of `data` in place; gives how many bytes there are then.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut rng = StdRng::seed_from_u64(u64::from(seed));
    let text = data.get(..size).and_then(|bytes| std::str::from_utf8(bytes).ok());
    match text {
        Some(text) if !text.is_empty() && rng.random_range(0..2) == 0 => {
            let changed = change_tokens(&mut rng, text, text);
            let mut end = changed.len().min(max_size).min(data.len());
            while !changed.is_char_boundary(end) {
                end -= 1;
            }
            let (new, place) = (changed.as_bytes(), data);
            if let (Some(place), Some(new)) = (place.get_mut(..end), new.get(..end)) {
                place.copy_from_slice(new);
            }
            end
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
}
