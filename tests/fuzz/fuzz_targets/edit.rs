#![no_main]

use frank_tests::properties::follows_edits;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use rand::SeedableRng;
use rand::rngs::StdRng;

// The edits follow from the text's length, so that an input fails the same way again.
fuzz_target!(|text: &str| {
    follows_edits(text, &mut StdRng::seed_from_u64(text.len() as u64), 20);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    frank_fuzz::mutate(data, size, max_size, seed)
});
