//! The `data` that is sent along with an answer, so that the client can ask for a part of it later.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_lsp::ls_types::Uri;

/// What is needed to resolve something later: the document that it is in, and what else the feature
/// has to know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ResolveData<D> {
    pub uri: Uri,
    #[serde(flatten)]
    pub item: D,
}

impl<D: Serialize> ResolveData<D> {
    /// The JSON for the client.
    pub fn write(uri: &Uri, item: D) -> Option<Value> {
        let uri = uri.clone();
        serde_json::to_value(ResolveData { uri, item }).ok()
    }
}

impl<D: DeserializeOwned> ResolveData<D> {
    /// Reads the JSON that the client sends back; `None` if it is something else.
    pub fn read(data: Option<&Value>) -> Option<ResolveData<D>> {
        serde_json::from_value(data?.clone()).ok()
    }
}
