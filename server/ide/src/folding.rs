//! What can be folded (LSP `textDocument/foldingRange`): items, operators of several, groups of includes,
//! comments, braces and brackets that span lines.

use frank_analysis::db::{OutlineEntry, SourceFile};
use frank_syntax::ast::Symbol;
use frank_syntax::outline::OutlineKind;
use text_size::{TextRange, TextSize};

use crate::Analysis;
use crate::tokens::{Lexeme, Word, words};
use crate::view::{size, slice};

/// What is folded, where editors treat kinds differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoldKind {
    Comment,
    Includes,
    /// An item, a bracket.
    Region,
}

/// A range that can be folded to its first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// From the end of what stays visible to the end of what is hidden.
    pub range: TextRange,
    pub kind: FoldKind,
}

impl Analysis {
    /// All ranges of a file that can be folded, in the order of their starts
    /// (`textDocument/foldingRange`).
    pub fn folds(&self, file: SourceFile) -> Vec<Fold> {
        let db = self.db();
        let mut folds = Vec::new();
        let mut includes: Option<TextRange> = None;
        let mut operator: Option<OperatorFold> = None;
        for (entry, place) in self.snapshot().items(file) {
            let text = entry.item.text(db);
            let start = size(place.range.start);
            let token = size(place.token_offset);
            let mut found = Vec::new();
            let words = words(text);
            comments(text, &words, &mut found);
            brackets(text, &words, &mut found);
            let end = words
                .iter()
                .rev()
                .find(|word| !matches!(word.lexeme, Lexeme::LineComment | Lexeme::BlockComment))
                .map_or(token, |word| size(word.range.end));
            if end > token {
                region(
                    text,
                    TextRange::new(token, end),
                    FoldKind::Region,
                    &mut found,
                );
            }
            if let Some(name) = operator_of(&entry) {
                let own = TextRange::new(token, end.max(token)) + start;
                match &mut operator {
                    Some(above) if above.name == name => above.end = own.end(),
                    _ => {
                        let head = slice(text, own - start).lines().next().unwrap_or_default();
                        let next = OperatorFold {
                            name,
                            head: own.start() + size(head.trim_end().len()),
                            first: own.end(),
                            end: own.end(),
                        };
                        folds.extend(operator.replace(next).and_then(OperatorFold::fold));
                    }
                }
            } else {
                folds.extend(operator.take().and_then(OperatorFold::fold));
            }
            folds.extend(found.into_iter().map(|fold| Fold {
                range: fold.range + start,
                ..fold
            }));
            if entry.kind == OutlineKind::Include {
                let own = TextRange::new(token, end.max(token)) + start;
                includes = Some(includes.map_or(own, |before| before.cover(own)));
            } else if let Some(group) = includes.take() {
                fold_includes(group, &mut folds);
            }
        }
        if let Some(group) = includes {
            fold_includes(group, &mut folds);
        }
        folds.extend(operator.and_then(OperatorFold::fold));
        folds.sort_by_key(|fold| (fold.range.start(), std::cmp::Reverse(fold.range.end())));
        folds.dedup_by_key(|fold| fold.range);
        folds
    }
}

/// The name of the operator that an item belongs to.
fn operator_of(entry: &OutlineEntry) -> Option<Symbol> {
    match entry.kind {
        OutlineKind::Signature | OutlineKind::Clause => entry.name,
        _ => None,
    }
}

/// A signature and clauses of one operator that follow one another.
struct OperatorFold {
    name: Symbol,
    /// Where the first line of the first item ends.
    head: TextSize,
    /// Where the first item ends.
    first: TextSize,
    end: TextSize,
}

impl OperatorFold {
    /// One item alone has a fold of its own.
    fn fold(self) -> Option<Fold> {
        (self.end > self.first).then(|| Fold {
            range: TextRange::new(self.head, self.end),
            kind: FoldKind::Region,
        })
    }
}

fn fold_includes(group: TextRange, folds: &mut Vec<Fold>) {
    let first_line = size("include".len());
    if group.len() > first_line {
        let range = TextRange::new(group.start() + first_line, group.end());
        folds.push(Fold {
            range,
            kind: FoldKind::Includes,
        });
    }
}

/// A range that spans lines, from the end of its first line.
fn region(text: &str, range: TextRange, kind: FoldKind, folds: &mut Vec<Fold>) {
    let covered = slice(text, range);
    if let Some(first) = covered.find('\n') {
        let line = covered.get(..first).unwrap_or_default().trim_end();
        let start = range.start() + size(line.len());
        folds.push(Fold {
            range: TextRange::new(start, range.end()),
            kind,
        });
    }
}

/// Block comments, and line comments on lines that follow each other.
fn comments(text: &str, words: &[Word], folds: &mut Vec<Fold>) {
    let mut run: Option<TextRange> = None;
    for word in words {
        let range = TextRange::new(size(word.range.start), size(word.range.end));
        match word.lexeme {
            Lexeme::BlockComment => region(text, range, FoldKind::Comment, folds),
            Lexeme::LineComment => {
                let adjacent = run.filter(|run| {
                    let between = slice(text, TextRange::new(run.end(), range.start()));
                    between.matches('\n').count() <= 1
                });
                match adjacent {
                    Some(run_range) => run = Some(run_range.cover(range)),
                    None => {
                        if let Some(done) = run.replace(range) {
                            region(text, done, FoldKind::Comment, folds);
                        }
                    }
                }
                continue;
            }
            _ => {}
        }
        if let Some(done) = run.take() {
            region(text, done, FoldKind::Comment, folds);
        }
    }
    if let Some(done) = run {
        region(text, done, FoldKind::Comment, folds);
    }
}

/// Brackets that span lines; what follows an unclosed one is not folded.
fn brackets(text: &str, words: &[Word], folds: &mut Vec<Fold>) {
    let mut open: Vec<(&str, usize)> = Vec::new();
    for word in words.iter().filter(|word| word.lexeme == Lexeme::Symbol) {
        let symbol = word.text(text);
        let opener = match symbol {
            "(" | "[" | "{" => {
                open.push((symbol, word.range.end));
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        if let Some(position) = open.iter().rposition(|(symbol, _)| *symbol == opener) {
            let start = open
                .drain(position..)
                .next()
                .map_or(word.range.start, |(_, start)| start);
            if text
                .get(start..word.range.start)
                .is_some_and(|inside| inside.contains('\n'))
            {
                let range = TextRange::new(size(start), size(word.range.start));
                folds.push(Fold {
                    range,
                    kind: FoldKind::Region,
                });
            }
        }
    }
}
