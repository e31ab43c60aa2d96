//! Which operator or entry a term belongs to: there its locals have their names.

use std::collections::HashMap;

use frank_core::{OperatorBody, OperatorId, Program, TermId};

/// What a term belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    Operator(OperatorId),
    Entry(usize),
}

/// The owners of all terms of a program.
pub(crate) struct Owners(HashMap<TermId, Owner>);

impl Owners {
    pub fn new(program: &Program) -> Owners {
        let mut owners = HashMap::new();
        let mut waiting: Vec<(TermId, Owner)> = Vec::new();
        for (id, operator) in program.operators.iter() {
            if let OperatorBody::Handler(handler) = &operator.body {
                let bodies = handler.clauses.iter().map(|clause| clause.body);
                waiting.extend(bodies.map(|body| (body, Owner::Operator(id))));
            }
        }
        let entries = program.entries.iter().enumerate();
        waiting.extend(entries.map(|(index, entry)| (entry.term, Owner::Entry(index))));
        while let Some((term, owner)) = waiting.pop() {
            owners.insert(term, owner);
            program.parts(term, &mut |part| waiting.push((part, owner)));
        }
        Owners(owners)
    }

    /// What a term belongs to.
    pub fn of(&self, term: TermId) -> Option<Owner> {
        self.0.get(&term).copied()
    }

    /// The names of the locals that a term may mention, by their numbers.
    pub fn locals<'p>(&self, program: &'p Program, term: TermId) -> &'p [String] {
        let written = &program.written;
        let names = match self.0.get(&term) {
            Some(Owner::Operator(id)) => written.operators.get(*id),
            Some(Owner::Entry(index)) => written.entries.get(*index),
            None => None,
        };
        names.map_or(&[], Vec::as_slice)
    }

    /// The name of what a term belongs to.
    pub fn name<'p>(&self, program: &'p Program, term: TermId) -> &'p str {
        match self.0.get(&term) {
            Some(Owner::Operator(id)) => &program.operators[*id].name,
            Some(Owner::Entry(index)) => {
                let entry = program.entries.get(*index);
                entry.map_or("", |entry| &entry.name)
            }
            None => "",
        }
    }
}
