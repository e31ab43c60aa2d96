//! What no state needs any more is dropped.
//!
//! Everything in a [`Store`] refers to what was made before it, and nothing ever changes. So what is reached is
//! marked, the rest goes, and what stays moves down in its order: a reference becomes the number of those that stay
//! before it.

use la_arena::{Arena, Idx, RawIdx};
use rpds::Vector;

use crate::state::{
    Arg, Args, Below, Binding, Call, Data, Focus, Frame, Frozen, Output, Paused, Performed, State,
    Store, Thunk, Value,
};

/// A reference into a store beside those of states.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Held {
    Stack(Idx<Below>),
    Frozen(Idx<Frozen>),
    Paused(Idx<Paused>),
}

/// Which elements of an arena stay, and where they go.
struct Kept {
    marked: Vec<bool>,
    /// Set when all is marked.
    moved: Vec<u32>,
}

impl Kept {
    fn of<T>(arena: &Arena<T>) -> Kept {
        Kept {
            marked: vec![false; arena.len()],
            moved: Vec::new(),
        }
    }

    /// Whether it is marked for the first time.
    fn mark<T>(&mut self, id: Idx<T>) -> bool {
        match self.marked.get_mut(raw(id)) {
            Some(mark) => !std::mem::replace(mark, true),
            None => false,
        }
    }

    fn settle(&mut self) {
        let mut next = 0;
        self.moved = Vec::with_capacity(self.marked.len());
        for marked in &self.marked {
            self.moved.push(next);
            next += u32::from(*marked);
        }
    }

    fn new_id<T>(&self, id: Idx<T>) -> Idx<T> {
        let moved = self.moved.get(raw(id)).copied().unwrap_or_default();
        Idx::from_raw(RawIdx::from_u32(moved))
    }

    /// Leaves in an arena what is marked; `moved` tells each what has become of what it refers to.
    fn sweep<T: Clone>(&self, arena: &mut Arena<T>, mut moved: impl FnMut(&mut T)) {
        let count = self.marked.iter().filter(|marked| **marked).count();
        if 2 * count <= arena.len() && arena.len() <= SMALL {
            // The room is used again: fresh memory costs more than what little is copied.
            let marked = arena.iter_mut().zip(&self.marked).filter(|(_, is)| **is);
            let kept = marked.map(|((_, element), _)| {
                moved(element);
                element.clone()
            });
            let kept: Vec<T> = kept.collect();
            arena.clear();
            for element in kept {
                arena.alloc(element);
            }
            return;
        }
        let all = std::mem::replace(arena, Arena::with_capacity(count));
        for ((_, mut element), marked) in all.into_iter().zip(&self.marked) {
            if *marked {
                moved(&mut element);
                arena.alloc(element);
            }
        }
    }
}

/// An arena of more elements is given back when most of it is not needed.
const SMALL: usize = 1 << 16;

fn raw<T>(id: Idx<T>) -> usize {
    id.into_raw().into_u32() as usize
}

/// Something that refers to something else.
enum Item {
    Value(Value),
    Binding(Idx<Binding>),
    Below(Idx<Below>),
    Args(Idx<Args>),
    Frozen(Idx<Frozen>),
}

/// Marks what some states reach.
struct Marker<'s> {
    store: &'s Store,
    reached: Reached,
    waiting: Vec<Item>,
}

