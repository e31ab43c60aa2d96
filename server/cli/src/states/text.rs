//! States for people: terms in lines, with marks.

use std::io::{self, Write};

use frank_semantics::show::{Limits, Text, quoted};
use frank_syntax::visible::visible;
use textwrap::core::display_width;

use super::{States, rule};

/// Writes the states, in colours or without.
pub fn write(
    out: &mut impl Write,
    states: &mut States<'_, '_, '_, impl Iterator<Item = usize>>,
    is_styled: bool,
) -> io::Result<()> {
    let mut shower = states.shower(Limits::default().width);
    let mut number = states.from;
    let (mut printed, mut known) = (None, String::new());
    while let Some(moment) = states.next() {
        let shown = shower.state(&moment.state);
        write_state(out, number, rule(moment), &shown, is_styled)?;
        if let Some(all) = states.printed_since(&mut printed, moment) {
            let new = all.strip_prefix(&known).unwrap_or(&all);
            writeln!(
                out,
                "  printed {}",
                quoted(&new.chars().collect::<Vec<_>>(), '"')
            )?;
            known = all;
        }
        number += 1;
    }
    Ok(())
}

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const UNDERLINE: &str = "\x1b[4m";
const HIGHLIGHT: &str = "\x1b[7m";
const PLAIN: &str = "\x1b[0m";

/// A state as lines: the focus is underlined, frozen frames are highlighted. Without styles, signs below a line say so:
/// `^` for the focus, `~` for what is frozen, `=` for what is both.
fn write_state(
    out: &mut impl Write,
    number: usize,
    rule: &str,
    shown: &Text,
    styled: bool,
) -> io::Result<()> {
    match styled {
        true => writeln!(out, "{BOLD}{number}{PLAIN} {DIM}{rule}{PLAIN}")?,
        false => writeln!(out, "{number} {rule}")?,
    }
    let mut start = 0;
    for line in shown.text.split('\n') {
        let length = line.chars().count();
        let marks: Vec<Option<char>> = (start..start + length)
            .map(|at| {
                let is_frozen = shown.frozen.iter().any(|part| part.contains(&at));
                match (shown.focus.contains(&at), is_frozen) {
                    (true, true) => Some('='),
                    (true, false) => Some('^'),
                    (false, true) => Some('~'),
                    (false, false) => None,
                }
            })
            .collect();
        let blanks = line.chars().take_while(|c| *c == ' ').count();
        match styled {
            true => writeln!(out, "  {}", styled_line(line, start, shown))?,
            false => {
                writeln!(out, "  {}", visible(line))?;
                let signs = line.chars().zip(&marks).enumerate().map(|(at, (c, mark))| {
                    let sign = mark.filter(|_| at >= blanks).unwrap_or(' ');
                    sign.to_string().repeat(columns(c))
                });
                let signs: String = signs.collect();
                if !signs.trim().is_empty() {
                    writeln!(out, "  {}", signs.trim_end())?;
                }
            }
        }
        start += length + 1;
    }
    Ok(())
}

/// How many columns of a terminal a character takes as it is shown: two for those of Chinese, none for an accent that
/// stands on another character.
fn columns(c: char) -> usize {
    let mut bytes = [0; 4];
    display_width(&visible(c.encode_utf8(&mut bytes)))
}

/// A line with its styles, which change where marks begin or end.
fn styled_line(line: &str, start: usize, shown: &Text) -> String {
    let mut text = String::new();
    let mut current = (false, false);
    for (at, c) in (start..).zip(line.chars()) {
        let is_frozen = shown.frozen.iter().any(|part| part.contains(&at));
        let wanted = (shown.focus.contains(&at), is_frozen);
        if wanted != current {
            text += PLAIN;
            if wanted.1 {
                text += HIGHLIGHT;
            }
            if wanted.0 {
                text += UNDERLINE;
            }
            current = wanted;
        }
        let mut bytes = [0; 4];
        text += &visible(c.encode_utf8(&mut bytes));
    }
    if current != (false, false) {
        text += PLAIN;
    }
    text
}
