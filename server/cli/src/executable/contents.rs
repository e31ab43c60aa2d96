//! What is built into an executable beside the program's code.

use std::path::PathBuf;
use std::time::Duration;

use frank_analysis::files::LIBRARY_DIR;
use frank_core::Program;
use frank_interpreter::Limits;
use frank_library::{BUILTIN, LIBRARY};
use serde::{Deserialize, Serialize};

use super::Unusable;
use crate::source::{Source, Texts};

/// The version that builds, and that runs what it has built.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// All of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Contents {
    /// The file that was built, as it was called then.
    pub file: String,
    /// The operator that is run, and its type.
    pub entry: String,
    pub ty: String,
    /// The interfaces that the host answers for it.
    pub abilities: Vec<String>,
    /// What it may read and write, relative to where it is started.
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
    pub limits: Bounds,
    pub texts: Vec<Text>,
}

/// How much a run may use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    pub steps: Option<u64>,
    pub timeout: Option<Duration>,
    /// In bytes, as `output` is.
    pub memory: u64,
    pub output: Option<u64>,
}

impl Bounds {
    pub fn of(limits: &Limits) -> Bounds {
        Bounds {
            steps: limits.steps,
            timeout: limits.time,
            memory: limits.memory as u64,
            output: limits.output,
        }
    }

    pub fn limits(&self) -> Limits {
        Limits {
            steps: self.steps,
            time: self.timeout,
            memory: usize::try_from(self.memory).unwrap_or(usize::MAX),
            output: self.output,
            cancelled: None,
        }
    }
}

/// One of the program's own files, which messages quote.
#[derive(Debug, Serialize, Deserialize)]
pub struct Text {
    /// Its name in messages.
    pub name: String,
    pub text: String,
}

/// What the paths of the program's own files begin with. Their names follow: where they were when it was
/// built is nobody's business.
const OWN: &str = "file:";

/// Gives the program's own files paths that say no more than messages do, and gives their texts.
pub fn detach(program: &mut Program, texts: &dyn Texts) -> Vec<Text> {
    let files = program.files.values_mut().filter(|file| !file.library);
    let detached = files.filter_map(|file| {
        let source = texts.source(&file.path)?;
        file.path = format!("{OWN}{}", source.name);
        Some(Text {
            name: source.name,
            text: source.text,
        })
    });
    detached.collect()
}

impl Texts for Contents {
    fn source(&self, path: &str) -> Option<Source> {
        let (name, text) = match path.strip_prefix(OWN) {
            Some(name) => {
                let own = self.texts.iter().find(|own| own.name == name)?;
                (name, own.text.as_str())
            }
            None => (path, library(path)?),
        };
        Some(Source::new(
            name.to_owned(),
            path.to_owned(),
            text.to_owned(),
        ))
    }
}

/// The text of a file of the library, which every executable has.
fn library(path: &str) -> Option<&'static str> {
    let file = path.strip_prefix(LIBRARY_DIR)?.strip_prefix('/')?;
    let name = file.strip_suffix(".fk")?;
    let all = LIBRARY.iter().copied().chain([("builtin", BUILTIN)]);
    let found = all.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| text)
}

/// The bytes of contents and the image of their program.
///
/// # Errors
/// Where they cannot be written, which nothing is known to cause.
pub fn write(contents: &Contents, image: &[u8]) -> Result<Vec<u8>, String> {
    let written = postcard::to_allocvec(&(VERSION, contents));
    let mut bytes = written.map_err(|error| error.to_string())?;
    bytes.extend_from_slice(image);
    Ok(bytes)
}

/// Contents, and the image behind them.
///
/// # Errors
/// Of bytes that another version has written, or nobody.
pub fn read(bytes: &[u8]) -> Result<(Contents, &[u8]), Unusable> {
    let content = |error: postcard::Error| Unusable::Content(error.to_string());
    let (version, rest) = postcard::take_from_bytes::<&str>(bytes).map_err(content)?;
    if version != VERSION {
        return Err(Unusable::Version(version.to_owned()));
    }
    postcard::take_from_bytes(rest).map_err(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_version_wrote_is_refused() {
        let contents = Contents {
            file: "a.fk".to_owned(),
            entry: "main".to_owned(),
            ty: "Int".to_owned(),
            abilities: Vec::new(),
            read: Vec::new(),
            write: Vec::new(),
            limits: Bounds::of(&Limits::default()),
            texts: Vec::new(),
        };
        let bytes = write(&contents, b"image").expect("written");
        let (read, image) = super::read(&bytes).expect("read");
        assert_eq!((read.limits, image), (contents.limits, &b"image"[..]));
        for length in 0..bytes.len() - b"image".len() {
            let part = bytes.get(..length).unwrap_or_default();
            assert!(super::read(part).is_err(), "{length}");
        }
        let other = postcard::to_allocvec("0.0.9").expect("written");
        let refused = super::read(&other).err().map(|error| error.to_string());
        assert!(
            refused.is_some_and(|text| text.contains("built by frank 0.0.9")),
            "the version is named"
        );
    }

    #[test]
    fn the_library_is_known() {
        for path in ["library:/prelude.fk", "library:/builtin.fk"] {
            assert!(library(path).is_some_and(|text| !text.is_empty()), "{path}");
        }
        assert_eq!(library("library:/nothing.fk"), None);
        assert_eq!(library("/prelude.fk"), None);
    }
}
