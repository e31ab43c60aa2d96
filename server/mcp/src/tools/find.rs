//! What has a type.

use serde_json::json;

use super::{Effect, Plan, Row, listed, task, tool};
use crate::input::Source;
use crate::schema;

/// How many answers are given if nothing else is said.
const ANSWERS: u64 = 20;

pub const FIND: Row = Row {
    describe: |_| {
        let own = json!({
            "type": schema::text("The type, as in a signature, with any names for its variables. `_` is any type, `…` any other \
                                  arguments or result."),
            "path": schema::text("Search this file or directory, and the library; all of the served directory if it is not given."),
            "limit": schema::count("How many answers are given, the best first; 20 if nothing else is said."),
        });
        let found = json!({
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "kind": schema::text("operator, handler, value, constructor or command"),
                "type": { "type": "string" },
                "of": { "type": ["string", "null"] },
                "file": { "type": "string" },
                "line": { "type": "integer" },
                "column": { "type": "integer" },
                "library": schema::flag("Whether it is part of the library"),
                "include": { "type": ["string", "null"], "description": "What a program has to include for it" },
                "fit": schema::text("`exact`, or how its type differs: order, isomorphic, general, applied, effects, special"),
                "why": { "type": ["string", "null"] },
            },
            "required": ["name", "kind", "type", "file", "line", "column", "library", "include", "fit"],
        });
        let output = json!({
            "found": { "type": "array", "items": found },
            "messages": schema::messages(),
        });
        tool(
            ("find", "Find by type"),
            "Finds Frank operators, handlers, constructors and commands by their type, in the served directory and all of \
             the library; effects count. Examples: {\"type\": \"{X -> [E|]Y} -> List X -> [E|]List Y\"}, \
             {\"type\": \"<Abort> X -> …\"} (handlers of `Abort`), {\"type\": \"Maybe X -> X -> X\", \"limit\": 5}. An error \
             result means that nothing has such a type, or that the type is wrong.",
            schema::object(schema::with(schema::program(), own), &["type"]),
            Effect::Reads,
        )
        .with_raw_output_schema(schema::object(output, &["found", "messages"]))
    },
    plan: |mut arguments, workspace| {
        let ty = arguments.needed_word("type")?;
        let source = Source::of_all(&mut arguments, &workspace.root)?;
        let limit = arguments.count("limit")?.unwrap_or(ANSWERS);
        let limit = format!("--limit={limit}");
        let words = ["--format=json", &limit, "--", &ty, &source.word];
        Ok(Plan {
            task: task("find", words, source.input, workspace.limits.time),
            answer: Box::new(|finished| listed("found", finished)),
        })
    },
};
