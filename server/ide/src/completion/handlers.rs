//! Whole clauses: for operators whose signature stands there, snippets that write those that are
//! missing; and what is missing beside a clause whose command is being written.

use std::collections::HashSet;

use frank_analysis::db::item;
use frank_analysis::declarations::signature;
use frank_analysis::program::{CommandDef, ConstructorDef, TermDef, operator_items, resolve_term};
use frank_analysis::types::{Port, Signature, TyKind};
use frank_syntax::ast::{ItemKind, PatternId, PatternKind, Symbol, TermKind};
use frank_syntax::outline::OutlineKind;

use super::stops::{Stops, without_stops};
use super::{CompletionItem, CompletionKind, List, is_operator_item};
use crate::Analysis;
use crate::draft::{Cursor, Draft};
use crate::tokens::words;
use crate::view::innermost_clause;

/// A snippet with more clauses than this is no help.
const MOST_CLAUSES: usize = 40;

/// How the places of several clauses are numbered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbered {
    /// Each clause is a snippet of its own.
    Apart,
    /// All are one snippet.
    Together,
}

impl Analysis {
    /// The operators of the file to write clauses for: those without clauses first, then the one
    /// right above the cursor.
    pub(super) fn clauses_to_write(&self, cursor: &Cursor, list: &mut List<'_>) {
        let db = self.db();
        let file = cursor.source.file(db);
        let above = self.operator_above(cursor);
        let mut seen = HashSet::new();
        for entry in file
            .outline(db)
            .iter()
            .filter(|entry| is_operator_item(entry.kind))
        {
            let Some(name) = entry.name else { continue };
            if list.fits(name.as_str()).is_none() || !seen.insert(name) {
                continue;
            }
            let items = operator_items(db, cursor.scope, name);
            let unwritten = items.clauses.iter().all(|source| *source == cursor.source);
            let is_above = above == Some(name);
            let rank = match unwritten || is_above {
                true => 1,
                false => 5,
            };
            let declared = signature(db, cursor.scope, name).as_ref();
            let detail = declared.map(|signature| {
                crate::text::of_signature(signature, |show| show.signature(&signature.computation))
            });
            if entry.kind == OutlineKind::Signature || !unwritten {
                let mut stops = Stops::new(db, cursor.scope);
                let patterns = declared.map_or_else(
                    || "!".to_owned(),
                    |signature| patterns(signature, None, &mut stops),
                );
                list.push(CompletionItem {
                    label: name.to_string(),
                    kind: CompletionKind::Symbol(crate::SymbolKind::Operator),
                    detail,
                    insert: format!("{name}{patterns} = $0"),
                    snippet: true,
                    rank: rank + 1 + u32::from(!unwritten),
                    documented: true,
                });
            }
            let Some(signature) = declared else { continue };
            let missing = |numbered| self.missing_clauses(cursor, name, signature, numbered);
            // Below other clauses, one is as likely as all that are missing.
            if is_above && !unwritten {
                for clause in missing(Numbered::Apart) {
                    let label = without_stops(&clause);
                    let label = label.trim_end_matches(" = ").to_owned();
                    list.snippet(label, name.as_str(), "missing clause", clause, rank + 1);
                }
            }
            let clauses = missing(Numbered::Together);
            if clauses.len() > 1 && clauses.len() <= MOST_CLAUSES {
                list.snippet(
                    format!("{name} …"),
                    name.as_str(),
                    &format!("all {} clauses", clauses.len()),
                    clauses.join("\n"),
                    rank,
                );
            }
        }
    }

    /// The operator of the item right above the cursor.
    fn operator_above(&self, cursor: &Cursor) -> Option<Symbol> {
        let here = usize::from(cursor.insert_range().start());
        let items = self.snapshot().items(cursor.source.file(self.db()));
        let mut above =
            items.take_while(|(_, place)| place.range.start + place.token_offset < here);
        let (entry, _) = above.by_ref().last()?;
        entry.name.filter(|_| is_operator_item(entry.kind))
    }

