//! Clauses in the place of their commands.
//!
//! Where it is known which handler takes a command ([`super::context`]), and its clause resumes once
//! and calls nothing before it does, the clause stands in the place of the command: nothing is looked
//! up, and no frame or mark is needed but for what the clause does when its resumption is over. What the clause performs in its turn is taken by handlers further out,
//! which is decided in the same way; so it may turn out to call nothing, too. The handler stays on
//! the stack for whoever does not know it.
//!
//! So does a clause that never mentions its continuation, whatever it calls: the stack is taken down to
//! the call that handles ([`Statement::Unwind`]), and the clause goes on where that was.
//!
//! The clause is lowered on trial, as the machine's function for it would be, with the same
//! operators put in place of their calls, so that a run has the same number of steps. If it comes
//! to nothing the command is performed as ever.

use std::collections::HashMap;

use frank_core::{CommandId, Handler, OperatorId, Term, TermId};

use super::context::{ContextId, Taker, UNKNOWN};
use super::handlers::{Clauses, Reached};
use super::ir::{BlockId, End, State, Statement, Var};
use super::lower::{Binding, Destination, Lower, Scope};
use super::matching::Argument;
use super::{raw, small};
use crate::code::NONE;
use crate::performance::{How, Performed, Why};

/// How many clauses may stand in one another.
const DEEPEST: usize = 4;
/// How many blocks one command may be made of for another clause to be put in, and how many such
/// blocks a function may have.
const BLOCKS_OF_COMMAND: usize = 400;
const BLOCKS_OF_FUNCTION: usize = 3000;
/// How many blocks may be written for a function and taken back.
const BLOCKS_IN_VAIN: usize = 300;
/// In how many blocks a jump is sought: joins stand in one another, and each looks through all that is in it.
const FEW: usize = 400;
/// How many blocks a clause may have that stands in the place of its command and drops the rest: it saves little.
const BLOCKS_OF_DROPPING: usize = 40;
/// Operators up to this size stand in the place of their calls in such clauses, so many in one
/// another.
const CALLED: usize = 500;
const CALLED_DEPTH: usize = 4;

/// A command whose clauses stand in its place.
pub(super) struct Direct {
    /// Where the values go with which the clauses resume.
    pub join: BlockId,
    command: CommandId,
    /// How many handlers the command passes, if its handler is `located`.
    pub depth: u16,
    /// Whether it is known where the handler stands.
    pub located: bool,
    /// What the command belongs to.
    debug: u32,
    /// Where the frame stands that the machine leaves for the program that performs, for a clause that does not run in
    /// the window.
    pub performer: u32,
    /// Whether the clause at hand has dropped what performed.
    unwound: bool,
    /// How many of its clauses resume in place, how many drop their continuation, and why others do neither.
    resumed: usize,
    dropped: usize,
    why: Option<Why>,
}

/// How much of a function was written.
pub(super) struct Written {
    current: BlockId,
    statements: usize,
    blocks: usize,
    kinds: usize,
    scopes: usize,
    regions: usize,
    pub performed: usize,
    pub calls: usize,
    debug: u32,
}

/// A clause as it was tried.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Clause {
    operator: OperatorId,
    command: CommandId,
    clause: usize,
    /// What is known around its handler, and whether it is known where that stands.
    outside: ContextId,
    located: bool,
    /// The constructors of the command's arguments that are known.
    shapes: Vec<Option<u32>>,
    /// If it came to nothing for want of room: in how many other clauses it stood.
    within: Option<usize>,
}

