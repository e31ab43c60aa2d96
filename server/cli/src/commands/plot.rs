//! `frank plot`: draws a smooth operator and its derivatives.
//!
//! A program built without the feature `plot` gives the numbers as JSON, and says that it cannot draw.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use frank_analysis::db::SourceFile;
use frank_ide::Analysis;
use frank_ide::plot::{Plot, PlotQuestion};
use frank_interpreter::Limits;
use frank_lsp::plots::as_json;
use frank_syntax::visible::visible;
use frank_workspace::disk::System;

use crate::Outcome;
use crate::args::{Color, PictureFormat, PictureTheme, PlotArgs};
use crate::commands::run::open;
use crate::drawn;
use crate::execute::{self, Interrupt, limits};
use crate::inline;
use crate::json;
use crate::output::{self, complain, visible_path};
use crate::places::of_failure;
use crate::project::Project;
use crate::targets::refusal;

/// A picture in a terminal has no more columns, and no more rows.
const MOST_LETTERS: usize = 500;

/// Checks a file, then draws one of its operators.
pub fn run(args: &PlotArgs, color: Color) -> io::Result<Outcome> {
    let format = match format(args, color) {
        Ok(format) => format,
        Err(reason) => return Ok(unusable(&reason)),
    };
    let Some((project, scope)) = open(&args.file, &args.project) else {
        return Ok(Outcome::Unusable);
    };
    if let Err(outcome) = execute::check(&project, color)? {
        return Ok(outcome);
    }
    let question = PlotQuestion {
        at: None,
        from: args.from,
        to: args.to,
        order: args.order.unwrap_or(u8::from(args.over.len() < 2)),
        over: &args.over,
        moved: &[],
    };
    if let Some(path) = &args.output
        && let Some(reason) = refusal(&project, path, "the picture")
    {
        return Ok(unusable(&reason));
    }
    let limits = limits(&args.limits, &project.config.config.limits);
    let interrupt = Interrupt::listen();
    let asked = (&args.name[..], &args.at[..], question);
    let plot = match find(&project, scope, asked, &limits, &interrupt) {
        Ok(plot) => plot,
        Err(Trouble::Refused(reason)) => {
            let file = visible_path(&args.file);
            return Ok(unusable(&format!("{file}: {reason}")));
        }
        Err(Trouble::Failed(reason)) => {
            complain(format_args!("error: {reason}"));
            return Ok(Outcome::RunFailed);
        }
        Err(Trouble::Interrupted) => return Ok(Outcome::Interrupted),
    };
    let looks = Looks {
        theme: args.theme,
        size: args.size,
        colored: args.output.is_none() && output::colored(color, &io::stdout()),
    };
    let contents = match contents(&plot, format, &looks) {
        Ok(contents) => contents,
        Err(reason) => return Ok(unusable(&reason)),
    };
    let Some(path) = &args.output else {
        output::stdout().write_all(&contents)?;
        return Ok(Outcome::Success);
    };
    match frank_workspace::write::write(&System, path, &contents) {
        Ok(()) => Ok(Outcome::Success),
        Err(error) => Ok(unusable(&format!("{}: {error}", visible_path(path)))),
    }
}

/// Why there is no picture; with what is said.
pub enum Trouble {
    /// It cannot be asked for.
    Refused(String),
    /// Evaluations failed.
    Failed(String),
    Interrupted,
}

/// What is to be drawn of an operator: its name, the point's texts as `--at` takes them, and the rest.
type Asked<'a> = (&'a str, &'a [String], PlotQuestion<'a>);

/// Evaluates an operator for its picture.
///
/// # Errors
/// There is no picture; why.
pub fn find(
    project: &Project,
    scope: SourceFile,
    (name, at, question): Asked<'_>,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<Plot, Trouble> {
    let analysis = Analysis::new(project.files.snapshot());
    let at = point(&analysis, scope, name, at)?;
    let question = PlotQuestion {
        at: at.as_deref(),
        ..question
    };
    let plan = analysis.plot_plan(scope, name, &question);
    let plan = plan.map_err(|refusal| refused(&refusal.to_string()))?;
    // A plan needs nothing of the files.
    drop(analysis);
    let limits = Limits {
        cancelled: Some(interrupt.flag()),
        ..limits.clone()
    };
    plan.draw(&limits, || ()).map_err(|failure| {
        if interrupt.flag().load(Ordering::Relaxed) {
            return Trouble::Interrupted;
        }
        let places = of_failure(project, &failure);
        Trouble::Failed(format!("{}{places}", failure.message))
    })
}

