//! How a run is drawn: the state on the left, the handlers around the focus and the source on the right.

use std::ops::Range;

use frank_semantics::show::{Limits, READABLE, Shower, Text, changed};
use frank_semantics::state::State;
use frank_syntax::visible::visible;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};
use textwrap::core::display_width;

use super::Stepper;
use super::keys::{HELP, SHORT};
use crate::execute::Sources;
use crate::source::Source;
use crate::states::{place, rule};

/// Fewer columns are too narrow for two panes beside each other.
const NARROW: u16 = 70;

/// Narrow terminals with fewer lines show the term alone.
const LOW: u16 = 14;

/// The most lines that the output of the program has.
const PRINTED: u16 = 6;

/// How what is marked looks.
#[derive(Clone, Copy)]
struct Styles {
    focus: Style,
    frozen: Style,
    /// What the command at the focus passes on its way to its handler.
    captured: Style,
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
                captured: Style::new().bg(Color::Green).fg(Color::Black),
                place: Style::new().bg(Color::Yellow).fg(Color::Black),
                quiet: Style::new().add_modifier(Modifier::DIM),
            },
            false => Styles {
                focus,
                frozen: Style::new().add_modifier(Modifier::REVERSED),
                captured: Style::new().add_modifier(Modifier::ITALIC),
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
        // There is room for the term alone.
        true if panes.height < LOW => (panes, Rect::default()),
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
    let most = PRINTED.min(left.height / 3);
    let height = match u16::try_from(printed.len()).unwrap_or(most).min(most) {
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
    let text = shower.state(&moment.state);
    let before = stepper.seen.and_then(|at| stepper.paths.moments.get(at));
    let before = before.map(|moment| &moment.state);
    let room = usize::from(term.width) * usize::from(term.height) / 2;
    let (text, is_folded) = folded(stepper, &mut shower, text, before, room);
    let folding = if is_folded { " · f unfolds" } else { "" };
    let number = format!(
        " {} · {} of {}{more} · {}{folding} ",
        shown(stepper.what),
        stepper.at + 1,
        stepper.paths.moments.len(),
        rule(moment),
    );
    let (lines, focus) = term_lines(&text, styles);
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

    let (tower, taker) = tower(&mut shower, &moment.state, styles);
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
        let aside = aside(text, &(at.start..at.end), source.width.saturating_sub(1));
        let (lines, focus) = source_lines(text, at.start..at.end, source.height, styles);
        let lines = lines.into_iter().map(|line| without(line, aside)).collect();
        pane(frame, source, title, beside, lines, focus, 0);
    } else {
        pane(frame, source, String::new(), beside, Vec::new(), 0, 0);
    }
    let last = match (&stepper.asked, &stepper.message, stepper.end()) {
        (Some((question, answer)), said, _) => Line::raw(format!(
            "{}{}▏ {}",
            question.text(),
            shown(answer),
            said.as_deref().map(shown).unwrap_or_default()
        )),
        (None, Some(message), _) => Line::styled(shown(message), Modifier::BOLD),
        (None, None, Some(end)) => Line::styled(shown(&end), Modifier::BOLD),
        (None, None, None) => Line::styled(SHORT, styles.quiet),
    };
    frame.render_widget(last, below);
    if stepper.has_help {
        help(frame, panes);
    }
}

/// A state as it is in view: what is large is folded, what has changed since `before` is not. And whether it is folded.
fn folded(
    stepper: &Stepper<'_, '_>,
    shower: &mut Shower<'_>,
    text: Text,
    before: Option<&State>,
    room: usize,
) -> (Text, bool) {
    let Some(opened) = stepper.folding else {
        return (text, false);
    };
    let before = before.map(|before| shower.state(before).text);
    let changed = before.map(|before| changed(&before, &text.text));
    let folds = text.folds(opened.of(room.min(READABLE)), changed.as_ref());
    (text.folded(&folds), !folds.is_empty())
}

/// The handlers around the focus with the way of a command up to the one that takes it, and the line of that.
fn tower(shower: &mut Shower<'_>, state: &State, styles: Styles) -> (Vec<Line<'static>>, usize) {
    let handlers = shower.handlers(state);
    let performed = shower.performed(state);
    let mut lines = Vec::new();
    if let Some(command) = &performed {
        let style = styles.focus.remove_modifier(Modifier::UNDERLINED);
        lines.push(Line::styled(format!("╷ {}", shown(command)), style));
    }
    let mut taker = None;
    for handler in &handlers {
        let (sign, style) = match (handler.takes, handler.captured) {
            (true, _) => {
                taker = Some(lines.len());
                ("▶ ", styles.frozen)
            }
            (false, true) => ("│ ", styles.captured),
            (false, false) => ("  ", Style::new()),
        };
        let interfaces = format!("{sign}{}  ", handler.interfaces.join(", "));
        lines.push(Line::from(vec![
            Span::styled(interfaces, style.add_modifier(Modifier::BOLD)),
            Span::styled(shown(&handler.text), style),
        ]));
    }
    let is_hosts = performed.is_some() && taker.is_none();
    if is_hosts {
        taker = Some(lines.len());
    }
    lines.push(match is_hosts {
        true => Line::styled("▶ the host", styles.frozen),
        false => Line::styled("  the host", styles.quiet),
    });
    (lines, taker.unwrap_or(0))
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
            let is_captured = text
                .captured
                .as_ref()
                .is_some_and(|part| part.contains(&at));
            let style = match (is_frozen, is_captured) {
                (true, _) => styles.frozen,
                (false, true) => styles.captured,
                (false, false) => Style::new(),
            };
            match text.focus.contains(&at) {
                // What is both has the ground of the one and the line of the other.
                true if is_frozen || is_captured => {
                    style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD)
                }
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

/// How many characters of each line stand to the left of what is in view, so that a place is, as far as there is room.
fn aside(source: &Source, place: &Range<usize>, room: u16) -> usize {
    let range = source.line_range(source.line(place.start));
    let written = |range: Range<usize>| shown(source.text.get(range).unwrap_or_default());
    let before = written(range.start..place.start);
    let behind = written(range.start..place.end.min(range.end));
    let over = display_width(&behind).saturating_sub(usize::from(room));
    // As many characters as have so many columns.
    let mut columns = 0;
    let fitting = before.chars().take_while(|c| {
        let is_over = columns < over;
        columns += display_width(c.encode_utf8(&mut [0; 4]));
        is_over
    });
    fitting.count()
}

/// A line without its first characters.
fn without(line: Line<'static>, mut characters: usize) -> Line<'static> {
    let spans = line.spans.into_iter().map(|span| {
        let count = span.content.chars().count();
        let rest: String = span.content.chars().skip(characters).collect();
        characters = characters.saturating_sub(count);
        Span::styled(rest, span.style)
    });
    Line::from(spans.collect::<Vec<_>>())
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
