//! Pictures as SVG, where this server was built with them.

use frank_ide::plot::{Picture, Plot};

use crate::settings::PlotTheme;

/// How large a picture is in a panel, in CSS's pixels.
pub const PANEL: (u32, u32) = (720, 440);
/// How large it is in a hover.
pub const HOVER: (u32, u32) = (480, 260);

/// Whether this server draws.
pub const CAN_DRAW: bool = cfg!(feature = "plot");

/// The picture, without scripts; `None` if this server does not draw.
#[cfg(feature = "plot")]
pub fn svg(plot: &Plot, theme: PlotTheme, (width, height): (u32, u32)) -> Option<String> {
    use frank_plot::{Size, Theme};
    let theme = match theme {
        PlotTheme::Light => Theme::Light,
        PlotTheme::Dark => Theme::Dark,
        PlotTheme::Neutral => Theme::Neutral,
    };
    Some(frank_plot::svg(plot, theme, Size { width, height }))
}

/// What a program asked for, to be seen on any background.
#[cfg(feature = "plot")]
pub fn asked_for(picture: &Picture) -> Option<String> {
    use frank_plot::{Size, Theme};
    Some(frank_plot::svg(picture, Theme::Neutral, Size::default()))
}

#[cfg(not(feature = "plot"))]
pub fn asked_for(_: &Picture) -> Option<String> {
    None
}

#[cfg(not(feature = "plot"))]
pub fn svg(_: &Plot, _: PlotTheme, _: (u32, u32)) -> Option<String> {
    None
}
