//! Values as trees that a client opens part by part.

use std::collections::HashMap;
use std::num::NonZeroU64;

use frank_core::{OperatorId, TermId, Type};
use frank_semantics::show::{Limits, Shower};
use frank_semantics::state::{Arg, ArgsId, EnvId, FrozenId, State, Value};
use frank_semantics::{Owner, Semantics};

use crate::frames::{self, Entry, Kind};
use crate::messages::Variable;
use crate::sites::Sites;

/// How much of a value stands in a line.
const BRIEF: Limits = Limits {
    frames: 4,
    depth: 12,
    parts: 60,
    width: 100,
};

/// More elements of a list, cells, or frames are not listed.
const MOST: usize = 100_000;

/// Something that can be opened.
#[derive(Debug, Clone)]
pub enum Node {
    /// Variables, as a term sees them.
    Locals(Option<EnvId>, TermId),
    /// The arguments of a handler.
    Handler(Value, Option<ArgsId>),
    Cells,
    /// The parts of a value.
    Value(Value),
    /// A part of the stack or of a continuation.
    Entry(Box<Entry>),
    /// Variables that were made already.
    Made(Vec<Variable>),
}

/// Writes values of one state.
pub fn shower<'s>(semantics: &'s Semantics<'_>) -> Shower<'s> {
    Shower::new(semantics, BRIEF)
}

/// What can be opened while the run stands still. References count from 1.
#[derive(Default)]
pub struct Nodes(Vec<Node>);

impl Nodes {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn add(&mut self, node: Node) -> i64 {
        self.0.push(node);
        self.0.len() as i64
    }

    pub fn get(&self, reference: i64) -> Option<&Node> {
        self.0.get(usize::try_from(reference).ok()?.checked_sub(1)?)
    }
}

/// The types of locals, asked for once for each operator.
#[derive(Default)]
pub struct LocalTypes(HashMap<Option<OperatorId>, Vec<String>>);

impl LocalTypes {
    /// The type of a local that a term mentions.
    pub fn of(
        &mut self,
        owner: Option<Owner>,
        local: usize,
        ask: &mut dyn FnMut(Option<OperatorId>) -> Vec<String>,
    ) -> Option<String> {
        let operator = match owner? {
            Owner::Operator(id) => Some(id),
            Owner::Entry(0) => None,
            Owner::Entry(_) => return None,
        };
        let types = self.0.entry(operator).or_insert_with(|| ask(operator));
        types.get(local).filter(|ty| !ty.is_empty()).cloned()
    }
}

/// A variable of a frame.
pub struct Local {
    pub name: String,
    pub number: usize,
    pub value: Value,
}

/// The variables of a frame, each name once, in the order in which they were bound.
pub fn locals(semantics: &Semantics<'_>, env: Option<EnvId>, term: TermId) -> Vec<Local> {
    let names = semantics.locals(term);
    let mut found: Vec<Local> = Vec::new();
    let mut next = env;
    while let Some(id) = next.filter(|_| found.len() < MOST) {
        let binding = semantics.store.bindings[id];
        let number = binding.local.0 as usize;
        let name = names.get(number).cloned().unwrap_or_default();
        if !name.is_empty() && name != "_" && !found.iter().any(|local| local.name == name) {
            found.push(Local {
                name,
                number,
                value: binding.value,
            });
        }
        next = binding.rest;
    }
    found.reverse();
    found
}

/// Opens nodes of one state.
pub struct Opener<'s, 'p> {
    pub semantics: &'s Semantics<'p>,
    pub sites: &'s Sites,
    pub state: &'s State,
    pub nodes: &'s mut Nodes,
    pub types: &'s mut LocalTypes,
    pub ask: &'s mut dyn FnMut(Option<OperatorId>) -> Vec<String>,
}

