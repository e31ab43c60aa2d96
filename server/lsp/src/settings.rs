//! The settings of projects and of the user: `frank.toml` files and the editor's section `frank`.
//!
//! What a project says counts more than what its user's editor says, so that a file has the same
//! findings for everybody. Only how much a run may use is the user's to say: a project may lower that.

use std::path::Path;
use std::time::Duration;

use frank_workspace::config::read::{Data, Entry, Flag, Reader, Value};
use serde::Deserialize;

use frank_workspace::config::{Config, Found, Hints, Limits, Mistake};

/// The section of the editor's configuration that is the server's.
pub const SECTION: &str = "frank";

/// The default limits of an evaluation: time, bytes of memory, bytes of output.
const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 512 << 20;
const OUTPUT: u64 = 1 << 20;

/// How long no key is pressed while one thinks.
const TYPING_PAUSE: Duration = Duration::from_millis(500);

/// The `frank.toml` of a directory and what is below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The directory, as files are known, without a trailing `/`.
    pub dir: String,
    pub config: Config,
}

/// Everything that can be set.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub projects: Vec<Project>,
    pub editor: Editor,
}

/// What the editor's configuration says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Editor {
    /// As a project would say it.
    pub config: Config,
    pub lenses: Lenses,
    pub hovers: Hovers,
}

/// What hovers show of smooth operators; `None` is for the client's abilities to decide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hovers {
    /// Formulas. On if nothing is said.
    pub formulas: Option<bool>,
    /// Formulas as LaTeX in `$$`.
    pub math: Option<bool>,
    /// Pictures in `data:` addresses.
    pub plots: Option<bool>,
    /// The colours of pictures.
    pub theme: PlotTheme,
}

/// The colours of pictures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlotTheme {
    Light,
    Dark,
    /// For a background that the client does not know.
    #[default]
    Neutral,
}

/// Which lenses are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lenses {
    pub run: bool,
    pub derivative: bool,
    pub examples: bool,
    pub handlers: bool,
    pub references: bool,
}

impl Default for Lenses {
    fn default() -> Lenses {
        Lenses {
            run: true,
            derivative: true,
            examples: true,
            handlers: true,
            references: true,
        }
    }
}

impl Settings {
    /// What the nearest `frank.toml` around a file says.
    pub fn project(&self, key: &str) -> Option<&Config> {
        let around = self.projects.iter().filter(|project| {
            key.strip_prefix(&*project.dir)
                .is_some_and(|rest| rest.starts_with('/'))
        });
        around
            .max_by_key(|project| project.dir.len())
            .map(|project| &project.config)
    }

    /// What is configured for a file, the most important first.
    pub fn configs(&self, key: &str) -> Vec<&Config> {
        let project = self.project(key).into_iter();
        project.chain([&self.editor.config]).collect()
    }

    /// The inlay hints that are configured for a file; `None` is for the server to decide.
    pub fn hints(&self, key: &str) -> Hints {
        let project = self
            .project(key)
            .map(|config| config.hints)
            .unwrap_or_default();
        let editor = self.editor.config.hints;
        Hints {
            types: project.types.or(editor.types),
            abilities: project.abilities.or(editor.abilities),
            instances: project.instances.or(editor.instances),
            effects: project.effects.or(editor.effects),
            results: project.results.or(editor.results),
        }
    }

    /// How long no key has to be pressed in a file until everything is shown of the line that is typed.
    pub fn typing_pause(&self, key: &str) -> Duration {
        let configs = self.configs(key);
        let set = configs.iter().find_map(|config| config.typing_pause);
        set.unwrap_or(TYPING_PAUSE)
    }

    /// How much an evaluation of a program in a file may use: as much as the user's settings allow, or
    /// less if the project says so.
    pub fn limits(&self, key: &str) -> frank_interpreter::Limits {
        let asked = self.project(key).map(|config| config.limits);
        let asked = asked.unwrap_or_default();
        let most = self.editor.most();
        let memory = lower(asked.memory, most.memory).unwrap_or(MEMORY);
        frank_interpreter::Limits {
            steps: lower(asked.steps, most.steps),
            time: lower(asked.timeout, most.timeout),
            memory: usize::try_from(memory).unwrap_or(usize::MAX),
            output: lower(asked.output, most.output),
            cancelled: None,
        }
    }

    /// The directories in which includes are looked up, each once.
    pub fn include_keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Vec::new();
        let configs = self.projects.iter().map(|project| &project.config);
        for key in configs
            .chain([&self.editor.config])
            .flat_map(Config::include_keys)
        {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }
}

