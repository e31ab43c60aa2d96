//! The arguments that `frank` takes.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{
    Args as ClapArgs, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
    ValueHint,
};
use frank_ide::laws::Tries;
use frank_syntax::visible::visible;
use frank_workspace::config::{parse_bytes, parse_count, parse_duration};
use frank_workspace::discover::{Links, Search};

const EXIT_CODES: &str = "\
Exit codes: 0 nothing is wrong; 1 a program has errors, or something asked for is not so;
2 unusable arguments or unreadable files; 3 a run failed; 130 a run was interrupted.";

/// Frank, the effect language: checks and runs programs
#[derive(Debug, Parser)]
#[command(
    name = "frank",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(after_help = EXIT_CODES)]
pub struct Args {
    /// Whether output has colours: `auto` means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
    #[command(subcommand)]
    pub command: Command,
}

/// The arguments of the process, and what the command among them is called. Ends it where they are wrong, or ask for help.
pub fn parse() -> (Args, String) {
    let command = || Args::command().color(color_of_help(std::env::args_os()));
    let matches = command().try_get_matches().unwrap_or_else(|error| {
        // The message quotes the arguments, so it is made again of what can be shown of them.
        let shown = std::env::args_os().map(|arg| visible(&arg.to_string_lossy()).into_owned());
        command()
            .try_get_matches_from(shown)
            .err()
            .unwrap_or(error)
            .exit()
    });
    let name = matches.subcommand_name().unwrap_or_default().to_owned();
    let args = Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if let Command::Run(run) = &args.command
        && let Some(first) = run.arguments.first()
        && !std::env::args_os().any(|arg| arg == "--")
    {
        // It may be a second program, or an option's value that is too many.
        let message = format!(
            "unexpected argument '{}': what the program gets stands behind `--`",
            visible(first)
        );
        let mut command = Args::command();
        command.error(ErrorKind::UnknownArgument, message).exit();
    }
    (args, name)
}

/// What `--color` says to help and to messages about the arguments, which are written before the
/// arguments are known as a whole.
fn color_of_help(args: impl Iterator<Item = OsString>) -> ColorChoice {
    let mut choice = ColorChoice::Auto;
    let mut args = args.take_while(|arg| arg != "--");
    while let Some(arg) = args.next() {
        let value = match arg.to_str() {
            Some("--color") => args.next(),
            Some(arg) => arg.strip_prefix("--color=").map(OsString::from),
            None => None,
        };
        choice = match value.as_ref().and_then(|value| value.to_str()) {
            Some("always") => ColorChoice::Always,
            Some("never") => ColorChoice::Never,
            Some("auto") => ColorChoice::Auto,
            _ => choice,
        };
    }
    choice
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
    /// Run a program: print what it prints, then its value
    Run(RunArgs),
    /// Make an executable of a program, which runs without `frank`
    Build(BuildArgs),
    /// Evaluate a term in the scope of a file, or with the prelude
    Eval(EvalArgs),
    /// Show a run state by state, as the language's rules make it
    Step(StepArgs),
    /// Evaluate a smooth operator and its derivatives at a point
    Derive(DeriveArgs),
    /// Draw a smooth operator and its derivatives
    Plot(PlotArgs),
    /// Find what has a type, in programs and in the library
    Find(FindArgs),
    /// Say what fits the holes of a program, and look for whole terms
    Fill(FillArgs),
    /// Define and evaluate interactively
    Repl(ReplArgs),
    /// Run the examples in comments: `-- > term`, then `-- = value`
    Test(TestArgs),
    /// Format programs
    Fmt(FmtArgs),
    /// Serve an editor, over standard input and output
    Lsp(LspArgs),
    /// Debug for an editor, over standard input and output
    Dap(DapArgs),
    /// Offer these tools to a program with a language model, over standard input and output
    Mcp(McpArgs),
    /// Run the cells of Jupyter's notebooks
    Kernel(KernelArgs),
    /// Explain a finding, given its code or words of its page
    Explain(ExplainArgs),
    /// Say which program this is, what it finds, what is wrong and how to mend it
    Doctor(DoctorArgs),
    /// Write the completions of a shell to standard output
    Completions(CompletionsArgs),
    /// Write the manual pages, for `man`
    Man(ManArgs),
}

