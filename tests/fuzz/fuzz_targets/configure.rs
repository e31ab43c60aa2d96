#![no_main]

use frank_tests::properties::configures;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| configures(text));
