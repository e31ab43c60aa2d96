//! The texts of all files, open or not, as the client counts positions in them.

use std::collections::HashMap;
use std::sync::Arc;

use frank_analysis::db::SourceFile;
use ropey::Rope;
use tower_lsp::ls_types::Uri;

use crate::text::Encoding;

/// What is known about a text apart from what it means.
#[derive(Debug, Clone)]
pub struct Document {
    /// What analysis knows the file by.
    pub key: Arc<str>,
    /// The name that the client uses, if it has the file open, or one that it can open.
    pub uri: Uri,
    pub text: Rope,
    /// The client's version; `None` if it does not have the file open.
    pub version: Option<i32>,
    /// The file is built in.
    pub library: bool,
    /// Comments in the text allow findings.
    pub has_suppressions: bool,
}

impl Document {
    /// A document that no client has open.
    pub fn closed(key: &str, uri: Uri, text: &str) -> Document {
        Document {
            key: key.into(),
            uri,
            text: Rope::from_str(text),
            version: None,
            library: false,
            has_suppressions: frank_workspace::suppress::may_suppress(text),
        }
    }

    /// True if the client has the file open.
    pub fn is_open(&self) -> bool {
        self.version.is_some()
    }
}

/// All documents by the file that they are in analysis. Cheap to clone behind an `Arc`.
#[derive(Debug, Clone, Default)]
pub struct Documents {
    documents: HashMap<SourceFile, Arc<Document>>,
    pub encoding: Encoding,
}

impl Documents {
    /// No documents.
    pub fn new(encoding: Encoding) -> Documents {
        Documents {
            documents: HashMap::new(),
            encoding,
        }
    }

    /// The document of a file.
    pub fn get(&self, file: SourceFile) -> Option<&Document> {
        self.documents.get(&file).map(|document| &**document)
    }

    /// The document of a file, to be kept. A change of the file makes another one.
    pub fn shared(&self, file: SourceFile) -> Option<&Arc<Document>> {
        self.documents.get(&file)
    }

    /// The document of a file, to change it.
    pub fn get_mut(&mut self, file: SourceFile) -> Option<&mut Document> {
        self.documents.get_mut(&file).map(Arc::make_mut)
    }

    /// Adds a document or puts it in the place of an older one.
    pub fn insert(&mut self, file: SourceFile, document: Document) {
        self.share(file, Arc::new(document));
    }

    /// As [`Documents::insert`], of a document that others have, too.
    pub fn share(&mut self, file: SourceFile, document: Arc<Document>) {
        self.documents.insert(file, document);
    }

    /// Forgets a document.
    pub fn remove(&mut self, file: SourceFile) -> Option<Arc<Document>> {
        self.documents.remove(&file)
    }

    /// All documents, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (SourceFile, &Document)> {
        self.documents
            .iter()
            .map(|(file, document)| (*file, &**document))
    }
}
