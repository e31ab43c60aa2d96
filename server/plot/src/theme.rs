//! What colours a picture has.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    #[default]
    Light,
    Dark,
    /// For a background that is not known: nothing behind it, and colours that can be read on white and on black.
    Neutral,
}

/// Colours that differ for all kinds of eyes, from those of Okabe and Ito.
const COLORS: [&str; 6] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
];
/// Lighter ones, for a dark background.
const COLORS_IN_THE_DARK: [&str; 6] = [
    "#56B4E9", "#E69F00", "#2FBF8F", "#E292C3", "#F0E442", "#FF8A4C",
];
/// The colour of marked points.
pub const MARK: &str = "#C23B3B";

/// The colours of lines and points, one after the other.
pub fn colors(theme: Theme) -> [&'static str; 6] {
    match theme {
        Theme::Dark => COLORS_IN_THE_DARK,
        Theme::Light | Theme::Neutral => COLORS,
    }
}

/// The colours of all but the curves.
pub fn chrome(theme: Theme) -> kuva::render::theme::Theme {
    use kuva::render::theme::Theme as Colors;
    match theme {
        Theme::Light => Colors::light(),
        Theme::Dark => Colors::dark(),
        Theme::Neutral => Colors {
            background: "none".to_owned(),
            axis_color: "#808080".to_owned(),
            grid_color: "#80808040".to_owned(),
            tick_color: "#808080".to_owned(),
            text_color: "#808080".to_owned(),
            legend_bg: "none".to_owned(),
            legend_border: "#80808080".to_owned(),
            ..Colors::light()
        },
    }
}
