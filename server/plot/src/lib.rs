//! Pictures: what `frank_ide::plot` found, and what programs ask for, drawn as SVG, as PNG, between the lines of a terminal, or as text of braille;
//! and graphs of staged programs as SVG.
//!
//! The crate `kuva` draws plots. It chooses ticks and finds contour lines; which lines there are was decided before. The
//! crate `rust-sugiyama` puts the nodes of graphs into layers. Without the feature `draw` this crate is empty.

#[cfg(feature = "draw")]
mod chart;
#[cfg(feature = "draw")]
mod counts;
#[cfg(feature = "draw")]
mod graph;
#[cfg(feature = "draw")]
mod graph_svg;
#[cfg(feature = "draw")]
mod inline;
#[cfg(feature = "draw")]
mod layers;
#[cfg(feature = "draw")]
mod markup;
#[cfg(feature = "draw")]
mod names;
#[cfg(feature = "draw")]
mod origins;
#[cfg(feature = "draw")]
mod picture;
#[cfg(feature = "draw")]
mod scale;
#[cfg(feature = "draw")]
mod subject;
#[cfg(all(test, feature = "draw"))]
mod tests;
#[cfg(feature = "draw")]
mod theme;
#[cfg(feature = "draw")]
mod ticks;

#[cfg(feature = "draw")]
pub use chart::{png, svg, text};
#[cfg(feature = "draw")]
pub use graph_svg::graph_svg;
#[cfg(feature = "draw")]
pub use inline::{Protocol, inline};
#[cfg(feature = "draw")]
pub use origins::Origins;
#[cfg(feature = "draw")]
pub use subject::{Size, Subject};
#[cfg(feature = "draw")]
pub use theme::Theme;
