//! How a run is drawn: the state on the left, the handlers around the focus and the source on the right.

use std::ops::Range;

use frank_semantics::show::{Limits, Shower, Text};
use frank_syntax::visible::visible;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};

use super::Stepper;
use super::keys::{HELP, SHORT};
use crate::execute::Sources;
use crate::source::Source;
use crate::states::{place, rule};

/// Fewer columns are too narrow for two panes beside each other.
const NARROW: u16 = 70;

/// The most lines that the output of the program has.
const PRINTED: u16 = 6;

/// How what is marked looks.
#[derive(Clone, Copy)]
struct Styles {
    focus: Style,
    frozen: Style,
    place: Style,
    quiet: Style,
}

impl Styles {
    fn new(is_colored: bool) -> Styles {
        let focus = Style::new().add_modifier(Modifier::UNDERLINED | Modifier::BOLD);
        match is_colored {
            true => Styles {
                focus: focus.fg(Color::Red),
                frozen: Style::new().bg(Color::Blue).fg(Color::White),
                place: Style::new().bg(Color::Yellow).fg(Color::Black),
                quiet: Style::new().add_modifier(Modifier::DIM),
            },
            false => Styles {
                focus,
                frozen: Style::new().add_modifier(Modifier::REVERSED),
                place: Style::new().add_modifier(Modifier::REVERSED),
                quiet: Style::new(),
            },
        }
    }
}

/// Draws everything.
pub fn draw(
    stepper: &Stepper<'_, '_>,
    sources: &mut Sources<'_>,
    is_colored: bool,
    frame: &mut Frame<'_>,
) {
    let Some(moment) = stepper.paths.moments.get(stepper.at) else {
        return;
    };
    let styles = Styles::new(is_colored);
    let semantics = stepper.paths.semantics;
    let rows = Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]);
    let [panes, below] = rows.areas(frame.area());
    let (left, right) = match panes.width < NARROW {
        true => {
            let [left, right] =
                Layout::vertical([Constraint::Fill(3), Constraint::Fill(2)]).areas(panes);
            (left, right)
        }
        false => {
            let [left, right] =
                Layout::horizontal([Constraint::Fill(3), Constraint::Fill(2)]).areas(panes);
            (left, right)
        }
    };
    let printed = semantics.store.text(moment.state.printed);
    let printed: Vec<Line<'_>> = printed.lines().map(|line| Line::raw(shown(line))).collect();
    let height = match u16::try_from(printed.len()).unwrap_or(PRINTED).min(PRINTED) {
        0 => 0,
        lines => lines + 1,
    };
    let [term, output] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(height)]).areas(left);
    let limits = Limits {
        width: usize::from(term.width.saturating_sub(1)).max(20),
        ..Limits::default()
    };
    let mut shower = Shower::new(semantics, limits);
    let more = if stepper.goes_on() { ", and more" } else { "" };
    let number = format!(
        " {} · {} of {}{more} · {} ",
        shown(stepper.what),
        stepper.at + 1,
        stepper.paths.moments.len(),
        rule(moment),
    );
    let (lines, focus) = term_lines(&shower.state(&moment.state), styles);
    pane(
        frame,
        term,
        number,
        Borders::TOP,
        lines,
        focus,
        stepper.moved,
    );
    if height > 0 {
        let last = printed.len() - 1;
        pane(
            frame,
            output,
            " printed ".to_owned(),
            Borders::TOP,
            printed,
            last,
            0,
        );
    }

    let handlers = shower.handlers(&moment.state);
    let mut tower: Vec<Line<'_>> = Vec::new();
    for handler in &handlers {
        let style = if handler.takes {
            styles.frozen
        } else {
            Style::new()
        };
        let sign = if handler.takes { "▶ " } else { "  " };
        tower.push(Line::from(vec![
            Span::styled(
                format!("{sign}{}  ", handler.interfaces.join(", ")),
                style.add_modifier(Modifier::BOLD),
            ),
            Span::styled(shown(&handler.text), style),
        ]));
    }
    tower.push(Line::styled("  the host", styles.quiet));
    let taker = handlers
        .iter()
        .position(|handler| handler.takes)
        .unwrap_or(0);
    let most = (right.height / 2).max(2);
    let height = u16::try_from(tower.len() + 1).unwrap_or(most).min(most);
    let [around, source] =
        Layout::vertical([Constraint::Length(height), Constraint::Fill(1)]).areas(right);
    let beside = match panes.width < NARROW {
        true => Borders::TOP,
        false => Borders::TOP | Borders::LEFT,
    };
    pane(
        frame,
        around,
        " handlers, the innermost first ".to_owned(),
        beside,
        tower,
        taker,
        0,
    );
    if let Some(at) = place(semantics, sources, &moment.state)
        && let Some(text) = sources.sources.get(at.source)
    {
        let title = format!(" {} ", shown(&text.shown()));
        let (lines, focus) = source_lines(text, at.start..at.end, source.height, styles);
        pane(frame, source, title, beside, lines, focus, 0);
    } else {
        pane(frame, source, String::new(), beside, Vec::new(), 0, 0);
    }
    let last = match (&stepper.asked, &stepper.message, stepper.end()) {
        (Some((question, answer)), _, _) => {
            Line::raw(format!("{}{}▏", question.text(), shown(answer)))
        }
        (None, Some(message), _) => Line::styled(shown(message), Modifier::BOLD),
        (None, None, Some(end)) => Line::styled(shown(&end), Modifier::BOLD),
        (None, None, None) => Line::styled(SHORT, styles.quiet),
    };
    frame.render_widget(last, below);
    if stepper.has_help {
        help(frame, panes);
    }
}

