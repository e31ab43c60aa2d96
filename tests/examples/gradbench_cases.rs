//! Writes the cases of GradBench's evaluations, those of the tests and then those of the benchmark, for
//! `tests/gradbench/peer.py`.

use frank_tests::gradbench::{large, small};

fn main() {
    for case in small().into_iter().chain(large()) {
        println!("{}", case.line());
    }
}
