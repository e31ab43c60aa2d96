//! Which operators are deep handlers: whatever continuation a clause gets, it runs under the same
//! operator again, in the same place, or not at all.
//!
//! So `evaluate <ap2 o x y -> k> = evaluate (k …)` is deep, and so is a clause that has work left
//! after that, drops `k`, or resumes it twice. A clause that stores `k`, runs it bare, under
//! another handler or adaptor, or in a thunk that might be forced elsewhere, makes its operator one
//! that code under it cannot rely on.

use frank_core::{
    Builtin, Handler, Local, OperatorBody, OperatorId, Pattern, Port, Program, Term, TermId,
};

use super::terms::{Facts, is_plain};

impl Facts<'_> {
    /// Whether an operator is a deep handler.
    pub fn is_deep(&mut self, operator: OperatorId) -> bool {
        if let Some(known) = self.deep.get(&operator) {
            return *known;
        }
        let Some(handler) = self.handler(operator) else {
            return false;
        };
        let deep = handler.clauses.iter().all(|clause| {
            let Some((last, before)) = clause.patterns.split_last() else {
                return true;
            };
            // What an earlier argument is paused at may be forced in its place.
            before.iter().all(|p| matches!(p, Pattern::Value(_)))
                && match last {
                    Pattern::Value(_) => true,
                    Pattern::CatchAll(_) => false,
                    Pattern::Command { continuation, .. } => {
                        continuation.is_none_or(|k| self.puts_back(operator, clause.body, k))
                    }
                }
        });
        self.deep.insert(operator, deep);
        deep
    }

    /// Whether all that a body does with a continuation is to run it under an operator, where the
    /// body itself stands.
    fn puts_back(&mut self, operator: OperatorId, body: TermId, k: Local) -> bool {
        let program = self.program();
        let mentions = self.mentions(body, k);
        let mut here = vec![body];
        while let Some(term) = here.pop() {
            if !mentions.contains(&term) {
                continue;
            }
            match &program.terms[term] {
                Term::Local(_) | Term::Thunk(_) | Term::Adapted { .. } => return false,
                Term::Apply { head, args } => match &program.terms[*head] {
                    Term::Operator(id) => {
                        let rest = match args.split_last() {
                            Some((last, rest))
                                if *id == operator && resumes(program, *last, k, &mentions) =>
                            {
                                rest
                            }
                            _ => args.as_slice(),
                        };
                        for (i, arg) in rest.iter().enumerate() {
                            if !mentions.contains(arg) {
                                continue;
                            }
                            match self.forced_here(*id, i, *arg) {
                                Some(bodies) => here.extend(bodies),
                                None => return false,
                            }
                        }
                    }
                    Term::Command(_) => here.extend(args),
                    // Whoever is called may run its arguments under handlers.
                    _ => return false,
                },
                _ => program.direct_parts(term, &mut |part| here.push(part)),
            }
        }
        true
    }

    /// What of an operator's argument is evaluated where the call stands: the argument, or the
    /// clauses of a thunk that the operator does nothing with but force it last.
    fn forced_here(
        &mut self,
        operator: OperatorId,
        index: usize,
        arg: TermId,
    ) -> Option<Vec<TermId>> {
        let program = self.program();
        let plain = |port: &Port| port.adjustments.is_empty();
        let (plain_port, forced) = match &program.operators[operator].body {
            OperatorBody::Builtin(builtin) => (true, *builtin == Builtin::Case && index == 1),
            OperatorBody::Handler(handler) => {
                let forced = self.summary(operator).is_some_and(|s| {
                    s.inlinable && s.forced_last.get(index).copied().unwrap_or(false)
                });
                (handler.ports.get(index).is_some_and(plain), forced)
            }
        };
        match &program.terms[arg] {
            _ if !plain_port => None,
            Term::Thunk(thunk) if forced && simple_thunk(thunk) => {
                Some(thunk.clauses.iter().map(|clause| clause.body).collect())
            }
            Term::Thunk(_) => None,
            _ => Some(vec![arg]),
        }
    }
}

fn simple_thunk(thunk: &Handler) -> bool {
    is_plain(thunk)
        && thunk.clauses.iter().all(|clause| {
            let value = |pattern: &Pattern| matches!(pattern, Pattern::Value(_));
            clause.patterns.iter().all(value)
        })
}

/// Whether a term is `k v`, where `v` does not mention `k`.
fn resumes(
    program: &Program,
    term: TermId,
    k: Local,
    mentions: &std::collections::HashSet<TermId>,
) -> bool {
    let Term::Apply { head, args } = &program.terms[term] else {
        return false;
    };
    matches!(&program.terms[*head], Term::Local(local) if *local == k)
        && args.iter().all(|arg| !mentions.contains(arg))
}
