//! `textDocument/definition`, `declaration`, `typeDefinition`, `implementation`.

use frank_ide::Goto;
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

type Places = Option<lsp::GotoDefinitionResponse>;

pub fn definition(snapshot: &RequestSnapshot, target: &Target) -> Answer<Places> {
    let links = snapshot.capabilities.location_links.definition;
    Ok(places(
        snapshot,
        snapshot.analysis.definition(target.position()),
        links,
    ))
}

pub fn declaration(snapshot: &RequestSnapshot, target: &Target) -> Answer<Places> {
    let links = snapshot.capabilities.location_links.declaration;
    Ok(places(
        snapshot,
        snapshot.analysis.declaration(target.position()),
        links,
    ))
}

pub fn type_definition(snapshot: &RequestSnapshot, target: &Target) -> Answer<Places> {
    let links = snapshot.capabilities.location_links.type_definition;
    Ok(places(
        snapshot,
        snapshot.analysis.type_definition(target.position()),
        links,
    ))
}

pub fn implementation(snapshot: &RequestSnapshot, target: &Target) -> Answer<Places> {
    let links = snapshot.capabilities.location_links.implementation;
    Ok(places(
        snapshot,
        snapshot.analysis.implementation(target.position()),
        links,
    ))
}

fn places(snapshot: &RequestSnapshot, goto: Option<Goto>, links: bool) -> Places {
    let goto = goto?;
    let targets = goto.targets.iter();
    Some(if links {
        let origin = snapshot.range_in(goto.origin.file, goto.origin.range);
        let link = |target: &frank_ide::Target| {
            let focus = snapshot.location(target.focus)?;
            Some(lsp::LocationLink {
                origin_selection_range: origin,
                target_uri: focus.uri,
                target_range: snapshot.range_in(target.full.file, target.full.range)?,
                target_selection_range: focus.range,
            })
        };
        lsp::GotoDefinitionResponse::Link(targets.filter_map(link).collect())
    } else {
        let location = |target: &frank_ide::Target| snapshot.location(target.focus);
        lsp::GotoDefinitionResponse::Array(targets.filter_map(location).collect())
    })
}
