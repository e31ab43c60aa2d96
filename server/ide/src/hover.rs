//! What is known at a place (LSP `textDocument/hover`): names with their types and documentation;
//! terms with their types and the ability that they run in; commands with the instance that they
//! reach and the handlers that can receive them; adaptors with the ability before and after.

use std::fmt::Write;

use frank_analysis::check::inference;
use frank_analysis::infer::ResolvedPattern;
use frank_analysis::inferred;
use frank_analysis::program::CommandDef;
use frank_analysis::show::show_adaptor;
use frank_analysis::types::{AbilityData, Adaptor, TyKind};
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{
    AdaptorExpr, ItemKind, NodeId, ParamKind, PatternId, PatternKind, TermId, TermKind,
};

use crate::goto::type_at;
use crate::holes::Goal;
use crate::hover_text::{Hover, HoverPart};
use crate::names::{Def, Occurrence, Role};
use crate::symbols::{on_one_line, signature_text};
use crate::trace::Receivers;
use crate::view::{Spot, Typed, count};
use crate::{Analysis, FilePosition};

impl Analysis {
    /// What to show at a place (`textDocument/hover`); `None` where there is nothing to say.
    pub fn hover(&self, at: FilePosition) -> Option<Hover> {
        let goal = self.goal(at);
        let hover = goal.as_ref().map(Goal::hover);
        hover.or_else(|| self.hover_of(&self.spot(at)?))
    }

    /// What to show at a place that is no hole.
    pub(crate) fn hover_of(&self, spot: &Spot<'_>) -> Option<Hover> {
        match spot.name() {
            Some(name) => Some(self.name_hover(spot, name)),
            None => self.term_hover(spot),
        }
    }

    /// What to show for a definition wherever it is named: its type and its documentation.
    pub fn about(&self, def: Def) -> Vec<HoverPart> {
        let mut parts = self.definition_parts(def);
        parts.extend(self.documentation(def).map(HoverPart::Documentation));
        parts
    }

    fn name_hover(&self, spot: &Spot<'_>, name: Occurrence) -> Hover {
        let view = spot.view;
        let mut parts = match name.def {
            Def::Local { .. } => self.local_parts(spot, name),
            _ => self.definition_parts(name.def),
        };
        let typed = view.typed();
        if let Some(typed) = &typed {
            if let Some(term) = term_of_name(spot, name.node) {
                match name.def {
                    Def::Command(command) => {
                        self.performed(typed, term, name.node, command, &mut parts)
                    }
                    Def::Operator(_) => {
                        here(typed, term, &mut parts);
                        ambient(typed, term, &mut parts);
                    }
                    Def::Local { .. } | Def::Constructor(_) => ambient(typed, term, &mut parts),
                    _ => {}
                }
            }
            if name.role == Role::Handle
                && let Some(pattern) = pattern_of_name(spot, name.node)
            {
                clause_of(typed, pattern, &mut parts);
            }
        }
        if let Some(adaptor) = adaptor_at(spot) {
            adapted(spot, adaptor, &mut parts);
        }
        parts.extend(self.documentation(name.def).map(HoverPart::Documentation));
        Hover {
            range: name.range + view.start,
            parts,
        }
    }

    /// What a definition is, on its own.
    fn definition_parts(&self, def: Def) -> Vec<HoverPart> {
        let db = self.db();
        let code = match def {
            Def::Operator(operator) => signature_text(db, operator).or_else(|| {
                let name = operator.0.name;
                let inference = inference(db, operator.0.scope, name).as_ref()?;
                Some(format!(
                    "{name} : {}",
                    inferred::shown(db, operator.0.scope, inference)?
                ))
            }),
            Def::Data(_) | Def::Interface(_) | Def::Alias(_) => {
                let declared = crate::target::declaration(db, def);
                declared.map(|(source, _)| {
                    let view = self.view_of(source);
                    view.node_text(view.item().id).trim_end().to_owned()
                })
            }
            Def::Constructor(constructor) => Some(crate::text::constructor(db, constructor)),
            Def::Command(command) => Some(crate::text::command(db, command)),
            Def::BuiltinType(name) => Some(match name.as_str() {
                "String" => "String = List Char".to_owned(),
                name => name.to_owned(),
            }),
            Def::File(file) => Some(format!("include {}", file.path(db))),
            Def::TypeVariable { kind, .. } => self.name_of(def).map(|name| match kind {
                ParamKind::Value => format!("{name} -- a type"),
                ParamKind::Effect => format!("[{name}] -- an ability"),
            }),
            Def::AdaptorName { .. } => None,
            Def::Local { .. } => self.name_of(def).map(str::to_owned),
        };
        let mut parts: Vec<HoverPart> = code.into_iter().map(HoverPart::Code).collect();
        match def {
            Def::BuiltinType(name) => {
                let text = match name.as_str() {
                    "Int" => "Integers of 64 bits. Overflow is a run-time error.",
                    "Float" => "IEEE doubles.",
                    "Char" => "Unicode characters.",
                    _ => "Lists of characters.",
                };
                parts.push(HoverPart::Text(text.to_owned()));
            }
            Def::AdaptorName { item, binder } => {
                parts.extend(self.adaptor_name(item, binder).map(HoverPart::Text));
            }
            _ => {}
        }
        parts
    }

