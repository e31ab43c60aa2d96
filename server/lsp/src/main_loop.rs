//! The main loop. Its thread owns the [`GlobalState`]: files, texts, settings, and the requests that
//! wait.
//!
//! The loop takes one event at a time; it never computes an answer itself, and never waits for the
//! disk, of which it asks others (`main_loop/reading.rs`). Requests go to the [`Pool`], each with a [`RequestSnapshot`] of that moment. An edit interrupts the requests that
//! workers have. They come back and run again on the new texts, with their positions moved.

mod files;
mod folders;
mod includes;
mod projects;
mod publishing;
mod reading;
mod requests;
mod sync;
mod typing;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};

use frank_analysis::db::SourceFile;
use frank_analysis::files::Files;
use frank_ide::Analysis;
use frank_workspace::config::Found;
use frank_workspace::includes::Unreadable;
use frank_workspace::watch::Watch;
use tower_lsp::ls_types as lsp;
use web_time::Instant;

use crate::client::Client;
use crate::client_capabilities::{ClientCapabilities, Refresh};
use crate::diagnostics::Publisher;
use crate::disk::Storage;
use crate::documents::{Document, Documents};
use crate::events::{Event, Events};
use crate::extension;
use crate::features;
use crate::library::Library;
use crate::pool::{Pool, panic_message};
use crate::progress::Progress;
use crate::request_snapshot::RequestSnapshot;
use crate::results::{Outcome, Results, Subject};
use crate::settings::{self, Settings};
use crate::text::{Edit, Encoding};
use crate::told::Told;

use requests::Requests;

/// How many events are taken before requests are given to workers.
const BURST: usize = 1024;

/// How often the main loop looks for another event before it goes to sleep. Between the messages of a flood, falling
/// asleep and being woken would cost more than all else.
const LOOKS: usize = 64;

/// How many edits of a document are remembered for requests that are older.
const REMEMBERED_EDITS: usize = 4096;

/// Everything that the server knows.
pub struct GlobalState {
    events: Events,
    client: Client,
    pool: Pool,
    storage: Storage,
    files: Files,
    documents: Arc<Documents>,
    library: Library,
    settings: Arc<Settings>,
    /// The settings that came with the first message.
    options: serde_json::Value,
    /// The section of the editor's settings that came last.
    section: serde_json::Value,
    /// The directories whose `frank.toml` counts, each with what was found.
    projects: BTreeMap<PathBuf, Option<Found>>,
    results: Arc<Results>,
    capabilities: Arc<ClientCapabilities>,
    /// Counts changes of files, texts and settings.
    revision: u64,
    /// The last edits of each document with the revisions that they made.
    history: HashMap<Arc<str>, VecDeque<(u64, Edit)>>,
    /// When documents were forgotten: one that has the name later is another one.
    gone: HashMap<Arc<str>, u64>,
    requests: Requests,
    publishing: publishing::Publishing,
    typing: Option<typing::Typing>,
    publisher: Arc<Publisher>,
    folders: Vec<folders::Folder>,
    reading: reading::Reading,
    due: Due,
    /// Searches under way, each with its folder.
    searches: HashMap<u64, String>,
    /// What has changed on disk since the first of them began.
    touched_meanwhile: HashSet<lsp::Uri>,
    next_search: u64,
    search_progress: Option<Progress>,
    /// Watches the folders if the client cannot.
    watch: Option<Watch>,
    /// Where an included file could be and is not.
    absent: HashSet<String>,
    /// Included files that are there and could not be read.
    unreadable: Arc<Unreadable>,
    told: Arc<Told>,
    /// Files in folders that a search does not find, and that somebody has asked for.
    left_out: HashSet<String>,
    stopped: bool,
}

/// What is done once for many events.
#[derive(Debug, Default)]
struct Due {
    /// Files that are gone from the disk.
    forget: HashSet<Arc<str>>,
    /// Directories that may have been there and are gone.
    gone: HashSet<String>,
    /// Some files may not be needed any more.
    unneeded: bool,
    /// Includes may lead elsewhere.
    includes: bool,
    /// Everything that the client shows may be out of date.
    refresh: bool,
}

