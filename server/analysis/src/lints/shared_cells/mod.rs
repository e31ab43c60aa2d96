//! Gradients in cells that a handler runs through more than once. Cells are made and read once
//! and for all, so each run finds in them what the others have left there.

mod reach;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use frank_syntax::ast::{Clause, Item, ItemKind, PatternId, Symbol, TermId, TermKind};
use frank_syntax::outline::OutlineKind;
use frank_syntax::stack::ensure_sufficient_stack;

use crate::aside::Aside;
use crate::builtin;
use crate::db::{Db, Group, ItemSource, Origin, SourceFile, has_syntax_errors, item};
use crate::derivatives::roles::{Role, Takes, Use, role_of};
use crate::derivatives::{included, library};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::groups;
use crate::infer::{Body, Inference, Resolved, ResolvedPattern, infer_operator};
use crate::performs::Performs;
use crate::program::{Definition, InterfaceDef, OperatorDef, TermDef, resolve_term, scope_files};
use crate::scopes::LocalId;
use crate::types::{Adjustment, Computation, TyKind};
use reach::{Mentions, Reach, is_open};

/// The gradients of a program whose cells are shared by several runs.
#[salsa::tracked]
pub fn gradients(db: &dyn Db, root: SourceFile) -> Vec<Diagnostic> {
    let has_library = ["ad", "ad-paper"]
        .into_iter()
        .any(|name| included(db, root, name).is_some());
    if root.origin(db) != Origin::Workspace || !has_library {
        return Vec::new();
    }
    let files = &scope_files(db, root).0;
    let groups = || files.iter().flat_map(|file| file.groups(db)).copied();
    let used: Vec<&Gradient> = groups()
        .flat_map(|group| gradients_in(db, root, group).iter())
        .collect();
    if used.is_empty() {
        return Vec::new();
    }
    let own = groups().flat_map(|group| resumed_in(db, root, group).iter());
    let mut resumed: Vec<(Symbol, Resumption)> = own
        .map(|resumed| (resumed.handler, resumed.clone()))
        .collect();
    resumed.extend(resumed_by_libraries(db, root));
    let mentions = Mentions::new(db, root);
    let mut reaches: HashMap<Symbol, Reach> = HashMap::new();
    let mut finding = |gradient: &&Gradient| {
        let mut all: Vec<&(Symbol, Resumption)> = resumed.iter().collect();
        all.retain(|(by, resumed)| {
            let interface = resumed.interface;
            gradient.performs.contains(&interface)
                && (is_open(db, root, gradient.operator, interface, &mentions) || {
                    let reach = || Reach::new(db, root, *by, &mentions);
                    reaches
                        .entry(*by)
                        .or_insert_with(reach)
                        .covers(gradient.operator, gradient.at)
                })
        });
        // What is called beside the gradient is likely what stands around it.
        let near = all
            .iter()
            .find(|(by, _)| mentions.has(gradient.operator, *by));
        let (by, first) = near.or(all.first())?;
        Some(finding(db, root, gradient, *by, first))
    };
    used.iter().filter_map(&mut finding).collect()
}

/// What is said of a gradient, and of the handler that `by` is, or leads to.
fn finding(
    db: &dyn Db,
    root: SourceFile,
    gradient: &Gradient,
    by: Symbol,
    resumed: &Resumption,
) -> Diagnostic {
    let name = gradient.name;
    let what = match resumed.command {
        Some(command) => format!("`{command}`"),
        None => format!("a command of `{}`", resumed.interface.0.name),
    };
    let how = match resumed.how {
        Count::Stored => "keeps the rest of a run that performs",
        _ => "can go on more than once from",
    };
    let mut problem = Diagnostic::new(
        Code::SharedCells,
        gradient.at,
        format!(
            "`{name}` keeps its derivative in cells, and `{by}` {how} {what}: the runs share \
             the cells, and the derivative comes out wrong"
        ),
    )
    .related(
        resumed.at,
        match resumed.how {
            Count::Stored => "the rest of the run is kept here, for any number of times",
            _ => "the run is resumed more than once from here",
        },
    )
    .help("use `gradm` of `ad`, whose cells go with each run");
    // A program's own operator may have taken the name.
    let means = |name: &&str| {
        let meant = resolve_term(db, root, Symbol::new(name));
        meant.is_some_and(|meant| Some(meant.scope()) == library(db, "ad"))
    };
    let twin = gradient
        .twin
        .iter()
        .filter(|twin| twin.needs.iter().all(means));
    problem.fixes.extend(twin.map(|twin| twin.fix.clone()));
    problem
}

