#![no_main]

use frank_tests::properties::frames;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| frames(text));
