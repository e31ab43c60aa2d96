//! What a request can be answered from: everything as it was at one moment.

use std::ops::Range;
use std::sync::Arc;

use frank_analysis::db::{Database, SourceFile};
use frank_ide::evaluate::InFile;
use frank_ide::{Analysis, FilePosition, FileRange};
use frank_syntax::visible::visible;
use frank_workspace::includes::Unreadable;
use salsa::Database as _;
use text_size::TextRange;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use crate::client_capabilities::ClientCapabilities;
use crate::documents::{Document, Documents};
use crate::results::Results;
use crate::settings::Settings;
use crate::told::Told;
use crate::typing::TypedLine;

/// All files, their texts and the settings at one moment. What holds one must not wait for
/// anything, since the next edit waits until it is dropped.
pub struct RequestSnapshot {
    pub analysis: Analysis,
    pub documents: Arc<Documents>,
    pub settings: Arc<Settings>,
    /// Included files that are there and could not be read.
    pub unreadable: Arc<Unreadable>,
    /// What was evaluated.
    pub results: Arc<Results>,
    pub capabilities: Arc<ClientCapabilities>,
    /// What is known of the findings of closed programs.
    pub told: Arc<Told>,
    /// The line that is being typed.
    pub typed: Option<TypedLine>,
    /// Grows with every change.
    pub revision: u64,
}

/// What a request is about, in the texts of the [`RequestSnapshot`] that it comes with.
#[derive(Debug, Clone)]
pub struct Target {
    pub file: SourceFile,
    /// The ranges that the client sent; a position is an empty one.
    pub ranges: Vec<Range<usize>>,
}

impl Target {
    /// The first range.
    pub fn range(&self) -> Range<usize> {
        self.ranges.first().cloned().unwrap_or_default()
    }

    /// The first position.
    pub fn position(&self) -> FilePosition {
        FilePosition::new(self.file, self.range().start)
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestError {
    /// The request makes no sense; the reason.
    Invalid(String),
    /// What was asked for cannot be done; the reason, to be shown.
    Refused(String),
}

impl From<RequestError> for jsonrpc::Error {
    fn from(failure: RequestError) -> jsonrpc::Error {
        match failure {
            RequestError::Invalid(reason) => jsonrpc::Error::invalid_params(reason),
            RequestError::Refused(reason) => jsonrpc::Error {
                code: jsonrpc::ErrorCode::ServerError(lsp::error_codes::REQUEST_FAILED),
                message: reason.into(),
                data: None,
            },
        }
    }
}

/// The answer to a request, or why there is none.
pub type Answer<R> = Result<R, RequestError>;

impl RequestSnapshot {
    /// The database behind the answers.
    pub fn db(&self) -> &Database {
        self.analysis.db()
    }

    /// Stops here, by unwinding, if an edit waits or the client has lost interest. What does much
    /// without asking the database calls this now and then.
    pub fn check(&self) {
        self.db().unwind_if_revision_cancelled();
    }

    /// The text of a file.
    pub fn document(&self, file: SourceFile) -> Option<&Document> {
        self.documents.get(file)
    }

    /// A range in a document as the client counts.
    pub fn range(&self, document: &Document, range: TextRange) -> lsp::Range {
        self.documents.encoding.range(&document.text, range.into())
    }

    /// A range in a file as the client counts.
    pub fn range_in(&self, file: SourceFile, range: TextRange) -> Option<lsp::Range> {
        Some(self.range(self.document(file)?, range))
    }

    /// A place as the client names it.
    pub fn location(&self, place: FileRange) -> Option<lsp::Location> {
        let document = self.document(place.file)?;
        Some(lsp::Location::new(
            document.uri.clone(),
            self.range(document, place.range),
        ))
    }

    /// Where an evaluation has been, if its file is still there.
    pub fn location_of(&self, (path, bytes): &InFile) -> Option<lsp::Location> {
        let file = self.analysis.snapshot().file(path)?;
        let range = text_range(bytes, self.document(file)?)?;
        self.location(FileRange { file, range })
    }

    /// Where an evaluation has been, in words: the file's name, the line and the column, as in `cube.fk:4:10`.
    pub fn place_name(&self, place: &InFile) -> Option<String> {
        let location = self.location_of(place)?;
        let path = location.uri.as_str();
        let name = path.rsplit(['/', ':']).next().unwrap_or(path);
        let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy();
        let lsp::Position { line, character } = location.range.start;
        Some(format!("{}:{}:{}", visible(&name), line + 1, character + 1))
    }
}

/// Bytes as they were when something was planned, which is when its program was what it is now.
pub fn text_range(bytes: &Range<u32>, document: &Document) -> Option<TextRange> {
    let is_there = bytes.start <= bytes.end && bytes.end as usize <= document.text.len_bytes();
    is_there.then(|| TextRange::new(bytes.start.into(), bytes.end.into()))
}