/// A use of an operator that gathers a derivative in cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gradient {
    /// The operator in whose clause it is.
    pub operator: Symbol,
    name: Symbol,
    pub at: Location,
    /// The interfaces of the commands that it lets through.
    performs: Vec<InterfaceDef>,
    twin: Option<Twin>,
}

/// The gradients in a group of items through which commands can pass.
#[salsa::tracked]
fn kept_gradients(db: &dyn Db, root: SourceFile, group: Group) -> Aside<Vec<Gradient>> {
    groups::depend(db, root, group);
    Aside::new(db, |db| gradients_now(db, root, group))
}

fn gradients_now(db: &dyn Db, root: SourceFile, group: Group) -> Vec<Gradient> {
    in_group(db, root, group, is_gradient, gradients_of)
}

fn gradients_in(db: &dyn Db, root: SourceFile, group: Group) -> &[Gradient] {
    let kept = kept_gradients(db, root, group);
    kept.get(db, |db| gradients_now(db, root, group))
}

/// Whether a term is the name of an operator that gathers a derivative in cells.
fn is_gradient(db: &dyn Db, root: SourceFile, item: &Item) -> bool {
    item.terms.iter().any(|(_, term)| {
        let TermKind::Name(name) = &term.kind else {
            return false;
        };
        match resolve_term(db, root, name.symbol) {
            Some(TermDef::Operator(operator)) => {
                role_of(db, operator).is_some_and(Role::gathers_in_cells)
            }
            _ => false,
        }
    })
}

/// Collects something from those clauses of a group of which it is worth while.
fn in_group<T>(
    db: &dyn Db,
    root: SourceFile,
    group: Group,
    worth_while: impl Fn(&dyn Db, SourceFile, &Item) -> bool,
    collect: impl Fn(&dyn Db, ItemSource, &Inference, &Body, &mut Vec<T>),
) -> Vec<T> {
    let mut found = Vec::new();
    let mut seen: HashSet<Symbol> = HashSet::new();
    let entries = group.entries(db);
    let own: HashSet<ItemSource> = entries.iter().map(|entry| entry.item).collect();
    for entry in entries.iter() {
        let (OutlineKind::Clause, Some(name)) = (entry.kind, entry.name) else {
            continue;
        };
        if seen.contains(&name) || !worth_while(db, root, item(db, entry.item)) {
            continue;
        }
        seen.insert(name);
        let operator = OperatorDef(Definition { scope: root, name });
        let Some(inference) = infer_operator(db, operator) else {
            continue;
        };
        if !inference.is_sound() {
            continue;
        }
        for (source, body) in &inference.bodies {
            if own.contains(source) && !has_syntax_errors(db, *source) {
                collect(db, *source, &inference, body, &mut found);
            }
        }
    }
    found
}

