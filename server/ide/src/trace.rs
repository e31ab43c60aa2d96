//! Who receives a command: from the place where it is performed outwards, through ports, adaptors
//! and thunks, and through signatures to the callers (language reference, section 5 "Who handles
//! a command").

use std::collections::HashSet;

use frank_analysis::db::ItemSource;
use frank_analysis::declarations::signature;
use frank_analysis::infer::{Resolved, ResolvedPattern};
use frank_analysis::program::{InterfaceDef, OperatorDef, TermDef};
use frank_analysis::types::{Adaptor, Adjustment, Computation, Port, Signature, TyKind};
use frank_syntax::ast::tree::{Node, path_at};
use frank_syntax::ast::{ItemKind, NodeId, PatternKind, TermId, TermKind};

use crate::names::{Def, Role};
use crate::view::{Typed, count};
use crate::{Analysis, FileRange};

/// So many receivers are shown at most.
const MOST_RECEIVERS: usize = 12;
/// So many operators are looked into for one answer.
const MOST_OPERATORS: usize = 24;
/// So many callers are followed one into the other.
const DEEPEST: usize = 6;

/// Somebody who can receive a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receiver {
    /// What the port belongs to, as it is written.
    pub name: String,
    /// The name of the handler at the call whose port takes the command.
    pub at: FileRange,
    /// The command gets there through callers or through a computation that is run later, so it
    /// is one of several possibilities.
    pub possible: bool,
    /// The operator in which that call stands, where it is another one.
    pub inside: Option<OperatorDef>,
}

/// Where a command can end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receivers {
    pub handlers: Vec<Receiver>,
    /// Entries from which it leaves to the host.
    pub host: Vec<OperatorDef>,
    /// It can be in a computation of which nobody here knows where it runs.
    pub elsewhere: bool,
    /// It leaves the operator in which it is performed through that one's own signature.
    pub through_signature: bool,
    /// There are more than were looked at.
    pub more: bool,
}

/// The instance around an adaptor that the `index`-th one under it, from the right, stands for;
/// `None` where the adaptor is for another interface.
pub(crate) fn around(adaptor: &Adaptor, interface: InterfaceDef, index: usize) -> usize {
    if adaptor.interface != interface {
        return index;
    }
    match adaptor.kept.get(index) {
        Some(kept) => *kept as usize,
        None => index - adaptor.kept.len() + adaptor.taken as usize,
    }
}

/// An instance that is followed outwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Wanted {
    interface: InterfaceDef,
    /// From the right, the active one is 0.
    index: usize,
}

/// What following an instance out of a port gives.
enum Step {
    /// The port adds it.
    Handled,
    Outside(usize),
}

fn through_port(port: &Port, wanted: Wanted) -> Step {
    let mut index = wanted.index;
    for adjustment in port.adjustments.iter().rev() {
        match adjustment {
            Adjustment::Instance(instance) if instance.interface == wanted.interface => {
                match index.checked_sub(1) {
                    Some(outside) => index = outside,
                    None => return Step::Handled,
                }
            }
            Adjustment::Instance(_) => {}
            Adjustment::Adaptor(adaptor) => index = around(adaptor, wanted.interface, index),
        }
    }
    Step::Outside(index)
}

impl Analysis {
    /// Who can receive what the term at `node` performs at the `index`-th instance of an
    /// interface from the right.
    pub(crate) fn receivers(
        &self,
        typed: &Typed<'_>,
        node: NodeId,
        interface: InterfaceDef,
        index: usize,
    ) -> Receivers {
        let mut tracer = Tracer {
            analysis: self,
            found: Receivers::default(),
            called: HashSet::new(),
            run: HashSet::new(),
            looked_into: 1,
            home: typed.view.operator(),
        };
        let wanted = Wanted { interface, index };
        tracer.outwards(
            typed,
            node,
            Way {
                wanted,
                possible: false,
                depth: 0,
                frame: None,
            },
        );
        tracer.found
    }
}

