//! Writing files so that nothing is lost: whoever looks, and whatever happens meanwhile, a file has its
//! old contents or its new ones.
//!
//! The new contents go to a draft beside the file, are waited for until they are on disk, and then
//! take the file's place.

use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use frank_syntax::lines::unified;
use tempfile::{Builder, TempPath};

use crate::disk::{Disk, Reader, Writer};
use crate::obstacle::Obstacle;
use crate::read::{ReadError, regular_only};
use crate::special;
use crate::write_error::{WriteError, failed};

/// How the names of drafts begin and end. The first dot hides them from searches.
const DRAFT: (&str, &str) = (".frank-", ".draft");

/// How many random letters and digits stand between.
const DRAFT_LETTERS: usize = 6;

/// Whether a file has the name of a draft.
pub fn is_draft(name: &OsStr) -> bool {
    let name = name.to_str().and_then(|name| name.strip_prefix(DRAFT.0));
    let letters = name.and_then(|name| name.strip_suffix(DRAFT.1));
    letters.is_some_and(|letters| {
        letters.len() == DRAFT_LETTERS && letters.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

/// A new file that has the name of a draft, made by `make` in a directory that it knows, and that name. It stays until
/// somebody removes it.
///
/// # Errors
/// Of `make`, which is called again with another name where there is a file.
pub fn draft<F>(mut make: impl FnMut(&Path) -> io::Result<F>) -> io::Result<(F, PathBuf)> {
    let made = named(&mut Builder::new()).make_in("", |path| {
        make(Path::new(path.file_name().unwrap_or_default()))
    })?;
    let (file, mut path) = made.into_parts();
    path.disable_cleanup(true);
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    Ok((file, name))
}

/// Names as drafts have them.
fn named<'b>(file: &'b mut Builder<'static, 'static>) -> &'b mut Builder<'static, 'static> {
    file.prefix(DRAFT.0)
        .suffix(DRAFT.1)
        .rand_bytes(DRAFT_LETTERS)
}

/// Puts a text in the place of a file's text, which is `old` unless somebody has changed it. A link is
/// followed. A byte order mark, which is no text, stays.
pub fn replace(disk: &dyn Disk, path: &Path, old: &str, new: &str) -> Result<(), WriteError> {
    let file = Existing::open(disk, path)?;
    let bytes = file.bytes()?;
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    let now = str::from_utf8(text).map_err(|_| WriteError::Changed)?;
    let old = without_mark(old);
    // Who reads programs may have read a `\r` on its own as a `\n`.
    if now != old && unified(now) != unified(old) {
        return Err(WriteError::Changed);
    }
    let mark = bytes.get(..bytes.len() - text.len()).unwrap_or_default();
    file.replace(&[mark, without_mark(new).as_bytes()], Some(&bytes))
}

/// Gives a file contents, whatever it has now; if there is none, it is made. What is no file, such as
/// a device or a pipe that the user names, is written to, as far as that can be done.
pub fn write(disk: &dyn Disk, path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    write_parts(disk, path, &[contents], Access::Anybody)
}

/// As [`write()`], the parts of a program that the system starts: whoever may read it may do that.
pub fn write_program(disk: &dyn Disk, path: &Path, parts: &[&[u8]]) -> Result<(), WriteError> {
    write_parts(disk, path, parts, Access::Program)
}

fn write_parts(
    disk: &dyn Disk,
    path: &Path,
    parts: &[&[u8]],
    access: Access,
) -> Result<(), WriteError> {
    match path.metadata() {
        Ok(metadata) if metadata.is_file() => {
            let mut existing = Existing::open(disk, path)?;
            if access == Access::Program {
                existing.permissions = executable(existing.permissions);
            }
            existing.replace(parts, None)
        }
        Ok(_) => special::write(disk, path, parts),
        // A link that leads nowhere is not to become a file.
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
            Err(WriteError::Obstacle(Obstacle::Dangling))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let mut draft = Draft::beside(disk, path, access)?;
            draft.fill(parts).map_err(failed)?;
            draft.sync()?;
            draft.put(path)
        }
        Err(error) => Err(WriteError::Closed(error.into())),
    }
}

