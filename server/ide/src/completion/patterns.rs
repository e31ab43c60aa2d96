//! Patterns: constructors of the expected type, commands that the port adds.

use std::collections::HashSet;

use frank_analysis::declarations::{constructor_arity, data_type, interface};
use frank_analysis::infer::ResolvedPattern;
use frank_analysis::program::{CommandDef, ConstructorDef, DataDef};
use frank_analysis::types::{Instance, Port, TyKind};
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{ItemKind, PatternId, TermKind};

use super::{CompletionItem, CompletionKind, List};
use crate::Analysis;
use crate::draft::Draft;
use crate::names::Def;
use crate::target::SymbolKind;
use crate::view::innermost_clause;

impl Analysis {
    /// Constructors, those of the expected type first. `parentheses` puts what has arguments into
    /// parentheses.
    pub(super) fn value_patterns(
        &self,
        draft: &Draft,
        pattern: PatternId,
        parentheses: bool,
        list: &mut List<'_>,
    ) {
        let expected = draft
            .body()
            .and_then(|body| body.pattern_types.get(pattern));
        let data = expected.and_then(|ty| match draft.inference()?.table.kind(*ty) {
            TyKind::Data(data, _) => Some(*data),
            _ => None,
        });
        let mut found = Vec::new();
        self.term_names(draft.scope, |name, def, distance| {
            if let Def::Constructor(constructor) = def
                && list.fits(name.as_str()).is_some()
            {
                found.push((constructor, distance));
            }
        });
        for (constructor, distance) in found {
            let fits = match data {
                Some(data) if data == constructor.data => 0,
                Some(_) => 8,
                None => 4,
            };
            let Some(item) = self.constructor_pattern(constructor, parentheses, fits + distance)
            else {
                continue;
            };
            list.push(item);
        }
        // In braces a clause may have no patterns at all, so a term can stand here, too.
        let alone = innermost_clause(&draft.path())
            .is_some_and(|(clause, thunk)| thunk.is_some() && clause.patterns.len() <= 1);
        if alone {
            for local in draft.locals() {
                let kind = CompletionKind::Symbol(SymbolKind::Local);
                let name = local.name.symbol;
                let detail = draft.local_type(local.name.id).map(|ty| draft.ty_text(ty));
                if !crate::draft::is_placeholder(name) {
                    list.name(name.as_str(), kind, detail, 5);
                }
            }
        }
    }

    fn constructor_pattern(
        &self,
        constructor: ConstructorDef,
        parentheses: bool,
        rank: u32,
    ) -> Option<CompletionItem> {
        let db = self.db();
        let fields = constructor_arity(db, constructor)?;
        let name = constructor.name;
        let variables = snippet_names(fields, 1);
        let insert = match (fields, parentheses) {
            (0, _) => name.to_string(),
            (_, true) => format!("({name}{variables})"),
            (_, false) => format!("{name}{variables}"),
        };
        Some(CompletionItem {
            label: name.to_string(),
            kind: CompletionKind::Symbol(SymbolKind::Constructor),
            detail: Some(crate::text::constructor(db, constructor)),
            insert,
            snippet: fields > 0,
            rank,
            documented: true,
        })
    }

    /// The clauses for the constructors of a data type, as snippets of one clause in braces each.
    pub(super) fn constructor_clauses(&self, data: DataDef) -> Vec<String> {
        let declared = data_type(self.db(), data.0.scope, data.0.name).as_ref();
        let constructors = declared.map_or(&[][..], |data| &data.constructors);
        let mut stop = 1;
        constructors
            .iter()
            .map(|constructor| {
                let fields = constructor.fields.len();
                let names = snippet_names(fields, stop);
                stop += fields + 1;
                let name = constructor.name;
                let pattern = match fields {
                    0 => name.to_string(),
                    _ => format!("({name}{names})"),
                };
                format!("{pattern} -> ${}", stop - 1)
            })
            .collect()
    }

    /// The commands that the port of a pattern adds, those that no other clause takes first. What
    /// is `complete` has its arrow already.
    pub(super) fn command_patterns(
        &self,
        draft: &Draft,
        pattern: PatternId,
        complete: bool,
        list: &mut List<'_>,
    ) {
        let Some(port) = self.port_of_pattern(draft, pattern) else {
            self.all_commands(draft, list);
            return;
        };
        let taken = self.taken_commands(draft, pattern);
        self.commands_of_port(&port, &taken, complete, list);
        if !complete && list.fits("m").is_some() {
            list.push(CompletionItem {
                label: "m".to_owned(),
                kind: CompletionKind::Pattern,
                detail: Some("whatever the argument does".to_owned()),
                insert: "m".to_owned(),
                snippet: false,
                rank: 7,
                documented: false,
            });
        }
    }

    /// The commands that a port adds.
    pub(super) fn commands_of_port(
        &self,
        port: &Port,
        taken: &HashSet<(CommandDef, u32)>,
        complete: bool,
        list: &mut List<'_>,
    ) {
        let added: Vec<&Instance> = port.added().collect();
        for (place, instance) in added.iter().enumerate() {
            let to_the_right = added.iter().skip(place + 1);
            let index = to_the_right
                .filter(|other| other.interface == instance.interface)
                .count() as u32;
            let definition = instance.interface.0;
            let Some(declared) = interface(self.db(), definition.scope, definition.name) else {
                continue;
            };
            for (i, command) in declared.commands.iter().enumerate() {
                let def = CommandDef {
                    interface: instance.interface,
                    index: i as u32,
                    name: command.name,
                };
                let rank = if taken.contains(&(def, index)) { 6 } else { 0 };
                list.push_command(self, def, index, command.args.len(), complete, rank);
            }
        }
    }

