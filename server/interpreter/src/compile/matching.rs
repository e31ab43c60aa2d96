//! Clauses to decision trees.
//!
//! Clauses are rows of tests. The first test of the first row is made, the rows are parted by its
//! outcome, and so on; a row without tests has matched. Where that would copy rows too often, the
//! first row is tried alone and then the others. A clause that several leaves reach is lowered
//! once, as a join.

use std::collections::HashMap;

use frank_core::{Clause, ConstructorId, Local, Pattern, Place, TermId, ValuePattern};

use super::deep;
use super::handlers::Reached;
use super::ir::{BlockId, Literal, Var};
use super::lower::{Binding, Destination, Lower};

/// What is known about an argument before its patterns are tried.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Finished(Binding),
    /// Of a port that adds instances: finished or paused.
    Either(Var),
    /// Paused, at this command with these arguments, not yet captured.
    Command {
        command: u32,
        seen: u16,
        args: Vec<Var>,
    },
    /// Paused at some command that has no clause; the paused argument itself.
    Paused(Var),
}

/// What a variable of a clause is bound to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bind {
    To(Binding),
    /// The thunk of an argument that is finished or paused.
    CatchAll(Var),
    /// The continuation of a paused argument.
    Continuation(Var),
}

#[derive(Clone, Debug)]
pub(super) enum Test<'p> {
    Value(Var, &'p ValuePattern),
    Finished(Var),
    /// Paused at this command of this instance, with patterns for its arguments.
    Command(Var, u32, u16, &'p [ValuePattern]),
}

impl Test<'_> {
    fn subject(&self) -> Var {
        match self {
            Test::Value(v, _) | Test::Finished(v) | Test::Command(v, ..) => *v,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Row<'p> {
    pub tests: Vec<Test<'p>>,
    pub binds: Vec<(Local, Bind)>,
    pub clause: usize,
    /// Set if the clause is a catch-all for a command that is not captured yet, or binds that
    /// command's continuation.
    pub reached: Reached,
}

impl<'p> Row<'p> {
    /// Matches variables with patterns, in front of the test at `at`.
    fn match_parts(&mut self, at: usize, parts: &[Var], patterns: &'p [ValuePattern]) {
        let rest = self.tests.split_off(at.min(self.tests.len()));
        for (part, pattern) in parts.iter().zip(patterns) {
            match pattern {
                ValuePattern::Any => {}
                ValuePattern::Bind(local) => {
                    self.binds.push((*local, Bind::To(Binding::Var(*part))));
                }
                _ => self.tests.push(Test::Value(*part, pattern)),
            }
        }
        self.tests.extend(rest);
    }
}

/// The rows for a command of an instance, and the variables of its arguments.
type Group<'p> = ((u32, u16), Vec<Var>, Vec<Row<'p>>);

/// The rows for a constructor, and the variables of its fields.
type Case<'p> = (u32, Vec<Var>, Vec<Row<'p>>);