impl GlobalState {
    /// Starts with nothing but the library; other files that nobody has open are in `storage`.
    pub fn new(events: Events, client: Client, pool: Pool, storage: Storage) -> GlobalState {
        let mut files = Files::new(None);
        files.keep_few_items();
        let mut documents = Documents::default();
        let library = Library::new(&files, &mut documents, &storage);
        GlobalState {
            reading: reading::Reading::new(storage.clone(), events.clone()),
            storage,
            due: Due::default(),
            events,
            client,
            pool,
            files,
            documents: Arc::new(documents),
            library,
            settings: Arc::default(),
            options: serde_json::Value::Null,
            section: serde_json::Value::Null,
            projects: BTreeMap::new(),
            results: Arc::default(),
            capabilities: Arc::default(),
            revision: 0,
            history: HashMap::new(),
            gone: HashMap::new(),
            requests: Requests::default(),
            publishing: publishing::Publishing::default(),
            typing: None,
            publisher: Arc::default(),
            folders: Vec::new(),
            searches: HashMap::new(),
            touched_meanwhile: HashSet::new(),
            next_search: 0,
            search_progress: None,
            watch: None,
            absent: HashSet::new(),
            left_out: HashSet::new(),
            unreadable: Arc::default(),
            told: Arc::default(),
            stopped: false,
        }
    }

    /// Takes events until the client has shut the server down or is gone.
    pub fn run(mut self, incoming: &mpsc::Receiver<Event>) {
        while let Some(event) = self.next(incoming) {
            self.take(event, incoming);
            if self.stopped {
                break;
            }
        }
        self.give_up_requests();
        self.client.close();
    }

    /// Takes the events that are there and those that come of them, and does not wait for more: for a server with
    /// one thread. A pause of typing that is over is one of them. Says whether there was anything.
    pub fn run_until_idle(&mut self, incoming: &mpsc::Receiver<Event>) -> bool {
        if self.wakes_at().is_some_and(|at| at <= Instant::now()) {
            self.events.send(Event::TypingPauses);
        }
        let mut any = false;
        while let Ok(event) = incoming.try_recv() {
            any = true;
            self.take(event, incoming);
            if self.stopped {
                self.give_up_requests();
                self.client.close();
            }
        }
        any
    }

    /// When there is something to do although nobody says anything.
    pub fn wakes_at(&self) -> Option<Instant> {
        self.typing.as_ref().map(|typing| typing.until)
    }

    /// Takes an event and some of those that wait behind it, and does what is due.
    fn take(&mut self, event: Event, incoming: &mpsc::Receiver<Event>) {
        self.guarded(|state| state.handle(event));
        for event in incoming.try_iter().take(BURST) {
            self.guarded(|state| state.handle(event));
        }
        if self.stopped {
            return;
        }
        // While the disk is waited for, more may come that is better done at once.
        if !self.reading.is_awaited() {
            self.guarded(GlobalState::settle);
        }
        if self.files.is_worn() {
            self.renew();
        }
        if !self.reading.is_awaited() {
            self.dispatch();
        }
    }

