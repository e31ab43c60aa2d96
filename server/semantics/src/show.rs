//! States as Frank source: variables stand as their values, cells by their names, continuations as `{x -> …}`.
//!
//! [`Shower::state`] puts a state's frames around its focus, from the inside out, which gives a tree; a
//! [`Text`] is that tree in lines, with the places of what is marked. What is more of it than a person reads at once is
//! [folded](Text::folds).

mod fold;
mod text;
mod tree;

pub use fold::{Fold, READABLE, changed};
pub use text::Text;

use std::collections::{HashMap, HashSet};

use frank_core::{
    Arithmetic, Comparison, ConstructorId, Handler, Local, OperatorId, Pattern, Program, Term,
    TermId, Type, ValuePattern,
};
use frank_interpreter::{escape, show_float};
use serde::Serialize;

use crate::owners::Owner;
use crate::rules::Semantics;
use crate::state::{
    Arg, ArgsId, Call, Data, EnvId, Focus, Frame, FrozenId, Paused, State, Store, Thunk, Value,
};
use tree::{Kind, Marks, Tree};

/// How much of a state is written; what is more stands as `…`.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Frames around the focus, and frames of a continuation.
    pub frames: usize,
    /// Parts of terms within each other.
    pub depth: usize,
    /// Parts of terms in all.
    pub parts: usize,
    /// Characters in a line.
    pub width: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            frames: 200,
            depth: 100,
            parts: 5_000,
            width: 100,
        }
    }
}

/// A handler around the focus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Handling {
    /// The interfaces of which it handles an instance, from the left.
    pub interfaces: Vec<String>,
    /// The call that it is, with `□` for the argument in which the focus is.
    pub text: String,
    /// Whether the command at the focus is for it.
    pub takes: bool,
    /// Whether it becomes a part of the continuation: the command at the focus passes it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub captured: bool,
}

/// What stands for the result that a continuation waits for until its name is known; no name is written so.
const HOLE: &str = "□";

/// Writes the states of one run.
pub struct Shower<'s> {
    semantics: &'s Semantics<'s>,
    program: &'s Program,
    store: &'s Store,
    limits: Limits,
    cells: Vec<String>,
    left: usize,
    /// Whether suspended computations and cells stand as such only.
    is_opaque: bool,
    /// How operators of the library are written whose names others have, too.
    namesakes: HashMap<OperatorId, String>,
    /// The operators and commands that have been written, in order: a variable of the name of one must not stand
    /// around it.
    globals: Vec<String>,
    /// The variables that have other names for that reason.
    renamed: HashMap<(Option<Owner>, u32), String>,
}

