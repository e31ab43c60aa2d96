//! Values as source.

use frank_core::{ConstructorId, Term, Type};
use frank_interpreter::{escape, show_float};

use super::tree::{Kind, Tree};
use super::{HOLE, Shower};
use crate::state::{Data, Thunk, Value};

impl Shower<'_> {
    /// A value of whatever type.
    pub(super) fn shown(&mut self, value: Value, depth: usize) -> Tree {
        self.typed(value, &Type::Unknown, depth)
    }

    pub(super) fn typed(&mut self, value: Value, ty: &Type, depth: usize) -> Tree {
        if !self.has_room(depth) {
            return Tree::atom("…");
        }
        if self.is_opaque {
            match value {
                Value::Ref(_) => return Tree::atom("<ref>"),
                Value::Int(_)
                | Value::Float(_)
                | Value::Char(_)
                | Value::Data(_)
                | Value::Array(_) => {}
                _ => return Tree::atom("{…}"),
            }
        }
        Tree::new(match value {
            Value::Int(i) => Kind::Atom(i.to_string()),
            Value::Float(x) => Kind::Atom(show_float(x)),
            Value::Char(c) => Kind::Atom(quoted(&[c], '\'')),
            Value::Operator(id) => self.operator(id),
            Value::Command(id) => self.global(&self.program.commands[id].name),
            Value::Ref(cell) => {
                let name = self.cells.get(cell).map_or("cell", String::as_str);
                Kind::Atom(format!("<{name}>"))
            }
            Value::Thunk(id) => {
                let Thunk { term, env } = self.store.thunks[id];
                match &self.program.terms[term] {
                    Term::Thunk(handler) => self.braces(term, handler, env, depth + 1),
                    _ => Kind::Atom("{…}".to_owned()),
                }
            }
            Value::Continuation(id) => {
                let frozen = self.store.paused[id].frozen;
                let mut body = self.plug(frozen, Tree::atom(HOLE));
                let name = self.result_name(frozen, &body);
                body.fill(HOLE, &name);
                Kind::Continuation(name, Box::new(body))
            }
            Value::Paused(id) => {
                let body = self.paused(self.store.paused[id]);
                Kind::Braces(vec![(String::new(), body)])
            }
            Value::Finished(id) => {
                let body = match self.store.data[id].args.first() {
                    Some(value) => self.shown(*value, depth + 1),
                    None => Tree::atom("…"),
                };
                Kind::Braces(vec![(String::new(), body)])
            }
            Value::Array(id) => {
                let item = match ty {
                    Type::Data(_, given) => given.first().unwrap_or(&Type::Unknown),
                    _ => &Type::Unknown,
                };
                let items = self.store.data[id].args.clone();
                let is_cut = items.len() > self.left;
                let shown = items.into_iter().take(self.left).collect();
                let list = self.items(shown, is_cut, item, depth + 1);
                Kind::Call(vec![Tree::atom("array"), list])
            }
            Value::Data(id) => return self.data(value, &self.store.data[id], ty, depth),
        })
    }

    pub(super) fn data(&mut self, value: Value, data: &Data, ty: &Type, depth: usize) -> Tree {
        let Data { constructor, args } = data;
        let given: &[Type] = match ty {
            Type::Data(_, given) => given,
            _ => &[],
        };
        if *constructor == self.program.known.cons || *constructor == self.program.known.nil {
            return self.list(value, given.first().unwrap_or(&Type::Unknown), depth);
        }
        let Some(constructor) = *constructor else {
            return Tree::atom("…");
        };
        let fields = &self.program.constructors[constructor].fields;
        let parts = args.iter().enumerate().map(|(position, arg)| {
            let field = fields.get(position).unwrap_or(&Type::Unknown);
            self.typed(*arg, &field.instance(given), depth + 1)
        });
        let parts = parts.collect();
        Tree::new(self.constructed(constructor, parts))
    }

    /// A list of characters that is not empty is taken for a string where its type is not known.
    pub(super) fn list(&mut self, list: Value, item: &Type, depth: usize) -> Tree {
        let mut items = Vec::new();
        let mut rest = list;
        let mut is_cut = false;
        while let Some((item, tail)) = self.semantics.uncons(rest) {
            is_cut = items.len() >= self.left;
            if is_cut {
                break;
            }
            items.push(item);
            rest = tail;
        }
        self.items(items, is_cut, item, depth)
    }

    /// The items of a list, of which more may follow.
    fn items(&mut self, items: Vec<Value>, is_cut: bool, item: &Type, depth: usize) -> Tree {
        let chars: Option<Vec<char>> = items
            .iter()
            .map(|item| match item {
                Value::Char(c) => Some(*c),
                _ => None,
            })
            .collect();
        match chars {
            Some(mut chars) if !chars.is_empty() || *item == Type::Char => {
                self.left = self.left.saturating_sub(chars.len());
                if is_cut {
                    chars.push('…');
                }
                Tree::atom(&quoted(&chars, '"'))
            }
            _ => {
                let mut parts: Vec<Tree> = items
                    .into_iter()
                    .map(|value| self.typed(value, item, depth + 1))
                    .collect();
                if is_cut {
                    parts.push(Tree::atom("…"));
                }
                Tree::new(Kind::List(parts))
            }
        }
    }

    pub(super) fn constructor(&self, id: ConstructorId) -> String {
        let shown = self.program.shown_as(id);
        self.program.constructors[shown].name.clone()
    }

    pub(super) fn constructed(&self, constructor: ConstructorId, mut parts: Vec<Tree>) -> Kind {
        let known = &self.program.known;
        if parts.is_empty() {
            return match Some(constructor) == known.nil {
                true => Kind::List(Vec::new()),
                false => Kind::Atom(self.constructor(constructor)),
            };
        }
        if Some(constructor) == known.cons && parts.len() == 2 {
            let (right, left) = (parts.pop(), parts.pop());
            if let (Some(left), Some(right)) = (left, right) {
                return Kind::Infix("::", Box::new(left), Box::new(right));
            }
        }
        parts.insert(0, Tree::atom(&self.constructor(constructor)));
        Kind::Call(parts)
    }
}

/// Characters as a literal, in single or double quotes.
pub fn quoted(chars: &[char], quote: char) -> String {
    let mut text = String::from(quote);
    for (position, c) in chars.iter().enumerate() {
        escape(*c, quote, chars.get(position + 1).copied(), &mut text);
    }
    text.push(quote);
    text
}
