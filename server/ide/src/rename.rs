//! Other names for things (LSP `textDocument/prepareRename`, `textDocument/rename`).
//!
//! Every edit is tried before it is answered: the items that it changes, and those that mention
//! the new name, are read as they would be, and all names in them must mean what they mean now.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use frank_analysis::db::{ItemSource, Origin, SourceFile};
use frank_analysis::program::{resolve_data, resolve_row, resolve_term, scope_files};
use frank_analysis::program_roots::{program_roots, programs_of};
use frank_syntax::ast::Symbol;
use frank_syntax::parse::parse_item;
use text_size::{TextRange, TextSize};

use crate::names::{Def, Namespace, Occurrence, Renaming, occurrences, occurrences_in, scope_of};
use crate::target::declaration;
use crate::tokens::{contains_word, is_name, is_reserved};
use crate::view::by_place;
use crate::{Analysis, FilePosition, FileRange};

/// A text to put in place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    pub at: FileRange,
    pub text: String,
}

/// Why something cannot be done; a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// A name that can be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamable {
    /// The name at the cursor.
    pub at: FileRange,
    pub name: String,
}

impl Analysis {
    /// The name at a place, if it can be changed (`textDocument/prepareRename`).
    ///
    /// # Errors
    /// No name stands there, or it is not the user's.
    pub fn prepare_rename(&self, at: FilePosition) -> Result<Renamable, Refusal> {
        let (source, name) = self.renamable(at)?;
        Ok(Renamable {
            at: self.in_file(source, name.range),
            name: name.name.to_string(),
        })
    }

    /// The edits that give what stands at a place another name everywhere, in the order of the
    /// files (`textDocument/rename`).
    ///
    /// # Errors
    /// As for [`Analysis::prepare_rename`]; or `new` is no name, or with it something would have
    /// another meaning.
    pub fn rename(&self, at: FilePosition, new: &str) -> Result<Vec<TextEdit>, Refusal> {
        let (_, name) = self.renamable(at)?;
        if !is_name(new) || new == "_" {
            return Err(Refusal(format!(
                "`{new}` is no name: names begin with a letter or `_`, and go on with letters, digits, `_` and `'`"
            )));
        }
        if is_reserved(new) {
            return Err(Refusal(format!("`{new}` is a reserved word")));
        }
        let new = Symbol::new(new);
        if new == name.name {
            return Ok(Vec::new());
        }
        self.is_free(name, new)?;
        let found = self.uses(name.def);
        let mut edits: HashMap<ItemSource, Vec<TextRange>> = HashMap::new();
        for found in &found {
            edits
                .entry(found.source)
                .or_default()
                .push(found.name.range);
        }
        self.try_out(name, new, &edits)?;
        let mut all: Vec<TextEdit> = found
            .iter()
            .map(|found| TextEdit {
                at: self.in_file(found.source, found.name.range),
                text: new.to_string(),
            })
            .collect();
        let db = self.db();
        all.sort_by(|a, b| by_place(db, a.at, b.at));
        Ok(all)
    }

    fn renamable(&self, at: FilePosition) -> Result<(ItemSource, Occurrence), Refusal> {
        let nothing = || Refusal("there is no name here that could be changed".to_owned());
        let spot = self.spot(at).ok_or_else(nothing)?;
        let name = spot.name().ok_or_else(nothing)?;
        let db = self.db();
        match name.def {
            Def::BuiltinType(name) => {
                return Err(Refusal(format!("`{name}` is built into the language")));
            }
            Def::File(_) => {
                let text = "an `include` follows the name of its file; rename the file instead";
                return Err(Refusal(text.to_owned()));
            }
            Def::TypeVariable { .. } if name.name == Symbol::implicit_effect() => {
                let text = "`ε` is the name of the implicit effect variable; it cannot change";
                return Err(Refusal(text.to_owned()));
            }
            _ => {}
        }
        let (source, _) = declaration(db, name.def).ok_or_else(nothing)?;
        let file = source.file(db);
        if file.origin(db) == Origin::Library {
            let path = file.path(db);
            return Err(Refusal(format!(
                "`{}` is defined in `{path}`, which is built in and cannot be changed",
                name.name
            )));
        }
        Ok((spot.view.source, name))
    }

    /// Refuses a name that a definition of the same program has.
    fn is_free(&self, name: Occurrence, new: Symbol) -> Result<(), Refusal> {
        let Some(namespace) = namespace(name.def) else {
            return Ok(());
        };
        let db = self.db();
        for root in self.programs_with(name.def) {
            let taken = match namespace {
                Namespace::Terms => resolve_term(db, root, new).map(Def::from),
                Namespace::Data => resolve_data(db, root, new).map(Def::Data),
                Namespace::Rows => resolve_row(db, root, new).map(Def::from),
            };
            let own = taken.filter(|def| def.scope() == Some(root));
            if let Some((source, _)) = own.and_then(|def| declaration(db, def)) {
                let path = source.file(db).path(db);
                return Err(Refusal(format!("`{new}` is defined already, in `{path}`")));
            }
        }
        Ok(())
    }

