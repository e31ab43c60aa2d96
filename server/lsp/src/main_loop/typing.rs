//! When the findings on the line that is typed are shown.
//!
//! While one types, most of what is found on that line only says that it is unfinished. It is held back
//! until the typing pauses, until another line is edited, or until the file is saved or closed.

use frank_analysis::db::SourceFile;
use web_time::Instant;

use super::GlobalState;
use crate::client::Message;
use crate::client_capabilities::Refresh;
use crate::documents::Document;
use crate::text::Edit;
use crate::typing::TypedLine;

/// Somebody is typing.
pub(super) struct Typing {
    pub(super) line: TypedLine,
    /// When it is a pause if no key is pressed until then.
    pub(super) until: Instant,
}

impl GlobalState {
    /// Notes that a file was edited. Only an edit within a line, or one that begins a line, is typing.
    pub(super) fn typed(&mut self, file: SourceFile, edit: Option<&Edit>) {
        self.typing = None;
        let Some((document, edit)) = self.documents.get(file).zip(edit) else {
            return;
        };
        let pause = self.settings.typing_pause(&document.key);
        if pause.is_zero() {
            return;
        }
        let Some(line) = typed_line(file, document, edit) else {
            return;
        };
        self.typing = Some(Typing {
            line,
            until: Instant::now() + pause,
        });
    }

    /// Shows what was held back.
    pub(super) fn stop_typing(&mut self) {
        let Some(typing) = self.typing.take() else {
            return;
        };
        self.publishing.needed();
        // What a worker computes at the moment may hold something back, too.
        let may_have_held = typing.line.has_held() || self.requests.running() > 0;
        if may_have_held && self.capabilities.refreshes(Refresh::Diagnostics) {
            self.client.send(Message::Refresh(Refresh::Diagnostics));
        }
    }
}

/// The line on which an edit ends, if it is a line that is typed.
fn typed_line(file: SourceFile, document: &Document, edit: &Edit) -> Option<TypedLine> {
    let end = edit.old.start + edit.new_length;
    let (first, last) = (
        document.text.try_byte_to_line(edit.old.start).ok()?,
        document.text.try_byte_to_line(end).ok()?,
    );
    if last - first > 1 || edit.old.len() > MOST_TYPED || edit.new_length > MOST_TYPED {
        return None;
    }
    let start = document
        .text
        .try_line_to_byte(line_begun(document, last, end))
        .ok()?;
    let next = document.text.try_line_to_byte(last + 1);
    let length = document.text.len_bytes();
    let end = next.map_or(length, |next| next.saturating_sub(1).max(start));
    Some(TypedLine::new(file, start..end.min(length)))
}

/// The line that ends where the one that is typed begins, if that one is still empty: `main! =` and Enter leave
/// that line unfinished.
fn line_begun(document: &Document, typed: usize, end: usize) -> usize {
    let is_blank = |line: usize, until: Option<usize>| {
        let text = document.text.get_line(line);
        let start = document.text.try_line_to_byte(line).ok();
        text.zip(start).is_some_and(|(text, start)| {
            let typed = until.map_or(usize::MAX, |until| until.saturating_sub(start));
            text.bytes()
                .take(typed)
                .all(|byte| byte.is_ascii_whitespace())
        })
    };
    if !is_blank(typed, Some(end)) {
        return typed;
    }
    let mut before = (0..typed).rev();
    before.find(|line| !is_blank(*line, None)).unwrap_or(typed)
}

/// What is longer was not typed but pasted.
const MOST_TYPED: usize = 200;