fn gradients_of(
    db: &dyn Db,
    source: ItemSource,
    inference: &Inference,
    body: &Body,
    found: &mut Vec<Gradient>,
) {
    let item = item(db, source);
    let ItemKind::Clause { name: own, .. } = &item.kind else {
        return;
    };
    let mut performs = Performs::new(db, item, body);
    let hosts = [builtin::console(db), builtin::ref_state(db)];
    for (_, term) in item.terms.iter() {
        let TermKind::Apply { head, args } = &term.kind else {
            continue;
        };
        let Some((operator, role)) = gradient(db, body, *head) else {
            continue;
        };
        if clears_cells(db, operator.0.scope, operator.0.name) {
            continue;
        }
        let Some(used) = Use::new(role, inference, body, *head) else {
            continue;
        };
        let mut through: Vec<InterfaceDef> = Vec::new();
        for instance in used.around() {
            let interface = instance.interface;
            if hosts.contains(&interface)
                || role.interfaces.contains(&interface)
                || through.contains(&interface)
            {
                continue;
            }
            let ports = role.differentiated.iter().filter(|port| port.has_cells);
            let passes = ports
                .filter_map(|port| Some((port, *args.get(port.port)?)))
                .any(|(port, arg)| match (port.takes, &item.terms[arg].kind) {
                    (Takes::Function, TermKind::Thunk { .. }) => {
                        !performs.function_never(arg, interface)
                    }
                    (Takes::Function, _) => true,
                    (Takes::Computation, _) => !performs.never(arg, interface),
                });
            if passes {
                through.push(interface);
            }
        }
        if !through.is_empty() {
            found.push(Gradient {
                operator: own.symbol,
                name: operator.0.name,
                at: Location::node(source, item.terms[*head].id),
                performs: through,
                twin: by_twin(db, source, item, body, operator, *head, args),
            });
        }
    }
}

/// The operator at the head of a call, if it gathers a derivative in cells.
fn gradient<'a>(db: &'a dyn Db, body: &Body, head: TermId) -> Option<(OperatorDef, &'a Role)> {
    let Some(Resolved::Definition(TermDef::Operator(operator))) = body.names.get(head) else {
        return None;
    };
    let role = role_of(db, *operator)?;
    role.gathers_in_cells().then_some((*operator, role))
}

/// The library's operators whose backward pass leaves 0 in all cells, where each run finds them.
const CLEARING: [&str; 2] = ["gradLater", "pullback"];

/// Whether an operator has its derivatives from [`CLEARING`] alone. What handles the operations
/// itself, or calls something else that does, may leave its numbers in the cells.
#[salsa::tracked(returns(copy))]
fn clears_cells(db: &dyn Db, scope: SourceFile, name: Symbol) -> bool {
    let ad = library(db, "ad");
    let mut clears = false;
    let mut open = vec![OperatorDef(Definition { scope, name })];
    let mut seen: HashSet<OperatorDef> = HashSet::new();
    let mut calls: HashMap<SourceFile, Mentions> = HashMap::new();
    while let Some(operator) = open.pop() {
        let Definition { scope, name } = operator.0;
        if !seen.insert(operator) {
            continue;
        }
        if Some(scope) == ad && CLEARING.contains(&name.as_str()) {
            clears = true;
            continue;
        }
        let handles = |role: &Role| {
            let mut ports = role.differentiated.iter();
            ports.any(|port| port.has_cells && port.takes == Takes::Computation)
        };
        if role_of(db, operator).is_some_and(handles) {
            return false;
        }
        let mentions = calls
            .entry(scope)
            .or_insert_with(|| Mentions::new(db, scope));
        let called = mentions.of(name).iter();
        open.extend(
            called.filter_map(|name| match resolve_term(db, scope, *name) {
                Some(TermDef::Operator(operator)) => Some(operator),
                _ => None,
            }),
        );
    }
    clears
}

/// The library's operators that have a twin without cells.
const TWINS: [(&str, &str); 3] = [
    ("grad", "gradm"),
    ("gradList", "gradmList"),
    ("valueGradList", "valueGradmList"),
];
/// The lift of these twins.
const LIFT: &str = "liftm";

/// The fix that writes an operator's twin.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Twin {
    fix: Fix,
    /// The library's operators that it writes.
    needs: Vec<&'static str>,
}

