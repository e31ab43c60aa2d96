//! Schemas of what tools take and give, in JSON Schema.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// An object with some properties, of which some have to be there; it has no others.
pub fn object(properties: Value, required: &[&str]) -> Arc<JsonObject> {
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), json!(false));
    Arc::new(schema)
}

/// Properties, with others added.
pub fn with(mut properties: Value, others: Value) -> Value {
    if let (Some(properties), Value::Object(others)) = (properties.as_object_mut(), others) {
        properties.extend(others);
    }
    properties
}

/// A text.
pub fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// Yes or no.
pub fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}

/// A number to count with, from 1.
pub fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 1, "description": description })
}

/// What names a program.
pub fn program() -> Value {
    json!({
        "path": text("A file, from the served directory on, such as `src/main.fk`. Give this or `text`."),
        "text": text("A program instead of a file, such as `main : {Int}\\nmain! = 6 * 7`. What it \
                      includes is looked for in the served directory."),
    })
}

/// What names one program or several.
pub fn programs() -> Value {
    let path = "A file, or a directory with `*.fk` files, from the served directory on.";
    with(program(), json!({ "path": text(path) }))
}

/// What a program reads.
pub fn input() -> Value {
    json!({ "input": text("What the program reads with `inch`. Only with `path`.") })
}

/// How much a run may use.
pub fn limits() -> Value {
    json!({
        "seconds": {
            "type": "number",
            "exclusiveMinimum": 0,
            "description": "End the run after this time. The server's limit counts if it is lower.",
        },
        "steps": count("End the run after so many calls, commands and resumptions."),
        "megabytes": count("End the run when it needs more memory. The server's limit counts if it is lower."),
    })
}

/// What a command says beside its results.
pub fn messages() -> Value {
    text("What `frank` says for people: errors with their places, warnings, why a run was stopped")
}

/// Where something is in a file.
pub fn range() -> Value {
    let position = |what: &str| {
        json!({
            "type": "object",
            "properties": { "line": { "type": "integer" }, "column": { "type": "integer" } },
            "required": ["line", "column"],
            "description": what,
        })
    };
    json!({
        "type": "object",
        "properties": {
            "start": position("Lines and columns are counted from 1, columns in characters"),
            "end": position("The first position behind"),
        },
        "required": ["start", "end"],
    })
}
