//! What variables, cells and operators are called, so that no two are called the same.

use std::collections::{HashMap, HashSet};

use frank_core::{Local, OperatorId, Pattern, Program, TermId, ValuePattern};

use super::Shower;
use super::tree::Tree;
use crate::state::{Frame, FrozenId};

impl Shower<'_> {
    /// What the result that a continuation waits for is called: as the parameter that it becomes, or `r`.
    /// It is no other name of the term `body` that it is the hole of.
    pub(super) fn result_name(&self, frozen: Option<FrozenId>, body: &Tree) -> String {
        let parameter = self.store.frames(frozen).last().and_then(|frame| {
            let Frame::Argument { head, done, .. } = frame else {
                return None;
            };
            let position = self.store.count(*done);
            let mut clauses = self.semantics.handler(*head)?.clauses.iter();
            clauses.find_map(|clause| match clause.patterns.get(position)? {
                Pattern::Value(ValuePattern::Bind(local)) => Some(self.name(clause.body, *local)),
                _ => None,
            })
        });
        let taken = body.atoms();
        let usual = ["r", "x", "y", "z"].map(str::to_owned);
        let numbered = (1..).map(|number| format!("r{number}"));
        let mut names = parameter.into_iter().chain(usual).chain(numbered);
        let free = names.find(|name| !taken.contains(name.as_str()));
        free.unwrap_or_default()
    }

    pub(super) fn name(&self, term: TermId, local: Local) -> String {
        let owner = self.semantics.owners(term).of(term);
        if let Some(name) = self.renamed.get(&(owner, local.0)) {
            return name.clone();
        }
        let names = self.semantics.owners(term).locals(self.program, term);
        let name = names.get(local.0 as usize);
        name.cloned().unwrap_or_else(|| format!("x{}", local.0))
    }

    /// The names of all cells: that of the variable each is bound to, with a number if there are several of it.
    pub(super) fn cell_names(&self) -> Vec<String> {
        let births = self.store.births.iter();
        let names: Vec<String> = births
            .map(|birth| match birth {
                Some((term, local)) => self.name(*term, *local),
                None => "ref".to_owned(),
            })
            .collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in &names {
            *counts.entry(name).or_default() += 1;
        }
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut given: HashSet<String> = names
            .iter()
            .filter(|name| counts.get(name.as_str()) == Some(&1))
            .cloned()
            .collect();
        let numbered = names.iter().map(|name| {
            if counts.get(name.as_str()) == Some(&1) {
                return name.clone();
            }
            // A variable `r1` may have a cell, too.
            let number = numbers.entry(name).or_default();
            loop {
                *number += 1;
                let numbered = format!("{name}{number}");
                if given.insert(numbered.clone()) {
                    return numbered;
                }
            }
        });
        numbered.collect()
    }
}

/// Names for operators of the library with those of their files, `prelude.rev`, where several have one name.
pub(super) fn namesakes(program: &Program) -> HashMap<OperatorId, String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for operator in program.operators.values() {
        *counts.entry(&operator.name).or_default() += 1;
    }
    let others = program.operators.iter().filter(|(_, operator)| {
        let has_namesake = counts.get(operator.name.as_str()) > Some(&1);
        has_namesake && program.files[operator.place.file].library
    });
    others
        .map(|(id, operator)| {
            let path = &program.files[operator.place.file].path;
            let file = path.rsplit('/').next().unwrap_or(path);
            let stem = file.strip_suffix(".fk").unwrap_or(file);
            (id, format!("{stem}.{}", operator.name))
        })
        .collect()
}
