//! Types and abilities as text, in the user's own names: a [`Show`] for what the checker found out
//! about one operator writes them. For whole inferred signatures see [`crate::inferred`].

mod difference;

use std::collections::HashMap;

use frank_syntax::ast::Symbol;

use crate::infer::table::Table;
use crate::types::{
    Ability, AbilityData, Adaptor, Adjustment, Arg, Computation, Instance, Port, Tail, Ty, TyKind,
};

/// Writes types. The implicit ε is left out where the language lets it be left out.
pub struct Show<'a> {
    /// Where the types live.
    pub table: &'a Table,
    /// The names of the rigid value variables, by their numbers.
    pub values: &'a [Symbol],
    /// The names of the rigid effect variables, by their numbers.
    pub effects: &'a [Symbol],
    /// How many nodes of a type are written before `…` stands for the rest.
    pub budget: usize,
    /// Names for flexible variables, where they are to have names.
    pub metas: Option<&'a MetaNames>,
}

/// Names given to the flexible variables of a type, as a signature would name them.
#[derive(Debug, Default)]
pub struct MetaNames {
    pub values: HashMap<u32, String>,
    pub effects: HashMap<u32, String>,
    /// Effect variables without a name are left out: they take whatever there is.
    pub elided: bool,
}

/// What is enough for a message.
pub const MESSAGE_BUDGET: usize = 60;

/// What is written of a type that is wanted whole. As trees, types can be exponentially larger than
/// the programs that they come from.
pub const WHOLE_BUDGET: usize = 2_000;

#[derive(Clone, Copy, PartialEq)]
enum Context {
    Top,
    /// Where a type of several words needs parentheses.
    Argument,
}

impl Show<'_> {
    pub fn ty(&self, ty: Ty) -> String {
        self.written(|writer| writer.ty(ty, Context::Top))
    }

    pub fn ability(&self, ability: Ability) -> String {
        self.written(|writer| writer.ability(ability))
    }

    pub fn instance(&self, instance: &Instance) -> String {
        self.written(|writer| writer.instance(instance))
    }

    /// An ability whose tail is resolved already.
    pub fn row(&self, row: &AbilityData) -> String {
        self.written(|writer| writer.row(row))
    }

    /// A port with its adjustments.
    pub fn port(&self, port: &Port) -> String {
        self.written(|writer| writer.port(port))
    }

    /// What comes out of a computation, with the ability where it is not the implicit one. The
    /// implicit one is left out behind ports alone, where a signature can leave it out.
    pub fn peg(&self, computation: &Computation) -> String {
        self.written(|writer| writer.peg(computation))
    }

    /// A computation type as a signature writes it, without the outer braces.
    pub fn signature(&self, computation: &Computation) -> String {
        self.written(|writer| writer.computation(computation))
    }

    fn written(&self, write: impl FnOnce(&mut Writer<'_>)) -> String {
        let mut writer = Writer {
            show: self,
            out: String::new(),
            left: self.budget,
        };
        write(&mut writer);
        writer.out
    }
}

struct Writer<'a> {
    show: &'a Show<'a>,
    out: String,
    left: usize,
}

