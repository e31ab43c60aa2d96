//! Comments of other languages.

use super::spelled;
use crate::habits::Change;
use crate::habits::shape::{Match, View};

/// `-- …` for a comment that another sign begins.
pub(in crate::habits) fn line_comment(view: &View<'_>, found: &Match) -> Option<Change> {
    spelled("--", view, found)
}

/// `{- … -}`: `{-- … --}`.
pub(in crate::habits) fn block_comment(view: &View<'_>, found: &Match) -> Option<Change> {
    let start = view.range(found.sign.clone()).start;
    let rest = view.text.get(start + 2..)?;
    let (close, width) = match view.text.get(start..start + 2)? {
        "/*" => (rest.find("*/")?, 2),
        _ => (rest.find("-}")?, 2),
    };
    let inner = rest.get(..close)?;
    let end = start + 2 + close + width;
    Some(Change::of(start..end, format!("{{--{inner}--}}")))
}