    /// What an instance's name inside an adaptor stands for.
    fn adaptor_name(&self, item: frank_analysis::db::ItemSource, binder: NodeId) -> Option<String> {
        let view = self.view_of(item);
        let start = view.range(binder).start();
        let path = frank_syntax::ast::tree::path_at(view.item(), view.map(), start);
        let adaptor = path.iter().rev().find_map(|node| match node {
            Node::Adaptor(adaptor) => Some(*adaptor),
            _ => None,
        })?;
        let shape = adaptor.shape.as_ref()?;
        let interface = adaptor.interface.symbol;
        if shape.rest.id == binder {
            return Some(format!(
                "The other instances of `{interface}`, to the left."
            ));
        }
        let position = shape.left.iter().rev().position(|name| name.id == binder)?;
        Some(match position {
            0 => format!("The active instance of `{interface}` around the adaptor."),
            n => format!("The instance of `{interface}` with {n} more to its right."),
        })
    }

    fn local_parts(&self, spot: &Spot<'_>, name: Occurrence) -> Vec<HoverPart> {
        let Def::Local { binder, .. } = name.def else {
            return Vec::new();
        };
        let mut parts = Vec::new();
        let typed = spot.view.typed();
        let ty = typed.as_ref().and_then(|typed| typed.local_type(binder));
        match (&typed, ty) {
            (Some(typed), Some(ty)) => {
                parts.push(HoverPart::Code(format!("{} : {}", name.name, typed.ty(ty))));
                if let Some(clause) = crate::text::continuation(typed, binder) {
                    parts.push(HoverPart::Text(clause));
                }
            }
            _ => parts.push(HoverPart::Code(name.name.to_string())),
        }
        parts
    }

    /// What there is to say about a command where it is performed.
    fn performed(
        &self,
        typed: &Typed<'_>,
        term: TermId,
        node: NodeId,
        command: CommandDef,
        parts: &mut Vec<HoverPart>,
    ) {
        let Some(ability) = typed.body().ambient.get(term) else {
            return;
        };
        let row = typed.row(*ability);
        let own = row
            .instances
            .iter()
            .rev()
            .find(|i| i.interface == command.interface);
        let Some(own) = own else { return };
        here(typed, term, parts);
        let shown = typed.show().instance(own);
        parts.push(HoverPart::Text(
            match count(&row.instances, command.interface) {
                1 => format!("Performed at `{shown}`, the only instance of its interface here."),
                n => format!("Performed at `{shown}`, the active one of {n} instances here."),
            },
        ));
        let found = self.receivers(typed, node, command.interface, 0);
        self.receiver_parts(&found, parts);
        ambient(typed, term, parts);
    }

    fn receiver_parts(&self, found: &Receivers, parts: &mut Vec<HoverPart>) {
        let several = found.handlers.len() + found.host.len() != 1;
        if found.handlers.is_empty() && found.host.is_empty() {
            if found.elsewhere {
                let text = "Received by whoever handles it where this computation is run.";
                parts.push(HoverPart::Text(text.to_owned()));
            } else {
                parts.push(HoverPart::Text("Nobody here receives it.".to_owned()));
            }
            return;
        }
        parts.push(HoverPart::Text("Received by".to_owned()));
        for receiver in &found.handlers {
            let mut note = String::new();
            if let Some(inside) = receiver.inside {
                let _infallible = write!(note, " in `{}`", inside.0.name);
            }
            if receiver.possible {
                note.push_str(", possibly");
            }
            parts.push(HoverPart::Link {
                text: receiver.name.clone(),
                at: receiver.at,
                note,
            });
        }
        for operator in &found.host {
            if let Some(target) = self.declared(Def::Operator(*operator)) {
                let text = "the host".to_owned();
                let note = format!(
                    ", where `{}` is the entry{}",
                    operator.0.name,
                    if several { ", possibly" } else { "" }
                );
                parts.push(HoverPart::Link {
                    text,
                    at: target.focus,
                    note,
                });
            }
        }
        if found.more || found.elsewhere {
            parts.push(HoverPart::Text("…and possibly others.".to_owned()));
        }
    }

