//! A picture's parts in the words of the crate that draws.

use anstream::adapter::strip_str;
use frank_ide::plot::{Curve, Plot, Shown};
use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::backend::terminal::TerminalBackend;
use kuva::plot::contour::ContourPlot;
use kuva::plot::legend::LegendPosition;
use kuva::plot::line::{LinePlot, LineStyle};
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot as Part;
use kuva::render::render::{Scene, render_multiple};

use crate::names::{Fitted, Shortened};
use crate::picture::{parts_of, shades};
use crate::scale;
use crate::subject::{Size, Subject};
use crate::theme::{MARK, Theme, chrome, colors};

/// So many contour lines.
const LEVELS: usize = 12;
/// So many rows of a text are for the title, the axis and its numbers.
const AROUND: u32 = 6;
/// A cell of text has so many pixels of the crate's: that is where it puts marks and letters.
const CELL: (u32, u32) = (8, 16);

impl Subject<'_> {
    /// What is drawn, and the names that do not fit. Text has no room for a grid: a cell shows one thing alone.
    fn scene(self, theme: Theme, size: Size, grid: bool) -> (Scene, Shortened) {
        let (fitted, shortened) = Fitted::new(self, size);
        (fitted.subject().fitted_scene(theme, size, grid), shortened)
    }

    fn fitted_scene(self, theme: Theme, Size { width, height }: Size, grid: bool) -> Scene {
        let (parts, mut layout) = match self {
            Subject::Plot(plot) => of_plot(plot, theme, grid),
            Subject::Picture(picture) => parts_of(picture, theme),
        };
        if let (false, true, Some(low), Some(high)) =
            (grid, self.has_lines(), layout.y_axis_min, layout.y_axis_max)
        {
            // The lowest row of a text is the axis, and covers what lies there.
            let rows = (height / CELL.1).saturating_sub(AROUND).max(1);
            layout = layout.with_y_axis_min(low - (high - low) / f64::from(rows));
        }
        let layout = layout
            .with_title_size(15)
            .with_theme(chrome(theme))
            .with_show_grid(grid)
            .with_width(f64::from(width))
            .with_height(f64::from(height))
            .with_legend_position(LegendPosition::OutsideRightTop);
        render_multiple(parts, layout)
    }
}

/// The picture as SVG, without scripts. A name for which there is no room is whole where the pointer rests.
pub fn svg<'a>(what: impl Into<Subject<'a>>, theme: Theme, size: Size) -> String {
    let (scene, shortened) = what.into().scene(theme, size, true);
    shortened.told(SvgBackend::default().render_scene(&scene))
}

/// The picture as PNG, with `scale` pixels for each of CSS's.
///
/// # Errors
/// The image could not be made; with the reason.
pub fn png<'a>(
    what: impl Into<Subject<'a>>,
    theme: Theme,
    size: Size,
    scale: f32,
) -> Result<Vec<u8>, String> {
    let (scene, _) = what.into().scene(theme, size, true);
    PngBackend::new().with_scale(scale).render_scene(&scene)
}

/// The picture as text: lines in braille, axes in box characters. With colours as escape sequences, if they are wanted,
/// that can be read on light and dark terminals.
pub fn text<'a>(
    what: impl Into<Subject<'a>>,
    colored: bool,
    columns: usize,
    rows: usize,
) -> String {
    let what = what.into();
    if let (Subject::Picture(picture), false) = (what, colored)
        && let Some(shades) = shades(picture, columns, rows)
    {
        return shades;
    }
    let pixels =
        |cells: usize, each: u32| u32::try_from(cells).unwrap_or(each).saturating_mul(each);
    let size = Size {
        width: pixels(columns, CELL.0),
        height: pixels(rows, CELL.1),
    };
    let (scene, _) = what.scene(Theme::Neutral, size, false);
    let drawn = TerminalBackend::new(columns, rows).render_scene(&scene);
    match colored {
        true => drawn,
        false => {
            let lines = strip_str(&drawn).to_string();
            let lines = lines.lines().map(|line| format!("{}\n", line.trim_end()));
            lines.collect()
        }
    }
}

/// The parts of an operator's picture, and what is around them.
fn of_plot(plot: &Plot, theme: Theme, grid: bool) -> (Vec<Part>, Layout) {
    let (plot, (x, y, z)) = scale::plot(plot);
    let plot = &*plot;
    let (parts, up) = match &plot.shown {
        Shown::Curves(curves) => (curves_of(plot, curves, theme), String::new()),
        Shown::Surface {
            other,
            xs,
            ys,
            rows,
            z,
            at,
        } => (
            surface(
                Grid {
                    xs,
                    ys,
                    rows,
                    z: *z,
                },
                (plot.at, *at),
                grid,
            ),
            other.clone(),
        ),
    };
    let layout = Layout::auto_from_plots(&parts)
        .with_title(plot.call.clone())
        .with_x_label(plot.variable.clone())
        .with_y_label(up)
        .with_x_axis_min(plot.x.0)
        .with_x_axis_max(plot.x.1)
        .with_y_axis_min(plot.y.0)
        .with_y_axis_max(plot.y.1)
        .with_x_tick_format(x.ticks())
        .with_y_tick_format(y.ticks())
        .with_colorbar_tick_format(z.ticks());
    (parts, layout)
}

