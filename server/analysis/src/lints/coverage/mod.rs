//! Whether the clauses of operators, thunks and `let`s match everything that can come, and each
//! of them something (language reference, section 4 "Coverage").
//!
//! A port's patterns must cover every constructor of its type and every command that its
//! adjustments add. Nothing is said about clauses whose patterns are wrong in another way.

mod inhabited;
mod matrix;
mod write;

use std::collections::{BTreeMap, HashMap};

use frank_syntax::ast::{
    Clause, Item, ItemKind, NodeId, PatternId, PatternKind, Symbol, TermId, TermKind,
};

use super::{Checked, misspelt_clauses, misspelt_constructors};
use crate::builtin;
use crate::db::{Db, ItemSource, has_syntax_errors, item};
use crate::diagnostics::{Code, Diagnostic, Location};
use crate::fixes;
use crate::infer::problem::Problem;
use crate::infer::table::Table;
use crate::infer::{Body, Inference, ResolvedPattern};
use crate::program::{InterfaceDef, OperatorDef, TermDef};
use crate::report::words::count;
use crate::surroundings::Surroundings;
use crate::types::{Adjustment, Instance, Port, TyKind};
use inhabited::Inhabited;
use matrix::{Matrix, Row, Witness};

/// So many rows at most are looked at to say which clauses shadow others.
const EFFORT: u32 = 4_000_000;
/// So many clauses at most are named that together shadow another one.
const MOST_SHADOWS: usize = 4;

/// What the matches in an operator's clauses, or in a term on its own, leave out or repeat.
pub fn check(checked: &Checked<'_>, found: &mut Vec<Diagnostic>) {
    let (db, inference) = (checked.db, checked.inference);
    if inference
        .problems
        .iter()
        .any(|problem| problem.concerns_patterns())
        || inference
            .bodies
            .iter()
            .any(|(source, _)| has_syntax_errors(db, *source))
    {
        return;
    }
    if let Some(operator) = checked.operator
        && let Some(computation) = &inference.computation
    {
        let clauses: Vec<(usize, &Clause, NodeId)> = inference
            .bodies
            .iter()
            .enumerate()
            .filter_map(|(i, (source, _))| match &item(db, *source).kind {
                ItemKind::Clause { name, clause } => Some((i, clause, name.id)),
                _ => None,
            })
            .collect();
        if let Some((first, _, name)) = clauses.first()
            && let Some((source, _)) = inference.bodies.get(*first)
        {
            let at = Location::node(*source, *name);
            let written = clauses.iter().map(|(i, clause, _)| (*i, *clause)).collect();
            let subject = Subject::Operator(operator);
            let matched = Match {
                db,
                inference,
                ports: &computation.ports,
                clauses: written,
                at,
                subject,
            };
            matched.check(found);
        }
    }
    for (index, (source, body)) in inference.bodies.iter().enumerate() {
        terms(db, inference, index, *source, body, found);
    }
}

/// The thunks and `let`s of one clause.
fn terms(
    db: &dyn Db,
    inference: &Inference,
    index: usize,
    source: ItemSource,
    body: &Body,
    found: &mut Vec<Diagnostic>,
) {
    let item = item(db, source);
    let mut surroundings = None;
    for (term, data) in item.terms.iter() {
        match &data.kind {
            TermKind::Thunk { clauses } => {
                let ty = body.thunks.get(term).map(|ty| inference.table.kind(*ty));
                let Some(TyKind::Computation(computation)) = ty else {
                    continue;
                };
                if is_plain(body, clauses, &computation.ports) {
                    continue;
                }
                if clauses.is_empty() && computation.ports.is_empty() {
                    let at = Location::node(source, data.id);
                    let gives = inference.table.kind(computation.result);
                    found.push(empty_braces(at, builtin::is_unit(db, gives)));
                    continue;
                }
                let surroundings = surroundings.get_or_insert_with(|| Surroundings::new(item));
                let (at, name) = thunk_head(item, surroundings, term, clauses);
                let checked = Match {
                    db,
                    inference,
                    ports: &computation.ports,
                    clauses: clauses.iter().map(|clause| (index, clause)).collect(),
                    at: Location::node(source, at),
                    subject: Subject::Thunk(name),
                };
                checked.check(found);
            }
            TermKind::Let { name, .. } => {
                if let Some(ResolvedPattern::Constructor(constructor)) = body.lets.get(term) {
                    let definition = constructor.data.0;
                    let declared =
                        crate::declarations::data_type(db, definition.scope, definition.name);
                    let Some(declared) = declared else { continue };
                    let others: Vec<String> = declared
                        .constructors
                        .iter()
                        .filter(|other| other.name != constructor.name)
                        .map(|other| format!("`{}`", other.name))
                        .collect();
                    if !others.is_empty() {
                        let names = crate::report::words::listed(&others, MOST_SHADOWS);
                        found.push(
                            Diagnostic::new(
                                Code::MissingPatterns,
                                Location::node(source, name.id),
                                format!(
                                    "`{}` is a constructor, so this `let` matches nothing else, \
                                     and the value may be {names}",
                                    name.symbol
                                ),
                            )
                            .help("to bind a variable, give it another name")
                            .help("to match all constructors, use `case`"),
                        );
                    }
                }
            }
            _ => {}
        }
    }
}

