//! The contents of a file (LSP `textDocument/documentSymbol`), and names everywhere
//! (`workspace/symbol`).

use std::sync::Arc;

use frank_analysis::aside::Aside;
use frank_analysis::db::{Db, Group, ItemSource, Parsed, SourceFile, Workspace, item, parsed};
use frank_analysis::index::members_of;
use frank_analysis::program::OperatorDef;
use frank_syntax::ast::{ItemKind, NodeId, Symbol};
use frank_syntax::outline::OutlineKind;
use text_size::{TextRange, TextSize};

use crate::Analysis;
use crate::refactor::with_parentheses;
use crate::target::{SymbolKind, Target, kind_of_item, kind_of_type};
use crate::view::{size, slice};

/// An entry of a file's table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentSymbol {
    pub name: String,
    /// A type, a signature; on one line.
    pub detail: Option<String>,
    pub kind: SymbolKind,
    /// All of it.
    pub range: TextRange,
    /// Its name.
    pub focus: TextRange,
    pub children: Vec<DocumentSymbol>,
}

/// A definition that a search by name found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceSymbol {
    pub name: Symbol,
    pub kind: SymbolKind,
    pub target: Target,
    /// The data type of a constructor, the interface of a command.
    pub container: Option<Symbol>,
}

/// A text on one line, blanks in a row as one.
pub(crate) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Analysis {
    /// The items of a file, constructors, commands and clauses inside them. An operator's
    /// signature and the clauses that follow it directly are one entry (`textDocument/documentSymbol`).
    pub fn document_symbols(&self, file: SourceFile) -> Vec<DocumentSymbol> {
        let db = self.db();
        let kept = file
            .groups(db)
            .iter()
            .flat_map(|group| symbols_in(db, *group));
        let mut symbols: Vec<DocumentSymbol> = Vec::new();
        // The operator whose entry the next clause belongs to.
        let mut open: Option<Symbol> = None;
        for ((entry, place), written) in self.snapshot().items(file).zip(kept) {
            let Some(written) = written else {
                open = None;
                continue;
            };
            let start = size(place.range.start);
            let symbol = written.symbol.moved(start);
            let child = written.head.as_ref().map(|head| DocumentSymbol {
                name: head.clone(),
                ..symbol.clone()
            });
            let is_operator = matches!(entry.kind, OutlineKind::Signature | OutlineKind::Clause);
            if let (Some(child), Some(last)) = (&child, symbols.last_mut())
                && open == entry.name
            {
                last.range = last.range.cover(symbol.range);
                last.children.push(DocumentSymbol {
                    kind: last.kind,
                    ..child.clone()
                });
                continue;
            }
            open = entry.name.filter(|_| is_operator);
            symbols.push(symbol);
            if let (Some(child), Some(last)) = (child, symbols.last_mut()) {
                last.children.push(child);
            }
        }
        for symbol in &mut symbols {
            // A single clause says nothing that the operator does not.
            if is_operator_kind(symbol.kind) && symbol.children.len() == 1 {
                symbol.children.clear();
            }
        }
        symbols
    }

    /// The definitions of the user's files whose names match a query, best first, at most `limit`.
    /// A query matches a name that has its characters in order; capitals need not agree
    /// (`workspace/symbol`).
    pub fn workspace_symbols(&self, query: &str, limit: usize) -> Vec<WorkspaceSymbol> {
        let db = self.db();
        let files = Workspace::get(db).files(db);
        let mut found: Vec<(Score, Symbol, ItemSource, Option<NodeId>)> = Vec::new();
        for file in files.values() {
            let mut last = None;
            for entry in file.outline(db) {
                let Some(name) = entry.name else { continue };
                let defines = match entry.kind {
                    OutlineKind::Data | OutlineKind::Interface => true,
                    // An operator counts once, at its first item.
                    OutlineKind::Signature | OutlineKind::Clause => last != Some(name),
                    OutlineKind::Include | OutlineKind::Other => false,
                };
                last = Some(name);
                if defines && let Some(score) = score(name.as_str(), query) {
                    found.push((score, name, entry.item, None));
                }
                if matches!(entry.kind, OutlineKind::Data | OutlineKind::Interface) {
                    let members = members_of(db, entry);
                    found.extend(members.iter().filter_map(|(name, node)| {
                        Some((score(name.as_str(), query)?, *name, entry.item, Some(*node)))
                    }));
                }
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.as_str().cmp(b.1.as_str())));
        let mut symbols: Vec<WorkspaceSymbol> = Vec::new();
        let mut operators = std::collections::HashSet::new();
        for (_, name, source, node) in found {
            if symbols.len() >= limit {
                break;
            }
            let operator = matches!(
                item(db, source).kind,
                ItemKind::Signature { .. } | ItemKind::Clause { .. }
            );
            if operator && !operators.insert((source.file(db), name)) {
                continue;
            }
            symbols.extend(self.workspace_symbol(name, source, node));
        }
        symbols
    }

    fn workspace_symbol(
        &self,
        name: Symbol,
        source: ItemSource,
        node: Option<NodeId>,
    ) -> Option<WorkspaceSymbol> {
        let item = item(self.db(), source);
        let kind = match (&item.kind, node) {
            (ItemKind::Data { .. }, None) => SymbolKind::Data,
            (ItemKind::Data { .. }, Some(_)) => SymbolKind::Constructor,
            (ItemKind::Interface { .. }, None) => SymbolKind::Interface,
            (ItemKind::Interface { .. }, Some(_)) => SymbolKind::Command,
            (ItemKind::Alias { .. }, _) => SymbolKind::Alias,
            _ => kind_of_item(item),
        };
        let container = match (&item.kind, node) {
            (ItemKind::Data { name, .. } | ItemKind::Interface { name, .. }, Some(_)) => {
                Some(name.symbol)
            }
            _ => None,
        };
        let focus = node.or_else(|| frank_analysis::db::item_name(self.db(), source))?;
        Some(WorkspaceSymbol {
            name,
            kind,
            target: self.target(source, focus),
            container,
        })
    }
}

