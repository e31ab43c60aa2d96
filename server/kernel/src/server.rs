//! Requests and their answers, one after the other.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use jupyter_protocol::{
    CommClose, CommInfoReply, CompleteReply, CompleteRequest, ConnectionInfo, ErrorOutput,
    ExecuteInput, ExecuteReply, ExecuteRequest, ExecutionCount, ExpressionResult, HistoryEntry,
    HistoryReply, HistoryRequest, InspectReply, InspectRequest, IsCompleteReply,
    IsCompleteReplyStatus, JupyterMessage, JupyterMessageContent, Media, MediaType, ReplyError,
    ReplyStatus, Status,
};
use tokio::sync::mpsc::Sender;
use wildmatch::WildMatch;

use crate::cells::{Cells, Failure, Input, Shown, Whole, both};
use crate::messages::{Work, kernel_info, refusal, shutdown_reply};
use crate::places::{to_bytes, to_characters};
use crate::received::Received;
use crate::sockets::{Heard, Senders, open, remove_files};

/// How messages are signed.
const SCHEME: &str = "hmac-sha256";
/// How long the last messages may take to be sent.
const FAREWELL: Duration = Duration::from_secs(1);
/// When nothing has arrived for so long, what was sent in one go is there.
const QUIET: Duration = Duration::from_millis(50);
/// A reply does not wait longer than this for what was sent before it.
const MOST_COLLECTED: Duration = Duration::from_secs(2);
/// How often the kernel looks whether those who started it are still there.
#[cfg(unix)]
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// The number of the session in the history: there is one.
const SESSION: usize = 1;

/// How a kernel is started.
pub struct Options {
    /// The file in which Jupyter wrote which ports it wants.
    pub connection: PathBuf,
    /// Set when a cell is to end. It is taken back before the next one is announced.
    pub interrupted: Arc<AtomicBool>,
    /// Told, in a sentence, what came and cannot be answered.
    pub log: fn(&str),
}

/// Serves the clients of a connection file until one of them ends it, or until whoever started this process is gone.
///
/// # Errors
/// The file cannot be read, or the ports cannot be had; a sentence.
pub fn serve(options: &Options, cells: &mut dyn Cells) -> Result<(), String> {
    let text = std::fs::read_to_string(&options.connection)
        .map_err(|error| format!("the connection file cannot be read: {error}"))?;
    let info: ConnectionInfo = serde_json::from_str(&text).map_err(|error| {
        format!("this is no connection file of Jupyter's, which starts kernels by itself: {error}")
    })?;
    if !info.key.is_empty() && info.signature_scheme != SCHEME {
        return Err(format!(
            "the connection file wants messages signed by another scheme than `{SCHEME}`, which alone is known"
        ));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| format!("no threads can be had: {error}"))?;
    let (work, asked) = channel();
    let (answers, lines) = channel();
    let interrupted = options.interrupted.clone();
    let heard = Heard {
        work: work.clone(),
        answers,
        interrupted: interrupted.clone(),
        log: options.log,
    };
    let opened = runtime.block_on(open(&info, heard));
    let (senders, writers) = opened
        .map_err(|error| format!("the ports of the connection file cannot be had: {error}"))?;
    #[cfg(unix)]
    runtime.spawn(watch_parent(work, interrupted.clone()));
    #[cfg(not(unix))]
    drop(work);
    let input = Arc::new(Input {
        asked: senders.stdin.clone(),
        answers: Mutex::new(lines),
        interrupted,
    });
    let mut kernel = Kernel {
        cells,
        senders,
        input,
        count: 0,
        history: Vec::new(),
    };
    kernel.run(&asked);
    // The senders end with it, and then the tasks that write.
    drop(kernel);
    runtime.block_on(async {
        let all = async {
            for writer in writers {
                let _ = writer.await;
            }
        };
        let _ = tokio::time::timeout(FAREWELL, all).await;
    });
    runtime.shutdown_background();
    remove_files(&info);
    Ok(())
}

