//! The picture of a graph as SVG: boxes in layers, lines from operands down to what needs them.

use std::fmt::Write as _;

use frank_staging::Unit;

use crate::counts::grouped;
use crate::graph::{Edge, Kind, Node, Picture, Side};
use crate::layers::{Layout, layered};
use crate::markup::escaped;
use crate::origins::Origins;
use crate::theme::Theme;

/// The height of a node, the least and the most width, and how wide a letter is, in pixels.
const HEIGHT: f64 = 38.0;
const LEAST_WIDTH: f64 = 48.0;
const MOST_WIDTH: f64 = 220.0;
const LETTER: f64 = 8.0;

/// What is left free around the picture, and above it for the title.
const MARGIN: f64 = 20.0;
const HEAD: f64 = 58.0;
/// The least width, for the title and for what the colours mean.
const LEAST_PICTURE: f64 = 560.0;

struct Colors {
    background: &'static str,
    text: &'static str,
    line: &'static str,
    input: (&'static str, &'static str),
    initial: (&'static str, &'static str),
    secondary: (&'static str, &'static str),
    result: (&'static str, &'static str),
}

/// Fills and rims; blue and orange are told apart by all kinds of eyes.
fn colors(theme: Theme) -> Colors {
    match theme {
        Theme::Light => Colors {
            background: "#ffffff",
            text: "#1b1b1b",
            line: "#8a8a8a",
            input: ("#f4f4f4", "#6b6b6b"),
            initial: ("#dbe9ff", "#2f6fc0"),
            secondary: ("#ffe3cc", "#c8641b"),
            result: ("#ffffff", "#1b1b1b"),
        },
        Theme::Dark => Colors {
            background: "#1e1e1e",
            text: "#e6e6e6",
            line: "#8c8c8c",
            input: ("#333333", "#a0a0a0"),
            initial: ("#1d3654", "#6aa9f0"),
            secondary: ("#50311a", "#f0a15e"),
            result: ("#1e1e1e", "#e6e6e6"),
        },
        Theme::Neutral => Colors {
            background: "none",
            text: "#808080",
            line: "#80808099",
            input: ("#80808020", "#808080"),
            initial: ("#4a90e230", "#4a90e2"),
            secondary: ("#e07b2f30", "#e07b2f"),
            result: ("none", "#808080"),
        },
    }
}

