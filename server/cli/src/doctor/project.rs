//! The project around a directory: its configuration, and files that stand before those of the library.

use std::path::{Path, PathBuf};

use frank_syntax::visible::visible;
use frank_workspace::config::{self, FILE_NAME, Found};
use frank_workspace::paths::absolute;

use crate::output::{count, visible_path};

use super::Examined;

const CONFIG: &str = "config";

pub fn examine(directory: &Path) -> Vec<Examined> {
    let found = match config::find(directory) {
        Ok(found) => found,
        Err((path, error)) => {
            return vec![Examined::wrong(
                CONFIG,
                format!("{}: {error}", visible_path(&path)),
                "mend the file, or remove it: defaults hold then",
            )];
        }
    };
    let mut all = vec![configuration(directory, &found)];
    all.extend(before_the_library(directory, &found.config.include));
    all
}

fn configuration(directory: &Path, found: &Found) -> Examined {
    let Some(path) = &found.path else {
        let place = visible_path(&absolute(directory));
        return Examined::fine(
            CONFIG,
            format!("defaults: there is no {FILE_NAME} in {place} or above"),
        );
    };
    let path = visible_path(path);
    match found.mistakes.first() {
        None => Examined::fine(CONFIG, path),
        Some(first) => Examined::wrong(
            CONFIG,
            format!(
                "{path}: {}; the first: {}",
                count(found.mistakes.len(), "mistake"),
                visible(&first.message)
            ),
            "`frank check` says where they are; what is right in the file counts",
        ),
    }
}

/// Files that are included instead of those of the library.
fn before_the_library(directory: &Path, include: &[PathBuf]) -> Option<Examined> {
    let folders = std::iter::once(directory).chain(include.iter().map(PathBuf::as_path));
    let files: Vec<String> = folders
        .flat_map(|folder| {
            let names = frank_library::LIBRARY.iter().map(|(name, _)| *name);
            names.map(move |name| folder.join(format!("{name}.fk")))
        })
        .filter(|file| file.is_file())
        .map(|file| visible_path(&file))
        .collect();
    if files.is_empty() {
        return None;
    }
    Some(
        Examined::note(
            "library",
            format!(
                "included instead of the library's own: {}",
                files.join(", ")
            ),
        )
        .with("rename what is not meant to be"),
    )
}