/// The lower one of two limits.
fn lower<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

impl Editor {
    /// How much an evaluation may use if its project says nothing.
    fn most(&self) -> Limits {
        let own = self.config.limits;
        Limits {
            steps: own.steps,
            timeout: Some(own.timeout.unwrap_or(TIME)),
            memory: Some(own.memory.unwrap_or(MEMORY)),
            output: Some(own.output.unwrap_or(OUTPUT)),
        }
    }

    /// What is to be said of the limits that a project asks for and does not get.
    pub fn refused(&self, project: &Found) -> Vec<Mistake> {
        let (asked, most) = (project.config.limits, self.most());
        let bytes = |bytes: u64| match bytes.is_multiple_of(1 << 20) {
            true => format!("{} MiB", bytes >> 20),
            false => format!("{bytes} bytes"),
        };
        let steps = exceeded(asked.steps, most.steps).map(|most| most.to_string());
        let timeout = exceeded(asked.timeout, most.timeout).map(|most| format!("{most:?}"));
        let memory = exceeded(asked.memory, most.memory).map(bytes);
        let output = exceeded(asked.output, most.output).map(bytes);
        let all = [
            ("steps", steps),
            ("timeout", timeout),
            ("memory", memory),
            ("output", output),
        ];
        let refused = all.into_iter().filter_map(|(name, most)| {
            let message = format!(
                "in this editor a run has {} at most, whatever a project asks for: to allow more, set \
                 `{SECTION}.limits.{name}` in your own settings",
                most?
            );
            let range = project.limits_at.get(name).cloned().unwrap_or_default();
            Some(Mistake { message, range })
        });
        refused.collect()
    }
}

/// The limit that something is above.
fn exceeded<T: Ord>(asked: Option<T>, most: Option<T>) -> Option<T> {
    let (asked, most) = (asked?, most?);
    (asked > most).then_some(most)
}

/// The lenses, each of which is on or off.
const LENSES: &[Flag<Lenses>] = &[
    ("run", |lenses, on| lenses.run = on),
    ("derivative", |lenses, on| lenses.derivative = on),
    ("examples", |lenses, on| lenses.examples = on),
    ("handlers", |lenses, on| lenses.handlers = on),
    ("references", |lenses, on| lenses.references = on),
];

/// What hovers show, each of which is on or off.
const HOVERS: &[Flag<Hovers>] = &[
    ("formulas", |hovers, on| hovers.formulas = Some(on)),
    ("math", |hovers, on| hovers.math = Some(on)),
    ("plots", |hovers, on| hovers.plots = Some(on)),
];

const THEMES: &[(&str, PlotTheme)] = &[
    ("light", PlotTheme::Light),
    ("dark", PlotTheme::Dark),
    ("neutral", PlotTheme::Neutral),
];

/// Reads what an editor sends, and what is wrong with it. `dir` is what paths are relative to.
pub fn read(json: &serde_json::Value, dir: Option<&Path>) -> (Editor, Vec<String>) {
    let section = value(json);
    let mut reader = Reader {
        dir,
        // The settings of an editor are for many folders, which need not all have a directory.
        wants_directories: false,
        ..Reader::default()
    };
    let mut editor = Editor::default();
    match &section.data {
        Data::Table(entries) => {
            // Other names are the editor extension's own, such as the path of the server.
            editor.config = reader.config(entries, |reader, entry| match entry.name.as_str() {
                "lenses" => reader.flags(entry, LENSES, &mut editor.lenses),
                "hover" => {
                    let set: fn(&mut Hovers, PlotTheme) = |hovers, theme| hovers.theme = theme;
                    let theme = ("theme", THEMES, set);
                    reader.flags_and_word(entry, HOVERS, &mut editor.hovers, theme);
                }
                _ => {}
            });
        }
        // Editors send `null` where nothing is set.
        Data::Nothing => {}
        Data::List(nothing) if nothing.is_empty() => {}
        _ => return (editor, vec![format!("`{SECTION}` is a table of settings")]),
    }
    let mistakes = reader.mistakes.into_iter();
    (editor, mistakes.map(|mistake| mistake.message).collect())
}