impl<'p> Lower<'_, 'p> {
    pub fn written(&self) -> Written {
        let current = self.blocks.get(self.current);
        Written {
            current: self.current,
            statements: current.map_or(0, |block| block.statements.len()),
            blocks: self.blocks.len(),
            kinds: self.kinds.len(),
            scopes: self.scopes.len(),
            regions: self.regions.len(),
            performed: self.performed.len(),
            calls: self.calls,
            debug: self.debug,
        }
    }

    /// Takes back what was written since.
    pub fn take_back(&mut self, to: &Written) {
        self.in_vain += self.blocks.len() - to.blocks;
        self.blocks.truncate(to.blocks);
        self.current = to.current;
        self.debug = to.debug;
        if let Some(block) = self.blocks.get_mut(to.current) {
            block.statements.truncate(to.statements);
        }
        self.end(End::Open);
        self.kinds.truncate(to.kinds);
        self.scopes.truncate(to.scopes);
        self.regions.truncate(to.regions);
        self.performed.truncate(to.performed);
        self.calls = to.calls;
        let kept = |v: &Var| (*v as usize) < to.kinds;
        self.continuations.retain(kept);
        self.made.retain(|v, _| kept(v));
        self.thunks.retain(|v, _| kept(v));
        self.fields.retain(|v, _| kept(v));
    }

    /// Lowers a term in a context for its value, if that runs no code of other functions.
    pub fn value_without_calls(
        &mut self,
        term: TermId,
        scope: usize,
        context: ContextId,
    ) -> Option<Var> {
        if context == UNKNOWN {
            return None;
        }
        let start = self.written();
        let grown = (self.grown, self.overgrown);
        let around = std::mem::replace(&mut self.context, context);
        let value = self.value(term, scope);
        self.context = around;
        if self.calls == start.calls {
            return Some(value);
        }
        self.take_back(&start);
        // It is lowered again, and must not count twice.
        (self.grown, self.overgrown) = grown;
        None
    }

    /// A term under adaptors without their node, if it runs no code of other functions: those that
    /// its own commands go by are known.
    pub fn without_node(&mut self, term: TermId, scope: usize, adapted: ContextId) -> Option<Var> {
        if adapted == UNKNOWN || self.shared.calling.contains(&(term, adapted)) {
            return None;
        }
        let start = self.written();
        self.push(Statement::Step);
        let value = self.value_without_calls(term, scope, adapted);
        if value.is_none() {
            self.take_back(&start);
            self.shared.calling.insert((term, adapted));
        }
        value
    }

    /// Whether the code is long enough without another clause in it.
    fn is_full(&self) -> bool {
        let here = match self.direct {
            0 => 0,
            _ => self.blocks.len().saturating_sub(self.direct_begin),
        };
        self.direct >= DEEPEST
            || here > BLOCKS_OF_COMMAND
            || self.direct_blocks + here > BLOCKS_OF_FUNCTION
            || self.in_vain > BLOCKS_IN_VAIN
    }

    /// Whether a value goes where the function returns that the code at hand stands for.
    pub fn is_last(&self, to: Option<Destination>) -> bool {
        match to {
            Some(Destination::Return) => true,
            Some(Destination::Jump(join)) => self.returns_to == Some(join),
            Some(Destination::Resume) | None => false,
        }
    }

    /// Whether an operator that would be called from a clause that stands in the place of its command
    /// stands in the place of its call, too: what it is applied to may decide most of it.
    pub fn is_called_here(&mut self, id: OperatorId, args: &[TermId], scope: usize) -> bool {
        let program = self.shared.program;
        let unwound = |clauses: &Clauses| clauses.direct.as_ref().is_some_and(|d| d.unwound);
        if self.direct == 0
            // What is dropped leaves room for calls, and the last one stays last.
            || self.clauses.as_ref().is_some_and(unwound)
            || self.called.len() >= CALLED_DEPTH
            || self.called.contains(&id)
            || self.is_full()
        {
            return false;
        }
        let summary = self.shared.facts.summary(id);
        summary.is_some_and(|s| s.inlinable && s.size <= CALLED)
            && args.iter().all(|arg| match &program.terms[*arg] {
                Term::Thunk(_) => false,
                Term::Local(local) => matches!(self.lookup(scope, *local), Binding::Var(_)),
                _ => true,
            })
    }

    /// Lowers such a call as the function would be, and counts it.
    pub fn apply_called(
        &mut self,
        term: TermId,
        id: OperatorId,
        handler: &'p Handler,
        args: &'p [TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let to = to.map(|to| self.leave(to));
        let args: Vec<Var> = args.iter().map(|arg| self.value(*arg, scope)).collect();
        self.at(term, scope);
        self.push(Statement::Step);
        let named = self.shared.leads_to_fail(id) && self.shared.is_in_program(self.debug);
        let site = match self.is_last(to) && !named {
            true => self.site_of(scope),
            false => self.debug,
        };
        let name = self.shared.operator_name(id);
        self.scopes.push(Scope {
            bindings: HashMap::new(),
            name,
            depth: 0,
            site,
        });
        let inner = self.scopes.len() - 1;
        self.at_place(Some(self.shared.program.operators[id].place), inner);
        let around = (
            std::mem::take(&mut self.inlining),
            std::mem::replace(&mut self.grown, 0),
            std::mem::replace(&mut self.frame_site, site),
            self.returns_to,
        );
        self.called.push(id);
        let args = args.into_iter();
        let args = args.map(|arg| Argument::Finished(Binding::Var(arg)));
        let args: Vec<Argument> = args.collect();
        let result = self.with_join(|lower, to| {
            if let Destination::Jump(join) = to {
                lower.returns_to = Some(join);
            }
            lower.match_clauses(args, &handler.clauses, inner, to, name);
        });
        self.called.pop();
        (self.inlining, self.grown, self.frame_site, self.returns_to) = around;
        self.at(term, scope);
        self.finish_value(result, to)
    }

    /// The value of the only jump to a join, if there is one; the join is then part of what jumps.
    pub fn only_result(&self, join: BlockId) -> Option<Var> {
        self.only_result_among(join, FEW)
    }

    /// The same, sought in so many blocks at most.
    pub fn only_result_among(&self, join: BlockId, most: usize) -> Option<Var> {
        let mut found = None;
        let written = self.blocks.get(join..).unwrap_or_default();
        if written.len() > most {
            return None;
        }
        for block in written {
            match &block.end.what {
                End::Jump { join: to, args } if *to == join => match (found, args.as_slice()) {
                    (None, [value]) => found = Some(*value),
                    _ => return None,
                },
                _ => {}
            }
        }
        found
    }

    /// Puts the clauses for a command in its place; otherwise says why not. A command that is
    /// performed last leaves no frame.
    pub fn perform_directly(
        &mut self,
        command: CommandId,
        args: &[Var],
        is_last: bool,
    ) -> Result<Var, Why> {
        let program = self.shared.program;
        let interface = program.commands[command].interface;
        let taker = self.shared.contexts.taker(program, self.context, interface);
        let (operator, seen, under, outside) = match taker {
            Taker::Unknown => return Err(Why::Unknown),
            Taker::Host => return Err(Why::Host),
            Taker::Handler {
                operator,
                seen,
                under,
                outside,
                ..
            } => (operator, seen, under, outside),
        };
        let Some(handler) = self.shared.facts.handler(operator) else {
            return Err(Why::Unknown);
        };
        let called = || program.operators[operator].name.clone();
        let depth = self
            .seen
            .and_then(|seen| self.shared.contexts.depth(seen, under));
        let located = depth.is_some();
        // Without states it may not matter where the handler is.
        let Some(depth) = depth.or((handler.ports.len() == 1).then_some(0)) else {
            return Err(Why::State(called()));
        };
        if !self.shared.facts.has_states(operator) {
            return Err(Why::State(called()));
        }
        if self.is_full() {
            self.cut_short = true;
            return Err(Why::Size);
        }
        let start = self.written();
        let debug = self.debug;
        // The machine leaves a frame for the program that performs, but if the clause runs in the
        // window; and a frame names what was called.
        let performer = match is_last {
            true => self.frame_site,
            false => debug,
        };
        let site = match self.shared.facts.performs(operator) {
            true => performer,
            false => self.frame_site,
        };
        let name = self.shared.operator_name(operator);
        self.scopes.push(Scope {
            bindings: HashMap::new(),
            name,
            depth: 0,
            site,
        });
        let scope = self.scopes.len() - 1;
        let result = self.fresh();
        let join = self.block(vec![result]);
        let inner = self.block(Vec::new());
        self.end(End::With { join, inner });
        self.current = inner;
        let last = handler.ports.len().saturating_sub(1);
        let state = |index: usize| State {
            under,
            depth,
            index: small(index as u32),
        };
        let done: Vec<Var> = (0..last)
            .map(|i| self.read_state(state(i), false))
            .collect();
        let mut arguments = self.done_arguments(handler, &done);
        arguments.push(Argument::Command {
            command: raw(command),
            seen: small(seen),
            args: args.to_vec(),
        });
        let clauses = Clauses {
            operator,
            last,
            command: raw(command),
            args: args.to_vec(),
            done,
            window: None,
            simple: Vec::new(),
            scope,
            under,
            direct: Some(Direct {
                join,
                command,
                depth,
                located,
                debug,
                performer,
                unwound: false,
                resumed: 0,
                dropped: 0,
                why: None,
            }),
            abort_passes: self.abort_passes(handler),
            place: None,
        };
        let around = (
            self.clauses.replace(clauses),
            std::mem::take(&mut self.inlining),
            std::mem::replace(&mut self.grown, 0),
            std::mem::replace(&mut self.overgrown, false),
            std::mem::replace(&mut self.context, outside),
            std::mem::replace(&mut self.frame_site, site),
            std::mem::take(&mut self.called),
            std::mem::take(&mut self.applied),
            self.returns_to.take(),
            self.resting.take(),
        );
        if self.direct == 0 {
            self.direct_begin = start.blocks;
        }
        self.direct += 1;
        self.at_place(Some(program.operators[operator].place), scope);
        self.match_command(arguments, &handler.clauses, scope, name);
        self.direct -= 1;
        let direct = self.clauses.take().and_then(|clauses| clauses.direct);
        (
            self.clauses,
            self.inlining,
            self.grown,
            self.overgrown,
            self.context,
            self.frame_site,
            self.called,
            self.applied,
            self.returns_to,
            self.resting,
        ) = around;
        let Some(direct) = direct else {
            return Err(Why::Unknown);
        };
        if direct.resumed + direct.dropped == 0 {
            self.take_back(&start);
            return Err(direct.why.unwrap_or_else(|| Why::Clause(called())));
        }
        if self.direct == 0 {
            self.direct_blocks += self.blocks.len() - start.blocks;
        }
        self.current = join;
        self.debug = debug;
        if self.calls > start.calls {
            self.note_call();
        }
        self.performed.push(Performed {
            command: program.commands[command].name.clone(),
            debug,
            how: match direct.why {
                None if direct.resumed == 0 => How::Dropped(called()),
                None => How::Inlined(called()),
                Some(why) => How::Partly(called(), why),
            },
        });
        Ok(self.only_result(join).unwrap_or(result))
    }

    /// Reads a state of a handler that is known.
    pub fn read_state(&mut self, state: State, takes: bool) -> Var {
        let to = self.fresh();
        self.push(Statement::ReadState { to, state, takes });
        to
    }

    /// The value with which a clause resumes that stands in the place of its command.
    pub fn direct_result(&mut self, value: Var) {
        let Some(direct) = self.clauses.as_ref().and_then(|c| c.direct.as_ref()) else {
            return;
        };
        let join = direct.join;
        self.end(End::Jump {
            join,
            args: vec![value],
        });
    }

    /// Lowers a clause that has matched in the place of its command.
    pub fn direct_clause(&mut self, clause: usize, body: TermId, reached: Reached) {
        let Some(clauses) = &self.clauses else {
            return;
        };
        let Some(direct) = &clauses.direct else {
            return;
        };
        let (operator, scope) = (clauses.operator, clauses.scope);
        let Reached::Command(continuation) = reached else {
            let handler = self.shared.program.operators[operator].name.clone();
            return self.direct_perform(Why::CatchAll(handler));
        };
        let (debug, located) = (direct.debug, direct.located);
        let facts = &self.shared.facts;
        let drops = continuation.is_none_or(|k| facts.mentions(body, k).is_empty());
        if drops && !located {
            let handler = self.shared.program.operators[operator].name.clone();
            return self.direct_perform(Why::Place(handler));
        }
        let shapes = clauses
            .args
            .iter()
            .map(|arg| self.made.get(&self.origin(*arg)));
        let shapes: Vec<Option<u32>> = shapes.map(|made| made.map(|(c, _)| *c)).collect();
        let key = Clause {
            operator,
            command: direct.command,
            clause,
            outside: self.context,
            located: direct.located,
            shapes,
            within: None,
        };
        let short = Clause {
            within: Some(self.direct),
            ..key.clone()
        };
        let why = match drops {
            true => Why::Size,
            false => Why::Clause(self.shared.program.operators[operator].name.clone()),
        };
        if self.shared.unfit.contains(&key) {
            return self.direct_perform(why);
        }
        if self.shared.unfit.contains(&short) {
            self.cut_short = true;
            return self.direct_perform(Why::Size);
        }
        let start = self.written();
        self.debug = debug;
        self.push(Statement::Step);
        self.debug = start.debug;
        let cut_short = std::mem::replace(&mut self.cut_short, false);
        let resumes = match drops {
            true => self.drop_and_go_on(body, scope),
            false => self.resumes_at_once(operator, body, continuation, scope),
        };
        let resumes = resumes && !self.overgrown;
        if !resumes {
            self.take_back(&start);
            self.shared.unfit.insert(match self.cut_short {
                true => short,
                false => key,
            });
        }
        let why = match self.cut_short {
            true => Why::Size,
            false => why,
        };
        self.cut_short |= cut_short;
        if !resumes {
            return self.direct_perform(why);
        }
        if let Some(direct) = self.clauses.as_mut().and_then(|c| c.direct.as_mut()) {
            match drops {
                true => direct.dropped += 1,
                false => direct.resumed += 1,
            }
        }
    }

    /// Lowers a clause that does not want its continuation, behind what drops that.
    fn drop_and_go_on(&mut self, body: TermId, scope: usize) -> bool {
        let Some(direct) = self.clauses.as_mut().and_then(|c| c.direct.as_mut()) else {
            return false;
        };
        direct.unwound = true;
        let (depth, begin) = (direct.depth, self.blocks.len());
        self.push(Statement::Unwind { depth });
        // It stands where the handler was called, on the stack, too.
        let around = (
            self.seen.replace(self.context),
            std::mem::replace(&mut self.frame_site, NONE),
            self.calls,
        );
        let site = self
            .scopes
            .get_mut(scope)
            .map(|s| std::mem::replace(&mut s.site, NONE));
        self.tail(body, scope, Destination::Return);
        if let (Some(scope), Some(site)) = (self.scopes.get_mut(scope), site) {
            scope.site = site;
        }
        // Calls there are none of the code that performed.
        (self.seen, self.frame_site, self.calls) = around;
        let is_small = self.blocks.len() - begin <= BLOCKS_OF_DROPPING;
        if let Some(direct) = self.clauses.as_mut().and_then(|c| c.direct.as_mut()) {
            direct.unwound = false;
        }
        is_small
    }

    /// Performs a command after all, where its clauses were to stand.
    pub fn direct_perform(&mut self, why: Why) {
        let Some(clauses) = &mut self.clauses else {
            return;
        };
        let (command, args) = (clauses.command, clauses.args.clone());
        let Some(direct) = &mut clauses.direct else {
            return;
        };
        direct.why = Some(why);
        let here = std::mem::replace(&mut self.debug, direct.debug);
        let result = self.fresh();
        self.push(Statement::Perform {
            to: result,
            command,
            args,
        });
        self.direct_result(result);
        self.debug = here;
    }

    /// Remembers what became of a command whose clauses do not stand in its place.
    pub fn note_performed(&mut self, command: CommandId, how: How) {
        let lost = self.lost.filter(|_| self.context == UNKNOWN);
        let how = match (how, lost) {
            (How::Performed(Why::Unknown), Some(lost)) => {
                How::Performed(lost.why(self.shared.program))
            }
            (how, _) => how,
        };
        self.performed.push(Performed {
            command: self.shared.program.commands[command].name.clone(),
            debug: self.debug,
            how,
        });
    }
}
