//! What can be drawn, and how large.

use frank_ide::plot::{Drawn, Picture, Plot, Shown};

/// How large a picture is, in CSS's pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl Default for Size {
    fn default() -> Size {
        Size {
            width: 720,
            height: 440,
        }
    }
}

/// What can be drawn.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// A smooth operator, and its derivatives.
    Plot(&'a Plot),
    /// What a program asks for.
    Picture(&'a Picture),
}

impl Subject<'_> {
    /// Whether there are lines or points between axes.
    pub fn has_lines(self) -> bool {
        match self {
            Subject::Plot(plot) => matches!(plot.shown, Shown::Curves(_)),
            Subject::Picture(picture) => {
                matches!(picture.drawn, Drawn::Lines(_) | Drawn::Points(_))
            }
        }
    }
}

impl<'a> From<&'a Plot> for Subject<'a> {
    fn from(plot: &'a Plot) -> Subject<'a> {
        Subject::Plot(plot)
    }
}

impl<'a> From<&'a Picture> for Subject<'a> {
    fn from(picture: &'a Picture) -> Subject<'a> {
        Subject::Picture(picture)
    }
}
