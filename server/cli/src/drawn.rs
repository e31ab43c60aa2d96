//! Pictures of operators and of programs, drawn by the crate for that.
//!
//! A program built without the feature `plot` has these functions, too, and each says that it cannot.

/// Whether this program draws.
pub const CAN_DRAW: bool = cfg!(feature = "plot");

/// What is said where it does not.
pub const CANNOT: &str = "this `frank` was built without pictures: build it with `--features plot`";

#[cfg(feature = "plot")]
pub use with::*;
#[cfg(not(feature = "plot"))]
pub use without::*;

#[cfg(feature = "plot")]
mod with {
    use frank_plot::{Protocol, Size, Subject, Theme};

    use crate::args::{PictureFormat, PictureTheme};

    /// A page of a notebook has room for so many pixels beside the numbers of cells, in most windows.
    const PAGE: (u32, u32) = (560, 380);
    /// And for so many columns and rows of letters.
    const PAGE_OF_LETTERS: (usize, usize) = (100, 22);
    /// Each of CSS's pixels has so many in a PNG, in each direction.
    const SCALE: f32 = 2.0;

    impl From<PictureTheme> for Theme {
        fn from(theme: PictureTheme) -> Theme {
            match theme {
                PictureTheme::Light => Theme::Light,
                PictureTheme::Dark => Theme::Dark,
                PictureTheme::Neutral => Theme::Neutral,
            }
        }
    }

    fn sized((width, height): (u32, u32)) -> Size {
        Size { width, height }
    }

    /// As wide and as high as is asked for.
    pub fn svg<'a>(
        what: impl Into<Subject<'a>>,
        theme: PictureTheme,
        size: Option<(u32, u32)>,
    ) -> Result<String, String> {
        let size = size.map(sized).unwrap_or_default();
        Ok(frank_plot::svg(what, theme.into(), size) + "\n")
    }

    pub fn png<'a>(
        what: impl Into<Subject<'a>>,
        theme: PictureTheme,
        size: Option<(u32, u32)>,
    ) -> Result<Vec<u8>, String> {
        let size = size.map(sized).unwrap_or_default();
        frank_plot::png(what, theme.into(), size, SCALE)
    }

    /// For a terminal that shows pictures; with the columns that it takes, where no size was asked for.
    pub fn inline<'a>(
        what: impl Into<Subject<'a>>,
        format: PictureFormat,
        theme: PictureTheme,
        (columns, size): (Option<usize>, (u32, u32)),
    ) -> Result<String, String> {
        let protocol = match format {
            PictureFormat::Sixel => Protocol::Sixel,
            _ => Protocol::Kitty,
        };
        frank_plot::inline(what, theme.into(), sized(size), protocol, columns)
    }

    /// In letters, so many columns and rows of them.
    pub fn text<'a>(
        what: impl Into<Subject<'a>>,
        colored: bool,
        (columns, rows): (usize, usize),
    ) -> Result<String, String> {
        Ok(frank_plot::text(what, colored, columns, rows))
    }

    /// For a page of a notebook: as SVG, and in letters for those that show these alone.
    pub fn for_page<'a>(what: impl Into<Subject<'a>>) -> Result<(String, String), String> {
        let what = what.into();
        // Nobody knows the background of the page.
        let svg = svg(what, PictureTheme::Neutral, Some(PAGE))?;
        Ok((svg, text(what, false, PAGE_OF_LETTERS)?))
    }
}

/// What stands in for it where pictures are left out of the program.
#[cfg(not(feature = "plot"))]
mod without {
    use super::CANNOT;
    use crate::args::{PictureFormat, PictureTheme};

    pub fn svg<P>(_: &P, _: PictureTheme, _: Option<(u32, u32)>) -> Result<String, String> {
        Err(CANNOT.to_owned())
    }

    pub fn png<P>(_: &P, _: PictureTheme, _: Option<(u32, u32)>) -> Result<Vec<u8>, String> {
        Err(CANNOT.to_owned())
    }

    pub fn inline<P>(
        _: &P,
        _: PictureFormat,
        _: PictureTheme,
        _: (Option<usize>, (u32, u32)),
    ) -> Result<String, String> {
        Err(CANNOT.to_owned())
    }

    pub fn for_page<P>(_: &P) -> Result<(String, String), String> {
        Err(CANNOT.to_owned())
    }

    pub fn text<P>(_: &P, _: bool, _: (usize, usize)) -> Result<String, String> {
        Err(CANNOT.to_owned())
    }
}
