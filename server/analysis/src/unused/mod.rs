//! What a program says and does not need: variables that nobody reads, operators that nobody
//! mentions, adaptors and handlers without effect, computations that are thrown away.
//!
//! These are warnings about the user's own text that is otherwise free of errors, and they are
//! meant to be few:
//! - A name that begins with `_` is never reported.
//! - A parameter is one thing through all the clauses of an operator: it is unused if no clause
//!   reads it. Where the clauses are a table, told apart by the shape of another argument, and for
//!   variables inside of patterns, that is a hint only: the name may stand there for the reader.
//! - An operator is a private helper only if it is in a root file that has a `main`, where no
//!   other program can see it; if it takes arguments, for what takes none can be run as an entry;
//!   and if its comment has no example, which would use it.

use std::collections::{BTreeSet, HashSet};

use frank_syntax::ast::{
    AdaptorExpr, Clause, Item, ItemKind, NodeId, PatternId, PatternKind, Symbol, TermId, TermKind,
};
use frank_syntax::outline::OutlineKind;

use crate::coverage::is_variable;
use crate::db::{Db, ItemSource, Origin, SourceFile, has_syntax_errors, item, parsed};
use crate::declarations::sound_signature;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position, Severity};
use crate::fixes;
use crate::groups;
use crate::infer::hypothesis::{Change, Hypothesis, Order};
use crate::infer::{Body, Inference, Resolved, ResolvedPattern};
use crate::infer::{infer_operator_if, infer_term_if};
use crate::performs::Performs;
use crate::program::{InterfaceDef, OperatorDef, TermDef, operator_items};
use crate::report::words::{article, listed, ordinal};
use crate::scopes::{Binder, LocalId, LocalSort};
use crate::show::{MESSAGE_BUDGET, MetaNames, Show, show_adaptor};
use crate::types::{Adaptor, Adjustment, TyKind};

/// What an operator's clauses, or a term on its own, do not need.
pub fn diagnostics(
    db: &dyn Db,
    scope: SourceFile,
    operator: Option<OperatorDef>,
    inference: &Inference,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    // In a program with errors, what is not used may be what is missing elsewhere.
    if scope.origin(db) != Origin::Workspace || !inference.is_sound() {
        return found;
    }
    if inference
        .bodies
        .iter()
        .any(|(source, _)| has_syntax_errors(db, *source))
    {
        return found;
    }
    let metas = MetaNames {
        elided: true,
        ..MetaNames::default()
    };
    let unused = Unused {
        db,
        scope,
        operator,
        inference,
        metas,
    };
    unused.parameters_of_operator(&mut found);
    for (source, body) in &inference.bodies {
        unused.body(*source, body, &mut found);
    }
    found
}

struct Unused<'a> {
    db: &'a dyn Db,
    scope: SourceFile,
    operator: Option<OperatorDef>,
    inference: &'a Inference,
    metas: MetaNames,
}

/// What a clause does with one of its ports.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// It reads the argument, or looks at its shape.
    Needed,
    /// It has a name for the argument and does not read it.
    Unread(LocalId),
    Ignored,
}

