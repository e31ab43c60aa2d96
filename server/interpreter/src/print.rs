//! Values as Frank terms.
//!
//! Nothing here recurses: what is still to be written waits in a list, so that a value may be as
//! deep as memory allows. A budget ends the text of large values early.

use std::rc::Rc;

use frank_core::{Program, Type};

use crate::arrays::Items;
use crate::code::Code;
use crate::heap::Heap;
use crate::value::{Value, View};
use frank_staging::show_float;

/// The most bytes of a text that a message says.
const TEXT: usize = 2000;

/// A type with what its parameters stand for.
#[derive(Clone)]
struct Typed<'p> {
    ty: &'p Type,
    parameters: Rc<Vec<Typed<'p>>>,
}

enum Task<'p> {
    Text(&'static str),
    /// `nested` if a term with arguments needs parentheses here.
    Value {
        value: Value,
        ty: Option<Typed<'p>>,
        nested: bool,
    },
    /// The items of an array from a position on.
    Array {
        array: Value,
        from: usize,
        ty: Option<Typed<'p>>,
    },
    /// The items from here on, the first with no comma before it.
    Items {
        rest: Value,
        ty: Option<Typed<'p>>,
        first: bool,
    },
}

/// So many parts of a value are written between two questions whether to go on.
const PARTS: usize = 1 << 14;

struct Printer<'a, 'p> {
    code: &'a Code,
    heap: &'a Heap,
    program: Option<&'p Program>,
    text: String,
    tasks: Vec<Task<'p>>,
    most: usize,
    go_on: &'a mut dyn FnMut() -> bool,
    /// How many parts were written since it was asked.
    parts: usize,
}

/// A value by its type; at most about so many bytes, then `…`. Asks now and then whether to go on, and ends with what
/// there is if not.
pub(crate) fn by_type(
    code: &Code,
    heap: &Heap,
    program: &Program,
    ty: &Type,
    value: Value,
    most: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> String {
    let ty = Typed {
        ty,
        parameters: Rc::new(Vec::new()),
    };
    let task = Task::Value {
        value,
        ty: Some(ty),
        nested: false,
    };
    Printer {
        code,
        heap,
        program: Some(program),
        text: String::new(),
        tasks: vec![task],
        most,
        go_on,
        parts: 0,
    }
    .run()
}

/// A value whose type is not known: a list of characters that is not empty is taken for a string.
pub(crate) fn untyped(code: &Code, heap: &Heap, value: Value, most: usize, nested: bool) -> String {
    let task = Task::Value {
        value,
        ty: None,
        nested,
    };
    Printer {
        code,
        heap,
        program: None,
        text: String::new(),
        tasks: vec![task],
        most,
        go_on: &mut || true,
        parts: 0,
    }
    .run()
}

/// What a run that calls `fail` with a text says: the text as it is, but for characters that are not to be printed,
/// which stand as in source.
pub fn failure(given: impl IntoIterator<Item = char>) -> String {
    match visible(given, TEXT) {
        text if text.is_empty() => "`fail`, without a text".to_owned(),
        text => text,
    }
}

/// A text as it is, but for characters that are not to be printed, which stand as in source; behind about so many
/// bytes `…`.
pub fn visible(given: impl IntoIterator<Item = char>, most: usize) -> String {
    let mut text = String::new();
    let mut given = given.into_iter().peekable();
    while let Some(c) = given.next() {
        if text.len() > most {
            text.push('…');
            break;
        }
        match is_printable(c) {
            true => text.push(c),
            false => escape(c, '"', given.peek().copied(), &mut text),
        }
    }
    text
}

/// The characters of a text.
pub(crate) fn chars(heap: &Heap, text: Value) -> impl Iterator<Item = char> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let c = rest
            .is_constructed()
            .then(|| heap.get(rest.handle(), 0).as_char())?;
        rest = heap.get(rest.handle(), 1);
        Some(c)
    })
}