/// A value of the protocol as settings are read from it. It has no place in a text.
fn value(json: &serde_json::Value) -> Value {
    use serde_json::Value as Json;
    let (data, type_name) = match json {
        Json::Null => (Data::Nothing, "null"),
        Json::Bool(on) => (Data::Bool(*on), "boolean"),
        Json::Number(number) => (Data::Number(number.to_string()), "number"),
        Json::String(text) => (Data::Text(text.clone()), "string"),
        Json::Array(values) => (Data::List(values.iter().map(value).collect()), "array"),
        Json::Object(fields) => {
            let entries = fields.iter().map(|(name, field)| Entry {
                name: name.clone(),
                at: 0..0,
                value: value(field),
            });
            (Data::Table(entries.collect()), "object")
        }
    };
    Value {
        data,
        type_name,
        range: 0..0,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use frank_analysis::diagnostics::Code;
    use serde_json::json;

    #[test]
    fn what_is_wrong_is_reported_and_the_rest_counts() {
        let (editor, mistakes) = read(
            &json!({
                "include": ["lib", 3],
                "severity": {"FK0405": "off", "FK9999": "off", "FK0402": "loud"},
                "limits": {"steps": 1000, "timeout": "soon", "memory": null},
                "hints": {"types": false, "colour": true},
                "lenses": {"run": false},
                "hover": {"plots": "on", "formulas": 3, "theme": "blue", "latex": true},
                "trace": {"server": "off"},
            }),
            Some(Path::new("/p")),
        );
        assert_eq!(editor.config.include, [PathBuf::from("/p/lib")]);
        assert_eq!(
            editor.config.severity.get(&Code::UnusedVariable),
            Some(&None)
        );
        assert_eq!(editor.config.limits.steps, Some(1000));
        assert_eq!(editor.config.hints.types, Some(false));
        assert!(!editor.lenses.run && editor.lenses.derivative);
        let hovers = Hovers {
            plots: Some(true),
            ..Hovers::default()
        };
        assert_eq!(editor.hovers, hovers);
        assert_eq!(
            mistakes,
            [
                "there is no setting `hints.colour`; here can be `types`, `abilities`, `instances`, `effects`, `results`",
                "`hover.formulas` is \"on\", \"off\" or \"auto\", not of type number",
                "there is no setting `hover.latex`; here can be `formulas`, `math`, `plots`, `theme`",
                "`hover.theme` is one of \"light\", \"dark\", \"neutral\"",
                "`include` is a list of strings, not of type number",
                "`soon` is no time: write a number with `ms`, `s` or `m`, such as `10s`",
                "`FK0402` is \"error\", \"warning\", \"hint\" or \"off\"",
                "there is no code `FK9999`: codes look like `FK0201`",
            ]
        );
    }

    #[test]
    fn a_project_lowers_limits_and_raises_none() {
        let (editor, _) = read(
            &json!({ "limits": { "memory": "64MiB", "output": "8MiB" } }),
            None,
        );
        let text = "[limits]\nmemory = '2GiB'\ntimeout = '100000m'\noutput = '1KiB'\nsteps = 7\n";
        let (config, _) = frank_workspace::config::parse(text, Path::new("/p"));
        let found = Found {
            config: config.clone(),
            ..Found::default()
        };
        let refused: Vec<String> = editor
            .refused(&found)
            .into_iter()
            .map(|refused| refused.message)
            .collect();
        assert!(refused[0].contains("10s") && refused[0].contains("`frank.limits.timeout`"));
        assert!(refused[1].contains("64 MiB") && refused[1].contains("`frank.limits.memory`"));
        assert_eq!(refused.len(), 2);
        let dir = "/p".to_owned();
        let settings = Settings {
            projects: vec![Project { dir, config }],
            editor,
        };
        let limits = settings.limits("/p/a.fk");
        assert_eq!((limits.memory, limits.time), (64 << 20, Some(TIME)));
        assert_eq!((limits.output, limits.steps), (Some(1 << 10), Some(7)));
        let limits = settings.limits("/elsewhere/a.fk");
        assert_eq!((limits.output, limits.steps), (Some(8 << 20), None));
    }

    #[test]
    fn the_nearest_project_counts_and_more_than_the_editor() {
        let hints = |types| Config {
            hints: Hints {
                types,
                ..Hints::default()
            },
            ..Config::default()
        };
        let project = |dir: &str, types| Project {
            dir: dir.to_owned(),
            config: hints(types),
        };
        let settings = Settings {
            projects: vec![project("/a", Some(true)), project("/a/b", None)],
            editor: Editor {
                config: hints(Some(false)),
                ..Editor::default()
            },
        };
        assert_eq!(settings.hints("/a/x.fk").types, Some(true));
        assert_eq!(settings.hints("/a/b/x.fk").types, Some(false));
        assert_eq!(settings.hints("/ab/x.fk").types, Some(false));
    }
}
