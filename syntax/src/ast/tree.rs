//! The shape of the tree: what each part of an item is made of, in the order of the text. Whoever
//! walks over an item for some of its parts does so from here.

use std::slice;

use text_size::TextSize;

use super::{
    AbilityExpr, AdaptorExpr, Adjustment, Clause, CommandDecl, CompType, ConstructorDecl,
    InstanceExpr, Item, ItemKind, Name, NodeId, Param, PatternId, PatternKind, Port, SourceMap,
    Tail, TermId, TermKind, TypeArg, TypeId, TypeKind,
};

/// What a term is made of: a name or adaptors, then one term or two, then more terms or clauses.
#[derive(Debug, Clone, Copy, Default)]
pub struct TermParts<'a> {
    pub name: Option<&'a Name>,
    pub adaptors: &'a [AdaptorExpr],
    pub first: Option<TermId>,
    pub second: Option<TermId>,
    pub rest: &'a [TermId],
    pub clauses: &'a [Clause],
}

impl TermKind {
    /// The direct parts of a term.
    pub fn parts(&self) -> TermParts<'_> {
        let mut parts = TermParts::default();
        match self {
            TermKind::Name(name) => parts.name = Some(name),
            TermKind::Apply { head, args } => {
                parts.first = Some(*head);
                parts.rest = args;
            }
            TermKind::Adapted { adaptors, body } => {
                parts.adaptors = adaptors;
                parts.first = Some(*body);
            }
            TermKind::Let { name, bound, body } => {
                parts.name = Some(name);
                parts.first = Some(*bound);
                parts.second = Some(*body);
            }
            TermKind::Sequence { first, second } => {
                parts.first = Some(*first);
                parts.second = Some(*second);
            }
            TermKind::Binary { left, right, .. } => {
                parts.first = Some(*left);
                parts.second = Some(*right);
            }
            TermKind::Negate(operand) => parts.first = Some(*operand),
            TermKind::Thunk { clauses } => parts.clauses = clauses,
            TermKind::List(elements) => parts.rest = elements,
            TermKind::Natural(_)
            | TermKind::Float(_)
            | TermKind::Char(_)
            | TermKind::String(_)
            | TermKind::Missing => {}
        }
        parts
    }

    /// The terms that a term is directly made of, the bodies of a thunk's clauses included.
    pub fn sub_terms(&self) -> impl DoubleEndedIterator<Item = TermId> + '_ {
        let parts = self.parts();
        let bodies = parts.clauses.iter().map(|clause| clause.body);
        parts.direct().chain(bodies)
    }

    /// The clauses of a thunk; none for other terms.
    pub fn clauses(&self) -> &[Clause] {
        match self {
            TermKind::Thunk { clauses } => clauses,
            _ => &[],
        }
    }
}

impl<'a> TermParts<'a> {
    /// The terms that a term is directly made of, without the bodies of a thunk's clauses.
    pub fn direct(self) -> impl DoubleEndedIterator<Item = TermId> + 'a {
        let few = self.first.into_iter().chain(self.second);
        few.chain(self.rest.iter().copied())
    }
}

/// What a pattern is made of: a name, then patterns, then the name of a continuation.
#[derive(Debug, Clone, Copy, Default)]
pub struct PatternParts<'a> {
    pub name: Option<&'a Name>,
    pub first: Option<PatternId>,
    pub second: Option<PatternId>,
    pub rest: &'a [PatternId],
    pub continuation: Option<&'a Name>,
}

impl PatternKind {
    /// The direct parts of a pattern.
    pub fn parts(&self) -> PatternParts<'_> {
        let mut parts = PatternParts::default();
        match self {
            PatternKind::Name(name) | PatternKind::CatchAll(name) => parts.name = Some(name),
            PatternKind::Constructor { name, args } => {
                parts.name = Some(name);
                parts.rest = args;
            }
            PatternKind::List(elements) => parts.rest = elements,
            PatternKind::Cons { head, tail } => {
                parts.first = Some(*head);
                parts.second = Some(*tail);
            }
            PatternKind::Command {
                name,
                args,
                continuation,
                ..
            } => {
                parts.name = Some(name);
                parts.rest = args;
                parts.continuation = Some(continuation);
            }
            PatternKind::Integer(_)
            | PatternKind::Char(_)
            | PatternKind::String(_)
            | PatternKind::Missing => {}
        }
        parts
    }

    /// The patterns that a pattern is directly made of.
    pub fn sub_patterns(&self) -> impl DoubleEndedIterator<Item = PatternId> + '_ {
        let parts = self.parts();
        let few = parts.first.into_iter().chain(parts.second);
        few.chain(parts.rest.iter().copied())
    }

    /// The name that a pattern itself binds, its parts aside: a variable, the `m` of a catch-all,
    /// the `k` of a command pattern. `_` is one of them, and what may as well be a constructor.
    pub fn binder(&self) -> Option<&Name> {
        match self {
            PatternKind::Name(name) | PatternKind::CatchAll(name) => Some(name),
            PatternKind::Constructor { name, args } if args.is_empty() => Some(name),
            PatternKind::Command { continuation, .. } => Some(continuation),
            _ => None,
        }
    }

    /// Whether a pattern is for computations: `<c p… -> k>` or `<m>`.
    pub fn handles(&self) -> bool {
        matches!(self, PatternKind::Command { .. } | PatternKind::CatchAll(_))
    }
}

