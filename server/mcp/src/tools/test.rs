//! Examples in comments.

use serde_json::json;

use super::{Effect, Plan, Row, as_text, limits, task, tool};
use crate::child::Input;
use crate::schema;

pub const TEST: Row = Row {
    describe: |_| {
        let path = json!({
            "path": schema::text("A file, or a directory with `*.fk` files; all of the served directory if it is not given."),
        });
        tool(
            ("test", "Run the examples in comments"),
            "Runs the examples in comments of Frank programs, a term behind `-- >` and its value behind `-- =`, and says \
             which differ. Each may take the time that is given. Example: {\"path\": \"src/main.fk\"}.",
            schema::object(schema::with(path, schema::limits()), &[]),
            Effect::Reads,
        )
    },
    plan: |mut arguments, workspace| {
        let path = arguments.word("path")?;
        let place = workspace.root.find(path.as_deref().unwrap_or("."))?;
        let (mut words, time) = limits(&mut arguments, workspace)?;
        words.extend(["--".to_owned(), place.word]);
        Ok(Plan {
            task: task("test", words, Input::Nothing, time),
            answer: Box::new(as_text),
        })
    },
};
