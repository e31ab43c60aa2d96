//! Findings that are accepted: those of the day on which a baseline was written.
//!
//! A finding is recognised by its file, code and message and by the text of its line, not by its
//! position, so that changes elsewhere in the file do not bring it back. As many findings of one
//! kind are accepted as there were.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::findings::{Finding, Findings};
use crate::names::Names;

/// What a finding is recognised by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Relative to the current directory, if it is below that.
    file: String,
    code: String,
    message: String,
    /// The line on which the finding begins, with single blanks only: formatting changes nothing.
    line: String,
}

impl Fingerprint {
    /// A short form, for services that compare runs.
    pub fn digest(&self) -> String {
        // FNV-1a: stable over releases and platforms, and nobody gains from a collision.
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for part in [&self.file, &self.code, &self.message, &self.line] {
            for byte in part.bytes().chain([0]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        format!("{hash:016x}")
    }
}

/// What a finding is recognised by.
pub fn fingerprint(findings: &Findings, finding: &Finding, names: &Names) -> Fingerprint {
    let source = findings.source(&finding.place);
    let line = source.line_range(source.line(finding.place.start));
    let text = source.text.get(line).unwrap_or_default();
    Fingerprint {
        file: names.relative(&source.key).to_owned(),
        code: finding.code.as_str().to_owned(),
        message: finding.message.clone(),
        line: text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// The accepted findings, with how many there are of each.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    accepted: BTreeMap<Fingerprint, usize>,
}

#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    findings: Vec<Counted>,
}

#[derive(Serialize, Deserialize)]
struct Counted {
    #[serde(flatten)]
    fingerprint: Fingerprint,
    count: usize,
}

const VERSION: u32 = 1;

impl Baseline {
    /// All findings that there are now.
    pub fn of(findings: &Findings, names: &Names) -> Baseline {
        let mut baseline = Baseline::default();
        for finding in &findings.findings {
            *baseline
                .accepted
                .entry(fingerprint(findings, finding, names))
                .or_insert(0) += 1;
        }
        baseline
    }

    /// How many findings are accepted.
    pub fn len(&self) -> usize {
        self.accepted.values().sum()
    }

    /// The baseline in a file; `None` if the file does not exist.
    pub fn read(path: &Path) -> io::Result<Option<Baseline>> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let document: Document = serde_json::from_str(&text)?;
        if document.version != VERSION {
            return Err(io::Error::other(format!(
                "this baseline has version {}",
                document.version
            )));
        }
        let counted = document.findings.into_iter();
        Ok(Some(Baseline {
            accepted: counted
                .map(|entry| (entry.fingerprint, entry.count))
                .collect(),
        }))
    }

    /// Writes the baseline in an order that changes as little as possible.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let counted = self.accepted.iter();
        let counted = counted.map(|(fingerprint, count)| Counted {
            fingerprint: fingerprint.clone(),
            count: *count,
        });
        let document = Document {
            version: VERSION,
            findings: counted.collect(),
        };
        fs::write(path, serde_json::to_string_pretty(&document)? + "\n")
    }

    /// Takes the accepted findings away. Gives how many accepted ones do not exist any more.
    pub fn apply(mut self, findings: &mut Findings, names: &Names) -> usize {
        let all = std::mem::take(&mut findings.findings);
        let (kept, _): (Vec<Finding>, Vec<Finding>) =
            all.into_iter().partition(|finding| {
                match self
                    .accepted
                    .get_mut(&fingerprint(findings, finding, names))
                {
                    Some(count) if *count > 0 => {
                        *count -= 1;
                        false
                    }
                    _ => true,
                }
            });
        findings.findings = kept;
        self.len()
    }
}