impl<'s> Shower<'s> {
    /// Cells get their names from all that the run has made by now.
    pub fn new(semantics: &'s Semantics<'s>, limits: Limits) -> Shower<'s> {
        let mut shower = Shower {
            semantics,
            program: semantics.program,
            store: &semantics.store,
            limits,
            cells: Vec::new(),
            left: 0,
            is_opaque: false,
            namesakes: namesakes(semantics.program),
            globals: Vec::new(),
            renamed: HashMap::new(),
        };
        shower.cells = shower.cell_names();
        shower
    }

    /// A state as text.
    pub fn state(&mut self, state: &State) -> Text {
        self.left = self.limits.parts;
        self.globals.clear();
        let mut tree = self.focus(state);
        let taker = self.semantics.taker(state);
        let mut next = state.stack;
        let mut frames = 0;
        // A value is at the focus together with the frame that has a rule for it.
        if let (Focus::Value(_), Some(id)) = (state.focus, next) {
            let below = self.store.stacks[id];
            if below.frame.reduces() {
                tree.marks = Marks::default();
                tree = self.around(below.frame, tree);
                tree.marks.focus = true;
                next = below.rest;
            }
        }
        while let Some(id) = next {
            let below = self.store.stacks[id];
            if frames == self.limits.frames {
                tree = Tree::call(vec![Tree::atom("…"), tree]);
                break;
            }
            tree.marks.captured |= taker == next;
            tree = self.around(below.frame, tree);
            next = below.rest;
            frames += 1;
        }
        Text::of(&tree, self.limits.width)
    }

    /// A value as a run prints it: suspended computations as `{…}`, cells as `<ref>`.
    /// Its type says whether an empty list is a text.
    pub fn value(&mut self, value: Value, ty: &Type) -> String {
        self.left = self.limits.parts;
        self.is_opaque = true;
        let tree = self.typed(value, ty, 0);
        self.is_opaque = false;
        Text::of(&tree, usize::MAX).text
    }

    /// The handlers around the focus, the innermost first: a command meets them in this order.
    pub fn handlers(&mut self, state: &State) -> Vec<Handling> {
        let taker = self.semantics.taker(state);
        let mut handlers = Vec::new();
        let mut next = state.stack;
        while let Some(id) = next {
            let below = self.store.stacks[id];
            let interfaces: Vec<String> = match below.frame {
                Frame::Argument { head, done, .. } => {
                    let handled = self.semantics.handled(head, done);
                    handled
                        .map(|id| self.program.interfaces[id].name.clone())
                        .collect()
                }
                _ => Vec::new(),
            };
            if !interfaces.is_empty() {
                if handlers.len() == self.limits.frames {
                    break;
                }
                self.left = self.limits.parts;
                let tree = self.around(below.frame, Tree::atom(HOLE));
                handlers.push(Handling {
                    interfaces,
                    text: Text::of(&tree, usize::MAX).text,
                    takes: taker == Some(id),
                    captured: false,
                });
            }
            next = below.rest;
        }
        if let Some(taker) = handlers.iter().position(|handler| handler.takes) {
            for passed in handlers.iter_mut().take(taker) {
                passed.captured = true;
            }
        }
        handlers
    }

    /// A value in a line, as a part of a state; its type says whether an empty list is a text.
    pub fn brief(&mut self, value: Value, ty: &Type) -> String {
        self.left = self.limits.parts;
        let tree = self.typed(value, ty, 0);
        Text::of(&tree, usize::MAX).text
    }

    /// A call with the arguments that are done and, if it waits for one, a `□` for that, in a line.
    pub fn brief_call(&mut self, head: Value, done: Option<ArgsId>, waits: bool) -> String {
        self.left = self.limits.parts;
        let mut parts = vec![self.shown(head, 1)];
        for arg in self.store.list(done) {
            parts.push(self.arg(arg));
        }
        if waits {
            parts.push(Tree::atom(HOLE));
        }
        Text::of(&Tree::call(parts), usize::MAX).text
    }

    /// The command that is on its way to its handler, in a line.
    pub fn performed(&mut self, state: &State) -> Option<String> {
        matches!(state.focus, Focus::Command(_)).then(|| self.brief_focus(state))
    }

    /// What the next rule is about, in a line.
    pub fn brief_focus(&mut self, state: &State) -> String {
        self.left = self.limits.parts;
        let tree = match state.focus {
            Focus::Command(performed) => self.call(performed.written),
            _ => self.focus(state),
        };
        Text::of(&tree, usize::MAX).text
    }

    /// The name of a cell.
    pub fn cell(&self, index: usize) -> &str {
        self.cells.get(index).map_or("cell", String::as_str)
    }

    fn focus(&mut self, state: &State) -> Tree {
        let mut tree = match state.focus {
            Focus::Term(term, env) => self.term(term, env, 0),
            Focus::Value(value) => self.shown(value, 0),
            Focus::Done(value) => {
                let ty = self.program.entries.first().map(|entry| &entry.ty);
                self.typed(value, ty.unwrap_or(&Type::Unknown), 0)
            }
            Focus::Call(call) => self.call(call),
            Focus::Command(performed) => {
                let mut command = self.call(performed.written);
                command.marks.focus = true;
                let mut frozen = self.plug(performed.frozen, command);
                frozen.marks.frozen = true;
                return frozen;
            }
        };
        tree.marks.focus = true;
        tree
    }

    /// A call whose arguments are done.
    fn call(&mut self, call: Call) -> Tree {
        let mut parts = vec![self.shown(call.head, 1)];
        for arg in self.store.list(call.args) {
            parts.push(argument(self.arg(arg)));
        }
        Tree::call(parts)
    }

    fn arg(&mut self, arg: Arg) -> Tree {
        match arg {
            Arg::Value(value) => self.shown(value, 1),
            Arg::Paused(id) => {
                let mut tree = self.paused(self.store.paused[id]);
                tree.marks.frozen = true;
                tree
            }
        }
    }

    fn paused(&mut self, paused: Paused) -> Tree {
        let command = self.call(paused.written);
        self.plug(paused.frozen, command)
    }

    /// Frozen frames with something in their hole.
    fn plug(&mut self, frozen: Option<FrozenId>, hole: Tree) -> Tree {
        let mut tree = hole;
        for (count, frame) in self.store.frames(frozen).into_iter().rev().enumerate() {
            if count == self.limits.frames {
                return Tree::call(vec![Tree::atom("…"), tree]);
            }
            tree = self.around(frame, tree);
        }
        tree
    }

    /// A frame with something in its hole.
    fn around(&mut self, frame: Frame, hole: Tree) -> Tree {
        let kind = match (frame, &self.program.terms[frame.term()]) {
            (Frame::Head { env, .. }, Term::Apply { args, .. }) => {
                let mut parts = vec![hole];
                parts.extend(args.iter().map(|arg| argument(self.term(*arg, env, 1))));
                Kind::Call(parts)
            }
            (
                Frame::Argument {
                    env, head, done, ..
                },
                Term::Apply { args, .. },
            ) => {
                let mut parts = vec![self.shown(head, 1)];
                for arg in self.store.list(done) {
                    parts.push(argument(self.arg(arg)));
                }
                parts.push(argument(hole));
                let rest = args.iter().skip(self.store.count(done) + 1);
                parts.extend(rest.map(|arg| argument(self.term(*arg, env, 1))));
                Kind::Call(parts)
            }
            (Frame::Part { env, done, .. }, Term::Construct { constructor, args }) => {
                let parts = self.around_part(args, env, done, hole);
                self.constructed(*constructor, parts)
            }
            (Frame::Part { env, done, .. }, Term::List(args)) => {
                Kind::List(self.around_part(args, env, done, hole))
            }
            (Frame::Adaptors { term, .. }, _) => Kind::Adapted(self.adaptors(term), Box::new(hole)),
            (Frame::Let { term, env }, Term::Let { local, body, .. }) => {
                let body = self.scoped(term, &[*local], |own| own.term(*body, env, 1));
                Kind::Let(self.name(term, *local), Box::new(hole), Box::new(body))
            }
            (Frame::Let { term, env }, Term::LetMatch { pattern, body, .. }) => {
                let body = self.scoped(term, &bound_by(pattern), |own| own.term(*body, env, 1));
                let pattern = self.value_pattern(term, pattern, 0);
                Kind::Let(pattern, Box::new(hole), Box::new(body))
            }
            (Frame::Sequence { env, .. }, Term::Sequence { second, .. }) => {
                let second = self.term(*second, env, 1);
                Kind::Sequence(Box::new(hole), Box::new(second))
            }
            (
                Frame::Left { env, .. },
                Term::Arithmetic {
                    operator, right, ..
                },
            ) => {
                let right = self.term(*right, env, 1);
                arithmetic(*operator, hole, right)
            }
            (
                Frame::Left { env, .. },
                Term::Compare {
                    operator, right, ..
                },
            ) => {
                let right = self.term(*right, env, 1);
                comparison(*operator, hole, right)
            }
            (Frame::Right { left, .. }, Term::Arithmetic { operator, .. }) => {
                arithmetic(*operator, self.shown(left, 1), hole)
            }
            (Frame::Right { left, .. }, Term::Compare { operator, .. }) => {
                comparison(*operator, self.shown(left, 1), hole)
            }
            (Frame::Negate { .. }, _) => Kind::Negate(Box::new(hole)),
            // No other frame stands for a term of another kind.
            _ => return hole,
        };
        Tree::new(kind)
    }

    fn around_part(
        &mut self,
        args: &[TermId],
        env: Option<EnvId>,
        done: Option<ArgsId>,
        hole: Tree,
    ) -> Vec<Tree> {
        let mut parts = Vec::with_capacity(args.len());
        for arg in self.store.list(done) {
            parts.push(self.arg(arg));
        }
        parts.push(hole);
        let rest = args.iter().skip(self.store.count(done) + 1);
        parts.extend(rest.map(|arg| self.term(*arg, env, 1)));
        parts
    }

    // --- terms ---

    /// Whether there is room for another part of a term so deep inside.
    fn has_room(&mut self, depth: usize) -> bool {
        if self.left == 0 || depth > self.limits.depth {
            return false;
        }
        self.left -= 1;
        true
    }

    /// A term whose variables stand as their values where they have one.
    fn term(&mut self, term: TermId, env: Option<EnvId>, depth: usize) -> Tree {
        if !self.has_room(depth) {
            return Tree::atom("…");
        }
        let deeper = depth + 1;
        Tree::new(match &self.program.terms[term] {
            Term::Int(i) => Kind::Atom(i.to_string()),
            Term::Float(x) => Kind::Atom(show_float(*x)),
            Term::Char(c) => Kind::Atom(quoted(&[*c], '\'')),
            Term::String(text) => Kind::Atom(quoted(&text.chars().collect::<Vec<char>>(), '"')),
            Term::Local(local) => match self.store.lookup(env, *local) {
                Some(value) => return self.shown(value, deeper),
                None => Kind::Atom(self.name(term, *local)),
            },
            Term::Operator(id) => self.operator(*id),
            Term::Command(id) => self.global(&self.program.commands[*id].name),
            Term::Construct { constructor, args } => {
                let parts = self.terms(args, env, deeper);
                self.constructed(*constructor, parts)
            }
            Term::List(args) => Kind::List(self.terms(args, env, deeper)),
            Term::Thunk(handler) => self.braces(term, handler, env, deeper),
            Term::Apply { head, args } => {
                let mut parts = vec![self.term(*head, env, deeper)];
                parts.extend(self.terms(args, env, deeper).into_iter().map(argument));
                Kind::Call(parts)
            }
            Term::Adapted { body, .. } => {
                let body = self.term(*body, env, deeper);
                Kind::Adapted(self.adaptors(term), Box::new(body))
            }
            Term::Let { local, bound, body } => {
                let bound = self.term(*bound, env, deeper);
                let body = self.scoped(term, &[*local], |own| own.term(*body, env, deeper));
                Kind::Let(self.name(term, *local), Box::new(bound), Box::new(body))
            }
            Term::LetMatch {
                pattern,
                bound,
                body,
            } => {
                let bound = self.term(*bound, env, deeper);
                let bound_here = bound_by(pattern);
                let body = self.scoped(term, &bound_here, |own| own.term(*body, env, deeper));
                let pattern = self.value_pattern(term, pattern, 0);
                Kind::Let(pattern, Box::new(bound), Box::new(body))
            }
            Term::Sequence { first, second } => {
                let first = self.term(*first, env, deeper);
                let second = self.term(*second, env, deeper);
                Kind::Sequence(Box::new(first), Box::new(second))
            }
            Term::Arithmetic {
                operator,
                left,
                right,
                ..
            } => {
                let left = self.term(*left, env, deeper);
                arithmetic(*operator, left, self.term(*right, env, deeper))
            }
            Term::Compare {
                operator,
                left,
                right,
                ..
            } => {
                let left = self.term(*left, env, deeper);
                comparison(*operator, left, self.term(*right, env, deeper))
            }
            Term::Negate { operand, .. } => {
                Kind::Negate(Box::new(self.term(*operand, env, deeper)))
            }
        })
    }

    fn operator(&mut self, id: OperatorId) -> Kind {
        match self.namesakes.get(&id) {
            Some(name) => Kind::Atom(name.clone()),
            None => self.global(&self.program.operators[id].name),
        }
    }

    /// The name of an operator or a command.
    fn global(&mut self, name: &str) -> Kind {
        self.globals.push(name.to_owned());
        Kind::Atom(name.to_owned())
    }

    /// A term in which variables of `term` are bound. Values that stand in it may name operators as the variables
    /// are named: these get other names then.
    fn scoped(
        &mut self,
        term: TermId,
        bound: &[Local],
        body: impl Fn(&mut Shower<'s>) -> Tree,
    ) -> Tree {
        let (first, left) = (self.globals.len(), self.left);
        let tree = body(self);
        let mut is_captured = false;
        for local in bound {
            let name = self.name(term, *local);
            let within = self.globals.get(first..).unwrap_or_default();
            if within.contains(&name) {
                let taken = tree.atoms();
                let mut names = (1..).map(|number| format!("{name}{number}"));
                let free = names.find(|name| !taken.contains(name.as_str()));
                let owner = self.semantics.owners(term).of(term);
                self.renamed.insert((owner, local.0), free.unwrap_or(name));
                is_captured = true;
            }
        }
        if !is_captured {
            return tree;
        }
        self.globals.truncate(first);
        self.left = left;
        body(self)
    }

    fn terms(&mut self, terms: &[TermId], env: Option<EnvId>, depth: usize) -> Vec<Tree> {
        let terms = terms.iter();
        terms.map(|term| self.term(*term, env, depth)).collect()
    }

    fn adaptors(&self, term: TermId) -> String {
        let written = self.program.written.adaptors.get(term);
        written.cloned().unwrap_or_default()
    }

    fn braces(
        &mut self,
        term: TermId,
        handler: &Handler,
        env: Option<EnvId>,
        depth: usize,
    ) -> Kind {
        let mut clauses = Vec::with_capacity(handler.clauses.len());
        for clause in &handler.clauses {
            let bound: Vec<Local> = clause.patterns.iter().flat_map(bound_in).collect();
            let body = self.scoped(term, &bound, |own| own.term(clause.body, env, depth));
            let patterns = clause.patterns.iter();
            let patterns: Vec<String> = patterns.map(|p| self.pattern(term, p)).collect();
            clauses.push((patterns.join(" "), body));
        }
        Kind::Braces(clauses)
    }

    // --- patterns ---

    fn pattern(&self, term: TermId, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Value(pattern) => self.value_pattern(term, pattern, 1),
            Pattern::Command {
                command,
                index,
                args,
                continuation,
            } => {
                let mut text = format!("<{}", self.program.commands[*command].name);
                if *index > 0 {
                    text += &format!(".{index}");
                }
                for arg in args {
                    text += " ";
                    text += &self.value_pattern(term, arg, 1);
                }
                text += " -> ";
                text += &self.binder(term, *continuation);
                text + ">"
            }
            Pattern::CatchAll(local) => format!("<{}>", self.binder(term, *local)),
        }
    }

    fn binder(&self, term: TermId, local: Option<Local>) -> String {
        local.map_or_else(|| "_".to_owned(), |local| self.name(term, local))
    }

    /// `depth` is 0 where a constructor with arguments needs no parentheses.
    fn value_pattern(&self, term: TermId, pattern: &ValuePattern, depth: usize) -> String {
        if depth > self.limits.depth {
            return "…".to_owned();
        }
        match pattern {
            ValuePattern::Any => "_".to_owned(),
            ValuePattern::Bind(local) => self.name(term, *local),
            ValuePattern::Int(i) => i.to_string(),
            ValuePattern::Float(x) => show_float(*x),
            ValuePattern::Char(c) => quoted(&[*c], '\''),
            ValuePattern::String(text) => quoted(&text.chars().collect::<Vec<char>>(), '"'),
            ValuePattern::Constructor(constructor, args) => {
                let args: Vec<String> = args
                    .iter()
                    .map(|arg| self.value_pattern(term, arg, depth + 1))
                    .collect();
                let known = &self.program.known;
                let text = match &args[..] {
                    [] if Some(*constructor) == known.nil => return "[]".to_owned(),
                    [] => return self.constructor(*constructor),
                    [first, rest] if Some(*constructor) == known.cons => {
                        format!("{first} :: {rest}")
                    }
                    args => format!("{} {}", self.constructor(*constructor), args.join(" ")),
                };
                match depth {
                    0 => text,
                    _ => format!("({text})"),
                }
            }
        }
    }

    // --- values ---

    /// A value of whatever type.
    fn shown(&mut self, value: Value, depth: usize) -> Tree {
        self.typed(value, &Type::Unknown, depth)
    }

    fn typed(&mut self, value: Value, ty: &Type, depth: usize) -> Tree {
        if !self.has_room(depth) {
            return Tree::atom("…");
        }
        if self.is_opaque {
            match value {
                Value::Ref(_) => return Tree::atom("<ref>"),
                Value::Int(_) | Value::Float(_) | Value::Char(_) | Value::Data(_) => {}
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
            Value::Data(id) => return self.data(value, &self.store.data[id], ty, depth),
        })
    }

    fn data(&mut self, value: Value, data: &Data, ty: &Type, depth: usize) -> Tree {
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
            self.typed(*arg, &instance(field, given), depth + 1)
        });
        let parts = parts.collect();
        Tree::new(self.constructed(constructor, parts))
    }

    /// A list of characters that is not empty is taken for a string where its type is not known.
    fn list(&mut self, list: Value, item: &Type, depth: usize) -> Tree {
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

    fn constructor(&self, id: ConstructorId) -> String {
        let shown = self.program.shown_as(id);
        self.program.constructors[shown].name.clone()
    }

    fn constructed(&self, constructor: ConstructorId, mut parts: Vec<Tree>) -> Kind {
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

    // --- names ---

    /// What the result that a continuation waits for is called: as the parameter that it becomes, or `r`.
    /// It is no other name of the term `body` that it is the hole of.
    fn result_name(&self, frozen: Option<FrozenId>, body: &Tree) -> String {
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

    fn name(&self, term: TermId, local: Local) -> String {
        let owner = self.semantics.owners(term).of(term);
        if let Some(name) = self.renamed.get(&(owner, local.0)) {
            return name.clone();
        }
        let names = self.semantics.owners(term).locals(self.program, term);
        let name = names.get(local.0 as usize);
        name.cloned().unwrap_or_else(|| format!("x{}", local.0))
    }

    /// The names of all cells: that of the variable each is bound to, with a number if there are several of it.
    fn cell_names(&self) -> Vec<String> {
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
fn namesakes(program: &Program) -> HashMap<OperatorId, String> {
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

/// A part of a call: a negative number has parentheses there, without them it would be subtracted.
fn argument(mut part: Tree) -> Tree {
    if let Kind::Atom(text) = &mut part.kind
        && text.starts_with('-')
    {
        *text = format!("({text})");
    }
    part
}

/// The variables of a clause's pattern.
fn bound_in(pattern: &Pattern) -> Vec<Local> {
    match pattern {
        Pattern::Value(pattern) => bound_by(pattern),
        Pattern::Command {
            args, continuation, ..
        } => {
            let args = args.iter().flat_map(bound_by);
            args.chain(*continuation).collect()
        }
        Pattern::CatchAll(local) => local.iter().copied().collect(),
    }
}

/// The variables of a pattern for a value.
fn bound_by(pattern: &ValuePattern) -> Vec<Local> {
    match pattern {
        ValuePattern::Bind(local) => vec![*local],
        ValuePattern::Constructor(_, args) => args.iter().flat_map(bound_by).collect(),
        _ => Vec::new(),
    }
}

/// A type whose parameters are given.
fn instance(ty: &Type, given: &[Type]) -> Type {
    match ty {
        Type::Parameter(position) => {
            let given = given.get(*position as usize);
            given.cloned().unwrap_or(Type::Unknown)
        }
        Type::Data(data, args) => {
            let args = args.iter().map(|arg| instance(arg, given)).collect();
            Type::Data(*data, args)
        }
        other => other.clone(),
    }
}

fn arithmetic(operator: Arithmetic, left: Tree, right: Tree) -> Kind {
    let sign = match operator {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
    };
    Kind::Infix(sign, Box::new(left), Box::new(right))
}

fn comparison(operator: Comparison, left: Tree, right: Tree) -> Kind {
    let sign = match operator {
        Comparison::Less => "<",
        Comparison::Greater => ">",
        Comparison::LessEqual => "<=",
        Comparison::GreaterEqual => ">=",
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
    };
    Kind::Infix(sign, Box::new(left), Box::new(right))
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