/// Writes `gradm` for the library's `grad` of a function that is written there, and `liftm` for the
/// `liftr` that belong to it.
fn by_twin(
    db: &dyn Db,
    source: ItemSource,
    item: &Item,
    body: &Body,
    operator: OperatorDef,
    head: TermId,
    args: &[TermId],
) -> Option<Twin> {
    let scope = library(db, "ad")?;
    let of_library = |name: &str| {
        let name = Symbol::new(name);
        TermDef::Operator(OperatorDef(Definition { scope, name }))
    };
    let mut twins = TWINS.into_iter();
    let (_, twin) = twins.find(|(own, _)| TermDef::Operator(operator) == of_library(own))?;
    let function = *args.first()?;
    if !matches!(item.terms[function].kind, TermKind::Thunk { .. }) {
        return None;
    }
    // What stands in the function of another gradient belongs to that.
    let mut others: HashSet<TermId> = HashSet::new();
    for term in item.terms_in(function) {
        if let TermKind::Apply { head, args } = &item.terms[term].kind
            && gradient(db, body, *head).is_some()
        {
            others.extend(args.iter().flat_map(|arg| item.terms_in(*arg)));
        }
    }
    let liftr = Resolved::Definition(of_library("liftr"));
    let lifts: Vec<TermId> = item
        .terms_in(function)
        .filter(|term| !others.contains(term) && body.names.get(*term) == Some(&liftr))
        .collect();
    let mut needs = vec![twin];
    needs.extend((!lifts.is_empty()).then_some(LIFT));
    let edit = |(term, text): (TermId, &str)| Edit {
        location: Location::node(source, item.terms[term].id),
        position: Position::Replace,
        text: text.to_owned(),
    };
    let lifts = lifts.into_iter().map(|term| (term, LIFT));
    let edits = std::iter::once((head, twin)).chain(lifts).map(edit);
    let fix = Fix {
        title: format!("write `{twin}`"),
        edits: edits.collect(),
        safe: false,
    };
    Some(Twin { fix, needs })
}

/// A clause that may go on with a run more than once.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Resumption {
    interface: InterfaceDef,
    /// The command, where it is not a catch-all.
    command: Option<Symbol>,
    how: Count,
    /// The operator whose clause it is.
    handler: Symbol,
    at: Location,
}

/// The clauses in a group of items that may go on with a run more than once.
#[salsa::tracked]
fn kept_resumptions(db: &dyn Db, root: SourceFile, group: Group) -> Aside<Vec<Resumption>> {
    groups::depend(db, root, group);
    let consulted = Consulted::default();
    let found = Aside::new(db, |db| resumed_now(db, root, group, &consulted));
    // The group knows of its own clauses only.
    for operator in consulted.into_inner() {
        runs(db, operator.0.scope, operator.0.name);
    }
    found
}

fn resumed_now(
    db: &dyn Db,
    root: SourceFile,
    group: Group,
    consulted: &Consulted,
) -> Vec<Resumption> {
    let collect = |db: &dyn Db, source, inference: &Inference, body: &Body, found: &mut Vec<_>| {
        resumptions_of(db, source, inference, body, consulted, found);
    };
    in_group(db, root, group, may_handle, collect)
}

fn resumed_in(db: &dyn Db, root: SourceFile, group: Group) -> &[Resumption] {
    let kept = kept_resumptions(db, root, group);
    kept.get(db, |db| resumed_now(db, root, group, &Consulted::default()))
}

/// The operators whose clauses were looked at.
type Consulted = RefCell<HashSet<OperatorDef>>;

/// Whether an item has a pattern for what is performed.
fn may_handle(_: &dyn Db, _: SourceFile, item: &Item) -> bool {
    let mut patterns = item.patterns.values();
    patterns.any(|pattern| pattern.kind.handles())
}

