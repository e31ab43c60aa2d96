//! Holes: what is known of them, and what fits.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Effect, Plan, Row, listed, structured, task, tool};
use crate::child::Ended;
use crate::input::Source;
use crate::schema;

/// The code of the findings that holes are.
const HOLE: &str = "FK0109";

/// How long terms are looked for if nothing else is said.
const USUAL: Duration = Duration::from_secs(2);

pub const HOLES: Row = Row {
    describe: |_| {
        let hole = json!({
            "type": "object",
            "properties": {
                "file": { "type": "string" },
                "range": schema::range(),
                "message": { "type": "string" },
                "goal": goal(),
            },
            "required": ["file", "range", "message"],
        });
        let output = json!({
            "holes": { "type": "array", "items": hole },
            "messages": schema::messages(),
        });
        tool(
            ("holes", "List holes with their goals"),
            "Lists the holes of Frank programs, `_` or `_name` where a term is still to be written, with what each place \
             needs: its type, the ability that a term there may use and who handles it, and the locals with how each fits. \
             Without arguments in all of the served directory. Example: {\"path\": \"src/main.fk\"}.",
            schema::object(schema::programs(), &[]),
            Effect::Reads,
        )
        .with_raw_output_schema(schema::object(output, &["holes", "messages"]))
    },
    plan: |mut arguments, workspace| {
        let source = Source::of_all(&mut arguments, &workspace.root)?;
        let words = ["--format=json", "--", &source.word];
        Ok(Plan {
            task: task("check", words, source.input, workspace.limits.time),
            // That there are errors, too, is no failure of the list.
            answer: Box::new(|finished| {
                let findings = finished.objects().into_iter();
                let is_hole = |one: &Value| one.get("code").is_some_and(|code| code == HOLE);
                let holes: Vec<Value> = findings.filter(is_hole).map(without_rest).collect();
                let object = json!({ "holes": holes, "messages": finished.messages() });
                structured(object, !matches!(finished.ended, Ended::Code(0 | 1)))
            }),
        })
    },
};

pub const FILL: Row = Row {
    describe: |_| {
        let own = json!({
            "line": schema::count("Only the holes of this line."),
            "column": schema::count("Only the hole at this column of the line."),
            "seconds": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "How long to look for the terms of each hole; 2 if nothing else is said.",
            },
        });
        let fit = json!({
            "type": "object",
            "properties": {
                "text": { "type": "string" },
                "holes": schema::flag("Whether it has holes, `_`, for what is still to be written"),
            },
            "required": ["text", "holes"],
        });
        let term = json!({
            "type": "object",
            "properties": {
                "text": { "type": "string" },
                "size": { "type": "integer" },
                "examples": {
                    "type": ["boolean", "null"],
                    "description": "Whether the examples in the operator's comment hold with it; null if none was run",
                },
            },
            "required": ["text", "size", "examples"],
        });
        let hole = json!({
            "type": "object",
            "properties": {
                "file": { "type": "string" },
                "range": schema::range(),
                "hole": { "type": "string" },
                "inside": schema::text("The operator that it is in"),
                "type": { "type": ["string", "null"] },
                "fits": { "type": "array", "items": fit },
                "terms": { "type": "array", "items": term },
                "note": schema::text("How much was tried"),
            },
            "required": ["file", "range", "hole", "inside", "type", "fits", "terms", "note"],
        });
        let output = json!({
            "holes": { "type": "array", "items": hole },
            "messages": schema::messages(),
        });
        tool(
            ("fill", "Find what fits a hole"),
            "For the holes of a Frank program gives what fits, one name deep, and whole terms that were searched for; terms \
             with which the examples in the operator's comment hold come first. Whatever is given checks when it is put \
             in. Examples: {\"path\": \"src/main.fk\", \"line\": 6}, \
             {\"text\": \"twice : Int -> Int\\ntwice n = _\"}.",
            schema::object(schema::with(schema::program(), own), &[]),
            Effect::Reads,
        )
        .with_raw_output_schema(schema::object(output, &["holes", "messages"]))
    },
    plan: |mut arguments, workspace| {
        let source = Source::of_file(&mut arguments, &workspace.root)?;
        let (line, column) = (arguments.count("line")?, arguments.count("column")?);
        let place = match (line, column) {
            (None, Some(_)) => return Err("`column` needs a `line`".to_owned()),
            (None, None) => None,
            (Some(line), None) => Some(format!("--at={line}")),
            (Some(line), Some(column)) => Some(format!("--at={line}:{column}")),
        };
        let most = workspace.limits.time;
        let time = arguments.seconds("seconds")?.unwrap_or(USUAL).min(most);
        let time = format!("--timeout={}ms", time.as_millis().max(1));
        let words = ["--format=json".to_owned(), time].into_iter().chain(place);
        let words = words.chain(["--".to_owned(), source.word]);
        Ok(Plan {
            task: task("fill", words, source.input, most),
            answer: Box::new(|finished| listed("holes", finished)),
        })
    },
};

/// What is known of a hole, as a check gives it.
pub fn goal() -> Value {
    json!({
        "type": "object",
        "properties": {
            "hole": { "type": "string" },
            "inside": schema::text("The operator that it is in"),
            "type": { "type": ["string", "null"], "description": "What the place needs" },
            "undecided": { "type": ["string", "null"], "description": "What of the type is not decided, and why" },
            "ability": {
                "type": ["object", "null"],
                "description": "What a term there may do: the instances of each interface, the active one first, with who \
                                brings them",
            },
            "locals": {
                "type": "array",
                "items": { "type": "object" },
                "description": "The locals in sight with their types, whether one is a continuation, and how each fits",
            },
        },
        "required": ["hole", "inside", "type", "ability", "locals"],
        "description": "What is known of a hole",
    })
}

/// A finding without what all holes have in common.
fn without_rest(mut finding: Value) -> Value {
    if let Some(fields) = finding.as_object_mut() {
        fields.retain(|name, _| matches!(&**name, "file" | "range" | "message" | "goal"));
    }
    finding
}
