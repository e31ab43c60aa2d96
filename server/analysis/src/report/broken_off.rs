//! Lines that belong to the item above them and begin in its column, where each begins an item of its own.

use frank_syntax::error::SyntaxErrorKind;
use frank_syntax::parse::parse_item;
use text_size::{TextRange, TextSize};

use crate::db::{Db, ItemSource, OutlineEntry, SourceFile, has_syntax_errors, item_name, parsed};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};

/// So many lines at most are taken for parts of one item.
const MOST_LINES: usize = 20;

/// What is written in front of such a line.
const INDENT: &str = "  ";

/// Puts one finding in the place of those of an item that breaks off and of the lines below it, if all
/// together is an item once the lines are indented.
pub fn told_once(db: &dyn Db, file: SourceFile, problems: &mut Vec<Diagnostic>) {
    let mut broken: Vec<ItemSource> = Vec::new();
    for problem in problems.iter() {
        let source = problem.location.item;
        let is_new = !broken.contains(&source) && source.file(db) == file;
        if problem.code == Code::UnexpectedToken && is_new && breaks_off(db, source) {
            broken.push(source);
        }
    }
    let outline = file.outline(db);
    for source in broken {
        let Some(at) = outline.iter().position(|entry| entry.item == source) else {
            continue;
        };
        let below = outline.get(at + 1..).unwrap_or_default();
        let Some(lines) = rest_of(db, source, below) else {
            continue;
        };
        let is_part = |item: ItemSource| item == source || lines.contains(&item);
        let first = problems
            .iter()
            .position(|problem| is_part(problem.location.item));
        problems.retain(|problem| !is_part(problem.location.item));
        let place = first.unwrap_or(problems.len()).min(problems.len());
        problems.insert(place, told(db, source, &lines));
    }
}

fn breaks_off(db: &dyn Db, source: ItemSource) -> bool {
    let last = parsed(db, source).errors.last();
    last.is_some_and(|error| error.kind == SyntaxErrorKind::BrokenOff)
}

/// The lines below an item that are its rest: with them, indented, it parses.
fn rest_of(db: &dyn Db, source: ItemSource, below: &[OutlineEntry]) -> Option<Vec<ItemSource>> {
    let mut text = source.text(db).to_owned();
    let mut lines = Vec::new();
    for entry in below.iter().take(MOST_LINES) {
        if !has_syntax_errors(db, entry.item) {
            return None;
        }
        let line = entry.item.text(db);
        let (above, rest) = line.split_at_checked(start(db, entry.item).into())?;
        text.extend([above, INDENT, rest]);
        lines.push(entry.item);
        if parse_item(&text).errors.is_empty() {
            return Some(lines);
        }
    }
    None
}

/// Where the first token of an item stands in its text.
fn start(db: &dyn Db, source: ItemSource) -> TextSize {
    let parsed = parsed(db, source);
    parsed.source_map.range(parsed.item.id).start()
}

fn told(db: &dyn Db, source: ItemSource, lines: &[ItemSource]) -> Diagnostic {
    let begin = |line: ItemSource| {
        let start = start(db, line);
        let rest = line.text(db).get(start.into()..).unwrap_or_default();
        let word = rest.split_whitespace().next().unwrap_or_default();
        let width = TextSize::try_from(word.len()).unwrap_or_default();
        Location::range(line, TextRange::at(start, width))
    };
    let at = begin(lines.first().copied().unwrap_or(source));
    let problem = Diagnostic::new(
        Code::UnexpectedToken,
        at,
        "this line begins where items begin, and the item above it is not finished",
    );
    let problem = match item_name(db, source) {
        Some(name) => problem.related(Location::node(source, name), "this goes on below"),
        None => problem,
    };
    let edit = |line: &ItemSource| Edit {
        location: begin(*line),
        position: Position::Before,
        text: INDENT.to_owned(),
    };
    problem
        .help("indent it: what begins in the column of an item is an item of its own")
        .fix(Fix {
            title: "indent it".to_owned(),
            edits: lines.iter().map(edit).collect(),
            safe: true,
        })
}