    /// What there is to say where no name stands.
    fn term_hover(&self, spot: &Spot<'_>) -> Option<Hover> {
        let view = spot.view;
        let typed = view.typed()?;
        let path = spot.path();
        let item = view.item();
        if let Some(adaptor) = adaptor_at(spot) {
            let mut parts = Vec::new();
            adapted(spot, adaptor, &mut parts);
            let range = view.range(adaptor.id) + view.start;
            return (!parts.is_empty()).then_some(Hover { range, parts });
        }
        if let Some(Node::Term(term)) = path.last().copied() {
            return term_parts(&typed, spot, term);
        }
        if let Some(Node::Pattern(pattern)) = path.last().copied() {
            let ty = typed.body().pattern_types.get(pattern)?;
            let text = on_one_line(view.node_text(item.patterns[pattern].id));
            let mut parts = vec![HoverPart::Code(format!("{text} : {}", typed.ty(*ty)))];
            clause_of(&typed, pattern, &mut parts);
            let range = view.range(item.patterns[pattern].id) + view.start;
            return Some(Hover { range, parts });
        }
        let (ty, typed, node) = type_at(spot, None)?;
        let range = view.range(node) + view.start;
        // Between the parts of a clause nothing stands that has a type.
        if !view.range(node).contains_inclusive(spot.offset) {
            return None;
        }
        let text = crate::text::excerpt(view.node_text(node));
        Some(Hover {
            range,
            parts: vec![HoverPart::Code(format!("{text} : {}", typed.ty(ty)))],
        })
    }
}

/// The term, its type, its number type if it has one, and its ability.
fn term_parts(typed: &Typed<'_>, spot: &Spot<'_>, term: TermId) -> Option<Hover> {
    let view = spot.view;
    let item = view.item();
    let written = &item.terms[term];
    let mut range = view.range(written.id);
    let ty = *typed.body().types.get(term)?;
    let mut text = crate::text::excerpt(view.node_text(written.id));
    let mut parts = Vec::new();
    let mut number = None;
    match &written.kind {
        TermKind::Missing => return None,
        TermKind::Binary {
            operator,
            operator_id,
            ..
        } => {
            let operands = typed.body().numbers.get(term).map(|ty| typed.ty(*ty));
            let symbol = view.range(*operator_id);
            if let Some(operands) = &operands
                && symbol.contains_inclusive(spot.offset)
            {
                range = symbol;
                let symbol = operator.symbol();
                parts.push(HoverPart::Code(format!(
                    "{symbol} : {operands} -> {operands} -> {}",
                    typed.ty(ty)
                )));
                text.clear();
            } else if let Some(operands) = operands {
                number = Some(format!("On `{operands}`."));
            }
        }
        TermKind::Negate(_) => {
            let operand = typed.body().numbers.get(term).map(|ty| typed.ty(*ty));
            number = operand.map(|operand| format!("On `{operand}`."));
        }
        TermKind::Natural(_) => {
            number = Some(match typed.inference.table.kind(ty) {
                TyKind::Float => "A natural number, read as a `Float`.".to_owned(),
                _ => "A natural number, read as an `Int`.".to_owned(),
            });
        }
        _ => {}
    }
    if !text.is_empty() {
        parts.push(HoverPart::Code(format!("{text} : {}", typed.ty(ty))));
    }
    parts.extend(number.map(HoverPart::Text));
    ambient(typed, term, &mut parts);
    Some(Hover {
        range: range + view.start,
        parts,
    })
}

/// The type of an operator or a command where it is used.
fn here(typed: &Typed<'_>, term: TermId, parts: &mut Vec<HoverPart>) {
    let Some(ty) = typed.body().types.get(term) else {
        return;
    };
    let shown = match typed.computation(*ty) {
        Some(computation) => typed.show().signature(computation),
        None => typed.ty(*ty),
    };
    let known = parts.iter().any(|part| match part {
        HoverPart::Code(code) => on_one_line(code).ends_with(&format!(": {shown}")),
        _ => false,
    });
    if !known && shown != "_" {
        parts.push(HoverPart::Here(shown));
    }
}

/// The ability that a term runs in.
fn ambient(typed: &Typed<'_>, term: TermId, parts: &mut Vec<HoverPart>) {
    if let Some(ability) = typed.body().ambient.get(term) {
        let row = typed.row(*ability);
        parts.push(HoverPart::Text(format!(
            "Ability: {}",
            crate::text::active_first(&typed.show(), &row)
        )));
    }
}

