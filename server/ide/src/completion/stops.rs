//! The places of a snippet that are filled in: names by the types of what they stand for, and gaps.

use frank_analysis::db::{Database, SourceFile};
use frank_analysis::program::resolve_term;
use frank_analysis::types::{TyKind, usual_names};
use frank_syntax::ast::Symbol;

/// What continuations are called.
const CONTINUATION: &str = "k";

/// The places of one snippet, numbered as they are written.
pub(super) struct Stops<'a> {
    db: &'a Database,
    scope: SourceFile,
    next: usize,
    /// The names of the clause at work.
    taken: Vec<String>,
}

impl<'a> Stops<'a> {
    pub fn new(db: &'a Database, scope: SourceFile) -> Stops<'a> {
        Stops {
            db,
            scope,
            next: 1,
            taken: Vec::new(),
        }
    }

    /// Begins another clause, in which names can be used again.
    pub fn next_clause(&mut self) {
        self.taken.clear();
    }

    /// A name that the clause has already.
    pub fn take(&mut self, name: &str) {
        self.taken.push(name.to_owned());
    }

    /// `$3`, where anything may stand.
    pub fn gap(&mut self) -> String {
        let stop = self.next;
        self.next += 1;
        format!("${stop}")
    }

    /// `${1:x}`, a variable for values of a type. A type's variable lends its letter.
    pub fn variable(&mut self, kind: &TyKind, variables: &[Symbol]) -> String {
        let letter = match kind {
            TyKind::Variable(index) => variables.get(*index as usize).and_then(|name| {
                let mut letters = name.as_str().chars();
                let letter = letters.next().filter(char::is_ascii_uppercase)?;
                letters
                    .next()
                    .is_none()
                    .then(|| letter.to_ascii_lowercase())
            }),
            _ => None,
        };
        let letter = letter.map(String::from);
        let letter = letter.filter(|letter| letter != CONTINUATION);
        self.fresh(letter, usual_names(kind))
    }

    /// ` ${1:x} ${2:y}`, variables for values of some types, each behind a blank.
    pub fn variables<'k>(
        &mut self,
        kinds: impl IntoIterator<Item = &'k TyKind>,
        variables: &[Symbol],
    ) -> String {
        let names = kinds.into_iter();
        names
            .map(|kind| format!(" {}", self.variable(kind, variables)))
            .collect()
    }

    /// `${1:k}`, a continuation.
    pub fn continuation(&mut self) -> String {
        self.fresh(None, &[CONTINUATION])
    }

    fn fresh(&mut self, first: Option<String>, usual: &[&str]) -> String {
        let base = usual.first().copied().unwrap_or("x");
        let usual = usual.iter().map(|name| (*name).to_owned());
        let numbered = (1..).map(|number| format!("{base}{number}"));
        // A name of a constructor or a command would mean that.
        let is_free = |name: &String| {
            !self.taken.contains(name)
                && resolve_term(self.db, self.scope, Symbol::new(name)).is_none()
        };
        let mut names = first.into_iter().chain(usual).chain(numbered);
        let name = names.find(is_free).unwrap_or_default();
        self.taken.push(name.clone());
        let stop = self.next;
        self.next += 1;
        format!("${{{stop}:{name}}}")
    }
}

/// A snippet's text without the places of its cursor.
pub fn without_stops(snippet: &str) -> String {
    let mut text = String::new();
    let mut chars = snippet.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(chars.next()),
            '$' if chars.next_if_eq(&'{').is_some() => {
                let named = std::iter::from_fn(|| chars.next_if(char::is_ascii_digit)).count() > 0;
                if named && chars.next_if_eq(&':').is_some() {
                    text.extend(std::iter::from_fn(|| chars.next_if(|c| *c != '}')));
                }
                chars.next_if_eq(&'}');
            }
            '$' => while chars.next_if(char::is_ascii_digit).is_some() {},
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::without_stops;

    #[test]
    fn snippets_become_text() {
        assert_eq!(without_stops("f ${1:x} $2-> {$0\\}\\$"), "f x -> {}$");
    }
}