/// The permissions of a file, and whoever may read it may also start it.
#[cfg(unix)]
fn executable(permissions: Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    let mode = permissions.mode();
    Permissions::from_mode(mode | ((mode & 0o444) >> 2))
}

#[cfg(not(unix))]
fn executable(permissions: Permissions) -> Permissions {
    permissions
}

/// Gives a file contents that nobody is to change, and takes away whatever stood there.
pub fn write_read_only(disk: &dyn Disk, path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    let mut draft = Draft::beside(disk, path, Access::Anybody)?;
    draft.fill(&[contents]).map_err(failed)?;
    let mut permissions = draft.file.metadata().map_err(failed)?.permissions();
    permissions.set_readonly(true);
    draft.file.set_permissions(permissions).map_err(failed)?;
    draft.sync()?;
    draft.put(path)
}

/// Removes drafts that a process has left which was killed. Those of processes that run are locked.
pub fn remove_drafts(disk: &dyn Disk, drafts: &[PathBuf]) {
    for draft in drafts {
        let file = disk.open(draft, regular_only(OpenOptions::new().read(true)));
        if file.is_ok_and(|file| file.try_lock().is_ok()) {
            // The next one who comes here tries again.
            let _ = disk.remove(draft);
        }
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A file that is there and may be replaced.
struct Existing<'d> {
    disk: &'d dyn Disk,
    file: File,
    metadata: Metadata,
    /// Those of the file that takes its place.
    permissions: Permissions,
    /// Where it really is.
    path: PathBuf,
}

impl<'d> Existing<'d> {
    fn open(disk: &'d dyn Disk, path: &Path) -> Result<Existing<'d>, WriteError> {
        let closed = |error: io::Error| WriteError::Closed(error.into());
        let path = path.canonicalize().map_err(closed)?;
        // Opened for writing, too: a new file could take the place of one that may not be written.
        let open = |write: bool| {
            let options = &mut OpenOptions::new();
            disk.open(&path, regular_only(options.read(true).write(write)))
        };
        let file = match open(true) {
            // A program that runs may be replaced and not be changed.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => open(false),
            file => file,
        };
        let file = file.map_err(closed)?;
        let metadata = file.metadata().map_err(closed)?;
        if !metadata.is_file() {
            return Err(WriteError::Closed(ReadError::Special));
        }
        match names(&metadata) {
            0 | 1 => Ok(Existing {
                disk,
                file,
                permissions: metadata.permissions(),
                metadata,
                path,
            }),
            names => Err(WriteError::HardLinks(names)),
        }
    }

    fn bytes(&self) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        let file = self.file.try_clone();
        let read = file.and_then(|file| {
            let disk = self.disk;
            Reader { disk, file }.read_to_end(&mut bytes)
        });
        read.map_err(|error| WriteError::Closed(error.into()))?;
        Ok(bytes)
    }

    /// Gives the file new contents, made of parts, if its old ones are still those that are expected.
    fn replace(self, parts: &[&[u8]], expected: Option<&[u8]>) -> Result<(), WriteError> {
        let mut draft = Draft::beside(self.disk, &self.path, Access::Owner)?;
        draft.fill(parts).map_err(failed)?;
        keep_owner(&draft.file, &self.metadata)?;
        draft
            .file
            .set_permissions(self.permissions)
            .map_err(failed)?;
        draft.sync()?;
        // Waiting for the disk takes time, in which somebody may have saved the file.
        if let Some(expected) = expected
            && Existing::open(self.disk, &self.path)?.bytes()? != expected
        {
            return Err(WriteError::Changed);
        }
        // Where an open file cannot be replaced.
        drop(self.file);
        draft.put(&self.path)
    }
}

/// How many names a file has.
pub fn names(metadata: &Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(metadata);
    #[cfg(not(unix))]
    {
        let _ = metadata;
        1
    }
}

/// Gives a file that takes the place of another one its owner and its group.
#[cfg(unix)]
pub fn keep_owner(new: &File, old: &Metadata) -> Result<(), WriteError> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let found = new.metadata().map_err(failed)?;
    if (found.uid(), found.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(new, Some(old.uid()), Some(old.gid())).map_err(|_| WriteError::Owner)
}

#[cfg(not(unix))]
pub fn keep_owner(_: &File, _: &Metadata) -> Result<(), WriteError> {
    Ok(())
}

/// What those may do with a draft who may read new files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Nothing: its owner alone may read it.
    Owner,
    Anybody,
    /// Start it, too.
    Program,
}

