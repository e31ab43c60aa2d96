//! Findings: what is wrong, where, why, and what to do.
//!
//! A [`Diagnostic`] is one finding, and its [`Code`] says of which kind it is. Where it stands is said
//! by items and nodes, not by offsets, so that a finding stays right when text above it changes;
//! [`Files::range`](crate::files::Files::range) and
//! [`Snapshot::range`](crate::snapshot::Snapshot::range) make bytes of a file from it.

pub mod book;
mod codes;

use frank_syntax::ast::{NodeId, Symbol};
use rapidfuzz::distance::{damerau_levenshtein, levenshtein};
use text_size::TextRange;

pub use codes::{Code, Declaration, Marks, PAGES};

use crate::db::{Db, ItemSource, parsed};
use crate::program::OperatorDef;

/// How grave a finding is. The gravest comes first in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// What has it does not run, nor does what uses that.
    Error,
    /// The program runs, and likely does not do what is meant.
    Warning,
    /// Something that may well be meant: shown, never counted.
    Hint,
}

impl Severity {
    /// The word that messages use.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// A place in an item. Nodes stay valid when blanks and comments move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Location {
    pub item: ItemSource,
    pub at: At,
}

/// What a [`Location`] points at within its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum At {
    /// A part of the syntax tree, wherever it stands in the text.
    Node(NodeId),
    /// Bytes, counted from the item's first.
    Range(TextRange),
}

impl Location {
    /// A node of an item.
    pub fn node(item: ItemSource, node: NodeId) -> Location {
        Location {
            item,
            at: At::Node(node),
        }
    }

    /// Bytes of an item, counted from its first.
    pub fn range(item: ItemSource, range: TextRange) -> Location {
        Location {
            item,
            at: At::Range(range),
        }
    }

    /// The bytes of the item's text that the location covers now.
    pub fn in_item(self, db: &dyn Db) -> TextRange {
        match self.at {
            At::Node(node) => parsed(db, self.item).source_map.range(node),
            At::Range(range) => range,
        }
    }
}

/// Another place that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    pub location: Location,
    pub message: String,
}

/// How the text of an edit relates to its location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Position {
    Replace,
    Before,
    After,
}

/// One change of a text: `text` comes before, behind, or in the place of what stands at a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub location: Location,
    pub position: Position,
    pub text: String,
}

impl Edit {
    /// What the text takes the place of, where the location is at `range`.
    pub fn replaced(&self, range: TextRange) -> TextRange {
        match self.position {
            Position::Replace => range,
            Position::Before => TextRange::empty(range.start()),
            Position::After => TextRange::empty(range.end()),
        }
    }
}

/// A change that takes a finding away, as an editor offers it (LSP `CodeAction`, kind `quickfix`). All
/// its edits are made together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an editor's menu shows it.
    pub title: String,
    pub edits: Vec<Edit>,
    /// Whether the fix may be applied without asking: it leaves nothing to be written, it throws away
    /// no work, and it cannot change what a correct program computes. It must also be the only fix of
    /// the finding; that is not known where the fix is made, and is checked later.
    pub safe: bool,
}

/// A finding (LSP `Diagnostic`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    /// That of the code, unless a project sets another one.
    pub severity: Severity,
    /// One sentence, in the language's terms, with the user's own names.
    pub message: String,
    pub location: Location,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// What to do, a sentence each.
    pub help: Vec<String>,
    pub fixes: Vec<Fix>,
    /// No fix is better than the others, so that an editor prefers none: each decides something.
    pub undecided: bool,
    /// The finding is suppressed if it is a consequence of this.
    pub cause: Option<PossibleCause>,
    /// The finding is suppressed if one of these operators has errors.
    pub rests_on: Vec<OperatorDef>,
    /// The finding is suppressed if the signature of this operator is found to be wrong.
    pub rests_on_signatures: Vec<OperatorDef>,
    /// The finding is suppressed: it goes with one about a declaration, which is told elsewhere.
    pub told_elsewhere: bool,
}

/// A file that has a name, and is not included; it goes by the name that `include` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Definer {
    /// A file of the library.
    Library(Symbol),
    /// One of the user's own files.
    Beside(Symbol),
    /// A file of the library, whose name leads to one of the user's.
    Shadowed {
        library: Symbol,
        /// It leads to the file that lacks the name.
        by_itself: bool,
    },
}

impl Definer {
    /// The name that `include` takes.
    pub fn file(self) -> Symbol {
        match self {
            Definer::Library(file)
            | Definer::Beside(file)
            | Definer::Shadowed { library: file, .. } => file,
        }
    }
}

/// A name that is perhaps defined where it cannot be seen: in an item that did not parse, or in a
/// file that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PossibleCause {
    pub name: Symbol,
    /// Whether an included file that does not exist may define it, too.
    pub lacks_includes: bool,
    /// The file that has it, and that is not included.
    pub file: Option<Definer>,
}

