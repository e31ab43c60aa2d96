//! Where an evaluation stopped, in words.

use frank_ide::evaluate::{EvaluationError, InFile};

use crate::execute::Sources;
use crate::project::Project;

/// The texts of a project, for places in them.
pub fn sources(project: &Project) -> Sources<'_> {
    Sources {
        texts: project,
        term: None,
        sources: Vec::new(),
    }
}

/// The file and the line of a place, and the column; both counted from 1.
pub fn shown(sources: &mut Sources<'_>, (path, range): &InFile) -> (String, usize) {
    let place = sources.range(path, range.start as usize..range.end as usize);
    let Some(source) = sources.sources.get(place.source) else {
        return (String::new(), 1);
    };
    let at = source.position(place.start);
    (format!("{}:{}", source.shown(), at.line), at.column)
}

/// Where an evaluation stopped, as the end of a message, and a line for each other place.
pub fn of_failure(project: &Project, failure: &EvaluationError) -> String {
    let mut sources = sources(project);
    let own = failure.place.as_ref();
    let mut text = own.map_or_else(String::new, |place| {
        let (line, _) = shown(&mut sources, place);
        format!(", at {line}")
    });
    for (place, what) in &failure.related {
        let (line, column) = shown(&mut sources, place);
        text += &format!("\n  {line}:{column}: {what}");
    }
    text
}
