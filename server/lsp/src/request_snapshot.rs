//! What a request can be answered from: everything as it was at one moment.

use std::ops::Range;
use std::sync::Arc;

use frank_analysis::db::{Database, SourceFile};
use frank_ide::{Analysis, FilePosition, FileRange};
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
}
