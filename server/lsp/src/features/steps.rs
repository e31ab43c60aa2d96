//! `frank/step`: a run state by state.

use std::collections::HashMap;

use frank_analysis::link::TERM_PATH;
use frank_ide::evaluate::RunPlan;
use frank_interpreter::Limits;
use frank_semantics::page::{Page, Source};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::TextDocumentIdentifier;

use crate::request_snapshot::{Answer, RequestError, RequestSnapshot, Target};

/// What is run: an operator, or a term in the scope of the file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepParams {
    pub text_document: TextDocumentIdentifier,
    name: Option<String>,
    term: Option<String>,
    /// A page that shows the run by itself is wanted, else data.
    #[serde(default)]
    pub html: bool,
}

/// A run that no longer needs the files.
pub struct Prepared {
    plan: RunPlan,
    pub limits: Limits,
    /// The texts that it may lead through, by their paths.
    sources: HashMap<String, Source>,
}

/// Checks and lowers what is to be run.
///
/// # Errors
/// It has errors, takes arguments or needs what nothing answers; or neither or both of `name` and `term` are there.
pub fn prepare(
    snapshot: &RequestSnapshot,
    target: &Target,
    asked: &StepParams,
) -> Answer<Prepared> {
    let analysis = &snapshot.analysis;
    let plan = match (&asked.name, &asked.term) {
        (Some(name), None) => analysis.run_plan(target.file, name),
        (None, Some(term)) => analysis.term_plan(target.file, term),
        _ => {
            let reason = "`frank/step` takes the `name` of an operator or a `term`";
            return Err(RequestError::Invalid(reason.to_owned()));
        }
    };
    let plan = plan.map_err(|refusal| RequestError::Refused(refusal.0))?;
    let mut sources = HashMap::new();
    for path in plan.files() {
        let files = analysis.snapshot();
        let library = || {
            files
                .library_files()
                .find(|file| file.path(analysis.db()) == path)
        };
        let file = files.file(path).or_else(library);
        let source = match file.and_then(|file| snapshot.document(file)) {
            Some(document) => Source {
                name: path.rsplit('/').next().unwrap_or(path).to_owned(),
                uri: Some(document.uri.to_string()),
                text: document.text.to_string(),
            },
            None if path == TERM_PATH => Source {
                name: path.to_owned(),
                uri: None,
                text: plan.name.clone(),
            },
            None => continue,
        };
        sources.insert(path.to_owned(), source);
    }
    let limits = match snapshot.document(target.file) {
        Some(document) => snapshot.settings.limits(&document.key),
        None => Limits::default(),
    };
    Ok(Prepared {
        plan,
        limits,
        sources,
    })
}

impl Prepared {
    /// The states, as data.
    pub fn run(&self, limits: &Limits) -> Page {
        let sources = &self.sources;
        self.plan.steps(limits, |path| sources.get(path).cloned())
    }
}

/// The states of a run as the client wants them.
pub fn answer(page: &Page, html: bool) -> jsonrpc::Result<Value> {
    let answer = match html {
        true => page.html().map(|html| json!({ "html": html })),
        false => serde_json::to_value(page),
    };
    answer.map_err(|_| jsonrpc::Error::internal_error())
}