    fn programs_with(&self, def: Def) -> Vec<SourceFile> {
        let db = self.db();
        match declaration(db, def) {
            Some((source, _)) => {
                let file = source.file(db);
                match programs_of(db, file) {
                    [] => vec![file],
                    roots => roots.to_vec(),
                }
            }
            None => program_roots(db).clone(),
        }
    }

    /// Reads everything that the edits touch as it would be, and refuses if a name in it would
    /// come to mean something else.
    fn try_out(
        &self,
        name: Occurrence,
        new: Symbol,
        edits: &HashMap<ItemSource, Vec<TextRange>>,
    ) -> Result<(), Refusal> {
        let db = self.db();
        let Some(namespace) = namespace(name.def) else {
            for (source, ranges) in edits {
                let scope = scope_of(db, source.file(db));
                self.try_item(scope, *source, ranges, new, None)?;
            }
            return Ok(());
        };
        let renaming = Renaming {
            namespace,
            old: name.name,
            new,
        };
        for root in self.programs_with(name.def) {
            for file in &scope_files(db, root).0 {
                for entry in file.outline(db) {
                    let ranges = edits.get(&entry.item).map_or(&[][..], Vec::as_slice);
                    let mentions = || contains_word(entry.item.text(db), new.as_str());
                    if !ranges.is_empty() || mentions() {
                        self.try_item(root, entry.item, ranges, new, Some(renaming))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn try_item(
        &self,
        scope: SourceFile,
        source: ItemSource,
        ranges: &[TextRange],
        new: Symbol,
        renaming: Option<Renaming>,
    ) -> Result<(), Refusal> {
        let db = self.db();
        let before = occurrences(db, scope, source);
        let (text, moved) = edited(source.text(db), ranges, new.as_str());
        let parsed = parse_item(&text);
        let parts = (&parsed.item, &parsed.source_map);
        let after = occurrences_in(db, scope, source, parts, renaming);
        let refuse = |range: TextRange| {
            let at = self.in_file(source, range);
            Err(Refusal(format!(
                "with that name, `{}` in {} would mean something else",
                crate::view::slice(source.text(db), range),
                self.place_text(at)
            )))
        };
        for (i, name) in before.iter().enumerate() {
            let start = moved.get(&name.range.start()).copied();
            let same = after.get(i).is_some_and(|other| {
                other.def == name.def
                    && other.role == name.role
                    && Some(other.range.start())
                        == start.or_else(|| shifted(ranges, new, name.range.start()))
            });
            if !same {
                return refuse(name.range);
            }
        }
        match after.get(before.len()) {
            // A name that meant nothing before means something now.
            Some(extra) => refuse(TextRange::empty(
                extra.range.start().min(TextSize::of(source.text(db))),
            )),
            None => Ok(()),
        }
    }

    /// A place as a message names it.
    pub(crate) fn place_text(&self, at: FileRange) -> String {
        let text = self.snapshot().text(at.file);
        let before = text
            .get(..usize::from(at.range.start()))
            .unwrap_or_default();
        format!(
            "`{}`, line {}",
            at.file.path(self.db()),
            before.matches('\n').count() + 1
        )
    }
}

fn namespace(def: Def) -> Option<Namespace> {
    match def {
        Def::Operator(_) | Def::Constructor(_) | Def::Command(_) => Some(Namespace::Terms),
        Def::Data(_) => Some(Namespace::Data),
        Def::Interface(_) | Def::Alias(_) => Some(Namespace::Rows),
        _ => None,
    }
}

/// The text with `new` in place of the ranges, and where those begin in it.
fn edited(text: &str, ranges: &[TextRange], new: &str) -> (String, BTreeMap<TextSize, TextSize>) {
    let mut sorted = ranges.to_vec();
    sorted.sort_by_key(|range| range.start());
    let mut out = String::with_capacity(text.len());
    let mut moved = BTreeMap::new();
    let mut end = TextSize::new(0);
    for range in sorted {
        if range.start() < end {
            continue;
        }
        out.push_str(crate::view::slice(text, TextRange::new(end, range.start())));
        moved.insert(range.start(), TextSize::of(out.as_str()));
        out.push_str(new);
        end = range.end();
    }
    out.push_str(text.get(usize::from(end)..).unwrap_or_default());
    (out, moved)
}

/// Where an offset outside of the edited ranges is behind them.
fn shifted(ranges: &[TextRange], new: Symbol, offset: TextSize) -> Option<TextSize> {
    let before = ranges.iter().filter(|range| range.end() <= offset);
    let (removed, count) = before.fold((0u32, 0u32), |(removed, count), range| {
        (removed + u32::from(range.len()), count + 1)
    });
    let added = u32::from(TextSize::of(new.as_str())) * count;
    (u32::from(offset) + added)
        .checked_sub(removed)
        .map(TextSize::new)
}
