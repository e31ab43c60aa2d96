//! Breakpoints as they were asked for.

use frank_core::TermId;

/// A breakpoint of a line or an operator.
#[derive(Debug, Clone)]
pub struct Point {
    pub id: i64,
    /// The number of the file that it is in; none for one of an operator.
    pub source: Option<usize>,
    /// Where it stops.
    pub terms: Vec<TermId>,
    pub wanted: Wanted,
    /// How often the run has come there, and the condition held.
    pub hits: u64,
}

/// When it stops, or what it does instead.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub condition: Option<String>,
    pub hits: Option<Hits>,
    pub log: Option<String>,
}

/// Which hits count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hits {
    Exactly(u64),
    AtLeast(u64),
    MoreThan(u64),
    Every(u64),
}

impl Hits {
    /// Reads `3`, `== 3`, `>= 3`, `> 3` or `% 3`.
    ///
    /// # Errors
    /// It is none of these: what is expected, in a sentence.
    pub fn read(text: &str) -> Result<Hits, String> {
        let text = text.trim();
        type Made = fn(u64) -> Hits;
        let prefixes: [(&str, Made); 5] = [
            (">=", Hits::AtLeast),
            ("==", Hits::Exactly),
            (">", Hits::MoreThan),
            ("%", Hits::Every),
            ("", Hits::Exactly),
        ];
        let read = prefixes.iter().find_map(|(prefix, hits)| {
            let number = text.strip_prefix(prefix)?.trim().parse().ok()?;
            Some(hits(number))
        });
        read.filter(|hits| *hits != Hits::Every(0)).ok_or_else(|| {
            let text = frank_syntax::visible::visible(text);
            format!("`{text}` does not say which hits count: write `3`, `>= 3`, `> 3` or `% 3`")
        })
    }

    /// Whether the hit of a number, from 1, counts.
    pub fn counts(self, hit: u64) -> bool {
        match self {
            Hits::Exactly(wanted) => hit == wanted,
            Hits::AtLeast(least) => hit >= least,
            Hits::MoreThan(most) => hit > most,
            Hits::Every(each) => hit.is_multiple_of(each),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_conditions_are_read() {
        let counted = |text: &str| -> Vec<u64> {
            let hits = Hits::read(text).expect("a hit condition");
            (1..=6).filter(|hit| hits.counts(*hit)).collect()
        };
        assert_eq!(counted("3"), [3]);
        assert_eq!(counted(" == 3"), [3]);
        assert_eq!(counted(">= 3"), [3, 4, 5, 6]);
        assert_eq!(counted(">3"), [4, 5, 6]);
        assert_eq!(counted("% 3 "), [3, 6]);
        for wrong in ["", "x", "% 0", "< 3", "-1"] {
            assert!(Hits::read(wrong).is_err(), "{wrong}");
        }
    }
}
