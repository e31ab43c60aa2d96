//! Files that the client holds (`frank/files`), for a server without a disk.
//!
//! An editor in a browser has a workspace that is on no disk of the server's. It sends the files that count, and
//! what is asked of the disk is answered from them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frank_workspace::config::{self, Directories, Found};
use frank_workspace::paths::{is_frank, key};
use frank_workspace::read::ReadError;
use serde::Deserialize;
use tower_lsp::ls_types as lsp;

use crate::uri::disk_path;

/// Files of the client's.
#[derive(Debug, Deserialize)]
pub struct FilesParams {
    files: Vec<File>,
}

/// A file that has changed.
#[derive(Debug, Deserialize)]
struct File {
    uri: lsp::Uri,
    /// What is in it; nothing if it is gone.
    text: Option<String>,
}

/// What there is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Nothing,
    Directory,
    File,
}

/// The files by their keys. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Held {
    files: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Held {
    fn files(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what the client says of some files, and gives their addresses.
    pub fn take(&self, params: FilesParams) -> Vec<lsp::Uri> {
        let mut files = self.files();
        let taken = params.files.into_iter().filter_map(|File { uri, text }| {
            let key = key(&disk_path(&uri)?);
            match text {
                Some(text) => files.insert(key, text),
                None => files.remove(&key),
            };
            Some(uri)
        });
        taken.collect()
    }

    /// The text of a file.
    ///
    /// # Errors
    /// There is no file with this key; there may be a directory.
    pub fn text(&self, key: &str) -> Result<String, ReadError> {
        let text = self.files().get(key).cloned();
        text.ok_or_else(|| match self.kind(key) {
            Kind::Directory => ReadError::Directory,
            Kind::Nothing | Kind::File => ReadError::NotFound,
        })
    }

    /// What there is at the path with a key.
    pub fn kind(&self, key: &str) -> Kind {
        let files = self.files();
        match files.contains_key(key) {
            true => Kind::File,
            false if below(&files, key).next().is_some() => Kind::Directory,
            false => Kind::Nothing,
        }
    }

    /// The programs in a folder: keys and texts.
    pub fn programs(&self, folder: &str) -> Vec<(String, String)> {
        let files = self.files();
        let programs = below(&files, folder).filter(|(key, _)| is_frank(Path::new(key)));
        let programs = programs.map(|(key, text)| (key.clone(), text.clone()));
        programs.collect()
    }

    /// The nearest `frank.toml` in a directory or around it.
    pub fn project(&self, dir: &Path) -> Found {
        let files = self.files();
        let around = dir.ancestors().find_map(|dir| {
            let path = dir.join(config::FILE_NAME);
            let text = files.get(&key(&path))?;
            Some((dir, path, text))
        });
        match around {
            None => Found::default(),
            Some((dir, path, text)) => Found {
                path: Some(path),
                text: text.clone(),
                ..config::read(text, dir, Directories::Believed)
            },
        }
    }
}

fn below<'f>(
    files: &'f BTreeMap<String, String>,
    folder: &str,
) -> impl Iterator<Item = (&'f String, &'f String)> {
    let folder = format!("{}/", folder.trim_end_matches('/'));
    let from = files.range(folder.clone()..);
    from.take_while(move |(key, _)| key.starts_with(&folder))
}
