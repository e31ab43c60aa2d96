//! Lines, cut where they leave the picture.

/// The parts of a line whose heights are within two bounds, with new points where it passes a bound.
pub(super) fn within(line: &[(f64, f64)], (low, high): (f64, f64)) -> Vec<Vec<(f64, f64)>> {
    let inside = |point: &(f64, f64)| (low..=high).contains(&point.1);
    if let [only] = line {
        return if inside(only) {
            vec![line.to_vec()]
        } else {
            Vec::new()
        };
    }
    let mut parts: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut end = None;
    for pair in line.windows(2) {
        let [a, b] = *pair else {
            continue;
        };
        let Some((from, to)) = part(a, b, (low, high)) else {
            end = None;
            continue;
        };
        match parts.last_mut() {
            Some(own) if end == Some(from) => own.push(to),
            _ => parts.push(vec![from, to]),
        }
        end = Some(to);
    }
    parts
}

/// The part of a segment that is between two heights.
fn part(a: (f64, f64), b: (f64, f64), (low, high): (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
    let (bottom, top) = (a.1.min(b.1), a.1.max(b.1));
    if top < low || bottom > high {
        return None;
    }
    let at = |y: f64| {
        let part = (y - a.1) / (b.1 - a.1);
        (a.0 * (1.0 - part) + b.0 * part, y)
    };
    let moved = |point: (f64, f64)| match point.1 {
        y if y < low => at(low),
        y if y > high => at(high),
        _ => point,
    };
    Some((moved(a), moved(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_leaves_and_comes_back_is_two() {
        let line = [(0.0, 0.0), (1.0, 4.0), (2.0, 4.0), (3.0, 0.0)];
        let parts = within(&line, (0.0, 2.0));
        assert_eq!(
            parts,
            [vec![(0.0, 0.0), (0.5, 2.0)], vec![(2.5, 2.0), (3.0, 0.0)]]
        );
    }

    #[test]
    fn one_that_crosses_the_whole_height_keeps_its_middle() {
        let parts = within(&[(0.0, -3.0), (1.0, 3.0)], (-1.0, 1.0));
        let [part] = &parts[..] else {
            panic!("{parts:?}");
        };
        let (first, last) = (part.first(), part.last());
        assert_eq!(first.map(|point| point.1), Some(-1.0));
        assert_eq!(last.map(|point| point.1), Some(1.0));
    }

    #[test]
    fn what_is_outside_is_not_there() {
        assert!(within(&[(0.0, 5.0), (1.0, 6.0)], (0.0, 2.0)).is_empty());
        assert!(within(&[(0.0, 5.0)], (0.0, 2.0)).is_empty());
        assert_eq!(within(&[(0.0, 1.0)], (0.0, 2.0)), [[(0.0, 1.0)]]);
    }
}
