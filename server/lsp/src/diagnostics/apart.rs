//! Findings of programs that nobody has open.
//!
//! What is found out about a program is many times larger than its text. In a large workspace most programs
//! are closed; so those that include nothing that is open, and are included by nothing, are checked in a
//! database of their own, which is dropped when the findings have been told. What stays is a number for the
//! findings of each file, by which the next round knows that there is nothing new.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use frank_analysis::db::{Database, SourceFile};
use frank_analysis::parts::{alone, connected, parts};
use frank_analysis::snapshot::Snapshot;
use frank_ide::Analysis;
use salsa::Database as _;
use tower_lsp::ls_types as lsp;

use super::{digest, of_file};
use crate::documents::{Document, Documents};
use crate::request_snapshot::RequestSnapshot;
use crate::told::Surroundings;

/// With so many bytes of closed programs at most, all are kept in the one database: that answers at once
/// when one of them is opened.
const FEW: usize = 2 << 20;

/// A part has so many bytes of text at most, unless one program has more. What has been found out about a
/// part is lost when an edit interrupts it.
const PART: usize = 256 << 10;

/// What there is to tell of a file.
pub(super) enum Findings {
    /// They have the digest that they are known to have.
    Same(u64),
    Found(Vec<lsp::Diagnostic>),
}

impl Findings {
    /// A number that differs where findings differ.
    pub(super) fn digest(&self) -> u64 {
        match self {
            Findings::Same(digest) => *digest,
            Findings::Found(found) => digest(found),
        }
    }
}

/// The closed programs in parts, if they are more than a few. No file of a part has anything to do with a file
/// that is open, or with a result of an evaluation.
pub(super) fn closed_parts(snapshot: &RequestSnapshot) -> Vec<Vec<SourceFile>> {
    let evaluated: HashSet<&str> = snapshot.results.files().collect();
    let is_busy = |document: &Document| document.is_open() || evaluated.contains(&*document.key);
    let own = snapshot.documents.iter();
    let mut own: Vec<(SourceFile, &Document)> = own.filter(|(_, own)| !own.library).collect();
    own.sort_by(|(_, one), (_, other)| one.key.cmp(&other.key));
    let busy: HashSet<SourceFile> = own
        .iter()
        .filter(|(_, document)| is_busy(document))
        .map(|(file, _)| *file)
        .collect();
    let own: Vec<SourceFile> = own.into_iter().map(|(file, _)| file).collect();
    let files = snapshot.analysis.snapshot();
    let mut closed = connected(files, &own);
    closed.retain(|program| !program.iter().any(|file| busy.contains(file)));
    let size: usize = closed
        .iter()
        .flatten()
        .map(|file| files.length(*file))
        .sum();
    match size <= FEW {
        true => Vec::new(),
        false => parts(files, closed, PART),
    }
}

/// What there is to tell of each file of a part, one of [`closed_parts`]: only that nothing has changed where each
/// file's digest `is_told`, else all findings.
pub(super) fn findings_of_part(
    snapshot: &RequestSnapshot,
    part: &[SourceFile],
    is_told: impl Fn(&Document, u64) -> bool,
) -> Vec<(SourceFile, Findings)> {
    let documents = part
        .iter()
        .filter_map(|file| snapshot.documents.shared(*file));
    let documents: Vec<Arc<Document>> = documents.cloned().collect();
    let (Some(first), true) = (part.first(), documents.len() == part.len()) else {
        return Vec::new();
    };
    let surroundings = Surroundings {
        settings: snapshot.settings.clone(),
        unreadable: snapshot.unreadable.clone(),
    };
    let known = snapshot.told.digests(&surroundings, *first, &documents);
    if let Some(digests) = known {
        let told = |(document, digest): (&Arc<Document>, &u64)| is_told(document, *digest);
        if documents.iter().zip(&digests).all(told) {
            let same = digests.into_iter().map(Findings::Same);
            return part.iter().copied().zip(same).collect();
        }
    }
    let found = check(snapshot, part, &documents);
    let digests = found.iter().map(|found| digest(found)).collect();
    snapshot
        .told
        .note(&surroundings, *first, documents, digests);
    let found = found.into_iter().map(Findings::Found);
    part.iter().copied().zip(found).collect()
}

/// The findings of each file of a part, in a database of its own.
fn check(
    snapshot: &RequestSnapshot,
    part: &[SourceFile],
    documents: &[Arc<Document>],
) -> Vec<Vec<lsp::Diagnostic>> {
    let files = snapshot.analysis.snapshot();
    // An edit waits for everybody who reads the database with all files, and does not know of this one.
    let all = Arc::new(Mutex::new(Some(snapshot.db().clone())));
    let interrupted = {
        let all = all.clone();
        move |_| {
            if let Some(all) = &*all.lock().unwrap_or_else(PoisonError::into_inner) {
                all.unwind_if_revision_cancelled();
            }
        }
    };
    let (copied, own) = alone(files, part, Some(Box::new(interrupted)));
    let copy = copied.snapshot();
    let _copied = DroppedElsewhere::new(copied);
    let _released = Released(all);
    let copy = RequestSnapshot {
        documents: Arc::new(documents_of(snapshot, &copy, &own, documents)),
        analysis: Analysis::new(copy),
        settings: snapshot.settings.clone(),
        unreadable: snapshot.unreadable.clone(),
        results: snapshot.results.clone(),
        capabilities: snapshot.capabilities.clone(),
        told: snapshot.told.clone(),
        typed: None,
        revision: snapshot.revision,
    };
    let found = own.iter().zip(documents).map(|(file, document)| {
        snapshot.check();
        of_file(&copy, *file, document)
    });
    found.collect()
}

/// Something that takes milliseconds to be dropped, for which an edit would have to wait.
struct DroppedElsewhere<T: Send + 'static>(Option<T>);

impl<T: Send + 'static> DroppedElsewhere<T> {
    fn new(it: T) -> DroppedElsewhere<T> {
        DroppedElsewhere(Some(it))
    }
}

impl<T: Send + 'static> Drop for DroppedElsewhere<T> {
    fn drop(&mut self) {
        let it = self.0.take();
        let thread = std::thread::Builder::new().name("frank-drop".to_owned());
        // Without a thread it is dropped here.
        let _ = thread.spawn(move || drop(it));
    }
}

/// A handle to the database with all files, which edits wait for. It is given up before anything else.
struct Released(Arc<Mutex<Option<Database>>>);

impl Drop for Released {
    fn drop(&mut self) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *all = None;
    }
}

/// The documents of a copy of some files, and those of the library.
fn documents_of(
    snapshot: &RequestSnapshot,
    copy: &Snapshot,
    own: &[SourceFile],
    documents: &[Arc<Document>],
) -> Documents {
    let library = snapshot.analysis.snapshot().library_files();
    let library = copy
        .library_files()
        .zip(library)
        .filter_map(|(copy, file)| {
            let document = snapshot.documents.shared(file)?;
            Some((copy, document.clone()))
        });
    let own = own.iter().copied().zip(documents.iter().cloned());
    let mut all = Documents::new(snapshot.documents.encoding);
    for (file, document) in own.chain(library) {
        all.share(file, document);
    }
    all
}
