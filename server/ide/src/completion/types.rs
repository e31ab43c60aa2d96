//! Types, interfaces, effect variables, adaptors.

use frank_analysis::params::{TypeNamespace, params};
use frank_analysis::program::{InterfaceDef, RowDef, resolve_row, scope_index};
use frank_syntax::ast::tree::{self, Node};
use frank_syntax::ast::{Item, ItemKind, Param, ParamKind, Symbol, TypeKind};

use super::{CompletionItem, CompletionKind, List};
use crate::Analysis;
use crate::draft::Draft;
use crate::target::SymbolKind;
use crate::view::show;

impl Analysis {
    /// Data types, built-in types and the variables of the item.
    pub(super) fn type_names(&self, draft: &Draft, list: &mut List<'_>) {
        let db = self.db();
        for name in variables(draft.item(), ParamKind::Value) {
            let kind = CompletionKind::Symbol(SymbolKind::TypeVariable);
            if crate::draft::is_placeholder(name) {
                continue;
            }
            list.name(name.as_str(), kind, None, 0);
        }
        for name in ["Int", "Float", "Char", "String"] {
            list.name(
                name,
                CompletionKind::Symbol(SymbolKind::BuiltinType),
                None,
                2,
            );
        }
        let index = scope_index(db, draft.scope);
        let scopes = std::iter::once(draft.scope).chain(index.libraries.iter().copied());
        for (distance, scope) in scopes.enumerate() {
            for name in scope_index(db, scope).data_names() {
                let detail = parameters(&params(db, scope, name, TypeNamespace::Data).all);
                let kind = CompletionKind::Symbol(SymbolKind::Data);
                list.name(
                    name.as_str(),
                    kind,
                    detail,
                    1 + 2 * (distance as u32).min(1),
                );
            }
        }
    }

    /// Interfaces and aliases, with their parameters to fill in.
    pub(super) fn row_names(&self, draft: &Draft, list: &mut List<'_>, fill: bool) {
        let db = self.db();
        let index = scope_index(db, draft.scope);
        let scopes = std::iter::once(draft.scope).chain(index.libraries.iter().copied());
        for (distance, scope) in scopes.enumerate() {
            for name in scope_index(db, scope).interface_names() {
                if list.fits(name.as_str()).is_none() {
                    continue;
                }
                let declared = params(db, scope, name, TypeNamespace::Row);
                let alias = matches!(resolve_row(db, scope, name), Some(RowDef::Alias(_)));
                let kind = if alias {
                    SymbolKind::Alias
                } else {
                    SymbolKind::Interface
                };
                let written = declared.all.iter().take(declared.written).enumerate();
                let fields: Vec<String> = written
                    .map(|(i, (param, kind))| match kind {
                        ParamKind::Value => format!(" ${{{}:{param}}}", i + 1),
                        ParamKind::Effect => format!(" [${{{}:{param}}}]", i + 1),
                    })
                    .collect();
                let snippet = fill && !fields.is_empty();
                let insert = match snippet {
                    true => format!("{name}{}", fields.concat()),
                    false => name.to_string(),
                };
                list.push(CompletionItem {
                    label: name.to_string(),
                    kind: CompletionKind::Symbol(kind),
                    detail: parameters(&declared.all),
                    insert,
                    snippet,
                    rank: 1 + 2 * (distance as u32).min(1),
                    documented: true,
                });
            }
        }
    }

    /// The effect variables of the item, in front of `|`.
    pub(super) fn effect_names(&self, draft: &Draft, list: &mut List<'_>) {
        for name in variables(draft.item(), ParamKind::Effect) {
            if crate::draft::is_placeholder(name) {
                continue;
            }
            let kind = CompletionKind::Symbol(SymbolKind::EffectVariable);
            list.name(name.as_str(), kind, None, 0);
        }
        list.keyword("0", "0", 3);
    }

