//! Writing to what is no regular file: devices such as `/dev/null`, and pipes. Nobody is waited for without end but by
//! a pipe without a name, which a shell has made, and which is waited for as standard output is.

use std::fmt;
use std::fs::{FileType, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::disk::Disk;
use crate::read::regular_only;
use crate::write::{WriteError, failed};

/// So long whoever reads from a pipe may take nothing.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long until a pipe that was full is tried again.
const AGAIN: Duration = Duration::from_millis(10);

/// What stands where a file, or a directory, is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    File,
    Directory,
    /// A disk, all of which would be overwritten.
    Disk,
    Socket,
    Pipe,
    /// Another device.
    Device,
    /// A link that leads to nothing.
    Dangling,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Obstacle::File => "this is a file",
            Obstacle::Directory => "this is a directory",
            Obstacle::Disk => "this is a disk, or another block device",
            Obstacle::Socket => "this is a socket",
            Obstacle::Pipe => "this is a pipe",
            Obstacle::Device => "this is a device",
            Obstacle::Dangling => "this is a link that leads nowhere",
        })
    }
}

/// What there is at a path; `None` if there is nothing, or it cannot be looked at.
fn found(path: &Path) -> Option<Obstacle> {
    match path.metadata() {
        Ok(metadata) => Some(kind(metadata.file_type())),
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
            Some(Obstacle::Dangling)
        }
        Err(_) => None,
    }
}

#[cfg(unix)]
fn kind(found: FileType) -> Obstacle {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if found.is_dir() => Obstacle::Directory,
        () if found.is_block_device() => Obstacle::Disk,
        () if found.is_socket() => Obstacle::Socket,
        () if found.is_fifo() => Obstacle::Pipe,
        () if found.is_char_device() => Obstacle::Device,
        () => Obstacle::File,
    }
}

#[cfg(not(unix))]
fn kind(found: FileType) -> Obstacle {
    match found.is_dir() {
        true => Obstacle::Directory,
        false => Obstacle::File,
    }
}

/// What there is at a path that nothing can be written to. Whether somebody reads from a pipe is not known before it
/// is opened.
pub fn unwritable(path: &Path) -> Option<Obstacle> {
    found(path).filter(|found| match found {
        Obstacle::Directory | Obstacle::Disk | Obstacle::Socket | Obstacle::Dangling => true,
        Obstacle::File | Obstacle::Pipe | Obstacle::Device => false,
    })
}

/// What keeps a directory from being there or being made, and where that is: at its path, or above it.
pub fn no_directory(path: &Path) -> Option<(PathBuf, Obstacle)> {
    let ways = path.ancestors().take_while(|way| *way != Path::new(""));
    let found = ways.filter_map(|way| Some((way.to_owned(), found(way)?)));
    let mut nearest = found.take(1);
    nearest.find(|(_, found)| *found != Obstacle::Directory)
}

/// Writes to what is there and is no regular file.
pub(crate) fn write(disk: &dyn Disk, path: &Path, parts: &[&[u8]]) -> Result<(), WriteError> {
    // What a shell has made for `| less` or `>(less)` has no name, and its path leads to none.
    let patience = match path.canonicalize() {
        Ok(_) => Some(PATIENCE),
        Err(_) => None,
    };
    write_within(disk, path, parts, patience)
}

fn write_within(
    disk: &dyn Disk,
    path: &Path,
    parts: &[&[u8]],
    patience: Option<Duration>,
) -> Result<(), WriteError> {
    if let Some(obstacle) = unwritable(path) {
        return Err(WriteError::Obstacle(obstacle));
    }
    let file = disk.open(path, regular_only(OpenOptions::new().write(true)));
    let mut file = file.map_err(|error| match found(path) {
        Some(Obstacle::Pipe) if has_no_reader(&error) => WriteError::Unread,
        _ => failed(error),
    })?;
    for part in parts {
        let mut left = *part;
        let mut since = Instant::now();
        while !left.is_empty() {
            match disk.write(&mut file, left) {
                Ok(0) => return Err(failed(ErrorKind::WriteZero.into())),
                Ok(taken) => {
                    left = left.get(taken..).unwrap_or_default();
                    since = Instant::now();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if patience.is_some_and(|patience| since.elapsed() > patience) {
                        return Err(WriteError::NotTaken(PATIENCE));
                    }
                    std::thread::sleep(AGAIN);
                }
                Err(error) => return Err(failed(error)),
            }
        }
    }
    Ok(())
}

/// What the system says of a pipe that nobody has opened for reading.
#[cfg(unix)]
fn has_no_reader(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error())
}

#[cfg(not(unix))]
fn has_no_reader(_: &std::io::Error) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::disk::System;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    fn pipe(dir: &Path) -> PathBuf {
        let pipe = dir.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        pipe
    }

    #[test]
    fn nobody_is_waited_for() {
        let dir = tempfile::tempdir().expect("a directory");
        let pipe = pipe(dir.path());
        assert_eq!(write(&System, &pipe, &[b"x"]), Err(WriteError::Unread));
        // Somebody who has opened it, and does not read.
        let mut both = OpenOptions::new();
        let reader = both.read(true).write(true).open(&pipe).expect("a pipe");
        let much = vec![b'x'; 1 << 20];
        let short = Some(Duration::from_millis(30));
        let written = write_within(&System, &pipe, &[&much], short);
        assert_eq!(written, Err(WriteError::NotTaken(PATIENCE)));
        drop(reader);
        let socket = dir.path().join("socket");
        let _listener = UnixListener::bind(&socket).expect("a socket");
        let written = write(&System, &socket, &[b"x"]);
        assert_eq!(written, Err(WriteError::Obstacle(Obstacle::Socket)));
        let written = write(&System, dir.path(), &[b"x"]);
        assert_eq!(written, Err(WriteError::Obstacle(Obstacle::Directory)));
    }

    #[test]
    fn what_is_read_gets_there() {
        let dir = tempfile::tempdir().expect("a directory");
        let pipe = pipe(dir.path());
        let much = vec![b'x'; 1 << 20];
        let (opened, is_open) = std::sync::mpsc::channel();
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || {
                // Opened at once, since it is for writing, too.
                let mut both = OpenOptions::new();
                let first = both.read(true).write(true).open(&pipe).expect("a pipe");
                opened.send(()).expect("somebody waits");
                let mut taken = std::io::Read::take(first, 1 << 20);
                std::io::copy(&mut taken, &mut std::io::sink()).expect("read")
            })
        };
        is_open.recv().expect("opened");
        assert_eq!(write(&System, &pipe, &[&much]), Ok(()));
        assert_eq!(reader.join().expect("read"), 1 << 20);
        assert_eq!(write(&System, Path::new("/dev/null"), &[&much]), Ok(()));
    }

    #[test]
    fn a_directory_can_be_made_where_nothing_is_in_its_way() {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), "").expect("a file");
        symlink("nowhere", at("link")).expect("a link");
        symlink(".", at("here")).expect("a link");
        for free in ["", "new", "new/er", "here", "here/new"] {
            assert_eq!(no_directory(&at(free)), None, "{free}");
        }
        for (taken, where_, obstacle) in [
            ("file", "file", Obstacle::File),
            ("file/new/er", "file", Obstacle::File),
            ("here/link/new", "here/link", Obstacle::Dangling),
        ] {
            assert_eq!(no_directory(&at(taken)), Some((at(where_), obstacle)));
        }
        assert_eq!(no_directory(Path::new("new")), None);
    }
}
