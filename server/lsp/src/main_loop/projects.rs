//! The settings: of projects, in their `frank.toml`, and of the editor.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use frank_workspace::config::{Found, Mistake};
use frank_workspace::paths::key;
use frank_workspace::read::ReadError;
use tower_lsp::ls_types as lsp;

use super::GlobalState;
use super::reading::Age;
use crate::diagnostics::ProjectFindings;
use crate::disk::Question;
use crate::documents::Document;
use crate::settings::{Editor, Project};
use crate::uri::is_on_disk;

impl GlobalState {
    /// Has the `frank.toml` in a directory or around it read.
    pub(super) fn ask_project(&mut self, dir: &Path) {
        self.projects.entry(dir.to_owned()).or_default();
        let question = Question::Project(dir.to_owned());
        self.reading.ask(question, None, Age::FromNowOn);
    }

    /// Has the `frank.toml` around a file read that is in no folder of the workspace.
    pub(super) fn adopt(&mut self, key: &str) {
        if !self.is_in_a_folder(key)
            && is_on_disk(key)
            && let Some(dir) = Path::new(key).parent()
        {
            self.ask_project(dir);
        }
    }

    /// Has all `frank.toml` read again.
    pub(super) fn ask_projects(&mut self) {
        let mut dirs: Vec<PathBuf> = self
            .folders
            .iter()
            .map(|folder| folder.path.clone())
            .collect();
        let open = self.documents.iter().map(|(_, document)| document);
        for Document { key, .. } in open.filter(|open| open.is_open() && !open.library) {
            if is_on_disk(key) && !self.is_in_a_folder(key) {
                dirs.extend(Path::new(&**key).parent().map(Path::to_owned));
            }
        }
        self.projects.retain(|dir, _| dirs.contains(dir));
        dirs.iter().for_each(|dir| self.ask_project(dir));
        self.projects_changed();
    }

    /// Takes what was found for a directory.
    pub(super) fn project_read(
        &mut self,
        dir: &Path,
        found: Result<Box<Found>, (PathBuf, ReadError)>,
    ) {
        // It may not be asked for any more.
        let Some(known) = self.projects.get_mut(dir) else {
            return;
        };
        *known = match found {
            Ok(found) => Some(*found),
            Err((path, error)) => {
                tracing::warn!("{}: {error}", path.display());
                Some(Found {
                    path: Some(path),
                    mistakes: vec![Mistake {
                        message: format!("this file cannot be read: {error}"),
                        range: 0..0,
                    }],
                    ..Found::default()
                })
            }
        };
        self.projects_changed();
    }

    /// Applies what all projects say.
    fn projects_changed(&mut self) {
        let found = self.projects.values().flatten();
        let by_path: BTreeMap<&Path, &Found> = found
            .filter_map(|found| Some((found.path.as_deref()?, found)))
            .collect();
        let shown = by_path.iter().map(|(path, found)| ProjectFindings {
            path,
            text: &found.text,
            errors: &found.mistakes,
            warnings: self.settings.editor.refused(found),
        });
        self.publisher
            .publish_projects(&self.client, shown, self.documents.encoding);
        let projects = by_path.iter().filter_map(|(path, found)| {
            let dir = key(path.parent()?);
            Some(Project {
                dir: if dir == "/" { String::new() } else { dir },
                config: found.config.clone(),
            })
        });
        let projects: Vec<Project> = projects.collect();
        if self.settings.projects != projects {
            Arc::make_mut(&mut self.settings).projects = projects;
            self.settings_changed();
        }
    }

    /// Has the editor's settings read: of paths in them the disk is asked.
    pub(super) fn take_settings(&mut self, section: serde_json::Value) {
        let dir = self.folders.first().map(|folder| folder.path.clone());
        self.section = section.clone();
        let question = Question::Settings(section, dir);
        self.reading.ask(question, None, Age::Any);
    }

    /// Takes the editor's settings, unless there are newer ones.
    pub(super) fn settings_read(
        &mut self,
        section: &serde_json::Value,
        editor: Editor,
        mistakes: &[String],
    ) {
        if self.section != *section {
            return;
        }
        for mistake in mistakes {
            tracing::warn!("in the editor's settings: {mistake}");
            self.client.show(
                lsp::MessageType::WARNING,
                format!("Frank: in the settings of this editor, {mistake}"),
            );
        }
        if self.settings.editor != editor {
            Arc::make_mut(&mut self.settings).editor = editor;
            self.projects_changed();
            self.settings_changed();
        }
    }

    /// Applies new settings.
    fn settings_changed(&mut self) {
        self.files.set_include_dirs(self.settings.include_keys());
        self.due.includes = true;
        self.due.refresh = true;
    }
}
