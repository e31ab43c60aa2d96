//! Requests that are answered from a [`RequestSnapshot`].

use std::ops::Range;
use std::sync::Arc;

use tokio::sync::oneshot;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use crate::in_hand;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};

/// The number of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// How soon an answer is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// A user waits for it.
    Now,
    /// It takes long, and a user will see it.
    Soon,
}

/// A request that is answered from a [`RequestSnapshot`].
pub struct Request {
    pub id: RequestId,
    pub urgency: Urgency,
    pub about: Option<RequestedRanges>,
    pub job: Box<dyn Job>,
}

/// A document and ranges in it, as the client sends them.
#[derive(Debug, Clone)]
pub struct RequestedRanges {
    pub uri: lsp::Uri,
    pub ranges: Vec<lsp::Range>,
}

/// Computes an answer and sends it. An edit can interrupt it at any time; then it runs again.
pub trait Job: Send {
    /// Answers, or is interrupted.
    fn run(&mut self, snapshot: &RequestSnapshot, target: Option<&Target>);

    /// Answers with an error, without computing anything.
    fn fail(&mut self, error: jsonrpc::Error);

    /// True if nobody waits for the answer any more.
    fn is_abandoned(&self) -> bool;
}

struct Reply<R, F> {
    /// The method that asks for it.
    method: Option<Arc<str>>,
    compute: F,
    reply: Option<oneshot::Sender<jsonrpc::Result<R>>>,
}

impl<R, F> Reply<R, F> {
    fn reply(&mut self, answer: jsonrpc::Result<R>) {
        if let Some(reply) = self.reply.take() {
            // The handler may be gone.
            let _ = reply.send(answer);
        }
    }
}

impl<R, F> Job for Reply<R, F>
where
    R: Send,
    F: Fn(&RequestSnapshot, Option<&Target>) -> Answer<R> + Send,
{
    fn run(&mut self, snapshot: &RequestSnapshot, target: Option<&Target>) {
        let answer = in_hand::during(self.method.clone(), || (self.compute)(snapshot, target));
        self.reply(answer.map_err(jsonrpc::Error::from));
    }

    fn fail(&mut self, error: jsonrpc::Error) {
        self.reply(Err(error));
    }

    fn is_abandoned(&self) -> bool {
        self.reply.as_ref().is_none_or(oneshot::Sender::is_closed)
    }
}

/// A job, and where its answer comes.
pub fn job<R: Send + 'static>(
    compute: impl Fn(&RequestSnapshot, Option<&Target>) -> Answer<R> + Send + 'static,
) -> (Box<dyn Job>, oneshot::Receiver<jsonrpc::Result<R>>) {
    let (reply, answer) = oneshot::channel();
    let job = Reply {
        method: in_hand::method(),
        compute,
        reply: Some(reply),
    };
    (Box::new(job), answer)
}

/// The range of a position.
pub fn point(position: lsp::Position) -> lsp::Range {
    lsp::Range::new(position, position)
}

/// Byte ranges of a document, and the revision of the texts that they are in.
#[derive(Debug, Clone)]
pub struct DocumentRanges {
    pub key: Arc<str>,
    pub ranges: Vec<Range<usize>>,
    pub revision: u64,
}
