//! What the arguments at hand must be (LSP `textDocument/signatureHelp`).

use frank_analysis::declarations::{interface, signature};
use frank_analysis::infer::Resolved;
use frank_analysis::program::{TermDef, resolve_term};
use frank_analysis::show::Show;
use frank_analysis::types::Computation;
use frank_syntax::ast::tree::Node;
use frank_syntax::ast::{Symbol, TermId, TermKind};
use text_size::TextRange;

use crate::draft::{Draft, Written};
use crate::markdown::documentation;
use crate::names::Def;
use crate::view::{show, size};
use crate::{Analysis, FilePosition};

/// A callee with its ports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureInfo {
    /// `state : S -> <State S>X -> X`
    pub label: String,
    /// The ports within the label, adjustments included.
    pub ports: Vec<TextRange>,
    /// The port that the cursor is at; one past the last if there are more arguments than ports.
    pub active: usize,
    /// What the types are at this call, where that says more than the signature.
    pub here: Option<String>,
    /// The comment that documents the definition, as Markdown.
    pub documentation: Option<String>,
}

/// The calls around the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The innermost call first, then those around it.
    pub calls: Vec<SignatureInfo>,
}

impl Analysis {
    /// The calls that the cursor is among the arguments of, the innermost first
    /// (`textDocument/signatureHelp`); `None` if there is no such call.
    pub fn signature_help(&self, at: FilePosition) -> Option<SignatureHelp> {
        let cursor = self.cursor(at)?;
        let draft = self.draft(&cursor, Written::Kept);
        let item = draft.item();
        let path = draft.path();
        let mut calls = Vec::new();
        for (position, node) in path.iter().enumerate().rev() {
            let Node::Term(call) = *node else { continue };
            let TermKind::Apply { head, args } = &item.terms[call].kind else {
                continue;
            };
            if args.is_empty() {
                continue;
            }
            let inner = path.get(position + 1..).unwrap_or_default();
            let argument = inner.iter().find_map(|node| match node {
                Node::Term(term) => args.iter().position(|arg| arg == term),
                _ => None,
            });
            let on_head = inner
                .iter()
                .any(|node| matches!(node, Node::Term(t) if t == head));
            let active = match argument {
                Some(argument) => argument,
                None if on_head => 0,
                None => {
                    // Between the arguments: the next one.
                    let ends = |arg: &&TermId| {
                        let node = item.terms[**arg].id;
                        draft.parsed.source_map.range(node).end() <= draft.offset
                    };
                    args.iter().filter(ends).count()
                }
            };
            calls.extend(self.call_info(&draft, *head, active));
        }
        (!calls.is_empty()).then_some(SignatureHelp { calls })
    }

    fn call_info(&self, draft: &Draft, head: TermId, active: usize) -> Option<SignatureInfo> {
        let item = draft.item();
        let db = self.db();
        let name = match &item.terms[crate::trace::term_of_use(item, head)].kind {
            TermKind::Name(name) => name.symbol,
            _ => return None,
        };
        let resolved = draft
            .body()
            .and_then(|body| body.names.get(crate::trace::term_of_use(item, head)));
        let definition = match resolved {
            Some(Resolved::Definition(definition)) => Some(*definition),
            Some(_) => None,
            None => resolve_term(db, draft.scope, name),
        };
        let ty = draft.body().and_then(|body| body.types.get(head)).copied();
        let typed = ty.and_then(|ty| draft.computation(ty));
        let here = typed.zip(draft.inference());
        let mut info = match definition {
            Some(TermDef::Operator(operator)) => {
                let declared = signature(db, operator.0.scope, operator.0.name).as_ref();
                match declared {
                    Some(declared) => crate::text::of_signature(declared, |show| {
                        labelled(name, &declared.computation, &show)
                    }),
                    None => {
                        here.map(|(typed, inference)| labelled(name, typed, &show(inference)))?
                    }
                }
            }
            Some(TermDef::Command(command)) => {
                let declared = interface(db, command.interface.0.scope, command.interface.0.name);
                declared.as_ref()?;
                here.map(|(typed, inference)| labelled(name, typed, &show(inference)))?
            }
            Some(TermDef::Constructor(constructor)) => fields(db, constructor)?,
            None => here.map(|(typed, inference)| labelled(name, typed, &show(inference)))?,
        };
        info.active = active;
        if let Some((typed, inference)) = here {
            let shown = show(inference).signature(typed);
            info.here = (info.label != format!("{name} : {shown}")).then_some(shown);
        }
        let comment = definition.and_then(|definition| self.documentation(Def::from(definition)));
        info.documentation = comment.map(|comment| documentation(&comment));
        Some(info)
    }
}

/// A computation type with a name in front and the places of its ports.
fn labelled(name: Symbol, computation: &Computation, show: &Show<'_>) -> SignatureInfo {
    let mut label = format!("{name} : ");
    let mut ports = Vec::with_capacity(computation.ports.len());
    for port in &computation.ports {
        let start = label.len();
        label.push_str(&show.port(port));
        ports.push(TextRange::new(size(start), size(label.len())));
        label.push_str(" -> ");
    }
    label.push_str(&show.peg(computation));
    SignatureInfo {
        label,
        ports,
        active: 0,
        here: None,
        documentation: None,
    }
}

/// A constructor with its fields.
fn fields(
    db: &dyn frank_analysis::db::Db,
    constructor: frank_analysis::program::ConstructorDef,
) -> Option<SignatureInfo> {
    let (source, parsed, own, ty) = crate::text::declared_constructor(db, constructor)?;
    let mut label = own.name.symbol.to_string();
    let mut ports = Vec::with_capacity(own.args.len());
    for arg in &own.args {
        label.push(' ');
        let start = label.len();
        let range = parsed.source_map.range(parsed.item.types[*arg].id);
        let text = crate::symbols::on_one_line(crate::view::slice(source.text(db), range));
        let spaced = text.contains(' ') && !text.starts_with(['{', '[']);
        label.push_str(&if spaced { format!("({text})") } else { text });
        ports.push(TextRange::new(size(start), size(label.len())));
    }
    label.push_str(&format!(" : {ty}"));
    Some(SignatureInfo {
        label,
        ports,
        active: 0,
        here: None,
        documentation: None,
    })
}
