//! `frank.toml`, the configuration of a project.
//!
//! ```toml
//! include = ["lib"]          # directories, relative to this file
//! holes = "allow"            # or deny: whether a hole is an error
//!
//! [severity]
//! FK0405 = "off"             # error, warning, hint or off
//!
//! [limits]
//! steps = 100_000_000
//! timeout = "10s"
//! memory = "2GiB"
//! output = "16MiB"
//!
//! [hints]
//! types = true
//!
//! [typing]
//! pause = "500ms"
//! ```
//!
//! A mistake in it is reported with its place, and everything else in it still counts.

pub mod read;
mod units;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use frank_analysis::diagnostics::{Code, Severity};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::disk::System;
use crate::paths::{absolute, key};
use crate::read::{Named, ReadError, read_file};
use read::{Data, Entry, Reader, Value};

pub use units::{parse_bytes, parse_count, parse_duration};

/// The name of the file.
pub const FILE_NAME: &str = "frank.toml";

/// What a project asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// Where included files are looked for after the including file's own directory: absolute.
    pub include: Vec<PathBuf>,
    /// Severities other than the codes' own; `None` turns a code off.
    pub severity: BTreeMap<Code, Option<Severity>>,
    /// What a hole counts as, where `severity` does not say it.
    pub holes: Option<Holes>,
    pub limits: Limits,
    pub hints: Hints,
    /// How long no key has to be pressed until an editor shows what may only be unfinished on the line
    /// that is typed.
    pub typing_pause: Option<Duration>,
}

/// Whether programs may have holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holes {
    /// A hole is worth a hint.
    Allow,
    /// A hole is an error.
    Deny,
}

impl Holes {
    /// What a hole counts as.
    pub fn severity(self) -> Severity {
        match self {
            Holes::Allow => Severity::Hint,
            Holes::Deny => Severity::Error,
        }
    }
}

/// Bounds of runs; what is `None` has its default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    pub steps: Option<u64>,
    pub timeout: Option<Duration>,
    /// In bytes.
    pub memory: Option<u64>,
    /// In bytes.
    pub output: Option<u64>,
}

/// Which inlay hints an editor shows; what is `None` is up to the editor's own settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hints {
    /// Types of `let`s and of clauses' parameters.
    pub types: Option<bool>,
    /// The implicit ability, where one is introduced or discharged.
    pub abilities: Option<bool>,
    /// The instance that a command reaches when several are in scope.
    pub instances: Option<bool>,
    /// Effect arguments that were left out.
    pub effects: Option<bool>,
    /// What was evaluated last.
    pub results: Option<bool>,
}

/// Something wrong in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    pub message: String,
    /// In bytes.
    pub range: Range<usize>,
}

/// A configuration with where it comes from.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// `None` if there is no such file.
    pub path: Option<PathBuf>,
    pub text: String,
    pub config: Config,
    /// Where each limit is set, by its name.
    pub limits_at: BTreeMap<&'static str, Range<usize>>,
    pub mistakes: Vec<Mistake>,
}

/// The nearest `frank.toml` in a directory or one around it. That there is none is no error.
pub fn find(start: &Path) -> Result<Found, (PathBuf, ReadError)> {
    // A link that leads nowhere, say, was meant to be one: that it cannot be read is said.
    match root_of(start) {
        Some(root) => load(&root.join(FILE_NAME), Named::ByOthers),
        None => Ok(Found::default()),
    }
}

/// The directory of the nearest `frank.toml` around a directory, or in it.
pub fn root_of(start: &Path) -> Option<PathBuf> {
    let start = absolute(start);
    let mut around = start.ancestors();
    let root = around.find(|dir| dir.join(FILE_NAME).symlink_metadata().is_ok());
    root.map(Path::to_owned)
}

/// The configuration in a file.
pub fn load(path: &Path, named: Named) -> Result<Found, (PathBuf, ReadError)> {
    let text = read_file(&System, path, named).map_err(|error| (path.to_owned(), error))?;
    let path = absolute(path);
    let found = read(
        &text,
        path.parent().unwrap_or(Path::new("/")),
        Directories::Looked,
    );
    Ok(Found {
        path: Some(path),
        text,
        ..found
    })
}

impl Config {
    /// What a finding of a kind counts as: `None` if nothing is said of it, `Some(None)` if it does not count.
    pub fn severity_of(&self, code: Code) -> Option<Option<Severity>> {
        let holes = || {
            let holes = self.holes.filter(|_| code == Code::Hole)?;
            Some(Some(holes.severity()))
        };
        self.severity.get(&code).copied().or_else(holes)
    }

    /// The include paths as analysis wants them.
    pub fn include_keys(&self) -> Vec<String> {
        self.include.iter().map(|dir| key(dir)).collect()
    }
}

/// What a configuration says, with all its mistakes. `dir` is what its paths are relative to.
pub fn parse(text: &str, dir: &Path) -> (Config, Vec<Mistake>) {
    let found = read(text, dir, Directories::Looked);
    (found.config, found.mistakes)
}