/// A call that was followed into the operator that it calls.
struct Frame<'f, 'a> {
    typed: &'f Typed<'a>,
    call: NodeId,
    parent: Option<&'f Frame<'f, 'a>>,
}

/// What is followed, and how far that is from where it began.
#[derive(Clone, Copy)]
struct Way<'f, 'a> {
    wanted: Wanted,
    possible: bool,
    depth: usize,
    frame: Option<&'f Frame<'f, 'a>>,
}

struct Tracer<'a> {
    analysis: &'a Analysis,
    found: Receivers,
    /// The operators whose callers were followed.
    called: HashSet<(OperatorDef, Wanted)>,
    /// The parameters whose uses were followed, with the call that gave them.
    run: HashSet<(OperatorDef, usize, Wanted, (ItemSource, NodeId))>,
    looked_into: usize,
    home: Option<OperatorDef>,
}

impl<'a> Tracer<'a> {
    /// Follows an instance from a node of a clause outwards.
    fn outwards(&mut self, typed: &Typed<'a>, node: NodeId, mut way: Way<'_, 'a>) {
        let view = typed.view;
        let item = view.item();
        let interface = way.wanted.interface;
        let mut path = path_at(item, view.map(), view.range(node).start());
        while path.last().is_some_and(|last| last.id(item) != node) {
            path.pop();
        }
        while let (Some(here), Some(parent)) = (path.pop(), path.last().copied()) {
            match (parent, here) {
                (Node::Term(call), Node::Term(arg)) => match &item.terms[call].kind {
                    TermKind::Apply { head, args } => {
                        let Some(position) = args.iter().position(|other| *other == arg) else {
                            continue;
                        };
                        let Some(port) = port_of(typed, *head, position) else {
                            continue;
                        };
                        match through_port(&port, way.wanted) {
                            Step::Handled => {
                                self.handled(typed, *head, way.possible);
                                return;
                            }
                            Step::Outside(index) => way.wanted.index = index,
                        }
                    }
                    TermKind::Adapted { .. } => {
                        let adaptors = typed.body().adaptors.get(call);
                        for adaptor in adaptors.into_iter().flatten().rev() {
                            way.wanted.index = around(adaptor, interface, way.wanted.index);
                        }
                    }
                    _ => {}
                },
                (Node::Term(thunk), Node::Clause(_)) => {
                    path.pop();
                    let Some(Node::Term(call)) = path.last().copied() else {
                        self.found.elsewhere = true;
                        return;
                    };
                    // What the port itself does lies between the thunk and what is around the
                    // call; the thunk's own type says what it can reach.
                    match self.leave_argument(typed, call, thunk, way) {
                        Some(outside) => way.wanted.index = outside,
                        None => return,
                    }
                }
                (Node::Item, Node::Clause(_)) => {
                    match (way.frame, view.operator()) {
                        (Some(frame), _) => {
                            let outer = Way {
                                frame: frame.parent,
                                possible: true,
                                ..way
                            };
                            self.outwards(frame.typed, frame.call, outer);
                        }
                        (None, Some(operator)) => {
                            self.found.through_signature |= Some(operator) == self.home;
                            self.callers(operator, way);
                        }
                        (None, None) => {}
                    }
                    return;
                }
                _ => {}
            }
        }
    }

    fn handled(&mut self, typed: &Typed<'_>, head: TermId, possible: bool) {
        let view = typed.view;
        let node = name_of_use(view.item(), head);
        let name = crate::symbols::on_one_line(view.node_text(node));
        let inside = view
            .operator()
            .filter(|operator| Some(*operator) != self.home);
        let receiver = Receiver {
            name,
            at: view.file_range(node),
            possible,
            inside,
        };
        if self.found.handlers.contains(&receiver) {
            return;
        }
        if self.found.handlers.len() >= MOST_RECEIVERS {
            self.found.more = true;
            return;
        }
        self.found.handlers.push(receiver);
    }

