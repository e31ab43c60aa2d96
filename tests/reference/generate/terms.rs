//! Random terms and patterns of given types.

use frank_syntax::ast::Symbol;

use super::matching::{match_ability, match_computation, matches, sorted};
use super::{Command, Generator, Local, Param, Scope, list, plain};
use crate::rules::adapt::adjusted;
use crate::rules::solve::Solution;
use crate::rules::types::{
    Ability, Arg, Computation, Id, Instance, Port, Replacement, Tail, Type, Variables,
};

/// Something that can be applied, and what its variables are then.
#[derive(Clone)]
struct Head {
    text: String,
    ty: Computation,
    found: Replacement,
}

impl Generator {
    /// Patterns and a body for a computation.
    pub(super) fn clause(
        &mut self,
        it: &Computation,
        locals: &[Local],
        depth: usize,
    ) -> (Vec<String>, String) {
        let mut locals = locals.to_vec();
        let mut patterns = Vec::new();
        for port in &it.ports {
            patterns.push(self.port_pattern(port, &it.ability, &mut locals));
        }
        let body = self.term(&it.result, &it.ability, &locals, depth);
        (patterns, body)
    }

    pub(super) fn bind(&mut self, ty: Type, locals: &mut Vec<Local>) -> String {
        let name = self.name("v");
        locals.push(Local {
            name: name.clone(),
            ty,
        });
        name
    }

    pub(super) fn adjusted(&self, around: &Ability, port: &Port) -> Option<Ability> {
        let none = |_: &mut Solution, interface| Instance {
            interface,
            args: Vec::new(),
        };
        let ability = adjusted(&mut Solution::default(), around, port, &none).ok()?;
        Some(sorted(ability))
    }

    fn port_pattern(&mut self, port: &Port, around: &Ability, locals: &mut Vec<Local>) -> String {
        let added: Vec<Instance> = port.added().cloned().collect();
        let Some(inside) = self.adjusted(around, port) else {
            return "_".to_owned();
        };
        let rest = |ports: Vec<Port>| {
            let (ability, result) = (inside.clone(), port.ty.clone());
            Type::Thunk(Box::new(Computation {
                ports,
                ability,
                result,
            }))
        };
        match self.below(6) {
            0 => {
                let name = self.bind(rest(Vec::new()), locals);
                format!("<{name}>")
            }
            1..=3 if !added.is_empty() => {
                let at = self.below(added.len());
                let instance = &added[at];
                let behind = added[at + 1..].iter();
                let index = behind
                    .filter(|one| one.interface == instance.interface)
                    .count();
                let commands = self.commands(instance);
                let command = self.pick(&commands).expect("interfaces have commands");
                let (pattern, continuation) =
                    self.command_pattern(&command, instance, index, locals);
                let answer = Port::plain(continuation);
                let continuation = self.bind(rest(vec![answer]), locals);
                format!("<{pattern} -> {continuation}>")
            }
            _ => self.value_pattern(&port.ty, locals, 2),
        }
    }

    /// The commands of an instance's interface.
    pub(super) fn commands(&self, instance: &Instance) -> Vec<Command> {
        let mut rows = self.interfaces.iter();
        let row = rows.find(|one| one.id == instance.interface);
        row.map_or_else(Vec::new, |row| row.commands.clone())
    }

    /// A pattern for a command of an instance, without its continuation, and what the continuation
    /// is given.
    pub(super) fn command_pattern(
        &mut self,
        command: &Command,
        instance: &Instance,
        index: usize,
        locals: &mut Vec<Local>,
    ) -> (String, Type) {
        let mut rows = self.interfaces.iter();
        let row = rows.find(|one| one.id == instance.interface);
        let row = row.expect("instances are of interfaces");
        let mut found = replaced(&row.params, &instance.args);
        for own in &command.params {
            let unknown = Symbol::new(&self.name(own.name.as_str()));
            if own.is_effect {
                let unknown = Ability::just(Tail::Rigid(unknown));
                found.abilities.insert(own.name, unknown);
            } else {
                found.types.insert(own.name, Type::Rigid(unknown));
            }
        }
        let mut text = command.name.clone();
        if index > 0 || self.once_in(5) {
            text += &format!(".{index}");
        }
        for arg in &command.args {
            text += &format!(" {}", self.value_pattern(&found.ty(arg), locals, 1));
        }
        (text, found.ty(&command.result))
    }