    /// Adaptors for the instances that the ability around has; without one, all interfaces.
    pub(super) fn adaptors(&self, draft: &Draft, path: &[Node<'_>], list: &mut List<'_>) {
        let term = path.iter().rev().find_map(|node| match node {
            Node::Term(term) => Some(*term),
            _ => None,
        });
        let ambient = term.and_then(|term| {
            let inference = draft.inference()?;
            let ability = *draft.body()?.ambient.get(term)?;
            Some((inference, inference.table.row(ability)))
        });
        // `{<` can begin a clause that handles a command as well.
        if let Some(port) = self.port_of_clause(draft, path) {
            self.commands_of_port(draft, &port, &Default::default(), false, list);
            self.rest_in_braces(draft, &port, &Default::default(), list);
        }
        let Some((inference, row)) = ambient else {
            self.row_names(draft, list, false);
            return;
        };
        let mut seen: Vec<InterfaceDef> = Vec::new();
        for instance in row.instances.iter().rev() {
            let interface = instance.interface;
            if seen.contains(&interface) {
                continue;
            }
            seen.push(interface);
            let own: Vec<String> = row
                .instances
                .iter()
                .filter(|other| other.interface == interface)
                .map(|instance| show(inference).instance(instance))
                .collect();
            self.adaptors_of(interface, &own, list);
        }
    }

    fn adaptors_of(&self, interface: InterfaceDef, own: &[String], list: &mut List<'_>) {
        let name = interface.0.name;
        let mut push = |shape: &str, detail: String, rank: u32| {
            let label = format!("{name}{shape}");
            if list.fits(name.as_str()).is_some() {
                list.push(CompletionItem {
                    insert: format!("{label}{}", list.angle),
                    label,
                    kind: CompletionKind::Adaptor,
                    detail: Some(detail),
                    snippet: false,
                    rank,
                    documented: false,
                });
            }
        };
        let Some((active, rest)) = own.split_last() else {
            return;
        };
        push("", format!("hides {active}"), 0);
        if let Some((next, _)) = rest.split_last() {
            push("(s a b -> s b)", format!("hides {next}, keeps {active}"), 1);
            push(
                "(s a b -> s b a)",
                format!("makes {next} active, {active} the next"),
                1,
            );
            push("(s a b -> s a)", format!("hides {active}"), 3);
        }
        push("(s a -> s a a)", format!("doubles {active}"), 4);
    }
}

fn parameters(params: &[(Symbol, ParamKind)]) -> Option<String> {
    let shown: Vec<String> = params
        .iter()
        .map(|(name, kind)| match kind {
            ParamKind::Value => name.to_string(),
            ParamKind::Effect => format!("[{name}]"),
        })
        .collect();
    (!shown.is_empty()).then(|| shown.join(" "))
}

/// The variables of one kind that an item has: its parameters, or what its signature mentions.
fn variables(item: &Item, kind: ParamKind) -> Vec<Symbol> {
    let mut found: Vec<Symbol> = Vec::new();
    let params: &[Param] = match &item.kind {
        ItemKind::Data { params, .. }
        | ItemKind::Interface { params, .. }
        | ItemKind::Alias { params, .. } => params,
        _ => &[],
    };
    found.extend(
        params
            .iter()
            .filter(|p| p.kind == kind)
            .map(|param| param.name.symbol),
    );
    let signature = matches!(item.kind, ItemKind::Signature { .. });
    tree::for_each(item, |node| match node {
        Node::Param(param) if param.kind == kind => found.push(param.name.symbol),
        // A single capital letter is a variable by everybody's habit.
        Node::Type(ty) if signature && kind == ParamKind::Value => {
            if let TypeKind::Name { name, args, .. } = &item.types[ty].kind
                && args.is_empty()
                && name.symbol.as_str().chars().count() <= 2
            {
                found.push(name.symbol);
            }
        }
        Node::Ability(ability) if signature && kind == ParamKind::Effect => {
            if let frank_syntax::ast::Tail::Named(name) = ability.tail {
                found.push(name.symbol);
            }
        }
        _ => {}
    });
    found.sort_by_key(|name| name.as_str());
    found.dedup();
    found
}
