//! The table of contents of a scope, and how it follows edits: the names that came, went or moved are
//! looked up again, and all others stay where they are.

use std::sync::Arc;

use frank_syntax::ast::{ItemKind, NodeId, Symbol, SymbolMap, SymbolSet};
use frank_syntax::outline::OutlineKind;

use crate::aside::Aside;
use crate::db::{Db, Group, ItemSource, OutlineEntry, SourceFile, item};
use crate::definitions::{
    CommandDef, ConstructorDef, DataDef, Definition, InterfaceDef, OperatorDef, OperatorItems,
    TermDef, TermEntry,
};

/// The table of contents of a scope.
#[derive(Debug, Clone)]
pub struct ScopeIndex {
    /// The scope's files in the order of their text in the program.
    pub files: Vec<SourceFile>,
    /// The library files that the scope includes, directly or not; the built-in one is last.
    pub libraries: Vec<SourceFile>,
    /// What is defined under the names, by [`bucket_of`].
    buckets: Vec<Arc<Bucket>>,
    /// The names that are defined more than once.
    repeated: SymbolSet,
    /// What all this was made of.
    parts: Vec<Part>,
}

/// What is defined under some names of a scope. After an edit that makes a name or changes one, most
/// buckets are what they were, and so nobody who asked for a name in them is asked again.
pub type Bucket = SymbolMap<Named>;

/// All that is defined under a name, in the order of the program; the first one of each counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    pub terms: Vec<TermEntry>,
    pub operator: OperatorItems,
    pub data: Vec<ItemSource>,
    pub interfaces: Vec<ItemSource>,
}

impl Named {
    /// Whether one of the namespaces has more than one definition of the name. Clauses of a
    /// constructor or a command are a second definition, too.
    fn is_repeated(&self) -> bool {
        let is_operator = |entry: &TermEntry| matches!(entry.def, TermDef::Operator(_));
        self.terms.len() > 1
            || self.data.len() > 1
            || self.interfaces.len() > 1
            || !self.operator.clauses.is_empty() && !self.terms.first().is_some_and(is_operator)
    }
}

/// A group of a scope's items with the names in its declarations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    entries: Arc<[OutlineEntry]>,
    members: Members,
}

/// The names that each item of a group brings along.
type Members = Arc<[MemberNames]>;

/// The names that an item brings along if it declares a data type or an interface.
pub type MemberNames = Arc<[(Symbol, NodeId)]>;

/// So many names are in a bucket on average when an index is made.
const BUCKET: usize = 32;

/// With so many names in a bucket an index is made anew.
const CROWDED: usize = 4 * BUCKET;

impl Part {
    pub fn new(db: &dyn Db, group: Group) -> Part {
        Part {
            entries: group.entries(db).clone(),
            members: members(db, group)
                .get(db, |db| members_now(db, group))
                .clone(),
        }
    }

    /// The items, each with its members.
    fn items(&self) -> impl DoubleEndedIterator<Item = (&OutlineEntry, &MemberNames)> {
        self.entries.iter().zip(self.members.iter())
    }
}

/// The names that a data type or an interface brings into the namespace of terms.
fn member_names(db: &dyn Db, source: ItemSource) -> MemberNames {
    match &item(db, source).kind {
        ItemKind::Data { constructors, .. } => constructors
            .iter()
            .map(|c| (c.name.symbol, c.name.id))
            .collect(),
        ItemKind::Interface { commands, .. } => commands
            .iter()
            .map(|c| (c.name.symbol, c.name.id))
            .collect(),
        _ => Arc::default(),
    }
}

/// The names that an item of the outline brings along.
pub fn members_of(db: &dyn Db, entry: &OutlineEntry) -> MemberNames {
    match entry.kind {
        OutlineKind::Data | OutlineKind::Interface => member_names(db, entry.item),
        _ => Arc::default(),
    }
}

#[salsa::tracked]
fn members(db: &dyn Db, group: Group) -> Aside<Members> {
    group.entries(db);
    group.declarations(db);
    Aside::new(db, |db| members_now(db, group))
}

fn members_now(db: &dyn Db, group: Group) -> Members {
    let entries = group.entries(db).iter();
    entries.map(|entry| members_of(db, entry)).collect()
}

