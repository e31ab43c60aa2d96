//! What is wrong with programs, and the safe fixes.

use serde_json::{Value, json};

use super::{Effect, Plan, Row, Workspace, effect, holes, structured, task, tool, wants_writing};
use crate::arguments::Arguments;
use crate::child::{Ended, Finished};
use crate::input::Source;
use crate::schema;

pub const CHECK: Row = Row {
    describe: |_| {
        tool(
            ("check", "Check Frank programs"),
            "Type-checks Frank programs and gives what is found: code, severity, message, place, related places, help. \
             Without arguments all `*.fk` files of the served directory. Examples: {}, {\"path\": \"src/main.fk\"}, \
             {\"text\": \"main : {Int}\\nmain! = 6 * 'x'\"}. An error result means that there are errors.",
            schema::object(schema::programs(), &[]),
            Effect::Reads,
        )
        .with_raw_output_schema(schema::object(findings(), &FINDINGS))
    },
    plan: |mut arguments, workspace| {
        let source = Source::of_all(&mut arguments, &workspace.root)?;
        let words = ["--format=json", "--", &source.word];
        Ok(Plan {
            task: task("check", words, source.input, workspace.limits.time),
            answer: Box::new(|finished| structured(found(finished), fails(finished))),
        })
    },
};

pub const FIX: Row = Row {
    describe: |allow_write| {
        let mut input = schema::programs();
        if allow_write {
            let write = json!({ "write": schema::flag("Change the files. Otherwise only a difference is given.") });
            input = schema::with(input, write);
        }
        let output = schema::with(
            findings(),
            json!({ "diff": schema::text("The unified difference that the fixes make, for `patch -p1`; empty if there are none") }),
        );
        tool(
            ("fix", "Apply safe fixes"),
            "Applies the fixes of Frank programs that are safe, those that keep what a program means. Gives them as a \
             difference; where the server allows it, `write` changes the files instead and gives what is left. \
             Example: {\"path\": \"src/main.fk\"}.",
            schema::object(input, &[]),
            effect(allow_write),
        )
        .with_raw_output_schema(schema::object(output, &["messages"]))
    },
    plan: fix,
};

fn fix(mut arguments: Arguments, workspace: &Workspace) -> Result<Plan, String> {
    let write = wants_writing(&mut arguments, workspace)?;
    let source = Source::of_some(&mut arguments, &workspace.root)?;
    let time = workspace.limits.time;
    if !write {
        let words = ["--diff", "--", &source.word];
        return Ok(Plan {
            task: task("check", words, source.input, time),
            // That there are errors, too, is no failure of the fixes.
            answer: Box::new(|finished| {
                let failed = !matches!(finished.ended, Ended::Code(0 | 1));
                let object = json!({ "diff": finished.stdout, "messages": finished.messages() });
                structured(object, failed)
            }),
        });
    }
    if !source.is_on_disk() {
        return Err("`write` needs a `path`: a text is no file".to_owned());
    }
    let below = format!("--fix-below={}", workspace.root.real().display());
    let words = ["--fix", &below, "--format=json", "--", &source.word];
    Ok(Plan {
        task: task("check", words, source.input, time),
        answer: Box::new(|finished| structured(found(finished), fails(finished))),
    })
}

/// Whether programs have errors, or were not checked as a whole.
fn fails(finished: &Finished) -> bool {
    finished.ended != Ended::Code(0)
}

const FINDINGS: [&str; 4] = ["errors", "warnings", "findings", "messages"];

/// The properties of what a check gives.
fn findings() -> Value {
    let finding = json!({
        "type": "object",
        "properties": {
            "code": schema::text("Such as FK0201; the tool `explain` says what it means"),
            "severity": { "type": "string", "enum": ["error", "warning", "hint"] },
            "message": { "type": "string" },
            "file": { "type": "string" },
            "range": schema::range(),
            "related": { "type": "array", "items": { "type": "object" } },
            "help": { "type": "array", "items": { "type": "string" } },
            "goal": holes::goal(),
        },
        "required": ["code", "severity", "message", "file", "range", "related", "help"],
    });
    json!({
        "errors": { "type": "integer" },
        "warnings": { "type": "integer" },
        "findings": { "type": "array", "items": finding },
        "messages": schema::messages(),
    })
}

fn found(finished: &Finished) -> Value {
    let findings = finished.objects();
    let count = |severity: &str| {
        let of = findings
            .iter()
            .filter(|one| one.get("severity").is_some_and(|is| is == severity));
        of.count()
    };
    json!({
        "errors": count("error"),
        "warnings": count("warning"),
        "messages": finished.messages(),
        "findings": findings,
    })
}
