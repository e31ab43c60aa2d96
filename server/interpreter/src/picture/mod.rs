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

impl Picture {
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
