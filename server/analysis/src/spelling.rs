//! The names among which a misspelt one is looked for.
//!
//! Among few names each is compared with the misspelt one. Among many that would take as long as there are pairs, so
//! there only those are compared that stand near it in a list by first letters, or by last ones: who mistypes a name
//! mostly gets its beginning or its end right.

use std::cmp::Ordering;

use frank_syntax::ast::Symbol;

/// So many names are few.
const FEW: usize = 1000;

/// Among many, so many on each side of a name are near it.
const NEAR: usize = 250;

/// Names, by first and by last letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spellings {
    by_start: Vec<Symbol>,
    by_end: Vec<Symbol>,
}

impl Spellings {
    /// The names to look among.
    pub fn new(names: impl IntoIterator<Item = Symbol>) -> Spellings {
        let mut by_start: Vec<Symbol> = names.into_iter().collect();
        by_start.sort_unstable_by_key(|name| name.as_str());
        by_start.dedup();
        let mut by_end = Vec::new();
        if by_start.len() > FEW {
            by_end.clone_from(&by_start);
            by_end.sort_by(|a, b| from_behind(a.as_str(), b.as_str()));
        }
        Spellings { by_start, by_end }
    }

    /// The names that are worth a comparison with one, in alphabetical order.
    pub fn near(&self, name: &str) -> Vec<&'static str> {
        if self.by_end.is_empty() {
            return self.by_start.iter().map(|one| one.as_str()).collect();
        }
        let start = self.by_start.partition_point(|one| one.as_str() < name);
        let end = self
            .by_end
            .partition_point(|one| from_behind(one.as_str(), name) == Ordering::Less);
        let both = around(&self.by_start, start).chain(around(&self.by_end, end));
        let mut near: Vec<&str> = both.map(|one| one.as_str()).collect();
        near.sort_unstable();
        near.dedup();
        near
    }
}

fn from_behind(a: &str, b: &str) -> Ordering {
    a.chars().rev().cmp(b.chars().rev())
}

fn around(names: &[Symbol], at: usize) -> impl Iterator<Item = &Symbol> {
    names.iter().skip(at.saturating_sub(NEAR)).take(2 * NEAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::similar_name;

    /// One slip is found among many names, wherever in the name it is.
    #[test]
    fn a_slip_is_found_among_many() {
        let name = |i: usize| format!("a_{}_long_name_{}", i * 7919 % 100_003, i);
        let many = Spellings::new((0..20_000).map(|i| Symbol::new(&name(i))));
        for i in [0, 1, 777, 19_999] {
            let meant = name(i);
            for at in 0..meant.len() {
                let mut written = meant.clone();
                written.replace_range(at..=at, "x");
                let near = many.near(&written);
                assert!(near.len() <= 4 * NEAR);
                assert!(near.contains(&meant.as_str()), "{written} for {meant}");
                assert!(similar_name(&written, near).is_some(), "{written}");
            }
        }
    }
}