/// A new file beside the one that it replaces. It goes if it does not.
struct Draft<'d> {
    disk: &'d dyn Disk,
    file: File,
    path: TempPath,
}

impl<'d> Draft<'d> {
    /// An empty file, which those may read who may read new files, or its owner alone.
    fn beside(disk: &'d dyn Disk, path: &Path, access: Access) -> Result<Draft<'d>, WriteError> {
        let mut file = Builder::new();
        named(&mut file);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Those that the user takes from new files are taken from these.
            match access {
                Access::Owner => {}
                Access::Anybody => {
                    file.permissions(Permissions::from_mode(0o666));
                }
                Access::Program => {
                    file.permissions(Permissions::from_mode(0o777));
                }
            }
        }
        #[cfg(not(unix))]
        let _ = access;
        let made = disk.create(directory_of(path), &file);
        let (file, path) = made
            .map_err(|error| match error.kind() {
                ErrorKind::NotFound => WriteError::NoDirectory,
                _ => WriteError::Directory(error.to_string()),
            })?
            .into_parts();
        // Says that somebody works on it. Where files cannot be locked, nobody removes it either.
        let _ = file.try_lock();
        Ok(Draft { disk, file, path })
    }

    fn fill(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        let mut writer = Writer {
            disk: self.disk,
            file: &mut self.file,
        };
        parts.iter().try_for_each(|part| writer.write_all(part))
    }

    fn sync(&self) -> Result<(), WriteError> {
        self.disk.sync(&self.file).map_err(failed)
    }

    /// Gives the file that is on disk by now its place.
    fn put(self, path: &Path) -> Result<(), WriteError> {
        self.disk.rename(self.path, path).map_err(failed)?;
        self.disk.sync_directory(directory_of(path));
        Ok(())
    }
}

