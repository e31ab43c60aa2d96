//! Reads settings, whatever form they are written in: one list of their names and kinds, and one set
//! of words for the mistakes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use frank_analysis::diagnostics::{Code, Severity};

use super::units::{parse_bytes, parse_count, parse_duration};
use super::{Config, Hints, Holes, Limits, Mistake};
use crate::paths::absolute;

/// A value as `frank.toml` and editors have it.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    pub data: Data,
    /// The name of this type in the form that it is written in.
    pub type_name: &'static str,
    /// Where it is written, in bytes; empty if there is no text.
    pub range: Range<usize>,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// Nothing is set.
    Nothing,
    Bool(bool),
    /// A number as it is written.
    Number(String),
    Text(String),
    List(Vec<Value>),
    Table(Vec<Entry>),
    /// Of a type that no setting has.
    Other,
}

/// A name in a table with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub name: String,
    /// Where the name is written.
    pub at: Range<usize>,
    pub value: Value,
}

/// What a setting that is on or off does.
pub type Flag<T> = (&'static str, fn(&mut T, bool));

/// A setting that is one of some words: its name, the words with what each means, and what that does.
pub type Word<'w, T, W> = (&'static str, &'w [(&'w str, W)], fn(&mut T, W));

const SECTIONS: &[&str] = &["include", "holes", "severity", "limits", "hints", "typing"];

/// What a limit does; an error says what is wrong with the text.
type Limit = (&'static str, fn(&mut Limits, &str) -> Result<(), String>);

const LIMITS: &[Limit] = &[
    ("steps", |limits, text| {
        limits.steps = Some(parse_count(text)?);
        Ok(())
    }),
    ("timeout", |limits, text| {
        limits.timeout = Some(parse_duration(text)?);
        Ok(())
    }),
    ("memory", |limits, text| {
        limits.memory = Some(parse_bytes(text)?);
        Ok(())
    }),
    ("output", |limits, text| {
        limits.output = Some(parse_bytes(text)?);
        Ok(())
    }),
];

const HINTS: &[Flag<Hints>] = &[
    ("types", |hints, on| hints.types = Some(on)),
    ("abilities", |hints, on| hints.abilities = Some(on)),
    ("instances", |hints, on| hints.instances = Some(on)),
    ("effects", |hints, on| hints.effects = Some(on)),
    ("results", |hints, on| hints.results = Some(on)),
];

/// Reads settings and collects what is wrong with them.
#[derive(Debug, Default)]
pub struct Reader<'d> {
    /// What paths are relative to; without it they must be absolute.
    pub dir: Option<&'d Path>,
    /// Whether a directory that is not there is a mistake.
    pub wants_directories: bool,
    /// Where each limit is set, by its name.
    pub limits_at: BTreeMap<&'static str, Range<usize>>,
    pub mistakes: Vec<Mistake>,
}

