//! `frank check`: what is wrong with programs.

use std::io;

use frank_workspace::config;

use crate::Outcome;
use crate::args::{CheckArgs, Color, Format, Holes};
use crate::output::{self, complain};
use crate::project::{Project, is_stdin};
use crate::verdict::check;
use crate::{fix, watch};

/// Checks what the arguments name, once or again and again.
pub fn run(args: &CheckArgs, color: Color) -> io::Result<Outcome> {
    if args.paths.iter().any(|path| is_stdin(path)) && (args.watch || args.fix && !args.diff) {
        let done = if args.watch { "watched" } else { "fixed" };
        complain(format_args!("standard input cannot be {done}"));
        return Ok(Outcome::Unusable);
    }
    if args.diff && args.format != Format::Human {
        complain(format_args!(
            "`--diff` writes a difference, and `--format` a report: give one of them"
        ));
        return Ok(Outcome::Unusable);
    }
    let mut project = Project::open(&args.paths, &args.project);
    project.set_holes(args.holes.map(|holes| match holes {
        Holes::Allow => config::Holes::Allow,
        Holes::Deny => config::Holes::Deny,
    }));
    project.files.set_verbose(args.verbose);
    if args.watch {
        // There is nothing to wait for when nobody reads any more, so here that is an error.
        return watch::run(&mut project, |project| {
            check(project, args, color, &mut io::stdout().lock()).map(|_| ())
        });
    }
    if args.fix || args.diff {
        return fix::run(&mut project, args, color);
    }
    check(&project, args, color, &mut output::stdout())
}
