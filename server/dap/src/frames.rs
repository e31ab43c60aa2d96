//! The stack as a person reads it: operators, suspended computations and handlers, the innermost first.
//!
//! A state's stack has a frame for each term with a hole. Those that belong to one evaluation of one body are shown
//! as one; a frame whose port adds interfaces is a handler, and is shown by itself.

use frank_core::{Term, TermId};
use frank_semantics::show::Shower;
use frank_semantics::state::{ArgsId, EnvId, Focus, Frame, FrozenId, StackId, State, Value};
use frank_semantics::{Owner, Semantics};

use crate::sites::Sites;

/// What an entry of the stack is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A body that is being evaluated.
    Body,
    /// A call that handles what its argument performs.
    Handler { head: Value, done: Option<ArgsId> },
    /// What stands above is a part of a continuation that is being made.
    Frozen,
}

/// An entry of the stack.
#[derive(Debug, Clone)]
pub struct Entry {
    pub name: String,
    pub kind: Kind,
    /// Where evaluation stands in it.
    pub term: TermId,
    /// What is shown of that: the whole operation where its last operand has its value.
    pub place: TermId,
    pub env: Option<EnvId>,
    /// The frames around what is evaluated in it.
    pub stack: Option<StackId>,
    /// Whether it belongs to the continuation of a command on its way.
    pub is_frozen: bool,
}

/// A body, some of whose frames were seen.
struct Open {
    entry: Entry,
    /// The largest part of the body that is known to be evaluated. The next frame belongs to the same evaluation if its
    /// hole has that part; another evaluation of the body has the call in its hole, and nothing around that.
    part: TermId,
    /// Whether it is among the entries already.
    is_shown: bool,
}

/// Walks from the inside to the outside.
struct Walk<'s, 'p> {
    semantics: &'s Semantics<'p>,
    sites: &'s Sites,
    entries: Vec<Entry>,
    /// The body that frames are being added to.
    open: Option<Open>,
    is_frozen: bool,
    most: usize,
}

impl Walk<'_, '_> {
    fn open(&mut self, term: TermId, env: Option<EnvId>, stack: Option<StackId>) {
        self.close();
        let name = body_name(self.semantics, self.sites, term);
        let entry = Entry {
            name,
            kind: Kind::Body,
            term,
            place: term,
            env,
            stack,
            is_frozen: self.is_frozen,
        };
        self.open = Some(Open {
            entry,
            part: term,
            is_shown: false,
        });
    }

    /// Puts the open body among the entries.
    fn close(&mut self) {
        if let Some(open) = &mut self.open
            && !std::mem::replace(&mut open.is_shown, true)
        {
            self.entries.push(open.entry.clone());
        }
    }

    fn frame(&mut self, frame: Frame, stack: Option<StackId>) {
        let Some(hole) = hole(self.semantics, frame) else {
            return;
        };
        match &mut self.open {
            Some(open) if self.sites.contains(hole, open.part) => {
                open.entry.env = open.entry.env.or(frame.env());
            }
            _ => self.open(hole, frame.env(), stack),
        }
        if let Some(open) = &mut self.open {
            open.part = frame.term();
        }
        if let Frame::Argument {
            head,
            done,
            term,
            env,
            ..
        } = frame
            && handled(self.semantics, head, done).next().is_some()
        {
            self.close();
            self.entries.push(Entry {
                name: String::new(),
                kind: Kind::Handler { head, done },
                term,
                place: term,
                env,
                stack,
                is_frozen: self.is_frozen,
            });
        }
    }

    fn is_full(&self) -> bool {
        self.entries.len() >= self.most
    }
}

/// The term in the place of a frame's hole.
pub fn hole(semantics: &Semantics<'_>, frame: Frame) -> Option<TermId> {
    let count = |done: Option<ArgsId>| semantics.store.count(done);
    match (&semantics.program.terms[frame.term()], frame) {
        (Term::Apply { head, .. }, Frame::Head { .. }) => Some(*head),
        (Term::Apply { args, .. }, Frame::Argument { done, .. }) => args.get(count(done)).copied(),
        (Term::Construct { args, .. } | Term::List(args), Frame::Part { done, .. }) => {
            args.get(count(done)).copied()
        }
        (Term::Adapted { body, .. }, _) => Some(*body),
        (Term::Let { bound, .. } | Term::LetMatch { bound, .. }, _) => Some(*bound),
        (Term::Sequence { first, .. }, _) => Some(*first),
        (Term::Arithmetic { left, .. } | Term::Compare { left, .. }, Frame::Left { .. }) => {
            Some(*left)
        }
        (Term::Arithmetic { right, .. } | Term::Compare { right, .. }, _) => Some(*right),
        (Term::Negate { operand, .. }, _) => Some(*operand),
        _ => None,
    }
}

