//! The project's and the user's wishes: `frank.toml` files and the editor's section `frank`.
//!
//! What a project says counts more than what its user's editor says, so that a file has the same
//! findings for everybody.

use std::path::{Path, PathBuf};
use std::time::Duration;

use frank_analysis::diagnostics::{Code, Severity};
use frank_workspace::config::{self, Config, Hints, Limits};
use serde_json::{Map, Value};

/// The section of the editor's configuration that is the server's.
pub const SECTION: &str = "frank";

/// What an evaluation may use where nobody says otherwise: time, bytes of memory, of output.
const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 512 << 20;
const OUTPUT: u64 = 1 << 20;

/// The `frank.toml` of a directory and what is below it.
#[derive(Debug, Clone)]
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
}

/// Which lenses are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lenses {
    pub run: bool,
    pub derivative: bool,
    pub handlers: bool,
    pub references: bool,
}

impl Default for Lenses {
    fn default() -> Lenses {
        Lenses {
            run: true,
            derivative: true,
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

    /// The inlay hints that are wished in a file; `None` is for the server to decide.
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

    /// How much an evaluation of a program in a file may use.
    pub fn limits(&self, key: &str) -> frank_interpreter::Limits {
        let project = self
            .project(key)
            .map(|config| config.limits)
            .unwrap_or_default();
        let editor = self.editor.config.limits;
        let memory = project.memory.or(editor.memory).unwrap_or(MEMORY);
        frank_interpreter::Limits {
            steps: project.steps.or(editor.steps),
            time: Some(project.timeout.or(editor.timeout).unwrap_or(TIME)),
            memory: usize::try_from(memory).unwrap_or(usize::MAX),
            output: Some(project.output.or(editor.output).unwrap_or(OUTPUT)),
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

/// Reads what an editor sends, and what is wrong with it. `dir` is what paths are relative to.
pub fn read(value: &Value, dir: Option<&Path>) -> (Editor, Vec<String>) {
    let mut reader = Reader {
        editor: Editor::default(),
        mistakes: Vec::new(),
    };
    match value {
        Value::Object(section) => reader.section(section, dir),
        // Editors say so for "nothing is set".
        Value::Null => {}
        Value::Array(nothing) if nothing.is_empty() => {}
        _ => reader
            .mistakes
            .push(format!("`{SECTION}` is a table of settings")),
    }
    (reader.editor, reader.mistakes)
}

struct Reader {
    editor: Editor,
    mistakes: Vec<String>,
}

impl Reader {
    fn section(&mut self, section: &Map<String, Value>, dir: Option<&Path>) {
        let config = &mut self.editor.config;
        for (name, value) in section {
            match (name.as_str(), value) {
                (_, Value::Null) => {}
                ("include", Value::Array(dirs)) => {
                    for entry in dirs {
                        match (entry.as_str(), dir) {
                            (Some(path), Some(dir)) => {
                                let path = frank_workspace::paths::absolute(&dir.join(path));
                                config.include.push(path);
                            }
                            (Some(path), None) if Path::new(path).is_absolute() => {
                                config.include.push(PathBuf::from(path));
                            }
                            _ => self
                                .mistakes
                                .push(format!("`include`: {entry} is no directory")),
                        }
                    }
                }
                ("severity", Value::Object(codes)) => {
                    for (code, wish) in codes {
                        let known = Code::parse(code);
                        let severity = match wish.as_str() {
                            Some("error") => Some(Some(Severity::Error)),
                            Some("warning") => Some(Some(Severity::Warning)),
                            Some("hint") => Some(Some(Severity::Hint)),
                            Some("off") => Some(None),
                            _ => None,
                        };
                        match (known, severity) {
                            (Some(code), Some(severity)) => {
                                config.severity.insert(code, severity);
                            }
                            (None, _) => self.mistakes.push(format!("there is no code `{code}`")),
                            (_, None) => self.mistakes.push(format!(
                                "`{code}` is \"error\", \"warning\", \"hint\" or \"off\""
                            )),
                        }
                    }
                }
                ("limits", Value::Object(limits)) => {
                    for (name, value) in limits {
                        if let Err(mistake) = limit(&mut config.limits, name, value) {
                            self.mistakes.push(mistake);
                        }
                    }
                }
                ("hints", Value::Object(hints)) => {
                    for (name, value) in hints {
                        let hint = match name.as_str() {
                            "types" => &mut config.hints.types,
                            "abilities" => &mut config.hints.abilities,
                            "instances" => &mut config.hints.instances,
                            "effects" => &mut config.hints.effects,
                            "results" => &mut config.hints.results,
                            _ => {
                                self.mistakes
                                    .push(format!("there is no setting `hints.{name}`"));
                                continue;
                            }
                        };
                        match value {
                            Value::Bool(on) => *hint = Some(*on),
                            Value::Null => {}
                            _ => self
                                .mistakes
                                .push(format!("`hints.{name}` is true or false")),
                        }
                    }
                }
                ("lenses", Value::Object(lenses)) => {
                    for (name, value) in lenses {
                        let lenses = &mut self.editor.lenses;
                        let lens = match name.as_str() {
                            "run" => &mut lenses.run,
                            "derivative" => &mut lenses.derivative,
                            "handlers" => &mut lenses.handlers,
                            "references" => &mut lenses.references,
                            _ => {
                                self.mistakes
                                    .push(format!("there is no setting `lenses.{name}`"));
                                continue;
                            }
                        };
                        match value {
                            Value::Bool(on) => *lens = *on,
                            Value::Null => {}
                            _ => self
                                .mistakes
                                .push(format!("`lenses.{name}` is true or false")),
                        }
                    }
                }
                ("include" | "severity" | "limits" | "hints" | "lenses", _) => {
                    self.mistakes.push(format!("`{name}` cannot be {value}"));
                }
                // What belongs to the editor's own part, such as the path of the server.
                _ => {}
            }
        }
    }
}

fn limit(limits: &mut Limits, name: &str, value: &Value) -> Result<(), String> {
    let text = match value {
        Value::Null => return Ok(()),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match name {
        "steps" => limits.steps = Some(config::parse_count(&text)?),
        "timeout" => limits.timeout = Some(config::parse_duration(&text)?),
        "memory" => limits.memory = Some(config::parse_bytes(&text)?),
        "output" => limits.output = Some(config::parse_bytes(&text)?),
        _ => return Err(format!("there is no setting `limits.{name}`")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_wrong_is_told_and_the_rest_counts() {
        let (editor, mistakes) = read(
            &json!({
                "include": ["lib", 3],
                "severity": {"FK0405": "off", "FK9999": "off", "FK0402": "loud"},
                "limits": {"steps": 1000, "timeout": "soon", "memory": null},
                "hints": {"types": false, "colour": true},
                "lenses": {"run": false},
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
        assert_eq!(mistakes.len(), 5, "{mistakes:?}");
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
