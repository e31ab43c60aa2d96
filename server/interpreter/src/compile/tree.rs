//! Decision trees to blocks.

use std::collections::HashMap;

use super::deep;
use super::ir::{BlockId, Cases, End, Statement, Var};
use super::lower::{Binding, Lower};
use super::matching::{Bind, Match, Row, Tree};

impl<'p> Lower<'_, 'p> {
    /// Writes a tree, with a join for every clause that it reaches more than once.
    pub fn write(&mut self, tree: Tree<'p>, state: &mut Match) {
        let mut outlined = Vec::new();
        for clause in 0..state.bodies.len() {
            if state.reached.get(clause).is_some_and(|n| *n > 1) {
                // Its parameters become known at the first leaf; see `leaf`.
                let join = self.block(Vec::new());
                let inner = self.block(Vec::new());
                self.end(End::With { join, inner });
                self.current = inner;
                if let Some(slot) = state.joins.get_mut(clause) {
                    *slot = Some(join);
                }
                outlined.push((clause, join));
            }
        }
        let mut rows = HashMap::new();
        self.write_tree(tree, state, &mut rows);
        for (clause, join) in outlined {
            self.current = join;
            if let Some(row) = rows.remove(&clause) {
                self.body(row, state);
            }
        }
    }

    fn write_tree(
        &mut self,
        tree: Tree<'p>,
        state: &mut Match,
        rows: &mut HashMap<usize, Row<'p>>,
    ) {
        deep(|| self.write_tree_here(tree, state, rows))
    }

    fn write_tree_here(
        &mut self,
        tree: Tree<'p>,
        state: &mut Match,
        rows: &mut HashMap<usize, Row<'p>>,
    ) {
        match tree {
            Tree::Leaf(row) => match state.joins.get(row.clause).copied().flatten() {
                Some(join) => self.leaf(row, join, rows),
                None => self.body(row, state),
            },
            Tree::Fail => {
                self.debug = state.debug;
                match state.failing.last() {
                    Some(join) => self.end(End::Jump {
                        join: *join,
                        args: Vec::new(),
                    }),
                    None if state.entry => self.command_fails(state.operator, state.values.clone()),
                    None => {
                        let to = self.leave(state.to);
                        self.fails(state.operator, state.values.clone(), to);
                    }
                }
            }
            Tree::Open { of, fields, then } => {
                if !fields.is_empty() {
                    self.push(Statement::Project { of, fields });
                }
                self.write_tree(*then, state, rows);
            }
            Tree::Constructor { of, cases, default } => {
                let here = self.current;
                let mut targets = Vec::new();
                for (constructor, fields, tree) in cases {
                    targets.push((
                        constructor,
                        self.write_case(tree, state, rows, |lower| {
                            if !fields.is_empty() {
                                lower.push(Statement::Project { of, fields });
                            }
                        }),
                    ));
                }
                let default = default.map(|tree| self.write_case(*tree, state, rows, |_| {}));
                self.current = here;
                self.end(End::Switch {
                    of,
                    cases: Cases::Constructor {
                        cases: targets,
                        default,
                    },
                });
            }
            Tree::Word { of, cases, default } => {
                let here = self.current;
                let cases = cases
                    .into_iter()
                    .map(|(key, tree)| (key, self.write_case(tree, state, rows, |_| {})))
                    .collect();
                let default = self.write_case(*default, state, rows, |_| {});
                self.current = here;
                self.end(End::Switch {
                    of,
                    cases: Cases::Word { cases, default },
                });
            }
            Tree::Float {
                of,
                value,
                equal,
                default,
            } => {
                let here = self.current;
                let equal = self.write_case(*equal, state, rows, |_| {});
                let default = self.write_case(*default, state, rows, |_| {});
                self.current = here;
                self.end(End::Switch {
                    of,
                    cases: Cases::Float {
                        value,
                        equal,
                        default,
                    },
                });
            }
            Tree::String {
                of,
                value,
                equal,
                default,
            } => {
                let here = self.current;
                let equal = self.write_case(*equal, state, rows, |_| {});
                let default = self.write_case(*default, state, rows, |_| {});
                self.current = here;
                let id = self.shared.pattern_string(value);
                self.end(End::Switch {
                    of,
                    cases: Cases::String { id, equal, default },
                });
            }
            Tree::Paused {
                of,
                finished,
                cases,
                default,
            } => {
                let here = self.current;
                let finished = self.write_case(*finished, state, rows, |_| {});
                let mut targets = Vec::new();
                for (key, args, tree) in cases {
                    targets.push((
                        key,
                        self.write_case(tree, state, rows, |lower| {
                            if !args.is_empty() {
                                lower.push(Statement::PausedArgs { of, args });
                            }
                        }),
                    ));
                }
                let default = self.write_case(*default, state, rows, |_| {});
                self.current = here;
                self.end(End::Switch {
                    of,
                    cases: Cases::Paused {
                        finished,
                        cases: targets,
                        default,
                    },
                });
            }
            Tree::Else(first, second) => {
                let join = self.block(Vec::new());
                let inner = self.block(Vec::new());
                self.end(End::With { join, inner });
                self.current = inner;
                state.failing.push(join);
                self.write_tree(*first, state, rows);
                state.failing.pop();
                self.current = join;
                self.write_tree(*second, state, rows);
            }
        }
    }

    fn write_case(
        &mut self,
        tree: Tree<'p>,
        state: &mut Match,
        rows: &mut HashMap<usize, Row<'p>>,
        first: impl FnOnce(&mut Self),
    ) -> BlockId {
        let block = self.block(Vec::new());
        self.current = block;
        first(self);
        self.write_tree(tree, state, rows);
        block
    }

    /// Jumps from a leaf to its clause. The first leaf fixes what the clause's parameters are.
    fn leaf(&mut self, mut row: Row<'p>, join: BlockId, rows: &mut HashMap<usize, Row<'p>>) {
        // All leaves of a clause bind the same locals, but not in the same order.
        row.binds.sort_by_key(|(local, _)| *local);
        let args: Vec<Var> = row
            .binds
            .iter()
            .filter_map(|(_, b)| self.bound(*b))
            .collect();
        self.end(End::Jump { join, args });
        if rows.contains_key(&row.clause) {
            return;
        }
        let mut parameters = Vec::new();
        for (_, bind) in &mut row.binds {
            if !matches!(bind, Bind::To(Binding::Delayed(..))) {
                let parameter = self.fresh();
                *bind = Bind::To(Binding::Var(parameter));
                parameters.push(parameter);
            }
        }
        if let Some(block) = self.blocks.get_mut(join) {
            block.parameters = parameters;
        }
        rows.insert(row.clause, row);
    }

    /// The variable that a local is bound to, made now if it must be; `None` for a thunk that is
    /// not a value yet.
    fn bound(&mut self, bind: Bind) -> Option<Var> {
        match bind {
            Bind::To(Binding::Var(var)) => Some(var),
            Bind::To(Binding::Delayed(..)) => None,
            Bind::CatchAll(from) => {
                let to = self.fresh();
                self.push(Statement::CatchAll { to, from });
                Some(to)
            }
            Bind::Continuation(from) => {
                let to = self.fresh();
                self.push(Statement::PausedContinuation { to, from });
                self.note_continuation(to);
                Some(to)
            }
        }
    }

    /// Lowers the clause of a row that has matched.
    fn body(&mut self, row: Row<'p>, state: &mut Match) {
        for (local, bind) in &row.binds {
            let binding = match (bind, self.bound(*bind)) {
                (_, Some(var)) => Binding::Var(var),
                (Bind::To(binding), None) => *binding,
                (_, None) => continue,
            };
            self.bind(state.scope, *local, binding);
        }
        let Some((body, place)) = state.bodies.get(row.clause).copied() else {
            return;
        };
        self.at_place(Some(place), state.scope);
        if state.entry {
            self.command_clause(row.clause, body, row.reached);
        } else {
            self.tail(body, state.scope, state.to);
        }
    }
}
