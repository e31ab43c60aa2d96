//! Writing to what is no regular file: devices such as `/dev/null`, and pipes. Nobody is waited for without end but by
//! a pipe without a name, which a shell has made, and which is waited for as standard output is.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::disk::Disk;
use crate::obstacle::{Obstacle, found, unwritable};
use crate::read::regular_only;
use crate::write_error::{WriteError, failed};

/// So long whoever reads from a pipe may take nothing.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long until a pipe that was full is tried again.
const AGAIN: Duration = Duration::from_millis(10);

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
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;

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
}