impl ScopeIndex {
    /// The index of a scope that is made of these files and parts. `latest` is what it was before
    /// some edit, and saves looking at what has stayed.
    pub fn new(
        scope: SourceFile,
        files: Vec<SourceFile>,
        libraries: Vec<SourceFile>,
        parts: Vec<Part>,
        latest: Option<&ScopeIndex>,
    ) -> ScopeIndex {
        let mut index = ScopeIndex {
            files,
            libraries,
            buckets: Vec::new(),
            repeated: SymbolSet::default(),
            parts,
        };
        let names: usize = index.parts.iter().map(|part| part.entries.len()).sum();
        let latest = latest.filter(|latest| names < latest.buckets.len() * CROWDED);
        match latest {
            Some(latest) => {
                let changed = index.changed_since(latest);
                index.buckets = latest.buckets.clone();
                index.repeated = latest.repeated.clone();
                index.repeated.retain(|name| !changed.contains(name));
                for name in &changed {
                    let bucket = bucket_of(*name, index.buckets.len());
                    if let Some(bucket) = index.buckets.get_mut(bucket) {
                        Arc::make_mut(bucket).remove(name);
                    }
                }
                index.fill(scope, |name| changed.contains(&name));
                index.find_repeated(changed.iter().copied());
            }
            None => {
                let buckets = (names / BUCKET).max(1).next_power_of_two();
                index.buckets = vec![Arc::default(); buckets];
                index.fill(scope, |_| true);
                let names: Vec<Symbol> = index.names().map(|(name, _)| name).collect();
                index.find_repeated(names.into_iter());
            }
        }
        index
    }

    /// The names whose definitions may be others than in an earlier index: those in the items
    /// between the first and the last that are not the same.
    fn changed_since(&self, earlier: &ScopeIndex) -> SymbolSet {
        let same = |(a, b): &(&Part, &Part)| a == b;
        let (old, new) = (&earlier.parts, &self.parts);
        let start = old.iter().zip(new).take_while(same).count();
        let most = old.len().min(new.len()) - start;
        let backwards = old.iter().rev().zip(new.iter().rev());
        let end = backwards.take(most).take_while(same).count();
        let middle = |parts: &[Part]| -> Vec<(OutlineEntry, MemberNames)> {
            let parts = parts.get(start..parts.len() - end).unwrap_or_default();
            let items = parts.iter().flat_map(Part::items);
            items
                .map(|(entry, members)| (*entry, members.clone()))
                .collect()
        };
        let (old, new) = (middle(old), middle(new));
        let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - start;
        let backwards = old.iter().rev().zip(new.iter().rev()).take(most);
        let end = backwards.take_while(|(a, b)| a == b).count();
        let mut names = SymbolSet::default();
        for items in [&old, &new] {
            let items = items.get(start..items.len() - end).unwrap_or_default();
            for (entry, members) in items {
                names.extend(entry.name);
                names.extend(members.iter().map(|(name, _)| *name));
            }
        }
        // Another item may be the first of its name now, whose members count.
        for (entry, members) in self.parts.iter().flat_map(Part::items) {
            if !members.is_empty() && entry.name.is_some_and(|name| names.contains(&name)) {
                names.extend(members.iter().map(|(name, _)| *name));
            }
        }
        names
    }

    /// Enters the definitions of those names that are wanted, which have none yet.
    fn fill(&mut self, scope: SourceFile, wanted: impl Fn(Symbol) -> bool) {
        let parts = std::mem::take(&mut self.parts);
        let mut operators: Vec<(Symbol, ItemSource)> = Vec::new();
        let (mut data, mut interfaces) = (SymbolSet::default(), SymbolSet::default());
        for (entry, members) in parts.iter().flat_map(Part::items) {
            let Some(name) = entry.name else { continue };
            let item = entry.item;
            let definition = Definition { scope, name };
            let is_first = match entry.kind {
                OutlineKind::Data => data.insert(name),
                OutlineKind::Interface => interfaces.insert(name),
                OutlineKind::Signature | OutlineKind::Clause => false,
                OutlineKind::Include | OutlineKind::Other => continue,
            };
            if wanted(name) {
                let named = self.entry(name);
                match entry.kind {
                    OutlineKind::Data => named.data.push(item),
                    OutlineKind::Interface => named.interfaces.push(item),
                    OutlineKind::Signature => {
                        named.operator.signatures.push(item);
                        let def = TermDef::Operator(OperatorDef(definition));
                        let node = None;
                        named.terms.push(TermEntry { def, item, node });
                    }
                    OutlineKind::Clause => {
                        if named.operator.clauses.is_empty() {
                            operators.push((name, item));
                        }
                        named.operator.clauses.push(item);
                    }
                    OutlineKind::Include | OutlineKind::Other => {}
                }
            }
            if !is_first {
                continue;
            }
            for (index, (name, node)) in members.iter().enumerate() {
                if wanted(*name) {
                    let def = member(entry.kind, definition, index as u32, *name);
                    let node = Some(*node);
                    self.entry(*name).terms.push(TermEntry { def, item, node });
                }
            }
        }
        // Clauses without any definition of the name still make an operator, so that its uses are
        // not unknown names as well.
        for (name, item) in operators {
            let named = self.entry(name);
            if named.terms.is_empty() {
                let def = TermDef::Operator(OperatorDef(Definition { scope, name }));
                let node = None;
                named.terms.push(TermEntry { def, item, node });
            }
        }
        self.parts = parts;
    }