/// Ends the kernel when nobody is left who could ask it to.
#[cfg(unix)]
async fn watch_parent(work: std::sync::mpsc::Sender<Work>, interrupted: Arc<AtomicBool>) {
    let parent = std::os::unix::process::parent_id();
    while std::os::unix::process::parent_id() == parent {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    interrupted.store(true, Ordering::Relaxed);
    let _ = work.send(Work::End);
}

struct Kernel<'c> {
    cells: &'c mut dyn Cells,
    senders: Senders,
    input: Arc<Input>,
    /// How many cells have run.
    count: usize,
    /// The cells that have run, with their numbers.
    history: Vec<(usize, String)>,
}

impl Kernel<'_> {
    fn run(&mut self, asked: &Receiver<Work>) {
        send(&self.senders.published, None, Status::starting());
        let mut waiting: VecDeque<Work> = VecDeque::new();
        // So many of those that wait were sent before a cell failed.
        let mut before_failure: usize = 0;
        loop {
            let work = match waiting.pop_front() {
                Some(work) => work,
                None => match asked.recv() {
                    Ok(work) => work,
                    Err(_) => return,
                },
            };
            let Work::Asked(received) = work else {
                return;
            };
            let Received { message, lacks } = *received;
            // Once it is announced, an interrupt is one of this request.
            self.input.interrupted.store(false, Ordering::Relaxed);
            send(&self.senders.published, Some(&message), Status::busy());
            let is_late = before_failure > 0;
            before_failure = before_failure.saturating_sub(1);
            let ends = match &message.content {
                _ if lacks.is_some() => {
                    let error = lacks.and_then(|reason| refusal(&message, &reason));
                    if let Some(error) = error {
                        self.reply(&message, error);
                    }
                    false
                }
                JupyterMessageContent::ExecuteRequest(_) if is_late => {
                    self.reply(&message, self.aborted());
                    false
                }
                JupyterMessageContent::ExecuteRequest(request) => {
                    let reply = self.execute(&message, request);
                    if reply.status != ReplyStatus::Ok && request.stop_on_error {
                        waiting.extend(sent_meanwhile(asked));
                        before_failure = waiting.len();
                    }
                    self.reply(&message, reply);
                    false
                }
                _ => self.answer(&message),
            };
            send(&self.senders.published, Some(&message), Status::idle());
            if ends {
                return;
            }
        }
    }

    /// Answers a request that runs nothing. Gives whether it was the last.
    fn answer(&mut self, asked: &JupyterMessage) -> bool {
        let reply: JupyterMessageContent = match &asked.content {
            JupyterMessageContent::KernelInfoRequest(_) => kernel_info().into(),
            JupyterMessageContent::CompleteRequest(request) => self.complete(request).into(),
            JupyterMessageContent::InspectRequest(request) => self.inspect(request).into(),
            JupyterMessageContent::IsCompleteRequest(request) => {
                let (status, indent) = match self.cells.is_whole(&request.code) {
                    Whole::Yes => (IsCompleteReplyStatus::Complete, ""),
                    Whole::No(indent) => (IsCompleteReplyStatus::Incomplete, indent),
                };
                let indent = indent.to_owned();
                IsCompleteReply { status, indent }.into()
            }
            JupyterMessageContent::HistoryRequest(request) => self.history(request).into(),
            JupyterMessageContent::CommInfoRequest(_) => CommInfoReply {
                status: ReplyStatus::Ok,
                comms: HashMap::new(),
                error: None,
            }
            .into(),
            JupyterMessageContent::CommOpen(opened) => {
                // There is nobody here to whom a client could talk, and it is to know that.
                let closed = CommClose {
                    comm_id: opened.comm_id.clone(),
                    data: serde_json::Map::new(),
                };
                send(&self.senders.published, Some(asked), closed);
                return false;
            }
            JupyterMessageContent::ShutdownRequest(request) => {
                self.reply(asked, shutdown_reply(request.restart));
                return true;
            }
            // Nothing is answered to what is not known, as the protocol has it.
            _ => return false,
        };
        self.reply(asked, reply);
        false
    }

    fn execute(&mut self, asked: &JupyterMessage, request: &ExecuteRequest) -> ExecuteReply {
        let silent = request.silent;
        let numbered = !silent && request.store_history;
        if numbered {
            self.count += 1;
            self.history.push((self.count, request.code.clone()));
        }
        let execution_count = ExecutionCount::new(self.count);
        if !silent {
            let input = ExecuteInput {
                code: request.code.clone(),
                execution_count,
            };
            send(&self.senders.published, Some(asked), input);
        }
        let shown = Shown {
            parent: Arc::new(asked.clone()),
            count: execution_count,
            silent,
            numbered,
            published: self.senders.published.clone(),
            input: request.allow_stdin.then(|| self.input.clone()),
        };
        let executed = self.cells.execute(&request.code, &shown);
        let error = executed.err().map(|failure| {
            let Failure {
                name,
                message,
                lines,
            } = failure;
            if !silent {
                let shown = ErrorOutput {
                    ename: name.clone(),
                    evalue: message.clone(),
                    traceback: lines.clone(),
                };
                send(&self.senders.published, Some(asked), shown);
            }
            Box::new(ReplyError {
                ename: name,
                evalue: message,
                traceback: lines,
            })
        });
        let expressions = match error {
            Some(_) => HashMap::new(),
            None => self.values(request.user_expressions.iter().flatten(), &shown),
        };
        ExecuteReply {
            status: match error {
                Some(_) => ReplyStatus::Error,
                None => ReplyStatus::Ok,
            },
            execution_count,
            error,
            user_expressions: Some(expressions),
            ..ExecuteReply::default()
        }
    }

    /// The values of terms that are asked for by names, in the order of these.
    fn values<'r>(
        &mut self,
        asked: impl Iterator<Item = (&'r String, &'r String)>,
        shown: &Shown,
    ) -> HashMap<String, ExpressionResult> {
        let mut asked: Vec<_> = asked.collect();
        asked.sort_unstable();
        let values = asked.into_iter().map(|(name, term)| {
            let value = match self.cells.evaluate(term, shown) {
                Ok(value) => ExpressionResult::Ok {
                    data: Media::new(vec![MediaType::Plain(value)]),
                    metadata: serde_json::Map::new(),
                },
                Err(Failure {
                    name,
                    message,
                    lines,
                }) => ExpressionResult::Error {
                    ename: name,
                    evalue: message,
                    traceback: lines,
                },
            };
            (name.clone(), value)
        });
        values.collect()
    }

    /// That a cell is not run, since one before it has failed.
    fn aborted(&self) -> ExecuteReply {
        ExecuteReply {
            status: ReplyStatus::Aborted,
            execution_count: ExecutionCount::new(self.count),
            ..ExecuteReply::default()
        }
    }

    fn complete(&mut self, request: &CompleteRequest) -> CompleteReply {
        let code = &request.code;
        let at = to_bytes(code, request.cursor_pos);
        let found = self.cells.complete(code, at);
        CompleteReply {
            matches: found.words,
            cursor_start: to_characters(code, found.replaced.start),
            cursor_end: to_characters(code, found.replaced.end),
            metadata: serde_json::Map::new(),
            status: ReplyStatus::Ok,
            error: None,
        }
    }

    fn inspect(&mut self, request: &InspectRequest) -> InspectReply {
        let at = to_bytes(&request.code, request.cursor_pos);
        let found = self.cells.inspect(&request.code, at);
        InspectReply {
            found: found.is_some(),
            data: found.map_or_else(Media::default, |(text, plain)| both(&text, &plain)),
            metadata: serde_json::Map::new(),
            status: ReplyStatus::Ok,
            error: None,
        }
    }

    fn history(&self, request: &HistoryRequest) -> HistoryReply {
        let all = self.history.iter();
        let wanted: Vec<&(usize, String)> = match request {
            HistoryRequest::Tail { n, .. } => {
                let from = self.history.len();
                let from = from.saturating_sub(usize::try_from(*n).unwrap_or(0));
                all.skip(from).collect()
            }
            HistoryRequest::Range { start, stop, .. } => {
                let within = |line: usize| {
                    i64::try_from(line)
                        .is_ok_and(|line| (i64::from(*start)..i64::from(*stop)).contains(&line))
                };
                all.filter(|(line, _)| within(*line)).collect()
            }
            HistoryRequest::Search {
                pattern, unique, n, ..
            } => {
                let mut seen = HashSet::new();
                let wanted = WildMatch::new(pattern);
                let found = all.rev().filter(|(_, code)| wanted.matches(code));
                let found = found.filter(|(_, code)| !unique || seen.insert(code));
                let mut found: Vec<_> = found.take(usize::try_from(*n).unwrap_or(0)).collect();
                found.reverse();
                found
            }
        };
        let outputs = match request {
            HistoryRequest::Tail { output, .. }
            | HistoryRequest::Range { output, .. }
            | HistoryRequest::Search { output, .. } => *output,
        };
        // Values are not kept.
        let entry = |(line, code): &(usize, String)| match outputs {
            true => HistoryEntry::InputOutput(SESSION, *line, (code.clone(), String::new())),
            false => HistoryEntry::Input(SESSION, *line, code.clone()),
        };
        HistoryReply {
            history: wanted.into_iter().map(entry).collect(),
            status: ReplyStatus::Ok,
            error: None,
        }
    }

    fn reply(&self, asked: &JupyterMessage, content: impl Into<JupyterMessageContent>) {
        send(&self.senders.shell, Some(asked), content);
    }
}

