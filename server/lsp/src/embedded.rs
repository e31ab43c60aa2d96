//! The server inside of another program: one message at a time, on one thread, without a disk and a clock that
//! wakes it. So it runs in a browser.
//!
//! The handlers and the main loop are the same as over a connection. What there are threads for is done at once, by
//! whoever asks for it; files that nobody has open are those that the client holds (`frank/files`).

use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use futures::executor::LocalPool;
use futures::task::LocalSpawnExt;
use futures::{SinkExt, StreamExt};
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};
use tower_service::Service;
use web_time::Instant;

use crate::client::Client;
use crate::disk::Storage;
use crate::evaluator::Evaluator;
use crate::events::{Event, Events};
use crate::held::Held;
use crate::main_loop::GlobalState;
use crate::pool::Pool;
use crate::service::{InOrder, Parts, service};
use crate::tasks;
use crate::written::{Texts, written};

/// How many requests are under way at a time, as far as the main loop knows; one of them has to be urgent.
const WORKERS: usize = 2;

/// Takes a message to the client, as JSON without headers.
type Send = Rc<dyn Fn(String)>;

/// A server.
pub struct Embedded {
    tasks: LocalPool,
    main_loop: GlobalState,
    incoming: Receiver<Event>,
    handlers: InOrder,
    answers: futures::channel::mpsc::UnboundedSender<Response>,
    texts: Arc<Texts>,
    send: Send,
}

impl Embedded {
    /// A server that gives its messages to `send`, while it does something else. `self_test` has it answer requests
    /// that only tests make.
    pub fn new(send: impl Fn(String) + 'static, self_test: bool) -> Embedded {
        let tasks = LocalPool::new();
        let send: Send = Rc::new(send);
        let (events, incoming) = Events::new();
        let client = Client::new();
        let storage = Storage::Held(Held::default());
        let finished = {
            let events = events.clone();
            move |finished| events.send(Event::Finished(finished))
        };
        let pool = Pool::without_threads(WORKERS, finished);
        let texts: Arc<Texts> = Arc::default();
        let (handlers, socket) = tasks::with_spawner(&tasks.spawner(), || {
            service(Parts {
                events: events.clone(),
                client: client.clone(),
                evaluators: [Evaluator::without_threads(), Evaluator::without_threads()],
                texts: texts.clone(),
                storage: storage.clone(),
                answers: None,
                self_test,
                follow: None,
            })
        });
        let (mut requests, mut responses) = socket.split();
        let (answers, mut answered) = futures::channel::mpsc::unbounded();
        let to_client = send.clone();
        let outgoing = async move {
            while let Some(request) = requests.next().await {
                say(&to_client, &request);
            }
        };
        let incoming_answers = async move {
            while let Some(answer) = answered.next().await {
                if responses.send(answer).await.is_err() {
                    break;
                }
            }
        };
        // The executor is there as long as the server.
        let _ = tasks.spawner().spawn_local(outgoing);
        let _ = tasks.spawner().spawn_local(incoming_answers);
        Embedded {
            tasks,
            main_loop: GlobalState::new(events, client, pool, storage),
            incoming,
            handlers,
            answers,
            texts,
            send,
        }
    }

    /// Takes a message of the client's, as JSON without headers, and does all that comes of it.
    pub fn receive(&mut self, message: &str) {
        match serde_json::from_str::<Value>(message) {
            Ok(value) if value.get("method").is_some() => match serde_json::from_value(value) {
                Ok(request) => self.handle(request),
                Err(error) => self.refuse(Error::invalid_request(), &error),
            },
            Ok(value) => match serde_json::from_value(value) {
                Ok(answer) => _ = self.answers.unbounded_send(answer),
                Err(error) => self.refuse(Error::invalid_request(), &error),
            },
            Err(error) => self.refuse(Error::parse_error(), &error),
        }
        self.run();
    }

    /// Does what has waited for the time that it is now.
    pub fn wake(&mut self) {
        self.run();
    }

    /// How long it is until there is something to do although no message comes, if there will be.
    pub fn wakes_in(&self) -> Option<Duration> {
        let at = self.main_loop.wakes_at()?;
        Some(at.saturating_duration_since(Instant::now()))
    }

    fn handle(&mut self, request: Request) {
        let handling = tasks::with_spawner(&self.tasks.spawner(), || self.handlers.call(request));
        let (texts, send) = (self.texts.clone(), self.send.clone());
        let answering = async move {
            if let Ok(Some(answer)) = handling.await {
                let Ok(body) = serde_json::to_string(&answer) else {
                    return;
                };
                let body = written(&texts, body.as_bytes()).unwrap_or(body);
                send(body);
            }
        };
        let _ = self.tasks.spawner().spawn_local(answering);
    }

    fn refuse(&self, mut error: Error, reason: &serde_json::Error) {
        error.message = format!("the message cannot be read: {reason}").into();
        say(&self.send, &Response::from_error(Id::Null, error));
    }

    /// Lets tasks and main loop run until none has anything to do.
    fn run(&mut self) {
        let Embedded {
            tasks,
            main_loop,
            incoming,
            ..
        } = self;
        let spawner = tasks.spawner();
        tasks::with_spawner(&spawner, || {
            loop {
                tasks.run_until_stalled();
                if !main_loop.run_until_idle(incoming) {
                    break;
                }
            }
        });
    }
}

fn say(send: &Send, message: &impl serde::Serialize) {
    // Messages are trees of texts and numbers, which can be written.
    if let Ok(message) = serde_json::to_string(message) {
        send(message);
    }
}
