//! Which values no clause matches, and which clauses match nothing.
//!
//! The patterns of all clauses form a matrix, a row for each clause and a column for each port.
//! It is split by the heads of one column at a time, the left-most in which the first row makes a
//! difference: what remains for each head is a smaller matrix. A matrix whose first row matches
//! everything shows that row's clause to be of use; one without rows shows values that nothing
//! matches. (Luc Maranget, "Warnings for pattern matching", 2007.)
//!
//! A port has a head for finished values, and one for each command of each instance that it
//! adds. Rows are grouped by head in one pass, and a group takes no more rows once one matches
//! everything. Columns in which nothing is demanded are set aside, as long lists of variables would
//! otherwise be copied for each of their elements. So matches as they are written cost about their
//! size; what costs more than [`EFFORT`] is given up.

use std::collections::{HashMap, HashSet};

use frank_syntax::ast::{Item, PatternId, PatternKind};
use frank_syntax::stack::ensure_sufficient_stack;

use super::inhabited::Inhabited;
use crate::builtin;
use crate::db::Db;
use crate::declarations::{data_type, interface};
use crate::infer::table::Table;
use crate::infer::{Body, ResolvedPattern};
use crate::program::{CommandDef, ConstructorDef};
use crate::types::{Instance, Ty, TyKind};

/// So many patterns at most are looked at for one match.
const EFFORT: u32 = 5_000_000;
/// What a value without a clause has beyond so many decisions is left open: nobody would read it.
const MOST_DECISIONS: u32 = 200;
/// So many values without a clause at most are written out.
pub const MOST_WITNESSES: usize = 8;

/// A pattern, or what is left of one.
#[derive(Clone, Copy)]
pub enum Cell<'a> {
    Any,
    /// A pattern of a port that adds instances.
    Port(u32, PatternId),
    /// A pattern for values, of the numbered source.
    Value(u32, PatternId),
    /// What is left of the list pattern `id`.
    List(u32, PatternId, &'a [PatternId]),
    /// What is left of a string.
    Text(&'a str),
    Char(char),
}

/// What a pattern demands at its outermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Head {
    Any,
    /// A finished value, whatever it is.
    Finished,
    /// A command of the `index`-th instance of its interface from the right.
    Command(CommandDef, u32),
    Constructor(ConstructorDef),
    Integer(i64),
    Char(char),
}

/// Values of a port that no clause matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Witness {
    Any,
    /// Some other number, character or string than those that have a clause.
    Other,
    Integer(i64),
    Char(char),
    /// The value that a handled computation ends with.
    Finished(Box<Witness>),
    Constructor(ConstructorDef, Vec<Witness>),
    Command(CommandDef, u32, Vec<Witness>),
}

/// What a column ranges over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    /// The port of this number, which adds instances.
    Port(usize),
    Value,
}

#[derive(Clone)]
pub struct Row<'a> {
    pub cells: Vec<Cell<'a>>,
    /// The clause's number.
    pub clause: u32,
}

/// A match: where its patterns come from, and what its ports add.
pub struct Matrix<'a> {
    pub db: &'a dyn Db,
    pub table: &'a Table,
    pub sources: Vec<(&'a Item, &'a Body)>,
    /// For each port, the instances that it adds with their indices from the right.
    pub added: Vec<Vec<(Instance, u32)>>,
    /// For each port, its type.
    pub types: Vec<Ty>,
    /// In the order of their clauses.
    pub rows: Vec<Row<'a>>,
    pub inhabited: Inhabited<'a>,
}

/// What was found out about a match.
pub struct Coverage {
    /// Values without a clause, a pattern for each port.
    pub missing: Vec<Vec<Witness>>,
    /// There are more of them.
    pub more: bool,
    /// The clauses that match something.
    pub useful: Vec<bool>,
    /// The match was too large to be decided; nothing else counts.
    pub given_up: bool,
}

struct Explorer<'m, 'a> {
    matrix: &'m Matrix<'a>,
    effort: u32,
    /// So many columns have been split on the way here.
    depth: u32,
    coverage: Coverage,
    /// Follow this clause alone, and note which others come before it.
    target: Option<u32>,
    before: Vec<u32>,
}

