//! Programs in the one style.

use serde_json::json;

use super::{Plan, Row, Workspace, effect, structured, task, tool, wants_writing};
use crate::arguments::Arguments;
use crate::child::{Ended, Input};
use crate::input::Source;
use crate::schema;

pub const FMT: Row = Row {
    describe: |allow_write| {
        let mut input = schema::programs();
        if allow_write {
            let write = json!({ "write": schema::flag("Change the files. Otherwise only the text is given.") });
            input = schema::with(input, write);
        }
        let output = json!({
            "text": schema::text("The formatted program; not there for a directory, and where files were changed"),
            "files": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Of a directory, the files that are not formatted",
            },
            "messages": schema::messages(),
        });
        tool(
            ("fmt", "Format Frank programs"),
            "Formats a Frank program in the one style and gives the text; of a directory it gives the files that are not \
             formatted. Where the server allows it, `write` changes the files instead. \
             Examples: {\"text\": \"main : {Int}\\nmain!   =  6*7\"}, {\"path\": \"src\"}.",
            schema::object(input, &[]),
            effect(allow_write),
        )
        .with_raw_output_schema(schema::object(output, &["messages"]))
    },
    plan: fmt,
};

fn fmt(mut arguments: Arguments, workspace: &Workspace) -> Result<Plan, String> {
    let write = wants_writing(&mut arguments, workspace)?;
    let source = Source::of_some(&mut arguments, &workspace.root)?;
    let time = workspace.limits.time;
    if write {
        if !source.is_on_disk() {
            return Err("`write` needs a `path`: a text is no file".to_owned());
        }
        return Ok(Plan {
            task: task("fmt", ["--", &source.word], Input::Nothing, time),
            answer: Box::new(|finished| {
                let object = json!({ "messages": finished.messages() });
                structured(object, finished.ended != Ended::Code(0))
            }),
        });
    }
    if source.is_directory {
        return Ok(Plan {
            task: task("fmt", ["--check", "--", &source.word], Input::Nothing, time),
            answer: Box::new(|finished| {
                let failed = !matches!(finished.ended, Ended::Code(0 | 1));
                let files: Vec<&str> = finished.stdout.lines().collect();
                let object = json!({ "files": files, "messages": finished.messages() });
                structured(object, failed)
            }),
        });
    }
    let input = match source.input {
        Input::Nothing => Input::File(source.word),
        given => given,
    };
    Ok(Plan {
        task: task("fmt", ["--", "-"], input, time),
        answer: Box::new(|finished| {
            let object = json!({ "text": finished.stdout, "messages": finished.messages() });
            structured(object, finished.ended != Ended::Code(0))
        }),
    })
}
