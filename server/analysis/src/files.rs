//! The files of a session: texts come in, items of the database change.
//!
//! Paths are names here, with `/` between their parts: nothing is read from a disk.
//!
//! An item keeps its identity through edits as long as it stays one item, so that what was found
//! out about it, and about everything else, stays.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ops::{Bound, Range};
use std::sync::{Arc, PoisonError};

use frank_library::{BUILTIN, LIBRARY};
use frank_syntax::ast::{Symbol, SymbolMap, SymbolSet};
use frank_syntax::lines::{Unified, unified};
use frank_syntax::notebook::{holds_terms, is_notebook};
use frank_syntax::outline::{Outline, OutlineChange, OutlineItem, OutlineKind, TextSource};
use frank_syntax::parse::parse_item;
use salsa::{Durability, Setter};
use text_size::{TextRange, TextSize};

use crate::db::{
    Database, EventCallback, ItemSource, Origin, OutlineEntry, SourceFile, TextKind, Workspace,
    has_syntax_errors, is_declaration, item,
};
use crate::diagnostics::Location;
use crate::grouping;
use crate::index::{MemberNames, members_of};
use crate::reading::Reading;
use crate::snapshot::{self, Outlines, Snapshot, Terms};

/// The directory that library files seem to be in.
pub const LIBRARY_DIR: &str = "library:";

/// The files that analysis knows, and the database that knows what is in them.
pub struct Files {
    db: Database,
    outlines: Arc<Outlines>,
    /// The terms and types on their own that snapshots have made.
    terms: Terms,
    /// The items that were edited last, the latest at the end, with their usual durability.
    edited: VecDeque<(ItemSource, Durability)>,
    /// How many items of the user's files there are, and how many there were.
    live: usize,
    gone: usize,
    /// How many edits have given names another meaning.
    changes: u64,
}

/// What an edit has done to the items of a file.
#[derive(Default)]
struct Edited {
    /// Those that have another text.
    texts: HashSet<ItemSource>,
    /// The names that have got another meaning.
    names: SymbolSet,
}

/// With fewer items than this gone a database is never worn.
const LEAST_WORN: usize = 5_000;

/// So many items at most count as being edited.
const MOST_EDITED: usize = 64;

impl Files {
    /// No files but the library's. `events` is called with salsa's events, for tests that count
    /// which queries run.
    pub fn new(events: Option<EventCallback>) -> Files {
        Files::with_library(events, LIBRARY.iter().copied())
    }

    /// No files but those of a library: the name that includes each, and its text.
    pub(crate) fn with_library<'a>(
        events: Option<EventCallback>,
        library: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Files {
        let mut db = Database::new(events);
        let mut outlines = HashMap::new();
        let mut load = |db: &mut Database, name: &str, text: &str| {
            let path = format!("{LIBRARY_DIR}/{name}.fk");
            let read = Reading::new(&path, text);
            let file = new_file(db, path, Origin::Library, &read);
            outlines.insert(file, Arc::new(read.outline));
            file
        };
        let builtin = load(&mut db, "builtin", BUILTIN);
        let library: BTreeMap<Symbol, SourceFile> = library
            .map(|(name, text)| (Symbol::new(name), load(&mut db, name, text)))
            .collect();
        let _singleton = Workspace::builder(
            Arc::default(),
            Arc::from([]),
            Arc::new(library),
            builtin,
            false,
        )
        .durability(Durability::HIGH)
        .new(&db);
        Files {
            db,
            outlines: Arc::new(outlines),
            terms: Terms::default(),
            edited: VecDeque::new(),
            live: 0,
            gone: 0,
            changes: 0,
        }
    }

    /// Whether most of what the database holds is about items and terms that are gone. It keeps an
    /// input, and what was found out about it, for good; so whoever lives long should now and then
    /// make new [`Files`] of the same texts.
    pub fn is_worn(&self) -> bool {
        let terms = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        self.gone + terms.len() > LEAST_WORN.max(2 * self.live)
    }

    /// Has results that were computed aside verified whenever they are read, in this database and in
    /// snapshots to come; see [`crate::aside`]. For tests: every question is answered twice.
    pub fn verify(&mut self) {
        self.db.verifies = true;
    }

