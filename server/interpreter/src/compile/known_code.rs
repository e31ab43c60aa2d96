//! Thunks and operators that are known where they are applied or handed on.
//!
//! A thunk `{…}` that is an argument would be compiled for unknown handlers, and called through its value. Where a
//! variable is known to hold one, an application of it is a call of a version that is made for the handlers around it;
//! what the thunk captures becomes parameters. If the thunk is small and runs no code of other functions there, or the
//! application is the last thing to be done, it stands in the place of its application, and counts as many steps. An
//! operator with plain ports that is a value is called in the same way.
//!
//! An operator that such code is handed to has versions for it ([`super::shapes`]), so that `foldl {sum x -> p sum x}` is
//! a loop that knows its handlers.

use std::collections::HashMap;
use std::rc::Rc;

use frank_core::{Handler, InterfaceId, OperatorId, Pattern, Place, Term, TermId};

use super::ir::{Kind, Statement, Var};
use super::lower::{Binding, Destination, Lower, Scope};
use super::matching::Argument;
use super::shapes::{Apart, CodeId, PARAMETERS, Shape, Thunk};
use super::shared::id_of;
use super::terms::{Facts, is_plain};
use crate::performance::{How, Performed, Why};
use crate::value::View;

/// Thunks and operators up to this size stand in the place of their applications, so many in one another, and all
/// together up to the last of these in one function.
const SMALL: usize = 120;
const DEPTH: usize = 4;
const GROWTH: usize = 1_200;
/// In how many blocks of such code its result is sought, which is known if there is only one.
const BLOCKS: usize = 3_000;
/// How many blocks of a function may be written and taken back because an operator that is handed an object does not
/// fit there after all.
const IN_VAIN: usize = 300;
/// How large all operators together are that stand in the place of their applications because they are handed objects.
const PLACED: usize = 20_000;

/// Code whose ports are plain.
#[derive(Clone)]
pub(super) enum KnownCode {
    Thunk(Rc<Thunk>),
    Operator(OperatorId),
}

