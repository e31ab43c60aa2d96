//! Cells of notebooks: `frank/runCell` evaluates the terms of one, and `frank/cells` says of several whether
//! their values may be other ones by now.

use frank_analysis::db::TextKind;
use frank_analysis::file_findings::file_diagnostics;
use frank_ide::evaluate::{RunPlan, RunResult};
use frank_interpreter::Limits;
use frank_interpreter::picture::MOST_OF_CELL;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::pictures;
use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};
use crate::uri::key_of;

/// Which cells are asked about.
#[derive(Debug, Deserialize)]
pub struct CellsParams {
    uris: Vec<lsp::Uri>,
}

/// What is known of a cell.
#[derive(Debug, Serialize)]
pub struct CellStamp {
    uri: lsp::Uri,
    /// Another text once evaluating the cell may give something else; `null` for a cell without terms, or
    /// one that is not known.
    stamp: Option<String>,
}

/// What came of a cell.
#[derive(Debug, Serialize)]
pub struct CellAnswer {
    pub results: Vec<CellResult>,
    stamp: Option<String>,
    /// What is wrong with its definitions.
    errors: Vec<String>,
}

/// What came of a term of a cell.
#[derive(Debug, Serialize)]
pub struct CellResult {
    range: lsp::Range,
    value: Option<String>,
    /// What it printed.
    output: String,
    /// The same, with the pictures that it asked for at their places.
    parts: Vec<Part>,
    /// Why there is no value.
    pub error: Option<String>,
    steps: u64,
    millis: u64,
}

/// A part of what a term has shown.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    Text(String),
    /// A picture, as SVG without scripts.
    Svg(String),
    /// Why a picture is not there.
    Missing(String),
}

/// A cell that no longer needs the files.
pub struct Prepared {
    terms: Vec<(lsp::Range, Result<RunPlan, String>)>,
    stamp: Option<String>,
    errors: Vec<String>,
    pub limits: Limits,
}

/// The end of a term.
pub struct Ended {
    range: lsp::Range,
    /// Its value, or why it cannot be evaluated.
    pub result: Result<RunResult, String>,
    parts: Vec<Part>,
}

fn stamp_of(snapshot: &RequestSnapshot, file: frank_analysis::db::SourceFile) -> Option<String> {
    let stamp = snapshot.analysis.cell_stamp(file)?;
    // A number in JSON is not exact beyond 2^53.
    Some(stamp.to_string())
}

/// The stamps of some cells.
pub fn stamps(snapshot: &RequestSnapshot, asked: &CellsParams) -> Answer<Vec<CellStamp>> {
    let files = snapshot.analysis.snapshot();
    let stamps = asked.uris.iter().map(|uri| {
        snapshot.check();
        let file = files.file(&key_of(uri));
        CellStamp {
            uri: uri.clone(),
            stamp: file.and_then(|file| stamp_of(snapshot, file)),
        }
    });
    Ok(stamps.collect())
}

/// Checks and lowers the terms of a cell.
pub fn prepare(snapshot: &RequestSnapshot, target: &Target) -> Answer<Prepared> {
    let Some(document) = snapshot.document(target.file) else {
        return Err(RequestError::Refused("the cell is gone".to_owned()));
    };
    let terms = snapshot.analysis.cell_terms(target.file).into_iter();
    let terms = terms.map(|term| {
        let plan = term.plan.map_err(|refusal| refusal.0);
        (snapshot.range(document, term.range), plan)
    });
    let (db, files) = (snapshot.db(), snapshot.analysis.snapshot());
    let problems = file_diagnostics(db, target.file).into_iter();
    let mut errors: Vec<(u32, String)> = problems
        .filter(|problem| {
            problem.keeps_from_running() && problem.location.item.kind(db) != TextKind::Cell
        })
        .map(|problem| {
            let place = snapshot.range(document, files.range(problem.location));
            (place.start.line, problem.message.clone())
        })
        .collect();
    errors.sort();
    let said = errors.into_iter();
    Ok(Prepared {
        terms: terms.collect(),
        stamp: stamp_of(snapshot, target.file),
        errors: said
            .map(|(line, message)| format!("line {}: {message}", line + 1))
            .collect(),
        limits: snapshot.settings.limits(&document.key),
    })
}

impl Prepared {
    /// Evaluates the terms in order, until one has no value; `progress` is called now and then. Gives the ends
    /// with what else is to be answered.
    pub fn run(
        self,
        limits: &Limits,
        mut progress: impl FnMut(usize, usize),
    ) -> (Vec<Ended>, CellAnswer) {
        let mut ended = Vec::new();
        let count = self.terms.len();
        let mut room = MOST_OF_CELL;
        for (done, (range, plan)) in self.terms.into_iter().enumerate() {
            let result = plan.map(|plan| plan.run(limits, || progress(done, count)));
            let is_last = !result.as_ref().is_ok_and(|result| result.value.is_ok());
            let parts = result
                .as_ref()
                .map_or_else(|_| Vec::new(), |run| shown(run, &mut room));
            ended.push(Ended {
                range,
                result,
                parts,
            });
            if is_last {
                break;
            }
        }
        let answer = CellAnswer {
            results: Vec::new(),
            stamp: self.stamp,
            errors: self.errors,
        };
        (ended, answer)
    }
}

/// What a run has printed and drawn, in order. Pictures take of the room that there is.
fn shown(run: &RunResult, room: &mut usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut done = 0;
    let text = |from: usize, to: usize| {
        let text = run.output.get(from..to).unwrap_or_default();
        (!text.is_empty()).then(|| Part::Text(text.to_owned()))
    };
    for (at, picture) in &run.pictures {
        parts.extend(text(done, *at));
        done = *at;
        let svg = (*room > 0).then(|| pictures::asked_for(picture)).flatten();
        *room = room.saturating_sub(svg.as_ref().map_or(0, String::len));
        let title = match &*picture.title {
            "" => "A picture".to_owned(),
            title => format!("The picture \"{title}\""),
        };
        parts.push(match svg {
            Some(svg) => Part::Svg(svg),
            None if pictures::CAN_DRAW => Part::Missing(format!(
                "{title} is not shown: those above fill what a cell has room for. Draw fewer, or fewer points."
            )),
            None => Part::Missing(format!(
                "{title} is not shown: this server was built without pictures, which `--features plot` adds."
            )),
        });
    }
    parts.extend(text(done, run.output.len()));
    parts
}

/// The end of a term as it is answered; `failed` says why a run has no value.
pub fn result(ended: Ended, failed: Option<String>) -> CellResult {
    let Ended {
        range,
        result,
        parts,
    } = ended;
    let (value, error) = match &result {
        Ok(result) => (result.value.as_ref().ok().cloned(), failed),
        Err(reason) => (None, Some(reason.clone())),
    };
    let (steps, millis) = match &result {
        Ok(ran) => (ran.steps, ran.millis),
        Err(_) => (0, 0),
    };
    CellResult {
        range,
        value,
        output: result.map(|ran| ran.output).unwrap_or_default(),
        parts,
        error,
        steps,
        millis,
    }
}
