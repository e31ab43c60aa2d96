//! Whole clauses: for operators whose signature stands there, a snippet that writes all that are
//! missing.

use frank_analysis::db::item;
use frank_analysis::declarations::{data_type, interface, signature};
use frank_analysis::program::{TermDef, operator_items, resolve_term};
use frank_analysis::types::{Signature, TyKind};
use frank_syntax::ast::{ItemKind, PatternKind, Symbol};
use frank_syntax::outline::OutlineKind;

use super::patterns::snippet_names;
use super::{CompletionItem, CompletionKind, List, is_operator_item};
use crate::Analysis;
use crate::draft::Cursor;

/// A snippet with more clauses than this is no help.
const MOST_CLAUSES: usize = 40;

impl Analysis {
    /// The operators of the file to write clauses for: those without clauses first, then those
    /// near the cursor.
    pub(super) fn clauses_to_write(&self, cursor: &Cursor, list: &mut List<'_>) {
        let db = self.db();
        let file = cursor.source.file(db);
        let mut seen = std::collections::HashSet::new();
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
            let missing = items.clauses.iter().all(|source| *source == cursor.source);
            let rank = if missing { 1 } else { 5 };
            let declared = signature(db, cursor.scope, name).as_ref();
            let detail = declared.map(|signature| {
                crate::text::of_signature(signature, |show| show.signature(&signature.computation))
            });
            if entry.kind == OutlineKind::Signature || !missing {
                let ports = declared.map_or(0, |signature| signature.computation.ports.len());
                let head = head(name, ports, 1);
                list.push(CompletionItem {
                    label: name.to_string(),
                    kind: CompletionKind::Symbol(crate::SymbolKind::Operator),
                    detail: detail.clone(),
                    insert: format!("{head} = $0"),
                    snippet: true,
                    rank: rank + 1,
                    documented: true,
                });
            }
            if let Some(signature) = declared {
                let clauses = self.missing_clauses(cursor, name, signature);
                if clauses.len() > 1 && clauses.len() <= MOST_CLAUSES {
                    let detail = format!("all {} clauses", clauses.len());
                    list.snippet(
                        format!("{name} …"),
                        name.as_str(),
                        &detail,
                        clauses.join("\n"),
                        rank,
                    );
                }
            }
        }
    }

    /// The clauses that an operator lacks: for each command that its ports add, for each
    /// constructor of its first port with a data type if it handles nothing, and for values.
    fn missing_clauses(&self, cursor: &Cursor, name: Symbol, signature: &Signature) -> Vec<String> {
        let db = self.db();
        let ports = &signature.computation.ports;
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
        let mut clauses = Vec::new();
        let mut stop = 1;
        if !values {
            clauses.extend(self.value_clauses(name, signature, &mut stop));
        }
        for (position, port) in ports.iter().enumerate() {
            let added: Vec<_> = port.added().map(|instance| instance.interface).collect();
            for (i, added_interface) in added.iter().enumerate() {
                let index = added
                    .iter()
                    .skip(i + 1)
                    .filter(|o| *o == added_interface)
                    .count() as u32;
                let definition = added_interface.0;
                let declared = interface(db, definition.scope, definition.name).as_ref();
                for command in declared.map_or(&[][..], |declared| &declared.commands) {
                    if taken.contains(&(command.name, index)) || !self.means(cursor, command.name) {
                        continue;
                    }
                    let mut patterns = Vec::with_capacity(ports.len());
                    for other in 0..ports.len() {
                        if other != position {
                            patterns.push(format!("${{{stop}:{}}}", variable(other, ports.len())));
                            stop += 1;
                            continue;
                        }
                        let index = if index == 0 {
                            String::new()
                        } else {
                            format!(".{index}")
                        };
                        let args = snippet_names(command.args.len(), stop);
                        stop += command.args.len();
                        patterns.push(format!("<{}{index}{args} -> ${{{stop}:k}}>", command.name));
                        stop += 1;
                    }
                    clauses.push(format!("{name} {} = ${stop}", patterns.join(" ")));
                    stop += 1;
                }
            }
        }
        clauses
    }

    /// Whether a command's name means the command where the clause is written.
    fn means(&self, cursor: &Cursor, name: Symbol) -> bool {
        matches!(
            resolve_term(self.db(), cursor.scope, name),
            Some(TermDef::Command(_))
        )
    }

    fn value_clauses(&self, name: Symbol, signature: &Signature, stop: &mut usize) -> Vec<String> {
        let ports = &signature.computation.ports;
        let handles = ports.iter().any(|port| !port.adjustments.is_empty());
        let data =
            ports
                .iter()
                .enumerate()
                .find_map(|(i, port)| match signature.types.kind(port.ty) {
                    TyKind::Data(data, _) => {
                        let declared = data_type(self.db(), data.0.scope, data.0.name).as_ref()?;
                        (declared.constructors.len() > 1).then_some((i, declared))
                    }
                    _ => None,
                });
        match data.filter(|_| !handles) {
            Some((position, declared)) => declared
                .constructors
                .iter()
                .map(|constructor| {
                    let mut patterns = Vec::with_capacity(ports.len());
                    for other in 0..ports.len() {
                        if other != position {
                            patterns.push(format!("${{{stop}:{}}}", variable(other, ports.len())));
                            *stop += 1;
                        } else if constructor.fields.is_empty() {
                            patterns.push(constructor.name.to_string());
                        } else {
                            let fields = snippet_names(constructor.fields.len(), *stop);
                            *stop += constructor.fields.len();
                            patterns.push(format!("({}{fields})", constructor.name));
                        }
                    }
                    *stop += 1;
                    format!("{name} {} = ${}", patterns.join(" "), *stop - 1)
                })
                .collect(),
            None => {
                let head = head(name, ports.len(), *stop);
                *stop += ports.len() + 1;
                vec![format!("{head} = ${}", *stop - 1)]
            }
        }
    }
}

/// `f ${1:x} ${2:y}`, or `f!` without ports.
fn head(name: Symbol, ports: usize, first: usize) -> String {
    match ports {
        0 => format!("{name}!"),
        _ => format!("{name}{}", snippet_names(ports, first)),
    }
}

fn variable(port: usize, ports: usize) -> String {
    match ports {
        1 => "x".to_owned(),
        _ => ["x", "y", "z"]
            .get(port)
            .map_or_else(|| format!("x{port}"), |name| (*name).to_owned()),
    }
}
