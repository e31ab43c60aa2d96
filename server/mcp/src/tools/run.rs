//! Values of programs and of terms.

use rmcp::model::CallToolResult;
use serde_json::{Value, json};

use super::{Effect, Plan, Row, limits, structured, task, tool};
use crate::child::{Ended, Finished, Input};
use crate::input::Source;
use crate::schema;

pub const RUN: Row = Row {
    describe: |_| {
        let entry = json!({ "entry": schema::text("The operator to run instead of `main`; it takes no arguments.") });
        let input = schema::with(schema::with(schema::program(), entry), schema::input());
        tool(
            ("run", "Run a Frank program"),
            "Runs a Frank program within limits: what it prints, its value, or why it has none. A program can use its \
             console, cells of memory and clocks, and nothing else. Examples: {\"path\": \"count.fk\"}, \
             {\"text\": \"main : {Int}\\nmain! = 6 * 7\"}, {\"path\": \"loop.fk\", \"seconds\": 2}.",
            schema::object(schema::with(input, schema::limits()), &[]),
            Effect::Reads,
        )
        .with_raw_output_schema(schema::object(outcome(), &OUTCOME))
    },
    plan: |mut arguments, workspace| {
        let mut source = Source::of_file(&mut arguments, &workspace.root)?;
        source.read_input(&mut arguments)?;
        let entry = arguments.word("entry")?;
        let entry = entry.map(|name| format!("--entry={name}"));
        let (mut words, time) = limits(&mut arguments, workspace)?;
        words.extend(entry);
        words.extend(["--".to_owned(), source.word]);
        Ok(Plan {
            task: task("run", words, source.input, time),
            answer: Box::new(ran),
        })
    },
};

pub const EVAL: Row = Row {
    describe: |_| {
        let term =
            json!({ "term": schema::text("A Frank term, such as `map {x -> x * x} (range 1 5)`") });
        let input = schema::with(schema::with(term, schema::program()), schema::input());
        tool(
            ("eval", "Evaluate a Frank term"),
            "Evaluates a term within limits, with the definitions of a file or a text, or else with the prelude. \
             Examples: {\"term\": \"sum (range 1 100)\"}, {\"term\": \"double 4\", \"path\": \"src/main.fk\"}.",
            schema::object(schema::with(input, schema::limits()), &["term"]),
            Effect::Reads,
        )
        .with_raw_output_schema(schema::object(outcome(), &OUTCOME))
    },
    plan: |mut arguments, workspace| {
        let term = arguments.needed_word("term")?;
        let file = Source::of(&mut arguments, &workspace.root)?;
        let (mut words, time) = limits(&mut arguments, workspace)?;
        words.push("--".to_owned());
        let input = match file {
            Some(source) if source.is_directory => {
                return Err("`path` is a directory: name a file in it".to_owned());
            }
            Some(mut source) => {
                source.read_input(&mut arguments)?;
                words.push(source.word);
                source.input
            }
            None => arguments.text("input")?.map_or(Input::Nothing, Input::Text),
        };
        words.push(term);
        Ok(Plan {
            task: task("eval", words, input, time),
            answer: Box::new(ran),
        })
    },
};

const OUTCOME: [&str; 4] = ["ended", "value", "output", "messages"];

/// The properties of what a run gives.
fn outcome() -> Value {
    json!({
        "ended": {
            "type": "string",
            "enum": ["value", "errors", "unusable", "failed", "stopped"],
            "description": "`value`: it has one. `errors`: the program has errors and was not run. `unusable`: there is \
                            nothing to run, or a file cannot be read. `failed`: the run failed, came to a hole `_`, or a \
                            limit ended it. \
                            `stopped`: the process was killed, since it took too long or printed too much",
        },
        "value": {
            "type": ["string", "null"],
            "description": "The value as a Frank term, if there is one",
        },
        "output": schema::text("What the program printed"),
        "messages": schema::messages(),
    })
}

fn ran(finished: &Finished) -> CallToolResult {
    let ended = match finished.ended {
        Ended::Code(0) => "value",
        Ended::Code(1) => "errors",
        Ended::Code(3) => "failed",
        Ended::Code(_) => "unusable",
        Ended::Late | Ended::TooMuch | Ended::Killed => "stopped",
    };
    // The value is the last line, behind what was printed.
    let stdout = finished.stdout.as_str();
    let (output, value) = match finished.ended {
        Ended::Code(0) => {
            let lines = stdout.strip_suffix('\n').unwrap_or(stdout);
            let at = lines.rfind('\n').map_or(0, |at| at + 1);
            let (output, value) = lines.split_at_checked(at).unwrap_or((lines, ""));
            (output, Some(value))
        }
        _ => (stdout, None),
    };
    let object = json!({
        "ended": ended,
        "value": value,
        "output": output,
        "messages": finished.messages(),
    });
    structured(object, finished.ended != Ended::Code(0))
}
