//! The five sockets of a kernel, each with a task that reads it or writes to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jupyter_protocol::{
    ConnectionInfo, InterruptReply, JupyterMessage, JupyterMessageContent, ReplyStatus, Status,
};
use jupyter_zmq_client::{
    Connection, KernelControlConnection, RawMessage, RouterRecvConnection, RuntimeError,
    create_kernel_control_connection, create_kernel_heartbeat_connection,
    create_kernel_iopub_connection, create_kernel_shell_connection, create_kernel_stdin_connection,
};
use tokio::sync::mpsc::{Receiver, Sender, WeakSender, channel};
use tokio::task::JoinHandle;
use zeromq::{SocketRecv, SocketSend};

use crate::messages::{Work, kernel_info, refusal, shutdown_reply};
use crate::received::{Received, received};

/// So many messages wait to be sent before whoever sends them waits, too.
const MOST_WAITING: usize = 256;
/// How long to wait before a socket is read again that cannot be read.
const AGAIN: Duration = Duration::from_millis(100);

/// Where messages are sent.
#[derive(Clone)]
pub struct Senders {
    /// What everybody sees.
    pub published: Sender<JupyterMessage>,
    /// Answers.
    pub shell: Sender<JupyterMessage>,
    /// Questions to whoever runs a cell.
    pub stdin: Sender<JupyterMessage>,
}

/// What the tasks tell the thread that answers requests.
#[derive(Clone)]
pub struct Heard {
    pub work: std::sync::mpsc::Sender<Work>,
    pub answers: std::sync::mpsc::Sender<String>,
    pub interrupted: Arc<AtomicBool>,
    /// Told what cannot be answered.
    pub log: fn(&str),
}

/// Opens the sockets. The handles are of the tasks that write: they end when all senders are gone and all is written.
///
/// # Errors
/// A port is taken, or an address is none.
pub async fn open(
    info: &ConnectionInfo,
    heard: Heard,
) -> Result<(Senders, Vec<JoinHandle<()>>), RuntimeError> {
    let session = uuid::Uuid::new_v4().to_string();
    let mut pulse = create_kernel_heartbeat_connection(info).await?;
    let (shell_out, shell_in) = create_kernel_shell_connection(info, &session)
        .await?
        .split();
    let control = create_kernel_control_connection(info, &session).await?;
    let (stdin_out, stdin_in) = create_kernel_stdin_connection(info, &session)
        .await?
        .split();
    let public = create_kernel_iopub_connection(info, &session).await?;
    let (published, to_publish) = channel(MOST_WAITING);
    let (shell, to_shell) = channel(MOST_WAITING);
    let (stdin, to_stdin) = channel(MOST_WAITING);
    let writers = vec![
        tokio::spawn(write(public, to_publish)),
        tokio::spawn(write(shell_out, to_shell)),
        tokio::spawn(write(stdin_out, to_stdin)),
    ];
    tokio::spawn(async move {
        loop {
            // What is sent comes back.
            let echoed = match pulse.socket.recv().await {
                Ok(sent) => pulse.socket.send(sent).await,
                Err(error) => Err(error),
            };
            if echoed.is_err() {
                tokio::time::sleep(AGAIN).await;
            }
        }
    });
    tokio::spawn(read_shell(shell_in, heard.clone()));
    tokio::spawn(read_stdin(stdin_in, heard.clone()));
    // A weak one: the public socket is written to until the answering thread has ended.
    tokio::spawn(serve_control(control, published.downgrade(), heard));
    let senders = Senders {
        published,
        shell,
        stdin,
    };
    Ok((senders, writers))
}

/// Removes the files of sockets that have some. They are of no use when the kernel ends, and nobody else knows of them.
pub fn remove_files(info: &ConnectionInfo) {
    let urls = [
        info.hb_url(),
        info.shell_url(),
        info.control_url(),
        info.stdin_url(),
        info.iopub_url(),
    ];
    for file in urls.iter().filter_map(|url| url.strip_prefix("ipc://")) {
        // Whoever has removed it before has done no harm.
        let _ = std::fs::remove_file(file);
    }
}

async fn write<S: SocketSend>(mut socket: Connection<S>, mut messages: Receiver<JupyterMessage>) {
    while let Some(message) = messages.recv().await {
        // A client that has left does not read.
        let _ = socket.send(message).await;
    }
}

/// The next message that can be answered. What is none, or is not signed as it has to be, is told to `log` and passed
/// over.
async fn next<S: SocketRecv>(socket: &mut Connection<S>, log: fn(&str)) -> Received {
    loop {
        let Ok(parts) = socket.socket.recv().await else {
            tokio::time::sleep(AGAIN).await;
            continue;
        };
        let raw = RawMessage::from_multipart(parts, &socket.mac);
        match raw.map_err(|error| unread(&error)).and_then(received) {
            Ok(found) => return found,
            Err(reason) => log(&format!("a message was passed over: {reason}")),
        }
    }
}

/// Why a message has not even parts.
fn unread(error: &RuntimeError) -> String {
    match error {
        RuntimeError::VerifyError(_) => {
            "its signature is not one by the connection's key".to_owned()
        }
        other => other.to_string(),
    }
}

async fn read_shell(mut socket: RouterRecvConnection, heard: Heard) {
    while heard
        .work
        .send(Work::Asked(Box::new(next(&mut socket, heard.log).await)))
        .is_ok()
    {}
}

async fn read_stdin(mut socket: RouterRecvConnection, heard: Heard) {
    loop {
        let Received { message, lacks } = next(&mut socket, heard.log).await;
        if let Some(reason) = lacks {
            (heard.log)(&format!("an answer was passed over: {reason}"));
        }
        if let JupyterMessageContent::InputReply(reply) = message.content
            && heard.answers.send(reply.value).is_err()
        {
            return;
        }
    }
}

/// Interrupts, and the end.
async fn serve_control(
    mut socket: KernelControlConnection,
    published: WeakSender<JupyterMessage>,
    heard: Heard,
) {
    loop {
        let Received {
            message: asked,
            lacks,
        } = next(&mut socket, heard.log).await;
        let Some(published) = published.upgrade() else {
            return;
        };
        let _ = published.send(Status::busy().as_child_of(&asked)).await;
        let mut ends = false;
        let refused = lacks.map(|reason| refusal(&asked, &reason));
        let reply: Option<JupyterMessageContent> = match &asked.content {
            _ if refused.is_some() => refused.flatten(),
            JupyterMessageContent::InterruptRequest(_) => {
                heard.interrupted.store(true, Ordering::Relaxed);
                let status = ReplyStatus::Ok;
                let error = None;
                Some(InterruptReply { status, error }.into())
            }
            JupyterMessageContent::ShutdownRequest(request) => {
                ends = true;
                Some(shutdown_reply(request.restart).into())
            }
            JupyterMessageContent::KernelInfoRequest(_) => Some(kernel_info().into()),
            _ => None,
        };
        if let Some(reply) = reply {
            let _ = socket.send(JupyterMessage::new(reply, Some(&asked))).await;
        }
        let _ = published.send(Status::idle().as_child_of(&asked)).await;
        if ends {
            heard.interrupted.store(true, Ordering::Relaxed);
            let _ = heard.work.send(Work::End);
            return;
        }
    }
}
