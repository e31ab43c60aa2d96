//! `frank.toml`, the configuration of a project.
//!
//! ```toml
//! include = ["lib"]          # directories, relative to this file
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
//! ```
//!
//! A mistake in it is reported with its place, and everything else in it still counts.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use frank_analysis::diagnostics::{Code, Severity};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::paths::{absolute, key};
use crate::read::{ReadError, read_source};

/// The name of the file.
pub const FILE_NAME: &str = "frank.toml";

/// What a project asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// Where included files are looked for after the including file's own directory: absolute.
    pub include: Vec<PathBuf>,
    /// Severities other than the codes' own; `None` turns a code off.
    pub severity: BTreeMap<Code, Option<Severity>>,
    pub limits: Limits,
    pub hints: Hints,
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
    pub mistakes: Vec<Mistake>,
}

/// The nearest `frank.toml` in a directory or one around it. That there is none is no error.
pub fn find(start: &Path) -> Result<Found, (PathBuf, ReadError)> {
    let start = absolute(start);
    for dir in start.ancestors() {
        let path = dir.join(FILE_NAME);
        // A link that leads nowhere, say, was meant to be one: that it cannot be read is said.
        if path.symlink_metadata().is_err() {
            continue;
        }
        // Opening a pipe would wait for somebody to write to it.
        let readable = |found: fs::Metadata| found.is_file() || found.is_dir();
        return match path.metadata().map(readable) {
            Ok(false) => Err((path, ReadError::Special)),
            _ => load(&path),
        };
    }
    Ok(Found::default())
}

/// The configuration in a file.
pub fn load(path: &Path) -> Result<Found, (PathBuf, ReadError)> {
    let text = read_source(path).map_err(|error| (path.to_owned(), error))?;
    let path = absolute(path);
    let (config, mistakes) = parse(&text, path.parent().unwrap_or(Path::new("/")));
    Ok(Found {
        path: Some(path),
        text,
        config,
        mistakes,
    })
}

impl Config {
    /// The include paths as analysis wants them.
    pub fn include_keys(&self) -> Vec<String> {
        self.include.iter().map(|dir| key(dir)).collect()
    }
}

/// What a configuration says, with all its mistakes. `dir` is what its paths are relative to.
pub fn parse(text: &str, dir: &Path) -> (Config, Vec<Mistake>) {
    let mut reader = Reader {
        config: Config::default(),
        mistakes: Vec::new(),
    };
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let range = error.span().unwrap_or(0..0);
        reader.mistakes.push(Mistake {
            message: error.message().to_owned(),
            range,
        });
    }
    // What could not be parsed has left holes; complaints about those would be consequences.
    if reader.mistakes.is_empty() {
        reader.document(document.get_ref(), dir);
    }
    reader.mistakes.sort_by_key(|mistake| mistake.range.start);
    (reader.config, reader.mistakes)
}

struct Reader {
    config: Config,
    mistakes: Vec<Mistake>,
}

type Value<'t> = Spanned<DeValue<'t>>;

impl Reader {
    fn mistake(&mut self, at: Range<usize>, message: impl Into<String>) {
        self.mistakes.push(Mistake {
            message: message.into(),
            range: at,
        });
    }

    fn wrong_type(&mut self, key: &str, value: &Value, wanted: &str) {
        let found = value.get_ref().type_str();
        self.mistake(
            value.span(),
            format!("`{key}` is {wanted}, not of type {found}"),
        );
    }

    fn unknown(&mut self, at: Range<usize>, key: &str, known: &[&str]) {
        let similar = frank_analysis::diagnostics::similar_name(key, known.iter().copied());
        let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
        let message = match similar {
            Some(similar) => format!("there is no setting `{key}`: did you mean `{similar}`?"),
            None => format!(
                "there is no setting `{key}`; here can be {}",
                known.join(", ")
            ),
        };
        self.mistake(at, message);
    }

