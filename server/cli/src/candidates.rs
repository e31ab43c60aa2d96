//! What a shell completes beyond options and files: names of the program that the command line has so far,
//! and codes.

use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use frank_analysis::db::SourceFile;
use frank_analysis::diagnostics::Code;
use frank_ide::evaluate::Question;
use frank_ide::{Analysis, DocumentSymbol, SymbolKind};
use frank_syntax::visible::visible;
use frank_workspace::paths::is_frank;

use crate::args::{Args, ProjectArgs};
use crate::project::Project;

/// The command line, with what its arguments may be where the program or the findings say so.
pub fn command() -> Command {
    let knows = |argument: &'static str, candidates: fn() -> Vec<CompletionCandidate>| {
        move |command: Command| {
            command.mut_arg(argument, |arg| arg.add(ArgValueCandidates::new(candidates)))
        }
    };
    Args::command()
        .mut_subcommand("run", knows("entry", entries))
        .mut_subcommand("build", knows("entry", entries))
        .mut_subcommand("step", knows("entry", entries))
        .mut_subcommand("derive", knows("name", smooth_operators))
        .mut_subcommand("plot", knows("name", smooth_operators))
        .mut_subcommand("explain", knows("wanted", codes))
}

/// The operators of the program that can be run: those without arguments.
fn entries() -> Vec<CompletionCandidate> {
    operators(|_, _, symbol| symbol.kind == SymbolKind::Value)
}

/// The operators of the program that have derivatives.
fn smooth_operators() -> Vec<CompletionCandidate> {
    operators(|analysis, file, symbol| {
        let question = Question {
            at: None,
            last: None,
            second: false,
            check: false,
        };
        let is_operator = matches!(symbol.kind, SymbolKind::Operator | SymbolKind::Handler);
        is_operator
            && analysis
                .derivative_plan(file, &symbol.name, &question)
                .is_ok()
    })
}

/// The codes of findings.
fn codes() -> Vec<CompletionCandidate> {
    let codes = Code::ALL.iter().map(|code| code.declaration());
    codes
        .map(|code| CompletionCandidate::new(code.code).help(Some(code.title.into())))
        .collect()
}

/// The operators of the program on the command line that fit, with their signatures. What is wrong with
/// the program is no answer to a shell's question.
fn operators(
    fits: impl Fn(&Analysis, SourceFile, &DocumentSymbol) -> bool,
) -> Vec<CompletionCandidate> {
    let words = std::env::args_os().skip(1).map(PathBuf::from);
    let Some(program) = words
        .into_iter()
        .find(|word| is_frank(word) && word.is_file())
    else {
        return Vec::new();
    };
    let project = Project::open(&[program], &ProjectArgs::default());
    let analysis = Analysis::new(project.files.snapshot());
    let Some(file) = project.asked().first().copied() else {
        return Vec::new();
    };
    let symbols = analysis.document_symbols(file).into_iter();
    symbols
        .filter(|symbol| fits(&analysis, file, symbol))
        .map(|symbol| {
            let help = symbol.detail.map(|detail| visible(&detail).into_owned());
            CompletionCandidate::new(symbol.name).help(help.map(Into::into))
        })
        .collect()
}
