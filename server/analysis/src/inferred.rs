//! Signatures for what has none: an inferred type with names for its flexible variables.

use std::collections::HashSet;

use frank_syntax::ast::Symbol;
use frank_syntax::stack::ensure_sufficient_stack;

use crate::builtin;
use crate::db::{Db, SourceFile};
use crate::infer::Inference;
use crate::program::{DataDef, InterfaceDef, RowDef, resolve_data, resolve_row};
use crate::show::{MetaNames, Show, WHOLE_BUDGET};
use crate::types::{Ability, Adjustment, Arg, Computation, Instance, Tail, Ty, TyKind};

/// The text of a signature for the inferred type, as it is written in a scope; `None` where parts
/// of it are wrong, or mean what the scope has no name for because it gives the name to something
/// else, or where it is too large for anybody to write.
pub fn signature(db: &dyn Db, scope: SourceFile, inference: &Inference) -> Option<String> {
    let (text, is_sound) = named(db, scope, inference, HashSet::new())?;
    is_sound.then_some(text)
}

/// As [`signature`], to be read only: names may mean something else in the scope.
pub fn shown(db: &dyn Db, scope: SourceFile, inference: &Inference) -> Option<String> {
    Some(named(db, scope, inference, HashSet::new())?.0)
}

/// As [`signature`], with names for flexible effect variables that no rigid one has.
pub fn signature_apart(db: &dyn Db, scope: SourceFile, inference: &Inference) -> Option<String> {
    let effects = inference.rigid_effects.iter();
    let taken = effects.map(|name| name.to_string()).collect();
    let (text, is_sound) = named(db, scope, inference, taken)?;
    is_sound.then_some(text)
}

/// The text, and whether it is complete and every name in it means in the scope what is meant.
fn named(
    db: &dyn Db,
    scope: SourceFile,
    inference: &Inference,
    taken: HashSet<String>,
) -> Option<(String, bool)> {
    let computation = inference.computation.as_ref()?;
    let mut naming = Naming {
        db,
        scope,
        inference,
        names: MetaNames::default(),
        taken,
        seen: HashSet::new(),
        whole: true,
        sound: true,
    };
    naming
        .taken
        .extend(inference.rigid_values.iter().map(|name| name.to_string()));
    naming.computation(computation);
    if !naming.whole {
        return None;
    }
    let show = Show {
        table: &inference.table,
        values: &inference.rigid_values,
        effects: &inference.rigid_effects,
        budget: WHOLE_BUDGET,
        metas: Some(&naming.names),
    };
    let text = show.signature(computation);
    let is_complete = !text.contains('…');
    Some((text, naming.sound && is_complete))
}

struct Naming<'a> {
    db: &'a dyn Db,
    scope: SourceFile,
    inference: &'a Inference,
    names: MetaNames,
    taken: HashSet<String>,
    /// The types that have been looked at.
    seen: HashSet<Ty>,
    /// Nothing in the type is wrong.
    whole: bool,
    /// Every name means in the scope what is meant.
    sound: bool,
}

impl Naming<'_> {
    fn ty(&mut self, ty: Ty) {
        let table = &self.inference.table;
        let ty = table.head(ty);
        if !self.seen.insert(ty) {
            return;
        }
        ensure_sufficient_stack(|| match table.types.kind(ty) {
            TyKind::Int => self.written("Int", None),
            TyKind::Float => self.written("Float", None),
            TyKind::Char => self.written("Char", None),
            TyKind::Variable(_) => {}
            TyKind::Error => self.whole = false,
            TyKind::Meta(meta) if !table.is_number_meta(ty) => {
                if !self.names.values.contains_key(meta) {
                    let name = self.fresh(&["X", "Y", "Z", "A", "B", "C"]);
                    self.names.values.insert(*meta, name);
                }
            }
            TyKind::Meta(_) => {}
            TyKind::Data(data, args) => {
                let (data, args) = (*data, args.clone());
                let is_string = data == builtin::list(self.db)
                    && matches!(&args[..], [Arg::Type(ty)]
                        if table.types.kind(table.head(*ty)) == &TyKind::Char);
                if is_string {
                    self.written("String", None);
                } else {
                    self.written(data.0.name.as_str(), Some(data));
                }
                self.args(&args);
            }
            TyKind::Computation(computation) => self.computation(&computation.clone()),
        });
    }

    /// A type is written as a name, which has to mean that data type, or none if it is built in.
    fn written(&mut self, name: &str, data: Option<DataDef>) {
        self.sound &= resolve_data(self.db, self.scope, Symbol::new(name)) == data;
    }

    fn fresh(&mut self, wanted: &[&str]) -> String {
        let numbered = (1..).map(|n| format!("X{n}"));
        let mut names = wanted.iter().map(|name| (*name).to_owned()).chain(numbered);
        let is_data = |name: &str| resolve_data(self.db, self.scope, Symbol::new(name)).is_some();
        let name = names
            .find(|name| !self.taken.contains(name) && !is_data(name))
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
        let InterfaceDef(definition) = instance.interface;
        let meant = resolve_row(self.db, self.scope, definition.name);
        self.sound &= meant == Some(RowDef::Interface(instance.interface));
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
            Tail::Error => self.whole = false,
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