    /// The clauses that an operator lacks: for each command that its ports add, for each
    /// constructor of its first port with a data type if it handles nothing, and for values.
    fn missing_clauses(
        &self,
        cursor: &Cursor,
        name: Symbol,
        signature: &Signature,
        numbered: Numbered,
    ) -> Vec<String> {
        let db = self.db();
        let items = operator_items(db, cursor.scope, name);
        let mut taken: Vec<(Symbol, u32)> = Vec::new();
        let mut values = false;
        for source in items
            .clauses
            .iter()
            .filter(|source| **source != cursor.source)
        {
            let item = item(db, *source);
            let ItemKind::Clause { clause, .. } = &item.kind else {
                continue;
            };
            let mut handles = false;
            for pattern in &clause.patterns {
                match &item.patterns[*pattern].kind {
                    PatternKind::Command { name, index, .. } => {
                        handles = true;
                        taken.push((name.symbol, *index));
                    }
                    PatternKind::CatchAll(_) => return Vec::new(),
                    _ => {}
                }
            }
            values |= !handles;
        }
        let mut stops = Stops::new(db, cursor.scope);
        let mut clauses = Vec::new();
        let mut write = |instead: Option<(usize, &Written<'_>)>| {
            match numbered {
                Numbered::Apart => stops = Stops::new(db, cursor.scope),
                Numbered::Together => stops.next_clause(),
            }
            let head = patterns(signature, instead, &mut stops);
            clauses.push(format!("{name}{head} = {}", stops.gap()));
        };
        if !values {
            match self.port_to_split(signature) {
                Some((position, constructors)) => {
                    for constructor in constructors {
                        write(Some((position, &|stops| {
                            let written = self.constructor_snippet(constructor, stops);
                            written.unwrap_or_default()
                        })));
                    }
                }
                None => write(None),
            }
        }
        for (position, port) in signature.computation.ports.iter().enumerate() {
            for added in self.added_commands(port) {
                let is_taken = taken.contains(&(added.def.name, added.index));
                if is_taken || !self.means(cursor, added.def.name) {
                    continue;
                }
                let kind = |ty| signature.types.kind(ty);
                write(Some((position, &|stops| {
                    format!("<{}>", added.pattern(kind, stops))
                })));
            }
        }
        clauses
    }

    /// The constructors that the clauses of an operator tell apart, and the port with their type:
    /// the first of a data type with several, if no port handles anything.
    fn port_to_split(&self, signature: &Signature) -> Option<(usize, Vec<ConstructorDef>)> {
        let ports = &signature.computation.ports;
        if ports.iter().any(|port| !port.adjustments.is_empty()) {
            return None;
        }
        let found = ports.iter().enumerate().find_map(|(position, port)| {
            let TyKind::Data(data, _) = signature.types.kind(port.ty) else {
                return None;
            };
            Some((position, self.constructors_of(*data)))
        });
        found.filter(|(_, constructors)| constructors.len() > 1)
    }

    /// Whether a command's name means the command where the clause is written.
    fn means(&self, cursor: &Cursor, name: Symbol) -> bool {
        matches!(
            resolve_term(self.db(), cursor.scope, name),
            Some(TermDef::Command(_))
        )
    }

