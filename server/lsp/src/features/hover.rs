//! `textDocument/hover`.

use frank_ide::{FileRange, Hover, HoverPart};
use tower_lsp::ls_types as lsp;

use super::portrait::Portrait;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};
use crate::results::{EvaluationKind, is_stale};

/// A hover, in two parts: what else there is to say of an operator stands before its documentation.
pub struct Said {
    kind: lsp::MarkupKind,
    head: String,
    documentation: String,
    range: Option<lsp::Range>,
}

pub fn hover(snapshot: &RequestSnapshot, target: &Target) -> Answer<Option<Said>> {
    let Some(mut hover) = snapshot.analysis.hover(target.position()) else {
        return Ok(None);
    };
    let results = results(snapshot, target, &hover);
    let range = hover.range;
    let is_documentation = |part: &HoverPart| matches!(part, HoverPart::Documentation(_));
    let first = hover.parts.iter().position(is_documentation);
    let mut documentation = Hover {
        range,
        parts: hover.parts.split_off(first.unwrap_or(hover.parts.len())),
    };
    let results = results.into_iter().map(HoverPart::Text);
    documentation.parts.extend(results);
    let (kind, written): (_, &dyn Fn(&Hover) -> String) = match snapshot.capabilities.markdown_hover
    {
        true => (lsp::MarkupKind::Markdown, &|hover| {
            hover.markdown(link(snapshot))
        }),
        false => (lsp::MarkupKind::PlainText, &Hover::plain),
    };
    Ok(Some(Said {
        kind,
        head: written(&hover),
        documentation: written(&documentation),
        range: snapshot.range_in(target.file, range),
    }))
}

impl Said {
    /// All of it, with what was found of a smooth operator, and what the place is called that this is about.
    pub fn with(self, portrait: Option<&Portrait>, place: Option<&str>) -> lsp::Hover {
        let markdown = self.kind == lsp::MarkupKind::Markdown;
        let formulas = portrait.and_then(|portrait| portrait.formulas(markdown, place));
        let picture = portrait.filter(|_| markdown).and_then(Portrait::picture);
        let parts = [Some(self.head), formulas, picture, Some(self.documentation)];
        let parts: Vec<String> = parts
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .collect();
        let value = parts.join(if markdown { "\n\n" } else { "\n" });
        let kind = self.kind;
        lsp::Hover {
            contents: lsp::HoverContents::Markup(lsp::MarkupContent { kind, value }),
            range: self.range,
        }
    }
}

/// What the operator at whose beginning a name stands gave last, with all digits.
fn results(snapshot: &RequestSnapshot, target: &Target, hover: &Hover) -> Vec<String> {
    let key = snapshot
        .document(target.file)
        .map(|document| &*document.key);
    let all = key
        .map(|key| snapshot.results.of_file(key))
        .unwrap_or_default();
    let own = all.into_iter().filter(|(subject, _)| {
        let place = snapshot.analysis.operator_place(target.file, &subject.name);
        subject.kind != EvaluationKind::Example
            && place.is_some_and(|place| place.start() == hover.range.start())
    });
    own.map(|(subject, outcome)| {
        let stale = is_stale(&snapshot.analysis, target.file, subject, outcome);
        format!("Last result: `{}`", outcome.label(stale))
    })
    .collect()
}

/// The addresses of places, as clients understand them in Markdown.
pub fn link(snapshot: &RequestSnapshot) -> impl Fn(FileRange) -> Option<String> + '_ {
    |place| {
        let location = snapshot.location(place)?;
        let start = location.range.start;
        Some(format!(
            "{}#L{},{}",
            location.uri.as_str(),
            start.line + 1,
            start.character + 1
        ))
    }
}
