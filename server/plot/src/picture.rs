//! What programs ask for, in the words of the crate that draws.

use std::sync::Arc;

use frank_ide::plot::{Drawn, Picture, Series};
use kuva::plot::colormap::ColorMap;
use kuva::plot::heatmap::Heatmap;
use kuva::plot::histogram::Histogram;
use kuva::plot::line::LinePlot;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot as Part;

use crate::scale::{self, Scale};
use crate::theme::{Theme, colors};
use crate::ticks::{is_true, shown};

/// This part of a range is left free on each side of it.
const MARGIN: f64 = 0.04;
/// Words beside a picture go on in another line behind so many letters.
const WRAPPED: usize = 70;
const NAME_WRAPPED: usize = 24;
/// So many rows or columns of an image have a number each.
const EACH: usize = 10;
/// About so many ticks a histogram has.
const TICKS: f64 = 8.0;
/// What has no value in an image.
const NOTHING: &str = "#808080";
/// Shades without colours, from the least value to the greatest.
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];

type Range = (f64, f64);

/// The parts of a picture, and what is around them.
pub fn parts_of(picture: &Picture, theme: Theme) -> (Vec<Part>, Layout) {
    let (drawn, scales) = scale::drawn(&picture.drawn, ranges(&picture.drawn));
    let (parts, layout) = match &*drawn {
        Drawn::Lines(all) => framed(lines(all, theme), scales),
        Drawn::Points(all) => framed(points(all, theme), scales),
        Drawn::Histogram { edges, counts } => histogram((edges, counts), scales, theme),
        Drawn::Image(rows) => image(rows, scales),
    };
    let mut layout = layout
        .with_title(picture.title.clone())
        .with_title_wrap(WRAPPED)
        .with_x_label(picture.right.clone())
        .with_y_label(match (&picture.drawn, &*picture.up) {
            (Drawn::Histogram { .. }, "") => "count",
            (_, up) => up,
        })
        .with_legend_wrap(NAME_WRAPPED);
    if let Some(note) = note(picture) {
        layout = layout.with_subtitle(note);
    }
    (parts, layout)
}

/// What is said of points that are not there.
fn note(picture: &Picture) -> Option<String> {
    let what = match picture.drawn {
        Drawn::Lines(_) | Drawn::Points(_) => "point",
        Drawn::Histogram { .. } | Drawn::Image(_) => "number",
    };
    match picture.left_out {
        0 => None,
        1 => Some(format!("1 {what} is not finite and left out")),
        many => Some(format!("{many} {what}s are not finite and left out")),
    }
}

/// A range with room around it; one where all numbers are the same, or as good as that, becomes wider.
fn with_room((low, high): Range) -> Range {
    let size = low.abs().max(high.abs());
    let span = high - low;
    let room = match span > 1e-9 * size {
        true => span * MARGIN,
        false if size > 0.0 => size * 0.1,
        false => 1.0,
    };
    ((low - room).max(f64::MIN), (high + room).min(f64::MAX))
}

fn range(numbers: impl Iterator<Item = f64>) -> Range {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    numbers.fold(none, |(low, high), x| (low.min(x), high.max(x)))
}

/// Between which numbers the axes go, with room for all points.
fn ranges(drawn: &Drawn) -> (Range, Range) {
    match drawn {
        Drawn::Lines(all) | Drawn::Points(all) => {
            let finite = || all.iter().flat_map(Series::finite);
            (
                with_room(range(finite().map(|point| point.0))),
                with_room(range(finite().map(|point| point.1))),
            )
        }
        Drawn::Histogram { edges, counts } => {
            let heights = counts.iter().map(|count| *count as f64);
            let high = heights.fold(1.0, f64::max);
            (range(edges.iter().copied()), (0.0, high * (1.0 + MARGIN)))
        }
        Drawn::Image(rows) => {
            let columns = rows.first().map_or(0, Vec::len);
            (
                (0.5, columns as f64 + 0.5),
                (-(rows.len() as f64) - 0.5, -0.5),
            )
        }
    }
}