impl<'p> Printer<'_, 'p> {
    fn run(mut self) -> String {
        while let Some(task) = self.tasks.pop() {
            if self.text.len() > self.most {
                self.text.push('…');
                break;
            }
            if !self.goes_on() {
                break;
            }
            match task {
                Task::Text(text) => self.text.push_str(text),
                Task::Value { value, ty, nested } => self.value(value, ty, nested),
                Task::Array { array, from, ty } => self.array_items(array, from, ty),
                Task::Items { rest, ty, first } => self.items(rest, ty, first),
            }
        }
        self.text
    }

    /// Before another part is written: whether it is to be.
    fn goes_on(&mut self) -> bool {
        self.parts += 1;
        if self.parts < PARTS {
            return true;
        }
        self.parts = 0;
        (self.go_on)()
    }

    fn value(&mut self, value: Value, ty: Option<Typed<'p>>, nested: bool) {
        match value.view() {
            View::Float => self.text.push_str(&show_float(value.as_float())),
            View::Int | View::Wide(_) => {
                self.text.push_str(&self.heap.as_int(value).to_string());
            }
            View::Char => {
                self.text.push('\'');
                escape(value.as_char(), '\'', None, &mut self.text);
                self.text.push('\'');
            }
            View::Nullary(constructor) if Value::nullary(0, constructor) == self.nil() => {
                let string = self.item(&ty).is_some_and(|t| matches!(t.ty, Type::Char));
                self.text.push_str(if string { "\"\"" } else { "[]" });
            }
            View::Nullary(constructor) => self.name(constructor),
            View::Constructed(handle) => {
                let constructor = self.heap.info(handle);
                if constructor == self.code.words.cons && !self.nil().is_bottom() {
                    return self.list(value, ty);
                }
                self.constructed(constructor, handle, ty, nested);
            }
            View::Array(_) => self.array(value, ty, nested),
            View::Reference(_) => self.text.push_str("<ref>"),
            _ => self.text.push_str("{…}"),
        }
    }

    /// The word of `nil`, with tag 0 whatever its tag is.
    fn nil(&self) -> Value {
        match self.code.words.nil.view() {
            View::Nullary(constructor) => Value::nullary(0, constructor),
            _ => Value::BOTTOM,
        }
    }

    fn name(&mut self, constructor: u32) {
        if let Some(constructor) = self.code.constructors.get(constructor as usize) {
            self.text.push_str(&constructor.name);
        }
    }

    fn constructed(&mut self, constructor: u32, handle: u32, ty: Option<Typed<'p>>, nested: bool) {
        if nested {
            self.text.push('(');
            self.tasks.push(Task::Text(")"));
        }
        self.name(constructor);
        let arity = self
            .code
            .constructors
            .get(constructor as usize)
            .map_or(0, |c| c.arity);
        let arguments = ty.as_ref().map(|t| self.arguments(t));
        for i in (0..arity as usize).rev() {
            let field = self.program.and_then(|program| {
                let id = la_arena::Idx::from_raw(la_arena::RawIdx::from_u32(constructor));
                program.constructors[id].fields.get(i)
            });
            let ty = match (field, &arguments) {
                (Some(field), Some(arguments)) => resolve(Typed {
                    ty: field,
                    parameters: arguments.clone(),
                }),
                _ => None,
            };
            self.tasks.push(Task::Value {
                value: self.heap.get(handle, i),
                ty,
                nested: true,
            });
            self.tasks.push(Task::Text(" "));
        }
    }

    /// What a data type is applied to.
    fn arguments(&self, ty: &Typed<'p>) -> Rc<Vec<Typed<'p>>> {
        match ty.ty {
            Type::Data(_, arguments) => Rc::new(
                arguments
                    .iter()
                    .map(|argument| {
                        let ty = Typed {
                            ty: argument,
                            parameters: ty.parameters.clone(),
                        };
                        resolve(ty).unwrap_or(Typed {
                            ty: &Type::Unknown,
                            parameters: Rc::new(Vec::new()),
                        })
                    })
                    .collect(),
            ),
            _ => Rc::new(Vec::new()),
        }
    }

    /// The type of the items of a list.
    fn item(&self, ty: &Option<Typed<'p>>) -> Option<Typed<'p>> {
        let ty = ty.as_ref()?;
        self.arguments(ty).first().cloned()
    }

    fn list(&mut self, list: Value, ty: Option<Typed<'p>>) {
        let item = self.item(&ty);
        let string = match item.as_ref().map(|t| t.ty) {
            Some(Type::Unknown) | None => self.all_chars(list),
            Some(ty) => matches!(ty, Type::Char),
        };
        if !string {
            self.text.push('[');
            self.tasks.push(Task::Text("]"));
            self.tasks.push(Task::Items {
                rest: list,
                ty: item,
                first: true,
            });
            return;
        }
        self.text.push('"');
        let mut rest = list;
        while rest.is_constructed() && self.text.len() <= self.most && self.goes_on() {
            let c = self.heap.get(rest.handle(), 0).as_char();
            rest = self.heap.get(rest.handle(), 1);
            escape(c, '"', chars(self.heap, rest).next(), &mut self.text);
        }
        self.tasks.push(Task::Text("\""));
    }

    /// An array, as the term that makes it of a list.
    fn array(&mut self, array: Value, ty: Option<Typed<'p>>, nested: bool) {
        if nested {
            self.text.push('(');
            self.tasks.push(Task::Text(")"));
        }
        let ty = self.item(&ty);
        self.text.push_str("array ");
        let items = match self.heap.items(array) {
            Items::Values(items) => items.as_slice(),
            Items::Floats(_) | Items::Ints(_) => &[],
        };
        let is_text = match ty.as_ref().map(|ty| ty.ty) {
            Some(Type::Char) => true,
            Some(Type::Unknown) | None => items.first().is_some_and(|c| c.view() == View::Char),
            Some(_) => false,
        };
        if is_text {
            self.text.push('"');
            for (i, c) in items.iter().enumerate().take(self.most.saturating_add(1)) {
                let next = items.get(i + 1).map(|next| next.as_char());
                escape(c.as_char(), '"', next, &mut self.text);
            }
            self.text.push('"');
            return;
        }
        self.text.push('[');
        self.tasks.push(Task::Text("]"));
        self.tasks.push(Task::Array { array, from: 0, ty });
    }

    fn array_items(&mut self, array: Value, from: usize, ty: Option<Typed<'p>>) {
        let items = self.heap.items(array);
        if from >= items.len() {
            return;
        }
        if from > 0 {
            self.text.push_str(", ");
        }
        let value = match items {
            Items::Floats(items) => {
                return self.number(array, from, ty, items.get(from).map(|x| show_float(*x)));
            }
            Items::Ints(items) => {
                return self.number(array, from, ty, items.get(from).map(i64::to_string));
            }
            Items::Values(items) => items.get(from).copied(),
        };
        let next = Task::Array {
            array,
            from: from + 1,
            ty: ty.clone(),
        };
        self.tasks.push(next);
        self.tasks.extend(value.map(|value| Task::Value {
            value,
            ty,
            nested: false,
        }));
    }

    fn number(&mut self, array: Value, at: usize, ty: Option<Typed<'p>>, shown: Option<String>) {
        self.text.push_str(&shown.unwrap_or_default());
        self.tasks.push(Task::Array {
            array,
            from: at + 1,
            ty,
        });
    }

    fn items(&mut self, rest: Value, ty: Option<Typed<'p>>, first: bool) {
        if !rest.is_constructed() {
            return;
        }
        if !first {
            self.text.push_str(", ");
        }
        let (item, rest) = (
            self.heap.get(rest.handle(), 0),
            self.heap.get(rest.handle(), 1),
        );
        self.tasks.push(Task::Items {
            rest,
            ty: ty.clone(),
            first: false,
        });
        self.tasks.push(Task::Value {
            value: item,
            ty,
            nested: false,
        });
    }

    /// Whether a list has characters in it only, as far as it would be written.
    fn all_chars(&self, list: Value) -> bool {
        let mut rest = list;
        for _ in 0..=self.most {
            if !rest.is_constructed() {
                return true;
            }
            if self.heap.get(rest.handle(), 0).view() != View::Char {
                return false;
            }
            rest = self.heap.get(rest.handle(), 1);
        }
        true
    }
}

/// What a type is when its parameters are looked up; nothing if that is not known.
fn resolve(mut ty: Typed<'_>) -> Option<Typed<'_>> {
    while let Type::Parameter(i) = ty.ty {
        ty = ty.parameters.get(*i as usize)?.clone();
    }
    Some(ty)
}

const CONTROLS: [&str; 32] = [
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a", "b", "t", "n", "v", "f", "r", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS",
    "RS", "US",
];

/// Writes a character as it stands in source between such quotes, before the next one.
pub fn escape(c: char, quote: char, next: Option<char>, text: &mut String) {
    if c == quote || c == '\\' {
        text.push('\\');
        text.push(c);
    } else if let Some(name) = CONTROLS.get(c as usize) {
        text.push('\\');
        text.push_str(name);
        // `\SO` before an `H` would read as `\SOH`.
        if *name == "SO" && next == Some('H') {
            text.push_str("\\&");
        }
    } else if c == '\x7f' {
        text.push_str("\\DEL");
    } else if is_printable(c) {
        text.push(c);
    } else {
        text.push('\\');
        text.push_str(&(c as u32).to_string());
        if next.is_some_and(|n| n.is_ascii_digit()) {
            text.push_str("\\&");
        }
    }
}

/// Whether a character can be seen and looks like no other.
fn is_printable(c: char) -> bool {
    c == '\'' || c == '"' || c.escape_debug().count() == 1
}

#[cfg(test)]
mod tests {
    use super::escape;

    fn quoted(s: &str) -> String {
        let mut text = String::new();
        let mut chars = s.chars().peekable();
        while let Some(c) = chars.next() {
            escape(c, '"', chars.peek().copied(), &mut text);
        }
        text
    }

    #[test]
    fn strings_are_escaped_as_in_source() {
        assert_eq!(quoted("a\"b'c\\\n\t"), "a\\\"b'c\\\\\\n\\t");
        assert_eq!(quoted("\u{e}H\u{e}I\u{1}\u{7f}"), "\\SO\\&H\\SOI\\SOH\\DEL");
        assert_eq!(quoted("λ→😀"), "λ→😀");
        assert_eq!(quoted("\u{200b}1\u{200b}x"), "\\8203\\&1\\8203x");
        let mut text = String::new();
        escape('\'', '\'', None, &mut text);
        escape('"', '\'', None, &mut text);
        assert_eq!(text, "\\'\"");
    }
}
