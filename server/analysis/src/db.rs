//! The inputs of analysis and the database that holds them.
//!
//! Analysis reads nothing itself: files come in as inputs, already cut into items, so that an
//! edit inside an item changes that item's text and nothing else.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use frank_syntax::ast::{Item, ItemKind, NodeId, SourceMap, Symbol, SymbolMap};
use frank_syntax::error::SyntaxError;
use frank_syntax::law::{parse_law, parse_law_types};
use frank_syntax::outline::OutlineKind;
use frank_syntax::parse::{parse_item, parse_term, parse_type};

use crate::interrupt::look;

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
    /// The same items in groups, which stay when items come and go in others.
    #[returns(deref)]
    pub groups: Arc<[Group]>,
    /// The names that have got another meaning here, types and interfaces aside, each with the number
    /// of the last edit that gave it one. Edits of all files are counted together.
    #[returns(ref)]
    pub changes: Arc<SymbolMap<u64>>,
    /// The same for the names of declarations. Set with every change of what the file declares.
    #[returns(ref)]
    pub declaration_changes: Arc<SymbolMap<u64>>,
    /// The text as it was written, if the items are not all of it: that of a notebook.
    #[returns(ref)]
    pub written: Option<Arc<str>>,
}

/// Some items of a file that follow one another and are looked at together.
#[salsa::input(debug)]
pub struct Group {
    /// The items in order; replaced only when one comes, goes or changes its kind or name.
    #[returns(ref)]
    pub entries: Arc<[OutlineEntry]>,
    /// Set with every change of a text among them.
    #[returns(copy)]
    pub texts: (),
    /// Set with every change of the text of a declaration among them.
    #[returns(copy)]
    pub declarations: (),
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

/// Whether an item of this kind declares a data type, an interface or an alias.
pub(crate) fn is_declaration(kind: OutlineKind) -> bool {
    matches!(kind, OutlineKind::Data | OutlineKind::Interface)
}

/// Whether a text is an item of a file, or a term or a type on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextKind {
    Item,
    /// A term that stands where items do: in a notebook.
    Cell,
    Term,
    Type,
    /// A [law](frank_syntax::law), to be read as a computation; the other reading has the types of its variables.
    Law {
        types: ItemSource,
    },
    /// A law, to be read as the signature of that computation.
    LawTypes,
}

impl TextKind {
    /// Whether it stands in a file; else it is on its own, and its places count from its start.
    pub fn is_in_file(self) -> bool {
        matches!(self, TextKind::Item | TextKind::Cell)
    }
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

    /// Results that later ones are made from.
    fn latest(&self) -> &Latest;

    /// How many items have been parsed since some were last forgotten.
    fn parsed_items(&self) -> &AtomicUsize;
}

/// The latest result of a query about each scope, for a query that makes its next result from it: salsa
/// itself does not say what a result was before. It must make the same without.
#[derive(Clone, Default)]
pub struct Latest(Arc<Mutex<HashMap<SourceFile, Arc<dyn Any + Send + Sync>>>>);

impl Latest {
    /// The latest result about a scope.
    pub fn of<T: Any + Send + Sync>(&self, scope: SourceFile) -> Option<Arc<T>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&scope).cloned()?.downcast().ok()
    }

    /// Keeps a result in the place of the one before.
    pub fn keep(&self, scope: SourceFile, result: Arc<dyn Any + Send + Sync>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(scope, result);
    }
}

/// The database of the command line, the server and the tests.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    /// See [`crate::aside`].
    pub(crate) verifies: bool,
    latest: Latest,
    parsed_items: Arc<AtomicUsize>,
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

    fn latest(&self) -> &Latest {
        &self.latest
    }

    fn parsed_items(&self) -> &AtomicUsize {
        &self.parsed_items
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
            latest: Latest::default(),
            parsed_items: Arc::default(),
        }
    }

    /// From now on keeps the items only that were asked for last, a number of them that changes little, and
    /// parses others again when they are asked for. They are forgotten before edits, and by
    /// [`Database::forget_items`].
    pub fn keep_few_items(&mut self) {
        parsed::set_lru_capacity(self, KEPT_ITEMS);
        item::set_lru_capacity(self, KEPT_ITEMS);
    }

    /// Whether many items have been parsed since some were last forgotten.
    pub fn has_many_items(&self) -> bool {
        self.parsed_items.load(Ordering::Relaxed) > KEPT_ITEMS
    }

    /// Forgets items if there are many, and [`Database::keep_few_items`] has said so. Waits until there is no
    /// other handle to the database.
    pub fn forget_items(&mut self) {
        if self.has_many_items() {
            self.parsed_items.store(0, Ordering::Relaxed);
            salsa::Database::trigger_lru_eviction(self);
        }
    }
}

/// How many items are kept where few are: those of some 40,000 lines.
const KEPT_ITEMS: usize = 10_000;

/// The parsed form of an item. Its parts are shared, so that queries can hand them out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    pub item: Arc<Item>,
    pub source_map: Arc<SourceMap>,
    pub errors: Arc<[SyntaxError]>,
}

/// Parses an item. Changes with every edit of its text.
#[salsa::tracked(lru = 0)]
pub fn parsed(db: &dyn Db, source: ItemSource) -> Parsed {
    look();
    db.parsed_items().fetch_add(1, Ordering::Relaxed);
    let text = source.text(db);
    let parsed = match source.kind(db) {
        TextKind::Item => parse_item(text),
        TextKind::Cell | TextKind::Term => parse_term(text),
        TextKind::Type => parse_type(text),
        TextKind::Law { .. } => parse_law(text),
        TextKind::LawTypes => parse_law_types(text),
    };
    Parsed {
        item: Arc::new(parsed.item),
        source_map: Arc::new(parsed.source_map),
        errors: parsed.errors.into(),
    }
}

/// What an item says, without positions: an edit of blanks and comments leaves it equal.
#[salsa::tracked(lru = 0)]
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
