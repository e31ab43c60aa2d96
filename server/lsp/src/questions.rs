//! Questions that are answered from a [`World`].

use std::ops::Range;
use std::sync::Arc;

use tokio::sync::oneshot;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use crate::world::{Answer, Target, World};

/// Numbers questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuestionId(pub u64);

/// How soon an answer is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// Somebody waits for it.
    Now,
    /// It is about much, and somebody will see it.
    Soon,
}

/// A request that is answered from a [`World`].
pub struct Question {
    pub id: QuestionId,
    pub urgency: Urgency,
    /// What it is about: a document, and ranges in it.
    pub subject: Option<Subject>,
    pub job: Box<dyn Job>,
}

/// What a question is about, as the client says it.
#[derive(Debug, Clone)]
pub struct Subject {
    pub uri: lsp::Uri,
    pub ranges: Vec<lsp::Range>,
}

/// What computes an answer and gives it to who asked. An edit can interrupt it at any time; then
/// it runs again.
pub trait Job: Send {
    /// Answers, or is interrupted.
    fn run(&mut self, world: &World, target: Option<&Target>);

    /// Answers that there is no answer.
    fn fail(&mut self, error: jsonrpc::Error);

    /// True if nobody waits for the answer any more.
    fn is_abandoned(&self) -> bool;
}

struct Waiting<R, F> {
    compute: F,
    reply: Option<oneshot::Sender<jsonrpc::Result<R>>>,
}

impl<R, F> Waiting<R, F> {
    fn reply(&mut self, answer: jsonrpc::Result<R>) {
        if let Some(reply) = self.reply.take() {
            // Who asked may be gone.
            let _ = reply.send(answer);
        }
    }
}

impl<R, F> Job for Waiting<R, F>
where
    R: Send,
    F: Fn(&World, Option<&Target>) -> Answer<R> + Send,
{
    fn run(&mut self, world: &World, target: Option<&Target>) {
        let answer = (self.compute)(world, target);
        self.reply(answer.map_err(jsonrpc::Error::from));
    }

    fn fail(&mut self, error: jsonrpc::Error) {
        self.reply(Err(error));
    }

    fn is_abandoned(&self) -> bool {
        self.reply.as_ref().is_none_or(oneshot::Sender::is_closed)
    }
}

/// A job with the way to who waits for its answer.
pub fn job<R: Send + 'static>(
    compute: impl Fn(&World, Option<&Target>) -> Answer<R> + Send + 'static,
) -> (Box<dyn Job>, oneshot::Receiver<jsonrpc::Result<R>>) {
    let (reply, answer) = oneshot::channel();
    let job = Waiting {
        compute,
        reply: Some(reply),
    };
    (Box::new(job), answer)
}

/// The range of a position.
pub fn point(position: lsp::Position) -> lsp::Range {
    lsp::Range::new(position, position)
}

/// The byte ranges of a subject as they were when the question was asked, and the revision of then.
#[derive(Debug, Clone)]
pub struct Spots {
    pub key: Arc<str>,
    pub ranges: Vec<Range<usize>>,
    pub revision: u64,
}
