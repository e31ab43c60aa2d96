//! The parts of an item as one kind of node, to find what is at an offset.

use frank_syntax::ast::{
    AbilityExpr, AdaptorExpr, Adjustment, Clause, CommandDecl, CompType, ConstructorDecl,
    InstanceExpr, Item, ItemKind, Name, NodeId, Param, PatternId, PatternKind, Port, SourceMap,
    Tail, TermId, TermKind, TypeArg, TypeId, TypeKind,
};
use text_size::TextSize;

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
    match &item.terms[id].kind {
        TermKind::Name(name) => visit(Node::Name(name)),
        TermKind::Apply { head, args } => {
            visit(Node::Term(*head));
            args.iter().for_each(|arg| visit(Node::Term(*arg)));
        }
        TermKind::Adapted { adaptors, body } => {
            adaptors
                .iter()
                .for_each(|adaptor| visit(Node::Adaptor(adaptor)));
            visit(Node::Term(*body));
        }
        TermKind::Let { name, bound, body } => {
            visit(Node::Name(name));
            visit(Node::Term(*bound));
            visit(Node::Term(*body));
        }
        TermKind::Sequence { first, second } => {
            visit(Node::Term(*first));
            visit(Node::Term(*second));
        }
        TermKind::Binary { left, right, .. } => {
            visit(Node::Term(*left));
            visit(Node::Term(*right));
        }
        TermKind::Negate(operand) => visit(Node::Term(*operand)),
        TermKind::Thunk { clauses } => clauses.iter().for_each(|c| visit(Node::Clause(c))),
        TermKind::List(elements) => elements.iter().for_each(|e| visit(Node::Term(*e))),
        TermKind::Natural(_)
        | TermKind::Float(_)
        | TermKind::Char(_)
        | TermKind::String(_)
        | TermKind::Missing => {}
    }
}

fn pattern_children<'a>(item: &'a Item, id: PatternId, visit: &mut dyn FnMut(Node<'a>)) {
    match &item.patterns[id].kind {
        PatternKind::Name(name) | PatternKind::CatchAll(name) => visit(Node::Name(name)),
        PatternKind::Constructor { name, args } => {
            visit(Node::Name(name));
            args.iter().for_each(|arg| visit(Node::Pattern(*arg)));
        }
        PatternKind::List(elements) => elements.iter().for_each(|e| visit(Node::Pattern(*e))),
        PatternKind::Cons { head, tail } => {
            visit(Node::Pattern(*head));
            visit(Node::Pattern(*tail));
        }
        PatternKind::Command {
            name,
            args,
            continuation,
            ..
        } => {
            visit(Node::Name(name));
            args.iter().for_each(|arg| visit(Node::Pattern(*arg)));
            visit(Node::Name(continuation));
        }
        PatternKind::Integer(_)
        | PatternKind::Char(_)
        | PatternKind::String(_)
        | PatternKind::Missing => {}
    }
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
