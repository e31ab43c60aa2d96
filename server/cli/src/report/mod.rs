//! The forms in which findings are written.

mod github;
pub mod human;
mod json;
mod junit;
mod sarif;

use std::io::{self, Write};

use crate::args::Format;
use crate::findings::Findings;
use crate::names::Names;
use crate::project::Problem;

/// What writers need to know beside the findings.
pub struct Options<'o> {
    pub format: Format,
    pub colored: bool,
    /// Whether warnings count as failures.
    pub deny_warnings: bool,
    pub names: &'o Names,
    /// Files that could not be read, and the like. People read about them on standard error.
    pub problems: &'o [Problem],
    /// How many programs `.gitignore` and `.ignore` have left out.
    pub left_out: usize,
}

/// Writes findings. The human form ends with a line that sums them up.
pub fn write(out: &mut dyn Write, findings: &Findings, options: &Options) -> io::Result<()> {
    match options.format {
        Format::Human => {
            human::write(out, findings, options.colored)?;
            human::summary(out, findings, options)
        }
        Format::Json => json::write(out, findings),
        Format::Github => github::write(out, findings, options),
        Format::Sarif => sarif::write(out, findings, options),
        Format::Junit => junit::write(out, findings, options),
    }
}