fn resumptions_of(
    db: &dyn Db,
    source: ItemSource,
    inference: &Inference,
    body: &Body,
    consulted: &Consulted,
    found: &mut Vec<Resumption>,
) {
    let item = item(db, source);
    let ItemKind::Clause { name, clause } = &item.kind else {
        return;
    };
    let mut look = |clause: &Clause, computation: Option<&Computation>| {
        for (port, pattern) in clause.patterns.iter().enumerate() {
            let (local, command) = match body.patterns.get(*pattern) {
                Some(ResolvedPattern::Command {
                    command,
                    continuation: Some(local),
                }) => (*local, Some(*command)),
                Some(ResolvedPattern::CatchAll(Some(local))) => (*local, None),
                _ => continue,
            };
            let counter = Counter {
                db,
                item,
                body,
                local,
                consulted: Some(consulted),
            };
            let how = counter.term(clause.body);
            if how < Count::Often {
                continue;
            }
            let interfaces: Vec<InterfaceDef> = match command {
                Some(command) => vec![command.interface],
                None => added(computation, port),
            };
            found.extend(interfaces.into_iter().map(|interface| Resumption {
                interface,
                command: command.map(|command| command.name),
                how,
                handler: name.symbol,
                at: Location::node(source, item.patterns[*pattern].id),
            }));
        }
    };
    look(clause, inference.computation.as_ref());
    for (term, data) in item.terms.iter() {
        if let TermKind::Thunk { clauses } = &data.kind {
            let ty = body.thunks.get(term).map(|ty| inference.table.kind(*ty));
            let computation = match ty {
                Some(TyKind::Computation(computation)) => Some(&**computation),
                _ => None,
            };
            for clause in clauses {
                look(clause, computation);
            }
        }
    }
}

/// The interfaces whose commands a port handles.
fn added(computation: Option<&Computation>, port: usize) -> Vec<InterfaceDef> {
    let port = computation.and_then(|computation| computation.ports.get(port));
    let adjustments = port.map_or(&[][..], |port| &port.adjustments);
    let mut interfaces = Vec::new();
    for adjustment in adjustments {
        if let Adjustment::Instance(instance) = adjustment
            && !interfaces.contains(&instance.interface)
        {
            interfaces.push(instance.interface);
        }
    }
    interfaces
}

/// The clauses of a library that may go on with a run more than once.
#[salsa::tracked]
fn resumed_by_library(db: &dyn Db, library: SourceFile) -> Arc<[Resumption]> {
    let mut found = Vec::new();
    let mut seen: HashSet<Symbol> = HashSet::new();
    for entry in library.outline(db) {
        let (OutlineKind::Clause, Some(name)) = (entry.kind, entry.name) else {
            continue;
        };
        if seen.contains(&name) || !may_handle(db, library, item(db, entry.item)) {
            continue;
        }
        seen.insert(name);
        let scope = library;
        if let Some(inference) = infer_operator(db, OperatorDef(Definition { scope, name })) {
            for (source, body) in &inference.bodies {
                resumptions_of(
                    db,
                    *source,
                    &inference,
                    body,
                    &Consulted::default(),
                    &mut found,
                );
            }
        }
    }
    found.into()
}

/// What a program's own operators lead to in its libraries: each with the name that they mention,
/// in the order of the program.
fn resumed_by_libraries(db: &dyn Db, root: SourceFile) -> Vec<(Symbol, Resumption)> {
    let libraries = &scope_files(db, root).1;
    let mut calls: HashMap<(SourceFile, Symbol), Vec<Symbol>> = HashMap::new();
    for library in libraries {
        for (user, name) in groups::all_facts(db, *library).flat_map(|facts| &facts.mentions) {
            calls.entry((*library, *user)).or_default().push(*name);
        }
    }
    let mut found = Vec::new();
    let mut seen: HashSet<OperatorDef> = HashSet::new();
    for (_, mentioned) in groups::all_facts(db, root).flat_map(|facts| &facts.mentions) {
        let mut open = vec![(root, *mentioned)];
        while let Some((scope, name)) = open.pop() {
            let Some(TermDef::Operator(operator)) = resolve_term(db, scope, name) else {
                continue;
            };
            let Definition { scope, name } = operator.0;
            if !libraries.contains(&scope) || !seen.insert(operator) {
                continue;
            }
            let all = resumed_by_library(db, scope).iter();
            let own = all.filter(|resumed| resumed.handler == name);
            found.extend(own.map(|resumed| (*mentioned, resumed.clone())));
            let next = calls.get(&(scope, name)).into_iter().flatten();
            open.extend(next.map(|name| (scope, *name)));
        }
    }
    found
}

