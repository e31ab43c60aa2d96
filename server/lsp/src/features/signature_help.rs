//! `textDocument/signatureHelp`.

use frank_ide::SignatureInfo;
use text_size::TextRange;
use tower_lsp::ls_types as lsp;

use crate::request_snapshot::{Answer, RequestSnapshot, Target};
use crate::text::Encoding;

/// The characters behind which help is given unasked.
pub const TRIGGERS: &[&str] = &[" ", "("];

pub fn help(snapshot: &RequestSnapshot, target: &Target) -> Answer<Option<lsp::SignatureHelp>> {
    let Some(help) = snapshot.analysis.signature_help(target.position()) else {
        return Ok(None);
    };
    let signatures: Vec<_> = help
        .calls
        .iter()
        .map(|call| signature(snapshot, call))
        .collect();
    let active = signatures
        .first()
        .and_then(|signature| signature.active_parameter);
    Ok(Some(lsp::SignatureHelp {
        signatures,
        active_signature: Some(0),
        active_parameter: active,
    }))
}

fn signature(snapshot: &RequestSnapshot, call: &SignatureInfo) -> lsp::SignatureInformation {
    let text = |range: TextRange| call.label.get(std::ops::Range::<usize>::from(range));
    // Whatever was agreed on for documents, within labels the unit is this one.
    let column =
        |end| Encoding::Utf16.length(call.label.get(..usize::from(end)).unwrap_or_default());
    let parameters = call.ports.iter().map(|port| lsp::ParameterInformation {
        label: if snapshot.capabilities.label_offsets {
            lsp::ParameterLabel::LabelOffsets([column(port.start()), column(port.end())])
        } else {
            lsp::ParameterLabel::Simple(text(*port).unwrap_or_default().to_owned())
        },
        documentation: None,
    });
    let mut said = Vec::new();
    if let Some(here) = &call.here {
        said.push(format!("```frank\n{here}\n```"));
    }
    said.extend(call.documentation.clone());
    let documentation = (!said.is_empty()).then(|| {
        lsp::Documentation::MarkupContent(lsp::MarkupContent {
            kind: lsp::MarkupKind::Markdown,
            value: said.join("\n\n"),
        })
    });
    lsp::SignatureInformation {
        label: call.label.clone(),
        documentation,
        parameters: Some(parameters.collect()),
        active_parameter: u32::try_from(call.active).ok(),
    }
}
