//! Cuts a module of WebAssembly in two: the functions that a session called, and the rest.
//!
//! A page waits for the first module alone. In place of a function of the rest it has a stub, which has the second module
//! loaded by the host when it is called the first time, and then calls the function. Both have one memory and one table.
//!
//! ```text
//! frank-web-split mark MODULE MARKED              a module that notes which of its functions are called
//! frank-web-split cut MODULE CALLED FIRST REST    the two modules; CALLED has a line with a number for each function called
//! ```
//!
//! The marked module has a global `called N` for the function of number `N`, which is 1 once that was called. The first
//! module imports `load` from `rest VERSION`: a function that instantiates the second one, with the first one's exports as
//! `first VERSION`. So parts of two modules are not put together.

mod cut;
mod mark;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use walrus::{FunctionId, Module, ModuleConfig};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("frank-web-split: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match *arguments {
        ["mark", module, marked] => {
            let mut module = read(module)?;
            mark::mark(&mut module);
            write(module, marked)
        }
        ["cut", module, called, first, rest] => {
            let called = std::fs::read_to_string(called).with_context(|| called.to_owned())?;
            let bytes = std::fs::read(module).with_context(|| module.to_owned())?;
            let version = version(&bytes, &called);
            let called = called.lines().map(str::parse).collect::<Result<_, _>>();
            let called = called.context("a number in each line")?;
            let plan = cut::Plan::new(&read(module)?, &called, &version)?;
            let (rest_module, taken) = plan.rest(read(module)?)?;
            write(plan.first(read(module)?, &taken)?, first)?;
            write(rest_module, rest)
        }
        _ => bail!("usage: frank-web-split mark MODULE MARKED | cut MODULE CALLED FIRST REST"),
    }
}

/// A module without the names of its functions.
fn read(path: &str) -> Result<Module> {
    let mut config = ModuleConfig::new();
    config
        .generate_name_section(false)
        .generate_producers_section(false);
    Module::from_file_with_config(path, &config).with_context(|| path.to_owned())
}

fn write(mut module: Module, path: &str) -> Result<()> {
    walrus::passes::gc::run(&mut module);
    module.emit_wasm_file(path).with_context(|| path.to_owned())
}

/// A name for a module that is cut in some way.
fn version(module: &[u8], called: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (module, called).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The functions that have a body. The place of one is its number: the same one whenever the same module is read.
fn functions(module: &Module) -> Vec<FunctionId> {
    module.funcs.iter_local().map(|(id, _)| id).collect()
}
