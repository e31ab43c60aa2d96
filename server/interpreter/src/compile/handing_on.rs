//! Handlers that hand everything on to another one: `reverse <m> = reversec (<Checkpoint> m!)`.
//!
//! Whatever the argument of such a call comes to first, its value or a command, is handled as if it stood under the other
//! handler from the beginning, and all that comes later does stand there. Commands that pass the first handler have to
//! come out of the other one as they do out of it, which the adaptors see to. So a call enters the other handler at once:
//! nothing is captured at the first command, and who knows the other handler knows this one.

use frank_core::{
    Adjustment, InterfaceId, Local, OperatorBody, OperatorId, Pattern, Program, Term, TermId,
};

use super::context::renamed;
use super::ir::{End, Statement, Var};
use super::lower::{Destination, Lower};
use super::terms::{Facts, HandsOn};

impl Facts<'_> {
    /// What an operator hands on to, if that is all that it does.
    pub fn hands_on(&mut self, operator: OperatorId) -> Option<HandsOn> {
        if let Some(known) = self.handing_on.get(&operator) {
            return *known;
        }
        let found = find(self.program(), operator);
        self.handing_on.insert(operator, found);
        found
    }
}

fn find(program: &Program, operator: OperatorId) -> Option<HandsOn> {
    let OperatorBody::Handler(handler) = &program.operators[operator].body else {
        return None;
    };
    let ([_], [clause]) = (handler.ports.as_slice(), handler.clauses.as_slice()) else {
        return None;
    };
    let [Pattern::CatchAll(Some(m))] = clause.patterns.as_slice() else {
        return None;
    };
    let Term::Apply { head, args } = &program.terms[clause.body] else {
        return None;
    };
    let (Term::Operator(next), [arg]) = (&program.terms[*head], args.as_slice()) else {
        return None;
    };
    let on = match &program.terms[*arg] {
        Term::Adapted { body, .. } if forces(program, *body, *m) => HandsOn {
            operator: *next,
            adapted: Some(*arg),
        },
        _ if forces(program, *arg, *m) => HandsOn {
            operator: *next,
            adapted: None,
        },
        _ => return None,
    };
    (*next != operator && passes_the_same(program, operator, &on)).then_some(on)
}

fn forces(program: &Program, term: TermId, m: Local) -> bool {
    let Term::Apply { head, args } = &program.terms[term] else {
        return false;
    };
    args.is_empty() && matches!(&program.terms[*head], Term::Local(local) if *local == m)
}

/// Whether a command that passes a handler passes the other one, too, and is for the same one around both.
fn passes_the_same(program: &Program, operator: OperatorId, on: &HandsOn) -> bool {
    let (Some(own), Some(next)) = (
        only_port(program, operator),
        only_port(program, on.operator),
    ) else {
        return false;
    };
    let adds = |steps: &[Adjustment]| steps.iter().any(|s| matches!(s, Adjustment::Add(_)));
    if !adds(own) || !adds(next) {
        return false;
    }
    let mut inner: Vec<Adjustment> = next.to_vec();
    if let Some(adapted) = on.adapted
        && let Term::Adapted { renamings, .. } = &program.terms[adapted]
    {
        inner.extend(renamings.iter().cloned().map(Adjustment::Rename));
    }
    let changed = own.iter().chain(&inner);
    // Instances further out are all moved by as many.
    let kept = changed.clone().map(|step| match step {
        Adjustment::Add(_) => 1,
        Adjustment::Rename(renaming) => renaming.kept.len() as u32 + renaming.taken,
    });
    let most = kept.sum::<u32>() + 1;
    changed.map(interface_of).all(|interface| {
        (0..=most).all(|index| {
            let passed = comes_out(own, interface, index);
            passed.is_none() || passed == comes_out(&inner, interface, index)
        })
    })
}

/// The adjustments of an operator's port, if it has but one.
fn only_port(program: &Program, operator: OperatorId) -> Option<&[Adjustment]> {
    match &program.operators[operator].body {
        OperatorBody::Handler(handler) => match handler.ports.as_slice() {
            [port] => Some(&port.adjustments),
            _ => None,
        },
        OperatorBody::Builtin(_) => None,
    }
}

fn interface_of(step: &Adjustment) -> InterfaceId {
    match step {
        Adjustment::Add(interface) => *interface,
        Adjustment::Rename(renaming) => renaming.interface,
    }
}

/// As which instance of its interface a command passes adjustments, if it does; read as the machine does.
fn comes_out(steps: &[Adjustment], interface: InterfaceId, mut index: u32) -> Option<u32> {
    for step in steps.iter().rev() {
        match step {
            Adjustment::Add(added) if *added == interface => index = index.checked_sub(1)?,
            Adjustment::Rename(renaming) if renaming.interface == interface => {
                index = renamed(renaming, index);
            }
            _ => {}
        }
    }
    Some(index)
}

impl Lower<'_, '_> {
    /// Lowers a call of a handler that hands on, with an argument that is no value yet.
    pub fn hand_on(
        &mut self,
        on: HandsOn,
        arg: TermId,
        scope: usize,
        to: Option<Destination>,
    ) -> Option<Var> {
        let function = self.shared.operator_in(on.operator, self.context);
        let Some(port) = self.shared.port(function, 0) else {
            self.shared.fail("a handler without a port".to_owned());
            return None;
        };
        // The call itself; the other handler and its adaptors count as ever.
        self.push(Statement::Step);
        let inner = self.block(Vec::new());
        let result = self.fresh();
        let after = match to {
            Some(Destination::Return) => None,
            _ => Some(self.block(vec![result])),
        };
        self.end(End::Handle {
            port,
            done: Vec::new(),
            inner,
            after,
        });
        self.current = inner;
        let around = (self.context, self.seen, self.lost);
        let under = self.under(on.operator);
        (self.context, self.seen) = (under, Some(under));
        // What was bound to `m` is forced.
        self.push(Statement::Step);
        if !on.adapted.is_some_and(|term| self.adapt(term, arg, scope)) {
            self.tail(arg, scope, Destination::Return);
        }
        (self.context, self.seen, self.lost) = around;
        self.current = after?;
        self.finish_value(result, to)
    }
}