    fn document(&mut self, document: &DeTable, dir: &Path) {
        for (name, value) in document {
            match &**name.get_ref() {
                "include" => self.include(value, dir),
                "severity" => self.table("severity", value, Reader::severity),
                "limits" => self.table("limits", value, Reader::limit),
                "hints" => self.table("hints", value, Reader::hint),
                other => self.unknown(
                    name.span(),
                    other,
                    &["include", "severity", "limits", "hints"],
                ),
            }
        }
    }

    fn table(
        &mut self,
        name: &str,
        value: &Value,
        mut entry: impl FnMut(&mut Reader, &str, Range<usize>, &Value),
    ) {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(name, value, "a table");
            return;
        };
        for (name, value) in table {
            entry(self, name.get_ref(), name.span(), value);
        }
    }

    fn include(&mut self, value: &Value, dir: &Path) {
        let Some(dirs) = value.get_ref().as_array() else {
            self.wrong_type("include", value, "a list of directories");
            return;
        };
        for entry in dirs.iter() {
            let Some(path) = entry.get_ref().as_str() else {
                self.wrong_type("include", entry, "a list of strings");
                continue;
            };
            let path = absolute(&dir.join(path));
            if !path.is_dir() {
                self.mistake(
                    entry.span(),
                    format!("there is no directory `{}`", path.display()),
                );
            }
            self.config.include.push(path);
        }
    }

    fn severity(&mut self, name: &str, at: Range<usize>, value: &Value) {
        let Some(code) = Code::parse(name) else {
            self.mistake(
                at,
                format!("there is no code `{name}`: codes look like `FK0201`"),
            );
            return;
        };
        let severity = match value.get_ref().as_str() {
            Some("error") => Some(Severity::Error),
            Some("warning") => Some(Severity::Warning),
            Some("hint") => Some(Severity::Hint),
            Some("off") => None,
            _ => {
                let message = format!("`{name}` is \"error\", \"warning\", \"hint\" or \"off\"");
                self.mistake(value.span(), message);
                return;
            }
        };
        self.config.severity.insert(code, severity);
    }

    fn limit(&mut self, name: &str, at: Range<usize>, value: &Value) {
        let text = match value.get_ref() {
            DeValue::String(text) => text.as_ref(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            DeValue::Float(number) => number.as_str(),
            _ => "",
        };
        let limits = &mut self.config.limits;
        let problem = match name {
            "steps" => parse_count(text).map(|steps| limits.steps = Some(steps)),
            "timeout" => parse_duration(text).map(|time| limits.timeout = Some(time)),
            "memory" => parse_bytes(text).map(|bytes| limits.memory = Some(bytes)),
            "output" => parse_bytes(text).map(|bytes| limits.output = Some(bytes)),
            _ => return self.unknown(at, name, &["steps", "timeout", "memory", "output"]),
        };
        if let Err(message) = problem {
            self.mistake(value.span(), message);
        }
    }

    fn hint(&mut self, name: &str, at: Range<usize>, value: &Value) {
        let hints = &mut self.config.hints;
        let hint = match name {
            "types" => &mut hints.types,
            "abilities" => &mut hints.abilities,
            "instances" => &mut hints.instances,
            "effects" => &mut hints.effects,
            "results" => &mut hints.results,
            _ => {
                let known = ["types", "abilities", "instances", "effects", "results"];
                return self.unknown(at, name, &known);
            }
        };
        match value.get_ref().as_bool() {
            Some(on) => *hint = Some(on),
            None => self.wrong_type(name, value, "true or false"),
        }
    }
}

/// A number of steps: digits, with `_` between them where one likes.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let number = text.replace('_', "").parse();
    number.map_err(|_| format!("`{text}` is no count: write a natural number such as `1_000_000`"))
}

/// A time: a number with the unit `ms`, `s` or `m`; without one it means seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("", 1.0)];
    let found = with_unit(text, &units).and_then(|time| Duration::try_from_secs_f64(time).ok());
    found.ok_or_else(|| {
        format!("`{text}` is no time: write a number with `ms`, `s` or `m`, such as `10s`")
    })
}

