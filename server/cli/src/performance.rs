//! What became of a program's commands when it was compiled, as a table.

use std::collections::BTreeMap;
use std::io::{self, Write};

use frank_interpreter::{How, Why};

use crate::execute::Sources;
use crate::output;
use crate::prepared::Prepared;
use crate::project::Project;

/// Writes a line for each command in the program's own files, and in the library what is performed
/// for whom.
pub fn write(project: &Project, prepared: &Prepared) -> io::Result<()> {
    let mut sources = Sources {
        texts: project,
        term: None,
        sources: Vec::new(),
    };
    // The same command stands in the code once for each context of its operator.
    let mut lines: BTreeMap<(String, usize, usize, String), usize> = BTreeMap::new();
    for report in prepared.code().commands() {
        let how = match &report.how {
            How::Direct(handler) => format!("direct, the clause of `{handler}`"),
            How::Dropped(handler) => {
                format!("direct, a jump to the clause of `{handler}`, which drops the rest")
            }
            How::Partly(handler, why) => format!("partly the clause of `{handler}`: {why}"),
            How::Performed(Why::Host) => format!("by the machine: {}", Why::Host),
            How::Performed(why) => format!("dynamic: {why}"),
        };
        let text = format!("`{}` in `{}`: {how}", report.command, report.operator);
        let (file, line, column) = match report.place.map(|p| sources.place(prepared.program(), p))
        {
            Some(range) => {
                let source = sources.sources.get(range.source);
                let position = source.map(|source| source.position(range.start));
                let (line, column) = position.map_or((0, 0), |p| (p.line, p.column));
                (source.map_or_else(String::new, |s| s.shown()), line, column)
            }
            None => (String::new(), 0, 0),
        };
        *lines.entry((file, line, column, text)).or_default() += 1;
    }
    let mut out = output::stdout();
    for ((file, line, column, text), count) in lines {
        let times = match count {
            1 => String::new(),
            count => format!(" ({count} times)"),
        };
        writeln!(out, "{file}:{line}:{column}: {text}{times}")?;
    }
    out.flush()
}
