//! The library's sources, which are built into every program that checks or runs Frank.
//!
//! This crate knows nothing: it is texts.

/// Pairs each name with the text of the file that has it.
macro_rules! files {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../", $name, ".fk"))),)*]
    };
}

/// The library's files: the name that includes each, and its text.
pub const LIBRARY: &[(&str, &str)] = files![
    "prelude",
    "ad",
    "ad-batch",
    "ad-checkpoint",
    "ad-compare",
    "ad-custom",
    "ad-debug",
    "ad-fixpoint",
    "ad-modes",
    "ad-optim",
    "ad-special",
    "ad-stage",
    "ad-stop",
    "ad-taylor",
    "ad-tensor",
    "args",
    "array",
    "clock",
    "csv",
    "exn",
    "file",
    "input",
    "json",
    "lists",
    "log",
    "map",
    "numbers",
    "parser",
    "picture",
    "pipe",
    "random",
    "text",
    "thread",
    "transaction",
    "ad-paper",
];

/// What takes the place of definitions of these files where derivatives mark their numbers.
pub const MARKED: &[(&str, &str)] = &[("ad", include_str!("../marked/ad.fk"))];

/// The definitions that every program has.
pub const BUILTIN: &str = include_str!("../builtin.fk");

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::LIBRARY;

    /// What lies here and is not in the list could be read by nobody.
    #[test]
    fn every_file_can_be_included() {
        let mut included: BTreeSet<String> =
            LIBRARY.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(included.len(), LIBRARY.len(), "a name is there twice");
        included.insert("builtin".to_owned());
        let there = Path::new(env!("CARGO_MANIFEST_DIR"))
            .read_dir()
            .expect("the crate's directory");
        let there: BTreeSet<String> = there
            .map(|entry| entry.expect("a file").path())
            .filter(|path| path.extension().is_some_and(|ext| ext == "fk"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        assert_eq!(included, there);
    }
}
