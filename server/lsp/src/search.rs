//! Searching folders, on a thread of its own so that a large folder holds nothing up.

use std::path::{Path, PathBuf};

use frank_workspace::discover::{Links, Program, Search, discover};
use frank_workspace::paths::key;
use frank_workspace::read::read_source;

use crate::held::Held;

/// How many files are handed over at a time, and how many bytes.
const BATCH_FILES: usize = 256;
const BATCH_BYTES: usize = 4 << 20;

/// How folders are searched.
pub const SEARCH: Search = Search {
    links: Links::InProject,
    ignore_files: true,
    count: false,
};

/// Files of a folder.
#[derive(Debug, Default)]
pub struct Found {
    /// Which search this is.
    pub search: u64,
    /// Keys and texts.
    pub files: Vec<(String, String)>,
    /// All keys that were found; only when the search is over.
    pub complete: Option<Vec<String>>,
}

/// Reports the programs in a folder of files that the client holds.
pub fn search_held(held: &Held, folder: &Path, search: u64, report: impl Fn(Found)) {
    let files = held.programs(&key(folder));
    let keys = files.iter().map(|(key, _)| key.clone()).collect();
    report(Found {
        search,
        files,
        complete: Some(keys),
    });
}

/// Searches a folder for programs and reports what it finds in batches.
pub fn search(
    folder: PathBuf,
    search: u64,
    report: impl Fn(Found) + Send + 'static,
) -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("frank-search".to_owned());
    thread.spawn(move || {
        let mut keys = Vec::new();
        let mut batch = Found {
            search,
            ..Found::default()
        };
        let mut bytes = 0;
        let discovery = discover([folder.as_path()], SEARCH);
        for problem in &discovery.problems {
            tracing::info!("{}: {:?}", problem.path.display(), problem.what);
        }
        for Program { path, .. } in discovery.files {
            let text = match read_source(&path) {
                Ok(text) => text,
                Err(error) => {
                    tracing::info!("{}: {error}", path.display());
                    continue;
                }
            };
            bytes += text.len();
            let key = key(&path);
            keys.push(key.clone());
            batch.files.push((key, text));
            if batch.files.len() >= BATCH_FILES || bytes >= BATCH_BYTES {
                report(std::mem::take(&mut batch));
                batch.search = search;
                bytes = 0;
            }
        }
        batch.complete = Some(keys);
        report(batch);
    })?;
    Ok(())
}