/// The directory that a file is in.
fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::disk::System;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).expect("a directory").flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().display().to_string())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_mode_and_a_byte_order_mark_stay() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.fk");
        fs::write(&path, "\u{feff}old").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).expect("a mode");
        replace(&System, &path, "old", "new").expect("replaced");
        assert_eq!(fs::read_to_string(&path).expect("text"), "\u{feff}new");
        replace(&System, &path, "\u{feff}new", "\u{feff}newer").expect("replaced");
        assert_eq!(fs::read_to_string(&path).expect("text"), "\u{feff}newer");
        let mode = path.metadata().expect("there").permissions().mode();
        assert_eq!(mode & 0o7777, 0o751);
        assert_eq!(names(dir.path()), ["a.fk"]);
    }

    #[test]
    fn what_must_not_be_replaced_stays() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = |name: &str| {
            let path = dir.path().join(name);
            fs::write(&path, "old").expect("a file");
            path
        };
        let apple = dir.path().join("apple.fk");
        fs::write(&apple, "a\rb").expect("a file");
        replace(&System, &apple, "a\nb", "a\nc").expect("the same text, read with one rule");
        let changed = file("changed.fk");
        assert_eq!(
            replace(&System, &changed, "older", "new"),
            Err(WriteError::Changed)
        );
        let linked = file("linked.fk");
        fs::hard_link(&linked, dir.path().join("other.fk")).expect("a link");
        assert_eq!(
            replace(&System, &linked, "old", "new"),
            Err(WriteError::HardLinks(2))
        );
        let gone = replace(&System, &dir.path().join("gone.fk"), "old", "new");
        assert_eq!(gone, Err(WriteError::Closed(ReadError::NotFound)));
        for path in [changed, linked] {
            assert_eq!(fs::read_to_string(path).expect("text"), "old");
        }
    }

    /// A disk that takes its time, in which somebody saves the file.
    struct Slow<'p>(&'p Path);

    impl Disk for Slow<'_> {
        fn sync(&self, _: &File) -> io::Result<()> {
            fs::write(self.0, "newer")
        }
    }

    #[test]
    fn who_saves_while_the_disk_is_waited_for_keeps_his_text() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.fk");
        fs::write(&path, "old").expect("a file");
        let replaced = replace(&Slow(&path), &path, "old", "new");
        assert_eq!(replaced, Err(WriteError::Changed));
        assert_eq!(fs::read_to_string(&path).expect("text"), "newer");
        assert_eq!(names(dir.path()), ["a.fk"]);
    }

    #[test]
    fn a_link_is_written_through() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.fk");
        fs::write(&path, "old").expect("a file");
        let link = dir.path().join("link.fk");
        symlink("a.fk", &link).expect("a link");
        replace(&System, &link, "old", "new").expect("replaced");
        assert!(link.symlink_metadata().expect("there").is_symlink());
        assert_eq!(fs::read_to_string(&path).expect("text"), "new");
    }

    #[test]
    fn drafts_of_nobody_are_removed() {
        let dir = tempfile::tempdir().expect("a directory");
        let draft = |name: &str| {
            let path = dir.path().join(name);
            fs::write(&path, "half").expect("a file");
            path
        };
        let (left, used) = (draft(".frank-abc123.draft"), draft(".frank-def456.draft"));
        let process = File::open(&used).expect("open");
        process.lock().expect("locked");
        assert!(
            [&left, &used]
                .iter()
                .all(|path| is_draft(path.file_name().expect("a name")))
        );
        assert!(!is_draft(OsStr::new(".frank-notes.draft")));
        remove_drafts(&System, &[left, used]);
        assert_eq!(names(dir.path()), [".frank-def456.draft"]);
    }

    #[test]
    fn new_files_are_like_other_new_files() {
        let dir = tempfile::tempdir().expect("a directory");
        let (new, other) = (dir.path().join("new.json"), dir.path().join("other.json"));
        write(&System, &new, b"{}").expect("written");
        write(&System, &new, b"{} ").expect("written again");
        fs::write(&other, "{} ").expect("a file");
        let mode = |path: &Path| path.metadata().expect("there").permissions().mode();
        assert_eq!(mode(&new), mode(&other));
        assert_eq!(fs::read(&new).expect("text"), b"{} ");
        let link = dir.path().join("link.json");
        symlink("nowhere.json", &link).expect("a link");
        let refused = write(&System, &link, b"{}");
        let dangling = WriteError::Obstacle(Obstacle::Dangling);
        assert_eq!(refused, Err(dangling));
        assert!(link.symlink_metadata().expect("there").is_symlink());
    }

    #[test]
    fn programs_can_be_started_by_whom_they_can_be_read() {
        let dir = tempfile::tempdir().expect("a directory");
        let mode = |path: &Path| path.metadata().expect("there").permissions().mode() & 0o777;
        let (new, old) = (dir.path().join("new"), dir.path().join("old"));
        fs::write(&old, "text").expect("a file");
        let usual = mode(&old);
        write_program(&System, &new, &[b"a", b"b"]).expect("written");
        assert_eq!(fs::read(&new).expect("bytes"), b"ab");
        assert_eq!(mode(&new), usual | ((usual & 0o444) >> 2));
        fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).expect("a mode");
        write_program(&System, &old, &[b"c"]).expect("written");
        assert_eq!(fs::read(&old).expect("bytes"), b"c");
        assert_eq!(mode(&old), 0o750);
        assert_eq!(names(dir.path()), ["new", "old"]);
    }
}
