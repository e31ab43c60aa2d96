//! What people write who know another language, and how Frank writes it.
//!
//! A habit is a row of the table (`table.rs`): a shape that tokens have, a sentence, and what to write
//! instead. The table is asked where something is wrong: at the first syntax error of a text, and, for
//! words that Frank takes for names, where a name has no definition. What it says then takes the place
//! of all that is found in the item, since the rest is read wrongly, too.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::LazyLock;

use text_size::{TextRange, TextSize};

use crate::error::{Replacement, SyntaxError, SyntaxErrorKind};
use crate::lexer::{Kind, lex};
use crate::message;
use crate::outline::split;
use crate::parse::{parse_item, parse_term};
use crate::token;
use shape::{Match, Shape, View};

mod rewrite;
mod shape;
mod table;

/// So many tokens before a mistake at most belong to a habit that leads to it.
const REACH: usize = 200;

/// The shapes of the habits.
static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let habits = table::HABITS.iter();
    habits.map(|habit| Shape::new(habit.shape)).collect()
});

/// Whether a word is `include`, misspelt.
pub fn is_include(word: &str) -> bool {
    shape::is_slip(word, "include")
}

/// How another language writes something, and how Frank does.
struct Habit {
    /// See [`shape`].
    shape: &'static str,
    place: Place,
    message: &'static str,
    help: &'static str,
    rewrite: Rewrite,
}

/// The parts of an item in which a habit may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    /// Where the item begins.
    Start,
    /// The patterns of an operator's clause.
    Head,
    /// A term, with the patterns in it.
    Body,
    /// A signature.
    Types,
    /// What `data` or `interface` declares.
    Declaration,
}

/// Whether there is a text to write instead, and what is known of it.
#[derive(Clone, Copy)]
enum Rewrite {
    No,
    /// What was meant is clear.
    Sure(fn(&View<'_>, &Match) -> Option<Change>),
    /// Something else may be meant.
    Perhaps(fn(&View<'_>, &Match) -> Option<Change>),
}

/// A change of the text.
struct Change {
    range: Range<usize>,
    text: String,
    /// Names that the new text uses; they have to be defined.
    uses: Vec<String>,
    /// What was meant is less clear than the habit is.
    doubtful: bool,
}

/// How many arguments a command takes, if a name is one's.
pub type Arguments<'a> = dyn Fn(&str) -> Option<usize> + 'a;

/// The text of an item, or of a term on its own, in which something is wrong.
#[derive(Clone, Copy)]
pub struct Suspect<'a> {
    pub text: &'a str,
    pub is_item: bool,
    /// Whether a word is the name of something that the program defines, or of an interface, and so no
    /// word of another language.
    pub is_defined: &'a dyn Fn(&str) -> bool,
    /// The type that the signature of the item's operator declares, as it is written.
    pub declared: Option<&'a str>,
    /// How many arguments a command takes.
    pub arguments: &'a Arguments<'a>,
}

/// What seems to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mistaken {
    /// A name has no definition.
    Name,
    /// A token cannot stand where it does.
    Token,
    /// An item is read as another kind than it is meant to be.
    Item,
}

/// A suspect's tokens, and the habits that may be in it.
struct Search<'a> {
    suspect: Suspect<'a>,
    view: View<'a>,
    possible: Vec<(&'static Habit, &'static Shape)>,
}

impl<'a> Suspect<'a> {
    /// What is to be said of the text instead of its syntax errors, if the first one comes from a habit.
    /// Behind another mistake, a character that shows a habit is one even so.
    pub fn instead_of(self, errors: &[SyntaxError]) -> Vec<SyntaxError> {
        let search = LazyCell::new(|| self.search());
        let first = errors.first();
        if let Some(habit) = first.and_then(|first| self.of_error(first, &search)) {
            return vec![self.with_sound_replacement(habit)];
        }
        let others = errors.iter().map(|error| {
            let is_character = error.kind == SyntaxErrorKind::BadCharacter;
            let habit = if is_character {
                self.of_error(error, &search)
            } else {
                None
            };
            let told = habit.map(|habit| SyntaxError {
                replacement: None,
                ..habit
            });
            told.unwrap_or_else(|| error.clone())
        });
        others.collect()
    }