impl Writer<'_> {
    fn ty(&mut self, ty: Ty, context: Context) {
        if self.left == 0 {
            self.out.push('…');
            return;
        }
        self.left -= 1;
        let ty = self.show.table.head(ty);
        match self.show.table.types.kind(ty) {
            TyKind::Int => self.out.push_str("Int"),
            TyKind::Float => self.out.push_str("Float"),
            TyKind::Char => self.out.push_str("Char"),
            TyKind::Error => self.out.push('_'),
            TyKind::Variable(index) => {
                let name = self.show.values.get(*index as usize);
                self.out.push_str(name.map_or("_", |name| name.as_str()));
            }
            TyKind::Meta(meta) => {
                let named = self.show.metas.and_then(|metas| metas.values.get(meta));
                match named {
                    Some(name) => self.out.push_str(name),
                    None if self.show.table.is_number_meta(ty) => self.out.push_str("Int"),
                    None => self.out.push('_'),
                }
            }
            TyKind::Data(def, args) => {
                if def.0.name.as_str() == "List"
                    && let [Arg::Type(element)] = &args[..]
                    && matches!(self.show.table.kind(*element), TyKind::Char)
                {
                    self.out.push_str("String");
                    return;
                }
                let args = self.shown_args(args);
                let parenthesised = context == Context::Argument && !args.is_empty();
                if parenthesised {
                    self.out.push('(');
                }
                self.out.push_str(def.0.name.as_str());
                self.args(args);
                if parenthesised {
                    self.out.push(')');
                }
            }
            TyKind::Computation(computation) => {
                self.out.push('{');
                self.computation(computation);
                self.out.push('}');
            }
        }
    }

    /// A last argument that is the implicit ε is left out.
    fn shown_args<'b>(&self, args: &'b [Arg]) -> &'b [Arg] {
        match args.split_last() {
            Some((Arg::Ability(ability), rest)) => {
                let row = self.show.table.row(*ability);
                if row.instances.is_empty() && self.is_implicit(row.tail) {
                    rest
                } else {
                    args
                }
            }
            _ => args,
        }
    }

    fn is_implicit(&self, tail: Tail) -> bool {
        match tail {
            Tail::Variable(index) => {
                let name = self.show.effects.get(index as usize).copied();
                name == Some(Symbol::implicit_effect())
            }
            Tail::Meta(meta) => {
                let names = self.show.metas.and_then(|metas| metas.effects.get(&meta));
                match names {
                    Some(name) => name == Symbol::implicit_effect().as_str(),
                    None => self.show.metas.is_some_and(|metas| metas.elided),
                }
            }
            Tail::Closed | Tail::Error => false,
        }
    }

    fn args(&mut self, args: &[Arg]) {
        for arg in args {
            self.out.push(' ');
            match arg {
                Arg::Type(ty) => self.ty(*ty, Context::Argument),
                Arg::Ability(ability) => self.ability(*ability),
            }
        }
    }

    fn instance(&mut self, instance: &Instance) {
        self.out.push_str(instance.interface.0.name.as_str());
        let args = self.shown_args(&instance.args);
        self.args(args);
    }

    fn ability(&mut self, ability: Ability) {
        let row = self.show.table.row(ability);
        self.row(&row);
    }

    fn row(&mut self, row: &AbilityData) {
        self.out.push('[');
        let bar = match row.tail {
            Tail::Closed => {
                self.out.push('0');
                true
            }
            tail if self.is_implicit(tail) => false,
            Tail::Variable(index) => {
                let name = self.show.effects.get(index as usize);
                self.out.push_str(name.map_or("_", |name| name.as_str()));
                true
            }
            Tail::Meta(meta) => match self.show.metas.and_then(|m| m.effects.get(&meta)) {
                Some(name) => {
                    self.out.push_str(name);
                    true
                }
                None => {
                    self.out.push('_');
                    true
                }
            },
            Tail::Error => {
                self.out.push('_');
                true
            }
        };
        if bar && !(row.tail == Tail::Closed && row.instances.is_empty()) {
            self.out.push('|');
        }
        for (i, instance) in row.instances.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            if self.left == 0 {
                self.out.push('…');
                break;
            }
            self.instance(instance);
        }
        self.out.push(']');
    }

    fn computation(&mut self, computation: &Computation) {
        for port in &computation.ports {
            self.port(port);
            self.out.push_str(" -> ");
        }
        self.peg(computation);
    }

    fn port(&mut self, port: &Port) {
        if !port.adjustments.is_empty() {
            self.adjustments(&port.adjustments);
        }
        self.ty(port.ty, Context::Top);
    }

    fn peg(&mut self, computation: &Computation) {
        let row = self.show.table.row(computation.ability);
        if !(row.instances.is_empty() && self.is_implicit(row.tail)) || computation.ports.is_empty()
        {
            self.row(&row);
        }
        self.ty(computation.result, Context::Top);
    }

    fn adjustments(&mut self, adjustments: &[Adjustment]) {
        self.out.push('<');
        let mut first = true;
        let mut adaptors = false;
        for adjustment in adjustments {
            if !first {
                let instance = matches!(adjustment, Adjustment::Instance(_));
                self.out
                    .push_str(if adaptors && instance { " | " } else { ", " });
            }
            first = false;
            match adjustment {
                Adjustment::Instance(instance) => {
                    adaptors = false;
                    self.instance(instance);
                }
                Adjustment::Adaptor(adaptor) => {
                    adaptors = true;
                    self.out.push_str(&show_adaptor(adaptor));
                }
            }
        }
        if adaptors {
            self.out.push('|');
        }
        self.out.push('>');
    }
}

/// An adaptor as it could be written.
pub fn show_adaptor(adaptor: &Adaptor) -> String {
    let interface = adaptor.interface.0.name;
    if adaptor.taken == 1 && adaptor.kept.is_empty() {
        return interface.to_string();
    }
    let name = |from_right: u32| {
        let from_left = adaptor.taken.saturating_sub(1 + from_right);
        char::from_u32('a' as u32 + from_left % 26)
            .unwrap_or('a')
            .to_string()
    };
    let left: Vec<String> = (0..adaptor.taken).rev().map(name).collect();
    let right: Vec<String> = adaptor.kept.iter().rev().map(|i| name(*i)).collect();
    let join = |names: Vec<String>| {
        names
            .iter()
            .map(|name| format!(" {name}"))
            .collect::<String>()
    };
    format!("{interface}(s{} -> s{})", join(left), join(right))
}
