//! What a hover is made of, and how that is written: as Markdown, and as plain text.

use std::fmt::Write;

use frank_syntax::visible::visible_lines;
use text_size::TextRange;

use crate::FileRange;
use crate::markdown::documentation;

/// A part of a hover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HoverPart {
    /// Frank text.
    Code(String),
    /// The type that a definition has where it is used.
    Here(String),
    /// A sentence or two, in Markdown.
    Text(String),
    /// A line about a place: `text`, to be shown as a link to `at`, and behind it a `note` in Markdown.
    Link {
        text: String,
        at: FileRange,
        note: String,
    },
    /// The comment that documents a definition, as it is written.
    Documentation(String),
}

/// What to show at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// What it is about, in the file.
    pub range: TextRange,
    pub parts: Vec<HoverPart>,
}

impl Hover {
    /// All parts as Markdown. `link` gives the address of a place, where places have one.
    pub fn markdown(&self, link: impl Fn(FileRange) -> Option<String>) -> String {
        let mut out = String::new();
        let mut list = false;
        for part in &self.parts {
            let item = matches!(part, HoverPart::Link { .. });
            if !out.is_empty() {
                out.push_str(if item && list { "\n" } else { "\n\n" });
            }
            list = item;
            let _infallible = match part {
                HoverPart::Code(code) => write!(out, "```frank\n{code}\n```"),
                HoverPart::Here(ty) => write!(out, "Here: `{ty}`"),
                HoverPart::Text(text) => write!(out, "{text}"),
                HoverPart::Documentation(text) => write!(out, "---\n\n{}", documentation(text)),
                HoverPart::Link { text, at, note } => match link(*at) {
                    Some(address) => write!(out, "- [`{text}`]({address}){note}"),
                    None => write!(out, "- `{text}`{note}"),
                },
            };
        }
        out
    }

    /// All parts as plain text.
    pub fn plain(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            HoverPart::Code(text) => text.clone(),
            HoverPart::Documentation(text) => visible_lines(text).into_owned(),
            HoverPart::Here(ty) => format!("Here: {ty}"),
            HoverPart::Text(text) => text.replace(['`', '*'], ""),
            HoverPart::Link { text, note, .. } => {
                format!("  {text}{}", note.replace(['`', '*'], ""))
            }
        });
        parts.collect::<Vec<_>>().join("\n")
    }
}