impl Marker<'_> {
    fn value(&mut self, value: Value) {
        self.waiting.push(Item::Value(value));
    }

    fn binding(&mut self, id: Option<Idx<Binding>>) {
        self.waiting.extend(id.map(Item::Binding));
    }

    fn args(&mut self, id: Option<Idx<Args>>) {
        self.waiting.extend(id.map(Item::Args));
    }

    fn call(&mut self, call: Call) {
        self.value(call.head);
        self.args(call.args);
        self.binding(call.env);
    }

    fn frame(&mut self, frame: Frame) {
        self.binding(frame.env());
        match frame {
            Frame::Argument { head, done, .. } => {
                self.value(head);
                self.args(done);
            }
            Frame::Part { done, .. } => self.args(done),
            Frame::Right { left, .. } => self.value(left),
            Frame::Head { .. }
            | Frame::Adaptors { .. }
            | Frame::Let { .. }
            | Frame::Sequence { .. }
            | Frame::Left { .. }
            | Frame::Negate { .. } => {}
        }
    }

    fn paused(&mut self, id: Idx<Paused>) {
        if self.reached.paused.mark(id) {
            let paused = self.store.paused[id];
            self.args(paused.args);
            self.waiting.extend(paused.frozen.map(Item::Frozen));
            self.call(paused.written);
        }
    }

    fn state(&mut self, state: &State) {
        match state.focus {
            Focus::Term(_, env) => self.binding(env),
            Focus::Value(value) | Focus::Done(value) => self.value(value),
            Focus::Call(call) => self.call(call),
            Focus::Command(performed) => {
                self.args(performed.args);
                self.waiting.extend(performed.frozen.map(Item::Frozen));
                self.call(performed.written);
            }
        }
        self.waiting.extend(state.stack.map(Item::Below));
        let mut next = state.printed;
        while let Some(id) = next.filter(|id| self.reached.output.mark(*id)) {
            next = self.store.output[id].before;
        }
    }

    fn held(&mut self, held: &Held) {
        match held {
            Held::Stack(id) => self.waiting.push(Item::Below(*id)),
            Held::Frozen(id) => self.waiting.push(Item::Frozen(*id)),
            Held::Paused(id) => self.paused(*id),
        }
    }

    fn run(&mut self, roots: &[&mut State]) {
        while let Some(item) = self.waiting.pop() {
            match item {
                Item::Value(Value::Data(id) | Value::Finished(id) | Value::Array(id)) => {
                    if self.reached.data.mark(id) {
                        let args = self.store.data[id].args.iter();
                        self.waiting.extend(args.copied().map(Item::Value));
                    }
                }
                Item::Value(Value::Thunk(id)) => {
                    if self.reached.thunks.mark(id) {
                        self.binding(self.store.thunks[id].env);
                    }
                }
                Item::Value(Value::Continuation(id) | Value::Paused(id)) => self.paused(id),
                Item::Value(Value::Ref(cell)) => {
                    let Some(mark) = self.reached.cells.get_mut(cell).filter(|mark| !**mark) else {
                        continue;
                    };
                    *mark = true;
                    for state in roots {
                        let held = state.cells.get(cell).copied();
                        self.waiting.extend(held.map(Item::Value));
                    }
                }
                Item::Value(
                    Value::Int(_)
                    | Value::Float(_)
                    | Value::Char(_)
                    | Value::Operator(_)
                    | Value::Command(_),
                ) => {}
                Item::Binding(id) => {
                    if self.reached.bindings.mark(id) {
                        let binding = self.store.bindings[id];
                        self.value(binding.value);
                        self.binding(binding.rest);
                    }
                }
                Item::Below(id) => {
                    if self.reached.stacks.mark(id) {
                        let below = self.store.stacks[id];
                        self.frame(below.frame);
                        self.waiting.extend(below.rest.map(Item::Below));
                    }
                }
                Item::Args(id) => {
                    if self.reached.args.mark(id) {
                        let args = self.store.args[id];
                        match args.last {
                            Arg::Value(value) => self.value(value),
                            Arg::Paused(id) => self.paused(id),
                        }
                        self.args(args.before);
                    }
                }
                Item::Frozen(id) => {
                    if self.reached.frozen.mark(id) {
                        let frozen = self.store.frozen[id];
                        self.frame(frozen.frame);
                        self.waiting.extend(frozen.inner.map(Item::Frozen));
                    }
                }
            }
        }
    }
}

/// What stays of each kind. When all is marked and settled it gives the new references in the place of the old ones.
struct Reached {
    bindings: Kept,
    stacks: Kept,
    data: Kept,
    thunks: Kept,
    args: Kept,
    frozen: Kept,
    paused: Kept,
    output: Kept,
    cells: Vec<bool>,
}

impl Reached {
    /// Nothing yet, of a store with so many cells.
    fn of(store: &Store, cells: usize) -> Reached {
        Reached {
            bindings: Kept::of(&store.bindings),
            stacks: Kept::of(&store.stacks),
            data: Kept::of(&store.data),
            thunks: Kept::of(&store.thunks),
            args: Kept::of(&store.args),
            frozen: Kept::of(&store.frozen),
            paused: Kept::of(&store.paused),
            output: Kept::of(&store.output),
            cells: vec![false; cells],
        }
    }