/// What a body is called: its operator, and whether it is a suspended computation there.
fn body_name(semantics: &Semantics<'_>, sites: &Sites, term: TermId) -> String {
    let name = semantics.owner_name(term);
    let is_inner = match semantics.owner(term) {
        Some(Owner::Operator(id)) => !sites.is_in_clause(semantics.program, id, term),
        _ => false,
    };
    match is_inner {
        true => format!("{{…}} in {name}"),
        false => name.to_owned(),
    }
}

/// The stack of a state, at most `most` entries of it; and whether there are more.
pub fn stack(
    semantics: &Semantics<'_>,
    sites: &Sites,
    state: &State,
    most: usize,
) -> (Vec<Entry>, bool) {
    let mut walk = Walk {
        semantics,
        sites,
        entries: Vec::new(),
        open: None,
        is_frozen: false,
        most,
    };
    match state.focus {
        Focus::Term(term, env) => walk.open(term, env, state.stack),
        Focus::Call(call) => walk.open(call.term, call.env, state.stack),
        Focus::Command(performed) => {
            walk.is_frozen = performed.frozen.is_some();
            let written = performed.written;
            walk.open(written.term, written.env, state.stack);
            if performed.frozen.is_some() {
                walk.frozen(performed.frozen, state.stack);
                walk.close();
                walk.open = None;
                walk.is_frozen = false;
                walk.entries.push(Entry {
                    name: "above: frozen, the continuation so far".to_owned(),
                    kind: Kind::Frozen,
                    term: written.term,
                    place: written.term,
                    env: None,
                    stack: state.stack,
                    is_frozen: true,
                });
            }
        }
        Focus::Value(_) | Focus::Done(_) => {}
    }
    let mut next = state.stack;
    while let Some(id) = next {
        if walk.is_full() {
            return (walk.entries, true);
        }
        let below = semantics.store.stacks[id];
        walk.frame(below.frame, next);
        if let (Focus::Value(_), Some(open)) = (state.focus, &mut walk.open)
            && next == state.stack
            && matches!(below.frame, Frame::Right { .. } | Frame::Negate { .. })
        {
            open.entry.place = below.frame.term();
        }
        next = below.rest;
    }
    walk.close();
    if walk.entries.is_empty()
        && let Some(entry) = semantics.program.entries.first()
    {
        // Nothing waits for the run's value; it is that of the term that was run.
        walk.open(entry.term, None, None);
        walk.close();
    }
    (walk.entries, false)
}

/// The frames of a continuation, as entries.
pub fn continuation(
    semantics: &Semantics<'_>,
    sites: &Sites,
    frozen: Option<FrozenId>,
    most: usize,
) -> Vec<Entry> {
    let mut walk = Walk {
        semantics,
        sites,
        entries: Vec::new(),
        open: None,
        is_frozen: true,
        most,
    };
    walk.frozen(frozen, None);
    walk.close();
    walk.entries
}

impl Walk<'_, '_> {
    fn frozen(&mut self, frozen: Option<FrozenId>, stack: Option<StackId>) {
        for frame in self.semantics.store.frames(frozen).into_iter().rev() {
            if self.is_full() {
                return;
            }
            self.frame(frame, stack);
        }
    }
}

/// The interfaces whose commands a call takes from the argument after those that are done.
pub fn handled<'p>(
    semantics: &Semantics<'p>,
    head: Value,
    done: Option<ArgsId>,
) -> impl Iterator<Item = &'p str> {
    let program = semantics.program;
    let handled = semantics.handled(head, done);
    handled.map(|id| program.interfaces[id].name.as_str())
}

/// What an entry is called.
pub fn title(shower: &mut Shower<'_>, semantics: &Semantics<'_>, entry: &Entry) -> String {
    match entry.kind {
        Kind::Handler { head, done } => {
            let interfaces: Vec<&str> = handled(semantics, head, done).collect();
            let interfaces = interfaces.join(", ");
            let call = shower.brief_call(head, done, true);
            format!("handler of {interfaces}: {call}")
        }
        Kind::Body if entry.is_frozen => format!("{} (frozen)", entry.name),
        Kind::Body | Kind::Frozen => entry.name.clone(),
    }
}
