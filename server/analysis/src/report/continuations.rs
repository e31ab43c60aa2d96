//! Continuations: what is handed on without being resumed, resumed outside of the handler, or resumed with
//! what no command gives.

use frank_syntax::ast::{
    Clause, ItemKind, NodeId, PatternId, PatternKind, Symbol, TermId, TermKind,
};

use super::Reporter;
use super::ability::Unfit;
use super::mismatch::Mismatch;
use super::words::{article, listed, variables};
use crate::builtin;
use crate::db::{ItemSource, item};
use crate::declarations::{interface as declared_interface, signature};
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Location, Position};
use crate::fixes;
use crate::infer::hypothesis::Change;
use crate::infer::problem::{Expectation, Problem};
use crate::infer::{Local, Resolved, ResolvedPattern};
use crate::program::{Definition, InterfaceDef};
use crate::scopes::LocalKind;
use crate::surroundings::{Parent, is_atomic};
use crate::types::{Ty, TyKind};

/// A call of the continuation of a command that gives a value of whatever type is needed.
struct Resumption {
    call: TermId,
    /// What the continuation is given, with its type.
    given: Option<(TermId, Ty)>,
}

/// What continuations are often called.
const USUAL_NAMES: &[&str] = &["k", "resume", "cont", "continue", "kont"];

