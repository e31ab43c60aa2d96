//! Runs of derivatives whose numbers carry a mark: where each was asked for, and what is said when
//! the numbers of one turn up in another.

use frank_core::Place;

use crate::error::{Related, RunErrorKind, Stop};

/// The runs that have begun.
///
/// A mark is the run's own number, with the number of its place in the lowest bits: a run differs
/// from all others, while places, of which a program has few, are kept once.
#[derive(Default)]
pub(super) struct Runs {
    begun: i64,
    places: Vec<Option<Place>>,
}

/// So many bits of a mark say which place it is.
const PLACE_BITS: u32 = 16;

impl Runs {
    /// The mark of a run that begins, asked for at a place in the program.
    pub fn begin(&mut self, place: Option<Place>) -> i64 {
        let known = self.places.iter().position(|known| *known == place);
        let index = known.unwrap_or(self.places.len());
        // Of a program with more places than fit, the last ones share a number.
        let index = index.min((1 << PLACE_BITS) - 1);
        if index == self.places.len() {
            self.places.push(place);
        }
        self.begun += 1;
        self.begun << PLACE_BITS | index as i64
    }

    fn place(&self, mark: i64) -> Option<Place> {
        let index = mark & ((1 << PLACE_BITS) - 1);
        *self.places.get(usize::try_from(index).ok()?)?
    }

    /// Why the run `own` cannot go on with a number of the run `other`.
    pub fn foreign(&self, own: i64, other: i64) -> Box<Stop> {
        let message = "a number of another derivative: it says how it changes with a variable that \
                       this derivative is not about. Keep the value of the number instead, and \
                       lift that";
        let mut stop = Stop::new(RunErrorKind::Failed, message);
        let places = [
            (self.place(own), "this derivative came upon it"),
            (self.place(other), "this derivative made it"),
        ];
        let places = places.into_iter();
        stop.related = places
            .filter_map(|(place, what)| place.map(|place| Related { place, what }))
            .collect();
        stop
    }
}

#[cfg(test)]
mod tests {
    use super::Runs;

    #[test]
    fn runs_at_one_place_are_told_apart() {
        let mut runs = Runs::default();
        let (first, second) = (runs.begin(None), runs.begin(None));
        assert_ne!(first, second);
        assert_eq!(runs.places.len(), 1);
    }
}