    /// What the first of some names without a definition shows that shows anything, in a text without syntax errors.
    /// They begin at `places`.
    pub fn of_names(self, places: &[TextSize]) -> Option<SyntaxError> {
        let search = self.search();
        let mut places = places.iter();
        let habit = places.find_map(|at| search.explain((*at).into(), Mistaken::Name))?;
        Some(self.with_sound_replacement(habit))
    }

    fn of_error(
        self,
        error: &SyntaxError,
        search: &LazyCell<Search<'a>, impl FnOnce() -> Search<'a>>,
    ) -> Option<SyntaxError> {
        use SyntaxErrorKind::{BadCharacter, BareType, BrokenOff, NotAHead, Unexpected};
        // A character that looks like another one is that; but what ASCII has is written on purpose.
        let range: Range<usize> = error.range.into();
        let written = self.text.get(range).unwrap_or_default();
        let is_told =
            error.replacement.is_some() && !(error.kind == BadCharacter && written.is_ascii());
        // What looks like a clause without its `=` may begin with a word of another language.
        let is_equal = |replacement: &Replacement| replacement.text == message::FORGOTTEN_EQUAL;
        if error.replacement.as_ref().is_some_and(is_equal) {
            return search.explain(error.range.start().into(), Mistaken::Item);
        }
        let may_be_habit = matches!(
            error.kind,
            BadCharacter | BareType | BrokenOff | NotAHead | Unexpected
        );
        if is_told || !may_be_habit {
            return None;
        }
        search.explain(error.range.start().into(), Mistaken::Token)
    }

    /// Cuts the text into tokens, once for all of its mistakes.
    fn search(self) -> Search<'a> {
        let tokens = token::tokens(self.text, self.is_item).list;
        let mut view = View::new(self.text, tokens, self.is_item);
        view.declared = self.declared;
        view.arguments = Some(self.arguments);
        let habits = table::HABITS.iter().zip(SHAPES.iter());
        let possible = habits.filter(|(_, shape)| shape.may_be_in(self.text));
        Search {
            suspect: self,
            view,
            possible: possible.collect(),
        }
    }

    /// Leaves the replacement of a habit out if the text does not parse with it, or if it loses a
    /// comment. What is left over may be a habit as well.
    fn with_sound_replacement(self, mut habit: SyntaxError) -> SyntaxError {
        habit.replacement = habit.replacement.filter(|replacement| {
            let mut text = self.text.to_owned();
            let range: Range<usize> = replacement.range.into();
            let Some(old) = text.get(range.clone()) else {
                return false;
            };
            if comments(old) > comments(&replacement.text) {
                return false;
            }
            text.replace_range(range, &replacement.text);
            match self.is_item {
                // A definition may become a signature with clauses.
                true => split(&text).iter().all(|item| self.reads(item.text(&text))),
                false => self.reads(&text),
            }
        });
        habit
    }

    /// Whether a text parses, or the habit of what does not is known.
    fn reads(self, text: &str) -> bool {
        let parsed = match self.is_item {
            true => parse_item(text),
            false => parse_term(text),
        };
        let first = parsed.errors.first();
        first.is_none_or(|error| {
            let other = Suspect { text, ..self };
            other
                .of_error(error, &LazyCell::new(|| other.search()))
                .is_some()
        })
    }
}

impl Search<'_> {
    /// The habit that a mistake at a byte of the text comes from.
    fn explain(&self, at: usize, mistaken: Mistaken) -> Option<SyntaxError> {
        let view = &self.view;
        let error = view.token_at(at)?;
        self.possible.iter().find_map(|(habit, shape)| {
            (error.saturating_sub(REACH)..=error).find_map(|start| {
                let is_possible = mistaken != Mistaken::Item || habit.place == Place::Start;
                if !is_possible || !view.is_in(start, habit.place) {
                    return None;
                }
                let found = shape.find(view, start)?;
                let is_reason = match mistaken {
                    Mistaken::Name => found.words.contains(&error),
                    Mistaken::Token | Mistaken::Item => found.tokens.contains(&error),
                };
                let mut words = found.own_words(view);
                let is_word = !words.any(|word| (self.suspect.is_defined)(word));
                (is_reason && is_word).then(|| told(view, habit, &found))
            })
        })
    }
}

