//! The process that a client says it is (`processId` of `initialize`).

use std::time::Duration;

use waitpid_any::WaitHandle;

/// How soon the end of a process is noticed at the latest, where a signal gets in the way.
const PERIOD: Duration = Duration::from_secs(3);

/// Calls `gone` when a process has ended, on a thread of its own. If there is no such process, it has ended
/// already. Where the system cannot tell, nothing is called.
pub fn follow(process: i32, gone: Box<dyn FnOnce() + Send>) {
    if process <= 0 {
        tracing::warn!("the client's process {process} is not followed: it is no process");
        return;
    }
    let follow = move || {
        let mut handle = match WaitHandle::open(process) {
            Ok(handle) => handle,
            Err(error) if is_none_such(&error) => return gone(),
            Err(error) => {
                tracing::warn!("the client's process {process} is not followed: {error}");
                return;
            }
        };
        loop {
            match handle.wait_timeout(PERIOD) {
                Ok(Some(())) => return gone(),
                Ok(None) => {}
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    tracing::warn!("the client's process {process} is not followed: {error}");
                    return;
                }
            }
        }
    };
    let thread = std::thread::Builder::new().name("frank-client-process".to_owned());
    if let Err(error) = thread.spawn(follow) {
        tracing::warn!("the client's process {process} is not followed: {error}");
    }
}

/// Whether an error says that there is no process with some number.
fn is_none_such(error: &std::io::Error) -> bool {
    // `ESRCH` and `ERROR_INVALID_PARAMETER`, for which there is no `ErrorKind`.
    const NONE_SUCH: i32 = if cfg!(windows) { 87 } else { 3 };
    error.raw_os_error() == Some(NONE_SUCH)
}
