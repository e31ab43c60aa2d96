//! `textDocument/definition`, `declaration`, `typeDefinition`, `implementation`.

use frank_ide::Goto;
use tower_lsp::ls_types as lsp;

use crate::world::{Answer, Target, World};

type Places = Option<lsp::GotoDefinitionResponse>;

pub fn definition(world: &World, target: &Target) -> Answer<Places> {
    let links = world.support.location_links.definition;
    Ok(places(
        world,
        world.analysis.definition(target.position()),
        links,
    ))
}

pub fn declaration(world: &World, target: &Target) -> Answer<Places> {
    let links = world.support.location_links.declaration;
    Ok(places(
        world,
        world.analysis.declaration(target.position()),
        links,
    ))
}

pub fn type_definition(world: &World, target: &Target) -> Answer<Places> {
    let links = world.support.location_links.type_definition;
    Ok(places(
        world,
        world.analysis.type_definition(target.position()),
        links,
    ))
}

pub fn implementation(world: &World, target: &Target) -> Answer<Places> {
    let links = world.support.location_links.implementation;
    Ok(places(
        world,
        world.analysis.implementation(target.position()),
        links,
    ))
}

fn places(world: &World, goto: Option<Goto>, links: bool) -> Places {
    let goto = goto?;
    let targets = goto.targets.iter();
    Some(if links {
        let origin = world.range_in(goto.origin.file, goto.origin.range);
        let link = |target: &frank_ide::Target| {
            let focus = world.location(target.focus)?;
            Some(lsp::LocationLink {
                origin_selection_range: origin,
                target_uri: focus.uri,
                target_range: world.range_in(target.full.file, target.full.range)?,
                target_selection_range: focus.range,
            })
        };
        lsp::GotoDefinitionResponse::Link(targets.filter_map(link).collect())
    } else {
        let location = |target: &frank_ide::Target| world.location(target.focus);
        lsp::GotoDefinitionResponse::Array(targets.filter_map(location).collect())
    })
}