/// A label that fits into the widest node.
fn fitting(text: &str) -> String {
    let most = (MOST_WIDTH / LETTER) as usize - 2;
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

fn width(node: &Node) -> f64 {
    let letters = fitting(&node.label).chars().count();
    let letters = letters.max(node.value.chars().count());
    (letters as f64 * LETTER + 18.0).clamp(LEAST_WIDTH, MOST_WIDTH)
}

/// The last function of a unit at a point, as SVG without scripts. Nodes tell more where the pointer rests, such as where
/// they stand in the program; the number of that place is their attribute `data-place`.
pub fn graph_svg(unit: &Unit, point: &[f64], origins: &Origins, theme: Theme) -> String {
    let Some(picture) = Picture::of(unit, point, origins) else {
        return String::new();
    };
    let sizes: Vec<(f64, f64)> = picture
        .nodes
        .iter()
        .map(|node| (width(node), HEIGHT))
        .collect();
    let edges: Vec<(usize, usize)> = picture
        .edges
        .iter()
        .map(|edge| (edge.from, edge.to))
        .collect();
    let layout = layered(&sizes, &edges);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = draw(&picture, &layout, &colors(theme), &mut out);
    out
}

fn draw(
    picture: &Picture,
    layout: &Layout,
    colors: &Colors,
    out: &mut String,
) -> Result<(), std::fmt::Error> {
    let across = layout.width.max(LEAST_PICTURE) + 2.0 * MARGIN;
    let down = layout.height + 2.0 * MARGIN + HEAD;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across:.0}\" height=\"{down:.0}\" \
         viewBox=\"0 0 {across:.0} {down:.0}\" font-family=\"DejaVu Sans, Verdana, Liberation Sans, Arial, sans-serif\" \
         font-size=\"13\" fill=\"{}\">",
        colors.text
    )?;
    writeln!(
        out,
        "<style>g.n:hover rect{{stroke-width:3}}path{{fill:none;stroke:{};stroke-opacity:.7}}</style>",
        colors.line
    )?;
    writeln!(
        out,
        "<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>",
        colors.background
    )?;
    head(picture, colors, out)?;
    let left = MARGIN + (across - 2.0 * MARGIN - layout.width) / 2.0;
    writeln!(
        out,
        "<g transform=\"translate({left:.1} {:.1})\">",
        MARGIN + HEAD
    )?;
    let place = |node: usize| layout.places.get(node).copied().unwrap_or_default();
    let wide = |node: usize| picture.nodes.get(node).map(width).unwrap_or_default();
    for edge in &picture.edges {
        let end = |node: usize| (place(node), wide(node));
        line(edge, end(edge.from), end(edge.to), out)?;
    }
    for (i, node) in picture.nodes.iter().enumerate() {
        let (fill, rim) = match node.kind {
            Kind::Input => colors.input,
            Kind::Initial => colors.initial,
            Kind::Secondary => colors.secondary,
            Kind::Result => colors.result,
        };
        let (x, y) = place(i);
        let wide = width(node);
        let round = match node.kind {
            Kind::Input | Kind::Result => HEIGHT / 2.0,
            Kind::Initial | Kind::Secondary => 5.0,
        };
        let at = node.place;
        let at = at.map(|place| format!(" data-place=\"{place}\""));
        let at = at.unwrap_or_default();
        writeln!(
            out,
            "<g class=\"n\"{at} transform=\"translate({x:.1} {y:.1})\"><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" \
             width=\"{wide:.1}\" height=\"{HEIGHT}\" rx=\"{round}\" fill=\"{fill}\" stroke=\"{rim}\"/>\
             <text y=\"-3\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\
             <text y=\"12\" text-anchor=\"middle\" font-size=\"11\">{}</text></g>",
            escaped(&node.title),
            -wide / 2.0,
            -HEIGHT / 2.0,
            escaped(&fitting(&node.label)),
            escaped(&node.value)
        )?;
    }
    writeln!(out, "</g>\n</svg>")
}

/// The title, and what the colours mean.
fn head(picture: &Picture, colors: &Colors, out: &mut String) -> Result<(), std::fmt::Error> {
    writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"28\" font-size=\"16\" font-weight=\"bold\">{}</text>",
        escaped(&picture.title)
    )?;
    let (initial, secondary) = picture.operations;
    let mut x = MARGIN;
    let folded = if picture.folded { ", folded" } else { "" };
    for ((fill, rim), what, count) in [
        (colors.initial, "initial program", initial),
        (colors.secondary, "secondary program", secondary),
    ] {
        let text = format!("{what}: {}{folded}", grouped(count));
        writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"42\" width=\"14\" height=\"14\" rx=\"3\" fill=\"{fill}\" stroke=\"{rim}\"/>\
             <text x=\"{:.1}\" y=\"54\">{text}</text>",
            x + 20.0
        )?;
        x += 44.0 + text.chars().count() as f64 * LETTER;
    }
    Ok(())
}