/// How often something is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Count {
    Never,
    /// Once at most.
    Once,
    Often,
    /// It is kept, for who knows how many times.
    Stored,
}

impl Count {
    /// One after the other.
    fn then(self, other: Count) -> Count {
        match (self, other) {
            (Count::Once, Count::Once) => Count::Often,
            _ => self.max(other),
        }
    }

    /// As often, for each of these times.
    fn times(self, each: Count) -> Count {
        match (self, each) {
            (Count::Never, _) | (_, Count::Never) => Count::Never,
            (Count::Once, each) => each,
            (often, each) => often.max(each),
        }
    }
}

/// Counts how often a variable for a computation is run.
struct Counter<'a> {
    db: &'a dyn Db,
    item: &'a Item,
    body: &'a Body,
    local: LocalId,
    /// Where to note the operators of which it matters what they do with a thunk; without it
    /// nothing is known of that.
    consulted: Option<&'a Consulted>,
}

impl Counter<'_> {
    fn is_local(&self, term: TermId) -> bool {
        self.body.names.get(term) == Some(&Resolved::Local(self.local))
    }

    fn term(&self, term: TermId) -> Count {
        ensure_sufficient_stack(|| self.term_here(term))
    }

    fn all(&self, terms: impl IntoIterator<Item = TermId>) -> Count {
        let counts = terms.into_iter().map(|term| self.term(term));
        counts.fold(Count::Never, Count::then)
    }

    fn term_here(&self, term: TermId) -> Count {
        match &self.item.terms[term].kind {
            TermKind::Name(_) if self.is_local(term) => Count::Stored,
            TermKind::Thunk { .. } => {
                let mut inside = self.item.terms_in(term);
                if inside.any(|term| self.is_local(term)) {
                    Count::Stored
                } else {
                    Count::Never
                }
            }
            TermKind::Apply { head, args } => self.call(*head, args),
            TermKind::Let { bound, body, .. } => match self.body.lets.get(term) {
                Some(pattern) if self.is_delayed(*bound) => self.bound(pattern, *bound, *body),
                _ => self.all([*bound, *body]),
            },
            kind => self.all(kind.sub_terms()),
        }
    }

    fn call(&self, head: TermId, args: &[TermId]) -> Count {
        let mut name = head;
        while let TermKind::Adapted { body, .. } = &self.item.terms[name].kind {
            name = *body;
        }
        if self.is_local(name) {
            return Count::Once.then(self.all(args.iter().copied()));
        }
        let is_delayed = |arg: &TermId| self.is_delayed(*arg);
        let delayed = args.iter().any(is_delayed);
        let operator = match self.body.names.get(name) {
            Some(Resolved::Definition(TermDef::Operator(operator))) => Some(*operator),
            _ => None,
        };
        if operator == Some(builtin::operator(self.db, "case"))
            && let [value, function] = args
            && is_delayed(value)
            && let TermKind::Thunk { clauses } = &self.item.terms[*function].kind
        {
            let of_clause = |clause: &Clause| match &clause.patterns[..] {
                [pattern] => match self.body.patterns.get(*pattern) {
                    Some(pattern) => self.bound(pattern, *value, clause.body),
                    None => Count::Stored,
                },
                _ => Count::Stored,
            };
            return clauses.iter().map(of_clause).max().unwrap_or(Count::Never);
        }
        let runs = operator
            .filter(|_| delayed)
            .and_then(|operator| self.runs(operator));
        let Some(runs) = runs else {
            return self.all(std::iter::once(head).chain(args.iter().copied()));
        };
        // Arguments are evaluated whatever becomes of them; of thunks, one clause decides.
        let evaluated = self.all(args.iter().copied().filter(|arg| !is_delayed(arg)));
        let of_clause = |runs: &Vec<Count>| {
            let thunks = args.iter().zip(runs).filter(|(arg, _)| is_delayed(arg));
            let counts = thunks.map(|(arg, times)| times.times(self.thunk(*arg)));
            counts.fold(Count::Never, Count::then)
        };
        let run = runs.iter().map(of_clause).max().unwrap_or(Count::Never);
        evaluated.then(run)
    }

    /// Whether a term is the variable, or a thunk that runs it.
    fn is_delayed(&self, term: TermId) -> bool {
        match &self.item.terms[term].kind {
            TermKind::Name(_) => self.is_local(term),
            TermKind::Thunk { .. } => self.term(term) != Count::Never,
            _ => false,
        }
    }

    /// How often the variable is run where a pattern stands for it, or for a thunk that runs it.
    fn bound(&self, pattern: &ResolvedPattern, delayed: TermId, body: TermId) -> Count {
        let here = match pattern {
            ResolvedPattern::Binds(local) => {
                let other = Counter {
                    local: *local,
                    ..*self
                };
                other.term(body).times(self.thunk(delayed))
            }
            ResolvedPattern::Wildcard => Count::Never,
            _ => Count::Stored,
        };
        here.then(self.term(body))
    }

    /// How often the variable is run when a thunk runs once, or the variable itself.
    fn thunk(&self, thunk: TermId) -> Count {
        let TermKind::Thunk { clauses } = &self.item.terms[thunk].kind else {
            return self.term(thunk).min(Count::Once);
        };
        let counts = clauses.iter().map(|clause| self.term(clause.body));
        counts.max().unwrap_or(Count::Never)
    }

    /// How often each clause of an operator runs its arguments.
    fn runs(&self, operator: OperatorDef) -> Option<Arc<[Vec<Count>]>> {
        if operator == builtin::operator(self.db, "case") {
            return Some(Arc::from([vec![Count::Never, Count::Once]]));
        }
        self.consulted?.borrow_mut().insert(operator);
        Some(runs(self.db, operator.0.scope, operator.0.name).clone())
    }
}

