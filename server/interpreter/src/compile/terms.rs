//! Facts about terms and operators that the lowering asks for: what is free in a thunk, what is a
//! value already, what can be put in place of a call to it.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use frank_core::{
    Builtin, Clause, DataId, Effect, Handler, InterfaceId, Local, OperatorBody, OperatorId,
    Pattern, Program, Term, TermId, ValuePattern,
};

use super::deep;

/// What the lowering knows about an operator before it is compiled.
#[derive(Debug, Clone, Default)]
pub(super) struct Summary {
    /// Terms and patterns in its clauses.
    pub size: usize,
    /// All its ports are plain, and it does not mention itself.
    pub inlinable: bool,
    /// Runs nothing but arithmetic, builtins and operators like itself, and its parameters.
    pub leaf: bool,
    /// For each parameter how often its variables occur.
    pub uses: Vec<u32>,
    /// For each parameter whether it is called somewhere.
    pub called: Vec<bool>,
    /// For each parameter whether all it is used for is to be forced as a clause's whole body.
    pub forced_last: Vec<bool>,
}

/// What a handler hands on to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HandsOn {
    pub operator: OperatorId,
    /// The term with the adaptors around what is handed on, if there are some.
    pub adapted: Option<TermId>,
}

pub(super) struct Facts<'p> {
    program: &'p Program,
    /// Which operators are deep handlers, as far as that was asked.
    pub(super) deep: HashMap<OperatorId, bool>,
    /// Which operators hand what they handle on to others.
    pub(super) handing_on: HashMap<OperatorId, Option<HandsOn>>,
    /// Which operators mention each operator, once that was asked.
    users: Option<HashMap<OperatorId, Vec<OperatorId>>>,
    /// The operators that can come to perform a command of an interface.
    performers: HashMap<Option<InterfaceId>, Rc<HashSet<OperatorId>>>,
    free: HashMap<TermId, Rc<[Local]>>,
    summaries: HashMap<OperatorId, Option<Rc<Summary>>>,
    /// How large thunks are, and whose commands they mention, as far as that was asked.
    pub(super) thunk_sizes: HashMap<TermId, Option<usize>>,
    pub(super) thunk_performs: HashMap<(TermId, InterfaceId), bool>,
    /// Of which operators which parameters change, and which data types contain themselves, as far as that was asked.
    pub(super) changing: HashMap<OperatorId, Rc<[bool]>>,
    pub(super) containing_themselves: HashMap<DataId, bool>,
}

