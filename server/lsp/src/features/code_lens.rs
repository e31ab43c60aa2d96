//! `textDocument/codeLens` and `codeLens/resolve`.

use frank_ide::{Lens, LensKind, LensSettings};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_lsp::ls_types as lsp;

use super::resolve::ResolveData;
use crate::commands::{self, DERIVATIVE, RUN, SHOW_REFERENCES};
use crate::documents::Document;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};
use crate::results::{EvaluationKind, is_stale};

/// What a lens leads to whose places are found later.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Later {
    /// Handlers are wanted, else references.
    handlers: bool,
}

pub fn lenses(snapshot: &RequestSnapshot, target: &Target) -> Answer<Option<Vec<lsp::CodeLens>>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let configured = snapshot.settings.editor.lenses;
    let wanted = LensSettings {
        run: configured.run,
        derivative: configured.derivative,
        handlers: configured.handlers,
        references: configured.references,
    };
    let lenses = snapshot.analysis.lenses(target.file, wanted).into_iter();
    let shown = lenses.map(|lens| {
        let later = |handlers: bool| lsp::CodeLens {
            range: snapshot.range(document, lens.range),
            command: None,
            data: ResolveData::write(&document.uri, Later { handlers }),
        };
        match lens.kind {
            LensKind::Run => evaluation(snapshot, target, document, &lens, EvaluationKind::Run),
            LensKind::Derivative => evaluation(
                snapshot,
                target,
                document,
                &lens,
                EvaluationKind::Derivative,
            ),
            LensKind::ClosedDerivative(index) => evaluation(
                snapshot,
                target,
                document,
                &lens,
                EvaluationKind::Closed(index),
            ),
            LensKind::Handlers => later(true),
            LensKind::References => later(false),
        }
    });
    Ok(Some(shown.collect()))
}

/// A lens that evaluates, or says what that gave the last time.
fn evaluation(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    lens: &Lens,
    kind: EvaluationKind,
) -> lsp::CodeLens {
    let (sign, usual, command) = match kind {
        EvaluationKind::Run => ("▶", "▶ run", RUN),
        EvaluationKind::Derivative => ("∂", "∂ derivative", DERIVATIVE),
        EvaluationKind::Closed(_) => ("∂", "∂ evaluate", DERIVATIVE),
    };
    let subject = commands::subject(&document.key, &lens.name, kind);
    let title = match snapshot.results.get(&subject) {
        Some(outcome) => {
            let stale = is_stale(&snapshot.analysis, target.file, &lens.name, outcome);
            format!("{sign} {}", outcome.label(stale))
        }
        None => usual.to_owned(),
    };
    lsp::CodeLens {
        range: snapshot.range(document, lens.range),
        command: Some(lsp::Command {
            title,
            command: command.to_owned(),
            arguments: Some(commands::arguments(&document.uri, &lens.name, kind)),
        }),
        data: None,
    }
}

/// The command of a lens whose places were not looked for before.
pub fn resolve(
    snapshot: &RequestSnapshot,
    target: &Target,
    data: &ResolveData<Later>,
) -> Answer<Option<lsp::Command>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let kind = match data.item.handlers {
        true => LensKind::Handlers,
        false => LensKind::References,
    };
    let found = snapshot.analysis.lens_places(target.position(), kind);
    let places = found.places.into_iter();
    let locations: Vec<lsp::Location> = places
        .filter_map(|place| snapshot.location(place))
        .collect();
    let encoding = snapshot.documents.encoding;
    let position = encoding.position(&document.text, target.range().start);
    Ok(Some(lsp::Command {
        title: found.title,
        command: SHOW_REFERENCES.to_owned(),
        arguments: Some(vec![
            json!(data.uri.as_str()),
            json!(position),
            json!(locations),
        ]),
    }))
}