impl Reader<'_> {
    /// Reads a configuration. What is in none of its sections is given to `other`.
    pub fn config(
        &mut self,
        entries: &[Entry],
        mut other: impl FnMut(&mut Self, &Entry),
    ) -> Config {
        let mut config = Config::default();
        for entry in entries {
            match entry.name.as_str() {
                "include" => self.include(&mut config, &entry.value),
                "holes" => self.holes(&mut config, &entry.value),
                "severity" => self.table(entry, |reader, code| reader.severity(&mut config, code)),
                "limits" => self.table(entry, |reader, limit| {
                    reader.limit(&mut config.limits, entry, limit);
                }),
                "hints" => self.flags(entry, HINTS, &mut config.hints),
                "typing" => self.table(entry, |reader, typing| {
                    reader.typing(&mut config, entry, typing);
                }),
                _ => other(self, entry),
            }
        }
        config
    }

    /// Reads a table of settings that are on, off, or left to whoever decides next.
    pub fn flags<T>(&mut self, section: &Entry, flags: &[Flag<T>], target: &mut T) {
        self.table(section, |reader, entry| {
            if !reader.flag(section, entry, flags, target) {
                reader.unknown(section, entry, flags.iter().map(|(name, _)| *name));
            }
        });
    }

    /// The same, beside one setting of another kind, which is one of some words.
    pub fn flags_and_word<T, W: Copy>(
        &mut self,
        section: &Entry,
        flags: &[Flag<T>],
        target: &mut T,
        (name, words, set): Word<'_, T, W>,
    ) {
        self.table(section, |reader, entry| {
            if entry.name == name {
                let found = words.iter().find(|(word, _)| match &entry.value.data {
                    Data::Text(text) => text == word,
                    _ => false,
                });
                match found {
                    Some((_, word)) => set(target, *word),
                    None => {
                        let all: Vec<String> = words
                            .iter()
                            .map(|(word, _)| format!("\"{word}\""))
                            .collect();
                        let message =
                            format!("`{}.{name}` is one of {}", section.name, all.join(", "));
                        reader.mistake(entry.value.range.clone(), message);
                    }
                }
            } else if !reader.flag(section, entry, flags, target) {
                let known = flags.iter().map(|(name, _)| *name).chain([name]);
                reader.unknown(section, entry, known);
            }
        });
    }

    /// Reads a setting that is on, off, or left to whoever decides next; `false` if it is none of these.
    fn flag<T>(
        &mut self,
        section: &Entry,
        entry: &Entry,
        flags: &[Flag<T>],
        target: &mut T,
    ) -> bool {
        let path = format!("{}.{}", section.name, entry.name);
        let Some((_, set)) = flags.iter().find(|(name, _)| *name == entry.name) else {
            return false;
        };
        let wanted = "\"on\", \"off\" or \"auto\"";
        match &entry.value.data {
            Data::Bool(on) => set(target, *on),
            Data::Text(word) => match word.as_str() {
                "on" => set(target, true),
                "off" => set(target, false),
                "auto" => {}
                other => {
                    let message = format!("`{path}` is {wanted}, not \"{other}\"");
                    self.mistake(entry.value.range.clone(), message);
                }
            },
            _ => self.wrong_type(&path, &entry.value, wanted),
        }
        true
    }

    /// A name that is in none of the sections.
    pub fn unknown_section(&mut self, entry: &Entry) {
        let message = unknown(&entry.name, &entry.name, SECTIONS.iter().copied());
        self.mistake(entry.at.clone(), message);
    }

    fn mistake(&mut self, range: Range<usize>, message: impl Into<String>) {
        self.mistakes.push(Mistake {
            message: message.into(),
            range,
        });
    }

    fn wrong_type(&mut self, path: &str, value: &Value, wanted: &str) {
        let found = value.type_name;
        let message = format!("`{path}` is {wanted}, not of type {found}");
        self.mistake(value.range.clone(), message);
    }

    fn unknown(
        &mut self,
        section: &Entry,
        entry: &Entry,
        known: impl Iterator<Item = &'static str> + Clone,
    ) {
        let path = format!("{}.{}", section.name, entry.name);
        let message = unknown(&path, &entry.name, known);
        self.mistake(entry.at.clone(), message);
    }

    /// Reads each entry of a table that sets something.
    fn table(&mut self, section: &Entry, mut read: impl FnMut(&mut Self, &Entry)) {
        match &section.value.data {
            Data::Table(entries) => {
                let set = |entry: &&Entry| entry.value.data != Data::Nothing;
                entries
                    .iter()
                    .filter(set)
                    .for_each(|entry| read(self, entry));
            }
            Data::Nothing => {}
            _ => self.wrong_type(&section.name, &section.value, "a table"),
        }
    }

    fn include(&mut self, config: &mut Config, value: &Value) {
        let entries = match &value.data {
            Data::List(entries) => entries,
            Data::Nothing => return,
            _ => return self.wrong_type("include", value, "a list of directories"),
        };
        for entry in entries {
            let Data::Text(path) = &entry.data else {
                self.wrong_type("include", entry, "a list of strings");
                continue;
            };
            let path = Path::new(path);
            let path = match self.dir {
                Some(dir) => absolute(&dir.join(path)),
                None if path.is_absolute() => absolute(path),
                None => {
                    let path = path.display();
                    let message = format!("`{path}` is relative, and no folder is open");
                    self.mistake(entry.range.clone(), message);
                    continue;
                }
            };
            if self.wants_directories && !path.is_dir() {
                let message = format!("there is no directory `{}`", path.display());
                self.mistake(entry.range.clone(), message);
            }
            config.include.push(path);
        }
    }

    fn holes(&mut self, config: &mut Config, value: &Value) {
        match &value.data {
            Data::Text(word) if word == "allow" => config.holes = Some(Holes::Allow),
            Data::Text(word) if word == "deny" => config.holes = Some(Holes::Deny),
            Data::Nothing => {}
            Data::Text(_) => self.mistake(value.range.clone(), "`holes` is \"allow\" or \"deny\""),
            _ => self.wrong_type("holes", value, "\"allow\" or \"deny\""),
        }
    }

    fn severity(&mut self, config: &mut Config, entry: &Entry) {
        let name = &entry.name;
        let Some(code) = Code::parse(name) else {
            let message = format!("there is no code `{name}`: codes look like `FK0201`");
            return self.mistake(entry.at.clone(), message);
        };
        let all = [Severity::Error, Severity::Warning, Severity::Hint];
        let severity = match &entry.value.data {
            Data::Text(text) if text == "off" => Some(None),
            Data::Text(text) => all.into_iter().find(|one| one.word() == text).map(Some),
            _ => None,
        };
        match severity {
            Some(severity) => {
                config.severity.insert(code, severity);
            }
            None => {
                let message = format!("`{name}` is \"error\", \"warning\", \"hint\" or \"off\"");
                self.mistake(entry.value.range.clone(), message);
            }
        }
    }

    fn typing(&mut self, config: &mut Config, section: &Entry, entry: &Entry) {
        if entry.name != "pause" {
            return self.unknown(section, entry, ["pause"].into_iter());
        }
        match &entry.value.data {
            Data::Text(text) | Data::Number(text) => match parse_duration(text) {
                Ok(pause) => config.typing_pause = Some(pause),
                Err(message) => self.mistake(entry.value.range.clone(), message),
            },
            _ => self.wrong_type(
                "typing.pause",
                &entry.value,
                "a number, or a text with a unit",
            ),
        }
    }

    fn limit(&mut self, limits: &mut Limits, section: &Entry, entry: &Entry) {
        let Some((name, set)) = LIMITS.iter().find(|(name, _)| *name == entry.name) else {
            return self.unknown(section, entry, LIMITS.iter().map(|(name, _)| *name));
        };
        match &entry.value.data {
            Data::Text(text) | Data::Number(text) => match set(limits, text) {
                Ok(()) => {
                    self.limits_at.insert(name, entry.value.range.clone());
                }
                Err(message) => self.mistake(entry.value.range.clone(), message),
            },
            _ => {
                let path = format!("{}.{}", section.name, entry.name);
                self.wrong_type(&path, &entry.value, "a number, or a text with a unit");
            }
        }
    }
}