fn is_operator_kind(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Operator | SymbolKind::Handler | SymbolKind::Value
    )
}

/// What an item is in the contents of its file, its places relative to the item.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ItemSymbol {
    symbol: DocumentSymbol,
    /// The head of a clause, which names it as a part of its operator.
    head: Option<String>,
}

impl DocumentSymbol {
    /// The symbol where its item begins at `start`.
    fn moved(&self, start: TextSize) -> DocumentSymbol {
        DocumentSymbol {
            name: self.name.clone(),
            detail: self.detail.clone(),
            kind: self.kind,
            range: self.range + start,
            focus: self.focus + start,
            children: self.children.iter().map(|one| one.moved(start)).collect(),
        }
    }
}

/// What the items of a group are in the contents of their file, an entry for each.
fn symbols_in(db: &dyn Db, group: Group) -> &[Option<ItemSymbol>] {
    kept_symbols(db, group).get(db, |db| symbols_now(db, group))
}

#[salsa::tracked]
fn kept_symbols(db: &dyn Db, group: Group) -> Aside<Arc<[Option<ItemSymbol>]>> {
    group.entries(db);
    group.texts(db);
    Aside::new(db, |db| symbols_now(db, group))
}

fn symbols_now(db: &dyn Db, group: Group) -> Arc<[Option<ItemSymbol>]> {
    let entries = group.entries(db).iter();
    entries.map(|entry| symbol_of(db, entry.item)).collect()
}

fn symbol_of(db: &dyn Db, source: ItemSource) -> Option<ItemSymbol> {
    let Parsed {
        item, source_map, ..
    } = parsed(db, source);
    let whole = source.text(db);
    let place = |node: NodeId| source_map.range(node);
    let text = |node| on_one_line(slice(whole, with_parentheses(whole, place(node))));
    let (name, kind, detail, children) = match &item.kind {
        ItemKind::Data {
            name, constructors, ..
        } => {
            let children = constructors.iter().map(|constructor| {
                let args: Vec<String> = constructor
                    .args
                    .iter()
                    .map(|ty| text(item.types[*ty].id))
                    .collect();
                let detail = (!args.is_empty()).then(|| args.join(" "));
                let span = Span {
                    range: place(constructor.id),
                    focus: place(constructor.name.id),
                };
                leaf(
                    constructor.name.symbol,
                    SymbolKind::Constructor,
                    detail,
                    span,
                )
            });
            (name, SymbolKind::Data, None, children.collect())
        }
        ItemKind::Interface { name, commands, .. } => {
            let children = commands.iter().map(|command| {
                let types = command.args.iter().chain([&command.result]);
                let types: Vec<String> = types.map(|ty| text(item.types[*ty].id)).collect();
                let span = Span {
                    range: place(command.id),
                    focus: place(command.name.id),
                };
                leaf(
                    command.name.symbol,
                    SymbolKind::Command,
                    Some(types.join(" -> ")),
                    span,
                )
            });
            (name, SymbolKind::Interface, None, children.collect())
        }
        ItemKind::Alias { name, .. } => (name, SymbolKind::Alias, None, Vec::new()),
        ItemKind::Signature { name, ty } => (name, kind_of_type(ty), Some(text(ty.id)), Vec::new()),
        ItemKind::Clause { name, .. } => (name, kind_of_item(item), None, Vec::new()),
        ItemKind::Include { .. } | ItemKind::Term(_) | ItemKind::Broken => return None,
    };
    let head = match &item.kind {
        ItemKind::Clause { name, clause } => {
            let start = place(name.id).start();
            let last = clause
                .patterns
                .last()
                .map(|pattern| item.patterns[*pattern].id);
            let end = place(last.unwrap_or(name.id)).end().max(start);
            Some(on_one_line(slice(whole, TextRange::new(start, end))))
        }
        _ => None,
    };
    let symbol = DocumentSymbol {
        name: name.symbol.to_string(),
        detail,
        kind,
        range: place(item.id).cover(place(name.id)),
        focus: place(name.id),
        children,
    };
    Some(ItemSymbol { symbol, head })
}

