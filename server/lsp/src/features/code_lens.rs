//! `textDocument/codeLens` and `codeLens/resolve`.

use std::collections::HashMap;

use frank_ide::evaluate::few_digits;
use frank_ide::{Lens, LensKind, LensSettings, excerpt};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_lsp::ls_types as lsp;

use super::examples;
use super::resolve::ResolveData;
use crate::commands::{self, CHECK, DEBUG, DERIVATIVE, PLOT, RUN, SHOW_REFERENCES, STEP};
use crate::documents::Document;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};
use crate::results::{EvaluationKind, is_stale};

/// What a lens leads to whose title is found later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "leads", rename_all = "lowercase")]
pub enum Later {
    Handlers,
    References,
    /// The picture of an operator.
    Plot {
        name: String,
    },
}

pub fn lenses(snapshot: &RequestSnapshot, target: &Target) -> Answer<Option<Vec<lsp::CodeLens>>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let configured = snapshot.settings.editor.lenses;
    let wanted = LensSettings {
        run: configured.run,
        derivative: configured.derivative,
        examples: configured.examples,
        handlers: configured.handlers,
        references: configured.references,
    };
    let lenses = snapshot.analysis.lenses(target.file, wanted);
    // What a client can do itself with an operator that can run.
    let own = [
        (snapshot.capabilities.steps, "⏵ step", STEP),
        (snapshot.capabilities.debugs, "⏵ debug", DEBUG),
    ];
    let runs = lenses.iter().filter(|lens| lens.kind == LensKind::Run);
    let own = runs.flat_map(|lens| {
        let wanted = own.iter().filter(|(can, ..)| *can);
        wanted.map(|(_, title, command)| client_command(snapshot, document, lens, title, command))
    });
    let own: Vec<lsp::CodeLens> = own.collect();
    let later = |lens: &Lens, item: Later| lsp::CodeLens {
        range: snapshot.range(document, lens.range),
        command: None,
        data: ResolveData::write(&document.uri, item),
    };
    let plots = lenses
        .iter()
        .filter(|lens| snapshot.capabilities.plots && lens.kind == LensKind::Derivative);
    let plots: Vec<lsp::CodeLens> = plots
        .map(|lens| {
            let name = lens.name.clone();
            later(lens, Later::Plot { name })
        })
        .collect();
    let shown = lenses.into_iter().map(|lens| match lens.kind {
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
        LensKind::Example => example(snapshot, target, document, &lens),
        LensKind::Handlers => later(&lens, Later::Handlers),
        LensKind::References => later(&lens, Later::References),
    });
    let mut shown: Vec<lsp::CodeLens> = shown.collect();
    shown.extend(plots);
    shown.extend(own);
    tell_apart(snapshot, document, &mut shown);
    Ok(Some(shown))
}

/// Says on lenses of one line with one title what each of them is about.
fn tell_apart(snapshot: &RequestSnapshot, document: &Document, lenses: &mut [lsp::CodeLens]) {
    let title = |lens: &lsp::CodeLens| {
        let command = lens.command.as_ref()?;
        Some((lens.range.start.line, command.title.clone()))
    };
    let mut count: HashMap<(u32, String), usize> = HashMap::new();
    for title in lenses.iter().filter_map(title) {
        *count.entry(title).or_default() += 1;
    }
    for lens in lenses {
        let several = title(lens).is_some_and(|title| count.get(&title).is_some_and(|n| *n > 1));
        if let Some(command) = lens.command.as_mut().filter(|_| several) {
            let range = snapshot
                .documents
                .encoding
                .byte_range(&document.text, lens.range);
            let about = document
                .text
                .get_byte_slice(range)
                .map(|text| text.to_string());
            command.title = format!("{} {}", command.title, excerpt(&about.unwrap_or_default()));
        }
    }
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
        EvaluationKind::Run | EvaluationKind::Example | EvaluationKind::Law => ("▶", "▶ run", RUN),
        EvaluationKind::Derivative => ("∂", "∂ derivative", DERIVATIVE),
        EvaluationKind::Closed(_) => ("∂", "∂ evaluate", DERIVATIVE),
    };
    let subject = commands::subject(&document.key, &lens.name, kind);
    let title = match snapshot.results.get(&subject) {
        Some(outcome) => {
            let stale = is_stale(&snapshot.analysis, target.file, &subject, outcome);
            format!("{sign} {}", few_digits(&outcome.label(stale)))
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

/// A lens for a command of the client's own, about an operator that can run.
fn client_command(
    snapshot: &RequestSnapshot,
    document: &Document,
    lens: &Lens,
    title: &str,
    command: &str,
) -> lsp::CodeLens {
    let arguments = commands::arguments(&document.uri, &lens.name, EvaluationKind::Run);
    lsp::CodeLens {
        range: snapshot.range(document, lens.range),
        command: Some(lsp::Command {
            title: title.to_owned(),
            command: command.to_owned(),
            arguments: Some(arguments),
        }),
        data: None,
    }
}

/// A lens that checks an example or a law, or says what came of that.
fn example(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    lens: &Lens,
) -> lsp::CodeLens {
    let start = usize::from(lens.range.start()).min(document.text.len_bytes());
    let line = document.text.byte_to_line(start);
    let example = examples::on_line(snapshot, target, document, line).ok();
    let is_law = example.as_ref().is_some_and(|example| example.is_law());
    let subject = example
        .as_ref()
        .and_then(|example| examples::subject(&document.key, example));
    let known = subject.and_then(|subject| Some((snapshot.results.get(&subject)?, subject)));
    let title = match known {
        Some((outcome, subject)) => {
            let expected = example.as_ref().and_then(|example| example.expected());
            let stale = is_stale(&snapshot.analysis, target.file, &subject, outcome);
            let stale = if stale { " (stale)" } else { "" };
            format!("{}{stale}", examples::label(expected, outcome))
        }
        None if is_law => "▶ check law".to_owned(),
        None => "▶ check".to_owned(),
    };
    lsp::CodeLens {
        range: snapshot.range(document, lens.range),
        command: Some(lsp::Command {
            title,
            command: CHECK.to_owned(),
            arguments: Some(commands::example_arguments(&document.uri, line)),
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
    let kind = match data.item {
        Later::Handlers => LensKind::Handlers,
        Later::References | Later::Plot { .. } => LensKind::References,
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

/// A command of the client's own, that draws an operator.
pub fn plot_command(uri: &lsp::Uri, name: &str, title: Option<String>) -> lsp::Command {
    lsp::Command {
        title: title.unwrap_or_else(|| "∂ plot".to_owned()),
        command: PLOT.to_owned(),
        arguments: Some(vec![json!(uri.as_str()), json!(name)]),
    }
}
