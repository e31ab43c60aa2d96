//! The other systems.

use std::collections::BTreeMap;

/// What was measured, by workload.
#[derive(Default)]
pub struct Results {
    ours: BTreeMap<String, (f64, &'static str)>,
    rust: BTreeMap<String, f64>,
}

impl Results {
    pub fn ours(&mut self, workload: String, figure: f64, unit: &'static str) {
        self.ours.insert(workload, (figure, unit));
    }

    pub fn rust(&mut self, workload: String, figure: f64) {
        self.rust.insert(workload, figure);
    }
}

/// To come.
pub fn compare(_results: &Results) {}