impl Item {
    /// A term and all terms in it, each before its parts.
    pub fn terms_in(&self, root: TermId) -> impl Iterator<Item = TermId> + '_ {
        // An explicit stack: `a; b; c; …` is as deep as it is long.
        let mut open = vec![root];
        std::iter::from_fn(move || {
            let term = open.pop()?;
            open.extend(self.terms[term].kind.sub_terms().rev());
            Some(term)
        })
    }

    /// All patterns of a clause, each behind its parts: what they bind is in the order of the text.
    pub fn patterns_of(&self, clause: &Clause) -> impl DoubleEndedIterator<Item = PatternId> {
        let mut open = clause.patterns.clone();
        let mut backwards = Vec::with_capacity(open.len());
        while let Some(pattern) = open.pop() {
            backwards.push(pattern);
            open.extend(self.patterns[pattern].kind.sub_patterns());
        }
        backwards.into_iter().rev()
    }

    /// The clause that an item is, and those of the thunks in it.
    pub fn clauses(&self) -> impl Iterator<Item = &Clause> + '_ {
        let own = match &self.kind {
            ItemKind::Clause { clause, .. } => slice::from_ref(clause),
            _ => &[],
        };
        let terms = self.terms.values();
        own.iter().chain(terms.flat_map(|term| term.kind.clauses()))
    }

    /// The term that an item is about: the body of a clause, or the term that it is.
    pub fn body(&self) -> Option<TermId> {
        match &self.kind {
            ItemKind::Clause { clause, .. } => Some(clause.body),
            ItemKind::Term(term) => Some(*term),
            _ => None,
        }
    }
}

