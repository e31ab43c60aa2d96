//! Why a file was not written.

use std::fmt;
use std::io;
use std::time::Duration;

use crate::obstacle::Obstacle;
use crate::read::ReadError;

/// Why a file was left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteError {
    /// Somebody has changed it since it was read.
    Changed,
    /// It has so many names; the new file would have this one alone.
    HardLinks(u64),
    /// The new file would belong to somebody else.
    Owner,
    /// Its directory is not there.
    NoDirectory,
    /// No file can be made in its directory; the reason.
    Directory(String),
    /// It cannot be opened; the reason.
    Closed(ReadError),
    /// Something else is there.
    Obstacle(Obstacle),
    /// It is a pipe that nobody has opened for reading.
    Unread,
    /// It is a pipe, or a device, that took a part and then nothing for so long.
    NotTaken(Duration),
    /// Writing failed; the reason.
    Failed(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Changed => write!(
                f,
                "not written: it has changed since it was read; run the command again"
            ),
            WriteError::HardLinks(names) => write!(
                f,
                "not written: the file has {names} names (hard links), and the others would keep \
                 the old text; give it one name"
            ),
            WriteError::Owner => write!(
                f,
                "not written: the file belongs to another user or group, and would be yours; \
                 run the command as its owner"
            ),
            WriteError::NoDirectory => write!(
                f,
                "not written: the directory that it is to be in is not there; make that first"
            ),
            WriteError::Directory(reason) => write!(
                f,
                "not written: a new file cannot be made beside it: {reason}"
            ),
            WriteError::Closed(reason) => write!(f, "not written: {reason}"),
            WriteError::Obstacle(obstacle) => write!(
                f,
                "not written: {obstacle}, and a file is expected; give it another name"
            ),
            WriteError::Unread => write!(
                f,
                "not written: this is a pipe that nobody reads from; start what reads from it first, \
                 or name a file"
            ),
            WriteError::NotTaken(time) => write!(
                f,
                "written in part: what reads from it has taken nothing for {} s; name a file",
                time.as_secs()
            ),
            WriteError::Failed(reason) => {
                write!(f, "not written, and left as it was: {reason}")
            }
        }
    }
}

impl std::error::Error for WriteError {}

pub(crate) fn failed(error: io::Error) -> WriteError {
    WriteError::Failed(error.to_string())
}