    /// Follows an instance out of a computation that is an argument of `call`: gives its index
    /// around the call, if the computation's type says that it is one from there. If it is one
    /// that the callee promises, follows it in the callee.
    fn leave_argument(
        &mut self,
        typed: &Typed<'a>,
        call: TermId,
        argument: TermId,
        way: Way<'_, 'a>,
    ) -> Option<usize> {
        let item = typed.view.item();
        let found = match &item.terms[call].kind {
            TermKind::Apply { head, args } => {
                let position = args.iter().position(|arg| *arg == argument);
                let callee = match typed.body().names.get(*head) {
                    Some(Resolved::Definition(TermDef::Operator(operator))) => Some(*operator),
                    _ => None,
                };
                callee.zip(position)
            }
            _ => None,
        };
        let promise = found.and_then(|(callee, position)| {
            let signature =
                signature(self.analysis.db(), callee.0.scope, callee.0.name).as_ref()?;
            Some((
                callee,
                position,
                promised(signature, position, way.wanted.interface)?,
            ))
        });
        let Some((callee, position, promise)) = promise else {
            self.found.elsewhere = true;
            return None;
        };
        match way.wanted.index.checked_sub(promise.own) {
            Some(outside) if promise.same_tail => Some(outside + promise.peg),
            Some(_) => {
                self.found.elsewhere = true;
                None
            }
            // Nobody has written what it does; it can only have the instance from around the call.
            None if callee.items(self.analysis.db()).clauses.is_empty() => {
                let is_own = promise.same_tail && way.wanted.index < promise.peg;
                self.found.elsewhere |= !is_own;
                is_own.then_some(way.wanted.index)
            }
            None => {
                let frame = Frame {
                    typed,
                    call: item.terms[call].id,
                    parent: way.frame,
                };
                self.runs_of(callee, position, &frame, way);
                None
            }
        }
    }

    /// Follows an instance from where an operator runs the computation that it is given as its
    /// `position`-th argument.
    fn runs_of(
        &mut self,
        operator: OperatorDef,
        position: usize,
        frame: &Frame<'_, 'a>,
        way: Way<'_, 'a>,
    ) {
        let site = (frame.typed.view.source, frame.call);
        if way.depth >= DEEPEST || !self.run.insert((operator, position, way.wanted, site)) {
            return;
        }
        if self.looked_into >= MOST_OPERATORS {
            self.found.more = true;
            return;
        }
        self.looked_into += 1;
        let way = Way {
            depth: way.depth + 1,
            possible: true,
            frame: Some(frame),
            ..way
        };
        for source in &operator.items(self.analysis.db()).clauses {
            let view = self.analysis.view(operator.0.scope, *source);
            let Some(typed) = view.typed() else { continue };
            let item = view.item();
            let ItemKind::Clause { clause, .. } = &item.kind else {
                continue;
            };
            let Some(pattern) = clause.patterns.get(position) else {
                continue;
            };
            if !matches!(
                typed.body().patterns.get(*pattern),
                Some(ResolvedPattern::Binds(_))
            ) {
                continue;
            }
            let PatternKind::Name(bound) = &item.patterns[*pattern].kind else {
                continue;
            };
            for name in view.names() {
                let is_use = name.role == Role::Use
                    && matches!(name.def, Def::Local { binder, .. } if binder == bound.id);
                if is_use {
                    self.use_of(&typed, name.node, way);
                }
            }
        }
    }

    /// Follows an instance from a use of the computation that performs it: a call runs it there,
    /// an argument passes it on.
    fn use_of(&mut self, typed: &Typed<'a>, node: NodeId, way: Way<'_, 'a>) {
        let item = typed.view.item();
        let path = path_at(item, typed.view.map(), typed.view.range(node).start());
        let terms: Vec<TermId> = path
            .iter()
            .filter_map(|node| match node {
                Node::Term(term) => Some(*term),
                _ => None,
            })
            .collect();
        let place = terms.iter().rposition(|term| item.terms[*term].id == node);
        let pair = place.and_then(|place| {
            let parent = terms.get(place.checked_sub(1)?)?;
            Some((*terms.get(place)?, *parent))
        });
        let Some((own, parent)) = pair else {
            self.found.elsewhere = true;
            return;
        };
        let call = item.terms[parent].id;
        match &item.terms[parent].kind {
            TermKind::Apply { head, .. } if *head == own => self.outwards(typed, call, way),
            TermKind::Apply { .. } => {
                if let Some(index) = self.leave_argument(typed, parent, own, way) {
                    let wanted = Wanted {
                        index,
                        ..way.wanted
                    };
                    self.outwards(typed, call, Way { wanted, ..way });
                }
            }
            // `<I> f` where it is the head of a call, or a computation that is kept for later.
            TermKind::Adapted { .. } => self.outwards(typed, node, way),
            _ => self.found.elsewhere = true,
        }
    }

