//! Random items.

use frank_syntax::ast::Symbol;

use super::show::show_adaptor;
use super::{
    Command, Data, Generator, Interface, Item, Operator, Param, Scope, epsilon, id, matching,
};
use crate::rules::adapt::adapted;
use crate::rules::solve::Solution;
use crate::rules::types::{
    Ability, Adaptor, Adjustment, Arg, Computation, Instance, Port, Tail, Type, Variables,
};

impl Generator {
    pub(super) fn items(&mut self) {
        for _ in 0..self.below(3) {
            self.data();
        }
        for _ in 0..1 + self.below(3) {
            self.interface();
        }
        let x = Symbol::new("X");
        let y = Symbol::new("Y");
        let epsilon = Ability::just(Tail::Rigid(epsilon()));
        let branch = Computation {
            ports: vec![Port::plain(Type::Rigid(x))],
            ability: epsilon.clone(),
            result: Type::Rigid(y),
        };
        let case = Computation {
            ports: vec![
                Port::plain(Type::Rigid(x)),
                Port::plain(Type::Thunk(Box::new(branch))),
            ],
            ability: epsilon.clone(),
            result: Type::Rigid(y),
        };
        self.operators.push(Operator {
            name: "case".to_owned(),
            ty: case,
        });
        let ports = Vec::new();
        let forever = Computation {
            ports,
            ability: epsilon,
            result: Type::Rigid(x),
        };
        self.operators.push(Operator {
            name: "loop".to_owned(),
            ty: forever,
        });
        self.item(None, "loop : {X}\nloop! = loop!\n".to_owned());
        let scope = Scope {
            types: vec![Symbol::new("X"), Symbol::new("Y")],
            tails: vec![super::epsilon()],
        };
        let mut common = Vec::new();
        let args = 1 + self.below(2);
        common.extend(self.instance(&scope, args));
        // Several instances of one interface are what abilities are most about.
        if let Some(first) = common.first().cloned() {
            let row = self.interfaces.iter();
            let row = row.filter(|one| one.id == first.interface);
            let params: Vec<Param> = row.flat_map(|one| one.params.clone()).collect();
            let args = self.args(&params, &scope, 0);
            let interface = first.interface;
            common.push(Instance { interface, args });
        }
        common.extend(self.instance(&scope, 1));
        self.common = common;
        self.handlers();
        let count = 2 + self.below(3);
        for _ in 0..count {
            self.signature();
        }
        for operator in 2..self.operators.len() {
            if self.handler_clauses(operator) {
                continue;
            }
            for _ in 0..1 + self.below(3) {
                let text = self.operator_clause(operator);
                self.item(Some(operator), text);
            }
        }
    }

    pub(super) fn item(&mut self, clause_of: Option<usize>, text: String) {
        self.items.push(Item { text, clause_of });
    }

    /// A clause of an operator, as an item.
    pub(super) fn operator_clause(&mut self, operator: usize) -> String {
        self.inside = operator;
        let Operator { name, ty } = self.operators[operator].clone();
        let (patterns, body) = self.clause(&ty, &[], 4);
        if patterns.is_empty() {
            return format!("{name}! = {body}\n");
        }
        format!("{name} {} = {body}\n", patterns.join(" "))
    }

    fn params(&mut self) -> Vec<Param> {
        let mut params = Vec::new();
        for name in ["X", "Y"] {
            if self.below(2) == 0 {
                let name = Symbol::new(name);
                params.push(Param {
                    name,
                    is_effect: false,
                });
            }
        }
        if self.below(4) == 0 {
            let name = Symbol::new("E");
            params.push(Param {
                name,
                is_effect: true,
            });
        }
        params
    }

    /// The variables of an item; ε is one of them, and is gained if it is used.
    fn scope_of(params: &[Param]) -> Scope {
        let of = |is_effect: bool| {
            let some = params.iter().filter(move |one| one.is_effect == is_effect);
            some.map(|one| one.name)
        };
        Scope {
            types: of(false).collect(),
            tails: of(true).chain([epsilon()]).collect(),
        }
    }

    fn show_params(params: &[Param]) -> String {
        let shown = params.iter().map(|one| {
            if one.is_effect {
                format!(" [{}]", one.name)
            } else {
                format!(" {}", one.name)
            }
        });
        shown.collect()
    }

    fn data(&mut self) {
        let mut params = self.params();
        let written = Self::show_params(&params);
        let scope = Self::scope_of(&params);
        let name = self.name("D");
        let mut constructors = Vec::new();
        for _ in 0..1 + self.below(3) {
            let count = self.below(4);
            let fields: Vec<Type> = (0..count).map(|_| self.ty(&scope, 2)).collect();
            constructors.push((self.name("c"), fields));
        }
        let gained = gain(&mut params, constructors.iter().flat_map(|one| &one.1));
        if self.below(3) == 0 {
            let own = |one: &Param| {
                if one.is_effect {
                    Arg::Ability(Ability::just(Tail::Rigid(one.name)))
                } else {
                    Arg::Type(Type::Rigid(one.name))
                }
            };
            let again = Type::Data(id(&name), params.iter().map(own).collect());
            constructors.push((self.name("c"), vec![again]));
        }
        self.data.push(Data {
            id: id(&name),
            params,
            gained,
            constructors: constructors.clone(),
        });
        let mut shown = Vec::new();
        for (name, fields) in constructors {
            let fields: Vec<String> = fields
                .iter()
                .map(|ty| format!(" {}", self.show_atom(ty)))
                .collect();
            shown.push(format!("{name}{}", fields.concat()));
        }
        self.item(
            None,
            format!("data {name}{written} = {}\n", shown.join(" | ")),
        );
    }

