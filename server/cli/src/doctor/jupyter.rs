//! The kernel, as Jupyter knows it.

use std::path::{Path, PathBuf};

use frank_workspace::read::read_bytes;
use serde_json::Value;

use crate::output::visible_path;

use super::{Examined, Folders};

const JUPYTER: &str = "Jupyter";

pub fn examine(folders: &Folders) -> Option<Examined> {
    let file = data(folders).join("kernels/frank/kernel.json");
    let text = read_bytes(&file).ok()?;
    let shown = visible_path(&file);
    let again = "`frank kernel --install` writes it anew";
    let described: Option<Value> = serde_json::from_slice(&text).ok();
    let program = described
        .as_ref()
        .and_then(|described| described.pointer("/argv/0")?.as_str());
    Some(match program {
        None => Examined::wrong(JUPYTER, format!("{shown} names no program"), again),
        Some(program) if !Path::new(program).is_file() => Examined::wrong(
            JUPYTER,
            format!(
                "{shown} names a program that is not there: {}",
                visible_path(Path::new(program))
            ),
            again,
        ),
        Some(_) => Examined::fine(JUPYTER, shown),
    })
}

/// Where Jupyter looks for what is the user's.
fn data(folders: &Folders) -> PathBuf {
    match std::env::var_os("JUPYTER_DATA_DIR") {
        Some(value) if !value.is_empty() => value.into(),
        _ if cfg!(target_os = "macos") => folders.home.join("Library/Jupyter"),
        _ if cfg!(windows) => dirs::config_dir()
            .unwrap_or_else(|| folders.config.clone())
            .join("jupyter"),
        _ => folders.data.join("jupyter"),
    }
}
