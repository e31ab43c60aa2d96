//! Findings that are accepted: those of the day on which a baseline was written.
//!
//! A finding is recognised by its file, code and message and by the text of its line, not by its
//! position, so that changes elsewhere in the file do not bring it back. As many findings of one
//! kind are accepted as there were. Files are named from the baseline's own directory on, so that it
//! means the same wherever a check runs.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use frank_workspace::disk::System;
use frank_workspace::paths::key;
use frank_workspace::read::{Named, ReadError, read_file};
use frank_workspace::write::write;
use frank_workspace::write_error::WriteError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::findings::{Finding, Findings};
use crate::names::{from_directory, is_no_file};

/// What a finding is recognised by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fingerprint {
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

/// What a finding is recognised by; `file` is the name of the file that it is in.
pub fn fingerprint(findings: &Findings, finding: &Finding, file: String) -> Fingerprint {
    let source = findings.source(&finding.place);
    let line = source.line_range(source.line(finding.place.start));
    let text = source.text.get(line).unwrap_or_default();
    Fingerprint {
        file,
        code: finding.code.as_str().to_owned(),
        message: finding.message.clone(),
        line: text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// The accepted findings, with how many there are of each.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// What the names of files are relative to, as analysis knows it.
    directory: String,
    accepted: BTreeMap<Fingerprint, usize>,
}

#[derive(Serialize, Deserialize)]
struct Document {
    version: u64,
    findings: Vec<Counted>,
}

#[derive(Serialize, Deserialize)]
struct Counted {
    #[serde(flatten)]
    fingerprint: Fingerprint,
    count: usize,
}

const VERSION: u64 = 2;
/// Names of files were relative to the directory in which the check ran.
const FROM_CURRENT_DIRECTORY: u64 = 1;

const ADVICE: &str = "restore the file, or remove it and have `frank check --baseline` write it";

impl Baseline {
    /// A baseline that accepts all findings there are now, to be written to `path`.
    pub fn of(findings: &Findings, path: &Path) -> Baseline {
        let mut baseline = Baseline::empty(path);
        for finding in &findings.findings {
            let fingerprint = baseline.fingerprint(findings, finding);
            baseline.accept(fingerprint, 1);
        }
        baseline
    }

    fn empty(path: &Path) -> Baseline {
        let directory = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        // `..` leads out of the directory itself, and not of a link to it.
        let real = directory.canonicalize();
        Baseline {
            directory: key(real.as_deref().unwrap_or(directory)),
            accepted: BTreeMap::new(),
        }
    }

    fn accept(&mut self, fingerprint: Fingerprint, count: usize) {
        let known = self.accepted.entry(fingerprint).or_insert(0);
        *known = known.saturating_add(count);
    }

    fn fingerprint(&self, findings: &Findings, finding: &Finding) -> Fingerprint {
        let file = &findings.source(&finding.place).key;
        fingerprint(findings, finding, from_directory(&self.directory, file))
    }

    /// How many findings are accepted.
    pub fn len(&self) -> usize {
        let counts = self.accepted.values();
        counts.fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The baseline in a file, which is [`None`] if the file does not exist. Anything else that is
    /// no baseline is an error, in words that follow the file's name.
    pub fn read(path: &Path) -> Result<Option<Baseline>, String> {
        let text = match read_file(&System, path, Named::ByUser) {
            Ok(text) => text,
            Err(ReadError::NotFound) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let document = parse(&text)?;
        let mut baseline = Baseline::empty(path);
        for Counted {
            mut fingerprint,
            count,
        } in document.findings
        {
            if document.version == FROM_CURRENT_DIRECTORY && !is_no_file(&fingerprint.file) {
                let file = key(Path::new(&fingerprint.file));
                fingerprint.file = from_directory(&baseline.directory, &file);
            }
            baseline.accept(fingerprint, count);
        }
        Ok(Some(baseline))
    }

    /// Writes the baseline in an order that changes as little as possible.
    pub fn write(&self, path: &Path) -> Result<(), WriteError> {
        let counted = self.accepted.iter();
        let counted = counted.map(|(fingerprint, count)| Counted {
            fingerprint: fingerprint.clone(),
            count: *count,
        });
        let document = Document {
            version: VERSION,
            findings: counted.collect(),
        };
        let text = serde_json::to_string_pretty(&document);
        let text = text.map_err(|error| WriteError::Failed(error.to_string()))? + "\n";
        write(&System, path, text.as_bytes())
    }

    /// Goes on accepting what an older baseline accepts in files that were not checked now.
    pub fn keep_unchecked(&mut self, old: Baseline, findings: &Findings) {
        let checked = old.checked(findings);
        let directory = old.directory;
        for (fingerprint, count) in old.accepted {
            if !is_settled(&directory, &fingerprint.file, &checked) {
                self.accept(fingerprint, count);
            }
        }
    }

    /// Takes the accepted findings away. Gives how many accepted ones do not exist any more.
    pub fn apply(mut self, findings: &mut Findings) -> usize {
        let all = std::mem::take(&mut findings.findings);
        let kept = all.into_iter().filter(|finding| {
            let fingerprint = self.fingerprint(findings, finding);
            match self.accepted.get_mut(&fingerprint) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            }
        });
        let kept = kept.collect();
        findings.findings = kept;
        let checked = self.checked(findings);
        self.accepted
            .retain(|fingerprint, _| is_settled(&self.directory, &fingerprint.file, &checked));
        self.len()
    }

    /// The files that were checked, as the baseline names them.
    fn checked(&self, findings: &Findings) -> HashSet<String> {
        let files = findings.checked.iter();
        files
            .map(|file| from_directory(&self.directory, file))
            .collect()
    }
}

/// Whether all findings that a file can have are known: it was checked, or it is gone.
fn is_settled(directory: &str, file: &str, checked: &HashSet<String>) -> bool {
    let path: PathBuf = Path::new(directory).join(file);
    checked.contains(file) || !is_no_file(file) && !path.exists()
}

/// The document in a baseline's text, or why there is none.
fn parse(text: &str) -> Result<Document, String> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Err(format!("this file is empty, and no baseline: {ADVICE}"));
    }
    let wrong = |why: String| {
        format!(
            "this is no baseline, which is JSON with a `version` and `findings`: {why}; {ADVICE}"
        )
    };
    let value: Value =
        serde_json::from_str(text).map_err(|error| wrong(format!("it is no JSON ({error})")))?;
    let Some(version) = value.get("version").and_then(Value::as_u64) else {
        return Err(wrong("it has no `version`".to_owned()));
    };
    if version > VERSION {
        return Err(format!(
            "this baseline has version {version}, and this `frank` reads versions up to \
             {VERSION}: use a newer `frank`"
        ));
    }
    serde_json::from_value(value).map_err(|_| {
        let fields = "`file`, `code`, `message`, `line` and `count`";
        wrong(format!(
            "its `findings` are no list of objects with {fields}"
        ))
    })
}
