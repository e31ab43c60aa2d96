//! `textDocument/codeLens` and `codeLens/resolve`.

use frank_ide::{Lens, LensKind, LensSettings};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_lsp::ls_types as lsp;

use crate::commands::{self, DERIVATIVE, RUN, SHOW_REFERENCES};
use crate::documents::Document;
use crate::results::{Sort, is_stale};
use crate::world::{Answer, Target, World};

/// What a lens needs that is resolved later.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Origin {
    pub uri: lsp::Uri,
    /// Handlers are wanted, else references.
    handlers: bool,
}

pub fn lenses(world: &World, target: &Target) -> Answer<Option<Vec<lsp::CodeLens>>> {
    let Some(document) = world.document(target.file) else {
        return Ok(None);
    };
    let wished = world.settings.editor.lenses;
    let wanted = LensSettings {
        run: wished.run,
        derivative: wished.derivative,
        handlers: wished.handlers,
        references: wished.references,
    };
    let lenses = world.analysis.lenses(target.file, wanted).into_iter();
    let shown = lenses.map(|lens| {
        let later = |handlers: bool| lsp::CodeLens {
            range: world.range(document, lens.range),
            command: None,
            data: serde_json::to_value(Origin {
                uri: document.uri.clone(),
                handlers,
            })
            .ok(),
        };
        match lens.kind {
            LensKind::Run => evaluation(world, target, document, &lens, Sort::Run),
            LensKind::Derivative => evaluation(world, target, document, &lens, Sort::Derivative),
            LensKind::ClosedDerivative(index) => {
                evaluation(world, target, document, &lens, Sort::Closed(index))
            }
            LensKind::Handlers => later(true),
            LensKind::References => later(false),
        }
    });
    Ok(Some(shown.collect()))
}

/// A lens that evaluates, or says what that gave the last time.
fn evaluation(
    world: &World,
    target: &Target,
    document: &Document,
    lens: &Lens,
    sort: Sort,
) -> lsp::CodeLens {
    let (sign, usual, command) = match sort {
        Sort::Run => ("▶", "▶ run", RUN),
        Sort::Derivative => ("∂", "∂ derivative", DERIVATIVE),
        Sort::Closed(_) => ("∂", "∂ evaluate", DERIVATIVE),
    };
    let subject = commands::subject(&document.key, &lens.name, sort);
    let title = match world.results.get(&subject) {
        Some(outcome) => {
            let stale = is_stale(&world.analysis, target.file, &lens.name, outcome);
            format!("{sign} {}", outcome.label(stale))
        }
        None => usual.to_owned(),
    };
    lsp::CodeLens {
        range: world.range(document, lens.range),
        command: Some(lsp::Command {
            title,
            command: command.to_owned(),
            arguments: Some(commands::arguments(&document.uri, &lens.name, sort)),
        }),
        data: None,
    }
}

/// The command of a lens whose places were not looked for before.
pub fn resolve(world: &World, target: &Target, origin: &Origin) -> Answer<Option<lsp::Command>> {
    let Some(document) = world.document(target.file) else {
        return Ok(None);
    };
    let kind = match origin.handlers {
        true => LensKind::Handlers,
        false => LensKind::References,
    };
    let found = world.analysis.lens_places(target.position(), kind);
    let places = found.places.into_iter();
    let locations: Vec<lsp::Location> = places.filter_map(|place| world.location(place)).collect();
    let encoding = world.documents.encoding;
    let position = encoding.position(&document.text, target.range().start);
    Ok(Some(lsp::Command {
        title: found.title,
        command: SHOW_REFERENCES.to_owned(),
        arguments: Some(vec![
            json!(origin.uri.as_str()),
            json!(position),
            json!(locations),
        ]),
    }))
}
