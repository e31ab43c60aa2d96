//! `frank/findByType`: what has a type, in the workspace and in the library.

use frank_analysis::db::Workspace;
use frank_ide::{Mistake, Searched, TypeMatch};
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};

/// How many answers there are at most if the client does not say it.
const USUAL: usize = 50;

/// What is looked for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FindParams {
    /// The type, as in a signature.
    #[serde(rename = "type")]
    ty: String,
    /// The document in whose program it stands, if there is one.
    pub text_document: Option<lsp::TextDocumentIdentifier>,
    limit: Option<usize>,
}

/// What was found, or what is wrong with the type.
#[derive(Debug, Default, Serialize)]
pub struct Answered {
    found: Vec<Found>,
    total: usize,
    nearest: Option<Found>,
    notes: Vec<Told>,
    mistakes: Vec<Told>,
}

/// Something that has the type, or one like it.
#[derive(Debug, Serialize)]
struct Found {
    name: &'static str,
    kind: &'static str,
    #[serde(rename = "type")]
    ty: String,
    of: Option<&'static str>,
    location: lsp::Location,
    library: bool,
    include: Option<&'static str>,
    fit: &'static str,
    why: String,
    /// Where it is and why it is an answer, on a line.
    text: String,
}

/// Something about the type. The range counts its characters from 0, the end exclusive.
#[derive(Debug, Serialize)]
struct Told {
    code: Option<&'static str>,
    message: String,
    range: (usize, usize),
    help: Vec<String>,
}

/// What has a type.
pub fn find(
    snapshot: &RequestSnapshot,
    target: Option<&Target>,
    params: &FindParams,
) -> Answer<Answered> {
    let db = snapshot.db();
    let files = Workspace::get(db).files(db);
    let searched = Searched {
        from: target.map(|target| target.file),
        files: files.values().copied().collect(),
    };
    let limit = params.limit.unwrap_or(USUAL);
    let told = |all: Vec<Mistake>| all.into_iter().map(|one| told(&params.ty, one)).collect();
    let found = match snapshot.analysis.find_by_type(&params.ty, &searched, limit) {
        Ok(found) => found,
        Err(mistakes) => {
            return Ok(Answered {
                mistakes: told(mistakes),
                ..Answered::default()
            });
        }
    };
    let placed = |one: TypeMatch| placed(snapshot, one);
    Ok(Answered {
        found: found.found.into_iter().filter_map(placed).collect(),
        total: found.total,
        nearest: found.nearest.and_then(placed),
        notes: told(found.notes),
        mistakes: Vec::new(),
    })
}

fn placed(snapshot: &RequestSnapshot, found: TypeMatch) -> Option<Found> {
    let location = snapshot.location(found.target.focus)?;
    let path = location.uri.path().as_str();
    let file = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let place = format!("{file}:{}", location.range.start.line + 1);
    let include = found.include.map(|name| format!("include {name}"));
    let said = [Some(place), include, found.reason()];
    let said: Vec<String> = said.into_iter().flatten().collect();
    Some(Found {
        name: found.name.as_str(),
        kind: found.kind.word(),
        of: found.container.map(|name| name.as_str()),
        location,
        library: found.library,
        include: found.include.map(|name| name.as_str()),
        fit: found.fit,
        text: said.join("; "),
        ty: found.ty,
        why: found.detail,
    })
}

fn told(ty: &str, mistake: Mistake) -> Told {
    let count = |end: usize| ty.get(..end).unwrap_or(ty).chars().count();
    let (start, end) = (mistake.range.start(), mistake.range.end());
    Told {
        code: mistake.code,
        message: mistake.message,
        range: (count(start.into()), count(end.into())),
        help: mistake.help,
    }
}