    fn value_pattern(&mut self, ty: &Type, locals: &mut Vec<Local>, depth: usize) -> String {
        let roll = self.below(8);
        match ty {
            Type::Int | Type::Float if roll == 0 => self.below(10).to_string(),
            Type::Char if roll == 0 => "'a'".to_owned(),
            Type::Data(id, args) if roll < 5 && depth > 0 => {
                let Some((name, fields)) = self.constructor(*id, args) else {
                    return "_".to_owned();
                };
                let fields = fields.iter();
                let fields: Vec<String> = fields
                    .map(|field| format!(" {}", self.value_pattern(field, locals, depth - 1)))
                    .collect();
                format!("({name}{})", fields.concat())
            }
            _ if roll == 7 => "_".to_owned(),
            _ => self.bind(ty.clone(), locals),
        }
    }

    /// Some constructor of a data type, and the types of its fields.
    fn constructor(&mut self, id: Id, args: &[Arg]) -> Option<(String, Vec<Type>)> {
        let data = self.data.iter().find(|one| one.id == id)?;
        let found = replaced(&data.params, args);
        let constructors = data.constructors.clone();
        let (name, fields) = self.pick(&constructors)?;
        Some((name, fields.iter().map(|field| found.ty(field)).collect()))
    }

    /// A term of a type for an ability.
    pub(super) fn term(
        &mut self,
        wanted: &Type,
        ambient: &Ability,
        locals: &[Local],
        depth: usize,
    ) -> String {
        let other;
        let wanted = if self.once_in(self.slip) {
            other = self.ty(&Scope::default(), 1);
            &other
        } else {
            wanted
        };
        if depth == 0 {
            return self.leaf(wanted, ambient, locals);
        }
        let depth = depth - 1;
        match self.below(20) {
            0..=1 => {
                let ty = self.some_type(locals);
                let bound = self.term(&ty, ambient, locals, depth);
                let mut inner = locals.to_vec();
                let name = self.bind(ty, &mut inner);
                let body = self.term(wanted, ambient, &inner, depth);
                format!("let {name} = {bound} in {body}")
            }
            2 => {
                let ty = self.some_type(locals);
                let first = self.atom(&ty, ambient, locals, depth);
                format!("{first}; {}", self.term(wanted, ambient, locals, depth))
            }
            3..=11 => match self.application(wanted, ambient, locals, depth) {
                Some(text) => text,
                None => self.construction(wanted, ambient, locals, depth),
            },
            _ => self.construction(wanted, ambient, locals, depth),
        }
    }

    pub(super) fn atom(
        &mut self,
        wanted: &Type,
        ambient: &Ability,
        locals: &[Local],
        depth: usize,
    ) -> String {
        in_parentheses(self.term(wanted, ambient, locals, depth))
    }

    /// The type of a local variable, or another simple one.
    fn some_type(&mut self, locals: &[Local]) -> Type {
        let ty = match self.pick(locals) {
            Some(local) if self.below(2) == 0 => local.ty,
            _ => self.ty(&Scope::default(), 1),
        };
        // What handles commands cannot stand where nothing says so.
        if adjusts(&ty) && self.below(10) > 0 {
            return Type::Int;
        }
        ty
    }

    fn leaf(&mut self, wanted: &Type, ambient: &Ability, locals: &[Local]) -> String {
        if self.below(2) == 0
            && let Some(text) = self.application(wanted, ambient, locals, 0)
        {
            return text;
        }
        let fitting: Vec<&Local> = locals.iter().filter(|one| one.ty == *wanted).collect();
        if let Some(local) = self.pick(&fitting) {
            return local.name.clone();
        }
        if let Type::Data(id, args) = wanted
            && let Some((name, fields)) = self.constructor(*id, args)
            && fields.is_empty()
        {
            return name;
        }
        self.smallest(wanted, locals, 3)
            .unwrap_or_else(|| "loop!".to_owned())
    }

    /// A value of a type, if a small one is easily found.
    fn smallest(&mut self, wanted: &Type, locals: &[Local], depth: usize) -> Option<String> {
        let fitting: Vec<&Local> = locals.iter().filter(|one| one.ty == *wanted).collect();
        if let Some(local) = self.pick(&fitting) {
            return Some(local.name.clone());
        }
        match wanted {
            Type::Int => Some(self.below(10).to_string()),
            Type::Float => Some("1.5".to_owned()),
            Type::Char => Some("'x'".to_owned()),
            Type::Thunk(it) => Some(self.suspended(it, locals, 0)),
            Type::Data(id, args) if depth > 0 => {
                let data = self.data.iter().find(|one| one.id == *id)?;
                let found = replaced(&data.params, args);
                let mut constructors = data.constructors.clone();
                constructors.sort_by_key(|(_, fields)| fields.len());
                constructors.iter().find_map(|(name, fields)| {
                    let mut text = name.clone();
                    for field in fields {
                        let field = self.smallest(&found.ty(field), locals, depth - 1)?;
                        text += &format!(" {}", in_parentheses(field));
                    }
                    Some(text)
                })
            }
            _ => None,
        }
    }