/// Whether the disk is looked at for the directories that a configuration names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directories {
    /// One that is not there is a mistake.
    Looked,
    /// The files are on no disk.
    Believed,
}

/// As [`parse`], with all that is known of the text.
pub fn read(text: &str, dir: &Path, directories: Directories) -> Found {
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader {
        dir: Some(dir),
        wants_directories: directories == Directories::Looked,
        ..Reader::default()
    };
    reader.mistakes.extend(errors.iter().map(|error| Mistake {
        message: error.message().to_owned(),
        range: error.span().unwrap_or(0..0),
    }));
    // What could not be parsed has left holes; complaints about those would be consequences.
    let config = match reader.mistakes.is_empty() {
        true => reader.config(&entries(document.get_ref()), Reader::unknown_section),
        false => Config::default(),
    };
    reader.mistakes.sort_by_key(|mistake| mistake.range.start);
    Found {
        config,
        limits_at: reader.limits_at,
        mistakes: reader.mistakes,
        ..Found::default()
    }
}

fn entries(table: &DeTable) -> Vec<Entry> {
    let entries = table.iter().map(|(name, value)| Entry {
        name: name.get_ref().to_string(),
        at: name.span(),
        value: self::value(value),
    });
    entries.collect()
}

fn value(value: &Spanned<DeValue>) -> Value {
    let data = match value.get_ref() {
        DeValue::String(text) => Data::Text(text.to_string()),
        DeValue::Integer(number) => Data::Number(number.to_string()),
        DeValue::Float(number) => Data::Number(number.to_string()),
        DeValue::Boolean(on) => Data::Bool(*on),
        DeValue::Datetime(_) => Data::Other,
        DeValue::Array(values) => Data::List(values.iter().map(self::value).collect()),
        DeValue::Table(table) => Data::Table(entries(table)),
    };
    Value {
        data,
        type_name: value.get_ref().type_str(),
        range: value.span(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expect: Expect) {
        let (config, mistakes) = parse(text, Path::new("/"));
        let mistakes: String = mistakes
            .iter()
            .map(|m| {
                format!(
                    "{:?}: {}\n",
                    text.get(m.range.clone()).unwrap_or_default(),
                    m.message
                )
            })
            .collect();
        expect.assert_eq(&format!("{config:?}\n{mistakes}"));
    }

    #[test]
    fn all_settings() {
        check(
            "include = ['tmp']\nholes = 'allow'\n[severity]\nFK0405 = 'off'\nfk0402 = 'error'\n[limits]\nsteps = 1_000\n\
             timeout = '500ms'\nmemory = '1.5GiB'\noutput = 64\n[hints]\ntypes = false\n[typing]\npause = '1s'\n",
            expect![[r#"
                Config { include: ["/tmp"], severity: {UnreachableClause: Some(Error), UnusedVariable: None}, holes: Some(Allow), limits: Limits { steps: Some(1000), timeout: Some(500ms), memory: Some(1610612736), output: Some(64) }, hints: Hints { types: Some(false), abilities: None, instances: None, effects: None, results: None }, typing_pause: Some(1s) }
            "#]],
        );
    }

    #[test]
    fn every_mistake_is_found() {
        check(
            "includes = []\nholes = 'some'\ninclude = ['nowhere-at-all', 3]\n[severity]\nFK9999 = 'off'\nFK0405 = 'loud'\n\
             [limits]\nsteps = -1\ntimeout = 'soon'\nmemory = true\n[hints]\ntypes = 1\nabilities = true\n[typing]\npause = []\npauses = 1\n",
            expect![[r#"
                Config { include: ["/nowhere-at-all"], severity: {}, holes: None, limits: Limits { steps: None, timeout: None, memory: None, output: None }, hints: Hints { types: None, abilities: Some(true), instances: None, effects: None, results: None }, typing_pause: None }
                "includes": there is no setting `includes`: did you mean `include`?
                "'some'": `holes` is "allow" or "deny"
                "'nowhere-at-all'": there is no directory `/nowhere-at-all`
                "3": `include` is a list of strings, not of type integer
                "FK9999": there is no code `FK9999`: codes look like `FK0201`
                "'loud'": `FK0405` is "error", "warning", "hint" or "off"
                "-1": `-1` is no count: write a natural number such as `1_000_000`
                "'soon'": `soon` is no time: write a number with `ms`, `s` or `m`, such as `10s`
                "true": `limits.memory` is a number, or a text with a unit, not of type boolean
                "1": `hints.types` is "on", "off" or "auto", not of type integer
                "[]": `typing.pause` is a number, or a text with a unit, not of type array
                "pauses": there is no setting `typing.pauses`: did you mean `pause`?
            "#]],
        );
    }

    #[test]
    fn broken_toml_is_one_mistake() {
        check(
            "include = [\n",
            expect![[r#"
                Config { include: [], severity: {}, holes: None, limits: Limits { steps: None, timeout: None, memory: None, output: None }, hints: Hints { types: None, abilities: None, instances: None, effects: None, results: None }, typing_pause: None }
                "": unclosed array, expected `]`
            "#]],
        );
    }
}
