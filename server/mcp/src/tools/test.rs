//! Examples and laws in comments.

use serde_json::json;

use super::{Effect, Plan, Row, as_text, limits, task, tool};
use crate::child::Input;
use crate::schema;

pub const TEST: Row = Row {
    describe: |_| {
        let asked = json!({
            "path": schema::text("A file, or a directory with `*.fk` files; all of the served directory if it is not given."),
            "tries": schema::count("With how many values each law is tried, 100 if it is not given."),
            "seed": {
                "type": "integer",
                "minimum": 0,
                "description": "Which values laws are tried with: the same number makes the same ones, and the default is 0.",
            },
        });
        tool(
            (
                "test",
                "Run the examples in comments, and try the laws there",
            ),
            "Runs the examples in comments of Frank programs, a term behind `-- >` and its value behind `-- =`, and says \
             which differ; tries the laws there, `-- for all x : Int, ys : List Int. term`, with values at random, and says \
             for which small ones one does not hold. Each may take the time that is given. Examples: \
             {\"path\": \"src/main.fk\"}, {\"path\": \"src/main.fk\", \"tries\": 1000, \"seed\": 7}.",
            schema::object(schema::with(asked, schema::limits()), &[]),
            Effect::Reads,
        )
    },
    plan: |mut arguments, workspace| {
        let path = arguments.word("path")?;
        let place = workspace.root.find(path.as_deref().unwrap_or("."))?;
        let (mut words, time) = limits(&mut arguments, workspace)?;
        let tries = arguments.count("tries")?;
        words.extend(tries.map(|tries| format!("--tries={tries}")));
        let seed = arguments.number("seed")?;
        words.extend(seed.map(|seed| format!("--seed={seed}")));
        words.extend(["--".to_owned(), place.word]);
        Ok(Plan {
            task: task("test", words, Input::Nothing, time),
            answer: Box::new(as_text),
        })
    },
};
