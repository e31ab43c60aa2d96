//! Where the operations of a graph stand in the program: what the library's `ad-stage` tells while it writes one down.
//!
//! A run keeps this only if it is asked to. Places have numbers from 1 on; 0 stands for none.

use std::collections::HashMap;

use frank_core::Place;

use super::Machine;
use crate::code::place_in_program;
use crate::heap::Heap;
use crate::value::Value;

/// So many frames are looked at for one place, and for all of them together.
const MOST_FRAMES: usize = 10_000;
const MOST_FRAMES_OF_ALL: usize = 50_000_000;

/// What is known of the graph that is written down.
#[derive(Default)]
pub(super) struct Origins {
    places: Vec<Place>,
    numbers: HashMap<Place, u32>,
    /// The number of the place that is written for.
    now: u32,
    /// The numbers of the places of nodes, and of the lines that were made of them.
    nodes: HashMap<i64, u32>,
    lines: Vec<u32>,
    /// So many frames may still be looked at.
    left: usize,
}

impl Origins {
    fn begin(&mut self, place: Option<Place>) -> i64 {
        self.now = match place {
            None => 0,
            Some(place) => *self.numbers.entry(place).or_insert_with(|| {
                self.places.push(place);
                self.places.len() as u32
            }),
        };
        self.now.into()
    }

    pub fn write_for(&mut self, number: i64) {
        self.now = u32::try_from(number).unwrap_or_default();
    }

    /// A node is written down.
    pub fn node(&mut self, node: i64) {
        self.nodes.insert(node, self.now);
    }

    /// A line is made of a node. They come one after the other; a first one begins another graph.
    pub fn line(&mut self, line: i64, node: i64) {
        if line == 0 {
            self.lines.clear();
        }
        let number = self.nodes.get(&node).copied().unwrap_or_default();
        self.lines.push(number);
    }
}

impl Machine<'_> {
    /// Keeps where the operations of graphs stand in the program; see [`Machine::origins`].
    pub fn keep_origins(&mut self) {
        self.origins = Some(Box::new(Origins {
            left: MOST_FRAMES_OF_ALL,
            ..Origins::default()
        }));
    }

    /// The place in the program of each line of the graph that was made last; of a line that carries a derivative back
    /// it is that of the operation whose derivative it is. Nothing where it is not known.
    pub fn origins(&self) -> Vec<Option<Place>> {
        let Some(origins) = &self.origins else {
            return Vec::new();
        };
        let place = |number: &u32| {
            let index = (*number as usize).checked_sub(1)?;
            origins.places.get(index).copied()
        };
        origins.lines.iter().map(place).collect()
    }

    /// The number of the place that performed the last command.
    pub(super) fn origin(&mut self) -> i64 {
        let Some(mut origins) = self.origins.take() else {
            return 0;
        };
        let library = |file| self.code.library.contains(&file);
        let debug = self.code.debug_of.get(self.performed);
        let own = debug.and_then(|debug| place_in_program(&self.code.debugs, *debug, library));
        let place = own.or_else(|| {
            let most = MOST_FRAMES.min(origins.left);
            let (place, looked_at) = self.call_in_program_within(most);
            origins.left -= looked_at.min(origins.left);
            place
        });
        let number = origins.begin(place);
        self.origins = Some(origins);
        number
    }

    /// Tells something to who keeps places, if somebody does.
    pub(super) fn note(&mut self, note: impl FnOnce(&mut Origins, &Heap)) -> Value {
        if let Some(origins) = &mut self.origins {
            note(origins, &self.heap);
        }
        self.code.words.unit
    }
}
