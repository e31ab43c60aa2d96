//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls`, `callHierarchy/outgoingCalls`.
//!
//! An item is known by the place of its name, which is asked about again.

use frank_ide::{CallItem, FileRange};
use tower_lsp::ls_types as lsp;

use super::symbol_kind;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};

pub fn prepare(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<Vec<lsp::CallHierarchyItem>>> {
    let found = snapshot.analysis.call_item(target.position());
    Ok(found.and_then(|item| Some(vec![item_of(snapshot, &item)?])))
}

pub fn incoming(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<Vec<lsp::CallHierarchyIncomingCall>>> {
    let Some(item) = snapshot.analysis.call_item(target.position()) else {
        return Ok(None);
    };
    let calls = snapshot
        .analysis
        .incoming_calls(item.def)
        .into_iter()
        .filter_map(|call| {
            Some(lsp::CallHierarchyIncomingCall {
                from: item_of(snapshot, &call.item)?,
                from_ranges: ranges(snapshot, call.item.target.focus, &call.at),
            })
        });
    Ok(Some(calls.collect()))
}

pub fn outgoing(
    snapshot: &RequestSnapshot,
    target: &Target,
) -> Answer<Option<Vec<lsp::CallHierarchyOutgoingCall>>> {
    let Some(item) = snapshot.analysis.call_item(target.position()) else {
        return Ok(None);
    };
    let calls = snapshot
        .analysis
        .outgoing_calls(item.def)
        .into_iter()
        .filter_map(|call| {
            Some(lsp::CallHierarchyOutgoingCall {
                to: item_of(snapshot, &call.item)?,
                from_ranges: ranges(snapshot, item.target.focus, &call.at),
            })
        });
    Ok(Some(calls.collect()))
}

fn item_of(snapshot: &RequestSnapshot, item: &CallItem) -> Option<lsp::CallHierarchyItem> {
    let focus = snapshot.location(item.target.focus)?;
    Some(lsp::CallHierarchyItem {
        name: item.name.clone(),
        kind: symbol_kind(item.kind),
        tags: None,
        detail: (!item.detail.is_empty()).then(|| item.detail.clone()),
        uri: focus.uri,
        range: snapshot.range_in(item.target.full.file, item.target.full.range)?,
        selection_range: focus.range,
        data: None,
    })
}

/// The places in the file of the caller; the protocol has no field for others.
fn ranges(snapshot: &RequestSnapshot, caller: FileRange, places: &[FileRange]) -> Vec<lsp::Range> {
    let here = places.iter().filter(|place| place.file == caller.file);
    here.filter_map(|place| snapshot.range_in(place.file, place.range))
        .collect()
}
