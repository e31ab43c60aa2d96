//! What an executable says of itself.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::PathBuf;

use frank_interpreter::Code;
use frank_syntax::visible::visible;
use serde::Serialize;

use super::contents::{Contents, VERSION};
use crate::json;
use crate::output::{self, visible_name};

/// What it is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    Json,
}

/// What an argument asks for, if it is about the executable.
pub fn asked(argument: &OsStr) -> Option<Form> {
    match argument.to_str()? {
        "--frank-info" => Some(Form::Text),
        "--frank-info=json" => Some(Form::Json),
        _ => None,
    }
}

#[derive(Serialize)]
struct Info<'c> {
    file: &'c str,
    entry: &'c str,
    r#type: &'c str,
    frank: &'c str,
    limits: Limits,
    abilities: &'c [String],
    read: Vec<Cow<'c, str>>,
    write: Vec<Cow<'c, str>>,
    instructions: usize,
    bytes: usize,
    sources: Vec<&'c str>,
}

/// `null` where there is no limit.
#[derive(Serialize)]
struct Limits {
    steps: Option<u64>,
    milliseconds: Option<u64>,
    memory: u64,
    output: Option<u64>,
}

/// What there is none of.
const NONE: &str = "none";

/// Writes it to standard output.
pub fn write(contents: &Contents, code: &Code, bytes: usize, form: Form) -> io::Result<()> {
    let mut out = output::stdout();
    match form {
        Form::Json => writeln!(out, "{}", json(contents, code, bytes)?)?,
        Form::Text => write_text(&mut out, contents, code, bytes)?,
    }
    out.flush()
}

fn json(contents: &Contents, code: &Code, bytes: usize) -> io::Result<String> {
    let limits = &contents.limits;
    let info = Info {
        file: &contents.file,
        entry: &contents.entry,
        r#type: &contents.ty,
        frank: VERSION,
        limits: Limits {
            steps: limits.steps,
            milliseconds: limits
                .timeout
                .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            memory: limits.memory,
            output: limits.output,
        },
        abilities: &contents.abilities,
        read: contents
            .read
            .iter()
            .map(|path| path.to_string_lossy())
            .collect(),
        write: contents
            .write
            .iter()
            .map(|path| path.to_string_lossy())
            .collect(),
        instructions: code.instructions(),
        bytes,
        sources: contents.texts.iter().map(|one| &*one.name).collect(),
    };
    let document = serde_json::to_string(&info)?;
    Ok(json::visible(&document).into_owned())
}

fn write_text(
    out: &mut impl Write,
    contents: &Contents,
    code: &Code,
    bytes: usize,
) -> io::Result<()> {
    let limits = &contents.limits;
    let without = || NONE.to_owned();
    let steps = limits.steps.map_or_else(without, |steps| steps.to_string());
    let time = limits
        .timeout
        .map_or_else(without, |time| format!("{time:?}"));
    let memory = output::bytes(limits.memory);
    let printed = limits.output.map_or_else(without, output::bytes);
    let abilities = match contents.abilities.is_empty() {
        true => without(),
        false => contents.abilities.join(", "),
    };
    let sources = contents.texts.iter().map(|one| visible_name(&one.name));
    let sources = sources.collect::<Vec<_>>().join(", ");
    let entry = format!("{} : {}", contents.entry, contents.ty);
    writeln!(out, "program    {}", visible_name(&contents.file))?;
    writeln!(out, "entry      {}", visible(&entry))?;
    writeln!(out, "frank      {VERSION}")?;
    writeln!(
        out,
        "limits     steps {steps}, timeout {time}, memory {memory}, output {printed}"
    )?;
    writeln!(out, "abilities  {}", visible(&abilities))?;
    writeln!(out, "may read   {}", paths(&contents.read))?;
    writeln!(out, "may write  {}", paths(&contents.write))?;
    writeln!(
        out,
        "code       {} in {}",
        output::count(code.instructions(), "instruction"),
        output::count(bytes, "byte")
    )?;
    writeln!(out, "sources    {sources}")
}

fn paths(granted: &[PathBuf]) -> String {
    let paths = granted
        .iter()
        .map(|path| visible_name(&path.to_string_lossy()));
    let paths: Vec<_> = paths.collect();
    match paths.is_empty() {
        true => NONE.to_owned(),
        false => paths.join(", "),
    }
}
