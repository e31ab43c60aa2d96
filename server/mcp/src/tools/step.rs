//! The states of a run.

use serde_json::json;

use super::{Effect, Plan, Row, limits, listed, task, tool};
use crate::input::Source;
use crate::schema;

/// How many states are given if nothing else is said: what a reader goes through.
const STATES: u64 = 50;

pub const STEP: Row = Row {
    describe: |_| {
        let own = json!({
            "term": schema::text("A term in the scope of the program, instead of an operator."),
            "entry": schema::text("The operator to run instead of `main`; it takes no arguments."),
            "commands": schema::flag("Only the states in which a command sets out, or the host answers one."),
            "from": schema::count("The first state that is given, from 1."),
            "states": schema::count("How many are given, 50 if nothing else is said."),
        });
        let input = schema::with(schema::with(schema::program(), own), schema::input());
        let state = json!({
            "type": "object",
            "properties": {
                "rule": schema::text("The rule that led to the state"),
                "term": schema::text("The state, as source"),
                "focus": { "type": "array", "items": { "type": "integer" }, "description": "Where the focus begins and ends in `term`, in characters from 0" },
                "frozen": { "type": "array", "items": { "type": "array" }, "description": "What is frozen on the way from a command to its handler" },
                "place": { "type": ["object", "null"], "description": "The focus in the program" },
                "printed": schema::text("All that was printed so far, where that is more than before"),
            },
            "required": ["rule", "term", "focus", "frozen", "place"],
        });
        let output = json!({
            "states": { "type": "array", "items": state },
            "messages": schema::messages(),
        });
        tool(
            ("step", "Show a run state by state"),
            "Shows a run of a Frank program state by state, as the language's rules make it: the term, the focus, what is \
             frozen for a continuation. Examples: {\"path\": \"main.fk\", \"commands\": true}, \
             {\"path\": \"main.fk\", \"term\": \"double 4\", \"from\": 51}.",
            schema::object(schema::with(input, schema::limits()), &[]),
            Effect::Reads,
        )
        .with_raw_output_schema(schema::object(output, &["states", "messages"]))
    },
    plan: |mut arguments, workspace| {
        let mut source = Source::of_file(&mut arguments, &workspace.root)?;
        let reads = source.read_input(&mut arguments)?;
        let (term, entry) = (arguments.word("term")?, arguments.word("entry")?);
        if term.is_some() && entry.is_some() {
            return Err("give `term` or `entry`, not both of them".to_owned());
        }
        let commands = arguments.flag("commands")?;
        let from = arguments.count("from")?.unwrap_or(1);
        let states = arguments.count("states")?.unwrap_or(STATES);
        let (mut words, time) = limits(&mut arguments, workspace)?;
        words.extend([
            "--format=json".to_owned(),
            format!("--from={from}"),
            format!("--states={states}"),
        ]);
        if commands {
            words.push("--only=commands".to_owned());
        }
        if reads {
            words.push("--input=-".to_owned());
        }
        words.extend(entry.map(|name| format!("--entry={name}")));
        words.extend(["--".to_owned(), source.word]);
        words.extend(term);
        Ok(Plan {
            task: task("step", words, source.input, time),
            answer: Box::new(|finished| listed("states", finished)),
        })
    },
};