/// Lines under a title, moved so that one of them is in view.
fn pane(
    frame: &mut Frame<'_>,
    area: Rect,
    title: String,
    borders: Borders,
    lines: Vec<Line<'_>>,
    wanted: usize,
    moved: isize,
) {
    let height = usize::from(area.height.saturating_sub(1)).max(1);
    let most = lines.len().saturating_sub(height);
    // A line that would be in view anyway moves nothing.
    let first = if wanted < height {
        0
    } else {
        wanted.saturating_sub(height / 2)
    };
    let first = first.saturating_add_signed(moved).min(most);
    let lines: Vec<Line<'_>> = lines.into_iter().skip(first).take(height).collect();
    let block = Block::new().borders(borders).title(title);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// The lines of a term, and the one in which the focus begins.
fn term_lines(text: &Text, styles: Styles) -> (Vec<Line<'static>>, usize) {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut focus = 0;
    for line in text.text.split('\n') {
        let length = line.chars().count();
        if (start..=start + length).contains(&text.focus.start) {
            focus = lines.len();
        }
        let style = |at: usize| {
            let at = start + at;
            let is_frozen = text.frozen.iter().any(|part| part.contains(&at));
            let style = if is_frozen {
                styles.frozen
            } else {
                Style::new()
            };
            match text.focus.contains(&at) {
                // What is both has the ground of the one and the line of the other.
                true if is_frozen => style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD),
                true => styles.focus,
                false => style,
            }
        };
        lines.push(styled(line, style));
        start += length + 1;
    }
    (lines, focus)
}

/// The lines of a source around a place, and which of them is the first one of the place.
fn source_lines(
    source: &Source,
    place: Range<usize>,
    height: u16,
    styles: Styles,
) -> (Vec<Line<'static>>, usize) {
    let at = source.line(place.start);
    let first = at.saturating_sub(usize::from(height));
    let mut lines = Vec::new();
    for number in first..=at + usize::from(height) {
        let range = source.line_range(number);
        let Some(line) = source.text.get(range.clone()) else {
            break;
        };
        if range.start >= source.text.len() && number > at {
            break;
        }
        let offsets: Vec<usize> = line
            .char_indices()
            .map(|(offset, _)| range.start + offset)
            .collect();
        let style = |at: usize| match offsets.get(at) {
            Some(offset) if place.contains(offset) => styles.place,
            _ => Style::new(),
        };
        lines.push(styled(line.trim_end_matches(['\n', '\r']), style));
    }
    (lines, at - first)
}

/// A line in parts that look the same; `style` is that of each character.
fn styled(line: &str, style: impl Fn(usize) -> Style) -> Line<'static> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (at, c) in line.chars().enumerate() {
        let wanted = style(at);
        let mut bytes = [0; 4];
        let text = shown(c.encode_utf8(&mut bytes));
        match spans.last_mut() {
            Some(last) if last.style == wanted => last.content.to_mut().push_str(&text),
            _ => spans.push(Span::styled(text, wanted)),
        }
    }
    Line::from(spans)
}

/// Text that is not ours, as it may stand in a terminal.
fn shown(text: &str) -> String {
    visible(text).replace('\t', "  ")
}

fn help(frame: &mut Frame<'_>, area: Rect) {
    let lines = HELP
        .iter()
        .map(|(keys, what)| Line::raw(format!(" {keys:<15}{what}")));
    let lines: Vec<Line<'_>> = lines.collect();
    let height = u16::try_from(lines.len() + 2)
        .unwrap_or(u16::MAX)
        .min(area.height);
    let width = 72.min(area.width);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    let block = Block::bordered().title(" keys ");
    frame.render_widget(Paragraph::new(lines).block(block), place);
}