    /// Finds out which of some names are defined more than once.
    fn find_repeated(&mut self, names: impl Iterator<Item = Symbol>) {
        for name in names {
            if self.named(name).is_some_and(Named::is_repeated) {
                self.repeated.insert(name);
            }
        }
    }

    /// The names that are defined more than once, with what is defined under each.
    pub fn repeated(&self) -> impl Iterator<Item = (Symbol, &Named)> {
        let names = self.repeated.iter();
        names.filter_map(|name| Some((*name, self.named(*name)?)))
    }

    fn entry(&mut self, name: Symbol) -> &mut Named {
        let bucket = bucket_of(name, self.buckets.len());
        if self.buckets.is_empty() {
            self.buckets.push(Arc::default());
        }
        #[expect(clippy::indexing_slicing, reason = "there is a bucket for every name")]
        Arc::make_mut(&mut self.buckets[bucket])
            .entry(name)
            .or_default()
    }

    /// How many buckets there are.
    pub fn bucket_count(&self) -> usize {
        self.buckets.len()
    }

    /// A bucket, by its number.
    pub fn bucket(&self, number: usize) -> Arc<Bucket> {
        self.buckets.get(number).cloned().unwrap_or_default()
    }

    /// What is defined under a name.
    pub fn named(&self, name: Symbol) -> Option<&Named> {
        let bucket = self.buckets.get(bucket_of(name, self.buckets.len()))?;
        bucket.get(&name)
    }

    /// All names, with what is defined under each.
    pub fn names(&self) -> impl Iterator<Item = (Symbol, &Named)> {
        let all = self.buckets.iter().flat_map(|bucket| bucket.iter());
        all.map(|(name, named)| (*name, named))
    }

    /// The names of operators, constructors and commands.
    pub fn term_names(&self) -> impl Iterator<Item = Symbol> {
        let named = self.names().filter(|(_, named)| !named.terms.is_empty());
        named.map(|(name, _)| name)
    }

    /// The names that have signatures or clauses, with these.
    pub fn operators(&self) -> impl Iterator<Item = (Symbol, &OperatorItems)> {
        let all = self.names().map(|(name, named)| (name, &named.operator));
        all.filter(|(_, items)| !items.signatures.is_empty() || !items.clauses.is_empty())
    }

    /// The names of data types.
    pub fn data_names(&self) -> impl Iterator<Item = Symbol> {
        let named = self.names().filter(|(_, named)| !named.data.is_empty());
        named.map(|(name, _)| name)
    }

    /// The names of interfaces and aliases.
    pub fn interface_names(&self) -> impl Iterator<Item = Symbol> {
        let all = self.names();
        all.filter(|(_, named)| !named.interfaces.is_empty())
            .map(|(name, _)| name)
    }
}

/// Two indices are equal if they say the same, however it is spread over buckets.
impl PartialEq for ScopeIndex {
    fn eq(&self, other: &ScopeIndex) -> bool {
        (&self.files, &self.libraries) == (&other.files, &other.libraries)
            && self.names().count() == other.names().count()
            && self
                .names()
                .all(|(name, named)| other.named(name) == Some(named))
    }
}

impl Eq for ScopeIndex {}

/// The bucket of a name where there are so many.
pub fn bucket_of(name: Symbol, buckets: usize) -> usize {
    // Maps in a bucket go by the low bits.
    usize::try_from(name.number() >> 32).unwrap_or_default() & buckets.saturating_sub(1)
}

/// A constructor or a command, by its position.
fn member(kind: OutlineKind, definition: Definition, index: u32, name: Symbol) -> TermDef {
    if kind == OutlineKind::Data {
        TermDef::Constructor(ConstructorDef {
            data: DataDef(definition),
            index,
            name,
        })
    } else {
        TermDef::Command(CommandDef {
            interface: InterfaceDef(definition),
            index,
            name,
        })
    }
}
