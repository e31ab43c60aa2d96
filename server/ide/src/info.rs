//! All that is known at a place, in parts, for a view beside the text that follows the cursor
//! (request `frank/info`): types; the ability, with who handles each instance; what the adaptor in
//! front does to it.

use frank_analysis::show::show_adaptor;
use frank_analysis::types::AbilityData;
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{TermId, TermKind};
use text_size::TextRange;

use crate::holes::Goal;
use crate::hover::under;
use crate::hover_text::HoverPart;
use crate::stack::Stack;
use crate::view::{Spot, Typed};
use crate::{Analysis, FilePosition};

/// What is known at a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Info {
    /// What it is about, in the file; `None` where nothing stands that has a type.
    pub range: Option<TextRange>,
    /// Frank text: what the definition is, and the type that it has here.
    pub types: Vec<String>,
    /// The ability that a term runs in.
    pub ability: Option<Stack>,
    /// The adaptor in front.
    pub adaptor: Option<Adaptation>,
    /// What is known of the hole there.
    pub goal: Option<Goal>,
    /// The operator that the place is in.
    pub inside: Option<String>,
}

/// What adaptors in front of a term do to the ability around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adaptation {
    pub shown: String,
    /// The instances around it, the active one of each interface first.
    pub around: String,
    pub under: String,
}

impl Analysis {
    /// What is known at a place; `None` where no item stands.
    pub fn info(&self, at: FilePosition) -> Option<Info> {
        let spot = self.spot(at)?;
        let mut info = Info {
            inside: spot
                .view
                .operator()
                .map(|operator| operator.0.name.to_string()),
            ..Info::default()
        };
        info.goal = self.goal(at);
        let hover = info.goal.as_ref().map(Goal::hover);
        if let Some(hover) = hover.or_else(|| self.hover_of(&spot)) {
            info.range = Some(hover.range);
            info.types = hover.parts.into_iter().filter_map(type_part).collect();
        }
        let Some(typed) = spot.view.typed() else {
            return Some(info);
        };
        let terms = terms_around(&spot);
        info.ability = terms
            .last()
            .and_then(|term| self.stack(spot.view, &typed, *term));
        info.adaptor = adaptation(&spot, &typed, &terms);
        Some(info)
    }
}

/// The part of a hover that says what something is or has for a type.
fn type_part(part: HoverPart) -> Option<String> {
    match part {
        HoverPart::Code(code) => Some(code),
        HoverPart::Here(ty) => Some(format!("here : {ty}")),
        HoverPart::Text(_) | HoverPart::Link { .. } | HoverPart::Documentation(_) => None,
    }
}

/// The terms around a place in the innermost clause, the outermost first.
fn terms_around(spot: &Spot<'_>) -> Vec<TermId> {
    let path = spot.path();
    let clause = path
        .iter()
        .rposition(|node| matches!(node, Node::Clause(_)));
    let inside = path.get(clause.unwrap_or_default()..).unwrap_or_default();
    let terms = inside.iter().filter_map(|node| match node {
        Node::Term(term) => Some(*term),
        _ => None,
    });
    terms.collect()
}

/// What the innermost adaptors around a place do.
fn adaptation(spot: &Spot<'_>, typed: &Typed<'_>, terms: &[TermId]) -> Option<Adaptation> {
    let item = spot.view.item();
    let (term, written) = terms
        .iter()
        .rev()
        .find_map(|term| match &item.terms[*term].kind {
            TermKind::Adapted { adaptors, .. } => Some((*term, adaptors.len())),
            _ => None,
        })?;
    let adaptors = typed.body().adaptors.get(term)?;
    // An adaptor that makes no sense has no resolved form, and nothing is known behind it.
    if adaptors.len() != written {
        return None;
    }
    let around = typed.row(*typed.body().ambient.get(term)?);
    let below = adaptors
        .iter()
        .fold(around.clone(), |row, adaptor| under(adaptor, &row));
    let shown: Vec<String> = adaptors.iter().map(show_adaptor).collect();
    let in_words =
        |row: &AbilityData| crate::text::active_first(&typed.show(), row).replace(['`', '*'], "");
    Some(Adaptation {
        shown: format!("<{}>", shown.join(", ")),
        around: in_words(&around),
        under: in_words(&below),
    })
}