impl Opener<'_, '_> {
    /// What a node holds, from `start` on, `count` at most.
    pub fn open(&mut self, node: &Node, start: usize, count: usize) -> Vec<Variable> {
        let all = |made: Vec<Variable>| made.into_iter().skip(start).take(count).collect();
        match node {
            Node::Made(made) => all(made.clone()),
            Node::Locals(env, term) => {
                let made = self.locals(*env, *term);
                all(made)
            }
            Node::Handler(head, done) => {
                let made = self.arguments(*head, *done);
                all(made)
            }
            Node::Cells => self.cells(start, count),
            Node::Value(value) => self.parts(*value, start, count),
            Node::Entry(entry) => {
                let mut made = match entry.kind {
                    Kind::Handler { head, done } => self.arguments(head, done),
                    Kind::Body | Kind::Frozen => Vec::new(),
                };
                made.extend(self.locals(entry.env, entry.term));
                all(made)
            }
        }
    }

    /// A value under a name.
    pub fn variable(&mut self, name: String, value: Value, ty: Option<String>) -> Variable {
        let shown = shower(self.semantics).brief(value, &Type::Unknown);
        let (is_open, indexed) = self.openness(value);
        let reference = match is_open {
            true => self.nodes.add(Node::Value(value)),
            false => 0,
        };
        Variable {
            name,
            value: shown,
            ty,
            variables_reference: reference,
            indexed_variables: indexed,
            evaluate_name: None,
        }
    }

    /// Whether a value has parts; and how many, if they are counted.
    fn openness(&self, value: Value) -> (bool, Option<usize>) {
        match value {
            Value::Data(id) => {
                let data = &self.semantics.store.data[id];
                if data.constructor != self.semantics.program.known.cons {
                    return (!data.args.is_empty(), None);
                }
                let items = self.items(value, 0, MOST);
                let is_text = items.iter().all(|item| matches!(item, Value::Char(_)));
                (!is_text, Some(items.len()).filter(|_| !is_text))
            }
            Value::Array(id) => {
                let items = self.semantics.store.data[id].args.len();
                (items > 0, Some(items))
            }
            Value::Thunk(id) => (self.semantics.store.thunks[id].env.is_some(), None),
            Value::Continuation(_) | Value::Paused(_) | Value::Finished(_) | Value::Ref(_) => {
                (true, None)
            }
            Value::Int(_)
            | Value::Float(_)
            | Value::Char(_)
            | Value::Operator(_)
            | Value::Command(_) => (false, None),
        }
    }

    /// Items of a list.
    fn items(&self, list: Value, start: usize, count: usize) -> Vec<Value> {
        let mut items = Vec::new();
        let mut rest = list;
        let mut position = 0;
        while let Some((item, tail)) = self.semantics.uncons(rest)
            && items.len() < count
        {
            if position >= start {
                items.push(item);
            }
            position += 1;
            rest = tail;
        }
        items
    }