impl<'a> Matrix<'a> {
    /// The cell of a port's pattern.
    pub fn cell(&self, port: usize, source: u32, pattern: PatternId) -> Cell<'a> {
        let adds = self.added.get(port).is_some_and(|added| !added.is_empty());
        if adds {
            Cell::Port(source, pattern)
        } else {
            Cell::Value(source, pattern)
        }
    }

    fn columns(&self) -> Vec<Column> {
        let column = |(i, added): (usize, &Vec<_>)| {
            if added.is_empty() {
                Column::Value
            } else {
                Column::Port(i)
            }
        };
        self.added.iter().enumerate().map(column).collect()
    }

    /// What the clauses cover.
    pub fn coverage(&self, clauses: usize) -> Coverage {
        let coverage = Coverage {
            missing: Vec::new(),
            more: false,
            useful: vec![false; clauses],
            given_up: false,
        };
        let mut explorer = Explorer {
            matrix: self,
            effort: EFFORT,
            depth: 0,
            coverage,
            target: None,
            before: Vec::new(),
        };
        explorer.coverage.missing = explorer.explore(&self.columns(), self.rows.clone());
        explorer.coverage
    }

    /// The clauses that match, before it, all that a clause would; empty if it could match no
    /// value at all. `None` where that takes too long.
    pub fn shadows(&self, clause: u32, effort: &mut u32) -> Option<Vec<u32>> {
        let followed = self.rows.partition_point(|row| row.clause <= clause);
        let rows = self.rows.get(..followed).unwrap_or_default();
        // Even the copies of very many rows would take too long.
        if cells(rows.len(), self.added.len()) > *effort {
            return None;
        }
        let before = self.before(clause, rows.to_vec(), effort)?;
        let (true, Some(last)) = (before.len() > 1, rows.last()) else {
            return Some(before);
        };
        // A clause that does by itself says more than all that come first for some values.
        for row in rows.iter().filter(|row| before.contains(&row.clause)) {
            let pair = vec![row.clone(), last.clone()];
            if self.before(clause, pair, effort)? == [row.clause] {
                return Some(vec![row.clause]);
            }
        }
        Some(before)
    }

    /// Of some rows, the last of which is a clause's, those that match what it would, and itself if something is
    /// left for it.
    fn before(&self, clause: u32, rows: Vec<Row<'a>>, effort: &mut u32) -> Option<Vec<u32>> {
        let coverage = Coverage {
            missing: Vec::new(),
            more: false,
            useful: Vec::new(),
            given_up: false,
        };
        let mut explorer = Explorer {
            matrix: self,
            effort: *effort,
            depth: 0,
            coverage,
            target: Some(clause),
            before: Vec::new(),
        };
        explorer.explore(&self.columns(), rows);
        *effort = explorer.effort;
        let mut before = explorer.before;
        before.sort_unstable();
        before.dedup();
        (!explorer.coverage.given_up).then_some(before)
    }

    fn head(&self, cell: Cell<'a>) -> Head {
        match cell {
            Cell::Any => Head::Any,
            Cell::Port(source, pattern) => match self.pattern(source, pattern) {
                Some((
                    PatternKind::Command { index, .. },
                    Some(ResolvedPattern::Command { command, .. }),
                )) => Head::Command(*command, *index),
                Some((kind, _)) if !kind.handles() => Head::Finished,
                _ => Head::Any,
            },
            Cell::Value(source, pattern) => match self.pattern(source, pattern) {
                Some((kind, resolved)) => self.value_head(kind, resolved),
                None => Head::Any,
            },
            Cell::List(_, _, []) => Head::Constructor(builtin::nil(self.db)),
            Cell::List(..) => Head::Constructor(builtin::cons(self.db)),
            Cell::Text("") => Head::Constructor(builtin::nil(self.db)),
            Cell::Text(_) => Head::Constructor(builtin::cons(self.db)),
            Cell::Char(char) => Head::Char(char),
        }
    }

    fn pattern(
        &self,
        source: u32,
        pattern: PatternId,
    ) -> Option<(&'a PatternKind, Option<&'a ResolvedPattern>)> {
        let (item, body) = *self.sources.get(source as usize)?;
        Some((&item.patterns[pattern].kind, body.patterns.get(pattern)))
    }

    fn value_head(&self, kind: &PatternKind, resolved: Option<&ResolvedPattern>) -> Head {
        match kind {
            PatternKind::Name(_) | PatternKind::Constructor { .. } => match resolved {
                Some(ResolvedPattern::Constructor(constructor)) => Head::Constructor(*constructor),
                _ => Head::Any,
            },
            PatternKind::Integer(Some(value)) => Head::Integer(*value),
            PatternKind::Char(char) => Head::Char(*char),
            PatternKind::String(text) if text.is_empty() => {
                Head::Constructor(builtin::nil(self.db))
            }
            PatternKind::List(elements) if elements.is_empty() => {
                Head::Constructor(builtin::nil(self.db))
            }
            PatternKind::String(_) | PatternKind::List(_) | PatternKind::Cons { .. } => {
                Head::Constructor(builtin::cons(self.db))
            }
            PatternKind::Integer(None)
            | PatternKind::Missing
            | PatternKind::CatchAll(_)
            | PatternKind::Command { .. } => Head::Any,
        }
    }

    /// Appends the cells under a cell's head.
    fn children(&self, cell: Cell<'a>, into: &mut Vec<Cell<'a>>) {
        match cell {
            Cell::Any | Cell::Char(_) => {}
            Cell::Port(source, pattern) => match self.pattern(source, pattern) {
                Some((PatternKind::Command { args, .. }, _)) => {
                    into.extend(args.iter().map(|arg| Cell::Value(source, *arg)));
                }
                Some(_) => into.push(Cell::Value(source, pattern)),
                None => {}
            },
            Cell::Value(source, pattern) => match self.pattern(source, pattern) {
                Some((PatternKind::Constructor { args, .. }, _)) => {
                    into.extend(args.iter().map(|arg| Cell::Value(source, *arg)));
                }
                Some((PatternKind::Cons { head, tail }, _)) => {
                    into.extend([Cell::Value(source, *head), Cell::Value(source, *tail)]);
                }
                Some((PatternKind::List(elements), _)) => {
                    self.children(Cell::List(source, pattern, elements), into);
                }
                Some((PatternKind::String(text), _)) => self.children(Cell::Text(text), into),
                _ => {}
            },
            Cell::List(source, pattern, elements) => {
                if let Some((first, rest)) = elements.split_first() {
                    into.extend([
                        Cell::Value(source, *first),
                        Cell::List(source, pattern, rest),
                    ]);
                }
            }
            Cell::Text(text) => {
                let mut chars = text.chars();
                if let Some(first) = chars.next() {
                    into.extend([Cell::Char(first), Cell::Text(chars.as_str())]);
                }
            }
        }
    }

    /// Whether a cell is a string, or the rest of one.
    fn is_text(&self, cell: Cell<'a>) -> bool {
        match cell {
            Cell::Text(_) => true,
            Cell::Value(source, pattern) => {
                matches!(
                    self.pattern(source, pattern),
                    Some((PatternKind::String(_), _))
                )
            }
            _ => false,
        }
    }

    /// The type of what a cell matches, where it is recorded.
    fn ty(&self, cell: Cell<'a>) -> Option<Ty> {
        match cell {
            Cell::Value(source, pattern) | Cell::List(source, pattern, _) => {
                let (_, body) = self.sources.get(source as usize)?;
                body.pattern_types.get(pattern).copied()
            }
            Cell::Any | Cell::Port(..) | Cell::Text(_) | Cell::Char(_) => None,
        }
    }

    /// The heads of the values that a pattern with a head matches, its own first.
    fn matched_by(&self, head: Head) -> Vec<Head> {
        let Head::Constructor(constructor) = head else {
            return vec![head];
        };
        let definition = constructor.data.0;
        let Some(declared) = data_type(self.db, definition.scope, definition.name) else {
            return vec![head];
        };
        let matched = declared.matched_by(constructor.index).filter_map(|index| {
            let name = declared.constructors.get(index as usize)?.name;
            Some(Head::Constructor(ConstructorDef {
                data: constructor.data,
                index,
                name,
            }))
        });
        matched.collect()
    }

    /// The constructor that one stands for, by its number.
    fn stands_for(&self, constructor: ConstructorDef) -> Option<u32> {
        let definition = constructor.data.0;
        let declared = data_type(self.db, definition.scope, definition.name).as_ref()?;
        declared.stands_for(constructor.index)
    }

    /// A group of a head that had no row so far, with the rows that take any value.
    fn group(&self, head: Head, rest: &[Row<'a>]) -> Group<'a> {
        let mut group = Group {
            head,
            rows: Vec::new(),
            closed: false,
        };
        let arity = self.arity(head);
        for row in rest {
            let mut cells = vec![Cell::Any; arity];
            cells.extend_from_slice(&row.cells);
            let clause = row.clause;
            group.push(Row { cells, clause }, self);
        }
        group
    }

    fn arity(&self, head: Head) -> usize {
        match head {
            Head::Any | Head::Integer(_) | Head::Char(_) => 0,
            Head::Finished => 1,
            Head::Command(command, _) => {
                let definition = command.interface.0;
                let declared = interface(self.db, definition.scope, definition.name).as_ref();
                let command = declared.and_then(|d| d.commands.get(command.index as usize));
                command.map_or(0, |command| command.args.len())
            }
            Head::Constructor(constructor) => {
                let definition = constructor.data.0;
                let declared = data_type(self.db, definition.scope, definition.name).as_ref();
                let made = declared.and_then(|d| d.constructors.get(constructor.index as usize));
                made.map_or(0, |constructor| constructor.fields.len())
            }
        }
    }
}

/// The rows that have one head, with the cells under it first.
struct Group<'a> {
    head: Head,
    rows: Vec<Row<'a>>,
    /// The last row matches everything, so that no other matters.
    closed: bool,
}

