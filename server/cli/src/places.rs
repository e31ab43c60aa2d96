//! Where an evaluation stopped, in words.

use frank_ide::evaluate::{EvaluationError, InFile};

use crate::project::Project;

/// The file and the line of a place, and the column; both counted from 1.
pub fn shown(project: &Project, (path, range): &InFile) -> (String, usize) {
    let files = &project.files;
    let file = files.file(path).or_else(|| files.library_file(path));
    let text = file.map(|file| files.text(file)).unwrap_or_default();
    let before = text.get(..range.start as usize).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default();
    let column = column.chars().count() + 1;
    (format!("{}:{line}", project.names.visible(path)), column)
}

/// Where an evaluation stopped, as the end of a message, and a line for each other place.
pub fn of_failure(project: &Project, failure: &EvaluationError) -> String {
    let own = failure.place.iter().map(|place| shown(project, place));
    let own = own.map(|(line, _)| format!(", at {line}"));
    let related = failure.related.iter();
    let related = related.map(|(place, what)| (shown(project, place), what));
    let related = related.map(|((line, column), what)| format!("\n  {line}:{column}: {what}"));
    own.chain(related).collect()
}
