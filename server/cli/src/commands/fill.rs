//! `frank fill`: what fits holes, and whole terms for them.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use frank_ide::{Analysis, FilePosition, Filled, Filling, Hole, HoleFit};
use frank_syntax::visible::visible;
use serde::Serialize;

use crate::Outcome;
use crate::args::{AnswerFormat, FillArgs, HolePlace};
use crate::commands::run::open;
use crate::execute::Interrupt;
use crate::json;
use crate::output::{self, complain, visible_path};
use crate::source::{Position, Positions, Source};

/// Looks at the holes of a file, one after the other. What else is wrong with the file does not matter.
pub fn run(args: &FillArgs) -> io::Result<Outcome> {
    let Some((project, scope)) = open(&args.file, &args.project) else {
        return Ok(Outcome::Unusable);
    };
    let unusable = project.report_problems();
    let analysis = Analysis::new(project.files.snapshot());
    let path = scope.path(project.files.db()).to_owned();
    let text = project.files.text(scope);
    let source = Source::new(project.names.show(&path), path, text);
    let interrupt = Interrupt::listen();
    let interrupted = || interrupt.flag().load(Ordering::Relaxed);
    let mut out = output::stdout();
    let mut count = 0;
    for hole in analysis.holes(scope) {
        let range = source.positions(hole.range.into());
        if !args.at.is_none_or(|place| has(range, place)) {
            continue;
        }
        count += 1;
        let at = FilePosition {
            file: scope,
            offset: hole.range.start(),
        };
        let filling = Filling {
            time: args.timeout,
            ..Filling::on_request()
        };
        let fits = analysis.fits(at).unwrap_or_default();
        let filled = analysis.fill(at, filling, &interrupted);
        if interrupted() {
            return Ok(Outcome::Interrupted);
        }
        match args.format {
            AnswerFormat::Human => human(&mut out, &source, range, &hole, &fits, filled.as_ref())?,
            AnswerFormat::Json => {
                let object = object(&source, range, &hole, &fits, filled.as_ref());
                let object = serde_json::to_string(&object)?;
                writeln!(out, "{}", json::visible(&object))?;
            }
        }
    }
    if count == 0 {
        let place = match args.at {
            Some(_) => "there",
            None => "in this file",
        };
        complain(format_args!(
            "{}: there is no hole {place}",
            visible_path(&args.file)
        ));
        return Ok(Outcome::Findings);
    }
    Ok(match unusable {
        true => Outcome::Unusable,
        false => Outcome::Success,
    })
}

/// Whether a place is in a range, or right behind it.
fn has(range: Positions, place: HolePlace) -> bool {
    let Positions { start, end } = range;
    let columns = start.column..=end.column;
    start.line == place.line && place.column.is_none_or(|column| columns.contains(&column))
}

fn human(
    out: &mut impl Write,
    source: &Source,
    range: Positions,
    hole: &Hole,
    fits: &[HoleFit],
    filled: Option<&Filled>,
) -> io::Result<()> {
    let Position { line, column } = range.start;
    let ty = hole
        .ty
        .as_deref()
        .unwrap_or("of a type that nothing decides");
    let (place, name) = (source.shown(), &hole.name);
    writeln!(out, "{place}:{line}:{column}: {name} : {}", visible(ty))?;
    for fit in fits {
        writeln!(out, "  {}", visible(&fit.text))?;
    }
    let Some(filled) = filled else {
        return Ok(());
    };
    writeln!(out, "whole terms:")?;
    for term in &filled.terms {
        let says = match term.examples_hold {
            Some(true) => "  (the examples hold)",
            Some(false) => "  (an example does not hold)",
            None => "",
        };
        writeln!(out, "  {}{says}", visible(&term.text))?;
    }
    writeln!(out, "  {}", visible(&filled.note()))
}

/// What is found for a hole. The form is stable.
#[derive(Serialize)]
struct Object<'f> {
    file: &'f str,
    range: Positions,
    hole: &'f str,
    inside: &'f str,
    #[serde(rename = "type")]
    ty: Option<&'f str>,
    fits: Vec<Fit<'f>>,
    terms: Vec<Term<'f>>,
    note: String,
}

#[derive(Serialize)]
struct Fit<'f> {
    text: &'f str,
    holes: bool,
}

#[derive(Serialize)]
struct Term<'f> {
    text: &'f str,
    size: u32,
    /// `null` if none was run.
    examples: Option<bool>,
}

fn object<'f>(
    source: &'f Source,
    range: Positions,
    hole: &'f Hole,
    fits: &'f [HoleFit],
    filled: Option<&'f Filled>,
) -> Object<'f> {
    let fits = fits.iter().map(|fit| Fit {
        text: &fit.text,
        holes: fit.has_holes,
    });
    let terms = filled.into_iter().flat_map(|filled| &filled.terms);
    let terms = terms.map(|term| Term {
        text: &term.text,
        size: term.size,
        examples: term.examples_hold,
    });
    Object {
        file: &source.name,
        range,
        hole: &hole.name,
        inside: &hole.inside,
        ty: hole.ty.as_deref(),
        fits: fits.collect(),
        terms: terms.collect(),
        note: filled.map(Filled::note).unwrap_or_default(),
    }
}
