//! The arguments that `frank` takes.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum, ValueHint};

/// Frank, the effect language: checks programs.
#[derive(Debug, Parser)]
#[command(
    name = "frank",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(
    after_help = "Exit codes: 0 no errors; 1 errors; 2 unusable arguments or unreadable files."
)]
pub struct Args {
    /// Whether output has colours: `auto` means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check programs
    Check(CheckArgs),
    /// Format programs
    Fmt(FmtArgs),
    /// Explain a finding, given its code
    Explain(ExplainArgs),
    /// Write the completions of a shell to standard output
    Completions(CompletionsArgs),
}

#[derive(Debug, Clone, ClapArgs)]
pub struct CheckArgs {
    /// Files, directories to search for `*.fk`, or `-` for standard input [default: .]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub project: ProjectArgs,
    /// What the findings are written as
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Whether warnings fail the check, as errors do
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub warnings: Warnings,
    /// Accept the findings listed in a file, which is written if it does not exist
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,
    /// Write today's findings to the baseline, and accept them all
    #[arg(long, requires = "baseline")]
    pub update_baseline: bool,
    /// Apply the fixes that are certain
    #[arg(long, conflicts_with = "watch")]
    pub fix: bool,
    /// With `--fix`: show the changes instead of making them
    #[arg(long, requires = "fix")]
    pub diff: bool,
    /// Check again whenever a file changes
    #[arg(long)]
    pub watch: bool,
    /// Show types and abilities in full, and say which files are checked
    #[arg(long, short)]
    pub verbose: bool,
}

/// What tells which files belong to a program, and how it is to be treated.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct ProjectArgs {
    /// Look for included files in a directory, after the including file's own
    #[arg(short = 'I', long = "include", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub include: Vec<PathBuf>,
    /// Use this configuration instead of the nearest `frank.toml`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Human,
    /// An object for each finding, one a line
    Json,
    /// GitHub's workflow commands, which become annotations
    Github,
    /// SARIF 2.1.0
    Sarif,
    /// JUnit's XML
    Junit,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Warnings {
    #[default]
    Allow,
    Deny,
}

#[derive(Debug, ClapArgs)]
pub struct FmtArgs {
    /// Files, directories to search for `*.fk`, or `-` to format standard input [default: .]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// Change nothing, name the files that are not formatted, and fail if there are any
    #[arg(long)]
    pub check: bool,
    /// Change nothing, show what would change
    #[arg(long)]
    pub diff: bool,
}

#[derive(Debug, ClapArgs)]
pub struct ExplainArgs {
    /// A code such as FK0201; without one, all codes are listed
    pub code: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct CompletionsArgs {
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}