    /// All clauses at once for the commands of a port that are not `taken`, where the first of them is
    /// being written in the head of an operator's clause.
    pub(super) fn rest_of_clauses(
        &self,
        draft: &Draft,
        cursor: &Cursor,
        pattern: PatternId,
        taken: &HashSet<(CommandDef, u32)>,
        list: &mut List<'_>,
    ) -> Option<()> {
        let (ItemKind::Clause { name, .. }, Some((clause, None))) =
            (&draft.item().kind, innermost_clause(&draft.path()))
        else {
            return None;
        };
        let declared = signature(self.db(), draft.scope, name.symbol).as_ref()?;
        let position = clause.patterns.iter().position(|other| *other == pattern)?;
        let port = declared.computation.ports.get(position)?;
        let range = draft.parsed.source_map.range(name.id);
        let head = cursor.before().get(usize::from(range.start())..)?;
        let head = head.trim_end().strip_suffix('<')?;
        if head.contains('\n') || clause.patterns.len() != position + 1 {
            return None;
        }
        let mut stops = Stops::new(self.db(), draft.scope);
        let kind = |ty| declared.types.kind(ty);
        let mut clauses = Vec::new();
        let mut write = |pattern: &Written<'_>| {
            stops.next_clause();
            for word in words(head) {
                stops.take(word.text(head));
            }
            let own = pattern(&mut stops);
            let later = declared.computation.ports.iter().skip(position + 1);
            let later = stops.variables(later.map(|port| kind(port.ty)), &declared.values);
            clauses.push(format!("{own}{later} = {}", stops.gap()));
        };
        let added = self.added_commands(port);
        let missing = added.iter();
        for added in missing.filter(|added| !taken.contains(&(added.def, added.index))) {
            write(&|stops| format!("<{}>", added.pattern(kind, stops)));
        }
        if !self.takes_values(draft, name.symbol) {
            write(&|stops| stops.variable(kind(port.ty), &declared.values));
        }
        self.all_at_once(&clauses, &format!("\n{head}"), list)
    }

    /// As [`Analysis::rest_of_clauses`], in braces.
    pub(super) fn rest_in_braces(
        &self,
        draft: &Draft,
        port: &Port,
        taken: &HashSet<(CommandDef, u32)>,
        list: &mut List<'_>,
    ) -> Option<()> {
        let (clause, Some(thunk)) = innermost_clause(&draft.path())? else {
            return None;
        };
        let TermKind::Thunk { clauses } = &draft.item().terms[thunk].kind else {
            return None;
        };
        let others = clauses.iter().filter(|other| other.id != clause.id);
        let values = others.flat_map(|other| &other.patterns).any(|pattern| {
            let kind = &draft.item().patterns[*pattern].kind;
            !matches!(kind, PatternKind::Command { .. })
        });
        if clause.patterns.len() > 1 {
            return None;
        }
        let clauses = self.clauses_in_braces(draft, port, taken, !values);
        self.all_at_once(&clauses, " | ", list)
    }

    /// Clauses of which the first `<` is there.
    fn all_at_once(&self, clauses: &[String], between: &str, list: &mut List<'_>) -> Option<()> {
        let joined = clauses.join(between);
        let insert = joined.strip_prefix('<')?;
        let first = insert.split(' ').next()?;
        if list.ends_line && clauses.len() > 1 && clauses.len() <= MOST_CLAUSES {
            let detail = format!("all {} clauses", clauses.len());
            list.snippet(format!("{first} …"), first, &detail, insert.to_owned(), 1);
        }
        Some(())
    }

    /// Whether a clause beside the one at the cursor takes finished arguments alone.
    fn takes_values(&self, draft: &Draft, name: Symbol) -> bool {
        let items = operator_items(self.db(), draft.scope, name);
        let others = items.clauses.iter().filter(|one| **one != draft.source);
        others.into_iter().any(|source| {
            let item = item(self.db(), *source);
            let ItemKind::Clause { clause, .. } = &item.kind else {
                return false;
            };
            clause.patterns.iter().all(|pattern| {
                let kind = &item.patterns[*pattern].kind;
                !matches!(kind, PatternKind::Command { .. })
            })
        })
    }
}

/// Writes a pattern.
type Written<'a> = dyn Fn(&mut Stops<'_>) -> String + 'a;

/// The patterns of a clause, each behind a blank: variables, but for one port; `!` without ports.
fn patterns(
    signature: &Signature,
    instead: Option<(usize, &Written<'_>)>,
    stops: &mut Stops<'_>,
) -> String {
    let ports = signature.computation.ports.iter().enumerate();
    let written = ports.map(|(position, port)| match instead {
        Some((own, pattern)) if own == position => format!(" {}", pattern(stops)),
        _ => {
            let kind = signature.types.kind(port.ty);
            format!(" {}", stops.variable(kind, &signature.values))
        }
    });
    let written: String = written.collect();
    match written.is_empty() {
        true => "!".to_owned(),
        false => written,
    }
}
