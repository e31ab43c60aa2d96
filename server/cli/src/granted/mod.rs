//! What a run may touch beside the terminal: the files that the command line grants, the words that it was started with,
//! and clocks.

mod writing;

use std::ffi::OsStr;
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use frank_core::Outside;
use frank_interpreter::{Reply, Request};
use frank_syntax::visible::visible;

/// All of it. Paths are relative to the directory where the run began.
#[derive(Debug)]
pub struct Granted {
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    arguments: Vec<String>,
    began: Instant,
    /// What an option that grants more is given to.
    granter: Granter,
}

/// Who takes the options that grant files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Granter {
    /// What runs the program.
    Run,
    /// `frank build`, long ago: the arguments of an executable are the program's.
    Build,
}

/// What a grant is for, and the option that makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

impl Access {
    fn option(self) -> &'static str {
        match self {
            Access::Read => "--read",
            Access::Write => "--write",
        }
    }
}

/// A file or directory as it is reached: from a directory that is granted, by a path that cannot leave it.
struct Reached {
    dir: Dir,
    path: PathBuf,
}

impl Granted {
    /// Grants from now on.
    pub fn new(read: &[PathBuf], write: &[PathBuf], arguments: &[String]) -> Granted {
        Granted {
            read: read.to_vec(),
            write: write.to_vec(),
            arguments: arguments.to_vec(),
            began: Instant::now(),
            granter: Granter::Run,
        }
    }

    /// The same for an executable, which was granted this when it was built.
    pub fn when_built(self) -> Granted {
        let granter = Granter::Build;
        Granted { granter, ..self }
    }

    /// Answers a request of the program. A text may have `most` bytes.
    ///
    /// # Errors
    /// A sentence about what is not granted, or cannot be done.
    pub fn answer(&self, request: &Request, most: usize) -> Result<Reply, String> {
        let asked = request.asked;
        let path = &*request.path;
        match asked {
            Outside::ReadFile => {
                let file = self.reach_file(asked, path, Access::Read)?;
                read(&file, most).map_err(|reason| wrong(asked, path, &reason))
            }
            Outside::FileExists => {
                let file = self.reach(asked, path, Access::Read)?;
                match file.dir.metadata(&file.path) {
                    Ok(found) => Ok(Reply::Truth(found.is_dir() || !names_folder(path))),
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(Reply::Truth(false)),
                    Err(error) => Err(wrong(asked, path, &said(&error))),
                }
            }
            Outside::ListFolder => {
                let folder = self.reach(asked, path, Access::Read)?;
                names(&folder)
                    .map(Reply::Texts)
                    .map_err(|reason| wrong(asked, path, &reason))
            }
            Outside::WriteFile => {
                let file = self.reach_file(asked, path, Access::Write)?;
                let written = writing::write(&file, request.text.as_bytes());
                written.map_err(|error| wrong(asked, path, &said(&error)))?;
                Ok(Reply::Unit)
            }
            Outside::AppendFile => {
                let file = self.reach_file(asked, path, Access::Write)?;
                let written = writing::append(&file, request.text.as_bytes());
                written.map_err(|error| wrong(asked, path, &said(&error)))?;
                Ok(Reply::Unit)
            }
            Outside::Arguments => Ok(Reply::Texts(self.arguments.clone())),
            Outside::Now => {
                // Before 1970 it is a negative number.
                let now = match SystemTime::now().duration_since(UNIX_EPOCH) {
                    Ok(since) => since.as_secs_f64(),
                    Err(before) => -before.duration().as_secs_f64(),
                };
                Ok(Reply::Number(now))
            }
            Outside::Elapsed => Ok(Reply::Number(self.began.elapsed().as_secs_f64())),
            // The machine reads the input itself, and asks for what is tried.
            _ => Err(asked.not_granted()),
        }
    }

    /// The way to a path of a file, if it is granted.
    fn reach_file(&self, asked: Outside, path: &str, access: Access) -> Result<Reached, String> {
        let file = self.reach(asked, path, access)?;
        match names_folder(path) {
            true => Err(wrong(
                asked,
                path,
                "its end says that it is a directory, and a text needs a file",
            )),
            false => Ok(file),
        }
    }

    /// The way to a path, if it is granted.
    fn reach(&self, asked: Outside, path: &str, access: Access) -> Result<Reached, String> {
        let here = std::env::current_dir();
        let here = here.map_err(|error| wrong(asked, path, &said(&error)))?;
        let wanted = plain(&here, Path::new(path));
        let granted = match access {
            Access::Read => &self.read,
            Access::Write => &self.write,
        };
        for grant in granted {
            let Ok(rest) = wanted.strip_prefix(plain(&here, grant)) else {
                continue;
            };
            return reach(grant, rest)
                .map_err(|error| wrong(asked, path, &said(&error)))?
                .ok_or_else(|| wrong(asked, path, "is no file, and its name ends nowhere"));
        }
        let (name, option) = (asked.name(), access.option());
        let verb = match access {
            Access::Read => "read",
            Access::Write => "write",
        };
        let (shown, path) = (shown(path), visible(path));
        Err(match self.granter {
            Granter::Run => format!(
                "`{name}` of {shown}: this run may not {verb} it; `{option} {path}` grants that, or `{option}` with a directory \
                 around it"
            ),
            Granter::Build => format!(
                "`{name}` of {shown}: this executable may not {verb} it; it has to be built with `frank build {option} {path}`, \
                 or `{option}` with a directory around it"
            ),
        })
    }
}