    /// See [`Database::keep_few_items`].
    pub fn keep_few_items(&mut self) {
        self.db.keep_few_items();
    }

    /// See [`Database::forget_items`].
    pub fn forget_items(&mut self) {
        self.db.forget_items();
    }

    /// The database, to ask.
    pub fn db(&self) -> &Database {
        &self.db
    }

    /// The files as they are now, to be read on another thread. The next change of a file waits
    /// until all snapshots are dropped, so what holds one must not wait for anything.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.db.clone(), self.outlines.clone(), self.terms.clone())
    }

    fn keep(&mut self, file: SourceFile, outline: Outline) {
        Arc::make_mut(&mut self.outlines).insert(file, Arc::new(outline));
    }

    /// The user's file at a path.
    pub fn file(&self, path: &str) -> Option<SourceFile> {
        let workspace = Workspace::get(&self.db);
        workspace.files(&self.db).get(path).copied()
    }

    /// Whether a notebook is known by its cells, each a file of its own.
    pub fn has_cells(&self, notebook: &str) -> bool {
        let first = format!("{notebook}#");
        let files = Workspace::get(&self.db).files(&self.db);
        let from = (Bound::Included(first.as_str()), Bound::Unbounded);
        let mut from = files.range::<str, _>(from);
        is_notebook(notebook)
            && from
                .next()
                .is_some_and(|(path, _)| path.starts_with(&first))
    }

    /// The file of the library at a path such as `library:/prelude.fk`.
    pub fn library_file(&self, path: &str) -> Option<SourceFile> {
        self.outlines
            .keys()
            .copied()
            .find(|file| file.origin(&self.db) == Origin::Library && file.path(&self.db) == path)
    }

    /// Sets whether messages show large types whole instead of where they differ.
    pub fn set_verbose(&mut self, verbose: bool) {
        let workspace = Workspace::get(&self.db);
        if workspace.verbose(&self.db) != verbose {
            workspace.set_verbose(&mut self.db).to(verbose);
        }
    }

    /// Sets the directories, without a trailing `/`, in which includes are looked up after the
    /// including file's own.
    pub fn set_include_dirs(&mut self, dirs: Vec<String>) {
        let workspace = Workspace::get(&self.db);
        if workspace.include_dirs(&self.db)[..] != dirs[..] {
            workspace.set_include_dirs(&mut self.db).to(dirs.into());
        }
    }

    /// Adds a file, or gives the known one at `path` another text. All items of the text are looked
    /// at; where the edit that made it is known, [`Files::edit`] costs less.
    pub fn set_text(&mut self, path: &str, text: &str) -> SourceFile {
        let Some(file) = self.file(path) else {
            return self
                .add(&[(path.to_owned(), text)])
                .first()
                .copied()
                .unwrap_or_else(|| unreachable!("one file was added"));
        };
        let read = Reading::new(path, text);
        let old = self.outlines.get(&file).cloned().unwrap_or_default();
        let change = self.difference(file, old.items(), read.outline.items(), &read.text);
        self.splice(file, &read.outline, change, &*read.text);
        self.keep(file, read.outline);
        if *file.written(&self.db) != read.written {
            file.set_written(&mut self.db)
                .with_durability(Durability::LOW)
                .to(read.written);
        }
        file
    }

    /// Adds files, each a path and its text, that are not known yet, all at once; and gives them in
    /// the same order.
    pub fn add(&mut self, texts: &[(String, &str)]) -> Vec<SourceFile> {
        let workspace = Workspace::get(&self.db);
        let mut files = (**workspace.files(&self.db)).clone();
        let mut added = Vec::with_capacity(texts.len());
        for (path, text) in texts {
            let read = Reading::new(path, text);
            let file = new_file(&mut self.db, path.clone(), Origin::Workspace, &read);
            self.live += read.outline.items().len();
            self.keep(file, read.outline);
            files.insert(path.clone(), file);
            added.push(file);
        }
        workspace.set_files(&mut self.db).to(Arc::new(files));
        added
    }

    /// Forgets a file. Items that others still refer to are empty from now on.
    pub fn remove(&mut self, path: &str) {
        self.remove_all([path]);
    }

    /// Forgets files, all at once.
    pub fn remove_all<'p>(&mut self, paths: impl IntoIterator<Item = &'p str>) {
        let workspace = Workspace::get(&self.db);
        let mut files = (**workspace.files(&self.db)).clone();
        let known = files.len();
        for path in paths {
            let Some(file) = files.remove(path) else {
                continue;
            };
            Arc::make_mut(&mut self.outlines).remove(&file);
            let items = file.outline(&self.db).len();
            self.live = self.live.saturating_sub(items);
            self.gone += items;
            file.set_outline(&mut self.db).to(Arc::from([]));
            file.set_groups(&mut self.db).to(Arc::from([]));
        }
        if files.len() < known {
            workspace.set_files(&mut self.db).to(Arc::new(files));
        }
    }

    /// Takes over an edit: the bytes `edited` of a file's old text were replaced by `new_length`
    /// bytes, which made it `text`, the whole new text. Costs what the edited items cost; in a notebook,
    /// what reading it costs.
    pub fn edit(
        &mut self,
        file: SourceFile,
        text: &(impl TextSource + ?Sized),
        edited: Range<usize>,
        new_length: usize,
    ) {
        if file.written(&self.db).is_some() {
            let path = file.path(&self.db).to_owned();
            self.set_text(&path, &text.slice(0..text.len()));
            return;
        }
        let known = Arc::make_mut(&mut self.outlines)
            .remove(&file)
            .unwrap_or_default();
        let mut outline = Arc::unwrap_or_clone(known);
        let text = &Unified(text);
        let start = edited.start;
        let edited = text.edited(edited);
        let new_length = new_length + start - edited.start;
        let change = outline.edit(text, edited, new_length);
        self.splice(file, &outline, change, text);
        self.keep(file, outline);
    }

    /// What changed between two outlines of a file: all but the equal items at both ends.
    fn difference(
        &self,
        file: SourceFile,
        old: &[OutlineItem],
        new: &[OutlineItem],
        text: &str,
    ) -> OutlineChange {
        let entries = file.outline(&self.db);
        let same = |(entry, item): (&OutlineEntry, &OutlineItem)| {
            entry.item.text(&self.db) == item.text(text)
                && (entry.kind, entry.name, entry.left_of_column)
                    == (item.kind, item.name, item.left_of_column)
        };
        let start = entries
            .iter()
            .zip(new)
            .take_while(|(e, i)| same((e, i)))
            .count();
        let most = old.len().min(new.len()) - start.min(old.len().min(new.len()));
        let end = entries.iter().rev().zip(new.iter().rev()).take(most);
        let end = end.take_while(|(e, i)| same((e, i))).count();
        OutlineChange {
            old: start..old.len() - end,
            new: start..new.len() - end,
        }
    }

    /// Brings a file's items up to date.
    fn splice(
        &mut self,
        file: SourceFile,
        outline: &Outline,
        change: OutlineChange,
        text: &(impl TextSource + ?Sized),
    ) {
        let replaced: Vec<OutlineEntry> = file
            .outline(&self.db)
            .get(change.old.clone())
            .unwrap_or_default()
            .to_vec();
        let items = outline.items().get(change.new.clone()).unwrap_or_default();
        // Items keep their identity by kind and name, in order; a lone item keeps it whatever
        // became of it.
        let mut free: HashMap<_, VecDeque<OutlineEntry>> = HashMap::new();
        for entry in &replaced {
            free.entry((entry.kind, entry.name))
                .or_default()
                .push_back(*entry);
        }
        let members: Vec<MemberNames> = replaced
            .iter()
            .map(|entry| members_of(&self.db, entry))
            .collect();
        let mut entries: Vec<OutlineEntry> = Vec::with_capacity(items.len());
        let mut made = 0;
        let mut edited = Edited::default();
        for item in items {
            let new_text = text.slice(item.range.clone());
            let known = free
                .get_mut(&(item.kind, item.name))
                .and_then(VecDeque::pop_front);
            let lone = match (&replaced[..], items) {
                ([entry], [_]) if entry.item.kind(&self.db) == text_kind(&self.db, file, item) => {
                    Some(*entry)
                }
                _ => None,
            };
            let source = match known.or(lone) {
                Some(entry) => {
                    self.set_item_text(item, entry.item, &new_text, &mut edited);
                    entry.item
                }
                None => {
                    made += 1;
                    new_item(&self.db, file, item, &new_text)
                }
            };
            entries.push(entry_of(item, source));
        }
        let kept = entries.len() - made;
        let left = replaced.len().saturating_sub(kept);
        self.live = (self.live + made).saturating_sub(left);
        self.gone += left;
        if entries != replaced {
            let before = file.outline(&self.db);
            let start = before.iter().take(change.old.start);
            let end = before.iter().skip(change.old.end);
            let all: Arc<[OutlineEntry]> = start.chain(&entries).chain(end).copied().collect();
            file.set_outline(&mut self.db).to(all);
            grouping::replace(&mut self.db, file, change.old, &entries);
            let names = replaced.iter().chain(&entries);
            edited.names.extend(names.filter_map(|entry| entry.name));
        }
        if !edited.texts.is_empty() {
            grouping::touch(&mut self.db, file, change.new, &edited.texts);
        }
        // What a declaration no longer brings along means something else, too. What it brings
        // along now follows from its own name.
        let mut declared = SymbolSet::default();
        for (entry, members) in replaced.iter().zip(&members) {
            if entry.name.is_some_and(|name| edited.names.contains(&name)) {
                let members = members.iter().map(|(name, _)| *name);
                edited.names.extend(members);
            }
        }
        for entry in replaced.iter().chain(&entries) {
            declared.extend(entry.name.filter(|_| is_declaration(entry.kind)));
        }
        declared.retain(|name| edited.names.contains(name));
        self.write_down(file, edited.names, declared);
    }

    /// Writes down that names have got another meaning in a file, and declarations among them.
    fn write_down(&mut self, file: SourceFile, names: SymbolSet, declared: SymbolSet) {
        if names.is_empty() {
            return;
        }
        self.changes += 1;
        let with = |names: SymbolSet, changes: &SymbolMap<u64>| {
            let mut changes = changes.clone();
            changes.extend(names.into_iter().map(|name| (name, self.changes)));
            Arc::new(changes)
        };
        if !declared.is_empty() {
            let changes = with(declared, file.declaration_changes(&self.db));
            file.set_declaration_changes(&mut self.db).to(changes);
        }
        let changes = with(names, file.changes(&self.db));
        file.set_changes(&mut self.db)
            .with_durability(Durability::LOW)
            .to(changes);
    }

    /// Gives an item another text.
    ///
    /// A signature whose meaning is edited counts as being edited from then on, and its text as the
    /// least durable of inputs: whatever depends on no such text is known to be unchanged
    /// without a look at it. Edits of blanks and comments leave durabilities alone, since salsa cannot see that a
    /// result is equal to an earlier, more durable one; and so do edits of declarations, on which
    /// the index of all names depends, and of clauses, which matter to their operator alone.
    fn set_item_text(
        &mut self,
        item: &OutlineItem,
        source: ItemSource,
        text: &str,
        edited: &mut Edited,
    ) {
        if source.text(&self.db) == text {
            return;
        }
        let is_declaration = is_declaration(item.kind);
        let is_signature = item.kind == OutlineKind::Signature;
        let another = (is_declaration || is_signature) && !self.means_the_same(source, text);
        edited.texts.insert(source);
        edited.names.extend(item.name.filter(|_| another));
        let usual = usual_durability(source.file(&self.db).origin(&self.db), item.kind);
        let durability = if !is_signature {
            usual
        } else if self.edited.iter().any(|(edited, _)| *edited == source) {
            Durability::LOW
        } else if !another {
            usual
        } else {
            self.edited.push_back((source, usual));
            Durability::LOW
        };
        source
            .set_text(&mut self.db)
            .with_durability(durability)
            .to(Arc::from(text));
        if self.edited.len() > MOST_EDITED
            && let Some((cooled, usual)) = self.edited.pop_front()
        {
            let text: Arc<str> = cooled.text(&self.db).into();
            cooled
                .set_text(&mut self.db)
                .with_durability(usual)
                .to(text);
        }
    }

    fn means_the_same(&self, source: ItemSource, text: &str) -> bool {
        let new = parse_item(text);
        new.errors.is_empty() != has_syntax_errors(&self.db, source)
            && new.item == **item(&self.db, source)
    }

    /// A term on its own, to be checked in the scope of a program: a new one with each call.
    pub fn term(&mut self, scope: SourceFile, text: &str) -> ItemSource {
        ItemSource::new(&self.db, scope, TextKind::Term, Arc::from(&*unified(text)))
    }

    /// The bytes of its file that an item covers; `None` for a term on its own.
    pub fn item_range(&self, source: ItemSource) -> Option<Range<usize>> {
        let file = source.file(&self.db);
        let index = file
            .outline(&self.db)
            .iter()
            .position(|entry| entry.item == source)?;
        Some(self.outlines.get(&file)?.items().get(index)?.range.clone())
    }

    /// The item of a file that an offset is in, with the item's own start.
    pub fn item_at(&self, file: SourceFile, offset: usize) -> Option<(ItemSource, usize)> {
        let outline = self.outlines.get(&file)?;
        let index = outline.item_at(offset)?;
        let entry = file.outline(&self.db).get(index)?;
        Some((entry.item, outline.items().get(index)?.range.start))
    }

    /// Where every item of a file starts.
    pub fn starts(&self, file: SourceFile) -> HashMap<ItemSource, usize> {
        let Some(outline) = self.outlines.get(&file) else {
            return HashMap::new();
        };
        let items = file.outline(&self.db).iter().map(|entry| entry.item);
        items
            .zip(outline.items().iter().map(|item| item.range.start))
            .collect()
    }

    /// The bytes of its file that a location covers now.
    pub fn range(&self, location: Location) -> TextRange {
        let start = self
            .item_range(location.item)
            .map_or(0, |range| range.start);
        location.in_item(&self.db) + TextSize::from(u32::try_from(start).unwrap_or(u32::MAX))
    }

    /// The whole text of a file, put together from its items; of a notebook all of its Markdown. Every line of
    /// it ends with `\n`.
    pub fn text(&self, file: SourceFile) -> String {
        snapshot::text(&self.db, file)
    }
}

