//! The protocol: what is asked and answered, and when the server ends.

use std::io;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use frank_syntax::visible::visible;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError, serve_server_with_ct};
use rmcp::{ServerHandler, transport::async_rw::AsyncRwTransport};
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::child::{Ended as ChildEnded, Finished, Input, Limits, Program, Task, Unfinished};
use crate::lines::{lines, write_lines};
use crate::place::Root;
use crate::resources::{self, Wanted};
use crate::tools::{self, Plan, Workspace};

/// How long calls that are being answered have after the client's last word, so that who sends requests through a pipe
/// gets answers. What takes longer ends then.
const AFTER_LAST_WORD: Duration = Duration::from_secs(1);

const INSTRUCTIONS: &str = "\
Tools for Frank (`*.fk`), a language of algebraic effects and handlers. Check after every change: `check` gives findings \
with codes, and `explain` says what a code means. Write `_` for what you do not know yet: `holes` says what each place \
needs, `fill` what fits there, and `find` finds operators by type. `run`, `eval`, `step`, `derive` and `test` run programs within limits. \
Paths are relative to the directory that is served; most tools take a program as `text`, too. The library's files are \
resources, `frank://library/prelude.fk` first.";

/// How the server was started.
#[derive(Debug)]
pub struct Options {
    /// The directory that is served.
    pub directory: PathBuf,
    /// The program whose subcommands are the tools: `frank`.
    pub program: PathBuf,
    /// What a run may use at most.
    pub limits: Limits,
    /// Whether tools may change files.
    pub allow_write: bool,
}

/// Why the server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The client has left.
    Left,
    /// The system, or the user, wanted it to end.
    Interrupted,
}

/// Serves on standard input and output until the client leaves. Processes that were started have ended then.
///
/// # Errors
/// The directory cannot be served, or what the client says first is no beginning.
pub fn serve(options: Options) -> io::Result<Ended> {
    let root = Root::open(&options.directory)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let ended = runtime.block_on(serve_until_the_end(root, options));
    // Drops all that is still going on, and with it what was started. Nobody waits for standard input, whose reader
    // cannot be interrupted.
    runtime.shutdown_background();
    ended
}

async fn serve_until_the_end(root: Root, options: Options) -> io::Result<Ended> {
    let (interrupted, client_left) = (CancellationToken::new(), CancellationToken::new());
    let no_calls = CancellationToken::new();
    let server = Server {
        program: Program::new(options.program, root.real()),
        workspace: Workspace {
            root,
            limits: options.limits,
            allow_write: options.allow_write,
        },
        no_calls: no_calls.clone(),
    };
    let input = Followed {
        stream: tokio::io::stdin(),
        ended: client_left.clone(),
    };
    let (incoming, outgoing, written) = lines(input);
    let transport = AsyncRwTransport::new_server(incoming, outgoing);
    let mut is_read = true;
    let mut writing = pin!(write_lines(written, tokio::io::stdout()));
    // A token of its own: it is cancelled at the end in any case.
    let stop = interrupted.child_token();
    let serving = async move {
        match serve_server_with_ct(Arc::new(server), transport, stop).await {
            Ok(service) => {
                let ended = service.waiting().await;
                ended.map(drop).map_err(io::Error::other)
            }
            // Nothing was asked.
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
                Ok(())
            }
            Err(ServerInitializeError::ExpectedInitializeRequest(_)) => Err(io::Error::other(
                "the client has to begin with the request `initialize`",
            )),
            Err(error) => Err(io::Error::other(error)),
        }
    };
    let following = async {
        client_left.cancelled().await;
        tokio::time::sleep(AFTER_LAST_WORD).await;
        no_calls.cancel();
        std::future::pending::<()>().await;
    };
    let interrupting = async {
        interruption().await;
        interrupted.cancel();
        no_calls.cancel();
        std::future::pending::<()>().await;
    };
    tokio::select! {
        ended = serving => ended?,
        () = following => {}
        () = interrupting => {}
        // Nobody reads what is answered.
        _ = &mut writing => is_read = false,
    }
    // Nothing more is answered, and what was is written, unless nobody reads it.
    if is_read {
        let _ = tokio::time::timeout(AFTER_LAST_WORD, writing).await;
    }
    Ok(match interrupted.is_cancelled() {
        true => Ended::Interrupted,
        false => Ended::Left,
    })
}

/// Waits until the system or the user wants the process to end.
async fn interruption() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// A stream of which is known when it has ended.
struct Followed<R> {
    stream: R,
    ended: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for Followed<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let is_end = match &read {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.remaining() > 0,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if is_end {
            self.ended.cancel();
        }
        read
    }
}

/// What answers.
struct Server {
    program: Program,
    workspace: Workspace,
    /// Cancelled when no call is wanted any more.
    no_calls: CancellationToken,
}

impl Server {
    /// Runs what a request comes down to, as long as somebody waits for it.
    async fn finish(
        &self,
        task: Task,
        context: &RequestContext<RoleServer>,
    ) -> Result<Finished, ErrorData> {
        let stop = async {
            tokio::select! {
                () = context.ct.cancelled() => {}
                () = self.no_calls.cancelled() => {}
            }
        };
        let finished = self.program.run(task, stop).await;
        finished.map_err(|unfinished| match unfinished {
            Unfinished::Stopped => ErrorData::internal_error("the call was stopped", None),
            Unfinished::Failed(error) => {
                ErrorData::internal_error(format!("`frank` cannot be run: {error}"), None)
            }
        })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("frank", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let all = tools::all(self.workspace.allow_write);
        all.into_iter().find(|tool| tool.name == name)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all(
            self.workspace.allow_write,
        )))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = &*request.name;
        let Some(plan) = tools::plan(name, request.arguments, &self.workspace) else {
            let message = format!(
                "there is no tool `{}`; `tools/list` lists all",
                visible(name)
            );
            return Err(ErrorData::invalid_params(message, None));
        };
        let Plan { task, answer } = match plan {
            Ok(plan) => plan,
            // A model can do better the next time, and reads this: a protocol error would not reach it.
            Err(refusal) => {
                return Ok(CallToolResult::error(vec![ContentBlock::text(refusal)]).into());
            }
        };
        let finished = self.finish(task, &context).await?;
        Ok(answer(&finished).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::all()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(
            resources::templates(),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let unknown = || {
            let message = format!(
                "there is no resource `{}`; `resources/list` and `resources/templates/list` list all",
                visible(&uri)
            );
            ErrorData::resource_not_found(message, None)
        };
        let text = match resources::find(&uri).ok_or_else(unknown)? {
            Wanted::Program(text) => text.to_owned(),
            Wanted::Explanation(code) => {
                let time = self.workspace.limits.time;
                let task = tools::task("explain", ["--", code], Input::Nothing, time);
                let finished = self.finish(task, &context).await?;
                // A list of codes is no page: some word of theirs was taken for a code.
                if finished.ended != ChildEnded::Code(0) || !finished.stdout.starts_with(code) {
                    return Err(unknown());
                }
                finished.stdout
            }
        };
        let contents = ResourceContents::text(text, uri.as_str());
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}