fn told(view: &View<'_>, habit: &Habit, found: &Match) -> SyntaxError {
    let (rewrite, safe) = match habit.rewrite {
        Rewrite::No => (None, false),
        Rewrite::Sure(rewrite) => (Some(rewrite), true),
        Rewrite::Perhaps(rewrite) => (Some(rewrite), false),
    };
    let change = rewrite.and_then(|rewrite| rewrite(view, found));
    SyntaxError {
        kind: SyntaxErrorKind::Habit,
        range: text_range(begun(view, view.range(found.mark.clone()))),
        message: habit.message.to_owned(),
        related: Vec::new(),
        help: Some(habit.help.to_owned()),
        replacement: change.map(|change| Replacement {
            range: text_range(change.range),
            text: change.text,
            safe: safe && !change.doubtful,
            uses: change.uses,
        }),
    }
}

/// Of what a quotation mark begins and is no character, the mark with the name behind it.
fn begun(view: &View<'_>, range: Range<usize>) -> Range<usize> {
    let text = view.text.get(range.clone()).unwrap_or_default();
    let name = text.strip_prefix('\'').unwrap_or_default();
    let end = name.find(|letter| !crate::lexer::is_name_part(letter));
    match end {
        Some(end @ 1..) if !name.ends_with('\'') || name.contains(' ') => {
            range.start..range.start + '\''.len_utf8() + end
        }
        _ => range,
    }
}

/// How many comments a text has.
fn comments(text: &str) -> usize {
    let is_comment = |(kind, _): &(Kind, Range<usize>)| {
        matches!(kind, Kind::LineComment | Kind::BlockComment { .. })
    };
    lex(text).filter(is_comment).count()
}

fn text_range(range: Range<usize>) -> TextRange {
    let size = |position: usize| TextSize::try_from(position).unwrap_or_default();
    TextRange::new(size(range.start), size(range.end))
}

#[cfg(test)]
mod tests {
    use super::shape::is_word;
    use super::*;

    #[test]
    fn shapes_can_be_read() {
        let words = [
            "NAME",
            "NAMES",
            "CAPITAL",
            "SMALL",
            "FILE",
            "TOKEN",
            "NUMBER",
            "CHARACTER",
            "LITERAL",
            "WORD",
            "ATOM",
            "ATOMS",
            "COMMAND",
            "OPERATOR",
            "COMPARISON",
            "BEGIN",
            "APART",
            "END",
            "BLANK",
            "LINE",
        ];
        for habit in table::HABITS {
            for piece in Shape::new(habit.shape).pieces {
                assert!(!is_word(piece) || words.contains(&piece), "{piece}");
            }
            assert!(
                habit.message.len() < 90,
                "{} is more than a line",
                habit.message
            );
        }
    }

    /// Whatever a text breaks off in, and wherever a mistake is: looking for habits ends.
    #[test]
    fn texts_may_break_off() {
        let texts = [
            "include prelude main : {Int}",
            "include sub/x ;",
            "data Tree<X> = leaf | node X Tree<X, Y>",
            "f<X> : Map<String, List<Int>> -> Int [Console, State Int]",
            "f [x, ...xs] (0 | 1) () = console.log(a if b else c) Maybe::just println!(x)",
            "f x | x > 0 = (function 0 -> 1 | n -> n) 3 and [x, ...xs] for i in xs {g i} |y z| y?",
            "f g = match x with | just y -> y -1 2 ++ z `rem` 2 $ h . k",
        ];
        for text in texts {
            for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
                let text = text.get(..end).unwrap_or_default();
                let suspect = Suspect {
                    text,
                    is_item: true,
                    is_defined: &|_| false,
                    declared: Some("Unit -> Int"),
                    arguments: &|_| None,
                };
                suspect.instead_of(&parse_item(text).errors);
                for at in 0..=end {
                    suspect.of_names(&[TextSize::try_from(at).unwrap_or_default()]);
                    suspect.search().explain(at, Mistaken::Token);
                }
            }
        }
    }
}
