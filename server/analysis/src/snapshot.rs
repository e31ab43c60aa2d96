//! The files at one moment, for threads that answer questions about them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use frank_syntax::ast::Symbol;
use frank_syntax::outline::{Outline, OutlineItem};
use salsa::Durability;
use text_size::{TextRange, TextSize};

use crate::db::{Database, Db, ItemSource, OutlineEntry, SourceFile, TextKind, Workspace};
use crate::diagnostics::Location;

/// Where the items of every file stand.
pub type Outlines = HashMap<SourceFile, Arc<Outline>>;

/// The terms and types on their own that were asked about, each once, so that asking again makes nothing new.
pub(crate) type Terms = Arc<Mutex<HashMap<(SourceFile, TextKind, String), ItemSource>>>;

/// All files as they were when [`crate::files::Files::snapshot`] made it. Cheap to make and to
/// clone; a change of a file cancels what is being asked of it.
#[derive(Clone)]
pub struct Snapshot {
    db: Database,
    outlines: Arc<Outlines>,
    terms: Terms,
}

/// The position of every item among those of its file.
#[salsa::tracked]
fn item_indices(db: &dyn Db, file: SourceFile) -> Arc<HashMap<ItemSource, usize>> {
    Arc::new(
        file.outline(db)
            .iter()
            .enumerate()
            .map(|(i, entry)| (entry.item, i))
            .collect(),
    )
}

impl Snapshot {
    pub(crate) fn new(db: Database, outlines: Arc<Outlines>, terms: Terms) -> Snapshot {
        Snapshot {
            db,
            outlines,
            terms,
        }
    }

    /// A term on its own, to be checked in the scope of a program. The same text gives the same
    /// term in every snapshot.
    pub fn term(&self, scope: SourceFile, text: &str) -> ItemSource {
        self.on_its_own(scope, TextKind::Term, text)
    }

    /// A type on its own, as [`Snapshot::term`].
    pub fn ty(&self, scope: SourceFile, text: &str) -> ItemSource {
        self.on_its_own(scope, TextKind::Type, text)
    }

    /// A [law](frank_syntax::law) on its own, as [`Snapshot::term`]: a computation that takes its variables.
    pub fn law(&self, scope: SourceFile, text: &str) -> ItemSource {
        let types = self.on_its_own(scope, TextKind::LawTypes, text);
        self.on_its_own(scope, TextKind::Law { types }, text)
    }

    fn on_its_own(&self, scope: SourceFile, kind: TextKind, text: &str) -> ItemSource {
        let mut terms = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        let known = terms.entry((scope, kind, text.to_owned()));
        *known.or_insert_with(|| {
            ItemSource::builder(scope, kind, Arc::from(text))
                .durability(Durability::HIGH)
                .new(&self.db)
        })
    }

    /// The database, to ask.
    pub fn db(&self) -> &Database {
        &self.db
    }

    /// The user's file at a path.
    pub fn file(&self, path: &str) -> Option<SourceFile> {
        Workspace::get(&self.db).files(&self.db).get(path).copied()
    }

    /// The library's file that `include name` means where no other file has the name.
    pub fn library_file(&self, name: Symbol) -> Option<SourceFile> {
        Workspace::get(&self.db)
            .library(&self.db)
            .get(&name)
            .copied()
    }

    /// The files that are built in, the definitions that every program has among them.
    pub fn library_files(&self) -> impl Iterator<Item = SourceFile> {
        let workspace = Workspace::get(&self.db);
        let builtin = workspace.builtin(&self.db);
        workspace
            .library(&self.db)
            .values()
            .copied()
            .chain([builtin])
    }

    /// The items of a file with their places, in order.
    pub fn items(&self, file: SourceFile) -> impl Iterator<Item = (OutlineEntry, &OutlineItem)> {
        let places = self
            .outlines
            .get(&file)
            .map_or(&[][..], |outline| outline.items());
        file.outline(&self.db).iter().copied().zip(places)
    }