#[derive(Debug, Clone, ClapArgs)]
pub struct CheckArgs {
    /// Files, directories to search for `*.fk` and `*.fk.md`, or `-` for standard input [default: .]
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
    /// Whether holes fail the check [default: deny, or what `holes` in `frank.toml` says]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub holes: Option<Holes>,
    /// Accept the findings listed in a file, which is written if it does not exist
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,
    /// Write today's findings to the baseline, and accept them all
    #[arg(long, requires = "baseline")]
    pub update_baseline: bool,
    /// Apply the safe fixes
    #[arg(long, conflicts_with = "watch")]
    pub fix: bool,
    /// Change nothing outside of a directory, wherever the project ends
    #[arg(long, hide = true, requires = "fix", value_name = "DIR")]
    pub fix_below: Option<PathBuf>,
    /// Show what `--fix` would change instead of changing it
    #[arg(long, conflicts_with_all = ["watch", "update_baseline"])]
    pub diff: bool,
    /// Check again whenever a file changes
    #[arg(long)]
    pub watch: bool,
    /// Show types and abilities in full, say what is known of holes and which files are checked
    #[arg(long, short)]
    pub verbose: bool,
}

/// Which files belong to a program, and how it is checked.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct ProjectArgs {
    /// Look for included files in a directory, after the including file's own
    #[arg(short = 'I', long = "include", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub include: Vec<PathBuf>,
    /// Use this configuration instead of the nearest `frank.toml`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub search: SearchArgs,
}

/// How directories are searched.
#[derive(Debug, Clone, Copy, Default, ClapArgs)]
pub struct SearchArgs {
    /// Search what `.gitignore` and `.ignore` leave out, too
    #[arg(long)]
    pub no_ignore: bool,
}

impl SearchArgs {
    /// The search, in which links may lead to some places.
    pub fn search(self, links: Links) -> Search {
        Search {
            links,
            ignore_files: !self.no_ignore,
            count: true,
        }
    }
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

/// Whether programs may have holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Holes {
    /// Holes are hints
    Allow,
    /// Holes are errors
    Deny,
}

/// How much a run may use.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct LimitArgs {
    /// End a run after so many calls, commands and resumptions
    #[arg(long, value_name = "COUNT", value_parser = parse_count)]
    pub steps: Option<u64>,
    /// End a run after a time such as `10s` or `500ms`
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// End a run that needs more memory than, say, `512MiB` [default: 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub memory: Option<u64>,
}

/// Where the pictures of a program go.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct PictureArgs {
    /// Write the pictures that the program draws to this directory, as SVG, instead of showing them
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub pictures: Option<PathBuf>,
    /// The colours of its pictures [default: light in files, neutral between a terminal's lines]
    #[arg(long, value_enum)]
    pub theme: Option<PictureTheme>,
}

/// Which files a program may touch.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct GrantArgs {
    /// Let the program read a file, or a directory with all that is in it
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub read: Vec<PathBuf>,
    /// Let the program write a file, or all in a directory
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub write: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct RunArgs {
    /// The program
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The operator to run; it takes no arguments [default: main, or the terms of a notebook]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Run it although there are errors, if none of them is in what it reaches
    #[arg(long)]
    pub despite_errors: bool,
    /// Instead of running it, say of each command whether its handler is known beforehand
    #[arg(long)]
    pub explain_performance: bool,
    /// Look for the handler of every command when it is performed
    #[arg(long)]
    pub no_specialise: bool,
    /// Make no machine code of what is hot
    #[arg(long)]
    pub no_native: bool,
    /// Say afterwards what the run used
    #[arg(long)]
    pub stats: bool,
    /// What the program gets as its arguments, if it includes `args`; behind `--`
    #[arg(value_name = "ARGS")]
    pub arguments: Vec<String>,
    #[command(flatten)]
    pub grants: GrantArgs,
    #[command(flatten)]
    pub pictures: PictureArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub project: ProjectArgs,
}

const BUILT: &str = "\
The executable says what it is, and how much it may use, when it is started with `--frank-info`.";

#[derive(Debug, ClapArgs)]
#[command(after_help = BUILT)]
pub struct BuildArgs {
    /// The program
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The executable [default: in the current directory, with the name of the file without `.fk`]
    #[arg(long, short, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// The operator that it runs; it takes no arguments
    #[arg(long, value_name = "NAME", default_value = frank_analysis::entries::MAIN)]
    pub entry: String,
    /// Have it look for the handler of every command when it is performed
    #[arg(long)]
    pub no_specialise: bool,
    #[command(flatten)]
    pub grants: GrantArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub project: ProjectArgs,
}

