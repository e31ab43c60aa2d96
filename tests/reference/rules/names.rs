//! What names mean (docs/language/items.md, "Who may use which name"; docs/language/programs.md).

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use frank_syntax::ast::{Clause, Item, ItemKind, ParamKind, Symbol};

use super::types::{Computation, Id, Type};

/// A parameter of an item or of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    pub name: Symbol,
    /// True where it stands for an ability.
    pub is_effect: bool,
}

/// The parameters that an item or a command writes.
pub fn params(written: &[frank_syntax::ast::Param]) -> Vec<Param> {
    let written = written.iter();
    written
        .map(|param| Param {
            name: param.name.symbol,
            is_effect: param.kind == ParamKind::Effect,
        })
        .collect()
}

/// An item of a file, and which of the file's items it is.
#[derive(Debug, Clone)]
pub struct Source {
    pub file: String,
    pub index: usize,
    pub item: Rc<Item>,
}

#[derive(Debug)]
pub struct Data {
    pub source: Source,
    /// With the ε that it may have gained.
    pub params: Vec<Param>,
    pub written: usize,
    pub mentions_epsilon: bool,
    pub constructors: Vec<Constructor>,
}

#[derive(Debug, Clone)]
pub struct Constructor {
    pub name: Symbol,
    pub fields: Vec<Type>,
}

/// An interface or an alias.
#[derive(Debug)]
pub struct Row {
    pub source: Source,
    pub params: Vec<Param>,
    pub written: usize,
    pub mentions_epsilon: bool,
    pub is_alias: bool,
    pub commands: Vec<Command>,
}

#[derive(Debug, Clone)]
pub struct Command {
    pub params: Vec<Param>,
    pub args: Vec<Type>,
    pub result: Type,
}

#[derive(Debug, Default)]
pub struct Operator {
    pub signature: Option<Source>,
    pub clauses: Vec<Source>,
    pub ty: Option<Computation>,
}

/// What a name in a term means, if it is no local variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A data type and the number of its constructor.
    Constructor(Id, usize),
    /// An interface and the number of its command.
    Command(Id, usize),
    Operator(Id),
}

/// All that a program defines, or a file of the library.
#[derive(Debug, Default)]
pub struct Scope {
    /// The scopes that names are looked up in, in this order; the first is the scope itself.
    pub visible: Vec<usize>,
    pub data: BTreeMap<Symbol, Data>,
    pub rows: BTreeMap<Symbol, Row>,
    pub operators: BTreeMap<Symbol, Operator>,
    terms: HashMap<Symbol, Meaning>,
    /// Items that define a name again, with the name.
    pub duplicates: Vec<(Source, Symbol)>,
}

impl Scope {
    /// The definitions of some items, in the program's order. Each name counts where it is defined
    /// first; the types of all are yet to be read.
    pub fn new(number: usize, libraries: &[usize], items: &[Source]) -> Scope {
        let mut scope = Scope {
            visible: std::iter::once(number)
                .chain(libraries.iter().copied())
                .collect(),
            ..Scope::default()
        };
        let id = |name| Id {
            scope: number,
            name,
        };
        for source in items {
            match &source.item.kind {
                ItemKind::Data {
                    name,
                    params: written,
                    constructors,
                } => {
                    let name = name.symbol;
                    if scope.data.contains_key(&name) {
                        scope.duplicates.push((source.clone(), name));
                        continue;
                    }
                    let params = params(written);
                    let data = Data {
                        source: source.clone(),
                        written: params.len(),
                        mentions_epsilon: false,
                        params,
                        constructors: Vec::new(),
                    };
                    scope.data.insert(name, data);
                    for (number, constructor) in constructors.iter().enumerate() {
                        scope.define(
                            source,
                            constructor.name.symbol,
                            Meaning::Constructor(id(name), number),
                        );
                    }
                }
                ItemKind::Interface {
                    name,
                    params: written,
                    ..
                }
                | ItemKind::Alias {
                    name,
                    params: written,
                    ..
                } => {
                    let name = name.symbol;
                    if scope.rows.contains_key(&name) {
                        scope.duplicates.push((source.clone(), name));
                        continue;
                    }
                    let params = params(written);
                    let commands = match &source.item.kind {
                        ItemKind::Interface { commands, .. } => Some(commands),
                        _ => None,
                    };
                    let row = Row {
                        source: source.clone(),
                        written: params.len(),
                        mentions_epsilon: false,
                        params,
                        is_alias: commands.is_none(),
                        commands: Vec::new(),
                    };
                    scope.rows.insert(name, row);
                    for (number, command) in commands.into_iter().flatten().enumerate() {
                        scope.define(
                            source,
                            command.name.symbol,
                            Meaning::Command(id(name), number),
                        );
                    }
                }
                ItemKind::Signature { name, .. } => {
                    let name = name.symbol;
                    scope.define(source, name, Meaning::Operator(id(name)));
                    let operator = scope.operators.entry(name).or_default();
                    operator.signature.get_or_insert(source.clone());
                }
                ItemKind::Clause { name, .. } => {
                    let operator = scope.operators.entry(name.symbol).or_default();
                    operator.clauses.push(source.clone());
                }
                ItemKind::Include { .. } | ItemKind::Term(_) | ItemKind::Broken => {}
            }
        }
        let mut again = Vec::new();
        for (name, operator) in &scope.operators {
            let Some(first) = operator.clauses.first() else {
                continue;
            };
            match scope.terms.get(name) {
                None => drop(scope.terms.insert(*name, Meaning::Operator(id(*name)))),
                Some(Meaning::Operator(_)) => {}
                Some(_) if operator.signature.is_some() => {}
                Some(_) => again.push((first.clone(), *name)),
            }
        }
        scope.duplicates.extend(again);
        scope
    }

