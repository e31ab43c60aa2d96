//! Edits that cure a finding.

use frank_syntax::ast::NodeId;

use crate::db::ItemSource;
use crate::diagnostics::{Edit, Fix, Location, Position};

/// Writes another name in place of a misspelt one.
pub fn rename(at: Location, name: &str) -> Fix {
    replace(at, name, format!("write `{name}`"))
}

/// Puts `text` in place of what stands at `at`.
pub fn replace(at: Location, text: &str, title: String) -> Fix {
    let edit = Edit {
        location: at,
        position: Position::Replace,
        text: text.to_owned(),
    };
    Fix {
        title,
        edits: vec![edit],
        certain: false,
    }
}

/// Writes a line above an item.
pub fn insert_above(source: ItemSource, line: &str, title: String) -> Fix {
    let edit = Edit {
        location: Location::node(source, NodeId(0)),
        position: Position::Before,
        text: format!("{line}\n"),
    };
    Fix {
        title,
        edits: vec![edit],
        certain: false,
    }
}