#[derive(Debug, ClapArgs)]
#[command(override_usage = "frank eval [OPTIONS] [FILE] TERM")]
pub struct EvalArgs {
    /// The file in whose scope the term stands, if there is one, and the term; options come before
    #[arg(required = true, num_args = 1..=2, value_names = ["FILE", "TERM"], allow_hyphen_values = true)]
    pub words: Vec<String>,
    /// Say afterwards what the run used
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub pictures: PictureArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub project: ProjectArgs,
}

/// The number of a state.
fn parse_first(text: &str) -> Result<u64, String> {
    match parse_count(text)? {
        0 => Err("the first state has the number 1".to_owned()),
        number => Ok(number),
    }
}

#[derive(Debug, ClapArgs)]
pub struct StepArgs {
    /// The program
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// A term in the scope of the file, to be evaluated instead of an operator
    #[arg(allow_hyphen_values = true, conflicts_with = "entry")]
    pub term: Option<String>,
    /// The operator to run; it takes no arguments
    #[arg(long, value_name = "NAME", default_value = frank_analysis::entries::MAIN)]
    pub entry: String,
    /// Show it although there are errors, if none of them is in what it reaches
    #[arg(long)]
    pub despite_errors: bool,
    /// What the states are written as [default: in a terminal, a run to go through by keys; else text]
    #[arg(long, value_enum)]
    pub format: Option<StepFormat>,
    /// The first state that is written, counted from 1
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = parse_first)]
    pub from: u64,
    /// The most states that are written
    #[arg(long, value_name = "COUNT", default_value_t = 100_000, value_parser = parse_count)]
    pub states: u64,
    /// Write only some of the states
    #[arg(long, value_enum, value_name = "WHICH")]
    pub only: Option<OnlyStates>,
    /// The file that the program reads, or `-` for standard input [default: no input]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub input: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub project: ProjectArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum StepFormat {
    /// Terms with marks
    #[default]
    Text,
    /// An object for each state, one a line
    Json,
    /// A page that shows the run by itself
    Html,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnlyStates {
    /// Those in which a command is performed
    Commands,
}

#[derive(Debug, ClapArgs)]
pub struct DeriveArgs {
    /// The program, `*.fk`, or a notebook, `*.fk.md`
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The operator: of type `X -> … -> [Smooth X]X`, whatever its names are, or with lists and
    /// records of `X`
    pub name: String,
    /// The point, such as `2`, `'[1, 2]'`, `'pair 1 2'` or `nan`: arguments in one or several of
    /// these. More than the operator takes are several points [default: what a comment
    /// `-- | at 2.0` says, or 1]
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    pub at: Vec<String>,
    /// With 2, evaluate second derivatives, too
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub order: u8,
    /// Hold each derivative against finite differences
    #[arg(long)]
    pub check: bool,
    /// Write an object with the value and all derivatives for each point, one a line
    #[arg(long)]
    pub json: bool,
    /// Instead of evaluating them, write the operator and its derivatives as code for all points. A
    /// list is as long as that of the point
    #[arg(long, value_enum, value_name = "LANGUAGE", conflicts_with_all = ["check", "json"])]
    pub emit: Option<EmitTarget>,
    /// Simplify the code as if no number were infinite, `nan` or a zero with a sign
    #[arg(long, requires = "emit")]
    pub fast_math: bool,
    /// The colours of `--emit svg`
    #[arg(long, value_enum, default_value = "light", requires = "emit")]
    pub theme: PictureTheme,
    /// Where the code goes [default: standard output]
    #[arg(long, short, requires = "emit", value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub project: ProjectArgs,
}

/// What a picture is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// Braille and box characters, for a terminal
    Text,
    /// A picture between a terminal's lines, in the protocol of kitty
    Kitty,
    /// A picture between a terminal's lines, as sixels
    Sixel,
    Svg,
    Png,
    /// The numbers that would be drawn
    Json,
}

/// What colours a picture has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureTheme {
    Light,
    Dark,
    /// Without a background, to be read on light and dark ones
    Neutral,
}

