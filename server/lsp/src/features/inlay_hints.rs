//! `textDocument/inlayHint`.

use frank_ide::evaluate::few_digits;
use frank_ide::{HintKind, HintSettings, Shown};
use text_size::{TextRange, TextSize};
use tower_lsp::ls_types as lsp;

use super::examples;
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
    results(snapshot, target, document, &mut shown);
    shown.sort_by_key(|hint| hint.position);
    Ok(Some(shown))
}

/// Whether results of a kind are to stand behind what they are about: if nobody says otherwise, where they
/// do not stand on a lens.
fn shows(snapshot: &RequestSnapshot, document: &Document, kind: EvaluationKind) -> bool {
    let lenses = snapshot.settings.editor.lenses;
    let on_lens = snapshot.capabilities.code_lenses
        && match kind {
            EvaluationKind::Run => lenses.run,
            EvaluationKind::Derivative | EvaluationKind::Closed(_) => lenses.derivative,
            EvaluationKind::Example | EvaluationKind::Law => lenses.examples,
        };
    let asked = snapshot.settings.hints(&document.key).results;
    asked.unwrap_or(!on_lens)
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
        if !shows(snapshot, document, subject.kind) {
            continue;
        }
        let place = match subject.kind {
            EvaluationKind::Run | EvaluationKind::Derivative => {
                snapshot.analysis.operator_place(file, &subject.name)
            }
            EvaluationKind::Closed(index) => {
                let mut all = snapshot.analysis.closed_derivatives(file).into_iter();
                all.find(|closed| closed.inside == subject.name && closed.index == index)
                    .map(|closed| closed.range)
            }
            EvaluationKind::Example | EvaluationKind::Law => {
                let mut all = snapshot.analysis.examples(file).into_iter();
                all.find(|example| {
                    examples::subject(&document.key, example).as_ref() == Some(subject)
                })
                .map(|example| examples::text_range(&example.at))
            }
        };
        let Some(end) = place.map(|place| usize::from(place.end())) else {
            continue;
        };
        if end < asked.start || asked.end < end {
            continue;
        }
        let stale = is_stale(&snapshot.analysis, file, subject, outcome);
        let whole = outcome.label(stale);
        let short = few_digits(&whole);
        let tooltip = match outcome {
            Outcome::Run(result) if !result.output.is_empty() => Some(result.output.clone()),
            _ => (short != whole).then_some(whole),
        };
        shown.push(lsp::InlayHint {
            position: snapshot.documents.encoding.position(&document.text, end),
            label: short.into(),
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
    let or = |asked: Option<bool>, usual| match asked {
        Some(true) => Shown::Everywhere,
        Some(false) => Shown::Nowhere,
        None => usual,
    };
    HintSettings {
        let_types: or(configured.types, usual.let_types),
        parameter_types: or(configured.types, usual.parameter_types),
        implicit_abilities: configured.abilities.unwrap_or(usual.implicit_abilities),
        added_instances: or(configured.abilities, usual.added_instances),
        reached_instances: configured.instances.unwrap_or(usual.reached_instances),
        effect_arguments: configured.effects.unwrap_or(usual.effect_arguments),
    }
}
