//! Derivatives.

use serde_json::json;

use super::{Effect, Plan, Row, limits, listed, task, tool};
use crate::input::Source;
use crate::schema;

pub const DERIVE: Row = Row {
    describe: |_| {
        let own = json!({
            "name": schema::text("A smooth operator of the program, of type `X -> … -> [Smooth X] X`."),
            "at": {
                "type": "array",
                "items": { "type": "string" },
                "description": "The point: an argument of the operator each, such as `2`, `[1, 2]`, `pair 1 2`. More than it \
                                takes are several points. Without it 1 for each number, or what a comment says.",
            },
            "second": schema::flag("Second derivatives, too."),
            "check": schema::flag("Hold each derivative against finite differences."),
        });
        let input = schema::with(schema::with(schema::program(), own), schema::limits());
        let point = json!({
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "at": { "type": "array", "items": { "type": "string" } },
                "variables": { "type": "array", "items": { "type": "string" } },
                "derivatives": { "type": "array", "items": { "type": "object" } },
            },
            "required": ["name", "at", "variables", "derivatives"],
            "description": "The value and the derivatives at a point, by each derivative operator in scope; numbers are strings",
        });
        let output = json!({
            "points": { "type": "array", "items": point },
            "messages": schema::messages(),
        });
        tool(
            ("derive", "Differentiate an operator"),
            "Evaluates a smooth operator of a Frank program and its derivatives, by every derivative operator in scope. \
             Example: {\"text\": \"include ad\\ncube : X -> [Smooth X] X\\ncube x = t x (t x x)\", \"name\": \"cube\", \
             \"at\": [\"2\"]}.",
            schema::object(input, &["name"]),
            Effect::Reads,
        )
        .with_raw_output_schema(schema::object(output, &["points", "messages"]))
    },
    plan: |mut arguments, workspace| {
        let source = Source::of_file(&mut arguments, &workspace.root)?;
        let name = arguments.needed_word("name")?;
        let at = arguments.words("at")?;
        let (second, check) = (arguments.flag("second")?, arguments.flag("check")?);
        let (mut words, time) = limits(&mut arguments, workspace)?;
        words.push("--json".to_owned());
        words.extend(at.into_iter().map(|point| format!("--at={point}")));
        if second {
            words.push("--order=2".to_owned());
        }
        if check {
            words.push("--check".to_owned());
        }
        words.extend(["--".to_owned(), source.word, name]);
        Ok(Plan {
            task: task("derive", words, source.input, time),
            answer: Box::new(|finished| listed("points", finished)),
        })
    },
};