    /// Follows an instance that an operator's own ability has to its callers.
    fn callers(&mut self, operator: OperatorDef, way: Way<'_, 'a>) {
        if !self.called.insert((operator, way.wanted)) {
            return;
        }
        let db = self.analysis.db();
        if crate::target::operator_kind(db, operator) == crate::SymbolKind::Value
            && is_host(db, way.wanted)
        {
            self.found.host.push(operator);
        }
        if way.depth >= DEEPEST {
            self.found.more = true;
            return;
        }
        let analysis = self.analysis;
        let mut sites = Vec::new();
        let mut more = false;
        analysis.for_each_use(Def::Operator(operator), |found| {
            if found.name.role != Role::Use {
                return true;
            }
            if sites.len() >= 4 * MOST_OPERATORS {
                more = true;
                return false;
            }
            sites.push(found);
            true
        });
        self.found.more |= more;
        let way = Way {
            possible: true,
            depth: way.depth + 1,
            frame: None,
            ..way
        };
        for site in sites {
            let view = analysis.view(site.scope, site.source);
            if view.operator() == Some(operator) {
                continue;
            }
            if self.looked_into >= MOST_OPERATORS {
                self.found.more = true;
                return;
            }
            self.looked_into += 1;
            if let Some(typed) = view.typed() {
                self.use_of(&typed, site.name.node, way);
            }
        }
    }
}

/// Whether the host answers an instance.
fn is_host(db: &dyn frank_analysis::db::Db, wanted: Wanted) -> bool {
    use frank_analysis::builtin::{console, ref_state};
    wanted.index == 0 && (wanted.interface == console(db) || wanted.interface == ref_state(db))
}

/// The port of a call's argument.
pub(crate) fn port_of(typed: &Typed<'_>, head: TermId, position: usize) -> Option<Port> {
    let ty = *typed.body().types.get(head)?;
    typed.computation(ty)?.ports.get(position).cloned()
}

/// What a signature says about the instances of an interface in a computation that is an argument.
struct Promise {
    /// How many of them the computation's own type names.
    own: usize,
    /// How many the operator's ability names.
    peg: usize,
    /// To the left of both stands the same.
    same_tail: bool,
}

/// The promise for an argument; `None` where it is no computation.
fn promised(signature: &Signature, position: usize, interface: InterfaceDef) -> Option<Promise> {
    let port = signature.computation.ports.get(position)?;
    let TyKind::Computation(inner) = signature.types.kind(port.ty) else {
        return None;
    };
    let inner: &Computation = inner;
    let own = signature.types.row(inner.ability);
    let peg = signature.types.row(signature.computation.ability);
    Some(Promise {
        own: count(&own.instances, interface),
        peg: count(&peg.instances, interface),
        same_tail: own.tail == peg.tail,
    })
}

/// The term at the head of a use, under its adaptors.
pub(crate) fn term_of_use(item: &frank_syntax::ast::Item, mut head: TermId) -> TermId {
    loop {
        match &item.terms[head].kind {
            TermKind::Adapted { body, .. } => head = *body,
            TermKind::Apply { head: inner, args } if args.is_empty() => head = *inner,
            _ => return head,
        }
    }
}

/// The name at the head of a use, under its adaptors.
pub(crate) fn name_of_use(item: &frank_syntax::ast::Item, head: TermId) -> NodeId {
    item.terms[term_of_use(item, head)].id
}
