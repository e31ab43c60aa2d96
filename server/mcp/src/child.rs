//! Processes that do what tools are asked for, a few at a time, each bounded in time and in what it writes.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;

/// How much a run may use that a call asks for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub time: Duration,
    /// Calls, commands and resumptions.
    pub steps: Option<u64>,
    /// Bytes.
    pub memory: u64,
}

/// How long a process has beyond the time of its run: to read files and check them, and to end by itself with the place
/// at which the time was up.
const BEYOND: Duration = Duration::from_secs(5);

/// How much of what a process writes to each stream is kept, in bytes: what a model can be given at all.
const MOST_OUTPUT: usize = 256 << 10;

/// What a process reads.
#[derive(Debug)]
pub enum Input {
    Nothing,
    Text(String),
    /// A file in the directory that is served, by its path from there on.
    File(String),
}

/// A process to be started.
#[derive(Debug)]
pub struct Task {
    pub words: Vec<String>,
    pub input: Input,
    /// The time of the run, which the process keeps to by itself.
    pub time: Duration,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with an exit code.
    Code(i32),
    /// It was killed, because it took too long.
    Late,
    /// It was killed, because it wrote too much.
    TooMuch,
    /// Somebody else has killed it.
    Killed,
}

/// What a process left.
#[derive(Debug)]
pub struct Finished {
    pub ended: Ended,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    /// What it says beside its results, and why it was stopped, if it was.
    pub fn messages(&self) -> String {
        let why = match self.ended {
            Ended::Code(_) => return self.stderr.clone(),
            Ended::Late => "stopped: it took longer than the time limit allows".to_owned(),
            Ended::TooMuch => format!(
                "stopped: it wrote more than {} KiB; what is behind that is lost",
                MOST_OUTPUT >> 10
            ),
            Ended::Killed => "stopped: the system has killed it".to_owned(),
        };
        format!("{}{why}\n", self.stderr)
    }

    /// The lines of its output that are objects; one that was cut off is left out.
    pub fn objects(&self) -> Vec<serde_json::Value> {
        let lines = self.stdout.lines();
        lines
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }
}

/// Why a process did not come to an end.
#[derive(Debug)]
pub enum Unfinished {
    /// It is not wanted any more; it was killed if it had been started.
    Stopped,
    /// It could not be started or waited for.
    Failed(io::Error),
}

impl From<io::Error> for Unfinished {
    fn from(error: io::Error) -> Unfinished {
        Unfinished::Failed(error)
    }
}

/// The program that is started, and how many of it there can be at a time.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    directory: PathBuf,
    slots: Semaphore,
    /// How long a process has beyond the time of its run.
    beyond: Duration,
}

impl Program {
    /// A program that is started in a directory, at most so many at a time as there are processors.
    pub fn new(path: PathBuf, directory: &Path) -> Program {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Program {
            path,
            directory: directory.to_owned(),
            slots: Semaphore::new(processors),
            beyond: BEYOND,
        }
    }

    /// Waits for its turn, and runs a process to its end, or until `stop` is over.
    pub async fn run(
        &self,
        task: Task,
        stop: impl Future<Output = ()>,
    ) -> Result<Finished, Unfinished> {
        tokio::select! {
            // Whoever has cancelled a call wants nothing to begin.
            biased;
            () = stop => Err(Unfinished::Stopped),
            finished = self.run_in_turn(task) => finished,
        }
    }

    async fn run_in_turn(&self, task: Task) -> Result<Finished, Unfinished> {
        let Ok(_slot) = self.slots.acquire().await else {
            return Err(Unfinished::Stopped);
        };
        let mut command = Command::new(&self.path);
        command
            .args(&task.words)
            .current_dir(&self.directory)
            // What this process was told about its terminal, or by a shell that asks for completions.
            .env_remove("COMPLETE")
            .env("NO_COLOR", "1")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // It ends with the call: when that is dropped, however that comes.
            .kill_on_drop(true);
        match &task.input {
            Input::Nothing => command.stdin(Stdio::null()),
            Input::Text(_) => command.stdin(Stdio::piped()),
            Input::File(name) => {
                let file = std::fs::File::open(self.directory.join(name))?;
                command.stdin(Stdio::from(file))
            }
        };
        let mut child = command.spawn()?;
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let time = task.time.saturating_add(self.beyond);
        let followed = follow(&mut child, &task.input, &mut stdout, &mut stderr);
        let ended = match tokio::time::timeout(time, followed).await {
            Ok(status) => match status? {
                Some(status) => status.code().map_or(Ended::Killed, Ended::Code),
                None => Ended::TooMuch,
            },
            Err(_) => Ended::Late,
        };
        if matches!(ended, Ended::TooMuch | Ended::Late) {
            child.kill().await?;
        }
        Ok(Finished {
            ended,
            stdout: text(stdout),
            stderr: text(stderr),
        })
    }
}