impl<'a> Group<'a> {
    fn push(&mut self, row: Row<'a>, matrix: &Matrix<'a>) {
        self.closed = row.cells.iter().all(|cell| matrix.head(*cell) == Head::Any);
        self.rows.push(row);
    }
}

/// What a look at a matrix costs.
fn cells(rows: usize, columns: usize) -> u32 {
    let cells = rows.saturating_mul(columns + 1).saturating_add(1);
    u32::try_from(cells).unwrap_or(u32::MAX)
}

/// What is kept of as many things as there are decisions.
fn kept<T>(all: impl Iterator<Item = T>, decisions: &[bool]) -> impl Iterator<Item = T> {
    all.zip(decisions)
        .filter_map(|(one, kept)| kept.then_some(one))
}

impl<'a> Explorer<'_, 'a> {
    /// Looks at a matrix; gives the values that no row matches.
    fn explore(&mut self, columns: &[Column], rows: Vec<Row<'a>>) -> Vec<Vec<Witness>> {
        self.depth += 1;
        let found = ensure_sufficient_stack(|| self.explore_here(columns, rows));
        self.depth -= 1;
        if self.depth < MOST_DECISIONS || found.is_empty() {
            return found;
        }
        vec![vec![Witness::Any; columns.len()]]
    }

    /// For each column, whether some row demands anything there.
    fn demanded(&self, columns: usize, rows: &[Row<'a>]) -> Vec<bool> {
        let mut demanded = vec![false; columns];
        for row in rows {
            for (demanded, cell) in demanded.iter_mut().zip(&row.cells) {
                *demanded = *demanded || self.matrix.head(*cell) != Head::Any;
            }
        }
        demanded
    }

    /// Looks at the columns in which something is demanded. In the others, any value is missing
    /// with those that are.
    fn explore_demanded(
        &mut self,
        columns: &[Column],
        rows: Vec<Row<'a>>,
        demanded: &[bool],
    ) -> Vec<Vec<Witness>> {
        let columns: Vec<Column> = kept(columns.iter().copied(), demanded).collect();
        let rows = rows.into_iter().map(|row| Row {
            cells: kept(row.cells.into_iter(), demanded).collect(),
            clause: row.clause,
        });
        let found = self.explore_here(&columns, rows.collect());
        let whole = found.into_iter().map(|witness| {
            let mut witness = witness.into_iter();
            let mut at = |demanded: &bool| match demanded {
                true => witness.next().unwrap_or(Witness::Any),
                false => Witness::Any,
            };
            demanded.iter().map(&mut at).collect()
        });
        whole.collect()
    }

    fn explore_here(&mut self, columns: &[Column], rows: Vec<Row<'a>>) -> Vec<Vec<Witness>> {
        match self.effort.checked_sub(cells(rows.len(), columns.len())) {
            Some(left) => self.effort = left,
            None => self.coverage.given_up = true,
        }
        if self.coverage.given_up {
            return Vec::new();
        }
        let Some(first) = rows.first() else {
            return vec![vec![Witness::Any; columns.len()]];
        };
        let decisive = first
            .cells
            .iter()
            .position(|cell| self.matrix.head(*cell) != Head::Any);
        let Some(at) = decisive else {
            self.reached(first.clause);
            return Vec::new();
        };
        let demanded = self.demanded(columns.len(), &rows);
        if demanded.contains(&false) {
            return self.explore_demanded(columns, rows, &demanded);
        }
        let column = columns.get(at).copied().unwrap_or(Column::Value);
        let (groups, rest) = self.split(at, &rows);
        let mut rest_columns = columns.to_vec();
        rest_columns.remove(at);
        let typed = rows
            .iter()
            .find_map(|row| self.matrix.ty(*row.cells.get(at)?));
        let first_head = groups.first().map_or(Head::Any, |group| group.head);
        let absent = self.absent(column, first_head, typed, &groups);
        let mut found = Vec::new();
        for group in groups {
            if !self.concerns(&group.rows) || !self.possible(column, group.head, typed) {
                continue;
            }
            let arity = self.matrix.arity(group.head);
            let mut inner = vec![Column::Value; arity];
            inner.extend_from_slice(&rest_columns);
            for witness in self.explore(&inner, group.rows) {
                found.push(rebuilt(witness, group.head, arity, at));
            }
        }
        self.without_standing(&mut found, at);
        if !absent.is_empty() && self.concerns(&rest) {
            for witness in self.explore(&rest_columns, rest) {
                for head in &absent {
                    let arity = self.matrix.arity(*head);
                    let mut whole = vec![Witness::Any; arity];
                    whole.extend(witness.iter().cloned());
                    found.push(rebuilt(whole, *head, arity, at));
                }
            }
        }
        if rows.iter().any(|row| {
            row.cells
                .get(at)
                .is_some_and(|cell| self.matrix.is_text(*cell))
        }) {
            generalise(&mut found, at);
        }
        if found.len() > MOST_WITNESSES {
            self.coverage.more = true;
            found.truncate(MOST_WITNESSES);
        }
        found
    }

    /// Leaves out what is missing of a constructor that stands for another one, where the same is
    /// missing of that one.
    fn without_standing(&self, found: &mut Vec<Vec<Witness>>, at: usize) {
        let standing = |witness: &Vec<Witness>| match witness.get(at) {
            Some(Witness::Constructor(constructor, _)) => self.matrix.stands_for(*constructor),
            _ => None,
        };
        if found.iter().all(|witness| standing(witness).is_none()) {
            return;
        }
        let all = found.clone();
        found.retain(|witness| {
            let (Some(Witness::Constructor(constructor, args)), Some(other)) =
                (witness.get(at), standing(witness))
            else {
                return true;
            };
            !all.iter().any(|other_witness| {
                let mut pairs = witness.iter().zip(other_witness).enumerate();
                pairs.all(|(i, (own, its))| match its {
                    Witness::Constructor(base, parts) if i == at => {
                        base.data == constructor.data
                            && base.index == other
                            && args.starts_with(parts)
                    }
                    _ => i != at && own == its,
                })
            })
        });
    }

    /// A clause is the first to match something.
    fn reached(&mut self, clause: u32) {
        if self.target.is_some() {
            self.before.push(clause);
        }
        if let Some(useful) = self.coverage.useful.get_mut(clause as usize) {
            *useful = true;
        }
    }

    /// Whether rows are worth looking at: all are, unless one clause is being followed.
    fn concerns(&self, rows: &[Row<'a>]) -> bool {
        match self.target {
            Some(target) => rows.iter().any(|row| row.clause == target),
            None => true,
        }
    }

    /// Sorts rows by the head of one column. Rows without a head there are in every group, and
    /// by themselves in what is given second.
    fn split(&self, at: usize, rows: &[Row<'a>]) -> (Vec<Group<'a>>, Vec<Row<'a>>) {
        let matrix = self.matrix;
        let mut groups: Vec<Group<'a>> = Vec::new();
        let mut known: HashMap<Head, usize> = HashMap::new();
        let mut rest = Group {
            head: Head::Any,
            rows: Vec::new(),
            closed: false,
        };
        for row in rows {
            let Some(cell) = row.cells.get(at).copied() else {
                continue;
            };
            let head = matrix.head(cell);
            if head == Head::Any {
                for group in groups.iter_mut().filter(|group| self.open(group)) {
                    group.push(widened(row, at, matrix.arity(group.head)), matrix);
                }
                if self.open(&rest) {
                    rest.push(widened(row, at, 0), matrix);
                }
                continue;
            }
            for head in matrix.matched_by(head) {
                let index = *known.entry(head).or_insert(groups.len());
                if index == groups.len() {
                    groups.push(matrix.group(head, &rest.rows));
                }
                if let Some(group) = groups.get_mut(index)
                    && self.open(group)
                {
                    let mut cells = Vec::with_capacity(row.cells.len() + 1);
                    matrix.children(cell, &mut cells);
                    cells.resize(matrix.arity(head), Cell::Any);
                    cells.extend(without(&row.cells, at));
                    let clause = row.clause;
                    group.push(Row { cells, clause }, matrix);
                }
            }
        }
        (groups, rest.rows)
    }

    /// Whether a group takes more rows. The clause that is followed is wanted in any case.
    fn open(&self, group: &Group<'a>) -> bool {
        !group.closed || self.target.is_some()
    }

    /// The heads that a column can have and none of its rows has.
    fn absent(
        &self,
        column: Column,
        first: Head,
        typed: Option<Ty>,
        groups: &[Group<'a>],
    ) -> Vec<Head> {
        match (column, first) {
            (Column::Port(port), _) => {
                let present: HashSet<Head> = groups.iter().map(|group| group.head).collect();
                let mut heads = vec![Head::Finished];
                for (added, index) in self.matrix.added.get(port).into_iter().flatten() {
                    let definition = added.interface.0;
                    let declared = interface(self.matrix.db, definition.scope, definition.name);
                    let commands = declared.iter().flat_map(|declared| &declared.commands);
                    heads.extend(commands.enumerate().map(|(i, command)| {
                        let command = CommandDef {
                            interface: added.interface,
                            index: i as u32,
                            name: command.name,
                        };
                        Head::Command(command, *index)
                    }));
                }
                heads.retain(|head| !present.contains(head) && self.possible(column, *head, None));
                heads
            }
            (Column::Value, Head::Constructor(constructor)) => {
                let definition = constructor.data.0;
                let declared = data_type(self.matrix.db, definition.scope, definition.name);
                let all = declared.iter().flat_map(|declared| &declared.constructors);
                let present: HashSet<u32> = groups
                    .iter()
                    .filter_map(|group| match group.head {
                        Head::Constructor(constructor) => Some(constructor.index),
                        _ => None,
                    })
                    .collect();
                let name = |i: u32| Some(all.clone().nth(i as usize)?.name);
                // A second constructor of one name is an error of its own.
                let mut names = HashSet::new();
                let firsts = (0..).zip(all.clone());
                let firsts = firsts.filter(|(_, made)| names.insert(made.name));
                let absent = firsts.filter(|(i, _)| {
                    // One that stands for another is written only where that one is not enough.
                    let other = declared.as_ref().and_then(|d| d.stands_for(*i));
                    let is_covered = other.is_some_and(|other| {
                        let first = all.clone().position(|made| Some(made.name) == name(other));
                        !present.contains(&other) && first == Some(other as usize)
                    });
                    !present.contains(i) && !is_covered
                });
                let heads = absent.map(|(index, made)| {
                    Head::Constructor(ConstructorDef {
                        data: constructor.data,
                        index,
                        name: made.name,
                    })
                });
                // More of them are not shown, and a large match has as many such columns as clauses.
                heads
                    .filter(|head| self.possible(column, *head, typed))
                    .take(MOST_WITNESSES + 1)
                    .collect()
            }
            // There are always other numbers and characters.
            _ => vec![Head::Any],
        }
    }

    /// Whether something with a head can come.
    fn possible(&self, column: Column, head: Head, typed: Option<Ty>) -> bool {
        let (inhabited, table) = (&self.matrix.inhabited, self.matrix.table);
        match (head, column) {
            (Head::Constructor(constructor), _) => {
                let args = match typed.map(|ty| table.kind(ty)) {
                    Some(TyKind::Data(data, args)) if *data == constructor.data => {
                        Some(args.clone())
                    }
                    _ => None,
                };
                inhabited.constructor(table, constructor, args.as_deref())
            }
            (Head::Finished, Column::Port(port)) => self
                .matrix
                .types
                .get(port)
                .is_none_or(|ty| inhabited.ty(table, *ty)),
            (Head::Command(command, index), Column::Port(port)) => {
                let added = self.matrix.added.get(port).into_iter().flatten();
                let mut same = added.filter(|(instance, other)| {
                    instance.interface == command.interface && *other == index
                });
                same.next()
                    .is_none_or(|(instance, _)| inhabited.command(table, command, instance))
            }
            _ => true,
        }
    }
}

/// Where strings are matched and others are missing, what is missing is said by that alone, and
/// not letter by letter.
fn generalise(found: &mut Vec<Vec<Witness>>, at: usize) {
    if !found
        .iter()
        .any(|witness| witness.get(at).is_some_and(Witness::mentions_other))
    {
        return;
    }
    let mut general: Vec<Vec<Witness>> = Vec::new();
    for mut witness in std::mem::take(found) {
        if let Some(place) = witness.get_mut(at) {
            *place = Witness::Other;
        }
        if !general.contains(&witness) {
            general.push(witness);
        }
    }
    *found = general;
}

impl Witness {
    /// Whether a part of the witness is anything without a clause of its own.
    pub fn mentions_other(&self) -> bool {
        match self {
            Witness::Any | Witness::Integer(_) | Witness::Char(_) => false,
            Witness::Other => true,
            Witness::Finished(value) => value.mentions_other(),
            Witness::Constructor(_, args) | Witness::Command(_, _, args) => {
                args.iter().any(Witness::mentions_other)
            }
        }
    }
}

fn without<'a, 'r>(cells: &'r [Cell<'a>], at: usize) -> impl Iterator<Item = Cell<'a>> + 'r {
    cells
        .iter()
        .enumerate()
        .filter(move |(i, _)| *i != at)
        .map(|(_, cell)| *cell)
}

/// A row whose cell at a column matches everything, under a head of so many parts.
fn widened<'a>(row: &Row<'a>, at: usize, arity: usize) -> Row<'a> {
    let mut cells = vec![Cell::Any; arity];
    cells.extend(without(&row.cells, at));
    Row {
        cells,
        clause: row.clause,
    }
}

/// Puts a head with the parts that come first back into its column.
fn rebuilt(mut parts: Vec<Witness>, head: Head, arity: usize, at: usize) -> Vec<Witness> {
    let rest = parts.split_off(arity.min(parts.len()));
    let witness = match head {
        Head::Any => Witness::Other,
        Head::Integer(value) => Witness::Integer(value),
        Head::Char(char) => Witness::Char(char),
        Head::Finished => Witness::Finished(Box::new(parts.pop().unwrap_or(Witness::Any))),
        Head::Command(command, index) => Witness::Command(command, index, parts),
        Head::Constructor(constructor) => Witness::Constructor(constructor, parts),
    };
    let mut whole = rest;
    whole.insert(at.min(whole.len()), witness);
    whole
}