/// The finding about `{}` where something is run.
fn empty_braces(at: Location, gives_unit: bool) -> Diagnostic {
    let message = "these braces are empty, and what is run has to give something";
    let problem = Diagnostic::new(Code::MissingPatterns, at, message);
    match gives_unit {
        true => problem
            .help("write `{unit}`, which does nothing")
            .fix(fixes::replace(at, "{unit}", "write `{unit}`".to_owned())),
        false => problem.help("write what is to be run in them"),
    }
}

/// Whether an operator without clauses needs none: no value can come to one of its ports.
pub fn needs_no_clauses(db: &dyn Db, inference: &Inference) -> bool {
    let inhabited = Inhabited::new(db);
    inference
        .computation
        .iter()
        .flat_map(|computation| &computation.ports)
        .any(|port| port.adjustments.is_empty() && !inhabited.ty(&inference.table, port.ty))
}

/// Where a thunk's message stands, and what it is called: the operator that it is given to, or
/// its first pattern.
fn thunk_head(
    item: &Item,
    surroundings: &Surroundings,
    term: TermId,
    clauses: &[Clause],
) -> (NodeId, Option<&'static str>) {
    if let Some((call, _)) = surroundings.argument_of(item, term)
        && let TermKind::Apply { head, .. } = &item.terms[call].kind
        && let TermKind::Name(name) = &item.terms[*head].kind
        && name.symbol.as_str() == "case"
    {
        return (item.terms[*head].id, Some(name.symbol.as_str()));
    }
    let first = clauses.first().and_then(|clause| clause.patterns.first());
    let node = match first {
        Some(pattern) => item.patterns[*pattern].id,
        None => item.terms[term].id,
    };
    (node, None)
}

/// Whether a match is of the usual kind, which needs no look: one clause of variables.
fn is_plain(body: &Body, clauses: &[Clause], ports: &[Port]) -> bool {
    let [clause] = clauses else { return false };
    ports.iter().all(|port| port.adjustments.is_empty())
        && clause
            .patterns
            .iter()
            .all(|pattern| is_variable(body, *pattern))
}

/// Whether a pattern matches every value.
pub(crate) fn is_variable(body: &Body, pattern: PatternId) -> bool {
    matches!(
        body.patterns.get(pattern),
        Some(ResolvedPattern::Binds(_) | ResolvedPattern::Wildcard | ResolvedPattern::CatchAll(_))
    )
}

#[derive(Clone, Copy)]
enum Subject<'a> {
    Operator(OperatorDef),
    /// A thunk, given to the operator of this name if the message is to name it.
    Thunk(Option<&'a str>),
}

/// One match with its clauses.
struct Match<'a> {
    db: &'a dyn Db,
    inference: &'a Inference,
    ports: &'a [Port],
    /// The clauses, with the number of the body that each is in.
    clauses: Vec<(usize, &'a Clause)>,
    /// Where what is missing is reported.
    at: Location,
    subject: Subject<'a>,
}