/// How a curve of an order looks. Several numbers of a result differ in colour, and so their orders in something else.
fn style(order: u8, several: bool) -> LineStyle {
    match order {
        1 if several => LineStyle::Dashed,
        2 if several => LineStyle::Dotted,
        _ => LineStyle::Solid,
    }
}

/// Values over two variables.
struct Grid<'a> {
    xs: &'a [f64],
    ys: &'a [f64],
    /// A row for each of `ys`.
    rows: &'a [Vec<f64>],
    /// Between which values there are lines.
    z: (f64, f64),
}

/// Contour lines, with bands of colour between them where there is room for it; dots where there is no value; the marked
/// point.
fn surface(Grid { xs, ys, rows, z }: Grid<'_>, mark: (f64, f64), filled: bool) -> Vec<Part> {
    let (low, high) = z;
    let within = |value: &f64| {
        if value.is_nan() {
            low
        } else {
            value.clamp(low, high)
        }
    };
    let grid = rows.iter().map(|row| row.iter().map(within).collect());
    let mut lines = ContourPlot::new()
        .with_grid(grid.collect(), xs.to_vec(), ys.to_vec())
        .with_n_levels(LEVELS);
    if filled {
        lines = lines.with_filled();
    }
    let nowhere = rows.iter().zip(ys).flat_map(|(row, y)| {
        let absent = row.iter().zip(xs).filter(|(value, _)| value.is_nan());
        absent.map(|(_, x)| (*x, *y))
    });
    let nowhere: Vec<(f64, f64)> = nowhere.collect();
    let dots = |points: Vec<(f64, f64)>, color: &str, size: f64| {
        let dots = ScatterPlot::new().with_data(points);
        dots.with_color(color).with_size(size)
    };
    let mut parts: Vec<Part> = vec![lines.into()];
    if !nowhere.is_empty() {
        parts.push(dots(nowhere, "#808080", 2.5).with_legend("no value").into());
    }
    parts.push(dots(vec![mark], MARK, 5.0).into());
    parts
}

fn curves_of(plot: &Plot, curves: &[Curve], theme: Theme) -> Vec<Part> {
    let colors = colors(theme);
    let several = curves.iter().filter(|curve| curve.order == 0).count() > 1;
    let mut parts: Vec<Part> = Vec::new();
    let mut marks = Vec::new();
    let mut next = [0; 3];
    for (i, curve) in curves.iter().enumerate() {
        let own = next.get_mut(usize::from(curve.order));
        let number = own.map_or(i, |own| std::mem::replace(own, *own + 1));
        let color = colors.iter().cycle().nth(if several { number } else { i });
        let color = color.unwrap_or(&MARK);
        // Whole numbers have values of their own, and none between.
        let points: Vec<(f64, f64)> = match curve.whole {
            true => curve.pieces.concat(),
            false => {
                let alone = curve.pieces.iter().filter(|piece| piece.len() == 1);
                alone.flatten().copied().collect()
            }
        };
        let lines = curve.pieces.iter().filter(|_| !curve.whole);
        let mut label = Some(curve.label.clone());
        for line in lines.filter(|line| line.len() > 1) {
            let mut drawn = LinePlot::new()
                .with_data(line.clone())
                .with_color(*color)
                .with_stroke_width(2.0)
                .with_line_style(style(curve.order, several));
            if let Some(label) = label.take() {
                drawn = drawn.with_legend(label);
            }
            parts.push(drawn.into());
        }
        let points = within_each(&points, plot.y);
        if !points.is_empty() {
            let mut drawn = ScatterPlot::new()
                .with_data(points)
                .with_color(*color)
                .with_size(2.5);
            if let Some(label) = label.take() {
                drawn = drawn.with_legend(label);
            }
            parts.push(drawn.into());
        }
        marks.extend(curve.at.map(|y| (plot.at, y)));
    }
    let within_range = |point: &(f64, f64)| (plot.x.0..=plot.x.1).contains(&point.0);
    let mut marks = within_each(&marks, plot.y);
    marks.retain(within_range);
    if !marks.is_empty() {
        let drawn = ScatterPlot::new()
            .with_data(marks)
            .with_color(MARK)
            .with_size(4.0);
        parts.push(drawn.into());
    }
    parts
}

fn within_each(points: &[(f64, f64)], (low, high): (f64, f64)) -> Vec<(f64, f64)> {
    let inside = |point: &&(f64, f64)| (low..=high).contains(&point.1);
    points.iter().filter(inside).copied().collect()
}
