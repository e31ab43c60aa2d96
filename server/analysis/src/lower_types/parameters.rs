//! Parameters that a declaration uses and its head lacks: `data Tree = leaf | node (Tree K) K (Tree K)`.

use std::collections::HashSet;

use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{Item, ItemKind, Name, Param, ParamKind, Symbol, TypeKind};
use frank_syntax::stack::ensure_sufficient_stack;

use super::{Lowering, primitive, show_param};
use crate::db::{Db, SourceFile, has_syntax_errors, item};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::program::{AliasDef, InterfaceDef, RowDef, resolve_data, resolve_row};
use crate::report::words::listed;
use crate::types::{Ty, TyKind, Types};

/// So many of them are named in a message.
const MOST_NAMED: usize = 6;

/// What a declaration is called, its parameters, and what it begins with.
fn head(item: &Item) -> Option<(Name, &[Param], &'static str)> {
    match &item.kind {
        ItemKind::Data { name, params, .. } => Some((*name, params, "data")),
        ItemKind::Interface { name, params, .. } | ItemKind::Alias { name, params, .. } => {
            Some((*name, params, "interface"))
        }
        _ => None,
    }
}

/// The letters in a declaration that name no type and no parameter, each where it stands first.
fn left_out(db: &dyn Db, scope: SourceFile, item: &Item) -> Vec<Name> {
    let Some((_, params, _)) = head(item) else {
        return Vec::new();
    };
    let of_commands = match &item.kind {
        ItemKind::Interface { commands, .. } => &commands[..],
        _ => &[],
    };
    let of_commands = of_commands.iter().flat_map(|command| &command.params);
    let known: Vec<Symbol> = params
        .iter()
        .chain(of_commands)
        .map(|one| one.name.symbol)
        .collect();
    let mut types = Types::default();
    let is_letter = |symbol: Symbol| {
        let mut letters = symbol.as_str().chars();
        letters.next().is_some_and(char::is_uppercase) && letters.all(|one| one.is_ascii_digit())
    };
    // What has arguments is meant to be a type.
    let mut types_meant: HashSet<Symbol> = HashSet::new();
    for (_, ty) in item.types.iter() {
        if let TypeKind::Name { name, args, .. } = &ty.kind
            && !args.is_empty()
        {
            types_meant.insert(name.symbol);
        }
    }
    let mut found: Vec<Name> = Vec::new();
    for (_, ty) in item.types.iter() {
        if let TypeKind::Name { name, args, .. } = &ty.kind
            && args.is_empty()
            && is_letter(name.symbol)
            && !types_meant.contains(&name.symbol)
            && !known.contains(&name.symbol)
            && resolve_data(db, scope, name.symbol).is_none()
            && resolve_row(db, scope, name.symbol).is_none()
            && primitive(db, name.symbol, &mut types).is_none()
        {
            found.push(*name);
        }
    }
    found.sort_by_key(|name| name.id.0);
    let mut seen = Vec::new();
    found.retain(|name| {
        let is_new = !seen.contains(&name.symbol);
        seen.push(name.symbol);
        is_new
    });
    found
}

/// Whether an interface has more arguments than that somewhere in its file.
fn is_given_more(db: &dyn Db, scope: SourceFile, name: Symbol, count: usize) -> bool {
    let mut items = scope.outline(db).iter().map(|entry| item(db, entry.item));
    items.any(|item| has_more(item, Node::Item, name, count))
}

fn has_more(item: &Item, node: Node<'_>, name: Symbol, count: usize) -> bool {
    match node {
        Node::Instance(instance)
            if instance.interface.symbol == name && instance.args.len() > count =>
        {
            return true;
        }
        // These have no types.
        Node::Clause(_) | Node::Term(_) | Node::Pattern(_) => return false,
        _ => {}
    }
    let mut found = false;
    ensure_sufficient_stack(|| {
        node.children(item, &mut |child| {
            found = found || has_more(item, child, name, count);
        });
    });
    found
}

impl Lowering<'_> {
    /// Whether the head of what a type or an instance names lacks parameters, or cannot be read: then nobody
    /// knows how many arguments it takes.
    pub(super) fn lacks_parameters(&self, name: Symbol) -> bool {
        let data = resolve_data(self.db, self.scope, name).map(|data| (data.item(self.db), data.0));
        let row = || match resolve_row(self.db, self.scope, name)? {
            RowDef::Interface(interface) => Some((interface.item(self.db), interface.0)),
            RowDef::Alias(AliasDef(one)) => Some((InterfaceDef(one).item(self.db), one)),
        };
        let Some((Some(source), definition)) = data.or_else(row) else {
            return false;
        };
        let declared = item(self.db, source);
        has_syntax_errors(self.db, source)
            || !left_out(self.db, definition.scope, declared).is_empty()
    }

    /// Tells, once for a declaration, of the parameters that its head lacks, if `name` is one of them.
    pub(super) fn left_out_parameter(&mut self, item: &Item, name: Name) -> Option<Ty> {
        let all = left_out(self.db, self.scope, item);
        if self.open || !all.iter().any(|one| one.symbol == name.symbol) {
            return None;
        }
        let (declared, params, word) = head(item)?;
        // A letter of a command alone is a parameter of that, if those who name the interface say so.
        if self.command_around(item, name).is_some()
            && !is_given_more(self.db, self.scope, declared.symbol, params.len())
        {
            return None;
        }
        if all.first().is_some_and(|first| first.id == name.id) {
            let names: Vec<String> = all.iter().map(|one| format!("`{}`", one.symbol)).collect();
            let is = if all.len() == 1 { "is" } else { "are" };
            let message = format!(
                "{} {is} not among the parameters of `{}`",
                listed(&names, MOST_NAMED),
                declared.symbol
            );
            let added: String = all.iter().map(|one| format!(" {}", one.symbol)).collect();
            // Those that stand for abilities come last.
            let values = params
                .iter()
                .take_while(|param| param.kind == ParamKind::Value);
            let (before, behind) = params.split_at(values.count());
            let last = before.last().map_or(declared.id, |param| param.name.id);
            let written = format!(
                "{word} {}{}{added}{}",
                declared.symbol,
                as_written(before),
                as_written(behind)
            );
            let problem = Diagnostic::new(
                Code::UnknownType,
                Location::node(self.source, name.id),
                message,
            )
            .help(format!("write `{written} = …`"))
            .fix(Fix {
                title: format!("write `{written}`"),
                edits: vec![Edit {
                    location: Location::node(self.source, last),
                    position: Position::After,
                    text: added,
                }],
                safe: false,
            });
            self.problems.push(problem);
        }
        Some(self.types.ty(TyKind::Error))
    }
}

/// Parameters as they are written behind a name.
fn as_written(params: &[Param]) -> String {
    let param = |param: &Param| format!(" {}", show_param(&(param.name.symbol, param.kind)));
    params.iter().map(param).collect()
}
