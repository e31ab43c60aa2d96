//! What could be written here (LSP `textDocument/completion`, `completionItem/resolve`).
//!
//! The place says which kinds of names fit; the expected type, the ability and how far away a name
//! is defined say which come first.

mod handlers;
mod holes;
mod patterns;
mod stops;
mod terms;
mod types;

use frank_analysis::db::{Origin, SourceFile};
use frank_analysis::program::{resolve_data, resolve_row, resolve_term};
use frank_analysis::report::visible_names;
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{ItemKind, PatternKind, Symbol, Tail, TermKind, TypeKind};
use frank_syntax::outline::OutlineKind;
use text_size::TextRange;
use web_time::Instant;

pub use holes::Search;
pub use stops::without_stops;

use crate::draft::{Cursor, Draft, Written};
use crate::hover_text::HoverPart;
use crate::names::{Def, scope_of};
use crate::quick_fixes::HOLE;
use crate::symbols::score;
use crate::target::SymbolKind;
use crate::{Analysis, FilePosition};

/// So many items are answered at most; more make the list incomplete.
const MOST_ITEMS: usize = 200;

/// What an item of the list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    Symbol(SymbolKind),
    Keyword,
    Snippet,
    Adaptor,
    /// A command pattern.
    Pattern,
}

/// Something that can be inserted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionItem {
    pub label: String,
    pub kind: CompletionKind,
    /// A type, on one line.
    pub detail: Option<String>,
    /// What takes the place of the name at the cursor; with `$1`, `${1:text}` and `$0` where the
    /// cursor goes, if `snippet` is set.
    pub insert: String,
    pub snippet: bool,
    /// Less is better; items of equal rank are in the order of their labels.
    pub rank: u32,
    /// A definition, whose documentation [`Analysis::completion_docs`] gives.
    pub documented: bool,
}

/// What could be written at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completions {
    /// The name before the cursor, which the text of an item replaces.
    pub insert_range: TextRange,
    /// The same with the rest of the name behind the cursor.
    pub replace_range: TextRange,
    /// The best first.
    pub items: Vec<CompletionItem>,
    /// There are more: ask again when more is written.
    pub incomplete: bool,
    pub hole: Option<HoleItems>,
}

/// Which items fit the hole at the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoleItems {
    /// What is written there, which is no part of what they are called.
    pub name: String,
    /// So many, the first of all.
    pub count: usize,
}

/// Items as they are found.
pub(super) struct List<'p> {
    prefix: &'p str,
    /// What ends a command pattern or an adaptor that is inserted: nothing where it is there.
    angle: &'static str,
    /// Nothing but closing brackets follows on the line.
    ends_line: bool,
    items: Vec<CompletionItem>,
}

impl List<'_> {
    /// Whether a name fits what is written; how well, the less the better.
    fn fits(&self, name: &str) -> Option<u32> {
        score(name, self.prefix).map(|score| u32::from(score.class()))
    }

    fn push(&mut self, item: CompletionItem) {
        self.items.push(item);
    }

    /// A plain name.
    fn name(&mut self, name: &str, kind: CompletionKind, detail: Option<String>, rank: u32) {
        if self.fits(name).is_some() {
            self.push(CompletionItem {
                label: name.to_owned(),
                kind,
                detail,
                insert: name.to_owned(),
                snippet: false,
                rank,
                documented: matches!(kind, CompletionKind::Symbol(_)),
            });
        }
    }

    fn keyword(&mut self, word: &str, insert: &str, rank: u32) {
        if self.fits(word).is_some() {
            self.push(CompletionItem {
                label: word.to_owned(),
                kind: CompletionKind::Keyword,
                detail: None,
                insert: insert.to_owned(),
                snippet: insert.contains('$'),
                rank,
                documented: false,
            });
        }
    }

    fn snippet(&mut self, label: String, filter: &str, detail: &str, insert: String, rank: u32) {
        if self.fits(filter).is_some() {
            self.push(CompletionItem {
                label,
                kind: CompletionKind::Snippet,
                detail: Some(detail.to_owned()),
                insert,
                snippet: true,
                rank,
                documented: false,
            });
        }
    }
}

impl Analysis {
    /// What could be written at a place (`textDocument/completion`); nothing inside of comments and
    /// literals.
    pub fn completions(&self, at: FilePosition) -> Option<Completions> {
        self.completions_searched(at, None)
    }