    /// The items of a file that touch a range of its bytes, in order.
    pub fn items_in(
        &self,
        file: SourceFile,
        range: Range<usize>,
    ) -> impl Iterator<Item = (OutlineEntry, &OutlineItem)> {
        let places = self
            .outlines
            .get(&file)
            .map_or(&[][..], |outline| outline.items());
        let first = places.partition_point(|item| item.range.end < range.start);
        let all = file
            .outline(&self.db)
            .iter()
            .copied()
            .zip(places)
            .skip(first);
        all.take_while(move |(_, item)| item.range.start <= range.end)
    }

    /// The item of a file that a byte is in; the end of the text, and what would be behind it, is in
    /// the last one. `None` if the file has no items.
    pub fn item_at(&self, file: SourceFile, offset: usize) -> Option<(OutlineEntry, &OutlineItem)> {
        let outline = self.outlines.get(&file)?;
        let index = outline.item_at(offset)?;
        Some((
            *file.outline(&self.db).get(index)?,
            outline.items().get(index)?,
        ))
    }

    /// Where an item stands in its file; `None` for a term or a type on its own.
    pub fn place(&self, source: ItemSource) -> Option<&OutlineItem> {
        if !source.kind(&self.db).is_in_file() {
            return None;
        }
        let file = source.file(&self.db);
        let index = *item_indices(&self.db, file).get(&source)?;
        self.outlines.get(&file)?.items().get(index)
    }

    /// The offset of an item's first byte in its file; 0 for what is on its own.
    pub fn start(&self, source: ItemSource) -> TextSize {
        let start = self.place(source).map_or(0, |place| place.range.start);
        TextSize::new(u32::try_from(start).unwrap_or(u32::MAX))
    }

    /// The bytes of its file that a location covers.
    pub fn range(&self, location: Location) -> TextRange {
        location.in_item(&self.db) + self.start(location.item)
    }

    /// The length of a file's text in bytes.
    pub fn length(&self, file: SourceFile) -> usize {
        let items = self
            .outlines
            .get(&file)
            .map_or(&[][..], |outline| outline.items());
        items.last().map_or(0, |item| item.range.end)
    }

    /// The whole text of a file, put together from its items; of a notebook all of its Markdown.
    pub fn text(&self, file: SourceFile) -> String {
        text(&self.db, file)
    }

    /// The text of a file as a program; of a notebook nothing but its cells, each where it stands.
    pub fn program_text(&self, file: SourceFile) -> String {
        text_of_items(&self.db, file)
    }

    /// The terms of a notebook, in order.
    pub fn cell_terms(&self, file: SourceFile) -> impl Iterator<Item = ItemSource> {
        let items = file.outline(&self.db).iter().map(|entry| entry.item);
        items.filter(|item| item.kind(&self.db) == TextKind::Cell)
    }
}

/// The text of a file as it was written.
pub(crate) fn text(db: &dyn Db, file: SourceFile) -> String {
    match file.written(db) {
        Some(written) => (**written).to_owned(),
        None => text_of_items(db, file),
    }
}

/// The texts of a file's items, one behind the other.
fn text_of_items(db: &dyn Db, file: SourceFile) -> String {
    let items = file.outline(db).iter();
    items.map(|entry| entry.item.text(db)).collect()
}

#[cfg(test)]
mod tests {
    use crate::files::Files;

    #[test]
    fn a_snapshot_can_be_read_on_another_thread() {
        let mut files = Files::new(None);
        let file = files.set_text("a.fk", "a : {Int}\na! = 1\n");
        let snapshot = files.snapshot();
        let start = std::thread::spawn(move || {
            let (entry, _) = snapshot.item_at(file, 12).expect("an item");
            (
                usize::from(snapshot.start(entry.item)),
                snapshot.length(file),
            )
        });
        assert_eq!(start.join().expect("no panic"), (10, 17));
        files.edit(file, "b\na : {Int}\na! = 1\n", 0..0, 2);
        let last = file.outline(files.db()).last().expect("an item").item;
        assert_eq!(usize::from(files.snapshot().start(last)), 12);
    }
}
