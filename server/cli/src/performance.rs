//! What became of a program's commands when it was compiled, as a list.

use std::collections::BTreeMap;
use std::io::{self, Write};

use frank_interpreter::{How, Why};

use crate::execute::Sources;
use crate::output;
use crate::prepared::Prepared;
use crate::project::Project;

/// Where a line belongs: what stands in the library comes last.
type Place = (bool, String, usize, usize);

/// How many commands became what.
#[derive(Default)]
struct Sums {
    inlined: usize,
    direct: usize,
    dynamic: usize,
    machine: usize,
}

/// Writes a line for each command in the program's own files, then for those in the library what is performed for whom,
/// and how many there are of each kind.
pub fn write(project: &Project, prepared: &Prepared) -> io::Result<()> {
    let mut sources = Sources {
        texts: project,
        term: None,
        sources: Vec::new(),
    };
    let mut sums = Sums::default();
    // The same command stands in the code once for each context of its operator.
    let mut lines: BTreeMap<(Place, String), usize> = BTreeMap::new();
    for report in prepared.code().commands() {
        let (how, sum) = match &report.how {
            How::Inlined(handler) => (
                format!("inlined: the clause of `{handler}`"),
                &mut sums.inlined,
            ),
            How::Dropped(handler) => (
                format!("inlined: a jump to the clause of `{handler}`, which drops the rest"),
                &mut sums.inlined,
            ),
            How::Partly(handler, why) => (
                format!(
                    "partly inlined: some clauses of `{handler}`; others are searched for: {why}"
                ),
                &mut sums.dynamic,
            ),
            How::Direct(handler, why) => (
                format!("direct: a call of the clause of `{handler}`; not inlined: {why}"),
                &mut sums.direct,
            ),
            How::Instruction => (
                "by the machine: an instruction".to_owned(),
                &mut sums.machine,
            ),
            How::Performed(Why::Host) => {
                (format!("by the machine: {}", Why::Host), &mut sums.machine)
            }
            How::Performed(why) => (format!("dynamic: {why}"), &mut sums.dynamic),
        };
        *sum += 1;
        let text = format!("`{}` in `{}`: {how}", report.command, report.operator);
        let place = report.place;
        let place = match place.map(|p| sources.place(prepared.program(), p)) {
            Some(range) => {
                let source = sources.sources.get(range.source);
                let position = source.map(|source| source.position(range.start));
                let (line, column) = position.map_or((0, 0), |p| (p.line, p.column));
                let shown = source.map_or_else(String::new, |s| s.shown());
                (report.in_library, shown, line, column)
            }
            None => (report.in_library, String::new(), 0, 0),
        };
        *lines.entry((place, text)).or_default() += 1;
    }
    let mut out = output::stdout();
    for (((_, file, line, column), text), count) in lines {
        let times = match count {
            1 => String::new(),
            count => format!(" ({count} times)"),
        };
        writeln!(out, "{file}:{line}:{column}: {text}{times}")?;
    }
    writeln!(
        out,
        "{} inlined, {} direct, {} dynamic, {} by the machine",
        sums.inlined, sums.direct, sums.dynamic, sums.machine
    )?;
    out.flush()
}