/// What an item of a file is to the parser.
fn text_kind(db: &Database, file: SourceFile, item: &OutlineItem) -> TextKind {
    match item.kind == OutlineKind::Other && holds_terms(file.path(db)) {
        true => TextKind::Cell,
        false => TextKind::Item,
    }
}

fn entry_of(item: &OutlineItem, source: ItemSource) -> OutlineEntry {
    OutlineEntry {
        kind: item.kind,
        name: item.name,
        left_of_column: item.left_of_column,
        item: source,
    }
}

/// How seldom an item's text changes. Every operator depends on signatures and declarations, and
/// clauses matter to one operator alone, so editing a clause should put none of those in question.
fn usual_durability(origin: Origin, kind: OutlineKind) -> Durability {
    match (origin, kind) {
        (Origin::Workspace, OutlineKind::Clause | OutlineKind::Other) => Durability::MEDIUM,
        _ => Durability::HIGH,
    }
}

fn new_item(db: &Database, file: SourceFile, item: &OutlineItem, text: &str) -> ItemSource {
    ItemSource::builder(file, text_kind(db, file, item), Arc::from(text))
        .durability(Durability::HIGH)
        .text_durability(usual_durability(file.origin(db), item.kind))
        .new(db)
}

fn new_file(db: &mut Database, path: String, origin: Origin, read: &Reading) -> SourceFile {
    let file = SourceFile::builder(
        path,
        origin,
        Arc::from([]),
        Arc::from([]),
        Arc::default(),
        Arc::default(),
        read.written.clone(),
    )
    .durability(Durability::HIGH)
    .changes_durability(Durability::LOW)
    .written_durability(Durability::LOW)
    .new(db);
    let entries: Arc<[OutlineEntry]> = read
        .outline
        .items()
        .iter()
        .map(|item| entry_of(item, new_item(db, file, item, item.text(&read.text))))
        .collect();
    let groups = grouping::cut(db, &entries);
    file.set_outline(db).to(entries);
    file.set_groups(db).to(groups);
    file
}
