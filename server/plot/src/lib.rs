//! Pictures: what `frank_ide::plot` found, drawn as SVG, as PNG, or as text of braille.
//!
//! The crate `kuva` draws. It chooses ticks and finds contour lines; which lines there are was decided before. Without
//! the feature `draw` this crate is empty.

#[cfg(feature = "draw")]
mod chart;
#[cfg(feature = "draw")]
mod ticks;

#[cfg(feature = "draw")]
pub use chart::{Size, Theme, png, svg, text};
