//! What is in the way where a file, or a directory, is to be written.

use std::fmt;
use std::fs::FileType;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

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
pub(crate) fn found(path: &Path) -> Option<Obstacle> {
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

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