    fn construction(
        &mut self,
        wanted: &Type,
        ambient: &Ability,
        locals: &[Local],
        depth: usize,
    ) -> String {
        match wanted {
            Type::Int | Type::Float if self.below(2) == 0 => {
                let operator = self.pick(&["+", "-", "*", "/"]).expect("there are some");
                let left = self.atom(wanted, ambient, locals, depth);
                format!(
                    "{left} {operator} {}",
                    self.atom(wanted, ambient, locals, depth)
                )
            }
            Type::Thunk(it) => self.suspended(it, locals, depth),
            Type::Data(id, args) => {
                if *wanted == plain("Bool") && self.below(2) == 0 {
                    let operator = self.pick(&["<", "==", ">="]).expect("there are some");
                    let left = self.atom(&Type::Int, ambient, locals, depth);
                    let right = self.atom(&Type::Int, ambient, locals, depth);
                    return format!("{left} {operator} {right}");
                }
                if let Some(Arg::Type(element)) = args.first()
                    && *wanted == list(element.clone())
                    && self.below(2) == 0
                {
                    let count = self.below(3);
                    let elements = (0..count).map(|_| self.term(element, ambient, locals, depth));
                    let elements: Vec<String> = elements.collect();
                    return format!("[{}]", elements.join(", "));
                }
                let Some((mut text, fields)) = self.constructor(*id, args) else {
                    return "loop!".to_owned();
                };
                for field in fields {
                    text += &format!(" {}", self.atom(&field, ambient, locals, depth));
                }
                text
            }
            _ => self.leaf(wanted, ambient, locals),
        }
    }

    fn suspended(&mut self, it: &Computation, locals: &[Local], depth: usize) -> String {
        let count = 1 + self.below(4) / 3;
        let mut clauses = Vec::new();
        for _ in 0..count {
            let (patterns, body) = self.clause(it, locals, depth);
            clauses.push(match patterns.is_empty() {
                true => body,
                false => format!("{} -> {body}", patterns.join(" ")),
            });
        }
        format!("{{{}}}", clauses.join(" | "))
    }

    /// A use of something that gives the type, perhaps under an adaptor.
    fn application(
        &mut self,
        wanted: &Type,
        ambient: &Ability,
        locals: &[Local],
        depth: usize,
    ) -> Option<String> {
        if self.once_in(4)
            && let Some((adaptor, under)) = self.adaptor(ambient)
            && let Some(inside) = self.application(wanted, &under, locals, depth)
        {
            let adaptor = self.show_adaptors(&adaptor);
            return Some(format!("{adaptor} ({inside})"));
        }
        let mut heads = Vec::new();
        for local in locals {
            if local.ty == *wanted {
                heads.push((local.name.clone(), None));
            }
            if let Type::Thunk(it) = &local.ty
                && it.ability == *ambient
            {
                let found = Replacement::default();
                let head = Head {
                    text: local.name.clone(),
                    ty: (**it).clone(),
                    found,
                };
                self.heads_for(head, wanted, true, &mut heads);
            }
        }
        for (at, operator) in self.operators.clone().into_iter().enumerate() {
            if !self.may_use(at) {
                continue;
            }
            let mut found = Replacement::default();
            let fits = match_ability(&operator.ty.ability, ambient, &mut found);
            if fits || self.once_in(self.slip) {
                let head = Head {
                    text: operator.name.clone(),
                    ty: operator.ty.clone(),
                    found,
                };
                self.heads_for(head, wanted, false, &mut heads);
            }
            if let Type::Thunk(it) = wanted
                && match_computation(&operator.ty, it, &mut Replacement::default())
            {
                heads.push((operator.name, None));
            }
        }
        for interface in &self.interfaces {
            let Some(active) = ambient.of(interface.id).last().copied().cloned() else {
                continue;
            };
            for command in &interface.commands {
                let found = replaced(&interface.params, &active.args);
                let ports = command.args.iter().map(|arg| Port::plain(found.ty(arg)));
                let ty = Computation {
                    ports: ports.collect(),
                    ability: ambient.clone(),
                    result: found.ty(&command.result),
                };
                // Only the command's own variables may still be chosen.
                let mut chosen = Replacement::default();
                let mut variables = Variables::default();
                variables.computation(&ty);
                for name in variables.types {
                    if command.params.iter().all(|own| own.name != name) {
                        chosen.types.insert(name, Type::Rigid(name));
                    }
                }
                for name in variables.tails {
                    if command.params.iter().any(|own| own.name == name) {
                        continue;
                    }
                    let itself = Ability::just(Tail::Rigid(name));
                    chosen.abilities.insert(name, itself);
                }
                if matches(&ty.result, wanted, &mut chosen) {
                    let head = Head {
                        text: command.name.clone(),
                        ty,
                        found: chosen,
                    };
                    heads.push((head.text.clone(), Some(head)));
                }
            }
        }
        // What takes arguments needs room for them, and what the program defines is of more
        // interest than `case` and `loop`, which fit everywhere.
        heads.retain(|(_, head)| match head {
            Some(head) => depth > 0 || head.ty.ports.is_empty(),
            None => true,
        });
        let own = |(name, _): &&(String, Option<Head>)| name != "case" && name != "loop";
        let own: Vec<(String, Option<Head>)> = heads.iter().filter(own).cloned().collect();
        if !own.is_empty() && self.below(5) > 0 {
            heads = own;
        }
        let (text, head) = self.pick(&heads)?;
        match head {
            None => Some(text),
            Some(head) => self.applied(head, ambient, locals, depth),
        }
    }