#[derive(Debug, ClapArgs)]
pub struct PlotArgs {
    /// The program, `*.fk`, or a notebook, `*.fk.md`
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The operator: of type `X -> … -> [Smooth X]X`, whatever its names are, or with lists and
    /// records of `X`
    pub name: String,
    /// The first value of the variable [default: 3 below the point]
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub from: Option<f64>,
    /// The last value of the variable [default: 3 above the point]
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub to: Option<f64>,
    /// Draw derivatives up to this one: 0 for the operator alone. Of two variables it has contour lines
    /// [default: 1, or 0 for several variables in `--over`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    pub order: Option<u8>,
    /// The variable along the picture's lower edge; named twice, for contour lines, also the one upwards
    #[arg(long, value_name = "VARIABLE")]
    pub over: Vec<String>,
    /// The point that is marked, as `frank derive` takes one; other variables are held there
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    pub at: Vec<String>,
    /// Write to a file; its name's end says what: `.svg`, `.png`, `.json` or `.txt`
    #[arg(long, short, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// What the picture is written as [default: what the file's name says, or what the terminal says that
    /// it shows, or text]
    #[arg(long, value_enum)]
    pub format: Option<PictureFormat>,
    /// The colours [default: light, or neutral between a terminal's lines]
    #[arg(long, value_enum)]
    pub theme: Option<PictureTheme>,
    /// Width and height in pixels, or for text in letters [default: 720x440, or the terminal's]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = parse_size)]
    pub size: Option<(u32, u32)>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub project: ProjectArgs,
}

/// A width and a height.
fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let parsed = text.split_once('x').and_then(|(width, height)| {
        let sizes = (width.parse().ok()?, height.parse().ok()?);
        let fits = |size: u32| (10..=4_000).contains(&size);
        (fits(sizes.0) && fits(sizes.1)).then_some(sizes)
    });
    parsed.ok_or_else(|| "a size is such as `720x440`, each from 10 to 4000".to_owned())
}

/// What an operator and its derivatives are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EmitTarget {
    /// C11, to be compiled with `-ffp-contract=off`
    C,
    /// Rust, without dependencies
    Rust,
    /// Python 3
    Python,
    /// WebAssembly, as text
    Wat,
    /// The graph, for Graphviz
    Dot,
    /// A program over the library `ad`
    Frank,
    /// The graph, as data
    Json,
    /// Formulas, for LaTeX with `amsmath`
    Latex,
    /// Formulas, as text
    Formula,
    /// The graph, drawn, with the values at the point
    Svg,
}

/// How many answers are shown.
fn parse_limit(text: &str) -> Result<usize, String> {
    match parse_count(text)? {
        0 => Err("one at least is shown".to_owned()),
        count => Ok(usize::try_from(count).unwrap_or(usize::MAX)),
    }
}

const TYPES: &str = "\
`_` stands for any type, and `…` or `...` for other arguments, or for any result: `<Abort> X -> …`
finds handlers. A type without arguments also finds what gives it: `[Console]Unit`.";

#[derive(Debug, ClapArgs)]
#[command(after_help = TYPES)]
pub struct FindArgs {
    /// The type, as in a signature, such as `List X -> Int`
    #[arg(value_name = "TYPE")]
    pub ty: String,
    /// Files, directories to search for `*.fk` and `*.fk.md`, or `-` for standard input [default: .]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub project: ProjectArgs,
    /// What the answers are written as
    #[arg(long, value_enum, default_value_t)]
    pub format: AnswerFormat,
    /// How many answers are shown at most, the best ones first
    #[arg(long, value_name = "COUNT", default_value = "20", value_parser = parse_limit)]
    pub limit: usize,
    /// Search the library alone
    #[arg(long, conflicts_with = "paths")]
    pub library_only: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    /// For people
    #[default]
    Human,
    /// An object for each answer, one a line
    Json,
}

/// A line, and a column if there is a colon behind it.
fn parse_place(text: &str) -> Result<HolePlace, String> {
    let number = |text: &str| text.parse().ok().filter(|number: &usize| *number > 0);
    let place = match text.split_once(':') {
        None => number(text).map(|line| HolePlace { line, column: None }),
        Some((line, column)) => number(line)
            .zip(number(column))
            .map(|(line, column)| HolePlace {
                line,
                column: Some(column),
            }),
    };
    place.ok_or_else(|| "a place is a line, `6`, or a line with a column, `6:19`".to_owned())
}

/// Where a hole is: both count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HolePlace {
    pub line: usize,
    pub column: Option<usize>,
}

#[derive(Debug, ClapArgs)]
pub struct FillArgs {
    /// The program
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The holes of a line, such as `6`, or the one at a column, `6:19` [default: all of the file]
    #[arg(long, value_name = "LINE[:COLUMN]", value_parser = parse_place)]
    pub at: Option<HolePlace>,
    /// How long to look for the terms of each hole
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_duration)]
    pub timeout: Duration,
    /// What the answers are written as
    #[arg(long, value_enum, default_value_t)]
    pub format: AnswerFormat,
    #[command(flatten)]
    pub project: ProjectArgs,
}

