//! Names that look like other ones: `аdd` with a Cyrillic letter beside `add`. Names of ASCII letters alone
//! are never asked about.

use std::collections::{BTreeSet, HashMap};

use frank_syntax::ast::Symbol;
use frank_syntax::lexer::{Kind, is_reserved, lex};
use text_size::{TextRange, TextSize};
use unicode_normalization::UnicodeNormalization;
use unicode_script::UnicodeScript;
use unicode_security::{GeneralSecurityProfile, skeleton};

use crate::db::{Db, ItemSource, Origin, SourceFile};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::groups;
use crate::program::scope_index;

/// The words that no name should look like.
const WORDS: [&str; 8] = [
    "data",
    "interface",
    "include",
    "let",
    "in",
    "String",
    "Int",
    "Char",
];

/// Letters that formulas are written with, and whose form is nobody else's.
const MATHEMATICAL: &str = "αγρσ";

/// The names in a program's items that look like other names of the program, or of the same item.
#[salsa::tracked]
pub fn confusable_names(db: &dyn Db, root: SourceFile) -> Vec<Diagnostic> {
    let foreign: Vec<(ItemSource, Symbol)> = groups::all_facts(db, root)
        .flat_map(|facts| facts.foreign.iter().copied())
        .filter(|(item, _)| item.file(db).origin(db) == Origin::Workspace)
        .collect();
    if foreign.is_empty() {
        return Vec::new();
    }
    let mut everywhere = Alike::default();
    for word in WORDS {
        everywhere.add(word);
    }
    let own = scope_index(db, root);
    let libraries = own
        .libraries
        .iter()
        .map(|library| (scope_index(db, *library), 2));
    // The library has operators of one letter, and `ρ` need not be meant to look like its `p`.
    for (index, shortest) in std::iter::once((own, 1)).chain(libraries) {
        let names = index.names().map(|(name, _)| name.as_str());
        names
            .filter(|name| name.len() >= shortest)
            .for_each(|name| everywhere.add(name));
    }
    foreign
        .iter()
        .for_each(|(_, name)| everywhere.add(name.as_str()));
    let alike = |(item, name): &(ItemSource, Symbol)| {
        let text = item.text(db);
        let other = everywhere.other(name.as_str()).or_else(|| {
            let mut here = Alike::default();
            names(text).for_each(|(name, _)| here.add(name));
            here.other(name.as_str())
        })?;
        Some(confusable(*item, text, name.as_str(), &other))
    };
    foreign.iter().filter_map(alike).collect()
}

/// Names by what they look like.
#[derive(Default)]
struct Alike(HashMap<String, BTreeSet<String>>);

impl Alike {
    fn add(&mut self, name: &str) {
        let names = self.0.entry(shape(name)).or_default();
        names.insert(name.to_owned());
    }

    /// Another name that looks like this one; the plainest there is.
    fn other(&self, name: &str) -> Option<String> {
        let names = self.0.get(&shape(name))?;
        names.iter().find(|other| *other != name).cloned()
    }
}

/// What a name looks like: two names of one shape look alike. As in Unicode's Technical Standard 39, but
/// that letters which people write in words of one script, such as `日` and `曰`, or `æ` and `ae`, are told apart.
fn shape(name: &str) -> String {
    let mut shape = String::with_capacity(name.len());
    for c in name.nfd() {
        let from = shape.len();
        shape.extend(skeleton(c.encode_utf8(&mut [0; 4])));
        let looks_like = shape.get(from..).unwrap_or_default().chars().next();
        let is_of_the_script = looks_like.is_some_and(|other| other.script() == c.script());
        if is_of_the_script && c.identifier_allowed() || MATHEMATICAL.contains(c) {
            shape.truncate(from);
            shape.push(c);
        }
    }
    shape
}

/// The names and words of a text, with their places.
fn names(text: &str) -> impl Iterator<Item = (&str, TextRange)> {
    let size = |at: usize| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
    lex(text)
        .filter(|(kind, _)| *kind == Kind::Name)
        .filter_map(move |(_, range)| {
            let place = TextRange::new(size(range.start), size(range.end));
            Some((text.get(range)?, place))
        })
}

fn confusable(source: ItemSource, text: &str, name: &str, other: &str) -> Diagnostic {
    let places = names(text).filter(|(here, _)| *here == name);
    let places: Vec<Location> = places.map(|(_, at)| Location::range(source, at)).collect();
    let strange = name
        .chars()
        .filter(|c| !c.is_ascii() && !other.contains(*c));
    let strange: Vec<String> = strange.map(|c| format!("U+{:04X}", u32::from(c))).collect();
    let why = match &strange[..] {
        [] => "its letters are others".to_owned(),
        [one] => format!("it has the letter {one}"),
        all => format!("it has the letters {}", all.join(", ")),
    };
    let what = if is_reserved(other) {
        "the word"
    } else {
        "the name"
    };
    let at = places
        .first()
        .copied()
        .unwrap_or(Location::range(source, TextRange::default()));
    let problem = Diagnostic::new(
        Code::ConfusableName,
        at,
        format!("the name `{name}` looks like {what} `{other}`, and is another one: {why}"),
    )
    .help(format!(
        "write `{other}`, if that is meant, or a name that looks different"
    ));
    // An item that defines the name would define the other one.
    if names(text).next().is_some_and(|(first, _)| first == name) {
        return problem;
    }
    let edits = places.iter().map(|place| Edit {
        location: *place,
        position: Position::Replace,
        text: other.to_owned(),
    });
    problem.fix(Fix {
        title: format!("write `{other}`, of the other letters"),
        edits: edits.collect(),
        safe: false,
    })
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    fn alike(program: &str) -> Vec<String> {
        found(Code::ConfusableName, program)
    }

    #[test]
    fn names_of_other_letters_are_told() {
        // Cyrillic `а`; in a definition and where it is used, each time with its item.
        assert_eq!(
            alike("add : Int -> Int\nadd x = x\n\n\u{430}dd : Int -> Int\n\u{430}dd x = x\n"),
            ["\u{430}dd", "\u{430}dd"]
        );
        // A local beside a local; a word; a name of the library.
        assert_eq!(
            alike("f : Int -> Int -> Int\nf x \u{445} = x\n"),
            ["\u{445}"]
        );
        assert_eq!(alike("l\u{435}t : Int\n"), ["l\u{435}t"]);
        assert_eq!(
            alike("include prelude\n\nf : Int\nf! = m\u{430}p\n"),
            ["m\u{430}p"]
        );
    }

    #[test]
    fn letters_made_like_others_are_told() {
        // A fraktur letter, one of full width, a ligature, and one that only phonetics has.
        for name in ["\u{1d51e}dd", "\u{ff41}dd", "\u{fb01}t", "\u{251}dd"] {
            let program = format!("add : Int\n\nfit : Int\n\n{name} : Int\n");
            assert_eq!(alike(&program), [name]);
        }
    }

    #[test]
    fn names_in_any_script_are_right() {
        for program in [
            "сумма : Int -> Int\nсумма х = х\n\nα : Int -> Int\nα dβ = dβ\n\n数 : Int -> Int\n数 größe = größe\n",
            "f : Int -> Int -> Int -> Int\nf α a σ = σ\n\nρ : Int -> Int -> Int\nρ p o = o\n",
            "日 : Int\n\n曰 : Int\n\nforæ : Int\n\nforae : Int\n\nkalın : Int\n\nkalin : Int\n",
        ] {
            assert_eq!(alike(program), [] as [&str; 0]);
        }
    }
}