    /// Adds a head if it gives the type wanted.
    fn heads_for(
        &mut self,
        mut head: Head,
        wanted: &Type,
        is_ground: bool,
        heads: &mut Vec<(String, Option<Head>)>,
    ) {
        let fits = match is_ground {
            true => head.ty.result == *wanted,
            false => matches(&head.ty.result, wanted, &mut head.found),
        };
        // What the result says comes too late for the arguments.
        let says_too_late = head.found.types.values().any(adjusts);
        if fits && (!says_too_late || self.once_in(10)) {
            heads.push((head.text.clone(), Some(head)));
        }
    }

    fn applied(
        &mut self,
        head: Head,
        ambient: &Ability,
        locals: &[Local],
        depth: usize,
    ) -> Option<String> {
        let mut found = head.found;
        let mut variables = Variables::default();
        variables.computation(&head.ty);
        // Nothing says what the other variables are. Those of a local variable's type are its own.
        let is_local = locals.iter().any(|one| one.name == head.text);
        for name in variables.types.into_iter().filter(|_| !is_local) {
            let ty = self.some_type(locals);
            found.types.entry(name).or_insert(ty);
        }
        for name in variables.tails.into_iter().filter(|_| !is_local) {
            found.abilities.entry(name).or_insert(match name.as_str() {
                "E" => ambient.clone(),
                _ => Ability::just(Tail::Closed),
            });
        }
        let it = match is_local {
            true => head.ty,
            false => found.computation(&head.ty),
        };
        let mut text = head.text;
        for port in &it.ports {
            let inside = self.adjusted(ambient, port)?;
            text += &format!(
                " {}",
                self.atom(&port.ty, &inside, locals, depth.saturating_sub(1))
            );
        }
        if it.ports.is_empty() {
            text.push('!');
        }
        Some(text)
    }
}

/// Whether a type has a port that adjusts an ability.
fn adjusts(ty: &Type) -> bool {
    match ty {
        Type::Thunk(it) => {
            let mut ports = it.ports.iter();
            adjusts(&it.result)
                || ports.any(|port| !port.adjustments.is_empty() || adjusts(&port.ty))
        }
        Type::Data(_, args) => args.iter().any(|arg| match arg {
            Arg::Type(ty) => adjusts(ty),
            Arg::Ability(_) => false,
        }),
        _ => false,
    }
}

/// A term where it needs parentheses if it is more than a word.
fn in_parentheses(text: String) -> String {
    if text.chars().all(|c| c.is_alphanumeric()) || is_braced(&text) {
        text
    } else {
        format!("({text})")
    }
}

/// Whether a text is one pair of braces or brackets.
fn is_braced(text: &str) -> bool {
    let mut depth = 0;
    let closes_at = text.char_indices().find(|(_, c)| {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    closes_at.is_some_and(|(at, _)| at > 0 && at + 1 == text.len())
}

fn replaced(params: &[Param], args: &[Arg]) -> Replacement {
    let mut found = Replacement::default();
    for (param, arg) in params.iter().zip(args) {
        match arg {
            Arg::Type(ty) => drop(found.types.insert(param.name, ty.clone())),
            Arg::Ability(ability) => {
                found.abilities.insert(param.name, ability.clone());
            }
        }
    }
    found
}