impl Unused<'_> {
    fn show(&self) -> Show<'_> {
        Show {
            table: &self.inference.table,
            values: &self.inference.rigid_values,
            effects: &self.inference.rigid_effects,
            budget: MESSAGE_BUDGET,
            metas: Some(&self.metas),
        }
    }

    fn parameters_of_operator(&self, found: &mut Vec<Diagnostic>) {
        let clauses: Vec<(ItemSource, &Item, &Body, &Clause)> = self
            .inference
            .bodies
            .iter()
            .filter_map(|(source, body)| {
                let item = item(self.db, *source);
                match &item.kind {
                    ItemKind::Clause { clause, .. } => Some((*source, &**item, body, clause)),
                    _ => None,
                }
            })
            .collect();
        let operator = self.operator.map(|operator| operator.0.name);
        self.parameters(&clauses, operator, found);
    }

    /// The parameters that no clause reads.
    fn parameters(
        &self,
        clauses: &[(ItemSource, &Item, &Body, &Clause)],
        operator: Option<Symbol>,
        found: &mut Vec<Diagnostic>,
    ) {
        let Some((_, _, _, first)) = clauses.first() else {
            return;
        };
        let is_table = clauses.iter().any(|(_, _, body, clause)| {
            clause
                .patterns
                .iter()
                .any(|pattern| !is_variable(body, *pattern))
        });
        for port in 0..first.patterns.len() {
            let roles: Vec<(ItemSource, &Body, Role)> = clauses
                .iter()
                .map(|(source, item, body, clause)| {
                    let pattern = clause.patterns.get(port);
                    let role = pattern.map_or(Role::Ignored, |pattern| role(item, body, *pattern));
                    (*source, *body, role)
                })
                .collect();
            if roles.iter().any(|(_, _, role)| *role == Role::Needed) {
                continue;
            }
            let unread = roles.iter().find_map(|(source, body, role)| match role {
                Role::Unread(local) => Some((*source, body.scopes.binder(*local)?)),
                _ => None,
            });
            let Some((source, local)) = unread else {
                continue;
            };
            if !is_needless(local) {
                continue;
            }
            let name = local.name.symbol;
            let at = Location::node(source, local.name.id);
            let whose = match operator {
                Some(operator) => format!(" of `{operator}`"),
                None => String::new(),
            };
            let message = if clauses.len() == 1 {
                format!("the parameter `{name}`{whose} is never used")
            } else {
                format!("the parameter `{name}`{whose} is used in none of its clauses")
            };
            let mut problem = Diagnostic::new(Code::UnusedVariable, at, message)
                .help("write `_` for an argument that is not needed")
                .fix(fixes::ignore(at, !is_table));
            if is_table {
                problem.severity = Severity::Hint;
            }
            found.push(problem);
        }
    }

    fn body(&self, source: ItemSource, body: &Body, found: &mut Vec<Diagnostic>) {
        let item = item(self.db, source);
        let parameters = parameters(item, body);
        for (index, local) in body.scopes.binders().iter().enumerate() {
            let is_parameter = parameters.contains(&LocalId(index as u32));
            if is_needless(local) && !is_parameter {
                found.push(unused_local(source, local));
            }
        }
        let mut performs = Performs::new(self.db, item, body);
        for (term, data) in item.terms.iter() {
            match &data.kind {
                TermKind::Thunk { clauses } => {
                    let all: Vec<_> = clauses
                        .iter()
                        .map(|clause| (source, &**item, body, clause))
                        .collect();
                    self.parameters(&all, None, found);
                }
                TermKind::Sequence { first, .. } => {
                    found.extend(self.thrown_away(source, item, body, *first));
                }
                TermKind::Adapted {
                    adaptors,
                    body: inner,
                } => {
                    let resolved = body.adaptors.get(term).map_or(&[][..], Vec::as_slice);
                    let idle = idle(resolved, |interface| performs.never(*inner, interface));
                    for index in idle {
                        let (Some(expr), Some(adaptor)) =
                            (adaptors.get(index), resolved.get(index))
                        else {
                            continue;
                        };
                        if self.can_go(source, term, index) {
                            let at = Location::node(source, expr.id);
                            let problem = idle_adaptor(at, adaptor);
                            let fix = self.without_adaptor(source, term, adaptors, index, *inner);
                            found.push(problem.fix(fix));
                        }
                    }
                }
                TermKind::Apply { head, args } => {
                    let Some(Resolved::Definition(TermDef::Operator(operator))) =
                        body.names.get(*head)
                    else {
                        continue;
                    };
                    for (port, arg) in args.iter().enumerate() {
                        let idle = self.idle_handler(*operator, port, |interface| {
                            performs.never(*arg, interface)
                        });
                        if let Some(interfaces) = idle {
                            let at = Location::node(source, item.terms[*head].id);
                            let arg = Location::node(source, item.terms[*arg].id);
                            found.push(idle_handler(at, arg, *operator, port, &interfaces));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// `f; …` where `f` is a suspended computation.
    fn thrown_away(
        &self,
        source: ItemSource,
        item: &Item,
        body: &Body,
        first: TermId,
    ) -> Option<Diagnostic> {
        let ty = *body.types.get(first)?;
        let TyKind::Computation(computation) = self.inference.table.kind(ty) else {
            return None;
        };
        let at = Location::node(source, item.terms[first].id);
        let problem = Diagnostic::new(
            Code::UnrunComputation,
            at,
            format!(
                "this is a suspended computation, {}, which is thrown away before it runs",
                article(&self.show().ty(ty))
            ),
        );
        if !computation.ports.is_empty() {
            return Some(problem.help("give it its arguments, or leave it out"));
        }
        let edit = Edit {
            location: at,
            position: Position::After,
            text: "!".to_owned(),
        };
        let fix = Fix {
            title: "run it with `!`".to_owned(),
            edits: vec![edit],
            certain: false,
        };
        let problem = problem.help("write `!` after it to run it");
        let is_name = matches!(item.terms[first].kind, TermKind::Name(_));
        Some(if is_name { problem.fix(fix) } else { problem })
    }

    /// Whether everything is well without an adaptor that seems to do nothing.
    fn can_go(&self, source: ItemSource, term: TermId, index: usize) -> bool {
        let change = Change::Unadapt(index);
        let hypothesis = Some(Hypothesis {
            source,
            term,
            change,
        });
        let without = match self.operator {
            Some(operator) => infer_operator_if(self.db, operator, Order::default(), hypothesis),
            None => Some(infer_term_if(
                self.db,
                self.scope,
                source,
                Order::default(),
                hypothesis,
            )),
        };
        without.is_some_and(|without| without.is_sound())
    }

    /// The edit that takes an adaptor out of a use.
    fn without_adaptor(
        &self,
        source: ItemSource,
        term: TermId,
        adaptors: &[AdaptorExpr],
        index: usize,
        body: TermId,
    ) -> Fix {
        let item = item(self.db, source);
        let text = source.text(self.db);
        let map = &parsed(self.db, source).source_map;
        let of = |node: NodeId| {
            let range = map.range(node);
            text.get(range.start().into()..range.end().into())
                .unwrap_or_default()
        };
        let others: Vec<&str> = adaptors
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != index)
            .map(|(_, adaptor)| of(adaptor.id))
            .collect();
        let at = item.terms[term].id;
        let new = if others.is_empty() {
            of(item.terms[body].id).to_owned()
        } else {
            // What follows the adaptors stays as it is, parentheses included.
            let after = map.range(adaptors.last().map_or(at, |last| last.id)).end();
            let rest = text
                .get(after.into()..map.range(at).end().into())
                .unwrap_or_default();
            format!("<{}{rest}", others.join(", "))
        };
        let title = "leave the adaptor out".to_owned();
        fixes::replace(Location::node(source, at), &new, title)
    }

    /// The interfaces that a port adds, if none of them is ever used by the argument.
    fn idle_handler(
        &self,
        operator: OperatorDef,
        port: usize,
        mut never: impl FnMut(InterfaceDef) -> bool,
    ) -> Option<Vec<InterfaceDef>> {
        // A handler that calls itself may well have come to the end.
        if Some(operator) == self.operator {
            return None;
        }
        let declared = sound_signature(self.db, operator.0.scope, operator.0.name).as_ref()?;
        let port = declared.computation.ports.get(port)?;
        let mut interfaces: Vec<InterfaceDef> = Vec::new();
        for adjustment in port.adjustments.iter() {
            if let Adjustment::Instance(instance) = adjustment
                && !interfaces.contains(&instance.interface)
            {
                interfaces.push(instance.interface);
            }
        }
        let idle = !interfaces.is_empty() && interfaces.iter().all(|interface| never(*interface));
        idle.then_some(interfaces)
    }
}

/// What is said of a local that nothing reads.
fn unused_local(source: ItemSource, local: &Binder) -> Diagnostic {
    let (name, sort) = (local.name.symbol, local.sort);
    let at = Location::node(source, local.name.id);
    let (message, help, severity) = match sort {
        LocalSort::Let => (
            format!("the variable `{name}` is never used"),
            "if only what it does matters, write `…; …` instead of the `let`",
            Severity::Warning,
        ),
        LocalSort::Continuation => (
            format!("the continuation `{name}` is never resumed: the computation ends here"),
            "if that is meant, write `_`",
            Severity::Warning,
        ),
        LocalSort::CatchAll => (
            format!("the computation `{name}` is never run: what it would do is left out"),
            "if that is meant, write `<_>`",
            Severity::Warning,
        ),
        LocalSort::Pattern => (
            format!("the variable `{name}` is never used"),
            "write `_` for a part that is not needed",
            Severity::Hint,
        ),
    };
    let mut problem = Diagnostic::new(Code::UnusedVariable, at, message)
        .help(help)
        // What is never resumed may as well have been forgotten.
        .fix(fixes::ignore(at, matches!(sort, LocalSort::Let)));
    problem.severity = severity;
    problem
}

/// Whether nothing reads a local, and it is to be reported for that: one that is named like a
/// constructor or a command cannot be read, and is reported as such.
fn is_needless(local: &Binder) -> bool {
    !local.is_used && !local.is_shadowed && !is_private(local.name.symbol)
}

/// Whether a name asks not to be reported.
fn is_private(name: Symbol) -> bool {
    name.as_str().starts_with('_')
}

fn role(item: &Item, body: &Body, pattern: PatternId) -> Role {
    match (&item.patterns[pattern].kind, body.patterns.get(pattern)) {
        (PatternKind::Name(_), Some(ResolvedPattern::Binds(local))) => {
            let binder = body.scopes.binder(*local);
            if binder.is_none_or(|binder| binder.is_used) {
                Role::Needed
            } else {
                Role::Unread(*local)
            }
        }
        (PatternKind::Name(_), Some(ResolvedPattern::Wildcard)) => Role::Ignored,
        _ => Role::Needed,
    }
}

/// The variables that are the whole pattern of a port, in the item's clause and in its thunks.
fn parameters(item: &Item, body: &Body) -> HashSet<LocalId> {
    let mut parameters = HashSet::new();
    for pattern in item.clauses().flat_map(|clause| &clause.patterns) {
        if let (PatternKind::Name(_), Some(ResolvedPattern::Binds(local))) =
            (&item.patterns[*pattern].kind, body.patterns.get(*pattern))
        {
            parameters.insert(*local);
        }
    }
    parameters
}

/// The adaptors of one use that do nothing, by their positions.
fn idle(adaptors: &[Adaptor], mut never: impl FnMut(InterfaceDef) -> bool) -> Vec<usize> {
    let mut idle = Vec::new();
    for (index, adaptor) in adaptors.iter().enumerate() {
        let identity = !adaptor.drops_all
            && adaptor.kept.len() == adaptor.taken as usize
            && adaptor
                .kept
                .iter()
                .enumerate()
                .all(|(i, kept)| *kept == i as u32);
        if identity || never(adaptor.interface) {
            idle.push(index);
        }
    }
    idle
}

fn idle_adaptor(at: Location, adaptor: &Adaptor) -> Diagnostic {
    let name = adaptor.interface.0.name;
    let identity = adaptor.kept.len() == adaptor.taken as usize && !adaptor.kept.is_empty();
    let why = if identity {
        format!("it leaves the instances of `{name}` as they are")
    } else {
        format!("what runs under it performs no command of `{name}`")
    };
    Diagnostic::new(
        Code::IdleAdaptor,
        at,
        format!(
            "the adaptor `{}` changes nothing: {why}",
            show_adaptor(adaptor)
        ),
    )
    .help("leave it out")
}

fn idle_handler(
    at: Location,
    arg: Location,
    operator: OperatorDef,
    port: usize,
    interfaces: &[InterfaceDef],
) -> Diagnostic {
    let names: Vec<String> = interfaces
        .iter()
        .map(|interface| format!("`{}`", interface.0.name))
        .collect();
    let names = listed(&names, 3);
    Diagnostic::new(
        Code::IdleHandler,
        at,
        format!(
            "`{}` handles {names}, but its {} argument never performs a command of it",
            operator.0.name,
            ordinal(port)
        ),
    )
    .related(arg, format!("this performs no command of {names}"))
    .help("leave the handler out, or perform in its argument what it is to handle")
}

/// The private helpers in a root file that nothing mentions.
#[salsa::tracked]
pub fn unused_operators(db: &dyn Db, root: SourceFile) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let main = Symbol::new("main");
    if root.origin(db) != Origin::Workspace
        || operator_items(db, root, main).clauses.is_empty()
        || (0..groups::count(db, root)).any(|group| groups::facts(db, root, group).broken)
    {
        return found;
    }
    let mentions = groups::all_facts(db, root).flat_map(|facts| &facts.mentions);
    let used: HashSet<Symbol> = mentions
        .filter(|(user, name)| user != name)
        .map(|(_, name)| *name)
        .collect();
    let mut seen: BTreeSet<Symbol> = BTreeSet::new();
    for entry in root.outline(db) {
        let (OutlineKind::Signature, Some(name)) = (entry.kind, entry.name) else {
            continue;
        };
        if name == main || is_private(name) || !seen.insert(name) {
            continue;
        }
        if used.contains(&name) {
            continue;
        }
        let takes_none = sound_signature(db, root, name)
            .as_ref()
            .is_none_or(|signature| signature.computation.ports.is_empty());
        let items = operator_items(db, root, name);
        let has_example = items
            .signatures
            .iter()
            .chain(&items.clauses)
            .any(|source| source.text(db).lines().any(|line| line.starts_with("-- >")));
        let own = items.clauses.iter().all(|source| source.file(db) == root);
        if takes_none || has_example || !own || items.clauses.is_empty() {
            continue;
        }
        if let ItemKind::Signature { name: written, .. } = &item(db, entry.item).kind {
            found.push(
                Diagnostic::new(
                    Code::UnusedOperator,
                    Location::node(entry.item, written.id),
                    format!("the operator `{name}` is never used"),
                )
                .help(
                    "no other file includes this one, so nothing else can use it: leave it out, or \
                     let its name begin with `_`",
                ),
            );
        }
    }
    found
}
