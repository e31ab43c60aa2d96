//! Types as they are written.

use super::{Generator, epsilon};
use crate::rules::types::{
    Ability, Adaptor, Adjustment, Arg, Computation, Id, Instance, Tail, Type,
};

impl Generator {
    /// A type where one may stand without parentheses.
    pub(super) fn show(&mut self, ty: &Type) -> String {
        match ty {
            Type::Int => "Int".to_owned(),
            Type::Float => "Float".to_owned(),
            Type::Char => "Char".to_owned(),
            Type::Rigid(name) => name.to_string(),
            Type::Flexible(_) => "_".to_owned(),
            Type::Thunk(it) => format!("{{{}}}", self.show_computation(it)),
            Type::Data(id, args) => format!("{}{}", id.name, self.show_args(*id, args)),
        }
    }

    pub(super) fn show_atom(&mut self, ty: &Type) -> String {
        match ty {
            Type::Data(_, args) if !args.is_empty() => format!("({})", self.show(ty)),
            _ => self.show(ty),
        }
    }

    /// The arguments; a last `[ε]` may be left out.
    fn show_args(&mut self, id: Id, args: &[Arg]) -> String {
        let mut all = self.data.iter().map(|one| (one.id, one.gained));
        let mut rows = self.interfaces.iter().map(|one| (one.id, one.gained));
        let gained = all
            .find(|one| one.0 == id)
            .or_else(|| rows.find(|one| one.0 == id));
        let gained = gained.is_some_and(|one| one.1);
        let mut text = String::new();
        for (at, arg) in args.iter().enumerate() {
            let shown = match arg {
                Arg::Type(ty) => self.show_atom(ty),
                Arg::Ability(ability) => {
                    let is_epsilon = *ability == Ability::just(Tail::Rigid(epsilon()));
                    if is_epsilon && gained && at + 1 == args.len() {
                        break;
                    }
                    self.show_ability(ability)
                }
            };
            text.push(' ');
            text.push_str(&shown);
        }
        text
    }

    pub(super) fn show_ability(&mut self, ability: &Ability) -> String {
        let instances = ability.instances.iter();
        let instances: Vec<String> = instances.map(|one| self.show_instance(one)).collect();
        let instances = instances.join(", ");
        match ability.tail {
            Tail::Closed if instances.is_empty() => "[0]".to_owned(),
            Tail::Closed => format!("[0|{instances}]"),
            Tail::Rigid(name) if name == epsilon() => format!("[{instances}]"),
            Tail::Rigid(name) => format!("[{name}|{instances}]"),
            Tail::Flexible(_) => "[_|]".to_owned(),
        }
    }

    pub(super) fn show_instance(&mut self, instance: &Instance) -> String {
        let args = self.show_args(instance.interface, &instance.args);
        format!("{}{args}", instance.interface.name)
    }

    /// The ports and the peg, without braces.
    pub(super) fn show_computation(&mut self, it: &Computation) -> String {
        let mut text = String::new();
        for port in &it.ports {
            let (mut adaptors, mut added) = (Vec::new(), Vec::new());
            for adjustment in &port.adjustments {
                match adjustment {
                    Adjustment::Adapt(adaptor) => {
                        // Dropping all that are in sight may be written so.
                        let in_sight = it.ability.of(adaptor.interface).len();
                        let all = adaptor.left == in_sight && adaptors.is_empty();
                        let none = adaptor.right.as_ref().is_some_and(Vec::is_empty);
                        if all && none && self.once_in(2) {
                            adaptors.push(format!("{}(s ->)", adaptor.interface.name));
                        } else {
                            adaptors.push(show_adaptor(adaptor));
                        }
                    }
                    Adjustment::Add(instance) => added.push(self.show_instance(instance)),
                }
            }
            let bar = if adaptors.is_empty() { "" } else { "|" };
            if !port.adjustments.is_empty() {
                text += &format!("<{}{bar}{}>", adaptors.join(", "), added.join(", "));
            }
            text += &format!("{} -> ", self.show(&port.ty));
        }
        let is_epsilon = it.ability == Ability::just(Tail::Rigid(epsilon()));
        if !is_epsilon || self.once_in(6) {
            text += &self.show_ability(&it.ability);
            text += &self.show_atom(&it.result);
        } else {
            text += &self.show(&it.result);
        }
        text
    }
}

/// An adaptor as it is written.
pub(super) fn show_adaptor(adaptor: &Adaptor) -> String {
    let name = |place: usize| char::from(b'a' + place as u8).to_string();
    let interface = adaptor.interface.name;
    let left: Vec<String> = (0..adaptor.left).map(name).collect();
    let left = left.join(" ");
    match &adaptor.right {
        Some(right) if right.is_empty() && adaptor.left == 1 => interface.to_string(),
        Some(right) => {
            let right: Vec<String> = right.iter().map(|place| name(*place)).collect();
            format!("{interface}(s {left} -> s {})", right.join(" "))
        }
        None => format!("{interface}(s {left} ->)"),
    }
}
