//! The line that is being typed: what is told of it may only be that it is unfinished.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::{Code, Diagnostic};

/// In bytes. What is open for longer than that is not being typed.
const LONGEST_TERM: usize = 4_000;

/// A line of a file, and whether something that is found on it is not shown.
#[derive(Debug, Clone)]
pub struct TypedLine {
    pub file: SourceFile,
    /// In bytes, with the line's end.
    pub range: Range<usize>,
    held: Arc<AtomicBool>,
}

impl TypedLine {
    /// A line of which nothing is held back yet.
    pub fn new(file: SourceFile, range: Range<usize>) -> TypedLine {
        TypedLine {
            file,
            range,
            held: Arc::default(),
        }
    }

    /// Whether a finding in a file, at some bytes, waits until the typing pauses.
    pub fn holds(&self, file: SourceFile, problem: &Diagnostic, range: Range<usize>) -> bool {
        let on_line = range.start <= self.range.end && self.range.start <= range.end;
        // A bracket that was opened further up may be closed further down.
        let is_open = problem.code == Code::UnclosedBracket
            && range.end <= self.range.end
            && self.range.start - range.end.min(self.range.start) <= LONGEST_TERM;
        let holds = self.file == file && (on_line || is_open) && problem.code.marks().typing;
        if holds {
            self.held.store(true, Ordering::Relaxed);
        }
        holds
    }

    /// Whether a finding has been held back since the line was last edited.
    pub fn has_held(&self) -> bool {
        self.held.load(Ordering::Relaxed)
    }
}