fn term_of_name(spot: &Spot<'_>, node: NodeId) -> Option<TermId> {
    spot.path().into_iter().rev().find_map(|part| match part {
        Node::Term(term) if spot.view.item().terms[term].id == node => Some(term),
        _ => None,
    })
}

fn pattern_of_name(spot: &Spot<'_>, node: NodeId) -> Option<PatternId> {
    spot.path().into_iter().rev().find_map(|part| match part {
        Node::Pattern(pattern) => match &spot.view.item().patterns[pattern].kind {
            PatternKind::Command { name, .. } if name.id == node => Some(pattern),
            _ => None,
        },
        _ => None,
    })
}

fn adaptor_at<'a>(spot: &Spot<'a>) -> Option<&'a AdaptorExpr> {
    spot.path().into_iter().rev().find_map(|part| match part {
        Node::Adaptor(adaptor) => Some(adaptor),
        _ => None,
    })
}

/// What the continuation of a command pattern takes and gives.
fn clause_of(typed: &Typed<'_>, pattern: PatternId, parts: &mut Vec<HoverPart>) {
    let Some(
        ResolvedPattern::Command {
            continuation: Some(local),
            ..
        }
        | ResolvedPattern::CatchAll(Some(local)),
    ) = typed.body().patterns.get(pattern)
    else {
        return;
    };
    if let Some(local) = typed.body().locals.get(local.0 as usize) {
        let ty = typed.ty(local.ty);
        parts.push(HoverPart::Code(format!("{} : {ty}", local.name)));
        parts.extend(crate::text::continuation(typed, local.node).map(HoverPart::Text));
    }
}

/// The ability around an adaptor and under it.
fn adapted(spot: &Spot<'_>, adaptor: &AdaptorExpr, parts: &mut Vec<HoverPart>) {
    let Some(typed) = spot.view.typed() else {
        port_adaptor(spot, adaptor, parts);
        return;
    };
    let item = spot.view.item();
    let term = spot.path().into_iter().rev().find_map(|part| match part {
        Node::Term(term) => Some(term),
        _ => None,
    });
    let Some(term) = term else { return };
    let TermKind::Adapted { adaptors, .. } = &item.terms[term].kind else {
        return;
    };
    let resolved = typed
        .body()
        .adaptors
        .get(term)
        .map_or(&[][..], Vec::as_slice);
    let Some(ability) = typed.body().ambient.get(term) else {
        return;
    };
    let Some(position) = adaptors.iter().position(|other| other.id == adaptor.id) else {
        return;
    };
    // An adaptor that makes no sense has no resolved form, and nothing is known behind it.
    if resolved.len() != adaptors.len() {
        return;
    }
    let mut before = typed.row(*ability);
    for adaptor in resolved.iter().take(position) {
        before = under(adaptor, &before);
    }
    let Some(own) = resolved.get(position) else {
        return;
    };
    let after = under(own, &before);
    let show = typed.show();
    parts.push(HoverPart::Code(format!("<{}>", show_adaptor(own))));
    parts.push(HoverPart::Text(format!(
        "Around it: {}",
        crate::text::active_first(&show, &before)
    )));
    parts.push(HoverPart::Text(format!(
        "Under it: {}",
        crate::text::active_first(&show, &after)
    )));
}

/// An adaptor in the port of a signature: what it does to the ability of the port's own peg.
fn port_adaptor(spot: &Spot<'_>, adaptor: &AdaptorExpr, parts: &mut Vec<HoverPart>) {
    let view = spot.view;
    if !matches!(view.item().kind, ItemKind::Signature { .. }) {
        return;
    }
    let shown = on_one_line(view.node_text(adaptor.id));
    parts.push(HoverPart::Text(format!(
        "`<{shown}>` rearranges the instances of `{}` for this argument: it runs under what stands \
         on the right.",
        adaptor.interface.symbol
    )));
}

/// The row under an adaptor.
pub(crate) fn under(adaptor: &Adaptor, row: &AbilityData) -> AbilityData {
    let own: Vec<_> = row
        .instances
        .iter()
        .filter(|instance| instance.interface == adaptor.interface)
        .collect();
    let rest = own.len().saturating_sub(adaptor.taken as usize);
    let mut new: Vec<_> = own
        .iter()
        .take(rest)
        .map(|instance| (*instance).clone())
        .collect();
    for kept in adaptor.kept.iter().rev() {
        let position = own.len().checked_sub(1 + *kept as usize);
        new.extend(
            position
                .and_then(|i| own.get(i))
                .map(|instance| (*instance).clone()),
        );
    }
    let others = row
        .instances
        .iter()
        .filter(|i| i.interface != adaptor.interface)
        .cloned();
    AbilityData {
        tail: row.tail,
        instances: others.chain(new).collect(),
    }
}
