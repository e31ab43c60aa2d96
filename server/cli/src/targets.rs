//! Files that a command must not write, whatever it was told.

use std::path::Path;

use frank_workspace::obstacle::unwritable;

use crate::executable::seal::own_path;
use crate::output::visible_path;
use crate::project::Project;

/// Why a path is none for `what`, such as "the picture", in a sentence with what to do; `None` if it is one.
pub fn refusal(project: &Project, output: &Path, what: &str) -> Option<String> {
    let reason = in_the_way(project, output)?;
    let output = visible_path(output);
    Some(format!(
        "{output}: {reason}; `--output PATH` gives {what} another name"
    ))
}

/// What would be lost there.
fn in_the_way(project: &Project, output: &Path) -> Option<String> {
    if let Some(obstacle) = unwritable(output) {
        return Some(obstacle.to_string());
    }
    let real = output.canonicalize().ok()?;
    let is_output = |path: &Path| path.canonicalize().is_ok_and(|path| path == real);
    let db = project.files.db();
    let mut files = project.all().into_iter();
    if files.any(|file| is_output(Path::new(file.path(db)))) {
        return Some("this is a file of the program".to_owned());
    }
    own_path()
        .is_ok_and(|own| is_output(&own))
        .then(|| "this is `frank` itself".to_owned())
}