/// An amount of memory: a number with the unit `KiB`, `MiB` or `GiB` (also `K`, `M`, `G`); without
/// one it means bytes.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let units = [
        ("K", 1024.0),
        ("M", 1024.0 * 1024.0),
        ("G", 1024.0 * 1024.0 * 1024.0),
        ("", 1.0),
    ];
    let plain = text
        .strip_suffix("iB")
        .or_else(|| text.strip_suffix('B'))
        .unwrap_or(text);
    let found = with_unit(plain, &units).filter(|bytes| *bytes < 9_223_372_036_854_775_808.0);
    // Below 2^63, and a fraction of a byte is none.
    found.map(|bytes| bytes as u64).ok_or_else(|| {
        format!("`{text}` is no amount of memory: write a number with `KiB`, `MiB` or `GiB`, such as `2GiB`")
    })
}

fn with_unit(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (number, unit) = units
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
    let number: f64 = number.trim().replace('_', "").parse().ok()?;
    (number >= 0.0 && number.is_finite()).then_some(number * unit)
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
            "include = ['tmp']\n[severity]\nFK0405 = 'off'\nfk0402 = 'error'\n[limits]\nsteps = 1_000\n\
             timeout = '500ms'\nmemory = '1.5GiB'\noutput = 64\n[hints]\ntypes = false\n",
            expect![[r#"
                Config { include: ["/tmp"], severity: {UnreachableClause: Some(Error), UnusedVariable: None}, limits: Limits { steps: Some(1000), timeout: Some(500ms), memory: Some(1610612736), output: Some(64) }, hints: Hints { types: Some(false), abilities: None, instances: None, effects: None, results: None } }
            "#]],
        );
    }

    #[test]
    fn every_mistake_is_found() {
        check(
            "includes = []\ninclude = ['nowhere-at-all', 3]\n[severity]\nFK9999 = 'off'\nFK0405 = 'loud'\n\
             [limits]\nsteps = -1\ntimeout = 'soon'\nmemory = true\n[hints]\ntypes = 1\nabilities = true\n",
            expect![[r#"
                Config { include: ["/nowhere-at-all"], severity: {}, limits: Limits { steps: None, timeout: None, memory: None, output: None }, hints: Hints { types: None, abilities: Some(true), instances: None, effects: None, results: None } }
                "includes": there is no setting `includes`: did you mean `include`?
                "'nowhere-at-all'": there is no directory `/nowhere-at-all`
                "3": `include` is a list of strings, not of type integer
                "FK9999": there is no code `FK9999`: codes look like `FK0201`
                "'loud'": `FK0405` is "error", "warning", "hint" or "off"
                "-1": `-1` is no count: write a natural number such as `1_000_000`
                "'soon'": `soon` is no time: write a number with `ms`, `s` or `m`, such as `10s`
                "true": `` is no amount of memory: write a number with `KiB`, `MiB` or `GiB`, such as `2GiB`
                "1": `types` is true or false, not of type integer
            "#]],
        );
    }

    #[test]
    fn broken_toml_is_one_mistake() {
        check(
            "include = [\n",
            expect![[r#"
                Config { include: [], severity: {}, limits: Limits { steps: None, timeout: None, memory: None, output: None }, hints: Hints { types: None, abilities: None, instances: None, effects: None, results: None } }
                "": unclosed array, expected `]`
            "#]],
        );
    }

    #[test]
    fn units() {
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_bytes("10K"), Ok(10240));
        assert_eq!(parse_bytes("2GiB"), Ok(2 << 30));
        for bad in ["", "x", "-1", "inf", "nan", "1e400"] {
            assert!(
                parse_duration(bad).is_err() && parse_bytes(bad).is_err(),
                "{bad}"
            );
        }
    }
}