/// A part of an item.
#[derive(Debug, Clone, Copy)]
pub enum Node<'a> {
    Item,
    Clause(&'a Clause),
    Term(TermId),
    Pattern(PatternId),
    Type(TypeId),
    Computation(&'a CompType),
    Port(&'a Port),
    Ability(&'a AbilityExpr),
    Instance(&'a InstanceExpr),
    Adaptor(&'a AdaptorExpr),
    Constructor(&'a ConstructorDecl),
    Command(&'a CommandDecl),
    Param(&'a Param),
    Name(&'a Name),
}

impl<'a> Node<'a> {
    /// The id under which the source map knows the node.
    pub fn id(self, item: &Item) -> NodeId {
        match self {
            Node::Item => item.id,
            Node::Clause(clause) => clause.id,
            Node::Term(id) => item.terms[id].id,
            Node::Pattern(id) => item.patterns[id].id,
            Node::Type(id) => item.types[id].id,
            Node::Computation(computation) => computation.id,
            Node::Port(port) => port.id,
            Node::Ability(ability) => ability.id,
            Node::Instance(instance) => instance.id,
            Node::Adaptor(adaptor) => adaptor.id,
            Node::Constructor(constructor) => constructor.id,
            Node::Command(command) => command.id,
            Node::Param(param) => param.name.id,
            Node::Name(name) => name.id,
        }
    }

    /// Calls `visit` with each child in the order of the text, as far as the tree knows it.
    pub fn children(self, item: &'a Item, visit: &mut dyn FnMut(Node<'a>)) {
        match self {
            Node::Item => item_children(item, visit),
            Node::Clause(clause) => {
                clause
                    .patterns
                    .iter()
                    .for_each(|pattern| visit(Node::Pattern(*pattern)));
                visit(Node::Term(clause.body));
            }
            Node::Term(id) => term_children(item, id, visit),
            Node::Pattern(id) => pattern_children(item, id, visit),
            Node::Type(id) => match &item.types[id].kind {
                TypeKind::Name { name, args, .. } => {
                    visit(Node::Name(name));
                    type_args(args, visit);
                }
                TypeKind::Computation(computation) => visit(Node::Computation(computation)),
                TypeKind::Missing => {}
            },
            Node::Computation(computation) => {
                computation
                    .ports
                    .iter()
                    .for_each(|port| visit(Node::Port(port)));
                if let Some(ability) = &computation.peg.ability {
                    visit(Node::Ability(ability));
                }
                visit(Node::Type(computation.peg.ty));
            }
            Node::Port(port) => {
                for adjustment in &port.adjustments {
                    visit(match adjustment {
                        Adjustment::Adaptor(adaptor) => Node::Adaptor(adaptor),
                        Adjustment::Instance(instance) => Node::Instance(instance),
                    });
                }
                visit(Node::Type(port.ty));
            }
            Node::Ability(ability) => {
                if let Tail::Named(name) = &ability.tail {
                    visit(Node::Name(name));
                }
                ability
                    .instances
                    .iter()
                    .for_each(|instance| visit(Node::Instance(instance)));
            }
            Node::Instance(instance) => {
                visit(Node::Name(&instance.interface));
                type_args(&instance.args, visit);
            }
            Node::Adaptor(adaptor) => {
                visit(Node::Name(&adaptor.interface));
                if let Some(shape) = &adaptor.shape {
                    visit(Node::Name(&shape.rest));
                    shape
                        .left
                        .iter()
                        .chain(&shape.right)
                        .for_each(|name| visit(Node::Name(name)));
                }
            }
            Node::Constructor(constructor) => {
                visit(Node::Name(&constructor.name));
                constructor
                    .args
                    .iter()
                    .for_each(|ty| visit(Node::Type(*ty)));
            }
            Node::Command(command) => {
                visit(Node::Name(&command.name));
                command
                    .params
                    .iter()
                    .for_each(|param| visit(Node::Param(param)));
                command.args.iter().for_each(|ty| visit(Node::Type(*ty)));
                visit(Node::Type(command.result));
            }
            Node::Param(_) | Node::Name(_) => {}
        }
    }
}

fn item_children<'a>(item: &'a Item, visit: &mut dyn FnMut(Node<'a>)) {
    match &item.kind {
        ItemKind::Data {
            name,
            params,
            constructors,
        } => {
            visit(Node::Name(name));
            params.iter().for_each(|param| visit(Node::Param(param)));
            constructors
                .iter()
                .for_each(|c| visit(Node::Constructor(c)));
        }
        ItemKind::Interface {
            name,
            params,
            commands,
        } => {
            visit(Node::Name(name));
            params.iter().for_each(|param| visit(Node::Param(param)));
            commands
                .iter()
                .for_each(|command| visit(Node::Command(command)));
        }
        ItemKind::Alias {
            name,
            params,
            instances,
        } => {
            visit(Node::Name(name));
            params.iter().for_each(|param| visit(Node::Param(param)));
            instances
                .iter()
                .for_each(|instance| visit(Node::Instance(instance)));
        }
        ItemKind::Include { name } => visit(Node::Name(name)),
        ItemKind::Signature { name, ty } => {
            visit(Node::Name(name));
            visit(Node::Computation(ty));
        }
        ItemKind::Clause { name, clause } => {
            visit(Node::Name(name));
            visit(Node::Clause(clause));
        }
        ItemKind::Term(term) => visit(Node::Term(*term)),
        ItemKind::Broken => {}
    }
}

fn type_args<'a>(args: &'a [TypeArg], visit: &mut dyn FnMut(Node<'a>)) {
    for arg in args {
        visit(match arg {
            TypeArg::Type(ty) => Node::Type(*ty),
            TypeArg::Ability(ability) => Node::Ability(ability),
        });
    }
}

fn term_children<'a>(item: &'a Item, id: TermId, visit: &mut dyn FnMut(Node<'a>)) {
    let parts = item.terms[id].kind.parts();
    parts.name.into_iter().map(Node::Name).for_each(&mut *visit);
    let adaptors = parts.adaptors.iter();
    adaptors.map(Node::Adaptor).for_each(&mut *visit);
    parts.direct().map(Node::Term).for_each(&mut *visit);
    parts.clauses.iter().map(Node::Clause).for_each(visit);
}

fn pattern_children<'a>(item: &'a Item, id: PatternId, visit: &mut dyn FnMut(Node<'a>)) {
    let kind = &item.patterns[id].kind;
    let parts = kind.parts();
    parts.name.into_iter().map(Node::Name).for_each(&mut *visit);
    kind.sub_patterns().map(Node::Pattern).for_each(&mut *visit);
    let continuation = parts.continuation.into_iter();
    continuation.map(Node::Name).for_each(visit);
}

/// The nodes around an offset of the item's text, the item first and the innermost last. Where
/// two parts meet, the one that begins at the offset counts.
pub fn path_at<'a>(item: &'a Item, map: &SourceMap, offset: TextSize) -> Vec<Node<'a>> {
    let mut path = vec![Node::Item];
    let mut here = Node::Item;
    loop {
        let mut best: Option<(bool, Node<'a>)> = None;
        here.children(item, &mut |child| {
            let range = map.range(child.id(item));
            if range.contains_inclusive(offset) {
                let strict = range.contains(offset);
                if best.is_none_or(|(known, _)| strict && !known) {
                    best = Some((strict, child));
                }
            }
        });
        match best {
            Some((_, child)) => {
                path.push(child);
                here = child;
            }
            None => return path,
        }
    }
}

/// Calls `visit` with every node of an item, parents before their children.
pub fn for_each<'a>(item: &'a Item, mut visit: impl FnMut(Node<'a>)) {
    // An explicit stack: `a; b; c; …` is as deep as it is long.
    let mut stack = vec![Node::Item];
    let mut children = Vec::new();
    while let Some(node) = stack.pop() {
        visit(node);
        node.children(item, &mut |child| children.push(child));
        stack.extend(children.drain(..).rev());
    }
}
