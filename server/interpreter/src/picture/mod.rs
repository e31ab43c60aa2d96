//! What a program asks to be drawn, as plain data: read from the arguments of a command of `Picture`, and looked at
//! before anybody draws it. Who draws it is elsewhere.

mod bins;
mod read;

pub use read::{Values, read};

/// So many points are drawn at most in a picture, and so many numbers of an image.
pub const MOST_POINTS: usize = 100_000;
/// So many numbers are counted in a histogram.
pub const MOST_COUNTED: usize = 1_000_000;
/// So many pictures a run may ask for.
pub const MOST_PICTURES: usize = 1_000;
/// So many points and numbers all pictures of a run have together: whoever keeps them knows what it costs.
pub const MOST_TOGETHER: usize = 2_000_000;
/// The pictures of a notebook's cell have so many bytes together where they are shown: whoever shows them keeps them all.
pub const MOST_OF_CELL: usize = 16 << 20;
/// A text beside a picture is cut behind so many characters.
pub const MOST_LETTERS: usize = 200;

/// A picture that can be drawn: there is something to see in it, within bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// What stands above it, at the axis to the right, and at the one upwards; without characters that cannot be seen.
    pub title: String,
    pub right: String,
    pub up: String,
    pub drawn: Drawn,
    /// How many points or numbers are not drawn for not being finite.
    pub left_out: usize,
}

/// What a picture shows.
#[derive(Debug, Clone, PartialEq)]
pub enum Drawn {
    Lines(Vec<Series>),
    Points(Vec<Series>),
    /// Between `edges[i]` and `edges[i + 1]` lie `counts[i]` numbers.
    Histogram {
        edges: Vec<f64>,
        counts: Vec<u64>,
    },
    /// Rows of equal lengths, the first on top. What is not finite is nan.
    Image(Vec<Vec<f64>>),
}

/// Points with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    /// In order; nan and infinite ones are gaps.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// The points that can be drawn.
    pub fn finite(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let finite = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        self.points.iter().copied().filter(finite)
    }
}

/// What is said where pictures are not shown; nothing if there are none.
pub fn not_shown(pictures: usize) -> Option<String> {
    match pictures {
        0 => None,
        1 => Some("1 picture is not shown here: `frank run` shows it".to_owned()),
        more => Some(format!(
            "{more} pictures are not shown here: `frank run` shows them"
        )),
    }
}

/// What a point, a number of an image or a part of a histogram takes while it is written as a picture, in bytes.
const BYTES_OF_EACH: usize = 128;
/// What a number takes that is read for a picture.
const BYTES_READ: usize = 16;
/// So many of them take as long as a step.
const OF_A_STEP: usize = 4;

impl Picture {
    /// What drawing it takes, in bytes and in steps.
    pub(crate) fn cost(&self) -> (usize, u64) {
        let read = match &self.drawn {
            Drawn::Histogram { counts, .. } => {
                let all = counts.iter().copied().fold(0, u64::saturating_add);
                usize::try_from(all).unwrap_or(usize::MAX)
            }
            _ => self.size(),
        };
        let bytes = self.size().saturating_mul(BYTES_OF_EACH);
        let bytes = bytes.saturating_add(read.saturating_mul(BYTES_READ));
        (bytes, (read / OF_A_STEP) as u64)
    }

    /// How much there is to draw.
    pub fn size(&self) -> usize {
        match &self.drawn {
            Drawn::Lines(all) | Drawn::Points(all) => all.iter().map(|one| one.points.len()).sum(),
            Drawn::Histogram { counts, .. } => counts.len(),
            Drawn::Image(rows) => rows.iter().map(Vec::len).sum(),
        }
    }
}

/// The pictures of a run so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub pictures: usize,
    /// Their sizes together.
    together: usize,
}

impl Tally {
    /// Counts one more.
    ///
    /// # Errors
    /// There are too many; with a sentence.
    pub fn count(&mut self, picture: &Picture) -> Result<(), String> {
        if self.pictures >= MOST_PICTURES {
            return Err(format!(
                "this run has drawn {MOST_PICTURES} pictures, which is the most: draw every tenth, or one of everything"
            ));
        }
        let together = self.together + picture.size();
        if together > MOST_TOGETHER {
            return Err(format!(
                "the pictures of this run have more than {MOST_TOGETHER} points together, which is the most: draw \
                 fewer pictures, or fewer points"
            ));
        }
        self.pictures += 1;
        self.together = together;
        Ok(())
    }
}
