//! The inputs of the fuzzers, in `tests/fuzz`: what once failed and a chosen few as files, the rest
//! packed, one file a target.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::project_root;

/// The fuzzers' targets: each tries the property of that name.
pub const TARGETS: [&str; 7] = [
    "parse",
    "format",
    "check",
    "run",
    "edit",
    "frames",
    "configure",
];

/// The directory of the fuzzers.
pub fn fuzz_root() -> PathBuf {
    project_root().join("tests/fuzz")
}

/// All inputs of a target, each once, in order; or a sentence that says what cannot be read.
pub fn corpus(target: &str) -> Result<Vec<String>, String> {
    let root = fuzz_root();
    let mut all = Vec::new();
    // A target that has never failed has no directory there, nor one whose inputs are all packed.
    for kept in ["failed", "corpus"] {
        let directory = root.join(kept).join(target);
        if directory.exists() {
            all.extend(files(&directory)?);
        }
    }
    let packed = packed_path(target);
    let lines = std::fs::read_to_string(&packed).map_err(said(&packed))?;
    all.extend(unpack(&lines).map_err(said(&packed))?);
    all.sort();
    all.dedup();
    Ok(all)
}

/// The file that has the inputs of a target that are no files of their own.
pub fn packed_path(target: &str) -> PathBuf {
    fuzz_root().join("packed").join(format!("{target}.jsonl"))
}

/// The inputs in the files of a directory.
pub fn files(directory: &Path) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(said(directory))? {
        let path = entry.map_err(said(directory))?.path();
        all.extend(texts(&std::fs::read(&path).map_err(said(&path))?));
    }
    Ok(all)
}

/// The texts that bytes stand for. A target is given those up to the first that is not UTF-8; a
/// user's file is read with other characters in their place.
fn texts(bytes: &[u8]) -> Vec<String> {
    let whole = String::from_utf8_lossy(bytes).into_owned();
    match std::str::from_utf8(bytes) {
        Ok(_) => vec![whole],
        Err(error) => {
            let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
            vec![String::from_utf8_lossy(before).into_owned(), whole]
        }
    }
}

/// Inputs as lines: each is a JSON string.
pub fn pack<'t>(texts: impl IntoIterator<Item = &'t String>) -> String {
    let lines = texts
        .into_iter()
        .map(|text| format!("{}\n", serde_json::Value::from(text.as_str())));
    lines.collect()
}

/// The inputs that [`pack`] has made lines of.
pub fn unpack(lines: &str) -> Result<Vec<String>, std::io::Error> {
    let text = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            let message = format!("line {} is no JSON string: {error}", number + 1);
            std::io::Error::new(ErrorKind::InvalidData, message)
        })
    };
    lines.lines().enumerate().map(text).collect()
}

/// Says of a path what is wrong.
pub fn said(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::{pack, texts, unpack};

    #[test]
    fn what_is_packed_comes_out_again() {
        let all = ["", "\n\r\n\0", "a\u{2028}\u{fffd}\"\\\té"].map(str::to_owned);
        let packed = pack(&all);
        assert_eq!(packed.lines().count(), all.len());
        assert_eq!(unpack(&packed).expect("lines"), all);
    }

    #[test]
    fn what_is_no_json_is_named() {
        let error = unpack("\"a\"\nb\n").expect_err("no JSON").to_string();
        assert!(error.starts_with("line 2 is no JSON string: "), "{error}");
    }

    #[test]
    fn a_target_sees_what_is_utf_8() {
        assert_eq!(texts(b"f x = x"), ["f x = x"]);
        assert_eq!(texts(b"f\xc3(x"), ["f", "f\u{fffd}(x"]);
    }
}