    /// As [`Analysis::completions`]; at a hole also whole terms that a search finds, if one is wanted.
    pub fn completions_searched(
        &self,
        at: FilePosition,
        search: Option<Search<'_>>,
    ) -> Option<Completions> {
        let begin = Instant::now();
        let hole = self.hole_at(at);
        // `_` is no beginning of a name that somebody writes; `_n` may be one.
        if let Some(hole) = hole.as_ref().filter(|hole| hole.name() == HOLE) {
            return Some(self.at_hole(hole, search, begin, Vec::new()));
        }
        let found = self.names_at(at)?;
        Some(match hole {
            Some(hole) => self.at_hole(&hole, search, begin, found.items),
            None => found,
        })
    }

    /// The names that could be written at a place.
    fn names_at(&self, at: FilePosition) -> Option<Completions> {
        let mut cursor = match self.cursor(at) {
            Some(cursor) => cursor,
            None => return self.in_empty_file(at),
        };
        cursor.take_whole_path();
        if cursor.in_number {
            return None;
        }
        let angle = if cursor.after().trim_start().starts_with(['>', '(', ',']) {
            ""
        } else {
            ">"
        };
        let mut list = List {
            prefix: cursor.prefix(),
            angle,
            ends_line: cursor
                .after()
                .lines()
                .next()
                .is_none_or(|rest| rest.trim_matches([' ', '\t', '}', ')']).is_empty()),
            items: Vec::new(),
        };
        if cursor.item_start {
            self.items_to_begin(&cursor, &mut list);
        } else {
            let draft = self.draft(&cursor, Written::Unfinished);
            self.at_draft(at.file, &cursor, &draft, &mut list);
        }
        Some(finished(list, &cursor))
    }

    /// A file without a single token still takes the first one.
    fn in_empty_file(&self, at: FilePosition) -> Option<Completions> {
        if self.snapshot().items(at.file).next().is_some() {
            return None;
        }
        let mut list = List {
            prefix: "",
            angle: "",
            ends_line: true,
            items: Vec::new(),
        };
        item_keywords(&mut list);
        let here = TextRange::empty(at.offset);
        let items = list.items;
        Some(Completions {
            insert_range: here,
            replace_range: here,
            items,
            incomplete: false,
            hole: None,
        })
    }

    /// The documentation of a definition that a list of a file had (`completionItem/resolve`).
    pub fn completion_docs(
        &self,
        file: SourceFile,
        label: &str,
        kind: CompletionKind,
    ) -> Vec<HoverPart> {
        let db = self.db();
        let scope = scope_of(db, file);
        let name = Symbol::new(label.trim_end_matches('!'));
        let def = match kind {
            CompletionKind::Symbol(SymbolKind::Data) => {
                resolve_data(db, scope, name).map(Def::Data)
            }
            CompletionKind::Symbol(SymbolKind::Interface | SymbolKind::Alias) => {
                resolve_row(db, scope, name).map(Def::from)
            }
            CompletionKind::Symbol(
                SymbolKind::Operator
                | SymbolKind::Handler
                | SymbolKind::Value
                | SymbolKind::Constructor
                | SymbolKind::Command,
            ) => resolve_term(db, scope, name).map(Def::from),
            _ => None,
        };
        def.map_or_else(Vec::new, |def| self.about(def))
    }

    /// What can begin an item.
    fn items_to_begin(&self, cursor: &Cursor, list: &mut List<'_>) {
        item_keywords(list);
        self.clauses_to_write(cursor, list);
    }

    /// What fits the syntax around the cursor.
    fn at_draft(&self, file: SourceFile, cursor: &Cursor, draft: &Draft, list: &mut List<'_>) {
        let item = draft.item();
        let path = draft.path();
        let parent = path.iter().rev().nth(1).copied();
        let Some(Node::Name(name)) = path.last().copied() else {
            self.by_words(file, cursor, draft, list);
            return;
        };
        match parent {
            Some(Node::Item) => match &item.kind {
                ItemKind::Include { .. } => self.files(file, list),
                _ => self.by_words(file, cursor, draft, list),
            },
            Some(Node::Term(term)) => {
                if let TermKind::Name(_) = &item.terms[term].kind {
                    self.terms(draft, term, cursor, list);
                }
            }
            Some(Node::Pattern(pattern)) => match &item.patterns[pattern].kind {
                PatternKind::Name(_) => self.value_patterns(draft, pattern, true, list),
                PatternKind::Constructor { name: head, .. } if head.id == name.id => {
                    self.value_patterns(draft, pattern, false, list);
                }
                PatternKind::Command { name: head, .. } if head.id == name.id => {
                    self.command_patterns(draft, cursor, pattern, true, list);
                }
                PatternKind::CatchAll(_) => {
                    self.command_patterns(draft, cursor, pattern, false, list)
                }
                _ => {}
            },
            Some(Node::Type(ty)) => {
                if let TypeKind::Name { .. } = &item.types[ty].kind {
                    self.type_names(draft, list);
                }
            }
            Some(Node::Instance(_)) => self.row_names(draft, list, true),
            Some(Node::Ability(ability)) => {
                if let Tail::Named(_) = ability.tail {
                    self.row_names(draft, list, true);
                    self.effect_names(draft, list);
                }
            }
            Some(Node::Adaptor(adaptor)) if adaptor.interface.id == name.id => {
                self.adaptors(draft, &path, list);
            }
            Some(Node::Adaptor(adaptor)) => {
                let shape = adaptor.shape.as_ref();
                let left = shape
                    .into_iter()
                    .flat_map(|s| std::iter::once(&s.rest).chain(&s.left));
                for other in left.filter(|other| other.id != name.id) {
                    let kind = CompletionKind::Symbol(SymbolKind::AdaptorName);
                    list.name(other.symbol.as_str(), kind, None, 0);
                }
            }
            _ => {}
        }
    }