    /// Every command of the program, where the port is not known.
    pub(super) fn all_commands(&self, draft: &Draft, list: &mut List<'_>) {
        let mut found = Vec::new();
        self.term_names(draft.scope, |name, def, distance| {
            if let Def::Command(command) = def
                && list.fits(name.as_str()).is_some()
            {
                found.push((command, distance));
            }
        });
        for (command, distance) in found {
            let definition = command.interface.0;
            let declared = interface(self.db(), definition.scope, definition.name).as_ref();
            let args = declared
                .and_then(|declared| declared.commands.get(command.index as usize))
                .map_or(0, |command| command.args.len());
            list.push_command(self, command, 0, args, false, 4 + distance);
        }
    }

    /// The port that a pattern stands for.
    fn port_of_pattern(&self, draft: &Draft, pattern: PatternId) -> Option<Port> {
        let (clause, thunk) = innermost_clause(&draft.path())?;
        let position = clause.patterns.iter().position(|other| *other == pattern)?;
        let computation = match thunk {
            Some(thunk) => draft.computation(*draft.body()?.thunks.get(thunk)?)?,
            None => draft.inference()?.computation.as_ref()?,
        };
        computation.ports.get(position).cloned()
    }

    /// The first port of a clause in braces whose patterns are not written yet, if the cursor is
    /// where they could begin.
    pub(super) fn port_of_clause(&self, draft: &Draft, path: &[Node<'_>]) -> Option<Port> {
        let position = path
            .iter()
            .rposition(|node| matches!(node, Node::Clause(_)))?;
        let (Some(Node::Clause(clause)), Some(Node::Term(body))) =
            (path.get(position), path.get(position + 1))
        else {
            return None;
        };
        let adapted = matches!(draft.item().terms[*body].kind, TermKind::Adapted { .. });
        let begins = matches!(path.get(position + 2), Some(Node::Adaptor(_)));
        let Some(Node::Term(thunk)) = path.get(position.checked_sub(1)?) else {
            return None;
        };
        if !clause.patterns.is_empty() || !adapted || !begins {
            return None;
        }
        draft
            .computation(*draft.body()?.thunks.get(*thunk)?)?
            .ports
            .first()
            .cloned()
    }

    /// The commands that the clauses beside a pattern take, with their instances.
    fn taken_commands(&self, draft: &Draft, pattern: PatternId) -> HashSet<(CommandDef, u32)> {
        let db = self.db();
        let mut taken = HashSet::new();
        let Some((_, thunk)) = innermost_clause(&draft.path()) else {
            return taken;
        };
        let item = draft.item();
        if let Some(thunk) = thunk {
            let TermKind::Thunk { clauses } = &item.terms[thunk].kind else {
                return taken;
            };
            let patterns = clauses.iter().flat_map(|clause| &clause.patterns);
            for other in patterns.filter(|other| **other != pattern) {
                if let Some(ResolvedPattern::Command { command, .. }) =
                    draft.body().and_then(|body| body.patterns.get(*other))
                {
                    taken.insert((*command, index_of(item, *other)));
                }
            }
            return taken;
        }
        let ItemKind::Clause { name, .. } = &item.kind else {
            return taken;
        };
        let items = frank_analysis::program::operator_items(db, draft.scope, name.symbol);
        for source in items
            .clauses
            .iter()
            .filter(|source| **source != draft.source)
        {
            let other = frank_analysis::db::item(db, *source);
            for (id, pattern) in other.patterns.iter() {
                if let frank_syntax::ast::PatternKind::Command { name, .. } = &pattern.kind
                    && let Some(frank_analysis::program::TermDef::Command(command)) =
                        frank_analysis::program::resolve_term(db, draft.scope, name.symbol)
                {
                    taken.insert((command, index_of(other, id)));
                }
            }
        }
        taken
    }
}

fn index_of(item: &frank_syntax::ast::Item, pattern: PatternId) -> u32 {
    match &item.patterns[pattern].kind {
        frank_syntax::ast::PatternKind::Command { index, .. } => *index,
        _ => 0,
    }
}

/// ` ${1:x} ${2:y}`, from the tab stop `first` on.
pub(super) fn snippet_names(count: usize, first: usize) -> String {
    let name = |i: usize| match count {
        1 => "x".to_owned(),
        _ => ["x", "y", "z"]
            .get(i)
            .map_or_else(|| format!("x{i}"), |name| (*name).to_owned()),
    };
    (0..count)
        .map(|i| format!(" ${{{}:{}}}", first + i, name(i)))
        .collect()
}

impl List<'_> {
    fn push_command(
        &mut self,
        analysis: &Analysis,
        command: CommandDef,
        index: u32,
        args: usize,
        complete: bool,
        rank: u32,
    ) {
        let name = command.name;
        if self.fits(name.as_str()).is_none() {
            return;
        }
        let head = match index {
            0 => name.to_string(),
            n => format!("{name}.{n}"),
        };
        let insert = match complete {
            true => head.clone(),
            false => {
                let (names, k) = (snippet_names(args, 1), args + 1);
                format!("{head}{names} -> ${{{k}:k}}{}", self.angle)
            }
        };
        self.push(CompletionItem {
            label: head,
            kind: CompletionKind::Pattern,
            detail: Some(crate::text::command(analysis.db(), command)),
            snippet: !complete,
            insert,
            rank,
            documented: false,
        });
    }
}
