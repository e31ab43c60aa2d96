//! Where the operations of a graph stand in the program, as pictures of it say it.

use std::collections::HashMap;
use std::hash::Hash;

use crate::counts::grouped;

/// Places for the lines of a graph, each kept once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    /// The number of each line's place, counted from 0, if it is known.
    lines: Vec<Option<usize>>,
    /// What the places are called, such as `cube.fk:4:10`.
    names: Vec<String>,
}

impl Origins {
    /// The places of lines, with what each is called; and the places by their numbers.
    pub fn new<T: Clone + Eq + Hash>(
        lines: &[Option<T>],
        name: impl FnMut(&T) -> String,
    ) -> (Origins, Vec<T>) {
        let mut places: Vec<T> = Vec::new();
        let mut numbers: HashMap<&T, usize> = HashMap::new();
        let mut number = |place| {
            *numbers.entry(place).or_insert_with(|| {
                places.push(T::clone(place));
                places.len() - 1
            })
        };
        let lines = lines.iter();
        let lines = lines.map(|place| place.as_ref().map(&mut number)).collect();
        let names = places.iter().map(name).collect();
        (Origins { lines, names }, places)
    }

    /// The number of a line's place.
    pub(crate) fn of(&self, line: usize) -> Option<usize> {
        self.lines.get(line).copied().flatten()
    }

    /// What a place is called.
    pub(crate) fn name(&self, place: usize) -> &str {
        self.names.get(place).map_or("", String::as_str)
    }
}

/// So many places of one node are named.
const MOST_NAMED: usize = 5;

/// The places of the operations that one node stands for.
#[derive(Debug, Default)]
pub(crate) struct Counted(HashMap<usize, usize>);

impl Counted {
    pub fn add(&mut self, place: Option<usize>) {
        if let Some(place) = place {
            *self.0.entry(place).or_default() += 1;
        }
    }

    /// The places, those of most operations first, with how many there are.
    fn sorted(&self) -> Vec<(usize, usize)> {
        let mut places: Vec<(usize, usize)> = self.0.iter().map(|(at, n)| (*at, *n)).collect();
        places.sort_by_key(|(place, count)| (std::cmp::Reverse(*count), *place));
        places
    }

    /// The place of most of them.
    pub fn first(&self) -> Option<usize> {
        self.sorted().first().map(|(place, _)| *place)
    }

    /// A line for each of the first few.
    pub fn listed(&self, origins: &Origins) -> String {
        let places = self.sorted();
        let mut text = String::new();
        for (place, count) in places.iter().take(MOST_NAMED) {
            let count = grouped(*count);
            text += &format!("\n{count} at {}", origins.name(*place));
        }
        match places.len().saturating_sub(MOST_NAMED) {
            0 => {}
            1 => text += "\nand at one more place",
            more => text += &format!("\nand at {} more places", grouped(more)),
        }
        text
    }
}