impl<'p> Facts<'p> {
    pub fn new(program: &'p Program) -> Facts<'p> {
        Facts {
            program,
            deep: HashMap::new(),
            handing_on: HashMap::new(),
            users: None,
            performers: HashMap::new(),
            free: HashMap::new(),
            summaries: HashMap::new(),
            thunk_sizes: HashMap::new(),
            thunk_performs: HashMap::new(),
            changing: HashMap::new(),
            containing_themselves: HashMap::new(),
        }
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The operators whose clauses mention a command of an interface, or another that does.
    pub fn performers(&mut self, interface: InterfaceId) -> Rc<HashSet<OperatorId>> {
        self.performers_of(Some(interface))
    }

    /// Whether an operator's clauses mention a command, or another operator that does.
    pub fn performs(&mut self, operator: OperatorId) -> bool {
        self.performers_of(None).contains(&operator)
    }

    /// With no interface: of any.
    fn performers_of(&mut self, interface: Option<InterfaceId>) -> Rc<HashSet<OperatorId>> {
        if let Some(known) = self.performers.get(&interface) {
            return known.clone();
        }
        let program = self.program;
        let users = self.users.get_or_insert_with(|| users(program));
        let own = |handler: &Handler| {
            let mut queue: Vec<TermId> = handler.clauses.iter().map(|c| c.body).collect();
            while let Some(term) = queue.pop() {
                if let Term::Command(id) = &program.terms[term]
                    && interface.is_none_or(|i| program.commands[*id].interface == i)
                {
                    return true;
                }
                program.parts(term, &mut |part| queue.push(part));
            }
            false
        };
        let mut queue: Vec<OperatorId> = Vec::new();
        for (id, operator) in program.operators.iter() {
            if let OperatorBody::Handler(handler) = &operator.body
                && own(handler)
            {
                queue.push(id);
            }
        }
        let mut found: HashSet<OperatorId> = queue.iter().copied().collect();
        while let Some(id) = queue.pop() {
            for user in users.get(&id).into_iter().flatten() {
                if found.insert(*user) {
                    queue.push(*user);
                }
            }
        }
        let found = Rc::new(found);
        self.performers.insert(interface, found.clone());
        found
    }

    /// The locals that a thunk uses and does not bind, in order of their numbers.
    pub fn free(&mut self, thunk: TermId) -> Rc<[Local]> {
        if let Some(free) = self.free.get(&thunk) {
            return free.clone();
        }
        let Term::Thunk(handler) = &self.program.terms[thunk] else {
            return Rc::from([]);
        };
        let mut used = HashSet::new();
        let mut bound = HashSet::new();
        let mut queue = Vec::new();
        for clause in &handler.clauses {
            for pattern in &clause.patterns {
                pattern_locals(pattern, &mut |l| {
                    bound.insert(l);
                });
            }
            queue.push(clause.body);
        }
        while let Some(term) = queue.pop() {
            match &self.program.terms[term] {
                Term::Local(local) => {
                    used.insert(*local);
                }
                Term::Thunk(_) => used.extend(deep(|| self.free(term)).iter().copied()),
                Term::Let { local, .. } => {
                    bound.insert(*local);
                }
                Term::LetMatch { pattern, .. } => value_pattern_locals(pattern, &mut |l| {
                    bound.insert(l);
                }),
                _ => {}
            }
            if !matches!(self.program.terms[term], Term::Thunk(_)) {
                self.program.direct_parts(term, &mut |t| queue.push(t));
            }
        }
        let mut free: Vec<Local> = used.difference(&bound).copied().collect();
        free.sort_unstable();
        let free: Rc<[Local]> = free.into();
        self.free.insert(thunk, free.clone());
        free
    }

    /// Whether a term gives its value without performing, calling or handling anything.
    pub fn is_value(&self, term: TermId) -> bool {
        let mut queue = vec![term];
        while let Some(term) = queue.pop() {
            match &self.program.terms[term] {
                Term::Apply { head, .. } => match self.builtin(*head) {
                    Some(builtin) if builtin.effect() != Effect::Calls => {}
                    _ => return false,
                },
                Term::Adapted { .. } | Term::LetMatch { .. } => return false,
                Term::Thunk(_) => continue,
                _ => {}
            }
            self.program.direct_parts(term, &mut |t| queue.push(t));
        }
        true
    }

    /// Whether evaluating a term runs nothing but arithmetic, builtins and operators of that kind,
    /// so that it cannot matter under which handlers.
    pub fn is_leaf(&mut self, term: TermId) -> bool {
        let program = self.program;
        let mut queue = vec![term];
        while let Some(term) = queue.pop() {
            match &program.terms[term] {
                Term::Adapted { .. } | Term::Command(_) => return false,
                Term::Apply { head, args } if !self.is_leaf_call(*head, args) => return false,
                _ => {}
            }
            program.parts(term, &mut |t| queue.push(t));
        }
        true
    }

    pub fn builtin(&self, head: TermId) -> Option<Builtin> {
        match &self.program.terms[head] {
            Term::Operator(id) => match self.program.operators[*id].body {
                OperatorBody::Builtin(builtin) => Some(builtin),
                OperatorBody::Handler(_) => None,
            },
            _ => None,
        }
    }

    pub fn handler(&self, operator: OperatorId) -> Option<&'p Handler> {
        match &self.program.operators[operator].body {
            OperatorBody::Handler(handler) => Some(handler),
            OperatorBody::Builtin(_) => None,
        }
    }

    /// The terms below `root` that mention a local, `root` included.
    pub fn mentions(&self, root: TermId, local: Local) -> HashSet<TermId> {
        let mut found = HashSet::new();
        // Each term is seen twice: on the way down, and again when its children are decided.
        let mut queue = vec![(root, false)];
        while let Some((term, decided)) = queue.pop() {
            if decided {
                let mut any = false;
                self.program.parts(term, &mut |t| any |= found.contains(&t));
                if any {
                    found.insert(term);
                }
                continue;
            }
            if let Term::Local(l) = &self.program.terms[term] {
                if *l == local {
                    found.insert(term);
                }
                continue;
            }
            queue.push((term, true));
            self.program.parts(term, &mut |t| queue.push((t, false)));
        }
        found
    }

    /// Whether some call of an operator in which a body ends passes a test: in its branches, too.
    pub fn some_end(
        &mut self,
        body: TermId,
        test: &mut dyn FnMut(&mut Self, OperatorId, &'p [TermId]) -> bool,
    ) -> bool {
        let program = self.program;
        self.some_tail(body, &mut |facts, term| {
            let Term::Apply { head, args } = &program.terms[term] else {
                return false;
            };
            matches!(&program.terms[*head], Term::Operator(id) if test(facts, *id, args))
        })
    }

    /// Whether some term whose value a body gives passes a test, such as the body, the last one of a sequence or that of
    /// a branch.
    pub fn some_tail(
        &mut self,
        mut body: TermId,
        test: &mut dyn FnMut(&mut Self, TermId) -> bool,
    ) -> bool {
        let program = self.program;
        loop {
            if test(self, body) {
                return true;
            }
            match &program.terms[body] {
                Term::Let { body: next, .. } | Term::LetMatch { body: next, .. } => body = *next,
                Term::Sequence { second, .. } => body = *second,
                Term::Apply { head, args } => {
                    let Term::Operator(id) = &program.terms[*head] else {
                        return false;
                    };
                    let forced: Vec<bool> = match self.builtin(*head) {
                        Some(builtin) => match builtin.effect() {
                            // The last argument.
                            Effect::Calls => (1..=args.len()).map(|i| i == args.len()).collect(),
                            Effect::Pure | Effect::Partial | Effect::AsksForCall => return false,
                        },
                        None => match self.summary(*id) {
                            Some(s) if s.inlinable => s.forced_last.clone(),
                            _ => return false,
                        },
                    };
                    return args.iter().zip(forced).any(|(arg, forced)| {
                        let Term::Thunk(thunk) = &program.terms[*arg] else {
                            return false;
                        };
                        let mut clauses = thunk.clauses.iter();
                        forced && clauses.any(|clause| deep(|| self.some_tail(clause.body, test)))
                    });
                }
                _ => return false,
            }
        }
    }

    /// A summary of an operator with clauses; `None` while it is being made, which is to say that
    /// the operator mentions itself.
    pub fn summary(&mut self, operator: OperatorId) -> Option<Rc<Summary>> {
        if let Some(known) = self.summaries.get(&operator) {
            return known.clone();
        }
        let handler = self.handler(operator)?;
        self.summaries.insert(operator, None);
        let summary = Some(Rc::new(deep(|| self.summarise(operator, handler))));
        self.summaries.insert(operator, summary.clone());
        summary
    }

    fn summarise(&mut self, operator: OperatorId, handler: &Handler) -> Summary {
        let arity = handler.ports.len();
        let mut summary = Summary {
            size: handler.clauses.len(),
            inlinable: is_plain(handler),
            leaf: true,
            uses: vec![0; arity],
            called: vec![false; arity],
            forced_last: vec![true; arity],
        };
        for clause in &handler.clauses {
            // Which parameter a local is, if it is one as a whole.
            let mut parameters = HashMap::new();
            for (i, pattern) in clause.patterns.iter().enumerate() {
                summary.size += pattern_size(pattern);
                match pattern {
                    Pattern::Value(ValuePattern::Bind(local)) => {
                        parameters.insert(*local, i);
                    }
                    Pattern::Value(_) => {}
                    _ => summary.leaf = false,
                }
            }
            self.summarise_clause(operator, clause, &parameters, &mut summary);
        }
        summary.leaf &= summary.inlinable;
        summary
    }

    fn summarise_clause(
        &mut self,
        operator: OperatorId,
        clause: &Clause,
        parameters: &HashMap<Local, usize>,
        summary: &mut Summary,
    ) {
        let program = self.program;
        let mut queue = vec![clause.body];
        while let Some(term) = queue.pop() {
            summary.size += 1;
            match &program.terms[term] {
                Term::Local(local) => {
                    if let Some(&i) = parameters.get(local) {
                        bump(&mut summary.uses, i);
                        // Forced as the whole body was not counted here.
                        set(&mut summary.forced_last, i, false);
                    }
                }
                Term::Operator(id) if *id == operator => summary.inlinable = false,
                Term::Command(_) => summary.leaf = false,
                Term::Adapted { .. } => summary.leaf = false,
                Term::Apply { head, args } => {
                    if let Term::Local(local) = &program.terms[*head]
                        && let Some(&i) = parameters.get(local)
                    {
                        set(&mut summary.called, i, true);
                        if term == clause.body && args.is_empty() {
                            bump(&mut summary.uses, i);
                            continue;
                        }
                    } else if !self.is_leaf_call(*head, args) {
                        summary.leaf = false;
                    }
                }
                _ => {}
            }
            program.parts(term, &mut |t| queue.push(t));
        }
    }

    /// Whether a call runs nothing but what may stand in a leaf; its arguments are looked at on
    /// their own.
    fn is_leaf_call(&mut self, head: TermId, args: &[TermId]) -> bool {
        let program = self.program;
        let Term::Operator(id) = &program.terms[head] else {
            return false;
        };
        let literal = |term: &TermId| matches!(program.terms[*term], Term::Thunk(_));
        match &program.operators[*id].body {
            OperatorBody::Builtin(builtin) => match builtin.effect() {
                Effect::Calls => args.last().is_some_and(literal),
                Effect::Pure | Effect::Partial | Effect::AsksForCall => true,
            },
            OperatorBody::Handler(_) => match self.summary(*id) {
                Some(s) => {
                    s.leaf
                        && s.inlinable
                        && args
                            .iter()
                            .zip(&s.called)
                            .all(|(a, called)| !called || literal(a))
                }
                None => false,
            },
        }
    }
}

/// Whether no port of an operator or a thunk changes the ability.
pub(super) fn is_plain(handler: &Handler) -> bool {
    handler.ports.iter().all(|port| port.adjustments.is_empty())
}

/// Which operators mention each operator.
fn users(program: &Program) -> HashMap<OperatorId, Vec<OperatorId>> {
    let mut users: HashMap<OperatorId, Vec<OperatorId>> = HashMap::new();
    for (id, operator) in program.operators.iter() {
        if let OperatorBody::Handler(handler) = &operator.body {
            for used in program.operators_in(handler) {
                users.entry(used).or_default().push(id);
            }
        }
    }
    users
}

fn bump(counts: &mut [u32], i: usize) {
    if let Some(count) = counts.get_mut(i) {
        *count += 1;
    }
}

fn set(flags: &mut [bool], i: usize, value: bool) {
    if let Some(flag) = flags.get_mut(i) {
        *flag = value;
    }
}

fn pattern_size(pattern: &Pattern) -> usize {
    let mut size = 1;
    pattern_values(pattern, &mut |_| size += 1);
    size
}

/// All value patterns in a pattern.
fn pattern_values(pattern: &Pattern, visit: &mut dyn FnMut(&ValuePattern)) {
    let mut queue: Vec<&ValuePattern> = match pattern {
        Pattern::Value(value) => vec![value],
        Pattern::Command { args, .. } => args.iter().collect(),
        Pattern::CatchAll(_) => Vec::new(),
    };
    while let Some(value) = queue.pop() {
        visit(value);
        if let ValuePattern::Constructor(_, args) = value {
            queue.extend(args);
        }
    }
}

fn value_pattern_locals(pattern: &ValuePattern, visit: &mut dyn FnMut(Local)) {
    let mut queue = vec![pattern];
    while let Some(value) = queue.pop() {
        match value {
            ValuePattern::Bind(local) => visit(*local),
            ValuePattern::Constructor(_, args) => queue.extend(args),
            _ => {}
        }
    }
}

/// The locals that a pattern binds.
pub(super) fn pattern_locals(pattern: &Pattern, visit: &mut dyn FnMut(Local)) {
    pattern_values(pattern, &mut |value| {
        if let ValuePattern::Bind(local) = value {
            visit(*local);
        }
    });
    match pattern {
        Pattern::Command {
            continuation: Some(local),
            ..
        }
        | Pattern::CatchAll(Some(local)) => visit(*local),
        _ => {}
    }
}