/// Draws for the terminal that standard output is.
///
/// # Errors
/// This program cannot draw.
pub fn for_terminal(plot: &Plot, color: Color) -> Result<Vec<u8>, String> {
    let looks = Looks {
        theme: None,
        size: None,
        colored: output::colored(color, &io::stdout()),
    };
    contents(plot, inline::format(color), &looks)
}

fn refused(reason: &str) -> Trouble {
    Trouble::Refused(visible(reason).into_owned())
}

fn unusable(reason: &str) -> Outcome {
    complain(format_args!("{reason}"));
    Outcome::Unusable
}

/// What the picture is written as.
fn format(args: &PlotArgs, color: Color) -> Result<PictureFormat, String> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    let Some(path) = &args.output else {
        return Ok(inline::format(color));
    };
    let end = path.extension().and_then(|end| end.to_str());
    Ok(match end.map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => PictureFormat::Svg,
        Some("png") => PictureFormat::Png,
        Some("json") => PictureFormat::Json,
        Some("txt") => PictureFormat::Text,
        _ => {
            return Err(format!(
                "{}: a picture's name ends in `.svg`, `.png`, `.json` or `.txt`; or `--format` says what it is",
                visible_path(path)
            ));
        }
    })
}

/// The point that was asked for, a text for each argument.
fn point(
    analysis: &Analysis,
    scope: SourceFile,
    name: &str,
    at: &[String],
) -> Result<Option<Vec<String>>, Trouble> {
    if at.is_empty() {
        return Ok(None);
    }
    let points = analysis.points(scope, name, at);
    let mut points = points.map_err(|refusal| refused(&refusal.to_string()))?;
    match points.len() {
        1 => Ok(points.pop()),
        many => Err(refused(&format!(
            "a picture has one point, and there are {many} here"
        ))),
    }
}

/// How a picture looks, as far as somebody said so.
struct Looks {
    theme: Option<PictureTheme>,
    size: Option<(u32, u32)>,
    /// Text may have escape sequences for colours.
    colored: bool,
}

fn contents(plot: &Plot, format: PictureFormat, looks: &Looks) -> Result<Vec<u8>, String> {
    if !drawn::CAN_DRAW && format != PictureFormat::Json {
        return Err(format!("{}, or ask for `--format json`", drawn::CANNOT));
    }
    match format {
        PictureFormat::Json => {
            let text = json::visible(&as_json(plot).to_string()).into_owned();
            Ok((text + "\n").into_bytes())
        }
        PictureFormat::Text => {
            let (columns, rows) = match looks.size {
                Some((columns, rows)) => (columns as usize, rows as usize),
                None => output::size(),
            };
            if columns > MOST_LETTERS || rows > MOST_LETTERS {
                return Err(format!(
                    "a picture of letters has at most {MOST_LETTERS} in each direction"
                ));
            }
            drawn::text(plot, looks.colored, (columns, rows)).map(String::into_bytes)
        }
        PictureFormat::Kitty | PictureFormat::Sixel => {
            // Nobody knows the background of a terminal.
            let theme = looks.theme.unwrap_or(PictureTheme::Neutral);
            let (columns, size) = match looks.size {
                Some(size) => (None, size),
                None => {
                    let (columns, size) = inline::room();
                    (Some(columns), size)
                }
            };
            drawn::inline(plot, format, theme, (columns, size)).map(String::into_bytes)
        }
        PictureFormat::Svg => {
            let theme = looks.theme.unwrap_or(PictureTheme::Light);
            drawn::svg(plot, theme, looks.size).map(String::into_bytes)
        }
        PictureFormat::Png => {
            let theme = looks.theme.unwrap_or(PictureTheme::Light);
            drawn::png(plot, theme, looks.size)
        }
    }
}
