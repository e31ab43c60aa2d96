//! The comment that documents an item.

use super::scan::is_blank;
use crate::lexer::{Kind, lex};

/// The text of the comments directly above the first token of an item, given the item's text; no
/// blank line may come between them and that token. Without the markers `--`, `-- |`, `{-- --}`, its
/// lines joined by line feeds. `None` where there is no such comment, or nothing is written in it.
///
/// ```
/// use frank_syntax::outline::doc_comment;
///
/// let item = "\n-- not this\n\n-- | The answer\n--   to everything.\nanswer : Int\n";
/// assert_eq!(doc_comment(item).as_deref(), Some("The answer\n  to everything."));
/// ```
pub fn doc_comment(item_text: &str) -> Option<String> {
    let mut lines: Vec<&str> = Vec::new();
    for (kind, range) in lex(item_text) {
        let token = item_text.get(range)?;
        match kind {
            Kind::Blank if token.bytes().filter(|&byte| byte == b'\n').count() > 1 => lines.clear(),
            Kind::Blank => {}
            Kind::LineComment => lines.push(line_text(token)),
            Kind::BlockComment { .. } => {
                block_lines(token.strip_prefix("{--").unwrap_or(token), &mut lines);
            }
            _ => break,
        }
    }
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let text = lines
        .iter()
        .skip_while(|line| line.is_empty())
        .copied()
        .collect::<Vec<_>>();
    (!text.is_empty()).then(|| text.join("\n"))
}

/// What a line comment says: more dashes are part of the marker, one blank behind it, too.
fn line_text(comment: &str) -> &str {
    without_bar(comment.trim_start_matches('-')).trim_end()
}

fn without_bar(text: &str) -> &str {
    let text = text.strip_prefix(' ').unwrap_or(text);
    match text.strip_prefix('|') {
        Some("") => "",
        Some(said) => said.strip_prefix(' ').unwrap_or(text),
        None => text,
    }
}

/// What a block comment says, given all of it but the `{--`; the indentation that all of its lines
/// but the first have in common goes.
fn block_lines<'t>(block: &'t str, lines: &mut Vec<&'t str>) {
    let block = block.strip_suffix("--}").unwrap_or(block);
    let mut parts = block.lines();
    let first = parts
        .next()
        .map(|first| without_bar(first).trim())
        .unwrap_or_default();
    let others: Vec<&str> = parts.map(str::trim_end).collect();
    let blanks = |line: &str| line.bytes().take_while(|&byte| is_blank(byte)).count();
    let common = others
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| blanks(line))
        .min()
        .unwrap_or(0);
    let mut said = vec![first];
    said.extend(
        others
            .iter()
            .map(|line| line.get(common..).unwrap_or_default()),
    );
    while said.last().is_some_and(|line| line.is_empty()) {
        said.pop();
    }
    lines.extend(said.iter().skip_while(|line| line.is_empty()));
}