/// How often each clause of an operator runs the arguments that it is given, each on its own.
#[salsa::tracked]
fn runs(db: &dyn Db, scope: SourceFile, name: Symbol) -> Arc<[Vec<Count>]> {
    let Some(inference) = infer_operator(db, OperatorDef(Definition { scope, name })) else {
        return Arc::from([]);
    };
    let of_clause = |(source, body): &(ItemSource, Body)| {
        let item = item(db, *source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return Vec::new();
        };
        let of_pattern = |pattern: &PatternId| match body.patterns.get(*pattern) {
            Some(ResolvedPattern::Binds(local)) => {
                let counter = Counter {
                    db,
                    item,
                    body,
                    local: *local,
                    consulted: None,
                };
                counter.term(clause.body)
            }
            Some(ResolvedPattern::Wildcard) => Count::Never,
            _ => Count::Stored,
        };
        clause.patterns.iter().map(of_pattern).collect()
    };
    inference.bodies.iter().map(of_clause).collect()
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn a_gradient_that_is_resumed_twice() {
        assert_eq!(
            found(
                Code::SharedCells,
                "include ad\n\nf : [RefState] (List Float)\nf! = allChoices (evaluate (grad {x -> if choose! {t x x} {t (c 3) x}} 2))\n"
            ),
            ["grad"]
        );
        assert!(found(Code::SharedCells, "include ad\n\nf : [RefState] (List Float)\nf! = allChoices (evaluate (gradm {x -> if choose! {t x x} {t (c 3) x}} 2))\n").is_empty());
    }
}
