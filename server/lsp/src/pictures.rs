//! Pictures as SVG, where this server was built with them.

use frank_ide::evaluate::{InFile, Staged};
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
    let size = frank_plot::Size { width, height };
    Some(frank_plot::svg(plot, theme.into(), size))
}

#[cfg(feature = "plot")]
impl From<PlotTheme> for frank_plot::Theme {
    fn from(theme: PlotTheme) -> frank_plot::Theme {
        match theme {
            PlotTheme::Light => frank_plot::Theme::Light,
            PlotTheme::Dark => frank_plot::Theme::Dark,
            PlotTheme::Neutral => frank_plot::Theme::Neutral,
        }
    }
}

/// A graph of operations at a point, where each place has the name that it is given; and the places by the numbers that
/// nodes have. `None` if this server does not draw.
#[cfg(feature = "plot")]
pub fn graph(
    staged: &Staged,
    point: &[f64],
    name: impl Fn(&InFile) -> String,
    theme: PlotTheme,
) -> Option<(String, Vec<InFile>)> {
    let (origins, places) = frank_plot::Origins::new(&staged.origins, name);
    let svg = frank_plot::graph_svg(&staged.unit, point, &origins, theme.into());
    Some((svg, places))
}

#[cfg(not(feature = "plot"))]
pub fn graph(
    _: &Staged,
    _: &[f64],
    _: impl Fn(&InFile) -> String,
    _: PlotTheme,
) -> Option<(String, Vec<InFile>)> {
    None
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
