//! What is known of findings that were told.
//!
//! Of programs that are checked apart (`diagnostics/apart.rs`) nothing stays but a number for the findings of each file.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use frank_analysis::db::SourceFile;
use frank_workspace::includes::Unreadable;

use crate::documents::Document;
use crate::settings::Settings;

/// The findings of parts of the closed programs.
#[derive(Default)]
pub struct Told {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// What findings depend on apart from texts.
    surroundings: Option<Surroundings>,
    /// By the first of a part's files.
    parts: HashMap<SourceFile, Part>,
}

/// A part whose findings are known: its documents as they were, and the digest of the findings of each.
struct Part {
    documents: Vec<Arc<Document>>,
    digests: Vec<u64>,
}

/// What findings depend on apart from texts.
#[derive(Clone)]
pub struct Surroundings {
    pub settings: Arc<Settings>,
    pub unreadable: Arc<Unreadable>,
}

impl Surroundings {
    fn is(&self, other: &Surroundings) -> bool {
        Arc::ptr_eq(&self.settings, &other.settings)
            && Arc::ptr_eq(&self.unreadable, &other.unreadable)
    }
}

impl Told {
    /// The digests of the findings of a part's files, if the part is as it was, and so is what surrounds it.
    pub fn digests(
        &self,
        now: &Surroundings,
        first: SourceFile,
        documents: &[Arc<Document>],
    ) -> Option<Vec<u64>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known
            .surroundings
            .as_ref()
            .is_some_and(|known| known.is(now))
        {
            known.surroundings = Some(now.clone());
            known.parts.clear();
        }
        let part = known.parts.get(&first)?;
        let is_same = |(one, other): (&Arc<Document>, &Arc<Document>)| Arc::ptr_eq(one, other);
        let is_as_it_was = part.documents.len() == documents.len()
            && part.documents.iter().zip(documents).all(is_same);
        is_as_it_was.then(|| part.digests.clone())
    }

    /// Notes the digests of the findings of a part's files. The part is forgotten when anything around it changes.
    pub fn note(
        &self,
        now: &Surroundings,
        first: SourceFile,
        documents: Vec<Arc<Document>>,
        digests: Vec<u64>,
    ) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known
            .surroundings
            .as_ref()
            .is_some_and(|known| known.is(now))
        {
            known.parts.insert(first, Part { documents, digests });
        }
    }
}