    fn define(&mut self, source: &Source, name: Symbol, meaning: Meaning) {
        match self.terms.get(&name) {
            Some(_) => self.duplicates.push((source.clone(), name)),
            None => drop(self.terms.insert(name, meaning)),
        }
    }
}

/// The scopes of the library files, and that of the program that is looked at.
#[derive(Debug, Default)]
pub struct World {
    pub scopes: Vec<Scope>,
    /// The scope of what the language itself refers to.
    pub builtin: usize,
}

impl World {
    /// Where a scope, or a library under it, has something.
    fn find<T>(&self, scope: usize, has: impl Fn(&Scope) -> Option<T>) -> Option<(usize, T)> {
        let mut visible = self.scopes[scope].visible.iter();
        visible.find_map(|one| Some((*one, has(&self.scopes[*one])?)))
    }

    pub fn find_data(&self, scope: usize, name: Symbol) -> Option<Id> {
        let found = self.find(scope, |one| one.data.get(&name).map(|_| ()));
        found.map(|(scope, ())| Id { scope, name })
    }

    pub fn find_row(&self, scope: usize, name: Symbol) -> Option<Id> {
        let found = self.find(scope, |one| one.rows.get(&name).map(|_| ()));
        found.map(|(scope, ())| Id { scope, name })
    }

    pub fn find_term(&self, scope: usize, name: Symbol) -> Option<Meaning> {
        let found = self.find(scope, |one| one.terms.get(&name).copied());
        found.map(|(_, meaning)| meaning)
    }

    pub fn data(&self, id: Id) -> &Data {
        &self.scopes[id.scope].data[&id.name]
    }

    pub fn row(&self, id: Id) -> &Row {
        &self.scopes[id.scope].rows[&id.name]
    }

    pub fn operator(&self, id: Id) -> &Operator {
        &self.scopes[id.scope].operators[&id.name]
    }

    /// A data type of the language itself.
    pub fn own_data(&self, name: &str) -> Id {
        Id {
            scope: self.builtin,
            name: Symbol::new(name),
        }
    }

    pub fn string(&self) -> Type {
        self.list(Type::Char)
    }

    pub fn list(&self, element: Type) -> Type {
        Type::Data(
            self.own_data("List"),
            vec![super::types::Arg::Type(element)],
        )
    }

    /// What comparisons give: the program's own `Bool` if it has plain constructors `true` and
    /// `false`.
    pub fn truth(&self, scope: usize) -> Type {
        let own = self.find_data(scope, Symbol::new("Bool")).filter(|id| {
            let data = self.data(*id);
            let plain = |name: &str| {
                let mut all = data.constructors.iter();
                all.any(|one| one.name.as_str() == name && one.fields.is_empty())
            };
            data.params.is_empty() && plain("true") && plain("false")
        });
        Type::Data(own.unwrap_or(self.own_data("Bool")), Vec::new())
    }
}

/// The clause in an item of kind `Clause`.
pub fn clause(source: &Source) -> &Clause {
    match &source.item.kind {
        ItemKind::Clause { clause, .. } => clause,
        other => panic!("{other:?} is no clause"),
    }
}
