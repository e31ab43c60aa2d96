//! What is wrong with the parameters of a message, in words.

use serde::de::DeserializeOwned;
use serde_json::Value;
use tower_lsp::jsonrpc::Request;
use tower_lsp::ls_types as lsp;

/// What is wrong with the parameters of a message, if `tower-lsp` would say nothing of it: a URI that is
/// none, anywhere, and anything in a notification.
pub fn mistake(message: &Request) -> Option<String> {
    let params = message.params()?;
    invalid_uri(params).or_else(|| match message.id() {
        None => invalid_notification(message.method(), params),
        Some(_) => None,
    })
}

fn invalid_uri(value: &Value) -> Option<String> {
    match value {
        Value::Array(values) => values.iter().find_map(invalid_uri),
        Value::Object(fields) => fields.iter().find_map(|(name, value)| match value {
            Value::String(text) if name == "uri" || name == "rootUri" => {
                let error = text.parse::<lsp::Uri>().err()?;
                Some(format!("`{text}` is no URI: {error}"))
            }
            value => invalid_uri(value),
        }),
        _ => None,
    }
}

fn invalid_notification(method: &str, params: &Value) -> Option<String> {
    let check = match method {
        "textDocument/didOpen" => error::<lsp::DidOpenTextDocumentParams>,
        "textDocument/didChange" => error::<lsp::DidChangeTextDocumentParams>,
        "textDocument/didSave" => error::<lsp::DidSaveTextDocumentParams>,
        "textDocument/didClose" => error::<lsp::DidCloseTextDocumentParams>,
        "workspace/didChangeWatchedFiles" => error::<lsp::DidChangeWatchedFilesParams>,
        "workspace/didChangeWorkspaceFolders" => error::<lsp::DidChangeWorkspaceFoldersParams>,
        "workspace/didChangeConfiguration" => error::<lsp::DidChangeConfigurationParams>,
        _ => return None,
    };
    check(params)
}

fn error<P: DeserializeOwned>(params: &Value) -> Option<String> {
    P::deserialize(params).err().map(|error| error.to_string())
}
