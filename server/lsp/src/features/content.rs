//! Texts that the client has no file of (`workspace/textDocumentContent`).

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::Uri;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

/// Which text is asked for.
#[derive(Debug, Deserialize)]
pub struct ContentParams {
    pub uri: Uri,
}

/// A text.
#[derive(Debug, Serialize)]
pub struct Content {
    text: String,
}

/// The text of a document as the server has it.
pub fn content(snapshot: &RequestSnapshot, target: &Target) -> Answer<Content> {
    let text = snapshot.analysis.snapshot().text(target.file);
    Ok(Content { text })
}