    /// Where the tree says nothing, the words in front of the cursor do.
    fn by_words(&self, file: SourceFile, cursor: &Cursor, draft: &Draft, list: &mut List<'_>) {
        let before = cursor.before();
        let found = crate::tokens::words(before);
        let mut code = found.iter().filter(|word| {
            use crate::tokens::Lexeme::{BlockComment, LineComment};
            !matches!(word.lexeme, LineComment | BlockComment)
        });
        let first = code.next().map(|word| word.text(before));
        let last = code.next_back().map(|word| word.text(before));
        match (first, last) {
            (Some("include"), _) => self.files(file, list),
            (Some("data" | "interface"), None) => {}
            _ if crate::draft::is_signature(before) => {
                match crate::draft::open_brackets(before).last() {
                    Some(&"[" | &"<") => self.row_names(draft, list, true),
                    _ => self.type_names(draft, list),
                }
            }
            (Some(_), Some("<")) => self.all_commands(draft, list),
            (Some(_), _) if crate::draft::has_equals(before) => self.terms_anywhere(draft, list),
            _ => {}
        }
    }

    /// Files to include: the one of exactly the name that is written first, then the library's.
    fn files(&self, file: SourceFile, list: &mut List<'_>) {
        let db = self.db();
        for (name, found) in self.includable(file) {
            let path = found.path(db).to_owned();
            let rank = match found.origin(db) {
                _ if name == list.prefix => 0,
                Origin::Library => 1,
                Origin::Workspace => 2,
            };
            let kind = CompletionKind::Symbol(SymbolKind::File);
            list.name(&name, kind, Some(path), rank);
        }
    }

    /// The definitions of the term namespace in sight, by name, and whether each is a library's.
    pub(super) fn term_names(&self, scope: SourceFile, mut visit: impl FnMut(Symbol, Def, u32)) {
        for (name, def) in visible_names(self.db(), scope) {
            visit(*name, Def::from(*def), u32::from(def.scope() != scope));
        }
    }
}

fn item_keywords(list: &mut List<'_>) {
    list.keyword("data", "data ${1:Name} = ${2:constructor}", 20);
    list.keyword(
        "interface",
        "interface ${1:Name} = ${2:command} : ${3:Unit}",
        20,
    );
    list.keyword("include", "include $0", 20);
}

fn finished(list: List<'_>, cursor: &Cursor) -> Completions {
    let prefix = list.prefix.to_owned();
    let mut items = list.items;
    let class = |item: &CompletionItem| {
        let name = item.label.split([' ', '!']).next().unwrap_or(&item.label);
        score(name, &prefix).map_or(9, |score| u32::from(score.class()).saturating_sub(1))
    };
    // What is written weighs more than what is expected, once there is enough of it.
    let weight = if prefix.is_empty() { 0 } else { 10 };
    for item in &mut items {
        item.rank += class(item) * weight;
    }
    items.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| a.label.cmp(&b.label)));
    let incomplete = items.len() > MOST_ITEMS;
    items.truncate(MOST_ITEMS);
    Completions {
        insert_range: cursor.insert_range(),
        replace_range: cursor.replace_range(),
        items,
        incomplete,
        hole: None,
    }
}

/// Whether an item of the outline belongs to an operator.
pub(super) fn is_operator_item(kind: OutlineKind) -> bool {
    matches!(kind, OutlineKind::Signature | OutlineKind::Clause)
}
