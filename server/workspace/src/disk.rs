//! What is done with files on disk, one function for each operation that can fail. Tests put another
//! [`Disk`] in the place of [`System`], in which one of them does.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile, TempPath};

/// The operations. Each does what the system does.
pub trait Disk: Sync {
    /// Opens a file.
    fn open(&self, path: &Path, options: &OpenOptions) -> io::Result<File> {
        options.open(path)
    }

    /// Reads some bytes; none at the end.
    fn read(&self, file: &mut File, bytes: &mut [u8]) -> io::Result<usize> {
        file.read(bytes)
    }

    /// Creates a file in a directory that goes when it is dropped.
    fn create(&self, directory: &Path, file: &Builder) -> io::Result<NamedTempFile> {
        file.tempfile_in(directory)
    }

    /// Writes some bytes.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    /// Waits until a file is on disk.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    /// Waits until the names in a directory are on disk. Where that cannot be had, the files in it
    /// are whole all the same.
    fn sync_directory(&self, directory: &Path) {
        #[cfg(unix)]
        if let Ok(directory) = File::open(directory) {
            let _ = directory.sync_all();
        }
        #[cfg(not(unix))]
        let _ = directory;
    }

    /// Gives a file the place of another one, at once.
    fn rename(&self, draft: TempPath, path: &Path) -> io::Result<()> {
        draft.persist(path).map_err(|error| error.error)
    }

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }
}

/// The system's own.
pub struct System;

impl Disk for System {}

/// A [`Disk`] as a reader.
pub(crate) struct Reader<'d> {
    pub disk: &'d dyn Disk,
    pub file: File,
}

impl Read for Reader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.disk.read(&mut self.file, bytes)
    }
}

/// A [`Disk`] as a writer.
pub(crate) struct Writer<'d> {
    pub disk: &'d dyn Disk,
    pub file: &'d mut File,
}

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.write(self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