/// What was sent before a reply that is still to come: whoever sent it could not know that a cell has failed, and what
/// comes after the reply is meant. Some of it may be on its way, so this ends when nothing more arrives.
fn sent_meanwhile(asked: &Receiver<Work>) -> Vec<Work> {
    let mut sent = Vec::new();
    let until = Instant::now() + MOST_COLLECTED;
    while Instant::now() < until
        && let Ok(work) = asked.recv_timeout(QUIET)
    {
        let is_end = matches!(work, Work::End);
        sent.push(work);
        if is_end {
            break;
        }
    }
    sent
}

fn send(
    to: &Sender<JupyterMessage>,
    asked: Option<&JupyterMessage>,
    content: impl Into<JupyterMessageContent>,
) {
    // The task that writes ends after this thread.
    let _ = to.blocking_send(JupyterMessage::new(content, asked));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_of_whole_texts() {
        for (pattern, text, expected) in [
            ("1+1", "1+1", true),
            ("1+1", "1+12", false),
            ("*", "", true),
            ("*", "1+1", true),
            ("1*", "1+1", true),
            ("*1", "1+1", true),
            ("?+?", "1+1", true),
            ("?+?", "1+", false),
            ("*∂*b", "a ∂ab b", true),
            ("*∂*b", "a ∂ab c", false),
            ("", "", true),
            ("", "a", false),
        ] {
            let found = WildMatch::new(pattern).matches(text);
            assert_eq!(found, expected, "{pattern} {text}");
        }
        // It does not try all ways.
        let pattern = "*a".repeat(40) + "b";
        assert!(!WildMatch::new(&pattern).matches(&"a".repeat(10_000)));
    }

    #[test]
    fn nothing_behind_the_end_is_looked_at() {
        let (sent, asked) = channel();
        let sender = std::thread::spawn(move || {
            for _ in 0..3 {
                let _ = sent.send(Work::End);
            }
            sent
        });
        let sent = sender.join();
        assert_eq!(sent_meanwhile(&asked).len(), 1);
        assert_eq!(asked.try_iter().count(), 2);
        drop(sent);
    }
}
