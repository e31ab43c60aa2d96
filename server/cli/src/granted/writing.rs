//! Files that a program writes: as all files that are written here, a file has its old text or its new one, but within
//! what is granted.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, OpenOptions};
use frank_workspace::obstacle::Obstacle;
use frank_workspace::write::{draft, keep_owner, names};
use frank_workspace::write_error::WriteError;

use super::{Reached, regular};

/// Puts bytes in the place of a file, all of them or none. A link is followed, within what is granted.
pub fn write(file: &Reached, bytes: &[u8]) -> io::Result<()> {
    let old = existing(file)?;
    let path = match &old {
        Some(_) => file.dir.canonicalize(&file.path)?,
        None => file.path.clone(),
    };
    let named = path.file_name().ok_or(ErrorKind::IsADirectory)?;
    let around = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    let opened = around.map(|dir| file.dir.open_dir(dir)).transpose()?;
    let dir = opened.as_ref().unwrap_or(&file.dir);
    let mut draft = Draft::within(dir, old.is_some())?;
    draft.file.write_all(bytes)?;
    if let Some(old) = &old {
        keep_owner(&draft.file, old).map_err(io::Error::other)?;
        draft.file.set_permissions(ordinary(old))?;
    }
    draft.file.sync_all()?;
    draft.put(Path::new(named))
}

/// Puts bytes behind a file. If that fails none of them stay; a process that is killed meanwhile may leave some.
pub fn append(file: &Reached, bytes: &[u8]) -> io::Result<()> {
    let is_new = match regular(file) {
        Ok(()) => false,
        Err(error) if error.kind() == ErrorKind::NotFound => true,
        Err(error) => return Err(error),
    };
    let mut options = OpenOptions::new();
    let mut opened = file
        .dir
        .open_with(&file.path, options.append(true).create(true))?;
    let before = opened.metadata()?.len();
    let written = opened.write_all(bytes).and_then(|()| opened.sync_all());
    if written.is_err() {
        // What is there of it is no text that anybody wrote.
        match is_new {
            true => file.dir.remove_file(&file.path)?,
            false => opened.set_len(before)?,
        }
    }
    written
}

/// What is known of the file that is to be replaced, if there is one and it may be.
fn existing(file: &Reached) -> io::Result<Option<Metadata>> {
    match regular(file) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let link = file.dir.symlink_metadata(&file.path);
            return match link.is_ok_and(|found| found.is_symlink()) {
                true => Err(io::Error::other(WriteError::Obstacle(Obstacle::Dangling))),
                false => Ok(None),
            };
        }
        Err(error) => return Err(error),
    }
    // Opened for writing: a new file could take the place of one that may not be written.
    let opened = file
        .dir
        .open_with(&file.path, OpenOptions::new().write(true))?;
    let metadata = opened.into_std().metadata()?;
    match names(&metadata) {
        0 | 1 => Ok(Some(metadata)),
        several => Err(io::Error::other(WriteError::HardLinks(several))),
    }
}

/// The permissions of a file, but for those that make whoever starts it somebody else: the text is another one now.
fn ordinary(old: &Metadata) -> std::fs::Permissions {
    let permissions = old.permissions();
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        std::fs::Permissions::from_mode(permissions.mode() & 0o1777)
    };
    permissions
}

/// A new file in a directory, which goes if it does not take the place of another.
struct Draft<'d> {
    dir: &'d Dir,
    file: File,
    name: PathBuf,
    is_put: bool,
}

impl<'d> Draft<'d> {
    /// An empty file, which its owner alone may read, or whoever may read new files.
    fn within(dir: &'d Dir, is_private: bool) -> io::Result<Draft<'d>> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if is_private {
            cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _ = is_private;
        let (file, name) = draft(|name| dir.open_with(name, &options))?;
        let file = file.into_std();
        // Says that somebody works on it. Where files cannot be locked, nobody removes it either.
        let _ = file.try_lock();
        Ok(Draft {
            dir,
            file,
            name,
            is_put: false,
        })
    }

    /// Gives the file that is on disk by now its place.
    fn put(mut self, named: &Path) -> io::Result<()> {
        self.dir.rename(&self.name, self.dir, named)?;
        self.is_put = true;
        // The name is there; that it stays after a loss of power is as much as the system can do.
        if let Ok(dir) = self.dir.try_clone() {
            let _ = dir.into_std_file().sync_all();
        }
        Ok(())
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.is_put {
            // Whoever searches the directory removes it later.
            let _ = self.dir.remove_file(&self.name);
        }
    }
}
