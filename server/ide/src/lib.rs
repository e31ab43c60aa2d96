//! Position to answer: what an editor asks about Frank programs.
//!
//! An [`Analysis`] answers for one moment. Questions are files and byte offsets, answers are plain
//! data: files, ranges, strings. This crate knows no protocol; each feature is one file.

mod call_hierarchy;
mod completion;
mod cures;
mod draft;
pub mod evaluate;
mod folding;
mod goto;
mod highlight;
mod hover;
mod inlay_hints;
mod lenses;
mod linked_editing;
mod links;
mod names;
mod refactor;
mod references;
mod rename;
mod selection;
mod semantic_tokens;
mod signature_help;
mod symbols;
mod target;
mod text;
mod tokens;
mod trace;
mod view;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use frank_analysis::db::{Database, ItemSource, SourceFile};
use frank_analysis::snapshot::Snapshot;
use text_size::{TextRange, TextSize};

pub use call_hierarchy::{Call, CallItem};
pub use completion::{CompletionItem, CompletionKind, Completions};
pub use cures::fix_certain;
pub use folding::{Fold, FoldKind};
pub use goto::Goto;
pub use highlight::{Highlight, HighlightKind};
pub use hover::{Hover, HoverPart};
pub use inlay_hints::{HintKind, HintSettings, InlayHint};
pub use lenses::{Lens, LensKind, LensPlaces, LensSettings};
pub use links::Link;
pub use names::{Def, Role, scope_of};
pub use refactor::{Refactor, RefactorKind, Refactoring};
pub use references::Reference;
pub use rename::{Refusal, Renamable, TextEdit};
pub use semantic_tokens::{Token, TokenKind, TokenModifiers, item_tokens};
pub use signature_help::{SignatureHelp, SignatureInfo};
pub use symbols::{DocumentSymbol, WorkspaceSymbol};
pub use target::{SymbolKind, Target};

/// A range of bytes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileRange {
    pub file: SourceFile,
    pub range: TextRange,
}

/// A place in a file, in bytes from its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FilePosition {
    pub file: SourceFile,
    pub offset: TextSize,
}

impl FilePosition {
    /// The place `offset` bytes from the start of `file`.
    pub fn new(file: SourceFile, offset: usize) -> FilePosition {
        FilePosition {
            file,
            offset: TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX)),
        }
    }
}

/// Answers questions about the files as they were at one moment. Can be sent to another thread;
/// a change of a file cancels the question at work, which unwinds with [`salsa::Cancelled`].
#[derive(Clone)]
pub struct Analysis {
    snapshot: Snapshot,
    /// Programs whose derivatives mark their numbers, by their scopes. Each is made once, when a
    /// derivative is first asked for that needs it.
    marked: Arc<Mutex<HashMap<SourceFile, Analysis>>>,
}

impl Analysis {
    /// Answers about what the snapshot holds.
    pub fn new(snapshot: Snapshot) -> Analysis {
        Analysis {
            snapshot,
            marked: Arc::default(),
        }
    }

    /// The database behind the answers.
    pub fn db(&self) -> &Database {
        self.snapshot.db()
    }

    /// The files behind the answers.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// A range of an item as a range of its file.
    fn in_file(&self, source: ItemSource, range: TextRange) -> FileRange {
        FileRange {
            file: source.file(self.db()),
            range: range + self.snapshot.start(source),
        }
    }
}
