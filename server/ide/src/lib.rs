//! What an editor asks about Frank programs: a position comes in, an answer comes out.
//!
//! An [`Analysis`] answers for one moment. Questions are files and offsets, answers are plain data:
//! files, ranges, texts. All offsets are bytes, and the first byte is 0. The crate knows no protocol,
//! so neither lines nor UTF-16, and it writes no files: an answer that changes a program is a list of
//! [`TextEdit`]s.
//!
//! # The way through
//!
//! Each feature is one file, named after it, that adds its questions to [`Analysis`]:
//!
//! | LSP | Question |
//! |---|---|
//! | `textDocument/hover` | [`Analysis::hover`] |
//! | `frank/info`, `frank/examples` | [`Analysis::info`], [`Analysis::examples`] |
//! | `frank/findByType` | [`Analysis::find_by_type`] |
//! | `textDocument/completion` | [`Analysis::completions`], [`Analysis::completion_docs`] |
//! | `textDocument/signatureHelp` | [`Analysis::signature_help`] |
//! | `textDocument/definition` and its like | [`Analysis::definition`], [`Analysis::declaration`], [`Analysis::type_definition`], [`Analysis::implementation`] |
//! | `textDocument/references`, `documentHighlight` | [`Analysis::references`], [`Analysis::highlights`] |
//! | `callHierarchy/*` | [`Analysis::call_item`], [`Analysis::incoming_calls`], [`Analysis::outgoing_calls`] |
//! | `textDocument/documentSymbol`, `workspace/symbol` | [`Analysis::document_symbols`], [`Analysis::workspace_symbols`] |
//! | `textDocument/rename`, `linkedEditingRange` | [`Analysis::rename`], [`Analysis::linked_names`] |
//! | `textDocument/codeAction` | [`Analysis::with_quick_fixes`], [`apply_safe_fixes`], [`Analysis::refactorings`], [`Analysis::refactor`] |
//! | `textDocument/codeLens`, `inlayHint` | [`Analysis::lenses`], [`Analysis::inlay_hints`] |
//! | `textDocument/semanticTokens` | [`Analysis::semantic_tokens`] |
//! | `textDocument/foldingRange`, `selectionRange`, `documentLink` | [`Analysis::folds`], [`Analysis::selections`], [`Analysis::links`] |
//! | `workspace/executeCommand`: run, differentiate, check | [`evaluate`] |
//!
//! To add a feature, read `names.rs` (what each name of an item means), `view.rs` (what is known at
//! one place) and a small feature such as `goto.rs`.
//!
//! # Example
//!
//! ```
//! use frank_analysis::files::Files;
//! use frank_ide::{Analysis, FilePosition, HoverPart};
//!
//! let text = "double : Int -> Int\ndouble n = n + n\n\nmain : {Int}\nmain! = double 21\n";
//! let mut files = Files::new(None);
//! let file = files.set_text("main.fk", text);
//! let analysis = Analysis::new(files.snapshot());
//!
//! // The `double` in the last line.
//! let at = FilePosition::new(file, text.rfind("double").expect("a call"));
//! let hover = analysis.hover(at).expect("a name is there");
//! assert_eq!(hover.parts[0], HoverPart::Code("double : Int -> Int".to_owned()));
//!
//! let definition = analysis.definition(at).expect("it is defined");
//! assert_eq!(definition.targets.len(), 1);
//!
//! // What could stand in place of the `dou` of it?
//! let at = FilePosition::new(file, usize::from(at.offset) + 3);
//! let completions = analysis.completions(at).expect("a name can stand there");
//! assert_eq!(completions.items[0].label, "double");
//!
//! // A change waits until nobody looks at the files as they were.
//! drop(analysis);
//! files.set_text("main.fk", "");
//! ```

mod by_type;
mod call_hierarchy;
mod completion;
mod draft;
pub mod evaluate;
mod examples;
mod folding;
mod goto;
mod highlight;
mod holes;
mod hover;
mod hover_text;
mod info;
mod inlay_hints;
pub mod laws;
mod lenses;
mod linked_editing;
mod links;
pub mod markdown;
mod names;
pub mod plot;
mod quick_fixes;
mod refactor;
mod references;
mod rename;
mod selection;
mod semantic_tokens;
mod signature_help;
mod stack;
mod symbols;
mod target;
mod text;
mod tokens;
mod trace;
mod view;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frank_analysis::db::{Database, ItemSource, SourceFile};
use frank_analysis::files::Files;
use frank_analysis::snapshot::Snapshot;
use text_size::{TextRange, TextSize};

pub use by_type::{ByType, Mistake, Searched, TypeMatch};
pub use call_hierarchy::{Call, CallItem};
pub use completion::{CompletionItem, CompletionKind, Completions, Search, without_stops};
pub use examples::{Example, Expected, What, examples_in};
pub use folding::{Fold, FoldKind};
pub use goto::Goto;
pub use highlight::{Highlight, HighlightKind};
pub use holes::{Filled, FilledTerm, Filling, Goal, GoalLocal, Hole, HoleFit, holes_in};
pub use hover_text::{Hover, HoverPart};
pub use info::{Adaptation, Info};
pub use inlay_hints::{HintKind, HintSettings, InlayHint, Shown};
pub use lenses::{Lens, LensKind, LensPlaces, LensSettings};
pub use links::Link;
pub use names::{Def, Role, scope_of};
pub use quick_fixes::{Applied, apply_safe_fixes};
pub use refactor::{Refactor, RefactorKind, Refactoring};
pub use references::Reference;
pub use rename::{Refusal, Renamable, TextEdit};
pub use semantic_tokens::{Token, TokenKind, TokenModifiers, item_tokens};
pub use signature_help::{SignatureHelp, SignatureInfo};
pub use stack::{Origin, Stack, StackInstance};
pub use symbols::{DocumentSymbol, WorkspaceSymbol};
pub use target::{SymbolKind, Target};
pub use text::excerpt;

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

/// A copy of some programs, by their roots, in which changes are tried one after another.
type ProgramCopy = (Vec<SourceFile>, Files);

/// Answers questions about the files as they were at one moment. Can be sent to another thread;
/// a change of a file cancels the question at work, which unwinds with `salsa::Cancelled`.
#[derive(Clone)]
pub struct Analysis {
    snapshot: Snapshot,
    /// Programs whose derivatives mark their numbers, by their scopes. Each is made once, when a
    /// derivative is first asked for that needs it.
    marked: Arc<Mutex<HashMap<SourceFile, Analysis>>>,
    tried: Arc<Mutex<Option<ProgramCopy>>>,
}

/// What a mutex guards. Whoever panicked while holding it has left nothing half done in it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Analysis {
    /// Answers about what the snapshot holds. It keeps the snapshot, for which changes of files wait.
    pub fn new(snapshot: Snapshot) -> Analysis {
        Analysis {
            snapshot,
            marked: Arc::default(),
            tried: Arc::default(),
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
