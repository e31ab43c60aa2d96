//! Names for which a picture has no room: they are shortened, and an SVG has all of them where the pointer rests.

use frank_ide::plot::{Picture, Plot, Shown};

use crate::markup::escaped;
use crate::subject::{Size, Subject};

/// A letter is about as wide, in pixels.
const LETTER: u32 = 9;
/// Beside the words below and beside the axes there is something else: numbers, a legend, the edge.
const BESIDE: u32 = 120;
/// A name in the legend has so many letters: the rest of the width is the picture's.
const IN_LEGEND: usize = 30;
/// What is left of a name has so many letters at least.
const LEAST: usize = 8;

/// The names that were shortened, each with what is left of it.
#[derive(Debug, Default)]
pub(crate) struct Shortened(Vec<(String, String)>);

impl Shortened {
    /// A name with so many letters at most: beginning and end of a longer one.
    fn fit(&mut self, name: &mut String, most: usize) {
        let letters: Vec<char> = name.chars().collect();
        let most = most.max(LEAST);
        if letters.len() <= most {
            return;
        }
        let end = most / 3;
        let (first, last) = (most - end - 1, letters.len() - end);
        let parts = (letters.get(..first), letters.get(last..));
        let (first, last) = (parts.0.unwrap_or_default(), parts.1.unwrap_or_default());
        let short: String = first.iter().chain(&['…']).chain(last).collect();
        self.0.push((std::mem::replace(name, short.clone()), short));
    }

    /// A picture in SVG with the whole names.
    pub fn told(self, mut svg: String) -> String {
        for (name, short) in self.0 {
            let (name, short) = (escaped(&name), escaped(&short));
            let drawn = format!(">{short}</text>");
            svg = svg.replace(&drawn, &format!("><title>{name}</title>{short}</text>"));
        }
        svg
    }
}

/// So many letters fit into pixels, beside what else is there.
fn room(pixels: u32, beside: u32) -> usize {
    (pixels.saturating_sub(beside) / LETTER) as usize
}

/// What is drawn, with names that fit.
pub(crate) enum Fitted {
    Plot(Box<Plot>),
    Picture(Box<Picture>),
}

impl Fitted {
    pub fn new(what: Subject<'_>, Size { width, height }: Size) -> (Fitted, Shortened) {
        let mut cut = Shortened::default();
        let (above, below, up) = (
            room(width, LETTER),
            room(width, BESIDE),
            room(height, BESIDE),
        );
        let fitted = match what {
            Subject::Plot(plot) => {
                let mut plot = plot.clone();
                cut.fit(&mut plot.call, above);
                cut.fit(&mut plot.variable, below);
                match &mut plot.shown {
                    Shown::Curves(curves) => {
                        let most = IN_LEGEND.min(above / 3);
                        for curve in curves {
                            cut.fit(&mut curve.label, most);
                        }
                    }
                    Shown::Surface { other, .. } => cut.fit(other, up),
                }
                Fitted::Plot(Box::new(plot))
            }
            // Its title, and names in its legend, go on in another line.
            Subject::Picture(picture) => {
                let mut picture = picture.clone();
                cut.fit(&mut picture.right, below);
                cut.fit(&mut picture.up, up);
                Fitted::Picture(Box::new(picture))
            }
        };
        (fitted, cut)
    }

    pub fn subject(&self) -> Subject<'_> {
        match self {
            Fitted::Plot(plot) => Subject::Plot(plot),
            Fitted::Picture(picture) => Subject::Picture(picture),
        }
    }
}
