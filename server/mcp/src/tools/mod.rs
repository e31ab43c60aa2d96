//! The tools, a file for each purpose: what each takes and gives, and the command that does it.

mod check;
mod derive;
mod explain;
mod find;
mod fmt;
mod holes;
mod run;
mod step;
mod test;

use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::child::{Ended, Finished, Input, Limits, Task};
use crate::place::Root;

/// What calls are made in.
#[derive(Debug)]
pub struct Workspace {
    pub root: Root,
    pub limits: Limits,
    /// Whether tools may change files.
    pub allow_write: bool,
}

/// What a tool does to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Nothing.
    Reads,
    /// It changes them if it is asked to, and if that is allowed.
    Writes,
}

/// What makes an answer of what a process left.
type Answer = Box<dyn FnOnce(&Finished) -> CallToolResult + Send>;

/// What a call comes down to.
pub struct Plan {
    pub task: Task,
    pub answer: Answer,
}

/// A tool as the server has it.
struct Row {
    /// What clients are told, if tools may change files or may not.
    describe: fn(allow_write: bool) -> Tool,
    /// Reads the arguments. Fails with a sentence for the client.
    plan: fn(Arguments, &Workspace) -> Result<Plan, String>,
}

const TOOLS: &[Row] = &[
    check::CHECK,
    check::FIX,
    explain::EXPLAIN,
    holes::HOLES,
    holes::FILL,
    find::FIND,
    run::RUN,
    run::EVAL,
    step::STEP,
    derive::DERIVE,
    test::TEST,
    fmt::FMT,
];

/// All tools, as clients are told of them.
pub fn all(allow_write: bool) -> Vec<Tool> {
    TOOLS
        .iter()
        .map(|row| (row.describe)(allow_write))
        .collect()
}

/// What a call of a tool comes down to; a sentence for the client if its arguments do not fit. `None` if there is no
/// such tool.
pub fn plan(
    name: &str,
    arguments: Option<JsonObject>,
    workspace: &Workspace,
) -> Option<Result<Plan, String>> {
    let described = |row: &&Row| (row.describe)(workspace.allow_write).name == name;
    let row = TOOLS.iter().find(described)?;
    // The whole schema, so that who asks for something forbidden is told that it is.
    let schema = (row.describe)(true).input_schema;
    let arguments = Arguments::new(arguments, &schema);
    Some(arguments.and_then(|arguments| (row.plan)(arguments, workspace)))
}

/// A tool with its title and what it does to files.
fn tool(
    (name, title): (&'static str, &'static str),
    description: &'static str,
    input: std::sync::Arc<JsonObject>,
    effect: Effect,
) -> Tool {
    let writes = effect == Effect::Writes;
    let hints = ToolAnnotations::with_title(title)
        .read_only(!writes)
        .destructive(writes)
        // Nothing is left to be fixed or formatted the second time.
        .idempotent(true)
        // No tool reaches further than the served directory and its includes.
        .open_world(false);
    Tool::new(name, description, input)
        .with_title(title)
        .with_annotations(hints)
}

/// The effect of a tool that changes files where that is allowed.
fn effect(allow_write: bool) -> Effect {
    match allow_write {
        true => Effect::Writes,
        false => Effect::Reads,
    }
}

/// Whether a call asks for files to be changed; refuses it if that is not allowed.
fn wants_writing(arguments: &mut Arguments, workspace: &Workspace) -> Result<bool, String> {
    let wanted = arguments.flag("write")?;
    if wanted && !workspace.allow_write {
        return Err(
            "`write` is refused: this server only reads, since it was started without \
                    `--allow-write`"
                .to_owned(),
        );
    }
    Ok(wanted)
}

/// The task of a subcommand. `words` are its options and arguments.
pub fn task(
    subcommand: &str,
    words: impl IntoIterator<Item: Into<String>>,
    input: Input,
    time: Duration,
) -> Task {
    let own = [subcommand.to_owned(), "--color=never".to_owned()];
    Task {
        words: own
            .into_iter()
            .chain(words.into_iter().map(Into::into))
            .collect(),
        input,
        time,
    }
}

/// The options that bound a run, with its time: what a call asks for, and no more than the server allows.
fn limits(
    arguments: &mut Arguments,
    workspace: &Workspace,
) -> Result<(Vec<String>, Duration), String> {
    let most = workspace.limits;
    let time = arguments.seconds("seconds")?.unwrap_or(most.time);
    // Shorter times have no meaning for a command.
    let time = time.min(most.time).max(Duration::from_millis(1));
    let steps = arguments.count("steps")?.into_iter().chain(most.steps);
    let memory = arguments.count("megabytes")?;
    let memory = memory.map_or(most.memory, |size| size.saturating_mul(1 << 20));
    let mut options = vec![
        format!("--timeout={}ms", time.as_millis()),
        format!("--memory={}", memory.min(most.memory)),
    ];
    options.extend(steps.min().map(|steps| format!("--steps={steps}")));
    Ok((options, time))
}

/// An answer that is one object; whether it says that something went wrong.
fn structured(object: Value, is_error: bool) -> CallToolResult {
    match is_error {
        true => CallToolResult::structured_error(object),
        false => CallToolResult::structured(object),
    }
}

/// An answer that is what a command has found, an object a line, under a name; an error if the command failed.
fn listed(name: &str, finished: &Finished) -> CallToolResult {
    let object = json!({ name: finished.objects(), "messages": finished.messages() });
    structured(object, finished.ended != Ended::Code(0))
}

/// An answer that is a text for people: the results of a command, then what it says.
fn as_text(finished: &Finished) -> CallToolResult {
    let text = format!("{}{}", finished.stdout, finished.messages());
    let content = vec![ContentBlock::text(text)];
    match finished.ended {
        Ended::Code(0) => CallToolResult::success(content),
        _ => CallToolResult::error(content),
    }
}