    fn parts(&mut self, value: Value, start: usize, count: usize) -> Vec<Variable> {
        match value {
            Value::Data(id) => {
                let data = self.semantics.store.data[id].clone();
                if data.constructor == self.semantics.program.known.cons {
                    let items = self.items(value, start, count).into_iter().enumerate();
                    return items
                        .map(|(index, item)| {
                            self.variable(format!("[{}]", start + index), item, None)
                        })
                        .collect();
                }
                let args = data.args.iter().enumerate().skip(start).take(count);
                args.map(|(index, arg)| self.variable(format!("{}", index + 1), *arg, None))
                    .collect()
            }
            Value::Array(id) => {
                let items = self.semantics.store.data[id].args.clone();
                let items = items.into_iter().enumerate().skip(start).take(count);
                items
                    .map(|(index, item)| self.variable(format!("[{index}]"), item, None))
                    .collect()
            }
            Value::Finished(id) => {
                let args = self.semantics.store.data[id].args.clone().into_iter();
                args.map(|arg| self.variable("value".to_owned(), arg, None))
                    .collect()
            }
            Value::Ref(cell) => {
                let held = self.state.cells.get(cell).copied();
                let held = held.map(|held| self.variable("holds".to_owned(), held, None));
                held.into_iter().collect()
            }
            Value::Thunk(id) => {
                let thunk = self.semantics.store.thunks[id];
                self.locals(thunk.env, thunk.term)
                    .into_iter()
                    .skip(start)
                    .take(count)
                    .collect()
            }
            Value::Continuation(id) | Value::Paused(id) => {
                let paused = self.semantics.store.paused[id];
                let written = shower(self.semantics).brief_call(
                    paused.written.head,
                    paused.written.args,
                    false,
                );
                // After going back it may have been resumed later; by a term that was evaluated it never was.
                let past = |clock: &NonZeroU64| clock.get() <= self.semantics.clock;
                let resumed = match paused.resumed.filter(past) {
                    Some(clock) => format!("yes, first by rule {clock}"),
                    None => "not yet".to_owned(),
                };
                let mut made = vec![plain("waits at", written), plain("resumed", resumed)];
                made.extend(self.frames(paused.frozen));
                made.into_iter().skip(start).take(count).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The frames that a continuation holds, the innermost first.
    fn frames(&mut self, frozen: Option<FrozenId>) -> Vec<Variable> {
        let entries = frames::continuation(self.semantics, self.sites, frozen, MOST);
        let mut made = Vec::with_capacity(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            let mut entry = entry;
            entry.is_frozen = false;
            let title = frames::title(&mut shower(self.semantics), self.semantics, &entry);
            let reference = self.nodes.add(Node::Entry(Box::new(entry)));
            made.push(Variable {
                variables_reference: reference,
                ..plain(&format!("frame {}", index + 1), title)
            });
        }
        made
    }

    fn locals(&mut self, env: Option<EnvId>, term: TermId) -> Vec<Variable> {
        let owner = self.semantics.owner(term);
        let found = locals(self.semantics, env, term);
        let mut made = Vec::with_capacity(found.len());
        for Local {
            name,
            number,
            value,
        } in found
        {
            let ty = self.types.of(owner, number, self.ask);
            let evaluate_name = Some(name.clone());
            let variable = self.variable(name, value, ty);
            made.push(Variable {
                evaluate_name,
                ..variable
            });
        }
        made
    }

    fn arguments(&mut self, head: Value, done: Option<ArgsId>) -> Vec<Variable> {
        let interfaces: Vec<&str> = frames::handled(self.semantics, head, done).collect();
        let mut made = vec![plain("handles", interfaces.join(", "))];
        made.push(self.variable("handler".to_owned(), head, None));
        for (index, arg) in self.semantics.store.list(done).into_iter().enumerate() {
            let value = match arg {
                Arg::Value(value) => value,
                Arg::Paused(id) => Value::Paused(id),
            };
            made.push(self.variable(format!("argument {}", index + 1), value, None));
        }
        made
    }

    fn cells(&mut self, start: usize, count: usize) -> Vec<Variable> {
        let cells = &self.state.cells;
        let end = cells.len().min(start.saturating_add(count.min(MOST)));
        let held: Vec<(usize, Value)> = (start..end)
            .filter_map(|index| Some((index, *cells.get(index)?)))
            .collect();
        let names: Vec<String> = {
            let shower = shower(self.semantics);
            held.iter()
                .map(|(index, _)| shower.cell(*index).to_owned())
                .collect()
        };
        let cells = names.into_iter().zip(held);
        cells
            .map(|(name, (_, value))| self.variable(name, value, None))
            .collect()
    }
}

/// A line without parts.
pub fn plain(name: &str, value: String) -> Variable {
    Variable {
        name: name.to_owned(),
        value,
        ty: None,
        variables_reference: 0,
        indexed_variables: None,
        evaluate_name: None,
    }
}
