//! Which parts of its range a histogram counts in.

/// So many parts at most: more than can be told apart in a picture.
const MOST_BINS: usize = 100;

/// The edges of parts of equal width, and how many numbers lie in each. The numbers are finite, and there are some.
///
/// The width is the smaller one of those of Freedman and Diaconis (1981) and of Sturges (1926): the first suits many
/// numbers, the second few. Whole numbers lie in the middle of their parts.
pub(super) fn bins(mut numbers: Vec<f64>) -> (Vec<f64>, Vec<u64>) {
    numbers.sort_by(f64::total_cmp);
    let at = |part: usize| numbers.get((numbers.len() - 1) * part / 4).copied();
    let [low, first, third, high] = [0, 1, 3, 4].map(|part| at(part).unwrap_or_default());
    let span = high - low;
    if span <= f64::EPSILON * low.abs().max(high.abs()) {
        // All are the same, or as good as that.
        let half = (low.abs() * 0.1).max(0.5);
        let edges = [(low - half).max(f64::MIN), (low + half).min(f64::MAX)];
        return (edges.to_vec(), vec![numbers.len() as u64]);
    }
    let count = numbers.len() as f64;
    let sturges = span / (libm::log2(count) + 1.0).ceil();
    let freedman_diaconis = 2.0 * (third - first) / libm::cbrt(count);
    let mut width = match freedman_diaconis > 0.0 {
        true => sturges.min(freedman_diaconis),
        false => sturges,
    };
    width = width.max(span / MOST_BINS as f64);
    let mut start = low;
    let whole = numbers.iter().all(|x| x.fract() == 0.0) && low.abs().max(high.abs()) < 1e9;
    let parts = if whole {
        width = width.round().max(1.0);
        start = low - 0.5;
        ((span + 1.0) / width).ceil()
    } else {
        let parts = (span / width).ceil().max(1.0);
        width = span / parts;
        parts
    } as usize;
    let edges: Vec<f64> = (0..=parts).map(|i| start + i as f64 * width).collect();
    let mut counts = vec![0; parts];
    for x in numbers {
        let part = ((x - start) / width) as usize;
        if let Some(count) = counts.get_mut(part.min(parts - 1)) {
            *count += 1;
        }
    }
    (edges, counts)
}

#[cfg(test)]
mod tests {
    use super::bins;

    #[test]
    fn every_number_is_counted_once() {
        for (low, high) in [(0.0, 1.0), (-5.0, 1e6), (1e-9, 2e-9), (3.0, 3.0)] {
            let numbers: Vec<f64> = (0..1000)
                .map(|i| low + (high - low) * f64::from(i) / 999.0)
                .collect();
            let (edges, counts) = bins(numbers);
            assert_eq!(edges.len(), counts.len() + 1);
            assert_eq!(counts.iter().sum::<u64>(), 1000, "{low} {high}");
            assert!(edges.windows(2).all(|two| two[0] < two[1]));
            assert!(edges.first().is_some_and(|first| *first <= low));
        }
    }

    #[test]
    fn whole_numbers_have_parts_of_their_own() {
        // Two dice.
        let dice = (1..=6).flat_map(|a| (1..=6).map(move |b| f64::from(a + b)));
        let (edges, counts) = bins(dice.collect());
        assert_eq!(edges.first(), Some(&1.5));
        assert_eq!(counts, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
    }

    #[test]
    fn a_few_far_ones_do_not_make_thousands_of_parts() {
        let mut numbers: Vec<f64> = (0..10_000).map(|i| f64::from(i) / 1e4).collect();
        numbers.push(1e9);
        assert!(bins(numbers).1.len() <= 100);
    }
}