/// A line between two nodes, each given with its middle and its width.
fn line(
    edge: &Edge,
    ((x1, y1), from): ((f64, f64), f64),
    ((x2, y2), wide): ((f64, f64), f64),
    out: &mut String,
) -> Result<(), std::fmt::Error> {
    let stroke = 1.0 + libm::log10(edge.count.max(1) as f64);
    if y2 < y1 {
        // Folded graphs have lines back up; these go around.
        let (x1, x2) = (x1 + from / 2.0, x2 + wide / 2.0);
        let out_there = x1.max(x2) + 40.0;
        return writeln!(
            out,
            "<path d=\"M{x1:.1} {y1:.1}C{out_there:.1} {y1:.1} {out_there:.1} {y2:.1} {x2:.1} {y2:.1}\" \
             stroke-width=\"{stroke:.1}\"/>"
        );
    }
    let aside = match edge.side {
        Side::Middle => 0.0,
        Side::Left => -wide / 4.0,
        Side::Right => wide / 4.0,
    };
    let (y1, x2, y2) = (y1 + HEIGHT / 2.0, x2 + aside, y2 - HEIGHT / 2.0);
    let bend = ((y2 - y1) / 2.0).abs().clamp(12.0, 120.0);
    writeln!(
        out,
        "<path d=\"M{x1:.1} {y1:.1}C{x1:.1} {:.1} {x2:.1} {:.1} {x2:.1} {y2:.1}\" stroke-width=\"{stroke:.1}\"/>",
        y1 + bend,
        y2 - bend
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use frank_staging::{Function, Graph};

    use super::*;

    /// Names come from programs, and are text in the picture whatever they hold.
    #[test]
    fn names_are_text() {
        let unit = Unit {
            name: "a<b>&\u{1b}".to_owned(),
            inputs: vec!["\"x\"".to_owned()],
            functions: vec![Function {
                suffix: String::new(),
                results: vec!["</text>".to_owned()],
                graph: Graph::read("graphOf 1 0 [] [inputOf 0]").unwrap(),
            }],
        };
        for theme in [Theme::Light, Theme::Dark, Theme::Neutral] {
            let svg = graph_svg(&unit, &[f64::NAN], &Origins::default(), theme);
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert!(svg.contains("a&lt;b&gt;&amp; at nan"), "{svg}");
            assert!(svg.contains("&lt;/text&gt;") && !svg.contains('\u{1b}'));
        }
    }

    #[test]
    fn nothing_covers_anything() {
        let lines: Vec<String> = (0..40)
            .map(|i| match i % 3 {
                0 => "line2 timesE (inputOf 0) (inputOf 1)".to_owned(),
                1 => format!("line1 sinE (lineOf {})", i - 1),
                _ => format!("line2 plusE (lineOf {}) (lineOf {})", i - 1, i / 2),
            })
            .collect();
        let printed = format!("graphOf 2 20 [{}] [lineOf 39]", lines.join(", "));
        let unit = Unit {
            name: "f".to_owned(),
            inputs: vec!["x".to_owned(), "y".to_owned()],
            functions: vec![Function {
                suffix: String::new(),
                results: vec!["f".to_owned()],
                graph: Graph::read(&printed).unwrap(),
            }],
        };
        let picture = Picture::of(&unit, &[1.0, 2.0], &Origins::default()).unwrap();
        let sizes: Vec<(f64, f64)> = picture.nodes.iter().map(|n| (width(n), HEIGHT)).collect();
        let edges: Vec<(usize, usize)> = picture.edges.iter().map(|e| (e.from, e.to)).collect();
        let layout = layered(&sizes, &edges);
        for (i, (x, y)) in layout.places.iter().enumerate() {
            let wide = width(picture.nodes.get(i).unwrap());
            assert!(x - wide / 2.0 >= -1e-6 && x + wide / 2.0 <= layout.width + 1e-6);
            for (j, (x2, y2)) in layout.places.iter().enumerate().skip(i + 1) {
                let apart = (wide + width(picture.nodes.get(j).unwrap())) / 2.0;
                assert!(
                    (x - x2).abs() >= apart || (y - y2).abs() >= HEIGHT,
                    "{i} and {j}"
                );
            }
        }
        // Operands stand above what needs them.
        for (from, to) in edges {
            let y = |node: usize| layout.places.get(node).unwrap().1;
            assert!(y(from) < y(to));
        }
    }
}