/// The way to what a grant has at `rest`; nothing where a path names no file in a directory.
fn reach(grant: &Path, rest: &Path) -> io::Result<Option<Reached>> {
    if grant.is_dir() {
        let path = match rest.as_os_str().is_empty() {
            true => Path::new("."),
            false => rest,
        };
        let dir = Dir::open_ambient_dir(grant, ambient_authority())?;
        let path = path.to_owned();
        return Ok(Some(Reached { dir, path }));
    }
    if !rest.as_os_str().is_empty() {
        return Err(io::Error::from(ErrorKind::NotADirectory));
    }
    // The user names the file, so that a link is followed here, and from then on nothing else than the file.
    let file = grant.canonicalize().unwrap_or_else(|_| grant.to_owned());
    let Some(name) = file.file_name() else {
        return Ok(None);
    };
    let around = file.parent().filter(|dir| !dir.as_os_str().is_empty());
    let dir = Dir::open_ambient_dir(around.unwrap_or(Path::new(".")), ambient_authority())?;
    let path = PathBuf::from(name);
    if dir
        .symlink_metadata(&path)
        .is_ok_and(|found| found.is_symlink())
    {
        return Err(io::Error::other("it is a link that leads nowhere"));
    }
    Ok(Some(Reached { dir, path }))
}

/// Whether a path by its text alone is one of a directory. How it is taken apart does not keep that.
fn names_folder(path: &str) -> bool {
    let last = path.rsplit(std::path::is_separator).next();
    !path.is_empty() && matches!(last, Some("" | "." | ".."))
}

/// A path from the root, without `.` and `..`, by its text alone.
fn plain(here: &Path, path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in here.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// A file's text, without a byte order mark.
fn read(file: &Reached, most: usize) -> Result<Reply, String> {
    regular(file).map_err(|error| said(&error))?;
    let opened = file.dir.open(&file.path).map_err(|error| said(&error))?;
    let mut bytes = Vec::new();
    let limit = (most as u64).saturating_add(1);
    let read = opened.take(limit).read_to_end(&mut bytes);
    read.map_err(|error| said(&error))?;
    if bytes.len() > most {
        return Ok(Reply::TooLong);
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Reply::Text(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        })),
        Err(error) => Err(format!(
            "is no text in UTF-8: the byte at offset {} begins no character",
            error.utf8_error().valid_up_to()
        )),
    }
}

/// That something is a file, and neither a directory nor a device that could wait for ever.
fn regular(file: &Reached) -> io::Result<()> {
    let metadata = file.dir.metadata(&file.path)?;
    match metadata.is_file() {
        true => Ok(()),
        false if metadata.is_dir() => Err(io::Error::from(ErrorKind::IsADirectory)),
        false => Err(io::Error::other("it is a device or a pipe, and no file")),
    }
}

/// The names in a directory, sorted.
fn names(folder: &Reached) -> Result<Vec<String>, String> {
    let entries = folder
        .dir
        .read_dir(&folder.path)
        .map_err(|error| said(&error))?;
    let (mut names, mut odd) = (Vec::new(), Vec::new());
    for entry in entries {
        let name = entry.map_err(|error| said(&error))?.file_name();
        match name.into_string() {
            Ok(name) => names.push(name),
            Err(name) => odd.push(escaped(&name)),
        }
    }
    names.sort();
    odd.sort();
    match odd.split_first() {
        None => Ok(names),
        // A list without it would say that it is not there.
        Some((first, rest)) => Err(format!(
            "it has {} no text in UTF-8: `{first}`{}",
            match rest.len() {
                0 => "a name that is".to_owned(),
                more => format!("{} names that are", more + 1),
            },
            if rest.is_empty() { "" } else { " is the first" },
        )),
    }
}

/// A name with the bytes that are no text as `\xE4`.
fn escaped(name: &OsStr) -> String {
    let mut shown = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        shown += &visible(chunk.valid());
        for byte in chunk.invalid() {
            shown += &format!("\\x{byte:02X}");
        }
    }
    shown
}

/// What the system says, as the rest of a sentence.
fn said(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::IsADirectory => "is a directory, and a text needs a file".to_owned(),
        ErrorKind::NotFound => "there is no such file or directory".to_owned(),
        // What holds paths within a directory says so itself, and no system.
        ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
            "a link in it leads out of what is granted; grant the place that it leads to, and name that".to_owned()
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            let reason = error.to_string();
            format!(
                "there is no room for all of it, so that nothing of it was written: {}",
                visible(&reason)
            )
        }
        _ => visible(&error.to_string()).into_owned(),
    }
}

fn wrong(asked: Outside, path: &str, reason: &str) -> String {
    format!("`{}` of {}: {reason}", asked.name(), shown(path))
}

/// A path of the program's in a message.
fn shown(path: &str) -> String {
    format!("`{}`", visible(path))
}
