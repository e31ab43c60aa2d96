//! Where the nodes of a graph stand: in layers, by the crate `rust-sugiyama`.

use rust_sugiyama::configure::{Config, CrossingMinimization, RankingType};
use rust_sugiyama::from_vertices_and_edges;

/// Between two nodes is so much room, in pixels.
const ROOM: f64 = 26.0;

/// Lines over several layers are given room in each of them, unless that is so much in all.
const MOST_PASSED: usize = 20_000;

/// A picture with more lines than this is not looked through for crossings that exchanging neighbours would save.
const MOST_EXCHANGED: usize = 1_500;

/// Where nodes stand, and how large all of it is.
#[derive(Debug, Default)]
pub struct Layout {
    /// The middle of each node.
    pub places: Vec<(f64, f64)>,
    pub width: f64,
    pub height: f64,
}

/// How many layers the lines pass by, all together, when each node stands as high as it can. Lines go from lower numbers
/// to higher ones, but for those of folded graphs, which are few.
fn passed(nodes: usize, edges: &[(u32, u32)]) -> usize {
    let mut layers = vec![0usize; nodes];
    let of = |layers: &[usize], node: u32| layers.get(node as usize).copied().unwrap_or_default();
    let mut sorted: Vec<(u32, u32)> = edges.to_vec();
    sorted.sort_unstable_by_key(|(_, to)| *to);
    for (from, to) in &sorted {
        let below = of(&layers, *from) + 1;
        if let Some(layer) = layers.get_mut(*to as usize) {
            *layer = (*layer).max(below);
        }
    }
    let lengths = edges
        .iter()
        .map(|(from, to)| of(&layers, *to).saturating_sub(of(&layers, *from) + 1));
    lengths.sum()
}

/// Puts nodes of these sizes into layers, so that most lines go down.
pub fn layered(sizes: &[(f64, f64)], edges: &[(usize, usize)]) -> Layout {
    let mut edges: Vec<(u32, u32)> = edges
        .iter()
        .map(|(from, to)| (*from as u32, *to as u32))
        .collect();
    // A second line between two nodes says nothing of their places.
    edges.sort_unstable();
    edges.dedup();
    let vertices: Vec<(u32, (f64, f64))> = (0..).zip(sizes.iter().copied()).collect();
    let config = Config {
        minimum_length: 1,
        vertex_spacing: ROOM,
        dummy_vertices: passed(sizes.len(), &edges) <= MOST_PASSED,
        dummy_size: 0.6,
        ranking_type: match edges.len() > MOST_EXCHANGED {
            true => RankingType::Up,
            false => RankingType::MinimizeEdgeLength,
        },
        c_minimization: CrossingMinimization::Barycenter,
        transpose: edges.len() <= MOST_EXCHANGED,
    };
    let mut layout = Layout {
        places: vec![(0.0, 0.0); sizes.len()],
        ..Layout::default()
    };
    // Parts that no line connects stand side by side.
    for (part, ..) in from_vertices_and_edges(&vertices, &edges, &config) {
        let size = |node: usize| sizes.get(node).copied().unwrap_or_default();
        let ends = |side: fn(f64, f64) -> f64, along: fn((f64, f64)) -> f64, sign: f64| {
            let all = part
                .iter()
                .map(|(node, place)| along(*place) + sign * along(size(*node)) / 2.0);
            all.reduce(side).unwrap_or_default()
        };
        let (x, y) = (|place: (f64, f64)| place.0, |place: (f64, f64)| place.1);
        let (left, right) = (ends(f64::min, x, -1.0), ends(f64::max, x, 1.0));
        let (top, bottom) = (ends(f64::min, y, -1.0), ends(f64::max, y, 1.0));
        let before = match layout.width > 0.0 {
            true => layout.width + ROOM,
            false => 0.0,
        };
        for (node, (x, y)) in &part {
            if let Some(place) = layout.places.get_mut(*node) {
                *place = (x - left + before, y - top);
            }
        }
        layout.width = before + right - left;
        layout.height = layout.height.max(bottom - top);
    }
    layout
}
