//! `textDocument/inlayHint`.

use frank_ide::{HintKind, HintSettings};
use text_size::{TextRange, TextSize};
use tower_lsp::ls_types as lsp;

use crate::documents::Document;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};
use crate::results::{EvaluationKind, Outcome, is_stale};

pub fn hints(snapshot: &RequestSnapshot, target: &Target) -> Answer<Option<Vec<lsp::InlayHint>>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let asked = target.range();
    let size = |offset: usize| TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX));
    let range = TextRange::new(size(asked.start), size(asked.end));
    let hints = snapshot
        .analysis
        .inlay_hints(target.file, range, wanted(snapshot, &document.key));
    let position = |at: TextSize| {
        snapshot
            .documents
            .encoding
            .position(&document.text, at.into())
    };
    let shown = hints.into_iter().map(|hint| {
        let at = position(hint.at);
        lsp::InlayHint {
            position: at,
            label: hint.text.into(),
            kind: matches!(hint.kind, HintKind::LetType | HintKind::ParameterType)
                .then_some(lsp::InlayHintKind::TYPE),
            text_edits: hint.insert.map(|insert| {
                vec![lsp::TextEdit {
                    range: lsp::Range::new(at, at),
                    new_text: insert,
                }]
            }),
            tooltip: None,
            padding_left: None,
            padding_right: (!hint.after).then_some(true),
            data: None,
        }
    });
    let mut shown: Vec<lsp::InlayHint> = shown.collect();
    if snapshot
        .settings
        .hints(&document.key)
        .results
        .unwrap_or(true)
    {
        results(snapshot, target, document, &mut shown);
        shown.sort_by_key(|hint| hint.position);
    }
    Ok(Some(shown))
}

/// What was evaluated, behind what it is about.
fn results(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    shown: &mut Vec<lsp::InlayHint>,
) {
    let file = target.file;
    let asked = target.range();
    for (subject, outcome) in snapshot.results.of_file(&document.key) {
        let place = match subject.kind {
            EvaluationKind::Run | EvaluationKind::Derivative => {
                snapshot.analysis.operator_place(file, &subject.name)
            }
            EvaluationKind::Closed(index) => {
                let mut all = snapshot.analysis.closed_derivatives(file).into_iter();
                all.find(|closed| closed.inside == subject.name && closed.index == index)
                    .map(|closed| closed.range)
            }
        };
        let Some(end) = place.map(|place| usize::from(place.end())) else {
            continue;
        };
        if end < asked.start || asked.end < end {
            continue;
        }
        let stale = is_stale(&snapshot.analysis, file, &subject.name, outcome);
        let tooltip = match outcome {
            Outcome::Run(result) if !result.output.is_empty() => Some(result.output.clone()),
            _ => None,
        };
        shown.push(lsp::InlayHint {
            position: snapshot.documents.encoding.position(&document.text, end),
            label: outcome.label(stale).into(),
            kind: None,
            text_edits: None,
            tooltip: tooltip.map(lsp::InlayHintTooltip::String),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
    }
}

/// The kinds of hints that are configured for a file.
fn wanted(snapshot: &RequestSnapshot, key: &str) -> HintSettings {
    let configured = snapshot.settings.hints(key);
    let usual = HintSettings::default();
    HintSettings {
        let_types: configured.types.unwrap_or(usual.let_types),
        parameter_types: configured.types.unwrap_or(usual.parameter_types),
        implicit_abilities: configured.abilities.unwrap_or(usual.implicit_abilities),
        added_instances: configured.abilities.unwrap_or(usual.added_instances),
        reached_instances: configured.instances.unwrap_or(usual.reached_instances),
        effect_arguments: configured.effects.unwrap_or(usual.effect_arguments),
    }
}