/// Gives a process its input and reads what it writes, until it ends; `None` if it writes too much.
async fn follow(
    child: &mut Child,
    input: &Input,
    stdout: &mut Vec<u8>,
    stderr: &mut Vec<u8>,
) -> io::Result<Option<ExitStatus>> {
    let (stdin, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let write = async {
        if let (Some(mut stdin), Input::Text(text)) = (stdin, input) {
            // A process that does not read to the end has its reasons, and says them.
            let _ = stdin.write_all(text.as_bytes()).await;
        }
        Ok(())
    };
    let read = async { tokio::try_join!(bounded(out, stdout), bounded(err, stderr), write) };
    match read.await {
        Err(TooMuch::Written) => return Ok(None),
        Err(TooMuch::Failed(error)) => return Err(error),
        Ok(_) => {}
    }
    child.wait().await.map(Some)
}

/// Why a stream is not read to its end.
enum TooMuch {
    Written,
    Failed(io::Error),
}

/// Reads a stream to its end, if that is not too far away.
async fn bounded(stream: Option<impl AsyncRead + Unpin>, to: &mut Vec<u8>) -> Result<(), TooMuch> {
    let Some(stream) = stream else {
        return Ok(());
    };
    let most = u64::try_from(MOST_OUTPUT).unwrap_or(u64::MAX);
    let mut stream = stream.take(most + 1);
    stream.read_to_end(to).await.map_err(TooMuch::Failed)?;
    if to.len() > MOST_OUTPUT {
        to.truncate(MOST_OUTPUT);
        return Err(TooMuch::Written);
    }
    Ok(())
}

/// What was written, as text. A character that was cut off is left out.
fn text(mut bytes: Vec<u8>) -> String {
    let rest = bytes
        .utf8_chunks()
        .last()
        .map_or(&[][..], |chunk| chunk.invalid());
    if str::from_utf8(rest).is_err_and(|error| error.error_len().is_none()) {
        bytes.truncate(bytes.len() - rest.len());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::future::pending;

    /// A shell instead of the program, of which there is one at a time.
    fn shell() -> Program {
        Program {
            slots: Semaphore::new(1),
            beyond: Duration::ZERO,
            ..Program::new(PathBuf::from("/bin/sh"), Path::new("/"))
        }
    }

    fn script(text: &str, input: &str) -> Task {
        Task {
            words: vec!["-c".to_owned(), text.to_owned()],
            input: Input::Text(input.to_owned()),
            time: Duration::from_secs(60),
        }
    }

    /// Does something in a runtime like the server's.
    fn with_runtime<T>(future: impl Future<Output = T>) -> T {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().expect("a runtime");
        runtime.block_on(future)
    }

    fn run(task: Task) -> Finished {
        let finished = with_runtime(shell().run(task, pending()));
        finished.expect("it comes to an end")
    }

    #[test]
    fn what_is_written_is_kept() {
        let finished = run(script("cat; echo no >&2; exit 3", "yes"));
        assert_eq!(finished.ended, Ended::Code(3));
        assert_eq!((&*finished.stdout, &*finished.messages()), ("yes", "no\n"));
        // Nobody has to read what it could read.
        let unread = run(script("exit 0", &"x".repeat(1 << 20)));
        assert_eq!(unread.ended, Ended::Code(0));
        let text = run(script("printf 'a\\377\\303\\244\\303'", ""));
        assert_eq!(text.stdout, "a\u{fffd}\u{e4}", "the last byte was cut off");
    }

    #[test]
    fn what_does_not_end_is_killed() {
        let late = run(Task {
            time: Duration::from_millis(1),
            ..script("echo begun; exec sleep 1000", "")
        });
        assert_eq!(late.ended, Ended::Late);
        assert!(late.messages().contains("took longer"));
        for stream in ["", ">&2"] {
            let loud = run(script(&format!("exec yes xyz {stream}"), ""));
            assert_eq!(loud.ended, Ended::TooMuch, "{stream}");
            assert_eq!(loud.stdout.len() + loud.stderr.len(), MOST_OUTPUT);
        }
        let killed = run(script("kill -9 $$", ""));
        assert_eq!(killed.ended, Ended::Killed);
    }

    #[test]
    fn there_are_so_many_at_a_time() {
        let program = shell();
        with_runtime(async {
            let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
            let first = program.run(script("exec sleep 1000", ""), async {
                let _ = stopped.await;
            });
            let second = program.run(script("echo 2", ""), pending());
            tokio::pin!(first, second);
            tokio::select! {
                biased;
                _ = &mut first => panic!("the first one ended"),
                _ = &mut second => panic!("the second one did not wait"),
                () = tokio::time::sleep(Duration::from_millis(50)) => {}
            }
            // What waits can be stopped, too.
            let third = program.run(script("echo 3", ""), async {});
            assert!(matches!(third.await, Err(Unfinished::Stopped)));
            drop(stop);
            assert!(matches!(first.await, Err(Unfinished::Stopped)));
            let second = second.await.expect("its turn has come");
            assert_eq!(second.stdout, "2\n");
        });
    }

    #[test]
    fn what_cannot_be_started_is_an_error() {
        let program = Program::new(PathBuf::from("/gone"), Path::new("/"));
        let failed = with_runtime(program.run(script("", ""), pending()));
        assert!(matches!(failed, Err(Unfinished::Failed(_))));
    }
}
