//! Applications of derivative operators that stand in a program and need nothing from around them,
//! such as `d {x -> t x x} 3`.

use std::collections::HashSet;

use frank_analysis::db::{ItemSource, SourceFile};
use frank_analysis::groups;
use frank_syntax::ast::tree::{self, Node};
use frank_syntax::ast::{ItemKind, NodeId, SymbolSet, TermId, TermKind};
use frank_syntax::outline::OutlineKind;
use text_size::TextRange;

use super::roles::tools;
use crate::Analysis;
use crate::names::{Def, Role, scope_of};
use crate::tokens::contains_word;

/// An application of a derivative operator without free variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedDerivative {
    pub file: SourceFile,
    /// The application, in the file.
    pub range: TextRange,
    /// The name of the derivative operator.
    pub operator: String,
    /// The function's text, with the parentheses or braces that it needs as an argument.
    pub function: String,
    /// The function is written in braces.
    pub in_braces: bool,
    /// The point's text, likewise.
    pub point: String,
    /// The operator in which it stands.
    pub inside: String,
    /// How many others stand before it in the clauses of that operator in this file.
    pub index: usize,
}

impl Analysis {
    /// The closed applications of derivative operators in a file, in the order of the text.
    pub fn closed_derivatives(&self, file: SourceFile) -> Vec<ClosedDerivative> {
        let db = self.db();
        let scope = scope_of(db, file);
        let tools = tools(db, scope);
        let mut found = Vec::new();
        if tools.derivatives.is_empty() {
            return found;
        }
        let names: SymbolSet = tools.derivatives.iter().map(|(d, _)| d.0.name).collect();
        for group in file.groups(db).iter().copied() {
            let mentions = &groups::facts(db, group).mentions;
            if !mentions.iter().any(|(_, name)| names.contains(name)) {
                continue;
            }
            for entry in group.entries(db).iter() {
                let text = entry.item.text(db);
                let mut names = names.iter();
                let mentions = names.any(|name| contains_word(text, name.as_str()));
                if entry.kind == OutlineKind::Clause && mentions {
                    self.closed_in(scope, entry.item, &mut found);
                }
            }
        }
        found
    }

    fn closed_in(&self, scope: SourceFile, source: ItemSource, found: &mut Vec<ClosedDerivative>) {
        let db = self.db();
        let tools = tools(db, scope);
        let view = self.view(scope, source);
        let item = view.item();
        let ItemKind::Clause { name: inside, .. } = &item.kind else {
            return;
        };
        let names = view.names();
        let heads: HashSet<NodeId> = names
            .iter()
            .filter(|name| name.role == Role::Use)
            .filter(|name| match name.def {
                Def::Operator(operator) => {
                    tools.derivatives.iter().any(|(own, _)| *own == operator)
                }
                _ => false,
            })
            .map(|name| name.node)
            .collect();
        let mut calls: Vec<(TermId, TermId, [TermId; 2])> = Vec::new();
        tree::for_each(item, |node| {
            let Node::Term(term) = node else { return };
            if let TermKind::Apply { head, args } = &item.terms[term].kind
                && let [function, point] = &args[..]
                && heads.contains(&item.terms[*head].id)
            {
                calls.push((term, *head, [*function, *point]));
            }
        });
        for (call, head, [function, point]) in calls {
            let range = view.range(item.terms[call].id);
            let free = names.iter().any(|name| match name.def {
                Def::Local { binder, .. } => {
                    range.contains_range(name.range) && !range.contains_range(view.range(binder))
                }
                _ => false,
            });
            if free {
                continue;
            }
            let in_braces = matches!(item.terms[function].kind, TermKind::Thunk { .. });
            let text = |term: TermId| view.node_text(item.terms[term].id);
            let argument = |term: TermId| match &item.terms[term].kind {
                TermKind::Thunk { .. } | TermKind::List(_) => text(term).to_owned(),
                _ => format!("({})", text(term)),
            };
            found.push(ClosedDerivative {
                file: source.file(db),
                range: range + view.start,
                operator: text(head).to_owned(),
                function: match &item.terms[function].kind {
                    TermKind::Name(_) => text(function).to_owned(),
                    _ => argument(function),
                },
                in_braces,
                point: argument(point),
                inside: inside.symbol.to_string(),
                index: found
                    .iter()
                    .filter(|other| other.inside == inside.symbol.as_str())
                    .count(),
            });
        }
    }
}