struct Span {
    range: TextRange,
    focus: TextRange,
}

fn leaf(name: Symbol, kind: SymbolKind, detail: Option<String>, span: Span) -> DocumentSymbol {
    DocumentSymbol {
        name: name.to_string(),
        detail,
        kind,
        range: span.range.cover(span.focus),
        focus: span.focus,
        children: Vec::new(),
    }
}

/// How well a name matches; less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Score {
    class: u8,
    /// How many characters lie between the ones that match.
    gaps: usize,
    length: usize,
}

impl Score {
    /// How it matches: 0 exactly, 1 at its beginning, up to 4 with gaps.
    pub fn class(self) -> u8 {
        self.class
    }
}

/// How well a name matches a query; `None` if it lacks one of the query's characters.
pub(crate) fn score(name: &str, query: &str) -> Option<Score> {
    let length = name.len();
    if query.is_empty() {
        return Some(Score {
            class: 0,
            gaps: 0,
            length: 0,
        });
    }
    if name == query {
        return Some(Score {
            class: 0,
            gaps: 0,
            length,
        });
    }
    if name.starts_with(query) {
        return Some(Score {
            class: 1,
            gaps: 0,
            length,
        });
    }
    // Every name in sight is compared, so the usual ones are not copied for it.
    if name.is_ascii() && query.is_ascii() {
        let (letters, wanted) = (name.as_bytes(), query.as_bytes());
        return loosely(letters, wanted, u8::eq_ignore_ascii_case, length);
    }
    let fold = |text: &str| {
        text.chars()
            .flat_map(char::to_lowercase)
            .collect::<Vec<char>>()
    };
    loosely(&fold(name), &fold(query), char::eq, length)
}

/// How well the letters of a name fit those that are wanted, whatever their case.
fn loosely<T>(
    letters: &[T],
    wanted: &[T],
    same: impl Fn(&T, &T) -> bool,
    length: usize,
) -> Option<Score> {
    let of_class = |class, gaps| {
        Some(Score {
            class,
            gaps,
            length,
        })
    };
    let matches = |window: &[T]| window.iter().zip(wanted).all(|(a, b)| same(a, b));
    let mut windows = letters.windows(wanted.len()).map(matches);
    if windows.next()? {
        return of_class(2, 0);
    }
    if windows.any(|matches| matches) {
        return of_class(3, 0);
    }
    let mut gaps = 0;
    let mut run = 0;
    let mut wanted = wanted.iter();
    let mut next = wanted.next();
    for letter in letters {
        match next {
            Some(want) if same(want, letter) => {
                gaps += run;
                run = 0;
                next = wanted.next();
            }
            Some(_) => run += 1,
            None => break,
        }
    }
    match next {
        None => of_class(4, gaps),
        Some(_) => None,
    }
}

/// The item of a source as it is written, for signatures in answers.
pub(crate) fn signature_text(db: &dyn Db, operator: OperatorDef) -> Option<String> {
    let source = *operator.items(db).signatures.first()?;
    let parsed = parsed(db, source);
    let range = parsed.source_map.range(parsed.item.id);
    Some(slice(source.text(db), range).trim_end().to_owned())
}