    fn settle(&mut self) {
        for kept in [
            &mut self.bindings,
            &mut self.stacks,
            &mut self.data,
            &mut self.thunks,
            &mut self.args,
            &mut self.frozen,
            &mut self.paused,
            &mut self.output,
        ] {
            kept.settle();
        }
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::Data(id) | Value::Finished(id) | Value::Array(id) => *id = self.data.new_id(*id),
            Value::Thunk(id) => *id = self.thunks.new_id(*id),
            Value::Continuation(id) | Value::Paused(id) => *id = self.paused.new_id(*id),
            Value::Int(_)
            | Value::Float(_)
            | Value::Char(_)
            | Value::Operator(_)
            | Value::Command(_)
            | Value::Ref(_) => {}
        }
    }

    fn call(&self, call: &mut Call) {
        self.value(&mut call.head);
        optional(&self.args, &mut call.args);
        optional(&self.bindings, &mut call.env);
    }

    fn frame(&self, frame: &mut Frame) {
        match frame {
            Frame::Head { env, .. }
            | Frame::Adaptors { env, .. }
            | Frame::Let { env, .. }
            | Frame::Sequence { env, .. }
            | Frame::Left { env, .. }
            | Frame::Negate { env, .. } => optional(&self.bindings, env),
            Frame::Argument {
                env, head, done, ..
            } => {
                optional(&self.bindings, env);
                self.value(head);
                optional(&self.args, done);
            }
            Frame::Part { env, done, .. } => {
                optional(&self.bindings, env);
                optional(&self.args, done);
            }
            Frame::Right { env, left, .. } => {
                optional(&self.bindings, env);
                self.value(left);
            }
        }
    }

    /// A state, whose cells are still the old ones.
    fn state(&self, state: &mut State) {
        match &mut state.focus {
            Focus::Term(_, env) => optional(&self.bindings, env),
            Focus::Value(value) | Focus::Done(value) => self.value(value),
            Focus::Call(call) => self.call(call),
            Focus::Command(Performed {
                args,
                frozen,
                written,
                ..
            }) => {
                optional(&self.args, args);
                optional(&self.frozen, frozen);
                self.call(written);
            }
        }
        optional(&self.stacks, &mut state.stack);
        optional(&self.output, &mut state.printed);
    }

    fn cell(&self, index: usize, mut held: Value) -> Value {
        if self.cells.get(index) != Some(&true) {
            return Value::Int(0);
        }
        self.value(&mut held);
        held
    }

    /// The cells of a state, made of those of the state before it where they hold the same.
    fn cells(
        &self,
        old: &Vector<Value>,
        before: Option<&(Vector<Value>, Vector<Value>)>,
    ) -> Vector<Value> {
        let empty = (Vector::new(), Vector::new());
        let (old_before, new_before) = before.unwrap_or(&empty);
        let mut cells = new_before.clone();
        while cells.len() > old.len() {
            cells.drop_last_mut();
        }
        let shared = cells.len();
        for (index, held) in old.iter().enumerate() {
            if index >= shared {
                cells.push_back_mut(self.cell(index, *held));
            } else if old_before.get(index) != Some(held) {
                cells.set_mut(index, self.cell(index, *held));
            }
        }
        cells
    }
}

fn optional<T>(kept: &Kept, id: &mut Option<Idx<T>>) {
    *id = id.map(|id| kept.new_id(id));
}

impl Store {
    /// Drops what neither the states `roots` nor the references `held` need, and changes these to what stays. All
    /// other references into the store lose their meaning.
    pub fn collect<'h>(
        &mut self,
        roots: &mut [&mut State],
        held: impl Iterator<Item = &'h mut Held>,
    ) {
        let mut held: Vec<&mut Held> = held.collect();
        let cells = roots.iter().map(|state| state.cells.len()).max();
        let mut marker = Marker {
            reached: Reached::of(self, cells.unwrap_or_default()),
            waiting: Vec::new(),
            store: self,
        };
        for state in roots.iter() {
            marker.state(state);
            // What waits is bounded by what one state adds.
            marker.run(roots);
        }
        for held in &held {
            marker.held(held);
            marker.run(roots);
        }
        let mut reached = marker.reached;
        reached.settle();
        self.sweep(&reached);
        for held in &mut held {
            match held {
                Held::Stack(id) => *id = reached.stacks.new_id(*id),
                Held::Frozen(id) => *id = reached.frozen.new_id(*id),
                Held::Paused(id) => *id = reached.paused.new_id(*id),
            }
        }
        let mut before: Option<(Vector<Value>, Vector<Value>)> = None;
        for state in roots {
            reached.state(state);
            let cells = reached.cells(&state.cells, before.as_ref());
            let old = std::mem::replace(&mut state.cells, cells.clone());
            before = Some((old, cells));
        }
    }

    fn sweep(&mut self, reached: &Reached) {
        let bindings = &reached.bindings;
        bindings.sweep(&mut self.bindings, |Binding { value, rest, .. }| {
            reached.value(value);
            optional(bindings, rest);
        });
        let stacks = &reached.stacks;
        stacks.sweep(&mut self.stacks, |Below { frame, rest }| {
            reached.frame(frame);
            optional(stacks, rest);
        });
        reached.data.sweep(&mut self.data, |Data { args, .. }| {
            args.iter_mut().for_each(|arg| reached.value(arg));
        });
        let thunks = &reached.thunks;
        thunks.sweep(&mut self.thunks, |Thunk { env, .. }| {
            optional(bindings, env)
        });
        let args = &reached.args;
        args.sweep(&mut self.args, |Args { last, before, .. }| {
            match last {
                Arg::Value(value) => reached.value(value),
                Arg::Paused(id) => *id = reached.paused.new_id(*id),
            }
            optional(args, before);
        });
        let frozen = &reached.frozen;
        frozen.sweep(&mut self.frozen, |Frozen { frame, inner }| {
            reached.frame(frame);
            optional(frozen, inner);
        });
        reached.paused.sweep(&mut self.paused, |paused| {
            optional(args, &mut paused.args);
            optional(frozen, &mut paused.frozen);
            reached.call(&mut paused.written);
        });
        let output = &reached.output;
        output.sweep(&mut self.output, |Output { before, .. }| {
            optional(output, before)
        });
    }
}