/// Parts between axes.
fn framed(parts: Vec<Part>, scales: (Scale, Scale)) -> (Vec<Part>, Layout) {
    let layout = layout_of(&parts, scales);
    (parts, layout)
}

fn layout_of(parts: &[Part], (right, up): (Scale, Scale)) -> Layout {
    let (x, y) = (right.ends(), up.ends());
    Layout::auto_from_plots(parts)
        .with_x_axis_min(x.0)
        .with_x_axis_max(x.1)
        .with_y_axis_min(y.0)
        .with_y_axis_max(y.1)
        .with_x_tick_format(right.ticks())
        .with_y_tick_format(up.ticks())
}

/// Each list of points with its colour, and its name as long as nobody has taken it for the legend.
fn named(all: &[Series], theme: Theme) -> Vec<(&Series, &'static str, Option<String>)> {
    let colors = colors(theme).into_iter().cycle();
    let named = all.iter().zip(colors).map(|(one, color)| {
        let name = (!one.name.is_empty()).then(|| one.name.clone());
        (one, color, name)
    });
    named.collect()
}

/// Lines, with gaps where points are not finite. A point with gaps around it is a dot.
fn lines(all: &[Series], theme: Theme) -> Vec<Part> {
    let mut parts = Vec::new();
    for (one, color, mut name) in named(all, theme) {
        let finite = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        let pieces = one.points.split(|point| !finite(point));
        let mut alone = Vec::new();
        for piece in pieces {
            match piece {
                [] => {}
                [only] => alone.push(*only),
                _ => {
                    let mut line = LinePlot::new()
                        .with_data(piece.to_vec())
                        .with_color(color)
                        .with_stroke_width(2.0);
                    if let Some(name) = name.take() {
                        line = line.with_legend(name);
                    }
                    parts.push(line.into());
                }
            }
        }
        if !alone.is_empty() {
            parts.push(dots(alone, color, 2.5, name.take()));
        }
    }
    parts
}

fn points(all: &[Series], theme: Theme) -> Vec<Part> {
    let all = named(all, theme).into_iter();
    let all = all.filter(|(one, ..)| one.finite().next().is_some());
    all.map(|(one, color, name)| dots(one.finite().collect(), color, 3.0, name))
        .collect()
}

fn dots(points: Vec<(f64, f64)>, color: &str, size: f64, name: Option<String>) -> Part {
    let dots = ScatterPlot::new()
        .with_data(points)
        .with_color(color)
        .with_size(size);
    match name {
        Some(name) => dots.with_legend(name).into(),
        None => dots.into(),
    }
}

/// A range that begins and ends with a tick, and the step between ticks: 1, 2 or 5 times a power of ten. The crate
/// counts the ticks of a histogram from its left end.
fn stepped((low, high): Range) -> (Range, f64) {
    let rough = (high - low) / TICKS;
    let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let factors = [1.0, 2.0, 5.0].into_iter();
    let mut fitting = factors.filter(|factor| factor * power >= rough);
    let step = fitting.next().unwrap_or(10.0) * power;
    let ends = ((low / step).floor() * step, (high / step).ceil() * step);
    let is_usable = step.is_normal() && ends.0.is_finite() && ends.1.is_finite();
    match is_usable {
        true => (ends, step),
        false => ((low, high), rough),
    }
}

fn histogram(
    (edges, counts): (&[f64], &[u64]),
    (right, up): (Scale, Scale),
    theme: Theme,
) -> (Vec<Part>, Layout) {
    let [color, ..] = colors(theme);
    let heights: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
    let (x, step) = stepped(right.ends());
    let parts: Vec<Part> = vec![
        Histogram::from_bins(edges.to_vec(), heights)
            .with_color(color)
            .into(),
    ];
    let layout = layout_of(&parts, (right, up));
    let layout = layout.with_x_axis_min(x.0).with_x_axis_max(x.1);
    (parts, layout.with_x_tick_step(step))
}