#[derive(Debug, ClapArgs)]
pub struct ReplArgs {
    /// A file whose definitions are there from the start
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Say after each term what its run used
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub pictures: PictureArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub project: ProjectArgs,
}

#[derive(Debug, ClapArgs)]
pub struct TestArgs {
    /// Files, or directories to search for `*.fk` and `*.fk.md` [default: .]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// Try laws with the values that this number makes
    #[arg(long, value_name = "NUMBER", default_value_t = Tries::default().seed)]
    pub seed: u64,
    /// Try each law with so many values
    #[arg(long, value_name = "COUNT", default_value_t = Tries::default().most, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub tries: u32,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub project: ProjectArgs,
}

#[derive(Debug, ClapArgs)]
pub struct FmtArgs {
    /// Files, directories to search for `*.fk` and `*.fk.md`, or `-` to format standard input [default: .]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// Change nothing, name the files that are not formatted, and fail if there are any
    #[arg(long)]
    pub check: bool,
    /// Change nothing, show what would change
    #[arg(long)]
    pub diff: bool,
    #[command(flatten)]
    pub search: SearchArgs,
}

#[derive(Debug, ClapArgs)]
pub struct LspArgs {
    /// Listen on an address of this machine, such as 127.0.0.1:9257, instead
    #[arg(long, value_name = "ADDRESS")]
    pub tcp: Option<SocketAddr>,
    /// Let in the clients that know the token in this file, instead of one that is made and printed
    #[arg(long, value_name = "FILE", requires = "tcp", value_hint = ValueHint::FilePath)]
    pub token_file: Option<PathBuf>,
    /// Append what the server notices to a file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub log: Option<PathBuf>,
    /// Let operators that are run in the editor read a file, or a directory with all that is in it
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, conflicts_with = "tcp")]
    pub read: Vec<PathBuf>,
    /// Let operators that are run in the editor write a file, or all in a directory
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, conflicts_with = "tcp")]
    pub write: Vec<PathBuf>,
    /// What editors say to servers that could also be reached in other ways
    #[arg(long, hide = true, conflicts_with = "tcp")]
    pub stdio: bool,
    /// Also answer requests that only tests make
    #[arg(long, hide = true)]
    pub self_test: bool,
}

#[derive(Debug, ClapArgs)]
pub struct DapArgs {
    #[command(flatten)]
    pub project: ProjectArgs,
}

const SERVED: &str = "\
The client's calls may name the files below the directory, and each call is bounded: the limits are the most that it may \
ask for, and count instead of those of a `frank.toml`.";

#[derive(Debug, ClapArgs)]
#[command(after_help = SERVED)]
pub struct McpArgs {
    /// The directory that is served
    #[arg(default_value = ".", value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,
    /// Let tools change files that they are asked to fix or to format
    #[arg(long)]
    pub allow_write: bool,
    /// End a run after so many calls, commands and resumptions
    #[arg(long, value_name = "COUNT", value_parser = parse_count)]
    pub steps: Option<u64>,
    /// End a run after a time such as `10s` or `500ms`, and the whole call some seconds later
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    pub timeout: Duration,
    /// End a run that needs more memory than this
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = parse_bytes)]
    pub memory: u64,
}

#[derive(Debug, ClapArgs)]
#[group(id = "what", required = true, multiple = false, args = ["install", "uninstall", "connect"])]
pub struct KernelArgs {
    /// Tell Jupyter of this program, for all notebooks of this user
    #[arg(long)]
    pub install: bool,
    /// Take that back
    #[arg(long)]
    pub uninstall: bool,
    /// The environment whose Jupyter is told, such as that of `python -m venv`, instead of the user's
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "connect")]
    pub prefix: Option<PathBuf>,
    /// Serve the notebook that is described in this file; Jupyter does this itself
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub connect: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub project: ProjectArgs,
}

#[derive(Debug, ClapArgs)]
pub struct ExplainArgs {
    /// A code such as FK0201, or words that its page has; without either, all codes are listed
    #[arg(value_name = "CODE")]
    pub wanted: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub struct DoctorArgs {
    /// The directory whose project is looked at [default: .]
    #[arg(value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub directory: Option<PathBuf>,
    /// What the answers are written as
    #[arg(long, value_enum, default_value_t)]
    pub format: AnswerFormat,
}

#[derive(Debug, ClapArgs)]
pub struct CompletionsArgs {
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, ClapArgs)]
pub struct ManArgs {
    /// The directory that gets `frank.1` and a page for each command; it is made if there is none
    #[arg(value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,
}
