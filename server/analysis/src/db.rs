//! The inputs of analysis and the database that holds them.
//!
//! Analysis reads nothing itself: files come in as inputs, already cut into items, so that an
//! edit inside an item changes that item's text and nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;

use frank_syntax::ast::{Item, ItemKind, NodeId, SourceMap, Symbol};
use frank_syntax::error::SyntaxError;
use frank_syntax::outline::OutlineKind;
use frank_syntax::parse::{parse_item, parse_term};

/// Where a file comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A file of the user's.
    Workspace,
    /// A file that is built into the program.
    Library,
}

/// A file as a list of items. Its text is that of the items, one behind the other.
#[salsa::input(debug)]
pub struct SourceFile {
    /// The path under which the file is known, with `/` between its parts.
    #[returns(deref)]
    pub path: String,
    #[returns(copy)]
    pub origin: Origin,
    /// The items in order; replaced only when an item comes, goes or changes its kind or name.
    #[returns(deref)]
    pub outline: Arc<[OutlineEntry]>,
}

/// One line of a file's table of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineEntry {
    pub kind: OutlineKind,
    pub name: Option<Symbol>,
    /// The item begins to the left of the file's item column.
    pub left_of_column: bool,
    pub item: ItemSource,
}

/// Whether a text is an item of a file or a term on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextKind {
    Item,
    Term,
}

/// The text of one item, with the blanks and comments above it.
#[salsa::input(debug)]
pub struct ItemSource {
    #[returns(copy)]
    pub file: SourceFile,
    #[returns(copy)]
    pub kind: TextKind,
    #[returns(deref)]
    pub text: Arc<str>,
}

/// All files, and where an `include` is looked up.
#[salsa::input(singleton, debug)]
pub struct Workspace {
    /// The user's files by path.
    pub files: Arc<BTreeMap<String, SourceFile>>,
    /// The directories searched after the including file's own, without a trailing `/`.
    pub include_dirs: Arc<[String]>,
    /// The library's files by the name that includes them.
    pub library: Arc<BTreeMap<Symbol, SourceFile>>,
    /// The definitions that every program has.
    #[returns(copy)]
    pub builtin: SourceFile,
    /// Whether messages show large types whole instead of where they differ.
    #[returns(copy)]
    pub verbose: bool,
}

/// What analysis asks of a database.
#[salsa::db]
pub trait Db: salsa::Database {
    /// Another handle to the same database, with a record of its own of what is read.
    fn handle(&self) -> Database;

    /// Whether results that were computed aside are verified whenever they are read.
    fn verifies(&self) -> bool;
}

/// The database of the command line, the server and the tests.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    /// See [`crate::aside`].
    pub(crate) verifies: bool,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn handle(&self) -> Database {
        self.clone()
    }

    fn verifies(&self) -> bool {
        self.verifies
    }
}

/// Called with every event of salsa's; tests see with it which queries ran.
pub type EventCallback = Box<dyn Fn(salsa::Event) + Send + Sync + 'static>;

impl Database {
    /// An empty database, without even the built-in library; see [`crate::files::Files::new`].
    pub fn new(events: Option<EventCallback>) -> Database {
        Database {
            storage: salsa::Storage::new(events),
            verifies: false,
        }
    }
}

/// The parsed form of an item. Its parts are shared, so that queries can hand them out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    pub item: Arc<Item>,
    pub source_map: Arc<SourceMap>,
    pub errors: Arc<[SyntaxError]>,
}

/// Parses an item. Changes with every edit of its text.
#[salsa::tracked]
pub fn parsed(db: &dyn Db, source: ItemSource) -> Parsed {
    let text = source.text(db);
    let parsed = match source.kind(db) {
        TextKind::Item => parse_item(text),
        TextKind::Term => parse_term(text),
    };
    Parsed {
        item: Arc::new(parsed.item),
        source_map: Arc::new(parsed.source_map),
        errors: parsed.errors.into(),
    }
}

/// What an item says, without positions: an edit of blanks and comments leaves it equal.
#[salsa::tracked]
pub fn item(db: &dyn Db, source: ItemSource) -> Arc<Item> {
    parsed(db, source).item.clone()
}

/// Whether the parser found something wrong in an item. Type errors of such an item would be
/// consequences, so none are reported.
#[salsa::tracked(returns(copy))]
pub fn has_syntax_errors(db: &dyn Db, source: ItemSource) -> bool {
    !parsed(db, source).errors.is_empty()
}

/// The name that an item defines or adds to, where it is written.
pub fn item_name(db: &dyn Db, source: ItemSource) -> Option<NodeId> {
    match &item(db, source).kind {
        ItemKind::Data { name, .. }
        | ItemKind::Interface { name, .. }
        | ItemKind::Alias { name, .. }
        | ItemKind::Include { name }
        | ItemKind::Signature { name, .. }
        | ItemKind::Clause { name, .. } => Some(name.id),
        ItemKind::Term(_) | ItemKind::Broken => None,
    }
}
