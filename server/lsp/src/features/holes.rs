//! Holes: `frank/holes`, `frank/nextHole`, `frank/goal`, `frank/fill`.

use frank_analysis::db::SourceFile;
use frank_ide::{Filled, Filling, GoalLocal};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_lsp::ls_types as lsp;

use super::abilities::{Ability, ability};
use crate::commands::FILL;
use crate::documents::Document;
use crate::request_snapshot::{Answer, RequestSnapshot, Target};

/// The holes of a document, or of all documents if none is named.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HolesParams {
    pub text_document: Option<lsp::TextDocumentIdentifier>,
}

/// Which hole is next to a position.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NextHoleParams {
    #[serde(flatten)]
    pub place: lsp::TextDocumentPositionParams,
    #[serde(default = "yes")]
    pub forwards: bool,
}

fn yes() -> bool {
    true
}

/// A hole.
#[derive(Debug, Serialize)]
pub struct Hole {
    uri: lsp::Uri,
    range: lsp::Range,
    /// `_` or `_name`.
    name: String,
    /// What its place needs; `null` if nothing is known of that.
    #[serde(rename = "type")]
    ty: Option<String>,
    /// The operator that it is in.
    inside: String,
}

/// What is known of a hole.
#[derive(Debug, Serialize)]
pub struct Goal {
    #[serde(flatten)]
    hole: Hole,
    /// What of its type is not decided, and why.
    undecided: Option<String>,
    ability: Option<Ability>,
    /// The innermost first.
    locals: Vec<Local>,
    /// All of it as plain text.
    text: String,
}

impl Goal {
    /// What is known beside the type and the ability, in lines of plain text.
    pub fn lines(&self) -> Vec<String> {
        let why = self.undecided.iter().cloned();
        let locals = self.locals.iter().map(|local| local.shown.clone());
        why.chain(locals).collect()
    }
}

/// A local at a hole.
#[derive(Debug, Serialize)]
struct Local {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    continuation: bool,
    /// `as it is`, `forced`, `applied` or `lifted`; `null` if it does not fit.
    fit: Option<&'static str>,
    /// What is written where it fits.
    written: Option<String>,
    #[serde(skip)]
    shown: String,
}

/// The terms that were found for a hole.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fill {
    /// The hole.
    range: lsp::Range,
    /// The best first.
    terms: Vec<Term>,
    /// What was tried, and how long.
    note: String,
    tried: u64,
    found: usize,
    complete_to: u32,
    examples: usize,
    millis: u64,
}

/// A term that fits a hole.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Term {
    text: String,
    size: u32,
    /// Whether the examples of the operator hold with it; `null` if none was run.
    examples_hold: Option<bool>,
}

/// The holes of a document.
pub fn of_document(snapshot: &RequestSnapshot, target: &Target) -> Answer<Vec<Hole>> {
    Ok(in_file(snapshot, target.file))
}

/// The holes of all documents but libraries.
pub fn of_workspace(snapshot: &RequestSnapshot) -> Answer<Vec<Hole>> {
    let holes = own(snapshot).into_iter().flat_map(|(_, file)| {
        snapshot.check();
        in_file(snapshot, file)
    });
    Ok(holes.collect())
}

/// The hole behind or before a position; round the end of the document if need be. Where the document has none, the
/// first or last one of the next document that has some.
pub fn beside(snapshot: &RequestSnapshot, target: &Target, forwards: bool) -> Answer<Option<Hole>> {
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let here = snapshot.analysis.hole_beside(target.position(), forwards);
    let found = here.map(|found| hole(snapshot, document, found));
    Ok(found.or_else(|| in_others(snapshot, &document.key, forwards)))
}

/// The first hole of the documents behind one in the order of their names, or the last one of those before it; round
/// the end.
fn in_others(snapshot: &RequestSnapshot, here: &str, forwards: bool) -> Option<Hole> {
    let mut all = own(snapshot);
    let behind = all.partition_point(|(key, _)| *key <= here);
    all.rotate_left(behind);
    if !forwards {
        all.reverse();
    }
    all.into_iter().find_map(|(_, file)| {
        snapshot.check();
        let mut holes = in_file(snapshot, file).into_iter();
        if forwards {
            holes.next()
        } else {
            holes.next_back()
        }
    })
}

