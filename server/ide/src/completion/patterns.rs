//! Patterns: constructors of the expected type, commands that the port adds.

use std::collections::HashSet;

use frank_analysis::db::SourceFile;
use frank_analysis::declarations::{data_type, interface};
use frank_analysis::infer::ResolvedPattern;
use frank_analysis::program::{CommandDef, ConstructorDef, DataDef};
use frank_analysis::types::{Arg, Command, Interface, Port, Ty, TyKind};
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{ItemKind, PatternId, TermKind};

use super::stops::Stops;
use super::{CompletionItem, CompletionKind, List};
use crate::Analysis;
use crate::draft::{Cursor, Draft};
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
            let stops = Stops::new(self.db(), draft.scope);
            list.items.extend(self.constructor_pattern(
                constructor,
                stops,
                parentheses,
                fits + distance,
            ));
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
        mut stops: Stops<'_>,
        parentheses: bool,
        rank: u32,
    ) -> Option<CompletionItem> {
        let db = self.db();
        let name = constructor.name;
        let written = self.constructor_snippet(constructor, &mut stops)?;
        let inner = written.strip_prefix('(').and_then(|s| s.strip_suffix(')'));
        let insert = match (inner, parentheses) {
            (Some(inner), false) => inner.to_owned(),
            _ => written.clone(),
        };
        Some(CompletionItem {
            label: name.to_string(),
            kind: CompletionKind::Symbol(SymbolKind::Constructor),
            detail: Some(crate::text::constructor(db, constructor)),
            insert,
            snippet: inner.is_some(),
            rank,
            documented: true,
        })
    }

    /// A constructor as a pattern, `(box ${1:x} ${2:y})`.
    pub(super) fn constructor_snippet(
        &self,
        constructor: ConstructorDef,
        stops: &mut Stops<'_>,
    ) -> Option<String> {
        let owner = constructor.data.0;
        let declared = data_type(self.db(), owner.scope, owner.name).as_ref()?;
        let fields = &declared
            .constructors
            .get(constructor.index as usize)?
            .fields;
        let kinds = fields.iter().map(|field| declared.types.kind(*field));
        let params: Vec<_> = declared.params.values().collect();
        Some(match fields.is_empty() {
            true => constructor.name.to_string(),
            false => format!("({}{})", constructor.name, stops.variables(kinds, &params)),
        })
    }

    /// The clauses for the constructors of a data type, as snippets of one clause in braces each.
    pub(super) fn constructor_clauses(&self, scope: SourceFile, data: DataDef) -> Vec<String> {
        let mut stops = Stops::new(self.db(), scope);
        let patterns = self.constructors_of(data).into_iter().map(|constructor| {
            stops.next_clause();
            let pattern = self.constructor_snippet(constructor, &mut stops)?;
            Some(format!("{pattern} -> {}", stops.gap()))
        });
        patterns.flatten().collect()
    }

    /// The constructors of a data type.
    pub(super) fn constructors_of(&self, data: DataDef) -> Vec<ConstructorDef> {
        let declared = data_type(self.db(), data.0.scope, data.0.name).as_ref();
        let constructors = declared.map_or(&[][..], |data| &data.constructors);
        let numbered = (0..).zip(constructors);
        numbered
            .map(|(index, constructor)| ConstructorDef {
                data,
                index,
                name: constructor.name,
            })
            .collect()
    }

    /// The clauses in braces for the commands that a port adds, but for those that are taken, and for
    /// its values, as snippets of one clause each.
    pub(super) fn clauses_in_braces(
        &self,
        draft: &Draft,
        port: &Port,
        taken: &HashSet<(CommandDef, u32)>,
        values: bool,
    ) -> Vec<String> {
        let Some(inference) = draft.inference() else {
            return Vec::new();
        };
        let kind = |ty| inference.table.kind(ty);
        let mut stops = Stops::new(self.db(), draft.scope);
        let mut clauses = Vec::new();
        for added in self.added_commands(port) {
            if !taken.contains(&(added.def, added.index)) {
                stops.next_clause();
                let pattern = added.pattern(kind, &mut stops);
                clauses.push(format!("<{pattern}> -> {}", stops.gap()));
            }
        }
        if values {
            stops.next_clause();
            let value = stops.variable(kind(port.ty), &inference.rigid_values);
            clauses.push(format!("{value} -> {}", stops.gap()));
        }
        clauses
    }

    /// The commands that the port of a pattern adds, those that no other clause takes first. What
    /// is `complete` has its arrow already.
    pub(super) fn command_patterns(
        &self,
        draft: &Draft,
        cursor: &Cursor,
        pattern: PatternId,
        complete: bool,
        list: &mut List<'_>,
    ) {
        let Some(port) = self.port_of_pattern(draft, pattern) else {
            self.all_commands(draft, list);
            return;
        };
        let taken = self.taken_commands(draft, pattern);
        self.commands_of_port(draft, &port, &taken, complete, list);
        if !complete {
            self.rest_of_clauses(draft, cursor, pattern, &taken, list)
                .or_else(|| self.rest_in_braces(draft, &port, &taken, list));
        }
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

    /// The commands that a port adds, those that are not taken first.
    pub(super) fn commands_of_port(
        &self,
        draft: &Draft,
        port: &Port,
        taken: &HashSet<(CommandDef, u32)>,
        complete: bool,
        list: &mut List<'_>,
    ) {
        let Some(inference) = draft.inference() else {
            return;
        };
        let written = draft.names_in_clause();
        for added in self.added_commands(port) {
            let is_taken = taken.contains(&(added.def, added.index));
            let rank = if is_taken { 6 } else { 0 };
            let mut stops = Stops::new(self.db(), draft.scope);
            for name in &written {
                stops.take(name.as_str());
            }
            let pattern = added.pattern(|ty| inference.table.kind(ty), &mut stops);
            list.push_command(self, &added, (!complete).then_some(pattern), rank);
        }
    }

    /// The commands that a port adds, with the numbers of their instances.
    pub(super) fn added_commands<'s>(&'s self, port: &'s Port) -> Vec<AddedCommand<'s>> {
        let mut found = Vec::new();
        for (instance, index) in port.numbered() {
            let definition = instance.interface.0;
            let Some(declared) = interface(self.db(), definition.scope, definition.name) else {
                continue;
            };
            for (number, command) in (0..).zip(&declared.commands) {
                let def = CommandDef {
                    interface: instance.interface,
                    index: number,
                    name: command.name,
                };
                found.push(AddedCommand {
                    def,
                    index,
                    declared,
                    command,
                    args: &instance.args,
                });
            }
        }
        found
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
            let Some(declared) = interface(self.db(), definition.scope, definition.name) else {
                continue;
            };
            let Some(shape) = declared.commands.get(command.index as usize) else {
                continue;
            };
            let added = AddedCommand {
                def: command,
                index: 0,
                declared,
                command: shape,
                args: &[],
            };
            let mut stops = Stops::new(self.db(), draft.scope);
            let pattern = added.pattern(|ty| declared.types.kind(ty), &mut stops);
            list.push_command(self, &added, Some(pattern), 4 + distance);
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

/// A command that a port adds.
pub(super) struct AddedCommand<'a> {
    pub def: CommandDef,
    /// Which of the interface's instances that the port adds, from the right.
    pub index: u32,
    declared: &'a Interface,
    command: &'a Command,
    /// The arguments of the instance, as far as they are known.
    args: &'a [Arg],
}

impl<'a> AddedCommand<'a> {
    /// The command as a pattern names it: `get`, `get.1`.
    pub fn head(&self) -> String {
        match self.index {
            0 => self.def.name.to_string(),
            index => format!("{}.{index}", self.def.name),
        }
    }

    /// `put ${1:s} -> ${2:k}`. `kind` looks at the types that the instance has.
    pub fn pattern<'k>(&self, kind: impl Fn(Ty) -> &'k TyKind, stops: &mut Stops<'_>) -> String
    where
        'a: 'k,
    {
        let (interface, args): (&'a Interface, &'a [Arg]) = (self.declared, self.args);
        let own = |arg: &Ty| {
            let declared = interface.types.kind(*arg);
            let TyKind::Variable(parameter) = declared else {
                return declared;
            };
            let mut values = args.iter().filter_map(|arg| match arg {
                Arg::Type(ty) => Some(kind(*ty)),
                Arg::Ability(_) => None,
            });
            match values.nth(*parameter as usize) {
                None | Some(TyKind::Variable(_) | TyKind::Meta(_) | TyKind::Error) => declared,
                Some(known) => known,
            }
        };
        let params: Vec<_> = self.declared.params.values().collect();
        let args = stops.variables(self.command.args.iter().map(own), &params);
        format!("{}{args} -> {}", self.head(), stops.continuation())
    }
}

impl List<'_> {
    /// A command with its pattern, or its name alone where the rest is there.
    fn push_command(
        &mut self,
        analysis: &Analysis,
        added: &AddedCommand<'_>,
        pattern: Option<String>,
        rank: u32,
    ) {
        if self.fits(added.def.name.as_str()).is_none() {
            return;
        }
        let snippet = pattern.is_some();
        let insert = pattern.map(|pattern| format!("{pattern}{}", self.angle));
        self.push(CompletionItem {
            label: added.head(),
            kind: CompletionKind::Pattern,
            detail: Some(crate::text::command(analysis.db(), added.def)),
            snippet,
            insert: insert.unwrap_or_else(|| added.head()),
            rank,
            documented: false,
        });
    }
}
