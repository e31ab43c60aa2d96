#![no_main]

use frank_tests::properties::checks;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|text: &str| checks(text));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    frank_fuzz::mutate(data, size, max_size, seed)
});