    fn interface(&mut self) {
        let mut params = self.params();
        let written = Self::show_params(&params);
        let scope = Self::scope_of(&params);
        let name = self.name("I");
        let mut commands = Vec::new();
        for _ in 0..1 + self.below(2) {
            let mut inner = scope.clone();
            let mut own = Vec::new();
            if self.below(4) == 0 {
                let name = Symbol::new("Z");
                inner.types.push(name);
                own.push(Param {
                    name,
                    is_effect: false,
                });
            }
            if self.below(8) == 0 {
                let name = Symbol::new("F");
                inner.tails = vec![name];
                own.push(Param {
                    name,
                    is_effect: true,
                });
            }
            let count = self.below(3);
            // A match that fails performs a command of this name, if its type allows that.
            let is_abort = count == 0 && !self.has_abort && self.below(3) == 0;
            self.has_abort |= is_abort;
            commands.push(Command {
                name: if is_abort {
                    "abort".to_owned()
                } else {
                    self.name("k")
                },
                params: own,
                args: (0..count).map(|_| self.ty(&inner, 2)).collect(),
                result: self.ty(&inner, 1),
            });
        }
        let types = commands
            .iter()
            .flat_map(|one| one.args.iter().chain([&one.result]));
        let gained = gain(&mut params, types);
        self.interfaces.push(Interface {
            id: id(&name),
            params,
            gained,
            commands: commands.clone(),
        });
        let mut shown = Vec::new();
        for command in commands {
            let own = Self::show_params(&command.params);
            let types = command.args.iter().chain([&command.result]);
            let types: Vec<String> = types.map(|ty| self.show(ty)).collect();
            shown.push(format!("{}{} : {}", command.name, own, types.join(" -> ")));
        }
        self.item(
            None,
            format!("interface {name}{written} = {}\n", shown.join(" | ")),
        );
    }

    fn signature(&mut self) {
        let effects = [epsilon(), epsilon(), epsilon(), Symbol::new("E")];
        let scope = Scope {
            types: vec![Symbol::new("X"), Symbol::new("Y")],
            tails: effects.to_vec(),
        };
        let ty = self.computation(&scope, 3);
        let name = self.name("f");
        let shown = self.show_computation(&ty);
        self.item(None, format!("{name} : {{{shown}}}\n"));
        self.operators.push(Operator { name, ty });
    }

    /// A computation type over some variables.
    pub(super) fn computation(&mut self, scope: &Scope, depth: usize) -> Computation {
        let ability = self.ability(scope, depth, 3);
        let count = self.below(3);
        let mut ports = Vec::new();
        for _ in 0..count {
            let mut adjustments = Vec::new();
            let mut inside = ability.clone();
            if self.once_in(5)
                && let Some((adaptor, under)) = self.adaptor(&inside)
                && adaptor.right.is_some()
            {
                inside = under;
                adjustments.push(Adjustment::Adapt(adaptor));
                if self.once_in(4)
                    && let Some((adaptor, _)) = self.adaptor(&inside)
                    && adaptor.right.is_some()
                {
                    adjustments.push(Adjustment::Adapt(adaptor));
                }
            }
            for _ in 0..self.below(5).saturating_sub(2) {
                adjustments.extend(self.instance(scope, depth).map(Adjustment::Add));
            }
            let ty = self.ty(scope, depth);
            ports.push(Port { adjustments, ty });
        }
        let result = self.ty(scope, depth);
        Computation {
            ports,
            ability,
            result,
        }
    }

    /// An adaptor that is valid in an ability, and the ability under it.
    pub(super) fn adaptor(&mut self, around: &Ability) -> Option<(Adaptor, Ability)> {
        let interface = self.pick(&around.instances)?.interface;
        let left = 1 + self.below(around.of(interface).len());
        let count = self.below(3);
        let right = match self.below(8) {
            0 => None,
            1..=3 => Some((1..left).collect()),
            _ => Some((0..count).map(|_| self.below(left)).collect()),
        };
        let adaptor = Adaptor {
            interface,
            left,
            right,
        };
        let none = |_: &mut Solution, interface| Instance {
            interface,
            args: Vec::new(),
        };
        let under = adapted(&mut Solution::default(), around, &adaptor, &none).ok()?;
        Some((adaptor, matching::sorted(under)))
    }

    pub(super) fn show_adaptors(&mut self, adaptor: &Adaptor) -> String {
        format!("<{}>", show_adaptor(adaptor))
    }
}

/// Adds ε to the parameters of an item whose types mention it.
fn gain<'t>(params: &mut Vec<Param>, types: impl Iterator<Item = &'t Type>) -> bool {
    let mut variables = Variables::default();
    types.for_each(|ty| variables.ty(ty));
    let gained = variables.tails.contains(&epsilon());
    if gained {
        params.push(Param {
            name: epsilon(),
            is_effect: true,
        });
    }
    gained
}