impl Diagnostic {
    /// A finding of the code's own severity with nothing but its message.
    pub fn new(code: Code, location: Location, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.declaration().severity,
            message: message.into(),
            location,
            related: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
            undecided: false,
            cause: None,
            rests_on: Vec::new(),
            rests_on_signatures: Vec::new(),
            told_elsewhere: false,
        }
    }

    /// The finding is suppressed if an item that did not parse has this name in it.
    pub fn may_follow_from(mut self, name: Symbol) -> Diagnostic {
        let lacks_includes = false;
        self.cause = Some(PossibleCause {
            name,
            lacks_includes,
            file: None,
        });
        self
    }

    /// As [`Diagnostic::may_follow_from`], of a variable in a pattern that is perhaps meant as a constructor: that may be
    /// declared in a file that is not found, or a second time.
    pub fn may_be_constructor(mut self, name: Symbol) -> Diagnostic {
        self.cause = Some(PossibleCause {
            name,
            lacks_includes: true,
            file: None,
        });
        self
    }

    /// The finding about a name that a file has which is not included. `verb` says what the file does with it.
    pub fn lacks_include(mut self, definer: Definer, verb: &str) -> Diagnostic {
        if let Some(cause) = &mut self.cause {
            cause.file = Some(definer);
        }
        self.help(match definer {
            Definer::Library(file) => {
                format!("the library file `{file}` {verb} it: add `include {file}`")
            }
            Definer::Beside(file) => {
                format!("your file `{file}.fk` {verb} it: add `include {file}`")
            }
            Definer::Shadowed { library, by_itself } => {
                let (what, this) = match by_itself {
                    true => ("this file itself".to_owned(), "this"),
                    false => (format!("your file `{library}.fk`"), "that"),
                };
                format!(
                    "the library file `{library}` {verb} it, but `include {library}` includes {what}, which has the same \
                     name: give {this} file another one"
                )
            }
        })
    }

    /// Whether it keeps what it is about from running: it is an error, and more than a term that is still to be
    /// written, at which a run can end.
    pub fn keeps_from_running(&self) -> bool {
        self.is_error() && self.code != Code::Hole
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The finding, with another place that explains it and what to say there.
    pub fn related(mut self, location: Location, message: impl Into<String>) -> Diagnostic {
        self.related.push(Related {
            location,
            message: message.into(),
        });
        self
    }

    /// The finding, with a sentence more on what to do.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help.push(help.into());
        self
    }

    /// The finding, with a fix more.
    pub fn fix(mut self, fix: Fix) -> Diagnostic {
        self.fixes.push(fix);
        self
    }
}

/// So many names at most are offered for a misspelt one.
pub const MOST_SIMILAR: usize = 3;

/// The name of `candidates` that `name` is most likely a misspelling of.
pub fn similar_name<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    similar_names(name, candidates).first().copied()
}

/// The names of `candidates` that `name` may be a misspelling of, the most likely first.
pub fn similar_names<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let length = name.chars().count();
    let limit = match length {
        0..=2 => return Vec::new(),
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    // Most names have too many letters that the other has not: a change of one letter brings one at most.
    let own = letters_of(name);
    let may_be = |candidate: &str| {
        let other = letters_of(candidate);
        let beyond = |these: u64, those: u64| (these & !those).count_ones() as usize;
        beyond(own, other) <= limit && beyond(other, own) <= limit
    };
    // Counting changes of single letters is much quicker, and rules out nearly all others; where two
    // neighbours are exchanged, two letters have changed.
    let letters = levenshtein::BatchComparator::new(name.chars());
    let changed = levenshtein::Args::default().score_cutoff(2 * limit);
    let distance = |candidate: &str| {
        letters.distance_with_args(candidate.chars(), &changed)?;
        let at_most = damerau_levenshtein::Args::default().score_cutoff(limit);
        damerau_levenshtein::distance_with_args(name.chars(), candidate.chars(), &at_most)
    };
    let mut similar: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .filter(|candidate| may_be(candidate))
        .filter_map(|candidate| Some((distance(candidate)?, candidate)))
        .collect();
    similar.sort_unstable();
    similar.dedup();
    // A capital letter for a small one is a likelier slip than another letter.
    let is_spelled_so =
        |(_, candidate): &(usize, &str)| candidate.to_lowercase() == name.to_lowercase();
    if similar.iter().any(is_spelled_so) {
        similar.retain(is_spelled_so);
    }
    similar.truncate(MOST_SIMILAR);
    similar.into_iter().map(|(_, name)| name).collect()
}

/// The letters of a name, as a set in which some share a bit.
fn letters_of(name: &str) -> u64 {
    name.chars()
        .fold(0, |set, letter| set | 1 << (u32::from(letter) % u64::BITS))
}