pub(super) enum Tree<'p> {
    Leaf(Row<'p>),
    Fail,
    /// An object whose constructor is the only one.
    Open {
        of: Var,
        fields: Vec<Var>,
        then: Box<Tree<'p>>,
    },
    Constructor {
        of: Var,
        cases: Vec<(u32, Vec<Var>, Tree<'p>)>,
        default: Option<Box<Tree<'p>>>,
    },
    Word {
        of: Var,
        cases: Vec<(Literal, Tree<'p>)>,
        default: Box<Tree<'p>>,
    },
    Float {
        of: Var,
        value: f64,
        equal: Box<Tree<'p>>,
        default: Box<Tree<'p>>,
    },
    String {
        of: Var,
        value: &'p str,
        equal: Box<Tree<'p>>,
        default: Box<Tree<'p>>,
    },
    Paused {
        of: Var,
        finished: Box<Tree<'p>>,
        cases: Vec<((u32, u16), Vec<Var>, Tree<'p>)>,
        default: Box<Tree<'p>>,
    },
    /// The first, and where it fails the second.
    Else(Box<Tree<'p>>, Box<Tree<'p>>),
}

/// The state of one match.
pub(super) struct Match {
    pub bodies: Vec<(TermId, Place)>,
    /// How often a leaf reaches each clause, then, where that is more than once, its join.
    pub reached: Vec<usize>,
    pub joins: Vec<Option<BlockId>>,
    pub scope: usize,
    pub to: Destination,
    /// Whether leaves are left to the clauses of a command.
    pub entry: bool,
    pub operator: u32,
    pub values: Vec<Var>,
    /// What a failure belongs to: all that is matched, and none of the clauses that are written before it.
    pub debug: u32,
    /// Where a failure goes on, innermost last.
    pub failing: Vec<BlockId>,
    /// How many rows may still be copied.
    pub budget: usize,
}

impl<'p> Lower<'_, 'p> {
    /// Tries clauses from the top; the body of the first that matches goes to the destination.
    pub fn match_clauses(
        &mut self,
        args: Vec<Argument>,
        clauses: &'p [Clause],
        scope: usize,
        to: Destination,
        operator: u32,
    ) {
        self.match_rows(args, clauses, scope, to, operator, false);
    }

    /// The same for the clauses of a command that is not captured yet.
    pub fn match_command(
        &mut self,
        args: Vec<Argument>,
        clauses: &'p [Clause],
        scope: usize,
        operator: u32,
    ) {
        self.match_rows(args, clauses, scope, Destination::Return, operator, true);
    }

    fn match_rows(
        &mut self,
        args: Vec<Argument>,
        clauses: &'p [Clause],
        scope: usize,
        to: Destination,
        operator: u32,
        entry: bool,
    ) {
        let debug = self.debug;
        let mut rows = Vec::new();
        let mut bodies = Vec::new();
        for clause in clauses {
            bodies.push((clause.body, clause.place));
            rows.extend(self.row(&args, &clause.patterns, bodies.len() - 1));
        }
        let values = self.shown(&args);
        self.debug = debug;
        self.run_match(rows, bodies, scope, to, operator, values, entry);
    }

    /// `let` with a pattern that may fail.
    pub fn match_one(
        &mut self,
        value: Var,
        pattern: &'p ValuePattern,
        body: TermId,
        scope: usize,
        to: Destination,
    ) {
        let mut row = Row {
            tests: Vec::new(),
            binds: Vec::new(),
            clause: 0,
            reached: Reached::Captured,
        };
        self.test(&mut row, Binding::Var(value), pattern);
        let place = self.shared.program.places.get(body).copied();
        let Some(place) = place.or_else(|| self.shared.any_place()) else {
            return self.shared.fail("a program without places".to_owned());
        };
        let operator = self.shared.name("let");
        self.run_match(
            vec![row],
            vec![(body, place)],
            scope,
            to,
            operator,
            vec![value],
            false,
        );
    }

    #[allow(clippy::too_many_arguments)]
    fn run_match(
        &mut self,
        rows: Vec<Row<'p>>,
        bodies: Vec<(TermId, Place)>,
        scope: usize,
        to: Destination,
        operator: u32,
        values: Vec<Var>,
        entry: bool,
    ) {
        let mut state = Match {
            reached: vec![0; bodies.len()],
            joins: vec![None; bodies.len()],
            budget: rows.len() * 16 + 256,
            bodies,
            scope,
            to,
            entry,
            operator,
            values,
            debug: self.debug,
            failing: Vec::new(),
        };
        let tree = self.tree(rows, &mut state);
        self.write(tree, &mut state);
    }

    /// The arguments that a message about a failed match shows.
    fn shown(&mut self, args: &[Argument]) -> Vec<Var> {
        let mut values = Vec::new();
        for arg in args {
            match arg {
                Argument::Finished(Binding::Var(v)) | Argument::Either(v) | Argument::Paused(v) => {
                    values.push(*v)
                }
                Argument::Finished(Binding::Delayed(..)) => {
                    values.push(self.constant(crate::value::Value::BOTTOM));
                }
                Argument::Command { command, args, .. } => {
                    values.push(self.constant(crate::value::Value::command(*command)));
                    values.extend(args);
                }
            }
        }
        values
    }

    /// A clause as a row, unless it cannot match.
    fn row(
        &mut self,
        args: &[Argument],
        patterns: &'p [Pattern],
        clause: usize,
    ) -> Option<Row<'p>> {
        let mut row = Row {
            tests: Vec::new(),
            binds: Vec::new(),
            clause,
            reached: Reached::Captured,
        };
        for (arg, pattern) in args.iter().zip(patterns) {
            match (arg, pattern) {
                (Argument::Finished(binding), Pattern::Value(value)) => {
                    self.test(&mut row, *binding, value);
                }
                (Argument::Finished(binding), Pattern::CatchAll(local)) => {
                    if let Some(local) = local {
                        let bind = match binding {
                            Binding::Var(v) => Bind::CatchAll(*v),
                            Binding::Delayed(thunk, home) => {
                                Bind::CatchAll(self.closure(*thunk, *home))
                            }
                        };
                        row.binds.push((*local, bind));
                    }
                }
                (Argument::Either(v), Pattern::Value(value)) => {
                    row.tests.push(Test::Finished(*v));
                    self.test(&mut row, Binding::Var(*v), value);
                }
                (
                    Argument::Either(v),
                    Pattern::Command {
                        command,
                        index,
                        args,
                        continuation,
                    },
                ) => {
                    let seen = super::small(*index);
                    row.tests
                        .push(Test::Command(*v, super::raw(*command), seen, args));
                    if let Some(local) = continuation {
                        row.binds.push((*local, Bind::Continuation(*v)));
                    }
                }
                (Argument::Either(v), Pattern::CatchAll(local)) => {
                    if let Some(local) = local {
                        row.binds.push((*local, Bind::CatchAll(*v)));
                    }
                }
                (
                    Argument::Command {
                        command,
                        seen,
                        args,
                    },
                    Pattern::Command {
                        command: wanted,
                        index,
                        args: patterns,
                        continuation,
                    },
                ) if *command == super::raw(*wanted) && *seen == super::small(*index) => {
                    for (arg, pattern) in args.iter().zip(patterns) {
                        self.test(&mut row, Binding::Var(*arg), pattern);
                    }
                    row.reached = Reached::Command(*continuation);
                }
                (Argument::Command { .. }, Pattern::CatchAll(_)) => row.reached = Reached::CatchAll,
                (Argument::Paused(v), Pattern::CatchAll(local)) => {
                    if let Some(local) = local {
                        row.binds.push((*local, Bind::To(Binding::Var(*v))));
                    }
                }
                _ => return None,
            }
        }
        Some(row)
    }

    /// Adds to a row what a value pattern asks of a value.
    fn test(&mut self, row: &mut Row<'p>, binding: Binding, pattern: &'p ValuePattern) {
        match (pattern, binding) {
            (ValuePattern::Any, _) => {}
            (ValuePattern::Bind(local), _) => row.binds.push((*local, Bind::To(binding))),
            (_, Binding::Var(v)) => row.tests.push(Test::Value(v, pattern)),
            // No pattern but a variable has the type of a thunk.
            (_, Binding::Delayed(..)) => {}
        }
    }

    // --- from rows to a tree ---

    fn tree(&mut self, rows: Vec<Row<'p>>, state: &mut Match) -> Tree<'p> {
        deep(|| self.tree_here(rows, state))
    }

    fn tree_here(&mut self, mut rows: Vec<Row<'p>>, state: &mut Match) -> Tree<'p> {
        let Some(first) = rows.first() else {
            return Tree::Fail;
        };
        let Some(test) = first.tests.first().cloned() else {
            let row = rows.swap_remove(0);
            if let Some(count) = state.reached.get_mut(row.clause) {
                *count += 1;
            }
            return Tree::Leaf(row);
        };
        if rows.len() > 1 {
            if state.budget < rows.len() || looks_two_ways(&test, &rows) {
                let rest = rows.split_off(1);
                let first = self.tree(rows, state);
                return Tree::Else(Box::new(first), Box::new(self.tree(rest, state)));
            }
            state.budget -= rows.len();
        }
        if let Test::Value(of, _) = test
            && let Some(rows) = self.decided(of, &rows)
        {
            return self.tree(rows, state);
        }
        match test {
            Test::Value(of, ValuePattern::Constructor(..)) => self.constructors(of, rows, state),
            Test::Value(of, ValuePattern::Int(_) | ValuePattern::Char(_)) => {
                self.literals(of, rows, state)
            }
            Test::Value(of, ValuePattern::Float(value)) => {
                let (equal, default) = part(rows, of, |p| match p {
                    ValuePattern::Float(x) => x == value,
                    _ => false,
                });
                Tree::Float {
                    of,
                    value: *value,
                    equal: Box::new(self.tree(equal, state)),
                    default: Box::new(self.tree(default, state)),
                }
            }
            Test::Value(of, ValuePattern::String(value)) => {
                let (equal, default) = part(rows, of, |p| match p {
                    ValuePattern::String(s) => s == value,
                    _ => false,
                });
                Tree::String {
                    of,
                    value,
                    equal: Box::new(self.tree(equal, state)),
                    default: Box::new(self.tree(default, state)),
                }
            }
            Test::Value(_, ValuePattern::Any | ValuePattern::Bind(_)) => {
                // `test` never adds these.
                Tree::Fail
            }
            Test::Finished(of) | Test::Command(of, ..) => self.paused(of, rows, state),
        }
    }

    /// The rows that are left if an object was made here, so that its constructor is known.
    fn decided(&self, of: Var, rows: &[Row<'p>]) -> Option<Vec<Row<'p>>> {
        let program = self.shared.program;
        // Elsewhere it would change what fits into the function.
        let (made, fields) = self
            .made
            .get(&self.origin(of))
            .filter(|_| self.direct > 0)?;
        let mut left = Vec::new();
        for row in rows {
            let Some(at) = value_test(row, of) else {
                left.push(row.clone());
                continue;
            };
            let mut row = row.clone();
            let Test::Value(_, ValuePattern::Constructor(id, patterns)) = row.tests.remove(at)
            else {
                return None;
            };
            let mut standing = program.standing_for(*id);
            if super::raw(*id) == *made || standing.any(|id| super::raw(id) == *made) {
                row.match_parts(0, fields, patterns);
                left.push(row);
            }
        }
        Some(left)
    }

    fn constructors(&mut self, of: Var, rows: Vec<Row<'p>>, state: &mut Match) -> Tree<'p> {
        let program = self.shared.program;
        let mut groups: Vec<Case<'p>> = Vec::new();
        let mut index: HashMap<u32, usize> = HashMap::new();
        let mut wild: Vec<Row<'p>> = Vec::new();
        let mut total = usize::MAX;
        for mut row in rows {
            let Some(at) = value_test(&row, of) else {
                for (_, _, group) in &mut groups {
                    state.budget = state.budget.saturating_sub(1);
                    group.push(row.clone());
                }
                wild.push(row);
                continue;
            };
            let Test::Value(_, ValuePattern::Constructor(id, patterns)) = row.tests.remove(at)
            else {
                continue;
            };
            total = program.data[program.constructors[*id].data]
                .constructors
                .len();
            for standing in program.standing_for(*id) {
                let slot = self.group(of, standing, &wild, &mut groups, &mut index);
                enter(groups.get_mut(slot), row.clone(), patterns);
            }
            let slot = self.group(of, *id, &wild, &mut groups, &mut index);
            enter(groups.get_mut(slot), row, patterns);
        }
        let complete = groups.len() >= total;
        if complete
            && groups.len() == 1
            && let Some((_, fields, rows)) = groups.pop()
        {
            let then = Box::new(self.tree(rows, state));
            return Tree::Open { of, fields, then };
        }
        let cases = groups
            .into_iter()
            .map(|(key, fields, rows)| (key, fields, self.tree(rows, state)))
            .collect();
        let default = (!complete).then(|| Box::new(self.tree(wild, state)));
        Tree::Constructor { of, cases, default }
    }

    /// The place of a constructor's rows, which begin with those that take any value.
    fn group(
        &mut self,
        of: Var,
        id: ConstructorId,
        wild: &[Row<'p>],
        groups: &mut Vec<Case<'p>>,
        index: &mut HashMap<u32, usize>,
    ) -> usize {
        let key = super::raw(id);
        *index.entry(key).or_insert_with(|| {
            let fields = &self.shared.program.constructors[id].fields;
            let fields: Vec<Var> = (0..fields.len()).map(|_| self.fresh()).collect();
            if let Some((made, parts)) = self.made.get(&self.origin(of))
                && *made == key
            {
                let fields = fields.iter().copied();
                self.fields.extend(fields.zip(parts.iter().copied()));
            }
            groups.push((key, fields, wild.to_vec()));
            groups.len() - 1
        })
    }

    fn literals(&mut self, of: Var, rows: Vec<Row<'p>>, state: &mut Match) -> Tree<'p> {
        let mut groups: Vec<(Literal, Vec<Row<'p>>)> = Vec::new();
        let mut index: HashMap<Literal, usize> = HashMap::new();
        let mut wild: Vec<Row<'p>> = Vec::new();
        for mut row in rows {
            let Some(at) = value_test(&row, of) else {
                for (_, group) in &mut groups {
                    state.budget = state.budget.saturating_sub(1);
                    group.push(row.clone());
                }
                wild.push(row);
                continue;
            };
            let key = match row.tests.remove(at) {
                Test::Value(_, ValuePattern::Int(i)) => Literal::Int(*i),
                Test::Value(_, ValuePattern::Char(c)) => Literal::Char(*c),
                _ => continue,
            };
            let slot = *index.entry(key).or_insert_with(|| {
                groups.push((key, wild.clone()));
                groups.len() - 1
            });
            if let Some((_, group)) = groups.get_mut(slot) {
                group.push(row);
            }
        }
        let cases = groups
            .into_iter()
            .map(|(key, rows)| (key, self.tree(rows, state)))
            .collect();
        Tree::Word {
            of,
            cases,
            default: Box::new(self.tree(wild, state)),
        }
    }

    fn paused(&mut self, of: Var, rows: Vec<Row<'p>>, state: &mut Match) -> Tree<'p> {
        let mut finished: Vec<Row<'p>> = Vec::new();
        let mut groups: Vec<Group<'p>> = Vec::new();
        let mut wild: Vec<Row<'p>> = Vec::new();
        for mut row in rows {
            let status = row.tests.iter().position(|t| {
                t.subject() == of && matches!(t, Test::Finished(_) | Test::Command(..))
            });
            let Some(at) = status else {
                state.budget = state.budget.saturating_sub(groups.len() + 1);
                finished.push(row.clone());
                for (_, _, group) in &mut groups {
                    group.push(row.clone());
                }
                wild.push(row);
                continue;
            };
            match row.tests.remove(at) {
                Test::Command(_, command, seen, patterns) => {
                    let key = (command, seen);
                    let slot = match groups.iter().position(|(k, _, _)| *k == key) {
                        Some(slot) => slot,
                        None => {
                            let args = patterns.iter().map(|_| self.fresh()).collect();
                            groups.push((key, args, wild.clone()));
                            groups.len() - 1
                        }
                    };
                    if let Some((_, args, group)) = groups.get_mut(slot) {
                        row.match_parts(at, args, patterns);
                        group.push(row);
                    }
                }
                _ => finished.push(row),
            }
        }
        Tree::Paused {
            of,
            finished: Box::new(self.tree(finished, state)),
            cases: groups
                .into_iter()
                .map(|(key, args, rows)| (key, args, self.tree(rows, state)))
                .collect(),
            default: Box::new(self.tree(wild, state)),
        }
    }
}

/// Adds a row to those for a constructor, with what its pattern asks of the fields.
fn enter<'p>(case: Option<&mut Case<'p>>, mut row: Row<'p>, patterns: &'p [ValuePattern]) {
    let Some((_, fields, rows)) = case else {
        return;
    };
    // The arguments are tested before what the row tests otherwise.
    row.match_parts(0, fields, patterns);
    rows.push(row);
}

/// Where a row tests a value.
fn value_test(row: &Row<'_>, of: Var) -> Option<usize> {
    row.tests
        .iter()
        .position(|t| matches!(t, Test::Value(v, _) if *v == of))
}

/// Whether a value is taken for a string by one row, and for a list by another. What the one finds
/// out says little about the other, so they are tried one after the other.
fn looks_two_ways(test: &Test<'_>, rows: &[Row<'_>]) -> bool {
    let Test::Value(of, pattern) = test else {
        return false;
    };
    let is_string = |pattern: &ValuePattern| matches!(pattern, ValuePattern::String(_));
    let is_list = |pattern: &ValuePattern| matches!(pattern, ValuePattern::Constructor(..));
    let others = rows
        .iter()
        .filter_map(|row| row.tests.get(value_test(row, *of)?));
    let mut others = others;
    others.any(|other| match other {
        Test::Value(_, other) => {
            is_string(pattern) && is_list(other) || is_list(pattern) && is_string(other)
        }
        _ => false,
    })
}

/// Rows by whether a test of equality holds: the rows that pass or do not ask, and the others.
fn part<'p>(
    rows: Vec<Row<'p>>,
    of: Var,
    equal: impl Fn(&ValuePattern) -> bool,
) -> (Vec<Row<'p>>, Vec<Row<'p>>) {
    let mut yes = Vec::new();
    let mut no = Vec::new();
    for row in rows {
        match value_test(&row, of) {
            None => {
                yes.push(row.clone());
                no.push(row);
            }
            Some(at) => match row.tests.get(at) {
                Some(Test::Value(_, pattern)) if equal(pattern) => {
                    let mut row = row;
                    row.tests.remove(at);
                    yes.push(row);
                }
                _ => no.push(row),
            },
        }
    }
    (yes, no)
}
