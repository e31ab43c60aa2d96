//! Where an evaluation stopped, in words.

use frank_ide::evaluate::{EvaluationError, InFile};

use crate::execute::Sources;
use crate::project::Project;

/// Where an evaluation stopped, as the end of a message, and a line for each other place.
pub fn of_failure(project: &Project, failure: &EvaluationError) -> String {
    let mut sources = Sources {
        texts: project,
        term: None,
        sources: Vec::new(),
    };
    let mut shown = |(path, range): &InFile| {
        let place = sources.range(path, range.start as usize..range.end as usize);
        let source = sources.sources.get(place.source);
        let at = source.map(|source| (source.shown(), source.position(place.start)));
        at.map(|(name, at)| (format!("{name}:{}", at.line), at.column))
    };
    let own = failure.place.as_ref().and_then(&mut shown);
    let mut text = own.map_or_else(String::new, |(line, _)| format!(", at {line}"));
    for (place, what) in &failure.related {
        if let Some((line, column)) = shown(place) {
            text += &format!("\n  {line}:{column}: {what}");
        }
    }
    text
}