/// Where a number lies between the least and the greatest, from 0 to 1.
fn part_of(value: f64, (low, high): Range) -> f64 {
    match high > low {
        true if (high - low).is_finite() => (value - low) / (high - low),
        true => (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0),
        false => 0.5,
    }
}

/// What lies at such a part of the way.
fn at_part(part: f64, (low, high): Range) -> f64 {
    match (high - low).is_finite() {
        true => low + part * (high - low),
        false => low * (1.0 - part) + high * part,
    }
}

/// Rows from top to bottom: their numbers go down, so the axis has them with a sign that is not written.
fn image(rows: &[Vec<f64>], scales: (Scale, Scale)) -> (Vec<Part>, Layout) {
    let columns = rows.first().map_or(0, Vec::len);
    let finite = rows.iter().flatten().copied().filter(|x| x.is_finite());
    let (low, high) = range(finite);
    // The crate takes differences below its own precision for none.
    let parts =
        |row: &Vec<f64>| -> Vec<f64> { row.iter().map(|x| part_of(*x, (low, high))).collect() };
    let (x, y) = (scales.0.ends(), scales.1.ends());
    let map = ColorMap::Custom(Arc::new(|part: f64| match part.is_nan() {
        true => NOTHING.to_owned(),
        false => ColorMap::Viridis.map(part),
    }));
    let heatmap = Heatmap::new()
        .with_data(rows.iter().rev().map(parts))
        .with_color_map(map)
        .with_x_range(x.0, x.1)
        .with_y_range(y.0, y.1)
        .with_cell_size(1.0);
    let drawn = vec![Part::Heatmap(heatmap)];
    let mut layout = layout_of(&drawn, scales)
        .with_y_tick_format(TickFormat::Custom(Arc::new(move |place| {
            shown(-place, (-y.1, -y.0))
        })))
        .with_colorbar_tick_format(TickFormat::Custom(Arc::new(move |part| {
            let value = at_part(part, (low, high));
            match high > low && is_true(part, part_of(value, (low, high)), (0.0, 1.0)) {
                true => shown(value, (low, high)),
                false => String::new(),
            }
        })));
    if columns <= EACH {
        layout = layout.with_x_tick_step(1.0);
    }
    if rows.len() <= EACH {
        layout = layout.with_y_tick_step(1.0);
    }
    (drawn, layout)
}

/// An image as text without colours: shades of the letters' colour. Nothing for other pictures.
pub fn shades(picture: &Picture, columns: usize, rows: usize) -> Option<String> {
    let Drawn::Image(values) = &picture.drawn else {
        return None;
    };
    let width = values.first().map_or(0, Vec::len);
    let (low, high) = range(values.iter().flatten().copied().filter(|x| x.is_finite()));
    // The title, the legend and the prompt have a line each; a letter is about twice as high as it is wide.
    let height = values.len().min(rows.saturating_sub(3)).max(1);
    let across = (width * 2).min(columns).max(1);
    let mut text = format!("{}\n", picture.title);
    let place = |at: usize, all: usize, of: usize| (at * all / of).min(all.saturating_sub(1));
    for y in 0..height {
        let row = values.get(place(y, values.len(), height));
        let line: String = (0..across)
            .map(|x| {
                let value = row.and_then(|row| row.get(place(x, width, across)));
                let part = part_of(value.copied().unwrap_or(f64::NAN), (low, high));
                let shade = (part * SHADES.len() as f64) as usize;
                match part.is_nan() {
                    true => '?',
                    false => SHADES.get(shade).copied().unwrap_or('█'),
                }
            })
            .collect();
        text.push_str(&format!("{}\n", line.trim_end()));
    }
    let note = note(picture).map_or_else(String::new, |note| format!("; {note}"));
    let ends = [low, high].map(|end| shown(end, (low, high)));
    let [least, most] = match high > low {
        true => ends,
        false => [low, high].map(|end| end.to_string()),
    };
    text.push_str(&format!("blank {least}, █ {most}{note}\n"));
    Some(text)
}