/// Says that there is no setting at a path, whose last part is `name`.
fn unknown(path: &str, name: &str, known: impl Iterator<Item = &'static str> + Clone) -> String {
    match frank_analysis::diagnostics::similar_name(name, known.clone()) {
        Some(similar) => format!("there is no setting `{path}`: did you mean `{similar}`?"),
        None => {
            let known: Vec<String> = known.map(|known| format!("`{known}`")).collect();
            let known = known.join(", ");
            format!("there is no setting `{path}`; here can be {known}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect_file;
    use serde_json::{Value as Json, json};

    /// A table that has these settings and no others.
    fn table(about: &str, settings: impl IntoIterator<Item = (String, Json)>) -> Json {
        json!({
            "description": about,
            "type": "object",
            "additionalProperties": false,
            "properties": settings.into_iter().collect::<serde_json::Map<_, _>>(),
        })
    }

    /// What the schema says of a setting, by its section and its name.
    fn setting(section: &str, name: &str) -> Json {
        let time = json!({
            "type": ["string", "number"],
            "minimum": 0,
            "pattern": "^[0-9_.]+ *(ms|s|m)?$",
        });
        let bytes = json!({
            "type": ["string", "integer"],
            "pattern": "^[0-9_.]+ *([KMG](iB|B)?|B)?$",
        });
        let hint = json!({ "enum": ["auto", "on", "off", true, false] });
        let (kind, about) = match (section, name) {
            ("limits", "steps") => (
                json!({ "type": ["string", "integer"], "minimum": 0, "pattern": "^[0-9_]+$" }),
                "Calls, commands and resumptions.",
            ),
            ("limits", "timeout") => (
                time,
                "A time such as 10s, 500ms or 2m; a number without a unit means seconds.",
            ),
            ("limits", "memory") => (
                bytes,
                "What values, the stack and pending work may take, such as 512MiB.",
            ),
            ("limits", "output") => (
                bytes,
                "What a program may print, and how long a value may be, such as 16MiB.",
            ),
            ("hints", "types") => (
                hint,
                "Types of variables. auto: where neither the line nor the signature says them.",
            ),
            ("hints", "abilities") => (
                hint,
                "The ability where interfaces are added or handled. auto: what a handler gives its argument.",
            ),
            ("hints", "instances") => (
                hint,
                "Which instance a command reaches. auto: where there are several.",
            ),
            ("hints", "effects") => (hint, "Effect arguments that are left out. auto: nowhere."),
            ("hints", "results") => (
                hint,
                "What was evaluated last. auto: where it does not stand on a lens.",
            ),
            ("typing", "pause") => (
                time,
                "How long no key has to be pressed until an editor shows what may only say that the line that is typed is unfinished, such as 500ms.",
            ),
            _ => panic!("say in this test what `{section}.{name}` is"),
        };
        let mut kind = kind;
        kind["description"] = json!(about);
        kind
    }

    fn section(name: &str) -> Json {
        let settings = |names: &[&'static str]| {
            let all = names.iter();
            all.map(|one| ((*one).to_owned(), setting(name, one)))
                .collect::<Vec<_>>()
        };
        let names = |flags: &[Flag<Hints>]| flags.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        match name {
            "include" => json!({
                "description": "Where included files are looked for after the including file's own directory.",
                "type": "array",
                "items": { "type": "string" },
            }),
            "holes" => json!({
                "description": "Whether programs may have holes: `allow` makes them hints, `deny` errors. Where it is not set, they are hints in an editor, else errors.",
                "enum": ["allow", "deny"],
            }),
            "severity" => table(
                "Severities of findings by their codes.",
                Code::ALL.iter().map(|code| {
                    let about = json!({
                        "description": code.declaration().title,
                        "enum": ["error", "warning", "hint", "off"],
                    });
                    (code.as_str().to_owned(), about)
                }),
            ),
            "limits" => {
                let names: Vec<&str> = LIMITS.iter().map(|(name, _)| *name).collect();
                table(
                    "Limits of runs. In an editor they can only be lower than the user's own.",
                    settings(&names),
                )
            }
            "hints" => table(
                "What editors show beside the text.",
                settings(&names(HINTS)),
            ),
            "typing" => table(
                "What editors wait for while somebody types.",
                settings(&["pause"]),
            ),
            other => panic!("say in this test what `{other}` is"),
        }
    }

    #[test]
    fn the_schema_knows_all_settings() {
        let sections = SECTIONS
            .iter()
            .map(|name| ((*name).to_owned(), section(name)));
        let mut schema = table("The configuration of a Frank project.", sections);
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        schema["title"] = json!("frank.toml");
        let text = serde_json::to_string_pretty(&schema).expect("JSON");
        expect_file!["../../../../docs/frank.schema.json"].assert_eq(&format!("{text}\n"));
    }

    #[test]
    fn hints_are_on_off_or_left_to_others() {
        let text = "[hints]\ntypes = 'on'\nabilities = 'off'\ninstances = 'auto'\neffects = true\nresults = 'maybe'\n";
        let (config, mistakes) = crate::config::parse(text, Path::new("/"));
        let hints = config.hints;
        assert_eq!(
            (hints.types, hints.abilities, hints.instances),
            (Some(true), Some(false), None)
        );
        assert_eq!((hints.effects, hints.results), (Some(true), None));
        let [mistake] = &mistakes[..] else {
            panic!("one mistake, not {mistakes:?}");
        };
        assert_eq!(
            mistake.message,
            "`hints.results` is \"on\", \"off\" or \"auto\", not \"maybe\""
        );
    }
}