/// All documents but libraries, in the order of their names.
fn own(snapshot: &RequestSnapshot) -> Vec<(&str, SourceFile)> {
    let all = snapshot.documents.iter();
    let own = all.filter(|(_, document)| !document.library);
    let mut own: Vec<_> = own.map(|(file, document)| (&*document.key, file)).collect();
    own.sort_by_key(|(key, _)| *key);
    own
}

/// What is known of the hole at a position.
pub fn goal(snapshot: &RequestSnapshot, target: &Target) -> Answer<Option<Goal>> {
    let found = snapshot.analysis.goal(target.position());
    let document = snapshot.document(target.file);
    Ok(found
        .zip(document)
        .map(|(found, document)| shown(snapshot, document, found)))
}

/// A goal in a document as a client gets it.
pub fn shown(snapshot: &RequestSnapshot, document: &Document, found: frank_ide::Goal) -> Goal {
    Goal {
        text: found.lines().join("\n"),
        hole: hole(snapshot, document, found.hole),
        undecided: found.undecided,
        ability: found.ability.map(|stack| ability(snapshot, stack)),
        locals: found.locals.into_iter().map(local).collect(),
    }
}

/// Terms for the hole at a position. An edit interrupts the search, which begins again then; so does who no longer
/// wants them.
pub fn fill(snapshot: &RequestSnapshot, target: &Target) -> Answer<Option<Fill>> {
    let at = target.position();
    let Some(document) = snapshot.document(target.file) else {
        return Ok(None);
    };
    let Some(hole) = snapshot.analysis.hole_of(at) else {
        return Ok(None);
    };
    let filling = Filling::on_request();
    let interrupted = || {
        snapshot.check();
        false
    };
    let filled = snapshot.analysis.fill(at, filling, &interrupted);
    Ok(filled.map(|filled| Fill {
        range: snapshot.range(document, hole.range),
        note: filled.note(),
        tried: filled.tried,
        found: filled.found,
        complete_to: filled.complete_to,
        examples: filled.examples,
        millis: u64::try_from(filled.elapsed.as_millis()).unwrap_or(u64::MAX),
        terms: terms(filled),
    }))
}

/// The action that lets one choose a term for the hole at a place, for clients that can show a choice.
pub fn offer(
    snapshot: &RequestSnapshot,
    target: &Target,
    document: &Document,
    actions: &mut Vec<lsp::CodeAction>,
) {
    if !snapshot.capabilities.fills {
        return;
    }
    let Some(hole) = snapshot.analysis.hole_of(target.position()) else {
        return;
    };
    let range = snapshot.range(document, hole.range);
    let title = format!("Fill `{}`…", hole.name);
    actions.push(lsp::CodeAction {
        title: title.clone(),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        command: Some(lsp::Command {
            title,
            command: FILL.to_owned(),
            arguments: Some(vec![json!(document.uri.as_str()), json!(range.start)]),
        }),
        ..lsp::CodeAction::default()
    });
}

fn in_file(snapshot: &RequestSnapshot, file: SourceFile) -> Vec<Hole> {
    let Some(document) = snapshot.document(file) else {
        return Vec::new();
    };
    let holes = snapshot.analysis.holes(file).into_iter();
    holes.map(|found| hole(snapshot, document, found)).collect()
}

fn hole(snapshot: &RequestSnapshot, document: &Document, hole: frank_ide::Hole) -> Hole {
    Hole {
        uri: document.uri.clone(),
        range: snapshot.range(document, hole.range),
        name: hole.name,
        ty: hole.ty,
        inside: hole.inside,
    }
}

fn local(local: GoalLocal) -> Local {
    Local {
        fit: local.fit_shown(),
        written: local.use_shown(),
        shown: local.shown(),
        name: local.name,
        ty: local.ty,
        continuation: local.is_continuation,
    }
}

fn terms(filled: Filled) -> Vec<Term> {
    let terms = filled.terms.into_iter().map(|term| Term {
        text: term.text,
        size: term.size,
        examples_hold: term.examples_hold,
    });
    terms.collect()
}
