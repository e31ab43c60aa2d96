//! Edits that fix a finding.

use frank_syntax::ast::NodeId;
use frank_syntax::lexer::{Kind, lex};
use text_size::{TextRange, TextSize};

use crate::db::{Db, ItemSource, parsed};
use crate::diagnostics::{Diagnostic, Edit, Fix, Location, Position};

/// Writes another name in place of a misspelt one.
pub fn rename(at: Location, name: &str) -> Fix {
    replace(at, name, format!("write `{name}`"))
}

/// Asks whether one of some names was meant, and offers each. Without a name nothing is asked.
pub fn did_you_mean(mut problem: Diagnostic, at: Location, names: &[&str]) -> Diagnostic {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let shown = match &quoted[..] {
        [] => return problem,
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    };
    problem = problem.help(format!("did you mean {shown}?"));
    // Of several names nobody knows which one is meant.
    problem.fixes.extend(names.iter().map(|name| Fix {
        safe: names.len() == 1,
        ..rename(at, name)
    }));
    problem
}

/// Puts `text` in place of what stands at `at`. Nothing else is meant, as far as that goes.
pub fn replace(at: Location, text: &str, title: String) -> Fix {
    let edit = Edit {
        location: at,
        position: Position::Replace,
        text: text.to_owned(),
    };
    Fix {
        title,
        edits: vec![edit],
        safe: true,
    }
}

/// Writes something before and something behind what stands at `at`. Nothing else is meant, as far as
/// that goes.
pub fn around(at: Location, before: &str, after: &str, title: &str) -> Fix {
    let edit = |position, text: &str| Edit {
        location: at,
        position,
        text: text.to_owned(),
    };
    Fix {
        title: title.to_owned(),
        edits: vec![edit(Position::Before, before), edit(Position::After, after)],
        safe: true,
    }
}

/// Writes a comma for the bar behind the effect variable at `tail`: `[Console, State Int]` for `[Console|State Int]`.
/// Nothing else is meant, as far as that goes.
pub fn comma_for_bar(db: &dyn Db, source: ItemSource, tail: NodeId) -> Option<Fix> {
    let start = parsed(db, source).source_map.range(tail).end();
    let rest = source.text(db).get(start.into()..)?;
    let bar = TextSize::try_from(rest.find('|')?).ok()? + TextSize::of('|');
    let at = Location::range(source, TextRange::new(start, start + bar));
    let is_apart = !rest.get(bar.into()..)?.starts_with(char::is_whitespace);
    let text = if is_apart { ", " } else { "," };
    Some(replace(at, text, "write a comma".to_owned()))
}

/// Puts `_` in place of a name that nothing reads.
pub fn ignore(at: Location, safe: bool) -> Fix {
    Fix {
        safe,
        ..replace(at, "_", "write `_`".to_owned())
    }
}

/// Writes a line above an item. Nothing else is meant, as far as that goes.
pub fn insert_above(source: ItemSource, line: &str, title: String) -> Fix {
    let edit = Edit {
        location: Location::node(source, NodeId(0)),
        position: Position::Before,
        text: format!("{line}\n"),
    };
    Fix {
        title,
        edits: vec![edit],
        safe: true,
    }
}

/// Leaves out the first term of a sequence, `first; …`, with the `;`. Something else may be meant.
pub fn leave_out_first(
    db: &dyn Db,
    source: ItemSource,
    sequence: NodeId,
    first: NodeId,
) -> Option<Fix> {
    let semicolon = semicolon(db, source, sequence, first)?;
    let rest = source.text(db).get(semicolon.end().into()..)?;
    // A comment after the `;` is about what stays.
    let end = match lex(rest).next() {
        Some((Kind::Blank, blank)) => semicolon.end() + TextSize::try_from(blank.end).ok()?,
        _ => semicolon.end(),
    };
    let start = parsed(db, source).source_map.range(sequence).start();
    let at = Location::range(source, TextRange::new(start, end));
    Some(Fix {
        safe: false,
        ..replace(at, "", "leave it out".to_owned())
    })
}

/// Writes commas for the `;` of sequences, each given with its first term.
pub fn write_commas(
    db: &dyn Db,
    source: ItemSource,
    sequences: &[(NodeId, NodeId)],
) -> Option<Fix> {
    let edits = sequences.iter().map(|(sequence, first)| {
        Some(Edit {
            location: Location::range(source, semicolon(db, source, *sequence, *first)?),
            position: Position::Replace,
            text: ",".to_owned(),
        })
    });
    Some(Fix {
        title: "write `,`".to_owned(),
        edits: edits.collect::<Option<_>>()?,
        safe: false,
    })
}

/// Writes parentheses in the place of the braces around a term. Nothing else is meant, as far as that goes.
pub fn leave_out_braces(db: &dyn Db, at: Location) -> Option<Fix> {
    let range = at.in_item(db);
    let text = at
        .item
        .text(db)
        .get(std::ops::Range::<usize>::from(range))?;
    let inner = text.strip_prefix('{')?.strip_suffix('}')?.trim();
    let title = "leave out the braces".to_owned();
    Some(replace(at, &format!("({inner})"), title))
}

/// Leaves out the `!` behind a name. Nothing else is meant, as far as that goes.
pub fn leave_out_force(db: &dyn Db, source: ItemSource, name: NodeId) -> Option<Fix> {
    let end = parsed(db, source).source_map.range(name).end();
    let rest = source.text(db).get(end.into()..)?;
    let (_, found) = lex(rest).find(|(kind, _)| !kind.is_trivia())?;
    let bang = (rest.get(found.clone()) == Some("!")).then_some(found.end)?;
    let at = TextRange::at(end, TextSize::try_from(bang).ok()?);
    let title = "leave out the `!`".to_owned();
    Some(replace(Location::range(source, at), "", title))
}

/// The `;` of a sequence. Parentheses and comments may stand before it.
fn semicolon(
    db: &dyn Db,
    source: ItemSource,
    sequence: NodeId,
    first: NodeId,
) -> Option<TextRange> {
    let map = &parsed(db, source).source_map;
    let start = map.range(first).end();
    let rest = source
        .text(db)
        .get(start.into()..map.range(sequence).end().into())?;
    let (_, found) = lex(rest).find(|(_, at)| rest.get(at.clone()) == Some(";"))?;
    let offset = |at: usize| Some(start + TextSize::try_from(at).ok()?);
    Some(TextRange::new(offset(found.start)?, offset(found.end)?))
}