    /// Waits for an event; there is none any more when nobody is left to send one.
    fn next(&mut self, incoming: &mpsc::Receiver<Event>) -> Option<Event> {
        let disk = self.reading.awaited_until();
        let pause = self.wakes_at();
        // Requests may come without a break while nobody types.
        if pause.is_some_and(|until| until <= Instant::now()) {
            return Some(Event::TypingPauses);
        }
        for _ in 0..LOOKS {
            match incoming.try_recv() {
                Ok(event) => return Some(event),
                Err(mpsc::TryRecvError::Empty) => std::thread::yield_now(),
                Err(mpsc::TryRecvError::Disconnected) => return None,
            }
        }
        let Some(until) = disk.into_iter().chain(pause).min() else {
            return incoming.recv().ok();
        };
        let patience = until.saturating_duration_since(Instant::now());
        match incoming.recv_timeout(patience) {
            Ok(event) => Some(event),
            Err(mpsc::RecvTimeoutError::Timeout) if disk == Some(until) => Some(Event::DiskIsLate),
            Err(mpsc::RecvTimeoutError::Timeout) => Some(Event::TypingPauses),
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Does something; if that panics, everything is built up anew from the texts.
    fn guarded(&mut self, work: impl FnOnce(&mut GlobalState)) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(self))) {
            tracing::error!("the server recovers from: {}", panic_message(&*payload));
            self.rebuild();
        }
    }

    /// Does what is due after some events.
    fn settle(&mut self) {
        self.forget_what_was_in_directories();
        let forget = std::mem::take(&mut self.due.forget);
        self.forget(&forget);
        if std::mem::take(&mut self.due.unneeded) {
            let unneeded = self.unneeded();
            self.forget(&unneeded);
        }
        if std::mem::take(&mut self.due.includes) {
            self.load_includes_of_all();
        }
        if std::mem::take(&mut self.due.refresh) {
            self.everything_changed();
        }
    }

    fn handle(&mut self, event: Event) {
        // These come only from a client that has the answer to its first message.
        if matches!(
            event,
            Event::Initialized | Event::Opened(_) | Event::Request(_)
        ) {
            self.client.open();
        }
        match event {
            Event::Initialize(params, reply) => {
                let result = self.initialize(*params);
                // The client may be gone.
                let _ = reply.send(result);
            }
            Event::Initialized => self.initialized(),
            Event::Opened(params) => self.opened(params.text_document),
            Event::Changed(params) => self.changed(params),
            Event::Saved(params) => self.saved(&params.text_document.uri),
            Event::Closed(params) => self.closed(&params.text_document.uri),
            Event::Touched(uris) => self.touched(&uris),
            Event::Folders(change) => self.change_folders(&change),
            Event::Watching(folders) => self.look_at(&folders),
            Event::ConfigurationChanged(value) => self.configuration_changed(&value),
            // A client where nothing is set may have said something in its first message.
            Event::Settings(serde_json::Value::Null) => self.take_settings(self.options.clone()),
            Event::Settings(value) => self.take_settings(value),
            Event::Found(found) => self.found(found),
            Event::Read(question, answer) => self.disk_answered(&question, answer),
            Event::DiskIsLate => self.stop_waiting_for_the_disk(),
            Event::TypingPauses => self.stop_typing(),
            Event::Request(request) => self.take_request(request),
            Event::Cancel(id) => self.requests.cancel(id),
            Event::Evaluated(subject, outcome) => self.evaluated(subject, *outcome),
            Event::WorkspacePulled => self.workspace_pulled(),
            Event::Finished(finished) => self.finished(finished),
            Event::Shutdown(reply) => {
                self.stopped = true;
                let _ = reply.send(());
            }
            Event::Gone => self.stopped = true,
            Event::Panic => panic!("asked to panic"),
            Event::StallDisk => self.reading.stall(),
            Event::Hang => loop {
                std::thread::park();
            },
        }
    }

    fn initialize(&mut self, params: lsp::InitializeParams) -> lsp::InitializeResult {
        let capabilities = ClientCapabilities::of(&params.capabilities);
        let offered = params.capabilities.general.as_ref();
        let offered = offered.and_then(|general| general.position_encodings.as_deref());
        let encoding = Encoding::negotiate(offered);
        Arc::make_mut(&mut self.documents).encoding = encoding;
        self.publishing.pulling(capabilities.pulls_diagnostics);
        // A client tells of the files that it holds.
        if !capabilities.watches_files && matches!(self.storage, Storage::Disk) {
            self.start_watching();
        }
        let mut uris: Vec<lsp::Uri> = Vec::new();
        match params.workspace_folders {
            Some(folders) => uris.extend(folders.into_iter().map(|folder| folder.uri)),
            #[allow(deprecated, reason = "older clients send nothing else")]
            None => uris.extend(params.root_uri),
        }
        self.add_folders(&uris);
        if let Some(mut options) = params.initialization_options {
            if let Some(told) = extension::take(&mut options) {
                self.client.show(lsp::MessageType::WARNING, told);
            }
            // Some clients send the section, others what is in it.
            self.options = options.get(settings::SECTION).unwrap_or(&options).clone();
            self.take_settings(self.options.clone());
        }
        let result = features::announce(encoding);
        self.capabilities = Arc::new(capabilities);
        result
    }

    fn initialized(&mut self) {
        let registrations = features::registrations(&self.capabilities);
        if !registrations.is_empty() {
            self.client
                .send(crate::client::Message::Register(registrations));
        }
        if self.capabilities.configuration {
            self.client.send(crate::client::Message::AskSettings);
        }
    }

    fn configuration_changed(&mut self, value: &serde_json::Value) {
        if self.capabilities.configuration {
            self.client.send(crate::client::Message::AskSettings);
        } else {
            self.take_settings(value.get(settings::SECTION).unwrap_or(value).clone());
        }
    }

    /// Everything that the client shows may be out of date.
    fn everything_changed(&mut self) {
        self.changed_something();
        self.refresh();
    }

    /// Asks the client to request again what it shows, where it supports that.
    fn refresh(&self) {
        let kinds = [
            Refresh::Diagnostics,
            Refresh::CodeLenses,
            Refresh::InlayHints,
            Refresh::SemanticTokens,
        ];
        for kind in kinds {
            if self.capabilities.refreshes(kind) {
                self.client.send(crate::client::Message::Refresh(kind));
            }
        }
    }

    /// Shows what was evaluated.
    fn evaluated(&mut self, subject: Subject, outcome: Outcome) {
        Arc::make_mut(&mut self.results).insert(subject, outcome);
        // The next publish round asks the client to refresh what it shows.
        self.changed_something();
    }

    /// Notes that findings may have changed.
    fn changed_something(&mut self) {
        self.revision += 1;
        self.publishing.needed();
    }

    /// The file that a client means, the library's among them.
    fn file(&self, key: &str) -> Option<SourceFile> {
        self.files.file(key).or_else(|| self.library.get(key))
    }

    fn document(&self, key: &str) -> Option<&Document> {
        self.documents.get(self.file(key)?)
    }

    /// Everything as it is now.
    fn request_snapshot(&self) -> RequestSnapshot {
        RequestSnapshot {
            analysis: Analysis::new(self.files.snapshot()),
            documents: self.documents.clone(),
            settings: self.settings.clone(),
            unreadable: self.unreadable.clone(),
            results: self.results.clone(),
            capabilities: self.capabilities.clone(),
            told: self.told.clone(),
            typed: self.typing.as_ref().map(|typing| typing.line.clone()),
            revision: self.revision,
        }
    }

    /// Builds up everything anew from the texts, because something may be wrong with what there is.
    fn rebuild(&mut self) {
        self.renew();
        self.everything_changed();
    }

    /// Puts a new database in the place of the old one, which the requests at work may still read.
    fn renew(&mut self) {
        let renewed = catch_unwind(AssertUnwindSafe(|| {
            let old = std::mem::take(&mut self.documents);
            self.files = Files::new(None);
            self.files.keep_few_items();
            let mut documents = Documents::new(old.encoding);
            self.library = Library::new(&self.files, &mut documents, &self.storage);
            let (library, own): (Vec<&Document>, Vec<&Document>) = old
                .iter()
                .map(|(_, document)| document)
                .partition(|document| document.library);
            for document in library.into_iter().filter(|document| document.is_open()) {
                if let Some(file) = self.library.get(&document.key) {
                    documents.insert(file, document.clone());
                }
            }
            let texts: Vec<(String, String)> = own
                .iter()
                .map(|document| (document.key.to_string(), document.text.to_string()))
                .collect();
            let texts = texts.iter().map(|(key, text)| (key.clone(), text.as_str()));
            let added = self.files.add(&texts.collect::<Vec<_>>());
            for (file, document) in added.into_iter().zip(own) {
                documents.insert(file, document.clone());
            }
            self.documents = Arc::new(documents);
            self.files.set_include_dirs(self.settings.include_keys());
        }));
        if let Err(payload) = renewed {
            // A file is at fault, but it is unknown which.
            tracing::error!("building up anew failed: {}", panic_message(&*payload));
            self.history.clear();
            self.documents = Arc::default();
            self.files = Files::new(None);
        }
    }
}
