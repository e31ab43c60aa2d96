//! The numbers that terms may have as literals: 0 and 1, and those that somebody has written nearby.

use frank_syntax::ast::{Symbol, TermKind};

/// Literals as they are written.
#[derive(Debug, Clone)]
pub(super) struct Literals {
    pub naturals: Vec<&'static str>,
    pub floats: Vec<&'static str>,
}

/// Zero and one.
const USUAL: usize = 2;
/// So many others of a type: each makes all terms more.
const MOST_ADMITTED: usize = 4;

impl Default for Literals {
    fn default() -> Literals {
        Literals {
            naturals: vec!["0", "1"],
            floats: vec!["0.0", "1.0"],
        }
    }
}

impl Literals {
    /// Whether a number may be written.
    pub fn has(&self, written: &str) -> bool {
        self.naturals.contains(&written) || self.floats.contains(&written)
    }

    /// Takes a term in, if it is a number.
    pub fn admit(&mut self, term: &TermKind) {
        let (all, written) = match term {
            TermKind::Natural(Some(number)) => (&mut self.naturals, number.to_string()),
            TermKind::Float(bits) => (&mut self.floats, format!("{:?}", f64::from_bits(bits.0))),
            _ => return,
        };
        let is_plain = written.chars().all(|c| c.is_ascii_digit() || c == '.');
        let is_known = all.contains(&written.as_str());
        if is_plain && !is_known && all.len() < USUAL + MOST_ADMITTED {
            all.push(Symbol::new(&written).as_str());
        }
    }
}
