//! Signatures for what has none: an inferred type with names for its flexible variables.

use std::collections::HashSet;

use frank_syntax::ast::Symbol;

use crate::infer::Inference;
use crate::show::{MetaNames, Show};
use crate::types::{Ability, Adjustment, Arg, Computation, Instance, Tail, Ty, TyKind};

/// The text of a signature for the inferred type; `None` where parts of it are wrong.
pub fn signature(inference: &Inference) -> Option<String> {
    named(inference, HashSet::new())
}

/// As [`signature`], with names for flexible effect variables that no rigid one has.
pub fn signature_apart(inference: &Inference) -> Option<String> {
    let effects = inference.rigid_effects.iter();
    named(inference, effects.map(|name| name.to_string()).collect())
}

fn named(inference: &Inference, taken: HashSet<String>) -> Option<String> {
    let computation = inference.computation.as_ref()?;
    let mut naming = Naming {
        inference,
        names: MetaNames::default(),
        taken,
        sound: true,
    };
    naming
        .taken
        .extend(inference.rigid_values.iter().map(|name| name.to_string()));
    naming.computation(computation);
    if !naming.sound {
        return None;
    }
    let show = Show {
        table: &inference.table,
        values: &inference.rigid_values,
        effects: &inference.rigid_effects,
        budget: usize::MAX,
        metas: Some(&naming.names),
    };
    Some(show.signature(computation))
}

struct Naming<'a> {
    inference: &'a Inference,
    names: MetaNames,
    taken: HashSet<String>,
    sound: bool,
}

impl Naming<'_> {
    fn ty(&mut self, ty: Ty) {
        let table = &self.inference.table;
        let ty = table.head(ty);
        match table.types.kind(ty) {
            TyKind::Int | TyKind::Float | TyKind::Char | TyKind::Variable(_) => {}
            TyKind::Error => self.sound = false,
            TyKind::Meta(meta) if !table.is_number_meta(ty) => {
                if !self.names.values.contains_key(meta) {
                    let name = self.fresh(&["X", "Y", "Z", "A", "B", "C"]);
                    self.names.values.insert(*meta, name);
                }
            }
            TyKind::Meta(_) => {}
            TyKind::Data(_, args) => self.args(&args.clone()),
            TyKind::Computation(computation) => self.computation(&computation.clone()),
        }
    }

    fn fresh(&mut self, wanted: &[&str]) -> String {
        let numbered = (1..).map(|n| format!("X{n}"));
        let mut names = wanted.iter().map(|name| (*name).to_owned()).chain(numbered);
        let name = names
            .find(|name| !self.taken.contains(name))
            .unwrap_or_default();
        self.taken.insert(name.clone());
        name
    }

    fn args(&mut self, args: &[Arg]) {
        for arg in args {
            match arg {
                Arg::Type(ty) => self.ty(*ty),
                Arg::Ability(ability) => self.ability(*ability),
            }
        }
    }

    fn instance(&mut self, instance: &Instance) {
        self.args(&instance.args);
    }

    fn ability(&mut self, ability: Ability) {
        let row = self.inference.table.row(ability);
        for instance in row.instances.iter() {
            self.instance(instance);
        }
        match row.tail {
            Tail::Meta(meta) if !self.names.effects.contains_key(&meta) => {
                let implicit = Symbol::implicit_effect().to_string();
                let name = self.fresh(&[implicit.as_str(), "E", "F"]);
                self.names.effects.insert(meta, name);
            }
            Tail::Error => self.sound = false,
            _ => {}
        }
    }

    fn computation(&mut self, computation: &Computation) {
        // The outermost ability comes first, so that ε is what lies around the operator.
        self.ability(computation.ability);
        for port in &computation.ports {
            for adjustment in port.adjustments.iter() {
                if let Adjustment::Instance(instance) = adjustment {
                    self.instance(instance);
                }
            }
            self.ty(port.ty);
        }
        self.ty(computation.result);
    }
}