impl Reporter<'_> {
    /// The first pattern for a command in an item whose continuation has a name that no term reads, with the name.
    pub(super) fn unused_continuation(&self, source: ItemSource) -> Option<(PatternId, Symbol)> {
        let item = item(self.db, source);
        let is_read = |name: Symbol| {
            let mut terms = item.terms.iter();
            terms.any(|(_, term)| matches!(&term.kind, TermKind::Name(read) if read.symbol == name))
        };
        let mut patterns = item.patterns.iter();
        patterns.find_map(|(id, pattern)| match &pattern.kind {
            PatternKind::Command { continuation, .. }
                if continuation.symbol.as_str() != "_" && !is_read(continuation.symbol) =>
            {
                Some((id, continuation.symbol))
            }
            _ => None,
        })
    }

    /// The continuation that is meant by a name which continuations often have, where it is called otherwise.
    pub(super) fn continuation_meant(&self, source: ItemSource, name: Symbol) -> Option<Symbol> {
        let is_usual = USUAL_NAMES.contains(&name.as_str());
        let (_, meant) = self.unused_continuation(source).filter(|_| is_usual)?;
        Some(meant)
    }

    /// Finds `k nothing` in a clause for `abort`, which nothing can be resumed with: the clause gives its
    /// result without going on. All that is wrong in it follows from that.
    pub(super) fn resumed_with_anything(&mut self, problems: &[Problem]) {
        for problem in problems {
            if self.settled.contains(&problem.mark()) {
                continue;
            }
            let source = problem.source();
            let Some(resumption) = self.resumption_of_abort(problem) else {
                if let Some((finding, body)) = self.resumed_with_result(problem) {
                    self.settled
                        .extend(self.problems_in(source, body, problems));
                    self.found.push(finding);
                }
                continue;
            };
            let finding = self.nothing_to_resume_with(source, &resumption, problems);
            let Some(finding) = finding else {
                continue;
            };
            let ItemKind::Clause { clause, .. } = &item(self.db, source).kind else {
                continue;
            };
            self.settled
                .extend(self.problems_in(source, clause.body, problems));
            self.found.push(finding);
        }
    }

    /// `k nothing` for `nothing` where the clause's result is a `Maybe`, and the command's is none: the finding,
    /// and the call.
    fn resumed_with_result(&mut self, problem: &Problem) -> Option<(Diagnostic, TermId)> {
        let Problem::Mismatch {
            source,
            term: Some(given),
            expected,
            found,
            origin: Expectation::Argument { call, .. },
            ..
        } = *problem
        else {
            return None;
        };
        let item = item(self.db, source);
        let TermKind::Apply { head, .. } = &item.terms[call].kind else {
            return None;
        };
        let continuation = self.continuation(source, *head)?.clone();
        let (clause, pattern) = self.command_pattern(source, &continuation)?;
        let body = clause.body;
        let PatternKind::Command { name: command, .. } = &item.patterns[pattern].kind else {
            return None;
        };
        let result = self.inference.computation.as_ref()?.result;
        let is_made = matches!(self.inference.table.kind(result), TyKind::Data(..));
        if !self.is_last(source, call, body)
            || !is_made
            || self.is_unknown(found)
            || !self.agree(found, result)
        {
            return None;
        }
        let text = self.term_text(source, given)?;
        let name = continuation.name;
        let operator = self.operator?.0.name;
        let finding = Diagnostic::new(
            Code::TypeMismatch,
            Location::node(source, item.terms[call].id),
            format!(
                "`{name}` goes on with the result of `{}`, {}, and `{text}` is {}",
                command.symbol,
                article(&self.ty(expected)),
                article(&self.ty(found))
            ),
        )
        .related(
            Location::node(source, continuation.node),
            format!("`{name}` goes on with the argument from here"),
        )
        .help(format!(
            "a clause that gives what `{operator}` gives does not go on: write `{text}`, if that is meant"
        ));
        let fix = self.without_going_on(source, call, &text, &continuation);
        Some((finding.fix(fix), call))
    }

    /// Whether what a term gives is what the clause's term gives.
    fn is_last(&self, source: ItemSource, mut term: TermId, body: TermId) -> bool {
        let item = item(self.db, source);
        let surroundings = self.surroundings(source);
        while term != body {
            term = match surroundings.parent(term) {
                Some(Parent::Clause { thunk, .. }) => thunk,
                Some(Parent::Term(parent)) => {
                    let is_end = match &item.terms[parent].kind {
                        TermKind::Let { body, .. } => *body == term,
                        TermKind::Sequence { second, .. } => *second == term,
                        TermKind::Apply { args, .. } => {
                            let is_thunk = matches!(item.terms[term].kind, TermKind::Thunk { .. });
                            is_thunk && args.last() == Some(&term)
                        }
                        _ => false,
                    };
                    if !is_end {
                        return false;
                    }
                    parent
                }
                None => return false,
            };
        }
        true
    }

    /// Writes a value in the place of a term that goes on.
    fn without_going_on(
        &self,
        source: ItemSource,
        term: TermId,
        text: &str,
        continuation: &Local,
    ) -> Fix {
        let item = item(self.db, source);
        let edit = |location, text: &str| Edit {
            location,
            position: Position::Replace,
            text: text.to_owned(),
        };
        let mut edits = vec![edit(Location::node(source, item.terms[term].id), text)];
        let uses = item.terms.iter().filter(|(term, _)| {
            self.continuation(source, *term)
                .is_some_and(|one| one.node == continuation.node)
        });
        if uses.count() == 1 {
            edits.push(edit(Location::node(source, continuation.node), "_"));
        }
        Fix {
            title: format!("give `{text}` without going on"),
            edits,
            safe: false,
        }
    }

    /// The call of a continuation that a problem is about, if what it waits for is a type that the command
    /// leaves to whoever performs it, and the command takes nothing of that type.
    fn resumption_of_abort(&self, problem: &Problem) -> Option<Resumption> {
        let source = problem.source();
        let item = item(self.db, source);
        let (call, given) = match problem {
            Problem::Mismatch {
                term: Some(term),
                found,
                origin: Expectation::Argument { call, .. },
                ..
            } => (*call, Some((*term, *found))),
            Problem::ArgumentCount { head, given: 0, .. } => {
                (self.surroundings(source).ancestors(*head).next()?, None)
            }
            _ => return None,
        };
        let TermKind::Apply { head, .. } = &item.terms[call].kind else {
            return None;
        };
        let continuation = self.continuation(source, *head)?;
        let TyKind::Computation(rest) = self.inference.table.kind(continuation.ty) else {
            return None;
        };
        let TyKind::Variable(index) = self.inference.table.kind(rest.ports.first()?.ty) else {
            return None;
        };
        let waits_for = self.inference.rigid_values.get(*index as usize)?;
        let is_of_command = waits_for.as_str().contains('.');
        let (_, command) = self.command_pattern(source, continuation)?;
        let PatternKind::Command { args, .. } = &item.patterns[command].kind else {
            return None;
        };
        // What the command is given is of other types.
        let table = &self.inference.table;
        let body = self.inference.body(source)?;
        let takes_none = args
            .iter()
            .all(|pattern| match &item.patterns[*pattern].kind {
                PatternKind::Name(name) => {
                    let mut locals = body.locals.iter();
                    let bound = locals.find(|local| local.node == name.id);
                    bound.is_none_or(|bound| {
                        matches!(table.kind(bound.ty), TyKind::Variable(own) if own != index)
                            || self.is_plain(bound.ty)
                    })
                }
                _ => false,
            });
        (is_of_command && takes_none).then_some(Resumption { call, given })
    }

    /// What is needed where a call of another type stands.
    fn needed_of(&self, source: ItemSource, call: TermId, problems: &[Problem]) -> Option<Ty> {
        problems.iter().find_map(|problem| match problem {
            Problem::Mismatch {
                source: place,
                term: Some(term),
                expected,
                ..
            } if (*place, *term) == (source, call) => Some(*expected),
            _ => None,
        })
    }

    /// Whether a type is one without arguments.
    fn is_plain(&self, ty: Ty) -> bool {
        match self.inference.table.kind(ty) {
            TyKind::Int | TyKind::Float | TyKind::Char => true,
            TyKind::Data(_, args) => args.is_empty() || self.is_string(ty),
            _ => false,
        }
    }

    /// The continuation that a term names.
    fn continuation(&self, source: ItemSource, term: TermId) -> Option<&Local> {
        let body = self.inference.body(source)?;
        let Some(Resolved::Local(local)) = body.names.get(term) else {
            return None;
        };
        let local = body.locals.get(local.0 as usize)?;
        (local.kind == LocalKind::Continuation).then_some(local)
    }

    /// `k!` where the command's result is a `Unit`: the continuation takes it.
    pub(super) fn forced_continuation(
        &self,
        source: ItemSource,
        head: TermId,
        given: usize,
    ) -> Option<Diagnostic> {
        let continuation = self.continuation(source, head)?;
        let TyKind::Computation(rest) = self.inference.table.kind(continuation.ty) else {
            return None;
        };
        let [port] = &rest.ports[..] else { return None };
        let waits_for_unit = matches!(self.inference.table.kind(port.ty), TyKind::Data(data, _)
            if *data == builtin::unit(self.db).data);
        let (0, true) = (given, waits_for_unit) else {
            return None;
        };
        let around = item(self.db, source);
        let surroundings = self.surroundings(source);
        let call = surroundings.ancestors(head).next()?;
        let at = Location::node(source, around.terms[call].id);
        let name = continuation.name;
        let text = match surroundings.needs_parentheses(around, call) {
            true => format!("({name} unit)"),
            false => format!("{name} unit"),
        };
        let message = format!(
            "`{name}` goes on with the result of the command, a `Unit`, and is given nothing"
        );
        Some(
            Diagnostic::new(Code::WrongArgumentCount, at, message)
                .help(format!("write `{text}`"))
                .fix(fixes::replace(at, &text, format!("write `{text}`"))),
        )
    }

    /// The clause of the operator whose pattern for a command binds a continuation, and the pattern.
    fn command_pattern(
        &self,
        source: ItemSource,
        continuation: &Local,
    ) -> Option<(&Clause, PatternId)> {
        let item = item(self.db, source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return None;
        };
        let binds = |pattern: &PatternId| match &item.patterns[*pattern].kind {
            PatternKind::Command {
                continuation: name, ..
            } => name.id == continuation.node,
            _ => false,
        };
        let mut patterns = clause.patterns.iter().copied();
        Some((clause, patterns.find(binds)?))
    }

    fn nothing_to_resume_with(
        &mut self,
        source: ItemSource,
        resumption: &Resumption,
        problems: &[Problem],
    ) -> Option<Diagnostic> {
        let item = item(self.db, source);
        let TermKind::Apply { head, .. } = &item.terms[resumption.call].kind else {
            return None;
        };
        let continuation = self.continuation(source, *head)?.clone();
        let (clause, pattern) = self.command_pattern(source, &continuation)?;
        let body = clause.body;
        let PatternKind::Command { name: command, .. } = &item.patterns[pattern].kind else {
            return None;
        };
        let name = continuation.name;
        let problem = Diagnostic::new(
            Code::TypeMismatch,
            Location::node(source, item.terms[resumption.call].id),
            format!(
                "`{0}` may be performed where a value of any type is needed, so there is none to resume \
                 `{name}` with",
                command.symbol
            ),
        )
        .related(
            Location::node(source, continuation.node),
            format!("`{name}` goes on with the argument from here"),
        );
        let result = self.inference.computation.as_ref().map(|own| own.result);
        let (Some((given, ty)), Some(result)) = (resumption.given, result) else {
            return Some(problem.help(format!(
                "a clause for `{}` gives its result without going on: write it in the place of this",
                command.symbol
            )));
        };
        let text = self.term_text(source, given)?;
        let fits = self.agree(ty, result);
        let instead = match fits {
            true => format!("`{text}`, if that is meant"),
            false => format!("{} in the place of this", article(&self.ty(result))),
        };
        let problem = problem.help(format!(
            "a clause for `{}` gives its result without going on: {instead}",
            command.symbol
        ));
        let around = self.surroundings(source).ancestors(resumption.call).count();
        let is_result = around <= 1 && fits;
        if !is_result {
            let at = Location::node(source, item.terms[resumption.call].id);
            let fits = self.needed_of(source, resumption.call, problems);
            return Some(match fits {
                Some(needed) if self.agree(ty, needed) && is_atomic(item, given) => {
                    let at = match self.is_parenthesised(source, resumption.call) {
                        true => self.whole(source, resumption.call)?.0,
                        false => at,
                    };
                    problem.fix(Fix {
                        safe: false,
                        ..fixes::replace(at, &text, format!("write `{text}`"))
                    })
                }
                _ => problem,
            });
        }
        Some(problem.fix(self.without_going_on(source, body, &text, &continuation)))
    }

    /// The message for a continuation that stands where what it gives is needed, `run k` for `run (k unit)`.
    pub(super) fn unresumed(&mut self, mismatch: Mismatch<'_>, term: TermId) -> Option<Diagnostic> {
        let source = mismatch.source;
        let item = item(self.db, source);
        let args = match &item.terms[term].kind {
            TermKind::Apply { args, .. } => args.as_slice(),
            TermKind::Name(_) => &[term][..],
            _ => return None,
        };
        let body = self.inference.body(source)?;
        let continuation = args
            .iter()
            .copied()
            .find(|arg| match body.names.get(*arg) {
                Some(Resolved::Local(local)) => (body.locals.get(local.0 as usize))
                    .is_some_and(|local| local.kind == LocalKind::Continuation),
                _ => false,
            })?;
        let TyKind::Computation(rest) = self.inference.table.kind(*body.types.get(continuation)?)
        else {
            return None;
        };
        let waits = rest.ports.first()?.ty;
        if !self.would_do(mismatch, continuation, Change::Resume)? {
            return None;
        }
        let at = Location::node(source, item.terms[continuation].id);
        let name = self.term_text(source, continuation)?;
        let needed = self.ty(waits);
        let problem = Diagnostic::new(
            Code::ForgottenForce,
            at,
            format!(
                "`{name}` is the rest of the argument, which waits for {}: it goes on once it is given that",
                article(&needed)
            ),
        );
        if needed != "Unit" {
            let help = format!("write `({name} …)`, with what the command gives");
            return Some(problem.help(help));
        }
        let whole = match self.is_parenthesised(source, continuation) {
            true => format!("{name} unit"),
            false => format!("({name} unit)"),
        };
        let title = format!("write `{whole}`");
        Some(
            problem
                .help(format!("write `{whole}`"))
                .fix(fixes::replace(at, &whole, title)),
        )
    }

    /// A continuation that an operator calls in its own clause, as if what it gives were handled already:
    /// `k x` where `run (k x)` is meant.
    pub(super) fn unhandled_rest(
        &mut self,
        problem: &Diagnostic,
        unfit: Unfit<'_>,
        call: TermId,
        interface: InterfaceDef,
    ) -> Option<Diagnostic> {
        let source = unfit.source;
        let operator = self.operator?;
        let body = self.inference.body(source)?;
        let Some(Resolved::Local(local)) = body.names.get(unfit.head) else {
            return None;
        };
        let local = body.locals.get(local.0 as usize)?;
        let (name, bound) = (local.name, local.node);
        if !matches!(local.kind, LocalKind::Continuation | LocalKind::CatchAll) {
            return None;
        }
        let is_all = local.kind == LocalKind::CatchAll;
        let item = item(self.db, source);
        let ItemKind::Clause { clause, .. } = &item.kind else {
            return None;
        };
        let port =
            clause
                .patterns
                .iter()
                .position(|pattern| match &item.patterns[*pattern].kind {
                    PatternKind::Command { continuation, .. } => continuation.id == bound,
                    PatternKind::CatchAll(all) => all.id == bound,
                    _ => false,
                })?;
        let trial = self.try_out(source, call, Change::Accept)?;
        if !trial.solves(unfit.mark) {
            return None;
        }
        // Where the call does not fit its place either, more than the ability is wrong with it.
        let fits = trial.solved.len() == 1;
        self.settled.extend(trial.solved);
        let own = operator.0.name;
        if is_all {
            return Some(self.unhandled_computation(
                problem,
                (source, name, bound),
                port,
                interface,
            ));
        }
        let text = self.term_text(source, call)?;
        let call_text = if is_atomic(item, call) {
            text
        } else {
            format!("({text})")
        };
        // The other arguments are what they were, where they have names.
        let args = clause.patterns.iter().enumerate().map(|(index, pattern)| {
            if index == port {
                return Some(call_text.clone());
            }
            match &item.patterns[*pattern].kind {
                PatternKind::Name(name) if !name.symbol.is_wildcard() => {
                    Some(name.symbol.to_string())
                }
                _ => None,
            }
        });
        let args: Option<Vec<String>> = args.collect();
        // Where something is computed before, or the operator is called in there, the old arguments are hardly meant.
        let is_inside = |term: TermId| {
            let surroundings = self.surroundings(source);
            surroundings.ancestors(term).any(|around| around == call)
        };
        let is_computed = item.terms.iter().any(|(term, data)| match &data.kind {
            TermKind::Let { .. } => {
                let surroundings = self.surroundings(source);
                surroundings.ancestors(call).any(|around| around == term)
            }
            TermKind::Name(name) => name.symbol == own && is_inside(term),
            _ => false,
        });
        let args = args.filter(|args| args.len() < 2 || !is_computed);
        let again = args.map(|args| format!("{own} {}", args.join(" ")));
        let mut finding = Diagnostic::new(
            problem.code,
            problem.location,
            format!(
                "`{name}` is the rest of the argument alone: nothing handles the commands of `{}` in it \
                 here, and it gives {}",
                interface.0.name,
                match self
                    .inference
                    .body(source)
                    .and_then(|body| body.types.get(call))
                {
                    Some(ty) => article(&self.ty(*ty)),
                    None => "what the argument gives".to_owned(),
                }
            ),
        );
        finding = finding.related(
            Location::node(source, bound),
            format!("`{name}` goes on with the argument from here"),
        );
        let is_given = matches!(
            self.surroundings(source).parent(call),
            Some(Parent::Clause { .. })
        );
        if fits && is_given && self.gives_other_data(source, call) {
            return Some(finding.help(format!(
                "`{own}` called around it would handle them, and gives another type than is needed here"
            )));
        }
        Some(match again {
            Some(again) => {
                let at = Location::node(source, item.terms[call].id);
                let needs = !self.is_parenthesised(source, call)
                    && self.surroundings(source).needs_parentheses(item, call);
                let text = if needs {
                    format!("({again})")
                } else {
                    again.clone()
                };
                finding
                    .help(format!("call `{own}` again around it: `{again}`"))
                    .fix(Fix {
                        safe: false,
                        ..fixes::replace(at, &text, format!("write `{again}`"))
                    })
            }
            None => finding.help(format!(
                "call `{own}` again around it: `{own} … {call_text}`"
            )),
        })
    }

    /// Whether the operator of these clauses gives other data than a call in them.
    fn gives_other_data(&self, source: ItemSource, call: TermId) -> bool {
        let own = self
            .operator
            .and_then(|own| signature(self.db, own.0.scope, own.0.name).as_ref());
        let here = self
            .inference
            .body(source)
            .and_then(|body| body.types.get(call).copied());
        let (Some(own), Some(here)) = (own, here) else {
            return false;
        };
        let TyKind::Data(gives, _) = own.types.kind(own.computation.result) else {
            return false;
        };
        match self.inference.table.kind(here) {
            TyKind::Data(here, _) => here != gives,
            TyKind::Int | TyKind::Float | TyKind::Char => true,
            _ => false,
        }
    }

    /// The message for a computation, bound by a catch-all, that runs where nothing handles its commands.
    fn unhandled_computation(
        &self,
        problem: &Diagnostic,
        (source, name, bound): (ItemSource, Symbol, NodeId),
        port: usize,
        interface: InterfaceDef,
    ) -> Diagnostic {
        let Definition {
            scope,
            name: handled,
        } = interface.0;
        let declared = declared_interface(self.db, scope, handled).as_ref();
        let commands = declared.map_or(&[][..], |declared| &declared.commands[..]);
        let patterns = commands.iter().map(|command| {
            let arguments = match command.args.len() {
                0 => String::new(),
                n => format!(" {}", variables(n)),
            };
            format!("`<{}{arguments} -> k>`", command.name)
        });
        let patterns: Vec<String> = patterns.collect();
        let problem = Diagnostic::new(
            problem.code,
            problem.location,
            format!(
                "`{name}!` performs the commands of `{handled}` that `{name}` waits with, and nothing handles \
                 them here"
            ),
        )
        .related(
            Location::node(source, bound),
            format!("`<{name}>` matches the argument whatever it performs"),
        );
        if !self.handles_elsewhere(source, interface) {
            return problem.help(format!(
                "write a clause for each command, {}, in the place of this one",
                listed(&patterns, 3)
            ));
        }
        problem.help(format!(
            "other clauses match the commands of `{handled}`{}",
            match self.takes_value_elsewhere(source, port) {
                true => ": leave this one out".to_owned(),
                false => format!(
                    ", and none what the argument gives in the end: write `{name}` for `<{name}>`, and `{name}` \
                     for `{name}!`"
                ),
            }
        ))
    }

    /// Whether another clause of the operator than that in `source` matches the value of a port.
    fn takes_value_elsewhere(&self, source: ItemSource, port: usize) -> bool {
        let others = self.inference.bodies.iter();
        let mut others = others.filter(|(other, _)| *other != source);
        others.any(|(other, _)| {
            let item = item(self.db, *other);
            let ItemKind::Clause { clause, .. } = &item.kind else {
                return false;
            };
            clause
                .patterns
                .get(port)
                .is_some_and(|pattern| matches!(item.patterns[*pattern].kind, PatternKind::Name(_)))
        })
    }

    /// Whether another clause of the operator than that in `source` matches a command of an interface.
    fn handles_elsewhere(&self, source: ItemSource, interface: InterfaceDef) -> bool {
        let others = self.inference.bodies.iter();
        let mut others = others.filter(|(other, _)| *other != source);
        others.any(|(_, body)| {
            let mut patterns = body.patterns.iter();
            patterns.any(|(_, pattern)| {
                matches!(pattern, ResolvedPattern::Command { command, .. } if command.interface == interface)
            })
        })
    }
}