impl<'p> Lower<'_, 'p> {
    /// Remembers which thunk a variable holds, if its ports are plain.
    pub fn note_thunk(&mut self, var: Var, term: TermId, name: u32, captured: Vec<Var>) {
        if self.shared.specialise
            && let Term::Thunk(handler) = &self.shared.program.terms[term]
            && is_plain(handler)
        {
            let thunk = Thunk {
                term,
                name,
                captured,
            };
            self.thunks.insert(var, Rc::new(thunk));
        }
    }

    /// The code that a variable is known to hold.
    pub fn known_code(&self, var: Var) -> Option<KnownCode> {
        if !self.shared.specialise {
            return None;
        }
        let var = self.origin(var);
        if let Some(thunk) = self.thunks.get(&var) {
            return Some(KnownCode::Thunk(thunk.clone()));
        }
        let Some(Kind::Constant(value)) = self.kinds.get(var as usize) else {
            return None;
        };
        let View::Operator(id) = value.view() else {
            return None;
        };
        let id: OperatorId = id_of(id);
        let handler = self.shared.facts.handler(id)?;
        is_plain(handler).then_some(KnownCode::Operator(id))
    }

    /// Applies code that is known.
    pub fn apply_known(
        &mut self,
        term: TermId,
        code: &KnownCode,
        args: &'p [TermId],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let to = to.map(|to| self.leave(to));
        let args: Vec<Var> = args.iter().map(|arg| self.value(*arg, scope)).collect();
        self.at(term, scope);
        if self.fits_here(code, to)
            && let Some(result) = self.apply_here(term, code, &args, scope, to)
        {
            return result.and_then(|result| self.finish_value(result, to));
        }
        let (function, args) = match code {
            KnownCode::Thunk(thunk) => self.thunk_version(thunk, args),
            KnownCode::Operator(id) => self.version(*id, args),
        };
        self.call_function(function, args, to)
    }

    /// Applies an operator that is handed an object which was made here: in the place of its application, if it fits
    /// there, so that the object is taken apart, and what comes of it is known.
    pub fn apply_to_objects(
        &mut self,
        term: TermId,
        id: OperatorId,
        args: &[Var],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Option<Var>> {
        let code = KnownCode::Operator(id);
        if !self.shared.specialise
            || !args.iter().any(|arg| self.is_taken_apart(*arg))
            || self.in_vain_here > IN_VAIN
            || self.shared.placed > PLACED
            || self
                .shared
                .calling_code
                .contains(&(CodeId::Operator(id), self.context))
        {
            return None;
        }
        let size = self.applied_size;
        if !self.fits_here(&code, to) {
            return None;
        }
        self.shared.placed += self.applied_size - size;
        let start = self.written();
        let in_vain = self.in_vain;
        let mut result = self.apply_here(term, &code, args, scope, to);
        let mut performed = self.performed.iter().skip(start.performed);
        let too_large =
            |p: &Performed| matches!(p.how, How::Partly(_, Why::Size) | How::Performed(Why::Size));
        if result.is_some() && performed.any(too_large) {
            self.take_back(&start);
            self.shared
                .calling_code
                .insert((CodeId::Operator(id), self.context));
            result = None;
        }
        if result.is_none() {
            self.in_vain_here += self.in_vain - in_vain;
            self.in_vain = in_vain;
        }
        result
    }

    /// Whether code may stand in the place of its application.
    fn fits_here(&mut self, code: &KnownCode, to: Option<Destination>) -> bool {
        let (size, applied) = match code {
            KnownCode::Thunk(thunk) => (
                self.shared.facts.size_of_thunk(thunk.term),
                CodeId::Thunk(thunk.term),
            ),
            KnownCode::Operator(id) => {
                let summary = self.shared.facts.summary(*id).filter(|s| s.inlinable);
                (summary.map(|s| s.size), CodeId::Operator(*id))
            }
        };
        let Some(size) = size.filter(|size| *size <= SMALL) else {
            return false;
        };
        let calling = to != Some(Destination::Return)
            && self.shared.calling_code.contains(&(applied, self.context));
        let fits = !calling
            && self.applied.len() < DEPTH
            && !self.applied.contains(&applied)
            && self.applied_size + size <= GROWTH;
        if fits {
            self.applied_size += size;
        }
        fits
    }

    /// Lowers code in the place of its application as its function would be, and counts the application. What is not
    /// last may run no code of other functions, since the frame for that would be another one.
    fn apply_here(
        &mut self,
        term: TermId,
        code: &KnownCode,
        args: &[Var],
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Option<Var>> {
        let program = self.shared.program;
        let (handler, name, place, applied): (&'p Handler, u32, Option<Place>, CodeId) = match code
        {
            KnownCode::Thunk(thunk) => match &program.terms[thunk.term] {
                Term::Thunk(handler) => {
                    let place = program.places.get(thunk.term).copied();
                    (handler, thunk.name, place, CodeId::Thunk(thunk.term))
                }
                _ => return None,
            },
            KnownCode::Operator(id) => {
                let name = self.shared.operator_name(*id);
                let place = Some(program.operators[*id].place);
                let handler = self.shared.facts.handler(*id)?;
                (handler, name, place, CodeId::Operator(*id))
            }
        };
        let start = self.written();
        self.push(Statement::Step);
        let site = match self.is_last(to) {
            true => self.frame_site,
            false => self.debug,
        };
        let mut bindings = HashMap::new();
        if let KnownCode::Thunk(thunk) = code {
            let free = self.shared.facts.free(thunk.term);
            let captured = thunk.captured.iter();
            bindings.extend(
                free.iter()
                    .zip(captured)
                    .map(|(l, v)| (*l, Binding::Var(*v))),
            );
        }
        self.scopes.push(Scope {
            bindings,
            name,
            depth: 0,
            site,
        });
        let inner = self.scopes.len() - 1;
        self.at_place(place, inner);
        let around = (
            std::mem::take(&mut self.inlining),
            std::mem::replace(&mut self.grown, 0),
            std::mem::replace(&mut self.frame_site, site),
            self.returns_to,
            self.overgrown,
        );
        self.applied.push(applied);
        let args = args.iter();
        let args = args.map(|arg| Argument::Finished(Binding::Var(*arg)));
        let args: Vec<Argument> = args.collect();
        let result = match to {
            Some(Destination::Return) => {
                self.match_clauses(args, &handler.clauses, inner, Destination::Return, name);
                None
            }
            _ => {
                let mut joined = None;
                let result = self.with_join(|lower, to| {
                    if let Destination::Jump(join) = to {
                        lower.returns_to = Some(join);
                        joined = Some(join);
                    }
                    lower.match_clauses(args, &handler.clauses, inner, to, name);
                });
                let only = joined.and_then(|join| self.only_result_among(join, BLOCKS));
                Some(only.unwrap_or(result))
            }
        };
        self.applied.pop();
        (
            self.inlining,
            self.grown,
            self.frame_site,
            self.returns_to,
            self.overgrown,
        ) = around;
        if result.is_some() && self.calls != start.calls {
            self.take_back(&start);
            self.shared.calling_code.insert((applied, self.context));
            return None;
        }
        self.at(term, scope);
        Some(result)
    }

    /// The version of a thunk's function for an application, and what it takes: the arguments, and what the thunk captures.
    fn thunk_version(&mut self, thunk: &Thunk, mut args: Vec<Var>) -> (u32, Vec<Var>) {
        let most = PARAMETERS.max(args.len() + thunk.captured.len());
        for apart in Apart::AS_IT_IS {
            let shapes = self.captured_shapes(thunk, apart);
            let mut taken = args.clone();
            for (captured, shape) in thunk.captured.iter().zip(&shapes) {
                self.parts(*captured, shape, &mut taken);
            }
            let found = (taken.len() <= most).then(|| {
                self.shared
                    .thunk_for(thunk.term, thunk.name, self.context, &shapes)
            });
            if let Some(function) = found.flatten() {
                return (function, taken);
            }
        }
        args.extend(&thunk.captured);
        (self.shared.thunk(thunk.term, thunk.name), args)
    }
}

impl Facts<'_> {
    /// How large a thunk is whose ports and patterns are plain.
    fn size_of_thunk(&mut self, thunk: TermId) -> Option<usize> {
        if let Some(known) = self.thunk_sizes.get(&thunk) {
            return *known;
        }
        let program = self.program();
        let size = match &program.terms[thunk] {
            Term::Thunk(handler) if is_plain(handler) => {
                let mut patterns = handler.clauses.iter().flat_map(|c| &c.patterns);
                patterns
                    .all(|pattern| matches!(pattern, Pattern::Value(_)))
                    .then(|| {
                        let mut queue: Vec<TermId> =
                            handler.clauses.iter().map(|c| c.body).collect();
                        let mut size = 0;
                        while let Some(term) = queue.pop() {
                            size += 1;
                            program.parts(term, &mut |part| queue.push(part));
                        }
                        size
                    })
            }
            _ => None,
        };
        self.thunk_sizes.insert(thunk, size);
        size
    }

    /// Whether code that an argument is known to be mentions a command of an interface, or an operator that does.
    pub fn shape_performs(&mut self, shape: &Shape, interface: InterfaceId) -> bool {
        match shape {
            Shape::Unknown | Shape::Plain => false,
            Shape::Operator(id) => self.performers(interface).contains(id),
            Shape::Object { fields, .. } => {
                fields.iter().any(|f| self.shape_performs(f, interface))
            }
            Shape::Thunk { term, captured, .. } => {
                self.term_performs(*term, interface)
                    || captured.iter().any(|c| self.shape_performs(c, interface))
            }
        }
    }

    fn term_performs(&mut self, thunk: TermId, interface: InterfaceId) -> bool {
        if let Some(known) = self.thunk_performs.get(&(thunk, interface)) {
            return *known;
        }
        let program = self.program();
        let performers = self.performers(interface);
        let mut queue = vec![thunk];
        let mut found = false;
        while let Some(term) = queue.pop() {
            found |= match &program.terms[term] {
                Term::Command(id) => program.commands[*id].interface == interface,
                Term::Operator(id) => performers.contains(id),
                _ => false,
            };
            if found {
                break;
            }
            program.parts(term, &mut |part| queue.push(part));
        }
        self.thunk_performs.insert((thunk, interface), found);
        found
    }
}
