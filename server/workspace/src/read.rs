//! Reading sources, whatever is in the files.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Read};
use std::path::Path;

use crate::disk::{Disk, Reader, System};

/// The most bytes that a source may have. Nobody writes a file of this size; reading one is a
/// mistake in the arguments, and would only take all memory.
pub const MAX_BYTES: u64 = 64 << 20;

/// How far a file is searched for the byte that shows that it is no text.
const BINARY_PREFIX: usize = 8 << 10;

/// Why there is no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    NotFound,
    Directory,
    /// Its name is not UTF-8, so that neither a message nor an include can give it.
    Name,
    /// Neither a file nor a directory.
    Special,
    /// A terminal, which a user has named.
    Terminal,
    /// A symbolic link that leads back to itself.
    Loop,
    /// The offset of the first NUL byte.
    Binary(usize),
    /// The offset of the first byte that is not UTF-8.
    NotUtf8(usize),
    /// It has more than [`MAX_BYTES`].
    TooLarge,
    /// Anything else, in the system's words.
    Other(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotFound => write!(f, "there is no such file or directory"),
            ReadError::Directory => write!(f, "this is a directory"),
            ReadError::Name => write!(f, "its name is not UTF-8: rename it"),
            ReadError::Special => write!(f, "this is neither a file nor a directory"),
            ReadError::Terminal => write!(f, "this is a terminal: to type a program, name `-`"),
            ReadError::Loop => write!(f, "this symbolic link leads back to itself"),
            ReadError::Binary(at) => write!(f, "this is no text: byte {at} is 0"),
            ReadError::NotUtf8(at) => write!(f, "this is not UTF-8: the mistake is at byte {at}"),
            ReadError::TooLarge => {
                write!(f, "this is larger than {} MiB", MAX_BYTES >> 20)
            }
            ReadError::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<std::io::Error> for ReadError {
    fn from(error: std::io::Error) -> ReadError {
        match error.kind() {
            ErrorKind::NotFound => ReadError::NotFound,
            ErrorKind::IsADirectory => ReadError::Directory,
            // A device that would have to be waited for.
            ErrorKind::WouldBlock => ReadError::Special,
            ErrorKind::PermissionDenied => ReadError::Other("permission denied".to_owned()),
            // Its `ErrorKind` is not stable.
            _ if error.raw_os_error() == Some(LOOP) => ReadError::Loop,
            _ => ReadError::Other(error.to_string()),
        }
    }
}

/// The system's number for a path with too many symbolic links.
const LOOP: i32 = if cfg!(target_os = "linux") { 40 } else { 62 };

/// Who says that a file is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// A user, in the arguments.
    ByUser,
    /// A search, another file or a rule: it must be a regular file. Anything else could be waited
    /// for without end, and whoever writes a repository can put it there.
    ByOthers,
}

/// The text of a file that no user has named.
pub fn read_source(path: &Path) -> Result<String, ReadError> {
    read_file(&System, path, Named::ByOthers)
}

/// The text of a file. Pipes are read, too, if a user has named them, and nothing else is waited for.
pub fn read_file(disk: &dyn Disk, path: &Path, named: Named) -> Result<String, ReadError> {
    let (file, length) = open(disk, path, named)?;
    read_text(Reader { disk, file }, length)
}

/// What is in a file that no user has named, be it a text or not.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let (file, _) = open(&System, path, Named::ByOthers)?;
    all_of(
        Reader {
            disk: &System,
            file,
        },
        0,
    )
}

/// A file that can be read, and how many bytes it probably has.
fn open(disk: &dyn Disk, path: &Path, named: Named) -> Result<(File, u64), ReadError> {
    let mut options = OpenOptions::new();
    options.read(true);
    let named = named == Named::ByUser;
    // A pipe has an end only when somebody has written to it.
    if !named || !path.metadata().is_ok_and(|found| is_pipe(&found)) {
        regular_only(&mut options);
    }
    let file = disk.open(path, &options)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(ReadError::Directory);
    }
    if !named && !metadata.is_file() {
        return Err(ReadError::Special);
    }
    if file.is_terminal() {
        return Err(ReadError::Terminal);
    }
    if metadata.len() > MAX_BYTES {
        return Err(ReadError::TooLarge);
    }
    Ok((file, metadata.len()))
}

/// Has a file opened without waiting for anybody, so that it can be asked what it is.
pub(crate) fn regular_only(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    options
}

#[cfg(unix)]
fn is_pipe(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}

/// The text that a reader gives, which probably has `length` bytes.
pub fn read_text(reader: impl Read, length: u64) -> Result<String, ReadError> {
    let bytes = all_of(reader, length)?;
    let start = bytes.get(..BINARY_PREFIX).unwrap_or(&bytes);
    if let Some(at) = start.iter().position(|byte| *byte == 0) {
        return Err(ReadError::Binary(at));
    }
    String::from_utf8(bytes).map_err(|error| ReadError::NotUtf8(error.utf8_error().valid_up_to()))
}

/// The bytes that a reader gives, which are probably `length`.
fn all_of(reader: impl Read, length: u64) -> Result<Vec<u8>, ReadError> {
    let length = usize::try_from(length.min(MAX_BYTES)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(length + 1);
    reader.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ReadError::TooLarge);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_is_read() {
        assert_eq!(read_text(&b"a\xc3\xa4"[..], 3).as_deref(), Ok("aä"));
        assert_eq!(read_text(&b"a\xff"[..], 2), Err(ReadError::NotUtf8(1)));
        assert_eq!(read_text(&b"ab\0\xff"[..], 4), Err(ReadError::Binary(2)));
        assert_eq!(
            read_text(std::io::repeat(b' '), 0),
            Err(ReadError::TooLarge)
        );
        assert_eq!(
            read_source(Path::new("/nowhere.fk")),
            Err(ReadError::NotFound)
        );
        assert_eq!(read_source(Path::new("/")), Err(ReadError::Directory));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_waited_for() {
        let dir = tempfile::tempdir().expect("a directory");
        let pipe = dir.path().join("pipe.fk");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        assert_eq!(read_source(&pipe), Err(ReadError::Special));
        for device in ["/dev/ptmx", "/dev/zero"] {
            let link = dir.path().join("device.fk");
            std::os::unix::fs::symlink(device, &link).expect("a link");
            assert_eq!(read_source(&link), Err(ReadError::Special), "{device}");
            // Named by a user a device need not be refused, but it must not be waited for either.
            assert!(
                read_file(&System, &link, Named::ByUser).is_err(),
                "{device}"
            );
            std::fs::remove_file(&link).expect("gone");
        }
        // A pipe that a user names is read to its end.
        let writer = {
            let pipe = pipe.clone();
            std::thread::spawn(move || std::fs::write(pipe, "x : Int").expect("written"))
        };
        let text = read_file(&System, &pipe, Named::ByUser);
        assert_eq!(text.as_deref(), Ok("x : Int"));
        writer.join().expect("the writer");
    }
}