impl<'a> Match<'a> {
    fn check(&self, found: &mut Vec<Diagnostic>) {
        if let [(index, clause)] = self.clauses[..]
            && let Some((_, body)) = self.inference.bodies.get(index)
            && is_plain(body, std::slice::from_ref(clause), self.ports)
        {
            return;
        }
        let wrong = self
            .clauses
            .iter()
            .any(|(_, clause)| clause.patterns.len() != self.ports.len());
        if wrong || self.never_runs() || self.has_bare_command() {
            return;
        }
        let matrix = self.matrix();
        let coverage = matrix.coverage(self.clauses.len());
        if coverage.given_up {
            return;
        }
        if !coverage.missing.is_empty() {
            found.push(self.missing(&coverage.missing, coverage.more));
        }
        let mut effort = EFFORT;
        let mut behind_one: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, useful) in coverage.useful.iter().enumerate() {
            if !useful {
                let shadows = matrix.shadows(number as u32, &mut effort);
                if self.is_misspelt(shadows.as_deref()) || self.is_defined_twice() {
                    continue;
                }
                match shadows.as_deref() {
                    Some([one]) => behind_one.entry(*one).or_default().push(number),
                    others => found.extend(self.unreachable(&[number], others)),
                }
            }
        }
        // One clause that stands too early is one mistake.
        for (first, behind) in behind_one {
            if self.is_wrong_catch_all(first as usize) {
                continue;
            }
            match behind.len() > 1 && self.is_not_needed(first as usize) {
                true => found.extend(self.too_early(first as usize, &behind)),
                false => found.extend(self.unreachable(&behind, Some(&[first]))),
            }
        }
    }

    /// Whether a clause takes a computation as it is, and something is wrong with what it does: most likely it
    /// should not be there.
    fn is_wrong_catch_all(&self, number: usize) -> bool {
        let Some((index, clause)) = self.clauses.get(number) else {
            return false;
        };
        let Some((source, _)) = self.inference.bodies.get(*index) else {
            return false;
        };
        let item = item(self.db, *source);
        let mut patterns = clause.patterns.iter();
        let is_catch_all =
            patterns.any(|one| matches!(item.patterns[*one].kind, PatternKind::CatchAll(_)));
        let mut problems = self.inference.problems.iter();
        is_catch_all && problems.any(|one| one.is_error() && one.source() == *source)
    }

    /// Whether the other clauses match everything without this one.
    fn is_not_needed(&self, number: usize) -> bool {
        let mut others = self.clauses.clone();
        others.remove(number);
        let others = Match {
            clauses: others,
            ..*self
        };
        let coverage = others.matrix().coverage(others.clauses.len());
        !coverage.given_up && coverage.missing.is_empty()
    }

    /// Whether a clause has a variable where a command of that name is handled: that is told of the variable.
    fn has_bare_command(&self) -> bool {
        self.clauses.iter().any(|(index, clause)| {
            let body = self.inference.bodies.get(*index);
            body.is_some_and(|(at, _)| {
                let command = self.named_command(*at, clause);
                let handles = |port: &Port| {
                    port.adjustments.iter().any(|one| match one {
                        Adjustment::Instance(instance) => Some(instance.interface) == command,
                        Adjustment::Adaptor(_) => false,
                    })
                };
                self.ports.iter().any(handles)
            })
        })
    }

    /// Whether no value can come to one of the ports.
    fn never_runs(&self) -> bool {
        let inhabited = Inhabited::new(self.db);
        self.ports.iter().any(|port| {
            port.adjustments.is_empty() && !inhabited.ty(&self.inference.table, port.ty)
        })
    }

    fn matrix(&self) -> Matrix<'a> {
        let table: &'a Table = &self.inference.table;
        let bodies = self.inference.bodies.iter();
        let sources = bodies
            .map(|(source, body)| (&**item(self.db, *source), body))
            .collect();
        let mut matrix = Matrix {
            db: self.db,
            table,
            sources,
            added: self.ports.iter().map(added).collect(),
            types: self.ports.iter().map(|port| port.ty).collect(),
            rows: Vec::with_capacity(self.clauses.len()),
            inhabited: Inhabited::new(self.db),
        };
        for (number, (source, clause)) in self.clauses.iter().enumerate() {
            let patterns = clause.patterns.iter().enumerate();
            let cells = patterns
                .map(|(port, pattern)| matrix.cell(port, *source as u32, *pattern))
                .collect();
            matrix.rows.push(Row {
                cells,
                clause: number as u32,
            });
        }
        matrix
    }

    fn missing(&self, missing: &[Vec<Witness>], more: bool) -> Diagnostic {
        let mut heads: Vec<String> = Vec::with_capacity(missing.len());
        for patterns in missing {
            let head = self.clause_head(patterns);
            if !heads.contains(&head) {
                heads.push(head);
            }
        }
        let who = match self.subject {
            Subject::Operator(operator) => format!("`{}`", operator.0.name),
            Subject::Thunk(Some(name)) => format!("this `{name}`"),
            Subject::Thunk(None) => "this computation".to_owned(),
        };
        let first = heads.first().cloned().unwrap_or_default();
        let message = match (&heads[..], more) {
            ([_], false) if first.is_empty() => format!("{who} has no clause"),
            ([_], false) => format!("{who} has no clause for `{first}`"),
            (_, false) => format!(
                "{who} has no clauses for {}, such as `{first}`",
                count(heads.len(), "cases")
            ),
            (_, true) => format!("{who} has no clauses for many cases, such as `{first}`"),
        };
        let mut problem = Diagnostic::new(Code::MissingPatterns, self.at, message);
        let arrow = if matches!(self.subject, Subject::Operator(_)) {
            "= …"
        } else {
            "-> …"
        };
        let mut lines: Vec<String> = heads
            .iter()
            .map(|head| format!("  {head} {arrow}"))
            .collect();
        if more {
            lines.push("  …".to_owned());
        }
        let what = if lines.len() == 1 {
            "this clause is missing"
        } else {
            "these clauses are missing"
        };
        problem = problem.help(format!("{what}:\n{}", lines.join("\n")));
        if let Subject::Operator(operator) = self.subject {
            // A clause that does not parse may be the one, or one whose name is misspelt.
            problem = problem.may_follow_from(operator.0.name);
            let misspelt = misspelt_clauses::of(self.db, operator);
            problem.rests_on.extend(misspelt);
        }
        if let Some(fix) = (!more).then(|| self.write(missing)).flatten() {
            problem = problem.fix(fix);
        }
        if missing.iter().flatten().any(Witness::mentions_other) {
            problem = problem.help("`_` stands for all values without a clause of their own");
        }
        if let Some(variable) = self.variable_for_all(missing) {
            problem = problem.help(format!(
                "or write `<{variable}>` for `{variable}`: it takes the argument before that performs anything, and \
                 `{variable}!` goes on with it"
            ));
        }
        let finished = |witness: &Witness| matches!(witness, Witness::Finished(_));
        if missing
            .iter()
            .any(|patterns| patterns.len() == 1 && patterns.iter().any(finished))
        {
            problem = problem
                .help("a handler needs a clause for the value that its argument ends with, too");
        }
        problem
    }

    /// The variable of the only clause, where what it does not match is commands alone.
    fn variable_for_all(&self, missing: &[Vec<Witness>]) -> Option<Symbol> {
        let is_command = |witness: &Witness| matches!(witness, Witness::Command(..));
        let all = missing
            .iter()
            .all(|patterns| patterns.iter().any(is_command));
        match self.clauses.len() {
            1 if all => self.variable_of(0),
            _ => None,
        }
    }

    /// The head of a clause for what is missing.
    fn clause_head(&self, patterns: &[Witness]) -> String {
        let patterns: Vec<String> = patterns
            .iter()
            .map(|witness| self.pattern(witness))
            .collect();
        match self.subject {
            Subject::Operator(operator) if patterns.is_empty() => format!("{}!", operator.0.name),
            Subject::Operator(operator) => format!("{} {}", operator.0.name, patterns.join(" ")),
            Subject::Thunk(_) => patterns.join(" "),
        }
    }

    fn pattern(&self, witness: &Witness) -> String {
        match witness {
            Witness::Any | Witness::Other => "_".to_owned(),
            Witness::Integer(value) => value.to_string(),
            Witness::Char(char) => format!("{char:?}"),
            Witness::Finished(value) => self.pattern(value),
            Witness::Command(command, index, args) => {
                let mut text = format!("<{}", command.name);
                if *index > 0 {
                    text.push_str(&format!(".{index}"));
                }
                for arg in args {
                    text.push(' ');
                    text.push_str(&self.pattern(arg));
                }
                text + " -> k>"
            }
            Witness::Constructor(constructor, args) => {
                if *constructor == builtin::nil(self.db) {
                    return "[]".to_owned();
                }
                if let ([head, tail], true) = (&args[..], *constructor == builtin::cons(self.db)) {
                    return format!("({} :: {})", self.pattern(head), self.pattern(tail));
                }
                if args.is_empty() {
                    return constructor.name.to_string();
                }
                let args: Vec<String> = args.iter().map(|arg| self.pattern(arg)).collect();
                format!("({} {})", constructor.name, args.join(" "))
            }
        }
    }

    /// Where a clause is pointed at.
    fn clause_at(&self, number: usize) -> Option<Location> {
        let (index, clause) = self.clauses.get(number)?;
        let (source, _) = self.inference.bodies.get(*index)?;
        let item = item(self.db, *source);
        let node = match (&item.kind, clause.patterns.first()) {
            (ItemKind::Clause { name, clause: own }, _) if own.id == clause.id => name.id,
            (_, Some(pattern)) => item.patterns[*pattern].id,
            (_, None) => clause.id,
        };
        Some(Location::node(*source, node))
    }

    /// Whether there are two definitions of the operator: then its clauses are those of both.
    fn is_defined_twice(&self) -> bool {
        match self.subject {
            Subject::Operator(operator) => operator.items(self.db).signatures.len() > 1,
            Subject::Thunk(_) => false,
        }
    }

    /// Whether a clause that comes first matches more than it should, since a constructor is misspelt, or a
    /// command is written as a variable: `<abort>`.
    fn is_misspelt(&self, shadows: Option<&[u32]>) -> bool {
        let mut shadows = shadows.into_iter().flatten();
        shadows.any(|shadow| {
            let Some((index, clause)) = self.clauses.get(*shadow as usize) else {
                return false;
            };
            let Some((source, body)) = self.inference.bodies.get(*index) else {
                return false;
            };
            // A variable that stands twice is meant to match less than everything.
            let mut problems = self.inference.problems.iter();
            let is_twice = problems.any(
                |problem| matches!(problem, Problem::BoundTwice { source: at, .. } if at == source),
            );
            is_twice
                || self.named_command(*source, clause).is_some()
                || misspelt_constructors::in_clause(self.db, self.inference, *source, body, clause)
        })
    }

    /// The interface of a command, if a clause has a variable of its name for a pattern.
    fn named_command(&self, at: ItemSource, clause: &Clause) -> Option<InterfaceDef> {
        let item = item(self.db, at);
        let variables =
            clause
                .patterns
                .iter()
                .filter_map(|pattern| match &item.patterns[*pattern].kind {
                    PatternKind::Name(name) | PatternKind::CatchAll(name) => Some(name.id),
                    _ => None,
                });
        let variables: Vec<NodeId> = variables.collect();
        self.inference
            .problems
            .iter()
            .find_map(|problem| match problem {
                Problem::Shadowed {
                    source,
                    node,
                    definition: TermDef::Command(command),
                } if *source == at && variables.contains(node) => Some(command.interface),
                _ => None,
            })
    }

    /// The first variable among the patterns of a clause.
    fn variable_of(&self, number: usize) -> Option<Symbol> {
        let (index, clause) = self.clauses.get(number)?;
        let (source, body) = self.inference.bodies.get(*index)?;
        let mut patterns = clause.patterns.iter();
        patterns.find_map(
            |pattern| match &item(self.db, *source).patterns[*pattern].kind {
                PatternKind::Name(name) if is_variable(body, *pattern) => Some(name.symbol),
                _ => None,
            },
        )
    }

    /// The finding about a clause that takes everything from those below it, which match everything themselves.
    fn too_early(&self, number: usize, below: &[usize]) -> Option<Diagnostic> {
        let at = self.clause_at(number)?;
        let message = format!(
            "this clause leaves nothing to the {} below it, which match everything by themselves",
            below.len()
        );
        let mut problem = Diagnostic::new(Code::UnreachableClause, at, message);
        for other in below.iter().take(MOST_SHADOWS) {
            if let Some(place) = self.clause_at(*other) {
                problem = problem.related(place, "this clause can never match");
            }
        }
        if let Some(variable) = self.variable_of(number) {
            problem = problem.may_be_constructor(variable);
        }
        let problem = problem.help("leave it out, or make it more special");
        Some(match self.left_out(number) {
            Some(fix) => problem.fix(fix),
            None => problem,
        })
    }

    /// The finding about clauses that others shadow.
    fn unreachable(&self, numbers: &[usize], shadows: Option<&[u32]>) -> Option<Diagnostic> {
        // Two variables of one name match less once they are meant to be equal, or have two names.
        let mut problems = self.inference.problems.iter();
        if problems.any(|problem| matches!(problem, Problem::BoundTwice { .. })) {
            return None;
        }
        let (number, more) = numbers.split_first()?;
        let at = self.clause_at(*number)?;
        let who = match more {
            [] => "this clause can never match".to_owned(),
            [_] => "this clause and one more can never match".to_owned(),
            _ => format!("this clause and {} more can never match", more.len()),
        };
        let (it, them) = match more {
            [] => ("it", "it"),
            _ => ("them", "they"),
        };
        let why = match shadows {
            Some([]) => "there are no values of this shape".to_owned(),
            Some([_]) => format!("a clause before {it} matches all that {them} would"),
            _ => format!("clauses before {it} match all that {them} would"),
        };
        let message = format!("{who}: {why}");
        let mut problem = Diagnostic::new(Code::UnreachableClause, at, message);
        for shadow in shadows.into_iter().flatten().take(MOST_SHADOWS) {
            if let Some(place) = self.clause_at(*shadow as usize) {
                problem = problem.related(place, "this clause comes first");
            }
        }
        for other in more.iter().take(MOST_SHADOWS) {
            if let Some(place) = self.clause_at(*other) {
                problem = problem.related(place, "nor can this one");
            }
        }
        // It may be a constructor of what does not parse.
        let first = shadows.and_then(|shadows| shadows.first());
        if let Some(variable) = first.and_then(|first| self.variable_of(*first as usize)) {
            problem = problem.may_be_constructor(variable);
        }
        Some(match shadows {
            Some([]) => problem
                .help("one of its patterns is for a type that has no values: leave the clause out"),
            _ if more.is_empty() => {
                problem.help("move it up, make the earlier clause more special, or leave it out")
            }
            _ => {
                let problem = problem.help("move the clause that comes first below them");
                match shadows.and_then(|shadows| self.moved_below(*shadows.first()?)) {
                    Some(fix) => problem.fix(fix),
                    None => problem,
                }
            }
        })
    }
}

/// The instances that a port adds, each with its index from the right among those of its
/// interface; the active ones first.
fn added(port: &Port) -> Vec<(Instance, u32)> {
    let mut seen: HashMap<InterfaceDef, u32> = HashMap::new();
    let instances = port.added().rev().cloned();
    let mut added: Vec<(Instance, u32)> = instances
        .map(|instance| {
            let index = seen.entry(instance.interface).or_default();
            *index += 1;
            (instance, *index - 1)
        })
        .collect();
    added.reverse();
    added
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Code;
    use crate::lints::tests::found;

    #[test]
    fn every_constructor_wants_a_clause() {
        assert_eq!(
            found(Code::MissingPatterns, "f : Bool -> Int\nf true = 1\n"),
            ["f"]
        );
        assert!(
            found(
                Code::MissingPatterns,
                "f : Bool -> Int\nf true = 1\nf false = 2\n"
            )
            .is_empty()
        );
        assert_eq!(
            found(
                Code::UnreachableClause,
                "f : Int -> Int\nf x = 1\nf 0 = 2\n"
            ),
            ["f"]
        );
    }
}
